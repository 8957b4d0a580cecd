package interp

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// csvOptions are the options of ⎕CSV.
const csvOptions = "Invert Separator Widths Decimal Thousands Trim Ragged Fill Records QuoteChar EscapeChar DoubleQuote IfExists Overwrite LineEnding"

// csvForm is the form of comma separated values. A mark of 0 is none.
type csvForm struct {
	separator, quote, escape, decimal, thousands rune
	trim, ragged, double                         bool
	widths                                       []int64
	invert                                       int
	limit                                        int // records of a tied file; 0 is all
	fill                                         *V
}

func csvFormOf(o options.Set) (*csvForm, error) {
	f := &csvForm{fill: value.Int64(0)}
	var errs [11]error
	f.separator, errs[0] = o.Character("Separator", ',')
	f.quote, errs[1] = o.Character("QuoteChar", '"')
	f.escape, errs[2] = o.Character("EscapeChar", 0)
	f.decimal, errs[3] = o.Character("Decimal", '.')
	f.thousands, errs[4] = o.Character("Thousands", 0)
	f.trim, errs[5] = o.Flag("Trim", true)
	f.ragged, errs[6] = o.Flag("Ragged", false)
	f.double, errs[7] = o.Flag("DoubleQuote", true)
	f.invert, errs[8] = o.Number("Invert", 0)
	f.limit, errs[10] = o.Number("Records", 0)
	if w := o["Widths"]; w != nil && w.Len() > 0 {
		f.widths, errs[9] = prim.Ints(w)
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	if v := o["Fill"]; v != nil {
		f.fill = v
	}
	marks := map[rune]bool{}
	for _, c := range []rune{f.separator, f.quote, f.escape} {
		if c != 0 && marks[c] {
			return nil, prim.Errorf(diag.WrongDomain, "two of Separator, QuoteChar and EscapeChar are the same")
		}
		marks[c] = true
	}
	if f.invert < 0 || f.invert > 2 || f.limit < 0 || f.decimal != '.' && f.decimal != ',' || f.fill.Len() != 1 || !f.fill.Kind.Numeric() {
		return nil, prim.Errorf(diag.WrongDomain, "the option Invert is 0, 1 or 2, Records is not negative, Decimal is a point or a comma, Fill a number")
	}
	return f, nil
}

// separated is ⎕CSV.
func separated(in *Interp, o options.Set, x, y *V) (*V, error) {
	f, err := csvFormOf(o)
	if err != nil {
		return nil, err
	}
	if x != nil {
		return f.export(in, o, x, y)
	}
	parts := csvParts(y)
	content, tied, err := csvSource(in, parts)
	if err != nil {
		return nil, err
	}
	if content == nil { // a file of numbers, by an annotation
		return typedCSV(parts[0], noted(in.note))
	}
	types, header, err := csvDescription(parts)
	if err != nil {
		return nil, err
	}
	if tied == nil {
		f.limit = 0
	}
	records, end, err := f.records(*content)
	if err != nil {
		return nil, err
	}
	if f.limit > 0 {
		if err := tied.stop(end); err != nil {
			return nil, err
		}
	}
	return f.table(records, types, header)
}

// csvParts returns the parts of the right argument: the source, its description, the
// types of the columns, and whether the first record is a header.
func csvParts(y *V) []*V {
	if y.Kind == value.Mixed && y.Rank() == 0 && y.Ref == nil {
		y = y.Items[0]
		if y.Kind == value.Mixed {
			return []*V{y}
		}
	}
	if y.Kind != value.Mixed || y.Rank() != 1 || y.Len() < 1 || y.Len() > 4 {
		return []*V{y}
	}
	if y.Len() > 1 && y.Items[0].Kind == value.Char && y.Items[0].Rank() <= 1 {
		if d := y.Items[1]; d.Kind != value.Char || d.Len() > 0 && !isText(d, "S") && !isText(d, "N") && !isEncoding(d) {
			if d.Kind == value.Char || y.Len() == 1 {
				return []*V{y}
			}
		}
	}
	return y.Items
}

func isText(v *V, s string) bool { return v.Kind == value.Char && string(v.Chars) == s }

// csvSource returns the text that is read, nil for a file of numbers, and the stream
// that a tie number stands for.
func csvSource(in *Interp, parts []*V) (*string, *stream, error) {
	source := parts[0]
	var description *V
	if len(parts) > 1 {
		description = parts[1]
	}
	if source.Kind == value.Mixed {
		var lines []string
		for _, l := range source.AllItems() {
			s, err := prim.TextOf(l, "a line of ⎕CSV")
			if err != nil {
				return nil, nil, err
			}
			lines = append(lines, s+"\n")
		}
		s := strings.Join(lines, "")
		return &s, nil, nil
	}
	if source.Kind.Numeric() && source.Len() == 1 {
		t, err := in.readStream(source, description)
		if err != nil {
			return nil, nil, err
		}
		s := string(t.chars)
		return &s, t, nil
	}
	s, err := prim.TextOf(source, "the source of ⎕CSV")
	if err != nil {
		return nil, nil, err
	}
	if description != nil && isText(description, "S") {
		return &s, nil, nil
	}
	if noted(in.note) != array.NoElem && len(parts) == 1 {
		return nil, nil, in.may(s, false)
	}
	b, err := in.readBytes(s)
	if err != nil {
		return nil, nil, err
	}
	chars, _, err := decodeFile(b, description)
	s = string(chars)
	return &s, nil, err
}

// typedCSV reads a file of numbers.
func typedCSV(name *V, elem array.Elem) (*V, error) {
	a, err := data.ReadCSV(string(name.Chars), elem)
	if err != nil {
		return nil, err
	}
	return value.From(a), nil
}

// csvDescription reads the types of the columns and the mark of a header.
func csvDescription(parts []*V) (types []int64, header bool, err error) {
	if len(parts) > 2 && parts[2].Len() > 0 {
		if types, err = prim.Ints(parts[2]); err != nil {
			return nil, false, err
		}
		for _, t := range types {
			if t < 0 || t > 5 {
				return nil, false, prim.Errorf(diag.WrongDomain, "%d is no type of a column", t)
			}
		}
	}
	if len(parts) > 3 {
		n, err := prim.Whole(parts[3])
		if err != nil || n != 0 && n != 1 {
			return nil, false, prim.Errorf(diag.WrongDomain, "the mark of a header is 0 or 1")
		}
		header = n == 1
	}
	return types, header, nil
}

// csvReader cuts a text into fields.
type csvReader struct {
	*csvForm
	in []rune
	at int
}

// full reports whether n records are as many as are read.
func (f *csvForm) full(n int) bool { return f.limit > 0 && n == f.limit }

// records returns the fields of each record, and how many characters they take.
func (f *csvForm) records(s string) ([][]string, int, error) {
	if f.widths != nil {
		return f.fixed(s)
	}
	r := &csvReader{f, []rune(s), 0}
	var out [][]string
	for r.at < len(r.in) && !f.full(len(out)) {
		record, err := r.record()
		if err != nil {
			return nil, 0, err
		}
		out = append(out, record)
	}
	return out, r.at, nil
}

// fixed cuts lines at given widths.
func (f *csvForm) fixed(s string) ([][]string, int, error) {
	total := 0
	for _, w := range f.widths {
		if w < 0 || w > 1<<20 {
			return nil, 0, prim.Errorf(diag.WrongDomain, "a width of a field is %d", w)
		}
		total += int(w)
	}
	var out [][]string
	lines, end := splitLines(s), 0
	for i, l := range lines {
		line := []rune(l.text)
		if i == len(lines)-1 && len(line) == 0 || f.full(i) {
			break
		}
		end += len(line) + len([]rune(l.end))
		if len(line) != total && !f.ragged {
			return nil, 0, prim.Errorf(diag.WrongDomain, "line %d has %d characters, not %d", i+1, len(line), total)
		}
		for len(line) < total {
			line = append(line, ' ')
		}
		var record []string
		at := 0
		for _, w := range f.widths {
			field := string(line[at : at+int(w)])
			if f.trim {
				field = strings.Trim(field, " \t")
			}
			record = append(record, field)
			at += int(w)
		}
		out = append(out, record)
	}
	return out, end, nil
}

// record reads fields up to the end of a line.
func (r *csvReader) record() ([]string, error) {
	var out []string
	for {
		field, err := r.field()
		if err != nil {
			return nil, err
		}
		out = append(out, field)
		if r.at == len(r.in) {
			return out, nil
		}
		c := r.in[r.at]
		r.at++
		if c == r.separator {
			continue
		}
		if c == '\r' && r.at < len(r.in) && r.in[r.at] == '\n' {
			r.at++
		}
		return out, nil
	}
}

func isLineEnd(c rune) bool { return c == '\n' || c == '\r' || c == '\u0085' }

// field reads a field up to the separator or the end of the line.
func (r *csvReader) field() (string, error) {
	var out []rune
	kept := 0 // the characters that are not trimmed
	for r.at < len(r.in) && r.trim && (r.in[r.at] == ' ' || r.in[r.at] == '\t') && r.in[r.at] != r.separator {
		r.at++
	}
	for first := true; r.at < len(r.in); first = false {
		c := r.in[r.at]
		switch {
		case c == r.quote && c != 0 && first:
			if err := r.quoted(&out); err != nil {
				return "", err
			}
			kept = len(out)
		case c == r.escape && c != 0 && r.at+1 < len(r.in):
			out = append(out, r.in[r.at+1])
			r.at += 2
			kept = len(out)
		case c == r.separator || isLineEnd(c):
			return r.trimmed(out, kept), nil
		default:
			out = append(out, c)
			r.at++
		}
	}
	return r.trimmed(out, kept), nil
}

func (r *csvReader) trimmed(out []rune, kept int) string {
	n := len(out)
	for r.trim && n > kept && (out[n-1] == ' ' || out[n-1] == '\t') {
		n--
	}
	return string(out[:n])
}

// quoted reads the part of a field between quotes.
func (r *csvReader) quoted(out *[]rune) error {
	for r.at++; r.at < len(r.in); r.at++ {
		switch c := r.in[r.at]; {
		case c == r.escape && c != 0 && r.at+1 < len(r.in):
			r.at++
			*out = append(*out, r.in[r.at])
		case c == r.quote && r.double && r.at+1 < len(r.in) && r.in[r.at+1] == r.quote:
			r.at++
			*out = append(*out, c)
		case c == r.quote:
			r.at++
			return nil
		case c == '\r':
			if r.at+1 < len(r.in) && r.in[r.at+1] == '\n' {
				r.at++
			}
			*out = append(*out, '\n')
		default:
			*out = append(*out, c)
		}
	}
	return prim.Errorf(diag.WrongDomain, "a quoted field does not end")
}

// evened returns records of one length.
func (f *csvForm) evened(records [][]string, types []int64) ([][]string, int, error) {
	n := 0
	switch {
	case f.ragged && f.widths != nil:
		n = len(f.widths)
	case f.ragged && len(types) > 0:
		n = len(types)
	case f.ragged:
		return nil, 0, prim.Errorf(diag.WrongDomain, "ragged records need the types or the widths of the columns")
	case len(records) > 0:
		n = len(records[0])
	}
	for i, r := range records {
		if len(r) != n && !f.ragged {
			return nil, 0, prim.Errorf(diag.WrongDomain, "record %d has %d fields, not %d", i+1, len(r), n)
		}
		for len(r) < n {
			r = append(r, "")
		}
		records[i] = r[:n]
	}
	return records, n, nil
}

// table makes the result of records.
func (f *csvForm) table(records [][]string, types []int64, header bool) (*V, error) {
	records, n, err := f.evened(records, types)
	if err != nil {
		return nil, err
	}
	var head []string
	if header && len(records) > 0 {
		head, records = records[0], records[1:]
	}
	kinds := make([]int64, n)
	for j := range kinds {
		switch {
		case len(types) == 0:
			kinds[j] = 1
		case len(types) == 1:
			kinds[j] = types[0]
		case len(types) != n:
			return nil, prim.Errorf(diag.WrongLength, "%d types for %d columns", len(types), n)
		default:
			kinds[j] = types[j]
		}
		if kinds[j] == 4 && f.invert == 1 {
			return nil, prim.Errorf(diag.WrongDomain, "columns of type 4 are not inverted")
		}
	}
	var columns [][]*V
	var shown []int64
	var names []string
	for j, kind := range kinds {
		if kind == 0 {
			continue
		}
		column := make([]*V, len(records))
		for i, r := range records {
			if column[i], err = f.typed(r[j], kind); err != nil {
				return nil, err
			}
		}
		columns, shown = append(columns, column), append(shown, kind)
		if head != nil {
			names = append(names, head[j])
		}
	}
	result := f.assembled(columns, shown, len(records))
	if header {
		return value.FromItems([]int{2}, []*V{result, value.Texts(names)}), nil
	}
	return result, nil
}

// assembled makes a matrix of columns, or with the option Invert a vector.
func (f *csvForm) assembled(columns [][]*V, kinds []int64, rows int) *V {
	if f.invert == 0 {
		items := make([]*V, 0, rows*len(columns))
		for i := 0; i < rows; i++ {
			for _, c := range columns {
				items = append(items, c[i])
			}
		}
		if len(items) == 0 {
			return value.Empty([]int{rows, len(columns)}, value.Text(""))
		}
		return value.FromItems([]int{rows, len(columns)}, items)
	}
	var out []*V
	for j, c := range columns {
		switch {
		case rows == 0 && kinds[j] == 1:
			out = append(out, value.Texts(nil))
		case kinds[j] == 1 && f.invert == 1:
			width := 0
			var lines [][]rune
			for _, x := range c {
				lines = append(lines, x.Chars)
				width = max(width, len(x.Chars))
			}
			out = append(out, charMatrix(lines, width))
		case rows == 0:
			out = append(out, value.Zilde())
		default:
			out = append(out, value.FromItems([]int{rows}, c))
		}
	}
	if len(out) == 0 {
		return value.Zilde()
	}
	return value.FromItems([]int{len(out)}, out)
}

// typed is a field as a column of a type has it.
func (f *csvForm) typed(field string, kind int64) (*V, error) {
	if kind == 1 {
		return value.Text(field), nil
	}
	if v := f.number(field); v != nil {
		return v, nil
	}
	empty := strings.TrimSpace(field) == ""
	switch {
	case kind == 4:
		return value.Text(field), nil
	case kind == 3 || kind == 5 && empty:
		return f.fill.Item(0), nil
	}
	return nil, prim.Errorf(diag.WrongDomain, "%q is no number", field)
}

// number reads a number, nil if the field is none.
func (f *csvForm) number(field string) *V {
	s := strings.TrimSpace(field)
	if f.thousands != 0 {
		s = strings.ReplaceAll(s, string(f.thousands), "")
	}
	if f.decimal == ',' {
		if strings.Contains(s, ".") {
			return nil
		}
		s = strings.ReplaceAll(s, ",", ".")
	}
	s = strings.ReplaceAll(s, "¯", "-")
	if s == "" || strings.Trim(s, "0123456789.eE+-") != "" || !strings.ContainsAny(s, "0123456789") {
		return nil
	}
	if k, err := strconv.ParseInt(s, 10, 64); err == nil && k < 1<<53 && k > -1<<53 {
		return value.Int64(k)
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil
	}
	return value.Number(x).Whole()
}
