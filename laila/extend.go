package laila

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
// zipWith makes, at one shape.
func (g *gen) extended(a, b *pull, e *tail.Apply) (*pull, *pull) {
	differ := g.differing(a, b, e)
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
		g.failIf(wrong, tail.FaultShapes, siteOf(e), func() []ir.FailArg {
			g.probeFirst(b)
			g.probeFirst(a)
			return []ir.FailArg{shapeArg(a.dims), shapeArg(b.dims), {X: ir.Integer(axis)}}
		})
	}
	dims := make([]ir.Expr, len(a.dims))
	for i := range dims {
		switch {
		case differ[i] == nil || ir.IsInt(oneA, 0):
			dims[i] = a.dims[i]
		case ir.IsInt(oneB, 0):
			dims[i] = b.dims[i]
		default:
			dims[i] = g.extent(g.size1(&ir.Select{Cond: oneA, Then: b.dims[i], Else: a.dims[i]}))
		}
	}
	return g.stretched(a, oneA, dims), g.stretched(b, oneB, dims)
}

// probeFirst computes an argument for the faults of its elements, which come
// before those of its shape.
func (g *gen) probeFirst(p *pull) {
	if p.faults && g.nest == nil {
		g.probe(p)
	}
}

// differing returns for each axis the condition that the extents of a and b
// differ, nil where they do not; nil where no axis differs.
func (g *gen) differing(a, b *pull, e *tail.Apply) []ir.Expr {
	all, some := make([]ir.Expr, len(a.dims)), false
	for i := range a.dims {
		if ir.Same(a.dims[i], b.dims[i]) || provedEqual(e, i) || g.surelyEqual(a.dims[i], b.dims[i]) {
			continue
		}
		if c := g.Compare(ir.OpNe, a.dims[i], b.dims[i]); !ir.IsInt(c, 0) {
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
func (g *gen) hasOne(p *pull, t *tail.Array) ir.Expr {
	if !t.MayExtend() {
		return ir.Boolean(false)
	}
	var all ir.Expr = ir.Boolean(true)
	for _, d := range p.dims {
		all = ir.And(all, g.Compare(ir.OpEq, d, ir.Integer(1)))
	}
	return g.size1(all)
}

// stretched returns p at the shape dims, its own unless it has one element.
func (g *gen) stretched(p *pull, one ir.Expr, dims []ir.Expr) *pull {
	if ir.IsInt(one, 0) {
		return p
	}
	g.pullable(p)
	var own ir.Expr = ir.Boolean(true)
	for i, d := range p.dims {
		own = ir.And(own, g.Compare(ir.OpEq, d, dims[i]))
	}
	g.lost(p, one, dims)
	own = g.atom("even", own)
	factor := g.let("k", ir.ConvertTo(ir.I64, own))
	g.factors[factor.(*ir.Use).Var] = true
	q := view(p, dims, func(ix []ir.Expr) ir.Expr {
		if g.assumeEven(own) {
			return g.index(p, ix)
		}
		at := make([]ir.Expr, len(ix))
		for i := range ix {
			at[i] = ir.Mul(ix[i], factor)
		}
		return g.index(p, at)
	})
	if p.flat != nil {
		q.flat = func(i ir.Expr) ir.Expr {
			if g.assumeEven(own) {
				return g.indexFlat(p, i)
			}
			return g.indexFlat(p, ir.Mul(i, factor))
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
func (g *gen) assumeEven(own ir.Expr) bool {
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
func (g *gen) lost(p *pull, one ir.Expr, dims []ir.Expr) {
	if !p.faults {
		return
	}
	empty := ir.And(one, g.Compare(ir.OpEq, ir.Product(dims), ir.Integer(0)))
	if ir.IsInt(empty, 0) {
		return
	}
	g.emit(&ir.If{Cond: empty, Then: g.block(func() { g.probe(p) })})
}

// only is the element of an array that has one.
func (g *gen) only(e *tail.Apply, args []*value) *value {
	p := args[0].arr
	if p == nil {
		return args[0]
	}
	fault, beside := tail.FaultNotScalar, []ir.Expr(nil)
	if n, _ := lengthOf(e.Args[1], args[1].arr); n > 0 {
		fault, beside = tail.FaultRanks, g.elementsOf(args[1].arr, n)
	}
	g.failIf(ir.Not(g.hasOne(p, tail.TypeOf(e.Args[0]))), fault, siteOf(e), func() []ir.FailArg {
		if beside == nil {
			return []ir.FailArg{shapeArg(p.dims)}
		}
		return []ir.FailArg{shapeArg(p.dims), shapeArg(beside)}
	})
	g.total(p)
	zeros := make([]ir.Expr, p.rank())
	for i := range zeros {
		zeros[i] = ir.Integer(0)
	}
	return scalar1(g.atom("x", g.index(p, zeros)))
}

// stretch repeats the only item along an axis.
func (g *gen) stretch(e *tail.Apply, args []*value) *value {
	n, p := g.atom("n", args[0].x), args[1].arr
	d := p.dims[e.Axis]
	if !ir.IsInt(d, 1) && (ir.Same(d, n) || tail.TypeOf(e.Args[1]).Extent(e.Axis).Equal(tail.TypeOf(e.Args[0]).Value(0))) {
		return args[1]
	}
	one := g.Compare(ir.OpEq, d, ir.Integer(1))
	if ir.IsInt(one, 0) {
		return args[1]
	}
	g.total(p)
	count := g.extent(g.size1(ir.Choose(one, n, d)))
	dims := replaced(p.dims, e.Axis, count)
	own := g.atom("even", g.Compare(ir.OpEq, d, count))
	factor := g.let("k", ir.ConvertTo(ir.I64, own))
	g.factors[factor.(*ir.Use).Var] = true
	return array1(view(p, dims, func(ix []ir.Expr) ir.Expr {
		if g.assumeEven(own) {
			return g.index(p, ix)
		}
		return g.index(p, replaced(ix, e.Axis, ir.Mul(ix[e.Axis], factor)))
	}))
}
