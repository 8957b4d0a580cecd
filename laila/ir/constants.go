package ir

import "math"

// Integer is a constant of kind I64.
func Integer(n int64) Expr { return &Int{n, I64} }

// Boolean is a constant of kind U8.
func Boolean(b bool) Expr {
	if b {
		return &Int{1, U8}
	}
	return &Int{0, U8}
}

// Complex returns a complex constant.
func Complex(z complex128) Expr {
	return &Math{"tl_z", C64, []Expr{&Float{real(z)}, &Float{imag(z)}}}
}

// Zero is the zero of a kind.
func Zero(k Kind) Expr {
	switch k {
	case F64:
		return &Float{0}
	case C64:
		return Complex(0)
	}
	return &Int{0, k}
}

// Fill returns the fill element of a kind.
func Fill(k Kind) Expr {
	switch k {
	case F64:
		return &Float{0}
	case C32:
		return &Int{' ', C32}
	case C64:
		return Complex(0)
	}
	return &Int{0, k}
}

// IntOf returns the value of an integer constant.
func IntOf(x Expr) (int64, bool) {
	if n, ok := x.(*Int); ok {
		return n.Val, true
	}
	return 0, false
}

// IsNumber reports whether x is an integer constant.
func IsNumber(x Expr) bool {
	_, ok := IntOf(x)
	return ok
}

// IsInt reports whether x is the integer constant n.
func IsInt(x Expr, n int64) bool {
	v, ok := IntOf(x)
	return ok && v == n
}

// IsFloat reports whether x is the double c, a zero of either sign.
func IsFloat(x Expr, c float64) bool {
	f, ok := x.(*Float)
	return ok && f.Val == c
}

// IsComplex reports whether x is a complex constant.
func IsComplex(x Expr) bool {
	m, ok := x.(*Math)
	if !ok || m.Fn != "tl_z" {
		return false
	}
	_, ok = m.Args[0].(*Float)
	_, ok2 := m.Args[1].(*Float)
	return ok && ok2
}

// Neutral returns the neutral element of an operation on numbers of a kind, nil where it
// has none.
func Neutral(op BinOp, k Kind) Expr {
	if k == F64 {
		if x, ok := map[BinOp]float64{OpAdd: 0, OpMul: 1, OpMin: math.Inf(1), OpMax: math.Inf(-1)}[op]; ok {
			return &Float{x}
		}
		return nil
	}
	bits, ok := map[Kind]int{U8: 1, I8: 7, I16: 15, I32: 31, I64: 63}[k]
	most := int64(1)<<bits - 1
	least, all := -most-1, int64(-1)
	if k == U8 {
		least, all = 0, 1
	}
	n, ok2 := map[BinOp]int64{OpAdd: 0, OpMul: 1, OpMin: most, OpMax: least, OpAnd: all, OpOr: 0, OpXor: 0}[op]
	if !ok || !ok2 {
		return nil
	}
	return &Int{n, k}
}
