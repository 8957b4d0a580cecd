package loop

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// emit returns what stands in the place of the loop.
func (p *parting) emit() []ir.Stmt {
	f := p.loop
	var first []ir.Stmt // what stays, read once
	if len(p.steady) > 0 {
		var rest []ir.Stmt
		for _, s := range f.Body {
			if d, ok := s.(*ir.Decl); ok && p.steady[d.Var] {
				first = append(first, s)
			} else {
				rest = append(rest, s)
			}
		}
		f.Body = rest
	}
	var fast []ir.Stmt
	if p.at == nil {
		fast = p.piece(f.Lo, f.Hi)
	} else {
		fast = p.around()
	}
	if len(first) == 0 {
		return fast
	}
	return []ir.Stmt{unlessEmpty(f.Lo, f.Hi, append(first, fast...))}
}

// around returns the loop with the iteration that writes what others read taken
// out. That one runs first: the others read nothing else of what it writes. Where
// the element stays what it was, all iterations run once more at once, else those
// before it read what was there.
func (p *parting) around() []ir.Stmt {
	l, f := p.l, p.loop
	at := l.NewVar("at", ir.I64)
	from := l.RangeOf(f.Lo)
	l.Ranges[at] = facts.Between(from.Lo, max(l.RangeOf(f.Hi).Hi, from.Hi))
	here, next := at.Use(), ir.Add(at.Use(), ir.Integer(1))
	found := at.Decl(&ir.Select{Cond: ir.And(ir.OpGe.Of(p.at, f.Lo), ir.OpLt.Of(p.at, f.Hi)), Then: p.at, Else: f.Hi})
	one := l.NewCloner().Stmt(&ir.For{Var: f.Var, Lo: here, Hi: next, Body: f.Body})
	stores := 0
	ir.Walk(f.Body, func(s ir.Stmt) {
		if _, ok := s.(*ir.Store); ok {
			stores++
		}
	})
	if stores != 1 {
		return []ir.Stmt{found,
			unlessEmpty(f.Lo, here, p.piece(f.Lo, here)),
			unlessEmpty(here, f.Hi, []ir.Stmt{one}),
			unlessEmpty(next, f.Hi, p.piece(next, f.Hi))}
	}
	kind := p.there.Buf.Elem
	end, old, now := l.NewVar("end", ir.I64), l.NewVar("old", kind), l.NewVar("now", kind)
	l.Ranges[end] = l.Ranges[at]
	differs := ir.Expr(ir.OpNe.Of(old.Use(), now.Use()))
	if kind == ir.F64 { // zeros have signs
		differs = ir.Or(differs, ir.OpEq.Of(now.Use(), &ir.Float{Val: 0}))
	}
	return []ir.Stmt{found, end.Decl(f.Hi), now.Decl(ir.Zero(kind)),
		unlessEmpty(here, f.Hi, []ir.Stmt{
			old.Decl(p.there), one, now.Assign(p.there),
			&ir.If{Cond: differs, Then: []ir.Stmt{p.there.Buf.Store(p.there.Index, old.Use()), end.Assign(here)}}}),
		unlessEmpty(f.Lo, end.Use(), p.piece(f.Lo, end.Use())),
		unlessEmpty(end.Use(), f.Hi, append([]ir.Stmt{p.there.Buf.Store(p.there.Index, now.Use())},
			unlessEmpty(next, f.Hi, p.piece(next, f.Hi))))}
}

func unlessEmpty(lo, hi ir.Expr, then []ir.Stmt) ir.Stmt {
	if n, ok := ir.Trips(ir.Dim{Lo: lo, Hi: hi}); ok {
		return &ir.If{Cond: ir.Boolean(n > 0), Then: then}
	}
	return &ir.If{Cond: ir.OpLt.Of(lo, hi), Then: then}
}

// piece returns the nest for lo … hi, which the iteration at the split is not
// in. What stays is read before it.
func (p *parting) piece(lo, hi ir.Expr) []ir.Stmt {
	c := p.l.NewCloner()
	v := c.Fresh(p.loop.Var)
	stays := map[*ir.Var]bool{}
	n := &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: v, Lo: lo, Hi: hi}}, At: p.where()}
	var before, inside, after []ir.Stmt
	for _, s := range p.loop.Body {
		switch s := s.(type) {
		case *ir.Decl:
			if s.Var == p.flagVar() || p.inits[s.Var] != nil && p.same(s.Init, stays, p.stays) {
				stays[s.Var] = true
				before = append(before, s)
				continue
			}
		case *ir.If:
			if s == p.fault && p.direct {
				wrong := p.l.NewVar("wrong", ir.U8)
				p.l.Ranges[wrong] = facts.Between(0, 1)
				n.Flags = []*ir.Var{wrong}
				before = append(before, wrong.Decl(ir.Boolean(false)))
				inside = append(inside, wrong.Assign(ir.Or(wrong.Use(), s.Cond)))
				after = append(after, &ir.If{Cond: wrong.Use(), Then: s.Then})
				continue
			}
			if s == p.fault {
				after = append(after, s)
				continue
			}
		}
		inside = append(inside, s)
	}
	before = c.List(before)
	if w := p.flagVar(); w != nil {
		n.Flags = []*ir.Var{w}
	}
	for i, w := range n.Flags {
		n.Flags[i] = c.Variable(w)
	}
	n.Body = c.Block(inside)
	return append(append(before, n), c.List(after)...)
}

// where is the place of the loop in the source, as far as it has one.
func (p *parting) where() diag.Span {
	for _, s := range p.loop.Body {
		if c, ok := s.(*ir.Comment); ok {
			return c.At
		}
	}
	if p.fault != nil {
		return p.fault.Then[0].(*ir.Fail).At
	}
	return diag.Span{}
}

// flagVar is the flag of the loop's fault, nil where there is none.
func (p *parting) flagVar() *ir.Var {
	if p.fault == nil || p.direct {
		return nil
	}
	return p.fault.Cond.(*ir.Use).Var
}
