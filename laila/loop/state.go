package loop

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// stateLimit is the size, in statements, of the largest loop that is copied;
// stateTrips is the fewest steps that are worth it.
const (
	stateLimit = 200
	stateTrips = 8
)

// States lets loops over arrays of integers run on copies of these in 16 and
// in 32 bits for as long as all values fit:
//
//	loop { break if !more; segmap i = 0 … n: t, overflow bad = s[i] + k; u[i] = t; … }
//
// becomes, where no element of s is above 2*14,
//
//	alloc v: i16[n]
//	segmap i = 0 … n: v[i] = i16(s[i])
//	loop {
//	  if bound of the next step > 32767 { bound = greatest magnitude in v; leave = it still is }
//	  break if leave
//	  break if !more; segmap i = 0 … n: w[i] = v[i] + i16(k); … }
//	segmap i = 0 … n: s[i] = i64(v[i])
//
// and then the same for 32 bits, and the loop as it was, which does what steps
// are left. The bound of a step is a sum that reach.go finds: magnitudes of
// sums and products of what was in the arrays before the step. Within it
// nothing overflows, so that the copy needs no checks and has four times, or
// twice, as many elements in a vector.
//
// Requires: the state of loops. Preserves: values, and the order of faults.
func States(l *pass.Context, f *ir.Func) {
	s := &stater{l: l, sizes: map[*ir.Buf]ir.Expr{}, set: map[*ir.Var]bool{}}
	flow.NoteAssigned(f.Body, s.set)
	for _, p := range f.Params {
		if p.Buf != nil {
			s.sizes[p.Buf] = ir.Product(p.Dims)
		}
	}
	f.Body = s.block(f.Body)
}

// stater walks a function.
type stater struct {
	l     *pass.Context
	sizes map[*ir.Buf]ir.Expr // of arrays that are in scope and stay
	set   map[*ir.Var]bool    // variables that are assigned to
}

func (s *stater) block(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	var here []*ir.Buf
	for _, x := range block {
		switch x := x.(type) {
		case *ir.DeclBuf:
			if x.Count != nil && !ir.MentionsAny(x.Count, s.set) {
				s.sizes[x.Buf] = x.Count
				here = append(here, x.Buf)
			}
		case *ir.Nest:
			ir.Walk(x.Body, s.forget)
		default:
			for _, inner := range ir.Blocks(x) {
				*inner = s.block(*inner)
			}
		}
		s.forget(x)
		out = append(out, s.copies(x)...)
		out = append(out, x)
	}
	for _, b := range here {
		delete(s.sizes, b)
	}
	return out
}

// forget drops the sizes of arrays that change hands.
func (s *stater) forget(x ir.Stmt) {
	switch x := x.(type) {
	case *ir.Swap:
		delete(s.sizes, x.A)
		delete(s.sizes, x.B)
	case *ir.Move:
		delete(s.sizes, x.Dst)
		delete(s.sizes, x.Src)
	}
}

// copies returns the copies of a loop that run before it.
func (s *stater) copies(x ir.Stmt) []ir.Stmt {
	info, ok := s.l.Loops[x]
	delete(s.l.Loops, x) // its extents may be dead from now on
	if !ok || info.Small() || !info.Swept(x) {
		return nil
	}
	var out []ir.Stmt
	switch x := x.(type) {
	case *ir.For:
		lo, okl := ir.IntOf(x.Lo)
		hi, okh := ir.IntOf(x.Hi)
		if okl && okh && hi-lo < stateTrips {
			return nil
		}
		done := s.l.NewVar("done", ir.I64)
		s.l.Ranges[done] = facts.Between(0, facts.MaxExtent*2)
		out = append(out, done.Decl(x.Lo))
		n := len(out)
		out = append(out, s.levels(x.Body, info, &stepCount{x.Var, done, x.Hi})...)
		if len(out) == n {
			return nil
		}
		x.Lo = done.Use()
	case *ir.Loop:
		out = s.levels(x.Body, info, nil)
	}
	return out
}

