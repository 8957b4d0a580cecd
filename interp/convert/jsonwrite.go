package convert

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf16"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// jsonWriter writes arrays as JSON.
type jsonWriter struct {
	out           strings.Builder
	compact       bool
	ascii, short  bool // characters beyond ASCII are escaped, in JSON5 with \x where it goes
	split         bool // arrays of higher rank are split
	depth, nested int
}

func jsonWritten(o options.Set, y *value.Array, matrix, five bool) (*value.Array, error) {
	w := &jsonWriter{}
	var err error
	if w.compact, err = o.Flag("Compact", true); err != nil {
		return nil, err
	}
	charset, err := o.Word("Charset", "Unicode", "ASCII")
	if err != nil {
		return nil, err
	}
	high, err := o.Word("HighRank", "Error", "Split")
	if err != nil {
		return nil, err
	}
	w.ascii, w.short, w.split = charset == "ASCII", five, high == "Split"
	if matrix {
		err = w.matrix(y)
	} else {
		err = w.value(y)
	}
	if err != nil {
		return nil, err
	}
	return value.Text(w.out.String()), nil
}

var errJSON = prim.Errorf(diag.WrongDomain, "JSON export: the right argument cannot be converted")

// value writes an array: a vector as an array, a text as a string, a namespace as an
// object and an enclosed text as it is.
func (w *jsonWriter) value(y *value.Array) error {
	if w.nested++; w.nested > maxJSONDepth {
		return prim.Errorf(diag.TooDeep, "JSON export: the argument is too deep")
	}
	defer func() { w.nested-- }()
	switch {
	case y.Ref != nil:
		return w.reference(y.Ref)
	case y.Rank() > 1 && !w.split:
		return errJSON
	case y.Rank() > 1:
		return w.list('[', ']', y.Shape[0], func(i int) error { return w.value(y.Major(i)) })
	case y.Kind == value.Char:
		w.text(string(y.Chars))
		return nil
	case y.Rank() == 0 && y.Kind == value.Mixed:
		return w.wrapped(y.Items[0])
	case y.Kind == value.Complex:
		return errJSON
	case y.Rank() == 0:
		w.out.WriteString(NumberText(y))
		return nil
	}
	return w.list('[', ']', y.Len(), func(i int) error { return w.value(y.Item(i)) })
}

// list writes members between brackets.
func (w *jsonWriter) list(open, end byte, n int, member func(i int) error) error {
	w.out.WriteByte(open)
	w.depth++
	for i := 0; i < n; i++ {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.line()
		if err := member(i); err != nil {
			return err
		}
	}
	if w.depth--; n > 0 {
		w.line()
	}
	w.out.WriteByte(end)
	return nil
}

// line begins a line of the padded form.
func (w *jsonWriter) line() {
	if !w.compact {
		w.out.WriteString("\n" + strings.Repeat("    ", w.depth))
	}
}

// name writes the name of a member.
func (w *jsonWriter) name(s string) {
	w.text(s)
	if w.out.WriteByte(':'); !w.compact {
		w.out.WriteByte(' ')
	}
}

// reference writes a namespace, its names in alphabetical order.
func (w *jsonWriter) reference(ref any) error {
	if ref == value.TheNull {
		w.out.WriteString("null")
		return nil
	}
	space, ok := ref.(*value.Namespace)
	if !ok {
		return errJSON
	}
	var names []string
	for _, s := range space.Names() {
		if _, ok := space.Get(s).(*value.Array); ok {
			names = append(names, s)
		}
	}
	sort.Strings(names)
	return w.list('{', '}', len(names), func(i int) error {
		w.name(plainName(names[i]))
		return w.value(space.Get(names[i]).(*value.Array))
	})
}

