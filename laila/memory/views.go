package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// view is where the elements of an array are in another one.
type view struct {
	lmad  affine.LMAD // the index function of the array there
	axes  []ir.Dim    // of the nest that copies, in the order of those of lmad
	place ir.Expr     // the place of an element, in terms of the axes, or of the first one
	dense bool        // the elements follow on each other
	turn  *turn       // how they are moved along axes, or nil
}

// copied returns the store of a nest that copies elements of an array, nil for other nests.
func copied(n *ir.Nest) *ir.Store {
	if n.Kind != ir.SegMap || len(n.Pre)+len(n.Post)+len(n.Red)+len(n.Flags) > 0 || len(n.Body) != 1 {
		return nil
	}
	store, ok := n.Body[0].(*ir.Store)
	if !ok || !ir.IsLoadFree(store.Index) {
		return nil
	}
	load, ok := store.X.(*ir.Load)
	if !ok || load.Buf == store.Buf || load.Buf.Elem != store.Buf.Elem || !ir.IsLoadFree(load.Index) {
		return nil
	}
	return store
}

// see finds the view of src in dst; it is not ok where not all of src is copied.
func (c *circuit) see(made *ir.DeclBuf) bool {
	if s, ok := c.at.stmt.(*ir.Copy); ok {
		c.view = view{lmad: affine.LMAD{Offset: c.poly(s.DstIndex), Dims: []affine.Dim{{Count: c.poly(s.Count), Stride: affine.Const(1)}}}, place: c.value(s.DstIndex), dense: true}
		return ir.IsInt(s.SrcIndex, 0) && c.same(s.Count, made.Count, c.from)
	}
	n := c.at.stmt.(*ir.Nest)
	store := copied(n)
	if store == nil {
		return c.seeTurn(n, rotates(n), made)
	}
	from, ok := c.lmadOf(c.poly(store.X.(*ir.Load).Index), n.Dims)
	to, ok2 := c.lmadOf(c.poly(store.Index), n.Dims)
	if !ok || !ok2 || !from.Offset.IsZero() || len(from.Dims) < len(n.Dims) || len(to.Dims) < len(n.Dims) {
		return false
	}
	order, size := c.rowMajor(from)
	if order == nil || !c.known.Equal(size, c.poly(made.Count)) {
		return false
	}
	c.view = view{lmad: to.Permute(order...), place: c.early(store.Index, n.Dims)}
	for _, k := range order {
		d := n.Dims[len(n.Dims)-1-k]
		d.Lo = c.early(d.Lo, nil)
		c.view.axes = append(c.view.axes, d)
	}
	last := len(order) - 1
	if flat, ok := c.view.lmad.Flatten(c.known); ok && last > 0 {
		c.view = view{lmad: flat, place: flat.Offset.Expr()}
		last = 0
	}
	near := c.view.lmad.Dims[last].Stride.Equal(affine.Const(1))
	c.view.dense = last == 0 && near
	return near || last == 0 // else elements of a row would be far from each other
}

// early writes an index that is used in the copy with variables that are declared before src
// is, and those of axes.
func (c *circuit) early(x ir.Expr, axes []ir.Dim) ir.Expr {
	u, ok := x.(*ir.Use)
	if !ok {
		return ir.MapOperands(x, func(y ir.Expr) ir.Expr { return c.early(y, axes) })
	}
	isAxis := slices.ContainsFunc(axes, func(d ir.Dim) bool { return d.Var == u.Var })
	if at := c.declared[u.Var]; at == nil || isAxis || at.order < c.from.order {
		return x
	}
	if _, init := c.set(u.Var); init != nil && ir.IsLoadFree(init) {
		return c.early(init, axes)
	}
	return x
}

