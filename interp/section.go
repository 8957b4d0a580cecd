package interp

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/structured"
	"github.com/tailor-lang/tailor/interp/value"
)

// Loops of control words are compiled while they run: between two turns everything that
// a turn assigns has a value, whose type is that of the state of the compiled loop. What
// is compiled has no effects, so that a fault in it has changed nothing, and the
// interpreter goes on with the next turn.

// minTurns is the number of turns of a loop after each of which the time is looked at,
// and the number of turns between two looks afterwards.
const minTurns = 16

// section is what is known of a loop.
type section struct {
	turns    int
	next     int       // the number of turns from which on it is looked for a compiled form
	first    time.Time // of its turns
	hot      bool
	versions []*sectionVersion
}

// sectionVersion is a loop compiled for the types of the names that it refers to.
type sectionVersion struct {
	args     []ArgType
	params   []string // their names
	state    []string // those that it assigns
	origin   int
	captured []capturedName
	f        Compiled
	faults   int
}

// finishedLoop runs the rest of a loop by its compiled form, if there is one. What is
// interpreted next is its next turn, or else the statement behind it.
func (in *Interp) finishedLoop(f *Frame, c *apl.Control) bool {
	if in.compiler == nil || in.watching {
		return false
	}
	s := in.sections[c]
	if s == nil {
		s = &section{first: time.Now()}
		in.sections[c] = s
	}
	if s.turns++; !s.hot && !in.heatsLoop(s) || s.turns < s.next && !in.env.Eager {
		return false
	}
	if n := len(s.versions); n > 0 && s.versions[n-1].compiling() && !in.env.Eager {
		return false
	}
	v, args := in.sectionVersion(s, f, c)
	if v == nil || v.f == nil || v.faults >= maxFaults {
		s.next = 2 * s.turns
		return false
	}
	if v.compiling() && !in.env.Eager {
		return false
	}
	results, ok := v.f.CallAll(args)
	if !ok {
		v.faults++
		return false
	}
	for i, name := range v.state {
		f.scope(name).set(name, results[i])
	}
	in.shy = false
	return true
}

// compiling reports whether there is no C yet: the evaluator is no faster than the
// interpreter.
func (v *sectionVersion) compiling() bool {
	return v.f != nil && v.f.Level() < 2
}

// heatsLoop reports whether a loop is worth to be compiled by now.
func (in *Interp) heatsLoop(s *section) bool {
	look := s.turns <= minTurns || s.turns%minTurns == 0
	s.hot = in.env.Eager || s.turns >= hotCalls || look && time.Since(s.first) >= hotTime
	return s.hot
}

// sectionVersion returns the version of a loop for what its names are now, which is made
// where there are not too many, and the arguments for its call; nil if there is none.
func (in *Interp) sectionVersion(s *section, f *Frame, c *apl.Control) (*sectionVersion, []*V) {
	if !in.usual() {
		return nil, nil
	}
	for i := len(s.versions) - 1; i >= 0; i-- {
		v := s.versions[i]
		if args, ok := in.sectionArgs(v, f, c); ok {
			return v, args
		}
	}
	if len(s.versions) >= maxVersions {
		return nil, nil
	}
	v := &sectionVersion{origin: in.state.Origin}
	s.versions = append(s.versions, v)
	u, err := in.sectionUnit(v, f, c)
	if err != nil {
		return v, nil
	}
	args, ok := in.sectionArgs(v, f, c)
	if !ok {
		return v, nil
	}
	v.f, _ = in.compiler.Compile(u)
	return v, args
}

// sectionArgs returns the arguments of a version: the values of the names, of a :For its
// items and the place of the next one, and ⍬. ok is false where the types are others, or
// functions are.
func (in *Interp) sectionArgs(v *sectionVersion, f *Frame, c *apl.Control) (args []*V, ok bool) {
	if in.state.Origin != v.origin || len(v.args) == 0 {
		return nil, false
	}
	if args, ok = f.arrays(v.params); !ok {
		return nil, false
	}
	if !sameNames(v.captured, f) {
		return nil, false
	}
	args = append(append(args, loopArgs(f, c)...), value.Integers(nil))
	for i, t := range v.args {
		if !t.has(args[i]) {
			return nil, false
		}
	}
	return args, true
}

