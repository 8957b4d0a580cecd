package structured

import (
	"fmt"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
)

// hidden is the beginning of names that no program has.
const hidden = "∆∆"

// rest is the name of what means nothing at the end of a strand.
const rest = hidden + "z"

// maker makes nodes that stand for a place of the text.
type maker struct{ at apl.At }

// placed returns the maker of nodes for the control word of an item.
func placed(n apl.Node) maker {
	at := n.Span()
	if c, ok := n.(*apl.Control); ok {
		at.End = min(at.End, at.Start+len(c.Word.String()))
	}
	return maker{apl.At{Where: at}}
}

func (m maker) name(ident string) apl.Expr { return &apl.Var{At: m.at, Ident: ident} }

func (m maker) number(n int64) apl.Expr {
	return &apl.Literal{At: m.at, Value: array.ScalarInt(n)}
}

func (m maker) zilde() apl.Expr { return &apl.Literal{At: m.at, Value: array.New(array.Int, 0)} }

// strand returns names and more items, with ⍬ behind them.
func (m maker) strand(names []string, more ...apl.Expr) apl.Expr {
	var items []apl.Expr
	for _, name := range names {
		items = append(items, m.name(name))
	}
	if items = append(items, more...); len(items) == 0 {
		return m.zilde()
	}
	return &apl.Strand{At: m.at, Items: append(items, m.zilde())}
}

// unpack assigns what strand returns.
func (m maker) unpack(names []string, y apl.Expr) apl.Stmt {
	if len(names) == 0 {
		return m.assign(rest, y)
	}
	t := &apl.StrandTarget{At: m.at}
	for _, name := range append(names[:len(names):len(names)], rest) {
		t.Items = append(t.Items, &apl.NameTarget{At: m.at, Ident: name})
	}
	return &apl.ExprStmt{At: m.at, X: &apl.Assign{At: m.at, Target: t, Y: y}, Silent: true}
}

func (m maker) assign(name string, y apl.Expr) apl.Stmt { return m.result(m.assigned(name, y)) }

func (m maker) assigned(name string, y apl.Expr) apl.Expr {
	return &apl.Assign{At: m.at, Target: &apl.NameTarget{At: m.at, Ident: name}, Y: y}
}

// assignOuter assigns the value of a name to one from outside.
func (m maker) assignOuter(name, value string) apl.Stmt {
	t := &apl.NameTarget{At: m.at, Ident: name}
	return m.result(&apl.Assign{At: m.at, Target: t, F: &apl.Prim{At: m.at, Glyph: "⊢"}, Y: m.name(value)})
}

// result is a statement that a dfn ends with, unless it is an assignment.
func (m maker) result(x apl.Expr) apl.Stmt {
	_, silent := x.(*apl.Assign)
	return &apl.ExprStmt{At: m.at, X: x, Silent: silent}
}

func (m maker) guard(cond, result apl.Expr) apl.Stmt {
	return &apl.Guard{At: m.at, Cond: cond, Result: result}
}

func (m maker) monadic(glyph string, y apl.Expr) apl.Expr {
	return &apl.Monadic{At: m.at, F: &apl.Prim{At: m.at, Glyph: glyph}, Y: y}
}

func (m maker) dyadic(x apl.Expr, glyph string, y apl.Expr) apl.Expr {
	return &apl.Dyadic{At: m.at, X: x, F: &apl.Prim{At: m.at, Glyph: glyph}, Y: y}
}

// fold returns the reduction of a value by a primitive.
func (m maker) fold(glyph string, y apl.Expr) apl.Expr {
	f := apl.Operand{Func: &apl.Prim{At: m.at, Glyph: glyph}}
	return &apl.Monadic{At: m.at, F: &apl.Derived{At: m.at, Op: &apl.PrimOp{At: m.at, Glyph: "/"}, Left: f}, Y: y}
}

// dfn returns a function of ⍵, or of ⍺ and ⍵.
func (m maker) dfn(dyadic bool, body ...apl.Stmt) *apl.Dfn { return apl.NewDfn(m.at, body, dyadic) }

// value returns what a dfn without arguments gives.
func (m maker) value(body ...apl.Stmt) apl.Expr {
	return &apl.Monadic{At: m.at, F: m.dfn(false, body...), Y: m.number(0)}
}

// power returns f⍣right⊢y.
func (m maker) power(f *apl.Dfn, right apl.Operand, y apl.Expr) apl.Expr {
	d := &apl.Derived{At: m.at, Op: &apl.PrimOp{At: m.at, Glyph: "⍣"}, Left: apl.Operand{Func: f}, Right: right}
	return &apl.Monadic{At: m.at, F: d, Y: y}
}

// truth returns 1 where a condition holds, else 0, and says so for conditions that are
// joined: x; x and y; x or y.
func (m maker) truth(conditions []test, of func(test) apl.Expr) apl.Expr {
	is := func(x apl.Expr, yes, no apl.Expr) apl.Expr { return m.value(m.guard(x, yes), m.result(no)) }
	r := is(of(conditions[0]), m.number(1), m.number(0))
	for _, t := range conditions[1:] {
		next := is(of(t), m.number(1), m.number(0))
		if t.word.Word == apl.AndIf {
			r = is(r, next, m.number(0))
		} else {
			r = is(r, m.number(1), next)
		}
	}
	return r
}

// hiddenName returns a name that is used once.
func hiddenName(kind string, n int) string { return fmt.Sprintf("%s%s%d", hidden, kind, n) }
