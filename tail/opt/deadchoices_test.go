package opt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDropChoices says which arrays of what conditions give are dropped.
func TestDropChoices(t *testing.T) {
	const nested = "(([int]0, [int]1), [int]1)"
	for _, c := range []struct{ ty, then, other, use, want string }{
		// One array twice, then with another one in a branch.
		{nested, "((0,w),w)", "let u:[int]1 = reverse(w) in ((1,u),u)", "cat(#1(#0(r)),#1(r))", "t:[int]1 = if gti(tally(w),2) then w else reverse(w) in print(cat(t,t))"},
		{nested, "((0,w),w)", "let u:[int]1 = reverse(w) in ((1,u),w)", "cat(#1(#0(r)),#1(r))", "then (w,w) else let u:[int]1 = reverse(w) in (u,w)"},
		// What is not used, and what may fault, is a component of what is used, or is used as a whole.
		{nested, "((0,w),w)", "((1,reverse(w)),drop(1,w))", "#1(r)", "t:[int]1 = if gti(tally(w),2) then w else drop(1,w)"},
		{nested, "((0,w),w)", "((1,iota(subi(2,tally(w)))),drop(1,w))", "#1(r)", "then (w,w) else (iota(subi(2,tally(w))),drop(1,w))"},
		{"([int]1, ([int]1, [int]1))", "(w,(w,w))", "(w,(reverse(w),drop(1,w)))", "#0(#1(r))", "t:[int]1 = if gti(tally(w),2) then w else reverse(w)"},
	} {
		out := optimised(t, "main =\n  let w:[int]1 = replicate([1,2],[7,8]) in\n  let r:"+c.ty+
			" = if gti(tally(w),2) then "+c.then+" else "+c.other+" in\n  print("+c.use+")", "deadcode")
		assert.Contains(t, strings.Join(strings.Fields(out), " "), c.want, out)
	}
}
