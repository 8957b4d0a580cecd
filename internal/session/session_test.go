package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
)

// transcript runs lines and returns what they show.
func transcript(t *testing.T, lines ...string) string {
	var out strings.Builder
	s := New(&out)
	for _, l := range lines {
		if s.Execute(t.Context(), l) != nil {
			out.WriteString("left\n")
		}
	}
	return out.String()
}

func TestValuesPersist(t *testing.T) {
	assert.Equal(t, "10 20 30   [int]1 · 3\n", transcript(t, "x←1 2 3", "x×10"))
	assert.Equal(t, "f : [κ]r → [κ]r\n2 4   [int]1 · 2\n", transcript(t, "f←{⍵×2}", "f 1 2"))
	assert.Equal(t, "7   [int]0\n", transcript(t, "a b←3 4", "a+b"))
	assert.Equal(t, "0 1 2   [int]1 · 3\n", transcript(t, "⎕IO←0", "⍳3"))
}

func TestAnnotationsAreChecked(t *testing.T) {
	out := transcript(t, "f←{1↓⍵} ⍝: <int>n → <int>n", "f 1 2 3")
	assert.Contains(t, out, "TYPE ERROR: the annotation of f does not hold")
	assert.Contains(t, out, "for n = 1: length: it is 0, not 1")
	assert.Contains(t, out, "unknown name: f")
	assert.Equal(t, "f : <int>n+1 → <int>n\n", transcript(t, "f←{1↓⍵} ⍝: <int>n+1 → <int>n"))
	assert.Equal(t, "g : [n,m]int → [n,k]int → [n,k]int   proved for m = n\n", transcript(t, "g←{⍺+.×⍵} ⍝: [n,m]int → [n,k]int → [n,k]int"))
	file := filepath.Join(t.TempDir(), "a.apl")
	require.NoError(t, os.WriteFile(file, []byte("f←{1↓⍵} ⍝: <int>n → <int>n\n"), 0o600))
	assert.Contains(t, transcript(t, "]load "+file, "]fns"), "for n = 1: length: it is 0, not 1")
}

func TestFailedLineChangesNothing(t *testing.T) {
	out := transcript(t, "x←1", "x←2 ⋄ 1÷0", "x")
	assert.Contains(t, out, "DOMAIN ERROR: division by zero")
	assert.True(t, strings.HasSuffix(out, "1   [int]0\n"), out)
}

func TestRedefinitionSaysWhatBroke(t *testing.T) {
	out := transcript(t, "f←{⍵+1}", "g←{f ⍵}", "g 3", "f←{⍵+1 2 3}", "g 1 2")
	assert.NotContains(t, out, "no longer works")
	out = transcript(t, "f←{⍵+1}", "f 1 2", "f←{⍵+1 2 3}")
	assert.Contains(t, out, "f no longer works as in  f 1 2\n")
	assert.Contains(t, out, "LENGTH ERROR")
}

func TestCommands(t *testing.T) {
	assert.Equal(t, "<int>3\n", transcript(t, "]type 1 2 3"))
	assert.Equal(t, "<int>3\n", transcript(t, ":t 1 2 3"))
	assert.Equal(t, "2 3\n", transcript(t, "]shape 2 3⍴0"))
	assert.Equal(t, "x            [int]0\n", transcript(t, "x←5", "]vars"))
	assert.Equal(t, "x            [int]0\n", transcript(t, "x←5", ")vars"))
	assert.Equal(t, "undone\n", transcript(t, "x←5", "]undo", ")vars"))
	assert.Equal(t, "clear ws\n", transcript(t, "x←5", ")clear", ")vars"))
	assert.Contains(t, transcript(t, "f←{⍵}", "]fns"), "f            f←{⍵}\n")
	assert.Contains(t, transcript(t, "]tail +/⍳5"), "print(")
	assert.Contains(t, transcript(t, "]laila +/?5⍴6"), "fun main()")
	assert.Contains(t, transcript(t, "]c +/?5⍴6"), "int main(")
	assert.Contains(t, transcript(t, "]ast 1+2"), "Dyadic")
	assert.Contains(t, transcript(t, "]time 1+2"), " ms, the best of 10\n")
	assert.Contains(t, transcript(t, "]help ⌽"), "3 2 1")
	assert.Contains(t, transcript(t, "]keys"), "`r ⍴")
	assert.Contains(t, transcript(t, "]nonsense"), "no command ]nonsense")
	for _, off := range []string{"]off", ")off", ":q"} {
		assert.Equal(t, "left\n", transcript(t, off))
	}
}

func TestHelpExamplesWork(t *testing.T) {
	for glyph := range examples {
		out := transcript(t, "]help "+glyph)
		assert.NotContains(t, out, "ERROR", glyph)
		assert.NotContains(t, out, "nothing is called", glyph)
	}
}

func TestSaveAndLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved.apl")
	transcript(t, "x←2 3⍴1.5 2 3", "s←'it''s'", "e←⍬", "f←{⍵×2}", "]save "+file)
	out := transcript(t, "]load "+file, "x", "f s≡'it''s'", "⍴e", "]r", "]undo")
	assert.Equal(t, "f : [κ]r → [κ]r\n1.5 2 3\n1.5 2 3\n[double]2 · 2 3\n2   [int]0\n0   [int]1 · 1\nf : [κ]r → [κ]r\nundone\n", out)
}

func TestStrandsAreShown(t *testing.T) {
	assert.Equal(t, "1  2 3  abc    (int, <int>2, <char>3)\n", transcript(t, "1 (2 3) 'abc'"))
	assert.Equal(t, " 1.5 2  ab    (<double>2, <char>2)\n", transcript(t, "x←(1.5 2)'ab'", "x"))
	assert.Equal(t, "3   [int]0\n 1 2  3 4    [i<2 → <int>2]\n", transcript(t, "⎕←3 ⋄ (1 2)(3 4)"))
}

