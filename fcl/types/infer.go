package types

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Infer finds the types of a function and of those it uses, and adds what it finds to
// info. The error is a *diag.Error.
func Infer(g *Global, info *Info) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*diag.Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	(&inferrer{info: info}).global(g)
	return nil
}

// inferrer infers the types of one function. Its methods panic with a *diag.Error.
type inferrer struct {
	info      *Info
	current   *Global
	depth     int
	vars      []*Var // all that were made
	levelVars []*LevelVar
	levels    map[string]*LevelVar // those with names
}

// scope is the environment of local names: a list, the innermost first.
type scope struct {
	name   string
	scheme *Scheme
	outer  *scope
}

func (s *scope) bind(name string, scheme *Scheme) *scope {
	if name == "_" {
		return s
	}
	return &scope{name, scheme, s}
}

func (s *scope) find(name string) *Scheme {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return s.scheme
		}
	}
	return nil
}

func (in *inferrer) fail(code diag.Code, at diag.Span, format string, args ...any) {
	panic(diag.Errorf(code, at, format, args...))
}

func (in *inferrer) fresh(k Kind) *Var {
	v := &Var{Kind: k, depth: in.depth}
	in.vars = append(in.vars, v)
	return v
}

func (in *inferrer) freshLevel() Level {
	v := &LevelVar{depth: in.depth}
	in.levelVars = append(in.levelVars, v)
	return Level{Var: v}
}

// global infers a function of the program, unless that has been done.
func (in *inferrer) global(g *Global) *Scheme {
	switch {
	case g.Scheme != nil:
		return g.Scheme
	case g.busy:
		in.fail(diag.RecursiveType, g.Fun.At, "%q calls itself: FCL has no recursion; use power, while or seqfor", g.Fun.Name)
	}
	g.busy = true
	inner := &inferrer{info: in.info, current: g, levels: map[string]*LevelVar{}}
	g.Scheme = inner.function()
	g.busy = false
	return g.Scheme
}

// function infers the current function.
func (in *inferrer) function() *Scheme {
	f := in.current.Fun
	in.depth = 1
	var scheme *Scheme
	if in.current.Sig != nil {
		scheme = in.against(f)
	} else {
		levels := in.bindLevels(f.Levels)
		t := in.lambda(nil, f.Params, f.Body, nil)
		scheme = in.generalise(t, 0, levels)
	}
	in.settle()
	return scheme
}

// against infers a function that has a signature.
func (in *inferrer) against(f *syntax.Fun) *Scheme {
	sig := in.current.Sig
	scheme, fault := signature(sig)
	if fault != nil {
		panic(fault)
	}
	if n, m := len(f.Levels), len(sig.Levels); n > 0 && n != m {
		in.fail(diag.FaultyAnnotation, f.At, "%q has %s, but its signature %d", f.Name, diag.Count(n, "level variable", "level variables"), m)
	}
	for i, l := range scheme.Levels {
		in.levels[l.Name] = l
		if len(f.Levels) > 0 {
			in.levels[f.Levels[i]] = l
		}
	}
	in.lambda(nil, f.Params, f.Body, scheme.Type)
	return scheme
}

// bindLevels makes rigid variables for the level variables of a function or binding.
func (in *inferrer) bindLevels(names []string) []*LevelVar {
	var all []*LevelVar
	for _, name := range names {
		v := &LevelVar{Name: name, Rigid: true, depth: in.depth}
		in.levels[name] = v
		all = append(all, v)
	}
	return all
}

// lambda infers a function of parameters. Where want is set the signature says that.
func (in *inferrer) lambda(env *scope, params []syntax.Pattern, body syntax.Expr, want Type) Type {
	var froms []Type
	for _, p := range params {
		var t Type
		t, env = in.pattern(env, p)
		if want != nil {
			want = in.parameter(p, t, want, len(params))
		}
		froms = append(froms, t)
	}
	t := in.expr(env, body)
	if want != nil {
		in.match(t, want, func(n *namer) *diag.Error {
			e := diag.Errorf(diag.WrongType, body.Span(), "the body of %q has type %s, but its signature says %s", in.current.Fun.Name, n.text(t), n.text(want))
			e.Notes = []diag.Note{{Span: in.current.Sig.Scheme, Message: "the signature"}}
			return e
		})
	}
	for _, from := range slices.Backward(froms) {
		t = &Fun{from, t}
	}
	return t
}

