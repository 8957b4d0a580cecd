//go:build linux

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
)

// A program that ran for long is optimised for its next runs, and one that did not is
// not: the first run here waits for its input.
func TestOptimisedForTheNextTime(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed")
	}
	dir, work := tailor(t), t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(work, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	lines := file("lines.txt", "to be\nor not\n")
	slow, pipe := file("slow.apl", "⍴⊃⎕NGET 1⊃⎕ARG\n"), filepath.Join(work, "pipe")
	run := func(program, input string) string {
		cmd := exec.Command(filepath.Join(dir, "tailor"), "run", "--time", program, "--", input)
		cmd.Env = append(os.Environ(), "TAILOR_CACHE="+cache)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Contains(t, string(out), "13\n")
		return string(out)
	}
	assert.NotContains(t, run(slow, lines), "-O3")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	go func() {
		f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err == nil {
			time.Sleep(driver.Worth + driver.Worth/2)
			f.WriteString("to be\nor not\n")
			f.Close()
		}
	}()
	assert.NotContains(t, run(slow, pipe), "-O3")
	assert.Eventually(t, func() bool { return strings.Contains(run(slow, lines), "compiled, -O3") }, 7*time.Minute, 200*time.Millisecond)
}
