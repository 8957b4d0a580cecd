package interp

import (
	"math"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
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
	switch {
	case len(n) < 1 || len(n) > 2:
		return nil, prim.Errorf(diag.WrongLength, "the left argument of ⎕DR is one or two types")
	case len(n) == 1:
		return reinterpreted(int(n[0]), y)
	case n[0] != 0:
		if y, err = reinterpreted(int(n[0]), y); err != nil {
			return nil, err
		}
	}
	return converted(int(n[1]), y)
}

// reinterpreted returns the bits of each row as elements of a type.
func reinterpreted(code int, y *V) (*V, error) {
	if y.Rank() < 2 {
		return fromBits(code, bitsOf(y.Ravel()))
	}
	last := y.Rank() - 1
	n := y.Shape[last]
	all, err := fromBits(code, bitsOf(y.Ravel()))
	if err != nil || n == 0 || y.Len() == 0 {
		return all, err
	}
	rows := y.Len() / n
	if all.Len()%rows != 0 {
		return nil, prim.Errorf(diag.NotJoined, "the rows have no whole number of elements of the type %d", code)
	}
	return all.WithShape(append(append([]int{}, y.Shape[:last]...), all.Len()/rows)), nil
}

// converted returns the elements that a type holds, 0 or a blank for others, and which
// they are.
func converted(code int, y *V) (*V, error) {
	if y.Rank() == 0 {
		y = y.Ravel()
	}
	chars := code == 80 || code == 160 || code == 320
	bits := map[int]int{11: 1, 80: 8, 83: 8, 160: 16, 163: 16, 320: 32, 323: 32, 645: 64, 1289: 128, 326: 1}[code]
	if bits == 0 {
		return nil, prim.Errorf(diag.WrongDomain, "%d is no type of ⎕DR", code)
	}
	items, ok := make([]*V, y.Len()), make([]byte, y.Len())
	for i := range items {
		x := y.Item(i)
		held := x.Kind != value.Mixed && x.Rank() == 0 && (x.Kind == value.Char) == chars
		if held && x.Kind != value.Char {
			x = x.Whole()
		}
		switch own := typeCode(x); {
		case code == 326:
			held = true
		case own == 11:
		case chars, code == 83, code == 163, code == 323:
			held = held && own <= code && own%10 == code%10
		case code == 11:
			held = false
		case code == 645:
			held = held && own != 1289
		}
		if items[i] = x; !held {
			if items[i] = value.Int64(0); chars {
				items[i] = value.Character(' ')
			}
		} else {
			ok[i] = 1
		}
	}
	if len(items) == 0 {
		return value.FromItems([]int{2}, []*V{y, y}), nil
	}
	return value.FromItems([]int{2}, []*V{value.FromItems(y.Shape, items), {Kind: value.Bool, Shape: y.Shape, Bools: ok}}), nil
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
		return nil, prim.Errorf(diag.WrongDomain, "⎕DR to the type %d", code)
	}
	if len(bits)%(8*n) != 0 {
		return nil, prim.Errorf(diag.WrongLength, "%d bits for elements of %d", len(bits), 8*n)
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
		return nil, prim.Errorf(diag.WrongOperand, "⍠ needs a function and an array as its operands")
	}
	if v, ok := f.(variable); ok {
		return v.with(a)
	}
	return nil, prim.Errorf(diag.WrongDomain, "the function has no variants")
}

// variable is a function that has options.
type variable interface {
	with(options *V) (Function, error)
}
