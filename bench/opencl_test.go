package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/opencl"
)

// TestOpenCLByHand builds the programs of bench/opencl, or a sample, and runs them
// on the device where all tests are asked for: drivers compile slowly. The small APL
// programs there are run as C.
func TestOpenCLByHand(t *testing.T) {
	cc, err := driver.FindCompiler()
	if err != nil {
		t.Skip(err)
	}
	_, missing := opencl.Devices()
	files, err := filepath.Glob("opencl/*.c")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".c")
		t.Run(name, func(t *testing.T) {
			binary := filepath.Join(t.TempDir(), name)
			out, err := exec.Command(cc.Path, "-O1", "-march=native", "-Wall", "-Wextra", "-Werror", "-o", binary, file, "-ldl", "-lm").CombinedOutput()
			require.NoError(t, err, string(out))
			dir := "opencl"
			if _, err := os.Stat("opencl/" + name + ".apl"); err != nil {
				dir = "../testdata/programs"
			}
			p, err := programs.Read(dir, name, programs.Test)
			require.NoError(t, err)
			if dir == "opencl" {
				assert.Equal(t, p.Output, interpreted(t, p))
			}
			if missing == nil && sampling.All() {
				printed, err := exec.Command(binary, p.Sizes...).Output()
				require.NoError(t, err)
				assert.Equal(t, p.Output, string(printed))
			}
		})
	}
}

// interpreted returns what the evaluator prints for a program.
func interpreted(t *testing.T, p *programs.Program) string {
	var out strings.Builder
	c := driver.New(diag.NewSource(p.Name+".apl", p.Source), driver.Options{})
	require.NoError(t, c.Evaluate(&out, nil))
	return out.String()
}
