package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// law returns what e becomes by one law, or nil when none fits. The arguments
// of e are simplified and have no lets in front.
func (s *simplifier) law(e *tail.Apply) tail.Expr {
	switch e.Op {
	case tail.OpReverse:
		return s.lawReverse(e)
	case tail.OpRotate:
		return s.lawRotate(e)
	case tail.OpTransp:
		return s.lawTransp(e)
	case tail.OpTransp2:
		return s.lawTransp2(e)
	case tail.OpRavel:
		return s.lawRavel(e)
	case tail.OpReshape:
		return s.lawReshape(e)
	case tail.OpShape, tail.OpTally, tail.OpCount:
		return s.lawShape(e)
	case tail.OpTake, tail.OpDrop:
		return s.lawTakeDrop(e)
	case tail.OpStretch:
		return s.lawStretch(e)
	case tail.OpCat, tail.OpCons, tail.OpSnoc:
		return s.lawCat(e)
	case tail.OpFirst, tail.OpIndex:
		return s.lawPick(e)
	case tail.OpUnique:
		return s.lawUnique(e)
	case tail.OpIndexOf:
		return s.lawIndexOf(e)
	case tail.OpCompress:
		return s.lawCompress(e)
	case tail.OpEach:
		if x := s.lawEach(e); x != nil {
			return x
		}
		return s.lawCells(e)
	case tail.OpZipWith:
		return s.lawZipWith(e)
	case tail.OpScan:
		if n, ok := tail.TypeOf(e.Args[1]).Extent(e.Axis).IsConst(); ok && n <= 1 {
			return e.Args[1]
		}
		return nil
	case tail.OpCells:
		return s.lawCells(e)
	case tail.OpPower:
		return s.lawPower(e)
	case tail.OpStop:
		if n, ok := s.constInt(e.Args[1]); ok && n == 0 && s.effects.Total(e.Args[0]) {
			return e.Args[1]
		}
		return nil
	}
	return s.scalarLaw(e)
}

// applied returns e, or what the variable e stands for, if it is an
// application of op whose arguments may be used again.
func (s *simplifier) applied(e tail.Expr, op tail.Op) *tail.Apply {
	if r, ok := e.(*tail.Ref); ok {
		a, ok := s.defs[r.Var].(*tail.Apply)
		if !ok || a.Op != op {
			return nil
		}
		for _, x := range a.Args {
			if _, isLam := x.(*tail.Lam); isLam || !isAtom(x) {
				return nil
			}
		}
		return a
	}
	if a, ok := e.(*tail.Apply); ok && a.Op == op {
		return a
	}
	return nil
}

// as returns the application of an op to other arguments in the place of e.
func as(e *tail.Apply, op tail.Op, axis int, args ...tail.Expr) *tail.Apply {
	return &tail.Apply{At: e.At, Op: op, Args: args, Axis: axis, Blame: e.Blame}
}

// constInt is the value that the type of e knows, where e does nothing else: a
// law may put it in the place of e.
func (s *optimiser) constInt(e tail.Expr) (int64, bool) {
	n, ok := tail.ConstInt(e)
	return n, ok && s.effects.Total(e)
}

// keeps returns x when dropping the other arguments of e loses nothing, else
// nil.
func (s *simplifier) keeps(e *tail.Apply, x tail.Expr) tail.Expr {
	for _, a := range e.Args {
		if a != x && !s.effects.Total(a) {
			return nil
		}
	}
	return x
}

// lawReverse: ⌽⌽x is x; ⌽x is x for a scalar or an axis of at most one item.
func (s *simplifier) lawReverse(e *tail.Apply) tail.Expr {
	x := e.Args[0]
	if tail.RankOf(x) == 0 {
		return x
	}
	if n, ok := tail.TypeOf(x).Extent(e.Axis).IsConst(); ok && n <= 1 {
		return x
	}
	if inner := s.applied(x, tail.OpReverse); inner != nil && inner.Axis == e.Axis {
		return inner.Args[0]
	}
	return nil
}