// sameNames reports whether names mean what they meant when a unit was made, seen from a frame.
func sameNames(names []capturedName, f *Frame) bool {
	for _, n := range names {
		from := n.frame
		if from == nil {
			from = f
		}
		if now, _ := from.lookup(n.name); !same(now, n.value) {
			return false
		}
	}
	return true
}

// capturedFrom returns the names that a unit refers to, of which those seen from a frame are
// looked up in that of the next call.
func (m *unitMaker) capturedFrom(f *Frame) []capturedName {
	all := slices.Clone(m.captured)
	for i, n := range all {
		if n.frame == f {
			all[i].frame = nil
		}
	}
	return all
}

// arrays returns the arrays that have names; ok is false where one is something else.
func (f *Frame) arrays(names []string) (values []*V, ok bool) {
	for _, name := range names {
		a, _ := f.lookup(name)
		x, ok := a.(*V)
		if !ok {
			return nil, false
		}
		values = append(values, x)
	}
	return values, true
}

// loopArgs are the arguments of a loop behind the names: the items of a :For and the
// place of the next one.
func loopArgs(f *Frame, c *apl.Control) []*V {
	if c.Word != apl.For {
		return nil
	}
	l := f.trad.loops[c.Open()]
	return []*V{l.over.Ravel(), value.Integer(l.next)}
}

// argumentName is the name of the argument of what structuredUnit makes a function of.
const argumentName = hiddenName + "w"

// entryUnit makes a unit of the definition of a function that takes and gives a strand of
// arrays, and assigns what has the names given.
func (in *Interp) entryUnit(where diag.Span, text string, f *Frame, assigned []string) (*unitMaker, error) {
	m, err := in.unitMaker(where, nil, nil)
	if err != nil {
		return nil, err
	}
	m.callable()
	if err := m.define(entryName, text, f, nil); err != nil {
		return nil, err
	}
	n := len(m.unit.Known) - 1
	def := m.unit.Known[n].Stmt
	m.unit.Known, m.unit.Entry = m.unit.Known[:n], &apl.Program{Source: def.Span().Src, Body: []apl.Stmt{def}}
	return m, m.apart(assigned)
}

// structuredUnit is entryUnit for the statements of a program with control structures, of which
// the last one is the result. Where one has no functional form, that which begins at a place
// of the text is to blame.
func (in *Interp) structuredUnit(where diag.Span, text string, place int, f *Frame, assigned []string) (*unitMaker, error) {
	m, err := in.unitMaker(where, nil, nil)
	if err != nil {
		return nil, err
	}
	m.callable()
	classes := f.classes()
	classes[argumentName] = apl.ArrayClass
	tree, err := apl.ParseWith(diag.NewSource(where.Src.Name, text), classes)
	var list diag.List
	if errors.As(err, &list) {
		return nil, &Unfit{At: list[0].Span.Start, Result: -1}
	}
	for _, s := range tree.Body { // of names that have no class
		if l, ok := s.(*apl.Loose); ok {
			return nil, &Unfit{At: l.Span().Start, Result: -1}
		}
	}
	if m.unit.Entry = structured.Entry(entryName, argumentName, tree); m.unit.Entry == nil {
		return nil, &Unfit{At: place, Result: -1}
	}
	if err := m.capture(m.unit.Entry.Body[0], f, false); err != nil {
		return nil, err
	}
	return m, m.apart(assigned)
}

// callable lets a unit call functions with headers.
func (m *unitMaker) callable() {
	m.dynamic, m.reads, m.locals = true, map[string]bool{}, map[string]bool{}
}

// apart returns an error where a function reads one of some names, which are assigned, or where a
// function with a header may read a local name of its caller, or another function one of its.
func (m *unitMaker) apart(assigned []string) error {
	for _, k := range m.unit.Known {
		if slices.Contains(assigned, k.Name) {
			return errNoUnit
		}
	}
	if len(m.locals) == 0 {
		return nil
	}
	hides := func(s apl.Stmt) bool {
		return slices.ContainsFunc(structured.Locals(s), func(name string) bool { return m.reads[name] })
	}
	hidden := func(n capturedName) bool { return m.locals[n.name] }
	if slices.ContainsFunc(m.captured, hidden) || hides(m.unit.Entry.Body[0]) || slices.ContainsFunc(m.unit.Known, func(d Definition) bool { return d.Stmt != nil && hides(d.Stmt) }) {
		return errNoUnit
	}
	return nil
}

