package inline

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/repo"
)

var update = flag.Bool("update", false, "write the verdicts into docs/fcl.md")

// checked returns what tailor check says of the bodies of a program.
func checked(t *testing.T, text string) string {
	tree, err := apl.Parse(diag.NewSource("a", text))
	require.NoError(t, err, text)
	all, errs := Check(tree)
	var b strings.Builder
	for _, v := range all {
		b.WriteString(v.String())
	}
	for _, e := range errs {
		b.WriteString(e.Span.String() + ": " + e.Kind().String() + ": " + e.Message + "\n")
		for _, n := range e.Notes {
			b.WriteString("  " + n.Message + "\n")
		}
	}
	if len(tree.Levels) > 0 {
		c := driver.New(tree.Source, driver.Options{})
		_, err := c.Plan(clgen.Options{Schedule: clgen.Groups})
		require.NoError(t, err)
		b.WriteString(strings.Join(c.Levels, "\n") + "\n")
	}
	return b.String()
}

// TestDocs checks the programs of docs/fcl.md that are APL.
func TestDocs(t *testing.T) {
	name := filepath.Join(repo.Root(), "docs", "fcl.md")
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	parts := strings.Split(string(page), "```apl\n")
	require.Greater(t, len(parts), 2)
	out := parts[0]
	for _, part := range parts[1:] {
		program, rest, _ := strings.Cut(part, "```\n```text\n")
		_, rest, ok := strings.Cut(rest, "```\n")
		require.True(t, ok, part)
		out += "```apl\n" + program + "```\n```text\n" + checked(t, program) + "```\n" + rest
	}
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(out), 0o644))
		return
	}
	assert.Equal(t, out, string(page))
}

// TestErrors walks bodies that are wrong. The place of the error is marked.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"f←{⍵} ⍝fcl: reverse ⍵ «⍵»":                                           `"reverse" takes 1 argument`,
		"f←{⍵} ⍝fcl: «revers» ⍵":                                              `there is no function or variable "revers"`,
		"f←{⍵} ⍝fcl: ⍵ |>«»\n\n":                                              `an expression is expected, not the end of the program`,
		"f←{⍵} «⍝fcl: fun g x = x»":                                           `the FCL body of f has no function "main"`,
		"f←{⍺+⍵} «⍝fcl: fun main x = x»":                                      `main of the FCL body of f takes 1 argument, and the dfn 2 arguments`,
		"f←{⍵} ⍝fcl: map (fn x => x«» \nf 1":                                  `")" is expected`,
		"f←{⍵} ⍝fcl: map «(+)» ⍵":                                             `argument 1 of "map" has type number -> number -> number`,
		"f←{⍵÷2} «⍝fcl: map (fn x => x + x) ⍵»":                               `the FCL body of f is [int] -> [int], but the dfn is [int]1 → <double>n`,
		"f←{⍝: [int]2 → int\n «⍝fcl: reduce (+) 0 ⍵»\n+/,⍵}":                  `the FCL body of f is forall 'a : NUM. ['a] -> Program<grid> 'a, but f : [int]2 → [int]0`,
		"f←{⍵} «⍝fcl: fun main x = length (map fst (fst x))»":                 `the FCL body of f is`,
		"«⍝fcl: reverse ⍵»\n+/1":                                              `⍝fcl: of nothing`,
		"+/1 «⍝fcl: reverse ⍵»":                                               `⍝fcl: of nothing`,
		"f←{g←{⍵ «⍝fcl: ⍵»\n}\ng ⍵}":                                          `⍝fcl: of nothing`,
		"k←3\nf←{⍵+k} «⍝fcl: map (fn x => x + 3) ⍵»":                          `the FCL body of f is`,
		"f←{⌽⍵} «⍝fcl: ⍵»\nf 1 2":                                             `the FCL body of f does not give`,
		"f←{+/⍵} «⍝fcl: reduce (+) 1 ⍵»":                                      `the FCL body of f does not give what the dfn gives`,
		"f←{⍉⍵} «⍝fcl: map2 (fn x => x + 1) ⍵»":                               `the FCL body of f does not give what the dfn gives`,
		"f←{⎕←⍵ ⋄ ⌽⍵} «⍝fcl: reverse ⍵»":                                      `f has effects`,
		"f←{⍵+?9} «⍝fcl: map (fn x => x + 1) ⍵»":                              `f has effects, or draws random numbers`,
		"f←{⌽⍵} «⍝fcl: generate (length ⍵) (fn i => index ⍵ (length ⍵ - i))»": `the FCL body of f does not give what the dfn gives`,
	} {
		start := strings.Index(text, "«")
		end := strings.Index(text, "»") - len("«")
		tree, err := apl.Parse(diag.NewSource("a", strings.NewReplacer("«", "", "»", "").Replace(text)))
		require.NoError(t, err, text)
		_, errs := Check(tree)
		if assert.Len(t, errs, 1, text) {
			assert.True(t, strings.HasPrefix(errs[0].Message, want), "%s\n%s", text, errs[0].Message)
			assert.Equal(t, [2]int{start, end}, [2]int{errs[0].Span.Start, errs[0].Span.End}, text)
			assert.Same(t, tree.Source, errs[0].Span.Src, text)
		}
	}
}

