package opt

import (
	"errors"
	"io"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// maxCertain is the size of the largest expression that Certain evaluates, and the
// number of elements of the longest array in it.
const maxCertain = 64

// Certain returns the fault that every run of p ends with, or nil where none is seen.
// It evaluates what p computes from constants: small expressions without calls, loops
// and effects that stand outside of functions and branches.
//
// Requires: an optimised program.
//
//	let x:double = divd(1.0,0.0) in print(x)   division by zero
func CertainFault(p *tail.Program) *diag.Error {
	c := &certainty{p: p, known: map[*tail.Var]*array.Array{}, stopping: map[*tail.Func]bool{}}
	c.look(p.Main)
	return c.fault
}

type certainty struct {
	p     *tail.Program
	known map[*tail.Var]*array.Array
	fault *diag.Error
	ended bool // by a fault, or perhaps by op stop
	// stopping says whether functions may stop the program; those that are being looked
	// at do not yet.
	stopping map[*tail.Func]bool
}

// look evaluates e as far as constants say what it is; it returns the value, or nil.
func (c *certainty) look(e tail.Expr) *array.Array {
	if c.ended {
		return nil
	}
	if _, function := e.(*tail.Lam); !function && c.closed(e) {
		return c.value(e)
	}
	switch e := e.(type) {
	case *tail.Let:
		if a := c.look(e.Bind); a != nil {
			c.known[e.Var] = a
		}
		return c.look(e.Body)
	case *tail.If:
		c.look(e.Cond)
		c.ended = c.ended || c.mayStop(e.Then) || c.mayStop(e.Else)
	case *tail.Lam:
		c.ended = c.mayStop(e.Body)
	default:
		tail.Children(e, func(x tail.Expr) { c.look(x) })
		c.ended = c.ended || c.mayStop(e)
	}
	return nil
}

// mayStop reports whether e, or a function that it calls, has op stop.
func (c *certainty) mayStop(e tail.Expr) bool {
	found := false
	tail.Walk(e, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Apply:
			found = found || e.Op == tail.OpStop
		case *tail.Call:
			if _, known := c.stopping[e.Fn]; !known {
				c.stopping[e.Fn] = false
				c.stopping[e.Fn] = c.mayStop(e.Fn.Body)
			}
			found = found || c.stopping[e.Fn]
		}
		return !found
	})
	return found
}

// closed reports whether e is small and depends on known values only.
func (c *certainty) closed(e tail.Expr) bool {
	n, ok := 0, true
	tail.Walk(e, func(e tail.Expr) bool {
		n++
		t, isArray := e.Type().(*tail.Array)
		switch e := e.(type) {
		case *tail.Lam:
			ok = ok && closedScalar(e)
			return false
		case *tail.Apply:
			ok = ok && !e.Op.Row().Impure && e.Op != tail.OpPower && e.Op != tail.OpWhile && isArray && isFew(t)
		case *tail.Call, *tail.Tuple, *tail.Proj:
			ok = false
		}
		ok = ok && n <= maxCertain
		return ok
	})
	if !ok {
		return false
	}
	for _, v := range tail.FreeVars(e) {
		if c.known[v] == nil {
			return false
		}
	}
	return true
}

// isFew reports whether arrays of a type are known to have few elements.
func isFew(t *tail.Array) bool {
	n, ok := tail.Product(tail.Extents(t)).IsConst()
	return ok && n <= maxCertain
}

// value evaluates a closed expression.
func (c *certainty) value(e tail.Expr) *array.Array {
	for _, v := range tail.FreeVars(e) {
		e = &tail.Let{Var: v, Bind: tail.NewLit(e.Span(), c.known[v]), Body: e}
	}
	main := &tail.Tuple{Elems: []tail.Expr{e}}
	values, err := eval.Values(&tail.Program{Source: c.p.Source, Main: main, Wrap: c.p.Wrap, Exact: c.p.Exact, CT: c.p.CT}, &eval.Env{Stdout: io.Discard, MaxBytes: 1 << 20})
	if fault := (*diag.Error)(nil); errors.As(err, &fault) {
		c.fault, c.ended = fault, true
	}
	if err != nil || len(values) != 1 {
		return nil
	}
	return values[0]
}
