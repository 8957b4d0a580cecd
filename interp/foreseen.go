package interp

import (
	"maps"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
)

// Call is a call of a dfn of a program, or of an operator with operands.
type Call struct {
	Node     *apl.Dfn // nil for an operator
	Operator *apl.Dop
	Operands []Operand
	Form     string // ¨ where it is applied to the items
	X, Y     *V     // arguments of the types that matter; X is nil for one argument
}

// Operand is a dfn, a primitive function or an array.
type Operand struct {
	Dfn   *apl.Dfn
	Glyph string
	Value *V
}

// Units returns the units of calls that a program may make: those that it would have
// when the definitions among the statements were run, and variables had the values
// given. For a call of a function that is not compiled the unit is nil.
func Units(body []apl.Stmt, values map[string]*V, calls []Call) []*Unit {
	in := foreseeing(body, values)
	var all []*Unit
	for _, c := range calls {
		x, y := c.X, c.Y
		if c.Form == "¨" {
			x, y = listed(x), listed(y)
		}
		var u *Unit
		if f := in.called(c); f != nil {
			if made, _, err := in.unit(f, c.Form, x, y); err == nil {
				u = made
			}
		}
		all = append(all, u)
	}
	return all
}

// called returns the function of a call, nil where an operator has no name.
func (in *Interp) called(c Call) *closure {
	if c.Node != nil {
		return in.closureOf(c.Node)
	}
	operands := make([]any, 2)
	for i, o := range c.Operands {
		switch {
		case o.Dfn != nil:
			operands[i] = in.closureOf(o.Dfn)
		case o.Value != nil:
			operands[i] = o.Value
		default:
			operands[i] = primitives[o.Glyph]
		}
	}
	for _, b := range in.global.bindings() {
		if d, ok := b.value.(*dop); ok && d.node == c.Operator {
			f, _ := d.Derive(in, operands[0], operands[1])
			made, _ := f.(*closure)
			return made
		}
	}
	return nil
}

// foreseeing returns an interpreter with the definitions among statements, and values.
func foreseeing(body []apl.Stmt, values map[string]*V) *Interp {
	in := New(&Env{})
	for name, v := range values {
		in.global.set(name, v)
	}
	for _, s := range body {
		in.define(in.global, s) // else the name is unknown, and what refers to it no unit
	}
	return in
}

// Loop is a loop of control words of a program.
type Loop struct {
	Fn     *apl.Tradfn // whose body it stands in
	Loop   *apl.Control
	Items  *V            // of :For, else nil
	Values map[string]*V // of the types that the names have between two turns
}

// LoopUnits returns the units of loops that a program may run, as Units does.
func LoopUnits(body []apl.Stmt, values map[string]*V, loops []Loop) []*Unit {
	in := foreseeing(body, values)
	var all []*Unit
	for _, l := range loops {
		u, err := in.loopUnit(l)
		if err != nil {
			u = nil
		}
		all = append(all, u)
	}
	return all
}

// Statement is a statement of a program, with those behind it.
type Statement struct {
	Rest []apl.Stmt
	Fn   *apl.Tradfn // in whose body it stands, or nil
	// Known are the values of variables before it: constants, and arrays of the types of
	// others that are none. Examples are of the types of scalars.
	Known func() (values, examples map[string]*V)
}

// StatementUnits returns the units of statements that may be compiled together, of those which
// follow each other the longest. Fits says for what a unit has no type, if it has none.
func StatementUnits(p *apl.Program, body []apl.Stmt, values map[string]*V, statements []Statement, fits func(*Unit) error) (all []*Unit) {
	in := foreseeing(body, values)
	for name := range values {
		in.global.set(name, nil)
	}
	for len(statements) > 0 {
		s := statements[0]
		known, examples := s.Known()
		st := &stretch{frame: in.global, rest: s.Rest}
		if s.Fn != nil {
			st.frame = in.enter(&tradfn{node: s.Fn, space: in.global, names: localsOf(s.Fn)})
		}
		in.beginStretch(st, 0)
		for _, x := range st.body {
			st.scalars = st.scalars || slices.ContainsFunc(x.read, func(name string) bool { return examples[name] != nil })
		}
		maps.Copy(known, examples)
		n := 1
		if u := in.foreseenUnit(st, known, p, fits); u != nil {
			n = len(slices.DeleteFunc(slices.Clone(st.body), part.structured))
			if slices.ContainsFunc(st.body, in.mayTakeLong) {
				all = append(all, u)
			}
		}
		if s.Fn != nil {
			in.leave(st.frame)
		}
		statements = statements[min(n, len(statements)):]
	}
	return all
}

// working are glyphs of functions and operators that may take long.
const working = "{⍣⍤⌺∘¨⌸⊆/⌿\\⍀⍋⍒⍳∪∩∊⍷⌹⊥⊤"

// mayTakeLong reports whether a part applies functions of the program, or ones that may take long.
func (in *Interp) mayTakeLong(p part) bool {
	x, ok := p.stmt.(*apl.ExprStmt)
	if !ok {
		return p.structured()
	}
	return strings.ContainsAny(source(x), working) || slices.ContainsFunc(apl.FreeNames(x).Free, func(n apl.FreeName) bool { return n.Class != apl.ArrayClass })
}

// foreseenUnit returns the unit of a stretch of which the first statement has a compiled form
// with some values, else nil. The end of the stretch is where the unit's is.
func (in *Interp) foreseenUnit(st *stretch, known map[string]*V, p *apl.Program, fits func(*Unit) error) *Unit {
	for name, v := range known {
		in.global.set(name, v)
		defer in.global.set(name, nil)
	}
	for len(st.body) > 0 {
		u, places, err := in.stretchUnit(st, p)
		if err == nil {
			if err = fits(u); err == nil {
				return u
			}
		}
		i := places.of(err)
		if i < 0 {
			i = len(st.body) / 2
		}
		st.body = st.body[:i]
	}
	return nil
}

func (in *Interp) loopUnit(l Loop) (*Unit, error) {
	f := in.enter(&tradfn{node: l.Fn, space: in.global, names: localsOf(l.Fn)})
	defer in.leave(f)
	for name, v := range l.Values {
		scope := f.scope(name)
		before := scope.own(name)
		scope.set(name, v)
		defer scope.set(name, before)
	}
	if l.Items != nil {
		f.trad.loops = map[int]*loop{l.Loop.Open(): {over: l.Items, count: l.Items.Len(), next: 1}}
	}
	return in.sectionUnit(&sectionVersion{origin: in.state.Origin}, f, l.Loop)
}

// closureOf returns the function of a dfn: that which has a name, if there is one.
func (in *Interp) closureOf(d *apl.Dfn) *closure {
	for _, b := range in.global.bindings() {
		if c, ok := b.value.(*closure); ok && c.node == d {
			return c
		}
	}
	return &closure{body: d.Body, frame: in.global, node: d}
}

// listed returns an argument of ¨ as compiled functions get it: a vector of items, or
// the item that is the same for all.
func listed(a *V) *V {
	if a == nil || len(a.Shape) == 0 {
		return a
	}
	return a.Ravel()
}
