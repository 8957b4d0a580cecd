package arith

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// NarrowSums makes sums of narrow numbers accumulate in few bits, over blocks
// that are short enough for that:
//
//	segred { red i = 0 … n: s = s + i64(a[i] == c) }
//
// becomes
//
//	segred { red b = 0 … (n+32639) quo 32640:
//	  var p: i16 = 0
//	  segred { red i = b×32640 … n min (b+1)×32640: p = p + i16(a[i] == c) }
//	  s = s + i64(p) }
//
// as vectors hold four times as many integers of 16 bits as of 64. Nests that
// work on wide numbers stay as they are: there the narrow sum would cost
// conversions.
//
// Preserves: the order of faults. Needs ranges of variables and buffers.
func NarrowSums(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	return ir.RewriteNests(block, func(n *ir.Nest) []ir.Stmt { return []ir.Stmt{narrowed(l, n)} })
}

// fewTerms is the largest number of terms whose sum stays as it is.
const fewTerms = 64

// narrowSum is an accumulator that is to have a narrow part.
type narrowSum struct {
	assign *ir.Assign
	term   ir.Expr
	part   *ir.Var
}

// narrowed returns n with narrow sums, or n itself.
func narrowed(l *pass.Context, n *ir.Nest) *ir.Nest {
	if n.Kind != ir.SegRed || len(n.Dims) != 0 || len(n.Red) != 1 || n.Ordered() {
		return n
	}
	if d := n.Red[0]; l.RangeOf(d.Hi).Hi-max(l.RangeOf(d.Lo).Lo, 0) <= fewTerms {
		return n
	}
	bits := &BitsUsed{varying: varyingIn(n)}
	if !bits.Block(n.Body) || bits.Width > 4 {
		return n
	}
	kind, most := ir.I16, int64(1)<<15-1
	if bits.Width > 2 || bits.Width == 0 {
		kind, most = ir.I32, 1<<31-1
	}
	sums, size := sumsOf(l, n, most)
	if len(sums) == 0 {
		return n
	}
	tally := kind == ir.I16 && bits.Width == 1 && tallies(l, n, sums)
	if tally {
		size = ir.TallyBlock
	}
	return inBlocks(l, n, sums, kind, size, tally)
}

// sumsOf returns the sums of n that fit in kind over blocks of some size, and
// that size.
func sumsOf(l *pass.Context, n *ir.Nest, most int64) ([]*narrowSum, int64) {
	const least = 256
	accs := map[*ir.Var]bool{}
	for _, a := range n.Accs {
		if b, ok := a.Combine.(*ir.Binary); ok && b.Op == ir.OpAdd && a.Var.Kind == ir.I64 {
			accs[a.Var] = true
		}
	}
	var sums []*narrowSum
	size := most
	for _, s := range n.Body {
		a, ok := s.(*ir.Assign)
		if !ok || !accs[a.Var] {
			continue
		}
		term, ok := addend(a)
		if !ok {
			delete(accs, a.Var)
			continue
		}
		r := l.RangeOf(term)
		limit := max(-r.Lo, r.Hi, 1)
		if r.Lo < -most || r.Hi > most || most/limit < least || most/limit < 64 {
			continue
		}
		size = min(size, most/limit)
		sums = append(sums, &narrowSum{assign: a, term: term})
	}
	if reads := accReads(n, sums); len(reads) > 0 {
		return nil, 0
	}
	if size > 64 {
		size = size / 64 * 64
	}
	return sums, min(size, 1<<20)
}

// addend returns x, for v = v + x.
func addend(a *ir.Assign) (ir.Expr, bool) {
	b, ok := a.X.(*ir.Binary)
	if !ok || b.Op != ir.OpAdd {
		return nil, false
	}
	if u, ok := b.X.(*ir.Use); ok && u.Var == a.Var {
		return b.Y, true
	}
	if u, ok := b.Y.(*ir.Use); ok && u.Var == a.Var {
		return b.X, true
	}
	return nil, false
}

// accReads returns the accumulators that are read or assigned elsewhere in the
// body than in their sum.
func accReads(n *ir.Nest, sums []*narrowSum) []*ir.Var {
	var bad []*ir.Var
	for _, s := range sums {
		t := flow.NewTouched()
		for _, u := range n.Body {
			if u != ir.Stmt(s.assign) {
				t.Stmt(u)
			}
		}
		t.Expr(s.term)
		if t.Reads[s.assign.Var] || t.Writes[s.assign.Var] {
			bad = append(bad, s.assign.Var)
		}
	}
	return bad
}

