package control_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestCells says which functions of cells are computed an element at a time: those
// of which one element, looked at, cannot fault; what is stored is as narrow as it.
func TestCells(t *testing.T) {
	const data = "n←⍎'100' ⋄ g←(n,n)⍴0=3|⍳n×n ⋄ i←(n,n)⍴⍳n×n\n"
	cases := []struct {
		source, has, hasNot string
	}{
		{"+/,3={(¯1⌽⍵)+⍵+1⌽⍵}⍤1⊢g", "i8(", "overflow"},
		{"+/,{⍵+⌽⍵}⍤1⊢i", "i16(", "overflow"},
		{"+/,{⍵×⌽⍵}⍤1⊢⌊i×1E9×⍎'7'", "overflow", "i8("},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, data+c.source).String()
		require.Contains(t, out, c.has, c.source)
		require.NotContains(t, out, c.hasNot, c.source)
	}
}
