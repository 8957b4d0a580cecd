package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/profile"
)

const profiledProgram = `⍝ what a profile counts
f←{
  a←⍵,⌽⍵
  b←⍋a×÷7
  +/b÷3
}
n←≢⎕TS
x←(1000000÷7)×⍳n×1000
s←f x
t←{
  c←+\⍵
  c-⌊/c
}⍣50⊢x
fib←{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2}
fib n+8
(0=s),0<+/t
`

// profiles runs a program with a profile, and returns that with the output.
func profiles(t *testing.T, program string, args ...string) (profile.File, string) {
	t.Helper()
	made := filepath.Join(t.TempDir(), "profile.json")
	out, stderr, status := invoke(append(append([]string{"run", "--profile=" + made}, args...), file(t, program))...)
	require.Zero(t, status, stderr)
	text, err := os.ReadFile(made)
	require.NoError(t, err)
	var f profile.File
	require.NoError(t, json.Unmarshal(text, &f))
	return f, out
}

// Every target counts the same runs of a line where it has code of its own, and the
// times are parts of the whole.
func TestProfile(t *testing.T) {
	plain, _, _ := invoke("run", "--target", "eval", file(t, profiledProgram))
	assert.Equal(t, "610\n0 1\n", plain)
	for _, target := range []string{"auto", "c", "omp", "eval", "interp"} {
		t.Run(target, func(t *testing.T) {
			if _, err := driver.FindCompiler(); err != nil && target != "eval" && target != "interp" {
				t.Skip(err)
			}
			f, out := profiles(t, profiledProgram, "--target", target)
			assert.Equal(t, plain, out)
			rows, sum := map[int]profile.Row{}, f.Other
			for _, r := range f.Lines {
				rows[r.Line] = r
				sum += r.Seconds
				assert.InDelta(t, r.Seconds, r.Share*f.Seconds, 1e-6)
			}
			assert.InDelta(t, f.Seconds, sum, 1e-6)
			assert.InDelta(t, 1973, rows[14].Runs, 1, "calls of fib; one may be inlined, and the definition is a statement")
			assert.Equal(t, int64(50), rows[11].Runs, "steps of ⍣")
			assert.Equal(t, int64(1), rows[8].Runs)
			assert.GreaterOrEqual(t, rows[4].Bytes+rows[3].Bytes+rows[9].Bytes, int64(14000*8), "arrays of f")
			assert.NotContains(t, rows, 1)
			assert.Equal(t, "  c←+\\⍵", rows[11].Text)
		})
	}
}

// Code that counts is written for a profile only.
func TestNoProfileNoCode(t *testing.T) {
	out, _, status := invoke("emit", "c", file(t, profiledProgram))
	assert.Zero(t, status)
	assert.NotContains(t, out, "_line(")
}

// A program that a fault ends has a profile up to there, and its own status.
func TestProfileOfFault(t *testing.T) {
	for _, target := range []string{"c", "eval", "interp"} {
		_, stderr, status := invoke("run", "--profile", "--target", target, file(t, "n←≢⎕TS\nx←n⍴2\ny←x÷n-7\n+/y\n"))
		assert.Equal(t, driver.ExitFault, status, target)
		assert.Contains(t, stderr, "DOMAIN ERROR: division by zero", target)
		assert.Regexp(t, `\n    3 .* 1 .*y←x÷n-7\n`, stderr, target)
		if target != "c" { // where both lines are one loop
			assert.Regexp(t, `\n    4  ·  +\+/y\n`, stderr, target)
		}
	}
}

// A program that goes on in the interpreter writes what it would have.
func TestProfileOfProgramThatGoesOn(t *testing.T) {
	out, stderr, status := invoke("run", "--profile", "--target", "eval", file(t, "1\n×/⍳14+≢⎕TS\n"))
	assert.Equal(t, "1\n5.109094217E19\n", out)
	assert.Zero(t, status)
	assert.Contains(t, stderr, "×/⍳14+≢⎕TS")
}

func TestProfileRefuses(t *testing.T) {
	_, stderr, status := invoke("run", "--profile", "--target", "opencl", "-e", "1")
	assert.Equal(t, driver.ExitSource, status)
	assert.Contains(t, stderr, "--profile is for the targets")
	_, stderr, status = invoke("run", "--profile="+filepath.Join(t.TempDir(), "no", "such"), "--target", "eval", "-e", "1")
	assert.Equal(t, driver.ExitSource, status)
	assert.Contains(t, stderr, "the profile cannot be written")
	_, stderr, status = invoke("run", "--profile=json", "--target", "eval", "-e", "1+1")
	assert.Zero(t, status)
	assert.Contains(t, stderr, `"runs": 1`)
}

// A program that is stopped says what it spent its time on until then.
func TestProfileOfStoppedProgram(t *testing.T) {
	if _, err := driver.FindCompiler(); err != nil {
		t.Skip(err)
	}
	begun := filepath.Join(t.TempDir(), "begun")
	name := file(t, "n←(⊂'x')⎕NPUT '"+begun+"'\nr←{⍵+1}⍣{0>⍺+⎕AI[3]}⊢0\nr\n")
	tailor := filepath.Join(t.TempDir(), "tailor")
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, tailor))
	cmd := exec.Command(tailor, "run", "--profile", "--target", "c", name)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { _, err := os.Stat(begun); return err == nil }, time.Minute, 10*time.Millisecond)
	time.Sleep(100 * time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	cmd.Wait()
	assert.Equal(t, 128+15, cmd.ProcessState.ExitCode(), stderr.String())
	assert.Regexp(t, `\n    2  █+\S* .* r←\{⍵\+1\}⍣`, stderr.String())
}
