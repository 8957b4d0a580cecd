package shape

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/reduce"
	"github.com/tailor-lang/tailor/tail"
)

// Cat catenates along an axis; the pieces become separate loops.
func Cat(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	x, y := args[0].Arr, args[1].Arr
	if x.Elems != nil && y.Elems != nil {
		return build.Array1(g.ElemsPull(x.Elem, append(append([]ir.Expr{}, x.Elems...), y.Elems...)))
	}
	for a := range x.Dims {
		if a == e.Axis || tail.TypeOf(e.Args[0]).Extent(a).Equal(tail.TypeOf(e.Args[1]).Extent(a)) {
			continue
		}
		axis := int64(a + 1)
		g.FailIf(g.Compare(ir.OpNe, x.Dims[a], y.Dims[a]), tail.FaultCatenate, build.SiteOf(e), func() []ir.FailArg {
			return []ir.FailArg{build.ShapeArg(x.Dims), build.ShapeArg(y.Dims), {X: ir.Integer(axis)}}
		})
	}
	return build.Array1(joined(g, e, x, y))
}

// maxPieces is how many catenations may stay delayed inside each other.
const maxPieces = 4

// joined is x and then y along e's axis.
func joined(g *build.Builder, e *tail.Apply, x, y *build.Pull) *build.Pull {
	a := e.Axis
	dims := append([]ir.Expr{}, x.Dims...)
	for i := range dims {
		if _, ok := ir.IntOf(y.Dims[i]); ok {
			dims[i] = y.Dims[i]
		}
	}
	n := x.Dims[a]
	dims[a] = g.Extent(g.Size1(ir.Add(n, y.Dims[a])))
	made := func() *build.Pull {
		return &build.Pull{Pieces: x.Pieces + y.Pieces + 1, Elem: x.Elem, Dims: dims, Rng: x.Rng.Union(y.Rng), Span: facts.JoinSpans(x.Span, y.Span), Cost: max(x.Cost, y.Cost), Faults: x.Faults || y.Faults,
			Srcs: []*build.Pull{x, y}}
	}
	at := func(ix []ir.Expr) ir.Expr {
		return g.Branch(ix[a], n,
			func() ir.Expr { return g.Index(x, ix) },
			func() ir.Expr { return g.Index(y, build.Replaced(ix, a, ir.Sub(ix[a], n))) })
	}
	if q := made(); apart(g, x, y, q, at) {
		return q
	}
	for _, p := range []*build.Pull{x, y} {
		if p.Pieces > maxPieces {
			g.Materialise(p)
		}
		g.Pullable(p)
	}
	q := made()
	q.At = at
	if len(dims) == 1 {
		q.Pair = []*build.Pull{x, y}
	}
	return q
}

// cell returns v, a cell of an array of the given extents, as an array with an
// axis of one item.
func cell(g *build.Builder, v *build.Value, dims []ir.Expr, axis int) *build.Pull {
	if v.X != nil {
		return g.ConstantPull(g.Atom("x", v.X), build.Replaced(dims, axis, ir.Integer(1)))
	}
	c := g.Pullable(v.Arr)
	return build.View(c, build.Inserted(c.Dims, axis, ir.Integer(1)), func(ix []ir.Expr) ir.Expr { return g.Index(c, build.Without(ix, axis)) })
}

// Cons puts a cell in front of an array.
func Cons(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	return attach(g, e, args[0], args[1].Arr, e.Args[0], e.Args[1], true)
}

// Snoc puts a cell behind an array.
func Snoc(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	return attach(g, e, args[1], args[0].Arr, e.Args[1], e.Args[0], false)
}