// lawRotate: 0⌽x is x; a⌽b⌽x is (a+b)⌽x; a rotation by a multiple of the
// extent, and of a scalar, does nothing.
func (s *simplifier) lawRotate(e *tail.Apply) tail.Expr {
	k, x := e.Args[0], e.Args[1]
	if tail.RankOf(x) == 0 {
		return s.keeps(e, x)
	}
	extent := tail.TypeOf(x).Extent(e.Axis)
	count, ok := s.constInt(k)
	if n, known := extent.IsConst(); ok && (count == 0 || known && n > 0 && count%n == 0 || known && n <= 1) {
		return s.keeps(e, x)
	}
	if v := tail.TypeOf(k).Value(0); v.Known() && tail.Magnitude(v).Equal(extent) {
		return s.keeps(e, x)
	}
	inner := s.applied(x, tail.OpRotate)
	if inner == nil || inner.Axis != e.Axis || !ok {
		return nil
	}
	other, known := s.constInt(inner.Args[0])
	sum, fits := tail.AddSizes(tail.ConstSize(count), tail.ConstSize(other), 1).IsConst()
	if !known || !fits {
		return nil
	}
	return as(e, tail.OpRotate, e.Axis, tail.NewInt(e.Where, sum), inner.Args[1])
}

// lawTransp: ⍉⍉x is x; ⍉x is x for ranks 0 and 1.
func (s *simplifier) lawTransp(e *tail.Apply) tail.Expr {
	x := e.Args[0]
	if tail.RankOf(x) < 2 {
		return x
	}
	if inner := s.applied(x, tail.OpTransp); inner != nil {
		return inner.Args[0]
	}
	if inner := s.applied(x, tail.OpTransp2); inner != nil {
		if v, ok := permutation(inner); ok {
			for i, a := range v {
				v[i] = int64(len(v)) + 1 - a
			}
			return as(e, tail.OpTransp2, 0, vectorLit(e, v), inner.Args[1])
		}
	}
	return nil
}

// permutation returns the axes of a transp2 that only permutes them.
func permutation(e *tail.Apply) ([]int64, bool) {
	v, ok := tail.Constants(tail.TypeOf(e.Args[0]))
	ty, isArray := e.Ty.(*tail.Array)
	if !ok || !isArray || ty.Dims() != len(v) {
		return nil, false
	}
	return v, true
}

func vectorLit(e *tail.Apply, v []int64) tail.Expr { return tail.NewLit(e.Where, array.VectorInt(v)) }

// lawTransp2: 1 2 3⍉x is x; 3 2 1⍉x is ⍉x; v⍉w⍉x is one transposition.
func (s *simplifier) lawTransp2(e *tail.Apply) tail.Expr {
	v, ok := permutation(e)
	x := e.Args[1]
	if !ok {
		return nil
	}
	same, reversed := true, true
	for i, a := range v {
		same = same && a == int64(i+1)
		reversed = reversed && a == int64(len(v)-i)
	}
	inner, transp := s.applied(x, tail.OpTransp2), s.applied(x, tail.OpTransp)
	switch {
	case same:
		return s.keeps(e, x)
	case !s.effects.Total(e.Args[0]):
		return nil
	case reversed:
		return as(e, tail.OpTransp, 0, x)
	case transp != nil:
		composed := make([]int64, len(v))
		for i := range v {
			composed[i] = v[len(v)-1-i]
		}
		return as(e, tail.OpTransp2, 0, vectorLit(e, composed), transp.Args[0])
	case inner != nil:
		w, ok := tail.Constants(tail.TypeOf(inner.Args[0]))
		if !ok || !s.effects.Total(inner.Args[0]) {
			return nil
		}
		composed := make([]int64, len(w))
		for i, a := range w {
			composed[i] = v[a-1]
		}
		return as(e, tail.OpTransp2, 0, vectorLit(e, composed), inner.Args[1])
	}
	return nil
}

// lawRavel: ,x is x for a vector; ,v⍴x is (×/v)⍴x for a known shape.
func (s *simplifier) lawRavel(e *tail.Apply) tail.Expr {
	x := e.Args[0]
	if tail.RankOf(x) == 1 {
		return x
	}
	inner := s.applied(x, tail.OpReshape)
	n, ok := tail.Product(tail.Extents(tail.TypeOf(x))).IsConst()
	if inner == nil || !ok || !s.effects.Total(inner.Args[0]) {
		return nil
	}
	return as(e, tail.OpReshape, 0, vectorLit(e, []int64{n}), inner.Args[1])
}

