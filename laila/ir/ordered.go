package ir

import "github.com/tailor-lang/tailor/internal/num"

// Sums and products of doubles, and sums of complex numbers, are in the order of
// num.Ordered. A segred states that order by its one axis: the terms are its
// iterations, counted from 0. So a pass does not cut such a nest into several, nor
// does it make loops of it. Loops are from the first to the last iteration.

// Ordered reports whether a rounds, so that its partial results are joined in the
// order of num.Ordered.
func (a *Acc) Ordered() bool {
	if a.Exact {
		return false
	}
	switch x := a.Combine.(type) {
	case *Binary:
		return x.X.Kind() == F64 && (x.Op == OpAdd || x.Op == OpMul)
	case *Math:
		return x.Fn == "tl_addz"
	}
	return false
}

// Ordered reports whether n is a reduction whose order is that of num.Ordered, and
// not from the first to the last.
func (n *Nest) Ordered() bool {
	if !n.Rounds() {
		return false
	}
	lo, ok := IntOf(n.Red[0].Lo)
	hi, ok2 := IntOf(n.Red[0].Hi)
	return !ok || !ok2 || hi-lo > num.Lanes
}

// Rounds reports whether n is a reduction of any number of terms whose order matters.
func (n *Nest) Rounds() bool {
	if n.Kind != SegRed || len(n.Red) != 1 {
		return false
	}
	for i := range n.Accs {
		if n.Accs[i].Ordered() {
			return true
		}
	}
	return false
}

// Combined is x joined with y.
func (a *Acc) Combined(x, y Expr) Expr {
	return MapExpr(a.Combine, func(e Expr) Expr {
		switch {
		case IsUse(e, a.Left):
			return x
		case IsUse(e, a.Right):
			return y
		}
		return e
	})
}

// Chains reports whether the terms of n, of which there may be few, are those of a
// chain of fused multiply-adds: a term that has a lane of its own is rounded, and up to
// 16 are not, so these have one lane.
func (n *Nest) Chains() bool {
	lo, ok := IntOf(n.Red[0].Lo)
	hi, ok2 := IntOf(n.Red[0].Hi)
	if ok && ok2 && hi-lo > num.Lanes {
		return false
	}
	accs, found := map[*Var]bool{}, false
	for _, a := range n.Accs {
		accs[a.Var] = true
	}
	Walk(n.Body, func(s Stmt) {
		for _, x := range Exprs(s) {
			WalkExpr(x, func(x Expr) {
				if m, ok := x.(*Math); ok && m.Fn == "tl_fma" {
					u, ok := m.Args[2].(*Use)
					found = found || ok && accs[u.Var]
				}
			})
		}
	})
	return found
}
