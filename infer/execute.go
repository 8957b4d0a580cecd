package infer

import (
	"errors"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// monadicExecute is ⍎y. A constant text is an expression, read where it
// stands; another text spells a number, or, where a program has no types then, two
// numbers or more. The interpreter goes on where it spells something else.
func monadicExecute(g *infer, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if t.Elem != array.Char || t.Dims() > 1 {
		g.fail(diag.WrongDomain, s.fn, "⍎ of %s", describeType(t))
	}
	if a := g.value(y); a != nil {
		return g.execute(string(a.Chars), s)
	}
	if l, ok := y.(*tail.Lit); ok {
		return g.execute(string(l.Value.Chars), s)
	}
	if a, ok := y.(*tail.Apply); ok && (a.Op == tail.OpCat || a.Op == tail.OpCons || a.Op == tail.OpSnoc) {
		g.refuse(diag.NotCompiled, "⍎", "of a text that is put together", s)
	}
	if g.blamed == nil {
		if g.several {
			return g.fromPrelude(g.preludeClosure("severalnumbers"), nil, g.ravel(y, s), s)
		}
		g.spelt = s.span()
	}
	return g.op(tail.OpParseNumber, s, g.ravel(y, s))
}

// execute is the value of an expression in the current scope, the last of
// several statements; the values of those before it are displayed.
func (g *infer) execute(text string, s site) tail.Expr {
	body := g.parsed(text, s)
	if len(body) == 0 {
		g.fail(diag.NoResult, s.fn, "⍎ of a text without an expression has no result")
	}
	last := len(body) - 1
	for i, b := range body {
		x, ok := b.(*apl.ExprStmt)
		if !ok {
			g.fail(diag.NotCompiled, s.fn, "⍎ of a definition")
		}
		if i == last {
			break
		}
		g.statement(x)
	}
	x := body[last].(*apl.ExprStmt)
	if x.Silent && last == 0 {
		g.fail(diag.NotCompiled, s.fn, "⍎ of an assignment")
	}
	return g.eval(x.X)
}

// parsed returns the statements of a text. In a dfn they may mention its
// arguments: the text is read as the body of one.
func (g *infer) parsed(text string, s site) []apl.Stmt {
	_, argument := g.scope.lookup("⍵")
	if argument != nil {
		text = "⍙←{" + text + "}"
	}
	p, err := apl.ParseWith(diag.NewSource("⍎", text), g.scope.classes())
	if err != nil {
		panic(unwound{err: g.inExecute(err, s)})
	}
	if argument == nil {
		return p.Body
	}
	f, ok := p.Body[0].(*apl.FuncDef)
	if !ok || len(p.Body) != 1 {
		g.fail(diag.OperatorForm, s.fn, "⍎ of an operator")
	}
	dfn, ok := f.F.(*apl.Dfn)
	if !ok {
		g.fail(diag.NotCompiled, s.fn, "⍎ of several dfns")
	}
	return dfn.Body
}

// inExecute places the first error of an executed text at ⍎.
func (g *infer) inExecute(err error, s site) *diag.Error {
	var list diag.List
	if !errors.As(err, &list) || len(list) == 0 {
		return diag.Errorf(diag.Unreadable, s.fn, "%v", err)
	}
	e := diag.Errorf(list[0].Code, s.fn, "in ⍎: %s", list[0].Message)
	e.Notes = append(e.Notes, diag.Note{Span: list[0].Span, Message: "here"})
	return e
}

// classes returns the classes of all names that can be seen in a scope.
func (s *scope) classes() map[string]apl.Class {
	all := map[string]apl.Class{}
	for ; s != nil; s = s.parent {
		for name, b := range s.names {
			if _, inner := all[name]; inner || b.poisoned {
				continue
			}
			switch op := b.op.(type) {
			case nil:
				all[name] = apl.ArrayClass
				if b.fn != nil {
					all[name] = apl.FunctionClass
				}
			case *userOperator:
				all[name] = apl.MonadicOperator
				if op.dop.DyadicOperator {
					all[name] = apl.DyadicOperator
				}
			}
		}
	}
	return all
}
