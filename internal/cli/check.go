package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/driver"
)

func checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE.apl…",
		Short: "Find errors without running anything",
		Long: `Check parses each program and infers the element type, rank and shape of every
expression. It prints the errors that can be seen without running the program.`,
		Example: `  tailor check price.apl life.apl`,
		Args:    argsBetween(1, -1, "one file or more"),
		RunE: func(cmd *cobra.Command, args []string) error {
			worst := 0
			for _, name := range args {
				worst = max(worst, check(cmd.ErrOrStderr(), name))
			}
			if worst > 0 {
				return &exitError{worst}
			}
			return nil
		},
	}
}

// check reports the errors of one file and returns its exit status.
func check(stderr io.Writer, name string) int {
	src, err := driver.ReadSource(name)
	if err == nil {
		_, err = driver.New(src, driver.Options{}).Typed()
	}
	if err == nil {
		return driver.ExitDone
	}
	driver.Report(stderr, err)
	if status := driver.ExitStatus(err); status != driver.ExitFault {
		return status
	}
	return driver.ExitSource
}

func emitCommand() *cobra.Command {
	f := &compileFlags{}
	cmd := &cobra.Command{
		Use:   "emit ast|tail|laila|c FILE.apl | -e EXPRESSION",
		Short: "Print a stage of the compiler",
		Example: `  tailor emit tail price.apl
  tailor emit c -e '+/⍳100'
  tailor emit tail --skip cse --dump-after inline life.apl`,
		ValidArgs: []string{"ast", "tail", "laila", "c", "opencl"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("emit needs a stage (ast, tail, laila or c) and a file; see %s --help", cmd.CommandPath())
			}
			return emit(f, args[0], cmd, args[1:])
		},
	}
	f.register(cmd, "c")
	cmd.Flags().Bool("typed", false, "with tail: before optimisation")
	return cmd
}

func emit(f *compileFlags, stage string, cmd *cobra.Command, args []string) error {
	switch stage {
	case "ast", "tail", "laila", "c":
	case "opencl":
		return &driver.MissingTool{Message: "target opencl is not supported yet; emit prints ast, tail, laila and c"}
	default:
		return fmt.Errorf("there is no stage %q; emit prints ast, tail, laila and c", stage)
	}
	c, rest, err := f.compilation(cmd, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("emit takes one file, and %q is too much", rest[0])
	}
	typed, _ := cmd.Flags().GetBool("typed")
	text, err := c.Text(stage, typed)
	if err != nil {
		return err
	}
	f.report(cmd.ErrOrStderr(), c)
	_, err = io.WriteString(cmd.OutOrStdout(), text)
	return err
}
