package apl

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// This file reads array notation: `(a ⋄ b)` is the vector of the values of a and b,
// and `[a ⋄ b]` the array whose major cells they are, of rank 2 or more. Line ends
// separate like ⋄, and empty statements count for nothing.

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
		return unit{}, fix(syntaxError(at.Where, "no item inside %c%c", p.char(open), p.char(i)), "write ⍬ for an empty vector")
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
