package opt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDropItems says which components of items are dropped: those that nothing uses, and that
// cannot fault.
func TestDropItems(t *testing.T) {
	for _, c := range []struct{ use, second, items string }{
		{"#0(#0(r))", "reverse(w)", "[int]0 => drop(v,w),"},
		{"#1(#0(r))", "reverse(w)", "[int]0 => drop(v,w),"},
		{"#1(#1(r))", "drop(v,w)", "[int]0 => drop(v,w),"},
		{"cat(#0(#0(r)),#0(#1(r)))", "drop(1,w)", "(drop(v,w),drop(1,w))"},
		{"#0(#0(r))", "iota(subi(v,2))", "(drop(v,w),iota(subi(v,2)))"}, // may fault
	} {
		out := optimised(t, "main =\n  let w:[int]1 = replicate([1,2],[7,8]) in\n"+
			"  let r:(([int]1, [int]1), ([int]1, [int]1)) = items(fn v:[int]0 => (drop(v,w),"+c.second+"),tally(w)) in\n  print("+c.use+")", "deadcode")
		assert.Contains(t, out, c.items, out)
	}
}
