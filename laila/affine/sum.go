package affine

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Sum is a sum of variables with coefficients, and a constant.
type Sum struct {
	Coef  map[*ir.Var]int64
	Const int64
}

// Minus returns f - h when that is a constant.
func (f Sum) Minus(h Sum) (int64, bool) {
	if len(f.Coef) != len(h.Coef) {
		return 0, false
	}
	for v, c := range f.Coef {
		if h.Coef[v] != c {
			return 0, false
		}
	}
	return f.Const - h.Const, true
}

// Expr writes f as an expression.
func (f Sum) Expr(order func(*ir.Var) int) ir.Expr {
	vars := make([]*ir.Var, 0, len(f.Coef))
	for v := range f.Coef {
		vars = append(vars, v)
	}
	slices.SortFunc(vars, func(v, w *ir.Var) int { return order(v) - order(w) })
	var x ir.Expr
	for _, v := range vars {
		var term ir.Expr = v.Use()
		if c := f.Coef[v]; c != 1 {
			term = ir.Mul(term, ir.Integer(c))
		}
		if x == nil {
			x = term
		} else {
			x = ir.Add(x, term)
		}
	}
	if x == nil {
		return ir.Integer(f.Const)
	}
	return ir.Add(x, ir.Integer(f.Const))
}

// Plus is f + k×h.
func (f Sum) Plus(h Sum, k int64) Sum {
	sum := Sum{Coef: map[*ir.Var]int64{}, Const: f.Const + k*h.Const}
	for v, c := range f.Coef {
		sum.Coef[v] = c
	}
	for v, c := range h.Coef {
		if sum.Coef[v] += k * c; sum.Coef[v] == 0 {
			delete(sum.Coef, v)
		}
	}
	return sum
}

// Substitute returns f with h in the place of v.
func (f Sum) Substitute(h Sum, v *ir.Var) Sum {
	c := f.Coef[v]
	out := Sum{Coef: map[*ir.Var]int64{}, Const: f.Const + c*h.Const}
	for w, d := range f.Coef {
		if w != v {
			out.Coef[w] = d
		}
	}
	for w, d := range h.Coef {
		if out.Coef[w] += c * d; out.Coef[w] == 0 {
			delete(out.Coef, w)
		}
	}
	return out
}

// Scaled returns k times f plus c.
func (f Sum) Scaled(k, c int64) Sum {
	out := Sum{Coef: map[*ir.Var]int64{}, Const: k*f.Const + c}
	for v, d := range f.Coef {
		out.Coef[v] = k * d
	}
	return out
}

// Difference returns f - h.
func (f Sum) Difference(h Sum) Sum { return f.Plus(h, -1) }

// Constant returns the value of a sum without variables.
func (f Sum) Constant() (int64, bool) { return f.Const, len(f.Coef) == 0 }
