package clgen

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	fcldevice "github.com/tailor-lang/tailor/fcl/device"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
	"github.com/tailor-lang/tailor/opencl"
)

// elementOf are the types of FCL that elements of run-time functions have, which programs of FCL
// compute (fcl/runtime). The host does those whose operands it has, and that are short.
var elementOf = map[ir.Kind]types.Scalar{ir.I64: types.I64, ir.F64: types.F64, ir.U8: types.Bool, ir.C32: types.I32}

// compute compiles what the device computes; otherwise is what the host does.
func (c *hostCode) compute(s *ir.Runtime, how *ir.Compute) op {
	otherwise := c.Plain(s)
	var bufs []int
	var extents []func(fr *frame) []int
	for _, a := range how.Arrays {
		bufs, extents = append(bufs, c.Buf(a.Buf)), append(extents, c.extents(a))
	}
	var numbers []intCode
	for _, x := range how.Numbers {
		numbers = append(numbers, c.Int(x))
	}
	exact := func(*frame) int64 { return 1 }
	if how.Exact != nil {
		exact = c.Int(how.Exact)
	}
	r := s.Results[0]
	leave := c.made(r)
	return func(fr *frame) eval.Next {
		m, name := on(fr), how.Name
		if exact(fr) == 0 {
			name = how.Near
		}
		var given []fcldevice.Value
		for _, x := range numbers {
			given = append(given, scalar.Int(x(fr)))
		}
		var operands []*storage
		total, onHost, shape := int64(0), true, []int(nil)
		for i, at := range bufs {
			x := fr.Bufs[at]
			shape = extents[i](fr)
			n := int64(array.Count(shape))
			if m.queue == nil || name == "" || x == nil || n < 1 || n > x.Count || n > math.MaxInt32/2 {
				return otherwise(fr)
			}
			total, onHost, operands = total+n, onHost && x.OnHost, append(operands, x)
			given = append(given, &fcldevice.Array{Elem: elementOf[x.Elem], N: n})
		}
		if onHost && total < m.SortLength {
			return otherwise(fr)
		}
		m.ready()
		for i, x := range operands {
			m.toDevice(x, false)
			given[len(numbers)+i].(*fcldevice.Array).Buffer = device(x)
		}
		result := m.computed(name, given)
		if result == nil {
			return otherwise(fr)
		}
		made := &storage{Name: r.Buf.Name, Elem: r.Buf.Elem, Count: result.N, Shape: []int{int(result.N)}, At: s.At, Device: &far{buffer: result.Buffer}, OnDevice: true}
		if s.Fn == "indexof" || s.Fn == "member" {
			made.Shape = shape
		}
		leave(fr, made)
		return eval.GoOn
	}
}

// computed runs a program of FCL; nil where the device has no memory for it.
func (m *machine) computed(name string, given []fcldevice.Value) *fcldevice.Array {
	l := m.loaded[name]
	if l == nil {
		var err error
		l, err = fcldevice.Borrow(m.queue, m.runtime.Plans[name], m.program, lender{m})
		eval.Must(err)
		m.loaded[name] = l
	}
	run, err := l.Prepare(given)
	eval.Must(err)
	defer run.Release()
	err = run.Compute()
	if opencl.OutOfMemory(err) {
		return nil
	}
	eval.Must(err)
	v, err := run.Keep()
	eval.Must(err)
	m.stats.Launches += run.Launches()
	m.trace("compute %s, %d launches", name, run.Launches())
	return v.(*fcldevice.Array)
}

// lender gives programs of FCL buffers of the pool.
type lender struct{ *machine }

func (l lender) Alloc(bytes int64, name string) (*opencl.Buffer, error) { return l.lend(bytes, name) }
func (l lender) Release(b *opencl.Buffer)                               { l.giveBack([]*opencl.Buffer{b}) }

// extents compiles the extents of an array.
func (c *hostCode) extents(a *ir.Array) func(fr *frame) []int {
	dims := make([]intCode, len(a.Dims))
	for i, d := range a.Dims {
		dims[i] = c.Int(d)
	}
	return func(fr *frame) []int {
		shape := make([]int, len(dims))
		for i, d := range dims {
			shape[i] = int(d(fr))
		}
		return shape
	}
}

// made compiles what a run-time function leaves: an array with its extents.
func (c *hostCode) made(r ir.Array) func(fr *frame, s *storage) {
	at := c.Buf(r.Buf)
	slots := make([]int, len(r.Dims))
	for i, d := range r.Dims {
		slots[i] = -1
		if u, ok := d.(*ir.Use); ok {
			slots[i] = c.Slot(u.Var)
		}
	}
	return func(fr *frame, s *storage) {
		fr.Bufs[at] = s
		for i, slot := range slots {
			if slot >= 0 {
				fr.Ints[slot] = int64(s.Shape[i])
			}
		}
	}
}
