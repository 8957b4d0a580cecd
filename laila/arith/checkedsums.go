package arith

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

const (
	// hoistedTrips is how many terms a sum has at least whose tests are hoisted.
	hoistedTrips = 64
	// hoistedSum bounds sums that certainly do not overflow.
	hoistedSum = 1 << 62
)

// HoistSumTests takes the tests for overflow out of sums. The bits of the terms' magnitudes
// are collected beside the sum; where so many terms of that size may overflow, the sum is
// made again in order, with the tests:
//
//	segred { red i = 0 … n: t, overflow bad = s + x[i]; s = t }
//
// becomes
//
//	segred { red i = 0 … n: e = x[i]; s = s + e; size = size | (e xor (e shr 63)) }
//	if size >= 2*62 quo n + 1
//	  for i = 0 … n: t, overflow bad = s + x[i]; s = t
//
// The first loop is vector code, and threads can share it. The second one reads elements
// that the first one has stored, and stores none.
//
// Requires: no iteration reads what another one writes. Preserves: which sums overflow.
func HoistSumTests(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	known := map[*ir.Var]ir.Expr{} // the constants that variables have
	var out []ir.Stmt
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = HoistSumTests(l, *inner)
		}
		if n, ok := s.(*ir.Nest); ok {
			out = append(out, hoisted(l, n, known)...)
		} else {
			out = append(out, s)
		}
		set := map[*ir.Var]bool{}
		flow.NoteAssigned([]ir.Stmt{s}, set)
		for v := range set {
			delete(known, v)
		}
		if d, ok := s.(*ir.Decl); ok {
			if _, constant := ir.IntOf(d.Init); constant {
				known[d.Var] = d.Init
			}
		}
	}
	return out
}

// hoisted returns a nest with what comes before and after it.
func hoisted(l *pass.Context, n *ir.Nest, known map[*ir.Var]ir.Expr) []ir.Stmt {
	sums, _ := flow.CheckedSums(n)
	var before, after []ir.Stmt
	for k := len(sums) - 1; k >= 0; k-- { // places before the last one stay
		h := &hoister{Context: l, n: n, sum: sums[k]}
		if h.start, h.out = h.ends(); h.start == nil {
			continue
		}
		first := h.start.Init
		if u, ok := first.(*ir.Use); ok && known[u.Var] != nil {
			first = known[u.Var]
		}
		if h.fits(first) {
			h.plain(h.sum.Term)
			continue
		}
		if slice, ok := h.slice(); ok && h.long() {
			b, a := h.hoist(slice)
			before, after = append(before, b...), append(after, a)
		}
	}
	return append(append(before, n), after...)
}

// fits reports whether the ranges of the first value and of the terms, and how many there
// are, show that the sum does not overflow.
func (h *hoister) fits(first ir.Expr) bool {
	n, known := ir.IntOf(h.terms())
	r := h.RangeOf(h.sum.Term).Union(h.RangeOf(first))
	return known && n > 0 && r.Within(-hoistedSum/n, hoistedSum/n)
}

// plain leaves out the tests of the sum.
func (h *hoister) plain(term ir.Expr, more ...ir.Stmt) {
	acc, n := h.sum.Acc.Var, h.n
	body := append([]ir.Stmt{}, n.Body[:h.sum.At]...)
	body = append(append(body, acc.Assign(ir.OpAdd.Of(acc.Use(), term))), more...)
	n.Body = append(body, n.Body[h.sum.At+2:]...)
	set := map[*ir.Var]bool{}
	flow.NoteAssigned(n.Body, set)
	n.Flags = slices.DeleteFunc(slices.Clone(n.Flags), func(v *ir.Var) bool { return !set[v] })
}

// hoister hoists the tests of one sum.
type hoister struct {
	*pass.Context
	n     *ir.Nest
	sum   flow.CheckedSum
	start *ir.Decl // gives the sum its first value
	out   *ir.Var  // gets the last one
}

// hoist rewrites the nest; slice is what the term needs. It returns what comes before the
// nest and after it.
func (h *hoister) hoist(slice []ir.Stmt) (before []ir.Stmt, after ir.Stmt) {
	first, outer, inner := h.NewVar("start", ir.I64), h.NewVar("size", ir.I64), h.NewVar("size", ir.I64)
	term, left, right := h.NewVar("e", ir.I64), h.NewVar("x", ir.I64), h.NewVar("y", ir.I64)
	if r := h.RangeOf(h.sum.Term); r != facts.AnyInt {
		h.Ranges[term] = r
	}
	for _, v := range []*ir.Var{outer, inner, left, right} {
		h.Ranges[v] = facts.Between(0, facts.AnyInt.Hi)
	}
	again := h.again(slice, first)
	before = []ir.Stmt{first.Decl(h.start.Init), outer.Decl(magnitude(first.Use()))}
	acc, n := h.sum.Acc.Var, h.n
	n.Pre = append(replaced(n.Pre, h.start, acc.Decl(first.Use())), inner.Decl(outer.Use()))
	n.Accs = append(append([]ir.Acc{}, n.Accs...), ir.Acc{Var: inner, Left: left, Right: right, Combine: ir.OpOr.Of(left.Use(), right.Use()), Neutral: ir.Integer(0), Exact: true})
	n.Body = slices.Insert(slices.Clone(n.Body), h.sum.At, ir.Stmt(term.Decl(h.sum.Term)))
	h.sum.At++
	h.plain(term.Use(), inner.Assign(ir.OpOr.Of(inner.Use(), magnitude(term.Use()))))
	n.Post = append(append([]ir.Stmt{}, n.Post...), outer.Assign(inner.Use()))
	return before, &ir.If{Cond: ir.OpGe.Of(outer.Use(), ir.OpQuo.Of(ir.Integer(hoistedSum), h.terms())), Then: again}
}

