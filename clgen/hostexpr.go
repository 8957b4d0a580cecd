package clgen

import (
	"fmt"
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// The host's part of a program is compiled to closures. Integers, truth values
// and characters are int64, extended as their kind says.

type (
	intCode func(fr *frame) int64
	dblCode func(fr *frame) float64
)

// hostCode compiles one function.
type hostCode struct {
	*planner
	f     *function
	slots map[*ir.Var]int
	bufs  map[*ir.Buf]int
	// loose are the variables that kernels set: reading one waits.
	loose map[*ir.Var]bool
}

func (c *hostCode) slot(v *ir.Var) int {
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

func (c *hostCode) buf(b *ir.Buf) int {
	at, ok := c.bufs[b]
	if !ok {
		at = c.f.bufs
		c.f.bufs++
		c.bufs[b] = at
		if s := c.plan.consts[b]; s != nil {
			c.f.consts[at] = s
		}
		if b.Stack > 0 {
			c.f.stack = append(c.f.stack, at)
		}
	}
	return at
}

// int compiles an expression of another kind than F64 and C64.
func (c *hostCode) int(x ir.Expr) intCode {
	switch x := x.(type) {
	case *ir.Int:
		v := x.Val
		return func(*frame) int64 { return v }
	case *ir.Use:
		at := c.slot(x.Var)
		if c.loose[x.Var] {
			return func(fr *frame) int64 { fr.m.settle(); return fr.ints[at] }
		}
		return func(fr *frame) int64 { return fr.ints[at] }
	case *ir.Load:
		b, i := c.buf(x.Buf), c.int(x.Index)
		return func(fr *frame) int64 { return fr.m.loadInt(fr.bufs[b], i(fr)) }
	case *ir.Unary:
		return c.unaryInt(x)
	case *ir.Binary:
		return c.binaryInt(x)
	case *ir.Select:
		t, l, r := c.int(x.Cond), c.int(x.Then), c.int(x.Else)
		return func(fr *frame) int64 {
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

func (c *hostCode) toInt(x *ir.Convert) intCode {
	k := x.To
	if x.X.Kind() == ir.F64 {
		d := c.dbl(x.X)
		return func(fr *frame) int64 { return extend(k, uint64(int64(d(fr)))) }
	}
	i := c.int(x.X)
	if k == ir.I64 {
		return i
	}
	return func(fr *frame) int64 { return extend(k, uint64(i(fr))) }
}

func (c *hostCode) unaryInt(x *ir.Unary) intCode {
	i, k := c.int(x.X), x.Kind()
	switch x.Op {
	case ir.OpNeg:
		return func(fr *frame) int64 { return extend(k, uint64(-i(fr))) }
	case ir.OpNot:
		return func(fr *frame) int64 { return i(fr) ^ 1 }
	case ir.OpAbs:
		return func(fr *frame) int64 {
			v := i(fr)
			return extend(k, uint64(max(v, -v)))
		}
	case ir.OpBitNot:
		return func(fr *frame) int64 { return extend(k, uint64(^i(fr))) }
	}
	panic("internal error: unary operation is unset")
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (c *hostCode) binaryInt(x *ir.Binary) intCode {
	if x.Op >= ir.OpLt && x.X.Kind() == ir.F64 {
		return compareDoubles(x.Op, c.dbl(x.X), c.dbl(x.Y))
	}
	l, r, k := c.int(x.X), c.int(x.Y), x.Kind()
	var f intCode
	switch x.Op {
	case ir.OpAdd:
		f = func(fr *frame) int64 { return l(fr) + r(fr) }
	case ir.OpSub:
		f = func(fr *frame) int64 { return l(fr) - r(fr) }
	case ir.OpMul:
		f = func(fr *frame) int64 { return l(fr) * r(fr) }
	case ir.OpShl:
		f = func(fr *frame) int64 { return l(fr) << (uint64(r(fr)) & 63) }
	case ir.OpQuo:
		return func(fr *frame) int64 { return l(fr) / r(fr) }
	case ir.OpRem:
		return func(fr *frame) int64 { return l(fr) % r(fr) }
	case ir.OpMin:
		return func(fr *frame) int64 { return min(l(fr), r(fr)) }
	case ir.OpMax:
		return func(fr *frame) int64 { return max(l(fr), r(fr)) }
	case ir.OpAnd:
		return func(fr *frame) int64 { return l(fr) & r(fr) }
	case ir.OpOr:
		return func(fr *frame) int64 { return l(fr) | r(fr) }
	case ir.OpXor:
		return func(fr *frame) int64 { return l(fr) ^ r(fr) }
	case ir.OpShr:
		return func(fr *frame) int64 { return l(fr) >> (uint64(r(fr)) & 63) }
	case ir.OpLt:
		return func(fr *frame) int64 { return truth(l(fr) < r(fr)) }
	case ir.OpLe:
		return func(fr *frame) int64 { return truth(l(fr) <= r(fr)) }
	case ir.OpGt:
		return func(fr *frame) int64 { return truth(l(fr) > r(fr)) }
	case ir.OpGe:
		return func(fr *frame) int64 { return truth(l(fr) >= r(fr)) }
	case ir.OpEq:
		return func(fr *frame) int64 { return truth(l(fr) == r(fr)) }
	case ir.OpNe:
		return func(fr *frame) int64 { return truth(l(fr) != r(fr)) }
	default:
		panic("internal error: binary operation is unset")
	}
	if k == ir.I64 {
		return f
	}
	return func(fr *frame) int64 { return extend(k, uint64(f(fr))) }
}

func compareDoubles(o ir.BinOp, l, r dblCode) intCode {
	switch o {
	case ir.OpLt:
		return func(fr *frame) int64 { return truth(l(fr) < r(fr)) }
	case ir.OpLe:
		return func(fr *frame) int64 { return truth(l(fr) <= r(fr)) }
	case ir.OpGt:
		return func(fr *frame) int64 { return truth(l(fr) > r(fr)) }
	case ir.OpGe:
		return func(fr *frame) int64 { return truth(l(fr) >= r(fr)) }
	case ir.OpEq:
		return func(fr *frame) int64 { return truth(l(fr) == r(fr)) }
	case ir.OpNe:
		return func(fr *frame) int64 { return truth(l(fr) != r(fr)) }
	}
	panic("internal error: comparison is unset")
}

// dbl compiles an expression of kind F64.
func (c *hostCode) dbl(x ir.Expr) dblCode {
	switch x := x.(type) {
	case *ir.Float:
		v := x.Val
		return func(*frame) float64 { return v }
	case *ir.Use:
		at := c.slot(x.Var)
		if c.loose[x.Var] {
			return func(fr *frame) float64 { fr.m.settle(); return fr.dbls[at] }
		}
		return func(fr *frame) float64 { return fr.dbls[at] }
	case *ir.Load:
		b, i := c.buf(x.Buf), c.int(x.Index)
		return func(fr *frame) float64 { return fr.m.loadDouble(fr.bufs[b], i(fr)) }
	case *ir.Unary:
		return c.unaryDouble(x)
	case *ir.Binary:
		return c.binaryDouble(x)
	case *ir.Select:
		t, l, r := c.int(x.Cond), c.dbl(x.Then), c.dbl(x.Else)
		return func(fr *frame) float64 {
			if t(fr) != 0 {
				return l(fr)
			}
			return r(fr)
		}
	case *ir.Convert:
		if x.X.Kind() == ir.F64 {
			return c.dbl(x.X)
		}
		i := c.int(x.X)
		return func(fr *frame) float64 { return float64(i(fr)) }
	case *ir.Math:
		return c.mathDouble(x)
	}
	panic(fmt.Sprintf("internal error: loop expression %T", x))
}

func (c *hostCode) unaryDouble(x *ir.Unary) dblCode {
	d := c.dbl(x.X)
	switch x.Op {
	case ir.OpNeg:
		return func(fr *frame) float64 { return -d(fr) }
	case ir.OpAbs:
		return func(fr *frame) float64 { return math.Abs(d(fr)) }
	case ir.OpSqrt:
		return func(fr *frame) float64 { return math.Sqrt(d(fr)) }
	}
	panic("internal error: unary operation is unset")
}

// binaryDouble compiles arithmetic; the conversions keep Go from fusing a
// product with a sum.
func (c *hostCode) binaryDouble(x *ir.Binary) dblCode {
	l, r := c.dbl(x.X), c.dbl(x.Y)
	switch x.Op {
	case ir.OpAdd:
		return func(fr *frame) float64 { return l(fr) + r(fr) }
	case ir.OpSub:
		return func(fr *frame) float64 { return l(fr) - r(fr) }
	case ir.OpMul:
		return func(fr *frame) float64 { return l(fr) * r(fr) }
	case ir.OpDiv:
		return func(fr *frame) float64 { return l(fr) / r(fr) }
	case ir.OpMin:
		return func(fr *frame) float64 {
			if a, b := l(fr), r(fr); a < b {
				return a
			} else {
				return b
			}
		}
	case ir.OpMax:
		return func(fr *frame) float64 {
			if a, b := l(fr), r(fr); a > b {
				return a
			} else {
				return b
			}
		}
	}
	panic("internal error: binary operation is unset")
}
