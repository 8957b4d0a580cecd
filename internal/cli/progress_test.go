package cli

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
)

// On a terminal the turns of loops are counted, and what is shown goes before there is
// output. Script is a terminal.
func TestProgressOnTerminal(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("there is no script (Debian: bsdutils)")
	}
	dir := tailor(t)
	const power = "n←≢⎕TS\nx←{⍵+0.001×(1⌽⍵)-⍵}⍣(n×%d)⊢3000⍴⍳7\n⌊0.5++/x\n"
	for _, c := range []struct{ target, program, shown string }{
		{"c", fmt.Sprintf(power, 200_000), `\d%  line 2, turn \d+ of 1400000, \d+ s left`},
		{"eval", fmt.Sprintf(power, 5000), `\d%  line 2, turn \d+ of 35000, \d+ s left`},
		{"interp", fmt.Sprintf(power, 5000), `\d%  turn \d+ of 35000, \d+ s left`},
		{"interp", "n←0\n:For i :In ⍳1000\n  n+←+/÷⍳300000\n:EndFor\n⌊n\n", `\d%  line 2, turn \d+ of 1000, \d+ s left`},
		{"interp", "⌊+/{+/÷⍳⍵}¨1000⍴300000\n", `\d%  turn \d+ of 1000, \d+ s left`},
	} {
		if _, err := driver.FindCompiler(); err != nil && c.target == "c" {
			continue
		}
		name := file(t, c.program)
		out, err := exec.Command(script, "-qec", filepath.Join(dir, "tailor")+" run --progress --target "+c.target+" "+name, "/dev/null").Output()
		require.NoError(t, err)
		assert.Regexp(t, c.shown, string(out), c.program)
		assert.Regexp(t, `\r\x1b\[K\d+\r\n$`, string(out), c.program)
		plain, stderr, status := invoke("run", "--progress", "--target", "eval", "-e", "2+2")
		assert.Equal(t, "4\n", plain)
		assert.Empty(t, stderr, "nobody looks")
		assert.Zero(t, status)
	}
}

// Without the flag programs say nothing.
func TestNoProgressNoCode(t *testing.T) {
	out, _, status := invoke("emit", "c", "-e", "{⍵+1}⍣1000⊢⍳9")
	assert.Zero(t, status)
	assert.NotContains(t, out, "tl_progress")
}
