package arith

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// steps is a loop each of whose steps makes arrays from what they held before it:
//
//	alloc s, u: i64[n]
//	for i = 0 … n: s[i] = i               ⍝ 0 … 100
//	for k = 0 … r                         ⍝ 50 at most
//	  for i = 0 … n: t, overflow bad = s[i] + i8(x[i]); u[i] = t
//	  swap s, u
//
// A step adds 128 at most to the greatest magnitude: it stays below 100 + 50×128.
type steps struct {
	loop   *ir.For
	arrays []*array
}

// growing notes the loops whose steps make arrays from what they held before.
func (b *bounds) growing() []*steps {
	var all []*steps
	of := map[*ir.For]*steps{}
	for _, a := range b.arrays {
		l := b.stepsOf(a)
		if l == nil {
			continue
		}
		if of[l] == nil {
			of[l] = &steps{loop: l}
			all = append(all, of[l])
		}
		of[l].arrays = append(of[l].arrays, a)
	}
	return all
}

// stepsOf returns the loop behind an array's declaration that swaps it.
func (b *bounds) stepsOf(a *array) *ir.For {
	if a.into != nil || !a.known {
		return nil
	}
	var l *ir.For
	for _, at := range a.swaps {
		if len(at) <= a.depth {
			return nil
		}
		of := b.forOf(at[a.depth])
		if of == nil || l != nil && of != l {
			return nil
		}
		l = of
	}
	return l
}

func (b *bounds) forOf(d dims) *ir.For {
	if len(d) != 1 {
		return nil
	}
	return b.fors[d[0].Var]
}

// inside reports whether x is stored in a loop.
func (b *bounds) inside(x stored, l *ir.For) bool {
	for _, d := range x.loops {
		if b.forOf(d) == l {
			return true
		}
	}
	return false
}

// grow bounds the arrays of a loop; it reports whether that says more than before.
func (b *bounds) grow(s *steps) bool {
	trips, ok := facts.SubInt(b.l.RangeOf(s.loop.Hi).Hi, b.l.RangeOf(s.loop.Lo).Lo)
	if !ok || trips > facts.MaxExtent {
		return false
	}
	first := int64(0)
	for _, a := range s.arrays {
		for _, x := range a.stored {
			if b.inside(x, s.loop) {
				continue
			}
			if r := b.l.RangeOf(x.x); r.Within(-mostFirst, mostFirst) {
				first = max(first, -r.Lo, r.Hi)
			} else {
				return false
			}
		}
	}
	w := &stepWalk{b: b, loop: s.loop, declared: map[*ir.Var]bool{}, step: facts.NewStep(b.l.Base)}
	w.depth = s.arrays[0].depth
	for _, a := range s.arrays {
		for _, buf := range a.bufs {
			w.step.Arrays[buf], w.step.Outside[buf] = true, true
		}
	}
	w.block(s.loop.Body, false)
	more, ok := w.gain(s.arrays)
	if !ok {
		return false
	}
	most, ok := facts.MulInt(more, max(trips, 0))
	if !ok || most > mostFirst {
		return false
	}
	better := false
	for _, a := range s.arrays {
		better = b.narrowed(a, facts.Between(-first-most, first+most)) || better
	}
	return better
}

// mostFirst bounds what is looked at.
const mostFirst = 1 << 60

// stepWalk notes what a step sets.
type stepWalk struct {
	b        *bounds
	loop     *ir.For
	step     *facts.Step
	declared map[*ir.Var]bool
	depth    int  // how many loops are around it
	moved    bool // arrays have changed places
	fails    bool
}

