package laila

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCheck says what the checker of loops finds.
func TestCheck(t *testing.T) {
	v, w, flag, i := &Var{"v", I64}, &Var{"w", I64}, &Var{"bad", U8}, &Var{"i", I64}
	b, k := &Buf{Name: "a", Elem: I64}, &Buf{Name: "k", Elem: F64}
	one, n := integer(1), &Use{w}
	set := &Assign{v, one}
	loop := func(hi Expr, body ...Stmt) Stmt { return &For{Var: i, Lo: integer(0), Hi: hi, Body: body} }
	nest := func(flags []*Var, body ...Stmt) Stmt {
		return &Nest{Kind: SegMap, Dims: []Dim{{i, integer(0), n}}, Body: body, Flags: flags}
	}
	alloc, free := &DeclBuf{Buf: b, Count: one}, &Free{b}
	use := &Decl{&Var{"u", I64}, &Use{v}}
	start := []Stmt{&Decl{w, one}, &Decl{v, nil}}
	cases := []struct {
		wrong string
		body  []Stmt
	}{
		{"", []Stmt{set, use}},
		{"v is read before it is written", []Stmt{use}},
		{"v is read before it is written", []Stmt{loop(n, set), use}}, // perhaps no step
		{"", []Stmt{loop(one, set), use}},
		{"v is read before it is written", []Stmt{&If{&Binary{Lt, n, one}, []Stmt{set}, nil}, use}},
		{"", []Stmt{&If{&Binary{Lt, n, one}, []Stmt{set}, []Stmt{&Fail{}}}, use}},
		{"v is read before it is written", []Stmt{&Loop{[]Stmt{&BreakIf{boolean(true)}, set}}, use}},
		{"", []Stmt{&Loop{[]Stmt{set, &BreakIf{boolean(true)}}}, use}},
		{"i is read before it is declared", []Stmt{loop(n), &Assign{v, &Use{i}}}},
		{"v is declared again", []Stmt{&Decl{v, one}}},
		{"bad is read before it is declared", []Stmt{nest([]*Var{flag})}},
		{"v is outside of the nest", []Stmt{nest(nil, set)}},
		{"", []Stmt{&Decl{flag, boolean(false)}, nest([]*Var{flag}, &Assign{flag, &Binary{Or, &Use{flag}, boolean(true)}})}},
		{"an operand of kind f64 where i64 is expected", []Stmt{&Assign{v, &Float{1}}}},
		{"an operand of kind u8 where i64 is expected", []Stmt{&Assign{v, &Binary{Add, one, boolean(true)}}}},
		{"a is mentioned before it is declared", []Stmt{&Store{b, one, one}}},
		{"the storage of a is not freed", []Stmt{alloc}},
		{"the storage of a may have been freed", []Stmt{alloc, free, &Store{b, one, one}}},
		{"the storage of a may have been freed", []Stmt{alloc, free, free}},
		{"a is outside of the nest", []Stmt{alloc, nest(nil, free)}},
		{"a has no storage", []Stmt{&DeclBuf{Buf: b}, &Store{b, one, one}}},
		{"elements of kinds i64 and f64", []Stmt{alloc, &DeclBuf{Buf: k, Count: one}, &Copy{b, one, k, one, one}}},
		{"a break outside of a loop", []Stmt{nest(nil, &BreakIf{boolean(true)})}},
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
