package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Circuits computes an array where it is copied to (thesis 003, section 5): an array that is
// dead behind a copy of it takes its place in the other array from the beginning, and the
// copy is left out. A filter begins to count where its elements begin.
//
//	alloc a: f64[n]                   segmap i = 0 … n: s[at + i] = f(i)
//	segmap i = 0 … n: a[i] = f(i)
//	copy s[at] = a[0], n elements
//	free a
//
// A copy is a statement, or a nest that stores all elements of a where an LMAD says. Of an
// array s that is made for the copy the allocation moves to where that of a was. Elements of
// an older one that the copy overwrites are not used between the places where those of a are
// computed and the copy, which is certain to come; or they are used by no other name than
// that with which s changes places behind the copy, as the arrays of a loop's state do.
//
// Requires: faults that end the program, so that nobody sees elements that are written
// before one. Preserves: values, and the order of faults.
func Circuits(l *pass.Context, f *ir.Func) {
	circuits(l, f, func(ir.Stmt) bool { return true })
}

// CopyCircuits does the same for copies that are statements: nests may be joined yet.
func CopyCircuits(l *pass.Context, f *ir.Func) {
	circuits(l, f, func(s ir.Stmt) bool {
		_, ok := s.(*ir.Copy)
		return ok
	})
}

func circuits(l *pass.Context, f *ir.Func, takes func(ir.Stmt) bool) {
	a := accessesOf(f)
	gone := map[ir.Stmt]bool{}
	now := map[*ir.Buf]*circuit{}
	for _, p := range a.copies {
		if gone[p.stmt] || !takes(p.stmt) {
			continue
		}
		if c := newCircuit(a, p, l.Assumptions()); c.holds() == Elidable {
			c.commit(l, gone)
			now[c.src] = c
		}
	}
	if len(gone) > 0 {
		f.Body = without(f.Body, gone, a.ahead)
		renameStates(l, now)
	}
}

// renameStates puts the arrays that others were computed in into the states of loops, of
// which nothing is said any more where such an array is a part of a larger one.
func renameStates(l *pass.Context, now map[*ir.Buf]*circuit) {
	for s, state := range l.Loops {
		for i, array := range state.Arrays {
			whole := true
			for c := now[array.Buf]; c != nil; c = now[array.Buf] {
				array.Buf, whole = c.dst, whole && c.fresh && c.whole
			}
			state.Arrays[i] = array
			if !whole {
				delete(l.Loops, s)
			}
		}
	}
}

// without returns a block without some statements, and with others ahead of some.
func without(block []ir.Stmt, gone map[ir.Stmt]bool, ahead map[ir.Stmt][]ir.Stmt) []ir.Stmt {
	for i := 0; i < len(block); i++ {
		s := block[i]
		for _, inner := range ir.Blocks(s) {
			*inner = without(*inner, gone, ahead)
		}
		block = slices.Insert(block, i, ahead[s]...)
		i += len(ahead[s])
	}
	return slices.DeleteFunc(block, func(s ir.Stmt) bool { return gone[s] })
}

// Verdict says whether a copy can be left out, and if not, why.
type Verdict string

// The verdicts.
const (
	Elidable  Verdict = ""
	NotOwn    Verdict = "what is copied has its storage from elsewhere, or is used elsewhere"
	Partly    Verdict = "a part of an array is copied"
	Alive     Verdict = "what is copied is used afterwards"
	Kept      Verdict = "what is copied is kept for the next step of a loop"
	Handed    Verdict = "what is copied changes hands"
	Looked    Verdict = "the elements that are overwritten are used before"
	Uncertain Verdict = "what is overwritten is kept where the copy does not come"
	Later     Verdict = "where it is copied to is known only when it has been computed"
	Zeroed    Verdict = "what is copied begins with zeros"
	Passed    Verdict = "a function needs it at the beginning of storage"
	Packed    Verdict = "its elements are used again, and are nearer to each other where they are"
)

// circuit is a copy of src to dst that may be left out.
type circuit struct {
	*accesses
	known    affine.Assumptions
	at       *place
	src, dst *ir.Buf
	from, to *place // of the declarations
	view     view   // where the elements of src are in dst
	fresh    bool   // dst is made for the copy
	whole    bool   // and nothing else is in it
}

// earlier is the first of the two declarations.
func (c *circuit) earlier() *place {
	if c.to.order < c.from.order {
		return c.to
	}
	return c.from
}

