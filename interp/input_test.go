package interp_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp"
)

// TestInput runs programs that read lines.
func TestInput(t *testing.T) {
	for _, c := range []struct{ program, input, output, fault string }{
		{"r←⍞ ⋄ ⌽r", "abc\n", "cba\n", ""},
		{"⍞←'OPTION : ' ⋄ r←⍞ ⋄ ≢r", "INPUT\n", "OPTION : 14\n", ""},
		{"⍞←'a' ⋄ ⎕←1 ⋄ ⍞", "b\n", "a1\nb\n", ""},
		{"⍞,⍞", "one\ntwo", "twoone\n", ""},
		{"10×⎕+2", "⍳3\n", "⎕:\n30 40 50\n", ""},
		{"x←5 ⋄ 2+⎕", "x\n", "⎕:\n7\n", ""},
		{"⎕", "→\n", "⎕:\n", ""},
		{"1\n⍞\n2", "", "1\n", "the input has ended"},
		{"{0::'caught' ⋄ ⍞}0", "", "", "the input has ended"},
		{"{1003::'caught' ⋄ ⍞}0", "", "caught\n", ""},
	} {
		prog, err := apl.Parse(diag.NewSource("case.apl", c.program))
		require.NoError(t, err, c.program)
		var out strings.Builder
		err = interp.Run(prog, &interp.Env{Stdout: &out, Stdin: strings.NewReader(c.input)})
		require.Equal(t, c.output, out.String(), c.program)
		if c.fault == "" {
			require.NoError(t, err, c.program)
		} else {
			require.ErrorContains(t, err, c.fault, c.program)
		}
	}
}

// TestSessions runs programs that ask for input.
func TestSessions(t *testing.T) {
	names, err := filepath.Glob("../testdata/interp/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		parts := map[string]string{}
		for _, f := range archive.Files {
			parts[f.Name] = string(f.Data)
		}
		prog, err := apl.Parse(diag.NewSource(name, parts["program"]))
		require.NoError(t, err)
		var out strings.Builder
		require.NoError(t, interp.Run(prog, &interp.Env{Stdout: &out, Stdin: strings.NewReader(parts["input"])}), name)
		require.Equal(t, parts["output"], out.String(), name)
	}
}

// TestConfined lets a program use files of a directory only.
func TestConfined(t *testing.T) {
	dir := t.TempDir()
	run := func(program string, a interp.Access) error {
		prog, err := apl.Parse(diag.NewSource("case.apl", program))
		require.NoError(t, err, program)
		return interp.Run(prog, &interp.Env{Stdout: &strings.Builder{}, Access: a})
	}
	inside := interp.Access{Dir: dir}
	require.NoError(t, run("'x' ⎕NPUT '"+dir+"/a'", inside))
	require.NoError(t, run("⎕NGET '"+dir+"/a'", inside))
	for _, p := range []string{"⎕NGET '" + dir + "/../x'", "⎕CSV '/etc/passwd'", "⎕NINFO '/etc'", "⎕NPY '/x.npy'"} {
		require.ErrorContains(t, run(p, inside), "may not be read", p)
	}
	for _, p := range []string{"'x' ⎕NPUT '/tmp/x'", "'/tmp/x'⎕NCREATE 0", "⎕MKDIR '/tmp/x'", "⎕NDELETE '/tmp/x'", "'/tmp/x'⎕NCOPY '" + dir + "/a'"} {
		require.ErrorContains(t, run(p, inside), "may not be written", p)
	}
	require.NoError(t, run("⎕NEXISTS '/etc/passwd'", interp.Access{Dir: dir, Read: true}))
	require.ErrorContains(t, run("⎕SH 'true'", inside), "--allow-shell")
	require.NoError(t, run("⎕SH 'true'", interp.Access{Shell: true}))
}
