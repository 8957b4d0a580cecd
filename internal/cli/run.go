package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/gradual"
)

func runCommand() *cobra.Command {
	f := &compileFlags{}
	cmd := &cobra.Command{
		Use:   "run FILE.apl | FILE.fcl | -e EXPRESSION [-- ARGUMENTS…]",
		Short: "Compile and run a program",
		Long: `Run compiles a program and runs it. Compiled programs are kept, so that the
second run of the same program starts at once. Target auto runs it in the evaluator
while it is compiled, and what ends first answers; a program that ran for longer
than a second is optimised for its next run. A file whose name ends in .tail is TAIL, in the
text form that tailor emit tail prints. One whose name ends in .fcl is FCL, the language
for GPU algorithms, whose main gets the arguments that --data gives.`,
		Example: `  tailor run price.apl
  tailor run -e '+/⍳100'
  tailor run --target omp --time life.apl
  tailor run --profile life.apl
  tailor run --progress life.apl
  tailor run --profile=life.json --target omp life.apl
  tailor run wordcount.apl -- book.txt
  tailor run reverse.fcl --data '[1, 2, 3]'`,
		RunE: func(cmd *cobra.Command, args []string) error { return run(f, cmd, args) },
	}
	f.register(cmd, string(driver.Auto))
	f.cl.register(cmd)
	f.fcl.register(cmd)
	cmd.Flags().BoolVar(&f.static, "static", false, "refuse a program that cannot be compiled as a whole, instead of interpreting it")
	f.registerAccess(cmd)
	f.registerProfile(cmd)
	f.registerProgress(cmd)
	return cmd
}

// registerAccess adds the flags that say what a program that is interpreted may do
// outside itself. Compiled programs have no shell, and are trusted with files.
func (f *compileFlags) registerAccess(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&f.access.Shell, "allow-shell", false, "⎕SH and ⎕CMD may run commands of the shell")
	fs.BoolVar(&f.confine, "confine", false, "interpret the program; it may use files of its own directory only, and those that --allow-read and --allow-write let it use")
	fs.BoolVar(&f.access.Read, "allow-read", false, "with --confine: the program may read any file")
	fs.BoolVar(&f.access.Write, "allow-write", false, "with --confine: the program may write any file")
}

// confined sets what a program may do. One that is confined uses files of the
// directory of its source, or of the current one.
func (f *compileFlags) confined(cmd *cobra.Command, c *driver.Compilation) {
	c.Stdin, c.Access = cmd.InOrStdin(), f.access
	if !f.confine {
		return
	}
	c.Target, c.Access.Dir = driver.Interp, "."
	if name := c.Source.Name; f.expr == "" {
		c.Access.Dir = filepath.Dir(name)
	}
}

func run(f *compileFlags, cmd *cobra.Command, args []string) error {
	if isFCL(f, args) {
		if f.profile != "" {
			return errors.New("--profile is for programs in APL; --data and --trace say what kernels of FCL do")
		}
		return runFCL(f, cmd, args)
	}
	c, rest, err := f.compilation(cmd, args)
	if err != nil {
		return err
	}
	if err := f.refuse(cmd, rest); err != nil {
		return err
	}
	f.confined(cmd, c)
	defer f.showProgress(cmd, c)()
	if f.profile != "" {
		return runProfiled(f, cmd, c, rest)
	}
	switch {
	case c.Target == driver.Interp:
		if n := written(); n > 0 {
			cmd.SetOut(&driver.Skipper{Writer: cmd.OutOrStdout(), Bytes: n})
		}
		return interpret(f, cmd, c, rest)
	case c.Target == driver.Auto && (c.Progress || c.Relaxed || c.Reproducible || c.Verify || c.Dump != nil): // asked of the compiler
		c.Target = driver.C
	case c.Target == driver.Auto:
		return runAuto(f, cmd, c, rest)
	}
	if c.Target == driver.OpenCL {
		if _, err := withBodies(f, c); err != nil {
			return err
		}
	}
	if _, err := c.TAIL(); !f.static && c.Dynamic(err) {
		return interpret(f, cmd, c, rest)
	}
	if c.Target == driver.Eval {
		return evaluate(f, cmd, c, rest)
	}
	if c.Target == driver.OpenCL {
		return again(f, cmd, c, rest, func() error { return runOpenCL(f, cmd, c, rest) })
	}
	cc, err := driver.FindCompiler()
	var missing *driver.MissingTool
	if errors.As(err, &missing) {
		if _, err := c.TAIL(); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "tailor: %v; the evaluator runs the program\n", missing)
		return evaluate(f, cmd, c, rest)
	}
	if err != nil {
		return err
	}
	if c.Target == driver.OpenMP {
		driver.BoundSpinning()
	}
	if f.time {
		os.Setenv("TAILOR_TIME", "1")
	}
	for range 3 { // another process may drop the program from the cache before it starts
		var path string
		if path, err = binary(cmd, c, cc); err != nil {
			return err
		}
		f.report(cmd.ErrOrStderr(), c)
		announce(f, c, rest)
		if err = driver.Exec(path, rest); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

// refuse refuses flags that mean nothing for the target, and arguments of the
// program that do not follow --.
func (f *compileFlags) refuse(cmd *cobra.Command, rest []string) error {
	if at := cmd.ArgsLenAtDash(); len(rest) > 0 && (at < 0 || at > cmd.Flags().NArg()-len(rest)) {
		return fmt.Errorf("%s takes one program, and %q is too much; arguments of the program follow --", cmd.Name(), rest[0])
	}
	if f.target == string(driver.OpenCL) {
		return nil
	}
	for _, name := range []string{"float", "trace", "schedule"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s needs --target opencl", name)
		}
	}
	return nil
}

// binary compiles the program, and says so where it cannot be kept.
func binary(cmd *cobra.Command, c *driver.Compilation, cc *driver.Compiler) (string, error) {
	cache, err := driver.UserCache()
	if err != nil {
		return "", err
	}
	wait := newSpinner(cmd.ErrOrStderr(), "compiling")
	wait.start()
	path, err := c.Build(cache, cc)
	wait.stop()
	if why := cache.Why(); err == nil && why != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "tailor: %s; the program is not kept\n", why)
	}
	return path, err
}

// evaluate runs a program in the evaluator of TAIL, and interpret in the interpreter.
func evaluate(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, args []string) error {
	return again(f, cmd, c, args, func() error {
		return within(f, cmd, c, func(out io.Writer) error { return c.Evaluate(out, args) })
	})
}

func interpret(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, args []string) error {
	if f.target != string(driver.Interp) && !f.confine {
		functions := gradual.New(tools)
		defer functions.Close()
		c.Compiler = functions
		if f.time {
			defer functions.Report(cmd.ErrOrStderr())
		}
	}
	return within(f, cmd, c, func(out io.Writer) error { return c.Interpret(out, args) })
}

// tools returns what compiles functions of programs that are interpreted; nil where
// there is no C compiler.
func tools() (*driver.Cache, *driver.Compiler) {
	cc, cache, err := driver.Tools()
	if err != nil {
		return nil, nil
	}
	return cache, cc
}

// within runs a program in this process.
func within(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, run func(out io.Writer) error) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	err := run(out)
	if e := out.Flush(); err == nil {
		err = e
	}
	if err == nil {
		f.report(cmd.ErrOrStderr(), c)
	}
	return err
}
