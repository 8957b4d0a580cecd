package tail

import "github.com/tailor-lang/tailor/array"

// typingRules has the typing rule of every op that is not a scalar op.
var typingRules = [len(rows)]func(*typing) Type{
	OpIota:          typeIota,
	OpEach:          typeEach,
	OpZipWith:       typeZipWith,
	OpReduce:        typeReduce,
	OpReduce1:       typeReduce1,
	OpReduceWin:     typeReduceWin,
	OpScan:          typeScan,
	OpOuter:         typeOuter,
	OpInner:         typeInner,
	OpInner1:        typeInner1,
	OpCells:         typeCells,
	OpCells2:        typeCells2,
	OpPower:         typePower,
	OpWhile:         typeWhile,
	OpShape:         typeShape,
	OpTally:         typeTally,
	OpCount:         typeCount,
	OpReshape:       typeReshape,
	OpRavel:         typeRavel,
	OpReverse:       typeReverse,
	OpRotate:        typeRotate,
	OpRotateM:       typeRotateM,
	OpTransp:        typeTransp,
	OpTransp2:       typeTransp2,
	OpTake:          typeTake,
	OpExpect:        typeExpect,
	OpDrop:          typeDrop,
	OpFirst:         typeFirst,
	OpOnly:          typeOnly,
	OpStretch:       typeStretch,
	OpCat:           typeCat,
	OpCons:          typeCons,
	OpSnoc:          typeSnoc,
	OpLaminate:      typeLaminate,
	OpCompress:      typeCompress,
	OpReplicate:     typeReplicate,
	OpExpand:        typeExpand,
	OpIndex:         typeIndex,
	OpUpdate:        typeUpdate,
	OpAll:           func(t *typing) Type { return Unit },
	OpMember:        typeMember,
	OpIndexOf:       typeIndexOf,
	OpWhere:         typeWhere,
	OpIntervalIndex: typeIndexOf,
	OpUnique:        typeUnique,
	OpFirstCell:     typeGrade,
	OpWithout:       typeWithout,
	OpGradeUp:       typeGrade,
	OpGradeDown:     typeGrade,
	OpEncode:        typeEncode,
	OpDecode:        typeDecode,
	OpMatch:         typeMatch,
	OpFind:          typeFind,
	OpMatInv:        typeMatInv,
	OpMatDiv:        typeMatDiv,
	OpDeal:          typeDeal,
	OpFormat:        func(t *typing) Type { return typeText(t, t.array(0)) },
	OpFormatBy:      typeFormatBy,
	OpPrint:         func(t *typing) Type { return t.array(0) },
	OpPrintBare:     func(t *typing) Type { return t.array(0) },
	OpReadText:      func(t *typing) Type { t.vector(0, array.Char); return Ranked(array.Char, 1) },
	OpWriteText:     typeWriteText,
	OpStop:          typeStop,
	OpReadCSV:       func(t *typing) Type { t.vector(0, array.Char); return Ranked(array.Double, 2) },
	OpCSVText:       func(t *typing) Type { t.ranked(0, t.array(0), 2); return Ranked(array.Char, 1) },
	OpReadNpy:       typeReadNpy,
	OpWriteNpy:      func(t *typing) Type { t.array(0); t.vector(1, array.Char); return Scalar(array.Int) },
	OpArgCount:      func(t *typing) Type { return Scalar(array.Int) },
	OpArgText:       func(t *typing) Type { t.scalar(0, array.Int); return Ranked(array.Char, 1) },
	OpParseNumber:   func(t *typing) Type { t.vector(0, array.Char); return Scalar(array.Double) },
	OpTimeStamp:     func(t *typing) Type { return Shaped(array.Int, ConstSize(7)) },
	OpClock:         func(t *typing) Type { return Shaped(array.Int, ConstSize(4)) },
	OpSeed:          func(t *typing) Type { t.scalar(0, array.Int); return Scalar(array.Int) },
}

