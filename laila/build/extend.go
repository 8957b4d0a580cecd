package build

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Scalar extension where lengths are known at run time only. An argument that
// may have one element is read at an index times 1, or times 0 where it is
// extended. Loops over such arguments have a version for arguments of one
// shape, which is the one that they would have were that known.
//
//	fail unless n = m or n = 1 or m = 1
//	d = n = 1 ? m : n
//	if (n = d) & (m = d)
//	  segmap i = 0 … d
//	    z[i] = f x[i] y[i]
//	else
//	  for i = 0 … d
//	    z[i] = f (x[i × (n = d)]) (y[i × (m = d)])

// extended returns the arguments of a scalar function, the array e that
// ZipWith makes, at one shape.
func (g *Builder) extended(a, b *Pull, e *tail.Apply) (*Pull, *Pull) {
	differ := g.Differing(a, b, e)
	if differ == nil {
		return a, b
	}
	x, y := tail.TypeOf(e.Args[1]), tail.TypeOf(e.Args[2])
	oneA, oneB := g.hasOne(a, x), g.hasOne(b, y)
	for i, d := range differ {
		if d == nil {
			continue
		}
		axis := int64(i + 1)
		wrong := ir.And(d, ir.And(ir.Not(oneA), ir.Not(oneB)))
		g.FailIf(wrong, tail.FaultShapes, SiteOf(e), func() []ir.FailArg {
			g.probeFirst(b)
			g.probeFirst(a)
			return []ir.FailArg{ShapeArg(a.Dims), ShapeArg(b.Dims), {X: ir.Integer(axis)}}
		})
	}
	dims := make([]ir.Expr, len(a.Dims))
	for i := range dims {
		switch {
		case differ[i] == nil || ir.IsInt(oneA, 0):
			dims[i] = a.Dims[i]
		case ir.IsInt(oneB, 0):
			dims[i] = b.Dims[i]
		default:
			dims[i] = g.Extent(g.Size1(&ir.Select{Cond: oneA, Then: b.Dims[i], Else: a.Dims[i]}))
		}
	}
	return g.stretched(a, oneA, dims), g.stretched(b, oneB, dims)
}

// probeFirst computes an argument for the faults of its elements, which come
// before those of its shape.
func (g *Builder) probeFirst(p *Pull) {
	if p.Faults && g.Nest == nil {
		g.probe(p)
	}
}

// Differing returns for each axis the condition that the extents of a and b
// differ, nil where they do not; nil where no axis differs.
func (g *Builder) Differing(a, b *Pull, e *tail.Apply) []ir.Expr {
	all, some := make([]ir.Expr, len(a.Dims)), false
	for i := range a.Dims {
		if ir.Same(a.Dims[i], b.Dims[i]) || provedEqual(e, i) || g.surelyEqual(a.Dims[i], b.Dims[i]) {
			continue
		}
		if c := g.Compare(ir.OpNe, a.Dims[i], b.Dims[i]); !ir.IsInt(c, 0) {
			all[i], some = c, true
		}
	}
	if !some {
		return nil
	}
	return all
}

// hasOne returns the condition that an array of type t has one element, an
// atom.
func (g *Builder) hasOne(p *Pull, t *tail.Array) ir.Expr {
	if !t.MayExtend() {
		return ir.Boolean(false)
	}
	var all ir.Expr = ir.Boolean(true)
	for _, d := range p.Dims {
		all = ir.And(all, g.Compare(ir.OpEq, d, ir.Integer(1)))
	}
	return g.Size1(all)
}

// stretched returns p at the shape dims, its own unless it has one element.
func (g *Builder) stretched(p *Pull, one ir.Expr, dims []ir.Expr) *Pull {
	if ir.IsInt(one, 0) {
		return p
	}
	g.Pullable(p)
	var own ir.Expr = ir.Boolean(true)
	for i, d := range p.Dims {
		own = ir.And(own, g.Compare(ir.OpEq, d, dims[i]))
	}
	g.lost(p, one, dims)
	own = g.Atom("even", own)
	factor := g.Let("k", ir.ConvertTo(ir.I64, own))
	g.Factors[factor.(*ir.Use).Var] = true
	q := View(p, dims, func(ix []ir.Expr) ir.Expr {
		if g.assumeEven(own) {
			return g.Index(p, ix)
		}
		at := make([]ir.Expr, len(ix))
		for i := range ix {
			at[i] = ir.Mul(ix[i], factor)
		}
		return g.Index(p, at)
	})
	if p.Flat != nil {
		q.Flat = func(i ir.Expr) ir.Expr {
			if g.assumeEven(own) {
				return g.IndexFlat(p, i)
			}
			return g.IndexFlat(p, ir.Mul(i, factor))
		}
	}
	return q
}

