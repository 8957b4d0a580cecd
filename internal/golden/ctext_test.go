package golden

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"golang.org/x/tools/txtar"

	"github.com/tailor-lang/tailor/cgen"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/sampling"
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

// growing are programs whose source is doubled: a unit that is repeated, behind what
// all units share.
var growing = []struct{ name, before, unit string }{
	{"texts", "", "'the quick brown fox'\n"},
	{"strands", "", "1 'two' (3 4) ('five' (6 7))\n"},
	{"nested constants", "", "⍪(1 2)'abc'(2 2⍴⍳4)\n"},
	{"displays", "v←?9⍴9\n", "v (2×v) 'text'\n"},
	{"items", "v←?9⍴9\n", "≢¨(v<5)⊆v\n"},
	{"matrices", "v←?9⍴9\n", "2 2⍴(v)'ab'(⌽v)\n"},
	{"fields", "t←(?5⍴1)/'12 x3'\n", "⎕VFI t\n"},
	{"sums", "v←?9⍴9\n", "+/v×v\n"},
	{"functions", "f←{(+/⍵)÷≢⍵}\nv←?9⍴9\n", "f v+1\n"},
}

// TestCTextIsLinear compares the C texts of 16 and 32 copies of some lines.
func TestCTextIsLinear(t *testing.T) {
	t.Parallel()
	for _, g := range growing {
		size := func(n int) int {
			p := Program{Name: "growing.apl", Source: g.before + strings.Repeat(g.unit, n)}
			text, err := p.compilation(driver.Options{Target: driver.C}).C("")
			require.NoError(t, err, g.name)
			return len(text)
		}
		once, twice := size(16), size(32)
		assert.LessOrEqual(t, float64(twice), 2.2*float64(once), "%s: %d and %d bytes", g.name, once, twice)
	}
}

// leaf is the size of the C text that a strand may take for each character or number
// of its source, beyond that of an empty program.
const leaf = 96

// TestCTextOfConstants holds the C texts of nested constants to their sources.
func TestCTextOfConstants(t *testing.T) {
	phrase := "now is the time for all good men to come to the"
	for _, source := range []string{
		"phrase←'" + phrase + "' ⋄ ↑phrase(phrase≠' ')",
		strings.Repeat("'some words' ", 40),
		strings.Repeat("(1 2 3) ", 40),
		"⍪" + strings.Repeat("'word' 1 2 ", 20),
		strings.Repeat("(1 'a' (2 3)) ", 20),
	} {
		text, err := Program{Name: "constant.apl", Source: source}.compilation(driver.Options{Target: driver.C}).C("")
		require.NoError(t, err)
		assert.LessOrEqual(t, len(text), 2000+leaf*len(source), source)
	}
}

// TestCTextOfPrograms holds the C texts of the programs of testdata, or a sample of
// its cases, to bounds.
func TestCTextOfPrograms(t *testing.T) {
	t.Parallel()
	list := slices.DeleteFunc(allPrograms(t), func(p Program) bool {
		return strings.Contains(p.Name, ".txt:") && !sampling.Keep(p.Source, expressionSample)
	})
	for i, c := range cTexts(list) {
		size := cgen.Weight(c.text)
		if i < 10 {
			t.Logf("%7d bytes of C, %5d of source: %s", size, len(c.Source), c.Name)
		}
		assert.LessOrEqual(t, size, longest, c.Name)
	}
}

// longest bounds the C text of a program of testdata.
const longest = 320_000

// What the C compiler may take, in seconds of a processor that compiles the yardstick in
// yardstickTime: to compile quickly, and what is to run fast.
const (
	mostQuick = 2.0
	mostFull  = 5.0
)

// TestCompilerTimes holds the compilations of the longest C texts to their bounds: those
// of all programs of testdata, of a sample that each change of the compiler makes another
// one, or as many as TAILOR_TEST_CTIMES says.
func TestCompilerTimes(t *testing.T) {
	t.Parallel()
	cc, err := driver.FindCompiler()
	if err != nil {
		t.Skip(err)
	}
	list, count := allPrograms(t), 60
	if n, err := strconv.Atoi(os.Getenv("TAILOR_TEST_CTIMES")); err == nil {
		count = n
	} else if !sampling.All() {
		list = slices.DeleteFunc(list, func(p Program) bool { return !sampling.Keep(p.Source, longSample) })
		count = 2
	}
	all := cTexts(list)
	slices.SortStableFunc(all, func(a, b cText) int { return cgen.Weight(b.text) - cgen.Weight(a.text) })
	for _, c := range all[:min(count, len(all))] {
		file := filepath.Join(t.TempDir(), "p.c")
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o666))
		quick := compilerTime(t, cc, file, c, driver.Options{Target: driver.C, Quick: true}, mostQuick)
		full := compilerTime(t, cc, file, c, driver.Options{Target: driver.C}, mostFull)
		t.Logf("%7d bytes of source, %7d of C, quickly %5.2f s, to run fast %5.2f s  %s", len(c.Source), cgen.Weight(c.text), quick, full, c.Name)
	}
}

// longSample is the part of the programs among which the longest are compiled: one in so
// many.
const longSample = 30

// compilerTime is the processor time of a compilation in seconds. Where it is more than it
// may be, it is taken again beside that of the yardstick, as a processor that does other
// work, too, is slower.
func compilerTime(t *testing.T, cc *driver.Compiler, file string, c cText, o driver.Options, most float64) float64 {
	flags := cc.Flags(o, c.text)
	least := timeOf(t, cc, file, flags)
	for i := 0; least > most && i < 4; i++ {
		slower := timeOf(t, cc, yardstick(t), []string{"-O2"}) / yardstickTime
		least = min(least, timeOf(t, cc, file, flags)/max(slower, 1))
	}
	assert.LessOrEqual(t, least, most, c.Name)
	return least
}

// yardstickTime is the time of the compilation of yardstick, in seconds, where the bounds
// of the compiler's times were set.
const yardstickTime = 1.0

// yardstick is a file of C whose compilation tells how fast the processor is.
func yardstick(t *testing.T) string {
	var b strings.Builder
	for i := range 125 {
		fmt.Fprintf(&b, `
double f%[1]d(double *restrict x, const long *restrict y, long n) {
	double s = 0;
	for (long i = 0; i < n; i++) {
		if (y[i] %% %[2]d == 1) s += x[i] * y[i];
		else for (long j = i; j < n; j += y[j] + %[2]d) x[j] -= s / (x[i] + %[2]d);
	}
	return s;
}
`, i, i+2)
	}
	file := filepath.Join(t.TempDir(), "yardstick.c")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o666))
	return file
}

// timeOf is the processor time of one compilation.
func timeOf(t *testing.T, cc *driver.Compiler, file string, flags []string) float64 {
	cmd := exec.Command(cc.Path, append(flags, "-Icgen/rt", "-Iinternal/formulas", "-c", "-o", os.DevNull, file)...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return float64(u.Utime.Nano()) / 1e9
}
