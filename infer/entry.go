package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Entry returns the typed program of one function, which is called from outside for
// arguments of the given types: that of ⍵, or those of ⍺ and ⍵. The types have element
// types and ranks; extents are not known. The function is that of the only statement of
// p, a definition of a dfn, in which what is known has been defined, in order. Its main
// expression is the empty tuple.
//
// An argument may be a strand, whose arrays are parameters of their own.
//
// The parameters of the program's entry are the arguments and, behind them, the values
// of the known variables whose names are returned. The error is a diag.List.
func Entry(p *apl.Program, known []Known, args []tail.Type, o Options) (prog *tail.Program, captured []string, err error) {
	if places := p.Dynamic(); len(places) > 0 {
		return nil, nil, places
	}
	g := newInfer(p, o)
	var inst *instance
	g.block(func() tail.Expr {
		g.recall(known)
		g.statements(p.Body)
		if len(g.errs) == 0 {
			if err := g.try(func() { inst = g.entry(p.Body[0].(*apl.FuncDef), args) }); err != nil {
				g.errs = append(g.errs, err)
			}
		}
		return &tail.Tuple{}
	})
	if err := g.errs.Err(); err != nil {
		return nil, nil, err
	}
	g.prog.Main, g.prog.Entry = &tail.Tuple{}, g.uncalled(inst.fn)
	for _, c := range inst.captures {
		if c.param != nil {
			captured = append(captured, c.name)
		}
	}
	return g.prog, captured, nil
}

// uncalled returns a function that does what f does, that nothing calls, and whose
// parameters are arrays: f itself, or one that calls it.
func (g *infer) uncalled(f *tail.Func) *tail.Func {
	if !f.Recursive && !slices.ContainsFunc(f.Params, func(p *tail.Var) bool { return isTuple(&tail.Ref{Var: p}) }) {
		return f
	}
	outer := &tail.Func{Name: g.uniqueName("entry"), Result: f.Result, Where: f.Where}
	call := &tail.Call{At: tail.At{Where: f.Where}, Fn: f, Ty: f.Result}
	for _, p := range f.Params {
		call.Args = append(call.Args, outerParam(outer, p))
	}
	outer.Body = call
	g.prog.Funcs = append(g.prog.Funcs, outer)
	return outer
}

// outerParam gives a function the parameters that make up one of a function that it
// calls, and returns the argument of the call.
func outerParam(outer *tail.Func, p *tail.Var) tail.Expr {
	t, ok := p.Type.(*tail.TupleType)
	if !ok {
		v := &tail.Var{Name: p.Name, Type: p.Type, Size: p.Size}
		outer.Params = append(outer.Params, v)
		return &tail.Ref{Var: v}
	}
	all := &tail.Tuple{Shape: t.Shape, Proto: t.Proto}
	for _, e := range t.Elems {
		all.Elems = append(all.Elems, outerParam(outer, &tail.Var{Name: p.Name, Type: e, Size: p.Size}))
	}
	return all
}

// entry specialises the function of a definition for arguments of the given types.
func (g *infer) entry(def *apl.FuncDef, args []tail.Type) *instance {
	c, ok := g.scope.names[def.Name.Ident].fn.(*closure)
	if !ok {
		g.fail(diag.NotCompiled, def.Span(), "a function that is no dfn is called from outside")
	}
	general := newGeneraliser(g.options.Exact)
	types := make([]tail.Type, len(args))
	for i, a := range args {
		types[i] = general.generalise(a)
	}
	return g.build(c, c.identity(g)+keyOf(types), types, general, nil, site{fn: def.Span()})
}