func newCircuit(a *accesses, at *place, known affine.Assumptions) *circuit {
	c := &circuit{accesses: a, known: known, at: at}
	switch s := at.stmt.(type) {
	case *ir.Copy:
		c.src, c.dst = s.Src, s.Dst
	case *ir.Nest:
		store := s.Body[len(s.Body)-1].(*ir.Store)
		c.src, c.dst = store.X.(*ir.Load).Buf, store.Buf
	}
	return c
}

// holds says whether the copy can be left out.
func (c *circuit) holds() Verdict {
	var made, target *ir.DeclBuf
	c.from, made = c.declaration(c.src)
	c.to, target = c.declaration(c.dst)
	if made == nil || target == nil || c.src == c.dst || c.from.order > c.at.order {
		return NotOwn
	}
	if !c.see(made) {
		return Partly
	}
	if v := c.dead(); v != Elidable {
		return v
	}
	c.fresh = c.to.block == c.from.block && c.to.order > c.from.order
	return c.free(made, target)
}

// dead says whether nothing uses src behind the copy, in a later step of a loop neither.
func (c *circuit) dead() Verdict {
	for p := c.at; p.block != c.from.block; p = p.parent {
		if p.parent == nil {
			return NotOwn
		}
		if _, ok := p.parent.stmt.(*ir.If); !ok {
			return Kept
		}
	}
	for _, x := range c.of[c.src] {
		switch {
		case x.at.order > c.at.end && x.do != frees:
			return Alive
		case x.do == hands:
			return Handed
		}
	}
	return Elidable
}

// free says whether the elements of src may be in dst from the beginning.
func (c *circuit) free(made, target *ir.DeclBuf) Verdict {
	c.whole = c.view.atStart() && c.same(target.Count, made.Count, c.earlier())
	switch {
	case c.fresh && c.whole:
		if made.Buf.Stack == 0 && target.Buf.Stack > 0 {
			return Partly
		}
	case c.fresh && (made.Buf.Stack == 0) != (target.Buf.Stack == 0):
		return Partly
	case !c.fresh && c.to.order > c.from.order:
		return Later
	case made.Zero:
		return Zeroed
	case c.fresh:
		if c.leavesBetween() || !c.allocatesEarly(target) {
			return Later
		}
	case c.at.block != c.from.block || c.leavesBetween():
		if !c.view.atStart() || !c.spare() {
			return Uncertain
		}
	}
	if !c.view.atStart() {
		if !c.isEarly() {
			return Later
		}
		if v := c.movable(); v != Elidable {
			return v
		}
	}
	if c.view.turn != nil && !c.onlyStored() {
		return Packed
	}
	if c.meets() {
		return Looked
	}
	return Elidable
}

// allocatesEarly reports whether the extents of dst are known where src is declared.
func (c *circuit) allocatesEarly(target *ir.DeclBuf) bool {
	for _, n := range append([]ir.Expr{target.Count}, target.Shape...) {
		if !c.before(c.poly(n)) || !c.usesBefore(c.early(n, nil), nil) {
			return false
		}
	}
	return true
}

// leavesBetween reports whether the copy may not come where src was begun.
func (c *circuit) leavesBetween() bool {
	i, _ := slices.BinarySearchFunc(c.leaves, c.from.order, func(p *place, n int) int { return p.order - n })
	for ; i < len(c.leaves) && c.leaves[i].order < c.at.order; i++ {
		if _, breaks := c.leaves[i].stmt.(*ir.BreakIf); !breaks || !c.inLoop(c.leaves[i]) {
			return true
		}
	}
	return false
}

// inLoop reports whether the loop that a BreakIf leaves is inside of the block of src.
func (c *circuit) inLoop(p *place) bool {
	for ; p.block != c.from.block; p = p.parent {
		if _, branch := p.parent.stmt.(*ir.If); !branch {
			return true
		}
	}
	return false
}

// spare reports whether the elements of dst are looked at by other names only, with which
// it changes places behind the copy.
func (c *circuit) spare() bool {
	for _, x := range c.of[c.dst] {
		_, swap := x.at.stmt.(*ir.Swap)
		switch {
		case x.do == declares, x.do == frees, x.at.within(c.at):
		case swap && x.at.block == c.at.block && x.at.order > c.at.order:
		default:
			return false
		}
	}
	return true
}

// movable says whether src may begin elsewhere than where storage does, and have its
// elements elsewhere than behind each other.
func (c *circuit) movable() Verdict {
	for _, x := range c.of[c.src] {
		if x.at.within(c.at) {
			continue
		}
		ordered := false
		switch s := x.at.stmt.(type) {
		case *ir.Filter:
			ordered = x.do == stores && !(c.view.dense && c.view.turn == nil && c.countsAlone(x.at, s))
		case *ir.Copy, *ir.Micro:
			ordered = !c.view.dense
		}
		switch {
		case x.do == passes || ordered:
			return Passed
		case !c.view.dense && x.do == loads:
			return Packed
		}
	}
	return Elidable
}

