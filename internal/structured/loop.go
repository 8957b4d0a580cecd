package structured

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
)

// looping is a loop that is written.
type looping struct {
	*writer
	maker
	item    *item
	state   []string // what a turn changes, and another one or what follows reads, with flags
	defined set      // before the loop
	leaves  bool     // :Leave or :Continue belong to it
	f       ways
}

// loop writes a loop, and returns the names that have values behind it: those before it, and where
// it has a first turn those that every turn assigns before it reads them.
func (w *writer) loop(it *item, defined, out set, f ways) (all []apl.Stmt, given set) {
	turn := it.turn(out, f.around)
	l := &looping{writer: w, maker: placed(it.word), item: it, leaves: exits(it.clauses[0].body)}
	state := w.assigned([]item{*it}).both(turn.with(out))
	if w.have(state, defined); w.bad {
		return nil, nil
	}
	l.state, l.defined = w.unset.with(state.sorted()), defined
	l.f.around = around{state, state.with(testsRead(it.until)), f.around.result}
	l.f.results = f.results
	l.f.tests = func(d set) (all []apl.Stmt) {
		for _, t := range it.until {
			reads, _ := uses(t.word.X)
			all = append(all, w.needs(t.word.X, reads, d)...)
		}
		return all
	}
	switch it.word.Word {
	case apl.For:
		all = l.forLoop()
	case apl.While:
		all = l.whileLoop()
	default:
		all = l.repeatLoop()
	}
	if it.runs() {
		defined = defined.with(state.without(turn))
	}
	return all, defined
}

// runs reports whether a loop has a first turn whatever its numbers are.
func (it *item) runs() bool {
	if it.word.Word != apl.For {
		return it.word.Word == apl.Repeat
	}
	x := it.word.X
	if m, ok := x.(*apl.Monadic); ok {
		if p, ok := m.F.(*apl.Prim); ok && p.Glyph == "⍳" {
			n, ok := m.Y.(*apl.Literal)
			return ok && n.Value.Elem == array.Int && len(n.Value.Shape) == 0 && n.Value.Int(0) > 0
		}
	}
	n, ok := x.(*apl.Literal)
	return ok && n.Value.Len() > 0
}

// carried returns the state with more names.
func (l *looping) carried(more ...string) []string {
	return append(l.state[:len(l.state):len(l.state)], more...)
}

// step returns the dfn of a turn: first are its first statements, end what it gives.
func (l *looping) step(carried []string, defined set, end func() apl.Expr, first ...apl.Stmt) *apl.Dfn {
	given := func(d set) []apl.Stmt { return append(l.f.tests(d), l.maker.result(end())) }
	stmts, _ := l.block(l.item.clauses[0].body, defined, l.f.around.again, given, l.f)
	all := append([]apl.Stmt{l.unpack(carried, l.name("⍵"))}, first...)
	return l.dfn(false, append(all, stmts...)...)
}

// until returns the dfn that says after a turn whether it was the last one.
func (l *looping) until(carried []string, last ...apl.Stmt) apl.Operand {
	return apl.Operand{Func: l.dfn(true, append([]apl.Stmt{l.unpack(carried, l.name("⍺"))}, last...)...)}
}

