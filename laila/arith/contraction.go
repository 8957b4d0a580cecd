package arith

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Contraction makes one operation, rounded once, of a product of doubles and the
// sum or difference that it is an operand of:
//
//	y = a + (b × c)              y = fma(b, c, a)
//	z = (a + a) - (b × c)   →    z = fma(b, -c, a + a)
//	p = a × b                    u = fma(a, b, c)
//	u = c + p                    v = fma(a, -b, d)
//	v = d - p
//
// A number twice is a product, too. A product with a variable of its own is
// taken apart where each of its uses is such an operand, so that no product is
// computed twice for it.
//
// Results differ from those of the other operations in the last digits, as a
// product is not rounded, so it runs only with Options.Relaxed. Where products
// are exact, as those of integers are that doubles hold, so is what comes out.
// What decides something stays as it is; see looks.
//
// Requires: variables with one definition do not change. Preserves: faults,
// truth values, integers. Leaves dead variables.
func Contraction(l *pass.Context, f *ir.Func) {
	c := &contraction{Looks: l.LooksOf(f), l: l, before: map[*ir.Var][]ir.Stmt{}, uses: map[*ir.Var]int{}, terms: map[*ir.Var][]*ir.Binary{}, parts: map[*ir.Var][2]ir.Expr{}, as: map[*ir.Binary]*ir.Var{}, sums: map[*ir.Binary]bool{}}
	ir.Walk(f.Body, func(s ir.Stmt) {
		if sum := accumulates(s); sum != nil {
			c.sums[sum] = true
		}
		for _, x := range roots(s) {
			ir.WalkExpr(x, c.count)
		}
		for _, a := range passed(s) {
			c.uses[a.Scalar]++
		}
	})
	for _, r := range f.Results {
		c.uses[r.Scalar]++
	}
	c.choose(f.Body)
	f.Body = c.block(f.Body)
}

// Accumulations contracts what adds products to a variable. It is a step of its
// own as passes before it recognise sums.
func Accumulations(l *pass.Context, f *ir.Func) {
	c := &contraction{}
	ir.Walk(f.Body, func(s ir.Stmt) {
		if sum := accumulates(s); sum != nil {
			s.(*ir.Assign).X = c.fused(sum)
		}
	})
}

// accumulates returns the sum where s adds to a double, else nil.
func accumulates(s ir.Stmt) *ir.Binary {
	a, ok := s.(*ir.Assign)
	if !ok || a.Var.Kind != ir.F64 {
		return nil
	}
	if sum, ok := a.X.(*ir.Binary); ok && ir.IsUse(sum.X, a.Var) && (sum.Op == ir.OpAdd || sum.Op == ir.OpSub) {
		return sum
	}
	return nil
}

// contraction is the state of the pass.
type contraction struct {
	*facts.Looks
	l      *pass.Context
	uses   map[*ir.Var]int          // how often products are used
	terms  map[*ir.Var][]*ir.Binary // the sums that products are terms of
	parts  map[*ir.Var][2]ir.Expr   // what products are of that are computed where they are used
	before map[*ir.Var][]ir.Stmt    // declarations of these
	as     map[*ir.Binary]*ir.Var   // which product a sum takes over
	sums   map[*ir.Binary]bool      // those that accumulate
}

// roots returns the expressions of a statement, and those of its tiles.
func roots(s ir.Stmt) []ir.Expr {
	xs := ir.Exprs(s)
	if m, ok := s.(*ir.Micro); ok {
		for _, d := range m.Decls {
			xs = append(xs, d.Init)
		}
		xs = append(xs, m.Step)
	}
	return xs
}

// passed returns the arrays and scalars that a call passes on.
func passed(s ir.Stmt) (all []ir.Array) {
	switch s := s.(type) {
	case *ir.Call:
		return s.Args
	case *ir.Runtime:
		for _, a := range s.Args {
			if a.Array != nil {
				all = append(all, *a.Array)
			}
		}
	}
	return all
}

// sum returns a sum or a difference of doubles that may be contracted; nil where
// x is something else.
func (c *contraction) sum(x ir.Expr) *ir.Binary {
	s, ok := x.(*ir.Binary)
	if !ok || s.Op != ir.OpAdd && s.Op != ir.OpSub || s.Kind() != ir.F64 || c.sums[s] || c.Kept(s) {
		return nil
	}
	return s
}

// count notes the uses of products in x.
func (c *contraction) count(x ir.Expr) {
	if u, ok := x.(*ir.Use); ok && c.product(u.Var) != nil {
		c.uses[u.Var]++
	}
	s := c.sum(x)
	if s == nil || factors(s.X) != nil || factors(s.Y) != nil {
		return
	}
	for _, y := range []ir.Expr{s.X, s.Y} {
		if u, ok := y.(*ir.Use); ok && c.product(u.Var) != nil {
			c.terms[u.Var] = append(c.terms[u.Var], s)
		}
	}
}

