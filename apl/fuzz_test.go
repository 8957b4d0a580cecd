package apl

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tailor-lang/tailor/internal/diag"
)

// FuzzParse requires of any bytes that the parser returns, and that what it
// accepts prints as source that parses to the same tree.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.apl")
	more, _ := filepath.Glob("../testdata/programs/*.apl")
	for _, file := range append(files, more...) {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{"x←1 ⋄ x[;1]f∘.+/[2]←⎕ARG", "{⍺⍺ ∇∇ ⍵⍵ ⍺}", "f←{⍝: a\n⍺←⊢\n⍺=0: 'a''b' ⋄ ∇ ⍬}\n", "(a(b c))+←1 ⋄ (2↑a)←b", "1E¯3J.5 5. ∘.×⍨", "g←{a←⍺⍺ ⋄ {⍵⍵ ⍵}}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		prog, err := Parse(diag.NewSource("t", string(text)))
		if err != nil {
			for _, e := range err.(diag.List) {
				e.Render()
			}
			return
		}
		printed := Text(prog)
		again, err := Parse(diag.NewSource("printed", printed))
		if err != nil {
			t.Fatalf("printed as\n%s\n%v", printed, err)
		}
		if !Equal(prog, again) {
			t.Fatalf("printed as\n%s\nis another tree", printed)
		}
	})
}
