package eval

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// Integer ops. Where a sum or product overflows the op faults, unless
// Program.Wrap.

var intOps = map[tail.Op]scalarImpl{
	tail.OpAddI:   dyadicLoop(addI, addLoop),
	tail.OpSubI:   dyadicLoop(subI, subLoop),
	tail.OpMulI:   dyadicLoop(mulI, mulLoop),
	tail.OpMinI:   dyadicLoop(func(_ *site, x, y int64) int64 { return min(x, y) }, minLoop[int64]),
	tail.OpMaxI:   dyadicLoop(func(_ *site, x, y int64) int64 { return max(x, y) }, maxLoop[int64]),
	tail.OpResI:   dyadic(func(_ *site, x, y int64) int64 { return num.ResidueInt(x, y) }),
	tail.OpQuoI:   dyadic(func(_ *site, x, y int64) int64 { return x / max(y, 2) }),
	tail.OpPowI:   dyadic(powI),
	tail.OpGcdI:   dyadic(gcdI),
	tail.OpLcmI:   dyadic(lcmI),
	tail.OpBitAnd: dyadic(func(_ *site, x, y int64) int64 { return x & y }),
	tail.OpBitOr:  dyadic(func(_ *site, x, y int64) int64 { return x | y }),
	tail.OpBitXor: dyadic(func(_ *site, x, y int64) int64 { return x ^ y }),
	tail.OpNegI:   monadic(func(s *site, y int64) int64 { return subI(s, 0, y) }),
	tail.OpAbsI:   monadic(absI),
	tail.OpSignI:  monadic(func(_ *site, y int64) int64 { return num.Sign(float64(y)) }),
	tail.OpLtI:    comparison(func(x, y int64) bool { return x < y }, ltLoop[int64]),
	tail.OpLteI:   comparison(func(x, y int64) bool { return x <= y }, lteLoop[int64]),
	tail.OpGtI:    comparison(func(x, y int64) bool { return x > y }, gtLoop[int64]),
	tail.OpGteI:   comparison(func(x, y int64) bool { return x >= y }, gteLoop[int64]),
	tail.OpEqI:    comparison(func(x, y int64) bool { return x == y }, eqLoop[int64]),
	tail.OpNeqI:   comparison(func(x, y int64) bool { return x != y }, neqLoop[int64]),
	tail.OpRollI:  monadic(rollI),
}

// comparison is the implementation of an exact comparison.
func comparison[T cell](f func(x, y T) bool, loop func(s *site, z []byte, x, y []T)) scalarImpl {
	return dyadicLoop(func(_ *site, x, y T) byte { return boolByte(f(x, y)) }, loop)
}

func (s *site) overflow() {
	if !s.m.wrap {
		raise(s.Apply, tail.FaultOverflow)
	}
}

func addI(s *site, x, y int64) int64 {
	z := x + y
	if (x^z)&(y^z) < 0 {
		s.overflow()
	}
	return z
}

func addLoop(s *site, z, x, y []int64) {
	over := int64(0)
	for i := range z {
		a, b := x[i], y[i]
		c := a + b
		over |= (a ^ c) & (b ^ c)
		z[i] = c
	}
	if over < 0 {
		s.overflow()
	}
}

func subI(s *site, x, y int64) int64 {
	z := x - y
	if (x^y)&(x^z) < 0 {
		s.overflow()
	}
	return z
}

func subLoop(s *site, z, x, y []int64) {
	over := int64(0)
	for i := range z {
		a, b := x[i], y[i]
		c := a - b
		over |= (a ^ b) & (a ^ c)
		z[i] = c
	}
	if over < 0 {
		s.overflow()
	}
}

func mulI(s *site, x, y int64) int64 {
	z, ok := num.Mul(x, y)
	if !ok {
		s.overflow()
	}
	return z
}

func mulLoop(s *site, z, x, y []int64) {
	over := false
	for i := range z {
		a, b := x[i], y[i]
		if int64(int32(a)) != a || int64(int32(b)) != b {
			_, ok := num.Mul(a, b)
			over = over || !ok
		}
		z[i] = a * b
	}
	if over {
		s.overflow()
	}
}

func absI(s *site, y int64) int64 {
	if y < 0 {
		return subI(s, 0, y)
	}
	return y
}

func powI(s *site, x, y int64) int64 {
	if y < 0 {
		raise(s.Apply, tail.FaultNegative, y)
	}
	z := int64(1)
	for {
		if y&1 != 0 {
			z = mulI(s, z, x)
		}
		y >>= 1
		if y == 0 {
			return z
		}
		x = mulI(s, x, x)
	}
}

func gcdI(s *site, x, y int64) int64 {
	z, ok := num.GCDInt(x, y)
	if !ok {
		s.overflow()
	}
	return z
}

func lcmI(s *site, x, y int64) int64 {
	z, ok := num.LCMInt(x, y)
	if !ok {
		s.overflow()
	}
	return z
}

func rollI(s *site, y int64) int64 {
	if y <= 0 {
		raise(s.Apply, tail.FaultRoll, y)
	}
	return s.m.world.random.Roll(y)
}
