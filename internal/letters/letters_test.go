package letters

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the table of the C run-time")

const header = "../formulas/letters.h"

func TestHeader(t *testing.T) {
	if *update {
		require.NoError(t, os.WriteFile(header, []byte(Header()), 0o644))
	}
	got, err := os.ReadFile(header)
	require.NoError(t, err)
	require.Equal(t, Header(), string(got), "internal/formulas/letters.h is stale: go test ./internal/letters -update")
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ r, upper, lower, fold rune }{
		{'a', 'A', 'a', 'a'}, {'Z', 'Z', 'z', 'z'}, {'é', 'É', 'é', 'é'}, {'ς', 'Σ', 'ς', 'σ'}, {'ß', 'ß', 'ß', 'ß'},
		{'1', '1', '1', '1'}, {'⍵', '⍵', '⍵', '⍵'}, {'Ā', 'Ā', 'ā', 'ā'}, {'я', 'Я', 'я', 'я'},
	} {
		require.Equal(t, [3]rune{c.upper, c.lower, c.fold}, [3]rune{Upper(c.r), Lower(c.r), Fold(c.r)}, string(c.r))
	}
}
