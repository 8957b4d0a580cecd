package clgen

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/tailor-lang/tailor/fcl/compile"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Schedules are functions of FCL's library (fcl/lib). Their arguments are the loop program's:
// an array whose elements are what a loop computes at a point, functions that join values,
//
//	y = +\x×2     scanGrid (fn a b => a + b) 0 … (map (fn i => x[i] × 2) (iota n))
//
// and what they give goes where the loop stores it. The kernels have the parameters of
// every kernel, and those that FCL needs.

// library holds the functions of FCL's library, with the types of those that were used.
var library = struct {
	sync.Mutex
	scope *types.Scope
	info  *types.Info
}{info: types.NewInfo()}

// libraryFunction returns a use of a function with types for its type variables. The library is locked.
func libraryFunction(name string, vars ...types.Type) *types.Use {
	if library.scope == nil {
		library.scope = lib.Scope()
	}
	g := library.scope.Globals[name]
	if g.Scheme == nil {
		if err := types.Infer(g, library.info); err != nil {
			panic(fmt.Sprintf("internal error: FCL's library: %v", err))
		}
	}
	return types.With(g, vars)
}

// libraryUse is a use of a library's function for a kernel.
type libraryUse struct {
	*compile.Outside
	t       *kernelText
	k       *kernel
	places  map[*fclkernel.Var]int // of the numbers that the host is given
	lengths []int                  // the buffers whose lengths are among these
}

// libraryStep is what the kernels of a function are called, after the name of the statement.
type libraryStep struct{ suffix, doc string }

// library writes the kernels of a function of FCL's library for k, with types for its type variables;
// build applies it.
func (pl *planner) library(t *kernelText, k *kernel, name string, vars []types.Type, steps []libraryStep, build func(u *libraryUse, f compile.Value)) {
	library.Lock()
	defer library.Unlock()
	use := libraryFunction(name, vars...)
	around := t.around(k)
	u := &libraryUse{t: t, k: k, places: map[*fclkernel.Var]int{}}
	k.function = name
	plan := compile.Embed(use, library.info, pl.params(), t.fresh, func(o *compile.Outside, f compile.Value) {
		u.Outside = o
		if k.rows == nil {
			u.places[o.Number("Groups", 1, 1<<20)] = len(k.axes())
		}
		if pl.plan.Schedule == Groups {
			u.choose(pl.plan.Params)
		}
		build(u, f)
	})
	plan.Around(around, func(i int) string { return k.name + steps[i].suffix })
	k.library = u.launches(plan)
	for i, made := range plan.Kernels {
		if i > 0 {
			t.line("")
		}
		if steps[i].doc != "" {
			t.line("/* %s */", fmt.Sprintf(steps[i].doc, k.name))
		}
		t.b.WriteString(made.String())
	}
}

// choose gives parameters by which the host chooses among programs, but for those that are given,
// the values for its device: where that is a CPU, one work-item updates an array faster than groups do.
func (u *libraryUse) choose(given map[string]int64) {
	cpu, onGPU := u.Number("cpu", 0, 1), lib.Params(lib.GPU)
	u.places[cpu] = len(u.k.axes()) + 1
	for name, onCPU := range map[string]int64{"OrderItems": 1 << 31, "Bins": 0} {
		if _, ok := given[name]; !ok {
			u.Set(name, fclkernel.Apply("+", fclkernel.Int(onGPU[name]), fclkernel.Apply("*", cpu, fclkernel.Int(onCPU-onGPU[name]))))
		}
	}
}

// params are the parameters of FCL's library on the device: of a CPU a work-item is a block.
func (pl *planner) params() map[string]int64 {
	values, size := lib.Params(lib.GPU), pl.plan.GroupSize
	if pl.plan.Schedule == Chunks {
		values, size = lib.Params(lib.CPU), 1
	}
	values["Groups"] = pl.plan.MaxGroups
	maps.Copy(values, pl.plan.Params)
	values["BlockSize"] = size
	return values
}

// around names the parameters of a kernel, and returns what stands around FCL's code.
func (t *kernelText) around(k *kernel) *fclkernel.Around {
	a := &fclkernel.Around{First: t.params(k), Last: []string{answersParam}}
	a.Enter = t.scoped(func() {
		t.noted()
		t.flags(k)
	})
	a.End = t.scoped(func() { t.raise(k) })
	return a
}

// scoped returns the lines that a function writes; names it gives are forgotten.
func (t *kernelText) scoped(f func()) string {
	text, depth := t.b, t.depth
	t.b, t.depth = strings.Builder{}, 0
	f()
	lines := t.b.String()
	t.b, t.depth = text, depth
	return lines
}

