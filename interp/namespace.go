package interp

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// space is a namespace in which functions run, and the one around it.
type space struct {
	frame  *Frame
	outer  *value.Namespace
	system spaceState // while no function of it runs
}

// frameOf returns the frame whose names are those of a namespace.
func (in *Interp) frameOf(n *value.Namespace) *Frame {
	if n == in.root {
		return in.global
	}
	return in.spaceOf(n, in.root).frame
}

// spaceOf returns what is known of a namespace, which is inside outer if it is new.
func (in *Interp) spaceOf(n, outer *value.Namespace) *space {
	s := in.spaces[n]
	if s == nil {
		if in.spaces == nil {
			in.spaces = map[*value.Namespace]*space{}
		}
		s = &space{&Frame{space: n}, outer, ownOf(&in.state)}
		in.spaces[n] = s
		in.apart = true
	}
	return s
}

// home returns the frame whose names are listed where f runs: in X.(…) those of the
// namespace only.
func (in *Interp) home(f *Frame) *Frame {
	if f.inside != nil {
		return f.inside
	}
	return f
}

// this returns the namespace that a frame belongs to.
func (in *Interp) this(f *Frame) *value.Namespace {
	for ; f != nil; f = f.parent {
		if a := f.trad; a != nil {
			f = a.globals
		}
		if f.inside != nil {
			f = f.inside
		}
		if f.space != nil {
			return f.space
		}
	}
	return in.root
}

// around returns the namespace around the one that a frame belongs to.
func (in *Interp) around(f *Frame) *value.Namespace {
	n := in.this(f)
	if n == in.root {
		return n
	}
	return in.spaceOf(n, in.root).outer
}

// specialSpace returns the reference that # ## ⎕THIS or ⎕SE is, in any case; nil for
// other names.
func (in *Interp) specialSpace(f *Frame, name string) *V {
	if strings.HasPrefix(name, "⎕") {
		name = strings.ToUpper(name)
	}
	switch name {
	case "#":
		return value.Reference(in.root)
	case "##":
		return value.Reference(in.around(f))
	case "⎕THIS":
		return value.Reference(in.this(f))
	case "⎕SE":
		if in.session == nil {
			in.session = value.NewNamespace("⎕SE")
		}
		return value.Reference(in.session)
	}
	return nil
}

// namespace runs the script of a namespace.
func (in *Interp) namespace(f *Frame, s *apl.NamespaceDef) error {
	n := in.newSpace(f, s.Name.Ident)
	f.scope(s.Name.Ident).set(s.Name.Ident, value.Reference(n))
	scripted(n, s)
	defer in.moveTo(in.moveTo(n))
	for _, x := range s.Body {
		if err := in.topLevel(in.frameOf(n), x); err != nil {
			return err
		}
	}
	return nil
}

// namespaceLit makes a namespace of array notation. Its arrays are evaluated around it,
// its functions run in it.
func (in *Interp) namespaceLit(f *Frame, x *apl.NamespaceLit) (*V, error) {
	n := in.newSpace(f, "")
	inner := in.frameOf(n)
	for _, m := range x.Members {
		if m.F != nil {
			fn, err := in.function(inner, m.F)
			if err != nil {
				return nil, err
			}
			inner.set(m.Name.Ident, fn)
			continue
		}
		v, err := in.need(f, m.X)
		if err != nil {
			return nil, err
		}
		inner.set(m.Name.Ident, v)
	}
	in.shy = false
	return value.Reference(n), nil
}

// newSpace returns a namespace inside that of a frame.
func (in *Interp) newSpace(f *Frame, name string) *value.Namespace {
	outer := in.this(f)
	if k := strings.LastIndexByte(name, '.'); k >= 0 {
		if a, ok := in.held(f, name[:k]).(*V); ok {
			if n, ok := a.Ref.(*value.Namespace); ok {
				outer, name = n, name[k+1:]
			}
		}
	}
	title := outer.Path() + "." + name
	if name == "" {
		title = ""
		if outer != in.root {
			title = outer.Path() + ".[Namespace]"
		}
	}
	n := value.NewNamespace(title)
	in.spaceOf(n, outer)
	return n
}

// held returns the value that a name, or a path of names and dots, has in a frame; nil
// if there is none.
func (in *Interp) held(f *Frame, name string) any {
	first, rest, dotted := strings.Cut(name, ".")
	var v any
	if ref := in.specialSpace(f, first); ref != nil {
		v = ref
	} else if c := f.call(); c != nil && (first == "⍵" || first == "⍺") {
		if v = c.omega; first == "⍺" {
			v = c.alpha
		}
	} else {
		v = in.find(f, first)
	}
	for dotted {
		a, ok := v.(*V)
		if !ok || a == nil {
			return nil
		}
		n, ok := a.Ref.(*value.Namespace)
		if !ok {
			return nil
		}
		first, rest, dotted = strings.Cut(rest, ".")
		v = in.frameOf(n).own(first)
	}
	if a, ok := v.(*V); ok && a == nil {
		return nil
	}
	return v
}

