package structured_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/structured"
)

// program returns the program without headers, nil if there is none.
func program(t *testing.T, text string) *apl.Program {
	p, err := apl.Parse(diag.NewSource("test.apl", text))
	require.NoError(t, err)
	require.NotEmpty(t, p.Dynamic(), text)
	return structured.Program(p)
}

// TestProgram shows what becomes of loops, conditions and ways out.
func TestProgram(t *testing.T) {
	for text, want := range map[string]string{
		"∇r←sum v;x\nr←0\n:For x :In v\nr←r+x\n:EndFor\n∇":                       "sum←{v←⍵ ⋄ r←0 ⋄ ∆∆o1←,v ⋄ (r ∆∆k2 ∆∆z)←{(r ∆∆k2 ∆∆z)←⍵ ⋄ x←∆∆k2⊃∆∆o1 ⋄ ∆∆k2←∆∆k2+1 ⋄ r←r+x ⋄ r ∆∆k2⍬}⍣(≢∆∆o1)r ⎕IO⍬ ⋄ r}",
		"∇r←x f y\nr←y\n:If x>y\nr[1]←x\n:ElseIf x=0\n:Return\n:EndIf\nr+←1\n∇":  "f←{y←⍵ ⋄ x←⍺ ⋄ r←y ⋄ x>y:{r←r ⋄ r[1]←x ⋄ r+←1 ⋄ r}0 ⋄ x=0:{r}0 ⋄ r+←1 ⋄ r}",
		"∇r←f y\nr←1\nl:→(r≥y)/0\nr×←2\n→l\n∇":                                   "f←{y←⍵ ⋄ r←1 ⋄ (r ∆∆z)←{~∨/,(r≥y):{(r ∆∆z)←{(r ∆∆z)←⍵ ⋄ r×←2 ⋄ r⍬}⍣{(r ∆∆z)←⍺ ⋄ ~∨/,(r≥y):0 ⋄ 1}r⍬ ⋄ r⍬}0 ⋄ r⍬}0 ⋄ r}",
		"∇r←f y\nr←1\nl:r×←2\n→(y>r)⍴l\n∇":                                       "f←{y←⍵ ⋄ r←1 ⋄ (r ∆∆q1 ∆∆z)←{(r ∆∆q1 ∆∆z)←⍵ ⋄ r×←2 ⋄ r{~∧/,(y>r):1 ⋄ 0}0⍬}⍣{(r ∆∆q1 ∆∆z)←⍺ ⋄ ∆∆q1}r 0⍬ ⋄ r}",
		"∇r←f y\n→y↓l\nr←1\n→0\nl:r←2\n∇":                                        "f←{y←⍵ ⋄ (r ∆∆z)←{0≠≢,y↓0:{r←2 ⋄ r⍬}0 ⋄ r←1 ⋄ r⍬}0 ⋄ r}",
		"∇r←f y;k\n:If y\nk←1\n:EndIf\nr←k\n∇":                                   "f←{y←⍵ ⋄ k←∆∆none 'k' ⋄ ∆∆fk←0 ⋄ (k ∆∆fk ∆∆z)←{y:{k←1 ⋄ ∆∆fk←1 ⋄ k ∆∆fk⍬}0 ⋄ k ∆∆fk⍬}0 ⋄ ∆∆z←∆∆fk ∆∆needed 'k' ⋄ r←k ⋄ r}",
		"∇r←f y\n:If y\nr←1\n:EndIf\n∇\nf 1":                                     "f←{y←⍵ ⋄ r←∆∆none 'r' ⋄ ∆∆fr←0 ⋄ (r ∆∆fr ∆∆z)←{y:{r←1 ⋄ ∆∆fr←1 ⋄ r ∆∆fr⍬}0 ⋄ r ∆∆fr⍬}0 ⋄ ∆∆z←∆∆fr ∆∆returned 'r' ⋄ r} ⋄ ∆∆pf←{y←⍵ ⋄ r←∆∆none 'r' ⋄ ∆∆fr←0 ⋄ (r ∆∆fr ∆∆z)←{y:{r←1 ⋄ ∆∆fr←1 ⋄ r ∆∆fr⍬}0 ⋄ r ∆∆fr⍬}0 ⋄ r ∆∆fr⍬} ⋄ (∆∆v ∆∆q ∆∆z)←∆∆pf 1 ⋄ ∆∆z←{∆∆q:{∆∆z←⎕←∆∆v ⋄ 0}0 ⋄ 0}0",
		"∇r←k\nr←2\n∇\n∇r←f y\nr←y*k\n∇\nk f¨⍳k":                                 "k←{r←2 ⋄ r} ⋄ f←{y←⍵ ⋄ r←y*k 0 ⋄ r} ⋄ k 0 f¨⍳k 0",
		"∇r←f y\n:If y<0\nr←0\n:Return\n:EndIf\nr←y*0.5\n∇":                      "f←{y←⍵ ⋄ y<0:{r←0 ⋄ r}0 ⋄ r←y*0.5 ⋄ r}",
		"∇r←f y\nr←y\n:If y>3\nr×←2\n:EndIf\n∇":                                  "f←{y←⍵ ⋄ r←y ⋄ (r ∆∆z)←{y>3:{r←r ⋄ r×←2 ⋄ r⍬}0 ⋄ r⍬}0 ⋄ r}",
		"∇r←f y\nr←1\n:While r<y\nr×←2\n:EndWhile\n∇":                            "f←{y←⍵ ⋄ r←1 ⋄ (r ∆∆z)←{r<y:{(r ∆∆z)←{(r ∆∆z)←⍵ ⋄ r×←2 ⋄ r⍬}⍣{(r ∆∆z)←⍺ ⋄ r<y:0 ⋄ 1}r⍬ ⋄ r⍬}0 ⋄ r⍬}0 ⋄ r}",
		"∇r←f y;i\n:For i :In y\n:If i>3\nr←i\n:Return\n:EndIf\n:EndFor\nr←0\n∇": "f←{y←⍵ ⋄ r←∆∆none 'r' ⋄ ∆∆r1←0 ⋄ ∆∆o2←,y ⋄ (r ∆∆r1 ∆∆z)←{0=≢∆∆o2:r ∆∆r1⍬ ⋄ (r ∆∆r1 ∆∆k3 ∆∆q4 ∆∆z)←{(r ∆∆r1 ∆∆k3 ∆∆q4 ∆∆z)←⍵ ⋄ i←∆∆k3⊃∆∆o2 ⋄ ∆∆k3←∆∆k3+1 ⋄ i>3:{r←i ⋄ ∆∆r1←1 ⋄ r ∆∆r1 ∆∆k3 1⍬}0 ⋄ r ∆∆r1 ∆∆k3 0⍬}⍣{(r ∆∆r1 ∆∆k3 ∆∆q4 ∆∆z)←⍺ ⋄ ∆∆q4:1 ⋄ ∆∆k3≥≢∆∆o2+⎕IO}r ∆∆r1 ⎕IO 0⍬ ⋄ r ∆∆r1⍬}0 ⋄ ∆∆r1:{r}0 ⋄ r←0 ⋄ r}",
		"∇r←{x}f y\n:If 0=⎕NC'x'\nx←≢y\n:EndIf\nr←x×y\n∇":                        "f←{y←⍵ ⋄ ⍺←≢y ⋄ x←⍺ ⋄ r←x×y ⋄ r}",
		"k←1\n∇r←f y\nk←k×y\nr←k+1\n∇\nf 2":                                      "k←1 ⋄ f←{(r ∆∆s1 ∆∆z)←{y←⍵ ⋄ k←k×y ⋄ r←k+1 ⋄ r k⍬}⍵ ⋄ k⊢←∆∆s1 ⋄ r} ⋄ f 2",
		"∇f y\nk←y\n⎕←k\n∇\n∇g\nk←2\nf k\n∇\ng":                                  "k←∆∆none 'k' ⋄ f←{(∆∆s1 ∆∆z)←{y←⍵ ⋄ k←y ⋄ ⎕←k ⋄ k⍬}⍵ ⋄ k⊢←∆∆s1 ⋄ ∆∆z←0} ⋄ g←{k⊢←2 ⋄ ∆∆z←f k ⋄ ∆∆z←0} ⋄ ∆∆z←g 0",
		"∇f y\n⎕←y\n∇\n∇g\nf 2\n∇\ng":                                            "f←{y←⍵ ⋄ ⎕←y ⋄ ∆∆z←0} ⋄ g←{∆∆z←f 2 ⋄ ∆∆z←0} ⋄ ∆∆z←g 0",
		// Names that functions see are assigned where they are.
		"n←1\n:For i :In ⍳3\nn←i\n⎕←g i\n:EndFor\n∇r←g y\nr←n+y\n∇":  "n←1 ⋄ ∆∆o1←,⍳3 ⋄ (∆∆k2 ∆∆z)←{(∆∆k2 ∆∆z)←⍵ ⋄ i←∆∆k2⊃∆∆o1 ⋄ ∆∆k2←∆∆k2+1 ⋄ n⊢←i ⋄ ⎕←g i ⋄ ∆∆k2⍬}⍣(≢∆∆o1)⎕IO⍬ ⋄ g←{y←⍵ ⋄ r←n+y ⋄ r}",
		"k←1\n∇r←f y\nk←y\nr←g k\n∇\n∇r←g y\nr←k+y\n∇\nf 5":          "k←1 ⋄ f←{y←⍵ ⋄ k⊢←y ⋄ r←g k ⋄ r} ⋄ g←{y←⍵ ⋄ r←k+y ⋄ r} ⋄ f 5",
		"k←1\n∇r←f y\nk←y\nr←k\n:If y>1\nr←f y-1\n:EndIf\n∇\nf 5\nk": "k←1 ⋄ f←{y←⍵ ⋄ k⊢←y ⋄ r←k ⋄ (r ∆∆z)←{y>1:{r←f y-1 ⋄ r⍬}0 ⋄ r⍬}0 ⋄ r} ⋄ f 5 ⋄ k",
		"n←1\n∇r←f y\n(r n)←y\nr←⍎'n×2'\n∇\nf 4 5":                   "n←1 ⋄ f←{y←⍵ ⋄ (r ∆∆t1)←y ⋄ n⊢←∆∆t1 ⋄ r←⍎'n×2' ⋄ r} ⋄ f 4 5",
	} {
		p := program(t, text)
		if want == "" {
			require.Nil(t, p, text)
			continue
		}
		require.NotNil(t, p, text)
		require.Equal(t, want, line(apl.Text(p)))
	}
}

