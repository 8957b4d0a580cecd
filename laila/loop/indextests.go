package loop

import (
	"maps"
	"math"
	"slices"

	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
)

// A test of an index that stops the program at once keeps the loops around it
// from being vector code, and from being shared among threads. Such a nest
// notes in a flag that an index was out of range, and goes on with one that is
// not; where the flag was raised the nest is run again, in order and with the
// tests, which finds the first fault:
//
//	segred { red i = 0 … n
//	  if (x[i] < 1) | (m < x[i]) fail
//	  s = s + a[x[i] - 1] }
//
// becomes
//
//	var wrong = m < 1
//	segred { red i = 0 … (wrong ? 0 : n)
//	  wrong = wrong | (x[i] < 1) | (m < x[i])
//	  s = s + a[((x[i] max 1) min m) - 1] }
//	if wrong
//	  for i = 0 … n
//	    if (x[i] < 1) | (m < x[i]) fail
//	    s = s + a[x[i] - 1]
//
// Where the range of x is known, and the nest is in a loop, which may run it often and for
// few elements, it runs without tests where the range fits:
//
//	if most of x[i] ≤ m
//	  segred { red i = 0 … n: s = s + a[x[i] - 1] }
//	else …
//
// An array without elements has no index to go on with: then all is done in
// order. Other faults of the nest, which are noted in flags, come first where
// they were noted first.
//
// Requires: no iteration reads what another one writes. Preserves: the order
// of faults, as the nest runs in order whenever there is one.

// testedTrips is how many iterations a nest that is treated has at least.
const testedTrips = 64

// widestIndex is the most that the range of an index says something of the index; those of
// widths are what fits into the integers of an array.
const widestIndex = 1 << 30

var widths = []int64{math.MaxInt8, math.MaxUint8, math.MaxInt16, math.MaxUint16}

// IndexTests treats the nests of a block, and the loops that might be nests, which have
// nothing but tests of indices in the way of being shared. One inside a loop is run in
// order where it is short, too.
func IndexTests(l *pass.Context, block []ir.Stmt) []ir.Stmt { return indexTests(l, block, false) }

func indexTests(l *pass.Context, block []ir.Stmt, inside bool) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		n, _ := s.(*ir.Nest)
		if f, ok := s.(*ir.For); ok {
			n = nestOf(f)
		}
		if n != nil {
			if instead := flagged(l, n, inside); instead != nil {
				out = append(out, instead...)
				continue
			}
		}
		_, branch := s.(*ir.If)
		for _, inner := range ir.Blocks(s) {
			*inner = indexTests(l, *inner, inside || !branch)
		}
		out = append(out, s)
	}
	return out
}

// nestOf is a loop as a nest, or nil: each iteration stores at places of its own, and
// carries nothing on but flags.
func nestOf(f *ir.For) *ir.Nest {
	n := &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: f.Var, Lo: f.Lo, Hi: f.Hi}}, Body: f.Body}
	declared, stored := map[*ir.Var]bool{f.Var: true}, map[*ir.Buf]bool{}
	var own func(x ir.Expr) bool
	own = func(x ir.Expr) bool {
		if b, ok := x.(*ir.Binary); ok && (b.Op == ir.OpAdd || b.Op == ir.OpSub) && !ir.MentionsAny(b.Y, declared) {
			return ir.IsLoadFree(b.Y) && own(b.X)
		}
		u, ok := x.(*ir.Use)
		return ok && u.Var == f.Var
	}
	var visit func(block []ir.Stmt) bool
	visit = func(block []ir.Stmt) bool {
		for _, s := range block {
			switch s := s.(type) {
			case *ir.Decl:
				declared[s.Var] = true
			case *ir.Assign:
				if declared[s.Var] {
					continue
				}
				b, ok := s.X.(*ir.Binary)
				if !ok || b.Op != ir.OpOr || s.Var.Kind != ir.U8 || !ir.Same(b.X, s.Var.Use()) || ir.Mentions(b.Y, s.Var) {
					return false
				}
				if !slices.Contains(n.Flags, s.Var) {
					n.Flags = append(n.Flags, s.Var)
				}
			case *ir.Store:
				if stored[s.Buf] || !own(s.Index) {
					return false
				}
				stored[s.Buf] = true
			case *ir.If:
				if _, _, ok := indexTest(s); !ok && (!visit(s.Then) || !visit(s.Else)) {
					return false
				}
			case *ir.Comment:
			default:
				return false
			}
		}
		return true
	}
	if !visit(f.Body) {
		return nil
	}
	return n
}

