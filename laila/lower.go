package laila

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
)

// Target is what executes the loops.
type Target = pass.Target

// The targets. The zero value is for loops that are to run anywhere.
const (
	Anywhere   = pass.Anywhere
	CPU        = pass.CPU
	CPUKernels = pass.CPUKernels
	GPUKernels = pass.GPUKernels
)

// Options controls the lowering.
type Options struct {
	// PP is the print precision, 10 when 0.
	PP int
	// Target is what executes the loops.
	Target Target
	// Skip has the names of passes to leave out.
	Skip map[string]bool
	// Before, if given, is asked whether the next pass is to run: first for all
	// that act while arrays become loops or within others, then for each of the others.
	Before func(pass string) bool
	// After, if given, sees the program after every pass over it.
	After func(pass string, p *ir.Program)
	// Relaxed lets results differ from those of the evaluator in the last digits
	// where that makes programs faster.
	Relaxed bool
	// Verify checks the program after every pass.
	Verify bool
}

// Lower translates a checked program to loops.
func Lower(p *tail.Program, o Options) (out *ir.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			switch r := r.(type) {
			case *diag.Error:
				out, err = nil, r
			case *checkError:
				out, err = nil, r
			default:
				panic(r)
			}
		}
	}()
	if o.PP == 0 {
		o.PP = p.PP
	}
	if o.PP == 0 {
		o.PP = 10
	}
	l := newLowerer(p, o)
	l.enable()
	l.functions()
	l.Out.Entry = l.funcs[p.Entry]
	l.Out.Main = &ir.Func{Name: "main"}
	g := l.gen()
	l.live.Walk(nil, p.Main)
	l.Out.Main.Body = g.block(func() { g.spine(p.Main) })
	l.rewrite()
	flow.DropConsts(l.Out)
	if o.Verify {
		err = ir.Check(l.Out)
	}
	return l.Out, err
}

// newLowerer makes the lowering of a program, of which it knows nothing yet.
func newLowerer(p *tail.Program, o Options) *lowerer {
	out := &ir.Program{Source: p.Source, PP: o.PP, CT: p.CT}
	return &lowerer{Context: pass.NewContext(out, o.Target, p.Tolerance()), in: p, opts: o,
		funcs: map[*tail.Func]*ir.Func{}, sums: map[*ir.Var]affine.Poly{}, windows: map[tail.Expr]bool{}, steady: map[*ir.Var]bool{},
		live: live.New(), consts: map[*array.Array]*ir.Buf{}, effects: tail.NewEffects(p), state: map[*ir.Buf]bool{},
		growing: map[*ir.Buf]bool{}, factors: map[*ir.Var]bool{}, decided: map[*tail.If]tail.Expr{}, products: map[*ir.Var]ir.Expr{},
		found: map[*tail.Apply]*value{}, unread: map[*tail.Var]bool{}}
}

func (l *lowerer) gen() *gen {
	return &gen{lowerer: l, env: newEnvironment(), facts: map[*ir.Var]*bounds{}, held: knowledge{known: l.Assumptions()}}
}

// refuse stops the lowering with a limitation.
func (g *gen) refuse(at diag.Span, text string) {
	panic(&diag.Error{Code: diag.NotCompiled, Message: text, Span: at})
}

// expr lowers e. Scalars are computed by the statements emitted; arrays may
// stay delayed.
func (g *gen) expr(e tail.Expr) *value {
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			break
		}
		g.comment(let)
		g.lets(let)
		e = let.Body
	}
	switch e := e.(type) {
	case *tail.Lit:
		return g.literal(e.Value)
	case *tail.Ref:
		return g.ref(e)
	case *tail.Vec:
		return g.vector(e)
	case *tail.Apply:
		return g.apply(e)
	case *tail.Call:
		return g.call(e)
	case *tail.If:
		return g.conditional(e)
	case *tail.Tuple:
		return &value{tup: g.args(e.Elems)}
	case *tail.Proj:
		return g.expr(e.X).tup[e.I]
	}
	panic("internal error: lowering of an expression without a value")
}

// scalar lowers an expression of rank 0.
func (g *gen) scalar(e tail.Expr) ir.Expr {
	v := g.expr(e)
	if v.x == nil {
		panic("internal error: a scalar is expected")
	}
	return v.x
}

func (g *gen) comment(e *tail.Let) {
	if g.nest != nil || !e.Where.Valid() {
		return
	}
	line, _ := e.Where.Src.Position(e.Where.Start)
	g.emit(&ir.Comment{Text: e.Where.Src.Line(line), At: e.Where})
}

