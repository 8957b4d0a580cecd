package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// Reductions. An axis splits an array into outer × n × inner elements. With
// inner greater than 1 a reduction combines rows of inner elements by a
// kernel; else it goes through each vector, by a loop of its own for the
// common ops (folds), or by calling the function's code.

// split returns the three extents around an axis.
func split(shape []int, axis int) (outer, n, inner int) {
	return array.Count(shape[:axis]), shape[axis], array.Count(shape[axis+1:])
}

// dropAxis returns shape without an axis, withAxis with one replaced.
func dropAxis(shape []int, axis int) []int {
	return slices.Concat(shape[:axis], shape[axis+1:])
}

func replaceAxis(shape []int, axis, n int) []int {
	r := slices.Clone(shape)
	r[axis] = n
	return r
}

// insertAxis returns shape with a new axis.
func insertAxis(shape []int, axis, n int) []int {
	return slices.Concat(shape[:axis], []int{n}, shape[axis:])
}

// binary is a scalar function of two arguments, to be called on elements.
type binary struct {
	op   tail.Op // the op that it is, or NoOp
	site site    // of that op
	x, y int     // slots of the parameters
	code code
}

// binary compiles f.
func (s *scope) binary(e *tail.Apply, f *tail.Lam) *binary {
	base := s.base
	s.base = s.n
	defer func() { s.base = base }()
	b := &binary{op: e.Ordered(directOp(f)), x: s.bind(f.Params[0]), y: s.bind(f.Params[1])}
	if b.op != tail.NoOp {
		b.site = site{f.Body.(*tail.Apply), s.m}
	}
	b.code = s.expr(f.Body, useKept)
	return b
}

func (b *binary) call(fr *frame, x, y word) word {
	fr.slots[b.x].word = x
	fr.slots[b.y].word = y
	return b.code(fr).word
}

// fold reduces n elements of a that lie step apart, from the last to the first.
func (b *binary) fold(fr *frame, a *array.Array, i, n, step int) word {
	fr.m.tick()
	if b.op.InLanes() && n > num.Lanes {
		return b.inOrder(a, i, n, step)
	}
	return b.foldPlain(fr, a, i, n, step)
}

// foldPlain is fold from the last to the first, of sums of doubles from the first to
// the last.
func (b *binary) foldPlain(fr *frame, a *array.Array, i, n, step int) word {
	if f := folds[b.op]; f != nil && step == 1 && !fr.m.env.Plain {
		return f(&b.site, a, i, n)
	}
	if b.op.Forward() {
		i, step = i+(n-1)*step, -step
	}
	acc := elemBits(a, i+(n-1)*step)
	for j := n - 2; j >= 0; j-- {
		if j&1023 == 0 {
			fr.m.tick()
		}
		acc = b.call(fr, elemBits(a, i+j*step), acc)
	}
	return acc
}

// inOrder is fold in the order of num.Ordered.
func (b *binary) inOrder(a *array.Array, i, n, step int) word {
	if step == 1 && b.op == tail.OpAddD {
		return toBits(b.site.number(num.Fold(a.Doubles[i:i+n], false)))
	}
	if b.op == tail.OpAddZ {
		v := make([]complex128, n)
		for j := range v {
			v[j] = a.Complexes[i+j*step]
		}
		z := num.Fold(v, false)
		b.site.float(finiteZ(z))
		return toBits(z)
	}
	v := make([]float64, n)
	for j := range v {
		v[j] = a.Doubles[i+j*step]
	}
	return toBits(b.site.number(num.Fold(v, b.op == tail.OpMulD)))
}

// reduce compiles reduce and reduce1.
func (s *scope) reduce(e *tail.Apply) code {
	f := e.Args[0].(*tail.Lam)
	last := e.Axis == tail.TypeOf(e.Args[len(e.Args)-1]).Dims()-1
	var b *binary
	var k *kernel
	if last {
		b = s.binary(e, f)
	} else {
		k = s.kernel(f)
		k.op = e.Ordered(k.op)
	}
	args, t := s.args(e.Args[1:], false), e.Ty.(*tail.Array)
	return func(fr *frame) value {
		v := args[len(args)-1](fr)
		x := v.arr
		var neutral value
		if e.Op == tail.OpReduce {
			neutral = args[0](fr)
		}
		outer, n, inner := split(x.Shape, e.Axis)
		shape := dropAxis(x.Shape, e.Axis)
		if last && outer == 1 && len(shape) == 0 && n > 0 {
			r := b.fold(fr, x, 0, n, 1)
			fr.m.pool.give(v)
			return value{word: r}
		}
		dst := fr.m.allocRaw(e, t.Elem, shape...)
		switch {
		case n == 0:
			emptyReduce(e, dst, neutral)
		case last:
			for i := range outer {
				putBits(dst, i, b.fold(fr, x, i*n, n, 1))
			}
		default:
			k.reduce(fr, dst, x, outer, n, inner)
		}
		fr.m.pool.give(v)
		return unbox(dst)
	}
}

