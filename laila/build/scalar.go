package build

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// ScalarOp lowers a scalar function of tail applied to scalars.
func (g *Builder) ScalarOp(e *tail.Apply, args []ir.Expr) ir.Expr {
	x := g.scalarValue(e, args)
	if e.Op.CanOverflow() && !slices.Contains(g.Untested, tail.Expr(e)) {
		return g.Number(x, SiteOf(e))
	}
	return x
}

// ofTruths is the least common multiple or the greatest common divisor of integers that are
// 0 or 1: the lesser or the greater one; nil for others.
func (g *Builder) ofTruths(op tail.Op, args []ir.Expr) ir.Expr {
	for _, x := range args {
		if !g.RangeOf(x).Within(0, 1) {
			return nil
		}
	}
	if op == tail.OpLcmI {
		return g.Keep(ir.OpMin.Of(args[0], args[1]))
	}
	return g.Keep(ir.OpMax.Of(args[0], args[1]))
}

// scalarValue is ScalarOp without a test of doubles that overflow.
func (g *Builder) scalarValue(e *tail.Apply, args []ir.Expr) ir.Expr {
	at := SiteOf(e)
	switch e.Op {
	case tail.OpUpperC, tail.OpLowerC, tail.OpFoldC:
		if x := g.casedByte(e.Op, args[0]); x != nil && g.On("bytes") {
			return x
		}
	}
	if e.Op == tail.OpLcmI || e.Op == tail.OpGcdI {
		if x := g.ofTruths(e.Op, args); x != nil {
			return x
		}
	}
	if m, ok := MathOps[e.Op]; ok {
		return g.MathOp(m, args, at)
	}
	if m, ok := ComplexOps[e.Op]; ok {
		return g.MathOp(m, args, at)
	}
	if op, ok := PlainOps[e.Op]; ok {
		return g.Keep(g.plainOp(op, args))
	}
	switch e.Op {
	case tail.OpAddI:
		return g.Checked(ir.OpAdd, args[0], args[1], at)
	case tail.OpSubI:
		return g.Checked(ir.OpSub, args[0], args[1], at)
	case tail.OpMulI:
		return g.Checked(ir.OpMul, args[0], args[1], at)
	case tail.OpNegI:
		return g.Checked(ir.OpSub, ir.Integer(0), args[0], at)
	case tail.OpAbsI:
		return g.absI(args[0], at)
	case tail.OpSignI:
		x := g.Atom("x", args[0])
		return ir.Sub(ir.ConvertTo(ir.I64, g.Compare(ir.OpGt, x, ir.Integer(0))), ir.ConvertTo(ir.I64, g.Compare(ir.OpLt, x, ir.Integer(0))))
	case tail.OpResI:
		return g.residue(args[0], args[1])
	case tail.OpQuoI:
		if d, ok := ir.IntOf(args[1]); ok && d > 1 && d&(d-1) == 0 {
			return g.Keep(ir.OpShr.Of(args[0], ir.Integer(int64(bits.TrailingZeros64(uint64(d))))))
		}
		return g.Keep(ir.OpQuo.Of(args[0], g.Larger(args[1], ir.Integer(2))))
	case tail.OpPowI:
		return g.powI(args[0], args[1], at)
	case tail.OpDivD:
		return g.divide(args[0], args[1], at)
	case tail.OpRollI, tail.OpRollD:
		return g.roll(e, args)
	case tail.OpEqB:
		return ir.Not(ir.OpXor.Of(args[0], args[1]))
	case tail.OpNandB:
		return ir.Not(ir.And(args[0], args[1]))
	case tail.OpNorB:
		return ir.Not(ir.Or(args[0], args[1]))
	case tail.OpNotB:
		return ir.Not(args[0])
	case tail.OpI2D:
		return g.toDouble(args[0])
	case tail.OpB2I, tail.OpB2D, tail.OpC2I:
		return ir.ConvertTo(KindOf(tail.TypeOf(e).Elem), args[0])
	}
	panic("internal error: no lowering of the scalar function " + e.Op.String())
}