// lawReshape: (⍴x)⍴x is x, as is (≢y)⍴x of as many elements as y has; v⍴w⍴x and v⍴,x are
// v⍴x when no element is lost or repeated between.
func (s *simplifier) lawReshape(e *tail.Apply) tail.Expr {
	x := e.Args[1]
	from, to := tail.Extents(tail.TypeOf(x)), tail.TypeOf(e.Args[0]).Values
	if analysis.SameExtents(from, to) && (len(from) > 0 || tail.RankOf(x) == 0 && tail.RankOf(e) == 0) {
		return s.keeps(e, x)
	}
	if v, ok := e.Args[0].(*tail.Vec); ok && len(v.Elems) == 1 && tail.RankOf(x) == 1 {
		if n := applied(s.defs, v.Elems[0], tail.OpTally); n != nil && sameExtent(s.defs, n.Args[0], x) {
			return s.keeps(e, x)
		}
	}
	if inner := s.applied(x, tail.OpRavel); inner != nil {
		return as(e, tail.OpReshape, 0, e.Args[0], inner.Args[0])
	}
	inner := s.applied(x, tail.OpReshape)
	if inner == nil || !analysis.Naturals(to) || !s.effects.Total(inner.Args[0]) || !analysis.Naturals(tail.TypeOf(inner.Args[0]).Values) {
		return nil
	}
	before, after := tail.Product(from), tail.Product(to)
	n, constant := before.IsConst()
	m, _ := after.IsConst()
	if before.Equal(after) && (!constant || n > 0 || m == 0) || constant && n == 1 && tail.RankOf(inner.Args[1]) == 0 {
		return as(e, tail.OpReshape, 0, e.Args[0], inner.Args[1])
	}
	return nil
}

// lawShape: the shape of a result whose op keeps shapes is that of the
// argument, if the op has no fault to lose; that of a variable is that of the vector
// which gives it its extent.
func (s *simplifier) lawShape(e *tail.Apply) tail.Expr {
	x, ok := e.Args[0].(*tail.Apply)
	if !ok {
		if r, ok := e.Args[0].(*tail.Ref); ok {
			if v := extentOfVector(s.defs, r); v.v != nil && v.v != r.Var && v.part == 0 {
				return as(e, e.Op, 0, &tail.Ref{At: r.At, Var: v.v})
			}
		}
		return nil
	}
	switch x.Op {
	case tail.OpEach, tail.OpScan:
		if s.effects.Dropped(x.Args[0]) {
			return as(e, e.Op, 0, x.Args[1])
		}
	case tail.OpReverse:
		return as(e, e.Op, 0, x.Args[0])
	case tail.OpRotate:
		if s.effects.Total(x.Args[0]) {
			return as(e, e.Op, 0, x.Args[1])
		}
	case tail.OpRavel:
		if e.Op == tail.OpTally || e.Op == tail.OpCount {
			return as(e, tail.OpCount, 0, x.Args[0])
		}
	case tail.OpTransp:
		if e.Op == tail.OpCount {
			return as(e, tail.OpCount, 0, x.Args[0])
		}
	case tail.OpCat:
		if e.Op != tail.OpShape && tail.RankOf(x) == 1 {
			return mustApply(e.Where, tail.OpAddI, mustApply(e.Where, e.Op, x.Args[0]), mustApply(e.Where, e.Op, x.Args[1]))
		}
	case tail.OpWithout:
		if e.Op != tail.OpShape {
			return countOf(e, mustApply(e.Where, tail.OpEach, tail.NewOpLam(e.Where, tail.OpNotB), mustApply(x.Where, tail.OpMember, x.Args...)))
		}
	case tail.OpTake:
		if x.Within() && e.Op != tail.OpShape && tail.RankOf(x) == 1 && tail.RankOf(x.Args[0]) == 0 && s.effects.Dropped(x.Args[1]) {
			if analysis.Total(x.Args[1]) {
				return x.Args[0]
			}
			// The place that is not read any more was a proof that the length is not negative.
			return as(e, tail.OpMaxI, 0, tail.NewInt(e.Where, 0), x.Args[0])
		}
	}
	return nil
}

