package arith

import (
	"maps"
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// A sum of two numbers times a truth value and times its opposite is one of
// the numbers where both are finite and none is ¯0, of which 0 times the other
// would make 0:
//
//	x[l] = f64(in) × u + x × f64(!in)
//
// becomes
//
//	x[l] = in ? u : x
//
// In a ⍣ that works by elements that follows by induction. When the state of a
// group and what its steps read from outside lie within large limits, and each
// step takes numbers within them to numbers within them, nothing ever becomes
// infinite:
//
//	if every element lies within the limits
//	  the steps, with selections
//	else
//	  the steps as they are
//
// Twice a number, when it is that small, is exact, and does not overflow, so a sum
// with it is one operation: c+2×x×y.
//
// What a condition says of the numbers that it tests is used: 4≥(x×x)+y×y
// bounds x, y, and what is computed of them where it is true.
//
// Requires: steps as straight code, whose loads come before its stores.
// Preserves: the values, bit by bit.
const (
	// movingLimit and fixedLimit are what the elements of the state and those
	// from outside must not exceed. Products of two of the state stay finite.
	movingLimit = 1e100
	fixedLimit  = 1e50
	// blendLimit is the most sums that are looked at.
	blendLimit = 16
)

// induction is the proof for the steps of a loop.
type induction struct {
	l     *pass.Context
	block []ir.Stmt
	defs  map[*ir.Var]ir.Expr
	state map[*ir.Buf]bool // the rows of doubles of the state: whether they stay within the limit
	fixed map[*ir.Buf]bool
	sums  int
}

// Selections replaces sums in the block of a step, whose state is in the rows
// now and which reads the rows fixed. It returns a test of an element of a
// group that must hold for all when the steps begin; nil when nothing was
// replaced.
func Selections(l *pass.Context, block []ir.Stmt, now, fixed []*ir.Buf) func(at ir.Expr) ir.Expr {
	p := &induction{l: l, block: block, defs: map[*ir.Var]ir.Expr{}, state: map[*ir.Buf]bool{}, fixed: map[*ir.Buf]bool{}}
	for _, b := range now {
		if b.Elem == ir.F64 {
			p.state[b] = true
		}
	}
	for _, b := range fixed {
		if b.Elem == ir.F64 {
			p.fixed[b] = true
		}
	}
	if !p.straight() || p.sums == 0 || p.sums > blendLimit {
		return nil
	}
	most := p.holds()
	if most == 0 {
		return nil
	}
	// What the proof can do without needs no test.
	for _, b := range append(append([]*ir.Buf{}, now...), fixed...) {
		state, outside := maps.Clone(p.state), maps.Clone(p.fixed)
		delete(p.state, b)
		delete(p.fixed, b)
		if p.holds() < most {
			p.state, p.fixed = state, outside
		}
	}
	b := p.bounder()
	for _, s := range p.block {
		ir.MapScalars(s, func(x ir.Expr) ir.Expr {
			if cond, u, v := p.blend(x); cond != nil && p.exact(b, cond, u, v) {
				return &ir.Select{Cond: cond, Then: u, Else: v}
			}
			return x
		})
	}
	for _, s := range p.block {
		if l.CPU() {
			ir.MapScalars(s, func(x ir.Expr) ir.Expr { return withTwice(b, x) })
		}
	}
	return func(at ir.Expr) ir.Expr {
		good := ir.Boolean(true)
		for _, b := range now {
			if p.state[b] {
				good = ir.And(good, tame(b.Load(at), movingLimit))
			}
		}
		for _, b := range fixed {
			if p.fixed[b] {
				good = ir.And(good, tame(b.Load(at), fixedLimit))
			}
		}
		return good
	}
}

// twiceLimit is what numbers must not exceed that are taken twice.
const twiceLimit = 0x1p1000

// withTwice returns a sum or a difference of a number and twice another one, which is
// bounded, as one operation; other expressions as they are.
func withTwice(b *facts.Bounder, x ir.Expr) ir.Expr {
	sum, ok := x.(*ir.Binary)
	if !ok || sum.Op != ir.OpAdd && sum.Op != ir.OpSub || sum.Kind() != ir.F64 {
		return x
	}
	bounded := func(x ir.Expr) ir.Expr {
		if y, ok := x.(*ir.Binary); ok && y.Op == ir.OpAdd && ir.Same(y.X, y.Y) {
			if r := b.Of(y.X); r.Lo >= -twiceLimit && r.Hi <= twiceLimit {
				return y.X
			}
		}
		return nil
	}
	if v := bounded(sum.Y); v != nil && sum.Op == ir.OpSub {
		return &ir.Math{Fn: ir.TwiceFn, K: ir.F64, Args: []ir.Expr{negated(v), sum.X}}
	} else if v != nil {
		return &ir.Math{Fn: ir.TwiceFn, K: ir.F64, Args: []ir.Expr{v, sum.X}}
	}
	if v := bounded(sum.X); v != nil && sum.Op == ir.OpAdd {
		return &ir.Math{Fn: ir.TwiceFn, K: ir.F64, Args: []ir.Expr{v, sum.Y}}
	}
	return x
}

// holds drops the assumptions about rows of the state that steps do not keep,
// and returns how many sums can be replaced under those that are left.
func (p *induction) holds() int {
	b, stable := p.bounder(), false
	for !stable {
		b, stable = p.bounder(), true
		for _, s := range p.block {
			if s, ok := s.(*ir.Store); ok && p.state[s.Buf] && !b.Of(s.X).Within(movingLimit) {
				p.state[s.Buf], stable = false, false
			}
		}
	}
	n := 0
	for _, s := range p.block {
		ir.MapScalars(s, func(x ir.Expr) ir.Expr {
			if cond, u, v := p.blend(x); cond != nil && p.exact(b, cond, u, v) {
				n++
			}
			return x
		})
	}
	return n
}

// tame tests whether x lies between -limit and limit and is not ¯0.
func tame(x ir.Expr, limit float64) ir.Expr {
	return ir.And(ir.OpLe.Of(ir.OpAbs.Of(x), &ir.Float{Val: limit}), ir.OpNe.Of(ir.Words(x)[0], ir.Integer(math.MinInt64)))
}

// straight collects the definitions of the block; it is not ok when there is
// more in it than definitions, and stores to the state behind the last load
// of it.
func (p *induction) straight() bool {
	stored, ordered := map[*ir.Buf]bool{}, true
	for _, s := range p.block {
		for _, x := range ir.Exprs(s) {
			ir.EachLoad(x, func(b *ir.Buf) { ordered = ordered && !stored[b] })
		}
		switch s := s.(type) {
		case *ir.Comment:
		case *ir.Decl:
			if s.Init == nil {
				return false
			}
			p.defs[s.Var] = s.Init
		case *ir.Assign:
			if p.defs[s.Var] != nil {
				return false
			}
		case *ir.Store:
			stored[s.Buf] = true
		default:
			return false
		}
		ir.MapScalars(s, func(x ir.Expr) ir.Expr {
			if cond, _, _ := p.blend(x); cond != nil {
				p.sums++
			}
			return x
		})
	}
	return ordered
}

// bounder bounds what the steps compute while the state is as it is assumed.
func (p *induction) bounder() *facts.Bounder {
	b := &facts.Bounder{Base: p.l.Base, Defs: p.defs, Known: map[*ir.Var]facts.Reals{}, Memo: map[*ir.Var]facts.Reals{}, Rows: map[*ir.Buf]facts.Reals{}}
	for row, within := range p.state {
		if within {
			b.Rows[row] = facts.Reals{Lo: -movingLimit, Hi: movingLimit}
		}
	}
	for row, within := range p.fixed {
		if within {
			b.Rows[row] = facts.Reals{Lo: -fixedLimit, Hi: fixedLimit}
		}
	}
	b.Sum = func(x ir.Expr) (facts.Reals, bool) {
		cond, u, v := p.blend(x)
		if cond == nil || b.Under || !p.exact(b, cond, u, v) {
			return facts.Reals{}, false
		}
		return b.With(cond).Of(u).Union(b.Of(v)), true
	}
	return b
}

// exact reports whether f64(cond)×u plus f64(!cond)×v is cond ? u : v.
func (p *induction) exact(b *facts.Bounder, cond, u, v ir.Expr) bool {
	c := b.With(cond)
	return c.Of(v).Finite() && !c.Of(u).Minus && b.Of(u).Finite() && !b.Of(v).Minus
}

// blend returns the condition and the numbers of a sum f64(cond)×u plus
// f64(!cond)×v; nil where x is something else.
func (p *induction) blend(x ir.Expr) (cond, u, v ir.Expr) {
	sum, ok := x.(*ir.Binary)
	if !ok || sum.Op != ir.OpAdd || sum.Kind() != ir.F64 {
		return nil, nil, nil
	}
	c, not, u := p.masked(sum.X)
	d, not2, v := p.masked(sum.Y)
	if c == nil || d == nil || c.Var != d.Var || not == not2 {
		return nil, nil, nil
	}
	if not {
		u, v = v, u
	}
	return c, u, v
}

// masked returns the variable and the number of a product of the number and a
// truth value, and whether it is the opposite of the variable's.
func (p *induction) masked(x ir.Expr) (cond *ir.Use, not bool, u ir.Expr) {
	m, ok := x.(*ir.Binary)
	if !ok || m.Op != ir.OpMul {
		return nil, false, nil
	}
	if c, not := p.truth(m.X); c != nil {
		return c, not, m.Y
	}
	c, not := p.truth(m.Y)
	return c, not, m.X
}

// truth returns the variable whose truth, or the opposite of it, x is as a
// double.
func (p *induction) truth(x ir.Expr) (c *ir.Use, not bool) {
	m, ok := x.(*ir.Convert)
	if use, isUse := x.(*ir.Use); isUse {
		m, ok = p.defs[use.Var].(*ir.Convert)
	}
	if !ok || m.To != ir.F64 || m.X.Kind() != ir.U8 {
		return nil, false
	}
	x = m.X
	for depth := 0; depth < 4; depth++ {
		switch y := x.(type) {
		case *ir.Unary:
			if y.Op != ir.OpNot {
				return nil, false
			}
			x, not = y.X, !not
		case *ir.Use:
			n, ok := p.defs[y.Var].(*ir.Unary)
			if !ok || n.Op != ir.OpNot {
				return y, not
			}
			x = n
		default:
			return nil, false
		}
	}
	return nil, false
}