// parameter matches a parameter with the signature, and returns what that says of the rest.
func (in *inferrer) parameter(p syntax.Pattern, t, want Type, params int) Type {
	f, ok := Find(want).(*Fun)
	if !ok {
		e := diag.Errorf(diag.WrongType, p.At, "%q has %s, but its signature says fewer", in.current.Fun.Name, diag.Count(params, "parameter", "parameters"))
		e.Notes = []diag.Note{{Span: in.current.Sig.Scheme, Message: "the signature"}}
		panic(e)
	}
	in.match(t, f.From, func(n *namer) *diag.Error {
		return diag.Errorf(diag.WrongType, p.At, "the parameter is a tuple, but the signature says %s", n.text(f.From))
	})
	return f.To
}

// pattern gives the names of a pattern variables as types.
func (in *inferrer) pattern(env *scope, p syntax.Pattern) (Type, *scope) {
	if !p.Tuple {
		v := in.fresh(TYP)
		return v, env.bind(p.Name, &Scheme{Type: v})
	}
	t := &Tuple{}
	for _, q := range p.Items {
		var item Type
		item, env = in.pattern(env, q)
		t.Items = append(t.Items, item)
	}
	return t, env
}

// match makes two types equal, or fails with what the function makes; kinds that do not
// fit, and types that are part of themselves, become notes. The first type is that of an
// expression, the second one is needed.
func (in *inferrer) match(a, b Type, fault func(n *namer) *diag.Error) {
	u := &unifier{}
	c := u.unify(a, b)
	if c == fits {
		return
	}
	n := newNamer()
	e := fault(n)
	switch c {
	case wrongKind:
		e.Notes = append(e.Notes, diag.Note{Message: fmt.Sprintf("%s is not of kind %s (%s)", n.text(u.unkind), u.kind, u.kind.doc())})
	case infinite:
		e.Notes = append(e.Notes, diag.Note{Message: "a type would be part of itself"})
	case levelsDiffer:
		e.Notes = append(e.Notes, diag.Note{Message: "the levels differ"})
	}
	if e.Fix == "" {
		e.Fix = n.advice(a, b)
	}
	panic(e)
}

// expr infers an expression and notes its type.
func (in *inferrer) expr(env *scope, e syntax.Expr) Type {
	t := in.typeOf(env, e)
	in.info.Types[e] = t
	return t
}

func (in *inferrer) typeOf(env *scope, e syntax.Expr) Type {
	switch e := e.(type) {
	case *syntax.Number:
		if e.Float {
			return in.fresh(FLOAT)
		}
		return in.fresh(NUM)
	case *syntax.Bool:
		return Bool
	case *syntax.Param:
		return Int
	case *syntax.Name:
		return in.name(env, e)
	case *syntax.Tuple:
		t := &Tuple{}
		for _, item := range e.Items {
			t.Items = append(t.Items, in.expr(env, item))
		}
		return t
	case *syntax.Fn:
		from, inner := in.pattern(env, e.Param)
		return &Fun{from, in.expr(inner, e.Body)}
	case *syntax.Apply:
		return in.apply(env, e)
	case *syntax.Binary:
		return in.binary(env, e)
	case *syntax.Unary:
		return in.unary(env, e)
	case *syntax.If:
		return in.conditional(env, e)
	case *syntax.Let:
		return in.expr(in.binding(env, &e.Binding), e.Body)
	case *syntax.Do:
		return in.do(env, e)
	}
	panic(fmt.Sprintf("types: expression %T", e))
}

func (in *inferrer) name(env *scope, e *syntax.Name) Type {
	use, builtin := &Use{}, e.Name
	if s := ScalarNamed(e.Name); s != NoScalar {
		builtin = s.String()
	}
	if use.Scheme = env.find(e.Name); use.Scheme == nil {
		if use.Global = in.current.Scope.find(e.Name); use.Global != nil {
			use.Scheme = in.global(use.Global)
		} else if use.Scheme = BuiltinSchemes()[builtin]; use.Scheme != nil {
			use.Builtin = builtin
		} else {
			in.unknown(env, e)
		}
	}
	in.info.Uses[e] = use
	for range use.Scheme.Levels {
		use.Levels = append(use.Levels, in.freshLevel())
	}
	for _, v := range use.Scheme.Vars {
		use.Types = append(use.Types, in.fresh(v.Kind))
	}
	in.levelArgs(e, use)
	return Substitution{use, nil}.Type(use.Scheme.Type)
}

