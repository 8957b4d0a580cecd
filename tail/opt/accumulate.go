package opt

import (
	"math"
	"slices"
	"strconv"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// accumulate makes a loop of a function that does something with the result of a call of
// itself: it does that before the call, to what it has so far.
//
//	fun rec f (x:int) : int = if eqi(x,0) then 7 else addi(1,f(quoi(x,2)))
//
// becomes a function f that is g(x,x,0,0), and
//
//	fun rec r (x:int) : int = if eqi(x,0) then 7 else addi(1,r(quoi(x,2)))
//	fun rec g (x:int,x0:int,so:int,n:int) : int =
//	  if gti(n,deep) then r(x0)
//	  else if eqi(x,0) then addi(so,7) else g(quoi(x,2),x0,addi(1,so),addi(1,n))
//
// of which loop makes a while. Calls that are nested deeply are r's, as their number is
// limited.
//
// Vectors that are joined to the results of calls, all in front of them or all behind them, are
// joined to what there is at its other end:
//
//	fun rec f (x:int) : [int]1 = if eqi(x,0) then [7] else cons(resi(10,x),f(quoi(x,10)))
//
// ends with cat(so,[7]), and goes on with snoc(so,resi(10,x)).
//
// Requires: one operation whose terms may be combined from either end with the same
// result, and whose other term cannot fault; sums that count in small steps from a small
// number, and do not overflow; no effects. Preserves: faults.
func (o *optimiser) accumulate(f *tail.Func) (r, g *tail.Func) {
	w := &accumulation{optimiser: o, f: f}
	f.Body = w.sunk(f.Body)
	if !f.Recursive || o.deep[f] || o.kept(f) || o.effects.Of(f.Body)&analysis.Impures != 0 || !w.find() {
		return nil, nil
	}
	at := tail.At{Where: f.Body.Span()}
	r = &tail.Func{Name: o.functionNamed(f.Name + "_deep"), Result: f.Result, Where: f.Where, Recursive: true}
	g = &tail.Func{Name: o.functionNamed(f.Name + "_loop"), Result: f.Result, Where: f.Where, Recursive: true}
	var firsts, params []tail.Expr
	theirs, mine := map[*tail.Var]tail.Expr{}, map[*tail.Var]tail.Expr{}
	ref := func(v *tail.Var) tail.Expr { return &tail.Ref{At: at, Var: v} }
	var started []*tail.Var
	for _, p := range f.Params {
		own, first, its := o.variable(p.Name, p.Type), o.variable(p.Name, p.Type), o.variable(p.Name, p.Type)
		g.Params, started, r.Params = append(g.Params, own), append(started, first), append(r.Params, its)
		mine[p], theirs[p] = ref(own), ref(its)
		params, firsts = append(params, ref(p)), append(firsts, ref(first))
	}
	w.sofar, w.count = o.variable("so", f.Result), o.variable("n", tail.Scalar(array.Int))
	w.firsts = firsts
	r.Body = calling(tail.CopyWith(f.Body, theirs, nil), f, r)
	g.Params = append(append(g.Params, started...), w.sofar, w.count)
	g.Body = mapTail(tail.CopyWith(f.Body, mine, nil), f.Result, func(e tail.Expr) tail.Expr { return w.last(g, e) })
	if !o.isLoop(g) {
		return nil, nil
	}
	deep := mustApply(at.Where, tail.OpGtI, ref(w.count), tail.NewInt(at.Where, deepCalls))
	g.Body = &tail.If{At: at, Cond: deep, Then: &tail.Call{At: at, Fn: r, Args: firsts, Ty: f.Result}, Else: g.Body, Ty: f.Result}
	args := append(append(params, params...), tail.NewLit(at.Where, w.start()), tail.NewInt(at.Where, 0))
	f.Body = &tail.Call{At: at, Fn: g, Args: args, Ty: f.Result}
	f.Recursive, o.deep[r] = false, true
	return r, g
}

// sunk puts a call of the function that a variable is bound to where the variable is used, in
// the operation that ends a path: what is computed between is total.
//
//	let r = f(x) in let n = tally(c) in cons(n,r)   becomes   let n = tally(c) in cons(n,f(x))
func (w *accumulation) sunk(e tail.Expr) tail.Expr {
	if x, ok := e.(*tail.If); ok {
		return &tail.If{At: x.At, Cond: x.Cond, Then: w.sunk(x.Then), Else: w.sunk(x.Else), Ty: x.Ty}
	}
	frames, last := unlet(e, nil)
	if _, ok := last.(*tail.If); ok {
		return rebuilt(frames, w.sunk(last))
	}
	a, ok := last.(*tail.Apply)
	if !ok || len(a.Args) != 2 {
		return e
	}
	for i := len(frames) - 1; i >= 0; i-- {
		if v := frames[i].v; !isCallOf(frames[i].bind, w.f) {
			if !w.effects.Total(frames[i].bind) {
				return e
			}
		} else if k := slices.IndexFunc(a.Args, func(x tail.Expr) bool { return tail.IsRef(x, v) }); k >= 0 && tail.Uses(rebuilt(frames[i+1:], last))[v] == 1 {
			now := *a
			now.Args = slices.Clone(a.Args)
			now.Args[k] = frames[i].bind
			return rebuilt(slices.Delete(frames, i, i+1), &now)
		}
	}
	return e
}

// calling replaces calls of one function by calls of another.
func calling(e tail.Expr, f, g *tail.Func) tail.Expr {
	if c, ok := e.(*tail.Call); ok && c.Fn == f {
		d := *c
		d.Fn, d.Args = g, nil
		for _, a := range c.Args {
			d.Args = append(d.Args, calling(a, f, g))
		}
		return &d
	}
	return tail.MapChildren(e, func(e tail.Expr) tail.Expr { return calling(e, f, g) })
}

// accumulated are the operations that accumulate, and what they begin with.
var accumulated = map[tail.Op]*array.Array{
	tail.OpAddI: array.ScalarInt(0),
	tail.OpMaxI: array.ScalarInt(math.MinInt64),
	tail.OpMinI: array.ScalarInt(math.MaxInt64),
	tail.OpMaxD: array.ScalarDouble(-math.MaxFloat64),
	tail.OpMinD: array.ScalarDouble(math.MaxFloat64),
	tail.OpAndB: array.ScalarBool(true),
	tail.OpOrB:  array.ScalarBool(false),
}

const (
	// deepCalls is how many calls, one in another, do not come near what they are limited
	// to.
	deepCalls = 50000
	// countStep is the most that a step may count: no program takes so many of them that
	// their sum overflows.
	countStep = 1 << 20
	// smallResult is a result to which so much can be added.
	smallResult = 1 << 61
)

// functionNamed returns a name that no function has yet.
func (o *optimiser) functionNamed(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(o.p.Funcs, func(f *tail.Func) bool { return f.Name == name })
	}
	unique := name
	for n := 2; taken(unique); n++ {
		unique = name + "_" + strconv.Itoa(n)
	}
	return unique
}

