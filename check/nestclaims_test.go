package check

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/tail"
)

// nestedArgument returns the elements of all items of a nested argument that fits, of which
// a line of APL makes the argument: a strand, or, for odd seeds, items of which the number
// is not known before the program runs. It is nil where there is none.
func (c *claimed) nestedArgument(i int, want *tail.NestType, in instance, length func() int64, seed int) *array.Array {
	n := in.size(want.Counts[0], length)
	if n < 0 || n > 60 {
		return nil
	}
	name := []string{"y", "x"}[len(c.params)-1-i]
	elem, from := array.NoElem, int64(0)
	var items []string
	for k := range max(n, 1) {
		item, ok := want.At(tail.ConstSize(k)).(*tail.Array)
		if !ok {
			return nil
		}
		if elem = item.Elem; item.ElemVar != "" {
			elem = in.elems[item.ElemVar]
		}
		if k == n {
			break
		}
		size := in.size(item.Extent(0), length)
		if size < 0 {
			return nil
		}
		items = append(items, fmt.Sprintf("(%d↑%d↓%s)", size, from, name))
		from += size
	}
	switch len(items) {
	case 0:
		c.nested[i] = fmt.Sprintf("%s←0⍴⊂0↑%[1]s\n", name)
	case 1:
		c.nested[i] = fmt.Sprintf("%s←,⊂%s\n", name, items[0])
	default:
		c.nested[i] = fmt.Sprintf("%s←%s\n", name, strings.Join(items, ""))
	}
	if seed%2 == 1 && n > 0 {
		c.nested[i] += fmt.Sprintf("%s←((≢%[1]s)↑60⍴1)/%[1]s\n", name)
	}
	z := array.New(elem, int(from))
	fill(z, seed+3*i)
	return z
}

// fitsNest is fits of a nested array.
func (in instance) fitsNest(values []*array.Array, known *infer.Known, want *tail.NestType) error {
	if known == nil {
		return nil
	}
	items, ok := itemsOf(values, known.Items)
	if !ok {
		return nil // it is stored by columns
	}
	in.bind(want.Counts[0], int64(len(items)))
	if n := in.size(want.Counts[0], func() int64 { return int64(len(items)) }); n != int64(len(items)) {
		return fmt.Errorf("%d items, not %d", len(items), n)
	}
	for k, item := range items {
		if err := in.fits(item, nil, want.At(tail.ConstSize(int64(k)))); err != nil {
			return fmt.Errorf("item %d: %w", k, err)
		}
	}
	return nil
}

// itemsOf are the arrays of each item of a value.
func itemsOf(values []*array.Array, of *infer.Items) (items [][]*array.Array, ok bool) {
	if of.Of == nil {
		for i := range values[0].Len() {
			items = append(items, []*array.Array{array.ScalarInt(values[0].Int(i))})
		}
		return items, values[0].Elem == array.Int
	}
	of.Fill(values)
	if len(of.Shape) > 0 && of.Shape[0] < 0 {
		return nil, false
	}
	for _, item := range of.Of {
		if item.Array == nil {
			return nil, false
		}
		items = append(items, []*array.Array{item.Array})
	}
	return items, true
}