// PlainOps are the functions that are one machine operation.
var PlainOps = map[tail.Op]ir.BinOp{
	tail.OpMinI: ir.OpMin, tail.OpMaxI: ir.OpMax, tail.OpBitAnd: ir.OpAnd, tail.OpBitOr: ir.OpOr, tail.OpBitXor: ir.OpXor,
	tail.OpLtI: ir.OpLt, tail.OpLteI: ir.OpLe, tail.OpGtI: ir.OpGt, tail.OpGteI: ir.OpGe, tail.OpEqI: ir.OpEq, tail.OpNeqI: ir.OpNe,
	tail.OpAddD: ir.OpAdd, tail.OpSubD: ir.OpSub, tail.OpMulD: ir.OpMul,
	tail.OpLtX: ir.OpLt, tail.OpLteX: ir.OpLe, tail.OpGtX: ir.OpGt, tail.OpGteX: ir.OpGe, tail.OpEqX: ir.OpEq, tail.OpNeqX: ir.OpNe,
	tail.OpEqC: ir.OpEq, tail.OpNeqC: ir.OpNe, tail.OpMinD: ir.OpMin, tail.OpMaxD: ir.OpMax,
	tail.OpAndB: ir.OpAnd, tail.OpOrB: ir.OpOr, tail.OpXorB: ir.OpXor,
}

func (g *Builder) plainOp(op ir.BinOp, args []ir.Expr) ir.Expr {
	x, y := args[0], args[1]
	switch {
	case x.Kind() == ir.F64:
		return ir.FoldDouble(op, x, y)
	case op == ir.OpMin && x.Kind() == ir.I64:
		return g.Smaller(x, y)
	case op == ir.OpMax && x.Kind() == ir.I64:
		return g.Larger(x, y)
	case op >= ir.OpLt:
		return g.Compare(op, x, y)
	}
	switch {
	case (op == ir.OpXor || op == ir.OpOr) && ir.IsInt(y, 0):
		return x
	case (op == ir.OpXor || op == ir.OpOr) && ir.IsInt(x, 0):
		return y
	case op == ir.OpAnd && (ir.IsInt(x, 0) || ir.IsInt(y, 0)):
		return &ir.Int{Val: 0, K: x.Kind()}
	}
	if x.Kind() == ir.U8 && op == ir.OpAnd {
		return ir.And(x, y)
	} else if x.Kind() == ir.U8 && op == ir.OpOr {
		return ir.Or(x, y)
	}
	return op.Of(x, y)
}

// knownStep reports whether x plus or less a small constant does not overflow
// because of what is known of x: after the guard ⍵<2 it is 2 at least, and ⍵-1 is
// a number.
func (g *Builder) knownStep(op ir.BinOp, x, y ir.Expr) bool {
	c, ok := ir.IntOf(y)
	if op == ir.OpAdd && !ok {
		c, ok = ir.IntOf(x)
		x = y
	}
	if op == ir.OpSub {
		c = -c
	}
	const far = 1 << 61
	u, isUse := x.(*ir.Use)
	if !ok || !isUse || op == ir.OpMul || c <= -far || c >= far || !g.Steady[u.Var] || !g.On("knowledge") {
		return false
	}
	f := affine.Of(u.Var)
	if c < 0 {
		return g.NotPositive(f.Scaled(-1).Add(-far - c))
	}
	return g.NotPositive(f.Add(c - far))
}

