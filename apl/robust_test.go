package apl

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/cputime"
	"github.com/tailor-lang/tailor/internal/diag"
)

// within fails the test if f takes longer than a generous limit: ten times
// what a slow machine needs, a small part of what a quadratic algorithm does.
func within(t *testing.T, limit time.Duration, f func()) {
	t.Helper()
	if d := cputime.Of(f); d > limit {
		t.Errorf("took %v, more than %v", d, limit)
	}
}

// errorsOf parses a text that must be faulty.
func errorsOf(t *testing.T, text string) diag.List {
	t.Helper()
	_, err := Parse(diag.NewSource("t", text))
	var list diag.List
	require.True(t, errors.As(err, &list), "no error in %.40q", text)
	for _, e := range list {
		require.NotEmpty(t, e.Message)
		require.NotEmpty(t, e.Render())
	}
	return list
}

func TestHugeSources(t *testing.T) {
	repeat := strings.Repeat
	for _, c := range []struct{ name, text, want string }{
		{"10 MB chain", "1" + repeat("+1", 5<<20), "too long"},
		{"10 MB strand", "x←" + repeat("1 ", 5<<20), ""},
		{"strand of names", "x←1 ⋄ " + repeat("x ", 2<<20), "too long"},
		{"10 MB string", "'" + repeat("a", 10<<20) + "'", ""},
		{"1 MB name", repeat("a", 1<<20), "unknown name"},
		{"1 MB unterminated string", "'" + repeat("a", 1<<20), "not closed"},
		{"1 MB number", repeat("1", 1<<20), "too large"},
		{"1 MB comment", "1 ⍝ " + repeat("a", 1<<20), ""},
		{"1 MB of blanks", repeat(" ", 1<<20), ""},
		{"1 MB of unknown characters", repeat("$", 1<<20), "not in APL"},
		{"1 MB of unknown names", repeat("abc ", 1<<18), "unknown name"},
		{"1 MB of unknown names, one a line", repeat("abc\n", 1<<18), "unknown name"},
		{"1 MB of arrows", "x" + repeat("←", 1<<19), "nothing to assign"},
		{"assignments", repeat("x←", 1<<18) + "1", "deeper than"},
		{"1 MB of brackets", repeat("[]", 1<<19), "expression is too long"},
		{"1 MB of closing brackets", repeat(")", 1<<20), "closes nothing"},
		{"1 MB of opening brackets", repeat("[", 1<<20), "nested deeper"},
		{"10,000 parentheses", repeat("(", 10000) + "1" + repeat(")", 10000), "nested deeper"},
		{"10,000 braces", repeat("{", 10000) + "⍵" + repeat("}", 10000) + "1", "nested deeper"},
		{"999 parentheses", repeat("(", 999) + "1" + repeat(")", 999), ""},
		{"999 braces", repeat("{", 999) + "⍵" + repeat("}⍵", 998) + "}1", ""},
		{"999 operators", "+" + repeat("{⍺⍺ ", 999) + "⍵" + repeat("}⍵", 998) + "}1", ""},
		{"999 indices", "x←1 ⋄ " + repeat("x[", 999) + "1" + repeat("]", 999), ""},
		{"deep mixture", repeat(repeat("1+", 100)+"{(", 400) + "⍵" + repeat(")}⍵", 399) + ")}1", "deeper than"},
		{"train", "f←" + repeat("+-", 1<<20) + "+", "too long"},
		{"operators", "+" + repeat("¨", 1<<18) + "1", "too long"},
		{"compositions", "+" + repeat("∘+", 1<<18) + "1", "too long"},
		{"indices", "x←1 ⋄ x" + repeat("[1]", 1<<20), "too long"},
		{"functions", repeat("-", 1<<18) + "1", "too long"},
		{"outer products", repeat("∘.", 1<<20) + "+1", "too long"},
		{"chain", "1" + repeat("+1", 10001), "deeper than"},
		{"long chain", "1" + repeat("+1", 9000), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			within(t, 30*time.Second, func() {
				_, err := Parse(diag.NewSource("t", c.text))
				if err != nil {
					for _, e := range err.(diag.List)[:1] {
						e.Render()
					}
				}
				switch {
				case c.want == "" && err != nil:
					t.Errorf("%.200s", err.Error())
				case c.want != "" && err == nil:
					t.Errorf("no error, want %s", c.want)
				case c.want != "" && !strings.Contains(err.Error(), c.want):
					t.Errorf("%.200s, want %s", err.Error(), c.want)
				}
			})
		})
	}
}

// TestLinear parses a program of 2,000 lines and one of 20,000.
func TestLinear(t *testing.T) {
	const ten = `sum←{⍵+x ⋄ ⍺←3}
f1←{⍝: <double>n → double
  t←+/⍵×⍵
  t<0: 0 ⋄ {⍵+t}¨⍳3
}
x←1 2 3 ⋄ x[2]+←4 ⋄ y←'it''s'
(a b)←x sum 2 3⍴4.5 1E¯3
x f1⍤1⊢y∘.=y
r←(+/÷≢)x×x>0 ⍝ a comment
⎕←r
`
	for _, n := range []int{200, 2000} {
		src := diag.NewSource("t", strings.Repeat(ten, n))
		within(t, time.Duration(n)*time.Millisecond, func() {
			start := time.Now()
			_, err := Parse(src)
			require.NoError(t, err)
			t.Logf("%d lines: %v", 10*n, time.Since(start))
		})
	}
}
