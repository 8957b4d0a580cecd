package opt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestEqualStates says which components of a loop's state are kept once: those that begin
// with one value and are made in one way by every step.
func TestEqualStates(t *testing.T) {
	for _, c := range []struct{ ty, program, state string }{
		{"(int,int,int)", "while(fn s:(int,int,int) => lti(#0(s),9),fn s:(int,int,int) => (addi(1,#0(s)),addi(#1(s),1),muli(#2(s),2)),(0,0,1))", "([int]0, [int]0)"},
		{"(int,int,int)", "while(fn s:(int,int,int) => lti(#0(s),9),fn s:(int,int,int) => (addi(1,#0(s)),addi(#1(s),1),muli(#2(s),2)),(0,1,1))", ""},
		{"(int,int,int)", "while(fn s:(int,int,int) => lti(#0(s),9),fn s:(int,int,int) => (addi(1,#0(s)),subi(1,#1(s)),addi(#2(s),1)),(0,0,0))", "([int]0, [int]0)"},
		{"(int,int,int)", "while(fn s:(int,int,int) => lti(#0(s),9),fn s:(int,int,int) => if eqi(resi(2,#0(s)),0) then (addi(1,#0(s)),#1(s),#2(s)) else (addi(1,#0(s)),#0(s),addi(#2(s),1)),(0,0,0))", ""},
		{"(int,int,int)", "power(fn s:(int,int,int) => (addi(#0(s),#1(s)),addi(#2(s),#0(s)),addi(#1(s),#0(s))),4,(1,2,2))", "([int]0, [int]0)"},
		{"(int,int,int)", "power(fn s:(int,int,int) => (subi(#0(s),#1(s)),subi(#1(s),#2(s)),#2(s)),4,(1,1,1))", ""},
	} {
		out := optimised(t, "main =\n  let r:"+c.ty+" = "+c.program+" in\n  [#0(r),#1(r),#2(r)]", "flat", "simplify")
		if c.state == "" {
			assert.Contains(t, out, "([int]0, [int]0, [int]0) = ", out)
			continue
		}
		assert.Contains(t, out, "let t:"+c.state, out)
	}
}
