package infer

import (
	"fmt"
	"maps"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Foreseen is a call of a dfn, or of an operator with operands, that a program is sure
// to make with arguments of known types, if it gets there.
type Foreseen struct {
	Node        *apl.Dfn // nil for an operator
	Operator    *apl.Dop
	Operands    []ForeseenOperand
	Form        string      // ¨ where the dfn is applied to the items
	Left, Right *tail.Array // Left is nil for one argument
}

// ForeseenOperand is a dfn, a primitive function or a constant.
type ForeseenOperand struct {
	Dfn   *apl.Dfn
	Glyph string
	Value *array.Array
}

// ForeseenLoop is a loop of control words, with the types that variables have at the end
// of a turn.
type ForeseenLoop struct {
	Fn    *apl.Tradfn // whose body it stands in
	Loop  *apl.Control
	Items *tail.Array // of :For, else nil
	Types map[string]*tail.Array
}

// ForeseenStatement is a statement outside of functions, or in the body of one with a header but
// in no control structure, with those behind it.
type ForeseenStatement struct {
	Rest  []apl.Stmt
	Fn    *apl.Tradfn // or nil
	infer *infer
	names map[string]*binding // before it runs
}

// Known returns what is known of variables before a statement runs: constants, and the types of
// other arrays, nested ones included.
func (s *ForeseenStatement) Known() (values map[string]*array.Array, types map[string]tail.Type) {
	values, types = map[string]*array.Array{}, map[string]tail.Type{}
	for name, b := range s.names {
		if b.v == nil || b.poisoned {
			continue
		}
		if a := s.infer.valueOfVar(b.v); a != nil {
			values[name] = a
		} else if t := argumentType(b.v.Type); t != nil {
			types[name] = t
		}
	}
	return values, types
}

// Foresight is what is known of a program that has no types as a whole.
type Foresight struct {
	Body  []apl.Stmt // the statements that were looked at, in order
	Calls []Foreseen
	Loops []ForeseenLoop // in the order in which they end
	// Statements are in the order in which they stand.
	Statements []ForeseenStatement
	// Values are short constants by their names, and Types those of other variables.
	Values map[string]*array.Array
	Types  map[string]*tail.Array
	Errors diag.List // of the statements that have no types
	scope  *scope
	ends   map[int][]ForeseenLoop    // by the statements that stand before the end of a turn
	rests  map[int]ForeseenStatement // by statements
}

// Foresee looks for calls of dfns whose arguments have types. Statements without types
// are passed over, and those of control structures and of functions with headers are
// read as if they followed each other, those of loops twice. What it finds may be
// wrong: it is what is worth to be compiled ahead.
func Foresee(p *apl.Program) *Foresight {
	g := newInfer(p, Options{})
	f := &Foresight{Values: map[string]*array.Array{}, Types: map[string]*tail.Array{}, scope: g.scope, ends: map[int][]ForeseenLoop{}, rests: map[int]ForeseenStatement{}}
	f.straight(nil, p.Body, 0, len(p.Body))
	g.foresight = f
	g.block(func() tail.Expr {
		for i, s := range f.Body {
			f.turned(g, i)
			f.before(g, i)
			g.foreseen(s)
		}
		f.turned(g, len(f.Body))
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
	if call.of(c) && call.Right != nil && (x == nil || call.Left != nil) {
		g.foresight.Calls = append(g.foresight.Calls[:mark], call)
	}
	return e
}

// of notes the function that is called; false for one with operands of other forms.
func (call *Foreseen) of(c *closure) (ok bool) {
	if call.Node, ok = c.node.(*apl.Dfn); ok || c.operator == nil {
		return ok
	}
	call.Operator = c.operator.dop
	for _, o := range c.operands {
		var is ForeseenOperand
		switch f := o.fn.(type) {
		case nil:
			if o.lit == nil {
				return false
			}
			is.Value = o.lit.Value
		case *primitive:
			is.Glyph = f.glyph
		case *closure:
			if is.Dfn, ok = f.node.(*apl.Dfn); !ok || f.scope != c.scope {
				return false
			}
		default:
			return false
		}
		call.Operands = append(call.Operands, is)
	}
	return true
}

// distinct drops calls of one dfn for the same types.
func (f *Foresight) distinct() {
	seen := map[string]bool{}
	all := f.Calls
	f.Calls = nil
	for _, c := range all {
		key := fmt.Sprint(c.Form, c.Left, c.Right)
		if c.Operator != nil {
			key += fmt.Sprint(c.Operator.Span().Start)
			for _, o := range c.Operands {
				key += fmt.Sprint(o)
			}
		} else {
			key += fmt.Sprint(c.Node.Span().Start)
		}
		if !seen[key] {
			seen[key] = true
			f.Calls = append(f.Calls, c)
		}
	}
}

// maxStraight bounds the statements that are looked at.
const maxStraight = 10_000

// straight appends statements, those of a body from one place to another, without what decides
// whether, and how often, they run. They stand in fn, or outside of functions.
func (f *Foresight) straight(fn *apl.Tradfn, body []apl.Stmt, from, to int) {
	for i := from; i < to && len(f.Body) < maxStraight; i++ {
		s := body[i]
		if loose, ok := s.(*apl.Loose); ok {
			s = loose.Stmt
		}
		switch s := s.(type) {
		case *apl.Block:
			f.straight(s.Fn, s.Fn.Body, 0, len(s.Fn.Body))
		case *apl.Tradfn:
			f.straight(s, s.Body, 0, len(s.Body))
		case *apl.Control:
			f.control(s)
			if end := s.End(); s.Word.Loop() && end > s.Open() && end < to {
				f.straight(fn, body, i+1, end)
				f.straight(fn, body, i+1, end)
				f.ends[len(f.Body)] = append(f.ends[len(f.Body)], ForeseenLoop{Fn: fn, Loop: s})
				i = end - 1
			}
		case *apl.ExprStmt, *apl.FuncDef, *apl.OperatorDef:
			if fn == nil || fn.Enclosing(i) < 0 {
				f.rests[len(f.Body)] = ForeseenStatement{Rest: body[i:], Fn: fn}
			}
			f.Body = append(f.Body, s)
		}
	}
}

// maxStatements bounds the statements that are looked at for what is compiled ahead.
const maxStatements = 256

// before notes what is known of variables before a statement.
func (f *Foresight) before(g *infer, place int) {
	if s, ok := f.rests[place]; ok && len(f.Statements) < maxStatements {
		s.infer, s.names = g, maps.Clone(g.scope.names)
		f.Statements = append(f.Statements, s)
	}
}

// control appends the statements that a control word evaluates: for :For, that its name
// is an item.
func (f *Foresight) control(s *apl.Control) {
	if s.X == nil {
		return
	}
	at := apl.At{Where: s.Span()}
	add := func(x apl.Expr) { f.Body = append(f.Body, &apl.ExprStmt{At: at, X: x, Silent: true}) }
	if s.Word != apl.For || len(s.Names) != 1 || s.Each {
		add(s.X)
		return
	}
	assign := func(name string, y apl.Expr) {
		add(&apl.Assign{At: at, Target: &apl.NameTarget{At: at, Ident: name}, Y: y})
	}
	items := itemsName(s)
	assign(items, s.X)
	assign(s.Names[0].Ident, &apl.Monadic{At: at, F: &apl.Prim{At: at, Glyph: "⊃"}, Y: &apl.Var{At: at, Ident: items}})
}

// itemsName is the name that stands for the items of a :For.
func itemsName(s *apl.Control) string { return fmt.Sprintf("∆∆items%d", s.Span().Start) }

// turned notes the types of variables at the ends of turns.
func (f *Foresight) turned(g *infer, place int) {
	for _, l := range f.ends[place] {
		l.Types = map[string]*tail.Array{}
		for name := range l.names() {
			if _, b := g.scope.lookup(name); b != nil && b.v != nil && !b.poisoned {
				l.Types[name] = foreseenType(b.v.Type)
			}
		}
		if l.Loop.Word == apl.For {
			if l.Items = l.Types[itemsName(l.Loop)]; l.Items == nil {
				continue
			}
		}
		f.Loops = append(f.Loops, l)
	}
}

// names returns the names that the statements of a loop refer to.
func (l *ForeseenLoop) names() map[string]bool {
	all := map[string]bool{itemsName(l.Loop): true}
	add := func(n apl.Node) {
		names := apl.FreeNames(n)
		for _, name := range names.Locals {
			all[name] = true
		}
		for _, name := range names.Free {
			all[name.Ident] = true
		}
	}
	for _, s := range l.Fn.Body[l.Loop.Open() : l.Loop.End()+1] {
		if loose, ok := s.(*apl.Loose); ok {
			s = loose.Stmt
		}
		switch s := s.(type) {
		case *apl.ExprStmt:
			add(s)
		case *apl.Control:
			for _, n := range s.Names {
				all[n.Ident] = true
			}
			if s.X != nil {
				add(s.X)
			}
		}
	}
	return all
}
