package interp

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// member evaluates X.name or X.(…) in the namespace, or in each of the namespaces,
// that X refers to.
func (in *Interp) member(f *Frame, x *apl.Member) (*V, error) {
	if x == in.traced.member {
		return in.traced.value, nil
	}
	v, err := in.need(f, x.X)
	if err != nil {
		return nil, err
	}
	in.shy = false
	return in.spread(x.X, v, func(ref *V) (*V, error) { return in.memberOf(f, x, ref) })
}

// spread applies a function to a reference, or to each of those in an array of any depth.
func (in *Interp) spread(n apl.Node, v *V, do func(ref *V) (*V, error)) (*V, error) {
	switch {
	case v.Ref != nil:
		return do(v)
	case v.Kind != value.Mixed:
		return nil, in.fault(n, diag.Unreadable, "%s is no namespace", n.Span().Text())
	case v.Len() == 0:
		return value.Empty(v.Shape, value.Zilde()), nil
	}
	return collect(v.Shape, v.Len(), func(i int) (*V, error) { return in.spread(n, v.Item(i), do) })
}

// memberOf evaluates a name or an expression in one namespace.
func (in *Interp) memberOf(f *Frame, x *apl.Member, v *V) (*V, error) {
	space, ok := v.Ref.(*value.Namespace)
	if !ok {
		return nil, in.fault(x.X, diag.Unreadable, "%s is no namespace", x.X.Span().Text())
	}
	if x.Name[0] == '(' {
		v, err := in.inParentheses(f, x.Name, space)
		switch {
		case err != nil:
			return nil, called(err, x, x, "the expression in the namespace")
		case v == nil:
			return nil, in.noValue(x)
		}
		return v, nil
	}
	if x.Name == "##" {
		return value.Reference(in.around(in.frameOf(space))), nil
	}
	if systemName(x.Name) {
		return in.systemMember(space, x)
	}
	switch v := in.frameOf(space).own(x.Name).(type) {
	case *V:
		return v, nil
	case *niladic:
		return in.apply(x, nil, nil, nil, v.fn, nil, nil)
	case nil:
		return nil, in.fault(x, diag.NoValue, "%s has no value in the namespace", x.Name)
	}
	return nil, in.fault(x, diag.WrongClass, "%s is not an array", x.Name)
}

// inside evaluates an expression in a namespace. Names that it assigns are the
// namespace's.
func (in *Interp) inside(f *Frame, text string, space *value.Namespace) (*V, error) {
	return in.execute(in.insideOf(f, space), text)
}

// insideOf returns the frame of what runs in a namespace: it sees the names of that
// only, and ⍺ ⍵ and their like of the function that f belongs to.
func (in *Interp) insideOf(f *Frame, space *value.Namespace) *Frame {
	return &Frame{parent: f, inside: in.frameOf(space)}
}

// inParentheses evaluates an expression in parentheses in a namespace. The value of an
// assignment is not displayed.
func (in *Interp) inParentheses(f *Frame, text string, space *value.Namespace) (*V, error) {
	inner := in.insideOf(f, space)
	prog, err := apl.ParseIn(diag.NewSource("⍎", text), surroundings(inner))
	if err != nil {
		return nil, err
	}
	for _, s := range prog.Body {
		if l, ok := s.(*apl.Loose); ok {
			s = l.Stmt
		}
		switch s := s.(type) {
		case *apl.ExprStmt:
			if x, ok := s.X.(*apl.Paren); ok { // what is shy inside is shy
				s.X = x.X
				_, s.Silent = x.X.(*apl.Assign)
			}
		case *apl.Display, *apl.FuncDef, *apl.OperatorDef:
			return in.definedInside(inner, s)
		}
	}
	return in.executed(inner, prog)
}

// definedInside is X.(f←…): it gives a name in the namespace a function or an operator.
// Its value, which nobody sees, is empty.
func (in *Interp) definedInside(f *Frame, s apl.Stmt) (*V, error) {
	var err error
	if d, ok := s.(*apl.Display); !ok {
		err = in.define(f, s)
	} else if x, ok := plain(d.F).(*apl.FuncAssign); ok {
		_, err = in.assignFunction(f, x)
	} else {
		err = in.fault(s, diag.NoRightArgument, "a function without an argument")
	}
	in.shy = true
	return value.Zilde(), err
}

