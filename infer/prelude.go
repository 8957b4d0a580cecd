package infer

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/prelude"
	"github.com/tailor-lang/tailor/tail"
)

// blame is where faults are reported while a definition of the prelude is
// expanded, and the index origin of the program, which the prelude does not
// share.
type blame struct {
	site   site
	origin int
}

// preludeClosure is the closure of a definition of the prelude.
func (g *infer) preludeClosure(name string, operands ...operand) *closure {
	if g.prelude == nil {
		g.prelude = &scope{frame: g.root, names: map[string]*binding{}}
		saved := g.scope
		g.scope = g.prelude
		for _, s := range prelude.Program().Body {
			g.define(s)
		}
		g.scope = saved
	}
	b := g.prelude.names[name]
	if b == nil {
		panic("internal error: the prelude does not define " + name)
	}
	if b.fn != nil {
		c := *b.fn.(*closure)
		c.name, c.safe = "", safeDefinitions[name]
		return &c
	}
	u := b.op.(*userOperator)
	var right operand
	if len(operands) > 1 {
		right = operands[1]
	}
	dop := g.reading(u.dop, operands[0], right)
	return g.made(&closure{node: dop, body: dop.Body, scope: u.scope, operands: operands, operator: u, safe: safeDefinitions[name]})
}

// fromPrelude applies a definition of the prelude, in place unless it has a name; x
// is nil for one argument.
func (g *infer) fromPrelude(c *closure, x, y tail.Expr, s site) tail.Expr {
	if g.blamed == nil {
		g.blamed = &blame{s, g.origin}
		defer func() { g.blamed = nil }()
	}
	saved, safely := g.origin, g.safely
	g.origin, g.safely = 1, g.safely || c.safe
	defer func() { g.origin, g.safely = saved, safely }()
	if c.name != "" {
		return g.apply(c, x, y, s)
	}
	return g.expand(c, x, y, s)
}

// outside ends the expansion of the prelude for a function of the program that
// it calls; the result resumes it.
func (g *infer) outside(c *closure) func() {
	if g.blamed == nil || prelude.Has(c.node.Span()) {
		return func() {}
	}
	saved, origin := g.blamed, g.origin
	g.blamed, g.origin = nil, saved.origin
	return func() { g.blamed, g.origin = saved, origin }
}

// countOf returns the number of elements of a scalar or a vector.
func countOf(t *tail.Array) tail.Size {
	if t.Dims() == 0 {
		return tail.ConstSize(1)
	}
	return t.Extent(0)
}

// maxSplit is the number of rows that ↓ takes apart.
const maxSplit = 100

// split is ↓y of a matrix with a known number of rows: the tuple of its rows.
func split(g *infer, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	if t.Dims() < 2 {
		if t.Dims() == 0 {
			return y
		}
		return monadicEnclose(g, y, s)
	}
	n, _ := t.Extent(0).IsConst()
	if t.Dims() > 2 {
		if e := g.enclosedCells(y, 1, s); e != nil {
			return e
		}
	}
	if !g.splits(t) && t.Dims() == 2 {
		return g.raggedRows(y, s)
	}
	if !g.splits(t) {
		g.refuse(diag.NotCompiled, "↓", "with one argument", s)
	}
	y = g.name(y)
	rows := &tail.Tuple{At: tail.At{Where: s.span()}}
	for i := range n {
		items := []tail.Expr{lit(s.fn, array.ScalarInt(i+1)), nil}
		rows.Elems = append(rows.Elems, g.op(tail.OpIndex, s, append([]tail.Expr{y}, g.rawArgs(items, s)...)...))
	}
	return rows
}

// nest is ⊆y: a simple array that is no scalar is enclosed.
func nest(g *infer, y tail.Expr, s site) tail.Expr {
	if isTuple(y) && depthOf(y.Type()) != 1 {
		return y
	}
	return monadicEnclose(g, y, s)
}

// isDfn reports whether f is written as a dfn, or a user operator with
// operands, that a definition gives its name to.
func isDfn(f apl.Func) bool {
	switch f := f.(type) {
	case *apl.Dfn:
		return true
	case *apl.Derived:
		return true
	case *apl.ParenFunc:
		return isDfn(f.F)
	}
	return false
}
