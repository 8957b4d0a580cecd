package timetiles

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// In time tiles, whose rows are in caches, what is left after the last whole vector of
// a row is done by a vector, too, that computes some elements again:
//
//	for j = 0 … 31: t[j] = …
//
// becomes, for vectors of four,
//
//	for j = 0 … 28: t[j] = …
//	for j = 27 … 31: t[j] = …
//
// Requires: independent iterations, of which none reads what one of them stores.
// Preserves: what is stored, and flags.

const (
	// vectorBytes is the size of a vector.
	vectorBytes = 32
	// Shorter loops stay as they are.
	leastCut = 64
)

// tails cuts the inner loops of a nest.
func (t *timeTiling) tails(n *ir.Nest) {
	if t.l.On("tails") {
		n.Body = t.cut(n.Body)
	}
}

// cut cuts the loops of a block.
func (t *timeTiling) cut(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		out = append(out, s)
		switch s := s.(type) {
		case *ir.For:
			if mid, from := t.tail(s.Lo, s.Hi, s.Var, s.Body); from > 0 {
				c := t.l.NewCloner().Stmt(s).(*ir.For)
				c.Lo, s.Hi = ir.Integer(from), ir.Integer(mid)
				out = append(out, c)
			}
		case *ir.Nest:
			if len(s.Dims) != 1 || s.Kind != ir.SegMap {
				break
			}
			d := &s.Dims[0]
			if mid, from := t.tail(d.Lo, d.Hi, d.Var, s.Body); from > 0 {
				c := t.l.NewCloner().Nest(s)
				c.Dims[0].Lo, d.Hi = ir.Integer(from), ir.Integer(mid)
				out = append(out, c)
			}
		}
	}
	return out
}

// tail returns where the whole vectors of a loop end, and where the last vector begins; or
// no numbers where the loop stays as it is.
func (t *timeTiling) tail(from, to ir.Expr, v *ir.Var, body []ir.Stmt) (mid, last int64) {
	lo, ok := t.constant(from)
	hi, fine := t.constant(to)
	store := onlyStore(body)
	if !ok || !fine || hi-lo < leastCut || store == nil || !follows(store.Index, v, body) {
		return 0, 0
	}
	lanes := vectorBytes / bytesOf(store.Buf.Elem)
	rest := (hi - lo) % lanes
	if rest <= max(1, lanes/8) || rest == lanes/2 {
		return 0, 0
	}
	return hi - rest, hi - lanes
}

// follows reports whether an index grows by 1 with v.
func follows(index ir.Expr, v *ir.Var, body []ir.Stmt) bool {
	inits := flow.Definitions(body)
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok {
			return affine.Unknown
		}
		if init := inits[u.Var]; init != nil {
			return r.Read(init)
		}
		return affine.Of(u.Var)
	}}
	by, _ := r.Read(index).Split(v)
	return by.Equal(affine.Const(1))
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
