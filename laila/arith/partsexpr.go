package arith

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// What parts makes of expressions.

// expr rewrites an expression; a complex one stays complex.
func (p *complexParts) expr(x ir.Expr) ir.Expr {
	if x.Kind() == ir.C64 {
		return ofParts(p.pair(x))
	}
	if m, ok := x.(*ir.Math); ok && len(m.Args) > 0 && m.Args[len(m.Args)-1].Kind() == ir.C64 {
		return p.ofComplex(m)
	}
	y := ir.MapOperands(x, p.expr)
	if b, ok := y.(*ir.Binary); ok && b.Op >= ir.OpLt {
		return p.magnitudes(b)
	}
	return y
}

// ofParts returns the number with given parts.
func ofParts(re, im ir.Expr) ir.Expr {
	if x, ok := partOf("tl_rez", re); ok {
		if y, ok := partOf("tl_imz", im); ok && x == y {
			return x
		}
	}
	return &ir.Math{Fn: "tl_z", K: ir.C64, Args: []ir.Expr{re, im}}
}

// partOf returns the number of which x is a part.
func partOf(fn string, x ir.Expr) (ir.Expr, bool) {
	if m, ok := x.(*ir.Math); ok && m.Fn == fn {
		return m.Args[0], true
	}
	return nil, false
}

// Whole returns the parts of a number that has a place of its own.
func Whole(x ir.Expr) (re, im ir.Expr) {
	return &ir.Math{Fn: "tl_rez", K: ir.F64, Args: []ir.Expr{x}}, &ir.Math{Fn: "tl_imz", K: ir.F64, Args: []ir.Expr{x}}
}

// pair returns the parts of a complex number.
func (p *complexParts) pair(x ir.Expr) (re, im ir.Expr) {
	switch x := x.(type) {
	case *ir.Use:
		if two, ok := p.vars[x.Var]; ok {
			return two[0], two[1]
		}
		return Whole(x)
	case *ir.Load:
		at := p.small(p.expr(x.Index))
		if two, ok := p.bufParts(x.Buf); ok {
			return two[0].Load(at), two[1].Load(at)
		}
		return Whole(x.Buf.Load(at))
	case *ir.Select:
		c := p.atom(p.expr(x.Cond))
		a, b := p.pair(x.Then)
		d, e := p.pair(x.Else)
		return &ir.Select{Cond: c, Then: a, Else: d}, &ir.Select{Cond: c, Then: b, Else: e}
	case *ir.Math:
		return p.math(x)
	}
	panic("internal error: a complex number that is neither loaded nor computed")
}

func (p *complexParts) math(x *ir.Math) (re, im ir.Expr) {
	switch x.Fn {
	case "tl_z":
		return p.expr(x.Args[0]), p.expr(x.Args[1])
	case "tl_d2z":
		return p.expr(x.Args[0]), &ir.Float{Val: 0}
	case "tl_addz", "tl_subz":
		op := ir.OpAdd
		if x.Fn == "tl_subz" {
			op = ir.OpSub
		}
		a, b := p.pair(x.Args[0])
		c, d := p.pair(x.Args[1])
		return ir.FoldDouble(op, a, c), ir.FoldDouble(op, b, d)
	case "tl_negz":
		a, b := p.pair(x.Args[0])
		return negated(a), negated(b)
	case "tl_conjz":
		a, b := p.pair(x.Args[0])
		return a, negated(b)
	case "tl_piz":
		a, b := p.pair(x.Args[0])
		return &ir.Math{Fn: "tl_pid", K: ir.F64, Args: []ir.Expr{a}}, &ir.Math{Fn: "tl_pid", K: ir.F64, Args: []ir.Expr{b}}
	case "tl_mulz":
		a, b := p.atoms(x.Args[0])
		c, d := p.atoms(x.Args[1])
		return timesZ(a, b, c, d)
	case "tl_scalez":
		a := p.atom(p.expr(x.Args[0]))
		c, d := p.pair(x.Args[1])
		return ir.FoldDouble(ir.OpMul, a, c), ir.FoldDouble(ir.OpMul, a, d)
	case "tl_powz":
		if n, ok := Exponent(p.pair(x.Args[1])); ok {
			return p.power(x.Args[0], n)
		}
	case "tl_divz":
		return p.quotient(x.Args[0], x.Args[1])
	case "tl_signz":
		a, b := p.atoms(x.Args[0])
		m := p.atom(&ir.Math{Fn: "tl_magnitude", K: ir.F64, Args: []ir.Expr{a, b}})
		none := p.atom(ir.OpEq.Of(m, &ir.Float{Val: 0}))
		return &ir.Select{Cond: none, Then: &ir.Float{Val: 0}, Else: ir.OpDiv.Of(a, m)}, &ir.Select{Cond: none, Then: &ir.Float{Val: 0}, Else: ir.OpDiv.Of(b, m)}
	case "tl_expz":
		return p.exponential(p.pair(x.Args[0]))
	case "tl_circlez":
		if n, ok := ir.IntOf(x.Args[0]); ok && n == -11 || n == -12 { // of 0J1×y
			a, b := p.pair(x.Args[1])
			if n == -11 {
				return negated(b), a
			}
			return p.exponential(negated(b), a)
		}
	case "tl_recz":
		return p.quotient(ir.Complex(1), x.Args[0])
	}
	m := ir.MapOperands(x, p.expr)
	return Whole(p.let("z", m))
}

