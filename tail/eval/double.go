package eval

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/letters"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// Ops on doubles.

var doubleOps = map[tail.Op]scalarImpl{
	tail.OpAddD: dyadicLoop(func(_ *site, x, y float64) float64 { return x + y }, addDLoop),
	tail.OpSubD: dyadicLoop(func(_ *site, x, y float64) float64 { return x - y }, subDLoop),
	tail.OpMulD: dyadicLoop(func(_ *site, x, y float64) float64 { return x * y }, mulDLoop),
	tail.OpDivD: dyadicLoop(divD, divDLoop),
	tail.OpMinD: dyadicLoop(func(_ *site, x, y float64) float64 { return lesser(x, y) }, minLoop[float64]),
	tail.OpMaxD: dyadicLoop(func(_ *site, x, y float64) float64 { return greater(x, y) }, maxLoop[float64]),
	tail.OpResD: dyadic(func(s *site, x, y float64) float64 { return num.Residue(x, y, s.m.ct) }),
	tail.OpResX: dyadic(func(_ *site, x, y float64) float64 { return num.Residue(x, y, 0) }),
	tail.OpFmaD: triadic(math.FMA),
	tail.OpPowD: dyadic(powD),
	tail.OpLogD: dyadic(logD),
	tail.OpGcdD: dyadic(func(s *site, x, y float64) float64 { return num.GCD(x, y, s.m.ct) }),
	tail.OpLcmD: dyadic(func(s *site, x, y float64) float64 { return num.LCM(x, y, s.m.ct) }),
	tail.OpBinD: dyadic(binD),

	tail.OpCircle: dyadic(func(s *site, x int64, y float64) float64 { return circle(s, x, y) }),
	tail.OpFactD:  monadic(factD),
	tail.OpNegD:   monadicLoop(func(_ *site, y float64) float64 { return -y }, negDLoop),
	tail.OpAbsD:   monadicLoop(func(_ *site, y float64) float64 { return math.Abs(y) }, absDLoop),
	tail.OpSignD:  monadic(func(_ *site, y float64) int64 { return num.Sign(y) }),
	tail.OpRecD:   monadic(func(s *site, y float64) float64 { return divD(s, 1, y) }),
	tail.OpExpD:   real1(math.Exp),
	tail.OpLnD:    monadic(lnD),
	tail.OpSqrtD:  monadicLoop(sqrtD, sqrtLoop),
	tail.OpPiD:    real1(func(y float64) float64 { return math.Pi * y }),
	tail.OpSinD:   circular(1),
	tail.OpCosD:   circular(2),
	tail.OpTanD:   circular(3),
	tail.OpSinhD:  circular(5),
	tail.OpCoshD:  circular(6),
	tail.OpTanhD:  circular(7),
	tail.OpAsinD:  circular(-1),
	tail.OpAcosD:  circular(-2),
	tail.OpAtanD:  circular(-3),
	tail.OpAsinhD: circular(-5),
	tail.OpAcoshD: circular(-6),
	tail.OpAtanhD: circular(-7),
	tail.OpFloorD: monadic(func(s *site, y float64) int64 { return toInt(s, num.Floor(y, s.m.ct)) }),
	tail.OpCeilD:  monadic(func(s *site, y float64) int64 { return toInt(s, num.Ceil(y, s.m.ct)) }),
	tail.OpFloorX: monadic(func(s *site, y float64) int64 { return toInt(s, math.Floor(y)) }),
	tail.OpCeilX:  monadic(func(s *site, y float64) int64 { return toInt(s, math.Ceil(y)) }),

	tail.OpLtD:  tolerant(num.Less, ltNear),
	tail.OpLteD: tolerant(num.LessEqual, lteNear),
	tail.OpGtD:  tolerant(num.Greater, func(z []byte, x, y []float64, ct float64) { ltNear(z, y, x, ct) }),
	tail.OpGteD: tolerant(num.GreaterEqual, func(z []byte, x, y []float64, ct float64) { lteNear(z, y, x, ct) }),
	tail.OpEqD:  tolerant(num.Equal, eqNear),
	tail.OpNeqD: tolerant(func(x, y, ct float64) bool { return !num.Equal(x, y, ct) }, neqNear),
	tail.OpLtX:  comparison(func(x, y float64) bool { return x < y }, ltLoop[float64]),
	tail.OpLteX: comparison(func(x, y float64) bool { return x <= y }, lteLoop[float64]),
	tail.OpGtX:  comparison(func(x, y float64) bool { return x > y }, gtLoop[float64]),
	tail.OpGteX: comparison(func(x, y float64) bool { return x >= y }, gteLoop[float64]),
	tail.OpEqX:  comparison(func(x, y float64) bool { return x == y }, eqLoop[float64]),
	tail.OpNeqX: comparison(func(x, y float64) bool { return x != y }, neqLoop[float64]),

	tail.OpRollD: niladic(func(s *site) float64 { return s.m.world.random.RollUnit() }),
}

