package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestRanged says that what is searched in a small range is looked up in a table where
// the places are used, and that a range which is large for the number of elements is not.
func TestRanged(t *testing.T) {
	v := "v←7|(⍳90)*2\n"
	for _, source := range []string{v + "+/v⍳9|⍳5000", v + "+/(9|⍳5000)∊v", v + "≢∪7|(⍳5000)*2", "v←+\\⍳90\n+/v⍸4000|(⍳5000)*2"} {
		out := lowertest.Optimised(t, source).String()
		require.NotContains(t, out, "run-time indexof")
		require.NotContains(t, out, "run-time member")
		require.NotContains(t, out, "run-time unique")
		require.NotContains(t, out, "run-time intervalindex")
		require.NotContains(t, out, "[5000]", "nothing is stored")
		require.Contains(t, lowertest.Optimised(t, source, "ranged").String(), "run-time", source)
	}
	require.Contains(t, lowertest.Optimised(t, "v←100000×7|(⍳90)*2\n+/v⍳9|⍳5000").String(), "run-time indexof")
}

// TestRangedItems says that the same is so for items, of which each has a table.
func TestRangedItems(t *testing.T) {
	v := "a←(1,0=?99⍴9)⊂100⍴⍳60\nb←⌽¨a\n"
	for _, source := range []string{v + "+/a{+/⍺∊⍵}¨b", v + "+/a{≢⍺~⍵}¨b", v + "+/a{≢⍺∪⍵}¨b", v + "+/a{+/⍺⍳⍵}¨b"} {
		out := lowertest.Optimised(t, source).String()
		require.NotRegexp(t, `run-time (indexof|member|without)`, out, source)
	}
}

// TestUniquePlaces says that no place in ∪x of an element of x is tested.
func TestUniquePlaces(t *testing.T) {
	out := lowertest.Optimised(t, "x←40|(⍳5000)*2\nu←∪x\np←u⍳x\nw←u[p]\n+/w").String()
	require.NotContains(t, out, "INDEX ERROR")
}

// TestLeadingElements says that the first elements of a sorted vector are looked for, and
// that part of a vector which begins at a computed place is not copied for that.
func TestLeadingElements(t *testing.T) {
	out := lowertest.Optimised(t, "v←÷1+100|(⍳5000)*2\n3↑v[⍒v]").String()
	require.Contains(t, out, "run-time leading")
	require.NotContains(t, out, "run-time sorted")
	out = lowertest.Optimised(t, "k←9|(⍳5000)*2\nv←÷⍳5000\nk{+/(3⌊≢⍵)↑⍵[⍒⍵]}⌸v").String()
	require.Contains(t, out, "run-time leading(a_3 from ")
}

// TestInverse says that a grade of a grade sorts nothing.
func TestInverse(t *testing.T) {
	out := lowertest.Optimised(t, "v←÷1+100|(⍳5000)*2\n+/(⍋⍋v)×⍳5000").String()
	require.Equal(t, 1, strings.Count(out, "run-time order"), out)
}

// TestTables says that short vectors of few bits have elements of 32 where many are looked
// up at places that are no run, and that the median of neighbours is stored in few bits.
func TestTables(t *testing.T) {
	require.Contains(t, lowertest.Optimised(t, "p←97|(⍳50)*2\n+/p[1+50|(⍳5000)*2]").String(), "i32[50]")
	require.NotContains(t, lowertest.Optimised(t, "p←97|(⍳50)*2\n+/p[1+⍳40]").String(), "i32[50]")
	out := lowertest.Optimised(t, "x←60 60⍴100|(⍳3600)*2\nm←{5⌷{⍵[⍋⍵]},⍵}⌺3 3⊢x\n(+/,m),+/,m≠x").String()
	require.NotContains(t, out, "i64[3600]")
}

// TestGrouped says that values go into the order of their groups at once, whatever the keys are, and that a grade of
// groups which is used otherwise has no sort either.
func TestGrouped(t *testing.T) {
	for _, keys := range []string{"k←9|(⍳5000)*2\n", "k←(10000000×97|⍳5000)*2\n", "k←⎕UCS 97+9|(⍳5000)*2\n"} {
		out := lowertest.Optimised(t, keys+"v←÷⍳5000\nk{⍵⌷⍨?≢⍵}⌸v").String()
		require.NotContains(t, out, "run-time order", keys)
		out = lowertest.Optimised(t, keys+"w←{⊂⍵}⌸k\n+/¨w").String()
		require.NotContains(t, out, "run-time order", keys)
	}
	out := lowertest.Optimised(t, "k←9|(⍳5000)*2\ng←(∪k)⍳k\nv←⍳4999\nv[⍋g]").String()
	require.Contains(t, out, "INDEX ERROR", "which is not of the groups' length")
}
