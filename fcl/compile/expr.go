package compile

import (
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Constant returns the code of a constant.
func (c *compiler) Constant(s scalar.Scalar) Value { return &kernel.Const{Value: s} }

// Parameter returns the value of #name.
func (c *compiler) Parameter(name string) (Value, bool) {
	if n := c.numbers[name]; n != nil {
		return n, true
	}
	v, ok := c.plan.Params[name]
	return kernel.Int(v), ok
}

// Named returns a value whose scalars are in variables.
func (c *compiler) Named(name string, v Value) Value { return c.share(name, v) }

// Arithmetic applies an operator of scalars.
func (c *compiler) Arithmetic(op string, at diag.Span, args ...Value) Value {
	exprs := make([]kernel.Expr, len(args))
	for i, a := range args {
		exprs[i] = a.(kernel.Expr)
	}
	if (op == "/" || op == "%") && exprs[0].Type().IsInt() && !c.trusted() {
		return kernel.Divide(op, exprs[0], exprs[1], c.site(op, diag.ZeroDivision, at))
	}
	return kernel.Apply(op, exprs...)
}

// If makes code that computes one of two values: an expression, where neither
// needs statements.
func (c *compiler) If(value Value, t func() types.Type, then, other func() Value) Value {
	cond := value.(kernel.Expr)
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
	result := c.undefined(t())
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
