package claims

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/array"
)

// of is a value of some elements and shape; number is that of a scalar.
type of struct {
	elem   array.Elem
	shape  []int
	number int64
	items  []Value
}

func (v of) Shape() []int              { return v.shape }
func (v of) Elem() array.Elem          { return v.elem }
func (v of) Fits(want array.Elem) bool { return v.elem.Within(want) }
func (v of) Number() int64             { return v.number }
func (v of) Items() []Value            { return v.items }

func vector(elem array.Elem, n int) Value    { return of{elem: elem, shape: []int{n}} }
func matrix(elem array.Elem, n, m int) Value { return of{elem: elem, shape: []int{n, m}} }
func scalar(elem array.Elem, n int64) Value  { return of{elem: elem, number: n} }

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		note          string
		x, y, z       Value
		argument, end string
	}{
		{"<int>n → <int>n", nil, vector(array.Int, 3), vector(array.Bool, 3), "", ""},
		{"<int>n → <int>n ⍝ as long", nil, vector(array.Int, 3), vector(array.Int, 2), "", "the result of f is <int>n by the annotation, and its shape is 2"},
		{"<int>n+1 → <int>n", nil, vector(array.Int, 0), nil, "the argument of f is <int>n+1 by the annotation, and its shape is 0", ""},
		{"<int>n+1 → <int>n", nil, vector(array.Int, 4), vector(array.Int, 3), "", ""},
		{"int → [n,n]int", nil, scalar(array.Int, 2), matrix(array.Int, 2, 3), "", "the result of f is [n,n]int by the annotation, and its shape is 2 3"},
		{"S(int,n) → <int>n", nil, scalar(array.Int, 2), vector(array.Int, 3), "", "the result of f is <int>n by the annotation, and its shape is 3"},
		{"<a>n → <a>m → <a>n+m", vector(array.Char, 2), vector(array.Char, 3), vector(array.Char, 4), "", "the result of f is <a>n+m by the annotation, and its shape is 4"},
		{"<a>n → <a>m → <a>n+m", vector(array.Char, 2), vector(array.Int, 3), nil, "the right argument of f has elements of type int, but the annotation says <a>m", ""},
		{"κ → κ → κ", scalar(array.Int, 2), scalar(array.Double, 3), scalar(array.Double, 4), "", ""},
		{"κ → κ", nil, scalar(array.Bool, 1), scalar(array.Double, 4), "", "the result of f has elements of type double, but its annotation says κ → κ"},
		{"κ → κ", nil, scalar(array.Complex, 1), nil, "the argument of f has elements of type complex, but the annotation says κ", ""},
		{"[double]r+1 → [double]r", nil, matrix(array.Double, 2, 3), vector(array.Double, 3), "", ""},
		{"[double]r+1 → [double]r", nil, matrix(array.Double, 2, 3), scalar(array.Double, 3), "", "the result of f has rank 0 (shape scalar), but its annotation says [double]r+1 → [double]r"},
		{"[_]2 → int", nil, of{shape: []int{2, 2}}, scalar(array.Int, 3), "", ""},
		{"[a]2 → int", nil, of{shape: []int{2, 2}}, nil, "the argument of f is no simple array of one type, but the annotation says [a]2", ""},
		{"int → (int, <int>n)", nil, scalar(array.Int, 3), of{shape: []int{2}, items: []Value{scalar(array.Int, 3), vector(array.Int, 3)}}, "", ""},
		{"int → (int, int)", nil, scalar(array.Int, 3), vector(array.Int, 3), "", "the result of f has shape 3, but its annotation says int → (int, int)"},
		{"[i<n → <int>i] → <int>n", nil, of{shape: []int{2}, items: []Value{vector(array.Int, 0), vector(array.Bool, 1)}}, vector(array.Int, 2), "", ""},
		{"[i<n → <int>i] → <int>n", nil, of{shape: []int{2}, items: []Value{vector(array.Int, 1), vector(array.Int, 1)}}, nil, "an item of the argument of f is <int>0 by the annotation, and its shape is 1", ""},
		{"[i<n → <int>m] → <int>n", nil, of{shape: []int{2}, items: []Value{vector(array.Int, 3), vector(array.Int, 4)}}, nil, "an item of the argument of f is <int>m by the annotation, and its shape is 4", ""},
		{"[i<n → <int>m] → <int>n", nil, vector(array.Int, 0), vector(array.Int, 1), "", "the result of f is <int>n by the annotation, and its shape is 1"},
		{"[i<n → <int>m] → <int>n", nil, scalar(array.Int, 2), nil, "the argument of f has rank 0 (shape scalar), but the annotation says [i<n → <int>m]", ""},
		{"[i<2,j<2 → (int, char)[j]] → int", nil, of{shape: []int{2, 2}, items: []Value{scalar(array.Int, 1), scalar(array.Char, 1), scalar(array.Char, 1), scalar(array.Char, 1)}}, nil, "an item of the argument of f has elements of type char, but the annotation says [i<2,j<2 → (int, char)[j]]", ""},
		{"int → [i<n → S(int,i+1)]", nil, scalar(array.Int, 2), of{elem: array.Int, shape: []int{2}, items: []Value{scalar(array.Int, 1), scalar(array.Int, 3)}}, "", "an item of the result of f is S(int,2) by the annotation, and its value is 3"},
	} {
		claim := Parse(c.note, 0)
		require.NotNil(t, claim, c.note)
		call, bad := claim.Start("f", c.x, c.y)
		assert.Equal(t, c.argument, bad, c.note)
		if bad == "" {
			assert.Equal(t, c.end, call.Result("f", c.z), c.note)
		}
	}
	assert.Nil(t, Parse("hello", 0))
	assert.Nil(t, Parse("int", 0))
	assert.NotNil(t, Parse("(int → int) → int → int", 1))
	assert.Equal(t, "x is <int>3 by its annotation, and its shape is 2", OfValue("<int>3", "x", vector(array.Int, 2)))
}
