package repl

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/diag"
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

// compiled runs the program through the C compiler. The values come back
// through files, which the program is made to write at its end.
func (s *Session) compiled(ctx context.Context, p *tail.Program) ([]*array.Array, error) {
	dir, err := os.MkdirTemp("", "tailor-session-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	types := writeAtEnd(p, dir)
	path, err := s.binary(p)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path)
	cmd.Stdout, cmd.Stderr = s.Out, s.Out
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, tail.ErrInterrupted
		}
		return nil, errShown
	}
	values := make([]*array.Array, len(types))
	for i, t := range types {
		if values[i], err = readBack(filepath.Join(dir, fmt.Sprint(i)), t); err != nil {
			return nil, err
		}
	}
	return values, nil
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