// indexTest returns the index, and the extent that it is tested against, where
// a branch is such a test.
func indexTest(s *ir.If) (x *ir.Use, n ir.Expr, ok bool) {
	if len(s.Then) != 1 || len(s.Else) != 0 {
		return nil, nil, false
	}
	f, ok := s.Then[0].(*ir.Fail)
	if !ok || f.Fault != tail.FaultIndex || len(f.Args) != 3 || f.Args[0].X == nil || f.Args[1].X == nil {
		return nil, nil, false
	}
	x, ok = f.Args[0].X.(*ir.Use)
	return x, f.Args[1].X, ok
}

// flagger treats one nest.
type flagger struct {
	l        *pass.Context
	declared map[*ir.Var]bool
	private  map[*ir.Buf]bool
	stored   map[*ir.Buf]bool
	loaded   map[*ir.Buf]bool
	tested   map[*ir.Var]bool // indices that are tested
	empty    []ir.Expr        // extents that may be 0
	tests    int
	// fits is that the ranges of all indices are within their extents; nil where that is
	// not known before the nest.
	fits ir.Expr
}

func flagged(l *pass.Context, n *ir.Nest, inside bool) []ir.Stmt {
	space := ir.SpaceOf(n)
	if space == nil || !ir.CanCopy(n.Pre) || !ir.CanCopy(n.Body) || !ir.CanCopy(n.Post) {
		return nil
	}
	most := int64(1)
	var short ir.Expr = ir.Boolean(false)
	for _, d := range space {
		trips, known := ir.Trips(d)
		if !known {
			most = testedTrips
			if inside && len(space) == 1 {
				short = ir.OpLt.Of(ir.Sub(d.Hi, d.Lo), ir.Integer(testedTrips))
			}
			break
		}
		most *= max(trips, 0)
	}
	f := &flagger{l: l, declared: map[*ir.Var]bool{}, private: map[*ir.Buf]bool{}, stored: map[*ir.Buf]bool{}, loaded: map[*ir.Buf]bool{}, tested: map[*ir.Var]bool{}, fits: ir.Boolean(true)}
	for _, d := range space {
		f.declared[d.Var] = true
	}
	f.declare(n.Body)
	if most < testedTrips || !f.survey(n.Body) || f.tests == 0 || f.rereads() || f.scatters(n.Body) || f.stale(n.Body, map[*ir.Var]bool{}, map[*ir.Var]bool{}) {
		return nil
	}
	if hasOrdered(n) { // in order their digits would be others
		short = ir.Boolean(false)
	}
	if f.fits == nil || !inside {
		return f.nests(n, space, short)
	}
	then := []ir.Stmt{f.untested(n)}
	if n.Kind == ir.SegRed && !ir.IsInt(short, 0) { // vector code is slow to begin and to end
		then = []ir.Stmt{&ir.If{Cond: short, Then: inOrder(f.untested(n)), Else: then}}
	}
	return []ir.Stmt{&ir.If{Cond: f.fits, Then: then, Else: f.nests(n, space, short)}}
}

// hasOrdered reports whether there are sums in n whose order is not that of a loop.
func hasOrdered(n *ir.Nest) bool {
	found := n.Ordered()
	ir.Walk(n.Body, func(s ir.Stmt) {
		inner, ok := s.(*ir.Nest)
		found = found || ok && inner.Ordered()
	})
	return found
}