// attach puts a cell in front of or behind an array.
func attach(g *build.Builder, e *tail.Apply, v *build.Value, p *build.Pull, ce, pe tail.Expr, front bool) *build.Value {
	if v.X != nil && p.Elems != nil && p.Rank() == 1 {
		x := g.Atom("x", v.X)
		if front {
			return build.Array1(g.ElemsPull(p.Elem, append([]ir.Expr{x}, p.Elems...)))
		}
		return build.Array1(g.ElemsPull(p.Elem, append(append([]ir.Expr{}, p.Elems...), x)))
	}
	if v.Arr != nil {
		cellFits(g, e, v.Arr, p, ce, pe, front)
	}
	c := cell(g, v, p.Dims, e.Axis)
	if front {
		if q := sumsFrom0(g, v, p, pe, c); q != nil {
			return build.Array1(q)
		}
		return build.Array1(joined(g, e, c, p))
	}
	return build.Array1(joined(g, e, p, c))
}

// sumsFrom0 is 0 and the running sums p, not stored yet, that e gives; nil for others.
// Without the last they are running sums themselves, of which no reader needs to test
// whether it reads the first one.
func sumsFrom0(g *build.Builder, zero *build.Value, p *build.Pull, e tail.Expr, c *build.Pull) *build.Pull {
	scan, ok := e.(*tail.Apply)
	if !ok || scan.Op != tail.OpScan || p.Fill == nil || p.Buf != nil || zero.X == nil || !ir.IsInt(zero.X, 0) {
		return nil
	}
	before := reduce.SumsBefore(g, scan, p.Srcs[0])
	if before == nil {
		return nil
	}
	n := ir.Integer(1)
	q := &build.Pull{Pieces: p.Pieces + 1, Elem: p.Elem, Dims: []ir.Expr{g.Extent(g.Size1(ir.Add(n, p.Dims[0])))}, Rng: p.Rng.Union(facts.Between(0, 0)), Cost: p.Cost, Faults: p.Faults, Srcs: []*build.Pull{c, p},
		Before: before}
	g.Join(q, []*build.Pull{c, p}, func(ix []ir.Expr) ir.Expr {
		return g.Branch(ix[0], n, func() ir.Expr { return ir.Integer(0) }, func() ir.Expr { return g.Index(p, []ir.Expr{ir.Sub(ix[0], n)}) })
	})
	return q
}

func cellFits(g *build.Builder, e *tail.Apply, c, p *build.Pull, ce, pe tail.Expr, front bool) {
	rest := build.Without(p.Dims, e.Axis)
	for i := range rest {
		axis := i
		if i >= e.Axis {
			axis++
		}
		if tail.TypeOf(ce).Extent(i).Equal(tail.TypeOf(pe).Extent(axis)) {
			continue
		}
		g.FailIf(g.Compare(ir.OpNe, c.Dims[i], rest[i]), tail.FaultCatenate, build.SiteOf(e), func() []ir.FailArg {
			x, y := build.ShapeArg(p.Dims), build.ShapeArg(c.Dims)
			if front {
				x, y = y, x
			}
			return []ir.FailArg{x, y, {X: ir.Integer(int64(axis + 1))}}
		})
	}
}

// Laminate joins two arrays along a new axis.
func Laminate(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	if args[0].X != nil && args[1].X != nil {
		return build.Array1(g.ElemsPull(args[0].X.Kind(), []ir.Expr{g.Atom("x", args[0].X), g.Atom("y", args[1].X)}))
	}
	x, y := args[0].Arr, args[1].Arr
	sameShapes(g, x, y, e)
	cx, cy := cell(g, args[0], nil, e.Axis), cell(g, args[1], nil, e.Axis)
	return build.Array1(joined(g, e, cx, cy))
}

// sameShapes checks that two arrays have one shape.
func sameShapes(g *build.Builder, a, b *build.Pull, e *tail.Apply) {
	for i, differ := range g.Differing(a, b, e) {
		if differ == nil {
			continue
		}
		axis := int64(i + 1)
		g.FailIf(differ, tail.FaultShapes, build.SiteOf(e), func() []ir.FailArg {
			return []ir.FailArg{build.ShapeArg(a.Dims), build.ShapeArg(b.Dims), {X: ir.Integer(axis)}}
		})
	}
}
