package build

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// New makes the lowering of a program, of which it knows nothing yet. What
// lowers expressions is in packages above this one.
func New(c *pass.Context, p *tail.Program, lower func(g *Builder, e tail.Expr) *Value) *Lowering {
	return &Lowering{Context: c, In: p, lower: lower,
		Funcs: map[*tail.Func]*ir.Func{}, Sums: map[*ir.Var]affine.Poly{}, windows: map[tail.Expr]bool{}, Steady: map[*ir.Var]bool{},
		Live: live.New(), consts: map[*array.Array]*ir.Buf{}, Effects: analysis.NewEffects(p), State: map[*ir.Buf]bool{},
		Growing: map[*ir.Buf]bool{}, Factors: map[*ir.Var]bool{}, Decided: map[*tail.If]tail.Expr{}, Outcomes: map[*tail.If][]ir.Array{}, products: map[*ir.Var]ir.Expr{},
		Found: map[*tail.Apply]*Value{}, Unread: map[*tail.Var]bool{}}
}

// NewWriter makes what writes the statements of a pass over loops.
func NewWriter(c *pass.Context) *Builder { return New(c, &tail.Program{}, nil).Builder() }

// Builder makes the lowering of a function.
func (l *Lowering) Builder() *Builder {
	return &Builder{Lowering: l, Env: newEnvironment(), Facts: map[*ir.Var]*Bounds{}, held: knowledge{known: l.Assumptions()}}
}

// Refuse stops the lowering with a limitation.
func (g *Builder) Refuse(at diag.Span, text string) {
	panic(&diag.Error{Code: diag.NotCompiled, Message: text, Span: at})
}

// Expr lowers e. Scalars are computed by the statements emitted; arrays may
// stay delayed.
func (g *Builder) Expr(e tail.Expr) *Value { return g.lower(g, e) }

// Scalar lowers an expression of rank 0.
func (g *Builder) Scalar(e tail.Expr) ir.Expr {
	v := g.Expr(e)
	if v.X == nil {
		panic("internal error: a scalar is expected")
	}
	return v.X
}

// Comment writes the line of the source that a binding is from, outside nests.
func (g *Builder) Comment(e *tail.Let) {
	if g.Nest != nil || !e.Where.Valid() {
		return
	}
	line, _ := e.Where.Src.Position(e.Where.Start)
	g.Emit(&ir.Comment{Text: e.Where.Src.Line(line), At: e.Where})
}

// Ref is a use of a variable.
func (g *Builder) Ref(e *tail.Ref) *Value {
	v := g.Env.Get(e.Var)
	if v == nil {
		panic("internal error: unbound variable " + e.Var.Name)
	}
	if v.Arr != nil && g.Live.Last[e] {
		g.Settle(v.Arr)
	}
	return v
}

// Bind gives a let's variable its value. An array that is used once, or that
// costs nothing to read, stays delayed.
func (g *Builder) Bind(e *tail.Let, v *Value) {
	uses := g.Live.Count[e.Var]
	if v.X != nil && uses > 0 {
		v = &Value{X: g.Slim(Stem(e.Var.Name), v.X)}
	}
	for i, t := range v.Tup {
		if t.X != nil {
			v.Tup[i] = &Value{X: g.Atom("t", t.X)}
		} else if t.Arr != nil {
			g.bindArray(nil, t.Arr, 2, true)
		}
	}
	if p := v.Arr; p != nil {
		uses -= g.Live.OfShape[e.Var]
		if p.Buf == nil && p.Elems == nil && uses > 1 && g.On("share") && !g.Live.Deep[e.Var] && g.Live.OneNest(e) {
			p.Shared = true
			uses = 1
		} else if p.Buf == nil && p.Elems == nil && uses > 1 && g.On("recompute") && g.stencil(e, p, uses) {
			p.Shared = true
			uses = 1
		} else if uses > 1 && !p.Faults && !g.Live.Deep[e.Var] && g.Neighbourhood(e.Bind, p) {
			p.Shared = true
			uses = 1
		}
		g.bindArray(e.Var, p, uses, g.Live.Deep[e.Var])
	}
	g.Env.Set(e.Var, v)
	if g.Live.Count[e.Var] == g.Live.OfShape[e.Var] {
		g.Finite(e.Bind, v)
	}
}

