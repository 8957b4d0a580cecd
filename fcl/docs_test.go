package fcl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/repo"
)

// TestTutorial runs the programs of docs/fcl.md.
func TestTutorial(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(repo.Root(), "docs", "fcl.md"))
	require.NoError(t, err)
	blocks := strings.Split(string(page), "```fcl\n")[1:]
	require.Len(t, blocks, 10)
	for i, b := range blocks {
		text, _, _ := strings.Cut(b, "```")
		s := read(t, "a", text)
		require.NotEmpty(t, s.runs, "step %d", i+1)
		got := s.results()
		if strings.Contains(s.want, "--: ") {
			got += s.types()
		}
		assert.Equal(t, s.want, got, "step %d", i+1)
	}
}
