package opt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDropItems says which components of items are dropped: those that nothing uses, and that
// cannot fault.
func TestDropItems(t *testing.T) {
	const two, mixed, deep = "(([int]1, [int]1), ([int]1, [int]1))", "([int]1, ([int]1, [int]1))", "(([int]1, [int]1), ([int]1, ([int]1, [int]1)))"
	for _, c := range []struct{ ty, body, use, items string }{
		{two, "(drop(v,w),reverse(w))", "#0(#0(r))", "items(fn v:[int]0 => drop(v,w),tally(w))"},
		{two, "(drop(v,w),reverse(w))", "#1(#0(r))", "items(fn v:[int]0 => drop(v,w),tally(w))"},
		{two, "(reverse(w),drop(v,w))", "#1(#1(r))", "items(fn v:[int]0 => drop(v,w),tally(w))"},
		{two, "(drop(v,w),drop(1,w))", "cat(#0(#0(r)),#0(#1(r)))", "(drop(v,w),drop(1,w))"},
		{two, "(drop(v,w),iota(subi(v,2)))", "#0(#0(r))", "(drop(v,w),iota(subi(v,2)))"}, // may fault
		{mixed, "(index(w,v),reverse(w))", "#0(r)", "each(fn v:[int]0 => index(w,v),iota(tally(w)))"},
		{mixed, "(index(w,v),reverse(w))", "#0(#1(r))", "items(fn v:[int]0 => reverse(w),tally(w))"},
		{deep, "(drop(v,w),(index(w,v),reverse(w)))", "cat(#0(#1(r)),#0(#1(#1(r))))", "items(fn v:[int]0 => (index(w,v),reverse(w)),tally(w))"},
	} {
		out := optimised(t, "main =\n  let w:[int]1 = replicate([1,2],[7,8]) in\n"+
			"  let r:"+c.ty+" = items(fn v:[int]0 => "+c.body+",tally(w)) in\n  print("+c.use+")", "deadcode")
		assert.Contains(t, out, c.items, out)
	}
}
