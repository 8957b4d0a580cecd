package laila

// remake computes elements of a vector again where they are read, when that
// costs less than keeping the vector in memory:
//
//	alloc a: f64[n]
//	segred { red i = 0 … n: a[i] = f(i); s = s + a[i] }
//	segred { red j = 0 … n: t = t + g(a[j], s) }
//
// becomes
//
//	segred { red i = 0 … n: var e = f(i); s = s + e }
//	segred { red j = 0 … n: var e_2 = f(j); t = t + g(e_2, s) }
//
// Memory that nobody has touched yet is cleared by the system a page at a
// time, written, and read again: that takes as long as a dozen operations of
// vector code.
//
// What is computed again is what the single store of the array, in a nest over
// all of it, stores: declarations of the nest's body whose operands are the
// nest's index, variables that are never assigned, and elements of arrays that
// nobody writes from the nest on. Faults stay where they are, in the nest.
// Results are the same to the last bit: functions that have other results as
// vector code than as scalar code are not computed again.
//
// Requires: nests and reductions that have been joined, frees at the end of
// their block. Leaves stores and declarations that nobody reads.
func (l *lowerer) remake(f *Func) {
	r := &remaker{lowerer: l, survey: surveyed(f), main: f == l.out.Main, heads: map[*Nest]int64{}, headStores: map[*Store]bool{}, before: map[Stmt][]Stmt{}, made: map[*frame][]instance{}}
	for _, b := range r.order {
		switch m := r.candidate(b); {
		case m == nil:
		case r.sliced(m, m.store.X, map[*Var]bool{}) && r.pays(m):
			r.replace(m)
		default:
			r.keepHead(m)
		}
	}
	if len(r.before) > 0 {
		f.Body = r.insert(f.Body)
	}
}

// remaker holds the state of the pass.
type remaker struct {
	*lowerer
	*survey
	before map[Stmt][]Stmt // what to insert
	made   map[*frame][]instance
	main   bool // it is the main program, which runs once
	// heads are nests of which the first elements are kept (heads.go), and how
	// many; headStores store them.
	heads      map[*Nest]int64
	headStores map[*Store]bool
}

// instance is an element that is computed again in a frame.
type instance struct {
	buf *Buf
	key string
	v   *Var
}

// remade is an array whose elements can be computed again.
type remade struct {
	*bufSites
	buf   *Buf
	nest  *Nest
	body  *frame // of the nest
	store *Store
	at    int     // where the store stands
	slice []*Decl // what an element needs, in order
	index *Var
}

// candidate returns what is known of a buffer that one nest fills, a vector
// whose elements are read one at a time, or nil.
func (r *remaker) candidate(b *Buf) *remade {
	u := r.of(b)
	if u.decl == nil || u.decl.Count == nil || u.decl.Zero || b.Stack > 0 || b.Const || len(u.stores) != 1 || len(u.reads) == 0 || len(u.other)+len(u.whole) > 0 {
		return nil
	}
	st := u.stores[0]
	n, ok := st.frame.of.(*Nest)
	if !ok || !st.frame.body || st.frame.parent != u.home {
		return nil
	}
	space := spaceOf(n)
	if len(space) != 1 || !isInt(space[0].Lo, 0) || !same(space[0].Hi, u.decl.Count) {
		return nil
	}
	m := &remade{bufSites: u, buf: b, nest: n, body: st.frame, store: st.stmt.(*Store), at: st.at, index: space[0].Var}
	if !isUse(r.canonical(m.store.Index), m.index) || !r.readable(m) {
		return nil
	}
	return m
}

// readable reports whether all reads come after the store: those in the nest
// of the element that the iteration stores, and the others in statements where
// declarations can be put before.
func (r *remaker) readable(m *remade) bool {
	for _, p := range m.reads {
		if at, ok := p.frame.within(m.body, p.at); ok {
			if at <= m.at || !r.readsOnly(p.stmt, m.buf, m.index) {
				return false
			}
			continue
		}
		if at, ok := p.frame.within(m.home, p.at); !ok || at <= m.body.at {
			return false
		}
		switch p.stmt.(type) {
		case *Decl, *Assign, *Checked, *Store, *If, *BreakIf, *Filter:
		default:
			return false
		}
	}
	return true
}

// readsOnly reports whether s is straight code that reads b at the index v
// only.
func (r *remaker) readsOnly(s Stmt, b *Buf, v *Var) bool {
	ok := copyScalar(s) != nil
	for _, x := range Exprs(s) {
		mapExpr(x, func(y Expr) Expr {
			if l, load := y.(*Load); load && l.Buf == b {
				ok = ok && isUse(r.canonical(l.Index), v)
			}
			return y
		})
	}
	return ok
}

// sliced collects the declarations that x needs; it reports false where x
// cannot be computed outside of the nest.
func (r *remaker) sliced(m *remade, x Expr, seen map[*Var]bool) bool {
	switch x := x.(type) {
	case *Use:
		v := x.Var
		if v == m.index || seen[v] {
			return true
		}
		if r.assigned[v] {
			return false
		}
		home := r.home[v]
		if home == nil {
			return true // a parameter, or the index of a loop around
		}
		if _, inside := home.within(m.body, 0); inside {
			d := r.defs[v]
			if home != m.body || d == nil || d.Init == nil || !r.sliced(m, d.Init, seen) {
				return false
			}
			seen[v] = true
			m.slice = append(m.slice, d)
			return len(m.slice) <= maxSlice
		}
		return home.of != Stmt(m.nest)
	case *Load:
		if c := r.of(x.Buf); c.home != nil {
			if _, inside := c.home.within(m.body, 0); inside {
				return false
			}
		}
		if r.writtenFrom(x.Buf, m.home, m.body.at) {
			return false
		}
	case *Math:
		if unsteady[x.Fn] || scalarMath[x.Fn] {
			return false
		}
	}
	if x.Kind() == C64 {
		return false
	}
	for _, y := range Operands(x) {
		if !r.sliced(m, y, seen) {
			return false
		}
	}
	return true
}

