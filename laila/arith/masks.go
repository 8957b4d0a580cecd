package arith

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Masks converts the outcome of a test to a double once, where straight code
// of a loop uses it several times, and the opposite outcome is 1 less that:
// C compilers make vector code of a mask, but branches of several.
//
//	var in: u8 = x <= 4
//	y[i] = f64(in) * u + f64(!in) * x
//
// becomes
//
//	var in: u8 = x <= 4
//	var m: f64 = f64(in)
//	y[i] = m * u + (1 - m) * x
func Masks(block []ir.Stmt) []ir.Stmt {
	uses, changed := map[*ir.Var]int{}, map[*ir.Var]bool{}
	flow.NoteAssigned(block, changed)
	count := func(x ir.Expr) ir.Expr {
		if v, _ := mask(x); v != nil {
			uses[v]++
		}
		return x
	}
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = Masks(*inner)
		}
		ir.MapScalars(s, count)
	}
	made := map[*ir.Var]*ir.Var{}
	replace := func(x ir.Expr) ir.Expr {
		v, negated := mask(x)
		m := made[v]
		switch {
		case v == nil || m == nil:
			return x
		case negated:
			return ir.OpSub.Of(&ir.Float{Val: 1}, m.Use())
		}
		return m.Use()
	}
	var out []ir.Stmt
	for _, s := range block {
		if len(made) > 0 {
			ir.MapScalars(s, replace)
		}
		out = append(out, s)
		if d, ok := s.(*ir.Decl); ok && d.Init != nil && uses[d.Var] > 1 && !changed[d.Var] {
			m := &ir.Var{Name: "m", Kind: ir.F64}
			out = append(out, m.Decl(&ir.Convert{To: ir.F64, X: d.Var.Use()}))
			made[d.Var] = m
		}
	}
	return out
}

// mask returns the variable whose truth, or the opposite of it, x is as a
// double; nil when x is something else.
func mask(x ir.Expr) (v *ir.Var, negated bool) {
	c, ok := x.(*ir.Convert)
	if !ok || c.To != ir.F64 || c.X.Kind() != ir.U8 {
		return nil, false
	}
	y := c.X
	if n, ok := y.(*ir.Unary); ok && n.Op == ir.OpNot {
		y, negated = n.X, true
	}
	if u, ok := y.(*ir.Use); ok {
		return u.Var, negated
	}
	return nil, false
}