// same reports whether two numbers of elements are equal, of which one may be as it was at since.
func (c *circuit) same(x, y ir.Expr, since *place) bool {
	if ir.Same(x, y) {
		return c.unchanged(x, since.order, false)
	}
	p, q := c.poly(x), c.poly(y)
	return (p.Known() && c.known.Equal(p, q) || ir.Same(c.value(x), c.value(y))) &&
		c.unchanged(x, since.order, true) && c.unchanged(y, since.order, true)
}

// unchanged reports whether no variable of x, and of what variables are set to once, is assigned to
// between since and the copy, in a later step of a loop around that neither.
func (c *circuit) unchanged(x ir.Expr, since int, deep bool) bool {
	end := c.at.end
	for p := c.at.parent; p != nil && p.order > since; p = p.parent {
		end = p.end
	}
	ok := true
	ir.EachUse(x, func(v *ir.Var) {
		for _, p := range c.assigned[v] {
			ok = ok && (p.order <= since || p.order > end)
		}
		if init := c.once[v]; deep && ok && init != nil {
			ok = c.unchanged(init, min(since, c.declared[v].order), true)
		}
	})
	return ok
}

// rowMajor returns the axes of l in the order of their strides, where these are those of an
// array in row-major order, and its number of elements.
func (c *circuit) rowMajor(l affine.LMAD) (order []int, size affine.Poly) {
	size = affine.Const(1)
	for len(order) < len(l.Dims) {
		k := slices.IndexFunc(l.Dims, func(d affine.Dim) bool { return c.known.Equal(d.Stride, size) })
		for k >= 0 && slices.Contains(order, k) {
			next := slices.IndexFunc(l.Dims[k+1:], func(d affine.Dim) bool { return c.known.Equal(d.Stride, size) })
			if next < 0 {
				return nil, size
			}
			k += 1 + next
		}
		if k < 0 {
			return nil, size
		}
		order, size = append(order, k), size.Times(l.Dims[k].Count)
	}
	slices.Reverse(order)
	return order, size
}

// atStart reports whether the view begins where storage does, and has no gaps.
func (v *view) atStart() bool { return v.dense && v.lmad.Offset.IsZero() }

// isEarly reports whether the view is known where src is declared.
func (c *circuit) isEarly() bool {
	if len(c.view.axes) == 0 && c.steadyAt(c.view.place, c.from) {
		return true
	}
	l := c.view.lmad
	ok := c.before(l.Offset)
	for _, d := range l.Dims {
		ok = ok && c.before(d.Count) && c.before(d.Stride)
	}
	exprs := []ir.Expr{c.view.place}
	for _, d := range c.view.axes {
		exprs = append(exprs, d.Lo)
	}
	for _, x := range exprs {
		ok = ok && c.usesBefore(x, c.view.axes)
	}
	return ok
}

// usesBefore reports whether the variables of x, but for axes, are declared before src.
func (c *circuit) usesBefore(x ir.Expr, axes []ir.Dim) bool {
	ok := true
	ir.EachUse(x, func(v *ir.Var) {
		isAxis := slices.ContainsFunc(axes, func(d ir.Dim) bool { return d.Var == v })
		ok = ok && (isAxis || c.before(affine.Of(v)))
	})
	return ok
}

// before reports whether p is known where src is declared.
func (c *circuit) before(p affine.Poly) bool {
	return p.Known() && !slices.ContainsFunc(p.Vars(), func(v *ir.Var) bool {
		return c.declared[v] == nil || c.declared[v].order >= c.from.order
	})
}

// index returns where in dst an element of src is that a statement uses.
func (c *circuit) index(x ir.Expr, at *place) ir.Expr {
	switch len(c.view.axes) {
	case 0:
		if n := c.view.lmad.Dims[0].Stride; !n.Equal(affine.Const(1)) {
			x = ir.Mul(n.Expr(), x)
		}
		return ir.Add(c.view.place, x)
	case 1:
		return c.substituted([]ir.Expr{x})
	}
	axes, _ := c.axesOf(c.poly(x), at)
	index := make([]ir.Expr, len(axes))
	for k, p := range axes {
		index[k] = p.Expr()
	}
	return c.substituted(index)
}

