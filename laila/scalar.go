package laila

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// scalarOp lowers a scalar function of tail applied to scalars.
func (g *gen) scalarOp(e *tail.Apply, args []Expr) Expr {
	x := g.scalarValue(e, args)
	if e.Op.CanOverflow() && !slices.Contains(g.untested, tail.Expr(e)) {
		return g.number(x, siteOf(e))
	}
	return x
}

// scalarValue is scalarOp without a test of doubles that overflow.
func (g *gen) scalarValue(e *tail.Apply, args []Expr) Expr {
	at := siteOf(e)
	switch e.Op {
	case tail.OpUpperC, tail.OpLowerC, tail.OpFoldC:
		if x := g.casedByte(e.Op, args[0]); x != nil && g.on("bytes") {
			return x
		}
	}
	if m, ok := mathOps[e.Op]; ok {
		return g.mathOp(m, args, at)
	}
	if m, ok := complexOps[e.Op]; ok {
		return g.mathOp(m, args, at)
	}
	if op, ok := plainOps[e.Op]; ok {
		return g.keep(g.plainOp(op, args))
	}
	switch e.Op {
	case tail.OpAddI:
		return g.checked(Add, args[0], args[1], at)
	case tail.OpSubI:
		return g.checked(Sub, args[0], args[1], at)
	case tail.OpMulI:
		return g.checked(Mul, args[0], args[1], at)
	case tail.OpNegI:
		return g.checked(Sub, integer(0), args[0], at)
	case tail.OpAbsI:
		return g.absI(args[0], at)
	case tail.OpSignI:
		x := g.atom("x", args[0])
		return sub(convert(I64, g.compare(Gt, x, integer(0))), convert(I64, g.compare(Lt, x, integer(0))))
	case tail.OpResI:
		return g.residue(args[0], args[1])
	case tail.OpPowI:
		return g.powI(args[0], args[1], at)
	case tail.OpDivD:
		return g.divide(args[0], args[1], at)
	case tail.OpRollI, tail.OpRollD:
		return g.roll(e, args)
	case tail.OpEqB:
		return not(&Binary{Xor, args[0], args[1]})
	case tail.OpNandB:
		return not(and(args[0], args[1]))
	case tail.OpNorB:
		return not(or(args[0], args[1]))
	case tail.OpNotB:
		return not(args[0])
	case tail.OpI2D:
		return g.toDouble(args[0])
	case tail.OpB2I, tail.OpB2D, tail.OpC2I:
		return convert(kindOf(tail.TypeOf(e).Elem), args[0])
	}
	panic("internal error: no lowering of the scalar function " + e.Op.String())
}

// plainOps are the functions that are one machine operation.
var plainOps = map[tail.Op]BinOp{
	tail.OpMinI: Min, tail.OpMaxI: Max, tail.OpBitAnd: And, tail.OpBitOr: Or, tail.OpBitXor: Xor,
	tail.OpLtI: Lt, tail.OpLteI: Le, tail.OpGtI: Gt, tail.OpGteI: Ge, tail.OpEqI: Eq, tail.OpNeqI: Ne,
	tail.OpAddD: Add, tail.OpSubD: Sub, tail.OpMulD: Mul,
	tail.OpLtX: Lt, tail.OpLteX: Le, tail.OpGtX: Gt, tail.OpGteX: Ge, tail.OpEqX: Eq, tail.OpNeqX: Ne,
	tail.OpEqC: Eq, tail.OpNeqC: Ne, tail.OpMinD: Min, tail.OpMaxD: Max,
	tail.OpAndB: And, tail.OpOrB: Or, tail.OpXorB: Xor,
}

func (g *gen) plainOp(op BinOp, args []Expr) Expr {
	x, y := args[0], args[1]
	switch {
	case x.Kind() == F64:
		return foldDouble(op, x, y)
	case op == Min && x.Kind() == I64:
		return g.smaller(x, y)
	case op == Max && x.Kind() == I64:
		return g.larger(x, y)
	case op >= Lt:
		return g.compare(op, x, y)
	}
	switch {
	case (op == Xor || op == Or) && isInt(y, 0):
		return x
	case (op == Xor || op == Or) && isInt(x, 0):
		return y
	case op == And && (isInt(x, 0) || isInt(y, 0)):
		return &Int{0, x.Kind()}
	}
	if x.Kind() == U8 && op == And {
		return and(x, y)
	} else if x.Kind() == U8 && op == Or {
		return or(x, y)
	}
	return &Binary{op, x, y}
}

// foldDouble computes with constants at compile time.
func foldDouble(op BinOp, x, y Expr) Expr {
	a, okx := x.(*Float)
	b, oky := y.(*Float)
	if okx && oky {
		switch op {
		case Add:
			return &Float{a.Val + b.Val}
		case Sub:
			return &Float{a.Val - b.Val}
		case Mul:
			return &Float{a.Val * b.Val}
		}
	}
	return &Binary{op, x, y}
}

