package compile

import (
	"fmt"
	"strconv"

	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

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

func (c *compiler) with(e env, p syntax.Pattern, v Value) env {
	if p.Tuple {
		for i, q := range p.Items {
			e = c.with(e, q, v.(Tuple)[i])
		}
		return e
	}
	if p.Name != "_" {
		e.names = &binding{name: p.Name, value: c.share(p.Name, v), outer: e.names}
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
func (c *compiler) typ(env env, e syntax.Expr) types.Type {
	return types.Find(env.types.Concrete(c.info.Types[e]))
}

func (c *compiler) global(use *types.Use, used diag.Span) Value {
	f := use.Global.Fun
	return c.lambda(env{nil, &types.Substitution{Use: use}, used}, f.Params, f.Body)
}

func (c *compiler) lambda(e env, params []syntax.Pattern, body syntax.Expr) Value {
	if len(params) == 0 {
		return c.expr(e, body)
	}
	return Func(func(v Value) Value { return c.lambda(c.with(e, params[0], v), params[1:], body) })
}

func (c *compiler) expr(env env, e syntax.Expr) Value {
	switch e := e.(type) {
	case *syntax.Number:
		return c.number(env, e)
	case *syntax.Bool:
		return &kernel.Const{Value: scalar.Bool(e.Value)}
	case *syntax.Param:
		return c.param(env, e)
	case *syntax.Name:
		return c.name(env, e)
	case *syntax.Tuple:
		t := make(Tuple, len(e.Items))
		for i, item := range e.Items {
			t[i] = c.expr(env, item)
		}
		return t
	case *syntax.Fn:
		return c.lambda(env, []syntax.Pattern{e.Param}, e.Body)
	case *syntax.Apply:
		f := c.expr(env, e.Fn)
		return f.(Func)(c.expr(env, e.Arg))
	case *syntax.Binary:
		return c.binary(env, e)
	case *syntax.Unary:
		op := "neg"
		if e.Op == "!" {
			op = "not"
		}
		return c.arithmetic(op, env.place(e.At), c.expr(env, e.X))
	case *syntax.If:
		return c.conditional(c.expr(env, e.Cond).(kernel.Expr), c.typ(env, e),
			func() Value { return c.expr(env, e.Then) }, func() Value { return c.expr(env, e.Else) })
	case *syntax.Let:
		return c.expr(c.binding(env, &e.Binding), e.Body)
	case *syntax.Do:
		return c.do(env, e)
	}
	panic(fmt.Sprintf("compile: expression %T", e))
}

func (c *compiler) number(env env, e *syntax.Number) Value {
	t := c.typ(env, e).(types.Scalar)
	if t.IsFloat() {
		f, err := strconv.ParseFloat(e.Text, 64)
		if err != nil {
			panic(diag.Errorf(diag.FloatOverflow, env.place(e.At), "%s is too large", e.Text))
		}
		return &kernel.Const{Value: scalar.Number(t, 0, f)}
	}
	i, err := strconv.ParseInt(e.Text, 10, 64)
	s := scalar.Number(t, i, 0)
	if err != nil || s.I != i {
		panic(diag.Errorf(diag.IntegerOverflow, env.place(e.At), "%s is too large for %s", e.Text, t))
	}
	return &kernel.Const{Value: s}
}

func (c *compiler) param(env env, e *syntax.Param) Value {
	if n := c.numbers[e.Name]; n != nil {
		return n
	}
	v, ok := c.plan.Params[e.Name]
	if !ok {
		panic(diag.Errorf(diag.UnknownName, env.place(e.At), "#%s has no value: give it one by --param %s=VALUE", e.Name, e.Name))
	}
	return kernel.Int(v)
}

func (c *compiler) name(env env, e *syntax.Name) Value {
	use := c.info.Uses[e]
	switch {
	case use.Global != nil:
		return c.global(env.types.ConcreteUse(use), use.Within(env.used, e.At))
	case use.Builtin != "":
		return c.builtin(env.types.ConcreteUse(use), env.place(e.At))
	}
	b := env.find(e.Name)
	if b.poly == nil {
		return b.value
	}
	inner := b.poly.env
	inner.types = &types.Substitution{Use: env.types.ConcreteUse(use), Outer: inner.types}
	return c.lambda(inner, b.poly.of.Params, b.poly.of.Value)
}

func (c *compiler) binary(env env, e *syntax.Binary) Value {
	left := c.expr(env, e.Left)
	if e.Op == "|>" {
		return c.expr(env, e.Right).(Func)(left)
	}
	right := func() Value { return c.expr(env, e.Right) }
	t := &kernel.Const{Value: scalar.Bool(e.Op == "||")}
	switch e.Op {
	case "&&":
		return c.conditional(left.(kernel.Expr), types.Bool, right, func() Value { return t })
	case "||":
		return c.conditional(left.(kernel.Expr), types.Bool, func() Value { return t }, right)
	}
	return c.arithmetic(e.Op, env.place(e.Span()), left, right())
}

// arithmetic applies an operator of scalars.
func (c *compiler) arithmetic(op string, at diag.Span, args ...Value) Value {
	exprs := make([]kernel.Expr, len(args))
	for i, a := range args {
		exprs[i] = a.(kernel.Expr)
	}
	if (op == "/" || op == "%") && exprs[0].Type().IsInt() && !c.trusted() {
		return kernel.Divide(op, exprs[0], exprs[1], c.site(op, diag.ZeroDivision, at))
	}
	return kernel.Apply(op, exprs...)
}

// conditional makes code that computes one of two values: an expression, where neither
// needs statements.
func (c *compiler) conditional(cond kernel.Expr, t types.Type, then, other func() Value) Value {
	if v, ok := cond.(*kernel.Const); ok {
		if v.Value.I != 0 {
			return then()
		}
		return other()
	}
	var a, b Value
	thenCode := c.block(func() { a = c.where(cond, then) })
	otherCode := c.block(func() { b = c.where(kernel.Opposite(cond), other) })
	if len(thenCode)+len(otherCode) == 0 {
		if c.begins(cond, a, b) {
			return b
		}
		return choose(cond, a, b)
	}
	result := c.undefined(t)
	thenCode = append(thenCode, c.block(func() { c.assign(result, a) })...)
	otherCode = append(otherCode, c.block(func() { c.assign(result, b) })...)
	c.emit(&kernel.If{Cond: cond, Then: thenCode, Else: otherCode})
	return result
}

func choose(cond kernel.Expr, a, b Value) Value {
	if t, ok := a.(Tuple); ok {
		r := make(Tuple, len(t))
		for i, item := range t {
			r[i] = choose(cond, item, b.(Tuple)[i])
		}
		return r
	}
	x, y := a.(kernel.Expr), b.(kernel.Expr)
	if x.Type() == types.Bool {
		return boolean(cond, x, y)
	}
	return kernel.Choose(cond, x, y)
}

// boolean returns a conditional of truth values, as && or || where it is one.
func boolean(cond, a, b kernel.Expr) kernel.Expr {
	if v, ok := b.(*kernel.Const); ok && v.Value.I == 0 {
		return kernel.Apply("&&", cond, a)
	}
	if v, ok := a.(*kernel.Const); ok && v.Value.I != 0 {
		return kernel.Apply("||", cond, b)
	}
	return kernel.Choose(cond, a, b)
}

// undefined declares variables for a value of a type.
func (c *compiler) undefined(t types.Type) Value {
	switch t := types.Find(t).(type) {
	case types.Scalar:
		v := c.variable("r", t)
		v.Mutable = true
		c.emit(&kernel.Decl{Var: v})
		return v
	case *types.Tuple:
		all := make(Tuple, len(t.Items))
		for i, item := range t.Items {
			all[i] = c.undefined(item)
		}
		return all
	}
	panic("compile: a variable that is no scalar or tuple")
}

// assign makes assignments to variables.
func (c *compiler) assign(to, v Value) {
	if t, ok := to.(Tuple); ok {
		for i, item := range t {
			c.assign(item, v.(Tuple)[i])
		}
		return
	}
	c.emit(&kernel.Assign{Var: to.(*kernel.Var), Value: v.(kernel.Expr)})
}

func (c *compiler) binding(env env, b *syntax.Binding) env {
	if c.info.Lets[b] != nil {
		if b.Pattern.Name != "_" {
			env.names = &binding{name: b.Pattern.Name, poly: &poly{b, env}, outer: env.names}
		}
		return env
	}
	return c.with(env, b.Pattern, c.expr(env, b.Value))
}

func (c *compiler) do(env env, e *syntax.Do) Value {
	l := c.typ(env, e).(*types.Program).Level
	return &Program{types.FindLevel(l), func() Value {
		env := env
		for i := range e.Steps {
			s := &e.Steps[i]
			if s.Let {
				env = c.binding(env, &s.Binding)
				continue
			}
			env = c.with(env, s.Pattern, c.expr(env, s.Value).(*Program).Run())
		}
		return c.expr(env, e.Last).(*Program).Run()
	}}
}