func real1(f func(y float64) float64) scalarImpl {
	return monadicLoop(func(_ *site, y float64) float64 { return f(y) }, func(_ *site, z, y []float64) {
		for i := range z {
			z[i] = f(y[i])
		}
	})
}

// tolerant is the implementation of a comparison with tolerance.
func tolerant(f func(x, y, ct float64) bool, loop func(z []byte, x, y []float64, ct float64)) scalarImpl {
	return dyadicLoop(
		func(s *site, x, y float64) byte { return boolByte(f(x, y, s.m.ct)) },
		func(s *site, z []byte, x, y []float64) { loop(z, x, y, s.m.ct) })
}

func divD(s *site, x, y float64) float64 {
	if y == 0 {
		if x != 0 {
			raise(s.Apply, tail.FaultDivide)
		}
		return 1
	}
	return x / y
}

func powD(s *site, x, y float64) float64 {
	switch {
	case x < 0 && y != math.RoundToEven(y):
		raise(s.Apply, tail.FaultComplexResult, x)
	case x == 0 && y < 0:
		raise(s.Apply, tail.FaultDivide)
	}
	return num.Pow(x, y)
}

func logD(s *site, x, y float64) float64 {
	z, ok := num.Log(x, y)
	if !ok && num.LogLeavesReals(x, y) {
		bad := x
		if y < 0 {
			bad = y
		}
		raise(s.Apply, tail.FaultComplexResult, bad)
	}
	if !ok {
		bad := y
		if y > 0 {
			bad = x
		}
		raise(s.Apply, tail.FaultOutOfDomain, bad)
	}
	return z
}

func lnD(s *site, y float64) float64 {
	if y < 0 {
		raise(s.Apply, tail.FaultComplexResult, y)
	}
	if y <= 0 {
		raise(s.Apply, tail.FaultOutOfDomain, y)
	}
	return num.Ln(y)
}

func sqrtD(s *site, y float64) float64 {
	if y < 0 {
		raise(s.Apply, tail.FaultComplexResult, y)
	}
	return math.Sqrt(y)
}

func binD(s *site, x, y float64) float64 {
	z, ok := num.Binomial(x, y)
	if !ok {
		raise(s.Apply, tail.FaultOutOfDomain, y)
	}
	return z
}

func factD(s *site, y float64) float64 {
	z, ok := num.Factorial(y)
	if !ok {
		raise(s.Apply, tail.FaultOutOfDomain, y)
	}
	return z
}

func circle(s *site, x int64, y float64) float64 {
	z, ok := num.Circle(x, y)
	if !ok && num.CircleLeavesReals(x, y) {
		raise(s.Apply, tail.FaultComplexResult, y)
	}
	if !ok {
		bad := y
		if x < -7 || x > 7 {
			bad = float64(x)
		}
		raise(s.Apply, tail.FaultOutOfDomain, bad)
	}
	return z
}

