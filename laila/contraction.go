package laila

// contraction makes one operation, rounded once, of a product of doubles and the
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
func (l *lowerer) contraction(f *Func) {
	c := &contraction{looks: l.looksOf(f), l: l, before: map[*Var][]Stmt{}, uses: map[*Var]int{}, terms: map[*Var][]*Binary{}, parts: map[*Var][2]Expr{}, as: map[*Binary]*Var{}, sums: map[*Binary]bool{}}
	Walk(f.Body, func(s Stmt) {
		if sum := accumulates(s); sum != nil {
			c.sums[sum] = true
		}
		for _, x := range roots(s) {
			WalkExpr(x, c.count)
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

// accumulations contracts what adds products to a variable. It is a step of its
// own as passes before it recognise sums.
func (l *lowerer) accumulations(f *Func) {
	c := &contraction{}
	Walk(f.Body, func(s Stmt) {
		if sum := accumulates(s); sum != nil {
			s.(*Assign).X = c.fused(sum)
		}
	})
}

// accumulates returns the sum where s adds to a double, else nil.
func accumulates(s Stmt) *Binary {
	a, ok := s.(*Assign)
	if !ok || a.Var.Kind != F64 {
		return nil
	}
	if sum, ok := a.X.(*Binary); ok && isUse(sum.X, a.Var) && (sum.Op == Add || sum.Op == Sub) {
		return sum
	}
	return nil
}

// contraction is the state of the pass.
type contraction struct {
	*looks
	l      *lowerer
	uses   map[*Var]int       // how often products are used
	terms  map[*Var][]*Binary // the sums that products are terms of
	parts  map[*Var][2]Expr   // what products are of that are computed where they are used
	before map[*Var][]Stmt    // declarations of these
	as     map[*Binary]*Var   // which product a sum takes over
	sums   map[*Binary]bool   // those that accumulate
}

// roots returns the expressions of a statement, and those of its tiles.
func roots(s Stmt) []Expr {
	xs := Exprs(s)
	if m, ok := s.(*Micro); ok {
		for _, d := range m.Decls {
			xs = append(xs, d.Init)
		}
		xs = append(xs, m.Step)
	}
	return xs
}

// passed returns the arrays and scalars that a call passes on.
func passed(s Stmt) (all []Array) {
	switch s := s.(type) {
	case *Call:
		return s.Args
	case *Runtime:
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
func (c *contraction) sum(x Expr) *Binary {
	s, ok := x.(*Binary)
	if !ok || s.Op != Add && s.Op != Sub || s.Kind() != F64 || c.sums[s] || c.kept(s) {
		return nil
	}
	return s
}

// count notes the uses of products in x.
func (c *contraction) count(x Expr) {
	if u, ok := x.(*Use); ok && c.product(u.Var) != nil {
		c.uses[u.Var]++
	}
	s := c.sum(x)
	if s == nil || factors(s.X) != nil || factors(s.Y) != nil {
		return
	}
	for _, y := range []Expr{s.X, s.Y} {
		if u, ok := y.(*Use); ok && c.product(u.Var) != nil {
			c.terms[u.Var] = append(c.terms[u.Var], s)
		}
	}
}

// product returns the product that is the value of v; nil where it is something
// else.
func (c *contraction) product(v *Var) *Binary {
	if v.Kind != F64 {
		return nil
	}
	if m, ok := c.defs[v].(*Binary); ok && m.Op == Mul {
		return m
	}
	return nil
}

// atomic reports whether x has the same value wherever it may be used, and
// costs nothing.
func (c *contraction) atomic(x Expr) bool {
	switch x := x.(type) {
	case *Float:
		return true
	case *Use:
		return !c.changed[x.Var]
	case *Unary:
		return x.Op == Neg && c.atomic(x.X)
	}
	return false
}

// atom returns what stands for a factor of the product v: where it is no atom, a
// variable that is declared in place of v.
func (c *contraction) atom(v *Var, x Expr) Expr {
	if c.atomic(x) {
		return x
	}
	f := c.l.newVar(v.Name, F64)
	c.before[v] = append(c.before[v], &Decl{f, x})
	return &Use{f}
}

// choose finds the variables of products that need not be computed: the later
// ones first, as those before may be operands of them.
func (c *contraction) choose(block []Stmt) {
	var order []*Var
	Walk(block, func(s Stmt) {
		if d, ok := s.(*Decl); ok && c.uses[d.Var] > 0 && c.uses[d.Var] == len(c.terms[d.Var]) {
			order = append(order, d.Var)
		}
	})
	for i := len(order) - 1; i >= 0; i-- {
		v, free := order[i], true
		for _, s := range c.terms[v] {
			free = free && c.as[s] == nil && !same(s.X, s.Y)
		}
		if !free {
			continue
		}
		m := c.product(v)
		c.parts[v] = [2]Expr{c.atom(v, m.X), c.atom(v, m.Y)}
		for _, s := range c.terms[v] {
			c.as[s] = v
		}
	}
}

func (c *contraction) block(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		if d, ok := s.(*Decl); ok {
			if _, gone := c.parts[d.Var]; gone {
				out = append(out, c.block(c.before[d.Var])...)
				continue
			}
		}
		replaceExprs(s, c.expr)
		if m, ok := s.(*Micro); ok {
			for _, d := range m.Decls {
				d.Init = c.expr(d.Init)
			}
			m.Step = c.expr(m.Step)
		}
		for _, inner := range Blocks(s) {
			*inner = c.block(*inner)
		}
		out = append(out, s)
	}
	return out
}

// expr contracts the sums in x.
func (c *contraction) expr(x Expr) Expr {
	s := c.sum(x)
	if s == nil {
		return mapOperands(x, c.expr)
	}
	return mapOperands(c.fused(s), c.expr)
}

// fused returns a sum as one operation, where one of its operands is a product:
// the right one where both are, as x×x is in (x×x)+y×y and (x×x)-y×y.
func (c *contraction) fused(s *Binary) Expr {
	if p := c.factorsIn(s, s.Y); p != nil {
		if k := 1; s.Op == Sub { // the right one is what tiles share most
			if _, ok := p[0].(*Float); ok {
				k = 0
			}
			p[k] = negated(p[k])
		}
		return &Math{fmaFn, F64, []Expr{p[0], p[1], s.X}}
	}
	if p := c.factorsIn(s, s.X); p != nil {
		z := s.Y
		if s.Op == Sub {
			z = negated(z)
		}
		return &Math{fmaFn, F64, []Expr{p[0], p[1], z}}
	}
	return s
}

// factorsIn returns what an operand of a sum is the product of, or nil.
func (c *contraction) factorsIn(s *Binary, x Expr) []Expr {
	if u, ok := x.(*Use); ok && c.as[s] == u.Var {
		p := c.parts[u.Var]
		return []Expr{p[0], p[1]}
	}
	return factors(x)
}

// factors returns what x is the product of, or nil.
func factors(x Expr) []Expr {
	switch x := x.(type) {
	case *Unary:
		if p := factors(x.X); p != nil && x.Op == Neg {
			return []Expr{negated(p[0]), p[1]}
		}
	case *Binary:
		switch {
		case x.Kind() != F64:
		case x.Op == Mul:
			return []Expr{x.X, x.Y}
		case x.Op == Add && same(x.X, x.Y):
			return []Expr{&Float{2}, x.X}
		}
	}
	return nil
}

// negated is -x.
func negated(x Expr) Expr {
	switch x := x.(type) {
	case *Float:
		return &Float{-x.Val}
	case *Unary:
		if x.Op == Neg {
			return x.X
		}
	}
	return &Unary{Neg, x}
}
