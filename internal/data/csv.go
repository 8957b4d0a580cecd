package data

import (
	"bytes"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// csv is a reader's state: where it is, and what it has read.
type csv struct {
	name              string
	line              int
	firstLine, fields int // of the first row
	rows              int
	values            *array.Array
}

// ReadCSV returns the matrix of numbers in a comma-separated file (⎕CSV);
// elem is Bool, Int or Double.
func ReadCSV(name string, elem array.Elem) (*array.Array, error) {
	b, err := read(name)
	if err != nil {
		return nil, err
	}
	r := csv{name: name, values: array.New(elem, 0, 0)}
	b = bytes.TrimPrefix(b, byteOrderMark)
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		r.line++
		if err := r.row(line); err != nil {
			return nil, err
		}
		b = rest
	}
	r.values.Shape = []int{r.rows, r.fields}
	return r.values, nil
}

// row reads one line; a blank one is no row.
func (r *csv) row(line []byte) error {
	if len(bytes.TrimFunc(line, isBlank)) == 0 {
		return nil
	}
	fields := 0
	rest, more := line, true
	for more {
		var field []byte
		at := len(line) - len(rest)
		field, rest, more = bytes.Cut(rest, []byte(","))
		if err := r.field(line, at, field); err != nil {
			return err
		}
		fields++
	}
	if r.rows == 0 {
		r.fields, r.firstLine = fields, r.line
	}
	if fields != r.fields {
		return errorf(diag.NotNumber, "%s:%d:1: %d fields where line %d has %d", r.name, r.line, fields, r.firstLine, r.fields)
	}
	r.rows++
	return nil
}

// field reads the field that begins at the given byte of a line.
func (r *csv) field(line []byte, at int, field []byte) error {
	s := bytes.TrimLeftFunc(field, isBlank)
	start := at + len(field) - len(s)
	s = bytes.TrimRightFunc(s, isBlank)
	if n := len(s); n >= 2 && s[0] == '"' && s[n-1] == '"' {
		s = bytes.TrimFunc(s[1:n-1], isBlank)
	}
	v, wrong := parseField(string(s), r.values.Elem)
	if wrong != "" {
		column := columnOf(line, start)
		return errorf(diag.NotNumber, "%s:%d:%d: \"%s\" %s", r.name, r.line, column, quoted(s), wrong)
	}
	switch a := r.values; a.Elem {
	case array.Double:
		a.Doubles = append(a.Doubles, v.Double)
	case array.Int:
		a.Ints = append(a.Ints, v.Int)
	default:
		a.Bools = append(a.Bools, byte(v.Int))
	}
	return nil
}

// columnOf is the column of a byte of a line, from 1, in characters.
func columnOf(line []byte, at int) int {
	column := 1
	for _, c := range line[:at] {
		if utf8.RuneStart(c) {
			column++
		}
	}
	return column
}
