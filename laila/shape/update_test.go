package shape_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestUpdateOfCopy says that new elements are written where they belong as they are
// computed from an array that is needed afterwards, and that what they replace of it is not
// copied before.
func TestUpdateOfCopy(t *testing.T) {
	const relax = "{u←⍵ ⋄ u[1↓¯1↓⍳99]←0.5×(¯2↓⍵)+2↓⍵ ⋄ u}"
	kept := lowertest.Optimised(t, relax+"⍣{1E¯9>⌈/|⍺-⍵}⊢?99⍴0").String()
	steps := kept[strings.Index(kept, "loop"):]
	require.NotContains(t, steps, "copy", kept)
	require.NotContains(t, kept, "f64[97]", "the new elements are not stored before")
	require.Contains(t, lowertest.Optimised(t, relax+"⍣9⊢?99⍴0").String(), "f64[97]", "the array is overwritten")
}

// TestReplacedRun says which new elements become a branch where elements are used: runs of
// neighbours along one axis, in what is not stored yet, and boxes that are most of an array.
func TestReplacedRun(t *testing.T) {
	stored := func(source string) bool {
		return strings.Contains(lowertest.Optimised(t, "x←100 5⍴(65521|⍳500)*2\n"+source).String(), "[500]")
	}
	require.False(t, stored("x[;2 3]←0\n⌈/+/x"))
	require.False(t, stored("x[;⍳2]←100 2⍴⍳7\n⌈/+/x"))
	require.False(t, stored("x[4;]←⍳5\n⌈/+/x"))
	require.False(t, stored("x[1↓⍳100;1↓¯1↓⍳5]←0\n⌈/+/x"))
	require.True(t, stored("x[⍳9;1↓¯1↓⍳5]←0\n⌈/+/x"), "a small box")
	require.True(t, stored("x[;2 4]←0\n⌈/+/x"), "no neighbours")
	require.True(t, stored("x[3;2]←0\n⌈/+/x"), "two axes")
	require.True(t, stored("x[1+?9;]←0\n⌈/+/x"), "a place that is not known")
}

// TestEndpoints says which places of an update are looked at by the first and the last one
// only, and stored only where one of these is out of range: sums of a multiple of ⍳n and a
// number.
func TestEndpoints(t *testing.T) {
	stored := func(places string) bool {
		return strings.Contains(lowertest.Optimised(t, "m←{m←⍵ ⋄ k←⌊9×5○?9 ⋄ m["+places+"]←0 ⋄ m}?999⍴9\n+/m,⌽m").String(), "\n  alloc a: i64[n")
	}
	require.False(t, stored("k×⍳⌊99÷k"))
	require.False(t, stored("k×(k-1)↓⍳⌊99÷k"))
	require.False(t, stored("1+k-⍳k"))
	require.True(t, stored("k×(⍳⌊99÷k)*2"), "no multiples")
}
