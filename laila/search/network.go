package search

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// networkMost is the most elements that a network sorts: of integers and characters, and of
// doubles.
const (
	networkMost    = 25
	networkDoubles = 9
)

// sortedFew sorts the elements of a short vector in a nest by exchanges of two of them,
// which are the same for all points of the nest, so that it is vector code; nil where
// the vector is not short. exchanges whose results are not used, as most of those for a
// median are, are dead code.
//
//	x[⍋x]     a = min(x[0], x[1]); b = max(x[0], x[1]); …
//
// Doubles that are equal need not be the same, and stay in their order.
func sortedFew(g *build.Builder, e *tail.Apply, p *build.Pull, down bool) *build.Value {
	n, ok := ir.IntOf(p.Dims[0])
	if !ok || n < 1 || g.Nest == nil || !g.On("network") {
		return nil
	}
	var xs []ir.Expr
	switch {
	case (p.Elem == ir.I64 || p.Elem == ir.C32) && n <= networkMost:
		xs = fewElements(g, e, p, n)
		for i, x := range xs {
			if p.Elem == ir.C32 {
				xs[i] = g.Let("k", ir.ConvertTo(ir.I32, x))
			}
		}
		exchanges(len(xs), func(i, j int) {
			if down {
				i, j = j, i
			}
			xs[i], xs[j] = g.Let("k", ir.OpMin.Of(xs[i], xs[j])), g.Let("k", ir.OpMax.Of(xs[i], xs[j]))
		})
	case p.Elem == ir.F64 && n <= networkDoubles:
		xs = fewElements(g, e, p, n)
		stableExchanges(len(xs), func(i, j int) {
			x, y := xs[i], xs[j]
			after := g.Let("c", after(x, y, down))
			xs[i], xs[j] = g.Let("k", ir.Choose(after, y, x)), g.Let("k", ir.Choose(after, x, y))
		})
	default:
		return nil
	}
	for i, x := range xs {
		xs[i] = ir.ConvertTo(p.Elem, x)
	}
	q := g.ElemsPull(p.Elem, xs)
	q.Rng, q.Span = p.Rng, p.Span
	return build.Array1(q)
}

// after reports whether the double x is to stand behind y, which stands behind it. No
// number is greater than NaN.
func after(x, y ir.Expr, down bool) ir.Expr {
	if down {
		x, y = y, x
	}
	return ir.Or(ir.OpLt.Of(y, x), ir.OpNe.Of(x, x))
}

// stableExchanges calls f with neighbouring places that a sort of n elements compares,
// in order; elements that are equal are never exchanged.
func stableExchanges(n int, f func(i, j int)) {
	for round := range n {
		for i := round % 2; i+1 < n; i += 2 {
			f(i, i+1)
		}
	}
}

// fewElements returns the elements of a short vector, in the kind that they are stored in.
func fewElements(g *build.Builder, e *tail.Apply, p *build.Pull, n int64) []ir.Expr {
	moves := g.Neighbourhood(e, p)
	if !moves {
		g.Force()
		g.Materialise(p)
	}
	xs := make([]ir.Expr, n)
	for i := range xs {
		if moves {
			xs[i] = g.Let("k", ir.ConvertTo(g.StoreKind(p), g.IndexFlat(p, ir.Integer(int64(i)))))
		} else {
			xs[i] = g.Let("k", p.Buf.Load(ir.Integer(int64(i))))
		}
	}
	return xs
}

// exchanges calls f with the places, i < j, that Batcher's odd-even merge sort of n
// elements compares, in order.
func exchanges(n int, f func(i, j int)) {
	for p := 1; p < n; p *= 2 {
		for k := p; k > 0; k /= 2 {
			for from := k % p; from+k < n; from += 2 * k {
				for i := from; i < min(from+k, n-k); i++ {
					if i/(2*p) == (i+k)/(2*p) {
						f(i, i+k)
					}
				}
			}
		}
	}
}
