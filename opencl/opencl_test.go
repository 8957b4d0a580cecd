package opencl

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// open returns a queue on the first device; without one the test is skipped.
func open(t *testing.T) *Queue {
	t.Helper()
	list, err := Devices()
	if err != nil {
		t.Skip(err)
	}
	q, err := Open(list[0], true)
	require.NoError(t, err)
	t.Cleanup(q.Close)
	return q
}

const doubling = `__kernel void twice(__global long *a, long n) {
  for (long i = get_global_id(0); i < n; i += get_global_size(0)) a[i] *= 2;
}`

func TestKernel(t *testing.T) {
	q := open(t)
	assert.Positive(t, q.Device.Memory)
	assert.Positive(t, q.Device.Units)
	q.Cache = t.TempDir()
	for _, cached := range []bool{false, true} {
		p, err := q.Build(doubling, "-cl-std=CL1.2")
		require.NoError(t, err)
		assert.Equal(t, cached, p.Cached)
		k, err := p.Kernel("twice")
		require.NoError(t, err)
		b, err := q.Alloc(80, "a test")
		require.NoError(t, err)
		data := make([]byte, 80)
		for i := range 10 {
			binary.LittleEndian.PutUint64(data[8*i:], uint64(i))
		}
		require.NoError(t, q.Write(b, 0, data, "a test"))
		require.NoError(t, k.SetBuffer(0, b))
		require.NoError(t, k.SetInt(1, 10))
		took, err := k.Launch(4, 1)
		require.NoError(t, err)
		assert.Positive(t, took)
		require.NoError(t, q.Read(b, 0, data, "a test"))
		for i := range 10 {
			assert.Equal(t, uint64(2*i), binary.LittleEndian.Uint64(data[8*i:]))
		}
		b.Release()
		k.Release()
		p.Release()
	}
}

func TestMessages(t *testing.T) {
	q := open(t)
	_, err := q.Build("__kernel void f(", "")
	assert.ErrorContains(t, err, "OpenCL failed when compiling the kernels: the kernels did not compile (CL_BUILD_PROGRAM_FAILURE, -11)")
	_, err = q.Alloc(1<<62, "the ravel of x")
	assert.ErrorContains(t, err, "allocating 4611686018427387904 bytes for the ravel of x")
	assert.True(t, OutOfMemory(err))
	p, err := q.Build(doubling, "")
	require.NoError(t, err)
	_, err = p.Kernel("thrice")
	assert.ErrorContains(t, err, "making kernel thrice: the program has no such kernel")
}
