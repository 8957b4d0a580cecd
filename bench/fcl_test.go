//go:build unix

package bench

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl"
	"github.com/tailor-lang/tailor/fcl/device"
	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/opencl"
)

// byHand is a program of bench/fcl in OpenCL: what it launches, in order.
type byHand struct {
	name, source string
	numbers      []int64 // the numbers that main has before the arrays
	inputs       []int64 // the lengths of these
	bytes        int64   // of global memory that each element is read from and written to
	steps        []step
	buffers      []int64 // the lengths of the buffers behind the inputs; the result is the last one
}

// step is a launch.
type step struct {
	kernel  string
	groups  int64
	buffers []int // of inputs and buffers
	numbers []int64
}

func divUp(a, b int64) int64 { return (a + b - 1) / b }

// twinsByHand returns the programs for arrays of about n elements.
func twinsByHand(n int64) []byHand {
	side := int64(math.Sqrt(float64(n)))
	square := side * side
	order := side / 8
	chunk, blocks := max(256, divUp(n, 256)), divUp(n, 1024)
	groups, tiles := divUp(n, 256), divUp(side, 16)*divUp(side, 16)
	return []byHand{
		{"copy", "copy", nil, []int64{n}, 16 * n, []step{{"copy", groups, []int{0, 1}, []int64{n}}}, []int64{n}},
		{"reverse", "reverse", nil, []int64{n}, 16 * n, []step{{"reverse", groups, []int{0, 1}, []int64{n}}}, []int64{n}},
		{"transpose", "transpose", []int64{side, side}, []int64{square}, 16 * square, []step{{"transposed", tiles, []int{0, 1}, []int64{side, side}}}, []int64{square}},
		{"partial", "reduce", nil, []int64{n}, 8 * n, []step{{"sums", divUp(n, 4096), []int{0, 1}, []int64{n, 4096}}}, []int64{divUp(n, 4096)}},
		{"reduce", "reduce", nil, []int64{n}, 8 * n, []step{
			{"sums", divUp(n, chunk), []int{0, 1}, []int64{n, chunk}},
			{"sums", 1, []int{1, 2}, []int64{divUp(n, chunk), chunk}},
		}, []int64{divUp(n, chunk), 1}},
		{"scan", "scan", nil, []int64{n}, 24 * n, []step{
			{"totals", blocks, []int{0, 1}, []int64{n}},
			{"carry", 1, []int{1}, []int64{blocks}},
			{"scan", blocks, []int{0, 2, 1}, []int64{n}},
		}, []int64{blocks, n}},
		{"matmul", "matmul", []int64{order}, []int64{order * order, order * order}, 24 * order * order, []step{
			{"product", divUp(order, 64) * divUp(order, 64), []int{0, 1, 2}, []int64{order}},
		}, []int64{order * order}},
	}
}

// input returns n doubles whose sums are exact.
func input(n int64) *device.Vector {
	v := &device.Vector{Elem: types.F64}
	for i := range n {
		v.Append(scalar.Number(types.F64, 0, float64(i*7%1009)))
	}
	return v
}

func read(t *testing.T, name string) string {
	text, err := os.ReadFile("fcl/" + name)
	require.NoError(t, err)
	return string(text)
}

// prepared returns the program in FCL on the device.
func (h *byHand) prepared(t *testing.T, q *opencl.Queue, params map[string]int64) *device.Prepared {
	p, err := fcl.Load(diag.NewSource(h.name+".fcl", read(t, h.name+".fcl")))
	require.NoError(t, err)
	var data []fcl.Data
	for _, n := range h.numbers {
		data = append(data, fcl.Data{Elem: types.Int, Elems: []eval.Scalar{scalar.Int(n)}})
	}
	for _, n := range h.inputs {
		v := input(n)
		data = append(data, fcl.Data{Elem: types.F64, Vector: true, Raw: v.Bytes})
	}
	plan, args, err := p.Plan(data, params)
	require.NoError(t, err)
	r, err := device.Prepare(q, plan, args)
	require.NoError(t, err)
	t.Cleanup(r.Release)
	return r
}

