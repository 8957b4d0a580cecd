package interp

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// member evaluates X.name or X.(…) in the namespace, or in each of the namespaces,
// that X refers to.
func (in *Interp) member(f *Frame, x *apl.Member) (*V, error) {
	v, err := in.need(f, x.X)
	if err != nil {
		return nil, err
	}
	in.shy = false
	if v.Ref != nil || v.Len() == 0 && v.Rank() == 0 {
		return in.memberOf(f, x, v)
	}
	if v.Len() == 0 {
		return value.Empty(v.Shape, value.Zilde()), nil
	}
	return collect(v.Shape, v.Len(), func(i int) (*V, error) {
		item := v.Item(i)
		if item.Ref == nil && item.Kind == value.Mixed {
			return collect(item.Shape, item.Len(), func(k int) (*V, error) { return in.memberOf(f, x, item.Item(k)) })
		}
		return in.memberOf(f, x, item)
	})
}

// memberOf evaluates a name or an expression in one namespace.
func (in *Interp) memberOf(f *Frame, x *apl.Member, v *V) (*V, error) {
	space, ok := v.Ref.(*value.Namespace)
	if !ok {
		return nil, in.fault(x.X, diag.Syntax, "%s is no namespace", x.X.Span().Text())
	}
	if x.Name[0] == '(' {
		v, err := in.inParentheses(f, x.Name, space)
		switch {
		case err != nil:
			return nil, called(err, x, "the expression in the namespace")
		case v == nil:
			return nil, in.noValue(x)
		}
		return v, nil
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
		return nil, in.fault(x, diag.Value, "%s has no value in the namespace", x.Name)
	}
	return nil, in.fault(x, diag.Syntax, "%s is not an array", x.Name)
}

// inside evaluates an expression in a namespace, whose names hide others. Names that
// it assigns are the namespace's.
func (in *Interp) inside(f *Frame, text string, space *value.Namespace) (*V, error) {
	return in.execute(in.insideOf(f, space), text)
}

// insideOf returns the frame of what runs in a namespace, whose names hide those of f.
func (in *Interp) insideOf(f *Frame, space *value.Namespace) *Frame {
	if space == in.root {
		return in.global
	}
	return &Frame{parent: f, space: space}
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
		if s, ok := s.(*apl.ExprStmt); ok {
			if x, ok := s.X.(*apl.Paren); ok {
				_, s.Silent = x.X.(*apl.Assign)
			}
		}
	}
	return in.executed(inner, prog)
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
	return nil, prim.Errorf(diag.Domain, "the left argument of ⍎ is no namespace")
}

// storeMember is X.name←y, in one namespace, or in each of several.
func (in *Interp) storeMember(f *Frame, t *apl.MemberTarget, fn Function, y *V) error {
	v, err := in.need(f, t.X)
	if err != nil {
		return err
	}
	spaces := v.AllItems()
	if v.Ref != nil {
		spaces = []*V{v}
	}
	for i, s := range spaces {
		space, ok := s.Ref.(*value.Namespace)
		if !ok {
			return in.fault(t.X, diag.Syntax, "%s is no namespace", t.X.Span().Text())
		}
		new := y
		if v.Ref == nil && y.Rank() > 0 {
			if y.Len() != len(spaces) {
				return in.fault(t, diag.Length, "%d values for %d namespaces", y.Len(), len(spaces))
			}
			new = y.Item(i)
		}
		where := in.frameOf(space)
		if t.Items != nil {
			element := &apl.IndexTarget{At: t.At, Ident: t.Name, Items: t.Items}
			if err := in.storeElement(f, where, element, fn, new); err != nil {
				return err
			}
			continue
		}
		if fn != nil {
			old, ok := where.own(t.Name).(*V)
			if !ok {
				return in.fault(t, diag.Value, "%s has no value in the namespace", t.Name)
			}
			if new, err = value1(fn.Call(in, old, new)); err != nil {
				return at(err, t, nil, nil)
			}
		}
		where.set(t.Name, new)
	}
	return nil
}