// circular is the implementation of x○y for a fixed x.
func circular(x int64) scalarImpl {
	return monadic(func(s *site, y float64) float64 { return circle(s, x, y) })
}

// toInt returns the integral y as an int; beyond 64 bits it faults.
func toInt(s *site, y float64) int64 {
	z, ok := num.Int(y)
	if !ok {
		raise(s.Apply, tail.FaultOverflow)
	}
	return z
}

var boolOps = map[tail.Op]scalarImpl{
	tail.OpAndB:  dyadicLoop(func(_ *site, x, y byte) byte { return x & y }, andLoop),
	tail.OpOrB:   dyadicLoop(func(_ *site, x, y byte) byte { return x | y }, orLoop),
	tail.OpXorB:  dyadicLoop(func(_ *site, x, y byte) byte { return x ^ y }, xorLoop),
	tail.OpEqB:   dyadicLoop(func(_ *site, x, y byte) byte { return x ^ y ^ 1 }, eqLoop[byte]),
	tail.OpNandB: dyadic(func(_ *site, x, y byte) byte { return x&y ^ 1 }),
	tail.OpNorB:  dyadic(func(_ *site, x, y byte) byte { return (x | y) ^ 1 }),
	tail.OpNotB:  monadicLoop(func(_ *site, y byte) byte { return y ^ 1 }, notLoop),
	tail.OpEqC:   comparison(func(x, y rune) bool { return x == y }, eqLoop[rune]),
	tail.OpNeqC:  comparison(func(x, y rune) bool { return x != y }, neqLoop[rune]),
}

var coercions = map[tail.Op]scalarImpl{
	tail.OpB2I:    monadicLoop(func(_ *site, y byte) int64 { return int64(y) }, convertLoop[byte, int64]),
	tail.OpI2D:    monadicLoop(func(_ *site, y int64) float64 { return float64(y) }, convertLoop[int64, float64]),
	tail.OpB2D:    monadicLoop(func(_ *site, y byte) float64 { return float64(y) }, convertLoop[byte, float64]),
	tail.OpC2I:    monadicLoop(func(_ *site, y rune) int64 { return int64(y) }, convertLoop[rune, int64]),
	tail.OpI2C:    monadic(toChar),
	tail.OpUpperC: monadic(func(_ *site, y rune) rune { return letters.Upper(y) }),
	tail.OpLowerC: monadic(func(_ *site, y rune) rune { return letters.Lower(y) }),
	tail.OpFoldC:  monadic(func(_ *site, y rune) rune { return letters.Fold(y) }),
	tail.OpD2I: monadic(func(s *site, y float64) int64 {
		z, ok := num.NearInt(y, s.m.ct)
		if !ok {
			raise(s.Apply, tail.FaultNotInteger, y)
		}
		return z
	}),
	tail.OpI2B: monadic(func(s *site, y int64) byte {
		if y&^1 != 0 {
			raise(s.Apply, tail.FaultNotBoolean, float64(y))
		}
		return byte(y)
	}),
	tail.OpD2B: monadic(func(s *site, y float64) byte {
		if y != 0 && !num.Equal(y, 1, s.m.ct) {
			raise(s.Apply, tail.FaultNotBoolean, y)
		}
		return boolByte(y != 0)
	}),
}

func convertLoop[A, R byte | rune | int64 | float64](_ *site, z []R, y []A) {
	for i := range z {
		z[i] = R(y[i])
	}
}

func toChar(s *site, y int64) rune {
	if y < 0 || y > 0x10FFFF {
		raise(s.Apply, tail.FaultOutOfDomain, float64(y))
	}
	return rune(y)
}

// fillOf returns the fill element of a type as bits.
func fillOf(e array.Elem) word {
	if e == array.Char {
		return toBits(' ')
	}
	return word{}
}
