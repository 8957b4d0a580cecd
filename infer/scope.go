package infer

import (
	"fmt"
	"slices"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// scope maps the names of the program, or of one activation of a dfn, to what
// they are bound to now.
type scope struct {
	parent *scope
	frame  *frame
	names  map[string]*binding
	serial int // identity, made on demand
	call   diag.Span
	block  int  // the block that the current statement adds its lets to
	shows  bool // the dfn displays its result, unless that is shy, and returns 0
}

// binding is what a name stands for: a variable, a function, or an operator.
type binding struct {
	v        *tail.Var
	lit      *tail.Lit // the value of v, when it is a constant
	fn       function
	op       operatorValue
	poisoned bool // its definition had an error
	// frame is the function that v is a variable of, where that is not the one
	// that the scope belongs to: a recursive function that changes it.
	frame *frame
}

// frameIn returns the function that the variable of a binding in s belongs to.
func (b *binding) frameIn(s *scope) *frame {
	if b.frame != nil {
		return b.frame
	}
	return s.frame
}

// frame is a function under construction: the variables that it captures from
// outer scopes become parameters.
type frame struct {
	caller   *frame
	inst     *instance
	shape    *generaliser
	captures []capture
	places   map[mention]int // of the captures
}

// mention is a name in a scope.
type mention struct {
	scope *scope
	name  string
}

// capture is a name of an outer scope that a function, or a function that it
// calls, mentions.
type capture struct {
	scope *scope
	name  string
	param *tail.Var // nil for functions, operators and constants
	what  *binding  // for those, what the name was bound to
	// from are the scopes outside of the function that the name was looked up
	// from: an assignment to a nearer variable of the name changes its meaning.
	from []*scope
}

// leads reports whether the name still means that of the captured scope.
func (c *capture) leads() bool {
	for _, s := range c.from {
		if owner, _ := s.lookup(c.name); owner != c.scope {
			return false
		}
	}
	return true
}

// lookup finds the innermost scope that binds a name. ⍺ is that of the
// innermost dfn, which has none where it is called with one argument.
func (s *scope) lookup(name string) (*scope, *binding) {
	for ; s != nil; s = s.parent {
		if b, ok := s.names[name]; ok {
			return s, b
		}
		if name == "⍺" && s.names["⍵"] != nil {
			break
		}
	}
	return nil, nil
}

// find returns the binding of a name, or reports that it has none.
func (g *infer) find(name string, at diag.Span) (*scope, *binding) {
	s, b := g.scope.lookup(name)
	if b == nil {
		switch name {
		case "⍺":
			for c := g.scope; c != nil; c = c.parent {
				if c.call.Valid() && c.names["⍵"] != nil {
					e := diag.Errorf(diag.MissingLeft, c.call, "the function needs a left argument")
					e.Notes = append(e.Notes, diag.Note{Span: at, Message: "⍺ is used here"})
					panic(unwound{err: e})
				}
			}
			g.fail(diag.NoValue, at, "⍺ has no value here")
		case "⍵", "∇", "⍺⍺", "⍵⍵", "∇∇":
			g.fail(diag.NoValue, at, "%s has no value here", name)
		}
		g.fail(diag.UnknownName, at, "%s is not defined", name)
	}
	if b.poisoned {
		g.fail(diag.MissingValue, at, "")
	}
	return s, b
}

// use returns the value of the variable that name is bound to in s, captured
// where s belongs to an outer function. The name was looked up from the scope
// from.
func (g *infer) use(from, s *scope, name string, at diag.Span) tail.Expr {
	return g.useIn(g.frame, from, s, name, at)
}

func (g *infer) useIn(f *frame, from, s *scope, name string, at diag.Span) tail.Expr {
	b := s.names[name]
	if b.v == nil {
		g.fail(diag.WrongClass, at, "%s is not an array", name)
	}
	if b.frameIn(s) == f {
		return &tail.Ref{At: tail.At{Where: at}, Var: b.v}
	}
	if f.caller == nil && b.lit == nil {
		panic("internal error: " + name + " belongs to no enclosing function")
	}
	if b.lit != nil && b.lit.Value.Len() <= tail.MaxValues {
		g.dependOn(from, s, name, b)
		return &tail.Lit{At: tail.At{Where: at}, Value: b.lit.Value, Ty: b.lit.Ty}
	}
	if c := f.captured(from, s, name); c != nil {
		return &tail.Ref{At: tail.At{Where: at}, Var: c.param}
	}
	actual := g.useIn(f.caller, from, s, name, at)
	param := &tail.Var{Name: plainName(name), Type: f.shape.generalise(actual.Type()), Size: paramOrigin(name, "", actual.Type())}
	param.Size.From(diag.Span{}, actual)
	f.capture(capture{scope: s, name: name, param: param, from: []*scope{f.outside(from, s)}})
	return &tail.Ref{At: tail.At{Where: at}, Var: param}
}

// dependOn notes that the current function, and those that call it, depend on
// what name is bound to in s: a function, an operator or a constant. A function
// that has captured the name from the same scope has told its callers.
func (g *infer) dependOn(from, s *scope, name string, b *binding) {
	for f := g.frame; f != nil && f != b.frameIn(s); f = f.caller {
		out := f.outside(from, s)
		c := f.find(s, name)
		switch {
		case c == nil:
			f.capture(capture{scope: s, name: name, what: b, from: []*scope{out}})
		case slices.Contains(c.from, out):
			return
		default:
			c.from = append(c.from, out)
		}
	}
}

// capture adds a name that f has not captured.
func (f *frame) capture(c capture) {
	if f.places == nil {
		f.places = map[mention]int{}
	}
	f.places[mention{c.scope, c.name}] = len(f.captures)
	f.captures = append(f.captures, c)
}

// find returns what f has captured of a name, nil where it is new.
func (f *frame) find(s *scope, name string) *capture {
	i, ok := f.places[mention{s, name}]
	if !ok {
		return nil
	}
	return &f.captures[i]
}

// captured is find for a name that is looked up from a scope.
func (f *frame) captured(from, s *scope, name string) *capture {
	c := f.find(s, name)
	if c == nil {
		return nil
	}
	if out := f.outside(from, s); !slices.Contains(c.from, out) {
		c.from = append(c.from, out)
	}
	return c
}

// outside returns the first scope of those from from to to that does not
// belong to a function, or to one that it calls.
func (f *frame) outside(from, to *scope) *scope {
	for from != to && from.frame.within(f) {
		from = from.parent
	}
	return from
}

// within reports whether f is a function, or one that it calls.
func (f *frame) within(outer *frame) bool {
	for ; f != nil; f = f.caller {
		if f == outer {
			return true
		}
	}
	return false
}

// plainName returns a name for a variable of TAIL.
func plainName(name string) string {
	switch name {
	case "⍵":
		return "w"
	case "⍺":
		return "a"
	}
	for i, r := range name {
		if r == '⍺' || r == '⍵' || r == '#' {
			if i == 0 {
				return "v"
			}
			return name[:i]
		}
	}
	return name
}

// hidden returns a name that no program can write.
func (g *infer) hidden() string {
	g.serial++
	return fmt.Sprintf("#%d", g.serial)
}

// identity returns a number for a scope.
func (g *infer) identity(s *scope) int {
	if s.serial == 0 {
		g.serial++
		s.serial = g.serial
	}
	return s.serial
}

// within runs f with another innermost scope.
func (g *infer) within(s *scope, f func()) {
	saved := g.scope
	g.scope = s
	f()
	g.scope = saved
}

// rebind binds a name to a new value in the scope that it belongs to.
func (g *infer) rebind(name string, at diag.Span, e tail.Expr) {
	s, _ := g.find(name, at)
	g.within(s, func() { g.bindVar(name, e) })
}

// bindVar binds a name in the current scope to a new variable with value e.
func (g *infer) bindVar(name string, e tail.Expr) tail.Expr {
	v := g.bind(plainName(name), e)
	b := &binding{v: v}
	if g.frame != g.scope.frame {
		b.frame = g.frame
	}
	if l, ok := e.(*tail.Lit); ok {
		b.lit = l
	}
	if g.scope.names[name] != nil {
		g.again(name)
	}
	g.scope.names[name] = b
	return &tail.Ref{At: tail.At{Where: e.Span()}, Var: v}
}
