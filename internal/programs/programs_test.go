package programs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestResize(t *testing.T) {
	text := "⍝ A program\nn←20 ⍝ size: test 20, bench 1200\nfile←'a.txt'  ⍝ size: test 'a.txt', bench 'b.txt'\nm←3\n"
	bench, values := Resize(text, Bench)
	require.Equal(t, []string{"1200", "b.txt"}, values)
	require.Equal(t, "⍝ A program\nn←1200 ⍝ size: test 20, bench 1200\nfile←'b.txt'  ⍝ size: test 'a.txt', bench 'b.txt'\nm←3\n", bench)
	test, values := Resize(bench, Test)
	require.Equal(t, text, test)
	require.Equal(t, []string{"20", "a.txt"}, values)
}

func TestAllProgramsHaveOutputs(t *testing.T) {
	dir := "../../testdata/programs"
	names, err := Names(dir)
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		for _, size := range []Size{Test, Bench} {
			p, err := Read(dir, name, size)
			require.NoError(t, err)
			require.NotEmpty(t, p.Sizes, name)
		}
	}
}