// setPath gives the name at the end of a path a value.
func (in *Interp) setPath(f *Frame, path string, v any) bool {
	k := strings.LastIndexByte(path, '.')
	if k < 0 {
		f.scope(path).set(path, v)
		return true
	}
	a, ok := in.held(f, path[:k]).(*V)
	if !ok {
		return false
	}
	n, ok := a.Ref.(*value.Namespace)
	if ok {
		in.frameOf(n).set(path[k+1:], v)
	}
	return ok
}

// setMember gives a name at the end of a path a function, in which the names of the
// namespace hide others.
func (in *Interp) setMember(f *Frame, path string, v any) {
	if a, ok := in.held(f, path[:strings.LastIndexByte(path, '.')]).(*V); ok {
		if n, ok := a.Ref.(*value.Namespace); ok && n != in.root {
			switch c := v.(type) {
			case *closure:
				inner := *c
				inner.frame = &Frame{parent: c.frame, space: n}
				v = &inner
			case *dop:
				v = &dop{node: c.node, frame: &Frame{parent: c.frame, space: n}, note: c.note}
			}
		}
	}
	in.setPath(f, path, v)
}

// spaceNamed returns the namespace that an array refers to or names.
func (in *Interp) spaceNamed(f *Frame, v *V) (*value.Namespace, error) {
	if n, ok := v.Ref.(*value.Namespace); ok {
		return n, nil
	}
	if v.Len() == 1 && v.Kind == value.Mixed {
		if n, ok := v.Items[0].Ref.(*value.Namespace); ok {
			return n, nil
		}
	}
	name, err := prim.TextOf(v, "the name of a namespace")
	if err != nil {
		return nil, err
	}
	if a, ok := in.held(f, strings.TrimSpace(name)).(*V); ok {
		if n, ok := a.Ref.(*value.Namespace); ok {
			return n, nil
		}
	}
	return nil, prim.Errorf(diag.WrongDomain, "%s is no namespace", name)
}

// one evaluates what must refer to one namespace.
func (in *Interp) one(f *Frame, x apl.Expr) (*value.Namespace, error) {
	v, err := in.need(f, x)
	if err != nil {
		return nil, err
	}
	n, ok := v.Ref.(*value.Namespace)
	if !ok {
		return nil, in.fault(x, diag.Unreadable, "%s is no namespace", x.Span().Text())
	}
	return n, nil
}

// memberFunction is X.name of function class, in the namespace, or in each of those, that
// X refers to.
func (in *Interp) memberFunction(f *Frame, x *apl.MemberFunc) (Function, error) {
	v, err := in.need(f, x.X)
	if err != nil {
		return nil, err
	}
	of := func(n *value.Namespace) (Function, error) { return in.functionIn(f, n, x) }
	if n, ok := v.Ref.(*value.Namespace); ok {
		return of(n)
	}
	if v.Ref != nil || v.Kind != value.Mixed {
		return nil, in.fault(x.X, diag.Unreadable, "%s is no namespace", x.X.Span().Text())
	}
	return &distributed{v, of}, nil
}

// functionIn returns the function that a name, or an expression, is in a namespace.
func (in *Interp) functionIn(f *Frame, n *value.Namespace, x *apl.MemberFunc) (Function, error) {
	if x.Name[0] == '(' || x.Name[0] == '{' {
		inner := in.insideOf(f, n)
		body, err := in.bodyIn(inner, x.Name)
		if err != nil {
			return nil, err
		}
		if d, ok := body.(*apl.Display); ok && d.F != nil {
			return in.function(inner, d.F)
		}
		return nil, in.fault(x, diag.WrongClass, "%s is not a function", x.Name)
	}
	if systemName(x.Name) {
		return &system{strings.ToUpper(x.Name), in.frameOf(n)}, nil
	}
	if g := apl.LookupGlyph(x.Name); g != nil {
		return in.primitive(in.frameOf(n), &apl.Prim{At: x.At, Glyph: g.Glyph}), nil
	}
	switch v := in.frameOf(n).own(x.Name).(type) {
	case Function:
		return v, nil
	case nil:
		return nil, in.fault(x, diag.NoValue, "%s has no value in the namespace", x.Name)
	}
	return nil, in.fault(x, diag.WrongClass, "%s is not a function", x.Name)
}

// bodyIn reads a text that is one statement, for a frame to run.
func (in *Interp) bodyIn(f *Frame, text string) (apl.Stmt, error) {
	around := surroundings(f)
	around.Alone = true
	prog, err := apl.ParseIn(diag.NewSource("⍎", text), around)
	if err != nil || len(prog.Body) != 1 {
		return nil, err
	}
	if l, ok := prog.Body[0].(*apl.Loose); ok {
		return in.reading(f, l)
	}
	return prog.Body[0], nil
}

