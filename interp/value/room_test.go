package value

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// joined catenates vectors.
func joined(x, y *Array) *Array { return Catenated([]int{x.Len() + y.Len()}, x, y) }

// TestRoom: vectors that begin with the same elements share them, and nothing else.
func TestRoom(t *testing.T) {
	count := make([]int64, 40)
	for i := range count {
		count[i] = int64(i)
	}
	ints := func(v ...int64) *Array { return &Array{Kind: Int, Shape: []int{len(v)}, Ints: v} }
	a := joined(ints(count...), ints(1))
	b := joined(a, ints(2))
	c := joined(b, ints(3))
	d := joined(b, ints(4, 5)) // the place behind b is taken
	e := joined(a, ints(6))
	f := joined(c, &Array{Kind: Bool, Shape: []int{}, Bools: []byte{1}})
	assert.Same(t, &b.Ints[0], &c.Ints[0])
	assert.NotSame(t, &b.Ints[0], &d.Ints[0])
	assert.Same(t, &c.Ints[0], &f.Ints[0])
	for _, w := range []struct {
		v    *Array
		tail []int64
	}{{a, []int64{1}}, {b, []int64{1, 2}}, {c, []int64{1, 2, 3}}, {d, []int64{1, 2, 4, 5}}, {e, []int64{1, 6}}, {f, []int64{1, 2, 3, 1}}} {
		assert.Equal(t, append(append([]int64{}, count...), w.tail...), w.v.Ints)
		assert.Equal(t, []int{len(w.v.Ints)}, w.v.Shape)
		assert.Equal(t, len(w.v.Ints), cap(w.v.Ints), "what follows is not seen")
	}
	changed := f.Copy(f)
	changed.Ints[0] = 99
	assert.Equal(t, int64(0), f.Ints[0])
	assert.Equal(t, []int64{1, 2, 3, 1, 7}, joined(changed, ints(7)).Ints[40:])
	m := joined(f.WithShape([]int{4, 11}).Ravel(), ints(8))
	assert.Equal(t, int64(8), m.Ints[44])

	p := joined(ints(1), ints(count...))
	q := joined(ints(2), p)
	r := joined(ints(3), q)
	o := joined(ints(4), q) // the place before q is taken
	u := joined(r, ints(5)) // there is none behind
	assert.Same(t, &q.Ints[0], &r.Ints[1])
	assert.NotSame(t, &q.Ints[0], &o.Ints[1])
	assert.Equal(t, append([]int64{3, 2, 1}, count...), r.Ints)
	assert.Equal(t, append([]int64{4, 2, 1}, count...), o.Ints)
	assert.Equal(t, append(append([]int64{3, 2, 1}, count...), 5), u.Ints)
	assert.Equal(t, append([]int64{2, 1}, count...), q.Ints)

	char := &Array{Kind: Char, Shape: []int{1}, Chars: []rune{'x'}}
	mixed := joined(joined(joined(c, char), ints(1)), char)
	assert.Equal(t, Mixed, mixed.Kind)
	assert.Equal(t, 46, mixed.Len())
	assert.Equal(t, 'x', mixed.Item(45).Chars[0])
	assert.Equal(t, Double, joined(c, &Array{Kind: Double, Shape: []int{1}, Doubles: []float64{0.5}}).Kind)
}
