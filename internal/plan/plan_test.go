package plan

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

var update = flag.Bool("update", false, "rewrite the plans under testdata")

// TestPlans compares plans, without what the C compiler says, with those under
// testdata: NAME.plan is the plan of NAME.apl.
func TestPlans(t *testing.T) {
	files, err := filepath.Glob("testdata/*.apl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			got := planOf(t, filepath.Base(file), string(text), nil)
			golden := strings.TrimSuffix(file, ".apl") + ".plan"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

func planOf(t *testing.T, name, source string, cc *driver.Compiler) string {
	t.Helper()
	var b strings.Builder
	c := driver.New(diag.NewSource(name, source), driver.Options{Target: driver.OpenMP})
	require.NoError(t, Write(&b, c, cc))
	return b.String()
}

// hot are the lines of programs whose loops take the time; each must have a
// loop that the C compiler made vector code of, and none that it did not, but
// for rows and columns at the edge.
var hot = []struct{ program, line string }{
	{"signal", "large←+/signal ⍳n"},
	{"hotspot", "flow←"},
	{"life", "rows←"},
	{"life", "sum←"},
	{"blackscholes", "spot←"},
}

// TestVectors asks the C compiler whether the inner loops of benchmark programs
// are vector code.
func TestVectors(t *testing.T) {
	cc, err := driver.FindCompiler()
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no C compiler for vectors of x86-64: ", err)
	}
	plans := map[string]string{}
	for _, h := range hot {
		if plans[h.program] == "" {
			p, err := programs.Read("../../testdata/programs", h.program, programs.Bench)
			require.NoError(t, err)
			plans[h.program] = planOf(t, h.program+".apl", p.Source, cc)
		}
		section := regexp.MustCompile(`(?m)^\S+:\d+  ` + regexp.QuoteMeta(h.line) + `.*\n(  .*\n)+`).FindString(plans[h.program])
		require.NotEmpty(t, section, "%s: no loop at %s\n%s", h.program, h.line, plans[h.program])
		require.Regexp(t, `vectors: (16|32|64) bytes|vectors: [248] lanes`, section, h.program)
		require.NotContains(t, section, "as the C compiler says", h.program)
	}
}

// TestVectorsOfThePricer asks the same of the pricer, whose paths are a strip of
// many loops over lanes: all that compute are vector code, but for the one that
// lists the lanes of the far tails. Their values are added behind them.
func TestVectorsOfThePricer(t *testing.T) {
	cc, err := driver.FindCompiler()
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no C compiler for vectors of x86-64: ", err)
	}
	p, err := programs.Read("../../testdata/programs", "pricer", programs.Bench)
	require.NoError(t, err)
	plan := planOf(t, "pricer.apl", p.Source, cc)
	paths := regexp.MustCompile(`(?m)^      loop over groups: elements\n(        .*\n)+`).FindString(plan)
	require.NotEmpty(t, paths, plan)
	require.GreaterOrEqual(t, len(regexp.MustCompile(`vectors: (16|32|64) bytes`).FindAllString(paths, -1)), 18, paths)
	require.LessOrEqual(t, strings.Count(paths, "as the C compiler says"), 1, paths)
}
