package place

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Remake computes elements of a vector again where they are read, when that
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
func Remake(l *pass.Context, f *ir.Func) {
	r := &remaker{Context: l, Survey: flow.SurveyOf(f), main: f == l.Out.Main, heads: map[*ir.Nest]int64{}, headStores: map[*ir.Store]bool{}, before: map[ir.Stmt][]ir.Stmt{}, made: map[*flow.Frame][]instance{}}
	for _, b := range r.Order {
		switch m := r.candidate(b); {
		case m == nil:
		case r.sliced(m, m.store.X, map[*ir.Var]bool{}) && r.pays(m):
			r.replace(m)
		case len(m.space) == 1:
			r.keepHead(m)
		}
	}
	if len(r.before) > 0 {
		f.Body = r.insert(f.Body)
	}
}

// remaker holds the state of the pass.
type remaker struct {
	*pass.Context
	*flow.Survey
	before map[ir.Stmt][]ir.Stmt // what to insert
	made   map[*flow.Frame][]instance
	main   bool // it is the main program, which runs once
	// heads are nests of which the first elements are kept (heads.go), and how
	// many; headStores store them.
	heads      map[*ir.Nest]int64
	headStores map[*ir.Store]bool
}

// instance is an element that is computed again in a frame.
type instance struct {
	buf *ir.Buf
	key string
	v   *ir.Var
}

// remade is an array whose elements can be computed again.
type remade struct {
	*flow.Sites
	buf   *ir.Buf
	nest  *ir.Nest
	body  *flow.Frame // of the nest
	store *ir.Store
	at    int        // where the store stands
	slice []*ir.Decl // what an element needs, in order
	space []ir.Dim   // the nest's
	index ir.Expr    // the place of a point of it
}

// candidate returns what is known of a buffer that one nest fills, a vector
// whose elements are read one at a time, or nil.
func (r *remaker) candidate(b *ir.Buf) *remade {
	u := r.Of(b)
	if u.Decl == nil || u.Decl.Count == nil || u.Decl.Zero || b.Stack > 0 || b.Const || len(u.Stores) != 1 || len(u.Reads) == 0 || len(u.Other)+len(u.Whole) > 0 {
		return nil
	}
	st := u.Stores[0]
	n, ok := st.Frame.Of.(*ir.Nest)
	if !ok || !st.Frame.Body || st.Frame.Parent != u.Home {
		return nil
	}
	m := &remade{Sites: u, buf: b, nest: n, body: st.Frame, store: st.Stmt.(*ir.Store), at: st.At, space: ir.SpaceOf(n), index: ir.Integer(0)}
	count := ir.Expr(ir.Integer(1))
	for _, d := range m.space {
		if !ir.IsInt(d.Lo, 0) {
			return nil
		}
		m.index, count = ir.Add(ir.Mul(m.index, d.Hi), d.Var.Use()), ir.Mul(count, d.Hi)
	}
	if len(m.space) == 0 || !ir.Same(count, u.Decl.Count) || !ir.Same(r.spelt(m.store.Index), m.index) || !r.readable(m) {
		return nil
	}
	return m
}

// readable reports whether all reads come after the store: those in the nest
// of the element that the iteration stores, and the others in statements where
// declarations can be put before.
func (r *remaker) readable(m *remade) bool {
	for _, p := range m.Reads {
		if at, ok := p.Frame.Within(m.body, p.At); ok {
			if at <= m.at || !r.readsOnly(p.Stmt, m.buf, m.index) {
				return false
			}
			continue
		}
		if at, ok := p.Frame.Within(m.Home, p.At); !ok || at <= m.body.At || len(m.space) > 1 && p.Frame != m.Home {
			return false
		}
		switch p.Stmt.(type) {
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store, *ir.If, *ir.BreakIf, *ir.Filter:
		default:
			return false
		}
	}
	return true
}

