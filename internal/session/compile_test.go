package session

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// compiling returns a session whose lines are compiled, what it has written, and the
// folder of compiled programs.
func compiling(t *testing.T) (run func(line string) string, cache string) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed")
	}
	cache = filepath.Join(os.TempDir(), "tailor-repl-cache", "tailor")
	t.Setenv("TAILOR_CACHE", cache)
	var out strings.Builder
	s := New(&out)
	require.NoError(t, s.Execute(t.Context(), "]target c"))
	return func(line string) string {
		out.Reset()
		require.NoError(t, s.Execute(t.Context(), line))
		return out.String()
	}, cache
}

// Arrays of every kind, small and large, go to compiled lines and come back.
func TestArraysOfCompiledLines(t *testing.T) {
	run, _ := compiling(t)
	run("n←30000 ⋄ b←n⍴1 0 0 ⋄ i←⍳n ⋄ d←i÷2 ⋄ c←i×0J2 ⋄ t←n⍴'añb→' ⋄ m←200 150⍴d ⋄ e←0⍴t ⋄ s←(1 2)'abc'(⍳n)")
	assert.Equal(t, "10000   [int]0\n", run("+/b"))
	assert.Equal(t, "450015000   [int]0\n", run("+/i"))
	assert.Equal(t, "225007500   [double]0\n", run("+/d"))
	assert.Equal(t, "0J900030000   [complex]0\n", run("+/c"))
	assert.Equal(t, "añb→a→   [char]1 · 6\n", run("(5↑t),¯1↑t"))
	assert.Equal(t, "200 150   [int]1 · 2\n", run("⍴m"))
	assert.Equal(t, "15000   [double]0\n", run("m[200;150]"))
	assert.Equal(t, "0   [int]0\n", run("≢e"))
	assert.Equal(t, "abc   [char]1 · 3\n", run("2⊃s"))
	assert.Equal(t, "2 3 30000   [int]1 · 3\n", run("≢¨s"))
	assert.Equal(t, "this  is    [i<2 → [char]1]\n", strings.TrimLeft(run("w←' '(≠⊆⊢)'this is' ⋄ w"), " "))
}

// A line that changes its copy of a large array changes no other one.
func TestCompiledLinesChangeTheirCopies(t *testing.T) {
	run, _ := compiling(t)
	run("x←⍳100000")
	run("y←x")
	run("x[1]←7")
	assert.Equal(t, "7 1   [int]1 · 2\n", run("x[1],y[1]"))
	assert.Equal(t, "7   [int]0\n", run("x[1]"))
}

// A line is compiled once for all values of the same types, and when other names are
// defined; what a line only assigns is no parameter.
func TestCompiledLinesAreKept(t *testing.T) {
	run, cache := compiling(t)
	compiled := func() int {
		found, err := filepath.Glob(filepath.Join(cache, "c-*"))
		require.NoError(t, err)
		return len(found)
	}
	line := fmt.Sprintf("z←%d×+/x", 1+rand.IntN(1e9)) // that no other run has compiled
	run("x←1.5 2")
	n := compiled()
	run(line)
	assert.Equal(t, n+1, compiled())
	run("x←¯1.5 1.5 0")
	run("other←'abc'")
	n = compiled()
	run(line)
	assert.Equal(t, n, compiled())
	assert.Equal(t, "0   [double]0\n", run("z"))
}

// Where a type depends on a value, this value is a constant.
func TestRanksOfCompiledLines(t *testing.T) {
	run, _ := compiling(t)
	run("s←2 3 ⋄ x←⍳100")
	assert.Equal(t, "1 2 3\n4 5 6\n[int]2 · 2 3\n", run("s⍴x"))
	run("s←,4")
	assert.Equal(t, "1 2 3 4   [int]1 · 4\n", run("s⍴x"))
}

// Faults of compiled lines are reported as those of the evaluator are.
func TestFaultsOfCompiledLines(t *testing.T) {
	run, _ := compiling(t)
	run("x←1 2 3 ⋄ f←{⍵÷0}")
	want := transcript(t, "x←1 2 3", "x+4 5")
	assert.Equal(t, want, run("x+4 5"))
	assert.Equal(t, "DOMAIN ERROR: division by zero [E0601]\n    1 | x←1 2 3 ⋄ f←{⍵÷0}\n      |              ^ ^\n  note: in this call of f:  f x\n", run("f x"))
	assert.Equal(t, "1 2 3   [int]1 · 3\n", run("x"))
}

// Files of large arrays are closed when nobody knows the arrays any more.
func TestFilesOfArraysAreClosed(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("there is no /proc")
	}
	var m memory
	open := func() int {
		found, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(found)
	}
	before := open()
	a, b := array.New(array.Double, 100_000), array.New(array.Int, 3)
	x, err := m.exchange([]*array.Array{a, b, a})
	require.NoError(t, err)
	assert.Len(t, x.files, 3)
	x.close()
	assert.Equal(t, before+1, open())
	m.forget(map[*array.Array]bool{a: true})
	assert.Equal(t, before+1, open())
	m.forget(nil)
	assert.Equal(t, before, open())
}

// An array that gets another name is not copied.
func TestNamesOfOneArray(t *testing.T) {
	run, _ := compiling(t)
	run("n←⍳100000")
	assert.Equal(t, "100000   [int]0\n", run("≢m←k←n"))
	assert.Equal(t, "100000 1   [int]1 · 2\n", run("(m[100000],k[1])"))
	run("k←⌽k ⋄ l←m")
	assert.Equal(t, "1 1 100000   [int]1 · 3\n", run("m[1],l[1],k[1]"))
	s := &Session{given: []*array.Array{array.VectorInt([]int64{1, 2})}}
	x := &tail.Var{Name: "x", Type: tail.Ranked(array.Int, 1)}
	p := &tail.Program{Main: &tail.Let{Var: x, Bind: parameter(s.given[0], 0), Body: &tail.Tuple{Elems: []tail.Expr{&tail.Ref{Var: x}, tail.NewInt(diag.Span{}, 3)}}}}
	kept := s.sendAtEnd(p)
	require.Same(t, s.given[0], kept[0])
	require.Nil(t, kept[1])
	assert.Equal(t, kept[0], filled(kept, []*array.Array{array.ScalarInt(3)})[0])
}