func (in *Interp) memberOperator(f *Frame, x *apl.MemberOp) (Operator, error) {
	n, err := in.one(f, x.X)
	if err != nil {
		return nil, err
	}
	if x.Name[0] == '{' {
		inner := in.insideOf(f, n)
		body, err := in.bodyIn(inner, x.Name)
		if err != nil {
			return nil, err
		}
		if d, ok := body.(*apl.Display); ok && d.Op != nil {
			return in.operator(inner, d.Op)
		}
	}
	if op, ok := in.frameOf(n).own(x.Name).(Operator); ok {
		return op, nil
	}
	return nil, in.fault(x, diag.NoValue, "%s has no value in the namespace", x.Name)
}

// systemMember is X.⎕name of a system variable.
func (in *Interp) systemMember(n *value.Namespace, x *apl.Member) (*V, error) {
	defer in.moveTo(in.moveTo(n))
	return in.variable(in.frameOf(n), &apl.Var{At: x.At, Ident: strings.ToUpper(x.Name)})
}

// makeSpace is ⎕NS: a namespace with copies of names, or names copied into one.
func makeSpace(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x == nil {
		n := in.newSpace(f, "")
		if err := in.copyNames(f, n, y); err != nil {
			return nil, err
		}
		return value.Reference(n), nil
	}
	if x.Kind == value.Mixed && x.Ref == nil { // several
		return collect(x.Shape, x.Len(), func(i int) (*V, error) { return makeSpace(in, f, x.Item(i), y) })
	}
	n, _ := x.Ref.(*value.Namespace)
	if n == nil {
		name, err := prim.TextOf(x, "the name of a namespace")
		if err != nil {
			return nil, err
		}
		name = strings.TrimSpace(name)
		if name == "" {
			n = in.this(f)
		} else if a, ok := in.held(f, name).(*V); ok {
			n, _ = a.Ref.(*value.Namespace)
		}
		if n == nil {
			if n, err = in.makePath(f, name); err != nil {
				return nil, err
			}
		}
	}
	if err := in.copyNames(f, n, y); err != nil {
		return nil, err
	}
	in.hide = true
	return value.Text(n.Path()), nil
}

// makePath makes the namespace of a name, or of a path, and those on the path that do
// not exist.
func (in *Interp) makePath(f *Frame, path string) (*value.Namespace, error) {
	if k := strings.LastIndexByte(path, '.'); k > 0 && in.held(f, path[:k]) == nil {
		if _, err := in.makePath(f, path[:k]); err != nil {
			return nil, err
		}
	}
	name := path[strings.LastIndexByte(path, '.')+1:]
	n := in.newSpace(f, path)
	if !apl.IsName(name) || !in.setPath(f, path, value.Reference(n)) {
		return nil, prim.Errorf(diag.WrongDomain, "%s cannot be a namespace", path)
	}
	return n, nil
}

// copyNames copies what names stand for, or the names of a namespace, into another.
func (in *Interp) copyNames(f *Frame, to *value.Namespace, y *V) error {
	if from, ok := y.Ref.(*value.Namespace); ok {
		for _, b := range in.frameOf(from).bindings() {
			in.copyInto(to, b.name, b.value)
		}
		return nil
	}
	if y.Ref != nil {
		return prim.Errorf(diag.WrongDomain, "the names of what is no namespace")
	}
	if y.Kind == value.Mixed && y.Len() > 0 && y.Items[0].Ref != nil { // each of several
		for _, v := range y.AllItems() {
			if err := in.copyNames(f, to, v); err != nil {
				return err
			}
		}
		return nil
	}
	names, err := nameList(y)
	if err != nil {
		return err
	}
	for _, name := range names {
		v := in.held(f, name)
		if v == nil {
			return prim.Errorf(diag.NoValue, "%s has no value here", name)
		}
		in.copyInto(to, name[strings.LastIndexByte(name, '.')+1:], v)
	}
	return nil
}

// copyInto gives a name in a namespace a value; functions run there.
func (in *Interp) copyInto(to *value.Namespace, name string, v any) {
	frame := in.frameOf(to)
	switch fn := v.(type) {
	case *closure:
		c := *fn
		c.frame = frame
		v = &c
	case *dop:
		v = &dop{node: fn.node, frame: frame, note: fn.note}
	case *tradfn:
		v = fn.in(frame)
	case *niladic:
		v = &niladic{fn.fn.in(frame)}
	case *tradOp:
		v = &tradOp{fn.fn.in(frame)}
	}
	frame.set(name, v)
}

// in returns the function as it is in another namespace.
func (t *tradfn) in(frame *Frame) *tradfn {
	c := *t
	c.space = frame
	return &c
}

// nameList returns the names in a text, separated by blanks, in the rows of a matrix, or
// in the items of a vector.
func nameList(y *V) ([]string, error) {
	var texts []*V
	switch {
	case y.Kind == value.Mixed:
		texts = y.AllItems()
	case y.Rank() == 2:
		for i := range y.Shape[0] {
			texts = append(texts, y.Major(i))
		}
	default:
		texts = []*V{y}
	}
	var out []string
	for _, v := range texts {
		s, err := prim.TextOf(v, "a name")
		if err != nil {
			return nil, err
		}
		out = append(out, strings.Fields(s)...)
	}
	return out, nil
}