// typeScalar types the scalar ops from their schemes.
func typeScalar(t *typing) Type {
	scheme := SchemeOf(t.op)
	values := make([]Size, len(t.args))
	for i, p := range scheme.Params {
		values[i] = t.scalar(i, p.(*Array).Elem).Value(0)
	}
	result := scheme.Result.(*Array)
	if len(values) == 0 || result.Elem != array.Int && result.Elem != array.Bool || t.bad != nil {
		return Scalar(result.Elem)
	}
	for _, v := range values {
		if v.Any {
			return Scalar(result.Elem)
		}
	}
	return Singleton(result.Elem, ScalarValue(t.op, values))
}

func typeIota(t *typing) Type {
	n := t.scalar(0, array.Int).Value(0)
	c, constant := n.IsConst()
	if constant && c < 0 {
		t.fault(FaultNegative, n)
	}
	ty := Shaped(array.Int, n)
	if !constant || c < 0 || c > MaxValues {
		return ty
	}
	values := make([]Size, c)
	for i := range values {
		values[i] = ConstSize(int64(i) + 1)
	}
	return withValues(ty, values)
}

// Second-order ops.

func typeEach(t *typing) Type {
	x := t.array(1)
	r := t.scalarFunction(0, x.Elem)
	ty := &Array{Elem: r.Elem, Rank: x.Rank, Extents: x.Extents}
	return constantValues(ty, r)
}

// constantValues gives ty the value of r in every element, where r has one.
func constantValues(ty *Array, r *Array) *Array {
	n, constant := int64(1), isRank(ty, 0)
	if isRank(ty, 1) {
		n, constant = ty.Extent(0).IsConst()
	}
	if !constant || n > MaxValues || r.Values == nil {
		return ty
	}
	values := make([]Size, n)
	for i := range values {
		values[i] = r.Value(0)
	}
	return withValues(ty, values)
}

func typeZipWith(t *typing) Type {
	x, y := t.array(1), t.array(2)
	r := t.scalarFunction(0, x.Elem, y.Elem)
	if x.Dims() != y.Dims() {
		t.fault(FaultRanks, extents(x), extents(y))
		return x
	}
	return constantValues(Shaped(r.Elem, t.extendAll(extents(x), extents(y))...), r)
}

func typeReduce(t *typing) Type {
	x := t.withAxis(2)
	t.operator(0, x.Elem)
	t.scalar(1, x.Elem)
	return Shaped(x.Elem, without(extents(x), t.axis)...)
}

func typeReduce1(t *typing) Type {
	x := t.withAxis(1)
	t.operator(0, x.Elem)
	if x.Extent(t.axis).Equal(ConstSize(0)) {
		t.fault(FaultEmptyReduce)
	}
	return Shaped(x.Elem, without(extents(x), t.axis)...)
}

func typeReduceWin(t *typing) Type {
	width := t.scalar(1, array.Int).Value(0)
	x := t.withAxis(2)
	t.operator(0, x.Elem)
	extent := addSizes(addSizes(x.Extent(t.axis), magnitude(width), -1), ConstSize(1), 1)
	if n, ok := extent.IsConst(); ok && n < 0 {
		t.fault(FaultWindow, width, x.Extent(t.axis))
	}
	return Shaped(x.Elem, replaced(extents(x), t.axis, extent)...)
}

func typeScan(t *typing) Type {
	x := t.array(1)
	if x.Dims() > 0 {
		x = t.withAxis(1)
	}
	t.operator(0, x.Elem)
	return Shaped(x.Elem, extents(x)...)
}

func typeOuter(t *typing) Type {
	x, y := t.array(1), t.array(2)
	r := t.scalarFunction(0, x.Elem, y.Elem)
	return constantValues(Shaped(r.Elem, append(extents(x), extents(y)...)...), r)
}

func typeInner(t *typing) Type {
	ty := innerType(t, 3).(*Array)
	t.scalar(2, ty.Elem)
	return ty
}

func typeInner1(t *typing) Type { return innerType(t, 2) }