// countOf is how many ones there are among truth values.
func countOf(e *tail.Apply, truths tail.Expr) tail.Expr {
	ones := mustApply(e.Where, tail.OpEach, tail.NewOpLam(e.Where, tail.OpB2I), truths)
	return mustApply(e.Where, tail.OpReduce, tail.NewOpLam(e.Where, tail.OpAddI), tail.NewInt(e.Where, 0), ones)
}

// lawStretch: a vector stretched to as many elements as it has is itself.
func (s *simplifier) lawStretch(e *tail.Apply) tail.Expr {
	n := s.extentOf(e.Args[0])
	if n == nil || tail.RankOf(e) != 1 || !sameExtent(s.defs, n, e.Args[1]) {
		return nil
	}
	return s.keeps(e, e.Args[1])
}

// extentOf is the vector of which e is the number of elements, as ≢x and (⍴x)[1] are.
func (s *simplifier) extentOf(e tail.Expr) tail.Expr {
	if n := applied(s.defs, e, tail.OpTally); n != nil {
		return n.Args[0]
	}
	first := applied(s.defs, e, tail.OpIndex)
	if first == nil || len(first.Args) != 2 {
		return nil
	}
	shape := applied(s.defs, first.Args[0], tail.OpShape)
	if k, ok := tail.ConstInt(first.Args[1]); !ok || k != 1 || shape == nil || tail.RankOf(shape.Args[0]) != 1 {
		return nil
	}
	return shape.Args[0]
}

// lawDropEnd: 1↓s,x and ¯1↓x,s are x for a vector x and a scalar s.
func (s *simplifier) lawDropEnd(e *tail.Apply) tail.Expr {
	n, ok := s.constInt(e.Args[0])
	if !ok || e.Op != tail.OpDrop || tail.RankOf(e) != 1 {
		return nil
	}
	if put := s.applied(e.Args[1], tail.OpCons); put != nil && n == 1 {
		return s.keeps(put, put.Args[1])
	}
	if put := s.applied(e.Args[1], tail.OpSnoc); put != nil && n == -1 {
		return s.keeps(put, put.Args[0])
	}
	return nil
}

// lawTakeDrop: 0↓x is x, as is taking as much as there is; a↓b↓x is (a+b)↓x
// for a vector and counts of one sign.
func (s *simplifier) lawTakeDrop(e *tail.Apply) tail.Expr {
	v, x := tail.TypeOf(e.Args[0]), e.Args[1]
	n, ok := v.ElementCount()
	if !ok || int(n) > tail.RankOf(x) {
		return nil
	}
	nothing := true
	for i := range int(n) {
		if e.Op == tail.OpDrop {
			nothing = nothing && v.Value(i).Equal(tail.ConstSize(0))
		} else {
			nothing = nothing && tail.Magnitude(v.Value(i)).Equal(tail.TypeOf(x).Extent(i))
		}
	}
	if nothing {
		return s.keeps(e, x)
	}
	if rest := s.lawDropEnd(e); rest != nil {
		return rest
	}
	if row := s.rowOfRavel(e); row != nil {
		return row
	}
	inner := s.applied(x, tail.OpDrop)
	if e.Op != tail.OpDrop || inner == nil || tail.RankOf(x) != 1 || v.Values == nil || n != 1 {
		return nil
	}
	w := tail.TypeOf(inner.Args[0])
	if m, ok := w.ElementCount(); !ok || m != 1 {
		return nil
	}
	a, known := v.Value(0).IsConst()
	b, also := w.Value(0).IsConst()
	sum, fits := tail.AddSizes(tail.ConstSize(a), tail.ConstSize(b), 1).IsConst()
	if !known || !also || !fits || a < 0 != (b < 0) || !s.effects.Total(e.Args[0]) || !s.effects.Total(inner.Args[0]) {
		return nil
	}
	return as(e, tail.OpDrop, 0, tail.NewInt(e.Where, sum), inner.Args[1])
}

