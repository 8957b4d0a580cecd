package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// unwind makes a loop of a function that calls itself once and computes a number with what
// it gets, where it is known how many calls there are: it begins with the last of them.
//
//	fun rec f (a:int,w:int) : int = if eqi(w,1) then 0 else resi(w,addi(a,f(a,subi(w,1))))
//
// becomes
//
//	fun f (a:int,w:int) : int =
//	  if orb(lti(w,1),gti(w,deep)) then f_deep(a,w)
//	  else #1(power(fn s:(int,int) =>
//	    let w:int = addi(#0(s),1) in (w,resi(w,addi(a,#1(s)))),
//	    subi(w,1),(1,0)))
//
// A parameter is the same in all calls, or a number to which each adds a constant, or a
// vector from which each drops as many elements. The last call is that for which a
// number, or the length of a vector, has come to a constant by steps of 1. Calls that are
// nested deeply, or that never end, are those of f_deep, as their number is limited.
//
// Requires: no effects, and that nothing faults which is computed before the call and not
// for it. Preserves: values, and which calls fault.
func (o *optimiser) unwind(f *tail.Func) (deep *tail.Func) {
	u := &unwinding{optimiser: o, f: f}
	if !f.Recursive || o.deep[f] || o.kept(f) || o.effects.Of(f.Body)&analysis.Impures != 0 || !u.find() {
		return nil
	}
	deep = &tail.Func{Name: o.functionNamed(f.Name + "_deep"), Result: f.Result, Where: f.Where, Recursive: true}
	theirs := map[*tail.Var]tail.Expr{}
	var args []tail.Expr
	for _, p := range f.Params {
		its := o.variable(p.Name, p.Type)
		deep.Params = append(deep.Params, its)
		theirs[p] = &tail.Ref{At: tail.At{Where: f.Body.Span()}, Var: its}
		args = append(args, u.param(p))
	}
	deep.Body = calling(tail.CopyWith(f.Body, theirs, nil), f, deep)
	f.Body = &tail.If{At: u.at, Cond: u.tooDeep(), Then: &tail.Call{At: u.at, Fn: deep, Args: args, Ty: f.Result}, Else: u.loop(), Ty: f.Result}
	f.Recursive, o.deep[deep] = false, true
	return deep
}

// unwinding is what is found of a function.
type unwinding struct {
	*optimiser
	f      *tail.Func
	at     tail.At
	lets   []letFrame // before the branch
	base   tail.Expr  // what the last call gives
	rest   tail.Expr  // what the others do
	call   *tail.Call
	steps  []int64 // what a call adds to each parameter, or, less than 0, drops of it
	counts int     // the parameter that ends the calls
	limit  int64   // where it does
	exact  bool    // and only there, not behind it
}

// largeStep bounds the constants that are looked at: sums of them do not overflow.
const largeStep = 1 << 20

// find finds the parts.
func (u *unwinding) find() bool {
	u.at = tail.At{Where: u.f.Body.Span()}
	if t, ok := u.f.Result.(*tail.Array); !ok || !tail.IsRank(t, 0) {
		return false
	}
	calls := 0
	tail.Walk(u.f.Body, func(e tail.Expr) bool {
		if c, ok := e.(*tail.Call); ok && (c.Fn == u.f || c.Fn.Recursive) {
			u.call = c
			calls++
		}
		return true
	})
	if calls != 1 || u.call.Fn != u.f {
		return false
	}
	var last tail.Expr
	u.lets, last = unlet(u.f.Body, nil)
	branch, ok := last.(*tail.If)
	if !ok || !u.harmless(u.lets) || u.has(branch.Cond) {
		return false
	}
	u.base, u.rest = branch.Then, branch.Else
	ends := true
	if u.has(u.base) {
		u.base, u.rest, ends = u.rest, u.base, false
	}
	bound := map[*tail.Var]tail.Expr{}
	for _, l := range u.lets {
		bound[l.v] = l.bind
	}
	return u.path(u.rest, bound) && u.changes(bound) && u.counted(resolved(branch.Cond, bound), ends, bound)
}

// has reports whether the call stands in e.
func (u *unwinding) has(e tail.Expr) bool {
	found := false
	tail.Walk(e, func(x tail.Expr) bool {
		found = found || x == u.call
		return !found
	})
	return found
}

// harmless reports whether lets bind what cannot fault and is not the call.
func (u *unwinding) harmless(lets []letFrame) bool {
	return !slices.ContainsFunc(lets, func(l letFrame) bool { return u.has(l.bind) || !u.effects.Total(l.bind) })
}