// joins are the operations that join vectors, and elements to them.
var joins = map[tail.Op]bool{tail.OpCat: true, tail.OpCons: true, tail.OpSnoc: true}

type accumulation struct {
	*optimiser
	f      *tail.Func
	op     tail.Op   // OpCat for all that join
	call   int       // which of the operands is the call, where the op joins
	where  diag.Span // of one
	sofar  *tail.Var
	count  *tail.Var   // of the calls so far
	firsts []tail.Expr // the arguments of the first call
}

// find finds the operation.
func (w *accumulation) find() bool {
	calls, last, found, fits, small := 0, 0, false, true, true
	tail.Walk(w.f.Body, func(e tail.Expr) bool {
		if isCallOf(e, w.f) {
			calls++
		}
		return true
	})
	eachTail(w.f.Body, func(e tail.Expr) {
		a, x := w.pending(e)
		switch {
		case a != nil:
			op, call := a.Op, 0
			if joins[op] {
				op, call = tail.OpCat, w.callOf(a)
			}
			fits = fits && (!found || op == w.op && call == w.call) && w.effects.Total(x) && (op != tail.OpAddI || isBetween(x, 0, countStep))
			w.op, w.call, w.where, found = op, call, a.Where, true
			last++
		case isCallOf(e, w.f):
			last++
		default:
			small = small && isBetween(e, -smallResult, smallResult)
		}
	})
	return found && fits && calls == last && (w.op != tail.OpAddI || small)
}