// knownStep reports whether x plus or less a small constant does not overflow
// because of what is known of x: after the guard ⍵<2 it is 2 at least, and ⍵-1 is
// a number.
func (g *gen) knownStep(op BinOp, x, y Expr) bool {
	c, ok := intOf(y)
	if op == Add && !ok {
		c, ok = intOf(x)
		x = y
	}
	if op == Sub {
		c = -c
	}
	const far = 1 << 62
	u, isUse := x.(*Use)
	if !ok || !isUse || op == Mul || c <= -far || c >= far || !g.steady[u.Var] || !g.on("knowledge") {
		return false
	}
	f := linear{coef: map[*Var]int64{u.Var: 1}}
	if c < 0 {
		return g.notPositive(f.scaled(-1, -far-c))
	}
	return g.notPositive(f.scaled(1, c-far))
}

// checked is integer arithmetic whose overflow is a fault, unless the ranges
// exclude it.
func (g *gen) checked(op BinOp, x, y Expr, at site) Expr {
	r, exact := arith(op, g.rangeOf(x), g.rangeOf(y))
	if exact || g.in.Wrap {
		if exact && r.lo == r.hi {
			return integer(r.lo)
		}
		if op == Mul {
			if z, ok := g.chosen(x, y); ok {
				return g.keep(z)
			}
		}
		return g.keep(&Binary{op, x, y})
	}
	if g.knownStep(op, x, y) {
		return g.keep(&Binary{op, x, y})
	}
	v := g.newVar("t", I64)
	g.emit(&Decl{v, nil})
	if g.nest == nil || g.nest.now {
		bad := g.mutable("bad", U8, boolean(false))
		g.emit(&Checked{v, op, x, y, bad})
		g.failIf(&Use{bad}, tail.FaultOverflow, at, nil)
		return &Use{v}
	}
	if bad := g.nestFlag(tail.FaultOverflow, at); bad != nil {
		g.emit(&Checked{v, op, x, y, bad})
	} else {
		g.emit(&Assign{v, &Binary{op, x, y}})
	}
	return &Use{v}
}

// nestFlag returns the flag of the next failure without operands in the nest
// being filled, or nil when another failure is being looked for.
func (g *gen) nestFlag(f tail.Fault, at site) *Var {
	if g.nest.find != nil {
		return nil
	}
	return g.nest.flag(g, f, at, false)
}

func (g *gen) absI(x Expr, at site) Expr {
	r := g.rangeOf(x)
	if r.lo >= 0 {
		return x
	}
	x = g.atom("x", x)
	if r.lo == math.MinInt64 && !g.in.Wrap {
		g.fails(&Binary{Eq, x, integer(math.MinInt64)}, tail.FaultOverflow, at, nil)
	}
	return &Unary{Abs, x}
}

// residue is x|y: y modulo x with the sign of x; y where x is 0.
func (g *gen) residue(x, y Expr) Expr {
	rx, ry := g.rangeOf(x), g.rangeOf(y)
	if rx.lo > 0 {
		if ry.lo >= 0 && ry.hi < rx.lo {
			return y
		}
		x = g.atom("m", x)
		if _, constant := intOf(x); !constant && ry.lo >= 0 && max(rx.hi, ry.hi) < 1<<31 {
			return g.residueByDoubles(x, y)
		}
		if k, ok := intOf(x); ok {
			if z, _, ok := g.lifted(y, k); ok {
				return g.narrowRem(z, x)
			}
			if k&(k-1) == 0 && ry.lo < 0 { // the last bits, of negative numbers, too
				u := g.let("r", &Binary{And, y, integer(k - 1)}).(*Use)
				g.ranges[u.Var] = interval{0, k - 1}
				return u
			}
		}
		r := g.narrowRem(y, x)
		if ry.lo >= 0 {
			return r
		}
		v := g.atom("r", r)
		w := g.let("r", choose(&Binary{Lt, v, integer(0)}, &Binary{Add, v, x}, v))
		if u, ok := w.(*Use); ok {
			g.ranges[u.Var] = interval{0, rx.hi - 1}
		}
		return w
	}
	if ry.lo >= 0 && rx.lo >= 0 {
		// x may be 0, which gives y.
		x, y = g.atom("m", x), g.atom("y", y)
		v := g.let("r", choose(&Binary{Eq, x, integer(0)}, y, rem(y, &Binary{Max, x, integer(1)})))
		g.ranges[v.(*Use).Var] = interval{0, ry.hi}
		return v
	}
	return &Math{"tl_resi", I64, []Expr{x, y}}
}

