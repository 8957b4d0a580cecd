package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// collector puts the results of a function, one a cell of a frame, together to
// an array. Results that are shorter than others along an axis are padded with
// fill elements, as ↑ does it.
type collector struct {
	e      *tail.Apply
	frame  []int
	dst    *array.Array
	cell   []int // the extents that dst has for a result
	size   int   // their product
	extent []int // the extents of the largest result
}

// add puts in result i; those before are there already.
func (c *collector) add(m *machine, i int, v value) {
	var shape []int
	if v.arr != nil {
		shape = v.arr.Shape
	}
	if c.dst == nil {
		c.cell, c.size, c.extent = shape, array.Count(shape), slices.Clone(shape)
		c.dst = m.allocRaw(c.e, c.e.Ty.(*tail.Array).Elem, slices.Concat(c.frame, shape)...)
	}
	switch {
	case !slices.Equal(shape, c.cell):
		c.pad(m, i, v.arr)
	case v.arr == nil:
		putBits(c.dst, i, v.word)
	default:
		// What fills all the room can be the largest so far, as room grows by more
		// than is asked for.
		copy(c.extent, shape)
		copyElems(c.dst, i*c.size, v.arr, 0, c.size)
	}
}

// pad puts in a result of another shape than the cells of dst have. Where they
// are too small, dst grows by half at least, so that the results are not moved
// too often.
func (c *collector) pad(m *machine, i int, a *array.Array) {
	room := slices.Clone(c.cell)
	for k, n := range a.Shape {
		c.extent[k] = max(c.extent[k], n)
		if n > room[k] {
			room[k] = max(n, room[k]+room[k]/2)
		}
	}
	if !slices.Equal(room, c.cell) {
		c.move(m, i, room)
	}
	fill := fillOf(c.dst.Elem)
	for k := range c.size {
		putBits(c.dst, i*c.size+k, fill)
	}
	copyStrided(c.dst, i*c.size, strides(c.cell), a, 0, strides(a.Shape), a.Shape)
}

// move gives the cells of dst other extents; n results are there.
func (c *collector) move(m *machine, n int, cell []int) {
	dst := m.alloc(c.e, c.dst.Elem, slices.Concat(c.frame, cell)...)
	size := array.Count(cell)
	common := slices.Clone(cell)
	for k := range common {
		common[k] = min(cell[k], c.cell[k])
	}
	for i := range n {
		copyStrided(dst, i*size, strides(cell), c.dst, i*c.size, strides(c.cell), common)
	}
	c.dst, c.cell, c.size = dst, cell, size
}

// none makes the array of an empty frame. Its cells have the extents that the
// type knows, else those of the function's result for fill elements, 0 where
// it has none.
func (c *collector) none(m *machine, blank func() value) {
	t := c.e.Ty.(*tail.Array)
	shape, known := slices.Clone(c.frame), true
	for i := len(c.frame); i < t.Dims(); i++ {
		n, ok := t.Extent(i).IsConst()
		known = known && ok
		shape = append(shape, int(max(0, n)))
	}
	if !known && m.ends(c.e.Args[0].(*tail.Lam)) {
		if v, ok := m.attempt(blank); ok {
			shape = slices.Concat(c.frame, v.arr.Shape)
		}
	}
	c.dst = m.alloc(c.e, t.Elem, shape...)
	c.cell, c.extent = shape[len(c.frame):], shape[len(c.frame):]
}

// ends reports whether f is sure to end, and has no effect.
func (m *machine) ends(f *tail.Lam) bool {
	sure := m.effects.Of(f)&analysis.Impures == 0
	tail.Walk(f.Body, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Call:
			sure = false
		case *tail.Apply:
			sure = sure && e.Op != tail.OpWhile
		}
		return sure
	})
	return sure
}

// attempt returns what f gives, unless it ends with a fault.
func (m *machine) attempt(f func() value) (v value, ok bool) {
	calls, nest, active := m.calls, m.nest, m.active
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			if _, fault := r.err.(*diag.Error); !fault {
				panic(r)
			}
			m.calls, m.nest, m.active, ok = calls, nest, active, false
		default:
			panic(r)
		}
	}()
	return f(), true
}

// result returns the collected cells.
func (c *collector) result(m *machine) value {
	if !slices.Equal(c.extent, c.cell) {
		c.move(m, array.Count(c.frame), c.extent)
	}
	return unbox(c.dst)
}