// levels returns copies of a loop in more and more bits: each does the steps
// that the one before leaves.
func (s *stater) levels(body []ir.Stmt, info pass.LoopState, c *stepCount) []ir.Stmt {
	var out []ir.Stmt
	var left *ir.Var
	for _, k := range []ir.Kind{ir.I16, ir.I32} {
		rest := s.l.NewVar("left", ir.U8)
		copied := s.narrow(body, info, k, c, rest)
		switch {
		case copied == nil:
			continue
		case left == nil:
			out = append(append(out, rest.Decl(ir.Boolean(true))), copied...)
		default:
			out = append(out, rest.Decl(left.Use()), &ir.If{Cond: left.Use(), Then: copied})
		}
		left = rest
	}
	return out
}

// stepCount is the counter of a loop of so many steps.
type stepCount struct {
	step, done *ir.Var
	hi         ir.Expr
}

// narrow returns the loop with this body in few bits, with what leads to it
// and from it; nothing where it does not work. It sets left to whether there
// are steps that it has not done.
func (s *stater) narrow(body []ir.Stmt, info pass.LoopState, k ir.Kind, c *stepCount, left *ir.Var) []ir.Stmt {
	a := newStepScan(s, body, info)
	if !a.ok || k == ir.I16 && a.divides {
		return nil
	}
	n := &narrower{Step: a.Step, kind: k, vars: map[*ir.Var]*ir.Var{}, small: map[*ir.Var]bool{}, bufs: map[*ir.Buf]*ir.Buf{}}
	t := &stateLoop{l: s.l, n: n, at: info.At, limit: facts.RangeOfKind(k).Hi, inputs: a.inputs, sizes: s.sizes, counter: c, left: left}
	for _, x := range info.Arrays {
		if a.Arrays[x.Buf] {
			t.state = append(t.state, x)
			t.copyOf(x.Buf)
		}
	}
	for _, b := range a.inputs {
		t.copyOf(b)
	}
	a.choose(n)
	return t.emit(body)
}

// stateLoop writes a loop in few bits.
type stateLoop struct {
	l      *pass.Context
	n      *narrower
	at     diag.Span
	limit  int64
	state  []pass.StateArray
	inputs []*ir.Buf
	sizes  map[*ir.Buf]ir.Expr

	counter *stepCount // of a loop of so many steps, else nil
	left    *ir.Var
	initial *ir.Var // the greatest complement of an element of the inputs
}

func (t *stateLoop) copyOf(b *ir.Buf) {
	c := &ir.Buf{Name: b.Name, Elem: t.n.kind}
	t.n.bufs[b] = c
	t.l.Fixed[c] = t.l.Fixed[b]
}

func (t *stateLoop) emit(body []ir.Stmt) []ir.Stmt {
	l, n, c := t.l, t.n, t.counter
	if c != nil {
		n.declare(c.step)
	}
	steps := n.block(body)
	if n.failed || len(n.next) == 0 {
		return nil
	}
	greatest, initial, leave := l.NewVar("greatest", ir.I64), l.NewVar("initial", ir.I64), l.NewVar("leave", ir.U8)
	t.initial = initial
	out := []ir.Stmt{greatest.Decl(ir.Integer(0)), initial.Decl(ir.Integer(0))}
	for _, b := range t.inputs {
		out = append(out, t.greatest(b, t.sizes[b], initial))
	}
	for _, a := range t.state {
		if !a.Spare {
			out = append(out, t.greatest(a.Buf, ir.Product(a.Dims), greatest))
		}
	}
	out = append(out, capped(greatest))
	scalars, decl := t.scalars()
	out = append(out, decl)
	then := t.enter()
	then = append(then, leave.Decl(ir.Boolean(false)))
	loop := t.top(greatest, leave)
	if c != nil {
		loop = append(loop, &ir.BreakIf{Cond: ir.OpGe.Of(c.done.Use(), c.hi)}, n.vars[c.step].Decl(c.done.Use()))
	}
	loop = append(loop, idleTests(steps)...)
	if c != nil {
		loop = append(loop, c.done.Assign(ir.Add(c.done.Use(), ir.Integer(1))))
	}
	then = append(append(then, &ir.Loop{Body: loop}, t.left.Assign(leave.Use())), t.exit()...)
	return append(out, &ir.If{Cond: ir.Not(t.tooFar(greatest, scalars, t.limit-t.limit/8)), Then: then})
}

