package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
)

// exampleSample is which part of the examples is compiled: one in so many.
const exampleSample = 4

// TestExamples compares what the programs of examples print with the files beside
// them, and looks for each in the list of examples/README.md.
func TestExamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("examples/*.apl")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 20)
	readme, err := os.ReadFile("examples/README.md")
	require.NoError(t, err)
	var list []Program
	var want []Outcome
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		output, err := os.ReadFile(strings.TrimSuffix(file, ".apl") + ".out")
		require.NoError(t, err)
		p := Program{Name: filepath.Base(file), Source: string(source)}
		list, want = append(list, p), append(want, Outcome{Stdout: string(output)})
		t.Run(p.Name, func(t *testing.T) {
			assert.Equal(t, string(output), Evaluate(p).String())
			assert.Contains(t, string(readme), "("+p.Name+")")
			assert.True(t, strings.HasPrefix(p.Source, "⍝ "), "the program says nothing of what it does")
			checkPasses(t, p, Outcome{Stdout: string(output)})
		})
	}
	list, want = sampledWith(list, want, exampleSample)
	t.Run("C", func(t *testing.T) { checkBackend(t, driver.C, list, want) })
}
