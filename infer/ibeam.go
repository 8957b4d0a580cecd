package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Numbers of services of Dyalog's interpreter that mean something in a
// compiled program, and one that definitions of the prelude ask for.
const (
	itemOfParts    = 22   // item y of the elements, offsets and lengths x of a ragged vector
	caseConversion = 819  // lower case, or upper case with 1 to the left
	hashArray      = 1500 // y, marked for faster searches
)

// interpreter is a⌶y and x(a⌶)y.
func (g *infer) interpreter(d *derived, x, y tail.Expr, s site) tail.Expr {
	if d.left.fn != nil {
		g.refuseOperator(d)
	}
	number, _ := integer(g.array(d.left))
	switch {
	case number == itemOfParts && x != nil && g.blamed != nil:
		return g.partOf(g.components(x), y, s)
	case number == hashArray && x == nil:
		return y
	case number == caseConversion:
		to := int64(-1)
		if x != nil {
			upper, ok := integer(g.toInt(g.single(x, s, "the left argument of 819⌶")))
			switch {
			case !ok:
				g.needsConstant(diag.NotCompiled, s.left, "the left argument of 819⌶ must be known when compiling")
			case upper != 0 && upper != 1:
				g.fail(diag.WrongDomain, s.left, "819⌶ takes 0 or 1")
			case upper == 1:
				to = 1
			}
		}
		return g.dyadic(&primitive{glyph: "⎕C", at: d.at}, lit(s.fn, array.ScalarInt(to)), y, s)
	}
	g.refuseOperator(d)
	return nil
}