// Checked is integer arithmetic whose overflow is a fault, unless the ranges
// exclude it.
func (g *Builder) Checked(op ir.BinOp, x, y ir.Expr, at Site) ir.Expr {
	if op == ir.OpAdd {
		if z, ok := g.blend(x, y); ok {
			return z
		}
	}
	r, exact := facts.Arith(op, g.RangeOf(x), g.RangeOf(y))
	if exact || g.In.Wrap {
		if exact && r.Lo == r.Hi {
			return ir.Integer(r.Lo)
		}
		if z := identity(op, x, y); z != nil {
			return z
		}
		if op == ir.OpMul {
			if z, ok := g.chosen(x, y); ok {
				return g.Keep(z)
			}
		}
		return g.Keep(op.Of(x, y))
	}
	if g.knownStep(op, x, y) {
		return g.Keep(op.Of(x, y))
	}
	v := g.NewVar("t", ir.I64)
	g.Emit(v.Decl(nil))
	if g.Nest == nil || g.Nest.now {
		bad := g.Mutable("bad", ir.U8, ir.Boolean(false))
		g.Emit(&ir.Checked{Var: v, Op: op, X: x, Y: y, Flag: bad})
		g.FailIf(bad.Use(), tail.FaultOverflow, at, nil)
		return v.Use()
	}
	if bad := g.nestFlag(tail.FaultOverflow, at); bad != nil {
		g.Emit(&ir.Checked{Var: v, Op: op, X: x, Y: y, Flag: bad})
	} else {
		g.Emit(v.Assign(op.Of(x, y)))
	}
	return v.Use()
}

// identity returns the operand that a sum, difference or product is, nil where it is none.
func identity(op ir.BinOp, x, y ir.Expr) ir.Expr {
	unit := int64(0)
	if op == ir.OpMul {
		unit = 1
	}
	switch {
	case ir.IsInt(y, unit):
		return x
	case ir.IsInt(x, unit) && op != ir.OpSub:
		return y
	}
	return nil
}

// nestFlag returns the flag of the next failure without operands in the nest
// being filled, or nil when another failure is being looked for.
func (g *Builder) nestFlag(f tail.Fault, at Site) *ir.Var {
	if g.Nest.Find != nil {
		return nil
	}
	return g.Nest.flag(g, f, at, false)
}

func (g *Builder) absI(x ir.Expr, at Site) ir.Expr {
	r := g.RangeOf(x)
	if r.Lo >= 0 {
		return x
	}
	x = g.Slim("x", x)
	if r.Lo == math.MinInt64 && !g.In.Wrap {
		g.fails(ir.OpEq.Of(x, ir.Integer(math.MinInt64)), tail.FaultOverflow, at, nil)
	}
	return g.Magnitude(x)
}

// residue is x|y: y modulo x with the sign of x; y where x is 0.
func (g *Builder) residue(x, y ir.Expr) ir.Expr {
	rx, ry := g.RangeOf(x), g.RangeOf(y)
	if rx.Lo > 0 {
		if ry.Lo >= 0 && ry.Hi < rx.Lo {
			return y
		}
		x = g.Atom("m", x)
		if r, ok := g.residueNearby(x, y); ok {
			return r
		}
		if _, constant := ir.IntOf(x); !constant && ry.Lo >= 0 && max(rx.Hi, ry.Hi) < 1<<31 {
			return g.residueByDoubles(x, y)
		}
		if k, ok := ir.IntOf(x); ok {
			if z, _, ok := g.Lifted(y, k); ok {
				return g.NarrowRem(z, x)
			}
			if k&(k-1) == 0 && ry.Lo < 0 { // the last bits, of negative numbers, too
				u := g.Let("r", ir.OpAnd.Of(y, ir.Integer(k-1))).(*ir.Use)
				g.Ranges[u.Var] = facts.Between(0, k-1)
				return u
			}
		}
		r := g.NarrowRem(y, x)
		if ry.Lo >= 0 {
			return r
		}
		v := g.Atom("r", r)
		w := g.Let("r", ir.Choose(ir.OpLt.Of(v, ir.Integer(0)), ir.OpAdd.Of(v, x), v))
		if u, ok := w.(*ir.Use); ok {
			g.Ranges[u.Var] = facts.Between(0, rx.Hi-1)
		}
		return w
	}
	if ry.Lo >= 0 && rx.Lo >= 0 {
		// x may be 0, which gives y.
		x, y = g.Atom("m", x), g.Atom("y", y)
		v := g.Let("r", ir.Choose(ir.OpEq.Of(x, ir.Integer(0)), y, ir.Rem(y, ir.OpMax.Of(x, ir.Integer(1)))))
		g.Ranges[v.(*ir.Use).Var] = facts.Between(0, ry.Hi)
		return v
	}
	return &ir.Math{Fn: "tl_resi", K: ir.I64, Args: []ir.Expr{x, y}}
}

