package opt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestInitials says which reads of the array that a loop begins with become reads of what it is by then: those at a
// number that every step counts, and changes the array at.
func TestInitials(t *testing.T) {
	for _, c := range []struct {
		next, at, change string
		now              bool
	}{
		{"subi(#0(s),1)", "#0(s)", "#0(s)", true},
		{"addi(3,#0(s))", "#0(s)", "#0(s)", true},
		{"if gti(#0(s),5) then addi(#0(s),1) else addi(#0(s),2)", "#0(s)", "#0(s)", false}, // no constant
		{"muli(2,#0(s))", "#0(s)", "#0(s)", false},                                         // which may stay
		{"#0(s)", "#0(s)", "#0(s)", false},
		{"addi(#0(s),1)", "addi(#0(s),1)", "#0(s)", false},
		{"addi(#0(s),1)", "#0(s)", "subi(#0(s),1)", false},
	} {
		out := optimised(t, "main =\n  let x:<int>9 = each(fn i:int => muli(i,i),iotaV(9)) in\n  let r:(int,<int>9) = power(fn s:(int,<int>9) => ("+c.next+",update(#1(s),"+c.change+",addi(index(x,"+c.at+"),index(#1(s),1)))),2,(2,x)) in\n  #1(r)", "initials")
		assert.Equal(t, c.now, !strings.Contains(out, "index(x,"), out)
	}
}
