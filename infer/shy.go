package infer

import "github.com/tailor-lang/tailor/apl"

// shy reports whether the value of an expression is not displayed when it is a
// statement: what dfns return that end with an assignment, and what ⎕NPUT,
// ⎕NPY and ⎕CSV return when they write.
func (g *infer) shy(x apl.Expr) bool {
	switch x := x.(type) {
	case *apl.Monadic:
		return g.shyFunc(x.F)
	case *apl.Dyadic:
		p, ok := x.F.(*apl.Prim)
		if !ok {
			return g.shyFunc(x.F)
		}
		if p.Glyph == "⎕CSV" {
			l, ok := x.Y.(*apl.Literal)
			return !ok || l.Value.Len() > 0
		}
		return p.Glyph == "⎕NPUT" || p.Glyph == "⎕NPY"
	}
	return false
}

// shyFunc reports whether f is a dfn whose results are all assigned.
func (g *infer) shyFunc(f apl.Func) bool {
	if name, ok := f.(*apl.FuncName); ok {
		_, b := g.scope.lookup(name.Ident)
		if b == nil {
			return false
		}
		c, ok := b.fn.(*closure)
		if !ok {
			return false
		}
		d, ok := c.node.(*apl.Dfn)
		return ok && shyBody(d.Body)
	}
	d, ok := f.(*apl.Dfn)
	return ok && shyBody(d.Body)
}

func shyBody(body []apl.Stmt) bool {
	for i, s := range body {
		switch s := s.(type) {
		case *apl.Guard:
			if !s.Silent {
				return false
			}
		case *apl.ExprStmt:
			if !s.Silent {
				return false
			}
			if i == len(body)-1 {
				return true
			}
		}
	}
	return false
}
