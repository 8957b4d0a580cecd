package driver

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/cgen"
	"github.com/tailor-lang/tailor/check"
	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/profile"
	"github.com/tailor-lang/tailor/internal/progress"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/laila"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
	"github.com/tailor-lang/tailor/tail/opt"
)

// Target says what runs a program.
type Target string

// The targets.
const (
	Eval   Target = "eval"   // the evaluator
	C      Target = "c"      // C, one thread
	OpenMP Target = "omp"    // C, the outermost loops shared among threads
	OpenCL Target = "opencl" // kernels, and a plan for the host
	Interp Target = "interp" // the interpreter, which compiles nothing
	Auto   Target = "auto"   // the evaluator or C, whichever answers first
)

// Options are the choices of the command line.
type Options struct {
	Target Target
	Wrap   bool // integer arithmetic wraps instead of faulting
	// Relaxed lets results differ from those of the evaluator in the last digits.
	Relaxed bool
	Trust   bool     // claims of annotations are not checked when the program runs
	Skip    []string // passes to leave out
	Level0  bool     // no pass runs, and the C compiler does not optimise
	Quick   bool     // the C compiler optimises little
	Verify  bool     // check the program after every pass
	// Upto, when positive, is how many passes run, each time that one does counted;
	// the others are left out. Those that act while arrays become loops come behind
	// those over TAIL, and before those over loops.
	Upto int
	// Dump, when not nil, is called with the program after every pass over it: with
	// the number of the pass, as Upto counts, and TAIL or loops.
	Dump func(number int, pass string, p fmt.Stringer)
	// Reproducible makes the sums of doubles of target c those of target omp.
	Reproducible bool
	// ShareAll shares nests of any size among threads; for tests.
	ShareAll bool
	// Export, where it is not empty, makes a shared object of the program, whose entry is
	// called by that name (see cgen.Options).
	Export string
	// Embedded makes it one for programs in other languages: calls give messages, and any
	// thread may make them (see cgen/rt/embed.h).
	Embedded bool
	// Flags are given to the C compiler after ours.
	Flags []string
	// Device holds the choices of the target OpenCL.
	Device clgen.Options
	// Keep says of which functions calls stay, as in opt.Options; it may be nil.
	Keep func(f *tail.Func) bool
	// Stdin and Access are those of a program that is interpreted.
	Stdin  io.Reader
	Access interp.Access
	// Compiler compiles functions of a program that is interpreted; nil interprets all of
	// it. Eager and EagerArrays are those of interp.Env.
	Compiler           interp.Compiler
	Eager, EagerArrays bool
	// Profile makes a compiled program count what its lines cost, as cgen.Options says.
	Profile bool
	// Progress makes it say on a terminal how far loops are; Reporter does where the
	// program runs in this process, and may be nil.
	Progress bool
	Reporter *progress.Reporter
	// Meter counts it where the program runs in this process; it may be nil.
	Meter *profile.Meter
}

// Stage is a step of the pipeline and the time it took.
type Stage struct {
	Name string
	Time time.Duration
}

// Compilation is one program on its way through the pipeline. Each method
// makes its stage and those before it, once.
type Compilation struct {
	Source *diag.Source
	Options
	Stages []Stage
	// Levels says of the levels that the program asks for whether kernels follow them, once
	// there are kernels.
	Levels []string

	ast       *apl.Program
	typed     *tail.Program
	optimised *tail.Program
	loops     *ir.Program
	known     *facts.Base // what is known of the variables of loops
	invalid   error       // what the checker, or who sees the program after passes, found
	begun     int         // how many passes began
	lanes     bool        // loops are for kernels of a CPU
	tested    bool        // overflow of doubles is tested for, whatever the target
}

// New returns the compilation of a source.
func New(src *diag.Source, o Options) *Compilation { return &Compilation{Source: src, Options: o} }

// FromTyped returns the compilation of a program that has been typed.
func FromTyped(p *tail.Program, o Options) *Compilation {
	return &Compilation{Source: p.Source, Options: o, typed: p}
}

// timed runs a stage and notes its time.
func (c *Compilation) timed(name string, run func() error) error {
	start := time.Now()
	err := run()
	c.Stages = append(c.Stages, Stage{name, time.Since(start)})
	return err
}

