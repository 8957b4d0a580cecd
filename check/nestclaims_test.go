package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
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

// TestNestedTypeErrors: messages name the types of nested arrays.
func TestNestedTypeErrors(t *testing.T) {
	for source, want := range map[string]string{
		"f←{+/⍵} ⍝: <int>n → int\nf{⍵(⍳⍵)}¨⍳3000":           "the argument of f is a nested array ([i<3000 → (int, <int>(i+1))]), but the annotation says <int>n",
		"f←{⍵:⍳¨⍳9000 ⋄ 'abc'}\nf 1":                        "the branches of the guard differ: a nested array ([i<9000 → <int>(i+1)]) here, a vector of length 3 (char) otherwise",
		"f←{≢¨⍵} ⍝: [i<n → [char]1] → <int>n\nf ⍳¨⍳9":       "the argument of f has an item that has elements of type int, but the annotation says [i<n → [char]1]",
		"f←{≢¨⍵} ⍝: [i<5 → [int]1] → <int>5\nf ⍳¨⍳9":        "the argument of f has 9 items, but the annotation says [i<5 → [int]1]",
		"x←⍳¨⍳5 ⍝: [i<n → <int>i]":                          "the annotation of x does not hold",
		"f←{≢¨⍵} ⍝: [i<n → ([char]1, int)] → <int>n\nf 1 2": "the argument of f is a vector of length 2 (int), but the annotation says [i<n → ([char]1, int)]",
	} {
		tree, err := apl.Parse(diag.NewSource("a", source+"\n"))
		require.NoError(t, err, source)
		r := Program(tree, infer.Options{})
		if assert.NotEmpty(t, r.Errors, source) {
			assert.Equal(t, want, r.Errors[0].Message, source)
		}
	}
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
