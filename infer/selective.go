package infer

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A selection in (EXP x)←e is a chain of steps from x outwards. Most of them select
// among the items at one level, which they do to the numbers of these. Some reach
// into the items:
//
//	⊃ and i⊃   the item itself, of which the other steps select
//	∊          the simple scalars at all levels
//	f¨         of each item what f selects

// reaching says what a step does to the items of its argument.
type reaching int

const (
	toPlaces  reaching = iota // it selects among them
	toItem                    // it gives one of them
	toScalars                 // it gives the simple scalars in them
	intoEach                  // it selects from each of them
)

// reach returns what a step of a selection does.
func reach(step apl.Expr) reaching {
	switch step := step.(type) {
	case *apl.Monadic:
		switch {
		case isPick(step.F):
			return toItem
		case isPrim(step.F, "∊"):
			return toScalars
		case isEach(step.F):
			return intoEach
		}
	case *apl.Dyadic:
		switch {
		case isPick(step.F):
			return toItem
		case isEach(step.F):
			return intoEach
		}
	}
	return toPlaces
}

// stepsOf returns the steps of a selection, the innermost first.
func stepsOf(x apl.Expr) []apl.Expr {
	switch x := x.(type) {
	case *apl.Paren:
		return stepsOf(x.X)
	case *apl.Monadic:
		return append(stepsOf(x.Y), x)
	case *apl.Dyadic:
		return append(stepsOf(x.Y), x)
	case *apl.Index:
		return append(stepsOf(x.X), x)
	}
	return nil
}

// selectedBy applies steps of a selection to a value.
func (g *infer) selectedBy(steps []apl.Expr, from tail.Expr) (chosen tail.Expr) {
	if len(steps) == 0 {
		return from
	}
	inner := &scope{parent: g.scope, frame: g.frame, names: map[string]*binding{}}
	g.within(inner, func() {
		name := g.hidden()
		g.bindVar(name, from)
		var e apl.Expr = &apl.Var{At: apl.At{Where: steps[0].Span()}, Ident: name}
		for _, step := range steps {
			e = applied(step, e)
		}
		chosen = g.eval(e)
	})
	return chosen
}

// applied is a step of a selection with another operand.
func applied(step, y apl.Expr) apl.Expr {
	switch x := step.(type) {
	case *apl.Monadic:
		return &apl.Monadic{At: x.At, F: x.F, Y: y}
	case *apl.Dyadic:
		return &apl.Dyadic{At: x.At, X: x.X, F: x.F, Y: y}
	case *apl.Index:
		return &apl.Index{At: x.At, X: y, Items: x.Items, Brackets: x.Brackets}
	}
	panic("internal error: unknown selection")
}

// replaced is x with what the steps of a selection select replaced by e, or by what
// a modifier makes of both.
func (g *infer) replaced(x tail.Expr, steps []apl.Expr, e tail.Expr, m *modifier, s site) tail.Expr {
	if len(steps) == 0 {
		if m != nil {
			return g.dyadic(m.f, x, e, site{fn: m.x.F.Span(), left: s.left, right: s.right})
		}
		return e
	}
	if !isTuple(x) {
		return g.replacedSimple(x, steps, e, m, s)
	}
	x = g.name(x)
	k := 0
	for k < len(steps) && reach(steps[k]) == toPlaces {
		k++
	}
	places := g.name(g.selectedBy(steps[:k], g.placesIn(x, s)))
	if k == len(steps) {
		return g.withItems(x, places, e, m, s)
	}
	switch reach(steps[k]) {
	case toItem:
		return g.replacedItem(x, places, k, steps, e, m, s)
	case toScalars:
		return g.replacedScalars(x, places, steps[k+1:], e, m, s)
	}
	return g.replacedEach(x, places, steps[k:], e, m, s)
}

// replacedSimple is replaced for a simple array.
func (g *infer) replacedSimple(x tail.Expr, steps []apl.Expr, e tail.Expr, m *modifier, s site) tail.Expr {
	positions := g.name(g.selectedBy(steps, g.positionsIn(x, s)))
	if reach(steps[len(steps)-1]) != toItem {
		return g.withReplaced(x, positions, e, m, s)
	}
	value := e
	if m != nil {
		old := g.op(tail.OpIndex, s, g.ravel(x, s), positions)
		value = g.dyadic(m.f, old, e, site{fn: m.x.F.Span(), left: s.left, right: s.right})
	}
	value = g.name(value)
	few := g.elementsAsTuple(x)
	switch {
	case rankOf(positions) > 0:
		g.fail(diag.NotCompiled, s.fn, "⊃ with no indices in a selection")
	case !isTuple(value) && rankOf(value) == 0:
		return g.withReplaced(x, positions, value, nil, s)
	case few != nil:
		return g.withItems(few, positions, enclosure(value, s), nil, s)
	case rankOf(x) == 0:
		return enclosure(value, s)
	}
	g.fail(diag.NestedArrays, s.fn, "%s as an item of %s", describeType(value.Type()), describeType(x.Type()))
	return nil
}

