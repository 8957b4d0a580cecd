package gradual

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/native"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
	"github.com/tailor-lang/tailor/tail/opt"
)

// Compiler compiles functions. It is an interp.Compiler.
type Compiler struct {
	// Synchronous compiles C before Compile returns, with little optimisation, unless
	// Full is set, too.
	Synchronous, Full bool
	// Parts are functions that were compiled before the program runs.
	Parts driver.Parts
	// Stretches are the statements among them.
	Stretches []interp.Stretch

	find  func() (*driver.Cache, *driver.Compiler)
	once  sync.Once
	cache *driver.Cache
	cc    *driver.Compiler
	jobs  chan func()
	later chan func() // jobs for when there are no others
	done  atomic.Bool
	log   []*function
}

// New returns a compiler. What finds the C compiler is called when there is something
// to compile; where it returns none, functions are evaluated only.
func New(find func() (*driver.Cache, *driver.Compiler)) *Compiler {
	return &Compiler{find: find, jobs: make(chan func(), mostJobs), later: make(chan func(), mostJobs)}
}

// mostJobs is the number of functions that may wait to be compiled.
const mostJobs = 1 << 10

// Close stops the compilers that run in the background.
func (c *Compiler) Close() {
	if c.cc != nil && !c.done.Swap(true) {
		c.cc.Cancel()
	}
}

// start finds the C compiler and, unless functions are compiled at once, begins to work
// on jobs.
func (c *Compiler) start() {
	if c.cache, c.cc = c.find(); c.Synchronous || len(c.steps()) == 0 {
		return
	}
	go c.work()
}

// work does jobs.
func (c *Compiler) work() {
	for {
		select {
		case job := <-c.jobs:
			job()
			continue
		default:
		}
		select {
		case job := <-c.jobs:
			job()
		case job := <-c.later:
			job()
		}
	}
}

// function is an interp.Compiled.
type function struct {
	unit     *interp.Unit
	captured []*array.Array // behind the arguments
	result   tail.Type
	doubtful bool // doubles may stand for integers of the interpreter
	eval     *eval.Prepared
	compiled chan struct{} // closed when there is C, for which the evaluator stops
	native   atomic.Pointer[native.Function]
	level    atomic.Int32
	calls    [4]int // by level
}

// levels of a function, see interp.Compiled.
const (
	evaluated = 1 + iota
	quick
	optimised
)

// exported is the name of the C function.
const exported = "tailor_entry"

var elems = map[value.Kind]array.Elem{value.Bool: array.Bool, value.Int: array.Int, value.Double: array.Double, value.Complex: array.Complex, value.Char: array.Char}

// Ahead is that of interp.Compiler.
func (c *Compiler) Ahead(from int) (s interp.Stretch, ok bool) {
	i := slices.IndexFunc(c.Stretches, func(s interp.Stretch) bool { return s.From == from })
	if i < 0 {
		return s, false
	}
	return c.Stretches[i], true
}

// Compile is that of interp.Compiler.
func (c *Compiler) Compile(u *interp.Unit) (made interp.Compiled, err error) {
	defer func() {
		if recover() != nil { // no type, for a reason that infer did not foresee
			made, err = nil, errUnforeseen
		}
	}()
	p, f, err := typed(u)
	if err != nil {
		return nil, blame(u, err)
	}
	f.doubtful = doubtful(p)
	f.compiled = make(chan struct{})
	if u.Once && len(c.Parts) > 0 {
		c.guarded(f, func() { c.improve(compilationOf(p), f, []step{{false, c.part}}) })
		if f.Level() == optimised {
			c.log = append(c.log, f)
			return f, nil
		}
		if p, _, err = typed(u); err != nil { // p was lowered
			return nil, err
		}
	}
	if err = opt.Run(p, opt.Options{}); err != nil {
		return nil, err
	}
	f.eval = eval.Prepare(p, &eval.Env{Interrupt: f.compiled})
	f.level.Store(evaluated)
	c.log = append(c.log, f)
	c.once.Do(c.start)
	c.compile(u, f)
	return f, nil
}

