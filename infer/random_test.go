package infer

import (
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail/eval"
)

// randomAPL writes random expressions: most are refused or fault, and none may
// end in an internal error.
type randomAPL struct{ *rand.Rand }

func (r randomAPL) pick(of string) string {
	all := strings.Fields(of)
	return all[r.IntN(len(all))]
}

func (r randomAPL) atom() string {
	return r.pick(`0 1 5 2.5 ¯3 'a' 'abc' ⍬ (,4) (1·2·3) (0·1·1) (1.5·2) (2·3⍴⍳6) (3·3⍴0·1) (2·2⍴1.5) (2·2·2⍴⍳8) (⍳0) (0·3⍴0) (2·3⍴'abcdef') ((1·2)(3·4)) ((1·2)5) v m (⍳n) n`)
}

func (r randomAPL) function(depth int) string {
	if depth > 0 && r.IntN(4) == 0 {
		f := r.function(depth - 1)
		switch r.IntN(14) {
		case 0, 1:
			return f + r.pick(`/ ⌿ \ ⍀ ¨ ⍨`)
		case 2:
			return "∘." + f
		case 3:
			return f + "." + r.function(depth-1)
		case 4:
			return f + "⍤" + r.pick("0 1 ¯1 2 0·1")
		case 5:
			return f + "⍣" + r.pick("0 1 2 3 n")
		case 6:
			return "(" + f + " " + r.function(depth-1) + ")"
		case 7:
			return "(" + f + " " + r.function(depth-1) + " " + r.function(depth-1) + ")"
		case 8:
			return f + "∘" + r.function(depth-1)
		case 9:
			return "{" + r.expr(depth-1, true) + "}"
		case 10:
			return "g"
		case 11:
			return f + "⍥" + r.function(depth-1)
		case 12:
			return f + "[" + r.pick("1 2 0.5") + "]"
		default:
			return "(" + f + "@" + r.pick("1 2 (1·2)") + ")"
		}
	}
	return r.pick(`+ - × ÷ * ⍟ | ⌊ ⌈ ! ○ ∧ ∨ ⍲ ⍱ < ≤ = ≥ > ≠ ~ ? ⍴ , ⍪ ⌽ ⊖ ⍉ ↑ ↓ ⊃ ⊂ ⌷ / ⌿ \ ⍀ ∊ ⍳ ⍸ ⍷ ∪ ∩ ≡ ≢ ⊥ ⊤ ⌹ ⍕ ⊢ ⊣ ⍋ ⍒`)
}

func (r randomAPL) expr(depth int, dfn bool) string {
	if depth <= 0 || r.IntN(6) == 0 {
		if dfn && r.IntN(2) == 0 {
			return r.pick("⍵ ⍺")
		}
		return r.atom()
	}
	y := r.expr(depth-1, dfn)
	switch r.IntN(8) {
	case 0:
		return "(" + y + ")[" + r.pick("1 2 (1·2) 1;2 ;1 ;") + "]"
	case 1, 2:
		return r.function(2) + " " + y
	case 3:
		return "(" + r.expr(depth-1, dfn) + ")" + r.function(2) + " " + y
	}
	return r.atom() + " " + r.function(2) + " " + y
}

func (r randomAPL) program() string {
	text := "n←3\nv←⍳n\nm←2 3⍴1.5\ng←{⍺←2 ⋄ ⍵≡0:⍵ ⋄ ⍺+⍵}\nh←{⍵≤0:0 ⋄ 1+∇ ⍵-1}\n"
	switch r.IntN(12) {
	case 0:
		text += "f←{" + r.pick("⍵ (⍴⍵) (≢⍵) (+/,⍵)") + r.pick("> = ≥") + "20:⍵·⋄·∇·" + r.pick("1 n ⍵ (≢⍵)") + r.pick("+ , × ⌈") + "⍵}\nf " + r.atom() + "\n"
	case 1:
		text += "({" + r.expr(2, true) + "}⍣" + r.pick("2 n 5 {30<+/,⍺}") + ")" + r.atom() + "\n"
	case 2:
		text += r.atom() + "({" + r.expr(2, true) + "}⍣n)" + r.atom() + "\n"
	case 3:
		text += "f←{a←" + r.expr(1, true) + "·⋄·a[" + r.pick("1 ≢a n") + "]" + r.pick("← +← ×←") + r.expr(1, true) + "·⋄·" + r.pick("a +/a a∘.×a ⍵,a") + "}\nf " + r.atom() + "\n" + r.atom() + " f " + r.atom() + "\n"
	case 4:
		text += "{" + r.expr(2, true) + "}" + r.pick("⌸ ⌺3⊢ ⌺3·3⊢ ¨ ⍤1⊢ ⍤0⊢ / \\ ⌿ @2⊢") + r.atom() + "\n"
	case 5:
		text += "op←{⍺⍺ ⍵⍵ ⍵·" + r.function(0) + "·⍺⍺ ⍵}\n" + r.function(1) + " op " + r.function(1) + " " + r.atom() + "\n"
	case 6:
		text += "x←" + r.expr(2, false) + "\nx[" + r.pick("1 2 1;2 ;1") + "]" + r.pick("← +← ×←") + r.expr(1, false) + "\nx\n"
	case 7:
		text += "f←{" + r.expr(3, true) + "}\n" + r.expr(1, false) + " f " + r.expr(1, false) + "\n"
	default:
		text += r.expr(3, false) + "\n"
	}
	return strings.ReplaceAll(text, "·", " ")
}

func TestRandom(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 300
	}
	saved := patience
	patience = 30 * time.Millisecond
	defer func() { patience = saved }()
	r := randomAPL{rand.New(rand.NewPCG(1, seed()))}
	ran := 0
	for range n {
		text := r.program()
		_, err := evaluate("random", text)
		var list diag.List
		var one *diag.Error
		switch {
		case err == nil:
			ran++
		case errors.Is(err, eval.ErrInterrupted):
		case errors.As(err, &list), errors.As(err, &one):
		default:
			t.Errorf("%s%v", text, err)
		}
	}
	t.Logf("%d of %d programs ran", ran, n)
}

// seed returns INFER_SEED, or 2.
func seed() uint64 {
	n, err := strconv.ParseUint(os.Getenv("INFER_SEED"), 10, 64)
	if err != nil {
		return 2
	}
	return n
}