// innerType types an inner product whose left array is argument i.
func innerType(t *typing, i int) Type {
	x, y := t.array(i), t.array(i+1)
	r := t.scalarFunction(1, x.Elem, y.Elem)
	t.operator(0, r.Elem)
	if x.Dims() == 0 || y.Dims() == 0 {
		t.wrong(i, "%v: the arguments need axes", t.op)
		return r
	}
	last := x.Dims() - 1
	if x.Extent(last).Differ(y.Extent(0)) {
		t.fault(FaultInner, extents(x), extents(y))
	}
	if t.op == OpInner1 && (x.Extent(last).Equal(ConstSize(0)) || y.Extent(0).Equal(ConstSize(0))) {
		t.fault(FaultEmptyReduce)
	}
	return Shaped(r.Elem, append(extents(x)[:last], extents(y)[1:]...)...)
}

// frame checks that function parameter p takes the cells of rank k of argument
// i, and returns the extents of the frame.
func (t *typing) frame(i, k int, p Type) []Size {
	x := t.array(i)
	at := x.Dims() - k
	if k < 0 || at < 0 {
		t.wrong(i, "%v: an array of rank %d has no cells of rank %d", t.op, x.Dims(), k)
		return nil
	}
	cell := Shaped(x.Elem, extents(x)[at:]...)
	if at == 0 {
		cell = x
	}
	if !Subtype(cell, p) {
		t.wrong(0, "%v: the function takes %v, cells are %v", t.op, p, cell)
	}
	return extents(x)[:at]
}

func typeCells(t *typing) Type {
	params, result := t.function(0, 1)
	if len(t.ks) != 1 {
		t.wrong(0, "cells needs a cell rank")
		return result
	}
	frame := t.frame(1, t.ks[0], params[0])
	return t.framed(frame, result)
}

func typeCells2(t *typing) Type {
	params, result := t.function(0, 2)
	if len(t.ks) != 2 {
		t.wrong(0, "cells2 needs two cell ranks")
		return result
	}
	left, right := t.frame(1, t.ks[0], params[0]), t.frame(2, t.ks[1], params[1])
	switch {
	case len(left) == 0:
		return t.framed(right, result)
	case len(right) == 0:
		return t.framed(left, result)
	case len(left) != len(right):
		t.fault(FaultRanks, left, right)
		return result
	}
	return t.framed(t.meetAll(left, right, FaultShapes), result)
}

// framed returns the type of a frame of results.
func (t *typing) framed(frame []Size, result Type) Type {
	cell, ok := result.(*Array)
	if !ok {
		t.wrong(0, "%v: the function gives %v", t.op, result)
		return result
	}
	if len(frame) == 0 {
		return cell
	}
	if _, ok := cell.Rank.IsConst(); !ok {
		t.needs(0, "the rank of the function's result is not known")
		return cell
	}
	return Shaped(cell.Elem, append(append([]Size{}, frame...), extents(cell)...)...)
}

func typePower(t *typing) Type {
	t.scalar(1, array.Int)
	return t.loop(0, 2)
}

func typeWhile(t *typing) Type {
	params, result := t.function(0, 1)
	if c, ok := result.(*Array); !ok || c.Elem != array.Bool || !isRank(c, 0) {
		t.wrong(0, "while: the condition gives %v, not a bool", result)
	}
	if !Subtype(t.args[2], params[0]) {
		t.wrong(0, "while: the condition takes %v, the state is %v", params[0], t.args[2])
	}
	return t.loop(1, 2)
}

// loop checks that argument f can be iterated, starting with argument x, and
// returns the type of the state.
func (t *typing) loop(f, x int) Type {
	params, result := t.function(f, 1)
	state := params[0]
	if !Subtype(t.args[x], state) {
		t.wrong(x, "%v: the function takes %v, the state is %v", t.op, state, t.args[x])
	}
	if !Subtype(result, state) {
		t.wrong(f, "%v: the function takes %v and gives %v", t.op, state, result)
	}
	return state
}

// Shapes.

func typeShape(t *typing) Type { return VectorOf(extents(t.array(0))...) }

func typeTally(t *typing) Type {
	x := t.array(0)
	if x.Dims() == 0 {
		return Singleton(array.Int, ConstSize(1))
	}
	return Singleton(array.Int, x.Extent(0))
}

