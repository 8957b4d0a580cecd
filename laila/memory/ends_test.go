package memory_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestEnds says that arrays of a loop's state that change at their ends only are not
// copied in a step of the loop but where there is no room for what comes.
func TestEnds(t *testing.T) {
	for _, source := range []string{
		"{⍵,+/⍵}⍣(?9)⊢?(?9)⍴9",
		"{1↓⍵}⍣(?9)⊢?(?9)⍴9",
		"{(1↓⍵),≢⍵}⍣(?9)⊢?(?9)⍴9",
		"{(≢⍵),⍵,≢⍵}⍣(?9)⊢?(?9)⍴9",
		"f←{⍺=0:⍵ ⋄ (⍺-1)∇⍵⍪⍺} ⋄ (?9)f?(?9 9)⍴9",
		"f←{0=≢⍵:⍺ ⋄ (⍺,⊃⍵)∇1↓⍵} ⋄ ((?9)⍴9)f?(?9)⍴9",
		"f←{⍺=0:⍵ ⋄ 0=3|⍺:(⍺-1)∇¯1↓⍵ ⋄ (⍺-1)∇⍵,⍺} ⋄ (?9)f?(?9)⍴9",
		"{(n s)←⍵ ⋄ s←n{0=3|⍺:¯1↓⍵ ⋄ 1=3|⍺:⍺,⍵ ⋄ ⍵,⍺}s ⋄ (n+1)s}⍣(?9)⊢1(?(?9)⍴9)",
		"{(n s)←⍵ ⋄ s←n{0=3|⍺:¯1↓⍵ ⋄ ⍵,2⍴⍺}s ⋄ (n+1)(s,n)}⍣(?9)⊢1(?(?9)⍴9)",
		"{(n s)←⍵ ⋄ s←n{0=3|⍺:{0=≢⍵:⍵ ⋄ ⍵,+/⍵}⍵ ⋄ ⍵}s ⋄ (n+1)s}⍣(?9)⊢1(?(?9)⍴9)",
		"{(n s)←⍵ ⋄ s,←n ⋄ s[1⌈⌊n÷2]←n ⋄ (n+1)s}⍣(?9)⊢1(?(?9)⍴9)",
	} {
		with, without := steps(t, source), steps(t, source, "ends")
		require.Contains(t, without, "swap", source)
		for _, part := range strings.Split(with, "swap")[:strings.Count(with, "swap")] {
			require.Contains(t, part, "if ", "%s\n%s", source, with)
		}
		require.Regexp(t, `var (off|room)`, lowertest.Optimised(t, source, "state").String(), source)
		require.NotRegexp(t, `var (off|room)`, lowertest.Optimised(t, source, "state", "ends").String(), source)
	}
}

// inOrder finds the loops that run in order at the top of a program.
var inOrder = regexp.MustCompile(`\n  (for|loop)\b`)

// steps is the last loop of a program, and what follows.
func steps(t *testing.T, source string, skip ...string) string {
	text := lowertest.Optimised(t, source, append(skip, "state")...).String()
	all := inOrder.FindAllStringIndex(text, -1)
	require.NotEmpty(t, all, text)
	return text[all[len(all)-1][0]:]
}
