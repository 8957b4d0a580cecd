package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// threshold is the cost of a nest, in simple operations, from which threads
// are worth their start: some tens of microseconds on one thread.
const threshold = 1 << 18

// guess is the number of iterations of a loop of which nothing is known.
const guess = 16

// libraryCall is what a call of the run-time library is taken to cost.
const libraryCall = 16 * guess

// term is a cost: a number times extents that are known when the program runs.
type term struct {
	k       float64
	extents []ir.Dim
}

// worthwhile returns the C condition under which n is worth sharing, "" where
// it is for certain; it is not ok where it never is.
func (b *body) worthwhile(n *ir.Nest) (string, bool) {
	if b.opt.ShareAll {
		return "", true
	}
	terms := b.costOf([]ir.Stmt{n}, map[*ir.Var]bool{}, 0)
	known, most := 0.0, 0.0
	var parts []string
	for _, t := range terms {
		upper := t.k
		for _, d := range t.extents {
			upper *= b.mostTrips(d)
		}
		most += upper
		if len(t.extents) == 0 {
			known += t.k
			continue
		}
		factors := make([]string, len(t.extents))
		for i, d := range t.extents {
			factors[i] = b.tripsText(d)
		}
		parts = append(parts, fmt.Sprintf("%.0f.0 * %s", max(t.k, 1), strings.Join(factors, " * ")))
	}
	if known > threshold || len(parts) == 0 {
		return "", known > threshold
	}
	if most <= threshold {
		return "", false
	}
	when := fmt.Sprintf("%s > %.0f.0", strings.Join(parts, " + "), threshold-known)
	if b.threaded[b.fn] && b.opt.Target == OpenMP {
		when += " && !omp_in_parallel()"
	}
	return when, true
}

// mostTrips returns the greatest number of iterations of a loop.
func (b *body) mostTrips(d ir.Dim) float64 {
	if n, ok := b.base.Trips[d.Var]; ok {
		return float64(n)
	}
	lo, hi := b.rangeOf(d.Lo).Lo, b.rangeOf(d.Hi).Hi
	return max(float64(hi)-max(float64(lo), 0), 0)
}

// tripsText returns the number of iterations of a loop in C, as a double.
func (b *body) tripsText(d ir.Dim) string {
	hi := b.render(d.Hi, false)
	if lo, ok := d.Lo.(*ir.Int); ok && lo.Val == 0 {
		return "(double)" + hi.in(precUnary)
	}
	return fmt.Sprintf("(double)(%s - %s)", hi.in(precAdd), b.render(d.Lo, false).in(precMul))
}

// trips returns the number of iterations of a loop in C.
func (b *body) trips(d ir.Dim) string {
	if ir.IsInt(d.Lo, 0) {
		return b.render(d.Hi, false).in(precAdd)
	}
	return b.expr(ir.OpSub.Of(d.Hi, d.Lo))
}

// costOf adds up what statements cost. Variables of inside are not known where
// the outermost of them begins.
func (b *body) costOf(list []ir.Stmt, inside map[*ir.Var]bool, depth int) []term {
	var terms []term
	plain := 0.0
	for _, s := range list {
		if st, ok := s.(*ir.Store); ok {
			plain += place(st.Index) + perLane(st.Buf.Elem) + weight(st.X)
			continue
		}
		stmtExprs(s, func(x ir.Expr) { plain += weight(x) })
		switch s := s.(type) {
		case *ir.Decl:
			inside[s.Var] = true
		case *ir.Assign, *ir.Checked:
			plain++
		case *ir.Copy:
			plain += guess
		case *ir.Micro:
			const step = 4 * ir.MicroRows // two vectors of columns, two operations each
			u, ok := s.Count.(*ir.Use)
			if !ok || inside[u.Var] {
				plain += step * guess * guess
				break
			}
			d := ir.Dim{Var: u.Var, Lo: &ir.Int{}, Hi: u}
			terms = append(terms, repeated([]term{{k: step}}, &d, 1)...)
		case *ir.Runtime:
			for _, p := range pieces(s.Results) {
				if p.v != nil {
					inside[p.v] = true
				}
			}
			plain += libraryCall
		case *ir.Call:
			for _, p := range pieces(s.Results) {
				if p.v != nil {
					inside[p.v] = true
				}
			}
			if depth < 4 {
				terms = append(terms, constants(b.costOf(s.Fn.Body, allVars(s.Fn), depth+1))...)
			}
		case *ir.If:
			terms = append(terms, b.costOf(s.Then, inside, depth)...)
			if !hasMicro(s.Then) { // else the other branch is for the edges
				terms = append(terms, b.costOf(s.Else, inside, depth)...)
			}
		case *ir.Loop:
			terms = append(terms, repeated(b.costOf(s.Body, inside, depth), nil, guess)...)
		case *ir.For:
			d := ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}
			terms = append(terms, b.loopCost([]ir.Dim{d}, s.Body, inside, depth)...)
		case *ir.Nest:
			list := s.Body
			if len(s.Red) > 0 {
				red := &ir.Nest{Kind: ir.SegMap, Dims: s.Red, Body: s.Body}
				list = append(append(append([]ir.Stmt{}, s.Pre...), red), s.Post...)
			}
			all := b.loopCost(s.Dims, list, inside, depth)
			if s.Each > guess {
				all = repeated(all, nil, float64(s.Each)/guess)
			}
			terms = append(terms, all...)
		}
	}
	return append(terms, term{k: plain})
}

