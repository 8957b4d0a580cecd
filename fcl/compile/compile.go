package compile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Plan is a compiled program.
type Plan struct {
	Kernels []*kernel.Kernel
	Host    []kernel.Stmt
	Inputs  []*Input
	Result  Result
	Sites   []Site // of faults; from 1
	Params  map[string]int64
}

// Input is an argument of main: a number that the plan has as Value, a number that is
// known when it runs, or an array with its length.
type Input struct {
	Value *scalar.Scalar
	Var   *kernel.Var
	Array *kernel.Array
	Len   *kernel.Var
}

// Result is what main gives: a kernel.Expr that the host computes, a *Pull that is stored,
// or a list of results.
type Result interface{}

// Site is a place of the source where a fault can happen.
type Site struct {
	Op   string // of the check
	Code diag.Code
	At   diag.Span
}

// Fault returns the error that is raised there.
func (s Site) Fault(message string) *diag.Error {
	e := diag.Errorf(s.Code, s.At, "%s", message)
	if s.Op == "same" {
		e.Fix = scalar.LengthsHelp
	}
	return e
}

// Argument says what is known of an argument of main: its value, or the length of an array,
// or only its type. Proofs use the length; the code reads it when it runs.
type Argument struct {
	Type   types.Type
	Value  *scalar.Scalar
	Length *int64
}

// Compile compiles a use of main. The error is a *diag.Error.
func Compile(use *types.Use, info *types.Info, params map[string]int64, args []Argument) (*Plan, error) {
	return compiled(&compiler{info: info, plan: &Plan{Params: params}, sites: map[Site]int{}}, use, args)
}

// Trusted is Compile without checks for arguments that are known only when the plan runs, and fit.
func Trusted(use *types.Use, info *types.Info, params map[string]int64) (*Plan, error) {
	var args []Argument
	t := types.Substitution{Use: use}.Type(use.Scheme.Type)
	for f, ok := types.Find(t).(*types.Fun); ok; f, ok = types.Find(f.To).(*types.Fun) {
		args = append(args, Argument{Type: f.From})
	}
	return compiled(&compiler{info: info, plan: &Plan{Params: params}, sites: map[Site]int{}, trust: true}, use, args)
}

func compiled(c *compiler, use *types.Use, args []Argument) (p *Plan, err error) {
	c.body = &c.plan.Host
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*diag.Error)
			if !ok {
				panic(r)
			}
			p, err = nil, e
		}
	}()
	at := use.Global.Fun.At
	v := c.global(use, diag.Span{})
	result := types.Substitution{Use: use}.Type(use.Scheme.Type)
	for _, a := range args {
		v = v.(Func)(c.input(a, at))
		result = types.Find(result.(*types.Fun).To)
	}
	c.plan.Result = c.finish(v, result, at)
	c.plan.Host, c.plan.Kernels = kernel.Fuse(c.plan.Host, c.plan.Kernels)
	for _, k := range c.plan.Kernels {
		k.Place()
	}
	c.plan.Host = kernel.Sweep(c.plan.Host, scalars(c.plan.Result)...)
	return c.plan, nil
}

// scalars returns what the host computes of a result.
func scalars(r Result) []kernel.Expr {
	switch r := r.(type) {
	case kernel.Expr:
		return []kernel.Expr{r}
	case *Pull:
		return []kernel.Expr{r.N}
	case []Result:
		var all []kernel.Expr
		for _, item := range r {
			all = append(all, scalars(item)...)
		}
		return all
	}
	return nil
}

// compiler makes code. body is where statements go; in is the kernel that it is in, nil for
// the host.
type compiler struct {
	info  *types.Info
	plan  *Plan
	body  *[]kernel.Stmt
	in    *kernel.Kernel
	names int
	sites map[Site]int
	given []kernel.Expr // the conditions that hold
	// foreign is the other compiler that uses a function, or nil; numbers are parameters that
	// the host knows.
	foreign *Outside
	numbers map[string]kernel.Expr
	loop    *recurrence // whose step is compiled, or nil
	trust   bool        // nothing is checked
}

// maxLength bounds the lengths that proofs assume.
const maxLength = 1 << 38

func (c *compiler) emit(s kernel.Stmt) { *c.body = append(*c.body, s) }

// block makes the statements that a function emits a list of their own.
func (c *compiler) block(f func()) []kernel.Stmt {
	outer := c.body
	var list []kernel.Stmt
	c.body = &list
	f()
	c.body = outer
	return list
}

// text returns a name for C that nothing else has.
func (c *compiler) text(name string) string {
	var b strings.Builder
	for _, r := range name {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' {
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		b.WriteString("x")
	}
	if c.foreign != nil {
		return c.foreign.fresh(b.String())
	}
	return fmt.Sprintf("%s_%d", b.String(), c.names)
}