// residueNearby is x|y where y is less than x away from 0 … x-1, on one side of it: sums and
// differences of two residues are.
func (g *Builder) residueNearby(x, y ir.Expr) (ir.Expr, bool) {
	m, r := g.RangeOf(x), g.RangeOf(y)
	above := r.Lo >= 0 && r.Hi-m.Lo < m.Lo
	if !above && (r.Lo < -m.Lo || r.Hi >= m.Lo) {
		return nil, false
	}
	v := g.Slim("y", y)
	if c, ok := v.(*ir.Convert); ok && ir.Narrowable(v) {
		if k := facts.RangeOfKind(c.X.Kind()); m.Within(k.Lo, k.Hi) {
			v, x = c.X, ir.ConvertTo(c.X.Kind(), x)
		}
	}
	var w ir.Expr
	if k, ok := ir.IntOf(x); ok && k&(k-1) == 0 {
		w = ir.OpAnd.Of(v, &ir.Int{Val: k - 1, K: v.Kind()})
	} else if above {
		w = ir.Choose(ir.OpLt.Of(v, x), v, ir.OpSub.Of(v, x))
	} else {
		w = ir.Choose(ir.OpLt.Of(v, ir.Zero(v.Kind())), ir.OpAdd.Of(v, x), v)
	}
	w = g.Let("r", w)
	if u, ok := w.(*ir.Use); ok {
		g.Ranges[u.Var] = facts.Between(0, m.Hi-1)
	}
	return ir.ConvertTo(ir.I64, w), true
}

// residueByDoubles is y modulo x for 0 ≤ y and 0 < x below 2*31: doubles
// divide exactly enough, and vectorise; below 2*22 single precision does.
func (g *Builder) residueByDoubles(x, y ir.Expr) ir.Expr {
	if max(g.RangeOf(x).Hi, g.RangeOf(y).Hi) < 1<<22 {
		a, b := g.Atom("y", ir.ConvertTo(ir.I32, y)), g.Atom("m", ir.ConvertTo(ir.I32, x))
		v := g.Let("r", &ir.Convert{To: ir.I64, X: &ir.Math{Fn: "tl_resn", K: ir.I32, Args: []ir.Expr{b, a}}}).(*ir.Use)
		g.Ranges[v.Var] = facts.Between(0, min(g.RangeOf(x).Hi-1, g.RangeOf(y).Hi))
		g.Residues[v.Var] = [2]ir.Expr{a, b}
		return v
	}
	a, b := g.Atom("y", g.toDouble(y)), g.Atom("m", g.toDouble(x))
	q := &ir.Math{Fn: "floor", K: ir.F64, Args: []ir.Expr{ir.OpDiv.Of(a, b)}}
	r := g.Atom("r", ir.OpSub.Of(a, ir.OpMul.Of(q, b)))
	v := g.Let("r", &ir.Convert{To: ir.I64, X: &ir.Convert{To: ir.I32, X: r}}).(*ir.Use)
	g.Ranges[v.Var] = facts.Between(0, min(g.RangeOf(x).Hi-1, g.RangeOf(y).Hi))
	g.Residues[v.Var] = [2]ir.Expr{a, b}
	return v
}

// toDouble converts an integer, through 32 bits where they are enough: that
// conversion is a vector instruction everywhere.
func (g *Builder) toDouble(x ir.Expr) ir.Expr {
	const limit = 1<<31 - 1
	if _, ok := x.(*ir.Int); !ok && x.Kind() == ir.I64 && g.RangeOf(x).Within(-limit, limit) {
		x = ir.ConvertTo(ir.I32, x)
	}
	return ir.ConvertTo(ir.F64, x)
}

