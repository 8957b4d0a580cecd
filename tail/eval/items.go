package eval

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// items and segments: the vectors that a function gives for the numbers of items.

// gathering is a vector to which others are put.
type gathering struct {
	e    *tail.Apply
	all  *array.Array // with room for more
	used int
}

// add puts the elements of an item behind the others.
func (c *gathering) add(m *machine, item *array.Array) {
	n := item.Len()
	if room := c.all.Len(); c.used+n > room {
		more := m.allocRaw(c.e, c.all.Elem, max(2*room, c.used+n))
		copyElems(more, 0, c.all, 0, c.used)
		c.all = more
	}
	copyElems(c.all, c.used, item, 0, n)
	c.used += n
}

// elements is the vector of all elements.
func (c *gathering) elements(m *machine) *array.Array {
	if c.used == c.all.Len() {
		return c.all
	}
	r := m.allocRaw(c.e, c.all.Elem, c.used)
	copyElems(r, 0, c.all, 0, c.used)
	return r
}

// items compiles the op of this name.
func (s *scope) items(e *tail.Apply) tupleCode {
	f := e.Args[0].(*tail.Lam)
	params, body := s.lambda(f)
	count := s.expr(e.Args[1], useKept)
	parts := components(f.Body.Type())
	return func(fr *frame, dst []value) {
		n := fromBits[int64](count(fr).word)
		if n < 0 {
			raise(e, tail.FaultNegative, n)
		}
		v, all, lengths := make([]value, len(parts)), make([]gathering, len(parts)), make([]*array.Array, len(parts))
		for k, t := range parts {
			all[k] = gathering{e: e, all: fr.m.allocRaw(e, t.Elem, 0)}
			if t.Dims() == 0 {
				all[k].all = fr.m.allocRaw(e, t.Elem, int(n))
			} else {
				lengths[k] = fr.m.allocRaw(e, array.Int, int(n))
			}
		}
		for i := range n {
			fr.m.tick()
			fr.slots[params[0]] = value{word: toBits(i + 1)}
			body(fr, v)
			for k := range v {
				if lengths[k] == nil {
					putBits(all[k].all, int(i), v[k].word)
					continue
				}
				lengths[k].Ints[i] = int64(v[k].arr.Len())
				all[k].add(fr.m, v[k].arr)
			}
			for _, x := range v {
				fr.m.pool.give(x)
			}
		}
		for k := range all {
			if lengths[k] == nil {
				dst[0], dst = value{arr: all[k].all}, dst[1:]
				continue
			}
			dst[0], dst[1] = value{arr: all[k].elements(fr.m)}, value{arr: lengths[k]}
			dst = dst[2:]
		}
	}
}

// components are the arrays of a type.
func components(t tail.Type) []*tail.Array {
	if t, ok := t.(*tail.TupleType); ok {
		var all []*tail.Array
		for _, e := range t.Elems {
			all = append(all, components(e)...)
		}
		return all
	}
	return []*tail.Array{t.(*tail.Array)}
}

// segments compiles the op of this name.
func (s *scope) segments(e *tail.Apply) code {
	params, body := s.lambda(e.Args[0].(*tail.Lam))
	counts := s.expr(e.Args[1], useKept)
	elem := e.Ty.(*tail.Array).Elem
	return func(fr *frame) value {
		lengths := counts(fr).arr
		c := gathering{e: e, all: fr.m.allocRaw(e, elem, 0)}
		var v [1]value
		for i := range lengths.Len() {
			fr.m.tick()
			fr.slots[params[0]] = value{word: toBits(int64(i + 1))}
			body(fr, v[:])
			if n := int64(v[0].arr.Len()); n != lengths.Int(i) {
				raise(e, tail.FaultShapes, []int{int(n)}, []int{int(lengths.Int(i))}, 1)
			}
			c.add(fr.m, v[0].arr)
			fr.m.pool.give(v[0])
		}
		return value{arr: c.elements(fr.m)}
	}
}
