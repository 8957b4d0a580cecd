package golden

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/tailor-lang/tailor/internal/driver"
)

// cText is the C text of a program.
type cText struct {
	Program
	text string
}

// allPrograms returns every program under testdata.
func allPrograms(t *testing.T) []Program {
	t.Helper()
	var list []Program
	for _, folder := range []string{"expr", "errors"} {
		files, err := filepath.Glob("testdata/" + folder + "/*.txt")
		require.NoError(t, err)
		for _, file := range files {
			list = append(list, fileCases(t, folder, file)...)
		}
	}
	for _, pattern := range []string{"testdata/programs/*.apl", "testdata/opencl/*.apl", "examples/*.apl"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			list = append(list, Program{Name: filepath.Base(file), Source: string(text)})
		}
	}
	for _, pattern := range []string{"testdata/tests/*.txtar", "testdata/files/*.txtar"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			for _, f := range archive.Files {
				if filepath.Ext(f.Name) == ".apl" {
					list = append(list, Program{Name: filepath.Base(file) + "/" + f.Name, Source: string(f.Data)})
				}
			}
		}
	}
	return list
}

// cTexts returns the C texts of the programs that compile, the longest first.
func cTexts(list []Program) []cText {
	var all []cText
	for _, p := range list {
		guarded(func() Outcome {
			if text, err := p.compilation(driver.Options{Target: driver.C}).C(""); err == nil {
				all = append(all, cText{p, text})
			}
			return Outcome{}
		})
	}
	slices.SortStableFunc(all, func(a, b cText) int { return len(b.text) - len(a.text) })
	return all
}

// TestCompilerTimes prints how long the C compiler takes for the programs of
// testdata that have the longest C texts, when TAILOR_TEST_CTIMES says for how many.
func TestCompilerTimes(t *testing.T) {
	var count int
	if fmt.Sscan(os.Getenv("TAILOR_TEST_CTIMES"), &count); count == 0 {
		t.Skip("TAILOR_TEST_CTIMES is not set")
	}
	cc, err := driver.FindCompiler()
	require.NoError(t, err)
	for i, c := range cTexts(allPrograms(t)) {
		if i == count {
			break
		}
		file := filepath.Join(t.TempDir(), "p.c")
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o666))
		fmt.Printf("%7d bytes of source, %7d of C, -O1 %6.2f s, -O3 %6.2f s  %s\n", len(c.Source), len(c.text), compilerTime(cc, file, "-O1"), compilerTime(cc, file, "-O3"), c.Name)
	}
}

func compilerTime(cc *driver.Compiler, file, level string) float64 {
	cmd := exec.Command(cc.Path, "-std=gnu11", "-fwrapv", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off", "-march=native",
		"-fno-thread-jumps", "-fno-builtin-sin", "-fno-builtin-cos", "-fopenmp-simd", level, "-Icgen/rt", "-c", "-o", os.DevNull, file)
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Printf("%s\n", out)
	}
	u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return float64(u.Utime.Nano()) / 1e9
}