// untested is the nest without tests of indices.
func (f *flagger) untested(n *ir.Nest) *ir.Nest {
	c := f.l.NewCloner()
	c.Branch = func(s *ir.If) ([]ir.Stmt, bool) {
		_, _, ok := indexTest(s)
		return nil, ok
	}
	return c.Nest(n)
}

// inOrder is a nest as loops.
func inOrder(n *ir.Nest) []ir.Stmt {
	body := ir.InOrder(n.Body)
	for _, d := range slices.Backward(ir.SpaceOf(n)) {
		body = []ir.Stmt{&ir.For{Var: d.Var, Lo: d.Lo, Hi: d.Hi, Body: body}}
	}
	return append(append(slices.Clip(n.Pre), body...), n.Post...)
}

// fit notes that an index x has to be within an extent.
func (f *flagger) fit(x, n ir.Expr) {
	r := f.l.RangeOf(x)
	switch {
	case f.fits == nil:
	case r.Lo < 1 || r.Hi > widestIndex || slices.Contains(widths, r.Hi) || r.Hi > f.l.RangeOf(n).Hi || f.inside(n):
		f.fits = nil
	default:
		f.fits = ir.And(f.fits, ir.OpLe.Of(ir.Integer(r.Hi), n))
	}
}

// declare notes what a block declares.
func (f *flagger) declare(block []ir.Stmt) {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			f.declared[s.Var] = true
		case *ir.DeclBuf:
			f.private[s.Buf] = true
		case *ir.For:
			f.declared[s.Var] = true
		case *ir.Nest:
			for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
				f.declared[d.Var] = true
			}
		}
		for _, inner := range ir.Blocks(s) {
			f.declare(*inner)
		}
	}
}

// survey notes the tests of a block, and what it reads and writes. It is not
// ok where something else stops the program, or it is not certain that an
// index in range can stand for one that is not.
func (f *flagger) survey(block []ir.Stmt) bool {
	for _, s := range block {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				ir.EachLoad(x, func(b *ir.Buf) { f.loaded[b] = true })
			}
		}
		switch s := s.(type) {
		case *ir.Fail:
			return false
		case *ir.Store:
			f.stored[s.Buf] = true
		case *ir.Copy:
			f.stored[s.Dst], f.loaded[s.Src] = true, true
		case *ir.If:
			if x, n, ok := indexTest(s); ok {
				if f.l.RangeOf(x).Lo > 1 || cost.IsCostly(n) {
					return false
				}
				if f.l.RangeOf(n).Lo < 1 {
					if f.inside(n) {
						return false
					}
					f.empty = append(f.empty, n)
				}
				f.tested[x.Var] = true
				f.tests++
				f.fit(x, n)
				continue
			}
		}
		for _, inner := range ir.Blocks(s) {
			if !f.survey(*inner) {
				return false
			}
		}
	}
	return true
}

// inside reports whether x mentions what the nest declares.
func (f *flagger) inside(x ir.Expr) bool {
	if u, ok := x.(*ir.Use); ok && f.declared[u.Var] {
		return true
	}
	for _, y := range ir.Operands(x) {
		if y != nil && f.inside(y) {
			return true
		}
	}
	return false
}

// rereads reports whether the nest reads an array that it writes, so that it
// cannot be run again.
func (f *flagger) rereads() bool {
	for b := range f.stored {
		if f.loaded[b] && !f.private[b] {
			return true
		}
	}
	return false
}

