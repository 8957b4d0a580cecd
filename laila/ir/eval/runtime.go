package eval

import (
	"bytes"
	"errors"
	"math"
	"unsafe"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// Functions of the run-time library run on the host: the evaluator computes
// them, on the arrays' elements copied from the device.

// operand gives an argument of a run-time function as an array.
type operand func(fr *Frame) *array.Array

// elemOf returns the type of element that a kind holds.
func elemOf(k ir.Kind) array.Elem {
	switch k {
	case ir.U8:
		return array.Bool
	case ir.F64:
		return array.Double
	case ir.C64:
		return array.Complex
	case ir.C32, ir.C8:
		return array.Char
	}
	return array.Int
}

// runtime compiles a call of a run-time function.
func (c *Code) runtime(s *ir.Runtime) Op {
	args := make([]operand, len(s.Args))
	for i, a := range s.Args {
		args[i] = c.operand(a)
	}
	results := make([]func(fr *Frame, a *array.Array), len(s.Results))
	for i, r := range s.Results {
		results[i] = c.receive(r)
	}
	run := func(m *Machine, a []*array.Array) []*array.Array { return m.evaluate(s, a) }
	if f, ok := worldCalls[s.Fn]; ok {
		run = f
	} else if f, ok := calls[s.Fn]; ok {
		run = func(m *Machine, a []*array.Array) []*array.Array { return f(m, s.At, a) }
	} else if f, ok := displays[s.Fn]; ok {
		run = func(m *Machine, a []*array.Array) []*array.Array { return f(m, a, m.precision(s)) }
	}
	plain := func(fr *Frame) Next {
		values := make([]*array.Array, len(args))
		for i, a := range args {
			values[i] = a(fr)
		}
		for i, v := range run(fr.M, values) {
			if i < len(results) {
				results[i](fr, v)
			}
		}
		return GoOn
	}
	return plain
}

func (c *Code) operand(a ir.RuntimeArg) operand {
	switch {
	case a.Array == nil && a.X == nil:
		text := array.VectorChar([]rune(a.Text))
		return func(*Frame) *array.Array { return text }
	case a.Array == nil:
		return c.scalarOperand(a.X)
	case a.Array.Buf == nil:
		return c.scalarOperand(a.Array.Scalar.Use())
	}
	at, elem := c.part(*a.Array), elemOf(a.Array.Buf.Elem)
	dims := make([]IntCode, len(a.Array.Dims))
	for i, d := range a.Array.Dims {
		dims[i] = c.Int(d)
	}
	return func(fr *Frame) *array.Array {
		shape := make([]int, len(dims))
		for i, d := range dims {
			shape[i] = int(d(fr))
		}
		return fr.M.value(at(fr), elem, shape)
	}
}

func (c *Code) scalarOperand(x ir.Expr) operand {
	if x.Kind() == ir.F64 {
		d := c.Double(x)
		return func(fr *Frame) *array.Array { return array.ScalarDouble(d(fr)) }
	}
	if x.Kind() == ir.C64 {
		z := c.Complex(x)
		return func(fr *Frame) *array.Array {
			a := array.New(array.Complex)
			a.Complexes[0] = z(fr)
			return a
		}
	}
	i, e := c.Int(x), elemOf(x.Kind())
	return func(fr *Frame) *array.Array {
		a := array.New(e)
		setInt(a, 0, i(fr))
		return a
	}
}

// value returns the elements of a storage as an array.
func (m *Machine) value(s *Storage, elem array.Elem, shape []int) *array.Array {
	n := array.Count(shape)
	if n == 0 || s == nil {
		return array.New(elem, shape...)
	}
	m.ToHost(s)
	a := array.New(elem, shape...)
	if s.Elem == ir.F64 {
		copy(a.Doubles, unsafe.Slice((*float64)(unsafe.Pointer(&s.Host[0])), n))
		return a
	}
	if s.Elem == ir.C64 {
		copy(a.Complexes, unsafe.Slice((*complex128)(unsafe.Pointer(&s.Host[0])), n))
		return a
	}
	for i := range n {
		setInt(a, i, m.loadInt(s, int64(i)))
	}
	return a
}

func setInt(a *array.Array, i int, v int64) {
	switch a.Elem {
	case array.Bool:
		a.Bools[i] = byte(v)
	case array.Char:
		a.Chars[i] = rune(v)
	default:
		a.Ints[i] = v
	}
}

func intOf(a *array.Array, i int) int64 {
	if a.Elem == array.Char {
		return int64(a.Chars[i])
	}
	return a.Int(i)
}

func complexOf(a *array.Array, i int) complex128 {
	if a.Elem == array.Complex {
		return a.Complexes[i]
	}
	return complex(a.Double(i), 0)
}

// receive compiles the storing of a result.
func (c *Code) receive(r ir.Array) func(fr *Frame, a *array.Array) {
	if r.Buf == nil {
		at := c.Slot(r.Scalar)
		switch r.Scalar.Kind {
		case ir.F64:
			return func(fr *Frame, a *array.Array) { fr.Doubles[at] = a.Double(0) }
		case ir.C64:
			return func(fr *Frame, a *array.Array) { fr.Complexes[at] = complexOf(a, 0) }
		}
		return func(fr *Frame, a *array.Array) { fr.Ints[at] = intOf(a, 0) }
	}
	at, name, elem := c.Buf(r.Buf), r.Buf.Name, r.Buf.Elem
	type extent struct{ axis, slot int }
	var extents []extent
	for i, d := range r.Dims {
		if u, ok := d.(*ir.Use); ok {
			extents = append(extents, extent{i, c.Slot(u.Var)})
		}
	}
	return func(fr *Frame, a *array.Array) {
		s := &Storage{Name: name, Elem: elem, Count: int64(a.Len()), Shape: a.Shape, OnHost: true}
		s.Host = make([]byte, s.Bytes())
		for i := range a.Len() {
			switch elem {
			case ir.F64:
				fr.M.storeDouble(s, int64(i), a.Double(i))
			case ir.C64:
				fr.M.storeComplex(s, int64(i), complexOf(a, i))
			default:
				fr.M.storeInt(s, int64(i), intOf(a, i))
			}
		}
		fr.Bufs[at] = s
		for _, x := range extents {
			fr.Ints[x.slot] = int64(a.Shape[x.axis])
		}
	}
}

// displays are the functions that depend on the print precision.
var displays = map[string]func(m *Machine, a []*array.Array, pp int) []*array.Array{
	"print": func(m *Machine, a []*array.Array, pp int) []*array.Array {
		m.expectFinite(a[0])
		m.out.Write(display.Append(nil, a[0], pp, display.Width))
		return nil
	},
	"printbare": func(m *Machine, a []*array.Array, pp int) []*array.Array {
		m.expectFinite(a[0])
		m.out.WriteString(display.FormatBare(a[0], pp))
		return nil
	},
	"format": func(_ *Machine, a []*array.Array, pp int) []*array.Array {
		return []*array.Array{display.FormatArray(a[0], pp)}
	},
	"picture": func(_ *Machine, a []*array.Array, pp int) []*array.Array {
		return []*array.Array{display.Picture(a[0].Chars, a[1:], pp)}
	},
}

// worldCalls are the functions that see or change the world.
var worldCalls = map[string]func(m *Machine, a []*array.Array) []*array.Array{
	"generator": func(m *Machine, _ []*array.Array) []*array.Array {
		return []*array.Array{array.ScalarInt(m.random.State())}
	},
	"draws": func(m *Machine, a []*array.Array) []*array.Array {
		return []*array.Array{array.ScalarInt(m.random.Skip(a[0].Int(0)))}
	},
	"seed": func(m *Machine, a []*array.Array) []*array.Array {
		m.random.Seed(a[0].Int(0))
		return a
	},
	"rolli": func(m *Machine, a []*array.Array) []*array.Array {
		return []*array.Array{array.ScalarInt(m.random.Roll(a[0].Int(0)))}
	},
	"rolld": func(m *Machine, _ []*array.Array) []*array.Array {
		return []*array.Array{array.ScalarDouble(m.random.RollUnit())}
	},
	"deal": func(m *Machine, a []*array.Array) []*array.Array {
		return []*array.Array{array.VectorInt(m.random.Deal(a[0].Int(0), a[1].Int(0)))}
	},
	"argcount": func(m *Machine, _ []*array.Array) []*array.Array {
		return []*array.Array{array.ScalarInt(int64(len(m.World.Args)))}
	},
	"matinv": func(m *Machine, a []*array.Array) []*array.Array { return m.solve(tail.OpMatInv, a) },
	"matdiv": func(m *Machine, a []*array.Array) []*array.Array { return m.solve(tail.OpMatDiv, a) },
}

// precision returns the print precision of a call.
func (m *Machine) precision(s *ir.Runtime) int {
	switch {
	case s.PP > 0:
		return s.PP
	case m.Source.PP > 0:
		return m.Source.PP
	}
	return display.DefaultPrecision
}

// solve is ⌹: whether the matrix is regular, and the result.
func (m *Machine) solve(op tail.Op, a []*array.Array) []*array.Array {
	v, err := m.apply(op, nil, diag.Span{}, 0, a)
	var fault *diag.Error
	if errors.As(err, &fault) && fault.RunTime {
		return []*array.Array{array.ScalarBool(false)}
	}
	Must(err)
	return []*array.Array{array.ScalarBool(true), v}
}

// evaluate runs a function of the library in the evaluator.
func (m *Machine) evaluate(s *ir.Runtime, args []*array.Array) []*array.Array {
	op := opNamed(s.Fn)
	exact := m.World.Exact
	if n := len(args); n > tail.Arity(op) && tail.Arity(op) >= 0 {
		exact = args[n-1].Int(0) != 0
		args = args[:n-1]
	}
	was := m.World.Exact
	m.World.Exact = exact
	defer func() { m.World.Exact = was }()
	var ty *tail.Array
	if len(s.Results) > 0 {
		r := s.Results[0]
		ty = tail.Ranked(elemOf(r.Elem), len(r.Dims))
	}
	switch op {
	case tail.OpWriteText:
		if m.writesFile() {
			args[2] = array.ScalarInt(1)
		}
	case tail.OpWriteNpy:
		m.writesFile()
	case tail.OpSend:
		m.look()
	}
	v, err := m.apply(op, ty, s.At, s.Code, args)
	Must(err)
	if v == nil { // ⎕OFF
		panic(stop{})
	}
	return []*array.Array{v}
}

// opNamed returns the op of a run-time function.
func opNamed(name string) tail.Op {
	for _, o := range tail.Ops() {
		if o.String() == name {
			return o
		}
	}
	panic("internal error: no such run-time function: " + name)
}

// apply evaluates an op; ty is the result's type where the arguments do not
// say it, and code that of the error of op stop. After ⎕OFF there is no result.
func (m *Machine) apply(op tail.Op, ty *tail.Array, at diag.Span, code diag.Code, args []*array.Array) (*array.Array, error) {
	exprs := make([]tail.Expr, len(args))
	for i, a := range args {
		exprs[i] = tail.NewLit(at, a)
	}
	e := &tail.Apply{At: tail.At{Where: at}, Op: op, Args: exprs, Ty: ty}
	switch op {
	case tail.OpReadCSV, tail.OpReadNpy, tail.OpReceive:
	default:
		typed, bad := tail.NewApply(at, op, 0, nil, exprs...)
		if bad == nil {
			e = typed
		} else if ty == nil {
			return nil, tail.NewFault(tail.FaultSingular, at, tail.Blame{}, tail.FaultSingular.Text())
		}
	}
	e.Blame.Code = code
	p := &tail.Program{Source: m.Source.Source, Main: e, Exact: m.World.Exact, CT: m.Source.CT}
	var out bytes.Buffer
	values, err := eval.Values(p, &eval.Env{Stdout: &out, Args: m.World.Args, MaxBytes: math.MaxInt64, Received: m.World.Received, Sent: m.World.Sent})
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, nil
	}
	return values[0], nil
}
