package driver

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/tailor-lang/tailor/internal/diag"
)

// endless is a statement that does not end.
const endless = "{⍵=1E15: ⍵ ⋄ ∇ ⍵+1}0\n"

// TestRace runs programs in the evaluator beside a compiler that takes so many
// milliseconds, or fails.
func TestRace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	write := "'text'⎕NPUT'" + name + "'\n"
	for _, c := range []struct {
		what, program string
		compile       int // milliseconds; ¯1 fails at once
		out, err      string
		compiled      bool
		written       bool
	}{
		{"a short program", "1+1\n", 600000, "2\n", "", false, false},
		{"a fault", "1+1\n÷0\n", 600000, "2\n", "DOMAIN ERROR: division by zero", false, false},
		{"a long program", "1+1\n" + endless, 50, "", "", true, false},
		{"a program without a compiler", "1+1\n{⍵<3000: ∇ ⍵+1 ⋄ ⍵}0\n", -1, "2\n3000\n", "", false, false},
		{"a file of a small program", "1\n" + write, 600000, "1\n", "", false, true},
		{"a file of a large program", "1\n" + write + endless, 50, "", "", true, false},
		{"a file of a large program without a compiler", "1\n" + write + "{⍵<3000: ∇ ⍵+1 ⋄ ⍵}0\n", -1, "1\n3000\n", "", false, true},
		{"long output of a large program", "{⍵=1E15: ⍵ ⋄ ⎕←⍳1000 ⋄ ∇ ⍵+1}0\n", 50, "", "", true, false},
		{"recursion that is too deep", "{⍵=0: 0 ⋄ 1+∇ ⍵+1}1\n", 50, "", "", true, false},
		{"recursion without a compiler", "{⍵=0: 0 ⋄ 1+∇ ⍵+1}1\n", -1, "", "LIMIT ERROR", false, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			os.Remove(name)
			var out bytes.Buffer
			cancelled := make(chan bool)
			r := &Race{Stdout: &out, Cancel: sync.OnceFunc(func() { close(cancelled) }), Compiling: func() {}, Answer: func() {}}
			r.Compile = func() (string, error) {
				if c.compile < 0 {
					return "", errors.New("no compiler")
				}
				select {
				case <-cancelled:
					return "", errCancelled
				case <-time.After(time.Duration(c.compile) * time.Millisecond):
					return "program", nil
				}
			}
			path, err := r.Run(New(diag.NewSource("a", c.program), Options{Target: Eval}))
			assert.Equal(t, c.out, out.String())
			assert.Equal(t, c.compiled, path == "program")
			if c.err == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.err)
			}
			_, missing := os.Stat(name)
			assert.Equal(t, c.written, missing == nil)
		})
	}
}

// What a program writes at length appears once, by whoever answers.
func TestRaceOfLongOutput(t *testing.T) {
	var out bytes.Buffer
	r := &Race{Stdout: &out, Cancel: func() {}, Compiling: func() {}, Answer: func() {}}
	r.Compile = func() (string, error) { select {} }
	path, err := r.Run(New(diag.NewSource("a", "⍪⍳300000\n"), Options{Target: Eval}))
	assert.NoError(t, err)
	assert.Empty(t, path)
	assert.Equal(t, 300000, strings.Count(out.String(), "\n"))
}
