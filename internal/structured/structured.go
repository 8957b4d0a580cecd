package structured

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
)

// Program returns a program without headers and control structures that means the same,
// nil if there is none.
func Program(p *apl.Program) *apl.Program {
	all, of, ok := withoutSpaces(p.Body)
	if !ok {
		return nil
	}
	if all, ok = niladic(all); !ok {
		return nil
	}
	p = p.With(lifted(all))
	for created := (set{}); ; {
		c := &converter{mentions: newMentions(p.Body), reads: map[string]set{}, outer: map[*apl.Tradfn]set{}, shared: map[*apl.Tradfn]set{}, perhaps: map[string]string{}, created: created, live: map[*apl.Tradfn]set{}, origins: of}
		now := c.program(p)
		if c.bad || len(c.created) == len(created) {
			return now
		}
		created = c.created
	}
}

// program is Program where the names are known that get their first value in functions; nil, too,
// where it finds more of them.
func (c *converter) program(p *apl.Program) *apl.Program {
	visit(p.Body, c.known)
	for _, s := range p.Body {
		c.read(s)
	}
	c.procedures()
	if c.bad = c.bad || !c.apart() || !c.mentions.created(c.created); c.bad {
		return nil
	}
	given, count := c.created, len(c.created)
	body := maker{p.At}.created(c.created)
	for i, s := range p.Body {
		var stmts []apl.Stmt
		switch s := s.(type) {
		case *apl.Tradfn:
			stmts = c.function(s)
		case *apl.Block:
			stmts = c.outside(s, &given, p.Body[i+1:])
		default:
			stmts = c.plain(s, &given)
		}
		if c.bad || len(c.created) > count {
			return nil
		}
		body = append(body, stmts...)
	}
	return p.With(body)
}

// Entry returns a program whose only statement defines a dfn of the statements of p, of which
// the last one is its result, and which read its argument by a name; nil if there is none.
func Entry(name, argument string, p *apl.Program) *apl.Program {
	q := Program(p)
	if q == nil {
		return nil
	}
	m := maker{p.At}
	body := append([]apl.Stmt{m.assign(argument, m.name("⍵"))}, q.Body...)
	return p.With([]apl.Stmt{&apl.FuncDef{At: m.at, Name: &apl.Name{At: m.at, Ident: name}, F: apl.NewDfn(m.at, body, false)}})
}

// Function returns the definition of a dfn that means the same as a function with a header that
// gives a result, whatever program it stands in, where no function that it calls reads its
// locals; nil if there is none.
func Function(t *apl.Tradfn) *apl.FuncDef {
	c := &converter{mentions: newMentions([]apl.Stmt{t}), reads: map[string]set{}, outer: map[*apl.Tradfn]set{}, shared: map[*apl.Tradfn]set{}, live: map[*apl.Tradfn]set{}, alone: true}
	visit(t.Body, c.known)
	c.header(t)
	if len(t.Header.Result) == 0 || t.Header.Shy || c.bad || len(c.created) > 0 || !c.apart() {
		return nil
	}
	all := c.function(t)
	if c.bad {
		return nil
	}
	return all[0].(*apl.FuncDef)
}

// Locals returns the names that definitions make local: a header, and dfns inside of it or of
// another statement.
func Locals(s apl.Stmt) []string {
	all := localNames(s)
	if t, ok := s.(*apl.Tradfn); ok {
		all = localNames(t.Body).with(localsOf(t))
	}
	return all.sorted()
}

// Names returns the names that the statements of a body from one place to another assign, and those
// that they may read before; all that they read where they do what no dfn does.
func Names(body []apl.Stmt, from, to int) (assigns, reads []string) {
	r := &reader{body: body}
	if items := r.items(from, to); !r.bad {
		return assigned(items).sorted(), liveIn(items, set{}, around{}).sorted()
	}
	read, all := set{}, set{}
	visit(body[from:to], func(n apl.Node) {
		switch n := n.(type) {
		case *apl.ExprStmt, *apl.FuncDef:
			r, a := uses(n)
			read, all = read.with(r), all.with(a)
		case *apl.Control:
			r, a := uses(expr(n.X))
			read, all = read.with(r), all.with(a)
			all = all.with(forNames(n))
		}
	})
	return all.sorted(), read.sorted()
}

// converter is the state of a conversion.
type converter struct {
	*mentions
	bad   bool
	alone bool // the function stands in a program that is not known
	defs  []definition
	reads map[string]set      // what functions read
	outer map[*apl.Tradfn]set // names from outside that functions assign as they return
	// shared are names from outside that functions assign, where they do, as others see them.
	shared map[*apl.Tradfn]set
	calls  calls
	unset  unset // of what stands outside of functions
	// perhaps are the functions that may have no result and that statements call, with the names
	// of those that give a flag with it.
	perhaps map[string]string
	live    map[*apl.Tradfn]set // what is known of liveIn
	origins origins
	created set // names from outside that functions and blocks give their first value
}

