package arith

import (
	"math"

	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Exponents makes the powers of one number, whose exponents are those of a short loop, one from the
// other:
//
//	for k = 0 … 16: s = s + c[k] / tl_powd(x, f64(k))
//
// becomes
//
//	h = 1; low = 0
//	for k = 0 … 16
//	  y = h + low
//	  s = s + c[k] / y
//	  q = h × x; low = low × x + (h × x - q); h = q
//
// where low has what the products before lost by rounding, so that y is as good as what the
// function gives. Both sums with low are rounded once. What overflows has no low.
//
// Reductions of a few terms, which are added from the first to the last, become such loops in the
// points of a nest, and so does the last axis of a map.
//
// Requires: variables with one definition do not change. Preserves: powers, within a unit in the
// last place.
func Exponents(l *pass.Context, f *ir.Func) {
	p := &powers{l: l}
	p.defs, _ = flow.DefinedOnce(f)
	f.Body = p.block(f.Body, false)
}

const (
	// longestPowers is how many powers of a number are made one from the other at most,
	// fewestPowers how many at least, and firstPower the greatest exponent of the first one.
	longestPowers = 64
	fewestPowers  = 3
	firstPower    = 4
)

type powers struct {
	l    *pass.Context
	defs map[*ir.Var]ir.Expr
}

func (p *powers) block(block []ir.Stmt, inside bool) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		n, nest := s.(*ir.Nest)
		for _, inner := range ir.Blocks(s) {
			*inner = p.block(*inner, inside || nest)
		}
		loop, ok := s.(*ir.For)
		if ok && !loop.Independent {
			before, same := p.loop(loop)
			out = append(append(out, before...), same)
			continue
		}
		if nest && inside && p.sequence(n) {
			d := n.Red[0]
			before, same := p.loop(&ir.For{Var: d.Var, Lo: d.Lo, Hi: d.Hi, Body: n.Body})
			if len(before) > 0 {
				out = append(append(append(append(out, n.Pre...), before...), same), n.Post...)
				continue
			}
		}
		if nest && p.row(n) {
			s = p.l.Rows(n, len(n.Dims)-1)
			inner := &s.(*ir.Nest).Body
			*inner = p.block(*inner, true)
		}
		out = append(out, s)
	}
	return out
}

// row reports whether a map has powers along its last axis.
func (p *powers) row(n *ir.Nest) bool {
	if n.Kind != ir.SegMap || len(n.Dims) < 2 || p.l.Blocked[n] {
		return false
	}
	d := n.Dims[len(n.Dims)-1]
	trips, known := ir.Trips(d)
	return known && trips <= longestPowers && len(p.chains(&ir.For{Var: d.Var, Lo: d.Lo, Hi: d.Hi, Body: n.Body})) > 0
}

// sequence reports whether a nest may run from the first to the last iteration.
func (p *powers) sequence(n *ir.Nest) bool {
	return n.Kind == ir.SegRed && len(n.Dims) == 0 && len(n.Red) == 1 && !n.Ordered() && !p.l.Blocked[n]
}

// chain are the powers of x with the exponents first, first + 1 and so on.
type chain struct {
	x            ir.Expr
	first        int64
	calls        map[ir.Expr]bool
	base, h, low *ir.Var
	y            *ir.Var
}

// loop returns a loop with powers made one from the other, and what comes before it, nothing where
// there are none.
func (p *powers) loop(loop *ir.For) (before []ir.Stmt, same ir.Stmt) {
	n, known := ir.Trips(ir.Dim{Var: loop.Var, Lo: loop.Lo, Hi: loop.Hi})
	if !known || n < fewestPowers || n > longestPowers {
		return nil, loop
	}
	chains := p.chains(loop)
	if len(chains) == 0 {
		return nil, loop
	}
	var body, next []ir.Stmt
	with := map[ir.Expr]*chain{}
	for _, c := range chains {
		for call := range c.calls {
			with[call] = c
		}
		before = append(before, c.begin(p.l)...)
		infinite := ir.OpLt.Of(ir.OpAbs.Of(c.h.Use()), &ir.Float{Val: math.Inf(1)})
		body = append(body, c.y.Decl(&ir.Select{Cond: infinite, Then: ir.Add(c.h.Use(), c.low.Use()), Else: c.h.Use()}))
		next = append(next, c.step(p.l)...)
	}
	ir.Walk(loop.Body, func(s ir.Stmt) {
		ir.MapExprs(s, func(x ir.Expr) ir.Expr {
			if c := with[x]; c != nil {
				return c.y.Use()
			}
			return x
		})
	})
	return before, &ir.For{Var: loop.Var, Lo: loop.Lo, Hi: loop.Hi, Body: append(append(body, loop.Body...), next...)}
}

