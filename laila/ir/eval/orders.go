package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// calls are the functions of the run-time library that are no ops of TAIL, in terms of
// these.
var calls = map[string]func(m *Machine, at diag.Span, a []*array.Array) []*array.Array{
	"order": func(m *Machine, at diag.Span, a []*array.Array) []*array.Array {
		places := m.order(at, a[0], a[1])
		return []*array.Array{places, arranged(a[0], places.Ints)}
	},
	"sorted": func(m *Machine, at diag.Span, a []*array.Array) []*array.Array {
		return []*array.Array{arranged(a[0], m.order(at, a[0], a[1]).Ints)}
	},
	"leading": func(m *Machine, at diag.Span, a []*array.Array) []*array.Array {
		places := m.order(at, a[0], a[1]).Ints
		return []*array.Array{array.VectorInt(places[:min(int(a[2].Int(0)), len(places))])}
	},
	// The two texts share their extent: both are given, of which one is read.
	"readchars": func(m *Machine, at diag.Span, a []*array.Array) []*array.Array {
		text, err := m.apply(tail.OpReadText, nil, at, 0, a[:1])
		Must(err)
		wide := slices.ContainsFunc(text.Chars, func(c rune) bool { return int64(c) >= a[1].Int(0) })
		return []*array.Array{array.ScalarBool(!wide), text, text}
	},
	// No row is told: the program finds the places itself.
	"nearest": func(_ *Machine, _ diag.Span, a []*array.Array) []*array.Array {
		return []*array.Array{array.VectorInt(make([]int64, a[0].Shape[a[2].Int(0)]))}
	},
}

// order grades a vector, down where it is asked for.
func (m *Machine) order(at diag.Span, x, down *array.Array) *array.Array {
	op := tail.OpGradeUp
	if down.Int(0) != 0 {
		op = tail.OpGradeDown
	}
	v, err := m.apply(op, nil, at, 0, []*array.Array{x})
	Must(err)
	return v
}

// arranged returns the elements at places, from 1.
func arranged(x *array.Array, places []int64) *array.Array {
	y := array.New(x.Elem, len(places))
	for i, p := range places {
		if x.Elem == array.Double {
			y.Doubles[i] = x.Doubles[p-1]
		} else if x.Elem == array.Complex {
			y.Complexes[i] = x.Complexes[p-1]
		} else {
			setInt(y, i, intOf(x, int(p-1)))
		}
	}
	return y
}