// Reasons for which a unit is not compiled, beside those of infer.
var (
	errNested     = errors.New("it refers to, or gives, an array that is not simple")
	errUnforeseen = errors.New("what it does has no type")
)

// typed returns the typed program of a unit, and its function without anything that
// calls it. The error says why it has no type, or is not compiled.
func typed(u *interp.Unit) (*tail.Program, *function, error) {
	var known []infer.Known
	values := map[string]*array.Array{}
	for _, d := range u.Known {
		k := infer.Known{Name: d.Name, Stmt: d.Stmt}
		if d.Value != nil {
			a, ok := d.Value.Simple()
			if !ok {
				return nil, nil, errNested
			}
			k.Value, values[d.Name] = a, a
		}
		known = append(known, k)
	}
	p, names, err := infer.Entry(u.Entry, known, argTypes(u), infer.Options{Exact: u.Once})
	if err != nil {
		return nil, nil, err
	}
	if err := pure(p); err != nil {
		return nil, nil, err
	}
	if err := stored(p.Entry.Result, u); err != nil {
		return nil, nil, err
	}
	f := &function{unit: u, result: p.Entry.Result}
	for _, name := range names {
		if values[name] == nil {
			return nil, nil, errNested
		}
		f.captured = append(f.captured, values[name])
	}
	return p, f, nil
}

// argTypes returns the types of the arguments of a unit.
func argTypes(u *interp.Unit) (types []tail.Type) {
	if u.Args != nil {
		strand := &tail.TupleType{}
		for _, a := range u.Args {
			strand.Elems = append(strand.Elems, typeOf(a))
		}
		return []tail.Type{strand}
	}
	if u.Left.Kind != value.NoKind {
		types = append(types, typeOf(u.Left))
	}
	return append(types, typeOf(u.Right))
}

// step is a way to have a function as C; fast says that it is optimised little.
type step struct {
	fast bool
	load func(*driver.Compilation) (*native.Function, error)
}

// steps returns the ways to have functions as C, in the order in which they are tried.
func (c *Compiler) steps() (all []step) {
	if len(c.Parts) > 0 {
		all = append(all, step{false, c.part})
	}
	switch {
	case c.cc == nil:
	case c.Synchronous:
		all = append(all, step{!c.Full, c.library})
	default:
		all = append(all, step{false, c.kept}, step{true, c.library}, step{false, c.library})
	}
	return all
}

// compile makes C of a function, in the background.
func (c *Compiler) compile(u *interp.Unit, f *function) {
	steps := c.steps()
	if len(steps) == 0 {
		return
	}
	if c.Synchronous {
		c.guarded(f, func() { c.improve(c.compilation(u), f, steps) })
		return
	}
	last := len(steps) - 1
	if u.Once { // dfns that are called often go first
		last = min(last, 1)
	}
	c.post(c.jobs, f, func() {
		p := c.compilation(u)
		c.improve(p, f, steps[:last])
		c.post(c.later, f, func() { c.improve(p, f, steps[last:]) })
	})
}

// guarded does a job; where infer did not foresee something, the function stays as it is.
func (c *Compiler) guarded(f *function, job func()) {
	defer func() {
		if r := recover(); r != nil && c.Synchronous {
			panic(fmt.Sprintf("%v: %s", r, f.unit.Where.Text()))
		}
	}()
	job()
}

// post adds a job for a function, unless there are too many.
func (c *Compiler) post(jobs chan func(), f *function, job func()) {
	select {
	case jobs <- func() { c.guarded(f, job) }:
	default:
	}
}

// compilation returns that of a unit for a shared object.
func (c *Compiler) compilation(u *interp.Unit) *driver.Compilation {
	p, _, err := typed(u)
	if err != nil { // it was typed before
		panic(err)
	}
	return compilationOf(p)
}

// compilationOf is that of a typed unit for a shared object.
func compilationOf(p *tail.Program) *driver.Compilation {
	p.Sticky = true
	return driver.FromTyped(p, driver.Options{Target: driver.C, Export: exported})
}

