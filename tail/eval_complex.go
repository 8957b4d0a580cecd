package tail

import (
	"math"
	"math/cmplx"

	"github.com/tailor-lang/tailor/internal/num"
)

// Ops on complex numbers.

var complexOps = map[Op]scalarImpl{
	OpAddZ:   dyadic(func(_ *site, x, y complex128) complex128 { return x + y }),
	OpSubZ:   dyadic(func(_ *site, x, y complex128) complex128 { return x - y }),
	OpMulZ:   dyadic(func(_ *site, x, y complex128) complex128 { return num.MulZ(x, y) }),
	OpScaleZ: dyadic(func(_ *site, x float64, y complex128) complex128 { return num.ScaleZ(x, y) }),
	OpDivZ:   dyadic(divZ),
	OpPowZ:   dyadic(powZ),
	OpLogZ:   dyadic(logZ),

	OpCircleZ: dyadic(circleZ),
	OpNegZ:    monadic(func(_ *site, y complex128) complex128 { return -y }),
	OpConjZ:   monadic(func(_ *site, y complex128) complex128 { return cmplx.Conj(y) }),
	OpSignZ:   monadic(func(_ *site, y complex128) complex128 { return num.SignZ(y) }),
	OpRecZ:    monadic(func(s *site, y complex128) complex128 { return divZ(s, 1, y) }),
	OpExpZ:    monadic(func(_ *site, y complex128) complex128 { return num.ExpZ(y) }),
	OpLnZ:     monadic(lnZ),
	OpPiZ:     monadic(func(_ *site, y complex128) complex128 { return complex(math.Pi*real(y), math.Pi*imag(y)) }),
	OpAbsZ:    monadic(func(_ *site, y complex128) float64 { return num.AbsZ(y) }),
	OpReZ:     monadic(func(_ *site, y complex128) float64 { return real(y) }),
	OpImZ:     monadic(func(_ *site, y complex128) float64 { return imag(y) }),
	OpArgZ:    monadic(func(_ *site, y complex128) float64 { return num.Phase(y) }),
	OpFloorZ:  monadic(func(s *site, y complex128) complex128 { return num.FloorZ(y, s.m.ct) }),
	OpCeilZ:   monadic(func(s *site, y complex128) complex128 { return -num.FloorZ(-y, s.m.ct) }),
	OpResZ:    dyadic(func(s *site, x, y complex128) complex128 { return num.ResidueZ(x, y, s.m.ct) }),
	OpGcdZ:    dyadic(func(s *site, x, y complex128) complex128 { return num.GCDZ(x, y, s.m.ct) }),
	OpLcmZ:    dyadic(func(s *site, x, y complex128) complex128 { return num.LCMZ(x, y, s.m.ct) }),
	OpBinZ:    dyadic(binZ),
	OpFactZ:   monadic(factZ),
	OpEqZ:     dyadic(func(s *site, x, y complex128) byte { return boolByte(num.EqualZ(x, y, s.m.ct)) }),
	OpNeqZ:    dyadic(func(s *site, x, y complex128) byte { return boolByte(!num.EqualZ(x, y, s.m.ct)) }),
	OpD2Z:     monadic(func(_ *site, y float64) complex128 { return complex(y, 0) }),
	OpZ2D:     monadic(toReal),
}

func divZ(s *site, x, y complex128) complex128 {
	z, ok := num.DivideZ(x, y)
	if !ok {
		raise(s.Apply, FaultDivide)
	}
	return z
}

func powZ(s *site, x, y complex128) complex128 {
	z, ok := num.PowZ(x, y)
	if !ok {
		raise(s.Apply, FaultDivide)
	}
	return z
}

func lnZ(s *site, y complex128) complex128 {
	if y == 0 {
		raise(s.Apply, FaultOutOfDomain, 0.0)
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
		raise(s.Apply, FaultOutOfDomain, bad)
	}
	return z
}

func circleZ(s *site, x int64, y complex128) complex128 {
	z, ok := num.CircleZ(x, y)
	if !ok {
		raise(s.Apply, FaultCircle, x)
	}
	return z
}

// toReal returns the real number that y is, within tolerance.
func toReal(s *site, y complex128) float64 {
	z, ok := num.RealZ(y, s.m.ct)
	if !ok {
		raise(s.Apply, FaultNotReal, imag(y))
	}
	return z
}

func binZ(s *site, x, y complex128) complex128 {
	z, ok := num.BinomialZ(x, y)
	if !ok {
		raise(s.Apply, FaultOutOfDomain, real(y))
	}
	return z
}

func factZ(s *site, y complex128) complex128 {
	z, ok := num.FactorialZ(y)
	if !ok {
		raise(s.Apply, FaultOutOfDomain, real(y))
	}
	return z
}
