package ir

import "math"

// The constructors of this file simplify as they build. They are for indices,
// extents and conditions: integers that are known not to overflow.
// Add is x + y.
func Add(x, y Expr) Expr {
	a, okx := IntOf(x)
	b, oky := IntOf(y)
	switch {
	case okx && oky:
		return Integer(a + b)
	case okx && a == 0:
		return y
	case oky && b == 0:
		return x
	case okx:
		x, y, b, oky = y, x, a, true
	}
	if oky {
		if s, ok := x.(*Binary); ok {
			if c, ok := IntOf(s.Y); ok && s.Op == OpAdd {
				return Add(s.X, Integer(c+b))
			} else if ok && s.Op == OpSub {
				return Add(s.X, Integer(b-c))
			}
		}
		if b < 0 && b > math.MinInt64 {
			return OpSub.Of(x, Integer(-b))
		}
	}
	// (a - b) + b is a.
	if s, ok := x.(*Binary); ok && s.Op == OpSub && Same(s.Y, y) {
		return s.X
	}
	if s, ok := y.(*Binary); ok && s.Op == OpSub && Same(s.Y, x) {
		return s.X
	}
	return OpAdd.Of(x, y)
}

// Sub is x - y.
func Sub(x, y Expr) Expr {
	if b, ok := IntOf(y); ok {
		return Add(x, Integer(-b))
	}
	if Same(x, y) {
		return Integer(0)
	}
	if s, ok := x.(*Binary); ok {
		switch {
		case s.Op == OpAdd && Same(s.Y, y):
			return s.X
		case s.Op == OpAdd && Same(s.X, y):
			return s.Y
		}
		if c, ok := IntOf(s.Y); ok && Same(s.X, y) && s.Op == OpSub {
			return Integer(-c)
		}
	}
	return OpSub.Of(x, y)
}

// Mul is x × y.
func Mul(x, y Expr) Expr {
	a, okx := IntOf(x)
	b, oky := IntOf(y)
	switch {
	case okx && oky:
		return Integer(a * b)
	case okx && a == 0, oky && b == 0:
		return Integer(0)
	case okx && a == 1:
		return y
	case oky && b == 1:
		return x
	case okx:
		return OpMul.Of(y, x)
	}
	return OpMul.Of(x, y)
}

// Quo is x quo y, of a positive divisor.
func Quo(x, y Expr) Expr {
	a, okx := IntOf(x)
	b, oky := IntOf(y)
	if okx && oky && b > 0 {
		return Integer(a / b)
	}
	if oky && b == 1 {
		return x
	}
	return OpQuo.Of(x, y)
}

// Rem is the remainder of x by a positive divisor.
func Rem(x, y Expr) Expr {
	a, okx := IntOf(x)
	b, oky := IntOf(y)
	if okx && oky && b > 0 {
		return Integer(a % b)
	}
	if oky && b == 1 {
		return Integer(0)
	}
	return OpRem.Of(x, y)
}

// Not is the opposite of a truth value.
func Not(x Expr) Expr {
	if n, ok := IntOf(x); ok {
		return Boolean(n == 0)
	}
	switch x := x.(type) {
	case *Unary:
		if x.Op == OpNot {
			return x.X
		}
	case *Binary:
		if x.X.Kind() == F64 {
			break
		}
		if op, ok := Opposite[x.Op]; ok {
			return op.Of(x.X, x.Y)
		}
	}
	return OpNot.Of(x)
}

var Opposite = map[BinOp]BinOp{OpLt: OpGe, OpGe: OpLt, OpGt: OpLe, OpLe: OpGt, OpEq: OpNe, OpNe: OpEq}

// And holds where both truth values do.
func And(x, y Expr) Expr {
	switch {
	case IsInt(x, 1):
		return y
	case IsInt(y, 1):
		return x
	case IsInt(x, 0), IsInt(y, 0):
		return Boolean(false)
	}
	return OpAnd.Of(x, y)
}

// Or holds where one of the truth values does.
func Or(x, y Expr) Expr {
	switch {
	case IsInt(x, 0):
		return y
	case IsInt(y, 0):
		return x
	case IsInt(x, 1), IsInt(y, 1):
		return Boolean(true)
	}
	return OpOr.Of(x, y)
}

// Choose is x where c holds, else y.
func Choose(c, x, y Expr) Expr {
	if n, ok := IntOf(c); ok {
		if n != 0 {
			return x
		}
		return y
	}
	if Same(x, y) {
		return x
	}
	return &Select{c, x, y}
}

