package apl

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/tailor-lang/tailor/internal/diag"
)

// vocabulary are the tokens of random sources, common ones repeatedly.
var vocabulary = strings.Fields(`x x x y a b f f g mop dop new + + - / / \ ⌿ ¨ ⍨ ∘ . . ⍤ ⍣ @ ⌸
 ( ( ( ) ) ) { { { } } } [ [ ] ] ; ← ← ← ⋄ ⋄ ⍺ ⍺ ⍵ ⍵ ⍵ ⍺⍺ ⍵⍵ ∇ ∇∇ : 1 2 1.5 ¯3 5. .5 3J4 1E6 'a' 'bc' '' ⍬
 ⎕ ⎕ ⎕IO ⎕UCS ⎕A ⍞ ↑ ⍴ , ≡ ⊢ →`)

// randomSource returns up to n random tokens in which brackets match, behind
// definitions of some names.
func randomSource(r *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("x←y←a←b←1 ⋄ f←{⍵} ⋄ g←+ ⋄ mop←{⍺⍺ ⍵} ⋄ dop←{⍺⍺ ⍵⍵ ⍵}\n")
	var open []string
	for range 1 + r.Intn(n) {
		switch t := vocabulary[r.Intn(len(vocabulary))]; t {
		case "(", "[", "{":
			open = append(open, map[string]string{"(": ")", "[": "]", "{": "}"}[t])
			b.WriteString(t)
		case ")", "]", "}":
			if k := len(open) - 1; k >= 0 {
				b.WriteString(open[k])
				open = open[:k]
			}
		default:
			if r.Intn(3) > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(t)
		}
	}
	for k := len(open) - 1; k >= 0; k-- {
		b.WriteString(open[k])
	}
	return b.String()
}

// TestRandomSources parses random tokens: no panic, and what parses prints as
// source of the same tree.
func TestRandomSources(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	n, parsed := 60000, 0
	if testing.Short() {
		n = 5000
	}
	for range n {
		text := randomSource(r, 12)
		prog, err := Parse(diag.NewSource("t", text))
		if err != nil {
			for _, e := range err.(diag.List) {
				e.Render()
			}
			continue
		}
		parsed++
		Dump(discard{}, prog)
		printed := Text(prog)
		again, err := Parse(diag.NewSource("printed", printed))
		if err != nil {
			t.Fatalf("%s\nprinted as\n%s\n%v", text, printed, err)
		}
		if !Equal(prog, again) {
			t.Fatalf("%s\nprinted as\n%s\nis another tree", text, printed)
		}
		for _, s := range prog.Body {
			if def, ok := s.(*OperatorDef); ok {
				if d, ok := def.Op.(*Dop); ok {
					for k := range 4 {
						d.Reading(k&1 > 0, k&2 > 0)
					}
				}
			}
		}
	}
	t.Logf("%d of %d parse", parsed, n)
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
