package library

import (
	"math"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// formatted is the display of an integer of 32 bits: its digits, of which there are
// few, so that they are stored in the stack frame, if at all. It is not ok for
// integers that may be larger, which are displayed as doubles are.
//
//	u := |x
//	n := 1 + (u ≥ 10) + (u ≥ 100) + …
func formatted(g *build.Builder, x ir.Expr) (*build.Value, bool) {
	r := g.RangeOf(x)
	if x.Kind() != ir.I64 || !r.Within(math.MinInt32, math.MaxInt32) {
		return nil, false
	}
	x = g.Atom("x", x)
	negative := ir.ConvertTo(ir.I64, g.Compare(ir.OpLt, x, ir.Integer(0)))
	if r.Lo < 0 {
		negative = g.Atom("negative", negative)
	}
	u := g.Atom("u", g.Absolute(x))
	n := ir.Add(ir.Integer(1), negative)
	for p := int64(10); p <= g.RangeOf(u).Hi; p *= 10 {
		n = ir.Add(n, ir.ConvertTo(ir.I64, g.Compare(ir.OpGe, u, ir.Integer(p))))
	}
	n = g.Atom("n", n)
	q := &build.Pull{Elem: ir.C32, Dims: []ir.Expr{n}, Rng: facts.Between('0', '9'), Cost: 16}
	if r.Lo < 0 {
		q.Rng.Hi = '¯'
	}
	q.Fill = func(dst *ir.Buf) {
		char := func(x ir.Expr) ir.Expr { return ir.ConvertTo(dst.Elem, x) }
		if r.Lo < 0 {
			minus := dst.Store(ir.Integer(0), char(ir.Integer('¯')))
			g.Emit(&ir.If{Cond: ir.ConvertTo(ir.U8, negative), Then: []ir.Stmt{minus}})
		}
		g.Digits(ir.Integer(10), u, g.Atom("n", ir.Sub(n, negative)), func(i, d ir.Expr) {
			g.Emit(dst.Store(ir.Add(negative, i), char(ir.Add(d, ir.Integer('0')))))
		})
	}
	return build.Array1(q), true
}

// parsedDigit is the number that one character spells, of which it is known that it is
// a digit.
func parsedDigit(g *build.Builder, text *build.Pull) (*build.Value, bool) {
	if !ir.IsInt(text.Dims[0], 1) || !text.Rng.Within('0', '9') {
		return nil, false
	}
	c := g.Index(text, []ir.Expr{ir.Integer(0)})
	d := ir.Sub(ir.ConvertTo(ir.I64, c), ir.Integer('0'))
	return build.Scalar1(ir.ConvertTo(ir.F64, ir.ConvertTo(ir.I32, d))), true
}
