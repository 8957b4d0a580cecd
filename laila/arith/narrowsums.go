package arith

import (
	"slices"

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
// as vectors hold four times as many integers of 16 bits as of 64; and has the greatest and
// the least of narrow numbers in few bits. Nests that
// work on wide numbers stay as they are: there the narrow sum would cost
// conversions.
//
// Preserves: the order of faults. Needs ranges of variables and buffers.
func NarrowSums(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	return ir.RewriteNests(block, func(n *ir.Nest) []ir.Stmt {
		if len(n.Red) > 1 {
			return []ir.Stmt{narrowedRows(l, n)}
		}
		return []ir.Stmt{narrowed(l, n)}
	})
}

// narrowedRows returns a nest over several axes with a nest over the last one in it, where
// that has narrow sums, else the nest itself.
func narrowedRows(l *pass.Context, n *ir.Nest) *ir.Nest {
	last := len(n.Red) - 1
	if n.Kind != ir.SegRed || len(n.Dims) != 0 || n.Rounds() {
		return n
	}
	out := l.Rows(n, last)
	row := out.Body[0].(*ir.Nest)
	inner := narrowed(l, row)
	if inner == row {
		return n
	}
	out.Body[0] = inner
	return out
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
	bits := &BitsUsed{varying: varyingIn(n)}
	if !bits.Block(n.Body) || bits.Width > 4 {
		return n
	}
	kinds := []ir.Kind{ir.I16, ir.I32}
	if bits.Width > 2 || bits.Width == 0 {
		kinds = kinds[1:]
	}
	few := l.RangeOf(n.Red[0].Hi).Hi-max(l.RangeOf(n.Red[0].Lo).Lo, 0) <= fewTerms
	if _, known := ir.Trips(n.Red[0]); few && !known { // what is added takes longer than the terms
		return n
	}
	n = withNarrowExtremes(l, n, bits.Width)
	if few {
		return n
	}
	sums, size := sumsOf(l, n, kinds)
	if len(sums) == 0 {
		return n
	}
	tally := bits.Width == 1 && tallies(l, n, sums)
	if tally {
		size = ir.TallyBlock
	}
	return inBlocks(l, n, sums, size, tally)
}

// sumsOf returns the sums of n that fit in one of some kinds over blocks of some size, and
// that size.
func sumsOf(l *pass.Context, n *ir.Nest, kinds []ir.Kind) ([]*narrowSum, int64) {
	const least = 256
	accs := map[*ir.Var]bool{}
	for _, a := range n.Accs {
		if b, ok := a.Combine.(*ir.Binary); ok && b.Op == ir.OpAdd && a.Var.Kind == ir.I64 {
			accs[a.Var] = true
		}
	}
	var sums []*narrowSum
	size := int64(1 << 20)
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
		for _, kind := range kinds {
			if most := facts.RangeOfKind(kind).Hi; r.Within(-most, most) && most/limit >= least {
				size = min(size, most/limit)
				sums = append(sums, &narrowSum{assign: a, term: term, part: l.NewVar("part", kind)})
				break
			}
		}
	}
	if reads := accReads(n, sums); len(reads) > 0 {
		return nil, 0
	}
	if size > 64 {
		size = size / 64 * 64
	}
	return sums, size
}

// withNarrowExtremes returns n with the greatest and the least of narrow numbers, of so many
// bytes, in variables of the kind of these:
//
//	segred { red i = 0 … n: v = v max i64(a[i]) }
//
// becomes
//
//	segred { pre part: i16 = least
//	  red i = 0 … n: part = part max a[i]
//	  post if 0 < n: v = v max i64(part) }
func withNarrowExtremes(l *pass.Context, n *ir.Nest, width int) *ir.Nest {
	out := *n
	out.Body = slices.Clone(n.Body)
	out.Accs = slices.Clone(n.Accs)
	d := n.Red[0]
	var post []ir.Stmt
	for k, acc := range n.Accs {
		b, ok := acc.Combine.(*ir.Binary)
		if !ok || b.Op != ir.OpMin && b.Op != ir.OpMax || acc.Var.Kind != ir.I64 {
			continue
		}
		i := slices.IndexFunc(n.Body, func(s ir.Stmt) bool {
			a, ok := s.(*ir.Assign)
			return ok && a.Var == acc.Var
		})
		if i < 0 {
			continue
		}
		a := n.Body[i].(*ir.Assign)
		term, ok := a.Operand(b.Op)
		if !ok || len(accReads(n, []*narrowSum{{assign: a, term: term}})) > 0 {
			continue
		}
		r := l.RangeOf(term)
		kind := ir.Wider(facts.Narrowest(r), kindOf(width))
		if kind == ir.I64 {
			continue
		}
		first := r.Hi
		if b.Op == ir.OpMax {
			first = r.Lo
		}
		neutral := &ir.Int{Val: first, K: kind}
		part, x, y := l.NewVar("part", kind), l.NewVar("x", kind), l.NewVar("y", kind)
		l.Ranges[part] = r
		out.Pre = append(out.Pre[:len(out.Pre):len(out.Pre)], part.Decl(neutral))
		out.Accs[k] = ir.Acc{Var: part, Left: x, Right: y, Combine: b.Op.Of(x.Use(), y.Use()), Neutral: neutral, Exact: true}
		out.Body[i] = part.Assign(b.Op.Of(part.Use(), ir.ConvertTo(kind, term)))
		post = append(post, acc.Var.Assign(b.Op.Of(acc.Var.Use(), ir.ConvertTo(ir.I64, part.Use()))))
	}
	if len(post) == 0 {
		return n
	}
	if !ir.IsInt(l.Compare(ir.OpLt, d.Lo, d.Hi), 1) {
		post = []ir.Stmt{&ir.If{Cond: ir.OpLt.Of(d.Lo, d.Hi), Then: post}}
	}
	out.Post = append(post, n.Post...)
	return &out
}

// kindOf is the kind of integers of so many bytes, 32 bits where that is not known.
func kindOf(width int) ir.Kind {
	switch width {
	case 1:
		return ir.I8
	case 2:
		return ir.I16
	}
	return ir.I32
}

// addend returns x, for v = v + x.
func addend(a *ir.Assign) (ir.Expr, bool) { return a.Operand(ir.OpAdd) }

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
func inBlocks(l *pass.Context, n *ir.Nest, sums []*narrowSum, size int64, tally bool) *ir.Nest {
	of := map[ir.Stmt]*narrowSum{}
	var decls, adds []ir.Stmt
	inner := &ir.Nest{Kind: ir.SegRed, Flags: n.Flags, At: n.At, Tally: tally}
	narrow := map[*ir.Var]bool{}
	for _, s := range sums {
		kind := s.part.Kind
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
			s = sum.part.Assign(ir.OpAdd.Of(sum.part.Use(), ir.ConvertTo(sum.part.Kind, sum.term)))
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
