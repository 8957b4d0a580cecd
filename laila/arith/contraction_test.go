package arith_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestContraction says which sums take over products. Those that decide something
// do not, nor do any without the option.
func TestContraction(t *testing.T) {
	const vectors = "x←÷⍳100 ⋄ y←1-÷⍳100\n"
	cases := []struct {
		source string
		fused  []string
	}{
		{vectors + "+/*x+y×0.3", []string{"tl_fma("}},
		{vectors + "0.5-x×y", []string{"tl_fma(", "-"}},
		{vectors + "(x×y)-0.5", []string{", -0.5)"}},
		{vectors + "+/x×y", []string{"tl_fma("}},                      // into the accumulator
		{vectors + "{p←⍵×0.3 ⋄ (*p+1)÷2-p}¨x", []string{"0.3, 1.0)"}}, // a product with two uses
		{vectors + "{p←⍵×0.3 ⋄ (*p+1)÷p}¨x", nil},                     // and one that is needed
		{vectors + "((x×x)-y×y)*0.5", nil},                            // a test of a fault
		{vectors + "((x×x)+y×y)*0.5", []string{"tl_fma("}},            // of what cannot be negative
		{vectors + "0=x-y×0.3", nil},                                  // a comparison
		{vectors + "⌊0.5+10×x", nil},                                  // an integer
		{vectors + "1|0.5+10×x", nil},
		{"1+2×⍳9", nil}, // no doubles
	}
	for _, c := range cases {
		out := lowertest.Relaxed(t, c.source).String()
		if c.fused == nil {
			require.NotContains(t, out, "tl_fma", c.source)
		}
		for _, text := range c.fused {
			require.Contains(t, out, text, c.source)
		}
		require.NotContains(t, lowertest.Relaxed(t, c.source, "contraction").String(), "tl_fma", c.source)
		require.NotContains(t, lowertest.Optimised(t, c.source).String(), "tl_fma", c.source)
	}
}

// TestReciprocals says which divisions become products.
func TestReciprocals(t *testing.T) {
	const vector = "x←*÷⍳100\n"
	cases := []struct {
		source   string
		products bool
	}{
		{vector + "x÷3", true},
		{vector + "(1+x)÷¯0.7", true},
		{vector + "x÷3E200", false},        // its reciprocal is too small
		{"(⍳100)÷3", false},                // of integers
		{vector + "⌊x÷3", false},           // an integer
		{vector + "(⌊x)÷3", false},         // of whole numbers
		{vector + "1=x÷3", false},          // a comparison
		{vector + "(⍳100)[⌊1+x÷3]", false}, // an index
		{vector + "3÷x", false},            // no constant divides
	}
	for _, c := range cases {
		divides := func(p *ir.Program) bool {
			return strings.Contains(p.String(), " / 3") || strings.Contains(p.String(), " / -0.7")
		}
		require.Equal(t, !c.products, divides(lowertest.Relaxed(t, c.source, "wholes")) || strings.Contains(c.source, "3÷"), c.source)
		require.NotEqual(t, strings.Contains(c.source, "3÷"), divides(lowertest.Optimised(t, c.source, "wholes")), c.source)
	}
}
