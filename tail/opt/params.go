package opt

import "github.com/tailor-lang/tailor/tail"

// params narrows the types of parameters to what the arguments of all calls
// have in common: extents and values that are the same constant everywhere.
//
// Requires: nothing. Preserves: the body but for types. Leaves types that are
// less precise than they could be; run simplify after.
//
//	fun f (x:<int>n, y:int) : <int>n = each(fn e:int => addi(e,y),x)
//	main = print(f([1,2,3],5))
//
// becomes
//
//	fun f (x:<int>3, y:S(int,5)) : <int>3 = …
func params(o *optimiser) {
	joins := map[*tail.Func][]tail.Type{}
	visit := func(e tail.Expr) {
		tail.Walk(e, func(e tail.Expr) bool {
			if c, ok := e.(*tail.Call); ok {
				joins[c.Fn] = joinArguments(joins[c.Fn], c)
			}
			return true
		})
	}
	early := calledEarly(o.p)
	visit(o.p.Main)
	for i := len(o.p.Funcs) - 1; i >= 0; i-- {
		f := o.p.Funcs[i]
		if types := joins[f]; types != nil && !early[f] {
			narrow(f, types)
		}
		visit(f.Body)
	}
	for f := range early {
		if types := joins[f]; types != nil {
			narrow(f, types)
		}
	}
}

// calledEarly returns the functions that are called by themselves or by a
// function that stands before them.
func calledEarly(p *tail.Program) map[*tail.Func]bool {
	early, done := map[*tail.Func]bool{}, map[*tail.Func]bool{}
	for _, f := range p.Funcs {
		tail.Walk(f.Body, func(e tail.Expr) bool {
			if c, ok := e.(*tail.Call); ok && !done[c.Fn] {
				early[c.Fn] = true
			}
			return true
		})
		done[f] = true
	}
	return early
}

// joinArguments joins what is constant in the types of the arguments of c with
// types. A parameter that is passed on to itself says nothing.
func joinArguments(types []tail.Type, c *tail.Call) []tail.Type {
	joined := make([]tail.Type, len(c.Args))
	copy(joined, types)
	for i, a := range c.Args {
		if r, ok := a.(*tail.Ref); ok && r.Var == c.Fn.Params[i] {
			continue
		}
		ty := tail.ConstantPart(a.Type())
		if joined[i] == nil {
			joined[i] = ty
		} else if join, ok := tail.Join(joined[i], ty); ok {
			joined[i] = join
		} else {
			joined[i] = tail.ConstantPart(c.Fn.Params[i].Type)
		}
	}
	return joined
}

// narrow gives the parameters of f the types that all arguments have.
func narrow(f *tail.Func, types []tail.Type) {
	sizes := map[string]tail.Size{}
	for i, p := range f.Params {
		if types[i] == nil {
			types[i] = tail.ConstantPart(p.Type)
		}
		matchTypes(p.Type, types[i], sizes)
	}
	changed := len(sizes) > 0
	vars := map[*tail.Var]tail.Expr{}
	fresh := make([]*tail.Var, len(f.Params))
	for i, p := range f.Params {
		ty := tail.SubstSizes(p.Type, sizes)
		if !tail.Consistent(ty, types[i]) {
			return
		}
		fresh[i] = &tail.Var{Name: p.Name, Type: tail.Meet(ty, types[i])}
		vars[p] = &tail.Ref{Var: fresh[i]}
		changed = changed || !tail.Equal(fresh[i].Type, p.Type)
	}
	if !changed {
		return
	}
	f.Body = tail.CopyWith(f.Body, vars, sizes)
	f.Params = fresh
	f.Result = tail.SubstSizes(f.Result, sizes)
}
