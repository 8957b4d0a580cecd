package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// apart makes nests of loops that change single elements of arrays which they
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
// a factor. What is not seen of them is tested before the loop, which stays as
// it was for when the test fails. A test for overflow is noted in a flag, and
// looked at behind the nest, where it is the only fault of the loop.
//
// Requires: faults that end the program, so that nobody sees elements that are
// written behind one. Preserves: values and the first fault.
func (l *lowerer) apart(f *Func) {
	a := newApartner(l, f)
	a.loops = true
	f.Body = a.block(f.Body)
}

// apartner treats a function.
type apartner struct {
	l             *lowerer
	loops         bool          // whether loops are taken apart, or else nests joined
	reads, writes map[*Buf]int  // how many expressions read, and statements write, elements
	other         map[*Buf]bool // arrays that are used otherwise, too
	once          map[*Var]Expr // what variables are that are set once
	changed       map[*Var]bool // variables that are set again
}

func newApartner(l *lowerer, f *Func) *apartner {
	a := &apartner{l: l, reads: map[*Buf]int{}, writes: map[*Buf]int{}, other: map[*Buf]bool{}, once: map[*Var]Expr{}, changed: map[*Var]bool{}}
	for _, r := range f.Results {
		a.other[r.Buf] = true
	}
	declared := map[*Var]bool{}
	Walk(f.Body, func(s Stmt) {
		for _, x := range Exprs(s) {
			if x != nil {
				loadsOf(x, func(b *Buf) { a.reads[b]++ })
			}
		}
		switch s := s.(type) {
		case *For:
			if _, known := l.ranges[s.Var]; !known {
				if lo, hi := l.rangeOf(s.Lo).lo, l.rangeOf(s.Hi).hi; lo > -maxExtent && hi < maxExtent {
					l.ranges[s.Var] = interval{lo, max(hi-1, lo)}
				}
			}
		case *Decl:
			if s.Init == nil || declared[s.Var] {
				a.changed[s.Var] = true
			}
			declared[s.Var] = true
			a.once[s.Var] = s.Init
		case *Assign:
			a.changed[s.Var] = true
		case *Checked:
			a.changed[s.Var], a.changed[s.Flag] = true, true
		case *Filter:
			a.changed[s.Count] = true
		case *Nest:
			for _, c := range s.Accs {
				a.changed[c.Var] = true
			}
		case *Store:
			a.writes[s.Buf]++
		case *DeclBuf, *Free:
		default:
			Buffers(s, func(b *Buf) { a.other[b] = true })
		}
	})
	return a
}