// emptyReduce fills the reduction of an empty axis.
func emptyReduce(e *tail.Apply, dst *array.Array, neutral value) {
	total := dst.Len()
	if e.Op == tail.OpReduce1 || total > 0 && e.Op == tail.OpInner1 {
		raise(e, tail.FaultEmptyReduce)
	}
	for i := range total {
		putBits(dst, i, neutral.word)
	}
}

// reduce reduces the middle axis of x, n > 0, into dst.
func (k *kernel) reduce(fr *frame, dst, x *array.Array, outer, n, inner int) {
	if outer*inner == 0 {
		return
	}
	if k.op.InLanes() && n > num.Lanes {
		k.inOrder(dst, x, outer, n, inner)
		return
	}
	k.begin(fr, inner)
	for o := range outer {
		row := func(i int) int { // where it begins, in the order of the reduction
			if k.op.Forward() {
				return (o*n + n - 1 - i) * inner
			}
			return (o*n + i) * inner
		}
		copyElems(dst, o*inner, x, row(n-1), inner)
		for i := n - 2; i >= 0; i-- {
			for j := 0; j < inner; j += blockSize {
				k.params[0].aim(x, row(i)+j)
				k.params[1].aim(dst, o*inner+j)
				k.run(fr, dst, o*inner+j, min(blockSize, inner-j))
			}
		}
	}
	k.end()
}

// inOrder is reduce in the order of num.Ordered.
func (k *kernel) inOrder(dst, x *array.Array, outer, n, inner int) {
	for o := range outer {
		at, from, to := o*inner, o*n*inner, (o+1)*n*inner
		if k.op == tail.OpAddZ {
			num.FoldRows(dst.Complexes[at:at+inner], x.Complexes[from:to], n, false)
		} else {
			num.FoldRows(dst.Doubles[at:at+inner], x.Doubles[from:to], n, k.op == tail.OpMulD)
		}
	}
	k.site.checkFinite(dst)
}

// reduceWin compiles n-wise reduction.
func (s *scope) reduceWin(e *tail.Apply) code {
	k := s.kernel(e.Args[0].(*tail.Lam))
	b := s.binary(e, e.Args[0].(*tail.Lam))
	args, t := s.args(e.Args[1:], false), e.Ty.(*tail.Array)
	return func(fr *frame) value {
		x := args[1](fr).arr
		w := fromBits[int64](args[0](fr).word)
		outer, n, inner := split(x.Shape, e.Axis)
		size := int(w)
		if size < 0 {
			size = -size
		}
		if size > n+1 || size < 0 {
			raise(e, tail.FaultWindow, w, n)
		}
		if w == 0 {
			raise(e, tail.FaultEmptyReduce)
		}
		dst := fr.m.allocRaw(e, t.Elem, replaceAxis(x.Shape, e.Axis, n-size+1)...)
		total := (n - size + 1) * inner
		if b.op.InLanes() && size > num.Lanes {
			b.windows(fr, dst, x, outer, n, inner, int(w))
		} else if total*outer > 0 {
			k.begin(fr, total)
			for o := range outer {
				k.windows(fr, dst, o*total, x, o*n*inner, total, inner, size, w < 0 != e.Ordered(k.op).Forward())
			}
			k.end()
		}
		return value{arr: dst}
	}
}

// windows reduces windows of many terms, each by itself.
func (b *binary) windows(fr *frame, dst, x *array.Array, outer, n, inner, w int) {
	size, step, first := w, inner, 0
	if w < 0 {
		size, step, first = -w, -inner, (-w-1)*inner
	}
	total := (n - size + 1) * inner
	for o := range outer {
		for i := range total {
			fr.m.tick()
			putBits(dst, o*total+i, b.inOrder(x, o*n*inner+i+first, size, step))
		}
	}
}

// windows reduces the windows of total/inner successive items of x, from i on,
// into dst.
func (k *kernel) windows(fr *frame, dst *array.Array, at int, x *array.Array, i, total, inner, size int, reverse bool) {
	item := func(j int) int { // of a window, in the order of the reduction
		if reverse {
			return i + j*inner
		}
		return i + (size-1-j)*inner
	}
	copyElems(dst, at, x, item(0), total)
	for j := 1; j < size; j++ {
		for b := 0; b < total; b += blockSize {
			k.params[0].aim(x, item(j)+b)
			k.params[1].aim(dst, at+b)
			k.run(fr, dst, at+b, min(blockSize, total-b))
		}
	}
}
