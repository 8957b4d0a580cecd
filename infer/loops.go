package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// powerOf is f⍣n y and x f⍣n y; x is nil for one argument. With a function to
// the right it iterates until that gives 1 for the new and the old value.
func (g *infer) powerOf(d *derived, x, y tail.Expr, s site) tail.Expr {
	return g.powerTimes(d, x, y, 1, s)
}

// powerTimes is f⍣n, or its inverse where sign is ¯1.
func (g *infer) powerTimes(d *derived, x, y tail.Expr, sign int64, s site) tail.Expr {
	f := g.fn(d.left)
	if x != nil {
		y = g.name(y)
		x = g.name(x)
	}
	step := func(e tail.Expr) tail.Expr {
		if x == nil {
			return g.monadic(f, e, s)
		}
		return g.dyadic(f, x, e, s)
	}
	if d.right.fn != nil {
		if sign < 0 {
			g.noInverse(site{fn: d.at})
		}
		if e := g.untilChanging(f, d.right.fn, step, y, s); e != nil {
			return e
		}
		return g.until(d.right.fn, step, y, s)
	}
	n := g.toInt(g.single(g.array(d.right), site{fn: d.at, right: d.right.at}, "the right operand of ⍣"))
	k, ok := integer(n)
	switch {
	case ok && k*sign < 0:
		back := s
		if back.fn = d.at; d.left.at.Src != nil {
			back.fn = d.left.at
		}
		step = g.undo(f, x, back)
		k, sign = max(k, -k), 1
		n = lit(d.right.at, array.ScalarInt(k))
	case !ok && sign < 0:
		g.noInverse(site{fn: d.at})
	case ok && k < 0: // the inverse of an inverse
		k, sign = -k, 1
		n = lit(d.right.at, array.ScalarInt(k))
	}
	if ok && k == 0 {
		return y
	}
	if ok && k == 1 {
		return step(y)
	}
	n = g.toInt(n)
	y = g.name(y)
	if !ok {
		apply := step
		step = func(e tail.Expr) tail.Expr {
			return g.perhaps(func() tail.Expr { return apply(e) }, e, s.fn)
		}
	}
	if e := g.powerChanging(f, n, y, step, s); e != nil {
		return e
	}
	var first *diag.Error
	for done := int64(0); ; done++ {
		state, l, err := g.tryLoop(y, step, s)
		if done == 0 {
			first = err
		}
		switch {
		case err == nil:
			return g.op(tail.OpPower, s, l, n, g.adapt(y, state))
		case !ok && done > 0:
			panic(unwound{err: first})
		case done == maxPeeled:
			panic(unwound{err: err})
		case !ok: // the interpreter goes on where there is no step
			n = g.name(g.fromPrelude(g.preludeClosure("turnsleft"), nil, n, s))
			y = g.name(step(y))
			continue
		}
		y = g.name(step(y))
		if k--; k == 0 {
			return y
		}
		n = lit(d.right.at, array.ScalarInt(k))
	}
}

// maxPeeled is the number of steps of ⍣ that may change the rank or kind, where
// the number of steps is known; where it is not, the first one may.
const maxPeeled = 64

// loop returns the type that the state of an iteration has at every step, and
// the function of a step.
func (g *infer) loop(start tail.Expr, step func(tail.Expr) tail.Expr, s site) (tail.Type, *tail.Lam) {
	state, l, err := g.tryLoop(start, step, s)
	if err == nil {
		return state, l
	}
	if g.succeeds(func() { state, l, _ = g.loopOf(start, step, s, true) }) && l != nil {
		return state, l
	}
	panic(unwound{err: err})
}

// tryLoop is loop; the error says that a step changes the rank or the kind.
func (g *infer) tryLoop(start tail.Expr, step func(tail.Expr) tail.Expr, s site) (tail.Type, *tail.Lam, *diag.Error) {
	return g.loopOf(start, step, s, false)
}

// loopOf is tryLoop for a state that may be a scalar before some steps and a vector before
// others where either is set.
func (g *infer) loopOf(start tail.Expr, step func(tail.Expr) tail.Expr, s site, either bool) (tail.Type, *tail.Lam, *diag.Error) {
	state := forgetValues(start.Type())
	for range maxRounds {
		l := g.lambdaOver([]tail.Expr{start}, s.fn, []tail.Type{state}, func(a []tail.Expr) tail.Expr { return step(a[0]) })
		joined, ok := joinTypes(state, forgetValues(l.Body.Type()))
		if !ok || !either && mentionsEither(joined) && !mentionsEither(state) {
			return nil, nil, diag.Errorf(diag.StepRank, s.fn, "each step of ⍣ must keep the rank and kind: it takes %s and gives %s", describeType(state), describeType(l.Body.Type()))
		}
		if typeKey(joined, false) == typeKey(state, false) {
			l.Body = g.block(func() tail.Expr { return g.adaptBody(l.Body, state) })
			return state, l, nil
		}
		state = joined
	}
	return nil, nil, diag.Errorf(diag.RecursiveType, s.fn, "the type of the value that ⍣ iterates on does not settle")
}

