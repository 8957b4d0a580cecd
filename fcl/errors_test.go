package fcl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/repo"
)

// TestErrors holds what is said of the faulty programs of testdata/fcl/errors.txt.
func TestErrors(t *testing.T) {
	name := filepath.Join(repo.Root(), "testdata", "fcl", "errors.txt")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	cases := strings.Split(strings.TrimRight(string(text), "\n"), "\n\n")
	for i, c := range cases[1:] { // behind the first paragraph, which is a comment
		program, data, want := "", []string(nil), ""
		for line := range strings.Lines(c + "\n") {
			switch {
			case strings.HasPrefix(line, "\t"):
				want += line[1:]
			case strings.HasPrefix(line, "--> "):
				data = wordsOf(strings.TrimSpace(line[4:]))
				program += line
			default:
				program += line
			}
		}
		got := rejected(t, program, data)
		cases[i+1] = strings.TrimRight(program+"\t"+strings.ReplaceAll(strings.TrimSpace(got), "\n", "\n\t"), "\n")
		if !*update {
			assert.Equal(t, want, got, program)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(strings.Join(cases, "\n\n")+"\n"), 0o644))
	}
}

// rejected returns what is said of a faulty program, which runs where there are data.
func rejected(t *testing.T, program string, data []string) string {
	p, err := Load(diag.NewSource("a", program))
	if err == nil && data != nil {
		var args []Data
		for _, word := range data {
			d, err := ReadData(word)
			require.NoError(t, err)
			args = append(args, d)
		}
		_, _, err = p.Run(args, DefaultParams)
	}
	var e *diag.Error
	require.ErrorAs(t, err, &e, program)
	return e.Render()
}