// line writes the text of a program in a line.
func line(text string) string {
	var lines []string
	for s := range strings.Lines(strings.TrimSpace(text)) {
		lines = append(lines, strings.TrimSpace(s))
	}
	return strings.NewReplacer("{ ⋄ ", "{", " ⋄ }", "}", ": ", ":").Replace(strings.Join(lines, " ⋄ "))
}

// TestDynamic has programs that no dfns stand for.
func TestDynamic(t *testing.T) {
	for _, text := range []string{
		"∇r←f y\nr←g y\n∇\n∇r←g y\nr←n+y\nn←r\n∇\nf 2",           // a global variable has no value
		"∇r←f y;n\nn←3\nr←g y\n∇\n∇r←g y\nr←n+y\n∇\nn←4\nf 5",    // g sees the n of f
		"n←1\n∇r←g y\nr←n+y\n∇\nf←{n←5 ⋄ g ⍵}\nf 5",              // that of the dfn
		"g←{n+⍵}\nn←1\n∇r←f y;n\nn←3\nr←g y\n∇\nf 5",             // the dfn sees that of f
		"n←1\n∇r←g y\nr←n+y\n∇\nf←{n←5 ⋄ ⍺⍺ ⍵}\ng f 5",           // the operator has one
		"∇r←f y;n\nn←3\nr←g y\n∇\ng←{h ⍵}\nh←{n+⍵}\nn←4\nf 5",    // h sees it, too
		"∇r←f y;n\nn←3\nr←⍎'g 5'\n∇\n∇r←g y\nr←n+y\n∇\nn←4\nf 5", // g sees the n of f
		"∇r←f y\nr←y\nl:r←r+1\n→l×r<9\n∇",                        // a branch to a computed line
		"∇r←f y\n→y/a\nl:r←1\na:y←y-1\n→(y>0)/l\nr←2\n∇",         // a loop that is entered at two places
		"∇r←f y\nr←l\nl:→(y>r)/0\n∇",                             // a label as a number
		"∇r←f y\n:For i :In y\n→(i>3)/l\n:EndFor\nl:r←1\n∇",      // a branch out of a loop
		"∇r←f y;g;x\nx←1\ng←{⍵+x}\nx←2\nr←g y\n∇",                // g sees the second x
		"∇r←f y\n:If y\nk←1\n:EndIf\nr←k\n∇\nf 1",                // k may have the value of another call
		"∇r←f y;k\n:If y\nk←1\n:EndIf\nr←{k}¨⍳y\n∇",              // k is needed where y is 1 or more
		"∇f y\n⎕←y\n∇\n1+f 2",                                    // no result
		"∇r←f y\n:Trap 0\nr←÷y\n:Else\nr←0\n:EndTrap\n∇",
		"∇r←{x}f y\nr←y×⎕NC'x'\n∇\n∇x←f\nx←1\n∇",
		"∇r←f y\n⎕IO←0\nr←⍳y\n∇", // for all that follows
		"∇r←f y;⎕IO\nr←⍳y\n⎕IO←0\nr←r+⍳y\n∇",
		":Namespace a\nx←1\n:EndNamespace\nb←a",
		":Namespace a\nx←1\ng←{x+⍵}\n:EndNamespace\na.(x+1)",
		":Namespace a\n⎕IO←0\n⍝ of which #.f sees nothing\ng←{#.f ⍵}\n:EndNamespace\nf←{⍳⍵}\na.g 3",
	} {
		require.Nil(t, program(t, text), text)
	}
}

