package apl

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// This file reads array notation: `(a ⋄ b)` is the vector of the values of a and b,
// and `[a ⋄ b]` the array whose major cells they are, of rank 2 or more. Line ends
// separate like ⋄, and empty statements count for nothing. `(a: 1 ⋄ b: 2)` is a namespace.

// separated reports whether the tokens [lo,hi) have a separator outside of brackets.
func (p *parser) separated(lo, hi int) bool {
	for i := lo; i < hi; i = p.after(i) {
		if p.toks[i].kind == tSeparator {
			return true
		}
	}
	return false
}

// notation reads the array between the brackets open and i.
func (p *parser) notation(open, i int) (unit, *diag.Error) {
	at := At{p.span(open, i+1)}
	cells := p.char(i) == ']'
	var items []Expr
	h := 0
	for lo := open + 1; lo < i; {
		end := lo
		for end < i && p.toks[end].kind != tSeparator {
			end = p.after(end)
		}
		u, err := p.notationItem(lo, end)
		if err != nil {
			return unit{}, err
		}
		if u.x != nil {
			items, h = append(items, u.x), max(h, u.h)
		}
		lo = end + 1
	}
	if len(items) == 0 {
		return unit{}, fix(diag.Errorf(diag.Unreadable, at.Where, "no item inside %c%c", p.char(open), p.char(i)), "write ⍬ for an empty vector")
	}
	return arrayUnit(ofItems(at, items, cells), h+4), nil
}

// notationItem reads one statement of array notation; an empty one has no value.
func (p *parser) notationItem(lo, hi int) (unit, *diag.Error) {
	if hi > lo && p.toks[hi-1].kind == tNote {
		hi--
	}
	if lo == hi {
		return unit{}, nil
	}
	if err := p.plain(lo, hi); err != nil {
		return unit{}, err
	}
	return p.array(lo, hi)
}

// ofItems returns the vector of items, or the array with these major cells, where a
// scalar counts as a vector of one element: ↑ of the items, each replicated by 1.
func ofItems(at At, items []Expr, cells bool) Expr {
	call := func(f string, y Expr) Expr { return &Paren{at, &Monadic{at, &Prim{at, f}, y}} }
	strand := &Strand{At: at}
	for _, x := range items {
		a := At{x.Span()}
		if cells {
			x = &Dyadic{a, &Literal{a, array.ScalarInt(1)}, &Prim{a, "/"}, &Paren{a, x}}
		}
		strand.Items = append(strand.Items, &Paren{a, x})
	}
	var v Expr = &Paren{at, strand}
	if len(items) == 1 {
		v = call(",", call("⊂", strand.Items[0]))
	}
	if cells {
		v = call("↑", v)
	}
	return v
}

// NamespaceLit is `(name: value ⋄ …)`: a new namespace. The value of a name is an array
// in X, or a function in F.
type NamespaceLit struct {
	At
	Members []*NamespaceMember
}

// NamespaceMember is `name: value`.
type NamespaceMember struct {
	At
	Name *Name
	X    Expr
	F    Func
}

func (*NamespaceLit) expr() {}

// named reports whether a statement of array notation is `name: value`.
func (p *parser) named(lo, hi int) bool {
	return lo+1 < hi && p.plainName(lo) && p.toks[lo+1].kind == tColon
}

// members reports whether the parentheses open and i hold a namespace: their first
// statement is `name: value`, or there is none.
func (p *parser) members(open, i int) bool {
	lo := open + 1
	for lo < i && p.toks[lo].kind == tSeparator {
		lo++
	}
	return lo == i || p.named(lo, i)
}

// namespaceLit reads the namespace between the parentheses open and i.
func (p *parser) namespaceLit(open, i int) (unit, *diag.Error) {
	n := &NamespaceLit{At: At{p.span(open, i+1)}}
	p.refuse(diag.Errorf(diag.Namespaces, p.span(open, min(open+3, i+1)), "namespaces are not compiled: (name: value)"))
	h := 0
	for lo := open + 1; lo < i; {
		end := lo
		for end < i && p.toks[end].kind != tSeparator {
			end = p.after(end)
		}
		hi := end
		if hi > lo && p.toks[hi-1].kind == tNote {
			hi--
		}
		if lo < hi {
			u, err := p.namespaceMember(n, lo, hi)
			if err != nil {
				return unit{}, err
			}
			h = max(h, u.h)
		}
		lo = end + 1
	}
	return arrayUnit(n, h+1), nil
}

// namespaceMember reads `name: value` from the tokens [lo,hi).
func (p *parser) namespaceMember(n *NamespaceLit, lo, hi int) (unit, *diag.Error) {
	if !p.named(lo, hi) {
		return unit{}, fix(diag.Errorf(diag.Unreadable, p.span(lo, hi), "a statement without a name in a namespace"), "write name: value")
	}
	if lo+2 == hi {
		return unit{}, diag.Errorf(diag.Unreadable, p.span(lo, hi), "%s has no value", p.text(lo))
	}
	if err := p.plain(lo+2, hi); err != nil {
		return unit{}, err
	}
	u, err := p.value(lo+2, hi)
	if err != nil {
		return u, err
	}
	if u.class != ArrayClass && u.class != FunctionClass {
		return u, diag.Errorf(diag.OperatorForm, p.span(lo, hi), "an operator as a member of a namespace")
	}
	if p.loose != nil {
		p.loose.seen[anySpace+p.text(lo)] |= 1 << u.class
	}
	n.Members = append(n.Members, &NamespaceMember{At{p.span(lo, hi)}, p.nameNode(lo), u.x, u.f})
	return u, nil
}

// members writes a namespace in array notation.
func (p *printer) members(n *NamespaceLit) {
	p.word("(")
	for i, m := range n.Members {
		if i > 0 {
			p.word(" ⋄ ")
		}
		p.word(m.Name.Ident + ": ")
		if m.F != nil {
			p.function(m.F)
		} else {
			p.expr(m.X)
		}
	}
	p.word(")")
}
