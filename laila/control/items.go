package control

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/shape"
	"github.com/tailor-lang/tailor/tail"
)

// items lowers functions that give a vector for the number of an item.
type items struct {
	*build.Builder
	e *tail.Apply
	f *tail.Lam
	k ir.Kind
	n ir.Expr // how many items there are
}

// item is the vector for item i, counted from 0.
func (c *items) item(i ir.Expr) *build.Pull {
	c.Env.Set(c.f.Params[0], build.Scalar1(c.Atom("n", ir.Add(i, ir.Integer(1)))))
	return c.Array(c.Expr(c.f.Body))
}

// each runs body for the items, one after the other.
func (c *items) each(body func(i ir.Expr, p *build.Pull)) {
	v := c.LoopVar(ir.Integer(0), c.n, nil)
	stmts := c.Block(func() { body(v.Use(), c.item(v.Use())) })
	c.Emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: c.n, Body: stmts})
}

// rangeOfItems is the range of the elements of all items.
func (c *items) rangeOfItems() facts.Interval {
	rng := facts.RangeOfKind(c.k)
	c.Block(func() {
		p := c.item(c.LoopVar(ir.Integer(0), c.n, nil).Use())
		if p.Elem == ir.I64 || p.Elem == ir.C32 {
			rng = p.Rng
		}
	})
	return rng
}

// Segments are the vectors that a function gives, of known lengths, one behind the
// other:
//
//	alloc a[total]
//	for i = 0 … n
//	  for j = 0 … lengths[i]
//	    a[at+j] = element j of item i
//	  at = at + lengths[i]
func Segments(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	lengths := g.Array(args[1])
	g.Reread(lengths)
	c := &items{Builder: g, e: e, f: tail.LamOf(e.Args[0]), k: build.KindOf(tail.TypeOf(e).Elem), n: lengths.Dims[0]}
	total := shape.TotalCount(g, e, lengths, lengths.Dims, 0)
	q := &build.Pull{Elem: c.k, Dims: []ir.Expr{total}, Rng: c.rangeOfItems(), Cost: 1000, Faults: g.CanFault(c.f), Srcs: []*build.Pull{lengths}}
	q.Fill = func(dst *ir.Buf) {
		at := g.Mutable("at", ir.I64, ir.Integer(0))
		g.Ranges[at] = facts.Between(0, facts.MaxExtent)
		c.each(func(i ir.Expr, p *build.Pull) {
			length := g.Atom("length", ir.ConvertTo(ir.I64, g.Index(lengths, []ir.Expr{i})))
			c.fits(p, length)
			put(g, build.Array1(p), dst, at.Use())
			g.Emit(at.Assign(ir.Add(at.Use(), length)))
		})
	}
	if g.Impure(c.f) {
		g.Force()
		g.Materialise(q)
	}
	return build.Array1(q)
}

// fits tests that an item is as long as it is said to be.
func (c *items) fits(p *build.Pull, length ir.Expr) {
	n := p.Dims[0]
	c.FailIf(c.Compare(ir.OpNe, n, length), tail.FaultShapes, build.SiteOf(c.e), func() []ir.FailArg {
		return []ir.FailArg{build.ShapeArg([]ir.Expr{n}), build.ShapeArg([]ir.Expr{length}), {X: ir.Integer(1)}}
	})
}

// Items are the vectors that a function gives, whose lengths are known only as they
// come, one behind the other, and the lengths. The array that they are put in has room
// for more, twice as much where it is full.
func Items(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	t := e.Ty.(*tail.TupleType).Elems[0].(*tail.Array)
	n := g.Atom("n", args[1].X)
	g.FailIf(g.Compare(ir.OpLt, n, ir.Integer(0)), tail.FaultNegative, build.SiteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: n}} })
	g.Force()
	c := &items{Builder: g, e: e, f: tail.LamOf(e.Args[0]), k: build.KindOf(t.Elem), n: g.Size1(n)}
	rng := c.rangeOfItems()
	kind := g.StoreKind(&build.Pull{Elem: c.k, Rng: rng})
	lengths := g.Heap("lengths", ir.I64, []ir.Expr{c.n})
	all := g.Heap("items", kind, []ir.Expr{ir.Integer(0)})
	room, used := extentVar(g, "room", 0), extentVar(g, "used", 0)
	c.each(func(i ir.Expr, p *build.Pull) {
		if p.Fill != nil || p.Drive != nil {
			g.Materialise(p)
		}
		length := g.Atom("length", p.Dims[0])
		end := g.Let("end", ir.Add(used.Use(), length))
		g.Emit(&ir.If{Cond: ir.OpLt.Of(room.Use(), end), Then: g.Block(func() {
			g.Emit(room.Assign(ir.OpMax.Of(end, ir.Mul(room.Use(), ir.Integer(2)))))
			more := g.Heap("items", kind, []ir.Expr{g.Let("n", room.Use())})
			g.Emit(&ir.Copy{Dst: more, DstIndex: ir.Integer(0), Src: all, SrcIndex: ir.Integer(0), Count: used.Use()})
			g.Emit(&ir.Swap{A: all, B: more})
		})})
		put(g, build.Array1(p), all, used.Use())
		g.Emit(lengths.Store(i, length), used.Assign(end))
	})
	elements := g.Stored(c.k, all, []ir.Expr{g.Let("n", used.Use())})
	elements.Rng = rng
	counts := g.Stored(ir.I64, lengths, []ir.Expr{c.n})
	counts.Rng = facts.Between(0, facts.MaxExtent)
	return &build.Value{Tup: []*build.Value{build.Array1(elements), build.Array1(counts)}}
}