func (g *Builder) powI(x, y ir.Expr, at Site) ir.Expr {
	if n, ok := ir.IntOf(y); ok && n == 2 {
		x = g.Atom("x", x)
		return g.Checked(ir.OpMul, x, x, at)
	}
	if g.RangeOf(y).Within(0, 1) {
		return ir.Choose(ir.OpNe.Of(y, ir.Integer(0)), g.Atom("x", x), ir.Integer(1))
	}
	x, y = g.Atom("x", x), g.Atom("y", y)
	g.fails(g.Compare(ir.OpLt, y, ir.Integer(0)), tail.FaultNegative, at, func() []ir.FailArg {
		return []ir.FailArg{{X: y}}
	})
	if !g.In.Wrap {
		g.fails(&ir.Math{Fn: "tl_bad_powi", K: ir.U8, Args: []ir.Expr{x, y}}, tail.FaultOverflow, at, nil)
	}
	return &ir.Math{Fn: "tl_powi", K: ir.I64, Args: []ir.Expr{x, y}}
}

// divide is x÷y: 0÷0 is 1, other divisions by zero are faults.
func (g *Builder) divide(x, y ir.Expr, at Site) ir.Expr {
	if c, ok := g.nonzero(y); ok && c {
		if d, ok := x.(*ir.Float); ok {
			if e, ok := y.(*ir.Float); ok {
				return &ir.Float{Val: d.Val / e.Val}
			}
		}
		return g.Keep(ir.OpDiv.Of(x, y))
	}
	x, y = g.Atom("x", x), g.Atom("y", y)
	zero := ir.OpEq.Of(y, &ir.Float{Val: 0})
	if c, ok := g.nonzero(x); ok && c {
		g.fails(zero, tail.FaultDivide, at, nil)
		return ir.OpDiv.Of(x, y)
	}
	g.fails(ir.And(zero, ir.OpNe.Of(x, &ir.Float{Val: 0})), tail.FaultDivide, at, nil)
	return &ir.Select{Cond: zero, Then: &ir.Float{Val: 1}, Else: ir.OpDiv.Of(x, y)}
}

// nonzero reports whether x is known to differ from 0.
func (g *Builder) nonzero(x ir.Expr) (bool, bool) {
	switch x := x.(type) {
	case *ir.Float:
		return x.Val != 0, true
	case *ir.Math:
		return x.Fn == "exp", x.Fn == "exp"
	}
	if s, ok := g.SpanOf(x); ok && (s.Lo > 0 || s.Hi < 0) {
		return true, true
	}
	if x.Kind() == ir.F64 {
		if lo, ok := g.LeastOf(x); ok && lo > 0 {
			return true, true
		}
	}
	return false, false
}

// roll calls the random generator; the surrounding loops are sequential.
func (g *Builder) roll(e *tail.Apply, args []ir.Expr) ir.Expr {
	if e.Op == tail.OpRollD {
		v := g.NewVar("r", ir.F64)
		g.Emit(&ir.Runtime{Fn: "rolld", Results: []ir.Array{{Elem: ir.F64, Scalar: v}}, At: e.Where})
		return v.Use()
	}
	x := g.Atom("x", args[0])
	cond := g.Compare(ir.OpLt, x, ir.Integer(1))
	g.FailIf(cond, tail.FaultRoll, SiteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: x}} })
	v := g.NewVar("r", ir.I64)
	r := g.RangeOf(x)
	g.Ranges[v] = facts.Between(1, max(r.Hi, 1))
	g.Emit(&ir.Runtime{Fn: "rolli", Args: []ir.RuntimeArg{{X: x}}, Results: []ir.Array{{Elem: ir.I64, Scalar: v}}, At: e.Where})
	return v.Use()
}

// Absolute is the magnitude of an integer, the greatest integer for the least.
func (g *Builder) Absolute(x ir.Expr) ir.Expr {
	r := g.RangeOf(x)
	if r.Lo == math.MinInt64 {
		x = ir.OpMax.Of(x, ir.Integer(-math.MaxInt64))
	}
	switch {
	case r.Lo >= 0:
		return x
	case r.Hi <= 0:
		return ir.Sub(ir.Integer(0), x)
	}
	return ir.OpAbs.Of(x)
}
