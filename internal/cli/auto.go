package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

// runAuto runs a program for target auto: the compiled program, if there is one,
// else the evaluator or the compiled program, whichever answers first.
func runAuto(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, args []string) error {
	cc, cache, err := driver.Tools()
	if err != nil {
		return runUncompiled(f, cmd, c, args, err)
	}
	quick, full := compilations(c)
	for _, p := range []*driver.Compilation{full, quick} {
		if path, ok := p.Ready(cache, cc); ok {
			if err := f.become(cmd, p, path, args); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if done, err := runDynamic(f, cmd, c, args); done {
		return err
	}
	wait := newSpinner(cmd.ErrOrStderr(), "compiling")
	start := time.Now()
	var path string
	err = again(f, cmd, c, args, func() (err error) {
		race := &driver.Race{
			Stdout: cmd.OutOrStdout(), Args: args, Cancel: cc.Cancel,
			Compile:   func() (string, error) { return quick.Build(cache, cc) },
			Compiling: wait.start, Answer: wait.stop,
		}
		path, err = race.Run(c)
		wait.stop()
		return err
	})
	if err == nil && path != "" {
		return f.become(cmd, quick, path, args)
	}
	if took := time.Since(start); took > driver.Worth {
		full.Ahead(f.ahead(), false)
	}
	if err == nil {
		f.sayRan(cmd, "by the evaluator")
		f.report(cmd.ErrOrStderr(), c)
	}
	return err
}

// runUncompiled runs a program where nothing can be compiled.
func runUncompiled(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, args []string, why error) error {
	var missing *driver.MissingTool
	if !errors.As(why, &missing) {
		return why
	}
	if done, err := runDynamic(f, cmd, c, args); done {
		return err
	}
	start := time.Now()
	err := evaluate(f, cmd, c, args)
	if time.Since(start) > driver.Worth {
		fmt.Fprintf(cmd.ErrOrStderr(), "tailor: %v; the evaluator ran the program\n", missing)
	}
	return err
}

// runDynamic runs a program in the interpreter if it has no types, and returns an
// error of the front end; done is false where it is to be run otherwise.
func runDynamic(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, args []string) (done bool, err error) {
	_, err = c.TAIL()
	if !f.static && c.Dynamic(err) {
		return true, interpret(f, cmd, c, args)
	}
	return err != nil, err
}

// compilations returns those of the program for the C compiler, that by which it is
// compiled soon and that by which it runs fast, and makes c that of the evaluator.
func compilations(c *driver.Compilation) (quick, full *driver.Compilation) {
	o := c.Options
	o.Target = driver.C
	full = driver.New(c.Source, o)
	o.Quick = true
	quick = driver.New(c.Source, o)
	c.Target = driver.Eval
	return quick, full
}

// become replaces this process by a compiled program. One that was compiled in a
// hurry is optimised for the next time if it runs for long.
func (f *compileFlags) become(cmd *cobra.Command, c *driver.Compilation, path string, args []string) error {
	if f.time {
		os.Setenv("TAILOR_TIME", "1")
	}
	if c.Quick {
		f.sayRan(cmd, "compiled, -O1")
		c.Ahead(f.ahead(), true)
	} else {
		f.sayRan(cmd, "compiled, -O3")
	}
	f.report(cmd.ErrOrStderr(), c)
	announce(f, c, args)
	return driver.Exec(path, args)
}

// sayRan says with --time what runs a program.
func (f *compileFlags) sayRan(cmd *cobra.Command, who string) {
	if f.time {
		fmt.Fprintf(cmd.ErrOrStderr(), "run        %s\n", who)
	}
}

// ahead returns the flags with which the command ahead compiles the same program.
func (f *compileFlags) ahead() []string {
	flags := []string{fmt.Sprintf("--optimise=%d", f.level)}
	for name, set := range map[string]bool{"wrap": f.wrap, "trust": f.trust} {
		if set {
			flags = append(flags, "--"+name)
		}
	}
	if len(f.skip) > 0 {
		flags = append(flags, "--skip="+strings.Join(f.skip, ","))
	}
	if f.upto > 0 {
		flags = append(flags, fmt.Sprintf("--upto=%d", f.upto))
	}
	return flags
}

// aheadCommand compiles a program for its next run; run starts it.
func aheadCommand() *cobra.Command {
	f := &compileFlags{}
	var while int
	cmd := &cobra.Command{
		Use:     "ahead NAME",
		Short:   "Compile the program on standard input for its next run",
		Example: "  tailor ahead life.apl <life.apl",
		Hidden:  true,
		Args:    argsBetween(1, 1, "a name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			text, err := io.ReadAll(cmd.InOrStdin())
			if err != nil || !driver.WaitAhead(while) {
				return err
			}
			cc, cache, err := driver.Tools()
			if err != nil {
				return err
			}
			o.Target = driver.C
			_, err = driver.New(diag.NewSource(args[0], string(text)), o).Build(cache, cc)
			return err
		},
	}
	f.register(cmd, "")
	cmd.Flags().IntVar(&while, "while", 0, "wait whether this process runs for long")
	return cmd
}
