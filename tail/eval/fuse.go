package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// each and zipWith. Where the argument of one is another, both become one
// kernel, so that what is between them needs no array.

// elementwise is an application of each or zipWith whose arguments are others,
// or arrays.
type elementwise struct {
	*tail.Apply
	lam  *tail.Lam
	args []*elementwise // nil for an array
	at   []int          // which of the arrays
	own  *kernel        // of lam alone, once it was needed
}

// fusion is an expression of applications of each and zipWith.
type fusion struct {
	s      *scope
	root   *elementwise
	arrays []tail.Expr
	kernel *kernel
	faults bool // the scalar functions can fault
	fused  bool // there are several
}

// elementwise compiles each and zipWith.
func (s *scope) elementwise(e *tail.Apply) code {
	f := &fusion{s: s}
	f.root = f.gather(e)
	f.kernel = s.building(func(b *builder) *reg {
		regs := make([]*reg, len(f.arrays))
		for i, x := range f.arrays {
			regs[i] = b.param(tail.TypeOf(x).Elem)
		}
		return f.root.compile(b, regs)
	})
	args := s.args(f.arrays, false)
	types := make([]*tail.Array, len(args))
	for i, x := range f.arrays {
		types[i] = tail.TypeOf(x)
	}
	return func(fr *frame) value {
		values, arrays := make([]value, len(args)), make([]*array.Array, len(args))
		for i := len(args) - 1; i >= 0; i-- {
			values[i] = args[i](fr)
		}
		for i, v := range values {
			arrays[i] = box(v, types[i])
		}
		dst := f.run(fr, values, arrays)
		for i, v := range values {
			if arrays[i] != dst {
				fr.m.pool.give(v)
			}
		}
		return unbox(dst)
	}
}

// gather makes the tree of e and lists its arrays.
func (f *fusion) gather(e *tail.Apply) *elementwise {
	n := &elementwise{Apply: e, lam: e.Args[0].(*tail.Lam)}
	f.faults = f.faults || f.s.m.effects.Of(n.lam.Body)&analysis.Faults != 0
	for _, x := range e.Args[1:] {
		if a, ok := x.(*tail.Apply); ok && f.fusible(e) && f.fusible(a) {
			f.fused = true
			n.args, n.at = append(n.args, f.gather(a)), append(n.at, 0)
			continue
		}
		n.args, n.at = append(n.args, nil), append(n.at, len(f.arrays))
		f.arrays = append(f.arrays, x)
	}
	return n
}

// maxFused bounds the arrays of a fusion.
const maxFused = 32

func (f *fusion) fusible(e *tail.Apply) bool {
	return (e.Op == tail.OpEach || e.Op == tail.OpZipWith) && tail.TypeOf(e).Dims() > 0 && len(f.arrays) < maxFused &&
		!f.s.m.env.Plain && f.s.m.impureCount(e.Args[0]) == 0
}

// compile compiles the functions of the tree, from right to left.
func (n *elementwise) compile(b *builder, arrays []*reg) *reg {
	args := make([]*reg, len(n.args))
	for i := len(args) - 1; i >= 0; i-- {
		if n.args[i] != nil {
			args[i] = n.args[i].compile(b, arrays)
		} else {
			args[i] = arrays[n.at[i]]
		}
	}
	return b.lambda(n.lam, args)
}

// shape returns the shape of the result; it faults where those of arguments
// differ. Even reports that all arrays have that shape, so that none is
// extended.
func (n *elementwise) shape(arrays []*array.Array) (shape []int, even bool) {
	var shapes [2][]int
	even = true
	for i := len(n.args) - 1; i >= 0; i-- {
		if n.args[i] == nil {
			shapes[i] = arrays[n.at[i]].Shape
			continue
		}
		below := false
		shapes[i], below = n.args[i].shape(arrays)
		even = even && below
	}
	if len(n.args) == 1 {
		return shapes[0], even
	}
	shape = extendedShape(n.Apply, shapes[0], shapes[1])
	return shape, even && slices.Equal(shapes[0], shapes[1])
}

// run computes the result. It may be written over an argument; but not where a
// fault could call for the arguments again.
func (f *fusion) run(fr *frame, values []value, arrays []*array.Array) *array.Array {
	again := f.faults && f.fused && !f.kernel.calls
	if again {
		defer func() {
			if r := recover(); r != nil {
				if x, ok := r.(stop); ok && x.err != ErrInterrupted {
					f.apart(fr, f.root, arrays)
				}
				panic(r)
			}
		}()
	}
	shape, even := f.root.shape(arrays)
	if !even {
		return f.apart(fr, f.root, arrays)
	}
	elem := tail.TypeOf(f.root.Apply).Elem
	for i, v := range values {
		if fr.m.reusable(v, elem) && !again {
			f.kernel.over(fr, arrays[i], arrays...)
			return arrays[i]
		}
	}
	dst := fr.m.allocRaw(f.root.Apply, elem, shape...)
	f.kernel.over(fr, dst, arrays...)
	return dst
}

// apart evaluates one function of the tree after the other, so that of several
// faults the first is reported. (Functions that call others are not evaluated
// again: recursion would do so at every level.)
func (f *fusion) apart(fr *frame, n *elementwise, arrays []*array.Array) *array.Array {
	args := make([]*array.Array, len(n.args))
	for i := len(args) - 1; i >= 0; i-- {
		if n.args[i] != nil {
			args[i] = f.apart(fr, n.args[i], arrays)
		} else {
			args[i] = arrays[n.at[i]]
		}
	}
	shape := args[0].Shape
	if len(args) == 2 {
		shape = extendedShape(n.Apply, shape, args[1].Shape)
		for i, a := range args {
			args[i] = extendedTo(shape, a)
		}
	}
	if n.own == nil {
		n.own = f.s.kernel(n.lam)
	}
	room := &frame{slots: append(append([]value{}, fr.slots...), make([]value, max(f.s.n-len(fr.slots), 0))...), m: fr.m}
	dst := fr.m.allocRaw(n.Apply, tail.TypeOf(n.Apply).Elem, shape...)
	n.own.over(room, dst, args...)
	return dst
}
