package eval

import (
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/fcl/walk"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Run applies a function to arguments, runs the program that it gives, and stores what
// that gives. Params are the values of #names. The error is a *diag.Error.
func Run(use *types.Use, info *types.Info, params map[string]int64, args []Value) (result Value, count Count, err error) {
	m := &machine{params: params}
	m.Walker = walk.Walker{Info: info, Meaning: m}
	defer func() {
		count = m.count
		if r := recover(); r != nil {
			e, ok := r.(*diag.Error)
			if !ok {
				panic(r)
			}
			e.RunTime = true
			err = e
		}
	}()
	v := m.Global(use, diag.Span{})
	for _, a := range args {
		v = v.(Func)(m.input(a))
	}
	return m.finish(v, use.Global.Fun.At), m.count, nil
}

// machine evaluates. place is where it works just now.
type machine struct {
	walk.Walker
	params map[string]int64
	place  place
	count  Count
}

// input returns an argument as an array of the device's memory.
func (m *machine) input(v Value) Value {
	p, ok := v.(*Pull)
	if !ok {
		return v
	}
	return &Pull{p.N, func(i int64) Value {
		e := p.At(i)
		m.count.Read[Global] += size(e)
		return e
	}, p.Stored}
}

// finish runs and stores what a program is.
func (m *machine) finish(v Value, at diag.Span) Value {
	switch v := v.(type) {
	case Program:
		return m.finish(v(), at)
	case *Push:
		return m.finish(m.force(v, types.Grid, at), at)
	case *Pull:
		if v.Stored != nil {
			return Vector(v.Stored)
		}
		elems := make([]Value, 0, min(v.N, 1<<20))
		for i := range v.N {
			elems = append(elems, m.finish(v.At(i), at))
		}
		return Vector(elems)
	case Tuple:
		t := make(Tuple, len(v))
		for i, item := range v {
			t[i] = m.finish(item, at)
		}
		return t
	}
	return v
}

// Constant returns a scalar.
func (m *machine) Constant(s Scalar) Value { return s }

// Parameter returns the value of #name.
func (m *machine) Parameter(name string) (Value, bool) {
	v, ok := m.params[name]
	return Int(v), ok
}

// Named returns what it is given: values have no names.
func (m *machine) Named(_ string, v Value) Value { return v }

// If evaluates one of two values.
func (m *machine) If(cond Value, _ func() types.Type, then, other func() Value) Value {
	if cond.(Scalar).I != 0 {
		return then()
	}
	return other()
}

// Arithmetic applies an operator of scalars.
func (m *machine) Arithmetic(op string, at diag.Span, args ...Value) Value {
	scalars := make([]Scalar, len(args))
	for i, a := range args {
		scalars[i] = a.(Scalar)
	}
	s, err := scalar.Arithmetic(op, scalars...)
	if err != nil {
		fault(diag.ZeroDivision, at, "%v", err)
	}
	return s
}
