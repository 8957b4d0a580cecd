package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestNetwork says which short vectors are sorted by exchanges, without a call.
func TestNetwork(t *testing.T) {
	for source, network := range map[string]bool{
		"{3⌷⍵[⍋⍵]}⍤1⊢?999 5⍴99":         true,
		"{⍵[⍒⍵]}⍤1⊢?999 5⍴99":           true,
		"{⍵[⍋⍵]}⍤1⊢?999 5⍴0":            true,
		"{5⌷{⍵[⍋⍵]},⍵}⌺3 3⊢?99 99⍴9":    true,
		"+/{s←⍵[⍋⍵] ⋄ 4⌷s}⍤1⊢?999 7⍴99": true,
		"{3⌷⍵[⍋⍵]}⍤1⊢?999 50⍴99":        false, // too many
		"{⍵[⍋⍵]}⍤1⊢?999 50⍴99":          false,
		"{3⌷⍵[⍋⍵]}⍤1⊢?999 15⍴0":         false,
		"{⍵[⍒⍵]}⍤1⊢⎕A[?999 5⍴9]":        true,
		"x[⍋x←?5⍴9]":                    false, // once
	} {
		out := lowertest.Optimised(t, source).String()
		require.Equal(t, network, !strings.Contains(out, "run-time sorted"), "%s\n%s", source, out)
		require.Contains(t, lowertest.Optimised(t, source, "network").String(), "run-time sorted", source)
	}
}

// TestSmallCells says that cells of few elements are computed in one nest.
func TestSmallCells(t *testing.T) {
	out := lowertest.Optimised(t, "{⍵÷0.5*⍨+/⍵*2}⍤1⊢?99999 3⍴0").String()
	require.NotContains(t, out, "\n  for ", out)
}

// TestLeading says which grades are not made whole.
func TestLeading(t *testing.T) {
	for source, leading := range map[string]bool{
		"5↑⍋?999⍴99":               true,
		"(5↑⍒)⍤1⊢?99 99⍴0":         true,
		"(?9)↑⍋?999⍴99":            true,
		"x[5↑⍒x←?999⍴0]":           true,
		"{(5↑⍵),+/⍵}⍋?999⍴99":      false, // used again
		"5↑⍋?99 9⍴99":              false, // of rows
		"(5 ¯1[?2])↑⍋?999⍴99":      true,
		"(5↑x),¯5↑x←'abcde'[?9⍴5]": false,
	} {
		out := lowertest.Optimised(t, source).String()
		require.Equal(t, leading, strings.Contains(out, "run-time leading"), "%s\n%s", source, out)
	}
}
