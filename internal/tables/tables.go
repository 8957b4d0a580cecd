// Package tables reads and writes tables in Apache Arrow's format: files, and streams
// when reading. A table is its columns.
package tables

// Kind is the type of the elements of a column.
type Kind uint8

// The kinds of columns. The zero value is "unset".
const (
	NoKind Kind = iota
	Bools
	Ints
	Doubles
	Texts
)

// Column is a column of a table: one of its slices has an element for each row, or
// with NoKind none has, and all elements are null.
type Column struct {
	Name    string
	Kind    Kind
	Bools   []byte
	Ints    []int64
	Doubles []float64
	Texts   []string
	Null    []bool // the rows that have no value; nil where all have one
}