// product returns the product that is the value of v; nil where it is something
// else.
func (c *contraction) product(v *ir.Var) *ir.Binary {
	if v.Kind != ir.F64 {
		return nil
	}
	if m, ok := c.Defs[v].(*ir.Binary); ok && m.Op == ir.OpMul {
		return m
	}
	return nil
}

// atomic reports whether x has the same value wherever it may be used, and
// costs nothing.
func (c *contraction) atomic(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Float:
		return true
	case *ir.Use:
		return !c.Changed[x.Var]
	case *ir.Unary:
		return x.Op == ir.OpNeg && c.atomic(x.X)
	}
	return false
}

// atom returns what stands for a factor of the product v: where it is no atom, a
// variable that is declared in place of v.
func (c *contraction) atom(v *ir.Var, x ir.Expr) ir.Expr {
	if c.atomic(x) {
		return x
	}
	f := c.l.NewVar(v.Name, ir.F64)
	c.before[v] = append(c.before[v], f.Decl(x))
	return f.Use()
}

// choose finds the variables of products that need not be computed: the later
// ones first, as those before may be operands of them.
func (c *contraction) choose(block []ir.Stmt) {
	var order []*ir.Var
	ir.Walk(block, func(s ir.Stmt) {
		if d, ok := s.(*ir.Decl); ok && c.uses[d.Var] > 0 && c.uses[d.Var] == len(c.terms[d.Var]) {
			order = append(order, d.Var)
		}
	})
	for i := len(order) - 1; i >= 0; i-- {
		v, free := order[i], true
		for _, s := range c.terms[v] {
			free = free && c.as[s] == nil && !ir.Same(s.X, s.Y)
		}
		if !free {
			continue
		}
		m := c.product(v)
		c.parts[v] = [2]ir.Expr{c.atom(v, m.X), c.atom(v, m.Y)}
		for _, s := range c.terms[v] {
			c.as[s] = v
		}
	}
}

func (c *contraction) block(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		if d, ok := s.(*ir.Decl); ok {
			if _, gone := c.parts[d.Var]; gone {
				out = append(out, c.block(c.before[d.Var])...)
				continue
			}
		}
		ir.ReplaceExprs(s, c.expr)
		if m, ok := s.(*ir.Micro); ok {
			for _, d := range m.Decls {
				d.Init = c.expr(d.Init)
			}
			m.Step = c.expr(m.Step)
		}
		for _, inner := range ir.Blocks(s) {
			*inner = c.block(*inner)
		}
		out = append(out, s)
	}
	return out
}

// expr contracts the sums in x.
func (c *contraction) expr(x ir.Expr) ir.Expr {
	s := c.sum(x)
	if s == nil {
		return ir.MapOperands(x, c.expr)
	}
	return ir.MapOperands(c.fused(s), c.expr)
}

// fused returns a sum as one operation, where one of its operands is a product:
// the right one where both are, as x×x is in (x×x)+y×y and (x×x)-y×y.
func (c *contraction) fused(s *ir.Binary) ir.Expr {
	if p := c.factorsIn(s, s.Y); p != nil {
		if k := 1; s.Op == ir.OpSub { // the right one is what tiles share most
			if _, ok := p[0].(*ir.Float); ok {
				k = 0
			}
			p[k] = negated(p[k])
		}
		return &ir.Math{Fn: ir.FmaFn, K: ir.F64, Args: []ir.Expr{p[0], p[1], s.X}}
	}
	if p := c.factorsIn(s, s.X); p != nil {
		z := s.Y
		if s.Op == ir.OpSub {
			z = negated(z)
		}
		return &ir.Math{Fn: ir.FmaFn, K: ir.F64, Args: []ir.Expr{p[0], p[1], z}}
	}
	return s
}

// factorsIn returns what an operand of a sum is the product of, or nil.
func (c *contraction) factorsIn(s *ir.Binary, x ir.Expr) []ir.Expr {
	if u, ok := x.(*ir.Use); ok && c.as[s] == u.Var {
		p := c.parts[u.Var]
		return []ir.Expr{p[0], p[1]}
	}
	return factors(x)
}

// factors returns what x is the product of, or nil.
func factors(x ir.Expr) []ir.Expr {
	switch x := x.(type) {
	case *ir.Unary:
		if p := factors(x.X); p != nil && x.Op == ir.OpNeg {
			return []ir.Expr{negated(p[0]), p[1]}
		}
	case *ir.Binary:
		switch {
		case x.Kind() != ir.F64:
		case x.Op == ir.OpMul:
			return []ir.Expr{x.X, x.Y}
		case x.Op == ir.OpAdd && ir.Same(x.X, x.Y):
			return []ir.Expr{&ir.Float{Val: 2}, x.X}
		}
	}
	return nil
}

// negated is -x.
func negated(x ir.Expr) ir.Expr {
	switch x := x.(type) {
	case *ir.Float:
		return &ir.Float{Val: -x.Val}
	case *ir.Unary:
		if x.Op == ir.OpNeg {
			return x.X
		}
	}
	return ir.OpNeg.Of(x)
}
