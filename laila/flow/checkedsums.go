package flow

import "github.com/tailor-lang/tailor/laila/ir"

// CheckedSum is a sum of a segred whose steps are tested for overflow:
//
//	t, overflow bad = acc + x
//	acc = t
type CheckedSum struct {
	Acc  *ir.Acc
	Test *ir.Checked
	At   int     // where the test stands in the body of the nest
	Term ir.Expr // x
}

// CheckedSums returns the sums of n that are tested for overflow, of which nothing else
// in n reads what they have reached; only reports whether nothing else in n is tested.
func CheckedSums(n *ir.Nest) (sums []CheckedSum, only bool) {
	if n.Kind != ir.SegRed || len(n.Dims) > 0 {
		return nil, false
	}
	uses, tests := map[*ir.Var]int{}, 0
	ir.Walk(n.Body, func(s ir.Stmt) {
		if _, ok := s.(*ir.Checked); ok {
			tests++
		}
		for _, x := range ir.Exprs(s) {
			if x != nil {
				ir.EachUse(x, func(v *ir.Var) { uses[v]++ })
			}
		}
	})
	for i, s := range n.Body {
		if c, ok := s.(*ir.Checked); ok && i+1 < len(n.Body) {
			if sum, ok := checkedSum(n, c, n.Body[i+1]); ok && uses[sum.Acc.Var] == 1 && uses[c.Var] == 1 {
				sum.At = i
				sums = append(sums, sum)
			}
		}
	}
	return sums, len(sums) == tests
}

// checkedSum reads c, and the statement behind it, as a step of a sum.
func checkedSum(n *ir.Nest, c *ir.Checked, next ir.Stmt) (CheckedSum, bool) {
	a, ok := next.(*ir.Assign)
	if !ok || c.Op != ir.OpAdd || !ir.IsUse(a.X, c.Var) {
		return CheckedSum{}, false
	}
	for k := range n.Accs {
		acc := &n.Accs[k]
		b, ok := acc.Combine.(*ir.Binary)
		if !ok || acc.Var != a.Var || b.Op != ir.OpAdd {
			continue
		}
		switch {
		case ir.IsUse(c.X, acc.Var):
			return CheckedSum{Acc: acc, Test: c, Term: c.Y}, true
		case ir.IsUse(c.Y, acc.Var):
			return CheckedSum{Acc: acc, Test: c, Term: c.X}, true
		}
	}
	return CheckedSum{}, false
}
