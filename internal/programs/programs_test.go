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

func TestLarge(t *testing.T) {
	text := "n←20 ⍝ size: test 20, bench 1200\nsteps←10 ⍝ size: test 10, bench 100, large 1000\n"
	large, values := Resize(text, Large)
	require.Equal(t, []string{"1200", "1000"}, values)
	require.Equal(t, "n←1200 ⍝ size: test 20, bench 1200\nsteps←1000 ⍝ size: test 10, bench 100, large 1000\n", large)
	require.True(t, HasLarge("../../testdata/programs", "life"))
	require.False(t, HasLarge("../../testdata/programs", "sort"))
}

func TestAllProgramsHaveOutputs(t *testing.T) {
	dir := "../../testdata/programs"
	names, err := Names(dir)
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		sizes := []Size{Test, Bench}
		if HasLarge(dir, name) {
			sizes = append(sizes, Large)
		}
		for _, size := range sizes {
			p, err := Read(dir, name, size)
			require.NoError(t, err)
			require.NotEmpty(t, p.Sizes, name)
		}
	}
}