// capped makes a greatest complement a bound of magnitudes.
func capped(v *ir.Var) ir.Stmt {
	return v.Assign(ir.Add(ir.OpMin.Of(v.Use(), ir.Integer(1<<40)), ir.Integer(1)))
}

// scalars declares a bound of the magnitudes of the scalars and the inputs that
// a step depends on.
func (t *stateLoop) scalars() (*ir.Var, ir.Stmt) {
	v := t.l.NewVar("scalars", ir.I64)
	var x ir.Expr = t.initial.Use()
	for _, s := range t.n.Symbols {
		if t.counter != nil && s == t.counter.step {
			s = t.counter.done
		}
		x = ir.OpMax.Of(x, ir.OpMax.Of(s.Use(), ir.OpBitNot.Of(s.Use())))
	}
	return v, v.Decl(ir.Add(ir.OpMin.Of(x, ir.Integer(t.limit+1)), ir.Integer(1)))
}

// tooFar tests whether a value of the next step may be above limit.
func (t *stateLoop) tooFar(greatest, scalars *ir.Var, limit int64) ir.Expr {
	m, e := greatest.Use(), scalars.Use()
	far := func(x ir.Expr, limit int64) ir.Expr { return ir.OpGt.Of(x, ir.Integer(limit)) }
	most := ir.OpMin.Of(m, ir.Integer(t.limit+1))
	return ir.OpOr.Of(ir.OpOr.Of(far(e, t.limit), far(m, t.limit)), far(t.n.used.Expr(most, e), limit))
}

// top is what a step begins with.
func (t *stateLoop) top(greatest, leave *ir.Var) []ir.Stmt {
	scalars, decl := t.scalars()
	again := []ir.Stmt{greatest.Assign(ir.Integer(0))}
	for _, a := range t.state {
		if !a.Spare {
			again = append(again, t.greatest(t.n.bufs[a.Buf], ir.Product(a.Dims), greatest))
		}
	}
	again = append(again, capped(greatest), leave.Assign(t.tooFar(greatest, scalars, t.limit-t.limit/8)))
	return []ir.Stmt{decl,
		&ir.If{Cond: t.tooFar(greatest, scalars, t.limit), Then: again},
		&ir.BreakIf{Cond: leave.Use()},
		greatest.Assign(ir.OpMax.Of(greatest.Use(), t.n.next.Expr(greatest.Use(), scalars.Use()))),
	}
}

// greatest makes a variable the greatest complement of the elements of b, or
// what it was where that is greater.
func (t *stateLoop) greatest(b *ir.Buf, count ir.Expr, into *ir.Var) ir.Stmt {
	i, acc, x, y := t.index(), t.l.NewVar("acc", ir.I64), t.l.NewVar("x", ir.I64), t.l.NewVar("y", ir.I64)
	var elem ir.Expr = b.Load(i.Use())
	elem = ir.ConvertTo(ir.I64, ir.OpMax.Of(elem, ir.OpBitNot.Of(elem)))
	return &ir.Nest{Kind: ir.SegRed, Pre: []ir.Stmt{acc.Decl(into.Use())}, Red: []ir.Dim{{Var: i, Lo: ir.Integer(0), Hi: count}},
		Accs: []ir.Acc{{Var: acc, Left: x, Right: y, Combine: ir.OpMax.Of(x.Use(), y.Use()), Neutral: ir.Integer(0), Exact: true}},
		Body: []ir.Stmt{acc.Assign(ir.OpMax.Of(acc.Use(), elem))}, Post: []ir.Stmt{into.Assign(acc.Use())}, At: t.at}
}