// lawCat: catenation with an empty vector of the same kind, and of scalars and
// short vectors whose elements are written out.
func (s *simplifier) lawCat(e *tail.Apply) tail.Expr {
	if e.Op == tail.OpCat {
		for i := range 2 {
			if tail.TypeOf(e.Args[i]).Extent(e.Axis).Equal(tail.ConstSize(0)) && s.effects.Total(e) {
				return e.Args[1-i]
			}
		}
	}
	if tail.RankOf(e) != 1 {
		return nil
	}
	left, right := s.items(e.Args[0]), s.items(e.Args[1])
	if left == nil || right == nil || len(left)+len(right) > maxLiteral {
		return nil
	}
	return s.vec(&tail.Vec{At: e.At, Ty: tail.TypeOf(e)}, append(left, right...))
}

// items returns the elements of a scalar, of a vector that is written out, or
// of a short constant.
func (s *simplifier) items(e tail.Expr) []tail.Expr {
	ty := tail.TypeOf(e)
	if ty.Dims() == 0 {
		return []tail.Expr{e}
	}
	switch e := e.(type) {
	case *tail.Vec:
		return append([]tail.Expr{}, e.Elems...)
	case *tail.Lit:
		if ty.Dims() == 1 && e.Value.Len() <= maxLiteral && e.Value.Len() > 0 {
			all := make([]tail.Expr, e.Value.Len())
			for i := range all {
				all[i] = tail.NewLit(e.Where, elementOf(e.Value, i))
			}
			return all
		}
	}
	return nil
}

// elementOf returns element i of the ravel of a as a scalar.
func elementOf(a *array.Array, i int) *array.Array {
	x := array.New(a.Elem)
	switch a.Elem {
	case array.Bool:
		x.Bools[0] = a.Bools[i]
	case array.Int:
		x.Ints[0] = a.Ints[i]
	case array.Double:
		x.Doubles[0] = a.Doubles[i]
	case array.Char:
		x.Chars[0] = a.Chars[i]
	case array.Complex:
		x.Complexes[0] = a.Complexes[i]
	}
	return x
}

// lawEnd: ⊃s,x and ⊃⌽x,s are s for a vector x and a scalar s; x is what ⊃ is applied to.
func (s *simplifier) lawEnd(x tail.Expr) tail.Expr {
	if tail.RankOf(x) != 1 {
		return nil
	}
	if put := s.applied(x, tail.OpCons); put != nil {
		return s.keeps(put, put.Args[0])
	}
	if back := s.applied(x, tail.OpReverse); back != nil {
		if put := s.applied(back.Args[0], tail.OpSnoc); put != nil {
			return s.keeps(put, put.Args[1])
		}
		return s.lawTotal(back)
	}
	return nil
}

// lawTotal: the last of the sums +\x of integers is +/⌽x, which adds in the same order, and
// +/x where no order overflows; that of ∨\x is ∨/x. x is not empty, or the result is 0.
func (s *simplifier) lawTotal(back *tail.Apply) tail.Expr {
	sums, ok := back.Args[0].(*tail.Apply)
	if !ok || sums.Op != tail.OpScan {
		return nil
	}
	f, x := sums.Args[0].(*tail.Lam), sums.Args[1]
	if tail.IsOpLam(f, tail.OpOrB) {
		return as(sums, tail.OpReduce, 0, f, tail.NewLit(sums.Where, array.ScalarBool(false)), x)
	}
	if !tail.IsOpLam(f, tail.OpAddI) {
		return nil
	}
	if e := (&analysis.Effects{Ranges: analysis.NewRanger(s.defs)}); !e.Small(sums) {
		x = mustApply(back.Where, tail.OpReverse, x)
	}
	return as(sums, tail.OpReduce, 0, f, tail.NewInt(sums.Where, 0), x)
}

// numbered reports whether e is the element of a vector of which the number is a parameter
// that stands for all its numbers.
func (s *simplifier) numbered(e *tail.Apply) bool {
	return tail.RankOf(e) == 0 && s.sure(e)
}

// sure reports whether the element, or the cell, that e is is certainly there.
func (s *simplifier) sure(e *tail.Apply) bool { return s.effects.Sure != nil && s.effects.Sure(e) }

