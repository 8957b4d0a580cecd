package opt

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
	"github.com/tailor-lang/tailor/tail/tailtest"
)

// FuzzOptimise holds programs before and after optimisation against each
// other.
func FuzzOptimise(f *testing.F) {
	for _, src := range tailtest.Texts {
		f.Add(src)
	}
	for _, cases := range passCases {
		for _, c := range cases {
			f.Add(c[0])
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := tail.ParseText(src)
		if err != nil || tail.Check(p) != nil || !honest(p) {
			return
		}
		before, err := limited(p)
		if err != nil {
			return
		}
		text := p.String()
		if err := Run(p, Options{Verify: true}); err != nil {
			t.Fatalf("%v\nof\n%s", err, text)
		}
		after, err := limited(p)
		if err == nil && before != after {
			t.Fatalf("%s\nand\n%s\nof\n%s\nand\n%s", before, after, text, p)
		}
	})
}

// honest reports whether all types in p follow from those of the parts, so
// that none is a false claim, and whether the evaluator can run p.
func honest(p *tail.Program) bool {
	ok := true
	visit := func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Let:
			ok = ok && tail.Subtype(e.Bind.Type(), e.Var.Type)
		case *tail.Apply:
			given, bad := tail.NewApply(e.Where, e.Op, e.Axis, e.Ks, e.Args...)
			ok = ok && bad == nil && tail.Subtype(given.Ty, e.Ty) && !e.Op.Row().Impure
			if e.Op == tail.OpEach || e.Op == tail.OpZipWith || e.Op == tail.OpReduce || e.Op == tail.OpScan || e.Op == tail.OpOuter {
				for _, v := range e.Args[0].(*tail.Lam).Params {
					ok = ok && tail.Equal(v.Type, v.Type.(*tail.Array).Plain())
				}
			}
		case *tail.Call:
			ok = ok && tail.Subtype(e.Fn.Result, e.Ty)
			for i, a := range e.Args {
				ok = ok && tail.Subtype(a.Type(), e.Fn.Params[i].Type)
			}
		case *tail.If:
			ok = ok && tail.Subtype(e.Then.Type(), e.Ty) && tail.Subtype(e.Else.Type(), e.Ty)
		case *tail.Lit:
			ok = ok && tail.Equal(e.Ty, tail.LitType(e.Value)) && e.Value.Len() < 10000 && plainLit(e)
		case *tail.Vec:
			ok = ok && tail.Subtype(tail.NewVec(e.Where, e.Elems...).Ty, e.Ty)
		}
		return ok
	}
	for _, f := range p.Funcs {
		tail.Walk(f.Body, visit)
		ok = ok && tail.Subtype(f.Body.Type(), f.Result) && f.Recursive
	}
	tail.Walk(p.Main, visit)
	return ok
}

func plainLit(e *tail.Lit) bool {
	for _, d := range e.Value.Doubles {
		if d != d {
			return false
		}
	}
	return len(e.Value.Complexes) == 0
}

// limited is outcome for programs that may not end.
func limited(p *tail.Program) (string, error) {
	stop := make(chan struct{})
	timer := time.AfterFunc(100*time.Millisecond, func() { close(stop) })
	defer timer.Stop()
	var out bytes.Buffer
	values, err := eval.Values(p, &eval.Env{Stdout: &out, MaxDepth: 100, MaxBytes: 1 << 16, Interrupt: stop})
	if errors.Is(err, eval.ErrInterrupted) || err != nil && bytes.Contains([]byte(err.Error()), []byte("LIMIT")) {
		return "", eval.ErrInterrupted
	}
	if err != nil {
		return out.String() + err.Error(), nil
	}
	for _, v := range values {
		fmt.Fprintf(&out, "%v %v\n", v.Shape, v.Elem)
		out.WriteString(tailtest.Shown(v))
	}
	return out.String(), nil
}