// maxSlice is the largest number of declarations that are repeated.
const maxSlice = 40

// unsteady are functions whose last bit depends on whether they are vector
// code.
var unsteady = map[string]bool{
	"exp": true, "log": true, "pow": true, "sin": true, "cos": true, "tl_powd": true, "tl_logd": true, "tl_lnd": true,
}

// replace computes the elements of m where they are read.
func (r *remaker) replace(m *remade) {
	r.redirect(m, func(p spot, index Expr) Expr { return r.element(m, p, index) })
}

// redirect binds the elements of m to a variable of the nest, which is what the
// nest reads then; what others read is elsewhere(p, index).
func (r *remaker) redirect(m *remade, elsewhere func(p spot, index Expr) Expr) {
	v := r.newVar("e", m.buf.Elem)
	r.copyFacts(v, m)
	own := &Decl{v, m.store.X}
	m.store.X = &Use{v}
	r.put(m.store, m.body, own)
	for _, p := range m.reads {
		at := func(Expr) Expr { return &Use{v} }
		if _, inside := p.frame.within(m.body, p.at); !inside {
			at = func(index Expr) Expr { return elsewhere(p, index) }
		}
		r.rewrite(p, m.buf, at)
	}
}

// copyFacts notes what is known of an element of m.
func (r *remaker) copyFacts(v *Var, m *remade) {
	if k, ok := r.bufs[m.buf]; ok {
		r.ranges[v] = k
	}
	if s, ok := r.bufSpans[m.buf]; ok {
		r.spans[v] = s
	}
}

// put inserts a declaration before s, a statement of f.
func (r *remaker) put(s Stmt, f *frame, d *Decl) {
	r.before[s] = append(r.before[s], d)
	r.names(d.Var, f)
	r.defs[d.Var] = d
}

// element returns an element of m for a statement that reads it.
func (r *remaker) element(m *remade, p spot, index Expr) Expr {
	index = r.canonical(index)
	key, shared := "", r.constant(index)
	if shared {
		key = indexKey([]Expr{index})
		for f := p.frame; f != nil && f != m.home.parent; f = f.parent {
			for _, i := range r.made[f] {
				if i.buf == m.buf && i.key == key {
					return &Use{i.v}
				}
			}
		}
	}
	as := map[*Var]Expr{}
	decl := func(like *Var, x Expr) *Var {
		v := r.newVar(like.Name, like.Kind)
		if k, ok := r.ranges[like]; ok {
			r.ranges[v] = k
		}
		if s, ok := r.spans[like]; ok {
			r.spans[v] = s
		}
		r.put(p.stmt, p.frame, &Decl{v, x})
		return v
	}
	switch index.(type) {
	case *Use, *Int:
		as[m.index] = index
	default:
		as[m.index] = &Use{decl(m.index, index)}
	}
	renamed := func(x Expr) Expr {
		return mapExpr(x, func(y Expr) Expr {
			if u, ok := y.(*Use); ok && as[u.Var] != nil {
				return as[u.Var]
			}
			return y
		})
	}
	for _, d := range m.slice {
		as[d.Var] = &Use{decl(d.Var, renamed(d.Init))}
	}
	v := r.newVar("e", m.buf.Elem)
	r.copyFacts(v, m)
	r.put(p.stmt, p.frame, &Decl{v, renamed(r.defs[m.store.X.(*Use).Var].Init)})
	if _, filter := p.stmt.(*Filter); shared && !filter {
		r.made[p.frame] = append(r.made[p.frame], instance{m.buf, key, v})
	}
	return &Use{v}
}

// constant reports whether the variables of x keep their values.
func (r *remaker) constant(x Expr) bool {
	ok := true
	mapExpr(x, func(y Expr) Expr {
		switch y := y.(type) {
		case *Use:
			ok = ok && !r.assigned[y.Var]
		case *Int, *Binary, *Unary:
		default:
			ok = false
		}
		return y
	})
	return ok
}

// rewrite replaces the loads of b in a statement.
func (r *remaker) rewrite(p spot, b *Buf, at func(index Expr) Expr) {
	change := func(x Expr) Expr {
		if l, ok := x.(*Load); ok && l.Buf == b {
			return at(l.Index)
		}
		return x
	}
	switch s := p.stmt.(type) {
	case *If:
		s.Cond = mapExpr(s.Cond, change)
	case *BreakIf:
		s.Cond = mapExpr(s.Cond, change)
	case *Filter:
		s.Mask = mapExpr(s.Mask, change)
		s.MaskPre = append(s.MaskPre, r.before[s]...)
		delete(r.before, s)
		s.X = mapExpr(s.X, change)
		s.XPre = append(s.XPre, r.before[s]...)
		delete(r.before, s)
	default:
		mapScalars(s, change)
	}
}

// insert puts the new declarations where they belong.
func (r *remaker) insert(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = r.insert(*inner)
		}
		out = append(out, r.before[s]...)
		if n, ok := s.(*Nest); ok && r.heads[n] > 0 {
			out = append(out, r.beheaded(n)...)
			continue
		}
		out = append(out, s)
	}
	return out
}