func (a *apartner) block(block []Stmt) []Stmt {
	var out []Stmt
	for i := 0; i < len(block); i++ {
		s := block[i]
		var instead []Stmt
		n := 1
		switch s := s.(type) {
		case *Nest:
			if !a.loops {
				instead, n = a.fused(block[i:])
			}
		case *For:
			if a.loops && !s.Independent {
				instead = a.loop(s)
			}
		}
		if instead != nil {
			out = append(out, instead...)
			i += n - 1
			continue
		}
		if _, nest := s.(*Nest); !nest {
			for _, inner := range Blocks(s) {
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
	l        *lowerer
	a        *apartner
	loop     *For
	declared map[*Var]bool
	inits    map[*Var]Expr // of variables of the loop that are set once
	sums     map[*Var]bool // what depends on a sum that may have overflowed
	stored   map[*Buf]bool
	places   []*place
	steady   map[*Var]bool // declared by the loop, but the same in all iterations
	fault    *If
	direct   bool // the fault is a test of its own, which no flag was raised for
	count    int
	whole    bool // all is read before anything is written, and nothing may be split

	tests []Expr // which have to hold
	split poly   // the iteration that writes what others read
	at    Expr
	there *Load // what it writes
}

// place is an access to an array that the loop changes: at by×j + from in
// iteration j.
type place struct {
	buf      *Buf
	by, from poly
	write    bool
	always   bool // it is not in a branch
}

func (a *apartner) parting(f *For) *parting {
	return &parting{l: a.l, a: a, loop: f, declared: map[*Var]bool{f.Var: true}, inits: map[*Var]Expr{}, sums: map[*Var]bool{}, stored: map[*Buf]bool{}, steady: map[*Var]bool{}}
}

// loop returns what stands in the place of a loop, nil where it stays.
func (a *apartner) loop(f *For) []Stmt {
	if n, ok := laneTrips(Dim{f.Var, f.Lo, f.Hi}); ok && n < apartTrips {
		return nil
	}
	p := a.parting(f)
	if !p.survey(f.Body, true) || !p.rereads() || !p.flagged() || !p.access(f.Body, true) || !p.independent() {
		return nil
	}
	return p.emit()
}

// survey notes what the loop declares and stores. It is not ok where something
// is carried, or where the loop is no straight code.
func (p *parting) survey(block []Stmt, always bool) bool {
	for _, s := range block {
		p.count++
		switch s := s.(type) {
		case *Comment:
		case *Decl:
			p.declared[s.Var] = true
			if s.Init != nil {
				p.inits[s.Var] = s.Init
				p.taint(s.Var, s.Init)
			}
		case *Assign:
			delete(p.inits, s.Var)
			p.taint(s.Var, s.X)
			if !p.declared[s.Var] && !p.whole {
				return false
			}
		case *Checked:
			delete(p.inits, s.Var)
			delete(p.inits, s.Flag)
			p.sums[s.Var] = true
			if !p.declared[s.Var] || !p.declared[s.Flag] && !p.whole {
				return false
			}
		case *Store:
			p.stored[s.Buf] = true
		case *If:
			if len(s.Then) == 1 && len(s.Else) == 0 {
				if f, ok := s.Then[0].(*Fail); ok {
					if !always || p.fault != nil || p.whole || p.tells(f) || !p.flag(s) && f.Fault == tail.FaultIndex {
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
func (p *parting) flag(s *If) bool {
	u, ok := s.Cond.(*Use)
	return ok && p.declared[u.Var]
}

// tells reports whether something of the loop is in a message.
func (p *parting) tells(f *Fail) bool {
	for _, x := range Exprs(f) {
		if x != nil && mentionsAny(x, p.declared) {
			return true
		}
	}
	return false
}

func (p *parting) taint(v *Var, x Expr) {
	if mentionsAny(x, p.sums) {
		p.sums[v] = true
	}
}

// rereads reports whether the loop reads an array that it writes to, or has a
// fault: others are vector code as they are.
func (p *parting) rereads() bool {
	found := p.fault != nil
	Walk(p.loop.Body, func(s Stmt) {
		for _, x := range Exprs(s) {
			if x != nil {
				loadsOf(x, func(b *Buf) { found = found || p.stored[b] })
			}
		}
	})
	return found && len(p.stored) > 0
}

// flagged reports whether nothing but sums sets the flag of the fault, and
// nothing but the fault looks at it. It notes what is steady, too.
func (p *parting) flagged() bool {
	for _, s := range p.loop.Body {
		if d, ok := s.(*Decl); ok && p.inits[d.Var] != nil && p.same(d.Init, p.steady, nil) {
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
		if d, is := s.(*Decl); is && d.Var == flag {
			ok = d.Init != nil && isInt(d.Init, 0)
		}
	}
	Walk(p.loop.Body, func(s Stmt) {
		for _, x := range Exprs(s) {
			if x != nil {
				eachUse(x, func(v *Var) {
					if v == flag {
						uses++
					}
				})
			}
		}
		if a, is := s.(*Assign); is && a.Var == flag {
			ok = false
		}
	})
	delete(p.steady, flag)
	return ok && uses == 1
}

// divides reports whether a block has divisions of integers, which stop the
// machine where a test is not heeded.
func divides(block []Stmt) bool {
	found := false
	Walk(block, func(s Stmt) {
		for _, x := range Exprs(s) {
			WalkExpr(x, func(x Expr) {
				b, ok := x.(*Binary)
				found = found || ok && (b.Op == Quo || b.Op == Rem)
			})
		}
	})
	return found
}

// same reports whether x is the same in all iterations: its variables stay, or
// are in known, and it reads arrays that stay, or places of others that do.
func (p *parting) same(x Expr, known map[*Var]bool, places func(*Load) bool) bool {
	ok := true
	WalkExpr(x, func(x Expr) {
		switch x := x.(type) {
		case *Use:
			ok = ok && (!p.declared[x.Var] || known[x.Var])
		case *Load:
			ok = ok && (!p.stored[x.Buf] || places != nil && places(x))
		}
	})
	return ok && (p.fault == nil || !mentionsAny(x, p.sums))
}

// stays reports whether x, an element of an array that the loop changes, is at
// a place that stays.
func (p *parting) stays(x *Load) bool {
	at, ok := p.poly(x.Index, 0)
	for _, m := range at {
		_, moves := takeOut(m.vars, []*Var{p.loop.Var})
		ok = ok && !moves
	}
	return ok
}

// access collects the places of arrays that the loop changes.
func (p *parting) access(block []Stmt, always bool) bool {
	ok := true
	visit := func(x Expr) {
		WalkExpr(x, func(y Expr) {
			ld, is := y.(*Load)
			if !is {
				return
			}
			ok = ok && !(p.fault != nil && mentionsAny(ld.Index, p.sums))
			if p.direct { // what was tested may be no index
				_, sum := p.poly(ld.Index, 0)
				ok = ok && sum
			}
			if p.stored[ld.Buf] {
				ok = ok && p.add(ld.Buf, ld.Index, false, always)
			}
		})
	}
	for _, s := range block {
		for _, x := range Exprs(s) {
			visit(x)
		}
		if st, is := s.(*Store); is {
			ok = ok && !(p.fault != nil && mentionsAny(st.Index, p.sums)) && p.add(st.Buf, st.Index, true, always)
		}
		for _, inner := range Blocks(s) {
			ok = ok && p.access(*inner, false)
		}
	}
	return ok
}

func (p *parting) add(b *Buf, index Expr, write, always bool) bool {
	whole, ok := p.poly(index, 0)
	if !ok {
		return false
	}
	a := &place{buf: b, by: poly{}, from: poly{}, write: write, always: always}
	for _, m := range whole {
		rest, ok := takeOut(m.vars, []*Var{p.loop.Var})
		if !ok {
			a.from.plus(p.l, m.k, m.vars)
			continue
		}
		if slices.Contains(rest, p.loop.Var) {
			return false
		}
		a.by.plus(p.l, m.k, rest)
	}
	p.places = append(p.places, a)
	return len(p.places)*len(p.places) <= apartPairs*4
}
