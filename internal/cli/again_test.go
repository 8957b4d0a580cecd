package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A program whose integers overflow, or whose results are not real, goes on in the
// interpreter, and writes nothing twice.
func TestRunAgain(t *testing.T) {
	text := filepath.Join(t.TempDir(), "lines.txt")
	assert.NoError(t, os.WriteFile(text, []byte("64 48\n1+÷4\n"), 0o600))
	for _, c := range []struct{ program, out string }{
		{"×/⍳21", "5.109094217E19\n"},
		{"⎕←3 ⋄ ⎕←'héllo' ⋄ 9223372036854775807+×⎕TS[1]", "3\nhéllo\n9.223372037E18\n"},
		{"⌊1E19××⎕TS[1]", "1E19\n"},
		{"⎕←5 ⋄ (-×⎕TS[1])*0.5", "5\n0J1\n"},
		{"⍟¯1 1××⎕TS[1]", "0J3.141592654 0\n"},
		{"{2⍟⍵}¨4 ¯1", "2 0J4.532360142\n"},
		{"{¯1○⍵}¨1 2", "1.570796327 1.570796327J¯1.316957897\n"},
		{"⌈⌿(0××⎕TS[1])3⍴5", "¯1.797693135E308 ¯1.797693135E308 ¯1.797693135E308\n"},
		{"⌊/(2,0××⎕TS[1])⍴5", "1.797693135E308 1.797693135E308\n"},
		{"⌽/(0××⎕TS[1])↑1", "0\n"},
		{"⊃⌽(×⎕TS[1])↓,⊂1 2", "0 0\n"},
		{"⍴↑(0××⎕TS[1])↑(1 2)(3 4 5)", "0 2\n"},
		{"2↑1↓(×⎕TS[1])↓(1 'a')(2 'b')(3 'c')", " 3 c  0   \n"},
		{"(1 ¯1××⎕TS[1])/⌽(×⎕TS[1])↓(1 2)(3 4 5)(6 7)", " 6 7  0 0 \n"},
		{"3↑(×⎕TS[1])↓,⊂1 2", " 0 0  0 0  0 0 \n"},
		{"⊃⌽¨(×⎕TS[1])↓,⊂1 2", "0 0\n"},
		{"⍴⊃⌽↓(0××⎕TS[1])3⍴0", "3\n"},
		{"⍴↑{2 3}¨⍳0××⎕TS[1]", "0 2\n"},
		{"⍴⊃⌽{⍵,1}¨' '(=⊆⊢)(×⎕TS[1])↓'a'", "1\n"},
		{"(⌽¨(×⎕TS[1])↓,⊂1 2)≡(×⎕TS[1])↓,⊂1 2 3", "0\n"},
		{"f←{⍺←⍬ ⋄ 0=≢⍵:⍺ ⋄ (⍺,⊂⍵)∇1↓⍵} ⋄ ⊃f(×⎕TS[1])↓,1", "0\n"},
		{"(+⍣(-×⎕TS[1]))2", "2\n"},
		{"1>?0××⎕TS[1]", "1\n"},
		{"⍎(×⎕TS[1])⊃'1+1' '2+2'", "2\n"},
		{"≢⍎⊃⊃⎕NGET '" + text + "' 1", "2\n"},
		{"∊{⍎⍵}¨⊃⎕NGET '" + text + "' 1", "64 48 1.25\n"},
	} {
		stdout, stderr, status := invoke("run", "--target", "eval", "-e", c.program)
		assert.Equal(t, c.out, stdout, "%s: %s", c.program, stderr)
		assert.Zero(t, status, c.program)
	}
}

// It is not run again where it must be compiled, where integers wrap, where it writes
// files, or where it is TAIL.
func TestNotRunAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "written.txt")
	tail := filepath.Join(t.TempDir(), "overflow.tail")
	assert.NoError(t, os.WriteFile(tail, []byte("main =\n  let x:S(int,3) = print(addi(9223372036854775807,signi(index(timestamp(),1)))) in\n  ()\n"), 0o600))
	for _, args := range [][]string{
		{tail},
		{"--static", "-e", "×/⍳21"},
		{"-e", "n←(⊂'a')⎕NPUT '" + file + "' 1 ⋄ n+9223372036854775807"},
	} {
		_, stderr, status := invoke(append([]string{"run", "--target", "eval"}, args...)...)
		assert.Contains(t, stderr, "integer overflow", args)
		assert.Equal(t, 1, status, args)
	}
}
