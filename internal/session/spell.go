package session

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
)

// spell returns an expression whose value is a.
func spell(a *array.Array) string {
	data := elements(a)
	if a.Len() == 0 {
		if data = "⍬"; a.Elem == array.Char {
			data = "''"
		}
		if a.Rank() == 1 {
			return data
		}
	}
	switch {
	case a.Rank() == 0:
		return data
	case a.Rank() == 1 && a.Len() > 1:
		return data
	}
	if a.Rank() == 1 {
		return "," + data
	}
	return spellShape(a.Shape) + "⍴" + data
}

// spellShape spells a shape as a strand.
func spellShape(shape []int) string {
	extents := make([]string, len(shape))
	for i, n := range shape {
		extents[i] = strconv.Itoa(n)
	}
	return strings.Join(extents, " ")
}

// spellItems returns an expression for a strand.
func spellItems(i *infer.Items) string {
	if i.Of == nil {
		return "(" + spell(i.Array) + ")"
	}
	parts := make([]string, len(i.Of))
	for k, item := range i.Of {
		if parts[k] = spellItems(item); item.Of != nil {
			parts[k] = "(" + parts[k] + ")"
		}
	}
	all := strings.Join(parts, "")
	if len(parts) == 1 {
		all = "⊂" + parts[0]
	}
	switch {
	case i.Shape == nil && len(parts) == 1:
		return "," + all
	case len(i.Shape) > 1:
		return spellShape(i.Shape) + "⍴" + all
	}
	return all
}

// elements spells the ravel as a strand or a string.
func elements(a *array.Array) string {
	if a.Elem == array.Char {
		return "'" + strings.ReplaceAll(string(a.Chars), "'", "''") + "'"
	}
	items := make([]string, a.Len())
	for i := range items {
		switch a.Elem {
		case array.Complex:
			c := a.Complexes[i]
			items[i] = number(real(c)) + "J" + number(imag(c))
		case array.Double:
			items[i] = number(a.Doubles[i])
		default:
			items[i] = strings.Replace(strconv.FormatInt(a.Int(i), 10), "-", "¯", 1)
		}
	}
	return strings.Join(items, " ")
}

// number spells a double so that it reads back as the same double.
func number(d float64) string {
	text := strconv.FormatFloat(d, 'g', 17, 64)
	if short := strconv.FormatFloat(d, 'g', -1, 64); short != "" {
		text = short
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return strings.ToUpper(strings.ReplaceAll(strings.ReplaceAll(text, "-", "¯"), "+", ""))
}
