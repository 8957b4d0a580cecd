package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// flat makes the state of a loop one tuple of arrays, where it is one of tuples: a fold
// whose result so far is several arrays counts its steps beside them.
//
// What was named of the nested tuples is the variables of their components then.
//
// Requires: nothing. Preserves: what is computed, and in which order.
//
//	power(fn s:([int]0, (<int>9, <int>9)) => (subi(#0(s),1),(#1(#1(s)),#0(#1(s)))),9,(9,(x,y)))
//
// becomes
//
//	let t:([int]0, <int>9, <int>9) = power(
//	  fn t:([int]0, <int>9, <int>9) => (subi(#0(t),1),#2(t),#1(t)),
//	  9,(9,x,y)) in
//	(#0(t),(#1(t),#2(t)))
func flat(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		e = (&flattener{o}).expr(e)
		u := &untupled{optimiser: o, is: map[*tail.Var]*tail.Tuple{}, state: map[*tail.Var]bool{}}
		tail.Walk(e, u.note)
		return u.expr(e)
	})
}

type flattener struct{ *optimiser }

func (o *flattener) expr(e tail.Expr) tail.Expr {
	if let, ok := e.(*tail.Let); ok {
		frames, last := unlet(let, nil)
		for i := range frames {
			frames[i].bind = o.expr(frames[i].bind)
		}
		return rebuilt(frames, o.expr(last))
	}
	e = tail.MapChildren(e, o.expr)
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpPower && a.Op != tail.OpWhile {
		return e
	}
	if state, ok := a.Ty.(*tail.TupleType); ok && slices.ContainsFunc(state.Elems, isTupleType) {
		return o.flatLoop(a, state)
	}
	return e
}

func isTupleType(t tail.Type) bool {
	_, ok := t.(*tail.TupleType)
	return ok
}

// flatLoop is the loop a with one tuple for its state.
func (o *optimiser) flatLoop(a *tail.Apply, nested *tail.TupleType) tail.Expr {
	ty := &tail.TupleType{Elems: arraysOf(nested, nil)}
	flattened := func(e tail.Expr) tail.Expr { return o.flattened(e) }
	next := *a
	next.Ty, next.Args = ty, slices.Clone(a.Args)
	for i, x := range a.Args[:2] {
		f, ok := x.(*tail.Lam)
		if !ok {
			continue
		}
		body := f.Body
		if a.Op == tail.OpPower || i == 1 {
			body = mapTail(body, ty, flattened)
		}
		t := o.variable(f.Params[0].Name, ty)
		body = &tail.Let{At: f.At, Var: f.Params[0], Bind: nestedOf(t, nested, f.At), Body: body}
		next.Args[i] = &tail.Lam{At: f.At, Params: []*tail.Var{t}, Body: body}
	}
	next.Args[2] = mapTail(a.Args[2], ty, flattened)
	t := o.variable("t", ty)
	return &tail.Let{At: a.At, Var: t, Bind: &next, Body: nestedOf(t, nested, a.At)}
}

// arraysOf appends the types of the arrays in a tuple.
func arraysOf(t *tail.TupleType, all []tail.Type) []tail.Type {
	for _, e := range t.Elems {
		if inner, ok := e.(*tail.TupleType); ok {
			all = arraysOf(inner, all)
		} else {
			all = append(all, e)
		}
	}
	return all
}

// nestedOf is the nested tuple of the arrays in t.
func nestedOf(t *tail.Var, nested *tail.TupleType, at tail.At) tail.Expr {
	n := 0
	var make func(ty *tail.TupleType) tail.Expr
	make = func(ty *tail.TupleType) tail.Expr {
		all := &tail.Tuple{At: at, Shape: ty.Shape, Proto: ty.Proto, Item: ty.Item}
		for _, e := range ty.Elems {
			if inner, ok := e.(*tail.TupleType); ok {
				all.Elems = append(all.Elems, make(inner))
				continue
			}
			all.Elems = append(all.Elems, &tail.Proj{At: at, X: &tail.Ref{At: at, Var: t}, I: n})
			n++
		}
		return all
	}
	return make(nested)
}