// product returns the product of sizes, 0 when any is.
func product(sizes []Size) Size {
	n := ConstSize(1)
	for _, s := range sizes {
		if s.Equal(ConstSize(0)) {
			return s
		}
	}
	for _, s := range sizes {
		n = mulSizes(n, s)
	}
	return n
}

func typeCount(t *typing) Type { return Singleton(array.Int, product(extents(t.array(0)))) }

func typeReshape(t *typing) Type {
	v, x := t.vector(0, array.Int), t.array(1)
	rank, ok := v.Extent(0).IsConst()
	if !ok {
		t.needs(0, "the rank of the result of ⍴ is the length of its left argument, which is not known")
		return x
	}
	sizes := make([]Size, rank)
	for i := range sizes {
		sizes[i] = v.Value(i)
		if n, ok := sizes[i].IsConst(); ok && n < 0 {
			t.fault(FaultReshape, sizes[i])
		}
	}
	return withValues(Shaped(x.Elem, sizes...), reshapedValues(sizes, x))
}

// reshapedValues returns the values of x cyclically, in a vector or scalar of
// the given extents.
func reshapedValues(sizes []Size, x *Array) []Size {
	n, ok := product(sizes).IsConst()
	if len(sizes) > 1 || !ok || n < 0 || n > MaxValues || x.Values == nil {
		return nil
	}
	values := make([]Size, n)
	for i := range values {
		if len(x.Values) == 0 {
			values[i] = ConstSize(0)
		} else {
			values[i] = x.Values[i%len(x.Values)]
		}
	}
	return values
}

func typeRavel(t *typing) Type {
	x := t.array(0)
	return withValues(Shaped(x.Elem, product(extents(x))), x.Values)
}

func typeReverse(t *typing) Type {
	x := t.array(0)
	if x.Dims() == 0 {
		return x
	}
	x = t.withAxis(0)
	n := len(x.Values)
	return t.permuted(x, func(i int) int { return n - 1 - i })
}

// permuted returns the type of x with its values, if any, taken from the
// positions that from gives.
func (t *typing) permuted(x *Array, from func(i int) int) *Array {
	ty := Shaped(x.Elem, extents(x)...)
	if x.Values == nil {
		return ty
	}
	values := make([]Size, len(x.Values))
	for i := range values {
		values[i] = x.Values[from(i)]
	}
	return withValues(ty, values)
}

func typeRotate(t *typing) Type {
	k, x := t.scalar(0, array.Int).Value(0), t.array(1)
	if x.Dims() == 0 {
		return x
	}
	x = t.withAxis(1)
	count, ok := k.IsConst()
	if !ok || len(x.Values) == 0 {
		return Shaped(x.Elem, extents(x)...)
	}
	n := int64(len(x.Values))
	return t.permuted(x, func(i int) int { return int((int64(i) + Residue(n, count)) % n) })
}

func typeRotateM(t *typing) Type {
	k, x := t.of(0, array.Int), t.withAxis(1)
	if k.Dims() != x.Dims()-1 {
		t.fault(FaultRotate, extents(k), extents(x))
		return x
	}
	rest := without(extents(x), t.axis)
	for i, s := range extents(k) {
		if s.Differ(rest[i]) {
			t.fault(FaultRotate, extents(k), extents(x))
		}
	}
	return Shaped(x.Elem, extents(x)...)
}

func typeTransp(t *typing) Type {
	x := t.array(0)
	if x.Dims() < 2 {
		return x
	}
	sizes := extents(x)
	for i, j := 0, len(sizes)-1; i < j; i, j = i+1, j-1 {
		sizes[i], sizes[j] = sizes[j], sizes[i]
	}
	return Shaped(x.Elem, sizes...)
}

