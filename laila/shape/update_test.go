package shape_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestUpdateOfCopy says that new elements are written where they belong as they are
// computed from an array that is copied because it is needed afterwards.
func TestUpdateOfCopy(t *testing.T) {
	const relax = "{u←⍵ ⋄ u[1↓¯1↓⍳99]←0.5×(¯2↓⍵)+2↓⍵ ⋄ u}"
	kept := lowertest.Optimised(t, relax+"⍣{1E¯9>⌈/|⍺-⍵}⊢?99⍴0").String()
	steps := kept[strings.Index(kept, "loop"):]
	require.Equal(t, 1, strings.Count(steps, "copy"), kept)
	require.NotContains(t, kept, "f64[97]", "the new elements are not stored before")
	require.Contains(t, lowertest.Optimised(t, relax+"⍣9⊢?99⍴0").String(), "f64[97]", "the array is overwritten")
}
