package opt

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// states keeps the arrays of a loop's state that are 0 and 1 in every step as truth
// values: at first they are, and the function gives such where it has such. Their
// greatest common divisors are disjunctions then, and they are stored in bytes.
//
// Requires: simplify. Preserves: what is computed, and its faults. Leaves conversions
// beside each other; run simplify after.
//
//	power(fn s:<int>9 => zipWith(gcdi,s,each(b2i,m)),n,reshape([9],0))
//
// becomes
//
//	let t:<bool>9 = power(fn s:<bool>9 => zipWith(orb,s,m),n,each(i2b,reshape([9],0))) in
//	each(b2i,t)
func states(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		s := &stateFinder{optimiser: o, defs: map[*tail.Var]tail.Expr{}}
		return s.expr(e)
	})
}

type stateFinder struct {
	*optimiser
	defs map[*tail.Var]tail.Expr
}

// location is the way to a component of a nested tuple.
type location string

func (p location) component(i int) location { return p + location(strconv.Itoa(i)) + " " }

// expr rewrites the loops in e, innermost first.
func (s *stateFinder) expr(e tail.Expr) tail.Expr {
	let, ok := e.(*tail.Let)
	if !ok {
		e = tail.MapChildren(e, s.expr)
		if t, loop, which := s.loop(e); loop != nil {
			view := &stateView{stateFinder: s, to: t, which: which}
			return &tail.Let{At: tail.At{Where: e.Span()}, Var: t, Bind: loop, Body: view.at("", e.Type(), e.Span())}
		}
		return e
	}
	frames, last := unlet(let, nil)
	for i := range frames {
		frames[i].bind = tail.MapChildren(frames[i].bind, s.expr)
		s.defs[frames[i].v] = frames[i].bind
	}
	last = s.expr(last)
	for i := len(frames) - 1; i >= 0; i-- {
		f := frames[i]
		if t, loop, which := s.loop(f.bind); loop != nil {
			view := &stateView{stateFinder: s, to: t, which: which, from: map[*tail.Var]location{f.v: ""}, types: map[*tail.Var]tail.Type{f.v: f.v.Type}}
			last = &tail.Let{At: f.at, Var: t, Bind: loop, Body: view.expr(last)}
			continue
		}
		last = &tail.Let{At: f.at, Var: f.v, Bind: f.bind, Body: last}
	}
	return last
}

// stateView replaces a state, and what is named of it, by one in which some
// components are truth values.
type stateView struct {
	*stateFinder
	to    *tail.Var
	which map[location]bool
	from  map[*tail.Var]location // what stands for the state, or for components of it
	types map[*tail.Var]tail.Type
}

// part returns which component of the state e is.
func (w *stateView) part(e tail.Expr) (p location, ty tail.Type, ok bool) {
	switch e := e.(type) {
	case *tail.Ref:
		p, ok = w.from[e.Var]
		return p, w.types[e.Var], ok
	case *tail.Proj:
		p, ty, ok = w.part(e.X)
		t, isTuple := ty.(*tail.TupleType)
		if !ok || !isTuple {
			return "", nil, false
		}
		return p.component(e.I), t.Elems[e.I], true
	}
	return "", nil, false
}

func (w *stateView) expr(e tail.Expr) tail.Expr {
	if let, ok := e.(*tail.Let); ok {
		if p, ty, ok := w.part(let.Bind); ok {
			if _, isTuple := ty.(*tail.TupleType); isTuple {
				w.from[let.Var], w.types[let.Var] = p, ty
				return w.expr(let.Body)
			}
		}
		return &tail.Let{At: let.At, Var: let.Var, Bind: w.expr(let.Bind), Body: w.expr(let.Body)}
	}
	if p, ty, ok := w.part(e); ok {
		return w.at(p, ty, e.Span())
	}
	return tail.MapChildren(e, w.expr)
}

