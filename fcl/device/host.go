package device

import (
	"fmt"

	"github.com/tailor-lang/tailor/fcl/compile"
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/internal/diag"
)

func elements(n int64) string { return diag.Count(int(n), "element", "elements") }

// message says what is wrong, in the words of the evaluator.
func message(op string, a, b int64) string {
	switch op {
	case "check":
		return fmt.Sprintf("there is no element %d in an array of %s", a, elements(b))
	case "place":
		return fmt.Sprintf("an element goes to place %d, and there are %d", a, b)
	case "size":
		return fmt.Sprintf("an array of %d elements", a)
	case "fit":
		return fmt.Sprintf("a step makes %s of an array that began with %d", elements(a), b)
	case "limit":
		return fmt.Sprintf("an array of %d elements, whose length was not known when the kernel was launched; --param Limit=%d makes room for %d (now %d)", a, a, a, b)
	case "room":
		return fmt.Sprintf("the device has no memory for an array of %d elements (%d bytes)", a, b)
	case "same":
		return fmt.Sprintf("a program makes %s, not %d", elements(a), b)
	}
	return scalar.ErrZero.Error()
}

// expr computes an expression of the host.
func (r *run) expr(e kernel.Expr) scalar.Scalar {
	switch e := e.(type) {
	case *kernel.Const:
		return e.Value
	case *kernel.Var:
		return r.vars[e]
	case *kernel.Cond:
		if r.expr(e.C).I != 0 {
			return r.expr(e.A)
		}
		return r.expr(e.B)
	case *kernel.Load:
		return r.read(e)
	case *kernel.Op:
		return r.op(e)
	}
	panic(fmt.Sprintf("device: expression %T", e))
}

// read reads an element of the device's memory.
func (r *run) read(e *kernel.Load) scalar.Scalar {
	v := &Vector{e.Array.Elem, make([]byte, e.Array.Elem.Size())}
	r.ok(r.queue.Read(r.buffers[e.Array], r.expr(e.Index).I*int64(e.Array.Elem.Size()), v.Bytes, "an element"))
	r.check()
	return v.At(0)
}

func (r *run) op(e *kernel.Op) scalar.Scalar {
	a := r.expr(e.Args[0])
	switch {
	case e.Name == "&&" && a.I == 0, e.Name == "||" && a.I != 0:
		return a
	}
	args := []scalar.Scalar{a}
	for _, x := range e.Args[1:] {
		args = append(args, r.expr(x))
	}
	bad := false
	switch e.Name {
	case "check":
		bad = a.I < 0 || a.I >= args[1].I
	case "size":
		bad = a.I < 0
	case "fit":
		bad = a.I > args[1].I
	case "same":
		bad = a.I != args[1].I
	default:
		v, err := scalar.Arithmetic(e.Name, args...)
		if err != nil {
			r.report(e.Site, 0, 0)
		}
		return v
	}
	if bad {
		r.report(e.Site, a.I, args[len(args)-1].I)
	}
	return a
}

// result reads what main gives.
func (r *run) result(v compile.Result) Value {
	switch v := v.(type) {
	case kernel.Expr:
		return r.expr(v)
	case *compile.Pull:
		return r.memory(v.Stored, r.expr(v.N).I)
	case []compile.Result:
		t := make(Tuple, len(v))
		for i, item := range v {
			t[i] = r.result(item)
		}
		return t
	}
	panic(fmt.Sprintf("device: result %T", v))
}

// memory reads n elements.
func (r *run) memory(m compile.Memory, n int64) Value {
	if a, ok := m.(*kernel.Array); ok {
		v := &Vector{a.Elem, make([]byte, n*int64(a.Elem.Size()))}
		if n > 0 {
			r.ok(r.queue.Read(r.buffers[a], 0, v.Bytes, "the result"))
		}
		return v
	}
	list := m.([]compile.Memory)
	all := make(Columns, len(list))
	for i, item := range list {
		all[i] = r.memory(item, n)
	}
	return all
}
