package library

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/sampling"
)

// write makes a library of a program in a directory.
func write(dir, name, text string, target driver.Target) error {
	cc, err := driver.FindCompiler()
	if err != nil {
		return err
	}
	cache, err := driver.UserCache()
	if err != nil {
		return err
	}
	o := driver.Options{Target: target, Flags: strings.Fields(os.Getenv("TAILOR_TEST_CFLAGS"))}
	l, err := New(diag.NewSource(name+".apl", text), Options{Options: o, Prefix: name, Rank: 2})
	if err != nil {
		return err
	}
	files, err := l.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644); err != nil {
			return err
		}
	}
	path, err := l.Build(cache, cc, o)
	if err != nil {
		return err
	}
	return driver.CopyExecutable(path, filepath.Join(dir, name+".so"))
}

// tool returns the path of a program that the test needs.
func tool(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("there is no %s here", strings.Join(names, " or "))
	return ""
}

// python returns the path of a Python that has NumPy.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			return name
		}
	}
	t.Skip("there is no Python with NumPy here (Debian: apt-get install python3-numpy)")
	return ""
}

// runs runs a command in a directory and compares what it prints.
func runs(t *testing.T, dir, want string, command ...string) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "GOFLAGS=-mod=mod", "GOPROXY=off", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", strings.Join(command, " "), out)
	assert.Equal(t, want, string(out))
}

// built is a directory with the library of testdata/price.apl for a target.
func built(t *testing.T, target driver.Target) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the library is called on Linux")
	}
	tool(t, "gcc", "clang", "cc")
	text, err := os.ReadFile("testdata/price.apl")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, write(dir, "price", string(text), target))
	return dir
}

// compiler are the flags for programs that call the library.
func compiler(t *testing.T, language string) []string {
	flags := []string{"-Wall", "-Wextra", "-Werror", "-I.", "-o", "calls"}
	if language == "c" {
		return append([]string{tool(t, "gcc", "clang", "cc"), "-std=c11", "-pedantic"}, flags...)
	}
	return append([]string{tool(t, "g++", "clang++", "c++"), "-x", "c++", "-std=c++17"}, flags...)
}

func testC(t *testing.T, dir, language string) {
	source, err := filepath.Abs("testdata/calls.c")
	require.NoError(t, err)
	args := append(compiler(t, language), source, "-x", "none", "./price.so", "-Wl,-rpath,$ORIGIN", "-lm", "-lpthread")
	runs(t, dir, "", args...)
	runs(t, dir, "done\n", "./calls")
	shown, err := os.ReadFile(filepath.Join(dir, "shown.txt"))
	require.NoError(t, err)
	assert.Len(t, strings.Split(string(shown), "\n"), 8*500+1, "a line for each call")
}

// sampled skips a test in most of the runs that take samples.
func sampled(t *testing.T) {
	if !sampling.Keep(t.Name(), 4) {
		t.Skip("not in the sample of make test")
	}
}

// TestCalls calls a library from C, C++, Python and Go.
func TestCalls(t *testing.T) {
	dir := sync.OnceValue(func() string { return built(t, driver.C) })()
	t.Run("C", func(t *testing.T) { testC(t, dir, "c") })
	t.Run("C++", func(t *testing.T) { sampled(t); testC(t, dir, "c++") })
	t.Run("Python", func(t *testing.T) { testPython(t, dir) })
	t.Run("Go", func(t *testing.T) { sampled(t); testGo(t, dir) })
}

// TestThreadSanitizer has eight threads call the library at once, under ThreadSanitizer.
func TestThreadSanitizer(t *testing.T) {
	sampled(t)
	flags := []string{"-g", "-fsanitize=thread"}
	trial := filepath.Join(t.TempDir(), "trial")
	require.NoError(t, os.WriteFile(trial+".c", []byte("int main(void) { return 0; }\n"), 0o600))
	if exec.Command(compiler(t, "c")[0], append(flags, "-o", trial, trial+".c")...).Run() != nil || exec.Command(trial).Run() != nil {
		t.Skip("there is no ThreadSanitizer here")
	}
	t.Setenv("TAILOR_TEST_CFLAGS", strings.Join(flags, " "))
	dir := built(t, driver.C)
	source, err := filepath.Abs("testdata/calls.c")
	require.NoError(t, err)
	args := append(append(compiler(t, "c"), flags...), source, "-x", "none", "./price.so", "-Wl,-rpath,$ORIGIN", "-lm", "-lpthread")
	runs(t, dir, "", args...)
	t.Setenv("TSAN_OPTIONS", "halt_on_error=1")
	runs(t, dir, "done\n", "./calls", "threads")
}

// TestThreads calls a library whose functions share work among threads.
func TestThreads(t *testing.T) {
	sampled(t)
	dir := built(t, driver.OpenMP)
	t.Run("C", func(t *testing.T) { testC(t, dir, "c") })
	t.Run("Python", func(t *testing.T) { testPython(t, dir) })
}

