package structured

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
)

// outside returns statements for a control structure outside of functions. What it
// assigns may be read by functions, and by the statements behind it.
func (c *converter) outside(s *apl.Block, given *set, behind []apl.Stmt) []apl.Stmt {
	r := &reader{body: s.Fn.Body, bad: len(systemSet(s.Fn.Body)) > 0}
	items := r.items(0, len(s.Fn.Body))
	if c.bad = c.bad || r.bad; c.bad {
		return nil
	}
	shared, changed := set{}, assigned(items)
	live := liveBehind(behind)
	for name, reads := range c.reads {
		reads = reads.both(changed)
		if live = live.with(reads); c.mentions.calls(s, name) { // which sees them
			shared = shared.with(reads)
		}
	}
	if len(shared) > 0 {
		c.bad = c.bad || len(shared.both(c.unset.stored)) > 0
		if missing := shared.without(*given); len(missing) > 0 {
			c.created = c.created.with(missing)
			return nil
		}
		changed = changed.without(shared)
	}
	out := live.both(changed)
	known := c.unset.stored.with(*given)
	for name := range out.without(known) {
		c.unset.flag(name)
	}
	for {
		w := &writer{calls: c.calls, locals: changed.with(c.unset.stored), funcs: set{}, shared: shared, unset: &c.unset}
		body, defined := w.block(items, *given, out, nil, ways{around: around{set{}, set{}, set{}}})
		if c.bad = c.bad || w.bad || len(body) == 0; c.bad || !c.unset.more {
			*given = defined
			return append(c.unset.first(placed(s), known), body...)
		}
		c.unset.more = false
	}
}

// plain returns a statement outside of functions with what it needs.
func (c *converter) plain(s apl.Stmt, given *set) []apl.Stmt {
	missing := c.unset.stored.without(*given)
	for name, reads := range c.reads {
		c.bad = c.bad || len(reads.both(missing)) > 0 && c.mentions.calls(s, name)
	}
	w := &writer{locals: missing, unset: &c.unset}
	reads, assigns := uses(s)
	all := append(w.needs(s, reads, *given), c.shown(s)...)
	c.bad = c.bad || w.bad || c.unset.more
	*given = given.with(reads, assigns)
	return append(all, c.unset.assigned(placed(s), assigns)...)
}

// liveBehind are the names that statements outside of functions read before they assign them.
func liveBehind(body []apl.Stmt) set {
	live := set{}
	for _, s := range slices.Backward(body) {
		switch s := s.(type) {
		case *apl.Block:
			r := &reader{body: s.Fn.Body}
			live = liveIn(r.items(0, len(s.Fn.Body)), live, around{})
		case *apl.Tradfn:
		default:
			reads, assigns := uses(s)
			live = live.without(assigns).with(reads)
		}
	}
	return live
}

// results returns the statements that test whether a function has its result. One that has none
// is no error where a statement calls it.
func (c *converter) results(t *apl.Tradfn, w *writer, defined set) (all []apl.Stmt) {
	for _, n := range t.Header.Result {
		if defined[n.Ident] {
			continue
		}
		name, stated := t.Header.Name.Ident, 0
		visit(c.body, func(n apl.Node) {
			if c.calls.states(n, name) {
				stated++
			}
		})
		for _, s := range c.body {
			if c.calls.states(s, name) {
				c.perhaps[name] = hidden + "p" + name
				stated--
			}
		}
		c.bad = c.bad || c.alone || stated != 0 || c.perhaps[name] != "" && (len(t.Header.Result) > 1 || len(c.outer[t]) > 0)
		all = append(all, maker{n.At}.needed(Returned, w.unset.flag(n.Ident), n.Ident))
	}
	return all
}

// states reports whether a node is a statement that displays the result of a function.
func (c calls) states(n apl.Node, name string) bool {
	x, ok := n.(*apl.ExprStmt)
	if !ok || x.Silent {
		return false
	}
	called, _ := c.of(x.X)
	return called == name
}

// shown returns a statement; where it displays the result of a function that may have none,
// statements that display it if there is one:
//
//	f 3        (∆∆v ∆∆q ∆∆z)←∆∆pf 3 ⋄ ∆∆z←{∆∆q:{∆∆z←⎕←∆∆v ⋄ 0}0 ⋄ 0}0
func (c *converter) shown(s apl.Stmt) []apl.Stmt {
	x, ok := s.(*apl.ExprStmt)
	if !ok || x.Silent {
		return []apl.Stmt{c.calls.statement(s)}
	}
	called, _ := c.calls.of(x.X)
	name := c.perhaps[called]
	if name == "" {
		return []apl.Stmt{c.calls.statement(s)}
	}
	m := maker{x.At}
	f := &apl.FuncName{At: x.At, Ident: name}
	var call apl.Expr
	switch x := x.X.(type) {
	case *apl.Monadic:
		call = &apl.Monadic{At: x.At, F: f, Y: x.Y}
	case *apl.Dyadic:
		call = &apl.Dyadic{At: x.At, X: x.X, F: f, Y: x.Y}
	}
	value, has := hidden+"v", hidden+"q"
	show := m.value(m.assign(rest, m.assigned("⎕", m.name(value))), m.result(m.number(0)))
	return []apl.Stmt{
		m.unpack([]string{value, has}, call),
		m.assign(rest, m.value(m.guard(m.name(has), show), m.result(m.number(0)))),
	}
}
