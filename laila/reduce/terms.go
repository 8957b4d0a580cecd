package reduce

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// pair is a term of an inner product: an element of each side.
type pair struct{ a, b ir.Expr }

// pairAt reads term i of element ix, jx of an inner product x f.h y.
func pairAt(g *build.Builder, x, y *build.Pull, ix []ir.Expr, i ir.Expr, jx []ir.Expr) pair {
	b := g.Index(y, append([]ir.Expr{i}, jx...))
	a := g.Index(x, append(ix[:len(ix):len(ix)], i))
	return pair{a, b}
}

// chained reports whether h extends the result of the terms before by a term,
// as the function of a chain does, and is no function of a term alone.
func chained(h *tail.Lam) bool { return len(h.Params) == 3 }

// addTerm adds a term to the result of those before.
func addTerm(g *build.Builder, fd *Folding, h *tail.Lam, acc ir.Expr, t pair) ir.Expr {
	if chained(h) {
		return g.Lam(h, t.a, t.b, acc)
	}
	return step(g, fd, acc, g.Lam(h, t.a, t.b))
}

// foldTerms reduces the terms of a chain, in their order; extend adds term i.
func foldTerms(g *build.Builder, fd *Folding, extend func(acc, i ir.Expr) ir.Expr) ir.Expr {
	n, ok := ir.IntOf(fd.N)
	if ok && n > 0 && (n <= UnrollLimit || n <= num.Lanes && g.Neighbours(fd.at, fd.N, func(i ir.Expr) ir.Expr { return extend(fd.Zero, i) })) {
		acc := fd.Zero
		for i := range n {
			acc = g.Keep(extend(acc, ir.Integer(i)))
		}
		return acc
	}
	return foldForward(g, fd, func(out *ir.Var) {
		g.Guarded(func() { segredSteps(g, fd, fd.N, out, extend) })
	})
}

// doubleSum is the sum of two doubles as a function: it joins partial results
// of chains.
func doubleSum(g *build.Builder) *tail.Lam {
	ty := tail.Scalar(array.Double)
	x, y := &tail.Var{Name: "x", Type: ty}, &tail.Var{Name: "y", Type: ty}
	g.Live.Count[x], g.Live.Count[y] = 1, 1
	return &tail.Lam{Params: []*tail.Var{x, y},
		Body: &tail.Apply{Op: tail.OpAddD, Args: []tail.Expr{&tail.Ref{Var: x}, &tail.Ref{Var: y}}, Ty: ty}}
}