// allVars returns the variables of a function, none of which a caller knows.
func allVars(f *ir.Func) map[*ir.Var]bool {
	vars := map[*ir.Var]bool{}
	for _, p := range pieces(f.Params) {
		if p.v != nil {
			vars[p.v] = true
		}
	}
	walk(f.Body, func(s ir.Stmt) {
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if u, ok := x.(*ir.Use); ok {
					vars[u.Var] = true
				}
			})
		})
	})
	return vars
}

// constants drops extents, which have no names outside of a function.
func constants(terms []term) []term {
	k := 0.0
	for _, t := range terms {
		for range t.extents {
			t.k *= guess
		}
		k += t.k
	}
	return []term{{k: k}}
}

// loopCost is the cost of loops around statements.
func (b *body) loopCost(dims []ir.Dim, list []ir.Stmt, inside map[*ir.Var]bool, depth int) []term {
	if len(dims) == 0 {
		return b.costOf(list, inside, depth)
	}
	d := dims[0]
	unknown := mentions(d.Lo, inside) || mentions(d.Hi, inside) || !simple(d.Lo) || !simple(d.Hi)
	inside[d.Var] = true
	terms := b.loopCost(dims[1:], list, inside, depth)
	if trips, ok := constantTrips(d); ok {
		return repeated(terms, nil, float64(trips))
	}
	if unknown {
		return repeated(terms, nil, guess)
	}
	return repeated(terms, &d, 1)
}

// repeated multiplies terms by a number or an extent, and joins those that
// have the same extents.
func repeated(terms []term, d *ir.Dim, k float64) []term {
	var out []term
	for _, t := range terms {
		t.k *= k
		if d != nil {
			t.extents = append(append([]ir.Dim{}, t.extents...), *d)
		}
		joined := false
		for i := range out {
			if sameExtents(out[i].extents, t.extents) {
				out[i].k += t.k
				joined = true
				break
			}
		}
		if !joined && t.k > 0 {
			out = append(out, t)
		}
	}
	return out
}

func sameExtents(a, b []ir.Dim) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Var != b[i].Var {
			return false
		}
	}
	return true
}

// weight is what an expression costs, in operations on 8 bytes: more than one narrower
// element fits in the lane of a vector.
func weight(x ir.Expr) float64 {
	if x, ok := x.(*ir.Load); ok {
		return perLane(x.Kind()) + place(x.Index)
	}
	w := 0.0
	for _, y := range ir.Operands(x) {
		w += weight(y)
	}
	switch x := x.(type) {
	case *ir.Select, *ir.Unary, *ir.Convert:
		w += perLane(x.Kind())
	case *ir.Binary:
		switch x.Op {
		case ir.OpDiv, ir.OpQuo, ir.OpRem:
			w += 6
		default:
			w += perLane(ir.Wider(x.X.Kind(), x.Y.Kind()))
		}
	case *ir.Math:
		switch x.Fn {
		case "tl_fma", "tl_twice", "tl_ratio":
			w += 2
		default:
			w += 12
		}
	}
	return w
}

// perLane is the cost of an operation on elements of a kind.
func perLane(k ir.Kind) float64 { return max(float64(ir.Width(k)), 2) / 8 }

// place is what it costs to find an element of an array: nothing where indices and
// extents say where it lies.
func place(index ir.Expr) float64 {
	computed := false
	ir.WalkExpr(index, func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Load, *ir.Math:
			computed = true
		case *ir.Binary:
			computed = computed || x.Op == ir.OpQuo || x.Op == ir.OpRem
		}
	})
	if computed {
		return weight(index)
	}
	return 0
}

// simple reports whether x is made of variables, constants and arithmetic.
func simple(x ir.Expr) bool {
	ok := true
	ir.WalkExpr(x, func(x ir.Expr) {
		switch x.(type) {
		case *ir.Int, *ir.Use, *ir.Binary:
		default:
			ok = false
		}
	})
	return ok
}

// hasMicro reports whether statements update a tile in registers.
func hasMicro(list []ir.Stmt) bool {
	for _, s := range list {
		if _, ok := s.(*ir.Micro); ok {
			return true
		}
	}
	return false
}
