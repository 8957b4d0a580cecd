package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Ends lets arrays of the state of a loop grow and shrink at their ends without being
// copied in every step. An array in storage becomes a part of its storage, which begins
// at an offset and is followed by room, so that
//
//	loop
//	  alloc t: i64[d]
//	  segmap i = 0 … d - 1: t[i] = s[i + 1]
//	  segmap i = d - 1 … d: t[i] = x
//	  swap s, t
//	  free t
//
// becomes
//
//	var off = 0, room = 0
//	loop
//	  at = off + 1
//	  if at + d > room { move the d - 1 elements from s[at] on to storage with room }
//	  off = at
//	  i = d - 1
//	  s[off + i] = x
//	if off != 0 { move the elements of s to storage of their own }
//
// with all other loads of s from off on. Where the step reads s behind the allocation, what
// comes to s waits in an array of its own until the exchange; it is of a constant size, or
// not computed from s, of which it may be a small part; where it does not, elements of s may be
// stored anew behind the copy, too. The storage grows by half, so that
// all moves together take time in proportion to what is put into it.
//
// Requires: buffers that are declared once. Preserves: values, and the order of faults.
func Ends(l *pass.Context, f *ir.Func) {
	f.Body = (&ends{Context: l, moves: map[*ir.Swap]bool{}}).block(sink(l, f.Body))
}

type ends struct {
	*pass.Context
	moves map[*ir.Swap]bool // exchanges that the pass makes
	nest  bool              // whether the loop is in a nest, in which maps are loops
}

// mapOf returns the map that x is, or that is the same as the loop x over one axis, as there are in nests, where the
// iterations of that do not depend on each other; nil where x is something else.
func mapOf(x ir.Stmt) *ir.Nest {
	switch x := x.(type) {
	case *ir.Nest:
		if x.Kind == ir.SegMap && len(x.Pre)+len(x.Post)+len(x.Red)+len(x.Flags) == 0 {
			return x
		}
	case *ir.For:
		return &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: x.Var, Lo: x.Lo, Hi: x.Hi}}, Body: x.Body}
	}
	return nil
}

// mapped returns a map over axes; it is loops in a nest.
func (e *ends) mapped(dims []ir.Dim, body ir.Stmt) ir.Stmt {
	if !e.nest {
		return &ir.Nest{Kind: ir.SegMap, Dims: dims, Body: []ir.Stmt{body}}
	}
	for i := len(dims) - 1; i >= 0; i-- {
		body = &ir.For{Var: dims[i].Var, Lo: dims[i].Lo, Hi: dims[i].Hi, Independent: true, Body: []ir.Stmt{body}}
	}
	return body
}

func (e *ends) block(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		var before, after []ir.Stmt
		switch loop := s.(type) {
		case *ir.For:
			before, after = e.loop(&loop.Body)
		case *ir.Loop:
			before, after = e.loop(&loop.Body)
		}
		if len(before) > 0 {
			delete(e.Loops, s) // a copy of its state would have no room
		}
		outer := e.nest
		if _, isNest := s.(*ir.Nest); isNest {
			e.nest = true
		}
		for _, inner := range ir.Blocks(s) {
			*inner = e.block(*inner)
		}
		e.nest = outer
		out = append(append(append(out, before...), s), after...)
	}
	return out
}

// part is an array of the state of a loop that is a part of its storage.
type part struct {
	buf       *ir.Buf
	off, room *ir.Var // off is nil where the array begins where its storage does
	len       *ir.Var // the number of elements, once off is not 0
	sites     []*site
	front     bool // something comes in front of the elements, or behind them
	back      bool
}

// site is where a step of a loop puts an array of its state together from a part of
// what the array was, and from other elements.
type site struct {
	decl   *ir.DeclBuf // of the new array
	kept   ir.Stmt     // copies what stays
	swap   *ir.Swap
	free   *ir.Free
	ends   []ir.Stmt // the statements that store other elements of the new array
	dims   []ir.Dim  // of the copy
	to     affine.Poly
	from   affine.Poly      // indices of the new array and of the old one
	start  affine.Poly      // of what stays, in the new array
	count  affine.Poly      // its number of elements
	shift  affine.Poly      // from less to, where the strides are the same
	same   ir.Expr          // whether they are, nil where that is sure
	behind map[ir.Stmt]bool // of the stores to other places of the new array: whether they are behind the copy
	early  []*ir.Decl       // variables of the above that are declared behind decl, the last one first
	front  bool
	back   bool
	sums   []definition // variables for which sums stand in those above
	news   int64        // the number of other elements, 0 if it is not known
	single []ir.Stmt    // the nests that store one of them
	direct bool         // nothing reads the array between the declaration and the exchange
	known  affine.Assumptions
}

