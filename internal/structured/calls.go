package structured

import "github.com/tailor-lang/tailor/apl"

// calls are the functions with headers whose calls, as statements, display nothing: whether
// a function takes no argument, by name.
type calls map[string]bool

// procedures finds them. Functions without a result are called by statements only.
func (c *converter) procedures() {
	c.calls = calls{}
	without := set{}
	for _, s := range c.body {
		if t, ok := s.(*apl.Tradfn); ok && (len(t.Header.Result) == 0 || t.Header.Shy) {
			c.calls[t.Header.Name.Ident] = len(t.Header.Right) == 0
			if len(t.Header.Result) == 0 {
				without[t.Header.Name.Ident] = true
			}
		}
	}
	if len(without) == 0 {
		return
	}
	uses := 0
	visit(c.body, func(n apl.Node) {
		switch n := n.(type) {
		case *apl.Var:
			if without[n.Ident] {
				uses++
			}
		case *apl.FuncName:
			if without[n.Ident] {
				uses++
			}
		case *apl.ExprStmt:
			if name, _ := c.calls.stated(n.X); without[name] && !n.Silent {
				uses--
			}
		}
	})
	c.bad = c.bad || uses != 0
}

// of returns the name of the function that an expression calls, and whether without an
// argument; none for others.
func (c calls) of(x apl.Expr) (name string, niladic bool) {
	var f apl.Func
	switch x := x.(type) {
	case *apl.Var:
		return x.Ident, c[x.Ident]
	case *apl.Monadic:
		f = x.F
	case *apl.Dyadic:
		f = x.F
	}
	if n, ok := f.(*apl.FuncName); ok {
		return n.Ident, false
	}
	return "", false
}

// stated is of for a statement, which may call a function for each item: f¨x.
func (c calls) stated(x apl.Expr) (name string, niladic bool) {
	var f apl.Func
	switch x := x.(type) {
	case *apl.Monadic:
		f = x.F
	case *apl.Dyadic:
		f = x.F
	}
	if d, ok := f.(*apl.Derived); ok {
		n, named := d.Left.Func.(*apl.FuncName)
		if each, ok := d.Op.(*apl.PrimOp); ok && named && each.Glyph == "¨" {
			return n.Ident, false
		}
	}
	return c.of(x)
}

// statement returns a call that displays nothing as an assignment; other statements as
// they are.
func (c calls) statement(s apl.Stmt) apl.Stmt {
	x, ok := s.(*apl.ExprStmt)
	if !ok || x.Silent {
		return s
	}
	name, niladic := c.stated(x.X)
	if _, is := c[name]; !is {
		return s
	}
	m, call := maker{x.At}, x.X
	if niladic {
		call = &apl.Monadic{At: x.At, F: &apl.FuncName{At: x.At, Ident: name}, Y: m.number(0)}
	}
	return m.assign(rest, call)
}
