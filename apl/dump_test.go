package apl

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
)

var update = flag.Bool("update", false, "rewrite the expected trees in testdata")

// TestDump compares the trees of testdata/*.apl with the .tree beside each.
func TestDump(t *testing.T) {
	files, err := filepath.Glob("testdata/*.apl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		prog := roundTrip(t, string(text))
		require.NotNil(t, prog, file)
		var got bytes.Buffer
		require.NoError(t, Dump(&got, prog))
		tree := strings.TrimSuffix(file, ".apl") + ".tree"
		if *update {
			require.NoError(t, os.WriteFile(tree, got.Bytes(), 0o666))
		}
		want, err := os.ReadFile(tree)
		require.NoError(t, err)
		require.Equal(t, string(want), got.String(), file)
	}
}

// TestPrograms takes every program of the repository through the printer.
func TestPrograms(t *testing.T) {
	for _, pattern := range []string{"../testdata/programs/*.apl", "../testdata/programs/*/*.apl", "../prelude/*.apl", "../bench/*/*.apl"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			t.Run(file, func(t *testing.T) { roundTrip(t, string(text)) })
		}
	}
}

// TestSpans requires that the text under the span of every expression parses
// to that expression, where it has no names of its own.
func TestSpans(t *testing.T) {
	text := "r←1 2 3+2×(4 5 6⍴'ab')+.×∘.=⍨5[1;2] ⋄ q←+/[1]⌽3"
	prog, err := Parse(diag.NewSource("t", text))
	require.NoError(t, err)
	for _, s := range prog.Body {
		for x := s.(*ExprStmt).X.(*Assign).Y; x != nil; {
			again, err := Parse(diag.NewSource("t", x.Span().Text()))
			require.NoError(t, err, x.Span().Text())
			require.True(t, Equal(x, again.Body[0].(*ExprStmt).X), x.Span().Text())
			switch e := x.(type) {
			case *Dyadic:
				x = e.Y
			case *Monadic:
				x = e.Y
			default:
				x = nil
			}
		}
	}
}
