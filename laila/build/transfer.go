package build

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Argument is v in storage: canonical, or a scalar in a variable.
func (g *Builder) Argument(v *Value) ir.Array {
	if v.X != nil {
		k := v.X.Kind()
		if u, ok := v.X.(*ir.Use); ok {
			return ir.Array{Elem: k, Scalar: u.Var}
		}
		return ir.Array{Elem: k, Scalar: g.Let("x", v.X).(*ir.Use).Var}
	}
	return g.ArgumentOf(v, v.Arr.Elem)
}

// ArgumentOf is Argument of an array that is stored in kind k.
func (g *Builder) ArgumentOf(v *Value, k ir.Kind) ir.Array {
	if v.Arr == nil {
		return g.Argument(v)
	}
	p := v.Arr
	switch {
	case p.Buf == nil:
		p = g.store(p, k)
	case p.Buf.Elem != k:
		p = g.copied(p, k)
	}
	return ir.Array{Elem: k, Buf: p.Buf, Dims: p.Dims}
}

// PartOf is p as an argument of the run-time where it lies in storage one element after
// the other, as part of another array: it is not copied.
func (g *Builder) PartOf(p *Pull) (ir.Array, bool) {
	if p.Buf != nil || p.Cut == nil || !g.CPU() || !g.On("cuts") {
		return ir.Array{}, false
	}
	return ir.Array{Elem: p.Elem, Buf: p.Cut.Buf, Dims: p.Dims, At: g.Atom("at", p.Cut.At)}, true
}

// Received is the value of a declared result, owned by the current block.
func (g *Builder) Received(a ir.Array, t *tail.Array) *Value {
	if a.Scalar != nil {
		return Scalar1(a.Scalar.Use())
	}
	g.Own(a.Buf)
	dims := append([]ir.Expr{}, a.Dims...)
	for i := range dims {
		if c, ok := t.Extent(i).IsConst(); ok {
			dims[i] = ir.Integer(c)
		}
	}
	return Array1(g.Stored(KindOf(t.Elem), a.Buf, dims))
}

// Declared makes the variables of an array of type t.
func (l *Lowering) Declared(name string, t *tail.Array) ir.Array {
	k := KindOf(t.Elem)
	if t.Dims() == 0 {
		v := l.NewVar(name, k)
		l.Steady[v] = true
		return ir.Array{Elem: k, Scalar: v}
	}
	a := ir.Array{Elem: k, Buf: &ir.Buf{Name: name, Elem: k}}
	for i := 0; i < t.Dims(); i++ {
		v := l.NewVar("d", ir.I64)
		l.Ranges[v] = facts.Between(0, facts.MaxExtent)
		l.Steady[v] = true
		a.Dims = append(a.Dims, v.Use())
	}
	return a
}
