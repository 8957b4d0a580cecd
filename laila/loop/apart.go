package loop

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
)

// Apart makes nests of loops that change single elements of arrays which they
// read, too, where no iteration reads what another one writes:
//
//	for j = 0 … n
//	  var p = d[i×n + k]
//	  d[i×n + j] = d[i×n + j] min p + d[k×n + j]
//
// becomes, as rows i and k are one or do not meet,
//
//	var at = iteration k where it is one of the loop, else n
//	if at < n: run it, and see whether it has changed d[i×n + k]
//	var end = changed ? at : n
//	if 0 < end: var p = d[i×n + k] as it was; segmap j = 0 … end: …
//	if end < n: var p = d[i×n + k] as it is now; segmap j = end+1 … n: …
//
// Places are sums of products of variables that stay, and the loop's own times
// a factor. A test for overflow is noted in a flag, and looked at behind the nest,
// where it is the only fault of the loop.
//
// Requires: faults that end the program, so that nobody sees elements that are
// written behind one. Preserves: values and the first fault.
func Apart(l *pass.Context, f *ir.Func) {
	f.Body = newApartner(l, f).block(f.Body)
}

// apartner treats a function.
type apartner struct {
	l       *pass.Context
	once    map[*ir.Var]ir.Expr // what variables are that are set once
	changed map[*ir.Var]bool    // variables that are set again
}

func newApartner(l *pass.Context, f *ir.Func) *apartner {
	a := &apartner{l: l, once: map[*ir.Var]ir.Expr{}, changed: map[*ir.Var]bool{}}
	declared := map[*ir.Var]bool{}
	ir.Walk(f.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.For:
			if _, known := l.Ranges[s.Var]; !known {
				if lo, hi := l.RangeOf(s.Lo).Lo, l.RangeOf(s.Hi).Hi; lo > -facts.MaxExtent && hi < facts.MaxExtent {
					l.Ranges[s.Var] = facts.Between(lo, max(hi-1, lo))
				}
			}
		case *ir.Decl:
			if s.Init == nil || declared[s.Var] {
				a.changed[s.Var] = true
			}
			declared[s.Var] = true
			a.once[s.Var] = s.Init
		case *ir.Assign:
			a.changed[s.Var] = true
		case *ir.Checked:
			a.changed[s.Var], a.changed[s.Flag] = true, true
		case *ir.Filter:
			a.changed[s.Count] = true
		case *ir.Nest:
			for _, c := range s.Accs {
				a.changed[c.Var] = true
			}
		}
	})
	return a
}

func (a *apartner) block(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		if loop, ok := s.(*ir.For); ok && !loop.Independent {
			if instead := a.loop(loop); instead != nil {
				out = append(out, instead...)
				continue
			}
		}
		if _, nest := s.(*ir.Nest); !nest {
			for _, inner := range ir.Blocks(s) {
				*inner = a.block(*inner)
			}
		}
		out = append(out, s)
	}
	return out
}

// apartTrips is the fewest iterations that a loop is taken apart for, apartLimit
// the most statements in it, apartPairs the most pairs of places compared.
const (
	apartTrips = 8
	apartLimit = 60
	apartPairs = 64
)

// parting treats one loop.
type parting struct {
	l        *pass.Context
	a        *apartner
	loop     *ir.For
	declared map[*ir.Var]bool
	inits    map[*ir.Var]ir.Expr // of variables of the loop that are set once
	sums     map[*ir.Var]bool    // what depends on a sum that may have overflowed
	stored   map[*ir.Buf]bool
	places   []*place
	steady   map[*ir.Var]bool // declared by the loop, but the same in all iterations
	fault    *ir.If
	direct   bool // the fault is a test of its own, which no flag was raised for
	count    int

	split affine.Poly // the iteration that writes what others read
	at    ir.Expr
	there *ir.Load // what it writes
}

// place is an access to an array that the loop changes: at by×j + from in
// iteration j.
type place struct {
	buf      *ir.Buf
	by, from affine.Poly
	write    bool
}

func (a *apartner) parting(f *ir.For) *parting {
	return &parting{l: a.l, a: a, loop: f, declared: map[*ir.Var]bool{f.Var: true}, inits: map[*ir.Var]ir.Expr{}, sums: map[*ir.Var]bool{}, stored: map[*ir.Buf]bool{}, steady: map[*ir.Var]bool{}}
}

// loop returns what stands in the place of a loop, nil where it stays.
func (a *apartner) loop(f *ir.For) []ir.Stmt {
	if n, ok := ir.Trips(ir.Dim{Var: f.Var, Lo: f.Lo, Hi: f.Hi}); ok && n < apartTrips {
		return nil
	}
	p := a.parting(f)
	if !p.survey(f.Body, true) || !p.rereads() || !p.flagged() || !p.access(f.Body) || !p.independent() {
		return nil
	}
	return p.emit()
}

