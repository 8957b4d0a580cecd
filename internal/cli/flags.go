package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/interp"
)

// compileFlags are the flags of the commands that compile.
type compileFlags struct {
	target   string
	expr     string
	wrap     bool
	trust    bool
	verify   bool
	repro    bool
	relax    bool
	level    int
	time     bool
	static   bool
	access   interp.Access
	confine  bool
	profile  string
	progress bool
	skip     []string
	upto     int
	dump     string
	cl       openclFlags
	fcl      fclFlags
}

func (f *compileFlags) register(cmd *cobra.Command, target string) {
	fs := cmd.Flags()
	if target != "" {
		names := []string{"eval", "c", "omp", "opencl", "interp"}
		if target == string(driver.Auto) {
			names = append(names, target)
		}
		fs.StringVarP(&f.target, "target", "t", target, "what runs the program: "+strings.Join(names[:len(names)-1], ", ")+" or "+names[len(names)-1])
		cmd.RegisterFlagCompletionFunc("target", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	}
	fs.StringVarP(&f.expr, "expression", "e", "", "the program itself, instead of a file")
	fs.BoolVar(&f.wrap, "wrap", false, "integer arithmetic wraps instead of stopping with DOMAIN ERROR")
	fs.BoolVar(&f.trust, "trust", false, "claims of annotations that are not proved are not checked when the program runs")
	fs.IntVarP(&f.level, "optimise", "O", 1, "level of optimisation: 0 no pass runs, 1 all do")
	fs.BoolVar(&f.repro, "reproducible", false, "add up doubles in the order of target omp, which is the same for any number of threads")
	fs.BoolVar(&f.relax, "relaxed", false, "doubles may differ in their last digits from those of target eval: products are not rounded before they are added, quotients by constants are products, running sums are made in parts")
	fs.BoolVar(&f.verify, "verify", false, "check the program after every pass of the optimiser, and after those over loops")
	fs.BoolVar(&f.time, "time", false, "print the times of the stages, and of the run, to stderr")
	fs.StringSliceVar(&f.skip, "skip", nil, "leave out these passes; \"tailor passes\" lists them")
	fs.IntVar(&f.upto, "upto", 0, "run as many passes and no more; --dump-after all numbers them (default all)")
	fs.StringVar(&f.dump, "dump-after", "", "print TAIL or loops after this pass to stderr; \"all\" for every pass")
}

// options returns the driver's options; a target that is not built is refused.
func (f *compileFlags) options(stderr io.Writer) (driver.Options, error) {
	o := driver.Options{Target: driver.Target(f.target), Wrap: f.wrap, Trust: f.trust, Reproducible: f.repro, Relaxed: f.relax, Verify: f.verify, Skip: f.skip, Upto: f.upto}
	switch o.Target {
	case "", driver.Eval, driver.C, driver.OpenMP, driver.OpenCL, driver.Interp, driver.Auto:
	default:
		return o, fmt.Errorf("there is no target %q; the targets are auto, eval, c, omp, opencl and interp", f.target)
	}
	if f.level != 0 && f.level != 1 {
		return o, fmt.Errorf("there is no level of optimisation %d; the levels are 0 and 1", f.level)
	}
	o.Level0 = f.level == 0
	if err := f.passes(); err != nil {
		return o, err
	}
	if f.dump != "" {
		o.Dump = func(number int, pass string, p fmt.Stringer) {
			if f.dump == pass || f.dump == "all" {
				fmt.Fprintf(stderr, "⍝ after %s, pass %d\n%s", pass, number, p)
			}
		}
	}
	return o, nil
}

// passes checks the names of passes that the flags mention.
func (f *compileFlags) passes() error {
	names, _ := driver.Passes()
	if over := driver.DumpedPasses(); f.dump != "" && f.dump != "all" && !slices.Contains(over, f.dump) {
		return fmt.Errorf("there is no pass %q over TAIL or loops; the passes are %s", f.dump, strings.Join(over, ", "))
	}
	for _, name := range f.skip {
		if !slices.Contains(names, name) {
			return fmt.Errorf("there is no pass %q; the passes are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// source returns the program to compile and the arguments left for it.
func (f *compileFlags) source(cmd *cobra.Command, args []string) (*diag.Source, []string, error) {
	if cmd.Flags().Changed("expression") {
		return diag.NewSource("expression", f.expr+"\n"), args, nil
	}
	if len(args) == 0 {
		return nil, nil, fmt.Errorf("%s needs a file, or -e and an expression; see %s --help", cmd.Name(), cmd.CommandPath())
	}
	src, err := driver.ReadSource(args[0])
	return src, args[1:], err
}

// compilation returns the compilation that the flags ask for.
func (f *compileFlags) compilation(cmd *cobra.Command, args []string) (*driver.Compilation, []string, error) {
	o, err := f.options(cmd.ErrOrStderr())
	if err != nil {
		return nil, nil, err
	}
	src, rest, err := f.source(cmd, args)
	if err != nil {
		return nil, nil, err
	}
	return driver.New(src, o), rest, nil
}

// report prints the times of the stages.
func (f *compileFlags) report(w io.Writer, c *driver.Compilation) {
	if !f.time {
		return
	}
	for _, s := range c.Stages {
		fmt.Fprintf(w, "%-10s %9.3f ms\n", s.Name, milliseconds(s))
		if s.Name == "run" { // in the form that compiled programs use
			fmt.Fprintf(w, "time_ms: %.3f\n", milliseconds(s))
		}
	}
}

func milliseconds(s driver.Stage) float64 { return float64(s.Time.Microseconds()) / 1000 }