// flattened is a nested tuple as one of arrays.
func (o *optimiser) flattened(e tail.Expr) tail.Expr {
	var frames []letFrame
	all := &tail.Tuple{At: tail.At{Where: e.Span()}}
	var take func(e tail.Expr)
	take = func(e tail.Expr) {
		t, ok := e.Type().(*tail.TupleType)
		if !ok {
			all.Elems = append(all.Elems, e)
			return
		}
		if made, ok := e.(*tail.Tuple); ok {
			for _, x := range made.Elems {
				take(x)
			}
			return
		}
		at := tail.At{Where: e.Span()}
		if _, ok := e.(*tail.Ref); !ok {
			v := o.variable("t", t)
			frames = append(frames, letFrame{at, v, e})
			e = &tail.Ref{At: at, Var: v}
		}
		for i := range t.Elems {
			take(&tail.Proj{At: at, X: e, I: i})
		}
	}
	take(e)
	return rebuilt(frames, all)
}

// untupled replaces variables that are tuples by one for each component, where they are
// the state of a loop, before its first step, in one, or after one.
//
//	let p:(int, <int>9) = (f(x),y) in g(#0(p),#1(p))
//
// becomes
//
//	let a:int = f(x) in g(a,y)
type untupled struct {
	*optimiser
	is    map[*tail.Var]*tail.Tuple // of variables and constants
	state map[*tail.Var]bool
}

// note notes the variables that are the state of a loop.
func (u *untupled) note(e tail.Expr) bool {
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpPower && a.Op != tail.OpWhile {
		return true
	}
	var named func(e tail.Expr)
	named = func(e tail.Expr) {
		switch x := e.(type) {
		case *tail.Ref:
			u.state[x.Var] = true
		case *tail.Proj:
			named(x.X)
		case *tail.Tuple:
			for _, y := range x.Elems {
				named(y)
			}
		}
	}
	for _, x := range a.Args {
		if f, ok := x.(*tail.Lam); ok {
			x = f.Body
			if let, ok := x.(*tail.Let); ok { // the state by its old name
				u.state[let.Var] = true
			}
		}
		eachTail(x, named)
	}
	return true
}

func (u *untupled) expr(e tail.Expr) tail.Expr {
	switch x := e.(type) {
	case *tail.Let:
		frames, bind := unlet(u.expr(x.Bind), nil)
		_, made := x.Bind.(*tail.Tuple)
		if t, ok := bind.(*tail.Tuple); ok && (!made || u.state[x.Var]) {
			u.is[x.Var] = u.named(t, &frames)
		} else {
			frames = append(frames, letFrame{x.At, x.Var, bind})
		}
		return rebuilt(frames, u.expr(x.Body))
	case *tail.Ref:
		if t := u.is[x.Var]; t != nil {
			return t
		}
		return e
	case *tail.Proj:
		of := u.expr(x.X)
		if t, ok := of.(*tail.Tuple); ok && isNamed(t) {
			return t.Elems[x.I]
		}
		return &tail.Proj{At: x.At, X: of, I: x.I}
	}
	return tail.MapChildren(e, u.expr)
}

// named is a tuple with variables for its components.
func (u *untupled) named(t *tail.Tuple, frames *[]letFrame) *tail.Tuple {
	out := *t
	out.Elems = nil
	for _, x := range t.Elems {
		if inner, ok := x.(*tail.Tuple); ok {
			x = u.named(inner, frames)
		} else if !isNamed(x) {
			at := tail.At{Where: x.Span()}
			v := u.variable("t", x.Type())
			*frames = append(*frames, letFrame{at, v, x})
			x = &tail.Ref{At: at, Var: v}
		}
		out.Elems = append(out.Elems, x)
	}
	return &out
}

// isNamed reports whether e may be evaluated any number of times: a variable, a component
// of one, a constant number, or a tuple of such.
func isNamed(e tail.Expr) bool {
	switch x := e.(type) {
	case *tail.Ref:
		return true
	case *tail.Lit:
		return x.Value.Rank() == 0
	case *tail.Proj:
		return isNamed(x.X)
	case *tail.Tuple:
		return !slices.ContainsFunc(x.Elems, func(e tail.Expr) bool { return !isNamed(e) })
	}
	return false
}
