package interp

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// fileName returns the name and the option of a file argument: a text, or a text
// and a number.
func fileName(y *V, what string) (string, int, error) {
	option := 0
	if y.Kind == value.Mixed && y.Rank() == 1 && y.Len() >= 1 {
		if y.Len() > 1 {
			n, err := prim.Whole(y.Item(y.Len() - 1))
			if err != nil {
				return "", 0, err
			}
			option = n
		}
		y = y.Item(0)
	}
	name, err := text(y, "the file name of "+what)
	return name, option, err
}

// readFile is ⎕NGET: the text, or its lines with option 1, its encoding and its
// line ends.
func readFile(_ *Interp, _ *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.Syntax, "⎕NGET takes one argument")
	}
	name, option, err := fileName(y, "⎕NGET")
	if err != nil {
		return nil, err
	}
	chars, err := data.ReadText(name)
	if err != nil {
		return nil, err
	}
	content := value.Characters(chars)
	if option == 1 {
		lines := strings.Split(string(chars), "\n")
		if n := len(lines); lines[n-1] == "" {
			lines = lines[:n-1]
		}
		content = value.Texts(lines)
	}
	return value.FromItems([]int{3}, []*V{content, value.Text("UTF-8-NOBOM"), value.Int64(10)}), nil
}

// writeFile is ⎕NPUT.
func writeFile(in *Interp, _ *Frame, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.Syntax, "⎕NPUT needs a left argument")
	}
	name, option, err := fileName(y, "⎕NPUT")
	if err != nil {
		return nil, err
	}
	content, err := contentOf(x)
	if err != nil {
		return nil, err
	}
	if option == 2 {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return nil, prim.Errorf(diag.System, "cannot write %s: %v", name, err)
		}
		defer f.Close()
		n, err := f.WriteString(string(content))
		if err != nil {
			return nil, prim.Errorf(diag.System, "cannot write %s: %v", name, err)
		}
		in.hide = true
		return value.Integer(n), nil
	}
	n, err := data.WriteText(content, name, option == 1)
	if err != nil {
		return nil, err
	}
	in.hide = true
	return value.Int64(n), nil
}

// contentOf returns the text that ⎕NPUT writes: a text, its lines, or a text with
// its encoding and line ends.
func contentOf(x *V) ([]rune, error) {
	if x.Kind == value.Mixed && x.Len() > 0 && x.Rank() <= 1 {
		x = x.Items[0]
	}
	if x.Kind != value.Mixed {
		s, err := text(x, "the left argument of ⎕NPUT")
		if s != "" && !strings.HasSuffix(s, "\n") {
			s += "\n"
		}
		return []rune(s), err
	}
	var out []rune
	for _, l := range x.AllItems() {
		s, err := text(l, "a line")
		if err != nil {
			return nil, err
		}
		out = append(append(out, []rune(s)...), '\n')
	}
	return out, nil
}

// separated is ⎕CSV.
func separated(in *Interp, _ *Frame, x, y *V) (*V, error) {
	var rest []*V
	if y.Kind == value.Mixed && y.Rank() == 1 && y.Len() > 0 {
		rest = y.Items[1:]
		y = y.Items[0]
	}
	name, err := text(y, "the file name of ⎕CSV")
	if err != nil {
		return nil, err
	}
	if x != nil {
		return writeCSV(in, x, name)
	}
	content := name
	if len(rest) == 0 || !isText(rest[0], "S") {
		if elem := noted(in.note); elem != array.NoElem && len(rest) == 0 {
			a, err := data.ReadCSV(name, elem)
			if err != nil {
				return nil, err
			}
			return value.From(a), nil
		}
		chars, err := data.ReadText(name)
		if err != nil {
			return nil, err
		}
		content = string(chars)
	}
	return parseCSV(content, rest)
}

func isText(v *V, s string) bool { return v.Kind == value.Char && string(v.Chars) == s }

// noted returns the type of numbers that an annotation asks for.
func noted(note string) array.Elem {
	switch {
	case strings.Contains(note, "double"):
		return array.Double
	case strings.Contains(note, "int"):
		return array.Int
	case strings.Contains(note, "bool"):
		return array.Bool
	}
	return array.NoElem
}

