package infer

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// function is a function as the compiler knows it. Equal identities mean equal
// functions.
type function interface{ identity(g *infer) string }

type (
	// primitive is a glyph or a system function.
	primitive struct {
		glyph string
		at    diag.Span
	}
	// closure is a dfn, or a user operator with its operands, and the scope
	// that it was written in.
	closure struct {
		node      apl.Node // the Dfn or Dop
		body      []apl.Stmt
		scope     *scope
		name      string // "" for one written where it is used
		recursive bool
		operands  []operand // of a user operator: ⍺⍺, ⍵⍵
		operator  *userOperator
		sig       *signature // of its annotation, or nil
		shows     bool       // it displays its result, unless that is shy, and returns 0
		safe      bool       // a definition of the prelude that only faults by ⎕SIGNAL
	}
	// derived is a primitive operator with its operands.
	derived struct {
		op          string
		left, right operand
		at          diag.Span // of the operator
		weight      int       // how many functions it is made of
	}
	// fork is `f g h`; f may be an array. atop is `f g`.
	fork struct {
		f    operand
		g, h function
		at   diag.Span
	}
	atop struct {
		f, g function
		at   diag.Span
	}
	// axis is `f[k]`.
	axis struct {
		f  function
		k  operand
		at diag.Span
	}
)

// operand is a function, a constant, or a variable under a hidden name.
type operand struct {
	fn    function
	lit   *tail.Lit
	scope *scope
	name  string
	at    diag.Span
}

func (o operand) given() bool { return o.fn != nil || o.lit != nil || o.scope != nil }

// array returns the value of an array operand.
func (g *infer) array(o operand) tail.Expr {
	if o.lit != nil {
		return o.lit
	}
	if o.scope == nil {
		g.fail(diag.WrongOperand, o.at, "a function where an array operand is needed")
	}
	return g.use(o.scope, o.scope, o.name, o.at)
}

func (o operand) identity(g *infer) string {
	switch {
	case o.fn != nil:
		return o.fn.identity(g)
	case o.lit != nil:
		return valueKey(o.lit.Value)
	case o.scope != nil:
		return fmt.Sprintf("%s@%d", o.name, g.identity(o.scope))
	}
	return ""
}

// valueKey is a text that equal constants share.
func valueKey(a *array.Array) string {
	return fmt.Sprint(a.Elem, a.Shape, a.Bools, a.Ints, a.Doubles, a.Chars, a.Complexes)
}

func (p *primitive) identity(*infer) string { return p.glyph }

func (c *closure) identity(g *infer) string {
	id := fmt.Sprintf("{%p@%d", c.node, g.identity(c.scope))
	if c.shows {
		id += "⎕"
	}
	for _, o := range c.operands {
		id += " " + o.identity(g)
	}
	return id + "}"
}

// maxWeight is the number of functions that one may be composed of.
const maxWeight = 2000

// weight returns how many functions f is composed of by operators.
func weight(f function) int {
	if d, ok := f.(*derived); ok {
		return d.weight
	}
	return 1
}

func (d *derived) identity(g *infer) string {
	return "(" + d.left.identity(g) + " " + d.op + " " + d.right.identity(g) + ")"
}
func (f *fork) identity(g *infer) string {
	return "(" + f.f.identity(g) + " " + f.g.identity(g) + " " + f.h.identity(g) + ")"
}
func (f *atop) identity(g *infer) string {
	return "(" + f.f.identity(g) + " " + f.g.identity(g) + ")"
}
func (f *axis) identity(g *infer) string {
	return f.f.identity(g) + "[" + f.k.identity(g) + "]"
}

// operatorValue is an operator as the compiler knows it.
type operatorValue interface{ operatorValue() }

type primitiveOperator struct {
	glyph string
	at    diag.Span
}

// userOperator is a dop and the scope that it was written in.
type userOperator struct {
	dop   *apl.Dop
	scope *scope
	name  string
	sig   *signature // of its annotation, or nil
}

func (*primitiveOperator) operatorValue() {}
func (*userOperator) operatorValue()      {}

// function resolves a function expression in the current scope. Array operands
// are evaluated.
func (g *infer) function(f apl.Func) function {
	switch f := f.(type) {
	case *apl.Prim:
		return &primitive{glyph: f.Glyph, at: f.Span()}
	case *apl.FuncName:
		return g.functionName(f)
	case *apl.Dfn:
		c := g.made(&closure{node: f, body: f.Body, scope: g.scope, recursive: f.Recursive})
		if f.Note != nil && g.defining != f {
			g.annotated(c, f, "{…}", nil)
		}
		return c
	case *apl.ParenFunc:
		return g.function(f.F)
	case *apl.FuncAssign:
		g.fail(diag.NotCompiled, f.Span(), "a function is assigned inside an expression")
	case *apl.Derived:
		return g.derive(f)
	case *apl.Fork:
		h := g.function(f.H)
		mid := g.function(f.G)
		return &fork{f: g.operand(f.F), g: mid, h: h, at: f.Span()}
	case *apl.Atop:
		right := g.function(f.G)
		return &atop{f: g.function(f.F), g: right, at: f.Span()}
	case *apl.Axis:
		k := g.operand(apl.Operand{Array: f.Axis})
		return &axis{f: g.function(f.F), k: k, at: f.Span()}
	}
	panic("internal error: unknown function")
}

