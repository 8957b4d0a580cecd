package ir

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCheck says what the checker of loops finds.
func TestCheck(t *testing.T) {
	v, w, flag, i := &Var{Name: "v", Kind: I64}, &Var{Name: "w", Kind: I64}, &Var{Name: "bad", Kind: U8}, &Var{Name: "i", Kind: I64}
	b, k := &Buf{Name: "a", Elem: I64}, &Buf{Name: "k", Elem: F64}
	one, n := Integer(1), w.Use()
	set := v.Assign(one)
	loop := func(hi Expr, body ...Stmt) Stmt { return &For{Var: i, Lo: Integer(0), Hi: hi, Body: body} }
	nest := func(flags []*Var, body ...Stmt) Stmt {
		return &Nest{Kind: SegMap, Dims: []Dim{{i, Integer(0), n}}, Body: body, Flags: flags}
	}
	alloc, free := &DeclBuf{Buf: b, Count: one}, &Free{b}
	use := (&Var{Name: "u", Kind: I64}).Decl(v.Use())
	start := []Stmt{w.Decl(one), v.Decl(nil)}
	cases := []struct {
		wrong string
		body  []Stmt
	}{
		{"", []Stmt{set, use}},
		{"v is read before it is written", []Stmt{use}},
		{"v is read before it is written", []Stmt{loop(n, set), use}}, // perhaps no step
		{"", []Stmt{loop(one, set), use}},
		{"v is read before it is written", []Stmt{&If{OpLt.Of(n, one), []Stmt{set}, nil}, use}},
		{"", []Stmt{&If{OpLt.Of(n, one), []Stmt{set}, []Stmt{&Fail{}}}, use}},
		{"v is read before it is written", []Stmt{&Loop{[]Stmt{&BreakIf{Boolean(true)}, set}}, use}},
		{"", []Stmt{&Loop{[]Stmt{set, &BreakIf{Boolean(true)}}}, use}},
		{"i is read before it is declared", []Stmt{loop(n), v.Assign(i.Use())}},
		{"v is declared again", []Stmt{v.Decl(one)}},
		{"bad is read before it is declared", []Stmt{nest([]*Var{flag})}},
		{"v is outside of the nest", []Stmt{nest(nil, set)}},
		{"", []Stmt{flag.Decl(Boolean(false)), nest([]*Var{flag}, flag.Assign(OpOr.Of(flag.Use(), Boolean(true))))}},
		{"an operand of kind f64 where i64 is expected", []Stmt{v.Assign(&Float{1})}},
		{"an operand of kind u8 where i64 is expected", []Stmt{v.Assign(OpAdd.Of(one, Boolean(true)))}},
		{"a is mentioned before it is declared", []Stmt{b.Store(one, one)}},
		{"the storage of a is not freed", []Stmt{alloc}},
		{"the storage of a may have been freed", []Stmt{alloc, free, b.Store(one, one)}},
		{"the storage of a may have been freed", []Stmt{alloc, free, free}},
		{"a is outside of the nest", []Stmt{alloc, nest(nil, free)}},
		{"a has no storage", []Stmt{&DeclBuf{Buf: b}, b.Store(one, one)}},
		{"elements of kinds i64 and f64", []Stmt{alloc, &DeclBuf{Buf: k, Count: one}, &Copy{b, one, k, one, one}}},
		{"a break outside of a loop", []Stmt{nest(nil, &BreakIf{Boolean(true)})}},
		{"a return in a nest", []Stmt{nest(nil, &Return{})}},
	}
	for _, c := range cases {
		f := &Func{Name: "f", Body: append(append([]Stmt{}, start...), c.body...)}
		err := Check(&Program{Main: f})
		if c.wrong == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.wrong)
		require.ErrorContains(t, err, "internal error: loops of f: ")
	}
}
