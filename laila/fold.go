package laila

import "math"

// The constructors of this file simplify as they build. They are for indices,
// extents and conditions: integers that are known not to overflow.

func add(x, y Expr) Expr {
	a, okx := intOf(x)
	b, oky := intOf(y)
	switch {
	case okx && oky:
		return integer(a + b)
	case okx && a == 0:
		return y
	case oky && b == 0:
		return x
	case okx:
		x, y, b, oky = y, x, a, true
	}
	if oky {
		if s, ok := x.(*Binary); ok {
			if c, ok := intOf(s.Y); ok && s.Op == Add {
				return add(s.X, integer(c+b))
			} else if ok && s.Op == Sub {
				return add(s.X, integer(b-c))
			}
		}
		if b < 0 && b > math.MinInt64 {
			return &Binary{Sub, x, integer(-b)}
		}
	}
	// (a - b) + b is a.
	if s, ok := x.(*Binary); ok && s.Op == Sub && same(s.Y, y) {
		return s.X
	}
	if s, ok := y.(*Binary); ok && s.Op == Sub && same(s.Y, x) {
		return s.X
	}
	return &Binary{Add, x, y}
}

func sub(x, y Expr) Expr {
	if b, ok := intOf(y); ok {
		return add(x, integer(-b))
	}
	if same(x, y) {
		return integer(0)
	}
	if s, ok := x.(*Binary); ok {
		switch {
		case s.Op == Add && same(s.Y, y):
			return s.X
		case s.Op == Add && same(s.X, y):
			return s.Y
		}
		if c, ok := intOf(s.Y); ok && same(s.X, y) && s.Op == Sub {
			return integer(-c)
		}
	}
	return &Binary{Sub, x, y}
}

func mul(x, y Expr) Expr {
	a, okx := intOf(x)
	b, oky := intOf(y)
	switch {
	case okx && oky:
		return integer(a * b)
	case okx && a == 0, oky && b == 0:
		return integer(0)
	case okx && a == 1:
		return y
	case oky && b == 1:
		return x
	case okx:
		return &Binary{Mul, y, x}
	}
	return &Binary{Mul, x, y}
}

// quo and rem have a positive divisor.
func quo(x, y Expr) Expr {
	a, okx := intOf(x)
	b, oky := intOf(y)
	if okx && oky && b > 0 {
		return integer(a / b)
	}
	if oky && b == 1 {
		return x
	}
	return &Binary{Quo, x, y}
}

func rem(x, y Expr) Expr {
	a, okx := intOf(x)
	b, oky := intOf(y)
	if okx && oky && b > 0 {
		return integer(a % b)
	}
	if oky && b == 1 {
		return integer(0)
	}
	return &Binary{Rem, x, y}
}

// narrowRem is rem, in 32 bits where the ranges allow: that is faster, and
// vectorises for constant divisors.
func (l *lowerer) narrowRem(x, y Expr) Expr {
	const limit = 1<<31 - 1
	rx, ry := l.rangeOf(x), l.rangeOf(y)
	if _, ok := intOf(x); ok || !rx.within(-limit, limit) || !ry.within(1, limit) {
		return rem(x, y)
	}
	return convert(I64, &Binary{Rem, convert(I32, x), convert(I32, y)})
}

// narrowQuo is quo, in 32 bits where the ranges allow.
func (l *lowerer) narrowQuo(x, y Expr) Expr {
	const limit = 1<<31 - 1
	if !l.rangeOf(x).within(-limit, limit) || !l.rangeOf(y).within(1, limit) {
		return quo(x, y)
	}
	return convert(I64, &Binary{Quo, convert(I32, x), convert(I32, y)})
}

// lifted returns x plus the least multiple of k, positive, that makes it
// non-negative, and that multiple; it is not ok where the sum needs more than
// 32 bits. With it, quotients and remainders that round down need no test.
func (l *lowerer) lifted(x Expr, k int64) (Expr, int64, bool) {
	const limit = 1<<31 - 1
	r := l.rangeOf(x)
	if r.lo >= 0 {
		return x, 0, true
	}
	if r.lo < -limit/2 || k <= 0 || k > limit/2 {
		return nil, 0, false
	}
	m := (-r.lo + k - 1) / k * k
	if r.hi > limit-m {
		return nil, 0, false
	}
	return add(x, integer(m)), m, true
}

func (l *lowerer) smaller(x, y Expr) Expr {
	rx, ry := l.rangeOf(x), l.rangeOf(y)
	switch {
	case same(x, y), rx.hi <= ry.lo:
		return x
	case ry.hi <= rx.lo:
		return y
	}
	return &Binary{Min, x, y}
}

func (l *lowerer) larger(x, y Expr) Expr {
	rx, ry := l.rangeOf(x), l.rangeOf(y)
	switch {
	case same(x, y), rx.lo >= ry.hi:
		return x
	case ry.lo >= rx.hi:
		return y
	}
	return &Binary{Max, x, y}
}

// compare builds a comparison of integers of one kind and decides it where
// the ranges do.
func (l *lowerer) compare(op BinOp, x, y Expr) Expr {
	rx, ry := l.rangeOf(x), l.rangeOf(y)
	switch op {
	case Lt:
		if rx.hi < ry.lo {
			return boolean(true)
		}
		if rx.lo >= ry.hi || same(x, y) {
			return boolean(false)
		}
	case Le:
		if rx.hi <= ry.lo || same(x, y) {
			return boolean(true)
		}
		if rx.lo > ry.hi {
			return boolean(false)
		}
	case Gt:
		return l.compare(Lt, y, x)
	case Ge:
		return l.compare(Le, y, x)
	case Eq, Ne:
		if d, ok := l.divides(op, x, y); ok {
			return d
		}
		if rx.hi < ry.lo || rx.lo > ry.hi {
			return boolean(op == Ne)
		}
		if same(x, y) || rx.lo == rx.hi && rx == ry {
			return boolean(op == Eq)
		}
	}
	return l.narrowCompare(op, x, y)
}

