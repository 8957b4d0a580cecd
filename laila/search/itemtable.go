package search

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// itemTable is a table of n items, elements of a vector or items of a ragged one, in which
// single ones are looked for: by open addressing, at most half full, places of items from 1
// on, and 0 where the table is free. Of equal items it has the first one.
//
//	for i = 0 … n
//	  at = hash(v[i]) & mask
//	  loop: break if t[at] == 0; break if v[t[at]-1] == v[i]; at = at+1 & mask
//	  if t[at] == 0: t[at] = i + 1
type itemTable struct {
	*build.Builder
	n      ir.Expr
	places *build.Pull
	item   func(i ir.Expr) sought
}

// sought is an item that is looked for.
type sought interface {
	hash(g *build.Builder) ir.Expr
	// equals returns whether it is another item.
	equals(g *build.Builder, y sought) ir.Expr
}

// ItemTable lowers the table of a vector.
func ItemTable(g *build.Builder, _ *tail.Apply, args []*build.Value) *build.Value {
	g.Force()
	return tableOf(g, nil, args[0].Arr).fill()
}

// ItemPlace lowers the place of x in a vector, by the table of it: from 1, and one more than
// there are elements where x is not among them.
func ItemPlace(g *build.Builder, _ *tail.Apply, args []*build.Value) *build.Value {
	return tableOf(g, args[0].Arr, args[1].Arr).find(func() sought { return element{g.Atom("x", args[2].X)} })
}

// RaggedTable lowers the table of the items of a ragged vector.
func RaggedTable(g *build.Builder, _ *tail.Apply, args []*build.Value) *build.Value {
	g.Force()
	return raggedTable(g, nil, args).fill()
}

// RaggedPlace lowers the place of a vector among the items of a ragged one, by the table of
// them or, where that is empty, by looking at each.
func RaggedPlace(g *build.Builder, _ *tail.Apply, args []*build.Value) *build.Value {
	g.Force()
	x := g.Pullable(g.Total(args[4].Arr))
	if !x.Cheap() {
		g.Materialise(x)
	}
	t := raggedTable(g, args[0].Arr, args[1:])
	all := func() sought { return stretch{x, ir.Integer(0), g.Atom("n", x.Dims[0])} }
	if n, ok := ir.IntOf(t.places.Dims[0]); !ok || n > 0 {
		return t.find(all)
	}
	return build.Scalar1(ir.Add(firstTrue(g, t.n, func(i ir.Expr) ir.Expr { return all().equals(g, t.item(i)) }), ir.Integer(1)))
}

// tableOf is a table, which may be yet to be made, of the elements of a vector.
func tableOf(g *build.Builder, places, v *build.Pull) *itemTable {
	v = g.Total(v)
	return &itemTable{g, g.Atom("n", v.Dims[0]), places, func(i ir.Expr) sought {
		return element{g.Atom("x", g.Index(v, []ir.Expr{i}))}
	}}
}

// raggedTable is a table, which may be yet to be made, of the items of a ragged vector.
func raggedTable(g *build.Builder, places *build.Pull, parts []*build.Value) *itemTable {
	all, from, lengths := g.Total(parts[0].Arr), g.Total(parts[1].Arr), g.Total(parts[2].Arr)
	return &itemTable{g, g.Atom("n", lengths.Dims[0]), places, func(i ir.Expr) sought {
		at := func(p *build.Pull) ir.Expr { return g.Atom("w", g.Index(p, []ir.Expr{i})) }
		return stretch{all, at(from), at(lengths)}
	}}
}

// fill makes the table.
func (t *itemTable) fill() *build.Value {
	kind, most := ir.I32, t.RangeOf(t.n).Hi
	if most >= math.MaxInt32 {
		kind = ir.I64
	}
	size := t.size()
	b := t.Heap("table", kind, []ir.Expr{size})
	t.Bufs[b] = facts.Between(0, most)
	t.places = t.Stored(ir.I64, b, []ir.Expr{size})
	t.Segmap([]ir.Expr{size}, func(ix []ir.Expr) { t.Emit(b.Store(ix[0], ir.ConvertTo(kind, ir.Integer(0)))) })
	t.Sequence(t.n, func(i ir.Expr) {
		at := t.probe(t.item(i))
		t.Emit(&ir.If{Cond: ir.OpEq.Of(t.at(at), ir.Integer(0)), Then: t.Block(func() {
			t.Emit(b.Store(at, ir.ConvertTo(kind, ir.Add(i, ir.Integer(1)))))
		})})
	})
	return build.Array1(t.places)
}

// size is a power of two, at least 2 and twice the number of items.
func (t *itemTable) size() ir.Expr {
	if k, known := ir.IntOf(t.n); known {
		return ir.Integer(2 << bits.Len64(uint64(max(k, 1)-1)))
	}
	size := t.Mutable("size", ir.I64, ir.Integer(2))
	t.Ranges[size] = facts.Between(2, 4*max(t.RangeOf(t.n).Hi, 1))
	least := t.Let("least", ir.Add(t.n, t.n))
	t.Emit(&ir.Loop{Body: t.Block(func() {
		t.Emit(&ir.BreakIf{Cond: ir.OpGe.Of(size.Use(), least)}, size.Assign(ir.OpAdd.Of(size.Use(), size.Use())))
	})})
	return t.Let("size", size.Use())
}

