package laila

import "github.com/tailor-lang/tailor/internal/diag"

// stateArray is an array of a loop's state, with its extents before and after
// each step. The second buffer of one whose extents stay holds nothing then.
type stateArray struct {
	buf   *Buf
	dims  []Expr
	spare bool
}

// loopState is the state of a loop, and the place in the source.
type loopState struct {
	arrays []stateArray
	at     diag.Span
}

// small reports whether the arrays are known to have few elements.
func (s loopState) small() bool {
	for _, a := range s.arrays {
		if n, ok := intOf(product(a.dims)); !ok || n > 128 {
			return false
		}
	}
	return true
}

// swept reports whether nests in a loop read or write the arrays. Copies of
// arrays of which each step touches single elements cost more than the steps.
func (s loopState) swept(loop Stmt) bool {
	found := false
	for _, block := range Blocks(loop) {
		Walk(*block, func(x Stmt) {
			if n, ok := x.(*Nest); ok && !found {
				for _, a := range s.arrays {
					found = found || mentionsBuf(n, a.buf)
				}
			}
		})
	}
	return found
}

// stateLimit is the size, in statements, of the largest loop that is copied;
// stateTrips is the fewest steps that are worth it.
const (
	stateLimit = 120
	stateTrips = 8
)

// states lets loops over arrays of integers run on copies of these in 16 and
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
func (l *lowerer) states(f *Func) {
	s := &stater{l: l, sizes: map[*Buf]Expr{}, set: map[*Var]bool{}, there: map[*Var]bool{}}
	assigned(f.Body, s.set)
	s.find(f)
	for _, p := range f.Params {
		if p.Buf != nil {
			s.sizes[p.Buf] = product(p.Dims)
		}
	}
	f.Body = s.block(f.Body)
}

// stater walks a function.
type stater struct {
	l     *lowerer
	sizes map[*Buf]Expr // of arrays that are in scope and stay
	set   map[*Var]bool // variables that are assigned to
	there map[*Var]bool // variables that have a declaration
}

// find collects the variables that the function declares.
func (s *stater) find(f *Func) {
	arrays := func(all []Array) {
		for _, a := range all {
			s.there[a.Scalar] = true
			for _, d := range a.Dims {
				if u, ok := d.(*Use); ok {
					s.there[u.Var] = true
				}
			}
		}
	}
	arrays(f.Params)
	Walk(f.Body, func(x Stmt) {
		switch x := x.(type) {
		case *Decl:
			s.there[x.Var] = true
		case *For:
			s.there[x.Var] = true
		case *Call:
			arrays(x.Results)
		case *Runtime:
			arrays(x.Results)
		}
	})
}

// sized reports whether the extents of all arrays are there: those that the
// loop itself does not need are dead by now.
func (s *stater) sized(info loopState) bool {
	for _, a := range info.arrays {
		for _, d := range a.dims {
			if missing(d, s.there) {
				return false
			}
		}
	}
	return true
}

// missing reports whether x mentions a variable that is not in a set.
func missing(x Expr, vars map[*Var]bool) bool {
	if u, ok := x.(*Use); ok {
		return !vars[u.Var]
	}
	for _, y := range Operands(x) {
		if y != nil && missing(y, vars) {
			return true
		}
	}
	return false
}

