package laila

import "github.com/tailor-lang/tailor/tail"

// collection is the array that results of a function are put together in, one
// a cell of a frame, when their extents are known only as they come. Results
// that are shorter than others along an axis are padded with fill elements.
type collection struct {
	*cellLoop
	kind Kind
	buf  *Buf
	// For each axis of a result: what buf has room for, and the extent of the
	// largest result.
	room, extent []*Var
}

// collect puts together results whose extents are known only as they come.
func (c *cellLoop) collect(k Kind) *value {
	g := c.gen
	g.force()
	t := tail.TypeOf(c.e)
	col := &collection{cellLoop: c, kind: k, buf: &Buf{Name: "cells", Elem: k}}
	g.emit(&DeclBuf{Buf: col.buf, At: g.src})
	g.own(col.buf)
	for a := len(c.frame); a < t.Dims(); a++ {
		n, ok := t.Extent(a).IsConst()
		if !ok || n < 0 {
			n = 0
		}
		col.room = append(col.room, g.extentVar("room", n))
		col.extent = append(col.extent, g.extentVar("d", n))
	}
	first := g.mutable("first", U8, boolean(true))
	c.over(func(ix []Expr) { col.add(first, ix) })
	g.emit(&If{Cond: &Use{first}, Then: g.block(col.none)})
	col.trim()
	dims := append([]Expr{}, c.frame...)
	for _, v := range col.extent {
		dims = append(dims, g.let("d", &Use{v}))
	}
	return array1(g.stored(k, col.buf, dims))
}

// none makes the array of an empty frame. Its cells have the extents of the
// function's result for fill elements, where that is sure to have one.
func (c *collection) none() {
	g := c.gen
	if !c.impure(c.f) && !c.canFault(c.f) && len(c.extent) > 0 {
		for a, d := range c.blank().arr.dims {
			g.emit(&Assign{c.extent[a], d}, &Assign{c.room[a], d})
		}
	}
	c.replace(c.fresh(usesOf(c.extent)))
}

// extentVar is a variable that holds an extent, at first n.
func (g *gen) extentVar(name string, n int64) *Var {
	v := g.mutable(name, I64, integer(n))
	g.ranges[v] = interval{0, maxExtent}
	return v
}

func usesOf(vs []*Var) []Expr {
	xs := make([]Expr, len(vs))
	for i, v := range vs {
		xs[i] = &Use{v}
	}
	return xs
}

// add puts in the result for an index of the frame.
func (c *collection) add(first *Var, ix []Expr) {
	g := c.gen
	r := c.apply(ix)
	var dims []Expr
	if r.arr != nil {
		if r.arr.fill != nil || r.arr.drive != nil {
			g.materialise(r.arr)
		}
		for _, d := range r.arr.dims {
			dims = append(dims, g.atom("d", d))
		}
	}
	start := g.block(func() {
		for a := range dims {
			g.emit(&Assign{c.room[a], dims[a]}, &Assign{c.extent[a], dims[a]})
		}
		c.replace(c.fresh(dims))
		g.emit(&Assign{first, boolean(false)})
	})
	g.emit(&If{Cond: &Use{first}, Then: start})
	differs := boolean(false)
	for a, d := range dims {
		differs = or(differs, &Binary{Ne, &Use{c.room[a]}, d})
	}
	i := g.ravelIndex(c.frame, ix)
	if isInt(differs, 0) {
		c.put(r, c.buf, mul(i, product(dims)))
		return
	}
	pad := g.block(func() { c.pad(g.atom("i", i), dims, r.arr) })
	same := g.block(func() {
		// What fills all the room can be the largest so far, as room grows by more
		// than is asked for.
		for a, d := range dims {
			g.emit(&Assign{c.extent[a], d})
		}
		c.put(r, c.buf, mul(i, product(dims)))
	})
	g.emit(&If{differs, pad, same})
}

// pad puts in result number i, of another shape than there is room for. What
// is too small grows by half at least, so that the results are not moved too
// often.
func (c *collection) pad(i Expr, dims []Expr, p *pull) {
	g := c.gen
	larger := boolean(false)
	for a, d := range dims {
		g.emit(&Assign{c.extent[a], &Binary{Max, &Use{c.extent[a]}, d}})
		larger = or(larger, &Binary{Lt, &Use{c.room[a]}, d})
	}
	grow := g.block(func() {
		room := make([]Expr, len(dims))
		for a, d := range dims {
			r := &Use{c.room[a]}
			more := &Binary{Max, d, add(r, quo(r, integer(2)))}
			room[a] = g.let("more", g.ifElse(&Binary{Lt, r, d}, func() Expr { return more }, func() Expr { return r }))
		}
		c.move(i, room, usesOf(c.room))
	})
	g.emit(&If{Cond: larger, Then: grow})
	room := usesOf(c.room)
	size := g.atom("n", product(room))
	base := g.atom("base", mul(i, size))
	g.segmap([]Expr{size}, func(ix []Expr) {
		g.emit(&Store{c.buf, add(base, ix[0]), fillOf(c.kind)})
	})
	g.readable(p)
	g.segmap(dims, func(ix []Expr) {
		g.emit(&Store{c.buf, add(base, g.ravelIndex(room, ix)), convert(c.kind, g.index(p, ix))})
	})
}

// move gives buf room for other extents; n results, of which the extents in
// common are kept, are there.
func (c *collection) move(n Expr, room, common []Expr) {
	g := c.gen
	old := usesOf(c.room)
	fresh := c.fresh(room)
	g.segmap([]Expr{product(append(append([]Expr{}, c.frame...), room...))}, func(ix []Expr) {
		g.emit(&Store{fresh, ix[0], fillOf(c.kind)})
	})
	dims := append([]Expr{n}, common...)
	g.segmap(dims, func(ix []Expr) {
		to := g.ravelIndex(append([]Expr{n}, room...), ix)
		from := g.ravelIndex(append([]Expr{n}, old...), ix)
		g.emit(&Store{fresh, to, &Load{c.buf, from}})
	})
	for a, v := range c.room {
		g.emit(&Assign{v, room[a]})
	}
	g.emit(&Swap{c.buf, fresh})
}

// trim takes the room away that no result needed.
func (c *collection) trim() {
	g := c.gen
	spare := boolean(false)
	for a := range c.room {
		spare = or(spare, &Binary{Lt, &Use{c.extent[a]}, &Use{c.room[a]}})
	}
	if isInt(spare, 0) {
		return
	}
	then := g.block(func() {
		extent := usesOf(c.extent)
		c.move(g.atom("n", product(c.frame)), extent, extent)
	})
	g.emit(&If{Cond: spare, Then: then})
}

// fresh is a new buffer for the frame, with results of the given extents.
func (c *collection) fresh(cell []Expr) *Buf {
	return c.gen.heap("cells", c.kind, append(append([]Expr{}, c.frame...), cell...))
}

// replace makes b what results are put in.
func (c *collection) replace(b *Buf) {
	c.gen.emit(&Move{c.buf, b})
	c.gen.disown(b)
}
