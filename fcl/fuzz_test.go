package fcl

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/compile"
	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/repo"
)

// FuzzLoad infers the types of any text, and compiles what has one: an error is a
// diagnostic, never a panic.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(repo.Root(), "testdata", "fcl", "*.fcl"))
	require.NoError(f, err)
	f.Add(lib.Source)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	for _, u := range libraryUses {
		f.Add(u.main)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Load(diag.NewSource("a", text))
		if err != nil {
			require.IsType(t, &diag.Error{}, err, text)
			return
		}
		var plan *compile.Plan
		if plan, err = p.Kernels(nil, small); err != nil {
			require.IsType(t, &diag.Error{}, err, text)
			return
		}
		require.NotEmpty(t, plan.Text(), text)
	})
}
