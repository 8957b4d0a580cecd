package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// x⊂y and x⊆y are tuples where x is known when compiling: each item is a run of
// y along an axis.

// run is a part of an axis, from a position counted from 0.
type run struct{ from, length int }

// partitioned is x⊂y: x says how many dividers stand before each cell along the
// axis, and one more number how many stand behind the last. Source: Dyalog's
// documentation, "Partitioned Enclose".
func partitioned(g *infer, x, y tail.Expr, s site) tail.Expr {
	return g.partition("⊂", x, y, -1, s)
}

// parted is x⊆y: a part begins where x is greater than before, and cells where
// it is 0 are left out. Source: Dyalog's documentation, "Partition".
func parted(g *infer, x, y tail.Expr, s site) tail.Expr {
	return g.partition("⊆", x, y, -1, s)
}

// partition is x⊂[k]y or x⊆[k]y; the axis counts from 0, and is the last where
// it is negative.
func (g *infer) partition(glyph string, x, y tail.Expr, axis int, s site) tail.Expr {
	if isTuple(x) || isStored(y) || isTuple(y) && rankOf(y) != 1 {
		g.refuse(diag.NestedArrays, glyph, "of nested arrays", s)
	}
	if rankOf(y) == 0 {
		g.fail(diag.ArgumentRank, s.fn, "%s of a scalar", glyph)
	}
	if axis < 0 {
		axis = rankOf(y) - 1
	}
	a := g.value(g.toInt(x))
	if isTuple(y) {
		if a == nil {
			if loose := g.storedItems(y, s); loose != nil {
				return g.partsOfStored(glyph, x, loose, s)
			}
			g.refuse(diag.NestedArrays, glyph, "of nested arrays", s)
		}
		runs := g.runs(glyph, a, len(g.items(y)), s)
		if len(runs) == 0 {
			g.refuse(diag.NestedArrays, glyph, "that gives no parts", s)
		}
		return g.runsOfItems(runs, y, s)
	}
	n, known := tail.TypeOf(y).Extent(axis).IsConst()
	if a == nil || !known {
		return g.raggedParts(glyph, x, y, s)
	}
	runs := g.runs(glyph, a, int(n), s)
	if len(runs) == 0 {
		if rankOf(x) != 1 {
			g.refuse(diag.NestedArrays, glyph, "that gives no parts", s)
		}
		return g.raggedParts(glyph, x, y, s)
	}
	g.effect(x)
	return g.runsOf(runs, g.name(y), axis, glyph, s)
}

// runs are the parts of an axis of n cells that the known left argument of ⊂ or ⊆
// makes.
func (g *infer) runs(glyph string, a *array.Array, n int, s site) []run {
	if a.Rank() > 1 {
		g.fail(diag.ArgumentRank, s.fn, "the left argument of %s has rank %d", glyph, a.Rank())
	}
	marks := make([]int64, n)
	for i := range marks {
		switch {
		case a.Len() == 1 && (a.Rank() == 0 || glyph == "⊆"):
			marks[i] = a.Int(0)
		case i < a.Len():
			marks[i] = a.Int(i)
		case glyph == "⊆":
			g.fail(diag.WrongLength, s.fn, "%d marks for %d cells", a.Len(), n)
		}
	}
	if a.Rank() == 1 && a.Len() > len(marks) {
		if glyph == "⊆" && a.Len() > 1 || a.Len() > len(marks)+1 {
			g.fail(diag.WrongLength, s.fn, "%d marks for %d cells", a.Len(), n)
		}
		if glyph == "⊂" {
			marks = append(marks, a.Int(a.Len()-1))
		}
	}
	for _, m := range marks {
		if m < 0 || m > maxItems {
			g.fail(diag.WrongDomain, s.fn, "the left argument of %s has %d", glyph, m)
		}
	}
	runs := markedParts(marks, n)
	if glyph == "⊂" {
		runs = dividedAt(marks, n)
	}
	g.fewEnough(len(runs), s)
	return runs
}

// runsOfItems is the tuple of runs of a nested vector.
func (g *infer) runsOfItems(runs []run, y tail.Expr, s site) tail.Expr {
	items := g.items(g.name(y))
	t := &tail.Tuple{At: tail.At{Where: s.span()}}
	for _, r := range runs {
		if r.length == 0 {
			g.refuse(diag.NestedArrays, "⊂", "of nested arrays that gives empty parts", s)
		}
		t.Elems = append(t.Elems, g.name(g.strandOf(items[r.from:r.from+r.length], s)))
	}
	return t
}

