package laila

// rows stores what nests compute of a part of an array where it belongs, and not
// in an array of its own before.
//
// Requires and preserves what apart does.
func (l *lowerer) rows(f *Func) {
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
func (a *apartner) fused(block []Stmt) ([]Stmt, int) {
	var parts []*Nest
	var rest []Stmt // tests of flags
	n := 0
	for ; n < len(block); n++ {
		switch s := block[n].(type) {
		case *Comment:
			continue
		case *If:
			if len(parts) > 0 && stopsOnly(s) {
				rest = append(rest, s)
				continue
			}
			return nil, 0
		case *Nest:
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
func stopsOnly(s *If) bool {
	if len(s.Then) != 1 || len(s.Else) > 0 {
		return false
	}
	_, fails := s.Then[0].(*Fail)
	_, flag := s.Cond.(*Use)
	return fails && flag
}

func simpleMap(n *Nest) bool {
	return n.Kind == SegMap && len(n.Dims) == 1 && len(n.Red) == 0 && len(n.Pre) == 0 && len(n.Post) == 0 && straightMap(n.Body)
}

// straightMap reports whether a block has no branches, loops or faults.
func straightMap(block []Stmt) bool {
	for _, s := range block {
		switch s.(type) {
		case *Decl, *Assign, *Checked, *Store, *Comment:
		default:
			return false
		}
	}
	return true
}

// target returns the array, and the store, of a nest with one store.
func target(n *Nest) *Store {
	var store *Store
	for _, s := range n.Body {
		if st, ok := s.(*Store); ok {
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
func (a *apartner) join(parts []*Nest, rest []Stmt, last *Nest) []Stmt {
	st := target(last)
	if !simpleMap(last) || st == nil {
		return nil
	}
	var row *Buf
	loads := 0
	for _, s := range last.Body {
		for _, x := range Exprs(s) {
			WalkExpr(x, func(x Expr) {
				if ld, ok := x.(*Load); ok {
					loads++
					if u, ok := ld.Index.(*Use); ok && u.Var == last.Dims[0].Var {
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
		if w == nil || w.Buf != row || !same(n.Dims[0].Lo, end) {
			return nil
		}
		if u, ok := w.Index.(*Use); !ok || u.Var != n.Dims[0].Var {
			return nil
		}
		end = n.Dims[0].Hi
	}
	if !same(end, last.Dims[0].Hi) {
		return nil
	}
	return a.joined(parts, rest, last, row)
}

func (a *apartner) joined(parts []*Nest, rest []Stmt, last *Nest, row *Buf) []Stmt {
	l, d, st := a.l, last.Dims[0], target(last)
	p := a.parting(&For{Var: d.Var, Lo: d.Lo, Hi: d.Hi})
	p.whole = true
	p.stored[st.Buf] = true
	var nests []Stmt
	for _, n := range parts {
		whole := newCloner(l) // for the proof: all in terms of one index
		whole.vars[n.Dims[0].Var] = &Use{d.Var}
		body := whole.list(n.Body)
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
	apart := []Stmt{&If{p.holds(), nests, nil}}
	var both []Stmt
	for _, n := range parts {
		both = append(both, n)
	}
	stores := newCloner(l).stmt(last)
	apart[0].(*If).Else = append(both, stores)
	return append(apart, rest...)
}

// storing returns n with what it computes stored by last.
func (a *apartner) storing(n, last *Nest, row *Buf) *Nest {
	c := newCloner(a.l)
	out := *n
	v := c.fresh(n.Dims[0].Var)
	out.Dims = []Dim{{v, n.Dims[0].Lo, n.Dims[0].Hi}}
	out.Body = nil
	for _, s := range n.Body {
		st, ok := s.(*Store)
		if !ok {
			out.Body = append(out.Body, c.stmt(s))
			continue
		}
		x := a.l.newVar("e", row.Elem)
		if row.Elem.exact() {
			a.l.ranges[x] = a.l.rangeOf(st.X)
		}
		out.Body = append(out.Body, &Decl{x, c.expr(st.X)})
		e := newCloner(a.l)
		e.vars[last.Dims[0].Var] = &Use{v}
		e.load = func(ld *Load) Expr {
			if ld.Buf == row {
				return &Use{x}
			}
			return ld
		}
		out.Body = append(out.Body, e.list(last.Body)...)
	}
	return &out
}
