package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// loops makes a function that calls itself, in tail position only, into a
// while. The state is a flag, which says whether to go on, and the parameters,
// but for those that are passed on as they are; when the flag is down, the parameters are those of the call that does not
// call itself again, and its value is worked out after the loop.
//
// What is done with the result of a call may be done before it (accumulate.go), or from
// the last call to the first (unwind.go).
//
// Requires: nothing. Preserves: the function's type. What is not in a branch that
// always calls must be pure, since it is evaluated in the loop and after it.
// Leaves lets of variables; run simplify after.
//
//	fun rec f (x:int) : int = if gti(x,9) then negi(x) else f(muli(2,x))
//
// becomes
//
//	fun f (x:int) : int =
//	  let s:(bool, int) = while(
//	    fn s:(bool, int) => #0(s),
//	    fn s:(bool, int) =>
//	      let x:int = #1(s) in if gti(x,9) then (ff,x) else (tt,muli(2,x)),
//	    (tt,x)) in
//	  let x:int = #1(s) in
//	  negi(x)
func loops(o *optimiser) {
	var all []*tail.Func
	for _, f := range o.p.Funcs {
		if r, g := o.accumulate(f); g != nil {
			o.loop(g)
			all = append(all, r, g)
		} else if o.isLoop(f) {
			o.loop(f)
		} else if r := o.unwind(f); r != nil {
			all = append(all, r)
		}
		all = append(all, f)
	}
	o.p.Funcs = all
}

// isLoop reports whether a function becomes a loop.
func (o *optimiser) isLoop(f *tail.Func) bool {
	return f.Recursive && onlyTailCalls(f) && o.effects.Of(exits(f.Body, f))&analysis.Impures == 0
}

// onlyTailCalls reports whether f calls itself in tail position, nowhere else,
// and calls no other function that might call it; and not on every path.
func onlyTailCalls(f *tail.Func) bool {
	calls, others := 0, false
	tail.Walk(f.Body, func(e tail.Expr) bool {
		if c, ok := e.(*tail.Call); ok {
			if c.Fn == f {
				calls++
			}
			others = others || c.Fn != f && c.Fn.Recursive
		}
		return true
	})
	tails := 0
	eachTail(f.Body, func(e tail.Expr) {
		if isCallOf(e, f) {
			tails++
		}
	})
	for _, p := range f.Params {
		if !isData(p.Type) {
			return false
		}
	}
	return calls > 0 && calls == tails && !others && !alwaysCalls(f.Body, f)
}

// isData reports whether values of a type are arrays, or tuples of such.
func isData(ty tail.Type) bool {
	switch t := ty.(type) {
	case *tail.Array:
		return true
	case *tail.TupleType:
		return !slices.ContainsFunc(t.Elems, func(e tail.Type) bool { return !isData(e) })
	}
	return false
}

func isCallOf(e tail.Expr, f *tail.Func) bool {
	c, ok := e.(*tail.Call)
	return ok && c.Fn == f
}

// eachTail calls visit with the expressions whose value is that of e.
func eachTail(e tail.Expr, visit func(tail.Expr)) {
	switch x := e.(type) {
	case *tail.Let:
		_, last := unlet(x, nil)
		eachTail(last, visit)
	case *tail.If:
		eachTail(x.Then, visit)
		eachTail(x.Else, visit)
	default:
		visit(e)
	}
}

// mapTail replaces the expressions whose value is that of e; ty is the type of
// the whole after that.
func mapTail(e tail.Expr, ty tail.Type, f func(tail.Expr) tail.Expr) tail.Expr {
	switch x := e.(type) {
	case *tail.Let:
		frames, last := unlet(x, nil)
		return rebuilt(frames, mapTail(last, ty, f))
	case *tail.If:
		return &tail.If{At: x.At, Cond: x.Cond, Then: mapTail(x.Then, ty, f), Else: mapTail(x.Else, ty, f), Ty: ty}
	}
	return f(e)
}

// alwaysCalls reports whether evaluating e ends in a call of f in any case.
func alwaysCalls(e tail.Expr, f *tail.Func) bool {
	always := true
	eachTail(e, func(x tail.Expr) { always = always && isCallOf(x, f) })
	return always
}

// exits returns e without the branches that always end in a call of f.
func exits(e tail.Expr, f *tail.Func) tail.Expr {
	switch x := e.(type) {
	case *tail.Let:
		frames, last := unlet(x, nil)
		return rebuilt(frames, exits(last, f))
	case *tail.If:
		switch {
		case alwaysCalls(x.Then, f):
			return exits(x.Else, f)
		case alwaysCalls(x.Else, f):
			return exits(x.Then, f)
		}
		then, other := exits(x.Then, f), exits(x.Else, f)
		return &tail.If{At: x.At, Cond: x.Cond, Then: then, Else: other, Ty: x.Ty}
	}
	return e
}