// forgetValues returns a type without element values, which change in a loop.
func forgetValues(t tail.Type) tail.Type {
	if tuple, ok := t.(*tail.TupleType); ok {
		r := &tail.TupleType{Shape: tuple.Shape, Proto: tuple.Proto}
		for _, e := range tuple.Elems {
			r.Elems = append(r.Elems, forgetValues(e))
		}
		return r
	}
	a := t.(*tail.Array)
	return a.WithElem(a.Elem)
}

// until is f⍣g y: the state is the value, and whether to go on, which each step decides
// where it has the new value and the old one.
func (g *infer) until(stop function, step func(tail.Expr) tail.Expr, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	state, _ := g.loop(y, step, s)
	pair := &tail.TupleType{Elems: []tail.Type{state, tail.Scalar(array.Bool)}}
	at := tail.At{Where: s.fn}
	proj := func(e tail.Expr, i int) tail.Expr { return &tail.Proj{At: at, X: e, I: i} }
	cond := g.lambda(s.fn, []tail.Type{pair}, func(a []tail.Expr) tail.Expr { return proj(a[0], 1) })
	next := g.lambda(s.fn, []tail.Type{pair}, func(a []tail.Expr) tail.Expr {
		old := proj(a[0], 0)
		z := g.name(g.adapt(g.name(step(old)), state))
		c := g.toBool(g.single(g.dyadic(stop, z, old, s), s, "the result of ⍣'s right operand"))
		return &tail.Tuple{At: at, Elems: []tail.Expr{z, g.name(g.op(tail.OpNotB, s, c))}}
	})
	init := &tail.Tuple{At: at, Elems: []tail.Expr{g.name(g.adapt(y, state)), lit(s.fn, array.ScalarBool(true))}}
	return proj(g.name(g.op(tail.OpWhile, s, cond, next, init)), 0)
}

// ranks returns the constants of ⍤'s right operand: for one argument, and for
// the left and the right of two.
func (g *infer) ranks(d *derived) (monadic, left, right int) {
	e := g.array(d.right)
	t := g.arr(e, d.right.at)
	if t.Elem == array.Double {
		e = g.toInt(e)
		t = tail.TypeOf(e)
	}
	var k []int
	for i := range t.Values {
		n, ok := t.Values[i].IsConst()
		if !ok {
			k = nil
			break
		}
		k = append(k, int(n))
	}
	switch len(k) {
	case 1:
		return k[0], k[0], k[0]
	case 2:
		return k[1], k[0], k[1]
	case 3:
		return k[0], k[1], k[2]
	}
	g.needsConstant(diag.OperatorForm, d.right.at, "the rank operand of ⍤ must be known when compiling")
	return
}

// cellRank returns the rank of the cells of an array for ⍤k.
func cellRank(k, rank int) int {
	if k < 0 {
		return max(0, rank+k)
	}
	return min(k, rank)
}

// cell returns the type of the cells of rank k.
func cell(t *tail.Array, k int) *tail.Array {
	return tail.Shaped(t.Elem, extents(t)[t.Dims()-k:]...)
}

// rankMonadic is f⍤k y.
func (g *infer) rankMonadic(d *derived, y tail.Expr, s site) tail.Expr {
	f := g.fn(d.left)
	m, _, _ := g.ranks(d)
	if isStored(y) || isRanked(y) && rankOf(y) == 2 {
		return g.cellsOfStored(f, y, cellRank(m, rankOf(y)), s)
	}
	t := g.arr(y, s.right)
	k := cellRank(m, t.Dims())
	if k == t.Dims() {
		return g.monadic(f, y, s)
	}
	nothing, y := g.cellsOfNone(f, y, k, s)
	if nothing != nil {
		return nothing
	}
	if e := g.cellsChanging(f, y, k, s); e != nil {
		return e
	}
	y = g.cellsWhereNone(f, y, k, s, func(c, _ tail.Expr) tail.Expr { return g.monadic(f, c, s) })
	apply := func(a tail.Expr) tail.Expr { return g.monadic(f, a, s) }
	if k == 0 {
		of := func() *tail.Lam {
			return g.lambda(s.fn, []tail.Type{tail.Scalar(t.Elem)}, func(a []tail.Expr) tail.Expr { return apply(a[0]) })
		}
		if by := g.byGroups(f, y, of, s); by != nil {
			y, apply = by.numbers, by.apply
		}
	}
	return g.cells(y, k, s, apply)
}