// levelArgs gives the level variables of a use the levels that are written.
func (in *inferrer) levelArgs(e *syntax.Name, use *Use) {
	if n := len(e.Levels); n > len(use.Levels) {
		in.fail(diag.WrongCount, e.At, "%q takes %s, not %d", e.Name, diag.Count(len(use.Levels), "level", "levels"), n)
	}
	for i, l := range e.Levels {
		made := in.level(l)
		if !unifyLevels(use.Levels[i], made) {
			in.fail(diag.WrongType, l.At, "%q cannot be at level %s", e.Name, LevelText(made))
		}
	}
}

func (in *inferrer) level(l syntax.Level) Level {
	made, ok := levelNamed(l, func(name string) *LevelVar { return in.levels[name] })
	if !ok {
		e := diag.Errorf(diag.UnknownName, l.At, "there is no level %q; the levels are thread, warp, block, grid, and the level variables of the function", l.Base)
		e.Fix = diag.DidYouMean(l.Base, slices.AppendSeq([]string{"thread", "warp", "block", "grid"}, maps.Keys(in.levels)))
		panic(e)
	}
	return made
}

func (in *inferrer) apply(env *scope, e *syntax.Apply) Type {
	f := in.expr(env, e.Fn)
	return in.applied(f, e.Fn, in.expr(env, e.Arg), e.Arg)
}

// applied returns the result of a function of one type on an argument of another.
func (in *inferrer) applied(f Type, fn syntax.Expr, arg Type, at syntax.Expr) Type {
	what, number := function(fn)
	if v, ok := Find(f).(*Var); ok && !v.Rigid {
		to := in.fresh(TYP)
		in.match(v, &Fun{arg, to}, func(n *namer) *diag.Error {
			return diag.Errorf(diag.WrongType, fn.Span(), "%s is applied, but is no function", what)
		})
		return to
	}
	t, ok := Find(f).(*Fun)
	if !ok {
		if number > 1 {
			in.fail(diag.WrongValence, at.Span(), "%s takes %s; the result is %s, which cannot be applied", what, diag.Count(number-1, "argument", "arguments"), Text(f))
		}
		in.fail(diag.WrongType, fn.Span(), "%s has type %s and cannot be applied", what, Text(f))
	}
	in.match(arg, t.From, func(n *namer) *diag.Error {
		need := n.text(t.From)
		e := diag.Errorf(diag.WrongType, at.Span(), "argument %d of %s has type %s, but must be %s", number, what, n.text(arg), need)
		if name, ok := head(fn).(*syntax.Name); ok {
			if use := in.info.Uses[name]; use != nil && len(use.Scheme.Vars)+len(use.Scheme.Levels) > 0 {
				e.Notes = append(e.Notes, diag.Note{Message: name.Name + " : " + use.Scheme.String()})
			}
		}
		e.Fix = laterArgument(arg, t.To, number)
		return e
	})
	return t.To
}

// head returns the function of an application to several arguments.
func head(e syntax.Expr) syntax.Expr {
	for {
		a, ok := e.(*syntax.Apply)
		if !ok {
			return e
		}
		e = a.Fn
	}
}

// function returns how messages call a function, and the number of its next argument.
func function(e syntax.Expr) (string, int) {
	n := 1
	for {
		switch f := e.(type) {
		case *syntax.Apply:
			n++
			e = f.Fn
			continue
		case *syntax.Name:
			return fmt.Sprintf("%q", f.Name), n
		}
		return "the function", n
	}
}

func (in *inferrer) binary(env *scope, e *syntax.Binary) Type {
	left := in.expr(env, e.Left)
	right := in.expr(env, e.Right)
	if e.Op == "|>" {
		return in.applied(right, e.Right, left, e.Left)
	}
	from, to := in.operator(e.Op)
	fault := func(t Type) func(n *namer) *diag.Error {
		return func(n *namer) *diag.Error {
			d := diag.Errorf(diag.WrongType, e.Span(), "%q takes two numbers of one type, not %s and %s", e.Op, n.text(left), n.text(right))
			if v, ok := from.(*Var); !ok || v.Kind == SCALAR {
				d.Message = fmt.Sprintf("%q takes two of %s, not %s and %s", e.Op, n.text(from), n.text(left), n.text(right))
			}
			d.Operands = [2]diag.Span{e.Left.Span(), e.Right.Span()}
			d.Fix = n.operandAdvice(e, t, from)
			return d
		}
	}
	in.match(left, from, fault(left))
	in.match(right, from, fault(right))
	return to
}

