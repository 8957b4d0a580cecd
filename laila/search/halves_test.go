package search_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestHalves says that places in ascending vectors are not stored where they are used
// once, and that all elements take the same steps.
func TestHalves(t *testing.T) {
	out := lowertest.Optimised(t, "v←+\\100⍴÷3\n+/v⍸÷100÷⍳5000").String()
	require.NotContains(t, out, "run-time intervalindex")
	require.NotContains(t, out, "[5000]")
	out = lowertest.Optimised(t, "v←∪+\\5|⍳100\n+/v⍸120|⍳5000").String()
	require.Contains(t, out, "for i_", "the number of steps is computed")
	require.NotContains(t, out, "run-time intervalindex")
	require.Contains(t, lowertest.Optimised(t, "v←+\\100⍴÷3\n+/v⍸÷100÷⍳5000", "halves").String(), "run-time intervalindex")
}
