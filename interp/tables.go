package interp

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/tables"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// ⎕NPZ and ⎕ARROW read a file as two items, arrays and their names, and write it from
// such a left argument.

// named returns arrays and their names as one value.
func named(arrays []*V, names []string) *V {
	all := value.Empty([]int{0}, value.Zilde())
	if len(arrays) > 0 {
		all = value.FromItems([]int{len(arrays)}, arrays)
	}
	return value.Vector(all, value.Texts(names))
}

// namedParts returns the arrays and the names of a left argument.
func namedParts(x *V, what string) ([]*V, []string, error) {
	if x.Rank() != 1 || x.Len() != 2 {
		return nil, nil, prim.Errorf(diag.WrongLength, "%s writes two items: arrays and their names", what)
	}
	arrays, given := x.Item(0), x.Item(1)
	if arrays.Rank() > 1 || given.Rank() > 1 || arrays.Len() != given.Len() {
		return nil, nil, prim.Errorf(diag.WrongLength, "%d names for %d arrays", given.Len(), arrays.Len())
	}
	var names []string
	for _, v := range given.AllItems() {
		s, err := prim.TextOf(v, "a name")
		if err != nil {
			return nil, nil, err
		}
		names = append(names, s)
	}
	return arrays.AllItems(), names, nil
}

// numpyArchive is ⎕NPZ.
func numpyArchive(in *Interp, _ *Frame, x, y *V) (*V, error) {
	name, err := prim.TextOf(y, "the file name of ⎕NPZ")
	if err != nil {
		return nil, err
	}
	if x == nil {
		b, err := in.readBytes(name)
		if err != nil {
			return nil, err
		}
		names, arrays, err := data.ParseNpz(name, b)
		if err != nil {
			return nil, err
		}
		values := make([]*V, len(arrays))
		for i, a := range arrays {
			values[i] = value.From(a)
		}
		return named(values, names), nil
	}
	values, names, err := namedParts(x, "⎕NPZ")
	if err != nil {
		return nil, err
	}
	arrays := make([]*array.Array, len(values))
	for i, v := range values {
		a, ok := v.Simple()
		if !ok {
			return nil, prim.Errorf(diag.WrongDomain, "⎕NPZ of a nested array: %s", names[i])
		}
		arrays[i] = a
	}
	b, err := data.FormatNpz(name, names, arrays)
	if err != nil {
		return nil, err
	}
	return in.rewritten(name, b)
}

// rewritten replaces a file, and gives the number of its bytes.
func (in *Interp) rewritten(name string, b []byte) (*V, error) {
	n, err := in.writeBytes(name, "", b, replaceFile)
	if err != nil {
		return nil, err
	}
	in.hide = true
	return value.Integer(n), nil
}

// arrowTable is ⎕ARROW.
func arrowTable(in *Interp, _ *Frame, x, y *V) (*V, error) {
	name, err := prim.TextOf(y, "the file name of ⎕ARROW")
	if err != nil {
		return nil, err
	}
	if x == nil {
		b, err := in.readBytes(name)
		if err != nil {
			return nil, err
		}
		columns, err := tables.Parse(b)
		if err != nil {
			return nil, prim.Errorf(diag.WrongDomain, "%s: %v", name, err)
		}
		values, names := make([]*V, len(columns)), make([]string, len(columns))
		for i, c := range columns {
			values[i], names[i] = columnValue(c), c.Name
		}
		return named(values, names), nil
	}
	values, names, err := namedParts(x, "⎕ARROW")
	if err != nil {
		return nil, err
	}
	columns := make([]tables.Column, len(values))
	for i, v := range values {
		c, err := columnOf(v, names[i])
		if err != nil {
			return nil, err
		}
		if v.Tally() != values[0].Tally() {
			return nil, prim.Errorf(diag.WrongLength, "the columns %s and %s differ in length", names[0], names[i])
		}
		columns[i] = c
	}
	b, err := tables.Format(columns)
	if err != nil {
		return nil, prim.Errorf(diag.WrongDomain, "%s: %v", name, err)
	}
	return in.rewritten(name, b)
}

// columnValue returns a column as a vector; what is null is ⎕NULL.
func columnValue(c tables.Column) *V {
	var v *V
	switch c.Kind {
	case tables.Bools:
		v = value.Booleans(c.Bools)
	case tables.Ints:
		v = value.Integers(c.Ints)
	case tables.Doubles:
		v = value.Numbers(c.Doubles)
	case tables.Texts:
		v = value.Texts(c.Texts)
	default:
		v = value.Booleans(make([]byte, len(c.Null)))
	}
	if len(c.Null) == 0 {
		return v
	}
	items := append([]*V{}, v.AllItems()...)
	for i, null := range c.Null {
		if null {
			items[i] = value.Reference(value.TheNull)
		}
	}
	return value.FromItems([]int{len(items)}, items)
}

// columnOf makes a column of a vector of numbers, of texts or characters, or of either
// and ⎕NULL; or of the rows of a matrix of characters.
func columnOf(v *V, name string) (tables.Column, error) {
	c := tables.Column{Name: name}
	if v.Rank() != 1 && (v.Rank() != 2 || v.Kind != value.Char) {
		return c, prim.Errorf(diag.WrongRank, "the column %s has rank %d", name, v.Rank())
	}
	numbers := v
	if v.Kind == value.Mixed {
		for _, x := range v.AllItems() {
			null := x.Ref == any(value.TheNull)
			c.Null = append(c.Null, null)
		}
		numbers = withoutNulls(v, c.Null)
		if numbers.Kind != value.Mixed && len(numbers.Shape) == 1 && numbers.Kind != value.Char {
			return filled(c, numbers), nil
		}
	}
	switch v.Kind {
	case value.Bool, value.Int, value.Double:
		return filled(c, v), nil
	case value.Complex:
		return c, prim.Errorf(diag.WrongDomain, "the column %s holds complex numbers", name)
	}
	c.Kind = tables.Texts
	for i := range v.Tally() {
		if c.Null != nil && c.Null[i] {
			c.Texts = append(c.Texts, "")
			continue
		}
		x := v.Major(i)
		if x.Kind == value.Mixed && x.Rank() == 0 && x.Ref == nil {
			x = x.Items[0]
		}
		if x.Kind != value.Char && x.Len() > 0 || x.Ref != nil || x.Rank() > 1 {
			return c, prim.Errorf(diag.WrongDomain, "the column %s holds neither numbers nor texts only", name)
		}
		c.Texts = append(c.Texts, string(x.Chars))
	}
	return c, nil
}

// withoutNulls returns a vector with 0 in place of nulls.
func withoutNulls(v *V, null []bool) *V {
	items := append([]*V{}, v.AllItems()...)
	for i, n := range null {
		if n {
			items[i] = value.Int64(0)
		}
	}
	return value.FromItems(v.Shape, items)
}

// filled gives a column the numbers of a vector.
func filled(c tables.Column, v *V) tables.Column {
	switch v.Kind {
	case value.Bool:
		c.Kind, c.Bools = tables.Bools, v.Bools
	case value.Int:
		c.Kind, c.Ints = tables.Ints, v.Ints
	default:
		c.Kind, c.Doubles = tables.Doubles, v.Doubles
	}
	return c
}
