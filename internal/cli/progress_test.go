package cli

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
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
	power := func(turns int) string {
		return fmt.Sprintf("n←≢⎕TS\nx←{⍵+0.001×(1⌽⍵)-⍵}⍣(n×%d)⊢3000⍴⍳7\n⌊0.5++/x\n", turns/7)
	}
	each := func(turns int) string { return fmt.Sprintf("⌊+/{+/÷⍳⍵}¨%d⍴300000\n", turns) }
	loop := func(turns int) string {
		return fmt.Sprintf("n←0\n:For i :In ⍳%d\n  n+←+/÷⍳300000\n:EndFor\n⌊n\n", turns)
	}
	for _, c := range []struct {
		target  string
		program func(turns int) string
		turns   int
		shown   string
	}{
		{"c", power, 1_400_000, `\d%%  line 2, turn \d+ of %d, \d+ s left`},
		{"eval", power, 35_000, `\d%%  line 2, turn \d+ of %d, \d+ s left`},
		{"interp", power, 35_000, `\d%%  turn \d+ of %d, \d+ s left`},
		{"interp", loop, 1000, `\d%%  line 2, turn \d+ of %d, \d+ s left`},
		{"interp", each, 1000, `\d%%  turn \d+ of %d, \d+ s left`},
	} {
		if _, err := driver.FindCompiler(); err != nil && c.target == "c" {
			continue
		}
		run := func(turns int) string {
			name := file(t, c.program(turns))
			out, err := exec.Command(script, "-qec", filepath.Join(dir, "tailor")+" run --progress --target "+c.target+" "+name, "/dev/null").Output()
			require.NoError(t, err)
			return string(out)
		}
		// A fast machine needs more turns until there is something to show.
		turns := c.turns
		out := run(turns)
		for more := 0; more < 3 && !strings.Contains(out, "%"); more++ {
			turns *= 4
			out = run(turns)
		}
		assert.Regexp(t, fmt.Sprintf(c.shown, turns), out, c.program(turns))
		assert.Regexp(t, `\r\x1b\[K\d+\r\n$`, out, c.program(turns))
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
