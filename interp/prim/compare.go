package prim

import (
	"math"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

// comparison is a row of the table of comparisons.
type comparison struct {
	less, equal, greater byte // the truth value where x<y, x=y, x>y
	ordered              bool // characters and complex numbers have no place in it
	identity             func() *V
}

var comparisons = map[string]*comparison{
	"=": {0, 1, 0, false, one},
	"≠": {1, 0, 1, false, zero},
	"<": {1, 0, 0, true, zero},
	"≤": {1, 1, 0, true, one},
	">": {0, 0, 1, true, zero},
	"≥": {0, 1, 1, true, one},
}

func (t *comparison) apply(c *Context, x, y *V, shape []int, sx, sy int) (*V, error) {
	out := make([]byte, value.Count(shape))
	r := &V{Kind: value.Bool, Shape: shape, Bools: out}
	k := max(x.Kind, y.Kind)
	switch {
	case len(out) == 0:
	case k == value.Char:
		if t.ordered {
			return nil, fault(diag.Characters, "characters where numbers are needed")
		}
		t.characters(x, y, sx, sy, out)
	case k == value.Complex:
		if t.ordered {
			return nil, fault(diag.WrongDomain, "complex numbers have no order")
		}
		xs, ys := x.AsComplexes(), y.AsComplexes()
		for i := range out {
			out[i] = t.less
			if num.EqualZ(xs[i*sx], ys[i*sy], c.Tolerance) {
				out[i] = t.equal
			}
		}
	case k == value.Bool:
		truthTable{t.equal, t.greater, t.less, t.equal}.apply(x.Bools, y.Bools, sx, sy, out)
	case k == value.Int:
		compareAll(t, x.AsInts(), y.AsInts(), sx, sy, out)
	default:
		t.doubles(c.Tolerance, x.AsDoubles(), y.AsDoubles(), sx, sy, out)
	}
	return r, nil
}

func (t *comparison) characters(x, y *V, sx, sy int, out []byte) {
	if x.Kind != y.Kind {
		for i := range out {
			out[i] = t.less
		}
		return
	}
	compareAll(t, x.Chars, y.Chars, sx, sy, out)
}

// compareAll compares elements that lie sx and sy apart, as fit gives them. Each
// comparison is that two numbers are equal, or that one is less, or the contrary.
func compareAll[T int64 | rune](t *comparison, x, y []T, sx, sy int, out []byte) {
	if len(out) == 0 {
		return
	}
	if sx == 0 {
		t, x, y, sy = &comparison{less: t.greater, equal: t.equal, greater: t.less}, y, x, 0
	}
	switch {
	case t.less == t.greater && sy == 0:
		equalOne(out, x, y[0], t.less)
	case t.less == t.greater:
		equalEach(out, x, y, t.less)
	case t.equal == t.greater && sy == 0:
		lessOne(out, x, y[0], t.greater)
	case t.equal == t.greater:
		lessEach(out, x, y, t.greater)
	case sy == 0:
		greaterOne(out, x, y[0], t.less)
	default:
		lessEach(out, y, x, t.less)
	}
}

// The comparisons of all elements of x and those of y, or the one y; flip is 1 for the
// contrary.

func equalEach[T int64 | rune](out []byte, x, y []T, flip byte) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = truth(x[i] == y[i]) ^ flip
	}
}

func lessEach[T int64 | rune](out []byte, x, y []T, flip byte) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = truth(x[i] < y[i]) ^ flip
	}
}

func equalOne[T int64 | rune](out []byte, x []T, y T, flip byte) {
	x = x[:len(out)]
	for i := range out {
		out[i] = truth(x[i] == y) ^ flip
	}
}

func lessOne[T int64 | rune](out []byte, x []T, y T, flip byte) {
	x = x[:len(out)]
	for i := range out {
		out[i] = truth(x[i] < y) ^ flip
	}
}

func greaterOne[T int64 | rune](out []byte, x []T, y T, flip byte) {
	x = x[:len(out)]
	for i := range out {
		out[i] = truth(x[i] > y) ^ flip
	}
}

func (t *comparison) doubles(ct float64, x, y []float64, sx, sy int, out []byte) {
	less, greater := t.less^t.equal, t.greater^t.equal
	for i := range out {
		a, b := x[i*sx], y[i*sy]
		d := math.Abs(a - b)
		near := (truth(d <= ct*math.Abs(a)) | truth(d <= ct*math.Abs(b))) & truth(d <= math.MaxFloat64)
		out[i] = t.equal ^ (less&-truth(a < b)^greater&-truth(a > b))&^-near
	}
}

// truth returns a truth value as a number.
func truth(b bool) byte {
	var k byte
	if b {
		k = 1
	}
	return k
}