// definition is a function of the program: the names of others that it reads, and, if it
// has a header, its locals.
type definition struct {
	name          string
	reads, locals set
}

// known requires that a statement is of those that package infer knows, or that become
// such.
func (c *converter) known(n apl.Node) {
	if s, ok := n.(apl.Stmt); ok {
		switch s.(type) {
		case *apl.ExprStmt, *apl.Guard, *apl.ErrorGuard, *apl.DefaultLeft, *apl.FuncDef, *apl.OperatorDef, *apl.Display:
		case *apl.Tradfn, *apl.Block, *apl.Control, *apl.Label, *apl.Branch:
		default:
			c.bad = true
		}
	}
}

// read looks at a statement of the program.
func (c *converter) read(s apl.Stmt) {
	switch s := s.(type) {
	case *apl.Tradfn:
		c.header(s)
	case *apl.FuncDef, *apl.OperatorDef:
		reads, _ := uses(s)
		c.defs = append(c.defs, definition{name: apl.DefinedName(s), reads: reads})
	case *apl.ExprStmt, *apl.Display, *apl.Block:
	default:
		c.bad = true
	}
}

// header looks at a function with a header.
func (c *converter) header(t *apl.Tradfn) {
	h := t.Header
	if len(h.Result) > 0 && len(h.Right) == 0 && (h.Shy || c.alone) || h.LeftOperand != nil || setsSystem(t) {
		c.bad = true
		return
	}
	reads, assigns := set{}, set{}
	visit(t.Body, func(n apl.Node) {
		switch n := n.(type) {
		case *apl.ExprStmt, *apl.FuncDef, *apl.OperatorDef:
			r, a := uses(n)
			reads, assigns = reads.with(r), assigns.with(a)
		case *apl.Branch:
			r, a := uses(expr(n.X))
			reads, assigns = reads.with(r), assigns.with(a)
		case *apl.Control:
			r, a := uses(expr(n.X))
			reads, assigns = reads.with(r), assigns.with(a)
			assigns = assigns.with(forNames(n))
		}
	})
	inner := localNames(t.Body)
	locals := c.locals(t, assigns)
	outer := assigns.without(locals).without(inner)
	if c.created = c.created.with(outer.without(c.given(t))); c.seen(t, outer) {
		c.shared[t] = outer
	} else {
		c.outer[t] = outer
	}
	c.defs = append(c.defs, definition{t.Header.Name.Ident, reads.with(outer).without(locals), locals})
}

// given are the names that have values before anything calls a function.
func (c *converter) given(t *apl.Tradfn) set {
	given := set{}
	for _, s := range c.body {
		if name := apl.DefinedName(s); name == "" && c.mentions.calls(s, t.Header.Name.Ident) {
			break
		}
		if x, ok := s.(*apl.ExprStmt); ok {
			_, assigns := uses(x)
			given = given.with(assigns)
		}
	}
	return given
}

// seen reports whether functions that a function calls know names from outside that it assigns; if
// it calls itself, it is one of them.
func (c *converter) seen(t *apl.Tradfn, outer set) bool {
	self, inside := t.Header.Name.Ident, c.reached(t)
	if len(outer) == 0 || inside[self] || inside[execute] {
		return len(outer) > 0
	}
	for _, s := range c.body {
		name := apl.DefinedName(s)
		if name != "" && name != self && inside[name] && len(c.names[s].both(outer)) > 0 {
			return true
		}
	}
	return false
}

// locals returns the names that a function has for itself: those that its header makes
// local, and those that it assigns and that nobody else would miss.
func (c *converter) locals(t *apl.Tradfn, assigns set) set {
	all := localsOf(t)
	for name := range assigns.without(all) {
		if c.private(name, t) {
			all[name] = true
		}
	}
	return all
}

// private reports whether a name of a function that does not call itself stands nowhere
// else in the program but in functions with headers that neither call it nor are called by
// it, and that assign it before they read it.
func (c *converter) private(name string, t *apl.Tradfn) bool {
	self := t.Header.Name.Ident
	if c.alone || c.reached(t)[self] { // which changes it
		return false
	}
	for _, s := range c.where[name] {
		other, ok := s.(*apl.Tradfn)
		if !ok || c.liveIn(other)[name] || other != t && (c.reached(t)[other.Header.Name.Ident] || c.reached(other)[self]) {
			return false
		}
	}
	return true
}

// liveIn are the names that the body of a function may read before it assigns them.
func (c *converter) liveIn(t *apl.Tradfn) set {
	live, ok := c.live[t]
	if !ok {
		live = liveIn(bodyOf(t).items(0, len(t.Body)), set{}, around{})
		c.live[t] = live
	}
	return live
}

