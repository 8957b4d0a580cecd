package clgen

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
	"github.com/tailor-lang/tailor/opencl"
)

// Foreign computes calls of functions for which the program brings kernels of its own. Without
// a device, or with narrow doubles, the functions do what they say.
type Foreign interface {
	// Computes reports whether calls of a function are computed.
	Computes(f *ir.Func) bool
	// Call computes one, and returns the results and how many kernels it launched. Arrays
	// among the results have buffers of their own, which the caller releases.
	Call(q *opencl.Queue, f *ir.Func, args []ForeignArray) (results []ForeignArray, launches int, err error)
	// Release gives back what calls left on the device.
	Release()
}

// ForeignArray is an argument or a result of a foreign call: an array on the device, or a
// scalar, in Int or Double.
type ForeignArray struct {
	Shape  []int64
	Buffer *opencl.Buffer // nil for a scalar
	Int    int64
	Double float64
}

// foreign compiles a call of a function that has kernels of its own.
func (c *hostCode) foreign(s *ir.Call) op {
	var args []func(fr *frame) ForeignArray
	for _, a := range s.Args {
		if a.At != nil {
			return c.Plain(s)
		}
		args = append(args, c.lend(a))
	}
	var receive []func(fr *frame, a ForeignArray)
	for _, r := range s.Results {
		receive = append(receive, c.take(r))
	}
	with, plain := c.plan.Foreign, c.Plain(s)
	return func(fr *frame) eval.Next {
		m := on(fr)
		if m.queue == nil || m.Narrow {
			return plain(fr)
		}
		m.Settle()
		given := make([]ForeignArray, len(args))
		for i, a := range args {
			given[i] = a(fr)
		}
		results, launches, err := with.Call(m.queue, s.Fn, given)
		m.trace("call %s, %d launches", s.Fn.Name, launches)
		eval.Must(err)
		m.stats.Launches += launches
		for i, r := range results {
			receive[i](fr, r)
		}
		return eval.GoOn
	}
}

// lend compiles an argument, which is on the device then.
func (c *hostCode) lend(a ir.Array) func(fr *frame) ForeignArray {
	if a.Buf == nil {
		at := c.Slot(a.Scalar)
		if a.Scalar.Kind == ir.F64 {
			return func(fr *frame) ForeignArray { return ForeignArray{Double: fr.Doubles[at]} }
		}
		return func(fr *frame) ForeignArray { return ForeignArray{Int: fr.Ints[at]} }
	}
	at := c.Buf(a.Buf)
	extents := c.extents(&a)
	return func(fr *frame) ForeignArray {
		made := ForeignArray{}
		for _, n := range extents(fr) {
			made.Shape = append(made.Shape, int64(n))
		}
		if s := fr.Bufs[at]; s != nil {
			on(fr).toDevice(s, false)
			made.Buffer = device(s)
			return made
		}
		made.Buffer = on(fr).buffer(&storage{Name: a.Buf.Name, Elem: a.Buf.Elem})
		on(fr).pool[made.Buffer.Size] = append(on(fr).pool[made.Buffer.Size], made.Buffer)
		return made
	}
}

// take compiles what gets a result.
func (c *hostCode) take(r ir.Array) func(fr *frame, a ForeignArray) {
	if r.Buf == nil {
		at := c.Slot(r.Scalar)
		if r.Scalar.Kind == ir.F64 {
			return func(fr *frame, a ForeignArray) { fr.Doubles[at] = a.Double }
		}
		return func(fr *frame, a ForeignArray) { fr.Ints[at] = a.Int }
	}
	leave, name, elem := c.made(r), r.Buf.Name, r.Buf.Elem
	return func(fr *frame, a ForeignArray) {
		s := &storage{Name: name, Elem: elem, Count: 1, Device: &far{buffer: a.Buffer}, OnDevice: true}
		for _, n := range a.Shape {
			s.Count *= n
			s.Shape = append(s.Shape, int(n))
		}
		leave(fr, s)
		on(fr).stats.Buffers++
	}
}
