package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
)

// TestReference runs the examples of docs/annotations.md and counts the verdicts
// of the programs.
func TestReference(t *testing.T) {
	const file = "../docs/annotations.md"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	parts := strings.Split(string(text), "```apl\n")
	out := parts[0]
	for _, part := range parts[1:] {
		program, rest, ok := strings.Cut(part, "```\n```text\n")
		require.True(t, ok, part)
		_, after, ok := strings.Cut(rest, "```\n")
		require.True(t, ok, part)
		out += "```apl\n" + program + "```\n```text\n" + verdict(program) + "```\n" + after
	}
	before, rest, _ := strings.Cut(out, "<!-- counts -->\n")
	_, after, _ := strings.Cut(rest, "<!-- end -->\n")
	out = before + "<!-- counts -->\n" + counts(t) + "<!-- end -->\n" + after
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out), 0o644))
		return
	}
	assert.Equal(t, string(text), out)
}

// counts returns a table of the verdicts of the programs.
func counts(t *testing.T) string {
	files, err := filepath.Glob("../testdata/programs/*.apl")
	require.NoError(t, err)
	table := "| program | annotations | claims | proved | at run time |\n|---|---|---|---|---|\n"
	var all, claims, good int
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		tree, err := apl.Parse(diag.NewSource(file, string(text)))
		require.NoError(t, err)
		r := Program(tree, infer.Options{})
		require.NoError(t, r.Errors.Err())
		proved, atRunTime, _ := r.Counts()
		for _, report := range r.Reports {
			assert.True(t, report.Reached, report.Name)
		}
		if len(r.Reports) > 0 {
			table += fmt.Sprintf("| %s | %d | %d | %d | %d |\n", filepath.Base(file), len(r.Reports), proved+atRunTime, proved, atRunTime)
		}
		all, claims, good = all+len(r.Reports), claims+proved+atRunTime, good+proved
		missing, err := infer.Schemes(tree, infer.Options{})
		require.NoError(t, err)
		assert.Empty(t, missing, "%s: a function without annotation", file)
	}
	assert.GreaterOrEqual(t, 10*good, 9*claims)
	return table + fmt.Sprintf("| all | %d | %d | %d | %d |\n", all, claims, good, claims-good)
}
