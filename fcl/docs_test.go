package fcl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/internal/repo"
	"github.com/tailor-lang/tailor/opencl"
)

// tutorial returns the programs of docs/fcl.md.
func tutorial(t testing.TB) []*study {
	page, err := os.ReadFile(filepath.Join(repo.Root(), "docs", "fcl.md"))
	require.NoError(t, err)
	var all []*study
	for _, b := range strings.Split(string(page), "```fcl\n")[1:] {
		text, _, _ := strings.Cut(b, "```")
		all = append(all, read(t, "a", text))
	}
	return all
}

// TestTutorial runs the programs of docs/fcl.md.
func TestTutorial(t *testing.T) {
	all := tutorial(t)
	require.Len(t, all, 11) // ten steps, and arrays of two axes
	for i, s := range all {
		require.NotEmpty(t, s.runs, "step %d", i+1)
		got := s.results()
		if strings.Contains(s.want, "--: ") {
			got += s.types()
		}
		assert.Equal(t, s.want, got, "step %d", i+1)
	}
}

// TestParamTable holds the table of parameters to the page.
func TestParamTable(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(repo.Root(), "docs", "fcl.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), lib.ParamDocs())
	cpu := &opencl.Device{Kind: opencl.CPU, LocalMemory: 1 << 20}
	assert.EqualValues(t, 64, ParamsFor(cpu)["TileSize"])
	cpu.LocalMemory = 48 << 10
	assert.EqualValues(t, 32, ParamsFor(cpu)["TileSize"], "four tiles of doubles fit")
}
