package laila

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// pair is a term of an inner product: an element of each side.
type pair struct{ a, b ir.Expr }

// pairAt reads term i of element ix, jx of an inner product x f.h y.
func (g *gen) pairAt(x, y *pull, ix []ir.Expr, i ir.Expr, jx []ir.Expr) pair {
	b := g.index(y, append([]ir.Expr{i}, jx...))
	a := g.index(x, append(ix[:len(ix):len(ix)], i))
	return pair{a, b}
}

// chained reports whether h extends the result of the terms before by a term,
// as the function of a chain does, and is no function of a term alone.
func chained(h *tail.Lam) bool { return len(h.Params) == 3 }

// addTerm adds a term to the result of those before.
func (g *gen) addTerm(fd *folding, h *tail.Lam, acc ir.Expr, t pair) ir.Expr {
	if chained(h) {
		return g.lam(h, t.a, t.b, acc)
	}
	return g.step(fd, acc, g.lam(h, t.a, t.b))
}

// foldTerms reduces the terms of a chain, in their order; extend adds term i.
func (g *gen) foldTerms(fd *folding, extend func(acc, i ir.Expr) ir.Expr) ir.Expr {
	n, ok := ir.IntOf(fd.n)
	if ok && n > 0 && (n <= unrollLimit || n <= num.Lanes && g.neighbours(fd, func(i ir.Expr) ir.Expr { return extend(fd.zero, i) })) {
		acc := fd.zero
		for i := range n {
			acc = g.keep(extend(acc, ir.Integer(i)))
		}
		return acc
	}
	return g.foldForward(fd, func(out *ir.Var) {
		g.guarded(func() { g.segredSteps(fd, fd.n, out, extend) })
	})
}

// doubleSum is the sum of two doubles as a function: it joins partial results
// of chains.
func (g *gen) doubleSum() *tail.Lam {
	ty := tail.Scalar(array.Double)
	x, y := &tail.Var{Name: "x", Type: ty}, &tail.Var{Name: "y", Type: ty}
	g.live.Count[x], g.live.Count[y] = 1, 1
	return &tail.Lam{Params: []*tail.Var{x, y},
		Body: &tail.Apply{Op: tail.OpAddD, Args: []tail.Expr{&tail.Ref{Var: x}, &tail.Ref{Var: y}}, Ty: ty}}
}
