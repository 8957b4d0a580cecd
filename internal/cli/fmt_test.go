package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFmt prints, compares and writes a layout.
func TestFmt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.apl")
	require.NoError(t, os.WriteFile(file, []byte("x ← 1\n\n\ny←2"), 0o644))
	call := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		status := Main(append([]string{"fmt"}, args...), &stdout, &stderr)
		return status, stdout.String() + stderr.String()
	}
	const laid = "x←1\n\ny←2\n"
	status, out := call(file)
	assert.Equal(t, 0, status)
	assert.Equal(t, laid, out)
	status, out = call("--check", file)
	assert.Equal(t, 1, status)
	assert.Equal(t, file+"\n", out)
	status, out = call("-d", file)
	assert.Equal(t, 0, status)
	assert.Contains(t, out, "-x ← 1\n+x←1\n \n-\n-y←2\n\\ no line end\n+y←2\n")
	status, out = call("-w", file)
	assert.Equal(t, 0, status)
	assert.Empty(t, out)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, laid, string(text))
	status, _ = call("--check", file)
	assert.Equal(t, 0, status)
	require.NoError(t, os.WriteFile(file, []byte("x←'abc\n"), 0o644))
	status, out = call("-w", file)
	assert.Equal(t, 2, status)
	assert.Contains(t, out, "string is not closed")
}
