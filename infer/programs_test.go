package infer

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/conform"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// compile returns the program for a source text.
func compile(name, text string) (*tail.Program, error) {
	p, err := apl.Parse(diag.NewSource(name, text))
	if err != nil {
		return nil, err
	}
	return Program(p, Options{})
}

// patience is how long a program may run.
var patience = 10 * time.Minute

// evaluate compiles, checks and evaluates a program.
func evaluate(name, text string, args ...string) (printed string, err error) {
	defer func() {
		if r := recover(); r != nil {
			printed, err = "", fmt.Errorf("%v", r)
		}
	}()
	p, err := compile(name, text)
	if err != nil {
		return "", err
	}
	if err := tail.Check(p); err != nil {
		return "", err
	}
	var out bytes.Buffer
	interrupt := make(chan struct{})
	defer time.AfterFunc(patience, func() { close(interrupt) }).Stop()
	err = eval.Run(p, &eval.Env{Stdout: &out, Args: args, PP: p.PP, MaxBytes: 1 << 28, Interrupt: interrupt})
	return out.String(), err
}

// fault returns the rendering of an error.
func fault(err error) string {
	switch err := err.(type) {
	case diag.List:
		text := ""
		for _, e := range err {
			text += e.Render()
		}
		return text
	case *diag.Error:
		return err.Render()
	}
	return err.Error()
}

// skipMissing skips what the evaluator does not do yet.
func skipMissing(t *testing.T, err error) {
	if err != nil && strings.Contains(err.Error(), "the evaluator does not know") {
		t.Skip(err)
	}
}

func TestPrograms(t *testing.T) {
	const dir = "../testdata/programs"
	names, err := programs.Names(dir)
	require.NoError(t, err)
	require.NotEmpty(t, names)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			p, err := programs.Read(dir, name, programs.Test)
			require.NoError(t, err)
			t.Chdir(root)
			out, err := evaluate(name+".apl", p.Source)
			skipMissing(t, err)
			if err != nil {
				t.Fatal(fault(err))
			}
			require.Equal(t, p.Output, out)
		})
	}
}

func TestExpressions(t *testing.T) {
	for _, file := range []string{"sins.txt", "functions.txt", "structural.txt", "dfns.txt", "nested.txt", "derived.txt"} {
		file = filepath.Join("../testdata/expr", file)
		cases, err := conform.Expressions(file)
		require.NoError(t, err)
		for _, c := range cases {
			t.Run(filepath.Base(file)+":"+strconv.Itoa(c.Line), func(t *testing.T) {
				out, err := evaluate("expr", c.Source)
				skipMissing(t, err)
				if c.Fault == "" {
					if err != nil {
						t.Fatalf("%s%s", c.Source, fault(err))
					}
					require.Equal(t, c.Output, out, c.Source)
					return
				}
				require.Error(t, err, c.Source)
				kind, part, _ := strings.Cut(c.Fault, ": ")
				require.Contains(t, fault(err), kind)
				require.Contains(t, fault(err), part)
			})
		}
	}
}

// TestFaults compiles the faulty programs: what is reported, and where. Those
// that fail when they run (exit status 1) must compile.
func TestFaults(t *testing.T) {
	for _, file := range []string{"domain.txt", "shapes.txt", "unsupported.txt"} {
		faults, err := conform.Faults(filepath.Join("../testdata/errors", file))
		require.NoError(t, err)
		for _, f := range faults {
			t.Run(file+":"+strconv.Itoa(f.Line), func(t *testing.T) {
				_, err := evaluate("program", f.Source)
				skipMissing(t, err)
				require.Error(t, err)
				text := fault(err)
				e, ok := err.(*diag.Error)
				if list, is := err.(diag.List); is {
					e, ok = list[0], true
				}
				require.True(t, ok, text)
				require.Equal(t, f.Exit == 1, e.RunTime, text)
				require.True(t, strings.HasPrefix(e.Kind().String()+": "+e.Message+" ["+e.Shown().String()+"]", f.Message), "%s\n%s\n%s", f.Source, f.Message, text)
				line, col := e.Span.Src.Position(e.Span.Start)
				require.Equal(t, f.Where, line, "%s\n%s", f.Source, text)
				if f.Column != col && !(f.Column == 2 && col == 1) {
					t.Errorf("column %d, not %d:\n%s\n%s", col, f.Column, f.Source, text)
				}
			})
		}
	}
}