// pending returns the operation on the result of a call that e is, and its other term.
func (w *accumulation) pending(e tail.Expr) (op *tail.Apply, other tail.Expr) {
	a, ok := e.(*tail.Apply)
	if !ok || accumulated[a.Op] == nil && !(joins[a.Op] && w.isVector()) {
		return nil, nil
	}
	if k := w.callOf(a); k >= 0 {
		return a, a.Args[1-k]
	}
	return nil, nil
}

// last is what ends a path of g where e ends one of f.
func (w *accumulation) last(g *tail.Func, e tail.Expr) tail.Expr {
	so := &tail.Ref{At: tail.At{Where: e.Span()}, Var: w.sofar}
	if a, x := w.pending(e); a != nil {
		return w.next(g, a.Args[w.callOf(a)].(*tail.Call), w.more(a, x, so))
	}
	if isCallOf(e, w.f) {
		return w.next(g, e.(*tail.Call), so)
	}
	if w.op == tail.OpCat && w.call == 0 {
		return mustApply(w.where, w.op, e, so)
	}
	return mustApply(w.where, w.op, so, e)
}

// start is what there is before the first call.
func (w *accumulation) start() *array.Array {
	if w.op == tail.OpCat {
		return array.New(w.f.Result.(*tail.Array).Elem, 0)
	}
	return accumulated[w.op]
}

// more adds x, the other term of a, to what there is so far.
func (w *accumulation) more(a *tail.Apply, x, so tail.Expr) tail.Expr {
	switch {
	case w.op != tail.OpCat:
		return mustApply(a.Where, w.op, x, so)
	case a.Op == tail.OpCons:
		return mustApply(a.Where, tail.OpSnoc, so, x)
	case a.Op == tail.OpSnoc:
		return mustApply(a.Where, tail.OpCons, x, so)
	case w.call == 0:
		return mustApply(a.Where, tail.OpCat, x, so)
	}
	return mustApply(a.Where, tail.OpCat, so, x)
}

// isVector reports whether the function gives vectors of any length.
func (w *accumulation) isVector() bool {
	t, ok := w.f.Result.(*tail.Array)
	return ok && t.Rank.Known() && t.Dims() == 1 && !t.Extent(0).Known()
}

// next is the call c of f as one of g.
func (w *accumulation) next(g *tail.Func, c *tail.Call, so tail.Expr) tail.Expr {
	count := mustApply(c.Where, tail.OpAddI, &tail.Ref{At: c.At, Var: w.count}, tail.NewInt(c.Where, 1))
	return &tail.Call{At: c.At, Fn: g, Args: append(append(slices.Clone(c.Args), w.firsts...), so, count), Ty: c.Ty, Size: c.Size}
}

// callOf returns which argument of an operation is the call.
func (w *accumulation) callOf(a *tail.Apply) int {
	return slices.IndexFunc(a.Args, func(x tail.Expr) bool { return isCallOf(x, w.f) })
}

// isBetween reports whether e is certainly an integer between two others.
func isBetween(e tail.Expr, lo, hi int64) bool {
	r := analysis.RangeOf(e, analysis.RangeDepth)
	return r.Known && lo <= r.Low && r.High <= hi
}