// readsOnly reports whether s is straight code that reads b at one place only.
func (r *remaker) readsOnly(s ir.Stmt, b *ir.Buf, place ir.Expr) bool {
	ok := copyScalar(s) != nil
	for _, x := range ir.Exprs(s) {
		ir.MapExpr(x, func(y ir.Expr) ir.Expr {
			if l, load := y.(*ir.Load); load && l.Buf == b {
				ok = ok && ir.Same(r.spelt(l.Index), place)
			}
			return y
		})
	}
	return ok
}

// spelt is an index without names, that of a sum of products neither.
func (r *remaker) spelt(index ir.Expr) ir.Expr {
	x := r.Canonical(index)
	if u, ok := x.(*ir.Use); ok {
		if sum, ok := r.Value(u.Var).(*ir.Binary); ok {
			return r.Canonical(sum)
		}
	}
	return x
}

// sliced collects the declarations that x needs; it reports false where x
// cannot be computed outside of the nest.
func (r *remaker) sliced(m *remade, x ir.Expr, seen map[*ir.Var]bool) bool {
	switch x := x.(type) {
	case *ir.Use:
		v := x.Var
		if m.over(v) || seen[v] {
			return true
		}
		if r.Assigned[v] {
			return false
		}
		home := r.Home[v]
		if home == nil {
			return true // a parameter, or the index of a loop around
		}
		if _, inside := home.Within(m.body, 0); inside {
			d := r.Defs[v]
			if home != m.body || d == nil || d.Init == nil || !r.sliced(m, d.Init, seen) {
				return false
			}
			seen[v] = true
			m.slice = append(m.slice, d)
			return len(m.slice) <= maxSlice
		}
		return home.Of != ir.Stmt(m.nest)
	case *ir.Load:
		if c := r.Of(x.Buf); c.Home != nil {
			if _, inside := c.Home.Within(m.body, 0); inside {
				return false
			}
		}
		if r.WrittenFrom(x.Buf, m.Home, m.body.At) {
			return false
		}
	case *ir.Math:
		if unsteady[x.Fn] || flow.ScalarMath[x.Fn] {
			return false
		}
	}
	if x.Kind() == ir.C64 {
		return false
	}
	for _, y := range ir.Operands(x) {
		if !r.sliced(m, y, seen) {
			return false
		}
	}
	return true
}

// over reports whether v is an index of the nest.
func (m *remade) over(v *ir.Var) bool {
	return slices.ContainsFunc(m.space, func(d ir.Dim) bool { return d.Var == v })
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
	r.redirect(m, func(p flow.Spot, index ir.Expr) ir.Expr { return r.element(m, p, index) })
}

// redirect binds the elements of m to a variable of the nest, which is what the
// nest reads then; what others read is elsewhere(p, index).
func (r *remaker) redirect(m *remade, elsewhere func(p flow.Spot, index ir.Expr) ir.Expr) {
	v := r.NewVar("e", m.buf.Elem)
	r.copyFacts(v, m)
	own := v.Decl(m.store.X)
	m.store.X = v.Use()
	r.put(m.store, m.body, own)
	for _, p := range m.Reads {
		at := func(ir.Expr) ir.Expr { return v.Use() }
		if _, inside := p.Frame.Within(m.body, p.At); !inside {
			at = func(index ir.Expr) ir.Expr { return elsewhere(p, index) }
		}
		r.rewrite(p, m.buf, at)
	}
}

// copyFacts notes what is known of an element of m.
func (r *remaker) copyFacts(v *ir.Var, m *remade) {
	if k, ok := r.Bufs[m.buf]; ok {
		r.Ranges[v] = k
	}
	if s, ok := r.BufSpans[m.buf]; ok {
		r.Spans[v] = s
	}
}

// put inserts a declaration before s, a statement of f.
func (r *remaker) put(s ir.Stmt, f *flow.Frame, d *ir.Decl) {
	r.before[s] = append(r.before[s], d)
	r.Names(d.Var, f)
	r.Defs[d.Var] = d
}