// Product returns the number of elements of a shape.
func Product(dims []Expr) Expr {
	n := Integer(1)
	for _, d := range dims {
		n = Mul(n, d)
	}
	return n
}

// ConvertTo changes the kind of x. A conversion of an integer to a narrower kind
// moves into sums and products, whose low bits depend on low bits only.
func ConvertTo(to Kind, x Expr) Expr {
	from := x.Kind()
	if from == to {
		return x
	}
	if from == C64 || to == C64 {
		panic("internal error: complex numbers are converted by functions")
	}
	switch v := x.(type) {
	case *Int:
		if to == F64 {
			return &Float{float64(v.Val)}
		}
		return &Int{wrapTo(to, v.Val), to}
	case *Convert:
		inner := v.X.Kind()
		if inner == C8 { // wider only
			return ConvertTo(to, v.X)
		}
		if inner != F64 && from != F64 && to != F64 && Width(inner) <= Width(from) && from != C32 {
			return ConvertTo(to, v.X)
		}
		if to == F64 && inner != F64 && Width(inner) < Width(from) {
			return ConvertTo(to, v.X)
		}
	case *Binary:
		if to != F64 && from == I64 && Narrowable(x) {
			return v.Op.Of(ConvertTo(to, v.X), ConvertTo(to, v.Y))
		}
	case *Unary:
		if to != F64 && from == I64 && Narrowable(x) {
			return v.Op.Of(ConvertTo(to, v.X))
		}
	}
	return &Convert{to, x}
}

// Narrowable reports whether x is made of values that are narrow in storage,
// so that computing it in a narrow kind saves conversions.
func Narrowable(x Expr) bool {
	switch x := x.(type) {
	case *Convert:
		return x.X.Kind() != F64 && x.X.Kind() != I64
	case *Binary:
		switch x.Op {
		case OpAdd, OpSub, OpMul, OpAnd, OpOr, OpXor:
			_, xc := x.X.(*Int)
			_, yc := x.Y.(*Int)
			return (xc || Narrowable(x.X)) && (yc || Narrowable(x.Y))
		}
	case *Unary:
		return x.Op == OpNeg && Narrowable(x.X)
	}
	return false
}

// LeafKind returns the widest kind, less than I64, among the values that x is
// made of; I8 where there are none. Vector code keeps one width.
func LeafKind(x Expr) Kind {
	k := I8
	switch x := x.(type) {
	case *Convert:
		switch x.X.Kind() {
		case I16, I32:
			k = x.X.Kind()
		}
	case *Unary:
		k = LeafKind(x.X)
	case *Binary:
		k = Wider(LeafKind(x.X), LeafKind(x.Y))
	}
	return k
}

// Wider returns the wider of two signed kinds.
func Wider(k, l Kind) Kind {
	if Width(l) > Width(k) {
		return l
	}
	return k
}

// Width is the number of bytes of an element of kind k that is no complex number.
func Width(k Kind) int {
	switch k {
	case U8, I8, C8:
		return 1
	case I16:
		return 2
	case I32, C32:
		return 4
	}
	return 8
}

func wrapTo(k Kind, n int64) int64 {
	switch k {
	case U8, C8:
		return int64(uint8(n))
	case I8:
		return int64(int8(n))
	case I16:
		return int64(int16(n))
	case I32:
		return int64(int32(n))
	case C32:
		return int64(uint32(n))
	}
	return n
}

// FoldDouble computes with constants at compile time.
func FoldDouble(op BinOp, x, y Expr) Expr {
	a, okx := x.(*Float)
	b, oky := y.(*Float)
	if okx && oky {
		switch op {
		case OpAdd:
			return &Float{Val: a.Val + b.Val}
		case OpSub:
			return &Float{Val: a.Val - b.Val}
		case OpMul:
			return &Float{Val: a.Val * b.Val}
		}
	}
	return op.Of(x, y)
}

// ByteOf returns a character that is known to be below 256 as a byte.
func ByteOf(x Expr) (Expr, bool) {
	switch x := x.(type) {
	case *Int:
		return &Int{Val: x.Val, K: C8}, x.K == C32 && x.Val >= 0 && x.Val < 256
	case *Convert:
		return x.X, x.To == C32 && x.X.Kind() == C8
	case *Select:
		if x.Kind() != C32 {
			return nil, false
		}
		a, ok := ByteOf(x.Then)
		b, ok2 := ByteOf(x.Else)
		return &Select{Cond: x.Cond, Then: a, Else: b}, ok && ok2
	}
	return nil, false
}