// definition is the sum that a variable is.
type definition struct {
	v *ir.Var
	p affine.Poly
}

// loop rewrites the sites in the body of a loop, and returns what goes before the loop
// and after it.
func (e *ends) loop(body *[]ir.Stmt) (before, after []ir.Stmt) {
	inside := map[*ir.Buf]bool{}
	ir.Walk(*body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.DeclBuf:
			inside[s.Buf] = true
		case *ir.Alias:
			inside[s.Dst] = true
		case *ir.Call:
			for _, r := range s.Results {
				inside[r.Buf] = true
			}
		case *ir.Runtime:
			for _, r := range s.Results {
				inside[r.Buf] = true
			}
		}
	})
	*body = sink(e.Context, early(e.Context, *body, inside, func(*ir.Buf) fate { return used }))
	var order []*part
	parts := map[*ir.Buf]*part{}
	e.find(*body, inside, func(b *ir.Buf, s *site) {
		if parts[b] == nil {
			parts[b] = &part{buf: b}
			order = append(order, parts[b])
		}
		parts[b].sites = append(parts[b].sites, s)
	})
	for _, p := range order {
		if !e.settle(p, *body) {
			continue
		}
		before = append(before, e.begin(p)...)
		after = append(after, e.end(p)...)
		if p.off != nil {
			p.shiftLoads(*body)
		}
		*body = e.rewrite(*body, p)
	}
	return before, after
}

// find calls found for the sites in a block that runs in order.
func (e *ends) find(block []ir.Stmt, inside map[*ir.Buf]bool, found func(*ir.Buf, *site)) {
	for i, s := range block {
		if x, ok := s.(*ir.Swap); ok && !e.moves[x] {
			for _, p := range [][2]*ir.Buf{{x.A, x.B}, {x.B, x.A}} {
				if inside[p[0]] || !inside[p[1]] || e.Fixed[p[0]] && e.Fixed[p[1]] {
					continue
				}
				if site := e.siteAt(block, i, p[0], p[1]); site != nil {
					found(p[0], site)
				}
			}
		}
		for _, inner := range ir.SequentialBlocks(s) {
			e.find(*inner, inside, found)
		}
	}
}

// siteAt recognises a site that ends where statement number at of a block exchanges an
// array of the state with a new one.
func (e *ends) siteAt(block []ir.Stmt, at int, old, fresh *ir.Buf) *site {
	s := &site{swap: block[at].(*ir.Swap)}
	first, copied := -1, -1
	for i, x := range block {
		switch y := x.(type) {
		case *ir.DeclBuf:
			if y.Buf == fresh && i < at && y.Count != nil && y.Buf.Stack == 0 && !y.Zero {
				s.decl, first = y, i
				continue
			}
		case *ir.Free:
			if y.Buf == fresh && i > at {
				s.free = y
				continue
			}
		}
		if i == at || !mentions(x, fresh) {
			continue
		}
		switch {
		case s.decl == nil || i > at || !storesOnly(x, fresh):
			return nil
		case s.kept == nil && s.copies(x, old, fresh):
			s.kept, copied = x, i
		default:
			s.ends = append(s.ends, x)
		}
	}
	if s.decl == nil || s.free == nil || s.kept == nil {
		return nil
	}
	return e.checked(s, block, first, copied, at, old)
}

