package interp

import "github.com/tailor-lang/tailor/apl"

// inverseDfn undoes a dfn of one expression in which ⍵ stands once: what is applied
// to it is undone, from the outside to the inside.
func inverseDfn(c *closure) (Function, error) {
	if len(c.body) != 1 {
		return nil, withoutInverse()
	}
	s, ok := c.body[0].(*apl.ExprStmt)
	if !ok || uses(s.X) != 1 {
		return nil, withoutInverse()
	}
	return native(func(in *Interp, x, y *V) (*V, error) {
		f := &Frame{parent: c.frame, alpha: x, self: c}
		return in.undo(f, s.X, y)
	}), nil
}

// uses counts ⍵ in an expression; functions that may hold it count as more.
func uses(x apl.Node) int {
	switch x := x.(type) {
	case *apl.Var:
		if x.Ident == "⍵" {
			return 1
		}
	case *apl.Paren:
		return uses(x.X)
	case *apl.Monadic:
		return uses(x.Y) + operands(x.F)
	case *apl.Dyadic:
		return uses(x.X) + uses(x.Y) + operands(x.F)
	case *apl.Strand:
		n := 0
		for _, item := range x.Items {
			n += uses(item)
		}
		return 2 * n
	case *apl.Index, *apl.Assign:
		return 2
	}
	return 0
}

// operands counts twice each ⍵ in the array operands of a function.
func operands(f apl.Func) int {
	switch f := f.(type) {
	case *apl.ParenFunc:
		return operands(f.F)
	case *apl.Atop:
		return operands(f.F) + operands(f.G)
	case *apl.Fork:
		return operand(f.F) + operands(f.G) + operands(f.H)
	case *apl.Axis:
		return operands(f.F) + 2*uses(f.Axis)
	case *apl.Derived:
		return operand(f.Left) + operand(f.Right)
	}
	return 0
}

func operand(o apl.Operand) int {
	if o.Func != nil {
		return operands(o.Func)
	}
	if o.Array != nil {
		return 2 * uses(o.Array)
	}
	return 0
}

// undo returns the ⍵ for which the expression is y.
func (in *Interp) undo(f *Frame, x apl.Expr, y *V) (*V, error) {
	switch x := x.(type) {
	case *apl.Var:
		return y, nil
	case *apl.Paren:
		return in.undo(f, x.X, y)
	case *apl.Monadic:
		fn, err := in.function(f, x.F)
		if err != nil {
			return nil, err
		}
		return in.undoBy(f, x.Y, fn, false, nil, y)
	case *apl.Dyadic:
		fn, err := in.function(f, x.F)
		if err != nil {
			return nil, err
		}
		if uses(x.X) > 0 {
			r, err := in.need(f, x.Y)
			if err != nil {
				return nil, err
			}
			return in.undoBy(f, x.X, &bindRight{fn, r}, false, nil, y)
		}
		l, err := in.need(f, x.X)
		if err != nil {
			return nil, err
		}
		return in.undoBy(f, x.Y, fn, true, l, y)
	}
	return nil, withoutInverse()
}

// undoBy undoes fn, and then the expression that it is applied to.
func (in *Interp) undoBy(f *Frame, inner apl.Expr, fn Function, dyadic bool, l, y *V) (*V, error) {
	g, err := inverse(in, fn, dyadic)
	if err != nil {
		return nil, err
	}
	r, err := value1(g.Call(in, l, y))
	if err != nil {
		return nil, err
	}
	return in.undo(f, inner, r)
}