// path reports whether e computes the call once, and before it nothing that may fault.
func (u *unwinding) path(e tail.Expr, bound map[*tail.Var]tail.Expr) bool {
	if e == u.call {
		return true
	}
	var parts []tail.Expr
	switch e := e.(type) {
	case *tail.Let:
		if u.has(e.Bind) {
			return u.path(e.Bind, bound)
		}
		bound[e.Var] = e.Bind
		return u.effects.Total(e.Bind) && u.path(e.Body, bound)
	case *tail.If:
		return u.has(e.Cond) && u.path(e.Cond, bound)
	case *tail.Apply, *tail.Tuple, *tail.Vec, *tail.Proj:
		tail.Children(e, func(x tail.Expr) { parts = append(parts, x) })
	}
	way := false
	for _, x := range parts {
		_, isLam := x.(*tail.Lam)
		switch {
		case !u.has(x):
			if !isLam && !u.effects.Total(x) {
				return false
			}
		case isLam || !u.path(x, bound):
			return false
		default:
			way = true
		}
	}
	return way
}

// resolved is what a variable is bound to.
func resolved(e tail.Expr, bound map[*tail.Var]tail.Expr) tail.Expr {
	for r, ok := e.(*tail.Ref); ok && bound[r.Var] != nil; r, ok = e.(*tail.Ref) {
		e = bound[r.Var]
	}
	return e
}

// changes finds what the call does to the parameters.
func (u *unwinding) changes(bound map[*tail.Var]tail.Expr) bool {
	for i, p := range u.f.Params {
		if !isData(p.Type) {
			return false
		}
		step, ok := u.change(resolved(u.call.Args[i], bound), p, bound)
		if !ok {
			return false
		}
		u.steps = append(u.steps, step)
	}
	return true
}

// change is what the argument e adds to a parameter, or, less than 0, drops of it.
func (u *unwinding) change(e tail.Expr, p *tail.Var, bound map[*tail.Var]tail.Expr) (int64, bool) {
	same := func(x tail.Expr) bool {
		r, ok := resolved(x, bound).(*tail.Ref)
		return ok && r.Var == p
	}
	if same(e) {
		return 0, true
	}
	a, ok := e.(*tail.Apply)
	t, isArray := p.Type.(*tail.Array)
	if !ok || !isArray || len(a.Args) != 2 {
		return 0, false
	}
	for i, x := range a.Args {
		n, constant := tail.ConstInt(x)
		if !constant || n > largeStep || n < -largeStep || !same(a.Args[1-i]) {
			continue
		}
		switch {
		case a.Op == tail.OpAddI && tail.IsRank(t, 0):
			return n, n != 0
		case a.Op == tail.OpSubI && tail.IsRank(t, 0) && i == 1:
			return -n, n != 0
		case a.Op == tail.OpDrop && tail.IsRank(t, 1) && i == 0:
			return -n, n > 0
		}
	}
	return 0, false
}

// isVector reports whether elements are dropped of parameter i.
func (u *unwinding) isVector(i int) bool {
	return u.steps[i] != 0 && !tail.IsRank(u.f.Params[i].Type.(*tail.Array), 0)
}

// counted finds which parameter ends the calls: cond is their end, or says that they go on.
func (u *unwinding) counted(cond tail.Expr, ends bool, bound map[*tail.Var]tail.Expr) bool {
	a, ok := cond.(*tail.Apply)
	if !ok || len(a.Args) != 2 {
		return false
	}
	test, ok := analysis.Comparisons[a.Op]
	if !ok {
		return false
	}
	for i, x := range a.Args {
		limit, constant := tail.ConstInt(x)
		k := u.quantity(resolved(a.Args[1-i], bound))
		if !constant || limit > largeStep || limit < -largeStep || k < 0 || max(u.steps[k], -u.steps[k]) != 1 {
			continue
		}
		is := test
		if i == 0 {
			is = is.Turned()
		}
		if !ends {
			is = is.Opposite()
		}
		u.counts, u.limit = k, limit
		down := u.steps[k] < 0
		switch {
		case is.Less && is.Greater:
			return false
		case is.Less:
			if !is.Equal {
				u.limit--
			}
			return down
		case is.Greater:
			if !is.Equal {
				u.limit++
			}
			return !down
		}
		u.exact = true
		return is.Equal
	}
	return false
}

// quantity is the parameter that e is, or of which it is the length; -1 for others.
func (u *unwinding) quantity(e tail.Expr) int {
	length := false
	if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpTally {
		e, length = a.Args[0], true
	}
	r, ok := e.(*tail.Ref)
	if !ok {
		return -1
	}
	i := slices.Index(u.f.Params, r.Var)
	if i < 0 || u.steps[i] == 0 || u.isVector(i) != length {
		return -1
	}
	return i
}

func (u *unwinding) param(p *tail.Var) tail.Expr { return &tail.Ref{At: u.at, Var: p} }

func (u *unwinding) int(n int64) tail.Expr { return tail.NewInt(u.at.Where, n) }

func (u *unwinding) apply(op tail.Op, args ...tail.Expr) tail.Expr {
	return mustApply(u.at.Where, op, args...)
}

// number is what ends the calls, of the first one.
func (u *unwinding) number() tail.Expr {
	p := u.param(u.f.Params[u.counts])
	if u.isVector(u.counts) {
		return u.apply(tail.OpTally, p)
	}
	return p
}

