package tail

import "github.com/tailor-lang/tailor/array"

// law returns what e becomes by one law, or nil when none fits. The arguments
// of e are simplified and have no lets in front.
func (s *simplifier) law(e *Apply) Expr {
	switch e.Op {
	case OpReverse:
		return s.lawReverse(e)
	case OpRotate:
		return s.lawRotate(e)
	case OpTransp:
		return s.lawTransp(e)
	case OpTransp2:
		return s.lawTransp2(e)
	case OpRavel:
		return s.lawRavel(e)
	case OpReshape:
		return s.lawReshape(e)
	case OpShape, OpTally, OpCount:
		return s.lawShape(e)
	case OpTake, OpDrop:
		return s.lawTakeDrop(e)
	case OpCat, OpCons, OpSnoc:
		return s.lawCat(e)
	case OpFirst, OpIndex:
		return s.lawPick(e)
	case OpCompress:
		return s.lawCompress(e)
	case OpEach:
		return s.lawEach(e)
	case OpZipWith:
		return s.lawZipWith(e)
	case OpPower:
		return s.lawPower(e)
	case OpStop:
		if n, ok := s.constInt(e.Args[1]); ok && n == 0 && s.effects.Total(e.Args[0]) {
			return e.Args[1]
		}
		return nil
	}
	return s.scalarLaw(e)
}

// applied returns e, or what the variable e stands for, if it is an
// application of op whose arguments may be used again.
func (s *simplifier) applied(e Expr, op Op) *Apply {
	if r, ok := e.(*Ref); ok {
		a, ok := s.defs[r.Var].(*Apply)
		if !ok || a.Op != op {
			return nil
		}
		for _, x := range a.Args {
			if _, isLam := x.(*Lam); isLam || !isAtom(x) {
				return nil
			}
		}
		return a
	}
	if a, ok := e.(*Apply); ok && a.Op == op {
		return a
	}
	return nil
}

// with returns the application of an op to other arguments in the place of e.
func (e *Apply) as(op Op, axis int, args ...Expr) *Apply {
	return &Apply{At: e.At, Op: op, Args: args, Axis: axis, Blame: e.Blame}
}

// constInt returns the value of a scalar, if the type knows it.
func constInt(e Expr) (int64, bool) {
	ty, ok := e.Type().(*Array)
	if !ok || !isRank(ty, 0) {
		return 0, false
	}
	return ty.Value(0).IsConst()
}

// constInt is the value that the type of e knows, where e does nothing else: a
// law may put it in the place of e.
func (s *optimiser) constInt(e Expr) (int64, bool) {
	n, ok := constInt(e)
	return n, ok && s.effects.Total(e)
}

// rankOf returns the rank of an array expression.
func rankOf(e Expr) int { return TypeOf(e).Dims() }

// keeps returns x when dropping the other arguments of e loses nothing, else
// nil.
func (s *simplifier) keeps(e *Apply, x Expr) Expr {
	for _, a := range e.Args {
		if a != x && !s.effects.Total(a) {
			return nil
		}
	}
	return x
}

// lawReverse: ⌽⌽x is x; ⌽x is x for a scalar or an axis of at most one item.
func (s *simplifier) lawReverse(e *Apply) Expr {
	x := e.Args[0]
	if rankOf(x) == 0 {
		return x
	}
	if n, ok := TypeOf(x).Extent(e.Axis).IsConst(); ok && n <= 1 {
		return x
	}
	if inner := s.applied(x, OpReverse); inner != nil && inner.Axis == e.Axis {
		return inner.Args[0]
	}
	return nil
}

