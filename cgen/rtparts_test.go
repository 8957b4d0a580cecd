package cgen

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParts finds every function that tailor.h declares in a part, but for those that
// the target OpenCL alone has.
func TestParts(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^(?:_Noreturn )?[a-z]\w* \**(tl_\w+)\(.*\);`)
	count := 0
	for _, m := range declared.FindAllStringSubmatch(RunTime()["tailor.h"], -1) {
		count++
		require.NotEmpty(t, libraryIndex().files[m[1]], m[1])
	}
	require.Greater(t, count, 80)
}

// TestPartsOfPrograms looks for the parts of texts.
func TestPartsOfPrograms(t *testing.T) {
	for text, want := range map[string][]string{
		"int main(void) { return 0; }":       {"base.c"},
		"tl_display(&view)":                  {"base.c", "shown.c"},
		"x = tl_sortnothing()":               {"base.c"},
		"x = tl_gcdi(x, y); tl_index_of(a);": {"base.c", "numeric.c", "sets.c"},
		"tl_matinv(a, b)":                    {"base.c", "numeric.c", "algebra.c"},
	} {
		var got []string
		for _, p := range Parts(text) {
			got = append(got, p.File)
		}
		require.Equal(t, want, got, text)
	}
}
