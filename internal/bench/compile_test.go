package bench

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/cputime"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

// TestCompileTimeIsLinear compiles programs of 500 and of 2,000 lines to C. A
// quadratic stage would take 16 times as long for the second, a linear one four
// times, and what the caches of a busy machine add. The least of several tries is
// compared: what else the machine does only adds time.
func TestCompileTimeIsLinear(t *testing.T) {
	const tries, ratio = 10, 8
	short, long := time.Hour, time.Hour
	for range tries {
		short = min(short, compiles(t, Chain(100)))
		long = min(long, compiles(t, Chain(400)))
		if long < ratio*short {
			break
		}
	}
	require.Less(t, long, ratio*short, "%v for 500 lines, %v for 2,000", short, long)
}

// compiles returns the processor time that a program takes to become C, without that
// of the collector, whose garbage from before is gone.
func compiles(t *testing.T, text string) time.Duration {
	t.Helper()
	runtime.GC()
	return cputime.Of(func() {
		_, err := driver.New(diag.NewSource("chain.apl", text), driver.Options{Target: driver.C}).C("")
		require.NoError(t, err)
	})
}
