package laila

import "github.com/tailor-lang/tailor/internal/diag"

// emit returns what stands in the place of the loop.
func (p *parting) emit() []Stmt {
	f := p.loop
	var first []Stmt // what stays, read once
	if len(p.steady) > 0 {
		var rest []Stmt
		for _, s := range f.Body {
			if d, ok := s.(*Decl); ok && p.steady[d.Var] {
				first = append(first, s)
			} else {
				rest = append(rest, s)
			}
		}
		f.Body = rest
	}
	var fast []Stmt
	if p.split == nil {
		fast = p.piece(f.Lo, f.Hi)
	} else {
		at := p.l.newVar("at", I64)
		from := p.l.rangeOf(f.Lo)
		p.l.ranges[at] = interval{from.lo, max(p.l.rangeOf(f.Hi).hi, from.hi)}
		here, next := &Use{at}, add(&Use{at}, integer(1))
		one := newCloner(p.l).stmt(&For{Var: f.Var, Lo: here, Hi: next, Body: f.Body})
		fast = append(fast, &Decl{at, &Select{and(&Binary{Ge, p.at, f.Lo}, &Binary{Lt, p.at, f.Hi}), p.at, f.Hi}},
			unlessEmpty(f.Lo, here, p.piece(f.Lo, here)),
			unlessEmpty(here, f.Hi, []Stmt{one}),
			unlessEmpty(next, f.Hi, p.piece(next, f.Hi)))
	}
	if len(p.tests) > 0 {
		fast = []Stmt{&If{p.test1(), fast, []Stmt{f}}}
	}
	if len(first) == 0 {
		return fast
	}
	return []Stmt{unlessEmpty(f.Lo, f.Hi, append(first, fast...))}
}

func unlessEmpty(lo, hi Expr, then []Stmt) Stmt {
	return &If{&Binary{Lt, lo, hi}, then, nil}
}

// piece returns the nest for lo … hi, which the iteration at the split is not
// in. What stays is read before it.
func (p *parting) piece(lo, hi Expr) []Stmt {
	c := newCloner(p.l)
	v := c.fresh(p.loop.Var)
	stays := map[*Var]bool{}
	n := &Nest{Kind: SegMap, Dims: []Dim{{v, lo, hi}}, At: p.where()}
	var before, inside, after []Stmt
	for _, s := range p.loop.Body {
		switch s := s.(type) {
		case *Decl:
			if s.Var == p.flagVar() || p.inits[s.Var] != nil && p.same(s.Init, stays, p.stays) {
				stays[s.Var] = true
				before = append(before, s)
				continue
			}
		case *If:
			if s == p.fault {
				after = append(after, s)
				continue
			}
		}
		inside = append(inside, s)
	}
	before = c.list(before)
	if w := p.flagVar(); w != nil {
		n.Flags = []*Var{c.variable(w)}
	}
	n.Body = c.block(inside)
	return append(append(before, n), c.list(after)...)
}

// where is the place of the loop in the source, as far as it has one.
func (p *parting) where() diag.Span {
	for _, s := range p.loop.Body {
		if c, ok := s.(*Comment); ok {
			return c.At
		}
	}
	if p.fault != nil {
		return p.fault.Then[0].(*Fail).At
	}
	return diag.Span{}
}

// flagVar is the flag of the loop's fault, nil where there is none.
func (p *parting) flagVar() *Var {
	if p.fault == nil {
		return nil
	}
	return p.fault.Cond.(*Use).Var
}
