package interp

import (
	"errors"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/structured"
)

// Compiler compiles functions of a program while it runs.
type Compiler interface {
	// Compile returns the function of a unit. It has no type, has effects, or cannot be
	// compiled where there is an error, an Unfit where it is known for what.
	Compile(u *Unit) (Compiled, error)
	// Ahead returns where those statements end that were compiled before the program runs and
	// begin at a place of its text; ok is false where there are none.
	Ahead(from int) (s Stretch, ok bool)
}

// Stretch is statements of a program that are compiled together. Scalars says that those that
// they read are arguments, and no constants.
type Stretch struct {
	From, To int // in the text
	Scalars  bool
}

// Unfit says for what a unit cannot be compiled.
type Unfit struct {
	At     int // the place in the text of the unit's entry
	Result int // or the number of a result, from 0; else -1
}

func (*Unfit) Error() string { return errNoUnit.Error() }

// Compiled is a function compiled for arguments of certain element types and ranks.
type Compiled interface {
	// CallAll is Call for a unit of Args, which gives several arrays.
	CallAll(args []*V) (results []*V, ok bool)
	// Call calls the function; x is nil where it takes one argument. ok is false where
	// only the interpreter knows the answer: there was a fault, or the number types of
	// the result depend on values. Nothing else has happened then.
	Call(x, y *V) (r *V, ok bool)
	// Level says how fast the function is by now: 1 evaluated, 2 compiled, 3 compiled
	// and optimised. It grows while compilers run in the background.
	Level() int
}

// Unit is a function of a running program with all that it refers to.
type Unit struct {
	Known []Definition // in the order in which they are to be defined
	Entry *apl.Program // its only statement defines the function
	// Left and Right are the types of the arguments; the kind of Left is NoKind where
	// there is one argument.
	Left, Right ArgType
	// Args, where there are some, are those of a strand of arrays, which is the only
	// argument, in place of Left and Right. The result is a strand of arrays, too, whose
	// last item means nothing.
	Args []ArgType
	Once bool // it is called once, so that it may depend on what it refers to
	// Scalars says of statements that the scalars which they read are arguments.
	Scalars bool
	Where   diag.Span // the dfn
	Form    string    // how the dfn is applied, as ¨, or ""
}

// Definition is a name that a function refers to: an array, or a statement that defines
// a function or an operator, or sets a system variable.
type Definition struct {
	Name  string
	Value *V
	Stmt  apl.Stmt
}

// capturedName is what a name meant when a function was compiled.
type capturedName struct {
	frame *Frame // from which it is looked up; nil for that of the function itself
	name  string
	value any
}

// errNoUnit is the error of functions that are not compiled: they change variables, or
// are made of parts that have no static form.
var errNoUnit = errors.New("the function is only interpreted")

// unitMaker collects what a function refers to.
type unitMaker struct {
	in       *Interp
	unit     *Unit
	self     any // what the function itself is made of
	names    map[string]any
	captured []capturedName
	hidden   int
	// dynamic says that names mean what they mean where the function is called. Then reads are
	// those that functions with headers read, and locals those that they make local.
	dynamic       bool
	reads, locals map[string]bool
}

// maxDefinitions bounds what a unit may refer to.
const maxDefinitions = 64

// entryName is the name of a unit's function; hidden names begin with it.
const entryName = "∆∆entry"

// unit returns the unit of a dfn, applied by the operators of a form, such as ¨.
func (in *Interp) unit(c *closure, form string, x, y *V) (u *Unit, captured []capturedName, err error) {
	m, err := in.unitMaker(c.node.Span(), x, y)
	if err != nil {
		return nil, nil, err
	}
	m.unit.Form = form
	if m.self = c; c.op != nil {
		m.self = c.op
	}
	text, err := m.closure(c)
	if err != nil {
		return nil, nil, err
	}
	name := strings.Trim(text, "()")
	if form == "" && c.op == nil { // the dfn itself, which calls itself by ∇
		for i, d := range m.unit.Known {
			if def, ok := d.Stmt.(*apl.FuncDef); ok && d.Name == name {
				m.unit.Known = append(m.unit.Known[:i:i], m.unit.Known[i+1:]...)
				m.unit.Entry = &apl.Program{Source: def.Span().Src, Body: []apl.Stmt{def}}
				return m.unit, m.captured, nil
			}
		}
	}
	return m.unit, m.captured, m.enter(text+form, x != nil)
}