// divides gives, for a test of a remainder for 0, a test without one. With the
// rounded product of a and the reciprocal of b for quotient, below 2*31: where
// b divides a that is the quotient, elsewhere no whole multiple of b is a. In
// loops over a the division is invariant. Below 2*22 single precision does.
func (l *lowerer) divides(op BinOp, x, y Expr) (test Expr, ok bool) {
	if isInt(x, 0) {
		x, y = y, x
	}
	u, isUse := x.(*Use)
	if !isUse || !isInt(y, 0) {
		return nil, false
	}
	r, ok := l.residues[u.Var]
	if !ok {
		return nil, false
	}
	a, b := r[0], r[1]
	if a.Kind() == I32 {
		test = &Math{"tl_divides", U8, []Expr{b, a}}
		if op == Ne {
			test = not(test)
		}
		return test, true
	}
	scaled := &Binary{Mul, a, &Binary{Div, &Float{1}, b}}
	q := &Math{"floor", F64, []Expr{&Binary{Add, scaled, &Float{0.5}}}}
	return &Binary{op, &Binary{Mul, q, b}, a}, true
}

// narrowCompare compares in the smallest kind that holds both sides.
func (l *lowerer) narrowCompare(op BinOp, x, y Expr) Expr {
	if x.Kind() == C32 {
		if a, b, ok := l.bytes(x, y); ok {
			return &Binary{op, a, b}
		}
	}
	if x.Kind() == I64 && (narrowable(x) || narrowable(y)) {
		if k := wider(narrowest(l.rangeOf(x).union(l.rangeOf(y))), wider(leafKind(x), leafKind(y))); k != I64 {
			return &Binary{op, convert(k, x), convert(k, y)}
		}
	}
	return &Binary{op, x, y}
}

// narrowable reports whether x is made of values that are narrow in storage,
// so that computing it in a narrow kind saves conversions.
func narrowable(x Expr) bool {
	switch x := x.(type) {
	case *Convert:
		return x.X.Kind() != F64 && x.X.Kind() != I64
	case *Binary:
		switch x.Op {
		case Add, Sub, Mul, And, Or, Xor:
			_, xc := x.X.(*Int)
			_, yc := x.Y.(*Int)
			return (xc || narrowable(x.X)) && (yc || narrowable(x.Y))
		}
	case *Unary:
		return x.Op == Neg && narrowable(x.X)
	}
	return false
}

// leafKind returns the widest kind, less than I64, among the values that x is
// made of; I8 where there are none. Vector code keeps one width.
func leafKind(x Expr) Kind {
	k := I8
	switch x := x.(type) {
	case *Convert:
		switch x.X.Kind() {
		case I16, I32:
			k = x.X.Kind()
		}
	case *Unary:
		k = leafKind(x.X)
	case *Binary:
		k = wider(leafKind(x.X), leafKind(x.Y))
	}
	return k
}

// wider returns the wider of two signed kinds.
func wider(k, l Kind) Kind {
	if width(l) > width(k) {
		return l
	}
	return k
}

// convert changes the kind of x. A conversion of an integer to a narrower kind
// moves into sums and products, whose low bits depend on low bits only.
func convert(to Kind, x Expr) Expr {
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
			return convert(to, v.X)
		}
		if inner != F64 && from != F64 && to != F64 && width(inner) <= width(from) && from != C32 {
			return convert(to, v.X)
		}
		if to == F64 && inner != F64 && width(inner) < width(from) {
			return convert(to, v.X)
		}
	case *Binary:
		if to != F64 && from == I64 && narrowable(x) {
			return &Binary{v.Op, convert(to, v.X), convert(to, v.Y)}
		}
	case *Unary:
		if to != F64 && from == I64 && narrowable(x) {
			return &Unary{v.Op, convert(to, v.X)}
		}
	}
	return &Convert{to, x}
}

func width(k Kind) int {
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

func not(x Expr) Expr {
	if n, ok := intOf(x); ok {
		return boolean(n == 0)
	}
	switch x := x.(type) {
	case *Unary:
		if x.Op == Not {
			return x.X
		}
	case *Binary:
		if x.X.Kind() == F64 {
			break
		}
		if op, ok := opposite[x.Op]; ok {
			return &Binary{op, x.X, x.Y}
		}
	}
	return &Unary{Not, x}
}

var opposite = map[BinOp]BinOp{Lt: Ge, Ge: Lt, Gt: Le, Le: Gt, Eq: Ne, Ne: Eq}

func and(x, y Expr) Expr {
	switch {
	case isInt(x, 1):
		return y
	case isInt(y, 1):
		return x
	case isInt(x, 0), isInt(y, 0):
		return boolean(false)
	}
	return &Binary{And, x, y}
}

func or(x, y Expr) Expr {
	switch {
	case isInt(x, 0):
		return y
	case isInt(y, 0):
		return x
	case isInt(x, 1), isInt(y, 1):
		return boolean(true)
	}
	return &Binary{Or, x, y}
}

func choose(c, x, y Expr) Expr {
	if n, ok := intOf(c); ok {
		if n != 0 {
			return x
		}
		return y
	}
	if same(x, y) {
		return x
	}
	return &Select{c, x, y}
}

// product returns the number of elements of a shape.
func product(dims []Expr) Expr {
	n := integer(1)
	for _, d := range dims {
		n = mul(n, d)
	}
	return n
}