// checked returns the site where what it computes when it begins is still so when it
// ends, and nil elsewhere.
func (e *ends) checked(s *site, block []ir.Stmt, first, copied, at int, old *ir.Buf) *site {
	set := map[*ir.Var]bool{}
	flow.NoteAssigned(block[first:copied+1], set)
	for i := copied; i >= first; i-- {
		d, ok := block[i].(*ir.Decl)
		if !ok {
			continue
		}
		switch {
		case d.Init == nil || set[d.Var]:
			set[d.Var] = true
		case s.replace(d.Var, d.Init):
		case ir.IsLoadFree(d.Init) && slices.Contains(s.vars(), d.Var):
			s.early = append(s.early, d.Var.Decl(d.Init))
		default:
			set[d.Var] = true
		}
	}
	for _, d := range s.early {
		if ir.MentionsAny(d.Init, set) {
			return nil
		}
	}
	for _, v := range s.vars() {
		if set[v] {
			return nil
		}
	}
	s.direct = true
	for i, x := range block[first:at] {
		if writes(x, old) {
			return nil
		}
		s.direct = s.direct && (first+i == copied || !mentions(x, old) && !leaves(x))
	}
	defs := flow.Definitions(block[:first])
	gone := map[*ir.Var]bool{}
	flow.NoteAssigned(block[:first], gone)
	total := resolved(s.decl.Count, defs, gone)
	s.behind = map[ir.Stmt]bool{}
	s.known = e.minima(s, block[:at])
	for _, x := range s.ends {
		if !e.outside(s, x, nil) && !(s.direct && slices.Index(block, x) > copied) {
			return nil
		}
	}
	if len(s.ends) > 0 && !s.front && !s.back {
		return nil
	}
	n, ok := constant(total.Minus(resolve(s.count, defs, gone)))
	if len(s.ends) == 0 && !(ok && n == 0) {
		return nil // room for elements that are stored later
	}
	if !ok || n > mostEnds {
		return s
	}
	s.news = n
	for _, x := range s.ends {
		if nest := mapOf(x); nest != nil && len(nest.Dims) == 1 {
			if k, ok := constant(resolved(ir.Sub(nest.Dims[0].Hi, nest.Dims[0].Lo), defs, gone)); ok && k == 1 {
				s.single = append(s.single, x)
			}
		}
	}
	return s
}

// replace puts a sum in place of a variable.
func (s *site) replace(v *ir.Var, x ir.Expr) bool {
	q := sum(x)
	if !q.Known() {
		return false
	}
	put := func(y ir.Expr) ir.Expr {
		if ir.IsUse(y, v) {
			return x
		}
		return y
	}
	for _, p := range []*affine.Poly{&s.to, &s.from, &s.start, &s.count, &s.shift} {
		*p = p.Substitute(v, q)
	}
	s.sums = append(s.sums, definition{v, q})
	dims := make([]ir.Dim, len(s.dims))
	for i, d := range s.dims {
		dims[i] = ir.Dim{Var: d.Var, Lo: ir.MapExpr(d.Lo, put), Hi: ir.MapExpr(d.Hi, put)}
	}
	s.dims = dims
	if s.same != nil {
		s.same = ir.MapExpr(s.same, put)
	}
	for _, d := range s.early {
		d.Init = ir.MapExpr(d.Init, put)
	}
	return true
}

// outside reports whether a statement stores elements of the new array outside of what
// is copied only, and notes on which side; it is in loops over axes.
func (e *ends) outside(s *site, x ir.Stmt, axes []ir.Dim) bool {
	fresh := s.decl.Buf
	switch y := x.(type) {
	case *ir.Store:
		return y.Buf != fresh || e.beside(s, x, axes, sum(y.Index), sum(y.Index))
	case *ir.Copy:
		return y.Dst != fresh || e.beside(s, x, axes, sum(y.DstIndex), sum(ir.Add(y.DstIndex, y.Count)).Add(-1))
	case *ir.For:
		axes = append(slices.Clone(axes), ir.Dim{Var: y.Var, Lo: y.Lo, Hi: y.Hi})
	case *ir.Nest:
		axes = slices.Concat(axes, y.Dims, y.Red)
	}
	for _, inner := range ir.Blocks(x) {
		for _, z := range *inner {
			if !e.outside(s, z, axes) {
				return false
			}
		}
	}
	return true
}

// beside reports whether all places between two sums, over axes, are in front of what
// is copied or behind it.
func (e *ends) beside(s *site, x ir.Stmt, axes []ir.Dim, least, most affine.Poly) bool {
	known := s.known
	for i := len(axes) - 1; i >= 0; i-- {
		d := axes[i]
		a, _ := least.Split(d.Var)
		b, _ := most.Split(d.Var)
		if !a.Known() || !b.Known() || !known.NotNegative(a) || !known.NotNegative(b) {
			return false
		}
		least, most = least.Substitute(d.Var, sum(d.Lo)), most.Substitute(d.Var, sum(d.Hi).Add(-1))
	}
	for _, d := range s.sums {
		least, most = least.Substitute(d.v, d.p), most.Substitute(d.v, d.p)
	}
	switch end := s.start.Plus(s.count); {
	case least.Known() && known.NotNegative(least.Minus(end)):
		s.behind[x], s.back = true, true
	case most.Known() && known.NotNegative(s.start.Minus(most).Add(-1)):
		s.front = true
	default:
		return false
	}
	return true
}

