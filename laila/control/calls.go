package control

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Functions lowers the functions of the program. Parameters and results are
// flattened: tuples are passed component by component.
func Functions(l *build.Lowering) {
	for _, f := range l.In.Funcs {
		l.Funcs[f] = &ir.Func{Name: f.Name, Recursive: f.Recursive, At: f.Where}
	}
	var called map[*tail.Func]*analysis.CallRanges
	if len(l.In.Funcs) > 0 && l.CPU() && l.On("narrow") {
		called = analysis.RangesOfCalls(l.In)
	}
	for _, f := range l.In.Funcs {
		signature(l, f, called[f])
	}
	for _, f := range l.In.Funcs {
		function(l, f)
		l.Out.Funcs = append(l.Out.Funcs, l.Funcs[f])
	}
}

// arrays lists the array types in a type.
func arrays(t tail.Type) []*tail.Array {
	switch t := t.(type) {
	case *tail.Array:
		return []*tail.Array{t}
	case *tail.TupleType:
		var all []*tail.Array
		for _, e := range t.Elems {
			all = append(all, arrays(e)...)
		}
		return all
	}
	panic("internal error: a function as a value")
}

// signature declares the parameters and the results of f. Integers of arrays are as
// narrow as the calls show that they may be.
func signature(l *build.Lowering, f *tail.Func, called *analysis.CallRanges) {
	out := l.Funcs[f]
	for _, p := range f.Params {
		for _, t := range arrays(p.Type) {
			out.Params = append(out.Params, l.Declared(build.Stem(p.Name), t))
		}
	}
	for _, t := range arrays(f.Result) {
		out.Results = append(out.Results, l.Declared("result", t))
	}
	if called == nil {
		return
	}
	for i := range out.Params {
		bounded(l, &out.Params[i], called.Params[i])
	}
	for i := range out.Results {
		bounded(l, &out.Results[i], called.Results[i])
	}
}

// bounded notes the range of the integers of a, which an array stores in few bytes.
func bounded(l *build.Lowering, a *ir.Array, r analysis.Range) {
	switch {
	case !r.Known || a.Elem != ir.I64:
	case a.Scalar != nil:
		l.Ranges[a.Scalar] = facts.Between(r.Low, r.High)
	default:
		l.Bufs[a.Buf] = facts.Between(r.Low, r.High)
		a.Elem = facts.Narrowest(l.Bufs[a.Buf])
		a.Buf.Elem = a.Elem
	}
}

// function lowers the body of f.
func function(l *build.Lowering, f *tail.Func) {
	g, out := l.Builder(), l.Funcs[f]
	l.Live.Walk(f.Params, f.Body)
	params := out.Params
	sizes := map[string]ir.Expr{}
	for _, p := range f.Params {
		var vs []*build.Value
		for _, t := range arrays(p.Type) {
			vs = append(vs, parameter(g, params[0], t, sizes))
			params = params[1:]
		}
		g.Env.Set(p, structured(p.Type, &vs))
	}
	if f.Recursive {
		g.Params = out.Params
	}
	outcomes(g, f.Body, out.Results)
	out.Body = g.Block(func() {
		returned(g, out.Results, leaves(g.Expr(f.Body)))
	})
	out.Body = append(out.Body, &ir.Return{})
}

// structured makes a value of type t from its leaves.
func structured(t tail.Type, vs *[]*build.Value) *build.Value {
	if t, ok := t.(*tail.TupleType); ok {
		v := &build.Value{Tup: []*build.Value{}}
		for _, e := range t.Elems {
			v.Tup = append(v.Tup, structured(e, vs))
		}
		return v
	}
	v := (*vs)[0]
	*vs = (*vs)[1:]
	return v
}

// parameter is the value of a parameter. Extents that the types know to be
// constant or equal are so in the body.
func parameter(g *build.Builder, a ir.Array, t *tail.Array, sizes map[string]ir.Expr) *build.Value {
	if a.Scalar != nil {
		return build.Scalar1(a.Scalar.Use())
	}
	dims := append([]ir.Expr{}, a.Dims...)
	for i := range dims {
		s := t.Extent(i)
		if c, ok := s.IsConst(); ok {
			dims[i] = ir.Integer(c)
		} else if s.Known() {
			if x, ok := sizes[s.String()]; ok {
				dims[i] = x
			} else {
				sizes[s.String()] = dims[i]
			}
		}
	}
	return build.Array1(g.Stored(build.KindOf(t.Elem), a.Buf, dims))
}