// loop rewrites the body of f.
func (o *optimiser) loop(f *tail.Func) {
	variant := variantSizes(f)
	changing := changingParams(f)
	state, ok := loopState(f, variant, changing)
	if !ok {
		return
	}
	at := tail.At{Where: f.Body.Span()}
	truth := func(b bool) tail.Expr { return tail.NewLit(at.Where, array.ScalarBool(b)) }
	test := o.variable("s", state)
	cond := &tail.Lam{At: at, Params: []*tail.Var{test}, Body: &tail.Proj{At: at, X: &tail.Ref{At: at, Var: test}, I: 0}}
	before := o.variable("s", state)
	step := o.opened(f, before, variant, changing, func(body tail.Expr, vars []tail.Expr) tail.Expr {
		return mapTail(body, state, func(e tail.Expr) tail.Expr {
			if c, ok := e.(*tail.Call); ok && c.Fn == f {
				return &tail.Tuple{At: at, Elems: append([]tail.Expr{truth(true)}, remaining(c.Args, not(changing))...)}
			}
			return &tail.Tuple{At: at, Elems: append([]tail.Expr{truth(false)}, vars...)}
		})
	})
	init := &tail.Tuple{At: at, Elems: []tail.Expr{truth(true)}}
	for _, p := range remaining(f.Params, not(changing)) {
		init.Elems = append(init.Elems, &tail.Ref{At: at, Var: p})
	}
	loop := &tail.Apply{At: at, Op: tail.OpWhile, Ty: state, Args: []tail.Expr{cond, &tail.Lam{At: at, Params: []*tail.Var{before}, Body: step}, init}}
	after := o.variable("s", state)
	result := o.opened(f, after, variant, changing, func(body tail.Expr, vars []tail.Expr) tail.Expr { return exits(body, f) })
	f.Body = &tail.Let{At: at, Var: after, Bind: loop, Body: result}
	f.Recursive = false
}

// changingParams reports which parameters a call of f by itself gives another
// value.
func changingParams(f *tail.Func) []bool {
	changing := make([]bool, len(f.Params))
	eachTail(f.Body, func(e tail.Expr) {
		if c, ok := e.(*tail.Call); ok && c.Fn == f {
			for i, a := range c.Args {
				r, isRef := a.(*tail.Ref)
				changing[i] = changing[i] || !isRef || r.Var != f.Params[i]
			}
		}
	})
	return changing
}

func not(all []bool) []bool {
	inverted := make([]bool, len(all))
	for i, b := range all {
		inverted[i] = !b
	}
	return inverted
}

// opened returns what build makes of a copy of f's body, in lets that take the
// changing parameters out of the state s.
func (o *optimiser) opened(f *tail.Func, s *tail.Var, variant map[string]tail.Size, changing []bool, build func(body tail.Expr, vars []tail.Expr) tail.Expr) tail.Expr {
	at := tail.At{Where: f.Body.Span()}
	state := s.Type.(*tail.TupleType)
	subst := map[*tail.Var]tail.Expr{}
	var frames []letFrame
	var vars []tail.Expr
	for _, p := range remaining(f.Params, not(changing)) {
		i := len(vars) + 1
		v := o.variable(p.Name, state.Elems[i])
		x := &tail.Ref{At: at, Var: v}
		vars = append(vars, x)
		subst[p] = x
		frames = append(frames, letFrame{at, v, &tail.Proj{At: at, X: &tail.Ref{At: at, Var: s}, I: i}})
	}
	return rebuilt(frames, build(tail.CopyWith(f.Body, subst, variant), vars))
}

// variantSizes returns the size variables of f that stand for something else
// in a call of f by itself, as unknown.
func variantSizes(f *tail.Func) map[string]tail.Size {
	variant := map[string]tail.Size{}
	eachTail(f.Body, func(e tail.Expr) {
		c, ok := e.(*tail.Call)
		if !ok || c.Fn != f {
			return
		}
		for i, p := range f.Params {
			sizes := map[string]tail.Size{} // a vector of any length is no longer as long as others
			matchTypes(p.Type, c.Args[i].Type(), sizes)
			eachSize(p.Type, func(s tail.Size) {
				for _, t := range s.Terms {
					if now, ok := sizes[t.Var]; !ok || !now.Equal(tail.VarSize(t.Var)) {
						variant[t.Var] = tail.AnySize
					}
				}
			})
		}
	})
	return variant
}

// loopState returns the type of the state: a flag, and types of the changing
// parameters that all calls have in common.
func loopState(f *tail.Func, variant map[string]tail.Size, changing []bool) (*tail.TupleType, bool) {
	state := &tail.TupleType{Elems: []tail.Type{tail.Scalar(array.Bool)}}
	for _, p := range remaining(f.Params, not(changing)) {
		state.Elems = append(state.Elems, tidy(tail.SubstSizes(p.Type, variant)))
	}
	fits := true
	eachTail(f.Body, func(e tail.Expr) {
		c, ok := e.(*tail.Call)
		if !ok || c.Fn != f {
			return
		}
		for i, a := range remaining(c.Args, not(changing)) {
			join, ok := tail.Join(state.Elems[i+1], tidy(tail.SubstSizes(a.Type(), variant)))
			if fits = fits && ok; fits {
				state.Elems[i+1] = join
			}
		}
	})
	return state, fits
}

// tidy drops lists of sizes of which none is known.
func tidy(ty tail.Type) tail.Type {
	if t, ok := ty.(*tail.TupleType); ok {
		c := &tail.TupleType{Shape: t.Shape, Proto: t.Proto}
		for _, e := range t.Elems {
			c.Elems = append(c.Elems, tidy(e))
		}
		return c
	}
	a, ok := ty.(*tail.Array)
	if !ok {
		return ty
	}
	c := *a
	if c.Extents = tail.AnyKnown(a.Extents); len(c.Extents) == 0 {
		c.Extents = nil
	}
	if c.Values = tail.AnyKnown(a.Values); tail.IsRank(a, 0) && len(c.Values) == 0 {
		c.Values = nil
	}
	return &c
}
