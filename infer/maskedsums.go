package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// What folds a mask, or its product with something, folds what the mask selects.

// selection returns the fold of a selection that is e; where there is none, e:
//
//	+/m            the tally of ⍸m
//	∨/m            whether that is not 0
//	+/v×m, m+.×v   +/m/v
func (m *maskedGroup) selection(k *keyFolds, e *tail.Apply) *tail.Apply {
	if m == nil || tail.RankOf(e) != 0 || e.Op != tail.OpReduce && e.Op != tail.OpInner && e.Op != tail.OpChain {
		return e
	}
	made := m.made[e]
	if made == nil {
		if made = m.folded(k, e); made == nil {
			made = e
		}
		m.made[e] = made
	}
	return made
}

// folded returns what selection does where e is not like that; else nil.
func (m *maskedGroup) folded(k *keyFolds, e *tail.Apply) *tail.Apply {
	op, _ := tail.EtaReduced(e.Args[0].(*tail.Lam))
	switch {
	case e.Op == tail.OpChain:
		return m.product(k, e, tail.OpAddD, e.Args[1], e.Args[2:])
	case e.Op == tail.OpInner && (op == tail.OpAddI || op == tail.OpAddD):
		return m.product(k, e, op, e.Args[2], e.Args[3:])
	case e.Op == tail.OpReduce && op == tail.OpOrB && m.isMask(k, e.Args[2]):
		none := &tail.Lit{At: e.At, Value: array.ScalarInt(0), Ty: tail.LitType(array.ScalarInt(0))}
		return apply(e, tail.OpGtI, apply(e, tail.OpTally, apply(e, tail.OpWhere, e.Args[2])), none)
	case e.Op == tail.OpReduce && (op == tail.OpAddI || op == tail.OpAddD) && isZero(e.Args[1]):
		x, mask := m.within(k, e.Args[2])
		switch {
		case x != nil:
			return e.WithArgs([]tail.Expr{e.Args[0], e.Args[1], x})
		case mask != nil && op == tail.OpAddI:
			return apply(e, tail.OpTally, apply(e, tail.OpWhere, mask))
		}
	}
	return nil
}

// product is the sum of the products of terms, of which a mask is one, as a sum of what the mask selects from the
// other.
func (m *maskedGroup) product(k *keyFolds, e *tail.Apply, op tail.Op, zero tail.Expr, terms []tail.Expr) *tail.Apply {
	if !isProduct(e) || !isZero(zero) {
		return nil
	}
	for i, x := range terms {
		other := terms[1-i]
		mask := m.numbers(k, x)
		if mask == nil || tail.TypeOf(other).Elem != tail.TypeOf(e).Elem || !k.outside(other) || tail.RankOf(other) != 1 {
			continue
		}
		if selected := apply(e, tail.OpCompress, mask, other); selected != nil {
			p, q := &tail.Var{Name: "v", Type: e.Ty}, &tail.Var{Name: "v", Type: e.Ty}
			sum := &tail.Lam{At: e.At, Params: []*tail.Var{p, q}, Body: apply(e, op, ref(p, e.Where), ref(q, e.Where))}
			return apply(e, tail.OpReduce, sum, zero, selected)
		}
	}
	return nil
}

// isProduct reports whether what e, an inner product, adds up are the products of its terms.
func isProduct(e *tail.Apply) bool {
	l, ok := e.Args[0].(*tail.Lam)
	if e.Op == tail.OpInner {
		l, ok = e.Args[1].(*tail.Lam)
	}
	if !ok {
		return false
	}
	by, ok := l.Body.(*tail.Apply)
	if !ok || by.Op != tail.OpMulI && by.Op != tail.OpMulD && by.Op != tail.OpFmaD {
		return false
	}
	for i, x := range by.Args {
		if c, ok := x.(*tail.Apply); ok && (c.Op == tail.OpB2I || c.Op == tail.OpB2D) && i < 2 {
			x = c.Args[0]
		}
		if !tail.IsRef(x, l.Params[i]) {
			return false
		}
	}
	return true
}

// apply returns the application of an op in the place of e; nil where it has no type, or an argument is nil.
func apply(e *tail.Apply, op tail.Op, args ...tail.Expr) *tail.Apply {
	for _, x := range args {
		if a, ok := x.(*tail.Apply); ok && a == nil {
			return nil
		}
	}
	a, bad := tail.NewApply(e.Where, op, 0, nil, args...)
	if bad != nil {
		return nil
	}
	return a
}

// within returns what e has where the mask is 1, if it is 0 elsewhere: x, which is nil for e that is the mask as
// numbers. Both are nil for others.
func (m *maskedGroup) within(k *keyFolds, e tail.Expr) (x, mask tail.Expr) {
	if mask = m.numbers(k, e); mask != nil {
		return nil, mask
	}
	terms, ok := e.(*tail.Apply)
	if !ok || terms.Op != tail.OpZipWith {
		return nil, nil
	}
	times := terms.Args[0].(*tail.Lam)
	if by, _ := tail.EtaReduced(times); by != tail.OpMulI && by != tail.OpMulD {
		return nil, nil
	}
	for i := 1; i <= 2; i++ {
		other := terms.Args[3-i]
		if !k.outside(other) {
			continue
		}
		x, mask := m.within(k, terms.Args[i])
		if mask == nil {
			continue
		}
		selected := apply(terms, tail.OpCompress, mask, other)
		switch {
		case selected == nil:
			return nil, nil
		case x == nil:
			return selected, mask
		case i == 1:
			return terms.WithArgs([]tail.Expr{times, x, selected}), mask
		}
		return terms.WithArgs([]tail.Expr{times, selected, x}), mask
	}
	return nil, nil
}

// numbers returns the mask that e is or has as numbers; nil for others.
func (m *maskedGroup) numbers(k *keyFolds, e tail.Expr) tail.Expr {
	if m.isMask(k, e) {
		return e
	}
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpEach {
		return nil
	}
	l, ok := a.Args[0].(*tail.Lam)
	if !ok {
		return nil
	}
	if op, _ := tail.EtaReduced(l); op != tail.OpB2I && op != tail.OpB2D || !m.isMask(k, a.Args[1]) {
		return nil
	}
	return a.Args[1]
}
