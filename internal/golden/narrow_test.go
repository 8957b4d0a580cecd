package golden

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/internal/sampling"
)

// narrowTolerance is what --float=32 promises for the programs here, relative
// to the result.
const narrowTolerance = 1e-5

// TestNarrow compares programs with doubles of 32 bits on the device, from Go
// and from C, with the expected output.
func TestNarrow(t *testing.T) {
	t.Parallel()
	names := []string{"signal"}
	if sampling.All() {
		names = []string{"signal", "blackscholes", "nbody"}
	}
	o := OnDevice(clgen.Chunks)
	o.Narrow = true
	d := openDevice(t, o)
	k, err := NewBackend(driver.OpenCL)
	require.NoError(t, err)
	k.Device = o
	for _, name := range names {
		p, err := programs.Read("testdata/programs", name, programs.Test)
		require.NoError(t, err)
		q := Program{Name: name + ".apl", Source: p.Source}
		got, _ := d.Run(q)
		assert.True(t, nearly(p.Output, got.Stdout), "%s: %s", name, got)
		got = k.Run([]Program{q})[0]
		assert.True(t, nearly(p.Output, got.Stdout), "%s, built: %s", name, got)
	}
	large := Program{Source: "a←⍳(⌊⍎'1000')\n+/0.5×16777000+a\n"}
	got, _ := d.Run(large)
	assert.Contains(t, got.Stderr, "needs integers above 16777216 exactly")
	assert.Contains(t, k.Run([]Program{large})[0].Stderr, "needs integers above 16777216 exactly")
}

// nearly compares texts, numbers within the tolerance.
func nearly(want, got string) bool {
	x, y := strings.Fields(want), strings.Fields(got)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		a, e1 := strconv.ParseFloat(strings.ReplaceAll(x[i], "¯", "-"), 64)
		b, e2 := strconv.ParseFloat(strings.ReplaceAll(y[i], "¯", "-"), 64)
		if x[i] != y[i] && (e1 != nil || e2 != nil || math.Abs(a-b) > narrowTolerance*math.Max(math.Abs(a), 1)) {
			return false
		}
	}
	return true
}
