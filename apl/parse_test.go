package apl

import (
	"strings"
	"testing"

	"github.com/tailor-lang/tailor/internal/diag"
)

// roundTrip parses, prints, parses again and compares.
func roundTrip(t *testing.T, text string) *Program {
	t.Helper()
	prog, err := Parse(diag.NewSource("t", text))
	if err != nil {
		t.Errorf("%s\n%v", text, err)
		return nil
	}
	printed := Text(prog)
	again, err := Parse(diag.NewSource("printed", printed))
	if err != nil {
		t.Errorf("%s\nprinted as\n%s\n%v", text, printed, err)
		return nil
	}
	if !Equal(prog, again) {
		t.Errorf("%s\nprinted as\n%s\nis another tree", text, printed)
	}
	if twice := Text(again); twice != printed {
		t.Errorf("printed differently:\n%s\n%s", printed, twice)
	}
	return prog
}

// shape returns an expression with every binding in brackets:
// (x f y), (f y), <f op g>, fork and atop <f g h>, strand ‹a b›.
func shapeOf(n Node) string {
	operand := func(o Operand) string {
		if o.Func != nil {
			return shapeOf(o.Func)
		}
		return shapeOf(o.Array)
	}
	list := func(items []Expr) string {
		var parts []string
		for _, x := range items {
			if x == nil {
				parts = append(parts, "")
			} else {
				parts = append(parts, shapeOf(x))
			}
		}
		return strings.Join(parts, ";")
	}
	switch n := n.(type) {
	case *Monadic:
		return "(" + shapeOf(n.F) + " " + shapeOf(n.Y) + ")"
	case *Dyadic:
		return "(" + shapeOf(n.X) + " " + shapeOf(n.F) + " " + shapeOf(n.Y) + ")"
	case *Paren:
		return shapeOf(n.X)
	case *ParenFunc:
		return shapeOf(n.F)
	case *Strand:
		return "‹" + list(n.Items) + "›"
	case *Index:
		return shapeOf(n.X) + "[" + list(n.Items) + "]"
	case *Axis:
		return shapeOf(n.F) + "[" + shapeOf(n.Axis) + "]"
	case *Derived:
		s := "<" + operand(n.Left) + " " + Text(n.Op)
		if n.Right != (Operand{}) {
			s += " " + operand(n.Right)
		}
		return s + ">"
	case *Fork:
		return "<" + operand(n.F) + " " + shapeOf(n.G) + " " + shapeOf(n.H) + ">"
	case *Atop:
		return "<" + shapeOf(n.F) + " " + shapeOf(n.G) + ">"
	case *Assign:
		s := "{" + Text(n.Target)
		if n.F != nil {
			s += " " + shapeOf(n.F)
		}
		return s + "←" + shapeOf(n.Y) + "}"
	case *ExprStmt:
		return shapeOf(n.X)
	case *FuncDef:
		return n.Name.Ident + "←" + shapeOf(n.F)
	case *DefaultLeft:
		return "⍺←" + operand(Operand{n.Func, n.Value})
	}
	return Text(n)
}

