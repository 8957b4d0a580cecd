package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/driver"
)

// passesCommand lists the passes that --skip leaves out.
func passesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "passes",
		Short: "List the passes that --skip leaves out",
		Long: `Passes lists the passes of the optimiser, and those that make arrays into loops,
in their order. --skip leaves out those that it names; -O0 leaves out all.`,
		Example: `  tailor passes
  tailor run --skip split,fuse life.apl`,
		Args: argsBetween(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, docs := driver.Passes()
			for i, name := range names {
				fmt.Fprintf(cmd.OutOrStdout(), "%-11s %s\n", name, docs[i])
			}
			return nil
		},
	}
}
