package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/bench"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

func benchCommand() *cobra.Command {
	var o bench.Options
	var size, targets string
	cmd := &cobra.Command{
		Use:   "bench [NAME…]",
		Short: "Time the benchmark programs against C written by hand",
		Long: `Bench builds the programs of testdata/programs, and the C programs of bench/c
that compute the same, runs them in turn, and prints the medians of the times
that they report, with ratios. It runs in the root of the repository.`,
		Example: `  tailor bench
  tailor bench hotspot life --target c,omp --rounds 5
  tailor bench --size test --target eval,c`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Names = args
			switch o.Size = programs.Size(size); o.Size {
			case programs.Test, programs.Bench:
			default:
				return fmt.Errorf("there is no size %q; the sizes are test and bench", size)
			}
			for _, t := range strings.Split(targets, ",") {
				switch t := driver.Target(t); t {
				case driver.Eval, driver.C, driver.OpenMP:
					o.Targets = append(o.Targets, t)
				default:
					return fmt.Errorf("there is no target %q for bench; the targets are eval, c and omp", t)
				}
			}
			return bench.Run(cmd.OutOrStdout(), cmd.ErrOrStderr(), o)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&size, "size", "bench", "the size of the inputs: test or bench")
	fs.StringVarP(&targets, "target", "t", "c", "targets to time, with commas between")
	fs.IntVar(&o.Rounds, "rounds", 5, "runs of each program")
	fs.DurationVar(&o.Limit, "limit", 5*time.Minute, "time after which a run is given up")
	fs.StringVar(&o.Root, "root", ".", "root of the repository")
	return cmd
}