// raggedParts is x⊆y or x⊂y of vectors where the parts are not known.
func (g *infer) raggedParts(glyph string, x, y tail.Expr, s site) tail.Expr {
	t := g.arr(x, s.left)
	if t.Dims() > 1 || tail.TypeOf(y).Dims() != 1 {
		g.refuse(diag.NestedArrays, glyph, "with two arguments", s)
	}
	if x, y = g.names2(x, y); t.Dims() == 0 || glyph == "⊆" && isSingleton(t) { // for all elements
		x = g.name(g.op(tail.OpReshape, s, g.shapeOf(y, s), g.firstOf(x, s)))
	}
	natural := t.Elem == array.Bool
	x = g.name(g.toInt(x))
	if !natural && !noNegatives(x) {
		x = g.name(g.fromPrelude(g.preludeClosure("marks"), nil, x, s))
	}
	switch {
	case glyph == "⊂":
		return g.raggedOfEmpty(g.fromPrelude(g.preludeClosure("divided"), x, y, s), s)
	case natural:
		return g.flaggedParts(x, y, s)
	}
	return g.raggedOfEmpty(g.fromPrelude(g.preludeClosure("marked"), x, y, s), s)
}

// flaggedParts is x⊆y where x has truth values: the parts lie where they are in y. Where
// there are none, there are no elements, which gives the prototype.
func (g *infer) flaggedParts(x, y tail.Expr, s site) tail.Expr {
	z := g.fromPrelude(g.preludeClosure("flagged"), x, y, s)
	if !isTuple(z) { // it certainly faults
		return g.raggedOfEmpty(z, s)
	}
	parts := g.components(g.name(z))
	some := g.op(tail.OpB2I, s, g.op(tail.OpLtI, s, g.intLit(s, 0), g.op(tail.OpTally, s, parts[1])))
	count := g.name(g.op(tail.OpMulI, s, some, g.op(tail.OpTally, s, parts[0])))
	parts[0] = g.name(g.opWith(tail.OpTake, s, 0, []int{1}, count, parts[0]))
	return g.raggedOfEmpty(&tail.Tuple{Elems: parts}, s)
}

// dividedAt returns the parts that dividers make.
func dividedAt(marks []int64, n int) []run {
	var runs []run
	for i, m := range marks {
		for range m {
			runs = append(runs, run{from: i})
		}
		if i < n && len(runs) > 0 {
			runs[len(runs)-1].length++
		}
	}
	return runs
}

// markedParts returns the parts of ⊆.
func markedParts(marks []int64, n int) []run {
	var runs []run
	last := int64(0)
	for i, m := range marks[:n] {
		if m > last {
			runs = append(runs, run{from: i})
		}
		if m > 0 {
			runs[len(runs)-1].length++
		}
		last = m
	}
	return runs
}

// runsOf is the tuple of runs of y along an axis. Each item of x⊆y is a vector:
// the other axes of y are axes of the result.
func (g *infer) runsOf(runs []run, y tail.Expr, axis int, glyph string, s site) tail.Expr {
	if glyph == "⊆" && tail.TypeOf(y).Dims() > 1 {
		return g.runsOfRows(runs, y, axis, s)
	}
	t := &tail.Tuple{At: tail.At{Where: s.span()}}
	for _, r := range runs {
		e := g.name(g.dropAlong(y, int64(r.from), axis, s))
		t.Elems = append(t.Elems, g.name(g.takeAlong(e, int64(r.length), axis, s)))
	}
	return t
}

// runsOfRows is the array of the runs of each vector of y along an axis.
func (g *infer) runsOfRows(runs []run, y tail.Expr, axis int, s site) tail.Expr {
	order := axesLast([]int{axis}, tail.TypeOf(y).Dims())
	rows, frame := g.fewCells(g.op(tail.OpTransp2, s, lit(s.fn, array.VectorInt(order)), y), 1, s)
	if rows == nil {
		g.refuse(diag.NestedArrays, "⊆", "of an array of higher rank with many rows", s)
	}
	z := g.name(g.mixCells(len(rows), frame, s, func(i int) tail.Expr { return g.runsOf(runs, rows[i], 0, "⊆", s) }))
	back := make([]int64, len(order)) // the inverse
	for from, to := range order {
		back[to-1] = int64(from + 1)
	}
	return g.rearrangedBy("⊆", func(z tail.Expr) tail.Expr {
		return g.op(tail.OpTransp2, s, lit(s.fn, array.VectorInt(back)), z)
	}, z, s)
}

// dropAlong is n↓[axis]e, and takeAlong n↑[axis]e.
func (g *infer) dropAlong(e tail.Expr, n int64, axis int, s site) tail.Expr {
	counts := make([]int64, axis+1)
	counts[axis] = n
	return dyadics["↓"](g, lit(s.fn, array.VectorInt(counts)), e, s)
}

func (g *infer) takeAlong(e tail.Expr, n int64, axis int, s site) tail.Expr {
	counts := g.vector(s.fn, g.extentsBut(e, n, axis, s), array.Int)
	return dyadics["↑"](g, counts, e, s)
}

// extentsBut returns the extents of e, n along an axis.
func (g *infer) extentsBut(e tail.Expr, n int64, axis int, s site) []tail.Expr {
	all := make([]tail.Expr, tail.TypeOf(e).Dims())
	for i := range all {
		if all[i] = g.intLit(s, int(n)); i != axis {
			all[i] = g.extentOf(e, i, s)
		}
	}
	return all
}
