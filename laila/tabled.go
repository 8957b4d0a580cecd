package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

const (
	// tableRange is how many values there may be of what is looked up in a table
	// of constants.
	tableRange = 1024
	// placeRuns is the largest number of runs of neighbours in which positions
	// are found by comparisons.
	placeRuns = 3
)

// lookedUp looks up elements of a small range in constants, x∊c or c⍳x, an element
// at a time: where the constants are a few runs of neighbours, the position is a
// difference, else a table over the range has the answers. It is nil where
// that is not possible.
//
//	⎕A⍳text             c - 65 ≤ 25 ? c - 64 : 27       for bytes c, which wrap
//	'+-×÷'⍳text         t[c]                            for a table of 256 places
func (g *gen) lookedUp(op tail.Op, args []*value) *value {
	x, set := args[0].arr, args[1].arr
	if op == tail.OpIndexOf {
		x, set = set, x
	}
	if x == nil || set == nil || x.elem != set.elem || x.elem != ir.C32 && x.elem != ir.I64 {
		return nil
	}
	values, ok := g.constants(set)
	lo, hi := x.rng.Lo, x.rng.Hi
	if !ok || set.rank() != 1 && op == tail.OpIndexOf || x.rng == (facts.Interval{}) || lo < -tableRange || hi > tableRange || hi-lo >= tableRange {
		return nil
	}
	n := int64(len(values))
	places := make([]int64, hi-lo+1)
	for i := range places {
		if op == tail.OpIndexOf {
			places[i] = n + 1
		}
	}
	for i, v := range slices.Backward(values) {
		switch {
		case v < lo || v > hi:
		case op == tail.OpMember:
			places[v-lo] = 1
		default:
			places[v-lo] = int64(i) + 1
		}
	}
	q := &pull{elem: ir.I64, dims: x.dims, rng: facts.Between(1, n+1), cost: x.cost + 2, faults: x.faults, pieces: x.pieces, srcs: []*pull{x}, pointwise: true}
	if op == tail.OpMember {
		q.elem, q.rng = ir.U8, facts.Between(0, 1)
	}
	find := g.inTable(places, lo, q)
	if runs := placesOf(values); op == tail.OpIndexOf && x.elem == ir.C32 && len(runs) <= placeRuns && n < 255 {
		find = g.inRuns(runs, n, find)
	}
	g.pullable(x)
	if x.at != nil || x.flat != nil {
		q.at = func(ix []ir.Expr) ir.Expr { return find(g.index(x, ix)) }
	}
	if x.flat != nil {
		q.flat = func(i ir.Expr) ir.Expr { return find(g.indexFlat(x, i)) }
	}
	return array1(q)
}

// inTable returns the function that looks a number from lo on up in a constant
// table.
func (g *gen) inTable(places []int64, lo int64, q *pull) func(ir.Expr) ir.Expr {
	var table *ir.Buf
	return func(c ir.Expr) ir.Expr {
		if table == nil {
			k := q.elem
			if k == ir.I64 {
				k = facts.Narrowest(q.rng)
			}
			table = &ir.Buf{Name: "table", Elem: k, Const: true}
			g.Bufs[table] = q.rng
			g.Out.Consts = append(g.Out.Consts, &ir.Const{Buf: table, Ints: places})
		}
		return ir.ConvertTo(q.elem, table.Load(ir.Sub(ir.ConvertTo(ir.I64, c), ir.Integer(lo))))
	}
}

// placeRun is a run of neighbours in constants: from, from+1, …, to at positions
// at, at+1, ….
type placeRun struct{ from, to, at int64 }

// placesOf returns the runs of values; no value is in two of them.
func placesOf(values []int64) []placeRun {
	var runs []placeRun
	for i, v := range values {
		for _, r := range runs {
			if v >= r.from && v <= r.to {
				return make([]placeRun, placeRuns+1)
			}
		}
		if n := len(runs); n > 0 && v == runs[n-1].to+1 {
			runs[n-1].to = v
			continue
		}
		runs = append(runs, placeRun{v, v, int64(i) + 1})
		if len(runs) > placeRuns {
			break
		}
	}
	return runs
}

// inRuns returns the function that looks a character up in runs among n values:
// bytes by comparisons, others as find does.
func (g *gen) inRuns(runs []placeRun, n int64, find func(ir.Expr) ir.Expr) func(ir.Expr) ir.Expr {
	return func(c ir.Expr) ir.Expr {
		b, ok := ir.ByteOf(c)
		if !ok || !g.CPU() {
			return find(c)
		}
		b = g.atom("c", b)
		var at ir.Expr = &ir.Int{Val: n + 1, K: ir.C8}
		for _, r := range slices.Backward(runs) {
			if r.from > 255 {
				continue
			}
			in := g.bytesFrom(b, facts.Between(r.from, min(r.to, 255)))
			at = ir.Choose(in, ir.OpSub.Of(b, &ir.Int{Val: (r.from - r.at) & 255, K: ir.C8}), at)
		}
		return ir.ConvertTo(ir.I64, at)
	}
}

// casedByte is upper or lower case of a character that is known to be below 256,
// computed in bytes where that is where the result is; nil where it is not.
//
//	lower: c + 32 for A … Z and À … Þ but ×
//	upper: c - 32 for a … z and à … þ but ÷; µ and ÿ have theirs beyond bytes
func (g *gen) casedByte(op tail.Op, x ir.Expr) ir.Expr {
	b, ok := ir.ByteOf(x)
	if _, isInt := b.(*ir.Int); !ok || isInt || !g.CPU() {
		return nil
	}
	ascii := g.RangeOf(b).Within(0, 127)
	b = g.atom("c", b)
	if op == tail.OpFoldC {
		if !ascii {
			return nil
		}
		op = tail.OpLowerC
	}
	first, other, change := int64('A'), int64(0xD7), ir.OpAdd
	if op == tail.OpUpperC {
		first, other, change = 'a', 0xF7, ir.OpSub
	}
	in := ir.Expr(g.bytesFrom(b, facts.Between(first, first+25)))
	if !ascii {
		latin := ir.OpAnd.Of(g.bytesFrom(b, facts.Between(first+127, first+157)), ir.OpNe.Of(b, &ir.Int{Val: other, K: ir.C8}))
		in = ir.Or(in, latin)
	}
	cased := ir.ConvertTo(ir.C32, ir.Choose(in, change.Of(b, &ir.Int{Val: 32, K: ir.C8}), b))
	if op == tail.OpUpperC && !ascii {
		char := func(c int64) ir.Expr { return &ir.Int{Val: c, K: ir.C32} }
		cased = ir.Choose(ir.OpEq.Of(b, &ir.Int{Val: 0xFF, K: ir.C8}), char(0x178), ir.Choose(ir.OpEq.Of(b, &ir.Int{Val: 0xB5, K: ir.C8}), char(0x39C), cased))
	}
	return cased
}
