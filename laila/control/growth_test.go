package control_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestGrowingItems says that items gathered one after the other go into one array that
// grows, which no step of a loop copies but where it doubles.
func TestGrowingItems(t *testing.T) {
	for _, source := range []string{
		"{(n a)←⍵ ⋄ b←n{⍺>≢⍵:(2×⍺)↑⍵ ⋄ c←⍵ ⋄ c[1]+←⍺ ⋄ c}a ⋄ (n+1)b}⍣(?9)⊢1(⍳3)",
	} {
		text := lowertest.Optimised(t, source).String()
		steps := strings.Index(text, "for step")
		require.Positive(t, steps, text)
		require.NotRegexp(t, `copy [^r]|copy r[^o]`, text[steps:], "%s\n%s", source, text) // but to larger storage
		require.Contains(t, text[steps:], "swap", source)
	}
}

// TestItemsOfStrands says that items of several components are gathered in one loop, and
// as many as only the run knows are copied where an array doubles, or where they belong.
func TestItemsOfStrands(t *testing.T) {
	text := lowertest.Optimised(t, "{2>≢⍵:,⊂⍵ ⋄ (1↓⍵)((⍵>3)/⍵)}¨(?99⍴2)⊂?99⍴9").String()
	require.NotContains(t, text, "for step", text)
	copied := regexp.MustCompile(`copy items.*, [a-z]\w* elements`).FindAllString(text, -1)
	require.Len(t, copied, strings.Count(text, ", used"), text)
}

// TestItemsOfItems says that items that are items themselves go where they belong at once.
func TestItemsOfItems(t *testing.T) {
	for _, source := range []string{
		"≢⊃,/{n←⍵ ⋄ {w←⍳⍵ ⋄ (0=n|w)/w}¨⍳n}¨?9⍴9",
		"⍴⊃,/{n←⍵ ⋄ n=3:,⊂⍬ ⋄ {w←⍳⍵ ⋄ (0=n|w)/w}¨⍳n}¨?9⍴9",
	} {
		text := lowertest.Optimised(t, source).String()
		require.Contains(t, text, "alloc items", source)
		require.NotRegexp(t, `copy \w+\[used`, text, source)
	}
}

// TestItemsInPlaces says that items whose lengths are known before them have places in
// one array, which no loop makes longer.
func TestItemsInPlaces(t *testing.T) {
	for _, source := range []string{"+/⊃{⌽⍳⍵}¨?99⍴9", "≢⊂⍤1⊢?99 3⍴9", "↑{⌽⍳⍵}¨?99⍴9", "↑⌽¨(?99⍴2)⊂⍳99"} {
		text := lowertest.Optimised(t, source).String()
		require.NotContains(t, text, "for step", source)
		require.NotContains(t, text, "swap", source)
	}
}
