package loop

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Rows stores what nests compute of a part of an array where it belongs, and not
// in an array of its own before.
//
// Requires and preserves what apart does.
func Rows(l *pass.Context, f *ir.Func) {
	a := newApartner(l, f)
	f.Body = a.block(f.Body)
}

// fused returns what stands in the place of nests that compute a part of an
// array, of which they may read other parts, and a nest that stores it there:
//
//	segmap j = 0 … n: a[j] = s[i×n + j] - f × s[k×n + j]
//	if bad fail
//	segmap j = 0 … n: s[i×n + j] = a[j]
//
// becomes segmap j = 0 … n: s[i×n + j] = s[i×n + j] - f × s[k×n + j], where no
// iteration reads what another one writes. It also returns how many statements
// of the block, which begins with the first nest, that replaces.
func (a *apartner) fused(block []ir.Stmt) ([]ir.Stmt, int) {
	var parts []*ir.Nest
	var rest []ir.Stmt // tests of flags
	n := 0
	for ; n < len(block); n++ {
		switch s := block[n].(type) {
		case *ir.Comment:
			continue
		case *ir.If:
			if len(parts) > 0 && stopsOnly(s) {
				rest = append(rest, s)
				continue
			}
			return nil, 0
		case *ir.Nest:
			if len(parts) > 0 && len(s.Flags) == 0 {
				if instead := a.join(parts, rest, s); instead != nil {
					return instead, n + 1
				}
			}
			if len(rest) > 0 || !simpleMap(s) {
				return nil, 0
			}
			parts = append(parts, s)
			continue
		}
		return nil, 0
	}
	return nil, 0
}

// stopsOnly reports whether a branch does nothing but stop where a flag says so.
func stopsOnly(s *ir.If) bool {
	if len(s.Then) != 1 || len(s.Else) > 0 {
		return false
	}
	_, fails := s.Then[0].(*ir.Fail)
	_, flag := s.Cond.(*ir.Use)
	return fails && flag
}

func simpleMap(n *ir.Nest) bool {
	return n.Kind == ir.SegMap && len(n.Dims) == 1 && len(n.Red) == 0 && len(n.Pre) == 0 && len(n.Post) == 0 && ir.IsStraight(n.Body)
}

// target returns the array, and the store, of a nest with one store.
func target(n *ir.Nest) *ir.Store {
	var store *ir.Store
	for _, s := range n.Body {
		if st, ok := s.(*ir.Store); ok {
			if store != nil {
				return nil
			}
			store = st
		}
	}
	return store
}

// join returns the nests that store at once what parts compute and last stores,
// and the tests behind them; nil where that is not the same.
func (a *apartner) join(parts []*ir.Nest, rest []ir.Stmt, last *ir.Nest) []ir.Stmt {
	st := target(last)
	if !simpleMap(last) || st == nil {
		return nil
	}
	var row *ir.Buf
	loads := 0
	for _, s := range last.Body {
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if ld, ok := x.(*ir.Load); ok {
					loads++
					if u, ok := ld.Index.(*ir.Use); ok && u.Var == last.Dims[0].Var {
						row = ld.Buf
					}
				}
			})
		}
	}
	if loads != 1 || row == nil || row == st.Buf || a.reads[row] != 1 || a.other[row] || a.writes[row] != len(parts) {
		return nil
	}
	end := last.Dims[0].Lo
	for _, n := range parts {
		w := target(n)
		if w == nil || w.Buf != row || !ir.Same(n.Dims[0].Lo, end) {
			return nil
		}
		if u, ok := w.Index.(*ir.Use); !ok || u.Var != n.Dims[0].Var {
			return nil
		}
		end = n.Dims[0].Hi
	}
	if !ir.Same(end, last.Dims[0].Hi) {
		return nil
	}
	return a.joined(parts, rest, last, row)
}

func (a *apartner) joined(parts []*ir.Nest, rest []ir.Stmt, last *ir.Nest, row *ir.Buf) []ir.Stmt {
	l, d, st := a.l, last.Dims[0], target(last)
	p := a.parting(&ir.For{Var: d.Var, Lo: d.Lo, Hi: d.Hi})
	p.whole = true
	p.stored[st.Buf] = true
	var nests []ir.Stmt
	for _, n := range parts {
		whole := l.NewCloner() // for the proof: all in terms of one index
		whole.Vars[n.Dims[0].Var] = d.Var.Use()
		body := whole.List(n.Body)
		if !p.survey(body, true) || !p.access(body, true) {
			return nil
		}
		nests = append(nests, a.storing(n, last, row))
	}
	if !p.survey(last.Body, true) || !p.access(last.Body, true) || !p.independent() {
		return nil
	}
	if len(p.tests) == 0 {
		return append(nests, rest...)
	}
	apart := []ir.Stmt{&ir.If{Cond: p.holds(), Then: nests}}
	var both []ir.Stmt
	for _, n := range parts {
		both = append(both, n)
	}
	stores := l.NewCloner().Stmt(last)
	apart[0].(*ir.If).Else = append(both, stores)
	return append(apart, rest...)
}

// storing returns n with what it computes stored by last.
func (a *apartner) storing(n, last *ir.Nest, row *ir.Buf) *ir.Nest {
	c := a.l.NewCloner()
	out := *n
	v := c.Fresh(n.Dims[0].Var)
	out.Dims = []ir.Dim{{Var: v, Lo: n.Dims[0].Lo, Hi: n.Dims[0].Hi}}
	out.Body = nil
	for _, s := range n.Body {
		st, ok := s.(*ir.Store)
		if !ok {
			out.Body = append(out.Body, c.Stmt(s))
			continue
		}
		x := a.l.NewVar("e", row.Elem)
		if row.Elem.Exact() {
			a.l.Ranges[x] = a.l.RangeOf(st.X)
		}
		out.Body = append(out.Body, x.Decl(c.Expr(st.X)))
		e := a.l.NewCloner()
		e.Vars[last.Dims[0].Var] = v.Use()
		e.Load = func(ld *ir.Load) ir.Expr {
			if ld.Buf == row {
				return x.Use()
			}
			return ld
		}
		out.Body = append(out.Body, e.List(last.Body)...)
	}
	return &out
}
