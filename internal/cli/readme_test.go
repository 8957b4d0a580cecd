package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tailor builds the command and returns its directory.
func tailor(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "tailor"), "../../cmd/tailor")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return dir
}

var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// The sessions in the README show what happens.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	dir := tailor(t)
	sessions := console.FindAllStringSubmatch(string(readme), -1)
	require.NotEmpty(t, sessions)
	cache := t.TempDir()
	for _, s := range sessions {
		for _, step := range strings.Split(s[1], "$ ")[1:] {
			line, want, _ := strings.Cut(step, "\n")
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TAILOR_CACHE="+cache)
			out, _ := cmd.CombinedOutput()
			assert.Equal(t, want, string(out), line)
		}
	}
}