// bodyOf returns the reader of the body of a function.
func bodyOf(t *apl.Tradfn) *reader {
	r := &reader{body: t.Body, labels: set{}}
	for name := range t.Labels() {
		r.labels[name] = true
	}
	return r
}

// localsOf returns the names that a header makes local.
func localsOf(t *apl.Tradfn) set {
	all := set{}
	h := t.Header
	for _, n := range slices.Concat(h.Result, h.Right, h.Locals, []*apl.Name{h.Left}) {
		if n != nil {
			all[n.Ident] = true
		}
	}
	for name := range t.Labels() {
		all[name] = true
	}
	return all
}

// apart reports whether no function reads a name that one that calls it makes local, so that
// it makes no difference who calls it.
func (c *converter) apart() bool {
	for _, d := range c.defs {
		for _, s := range c.body {
			if len(d.reads.both(c.localsAround(d, s))) > 0 && (c.alone || c.mentions.calls(s, d.name) || operates(s)) {
				return false
			}
		}
		c.reads[d.name] = c.reads[d.name].with(d.reads)
	}
	return true
}

// operates reports whether a statement has the body of an operator, which calls operands that
// it does not name.
func operates(s apl.Stmt) (has bool) {
	visit(s, func(n apl.Node) {
		_, operator := n.(*apl.Dop)
		has = has || operator
	})
	return has
}

// localsAround returns the names that a statement makes local for what it calls: those of a
// header, which all functions see but the one that it belongs to, and those of dfns, which
// functions with headers see.
func (c *converter) localsAround(d definition, s apl.Stmt) set {
	all := set{}
	if d.locals != nil {
		all = localNames(s)
	}
	if t, ok := s.(*apl.Tradfn); ok && t.Header.Name.Ident != d.name {
		for _, other := range c.defs {
			if other.name == t.Header.Name.Ident {
				all = all.with(other.locals)
			}
		}
	}
	return all
}

// function returns the definition of a dfn for a function with a header, and that of another one
// for statements that display its result, where it may have none.
func (c *converter) function(t *apl.Tradfn) []apl.Stmt {
	var u unset
	for {
		all := []apl.Stmt{c.written(t, &u, false)}
		if _, perhaps := c.perhaps[t.Header.Name.Ident]; perhaps && !c.bad {
			all = append(all, c.written(t, &u, true))
		}
		if c.bad || !u.more {
			return all
		}
		u.more = false
	}
}

// written returns the definition of a dfn where those of the names of a function that may have no
// value are known. If perhaps is set, the dfn gives the result with a flag.
func (c *converter) written(t *apl.Tradfn, u *unset, perhaps bool) apl.Stmt {
	r := bodyOf(t)
	items := r.items(0, len(t.Body))
	h, locals := t.Header, c.locals(t, assigned(items))
	w := &writer{bad: r.bad, calls: c.calls, locals: locals, kept: locals.without(localsOf(t)).with(r.labels), outer: c.outer[t], shared: c.shared[t], funcs: set{}, unset: u}
	items = w.returning(items)
	m := maker{apl.At{Where: h.Where}}
	first, items := leadingSystem(items)
	if s := c.origins[h.Name.Ident]; s != nil {
		first = append(first, s)
	}
	defined, out := set{}, set{}
	for _, n := range slices.Concat(h.Right, []*apl.Name{h.Left}) {
		if n != nil {
			defined[n.Ident] = true
		}
	}
	if len(h.Right) > 0 {
		first = append(first, m.names(h.Right, h.RightList, m.name("⍵")))
	}
	if h.Left != nil {
		if value := defaultLeft(items, h); value != nil {
			first, items = append(first, &apl.DefaultLeft{At: placed(items[0].word).at, Value: value}), items[1:]
		}
		first = append(first, m.assign(h.Left.Ident, m.name("⍺")))
	}
	for _, n := range h.Result {
		out[n.Ident] = true
	}
	result := func() apl.Expr {
		switch {
		case len(h.Result) == 0:
			return m.assigned(rest, m.number(0))
		case h.Shy:
			return m.assigned(rest, m.list(h.Result, h.ResultList))
		}
		return m.list(h.Result, h.ResultList)
	}
	outer := c.outer[t].sorted()
	gives := result
	if len(outer) > 0 {
		out = out.with(c.outer[t])
		gives = func() apl.Expr { return m.strand(append(identifiers(h.Result), outer...)) }
	}
	name, results := h.Name, func(d set) []apl.Stmt { return c.results(t, w, d) }
	if perhaps {
		name, results = &apl.Name{At: h.Name.At, Ident: c.perhaps[name.Ident]}, func(set) []apl.Stmt { return nil }
		gives = func() apl.Expr { return m.strand(u.with(identifiers(h.Result))) }
	}
	f := ways{around: around{set{}, set{}, out}, result: gives, results: results}
	if w.bad {
		c.bad = true
		return nil
	}
	end := func(d set) []apl.Stmt { return append(f.results(d), m.result(gives())) }
	body, _ := w.block(items, defined, out, end, f)
	if c.bad = c.bad || w.bad; c.bad {
		return nil
	}
	first = append(first, u.first(m, defined)...)
	dfn := apl.NewDfn(t.At, append(first, body...), h.Left != nil)
	if len(outer) > 0 {
		dfn = m.writesBack(h, dfn, outer, result())
	}
	return &apl.FuncDef{At: t.At, Name: name, F: dfn}
}

