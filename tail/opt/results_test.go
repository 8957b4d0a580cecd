package opt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestResults says which functions give truth values: those of which the numbers are 0
// and 1 without calls, and where calls give such.
func TestResults(t *testing.T) {
	for _, c := range []struct{ body, then, result string }{
		{"reshape([1],1)", "cat(m,each(fn v:int => muli(0,v),m))", "[bool]1"},
		{"reshape([1],1)", "cat(m,each(fn v:int => subi(1,v),m))", "[bool]1"},
		{"reshape([1],1)", "cat(m,each(fn v:int => addi(1,v),m))", "[int]1"},
		{"reshape([1],2)", "cat(m,m)", "[int]1"},
		{"reshape([1],1)", "cat(m,g(w))", "[int]1"},
		{"reshape([1],1)", "update(cat(m,m),1,0)", "[bool]1"},
		{"reshape([1],0)", "zipWith(gcdi,m,m)", "[bool]1"},
	} {
		out := optimised(t, "fun g (w:int) : [int]1 = reshape([9],w)\nfun rec f (w:int) : [int]1 =\n  if eqi(w,0) then "+c.body+"\n  else let m:[int]1 = f(subi(w,1)) in "+c.then+
			"\nmain =\n  let r:[int]1 = f(3) in\n  let s:[int]1 = f(2) in\n  cat(r,s)", "simplify", "results", "truths", "simplify")
		assert.Contains(t, out, ") : "+c.result+" =\n  if", out)
	}
}
