package control

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// collection is the array that results of a function are put together in, one
// a cell of a frame, when their extents are known only as they come. Results
// that are shorter than others along an axis are padded with fill elements.
type collection struct {
	*cellLoop
	kind ir.Kind
	buf  *ir.Buf
	// For each axis of a result: what buf has room for, and the extent of the
	// largest result.
	room, extent []*ir.Var
}

// collect puts together results whose extents are known only as they come.
func (c *cellLoop) collect(k ir.Kind) *build.Value {
	g := c.Builder
	g.Force()
	t := tail.TypeOf(c.e)
	col := &collection{cellLoop: c, kind: k, buf: &ir.Buf{Name: "cells", Elem: k}}
	g.Emit(&ir.DeclBuf{Buf: col.buf, At: g.Src})
	g.Own(col.buf)
	for a := len(c.frame); a < t.Dims(); a++ {
		n, ok := t.Extent(a).IsConst()
		if !ok || n < 0 {
			n = 0
		}
		col.room = append(col.room, extentVar(g, "room", n))
		col.extent = append(col.extent, extentVar(g, "d", n))
	}
	first := g.Mutable("first", ir.U8, ir.Boolean(true))
	c.over(func(ix []ir.Expr) { col.add(first, ix) })
	g.Emit(&ir.If{Cond: first.Use(), Then: g.Block(col.none)})
	col.trim()
	dims := append([]ir.Expr{}, c.frame...)
	for _, v := range col.extent {
		dims = append(dims, g.Let("d", v.Use()))
	}
	return build.Array1(g.Stored(k, col.buf, dims))
}

// none makes the array of an empty frame. Its cells have the extents of the
// function's result for fill elements, where that is sure to have one.
func (c *collection) none() {
	g := c.Builder
	if !c.Impure(c.f) && !c.CanFault(c.f) && len(c.extent) > 0 {
		for a, d := range c.blank().Arr.Dims {
			g.Emit(c.extent[a].Assign(d), c.room[a].Assign(d))
		}
	}
	c.replace(c.fresh(usesOf(c.extent)))
}

// extentVar is a variable that holds an extent, at first n.
func extentVar(g *build.Builder, name string, n int64) *ir.Var {
	v := g.Mutable(name, ir.I64, ir.Integer(n))
	g.Ranges[v] = facts.Between(0, facts.MaxExtent)
	return v
}

func usesOf(vs []*ir.Var) []ir.Expr {
	xs := make([]ir.Expr, len(vs))
	for i, v := range vs {
		xs[i] = v.Use()
	}
	return xs
}

// add puts in the result for an index of the frame.
func (c *collection) add(first *ir.Var, ix []ir.Expr) {
	g := c.Builder
	r := c.apply(ix)
	var dims []ir.Expr
	if r.Arr != nil {
		if r.Arr.Fill != nil || r.Arr.Drive != nil {
			g.Materialise(r.Arr)
		}
		for _, d := range r.Arr.Dims {
			dims = append(dims, g.Atom("d", d))
		}
	}
	start := g.Block(func() {
		for a := range dims {
			g.Emit(c.room[a].Assign(dims[a]), c.extent[a].Assign(dims[a]))
		}
		c.replace(c.fresh(dims))
		g.Emit(first.Assign(ir.Boolean(false)))
	})
	g.Emit(&ir.If{Cond: first.Use(), Then: start})
	differs := ir.Boolean(false)
	for a, d := range dims {
		differs = ir.Or(differs, ir.OpNe.Of(c.room[a].Use(), d))
	}
	i := g.RavelIndex(c.frame, ix)
	if ir.IsInt(differs, 0) {
		c.put(r, c.buf, ir.Mul(i, ir.Product(dims)))
		return
	}
	pad := g.Block(func() { c.pad(g.Atom("i", i), dims, r.Arr) })
	same := g.Block(func() {
		// What fills all the room can be the largest so far, as room grows by more
		// than is asked for.
		for a, d := range dims {
			g.Emit(c.extent[a].Assign(d))
		}
		c.put(r, c.buf, ir.Mul(i, ir.Product(dims)))
	})
	g.Emit(&ir.If{Cond: differs, Then: pad, Else: same})
}

