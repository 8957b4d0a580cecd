package laila

import "math"

// What parts makes of expressions.

// expr rewrites an expression; a complex one stays complex.
func (p *complexParts) expr(x Expr) Expr {
	if x.Kind() == C64 {
		return ofParts(p.pair(x))
	}
	if m, ok := x.(*Math); ok && len(m.Args) > 0 && m.Args[len(m.Args)-1].Kind() == C64 {
		return p.ofComplex(m)
	}
	y := mapOperands(x, p.expr)
	if b, ok := y.(*Binary); ok && b.Op >= Lt {
		return p.magnitudes(b)
	}
	return y
}

// ofParts returns the number with given parts.
func ofParts(re, im Expr) Expr {
	if x, ok := partOf("tl_rez", re); ok {
		if y, ok := partOf("tl_imz", im); ok && x == y {
			return x
		}
	}
	return &Math{"tl_z", C64, []Expr{re, im}}
}

// partOf returns the number of which x is a part.
func partOf(fn string, x Expr) (Expr, bool) {
	if m, ok := x.(*Math); ok && m.Fn == fn {
		return m.Args[0], true
	}
	return nil, false
}

// whole returns the parts of a number that has a place of its own.
func whole(x Expr) (re, im Expr) {
	return &Math{"tl_rez", F64, []Expr{x}}, &Math{"tl_imz", F64, []Expr{x}}
}

// pair returns the parts of a complex number.
func (p *complexParts) pair(x Expr) (re, im Expr) {
	switch x := x.(type) {
	case *Use:
		if two, ok := p.vars[x.Var]; ok {
			return two[0], two[1]
		}
		return whole(x)
	case *Load:
		at := p.small(p.expr(x.Index))
		if two, ok := p.bufParts(x.Buf); ok {
			return &Load{two[0], at}, &Load{two[1], at}
		}
		return whole(&Load{x.Buf, at})
	case *Select:
		c := p.atom(p.expr(x.Cond))
		a, b := p.pair(x.Then)
		d, e := p.pair(x.Else)
		return &Select{c, a, d}, &Select{c, b, e}
	case *Math:
		return p.math(x)
	}
	panic("internal error: a complex number that is neither loaded nor computed")
}

func (p *complexParts) math(x *Math) (re, im Expr) {
	switch x.Fn {
	case "tl_z":
		return p.expr(x.Args[0]), p.expr(x.Args[1])
	case "tl_d2z":
		return p.expr(x.Args[0]), &Float{0}
	case "tl_addz", "tl_subz":
		op := Add
		if x.Fn == "tl_subz" {
			op = Sub
		}
		a, b := p.pair(x.Args[0])
		c, d := p.pair(x.Args[1])
		return foldDouble(op, a, c), foldDouble(op, b, d)
	case "tl_negz":
		a, b := p.pair(x.Args[0])
		return negated(a), negated(b)
	case "tl_conjz":
		a, b := p.pair(x.Args[0])
		return a, negated(b)
	case "tl_piz":
		a, b := p.pair(x.Args[0])
		return &Math{"tl_pid", F64, []Expr{a}}, &Math{"tl_pid", F64, []Expr{b}}
	case "tl_mulz":
		a, b := p.atoms(x.Args[0])
		c, d := p.atoms(x.Args[1])
		return timesZ(a, b, c, d)
	case "tl_scalez":
		a := p.atom(p.expr(x.Args[0]))
		c, d := p.pair(x.Args[1])
		return foldDouble(Mul, a, c), foldDouble(Mul, a, d)
	case "tl_powz":
		if n, ok := exponent(p.pair(x.Args[1])); ok {
			return p.power(x.Args[0], n)
		}
	case "tl_divz":
		return p.quotient(x.Args[0], x.Args[1])
	case "tl_signz":
		a, b := p.atoms(x.Args[0])
		m := p.atom(&Math{"tl_magnitude", F64, []Expr{a, b}})
		none := p.atom(&Binary{Eq, m, &Float{0}})
		return &Select{none, &Float{0}, &Binary{Div, a, m}}, &Select{none, &Float{0}, &Binary{Div, b, m}}
	case "tl_expz":
		return p.exponential(p.pair(x.Args[0]))
	case "tl_circlez":
		if n, ok := intOf(x.Args[0]); ok && n == -11 || n == -12 { // of 0J1×y
			a, b := p.pair(x.Args[1])
			if n == -11 {
				return negated(b), a
			}
			return p.exponential(negated(b), a)
		}
	case "tl_recz":
		return p.quotient(complexNumber(1), x.Args[0])
	}
	m := mapOperands(x, p.expr)
	return whole(p.let("z", m))
}

