package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// reduceTuple is f/ of a tuple along an axis: the items that f between the items
// gives. That of a vector is still enclosed.
func (g *infer) reduceTuple(f function, y tail.Expr, axis int, s site) tail.Expr {
	if isRagged(y) {
		if isGlyph(f, ",") || isGlyph(f, "⍪") {
			return enclosure(g.name(g.joinedElements(y, s)), s)
		}
		c := g.preludeClosure("foldof", operand{fn: f, at: s.fn})
		return enclosure(g.name(g.fromPrelude(c, nil, g.plainStrand(y), s)), s)
	}
	if isRowwise(y) {
		return g.reduceRowwise(f, y, axis, s)
	}
	if isRanked(y) {
		return g.reduceRanked(f, y, axis, s)
	}
	if isColumns(y) {
		return g.foldStored(f, y, s)
	}
	items, shape := g.items(y), g.shapeOfTuple(y)
	if len(items) == 0 {
		return g.reduceNoItems(f, y, s)
	}
	if shape != nil {
		return g.reduceLines(f, items, shape, axis, s)
	}
	e := g.reduceItems(f, items, s)
	if t, ok := e.Type().(*tail.Array); ok && t.Dims() == 0 {
		return e
	}
	return enclosure(e, s)
}

// reduceLines is f/ along an axis of a nested array of higher rank than 1.
func (g *infer) reduceLines(f function, items []tail.Expr, shape []int, axis int, s site) tail.Expr {
	var all []tail.Expr
	for _, line := range linesOf(shape, axis) {
		all = append(all, g.name(g.reduceItems(f, chosen(items, line), s)))
	}
	left := slices.Delete(slices.Clone(shape), axis, axis+1)
	if len(left) == 1 {
		left = nil
	}
	return g.shaped(g.strandOf(all, s), left)
}

// reduceItems is f between items, from the last one on.
func (g *infer) reduceItems(f function, items []tail.Expr, s site) tail.Expr {
	e := items[len(items)-1]
	for i := len(items) - 2; i >= 0; i-- {
		e = g.dyadic(f, items[i], e, s)
	}
	return e
}

// scanTuple is f\y of a tuple along an axis: the reductions of its beginnings.
func (g *infer) scanTuple(f function, y tail.Expr, axis int, s site) tail.Expr {
	const most = 40
	if isStored(y) {
		return g.scanStored(f, y, s)
	}
	items, shape := g.items(y), g.shapeOfTuple(y)
	lines := linesOf([]int{len(items)}, 0)
	if shape != nil {
		lines = linesOf(shape, axis)
	}
	all := slices.Clone(items)
	for _, line := range lines {
		if len(line) > most {
			if z := g.storedItems(y, s); shape == nil && z != nil {
				return g.scanStored(f, z, s)
			}
			g.fail(diag.NestedArrays, s.fn, "a scan of more than %d nested items", most)
		}
		for i, e := range g.scanItems(f, chosen(items, line), s) {
			all[line[i]] = e
		}
	}
	return g.shaped(g.strandOf(all, s), shape)
}

// scanItems are the reductions of the beginnings of items.
func (g *infer) scanItems(f function, items []tail.Expr, s site) []tail.Expr {
	all := slices.Clone(items)
	p, ok := f.(*primitive)
	running := ok && (p.glyph == "+" || p.glyph == "×" || p.glyph == "⌈" || p.glyph == "⌊" || p.glyph == "," || p.glyph == "⍪")
	for i := 1; i < len(all); i++ {
		if running {
			all[i] = g.name(g.dyadic(f, all[i-1], items[i], s))
			continue
		}
		all[i] = g.name(g.reduceItems(f, items[:i+1], s))
	}
	return all
}

// linesOf returns, for each line along an axis of an array of a shape, the places
// of its elements in the ravel.
func linesOf(shape []int, axis int) [][]int {
	outer, inner, n := 1, 1, shape[axis]
	for i, extent := range shape {
		switch {
		case i < axis:
			outer *= extent
		case i > axis:
			inner *= extent
		}
	}
	var lines [][]int
	for i := range outer {
		for k := range inner {
			var line []int
			for j := range n {
				line = append(line, (i*n+j)*inner+k)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// chosen are the items at some places.
func chosen(items []tail.Expr, places []int) []tail.Expr {
	all := make([]tail.Expr, len(places))
	for i, k := range places {
		all[i] = items[k]
	}
	return all
}
