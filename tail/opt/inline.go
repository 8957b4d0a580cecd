package opt

import (
	"strconv"

	"github.com/tailor-lang/tailor/prelude"
	"github.com/tailor-lang/tailor/tail"
)

const (
	// smallFunc is the size up to which a function is substituted wherever it
	// is called.
	smallFunc = 200
	// fewCalls is the number of calls up to which a larger function, up to
	// largeFunc, is substituted as well: what is known of its arguments decides
	// how narrow its arithmetic can be. It is not where it has loops of its own and is
	// of a primitive: those do much for each element, and make much C.
	fewCalls  = 3
	largeFunc = 600
	// tinyFunc is the size up to which a function of few calls is substituted whatever
	// others have added to the program.
	tinyFunc = 60
	// inlineGrowth bounds what substituting functions that are called more
	// than once may add to a program: this many times its size, and
	// inlineFloor.
	inlineGrowth = 2
	inlineFloor  = 2000
)

// inline substitutes the bodies of functions for calls: of functions that are
// called once, and of small ones as long as the program does not grow too
// much. Functions that are not called any more are dropped.
//
// Requires: functions stand before their callers, unless recursive. Preserves:
// evaluation order; the arguments become lets, from the last to the first.
// Leaves lets of variables and constants; run simplify after.
//
//	fun f (x:<int>n) : <int>n =
//	  zipWith(addi,x,x)
//	main = print(f([1,2,3]))
//
// becomes
//
//	main = print(let x:<int>3 = [1,2,3] in zipWith(addi,x,x))
func inline(o *optimiser) {
	in := &inliner{optimiser: o, calls: map[*tail.Func]int{}, sizes: map[*tail.Func]int{}, position: map[*tail.Func]int{}}
	in.budget = inlineGrowth*o.start + inlineFloor - programSize(o.p)
	for i, f := range o.p.Funcs {
		in.count(f.Body)
		in.position[f] = i
	}
	in.count(o.p.Main)
	for i, f := range o.p.Funcs {
		if in.once(f) {
			continue // its body is worked on where it is substituted
		}
		in.current = i
		f.Body = in.expr(f.Body)
		in.sizes[f] = tail.ExprSize(f.Body)
	}
	in.current = len(o.p.Funcs)
	o.p.Main = in.expr(o.p.Main)
	dropFuncs(o.p)
}

type inliner struct {
	*optimiser
	calls    map[*tail.Func]int
	sizes    map[*tail.Func]int // of functions that are done
	position map[*tail.Func]int
	current  int // position of the function that is worked on
	budget   int
}

func (in *inliner) count(e tail.Expr) {
	tail.Walk(e, func(e tail.Expr) bool {
		if c, ok := e.(*tail.Call); ok {
			in.calls[c.Fn]++
		}
		return true
	})
}

func (in *inliner) expr(e tail.Expr) tail.Expr {
	return tail.Map(e, func(e tail.Expr) tail.Expr {
		if c, ok := e.(*tail.Call); ok && in.wanted(c.Fn) {
			return in.substitute(c)
		}
		return e
	})
}

// once reports whether f is substituted for its only call, of a function behind it.
func (in *inliner) once(f *tail.Func) bool {
	return !f.Recursive && in.calls[f] == 1 && !in.kept(f)
}

// substitute returns what a call becomes. The body of a function that is called once
// is copied before calls in it are substituted, so that a chain of functions is copied
// once.
func (in *inliner) substitute(c *tail.Call) tail.Expr {
	return in.substituted(c, func(body tail.Expr) tail.Expr {
		if in.once(c.Fn) {
			return in.expr(body)
		}
		return body
	})
}

// wanted decides whether calls of f are substituted. Functions before the
// current one are done, so what they call is not looked at again.
func (in *inliner) wanted(f *tail.Func) bool {
	if f.Recursive || in.position[f] >= in.current || in.kept(f) {
		return false
	}
	if in.once(f) {
		return true
	}
	size := in.sizes[f]
	limit := smallFunc
	if in.calls[f] <= fewCalls && !(prelude.Has(f.Where) && hasLoops(f.Body)) {
		limit = largeFunc
	}
	if in.calls[f] <= fewCalls && size <= tinyFunc {
		return true
	}
	if size > limit || size > in.budget {
		return false
	}
	in.budget -= size
	return true
}

// hasLoops reports whether e has loops of its own, beside those over elements.
func hasLoops(e tail.Expr) bool {
	found := false
	tail.Walk(e, func(e tail.Expr) bool {
		a, ok := e.(*tail.Apply)
		found = found || ok && (a.Op == tail.OpPower || a.Op == tail.OpWhile)
		return !found
	})
	return found
}