// chains finds the powers in a loop.
func (p *powers) chains(loop *ir.For) []*chain {
	lo, _ := ir.IntOf(loop.Lo)
	t := flow.SummaryOf(loop)
	var found []*chain
	ir.Walk(loop.Body, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, func(x ir.Expr) {
				m, ok := x.(*ir.Math)
				if !ok || m.Fn != "tl_powd" {
					return
				}
				base := p.outside(m.Args[0], t)
				if !steady(base, t) {
					return
				}
				ahead, ok := p.exponent(m.Args[1], loop.Var)
				if !ok || lo+ahead < 0 || lo+ahead > firstPower {
					return
				}
				for _, c := range found {
					if c.first == lo+ahead && ir.Same(c.x, base) {
						c.calls[m] = true
						return
					}
				}
				found = append(found, &chain{x: base, first: lo + ahead, calls: map[ir.Expr]bool{m: true}})
			})
		}
	})
	return found
}

// outside returns x with what variables that a loop declares stand for in place of these.
func (p *powers) outside(x ir.Expr, t *flow.Summary) ir.Expr {
	return ir.MapExpr(x, func(x ir.Expr) ir.Expr {
		if u, ok := x.(*ir.Use); ok && t.Declares[u.Var] && p.defs[u.Var] != nil {
			return p.outside(p.defs[u.Var], t)
		}
		return x
	})
}

// steady reports whether x, a number that is not known, is the same in all iterations of a loop with
// summary t.
func steady(x ir.Expr, t *flow.Summary) bool {
	same, number := true, true
	ir.WalkExpr(x, func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Use:
			number = false
			same = same && !t.Writes[x.Var] && !t.Declares[x.Var]
		case *ir.Load:
			same = same && !t.Stores[x.Buf]
		}
	})
	return same && !number
}

// exponent returns c where x is v + c.
func (p *powers) exponent(x ir.Expr, v *ir.Var) (c int64, ok bool) {
	switch x := x.(type) {
	case *ir.Convert:
		return p.exponent(x.X, v)
	case *ir.Use:
		if x.Var == v {
			return 0, true
		}
		if init := p.defs[x.Var]; init != nil {
			return p.exponent(init, v)
		}
	case *ir.Binary:
		if n, known := ir.IntOf(x.Y); known && (x.Op == ir.OpAdd || x.Op == ir.OpSub) {
			if x.Op == ir.OpSub {
				n = -n
			}
			c, ok = p.exponent(x.X, v)
			return c + n, ok
		}
		if n, known := ir.IntOf(x.X); known && x.Op == ir.OpAdd {
			c, ok = p.exponent(x.Y, v)
			return c + n, ok
		}
	}
	return 0, false
}

// begin declares the first power.
func (c *chain) begin(l *pass.Context) []ir.Stmt {
	c.base, c.h, c.low, c.y = l.NewVar("x", ir.F64), l.NewVar("h", ir.F64), l.NewVar("low", ir.F64), l.NewVar("y", ir.F64)
	out := []ir.Stmt{c.base.Decl(c.x), c.h.Decl(&ir.Float{Val: 1}), c.low.Decl(&ir.Float{})}
	if c.first > 0 {
		out[1] = c.h.Decl(c.base.Use())
	}
	for range c.first - 1 {
		out = append(out, c.step(l)...)
	}
	return out
}

// step goes on to the next power.
func (c *chain) step(l *pass.Context) []ir.Stmt {
	q := l.NewVar("q", ir.F64)
	fma := func(x *ir.Var, z ir.Expr) ir.Expr {
		return &ir.Math{Fn: ir.FmaFn, K: ir.F64, Args: []ir.Expr{x.Use(), c.base.Use(), z}}
	}
	return []ir.Stmt{
		q.Decl(ir.OpMul.Of(c.h.Use(), c.base.Use())),
		c.low.Assign(fma(c.low, fma(c.h, ir.OpNeg.Of(q.Use())))),
		c.h.Assign(q.Use()),
	}
}