// size is the number of points of some axes.
func (u *libraryUse) size(from, to int) fclkernel.Expr {
	n := fclkernel.Expr(fclkernel.Int(1))
	for i := from; i < to; i++ {
		n = fclkernel.Apply("*", n, u.extent(i))
	}
	return n
}

// extent is the number of points of an axis.
func (u *libraryUse) extent(axis int) *fclkernel.Var {
	v := u.Number(fmt.Sprintf("count%d", axis), 0, 1<<38)
	v.Name, v.Foreign = fmt.Sprintf("count%d", axis), true
	u.places[v] = axis
	return v
}

// scalarOf is the type of FCL whose values hold those of a kind.
func scalarOf(k ir.Kind) types.Scalar {
	switch k {
	case ir.U8, ir.I8, ir.C8:
		return types.I8
	case ir.I16:
		return types.I16
	case ir.I32, ir.C32:
		return types.I32
	case ir.I64:
		return types.I64
	case ir.F64:
		return types.F64
	}
	panic("internal error: FCL has no type for a kind")
}

// kinds are those of values of the loop program; FCL has a scalar for each, and two for a complex
// one.
type kinds []ir.Kind

func (ks kinds) scalars() (all []types.Scalar) {
	for _, k := range ks {
		if k == ir.C64 {
			all = append(all, types.F64, types.F64)
		} else {
			all = append(all, scalarOf(k))
		}
	}
	return all
}

// elem is the type of FCL of the values.
func (ks kinds) elem() types.Type {
	list := ks.scalars()
	if len(list) == 1 {
		return list[0]
	}
	t := &types.Tuple{}
	for _, s := range list {
		t.Items = append(t.Items, s)
	}
	return t
}

// values returns the values whose scalars are given.
func (ks kinds) values(scalars []string) (all []string) {
	for _, k := range ks {
		if k == ir.C64 {
			all = append(all, fmt.Sprintf("(tl_c64)(%s, %s)", scalars[0], scalars[1]))
			scalars = scalars[2:]
			continue
		}
		all = append(all, scalars[0])
		scalars = scalars[1:]
	}
	return all
}

// assign writes values to scalars.
func (ks kinds) assign(t *kernelText, results []string, value func(i int) string) {
	for i, k := range ks {
		x := value(i)
		if k == ir.C64 {
			t.line("%s = (%s).x, %s = (%s).y;", results[0], x, results[1], x)
			results = results[2:]
			continue
		}
		t.line("%s = %s;", results[0], x)
		results = results[1:]
	}
}

// values is code of the loop program that computes scalars: write gets the arguments, and assigns
// to the results.
func (u *libraryUse) values(of []types.Scalar, pure bool, write func(args, results []string), args ...compile.Value) compile.Value {
	return u.Code(of, pure, func(args, results []string) string {
		vars := maps.Clone(u.t.vars)
		defer func() { u.t.vars = vars }()
		return u.t.scoped(func() {
			for i, r := range results {
				u.t.line("%s %s;", fclkernel.CType(of[i]), r)
			}
			u.t.open("")
			write(args, results)
			u.t.close()
		})
	}, args...)
}

// effect is code of the loop program that stores things.
func (u *libraryUse) effect(write func(args []string), args ...compile.Value) {
	u.values(nil, false, func(args, _ []string) { write(args) }, args...)
}

// take applies the function, and has code of the loop program for each element that it gives, which
// gets the element's place, too, where it has to know that.
func (u *libraryUse) take(f compile.Value, args []compile.Value, placed bool, write func(args []string)) {
	u.Take(compile.Apply(f, args...), func(i fclkernel.Expr, v compile.Value) {
		if placed {
			u.effect(write, i, v)
		} else {
			u.effect(write, v)
		}
	})
}