func TestBinding(t *testing.T) {
	const known = "x←y←z←a←b←1\nf←{⍵}\ng←{⍺+⍵}\nh←{⍵}\nmop←{⍺⍺ ⍵}\ndop←{⍺⍺ ⍵⍵ ⍵}\n"
	for _, c := range [][2]string{
		{"1+2×3", "(1 + (2 × 3))"},
		{"-x", "(- x)"},
		{"1 2 3", "1 2 3"},
		{"1 2 x", "‹1;2;x›"},
		{"x 'ab' ⍬", "‹x;'ab';⍬›"},
		{"x y[1]", "‹x;y›[1]"},
		{"x y[1][2]z", "‹‹x;y›[1][2];z›"},
		{"x[1]y[2;]", "‹x[1];y›[2;]"},
		{"x[]", "x[]"},
		{"x[;1;]", "x[;1;]"},
		{"x[1][2]", "x[1][2]"},
		{"1 2 3[2]", "1 2 3[2]"},
		{"+/x", "(<+ /> x)"},
		{"+/[1]x", "(<+ />[1] x)"},
		{"x/y", "(x / y)"},
		{"x/[1]y", "(x /[1] y)"},
		{"2+/x", "(2 <+ /> x)"},
		{"+/x/y", "(<+ /> (x / y))"},
		{"x+.×y", "(x <+ . ×> y)"},
		{"x+.×/y", "(x <<+ . ×> /> y)"},
		{"x∘.+y", "(x <+ ∘.> y)"},
		{"x∘.f¨y", "(x <<f ∘.> ¨> y)"},
		{"∘.=⍨x", "(<<= ∘.> ⍨> x)"},
		{"x∘./y", "(x </ ∘.> y)"},
		{"f⍤1⊢x", "(<f ⍤ 1> (⊢ x))"},
		{"f⍤1 0⊢x", "(<f ⍤ 1 0> (⊢ x))"},
		{"x(f⍤1)y", "(x <f ⍤ 1> y)"},
		{"(f⍣2)x", "(<f ⍣ 2> x)"},
		{"f⍣≡x", "(<f ⍣ ≡> x)"},
		{"1∘+x", "(<1 ∘ +> x)"},
		{"y×1 2∘+x", "(y × (<1 2 ∘ +> x))"},
		{"f∘g∘h x", "(<<f ∘ g> ∘ h> x)"},
		{"+/∘⍳¨x", "(<<<+ /> ∘ ⍳> ¨> x)"},
		{"{⍵+1}¨x", "(<{⍵+1} ¨> x)"},
		{"x,[0.5]y", "(x ,[0.5] y)"},
		{"⌽[1]x", "(⌽[1] x)"},
		{"f∘⌽[1]x", "(<f ∘ ⌽[1]> x)"},
		{"(+/÷≢)x", "(<<+ /> ÷ ≢> x)"},
		{"(-÷)x", "(<- ÷> x)"},
		{"(1+⊢)x", "(<1 + ⊢> x)"},
		{"(f g h f)x", "(<f <g h f>> x)"},
		{"(f g h f g)x", "(<f g <h f g>> x)"},
		{"m←+/÷≢", "m←<<+ /> ÷ ≢>"},
		{"m←/", "m←/"},
		{"f mop x", "(<f mop> x)"},
		{"f dop g x", "(<f dop g> x)"},
		{"x f dop 2⊢y", "(x <f dop 2> (⊢ y))"},
		{"x mop y", "(<x mop> y)"},
		{"x←3", "{x←3}"},
		{"1+x←3", "(1 + {x←3})"},
		{"1+x←2×y←3", "(1 + {x←(2 × {y←3})})"},
		{"x+←1", "{x +←1}"},
		{"2×x+←1", "(2 × {x +←1})"},
		{"x[1]+←1", "{x[1] +←1}"},
		{"x[1]←1", "{x[1]←1}"},
		{"x,⍨←1", "{x <, ⍨>←1}"},
		{"x f←1", "{x f←1}"},
		{"x(f g)←1", "{x <f g>←1}"},
		{"x{⍺+⍵}←1", "{x {⍺+⍵}←1}"},
		{"x∘.+←1", "{x <+ ∘.>←1}"},
		{"x,[1]←1", "{x ,[1]←1}"},
		{"(c d)←1 2", "{(c d)←1 2}"},
		{"c d←1 2", "{(c d)←1 2}"},
		{"(c(d e))←1 2", "{(c(d e))←1 2}"},
		{"f c d←1 2", "(f {(c d)←1 2})"},
		{"(2↑x)←0", "{(2↑x)←0}"},
		{"(x/y)←0", "{(x/y)←0}"},
		{"((x>0)/x)←0", "{((x>0)/x)←0}"},
		{"(a b)+←1", "{(a b) +←1}"},
		{"⎕←x", "{⎕←x}"},
		{"1+⎕←x", "(1 + {⎕←x})"},
		{"⍞←'a'", "{⍞←'a'}"},
		{"⎕io←0", "{⎕IO←0}"},
		{"⎕ucs 65", "(⎕UCS 65)"},
		{"(x+1)×x←3", "((x + 1) × {x←3})"},
		{"x∈y", "(x ∊ y)"},
		{"x^∼y", "(x ∧ (~ y))"},
		{"'it''s'", "'it''s'"},
		{"≢''", "(≢ '')"},
		{"x~y", "(x ~ y)"},
		{"⍎'1'", "(⍎ '1')"},
		{"f⌸x", "(<f ⌸> x)"},
		{"x@1⊢y", "(<x @ 1> (⊢ y))"},
		{"+⌿⍤2⊢x", "(<<+ ⌿> ⍤ 2> (⊢ x))"},
		{"3J4×¯1.5E¯3", "(3.0J4.0 × ¯0.0015)"},
		{"1E3 5. .5", "1000.0 5.0 0.5"},
		{"1E3", "1000"},
		{"99999999999999999999", "1.0E20"},
	} {
		prog := roundTrip(t, known+c[0])
		if prog == nil {
			continue
		}
		if got := shapeOf(prog.Body[len(prog.Body)-1]); got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
}
