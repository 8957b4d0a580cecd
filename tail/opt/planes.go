package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// maxPlanes is the largest number of parts that planes cuts an array into.
const maxPlanes = 8

// planes cuts the state of a power, when it is one array of a few planes that
// the loop treats apart, into its major cells: the state is a tuple of them,
// and what puts the planes together at the end of a step, to take them out at
// the beginning of the next one, goes.
//
// Requires: cse, so that planes share what they have in common. Preserves:
// what is computed, and in which order where it can fault: only total
// expressions are cut. Leaves lets that nothing uses, index of a literal; run
// simplify and deadcode after.
//
//	power(
//	  fn s:[2,9]double => reshape([2,9],catV(each(negd,index(s,2,all())),index(s,1,all()))),
//	  n,x)
//
// becomes
//
//	let t:([9]double, [9]double) = power(
//	  fn s:([9]double, [9]double) =>
//	  let s1:[9]double = #0(s) in let s2:[9]double = #1(s) in (each(negd,s2),s1),
//	  n,(index(x,1,all()),index(x,2,all()))) in
//	laminate(#0(t),#1(t))
func planes(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr { return o.planesIn(e) })
}

// planesIn cuts the loops in e, innermost first.
func (o *optimiser) planesIn(e tail.Expr) tail.Expr {
	if let, ok := e.(*tail.Let); ok {
		frames, last := unlet(let, nil)
		for i := range frames {
			frames[i].bind = o.planesIn(frames[i].bind)
		}
		last = o.planesIn(last)
		for i := len(frames) - 1; i >= 0; i-- {
			last = o.planesLet(frames[i], last)
		}
		return last
	}
	e = tail.MapChildren(e, o.planesIn)
	if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpPower {
		if loop := o.cutLoop(a); loop != nil {
			t := o.variable("t", loop.Type())
			return &tail.Let{At: a.At, Var: t, Bind: loop, Body: o.stacked(a, t)}
		}
	}
	return e
}

// planesLet binds a variable. When it is bound to a loop whose state has been
// cut, and is only used by the plane, its planes are bound instead.
func (o *optimiser) planesLet(f letFrame, body tail.Expr) tail.Expr {
	inner, ok := f.bind.(*tail.Let)
	if !ok || !o.made[inner.Var] || inner.Var.Name != "t" {
		return &tail.Let{At: f.at, Var: f.v, Bind: f.bind, Body: body}
	}
	ty, ok := inner.Var.Type.(*tail.TupleType)
	if !ok {
		return &tail.Let{At: f.at, Var: f.v, Bind: f.bind, Body: body}
	}
	c := &cutter{optimiser: o, parts: map[*tail.Var][]*tail.Var{}}
	vars := make([]*tail.Var, len(ty.Elems))
	for i, t := range ty.Elems {
		vars[i] = o.variable(f.v.Name, t)
	}
	c.parts[f.v] = vars
	next := c.replaced(body)
	if tail.Mentions(next, f.v) {
		return &tail.Let{At: f.at, Var: f.v, Bind: f.bind, Body: body}
	}
	for i := len(vars) - 1; i >= 0; i-- {
		next = &tail.Let{At: f.at, Var: vars[i], Bind: &tail.Proj{At: f.at, X: &tail.Ref{At: f.at, Var: inner.Var}, I: i}, Body: next}
	}
	return &tail.Let{At: inner.At, Var: inner.Var, Bind: inner.Bind, Body: next}
}

// stacked puts the planes of t together.
func (o *optimiser) stacked(a *tail.Apply, t *tail.Var) tail.Expr {
	n := len(t.Type.(*tail.TupleType).Elems)
	plane := func(i int) tail.Expr { return &tail.Proj{At: a.At, X: &tail.Ref{At: a.At, Var: t}, I: i} }
	whole := mustApply(a.Where, tail.OpLaminate, plane(n-2), plane(n-1))
	for i := n - 3; i >= 0; i-- {
		whole = mustApply(a.Where, tail.OpCons, plane(i), whole)
	}
	return whole
}

