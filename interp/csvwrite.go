package interp

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/convert"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// export is ⎕CSV with two arguments.
func (f *csvForm) export(in *Interp, o options.Set, x, y *V) (*V, error) {
	columns, head, err := csvColumns(x)
	if err != nil {
		return nil, err
	}
	end := "\n"
	if v := o["LineEnding"]; v != nil {
		codes, err := prim.Ints(v)
		if err != nil {
			return nil, err
		}
		end = ""
		for _, k := range codes {
			end += string(rune(k))
		}
	}
	lines, err := f.lines(columns, head, end)
	if err != nil {
		return nil, err
	}
	target, description := y, (*V)(nil)
	if y.Kind == value.Mixed && y.Rank() == 1 && y.Len() > 0 && y.Len() <= 2 {
		target = y.Items[0]
		if y.Len() > 1 {
			description = y.Items[1]
		}
	}
	if target.Len() == 0 {
		if description != nil && isText(description, "N") {
			return value.Texts(lines), nil
		}
		return value.Text(joinEnded(lines, end)), nil
	}
	return f.save(in, o, target, description, joinEnded(lines, end))
}

// joinEnded joins lines, each with its end.
func joinEnded(lines []string, end string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, end) + end
}

// save writes the text to a file.
func (f *csvForm) save(in *Interp, o options.Set, target, description *V, content string) (*V, error) {
	e, ok, err := encodingOf(description)
	if err != nil {
		return nil, err
	}
	if !ok {
		e.name = "UTF-8"
	}
	b, err := e.encode([]rune(content))
	if err != nil {
		return nil, err
	}
	in.hide = true
	if target.Kind.Numeric() {
		return in.appendTie(target, b)
	}
	name, err := prim.TextOf(target, "the file name of ⎕CSV")
	if err != nil {
		return nil, err
	}
	exists, err := o.Word("IfExists", "Error", "Replace")
	if err != nil {
		return nil, err
	}
	over, err := o.Flag("Overwrite", false)
	if err != nil {
		return nil, err
	}
	how := mustBeNew
	if exists == "Replace" || over {
		how = replaceFile
	}
	n, err := in.writeBytes(name, e.mark(), b, how)
	return value.Integer(n), err
}

// csvColumns returns the columns of the left argument, and the header: it is a
// matrix, or columns, or one of them and a header.
func csvColumns(x *V) ([][]*V, []*V, error) {
	switch {
	case x.Rank() == 2:
		return matrixColumns(x), nil, nil
	case x.Rank() != 1 || x.Kind != value.Mixed:
		return nil, nil, prim.Errorf(diag.ArgumentRank, "the left argument of ⎕CSV has rank %d", x.Rank())
	}
	if x.Len() == 2 && x.Items[1].Rank() == 1 {
		body, head := x.Items[0], x.Items[1].AllItems()
		if body.Rank() == 2 && (body.Kind != value.Char || body.Shape[1] == len(head)) && body.Shape[1] == len(head) {
			return matrixColumns(body), head, nil
		}
		if c := listedColumns(body); c != nil && len(c) == len(head) {
			return c, head, nil
		}
	}
	c := listedColumns(x)
	if c == nil {
		return nil, nil, prim.Errorf(diag.WrongDomain, "the left argument of ⎕CSV is neither a matrix nor columns")
	}
	for _, column := range c {
		if len(column) != len(c[0]) {
			return nil, nil, prim.Errorf(diag.WrongLength, "the columns of ⎕CSV have %d and %d items", len(c[0]), len(column))
		}
	}
	return c, nil, nil
}

func matrixColumns(x *V) [][]*V {
	out := make([][]*V, x.Shape[1])
	for j := range out {
		out[j] = []*V{}
		for i := 0; i < x.Shape[0]; i++ {
			out[j] = append(out[j], x.Item(i*x.Shape[1]+j))
		}
	}
	return out
}

// listedColumns returns columns that are items: matrices of characters, vectors of
// numbers and vectors of texts; nil if x has others.
func listedColumns(x *V) [][]*V {
	if x.Kind != value.Mixed || x.Rank() != 1 || x.Len() == 0 {
		return nil
	}
	var out [][]*V
	for _, c := range x.Items {
		var column []*V
		switch {
		case c.Kind == value.Char && c.Rank() == 2:
			for _, s := range convert.RowsOf(c) {
				column = append(column, value.Text(strings.TrimRight(s, " ")))
			}
		case c.Rank() == 1 && c.Kind != value.Char:
			column = c.AllItems()
		default:
			return nil
		}
		out = append(out, column)
	}
	return out
}