// cellsOfStored is f⍤k y of a nested vector or matrix that is stored: of rank 0 its cells
// are scalars, which enclose the items.
func (g *infer) cellsOfStored(f function, y tail.Expr, k int, s site) tail.Expr {
	if k == rankOf(y) {
		return g.monadic(f, y, s)
	}
	y = g.name(y)
	var z tail.Expr
	if rankOf(y) == 1 {
		apply := func(item tail.Expr) tail.Expr { return g.name(g.monadic(f, enclosure(item, s), s)) }
		none := g.noItemsOf(f, y, s)
		none.call = func(args []tail.Expr) tail.Expr { return apply(g.name(args[0])) }
		z = g.eachItem(f, g.numbersOfStored(y, s), func(i tail.Expr) tail.Expr { return apply(g.storedItem(y, i, s)) }, none, s)
	} else {
		items, numbers := g.arrangement(y, s)
		if items == nil || k == 0 || len(g.changedBy(f)) > 0 {
			g.fail(diag.NestedArrays, s.fn, "⍤%d of a nested matrix whose number of rows is not known", k)
		}
		z = g.eachMatrixRow(numbers, func(row tail.Expr) tail.Expr {
			return g.name(g.monadic(f, g.chosenOfStored(items, row, s), s))
		}, s)
	}
	return g.mixed1(z, s)
}

// cells applies f to the cells of rank k.
func (g *infer) cells(y tail.Expr, k int, s site, f func(tail.Expr) tail.Expr) tail.Expr {
	l := g.lambdaOver([]tail.Expr{y}, s.fn, []tail.Type{cell(tail.TypeOf(y), k)}, func(a []tail.Expr) tail.Expr { return f(a[0]) })
	if isTuple(l.Body) {
		if parts, frame := g.fewCells(y, k, s); parts != nil {
			return g.mixCells(len(parts), frame, s, func(i int) tail.Expr { return f(parts[i]) })
		}
		if tail.TypeOf(y).Dims() == k+1 {
			return g.mixedRows(y, f, s)
		}
	}
	g.arr(l.Body, s.fn)
	if k == 0 && tail.TypeOf(l.Body).Dims() == 0 {
		return g.op(tail.OpEach, s, l, y)
	}
	return g.opWith(tail.OpCells, s, 0, []int{k}, l, y)
}

// rankDyadic is x f⍤k y.
func (g *infer) rankDyadic(d *derived, x, y tail.Expr, s site) tail.Expr {
	f := g.fn(d.left)
	_, kl, kr := g.ranks(d)
	switch {
	case isEnclosed(x) && !isTuple(y):
		x, y = g.names2(x, y)
		return g.cells(y, cellRank(kr, tail.TypeOf(y).Dims()), s, func(b tail.Expr) tail.Expr { return g.dyadic(f, x, b, s) })
	case isEnclosed(y) && !isTuple(x):
		x, y = g.names2(x, y)
		return g.cells(x, cellRank(kl, tail.TypeOf(x).Dims()), s, func(a tail.Expr) tail.Expr { return g.dyadic(f, a, y, s) })
	}
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	kl, kr = cellRank(kl, tx.Dims()), cellRank(kr, ty.Dims())
	if kl == tx.Dims() && kr == ty.Dims() {
		return g.dyadic(f, x, y, s)
	}
	switch {
	case kl == tx.Dims():
		x, y = g.names2(x, y)
		y = g.cellsWhereNone(f, y, kr, s, func(c, zero tail.Expr) tail.Expr {
			return g.dyadic(f, g.prototypesLike(x, 0, zero, s), c, s)
		})
		return g.cells(y, kr, s, func(b tail.Expr) tail.Expr { return g.dyadic(f, x, b, s) })
	case kr == ty.Dims():
		y = g.name(y)
		x = g.cellsWhereNone(f, x, kl, s, func(c, zero tail.Expr) tail.Expr {
			return g.dyadic(f, c, g.prototypesLike(y, 0, zero, s), s)
		})
		return g.cells(x, kl, s, func(a tail.Expr) tail.Expr { return g.dyadic(f, a, y, s) })
	}
	nothing, x, y := g.pairsOfNone(f, x, y, kl, kr, s)
	if nothing != nil {
		return nothing
	}
	if frame := tx.Dims() - kl; frame == ty.Dims()-kr && mayBeNone(tx, frame) {
		x, y = g.names2(x, y)
		x = g.cellsWhereNone(f, x, kl, s, func(c, zero tail.Expr) tail.Expr {
			return g.dyadic(f, c, g.prototypesLike(y, ty.Dims()-kr, zero, s), s)
		})
	}
	l := g.lambdaOver([]tail.Expr{x, y}, s.fn, []tail.Type{cell(tx, kl), cell(ty, kr)}, func(a []tail.Expr) tail.Expr {
		return g.dyadic(f, a[0], a[1], s)
	})
	if isTuple(l.Body) {
		right, frame := g.fewCells(y, kr, s)
		left, other := g.fewCells(x, kl, s)
		if right != nil && slices.Equal(frame, other) {
			return g.mixCells(len(right), frame, s, func(i int) tail.Expr { return g.dyadic(f, left[i], right[i], s) })
		}
	}
	g.arr(l.Body, s.fn)
	return g.opWith(tail.OpCells2, s, 0, []int{kl, kr}, l, x, y)
}