// launcher returns what runs the program by hand, and its result's buffer.
func (h *byHand) launcher(t *testing.T, q *opencl.Queue) (run func(), result *opencl.Buffer) {
	program, err := q.Build("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"+read(t, h.source+".cl"), device.Options)
	require.NoError(t, err)
	var buffers []*opencl.Buffer
	for _, n := range append(slices.Clone(h.inputs), h.buffers...) {
		b, err := q.Alloc(8*n, "array")
		require.NoError(t, err)
		t.Cleanup(b.Release)
		buffers = append(buffers, b)
	}
	for i, n := range h.inputs {
		require.NoError(t, q.Write(buffers[i], 0, input(n).Bytes, "input"))
	}
	var kernels []*opencl.Kernel
	for _, s := range h.steps {
		k, err := program.Kernel(s.kernel)
		require.NoError(t, err)
		for i, b := range s.buffers {
			require.NoError(t, k.SetBuffer(i, buffers[b]))
		}
		for i, n := range s.numbers {
			require.NoError(t, k.SetInt(len(s.buffers)+i, n))
		}
		kernels = append(kernels, k)
	}
	run = func() {
		for i, k := range kernels {
			_, err := k.Launch(256*h.steps[i].groups, 256)
			require.NoError(t, err)
		}
		require.NoError(t, q.Finish())
	}
	return run, buffers[len(buffers)-1]
}

// doubles returns a result of FCL as an array.
func doubles(t *testing.T, r *device.Prepared) *device.Vector {
	v, err := r.Result()
	require.NoError(t, err)
	if s, ok := v.(scalar.Scalar); ok {
		one := &device.Vector{Elem: types.F64}
		one.Append(s)
		return one
	}
	return v.(*device.Vector)
}

// TestFCLByHand compares the results of the programs of bench/fcl in FCL and in OpenCL. With
// FCL_TABLE=N it times them for N elements, in turn (on a CPU, the time of its processors), and prints the ratios, and how much of
// the bandwidth of a copy each reaches.
func TestFCLByHand(t *testing.T) {
	q, err := driver.Device(false, false)
	if err != nil {
		t.Skip(err)
	}
	defer q.Close()
	n, timed := int64(10000), os.Getenv("FCL_TABLE")
	if timed != "" {
		_, err := fmt.Sscan(timed, &n)
		require.NoError(t, err)
	}
	only := os.Getenv("FCL_ONLY")
	clock := wallTime
	if q.Device.Kind == opencl.CPU {
		clock = processorTime
	}
	best := 0.0 // bytes a second of the copy
	for i, h := range twinsByHand(n) {
		if only != "" && i > 0 && !strings.Contains(only, h.name) || timed == "" && !sampling.All() && i > 1 { // drivers compile slowly
			continue
		}
		run, buffer := h.launcher(t, q)
		r := h.prepared(t, q, fcl.ParamsFor(q.Device))
		run()
		require.NoError(t, r.Compute())
		got := doubles(t, r)
		want := &device.Vector{Elem: types.F64, Bytes: make([]byte, buffer.Size)}
		require.NoError(t, q.Read(buffer, 0, want.Bytes, "result"))
		assert.True(t, string(want.Bytes) == string(got.Bytes), "%s: other results than by hand", h.name)
		if timed == "" {
			continue
		}
		hand, made := medians(clock, run, func() { require.NoError(t, r.Compute()) })
		speed := float64(h.bytes) / made.Seconds()
		best = max(best, speed)
		fmt.Printf("%-10s by hand %8.2f ms   FCL %8.2f ms   ratio %.2f   %3.0f%% of the copy\n", h.name,
			1e3*hand.Seconds(), 1e3*made.Seconds(), made.Seconds()/hand.Seconds(), 100*speed/best)
	}
}

// processorTime is the time that the threads of this process have had, which other
// processes do not change much.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// wallTime is the time of the clock on the wall.
func wallTime() time.Duration { return time.Since(begin) }

var begin = time.Now()

// medians times two functions in turn.
func medians(clock func() time.Duration, a, b func()) (time.Duration, time.Duration) {
	const times = 15
	var left, right [times]time.Duration
	for i := range times {
		left[i], right[i] = timeOf(clock, a), timeOf(clock, b)
	}
	return median(left[:]), median(right[:])
}

func timeOf(clock func() time.Duration, f func()) time.Duration {
	start := clock()
	f()
	return clock() - start
}

func median(all []time.Duration) time.Duration {
	slices.SortFunc(all, cmp.Compare[time.Duration])
	return all[len(all)/2]
}
