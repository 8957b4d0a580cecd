package gradual

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/tail"
)

// standIn is the extent of the axes of arrays whose values are not known: it is longer
// than that of any array whose elements types depend on.
const standIn = 65

// Foresee returns functions, loops and statements of a program that are compiled if it runs, as far
// as the types of their arguments, or of the variables, can be seen in its text.
func Foresee(p *apl.Program) []*interp.Unit {
	f := infer.Foresee(p)
	var calls []interp.Call
	for _, c := range f.Calls {
		call := interp.Call{Node: c.Node, Operator: c.Operator, Form: c.Form, X: example(c.Left), Y: example(c.Right)}
		for _, o := range c.Operands {
			is := interp.Operand{Dfn: o.Dfn, Glyph: o.Glyph}
			if o.Value != nil {
				is.Value = value.From(o.Value)
			}
			call.Operands = append(call.Operands, is)
		}
		calls = append(calls, call)
	}
	var loops []interp.Loop
	for _, l := range f.Loops {
		names := map[string]*value.Array{}
		for name, t := range l.Types {
			if t != nil {
				names[name] = example(t)
			}
		}
		loops = append(loops, interp.Loop{Fn: l.Fn, Loop: l.Loop, Items: example(l.Items), Values: names})
	}
	known := values(f)
	units := slices.DeleteFunc(interp.Units(f.Body, known, calls), untyped)
	stretches := interp.StatementUnits(p, f.Body, known, statements(f), unfit)
	around := func(loop *interp.Unit) bool {
		return loop != nil && slices.ContainsFunc(stretches, func(u *interp.Unit) bool {
			return u.Where.Start <= loop.Where.Start && loop.Where.End <= u.Where.End
		})
	}
	single := slices.DeleteFunc(slices.DeleteFunc(interp.LoopUnits(f.Body, known, loops), around), untyped)
	return slices.Concat(units, distinct(single), stretches)
}

// statements are those that may be compiled together.
func statements(f *infer.Foresight) (all []interp.Statement) {
	for _, s := range f.Statements {
		all = append(all, interp.Statement{Rest: s.Rest, Fn: s.Fn, Known: func() (values, examples map[string]*value.Array) {
			values, examples = map[string]*value.Array{}, map[string]*value.Array{}
			constants, types := s.Known()
			for name, a := range constants {
				values[name] = value.From(a)
			}
			for name, t := range types {
				if a, ok := t.(*tail.Array); ok && a.Dims() == 0 {
					examples[name] = example(a)
				} else {
					values[name] = exampleOf(t)
				}
			}
			return values, examples
		}})
	}
	return all
}

// distinct returns the units of different places or types.
func distinct(units []*interp.Unit) []*interp.Unit {
	seen := map[string]bool{}
	return slices.DeleteFunc(units, func(u *interp.Unit) bool {
		key := Title(u)
		was := seen[key]
		seen[key] = true
		return was
	})
}

// untyped reports whether a unit has no type.
func untyped(u *interp.Unit) bool {
	if u == nil {
		return true
	}
	_, _, err := attempt(u)
	return err != nil
}

// values are those of variables, as far as they are known; examples of others.
func values(f *infer.Foresight) map[string]*value.Array {
	all := map[string]*value.Array{}
	for name, a := range f.Values {
		all[name] = value.From(a)
	}
	for name, t := range f.Types {
		if t.Dims() > 0 { // the values of scalars are part of what is compiled
			all[name] = example(t)
		}
	}
	return all
}

// exampleOf returns an array of a type: of as many items or rows as an array has elements.
func exampleOf(t tail.Type) *value.Array {
	tuple, ok := t.(*tail.TupleType)
	if !ok {
		return example(t.(*tail.Array))
	}
	stored, _ := infer.StorageOf(tuple)
	if stored == infer.ByOffsets {
		item := value.From(array.New(tuple.Elems[0].(*tail.Array).Elem, 1))
		return value.FromItems([]int{standIn}, slices.Repeat([]*value.Array{item}, standIn))
	}
	var parts []*value.Array
	for _, e := range tuple.Elems {
		parts = append(parts, exampleOf(e))
	}
	if stored == infer.ByComponents {
		return value.FromItems([]int{len(parts)}, parts)
	}
	var row []*value.Array // of the first items of columns
	for _, p := range parts {
		row = append(row, p.Item(0))
	}
	rows := slices.Repeat(row, standIn)
	if stored == infer.ByRows {
		return value.FromItems([]int{standIn, len(row)}, rows)
	}
	return value.FromItems([]int{standIn}, slices.Repeat([]*value.Array{value.FromItems([]int{len(row)}, row)}, standIn))
}

// example returns an array of a type, nil for none.
func example(t *tail.Array) *value.Array {
	if t == nil {
		return nil
	}
	shape := make([]int, t.Dims())
	for i := range shape {
		shape[i] = 1
	}
	if len(shape) > 0 {
		shape[0] = standIn
	}
	return value.From(array.New(t.Elem, shape...))
}
