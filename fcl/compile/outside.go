package compile

import (
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/fcl/walk"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Outside is another compiler's use of a function of FCL. It makes the arguments, whose
// elements and functions are code of its own, takes the elements of what the function gives,
// and launches the kernels:
//
//	map (fn x => …) arr     arr[i] is the code of Element; what takes (i, x) stores it
//
// Nothing is checked: what the function is given fits.
type Outside struct {
	*compiler
	fresh func(name string) string
}

// Embed compiles a use. fresh makes names that nothing in the other compiler's code has; params are the
// parameters that are known, and build does the rest with the function.
func Embed(use *types.Use, info *types.Info, params map[string]int64, fresh func(name string) string, build func(o *Outside, f Value)) *Plan {
	c := newCompiler(info, params)
	c.numbers = map[string]kernel.Expr{}
	o := &Outside{c, fresh}
	c.foreign = o
	c.body = &c.plan.Host
	build(o, c.Global(use, diag.Span{}))
	for _, k := range c.plan.Kernels {
		k.Place()
	}
	c.plan.Host = kernel.Sweep(c.plan.Host)
	return c.plan
}

// Number is a whole number that the host knows, between bounds; a parameter has its name.
func (o *Outside) Number(name string, lo, hi int64) *kernel.Var {
	v := o.variable(name, types.Int)
	v.Lo, v.Hi = kernel.Int(lo), kernel.Int(hi)
	o.Set(name, v)
	return v
}

// Set gives a parameter a value.
func (o *Outside) Set(name string, n kernel.Expr) { o.numbers[name] = n }

// Named is a value that the other compiler's code has under a name.
func Named(text string, t types.Scalar) kernel.Expr {
	return &kernel.Var{Name: text, Of: t, Foreign: true}
}

// Code runs code of the other compiler for arguments, of whose scalars it gets the texts, and
// returns its results, which are scalars or a tuple of some.
func (o *Outside) Code(results []types.Scalar, pure bool, text func(args, results []string) string, args ...Value) Value {
	f := &kernel.Foreign{Pure: pure, Text: text}
	for _, a := range args {
		f.Args = append(f.Args, flat(a)...)
	}
	made := make(Tuple, len(results))
	for i, t := range results {
		v := o.variable("v", t)
		f.Results = append(f.Results, v)
		made[i] = v
	}
	o.emit(f)
	if len(made) == 1 {
		return made[0]
	}
	return made
}

// flat returns the scalars of a value.
func flat(v Value) []kernel.Expr {
	if t, ok := v.(Tuple); ok {
		var all []kernel.Expr
		for _, item := range t {
			all = append(all, flat(item)...)
		}
		return all
	}
	return []kernel.Expr{v.(kernel.Expr)}
}

// Curried and Apply make and use functions of several arguments.
var (
	Curried = walk.Curried
	Apply   = walk.Apply
)

// Take runs a program that gives a push array, and does something with each element.
func (o *Outside) Take(p Value, element func(i kernel.Expr, v Value)) {
	p.(Program)().(*Push).Run(func(i kernel.Expr, v Value) { element(o.share("i", i).(kernel.Expr), v) })
}

// Function is another function.
func (o *Outside) Function(use *types.Use) Value { return o.Global(use, diag.Span{}) }

// Choose is the first program of a thread where a condition holds, and the second one elsewhere.
func (o *Outside) Choose(cond kernel.Expr, then, other Value) Value {
	use := &types.Use{Builtin: "choose", Levels: []types.Level{types.Thread}}
	return Apply(o.Builtin(use, diag.Span{}), cond, then, other)
}

// Shared runs a program of a block that gives one element, which all work-items then have.
func (o *Outside) Shared(p Value, elem types.Type) Value {
	push := p.(Program)().(*Push)
	return o.share("v", o.force(push, types.Block, elem, "a", diag.Span{}).At(kernel.Int(0)))
}

// Later is the program of a block that a function gives when the program runs.
func Later(program func() Value) Value {
	return Program(func() Value { return program().(Program)() })
}

// Elsewhere is a program of n elements that a kernel of the other compiler computes, with so many
// work-items in groups of a size.
func (o *Outside) Elsewhere(name string, n, items kernel.Expr, group int64) Value {
	return Program(func() Value {
		o.emit(&kernel.Launch{Kernel: &kernel.Kernel{Name: name, N: items, Group: group}})
		return &Push{n, types.Grid, func(func(kernel.Expr, Value)) {}}
	})
}

// trusted reports whether what is checked elsewhere holds.
func (c *compiler) trusted() bool { return c.foreign != nil || c.trust }

// Around puts something around each kernel of a plan, and names it.
func (p *Plan) Around(a *kernel.Around, name func(i int) string) {
	for i, k := range p.Kernels {
		k.Around, k.Name = a, name(i)
	}
}
