//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
)

// A program without static types becomes one executable that runs anywhere.
func TestBuildOfDynamicPrograms(t *testing.T) {
	dir := tailor(t)
	source := file(t, "x←'abc',⍳3 ⋄ x\n⍪⎕ARG\n÷0\n")
	out := filepath.Join(dir, "program")
	text, err := exec.Command(filepath.Join(dir, "tailor"), "build", source, "-o", out).CombinedOutput()
	require.NoError(t, err, string(text))
	assert.Contains(t, string(text), "is interpreted")
	require.NoError(t, os.Remove(filepath.Join(dir, "tailor")))
	require.NoError(t, os.Remove(source))
	cmd := exec.Command(out, "run", "two words")
	cmd.Dir, cmd.Env = t.TempDir(), []string{"HOME=" + t.TempDir()}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Equal(t, "abc 1 2 3\n run       \n two words \n", stdout.String())
	assert.Contains(t, stderr.String(), ":3:1: DOMAIN ERROR: division by zero")
}

// The executable of a compiled program that may meet a nested array without items, and
// without a prototype, goes on in the interpreter there, and writes nothing twice.
func TestBuildGoesOn(t *testing.T) {
	_, err := driver.FindCompiler()
	var missing *driver.MissingTool
	if errors.As(err, &missing) {
		t.Skip(missing)
	}
	dir := tailor(t)
	source := file(t, "'first'\nx←' '(≠⊆⊢)(?1)↓' ab cde'\n⊃(6=≢¨x)/x\n⍴↑(6=≢¨x)/x\n≢⎕ARG\n÷1-?1\n")
	out := filepath.Join(dir, "program")
	text, err := exec.Command(filepath.Join(dir, "tailor"), "build", source, "-o", out).CombinedOutput()
	require.NoError(t, err, string(text))
	assert.Contains(t, string(text), "holds the interpreter, which goes on")
	require.NoError(t, os.Remove(filepath.Join(dir, "tailor")))
	cmd := exec.Command(out, "one", "two")
	cmd.Dir, cmd.Env = t.TempDir(), []string{"HOME=" + t.TempDir()}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Equal(t, "first\n  \n0 2\n2\n", stdout.String())
	assert.Contains(t, stderr.String(), ":6:1: DOMAIN ERROR: division by zero")
}

// Such an executable has compiled functions in it, which need no C compiler where it
// runs: those whose types the text shows, and those that a run needed.
func TestBuildCompilesFunctions(t *testing.T) {
	_, err := driver.FindCompiler()
	var missing *driver.MissingTool
	if errors.As(err, &missing) {
		t.Skip(missing)
	}
	dir := tailor(t)
	const fib = "fib←{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2}\n"
	for _, c := range []struct {
		source  string
		flags   []string
		compile bool
	}{
		{"x←⎕JSON'3'\n" + fib + ":For i :In ⍳8\n⎕←fib 26\n:EndFor\n", nil, true},
		{"x←⎕JSON'26'\n" + fib + ":For i :In ⍳8\n⎕←fib x\n:EndFor\n", nil, false},
		{"x←⎕JSON'26'\n" + fib + ":For i :In ⍳8\n⎕←fib x\n:EndFor\n", []string{"--profile"}, true},
	} {
		out := filepath.Join(dir, "program")
		cmd := exec.Command(filepath.Join(dir, "tailor"), append([]string{"build", file(t, c.source), "-o", out}, c.flags...)...)
		cmd.Env = append(os.Environ(), "TAILOR_CACHE="+cache)
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, string(text))
		assert.Equal(t, c.compile, strings.Contains(string(text), "holds the interpreter and 1 compiled function;"), string(text))
		cmd = exec.Command(out)
		cmd.Dir, cmd.Env = t.TempDir(), []string{"HOME=" + t.TempDir(), "TAILOR_TIME=1"}
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		require.NoError(t, cmd.Run())
		assert.Equal(t, strings.Repeat("121393\n", 8), stdout.String())
		assert.Equal(t, c.compile, strings.Contains(stderr.String(), "compiled, -O3"), stderr.String())
	}
}