// writesBack returns a dfn with a result that calls f, which gives the names of the header's
// result and, as its own, those from outside that the function assigns, and assigns these.
//
//	{(r ∆∆s1 ∆∆z)←f ⍵ ⋄ seed⊢←∆∆s1 ⋄ r}
func (m maker) writesBack(h *apl.Header, f *apl.Dfn, outer []string, result apl.Expr) *apl.Dfn {
	var hidden []string
	var back []apl.Stmt
	for i, name := range outer {
		own := hiddenName("s", i+1)
		hidden = append(hidden, own)
		back = append(back, m.assignOuter(name, own))
	}
	var y apl.Expr = m.number(0)
	if len(h.Right) > 0 {
		y = m.name("⍵")
	}
	var call apl.Expr = &apl.Monadic{At: m.at, F: f, Y: y}
	if h.Left != nil {
		call = &apl.Dyadic{At: m.at, X: m.name("⍺"), F: f, Y: y}
	}
	body := append([]apl.Stmt{m.unpack(append(identifiers(h.Result), hidden...), call)}, back...)
	return m.dfn(h.Left != nil, append(body, m.result(result))...)
}

// identifiers returns the texts of names.
func identifiers(names []*apl.Name) (all []string) {
	for _, n := range names {
		all = append(all, n.Ident)
	}
	return all
}

// defaultLeft is what the first of some items assigns to the left argument where there is
// none, nil if that is not all it does:
//
//	:If 0=⎕NC'x' ⋄ x←1 ⋄ :EndIf
func defaultLeft(items []item, h *apl.Header) apl.Expr {
	if !h.Ambivalent || len(items) == 0 || items[0].word == nil || items[0].word.Word != apl.If || len(items[0].clauses) != 1 {
		return nil
	}
	c := items[0].clauses[0]
	if len(c.tests) != 1 || len(c.body) != 1 || !isUnnamed(c.tests[0].word.X, h.Left.Ident) {
		return nil
	}
	s, ok := c.body[0].stmt.(*apl.ExprStmt)
	if !ok {
		return nil
	}
	if a, ok := s.X.(*apl.Assign); ok && a.F == nil {
		if t, ok := a.Target.(*apl.NameTarget); ok && t.Ident == h.Left.Ident {
			return a.Y
		}
	}
	return nil
}

// isUnnamed reports whether a condition holds where a name has no value: 0=⎕NC'x', or
// 2≠⎕NC'x'.
func isUnnamed(x apl.Expr, name string) bool {
	d, ok := x.(*apl.Dyadic)
	if !ok {
		return false
	}
	test, ok := d.F.(*apl.Prim)
	class, isClass := d.Y.(*apl.Monadic)
	n, constant := d.X.(*apl.Literal)
	if !ok || !isClass || !constant || n.Value.Elem != array.Int && n.Value.Elem != array.Bool || len(n.Value.Shape) > 0 {
		return false
	}
	nc, ok := class.F.(*apl.Prim)
	text, quoted := class.Y.(*apl.Literal)
	if !ok || nc.Glyph != "⎕NC" || !quoted || text.Value.Elem != array.Char || string(text.Value.Chars) != name {
		return false
	}
	k := n.Value.Int(0)
	return test.Glyph == "=" && k == 0 || test.Glyph == "≠" && k == 2
}

// names assigns an argument to a name, or to names in parentheses.
func (m maker) names(names []*apl.Name, list bool, y apl.Expr) apl.Stmt {
	if !list {
		return m.assign(names[0].Ident, y)
	}
	t := &apl.StrandTarget{At: m.at}
	for _, n := range names {
		t.Items = append(t.Items, &apl.NameTarget{At: m.at, Ident: n.Ident})
	}
	return &apl.ExprStmt{At: m.at, X: &apl.Assign{At: m.at, Target: t, Y: y}, Silent: true}
}

// list returns the value of a name, or of names in parentheses.
func (m maker) list(names []*apl.Name, list bool) apl.Expr {
	if !list || len(names) == 1 {
		return m.name(names[0].Ident)
	}
	s := &apl.Strand{At: m.at}
	for _, n := range names {
		s.Items = append(s.Items, m.name(n.Ident))
	}
	return s
}