// element returns an element of m for a statement that reads it.
func (r *remaker) element(m *remade, p flow.Spot, index ir.Expr) ir.Expr {
	index = r.Canonical(index)
	key, shared := "", r.constant(index)
	if shared {
		key = ir.IndexKey([]ir.Expr{index})
		for f := p.Frame; f != nil && f != m.Home.Parent; f = f.Parent {
			for _, i := range r.made[f] {
				if i.buf == m.buf && i.key == key {
					return i.v.Use()
				}
			}
		}
	}
	as := map[*ir.Var]ir.Expr{}
	decl := func(like *ir.Var, x ir.Expr) *ir.Var {
		v := r.NewVar(like.Name, like.Kind)
		if k, ok := r.Ranges[like]; ok {
			r.Ranges[v] = k
		}
		if s, ok := r.Spans[like]; ok {
			r.Spans[v] = s
		}
		r.put(p.Stmt, p.Frame, v.Decl(x))
		return v
	}
	for k := len(m.space) - 1; k >= 0; k-- {
		d, at := m.space[k], index
		if k > 0 {
			at, index = ir.Rem(index, d.Hi), ir.Quo(index, d.Hi)
		}
		switch at.(type) {
		case *ir.Use, *ir.Int:
			as[d.Var] = at
		default:
			v := decl(d.Var, at)
			r.Ranges[v] = facts.Between(0, r.RangeOf(d.Hi).Hi-1)
			as[d.Var] = v.Use()
		}
	}
	renamed := func(x ir.Expr) ir.Expr {
		return ir.MapExpr(x, func(y ir.Expr) ir.Expr {
			if u, ok := y.(*ir.Use); ok && as[u.Var] != nil {
				return as[u.Var]
			}
			return y
		})
	}
	for _, d := range m.slice {
		as[d.Var] = decl(d.Var, renamed(d.Init)).Use()
	}
	v := r.NewVar("e", m.buf.Elem)
	r.copyFacts(v, m)
	r.put(p.Stmt, p.Frame, v.Decl(renamed(r.Defs[m.store.X.(*ir.Use).Var].Init)))
	if _, filter := p.Stmt.(*ir.Filter); shared && !filter {
		r.made[p.Frame] = append(r.made[p.Frame], instance{m.buf, key, v})
	}
	return v.Use()
}

// constant reports whether the variables of x keep their values.
func (r *remaker) constant(x ir.Expr) bool {
	ok := true
	ir.MapExpr(x, func(y ir.Expr) ir.Expr {
		switch y := y.(type) {
		case *ir.Use:
			ok = ok && !r.Assigned[y.Var]
		case *ir.Int, *ir.Binary, *ir.Unary:
		default:
			ok = false
		}
		return y
	})
	return ok
}

// rewrite replaces the loads of b in a statement.
func (r *remaker) rewrite(p flow.Spot, b *ir.Buf, at func(index ir.Expr) ir.Expr) {
	change := func(x ir.Expr) ir.Expr {
		if l, ok := x.(*ir.Load); ok && l.Buf == b {
			return at(l.Index)
		}
		return x
	}
	switch s := p.Stmt.(type) {
	case *ir.If:
		s.Cond = ir.MapExpr(s.Cond, change)
	case *ir.BreakIf:
		s.Cond = ir.MapExpr(s.Cond, change)
	case *ir.Filter:
		s.Mask = ir.MapExpr(s.Mask, change)
		s.MaskPre = append(s.MaskPre, r.before[s]...)
		delete(r.before, s)
		s.X = ir.MapExpr(s.X, change)
		s.XPre = append(s.XPre, r.before[s]...)
		delete(r.before, s)
	default:
		ir.MapScalars(s, change)
	}
}

// insert puts the new declarations where they belong.
func (r *remaker) insert(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = r.insert(*inner)
		}
		out = append(out, r.before[s]...)
		if n, ok := s.(*ir.Nest); ok && r.heads[n] > 0 {
			out = append(out, r.beheaded(n)...)
			continue
		}
		out = append(out, s)
	}
	return out
}
