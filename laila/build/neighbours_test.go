package build_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestNeighbours says that functions of windows store neither windows nor
// indices, and test indices only where windows reach over an edge.
func TestNeighbours(t *testing.T) {
	for name, source := range map[string]string{
		"sum":      "x←100 100⍴1009|7×⍳10000\n{+/,⍵}⌺3 3⊢x÷2",
		"weights":  "k←3 3⍴0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9\nx←100 100⍴1009|7×⍳10000\n{+/,k×⍵}⌺3 3⊢x÷2",
		"product":  "k←0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9\nx←100 100⍴1009|7×⍳10000\n{k+.×,⍵}⌺3 3⊢x÷2",
		"zeros":    "k←3 3⍴1 0 ¯1 2 0 ¯2 1 0 ¯1\nx←100 100⍴1009|7×⍳10000\n{⌈/,k×⍵}⌺3 3⊢x÷2",
		"elements": "x←100 100⍴1009|7×⍳10000\n{⍵[2;2]-0.25×⍵[1;2]+⍵[3;2]+⍵[2;1]+⍵[2;3]}⌺3 3⊢x÷2",
		"both":     "x←100 100⍴1009|7×⍳10000\n{(+/,⍵)-⍵[2;2]}⌺3 3⊢x÷2",
		"vector":   "x←1000⍴1009|7×⍳1009\n{+/⍵}⌺5⊢x÷2",
		"by hand":  "x←(1009|7×⍳1009)÷2\n{+/x[⍵+⍳6]}¨⍳1000",
		"unknown":  "n←2+?100\nx←(n,n)⍴(1009|7×⍳1009)÷2\n{+/,⍵}⌺3 3⊢x",
	} {
		step := lowertest.Optimised(t, "\n"+source).String()
		require.NotContains(t, step, "stack", "%s\n%s", name, step)
		require.NotContains(t, step, "if c", "%s\n%s", name, step)
		require.NotEqual(t, step, lowertest.Optimised(t, "\n"+source, "neighbours").String(), name)
	}
	// Wide windows: one piece without tests, others with.
	wide := lowertest.Optimised(t, "x←100 100⍴(1009|7×⍳10000)÷2\n+/,({0.1×{+/,⍵}⌺5 5⊢⍵}⍣30)x").String()
	require.Regexp(t, `for i_\d+ = 2 … 98\n.*\n.*\n`, wide)
	// Rows that do not overlap are summed in a loop.
	rows := lowertest.Optimised(t, "x←100 8⍴(1009|7×⍳10000)÷2\n+/x").String()
	require.Equal(t, lowertest.Optimised(t, "x←100 8⍴(1009|7×⍳10000)÷2\n+/x", "neighbours").String(), rows)
}

// TestNeighboursOfQuotients says that what windows of a matrix read is computed
// once for each element where that takes a division.
func TestNeighboursOfQuotients(t *testing.T) {
	p := lowertest.Optimised(t, "x←100 100⍴1009|⍳10000\n({+/,⍵}⌺3 3⊢x)-{⌈/,⍵}⌺3 3⊢x").String()
	require.Equal(t, 1, strings.Count(p, "rem 1009"), p)
}
