package place

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
)

// orderedSums are the accumulators of a step whose order is that of num.Ordered. A strip has
// the terms of one block:
//
//	segred { red i = 0 … n: acc = acc + x[i] }
//
// becomes
//
//	super = ¯0
//	for each strip from … to
//	  part = ¯0
//	  segred { red i = from … to: part = part + x[i - from] }
//	  super = super + part
//	  if 2*20 terms are done: acc = acc + super; super = ¯0
//	acc = acc + super
//
// So terms are counted from 0, and such a step is at the beginning of a block when a strip
// begins: all of them have the same delay, and the clock is ahead of strips by it. The clock of what
// a filter keeps goes on by whole blocks: what does not fill one stays for the next strip.
type orderedSums struct {
	accs  []ir.Acc
	super []*ir.Var
	to    []*ir.Var // what the reduction adds to
}

// sums reads the accumulators of a reduction whose order matters, and reports whether they can
// be carried from strip to strip.
func (st *stream) sums(p *step) bool {
	n := p.nest
	if n.Kind != ir.SegRed || !n.Rounds() {
		return true
	}
	if !ir.IsInt(p.lo, 0) || len(n.Red) != 1 || n.Chains() {
		return false
	}
	s := &orderedSums{}
	for _, a := range n.Accs {
		if !a.Ordered() {
			continue
		}
		to := addsTo(n, a.Var)
		if to == nil || !st.beginsNeutral(to, &a, p.at) {
			return false
		}
		s.accs, s.to = append(s.accs, a), append(s.to, to)
	}
	p.sums = s
	return true
}

// has reports whether a reduction adds to v in order.
func (s *orderedSums) has(v *ir.Var) bool { return s != nil && slices.Contains(s.to, v) }

// addsTo returns the variable that a reduction takes the first value of an accumulator from and
// leaves the last one in, nil where these differ.
func addsTo(n *ir.Nest, acc *ir.Var) *ir.Var {
	var first *ir.Var
	for _, x := range n.Pre {
		if d, ok := x.(*ir.Decl); ok && d.Var == acc {
			if u, ok := d.Init.(*ir.Use); ok {
				first = u.Var
			}
		}
	}
	for _, x := range n.Post {
		if a, ok := x.(*ir.Assign); ok && ir.IsUse(a.X, acc) && a.Var == first {
			return first
		}
	}
	return nil
}

// beginsNeutral reports whether a variable is declared in the block as the neutral element, or
// 0, and nothing sets it before position k.
func (st *stream) beginsNeutral(v *ir.Var, a *ir.Acc, k int) bool {
	at, ok := st.declared[v]
	if !ok || at > k {
		return false
	}
	init := st.block[at].(*ir.Decl).Init
	if init == nil || !ir.Same(init, a.Neutral) && !(adds(a.Combine) && ir.IsFloat(init, 0)) {
		return false
	}
	for _, x := range st.block[at+1 : k] {
		if st.Of(x).Writes[v] {
			return false
		}
	}
	return true
}

func adds(x ir.Expr) bool {
	b, ok := x.(*ir.Binary)
	return ok && b.Op == ir.OpAdd
}

// neutral returns the neutral element of an accumulator of doubles: of sums ¯0, which keeps the
// sign of zeros.
func neutral(a *ir.Acc) ir.Expr {
	if adds(a.Combine) && a.Var.Kind == ir.F64 {
		return &ir.Float{Val: math.Copysign(0, -1)}
	}
	return a.Neutral
}

// lead returns the delay of the steps of the clock of iterations that have sums, 0 where there are
// none.
func (st *stream) lead() int64 {
	lead := int64(0)
	for _, p := range st.steps {
		if p.sums != nil && p.clock.total == nil {
			lead = max(lead, p.delay)
		}
	}
	return lead
}

// summed reports whether there are steps that have sums.
func (st *stream) summed() bool {
	for _, p := range st.steps {
		if p.sums != nil {
			return true
		}
	}
	return false
}

// blocks reports whether a clock goes on by whole blocks: that of what a filter keeps, where steps
// have sums.
func (st *stream) blocks(c *clock) bool {
	return c.total != nil && slices.ContainsFunc(st.steps, func(p *step) bool { return p.sums != nil && p.clock == c })
}

// declareSupers declares the sums of super-blocks.
func (st *stream) declareSupers() []ir.Stmt {
	var out []ir.Stmt
	for _, p := range st.steps {
		if p.sums == nil {
			continue
		}
		p.sums.super = nil
		for _, a := range p.sums.accs {
			v := st.L.NewVar("super", a.Var.Kind)
			p.sums.super = append(p.sums.super, v)
			out = append(out, v.Decl(neutral(&a)))
		}
	}
	return out
}

// part rewrites a reduction so that it adds up one block, to the sums of super-blocks.
func (s *orderedSums) part(n *ir.Nest) {
	which := func(v *ir.Var) int { return slices.IndexFunc(s.accs, func(a ir.Acc) bool { return a.Var == v }) }
	n.Pre, n.Post = slices.Clone(n.Pre), slices.Clone(n.Post)
	for i, x := range n.Pre {
		if v := x.(*ir.Decl).Var; which(v) >= 0 {
			n.Pre[i] = v.Decl(neutral(&s.accs[which(v)]))
		}
	}
	for i, x := range n.Post {
		u := x.(*ir.Assign).X.(*ir.Use)
		if k := which(u.Var); k >= 0 {
			n.Post[i] = s.super[k].Assign(s.accs[k].Combined(s.super[k].Use(), u))
		}
	}
}

// endSupers adds the sums of super-blocks to the results.
func (st *stream) endSupers() []ir.Stmt {
	var out []ir.Stmt
	for _, p := range st.steps {
		if p.sums != nil {
			out = append(out, p.sums.end()...)
		}
	}
	return out
}

// end adds the sums of super-blocks of one step to its results.
func (s *orderedSums) end() []ir.Stmt {
	var out []ir.Stmt
	for k, a := range s.accs {
		out = append(out, s.to[k].Assign(a.Combined(s.to[k].Use(), s.super[k].Use())))
	}
	return out
}

// nextSuper ends super-blocks behind strip k, where its blocks are the last ones of theirs.
func (st *stream) nextSuper(k *ir.Var) []ir.Stmt {
	var out []ir.Stmt
	for _, p := range st.steps {
		if p.sums == nil {
			continue
		}
		var done ir.Expr = k.Use()
		switch {
		case p.clock.total != nil:
			done = ir.Quo(p.clock.to.Use(), ir.Integer(num.Block))
		case st.lead() == 0:
			done = ir.Add(done, ir.Integer(1))
		}
		then := p.sums.end()
		for i := range p.sums.accs {
			then = append(then, p.sums.super[i].Assign(neutral(&p.sums.accs[i])))
		}
		out = append(out, &ir.If{Cond: ir.OpEq.Of(ir.Rem(done, ir.Integer(num.SuperBlock/num.Block)), ir.Integer(0)), Then: then})
	}
	return out
}