// unitMaker returns what makes a unit for arguments, in which nothing is defined but
// ⎕IO.
func (in *Interp) unitMaker(where diag.Span, x, y *V) (*unitMaker, error) {
	m := &unitMaker{in: in, unit: &Unit{Where: where}, names: map[string]any{}}
	m.unit.Left, _ = argType(x)
	m.unit.Right, _ = argType(y)
	if in.state.Origin == 0 {
		return m, m.define("⎕IO", "⎕IO←0", nil, nil)
	}
	return m, nil
}

// enter makes the function of a text the unit's.
func (m *unitMaker) enter(text string, dyadic bool) (err error) {
	left := ""
	if dyadic {
		left = "⍺ "
	}
	body := entryName + "←{" + left + text + "⍵}"
	m.unit.Entry, err = apl.ParseWith(diag.NewSource(m.unit.Where.Src.Name, body), m.classes())
	return err
}

// classes returns the classes of the names that are defined so far.
func (m *unitMaker) classes() map[string]apl.Class {
	out := map[string]apl.Class{}
	for name, v := range m.names {
		out[name] = classOf(v)
	}
	return out
}

// define adds a definition whose names mean what they mean in a frame.
func (m *unitMaker) define(name, text string, f *Frame, v any) error {
	if len(m.unit.Known) >= maxDefinitions {
		return errNoUnit
	}
	var classes map[string]apl.Class
	if f != nil {
		classes = f.classes()
	}
	tree, err := apl.ParseWith(diag.NewSource(m.unit.Where.Src.Name, text), classes)
	if err != nil || len(tree.Dynamic()) > 0 || len(tree.Body) != 1 || endsShy(tree.Body[0]) {
		return errNoUnit
	}
	if v != nil {
		m.names[name] = v
	}
	if err := m.capture(tree.Body[0], f, v != nil && v == m.self); err != nil {
		return err
	}
	m.unit.Known = append(m.unit.Known, Definition{Name: name, Stmt: tree.Body[0]})
	return nil
}

// capture adds the names that a definition refers to; own says that it is the function
// itself. The error is an Unfit for a name.
func (m *unitMaker) capture(s apl.Stmt, f *Frame, own bool) error {
	var n apl.Node
	switch s := s.(type) {
	case *apl.FuncDef:
		n = s.F
	case *apl.OperatorDef:
		n = s.Op
	default:
		return nil
	}
	for _, free := range apl.FreeNames(n).Free {
		unfit := &Unfit{At: free.Where.Start, Result: -1}
		if free.Modified {
			return unfit
		}
		v, _ := f.lookup(free.Ident)
		if old, ok := m.names[free.Ident]; ok && old == v && v != nil {
			continue
		} else if ok || v == nil || strings.Contains(free.Ident, ".") {
			return unfit
		}
		from := f
		if own {
			from = nil
		}
		m.captured = append(m.captured, capturedName{from, free.Ident, v})
		if t, ok := v.(*tradfn); ok && m.dynamic {
			if err := m.header(free.Ident, t, f); err != nil {
				return unfit
			}
		} else if err := m.value(free.Ident, v); err != nil {
			return unfit
		}
	}
	return nil
}

// header defines a function with a header, that is called where the names of a frame are seen, as
// a dfn.
func (m *unitMaker) header(name string, t *tradfn, f *Frame) error {
	if m.in.elsewhere(t.space) || t.node.Header.LeftOperand != nil || t.lock != 0 || len(t.names.system) > 0 || len(m.unit.Known) >= maxDefinitions {
		return errNoUnit
	}
	def := structured.Function(t.node)
	if def == nil || def.Name.Ident != name {
		return errNoUnit
	}
	m.names[name] = t
	for _, n := range apl.FreeNames(def.F).Free {
		m.reads[n.Ident] = true
	}
	for _, n := range structured.Locals(t.node) {
		m.locals[n] = true
	}
	if err := m.capture(def, f, false); err != nil {
		return err
	}
	m.unit.Known = append(m.unit.Known, Definition{Name: name, Stmt: def})
	return nil
}