// TestNestedTypes: nested arrays have types by their items, before and after they have
// values.
func TestNestedTypes(t *testing.T) {
	for _, c := range [][2]string{
		{"⍳¨⍳5", "[i<5 → <int>(i+1)]"},
		{"⍳¨¨⍳¨⍳5", "[i<5 → [j<i+1 → <int>(j+1)]]"},
		{"{⍵ ⍵⍴0}¨⍳9", "[i<9 → [i+1,i+1]int]"},
		{"' '(≠⊆⊢)'to be or not'", "[i<4 → [char]1]"},
		{"('ann' 31)('bob' 25)('eve' 47)", "[i<3 → (<char>3, int)]"},
		{"('ann' 31)'bob'", "((<char>3, int), <char>3)"},
		{"3 2⍴'ann' 31", "[i<3,j<2 → (<char>3, int)[j]]"},
		{"1 2 3∘.,4 5", "[i<3,j<2 → <int>2]"},
		{"↓3 4⍴⍳12", "[i<3 → <int>4]"},
		{"(3 4)'origin'", "(<int>2, <char>6)"},
		{"⊂⍳3", "⊂<int>3"},
		{",⊂⍳3", "[i<1 → <int>3]"},
		{"1 (2 3) (4 (5 6))", "(int, <int>2, (int, <int>2))"},
		{"⍳5", "<int>5"},
	} {
		assert.Equal(t, c[1]+"\n", transcript(t, "]type "+c[0]), c[0])
		assert.Equal(t, c[1]+"\n", transcript(t, "x←"+c[0], "]type x"), c[0])
	}
}

func TestColumnsAreKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved.apl")
	out := transcript(t, "x←{⍺ ⍵}⌸'abab'", "x", "x[;1]", "m←{⍵ ⍵⍴⍵}¨1+?1 1", "2⊃m", "]save "+file)
	assert.Equal(t, "a 1 3 \nb 2 4 \n[i<2,j<2 → (char, [int]1)[j]]\nab   [char]1 · 2\n2 2\n2 2\n[int]2 · 2 2\n"+
		"tailor: x cannot be saved: it is a nested array of a number of items that was not known\n", out)
}

func TestBox(t *testing.T) {
	assert.Equal(t, "Is ON -style=max\n┌→────┐\n│1 2 3│\n└~────┘\n[int]1 · 3\n", transcript(t, "]box on -style=max", "1 2 3"))
	assert.Equal(t, "Is ON -style=min\n1 2 3   [int]1 · 3\n", transcript(t, "]box on", "1 2 3"))
}

func TestLargeValuesAreElided(t *testing.T) {
	var out strings.Builder
	s := New(&out)
	s.Rows = 20
	require.NoError(t, s.Execute(t.Context(), "1000 1000⍴0"))
	assert.Less(t, strings.Count(out.String(), "\n"), 30)
	assert.Contains(t, out.String(), "[int]2 · 1000 1000 · 1000000 elements, not all shown")
}

func TestCompiledTarget(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed")
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(os.TempDir(), "tailor-repl-cache"))
	out := transcript(t, "]target c", "x←⍳3", "s←'abc'", "x+1", "⌽s")
	assert.Equal(t, "target c\n2 3 4   [int]1 · 3\ncba   [char]1 · 3\n", out)
}

func TestDeviceTarget(t *testing.T) {
	out := transcript(t, "]target opencl", "x←⍳3", "x+1", "1 2 3+4 5", "x[4+x]")
	if strings.Contains(out, "no OpenCL") || !strings.HasPrefix(out, "target opencl\n") {
		t.Skip(out)
	}
	assert.Contains(t, out, "2 3 4   [int]1 · 3\n")
	assert.Contains(t, out, "LENGTH ERROR")
	assert.Contains(t, out, "INDEX ERROR: index 5 is outside 1…3 on axis 1 [E0501]")
}

func TestEveryPrimitiveHasAnExample(t *testing.T) {
	for _, g := range apl.Glyphs {
		switch g.Class {
		case apl.FunctionGlyph, apl.MonadicGlyph, apl.DyadicGlyph:
			if strings.HasPrefix(g.Glyph, "⎕") {
				continue
			}
			assert.True(t, refused[g.Glyph] || len(examples[g.Glyph]) > 0, g.Glyph)
		}
	}
}

func TestStrandsAreKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved.apl")
	out := transcript(t, "x←(1 2)'abc'", "a b←x", "b", "y←x (3(4 5))", "≢y", "]vars", "]save "+file, "]clear", "]load "+file, "⊃⌽x")
	assert.Equal(t, "abc   [char]1 · 3\n2   [int]0\n"+
		"a            [int]1 · 2\nb            [char]1 · 3\nx            (<int>2, <char>3)\n"+
		"y            ((<int>2, <char>3), (int, <int>2))\n"+
		"4 definitions in "+file+"\nclear ws\nabc   [char]1 · 3\n", out)
}

func TestRedefinitionTypesWhatUsesIt(t *testing.T) {
	out := transcript(t, "f←{⍵+1}", "g←{2×f ⍵}", "g 1", "f←{⍵,1}", "f←{⍺+⍵}")
	assert.Contains(t, out, "g : [κ]r+1 → [κ]r+1   (was [κ]r → [κ]r)\n")
	assert.Contains(t, out, "g no longer works as in  g 1\n")
	assert.Contains(t, out, "VALUE ERROR: the function needs a left argument")
}