// variable makes a variable.
func (c *compiler) variable(name string, t types.Scalar) *kernel.Var {
	c.names++
	return &kernel.Var{Name: c.text(name), ID: c.names, Of: t, Host: c.in == nil}
}

// index makes the variable of a loop over 0 … n-1.
func (c *compiler) index(n kernel.Expr) *kernel.Var {
	v := c.variable("i", types.Int)
	v.Lo, v.Hi = kernel.Int(0), kernel.Apply("-", n, kernel.Int(1))
	return v
}

// share gives the scalars of a value variables, unless they are variables or constants.
func (c *compiler) share(name string, v Value) Value {
	switch v := v.(type) {
	case kernel.Expr:
		if kernel.Atomic(v) {
			return v
		}
		made := c.variable(name, v.Type())
		made.Def = v
		c.emit(&kernel.Decl{Var: made, Init: v})
		return made
	case Tuple:
		t := make(Tuple, len(v))
		for i, item := range v {
			t[i] = c.share(name, item)
		}
		return t
	}
	return v
}

// where calls a function for code that runs where a condition holds.
func (c *compiler) where(cond kernel.Expr, f func() Value) Value {
	c.given = append(c.given, cond)
	defer func() { c.given = c.given[:len(c.given)-1] }()
	return f()
}

// check returns an index that is in an array of n elements.
func (c *compiler) check(i, n kernel.Expr, site int) kernel.Expr {
	if c.trusted() {
		return i
	}
	return kernel.Check(i, n, site, c.given...)
}

// site numbers a place where a fault can happen.
func (c *compiler) site(op string, code diag.Code, at diag.Span) int {
	s := Site{op, code, at}
	n, ok := c.sites[s]
	if !ok {
		c.plan.Sites = append(c.plan.Sites, s)
		n = len(c.plan.Sites)
		c.sites[s] = n
	}
	return n
}

// input makes an argument of main. The items of a tuple are arguments of their own.
func (c *compiler) input(a Argument, at diag.Span) Value {
	if t, ok := types.Find(a.Type).(*types.Tuple); ok {
		all := make(Tuple, len(t.Items))
		for i, item := range t.Items {
			all[i] = c.input(Argument{Type: item}, at)
		}
		return all
	}
	in := &Input{Value: a.Value}
	c.plan.Inputs = append(c.plan.Inputs, in)
	switch t := types.Find(a.Type).(type) {
	case types.Scalar:
		if a.Value != nil {
			return &kernel.Const{Value: *a.Value}
		}
		in.Var = c.variable("arg", t)
		return in.Var
	case *types.Pull:
		if elem, ok := types.Find(t.Elem).(types.Scalar); ok {
			in.Len = c.variable("n", types.Int)
			in.Len.Lo, in.Len.Hi = kernel.Int(0), kernel.Int(maxLength)
			if a.Length != nil {
				in.Len.Lo, in.Len.Hi = kernel.Int(*a.Length), kernel.Int(*a.Length)
			}
			in.Array = c.memory("arg", elem, kernel.Global, in.Len).(*kernel.Array)
			return &Pull{in.Len, func(i kernel.Expr) Value { return load(in.Array, i) }, in.Array}
		}
	}
	unsupported(at, "arguments of main are scalars, arrays of scalars, and tuples of them, not %s", types.Text(a.Type))
	return nil
}

// finish makes the code that runs and stores what main gives, which has a type.
func (c *compiler) finish(v Value, t types.Type, at diag.Span) Result {
	t = types.Find(t)
	switch v := v.(type) {
	case *Program:
		return c.finish(v.Run(), t.(*types.Program).Of, at)
	case *Push:
		return c.force(v, types.Grid, t.(*types.Push).Elem, "out", at)
	case *Pull:
		return c.finishPull(v, t.(*types.Pull).Elem, at)
	case Tuple:
		all := make([]Result, len(v))
		for i, item := range v {
			all[i] = c.finish(item, t.(*types.Tuple).Items[i], at)
		}
		return all
	case kernel.Expr:
		return c.share("out", v)
	}
	unsupported(at, "main gives %s, which cannot be printed", types.Text(t))
	return nil
}

func (c *compiler) finishPull(v *Pull, elem types.Type, at diag.Span) Result {
	if v.Stored != nil {
		return v
	}
	switch types.Find(elem).(type) {
	case types.Scalar, *types.Tuple:
		return c.force(c.pushed(v, types.Grid, at), types.Grid, elem, "out", at)
	}
	unsupported(at, "main gives an array of %s, which cannot be stored", types.Text(elem))
	return nil
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
