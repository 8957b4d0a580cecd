package eval

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Doubles that overflow. An op whose row has FaultFloat faults where its result,
// or a part of a complex one, is infinite or no number. No argument is: literals,
// files and texts with such numbers are refused.

// finite reports whether x is a number.
func finite(x float64) bool { return math.Float64bits(x)>>52&0x7FF != 0x7FF }

// allFinite reports whether all elements of v are numbers.
func allFinite(v []float64) bool {
	const exponent = 0x7FF << 52
	bad := false
	for _, x := range v {
		bad = bad || math.Float64bits(x)&exponent == exponent
	}
	return !bad
}

func finiteZ(z complex128) bool { return finite(real(z)) && finite(imag(z)) }

// float faults where a result is no number.
func (s *site) float(ok bool) {
	if !ok {
		raise(s.Apply, tail.FaultFloat)
	}
}

// number returns x, which must be one.
func (s *site) number(x float64) float64 {
	s.float(finite(x))
	return x
}

// tested is impl with a look at its results.
func tested(impl scalarImpl) scalarImpl {
	return scalarImpl{
		code: func(s *site, args []code) code {
			f := impl.code(s, args)
			return func(fr *frame) value {
				v := f(fr)
				s.float(finite(math.Float64frombits(v.bits)) && finite(math.Float64frombits(v.im)))
				return v
			}
		},
		lane: func(s *site, args []*reg, out *reg) lane {
			f := impl.lane(s, args, out)
			return func(fr *frame, n int) {
				f(fr, n)
				if out.elem == array.Complex {
					for _, z := range cells[complex128](out, n) {
						s.float(finiteZ(z))
					}
					return
				}
				s.float(allFinite(cells[float64](out, n)))
			}
		},
	}
}

// checkFinite faults where an element of x is no number.
func (s *site) checkFinite(x *array.Array) {
	switch x.Elem {
	case array.Double:
		s.float(allFinite(x.Doubles))
	case array.Complex:
		for _, z := range x.Complexes {
			s.float(finiteZ(z))
		}
	}
}
