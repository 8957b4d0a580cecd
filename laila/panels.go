package laila

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
func (g *gen) reducePanels(p *pull, fd *folding, dst *Buf) {
	columns := p.dims[1]
	k := g.partKind(p, fd, dst.Elem)
	group := int64(rowGroup)
	if p.buf == nil && p.cost <= computedGroup {
		group = computedGroup
	}
	if c, ok := intOf(columns); ok && c <= fewPanel {
		g.guarded(func() {
			inside := g.nest.inside
			g.nest.inside = true
			g.panel(p, fd, dst, k, c, group, integer(0), columns)
			g.nest.inside = inside
		})
		return
	}
	panels := g.atom("panels", quo(add(columns, integer(rowPanel-1)), integer(rowPanel)))
	g.segmap([]Expr{panels}, func(ix []Expr) {
		from := g.atom("from", mul(ix[0], integer(rowPanel)))
		n := g.atom("n", g.smaller(sub(columns, from), integer(rowPanel)))
		g.panel(p, fd, dst, k, rowPanel, group, from, n)
	})
}

// panel reduces the rows of n columns, of which there is room for room. Where
// there is no other panel the loop over rows is for threads to share, which may
// have partial results of their own.
func (g *gen) panel(p *pull, fd *folding, dst *Buf, k Kind, room, group int64, from, n Expr) {
	part := &Buf{Name: "part", Elem: k, Stack: room}
	g.emit(&DeclBuf{Buf: part, Count: integer(room), Shape: []Expr{integer(room)}, At: g.src})
	each := func(independent bool, body func(j Expr)) {
		v := g.loopVar(integer(0), n, nil)
		g.emit(&For{Var: v, Lo: integer(0), Hi: n, Independent: independent, Body: g.block(func() { body(&Use{v}) })})
	}
	each(true, func(j Expr) { g.emit(&Store{part, j, convert(k, fd.zero)}) })
	t := &tiles{g: g}
	t.steps(integer(0), fd.n, group, func(i Expr) { g.addRows(p, fd, part, i, group, from, n) })
	rest := g.atom("rest", sub(fd.n, rem(fd.n, integer(group))))
	t.steps(rest, fd.n, 1, func(i Expr) { g.addRows(p, fd, part, i, 1, from, n) })
	each(true, func(j Expr) {
		g.emit(&Store{dst, add(from, j), convert(dst.Elem, convert(fd.kind, &Load{part, j}))})
	})
}

// addRows adds count rows of p, from row i, to partial results.
func (g *gen) addRows(p *pull, fd *folding, part *Buf, i Expr, count int64, from, n Expr) {
	g.iterate([]Expr{n}, true, func(jx []Expr) {
		j := g.atom("j", add(from, jx[0]))
		acc := convert(fd.kind, &Load{part, jx[0]})
		for r := int64(0); r < count; r++ {
			acc = g.stepAt(fd, g.bounded(fd, acc), p, []Expr{add(i, integer(r)), j})
			if part.Elem != fd.kind && part.Elem.exact() {
				acc = convert(fd.kind, convert(part.Elem, acc))
			}
		}
		g.emit(&Store{part, jx[0], convert(part.Elem, acc)})
	})
}

// partKind is the kind of partial results: at least 32 bits where elements are
// computed in 32 bits or more, as storing them narrow would cost conversions.
func (g *gen) partKind(p *pull, fd *folding, k Kind) Kind {
	if !k.exact() || k == U8 || width(k) >= 4 {
		return k
	}
	st := g.nest
	g.nest = &nestState{inside: true}
	var x Expr
	stmts := g.block(func() {
		i, j := g.loopVar(integer(0), fd.n, nil), g.loopVar(integer(0), p.dims[1], nil)
		x = g.index(p, []Expr{&Use{i}, &Use{j}})
	})
	g.nest = st
	w := &widest{}
	for _, s := range stmts {
		for _, y := range Exprs(s) {
			w.expr(y)
		}
	}
	if w.expr(x); w.found {
		return I32
	}
	return k
}

// widest finds arithmetic of 32 bits and more.
type widest struct{ found bool }

func (w *widest) expr(x Expr) {
	switch x := x.(type) {
	case nil:
		return
	case *Load:
		return // neither the element nor its place is arithmetic
	case *Math:
		w.found = true
	case *Binary:
		w.found = w.found || x.X.Kind() == F64
	}
	for _, y := range Operands(x) {
		w.expr(y)
	}
}

// few reports whether n is known to be the width of a single panel whose rows
// threads may share.
func (g *gen) few(n Expr) bool {
	c, ok := intOf(n)
	return ok && c <= fewPanel
}