// mustApply is the application of an op to arguments that suit it.
func mustApply(at diag.Span, op tail.Op, args ...tail.Expr) *tail.Apply {
	e, bad := tail.NewApply(at, op, 0, nil, args...)
	if bad != nil {
		panic("internal error: " + bad.Message())
	}
	return e
}

// cutLoop returns the loop over the planes of the state of e, or nil.
func (o *optimiser) cutLoop(e *tail.Apply) tail.Expr {
	f, isLam := e.Args[0].(*tail.Lam)
	ty, isArray := e.Ty.(*tail.Array)
	if !isLam || !isArray || !ty.Rank.Known() || ty.Dims() < 2 {
		return nil
	}
	n, ok := ty.Extent(0).IsConst()
	if !ok || n < 2 || n > maxPlanes || !slices.ContainsFunc(tail.Extents(ty)[1:], func(s tail.Size) bool { return !s.Equal(tail.ConstSize(1)) }) {
		return nil
	}
	if !analysis.SameExtents(tail.Extents(ty), tail.Extents(tail.TypeOf(e.Args[2]))) || tail.TypeOf(f.Body).Dims() != ty.Dims() {
		return nil
	}
	c := &cutter{optimiser: o, parts: map[*tail.Var][]*tail.Var{}}
	param := f.Params[0]
	plane := tail.Shaped(ty.Elem, tail.Extents(ty)[1:]...)
	state := &tail.TupleType{}
	for range n {
		c.parts[param] = append(c.parts[param], o.variable(param.Name, plane))
		state.Elems = append(state.Elems, plane)
	}
	body := c.cut(f.Body, int(n), state)
	if body == nil || tail.Mentions(body, param) {
		return nil
	}
	s := o.variable("s", state)
	for i := int(n) - 1; i >= 0; i-- {
		at := f.At
		body = &tail.Let{At: at, Var: c.parts[param][i], Bind: &tail.Proj{At: at, X: &tail.Ref{At: at, Var: s}, I: i}, Body: body}
	}
	first := o.variable("x", e.Args[2].Type())
	init := &tail.Tuple{At: e.At}
	for i := range int(n) {
		init.Elems = append(init.Elems, planeAt(&tail.Ref{At: e.At, Var: first}, int64(i)))
	}
	count := o.variable("n", e.Args[1].Type())
	var loop tail.Expr = &tail.Apply{At: e.At, Op: tail.OpPower, Ty: state, Blame: e.Blame, Size: e.Size,
		Args: []tail.Expr{&tail.Lam{At: f.At, Params: []*tail.Var{s}, Body: body}, &tail.Ref{At: e.At, Var: count}, init}}
	loop = &tail.Let{At: e.At, Var: count, Bind: e.Args[1], Body: loop}
	return &tail.Let{At: e.At, Var: first, Bind: e.Args[2], Body: loop}
}

// cutter cuts expressions into planes.
type cutter struct {
	*optimiser
	parts map[*tail.Var][]*tail.Var // the planes of variables that have been cut
}

// cut returns e, a sequence of lets and a result of n planes, with the tuple of
// the planes as result, or nil.
func (c *cutter) cut(e tail.Expr, n int, state *tail.TupleType) tail.Expr {
	frames, last := unlet(e, nil)
	var out []letFrame
	for _, f := range frames {
		f.bind = c.replaced(f.bind)
		out = append(append(out, c.cutVar(f)...), f)
	}
	last = c.replaced(last)
	if !c.effects.Total(last) {
		return nil
	}
	result := &tail.Tuple{At: tail.At{Where: last.Span()}}
	for i := range n {
		x := c.plane(last, int64(i))
		if x == nil || !analysis.SameExtents(tail.Extents(tail.TypeOf(x)), tail.Extents(state.Elems[i].(*tail.Array))) {
			return nil
		}
		result.Elems = append(result.Elems, x)
	}
	var body tail.Expr = result
	for i := len(out) - 1; i >= 0; i-- {
		f := out[i]
		if c.parts[f.v] != nil && !tail.Mentions(body, f.v) {
			continue // it is total
		}
		body = &tail.Let{At: f.at, Var: f.v, Bind: f.bind, Body: body}
	}
	return body
}

