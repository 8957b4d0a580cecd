package eval

import (
	"math"
	"math/cmplx"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// Ops on complex numbers.

var complexOps = map[tail.Op]scalarImpl{
	tail.OpAddZ:   dyadic(func(_ *site, x, y complex128) complex128 { return x + y }),
	tail.OpSubZ:   dyadic(func(_ *site, x, y complex128) complex128 { return x - y }),
	tail.OpMulZ:   dyadic(func(_ *site, x, y complex128) complex128 { return num.MulZ(x, y) }),
	tail.OpScaleZ: dyadic(func(_ *site, x float64, y complex128) complex128 { return num.ScaleZ(x, y) }),
	tail.OpDivZ:   dyadic(divZ),
	tail.OpPowZ:   dyadic(powZ),
	tail.OpLogZ:   dyadic(logZ),

	tail.OpCircleZ: dyadic(circleZ),
	tail.OpNegZ:    monadic(func(_ *site, y complex128) complex128 { return -y }),
	tail.OpConjZ:   monadic(func(_ *site, y complex128) complex128 { return cmplx.Conj(y) }),
	tail.OpSignZ:   monadic(func(_ *site, y complex128) complex128 { return num.SignZ(y) }),
	tail.OpRecZ:    monadic(func(s *site, y complex128) complex128 { return divZ(s, 1, y) }),
	tail.OpExpZ:    monadic(func(_ *site, y complex128) complex128 { return num.ExpZ(y) }),
	tail.OpLnZ:     monadic(lnZ),
	tail.OpPiZ:     monadic(func(_ *site, y complex128) complex128 { return complex(math.Pi*real(y), math.Pi*imag(y)) }),
	tail.OpAbsZ:    monadic(func(_ *site, y complex128) float64 { return num.AbsZ(y) }),
	tail.OpReZ:     monadic(func(_ *site, y complex128) float64 { return real(y) }),
	tail.OpImZ:     monadic(func(_ *site, y complex128) float64 { return imag(y) }),
	tail.OpArgZ:    monadic(func(_ *site, y complex128) float64 { return num.Phase(y) }),
	tail.OpFloorZ:  monadic(func(s *site, y complex128) complex128 { return num.FloorZ(y, s.m.ct) }),
	tail.OpCeilZ:   monadic(func(s *site, y complex128) complex128 { return -num.FloorZ(-y, s.m.ct) }),
	tail.OpResZ:    dyadic(func(s *site, x, y complex128) complex128 { return num.ResidueZ(x, y, s.m.ct) }),
	tail.OpGcdZ:    dyadic(func(s *site, x, y complex128) complex128 { return num.GCDZ(x, y, s.m.ct) }),
	tail.OpLcmZ:    dyadic(func(s *site, x, y complex128) complex128 { return num.LCMZ(x, y, s.m.ct) }),
	tail.OpBinZ:    dyadic(binZ),
	tail.OpFactZ:   monadic(factZ),
	tail.OpEqZ:     dyadic(func(s *site, x, y complex128) byte { return boolByte(num.EqualZ(x, y, s.m.ct)) }),
	tail.OpNeqZ:    dyadic(func(s *site, x, y complex128) byte { return boolByte(!num.EqualZ(x, y, s.m.ct)) }),
	tail.OpD2Z:     monadic(func(_ *site, y float64) complex128 { return complex(y, 0) }),
	tail.OpZ2D:     monadic(toReal),
}

func divZ(s *site, x, y complex128) complex128 {
	z, ok := num.DivideZ(x, y)
	if !ok {
		raise(s.Apply, tail.FaultDivide)
	}
	return z
}

func powZ(s *site, x, y complex128) complex128 {
	z, ok := num.PowZ(x, y)
	if !ok {
		raise(s.Apply, tail.FaultDivide)
	}
	return z
}

func lnZ(s *site, y complex128) complex128 {
	if y == 0 {
		raise(s.Apply, tail.FaultOutOfDomain, 0.0)
	}
	return num.LnZ(y)
}

func logZ(s *site, x, y complex128) complex128 {
	z, ok := num.LogZ(x, y)
	if !ok {
		bad := real(y)
		if y != 0 {
			bad = real(x)
		}
		raise(s.Apply, tail.FaultOutOfDomain, bad)
	}
	return z
}

func circleZ(s *site, x int64, y complex128) complex128 {
	z, ok := num.CircleZ(x, y)
	if !ok {
		raise(s.Apply, tail.FaultCircle, x)
	}
	return z
}

// toReal returns the real number that y is, within tolerance.
func toReal(s *site, y complex128) float64 {
	z, ok := num.RealZ(y, s.m.ct)
	if !ok {
		raise(s.Apply, tail.FaultNotReal, imag(y))
	}
	return z
}

func binZ(s *site, x, y complex128) complex128 {
	z, ok := num.BinomialZ(x, y)
	if !ok {
		raise(s.Apply, tail.FaultOutOfDomain, real(y))
	}
	return z
}

func factZ(s *site, y complex128) complex128 {
	z, ok := num.FactorialZ(y)
	if !ok {
		raise(s.Apply, tail.FaultOutOfDomain, real(y))
	}
	return z
}