// Stem makes a name fit for generated code.
func Stem(name string) string {
	var b []byte
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || len(b) > 0 && c >= '0' && c <= '9' {
			b = append(b, c)
		}
	}
	if len(b) == 0 {
		return "t"
	}
	return string(b)
}

func (g *Builder) bindArray(v *tail.Var, p *Pull, uses int, deep bool) {
	switch {
	case p.Buf != nil, p.Elems != nil:
	case uses == 0 || deep && (!p.Cheap() || p.Pieces > 1 || g.divides(p)):
		if p.Faults || uses > 0 {
			g.Materialise(p)
		}
	case !g.On("delay") && uses > 0 && g.Nest == nil:
		g.Materialise(p)
	case p.Cheap(), uses == 1:
		if p.Faults && g.Nest != nil {
			g.Materialise(p)
			return
		}
		if p.Faults {
			g.Pending = append(g.Pending, p)
			g.rank(p)
		}
	case g.On("recompute") && (recomputed(p, uses) || g.Light(p, uses)):
		p.Shared = true
	default:
		g.Materialise(p)
	}
	if p.Buf == nil && v != nil {
		g.Delayed = append(g.Delayed, BoundPull{v, p})
	}
}

// rank has the faults of p's elements reported before those of arrays that are ranked
// later, or not at all, in nests that compute elements of both.
func (g *Builder) rank(p *Pull) {
	if p.ranked {
		return
	}
	p.ranked = true
	g.ranks++
	rank := g.ranks
	in := func(x func() ir.Expr) ir.Expr {
		st := g.Nest
		if st == nil {
			return x()
		}
		outer := st.rank
		st.rank = rank
		defer func() { st.rank = outer }()
		return x()
	}
	if at := p.At; at != nil {
		p.At = func(ix []ir.Expr) ir.Expr { return in(func() ir.Expr { return at(ix) }) }
	}
	if flat := p.Flat; flat != nil {
		p.Flat = func(i ir.Expr) ir.Expr { return in(func() ir.Expr { return flat(i) }) }
	}
}

// recomputed reports whether computing elements again, at each of several
// uses, is cheaper than a pass through memory.
func recomputed(p *Pull, uses int) bool {
	return !p.Faults && (p.Cost <= 4 && uses <= 4 || p.Cost <= 3 && uses <= 8) && (p.At != nil || p.Flat != nil)
}

// BoundPull is a delayed array with the variable that it is bound to.
type BoundPull struct {
	V *tail.Var
	P *Pull
}

// Args lowers arguments, from right to left. Delayed arrays whose elements can
// fault come before the faults of arguments to their left.
func (g *Builder) Args(es []tail.Expr) []*Value {
	vs := make([]*Value, len(es))
	inflight := len(g.Inflight)
	var held []*Pull
	for i := len(es) - 1; i >= 0; i-- {
		if _, ok := es[i].(*tail.Lam); ok {
			continue
		}
		vs[i] = g.Expr(es[i])
		if p := vs[i].Arr; p != nil && p.Faults && i > 0 {
			g.Pending = append(g.Pending, p)
			g.rank(p)
			held = append(held, p)
		}
		g.Inflight = append(g.Inflight, vs[i])
	}
	for _, p := range held {
		g.Settle(p)
	}
	g.Inflight = g.Inflight[:inflight]
	return vs
}

// Literal is a constant.
func (g *Builder) Literal(a *array.Array) *Value {
	if a.Rank() == 0 {
		return &Value{X: Constant(a, 0)}
	}
	k, n := KindOf(a.Elem), a.Len()
	dims := make([]ir.Expr, a.Rank())
	for i, s := range a.Shape {
		dims[i] = ir.Integer(int64(s))
	}
	if uniform(a) && n > 0 {
		return &Value{Arr: g.ConstantPull(Constant(a, 0), dims)}
	}
	buf, ok := g.consts[a]
	if !ok {
		buf = g.constBuf(a, k)
	}
	p := g.Stored(k, buf, dims)
	if a.Rank() == 1 && n <= ir.StackLimit {
		for i := 0; i < n; i++ {
			p.Elems = append(p.Elems, Constant(a, i))
		}
	}
	if read := p.Flat; n <= ir.StackLimit {
		p.Flat = func(i ir.Expr) ir.Expr {
			if k, ok := ir.IntOf(i); ok && k >= 0 && k < int64(n) {
				return Constant(a, int(k))
			}
			return read(i)
		}
	}
	return &Value{Arr: p}
}