// text writes a string.
func (w *jsonWriter) text(s string) {
	w.out.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			w.out.WriteString(`\` + string(c))
		case c == '\n':
			w.out.WriteString(`\n`)
		case c == '\r':
			w.out.WriteString(`\r`)
		case c == '\t':
			w.out.WriteString(`\t`)
		case c == '\b':
			w.out.WriteString(`\b`)
		case c == '\f':
			w.out.WriteString(`\f`)
		case c >= ' ' && (c < 127 || !w.ascii):
			w.out.WriteRune(c)
		case c < 256 && w.short:
			fmt.Fprintf(&w.out, `\x%02X`, c)
		default:
			for _, k := range utf16.Encode([]rune{c}) {
				fmt.Fprintf(&w.out, `\u%04X`, k)
			}
		}
	}
	w.out.WriteByte('"')
}

// wrapped writes an enclosed array: a text as it is, or a code and what it says.
func (w *jsonWriter) wrapped(y *value.Array) error {
	if y.Kind == value.Char && y.Rank() <= 1 {
		w.out.WriteString(string(y.Chars))
		return nil
	}
	if y.Kind != value.Mixed || y.Rank() != 1 || y.Len() < 2 || y.Ref != nil {
		return errJSON
	}
	code, err := prim.Whole(y.Item(0))
	if err != nil {
		return errJSON
	}
	rest := y.Items[1:]
	if code == 1 && len(rest) == 1 && rest[0].Kind == value.Char {
		w.out.WriteString(string(rest[0].Chars))
		return nil
	}
	return w.dataset(code, rest)
}

// dataset writes a table as objects: 2 a matrix with the names on top, 3 a matrix
// and the names, 4 the columns and the names; behind it the records and the fields
// that are chosen.
func (w *jsonWriter) dataset(code int, rest []*value.Array) error {
	t := rest[0]
	var names []*value.Array
	var at func(record, field int) *value.Array
	records := 0
	switch {
	case code == 2 && t.Rank() == 2 && t.Shape[0] > 0:
		records = t.Shape[0] - 1
		names = t.AllItems()[:t.Shape[1]]
		at = func(i, j int) *value.Array { return t.Item((i+1)*t.Shape[1] + j) }
	case code == 3 && t.Rank() == 1 && t.Len() == 2 && t.Item(0).Rank() == 2:
		m := t.Item(0)
		records, names = m.Shape[0], t.Item(1).AllItems()
		at = func(i, j int) *value.Array { return m.Item(i*m.Shape[1] + j) }
		if m.Shape[1] != len(names) {
			return errJSON
		}
	case code == 4 && t.Rank() == 1 && t.Len() == 2 && t.Item(0).Len() > 0 && t.Item(0).Len() == t.Item(1).Len():
		columns := t.Item(0).AllItems()
		names, records = t.Item(1).AllItems(), columns[0].Len()
		for _, c := range columns {
			if c.Len() != records {
				return errJSON
			}
		}
		at = func(i, j int) *value.Array { return columns[j].Item(i) }
	default:
		return errJSON
	}
	chosen, err := chosenOf(rest, 1, records)
	if err != nil {
		return err
	}
	fields, err := chosenOf(rest, 2, len(names))
	if err != nil {
		return err
	}
	return w.list('[', ']', len(chosen), func(i int) error {
		return w.list('{', '}', len(fields), func(j int) error {
			w.name(string(names[fields[j]].Chars))
			return w.value(at(chosen[i], fields[j]))
		})
	})
}

// chosenOf returns the indices, from 0, that an item of a wrapper chooses; all if it
// is not there.
func chosenOf(rest []*value.Array, k, n int) ([]int, error) {
	var out []int
	if len(rest) <= k {
		for i := 0; i < n; i++ {
			out = append(out, i)
		}
		return out, nil
	}
	list, err := prim.Ints(rest[k])
	if err != nil {
		return nil, err
	}
	for _, i := range list {
		if i < 1 || i > int64(n) {
			return nil, prim.Errorf(diag.IndexOutside, "JSON export: %d is outside 1…%d", i, n)
		}
		out = append(out, int(i)-1)
	}
	return out, nil
}

// matrix writes the rows of the option Format 'M'.
func (w *jsonWriter) matrix(y *value.Array) error {
	if y.Rank() != 2 || y.Shape[1] != 4 || y.Shape[0] == 0 {
		return errJSON
	}
	end, err := w.row(y, 0)
	if err == nil && end != y.Shape[0] {
		err = errJSON
	}
	return err
}

// row writes row i and those below it, and returns the number of the next one.
func (w *jsonWriter) row(y *value.Array, i int) (int, error) {
	v := y.Item(4*i + 2)
	kind, err := prim.Whole(y.Item(4*i + 3))
	if err != nil {
		return 0, err
	}
	scalar := v.Rank() == 0
	fits := false
	switch kind {
	case jsonObject, jsonArray:
		fits = v.Len() == 0
	case jsonNumber:
		fits = scalar && v.Kind.Numeric()
	case jsonString:
		fits = v.Kind == value.Char && v.Rank() <= 1
	case jsonNull:
		fits = scalar && v.Kind == value.Mixed
	case jsonWord, jsonScript:
		fits = scalar && v.Kind == value.Mixed && v.Ref == nil && v.Items[0].Kind == value.Char
	}
	if !fits {
		return 0, prim.Errorf(diag.WrongDomain, "JSON export: value does not match the specified type in row %d", i+1)
	}
	if kind != jsonObject && kind != jsonArray {
		return i + 1, w.value(v)
	}
	return w.children(y, i, kind == jsonObject)
}

// children writes the rows below row i, which is an object or an array.
func (w *jsonWriter) children(y *value.Array, i int, object bool) (int, error) {
	depth := func(k int) int {
		d, err := prim.Whole(y.Item(4 * k))
		if err != nil {
			return -1
		}
		return d
	}
	var starts []int
	d, end := depth(i), i+1
	for ; end < y.Shape[0] && depth(end) > d; end++ {
		if depth(end) == d+1 {
			starts = append(starts, end)
		}
	}
	brackets := "[]"
	if object {
		brackets = "{}"
	}
	return end, w.list(brackets[0], brackets[1], len(starts), func(k int) error {
		if object {
			name := y.Item(4*starts[k] + 1)
			if name.Kind != value.Char {
				return errJSON
			}
			w.name(string(name.Chars))
		}
		_, err := w.row(y, starts[k])
		return err
	})
}
