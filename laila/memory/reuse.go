package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Reuse puts an array into the storage of another one of as many elements that is not used
// any more where those of the new one are written: no element of the old one is read behind
// the place where the new one's is stored.
//
//	alloc x: f64[n]                      alloc x: f64[n]
//	segmap i = 0 … n: x[i] = f(i)        segmap i = 0 … n: x[i] = f(i)
//	alloc y: f64[n]
//	segmap i = 0 … n: y[i] = g(x[i])     segmap i = 0 … n: x[i] = g(x[i])
//	free x
//	… y …                                … x …
//	free y                               free x
//
// Requires: both are declared and freed in one block, and nothing leaves it in between.
// Preserves: values, and the order of faults.
func Reuse(l *pass.Context, f *ir.Func) {
	a := accessesOf(f)
	kept := map[*ir.Buf]bool{} // by what is known of loops
	for _, state := range l.Loops {
		for _, array := range state.Arrays {
			kept[array.Buf] = true
		}
	}
	r := &reuse{accesses: a, l: l, gone: map[ir.Stmt]bool{}}
	for _, b := range a.declaredInOrder() {
		if !kept[b] {
			r.place(b)
		}
	}
	if len(r.gone) > 0 {
		f.Body = without(f.Body, r.gone, nil)
	}
}

// mostOld is how many arrays are looked at for the storage of one.
const mostOld = 32

type reuse struct {
	*accesses
	l    *pass.Context
	gone map[ir.Stmt]bool
	old  []*ir.Buf // in the order of their declarations
}

// declaredInOrder returns the arrays that are declared once, with storage of their own.
func (a *accesses) declaredInOrder() []*ir.Buf {
	var bufs []*ir.Buf
	for b := range a.of {
		if at, _ := a.declaration(b); at != nil {
			bufs = append(bufs, b)
		}
	}
	slices.SortFunc(bufs, func(x, y *ir.Buf) int { return a.of[x][0].at.order - a.of[y][0].at.order })
	return bufs
}

// place looks for storage for b.
func (r *reuse) place(b *ir.Buf) {
	at, decl := r.declaration(b)
	end := r.freed(b, at)
	if n, ok := ir.IntOf(decl.Count); end == nil || decl.Zero || b.Stack > 0 || ok && n <= ir.StackLimit {
		return
	}
	for _, old := range r.old[max(0, len(r.old)-mostOld):] {
		from, was := r.declaration(old)
		last := r.freed(old, from)
		if old.Elem != b.Elem || last == nil || from.block != at.block {
			continue
		}
		c := &circuit{accesses: r.accesses, known: r.l.Assumptions(), at: end, src: b, dst: old, from: at, to: from}
		if last.order > end.order {
			c.at = last
		}
		n := c.poly(decl.Count)
		c.view = view{lmad: affine.LMAD{Dims: []affine.Dim{{Count: n, Stride: affine.Const(1)}}}, place: ir.Integer(0), dense: true}
		if !c.same(decl.Count, was.Count, from) || c.leavesBetween() || c.meets() {
			continue
		}
		keep, drop := end, last
		if last.order > end.order {
			keep, drop = last, end
		}
		r.gone[at.stmt], r.gone[drop.stmt] = true, true
		c.commitReuse(r.l, keep)
		return
	}
	r.old = append(r.old, b)
}

// freed returns where b, which is declared at a place, is freed in the same block; nil where
// that is not so, or where its storage changes hands.
func (a *accesses) freed(b *ir.Buf, at *place) *place {
	var end *place
	for _, x := range a.of[b] {
		switch {
		case x.do == hands:
			return nil
		case x.do == frees && (end != nil || x.at.block != at.block):
			return nil
		case x.do == frees:
			end = x.at
		}
	}
	return end
}

// commitReuse gives the uses of src to dst, which is freed at end.
func (c *circuit) commitReuse(l *pass.Context, end *place) {
	for _, x := range c.of[c.src] {
		if x.do != declares && x.do != frees {
			c.redirect(l, x.at)
		}
	}
	end.stmt.(*ir.Free).Buf = c.dst
	c.joinFacts(l)
	c.merge()
	c.of[c.dst] = slices.DeleteFunc(c.of[c.dst], func(x access) bool { return x.do == frees })
	c.of[c.dst] = append(c.of[c.dst], access{end, frees})
}