// TestSpaces has names of namespaces.
func TestSpaces(t *testing.T) {
	for text, want := range map[string]string{
		":Namespace a\nx←1\n∇r←g y\nr←x+y\n∇\n:EndNamespace\na.g 2":                        "a.x←1 ⋄ a.g←{a.y←⍵ ⋄ a.r←a.x+a.y ⋄ a.r} ⋄ a.g 2",
		":Namespace a\nx←1\n:Namespace b\nx←##.x+1\n:EndNamespace\n:EndNamespace\n#.a.b.x": "a.x←1 ⋄ a.b.x←a.x+1 ⋄ a.b.x",
		":Namespace a\n⎕IO←0\ng←{⍳⍵}\n:EndNamespace\na.g 2":                                "⎕IO←0 ⋄ a.g←{⎕IO←0 ⋄ ⍳⍵} ⋄ ⎕IO←1 ⋄ a.g 2",
	} {
		require.Equal(t, want, line(apl.Text(program(t, text))), text)
	}
}

// TestCreated has names from outside that functions give their first value, and locals that functions
// see that are called.
func TestCreated(t *testing.T) {
	for text, want := range map[string]string{
		"∇f y\nk←y\n∇\nf 5\nk":                                "k←∆∆none 'k' ⋄ f←{(∆∆s1 ∆∆z)←{y←⍵ ⋄ k←y ⋄ k⍬}⍵ ⋄ k⊢←∆∆s1 ⋄ ∆∆z←0} ⋄ ∆∆z←f 5 ⋄ k",
		"∇f y\n:If y\nk←1\n:Else\nk←2\n:EndIf\n∇\nf 5\nk":     "k←∆∆none 'k' ⋄ f←{(∆∆s1 ∆∆z)←{y←⍵ ⋄ (k ∆∆z)←{y:{k←1 ⋄ k⍬}0 ⋄ k←2 ⋄ k⍬}0 ⋄ k⍬}⍵ ⋄ k⊢←∆∆s1 ⋄ ∆∆z←0} ⋄ ∆∆z←f 5 ⋄ k",
		"∇f;n\nn←5\ng\n∇\n∇g\n⎕←n\n∇\nf":                      "n←∆∆none 'n' ⋄ f←{n⊢←5 ⋄ ∆∆z←g 0 ⋄ ∆∆z←0} ⋄ g←{⎕←n ⋄ ∆∆z←0} ⋄ ∆∆z←f 0",
		"∇f y\n:If y\nk←1\n:EndIf\n∇\nf 5\nk":                 "", // k may have no value
		"∇f y\nk←y\n∇\n∇g\n⎕←k\n∇\ng\nf 1":                    "", // and has none
		"∇f y\nk←y\n∇\nf¨5 6\nk":                              "",
		"∇f y\nk←y\n:If y\n:Return\n:EndIf\nl←y\n∇\nf 5\nk+l": "",
		"∇f;n\nn←5\ng\n∇\n∇g\n⎕←n\n∇\nf\ng":                   "", // g is called where there is no n
		"∇f;n\nn←5\ng 1\n∇\n∇g n\nh\n∇\n∇h\n⎕←n\n∇\nf":        "", // h sees that of g
		"∇f;n\nn←5\ng\n∇\n∇e;n\nn←6\ng\n∇\n∇g\n⎕←n\n∇\nf\ne":  "", // g sees those of f and e
		"∇f y\nk←y\n∇\nf 5\n⎕NC'k'\nk":                        "",
	} {
		if p := program(t, text); want == "" {
			require.Nil(t, p, text)
		} else {
			require.NotNil(t, p, text)
			require.Equal(t, want, line(apl.Text(p)))
		}
	}
}

// TestApart has programs whose functions make local what others read that they do not call.
func TestApart(t *testing.T) {
	for _, text := range []string{
		"n←4\n∇r←f y;n\nn←≢y\nr←n+y\n∇\ng←{n+f ⍵}\ng 5",
		"n←4\n∇r←f y;n\nn←≢y\nr←n+y\n∇\n∇r←g y\nr←n+f y\n∇\nh←{n←2 ⋄ n+⍵}\ng h 5",
		"n←1\n∇r←g y\nr←n+y\n∇\n:For i :In ⍳3\nn←n+i\n:EndFor\ng 5",
	} {
		require.NotNil(t, program(t, text), text)
	}
}
