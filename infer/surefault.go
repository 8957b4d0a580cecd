package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A branch of a guard may be sure to end the program, with a fault or because a
// function calls itself whatever happens, while the other branch is not. The
// program is valid where the branch is not taken. So the branch becomes code
// that stops the program with the message and the place of the fault:
//
//	{⍵:1 2[3] ⋄ 7}k
//
// stops where k is 1, and is 7 otherwise. What the branch does before the fault
// is done. Where both branches are sure to end the program the error is reported.

// errorNumbers are the numbers of ⎕SIGNAL for what a branch ends with.
var errorNumbers = map[diag.Kind]int64{diag.Index: 3, diag.Rank: 4, diag.Length: 5, diag.Domain: 11}

// endlessNumber is WS FULL: a function calls itself until no memory is left.
const endlessNumber = 1

// number returns the number of ⎕SIGNAL for an error that is certain where it
// stands, and false for one that is a mistake of the source or a limit of the
// compiler.
func (u unwound) number() (int64, bool) {
	if u.forever() {
		return endlessNumber, true
	}
	n, ok := errorNumbers[u.err.Kind()]
	return n, ok && (u.certain || u.endless) && !u.needs
}

// forever reports that a function calls itself until no memory is left.
func (u unwound) forever() bool { return u.endless && u.err.Kind() == diag.Type }

// certain reports an error that every evaluation of the expression ends with.
func certain(e *diag.Error) unwound { return unwound{err: e, certain: true} }

// arm is a branch of a guard: its value, or what it is sure to end with.
type arm struct {
	body tail.Expr // the value; for an arm that stops, the number of the error after what comes before
	stop *unwound
	ok   bool // the type of the value is known
}

// arm infers a branch of a guard in a block of its own.
func (g *infer) arm(branch func() tail.Expr) arm {
	a := arm{}
	a.ok = g.tryBottom(func() {
		a.body = g.block(func() tail.Expr {
			var e tail.Expr
			if a.stop = g.tryCertain(func() { e = branch() }); a.stop == nil {
				return e
			}
			n, _ := a.stop.number()
			return lit(a.stop.err.Span, array.ScalarInt(n))
		})
	})
	return a
}

// tryCertain runs f; it returns the error that f is sure to end with. The lets
// that f made before it stay.
func (g *infer) tryCertain(f func()) (stop *unwound) {
	scope, frame, depth, block := g.scope, g.frame, g.depth, g.blockID
	defer func() {
		if r := recover(); r != nil {
			u, is := r.(unwound)
			if !is {
				panic(r)
			}
			if _, sure := u.number(); !sure || g.probing && !u.endless {
				panic(r)
			}
			g.scope, g.frame, g.depth, g.blockID = scope, frame, depth, block
			stop = &u
		}
	}()
	f()
	return nil
}

// stopIn ends the program in an arm that is sure to end it: that of a condition
// that holds, or that of one that does not.
func (g *infer) stopIn(a arm, cond tail.Expr, holds bool) {
	at := cond.Span()
	then, els := a.body, tail.Expr(lit(at, array.ScalarInt(0)))
	if !holds {
		then, els = els, then
	}
	number := g.name(g.branch(cond, then, els, at, at))
	g.stopFor(a.stop, number, at)
}

// stopFor ends the program with the message of an error, if a number is not 0.
func (g *infer) stopFor(stop *unwound, number tail.Expr, at diag.Span) {
	err, code := stop.err, stop.err.Code
	if stop.forever() {
		code = diag.NoMemory
	}
	g.effect(g.stop(lit(at, array.VectorChar([]rune(err.Message))), number, code, site{fn: err.Span}))
}

// perhaps is what f makes of its arguments, in code that may never run: where f is
// sure to end the program, that code ends it, and its value is instead.
func (g *infer) perhaps(f func() tail.Expr, instead tail.Expr, at diag.Span) tail.Expr {
	var e tail.Expr
	stop := g.tryCertain(func() { e = f() })
	if stop == nil {
		return e
	}
	n, _ := stop.number()
	g.stopFor(stop, lit(at, array.ScalarInt(n)), at)
	return instead
}

// folded is the operand f of a reduction along an axis that has perhaps less than two
// items, or of an array that has perhaps none: f may not be applied at all.
func (g *infer) folded(f function, t *tail.Array, axis int, s site) function {
	_, defined := f.(*closure)
	if shape, ok := constShape(t); !defined || ok && shape[axis] > 1 && !isEmpty(t) {
		return f
	}
	var stop *unwound
	g.succeeds(func() { stop = g.tryCertain(func() { g.ofScalars(f, t.Elem, s) }) })
	if stop == nil {
		return f
	}
	return &made{func(x, y tail.Expr) tail.Expr {
		return g.perhaps(func() tail.Expr { return g.dyadic(f, x, y, s) }, x, s.fn)
	}}
}

// otherwise infers what comes after a branch that is sure to end the program.
func (g *infer) otherwise(stopped arm, rest func() tail.Expr) tail.Expr {
	var e tail.Expr
	if !g.tryBottom(func() { e = rest() }) {
		panic(g.unknown.or(stopped.stop.err))
	}
	return e
}

// probes says until the function that it returns is called that a function is
// tried for some types: it has those only for which no branch is sure to fault.
func (g *infer) probes() func() {
	saved := g.probing
	g.probing = true
	return func() { g.probing = saved }
}