// value defines a name by its value.
func (m *unitMaker) value(name string, v any) error {
	switch v := v.(type) {
	case *V:
		if _, ok := argType(v); !ok {
			return errNoUnit
		}
		m.names[name] = v
		m.unit.Known = append(m.unit.Known, Definition{Name: name, Value: v})
		return nil
	case *closure:
		if m.in.elsewhere(v.frame) {
			return errNoUnit
		}
		if v.note != nil && claimsNested(v.note.Text) { // of which compiled code tests nothing
			return errNoUnit
		}
		if v.op == nil {
			return m.define(name, name+"←"+m.annotated(v.node, v.note, v), v.frame, v)
		}
	case *dop:
		if m.in.elsewhere(v.frame) {
			return errNoUnit
		}
		return m.define(name, name+"←"+m.annotated(v.node, v.note, v), v.frame, v)
	}
	fn, ok := v.(Function)
	if !ok {
		return errNoUnit
	}
	text, err := m.function(fn)
	if err != nil {
		return err
	}
	m.names[name] = v
	tree, err := apl.ParseWith(diag.NewSource(m.unit.Where.Src.Name, name+"←"+text), m.classes())
	if err != nil || len(tree.Dynamic()) > 0 || len(tree.Body) != 1 {
		return errNoUnit
	}
	m.unit.Known = append(m.unit.Known, Definition{Name: name, Stmt: tree.Body[0]})
	return nil
}

// source returns the text of a dfn or a dop.
func source(n apl.Node) string { return n.Span().Text() }

// annotated returns the text of a dfn or a dop with its annotation: what that says of a
// function is tested where the function is called from others.
func (m *unitMaker) annotated(n apl.Node, note *apl.Annotation, v any) string {
	text := source(n)
	if note == nil || v == m.self || strings.Contains(text, note.Text) {
		return text
	}
	return text + " ⍝: " + note.Text
}

// claimsNested reports whether an annotation says something of a nested array.
func claimsNested(note string) bool {
	return strings.Contains(note, "(") || strings.Contains(note, "[") && strings.Contains(note[strings.Index(note, "["):], "<")
}

// hide defines a name that the program does not have, and returns it.
func (m *unitMaker) hide(v any) (string, error) {
	for name, old := range m.names {
		if old == v && strings.HasPrefix(name, entryName) {
			return name, nil
		}
	}
	m.hidden++
	name := entryName + string(rune('a'+m.hidden%26)) + strings.Repeat("x", m.hidden/26)
	return name, m.value(name, v)
}

// closure returns a text for a dfn, or an operator with its operands.
func (m *unitMaker) closure(c *closure) (string, error) {
	if c.op == nil {
		name, err := m.hide(c)
		return "(" + name + ")", err
	}
	left, err := m.operand(c.left)
	if err != nil {
		return "", err
	}
	op, err := m.hide(c.op)
	if err != nil {
		return "", err
	}
	right := ""
	if c.op.node.DyadicOperator {
		if right, err = m.operand(c.right); err != nil {
			return "", err
		}
	}
	return "(" + left + " " + op + " " + right + ")", nil
}

// operand returns a text for an operand.
func (m *unitMaker) operand(v any) (string, error) {
	if fn, ok := v.(Function); ok {
		return m.function(fn)
	}
	a, ok := v.(*V)
	if !ok {
		return "", errNoUnit
	}
	return m.hide(a)
}