// atoms returns the parts of x in variables.
func (p *complexParts) atoms(x Expr) (re, im Expr) {
	a, b := p.pair(x)
	return p.atom(a), p.atom(b)
}

// timesZ returns the parts of aJb × cJd, rounded after each operation.
func timesZ(a, b, c, d Expr) (re, im Expr) {
	times := func(x, y Expr) Expr { return foldDouble(Mul, x, y) }
	return foldDouble(Sub, times(a, c), times(b, d)), foldDouble(Add, times(a, d), times(b, c))
}

// powerLimit is the greatest exponent whose power is products (num.PowZ).
const powerLimit = 4

// exponent returns the whole number with given parts, where powers of it are
// products.
func exponent(re, im Expr) (int, bool) {
	f, ok := re.(*Float)
	if !ok || !isFloat(im, 0) || f.Val != math.Trunc(f.Val) || f.Val < 1 || f.Val > powerLimit {
		return 0, false
	}
	return int(f.Val), true
}

func positiveFloat(x Expr) bool {
	f, ok := x.(*Float)
	return ok && f.Val > 0
}

func isFloat(x Expr, c float64) bool {
	f, ok := x.(*Float)
	return ok && f.Val == c
}

// power returns the parts of x*n, by squares.
func (p *complexParts) power(x Expr, n int) (re, im Expr) {
	a, b := p.atoms(x)
	square := func() {
		c, d := timesZ(a, b, a, b)
		a, b = p.atom(c), p.atom(d)
	}
	for ; n&1 == 0; n >>= 1 {
		square()
	}
	re, im = a, b
	for n >>= 1; n > 0; n >>= 1 {
		square()
		if n&1 != 0 {
			re, im = timesZ(re, im, a, b)
			re, im = p.atom(re), p.atom(im)
		}
	}
	return re, im
}

// exponential returns the parts of *aJb; the cosine of 0 is 1.
func (p *complexParts) exponential(a, b Expr) (re, im Expr) {
	r, b := Expr(&Float{1}), p.atom(b)
	if !isFloat(a, 0) {
		r = p.atom(&Math{"exp", F64, []Expr{a}})
	}
	sine, cosine := p.atom(&Math{"sin", F64, []Expr{b}}), p.atom(&Math{"cos", F64, []Expr{b}})
	return foldDouble(Mul, r, cosine), &Math{"tl_sine_part", F64, []Expr{r, sine, b}}
}

// quotient returns the parts of x÷y by Smith's method, with selections for the
// branches of num.DivideZ.
func (p *complexParts) quotient(x, y Expr) (re, im Expr) {
	a, b := p.atoms(x)
	c, d := p.atoms(y)
	over := func(x, y Expr) Expr { return &Binary{Div, x, y} }
	times := func(x, y Expr) Expr { return &Binary{Mul, x, y} }
	real, none := p.zeros(c, d)
	byZero := func(re, im Expr) (Expr, Expr) { return &Select{none, &Float{1}, re}, &Select{none, &Float{0}, im} }
	if isFloat(d, 0) {
		return byZero(over(a, c), over(b, c))
	}
	first := p.atom(&Binary{Ge, &Unary{Abs, c}, &Unary{Abs, d}})
	pick := func(x, y Expr) Expr { return p.atom(&Select{first, x, y}) }
	great, less := pick(c, d), pick(d, c)
	r := p.atom(over(less, great))
	u, v := pick(a, b), pick(b, a)
	by := p.atom(&Select{real, c, &Binary{Add, great, times(less, r)}})
	top := &Select{real, a, &Binary{Add, u, times(v, r)}}
	turned := &Select{first, &Binary{Sub, b, times(a, r)}, &Binary{Sub, times(b, r), a}}
	return byZero(over(top, by), over(&Select{real, b, turned}, by))
}