// cutVar returns the planes of an array that is bound to a variable and made
// from planes.
func (c *cutter) cutVar(f letFrame) []letFrame {
	ty, ok := f.bind.Type().(*tail.Array)
	if !ok || !ty.Rank.Known() || ty.Dims() < 2 || !c.effects.Total(f.bind) {
		return nil
	}
	n, ok := ty.Extent(0).IsConst()
	if !ok || n < 2 || n > maxPlanes {
		return nil
	}
	var vars []*tail.Var
	var parts []letFrame
	for i := range n {
		x := c.plane(f.bind, i)
		if x == nil {
			return nil
		}
		v := c.variable(f.v.Name, tail.Shaped(ty.Elem, tail.Extents(ty)[1:]...))
		vars = append(vars, v)
		parts = append(parts, letFrame{f.at, v, x})
	}
	c.parts[f.v] = vars
	return parts
}

// replaced returns e with planes of variables that have been cut in the place
// of what takes them out.
func (c *cutter) replaced(e tail.Expr) tail.Expr {
	if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpIndex {
		if r, ok := a.Args[0].(*tail.Ref); ok && c.parts[r.Var] != nil && allElided(a.Args[2:]) && len(a.Args) == tail.RankOf(r)+1 {
			i, ok := tail.ConstInt(a.Args[1])
			if vars := c.parts[r.Var]; ok && isAtom(a.Args[1]) && i >= 1 && int(i) <= len(vars) {
				return &tail.Ref{At: a.At, Var: vars[i-1]}
			}
		}
	}
	return tail.MapChildren(e, c.replaced)
}

// planeAt returns plane i, counted from 0, of an atom.
func planeAt(e tail.Expr, i int64) tail.Expr {
	args := []tail.Expr{e, tail.NewInt(e.Span(), i+1)}
	for range tail.RankOf(e) - 1 {
		args = append(args, &tail.Apply{At: tail.At{Where: e.Span()}, Op: tail.OpAll, Ty: tail.Unit})
	}
	ty := tail.TypeOf(e)
	return &tail.Apply{At: tail.At{Where: e.Span()}, Op: tail.OpIndex, Args: args, Ty: tail.Shaped(ty.Elem, tail.Extents(ty)[1:]...)}
}

// plane returns major cell i, counted from 0, of a total expression of rank
// two or more, or nil when it is not there by itself.
func (c *cutter) plane(e tail.Expr, i int64) tail.Expr {
	switch e := e.(type) {
	case *tail.Ref:
		if vars := c.parts[e.Var]; vars != nil {
			return &tail.Ref{At: e.At, Var: vars[i]}
		}
		return planeAt(e, i)
	case *tail.Apply:
		if tail.RankOf(e) < 2 {
			return nil
		}
		return c.planeOf(e, i)
	}
	return nil
}

func (c *cutter) planeOf(e *tail.Apply, i int64) tail.Expr {
	ty := tail.TypeOf(e)
	plane := tail.Shaped(ty.Elem, tail.Extents(ty)[1:]...)
	switch e.Op {
	case tail.OpEach, tail.OpZipWith:
		args := []tail.Expr{tail.Copy(e.Args[0])}
		for _, a := range e.Args[1:] {
			x := c.plane(a, i)
			if x == nil {
				return nil
			}
			args = append(args, x)
		}
		return &tail.Apply{At: e.At, Op: e.Op, Args: args, Ty: plane, Blame: e.Blame, Size: e.Size}
	case tail.OpReshape:
		return c.planeOfReshape(e, i, plane)
	case tail.OpIndex:
		return c.planeOfIndex(e, i)
	case tail.OpCat, tail.OpCons, tail.OpSnoc, tail.OpLaminate:
		return c.planeOfJoin(e, i)
	case tail.OpUpdate:
		return c.planeOfUpdate(e, i)
	}
	return nil
}

