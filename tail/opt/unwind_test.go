package opt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestUnwind says which functions that call themselves become loops from the last call to
// the first.
func TestUnwind(t *testing.T) {
	for _, c := range []struct {
		test, base, rest string
		loop             bool
	}{
		{"eqi(w,1)", "0", "subi(w,f(subi(w,1)))", true},
		{"gti(2,w)", "w", "muli(3,subi(f(addi(¯1,w)),w))", true},
		{"gtei(w,9)", "w", "subi(f(addi(w,1)),w)", true},
		{"eqi(w,1)", "0", "let x:int = f(subi(w,1)) in if gti(x,w) then x else negi(x)", true},
		{"eqi(w,1)", "0", "subi(w,f(subi(w,2)))", false},            // the limit is skipped
		{"gti(w,9)", "0", "subi(w,f(subi(w,1)))", false},            // away from the limit
		{"eqi(w,1)", "0", "subi(f(subi(w,1)),f(subi(w,1)))", false}, // two calls
		{"eqi(w,1)", "0", "let x:int = f(subi(w,1)) in if gti(f(subi(w,1)),x) then f(subi(w,1)) else x", false},
		{"eqi(w,1)", "0", "subi(f(muli(w,2)),w)", false},                 // no known way back
		{"eqi(w,1)", "0", "subi(muli(w,w),f(subi(w,1)))", false},         // may fault before the call
		{"eqi(w,1)", "0", "if gti(w,5) then f(subi(w,1)) else w", false}, // not on all ways
	} {
		out := optimised(t, "fun rec f (w:int) : int = if "+c.test+" then "+c.base+" else "+c.rest+"\nmain =\n  f(7)", "loops")
		if c.loop {
			assert.Contains(t, out, "power(", out)
			assert.Contains(t, out, "f_deep(w)", out)
		} else {
			assert.NotContains(t, out, "power(", out)
		}
	}
}
