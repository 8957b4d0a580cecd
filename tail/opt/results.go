package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// results gives a function truth values as its result where it gives an array of the
// numbers 0 and 1, provided that its own calls do: what it gives first is such, and so is
// what it makes of such.
//
// Requires: simplify. Preserves: what is computed, and its faults. Leaves conversions
// around calls; run truths and simplify after.
//
//	fun rec f (w:int) : [int]2 =
//	  if eqi(w,0) then reshape([1,1],1)
//	  else let m:[int]2 = f(subi(w,1)) in cat(m,each(fn v:int => muli(0,v),m))
//
// becomes
//
//	fun rec f (w:int) : [bool]2 =
//	  if eqi(w,0) then reshape([1,1],tt)
//	  else let t:[bool]2 = f(subi(w,1)) in cat(t,each(fn v:bool => ff,t))
func results(o *optimiser) {
	changed := map[*tail.Func]bool{}
	for _, f := range o.p.Funcs {
		if body := o.truthful(f); body != nil {
			f.Body, f.Result = body, truthType(f.Result)
			changed[f] = true
		}
	}
	if len(changed) == 0 {
		return
	}
	for _, f := range o.p.Funcs {
		f.Body = truthCalls(f.Body, changed)
	}
	o.p.Main = truthCalls(o.p.Main, changed)
}

// truthType returns the type of truth values in the place of numbers.
func truthType(ty tail.Type) tail.Type {
	return tail.Shaped(array.Bool, tail.Extents(ty.(*tail.Array))...)
}

// truthful returns the body of f with truth values as its result, nil where that is not
// an array of numbers that are certainly 0 and 1.
func (o *optimiser) truthful(f *tail.Func) tail.Expr {
	ty, ok := f.Result.(*tail.Array)
	if !ok || ty.Elem != array.Int || !ty.Rank.Known() || ty.Dims() == 0 || f == o.p.Entry || o.kept(f) {
		return nil
	}
	t := o.truthFinder(map[*tail.Var]tail.Expr{})
	body := t.expr(truthCalls(tail.CopyWith(f.Body, nil, nil), map[*tail.Func]bool{f: true}))
	good := true
	body = mapTail(body, truthType(ty), func(e tail.Expr) tail.Expr {
		m := t.either(e)
		good = good && m != nil
		return m
	})
	if !good {
		return nil
	}
	return body
}

// truthCalls returns e with the numbers of what some functions give where they give truth
// values by now. Calls that are of truth values stay.
func truthCalls(e tail.Expr, of map[*tail.Func]bool) tail.Expr {
	e = tail.MapChildren(e, func(x tail.Expr) tail.Expr { return truthCalls(x, of) })
	c, ok := e.(*tail.Call)
	if !ok || !of[c.Fn] || tail.TypeOf(c).Elem == array.Bool {
		return e
	}
	call := *c
	call.Ty = truthType(c.Ty)
	return mustApply(c.Where, tail.OpEach, tail.NewOpLam(c.Where, tail.OpB2I), &call)
}