// TestDevice calls a library for OpenCL: with arrays of the host's as any other, and with
// arrays that stay on the device.
func TestDevice(t *testing.T) {
	if _, err := driver.Device(false, false); err != nil {
		t.Skip(err)
	}
	dir := built(t, driver.OpenCL)
	t.Run("C", func(t *testing.T) {
		source, err := filepath.Abs("testdata/device.c")
		require.NoError(t, err)
		args := append(compiler(t, "c"), source, "-x", "none", "./price.so", "-Wl,-rpath,$ORIGIN", "-lm", "-lpthread")
		runs(t, dir, "", args...)
		runs(t, dir, "done\n", "./calls")
	})
	t.Run("Python", func(t *testing.T) { testScript(t, dir, "device.py") })
	t.Run("host C", func(t *testing.T) { sampled(t); testC(t, dir, "c") })
	t.Run("host Python", func(t *testing.T) { sampled(t); testPython(t, dir) })
}

// What a call leaves on the device does not go through the host on its way to the next.
func TestStaysOnDevice(t *testing.T) {
	if _, err := driver.Device(false, false); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	require.NoError(t, write(dir, "chain", "f←{*-⍵} ⍝: <double>n → <double>n\nmean←+⌿÷≢ ⍝: <double>n → double\n", driver.OpenCL))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stay.py"), []byte(`
import numpy as np, sys, chain
x = chain.Device(np.arange(200_000.0) / 200_000)
y = chain.f(x)
print("between", file=sys.stderr, flush=True)
m = chain.mean(chain.f(chain.f(y)))
print("after", file=sys.stderr, flush=True)
`), 0o644))
	cmd := exec.Command(python(t), "-u", "stay.py")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TAILOR_TRACE=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	_, between, ok := strings.Cut(string(out), "between\n")
	require.True(t, ok, string(out))
	between, _, _ = strings.Cut(between, "after\n")
	assert.Equal(t, 3, strings.Count(between, "launch")-strings.Count(between, " 1 work-items in groups of 1"), between)
	assert.NotContains(t, between, "write an", between)
	for _, line := range strings.Split(between, "\n") {
		if strings.HasPrefix(line, "opencl: read") {
			assert.Contains(t, line, "read results", between)
		}
	}
}

func testPython(t *testing.T, dir string) { testScript(t, dir, "calls.py") }

func testScript(t *testing.T, dir, name string) {
	script, err := filepath.Abs("testdata/" + name)
	require.NoError(t, err)
	text, err := os.ReadFile(script)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	runs(t, dir, "done\n", python(t), name)
}

// module writes the go.mod of a program that calls the library.
func module(t *testing.T, dir string) {
	sums, err := os.ReadFile("../../go.sum")
	require.NoError(t, err)
	mod, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	var need []string
	for _, line := range strings.Split(string(mod), "\n") {
		if strings.Contains(line, "ebitengine/purego") {
			need = append(need, "require "+strings.TrimSpace(line))
		}
	}
	require.Len(t, need, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module calls\n\ngo 1.26.0\n\n"+need[0]+"\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
}

func testGo(t *testing.T, dir string) {
	text, err := os.ReadFile("testdata/calls.go.txt")
	require.NoError(t, err)
	work := t.TempDir()
	module(t, work)
	require.NoError(t, os.Mkdir(filepath.Join(work, "price"), 0o755))
	source, err := os.ReadFile(filepath.Join(dir, "price.go"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(work, "price", "price.go"), source, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(work, "main.go"), text, 0o644))
	runs(t, work, "", "go", "vet", "-unsafeptr=false", ".")
	runs(t, work, "done\n", "go", "run", ".", filepath.Join(dir, "price.so"))
}

// TestRefused names what makes no library.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, message string }{
		{"f←{⍵+1}\n", "a.apl has no function with an annotation"},
		{"f←{⍵+1} ⍝: int → char\n", "the annotation of f does not hold"},
		{"f←{⊂⍵} ⍝: <int>n → _\n", "the result of f is a nested array"},
		{"f←{⍺,⍵} ⍝: [a]r → [b]s → _\n", "instances"},
		{"f←{⍵+} ⍝: int → int\n", "SYNTAX ERROR"},
	} {
		_, err := New(diag.NewSource("a.apl", c.text), Options{Options: driver.Options{Target: driver.C}, Prefix: "a", Rank: 2})
		require.Error(t, err, c.text)
		assert.Contains(t, err.Error(), c.message)
	}
}

// TestNames turns names of APL into those of other languages.
func TestNames(t *testing.T) {
	assert.Equal(t, "u2206x_1", identifier("∆x_1"))
	assert.Equal(t, "lambda_", (&Function{Name: "lambda"}).Python())
	assert.Equal(t, "Max_", (&Function{Name: "Max"}).Python())
	assert.Equal(t, "copy_", (&Function{Name: "copy"}).C())
	assert.Equal(t, "X_x", (&Function{Name: "_x"}).Go())
	for out, ok := range map[string]bool{"dir/price": true, "a-b": false, "3x": false, "func": false} {
		_, fits := Prefix(out)
		assert.Equal(t, ok, fits, out)
	}
}
