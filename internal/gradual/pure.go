package gradual

import (
	"github.com/tailor-lang/tailor/tail"
)

// pure reports whether the entry of p has no effects, depends on nothing but its
// arguments, and ends the program by faults only.
func pure(p *tail.Program) bool {
	effects := tail.NewEffects(p)
	ok := true
	for _, f := range p.Funcs {
		ok = ok && effects.Of(f.Body)&tail.Impures == 0
		tail.Walk(f.Body, func(e tail.Expr) bool {
			if a, is := e.(*tail.Apply); is && a.Op == tail.OpStop {
				ok = false
			}
			return ok
		})
	}
	return ok
}

// doubtful reports whether integers may become doubles in p elsewhere than as arguments
// of arithmetic: in the branches of a guard, the state of a loop, or a result. There the
// interpreter has either, as it comes.
func doubtful(p *tail.Program) bool {
	d := &doubts{}
	for _, f := range p.Funcs {
		d.walk(f.Body, false)
	}
	return d.found
}

type doubts struct{ found bool }

// walk looks at an expression that is an argument of arithmetic, or not.
func (d *doubts) walk(e tail.Expr, arithmetic bool) {
	a, ok := e.(*tail.Apply)
	each := ok && a.Op == tail.OpEach && coercion(a.Args[0])
	if ok && toDouble[a.Op] || each {
		d.found = d.found || !arithmetic
	}
	inside := ok && (a.Op.Row().Scalar || elementwise[a.Op]) && !each
	tail.Walk(e, func(inner tail.Expr) bool {
		switch {
		case inner == e:
			return !d.found
		case !each || inner != a.Args[0]:
			d.walk(inner, inside)
		}
		return false
	})
}

// coercion reports whether f is a coercion as a function.
func coercion(f tail.Expr) bool {
	l, ok := f.(*tail.Lam)
	if !ok {
		return false
	}
	a, ok := l.Body.(*tail.Apply)
	if !ok || !toDouble[a.Op] {
		return false
	}
	_, ok = a.Args[0].(*tail.Ref)
	return ok
}

// toDouble are the coercions of integers, and of doubles, to wider numbers, and
// elementwise the ops that do arithmetic by a function.
var (
	toDouble    = map[tail.Op]bool{tail.OpI2D: true, tail.OpB2D: true, tail.OpD2Z: true}
	elementwise = map[tail.Op]bool{tail.OpEach: true, tail.OpZipWith: true, tail.OpReduce: true, tail.OpScan: true, tail.OpInner: true, tail.OpChain: true}
)