// argTypes returns the values of names, with more values and ⍬ behind them, and their
// types. The error says that one has none.
func argTypes(f *Frame, names []string, more []*V) (types []ArgType, args []*V, err error) {
	args, ok := f.arrays(names)
	if !ok {
		return nil, nil, errNoUnit
	}
	args = append(append(args, more...), value.Integers(nil))
	for _, a := range args {
		t, ok := listType(a)
		if !ok {
			return nil, nil, errNoUnit
		}
		types = append(types, t)
	}
	return types, args, nil
}

// arraysOf returns the names of arrays that the body of a dfn refers to, but for hidden
// ones. The error is an Unfit where the names have no classes for which it can be read.
func arraysOf(body string, f *Frame) (names []string, err error) {
	const head = entryName + "←{"
	tree, err := apl.ParseWith(diag.NewSource("", head+body+"}"), f.classes())
	var list diag.List
	if errors.As(err, &list) {
		return nil, &Unfit{At: list[0].Span.Start - len(head), Result: -1}
	}
	if err != nil || len(tree.Body) != 1 {
		return nil, errNoUnit
	}
	def, ok := tree.Body[0].(*apl.FuncDef)
	if !ok {
		return nil, errNoUnit
	}
	for _, n := range apl.FreeNames(def.F).Free {
		if a, _ := f.lookup(n.Ident); !strings.HasPrefix(n.Ident, hiddenName) {
			if _, ok := a.(*V); ok {
				names = append(names, n.Ident)
			}
		}
	}
	return names, nil
}

// sectionUnit makes the unit of a version.
func (in *Interp) sectionUnit(v *sectionVersion, f *Frame, c *apl.Control) (*Unit, error) {
	body := f.trad.fn.node.Body
	t := &sectionText{in: in, frame: f, body: body}
	if err := t.assigned(c); err != nil {
		return nil, err
	}
	v.state = t.state
	if err := t.loop(c); err != nil {
		return nil, err
	}
	last := []string{hiddenName + "z"}
	if c.Word == apl.For {
		last = []string{hiddenName + "o1", hiddenName + "k1", hiddenName + "z"}
	}
	var err error
	if v.params, err = t.parameters(last); err != nil {
		return nil, err
	}
	names := strings.Join(append(slices.Clone(v.params), last...), " ")
	m, err := in.entryUnit(c.Span(), entryName+"←{("+names+")←⍵\n"+t.text.String()+t.strand()+"}", f, t.state)
	if err != nil {
		return nil, err
	}
	v.captured = m.capturedFrom(f)
	if v.args, _, err = argTypes(f, v.params, loopArgs(f, c)); err != nil {
		return nil, err
	}
	m.unit.Args, m.unit.Form = v.args, " "+c.Word.String()
	return m.unit, nil
}

// assigned finds the names that a loop assigns.
func (t *sectionText) assigned(c *apl.Control) error {
	add := func(name string) error {
		if strings.HasPrefix(name, "⎕") || strings.Contains(name, ".") || strings.HasPrefix(name, hiddenName) {
			return errNoUnit
		}
		if a, _ := t.frame.lookup(name); !slices.Contains(t.state, name) {
			if _, ok := a.(*V); !ok {
				return errNoUnit
			}
			t.state = append(t.state, name)
		}
		return nil
	}
	for i := c.Open(); i < c.End(); i++ {
		s, err := t.at(i)
		if err != nil {
			return err
		}
		switch s := s.(type) {
		case *apl.ExprStmt:
			for _, name := range assignedNames(s) {
				if err := add(name); err != nil {
					return err
				}
			}
		case *apl.Control:
			for _, n := range s.Names {
				if err := add(n.Ident); err != nil {
					return err
				}
			}
		}
	}
	slices.Sort(t.state)
	return nil
}

// parameters returns the names of arrays that the text refers to: those of the state and
// those that it only reads. The hidden names are arguments, too.
func (t *sectionText) parameters(hidden []string) ([]string, error) {
	names := strings.Join(append(slices.Clone(t.state), hidden...), " ")
	read, err := arraysOf("("+names+")←⍵\n"+t.text.String()+t.strand(), t.frame)
	return append(slices.Clone(t.state), read...), err
}
