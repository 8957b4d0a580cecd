package tail

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"
)

// FuzzOptimise holds programs before and after optimisation against each
// other.
func FuzzOptimise(f *testing.F) {
	for _, src := range texts {
		f.Add(src)
	}
	for _, cases := range passCases {
		for _, c := range cases {
			f.Add(c[0])
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := ParseText(src)
		if err != nil || Check(p) != nil || !honest(p) {
			return
		}
		before, err := limited(p)
		if err != nil {
			return
		}
		text := p.String()
		if err := Optimise(p, Options{Verify: true}); err != nil {
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
func honest(p *Program) bool {
	ok := true
	visit := func(e Expr) bool {
		switch e := e.(type) {
		case *Let:
			ok = ok && Subtype(e.Bind.Type(), e.Var.Type)
		case *Apply:
			given, bad := NewApply(e.Where, e.Op, e.Axis, e.Ks, e.Args...)
			ok = ok && bad == nil && Subtype(given.Ty, e.Ty) && !e.Op.Row().Impure
			if e.Op == OpEach || e.Op == OpZipWith || e.Op == OpReduce || e.Op == OpScan || e.Op == OpOuter {
				for _, v := range e.Args[0].(*Lam).Params {
					ok = ok && Equal(v.Type, v.Type.(*Array).Plain())
				}
			}
		case *Call:
			ok = ok && Subtype(e.Fn.Result, e.Ty)
			for i, a := range e.Args {
				ok = ok && Subtype(a.Type(), e.Fn.Params[i].Type)
			}
		case *If:
			ok = ok && Subtype(e.Then.Type(), e.Ty) && Subtype(e.Else.Type(), e.Ty)
		case *Lit:
			ok = ok && Equal(e.Ty, LitType(e.Value)) && e.Value.Len() < 10000 && plainLit(e)
		case *Vec:
			ok = ok && Subtype(NewVec(e.Where, e.Elems...).Ty, e.Ty)
		}
		return ok
	}
	for _, f := range p.Funcs {
		Walk(f.Body, visit)
		ok = ok && Subtype(f.Body.Type(), f.Result) && f.Recursive
	}
	Walk(p.Main, visit)
	return ok
}

func plainLit(e *Lit) bool {
	for _, d := range e.Value.Doubles {
		if d != d {
			return false
		}
	}
	return len(e.Value.Complexes) == 0
}

// limited is outcome for programs that may not end.
func limited(p *Program) (string, error) {
	stop := make(chan struct{})
	timer := time.AfterFunc(100*time.Millisecond, func() { close(stop) })
	defer timer.Stop()
	var out bytes.Buffer
	values, err := EvalValues(p, &Env{Stdout: &out, MaxDepth: 100, MaxBytes: 1 << 16, Interrupt: stop})
	if errors.Is(err, ErrInterrupted) || err != nil && bytes.Contains([]byte(err.Error()), []byte("LIMIT")) {
		return "", ErrInterrupted
	}
	if err != nil {
		return out.String() + err.Error(), nil
	}
	for _, v := range values {
		fmt.Fprintf(&out, "%v %v\n", v.Shape, v.Elem)
		out.WriteString(shown(v))
	}
	return out.String(), nil
}
