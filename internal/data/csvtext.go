package data

import (
	"strconv"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/display"
)

// CSVText returns a matrix of numbers or characters as lines of fields that
// are separated by commas (⎕CSV). Numbers have the digits that make them be
// read as the same; a character that means something else is put in quotes.
func CSVText(a *array.Array) []rune {
	var text []rune
	for i := range a.Shape[0] {
		for j := range a.Shape[1] {
			if j > 0 {
				text = append(text, ',')
			}
			text = append(text, csvField(a, i*a.Shape[1]+j)...)
		}
		text = append(text, '\n')
	}
	return text
}

func csvField(a *array.Array, i int) []rune {
	switch a.Elem {
	case array.Double:
		return []rune(csvNumber(a.Doubles[i]))
	case array.Char:
		switch c := a.Chars[i]; c {
		case ' ': // fields are trimmed
			return nil
		case '"':
			return []rune{'"', '"', '"', '"'}
		case ',', '\n', '\r':
			return []rune{'"', c, '"'}
		default:
			return []rune{c}
		}
	}
	return []rune(strconv.FormatInt(a.Int(i), 10))
}

// csvNumber returns the fewest of 15 to 17 digits that are read as x.
func csvNumber(x float64) string {
	text := ""
	for pp := 15; pp <= 17; pp++ {
		text = display.ASCII(x, pp)
		if y, err := strconv.ParseFloat(text, 64); err == nil && y == x {
			break
		}
	}
	return text
}
