package ctest

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tailor-lang/tailor/tail"
)

// operands of each kind, as tail.Fault.Text and as testdata/fault.c take them.
func operand(k tail.ArgKind, i int) (any, string) {
	switch k {
	case tail.ArgShape:
		shape := [][]int{{}, {0}, {3, 4}, {1, 2, 3}}[i%4]
		return shape, "s:" + strings.Trim(fmt.Sprint(shape), "[]")
	case tail.ArgInt:
		n := []int64{-5, 0, math.MaxInt64, math.MinInt64}[i%4]
		return n, fmt.Sprintf("i:%d", n)
	case tail.ArgDouble:
		x := []float64{-0.5, 1e-7, math.Inf(-1), 12345678901}[i%4]
		return x, fmt.Sprintf("d:%x", x)
	}
	return "a ⍋ text", "t:a ⍋ text"
}

// TestFaults compares the messages of compiled code with the evaluator's.
func TestFaults(t *testing.T) {
	program := Build(t, "testdata/fault.c")
	for f := tail.NoFault + 1; f <= tail.FaultTooLarge; f++ {
		row := f.Row()
		var ours []any
		args := []string{row.Template}
		for i, k := range row.Args {
			a, b := operand(k, int(f)+i)
			ours, args = append(ours, a), append(args, b)
		}
		want := "p.apl:1:2: SOME ERROR: " + f.Text(ours...) + " [E0001]\n    1 | x\n"
		stdout, stderr, status := Try(t, program, nil, args...)
		if string(stderr) != want || string(stdout) != "before\n" || status != 1 {
			t.Errorf("status %d, output %q, message\n%s, want\n%s", status, stdout, stderr, want)
		}
	}
}

func TestMemory(t *testing.T) {
	program := Build(t, "testdata/fault.c")
	for _, c := range []struct{ limit, count, size, want string }{
		{"", "9223372036854775807", "8", "WS FULL: out of memory for 9223372036854775807 elements of 8 bytes [E0704]"},
		{"", "1000000000000", "8", "WS FULL: out of memory for 1000000000000 elements of 8 bytes [E0704]"},
		{"", "-1", "8", "LIMIT ERROR: an array is too large [E0702]"},
		{"1000000", "1000000", "1", "WS FULL: out of memory for 1000000 elements of 1 bytes [E0704]"},
		{"1000000", "900000", "1", ""},
		{"900K", "1000000", "1", "WS FULL: out of memory for 1000000 elements of 1 bytes [E0704]"},
		{"1MB", "1000000", "1", ""},
		{"1g", "1000000000", "1", ""},
		{"10", "1000000", "1", "WS FULL: out of memory for 1000000 elements of 1 bytes [E0704]"},
		{"", "0", "8", ""},
	} {
		t.Setenv("TAILOR_MEMORY", c.limit)
		want, status := c.want+"\n", 1
		if c.want == "" {
			want, status = "", 0
		}
		stdout, stderr, got := Try(t, program, nil, "alloc", c.count, c.size)
		if string(stderr) != want || got != status || string(stdout) != "before\n" {
			t.Errorf("%s×%s: status %d, %q, %q", c.count, c.size, got, stdout, stderr)
		}
	}
}

// TestBlocks runs the allocator without sanitizers: with them it is malloc.
func TestBlocks(t *testing.T) {
	program := BuildPlain(t, "testdata/memory.c")
	t.Setenv("TAILOR_MEMORY", fmt.Sprint(1<<26))
	Run(t, program, nil)
}

// TestHeader compiles the header alone and the library with every compiler.
func TestHeader(t *testing.T) {
	if len(Compilers()) == 0 {
		t.Skip("no C compiler on this machine")
	}
	alone := filepath.Join(t.TempDir(), "alone.c")
	if err := os.WriteFile(alone, []byte("#include \"tailor.h\"\nint main(void) { return 0; }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, compiler := range Compilers() {
		for _, source := range []string{alone, filepath.Join(RuntimeDir(), "rt.c")} {
			c := exec.Command(compiler, "-std=gnu11", "-O1", "-fopenmp-simd", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", RuntimeDir(), "-I", formulasDir(), source)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", compiler, err, out)
			}
		}
	}
}

// TestNotedOverflow says that exponentials of numbers far below 0 are not noted as
// overflows, which would run a program twice.
func TestNotedOverflow(t *testing.T) {
	stdout, stderr, status := Try(t, Build(t, "testdata/noted.c"), nil)
	if string(stdout) != "0 0 0 1\n" || status != 0 {
		t.Errorf("status %d, output %q %q", status, stdout, stderr)
	}
}