// scatters reports whether a place that a block writes to depends on an index
// that is tested.
func (f *flagger) scatters(block []ir.Stmt) bool {
	depends := map[*ir.Var]bool{}
	for v := range f.tested {
		depends[v] = true
	}
	on := func(x ir.Expr) bool { return x != nil && ir.MentionsAny(x, depends) }
	for again := true; again; {
		again = false
		mark := func(v *ir.Var, x ir.Expr) {
			if on(x) && !depends[v] {
				depends[v], again = true, true
			}
		}
		var visit func(block []ir.Stmt)
		visit = func(block []ir.Stmt) {
			for _, s := range block {
				switch s := s.(type) {
				case *ir.Decl:
					mark(s.Var, s.Init)
				case *ir.Assign:
					mark(s.Var, s.X)
				case *ir.Checked:
					mark(s.Var, s.X)
					mark(s.Var, s.Y)
				}
				for _, inner := range ir.Blocks(s) {
					visit(*inner)
				}
			}
		}
		visit(block)
	}
	found := false
	var visit func(block []ir.Stmt)
	visit = func(block []ir.Stmt) {
		for _, s := range block {
			switch s := s.(type) {
			case *ir.Store:
				found = found || on(s.Index)
			case *ir.Copy:
				found = found || on(s.DstIndex) || on(s.SrcIndex) || on(s.Count)
			case *ir.DeclBuf:
				found = found || on(s.Count)
			case *ir.For:
				found = found || on(s.Lo) || on(s.Hi)
			case *ir.Nest:
				for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
					found = found || on(d.Lo) || on(d.Hi)
				}
			case *ir.BreakIf:
				found = found || on(s.Cond)
			case *ir.Loop:
				found = true // it might not end
			}
			for _, inner := range ir.Blocks(s) {
				visit(*inner)
			}
		}
	}
	visit(block)
	return found
}

// stale reports whether a place that a block reads from depends on the value
// that an index had before it was tested.
func (f *flagger) stale(block []ir.Stmt, clean, dirty map[*ir.Var]bool) bool {
	clean, dirty = maps.Clone(clean), maps.Clone(dirty)
	taints := func(x ir.Expr) bool {
		if x == nil {
			return false
		}
		found := false
		ir.EachUse(x, func(v *ir.Var) { found = found || dirty[v] || f.tested[v] && !clean[v] })
		return found
	}
	for _, s := range block {
		if b, ok := s.(*ir.If); ok {
			if x, _, ok := indexTest(b); ok {
				clean[x.Var] = true
				delete(dirty, x.Var)
				continue
			}
		}
		for _, x := range ir.Exprs(s) {
			if x != nil && f.readsAt(x, taints) {
				return true
			}
		}
		switch s := s.(type) {
		case *ir.Decl:
			if taints(s.Init) {
				dirty[s.Var] = true
			}
		case *ir.Assign:
			if taints(s.X) {
				dirty[s.Var] = true
			}
		case *ir.Checked:
			if taints(s.X) || taints(s.Y) {
				dirty[s.Var] = true
			}
		}
		for _, inner := range ir.Blocks(s) {
			if f.stale(*inner, clean, dirty) {
				return true
			}
		}
	}
	return false
}

// readsAt reports whether x reads from a place for which is holds.
func (f *flagger) readsAt(x ir.Expr, is func(ir.Expr) bool) bool {
	if ld, ok := x.(*ir.Load); ok && is(ld.Index) {
		return true
	}
	for _, y := range ir.Operands(x) {
		if y != nil && f.readsAt(y, is) {
			return true
		}
	}
	return false
}

