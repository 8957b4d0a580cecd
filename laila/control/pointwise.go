package control

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// A power whose function works element by element on all arrays of its state
// does not need the arrays between its steps: each element runs through all
// steps by itself, in variables. Elements go in groups, so that a step is
// vector code over a group.
//
//	power(fn s:[n]double => each(f,s), k, x)
//
// becomes
//
//	for groups of elements
//	  e = x[…]
//	  for step = 0 … k
//	    e = f(e)
//	  s[…] = e
//
// Numbers of the state that count the steps (steps.go) are computed from the number of the
// step.
//
// A group that stands, bit by bit, where it stood a step before stands still,
// and the steps that are left are left out. One that stands where it stood eight
// steps before goes in circles: as many times eight steps as are left are left
// out. Where an element can fault, flags are kept; when one of them is
// raised the loop is repeated step by step, since the fault to report is the
// first one in time.

const (
	// groupSize is the number of elements of a group: as one step of an element waits for
	// the one before, the steps of several vectors are to run side by side. Elements that
	// choose go different ways, and those of a small group are the sooner all at rest;
	// complex ones take two vectors each.
	groupSize, choosingGroup, complexGroup = 64, 32, 16
	// circle is the number of steps after which a group is compared with what
	// it was.
	circle = 8
	// lookingSize bounds a step that is written twice, once with a look at what
	// it changes.
	lookingSize = 400
)

// pointwisePower is a loop over steps that has been taken apart.
type pointwisePower struct {
	g       *build.Builder
	f       *tail.Lam
	locals  map[*tail.Var]bool // bound in the function
	scalars map[*tail.Var]*tail.Var
	state   []*tail.Var       // an element of each array of the state
	counts  map[int]int64     // what a step adds to the numbers of the state, by components
	counter map[int]*tail.Var // these numbers
	extents *tail.Array       // has the extents of all arrays
	invar   []tail.Expr       // arrays from outside the loop that steps read
	invars  []*tail.Var       // an element of each
	made    map[*tail.Var]bool
}

// pointwise takes the loop e from x on apart. It is not ok when the function does more
// than work element by element.
func pointwise(g *build.Builder, e *tail.Apply, x *build.Value) (*pointwisePower, tail.Expr, bool) {
	f := tail.LamOf(e.Args[0])
	w := &pointwisePower{g: g, f: f, locals: map[*tail.Var]bool{}, scalars: map[*tail.Var]*tail.Var{}, made: map[*tail.Var]bool{}, counter: map[int]*tail.Var{}}
	types := []tail.Type{e.Ty}
	if t, ok := e.Ty.(*tail.TupleType); ok {
		types = t.Elems
		w.counts = counters(g, f, x)
	}
	for i, t := range types {
		a, ok := t.(*tail.Array)
		if _, counts := w.counts[i]; counts {
			w.counter[i] = w.element("n", a)
			w.locals[w.counter[i]] = true
			continue
		}
		if !ok || a.Dims() == 0 || !knownShapes(a) || w.extents != nil && !w.fits(a) {
			return nil, nil, false
		}
		w.extents = a
		w.state = append(w.state, w.element("x", a))
	}
	if g.Impure(f) {
		return nil, nil, false
	}
	w.locals[f.Params[0]] = true
	tail.Walk(f.Body, func(x tail.Expr) bool {
		switch x := x.(type) {
		case *tail.Let:
			w.locals[x.Var] = true
		case *tail.Lam:
			for _, p := range x.Params {
				w.locals[p] = true
			}
		}
		return true
	})
	if len(w.state) == 0 {
		return nil, nil, false
	}
	if len(types) == 1 {
		w.scalars[f.Params[0]] = w.state[0]
	}
	body, ok := w.scalar(w.counted(f.Body))
	if !ok || len(w.invar) > 8 {
		return nil, nil, false
	}
	tail.Walk(body, func(x tail.Expr) bool {
		if r, ok := x.(*tail.Ref); ok && w.made[r.Var] {
			g.Live.Count[r.Var]++
		}
		return true
	})
	return w, body, true
}

// counted takes the numbers that count out of the state.
func (w *pointwisePower) counted(e tail.Expr) tail.Expr {
	if len(w.counter) == 0 {
		return e
	}
	if i, ok := w.component(e); ok && w.counter[i] != nil {
		return &tail.Ref{At: tail.At{Where: e.Span()}, Var: w.counter[i]}
	}
	return tail.MapChildren(e, w.counted)
}

