package eval

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
)

// Loops over blocks, for the ops of several element types.

type ordered interface{ int64 | float64 }

// lesser and greater are ⌊ and ⌈ as compiled code computes them; where one is
// NaN the result is the second.
func lesser[T ordered](x, y T) T {
	if x < y {
		return x
	}
	return y
}

func greater[T ordered](x, y T) T {
	if x > y {
		return x
	}
	return y
}

func minLoop[T ordered](_ *site, z, x, y []T) {
	for i := range z {
		z[i] = lesser(x[i], y[i])
	}
}

func maxLoop[T ordered](_ *site, z, x, y []T) {
	for i := range z {
		z[i] = greater(x[i], y[i])
	}
}

func ltLoop[T ordered](_ *site, z []byte, x, y []T) {
	for i := range z {
		z[i] = boolByte(x[i] < y[i])
	}
}

func lteLoop[T ordered](_ *site, z []byte, x, y []T) {
	for i := range z {
		z[i] = boolByte(x[i] <= y[i])
	}
}

func gtLoop[T ordered](_ *site, z []byte, x, y []T) {
	for i := range z {
		z[i] = boolByte(x[i] > y[i])
	}
}

func gteLoop[T ordered](_ *site, z []byte, x, y []T) {
	for i := range z {
		z[i] = boolByte(x[i] >= y[i])
	}
}

func eqLoop[T cell](_ *site, z []byte, x, y []T) {
	for i := range z {
		z[i] = boolByte(x[i] == y[i])
	}
}

func neqLoop[T cell](_ *site, z []byte, x, y []T) {
	for i := range z {
		z[i] = boolByte(x[i] != y[i])
	}
}

func addDLoop(_ *site, z, x, y []float64) {
	for i := range z {
		z[i] = x[i] + y[i]
	}
}

func subDLoop(_ *site, z, x, y []float64) {
	for i := range z {
		z[i] = x[i] - y[i]
	}
}

func mulDLoop(_ *site, z, x, y []float64) {
	for i := range z {
		z[i] = x[i] * y[i]
	}
}

func divDLoop(s *site, z, x, y []float64) {
	for i := range z {
		if y[i] == 0 {
			z[i] = divD(s, x[i], y[i])
			continue
		}
		z[i] = x[i] / y[i]
	}
}

func andLoop(_ *site, z, x, y []byte) {
	for i := range z {
		z[i] = x[i] & y[i]
	}
}

func notLoop(_ *site, z, y []byte) {
	for i := range z {
		z[i] = y[i] ^ 1
	}
}

func negDLoop(_ *site, z, y []float64) {
	for i := range z {
		z[i] = -y[i]
	}
}

func absDLoop(_ *site, z, y []float64) {
	for i := range z {
		z[i] = math.Abs(y[i])
	}
}

func sqrtLoop(s *site, z, y []float64) {
	for i := range z {
		if y[i] < 0 {
			sqrtD(s, y[i])
		}
		z[i] = math.Sqrt(y[i])
	}
}

func orLoop(_ *site, z, x, y []byte) {
	for i := range z {
		z[i] = x[i] | y[i]
	}
}

func xorLoop(_ *site, z, x, y []byte) {
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
}

// apart reports that x and y are not equal with a tolerance of ct, which is
// small; the answer no means nothing.
func apart(x, y, ct float64) bool { return math.Abs(x-y) > 2*ct*math.Abs(x) }

func eqNear(z []byte, x, y []float64, ct float64) {
	for i := range z {
		z[i] = boolByte(!apart(x[i], y[i], ct) && num.Equal(x[i], y[i], ct))
	}
}

func neqNear(z []byte, x, y []float64, ct float64) {
	for i := range z {
		z[i] = boolByte(apart(x[i], y[i], ct) || !num.Equal(x[i], y[i], ct))
	}
}

func ltNear(z []byte, x, y []float64, ct float64) {
	for i := range z {
		z[i] = boolByte(x[i] < y[i] && (apart(x[i], y[i], ct) || !num.Equal(x[i], y[i], ct)))
	}
}

func lteNear(z []byte, x, y []float64, ct float64) {
	for i := range z {
		z[i] = boolByte(x[i] <= y[i] || !apart(x[i], y[i], ct) && num.Equal(x[i], y[i], ct))
	}
}
