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
		fast = p.around()
	}
	if len(p.tests) > 0 {
		fast = []Stmt{&If{p.holds(), fast, []Stmt{f}}}
	}
	if len(first) == 0 {
		return fast
	}
	return []Stmt{unlessEmpty(f.Lo, f.Hi, append(first, fast...))}
}

// around returns the loop with the iteration that writes what others read taken
// out. That one runs first: the others read nothing else of what it writes. Where
// the element stays what it was, all iterations run once more at once, else those
// before it read what was there.
func (p *parting) around() []Stmt {
	l, f := p.l, p.loop
	at := l.newVar("at", I64)
	from := l.rangeOf(f.Lo)
	l.ranges[at] = interval{from.lo, max(l.rangeOf(f.Hi).hi, from.hi)}
	here, next := &Use{at}, add(&Use{at}, integer(1))
	found := &Decl{at, &Select{and(&Binary{Ge, p.at, f.Lo}, &Binary{Lt, p.at, f.Hi}), p.at, f.Hi}}
	one := newCloner(l).stmt(&For{Var: f.Var, Lo: here, Hi: next, Body: f.Body})
	stores := 0
	Walk(f.Body, func(s Stmt) {
		if _, ok := s.(*Store); ok {
			stores++
		}
	})
	if stores != 1 {
		return []Stmt{found,
			unlessEmpty(f.Lo, here, p.piece(f.Lo, here)),
			unlessEmpty(here, f.Hi, []Stmt{one}),
			unlessEmpty(next, f.Hi, p.piece(next, f.Hi))}
	}
	kind := p.there.Buf.Elem
	end, old, now := l.newVar("end", I64), l.newVar("old", kind), l.newVar("now", kind)
	l.ranges[end] = l.ranges[at]
	differs := Expr(&Binary{Ne, &Use{old}, &Use{now}})
	if kind == F64 { // zeros have signs
		differs = or(differs, &Binary{Eq, &Use{now}, &Float{0}})
	}
	return []Stmt{found, &Decl{end, f.Hi}, &Decl{now, zeroOf(kind)},
		unlessEmpty(here, f.Hi, []Stmt{
			&Decl{old, p.there}, one, &Assign{now, p.there},
			&If{differs, []Stmt{&Store{p.there.Buf, p.there.Index, &Use{old}}, &Assign{end, here}}, nil}}),
		unlessEmpty(f.Lo, &Use{end}, p.piece(f.Lo, &Use{end})),
		unlessEmpty(&Use{end}, f.Hi, append([]Stmt{&Store{p.there.Buf, p.there.Index, &Use{now}}},
			unlessEmpty(next, f.Hi, p.piece(next, f.Hi))))}
}

func unlessEmpty(lo, hi Expr, then []Stmt) Stmt {
	if n, ok := laneTrips(Dim{nil, lo, hi}); ok {
		return &If{boolean(n > 0), then, nil}
	}
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
			if s == p.fault && p.direct {
				wrong := p.l.newVar("wrong", U8)
				p.l.ranges[wrong] = interval{0, 1}
				n.Flags = []*Var{wrong}
				before = append(before, &Decl{wrong, boolean(false)})
				inside = append(inside, &Assign{wrong, or(&Use{wrong}, s.Cond)})
				after = append(after, &If{&Use{wrong}, s.Then, nil})
				continue
			}
			if s == p.fault {
				after = append(after, s)
				continue
			}
		}
		inside = append(inside, s)
	}
	before = c.list(before)
	if w := p.flagVar(); w != nil {
		n.Flags = []*Var{w}
	}
	for i, w := range n.Flags {
		n.Flags[i] = c.variable(w)
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
	if p.fault == nil || p.direct {
		return nil
	}
	return p.fault.Cond.(*Use).Var
}