// at returns a component as it was before, of numbers.
func (w *stateView) at(p location, ty tail.Type, where diag.Span) tail.Expr {
	if t, ok := ty.(*tail.TupleType); ok {
		all := &tail.Tuple{At: tail.At{Where: where}}
		for i, elem := range t.Elems {
			all.Elems = append(all.Elems, w.at(p.component(i), elem, where))
		}
		return all
	}
	x := projected(&tail.Ref{At: tail.At{Where: where}, Var: w.to}, p)
	if !w.which[p] {
		return x
	}
	return mustApply(where, tail.OpEach, tail.NewOpLam(where, tail.OpB2I), x)
}

// projected returns a component of e.
func projected(e tail.Expr, p location) tail.Expr {
	for _, component := range strings.Fields(string(p)) {
		i, _ := strconv.Atoi(component)
		if t, ok := e.(*tail.Tuple); ok {
			e = t.Elems[i]
			continue
		}
		e = &tail.Proj{At: tail.At{Where: e.Span()}, X: e, I: i}
	}
	return e
}

// loop returns the loop e over a state some of whose components are truth values, which
// they are, and the variable for its result; nil where there are none.
func (s *stateFinder) loop(e tail.Expr) (*tail.Var, tail.Expr, map[location]bool) {
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpPower && a.Op != tail.OpWhile {
		return nil, nil, nil
	}
	which := map[location]bool{}
	s.initial(a.Args[2], a.Ty, "", which)
	for len(which) > 0 {
		before := len(which)
		if next := s.over(a, which); next != nil {
			return s.variable("t", next.Ty), next, which
		} else if len(which) == before {
			break
		}
	}
	return nil, nil, nil
}

// initial finds the arrays of integers of a state that are 0 and 1 at first.
func (s *stateFinder) initial(e tail.Expr, ty tail.Type, p location, which map[location]bool) {
	if r, ok := e.(*tail.Ref); ok && s.defs[r.Var] != nil {
		e = s.defs[r.Var]
	}
	switch ty := ty.(type) {
	case *tail.TupleType:
		if t, ok := e.(*tail.Tuple); ok {
			for i, elem := range ty.Elems {
				s.initial(t.Elems[i], elem, p.component(i), which)
			}
		}
	case *tail.Array:
		if ty.Elem != array.Int || !ty.Rank.Known() || ty.Dims() == 0 {
			return
		}
		if r := analysis.NewRanger(s.defs).Of(e, analysis.RangeDepth); r.Known && r.Low >= 0 && r.High <= 1 {
			which[p] = true
		}
	}
}

// over returns the loop a over truth values, or nil where some of which are not such
// after a step, which are taken away.
func (s *stateFinder) over(a *tail.Apply, which map[location]bool) *tail.Apply {
	state := retyped(a.Ty, "", which)
	next := *a
	next.Ty, next.Args = state, append([]tail.Expr{}, a.Args...)
	for i, x := range a.Args[:len(a.Args)-1] {
		f, ok := x.(*tail.Lam)
		if !ok {
			continue
		}
		p := s.variable(f.Params[0].Name, state)
		view := &stateView{stateFinder: s, to: p, which: which, from: map[*tail.Var]location{f.Params[0]: ""}, types: map[*tail.Var]tail.Type{f.Params[0]: a.Ty}}
		body := view.expr(tail.CopyWith(f.Body, nil, nil))
		if a.Op == tail.OpPower || i == 1 {
			if body = s.step(body, a.Ty, which); body == nil {
				return nil
			}
		}
		next.Args[i] = &tail.Lam{At: f.At, Params: []*tail.Var{p}, Body: body}
	}
	next.Args[2] = s.converted(a.Args[2], a.Ty, "", which)
	return &next
}

// retyped is the type of a state with truth values.
func retyped(ty tail.Type, p location, which map[location]bool) tail.Type {
	switch t := ty.(type) {
	case *tail.TupleType:
		all := &tail.TupleType{}
		for i, elem := range t.Elems {
			all.Elems = append(all.Elems, retyped(elem, p.component(i), which))
		}
		return all
	case *tail.Array:
		if which[p] {
			return tail.Shaped(array.Bool, tail.Extents(t)...)
		}
	}
	return ty
}

