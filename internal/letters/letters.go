// Package letters maps letters between cases, one character to one. The C
// run-time has the same maps, from the table that Header writes.
package letters

import (
	"fmt"
	"strings"
	"unicode"
)

// Upper returns the upper case of a letter, other characters as they are.
func Upper(r rune) rune { return unicode.ToUpper(r) }

// Lower returns the lower case.
func Lower(r rune) rune { return unicode.ToLower(r) }

// Fold returns what stands for a letter in comparisons without regard to case.
func Fold(r rune) rune { return Lower(Upper(r)) }

// Header returns the table of the C run-time: a row a range of letters with
// what is added for upper and for lower case. In an alternating range, of
// pairs, the letter at an even place is the upper case.
func Header() string {
	var b strings.Builder
	b.WriteString("/* Made by `go test ./internal/letters -update`: {first, last, to upper case, to lower case}. */\n")
	for _, c := range unicode.CaseRanges {
		upper, lower := c.Delta[unicode.UpperCase], c.Delta[unicode.LowerCase]
		if upper == unicode.UpperLower {
			upper, lower = 0, 0
		}
		if upper == 0 && lower == 0 && c.Delta[unicode.UpperCase] != unicode.UpperLower {
			continue
		}
		if c.Delta[unicode.UpperCase] == unicode.UpperLower {
			fmt.Fprintf(&b, "{0x%X, 0x%X, TL_PAIRS, TL_PAIRS},\n", c.Lo, c.Hi)
			continue
		}
		fmt.Fprintf(&b, "{0x%X, 0x%X, %d, %d},\n", c.Lo, c.Hi, upper, lower)
	}
	return b.String()
}