// survey notes what the loop declares and stores. It is not ok where something
// is carried, or where the loop is no straight code.
func (p *parting) survey(block []ir.Stmt, always bool) bool {
	for _, s := range block {
		p.count++
		switch s := s.(type) {
		case *ir.Comment:
		case *ir.Decl:
			p.declared[s.Var] = true
			if s.Init != nil {
				p.inits[s.Var] = s.Init
				p.taint(s.Var, s.Init)
			}
		case *ir.Assign:
			delete(p.inits, s.Var)
			p.taint(s.Var, s.X)
			if !p.declared[s.Var] {
				return false
			}
		case *ir.Checked:
			delete(p.inits, s.Var)
			delete(p.inits, s.Flag)
			p.sums[s.Var] = true
			if !p.declared[s.Var] || !p.declared[s.Flag] {
				return false
			}
		case *ir.Store:
			p.stored[s.Buf] = true
		case *ir.If:
			if len(s.Then) == 1 && len(s.Else) == 0 {
				if f, ok := s.Then[0].(*ir.Fail); ok {
					if !always || p.fault != nil || p.tells(f) || !p.flag(s) && f.Fault == tail.FaultIndex {
						return false
					}
					p.fault, p.direct = s, !p.flag(s)
					continue
				}
			}
			if !p.survey(s.Then, false) || !p.survey(s.Else, false) {
				return false
			}
		default:
			return false
		}
	}
	return p.count <= apartLimit
}

// flag reports whether a branch stops where a flag of the loop says so.
func (p *parting) flag(s *ir.If) bool {
	u, ok := s.Cond.(*ir.Use)
	return ok && p.declared[u.Var]
}

// tells reports whether something of the loop is in a message.
func (p *parting) tells(f *ir.Fail) bool {
	for _, x := range ir.Exprs(f) {
		if x != nil && ir.MentionsAny(x, p.declared) {
			return true
		}
	}
	return false
}

func (p *parting) taint(v *ir.Var, x ir.Expr) {
	if ir.MentionsAny(x, p.sums) {
		p.sums[v] = true
	}
}

// rereads reports whether the loop reads an array that it writes to, or has a
// fault: others are vector code as they are.
func (p *parting) rereads() bool {
	found := p.fault != nil
	ir.Walk(p.loop.Body, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				ir.EachLoad(x, func(b *ir.Buf) { found = found || p.stored[b] })
			}
		}
	})
	return found && len(p.stored) > 0
}

// flagged reports whether nothing but sums sets the flag of the fault, and
// nothing but the fault looks at it. It notes what is steady, too.
func (p *parting) flagged() bool {
	for _, s := range p.loop.Body {
		if d, ok := s.(*ir.Decl); ok && p.inits[d.Var] != nil && p.same(d.Init, p.steady, nil) {
			p.steady[d.Var] = true
		}
	}
	if p.fault == nil {
		return true
	}
	if p.direct {
		return !divides(p.loop.Body)
	}
	flag, uses, ok := p.flagVar(), 0, false
	for _, s := range p.loop.Body {
		if d, is := s.(*ir.Decl); is && d.Var == flag {
			ok = d.Init != nil && ir.IsInt(d.Init, 0)
		}
	}
	ir.Walk(p.loop.Body, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				ir.EachUse(x, func(v *ir.Var) {
					if v == flag {
						uses++
					}
				})
			}
		}
		if a, is := s.(*ir.Assign); is && a.Var == flag {
			ok = false
		}
	})
	delete(p.steady, flag)
	return ok && uses == 1
}

// divides reports whether a block has divisions of integers, which stop the
// machine where a test is not heeded.
func divides(block []ir.Stmt) bool {
	found := false
	ir.Walk(block, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, func(x ir.Expr) {
				b, ok := x.(*ir.Binary)
				found = found || ok && (b.Op == ir.OpQuo || b.Op == ir.OpRem)
			})
		}
	})
	return found
}

// same reports whether x is the same in all iterations: its variables stay, or
// are in known, and it reads arrays that stay, or places of others that do.
func (p *parting) same(x ir.Expr, known map[*ir.Var]bool, places func(*ir.Load) bool) bool {
	ok := true
	ir.WalkExpr(x, func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Use:
			ok = ok && (!p.declared[x.Var] || known[x.Var])
		case *ir.Load:
			ok = ok && (!p.stored[x.Buf] || places != nil && places(x))
		}
	})
	return ok && (p.fault == nil || !ir.MentionsAny(x, p.sums))
}

// stays reports whether x, an element of an array that the loop changes, is at
// a place that stays.
func (p *parting) stays(x *ir.Load) bool {
	at := p.poly(x.Index)
	return at.Known() && !at.Mentions(p.loop.Var)
}

// access collects the places of arrays that the loop changes.
func (p *parting) access(block []ir.Stmt) bool {
	ok := true
	visit := func(x ir.Expr) {
		ir.WalkExpr(x, func(y ir.Expr) {
			ld, is := y.(*ir.Load)
			if !is {
				return
			}
			ok = ok && !(p.fault != nil && ir.MentionsAny(ld.Index, p.sums))
			if p.direct { // what was tested may be no index
				ok = ok && p.poly(ld.Index).Known()
			}
			if p.stored[ld.Buf] {
				ok = ok && p.add(ld.Buf, ld.Index, false)
			}
		})
	}
	for _, s := range block {
		for _, x := range ir.Exprs(s) {
			visit(x)
		}
		if st, is := s.(*ir.Store); is {
			ok = ok && !(p.fault != nil && ir.MentionsAny(st.Index, p.sums)) && p.add(st.Buf, st.Index, true)
		}
		for _, inner := range ir.Blocks(s) {
			ok = ok && p.access(*inner)
		}
	}
	return ok
}

func (p *parting) add(b *ir.Buf, index ir.Expr, write bool) bool {
	by, from := p.poly(index).Split(p.loop.Var)
	if !by.Known() || by.Mentions(p.loop.Var) {
		return false
	}
	p.places = append(p.places, &place{buf: b, by: by, from: from, write: write})
	return len(p.places)*len(p.places) <= apartPairs*4
}