// ref is a use of a variable.
func (g *gen) ref(e *tail.Ref) *value {
	v := g.env.get(e.Var)
	if v == nil {
		panic("internal error: unbound variable " + e.Var.Name)
	}
	if v.arr != nil && g.live.Last[e] {
		g.settle(v.arr)
	}
	return v
}

// bind gives a let's variable its value. An array that is used once, or that
// costs nothing to read, stays delayed.
func (g *gen) bind(e *tail.Let, v *value) {
	uses := g.live.Count[e.Var]
	if v.x != nil && uses > 0 {
		v = &value{x: g.slim(stem(e.Var.Name), v.x)}
	}
	for i, t := range v.tup {
		if t.x != nil {
			v.tup[i] = &value{x: g.atom("t", t.x)}
		} else if t.arr != nil {
			g.bindArray(nil, t.arr, 2, true)
		}
	}
	if p := v.arr; p != nil {
		if p.buf == nil && p.elems == nil && uses > 1 && g.On("share") && !g.live.Deep[e.Var] && g.live.OneNest(e) {
			p.shared = true
			uses = 1
		} else if p.buf == nil && p.elems == nil && uses > 1 && g.On("recompute") && g.stencil(e, p, uses) {
			p.shared = true
			uses = 1
		} else if uses > 1 && !p.faults && !g.live.Deep[e.Var] && g.neighbourhood(e.Bind, p) {
			p.shared = true
			uses = 1
		}
		g.bindArray(e.Var, p, uses, g.live.Deep[e.Var])
	}
	g.env.set(e.Var, v)
	if g.live.Count[e.Var] == g.live.OfShape[e.Var] {
		g.finite(e.Bind, v)
	}
}

