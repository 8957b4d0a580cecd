package docs

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

var update = flag.Bool("update", false, "rewrite what the examples of plots.md show")

// interpreted returns what a program shows, errors included.
func interpreted(source string) string {
	var out bytes.Buffer
	c := driver.New(diag.NewSource("", source+"\n"), driver.Options{Target: driver.Interp})
	if err := c.Interpret(&out, nil); err != nil {
		driver.Report(&out, err)
	}
	return out.String()
}

// TestPlots runs the examples of plots.md.
func TestPlots(t *testing.T) {
	file, err := filepath.Abs("plots.md")
	require.NoError(t, err)
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	text := string(page)
	const program, shown, end = "```apl\n", "\n```\n```text\n", "```\n"
	parts := strings.Split(text, program)
	require.Greater(t, len(parts), 5)
	out := parts[0]
	for _, part := range parts[1:] {
		source, rest, ok := strings.Cut(part, shown)
		require.True(t, ok, part)
		_, rest, ok = strings.Cut(rest, end)
		require.True(t, ok, part)
		out += program + source + shown + interpreted(source) + end + rest
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out), 0o600))
		return
	}
	assert.Equal(t, text, out)
}
