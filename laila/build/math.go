package build

import (
	"math"

	"github.com/tailor-lang/tailor/laila/arith"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// mathFunc is the spelling of a scalar function by functions of the run-time's
// math header, with the tests that come first.
type mathFunc struct {
	Fn    string
	kind  ir.Kind
	tests []mathTest
	// toInt says that fn's result is an integral double to convert.
	toInt bool
}

// mathTest is a test that must give 0; arg is the operand of the message:
// 0 or 1 for an argument, none for a message without operands.
type mathTest struct {
	fn    string
	fault tail.Fault
	arg   int
}

const none = -1

func total(fn string, k ir.Kind) mathFunc { return mathFunc{Fn: fn, kind: k} }

func tested(fn string, k ir.Kind, bad string, f tail.Fault, arg int) mathFunc {
	return mathFunc{Fn: fn, kind: k, tests: []mathTest{{bad, f, arg}}}
}

// twice tests for arguments whose result is complex, then for others that have
// no result.
func twice(fn, bad string, arg int) mathFunc {
	return mathFunc{Fn: fn, kind: ir.F64, tests: []mathTest{
		{bad + "_complex", tail.FaultComplexResult, arg}, {bad, tail.FaultOutOfDomain, arg}}}
}

func rounded(fn string) mathFunc { return mathFunc{Fn: fn, kind: ir.F64, toInt: true} }

var MathOps = map[tail.Op]mathFunc{
	tail.OpGcdI:  tested("tl_gcdi", ir.I64, "tl_bad_gcdi", tail.FaultOverflow, none),
	tail.OpLcmI:  tested("tl_lcmi", ir.I64, "tl_bad_lcmi", tail.FaultOverflow, none),
	tail.OpResD:  total("tl_resd", ir.F64),
	tail.OpResX:  total("tl_resx", ir.F64),
	tail.OpGcdD:  total("tl_gcdd", ir.F64),
	tail.OpLcmD:  total("tl_lcmd", ir.F64),
	tail.OpLogD:  twice("tl_logd", "tl_bad_logd", 1),
	tail.OpBinD:  tested("tl_bind", ir.F64, "tl_bad_bind", tail.FaultOutOfDomain, 1),
	tail.OpFactD: tested("tl_factd", ir.F64, "tl_bad_factd", tail.FaultOutOfDomain, 0),
	tail.OpFmaD:  total(ir.FmaFn, ir.F64),
	tail.OpPowD: {Fn: "tl_powd", kind: ir.F64, tests: []mathTest{
		{"tl_bad_powd_complex", tail.FaultComplexResult, 0},
		{"tl_bad_powd_zero", tail.FaultDivide, none}}},
	tail.OpCircle: twice("tl_circled", "tl_bad_circled", 1),
	tail.OpSignD:  total("tl_signd", ir.I64),
	tail.OpRecD:   tested("tl_recd", ir.F64, "tl_bad_recd", tail.FaultDivide, none),
	tail.OpExpD:   total("exp", ir.F64),
	tail.OpLnD:    twice("log", "tl_bad_lnd", 0),
	tail.OpSqrtD:  tested("sqrt", ir.F64, "tl_bad_sqrtd", tail.FaultComplexResult, 0),
	tail.OpPiD:    total("tl_pid", ir.F64),
	tail.OpNegD:   total("neg", ir.F64),
	tail.OpAbsD:   total("fabs", ir.F64),
	tail.OpSinD:   total("sin", ir.F64),
	tail.OpCosD:   total("cos", ir.F64),
	tail.OpTanD:   total("tan", ir.F64),
	tail.OpSinhD:  total("sinh", ir.F64),
	tail.OpCoshD:  total("cosh", ir.F64),
	tail.OpTanhD:  total("tanh", ir.F64),
	tail.OpAsinD:  tested("asin", ir.F64, "tl_bad_asind", tail.FaultComplexResult, 0),
	tail.OpAcosD:  tested("acos", ir.F64, "tl_bad_acosd", tail.FaultComplexResult, 0),
	tail.OpAtanD:  total("atan", ir.F64),
	tail.OpAsinhD: total("asinh", ir.F64),
	tail.OpAcoshD: tested("acosh", ir.F64, "tl_bad_acoshd", tail.FaultComplexResult, 0),
	tail.OpAtanhD: twice("atanh", "tl_bad_atanhd", 0),
	tail.OpFloorD: rounded("tl_floord"),
	tail.OpCeilD:  rounded("tl_ceild"),
	tail.OpFloorX: rounded("tl_floorx"),
	tail.OpCeilX:  rounded("tl_ceilx"),
	tail.OpLtD:    total("tl_ltd", ir.U8),
	tail.OpLteD:   total("tl_lted", ir.U8),
	tail.OpGtD:    total("tl_gtd", ir.U8),
	tail.OpGteD:   total("tl_gted", ir.U8),
	tail.OpEqD:    total("tl_eqd", ir.U8),
	tail.OpNeqD:   total("tl_neqd", ir.U8),
	tail.OpD2I:    tested("tl_d2i", ir.I64, "tl_bad_d2i", tail.FaultNotInteger, 0),
	tail.OpI2B:    tested("tl_i2b", ir.U8, "tl_bad_i2b", tail.FaultNotBoolean, 0),
	tail.OpD2B:    tested("tl_d2b", ir.U8, "tl_bad_d2b", tail.FaultNotBoolean, 0),
	tail.OpUpperC: total("tl_upperc", ir.C32),
	tail.OpLowerC: total("tl_lowerc", ir.C32),
	tail.OpFoldC:  total("tl_foldc", ir.C32),
	tail.OpI2C:    tested("tl_i2c", ir.C32, "tl_bad_i2c", tail.FaultOutOfDomain, 0),
}

// MathOp applies m, after its tests.
func (g *Builder) MathOp(m mathFunc, args []ir.Expr, at Site) ir.Expr {
	switch m.Fn {
	case "neg":
		if f, ok := args[0].(*ir.Float); ok {
			return &ir.Float{Val: -f.Val}
		}
		return ir.OpNeg.Of(args[0])
	case "fabs":
		return ir.OpAbs.Of(args[0])
	case "tl_recd":
		return g.divideBy(args[0], at)
	}
	if c, ok := TruthOf(args[len(args)-1]); ok && m.Fn == "tl_powd" {
		return ir.Choose(g.Atom("c", c), args[0], &ir.Float{Val: 1})
	}
	if x, ok := g.wholePower(m, args); ok {
		return x
	}
	if x, ok := g.provedInteger(m, args); ok {
		return x
	}
	if x, ok := g.exactQuotient(m, args[0], at); ok {
		return x
	}
	if x, ok := g.compareConstant(m.Fn, args); ok {
		return g.Keep(x)
	}
	if len(m.tests) > 0 || m.toInt || m.kind == ir.U8 {
		args = append([]ir.Expr{}, args...)
		for i := range args {
			args[i] = g.Atom("x", args[i])
		}
	}
	for _, t := range m.tests {
		g.mathTest(m, t, args, at)
	}
	var x ir.Expr = &ir.Math{Fn: m.Fn, K: m.kind, Args: args}
	if m.Fn == "sqrt" {
		x = ir.OpSqrt.Of(args[0])
	}
	if !m.toInt {
		return g.Keep(x)
	}
	if s, ok := g.SpanOf(x); ok && s.Lo > -9e18 && s.Hi < 9e18 {
		i := g.Let("i", &ir.Convert{To: ir.I64, X: x}).(*ir.Use)
		g.Ranges[i.Var] = facts.Between(int64(math.Floor(s.Lo)), int64(math.Ceil(s.Hi)))
		return i
	}
	x = g.Atom("r", x)
	if !g.In.Wrap {
		g.fails(&ir.Math{Fn: "tl_bad_toi", K: ir.U8, Args: []ir.Expr{x}}, tail.FaultOverflow, at, nil)
	}
	return &ir.Math{Fn: "tl_toi", K: ir.I64, Args: []ir.Expr{x}}
}

// mostProducts is the greatest exponent whose power is products: they are wrong by two
// units in the last place at most.
const mostProducts = 16

// wholePower returns a power with a known small whole exponent as products.
func (g *Builder) wholePower(m mathFunc, args []ir.Expr) (ir.Expr, bool) {
	if m.Fn != "tl_powd" {
		return nil, false
	}
	y, ok := args[1].(*ir.Float)
	if !ok || y.Val < 0 || y.Val > mostProducts || y.Val != math.Trunc(y.Val) {
		return nil, false
	}
	if y.Val == 0 {
		return &ir.Float{Val: 1}, true
	}
	return g.timesItself(args[0], int(y.Val)), true
}

// timesItself returns x*n for n from 1 on, by squares.
func (g *Builder) timesItself(x ir.Expr, n int) ir.Expr {
	if n == 1 {
		return x
	}
	x = g.Atom("x", x)
	y := g.timesItself(ir.OpMul.Of(x, x), n/2)
	if n&1 == 1 {
		y = ir.OpMul.Of(x, y)
	}
	return y
}

// TruthOf returns the truth value that x is as a number: x*1 is x, x*0 is 1.
func TruthOf(x ir.Expr) (ir.Expr, bool) {
	c, ok := x.(*ir.Convert)
	for ok && c.X.Kind() != ir.U8 {
		c, ok = c.X.(*ir.Convert)
	}
	if !ok {
		return nil, false
	}
	return c.X, true
}

// provedInteger simplifies conversions of integers whose range is known.
func (g *Builder) provedInteger(m mathFunc, args []ir.Expr) (ir.Expr, bool) {
	if m.Fn == "tl_floord" || m.Fn == "tl_floorx" {
		if x, ok := g.floorQuotient(args[0]); ok {
			return x, true
		}
	}
	if m.Fn == "tl_ceild" || m.Fn == "tl_ceilx" {
		if x, ok := g.ceilQuotient(args[0]); ok {
			return x, true
		}
	}
	if m.Fn == "tl_i2b" && g.RangeOf(args[0]).Within(0, 1) {
		return ir.ConvertTo(ir.U8, args[0]), true
	}
	if m.Fn == "tl_i2c" && g.RangeOf(args[0]).Within(0, 0x10FFFF) {
		return ir.ConvertTo(ir.C32, args[0]), true
	}
	const exact = 1 << 53
	if f, ok := args[0].(*ir.Float); ok && m.Fn == "tl_d2i" && f.Val == math.Trunc(f.Val) && math.Abs(f.Val) <= exact {
		return ir.Integer(int64(f.Val)), true
	}
	c, ok := args[0].(*ir.Convert)
	if !ok || c.X.Kind() == ir.F64 {
		return nil, false
	}
	if (m.toInt || m.Fn == "tl_d2i") && g.RangeOf(c.X).Within(-exact, exact) {
		return ir.ConvertTo(ir.I64, c.X), true
	}
	return nil, false
}

// quotientLimit bounds the integers below which the fraction of a quotient by a small
// constant is nearer to 1, or to 0, than the comparison tolerance only if it is 0.
const quotientLimit = 1 << 46

// integerQuotient reads x÷k for an integer x and a constant k, or the product with the
// exact reciprocal of a power of two.
func (g *Builder) integerQuotient(q ir.Expr) (x ir.Expr, k int64, ok bool) {
	b, isBinary := g.boundTo(q).(*ir.Binary)
	if g.In.CT != 0 || !isBinary || b.Op != ir.OpDiv && b.Op != ir.OpMul {
		return nil, 0, false
	}
	of, f := b.X, b.Y
	if _, isConst := of.(*ir.Float); isConst && b.Op == ir.OpMul {
		of, f = f, of
	}
	c, isInteger := g.boundTo(of).(*ir.Convert)
	by, isConst := f.(*ir.Float)
	if !isInteger || !isConst || c.X.Kind() == ir.F64 || c.X.Kind() == ir.C32 {
		return nil, 0, false
	}
	d := by.Val
	if b.Op == ir.OpMul {
		d = 1 / d
		if fr, _ := math.Frexp(d); fr != 0.5 {
			return nil, 0, false
		}
	}
	if d != math.Trunc(d) || d < 1 || d > 1<<30 {
		return nil, 0, false
	}
	return g.widened(c.X), int64(d), true
}

// boundTo is the double that x stands for where that is an integer or a quotient.
func (g *Builder) boundTo(x ir.Expr) ir.Expr {
	if u, ok := x.(*ir.Use); ok && u.Var.Kind == ir.F64 && g.products[u.Var] != nil {
		return g.products[u.Var]
	}
	return x
}

// widened is x in 64 bits, without a conversion to 32 bits that changes no value.
func (g *Builder) widened(x ir.Expr) ir.Expr {
	if c, ok := x.(*ir.Convert); ok && c.To == ir.I32 && c.X.Kind() == ir.I64 && g.RangeOf(c.X).Within(math.MinInt32, math.MaxInt32) {
		return c.X
	}
	return ir.ConvertTo(ir.I64, x)
}

// floorQuotient is ⌊x÷k for an integer x and a constant k: the quotient of
// integers. Where x may be large, a function looks.
func (g *Builder) floorQuotient(q ir.Expr) (ir.Expr, bool) {
	x, k, ok := g.integerQuotient(q)
	if !ok {
		return nil, false
	}
	r := g.RangeOf(x)
	if !r.Within(-quotientLimit, quotientLimit) {
		if k == 1 || !g.CPU() { // kernels have no such function
			return nil, false
		}
		if r.Within(0, facts.MaxExtent) {
			return g.quotient(x, k), true
		}
		u := g.Let("q", &ir.Math{Fn: "tl_floorquoi", K: ir.I64, Args: []ir.Expr{x, ir.Integer(k)}}).(*ir.Use)
		g.Ranges[u.Var] = facts.Between(r.Lo/k+r.Lo>>44-1, r.Hi/k+r.Hi>>44+1) // of rounded quotients
		return u, true
	}
	if r.Lo >= 0 && k > 1 && g.Nest == nil && ir.IsPlainSum(x, 0) {
		return g.quotient(x, k), true
	}
	z, m, ok := g.Lifted(x, k)
	if !ok {
		return nil, false
	}
	return ir.Add(g.NarrowQuo(z, ir.Integer(k)), ir.Integer(-m/k)), true
}

// exactQuotient is x÷k as an integer, for a natural number x and a constant k: it faults
// where the quotient is none.
func (g *Builder) exactQuotient(m mathFunc, q ir.Expr, at Site) (ir.Expr, bool) {
	if m.Fn != "tl_d2i" || g.Nest != nil {
		return nil, false
	}
	x, k, ok := g.integerQuotient(q)
	if !ok || k == 1 || !g.RangeOf(x).Within(0, facts.MaxExtent) {
		return nil, false
	}
	t := m.tests[0]
	g.fails(ir.OpNe.Of(ir.OpRem.Of(x, ir.Integer(k)), ir.Integer(0)), t.fault, at, func() []ir.FailArg { return []ir.FailArg{{X: q}} })
	u := g.quotient(x, k)
	if f := g.LinearOf(x); g.On("knowledge") && ir.IsPlainSum(x, 0) && g.constantSum(f) {
		g.noteEqual(g.LinearOf(u).Scaled(k).Minus(f))
	}
	return u, true
}

// ceilQuotient is ⌈x÷k, which is ⌊(x+k-1)÷k, where x is not large.
func (g *Builder) ceilQuotient(q ir.Expr) (ir.Expr, bool) {
	x, k, ok := g.integerQuotient(q)
	if !ok {
		return nil, false
	}
	above := ir.Add(x, ir.Integer(k-1))
	switch r := g.RangeOf(x); {
	case r.Within(-quotientLimit, quotientLimit):
		z, m, ok := g.Lifted(above, k)
		if !ok {
			return nil, false
		}
		return ir.Add(g.NarrowQuo(z, ir.Integer(k)), ir.Integer(-m/k)), true
	case r.Within(0, facts.MaxExtent) && k > 1 && g.CPU():
		return g.quotient(above, k), true
	}
	return nil, false
}

// quotient is x÷k, rounded down, for an x that is not negative: k times that is x
// at most.
func (g *Builder) quotient(x ir.Expr, k int64) ir.Expr {
	u := g.Let("q", ir.OpQuo.Of(x, ir.Integer(k))).(*ir.Use)
	g.Ranges[u.Var] = facts.Between(g.RangeOf(x).Lo/k, g.RangeOf(x).Hi/k)
	if f := g.LinearOf(x); g.Nest == nil && g.On("knowledge") && ir.IsPlainSum(x, 0) && g.constantSum(f) && g.held.known.Len() <= maxKnown {
		g.noteLeast(g.LinearOf(u).Scaled(k).Minus(f))
	}
	return u
}

func (g *Builder) divideBy(x ir.Expr, at Site) ir.Expr {
	if c, ok := g.nonzero(x); ok && c {
		return g.Keep(ir.OpDiv.Of(&ir.Float{Val: 1}, x))
	}
	x = g.Atom("x", x)
	g.fails(ir.OpEq.Of(x, &ir.Float{Val: 0}), tail.FaultDivide, at, nil)
	return ir.OpDiv.Of(&ir.Float{Val: 1}, x)
}

func (g *Builder) mathTest(m mathFunc, t mathTest, args []ir.Expr, at Site) {
	if c, ok := args[len(args)-1].(*ir.Float); ok && provedTest(t.fn, c.Val) {
		return
	}
	if y := args[len(args)-1]; t.fn == "tl_bad_powz" && ir.IsComplex(y) {
		if _, ok := arith.Exponent(y.(*ir.Math).Args[0], y.(*ir.Math).Args[1]); ok {
			return
		}
	}
	if t.fault == tail.FaultOverflow && g.In.Wrap || m.Fn == "tl_powd" && g.provedPower(t.fn, args[0], args[1]) {
		return
	}
	if x := args[len(args)-1]; len(args) == 1 && x.Kind() == ir.F64 {
		lo, ok := g.LeastOf(x)
		if ok && (t.fn == "tl_bad_sqrtd" && lo >= 0 || t.fn == "tl_bad_lnd_complex" && lo >= 0 || t.fn == "tl_bad_lnd" && lo > 0) {
			return
		}
	}
	var operands func() []ir.FailArg
	if t.arg != none {
		operands = func() []ir.FailArg { return []ir.FailArg{{X: g.operand(m, t, args)}} }
	}
	g.fails(&ir.Math{Fn: t.fn, K: ir.U8, Args: args}, t.fault, at, operands)
}

// operand returns the argument that a message names, as a double.
func (g *Builder) operand(m mathFunc, t mathTest, args []ir.Expr) ir.Expr {
	if x := complexOperand(m.Fn, args); x != nil {
		return x
	}
	switch {
	case t.fn == "tl_bad_logd_complex": // the argument, where it is to blame
		return ir.Choose(ir.OpLt.Of(args[1], &ir.Float{Val: 0}), args[1], args[0])
	case t.fault == tail.FaultComplexResult:
		return ir.ConvertTo(ir.F64, args[t.arg])
	}
	switch m.Fn {
	case "tl_logd": // the base, where it is to blame
		return ir.Choose(ir.OpGt.Of(args[1], &ir.Float{Val: 0}), args[0], args[1])
	case "tl_circled":
		valid := ir.And(ir.OpGe.Of(args[0], ir.Integer(-7)), ir.OpLe.Of(args[0], ir.Integer(7))) // the others are total
		return ir.Choose(valid, args[1], ir.ConvertTo(ir.F64, args[0]))
	}
	return ir.ConvertTo(ir.F64, args[t.arg])
}

// provedPower reports whether a test of x*y is passed: no power of what is not negative
// is complex, nor one to a whole number, and what is not 0 has a reciprocal.
func (g *Builder) provedPower(fn string, x, y ir.Expr) bool {
	lo, ok := g.LeastOf(x)
	if fn == "tl_bad_powd_zero" {
		least, bounded := g.LeastOf(y)
		return ok && lo > 0 || bounded && least >= 0
	}
	c, converts := g.boundTo(y).(*ir.Convert)
	return fn == "tl_bad_powd_complex" && (ok && lo >= 0 || converts && c.X.Kind() != ir.F64)
}

// provedTest reports whether a test is passed for every first argument, when
// the last argument is the constant c.
func provedTest(fn string, c float64) bool {
	switch fn {
	case "tl_bad_powd_complex":
		return c == math.Trunc(c)
	case "tl_bad_powd_zero":
		return c >= 0
	case "tl_bad_sqrtd", "tl_bad_lnd_complex":
		return c >= 0
	case "tl_bad_lnd":
		return c > 0
	}
	return false
}
