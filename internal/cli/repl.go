package cli

import (
	"os"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/repl"
	"github.com/tailor-lang/tailor/internal/session"
)

func replCommand() *cobra.Command {
	var o repl.Options
	prefix := string(session.DefaultPrefix)
	cmd := &cobra.Command{
		Use:   "repl",
		Short: "An interactive session that shows the type of every value",
		Long: `Repl reads lines of APL and shows their values, as Dyalog would, with their
types. Glyphs are typed with a prefix key (` + "`r" + ` is ⍴), by name and Tab (rho
Tab), or as overstrikes and Tab (O| Tab). ]help lists the commands.`,
		Example: `  tailor repl
  tailor repl --prefix §`,
		Args: argsBetween(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Prefix, _ = utf8.DecodeRuneInString(prefix)
			o.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
			driver.Interactive = true
			return repl.Run(o, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&prefix, "prefix", prefix, "the key before a key that types a glyph")
	cmd.Flags().BoolVar(&o.OneLine, "one-line", false, "end every line at its end, brackets open or not")
	cmd.Flags().BoolVar(&o.NoHistory, "no-history", false, "neither read nor write the history file")
	return cmd
}