// lawRotate: 0⌽x is x; a⌽b⌽x is (a+b)⌽x; a rotation by a multiple of the
// extent, and of a scalar, does nothing.
func (s *simplifier) lawRotate(e *Apply) Expr {
	k, x := e.Args[0], e.Args[1]
	if rankOf(x) == 0 {
		return s.keeps(e, x)
	}
	extent := TypeOf(x).Extent(e.Axis)
	count, ok := s.constInt(k)
	if n, known := extent.IsConst(); ok && (count == 0 || known && n > 0 && count%n == 0 || known && n <= 1) {
		return s.keeps(e, x)
	}
	if v := TypeOf(k).Value(0); v.Known() && magnitude(v).Equal(extent) {
		return s.keeps(e, x)
	}
	inner := s.applied(x, OpRotate)
	if inner == nil || inner.Axis != e.Axis || !ok {
		return nil
	}
	other, known := s.constInt(inner.Args[0])
	sum, fits := addSizes(ConstSize(count), ConstSize(other), 1).IsConst()
	if !known || !fits {
		return nil
	}
	return e.as(OpRotate, e.Axis, NewInt(e.Where, sum), inner.Args[1])
}

// lawTransp: ⍉⍉x is x; ⍉x is x for ranks 0 and 1.
func (s *simplifier) lawTransp(e *Apply) Expr {
	x := e.Args[0]
	if rankOf(x) < 2 {
		return x
	}
	if inner := s.applied(x, OpTransp); inner != nil {
		return inner.Args[0]
	}
	if inner := s.applied(x, OpTransp2); inner != nil {
		if v, ok := permutation(inner); ok {
			for i, a := range v {
				v[i] = int64(len(v)) + 1 - a
			}
			return e.as(OpTransp2, 0, vectorLit(e, v), inner.Args[1])
		}
	}
	return nil
}

// permutation returns the axes of a transp2 that only permutes them.
func permutation(e *Apply) ([]int64, bool) {
	v, ok := constants(TypeOf(e.Args[0]))
	ty, isArray := e.Ty.(*Array)
	if !ok || !isArray || ty.Dims() != len(v) {
		return nil, false
	}
	return v, true
}

func vectorLit(e *Apply, v []int64) Expr { return NewLit(e.Where, array.VectorInt(v)) }

// lawTransp2: 1 2 3⍉x is x; 3 2 1⍉x is ⍉x; v⍉w⍉x is one transposition.
func (s *simplifier) lawTransp2(e *Apply) Expr {
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
	inner, transp := s.applied(x, OpTransp2), s.applied(x, OpTransp)
	switch {
	case same:
		return s.keeps(e, x)
	case !s.effects.Total(e.Args[0]):
		return nil
	case reversed:
		return e.as(OpTransp, 0, x)
	case transp != nil:
		composed := make([]int64, len(v))
		for i := range v {
			composed[i] = v[len(v)-1-i]
		}
		return e.as(OpTransp2, 0, vectorLit(e, composed), transp.Args[0])
	case inner != nil:
		w, ok := constants(TypeOf(inner.Args[0]))
		if !ok || !s.effects.Total(inner.Args[0]) {
			return nil
		}
		composed := make([]int64, len(w))
		for i, a := range w {
			composed[i] = v[a-1]
		}
		return e.as(OpTransp2, 0, vectorLit(e, composed), inner.Args[1])
	}
	return nil
}

// lawRavel: ,x is x for a vector; ,v⍴x is (×/v)⍴x for a known shape.
func (s *simplifier) lawRavel(e *Apply) Expr {
	x := e.Args[0]
	if rankOf(x) == 1 {
		return x
	}
	inner := s.applied(x, OpReshape)
	n, ok := product(extents(TypeOf(x))).IsConst()
	if inner == nil || !ok || !s.effects.Total(inner.Args[0]) {
		return nil
	}
	return e.as(OpReshape, 0, vectorLit(e, []int64{n}), inner.Args[1])
}