// zeros tests whether d is 0, and whether c is, too.
func (p *complexParts) zeros(c, d Expr) (real, none Expr) {
	zero := func(x Expr) Expr { return &Binary{Eq, x, &Float{0}} }
	if isFloat(d, 0) {
		return nil, p.atom(zero(c))
	}
	real = p.atom(zero(d))
	return real, p.atom(and(real, zero(c)))
}

// ofComplex rewrites a function of complex numbers whose result is none.
func (p *complexParts) ofComplex(m *Math) Expr {
	switch m.Fn {
	case "tl_rez":
		re, _ := p.pair(m.Args[0])
		return re
	case "tl_imz":
		_, im := p.pair(m.Args[0])
		return im
	case "tl_absz":
		a, b := p.pair(m.Args[0])
		return &Math{"tl_magnitude", F64, []Expr{a, b}}
	case "tl_bad_recz":
		a, b := p.pair(m.Args[0])
		return bothZero(a, b)
	case "tl_bad_divz":
		a, b := p.pair(m.Args[0])
		c, d := p.pair(m.Args[1])
		return and(bothZero(c, d), &Unary{Not, bothZero(a, b)})
	case "tl_samez":
		a, b := p.pair(m.Args[0])
		c, d := p.pair(m.Args[1])
		return and(&Binary{Eq, a, c}, &Binary{Eq, b, d})
	case "tl_bad_powz":
		if c, _ := p.pair(m.Args[1]); positiveFloat(c) {
			return boolean(false)
		}
	}
	return mapOperands(m, p.expr)
}

func bothZero(a, b Expr) Expr {
	return and(&Binary{Eq, a, &Float{0}}, &Binary{Eq, b, &Float{0}})
}

// magnitudes compares the sum of the squares of the parts where x compares a
// magnitude with a constant.
func (p *complexParts) magnitudes(x *Binary) Expr {
	m, ok := x.X.(*Math)
	c, ok2 := x.Y.(*Float)
	if !ok || !ok2 || m.Fn != "tl_magnitude" {
		return x
	}
	limit, ok := magnitudeBound(x.Op, c.Val)
	if !ok {
		return x
	}
	a, b := p.atom(m.Args[0]), p.atom(m.Args[1])
	sum := &Binary{Add, &Binary{Mul, a, a}, &Binary{Mul, b, b}}
	return &Binary{x.Op, sum, &Float{limit}}
}

// magnitudeBound returns, for a comparison op of a magnitude with the constant
// c, the number with which the sum of the squares of the parts is compared by
// the same op; it is not ok where a square may overflow or vanish.
func magnitudeBound(op BinOp, c float64) (float64, bool) {
	if !(c >= 0x1p-498 && c <= 0x1p498) {
		return 0, false
	}
	below := func(s float64) bool { return math.Sqrt(s) < c }
	if op == Le || op == Gt {
		below = func(s float64) bool { return math.Sqrt(s) <= c }
	}
	s := c * c
	for below(s) {
		s = math.Nextafter(s, math.Inf(1))
	}
	for !below(s) {
		s = math.Nextafter(s, 0)
	}
	if op == Lt || op == Ge {
		s = math.Nextafter(s, math.Inf(1))
	}
	return s, op == Lt || op == Le || op == Gt || op == Ge
}
