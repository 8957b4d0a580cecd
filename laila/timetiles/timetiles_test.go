package timetiles_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestTimeTiles says which loops run several steps on a tile of rows, and how
// many tiles and steps: the step's nests reach as far as its lags and period.
func TestTimeTiles(t *testing.T) {
	const matrix = "x←(1000,1000)⍴÷⍳7\n"
	const vector = "x←90000⍴÷⍳7\n"
	cases := []struct {
		source string
		has    string // "" where the loop stays as it is
	}{
		{vector + "+/({⍵+(1↓⍵),0}⍣50)x", "var away: i64 = q\n"},
		{vector + "+/({⍵+1⌽⍵}⍣50)x", "var away: i64 = q\n"},
		{vector + "+/({⍵+2⌽⍵}⍣50)x", "var away: i64 = q * 2\n"},
		{matrix + "+/,({⍵+(¯1⊖⍵)+1⊖⍵}⍣50)x", "steps: i64 = 9 min"},
		{matrix + "+/,({r←⍵+⍵×1⊖⍵ ⋄ r+(r*2)+¯1⊖r}⍣50)x", "var away_2: i64 = (q * 2) + 1"}, // through an array in between
		{matrix + "+/,⊃({(u v)←⍵ ⋄ ((1⊖u)+(¯1⊖u)-v)u}⍣50)x x", "alias"},
		{matrix + "+/,({z←⍵ ⋄ z[1↓¯1↓⍳1000;]←0.5×(¯2 0↓⍵)+2 0↓⍵ ⋄ z}⍣50)x", "away: i64 = q * 2\n"},
		{matrix + "k←⌊⌈/,x\n+/,({⍵+(¯1⊖⍵)+1⊖⍵}⍣k)x", "min ("}, // a number of steps that only a run knows
		{matrix + "+/,({⍵+⊖⍵}⍣50)x", ""},                      // rows that are far away
		{matrix + "+/,({⍵+⌈/,⍵}⍣50)x", ""},                    // all rows
		{matrix + "+/,({⍵+⍉⍵}⍣50)x", ""},                      // columns
		{matrix + "+/,({⍵+1⊖⍵}⍣1)x", ""},                      // one step
		{"x←(30,30)⍴÷⍳7\n+/,({⍵+1⊖⍵}⍣50)x", ""},               // in a cache anyway
		{"x←(1000,1000)⍴⍳7\n+/,({⍵+1⊖⍵}⍣50)x", ""},            // sums that may overflow
		{"x←(20,90000)⍴÷⍳7\n+/,({⍵+1⊖⍵}⍣50)x", ""},            // few rows
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.has != "", strings.Contains(out, "for phase"), "%s\n%s", c.source, out)
		require.Contains(t, out, c.has, c.source)
		require.NotContains(t, lowertest.Optimised(t, c.source, "timetiles").String(), "for phase")
	}
}
