package fcl

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

// TestNoDoubles runs a program of doubles, and one without, on a device that has none.
func TestNoDoubles(t *testing.T) {
	q := queue(t)
	d := *q.Device
	d.Doubles, q.Device = false, &d
	for _, c := range []struct{ text, want string }{
		{"fun main arr = reduce (+) 0.0 (map (fn x => double x / 2.0) arr)", ""},
		{"fun main arr = reduce (+) 0 arr", "[10]"},
	} {
		p, err := Load(diag.NewSource("a.fcl", c.text))
		require.NoError(t, err)
		arr, err := ReadData("[1, 2, 3, 4]")
		require.NoError(t, err)
		v, _, err := p.RunOn(q, []Data{arr}, DefaultParams)
		if c.want == "" {
			assert.EqualError(t, err, d.Name+" has no doubles; TAILOR_DEVICE chooses another device")
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, listed(Hosted(v)))
	}
}

// TestNoRoom asks for an array of 1.6 GB of a device with 1 GB, in a process of its own, which
// PoCL limits.
func TestNoRoom(t *testing.T) {
	queue(t)
	const limit = "POCL_MEMORY_LIMIT"
	if os.Getenv(limit) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=TestNoRoom$", "-test.v")
		cmd.Env = append(os.Environ(), limit+"=1")
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s", out)
		if strings.Contains(string(out), "--- SKIP") {
			t.Skipf("%s", out)
		}
		assert.Contains(t, string(out), "--- PASS")
		return
	}
	q := queue(t)
	if q.Device.Memory > 1<<30 {
		t.Skip("the device has more memory than PoCL would say")
	}
	p, err := Load(diag.NewSource("a.fcl", "fun main n = do { a <- force (push<grid> (generate n (fn i => i * 3))); scan (+) 0 a }"))
	require.NoError(t, err)
	n, err := ReadData("200000000")
	require.NoError(t, err)
	_, _, err = p.RunOn(q, []Data{n}, DefaultParams)
	var fault *diag.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, diag.NoMemory, fault.Code)
	assert.Contains(t, fault.Error(), "the device has no memory for an array of 200000000 elements (1600000000 bytes)")
	assert.Equal(t, "a.fcl:1:24: ", fault.Span.Lead())
}

// TestLibraryPlaces shows the program's use of a function of the library where that has a fault, and its
// line in the names of kernels.
func TestLibraryPlaces(t *testing.T) {
	p, err := Load(diag.NewSource("a.fcl", "fun half n = n / 2\nfun main k arr =\n  splitUp k arr |> map (reduceBlock (+) 0) |> concat<block> 1"))
	require.NoError(t, err)
	args := append([]Data{{Elem: types.Int, Elems: []eval.Scalar{scalar.Int(0)}}}, arguments(t, 9)...)
	_, _, err = p.Run(args, DefaultParams)
	var e *diag.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "splitUp", e.Span.Src.Text[e.Span.Start:e.Span.End])
	args[0].Elems[0] = scalar.Int(2)
	plan, err := p.Kernels(args, small)
	require.NoError(t, err)
	for _, k := range plan.Kernels {
		assert.Contains(t, k.Name, "_line3")
	}
}
