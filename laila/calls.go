package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// functions lowers the functions of the program. Parameters and results are
// flattened: tuples are passed component by component.
func (l *lowerer) functions() {
	for _, f := range l.in.Funcs {
		l.funcs[f] = &ir.Func{Name: f.Name, Recursive: f.Recursive}
	}
	for _, f := range l.in.Funcs {
		l.signature(f)
	}
	for _, f := range l.in.Funcs {
		l.function(f)
		l.Out.Funcs = append(l.Out.Funcs, l.funcs[f])
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

// declared makes the variables of an array of type t.
func (l *lowerer) declared(name string, t *tail.Array) ir.Array {
	k := kindOf(t.Elem)
	if t.Dims() == 0 {
		v := l.NewVar(name, k)
		l.steady[v] = true
		return ir.Array{Elem: k, Scalar: v}
	}
	a := ir.Array{Elem: k, Buf: &ir.Buf{Name: name, Elem: k}}
	for i := 0; i < t.Dims(); i++ {
		v := l.NewVar("d", ir.I64)
		l.Ranges[v] = facts.Between(0, facts.MaxExtent)
		l.steady[v] = true
		a.Dims = append(a.Dims, v.Use())
	}
	return a
}

func (l *lowerer) signature(f *tail.Func) {
	out := l.funcs[f]
	for _, p := range f.Params {
		for _, t := range arrays(p.Type) {
			out.Params = append(out.Params, l.declared(stem(p.Name), t))
		}
	}
	for _, t := range arrays(f.Result) {
		out.Results = append(out.Results, l.declared("result", t))
	}
}

// function lowers the body of f.
func (l *lowerer) function(f *tail.Func) {
	g, out := l.gen(), l.funcs[f]
	l.live.Walk(f.Params, f.Body)
	params := out.Params
	sizes := map[string]ir.Expr{}
	for _, p := range f.Params {
		var vs []*value
		for _, t := range arrays(p.Type) {
			vs = append(vs, g.parameter(params[0], t, sizes))
			params = params[1:]
		}
		g.env.set(p, structured(p.Type, &vs))
	}
	if f.Recursive {
		g.params = out.Params
	}
	out.Body = g.block(func() {
		g.returned(out.Results, leaves(g.expr(f.Body)))
	})
	out.Body = append(out.Body, &ir.Return{})
}

// structured makes a value of type t from its leaves.
func structured(t tail.Type, vs *[]*value) *value {
	if t, ok := t.(*tail.TupleType); ok {
		v := &value{tup: []*value{}}
		for _, e := range t.Elems {
			v.tup = append(v.tup, structured(e, vs))
		}
		return v
	}
	v := (*vs)[0]
	*vs = (*vs)[1:]
	return v
}

// parameter is the value of a parameter. Extents that the types know to be
// constant or equal are so in the body.
func (g *gen) parameter(a ir.Array, t *tail.Array, sizes map[string]ir.Expr) *value {
	if a.Scalar != nil {
		return scalar1(a.Scalar.Use())
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
	return array1(g.stored(a.Elem, a.Buf, dims))
}

// returned assigns values to results, as settleInto does.
func (g *gen) returned(results []ir.Array, vs []*value) {
	bufs := make([]*ir.Buf, len(results))
	for i, r := range results {
		if r.Scalar != nil {
			g.emit(r.Scalar.Decl(vs[i].x))
			continue
		}
		bufs[i] = g.giveAway(vs[i].arr)
	}
	for i, r := range results {
		if r.Scalar != nil {
			continue
		}
		g.emit(&ir.DeclBuf{Buf: r.Buf}, &ir.Move{Dst: r.Buf, Src: bufs[i]})
		for k, d := range r.Dims {
			g.emit(d.(*ir.Use).Var.Decl(vs[i].arr.dims[k]))
		}
	}
}

// call calls a function.
func (g *gen) call(e *tail.Call) *value {
	vs := g.args(e.Args)
	g.force()
	fn := g.funcs[e.Fn]
	c := &ir.Call{Fn: fn, At: e.Where}
	for _, v := range vs {
		for _, x := range leaves(v) {
			if a, ok := g.part(e, x); ok {
				c.Args = append(c.Args, a)
			} else {
				c.Args = append(c.Args, g.argument(x))
			}
		}
	}
	if fn.Recursive && g.On("handover") {
		g.letGo(e)
	}
	var results []*value
	for _, t := range arrays(e.Ty) {
		a := g.declared("r", t)
		c.Results = append(c.Results, a)
		results = append(results, g.received(a, t))
	}
	g.emit(c)
	return structured(e.Ty, &results)
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
func (g *gen) part(e *tail.Call, v *value) (ir.Array, bool) {
	p := v.arr
	if p == nil || p.buf != nil || p.cut == nil || !g.On("cuts") {
		return ir.Array{}, false
	}
	b := p.cut.buf
	if owned, _ := g.owns(b); owned && b.Stack == 0 && g.params != nil && !g.keeps(nil, b, g.live.Times[e]) {
		return ir.Array{}, false
	}
	return ir.Array{Elem: p.elem, Buf: b, Dims: p.dims, At: g.atom("at", p.cut.at)}, true
}

// argument is v in storage: canonical, or a scalar in a variable.
func (g *gen) argument(v *value) ir.Array {
	if v.x != nil {
		k := v.x.Kind()
		if u, ok := v.x.(*ir.Use); ok {
			return ir.Array{Elem: k, Scalar: u.Var}
		}
		return ir.Array{Elem: k, Scalar: g.let("x", v.x).(*ir.Use).Var}
	}
	p := g.canonical(v.arr)
	return ir.Array{Elem: p.elem, Buf: p.buf, Dims: p.dims}
}

// received is the value of a declared result, owned by the current block.
func (g *gen) received(a ir.Array, t *tail.Array) *value {
	if a.Scalar != nil {
		return scalar1(a.Scalar.Use())
	}
	g.own(a.Buf)
	dims := append([]ir.Expr{}, a.Dims...)
	for i := range dims {
		if c, ok := t.Extent(i).IsConst(); ok {
			dims[i] = ir.Integer(c)
		}
	}
	return array1(g.stored(a.Elem, a.Buf, dims))
}

// canFault and impure say what applying f can do.
func (g *gen) canFault(f *tail.Lam) bool { return g.effects.Of(f)&tail.Faults != 0 }
func (g *gen) impure(f *tail.Lam) bool   { return g.effects.Of(f)&tail.Impures != 0 }