func (t *stateLoop) index() *ir.Var {
	i := t.l.NewVar("i", ir.I64)
	t.l.Ranges[i] = facts.Between(0, facts.MaxExtent)
	return i
}

// filled declares dst and converts src to it.
func (t *stateLoop) filled(dst, src *ir.Buf, count ir.Expr, dims []ir.Expr) []ir.Stmt {
	i, n := t.index(), t.l.NewVar("n", ir.I64)
	t.l.Ranges[n] = facts.Between(0, facts.MaxExtent)
	return []ir.Stmt{n.Decl(count), &ir.DeclBuf{Buf: dst, Count: n.Use(), Shape: dims, At: t.at},
		&ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: i, Lo: ir.Integer(0), Hi: n.Use()}}, At: t.at,
			Body: []ir.Stmt{dst.Store(i.Use(), ir.ConvertTo(dst.Elem, src.Load(i.Use())))}}}
}

// enter makes the narrow arrays from the wide ones, which it gives back.
func (t *stateLoop) enter() []ir.Stmt {
	var out []ir.Stmt
	for _, b := range t.inputs {
		out = append(out, t.filled(t.n.bufs[b], b, t.sizes[b], []ir.Expr{t.sizes[b]})...)
	}
	for _, a := range t.state {
		if a.Spare {
			out = append(out, &ir.DeclBuf{Buf: t.n.bufs[a.Buf], Count: ir.Product(a.Dims), Shape: a.Dims, At: t.at})
			continue
		}
		out = append(out, t.filled(t.n.bufs[a.Buf], a.Buf, ir.Product(a.Dims), a.Dims)...)
		old := &ir.Buf{Name: a.Buf.Name, Elem: ir.I64}
		out = append(out, &ir.DeclBuf{Buf: old, At: t.at}, &ir.Move{Dst: old, Src: a.Buf}, &ir.Free{Buf: old})
	}
	return out
}

// exit makes the wide arrays again.
func (t *stateLoop) exit() []ir.Stmt {
	var out []ir.Stmt
	for _, a := range t.state {
		if a.Spare {
			continue
		}
		wide := &ir.Buf{Name: a.Buf.Name, Elem: ir.I64}
		out = append(out, t.filled(wide, t.n.bufs[a.Buf], ir.Product(a.Dims), a.Dims)...)
		out = append(out, &ir.Move{Dst: a.Buf, Src: wide})
	}
	for _, a := range t.state {
		out = append(out, &ir.Free{Buf: t.n.bufs[a.Buf]})
	}
	for _, b := range t.inputs {
		out = append(out, &ir.Free{Buf: t.n.bufs[b]})
	}
	return out
}

// idleTests drops the tests of flags that nothing sets any more.
func idleTests(block []ir.Stmt) []ir.Stmt {
	set, flags := map[*ir.Var]bool{}, map[*ir.Var]bool{}
	flow.NoteAssigned(block, set)
	ir.Walk(block, func(s ir.Stmt) {
		if d, ok := s.(*ir.Decl); ok && d.Var.Kind == ir.U8 && d.Init != nil && ir.IsInt(d.Init, 0) && !set[d.Var] {
			flags[d.Var] = true
		}
	})
	return withoutTests(block, flags)
}

func withoutTests(block []ir.Stmt, flags map[*ir.Var]bool) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		if b, ok := s.(*ir.If); ok {
			if u, ok := b.Cond.(*ir.Use); ok && flags[u.Var] {
				out = append(out, withoutTests(b.Else, flags)...)
				continue
			}
		}
		for _, inner := range ir.Blocks(s) {
			*inner = withoutTests(*inner, flags)
		}
		out = append(out, s)
	}
	return out
}