// lawPick: the first element, or one of known position, of a vector that is
// written out or a constant; x[;] is x; ⊃,x is ⊃x; element i of 1 2 … n is i.
func (s *simplifier) lawPick(e *tail.Apply) tail.Expr {
	x, position := e.Args[0], int64(1)
	if e.Op == tail.OpIndex {
		if allElided(e.Args[1:]) {
			return x
		}
		if same := s.sameCell(e); same != nil {
			return same
		}
		if kept := s.selected(e); kept != nil {
			return kept
		}
		n, ok := int64(0), false
		if len(e.Args) == 2 {
			if s.sure(e) && applied(s.defs, x, tail.OpIota) != nil {
				return e.Args[1]
			}
			n, ok = s.constInt(e.Args[1])
		}
		if !ok {
			return nil
		}
		position = n
	} else if inner := s.applied(x, tail.OpRavel); inner != nil {
		return as(e, tail.OpFirst, 0, inner.Args[0])
	} else if end := s.lawEnd(x); end != nil {
		return end
	}
	if tail.RankOf(x) == 0 && e.Op == tail.OpFirst {
		return x
	}
	var es []tail.Expr
	switch r := x.(type) {
	case *tail.Ref:
		if v, ok := s.defs[r.Var].(*tail.Vec); ok {
			es = v.Elems
		}
		if l, ok := s.defs[r.Var].(*tail.Lit); ok && tail.RankOf(l) == 1 && position >= 1 && position <= int64(l.Value.Len()) {
			return tail.NewLit(e.Where, elementOf(l.Value, int(position-1)))
		}
	case *tail.Vec:
		es = r.Elems
	case *tail.Lit:
		if tail.RankOf(r) == 1 && position >= 1 && position <= int64(r.Value.Len()) {
			return tail.NewLit(e.Where, elementOf(r.Value, int(position-1)))
		}
	}
	if position < 1 || position > int64(len(es)) {
		return nil
	}
	_, isRef := x.(*tail.Ref)
	if chosen := es[position-1]; isRef && isAtom(chosen) || !isRef && s.othersTotal(es, int(position-1)) {
		return chosen
	}
	return nil
}

func allElided(indices []tail.Expr) bool {
	for _, i := range indices {
		if !tail.IsUnit(i.Type()) {
			return false
		}
	}
	return true
}

// lawCompress: keeping everything is x.
func (s *simplifier) lawCompress(e *tail.Apply) tail.Expr {
	v, ok := tail.Constants(tail.TypeOf(e.Args[0]))
	if !ok || !s.effects.Total(e) {
		return nil
	}
	for _, b := range v {
		if b == 0 {
			return nil
		}
	}
	return e.Args[1]
}

// firsts reports whether e names the places of the first elements, or items, that are
// equal to those of an array: p←x⍳x.
func (s *simplifier) firsts(e tail.Expr) bool {
	r, ok := e.(*tail.Ref)
	if !ok {
		return false
	}
	d := s.defs[r.Var]
	for other, ok := d.(*tail.Ref); ok; other, ok = d.(*tail.Ref) {
		d = s.defs[other.Var]
	}
	a, ok := d.(*tail.Apply)
	return ok && a.Op == tail.OpFirstItem
}

// begins is which elements are the first of their kind, of their places p: p=⍳≢p.
func begins(e *tail.Apply, p tail.Expr) tail.Expr {
	numbers := mustApply(e.Where, tail.OpIota, mustApply(e.Where, tail.OpTally, tail.Copy(p)))
	return mustApply(e.Where, tail.OpZipWith, tail.NewOpLam(e.Where, tail.OpEqI), p, numbers)
}

// lawUnique: ∪p is ⍸p=⍳≢p for the places p of first elements.
func (s *simplifier) lawUnique(e *tail.Apply) tail.Expr {
	if p := e.Args[0]; s.firsts(p) {
		return as(e, tail.OpWhere, 0, begins(e, tail.Copy(p)))
	}
	return nil
}

