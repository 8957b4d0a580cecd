package cgen

import (
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// oneOf writes the test whether a number is one of several as a sum, as it can
// be equal to one only. C compilers make a look-up of a bit of the disjunction,
// and then a branch, where a loop could be vector code.
//
//	c == 97 | c == 101 | c == 105   becomes   (c == 97) + (c == 101) + (c == 105)
func (b *body) oneOf(x *ir.Binary, branch bool) (text, bool) {
	if x.Op != ir.OpOr || branch {
		return text{}, false
	}
	tests, ok := equalities(x, nil)
	if !ok || len(tests) < 3 {
		return text{}, false
	}
	seen := map[int64]bool{}
	var terms []string
	for _, t := range tests {
		n, ok := t.Y.(*ir.Int)
		if !ok || seen[n.Val] || !ir.Same(t.X, tests[0].X) {
			return text{}, false
		}
		seen[n.Val] = true
		terms = append(terms, b.binary(t, branch).in(precAtom))
	}
	return text{s: strings.Join(terms, " + "), prec: precAdd}, true
}

// equalities adds the tests of a disjunction of equalities to list.
func equalities(x ir.Expr, list []*ir.Binary) ([]*ir.Binary, bool) {
	t, ok := x.(*ir.Binary)
	switch {
	case !ok:
		return nil, false
	case t.Op == ir.OpEq:
		return append(list, t), true
	case t.Op != ir.OpOr:
		return nil, false
	}
	list, ok = equalities(t.X, list)
	if !ok {
		return nil, false
	}
	return equalities(t.Y, list)
}
