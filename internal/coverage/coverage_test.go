package coverage

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/golden"
)

var update = flag.Bool("update", false, "rewrite docs/coverage.md and the count in README.md")

const (
	page   = "../../docs/coverage.md"
	readme = "../../README.md"
	from   = "<!-- coverage: go test ./internal/coverage -update -->\n"
	to     = "\n<!-- end of coverage -->"
)

func sections(t *testing.T) []Section {
	all, err := Sections("../../testdata/expr", "../../testdata/interp")
	require.NoError(t, err)
	return all
}

// TestDenominator holds the rows to Dyalog's table.
func TestDenominator(t *testing.T) {
	monadic, dyadic := Functions()
	require.Len(t, monadic, 39)
	require.Len(t, dyadic, 56)
	require.Len(t, operators, 22)
}

// TestCases demands a case for every row that is not refused.
func TestCases(t *testing.T) {
	for _, s := range sections(t) {
		for _, r := range s.Rows {
			if r.Status != Refused && r.Cases == 0 {
				t.Errorf("%s: %s (%s) is compiled, but no case under testdata/expr uses it", s.Title, r.Form, r.Name)
			}
			if r.Status == Refused && !refused[r.Key] && r.Interpreted == 0 {
				t.Errorf("%s: %s (%s) is interpreted, but no case under testdata/interp uses it", s.Title, r.Form, r.Name)
			}
		}
	}
}

// TestKeys demands that the tables speak of rows that there are.
func TestKeys(t *testing.T) {
	keys := map[string]bool{}
	for _, s := range sections(t) {
		for _, r := range s.Rows {
			require.False(t, keys[r.Key], "two rows of key %s", r.Key)
			keys[r.Key] = true
		}
	}
	for key := range limits {
		require.True(t, keys[key], "limits of no row: %s", key)
	}
	for key := range refused {
		require.True(t, keys[key], "no row is refused: %s", key)
		require.NotEmpty(t, limits[key], "nothing shows that %s is refused", key)
	}
}

// TestRefusals runs what is refused.
func TestRefusals(t *testing.T) {
	for key, list := range limits {
		for _, l := range list {
			o := golden.Evaluate(golden.Program{Name: "case.apl", Source: l.Source + "\n"})
			if o.Status == 0 {
				t.Errorf("%s: %s is no longer refused; it gives\n%s", key, l.Source, o.Stdout)
			} else if !strings.Contains(o.Stderr, l.Message) {
				t.Errorf("%s: %s\ngives %swithout %q", key, l.Source, o.Stderr, l.Message)
			}
		}
	}
}

// TestPage holds the page and the README to the tables, and the evaluator to the
// interpreter where arguments are nested.
func TestPage(t *testing.T) {
	all := sections(t)
	RunNested(all)
	for _, s := range all {
		for _, r := range s.Rows {
			require.Empty(t, r.Nested.Differs, "the interpreter and the evaluator differ")
		}
	}
	want := Page(all)
	intro, err := os.ReadFile(readme)
	require.NoError(t, err)
	before, rest, marked := strings.Cut(string(intro), from)
	_, after, ended := strings.Cut(rest, to)
	require.True(t, marked && ended, "README.md has no place for the count: %s…%s", from, to)
	wantReadme := before + from + Summary(all) + to + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		require.NoError(t, os.WriteFile(readme, []byte(wantReadme), 0o644))
		return
	}
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, want, string(got), "docs/coverage.md is stale: go test ./internal/coverage -update")
	require.Equal(t, wantReadme, string(intro), "README.md is stale: go test ./internal/coverage -update")
}