// replacedItem is replaced where step k gives one of the items at some places.
func (g *infer) replacedItem(x, places tail.Expr, k int, steps []apl.Expr, e tail.Expr, m *modifier, s site) tail.Expr {
	path := []tail.Expr{nil}
	if p, ok := steps[k].(*apl.Dyadic); ok {
		if path = g.pathOf(g.name(g.eval(p.X)), s); len(path) == 0 {
			g.fail(diag.NotCompiled, s.fn, "⊃ with no indices in a selection")
		}
	}
	change := func(item tail.Expr) tail.Expr { return g.replaced(item, steps[k+1:], e, m, s) }
	if k == 0 && path[0] != nil {
		return g.withItemAt(x, path, change, s)
	}
	place := places
	if path[0] != nil {
		place = g.name(g.pickFrom(places, path[0], s))
	} else if tail.TypeOf(places).Dims() > 0 {
		place = g.name(g.op(tail.OpFirst, s, places))
	}
	value := g.withItemAt(g.itemAtPlace(x, place, s), path[1:], change, s)
	return g.withItems(x, place, enclosure(value, s), nil, s)
}

// pickFrom is k⊃y of a simple y, where k may have a number for each axis.
func (g *infer) pickFrom(y, k tail.Expr, s site) tail.Expr {
	if rankOf(k) == 0 && !isTuple(k) {
		return dyadicPick(g, k, y, s)
	}
	return g.pickAt(k, y, s)
}

// itemAtPlace is the item of a nested array at a place of its ravel, counted from 1.
func (g *infer) itemAtPlace(x, place tail.Expr, s site) tail.Expr {
	if a := g.value(place); a != nil && !isStored(x) {
		if a.Int(0) < 1 {
			g.fail(diag.WrongIndex, s.fn, "a selection of more items than there are")
		}
		return g.items(x)[a.Int(0)-1]
	}
	if y := g.loosened(x, s); y != nil {
		return g.name(g.itemOf(y, place, s))
	}
	g.fail(diag.NestedArrays, s.fn, "a selection at places that are not known when compiling, from a nested array whose items are not all vectors of one kind")
	return nil
}

// knownPlacesOf are the places of a selection, which must be known when compiling.
func (g *infer) knownPlacesOf(x, places tail.Expr, s site) *array.Array {
	a := g.value(g.toInt(places))
	if a == nil || isStored(x) {
		g.fail(diag.NestedArrays, s.fn, "a selection that reaches into the items of a nested array, at places that are not known when compiling")
	}
	for i := range a.Len() {
		if a.Int(i) == 0 {
			g.fail(diag.NoItem, s.fn, "a selection of more items than there are")
		}
	}
	return a
}

// withNewItems is the nested array x, of known items, with others.
func (g *infer) withNewItems(x tail.Expr, items []tail.Expr, s site) tail.Expr {
	if isEnclosed(x) {
		return monadicEnclose(g, items[0], s)
	}
	return g.shaped(g.strandOf(items, s), g.shapeOfTuple(x))
}

// replacedScalars is replaced where a step gives the simple scalars in the items at
// some places, of which other steps select.
func (g *infer) replacedScalars(x, places tail.Expr, steps []apl.Expr, e tail.Expr, m *modifier, s site) tail.Expr {
	known := g.knownPlacesOf(x, places, s)
	if known.Len() == 0 {
		g.fail(diag.NestedArrays, s.fn, "∊ of an empty nested array in a selection")
	}
	items := append([]tail.Expr{}, g.items(x)...)
	if m == nil && len(steps) == 0 && !isTuple(e) && isSingleton(tail.TypeOf(e)) {
		one := g.name(g.firstOf(e, s))
		for i := range known.Len() {
			k := known.Int(i) - 1
			items[k] = g.filledWith(items[k], one, s)
		}
		return g.withNewItems(x, items, s)
	}
	var parts []tail.Expr
	for i := range known.Len() {
		parts = append(parts, g.primitiveMonadic(&primitive{glyph: "∊", at: s.fn}, items[known.Int(i)-1], s))
	}
	flat := g.name(g.joinAll(parts, s))
	if isTuple(flat) {
		g.fail(diag.NotCompiled, s.fn, "a selection from characters and numbers")
	}
	flat = g.name(g.withReplaced(flat, g.selectedBy(steps, g.positionsIn(flat, s)), e, m, s))
	var from tail.Expr = g.intLit(s, 0)
	for i := range known.Len() {
		k := known.Int(i) - 1
		items[k], from = g.refilled(items[k], flat, from, s)
	}
	return g.withNewItems(x, items, s)
}

// filledWith is an array with one scalar in place of all of its simple scalars.
func (g *infer) filledWith(x, one tail.Expr, s site) tail.Expr {
	if !isTuple(x) {
		if tail.TypeOf(x).Dims() == 0 {
			return one
		}
		return g.name(g.op(tail.OpReshape, s, g.shapeOf(x, s), one))
	}
	var items []tail.Expr
	for _, item := range g.items(x) {
		items = append(items, g.filledWith(item, one, s))
	}
	return g.withNewItems(x, items, s)
}