// inBlocks returns n over blocks of size iterations, with narrow parts.
func inBlocks(l *pass.Context, n *ir.Nest, sums []*narrowSum, kind ir.Kind, size int64, tally bool) *ir.Nest {
	of := map[ir.Stmt]*narrowSum{}
	var decls, adds []ir.Stmt
	inner := &ir.Nest{Kind: ir.SegRed, Flags: n.Flags, At: n.At, Tally: tally}
	narrow := map[*ir.Var]bool{}
	for _, s := range sums {
		s.part = l.NewVar("part", kind)
		of[s.assign] = s
		narrow[s.assign.Var] = true
		decls = append(decls, s.part.Decl(&ir.Int{Val: 0, K: kind}))
		adds = append(adds, s.assign.Var.Assign(ir.OpAdd.Of(s.assign.Var.Use(), &ir.Convert{To: ir.I64, X: s.part.Use()})))
		x, y := l.NewVar("x", kind), l.NewVar("y", kind)
		inner.Accs = append(inner.Accs, ir.Acc{Var: s.part, Left: x, Right: y, Combine: ir.OpAdd.Of(x.Use(), y.Use()), Neutral: &ir.Int{Val: 0, K: kind}, Exact: true})
	}
	for _, a := range n.Accs {
		if !narrow[a.Var] {
			inner.Accs = append(inner.Accs, a)
		}
	}
	for _, s := range n.Body {
		if sum, ok := of[s]; ok {
			s = sum.part.Assign(ir.OpAdd.Of(sum.part.Use(), ir.ConvertTo(kind, sum.term)))
		}
		inner.Body = append(inner.Body, s)
	}
	d := n.Red[0]
	out := *n
	lo, okl := ir.IntOf(d.Lo)
	hi, okh := ir.IntOf(d.Hi)
	trips, short := l.Trips[d.Var]
	if okl && okh && hi-lo <= size || short && trips <= size { // one block
		inner.Red = n.Red
		out.Red = nil
		out.Pre = append(append(append([]ir.Stmt{}, n.Pre...), decls...), inner)
		out.Pre = append(append(out.Pre, adds...), n.Post...)
		out.Accs, out.Body, out.Post = nil, nil, nil
		return &out
	}
	b, from, to := l.NewVar("b", ir.I64), l.NewVar("from", ir.I64), l.NewVar("to", ir.I64)
	l.Ranges[b] = facts.Between(0, facts.MaxExtent)
	l.Ranges[from], l.Ranges[to] = facts.Between(0, facts.MaxExtent), facts.Between(0, facts.MaxExtent)
	inner.Red = []ir.Dim{{Var: d.Var, Lo: from.Use(), Hi: to.Use()}}
	count := ir.Quo(ir.Add(ir.Sub(d.Hi, d.Lo), ir.Integer(size-1)), ir.Integer(size))
	out.Red, out.Each = []ir.Dim{{Var: b, Lo: ir.Integer(0), Hi: count}}, size
	out.Body = append([]ir.Stmt{
		from.Decl(ir.Add(d.Lo, ir.Mul(b.Use(), ir.Integer(size)))),
		to.Decl(ir.OpMin.Of(ir.Add(from.Use(), ir.Integer(size)), d.Hi)),
	}, decls...)
	out.Body = append(append(out.Body, inner), adds...)
	return &out
}

// BitsUsed finds the widest elements, in bytes, that statements compute with,
// and whether they are doubles. Where varying is not nil, what does not depend
// on its variables is left out: it is computed once.
type BitsUsed struct {
	Width   int
	Doubles bool
	varying varying
}

// Block reports false where there is more than scalar code without branches.
func (w *BitsUsed) Block(block []ir.Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Comment:
		case *ir.Store:
			w.Width = max(w.Width, ir.Width(s.Buf.Elem))
		default:
			return false
		}
		for _, x := range ir.Exprs(s) {
			w.Expr(x, false)
		}
	}
	return true
}

// Expr notes how many bits of variables x uses; index says that it is an index.
func (w *BitsUsed) Expr(x ir.Expr, index bool) {
	if w.varying != nil && x != nil && w.varying.fixed(x) {
		if _, ok := x.(*ir.Int); !ok {
			w.Width = max(w.Width, 1)
		}
		return
	}
	switch x := x.(type) {
	case nil:
		return
	case *ir.Load:
		w.Width = max(w.Width, ir.Width(x.Buf.Elem))
		w.Doubles = w.Doubles || x.Buf.Elem == ir.F64
		return
	case *ir.Float, *ir.Math:
		w.Width = max(w.Width, 4)
		if x.Kind() == ir.F64 || x.Kind() == ir.C64 {
			w.Width = 8
		}
		w.Doubles = w.Doubles || x.Kind() == ir.F64
	case *ir.Convert:
		switch {
		case x.To == ir.F64 || x.X.Kind() == ir.F64:
			w.Width = 8
		case x.To == ir.I32 && x.X.Kind() == ir.I64:
			w.Width = max(w.Width, 4)
		}
	case *ir.Binary:
		if x.Op == ir.OpQuo || x.Op == ir.OpRem {
			w.Width = max(w.Width, min(ir.Width(x.X.Kind()), 8))
		}
	case *ir.Use:
		if x.Var.Kind == ir.F64 {
			w.Width, w.Doubles = 8, true
		}
	}
	for _, y := range ir.Operands(x) {
		w.Expr(y, index)
	}
}