// function returns a text, in parentheses where needed, for a function.
func (m *unitMaker) function(fn Function) (string, error) {
	switch fn := fn.(type) {
	case *primitive:
		if strings.HasPrefix(fn.glyph, "⎕") {
			return "", errNoUnit
		}
		return fn.glyph, nil
	case *closure:
		return m.closure(fn)
	case *each:
		return m.postfix(fn.f, "¨")
	case *commute:
		return m.postfix(fn.f, "⍨")
	case *outer:
		text, err := m.function(fn.f)
		return "(∘." + text + ")", err
	case *reduction:
		return m.folded(fn.f, fn.axis, fn.plain, foldGlyph(fn.first, "/", "⌿"))
	case *scan:
		return m.folded(fn.f, fn.axis, false, foldGlyph(fn.first, "\\", "⍀"))
	case *atop:
		return m.joined(" ", fn.g, fn.h)
	case *beside:
		return m.joined("∘", fn.f, fn.g)
	case *over:
		return m.joined("⍥", fn.f, fn.g)
	case *inner:
		return m.joined(".", fn.f, fn.g)
	case *bindLeft:
		return m.joined("∘", fn.a, fn.g)
	case *bindRight:
		return m.joined("∘", fn.f, fn.a)
	case *fork:
		return m.joined(" ", fn.f, fn.g, fn.h)
	}
	return "", errNoUnit
}

func (m *unitMaker) postfix(f Function, op string) (string, error) {
	text, err := m.function(f)
	return "(" + text + op + ")", err
}

// folded returns a text for a reduction or a scan.
func (m *unitMaker) folded(f Function, axis *V, plain bool, glyph string) (string, error) {
	if axis != nil || plain {
		return "", errNoUnit
	}
	return m.postfix(f, glyph)
}

// joined returns a text for operands with something between them.
func (m *unitMaker) joined(between string, parts ...any) (string, error) {
	texts := make([]string, len(parts))
	for i, p := range parts {
		var err error
		if texts[i], err = m.operand(p); err != nil {
			return "", err
		}
	}
	return "(" + strings.Join(texts, between) + ")", nil
}

// endsShy reports whether the function of a definition, or one that it defines, may end
// with an assignment, so that its result is not displayed.
func endsShy(s apl.Stmt) bool {
	switch s := s.(type) {
	case *apl.FuncDef:
		return shyFunc(s.F)
	case *apl.OperatorDef:
		d, ok := s.Op.(*apl.Dop)
		return ok && shyBody(d.Body)
	}
	return false
}

func shyBody(body []apl.Stmt) bool {
	for i, s := range body {
		switch s := s.(type) {
		case *apl.ExprStmt:
			if shyExpr(s.X) || i == len(body)-1 && s.Silent {
				return true
			}
		case *apl.Guard:
			if s.Silent || shyExpr(s.Result) || i == len(body)-1 {
				return true
			}
		case *apl.FuncDef, *apl.OperatorDef:
			if i == len(body)-1 || endsShy(s) {
				return true
			}
		case *apl.DefaultLeft:
			if s.Func != nil || i == len(body)-1 {
				return true
			}
		default:
			return true
		}
	}
	return len(body) == 0
}

// shyExpr reports whether the function that an expression applies last may be shy.
func shyExpr(x apl.Expr) bool {
	switch x := x.(type) {
	case *apl.Monadic:
		return shyFunc(x.F)
	case *apl.Dyadic:
		return shyFunc(x.F)
	}
	return false
}

func shyFunc(f apl.Func) bool {
	switch f := f.(type) {
	case *apl.Prim:
		return f.Glyph == "⎕SIGNAL"
	case *apl.Dfn:
		return shyBody(f.Body)
	case *apl.ParenFunc:
		return shyFunc(f.F)
	case *apl.Derived:
		if d, ok := f.Op.(*apl.Dop); ok && shyBody(d.Body) {
			return true
		}
		return f.Left.Func != nil && shyFunc(f.Left.Func) || f.Right.Func != nil && shyFunc(f.Right.Func)
	case *apl.Atop:
		return shyFunc(f.F) || shyFunc(f.G)
	case *apl.Fork:
		return shyFunc(f.G)
	case *apl.FuncAssign:
		return true
	}
	return false
}