// lawReshape: (⍴x)⍴x is x; v⍴w⍴x and v⍴,x are v⍴x when no element is lost or
// repeated between.
func (s *simplifier) lawReshape(e *Apply) Expr {
	x := e.Args[1]
	from, to := extents(TypeOf(x)), TypeOf(e.Args[0]).Values
	if sameExtents(from, to) && (len(from) > 0 || rankOf(x) == 0 && rankOf(e) == 0) {
		return s.keeps(e, x)
	}
	if inner := s.applied(x, OpRavel); inner != nil {
		return e.as(OpReshape, 0, e.Args[0], inner.Args[0])
	}
	inner := s.applied(x, OpReshape)
	if inner == nil || !naturals(to) || !s.effects.Total(inner.Args[0]) || !naturals(TypeOf(inner.Args[0]).Values) {
		return nil
	}
	before, after := product(from), product(to)
	n, constant := before.IsConst()
	m, _ := after.IsConst()
	if before.Equal(after) && (!constant || n > 0 || m == 0) || constant && n == 1 && rankOf(inner.Args[1]) == 0 {
		return e.as(OpReshape, 0, e.Args[0], inner.Args[1])
	}
	return nil
}

// lawShape: the shape of a result whose op keeps shapes is that of the
// argument, if the op has no fault to lose.
func (s *simplifier) lawShape(e *Apply) Expr {
	x, ok := e.Args[0].(*Apply)
	if !ok {
		return nil
	}
	switch x.Op {
	case OpEach, OpScan:
		if s.effects.Dropped(x.Args[0]) {
			return e.as(e.Op, 0, x.Args[1])
		}
	case OpReverse:
		return e.as(e.Op, 0, x.Args[0])
	case OpRotate:
		if s.effects.Total(x.Args[0]) {
			return e.as(e.Op, 0, x.Args[1])
		}
	case OpRavel:
		if e.Op == OpTally || e.Op == OpCount {
			return e.as(OpCount, 0, x.Args[0])
		}
	case OpTransp:
		if e.Op == OpCount {
			return e.as(OpCount, 0, x.Args[0])
		}
	}
	return nil
}

// lawTakeDrop: 0↓x is x, as is taking as much as there is; a↓b↓x is (a+b)↓x
// for a vector and counts of one sign.
func (s *simplifier) lawTakeDrop(e *Apply) Expr {
	v, x := TypeOf(e.Args[0]), e.Args[1]
	n, ok := v.elementCount()
	if !ok || int(n) > rankOf(x) {
		return nil
	}
	nothing := true
	for i := range int(n) {
		if e.Op == OpDrop {
			nothing = nothing && v.Value(i).Equal(ConstSize(0))
		} else {
			nothing = nothing && magnitude(v.Value(i)).Equal(TypeOf(x).Extent(i))
		}
	}
	if nothing {
		return s.keeps(e, x)
	}
	inner := s.applied(x, OpDrop)
	if e.Op != OpDrop || inner == nil || rankOf(x) != 1 || v.Values == nil || n != 1 {
		return nil
	}
	w := TypeOf(inner.Args[0])
	if m, ok := w.elementCount(); !ok || m != 1 {
		return nil
	}
	a, known := v.Value(0).IsConst()
	b, also := w.Value(0).IsConst()
	sum, fits := addSizes(ConstSize(a), ConstSize(b), 1).IsConst()
	if !known || !also || !fits || a < 0 != (b < 0) || !s.effects.Total(e.Args[0]) || !s.effects.Total(inner.Args[0]) {
		return nil
	}
	return e.as(OpDrop, 0, NewInt(e.Where, sum), inner.Args[1])
}

// lawCat: catenation with an empty vector of the same kind, and of scalars and
// short vectors whose elements are written out.
func (s *simplifier) lawCat(e *Apply) Expr {
	if e.Op == OpCat {
		for i := range 2 {
			if TypeOf(e.Args[i]).Extent(e.Axis).Equal(ConstSize(0)) && s.effects.Total(e) {
				return e.Args[1-i]
			}
		}
	}
	if rankOf(e) != 1 {
		return nil
	}
	left, right := s.items(e.Args[0]), s.items(e.Args[1])
	if left == nil || right == nil || len(left)+len(right) > maxLiteral {
		return nil
	}
	return s.vec(&Vec{At: e.At, Ty: TypeOf(e)}, append(left, right...))
}

