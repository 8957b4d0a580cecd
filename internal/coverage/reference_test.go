package coverage

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

// TestReference holds docs/reference.md to the tables.
func TestReference(t *testing.T) {
	const file = "../../docs/reference.md"
	want := Reference(sections(t), func(program string) string {
		var out bytes.Buffer
		c := driver.New(diag.NewSource("", program+"\n"), driver.Options{Target: driver.Interp})
		require.NoError(t, c.Interpret(&out, nil), program)
		return out.String()
	})
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o600))
	}
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "go test ./internal/coverage -update")
}

// TestMeanings demands a meaning for every form of a function or an operator, and no other.
func TestMeanings(t *testing.T) {
	said := map[string]bool{}
	for _, s := range sections(t)[:4] {
		for _, r := range s.Rows {
			said[r.Key] = true
			assert.NotEmpty(t, glyphOf(r.Key), r.Key)
			assert.True(t, meanings[r.Key].text != "" || unshown[r.Key] != "", "%s (%s) has no meaning", r.Form, r.Name)
		}
	}
	for key := range meanings {
		assert.True(t, said[key], "a meaning of no form: %s", key)
	}
}
