package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMan writes a page for each command that is not hidden.
func TestMan(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	require.Equal(t, 0, Main([]string{"man", dir}, &stdout, &stderr), stderr.String())
	for _, c := range rootCommand().Commands() {
		text, err := os.ReadFile(filepath.Join(dir, "tailor-"+c.Name()+".1"))
		if c.Hidden {
			assert.Error(t, err, c.Name())
			continue
		}
		require.NoError(t, err)
		assert.Contains(t, string(text), c.Short)
	}
}
