// Package ctest builds and runs C programs over the run-time library, for the
// tests that compare it with its counterparts in Go.
package ctest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/repo"
)

// RuntimeDir is the folder of the C run-time.
func RuntimeDir() string {
	return filepath.Join(repo.Root(), "cgen", "rt")
}

// formulasDir is the folder of what the run-time shares with kernels.
func formulasDir() string { return filepath.Join(repo.Root(), "internal", "formulas") }

// Compilers returns the C compilers of this machine.
func Compilers() []string {
	var found []string
	for _, name := range []string{"gcc", "clang"} {
		if _, err := exec.LookPath(name); err == nil {
			found = append(found, name)
		}
	}
	return found
}

// flags are those that all code of ours must compile with; sanitizers are
// added where the compiler can link them.
var flags = []string{"-std=gnu11", "-O0", "-fopenmp-simd", "-g1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"}
var sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// Build compiles a C file together with the run-time, with sanitizers where
// there are some, and returns the program. It skips the test where there is no
// C compiler.
func Build(t testing.TB, source string) string {
	t.Helper()
	return build(t, source, sanitizers)
}

// BuildPlain is Build without sanitizers.
func BuildPlain(t testing.TB, source string) string {
	t.Helper()
	return build(t, source, nil)
}

func build(t testing.TB, source string, sanitizers []string) string {
	t.Helper()
	if len(Compilers()) == 0 {
		t.Skip("no C compiler on this machine")
	}
	dir := RuntimeDir()
	readSources(t, dir, formulasDir(), filepath.Dir(source), filepath.Join(dir, "..", "..", "internal", "ctest"))
	program := filepath.Join(t.TempDir(), "program")
	if link(program, source, sanitizers) == nil {
		return program
	}
	if err := link(program, source, nil); err != nil {
		t.Fatal(err)
	}
	return program
}

// link compiles a C file and links it with the run-time.
func link(program, source string, sanitizers []string) error {
	object, err := runTime(sanitizers)
	if err != nil {
		return err
	}
	return compile(sanitizers, "-o", program, source, object, "-lm")
}

// runTime returns the run-time's object file. It is compiled once for each text
// of the run-time and choice of flags, and kept among temporary files.
func runTime(sanitizers []string) (string, error) {
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("tailor-tests-%d", os.Getuid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, Compilers()[0], flags, sanitizers)
	for _, pattern := range []string{filepath.Join(RuntimeDir(), "*.[ch]"), filepath.Join(formulasDir(), "*.h")} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			fmt.Fprintln(h, filepath.Base(name), len(text))
			h.Write(text)
		}
	}
	object := filepath.Join(folder, fmt.Sprintf("rt-%x.o", h.Sum(nil)[:16]))
	if _, err := os.Stat(object); err == nil {
		return object, nil
	}
	work, err := os.MkdirTemp(folder, "rt-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	made := filepath.Join(work, "rt.o")
	if err := compile(sanitizers, "-c", "-o", made, filepath.Join(RuntimeDir(), "rt.c")); err != nil {
		return "", err
	}
	return object, os.Rename(made, object)
}

// compile runs the first compiler with the flags of all our code and more.
func compile(sanitizers []string, more ...string) error {
	args := append(append(append([]string{}, flags...), sanitizers...), "-I", RuntimeDir(), "-I", formulasDir())
	out, err := exec.Command(Compilers()[0], append(args, more...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", Compilers()[0], err, out)
	}
	return nil
}

// readSources reads the C files of some folders, so that the test's cached
// result depends on them.
func readSources(t testing.TB, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		for _, pattern := range []string{"*.c", "*.h"} {
			names, _ := filepath.Glob(filepath.Join(folder, pattern))
			for _, name := range names {
				if _, err := os.ReadFile(name); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Run runs a program with the given input and arguments; it fails the test if
// the program fails.
func Run(t testing.TB, program string, input []byte, args ...string) []byte {
	t.Helper()
	stdout, stderr, status := Try(t, program, input, args...)
	if status != 0 {
		t.Fatalf("exit status %d\n%s", status, stderr)
	}
	return stdout
}

// Try runs a program and returns all that comes out.
func Try(t testing.TB, program string, input []byte, args ...string) (stdout, stderr []byte, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(input), &out, &errs
	c.Env = append(os.Environ(), "ASAN_OPTIONS=allocator_may_return_null=1")
	err := c.Run()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		t.Fatal(err)
	}
	return out.Bytes(), errs.Bytes(), c.ProcessState.ExitCode()
}

// The element codes of tailor.h.
const (
	Bool = 1 + iota
	I8
	I16
	I32
	I64
	F64
	Char
)

// elemCode gives the code of an element type.
var elemCode = map[array.Elem]int64{array.Bool: Bool, array.Int: I64, array.Double: F64, array.Char: Char}

// Encode appends a in the form that driver.h reads: element code, rank, shape
// (64 bits each) and the ravel.
func Encode(dst []byte, a *array.Array) []byte {
	return EncodeAs(dst, a, elemCode[a.Elem])
}

// EncodeAs is Encode with the element type narrowed to the given code, which
// must hold the values.
func EncodeAs(dst []byte, a *array.Array, code int64) []byte {
	word := func(v int64) { dst = binary.NativeEndian.AppendUint64(dst, uint64(v)) }
	word(code)
	word(int64(a.Rank()))
	for _, n := range a.Shape {
		word(int64(n))
	}
	var ravel any
	switch code {
	case Bool:
		ravel = a.Bools
	case I8:
		ravel = narrow[int8](a.Ints)
	case I16:
		ravel = narrow[int16](a.Ints)
	case I32:
		ravel = narrow[int32](a.Ints)
	case I64:
		ravel = a.Ints
	case F64:
		ravel = a.Doubles
	case Char:
		ravel = a.Chars
	}
	dst, err := binary.Append(dst, binary.NativeEndian, ravel)
	if err != nil {
		panic(err)
	}
	return dst
}

func narrow[T int8 | int16 | int32](v []int64) []T {
	r := make([]T, len(v))
	for i := range v {
		r[i] = T(v[i])
	}
	return r
}

// Decode reads one array in Encode's form and returns the rest.
func Decode(b []byte) (*array.Array, []byte) {
	word := func() int64 {
		v := int64(binary.NativeEndian.Uint64(b))
		b = b[8:]
		return v
	}
	code := word()
	shape := make([]int, word())
	for i := range shape {
		shape[i] = int(word())
	}
	elem := map[int64]array.Elem{Bool: array.Bool, I64: array.Int, F64: array.Double, Char: array.Char}[code]
	a := array.New(elem, shape...)
	var ravel any
	switch elem {
	case array.Bool:
		ravel = a.Bools
	case array.Int:
		ravel = a.Ints
	case array.Double:
		ravel = a.Doubles
	case array.Char:
		ravel = a.Chars
	}
	n, err := binary.Decode(b, binary.NativeEndian, ravel)
	if err != nil {
		panic(err)
	}
	return a, b[n:]
}