// namespaceOf returns the namespace that an array refers to, or names.
func namespaceOf(f *Frame, x *V) (*value.Namespace, error) {
	if x.Kind == value.Char {
		v, _ := f.lookup(string(x.Chars))
		if a, ok := v.(*V); ok {
			x = a
		}
	}
	if space, ok := x.Ref.(*value.Namespace); ok {
		return space, nil
	}
	return nil, prim.Errorf(diag.WrongDomain, "the left argument of ⍎ is no namespace")
}

// storeMember is X.name←y, in one namespace, or in each of several, which take the items
// of y.
func (in *Interp) storeMember(f *Frame, t *apl.MemberTarget, fn Function, y *V) error {
	v, err := in.need(f, t.X)
	if err != nil {
		return err
	}
	return in.storeSpread(f, t, fn, v, y)
}

func (in *Interp) storeSpread(f *Frame, t *apl.MemberTarget, fn Function, v, y *V) error {
	if space, ok := v.Ref.(*value.Namespace); ok {
		return in.storeInSpace(f, t, fn, space, y)
	}
	if v.Ref != nil || v.Kind != value.Mixed {
		return in.fault(t.X, diag.Unreadable, "%s is no namespace", t.X.Span().Text())
	}
	n := v.Len()
	if y.Len() != 1 && y.Len() != n {
		return in.fault(t, diag.WrongLength, "%d values for %d namespaces", y.Len(), n)
	}
	for i := range n {
		if err := in.storeSpread(f, t, fn, v.Item(i), y.Item(min(i, y.Len()-1))); err != nil {
			return err
		}
	}
	return nil
}

// storeInSpace is the assignment in one namespace.
func (in *Interp) storeInSpace(f *Frame, t *apl.MemberTarget, fn Function, space *value.Namespace, y *V) error {
	where := in.frameOf(space)
	if name := strings.ToUpper(t.Name); t.Names == nil && t.Items == nil && systemName(name) {
		defer in.moveTo(in.moveTo(space))
		return in.store(where, &apl.NameTarget{At: t.At, Ident: name}, fn, y)
	}
	switch {
	case t.Names != nil:
		return in.storeStrand(in.insideOf(f, space), t.Names, fn, y)
	case t.Items != nil:
		return in.storeElement(f, where, &apl.IndexTarget{At: t.At, Ident: t.Name, Items: t.Items}, fn, y)
	case fn != nil:
		if in.appended(where, t.Name, where.held(t.Name), fn, y) {
			return nil
		}
		old, ok := where.own(t.Name).(*V)
		if !ok {
			return in.fault(t, diag.NoValue, "%s has no value in the namespace", t.Name)
		}
		var err error
		if y, err = value1(fn.Call(in, old, y)); err != nil {
			return at(err, t, nil, nil)
		}
	}
	where.set(t.Name, y)
	return nil
}

// distributed is a name of function class in each of several namespaces: the items of
// the arguments go to one of them each.
type distributed struct {
	refs *V
	of   func(space *value.Namespace) (Function, error)
}

func (d *distributed) Call(in *Interp, x, y *V) (*V, error) { return d.call(in, d.refs, x, y) }

func (d *distributed) call(in *Interp, refs, x, y *V) (*V, error) {
	if space, ok := refs.Ref.(*value.Namespace); ok {
		fn, err := d.of(space)
		if err != nil {
			return nil, err
		}
		return fn.Call(in, x, y)
	}
	if refs.Ref != nil || refs.Kind != value.Mixed {
		return nil, prim.Errorf(diag.Unreadable, "a function of what is no namespace")
	}
	n := refs.Len()
	for _, a := range []*V{x, y} {
		if a != nil && a.Len() != 1 && a.Len() != n {
			return nil, prim.Errorf(diag.WrongLength, "%d items for %d namespaces", a.Len(), n)
		}
	}
	return collect(refs.Shape, n, func(i int) (*V, error) {
		var l *V
		if x != nil {
			l = x.Item(min(i, x.Len()-1))
		}
		return d.call(in, refs.Item(i), l, y.Item(min(i, y.Len()-1)))
	})
}
