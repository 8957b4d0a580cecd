//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/opencl"
)

// Output that cannot be written is the same error everywhere.
func TestUnwritableOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	tailor := filepath.Join(tailor(t), "tailor")
	checked := file(t, "f←{⍝: <int>n → <int>n\n ⍵+1}\ng←{⍵+1}\nf g 1 2\n")
	all := [][]string{
		{"passes"}, {"version"}, {"repl"}, {"devices"}, {"help"}, {"explain"}, {"explain", "E0301"}, {"completion", "bash"},
		{"emit", "ast", "-e", "1"}, {"emit", "tail", "-e", "1"}, {"emit", "c", "-e", "1"}, {"emit", "opencl", "-e", "+\\?100000⍴9"},
		{"check", checked}, {"check", "--infer", checked}, {"check", "--json", checked},
		{"run", "--target", "eval", "-e", "1"}, {"run", "--target", "eval", "-e", "⎕←1 ⋄ 1÷0"},
	}
	if _, err := driver.FindCompiler(); err == nil {
		all = append(all, []string{"run", "--target", "c", "-e", "1"}, []string{"run", "-e", "1"}, []string{"run", "--target", "c", "-e", "⎕←1 ⋄ 1÷×⎕TS[1]-⎕TS[1]"})
	}
	if _, err := opencl.Devices(); err == nil {
		all = append(all, []string{"run", "--target", "opencl", "-e", "1"})
	}
	for _, args := range all {
		read, closed, err := os.Pipe()
		require.NoError(t, err)
		read.Close()
		for why, out := range map[string]*os.File{"no space left on device": full, "broken pipe": closed} {
			var stderr strings.Builder
			cmd := exec.Command(tailor, args...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("1 2 3\n"), out, &stderr
			cmd.Run()
			assert.Equal(t, 1, cmd.ProcessState.ExitCode(), "%v: %s", args, why)
			assert.Equal(t, "SYSTEM ERROR: cannot write the output: "+why+" [E1001]\n", stderr.String(), "%v", args)
		}
		closed.Close()
	}
}

// A C compiler that does not work is a missing tool, and the message says what
// to do.
func TestBrokenCompilers(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(t.TempDir(), "a folder")
	require.NoError(t, os.Mkdir(dir, 0o700))
	script := func(name, body string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700))
		return path
	}
	tailor := filepath.Join(tailor(t), "tailor")
	const quickly = `exec gcc "$@" -O0`
	for _, c := range []struct {
		cc, target, want string
		status           int
	}{
		{script("fails", "echo 'cc: error: no licence' >&2; exit 1"), "c", "does not compile a small program: cc: error: no licence; install gcc or clang", 4},
		{script("silent", "exit 0"), "c", "writes no program", 4},
		{script("no interpreter", "") + "x", "c", "no C compiler found", 0},
		{script("no headers", `exec gcc -nostdinc "$@"`), "c", "no include path in which to search for errno.h", 4},
		{script("no OpenMP", `case "$*" in *-fopenmp\ *) echo "cc: error: unrecognized option -fopenmp" >&2; exit 1;; esac; exec gcc "$@"`), "omp", "target omp needs OpenMP, which", 4},
		{script("killed", "kill -9 $$"), "c", "is there memory enough?", 4},
		{script("full", "echo 'as: error: No space left on device' >&2; exit 1"), "c", "has no space left", 4},
		{script("a compiler", quickly), "c", "", 0},
		{script("a compiler", quickly) + " -O1", "c", "", 0},
		{"'" + script("a compiler", quickly) + "' '-DX=a b'", "c", "", 0},
		{script("other", quickly) + " -pipe", "c", "", 0},
		{"gcc 'x", "c", "in which a quote is not closed", 2},
	} {
		cmd := exec.Command(tailor, "run", "--target", c.target, "-e", "1+1")
		cmd.Env = append(os.Environ(), "CC="+c.cc, "TAILOR_CACHE="+filepath.Join(dir, "cache"))
		var out, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &stderr
		cmd.Run()
		assert.Equal(t, c.status, cmd.ProcessState.ExitCode(), "%s: %s", c.cc, &stderr)
		assert.Contains(t, stderr.String(), c.want, c.cc)
		assert.NotContains(t, stderr.String(), "internal error", c.cc)
		if c.status == 0 {
			assert.Equal(t, "2\n", out.String(), c.cc)
		}
	}
}
