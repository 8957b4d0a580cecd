package session

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The frames are those of Dyalog's ]box and DISPLAY.
func TestFramesAroundItems(t *testing.T) {
	for _, c := range []struct{ style, line, want string }{
		{"min", "(1 2)'abc'", `
┌───┬───┐
│1 2│abc│
└───┴───┘
(<int>2, <char>3)
`},
		{"min", "1(2(3 4))", `
┌─┬───────┐
│1│┌─┬───┐│
│ ││2│3 4││
│ │└─┴───┘│
└─┴───────┘
(int, (int, <int>2))
`},
		{"min", "1 'a'", `
1 a
(int, char)
`},
		{"max", "(1 2)'abc'", `
┌→────────────┐
│ ┌→──┐ ┌→──┐ │
│ │1 2│ │abc│ │
│ └~──┘ └───┘ │
└∊────────────┘
(<int>2, <char>3)
`},
		{"max", "'a'(2 2⍴⍳4)", `
┌→────────┐
│   ┌→──┐ │
│ a ↓1 2│ │
│ - │3 4│ │
│   └~──┘ │
└∊────────┘
(char, [2,2]int)
`},
		{"max", "1 'a'", `
┌→──┐
│1 a│
└+──┘
(int, char)
`},
		{"min", "2 2⍴1 'a' 'abc'(2 2⍴⍳4)", `
┌───┬───┐
│1  │a  │
├───┼───┤
│abc│1 2│
│   │3 4│
└───┴───┘
dynamic · 2 2
`},
		{"min", "⊂'abc'", `
┌───┐
│abc│
└───┘
⊂<char>3
`},
		{"max", "⊂1 2 3", `
┌─────────┐
│ ┌→────┐ │
│ │1 2 3│ │
│ └~────┘ │
└∊────────┘
⊂<int>3
`},
		{"max", "⍪'ab'(1 2)", `
┌→──────┐
↓ ┌→─┐  │
│ │ab│  │
│ └──┘  │
│ ┌→──┐ │
│ │1 2│ │
│ └~──┘ │
└∊──────┘
dynamic · 2 1
`},
		{"max", "0⍴⊂1 2 3", `
┌⊖────────┐
│ ┌→────┐ │
│ │0 0 0│ │
│ └~────┘ │
└∊────────┘
[i<0 → <int>3]
`},
		{"max", "0 3⍴0", `
┌→────┐
⌽0 0 0│
└~────┘
[int]2 · 0 3
`},
	} {
		got := transcript(t, "]box on -style="+c.style, c.line)
		assert.Equal(t, "Is ON -style="+c.style+c.want, got, c.line)
	}
}

// Frames are drawn around what is displayed on the way, too, and a line that
// fails leaves nothing behind for the next.
func TestFramesOnTheWay(t *testing.T) {
	got := transcript(t, "]box on", "f←{≢⎕←⍵'ab'}", "f 1 2", "1÷⎕←0", "(1 2)3")
	assert.Contains(t, got, "┌───┬──┐\n│1 2│ab│\n└───┴──┘\n(<int>2, <char>2)\n2   [int]0\n")
	assert.Contains(t, got, "┌───┬─┐\n│1 2│3│\n└───┴─┘\n")
}