// stem makes a name fit for generated code.
func stem(name string) string {
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

func (g *gen) bindArray(v *tail.Var, p *pull, uses int, deep bool) {
	switch {
	case p.buf != nil, p.elems != nil:
	case uses == 0 || deep && (!p.cheap() || g.divides(p)):
		if p.faults || uses > 0 {
			g.materialise(p)
		}
	case !g.On("delay") && uses > 0 && g.nest == nil:
		g.materialise(p)
	case p.cheap(), uses == 1:
		if p.faults && g.nest != nil {
			g.materialise(p)
			return
		}
		if p.faults {
			g.pending = append(g.pending, p)
			g.rank(p)
		}
	case g.On("recompute") && (recomputed(p, uses) || g.light(p, uses)):
		p.shared = true
	default:
		g.materialise(p)
	}
	if p.buf == nil && v != nil {
		g.delayed = append(g.delayed, boundPull{v, p})
	}
}

// rank has the faults of p's elements reported before those of arrays that are ranked
// later, or not at all, in nests that compute elements of both.
func (g *gen) rank(p *pull) {
	if p.ranked {
		return
	}
	p.ranked = true
	g.ranks++
	rank := g.ranks
	in := func(x func() ir.Expr) ir.Expr {
		st := g.nest
		if st == nil {
			return x()
		}
		outer := st.rank
		st.rank = rank
		defer func() { st.rank = outer }()
		return x()
	}
	if at := p.at; at != nil {
		p.at = func(ix []ir.Expr) ir.Expr { return in(func() ir.Expr { return at(ix) }) }
	}
	if flat := p.flat; flat != nil {
		p.flat = func(i ir.Expr) ir.Expr { return in(func() ir.Expr { return flat(i) }) }
	}
}

// recomputed reports whether computing elements again, at each of several
// uses, is cheaper than a pass through memory.
func recomputed(p *pull, uses int) bool {
	return !p.faults && (p.cost <= 4 && uses <= 4 || p.cost <= 3 && uses <= 8) && (p.at != nil || p.flat != nil)
}

// boundPull is a delayed array with the variable that it is bound to.
type boundPull struct {
	v *tail.Var
	p *pull
}

// args lowers arguments, from right to left. Delayed arrays whose elements can
// fault come before the faults of arguments to their left.
func (g *gen) args(es []tail.Expr) []*value {
	vs := make([]*value, len(es))
	inflight := len(g.inflight)
	var held []*pull
	for i := len(es) - 1; i >= 0; i-- {
		if _, ok := es[i].(*tail.Lam); ok {
			continue
		}
		vs[i] = g.expr(es[i])
		if p := vs[i].arr; p != nil && p.faults && i > 0 {
			g.pending = append(g.pending, p)
			g.rank(p)
			held = append(held, p)
		}
		g.inflight = append(g.inflight, vs[i])
	}
	for _, p := range held {
		g.settle(p)
	}
	g.inflight = g.inflight[:inflight]
	return vs
}

// literal is a constant.
func (g *gen) literal(a *array.Array) *value {
	if a.Rank() == 0 {
		return &value{x: constant(a, 0)}
	}
	k, n := kindOf(a.Elem), a.Len()
	dims := make([]ir.Expr, a.Rank())
	for i, s := range a.Shape {
		dims[i] = ir.Integer(int64(s))
	}
	if uniform(a) && n > 0 {
		return &value{arr: g.constantPull(constant(a, 0), dims)}
	}
	buf, ok := g.consts[a]
	if !ok {
		buf = g.constBuf(a, k)
	}
	p := g.stored(k, buf, dims)
	if a.Rank() == 1 && n <= ir.StackLimit {
		for i := 0; i < n; i++ {
			p.elems = append(p.elems, constant(a, i))
		}
	}
	if read := p.flat; n <= ir.StackLimit {
		p.flat = func(i ir.Expr) ir.Expr {
			if k, ok := ir.IntOf(i); ok && k >= 0 && k < int64(n) {
				return constant(a, int(k))
			}
			return read(i)
		}
	}
	return &value{arr: p}
}

// constBuf adds a constant to the program.
func (g *gen) constBuf(a *array.Array, k ir.Kind) *ir.Buf {
	c := &ir.Const{}
	r := facts.Interval{}
	for i := 0; i < a.Len(); i++ {
		switch x := constant(a, i).(type) {
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

func constant(a *array.Array, i int) ir.Expr {
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
	first := constant(a, 0)
	for i := 1; i < n; i++ {
		if !ir.Same(first, constant(a, i)) {
			return false
		}
	}
	return true
}

// vector is a vector of scalars.
func (g *gen) vector(e *tail.Vec) *value {
	xs := make([]ir.Expr, len(e.Elems))
	vs := g.args(e.Elems)
	for i, v := range vs {
		xs[i] = g.atom("e", v.x)
	}
	return &value{arr: g.elemsPull(kindOf(e.Ty.Elem), xs)}
}

// apply lowers the application of an op.
func (g *gen) apply(e *tail.Apply) *value {
	outer := g.src
	g.src = e.Where
	defer func() { g.src = outer }()
	v := g.applied(e)
	if v.arr != nil && !v.arr.src.Valid() {
		v.arr.src = e.Where
	}
	return v
}

func (g *gen) applied(e *tail.Apply) *value {
	row := e.Op.Row()
	if row.Scalar {
		vs := g.args(e.Args)
		xs := make([]ir.Expr, len(vs))
		for i, v := range vs {
			xs[i] = v.x
		}
		return &value{x: g.scalarOp(e, xs)}
	}
	if v := g.sought(e); v != nil {
		return v
	}
	if v := g.search(e); v != nil {
		return v
	}
	if e.Op == tail.OpIndex {
		if v := g.sortedVector(e); v != nil {
			return v
		}
	}
	if e.Op == tail.OpTake {
		if v := g.leadingPlaces(e); v != nil {
			return v
		}
	}
	lower, ok := arrayOps[e.Op]
	if !ok {
		g.refuse(e.Where, "compiled code for "+row.Name+" ("+row.Doc+")")
	}
	return lower(g, e, g.args(e.Args))
}

// arrayOps are the lowerings of the ops on arrays; args are lowered, but for
// functions.
var arrayOps map[tail.Op]func(g *gen, e *tail.Apply, args []*value) *value

// lam applies a function of scalars.
func (g *gen) lam(f *tail.Lam, xs ...ir.Expr) ir.Expr {
	for i, p := range f.Params {
		x := xs[i]
		if g.live.Count[p] > 1 {
			x = g.slim(stem(p.Name), x)
		}
		g.env.set(p, &value{x: x})
	}
	v := g.expr(f.Body)
	if v.x == nil {
		panic("internal error: a function of scalars gives an array")
	}
	return v.x
}

// scalarArg passes on an argument of rank 0 or more as its only use.
func array1(p *pull) *value { return &value{arr: p} }

func scalar1(x ir.Expr) *value { return &value{x: x} }