// TestCalls notes calls for which a body does not stand.
func TestCalls(t *testing.T) {
	assert.Equal(t, "f : [int]1 → [int]0   FCL agrees on 40 samples\n"+
		"f : [double]1 → [double]0   FCL agrees on 40 samples\n"+
		"f : [n,n]int → <int>n   called so: the FCL body is not for these types\n",
		checked(t, "f←{+/⍵} ⍝fcl: reduce (+) 0 ⍵\nf 1 2\nf 2 2⍴⍳4\n"))
}

// TestLibraryBodies checks bodies that use parameters of the library other than its tiles, and one whose matrix
// is taken apart.
func TestLibraryBodies(t *testing.T) {
	assert.Equal(t, "hist : [int]0 → [int]1 → [int]1   FCL agrees on 27 samples\n"+
		"sort : [int]1 → [int]1   FCL agrees on 40 samples\n"+
		"turn : [bool]2 → [bool]2   FCL agrees on 40 samples\n"+
		"turn : [int]2 → [int]2   FCL agrees on 40 samples\n"+
		"turn : [double]2 → [double]2   FCL agrees on 40 samples\n",
		checked(t, "hist←{+/(⍳⍺)∘.=⍵} ⍝fcl: histogram ⍺ (map (fn x => x - 1) ⍵)\n"+
			"sort←{⍵[⍋⍵]} ⍝fcl: radixSort 64 intKey ⍵\n"+
			"turn←{⍉⍵} ⍝fcl: let ((h, w), f) = ⍵ in ((w, h), fn (i, j) => f (j, i))\n"))
}

// TestInterpreted checks a body in a program of which other parts are interpreted, and one
// whose dfn calls another.
func TestInterpreted(t *testing.T) {
	for _, before := range []string{"x←⍎'1+2'\n", "g←{⍎⍵}\ng '3'\n", "⎕FX 'a←b' 'a←3'\n", "x←1 'a' (2 3)\nx\n", "h←{⌽⍵}\n"} {
		dfn := "f←{⌽⍵} ⍝fcl: reverse ⍵"
		if before[0] == 'h' {
			dfn = "f←{h ⍵} ⍝fcl: reverse ⍵"
		}
		assert.Contains(t, checked(t, before+dfn), "f : [int]1 → [int]1   FCL agrees on 40 samples\n", before)
	}
}

// TestSettings holds that what a program sets is so in its dfns.
func TestSettings(t *testing.T) {
	assert.Contains(t, checked(t, "⎕IO←0\nf←{⍵[0]} ⍝fcl: index ⍵ 0"), "f : [int]1 → [int]0   FCL agrees on")
	assert.Contains(t, checked(t, "⎕IO←0\nf←{⍵[0]} ⍝fcl: index ⍵ 1"), "does not give")
	assert.Contains(t, checked(t, "⎕IO←0 ⋄ ⎕CT←0\nf←{⍳⍵} ⍝fcl: iota ⍵"), "f : [int]0 → [int]1   FCL agrees on")
}

// TestSamples holds that a wrong case of one among several shapes is found.
func TestSamples(t *testing.T) {
	for _, text := range []string{
		"f←{⍵[1]} ⍝fcl: index ⍵ 1",
		"f←{+/⍵} ⍝fcl: reduce (+) 0 (take 16 ⍵)",
		"f←{⍺+⍵} ⍝fcl: zipWith (+) ⍵ (reverse ⍺)",
		"f←{⍉⍵} ⍝fcl: ⍵",
		"f←{∨/⍵} ⍝fcl: reduce (&&) true ⍵",
	} {
		assert.Contains(t, checked(t, text), "does not give what the dfn gives", text)
	}
}
