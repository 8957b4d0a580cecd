package tail

import "github.com/tailor-lang/tailor/array"

func typeEach(t *typing) Type {
	x := t.array(1)
	r := t.scalarFunction(0, x.Elem)
	ty := &Array{Elem: r.Elem, Rank: x.Rank, Extents: x.Extents}
	return constantValues(ty, r)
}

// constantValues gives ty the value of r in every element, where r has one.
func constantValues(ty *Array, r *Array) *Array {
	n, constant := int64(1), IsRank(ty, 0)
	if IsRank(ty, 1) {
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
		t.fault(FaultRanks, Extents(x), Extents(y))
		return x
	}
	return constantValues(Shaped(r.Elem, t.extendAll(Extents(x), Extents(y))...), r)
}

func typeReduce(t *typing) Type {
	x := t.withAxis(2)
	t.operator(0, x.Elem)
	t.scalar(1, x.Elem)
	return Shaped(x.Elem, WithoutExtent(Extents(x), t.axis)...)
}

func typeReduce1(t *typing) Type {
	x := t.withAxis(1)
	t.operator(0, x.Elem)
	if x.Extent(t.axis).Equal(ConstSize(0)) {
		t.fault(FaultEmptyReduce)
	}
	return Shaped(x.Elem, WithoutExtent(Extents(x), t.axis)...)
}

func typeReduceWin(t *typing) Type {
	width := t.scalar(1, array.Int).Value(0)
	x := t.withAxis(2)
	t.operator(0, x.Elem)
	extent := AddSizes(AddSizes(x.Extent(t.axis), Magnitude(width), -1), ConstSize(1), 1)
	if n, ok := extent.IsConst(); ok && n < 0 {
		t.fault(FaultWindow, width, x.Extent(t.axis))
	}
	return Shaped(x.Elem, replaced(Extents(x), t.axis, extent)...)
}

func typeScan(t *typing) Type {
	x := t.array(1)
	if x.Dims() > 0 {
		x = t.withAxis(1)
	}
	t.operator(0, x.Elem)
	return Shaped(x.Elem, Extents(x)...)
}

func typeOuter(t *typing) Type {
	x, y := t.array(1), t.array(2)
	r := t.scalarFunction(0, x.Elem, y.Elem)
	return constantValues(Shaped(r.Elem, append(Extents(x), Extents(y)...)...), r)
}

func typeInner(t *typing) Type {
	ty := innerType(t, 3).(*Array)
	t.scalar(2, ty.Elem)
	return ty
}

func typeInner1(t *typing) Type { return innerType(t, 2) }

func typeChain(t *typing) Type {
	x, y, z := t.array(2), t.array(3), t.array(1)
	r := t.scalarFunction(0, x.Elem, y.Elem, z.Elem)
	t.scalar(1, r.Elem)
	return productType(t, 2, r)
}

// innerType types an inner product whose left array is argument i.
func innerType(t *typing, i int) Type {
	x, y := t.array(i), t.array(i+1)
	r := t.scalarFunction(1, x.Elem, y.Elem)
	t.operator(0, r.Elem)
	return productType(t, i, r)
}

// productType is the type of an inner product with elements r, whose left array
// is argument i.
func productType(t *typing, i int, r *Array) Type {
	x, y := t.array(i), t.array(i+1)
	if x.Dims() == 0 || y.Dims() == 0 {
		t.wrong(i, "%v: the arguments need axes", t.op)
		return r
	}
	last := x.Dims() - 1
	if x.Extent(last).Differ(y.Extent(0)) {
		t.fault(FaultInner, Extents(x), Extents(y))
	}
	if t.op == OpInner1 && (x.Extent(last).Equal(ConstSize(0)) || y.Extent(0).Equal(ConstSize(0))) {
		t.fault(FaultEmptyReduce)
	}
	return Shaped(r.Elem, append(Extents(x)[:last], Extents(y)[1:]...)...)
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
	cell := Shaped(x.Elem, Extents(x)[at:]...)
	if at == 0 {
		cell = x
	}
	if !Subtype(cell, p) {
		t.wrong(0, "%v: the function takes %v, cells are %v", t.op, p, cell)
	}
	return Extents(x)[:at]
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
	return Shaped(cell.Elem, append(append([]Size{}, frame...), Extents(cell)...)...)
}

func typeItems(t *typing) Type {
	n := t.scalar(1, array.Int).Value(0)
	return t.gathered(t.ofNumber(), n)
}

// gathered is the type of n items of a type: of scalars a vector, of vectors their
// elements and their lengths, of tuples what is made of their components.
func (t *typing) gathered(item Type, n Size) Type {
	switch item := item.(type) {
	case *TupleType:
		z := &TupleType{}
		for _, e := range item.Elems {
			z.Elems = append(z.Elems, t.gathered(e, n))
		}
		return z
	case *Array:
		if IsRank(item, 0) {
			return Shaped(item.Elem, n)
		}
		if IsRank(item, 1) {
			return &TupleType{Elems: []Type{Shaped(item.Elem, AnySize), Shaped(array.Int, n)}}
		}
	}
	t.wrong(0, "%v: the function gives %v, not a vector", t.op, item)
	return &TupleType{Elems: []Type{Shaped(array.Int, AnySize), Shaped(array.Int, n)}}
}

func typeSegments(t *typing) Type {
	t.vector(1, array.Int)
	item, ok := t.ofNumber().(*Array)
	if !ok || !IsRank(item, 1) {
		t.wrong(0, "%v: the function gives %v, not a vector", t.op, item)
		return Shaped(array.Int, AnySize)
	}
	return Shaped(item.Elem, AnySize)
}

// ofNumber is the type of what argument 0, a function of the number of an item, gives.
func (t *typing) ofNumber() Type {
	params, result := t.function(0, 1)
	if !Subtype(Scalar(array.Int), params[0]) {
		t.wrong(0, "%v: the function takes %v, not the number of an item", t.op, params[0])
	}
	return result
}

func typePower(t *typing) Type {
	t.scalar(1, array.Int)
	return t.loop(0, 2)
}

func typeWhile(t *typing) Type {
	params, result := t.function(0, 1)
	if c, ok := result.(*Array); !ok || c.Elem != array.Bool || !IsRank(c, 0) {
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
