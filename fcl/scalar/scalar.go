// Package scalar holds the scalar values of FCL and their arithmetic, which the evaluator
// and the host's part of compiled programs share.
//
// Integers wrap at their width. Quotients of integers go towards zero. Shifts take their
// count modulo the width. Fractions are cut where doubles become integers, and what does
// not fit becomes the nearest integer that does; NaN becomes 0.
package scalar

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/fcl/types"
)

// Scalar is a scalar value: I holds whole numbers and truth values, F the others.
type Scalar struct {
	Type types.Scalar
	I    int64
	F    float64
}

// Int returns an int.
func Int(i int64) Scalar { return Scalar{Type: types.Int, I: i} }

// Double returns a double.
func Double(f float64) Scalar { return Scalar{Type: types.Double, F: f} }

// Bool returns a truth value.
func Bool(b bool) Scalar {
	s := Scalar{Type: types.Bool}
	if b {
		s.I = 1
	}
	return s
}

// String writes a scalar as FCL does: 3, -0.5, true.
func (s Scalar) String() string {
	switch {
	case s.Type == types.Bool:
		return strconv.FormatBool(s.I != 0)
	case !s.Type.IsFloat():
		return strconv.FormatInt(s.I, 10)
	}
	bits := 64
	if s.Type == types.F32 {
		bits = 32
	}
	text := strconv.FormatFloat(s.F, 'g', -1, bits)
	if strings.ContainsAny(text, ".eIN") {
		return text
	}
	return text + ".0"
}

// Number returns a number as a scalar of a type: it wraps, is cut or rounded.
func Number(t types.Scalar, i int64, f float64) Scalar {
	if t.IsFloat() {
		if t == types.F32 {
			f = float64(float32(f))
		}
		return Scalar{Type: t, F: f}
	}
	if t == types.Bool {
		return Bool(i != 0)
	}
	shift := 64 - t.Bits()
	return Scalar{Type: t, I: i << shift >> shift}
}

// Convert returns a scalar as one of another type.
func Convert(t types.Scalar, s Scalar) Scalar {
	switch {
	case t == types.Bool && s.Type.IsFloat():
		return Bool(s.F != 0)
	case t.IsFloat() && s.Type.IsFloat():
		return Number(t, 0, s.F)
	case t.IsFloat():
		if t == types.F32 {
			return Scalar{Type: t, F: float64(float32(s.I))}
		}
		return Number(t, 0, float64(s.I))
	case s.Type.IsFloat():
		return Scalar{Type: t, I: saturate(t, s.F)}
	}
	return Number(t, s.I, 0)
}

// saturate cuts a double to the nearest integer that a type holds.
func saturate(t types.Scalar, f float64) int64 {
	limit := math.Ldexp(1, int(t.Bits())-1)
	switch {
	case f != f:
		return 0
	case f >= limit:
		return int64(uint64(1)<<(t.Bits()-1) - 1)
	case f <= -limit:
		return -1 << (t.Bits() - 1)
	}
	return int64(f)
}

// ErrZero is what Arithmetic fails with.
var ErrZero = fmt.Errorf("an integer is divided by 0")

// LengthsHelp is the help on programs of other lengths than interleave asks for.
const LengthsHelp = "assemble takes programs of any lengths; the library's concatTo takes a last one that is shorter"

// Arithmetic applies an operator of scalars. It fails where an integer is divided by 0.
func Arithmetic(op string, args ...Scalar) (Scalar, error) {
	x := args[0]
	if t := types.ScalarNamed(op); t != types.NoScalar {
		return Convert(t, x), nil
	}
	if len(args) == 1 {
		return monadic(op, x), nil
	}
	y := args[1]
	if b, ok := compare(op, x, y); ok {
		return Bool(b), nil
	}
	if x.Type.IsFloat() {
		return Number(x.Type, 0, floats(op, x.F, y.F)), nil
	}
	if (op == "/" || op == "%") && y.I == 0 {
		return x, ErrZero
	}
	return Number(x.Type, integers(op, x, y.I), 0), nil
}

func monadic(op string, x Scalar) Scalar {
	switch op {
	case "not":
		return Bool(x.I == 0)
	case "neg":
		return Number(x.Type, -x.I, -x.F)
	case "abs":
		if x.I < 0 {
			x.I = -x.I
		}
		return Number(x.Type, x.I, math.Abs(x.F))
	}
	if op == "bits" {
		return Int(int64(math.Float64bits(x.F)))
	}
	functions := map[string]func(float64) float64{
		"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log, "sin": math.Sin, "cos": math.Cos, "floor": math.Floor,
	}
	return Number(x.Type, 0, functions[op](x.F))
}

// compare applies comparisons and the operators of truth values.
func compare(op string, x, y Scalar) (result, ok bool) {
	less, equal := x.I < y.I, x.I == y.I
	greater := x.I > y.I
	if x.Type.IsFloat() {
		less, equal, greater = x.F < y.F, x.F == y.F, x.F > y.F
	}
	switch op {
	case "<":
		return less, true
	case "<=":
		return less || equal, true
	case ">":
		return greater, true
	case ">=":
		return greater || equal, true
	case "==":
		return equal, true
	case "!=":
		return !equal, true
	case "&&":
		return x.I != 0 && y.I != 0, true
	case "||":
		return x.I != 0 || y.I != 0, true
	}
	return false, false
}

func floats(op string, x, y float64) float64 {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	case "min":
		if y < x {
			return y
		}
		return x
	case "max":
		if x < y {
			return y
		}
		return x
	case "pow":
		return math.Pow(x, y)
	}
	panic("scalar: operator " + op)
}

func integers(op string, s Scalar, y int64) int64 {
	x, count := s.I, uint64(y)&uint64(s.Type.Bits()-1)
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		if y == -1 {
			return -x
		}
		return x / y
	case "%":
		if y == -1 {
			return 0
		}
		return x % y
	case "<<":
		return x << count
	case ">>":
		return x >> count
	case "min":
		return min(x, y)
	case "max":
		return max(x, y)
	case "bitAnd":
		return x & y
	case "bitOr":
		return x | y
	case "bitXor":
		return x ^ y
	}
	panic("scalar: operator " + op)
}
