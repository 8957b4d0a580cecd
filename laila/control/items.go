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

// each runs body for the items, one after the other. Arrays whose faults are pending are
// computed before: the body would compute them for each item.
func (c *items) each(body func(i ir.Expr, p *build.Pull)) {
	c.Force()
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

// Items are what a function gives for the numbers of items: of each component that is a
// vector the elements of all items, one behind the other, and the lengths, which are known
// only as they come. The array that elements are put in has room for more, twice as much
// where it is full.
func Items(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	n := itemCount(g, e, args[1].X)
	f := tail.LamOf(e.Args[0])
	i := g.LoopVar(ir.Integer(0), n, nil)
	number := build.Scalar1(ir.Add(i.Use(), ir.Integer(1)))
	var parts []*gathered
	g.Block(func() {
		g.Env.Set(f.Params[0], build.Scalar1(g.Atom("n", number.X)))
		byBranch(g, f.Body, func(v *build.Value) {
			for k, v := range leaves(v) {
				kind := build.KindOf(arrays(f.Body.Type())[k].Elem)
				rng := rangeOfLeaf(g, v, kind)
				if k == len(parts) {
					parts = append(parts, &gathered{Builder: g, kind: kind, rng: rng, scalar: v.X != nil})
				}
				parts[k].rng = parts[k].rng.Union(rng)
			}
		})
	})
	for _, c := range parts {
		c.begin(n)
	}
	gather(g, f, i, n, parts)
	return gatheredAs(f.Body.Type(), &parts)
}

// itemCount is how many items there are.
func itemCount(g *build.Builder, e *tail.Apply, x ir.Expr) ir.Expr {
	n := g.Atom("n", x)
	g.FailIf(g.Compare(ir.OpLt, n, ir.Integer(0)), tail.FaultNegative, build.SiteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: n}} })
	g.Force()
	return g.Size1(n)
}

// gather puts what f gives for 1 2 … n in parts. Items that are items themselves go straight
// where they belong.
func gather(g *build.Builder, f *tail.Lam, i *ir.Var, n ir.Expr, parts []*gathered) {
	body := g.Block(func() {
		g.Env.Set(f.Params[0], build.Scalar1(g.Atom("n", ir.Add(i.Use(), ir.Integer(1)))))
		ended(g, f.Body, func(e tail.Expr) {
			if inner, ok := e.(*tail.Apply); ok && inner.Op == tail.OpItems {
				gatherInner(g, inner, i.Use(), parts)
				return
			}
			byBranch(g, e, func(v *build.Value) {
				vs := leaves(v)
				for k, c := range parts {
					c.extend(vs[k])
				}
				for k, c := range parts {
					c.add(i.Use(), vs[k])
				}
			})
		})
	})
	g.Emit(&ir.For{Var: i, Lo: ir.Integer(0), Hi: n, Body: body})
}

// gatherInner puts item i, which is items itself, in parts: the elements of its own items behind
// the elements before, their lengths behind the lengths before.
func gatherInner(g *build.Builder, e *tail.Apply, i ir.Expr, parts []*gathered) {
	n := itemCount(g, e, g.Scalar(e.Args[1]))
	f := tail.LamOf(e.Args[0])
	types := arrays(f.Body.Type())
	var inner []*gathered
	starts := map[*gathered]ir.Expr{} // of the elements of vectors
	for rest := parts; len(rest) > 0; rest = rest[1:] {
		own := *rest[0]
		if own.scalar = types[len(inner)].Dims() == 0; !own.scalar {
			starts[rest[0]] = g.Let("start", own.used.Use())
			rest = rest[1:]
			own.lengths = rest[0].all
		}
		rest[0].extendBy(n)
		own.from = rest[0].used.Use()
		inner = append(inner, &own)
	}
	gather(g, f, g.LoopVar(ir.Integer(0), n, nil), n, inner)
	for _, c := range parts {
		if start, ok := starts[c]; ok {
			c.length, c.after = g.Let("length", ir.Sub(c.used.Use(), start)), nil
		}
		c.end(i)
	}
}