// items returns the elements of a scalar, of a vector that is written out, or
// of a short constant.
func (s *simplifier) items(e Expr) []Expr {
	ty := TypeOf(e)
	if ty.Dims() == 0 {
		return []Expr{e}
	}
	switch e := e.(type) {
	case *Vec:
		return append([]Expr{}, e.Elems...)
	case *Lit:
		if ty.Dims() == 1 && e.Value.Len() <= maxLiteral && e.Value.Len() > 0 {
			all := make([]Expr, e.Value.Len())
			for i := range all {
				all[i] = NewLit(e.Where, elementOf(e.Value, i))
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

// lawPick: the first element, or one of known position, of a vector that is
// written out or a constant; x[;] is x; ⊃,x is ⊃x.
func (s *simplifier) lawPick(e *Apply) Expr {
	x, position := e.Args[0], int64(1)
	if e.Op == OpIndex {
		if allElided(e.Args[1:]) {
			return x
		}
		n, ok := int64(0), false
		if len(e.Args) == 2 {
			n, ok = s.constInt(e.Args[1])
		}
		if !ok {
			return nil
		}
		position = n
	} else if inner := s.applied(x, OpRavel); inner != nil {
		return e.as(OpFirst, 0, inner.Args[0])
	}
	if rankOf(x) == 0 && e.Op == OpFirst {
		return x
	}
	var es []Expr
	switch r := x.(type) {
	case *Ref:
		if v, ok := s.defs[r.Var].(*Vec); ok {
			es = v.Elems
		}
		if l, ok := s.defs[r.Var].(*Lit); ok && rankOf(l) == 1 && position >= 1 && position <= int64(l.Value.Len()) {
			return NewLit(e.Where, elementOf(l.Value, int(position-1)))
		}
	case *Vec:
		es = r.Elems
	case *Lit:
		if rankOf(r) == 1 && position >= 1 && position <= int64(r.Value.Len()) {
			return NewLit(e.Where, elementOf(r.Value, int(position-1)))
		}
	}
	if position < 1 || position > int64(len(es)) {
		return nil
	}
	_, isRef := x.(*Ref)
	if chosen := es[position-1]; isRef && isAtom(chosen) || !isRef && s.othersTotal(es, int(position-1)) {
		return chosen
	}
	return nil
}

func allElided(indices []Expr) bool {
	for _, i := range indices {
		if !isUnit(i.Type()) {
			return false
		}
	}
	return true
}

// lawCompress: keeping everything is x.
func (s *simplifier) lawCompress(e *Apply) Expr {
	v, ok := constants(TypeOf(e.Args[0]))
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

// lawEach: each(identity,x) is x; on a scalar the function is applied.
func (s *simplifier) lawEach(e *Apply) Expr {
	f, ok := e.Args[0].(*Lam)
	if !ok {
		return nil
	}
	if r, ok := f.Body.(*Ref); ok && r.Var == f.Params[0] {
		return e.Args[1]
	}
	if rankOf(e.Args[1]) == 0 {
		return s.beta(f, e.Args[1])
	}
	return nil
}

// lawZipWith: on scalars the function is applied.
func (s *simplifier) lawZipWith(e *Apply) Expr {
	f, ok := e.Args[0].(*Lam)
	if !ok || rankOf(e.Args[1]) != 0 || rankOf(e.Args[2]) != 0 {
		return nil
	}
	return s.beta(f, e.Args[1], e.Args[2])
}

// beta returns the body of a function that is used nowhere else, with lets for
// its parameters.
func (s *simplifier) beta(f *Lam, args ...Expr) Expr {
	body := f.Body
	for i, p := range f.Params {
		s.made[p] = true
		body = &Let{At: At{args[i].Span()}, Var: p, Bind: args[i], Body: body}
	}
	return s.expr(body)
}

// lawPower: no and one application.
func (s *simplifier) lawPower(e *Apply) Expr {
	n, ok := s.constInt(e.Args[1])
	if !ok || !Subtype(e.Args[2].Type(), e.Ty) {
		return nil
	}
	switch n {
	case 0:
		return e.Args[2]
	case 1:
		return s.beta(e.Args[0].(*Lam), e.Args[2])
	}
	return nil
}