// constBuf adds a constant to the program.
func (g *Builder) constBuf(a *array.Array, k ir.Kind) *ir.Buf {
	c := &ir.Const{}
	r := facts.Interval{}
	for i := 0; i < a.Len(); i++ {
		switch x := Constant(a, i).(type) {
		case *ir.Int:
			c.Ints = append(c.Ints, x.Val)
			if i == 0 {
				r = facts.Between(x.Val, x.Val)
			}
			r = r.Union(facts.Between(x.Val, x.Val))
		case *ir.Float:
			c.Floats = append(c.Floats, x.Val)
		case *ir.Math: // a complex number
			c.Floats = append(c.Floats, x.Args[0].(*ir.Float).Val, x.Args[1].(*ir.Float).Val)
		}
	}
	c.Buf = &ir.Buf{Name: "c", Elem: k, Const: true}
	if k.Exact() && a.Len() > 0 {
		g.Bufs[c.Buf] = r
	}
	for i, x := range c.Floats {
		if i == 0 {
			g.BufSpans[c.Buf] = facts.Span{Lo: x, Hi: x}
		}
		s := g.BufSpans[c.Buf]
		g.BufSpans[c.Buf] = facts.Span{Lo: min(s.Lo, x), Hi: max(s.Hi, x)}
	}
	g.Out.Consts = append(g.Out.Consts, c)
	g.consts[a] = c.Buf
	return c.Buf
}

// Constant is element i of a constant array.
func Constant(a *array.Array, i int) ir.Expr {
	switch a.Elem {
	case array.Bool:
		return &ir.Int{Val: int64(a.Bools[i]), K: ir.U8}
	case array.Int:
		return ir.Integer(a.Ints[i])
	case array.Double:
		return &ir.Float{Val: a.Doubles[i]}
	case array.Char:
		return &ir.Int{Val: int64(a.Chars[i]), K: ir.C32}
	case array.Complex:
		return ir.Complex(a.Complexes[i])
	}
	panic("internal error: a constant of type " + a.Elem.String())
}

// uniform reports whether all elements of a long array are the same.
func uniform(a *array.Array) bool {
	n := a.Len()
	if n < 2 {
		return false
	}
	first := Constant(a, 0)
	for i := 1; i < n; i++ {
		if !ir.Same(first, Constant(a, i)) {
			return false
		}
	}
	return true
}

// Vector is a vector of scalars.
func (g *Builder) Vector(e *tail.Vec) *Value {
	xs := make([]ir.Expr, len(e.Elems))
	vs := g.Args(e.Elems)
	for i, v := range vs {
		xs[i] = g.Atom("e", v.X)
	}
	return &Value{Arr: g.ElemsPull(KindOf(e.Ty.Elem), xs)}
}

// Lam applies a function of scalars.
func (g *Builder) Lam(f *tail.Lam, xs ...ir.Expr) ir.Expr {
	for i, p := range f.Params {
		x := xs[i]
		if g.Live.Count[p] > 1 {
			x = g.Slim(Stem(p.Name), x)
		}
		g.Env.Set(p, &Value{X: x})
	}
	v := g.Expr(f.Body)
	if v.X == nil {
		panic("internal error: a function of scalars gives an array")
	}
	return v.X
}

// scalarArg passes on an argument of rank 0 or more as its only use.
func Array1(p *Pull) *Value { return &Value{Arr: p} }

// Scalar1 is a scalar as a value.
func Scalar1(x ir.Expr) *Value { return &Value{X: x} }

// Captured notes that p, which e gives, reads the arrays that functions of e use.
func (g *Builder) Captured(e *tail.Apply, p *Pull) {
	for _, v := range g.Live.Captures[e] {
		if val := g.Env.Get(v); val != nil {
			p.Srcs = appendArrays(p.Srcs, val)
		}
	}
}

// appendArrays appends the arrays that v has.
func appendArrays(list []*Pull, v *Value) []*Pull {
	if v.Arr != nil {
		list = append(slices.Clip(list), v.Arr)
	}
	for _, t := range v.Tup {
		list = appendArrays(list, t)
	}
	return list
}