// substituted returns the body of the function that c calls, as done changes it, with
// lets for its parameters.
func (o *optimiser) substituted(c *tail.Call, done func(tail.Expr) tail.Expr) tail.Expr {
	sizes := o.matchSizes(c.Fn, c.Args)
	vars := map[*tail.Var]tail.Expr{}
	fresh := make([]*tail.Var, len(c.Args))
	for i, p := range c.Fn.Params {
		ty := tail.SubstSizes(p.Type, sizes)
		if given := c.Args[i].Type(); tail.Consistent(ty, given) {
			ty = tail.Meet(given, ty)
		} else {
			ty = given
		}
		fresh[i] = o.variable(p.Name, ty)
		vars[p] = &tail.Ref{At: tail.At{Where: c.Args[i].Span()}, Var: fresh[i]}
	}
	e := done(tail.CopyWith(c.Fn.Body, vars, sizes))
	for i := range fresh {
		e = &tail.Let{At: c.At, Var: fresh[i], Bind: c.Args[i], Body: e}
	}
	return e
}

// matchSizes finds what the size variables of f stand for in a call with the
// given arguments; fresh variables where the arguments do not tell.
func (o *optimiser) matchSizes(f *tail.Func, args []tail.Expr) map[string]tail.Size {
	sizes := map[string]tail.Size{}
	for i, p := range f.Params {
		matchTypes(p.Type, args[i].Type(), sizes)
	}
	fresh := func(ty tail.Type) {
		eachSize(ty, func(s tail.Size) {
			for _, t := range s.Terms {
				if _, ok := sizes[t.Var]; !ok {
					o.serial++
					sizes[t.Var] = tail.VarSize("s." + strconv.Itoa(o.serial))
				}
			}
		})
	}
	for _, p := range f.Params {
		fresh(p.Type)
	}
	tail.Walk(f.Body, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Let:
			fresh(e.Var.Type)
		case *tail.Lam:
			for _, p := range e.Params {
				fresh(p.Type)
			}
		case *tail.Apply:
			fresh(e.Ty)
		case *tail.Call:
			fresh(e.Ty)
		case *tail.If:
			fresh(e.Ty)
		}
		return true
	})
	return sizes
}

// matchTypes binds size variables of pattern p so that it fits ty.
func matchTypes(p, ty tail.Type, sizes map[string]tail.Size) {
	switch p := p.(type) {
	case *tail.Array:
		a, ok := ty.(*tail.Array)
		if !ok {
			return
		}
		for i, s := range p.Extents {
			matchSize(s, a.Extent(i), sizes)
		}
		for i, s := range p.Values {
			matchSize(s, a.Value(i), sizes)
		}
	case *tail.TupleType:
		a, ok := ty.(*tail.TupleType)
		if !ok || len(a.Elems) != len(p.Elems) {
			return
		}
		for i := range p.Elems {
			matchTypes(p.Elems[i], a.Elems[i], sizes)
		}
	}
}

func matchSize(p, s tail.Size, sizes map[string]tail.Size) {
	if p.Any || s.Any || len(p.Terms) != 1 || p.Terms[0].Coef != 1 {
		return
	}
	rest := s.Minus(tail.ConstSize(p.Const))
	name := p.Terms[0].Var
	if _, ok := sizes[name]; !ok && tail.Natural(rest) {
		sizes[name] = rest
	}
}

// eachSize calls f with all sizes in ty.
func eachSize(ty tail.Type, f func(tail.Size)) {
	switch ty := ty.(type) {
	case *tail.Array:
		for _, s := range ty.Extents {
			f(s)
		}
		for _, s := range ty.Values {
			f(s)
		}
	case *tail.TupleType:
		for _, e := range ty.Elems {
			eachSize(e, f)
		}
	}
}

// dropFuncs drops functions that main and the entry do not reach.
func dropFuncs(p *tail.Program) {
	used := map[*tail.Func]bool{}
	var visit func(e tail.Expr)
	visit = func(e tail.Expr) {
		tail.Walk(e, func(e tail.Expr) bool {
			if c, ok := e.(*tail.Call); ok && !used[c.Fn] {
				used[c.Fn] = true
				visit(c.Fn.Body)
			}
			return true
		})
	}
	visit(p.Main)
	if p.Entry != nil {
		used[p.Entry] = true
		visit(p.Entry.Body)
	}
	kept := p.Funcs[:0]
	for _, f := range p.Funcs {
		if used[f] {
			kept = append(kept, f)
		}
	}
	p.Funcs = kept
}
