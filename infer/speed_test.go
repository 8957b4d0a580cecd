package infer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/cputime"
)

// chain returns a program of n functions that each call the previous one
// twice.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("f0←{1+⍵}\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "f%d←{(f%d ⍵)+f%d ⍵×2}\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "f%d 1 2 3\n", n)
	return b.String()
}

// lines returns a program of about n lines: functions, definitions that use
// them, loops and displays.
func lines(n int) string {
	var b strings.Builder
	b.WriteString("x0←⍳10\n")
	for i := 1; i <= n/5; i++ {
		fmt.Fprintf(&b, "f%d←{a←⍵×%d ⋄ b←+\\a ⋄ (a-b)÷1⌈⌈/a}\n", i, i)
		fmt.Fprintf(&b, "g%d←{⍵<%d:⍵ ⋄ ∇ ⍵-%d}\n", i, i, i)
		fmt.Fprintf(&b, "x%d←f%d x%d\n", i, max(1, i/2), i-1)
		fmt.Fprintf(&b, "y%d←({0.5×⍵+⌽⍵}⍣3)x%d\n", i, i)
		fmt.Fprintf(&b, "(+/x%d),(g%d %d),⌈/y%d\n", i, i, 1000+i, i)
	}
	return b.String()
}

// timed reports the processor time of compiling, the best of three.
func timed(t *testing.T, text string) time.Duration {
	best := time.Hour
	for range 3 {
		best = min(best, cputime.Of(func() {
			_, err := compile("generated", text)
			require.NoError(t, err)
		}))
	}
	return best
}

// each returns a program of n functions that each call the previous one, once.
func each(n int) string {
	var b strings.Builder
	b.WriteString("f0←{⍵+1}\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "f%d←{f%d ⍵}\n", i, i-1)
	}
	fmt.Fprintf(&b, "f%d 1\n", n)
	return b.String()
}

func TestCompileTime(t *testing.T) {
	if d := timed(t, each(400)); d > 2*time.Second {
		t.Errorf("a chain of 400 functions took %v", d)
	} else {
		t.Logf("a chain of 400 functions: %v", d)
	}
	if d := timed(t, chain(20)); d > 50*time.Millisecond {
		t.Errorf("a chain of 20 functions took %v", d)
	} else {
		t.Logf("a chain of 20 functions: %v", d)
	}
	text := lines(2000)
	if d := timed(t, text); d > time.Second {
		t.Errorf("%d lines took %v", strings.Count(text, "\n"), d)
	} else {
		t.Logf("%d lines: %v", strings.Count(text, "\n"), d)
	}
}
