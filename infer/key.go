package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// key is f⌸y and x f⌸y. Where f gives nested arrays and the keys are known, f
// is applied to each of them while compiling.
func (g *infer) key(d *derived, x, y tail.Expr, s site) tail.Expr {
	g.fn(d.left)
	if x != nil {
		y = g.ravelScalar(y, s)
	}
	keys := x
	if x == nil {
		keys = y
	}
	if isRagged(keys) || isColumns(keys) {
		return g.keyStored(d, x, y, s)
	}
	nothing, x, y := g.keysOfNone(d.left.fn, x, y, s)
	if nothing != nil {
		return nothing
	}
	if x, y = g.keysWhereNone(d.left.fn, x, y, s); x != nil {
		keys = x
	} else {
		keys = y
	}
	nested := isTuple(y) || isTuple(keys)
	if isEnclosed(keys) || !nested && tail.TypeOf(keys).Dims() == 0 {
		g.fail(diag.OperatorForm, d.at, "⌸ of a scalar")
	}
	apply := func() tail.Expr {
		if !nested {
			values := y
			if x == nil {
				values = nil
			}
			if e := g.keyFolded(d.left.fn, keys, values, s); e != nil {
				return e
			}
		}
		switch {
		case x == nil:
			return g.fromPrelude(g.preludeClosure("key", d.left), g.intLit(s, g.origin-1), y, s)
		case isTuple(y) && !isRowwise(y) && !isRanked(y):
			return g.keyOfItems(d, x, y, s)
		}
		return g.fromPrelude(g.preludeClosure("keyof", d.left), x, y, s)
	}
	groups := g.knownGroups(keys, s)
	if stored := g.storedKeys(keys, s); groups == nil && stored != nil {
		if x == nil {
			return g.keyStored(d, nil, stored, s)
		}
		return g.keyStored(d, stored, y, s)
	}
	if groups == nil {
		g.arr(keys, s.fn)
		return apply()
	}
	var e tail.Expr
	if !nested && g.succeeds(func() { e = apply() }) {
		return e
	}
	return g.keyUnrolled(d, x, y, groups, s)
}

// storedKeys is a nested array of known items as one that is stored; nil for others.
func (g *infer) storedKeys(keys tail.Expr, s site) tail.Expr {
	if !isTuple(keys) {
		return nil
	}
	if z := g.storedItems(keys, s); z != nil {
		return z
	}
	return g.rowwise(keys, s)
}

// keyOfItems is x f⌸y of a nested vector y: the group of a key is the items with its numbers.
func (g *infer) keyOfItems(d *derived, x, y tail.Expr, s site) tail.Expr {
	x, y = g.names2(x, y)
	if !isStored(y) {
		if loose := g.storedItems(y, s); loose != nil {
			y = loose
		}
	}
	var numbers tail.Expr
	if isStored(y) {
		numbers = g.numbersOfStored(y, s)
	} else {
		numbers = g.op(tail.OpIota, s, g.intLit(s, len(g.items(y))))
	}
	f := &made{func(key, group tail.Expr) tail.Expr {
		return g.dyadic(d.left.fn, key, g.primitiveDyadic(&primitive{glyph: "⌷", at: s.fn}, enclosure(group, s), y, s), s)
	}}
	numbers = g.name(g.asMany(x, numbers, s))
	if t := tail.TypeOf(x); t.Dims() == 1 {
		none := g.noItemsOf2(d.left.fn, x, y, s)
		none.call = func(args []tail.Expr) tail.Expr { return g.dyadic(d.left.fn, args[0], y, s) }
		g.whereNoItems(none, s, numbers)
	}
	inner := &derived{op: d.op, left: operand{fn: f, at: d.left.at}, at: d.at}
	return g.key(inner, x, g.outward(numbers, s), s)
}

// knownGroups returns the places, counted from 0, of equal major cells of
// keys, those that come first first; nil where keys is not known, has no
// cells, or has many.
func (g *infer) knownGroups(keys tail.Expr, s site) [][]int64 {
	keys = g.constant(keys)
	if keys == nil {
		return nil
	}
	var found *array.Array
	if !g.succeeds(func() {
		found = g.value(g.toInt(g.primitiveDyadic(&primitive{glyph: "⍳", at: s.fn}, keys, keys, s)))
	}) || found == nil || found.Rank() != 1 || found.Len() > maxUnrolled {
		return nil
	}
	var groups [][]int64
	at := map[int64]int{} // the group of the key at a place
	for i := range found.Len() {
		k, ok := at[found.Int(i)]
		if !ok {
			k = len(groups)
			at[found.Int(i)] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], int64(i))
	}
	return groups
}

// constant returns the value of e, an array or a tuple of arrays, where it is
// known; else nil.
func (g *infer) constant(e tail.Expr) tail.Expr {
	if !isTuple(e) {
		if a := g.value(e); a != nil {
			return lit(e.Span(), a)
		}
		return nil
	}
	if isStored(e) || isColumns(e) {
		return nil
	}
	t := &tail.Tuple{At: tail.At{Where: e.Span()}, Shape: e.Type().(*tail.TupleType).Shape}
	for _, x := range g.items(e) {
		if x = g.constant(x); x == nil {
			return nil
		}
		t.Elems = append(t.Elems, x)
	}
	return t
}

// keyUnrolled is f⌸ with one application of f a key, of which there are few.
func (g *infer) keyUnrolled(d *derived, x, y tail.Expr, groups [][]int64, s site) tail.Expr {
	keys := x
	if x == nil {
		keys = y
	}
	keys, y = g.names2(keys, y)
	if x != nil {
		y = g.sameTally(keys, y, s)
	}
	cells := func(e tail.Expr, places *array.Array) tail.Expr {
		at := lit(s.fn, places)
		return g.primitiveDyadic(&primitive{glyph: "⌷", at: s.fn}, enclosure(at, s), e, s)
	}
	var results []tail.Expr
	for _, places := range groups {
		for i := range places {
			places[i] += int64(g.origin)
		}
		key := g.primitiveDyadic(&primitive{glyph: "⌷", at: s.fn}, lit(s.fn, array.ScalarInt(places[0])), keys, s)
		group := tail.Expr(lit(s.fn, array.VectorInt(places)))
		if x != nil {
			group = cells(y, array.VectorInt(places))
		}
		results = append(results, g.name(g.dyadic(d.left.fn, key, group, s)))
	}
	return g.mix(results, s)
}

// sameTally is values where there are as many as keys, of which the number is
// known; it reports others, or tests the number when the program runs.
func (g *infer) sameTally(keys, values tail.Expr, s site) tail.Expr {
	n := func(e tail.Expr) (int64, bool) {
		t, ok := e.Type().(*tail.TupleType)
		switch {
		case ok && IsRagged(t):
			return 0, false
		case ok && t.Shape != nil:
			return int64(t.Shape[0]), true
		case ok:
			return int64(len(t.Elems)), true
		}
		return countOf(tail.TypeOf(e)).IsConst()
	}
	k, _ := n(keys)
	v, known := n(values)
	switch {
	case known && k != v:
		g.fail(diag.WrongLength, s.fn, "%d keys and %d values", k, v)
	case known:
	case isRagged(values):
		many := g.asMany(lit(s.fn, array.VectorInt(make([]int64, k))), g.numbersOfItems(values, s), s)
		return g.name(g.chosenOfStored(values, many, s))
	default:
		return g.name(g.fromPrelude(g.preludeClosure("asmany"), g.intLit(s, int(k)), values, s))
	}
	return values
}
