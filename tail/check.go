package tail

import (
	"fmt"

	"github.com/tailor-lang/tailor/array"
)

// Check reports whether p is well formed: variables are bound once and before
// they are used, functions called exist, lambdas stand only where ops take
// functions, and every expression has the element type and rank that its parts
// give it and no extent that contradicts them. An error is a bug of the
// compiler and begins with "internal error:".
func Check(p *Program) error {
	c := &checker{funcs: map[*Func]bool{}, bound: map[*Var]bool{}, scope: map[*Var]bool{}}
	names := map[string]bool{}
	for _, f := range p.Funcs {
		if names[f.Name] {
			c.fail(nil, "two functions are called %s", f.Name)
		}
		names[f.Name] = true
		c.funcs[f] = true
	}
	for _, f := range p.Funcs {
		c.function(f)
	}
	c.where = "main"
	c.expr(p.Main)
	return c.bad
}

// checker goes through a program; the first error stays in bad.
type checker struct {
	where string
	funcs map[*Func]bool
	bound map[*Var]bool // anywhere so far
	scope map[*Var]bool
	bad   error
}

func (c *checker) fail(e Expr, format string, args ...any) {
	if c.bad != nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	if e != nil {
		shown := ExprString(e)
		if runes := []rune(shown); len(runes) > 300 {
			shown = string(runes[:300]) + "…"
		}
		text += " in " + shown
		if e.Span().Valid() {
			text = e.Span().String() + ": " + text
		}
	}
	c.bad = fmt.Errorf("internal error: %s: %s", c.where, text)
}

func (c *checker) function(f *Func) {
	c.where = "function " + f.Name
	for _, v := range f.Params {
		c.bind(nil, v)
	}
	c.expr(f.Body)
	if c.bad == nil && !Consistent(f.Body.Type(), f.Result) {
		c.fail(nil, "the body has type %v, the result %v", f.Body.Type(), f.Result)
	}
	for _, v := range f.Params {
		delete(c.scope, v)
	}
}

func (c *checker) bind(e Expr, v *Var) {
	if v == nil || !concrete(v.Type) {
		c.fail(e, "a variable without a type")
		return
	}
	if c.bound[v] {
		c.fail(e, "variable %s is bound twice", v.Name)
	}
	c.bound[v], c.scope[v] = true, true
}

// exprs checks expressions that have array types.
func (c *checker) exprs(es []Expr) {
	for _, e := range es {
		c.expr(e)
	}
}

// expr checks e, whose parent is no application of an op.
func (c *checker) expr(e Expr) {
	if c.bad != nil {
		return
	}
	switch e := e.(type) {
	case *Lit:
		c.lit(e)
	case *Ref:
		if e.Var == nil || !c.scope[e.Var] {
			c.fail(e, "a variable is used outside its scope")
		}
	case *Vec:
		c.vec(e)
	case *Let:
		c.lets(e)
	case *Apply:
		c.apply(e)
	case *Lam:
		c.fail(e, "a function where a value belongs")
	case *Call:
		c.call(e)
	case *If:
		c.conditional(e)
	case *Tuple:
		c.exprs(e.Elems)
	case *Proj:
		c.expr(e.X)
		if ty, ok := e.X.Type().(*TupleType); c.bad == nil && (!ok || e.I < 0 || e.I >= len(ty.Elems)) {
			c.fail(e, "there is no such component")
		}
	default:
		c.fail(nil, "an expression is missing")
	}
}

func (c *checker) lit(e *Lit) {
	v := e.Value
	n := map[array.Elem]int{
		array.Bool: len(v.Bools), array.Int: len(v.Ints), array.Double: len(v.Doubles),
		array.Char: len(v.Chars), array.Complex: len(v.Complexes),
	}[v.Elem]
	if n != v.Len() {
		c.fail(nil, "a constant of shape %v has %d elements", v.Shape, n)
	} else if !Consistent(e.Ty, LitType(v)) {
		c.fail(e, "a constant of type %v", e.Ty)
	}
}

func (c *checker) vec(e *Vec) {
	c.exprs(e.Elems)
	if len(e.Elems) == 0 {
		c.fail(e, "a vector of nothing")
	}
	for _, x := range e.Elems {
		if ty, ok := x.Type().(*Array); c.bad == nil && (!ok || !IsRank(ty, 0) || ty.Elem != e.Ty.Elem) {
			c.fail(e, "an item has type %v", x.Type())
		}
	}
	if c.bad == nil && !Consistent(e.Ty, NewVec(e.Where, e.Elems...).Ty) {
		c.fail(e, "a vector has type %v", e.Ty)
	}
}

