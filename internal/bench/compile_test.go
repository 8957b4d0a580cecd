package bench

import (
	"math"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

// TestCompileTimeIsLinear compiles programs of 500 and of 2,000 lines to C.
// Processor time is compared, of the best of some tries, with room for the
// collector of garbage: a quadratic stage would take 16 times as long.
func TestCompileTimeIsLinear(t *testing.T) {
	short, long := math.Inf(1), math.Inf(1)
	for range 3 {
		short = min(short, cpuTime(t, Chain(100)))
		long = min(long, cpuTime(t, Chain(400)))
	}
	require.Less(t, long, 9*short, "%.3f s for 500 lines, %.3f s for 2,000", short, long)
}

// cpuTime returns the processor time that compiling a program to C takes.
func cpuTime(t *testing.T, text string) float64 {
	t.Helper()
	seconds := func() float64 {
		var u syscall.Rusage
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	start := seconds()
	_, err := driver.New(diag.NewSource("chain.apl", text), driver.Options{Target: driver.C}).C("")
	require.NoError(t, err)
	return seconds() - start
}