// substituted returns the place of the element at an index.
func (c *circuit) substituted(index []ir.Expr) ir.Expr {
	return ir.MapExpr(c.view.place, func(x ir.Expr) ir.Expr {
		for k, d := range c.view.axes {
			if ir.IsUse(x, d.Var) {
				return ir.Add(d.Lo, index[k])
			}
		}
		return x
	})
}

// project is index for a sum. It is not ok where the axes of the element are not known.
func (c *circuit) project(p affine.Poly, at *place) (affine.Poly, bool) {
	axes, ok := c.axesOf(p, at)
	if !ok {
		return affine.Unknown, false
	}
	out := c.view.lmad.At(axes...)
	return out, out.Known()
}

// axesOf returns the index of the element of src that is at p.
func (c *circuit) axesOf(p affine.Poly, at *place) ([]affine.Poly, bool) {
	dims := c.view.lmad.Dims
	if len(dims) == 1 {
		return []affine.Poly{p}, p.Known()
	}
	known := c.inside(at)
	axes := make([]affine.Poly, len(dims))
	for k := range dims[1:] {
		row := affine.Const(1)
		for _, e := range dims[k+1:] {
			row = row.Times(e.Count)
		}
		if axes[k], p = p.DivMod(row); !known.NotNegative(p) {
			axes[k], p = axes[k].Add(-1), p.Plus(row)
		}
		if !known.NotNegative(p) || !known.Less(p, row) {
			return nil, false
		}
	}
	axes[len(axes)-1] = p
	return axes, p.Known()
}

// inside is what is known within the loops around a place.
func (c *circuit) inside(at *place) affine.Assumptions {
	known := c.known
	for _, l := range c.loops(at) {
		known = known.Where(c.bounds(l)...)
	}
	return known
}

// poly reads an index that is used between the declaration of src and the copy. Variables
// of the sum are those of loops, and others that have one value there.
func (c *circuit) poly(x ir.Expr) affine.Poly {
	since := c.from.order
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok || u.Var.Kind != ir.I64 || c.declared[u.Var] == nil {
			return affine.Unknown
		}
		set, init := c.set(u.Var)
		if init != nil {
			was := since
			since = min(since, set.order)
			p := r.Read(init)
			if since = was; p.Known() {
				return p
			}
		}
		if !c.steady(u.Var, set, since) {
			return affine.Unknown
		}
		return affine.Of(u.Var)
	}}
	return r.Read(x)
}

// set returns where a variable gets its only value, and this, where these are known.
func (c *circuit) set(v *ir.Var) (*place, ir.Expr) {
	at := c.declared[v]
	if init := c.once[v]; init != nil {
		return at, init
	}
	if d, ok := at.stmt.(*ir.Decl); ok && d.Init == nil && len(c.assigned[v]) == 1 && c.assigned[v][0].block == at.block {
		if s, ok := c.assigned[v][0].stmt.(*ir.Assign); ok {
			return c.assigned[v][0], s.X
		}
		return c.assigned[v][0], nil
	}
	return at, nil
}

// steady reports whether v has one value between a place and the copy, or is the variable of
// a loop.
func (c *circuit) steady(v *ir.Var, set *place, since int) bool {
	switch set.stmt.(type) {
	case *ir.For, *ir.Nest:
		return true
	case *ir.Filter:
		return false
	}
	for _, p := range c.assigned[v] {
		if p != set && p.order > since && p.order <= c.at.end {
			return false
		}
	}
	if c.once[v] == nil && c.changed[v] && len(c.assigned[v]) == 0 {
		return false
	}
	if set.order <= c.from.order {
		return true
	}
	for p := set; p.block != c.from.block; p = p.parent {
		if p.parent == nil {
			return true
		}
		if _, branch := p.parent.stmt.(*ir.If); !branch {
			return false
		}
	}
	return true
}