// tooDeep is whether the calls are too many, or have no end.
func (u *unwinding) tooDeep() tail.Expr {
	far, beyond, most := tail.OpGtI, tail.OpLtI, u.limit+deepCalls
	if u.steps[u.counts] > 0 {
		far, beyond, most = tail.OpLtI, tail.OpGtI, u.limit-deepCalls
	}
	test := u.apply(far, u.number(), u.int(most))
	if u.exact {
		test = u.apply(tail.OpOrB, u.apply(beyond, u.number(), u.int(u.limit)), test)
	}
	return test
}

// bounded is the number of the first call joined with the limit, by one operation where it
// shrinks, by the other where it grows; the number alone where it ends at the limit only.
func (u *unwinding) bounded(shrinks, grows tail.Op) tail.Expr {
	switch {
	case u.exact:
		return u.number()
	case u.steps[u.counts] < 0:
		return u.apply(shrinks, u.number(), u.int(u.limit))
	}
	return u.apply(grows, u.number(), u.int(u.limit))
}

// loop is the loop from the last call to the first. Its state is the numbers among the
// parameters that change, how often elements were dropped of each vector, and the result.
func (u *unwinding) loop() tail.Expr {
	first := u.bounded(tail.OpMaxI, tail.OpMinI)
	calls := u.apply(tail.OpSubI, first, u.int(u.limit))
	if u.steps[u.counts] > 0 {
		calls = u.apply(tail.OpSubI, u.int(u.limit), first)
	}
	n := u.variable("n", tail.Scalar(array.Int))
	state := &tail.TupleType{}
	for _, step := range u.steps {
		if step != 0 {
			state.Elems = append(state.Elems, tail.Scalar(array.Int))
		}
	}
	state.Elems = append(state.Elems, tail.Scalar(u.f.Result.(*tail.Array).Elem))
	s := u.variable("s", state)
	kept := func(i int) tail.Expr { return &tail.Proj{At: u.at, X: u.param(s), I: i} }
	init, next := &tail.Tuple{At: u.at}, &tail.Tuple{At: u.at}
	before, within := []letFrame{{u.at, n, calls}}, []letFrame(nil)
	last, now := map[*tail.Var]tail.Expr{}, map[*tail.Var]tail.Expr{}
	varies := map[string]tail.Size{}
	named := func(frames *[]letFrame, name string, e tail.Expr) tail.Expr {
		v := u.variable(name, e.Type())
		*frames = append(*frames, letFrame{u.at, v, e})
		return u.param(v)
	}
	for i, p := range u.f.Params {
		step := u.steps[i]
		switch {
		case step == 0:
			continue
		case u.isVector(i):
			eachSize(p.Type, func(size tail.Size) {
				for _, t := range size.Terms {
					varies[t.Var] = tail.AnySize
				}
			})
			without := func(times tail.Expr) tail.Expr {
				return u.apply(tail.OpDrop, u.apply(tail.OpMulI, times, u.int(-step)), u.param(p))
			}
			back := named(&within, "i", u.apply(tail.OpSubI, kept(len(next.Elems)), u.int(1)))
			last[p], now[p] = named(&before, p.Name, without(u.param(n))), named(&within, p.Name, without(back))
			init.Elems, next.Elems = append(init.Elems, u.param(n)), append(next.Elems, back)
		default:
			from := u.apply(tail.OpAddI, u.param(p), u.apply(tail.OpMulI, u.param(n), u.int(step)))
			if i == u.counts && u.exact {
				from = u.int(u.limit)
			} else if i == u.counts {
				from = u.bounded(tail.OpMinI, tail.OpMaxI)
			}
			last[p] = named(&before, p.Name, from)
			now[p] = named(&within, p.Name, u.apply(tail.OpAddI, kept(len(next.Elems)), u.int(-step)))
			init.Elems, next.Elems = append(init.Elems, last[p]), append(next.Elems, now[p])
		}
	}
	got := u.variable("r", state.Elems[len(next.Elems)])
	now[got] = kept(len(next.Elems))
	init.Elems = append(init.Elems, tail.CopyWith(rebuilt(u.lets, u.base), last, varies))
	next.Elems = append(next.Elems, tail.CopyWith(rebuilt(u.lets, u.given(u.rest, got)), now, varies))
	step := &tail.Lam{At: u.at, Params: []*tail.Var{s}, Body: rebuilt(within, next)}
	power := &tail.Apply{At: u.at, Op: tail.OpPower, Ty: state, Args: []tail.Expr{step, u.param(n), init}}
	return rebuilt(before, &tail.Proj{At: u.at, X: power, I: len(state.Elems) - 1})
}

// given is e with a variable for the call.
func (u *unwinding) given(e tail.Expr, v *tail.Var) tail.Expr {
	if e == u.call {
		return &tail.Ref{At: u.call.At, Var: v}
	}
	return tail.MapChildren(e, func(x tail.Expr) tail.Expr { return u.given(x, v) })
}
