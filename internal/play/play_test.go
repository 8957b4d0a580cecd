package play

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown returns what a program shows, an item a line: its kind and its text.
func shown(t *testing.T, programs ...string) (lines []string, items []Item) {
	p := New(func(i Item) {
		items = append(items, i)
		lines = append(lines, i.Kind+" "+strings.TrimSuffix(i.Text, "\n"))
	})
	for _, text := range programs {
		p.Run(t.Context(), text)
	}
	return lines, items
}

func TestRun(t *testing.T) {
	lines, items := shown(t, "f←{⍵×2}\nx←f 3\nx\n]type x", "x+1")
	assert.Equal(t, []string{"value 6", "note f : [κ]r → [κ]r", "output S(int,6)", "value 7"}, lines)
	assert.Equal(t, "[int]0", items[0].Type)
}

// Nested matrices, with types and without, come as tables.
func TestTables(t *testing.T) {
	for _, program := range []string{"3 2⍴'ann' 31 'bob' 25 'eve'(1 2)", "t←3 2⍴0 ⋄ t[1;]←'ann' 31 ⋄ t[2;]←'bob' 25 ⋄ t[3;]←'eve'(1 2) ⋄ t"} {
		_, items := shown(t, program)
		require.Len(t, items, 1, program)
		assert.Equal(t, [][]string{{"ann", "31"}, {"bob", "25"}, {"eve", "1 2"}}, items[0].Rows, program)
	}
	_, items := shown(t, "2 3⍴⍳6", "'abc' 1", "0 2⍴⊂1 2", "1 1 1⍴⊂'abc'")
	for _, i := range items {
		assert.Nil(t, i.Rows, i.Text)
	}
}

// Messages count in units of UTF-16, of which a character beyond 65535 has two.
func TestPlacesOfMessages(t *testing.T) {
	_, items := shown(t, "x←1\n]type x\n⍴'😀' ⋄ 1 2 3+4 5")
	m := items[len(items)-1].Messages
	require.Len(t, m, 1)
	assert.Equal(t, 3, m[0].Line)
	assert.Equal(t, units("x←1\n]type x\n⍴'😀' ⋄ 1 2 3"), m[0].Start)
}

func TestCheck(t *testing.T) {
	c := Check("a←1 2 3\nb←4 5\na+b")
	assert.Equal(t, "LENGTH ERROR: shapes 3 and 2 differ on axis 1", c.Messages[0].Text)
	assert.Equal(t, []int{3, 2, 15, 16}, []int{c.Messages[0].Line, c.Messages[0].Column, c.Messages[0].Start, c.Messages[0].End})
	c = Check("f←{+/⍵} ⍝: <double>n → double\ng←{⍵+1}\nx←2 3⍴0")
	assert.Equal(t, Checked{Status: "compiled", Messages: []Message{}, Types: []Typed{
		{"f", "<double>n → double   proved"}, {"g", "[κ]r → [κ]r"}, {"x", "[2,3]int"},
	}}, c)
	assert.Equal(t, "interpreted", Check("z←{⍵>2:⍵ ⋄ 'ab'}¨1 5").Status)
	assert.Equal(t, "refused", Check("f←{").Status)
	assert.Equal(t, "refused", Check("f←{1↓⍵} ⍝: <int>n → <int>n").Status)
}

func TestStages(t *testing.T) {
	for stage, want := range map[string]string{"ast": "Derived", "tail": "reduce(", "c": "int main(", "opencl": "__kernel"} {
		text, err := Stage("+/?1000⍴6", stage)
		require.NoError(t, err)
		assert.Contains(t, text, want)
	}
	_, err := Stage("1 2+3 4 5", "c")
	assert.ErrorContains(t, err, "LENGTH ERROR")
	_, err = Stage("z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "c")
	assert.ErrorContains(t, err, "the program is interpreted")
}

func TestNeitherFilesNorShell(t *testing.T) {
	for _, text := range []string{"⊃⎕NGET '/etc/hostname'", "'x' ⎕NPUT 'y'", "⎕SH 'ls'", "]load /etc/hostname", "]save x", "(⎕PLOT⍠'File' 'x.svg')1 2", "'n'⎕NTIE 0", "⎕NDELETE 'x'", "⎕MKDIR 'd'", "⎕CSV 'a.csv'", "⎕NPY 'a.npy'"} {
		lines, _ := shown(t, text)
		assert.Contains(t, strings.Join(lines, "\n"), noFiles, text)
	}
}

func TestCompletion(t *testing.T) {
	p := New(func(Item) {})
	p.Run(t.Context(), "temperature←20")
	from, found := p.Complete("1+temp")
	assert.Equal(t, 2, from)
	assert.Equal(t, []string{"temperature"}, found)
}
