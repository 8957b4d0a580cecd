package interp

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/interp/prim"
)

// curried is a dyadic operator with its right operand.
type curried struct {
	op    Operator
	right any
	text  string // of its display
}

// Derive gives the operator its left operand.
func (c *curried) Derive(in *Interp, left, _ any) (Function, error) {
	return c.op.Derive(in, left, c.right)
}

// curried evaluates an operator with its right operand.
func (in *Interp) curried(f *Frame, x *apl.Curried) (Operator, error) {
	right, err := in.operand(f, x.Right)
	if err != nil {
		return nil, err
	}
	op, err := in.operator(f, x.Op)
	if err != nil {
		return nil, err
	}
	text := ""
	if v, ok := right.(*V); ok {
		text = strings.TrimSuffix(prim.Display(&in.state, v), "\n")
	} else {
		text = in.operandText(f, x.Right, true)
	}
	return &curried{op, right, describeOperator(op) + " " + text}, nil
}
