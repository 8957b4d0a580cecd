package idiom_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestBitTables says which functions of indices are looked up by blocks: those
// that are linear in the bits, of many indices.
func TestBitTables(t *testing.T) {
	const head = "bits←20⍴2\nxor←{2⊥(bits⊤⍺)≠bits⊤⍵}\nd←1048575|7919×⍳20\n"
	cases := []struct {
		source string
		tables bool
	}{
		{"+/{(xor/d×⌽bits⊤⍵ xor⌊⍵÷2)÷7}¨⍳5000", true},
		{"+/{(xor/d×⌽bits⊤⍵ xor⌊⍵÷2)÷7}¨9+⍳5000", true},
		{"+/{(xor/d×⌽bits⊤⍵ xor⌊⍵÷2)÷7}¨⍳500", false},            // few
		{"+/{(xor/d×⌽bits⊤⍵ xor⌊⍵÷2)÷7}¨¯9+⍳5000", false},        // negative ones
		{"+/{(+/d×⌽bits⊤⍵ xor⌊⍵÷2)÷7}¨⍳5000", false},             // sums carry
		{"+/{(xor/d×⌽bits⊤⍵ xor⌊⍵÷3)÷7}¨⍳5000", false},           // no shift
		{"+/{(xor/(⍵+d)×⌽bits⊤⍵ xor⌊⍵÷2)÷7}¨⍳5000", false},       // numbers that depend on the index
		{"+/{(⍵ xor⌊⍵÷2)÷7}¨⍳5000", false},                       // cheap
		{"+/{(xor/d×⌽bits⊤x[⍵] xor⌊⍵÷2)÷7}¨⍳≢x←5000⍴3 1", false}, // of something else
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, head+c.source).String()
		require.Equal(t, c.tables, strings.Contains(out, "stack table"), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, head+c.source, "bittables").String(), "stack table")
	}
}