func (s *stater) block(block []Stmt) []Stmt {
	var out []Stmt
	var here []*Buf
	for _, x := range block {
		switch x := x.(type) {
		case *DeclBuf:
			if x.Count != nil && !mentionsAny(x.Count, s.set) {
				s.sizes[x.Buf] = x.Count
				here = append(here, x.Buf)
			}
		case *Nest:
			Walk(x.Body, s.forget)
		default:
			for _, inner := range Blocks(x) {
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
func (s *stater) forget(x Stmt) {
	switch x := x.(type) {
	case *Swap:
		delete(s.sizes, x.A)
		delete(s.sizes, x.B)
	case *Move:
		delete(s.sizes, x.Dst)
		delete(s.sizes, x.Src)
	}
}

// copies returns the copies of a loop that run before it.
func (s *stater) copies(x Stmt) []Stmt {
	info, ok := s.l.loops[x]
	if !ok || info.small() || !s.sized(info) || !info.swept(x) {
		return nil
	}
	var out []Stmt
	switch x := x.(type) {
	case *For:
		lo, okl := intOf(x.Lo)
		hi, okh := intOf(x.Hi)
		if okl && okh && hi-lo < stateTrips {
			return nil
		}
		done := s.l.newVar("done", I64)
		s.l.ranges[done] = interval{0, maxExtent * 2}
		out = append(out, &Decl{done, x.Lo})
		n := len(out)
		out = append(out, s.levels(x.Body, info, &stepCount{x.Var, done, x.Hi})...)
		if len(out) == n {
			return nil
		}
		x.Lo = &Use{done}
	case *Loop:
		out = s.levels(x.Body, info, nil)
	}
	return out
}

// levels returns copies of a loop in more and more bits: each does the steps
// that the one before leaves.
func (s *stater) levels(body []Stmt, info loopState, c *stepCount) []Stmt {
	var out []Stmt
	var left *Var
	for _, k := range []Kind{I16, I32} {
		rest := s.l.newVar("left", U8)
		copied := s.narrow(body, info, k, c, rest)
		switch {
		case copied == nil:
			continue
		case left == nil:
			out = append(append(out, &Decl{rest, boolean(true)}), copied...)
		default:
			out = append(out, &Decl{rest, &Use{left}}, &If{Cond: &Use{left}, Then: copied})
		}
		left = rest
	}
	return out
}

// stepCount is the counter of a loop of so many steps.
type stepCount struct {
	step, done *Var
	hi         Expr
}

// narrow returns the loop with this body in few bits, with what leads to it
// and from it; nothing where it does not work. It sets left to whether there
// are steps that it has not done.
func (s *stater) narrow(body []Stmt, info loopState, k Kind, c *stepCount, left *Var) []Stmt {
	a := newStepScan(s, body, info)
	if !a.ok || k == I16 && a.divides {
		return nil
	}
	n := &narrower{step: a.step, kind: k, vars: map[*Var]*Var{}, small: map[*Var]bool{}, bufs: map[*Buf]*Buf{}}
	t := &stateLoop{l: s.l, n: n, at: info.at, limit: rangeOfKind(k).hi, inputs: a.inputs, sizes: s.sizes, counter: c, left: left}
	for _, x := range info.arrays {
		if a.arrays[x.buf] {
			t.state = append(t.state, x)
			t.copyOf(x.buf)
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
	l      *lowerer
	n      *narrower
	at     diag.Span
	limit  int64
	state  []stateArray
	inputs []*Buf
	sizes  map[*Buf]Expr

	counter *stepCount // of a loop of so many steps, else nil
	left    *Var
	initial *Var // the greatest complement of an element of the inputs
}

func (t *stateLoop) copyOf(b *Buf) {
	c := &Buf{Name: b.Name, Elem: t.n.kind}
	t.n.bufs[b] = c
	t.l.fixed[c] = t.l.fixed[b]
}

func (t *stateLoop) emit(body []Stmt) []Stmt {
	l, n, c := t.l, t.n, t.counter
	if c != nil {
		n.declare(c.step)
	}
	steps := n.block(body)
	if n.failed || len(n.next) == 0 {
		return nil
	}
	greatest, initial, leave := l.newVar("greatest", I64), l.newVar("initial", I64), l.newVar("leave", U8)
	t.initial = initial
	out := []Stmt{&Decl{greatest, integer(0)}, &Decl{initial, integer(0)}}
	for _, b := range t.inputs {
		out = append(out, t.greatest(b, t.sizes[b], initial))
	}
	for _, a := range t.state {
		if !a.spare {
			out = append(out, t.greatest(a.buf, product(a.dims), greatest))
		}
	}
	out = append(out, capped(greatest))
	scalars, decl := t.scalars()
	out = append(out, decl)
	then := t.enter()
	then = append(then, &Decl{leave, boolean(false)})
	loop := t.top(greatest, leave)
	if c != nil {
		loop = append(loop, &BreakIf{&Binary{Ge, &Use{c.done}, c.hi}}, &Decl{n.vars[c.step], &Use{c.done}})
	}
	loop = append(loop, idleTests(steps)...)
	if c != nil {
		loop = append(loop, &Assign{c.done, add(&Use{c.done}, integer(1))})
	}
	then = append(append(then, &Loop{loop}, &Assign{t.left, &Use{leave}}), t.exit()...)
	return append(out, &If{Cond: not(t.tooFar(greatest, scalars, t.limit-t.limit/8)), Then: then})
}

// capped makes a greatest complement a bound of magnitudes.
func capped(v *Var) Stmt {
	return &Assign{v, add(&Binary{Min, &Use{v}, integer(1 << 40)}, integer(1))}
}

// scalars declares a bound of the magnitudes of the scalars and the inputs that
// a step depends on.
func (t *stateLoop) scalars() (*Var, Stmt) {
	v := t.l.newVar("scalars", I64)
	var x Expr = &Use{t.initial}
	for _, s := range t.n.symbols {
		if t.counter != nil && s == t.counter.step {
			s = t.counter.done
		}
		x = &Binary{Max, x, &Binary{Max, &Use{s}, &Unary{BitNot, &Use{s}}}}
	}
	return v, &Decl{v, add(&Binary{Min, x, integer(t.limit + 1)}, integer(1))}
}

// tooFar tests whether a value of the next step may be above limit.
func (t *stateLoop) tooFar(greatest, scalars *Var, limit int64) Expr {
	m, e := &Use{greatest}, &Use{scalars}
	far := func(x Expr, limit int64) Expr { return &Binary{Gt, x, integer(limit)} }
	most := &Binary{Min, m, integer(t.limit + 1)}
	return &Binary{Or, &Binary{Or, far(e, t.limit), far(m, t.limit)}, far(t.n.used.expr(most, e), limit)}
}

// top is what a step begins with.
func (t *stateLoop) top(greatest, leave *Var) []Stmt {
	scalars, decl := t.scalars()
	again := []Stmt{&Assign{greatest, integer(0)}}
	for _, a := range t.state {
		if !a.spare {
			again = append(again, t.greatest(t.n.bufs[a.buf], product(a.dims), greatest))
		}
	}
	again = append(again, capped(greatest), &Assign{leave, t.tooFar(greatest, scalars, t.limit-t.limit/8)})
	return []Stmt{decl,
		&If{Cond: t.tooFar(greatest, scalars, t.limit), Then: again},
		&BreakIf{&Use{leave}},
		&Assign{greatest, &Binary{Max, &Use{greatest}, t.n.next.expr(&Use{greatest}, &Use{scalars})}},
	}
}

// greatest makes a variable the greatest complement of the elements of b, or
// what it was where that is greater.
func (t *stateLoop) greatest(b *Buf, count Expr, into *Var) Stmt {
	i, acc, x, y := t.index(), t.l.newVar("acc", I64), t.l.newVar("x", I64), t.l.newVar("y", I64)
	var elem Expr = &Load{b, &Use{i}}
	elem = convert(I64, &Binary{Max, elem, &Unary{BitNot, elem}})
	return &Nest{Kind: SegRed, Pre: []Stmt{&Decl{acc, &Use{into}}}, Red: []Dim{{i, integer(0), count}},
		Accs: []Acc{{Var: acc, Left: x, Right: y, Combine: &Binary{Max, &Use{x}, &Use{y}}, Neutral: integer(0), Exact: true}},
		Body: []Stmt{&Assign{acc, &Binary{Max, &Use{acc}, elem}}}, Post: []Stmt{&Assign{into, &Use{acc}}}, At: t.at}
}

func (t *stateLoop) index() *Var {
	i := t.l.newVar("i", I64)
	t.l.ranges[i] = interval{0, maxExtent}
	return i
}

// filled declares dst and converts src to it.
func (t *stateLoop) filled(dst, src *Buf, count Expr, dims []Expr) []Stmt {
	i, n := t.index(), t.l.newVar("n", I64)
	t.l.ranges[n] = interval{0, maxExtent}
	return []Stmt{&Decl{n, count}, &DeclBuf{Buf: dst, Count: &Use{n}, Shape: dims, At: t.at},
		&Nest{Kind: SegMap, Dims: []Dim{{i, integer(0), &Use{n}}}, At: t.at,
			Body: []Stmt{&Store{dst, &Use{i}, convert(dst.Elem, &Load{src, &Use{i}})}}}}
}

// enter makes the narrow arrays from the wide ones, which it gives back.
func (t *stateLoop) enter() []Stmt {
	var out []Stmt
	for _, b := range t.inputs {
		out = append(out, t.filled(t.n.bufs[b], b, t.sizes[b], []Expr{t.sizes[b]})...)
	}
	for _, a := range t.state {
		if a.spare {
			out = append(out, &DeclBuf{Buf: t.n.bufs[a.buf], Count: product(a.dims), Shape: a.dims, At: t.at})
			continue
		}
		out = append(out, t.filled(t.n.bufs[a.buf], a.buf, product(a.dims), a.dims)...)
		old := &Buf{Name: a.buf.Name, Elem: I64}
		out = append(out, &DeclBuf{Buf: old, At: t.at}, &Move{old, a.buf}, &Free{old})
	}
	return out
}

// exit makes the wide arrays again.
func (t *stateLoop) exit() []Stmt {
	var out []Stmt
	for _, a := range t.state {
		if a.spare {
			continue
		}
		wide := &Buf{Name: a.buf.Name, Elem: I64}
		out = append(out, t.filled(wide, t.n.bufs[a.buf], product(a.dims), a.dims)...)
		out = append(out, &Move{a.buf, wide})
	}
	for _, a := range t.state {
		out = append(out, &Free{t.n.bufs[a.buf]})
	}
	for _, b := range t.inputs {
		out = append(out, &Free{t.n.bufs[b]})
	}
	return out
}

// idleTests drops the tests of flags that nothing sets any more.
func idleTests(block []Stmt) []Stmt {
	set, flags := map[*Var]bool{}, map[*Var]bool{}
	assigned(block, set)
	Walk(block, func(s Stmt) {
		if d, ok := s.(*Decl); ok && d.Var.Kind == U8 && d.Init != nil && isInt(d.Init, 0) && !set[d.Var] {
			flags[d.Var] = true
		}
	})
	return withoutTests(block, flags)
}

func withoutTests(block []Stmt, flags map[*Var]bool) []Stmt {
	var out []Stmt
	for _, s := range block {
		if b, ok := s.(*If); ok {
			if u, ok := b.Cond.(*Use); ok && flags[u.Var] {
				out = append(out, withoutTests(b.Else, flags)...)
				continue
			}
		}
		for _, inner := range Blocks(s) {
			*inner = withoutTests(*inner, flags)
		}
		out = append(out, s)
	}
	return out
}