// nests returns the nest with flags, and the loops in its place where a flag
// was raised, or where they are short.
func (f *flagger) nests(n *ir.Nest, space []ir.Dim, short ir.Expr) []ir.Stmt {
	l := f.l
	wrong := l.NewVar("wrong", ir.U8)
	l.Ranges[wrong] = facts.Between(0, 1)
	none := short
	for i, x := range f.empty {
		seen := false
		for _, y := range f.empty[:i] {
			seen = seen || ir.Same(x, y)
		}
		if !seen {
			none = ir.Or(none, ir.OpLt.Of(x, ir.Integer(1)))
		}
	}
	fast := l.NewCloner()
	fast.Branch = func(s *ir.If) ([]ir.Stmt, bool) {
		x, m, ok := indexTest(s)
		if !ok {
			return nil, false
		}
		cond, at, limit := fast.Expr(s.Cond), fast.Expr(x), fast.Expr(m)
		v := l.NewVar(x.Var.Name, ir.I64)
		l.Ranges[v] = facts.Between(1, max(l.RangeOf(limit).Hi, 1))
		fast.Vars[x.Var] = v.Use()
		return []ir.Stmt{
			wrong.Assign(ir.OpOr.Of(wrong.Use(), cond)),
			v.Decl(f.inRange(at, limit)),
		}, true
	}
	quick := *n
	quick.Pre, quick.Post = nil, nil
	quick.Dims, quick.Red = fast.Dims(n.Dims), fast.Dims(n.Red)
	quick.Flags = append(append([]*ir.Var{}, n.Flags...), wrong)
	quick.Body = fast.Block(n.Body)
	raising(quick.Body, wrong)
	out := append([]ir.Stmt{}, n.Pre...)
	if !ir.IsInt(none, 0) {
		dims := quick.Red
		if len(dims) == 0 {
			dims = quick.Dims
		}
		end := l.NewVar("end", ir.I64)
		l.Ranges[end] = l.RangeOf(dims[0].Hi).Union(l.RangeOf(dims[0].Lo))
		out = append(out, wrong.Decl(none), end.Decl(ir.Choose(wrong.Use(), dims[0].Lo, dims[0].Hi)))
		dims[0].Hi = end.Use()
	} else {
		out = append(out, wrong.Decl(ir.Boolean(false)))
	}
	slow := l.NewCloner()
	var before, again []ir.Stmt
	var raised ir.Expr = ir.Boolean(false)
	for _, v := range n.Flags {
		was := l.NewVar("was", ir.U8)
		before = append(before, was.Decl(v.Use()))
		again = append(again, v.Assign(was.Use()))
		raised = ir.Or(raised, v.Use())
	}
	slow.Branch = func(s *ir.If) ([]ir.Stmt, bool) {
		x, m, ok := indexTest(s)
		if !ok || len(n.Flags) == 0 {
			return nil, false
		}
		cond, at, limit := slow.Expr(s.Cond), slow.Expr(x), slow.Expr(m)
		first := ir.Not(raised)
		if l.RangeOf(limit).Lo < 1 {
			first = ir.Or(first, ir.OpLt.Of(limit, ir.Integer(1)))
		}
		fail := slow.Block(s.Then)
		v := l.NewVar(x.Var.Name, ir.I64)
		slow.Vars[x.Var] = v.Use()
		return []ir.Stmt{&ir.If{Cond: ir.And(cond, first), Then: fail}, v.Decl(f.inRange(at, limit))}, true
	}
	body := inOrder(&ir.Nest{Kind: ir.SegMap, Dims: slow.Dims(space), Body: slow.Block(n.Body)})
	out = append(append(out, before...), &quick, &ir.If{Cond: wrong.Use(), Then: append(again, body...)})
	return append(out, n.Post...)
}

// inRange is an index of 1 … limit, that at which it is one; limit is not less than 1.
func (f *flagger) inRange(at, limit ir.Expr) ir.Expr {
	x := ir.OpMin.Of(at, limit)
	if f.l.RangeOf(at).Lo >= 1 {
		return x
	}
	return ir.OpMax.Of(x, ir.Integer(1))
}

// raising gives a flag to the nests of a block that raise it, and reports whether the
// block does.
func raising(block []ir.Stmt, flag *ir.Var) bool {
	raised := false
	for _, s := range block {
		if a, ok := s.(*ir.Assign); ok && a.Var == flag {
			raised = true
		}
		inside := false
		for _, inner := range ir.Blocks(s) {
			inside = raising(*inner, flag) || inside
		}
		if n, ok := s.(*ir.Nest); ok && inside {
			n.Flags = append(slices.Clip(n.Flags), flag)
		}
		raised = raised || inside
	}
	return raised
}
