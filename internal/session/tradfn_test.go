package session

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefinitions enters functions with headers.
func TestDefinitions(t *testing.T) {
	var out strings.Builder
	s := New(&out)
	in := "∇ r←f x ⍝ ∇\n  r←x+k\n∇\nk←10\nf 3\n∇ g;i\n  :For i :In ⍳2\n    i\n  :EndFor\n∇\ng\n∇ r←seven\n  r←7\n∇\nseven+1\nv←f 4\nv×2\nf←{⍵-1}\nf 3\n"
	require.NoError(t, s.Lines(strings.NewReader(in), false))
	for _, want := range []string{"f : dynamic function", "13 ", "1   [int]0\n2 ", "8 ", "28 "} {
		require.Contains(t, out.String(), want)
	}
	require.NotContains(t, out.String(), "ERROR")
}
