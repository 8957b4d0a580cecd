package coverage

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/golden"
)

// nestedArgument is a nested array of which only the run knows the lengths.
type nestedArgument struct{ name, made string }

// nestedArguments are vectors of numbers, texts, vectors of vectors, and a matrix of
// vectors.
var nestedArguments = []nestedArgument{
	{"a", "a←n⍴¨⊂1 2 3"}, {"t", "t←n↑¨⊂'abc'"}, {"b", "b←{(⍳⍵)⍴¨⊂4 5}¨n"}, {"m", "m←(2,≢n)⍴⍳¨n,n"},
}

// besideNested are left arguments of functions for a nested right one, Y.
var besideNested = []string{"1", "2", "0 1 1", "1 0 1", "Y", "⌽Y", "(⊂⊃Y)", "2 2", "(2 2⍴1 0 0 1)"}

// nestedForms are uses of operators and syntax with a nested array Y.
var nestedForms = map[string][]string{
	"f/": {",/Y", "+/Y", "⊃{⍵,⍺}/Y", "⊃{(≢⍺)>≢⍵:⍺ ⋄ ⍵}/Y"}, "f⌿": {",⌿Y", "⍪⌿Y"}, "f\\": {",\\Y", "{⌽⍵}\\Y"}, "f⍀": {",⍀Y"},
	"f¨": {"≢¨Y", "⌽¨Y", "{⍵,1↑⍵}¨Y", "Y,¨⌽Y", "Y,¨1", "{⍵ ⍵}¨Y"}, "f⍨": {",⍨Y", "1↓⍨Y"}, "a⍨": {"Y⍨1"},
	"f⌸":  {"{≢⍵}⌸Y", "{⊂⍺⍵}⌸Y", "(≢¨Y){⊂⍵}⌸Y", "(≢¨Y){≢⍵}⌸Y"},
	"f⍣g": {"(⌽⍣2)Y", "({1↓⍵}⍣2)Y", "({⍵,⊂⌽⊃⍵}⍣2)Y"}, "f.g": {"Y∧.≡Y", "1 1 1+.×Y"}, "∘.f": {"Y∘.≡Y", "Y∘.,Y", "Y∘.{≢⍺,⍵}Y"},
	"f∘g": {"≢∘⌽Y", "Y,∘⌽Y"}, "a∘f": {"1∘↓Y", "(⍳∘Y)Y"}, "f⍤g": {"(≢⍤⌽)Y", "Y(≢⍤,)Y"}, "f⍤a": {"(≢⍤0)Y", "(⌽⍤1)Y", "(⊂⍤1)Y"},
	"f⍥g": {"Y,⍥⌽Y", "Y≡⍥≢Y"}, "f⍛g": {"Y⌽⍛,Y"}, "f@a": {"(⌽@1)Y", "(⊂9 9)@2⊢Y", "(⌽¨@1 2)Y"}, "f⌺a": {"{⊂⍵}⌺3⊢Y", "{≢⍵}⌺3⊢Y"},
	"n/": {"2,/Y", "2{≢⍺,⍵}/Y", "2≡/Y"}, "n⌿": {"2,⌿Y"},
	"strand": {"Y Y", "Y 1"}, "index": {"Y[1 2]", "Y[⍋≢¨Y]", "Y[2;]", "Y[;1]"}, "modified": {"z←Y ⋄ z,←Y ⋄ z", "z←Y ⋄ z,←⊂1 2 ⋄ z"},
	"indexed": {"z←Y ⋄ z[1]←⊂9 9 ⋄ z", "z←Y ⋄ z[2 1]←Y[1 2] ⋄ z", "z←Y ⋄ z[1;2]←⊂9 9 ⋄ z"}, "indexed modified": {"z←Y ⋄ z[1],←9 ⋄ z", "z←Y ⋄ z[1 2],←⊂1 ⋄ z"},
	"selective": {"z←Y ⋄ (2↑z)←⌽2↑z ⋄ z", "z←Y ⋄ (1⊃z)←9 9 ⋄ z"}, "multiple": {"(p q)←2↑Y ⋄ q p"},
	"⎕←": {"⎕←Y"}, "guard": {"{0=≢⍵:⍵ ⋄ 1↓⍵}Y"}, "recursion": {"{2>≢⍵:⍵ ⋄ ∇1↓⍵}Y", "{9<≢,⍵:⍵ ⋄ ∇⍵,⊂⌽⊃⍵}Y"},
}

// Nested says how much of a form is compiled for nested arguments: how many of the uses that
// the interpreter gives a result for, and the first one of the others.
type Nested struct {
	Uses, Compiled int
	Refused        string
	Differs        string // what the interpreter and the evaluator give, where it is not the same
}

func (n Nested) String() string {
	switch {
	case n.Uses == 0:
		return ""
	case n.Compiled == n.Uses:
		return "yes"
	case n.Compiled == 0:
		return "no"
	}
	return fmt.Sprintf("%d of %d, not `%s`", n.Compiled, n.Uses, cell(n.Refused))
}

// nestedUses are the uses of a row with nested arguments.
func nestedUses(r Row) []string {
	glyph := strings.TrimLeft(r.Key, "12")
	switch known := nestedForms[r.Key]; {
	case known != nil:
		return known
	case glyph == r.Key || glyph == "?" || glyph == "⍎" || apl.LookupGlyph(glyph) == nil:
		return nil
	case r.Key[0] == '1':
		return []string{glyph + "Y"}
	}
	var all []string
	for _, x := range besideNested {
		all = append(all, x+glyph+"Y")
	}
	return append(all, "Y"+glyph+"1", "Y"+glyph+"1 2")
}

// nestedSource is a program that makes nested arguments and uses them.
func nestedSource(use string, made ...nestedArgument) string {
	text := "n←(¯1+?1)↓2 0 3\n"
	for _, a := range made {
		text += a.made + "\n"
	}
	return text + use
}

// RunNested runs the uses of all rows with nested arguments in the interpreter and in the
// evaluator.
func RunNested(all []Section) {
	for _, s := range all {
		for i := range s.Rows {
			s.Rows[i].Nested = ofNested(s.Rows[i])
		}
	}
}

// ofNested runs the uses of a row.
func ofNested(r Row) (n Nested) {
	for _, form := range nestedUses(r) {
		for _, y := range nestedArguments {
			use := strings.ReplaceAll(form, "Y", y.name)
			p := golden.Program{Name: "case.apl", Source: nestedSource(use+"\n", y)}
			want := golden.Interpret(p)
			if want.Status != 0 {
				continue
			}
			n.Uses++
			switch got := golden.Evaluate(p); {
			case got.Status == 0 && golden.Agree(want, got):
				n.Compiled++
			case got.Status == 0:
				n.Differs = use + "\n" + want.Stdout + got.Stdout
			case n.Refused == "":
				n.Refused = use
			}
		}
	}
	return n
}