// forLoop writes a :For: a step for each item, or, where it may be left, steps until that
// or the last item.
func (l *looping) forLoop() []apl.Stmt {
	over, k, q := l.hide("o"), l.hide("k"), l.hide("q")
	reads, assigns := uses(l.item.word.X)
	first := l.needs(l.item.word.X, reads, l.defined)
	l.bad = l.bad || len(assigns) > 0
	item := forNames(l.item.word)
	next := append(l.through(l.each(l.item.word, l.dyadic(l.name(k), "⊃", l.name(over)))),
		l.assign(k, l.dyadic(l.name(k), "+", l.number(1))))
	defined, origin := l.defined.with(item), l.name("⎕IO")
	count := func() apl.Expr { return l.monadic("≢", l.name(over)) }
	next = append(next, l.unset.assigned(l.maker, item)...)
	first = append(first, l.assign(over, l.monadic(",", l.item.word.X)))
	if !l.leaves {
		carried := l.carried(k)
		step := l.step(carried, defined, func() apl.Expr { return l.strand(carried) }, next...)
		return append(first, l.unpack(carried, l.power(step, apl.Operand{Array: &apl.Paren{At: l.at, X: count()}}, l.strand(l.state, origin))))
	}
	l.f.leave = func() apl.Expr { return l.strand(l.state, l.name(k), l.number(1)) }
	l.f.again = func() apl.Expr { return l.strand(l.state, l.name(k), l.number(0)) }
	carried := l.carried(k, q)
	step := l.step(carried, defined, l.f.again, next...)
	last := l.maker.result(l.dyadic(l.name(k), "≥", l.dyadic(count(), "+", origin)))
	until := l.until(carried, l.guard(l.name(q), l.number(1)), last)
	run := l.unpack(carried, l.power(step, until, l.strand(l.state, origin, l.number(0))))
	none := l.guard(l.dyadic(l.number(0), "=", count()), l.strand(l.state))
	return append(first, l.unpack(l.state, l.value(none, run, l.maker.result(l.strand(l.state)))))
}

// each assigns an item to the names of a :For.
func (m maker) each(c *apl.Control, y apl.Expr) apl.Stmt {
	if c.Strand == nil {
		return m.names(c.Names, len(c.Names) > 1, y)
	}
	var target apl.Target = c.Strand
	if len(c.Strand.Items) == 1 {
		target = c.Strand.Items[0]
	}
	return &apl.ExprStmt{At: m.at, X: &apl.Assign{At: m.at, Target: target, Y: y}, Silent: true}
}

// whileLoop writes a :While: steps until the condition does not hold, if it does at first.
func (l *looping) whileLoop() []apl.Stmt {
	tests := l.item.clauses[0].tests
	holds := func() apl.Expr { return l.condition(tests, plainTest, l.defined) }
	carried, start := l.state, l.strand(l.state)
	last := []apl.Stmt{l.guard(holds(), l.number(0)), l.maker.result(l.number(1))}
	end := func() apl.Expr { return l.strand(l.state) }
	if l.leaves {
		q := l.hide("q")
		carried, start = l.carried(q), l.strand(l.state, l.number(0))
		l.f.leave = func() apl.Expr { return l.strand(l.state, l.number(1)) }
		l.f.again = func() apl.Expr { return l.strand(l.state, l.number(0)) }
		last = append([]apl.Stmt{l.guard(l.name(q), l.number(1))}, last...)
		end = l.f.again
	}
	run := l.unpack(carried, l.power(l.step(carried, l.defined, end), l.until(carried, last...), start))
	return []apl.Stmt{l.unpack(l.state, l.value(
		l.guard(holds(), l.value(run, l.maker.result(l.strand(l.state)))),
		l.maker.result(l.strand(l.state))))}
}

// repeatLoop writes a :Repeat, whose steps say whether they are the last one.
func (l *looping) repeatLoop() []apl.Stmt {
	q := l.hide("q")
	carried := l.carried(q)
	l.f.leave = func() apl.Expr { return l.strand(l.state, l.number(1)) }
	l.f.again = func() apl.Expr {
		if l.item.until == nil {
			return l.strand(l.state, l.number(0))
		}
		m := placed(l.item.until[0].word)
		return l.strand(l.state, m.truth(l.item.until, plainTest))
	}
	step := l.step(carried, l.defined, l.f.again)
	start := l.strand(l.state, l.number(0))
	return []apl.Stmt{l.unpack(carried, l.power(step, l.until(carried, l.maker.result(l.name(q))), start))}
}

// plainTest is the condition of a control word.
func plainTest(t test) apl.Expr { return t.word.X }