// rangeOfLeaf is the range of the elements of a component, of a kind.
func rangeOfLeaf(g *build.Builder, v *build.Value, kind ir.Kind) facts.Interval {
	switch {
	case v.X != nil && v.X.Kind().Exact():
		return g.RangeOf(v.X)
	case v.X == nil && (v.Arr.Elem == ir.I64 || v.Arr.Elem == ir.C32):
		return v.Arr.Rng
	}
	return facts.RangeOfKind(kind)
}

// gathered is a component of items.
type gathered struct {
	*build.Builder
	kind          ir.Kind
	rng           facts.Interval
	scalar        bool
	all, lengths  *ir.Buf
	room, used    *ir.Var
	n             ir.Expr // how many items there are
	length, after ir.Expr // of the item at hand: its length, and where it ends
	from          ir.Expr // where the lengths, or scalars, of these items begin: nil at 0
}

// begin makes the arrays, of no items.
func (c *gathered) begin(n ir.Expr) {
	c.n = n
	kind := c.StoreKind(&build.Pull{Elem: c.kind, Rng: c.rng})
	if c.scalar {
		c.all = c.Heap("items", kind, []ir.Expr{n})
		return
	}
	c.lengths = c.Heap("lengths", ir.I64, []ir.Expr{n})
	c.all = c.Heap("items", kind, []ir.Expr{ir.Integer(0)})
	c.room, c.used = extentVar(c.Builder, "room", 0), extentVar(c.Builder, "used", 0)
}

// extend makes room for an item.
func (c *gathered) extend(v *build.Value) {
	if c.scalar {
		return
	}
	if (v.Arr.Fill != nil || v.Arr.Drive != nil) && !c.Placed(v.Arr) {
		c.Materialise(v.Arr)
	}
	c.extendBy(c.Atom("length", v.Arr.Dims[0]))
}

// extendBy makes room for so many elements.
func (c *gathered) extendBy(n ir.Expr) {
	c.length = n
	c.after = c.Let("end", ir.Add(c.used.Use(), c.length))
	c.Emit(&ir.If{Cond: ir.OpLt.Of(c.room.Use(), c.after), Then: c.Block(func() {
		c.Emit(c.room.Assign(ir.OpMax.Of(c.after, ir.Mul(c.room.Use(), ir.Integer(2)))))
		more := c.Heap("items", c.all.Elem, []ir.Expr{c.Let("n", c.room.Use())})
		c.Emit(&ir.Copy{Dst: more, DstIndex: ir.Integer(0), Src: c.all, SrcIndex: ir.Integer(0), Count: c.used.Use()})
		c.Emit(&ir.Swap{A: c.all, B: more})
	})})
}

// add puts item i behind those before.
func (c *gathered) add(i ir.Expr, v *build.Value) {
	if c.scalar {
		put(c.Builder, v, c.all, c.place(i))
		return
	}
	put(c.Builder, v, c.all, c.used.Use())
	c.end(i)
}

// end notes the length of item i, whose elements are stored.
func (c *gathered) end(i ir.Expr) {
	c.Emit(c.lengths.Store(c.place(i), ir.ConvertTo(c.lengths.Elem, c.length)))
	if c.after != nil {
		c.Emit(c.used.Assign(c.after))
	}
}

// place is where the length of item i, or the scalar that it is, belongs.
func (c *gathered) place(i ir.Expr) ir.Expr {
	if c.from == nil {
		return i
	}
	return c.Atom("at", ir.Add(c.from, i))
}

// gatheredAs is the value of items of a type, of which parts are the components.
func gatheredAs(t tail.Type, parts *[]*gathered) *build.Value {
	if t, ok := t.(*tail.TupleType); ok {
		z := &build.Value{Tup: []*build.Value{}}
		for _, x := range t.Elems {
			z.Tup = append(z.Tup, gatheredAs(x, parts))
		}
		return z
	}
	c := (*parts)[0]
	*parts = (*parts)[1:]
	elements := c.Stored(c.kind, c.all, []ir.Expr{c.n})
	elements.Rng = c.rng
	if c.scalar {
		return build.Array1(elements)
	}
	elements.Dims = []ir.Expr{c.Let("n", c.used.Use())}
	counts := c.Stored(ir.I64, c.lengths, []ir.Expr{c.n})
	counts.Rng = facts.Between(0, facts.MaxExtent)
	counts.Sums = &counts.Rng
	return &build.Value{Tup: []*build.Value{build.Array1(elements), build.Array1(counts)}}
}
