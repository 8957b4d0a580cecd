package build_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tailor-lang/tailor/internal/cputime"
	"github.com/tailor-lang/tailor/laila/lowertest"
)

// updates is a program of n lines that each update a vector.
func updates(n int) string {
	var b strings.Builder
	b.WriteString("x←⍳100\nk←×⎕TS[1]\n")
	for i := range n {
		fmt.Fprintf(&b, "x[%d]←k+%d\n", 1+i%100, i)
	}
	return b.String() + "x\n"
}

// TestManyUpdates says that what an update costs the compiler does not depend on how
// many there are: eight times as many lines take about eight times as long, and not 64
// times.
func TestManyUpdates(t *testing.T) {
	timed := func(n int) time.Duration {
		best := time.Hour
		for range 3 {
			best = min(best, cputime.Of(func() { lowertest.Optimised(t, updates(n)) }))
		}
		return best
	}
	few, many := timed(500), timed(4000)
	t.Logf("500 lines: %v, 4000 lines: %v", few, many)
	if many > 20*few {
		t.Errorf("500 lines take %v, 4000 lines %v", few, many)
	}
}
