package interp

import (
	"math"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"

	"github.com/tailor-lang/tailor/apl"
)

// parseNumber returns the number that a text spells, or nil.
func parseNumber(s string) *V {
	if s == "" || strings.ContainsAny(s, " '⍬‾ˉ") {
		return nil
	}
	prog, err := apl.Parse(diag.NewSource("", s))
	if err != nil || len(prog.Body) != 1 {
		return nil
	}
	if x, ok := prog.Body[0].(*apl.ExprStmt); ok {
		if l, ok := x.X.(*apl.Literal); ok && len(l.Value.Shape) == 0 {
			if v := value.From(l.Value); v.Kind.Numeric() {
				return v
			}
		}
	}
	return nil
}

// representation is ⎕DR.
func representation(_ *Interp, _ *Frame, x, y *V) (*V, error) {
	if x == nil {
		return value.Integer(typeCode(y)), nil
	}
	n, err := prim.Ints(x)
	if err != nil {
		return nil, err
	}
	if len(n) == 2 && n[0] == 0 && n[1] == 645 && y.Kind <= value.Double {
		return value.Vector(y.Widened(value.Double), value.Filled(y.Shape, value.Truth(true))), nil
	}
	if len(n) != 1 {
		return nil, prim.Errorf(diag.Unsupported, "⎕DR with this left argument")
	}
	return fromBits(int(n[0]), bitsOf(y.Ravel()))
}

// typeCode returns the code of the smallest type that holds the elements.
func typeCode(y *V) int {
	switch y.Kind {
	case value.Bool:
		return 11
	case value.Double:
		return 645
	case value.Complex:
		return 1289
	case value.Mixed:
		return 326
	case value.Char:
		top := rune(0)
		for _, r := range y.Chars {
			top = max(top, r)
		}
		switch {
		case top < 256:
			return 80
		case top < 65536:
			return 160
		}
		return 320
	}
	least, most := int64(0), int64(0)
	for _, k := range y.Ints {
		least, most = min(least, k), max(most, k)
	}
	switch {
	case least >= 0 && most <= 1:
		return 11
	case least >= math.MinInt8 && most <= math.MaxInt8:
		return 83
	case least >= math.MinInt16 && most <= math.MaxInt16:
		return 163
	case least >= math.MinInt32 && most <= math.MaxInt32:
		return 323
	}
	return 645
}

// bitsOf returns the bits of the elements, the highest of each byte first.
func bitsOf(y *V) []byte {
	var out []byte
	bytes := func(v uint64, n int) {
		for i := 0; i < n; i++ {
			for b := 7; b >= 0; b-- {
				out = append(out, byte(v>>(8*i+b))&1)
			}
		}
	}
	switch code := typeCode(y); code {
	case 11:
		for i := 0; i < y.Len(); i++ {
			out = append(out, byte(y.Int(i)))
		}
	case 645:
		for _, x := range y.AsDoubles() {
			bytes(math.Float64bits(x), 8)
		}
	case 83, 163, 323:
		for _, k := range y.Ints {
			bytes(uint64(k), code/80)
		}
	case 80, 160, 320:
		for _, r := range y.Chars {
			bytes(uint64(r), code/80)
		}
	}
	return out
}

// fromBits returns bits as elements of the type of a code.
func fromBits(code int, bits []byte) (*V, error) {
	if code == 11 {
		return value.Booleans(bits), nil
	}
	n := map[int]int{83: 1, 163: 2, 323: 4, 80: 1, 160: 2, 320: 4, 645: 8}[code]
	if n == 0 {
		return nil, prim.Errorf(diag.Domain, "⎕DR to the type %d", code)
	}
	if len(bits)%(8*n) != 0 {
		return nil, prim.Errorf(diag.Length, "%d bits for elements of %d", len(bits), 8*n)
	}
	words := make([]uint64, len(bits)/(8*n))
	for i := range words {
		for k := 0; k < n; k++ {
			var b uint64
			for _, bit := range bits[(i*n+k)*8 : (i*n+k+1)*8] {
				b = b<<1 | uint64(bit)
			}
			words[i] |= b << (8 * k)
		}
	}
	return ofWords(code, n, words), nil
}

func ofWords(code, n int, words []uint64) *V {
	switch code {
	case 645:
		out := make([]float64, len(words))
		for i, w := range words {
			out[i] = math.Float64frombits(w)
		}
		return value.Numbers(out)
	case 80, 160, 320:
		out := make([]rune, len(words))
		for i, w := range words {
			out[i] = rune(w)
		}
		return value.Characters(out)
	}
	out := make([]int64, len(words))
	shift := 64 - 8*n
	for i, w := range words {
		out[i] = int64(w<<shift) >> shift
	}
	return value.Integers(out)
}

// deriveVariant is f⍠A: system functions with options take them; others do not.
func deriveVariant(in *Interp, left, right any) (Function, error) {
	f, ok := left.(Function)
	a, ok2 := right.(*V)
	if !ok || !ok2 {
		return nil, prim.Errorf(diag.Syntax, "⍠ needs a function and an array as its operands")
	}
	if v, ok := f.(variable); ok {
		return v.with(a)
	}
	return nil, prim.Errorf(diag.Domain, "the function has no variants")
}

// variable is a function that has options.
type variable interface {
	with(options *V) (Function, error)
}
