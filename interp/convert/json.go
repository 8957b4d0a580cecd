package convert

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// JSON is ⎕JSON: JSON as an array, or with 1 to the left an array as JSON. Without
// a left argument texts are read and other arrays written.
func JSON(o options.Set, x, y *value.Array) (*value.Array, error) {
	write := y.Kind != value.Char
	if x != nil {
		n, err := prim.Whole(x)
		if err != nil || n != 0 && n != 1 {
			return nil, prim.Errorf(diag.WrongDomain, "the left argument of ⎕JSON is 0 or 1")
		}
		write = n == 1
	}
	format, err := o.Word("Format", "D", "M")
	if err != nil {
		return nil, err
	}
	dialect, err := o.Word("Dialect", "JSON", "JSON5")
	if err != nil {
		return nil, err
	}
	if write {
		return jsonWritten(o, y, format == "M", dialect == "JSON5")
	}
	if y.Kind != value.Char && y.Len() > 0 || y.Rank() > 2 {
		return nil, prim.Errorf(diag.WrongDomain, "⎕JSON reads texts")
	}
	n, err := parseJSON(strings.Join(RowsOf(y), "\n"), dialect == "JSON5")
	if err != nil {
		return nil, err
	}
	null := o["Null"]
	if null == nil {
		null = value.Enclose(value.Text("null"))
	}
	if format == "D" {
		return n.array(null), nil
	}
	rows := n.rows(nil, 0, "", null)
	return value.FromItems([]int{len(rows) / 4, 4}, rows), nil
}

// RowsOf returns the rows of a matrix of characters, or a vector as one row.
func RowsOf(y *value.Array) []string {
	if y.Rank() < 2 {
		return []string{string(y.Chars)}
	}
	var out []string
	for i := 0; i < y.Shape[0]; i++ {
		out = append(out, string(y.Chars[i*y.Shape[1]:(i+1)*y.Shape[1]]))
	}
	return out
}

// mangled returns a name of JSON as one of APL: one that is none begins with ⍙, and
// what no name contains is its number between ⍙.
func mangled(name string) string {
	valid := name != "" && !strings.HasPrefix(name, "⍙")
	for i, c := range name {
		valid = valid && (nameLetter(c) || i > 0 && c >= '0' && c <= '9')
	}
	if valid {
		return name
	}
	out := []rune{'⍙'}
	runes := []rune(name)
	for i := 0; i < len(runes); {
		end := i
		digits := true
		for end < len(runes) && runes[end] != '⍙' && (nameLetter(runes[end]) || runes[end] >= '0' && runes[end] <= '9') {
			digits = digits && !nameLetter(runes[end])
			end++
		}
		if end > i && !digits {
			out = append(out, runes[i:end]...)
			i = end
			continue
		}
		if out[len(out)-1] != '⍙' {
			out = append(out, '⍙')
		}
		out = append(append(out, []rune(strconv.Itoa(int(runes[i])))...), '⍙')
		i++
	}
	return string(out)
}

func nameLetter(c rune) bool {
	return c == '_' || c == '∆' || c == '⍙' || c < 256 && unicode.IsLetter(c) && c != 'ª' && c != 'º' && c != 'µ'
}

// plainName returns the name of JSON that was mangled.
func plainName(name string) string {
	rest, ok := strings.CutPrefix(name, "⍙")
	if !ok {
		return name
	}
	var out strings.Builder
	for _, part := range strings.Split(rest, "⍙") {
		if k, err := strconv.ParseUint(part, 10, 21); err == nil && k <= unicode.MaxRune {
			out.WriteRune(rune(k))
		} else {
			out.WriteString(part)
		}
	}
	return out.String()
}

// NameOfJSON is 7162⌶: 0 mangles a name of JSON, 1 is the way back.
func NameOfJSON(x, y *value.Array) (*value.Array, error) {
	if x == nil {
		return nil, prim.Errorf(diag.Unreadable, "7162⌶ takes two arguments")
	}
	k, err := prim.Whole(x)
	if err != nil || k != 0 && k != 1 {
		return nil, prim.Errorf(diag.WrongDomain, "the left argument of 7162⌶ is 0 or 1")
	}
	s, err := prim.TextOf(y, "the argument of 7162⌶")
	if err != nil {
		return nil, err
	}
	if k == 1 {
		return value.Text(plainName(s)), nil
	}
	return value.Text(mangled(s)), nil
}

// NumberText returns the fewest digits that are read as the same number, with -.
func NumberText(v *value.Array) string {
	if v.Kind <= value.Int {
		return strconv.FormatInt(v.Int(0), 10)
	}
	s := ""
	for pp := 15; pp <= 17; pp++ {
		s = display.ASCII(v.Doubles[0], pp)
		if x, err := strconv.ParseFloat(s, 64); err == nil && x == v.Doubles[0] {
			break
		}
	}
	return s
}
