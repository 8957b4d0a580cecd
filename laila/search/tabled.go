package search

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/build"
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

// LookedUp looks up elements of a small range in constants, x∊c or c⍳x, an element
// at a time: where the constants are a few runs of neighbours, the position is a
// difference, else a table over the range has the answers. It is nil where
// that is not possible.
//
//	⎕A⍳text             c - 65 ≤ 25 ? c - 64 : 27       for bytes c, which wrap
//	'+-×÷'⍳text         t[c]                            for a table of 256 places
func LookedUp(g *build.Builder, op tail.Op, args []*build.Value) *build.Value {
	x, set := args[0].Arr, args[1].Arr
	if op == tail.OpIndexOf {
		x, set = set, x
	}
	if x == nil || set == nil || x.Elem != set.Elem || x.Elem != ir.C32 && x.Elem != ir.I64 {
		return nil
	}
	if set.Rank() != 1 && op == tail.OpIndexOf || x.Rng == (facts.Interval{}) {
		return nil
	}
	find, rng := finder(g, op, set, x.Rng)
	if find == nil {
		return nil
	}
	q := &build.Pull{Elem: ir.I64, Dims: x.Dims, Rng: rng, Cost: x.Cost + 2, Faults: x.Faults, Pieces: x.Pieces, Srcs: []*build.Pull{x}, Pointwise: true}
	if op == tail.OpMember {
		q.Elem = ir.U8
	}
	g.Pullable(x)
	if x.At != nil || x.Flat != nil {
		q.At = func(ix []ir.Expr) ir.Expr { return find(g.Index(x, ix)) }
	}
	if x.Flat != nil {
		q.Flat = func(i ir.Expr) ir.Expr { return find(g.IndexFlat(x, i)) }
	}
	return build.Array1(q)
}

// positionInTable is LookedUp for c⍳x of a scalar x.
func positionInTable(g *build.Builder, set *build.Pull, x ir.Expr) ir.Expr {
	if set.Elem != x.Kind() || x.Kind() != ir.C32 && x.Kind() != ir.I64 {
		return nil
	}
	find, _ := finder(g, tail.OpIndexOf, set, g.RangeOf(x))
	if find == nil {
		return nil
	}
	return find(x)
}

// finder returns the function that looks numbers of a range up in constants, and the
// range of what it gives; nil where that is not possible.
func finder(g *build.Builder, op tail.Op, set *build.Pull, of facts.Interval) (func(ir.Expr) ir.Expr, facts.Interval) {
	values, ok := g.Constants(set)
	lo, hi := of.Lo, of.Hi
	if !ok || lo < -tableRange || hi > tableRange || hi-lo >= tableRange {
		return nil, of
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
	if op == tail.OpMember {
		return inTable(g, places, lo, ir.U8, facts.Between(0, 1)), facts.Between(0, 1)
	}
	rng := facts.Between(1, n+1)
	find := inTable(g, places, lo, ir.I64, rng)
	if runs := placesOf(values); set.Elem == ir.C32 && len(runs) <= placeRuns && n < 255 {
		find = inRuns(g, runs, n, find)
	}
	return find, rng
}

// inTable returns the function that looks a number from lo on up in a constant
// table.
func inTable(g *build.Builder, places []int64, lo int64, elem ir.Kind, rng facts.Interval) func(ir.Expr) ir.Expr {
	var table *ir.Buf
	return func(c ir.Expr) ir.Expr {
		if table == nil {
			k := elem
			if k == ir.I64 {
				k = facts.Narrowest(rng)
			}
			table = &ir.Buf{Name: "table", Elem: k, Const: true}
			g.Bufs[table] = rng
			g.Out.Consts = append(g.Out.Consts, &ir.Const{Buf: table, Ints: places})
		}
		return ir.ConvertTo(elem, table.Load(ir.Sub(ir.ConvertTo(ir.I64, c), ir.Integer(lo))))
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
func inRuns(g *build.Builder, runs []placeRun, n int64, find func(ir.Expr) ir.Expr) func(ir.Expr) ir.Expr {
	return func(c ir.Expr) ir.Expr {
		b, ok := ir.ByteOf(c)
		if !ok || !g.CPU() {
			return find(c)
		}
		b = g.Atom("c", b)
		var at ir.Expr = &ir.Int{Val: n + 1, K: ir.C8}
		for _, r := range slices.Backward(runs) {
			if r.from > 255 {
				continue
			}
			in := g.BytesFrom(b, facts.Between(r.from, min(r.to, 255)))
			at = ir.Choose(in, ir.OpSub.Of(b, &ir.Int{Val: (r.from - r.at) & 255, K: ir.C8}), at)
		}
		return ir.ConvertTo(ir.I64, at)
	}
}