// parseCSV makes the matrix of fields. The options are the source's description,
// the types of the columns, and whether the first row is a header.
func parseCSV(content string, rest []*V) (*V, error) {
	r := csv.NewReader(strings.NewReader(content))
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	rows, err := r.ReadAll()
	if err != nil {
		return nil, prim.Errorf(diag.Domain, "%v", err)
	}
	var types []int64
	if len(rest) > 1 && rest[1].Len() > 0 {
		if types, err = prim.Ints(rest[1]); err != nil {
			return nil, err
		}
	}
	header := false
	if len(rest) > 2 {
		n, err := prim.Whole(rest[2])
		if err != nil {
			return nil, err
		}
		header = n == 1
	}
	var head *V
	if header && len(rows) > 0 {
		head, rows = value.Texts(rows[0]), rows[1:]
	}
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	items := make([]*V, 0, len(rows)*columns)
	for _, row := range rows {
		for j := 0; j < columns; j++ {
			field := ""
			if j < len(row) {
				field = row[j]
			}
			v, err := typedField(field, columnType(types, j))
			if err != nil {
				return nil, err
			}
			items = append(items, v)
		}
	}
	table := value.Empty([]int{len(rows), columns}, value.Text(""))
	if len(items) > 0 {
		table = value.FromItems([]int{len(rows), columns}, items)
	}
	if header {
		return value.FromItems([]int{2}, []*V{table, head}), nil
	}
	return table, nil
}

func columnType(types []int64, j int) int64 {
	switch {
	case len(types) == 0:
		return 1
	case len(types) == 1:
		return types[0]
	}
	return types[min(j, len(types)-1)]
}

// typedField is a field as a text (1), or as a number where it is one.
func typedField(field string, kind int64) (*V, error) {
	if kind == 1 {
		return value.Text(field), nil
	}
	if v := parseNumber(strings.ReplaceAll(strings.TrimSpace(field), "-", "¯")); v != nil {
		return v, nil
	}
	switch kind {
	case 4:
		return value.Text(field), nil
	case 3, 5:
		return value.Int64(0), nil
	}
	return nil, prim.Errorf(diag.Domain, "%s is not a number", strconv.Quote(field))
}

// writeCSV is x ⎕CSV name; without a name the text is the result.
func writeCSV(in *Interp, x *V, name string) (*V, error) {
	if x.Rank() != 2 {
		return nil, prim.Errorf(diag.Rank, "the left argument of ⎕CSV has rank %d", x.Rank())
	}
	chars := []rune{}
	if s, ok := x.Simple(); ok {
		chars = data.CSVText(s)
	} else {
		chars = csvText(x)
	}
	if name == "" {
		return value.Characters(chars), nil
	}
	n, err := data.WriteText(chars, name, true)
	if err != nil {
		return nil, err
	}
	in.hide = true
	return value.Int64(n), nil
}

// csvText writes a matrix of texts and numbers.
func csvText(x *V) []rune {
	var b strings.Builder
	columns := x.Shape[1]
	for i, v := range x.Items {
		if v.Kind == value.Char {
			s := string(v.Chars)
			b.WriteString(`"` + strings.ReplaceAll(s, `"`, `""`) + `"`)
		} else {
			b.WriteString(strings.ReplaceAll(prim.Plain(v, 17), "¯", "-"))
		}
		if (i+1)%columns == 0 {
			b.WriteString("\r\n")
		} else {
			b.WriteByte(',')
		}
	}
	return []rune(b.String())
}

// numpy is ⎕NPY.
func numpy(in *Interp, _ *Frame, x, y *V) (*V, error) {
	name, err := text(y, "the file name of ⎕NPY")
	if err != nil {
		return nil, err
	}
	if x == nil {
		elem := noted(in.note)
		for rank := 0; ; rank++ {
			for _, e := range []array.Elem{elem, array.Bool, array.Int, array.Double, array.Char} {
				if e == array.NoElem {
					continue
				}
				a, err := data.ReadNpy(name, e, rank)
				if err == nil {
					return value.From(a), nil
				}
				if rank > 15 {
					return nil, err
				}
			}
		}
	}
	s, ok := x.Simple()
	if !ok {
		return nil, prim.Errorf(diag.Domain, "⎕NPY of a nested array")
	}
	n, err := data.WriteNpy(s, name)
	if err != nil {
		return nil, err
	}
	in.hide = true
	return value.Int64(n), nil
}