// lawIndexOf: p⍳p is p, and (∪p)⍳p is (+\p=⍳≢p)[p], for the places p of first elements; v⍳⌈/v
// and v⍳⌊/v are ⊃⍒v and ⊃⍋v for integers, if there are some.
func (s *simplifier) lawIndexOf(e *tail.Apply) tail.Expr {
	if x := s.placeOfExtreme(e); x != nil {
		return x
	}
	p := e.Args[1]
	if r, ok := p.(*tail.Ref); ok && tail.IsRef(e.Args[0], r.Var) && s.firsts(p) {
		return p
	}
	where := applied(s.defs, e.Args[0], tail.OpWhere)
	if where == nil || !s.firsts(p) {
		return nil
	}
	zip := applied(s.defs, where.Args[0], tail.OpZipWith)
	if zip == nil || !tail.IsOpLam(zip.Args[0].(*tail.Lam), tail.OpEqI) || !tail.IsRef(zip.Args[1], p.(*tail.Ref).Var) {
		return nil
	}
	ones := mustApply(e.Where, tail.OpEach, tail.NewOpLam(e.Where, tail.OpB2I), begins(e, tail.Copy(p)))
	return as(e, tail.OpIndex, 0, mustApply(e.Where, tail.OpScan, tail.NewOpLam(e.Where, tail.OpAddI), ones), p)
}

// placeOfExtreme returns ⊃⍒v for v⍳⌈/v, ⊃⍋v for v⍳⌊/v, nil for other places.
func (s *simplifier) placeOfExtreme(e *tail.Apply) tail.Expr {
	v, most := e.Args[0], applied(s.defs, e.Args[1], tail.OpReduce1)
	r, ok := v.(*tail.Ref)
	if !ok || most == nil || !tail.IsRef(most.Args[1], r.Var) || tail.RankOf(v) != 1 {
		return nil
	}
	if n, ok := tail.TypeOf(v).Extent(0).IsConst(); !ok || n < 1 || n > fewPlaces {
		return nil
	}
	grade := tail.OpGradeDown
	switch tail.OpOf(tail.LamOf(most.Args[0])) {
	case tail.OpMaxI:
	case tail.OpMinI:
		grade = tail.OpGradeUp
	default:
		return nil
	}
	return as(e, tail.OpFirst, 0, mustApply(e.Where, grade, tail.Copy(v)))
}

// fewPlaces is the largest number of elements whose first extreme is found without a search.
const fewPlaces = 1 << 12

// lawEach: each(identity,x) is x, as are all elements of x, by their numbers; on a scalar
// the function is applied.
func (s *simplifier) lawEach(e *tail.Apply) tail.Expr {
	f, ok := e.Args[0].(*tail.Lam)
	if !ok {
		return nil
	}
	if r, ok := f.Body.(*tail.Ref); ok && r.Var == f.Params[0] {
		return e.Args[1]
	}
	if tail.RankOf(e.Args[1]) == 0 {
		return s.beta(f, e.Args[1])
	}
	if x, ok := f.Body.(*tail.Apply); ok && s.numbered(x) && tail.IsRef(x.Args[1], f.Params[0]) && !tail.Mentions(x.Args[0], f.Params[0]) &&
		tail.Subtype(x.Args[0].Type(), e.Ty) {
		return x.Args[0]
	}
	return nil
}

// lawZipWith: on scalars the function is applied.
func (s *simplifier) lawZipWith(e *tail.Apply) tail.Expr {
	f, ok := e.Args[0].(*tail.Lam)
	if !ok || tail.RankOf(e.Args[1]) != 0 || tail.RankOf(e.Args[2]) != 0 {
		return nil
	}
	return s.beta(f, e.Args[1], e.Args[2])
}

// beta returns the body of a function that is used nowhere else, with lets for
// its parameters.
func (s *simplifier) beta(f *tail.Lam, args ...tail.Expr) tail.Expr {
	body := f.Body
	for i, p := range f.Params {
		s.made[p] = true
		body = &tail.Let{At: tail.At{Where: args[i].Span()}, Var: p, Bind: args[i], Body: body}
	}
	return s.expr(body)
}

// lawPower: no and one application.
func (s *simplifier) lawPower(e *tail.Apply) tail.Expr {
	n, ok := s.constInt(e.Args[1])
	if !ok || !tail.Subtype(e.Args[2].Type(), e.Ty) {
		return nil
	}
	switch n {
	case 0:
		return e.Args[2]
	case 1:
		return s.beta(e.Args[0].(*tail.Lam), e.Args[2])
	}
	return nil
}