// find is the place of x.
func (t *itemTable) find(x func() sought) *build.Value {
	var found *ir.Var
	t.Guarded(func() {
		inside := t.Nest.Inside
		t.Nest.Inside = true
		found = t.Mutable("p", ir.I64, t.at(t.probe(x())))
		t.Ranges[found] = facts.Between(0, t.RangeOf(t.n).Hi)
		t.Nest.Inside = inside
	})
	return build.Scalar1(ir.Choose(ir.OpEq.Of(found.Use(), ir.Integer(0)), ir.Add(t.n, ir.Integer(1)), found.Use()))
}

// at is what the table has in a place.
func (t *itemTable) at(i ir.Expr) ir.Expr { return t.Index(t.places, []ir.Expr{i}) }

// probe returns where the table has x, or is free for it.
func (t *itemTable) probe(x sought) ir.Expr {
	mask := ir.Sub(t.places.Dims[0], ir.Integer(1))
	at := t.Mutable("at", ir.I64, ir.OpAnd.Of(x.hash(t.Builder), mask))
	t.Ranges[at] = facts.Between(0, t.RangeOf(mask).Hi)
	t.Emit(&ir.Loop{Body: t.Block(func() {
		p := t.Let("p", t.at(at.Use())).(*ir.Use)
		t.Emit(&ir.BreakIf{Cond: ir.OpEq.Of(p, ir.Integer(0))})
		same := x.equals(t.Builder, t.item(ir.Sub(p, ir.Integer(1))))
		t.Emit(&ir.BreakIf{Cond: same}, at.Assign(ir.OpAnd.Of(ir.Add(at.Use(), ir.Integer(1)), mask)))
	})})
	return at.Use()
}

// element is an integer or a character.
type element struct{ x ir.Expr }

func (e element) equals(g *build.Builder, y sought) ir.Expr {
	return g.Compare(ir.OpEq, y.(element).x, e.x)
}

func (e element) hash(g *build.Builder) ir.Expr { return spread(g, mixed(g, ir.Integer(0), e.x)) }

// stretch are n elements of a vector, from one on.
type stretch struct {
	of      *build.Pull
	from, n ir.Expr
}

// at is one of the elements.
func (e stretch) at(g *build.Builder, i ir.Expr) ir.Expr {
	return g.Index(e.of, []ir.Expr{ir.Add(e.from, i)})
}

func (e stretch) equals(g *build.Builder, y sought) ir.Expr {
	other := y.(stretch)
	same := g.Mutable("same", ir.U8, ir.OpEq.Of(e.n, other.n))
	i := g.Mutable("i", ir.I64, ir.Integer(0))
	g.Ranges[i] = facts.Between(0, facts.MaxExtent)
	g.Emit(&ir.Loop{Body: g.Block(func() {
		g.Emit(&ir.BreakIf{Cond: ir.Not(same.Use())}, &ir.BreakIf{Cond: ir.OpGe.Of(i.Use(), e.n)})
		g.Emit(same.Assign(g.Compare(ir.OpEq, e.at(g, i.Use()), other.at(g, i.Use()))))
		g.Emit(i.Assign(ir.OpAdd.Of(i.Use(), ir.Integer(1))))
	})})
	return same.Use()
}

func (e stretch) hash(g *build.Builder) ir.Expr {
	h := g.Mutable("h", ir.I64, ir.Integer(1))
	g.Ranges[h] = facts.Between(0, math.MaxInt64)
	g.Sequence(e.n, func(i ir.Expr) { g.Emit(h.Assign(mixed(g, h.Use(), g.Atom("x", e.at(g, i))))) })
	return spread(g, h.Use())
}

// mixed puts x into a hash, a natural number, by products that do not overflow.
func mixed(g *build.Builder, h, x ir.Expr) ir.Expr {
	half, low := ir.Integer(32), ir.Integer(math.MaxUint32)
	halves := func(x ir.Expr) (upper, lower ir.Expr) {
		return ir.OpAnd.Of(ir.OpShr.Of(x, half), low), ir.OpAnd.Of(x, low)
	}
	x = ir.ConvertTo(ir.I64, x)
	hi, lo := halves(g.Atom("x", x))
	carried, last := halves(h)
	sum := ir.OpMul.Of(ir.OpXor.Of(lo, last), ir.Integer(0x2545f491))
	return ir.OpAdd.Of(ir.OpAdd.Of(sum, ir.OpMul.Of(hi, ir.Integer(0x1b873593))), carried)
}

// spread has all bits of a hash take part in its lowest ones.
func spread(g *build.Builder, h ir.Expr) ir.Expr {
	h = g.Atom("h", h)
	return ir.OpXor.Of(h, ir.OpShr.Of(h, ir.Integer(32)))
}
