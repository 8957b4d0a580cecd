package timetiles_test

import (
	"regexp"
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

// TestQuotients says which divisions in time tiles are products: those by
// constants of what is not too small where the elements are not.
func TestQuotients(t *testing.T) {
	const matrix = "x←(1000,1000)⍴÷⍳7\n"
	cases := []struct {
		body     string
		quotient bool
	}{
		{"(⍵+1⊖⍵)÷3", true},
		{"r←((¯1⊖⍵)+⍵+1⊖⍵)÷3 ⋄ ((¯1⌽r)+r+1⌽r)÷3", true}, // the array in between is looked at, too
		{"(⍵+1⊖⍵)÷4", false}, // a product with 0.25
		{"(⍵+1⊖⍵)÷1e100", false},
		{"(⍵×1⊖⍵)÷3", false}, // products of two elements may be too small
		{"z←⍵ ⋄ z[1↓¯1↓⍳1000;]←((¯2 0↓⍵)+2 0↓⍵)÷3 ⋄ z", false}, // elements of z are kept
	}
	for _, c := range cases {
		source := matrix + "+/,({" + c.body + "}⍣50)x"
		out := lowertest.Optimised(t, source).String()
		require.Contains(t, out, "for phase", c.body)
		require.Equal(t, c.quotient, strings.Contains(out, "tl_quotient"), "%s\n%s", c.body, out)
		require.NotContains(t, lowertest.Optimised(t, source, "quotients").String(), "tl_quotient")
	}
}

// TestTails says which loops of a tile end with a vector that makes some elements twice.
func TestTails(t *testing.T) {
	cases := []struct {
		source string
		cut    string // "" where loops stay as they are
	}{
		{"x←(1000,1000)⍴÷⍳7\n+/,({(1⊖⍵)+1⌽⍵}⍣50)x", "for i = 995 … 999"}, // of the last vector one is done twice
		{"x←(1000,1000)⍴÷⍳7\n+/,({(1⊖⍵)+0,0 ¯1↓⍵}⍣50)x", "for i = 996 … 1000"},
		{"x←(1000,1002)⍴÷⍳7\n+/,({(1⊖⍵)+0,0 ¯1↓⍵}⍣50)x", ""}, // one is left over
		{"x←(9000,40)⍴÷⍳7\n+/,({(1⊖⍵)+0,0 ¯1↓⍵}⍣50)x", ""},   // short
		{"x←(1000,1000)⍴0=⍳7\n+/,({(1⊖⍵)∨1⌽⍵}⍣50)x", "for i = 967 … 999"},
		{"x←(1000,997)⍴0=⍳7\n+/,({(1⊖⍵)∨1⌽⍵}⍣50)x", ""}, // a few bytes are left over
	}
	for _, c := range cases {
		with, without := lowertest.Optimised(t, c.source).String(), lowertest.Optimised(t, c.source, "tails").String()
		require.Contains(t, with, "for phase", c.source)
		require.Equal(t, c.cut != "", with != without, "%s\n%s", c.source, with)
		require.Contains(t, numbers.ReplaceAllString(with, "i"), c.cut, c.source)
	}
}

var numbers = regexp.MustCompile(`\bi_\d+`)
