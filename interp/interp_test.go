package interp_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/interp"
)

// run returns what a program prints, and its error.
func run(name, source string) (string, error) {
	prog, err := apl.Parse(diag.NewSource(name, source))
	var list diag.List
	if errors.As(err, &list) {
		return "", list[0]
	}
	var out strings.Builder
	err = interp.Run(prog, &interp.Env{Stdout: &out})
	return out.String(), err
}

// TestPrograms runs the programs of testdata/programs.
func TestPrograms(t *testing.T) {
	here, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.Chdir("..")) // files are named from there
	defer os.Chdir(here)
	names, err := programs.Names("testdata/programs")
	require.NoError(t, err)
	for _, name := range names {
		p, err := programs.Read("testdata/programs", name, programs.Test)
		require.NoError(t, err)
		out, err := run(name+".apl", p.Source)
		require.NoError(t, err, name)
		require.Equal(t, p.Output, out, name)
	}
}