// operator returns the type of the operands of an operator and that of the result.
func (in *inferrer) operator(op string) (from, to Type) {
	s := BuiltinSchemes()[op]
	use := &Use{Scheme: s}
	for _, v := range s.Vars {
		use.Types = append(use.Types, in.fresh(v.Kind))
	}
	f := Substitution{use, nil}.Type(s.Type).(*Fun)
	if g, ok := f.To.(*Fun); ok {
		return f.From, g.To
	}
	return f.From, f.To
}

func (in *inferrer) unary(env *scope, e *syntax.Unary) Type {
	name := "neg"
	if e.Op == "!" {
		name = "not"
	}
	from, to := in.operator(name)
	x := in.expr(env, e.X)
	in.match(x, from, func(n *namer) *diag.Error {
		return diag.Errorf(diag.WrongType, e.X.Span(), "%q does not take %s", e.Op, n.text(x))
	})
	return to
}

func (in *inferrer) conditional(env *scope, e *syntax.If) Type {
	c := in.expr(env, e.Cond)
	in.match(c, Bool, func(n *namer) *diag.Error {
		return diag.Errorf(diag.WrongType, e.Cond.Span(), "the condition of an if has type %s, but must be bool", n.text(c))
	})
	then := in.expr(env, e.Then)
	other := in.expr(env, e.Else)
	in.match(then, other, func(n *namer) *diag.Error {
		d := diag.Errorf(diag.WrongType, e.Span(), "the branches of an if have types %s and %s", n.text(then), n.text(other))
		d.Operands = [2]diag.Span{e.Then.Span(), e.Else.Span()}
		return d
	})
	if u := (&unifier{}); !u.restrict(then, BT) {
		d := diag.Errorf(diag.WrongType, e.Span(), "the branches of an if must be %s, and this is %s", BT.doc(), Text(then))
		d.Fix = branchAdvice(then)
		panic(d)
	}
	return then
}

// binding infers what a let binds, and returns the environment with it.
func (in *inferrer) binding(env *scope, b *syntax.Binding) *scope {
	if !generalises(b) {
		t := in.expr(env, b.Value)
		return in.bindPattern(env, b.Pattern, t, b.Value)
	}
	in.depth++
	levels := in.bindLevels(b.Levels)
	t := in.lambda(env, b.Params, b.Value, nil)
	in.depth--
	scheme := in.generalise(t, in.depth, levels)
	in.info.Lets[b] = scheme
	return env.bind(b.Pattern.Name, scheme)
}

// generalises reports whether a binding defines a function.
func generalises(b *syntax.Binding) bool {
	_, fn := b.Value.(*syntax.Fn)
	return !b.Pattern.Tuple && (fn || len(b.Params)+len(b.Levels) > 0)
}

func (in *inferrer) bindPattern(env *scope, p syntax.Pattern, t Type, value syntax.Expr) *scope {
	made, env := in.pattern(env, p)
	in.match(t, made, func(n *namer) *diag.Error {
		return diag.Errorf(diag.WrongType, value.Span(), "%s is bound to a value of type %s", p, n.text(t))
	})
	return env
}

func (in *inferrer) do(env *scope, e *syntax.Do) Type {
	l := in.freshLevel()
	if e.Level != nil {
		l = in.level(*e.Level)
	}
	for i := range e.Steps {
		s := &e.Steps[i]
		if s.Let {
			env = in.binding(env, &s.Binding)
			continue
		}
		of := in.fresh(TYP)
		in.step(env, s.Value, &Program{l, of}, "a step let x = e names a value, x <- p the result of a program")
		env = in.bindPattern(env, s.Pattern, of, s.Value)
	}
	last := &Program{l, in.fresh(TYP)}
	in.step(env, e.Last, last, "")
	return last
}

// step infers a step of a do, which is a program at its level; value is the help on one that is none.
func (in *inferrer) step(env *scope, e syntax.Expr, want *Program, value string) {
	t := in.expr(env, e)
	in.match(t, want, func(n *namer) *diag.Error {
		d := diag.Errorf(diag.WrongType, e.Span(), "a step of do<%s> is a program at this level, but this has type %s", n.level(want.Level), n.text(t))
		if _, ok := Find(t).(*Program); !ok {
			d.Fix = value
		}
		return d
	})
}
