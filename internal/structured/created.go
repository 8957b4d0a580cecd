package structured

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
)

// Names from outside may get their first value in a function, or in a block that calls functions
// that see them:
//
//	∇ init n           bal←⟨none⟩
//	bal←n⍴100          init←{n←⍵ ⋄ bal⊢←n⍴100 ⋄ 0}
//	∇
//	init 5             init 5
//	⎕←+/bal            ⎕←+/bal
//
// They have no value at first, and every way to where one is read must assign it before: creation
// follows the ways through the program, and through the functions that it calls.

// creation is a walk over a program.
type creation struct {
	*mentions
	names  set // those that have no value at first
	steps  int // statements that it has walked over
	bad    bool
	within set // functions that are walked
	// exits are the names that have values on all ways out of a function so far, nil for none.
	exits set
}

// mostWalked is how many statements a walk looks at: functions are walked at each call until their
// names have values.
const mostWalked = 10000

// created reports whether every way through a program gives values to names before it reads them.
func (m *mentions) created(names set) bool {
	if len(names) == 0 {
		return true
	}
	c := &creation{mentions: m, names: names, within: set{}}
	c.bad = asksNames(m.body)
	given := set{}
	for _, s := range m.body {
		switch s := s.(type) {
		case *apl.Block:
			r := &reader{body: s.Fn.Body}
			items := r.items(0, len(s.Fn.Body))
			c.bad = c.bad || r.bad
			given = c.items(items, given)
		case *apl.ExprStmt, *apl.Display:
			given = c.statement(s, given)
		}
	}
	return !c.bad
}

// created returns the statements by which names have no value at first.
func (m maker) created(names set) (all []apl.Stmt) {
	for _, name := range names.sorted() {
		all = append(all, m.none(name))
	}
	return all
}

// asksNames reports whether statements ask which names have values.
func asksNames(body []apl.Stmt) (asks bool) {
	visit(body, func(n apl.Node) {
		p, ok := n.(*apl.Prim)
		asks = asks || ok && slices.Contains([]string{execute, "⎕NC", "⎕NL", "⎕EX"}, p.Glyph)
	})
	return asks
}

// needs requires that the names that a node reads have values, and so those that functions need
// which it names, and which it may call or not.
func (c *creation) needs(n apl.Node, given set) {
	reads, _ := uses(n)
	for name := range reads {
		c.bad = c.bad || c.names[name] && !given[name]
		if t := c.function(name); t != nil {
			c.call(t, given)
			continue
		}
		for _, def := range c.defs[name] {
			c.bad = c.bad || len(c.reached(def).both(c.names).without(given)) > 0
		}
	}
}

// statement walks over a statement, and returns the names that have values behind it.
func (c *creation) statement(s apl.Stmt, given set) set {
	if c.steps++; c.steps > mostWalked {
		c.bad = true
	}
	x, ok := s.(*apl.ExprStmt)
	if c.bad || !ok {
		c.needs(s, given)
		return given
	}
	return c.expr(x.X, given)
}

// expr walks over an expression, whose functions that give names values are called last or where it
// is assigned.
func (c *creation) expr(x apl.Expr, given set) set {
	var f apl.Func
	switch x := x.(type) {
	case *apl.Paren:
		return c.expr(x.X, given)
	case *apl.Assign:
		given = c.expr(x.Y, given)
		whole := *x
		whole.Y = maker{x.At}.zilde()
		c.needs(&whole, given)
		_, assigns := uses(&whole)
		return given.with(assigns.both(c.names))
	case *apl.Monadic:
		f, given = x.F, c.expr(x.Y, given)
	case *apl.Dyadic:
		f, given = x.F, c.expr(x.X, c.expr(x.Y, given))
	case *apl.Var:
		f = &apl.FuncName{At: x.At, Ident: x.Ident}
	default:
		c.needs(x, given)
		return given
	}
	if n, ok := f.(*apl.FuncName); ok {
		if t := c.function(n.Ident); t != nil {
			return c.call(t, given)
		}
	}
	c.needs(x, given)
	return given
}

// function returns the function with a header of a name, nil for others.
func (c *creation) function(name string) *apl.Tradfn {
	if len(c.defs[name]) != 1 {
		return nil
	}
	t, _ := c.defs[name][0].(*apl.Tradfn)
	return t
}

// call walks over the body of a function that is called.
func (c *creation) call(t *apl.Tradfn, given set) set {
	name := t.Header.Name.Ident
	missing := c.reached(t).both(c.names).without(given)
	if len(missing) == 0 {
		return given
	}
	if c.bad = c.bad || c.within[name]; c.bad {
		return given
	}
	r := bodyOf(t)
	items := r.items(0, len(t.Body))
	around, exits := c.names, c.exits
	c.within[name], c.bad = true, c.bad || r.bad
	c.names, c.exits = c.names.without(localsOf(t)), nil
	given = c.items(items, given).with(given)
	if c.exits != nil {
		given = given.both(c.exits)
	}
	c.within[name], c.names, c.exits = false, around, exits
	return given
}

// items walks over items, and returns the names that have values behind them: all names where
// nothing runs behind them.
func (c *creation) items(all []item, given set) set {
	for i := range all {
		it := &all[i]
		switch {
		case c.bad:
			return given
		case it.stmt != nil:
			given = c.statement(it.stmt, given)
		case it.clauses == nil:
			if it.word.Word == apl.Return {
				c.leave(given)
			}
			return given.with(c.names)
		case it.isLoop():
			given = c.loop(it, given)
		default:
			given = c.choice(it, given)
		}
	}
	return given
}

// leave notes the names that have values where a function returns.
func (c *creation) leave(given set) {
	if c.exits == nil {
		c.exits = given
	} else {
		c.exits = c.exits.both(given)
	}
}

// loop walks over a turn of a loop, which may have none.
func (c *creation) loop(it *item, given set) set {
	c.needs(expr(it.word.X), given)
	body := it.clauses[0]
	c.tests(body.tests, given)
	inside := c.items(body.body, given.with(forNames(it.word).both(c.names)))
	c.tests(it.until, inside)
	if it.runs() && !exits(body.body) {
		return inside
	}
	return given
}

func (c *creation) tests(all []test, given set) {
	for _, t := range all {
		c.needs(expr(t.word.X), given)
	}
}

// choice walks over the clauses of a condition, of which one runs.
func (c *creation) choice(it *item, given set) set {
	c.needs(expr(it.word.X), given)
	behind := given.with(c.names)
	for _, cl := range it.clauses {
		c.tests(cl.tests, given)
		behind = behind.both(c.items(cl.body, given))
	}
	if it.clauses[len(it.clauses)-1].tests != nil {
		behind = behind.both(given)
	}
	return behind
}
