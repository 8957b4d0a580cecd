package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// cat catenates along an axis; the pieces become separate loops.
func (g *gen) cat(e *tail.Apply, args []*value) *value {
	x, y := args[0].arr, args[1].arr
	if x.elems != nil && y.elems != nil {
		return array1(g.elemsPull(x.elem, append(append([]ir.Expr{}, x.elems...), y.elems...)))
	}
	for a := range x.dims {
		if a == e.Axis || tail.TypeOf(e.Args[0]).Extent(a).Equal(tail.TypeOf(e.Args[1]).Extent(a)) {
			continue
		}
		axis := int64(a + 1)
		g.failIf(g.Compare(ir.OpNe, x.dims[a], y.dims[a]), tail.FaultCatenate, siteOf(e), func() []ir.FailArg {
			return []ir.FailArg{shapeArg(x.dims), shapeArg(y.dims), {X: ir.Integer(axis)}}
		})
	}
	return array1(g.joined(e, x, y))
}

// maxPieces is how many catenations may stay delayed inside each other.
const maxPieces = 4

// joined is x and then y along e's axis.
func (g *gen) joined(e *tail.Apply, x, y *pull) *pull {
	a := e.Axis
	dims := append([]ir.Expr{}, x.dims...)
	for i := range dims {
		if _, ok := ir.IntOf(y.dims[i]); ok {
			dims[i] = y.dims[i]
		}
	}
	n := x.dims[a]
	dims[a] = g.extent(g.size1(ir.Add(n, y.dims[a])))
	if q := g.partsOf(x, y, dims); q != nil {
		return q
	}
	for _, p := range []*pull{x, y} {
		if p.pieces > maxPieces {
			g.materialise(p)
		}
		g.pullable(p)
	}
	q := &pull{pieces: x.pieces + y.pieces + 1, elem: x.elem, dims: dims, rng: x.rng.Union(y.rng), span: facts.JoinSpans(x.span, y.span), cost: max(x.cost, y.cost), faults: x.faults || y.faults,
		srcs: []*pull{x, y}}
	q.at = func(ix []ir.Expr) ir.Expr {
		return g.branch(ix[a], n,
			func() ir.Expr { return g.index(x, ix) },
			func() ir.Expr { return g.index(y, replaced(ix, a, ir.Sub(ix[a], n))) })
	}
	return q
}

// cell returns v, a cell of an array of the given extents, as an array with an
// axis of one item.
func (g *gen) cell(v *value, dims []ir.Expr, axis int) *pull {
	if v.x != nil {
		return g.constantPull(g.atom("x", v.x), replaced(dims, axis, ir.Integer(1)))
	}
	c := g.pullable(v.arr)
	return view(c, inserted(c.dims, axis, ir.Integer(1)), func(ix []ir.Expr) ir.Expr { return g.index(c, without(ix, axis)) })
}

func (g *gen) cons(e *tail.Apply, args []*value) *value {
	return g.attach(e, args[0], args[1].arr, e.Args[0], e.Args[1], true)
}

func (g *gen) snoc(e *tail.Apply, args []*value) *value {
	return g.attach(e, args[1], args[0].arr, e.Args[1], e.Args[0], false)
}

// attach puts a cell in front of or behind an array.
func (g *gen) attach(e *tail.Apply, v *value, p *pull, ce, pe tail.Expr, front bool) *value {
	if v.x != nil && p.elems != nil && p.rank() == 1 {
		x := g.atom("x", v.x)
		if front {
			return array1(g.elemsPull(p.elem, append([]ir.Expr{x}, p.elems...)))
		}
		return array1(g.elemsPull(p.elem, append(append([]ir.Expr{}, p.elems...), x)))
	}
	if v.arr != nil {
		g.cellFits(e, v.arr, p, ce, pe, front)
	}
	c := g.cell(v, p.dims, e.Axis)
	if front {
		return array1(g.joined(e, c, p))
	}
	return array1(g.joined(e, p, c))
}

func (g *gen) cellFits(e *tail.Apply, c, p *pull, ce, pe tail.Expr, front bool) {
	rest := without(p.dims, e.Axis)
	for i := range rest {
		axis := i
		if i >= e.Axis {
			axis++
		}
		if tail.TypeOf(ce).Extent(i).Equal(tail.TypeOf(pe).Extent(axis)) {
			continue
		}
		g.failIf(g.Compare(ir.OpNe, c.dims[i], rest[i]), tail.FaultCatenate, siteOf(e), func() []ir.FailArg {
			x, y := shapeArg(p.dims), shapeArg(c.dims)
			if front {
				x, y = y, x
			}
			return []ir.FailArg{x, y, {X: ir.Integer(int64(axis + 1))}}
		})
	}
}

// laminate joins two arrays along a new axis.
func (g *gen) laminate(e *tail.Apply, args []*value) *value {
	if args[0].x != nil && args[1].x != nil {
		return array1(g.elemsPull(args[0].x.Kind(), []ir.Expr{g.atom("x", args[0].x), g.atom("y", args[1].x)}))
	}
	x, y := args[0].arr, args[1].arr
	g.sameShapes(x, y, e)
	cx, cy := g.cell(args[0], nil, e.Axis), g.cell(args[1], nil, e.Axis)
	return array1(g.joined(e, cx, cy))
}

// sameShapes checks that two arrays have one shape.
func (g *gen) sameShapes(a, b *pull, e *tail.Apply) {
	for i, differ := range g.differing(a, b, e) {
		if differ == nil {
			continue
		}
		axis := int64(i + 1)
		g.failIf(differ, tail.FaultShapes, siteOf(e), func() []ir.FailArg {
			return []ir.FailArg{shapeArg(a.dims), shapeArg(b.dims), {X: ir.Integer(axis)}}
		})
	}
}
