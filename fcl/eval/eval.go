package eval

import (
	"fmt"
	"strconv"

	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Run applies a function to arguments, runs the program that it gives, and stores what
// that gives. Params are the values of #names. The error is a *diag.Error.
func Run(use *types.Use, info *types.Info, params map[string]int64, args []Value) (result Value, count Count, err error) {
	m := &machine{info: info, params: params}
	defer func() {
		count = m.count
		if r := recover(); r != nil {
			e, ok := r.(*diag.Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	v := m.global(use, diag.Span{})
	for _, a := range args {
		v = v.(Func)(m.input(a))
	}
	return m.finish(v, use.Global.Fun.At), m.count, nil
}

// machine evaluates. place is where it works just now.
type machine struct {
	info   *types.Info
	params map[string]int64
	place  place
	count  Count
}

// input returns an argument as an array of the device's memory.
func (m *machine) input(v Value) Value {
	p, ok := v.(*Pull)
	if !ok {
		return v
	}
	return &Pull{p.N, func(i int64) Value {
		e := p.At(i)
		m.count.Read[Global] += size(e)
		return e
	}, p.Stored}
}

// finish runs and stores what a program is.
func (m *machine) finish(v Value, at diag.Span) Value {
	switch v := v.(type) {
	case *Program:
		return m.finish(v.Run(), at)
	case *Push:
		return m.finish(m.force(v, types.Grid, at), at)
	case *Pull:
		if v.Stored != nil {
			return Vector(v.Stored)
		}
		elems := make([]Value, 0, min(v.N, 1<<20))
		for i := range v.N {
			elems = append(elems, m.finish(v.At(i), at))
		}
		return Vector(elems)
	case Tuple:
		t := make(Tuple, len(v))
		for i, item := range v {
			t[i] = m.finish(item, at)
		}
		return t
	}
	return v
}

// env is what names mean: a list, the innermost first; types says what the
// variables of the schemes around stand for.
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
	of     *syntax.Binding
	scheme *types.Scheme
	env    env
}

func (e env) with(p syntax.Pattern, v Value) env {
	if p.Tuple {
		for i, q := range p.Items {
			e = e.with(q, v.(Tuple)[i])
		}
		return e
	}
	if p.Name != "_" {
		e.names = &binding{name: p.Name, value: v, outer: e.names}
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
func (m *machine) typ(env env, e syntax.Expr) types.Type {
	return types.Find(env.types.Concrete(m.info.Types[e]))
}

// global returns the value of a function of a program.
func (m *machine) global(use *types.Use, used diag.Span) Value {
	f := use.Global.Fun
	return m.lambda(env{nil, &types.Substitution{Use: use}, used}, f.Params, f.Body)
}

// lambda returns the function of parameters.
func (m *machine) lambda(e env, params []syntax.Pattern, body syntax.Expr) Value {
	if len(params) == 0 {
		return m.expr(e, body)
	}
	return Func(func(v Value) Value { return m.lambda(e.with(params[0], v), params[1:], body) })
}

func (m *machine) expr(env env, e syntax.Expr) Value {
	switch e := e.(type) {
	case *syntax.Number:
		return m.number(env, e)
	case *syntax.Bool:
		return Bool(e.Value)
	case *syntax.Param:
		return m.param(env, e)
	case *syntax.Name:
		return m.name(env, e)
	case *syntax.Tuple:
		t := make(Tuple, len(e.Items))
		for i, item := range e.Items {
			t[i] = m.expr(env, item)
		}
		return t
	case *syntax.Fn:
		return m.lambda(env, []syntax.Pattern{e.Param}, e.Body)
	case *syntax.Apply:
		f := m.expr(env, e.Fn)
		return f.(Func)(m.expr(env, e.Arg))
	case *syntax.Binary:
		return m.binary(env, e)
	case *syntax.Unary:
		op := "neg"
		if e.Op == "!" {
			op = "not"
		}
		return m.arithmetic(op, env.place(e.At), m.expr(env, e.X))
	case *syntax.If:
		if m.expr(env, e.Cond).(Scalar).I != 0 {
			return m.expr(env, e.Then)
		}
		return m.expr(env, e.Else)
	case *syntax.Let:
		return m.expr(m.binding(env, &e.Binding), e.Body)
	case *syntax.Do:
		return m.do(env, e)
	}
	panic(fmt.Sprintf("eval: expression %T", e))
}

func (m *machine) number(env env, e *syntax.Number) Value {
	t := m.typ(env, e).(types.Scalar)
	f, err := strconv.ParseFloat(e.Text, 64)
	if t.IsFloat() {
		if err != nil {
			fault(diag.FloatOverflow, env.place(e.At), "%s is too large", e.Text)
		}
		return scalar.Number(t, 0, f)
	}
	i, err := strconv.ParseInt(e.Text, 10, 64)
	if s := scalar.Number(t, i, 0); err == nil && s.I == i {
		return s
	}
	fault(diag.IntegerOverflow, env.place(e.At), "%s is too large for %s", e.Text, t)
	return nil
}

func (m *machine) param(env env, e *syntax.Param) Value {
	v, ok := m.params[e.Name]
	if !ok {
		fault(diag.UnknownName, env.place(e.At), "#%s has no value: give it one by --param %s=VALUE", e.Name, e.Name)
	}
	return Int(v)
}

func (m *machine) name(env env, e *syntax.Name) Value {
	use := m.info.Uses[e]
	switch {
	case use.Global != nil:
		return m.global(env.types.ConcreteUse(use), use.Within(env.used, e.At))
	case use.Builtin != "":
		return m.builtin(env.types.ConcreteUse(use), env.place(e.At))
	}
	b := env.find(e.Name)
	if b.poly == nil {
		return b.value
	}
	inner := b.poly.env
	inner.types = &types.Substitution{Use: env.types.ConcreteUse(use), Outer: inner.types}
	return m.lambda(inner, b.poly.of.Params, b.poly.of.Value)
}

func (m *machine) binary(env env, e *syntax.Binary) Value {
	left := m.expr(env, e.Left)
	switch {
	case e.Op == "&&" && left.(Scalar).I == 0, e.Op == "||" && left.(Scalar).I != 0:
		return left
	}
	right := m.expr(env, e.Right)
	if e.Op == "|>" {
		return right.(Func)(left)
	}
	return m.arithmetic(e.Op, env.place(e.Span()), left, right)
}

// arithmetic applies an operator of scalars.
func (m *machine) arithmetic(op string, at diag.Span, args ...Value) Value {
	scalars := make([]Scalar, len(args))
	for i, a := range args {
		scalars[i] = a.(Scalar)
	}
	s, err := scalar.Arithmetic(op, scalars...)
	if err != nil {
		fault(diag.ZeroDivision, at, "%v", err)
	}
	return s
}

func (m *machine) binding(env env, b *syntax.Binding) env {
	if scheme := m.info.Lets[b]; scheme != nil {
		if b.Pattern.Name != "_" {
			env.names = &binding{name: b.Pattern.Name, poly: &poly{b, scheme, env}, outer: env.names}
		}
		return env
	}
	return env.with(b.Pattern, m.expr(env, b.Value))
}

// do returns the program of the steps of a do.
func (m *machine) do(env env, e *syntax.Do) Value {
	l := m.typ(env, e).(*types.Program).Level
	return &Program{types.FindLevel(l), func() Value {
		env := env
		for i := range e.Steps {
			s := &e.Steps[i]
			if s.Let {
				env = m.binding(env, &s.Binding)
				continue
			}
			env = env.with(s.Pattern, m.expr(env, s.Value).(*Program).Run())
		}
		return m.expr(env, e.Last).(*Program).Run()
	}}
}
