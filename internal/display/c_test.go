package display

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand"
	"testing"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/ctest"
)

var specials = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -2.25, 1.0 / 3, math.Pi, 1e-5, 1e-6, 1e-7, 9.9999999999e-7, 1e9, 1e10, 12345678901,
	9999999999.4, 9999999999.5, 99999, 99999.5, 123456.789, 1e15, 1e16, 1e17, 1 << 53, 1e22, 1e100, math.MaxFloat64, -math.MaxFloat64,
	math.SmallestNonzeroFloat64, 2.2250738585072014e-308, 0.1, 0.2, 0.3, 2.5e-5, 1e5, 100.25,
}

var integers = []int64{0, 1, -1, 9, 10, -10, 99, 127, -128, 123456789, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1, math.MinInt32 - 1,
	9999999999, 10000000000, 12345678905, 99999999995, -123456789050, 1 << 40, 9007199254740993, 9999999999999999, 10000000000000001, math.MaxInt64, math.MinInt64}

var shapes = [][]int{{}, {0}, {1}, {2}, {7}, {40}, {1, 1}, {2, 3}, {3, 1}, {4, 30}, {0, 3}, {3, 0}, {0, 0}, {2, 2, 2}, {2, 0, 3}, {0, 2, 3}, {2, 3, 0}, {2, 1, 3, 2}, {2, 2, 1, 2, 2}, {1, 200}, {300}}

// random returns an array of the given type and shape, and the element code
// to hand it over with.
func random(r *rand.Rand, kind int, shape []int) (*array.Array, int64) {
	switch kind {
	case 0:
		a := array.New(array.Bool, shape...)
		for i := range a.Bools {
			a.Bools[i] = byte(r.Intn(2))
		}
		return a, ctest.Bool
	case 1:
		a := array.New(array.Char, shape...)
		for i := range a.Chars {
			a.Chars[i] = []rune("ab ⍋é\n\r😀\x00\U0010FFFF\uD7FF")[r.Intn(11)]
		}
		if len(a.Chars) > 0 && r.Intn(5) == 0 {
			a.Chars[0] = 0xD800 // no scalar value
		}
		return a, ctest.Char
	case 2:
		a := array.New(array.Double, shape...)
		few := r.Intn(2) == 0
		for i := range a.Doubles {
			switch {
			case few:
				a.Doubles[i] = math.Round(r.NormFloat64()*1000) / 8
			case r.Intn(2) == 0:
				a.Doubles[i] = specials[r.Intn(len(specials))]
			default:
				a.Doubles[i] = math.Ldexp(r.NormFloat64(), r.Intn(80)-40)
			}
		}
		return a, ctest.F64
	}
	code := int64(ctest.I8 + r.Intn(4))
	a := array.New(array.Int, shape...)
	for i := range a.Ints {
		a.Ints[i] = integers[r.Intn(len(integers))]
		switch code {
		case ctest.I8:
			a.Ints[i] = int64(int8(a.Ints[i]))
		case ctest.I16:
			a.Ints[i] = int64(int16(a.Ints[i]))
		case ctest.I32:
			a.Ints[i] = int64(int32(a.Ints[i]))
		}
	}
	return a, code
}

// widths returns a left argument of dyadic ⍕ for a.
func widths(r *rand.Rand, a *array.Array) *array.Array {
	n := 1 + r.Intn(2)
	if a.Rank() > 0 && r.Intn(2) == 0 {
		n = 2 * a.Shape[a.Rank()-1]
	}
	by := array.New(array.Int, n)
	for i := range by.Ints {
		if by.Ints[i] = int64(r.Intn(14) - 3); i%2 == 1 {
			by.Ints[i] = int64(r.Intn(12) - 5)
		}
	}
	return by
}

// TestC compares the display of the C run-time with ours, byte for byte.
func TestC(t *testing.T) {
	program := ctest.Build(t, "testdata/display.c")
	r := rand.New(rand.NewSource(1))
	var input, want []byte
	add := func(a *array.Array, code int64, pp int) {
		input = binary.NativeEndian.AppendUint64(input, uint64(pp))
		by := widths(r, a)
		input = ctest.Encode(ctest.EncodeAs(input, a, code), by)
		want = Append(want, a, pp, Width)
		want = append(want, FormatBare(a, pp)...)
		want = ctest.Encode(want, FormatArray(a, pp))
		if a.Elem != array.Char {
			want = ctest.Encode(want, FormatBy(by.Ints, a))
		}
	}
	for _, x := range specials {
		for pp := 0; pp <= 36; pp++ {
			add(array.ScalarDouble(x), ctest.F64, pp)
		}
	}
	for i := 0; i < 40; i++ { // ties, powers of ten and their neighbours, all magnitudes
		v := array.New(array.Double, 100)
		for j := range v.Doubles {
			x := math.Pow(10, float64(r.Intn(24)-6))
			switch j % 4 {
			case 0:
				x = math.Nextafter(x, float64(r.Intn(2))*2*x)
			case 1:
				x = (math.Floor(r.Float64()*1e5) + 0.5) / float64(int(1)<<r.Intn(12))
			case 2:
				x *= r.Float64()
			case 3:
				x = math.Floor(x*r.Float64()*1e4) / 1e4
			}
			v.Doubles[j] = x
		}
		add(v, ctest.F64, 1+i%17)
	}
	for _, shape := range shapes {
		for kind := 0; kind < 4; kind++ {
			for try := 0; try < 12; try++ {
				a, code := random(r, kind, shape)
				pp := DefaultPrecision
				if try%4 == 3 {
					pp = r.Intn(20)
				}
				add(a, code, pp)
			}
		}
	}
	got := ctest.Run(t, program, input)
	if bytes.Equal(got, want) {
		return
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(0, i-200)
	t.Errorf("C and Go differ at byte %d:\nC  %q\nGo %q", i, got[from:min(len(got), i+100)], want[from:min(len(want), i+100)])
}