// AST returns the syntax tree.
func (c *Compilation) AST() (*apl.Program, error) {
	if c.ast != nil {
		return c.ast, nil
	}
	if c.isTAIL() {
		return nil, fmt.Errorf("%s is TAIL, which has no syntax tree of APL", c.Source.Name)
	}
	err := c.timed("parse", func() (err error) {
		tree, err := apl.Parse(c.Source)
		if err == nil {
			c.ast = tree
			return nil
		}
		return c.withTypeErrors(tree, err)
	})
	return c.ast, err
}

// withTypeErrors adds the errors that inference sees in what could be read of
// a program to those of the parser, without the limits of the compiler: once the
// program can be read, the interpreter may run it.
func (c *Compilation) withTypeErrors(tree *apl.Program, err error) error {
	var all, more diag.List
	if tree == nil || len(tree.Dynamic()) > 0 || !errors.As(err, &all) {
		return err
	}
	if _, err := infer.Program(tree, infer.Options{Wrap: c.Wrap, Trust: c.Trust}); errors.As(err, &more) {
		all = append(all, slices.DeleteFunc(more, Limit)...)
	}
	all.Sort()
	return all
}

// Typed returns TAIL as inference makes it, before optimisation.
func (c *Compilation) Typed() (*tail.Program, error) {
	if c.typed != nil {
		return c.typed, c.invalid
	}
	if c.isTAIL() {
		return c.parsedTAIL()
	}
	ast, err := c.AST()
	if err != nil {
		return nil, err
	}
	o := infer.Options{Wrap: c.Wrap, Trust: c.Trust}
	if check.Annotated(ast) {
		err = c.timed("check", func() error {
			checked := check.Program(ast, o)
			o.Proved = checked.Proved()
			return checked.Errors.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	err = c.timed("infer", func() (err error) {
		c.typed, err = infer.Program(ast, o)
		return err
	})
	if err == nil {
		c.typed.Sticky = c.sticky()
	}
	if err == nil && c.Verify {
		c.invalid = tail.Check(c.typed)
		err = c.invalid
	}
	return c.typed, err
}

// isTAIL reports whether the source is TAIL's text form, by its name.
func (c *Compilation) isTAIL() bool { return filepath.Ext(c.Source.Name) == ".tail" }

// parsedTAIL reads the program from TAIL's text form and checks it.
func (c *Compilation) parsedTAIL() (*tail.Program, error) {
	err := c.timed("parse", func() (err error) {
		c.typed, err = tail.ParseSource(c.Source)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := tail.Check(c.typed); err != nil {
		return nil, fmt.Errorf("%s: %s", c.Source.Name, strings.TrimPrefix(err.Error(), "internal error: "))
	}
	c.typed.Wrap = c.typed.Wrap || c.Wrap
	c.typed.Sticky = c.sticky()
	return c.typed, nil
}

// passOptions returns the optimiser's options.
func (c *Compilation) passOptions() opt.Options {
	o := opt.Options{Verify: c.Verify, Skip: c.skipped(), Before: c.begins, Keep: c.Keep}
	if c.Target == OpenCL { // positions are found by kernels, the longest run is not, and products have tiles
		o.Skip = maps.Clone(o.Skip)
		if o.Skip == nil {
			o.Skip = map[string]bool{}
		}
		o.Skip["runs"], o.Skip["bands"] = true, true
	}
	if c.Dump != nil {
		o.After = func(pass string, p *tail.Program) error {
			c.Dump(c.begun, pass, p)
			return nil
		}
	}
	return o
}

// begins counts passes, and reports whether the next one is to run.
func (c *Compilation) begins(string) bool {
	c.begun++
	return c.Upto <= 0 || c.begun <= c.Upto
}

// loopOptions returns the options of the lowering.
func (c *Compilation) loopOptions() laila.Options {
	o := laila.Options{Target: c.loopTarget(), Relaxed: c.Relaxed, Threads: c.Target == OpenMP, Skip: c.skipped(), Verify: c.Verify, Before: c.begins}
	if c.Dump != nil {
		o.After = func(pass string, p *ir.Program) { c.Dump(c.begun, pass, p) }
	}
	return o
}

// TAIL returns optimised TAIL; what Typed returned is changed.
func (c *Compilation) TAIL() (*tail.Program, error) {
	if c.optimised != nil {
		return c.optimised, c.invalid
	}
	p, err := c.Typed()
	if err != nil {
		return nil, err
	}
	err = c.timed("optimise", func() error {
		c.optimised = p
		c.invalid = opt.Run(p, c.passOptions())
		return c.invalid
	})
	return c.optimised, err
}

// Loops returns the loop program.
func (c *Compilation) Loops() (*ir.Program, error) {
	if c.loops != nil {
		return c.loops, nil
	}
	p, err := c.TAIL()
	if err != nil {
		return nil, err
	}
	err = c.timed("lower", func() (err error) {
		c.loops, c.known, err = laila.Lower(p, c.loopOptions())
		return err
	})
	return c.loops, err
}

// loopTarget returns what executes the loops.
func (c *Compilation) loopTarget() laila.Target {
	switch {
	case c.Target != OpenCL:
		return laila.CPU
	case c.lanes:
		return laila.CPUKernels
	}
	return laila.GPUKernels
}

// sticky reports whether the program leaves overflow of doubles to the flags of the
// processor, or to those of kernels.
func (c *Compilation) sticky() bool {
	return !c.tested && (c.Target == C || c.Target == OpenMP || c.Target == OpenCL)
}

// TestedLoops returns the loop program with tests for overflow of doubles, which
// runs where one without them meets it; nil where it cannot. It is compiled fast
// rather than made to run fast.
func (c *Compilation) TestedLoops() (*ir.Program, error) {
	if p, err := c.TAIL(); err != nil || !p.Sticky || !analysis.Overflows(p) {
		return nil, err
	}
	t := New(c.Source, c.Options)
	t.ast, t.tested, t.Dump, t.Verify = c.ast, true, nil, false
	if t.Target == OpenCL { // the host computes all of it
		t.Target = C
	}
	t.Skip = append(append([]string{}, c.Skip...), SlowPasses()...)
	p, err := t.Loops()
	for _, s := range t.Stages {
		c.Stages = append(c.Stages, Stage{"tested " + s.Name, s.Time})
	}
	return p, err
}

// SlowPasses returns the passes over loops that a program with tests for overflow does
// without.
func SlowPasses() (slow []string) {
	names, _ := laila.Passes()
	for _, name := range names {
		if !quickPasses[name] {
			slow = append(slow, name)
		}
	}
	return slow
}

// quickPasses are the passes over loops that make programs shorter.
var quickPasses = map[string]bool{"delay": true, "share": true, "recompute": true, "unroll": true, "stack": true}

// hostLoops returns the loop program that becomes C: for the target OpenCL,
// with launches of kernels.
func (c *Compilation) hostLoops() (*ir.Program, error) {
	if c.Target != OpenCL {
		return c.Loops()
	}
	plan, err := c.Plan(c.Device)
	if err != nil {
		return nil, err
	}
	return plan.Host(), nil
}

// C returns the C source. Entry is as in cgen.Options.
func (c *Compilation) C(entry string) (string, error) { return c.noted(entry, nil) }

// Noted returns the C source, and what was decided about its loops.
func (c *Compilation) Noted() (string, *cgen.Notes, error) {
	notes := &cgen.Notes{}
	text, err := c.noted("", notes)
	return text, notes, err
}

func (c *Compilation) noted(entry string, notes *cgen.Notes) (string, error) {
	p, err := c.hostLoops()
	if err != nil {
		return "", err
	}
	var tested *ir.Program
	if c.Export == "" { // who calls a shared object sees to doubles that overflow
		if tested, err = c.TestedLoops(); err != nil {
			return "", err
		}
	}
	o := cgen.Options{Facts: c.known, Tested: tested, Export: c.Export, Target: cgen.Sequential, Entry: entry, NoInclude: entry != "", Reproducible: c.Reproducible, ShareAll: c.ShareAll, Notes: notes, Profile: c.Profile, Progress: c.Progress}
	if c.Target == OpenMP {
		o.Target = cgen.OpenMP
	}
	var text string
	err = c.timed("emit", func() (err error) {
		text, err = cgen.Emit(p, o)
		return err
	})
	return text, err
}