// magnitude is x where it is not negative, else ¯1-x: both have the bits of |x| at most.
func magnitude(x ir.Expr) ir.Expr {
	if c, ok := ir.IntOf(x); ok {
		return ir.Integer(c ^ c>>63)
	}
	return ir.OpXor.Of(x, ir.OpShr.Of(x, ir.Integer(63)))
}

func replaced(block []ir.Stmt, old, s ir.Stmt) []ir.Stmt {
	out := append([]ir.Stmt{}, block...)
	out[slices.Index(out, old)] = s
	return out
}

// terms is how many terms there are, with the first value.
func (h *hoister) terms() ir.Expr {
	n := ir.Expr(ir.Integer(1))
	for _, d := range h.n.Red {
		n = ir.Mul(n, h.Larger(ir.Sub(d.Hi, d.Lo), ir.Integer(0)))
	}
	return ir.Add(n, ir.Integer(1))
}

// again makes the sum in order, with its tests.
func (h *hoister) again(slice []ir.Stmt, first *ir.Var) []ir.Stmt {
	c := h.NewCloner()
	acc, t := h.NewVar("acc", ir.I64), h.NewVar("t", ir.I64)
	dims := c.Dims(h.n.Red)
	body := c.List(slice)
	body = append(body, t.Decl(nil), &ir.Checked{Var: t, Op: ir.OpAdd, X: acc.Use(), Y: c.Expr(h.sum.Term), Flag: h.sum.Test.Flag}, acc.Assign(t.Use()))
	for i := len(dims) - 1; i >= 0; i-- {
		body = []ir.Stmt{&ir.For{Var: dims[i].Var, Lo: dims[i].Lo, Hi: dims[i].Hi, Body: body}}
	}
	return append(append([]ir.Stmt{acc.Decl(first.Use())}, body...), h.out.Assign(acc.Use()))
}

// long reports whether there may be many terms.
func (h *hoister) long() bool {
	most := int64(1)
	for _, d := range h.n.Red {
		n, known := ir.Trips(d)
		if !known {
			return true
		}
		most *= max(n, 0)
	}
	return most >= hoistedTrips
}

// ends returns the declaration that gives the sum its first value, and the variable that
// gets the last one; nil where they are not so simple.
func (h *hoister) ends() (start *ir.Decl, out *ir.Var) {
	for _, s := range h.n.Pre {
		if d, ok := s.(*ir.Decl); ok && d.Var == h.sum.Acc.Var {
			start = d
		}
	}
	uses := 0
	for _, s := range h.n.Post {
		for _, x := range ir.Exprs(s) {
			ir.EachUse(x, func(v *ir.Var) {
				if v == h.sum.Acc.Var {
					uses++
				}
			})
		}
		if a, ok := s.(*ir.Assign); ok && ir.IsUse(a.X, h.sum.Acc.Var) {
			out = a.Var
		}
	}
	if uses != 1 || start == nil || start.Init == nil {
		return nil, nil
	}
	return start, out
}

// slice returns the declarations of the body that the term needs, in order; it is not ok
// where it needs more than these, or an element that is stored behind.
func (h *hoister) slice() (slice []ir.Stmt, ok bool) {
	assigned, needed := map[*ir.Var]bool{}, map[*ir.Var]bool{}
	flow.NoteAssigned(h.n.Body, assigned)
	loaded := map[*ir.Buf]bool{}
	need := func(x ir.Expr) {
		ir.EachUse(x, func(v *ir.Var) { needed[v] = true })
		ir.EachLoad(x, func(b *ir.Buf) { loaded[b] = true })
	}
	need(h.sum.Term)
	for k := len(h.n.Body) - 1; k >= 0; k-- {
		switch s := h.n.Body[k].(type) {
		case *ir.Decl:
			if needed[s.Var] && k < h.sum.At && s.Init != nil && !assigned[s.Var] {
				need(s.Init)
				slice = append([]ir.Stmt{s}, slice...)
			}
		case *ir.Store:
			if loaded[s.Buf] && k > h.first(s.Buf) {
				return nil, false
			}
		case *ir.Assign, *ir.Checked, *ir.Comment:
		case *ir.If:
			if !onlyFails(s) {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	for v := range needed {
		if assigned[v] {
			return nil, false
		}
	}
	return slice, true
}

// onlyFails reports whether a branch does nothing but stop the program.
func onlyFails(s *ir.If) bool {
	for _, t := range append(append([]ir.Stmt{}, s.Then...), s.Else...) {
		if _, ok := t.(*ir.Fail); !ok {
			return false
		}
	}
	return true
}

// first returns where the body first reads b.
func (h *hoister) first(b *ir.Buf) int {
	for k, s := range h.n.Body {
		for _, x := range ir.Exprs(s) {
			found := false
			ir.EachLoad(x, func(c *ir.Buf) { found = found || b == c })
			if found {
				return k
			}
		}
	}
	return len(h.n.Body)
}