// lines returns the records as lines.
func (f *csvForm) lines(columns [][]*V, head []*V, end string) ([]string, error) {
	var out []string
	add := func(at func(j int) *V) error {
		fields := make([]string, len(columns))
		for j := range fields {
			s, err := f.fieldText(at(j), j, end)
			if err != nil {
				return err
			}
			fields[j] = s
		}
		by := string(f.separator)
		if f.widths != nil || f.separator == 0 {
			by = ""
		}
		out = append(out, strings.Join(fields, by))
		return nil
	}
	if head != nil {
		if err := add(func(j int) *V { return head[j] }); err != nil {
			return nil, err
		}
	}
	if len(columns) == 0 {
		return out, nil
	}
	for i := range columns[0] {
		if err := add(func(j int) *V { return columns[j][i] }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fieldText writes a number or a text as a field.
func (f *csvForm) fieldText(v *V, j int, end string) (string, error) {
	width := 0
	if f.widths != nil {
		if j >= len(f.widths) {
			return "", prim.Errorf(diag.WrongLength, "%d widths for more columns", len(f.widths))
		}
		width = int(f.widths[j])
	}
	if v.Kind <= value.Double && v.Rank() == 0 {
		s := f.numberField(convert.NumberText(v))
		if f.widths == nil {
			return s, nil
		}
		if len(s) > width {
			return "", prim.Errorf(diag.WrongDomain, "%s is wider than %d", s, width)
		}
		return strings.Repeat(" ", width-len(s)) + s, nil
	}
	if v.Kind != value.Char && v.Len() > 0 || v.Rank() > 1 {
		return "", prim.Errorf(diag.WrongDomain, "a field of ⎕CSV is neither a number nor a text")
	}
	s := string(v.Chars)
	if f.trim {
		s = strings.Trim(s, " \t")
	}
	if f.widths != nil {
		n := len([]rune(s))
		if n > width {
			return "", prim.Errorf(diag.WrongDomain, "%s is wider than %d", s, width)
		}
		return s + strings.Repeat(" ", width-n), nil
	}
	return f.protected(s, end)
}

// numberField gives a number the decimal mark and the separator of thousands.
func (f *csvForm) numberField(s string) string {
	whole, rest := s, ""
	if i := strings.IndexAny(s, ".E"); i >= 0 {
		whole, rest = s[:i], s[i:]
	}
	if f.decimal == ',' {
		rest = strings.Replace(rest, ".", ",", 1)
	}
	if f.thousands != 0 {
		digits := strings.TrimPrefix(whole, "-")
		grouped := ""
		for len(digits) > 3 {
			grouped = string(f.thousands) + digits[len(digits)-3:] + grouped
			digits = digits[:len(digits)-3]
		}
		whole = whole[:len(whole)-len(strings.TrimPrefix(whole, "-"))] + digits + grouped
	}
	s = whole + rest
	if f.quote != 0 && f.separator != 0 && strings.ContainsRune(s, f.separator) {
		s = string(f.quote) + s + string(f.quote)
	}
	return s
}

// protected quotes a text, or escapes its characters, where they mean something.
func (f *csvForm) protected(s, end string) (string, error) {
	special := func(c rune) bool {
		return c == f.separator && c != 0 || c == f.quote && c != 0 || c == f.escape && c != 0 || isLineEnd(c)
	}
	outer := !f.trim || s == strings.Trim(s, " \t")
	if strings.IndexFunc(s, special) < 0 && outer {
		return s, nil
	}
	s = strings.ReplaceAll(s, "\n", end)
	var b strings.Builder
	for _, c := range s {
		switch {
		case f.quote != 0 && c == f.quote && f.double:
			b.WriteRune(c)
		case f.quote != 0 && c != f.quote && (f.escape == 0 || c != f.escape):
		case f.quote == 0 && !special(c):
		case f.escape == 0:
			return "", prim.Errorf(diag.WrongDomain, "a field with %q can neither be quoted nor escaped", c)
		default:
			b.WriteRune(f.escape)
		}
		b.WriteRune(c)
	}
	if f.quote != 0 {
		return string(f.quote) + b.String() + string(f.quote), nil
	}
	return b.String(), nil
}
