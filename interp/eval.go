package interp

import (
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// need evaluates an expression that must have a value.
func (in *Interp) need(f *Frame, x apl.Expr) (*V, error) {
	v, err := in.eval(f, x)
	if err == nil && v == nil {
		err = in.noValue(x)
	}
	return v, err
}

// eval evaluates an expression. The value is nil if a function gave none.
func (in *Interp) eval(f *Frame, x apl.Expr) (*V, error) {
	switch x := x.(type) {
	case *apl.Literal:
		return in.literal(x), nil
	case *apl.Var:
		return in.variable(f, x)
	case *apl.Paren:
		v, err := in.eval(f, x.X)
		in.shy = false
		return v, err
	case *apl.NamespaceLit:
		return in.namespaceLit(f, x)
	case *apl.Member:
		return in.member(f, x)
	case *apl.Monadic:
		return in.monadic(f, x)
	case *apl.Dyadic:
		return in.dyadic(f, x)
	case *apl.Strand:
		return in.strand(f, x)
	case *apl.Index:
		return in.index(f, x)
	case *apl.Assign:
		return in.assign(f, x)
	}
	return nil, in.fault(x, diag.NotCompiled, "an expression that is not interpreted")
}

// literal returns the value of a constant, which is made once.
func (in *Interp) literal(x *apl.Literal) *V {
	v := in.literals[x]
	if v == nil {
		v = value.From(x.Value)
		in.literals[x] = v
	}
	return v
}

// variable evaluates a name.
func (in *Interp) variable(f *Frame, x *apl.Var) (*V, error) {
	if x.Ident[0] >= utf8.RuneSelf {
		switch x.Ident {
		case "⍵", "⍺", "⍺⍺", "⍵⍵":
			return in.argument(f, x)
		case "⎕":
			return in.evaluated(f, x)
		case "⍞":
			return in.characters(x)
		}
	}
	if c := x.Ident[0]; c == '#' || c >= utf8.RuneSelf {
		if ref := in.specialSpace(f, x.Ident); ref != nil {
			return ref, nil
		}
	}
	if strings.HasPrefix(x.Ident, "⎕") {
		v, err := in.systemVariable(x.Ident)
		if err != nil {
			return nil, at(err, x, nil, nil)
		}
		return v, nil
	}
	if x == in.traced.name {
		return in.traced.value, nil
	}
	switch v := in.find(f, x.Ident).(type) {
	case *V:
		return v, nil
	case *niladic:
		return in.apply(x, nil, nil, nil, v.fn, nil, nil)
	case nil:
		return nil, in.fault(x, diag.NoValue, "%s has no value here", x.Ident)
	}
	return nil, in.fault(x, diag.WrongClass, "%s is not an array", x.Ident)
}

// argument evaluates ⍵ ⍺ ⍺⍺ ⍵⍵.
func (in *Interp) argument(f *Frame, x *apl.Var) (*V, error) {
	f = f.call()
	var v any
	if f != nil {
		switch x.Ident {
		case "⍵":
			v = f.omega
		case "⍺":
			if f.alpha == nil {
				return nil, in.fault(x, diag.MissingLeft, "the function was called without a left argument")
			}
			v = f.alpha
		case "⍺⍺":
			v = f.self.left
		case "⍵⍵":
			v = f.self.right
		}
	}
	if a, ok := v.(*V); ok && a != nil {
		value.Shared(a)
		return a, nil
	}
	return nil, in.fault(x, diag.WrongClass, "%s is not an array", x.Ident)
}

// behindLeft returns the function that ⍺ is at the start of a strand, and the rest of
// the strand, to which it is applied; nil if it is no function.
func (in *Interp) behindLeft(f *Frame, x apl.Expr) (Function, apl.Expr) {
	s, ok := x.(*apl.Strand)
	if !ok {
		return nil, x
	}
	g := in.functionLeft(f, s.Items[0])
	switch {
	case g == nil:
		return nil, x
	case len(s.Items) == 2:
		return g, s.Items[1]
	}
	return g, &apl.Strand{At: s.At, Items: s.Items[1:]}
}

func (in *Interp) strand(f *Frame, x *apl.Strand) (*V, error) {
	if g, rest := in.behindLeft(f, x); g != nil {
		y, err := in.need(f, rest)
		if err != nil {
			return nil, err
		}
		return value1(g.Call(in, nil, y))
	}
	items := make([]*V, len(x.Items))
	for i := len(items) - 1; i >= 0; i-- {
		v, err := in.need(f, x.Items[i])
		if err != nil {
			return nil, err
		}
		items[i] = v
	}
	in.shy = false
	return value.FromItems([]int{len(items)}, items), nil
}

func (in *Interp) index(f *Frame, x *apl.Index) (*V, error) {
	if g, rest := in.behindLeft(f, x.X); g != nil {
		y, err := in.index(f, &apl.Index{At: x.At, X: rest, Items: x.Items, Brackets: x.Brackets})
		if err != nil {
			return nil, err
		}
		return value1(g.Call(in, nil, y))
	}
	if name, up := sorts(x); up != 0 && name != in.traced.name {
		v, err := in.need(f, name)
		if err != nil {
			return nil, err
		}
		if r := prim.Sorted(v, up); r != nil {
			in.shy = false
			return r, nil
		}
	}
	items, err := in.indices(f, x.Items)
	if err != nil {
		return nil, err
	}
	v := in.alone(f, x.X)
	if v == nil || v.Kind != value.Mixed && len(items) == 1 && items[0] != nil && items[0].Kind == value.Mixed { // items that paths lead to share elements
		if v, err = in.need(f, x.X); err != nil {
			return nil, err
		}
	}
	in.shy = false
	r, err := prim.Index(&in.state, v, items)
	if err != nil {
		brackets := apl.At{Where: x.Brackets}
		return nil, at(err, brackets, x.X, brackets)
	}
	return r, nil
}

// sorts returns the name of x[⍋x] and 1, or that of x[⍒x] and ¯1; else 0.
func sorts(x *apl.Index) (*apl.Var, int) {
	name, ok := x.X.(*apl.Var)
	if !ok || len(x.Items) != 1 || systemName(name.Ident) {
		return nil, 0
	}
	g, ok := x.Items[0].(*apl.Monadic)
	if !ok {
		return nil, 0
	}
	of, ok1 := g.Y.(*apl.Var)
	f, ok2 := g.F.(*apl.Prim)
	if !ok1 || !ok2 || of.Ident != name.Ident {
		return nil, 0
	}
	return name, map[string]int{"⍋": 1, "⍒": -1}[f.Glyph]
}

// indices evaluates what stands in brackets, from the right.
func (in *Interp) indices(f *Frame, items []apl.Expr) ([]*V, error) {
	out := make([]*V, len(items))
	for i := len(items) - 1; i >= 0; i-- {
		if items[i] == nil {
			continue
		}
		v, err := in.need(f, items[i])
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (in *Interp) monadic(f *Frame, x *apl.Monadic) (y *V, err error) {
	if p, ok := x.F.(*apl.Prim); ok && (p.Glyph == "≢" || p.Glyph == "⍴") {
		y = in.alone(f, x.Y)
	}
	if y == nil {
		if y, err = in.need(f, x.Y); err != nil {
			return nil, err
		}
	}
	fn, err := in.function(f, x.F)
	if err != nil {
		return nil, err
	}
	return in.apply(x, x.F, nil, x.Y, fn, nil, y)
}

func (in *Interp) dyadic(f *Frame, x *apl.Dyadic) (*V, error) {
	if g, rest := in.behindLeft(f, x.X); g != nil {
		y, err := in.need(f, &apl.Dyadic{At: x.At, X: rest, F: x.F, Y: x.Y})
		if err != nil {
			return nil, err
		}
		return value1(g.Call(in, nil, y))
	}
	if r, ok, err := in.picked(f, x); ok {
		return r, err
	}
	y, err := in.need(f, x.Y)
	if err != nil {
		return nil, err
	}
	if g := in.functionLeft(f, x.X); g != nil { // ⍺←f: ⍺ g ⍵ is f g ⍵
		fn, err := in.function(f, x.F)
		if err != nil {
			return nil, err
		}
		r, err := in.apply(x, x.F, nil, x.Y, fn, nil, y)
		if err != nil || r == nil {
			return r, err
		}
		return in.apply(x, x.F, nil, x.Y, g, nil, r)
	}
	fn, err := in.function(f, x.F)
	if err != nil {
		return nil, err
	}
	l, err := in.need(f, x.X)
	if err != nil {
		return nil, err
	}
	return in.apply(x, x.F, x.X, x.Y, fn, l, y)
}

// functionLeft returns the function that ⍺ is where ⍺← gave it one, or nil.
func (in *Interp) functionLeft(f *Frame, x apl.Expr) Function {
	if v, ok := x.(*apl.Var); ok && v.Ident == "⍺" {
		if f = f.call(); f != nil && f.alpha == nil {
			return f.alphaFunc
		}
	}
	return nil
}

// apply calls a function for an application in the source.
func (in *Interp) apply(n apl.Expr, f apl.Func, left, right apl.Node, fn Function, x, y *V) (*V, error) {
	in.shy = false
	r, err := within(func() (*V, error) { return in.applied(fn, x, y) })
	if err == nil {
		in.shy, in.hide = in.shy && passes(fn) || in.hide, false
		return r, nil
	}
	in.hide = false
	if final(err) {
		return nil, err
	}
	named := apl.Node(n)
	if f != nil {
		named = f
	}
	switch c := fn.(type) {
	case *closure:
		if asFault(err).Span.Valid() {
			return nil, called(err, n, named, c.title())
		}
	case *tradfn:
		if asFault(err).Span.Valid() {
			return nil, called(err, n, named, c.title())
		}
	}
	if f == nil {
		return nil, at(err, n, nil, nil)
	}
	return nil, at(err, f, left, right)
}

// within calls a function. A count that no array has room for, and that the
// function did not test, is a LIMIT ERROR.
func within(call func() (*V, error)) (r *V, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			if e, ok := cause.(runtime.Error); !ok || !strings.Contains(e.Error(), "makeslice") {
				panic(cause)
			}
			r, err = nil, prim.Errorf(diag.TooLarge, "an array is too large")
		}
	}()
	return call()
}

// passes reports whether a function is shy where the last function that it calls is.
func passes(fn Function) bool {
	switch fn := fn.(type) {
	case *closure, *tradfn, *execute:
		return true
	case *commute:
		return passes(fn.f)
	case *beside:
		return passes(fn.f)
	case *over:
		return passes(fn.f)
	case *atop:
		return passes(fn.g)
	case *bindLeft:
		return passes(fn.g)
	case *bindRight:
		return passes(fn.f)
	case *each:
		return passes(fn.f)
	case *outer:
		return passes(fn.f)
	case *repeated:
		return passes(fn.f)
	}
	return false
}

// function evaluates an expression of function class.
func (in *Interp) function(f *Frame, x apl.Func) (Function, error) {
	switch x := x.(type) {
	case *apl.Prim:
		return in.primitive(f, x), nil
	case *apl.FuncName:
		return in.functionName(f, x)
	case *apl.MemberFunc:
		return in.memberFunction(f, x)
	case *apl.Dfn:
		return &closure{body: x.Body, frame: f, node: x, leaf: in.leaf(x), note: x.Note}, nil
	case *apl.ParenFunc:
		return in.function(f, x.F)
	case *apl.FuncAssign:
		return in.assignFunction(f, x)
	case *apl.Derived:
		return in.derived(f, x)
	case *apl.Atop:
		h, err := in.function(f, x.G)
		if err != nil {
			return nil, err
		}
		g, err := in.function(f, x.F)
		if err != nil {
			return nil, err
		}
		return &atop{g, h}, nil
	case *apl.Fork:
		return in.fork(f, x)
	case *apl.Axis:
		return in.axis(f, x)
	}
	return nil, in.fault(x, diag.NotCompiled, "a function that is not interpreted")
}

func (in *Interp) fork(f *Frame, x *apl.Fork) (Function, error) {
	h, err := in.function(f, x.H)
	if err != nil {
		return nil, err
	}
	g, err := in.function(f, x.G)
	if err != nil {
		return nil, err
	}
	l, err := in.operand(f, x.F)
	if err != nil {
		return nil, err
	}
	return &fork{l, g, h}, nil
}

// functionName evaluates a name of function class.
func (in *Interp) functionName(f *Frame, x *apl.FuncName) (Function, error) {
	var v any
	switch x.Ident {
	case "∇":
		if c := f.call(); c != nil {
			return c.self, nil
		}
	case "⍺⍺":
		if c := f.call(); c != nil {
			v = c.self.left
		}
	case "⍵⍵":
		if c := f.call(); c != nil {
			v = c.self.right
		}
	default:
		v = in.find(f, x.Ident)
	}
	switch v := v.(type) {
	case Function:
		return v, nil
	case nil:
		return nil, in.fault(x, diag.NoValue, "%s has no value here", x.Ident)
	}
	return nil, in.fault(x, diag.WrongClass, "%s is not a function", x.Ident)
}

// operand evaluates an operand: a *V or a Function.
func (in *Interp) operand(f *Frame, o apl.Operand) (any, error) {
	if o.Func != nil {
		return in.function(f, o.Func)
	}
	if g := in.functionLeft(f, o.Array); g != nil {
		return g, nil
	}
	return in.need(f, o.Array)
}

func (in *Interp) derived(f *Frame, x *apl.Derived) (Function, error) {
	var right any
	var err error
	if x.Right != (apl.Operand{}) {
		if right, err = in.operand(f, x.Right); err != nil {
			return nil, err
		}
	}
	left, err := in.operand(f, x.Left)
	if err != nil {
		return nil, err
	}
	op, err := in.operator(f, x.Op)
	if err != nil {
		return nil, err
	}
	fn, err := op.Derive(in, left, right)
	if err != nil {
		return nil, at(err, x.Op, nil, nil)
	}
	return fn, nil
}

// operator evaluates an expression of operator class.
func (in *Interp) operator(f *Frame, x apl.Operator) (Operator, error) {
	switch x := x.(type) {
	case *apl.PrimOp:
		return primOperators[x.Glyph], nil
	case *apl.Dop:
		return &dop{node: x, frame: f, note: x.Note}, nil
	case *apl.MemberOp:
		return in.memberOperator(f, x)
	case *apl.OpAssign:
		return in.assignOperator(f, x)
	case *apl.Curried:
		return in.curried(f, x)
	case *apl.OpName:
		var v any
		if x.Ident == "∇∇" {
			if c := f.call(); c != nil && c.self.op != nil {
				return c.self.op, nil
			}
		} else {
			v = in.find(f, x.Ident)
		}
		if op, ok := v.(Operator); ok {
			return op, nil
		}
		return nil, in.fault(x, diag.NoValue, "%s has no value here", x.Ident)
	}
	return nil, in.fault(x, diag.OperatorForm, "an operator that is not interpreted")
}

// axis evaluates F[k].
func (in *Interp) axis(f *Frame, x *apl.Axis) (Function, error) {
	k, err := in.need(f, x.Axis)
	if err != nil {
		return nil, err
	}
	fn, err := in.function(f, x.F)
	if err != nil {
		return nil, err
	}
	switch fn := fn.(type) {
	case *primitive:
		return &axisFunction{fn.glyph, k}, nil
	case *reduction:
		return &reduction{f: fn.f, axis: k}, nil
	case *scan:
		return &scan{f: fn.f, axis: k}, nil
	}
	return nil, in.fault(x, diag.Unreadable, "an axis of a function that takes none")
}
