// Package cli is the command line of tailor: commands, flags, messages and
// exit statuses. What the commands do is in internal/driver.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/memory"
)

// exitError carries the exit status of a program that has said itself what
// was wrong.
type exitError struct{ status int }

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// Command is the command tailor: it runs the process's command line.
func Command() (status int) {
	ignoreClosedPipes()
	return Main(os.Args[1:], os.Stdout, os.Stderr)
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdout, stderr io.Writer) (status int) {
	defer func() {
		if r := recover(); r != nil {
			status = internalError(stderr, r)
		}
		driver.CleanUp()
	}()
	memory.Bound()
	out := &output{w: stdout}
	defer func() {
		if out.err != nil {
			driver.Report(stderr, driver.Unwritable(out.err))
			status = driver.ExitFault
		}
	}()
	if b := driver.Bundled(); b != nil {
		return bundled(b, args, out, stderr)
	}
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	completionExample(root)
	err := root.Execute()
	var exit *exitError
	if out.err != nil {
		return driver.ExitFault
	}
	if errors.As(err, &exit) {
		return exit.status
	}
	if err != nil {
		if text := err.Error(); strings.HasPrefix(text, "internal error: ") {
			return internalError(stderr, strings.TrimPrefix(text, "internal error: "))
		}
		driver.Report(stderr, err)
		return driver.ExitStatus(err)
	}
	return driver.ExitDone
}

// output is the standard output; it keeps the first error, which Main reports
// for every command.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// completionExample gives the command that cobra adds an example. The output must
// be set: the command keeps it.
func completionExample(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Example = "  source <(tailor completion bash)\n  tailor completion fish > ~/.config/fish/completions/tailor.fish"
		}
	}
}

// internalError reports a bug of ours, with the stack where TAILOR_DEBUG is
// set.
func internalError(w io.Writer, r any) int {
	text := strings.TrimPrefix(fmt.Sprint(r), "internal error: ")
	fmt.Fprintf(w, "tailor: internal error: %s\nThis is a bug in tailor; please report it with the program that shows it.\n", text)
	if os.Getenv("TAILOR_DEBUG") != "" {
		fmt.Fprintf(w, "%s", debug.Stack())
	}
	return driver.ExitInternal
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "tailor",
		Short: "Compile APL to fast code",
		Long: `Tailor compiles APL (Dyalog's dfns dialect) to fast code through TAIL, a typed
array intermediate language.

Exit status: 0 done; 1 a run-time APL error; 2 an error in the source or the
command line; 3 an internal error of tailor; 4 a missing tool or device.`,
		Version:       versionText(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          unknownCommand,
		// commands that differ in two letters are suggested
		SuggestionsMinimumDistance: 2,
		RunE: func(cmd *cobra.Command, args []string) error {
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	root.SetVersionTemplate("tailor {{.Version}}\n")
	root.AddCommand(runCommand(), buildCommand(), checkCommand(), fmtCommand(), lspCommand(), emitCommand(),
		replCommand(), playCommand(), kernelCommand(), explainCommand(), passesCommand(), devicesCommand(), benchCommand(), versionCommand(), manCommand(), aheadCommand())
	return root
}

// unknownCommand refuses words that are no command, and says which was meant.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "; see " + cmd.CommandPath() + " --help"
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), hint)
}

// exactly, atLeast and friends give one clear message for wrong arguments.
func argsBetween(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s needs %s; see %s --help", cmd.Name(), what, cmd.CommandPath())
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%s takes %s, and %q is too much; see %s --help", cmd.Name(), what, args[most], cmd.CommandPath())
		}
		return nil
	}
}
