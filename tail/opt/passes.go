package opt

import (
	"fmt"
	"sync"

	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Options are choices of the optimiser.
type Options struct {
	Skip   map[string]bool // names of passes to leave out
	Verify bool            // check the program before the first and after every pass
	// Before, if given, is asked before every pass whether it is to run.
	Before func(pass string) bool
	// Keep, if given, says which functions stay as they are for their callers: calls of
	// them stay, and their types.
	Keep func(f *tail.Func) bool
	// After, if given, sees the program after every pass; its error ends the
	// optimisation.
	After func(pass string, p *tail.Program) error
}

// pass is one pass over a program. Every pass keeps what the program prints
// and the fault that ends it, and the checker's rules.
type pass struct {
	name   string
	doc    string
	after  []string // passes that it profits from, or needs, to have run before
	tidies bool     // also runs at the very end, to clean up
	run    func(*optimiser)
}

var passes = []pass{
	{name: "inline", doc: "substitute functions that are small or called once", run: inline},
	{name: "params", doc: "give parameters the types that all their arguments share", after: []string{"inline"}, run: params},
	{name: "simplify", doc: "apply algebraic laws; work out types again", after: []string{"inline", "params"}, tidies: true, run: simplify},
	{name: "lengths", doc: "compute the lengths of items before their elements, where these do not matter for them", after: []string{"inline", "simplify"}, run: lengthsFirst},
	{name: "whole", doc: "take the items of an array, one behind the other, for the array", after: []string{"lengths"}, run: whole},
	{name: "constfold", doc: "evaluate small closed expressions", after: []string{"simplify"}, run: constfold},
	{name: "bits", doc: "make digits in base 2 into bitwise operations", after: []string{"simplify", "params"}, run: bitwise},
	{name: "truths", doc: "keep truth values as such where they are joined with the numbers 0 and 1", after: []string{"simplify", "params"}, tidies: true, run: truths},
	{name: "copyprop", doc: "substitute variables that are used once", after: []string{"simplify"}, run: copyprop},
	{name: "hoist", doc: "compute what does not change in a function before it", after: []string{"simplify"}, run: hoist},
	{name: "cse", doc: "compute equal expressions once", after: []string{"simplify"}, run: cse},
	{name: "deadcode", doc: "drop what is not used and cannot fault", after: []string{"simplify", "cse", "bits"}, tidies: true, run: deadcode},
	{name: "items", doc: "compute items where they are read, and store none", after: []string{"lengths", "whole", "copyprop", "cse"}, run: itemsAgain},
	{name: "even", doc: "keep items of equally many elements as the rows of a matrix", after: []string{"items"}, run: evenItems},
	{name: "bands", doc: "compute inner products a band of rows at a time for what reads each row of them by itself", after: []string{"simplify", "cse"}, run: bands},
	{name: "runs", doc: "count, add up and find the longest of runs of ones without their positions", after: []string{"simplify", "cse"}, run: runs},
	{name: "planes", doc: "cut the state of a power into its major cells", after: []string{"simplify", "cse"}, run: planes},
	{name: "loops", doc: "make tail calls of a function to itself into while", after: []string{"inline", "simplify"}, run: loops},
	{name: "flat", doc: "make the state of a loop one tuple of arrays", after: []string{"loops"}, run: flat},
	{name: "powers", doc: "make loops that count their steps into powers", after: []string{"loops", "simplify"}, run: powers},
	{name: "initials", doc: "read what a loop has not changed yet of an array where it changes it", after: []string{"powers"}, run: initials},
	{name: "states", doc: "keep numbers of a loop's state that are 0 and 1 as truth values", after: []string{"simplify", "loops"}, run: states},
	{name: "results", doc: "give functions truth values as results that are the numbers 0 and 1", after: []string{"simplify", "loops"}, run: results},
}

// rounds is how often all passes run: what the later ones find out is of use
// to the earlier ones.
const rounds = 2

// Passes returns the names of the passes and what they do, in their order.
func Passes() (names, docs []string) {
	for _, p := range passes {
		names, docs = append(names, p.name), append(docs, p.doc)
	}
	return names, docs
}

// Optimise makes p faster. The error is that of o.After or, with o.Verify, of
// the checker.
func Run(p *tail.Program, o Options) error {
	if o.Verify {
		if err := tail.Check(p); err != nil {
			return fmt.Errorf("before optimisation: %w", err)
		}
	}
	opt := &optimiser{p: p, made: map[*tail.Var]bool{}, deep: map[*tail.Func]bool{}, start: programSize(p), keep: o.Keep}
	for round := range rounds + 1 {
		for _, pass := range passes {
			if o.Skip[pass.name] || round == rounds && !pass.tidies || o.Before != nil && !o.Before(pass.name) {
				continue
			}
			opt.effects = analysis.NewEffects(p)
			numbers := sync.OnceValue(func() *numbering { return numbersIn(p) })
			opt.effects.Sure = func(e *tail.Apply) bool { return e.Op == tail.OpIndex && numbers().within(e) }
			opt.effects.Fitting = func(e tail.Expr) bool { return numbers().areLengths(e) }
			pass.run(opt)
			if err := o.afterPass(pass.name, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *Options) afterPass(name string, p *tail.Program) error {
	if o.Verify {
		if err := tail.Check(p); err != nil {
			return fmt.Errorf("after %s: %w", name, err)
		}
	}
	if o.After != nil {
		return o.After(name, p)
	}
	return nil
}

// optimiser is the state of an optimisation.
type optimiser struct {
	p       *tail.Program
	effects *analysis.Effects
	made    map[*tail.Var]bool // variables that passes made, which users know nothing of
	start   int                // size of the program at the beginning
	serial  int                // for names of size variables
	keep    func(f *tail.Func) bool
	deep    map[*tail.Func]bool // functions whose calls are deep ones, which stay calls
}

// kept reports whether callers need a function as it is.
func (o *optimiser) kept(f *tail.Func) bool { return o.keep != nil && o.keep(f) }

// bodies replaces the body of every function and main.
func (o *optimiser) bodies(f func(tail.Expr) tail.Expr) {
	for _, fn := range o.p.Funcs {
		fn.Body = f(fn.Body)
	}
	o.p.Main = f(o.p.Main)
}

// variable returns a new variable.
func (o *optimiser) variable(name string, ty tail.Type) *tail.Var {
	v := &tail.Var{Name: name, Type: ty}
	o.made[v] = true
	return v
}

func programSize(p *tail.Program) int {
	n := tail.ExprSize(p.Main)
	for _, f := range p.Funcs {
		n += tail.ExprSize(f.Body)
	}
	return n
}
