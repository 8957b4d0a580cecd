package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFCL runs, checks and prints a program of FCL.
func TestFCL(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.fcl")
	require.NoError(t, os.WriteFile(file, []byte("fun main n arr = push<grid> (map (fn x => x * n) arr)\n"), 0o644))
	for _, c := range []struct {
		args   []string
		out    string
		errors string
		status int
	}{
		{[]string{"run", file, "--data", "3", "--data", "[1, 2]"}, "[3, 6]\n", "", 0},
		{[]string{"run", file, "--data", "3", "--data", "[1, 2]", "--count"}, "[3, 6]\n", "kernels 1, barriers 0\n", 0},
		{[]string{"check", file}, "main : forall 'a : NUM. 'a -> ['a] -> ['a]<grid>\n", "", 0},
		{[]string{"emit", "fcl", file}, "fun main n arr =\n  push<grid> (map (fn x => x * n) arr)\n", "", 0},
		{[]string{"emit", "opencl", file, "--data", "3", "--data", "[1, 2]"}, "out_3[i_4] = (long)((ulong)x_5 * 3);", "", 0},
		{[]string{"emit", "c", file}, "long n_2 = tl_plan_vector(2, &arg_3);", "", 0},
		{[]string{"build", "--target", "c", file}, "", `built for the target opencl, not "c"`, 2},
		{[]string{"emit", "tail", file}, "", `no stage "tail"`, 2},
		{[]string{"run", file}, "", "main takes 2 arguments, and 0 are given", 2},
		{[]string{"run", file, "--data", "x"}, "", "no .npy file, number, or list", 2},
		{[]string{"run", "--target", "c", file}, "", `no target "c"`, 2},
		{[]string{"run", file, "--data", "[1]", "--data", "[1]"}, "", "argument 1 of main is [int], but main takes", 2},
	} {
		out, errors, status := invoke(c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, out, c.out, c.args)
		assert.Contains(t, errors, c.errors, c.args)
	}
	npy := filepath.Join(t.TempDir(), "r.npy")
	_, _, status := invoke("run", file, "--data", "3", "--data", "[0.5, 2]", "--out", npy)
	assert.Equal(t, 0, status)
	out, _, _ := invoke("run", file, "--data", "2", "--data", npy)
	assert.Equal(t, "[3.0, 12.0]\n", out)
}