// residueByDoubles is y modulo x for 0 ≤ y and 0 < x below 2*31: doubles
// divide exactly enough, and vectorise; below 2*22 single precision does.
func (g *gen) residueByDoubles(x, y Expr) Expr {
	if max(g.rangeOf(x).hi, g.rangeOf(y).hi) < 1<<22 {
		a, b := g.atom("y", convert(I32, y)), g.atom("m", convert(I32, x))
		v := g.let("r", &Convert{I64, &Math{"tl_resn", I32, []Expr{b, a}}}).(*Use)
		g.ranges[v.Var] = interval{0, min(g.rangeOf(x).hi-1, g.rangeOf(y).hi)}
		g.residues[v.Var] = [2]Expr{a, b}
		return v
	}
	a, b := g.atom("y", g.toDouble(y)), g.atom("m", g.toDouble(x))
	q := &Math{"floor", F64, []Expr{&Binary{Div, a, b}}}
	r := g.atom("r", &Binary{Sub, a, &Binary{Mul, q, b}})
	v := g.let("r", &Convert{I64, &Convert{I32, r}}).(*Use)
	g.ranges[v.Var] = interval{0, min(g.rangeOf(x).hi-1, g.rangeOf(y).hi)}
	g.residues[v.Var] = [2]Expr{a, b}
	return v
}

// toDouble converts an integer, through 32 bits where they are enough: that
// conversion is a vector instruction everywhere.
func (g *gen) toDouble(x Expr) Expr {
	const limit = 1<<31 - 1
	if _, ok := x.(*Int); !ok && x.Kind() == I64 && g.rangeOf(x).within(-limit, limit) {
		x = convert(I32, x)
	}
	return convert(F64, x)
}

func (g *gen) powI(x, y Expr, at site) Expr {
	if n, ok := intOf(y); ok && n == 2 {
		x = g.atom("x", x)
		return g.checked(Mul, x, x, at)
	}
	x, y = g.atom("x", x), g.atom("y", y)
	g.fails(g.compare(Lt, y, integer(0)), tail.FaultNegative, at, func() []FailArg {
		return []FailArg{{X: y}}
	})
	if !g.in.Wrap {
		g.fails(&Math{"tl_bad_powi", U8, []Expr{x, y}}, tail.FaultOverflow, at, nil)
	}
	return &Math{"tl_powi", I64, []Expr{x, y}}
}

// divide is x÷y: 0÷0 is 1, other divisions by zero are faults.
func (g *gen) divide(x, y Expr, at site) Expr {
	if c, ok := g.nonzero(y); ok && c {
		if d, ok := x.(*Float); ok {
			if e, ok := y.(*Float); ok {
				return &Float{d.Val / e.Val}
			}
		}
		return g.keep(&Binary{Div, x, y})
	}
	x, y = g.atom("x", x), g.atom("y", y)
	zero := &Binary{Eq, y, &Float{0}}
	if c, ok := g.nonzero(x); ok && c {
		g.fails(zero, tail.FaultDivide, at, nil)
		return &Binary{Div, x, y}
	}
	g.fails(and(zero, &Binary{Ne, x, &Float{0}}), tail.FaultDivide, at, nil)
	return &Select{zero, &Float{1}, &Binary{Div, x, y}}
}

// nonzero reports whether x is known to differ from 0.
func (g *gen) nonzero(x Expr) (bool, bool) {
	switch x := x.(type) {
	case *Float:
		return x.Val != 0, true
	case *Math:
		return x.Fn == "exp", x.Fn == "exp"
	}
	if s, ok := g.spanOf(x); ok && (s.lo > 0 || s.hi < 0) {
		return true, true
	}
	if x.Kind() == F64 {
		if lo, ok := g.leastOf(x); ok && lo > 0 {
			return true, true
		}
	}
	return false, false
}

// roll calls the random generator; the surrounding loops are sequential.
func (g *gen) roll(e *tail.Apply, args []Expr) Expr {
	if e.Op == tail.OpRollD {
		v := g.newVar("r", F64)
		g.emit(&Runtime{Fn: "rolld", Results: []Array{{Elem: F64, Scalar: v}}, At: e.Where})
		return &Use{v}
	}
	x := g.atom("x", args[0])
	cond := g.compare(Lt, x, integer(1))
	g.failIf(cond, tail.FaultOutOfDomain, siteOf(e), func() []FailArg {
		return []FailArg{{X: convert(F64, x)}}
	})
	v := g.newVar("r", I64)
	r := g.rangeOf(x)
	g.ranges[v] = interval{1, max(r.hi, 1)}
	g.emit(&Runtime{Fn: "rolli", Args: []RuntimeArg{{X: x}}, Results: []Array{{Elem: I64, Scalar: v}}, At: e.Where})
	return &Use{v}
}
