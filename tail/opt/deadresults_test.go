package opt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDropResults says which results of functions are dropped: those that no caller uses,
// the function itself aside.
func TestDropResults(t *testing.T) {
	const recursive = "fun rec f (w:<int>n) : ([int]1, [int]1, [int]1) =\n  if eqi(0,tally(w)) then (int[0]{},int[0]{},int[0]{})\n" +
		"  else let r:([int]1, [int]1, [int]1) = f(drop(1,w)) in let n:[int]0 = tally(w) in\n" +
		"    (cat(w,#0(r)),cons(0,each(fn v:[int]0 => addi(v,n),#1(r))),cons(n,#2(r)))\n"
	const nested = "fun rec f (w:int) : (([int]1, [int]1), bool) =\n  if eqi(0,w) then ((int[0]{},int[0]{}),tt)\n" +
		"  else let r:(([int]1, [int]1), bool) = f(subi(w,1)) in ((cons(w,#0(#0(r))),cons(1,#1(#0(r)))),#1(r))\n"
	for _, c := range []struct{ program, use, result string }{
		{recursive, "#2(r)", "[int]1"},
		{recursive, "cat(#2(r),#0(r))", "([int]1, [int]1)"},
		{recursive, "cons(tally(#1(r)),#2(r))", "([int]1, [int]1)"},
		{recursive, "cat(#1(r),#2(r))", "([int]1, [int]1)"},
		{recursive, "cat(#0(r),cat(#1(r),#2(r)))", "([int]1, [int]1, [int]1)"},
		{nested, "#0(#0(r))", "[int]1"},
		{nested, "cons(b2i(#1(r)),#1(#0(r)))", "(([int]1, [int]1), [bool]0)"},
	} {
		ty, arg := "([int]1, [int]1, [int]1)", "iota(5)"
		if c.program == nested {
			ty, arg = "(([int]1, [int]1), bool)", "5"
		}
		out := optimised(t, c.program+"main =\n  let r:"+ty+" = f("+arg+") in\n  print("+c.use+")", "deadcode")
		assert.Contains(t, out, ") : "+c.result+" =\n", out)
	}
}
