// Package transcript holds tests to files of programs and what is said of them.
// In a file, cases are separated by blank lines: the lines of a program at
// column 0, then what it gives, behind tabs.
package transcript

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Check compares what give returns for each program of a file with what the
// file says, or rewrites the file where update is set. Newlines at the end of
// what is given do not count.
func Check(t *testing.T, file string, update bool, give func(program string) string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var out []string
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		program, expected := cut(block)
		given := strings.TrimRight(give(program), "\n")
		if !update && given != expected {
			t.Errorf("%sgives\n%s\n\nnot\n%s", program, given, expected)
		}
		out = append(out, program+"\t"+strings.ReplaceAll(given, "\n", "\n\t")+"\n")
	}
	if update {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(out, "\n")), 0o644))
	}
}

// cut returns the program of a case and what is expected of it.
func cut(block string) (program, expected string) {
	var lines []string
	for _, line := range strings.Split(block, "\n") {
		if rest, ok := strings.CutPrefix(line, "\t"); ok {
			lines = append(lines, rest)
		} else {
			program += line + "\n"
		}
	}
	return program, strings.Join(lines, "\n")
}
