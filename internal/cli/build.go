package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/gradual"
)

func buildCommand() *cobra.Command {
	f := &compileFlags{}
	o := &buildFlags{compileFlags: f}
	cmd := &cobra.Command{
		Use:   "build FILE.apl -o OUT",
		Short: "Compile a program to an executable",
		Long: `Build compiles a program to an executable that needs nothing else. One of a program
that cannot be compiled as a whole holds the interpreter, and compiled functions: those
whose calls have types that the text of the program shows, and with --profile those
that are called often in a run of the program. Where there is a C compiler when it
runs, other functions are compiled as tailor run does.

With --lib build writes a library of the functions that have an annotation (a comment
that begins with ⍝:): OUT.so, and OUT.h, OUT.py, OUT.pyi, OUT.go and OUT.na, by which C,
C++, Python, Go and Dyalog APL call them. docs/embedding.md says how. With target opencl
arrays may stay on the device between calls.

Of a program in FCL build makes an executable for OpenCL, which takes the arguments of
main; where main is for several types they are those of --data.`,
		Example: `  tailor build price.apl -o price
  tailor build --target omp price.apl -o price
  tailor build --target opencl price.apl -o price   # needs libOpenCL when it runs
  tailor build --profile report.apl -o report -- sample.csv
  tailor build --lib price.apl -o price && python3 -c 'import price; print(price.mean([1.5, 2]))'
  tailor build --lib --target opencl price.apl -o price`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.cmd = cmd
			return o.build(args)
		},
	}
	f.register(cmd, "c")
	f.cl.register(cmd)
	f.fcl.register(cmd)
	cmd.Flags().BoolVar(&f.static, "static", false, "refuse a program that cannot be compiled as a whole, instead of putting the interpreter into the executable")
	cmd.Flags().BoolVar(&o.library, "lib", false, "write a library of the annotated functions, and what C, Python, Go and Dyalog need to call them")
	cmd.Flags().IntVar(&o.rank, "rank", 2, "with --lib: the largest rank that a variable of ranks in an annotation stands for")
	cmd.Flags().BoolVar(&o.profile, "profile", false, "run the program, with the arguments that follow --, to find out which functions an interpreted program needs compiled")
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "the executable to write; by default the program's name without its extension")
	return cmd
}

// buildFlags are the flags of build.
type buildFlags struct {
	*compileFlags
	out              string
	profile, library bool
	rank             int
	cmd              *cobra.Command
}

func (o *buildFlags) build(args []string) error {
	f, out, profile, cmd := o.compileFlags, o.out, o.profile, o.cmd
	if isFCL(f, args) {
		return buildFCL(o, args)
	}
	c, rest, err := f.compilation(cmd, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 && !profile {
		return fmt.Errorf("build takes one file, and %q is too much", rest[0])
	}
	if err := f.refuse(cmd, rest); err != nil {
		return err
	}
	if c.Target == driver.Eval || c.Target == driver.Auto {
		return fmt.Errorf("target %s makes no executable; the targets of build are c, omp, opencl and interp", c.Target)
	}
	if c.Device, err = f.device(); err != nil {
		return err
	}
	if out == "" {
		if out = defaultOutput(c.Source.Name); out == "" {
			return fmt.Errorf("build needs -o and the name of the executable")
		}
	}
	if o.library {
		return buildLibrary(f, cmd, c, out, o.rank)
	}
	if c.Target == driver.Interp {
		return driver.WriteBundle(c.Source, nil, nil, out)
	}
	if _, err := c.TAIL(); !f.static && c.Dynamic(err) {
		return bundle(f, cmd, c, out, profile, rest)
	}
	cc, err := driver.FindCompiler()
	if err != nil {
		return err
	}
	path, err := binary(cmd, c, cc)
	if err != nil {
		return err
	}
	f.report(cmd.ErrOrStderr(), c)
	if interpretable(f, c) && mayGoOn(c) {
		fmt.Fprintf(cmd.ErrOrStderr(), "tailor: %s holds the interpreter, which goes on where only the run knows a type\n", out)
		return driver.WriteAgain(c.Source, path, out)
	}
	return driver.CopyExecutable(path, out)
}

// mayGoOn reports whether a compiled program may meet a nested array that has lost its
// items and, with them, its prototype, or a text for ⍎ that is not taken for one number and
// spells no others. The interpreter goes on there.
func mayGoOn(c *driver.Compilation) bool {
	text, err := c.C("")
	signals := func(code diag.Code) bool { return strings.Contains(text, strconv.Quote(code.String())) }
	return err == nil && (signals(diag.EmptyFill) || signals(diag.NotNumber))
}

// bundle writes an executable of a program that has no types as a whole. With profile
// the program is run with arguments before.
func bundle(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, out string, profile bool, args []string) error {
	functions := gradual.New(tools)
	defer functions.Close()
	if profile {
		c.Stdin, c.Compiler = cmd.InOrStdin(), functions
		if err := within(f, cmd, c, func(out io.Writer) error { return c.Interpret(out, args) }); err != nil {
			return err
		}
	}
	tree, err := c.AST()
	if err != nil {
		return err
	}
	wait := newSpinner(cmd.ErrOrStderr(), "compiling")
	wait.start()
	units := append(functions.Units(), gradual.Foresee(tree)...)
	parts := functions.Compiled(units)
	wait.stop()
	with := ""
	if n := len(parts); n > 0 {
		with = fmt.Sprintf(" and %s", diag.Count(n, "compiled function", "compiled functions"))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "tailor: the program is interpreted, and %s holds the interpreter%s; tailor check says why\n", out, with)
	return driver.WriteBundle(c.Source, parts, gradual.Stretches(units), out)
}

// defaultOutput returns the executable's name for a source file.
func defaultOutput(name string) string {
	switch ext := filepath.Ext(name); ext {
	case ".apl", ".tail", ".fcl":
		return strings.TrimSuffix(name, ext)
	}
	return ""
}