// planeOfReshape: the ravels of the planes, one after the other, or one
// scalar.
func (c *cutter) planeOfReshape(e *tail.Apply, i int64, plane *tail.Array) tail.Expr {
	x := e.Args[1]
	if tail.RankOf(x) == 0 && isAtom(x) {
		return mustApply(e.Where, tail.OpReshape, c.shapeOf(e.Args[0]), x)
	}
	var pieces []tail.Expr
	var collect func(x tail.Expr)
	collect = func(x tail.Expr) {
		if a, ok := x.(*tail.Apply); ok && a.Op == tail.OpCat && tail.RankOf(a) == 1 {
			collect(a.Args[0])
			collect(a.Args[1])
			return
		}
		pieces = append(pieces, x)
	}
	collect(x)
	n, _ := tail.TypeOf(e).Extent(0).IsConst()
	if int64(len(pieces)) != n {
		return nil
	}
	for _, p := range pieces {
		if !analysis.SameExtents(tail.Extents(flattened(p)), tail.Extents(plane)) {
			return nil
		}
	}
	p := pieces[i]
	if a, ok := p.(*tail.Apply); ok && a.Op == tail.OpRavel && len(tail.Extents(plane)) > 1 {
		return a.Args[0]
	}
	return p
}

// flattened is the type of what x is the ravel of.
func flattened(x tail.Expr) *tail.Array {
	if a, ok := x.(*tail.Apply); ok && a.Op == tail.OpRavel && tail.RankOf(a.Args[0]) > 1 {
		return tail.TypeOf(a.Args[0])
	}
	return tail.TypeOf(x)
}

// shapeOf returns a shape without its first element.
func (c *cutter) shapeOf(shape tail.Expr) tail.Expr {
	e, bad := tail.NewApply(shape.Span(), tail.OpDrop, 0, nil, tail.NewInt(shape.Span(), 1), shape)
	if bad != nil {
		panic("internal error: " + bad.Message())
	}
	return e
}

// planeOfIndex: x[v;;] for a constant v.
func (c *cutter) planeOfIndex(e *tail.Apply, i int64) tail.Expr {
	if len(e.Args) < 3 || !allElided(e.Args[2:]) {
		return nil
	}
	v, ok := e.Args[1].(*tail.Lit)
	if !ok || v.Value.Rank() != 1 || int(i) >= len(v.Value.Ints) {
		return nil
	}
	k, ok := tail.TypeOf(e.Args[0]).Extent(0).IsConst()
	if n := v.Value.Ints[i]; ok && n >= 1 && n <= k {
		return c.plane(e.Args[0], n-1)
	}
	return nil
}

// planeOfJoin: pieces along the first axis.
func (c *cutter) planeOfJoin(e *tail.Apply, i int64) tail.Expr {
	if e.Axis != 0 {
		return nil
	}
	rank := tail.RankOf(e)
	for _, a := range e.Args {
		if tail.RankOf(a) < rank {
			if i == 0 {
				return a
			}
			i--
			continue
		}
		n, ok := tail.TypeOf(a).Extent(0).IsConst()
		if !ok {
			return nil
		}
		if i < n {
			return c.plane(a, i)
		}
		i -= n
	}
	return nil
}

// planeOfUpdate: x[k;;]←y for a constant k.
func (c *cutter) planeOfUpdate(e *tail.Apply, i int64) tail.Expr {
	indices := e.Args[1 : len(e.Args)-1]
	k, ok := tail.ConstInt(indices[0])
	y := e.Args[len(e.Args)-1]
	if !ok || !isAtom(indices[0]) || !allElided(indices[1:]) {
		return nil
	}
	if k-1 != i {
		return c.plane(e.Args[0], i)
	}
	if analysis.SameExtents(tail.Extents(tail.TypeOf(y)), tail.Extents(tail.TypeOf(e))[1:]) {
		return y
	}
	return nil
}