// converted makes numbers of a state truth values.
func (s *stateFinder) converted(e tail.Expr, ty tail.Type, p location, which map[location]bool) tail.Expr {
	if r, ok := e.(*tail.Ref); ok {
		if t, isTuple := s.defs[r.Var].(*tail.Tuple); isTuple {
			e = t
		}
	}
	switch ty := ty.(type) {
	case *tail.TupleType:
		t, ok := e.(*tail.Tuple)
		if !ok {
			return e
		}
		all := &tail.Tuple{At: t.At}
		for i, elem := range ty.Elems {
			all.Elems = append(all.Elems, s.converted(t.Elems[i], elem, p.component(i), which))
		}
		return all
	case *tail.Array:
		if which[p] {
			return mustApply(e.Span(), tail.OpEach, tail.NewOpLam(e.Span(), tail.OpI2B), e)
		}
	}
	return e
}

// step returns the body of a loop, whose state has truth values, with truth values as
// its results; nil where some of which are none, which are taken away.
func (s *stateFinder) step(body tail.Expr, ty tail.Type, which map[location]bool) tail.Expr {
	t := s.truthFinder(s.defs)
	body = t.expr(body)
	defs := map[*tail.Var]tail.Expr{}
	tail.Walk(body, func(e tail.Expr) bool {
		if let, ok := e.(*tail.Let); ok {
			defs[let.Var] = let.Bind
		}
		return true
	})
	good := true
	result := &stateResult{t: t, defs: defs, which: which}
	body = mapTail(body, retyped(ty, "", which), func(e tail.Expr) tail.Expr {
		x := result.expr(e, ty, "")
		good = good && x != nil
		return x
	})
	if !good {
		return nil
	}
	return body
}

// stateResult takes truth values out of the results of a step.
type stateResult struct {
	t     *truthFinder
	defs  map[*tail.Var]tail.Expr
	which map[location]bool
}

// expr returns a component of a result, nil where it has none of the truth values that
// it should have.
func (r *stateResult) expr(e tail.Expr, ty tail.Type, p location) tail.Expr {
	t, ok := ty.(*tail.TupleType)
	if ok && !r.holds(p) {
		return e
	}
	if !ok {
		if !r.which[p] {
			return e
		}
		m := r.t.of(e)
		if m == nil {
			delete(r.which, p)
		}
		return m
	}
	parts := r.parts(e)
	if parts == nil {
		r.drop(ty, p)
		return nil
	}
	all, good := &tail.Tuple{At: tail.At{Where: e.Span()}}, true
	for i, elem := range t.Elems {
		x := r.expr(parts[i], elem, p.component(i))
		all.Elems, good = append(all.Elems, x), good && x != nil
	}
	if !good {
		return nil
	}
	return all
}

// holds reports whether there are truth values below p.
func (r *stateResult) holds(p location) bool {
	for q := range r.which {
		if strings.HasPrefix(string(q), string(p)) {
			return true
		}
	}
	return false
}

// parts returns the components of a tuple, where they are not evaluated twice.
func (r *stateResult) parts(e tail.Expr) []tail.Expr {
	ref, named := e.(*tail.Ref)
	if named {
		e = r.defs[ref.Var]
	}
	t, ok := e.(*tail.Tuple)
	if !ok {
		return nil
	}
	for _, x := range t.Elems {
		if named && !isAtom(x) {
			return nil
		}
	}
	return t.Elems
}

// drop takes the components of a part away.
func (r *stateResult) drop(ty tail.Type, p location) {
	if t, ok := ty.(*tail.TupleType); ok {
		for i, elem := range t.Elems {
			r.drop(elem, p.component(i))
		}
		return
	}
	delete(r.which, p)
}