// component returns which component of the state e is.
func (w *pointwisePower) component(e tail.Expr) (int, bool) {
	p, ok := e.(*tail.Proj)
	return projOf(p, ok, w.f.Params[0])
}

// stateOf returns the element of the array that is component i of the state.
func (w *pointwisePower) stateOf(i int) *tail.Var {
	at := i
	for k := range w.counter {
		if k < i {
			at--
		}
	}
	return w.state[at]
}

// element makes a variable for an element of an array.
func (w *pointwisePower) element(name string, t *tail.Array) *tail.Var {
	v := &tail.Var{Name: name, Type: tail.Scalar(t.Elem)}
	w.made[v] = true
	return v
}

// fits reports whether an array certainly has the extents of the state.
func (w *pointwisePower) fits(t *tail.Array) bool {
	if t.Dims() != w.extents.Dims() {
		return false
	}
	for i := range t.Dims() {
		if !t.Extent(i).Equal(w.extents.Extent(i)) {
			return false
		}
	}
	return true
}

// local reports whether e mentions variables bound in the function.
func (w *pointwisePower) local(e tail.Expr) bool {
	for _, v := range tail.FreeVars(e) {
		if w.locals[v] {
			return true
		}
	}
	return false
}

// arrays reports whether e mentions arrays of the state or made from them.
func (w *pointwisePower) arrays(e tail.Expr) bool {
	for _, v := range tail.FreeVars(e) {
		if v == w.f.Params[0] || w.scalars[v] != nil {
			return true
		}
	}
	return false
}

// scalar returns an element of e in terms of elements; it is not ok where e
// needs other elements too.
func (w *pointwisePower) scalar(e tail.Expr) (tail.Expr, bool) {
	switch e := e.(type) {
	case *tail.Let:
		return w.let(e)
	case *tail.Tuple:
		t := &tail.Tuple{At: e.At}
		for i, x := range e.Elems {
			if w.counter[i] != nil {
				continue
			}
			y, ok := w.scalar(x)
			if !ok {
				return nil, false
			}
			t.Elems = append(t.Elems, y)
		}
		return t, len(t.Elems) == len(w.state)
	case *tail.Proj:
		if i, ok := w.component(e); ok {
			return &tail.Ref{At: e.At, Var: w.stateOf(i)}, true
		}
		return nil, false
	}
	ty, ok := e.Type().(*tail.Array)
	switch {
	case !ok:
		return nil, false
	case ty.Dims() == 0:
		return e, !w.arrays(e)
	case !w.fits(ty):
		return nil, false
	case !w.local(e):
		return w.invariant(e)
	}
	switch e := e.(type) {
	case *tail.Ref:
		v := w.scalars[e.Var]
		return &tail.Ref{At: e.At, Var: v}, v != nil
	case *tail.If:
		then, ok := w.scalar(e.Then)
		other, ok2 := w.scalar(e.Else)
		if !ok || !ok2 || w.arrays(e.Cond) {
			return nil, false
		}
		return &tail.If{At: e.At, Cond: e.Cond, Then: then, Else: other, Ty: then.Type()}, true
	case *tail.Apply:
		return w.apply(e)
	}
	return nil, false
}

// invariant is an element of an array from outside the loop.
func (w *pointwisePower) invariant(e tail.Expr) (tail.Expr, bool) {
	if r, ok := e.(*tail.Ref); ok {
		for i, x := range w.invar {
			if known, ok := x.(*tail.Ref); ok && known.Var == r.Var {
				return &tail.Ref{At: r.At, Var: w.invars[i]}, true
			}
		}
	}
	if !analysis.Total(e) {
		return nil, false
	}
	v := w.element("c", tail.TypeOf(e))
	w.invar, w.invars = append(w.invar, e), append(w.invars, v)
	return &tail.Ref{At: tail.At{Where: e.Span()}, Var: v}, true
}

func (w *pointwisePower) let(e *tail.Let) (tail.Expr, bool) {
	bind, v := e.Bind, e.Var
	if t, ok := bind.Type().(*tail.Array); ok && t.Dims() == 0 {
		if w.arrays(bind) {
			return nil, false
		}
	} else {
		x, ok := w.scalar(bind)
		if !ok || t == nil {
			return nil, false
		}
		bind, v = x, w.element(e.Var.Name, t)
		w.scalars[e.Var] = v
	}
	body, ok := w.scalar(e.Body)
	if !ok {
		return nil, false
	}
	return &tail.Let{At: e.At, Var: v, Bind: bind, Body: body}, true
}

