package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// InPlace stores the next value of an array of a loop's state over the old one, where no
// element of the old one is used behind the place where its successor is stored.
//
//	for step = 0 … k                      for step = 0 … k
//	  segmap i = 0 … n                      segmap i = 0 … n
//	    y[i] = x[i] + v[i]                    var t = x[i] + v[i]
//	    w[i] = f(x[i])                        w[i] = f(x[i])
//	                                          x[i] = t
//	  swap x, y
//
// A store that comes before uses of the old element in its iteration moves behind these.
//
// Requires: arrays that change places are of one size, and the second one is stored whole in
// every step. Preserves: values, and the order of faults.
func InPlace(l *pass.Context, f *ir.Func) {
	a := accessesOf(f)
	for i := 0; i < len(a.swaps); i++ {
		s := a.succession(a.swaps[i], l)
		if s == nil {
			continue
		}
		if s.clashes() {
			undo := s.sink(l)
			if undo == nil {
				continue
			}
			a = accessesOf(f)
			if s = a.succession(a.swaps[i], l); s == nil || s.clashes() {
				undo()
				a = accessesOf(f)
				continue
			}
		}
		gone := s.commit(l)
		f.Body = without(f.Body, gone, nil)
		a = accessesOf(f)
		i--
	}
}

// succession is an array of a loop's state and the one that changes places with it at the end
// of a block, of which nothing is used elsewhere.
type succession struct {
	circuit
	stores []*place // of the next elements
}

// succession returns what the swap at p makes the next value of, nil where something
// else uses the storage of the next value.
func (a *accesses) succession(p *place, l *pass.Context) *succession {
	swap := p.stmt.(*ir.Swap)
	made, decl := a.declaration(swap.B)
	if decl == nil || decl.Zero || swap.B.Stack > 0 || p.parent == nil || swap.A.Elem != swap.B.Elem {
		return nil
	}
	s := &succession{circuit: circuit{accesses: a, known: l.Assumptions(), at: p, src: swap.B, dst: swap.A}}
	for _, x := range a.of[swap.B] {
		switch {
		case x.at == made || x.at == p || x.do == frees && x.at.order > p.order:
			continue
		case x.at.order > p.order || !x.at.within(p.parent) || x.do == hands || len(s.stores) == 0 && x.do != stores:
			return nil
		case x.do == stores:
			s.stores = append(s.stores, x.at)
		}
	}
	if len(s.stores) == 0 {
		return nil
	}
	first := s.stores[0]
	for first.block != p.block {
		if first = first.parent; first == nil {
			return nil
		}
	}
	s.to = made
	s.from = &place{order: first.order - 1, block: p.block, parent: p.parent}
	if at, old := a.declaration(swap.A); !(l.Fixed[swap.A] && l.Fixed[swap.B]) && (old == nil || !s.same(decl.Count, old.Count, at)) {
		return nil
	}
	s.view = view{lmad: affine.LMAD{Dims: []affine.Dim{{Count: s.poly(decl.Count), Stride: affine.Const(1)}}}, place: ir.Integer(0), dense: true}
	return s
}

// clashes reports whether an element may be used when its successor is in its place.
func (s *succession) clashes() bool { return s.leavesBetween() || s.meets() }

// sink moves stores of next elements behind the statements that use the old ones in the same
// block, and returns what puts them back; nil where none can move.
func (s *succession) sink(l *pass.Context) (undo func()) {
	was := map[*[]ir.Stmt][]ir.Stmt{}
	for _, p := range s.stores {
		store, ok := p.stmt.(*ir.Store)
		if !ok || p.block == s.at.block {
			continue
		}
		block := *p.block
		k := slices.Index(block, ir.Stmt(store))
		if !s.usesOld(block[k+1:]) || !s.passable(store, block[k+1:]) {
			continue
		}
		if was[p.block] == nil {
			was[p.block] = block
		}
		t := l.NewVar("t", store.X.Kind())
		block = slices.Clone(block)
		block[k] = t.Decl(store.X)
		*p.block = append(block, store.Buf.Store(store.Index, t.Use()))
	}
	if len(was) == 0 {
		return nil
	}
	return func() {
		for block, old := range was {
			*block = old
		}
	}
}

// usesOld reports whether statements load elements of the old value.
func (s *succession) usesOld(block []ir.Stmt) bool {
	found := false
	ir.Walk(block, func(x ir.Stmt) {
		for _, e := range ir.Exprs(x) {
			if e != nil {
				ir.EachLoad(e, func(b *ir.Buf) { found = found || b == s.dst })
			}
		}
	})
	return found
}

// passable reports whether a store means the same behind statements.
func (s *succession) passable(store *ir.Store, block []ir.Stmt) bool {
	ok := ir.IsLoadFree(store.Index)
	ir.Walk(block, func(x ir.Stmt) {
		switch x.(type) {
		case *ir.BreakIf, *ir.Return:
			ok = false
		}
		ir.EachBuffer(x, func(b *ir.Buf) { ok = ok && b != s.src })
	})
	ir.EachUse(store.Index, func(v *ir.Var) { ok = ok && !s.changed[v] })
	return ok
}

// commit stores the next value over the old one, and returns the statements that have nothing
// to do any more.
func (s *succession) commit(l *pass.Context) map[ir.Stmt]bool {
	gone := map[ir.Stmt]bool{s.at.stmt: true}
	for _, x := range s.of[s.src] {
		switch {
		case x.do == declares || x.do == frees:
			gone[x.at.stmt] = true
		case x.at != s.at:
			s.redirect(l, x.at)
		}
	}
	s.joinFacts(l)
	return gone
}