// gain bounds what a step adds to the greatest magnitude of an element.
func (w *stepWalk) gain(arrays []*array) (int64, bool) {
	for v := range w.step.Values {
		if !w.declared[v] || w.b.unknown[v] {
			w.step.Values[v] = []ir.Expr{nil}
		}
	}
	var all facts.Reaches
	for _, a := range arrays {
		for _, x := range a.stored {
			if !w.b.inside(x, w.loop) {
				continue
			}
			r, ok := w.step.Of(x.x)
			if !ok || w.fails {
				return 0, false
			}
			all = append(facts.Reaches{}, all...).Union(r)
		}
	}
	scalars := int64(0)
	for _, v := range w.step.Symbols {
		r := w.b.l.RangeOf(v.Use())
		if !r.Within(-mostFirst, mostFirst) {
			return 0, false
		}
		scalars = max(scalars, -r.Lo, r.Hi)
	}
	return all.Gain(scalars)
}

func (w *stepWalk) block(block []ir.Stmt, inner bool) {
	for _, s := range block {
		w.stmt(s, inner)
		_, f := s.(*ir.For)
		_, l := s.(*ir.Loop)
		_, n := s.(*ir.Nest)
		for _, in := range ir.Blocks(s) {
			w.block(*in, inner || f || l || n)
		}
	}
}

func (w *stepWalk) stmt(s ir.Stmt, inner bool) {
	for _, x := range ir.Exprs(s) {
		ir.EachUse(x, w.ranged)
		ir.EachLoad(x, w.reads)
	}
	switch s := s.(type) {
	case *ir.Decl:
		w.declared[s.Var] = true
		x := s.Init
		if x == nil {
			x = &ir.Int{K: s.Var.Kind}
		}
		w.set(s.Var, x)
	case *ir.Assign:
		w.set(s.Var, s.X)
	case *ir.Checked:
		w.set(s.Var, s.Op.Of(s.X, s.Y))
		w.set(s.Flag, nil)
	case *ir.For:
		w.dim(ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi})
	case *ir.Nest:
		for _, d := range append(append(dims{}, s.Dims...), s.Red...) {
			w.dim(d)
		}
		for _, a := range s.Accs {
			w.set(a.Var, nil)
			w.set(a.Left, nil)
			w.set(a.Right, nil)
		}
	case *ir.Store:
		w.store(s.Buf, s.X)
	case *ir.Swap:
		w.swap(s.A, inner)
	case *ir.DeclBuf, *ir.Free, *ir.BreakIf, *ir.If, *ir.Loop, *ir.Fail, *ir.Comment:
	default: // nothing else is in steps of arithmetic
		w.fails = true
	}
}

func (w *stepWalk) set(v *ir.Var, x ir.Expr) {
	w.ranged(v)
	w.step.Values[v] = append(w.step.Values[v], x)
}

func (w *stepWalk) dim(d ir.Dim) {
	w.declared[d.Var] = true
	w.ranged(d.Var)
	w.step.Dims[d.Var] = d
}

// ranged notes a variable of a small range.
func (w *stepWalk) ranged(v *ir.Var) {
	if r, ok := facts.Bounded(w.b.l.RangeOf(v.Use())); ok {
		w.step.Known[v] = r
	}
}

// reads is a use of the elements of an array: none after arrays have changed places.
func (w *stepWalk) reads(buf *ir.Buf) { w.fails = w.fails || w.moved && w.step.Outside[buf] }

// store notes what is stored: also in arrays that only steps have.
func (w *stepWalk) store(buf *ir.Buf, x ir.Expr) {
	w.reads(buf)
	a := w.b.of(buf)
	if !w.step.Arrays[buf] && a.known && len(a.bufs) == 1 && a.depth > w.depth && buf.Elem == ir.I64 {
		w.step.Arrays[buf] = true
	}
	if ld, ok := x.(*ir.Load); !ok || ld.Buf != buf {
		w.step.Stored[buf] = append(w.step.Stored[buf], x)
	}
}

// swap notes that arrays change places, which those of the loop may do once, at its end.
func (w *stepWalk) swap(buf *ir.Buf, inner bool) {
	if w.step.Outside[buf] {
		w.fails, w.moved = w.fails || inner, true
	} else {
		w.fails = true
	}
}