// improve goes through the steps for a function until it is optimised. One that cannot
// be had as C is evaluated on.
func (c *Compiler) improve(p *driver.Compilation, f *function, steps []step) {
	for _, s := range steps {
		if c.done.Load() || f.Level() == optimised {
			return
		}
		p.Quick = s.fast
		fn, err := s.load(p)
		if err != nil {
			if c.Synchronous && err != errNoPart {
				panic(err)
			}
			continue
		}
		f.become(fn, s.fast)
	}
}

// become makes a function that of a shared object.
func (f *function) become(fn *native.Function, fast bool) {
	fn.Bind(f.captured)
	if f.native.Swap(fn) == nil {
		close(f.compiled)
	}
	level := int32(optimised)
	if fast {
		level = quick
	}
	f.level.Store(level)
}

// library compiles a function.
func (c *Compiler) library(p *driver.Compilation) (*native.Function, error) {
	path, entry, err := p.Library(c.cache, c.cc)
	if err != nil {
		return nil, err
	}
	return native.Load(path, exported, entry)
}

// kept finds a function that an earlier run compiled.
func (c *Compiler) kept(p *driver.Compilation) (*native.Function, error) {
	path, entry, ok := p.Kept(c.cache, c.cc)
	if !ok {
		return nil, errNoPart
	}
	return native.Load(path, exported, entry)
}

var errNoPart = errors.New("the function was not compiled before")

// part finds a function among those that were compiled before.
func (c *Compiler) part(p *driver.Compilation) (*native.Function, error) {
	name, entry, err := p.Part()
	if err != nil {
		return nil, err
	}
	read := c.Parts[name]
	if read == nil {
		return nil, errNoPart
	}
	object, err := read()
	if err != nil {
		return nil, err
	}
	return native.LoadObject(object, exported, entry)
}

// Level is that of interp.Compiled.
func (f *function) Level() int { return int(f.level.Load()) }

// Call is that of interp.Compiled.
func (f *function) Call(x, y *value.Array) (*value.Array, bool) {
	n := f.native.Load()
	if n == nil {
		args := [2]*value.Array{x, y}
		all := args[:]
		if x == nil {
			all = args[1:]
		}
		var r []*value.Array
		if r, n = f.evaluate(all); n == nil {
			return first(r)
		}
	}
	r, ok := n.Apply(x, y)
	if !ok {
		return nil, false
	}
	f.calls[f.level.Load()]++
	return r, f.sure(r)
}

func first(r []*value.Array) (*value.Array, bool) {
	if r == nil {
		return nil, false
	}
	return r[0], true
}

// CallAll is that of interp.Compiled.
func (f *function) CallAll(args []*value.Array) (results []*value.Array, ok bool) {
	n := f.native.Load()
	args = spread(args, f.unit.Args)
	if n == nil {
		if results, n = f.evaluate(args); n == nil {
			return f.gathered(results)
		}
	}
	if results = n.ApplyAll(args); results == nil || !f.sure(results...) {
		return nil, false
	}
	f.calls[f.level.Load()]++
	return f.gathered(results)
}

// evaluate calls the function in the evaluator: the results are nil where it has no
// answer. Where it is compiled meanwhile, n is what it became.
func (f *function) evaluate(args []*value.Array) (results []*value.Array, n *native.Function) {
	all := make([]*array.Array, 0, len(args)+len(f.captured))
	for _, x := range args {
		a, _ := x.Simple()
		all = append(all, a)
	}
	r, err := f.eval.Call(append(all, f.captured...))
	if err == eval.ErrInterrupted {
		return nil, f.native.Load()
	} else if err != nil {
		return nil, nil
	}
	f.calls[evaluated]++
	for _, a := range r {
		results = append(results, value.From(a))
	}
	if !f.sure(results...) {
		return nil, nil
	}
	return results, nil
}

// sure reports whether answers are not doubtful.
func (f *function) sure(all ...*value.Array) bool {
	if !f.doubtful {
		return true
	}
	for _, r := range all {
		for _, x := range r.Doubles {
			if x == float64(int64(x)) {
				return false
			}
		}
	}
	return true
}