// minima is what is known where a block ends: minima that it declares are behind the copy
// where both of their operands are.
func (e *ends) minima(s *site, block []ir.Stmt) affine.Assumptions {
	known, end := e.Assumptions(), s.start.Plus(s.count)
	gone := map[*ir.Var]bool{}
	flow.NoteAssigned(block, gone)
	defs := flow.Definitions(block)
	last := resolve(end, defs, gone)
	for _, x := range block {
		d, ok := x.(*ir.Decl)
		if !ok || gone[d.Var] {
			continue
		}
		m, ok := d.Init.(*ir.Binary)
		if !ok || m.Op != ir.OpMin || ir.MentionsAny(m, gone) {
			continue
		}
		x, y := resolved(m.X, defs, gone), resolved(m.Y, defs, gone)
		if x.Known() && y.Known() && known.NotNegative(x.Minus(last)) && known.NotNegative(y.Minus(last)) {
			known = known.Where(affine.Of(d.Var).Minus(end))
		}
	}
	return known
}

// mostEnds is the greatest number of elements that come to an array in a step and wait on
// the stack.
const mostEnds = 64

// vars are the variables of the copy and of the number of elements.
func (s *site) vars() []*ir.Var {
	vars := append(s.start.Vars(), s.count.Vars()...)
	vars = append(append(vars, s.shift.Vars()...), s.to.Vars()...)
	vars = append(vars, s.from.Vars()...)
	note := func(v *ir.Var) { vars = append(vars, v) }
	for _, d := range s.dims {
		ir.EachUse(d.Lo, note)
		ir.EachUse(d.Hi, note)
	}
	ir.EachUse(s.decl.Count, note)
	var own []*ir.Var
	for _, v := range vars {
		if !s.isAxis(v) {
			own = append(own, v)
		}
	}
	return own
}

func (s *site) isAxis(v *ir.Var) bool {
	for _, d := range s.dims {
		if d.Var == v {
			return true
		}
	}
	return false
}

// copies reports whether x copies elements of old to places of fresh that follow each
// other, and notes which.
func (s *site) copies(x ir.Stmt, old, fresh *ir.Buf) bool {
	switch x := x.(type) {
	case *ir.Copy:
		if x.Src != old || x.Dst != fresh {
			return false
		}
		v := &ir.Var{Name: "i", Kind: ir.I64}
		s.dims = []ir.Dim{{Var: v, Lo: ir.Integer(0), Hi: x.Count}}
		s.to, s.from = sum(ir.Add(x.DstIndex, v.Use())), sum(ir.Add(x.SrcIndex, v.Use()))
	default:
		n := mapOf(x)
		if n == nil || len(n.Body) != 1 {
			return false
		}
		store, ok := n.Body[0].(*ir.Store)
		if !ok {
			return false
		}
		load, ok := store.X.(*ir.Load)
		if !ok || load.Buf != old {
			return false
		}
		s.dims, s.to, s.from = n.Dims, sum(store.Index), sum(load.Index)
	}
	return s.follow()
}

// follow finds where the copy begins, how many elements it has, and whether they have
// the same strides in both arrays.
func (s *site) follow() bool {
	s.same = nil
	s.start, s.shift = s.to, s.from
	count := affine.Const(1)
	for i := len(s.dims) - 1; i >= 0; i-- {
		d := s.dims[i]
		lo, hi := sum(d.Lo), sum(d.Hi)
		a, _ := s.to.Split(d.Var)
		b, _ := s.from.Split(d.Var)
		if !a.Equal(count) || !b.Known() || s.mentionsAxis(b) || s.mentionsAxis(lo) || s.mentionsAxis(hi) {
			return false
		}
		if !b.Equal(a) {
			same := ir.OpEq.Of(b.Expr(), a.Expr())
			if s.same == nil {
				s.same = same
			} else {
				s.same = ir.And(s.same, same)
			}
		}
		s.start, s.shift = s.start.Substitute(d.Var, lo), s.shift.Substitute(d.Var, lo)
		count = count.Times(hi.Minus(lo))
	}
	s.shift, s.count = s.shift.Minus(s.start), count
	return s.start.Known() && s.count.Known() && s.shift.Known() && !s.mentionsAxis(s.start) && !s.mentionsAxis(s.shift)
}

func (s *site) mentionsAxis(p affine.Poly) bool {
	for _, d := range s.dims {
		if p.Mentions(d.Var) {
			return true
		}
	}
	return false
}

