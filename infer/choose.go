package infer

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// A choice among a few scalars by a residue or a truth value is a conditional, as guards
// are. Each branch knows what its residue says of divisors (exact.go):
//
//	(1+2|n)⊃(n÷2)(1+3×n)    if 2|n then 1+3×n else n÷2, which is an integer
//	(x>0)⌷0 x               with ⎕IO 0
//
// What may fault, but for an overflow, is computed before, whichever is chosen.

// maxChosen is how many scalars a conditional chooses among.
const maxChosen = 4

// chosenScalar returns y[i], where i is 1 and the residue of one of as many scalars as y
// is made of, or 1 and a truth value for two; nil for others.
func (g *infer) chosenScalar(y, i tail.Expr, s site) tail.Expr {
	made, ok := g.bindingOf(y).(*tail.Vec)
	if !ok || len(made.Elems) < 2 || len(made.Elems) > maxChosen || tail.RankOf(i) != 0 {
		return nil
	}
	conds := g.remainders(i, len(made.Elems), s)
	if conds == nil {
		return nil
	}
	all := make([]tail.Expr, len(made.Elems))
	for k, e := range made.Elems {
		if all[k] = e; analysis.Visible(e, g.isSafe) {
			all[k] = g.name(e)
		}
	}
	if whole := g.wholeWhere(all, conds, s); whole != nil {
		all = whole
	}
	z := all[len(all)-1]
	for k := len(conds) - 1; k >= 0; k-- {
		z = g.branch(conds[k], all[k], z, s.fn, s.fn)
	}
	return g.name(z)
}

// remainders returns the conditions that i is 1, 2 … and less than n: that the residue of
// n by which i is greater than 1 is 0, 1 …, or that a truth value is 0.
func (g *infer) remainders(i tail.Expr, n int, s site) []tail.Expr {
	sum, ok := g.bindingOf(i).(*tail.Apply)
	if !ok || sum.Op != tail.OpAddI {
		return nil
	}
	for k, one := range sum.Args {
		if c, ok := integer(one); !ok || c != 1 {
			continue
		}
		switch r, _ := g.bindingOf(sum.Args[1-k]).(*tail.Apply); {
		case r == nil:
		case r.Op == tail.OpB2I && n == 2:
			return []tail.Expr{g.name(g.op(tail.OpNotB, s, r.Args[0]))}
		case r.Op == tail.OpResI:
			if d, ok := integer(r.Args[0]); !ok || d != int64(n) {
				return nil
			}
			residue := g.name(r)
			conds := make([]tail.Expr, n-1)
			for k := range conds {
				conds[k] = g.name(g.op(tail.OpEqI, s, residue, g.intLit(s, k)))
			}
			return conds
		}
	}
	return nil
}

// wholeWhere returns doubles as integers, where each is one if its condition holds, and the
// last one if that before does not; nil where some may be no integers.
func (g *infer) wholeWhere(all, conds []tail.Expr, s site) []tail.Expr {
	whole := make([]tail.Expr, len(all))
	for k, e := range all {
		e, k := e, k
		holds := g.knowing(conds[min(k, len(conds)-1)], k < len(conds), func() tail.Expr { return g.whole(e, s) })
		if whole[k] = holds(); whole[k] == nil {
			return nil
		}
	}
	return whole
}

// whole is a double as an integer: one that was made of an integer, or a quotient without
// rest; nil for others.
func (g *infer) whole(e tail.Expr, s site) tail.Expr {
	a, ok := g.bindingOf(e).(*tail.Apply)
	if !ok {
		return nil
	}
	if a.Op == tail.OpI2D {
		return a.Args[0]
	}
	if a.Op != tail.OpMulD && a.Op != tail.OpDivD {
		return nil
	}
	x, ok := g.bindingOf(a.Args[0]).(*tail.Apply)
	d := constantDouble(a.Args[1])
	if a.Op == tail.OpMulD {
		d = 1 / d
	}
	if !ok || x.Op != tail.OpI2D || d != math.Trunc(d) || d < 2 || d > math.MaxInt32 {
		return nil
	}
	by := g.intLit(s, int(d))
	if quotient := g.quotient(x.Args[0], by, s); quotient != nil {
		return quotient(x.Args[0], by)
	}
	return nil
}

// constantDouble is the value of a constant, NaN for others.
func constantDouble(e tail.Expr) float64 {
	l, ok := e.(*tail.Lit)
	if !ok || l.Value.Elem != array.Double || len(l.Value.Shape) > 0 {
		return math.NaN()
	}
	return l.Value.Doubles[0]
}
