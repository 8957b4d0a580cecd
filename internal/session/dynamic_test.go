package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLinesWithoutTypesAreInterpreted(t *testing.T) {
	assert.Equal(t, " small  5   dynamic · 2\n5   [int]0\n",
		transcript(t, "z←{⍵>2:⍵ ⋄ 'small'}¨1 5", "z", "+/z[2]"))
	assert.Equal(t, "6   [int]0\n", transcript(t, "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5 ⋄ k←≢z", "k×3"), "simple values are typed again")
	assert.Equal(t, " ab  5 1 2 3   dynamic · 5\n", transcript(t, "x←⍳3", "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "z,x"), "typed values are seen")
	assert.Equal(t, "dynamic\n", transcript(t, "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "]type z"))
	assert.Contains(t, transcript(t, "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "]vars"), "dynamic · 2")
}

func TestFunctionsOfDynamicValues(t *testing.T) {
	assert.Equal(t, "f : dynamic function\n1  ab  5   dynamic · 3\n",
		transcript(t, "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "f←{⍵,z}", "f 1"))
	assert.Equal(t, "f : monadic function\n9 3  ab    dynamic · 3\n", transcript(t, "f←{⍵>2:⍵ ⋄ 'ab'}", "9,f¨3 1"))
	assert.Equal(t, "8   [int]0\nh : [κ]r → [κ]r\n10   [int]0\n", transcript(t, "(h←{⍵×2})4", "h 5"))
}

func TestInterpretedLinesSeeColumns(t *testing.T) {
	out := transcript(t, "x←{⍺ ⍵}⌸'abab'", "m←{⍵⍴⍵}¨2+?1 1", "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "z,x[1;]", "z,m")
	assert.Equal(t, " ab  5 a 1 3    dynamic · 4\n ab  5  3 3 3  3 3 3    dynamic · 4\n", out)
	out = transcript(t, "x←' '(≠⊆⊢)(×⎕TS[1])↓'a'", "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "z,x", "≡⊃0⍴x,z")
	assert.Equal(t, " ab  5   dynamic · 2\n1   [int]0\n", out, "words of which there are none")
}

func TestFunctionsAreDisplayed(t *testing.T) {
	assert.Equal(t, "+/\n", transcript(t, "+/"))
	assert.Equal(t, "f : [κ]r → [κ]r\n{⍵+1}\n", transcript(t, "f←{⍵+1}", "f"))
}

func TestFailedInterpretedLineChangesNothing(t *testing.T) {
	out := transcript(t, "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "z←1 ⋄ {⍵>2:⍵ ⋄ ÷0}¨1 'a'", "z")
	assert.Contains(t, out, "DOMAIN ERROR")
	assert.Contains(t, out, " ab  5   dynamic · 2\n")
	assert.Contains(t, transcript(t, "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "z←{⍵>2:⍵ ⋄ 'cde'}¨1 5", "]undo", "z"), " ab  5   dynamic")
}

func TestDynamicValuesAreSaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.apl")
	transcript(t, "z←{⍵>2:⍵ ⋄ 'ab'}¨1 5", "]save "+file)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "z←('ab')(5)\n", string(text))
	require.NoError(t, os.WriteFile(file, []byte("z←{⍵>2:⍵ ⋄ 'ab'}¨1 5\nf←{⍵,z}\n"), 0o600))
	assert.Contains(t, transcript(t, "]load "+file, "f 1"), "1  ab  5   dynamic · 3\n")
}

func TestMembersOfArraysOfNamespaces(t *testing.T) {
	out := transcript(t, "a b←⎕NS¨'' ''", "s←a b", "s.(p q)←⎕NS¨¨2⍴⊂'' ''", "s.(p q).n←⊂1 2", "s.(p q).n", "a.f←{⍵} ⋄ b.f←{-⍵}", "s.f 3 4", "s.p")
	assert.Equal(t, " 1 2  1 2    dynamic · 2\n3 ¯4   [int]1 · 2\n #.[Namespace]  #.[Namespace]    dynamic · 2\n", out)
}
