package opt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPowers says which loops become powers, and of how many steps: those that count by 1
// from a constant to a constant, and use the count for nothing else.
func TestPowers(t *testing.T) {
	for _, c := range []struct {
		test, step, next string
		first            string
		times            string
	}{
		{"eqi(0,#1(s))", "subi(#1(s),1)", "muli(2,#2(s))", "9", "9"},
		{"eqi(#1(s),9)", "addi(1,#1(s))", "muli(2,#2(s))", "4", "5"},
		{"gti(#1(s),9)", "addi(#1(s),1)", "muli(2,#2(s))", "4", "6"},
		{"lti(#1(s),1)", "addi(¯1,#1(s))", "muli(2,#2(s))", "4", "4"},
		{"gti(9,#1(s))", "subi(#1(s),1)", "muli(2,#2(s))", "20", "12"},
		{"eqi(0,#1(s))", "subi(#1(s),2)", "muli(2,#2(s))", "9", ""},     // steps of 2
		{"eqi(0,#1(s))", "subi(#1(s),1)", "muli(#1(s),#2(s))", "9", ""}, // the count is used
		{"eqi(0,#1(s))", "addi(#1(s),1)", "muli(2,#2(s))", "9", ""},     // away from the limit
		{"eqi(0,#2(s))", "subi(#1(s),1)", "muli(2,#2(s))", "9", ""},     // no counter
	} {
		const state = "(bool,int,int)"
		out := optimised(t, "main =\n  let r:"+state+" = while(fn s:"+state+" => #0(s),fn s:"+state+" => if "+c.test+" then (ff,#1(s),#2(s)) else (tt,"+c.step+","+c.next+"),(tt,"+c.first+",3)) in\n  #2(r)", "simplify", "powers", "simplify")
		if c.times == "" {
			assert.NotContains(t, out, "power(", out)
			continue
		}
		assert.Contains(t, out, "power(", out)
		assert.Contains(t, out, ","+c.times+",", out)
		assert.NotContains(t, out, "while(", out)
	}
}
