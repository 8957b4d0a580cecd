package apl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
)

func TestTradfnsRoundTrip(t *testing.T) {
	for _, text := range []string{
		"∇ f\n∇",
		"∇ r←f x\nr←x\n∇",
		"∇ {r}←{a}f(b c);d;⎕IO\n;e;g\n[1] r←b\n\nL:r←c ⋄ →L\nM: →(r>1)/M ⋄ →\nend:\n∇\n1 f 2 3",
		"∇ (a b)←x(f op g)y\na←f x ⋄ b←g y\n∇\n1(+op×)2",
		"∇ r←(f op)y\nr←f y\n∇\n+op 2",
		"∇ f x\n:If x\n1\n:ElseIf x=2\n:OrIf x=3\n2\n:Else\n3\n:EndIf\n∇",
		"∇ f x;i;j\n:For i j :InEach x x ⋄ i+j ⋄ :EndFor\n:For i :In x\n:If i ⋄ :Leave ⋄ :End ⋄ :Continue\n:End\n∇",
		"∇ f x\n:While x>1\n:AndIf x<9\nx-←1\n:EndWhile\n:Repeat\nx+←1\n:Until x>9\n:OrIf x<0\n:Return\n∇",
		"∇ f x\n:Select x\n:Case 1\n1\n:CaseList 2 3\n2\n:Else\n3\n:EndSelect\n:Trap 0 1000\n÷x\n:Case 11\n'd'\n:EndTrap\n:GoTo 3\n∇",
		"∇ r←f x;g\ng←{\n⍵+1\n}\nr←g x\n∇\nf 1",
		"∇ main\nhelp 3\n∇\nhelp←{⍵×2}\nmain",
	} {
		roundTrip(t, text)
	}
}

// TestClassesOfTheWholeFile reads functions that are defined behind their use.
func TestClassesOfTheWholeFile(t *testing.T) {
	const text = "∇ r←f x\nr←help x+later\n∇\nhelp←{⍵×2}\nlater←1\nf 3"
	prog, err := Parse(diag.NewSource("t", text))
	require.NoError(t, err)
	s, ok := prog.Body[0].(*Tradfn).Body[0].(*ExprStmt)
	require.True(t, ok, "the classes are certain")
	require.Equal(t, "(help (x + later))", strings.Trim(shapeOf(s.X.(*Assign).Y), " "))
	require.Len(t, prog.Dynamic(), 1)
}
