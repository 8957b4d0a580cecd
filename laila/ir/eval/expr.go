package eval

import (
	"fmt"
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Functions become closures. Integers, truth values and characters are int64,
// extended as their kind says.

// The code of an expression.
type (
	IntCode     func(fr *Frame) int64
	DoubleCode  func(fr *Frame) float64
	ComplexCode func(fr *Frame) complex128
)

// Code compiles one function.
type Code struct {
	program *Program
	hooks   Hooks
	f       *function
	slots   map[*ir.Var]int
	bufs    map[*ir.Buf]int
	// loose are the variables that a device sets: reading one waits.
	loose map[*ir.Var]bool
}

// Slot returns the place of a variable in the frame, among those of its sort.
func (c *Code) Slot(v *ir.Var) int {
	at, ok := c.slots[v]
	if !ok {
		switch v.Kind {
		case ir.F64:
			at = c.f.dbls
			c.f.dbls++
		case ir.C64:
			at = c.f.cplxs
			c.f.cplxs++
		default:
			at = c.f.ints
			c.f.ints++
		}
		c.slots[v] = at
	}
	return at
}

// Buf returns the place of a buffer in the frame.
func (c *Code) Buf(b *ir.Buf) int {
	at, ok := c.bufs[b]
	if !ok {
		at = c.f.bufs
		c.f.bufs++
		c.bufs[b] = at
		if s := c.program.Consts[b]; s != nil {
			c.f.consts[at] = s
		}
		if b.Stack > 0 {
			c.f.stack = append(c.f.stack, at)
		}
	}
	return at
}

// Int compiles an expression of another kind than F64 and C64.
func (c *Code) Int(x ir.Expr) IntCode {
	switch x := x.(type) {
	case *ir.Int:
		v := x.Val
		return func(*Frame) int64 { return v }
	case *ir.Use:
		at := c.Slot(x.Var)
		if c.loose[x.Var] {
			return func(fr *Frame) int64 { fr.M.settle(); return fr.Ints[at] }
		}
		return func(fr *Frame) int64 { return fr.Ints[at] }
	case *ir.Load:
		b, i := c.Buf(x.Buf), c.Int(x.Index)
		return func(fr *Frame) int64 { return fr.M.loadInt(fr.Bufs[b], i(fr)) }
	case *ir.Unary:
		return c.unaryInt(x)
	case *ir.Binary:
		return c.binaryInt(x)
	case *ir.Select:
		t, l, r := c.Int(x.Cond), c.Int(x.Then), c.Int(x.Else)
		return func(fr *Frame) int64 {
			if t(fr) != 0 {
				return l(fr)
			}
			return r(fr)
		}
	case *ir.Convert:
		return c.toInt(x)
	case *ir.Math:
		return c.mathInt(x)
	}
	panic(fmt.Sprintf("internal error: loop expression %T", x))
}

func (c *Code) toInt(x *ir.Convert) IntCode {
	k := x.To
	if x.X.Kind() == ir.F64 {
		d := c.Double(x.X)
		return func(fr *Frame) int64 { return extend(k, uint64(int64(d(fr)))) }
	}
	i := c.Int(x.X)
	if k == ir.I64 {
		return i
	}
	return func(fr *Frame) int64 { return extend(k, uint64(i(fr))) }
}

func (c *Code) unaryInt(x *ir.Unary) IntCode {
	i, k := c.Int(x.X), x.Kind()
	switch x.Op {
	case ir.OpNeg:
		return func(fr *Frame) int64 { return extend(k, uint64(-i(fr))) }
	case ir.OpNot:
		return func(fr *Frame) int64 { return i(fr) ^ 1 }
	case ir.OpAbs:
		return func(fr *Frame) int64 {
			v := i(fr)
			return extend(k, uint64(max(v, -v)))
		}
	case ir.OpBitNot:
		return func(fr *Frame) int64 { return extend(k, uint64(^i(fr))) }
	}
	panic("internal error: unary operation is unset")
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (c *Code) binaryInt(x *ir.Binary) IntCode {
	if x.Op >= ir.OpLt && x.X.Kind() == ir.F64 {
		return compareDoubles(x.Op, c.Double(x.X), c.Double(x.Y))
	}
	l, r, k := c.Int(x.X), c.Int(x.Y), x.Kind()
	var f IntCode
	switch x.Op {
	case ir.OpAdd:
		f = func(fr *Frame) int64 { return l(fr) + r(fr) }
	case ir.OpSub:
		f = func(fr *Frame) int64 { return l(fr) - r(fr) }
	case ir.OpMul:
		f = func(fr *Frame) int64 { return l(fr) * r(fr) }
	case ir.OpShl:
		f = func(fr *Frame) int64 { return l(fr) << (uint64(r(fr)) & 63) }
	case ir.OpQuo:
		return func(fr *Frame) int64 { return l(fr) / r(fr) }
	case ir.OpRem:
		return func(fr *Frame) int64 { return l(fr) % r(fr) }
	case ir.OpMin:
		return func(fr *Frame) int64 { return min(l(fr), r(fr)) }
	case ir.OpMax:
		return func(fr *Frame) int64 { return max(l(fr), r(fr)) }
	case ir.OpAnd:
		return func(fr *Frame) int64 { return l(fr) & r(fr) }
	case ir.OpOr:
		return func(fr *Frame) int64 { return l(fr) | r(fr) }
	case ir.OpXor:
		return func(fr *Frame) int64 { return l(fr) ^ r(fr) }
	case ir.OpShr:
		return func(fr *Frame) int64 { return l(fr) >> (uint64(r(fr)) & 63) }
	case ir.OpLt:
		return func(fr *Frame) int64 { return truth(l(fr) < r(fr)) }
	case ir.OpLe:
		return func(fr *Frame) int64 { return truth(l(fr) <= r(fr)) }
	case ir.OpGt:
		return func(fr *Frame) int64 { return truth(l(fr) > r(fr)) }
	case ir.OpGe:
		return func(fr *Frame) int64 { return truth(l(fr) >= r(fr)) }
	case ir.OpEq:
		return func(fr *Frame) int64 { return truth(l(fr) == r(fr)) }
	case ir.OpNe:
		return func(fr *Frame) int64 { return truth(l(fr) != r(fr)) }
	default:
		panic("internal error: binary operation is unset")
	}
	if k == ir.I64 {
		return f
	}
	return func(fr *Frame) int64 { return extend(k, uint64(f(fr))) }
}

func compareDoubles(o ir.BinOp, l, r DoubleCode) IntCode {
	switch o {
	case ir.OpLt:
		return func(fr *Frame) int64 { return truth(l(fr) < r(fr)) }
	case ir.OpLe:
		return func(fr *Frame) int64 { return truth(l(fr) <= r(fr)) }
	case ir.OpGt:
		return func(fr *Frame) int64 { return truth(l(fr) > r(fr)) }
	case ir.OpGe:
		return func(fr *Frame) int64 { return truth(l(fr) >= r(fr)) }
	case ir.OpEq:
		return func(fr *Frame) int64 { return truth(l(fr) == r(fr)) }
	case ir.OpNe:
		return func(fr *Frame) int64 { return truth(l(fr) != r(fr)) }
	}
	panic("internal error: comparison is unset")
}

// Double compiles an expression of kind F64.
func (c *Code) Double(x ir.Expr) DoubleCode {
	switch x := x.(type) {
	case *ir.Float:
		v := x.Val
		return func(*Frame) float64 { return v }
	case *ir.Use:
		at := c.Slot(x.Var)
		if c.loose[x.Var] {
			return func(fr *Frame) float64 { fr.M.settle(); return fr.Doubles[at] }
		}
		return func(fr *Frame) float64 { return fr.Doubles[at] }
	case *ir.Load:
		b, i := c.Buf(x.Buf), c.Int(x.Index)
		return func(fr *Frame) float64 { return fr.M.loadDouble(fr.Bufs[b], i(fr)) }
	case *ir.Unary:
		return c.unaryDouble(x)
	case *ir.Binary:
		if x.Op == ir.OpMin || x.Op == ir.OpMax {
			return c.binaryDouble(x)
		}
		return c.finite(x, c.binaryDouble(x))
	case *ir.Select:
		t, l, r := c.Int(x.Cond), c.Double(x.Then), c.Double(x.Else)
		return func(fr *Frame) float64 {
			if t(fr) != 0 {
				return l(fr)
			}
			return r(fr)
		}
	case *ir.Convert:
		if x.X.Kind() == ir.F64 {
			return c.Double(x.X)
		}
		i := c.Int(x.X)
		return func(fr *Frame) float64 { return float64(i(fr)) }
	case *ir.Math:
		return c.finite(x, c.mathDouble(x))
	}
	panic(fmt.Sprintf("internal error: loop expression %T", x))
}

func (c *Code) unaryDouble(x *ir.Unary) DoubleCode {
	d := c.Double(x.X)
	switch x.Op {
	case ir.OpNeg:
		return func(fr *Frame) float64 { return -d(fr) }
	case ir.OpAbs:
		return func(fr *Frame) float64 { return math.Abs(d(fr)) }
	case ir.OpSqrt:
		return func(fr *Frame) float64 { return math.Sqrt(d(fr)) }
	}
	panic("internal error: unary operation is unset")
}

// binaryDouble compiles arithmetic; the conversions keep Go from fusing a
// product with a sum.
func (c *Code) binaryDouble(x *ir.Binary) DoubleCode {
	l, r := c.Double(x.X), c.Double(x.Y)
	switch x.Op {
	case ir.OpAdd:
		return func(fr *Frame) float64 { return l(fr) + r(fr) }
	case ir.OpSub:
		return func(fr *Frame) float64 { return l(fr) - r(fr) }
	case ir.OpMul:
		return func(fr *Frame) float64 { return l(fr) * r(fr) }
	case ir.OpDiv:
		return func(fr *Frame) float64 { return l(fr) / r(fr) }
	case ir.OpMin:
		return func(fr *Frame) float64 {
			if a, b := l(fr), r(fr); a < b {
				return a
			} else {
				return b
			}
		}
	case ir.OpMax:
		return func(fr *Frame) float64 {
			if a, b := l(fr), r(fr); a > b {
				return a
			} else {
				return b
			}
		}
	}
	panic("internal error: binary operation is unset")
}
