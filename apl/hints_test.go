package apl

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
)

// What is written as in other languages is told how APL writes it.
func TestHints(t *testing.T) {
	for source, hint := range map[string]string{
		"# comment":    "a comment begins with ⍝",
		"x ← 5; y ← 6": "statements are divided by ⋄, and ; divides indices: m[1;2]",
		"+/ [1 2 3]":   "a vector is written without brackets: 1 2 3",
		"sum([1,2,3])": "a vector is written without brackets: 1 2 3",
		"ρ3":           "ρ is a letter of Greek; APL's is ⍴: ⍴3",
		"ι5":           "ι is a letter of Greek; APL's is ⍳: ⍳5",
		"{2×ω}3":       "ω is a letter of Greek; APL's is ⍵: ⍵",
		"sum 1 2 3":    "the sum is +/",
		"5 {\n\n}":     "a function with a bound argument is written 5∘{  }",
	} {
		_, err := Parse(diag.NewSource("t", source))
		var list diag.List
		require.True(t, errors.As(err, &list), source)
		assert.Equal(t, hint, list[0].Fix, source)
		assert.NotContains(t, list[0].Headline(), "\n", source)
	}
}

// Axes of functions that have several are vectors.
func TestVectorsOfAxes(t *testing.T) {
	for _, source := range []string{"m←2 3⍴⍳6 ⋄ ,[1 2]m", "m←2 3⍴⍳6 ⋄ +/[1]m", "f←,[1 2]"} {
		_, err := Parse(diag.NewSource("t", source))
		assert.NoError(t, err, source)
	}
}