// named are values that the loop program has outside of its loops.
func (u *libraryUse) named(ks kinds, list ...ir.Expr) compile.Value {
	var all compile.Tuple
	for i, x := range list {
		text := u.t.expr(x)
		if ks[i] == ir.C64 {
			all = append(all, compile.Named("("+text+").x", types.F64), compile.Named("("+text+").y", types.F64))
		} else {
			all = append(all, compile.Named("("+text+")", scalarOf(ks[i])))
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// joined writes left joined with right, but for the expression that it returns.
func (t *kernelText) joined(a ir.Acc, left, right string) string {
	k := cltype(a.Var.Kind)
	t.line("const %s %s = %s, %s = %s;", k, t.declare(a.Left), left, t.declare(a.Right), right)
	if f := t.sums[a.Var]; f != nil {
		t.line("%s |= tl_bad_addi(%s, %s);", t.v(f), t.v(a.Left), t.v(a.Right))
	}
	return t.expr(a.Combine)
}

// Launches.

// sizer writes what the host computes as code of ir.Library.
type sizer struct {
	library *ir.Library
	places  map[*fclkernel.Var]int
	temps   map[*fclkernel.Array]int
}

// launches says how the host launches the kernels of a plan.
func (u *libraryUse) launches(p *compile.Plan) *ir.Library {
	z := &sizer{&ir.Library{Given: len(u.k.axes()) + 2 + len(u.lengths), Lengths: u.lengths}, u.places, map[*fclkernel.Array]int{}}
	z.list(p.Host, nil)
	return z.library
}

// list adds what the host does where a condition holds, nil for always.
func (z *sizer) list(list []fclkernel.Stmt, cond fclkernel.Expr) {
	for _, s := range list {
		switch s := s.(type) {
		case *fclkernel.Decl:
			z.places[s.Var] = z.number(s.Init)
		case *fclkernel.Alloc:
			z.temps[s.Array] = len(z.library.Temps)
			z.library.Temps = append(z.library.Temps, ir.Temp{Elem: kindOf(s.Array.Elem), Count: z.number(s.Array.Len)})
		case *fclkernel.Launch:
			step := z.step(s.Kernel)
			if cond != nil {
				step.If = z.number(cond)
			}
			z.library.Steps = append(z.library.Steps, step)
		case *fclkernel.If:
			z.list(s.Then, both(cond, s.Cond))
			z.list(s.Else, both(cond, fclkernel.Opposite(s.Cond)))
		default:
			panic(fmt.Sprintf("internal error: FCL's host has a %T", s))
		}
	}
}

func both(a, b fclkernel.Expr) fclkernel.Expr {
	if a == nil {
		return b
	}
	return fclkernel.Apply("&&", a, b)
}

func (z *sizer) step(k *fclkernel.Kernel) ir.Step {
	s := ir.Step{Name: k.Name, Count: z.number(k.N), Size: k.Group, Groups: k.Groups}
	for _, a := range k.Arrays {
		s.Args = append(s.Args, ir.StepArg{Kind: ir.TempArg, At: z.temps[a]})
	}
	for _, l := range k.Slots {
		s.Args = append(s.Args, ir.StepArg{Kind: ir.LocalArg, At: z.number(l.Bytes)})
	}
	for _, v := range k.Scalars {
		s.Args = append(s.Args, ir.StepArg{Kind: ir.NumberArg, At: z.number(v)})
	}
	return s
}

// kindOf is the kind of a scalar type of FCL.
func kindOf(s types.Scalar) ir.Kind {
	return map[types.Scalar]ir.Kind{types.Bool: ir.U8, types.I8: ir.I8, types.I16: ir.I16, types.I32: ir.I32, types.I64: ir.I64, types.F64: ir.F64}[s]
}

// number returns the place of a number that the host computes.
func (z *sizer) number(e fclkernel.Expr) int {
	if v, ok := e.(*fclkernel.Var); ok {
		if at, ok := z.places[v]; ok {
			return at
		}
	}
	z.library.Numbers = append(z.library.Numbers, z.code(e))
	return z.library.Given + len(z.library.Numbers) - 1
}

// code returns the postfix code of an expression.
func (z *sizer) code(e fclkernel.Expr) []int64 {
	switch e := e.(type) {
	case *fclkernel.Const:
		return []int64{ir.SizeConst, e.Value.I}
	case *fclkernel.Var:
		at, ok := z.places[e]
		if !ok {
			panic("internal error: the host does not know " + e.Name)
		}
		return []int64{ir.SizeOf, int64(at)}
	case *fclkernel.Op:
		return z.operator(e)
	}
	panic("internal error: a size that the host cannot compute: " + fclkernel.Text1(e))
}

// operator returns the code of an operator; truth values are 0 and 1.
func (z *sizer) operator(e *fclkernel.Op) []int64 {
	if len(e.Args) == 1 && e.Name == "not" {
		return append(append([]int64{ir.SizeConst, 1}, z.code(e.Args[0])...), ir.SizeOps["-"])
	}
	op, ok := ir.SizeOps[e.Name]
	if !ok {
		panic("internal error: the host does not compute " + e.Name)
	}
	return append(append(z.code(e.Args[0]), z.code(e.Args[1])...), op)
}