// Loops of control words are among them, and statements that take long.
func TestBuildCompilesStatements(t *testing.T) {
	_, err := driver.FindCompiler()
	var missing *driver.MissingTool
	if errors.As(err, &missing) {
		t.Skip(missing)
	}
	dir := tailor(t)
	source := file(t, "x←⎕JSON'3'\ns←0 ⋄ v←⍳1000\n:For i :In ⍳1000000\n  :If 2|i ⋄ s←s+v[1+1000|i] ⋄ :EndIf\n:EndFor\ns\nz←+/,∘.{⍺×⍵}⍨⍳2000\nz\n⎕←'a' x\n")
	out := filepath.Join(dir, "program")
	cmd := exec.Command(filepath.Join(dir, "tailor"), "build", source, "-o", out)
	cmd.Env = append(os.Environ(), "TAILOR_CACHE="+cache)
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	assert.Contains(t, string(text), "holds the interpreter and 2 compiled functions;") // all statements but the first and the last, and the dfn
	cmd = exec.Command(out)
	cmd.Dir, cmd.Env = t.TempDir(), []string{"HOME=" + t.TempDir(), "TAILOR_TIME=1"}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run())
	assert.Equal(t, "250500000\n4.004001E12\na 3\n", stdout.String())
	assert.Contains(t, stderr.String(), "a.apl:2:1 to line 8: 1 compiled, -O3")
}

func TestBuildRefusesWhereTypesAreAskedFor(t *testing.T) {
	dir := tailor(t)
	source := file(t, "x←'abc',⍳1000 ⋄ x\n")
	text, err := exec.Command(filepath.Join(dir, "tailor"), "build", "--static", source, "-o", filepath.Join(dir, "p")).CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(text), "NOT SUPPORTED: an array of characters and numbers")
}

func TestCheckTellsDynamicPlaces(t *testing.T) {
	source := file(t, "x←'abc',⍳1000\n+/⍳3\n")
	var out, errs strings.Builder
	assert.Equal(t, 0, Main([]string{"check", "--json", source}, &out, &errs))
	assert.Contains(t, out.String(), `"status":"interpreted"`)
	assert.Contains(t, out.String(), `"interpreted":[{"code":"E0900","kind":"NOT SUPPORTED","place":`)
	assert.Contains(t, out.String(), `"help":"format the numbers with ⍕"`)
	assert.Contains(t, out.String(), `"errors":[]`)
	out.Reset()
	assert.Equal(t, 0, Main([]string{"check", "--json", file(t, "+/⍳3\n")}, &out, &errs))
	assert.Contains(t, out.String(), `"status":"compiled"`)
	out.Reset()
	assert.Equal(t, 2, Main([]string{"check", "--json", file(t, "1 2+1 2 3\n")}, &out, &errs))
	assert.Contains(t, out.String(), `"status":"refused"`)
}

// The plan of a program that is interpreted says why it is, and what is compiled.
func TestPlanOfDynamicPrograms(t *testing.T) {
	source := file(t, "x←⎕JSON'3'\nf←{(+/⍵)÷≢⍵}\ng←{n←0 ⋄ _←{n+←⍵}¨⍵ ⋄ m←n}\n⎕←f ⍳10\n⎕←{⍵:1 ⋄ 'abc'}¨1 0\n{'a',⍵}¨⍳3\n")
	var out, errs strings.Builder
	require.Equal(t, 0, Main([]string{"explain", "--plan", source}, &out, &errs), errs.String())
	for _, line := range []string{
		":1:3: ⎕JSON with one argument",
		":5:6: the branches of the guard differ: ",
		":2:3 {(+/⍵)÷≢⍵} [int]1\n",
		":2:1 f: for [int]0, [int]1, [int]2, [double]0,",
		":3:1 g: never, as far as is known: it changes variables,",
	} {
		assert.Contains(t, out.String(), line)
	}
	assert.NotContains(t, out.String(), "{'a',⍵}¨ [int]1")
	out.Reset()
	require.Equal(t, 0, Main([]string{"check", source}, &out, &errs))
	assert.Contains(t, out.String(), ":1:3: interpreted: ⎕JSON with one argument")
	assert.Contains(t, out.String(), ":5:6: interpreted: the branches of the guard differ: ")
	assert.Contains(t, out.String(), "help: give both branches one rank")
}