// refilled is an array with the elements of a vector after the first ones in place
// of its simple scalars, and the number of elements up to there.
func (g *infer) refilled(x, flat, from tail.Expr, s site) (filled, next tail.Expr) {
	if isTuple(x) {
		var items []tail.Expr
		for _, item := range g.items(x) {
			item, from = g.refilled(item, flat, from, s)
			items = append(items, item)
		}
		return g.withNewItems(x, items, s), from
	}
	count := g.name(g.op(tail.OpCount, s, x))
	next = g.name(g.op(tail.OpAddI, s, from, count))
	if tail.TypeOf(x).Dims() == 0 {
		return g.name(g.op(tail.OpIndex, s, flat, next)), next
	}
	part := g.op(tail.OpTake, s, g.ravel(count, s), g.dropped(from, flat, s))
	return g.name(g.op(tail.OpReshape, s, g.shapeOf(x, s), part)), next
}

// selections are what ¨ selects from some items of a nested array: their places from
// 0, and the steps to take from each. The shape is that of the array of selections.
type selections struct {
	places []int
	steps  [][]apl.Expr
	shape  []int
}

// replacedEach is replaced where the steps that are left begin with a function of
// each of the items at some places.
func (g *infer) replacedEach(x, places tail.Expr, steps []apl.Expr, e tail.Expr, m *modifier, s site) tail.Expr {
	known := g.knownPlacesOf(x, places, s)
	items := append([]tail.Expr{}, g.items(x)...)
	all := selections{steps: make([][]apl.Expr, known.Len()), shape: known.Shape}
	for i := range known.Len() {
		all.places = append(all.places, int(known.Int(i))-1)
	}
	inner := &scope{parent: g.scope, frame: g.frame, names: map[string]*binding{}}
	g.within(inner, func() {
		for k, step := range steps {
			switch reach(step) {
			case intoEach:
				for i, one := range g.stepsOfEach(step, all, s) {
					all.steps[i] = append(all.steps[i], one)
				}
			case toPlaces:
				all = g.someSelections(all, step, s)
			case toItem:
				all = g.someSelections(all, step, s)
				all.steps[0] = append(all.steps[0], steps[k+1:]...)
				items[all.places[0]] = g.name(g.replaced(items[all.places[0]], all.steps[0], e, m, s))
				return
			default:
				g.fail(diag.NotCompiled, s.fn, "∊ of selections that ¨ makes")
			}
		}
		right := g.sideOf(e, s)
		if !right.isOne() {
			g.sidesShape(side{places, all.shape}, right, s)
		}
		for i, value := range g.itemsOfSide(right, len(all.places), s) {
			k := all.places[i]
			item := g.name(g.replaced(items[k], all.steps[i], value, m, s))
			if isEnclosed(item) && !isEnclosed(items[k]) { // it was a simple scalar, which is its own item
				item = g.items(item)[0]
			}
			items[k] = item
		}
	})
	return g.withNewItems(x, items, s)
}

// someSelections are those of which a step gives the numbers.
func (g *infer) someSelections(all selections, step apl.Expr, s site) selections {
	numbers := array.New(array.Int, all.shape...)
	for i := range numbers.Ints {
		numbers.Ints[i] = int64(i + 1)
	}
	a := g.value(g.toInt(g.selectedBy([]apl.Expr{step}, lit(s.fn, numbers))))
	if a == nil {
		g.fail(diag.NotCompiled, s.fn, "some of the selections that ¨ makes, which are not known when compiling")
	}
	z := selections{shape: a.Shape}
	for i := range a.Len() {
		k := a.Int(i) - 1
		if k < 0 {
			g.fail(diag.NoItem, s.fn, "a selection of more items than there are")
		}
		z.places = append(z.places, all.places[k])
		z.steps = append(z.steps, append([]apl.Expr{}, all.steps[k]...))
	}
	return z
}

// stepsOfEach are the steps f from each of the selections that f¨ and l f¨ take; the
// items of l become hidden variables.
func (g *infer) stepsOfEach(step apl.Expr, from selections, s site) []apl.Expr {
	n := len(from.places)
	all := make([]apl.Expr, n)
	switch x := step.(type) {
	case *apl.Monadic:
		for i := range all {
			all[i] = &apl.Monadic{At: x.At, F: operandOfEach(x.F), Y: x.Y}
		}
	case *apl.Dyadic:
		left := g.sideOf(g.eval(x.X), s)
		g.sidesShape(side{left.e, from.shape}, left, s)
		for i, item := range g.itemsOfSide(left, n, s) {
			name := g.hidden()
			g.bindVar(name, item)
			v := &apl.Var{At: apl.At{Where: x.X.Span()}, Ident: name}
			all[i] = &apl.Dyadic{At: x.At, X: v, F: operandOfEach(x.F), Y: x.Y}
		}
	}
	return all
}

// operandOfEach is f where a function is written as f¨.
func operandOfEach(f apl.Func) apl.Func {
	for {
		p, ok := f.(*apl.ParenFunc)
		if !ok {
			return derivedByEach(f).Left.Func
		}
		f = p.F
	}
}
