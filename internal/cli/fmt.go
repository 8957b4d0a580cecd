package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/format"
)

// fmtFlags are the flags of fmt.
type fmtFlags struct{ write, diff, check bool }

func fmtCommand() *cobra.Command {
	f := &fmtFlags{}
	cmd := &cobra.Command{
		Use:   "fmt [FILE.apl…]",
		Short: "Lay out the text of programs",
		Long: `Fmt prints programs in one layout: blanks, indentation, the places of comments and
blank lines. It changes no token, and keeps comments. Without files it reads the
standard input. docs/fmt.md says what the layout is.`,
		Example: `  tailor fmt price.apl
  tailor fmt -w price.apl life.apl
  tailor fmt --check *.apl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			worst := 0
			if len(args) == 0 {
				args = []string{"-"}
			}
			for _, name := range args {
				worst = max(worst, f.file(cmd, name))
			}
			if worst > 0 {
				return &exitError{worst}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&f.write, "write", "w", false, "write what differs into the files")
	cmd.Flags().BoolVarP(&f.diff, "diff", "d", false, "print what differs")
	cmd.Flags().BoolVar(&f.check, "check", false, "list the files that differ, and exit with 1 if there are any")
	return cmd
}

// file lays out one file and returns the exit status.
func (f *fmtFlags) file(cmd *cobra.Command, name string) int {
	src, err := f.source(cmd, name)
	if err != nil {
		return report(cmd, err)
	}
	text, err := format.Source(src)
	if err != nil {
		return report(cmd, err)
	}
	changed := text != src.Text
	if f.diff && changed {
		err = difflib.WriteUnifiedDiff(cmd.OutOrStdout(), difflib.UnifiedDiff{
			A: textLines(src.Text), B: textLines(text), FromFile: src.Name, ToFile: src.Name + " (laid out)", Context: 3,
		})
		if err != nil {
			return report(cmd, err)
		}
	}
	if f.write && changed && name != "-" {
		mode := os.FileMode(0o644)
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			return report(cmd, err)
		}
	}
	switch {
	case f.check && changed:
		fmt.Fprintln(cmd.OutOrStdout(), src.Name)
		return driver.ExitFault
	case !f.write && !f.diff && !f.check, f.write && name == "-":
		io.WriteString(cmd.OutOrStdout(), text)
	}
	return driver.ExitDone
}

// textLines returns the lines of a text, each with its end.
func textLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	lines[len(lines)-1] += "\n\\ no line end\n"
	return lines
}

// source reads a file, or the standard input.
func (f *fmtFlags) source(cmd *cobra.Command, name string) (*diag.Source, error) {
	if name != "-" {
		return driver.ReadSource(name)
	}
	text, err := io.ReadAll(cmd.InOrStdin())
	return diag.NewSource("standard input", string(text)), err
}