// outcomes notes the results of a function for the conditionals that give them.
func outcomes(g *build.Builder, e tail.Expr, results []ir.Array) {
	for let, ok := e.(*tail.Let); ok; let, ok = e.(*tail.Let) {
		e = let.Body
	}
	if e, ok := e.(*tail.If); ok {
		g.Outcomes[e] = results
		outcomes(g, e.Then, results)
		outcomes(g, e.Else, results)
	}
}

// returned assigns values to results, as settleInto does.
func returned(g *build.Builder, results []ir.Array, vs []*build.Value) {
	bufs := make([]*ir.Buf, len(results))
	for i, r := range results {
		if r.Scalar != nil {
			g.Emit(r.Scalar.Decl(vs[i].X))
			continue
		}
		bufs[i] = giveAway(g, vs[i].Arr, r.Buf.Elem)
	}
	for i, r := range results {
		if r.Scalar != nil {
			continue
		}
		g.Emit(&ir.DeclBuf{Buf: r.Buf}, &ir.Move{Dst: r.Buf, Src: bufs[i]})
		for k, d := range r.Dims {
			g.Emit(d.(*ir.Use).Var.Decl(vs[i].Arr.Dims[k]))
		}
	}
}

// Call calls a function.
func Call(g *build.Builder, e *tail.Call) *build.Value {
	vs := g.Args(e.Args)
	g.Force()
	fn := g.Funcs[e.Fn]
	c := &ir.Call{Fn: fn, At: e.Where}
	for _, v := range vs {
		for _, x := range leaves(v) {
			formal := fn.Params[len(c.Args)]
			if a, ok := part(g, e, x, formal.Elem); ok {
				c.Args = append(c.Args, a)
			} else {
				c.Args = append(c.Args, g.ArgumentOf(x, formal.Elem))
			}
		}
	}
	if fn.Recursive && g.On("handover") {
		letGo(g, e)
	}
	var results []*build.Value
	for i, t := range arrays(e.Ty) {
		a := g.Declared("r", t)
		received(g, &a, fn.Results[i])
		c.Results = append(c.Results, a)
		results = append(results, g.Received(a, t))
	}
	g.Emit(c)
	return structured(e.Ty, &results)
}

// received declares a as a result that a call gives.
func received(g *build.Builder, a *ir.Array, formal ir.Array) {
	if a.Scalar != nil {
		if r, ok := g.Ranges[formal.Scalar]; ok {
			g.Ranges[a.Scalar] = r
		}
		return
	}
	a.Elem, a.Buf.Elem = formal.Elem, formal.Elem
	if r, ok := g.Bufs[formal.Buf]; ok {
		g.Bufs[a.Buf] = r
	}
}

// part is an argument of a call that take or drop leaves of a stored array: it is
// passed where it is.
//
//	alloc a: f64[n]                      (r: f64) = f(w from k: f64[n])
//	segmap i = 0 … n
//	  a[i] = w[i + k]
//	(r: f64) = f(a: f64[n])
//
// A recursive function does so where the whole array is alive after the call in
// any case.
func part(g *build.Builder, e *tail.Call, v *build.Value, k ir.Kind) (ir.Array, bool) {
	p := v.Arr
	if p == nil || p.Buf != nil || p.Cut == nil || p.Cut.Buf.Elem != k || !g.On("cuts") {
		return ir.Array{}, false
	}
	b := p.Cut.Buf
	if owned, _ := g.Owns(b); owned && b.Stack == 0 && g.Params != nil && !g.Keeps(nil, b, g.Live.Times[e]) {
		return ir.Array{}, false
	}
	return ir.Array{Elem: k, Buf: b, Dims: p.Dims, At: g.Atom("at", p.Cut.At)}, true
}

// letGo stores arrays before a call that, while they are delayed, keep a
// parameter of more axes alive after it: a row of a matrix is copied, and the
// matrix freed.
func letGo(g *build.Builder, e *tail.Call) {
	for _, a := range g.Params {
		if a.Buf != nil && len(a.Dims) > 1 {
			g.LetGo(a.Buf, len(a.Dims), g.Live.Times[e])
		}
	}
}
