package infer

import (
	"fmt"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Foreseen is a call of a dfn that a program is sure to make with arguments of known
// types, if it gets there.
type Foreseen struct {
	Node        *apl.Dfn
	Form        string      // ¨ where the dfn is applied to the items
	Left, Right *tail.Array // Left is nil for one argument
}

// Foresight is what is known of a program that has no types as a whole.
type Foresight struct {
	Body  []apl.Stmt // the statements that were looked at, in order
	Calls []Foreseen
	// Values are short constants by their names, and Types those of other variables.
	Values map[string]*array.Array
	Types  map[string]*tail.Array
	Errors diag.List // of the statements that have no types
	scope  *scope
}

// Foresee looks for calls of dfns whose arguments have types. Statements without types
// are passed over, and those of control structures and of functions with headers are
// read as if they followed each other, those of loops twice. What it finds may be
// wrong: it is what is worth to be compiled ahead.
func Foresee(p *apl.Program) *Foresight {
	g := newInfer(p, Options{})
	f := &Foresight{Values: map[string]*array.Array{}, Types: map[string]*tail.Array{}, scope: g.scope}
	straight(&f.Body, p.Body)
	g.foresight = f
	g.block(func() tail.Expr {
		for _, s := range f.Body {
			g.foreseen(s)
		}
		for name, b := range g.scope.names {
			f.variable(g, name, b)
		}
		return &tail.Tuple{}
	})
	f.distinct()
	return f
}

// foreseen infers a statement.
func (g *infer) foreseen(s apl.Stmt) {
	defer func() {
		if recover() != nil { // a part of a program that was never meant to be inferred
			g.poison(s)
		}
	}()
	g.topLevel(s)
	g.foresight.Errors = append(g.foresight.Errors, g.errs...)
	g.errs = nil
}

// variable notes what is known of a variable of the program.
func (f *Foresight) variable(g *infer, name string, b *binding) {
	if b.v == nil || b.poisoned {
		return
	}
	if a := g.valueOfVar(b.v); a != nil {
		f.Values[name] = a
	} else if t := foreseenType(b.v.Type); t != nil {
		f.Types[name] = t
	}
}

// foreseenType returns the element type and rank of an array, nil for others.
func foreseenType(t tail.Type) *tail.Array {
	a, ok := t.(*tail.Array)
	if !ok || a.ElemVar != "" || a.Elem == array.NoElem {
		return nil
	}
	if rank, ok := a.Rank.IsConst(); ok {
		return tail.Ranked(a.Elem, int(rank))
	}
	return nil
}

// met applies a function, and notes the call where it has a type and is looked for.
// The calls inside are part of it then.
func (g *infer) met(f function, form string, x, y tail.Expr, apply func() tail.Expr) tail.Expr {
	c, ok := f.(*closure)
	if !ok || g.foresight == nil || c.scope != g.foresight.scope {
		return apply()
	}
	mark := len(g.foresight.Calls)
	e := apply()
	call := Foreseen{Form: form, Right: foreseenType(y.Type())}
	if x != nil {
		call.Left = foreseenType(x.Type())
	}
	if call.Node, ok = c.node.(*apl.Dfn); ok && call.Right != nil && (x == nil || call.Left != nil) {
		g.foresight.Calls = append(g.foresight.Calls[:mark], call)
	}
	return e
}

// distinct drops calls of one dfn for the same types.
func (f *Foresight) distinct() {
	seen := map[string]bool{}
	all := f.Calls
	f.Calls = nil
	for _, c := range all {
		key := fmt.Sprint(c.Node.Span().Start, c.Form, c.Left, c.Right)
		if !seen[key] {
			seen[key] = true
			f.Calls = append(f.Calls, c)
		}
	}
}

// maxStraight bounds the statements that are looked at.
const maxStraight = 10_000

// straight appends statements without what decides whether, and how often, they run.
func straight(out *[]apl.Stmt, body []apl.Stmt) {
	for i := 0; i < len(body) && len(*out) < maxStraight; i++ {
		switch s := body[i].(type) {
		case *apl.Loose:
			straight(out, []apl.Stmt{s.Stmt})
		case *apl.Block:
			straight(out, s.Fn.Body)
		case *apl.Tradfn:
			straight(out, s.Body)
		case *apl.Control:
			straightControl(out, s)
			if s.Word.Loop() && s.End() > i {
				straight(out, body[i+1:s.End()])
			}
		case *apl.ExprStmt, *apl.FuncDef, *apl.OperatorDef:
			*out = append(*out, s)
		}
	}
}

// straightControl appends the statement that a control word evaluates: for :For, that
// its name is an item.
func straightControl(out *[]apl.Stmt, s *apl.Control) {
	if s.X == nil {
		return
	}
	at := apl.At{Where: s.Span()}
	x := s.X
	if s.Word == apl.For && len(s.Names) == 1 && !s.Each {
		first := &apl.Monadic{At: at, F: &apl.Prim{At: at, Glyph: "⊃"}, Y: s.X}
		x = &apl.Assign{At: at, Target: &apl.NameTarget{At: at, Ident: s.Names[0].Ident}, Y: first}
	}
	*out = append(*out, &apl.ExprStmt{At: at, X: x, Silent: true})
}