// typeTransp2 types x⍉y: axis i of y becomes axis x[i], counted from 1, of the
// result; a repeated axis is a diagonal, as long as the shortest axis in it.
func typeTransp2(t *typing) Type {
	v, x := t.vector(0, array.Int), t.array(1)
	if v.Extent(0).Differ(ConstSize(int64(x.Dims()))) {
		t.fault(FaultPermutation, extents(x))
		return x
	}
	axes, ok := constants(v)
	if !ok {
		t.needs(0, "the left argument of ⍉ decides the rank of the result and is not known")
		return x
	}
	rank := int64(0)
	for _, a := range axes {
		rank = max(rank, a)
	}
	if rank > int64(x.Dims()) {
		t.fault(FaultPermutation, extents(x))
		return x
	}
	sizes := make([]Size, rank)
	used := make([]bool, rank)
	for i, a := range axes {
		if a < 1 {
			t.fault(FaultPermutation, extents(x))
			return x
		}
		if used[a-1] {
			sizes[a-1] = extreme(OpMinI, sizes[a-1], x.Extent(i))
		} else {
			sizes[a-1], used[a-1] = x.Extent(i), true
		}
	}
	for _, u := range used {
		if !u {
			t.fault(FaultPermutation, extents(x))
		}
	}
	return Shaped(x.Elem, sizes...)
}

// counts returns the values of the left argument of take and drop, a vector or
// a scalar, one for each axis of x; has is false for axes that it leaves alone.
func (t *typing) counts(v, x *Array) (values []Size, has []bool) {
	values, has = make([]Size, x.Dims()), make([]bool, x.Dims())
	n, known := v.elementCount()
	for i := range values {
		values[i] = AnySize
		has[i] = !known || int64(i) < n
		if known && int64(i) < n {
			values[i] = v.Value(i)
		}
	}
	if v.Dims() > 1 {
		t.wrong(0, "%v: the left argument has rank %d", t.op, v.Dims())
	}
	if known && n > int64(x.Dims()) {
		t.fault(FaultTakeLength, ConstSize(n), extents(x))
	}
	return values, has
}

// elementCount returns the number of elements of a scalar or vector, if constant.
func (t *Array) elementCount() (int64, bool) {
	if isRank(t, 0) {
		return 1, true
	}
	return t.Extent(0).IsConst()
}

func typeTake(t *typing) Type {
	v, x := t.of(0, array.Int), t.array(1)
	counts, has := t.counts(v, x)
	sizes := extents(x)
	for i := range sizes {
		if has[i] {
			sizes[i] = magnitude(counts[i])
		}
	}
	ty := Shaped(x.Elem, sizes...)
	if x.Values == nil || !isRank(x, 1) || !has[0] {
		return ty
	}
	if n, ok := counts[0].IsConst(); ok {
		return withValues(ty, takenValues(n, x.Values))
	}
	return ty
}

func takenValues(n int64, x []Size) []Size {
	if n > MaxValues || n < -MaxValues {
		return nil
	}
	var values []Size
	for i := int64(0); i < max(n, -n); i++ {
		from := i
		if n < 0 {
			from = int64(len(x)) + n + i
		}
		if from >= 0 && from < int64(len(x)) {
			values = append(values, x[from])
		} else {
			values = append(values, ConstSize(0))
		}
	}
	if values == nil {
		values = []Size{}
	}
	return values
}

func typeDrop(t *typing) Type {
	v, x := t.of(0, array.Int), t.array(1)
	counts, has := t.counts(v, x)
	sizes := extents(x)
	for i := range sizes {
		if has[i] {
			sizes[i] = droppedExtent(sizes[i], counts[i])
		}
	}
	ty := Shaped(x.Elem, sizes...)
	if x.Values == nil || !isRank(x, 1) || !has[0] {
		return ty
	}
	n, ok := counts[0].IsConst()
	size := int64(len(x.Values))
	switch {
	case !ok:
		return ty
	case n >= 0:
		return withValues(ty, x.Values[min(n, size):])
	}
	return withValues(ty, x.Values[:max(size+n, 0)])
}

// droppedExtent returns 0⌈extent-|count|, as far as it is known.
func droppedExtent(extent, count Size) Size {
	return extreme(OpMaxI, ConstSize(0), addSizes(extent, magnitude(count), -1))
}

func typeFirst(t *typing) Type {
	x := t.array(0)
	switch {
	case x.Values == nil:
		return Scalar(x.Elem)
	case len(x.Values) == 0:
		return Singleton(x.Elem, ConstSize(0))
	}
	return Singleton(x.Elem, x.Values[0])
}
