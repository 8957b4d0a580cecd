package opt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestStates says which components of a loop's state become truth values: those that
// are 0 and 1 at first and after each step.
func TestStates(t *testing.T) {
	for _, c := range []struct{ ty, program, state string }{
		{"<int>9", "power(fn s:<int>9 => zipWith(gcdi,s,each(fn x:int => b2i(gti(x,3)),iota(9))),3,reshape([9],0))", "<bool>9"},
		{"<int>9", "power(fn s:<int>9 => zipWith(addi,s,each(fn x:int => b2i(gti(x,3)),iota(9))),3,reshape([9],0))", ""},
		{"<int>9", "power(fn s:<int>9 => zipWith(gcdi,s,each(fn x:int => b2i(gti(x,3)),iota(9))),3,iota(9))", ""},
		{"<int>9", "let m:<int>9 = each(fn x:int => b2i(gti(x,3)),iota(9)) in power(fn s:<int>9 => zipWith(gcdi,s,m),3,zipWith(lcmi,m,cons(1,reshape([8],0))))", "<bool>9"},
		{"(int,<int>9)", "power(fn s:(int,<int>9) => (addi(#0(s),1),update(#1(s),#0(s),1)),3,(1,reshape([9],0)))", "([int]0, <bool>9)"},
		{"(int,<int>9)", "power(fn s:(int,<int>9) => (addi(#0(s),1),update(#1(s),#0(s),#0(s))),3,(1,reshape([9],0)))", ""},
		{"(<int>9,<int>9)", "power(fn s:(<int>9,<int>9) => (#1(s),#0(s)),3,(reshape([9],1),reshape([9],0)))", "(<bool>9, <bool>9)"},
		{"(<int>9,<int>9)", "power(fn s:(<int>9,<int>9) => (#1(s),each(fn x:int => addi(x,1),#0(s))),3,(reshape([9],1),reshape([9],0)))", ""},
		{"(int,(<int>9,int))", "while(fn s:(int,(<int>9,int)) => lti(#0(s),5),fn s:(int,(<int>9,int)) => let r:(<int>9,int) = #1(s) in (addi(#0(s),1),(reverse(#0(r)),#1(r))),(1,(take(9,[1,0,1]),3)))", "([int]0, (<bool>9, [int]0))"},
		{"[3,3]int", "power(fn s:[3,3]int => zipWith(gcdi,s,inner(gcdi,lcmi,0,s,s)),3,each(fn x:int => addi(rolli(x),-1),reshape([3,3],2)))", "[3,3]bool"},
		{"[3,3]int", "power(fn s:[3,3]int => zipWith(gcdi,s,inner(gcdi,lcmi,0,s,s)),3,each(fn x:int => addi(rolli(x),-1),reshape([3,3],3)))", ""},
		{"<int>9", "power(fn s:<int>9 => let d:<int>9 = reverse(s) in let v:(<int>9,int) = if gti(index(d,1),0) then (d,1) else (d,0) in #0(v),3,each(fn x:int => resi(2,x),iota(9)))", "<bool>9"},
	} {
		out := optimised(t, "main =\n  let r:"+c.ty+" = "+c.program+" in\n  r", "simplify", "truths", "states")
		if c.state == "" {
			assert.NotContains(t, out, "<bool>9,", out)
			assert.NotContains(t, out, "s:<bool>9", out)
			continue
		}
		assert.Contains(t, out, ":"+c.state, out)
	}
}
