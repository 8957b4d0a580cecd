// Package bench holds the C programs that the compiled APL is measured
// against, and makers of their inputs; its test holds the C programs to the
// expected output of the APL programs.
package bench

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/internal/sampling"
)

// TestTwins builds the C program of every APL program, sequential and with
// OpenMP, and compares its output at the size of the tests. Of the corpus and of
// nested data it takes a sample.
func TestTwins(t *testing.T) {
	cc := "gcc"
	if _, err := exec.LookPath(cc); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("the C programs are built with gcc on x86-64: ", err)
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for _, suite := range append([]programs.Suite{programs.Own}, programs.Named...) {
		dir := filepath.Join(root, suite.Programs())
		names, err := programs.Names(dir)
		require.NoError(t, err)
		work := t.TempDir()
		for _, name := range names {
			if suite != programs.Own && suite != programs.Memory && !sampling.Keep("twin of "+name, 8) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				want, err := os.ReadFile(filepath.Join(dir, name+".out"))
				require.NoError(t, err)
				for _, openmp := range []string{"-Wno-unknown-pragmas", "-fopenmp"} {
					bin := filepath.Join(work, name+openmp)
					build := exec.Command(cc, "-O0", "-march=native", "-std=gnu11", "-Wall", "-Wextra", "-Werror", openmp,
						filepath.Join(suite.Twins(), name+".c"), "-o", bin, "-lm")
					build.Dir = root
					out, err := build.CombinedOutput()
					require.NoError(t, err, "%s", out)
					run := exec.Command(bin)
					run.Dir = root
					run.Env = append(os.Environ(), "OMP_NUM_THREADS=2", "OMP_WAIT_POLICY=passive")
					var stdout bytes.Buffer
					run.Stdout = &stdout
					require.NoError(t, run.Run())
					require.Equal(t, string(want), stdout.String())
				}
			})
		}
	}
}