// settle decides whether the sites of a part are rewritten: nothing else in the loop
// may depend on where its storage begins, where the part does not begin there.
func (e *ends) settle(p *part, body []ir.Stmt) bool {
	shifted := false
	for _, s := range p.sites {
		p.front, p.back = p.front || s.front, p.back || s.back
		shifted = shifted || s.front || !s.shift.IsZero()
	}
	if !p.movable(body, shifted) {
		return false
	}
	if shifted {
		p.off, p.len = e.extent("off"), e.extent("len")
	}
	if p.front || p.back {
		p.room = e.extent("room")
	}
	return true
}

// movable reports whether a block does with the storage of a part only what the pass
// can follow.
func (p *part) movable(block []ir.Stmt, shifted bool) bool {
	ok := true
	ir.Walk(block, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Store:
			return
		case *ir.Swap:
			if p.siteOf(s) != nil {
				return
			}
		case *ir.Copy:
			for _, x := range p.sites {
				if x.kept == ir.Stmt(s) {
					return
				}
			}
		case *ir.Return:
			ok = false
		}
		ir.Buffers(s, func(b *ir.Buf) {
			if b != p.buf {
				return
			}
			switch s.(type) {
			case *ir.Runtime, *ir.Call, *ir.Copy, *ir.Micro, *ir.Filter:
				ok = ok && !shifted
			default:
				ok = false
			}
		})
	})
	return ok
}

func (p *part) siteOf(s *ir.Swap) *site {
	for _, x := range p.sites {
		if x.swap == s {
			return x
		}
	}
	return nil
}

// sum reads an index.
func sum(x ir.Expr) affine.Poly {
	r := affine.Reader{Leaf: func(_ *affine.Reader, x ir.Expr) affine.Poly {
		if u, ok := x.(*ir.Use); ok {
			return affine.Of(u.Var)
		}
		return affine.Unknown
	}}
	return r.Read(x)
}

// resolved reads an index in terms of what variables are that keep their values.
func resolved(x ir.Expr, defs map[*ir.Var]ir.Expr, gone map[*ir.Var]bool) affine.Poly {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok {
			return affine.Unknown
		}
		if init := defs[u.Var]; init != nil && !gone[u.Var] && !ir.MentionsAny(init, gone) {
			if p := r.Read(init); p.Known() {
				return p
			}
		}
		return affine.Of(u.Var)
	}}
	return r.Read(x)
}

func resolve(p affine.Poly, defs map[*ir.Var]ir.Expr, gone map[*ir.Var]bool) affine.Poly {
	return resolved(p.Expr(), defs, gone)
}

// constant returns the number that p is.
func constant(p affine.Poly) (int64, bool) {
	if !p.Known() || len(p.Vars()) > 0 {
		return 0, false
	}
	return p.Coef(), true
}

// leaves reports whether a statement may leave a loop or the function.
func leaves(s ir.Stmt) bool {
	found := false
	ir.Walk([]ir.Stmt{s}, func(x ir.Stmt) {
		switch x.(type) {
		case *ir.BreakIf, *ir.Return:
			found = true
		}
	})
	return found
}

// mentions reports whether a statement mentions b, in blocks of its own, too.
func mentions(s ir.Stmt, b *ir.Buf) bool {
	found := false
	ir.Walk([]ir.Stmt{s}, func(x ir.Stmt) { ir.EachBuffer(x, func(c *ir.Buf) { found = found || c == b }) })
	return found
}

// storesOnly reports whether a statement does nothing with b but to store elements.
func storesOnly(s ir.Stmt, b *ir.Buf) bool {
	only := true
	ir.Walk([]ir.Stmt{s}, func(x ir.Stmt) {
		for _, y := range ir.Exprs(x) {
			ir.EachLoad(y, func(c *ir.Buf) { only = only && c != b })
		}
		if c, ok := x.(*ir.Copy); ok && c.Src != b {
			return
		}
		if _, ok := x.(*ir.Store); !ok {
			ir.Buffers(x, func(c *ir.Buf) { only = only && c != b })
		}
	})
	return only
}

// writes reports whether a statement may change elements of b.
func writes(s ir.Stmt, b *ir.Buf) bool {
	found := false
	ir.Walk([]ir.Stmt{s}, func(x ir.Stmt) {
		if c, ok := x.(*ir.Copy); ok && c.Dst != b {
			return
		}
		ir.Buffers(x, func(c *ir.Buf) { found = found || c == b })
	})
	return found
}