// commit leaves the copy out.
func (c *circuit) commit(l *pass.Context, gone map[ir.Stmt]bool) {
	gone[c.at.stmt] = true
	for _, x := range c.of[c.src] {
		switch {
		case x.do == frees:
			gone[x.at.stmt] = true
		case x.do != declares && !x.at.within(c.at):
			c.redirect(l, x.at)
			if c.idle(x.at.stmt) {
				gone[x.at.stmt] = true
			}
		}
	}
	if !c.fresh {
		gone[c.from.stmt] = true
	} else {
		made, target := c.from.stmt.(*ir.DeclBuf), c.to.stmt.(*ir.DeclBuf)
		made.Buf = c.dst
		if !c.whole {
			*made = *target
			made.Count = c.early(target.Count, nil)
			for i, n := range target.Shape {
				made.Shape[i] = c.early(n, nil)
			}
		}
		gone[c.to.stmt] = true
	}
	c.joinFacts(l)
	c.merge()
}

// idle reports whether a statement stores elements where they are.
func (c *circuit) idle(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Copy:
		return s.Dst == s.Src && c.poly(s.DstIndex).Equal(c.poly(s.SrcIndex))
	case *ir.Store:
		load, ok := s.X.(*ir.Load)
		return ok && load.Buf == s.Buf && c.poly(s.Index).Equal(c.poly(load.Index))
	}
	return false
}

// joinFacts says of dst what is known of both arrays.
func (c *circuit) joinFacts(l *pass.Context) {
	src, dst := c.src, c.dst
	if r, ok := l.Bufs[src]; ok {
		if s, ok := l.Bufs[dst]; ok {
			l.Bufs[dst] = s.Union(r)
		}
	} else {
		delete(l.Bufs, dst)
	}
	r, ok := l.BufSpans[src]
	s, ok2 := l.BufSpans[dst]
	if ok && ok2 {
		l.BufSpans[dst] = *facts.JoinSpans(&r, &s)
	} else {
		delete(l.BufSpans, dst)
	}
}

// merge gives the uses of src to dst.
func (c *circuit) merge() {
	var all []access
	for _, x := range c.of[c.dst] {
		if !x.at.within(c.at) && !(c.fresh && x.at == c.to) {
			all = append(all, x)
		}
	}
	for _, x := range c.of[c.src] {
		if x.do != frees && !x.at.within(c.at) && (c.fresh || x.do != declares) {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(x, y access) int { return x.at.order - y.at.order })
	c.of[c.dst] = all
	delete(c.of, c.src)
}

// redirect puts the elements of dst in the place of those of src in what s does itself.
func (c *circuit) redirect(l *pass.Context, at *place) {
	src, dst := c.src, c.dst
	ir.MapExprs(at.stmt, func(x ir.Expr) ir.Expr {
		if ld, ok := x.(*ir.Load); ok && ld.Buf == src {
			return dst.Load(c.index(ld.Index, at))
		}
		return x
	})
	place := func(b **ir.Buf, i *ir.Expr) {
		if *b == src {
			*b = dst
			switch {
			case i != nil && c.view.turn != nil:
				*i = c.turned(l, *i, at)
			case i != nil:
				*i = c.index(*i, at)
			}
		}
	}
	switch s := at.stmt.(type) {
	case *ir.Store:
		place(&s.Buf, &s.Index)
	case *ir.Copy:
		place(&s.Dst, &s.DstIndex)
		place(&s.Src, &s.SrcIndex)
	case *ir.Filter:
		if s.Dst == src && !c.view.atStart() {
			first := c.index(ir.Integer(0), at)
			c.ahead[s] = append(c.ahead[s], s.Count.Assign(first))
			s.Room = ir.Add(first, s.Room)
			c.assigned[s.Count] = append(c.assigned[s.Count], at)
		}
		place(&s.Dst, nil)
	case *ir.Micro:
		place(&s.C, &s.CAt)
		place(&s.A, &s.AAt)
		place(&s.B, &s.BAt)
	case *ir.Call:
		for i := range s.Args {
			place(&s.Args[i].Buf, nil)
		}
	case *ir.Runtime:
		for i := range s.Args {
			if s.Args[i].Array != nil {
				array := *s.Args[i].Array
				place(&array.Buf, nil)
				s.Args[i].Array = &array
			}
		}
	}
}
