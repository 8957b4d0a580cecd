package infer

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// compile returns the program for a source text.
func compile(name, text string) (*tail.Program, error) {
	p, err := apl.Parse(diag.NewSource(name, text))
	if err != nil {
		return nil, err
	}
	return Program(p, Options{})
}

func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("../testdata/programs/*.apl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			_, err = compile(filepath.Base(f), string(text))
			require.NoError(t, err)
		})
	}
}
