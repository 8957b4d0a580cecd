package arith

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Domains leaves out tests of doubles for 0, and for what has no root or
// logarithm, where bounds show how they come out. What a guard says holds in its
// branch:
//
//	if |q| ≤ 0.4                            if |q| ≤ 0.4
//	  y = 2 - q × q                           y = 2 - q × q
//	  bad |= (y == 0) & (x != 0)         →
//	  z = y == 0 ? 1 : x / y                  z = x / y
//
// NaN passes all of these tests, so bounds of numbers are enough.
func Domains(l *pass.Context, f *ir.Func) {
	d := &domains{defs: map[*ir.Var]ir.Expr{}, flags: map[*ir.Var]bool{}}
	tests := false
	changed := map[*ir.Var]bool{}
	ir.Walk(f.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Decl:
			if _, again := d.defs[s.Var]; again || s.Init == nil {
				changed[s.Var] = true
			}
			d.defs[s.Var] = s.Init
		case *ir.Assign:
			changed[s.Var] = true
		case *ir.Checked:
			changed[s.Var], changed[s.Flag] = true, true
		case *ir.Filter:
			changed[s.Count] = true
		case *ir.Nest:
			for _, a := range s.Accs {
				changed[a.Var] = true
			}
		}
		for _, x := range ir.Exprs(s) {
			tests = tests || testsDouble(x)
		}
	})
	if !tests {
		return
	}
	for v := range changed {
		delete(d.defs, v)
	}
	f.Body = d.block(f.Body, &facts.Bounder{Base: l.Base, Defs: d.defs, Known: map[*ir.Var]facts.Reals{}, Memo: map[*ir.Var]facts.Reals{}}, 0)
	if len(d.flags) > 0 {
		(&counting{flags: d.flags}).unset(f.Body)
	}
}

// domains is the state of the pass.
type domains struct {
	defs  map[*ir.Var]ir.Expr // what variables are that are set once
	flags map[*ir.Var]bool    // flags that a statement less sets
}

// maxGuards bounds the guards, one in another, that are taken together.
const maxGuards = 4

// testsDouble reports whether x has a test that the pass may decide.
func testsDouble(x ir.Expr) bool {
	found := false
	ir.WalkExpr(x, func(x ir.Expr) {
		_, _, test := doubleTest(x)
		found = found || test
	})
	return found
}

// doubleTest returns the argument of a test for 0 or for being negative.
func doubleTest(x ir.Expr) (y ir.Expr, positive, ok bool) {
	switch x := x.(type) {
	case *ir.Binary:
		if x.Op == ir.OpEq && x.X.Kind() == ir.F64 {
			if f, ok := x.Y.(*ir.Float); ok && f.Val == 0 {
				return x.X, true, true
			}
		}
	case *ir.Math:
		switch x.Fn {
		case "tl_bad_lnd":
			return x.Args[0], true, true
		case "tl_bad_sqrtd", "tl_bad_lnd_complex":
			return x.Args[0], false, true
		}
	}
	return nil, false, false
}

func (d *domains) block(block []ir.Stmt, b *facts.Bounder, guards int) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		ir.MapExprs(s, func(x ir.Expr) ir.Expr { return d.decide(x, b) })
		if a, ok := s.(*ir.Assign); ok {
			if u, ok := a.X.(*ir.Use); ok && u.Var == a.Var {
				d.flags[a.Var] = a.Var.Kind == ir.U8
				continue
			}
		}
		if branch, ok := s.(*ir.If); ok && guards < maxGuards && branch.Cond != nil {
			branch.Then = d.block(branch.Then, b.With(branch.Cond), guards+1)
			branch.Else = d.block(branch.Else, b, guards)
		} else {
			for _, inner := range ir.Blocks(s) {
				*inner = d.block(*inner, b, guards)
			}
		}
		out = append(out, s)
	}
	return out
}

// decide simplifies x, whose operands are simple.
func (d *domains) decide(x ir.Expr, b *facts.Bounder) ir.Expr {
	if y, positive, ok := doubleTest(x); ok {
		r := b.Of(y)
		_, zero := x.(*ir.Binary)
		if r.Lo > 0 || zero && r.Hi < 0 || !positive && r.Lo >= 0 {
			return ir.Boolean(false)
		}
		return x
	}
	switch x := x.(type) {
	case *ir.Select:
		if c, ok := ir.IntOf(x.Cond); ok {
			if c != 0 {
				return x.Then
			}
			return x.Else
		}
	case *ir.Unary:
		if c, ok := ir.IntOf(x.X); ok && x.Op == ir.OpNot {
			return ir.Boolean(c == 0)
		}
	case *ir.Binary:
		if x.Kind() != ir.U8 || x.Op != ir.OpAnd && x.Op != ir.OpOr || x.X.Kind() != ir.U8 {
			break
		}
		for _, p := range [][2]ir.Expr{{x.X, x.Y}, {x.Y, x.X}} {
			if c, ok := ir.IntOf(p[0]); ok && (c == 0 || c == 1) {
				if (c == 0) == (x.Op == ir.OpAnd) {
					return p[0]
				}
				return p[1]
			}
		}
	}
	return x
}