// evenness is the assumption, for a version of a loop, that no argument is
// extended.
type evenness struct {
	conds []ir.Expr
	mark  int // variables declared later are declared in the loop
}

// assumeEven reports whether the loop being made is for arguments that are not
// extended, and notes that this one, of condition own, must not be.
func (g *Builder) assumeEven(own ir.Expr) bool {
	if g.even == nil {
		return false
	}
	if u, ok := own.(*ir.Use); ok && u.Var.ID > g.even.mark {
		return false
	}
	for _, c := range g.even.conds {
		if ir.Same(c, own) {
			return true
		}
	}
	g.even.conds = append(g.even.conds, own)
	return true
}

// condition returns the condition of the assumption, nil where nothing was
// assumed.
func (e *evenness) condition() ir.Expr {
	var all ir.Expr
	for _, c := range e.conds {
		if all == nil {
			all = c
		} else {
			all = ir.OpAnd.Of(all, c)
		}
	}
	return all
}

// lost computes the only element of p, which can fault, where the array that
// it is extended to is empty.
func (g *Builder) lost(p *Pull, one ir.Expr, dims []ir.Expr) {
	if !p.Faults {
		return
	}
	empty := ir.And(one, g.Compare(ir.OpEq, ir.Product(dims), ir.Integer(0)))
	if ir.IsInt(empty, 0) {
		return
	}
	g.Emit(&ir.If{Cond: empty, Then: g.Block(func() { g.probe(p) })})
}

// Only is the element of an array that has one.
func (g *Builder) Only(e *tail.Apply, args []*Value) *Value {
	p := args[0].Arr
	if p == nil {
		return args[0]
	}
	fault, beside := tail.FaultNotScalar, []ir.Expr(nil)
	if n, _ := LengthOf(e.Args[1], args[1].Arr); n > 0 {
		fault, beside = tail.FaultRanks, g.ElementsOf(args[1].Arr, n)
	}
	g.FailIf(ir.Not(g.hasOne(p, tail.TypeOf(e.Args[0]))), fault, SiteOf(e), func() []ir.FailArg {
		if beside == nil {
			return []ir.FailArg{ShapeArg(p.Dims)}
		}
		return []ir.FailArg{ShapeArg(p.Dims), ShapeArg(beside)}
	})
	g.Total(p)
	zeros := make([]ir.Expr, p.Rank())
	for i := range zeros {
		zeros[i] = ir.Integer(0)
	}
	return Scalar1(g.Atom("x", g.Index(p, zeros)))
}

// Stretch repeats the only item along an axis.
func (g *Builder) Stretch(e *tail.Apply, args []*Value) *Value {
	n, p := g.Atom("n", args[0].X), args[1].Arr
	d := p.Dims[e.Axis]
	if !ir.IsInt(d, 1) && (ir.Same(d, n) || tail.TypeOf(e.Args[1]).Extent(e.Axis).Equal(tail.TypeOf(e.Args[0]).Value(0))) {
		return args[1]
	}
	one := g.Compare(ir.OpEq, d, ir.Integer(1))
	if ir.IsInt(one, 0) {
		return args[1]
	}
	g.Total(p)
	count := g.Extent(g.Size1(ir.Choose(one, n, d)))
	dims := Replaced(p.Dims, e.Axis, count)
	own := g.Atom("even", g.Compare(ir.OpEq, d, count))
	factor := g.Let("k", ir.ConvertTo(ir.I64, own))
	g.Factors[factor.(*ir.Use).Var] = true
	return Array1(View(p, dims, func(ix []ir.Expr) ir.Expr {
		if g.assumeEven(own) {
			return g.Index(p, ix)
		}
		return g.Index(p, Replaced(ix, e.Axis, ir.Mul(ix[e.Axis], factor)))
	}))
}
