package check

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
)

var update = flag.Bool("update", false, "rewrite the expected output under testdata")

// golden runs the cases of a file: programs at column 0, separated by blank
// lines; what they give behind a tab.
func golden(t *testing.T, file string, give func(source string) string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var out strings.Builder
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		var source, expected []string
		for _, line := range strings.Split(block, "\n") {
			if rest, ok := strings.CutPrefix(line, "\t"); ok {
				expected = append(expected, rest)
			} else {
				source = append(source, line)
			}
		}
		program := strings.Join(source, "\n") + "\n"
		given := strings.TrimRight(give(program), "\n")
		if !*update && given != strings.Join(expected, "\n") {
			t.Errorf("%sgives\n%s\n\nnot\n%s", program, given, strings.Join(expected, "\n"))
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(program)
		for _, line := range strings.Split(given, "\n") {
			out.WriteString("\t" + line + "\n")
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
}

// verdict checks a program and returns what users see.
func verdict(source string) string {
	tree, err := apl.Parse(diag.NewSource("a", source))
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	r := Program(tree, infer.Options{})
	r.WriteLines(&out)
	for _, e := range r.Errors {
		out.WriteString(e.Headline() + "\n")
		for _, n := range e.Notes {
			out.WriteString("  " + n.Message + "\n")
		}
	}
	return out.String()
}

// TestVerdicts holds verdicts to the golden file.
func TestVerdicts(t *testing.T) { golden(t, "testdata/verdicts.txt", verdict) }

// TestStrangers holds the verdicts on annotations as people write them who know
// the reference page only, right and wrong ones.
func TestStrangers(t *testing.T) { golden(t, "testdata/strangers.txt", verdict) }
