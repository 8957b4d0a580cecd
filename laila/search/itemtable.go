package search

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// ItemTable lowers the table of a vector v of n elements, in which single elements are
// looked for: by open addressing, at most half full, places in v from 1 on, and 0 where
// the table is free. Of equal elements it has the first one.
//
//	for i = 0 … n
//	  at = hash(v[i]) & mask
//	  loop: break if t[at] == 0; break if v[t[at]-1] == v[i]; at = at+1 & mask
//	  if t[at] == 0: t[at] = i + 1
func ItemTable(g *build.Builder, _ *tail.Apply, args []*build.Value) *build.Value {
	g.Force()
	v := g.Total(args[0].Arr)
	n := g.Atom("n", v.Dims[0])
	kind, most := ir.I32, g.RangeOf(n).Hi
	if most >= math.MaxInt32 {
		kind = ir.I64
	}
	size := tableSize(g, n)
	b := g.Heap("table", kind, []ir.Expr{size})
	g.Bufs[b] = facts.Between(0, most)
	t := &itemTable{g, g.Stored(ir.I64, b, []ir.Expr{size}), v}
	g.Segmap([]ir.Expr{size}, func(ix []ir.Expr) { g.Emit(b.Store(ix[0], ir.ConvertTo(kind, ir.Integer(0)))) })
	g.Sequence(n, func(i ir.Expr) {
		at := t.probe(g.Atom("x", g.Index(v, []ir.Expr{i})))
		g.Emit(&ir.If{Cond: ir.OpEq.Of(t.at(at), ir.Integer(0)), Then: g.Block(func() {
			g.Emit(b.Store(at, ir.ConvertTo(kind, ir.Add(i, ir.Integer(1)))))
		})})
	})
	return build.Array1(t.places)
}

// tableSize is a power of two, at least 2 and twice n.
func tableSize(g *build.Builder, n ir.Expr) ir.Expr {
	if k, known := ir.IntOf(n); known {
		return ir.Integer(2 << bits.Len64(uint64(max(k, 1)-1)))
	}
	size := g.Mutable("size", ir.I64, ir.Integer(2))
	g.Ranges[size] = facts.Between(2, 4*max(g.RangeOf(n).Hi, 1))
	least := g.Let("least", ir.Add(n, n))
	g.Emit(&ir.Loop{Body: g.Block(func() {
		g.Emit(&ir.BreakIf{Cond: ir.OpGe.Of(size.Use(), least)}, size.Assign(ir.OpAdd.Of(size.Use(), size.Use())))
	})})
	return g.Let("size", size.Use())
}

// ItemPlace lowers the place of x in v, of which the table t was made: from 1, and one
// more than v has elements where x is not among them.
func ItemPlace(g *build.Builder, _ *tail.Apply, args []*build.Value) *build.Value {
	t := &itemTable{g, g.Total(args[0].Arr), g.Total(args[1].Arr)}
	n := t.v.Dims[0]
	var found *ir.Var
	g.Guarded(func() {
		inside := g.Nest.Inside
		g.Nest.Inside = true
		found = g.Mutable("p", ir.I64, t.at(t.probe(g.Atom("x", args[2].X))))
		g.Ranges[found] = facts.Between(0, g.RangeOf(n).Hi)
		g.Nest.Inside = inside
	})
	return build.Scalar1(ir.Choose(ir.OpEq.Of(found.Use(), ir.Integer(0)), ir.Add(n, ir.Integer(1)), found.Use()))
}

// itemTable is the table of the vector v.
type itemTable struct {
	*build.Builder
	places, v *build.Pull
}

// at is what the table has in a place.
func (t *itemTable) at(i ir.Expr) ir.Expr { return t.Index(t.places, []ir.Expr{i}) }

// probe returns where the table has x, or is free for it.
func (t *itemTable) probe(x ir.Expr) ir.Expr {
	mask := ir.Sub(t.places.Dims[0], ir.Integer(1))
	at := t.Mutable("at", ir.I64, ir.OpAnd.Of(hashed(t.Builder, ir.ConvertTo(ir.I64, x)), mask))
	t.Ranges[at] = facts.Between(0, t.RangeOf(mask).Hi)
	t.Emit(&ir.Loop{Body: t.Block(func() {
		p := t.Let("p", t.at(at.Use())).(*ir.Use)
		t.Emit(&ir.BreakIf{Cond: ir.OpEq.Of(p, ir.Integer(0))})
		same := t.Compare(ir.OpEq, t.Index(t.v, []ir.Expr{ir.Sub(p, ir.Integer(1))}), x)
		t.Emit(&ir.BreakIf{Cond: same}, at.Assign(ir.OpAnd.Of(ir.Add(at.Use(), ir.Integer(1)), mask)))
	})})
	return at.Use()
}

// hashed mixes the bits of an integer by products that do not overflow: all of them have a
// part in the lowest ones.
func hashed(g *build.Builder, x ir.Expr) ir.Expr {
	half, low := ir.Integer(32), ir.Integer(math.MaxUint32)
	x = g.Atom("x", x)
	h := g.Let("h", ir.OpAdd.Of(
		ir.OpMul.Of(ir.OpAnd.Of(x, low), ir.Integer(0x2545f491)),
		ir.OpMul.Of(ir.OpAnd.Of(ir.OpShr.Of(x, half), low), ir.Integer(0x1b873593))))
	return ir.OpXor.Of(h, ir.OpShr.Of(h, half))
}
