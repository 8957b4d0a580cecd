package compile

import (
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/fcl/walk"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Value is a kernel.Expr, a Tuple, a Func, a *Pull, a *Push or a Program.
type Value = walk.Value

type (
	Tuple   = walk.Tuple
	Func    = walk.Func
	Program = walk.Program
	// Pull is a pull array: its length, and the code of an element. Stored are the arrays
	// that hold it, nil where it is computed.
	Pull struct {
		N      kernel.Expr
		At     func(i kernel.Expr) Value
		Stored Memory
	}
	// Push is a push array: Run makes the code that computes the elements; write makes that
	// which stores one.
	Push struct {
		N     kernel.Expr
		Level types.Level
		Run   func(write func(i kernel.Expr, v Value))
	}
)

// Memory is where elements of a type are stored: a *kernel.Array for scalars, a list of
// Memory for tuples.
type Memory interface{}

// memory makes arrays for elements of a type.
func (c *compiler) memory(name string, t types.Type, space kernel.Space, n kernel.Expr) Memory {
	switch t := types.Find(t).(type) {
	case types.Scalar:
		c.names++
		a := &kernel.Array{Name: c.text(name), Elem: t, Space: space, Len: n}
		a.Object = &kernel.Object{Name: a.Name}
		return a
	case *types.Tuple:
		all := make([]Memory, len(t.Items))
		for i, item := range t.Items {
			all[i] = c.memory(name, item, space, n)
		}
		return all
	}
	panic("compile: elements that are no scalars or tuples")
}

// each calls a function for the arrays of a memory.
func each(m Memory, visit func(a *kernel.Array)) {
	switch m := m.(type) {
	case *kernel.Array:
		visit(m)
	case []Memory:
		for _, item := range m {
			each(item, visit)
		}
	}
}

// load returns an element.
func load(m Memory, i kernel.Expr) Value {
	if a, ok := m.(*kernel.Array); ok {
		return &kernel.Load{Array: a, Index: i}
	}
	list := m.([]Memory)
	t := make(Tuple, len(list))
	for k, item := range list {
		t[k] = load(item, i)
	}
	return t
}

// store makes the code that stores an element. All parts are computed before one is
// stored: they may read the array.
func (c *compiler) store(m Memory, i kernel.Expr, v Value) {
	if a, ok := m.(*kernel.Array); ok {
		c.emit(&kernel.Store{Array: a, Index: i, Value: v.(kernel.Expr)})
		return
	}
	i = c.share("i", i).(kernel.Expr)
	v = c.share("v", v)
	c.storeAll(m, i, v)
}

func (c *compiler) storeAll(m Memory, i kernel.Expr, v Value) {
	if a, ok := m.(*kernel.Array); ok {
		c.emit(&kernel.Store{Array: a, Index: i, Value: v.(kernel.Expr)})
		return
	}
	for k, item := range m.([]Memory) {
		c.storeAll(item, i, v.(Tuple)[k])
	}
}

// unsupported panics with what cannot be compiled.
func unsupported(at diag.Span, format string, args ...any) {
	panic(diag.Errorf(diag.NotCompiled, at, format, args...))
}
