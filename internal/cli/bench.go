package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/bench"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// benchFlags are the flags of bench that are not options of package bench.
type benchFlags struct {
	suite, size, targets, from string
	json, write                bool
	growth                     bool
}

func benchCommand() *cobra.Command {
	var o bench.Options
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench [NAME…]",
		Short: "Time the benchmark programs against C written by hand",
		Long: `Bench builds the programs of testdata/programs, and the C programs of bench/c
that compute the same, sequential and with OpenMP. It runs them in turn and
prints the medians of the times that they report, without start-up, reading of
files and printing; the ratios to C by hand of as many threads; the most memory
that each had; and rates, next to what a copy and multiply-adds reach on this
machine in the same run. With --suite corpus it takes the programs of bench/corpus,
for which no part of the compiler was made, with --suite 003 those of bench/003, which
measure where arrays are stored, with --suite nested those of bench/nested, over lists of
vectors, with --suite cfal those of bench/cfal, with which languages were compared. It runs in the root of the repository.`,
		Example: `  tailor bench
  tailor bench hotspot life --rounds 9
  tailor bench --size test --target eval,c
  tailor bench --suite corpus --target c
  tailor bench --size large --write
  tailor bench fft lu --threads
  tailor bench --growth --json >report.json
  tailor bench --from report.json --write`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Names, o.Growth = args, f.growth
			r, err := benchReport(cmd, &f, o)
			if err != nil {
				return err
			}
			if f.write {
				if err := r.Write(o.Root); err != nil {
					return err
				}
			}
			if f.json {
				return r.JSON(cmd.OutOrStdout())
			}
			r.Table(cmd.OutOrStdout())
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.suite, "suite", "", "the programs: those of testdata/programs, corpus, 003, nested or cfal")
	fs.StringVar(&f.size, "size", "bench", "the size of the inputs: test, bench or large")
	fs.StringVarP(&f.targets, "target", "t", "c,omp", "targets to time, with commas between: c, omp, opencl, eval")
	fs.IntVar(&o.Rounds, "rounds", 5, "runs of each program; short ones run more often")
	fs.DurationVar(&o.Limit, "limit", time.Minute, "time after which a run is given up")
	fs.StringVar(&o.Root, "root", ".", "root of the repository")
	fs.BoolVar(&f.json, "json", false, "print a report in JSON")
	fs.BoolVar(&f.write, "write", false, "put the table into BENCHMARKS.md")
	fs.BoolVar(&o.Threads, "threads", false, "time c and omp in warm processes, and as many processes of c at once as there are cores")
	fs.BoolVar(&o.Relaxed, "relaxed", false, "compile with --relaxed; the table has a place of its own in BENCHMARKS.md")
	fs.BoolVar(&f.growth, "growth", false, "time some programs from 10*4 to 10*8 elements, and the compiler on longer and longer programs")
	fs.StringVar(&f.from, "from", "", "take a report that --json printed instead of measuring")
	return cmd
}

// benchReport measures, or reads a report.
func benchReport(cmd *cobra.Command, f *benchFlags, o bench.Options) (*bench.Report, error) {
	if f.from != "" {
		return bench.ReadReport(f.from)
	}
	o.Machine = true
	o.Suite = programs.Suite(f.suite)
	if o.Suite != programs.Own && !slices.Contains(programs.Named, o.Suite) {
		return nil, fmt.Errorf("there is no suite %q; those with names are %s", f.suite, programs.Named)
	}
	if o.Suite != programs.Own && f.write {
		return nil, fmt.Errorf("--write is for the programs of testdata/programs")
	}
	switch o.Size = programs.Size(f.size); o.Size {
	case programs.Test, programs.Bench, programs.Large:
	default:
		return nil, fmt.Errorf("there is no size %q; the sizes are test, bench and large", f.size)
	}
	if o.Rounds < 1 {
		return nil, fmt.Errorf("--rounds must be at least 1")
	}
	for _, t := range strings.Split(f.targets, ",") {
		switch t := driver.Target(t); t {
		case driver.Eval, driver.C, driver.OpenMP, driver.OpenCL:
			o.Targets = append(o.Targets, t)
		default:
			return nil, fmt.Errorf("there is no target %q for bench; the targets are eval, c, omp and opencl", t)
		}
	}
	return bench.Run(cmd.ErrOrStderr(), o)
}
