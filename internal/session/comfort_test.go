package session

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// piped runs lines as they come from a pipe, so that several may be one entry.
func piped(t *testing.T, text string) string {
	var out strings.Builder
	require.NoError(t, New(&out).Lines(strings.NewReader(text), false))
	return out.String()
}

func TestNamespacesAtThePrompt(t *testing.T) {
	out := piped(t, ":Namespace util\ntwice←{2×⍵}\n:Namespace inner\nless←{⍵-1}\n:EndNamespace\n:EndNamespace\nutil.twice 4\nutil.inner.less 3\nutil.twice¨⍳3\n")
	assert.Equal(t, "8   [int]0\n2   [int]0\n2 4 6   [int]1 · 3\n", out)
}

func TestControlStructuresAtThePrompt(t *testing.T) {
	out := piped(t, ":For i :In ⍳3\n:If i=2\n'two' ⍝ :EndIf\n:EndIf\n:EndFor\n:If 0 ⋄ 'no' ⋄ :Else ⋄ ':If' ⋄ :EndIf\nn←0\n:Repeat\nn+←1\n:Until n=3\nn\n")
	assert.Equal(t, "two   [char]1 · 3\n:If   [char]1 · 3\n3   [int]0\n", out)
}

// Lines fold at ⎕PW, which follows the terminal until a line sets it.
func TestPrintWidth(t *testing.T) {
	assert.Equal(t, "1 2 3 4 5 6 7 8 9 10 11 12 13\n      14 15\n[int]1 · 15\n30   [int]0\n", transcript(t, "⎕PW←30", "⍳15", "⎕PW"))
	var out strings.Builder
	s := New(&out)
	s.Width = 36
	for _, line := range []string{"⎕PW", "⍳15", "⎕PW←100", "⎕PW"} {
		require.NoError(t, s.Execute(t.Context(), line))
	}
	s.Width = 50
	require.NoError(t, s.Execute(t.Context(), "⎕PW"))
	assert.Equal(t, "36   [int]0\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n[int]1 · 15\n100   [int]0\n100   [int]0\n", out.String())
}

// The product of 1 to 21 is more than an integer of 64 bits: Dyalog goes on with
// floating-point numbers. What has been shown is not shown again.
func TestIntegersThatOverflow(t *testing.T) {
	lines := []string{"⎕←1 2 ⋄ k←×/⍳21", "k", "f←{×/⍳⍵}", "f 21"}
	want := "5.109094217E19   [double]0\n"
	assert.Equal(t, "1 2   [int]1 · 2\n"+want+"f : int → int\n"+want, transcript(t, lines...))
	run, _ := compiling(t)
	assert.Equal(t, "1 2\n", run(lines[0]))
	assert.Equal(t, want, run(lines[1]))
}

// A fault lists the calls that led to it, each with its line.
func TestCallsOfFaults(t *testing.T) {
	assert.Equal(t, "f : double → double\ng : double → double\nDOMAIN ERROR: division by zero [E0601]\n    1 | f←{⍵≤0:1÷⍵ ⋄ 1+f ⍵-1}\n      |        ^ ^\n  note: in 3 calls of f from here\n  note: in this call of f:  g←{2×f ⍵}\n  note: in this call of g:  g 3\n",
		transcript(t, "f←{⍵≤0:1÷⍵ ⋄ 1+f ⍵-1}", "g←{2×f ⍵}", "g 3"))
}

// The faults of compiled lines have them, too, where the evaluator comes to the same.
func TestCallsOfCompiledFaults(t *testing.T) {
	run, _ := compiling(t)
	for _, lines := range [][]string{
		{"f←{⍵≤0:1÷⍵ ⋄ 1+f ⍵-1}", "g←{2×f ⍵}", "g 3"},
		{"x←1 2 3", "h←{⍵+4 5}", "h x"},
		{"r←{0×⍵÷⍵-⍵}", "r 1+?0"},
	} {
		for i, line := range lines {
			if got := run(line); i == len(lines)-1 {
				want := transcript(t, lines...)
				assert.Contains(t, got, "ERROR")
				assert.True(t, strings.HasSuffix(want, got), "%s\n%s", want, got)
			}
		}
	}
}

func TestHelpByName(t *testing.T) {
	for name, want := range map[string]string{
		"each": "f¨   each", "power": "⍺*⍵   power", "Power Operator": "f⍣g   power operator", "reduce": "f/   reduce",
		"rho": "⍺⍴⍵   reshape", "⎕csv": "⎕CSV  read or write", "operators": "f⍤A    rank", "rank": "f⍤A   rank",
	} {
		assert.Contains(t, transcript(t, "]help "+name), want, name)
	}
	assert.Contains(t, transcript(t, "]help power"), "f⍣g   power operator")
	assert.Contains(t, transcript(t, "]help nonsense"), "nothing is called nonsense")
	assert.Contains(t, transcript(t, "f←{⍵+1}", "]help f"), "f : [κ]r → [κ]r\nf←{⍵+1}\n")
}

// ]tail and ]c of the name of a function show it for its last call, or for arguments
// of the types of its annotation, which the compiler does not know.
func TestStagesOfFunctions(t *testing.T) {
	annotated := "f←{+/⍵} ⍝: <double>n → double"
	assert.Contains(t, transcript(t, annotated, "]tail f"), "of  f (1.5 2.5 3.5)\n")
	assert.Contains(t, transcript(t, annotated, "]tail f"), "reduce(addd,0.0,")
	assert.Contains(t, transcript(t, annotated, "]c f"), "tl_receive(0, TL_F64, 1, ")
	assert.Contains(t, transcript(t, "g←{⍺×⍵}", "]tail g"), "g has neither been called nor an annotation")
	assert.Contains(t, transcript(t, "g←{⍺×⍵}", "2 g 3", "]tail g"), "muli(")
	assert.Contains(t, transcript(t, "h←{⍺+.×⍵} ⍝: [n,m]double → [m,k]double → [n,k]double", "]tail h"), "of  (3 3⍴1.5 2.5")
}

func TestTimeOfLines(t *testing.T) {
	out := transcript(t, "]time x←+/⍳10", "x")
	assert.Regexp(t, `^[0-9.e+-]+ ms, the best of 10\n55   \[int\]0\n$`, out)
	run, _ := compiling(t)
	run("x←⍳10")
	assert.Regexp(t, `^55   \[int\]0\n[0-9.e+-]+ ms, the best of 10\n$`, run("]time +/x"))
	assert.Contains(t, run("]time x÷0"), "DOMAIN ERROR")
}