// atoms returns the parts of x in variables.
func (p *complexParts) atoms(x ir.Expr) (re, im ir.Expr) {
	a, b := p.pair(x)
	return p.atom(a), p.atom(b)
}

// timesZ returns the parts of aJb × cJd, rounded after each operation.
func timesZ(a, b, c, d ir.Expr) (re, im ir.Expr) {
	times := func(x, y ir.Expr) ir.Expr { return ir.FoldDouble(ir.OpMul, x, y) }
	return ir.FoldDouble(ir.OpSub, times(a, c), times(b, d)), ir.FoldDouble(ir.OpAdd, times(a, d), times(b, c))
}

// powerLimit is the greatest exponent whose power is products (num.PowZ).
const powerLimit = 4

// Exponent returns the whole number with given parts, where powers of it are
// products.
func Exponent(re, im ir.Expr) (int, bool) {
	f, ok := re.(*ir.Float)
	if !ok || !ir.IsFloat(im, 0) || f.Val != math.Trunc(f.Val) || f.Val < 1 || f.Val > powerLimit {
		return 0, false
	}
	return int(f.Val), true
}

func positiveFloat(x ir.Expr) bool {
	f, ok := x.(*ir.Float)
	return ok && f.Val > 0
}

// power returns the parts of x*n, by squares.
func (p *complexParts) power(x ir.Expr, n int) (re, im ir.Expr) {
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
func (p *complexParts) exponential(a, b ir.Expr) (re, im ir.Expr) {
	r, b := ir.Expr(&ir.Float{Val: 1}), p.atom(b)
	if !ir.IsFloat(a, 0) {
		r = p.atom(&ir.Math{Fn: "exp", K: ir.F64, Args: []ir.Expr{a}})
	}
	sine, cosine := p.atom(&ir.Math{Fn: "sin", K: ir.F64, Args: []ir.Expr{b}}), p.atom(&ir.Math{Fn: "cos", K: ir.F64, Args: []ir.Expr{b}})
	part := func(fn string, of ir.Expr) ir.Expr { return &ir.Math{Fn: fn, K: ir.F64, Args: []ir.Expr{r, of, b}} }
	return part("tl_cosine_part", cosine), part("tl_sine_part", sine)
}

// quotient returns the parts of x÷y by Smith's method, with selections for the
// branches of num.DivideZ.
func (p *complexParts) quotient(x, y ir.Expr) (re, im ir.Expr) {
	a, b := p.atoms(x)
	c, d := p.atoms(y)
	over := func(x, y ir.Expr) ir.Expr { return ir.OpDiv.Of(x, y) }
	times := func(x, y ir.Expr) ir.Expr { return ir.OpMul.Of(x, y) }
	real, none := p.zeros(c, d)
	byZero := func(re, im ir.Expr) (ir.Expr, ir.Expr) {
		return &ir.Select{Cond: none, Then: &ir.Float{Val: 1}, Else: re}, &ir.Select{Cond: none, Then: &ir.Float{Val: 0}, Else: im}
	}
	if ir.IsFloat(d, 0) {
		return byZero(over(a, c), over(b, c))
	}
	first := p.atom(ir.OpGe.Of(ir.OpAbs.Of(c), ir.OpAbs.Of(d)))
	pick := func(x, y ir.Expr) ir.Expr { return p.atom(&ir.Select{Cond: first, Then: x, Else: y}) }
	great, less := pick(c, d), pick(d, c)
	r := p.atom(over(less, great))
	u, v := pick(a, b), pick(b, a)
	by := p.atom(&ir.Select{Cond: real, Then: c, Else: ir.OpAdd.Of(great, times(less, r))})
	top := &ir.Select{Cond: real, Then: a, Else: ir.OpAdd.Of(u, times(v, r))}
	turned := &ir.Select{Cond: first, Then: ir.OpSub.Of(b, times(a, r)), Else: ir.OpSub.Of(times(b, r), a)}
	return byZero(over(top, by), over(&ir.Select{Cond: real, Then: b, Else: turned}, by))
}

// zeros tests whether d is 0, and whether c is, too.
func (p *complexParts) zeros(c, d ir.Expr) (real, none ir.Expr) {
	zero := func(x ir.Expr) ir.Expr { return ir.OpEq.Of(x, &ir.Float{Val: 0}) }
	if ir.IsFloat(d, 0) {
		return nil, p.atom(zero(c))
	}
	real = p.atom(zero(d))
	return real, p.atom(ir.And(real, zero(c)))
}

// ofComplex rewrites a function of complex numbers whose result is none.
func (p *complexParts) ofComplex(m *ir.Math) ir.Expr {
	switch m.Fn {
	case "tl_rez":
		re, _ := p.pair(m.Args[0])
		return re
	case "tl_imz":
		_, im := p.pair(m.Args[0])
		return im
	case "tl_absz":
		a, b := p.pair(m.Args[0])
		return &ir.Math{Fn: "tl_magnitude", K: ir.F64, Args: []ir.Expr{a, b}}
	case "tl_bad_recz":
		a, b := p.pair(m.Args[0])
		return bothZero(a, b)
	case "tl_bad_divz":
		a, b := p.pair(m.Args[0])
		c, d := p.pair(m.Args[1])
		return ir.And(bothZero(c, d), ir.OpNot.Of(bothZero(a, b)))
	case "tl_samez":
		a, b := p.pair(m.Args[0])
		c, d := p.pair(m.Args[1])
		return ir.And(ir.OpEq.Of(a, c), ir.OpEq.Of(b, d))
	case "tl_bad_powz":
		if c, _ := p.pair(m.Args[1]); positiveFloat(c) {
			return ir.Boolean(false)
		}
	}
	return ir.MapOperands(m, p.expr)
}

func bothZero(a, b ir.Expr) ir.Expr {
	return ir.And(ir.OpEq.Of(a, &ir.Float{Val: 0}), ir.OpEq.Of(b, &ir.Float{Val: 0}))
}

// magnitudes compares the sum of the squares of the parts where x compares a
// magnitude with a constant.
func (p *complexParts) magnitudes(x *ir.Binary) ir.Expr {
	m, ok := x.X.(*ir.Math)
	c, ok2 := x.Y.(*ir.Float)
	if !ok || !ok2 || m.Fn != "tl_magnitude" {
		return x
	}
	limit, ok := magnitudeBound(x.Op, c.Val)
	if !ok {
		return x
	}
	a, b := p.atom(m.Args[0]), p.atom(m.Args[1])
	sum := ir.OpAdd.Of(ir.OpMul.Of(a, a), ir.OpMul.Of(b, b))
	return x.Op.Of(sum, &ir.Float{Val: limit})
}

// magnitudeBound returns, for a comparison op of a magnitude with the constant
// c, the number with which the sum of the squares of the parts is compared by
// the same op; it is not ok where a square may overflow or vanish.
func magnitudeBound(op ir.BinOp, c float64) (float64, bool) {
	if !(c >= 0x1p-498 && c <= 0x1p498) {
		return 0, false
	}
	below := func(s float64) bool { return math.Sqrt(s) < c }
	if op == ir.OpLe || op == ir.OpGt {
		below = func(s float64) bool { return math.Sqrt(s) <= c }
	}
	s := c * c
	for below(s) {
		s = math.Nextafter(s, math.Inf(1))
	}
	for !below(s) {
		s = math.Nextafter(s, 0)
	}
	if op == ir.OpLt || op == ir.OpGe {
		s = math.Nextafter(s, math.Inf(1))
	}
	return s, op == ir.OpLt || op == ir.OpLe || op == ir.OpGt || op == ir.OpGe
}
