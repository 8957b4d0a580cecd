package eval

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Scans. Result item i is the reduction of the first i items. With an
// associative op each follows from the one before; so it does with
// subtraction, whose terms alternate in sign. Of a comparison the two outcomes
// are carried along. All others are computed one by one, in quadratic time, as
// APL defines.

func (s *scope) scan(e *tail.Apply) code {
	f := e.Args[0].(*tail.Lam)
	b := s.binary(e, f)
	args, t := s.args(e.Args[1:], false), e.Ty.(*tail.Array)
	running := b.op.Accumulates()
	alternating := b.op == tail.OpSubI || b.op == tail.OpSubD
	one, compares := oneOf(f)
	return func(fr *frame) value {
		from := args[0](fr)
		x := from.arr
		if x == nil {
			return from
		}
		dst := fr.m.allocRaw(e, t.Elem, x.Shape...)
		outer, n, inner := split(x.Shape, e.Axis)
		for o := range outer {
			for i := range inner {
				v := vector{dst, x, o*n*inner + i, n, inner}
				switch {
				case running:
					v.running(fr, b)
				case alternating:
					v.alternating(b)
				case compares:
					v.outcomes(fr, b, one)
				default:
					v.prefixes(fr, b)
				}
			}
		}
		fr.m.pool.give(from)
		return value{arr: dst}
	}
}

// vector is n elements of x, step apart, and of the result at the same places.
type vector struct {
	dst, x      *array.Array
	at, n, step int
}

func (v vector) running(fr *frame, b *binary) {
	if v.n == 0 {
		return
	}
	fr.m.tick()
	switch {
	case fr.m.env.Plain:
	case b.op == tail.OpAddI:
		runI(&b.site, v)
		return
	case b.op == tail.OpAddD:
		runD(&b.site, v)
		return
	}
	acc := elemBits(v.x, v.at)
	putBits(v.dst, v.at, acc)
	for i, j := 1, v.at+v.step; i < v.n; i, j = i+1, j+v.step {
		acc = b.call(fr, acc, elemBits(v.x, j))
		putBits(v.dst, j, acc)
	}
}

func runI(s *site, v vector) {
	z, x := v.dst.Ints, v.x.Ints
	over, acc := int64(0), x[v.at]
	z[v.at] = acc
	for i, j := 1, v.at+v.step; i < v.n; i, j = i+1, j+v.step {
		y := x[j]
		r := acc + y
		over |= (acc ^ r) & (y ^ r)
		acc = r
		z[j] = r
	}
	if over < 0 {
		s.overflow()
	}
}

func runD(s *site, v vector) {
	z, x := v.dst.Doubles, v.x.Doubles
	acc := x[v.at]
	z[v.at] = acc
	for i, j := 1, v.at+v.step; i < v.n; i, j = i+1, j+v.step {
		acc += x[j]
		z[j] = acc
	}
	s.float(finite(acc)) // what is infinite stays so
}

// alternating computes x1, x1-x2, x1-x2+x3, …
func (v vector) alternating(b *binary) {
	var ai int64
	var ad float64
	for i, j := 0, v.at; i < v.n; i, j = i+1, j+v.step {
		switch {
		case b.op == tail.OpSubD && i&1 == 0:
			ad += v.x.Doubles[j]
		case b.op == tail.OpSubD:
			ad -= v.x.Doubles[j]
		case i&1 == 0:
			ai = addI(&b.site, ai, v.x.Ints[j])
		default:
			ai = subI(&b.site, ai, v.x.Ints[j])
		}
		if b.op == tail.OpSubD {
			v.dst.Doubles[j] = b.site.number(ad)
		} else {
			v.dst.Ints[j] = ai
		}
	}
}

// oneOf returns the 1 of f's type, if f is a comparison of its arguments as numbers.
func oneOf(f *tail.Lam) (word, bool) {
	e, ok := f.Body.(*tail.Apply)
	if !ok || e.Op != tail.OpB2I && e.Op != tail.OpB2D || directOp(&tail.Lam{Params: f.Params, Body: e.Args[0]}) == tail.NoOp {
		return word{}, false
	}
	if e.Op == tail.OpB2I {
		return toBits(int64(1)), true
	}
	return toBits(1.0), true
}

// outcomes scans by a comparison: the result of a prefix is what the items before its last
// two make of their comparison, a 0 or a 1.
func (v vector) outcomes(fr *frame, b *binary, one word) {
	if v.n == 0 {
		return
	}
	last := elemBits(v.x, v.at)
	putBits(v.dst, v.at, last)
	of := [2]word{toBits(int64(0)), one}
	after := func(x, y word) word {
		if b.call(fr, x, y) == one {
			return of[1]
		}
		return of[0]
	}
	for i, j := 1, v.at+v.step; i < v.n; i, j = i+1, j+v.step {
		if i&1023 == 0 {
			fr.m.tick()
		}
		next := elemBits(v.x, j)
		putBits(v.dst, j, after(last, next))
		of = [2]word{after(last, toBits(int64(0))), after(last, one)}
		last = next
	}
}

// prefixes reduces every prefix from its end.
func (v vector) prefixes(fr *frame, b *binary) {
	for i := range v.n {
		putBits(v.dst, v.at+i*v.step, b.fold(fr, v.x, v.at, i+1, v.step))
	}
}
