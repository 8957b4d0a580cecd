package search

import (
	"math"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

const (
	// rangedFew is how many values the range of what is searched may always have.
	rangedFew = 256
	// rangedBrief is how many it may have in nests, of which each iteration makes a table.
	rangedBrief = 128
	// rangedMost is the largest range, whose table the second cache holds.
	rangedMost = 1 << 18
	// rangedShare is how many values of the range there may be for each element that
	// is looked for.
	rangedShare = 4
	// rangedLong is how many elements for each value of the range have mostly values that
	// were there before.
	rangedLong = 16
)

// Ranged lowers v⍳x, x∊v and v⍸x for integers and characters v of a small range to a
// table over that range, so that the places that it gives are an array without storage:
//
//	for k = 0 … range+2: t[k] = n + 1
//	for i = 0 … n: t[v[n-1-i] - least + 1] = n - i           v⍳x: the first one stays
//	t[min(max(x, least-1), most+1) - least + 1]              where x is used
//
// Both ends of the table are for x outside of the range. The table of v⍸x has the
// greatest number that was put at or before a place. Ranged is nil where the range is not known,
// and where it is large for the number of elements of x, or within nests.
func Ranged(g *build.Builder, op tail.Op, args []*build.Value) *build.Value {
	switch op {
	case tail.OpUnique:
		return rangedUnique(g, args[0].Arr)
	case tail.OpMember, tail.OpIndexOf, tail.OpIntervalIndex:
	default:
		return nil
	}
	v, x := args[0].Arr, args[1].Arr
	if op == tail.OpMember {
		v, x = x, v
	}
	t := rangedOver(g, v, x)
	if t == nil || v.Elem != x.Elem {
		return nil
	}
	t.fill(op, g.Pullable(v))
	g.Pullable(x)
	q := &build.Pull{Elem: t.elem, Dims: x.Dims, Rng: t.rng, Cost: x.Cost + 3, Faults: x.Faults, Pieces: x.Pieces, Srcs: []*build.Pull{x, t.table}, Pointwise: true}
	if x.At != nil || x.Flat != nil {
		q.At = func(ix []ir.Expr) ir.Expr { return t.find(g.Index(x, ix), x.Rng) }
	}
	if x.Flat != nil {
		q.Flat = func(i ir.Expr) ir.Expr { return t.find(g.IndexFlat(x, i), x.Rng) }
	}
	if op == tail.OpIndexOf {
		NoneMissing(g, args, q)
	}
	return build.Array1(q)
}

// rangedOver returns a table over the range of v, yet without storage, to be used for each
// element of x; nil where there should be none. Elements of v that may fault are stored.
func rangedOver(g *build.Builder, v, x *build.Pull) *ranged {
	if v == nil || x == nil || v.Rank() != 1 || v.Elem != ir.I64 && v.Elem != ir.C32 || !g.CPU() {
		return nil
	}
	r := v.Rng
	if r == (facts.Interval{}) || r.Lo < -math.MaxInt32 || r.Hi > math.MaxInt32 || !worthTable(r.Hi-r.Lo+1, x) || g.Nest != nil && r.Hi-r.Lo >= rangedBrief {
		return nil
	}
	if v.Faults {
		g.Force()
		g.Materialise(v)
	}
	return &ranged{Builder: g, n: v.Dims[0], lo: r.Lo, hi: r.Hi}
}

// NoneMissing notes that u⍳x, which is q, has no number beyond u where that is ∪x, also when it
// is stored.
func NoneMissing(g *build.Builder, args []*build.Value, q *build.Pull) {
	u := args[0].Arr
	if u == nil || u.Unique == nil || u.Unique != args[1].Arr {
		return
	}
	g.IsInGroups(q, u.Dims[0])
}

// rangedUnique lowers ∪x where x has a small range:
//
//	for i = 0 … n
//	  if !seen[x[i] - least + 1]: seen[x[i] - least + 1] = 1; r[count] = x[i]; count = count + 1
//
// There is no branch where x may be short, as nobody could predict it:
//
//	r[count] = x[i]; count = count + !seen[x[i] - least + 1]; seen[x[i] - least + 1] = 1
func rangedUnique(g *build.Builder, x *build.Pull) *build.Value {
	t := rangedOver(g, x, x)
	if t == nil {
		return nil
	}
	g.Pullable(x)
	kind, size := g.StoreKind(x), t.hi-t.lo+3
	most := min(size, max(g.RangeOf(t.n).Hi, 0))
	seen := g.Alloc("seen", ir.U8, []ir.Expr{ir.Integer(size)})
	first := g.Alloc("first", kind, []ir.Expr{g.Atom("n", g.Smaller(t.n, ir.Integer(size)))})
	count := g.Mutable("count", ir.I64, ir.Integer(0))
	g.Ranges[count] = facts.Between(0, most)
	g.Bufs[first] = x.Rng
	g.Segmap([]ir.Expr{ir.Integer(size)}, func(ix []ir.Expr) { g.Emit(seen.Store(ix[0], ir.Boolean(false))) })
	g.Sequence(t.n, func(i ir.Expr) {
		e := g.Atom("x", g.IndexFlat(x, i))
		at := t.place(e, x.Rng)
		if n, known := ir.IntOf(t.n); g.CPU() && (!known || n < rangedLong*size) {
			at = g.Atom("at", at)
			new := g.Let("new", ir.ConvertTo(ir.I64, ir.Not(seen.Load(at))))
			g.Emit(first.Store(count.Use(), ir.ConvertTo(kind, e)), count.Assign(ir.Add(count.Use(), new)), seen.Store(at, ir.Boolean(true)))
			return
		}
		g.Emit(&ir.If{Cond: ir.Not(seen.Load(at)), Then: g.Block(func() {
			g.Emit(seen.Store(at, ir.Boolean(true)), first.Store(count.Use(), ir.ConvertTo(kind, e)))
			g.Emit(count.Assign(ir.Add(count.Use(), ir.Integer(1))))
		})})
	})
	n := g.Let("d", count.Use())
	r := g.Alloc("r", kind, []ir.Expr{n})
	g.Bufs[r] = x.Rng
	g.Segmap([]ir.Expr{n}, func(ix []ir.Expr) { g.Emit(r.Store(ix[0], first.Load(ix[0]))) })
	q := g.Stored(x.Elem, r, []ir.Expr{n})
	q.Unique = x
	return build.Array1(q)
}

// worthTable reports whether a table of size values is small, or small for the number
// of elements of x.
func worthTable(size int64, x *build.Pull) bool {
	if size <= rangedFew {
		return true
	}
	n, known := ir.IntOf(ir.Product(x.Dims))
	return known && size <= rangedMost && size <= rangedShare*n
}

// ranged is a table over the range from lo to hi of n elements, with a place more at
// both ends.
type ranged struct {
	*build.Builder
	n      ir.Expr
	lo, hi int64
	elem   ir.Kind // of an answer
	rng    facts.Interval
	table  *build.Pull
}

// fill makes the table for v.
func (t *ranged) fill(op tail.Op, v *build.Pull) {
	size, n := ir.Integer(t.hi-t.lo+3), t.RangeOf(t.n).Hi
	kind, none := ir.I32, ir.Expr(ir.Integer(0))
	t.elem, t.rng = ir.I64, facts.Between(0, n)
	switch op {
	case tail.OpMember:
		t.elem, kind, none, t.rng = ir.U8, ir.U8, ir.Boolean(false), facts.Between(0, 1)
	case tail.OpIndexOf:
		none, t.rng = ir.Add(t.n, ir.Integer(1)), facts.Between(1, n+1)
	}
	if n >= math.MaxInt32 {
		kind = ir.I64
	}
	b := t.Alloc("t", kind, []ir.Expr{size})
	t.Bufs[b] = t.rng
	put := func(k, x ir.Expr) { t.Emit(b.Store(k, ir.ConvertTo(kind, x))) }
	t.Segmap([]ir.Expr{size}, func(ix []ir.Expr) { put(ix[0], none) })
	t.Sequence(t.n, func(i ir.Expr) {
		at, found := i, ir.Expr(ir.Boolean(true))
		switch op {
		case tail.OpIndexOf:
			at, found = ir.Sub(ir.Sub(t.n, ir.Integer(1)), i), ir.Sub(t.n, i)
		case tail.OpIntervalIndex:
			found = ir.Add(i, ir.Integer(1))
		}
		put(t.place(t.IndexFlat(v, at), v.Rng), found)
	})
	if op == tail.OpIntervalIndex {
		most := t.Mutable("most", ir.I64, ir.Integer(0))
		t.Ranges[most] = t.rng
		t.Sequence(size, func(k ir.Expr) {
			t.Emit(most.Assign(ir.OpMax.Of(most.Use(), ir.ConvertTo(ir.I64, b.Load(k)))))
			put(k, most.Use())
		})
	}
	t.table = t.Stored(t.elem, b, []ir.Expr{size})
}

// place returns where x, of the range r, has its answer.
func (t *ranged) place(x ir.Expr, r facts.Interval) ir.Expr {
	x = ir.ConvertTo(ir.I64, x)
	if r == (facts.Interval{}) || r.Lo < t.lo {
		x = ir.OpMax.Of(x, ir.Integer(t.lo-1))
	}
	if r == (facts.Interval{}) || r.Hi > t.hi {
		x = ir.OpMin.Of(x, ir.Integer(t.hi+1))
	}
	return t.Within(ir.Sub(x, ir.Integer(t.lo-1)), 0, ir.Integer(t.hi-t.lo+2))
}

// find returns the answer for x.
func (t *ranged) find(x ir.Expr, r facts.Interval) ir.Expr {
	return ir.ConvertTo(t.elem, t.table.Buf.Load(t.place(x, r)))
}
