package walk

import (
	"fmt"
	"strconv"

	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Value is a Tuple, a Func, a Program, or what a Meaning makes.
type Value = any

type (
	// Tuple is a tuple; of no items, unit.
	Tuple []Value
	// Func is a function.
	Func func(Value) Value
	// Program is a program: it does what it does, or makes its code.
	Program func() Value
)

// Meaning says what expressions give. Its functions panic with a *diag.Error.
type Meaning interface {
	Constant(s scalar.Scalar) Value
	// Parameter returns the value of #name.
	Parameter(name string) (Value, bool)
	// Named returns the value that a name has.
	Named(name string, v Value) Value
	// If returns one of two values of a type.
	If(cond Value, t func() types.Type, then, other func() Value) Value
	// Arithmetic applies an operator of scalars.
	Arithmetic(op string, at diag.Span, args ...Value) Value
	// Builtin returns the value of a built-in operator.
	Builtin(use *types.Use, at diag.Span) Value
}

// Walker goes through the functions of a program.
type Walker struct {
	Info *types.Info
	Meaning
}

// env is what names mean: a list, the innermost first; types says what the variables of
// the schemes around stand for.
type env struct {
	names *binding
	types *types.Substitution
	used  diag.Span // of code of the library: the program's use of its function
}

// place is where an expression is for who wrote the program.
func (e env) place(at diag.Span) diag.Span {
	if e.used.Valid() {
		return e.used
	}
	return at
}

type binding struct {
	name  string
	value Value
	poly  *poly // of a binding that is generalised, instead of value
	outer *binding
}

// poly is a binding that is evaluated at each use, with the types that the use says.
type poly struct {
	of  *syntax.Binding
	env env
}

func (w *Walker) with(e env, p syntax.Pattern, v Value) env {
	if p.Tuple {
		for i, q := range p.Items {
			e = w.with(e, q, v.(Tuple)[i])
		}
		return e
	}
	if p.Name != "_" {
		e.names = &binding{name: p.Name, value: w.Named(p.Name, v), outer: e.names}
	}
	return e
}

func (e env) find(name string) *binding {
	for b := e.names; b != nil; b = b.outer {
		if b.name == name {
			return b
		}
	}
	return nil
}

// typ returns the type of an expression, without variables.
func (w *Walker) typ(env env, e syntax.Expr) types.Type {
	return types.Find(env.types.Concrete(w.Info.Types[e]))
}

// Global returns the value of a function of a program. Where it is the library's, used is the
// program's use of it.
func (w *Walker) Global(use *types.Use, used diag.Span) Value {
	f := use.Global.Fun
	return w.lambda(env{nil, &types.Substitution{Use: use}, used}, f.Params, f.Body)
}

// lambda returns the function of parameters.
func (w *Walker) lambda(e env, params []syntax.Pattern, body syntax.Expr) Value {
	if len(params) == 0 {
		return w.expr(e, body)
	}
	return Func(func(v Value) Value { return w.lambda(w.with(e, params[0], v), params[1:], body) })
}

func (w *Walker) expr(env env, e syntax.Expr) Value {
	switch e := e.(type) {
	case *syntax.Number:
		return w.number(env, e)
	case *syntax.Bool:
		return w.Constant(scalar.Bool(e.Value))
	case *syntax.Param:
		v, ok := w.Parameter(e.Name)
		if !ok {
			panic(diag.Errorf(diag.UnknownName, env.place(e.At), "#%s has no value: give it one by --param %s=VALUE", e.Name, e.Name))
		}
		return v
	case *syntax.Name:
		return w.name(env, e)
	case *syntax.Tuple:
		t := make(Tuple, len(e.Items))
		for i, item := range e.Items {
			t[i] = w.expr(env, item)
		}
		return t
	case *syntax.Fn:
		return w.lambda(env, []syntax.Pattern{e.Param}, e.Body)
	case *syntax.Apply:
		f := w.expr(env, e.Fn)
		return f.(Func)(w.expr(env, e.Arg))
	case *syntax.Binary:
		return w.binary(env, e)
	case *syntax.Unary:
		op := "neg"
		if e.Op == "!" {
			op = "not"
		}
		return w.Arithmetic(op, env.place(e.At), w.expr(env, e.X))
	case *syntax.If:
		return w.If(w.expr(env, e.Cond), func() types.Type { return w.typ(env, e) },
			func() Value { return w.expr(env, e.Then) }, func() Value { return w.expr(env, e.Else) })
	case *syntax.Let:
		return w.expr(w.binding(env, &e.Binding), e.Body)
	case *syntax.Do:
		return w.do(env, e)
	}
	panic(fmt.Sprintf("walk: expression %T", e))
}

func (w *Walker) number(env env, e *syntax.Number) Value {
	t := w.typ(env, e).(types.Scalar)
	if t.IsFloat() {
		f, err := strconv.ParseFloat(e.Text, 64)
		if err != nil {
			panic(diag.Errorf(diag.FloatOverflow, env.place(e.At), "%s is too large", e.Text))
		}
		return w.Constant(scalar.Number(t, 0, f))
	}
	i, err := strconv.ParseInt(e.Text, 10, 64)
	s := scalar.Number(t, i, 0)
	if err != nil || s.I != i {
		panic(diag.Errorf(diag.IntegerOverflow, env.place(e.At), "%s is too large for %s", e.Text, t))
	}
	return w.Constant(s)
}

func (w *Walker) name(env env, e *syntax.Name) Value {
	use := w.Info.Uses[e]
	switch {
	case use.Global != nil:
		return w.Global(env.types.ConcreteUse(use), use.Within(env.used, e.At))
	case use.Builtin != "":
		return w.Builtin(env.types.ConcreteUse(use), env.place(e.At))
	}
	b := env.find(e.Name)
	if b.poly == nil {
		return b.value
	}
	inner := b.poly.env
	inner.types = &types.Substitution{Use: env.types.ConcreteUse(use), Outer: inner.types}
	return w.lambda(inner, b.poly.of.Params, b.poly.of.Value)
}

func (w *Walker) binary(env env, e *syntax.Binary) Value {
	left := w.expr(env, e.Left)
	if e.Op == "&&" || e.Op == "||" {
		return w.logic(env, e, left)
	}
	right := w.expr(env, e.Right)
	if e.Op == "|>" {
		return right.(Func)(left)
	}
	return w.Arithmetic(e.Op, env.place(e.Span()), left, right)
}

// logic returns the value of && or ||, whose right operand may not be needed.
func (w *Walker) logic(env env, e *syntax.Binary, left Value) Value {
	then, other := func() Value { return w.expr(env, e.Right) }, func() Value { return w.Constant(scalar.Bool(e.Op == "||")) }
	if e.Op == "||" {
		then, other = other, then
	}
	return w.If(left, func() types.Type { return types.Bool }, then, other)
}

func (w *Walker) binding(e env, b *syntax.Binding) env {
	if w.Info.Lets[b] == nil {
		return w.with(e, b.Pattern, w.expr(e, b.Value))
	}
	if b.Pattern.Name != "_" {
		e.names = &binding{name: b.Pattern.Name, poly: &poly{b, e}, outer: e.names}
	}
	return e
}

// do returns the program of the steps of a do.
func (w *Walker) do(env env, e *syntax.Do) Value {
	return Program(func() Value {
		env := env
		for i := range e.Steps {
			s := &e.Steps[i]
			if s.Let {
				env = w.binding(env, &s.Binding)
				continue
			}
			env = w.with(env, s.Pattern, w.expr(env, s.Value).(Program)())
		}
		return w.expr(env, e.Last).(Program)()
	})
}

// Curried returns a function of n arguments.
func Curried(n int, f func(args []Value) Value) Value {
	var take func(args []Value) Value
	take = func(args []Value) Value {
		if len(args) == n {
			return f(args)
		}
		return Func(func(v Value) Value { return take(append(append([]Value(nil), args...), v)) })
	}
	return take(nil)
}

// Apply applies a function.
func Apply(f Value, args ...Value) Value {
	for _, a := range args {
		f = f.(Func)(a)
	}
	return f
}
