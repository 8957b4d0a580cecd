package interp

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// V is an array.
type V = value.Array

// Function is a value of function class. The left argument is nil in a monadic
// call. The result is nil if there is none.
type Function interface {
	Call(in *Interp, x, y *V) (*V, error)
}

// Operator is a value of operator class.
type Operator interface {
	Derive(in *Interp, left, right any) (Function, error)
}

// binding is a name and its value: a *V, a Function or an Operator.
type binding struct {
	name  string
	value any
}

// Frame holds the names of one call of a dfn, or of the program.
type Frame struct {
	parent *Frame
	vars   []binding
	index  map[string]int // of vars, once there are many

	space  *value.Namespace // holds the names, instead of vars, where it is not nil
	inside *Frame           // of X.(…): the frame of the namespace, whose names alone are seen
	caller *Frame           // that called it
	trad   *activation      // of a function with a header

	alpha, omega *V
	alphaFunc    Function // where ⍺← gave a function
	self         *closure
	saved        []savedVariable
	epoch        *int      // counts changes of names, where compiled functions refer to one
	guards       [][]int64 // the numbers of the error guards that are open
	triggers     *triggers // of the names of a namespace, or nil
}

// manyNames is the number of names from which on a frame has an index.
const manyNames = 12

// own returns the value that the frame itself gives to a name, or nil. It is not only
// the name's any more.
func (f *Frame) own(name string) any { return value.Shared(f.held(name)) }

// held is own for callers that keep neither the value nor a part of it.
func (f *Frame) held(name string) any {
	if f.inside != nil {
		return f.inside.held(name)
	}
	if f.space != nil {
		return f.space.Held(name)
	}
	if f.index != nil {
		if i, ok := f.index[name]; ok {
			return f.vars[i].value
		}
		return nil
	}
	for i := range f.vars {
		if f.vars[i].name == name {
			return f.vars[i].value
		}
	}
	return nil
}

// lookup returns the value of a name in the frame or those around it, and the
// frame that has it. It is not only the name's any more.
func (f *Frame) lookup(name string) (any, *Frame) {
	v, where := f.find(name)
	return value.Shared(v), where
}

// find is lookup for callers that keep neither the value nor a part of it.
func (f *Frame) find(name string) (any, *Frame) {
	for ; f != nil; f = f.parent {
		if a := f.trad; a != nil {
			where := a.space
			if !a.declares(name) {
				if a.globals == a.space {
					continue
				}
				where = a.globals
			}
			if v := where.held(name); v != nil {
				return v, where
			}
			return nil, nil
		}
		if v := f.held(name); v != nil {
			return v, f
		}
		if f.inside != nil {
			break
		}
	}
	return nil, nil
}

// home returns the frame of the space that a frame belongs to.
func (f *Frame) home() *Frame {
	for f.parent != nil {
		switch {
		case f.inside != nil:
			return f.inside
		case f.trad != nil:
			return f.trad.space
		}
		f = f.parent
	}
	return f
}

// scope returns the frame in which a name gets a value: the frame itself, or for a
// function with a header the innermost one that the name is local to.
func (f *Frame) scope(name string) *Frame {
	for f.trad != nil {
		a := f.trad
		if a.declares(name) {
			return a.space
		}
		if a.globals != a.space {
			return a.globals
		}
		f = f.parent
		for f.trad == nil && f.parent != nil && f.held(name) == nil {
			f = f.parent
		}
	}
	return f
}

// set gives a name a value in this frame.
func (f *Frame) set(name string, v any) {
	if f.inside != nil {
		f.inside.set(name, v)
		return
	}
	if f.triggers != nil {
		f.triggers.note(f, name, v)
	}
	if f.epoch != nil {
		*f.epoch++
	}
	if f.space != nil {
		if v == nil {
			f.space.Remove(name)
		} else {
			f.space.Set(name, v)
		}
		return
	}
	if f.index != nil {
		if i, ok := f.index[name]; ok {
			f.vars[i].value = v
			return
		}
	} else {
		for i := range f.vars {
			if f.vars[i].name == name {
				f.vars[i].value = v
				return
			}
		}
	}
	f.vars = append(f.vars, binding{name, v})
	if f.index != nil {
		f.index[name] = len(f.vars) - 1
	} else if len(f.vars) > manyNames {
		f.index = make(map[string]int, 2*len(f.vars))
		for i, b := range f.vars {
			f.index[b.name] = i
		}
	}
}

// unwind gives the names of the frame the values that they had at an error guard.
func (f *Frame) unwind(names []binding) {
	if f.space != nil || f.inside != nil || f.self == nil {
		return
	}
	f.vars, f.index = names, nil
	if len(names) > manyNames {
		f.index = make(map[string]int, 2*len(names))
		for i, b := range names {
			f.index[b.name] = i
		}
	}
	if f.epoch != nil {
		*f.epoch++
	}
}

// call returns the dfn that ⍺ ⍵ ∇ and their like belong to: the frame itself, or that
// of the text that ⍎ runs in; nil in a function with a header.
func (f *Frame) call() *Frame {
	if f = f.activation(); f != nil && f.trad != nil {
		return nil
	}
	return f
}

// activation returns the call that a frame is of, or nil.
func (f *Frame) activation() *Frame {
	for f != nil && f.self == nil && f.trad == nil {
		f = f.parent
	}
	return f
}

// classes returns the classes of all names that can be seen from the frame.
func (f *Frame) classes() map[string]apl.Class {
	out := map[string]apl.Class{}
	for ; f != nil; f = f.parent {
		for _, b := range f.entries() {
			if _, ok := out[b.name]; !ok && b.value != nil {
				out[b.name] = classOf(b.value)
			}
		}
		if f.inside != nil {
			break
		}
		if a := f.trad; a != nil && a.globals != a.space {
			f = &Frame{parent: a.globals}
		}
	}
	return out
}

// bindings returns the names of the frame itself, whose values are not only theirs any
// more.
func (f *Frame) bindings() []binding {
	all := f.entries()
	for _, b := range all {
		value.Shared(b.value)
	}
	return all
}

// entries is bindings for callers that keep neither the values nor parts of them.
func (f *Frame) entries() []binding {
	if f.inside != nil {
		return f.inside.entries()
	}
	if f.space == nil {
		return f.vars
	}
	var out []binding
	for _, name := range f.space.Names() {
		out = append(out, binding{name, f.space.Held(name)})
	}
	return out
}

// classOf returns the class of a value.
func classOf(v any) apl.Class {
	switch v := v.(type) {
	case *V:
		return apl.ArrayClass
	case *niladic:
		return apl.ArrayClass
	case *tradOp:
		return v.fn.node.Header.Class()
	case *dop:
		if v.node.DyadicOperator {
			return apl.DyadicOperator
		}
		return apl.MonadicOperator
	case *curried:
		return apl.MonadicOperator
	case *primOperator:
		if g := apl.LookupGlyph(v.glyph); g == nil || g.Class == apl.DyadicGlyph && v.glyph != "∘." {
			return apl.DyadicOperator
		}
		return apl.MonadicOperator
	}
	return apl.FunctionClass
}

// savedVariable is the value that a system variable had before a dfn assigned it.
type savedVariable struct {
	name  string
	state prim.Context
}