func (g *infer) functionName(f *apl.FuncName) function {
	s, b := g.find(f.Ident, f.Span())
	if b.fn == nil {
		g.fail(diag.WrongClass, f.Span(), "%s is not a function", f.Ident)
	}
	g.dependOn(g.scope, s, f.Ident, b)
	return b.fn
}

func (g *infer) derive(f *apl.Derived) function {
	op := g.operator(f.Op)
	var right operand
	if f.Right.Func != nil || f.Right.Array != nil {
		right = g.operand(f.Right)
	}
	left := g.operand(f.Left)
	switch op := op.(type) {
	case *primitiveOperator:
		d := &derived{op: op.glyph, left: left, right: right, at: f.Op.Span()}
		if d.weight = 1 + weight(left.fn) + weight(right.fn); d.weight > maxWeight {
			g.fail(diag.AtLimit, d.at, "a function that is composed of more than %d functions", maxWeight)
		}
		return d
	case *userOperator:
		dop := g.reading(op.dop, left, right)
		c := g.made(&closure{node: dop, body: dop.Body, scope: op.scope, name: op.name,
			recursive: dop.Recursive, operands: []operand{left}, operator: op})
		if right.given() {
			c.operands = append(c.operands, right)
		}
		return c
	}
	panic("internal error: unknown operator")
}

// reading returns the body of an operator as it is read for operands of the
// classes given.
func (g *infer) reading(d *apl.Dop, left, right operand) *apl.Dop {
	key := readingKey{d, left.fn == nil, right.given() && right.fn == nil}
	if r, ok := g.readings[key]; ok {
		return r
	}
	r, err := d.Reading(key.left, key.right)
	if err != nil {
		if list, ok := err.(diag.List); ok && len(list) > 0 {
			panic(unwound{err: list[0]})
		}
		g.fail(diag.Unreadable, d.Span(), "%v", err)
	}
	g.readings[key] = r
	return r
}

// readingKey is an operator and whether its operands are arrays.
type readingKey struct {
	dop         *apl.Dop
	left, right bool
}

// operator resolves an operator expression in the current scope.
func (g *infer) operator(o apl.Operator) operatorValue {
	switch o := o.(type) {
	case *apl.PrimOp:
		return &primitiveOperator{glyph: o.Glyph, at: o.Span()}
	case *apl.Dop:
		op := &userOperator{dop: o, scope: g.scope}
		if o.Note != nil && g.definingOp != o {
			g.annotatedOperator(op, "{…}", nil)
		}
		return op
	case *apl.OpName:
		s, b := g.find(o.Ident, o.Span())
		if b.op == nil {
			g.fail(diag.WrongClass, o.Span(), "%s is not an operator", o.Ident)
		}
		g.dependOn(g.scope, s, o.Ident, b)
		return b.op
	}
	g.fail(diag.OperatorForm, o.Span(), "this operator")
	return nil
}

// operand resolves an operand: whether a name stands for a function or an
// array is known only now.
func (g *infer) operand(o apl.Operand) operand {
	if n, ok := o.Func.(*apl.FuncName); ok {
		if s, b := g.find(n.Ident, n.Span()); b.v != nil {
			return g.variableOperand(s, n.Ident, b, n.Span())
		}
	}
	if o.Func != nil {
		return operand{fn: g.function(o.Func), at: o.Func.Span()}
	}
	x := o.Array
	for {
		p, ok := x.(*apl.Paren)
		if !ok {
			break
		}
		x = p.X
	}
	if v, ok := x.(*apl.Var); ok {
		if s, b := g.scope.lookup(v.Ident); b != nil {
			if b.fn != nil {
				g.dependOn(g.scope, s, v.Ident, b)
				return operand{fn: b.fn, at: v.Span()}
			}
		}
	}
	e := g.eval(o.Array)
	if l := literal(e); l != nil {
		return operand{lit: l, at: o.Array.Span()}
	}
	name := g.hidden()
	g.bindVar(name, e)
	return operand{scope: g.scope, name: name, at: o.Array.Span()}
}

func (g *infer) variableOperand(s *scope, name string, b *binding, at diag.Span) operand {
	if b.lit != nil {
		return operand{lit: b.lit, at: at}
	}
	hidden := g.hidden()
	g.bindVar(hidden, g.use(g.scope, s, name, at))
	return operand{scope: g.scope, name: hidden, at: at}
}

// describe returns the source text of a function for messages.
func describe(at diag.Span) string {
	text, _, more := strings.Cut(at.Text(), "\n")
	if more {
		text += "…"
	}
	return text
}
