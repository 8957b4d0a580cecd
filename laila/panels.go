package laila

import "github.com/tailor-lang/tailor/laila/ir"

// rowPanel is how many columns of a matrix are summed at a time; fewPanel is
// the largest known number of columns for which threads share the rows instead.
const (
	rowPanel = 1024
	fewPanel = 64
)

// rowGroup is how many rows of a stored matrix are added at a time, so that a
// partial result is read and written once for them; computedGroup is how many
// of a matrix whose elements are computed, which share what they need of their
// column, too.
const (
	rowGroup      = 4
	computedGroup = 8
)

// reducePanels reduces the rows of a matrix, a panel of columns at a time: its
// partial results stay in the first-level cache, in a kind as wide as what is
// computed for them.
//
//	for each panel of columns, in parallel
//	  part ← the neutral element
//	  for each row i: part[j] ← part[j] f x[i;j]
//	  z[j] ← part[j]
//
// The order of the rows does not change.
func (g *gen) reducePanels(p *pull, fd *folding, dst *ir.Buf) {
	columns := p.dims[1]
	k := g.partKind(p, fd, dst.Elem)
	group := int64(rowGroup)
	if p.buf == nil && p.cost <= computedGroup {
		group = computedGroup
	}
	if c, ok := ir.IntOf(columns); ok && c <= fewPanel {
		g.guarded(func() {
			inside := g.nest.inside
			g.nest.inside = true
			g.panel(p, fd, dst, k, c, group, ir.Integer(0), columns)
			g.nest.inside = inside
		})
		return
	}
	panels := g.atom("panels", ir.Quo(ir.Add(columns, ir.Integer(rowPanel-1)), ir.Integer(rowPanel)))
	g.segmap([]ir.Expr{panels}, func(ix []ir.Expr) {
		from := g.atom("from", ir.Mul(ix[0], ir.Integer(rowPanel)))
		n := g.atom("n", g.Smaller(ir.Sub(columns, from), ir.Integer(rowPanel)))
		g.panel(p, fd, dst, k, rowPanel, group, from, n)
	})
}

// panel reduces the rows of n columns, of which there is room for room. Where
// there is no other panel the loop over rows is for threads to share, which may
// have partial results of their own.
func (g *gen) panel(p *pull, fd *folding, dst *ir.Buf, k ir.Kind, room, group int64, from, n ir.Expr) {
	part := &ir.Buf{Name: "part", Elem: k, Stack: room}
	g.emit(&ir.DeclBuf{Buf: part, Count: ir.Integer(room), Shape: []ir.Expr{ir.Integer(room)}, At: g.src})
	each := func(independent bool, body func(j ir.Expr)) {
		v := g.loopVar(ir.Integer(0), n, nil)
		g.emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: n, Independent: independent, Body: g.block(func() { body(v.Use()) })})
	}
	each(true, func(j ir.Expr) { g.emit(part.Store(j, ir.ConvertTo(k, fd.zero))) })
	t := &tiles{g: g}
	t.steps(ir.Integer(0), fd.n, group, func(i ir.Expr) { g.addRows(p, fd, part, i, group, from, n) })
	rest := g.atom("rest", ir.Sub(fd.n, ir.Rem(fd.n, ir.Integer(group))))
	t.steps(rest, fd.n, 1, func(i ir.Expr) { g.addRows(p, fd, part, i, 1, from, n) })
	each(true, func(j ir.Expr) {
		g.emit(dst.Store(ir.Add(from, j), ir.ConvertTo(dst.Elem, ir.ConvertTo(fd.kind, part.Load(j)))))
	})
}

// addRows adds count rows of p, from row i, to partial results.
func (g *gen) addRows(p *pull, fd *folding, part *ir.Buf, i ir.Expr, count int64, from, n ir.Expr) {
	g.iterate([]ir.Expr{n}, true, func(jx []ir.Expr) {
		j := g.atom("j", ir.Add(from, jx[0]))
		acc := ir.ConvertTo(fd.kind, part.Load(jx[0]))
		for r := int64(0); r < count; r++ {
			acc = g.stepAt(fd, g.bounded(fd, acc), p, []ir.Expr{ir.Add(i, ir.Integer(r)), j})
			if part.Elem != fd.kind && part.Elem.Exact() {
				acc = ir.ConvertTo(fd.kind, ir.ConvertTo(part.Elem, acc))
			}
		}
		g.emit(part.Store(jx[0], ir.ConvertTo(part.Elem, acc)))
	})
}

// partKind is the kind of partial results: at least 32 bits where elements are
// computed in 32 bits or more, as storing them narrow would cost conversions.
func (g *gen) partKind(p *pull, fd *folding, k ir.Kind) ir.Kind {
	if !k.Exact() || k == ir.U8 || ir.Width(k) >= 4 {
		return k
	}
	st := g.nest
	g.nest = &nestState{inside: true}
	var x ir.Expr
	stmts := g.block(func() {
		i, j := g.loopVar(ir.Integer(0), fd.n, nil), g.loopVar(ir.Integer(0), p.dims[1], nil)
		x = g.index(p, []ir.Expr{i.Use(), j.Use()})
	})
	g.nest = st
	w := &widest{}
	for _, s := range stmts {
		for _, y := range ir.Exprs(s) {
			w.expr(y)
		}
	}
	if w.expr(x); w.found {
		return ir.I32
	}
	return k
}

// widest finds arithmetic of 32 bits and more.
type widest struct{ found bool }

func (w *widest) expr(x ir.Expr) {
	switch x := x.(type) {
	case nil:
		return
	case *ir.Load:
		return // neither the element nor its place is arithmetic
	case *ir.Math:
		w.found = true
	case *ir.Binary:
		w.found = w.found || x.X.Kind() == ir.F64
	}
	for _, y := range ir.Operands(x) {
		w.expr(y)
	}
}

// few reports whether n is known to be the width of a single panel whose rows
// threads may share.
func (g *gen) few(n ir.Expr) bool {
	c, ok := ir.IntOf(n)
	return ok && c <= fewPanel
}
