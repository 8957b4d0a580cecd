package eval

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// cells and cells2, and the loops power and while.

// lambda binds the parameters of f and compiles its body.
func (s *scope) lambda(f *tail.Lam) (params []int, body tupleCode) {
	base := s.base
	s.base, s.depth = s.n, s.depth+cellNesting
	defer func() { s.base, s.depth = base, s.depth-cellNesting }()
	for _, p := range f.Params {
		params = append(params, s.bind(p))
	}
	return params, s.into(f.Body, useKept)
}

// cellAt returns the cell of n elements and the given shape that begins at
// element i of a; it shares the elements.
func cellAt(a *array.Array, i, n int, shape []int) value {
	if len(shape) == 0 {
		return value{word: elemBits(a, i)}
	}
	c := &array.Array{Elem: a.Elem, Shape: shape}
	switch a.Elem {
	case array.Bool:
		c.Bools = a.Bools[i : i+n : i+n]
	case array.Int:
		c.Ints = a.Ints[i : i+n : i+n]
	case array.Double:
		c.Doubles = a.Doubles[i : i+n : i+n]
	case array.Complex:
		c.Complexes = a.Complexes[i : i+n : i+n]
	case array.Char:
		c.Chars = a.Chars[i : i+n : i+n]
	}
	return value{word{bits: shared}, c}
}

func (s *scope) cells(e *tail.Apply) code {
	params, body := s.lambda(e.Args[0].(*tail.Lam))
	args, k := s.args(e.Args[1:], false), e.Ks[0]
	t := tail.TypeOf(e.Args[1])
	return func(fr *frame) value {
		x := box(args[0](fr), t)
		r := len(x.Shape) - k
		shape := x.Shape[r:]
		n := array.Count(shape)
		c := collector{e: e, frame: x.Shape[:r]}
		var v [1]value
		for i := range array.Count(c.frame) {
			fr.m.tick()
			fr.slots[params[0]] = cellAt(x, i*n, n, shape)
			body(fr, v[:])
			c.add(fr.m, i, v[0])
		}
		if c.dst == nil {
			c.none(fr.m, func() value {
				fr.slots[params[0]] = blank(x, r)
				body(fr, v[:])
				return v[0]
			})
		}
		return c.result(fr.m)
	}
}

// blank returns a cell of fill elements for an array whose frame has rank r;
// what has no frame is its own cell.
func blank(a *array.Array, r int) value {
	shape := a.Shape[r:]
	switch {
	case r == 0:
		return cellAt(a, 0, a.Len(), shape)
	case len(shape) == 0:
		return value{word: fillOf(a.Elem)}
	}
	c := array.New(a.Elem, shape...)
	clearElems(c)
	return value{word{bits: shared}, c}
}

func (s *scope) cells2(e *tail.Apply) code {
	params, body := s.lambda(e.Args[0].(*tail.Lam))
	args := s.args(e.Args[1:], false)
	tx, ty := tail.TypeOf(e.Args[1]), tail.TypeOf(e.Args[2])
	return func(fr *frame) value {
		y := box(args[1](fr), ty)
		x := box(args[0](fr), tx)
		rx, ry := len(x.Shape)-e.Ks[0], len(y.Shape)-e.Ks[1]
		c := collector{e: e, frame: x.Shape[:rx]}
		if rx == 0 {
			c.frame = y.Shape[:ry]
		} else if ry > 0 {
			sameShape(e, x.Shape[:rx], y.Shape[:ry])
		}
		nx, ny := array.Count(x.Shape[rx:]), array.Count(y.Shape[ry:])
		var v [1]value
		for i := range array.Count(c.frame) {
			fr.m.tick()
			ix, iy := i, i
			if rx == 0 {
				ix = 0
			}
			if ry == 0 {
				iy = 0
			}
			fr.slots[params[0]] = cellAt(x, ix*nx, nx, x.Shape[rx:])
			fr.slots[params[1]] = cellAt(y, iy*ny, ny, y.Shape[ry:])
			body(fr, v[:])
			c.add(fr.m, i, v[0])
		}
		if c.dst == nil {
			c.none(fr.m, func() value {
				fr.slots[params[0]], fr.slots[params[1]] = blank(x, rx), blank(y, ry)
				body(fr, v[:])
				return v[0]
			})
		}
		return c.result(fr.m)
	}
}

// loopOne compiles a loop whose state is one array.
func (s *scope) loopOne(e *tail.Apply) code {
	c := s.loop(e)
	return func(fr *frame) value {
		var v [1]value
		c(fr, v[:])
		return v[0]
	}
}

// loop compiles power and while. The state lives in the parameter of the body;
// the body moves it out where it uses it last, so that update can work in
// place.
func (s *scope) loop(e *tail.Apply) tupleCode {
	if e.Op == tail.OpWhile {
		return s.while(e)
	}
	params, body := s.lambda(e.Args[0].(*tail.Lam))
	at, w := params[0], width(e.Ty)
	times := s.expr(e.Args[1], useKept)
	start, line := s.into(e.Args[2], useKept), e.Where.Line()
	return func(fr *frame, dst []value) {
		state, next := fr.slots[at:at+w], make([]value, w)
		start(fr, next)
		n := fromBits[int64](times(fr).word)
		if n < 0 {
			raise(e, tail.FaultInverse, n)
		}
		shown := fr.m.env.Progress.Begin(line, int(n))
		for i := range n {
			fr.m.tick()
			shown.At(int(i))
			copy(state, next)
			body(fr, next)
		}
		shown.End()
		copy(dst, next)
		clear(state)
	}
}

func (s *scope) while(e *tail.Apply) tupleCode {
	seen, cond := s.lambda(e.Args[0].(*tail.Lam))
	params, body := s.lambda(e.Args[1].(*tail.Lam))
	at, w := params[0], width(e.Ty)
	start := s.into(e.Args[2], useKept)
	return func(fr *frame, dst []value) {
		state, next := fr.slots[at:at+w], make([]value, w)
		start(fr, next)
		for {
			fr.m.tick()
			lend(fr.slots[seen[0]:seen[0]+w], next)
			var more [1]value
			if cond(fr, more[:]); more[0].bits&1 == 0 {
				break
			}
			copy(state, next)
			body(fr, next)
		}
		copy(dst, next)
		clear(state)
		clear(fr.slots[seen[0] : seen[0]+w])
	}
}

// lend copies a state for somebody who may look at it only.
func lend(dst, src []value) {
	for i, v := range src {
		if v.arr != nil {
			v.bits |= shared
		}
		dst[i] = v
	}
}
