package search_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestFirstNever says that nothing is looked for that is known not to be there, as a
// negative mark among those that cannot be negative.
func TestFirstNever(t *testing.T) {
	require.NotContains(t, lowertest.Optimised(t, "≢(?999⍴2)⊂⍳999").String(), "loop")
	require.Contains(t, lowertest.Optimised(t, "≢(¯2+?999⍴3)⊂⍳999").String(), "loop")
}
