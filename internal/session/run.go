package session

import (
	"context"
	"time"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// run runs the program of a line on the session's target and returns the
// components of its value.
func (s *Session) run(ctx context.Context, p *tail.Program) ([]*array.Array, error) {
	if s.evaluates {
		env := s.environment(ctx)
		if env.PP = p.PP; env.PP == 0 {
			env.PP = 10
		}
		defer s.timer.since(time.Now())
		return eval.Values(p, env)
	}
	return s.compiled(ctx, p)
}

// printedLast takes the display of the last statement out of p, if it is one of
// a whole value, and adds the value to the program's: the session shows it with
// the print precision pp.
func printedLast(p *tail.Program) (ok bool, pp int) {
	var last *tail.Let
	for e := p.Main; ; {
		l, ok := e.(*tail.Let)
		if !ok {
			break
		}
		last, e = l, l.Body
	}
	if last == nil {
		return false, 0
	}
	shown, ok := last.Bind.(*tail.Apply)
	if !ok || shown.Op != tail.OpPrint {
		return false, 0
	}
	for _, pp = range []int{shown.Precision(), p.PP, display.DefaultPrecision} {
		if pp > 0 {
			break
		}
	}
	v := &tail.Var{Name: "shown", Type: shown.Args[0].Type()}
	p.Main = replaceLast(p.Main, last, &tail.Let{At: last.At, Var: v, Bind: shown.Args[0],
		Body: atEnd(last.Body, func(t *tail.Tuple) tail.Expr {
			return &tail.Tuple{At: t.At, Elems: append(append([]tail.Expr{}, t.Elems...), &tail.Ref{Var: v})}
		})})
	return true, pp
}

// replaceLast replaces a let of a chain.
func replaceLast(e tail.Expr, last, by *tail.Let) tail.Expr {
	l := e.(*tail.Let)
	if l == last {
		return by
	}
	return &tail.Let{At: l.At, Var: l.Var, Bind: l.Bind, Body: replaceLast(l.Body, last, by)}
}

// atEnd replaces the tuple at the end of a chain of lets.
func atEnd(e tail.Expr, f func(*tail.Tuple) tail.Expr) tail.Expr {
	switch e := e.(type) {
	case *tail.Let:
		return &tail.Let{At: e.At, Var: e.Var, Bind: e.Bind, Body: atEnd(e.Body, f)}
	case *tail.Tuple:
		return f(e)
	}
	panic("internal error: a line does not end in a tuple")
}

// apply applies an op to arguments that fit it.
func apply(o tail.Op, args ...tail.Expr) tail.Expr {
	e, bad := tail.NewApply(diag.Span{}, o, 0, nil, args...)
	if bad != nil {
		panic("internal error: " + bad.Message())
	}
	return e
}
