package structured

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
)

// writer makes statements of dfns of items.
type writer struct {
	bad    bool
	calls  calls
	locals set // names that have no value outside
	outer  set // names that have, and are assigned
	shared set // names from outside that functions see, which are assigned where they are
	unset  *unset
	kept   set // names that another call may have left
	funcs  set // local functions
	serial int // of hidden names
	copied int // statements that stand in several places
}

// ways are what a dfn gives where its statements leave a loop or the function; nil where
// they stand in another dfn than the one that may be left.
type ways struct {
	around
	leave, again, result func() apl.Expr
	tests                func(defined set) []apl.Stmt // what is needed where a turn ends
	results              func(defined set) []apl.Stmt // what is needed where the function does
}

// hide returns a hidden name.
func (w *writer) hide(kind string) string {
	w.serial++
	return hiddenName(kind, w.serial)
}

// block writes items, after which the names of out are read, and end, which returns the
// result, if the last item does not leave. It returns the names that have values then.
func (w *writer) block(items []item, defined, out set, end func(defined set) []apl.Stmt, f ways) ([]apl.Stmt, set) {
	after := make([]set, len(items)) // the names that are read behind each item
	live := out
	for i, it := range slices.Backward(items) {
		after[i] = live
		live = it.liveIn(live, f.around)
	}
	var all []apl.Stmt
	for i, it := range items {
		switch {
		case w.bad:
			return nil, defined
		case it.stmt != nil:
			all = append(all, w.statement(it.stmt, &defined)...)
		case it.clauses == nil:
			return append(all, w.leave(&it, defined, f)...), defined
		case it.isLoop():
			var stmts []apl.Stmt
			stmts, defined = w.loop(&it, defined, after[i], f)
			all = append(all, stmts...)
		default:
			subject, of := w.subject(&it, defined)
			if all = append(all, subject...); !slices.ContainsFunc(it.clauses, func(c clause) bool { return exits(c.body) }) {
				all = append(all, w.choice(&it, of, &defined, after[i], f)...)
				continue
			}
			guards, inside := w.guards(&it, of, defined, out, items[i+1:], end, f)
			more, d := w.block(append(slices.Clone(inside), items[i+1:]...), defined, out, end, f)
			return append(append(all, guards...), more...), d
		}
	}
	if end != nil {
		all = append(all, end(defined)...)
	}
	return all, defined
}

// statement returns a statement with what it needs; one that is displayed displays its value
// by ⎕.
func (w *writer) statement(s apl.Stmt, defined *set) []apl.Stmt {
	reads, assigns := uses(s)
	all := w.needs(s, reads, *defined)
	*defined = defined.with(assigns, reads)
	for _, s := range w.through(s) {
		all = append(all, w.shown(s, reads))
	}
	return append(all, w.unset.assigned(placed(s), assigns)...)
}

func (w *writer) shown(s apl.Stmt, reads set) apl.Stmt {
	x, ok := s.(*apl.ExprStmt)
	if f, defines := s.(*apl.FuncDef); defines {
		w.funcs[f.Name.Ident] = true
		for name := range reads { // the function sees their later values
			w.bad = w.bad || w.locals[name] || w.outer[name]
		}
	}
	if !ok || x.Silent {
		return s
	}
	if call := w.calls.statement(s); call != s {
		return call
	}
	target := "⎕"
	if mayBeShy(x.X) {
		target = Shown
	}
	return maker{x.At}.assign(target, x.X)
}

// mayBeShy reports whether the function that an expression applies last may be one whose
// result is not displayed.
func mayBeShy(x apl.Expr) bool {
	var f apl.Func
	switch x := x.(type) {
	case *apl.Monadic:
		f = x.F
	case *apl.Dyadic:
		f = x.F
	default:
		return false
	}
	_, primitive := f.(*apl.Prim)
	return !primitive
}

// leave returns the statements of :Leave, :Continue or :Return.
func (w *writer) leave(it *item, defined set, f ways) []apl.Stmt {
	way, results := f.result, !it.tested
	var all []apl.Stmt
	switch it.word.Word {
	case apl.Leave:
		way, results = f.leave, it.returns
	case apl.Continue:
		way, results = f.again, false
		if f.tests != nil {
			all = f.tests(defined)
		}
	}
	if way == nil {
		w.bad = true
		return nil
	}
	if results && f.results != nil {
		all = append(all, f.results(defined)...)
	}
	return append(all, placed(it.word).result(way()))
}

