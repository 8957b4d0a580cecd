package build

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// What a random number costs, in scalar operations.
const drawCost = 10

// drawn is ?y where no element of y is at fault, as an array whose elements are
// functions of their places:
//
//	(base) = run-time draws(n)
//	a[i] = tl_rolld_at(base, i)
//
// The numbers are those of n draws one after the other, since the k-th draw from
// a state on is a hash of the state and k (package prng), and draws leaves the
// state that n draws leave. So the array fuses with what reads it like any other,
// and its elements can be computed in any order. The result is nil where y may
// be at fault, as the draws before the first fault count, and for functions that
// do more than draw a number.
func (g *Builder) drawn(e *tail.Apply, f *tail.Lam, p *Pull) *Value {
	roll, ok := f.Body.(*tail.Apply)
	if !ok || !g.On("draws") {
		return nil
	}
	switch roll.Op {
	case tail.OpRollD:
	case tail.OpRollI:
		if u, ok := roll.Args[0].(*tail.Ref); !ok || u.Var != f.Params[0] || p.Rng.Lo < 1 || p.Faults {
			return nil
		}
	default:
		return nil
	}
	g.Force()
	g.Pullable(p)
	base := g.NewVar("base", ir.I64)
	g.Emit(&ir.Runtime{Fn: "draws", Args: []ir.RuntimeArg{{X: ir.ConvertTo(ir.I64, g.Count(p))}}, Results: []ir.Array{{Elem: ir.I64, Scalar: base}}, At: e.Where})
	r := &Pull{Elem: ir.I64, Dims: p.Dims, Cost: drawCost + p.Cost, Rng: facts.Between(1, p.Rng.Hi), Srcs: []*Pull{p}, Pointwise: true}
	r.Flat = func(i ir.Expr) ir.Expr { return rollAt(base, i, g.IndexFlat(p, i), p.Rng.Hi) }
	if roll.Op == tail.OpRollD {
		r = &Pull{Elem: ir.F64, Dims: p.Dims, Cost: drawCost, Rng: facts.AnyInt, Span: &facts.Units}
		r.Flat = func(i ir.Expr) ir.Expr {
			return &ir.Math{Fn: "tl_rolld_at", K: ir.F64, Args: []ir.Expr{base.Use(), ir.ConvertTo(ir.I64, i)}}
		}
	}
	return Array1(r)
}

// rollAt is draw i from the state base on, a number from 1…n, where n is at
// most limit.
func rollAt(base *ir.Var, i, n ir.Expr, limit int64) ir.Expr {
	fn := "tl_rolli_at"
	if limit <= math.MaxUint32 {
		fn = "tl_roll32_at"
	}
	return &ir.Math{Fn: fn, K: ir.I64, Args: []ir.Expr{base.Use(), ir.ConvertTo(ir.I64, i), ir.ConvertTo(ir.I64, n)}}
}
