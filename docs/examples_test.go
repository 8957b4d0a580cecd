package docs

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/plan"
	"github.com/tailor-lang/tailor/internal/play"
)

var update = flag.Bool("update", false, "rewrite what the examples of pages show")

// pages have examples with what they show below them.
var pages = []string{"index.md", "apl.md", "numpy.md", "reference.md", "types.md", "nested.md", "performance.md", "plots.md"}

// interpreted returns what a program shows, errors included.
func interpreted(source string) string {
	var out bytes.Buffer
	c := driver.New(diag.NewSource("", source+"\n"), driver.Options{Target: driver.Interp})
	if err := c.Interpret(&out, nil); err != nil {
		driver.Report(&out, err)
	}
	return out.String()
}

// typed returns the types of what a program defines.
func typed(source string) string {
	var out strings.Builder
	for _, t := range play.Check(source).Types {
		out.WriteString(t.Name + " : " + t.Type + "\n")
	}
	return out.String()
}

// planned returns the plan of a program, without what a C compiler says.
func planned(t *testing.T, source string) string {
	var out bytes.Buffer
	c := driver.New(diag.NewSource("program.apl", source+"\n"), driver.Options{Target: driver.OpenMP})
	require.NoError(t, plan.Write(&out, c, nil), source)
	return out.String()
}

// python returns what a program shows, or was said to show where NumPy is not there.
func python(t *testing.T, source, said string) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			out, err := exec.Command(name, "-c", "import numpy as np\n"+source).CombinedOutput()
			require.NoError(t, err, "%s\n%s", source, out)
			return string(out)
		}
	}
	return said
}

// TestExamples runs the examples of pages: below a fence of apl or python stand a fence of
// text, what it shows, one of types, and one of plan.
func TestExamples(t *testing.T) {
	for _, name := range pages {
		t.Run(name, func(t *testing.T) { examplesOf(t, name) })
	}
}

func examplesOf(t *testing.T, name string) {
	file, err := filepath.Abs(name)
	require.NoError(t, err)
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	const mark = "```"
	parts := strings.Split("\n"+string(page), "\n"+mark) // odd ones are fences
	require.Equal(t, 1, len(parts)%2, "a fence has no end")
	kind, program, below := "", "", false
	shown := 0
	for i := range parts {
		if i%2 == 0 {
			below = below && strings.TrimSpace(parts[i]) == ""
			continue
		}
		language, text, _ := strings.Cut(parts[i], "\n")
		if text != "" {
			text += "\n"
		}
		got := text
		switch {
		case language == "apl" || language == "python":
			assert.False(t, kind == "apl" && shown == 0, "nothing says what is shown by %s", program)
			kind, program, below, shown = language, strings.TrimSuffix(text, "\n"), true, 0
			continue
		case !below:
			continue
		case kind == "python" && language == "text":
			got = python(t, program, text)
		case language == "text":
			got = interpreted(program)
		case language == "types":
			got = typed(program)
		case language == "plan":
			got = planned(t, program)
		}
		shown++
		if *update {
			parts[i] = language + "\n" + strings.TrimSuffix(got, "\n")
			continue
		}
		assert.Equal(t, text, got, program)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(parts, "\n"+mark)[1:]), 0o600))
	}
}
