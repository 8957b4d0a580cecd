package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCertainFaults checks programs whose statements are sure to stop when they run,
// and programs that look like them.
func TestCertainFaults(t *testing.T) {
	for _, c := range []struct{ program, told string }{
		{"1÷0", "1:2: DOMAIN ERROR: division by zero [E0601]"},
		{"1E308×10", "1:6: DOMAIN ERROR: floating-point overflow [E0613]"},
		{"⎕←5 ⋄ x←÷0", "1:9: DOMAIN ERROR: division by zero [E0601]"},
		{"v←⍳5 ⋄ 1÷v-3", "1:9: DOMAIN ERROR: division by zero [E0601]"},
		{"⌹2 2⍴0", "1:1: DOMAIN ERROR: the matrix is singular [E0609]"},
		{"{÷⍵}¨1 0", "1:2: DOMAIN ERROR: division by zero [E0601]"},
		{"+/1E308 1E308", "1:1: DOMAIN ERROR: floating-point overflow [E0613]"},
		{"{⍵=5:1÷0 ⋄ 7}5", "1:7: DOMAIN ERROR: division by zero [E0601]"},
		{"0÷0", ""},
		{"9223372036854775807+1", ""},     // the interpreter goes on
		{"f←{⍵÷0} ⋄ 3", ""},               // not called
		{"k←×⎕TS[1] ⋄ {⍵=1:÷0 ⋄ 7}k", ""}, // not known before
		{"⎕OFF ⋄ 1÷0", ""},                // never evaluated
		{"k←×⎕TS[1] ⋄ z←{⍵:{⎕OFF}0 ⋄ 0}¨k k ⋄ 1÷0", ""},
		{"'no'⎕SIGNAL 11", ""},         // the program's own
		{"f←{⍵≤0:⍵ ⋄ ∇⍵-1} ⋄ f 3", ""}, // a loop
		{"÷⍳0", ""},
	} {
		out, errs, status := invoke("check", file(t, c.program))
		assert.Empty(t, out, c.program)
		first, _, _ := strings.Cut(errs, "\n")
		assert.True(t, strings.HasSuffix(first, c.told) && (first == "") == (c.told == ""), "%s: %s", c.program, first)
		assert.Equal(t, c.told == "", status == 0, c.program)
	}
}
