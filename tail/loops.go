package tail

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
)

// loops makes a function that calls itself, in tail position only, into a
// while. The state is a flag, which says whether to go on, and the parameters,
// but for those that are passed on as they are; when the flag is down, the parameters are those of the call that does not
// call itself again, and its value is worked out after the loop.
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
	for _, f := range o.p.Funcs {
		if f.Recursive && onlyTailCalls(f) && o.effects.Of(exits(f.Body, f))&Impures == 0 {
			o.loop(f)
		}
	}
}

// onlyTailCalls reports whether f calls itself in tail position, nowhere else,
// and calls no other function that might call it; and not on every path.
func onlyTailCalls(f *Func) bool {
	calls, others := 0, false
	Walk(f.Body, func(e Expr) bool {
		if c, ok := e.(*Call); ok {
			if c.Fn == f {
				calls++
			}
			others = others || c.Fn != f && c.Fn.Recursive
		}
		return true
	})
	tails := 0
	eachTail(f.Body, func(e Expr) {
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
func isData(ty Type) bool {
	switch t := ty.(type) {
	case *Array:
		return true
	case *TupleType:
		return !slices.ContainsFunc(t.Elems, func(e Type) bool { return !isData(e) })
	}
	return false
}

func isCallOf(e Expr, f *Func) bool {
	c, ok := e.(*Call)
	return ok && c.Fn == f
}

// eachTail calls visit with the expressions whose value is that of e.
func eachTail(e Expr, visit func(Expr)) {
	switch x := e.(type) {
	case *Let:
		_, last := unlet(x, nil)
		eachTail(last, visit)
	case *If:
		eachTail(x.Then, visit)
		eachTail(x.Else, visit)
	default:
		visit(e)
	}
}

// mapTail replaces the expressions whose value is that of e; ty is the type of
// the whole after that.
func mapTail(e Expr, ty Type, f func(Expr) Expr) Expr {
	switch x := e.(type) {
	case *Let:
		frames, last := unlet(x, nil)
		return rebuilt(frames, mapTail(last, ty, f))
	case *If:
		return &If{At: x.At, Cond: x.Cond, Then: mapTail(x.Then, ty, f), Else: mapTail(x.Else, ty, f), Ty: ty}
	}
	return f(e)
}

// alwaysCalls reports whether evaluating e ends in a call of f in any case.
func alwaysCalls(e Expr, f *Func) bool {
	always := true
	eachTail(e, func(x Expr) { always = always && isCallOf(x, f) })
	return always
}

// exits returns e without the branches that always end in a call of f.
func exits(e Expr, f *Func) Expr {
	switch x := e.(type) {
	case *Let:
		frames, last := unlet(x, nil)
		return rebuilt(frames, exits(last, f))
	case *If:
		switch {
		case alwaysCalls(x.Then, f):
			return exits(x.Else, f)
		case alwaysCalls(x.Else, f):
			return exits(x.Then, f)
		}
		then, other := exits(x.Then, f), exits(x.Else, f)
		return &If{At: x.At, Cond: x.Cond, Then: then, Else: other, Ty: x.Ty}
	}
	return e
}

// loop rewrites the body of f.
func (o *optimiser) loop(f *Func) {
	variant := variantSizes(f)
	changing := changingParams(f)
	state, ok := loopState(f, variant, changing)
	if !ok {
		return
	}
	at := At{f.Body.Span()}
	truth := func(b bool) Expr { return NewLit(at.Where, array.ScalarBool(b)) }
	test := o.variable("s", state)
	cond := &Lam{At: at, Params: []*Var{test}, Body: &Proj{At: at, X: &Ref{At: at, Var: test}, I: 0}}
	before := o.variable("s", state)
	step := o.opened(f, before, variant, changing, func(body Expr, vars []Expr) Expr {
		return mapTail(body, state, func(e Expr) Expr {
			if c, ok := e.(*Call); ok && c.Fn == f {
				return &Tuple{At: at, Elems: append([]Expr{truth(true)}, remaining(c.Args, not(changing))...)}
			}
			return &Tuple{At: at, Elems: append([]Expr{truth(false)}, vars...)}
		})
	})
	init := &Tuple{At: at, Elems: []Expr{truth(true)}}
	for _, p := range remaining(f.Params, not(changing)) {
		init.Elems = append(init.Elems, &Ref{At: at, Var: p})
	}
	loop := &Apply{At: at, Op: OpWhile, Ty: state, Args: []Expr{cond, &Lam{At: at, Params: []*Var{before}, Body: step}, init}}
	after := o.variable("s", state)
	result := o.opened(f, after, variant, changing, func(body Expr, vars []Expr) Expr { return exits(body, f) })
	f.Body = &Let{At: at, Var: after, Bind: loop, Body: result}
	f.Recursive = false
}

// changingParams reports which parameters a call of f by itself gives another
// value.
func changingParams(f *Func) []bool {
	changing := make([]bool, len(f.Params))
	eachTail(f.Body, func(e Expr) {
		if c, ok := e.(*Call); ok && c.Fn == f {
			for i, a := range c.Args {
				r, isRef := a.(*Ref)
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
func (o *optimiser) opened(f *Func, s *Var, variant map[string]Size, changing []bool, build func(body Expr, vars []Expr) Expr) Expr {
	at := At{f.Body.Span()}
	state := s.Type.(*TupleType)
	subst := map[*Var]Expr{}
	var frames []letFrame
	var vars []Expr
	for _, p := range remaining(f.Params, not(changing)) {
		i := len(vars) + 1
		v := o.variable(p.Name, state.Elems[i])
		x := &Ref{At: at, Var: v}
		vars = append(vars, x)
		subst[p] = x
		frames = append(frames, letFrame{at, v, &Proj{At: at, X: &Ref{At: at, Var: s}, I: i}})
	}
	return rebuilt(frames, build(CopyWith(f.Body, subst, variant), vars))
}

// variantSizes returns the size variables of f that stand for something else
// in a call of f by itself, as unknown.
func variantSizes(f *Func) map[string]Size {
	variant := map[string]Size{}
	eachTail(f.Body, func(e Expr) {
		c, ok := e.(*Call)
		if !ok || c.Fn != f {
			return
		}
		sizes := map[string]Size{}
		for i, p := range f.Params {
			matchTypes(p.Type, c.Args[i].Type(), sizes)
		}
		for _, p := range f.Params {
			eachSize(p.Type, func(s Size) {
				for _, t := range s.Terms {
					if now, ok := sizes[t.Var]; !ok || !now.Equal(VarSize(t.Var)) {
						variant[t.Var] = AnySize
					}
				}
			})
		}
	})
	return variant
}

// loopState returns the type of the state: a flag, and types of the changing
// parameters that all calls have in common.
func loopState(f *Func, variant map[string]Size, changing []bool) (*TupleType, bool) {
	state := &TupleType{Elems: []Type{Scalar(array.Bool)}}
	for _, p := range remaining(f.Params, not(changing)) {
		state.Elems = append(state.Elems, tidy(SubstSizes(p.Type, variant)))
	}
	fits := true
	eachTail(f.Body, func(e Expr) {
		c, ok := e.(*Call)
		if !ok || c.Fn != f {
			return
		}
		for i, a := range remaining(c.Args, not(changing)) {
			join, ok := Join(state.Elems[i+1], tidy(SubstSizes(a.Type(), variant)))
			if fits = fits && ok; fits {
				state.Elems[i+1] = join
			}
		}
	})
	return state, fits
}

// tidy drops lists of sizes of which none is known.
func tidy(ty Type) Type {
	if t, ok := ty.(*TupleType); ok {
		c := &TupleType{Shape: t.Shape, Proto: t.Proto}
		for _, e := range t.Elems {
			c.Elems = append(c.Elems, tidy(e))
		}
		return c
	}
	a, ok := ty.(*Array)
	if !ok {
		return ty
	}
	c := *a
	if c.Extents = anyKnown(a.Extents); len(c.Extents) == 0 {
		c.Extents = nil
	}
	if c.Values = anyKnown(a.Values); isRank(a, 0) && len(c.Values) == 0 {
		c.Values = nil
	}
	return &c
}
