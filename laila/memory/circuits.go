package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Circuits computes an array where it is copied to (thesis 003, section 5): an array that is
// dead behind a copy of it takes its place in the other array from the beginning, and the
// copy is left out.
//
//	alloc a: f64[n]                   segmap i = 0 … n: s[at + i] = f(i)
//	segmap i = 0 … n: a[i] = f(i)
//	copy s[at] = a[0], n elements
//	free a
//
// Of an array s that is made for the copy the allocation moves to where that of a was. Of an
// older one no element is looked at in between, and the copy is certain to come; or its
// elements are looked at by no other name than that with which it changes places behind the
// copy, as the arrays of a loop's state do.
//
// Requires: faults that end the program, so that nobody sees elements that are written
// before one. Preserves: values, and the order of faults.
func Circuits(l *pass.Context, f *ir.Func) {
	a := accessesOf(f)
	gone := map[ir.Stmt]bool{}
	now := map[*ir.Buf]*circuit{}
	for _, p := range a.copies {
		c := &circuit{accesses: a, at: p, copy: p.stmt.(*ir.Copy)}
		if c.holds() == Elidable {
			c.commit(l, gone)
			now[c.copy.Src] = c
		}
	}
	if len(gone) > 0 {
		f.Body = without(f.Body, gone)
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
				array.Buf, whole = c.copy.Dst, whole && c.fresh
			}
			state.Arrays[i] = array
			if !whole {
				delete(l.Loops, s)
			}
		}
	}
}

// without returns a block without some statements.
func without(block []ir.Stmt, gone map[ir.Stmt]bool) []ir.Stmt {
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = without(*inner, gone)
		}
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
)

// circuit is a copy of src to dst that may be left out.
type circuit struct {
	*accesses
	at       *place
	copy     *ir.Copy
	from, to *place  // of the declarations
	base     ir.Expr // where src begins in dst
	fresh    bool    // dst is made for the copy
}

// holds says whether the copy can be left out.
func (c *circuit) holds() Verdict {
	src, dst := c.copy.Src, c.copy.Dst
	var made, target *ir.DeclBuf
	c.from, made = c.declaration(src)
	if c.to, target = c.declaration(dst); made == nil || target == nil || src == dst {
		return NotOwn
	}
	if !ir.IsInt(c.copy.SrcIndex, 0) || !ir.Same(c.value(c.copy.Count), c.value(made.Count)) {
		return Partly
	}
	if v := c.dead(); v != Elidable {
		return v
	}
	c.base = c.value(c.copy.DstIndex)
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
	for _, x := range c.of[c.copy.Src] {
		switch {
		case x.at.order > c.at.order && x.do != frees:
			return Alive
		case x.do == hands:
			return Handed
		}
	}
	return Elidable
}

// free says whether the elements of src may be in dst from the beginning.
func (c *circuit) free(made, target *ir.DeclBuf) Verdict {
	first := c.from.order
	if c.fresh {
		first = c.to.order
	}
	for _, x := range c.of[c.copy.Dst] {
		if x.at.order > first && x.at.order < c.at.order {
			return Looked
		}
	}
	whole := ir.IsInt(c.base, 0)
	switch {
	case c.fresh:
		if !whole || !ir.Same(c.value(target.Count), c.value(made.Count)) || made.Buf.Stack == 0 && target.Buf.Stack > 0 {
			return Partly
		}
		return Elidable
	case c.to.order > c.from.order:
		return Later
	case made.Zero:
		return Zeroed
	case c.at.block != c.from.block || c.leavesBetween():
		if !whole || !c.spare() {
			return Uncertain
		}
	}
	if !whole {
		if !c.steadyAt(c.base, c.from) {
			return Later
		}
		return c.movable()
	}
	return Elidable
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
	for _, x := range c.of[c.copy.Dst] {
		_, swap := x.at.stmt.(*ir.Swap)
		switch {
		case x.do == declares, x.do == frees, x.at == c.at:
		case swap && x.at.block == c.at.block && x.at.order > c.at.order:
		default:
			return false
		}
	}
	return true
}

// movable says whether src may begin elsewhere than where storage does.
func (c *circuit) movable() Verdict {
	for _, x := range c.of[c.copy.Src] {
		_, filter := x.at.stmt.(*ir.Filter)
		if x.do == passes || filter && x.do == stores {
			return Passed
		}
	}
	return Elidable
}

// commit leaves the copy out.
func (c *circuit) commit(l *pass.Context, gone map[ir.Stmt]bool) {
	src, dst := c.copy.Src, c.copy.Dst
	gone[c.at.stmt] = true
	for _, x := range c.of[src] {
		switch {
		case x.do == frees:
			gone[x.at.stmt] = true
		case x.do != declares && x.at != c.at:
			redirect(x.at.stmt, src, dst, c.base)
		}
	}
	if c.fresh {
		c.from.stmt.(*ir.DeclBuf).Buf = dst
		gone[c.to.stmt] = true
	} else {
		gone[c.from.stmt] = true
	}
	c.joinFacts(l)
	c.merge()
}

// joinFacts says of dst what is known of both arrays.
func (c *circuit) joinFacts(l *pass.Context) {
	src, dst := c.copy.Src, c.copy.Dst
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
	for _, x := range c.of[c.copy.Dst] {
		if x.at != c.at && !(c.fresh && x.at == c.to) {
			all = append(all, x)
		}
	}
	for _, x := range c.of[c.copy.Src] {
		if x.do != frees && x.at != c.at && (c.fresh || x.do != declares) {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(x, y access) int { return x.at.order - y.at.order })
	c.of[c.copy.Dst] = all
	delete(c.of, c.copy.Src)
}

// redirect puts dst from base on in the place of src in what s does itself.
func redirect(s ir.Stmt, src, dst *ir.Buf, base ir.Expr) {
	ir.MapExprs(s, func(x ir.Expr) ir.Expr {
		if ld, ok := x.(*ir.Load); ok && ld.Buf == src {
			return dst.Load(ir.Add(base, ld.Index))
		}
		return x
	})
	place := func(b **ir.Buf, at *ir.Expr) {
		if *b == src {
			*b = dst
			if at != nil {
				*at = ir.Add(base, *at)
			}
		}
	}
	switch s := s.(type) {
	case *ir.Store:
		place(&s.Buf, &s.Index)
	case *ir.Copy:
		place(&s.Dst, &s.DstIndex)
		place(&s.Src, &s.SrcIndex)
	case *ir.Filter:
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