func (c *checker) lets(e Expr) {
	var vars []*Var
	for c.bad == nil {
		let, ok := e.(*Let)
		if !ok {
			c.expr(e)
			break
		}
		c.expr(let.Bind)
		c.bind(let, let.Var)
		if c.bad == nil && !Consistent(let.Var.Type, let.Bind.Type()) {
			c.fail(let.Bind, "%s has type %v, its value %v", let.Var.Name, let.Var.Type, let.Bind.Type())
		}
		vars = append(vars, let.Var)
		e = let.Body
	}
	for _, v := range vars {
		delete(c.scope, v)
	}
}

func (c *checker) apply(e *Apply) {
	types := make([]Type, len(e.Args))
	for i, a := range e.Args {
		if lam, ok := a.(*Lam); ok {
			c.lambda(e, lam)
		} else {
			c.expr(a)
		}
		if sub, ok := a.(*Apply); ok && sub.Op == OpAll && Arity(e.Op) >= 0 {
			c.fail(e, "an elided index outside index and update")
		}
		if c.bad != nil {
			return
		}
		types[i] = a.Type()
	}
	if e.Ty == nil || e.Op != OpAll && !concrete(e.Ty) {
		c.fail(e, "an application without a type")
		return
	}
	given, bad := ResultType(e.Op, types, e.Axis, e.Ks)
	switch {
	case bad != nil && bad.Code == CertainFault, e.Op == OpReadNpy, e.Op == OpReceive, e.Op == OpReadCSV:
	case bad != nil:
		c.fail(e, "%s", bad.Message())
	case !Consistent(e.Ty, given):
		c.fail(e, "%v has type %v, its arguments give %v", e.Op, e.Ty, given)
	}
	if bad != nil {
		return
	}
	if err := Conforms(e.Op, types, e.Ty); err != nil {
		c.fail(e, "%v", err)
	}
}

func (c *checker) lambda(e *Apply, f *Lam) {
	for _, p := range f.Params {
		c.bind(e, p)
	}
	if c.bad == nil {
		c.expr(f.Body)
	}
	for _, p := range f.Params {
		delete(c.scope, p)
	}
}

func (c *checker) call(e *Call) {
	c.exprs(e.Args)
	switch {
	case c.bad != nil:
	case !c.funcs[e.Fn]:
		c.fail(e, "a function that is not in the program is called")
	case len(e.Args) != len(e.Fn.Params):
		c.fail(e, "%s takes %d arguments", e.Fn.Name, len(e.Fn.Params))
	case !fitsParam(e.Ty, e.Fn.Result):
		c.fail(e, "the call has type %v, the function's result %v", e.Ty, e.Fn.Result)
	default:
		for i, p := range e.Fn.Params {
			if !fitsParam(e.Args[i].Type(), p.Type) {
				c.fail(e, "argument %d has type %v, the parameter %v", i+1, e.Args[i].Type(), p.Type)
			}
		}
	}
}

// fitsParam is Consistent for types of a caller and of a function, whose size
// variables have nothing to do with each other.
func fitsParam(a, p Type) bool { return Consistent(a, ConstantPart(p)) }

// ConstantPart returns ty without sizes that mention variables.
func ConstantPart(ty Type) Type {
	switch ty := ty.(type) {
	case *Array:
		c := *ty
		c.Extents, c.Values = constantsOf(ty.Extents), constantsOf(ty.Values)
		return &c
	case *TupleType:
		c := &TupleType{Shape: ty.Shape, Proto: ty.Proto}
		for _, e := range ty.Elems {
			c.Elems = append(c.Elems, ConstantPart(e))
		}
		return c
	}
	return ty
}

func constantsOf(sizes []Size) []Size {
	if sizes == nil {
		return nil
	}
	all := make([]Size, len(sizes))
	for i, s := range sizes {
		if all[i] = s; len(s.Terms) > 0 {
			all[i] = AnySize
		}
	}
	return all
}

func (c *checker) conditional(e *If) {
	c.exprs([]Expr{e.Cond, e.Then, e.Else})
	if c.bad != nil {
		return
	}
	if ty, ok := e.Cond.Type().(*Array); !ok || ty.Elem != array.Bool || !IsRank(ty, 0) {
		c.fail(e, "a condition has type %v", e.Cond.Type())
	}
	for _, x := range []Expr{e.Then, e.Else} {
		if !Consistent(x.Type(), e.Ty) {
			c.fail(e, "a branch has type %v, the whole %v", x.Type(), e.Ty)
		}
	}
}