// apply: functions applied to elements; other shapes of the same elements.
func (w *pointwisePower) apply(e *tail.Apply) (tail.Expr, bool) {
	switch e.Op {
	case tail.OpEach, tail.OpZipWith:
		f := tail.LamOf(e.Args[0])
		if w.arrays(f) {
			return nil, false
		}
		body, once := f.Body, map[*tail.Var]tail.Expr{}
		for i, a := range e.Args[1:] {
			x, ok := w.scalar(a)
			if !ok {
				return nil, false
			}
			if p := f.Params[i]; w.g.Live.Count[p] == 1 {
				once[p] = x
			} else {
				body = &tail.Let{At: tail.At{Where: a.Span()}, Var: p, Bind: x, Body: body}
			}
		}
		return tail.Subst(body, once), true
	case tail.OpReshape:
		x := e.Args[1]
		if w.local(e.Args[0]) || !analysis.Total(e) {
			return nil, false
		}
		return w.scalar(x)
	}
	return nil, false
}

// groupOf returns how many elements go in a group.
func (w *pointwisePower) groupOf(body tail.Expr) int64 {
	size := int64(groupSize)
	tail.Walk(body, func(e tail.Expr) bool {
		t, ok := e.Type().(*tail.Array)
		_, branch := e.(*tail.If)
		if ok && t.Elem == array.Bool || branch {
			size = min(size, choosingGroup)
		}
		if ok && t.Elem == array.Complex {
			size = complexGroup
		}
		return true
	})
	return size
}

// powerElements lowers a power element by element; it is not ok where that
// cannot be done.
func powerElements(g *build.Builder, e *tail.Apply, n ir.Expr, x *build.Value) (*build.Value, bool) {
	if g.Nest != nil || !g.On("pointwise") {
		return nil, false
	}
	if k, ok := ir.IntOf(n); ok && k < 2 {
		return nil, false
	}
	w, body, ok := pointwise(g, e, x)
	if !ok {
		return nil, false
	}
	g.Force()
	for i := range w.counter {
		x.Tup[i] = build.Scalar1(g.Atom("first", x.Tup[i].X))
	}
	var first []*build.Value
	var ranges []facts.Interval
	bounds := stateRanges(w.f, leaves(x), nil, g.RangeOf(n).Hi, g.RangeOf)
	for i, v := range leaves(x) {
		if w.counter[i] == nil {
			first, ranges = append(first, v), append(ranges, elementRange(v.Arr.Elem, bounds[i]))
		}
	}
	for _, v := range first {
		g.Total(v.Arr)
	}
	var reads []*build.Pull
	for _, c := range w.invar {
		reads = append(reads, g.Total(g.Expr(c).Arr))
	}
	out := make([]*ir.Buf, len(first))
	for i, v := range first {
		out[i] = g.Heap("s", g.StoreKind(&build.Pull{Elem: v.Arr.Elem, Rng: ranges[i]}), v.Arr.Dims)
		if v.Arr.Elem.Exact() {
			g.Bufs[out[i]] = ranges[i]
		}
	}
	st := &build.NestState{}
	g.Nest = st
	nests := g.Plain(func() { newPointGroups(w, n, x, first, ranges, reads, body, out).run() })
	g.Nest = nil
	var results []*build.Value
	for i, v := range leaves(x) {
		if k, counts := w.counts[i]; counts {
			results = append(results, build.Scalar1(ir.Add(ir.Mul(n, ir.Integer(k)), v.X)))
			continue
		}
		results = append(results, build.Array1(widened(g, v.Arr.Elem, out[0], v.Arr.Dims)))
		out = out[1:]
	}
	var bad ir.Expr = ir.Boolean(false)
	set := map[*ir.Var]bool{}
	flow.NoteAssigned(nests, set)
	for _, f := range st.Flags {
		if set[f.V] {
			g.Emit(f.V.Decl(ir.Boolean(false)))
			bad = ir.Or(bad, f.V.Use())
		}
	}
	g.Emit(nests...)
	if !ir.IsInt(bad, 0) {
		g.Emit(&ir.If{Cond: bad, Then: g.Block(func() {
			restore := g.Env.Save()
			powerSteps(g, e, n, x)
			restore()
		})})
	}
	return rebuild(x, &results), true
}

// differing returns an integer that is 0 where two numbers are the same, bit by
// bit.
func differing(x, y ir.Expr) ir.Expr {
	var out ir.Expr
	is, was := ir.Words(x), ir.Words(y)
	for i := range is {
		var d ir.Expr = ir.OpXor.Of(is[i], was[i])
		if out != nil {
			d = ir.OpOr.Of(out, d)
		}
		out = d
	}
	return out
}
