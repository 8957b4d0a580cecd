package apl

import "github.com/tailor-lang/tailor/internal/diag"

// Curried is a dyadic operator with its right operand, as in `inv←⍣¯1`: a monadic
// operator.
type Curried struct {
	At
	Op    Operator
	Right Operand
}

func (*Curried) operator() {}

// curried reads atoms that are a dyadic operator and its right operand.
func (p *parser) curried(atoms []unit) (unit, bool) {
	right, next, err := p.operand(atoms, 1)
	if err != nil || next != len(atoms) {
		return unit{}, false
	}
	op := &Curried{At{atoms[0].span().Join(right.span())}, atoms[0].op, operandOf(right)}
	p.refuse(diag.Errorf(diag.OperatorForm, op.Where, "operators with a right operand alone are not compiled: %s", clip(op.Where.Text())))
	return unit{class: MonadicOperator, op: op, h: right.h + 1}, true
}
