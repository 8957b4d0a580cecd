package repl

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/tail"
)

// run runs the program of a line on the session's target and returns the
// components of its value.
func (s *Session) run(ctx context.Context, p *tail.Program) ([]*array.Array, error) {
	if s.target == driver.Eval {
		env := s.environment(ctx)
		if env.PP = p.PP; env.PP == 0 {
			env.PP = 10
		}
		return tail.EvalValues(p, env)
	}
	return s.compiled(ctx, p)
}

// compiled runs the program through the C compiler or on the device. The values come back
// through files, which the program is made to write at its end.
func (s *Session) compiled(ctx context.Context, p *tail.Program) ([]*array.Array, error) {
	dir, err := os.MkdirTemp("", "tailor-session-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	shown, pp := printedLast(p)
	types := writeAtEnd(p, dir)
	if err := s.start(ctx, p); err != nil {
		return nil, err
	}
	values := make([]*array.Array, len(types))
	for i, t := range types {
		if values[i], err = readBack(filepath.Join(dir, fmt.Sprint(i)), t); err != nil {
			return nil, err
		}
	}
	if shown {
		last := len(values) - 1
		s.show(values[last], pp)
		values = values[:last]
	}
	return values, nil
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

// start runs a program outside the evaluator: on the device, or as a process.
func (s *Session) start(ctx context.Context, p *tail.Program) error {
	if s.target == driver.OpenCL {
		c := driver.FromTyped(p, driver.Options{Target: driver.OpenCL})
		_, err := c.RunOpenCL(s.queue, clgen.Options{Thresholds: clgen.DefaultThresholds()}, s.Out, nil, nil)
		return err
	}
	path, err := s.binary(p)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, path)
	cmd.Stdout, cmd.Stderr = s.Out, s.Out
	if err := cmd.Run(); err != nil {
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() < 0 { // ended by a signal: by Ctrl-C, of which ctx may hear later
			select {
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
		if ctx.Err() != nil {
			return tail.ErrInterrupted
		}
		return errShown
	}
	return nil
}

// binary compiles a program and returns the path of the binary.
func (s *Session) binary(p *tail.Program) (string, error) {
	cc, err := driver.FindCompiler()
	if err != nil {
		return "", err
	}
	cache, err := driver.UserCache()
	if err != nil {
		return "", err
	}
	c := driver.FromTyped(p, driver.Options{Target: s.target})
	text, err := c.C("")
	if err != nil {
		return "", err
	}
	return cache.Binary(cc, text, c.Options)
}

// errShown is an error that the program itself has shown.
var errShown = shown{}

type shown struct{}

func (shown) Error() string { return "the program stopped" }

// writeAtEnd makes p write the components of its value to files 0, 1, … of a
// folder, and returns their types.
func writeAtEnd(p *tail.Program, dir string) []*tail.Array {
	var types []*tail.Array
	p.Main = atEnd(p.Main, func(t *tail.Tuple) tail.Expr {
		var end tail.Expr = &tail.Tuple{}
		for i, x := range t.Elems {
			types = append(types, tail.TypeOf(x))
			end = &tail.Let{Var: &tail.Var{Name: "_", Type: tail.Scalar(array.Int)}, Bind: writeNpy(x, filepath.Join(dir, fmt.Sprint(i))), Body: end}
		}
		return end
	})
	return types
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

// writeNpy returns the expression that writes x to a file; characters are
// written as their code points.
func writeNpy(x tail.Expr, file string) tail.Expr {
	if t := tail.TypeOf(x); t.Elem == array.Char {
		v := &tail.Var{Name: "c", Type: tail.Scalar(array.Char)}
		point := apply(tail.OpC2I, &tail.Ref{Var: v})
		if t.Dims() == 0 {
			x = apply(tail.OpC2I, x)
		} else {
			x = apply(tail.OpEach, &tail.Lam{Params: []*tail.Var{v}, Body: point}, x)
		}
	}
	return apply(tail.OpWriteNpy, x, tail.NewLit(diag.Span{}, array.VectorChar([]rune(file))))
}

// apply applies an op to arguments that fit it.
func apply(o tail.Op, args ...tail.Expr) tail.Expr {
	e, bad := tail.NewApply(diag.Span{}, o, 0, nil, args...)
	if bad != nil {
		panic("internal error: " + bad.Message())
	}
	return e
}

// readBack reads a value of the given type that writeNpy wrote.
func readBack(file string, t *tail.Array) (*array.Array, error) {
	elem := t.Elem
	if elem == array.Char {
		elem = array.Int
	}
	a, err := data.ReadNpy(file, elem, t.Dims())
	if err != nil || t.Elem != array.Char {
		return a, err
	}
	chars := array.New(array.Char, a.Shape...)
	for i, c := range a.Ints {
		chars.Chars[i] = rune(c)
	}
	return chars, nil
}