// subject names the value of :Select, and returns how conditions are made of clauses.
func (w *writer) subject(it *item, defined set) ([]apl.Stmt, func(test) apl.Expr) {
	plain := func(t test) apl.Expr { return t.word.X }
	if it.word.Word != apl.Select {
		return nil, plain
	}
	reads, _ := uses(it.word.X)
	name, m := w.hide("s"), placed(it.word)
	return append(w.needs(it.word.X, reads, defined), m.assign(name, it.word.X)), func(t test) apl.Expr {
		m := placed(t.word)
		if t.word.Word == apl.CaseList {
			return m.dyadic(m.monadic("⊂", m.name(name)), "∊", t.word.X)
		}
		return m.dyadic(m.name(name), "≡", t.word.X)
	}
}

// condition returns that of a clause, which assigns nothing.
func (w *writer) condition(tests []test, of func(test) apl.Expr, defined set) apl.Expr {
	for _, t := range tests {
		_, assigns := uses(t.word.X)
		w.bad = w.bad || len(assigns) > 0
	}
	tested := w.tested(of, defined)
	if len(tests) == 1 {
		return tested(tests[0])
	}
	return placed(tests[0].word).truth(tests, tested)
}

// tested returns how conditions are made with what they need.
func (w *writer) tested(of func(test) apl.Expr, defined set) func(test) apl.Expr {
	return func(t test) apl.Expr {
		reads, _ := uses(t.word.X)
		if first := w.needs(t.word.X, reads, defined); first != nil {
			m := placed(t.word)
			return m.value(append(first, m.result(of(t)))...)
		}
		return of(t)
	}
}

// choice writes :If or :Select without ways out: what it changes is the result of a dfn.
func (w *writer) choice(it *item, of func(test) apl.Expr, defined *set, out set, f ways) []apl.Stmt {
	changed := set{}
	for _, c := range it.clauses {
		changed = changed.with(w.assigned(c.body))
	}
	changed = changed.both(out)
	state := w.unset.with(changed.sorted())
	m := placed(it.word)
	result := func(set) []apl.Stmt { return []apl.Stmt{m.result(m.strand(state))} }
	inner := ways{around: f.around}
	var body []apl.Stmt
	otherwise, given := false, changed
	for _, c := range it.clauses {
		first := w.own(c.body, out, f.around, placed(c.word))
		stmts, d := w.block(c.body, *defined, out, result, inner)
		given = given.both(d)
		if stmts = append(first, stmts...); c.tests == nil {
			body, otherwise = append(body, stmts...), true
			break
		}
		cm := placed(c.word)
		body = append(body, cm.guard(w.condition(c.tests, of, *defined), cm.value(stmts...)))
	}
	if !otherwise {
		given = given.both(*defined)
		body = append(body, result(nil)...)
	}
	w.have(changed, defined.with(given))
	*defined = defined.with(given)
	return []apl.Stmt{m.unpack(state, m.value(body...))}
}

// own makes the variables that a dfn changes its own: x←x.
func (w *writer) own(items []item, out set, a around, m maker) (all []apl.Stmt) {
	for _, name := range w.unset.with(w.assigned(items).both(liveIn(items, out, a)).sorted()) {
		all = append(all, m.assign(name, m.name(name)))
	}
	return all
}

// assigned are the names that items assign for themselves.
func (w *writer) assigned(items []item) set { return assigned(items).without(w.shared) }

// have requires that names are those of variables, which have None where they have no value.
func (w *writer) have(state, defined set) {
	for name := range state {
		if w.bad = w.bad || w.funcs[name]; w.locals[name] && !defined[name] {
			w.unset.store(name)
		}
	}
}

// guards writes those clauses of :If or :Select up to the last one that leaves, and returns the
// items that run where none of them does. A clause that leaves on some ways goes on with a copy
// of the items behind the structure, as do those before it that don't leave:
//
//	:If a                    a:{
//	  :If b                    b:{r←1 ⋄ r}0
//	    r←1 ⋄ :Return          r←2
//	  :EndIf                   r←r+3
//	  r←2                      r}0
//	:EndIf                   r←r+3
//	r←r+3                    r
func (w *writer) guards(it *item, of func(test) apl.Expr, defined, out set, rest []item, end func(defined set) []apl.Stmt, f ways) (all []apl.Stmt, inside []item) {
	for i, c := range it.clauses {
		if c.tests == nil {
			return all, c.body
		}
		m, body := placed(c.word), c.body
		if !leaves(body) {
			more := *it
			more.clauses = it.clauses[i:]
			if it.word.Word == apl.If && !slices.ContainsFunc(more.clauses, func(c clause) bool { return exits(c.body) }) {
				return all, []item{more}
			}
			w.copied += size(rest)
			w.bad = w.bad || w.copied > mostCopied
			body = append(slices.Clone(body), rest...)
		}
		stmts, _ := w.block(body, defined, out, end, f)
		stmts = append(w.own(body, out, f.around, m), stmts...)
		all = append(all, m.guard(w.condition(c.tests, of, defined), m.value(stmts...)))
	}
	return all, nil
}

// mostCopied is how many statements clauses that leave on some ways may copy in a function.
const mostCopied = 100