// pad puts in result number i, of another shape than there is room for. What
// is too small grows by half at least, so that the results are not moved too
// often.
func (c *collection) pad(i ir.Expr, dims []ir.Expr, p *build.Pull) {
	g := c.Builder
	larger := ir.Boolean(false)
	for a, d := range dims {
		g.Emit(c.extent[a].Assign(ir.OpMax.Of(c.extent[a].Use(), d)))
		larger = ir.Or(larger, ir.OpLt.Of(c.room[a].Use(), d))
	}
	grow := g.Block(func() {
		room := make([]ir.Expr, len(dims))
		for a, d := range dims {
			r := c.room[a].Use()
			more := ir.OpMax.Of(d, ir.Add(r, ir.Quo(r, ir.Integer(2))))
			room[a] = g.Let("more", g.IfElse(ir.OpLt.Of(r, d), func() ir.Expr { return more }, func() ir.Expr { return r }))
		}
		c.move(i, room, usesOf(c.room))
	})
	g.Emit(&ir.If{Cond: larger, Then: grow})
	room := usesOf(c.room)
	size := g.Elements(room)
	base := g.Atom("base", ir.Mul(i, size))
	g.Segmap([]ir.Expr{size}, func(ix []ir.Expr) {
		g.Emit(c.buf.Store(ir.Add(base, ix[0]), ir.Fill(c.kind)))
	})
	g.Readable(p)
	g.Segmap(dims, func(ix []ir.Expr) {
		g.Emit(c.buf.Store(ir.Add(base, g.RavelIndex(room, ix)), ir.ConvertTo(c.kind, g.Index(p, ix))))
	})
}

// move gives buf room for other extents; n results, of which the extents in
// common are kept, are there.
func (c *collection) move(n ir.Expr, room, common []ir.Expr) {
	g := c.Builder
	old := usesOf(c.room)
	fresh := c.fresh(room)
	g.Segmap([]ir.Expr{ir.Product(append(append([]ir.Expr{}, c.frame...), room...))}, func(ix []ir.Expr) {
		g.Emit(fresh.Store(ix[0], ir.Fill(c.kind)))
	})
	dims := append([]ir.Expr{n}, common...)
	g.Segmap(dims, func(ix []ir.Expr) {
		to := g.RavelIndex(append([]ir.Expr{n}, room...), ix)
		from := g.RavelIndex(append([]ir.Expr{n}, old...), ix)
		g.Emit(fresh.Store(to, c.buf.Load(from)))
	})
	for a, v := range c.room {
		g.Emit(v.Assign(room[a]))
	}
	g.Emit(&ir.Swap{A: c.buf, B: fresh})
}

// trim takes the room away that no result needed.
func (c *collection) trim() {
	g := c.Builder
	spare := ir.Boolean(false)
	for a := range c.room {
		spare = ir.Or(spare, ir.OpLt.Of(c.extent[a].Use(), c.room[a].Use()))
	}
	if ir.IsInt(spare, 0) {
		return
	}
	then := g.Block(func() {
		extent := usesOf(c.extent)
		c.move(g.Elements(c.frame), extent, extent)
	})
	g.Emit(&ir.If{Cond: spare, Then: then})
}

// fresh is a new buffer for the frame, with results of the given extents.
func (c *collection) fresh(cell []ir.Expr) *ir.Buf {
	return c.Builder.Heap("cells", c.kind, append(append([]ir.Expr{}, c.frame...), cell...))
}

// replace makes b what results are put in.
func (c *collection) replace(b *ir.Buf) {
	c.Builder.Emit(&ir.Move{Dst: c.buf, Src: b})
	c.Builder.Disown(b)
}
