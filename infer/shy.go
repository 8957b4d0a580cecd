package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
)

// Results that are not displayed when they are the value of a statement. What
// a dfn returns is shy where the statement that it ends with is an assignment,
// or applies a function whose result is shy. Operators whose derived function
// ends with a call of their operand pass that on.

// shyness is the set of ways in which an expression may end.
type shyness uint8

const (
	explicit shyness = 1 << iota // with a value that is displayed
	shy                          // with a value that is not
	nothing                      // without a value
)

// shyWalk collects the ways in which an expression may end.
type shyWalk struct {
	seen map[apl.Node]bool
	open []apl.Node // the bodies that are being walked, each inside of the one before
}

// inside returns a walk of its own, for which only the bodies around it are seen.
func (w *shyWalk) inside() *shyWalk {
	in := &shyWalk{seen: map[apl.Node]bool{}, open: slices.Clip(w.open)}
	for _, node := range w.open {
		in.seen[node] = true
	}
	return in
}

// shyPlace is the body in which names are looked up: the definitions of the
// dfns around it, which have not been inferred, and the scope outside of them.
type shyPlace struct {
	scope    *scope
	bodies   [][]apl.Stmt // the innermost first
	operands []func(*shyWalk) shyness
	self     func(*shyWalk) shyness
}

// shyness returns the ways in which a statement of the current scope may end.
func (g *infer) shyness(x apl.Expr) shyness {
	w := &shyWalk{seen: map[apl.Node]bool{}}
	return w.expr(x, shyPlace{scope: g.scope})
}

func (w *shyWalk) expr(x apl.Expr, at shyPlace) shyness {
	switch x := x.(type) {
	case *apl.Assign:
		return shy
	case *apl.Monadic:
		if l, ok := bare(x.Y).(*apl.Literal); ok && isPrim(x.F, "⍎") && blankText(l) {
			return nothing
		}
		return w.function(x.F, at)
	case *apl.Dyadic:
		if p, ok := x.F.(*apl.Prim); ok {
			return writes(p.Glyph, x.Y)
		}
		ends := w.function(x.F, at)
		if v, ok := x.X.(*apl.Var); ok && v.Ident == "⍺" && ends == shy { // ⍺ may be ⊢
			return ends | explicit
		}
		return ends
	}
	return explicit
}

// writes is shyness for system functions with two arguments, of which y is the
// right one: what they give when they write a file is shy.
func writes(glyph string, y apl.Expr) shyness {
	l, literal := y.(*apl.Literal)
	if glyph == "⎕NPUT" || glyph == "⎕NPY" || glyph == "⎕CSV" && (!literal || l.Value.Len() > 0) {
		return shy
	}
	return explicit
}

func (w *shyWalk) function(f apl.Func, at shyPlace) shyness {
	switch f := f.(type) {
	case *apl.ParenFunc:
		return w.function(f.F, at)
	case *apl.Dfn:
		return w.body(f, f.Body, at)
	case *apl.FuncName:
		return w.name(f.Ident, at)
	case *apl.Derived:
		return w.derived(f, at)
	}
	return explicit
}

// body adds the ways in which a dfn, or an operator, may end.
func (w *shyWalk) body(node apl.Node, body []apl.Stmt, at shyPlace) shyness {
	if w.seen[node] {
		return 0
	}
	w.seen[node] = true
	w.open = append(w.open, node)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	outer := at
	at.self = func(w *shyWalk) shyness { return w.body(node, body, outer) }
	at.bodies = append([][]apl.Stmt{body}, at.bodies...)
	ends := shyness(0)
	for i, s := range body {
		switch s := s.(type) {
		case *apl.Guard:
			ends |= w.expr(s.Result, at)
		case *apl.ExprStmt:
			if !s.Silent || i == len(body)-1 {
				return ends | w.expr(s.X, at)
			}
		}
	}
	return ends | nothing
}

func (w *shyWalk) name(name string, at shyPlace) shyness {
	switch {
	case name == "∇" && at.self != nil:
		return at.self(w)
	case name == "⍺⍺" && len(at.operands) > 0:
		return at.operands[0](w)
	case name == "⍵⍵" && len(at.operands) > 1:
		return at.operands[1](w)
	}
	for i, body := range at.bodies {
		for k := len(body) - 1; k >= 0; k-- {
			if d, ok := body[k].(*apl.FuncDef); ok && d.Name.Ident == name {
				at.bodies = at.bodies[i:]
				return w.function(d.F, at)
			}
		}
	}
	if _, b := at.scope.lookup(name); b != nil && b.fn != nil {
		return w.value(b.fn)
	}
	return explicit
}

// derived is shyness for a function that an operator makes.
func (w *shyWalk) derived(f *apl.Derived, at shyPlace) shyness {
	operand := func(o apl.Operand) func(w *shyWalk) shyness {
		return func(w *shyWalk) shyness { return w.function(o.Func, at) }
	}
	left, right := operand(f.Left), operand(f.Right)
	switch op := f.Op.(type) {
	case *apl.PrimOp:
		times, ok := bare(f.Right.Array).(*apl.Literal)
		return w.passed(op.Glyph, f.Left.Func != nil, f.Right.Func != nil, ok && positive(times.Value), left, right)
	case *apl.Dop:
		at.operands = []func(*shyWalk) shyness{left, right}
		return w.body(op, op.Body, at)
	case *apl.OpName:
		if _, b := at.scope.lookup(op.Ident); b != nil {
			if u, ok := b.op.(*userOperator); ok {
				return w.body(u.dop, u.dop.Body, shyPlace{scope: u.scope, operands: []func(*shyWalk) shyness{left, right}})
			}
		}
	}
	return explicit
}

// passed is shyness for a primitive operator, which may have functions as
// operands. What ¨ and ⍣ give, which apply theirs many times, is shy where the last
// result of it is; repeats says that ⍣ applies its operand once at least.
func (w *shyWalk) passed(op string, leftFunc, rightFunc, repeats bool, left, right func(*shyWalk) shyness) shyness {
	switch {
	case (op == "∘" || op == "⍥") && leftFunc, op == "⍤" && leftFunc && rightFunc, op == "⍨" && leftFunc:
		return left(w)
	case op == "∘" && rightFunc:
		return right(w)
	case (op == "¨" || op == "⍣" || op == "∘.") && leftFunc:
		ends := left(w.inside())
		if ends&shy == 0 {
			return explicit
		}
		if op == "⍣" && !rightFunc && !repeats { // perhaps it is not applied
			ends |= explicit
		}
		return ends
	}
	return explicit
}

// positive reports whether an array is one number, an integer above 0.
func positive(a *array.Array) bool {
	return a.Elem <= array.Int && a.Len() == 1 && a.Double(0) > 0
}

// value is shyness for a function that has been inferred.
func (w *shyWalk) value(f function) shyness {
	of := func(o operand) func(*shyWalk) shyness {
		return func(w *shyWalk) shyness { return w.value(o.fn) }
	}
	switch f := f.(type) {
	case *closure:
		at := shyPlace{scope: f.scope}
		for _, o := range f.operands {
			at.operands = append(at.operands, of(o))
		}
		return w.body(f.node, f.body, at)
	case *derived:
		repeats := f.right.lit != nil && positive(f.right.lit.Value)
		return w.passed(f.op, f.left.fn != nil, f.right.fn != nil, repeats, of(f.left), of(f.right))
	}
	return explicit
}
