package timetiles

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A row of a stencil begins with an element that has no left neighbour, so the
// others begin at 1, and where rows are whole vectors wide every second vector of
// what is loaded and stored is on two cache lines. In time tiles, whose rows are in
// caches, these loops begin where vectors do:
//
//	for j = 1 … n: t[(i×n)+j] = …
//
// becomes
//
//	for j = 1 … 4: t[(i×n)+j] = …
//	for j = 4 … n: t[(i×n)+j] = …
//
// Storage begins at the beginning of a line. What is left after the last whole
// vector is done by a vector, too, that computes some elements again:
//
//	for j = 1 … 31: t[j] = …
//
// becomes, for vectors of four,
//
//	for j = 1 … 4: t[j] = …
//	for j = 4 … 28: t[j] = …
//	for j = 27 … 31: t[j] = …
//
// Requires: independent iterations, of which none reads what one of them stores.
// Preserves: what is stored, and flags.
type alignment struct {
	t *timeTiling
	r *rowReader

	pieces []facts.Interval // of the last loop
}

const (
	// vectorBytes is the size of a vector.
	vectorBytes = 32
	// Shorter loops stay as they are.
	leastAligned = 64
)

// align cuts the inner loops of a nest.
func (t *timeTiling) align(n *ir.Nest) {
	if !t.l.On("timealign") {
		return
	}
	a := &alignment{t: t, r: &rowReader{t: t, span: map[*ir.Var]facts.Interval{}, own: map[*ir.Var]affine.Poly{}}}
	for _, d := range n.Dims {
		a.r.span[d.Var] = facts.Between(0, largestIndex)
	}
	n.Body = a.block(n.Body)
}

func (a *alignment) block(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			if s.Init != nil && s.Var.Kind == ir.I64 {
				if f, ok := a.t.linear(s.Init, a.r); ok {
					a.r.own[s.Var] = f
				}
			}
		case *ir.For:
			for _, p := range a.cut(s.Var, s.Lo, s.Hi, s.Body) {
				c := a.t.l.NewCloner().Stmt(s).(*ir.For)
				c.Lo, c.Hi = ir.Integer(p.Lo), ir.Integer(p.Hi)
				out = append(out, c)
			}
			if len(a.pieces) > 0 {
				continue
			}
		case *ir.Nest:
			if len(s.Dims) != 1 || s.Kind != ir.SegMap {
				break
			}
			d := s.Dims[0]
			for _, p := range a.cut(d.Var, d.Lo, d.Hi, s.Body) {
				c := a.t.l.NewCloner().Nest(s)
				c.Dims[0].Lo, c.Dims[0].Hi = ir.Integer(p.Lo), ir.Integer(p.Hi)
				out = append(out, c)
			}
			if len(a.pieces) > 0 {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// cut returns the iterations of the loops that a loop becomes, none where it stays
// as it is.
func (a *alignment) cut(v *ir.Var, from, to ir.Expr, body []ir.Stmt) []facts.Interval {
	a.pieces = nil
	lo, ok := a.t.constant(from)
	hi, fine := a.t.constant(to)
	if !ok || !fine || hi-lo < leastAligned {
		return nil
	}
	a.r.span[v] = facts.Between(lo, hi-1)
	store := onlyStore(body)
	if store == nil {
		return nil
	}
	f, ok := a.t.linear(store.Index, a.r)
	if !ok || f.Coef(v) != 1 {
		return nil
	}
	lanes := vectorBytes / bytesOf(store.Buf.Elem)
	begin := lo
	if n := a.ahead(f, v, lo, lanes); n > 0 && lanes == vectorBytes/8 {
		begin += n
		a.pieces = append(a.pieces, facts.Between(lo, begin))
	}
	end := hi
	if rest := (hi - begin) % lanes; rest > max(1, lanes/8) && rest != lanes/2 {
		end -= rest
	}
	if begin == lo && end == hi {
		return nil
	}
	if a.pieces = append(a.pieces, facts.Between(begin, end)); end < hi {
		a.pieces = append(a.pieces, facts.Between(hi-lanes, hi))
	}
	return a.pieces
}

// ahead counts the iterations before the first one whose element is at the beginning
// of a vector, 0 where that is not the same in all rows.
func (a *alignment) ahead(f affine.Poly, v *ir.Var, lo, lanes int64) int64 {
	for _, u := range f.Vars() {
		if u != v && f.Coef(u)%lanes != 0 {
			return 0
		}
	}
	return (lanes - (lo+f.Coef())%lanes) % lanes
}

// onlyStore returns the store of straight code that has one and does not read what
// it stores, nor changes anything else but flags.
func onlyStore(body []ir.Stmt) *ir.Store {
	var store *ir.Store
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Store:
			if store != nil || s.Buf.Elem == ir.C64 {
				return nil
			}
			store = s
		case *ir.Assign:
			if flag, ok := s.X.(*ir.Binary); !ok || flag.Op != ir.OpOr || s.Var.Kind != ir.U8 || !ir.IsUse(flag.X, s.Var) {
				return nil
			}
		case *ir.Decl, *ir.Comment:
		default:
			return nil
		}
	}
	if store == nil {
		return nil
	}
	read := false
	for _, s := range body {
		for _, x := range ir.Exprs(s) {
			ir.EachLoad(x, func(b *ir.Buf) { read = read || b == store.Buf })
		}
	}
	if read {
		return nil
	}
	return store
}
