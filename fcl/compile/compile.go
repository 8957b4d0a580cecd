package compile

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/fcl/walk"
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
	return compiled(newCompiler(info, params), use, args)
}

// Trusted is Compile without checks for arguments that are known only when the plan runs, and fit.
func Trusted(use *types.Use, info *types.Info, params map[string]int64) (*Plan, error) {
	var args []Argument
	t := types.Substitution{Use: use}.Type(use.Scheme.Type)
	for f, ok := types.Find(t).(*types.Fun); ok; f, ok = types.Find(f.To).(*types.Fun) {
		args = append(args, Argument{Type: f.From})
	}
	c := newCompiler(info, params)
	c.trust = true
	return compiled(c, use, args)
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
	v := c.Global(use, diag.Span{})
	result := types.Substitution{Use: use}.Type(use.Scheme.Type)
	for _, a := range args {
		v = v.(Func)(c.input(a, at))
		result = types.Find(result.(*types.Fun).To)
	}
	c.plan.Result = c.finish(v, result, at)
	c.plan.Host, c.plan.Kernels = kernel.Fuse(c.plan.Host, c.plan.Kernels)
	for _, k := range c.plan.Kernels {
		if k.Undecided() {
			k.Group = min(k.Group, max(1, c.plan.Params["LoopGroup"]))
		}
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
	walk.Walker
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

func newCompiler(info *types.Info, params map[string]int64) *compiler {
	c := &compiler{plan: &Plan{Params: params}, sites: map[Site]int{}}
	c.Walker = walk.Walker{Info: info, Meaning: c}
	return c
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
	case Program:
		return c.finish(v(), t.(*types.Program).Of, at)
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
