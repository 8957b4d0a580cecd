package reduce

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
)

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
func reducePanels(g *build.Builder, p *build.Pull, fd *Folding, dst *ir.Buf) {
	columns := p.Dims[1]
	k := partKind(g, p, fd, dst.Elem)
	group := int64(rowGroup)
	if p.Buf == nil && p.Cost <= computedGroup {
		group = computedGroup
	}
	if p.Buf == nil && (p.At != nil || p.Flat != nil) {
		if stmts, x, j := element(g, p, fd); branches(stmts, x, j) { // for each row there is another place to split the columns at
			group = 1
		}
	}
	if c, ok := ir.IntOf(columns); ok && c <= fewPanel {
		g.Guarded(func() {
			inside := g.Nest.Inside
			g.Nest.Inside = true
			panel(g, p, fd, dst, k, c, group, ir.Integer(0), columns)
			g.Nest.Inside = inside
		})
		return
	}
	panels := g.Atom("panels", ir.Quo(ir.Add(columns, ir.Integer(rowPanel-1)), ir.Integer(rowPanel)))
	g.Segmap([]ir.Expr{panels}, func(ix []ir.Expr) {
		from := ir.Expr(ir.Integer(0))
		if !ir.IsInt(panels, 1) {
			from = g.Atom("from", ir.Mul(ix[0], ir.Integer(rowPanel)))
		}
		n := g.Atom("n", g.Smaller(ir.Sub(columns, from), ir.Integer(rowPanel)))
		panel(g, p, fd, dst, k, rowPanel, group, from, n)
	})
}

// panel reduces the rows of n columns, of which there is room for room. Where
// there is no other panel the loop over rows is for threads to share, which may
// have partial results of their own.
func panel(g *build.Builder, p *build.Pull, fd *Folding, dst *ir.Buf, k ir.Kind, room, group int64, from, n ir.Expr) {
	part := &ir.Buf{Name: "part", Elem: k, Stack: room}
	g.Emit(&ir.DeclBuf{Buf: part, Count: ir.Integer(room), Shape: []ir.Expr{ir.Integer(room)}, At: g.Src})
	each := func(body func(j ir.Expr)) { g.Loop(ir.Integer(0), n, true, body) }
	each(func(j ir.Expr) { g.Emit(part.Store(j, ir.ConvertTo(k, fd.Zero))) })
	var rest ir.Expr = ir.Integer(0)
	if group > 1 {
		g.Loop(ir.Integer(0), g.Atom("n", ir.Quo(fd.N, ir.Integer(group))), false, func(i ir.Expr) {
			addRows(g, p, fd, part, g.Atom("i", ir.Mul(i, ir.Integer(group))), group, from, n)
		})
		rest = g.Atom("rest", ir.Sub(fd.N, ir.Rem(fd.N, ir.Integer(group))))
	}
	g.Loop(rest, fd.N, false, func(i ir.Expr) { addRows(g, p, fd, part, i, 1, from, n) })
	each(func(j ir.Expr) {
		g.Emit(dst.Store(ir.Add(from, j), ir.ConvertTo(dst.Elem, ir.ConvertTo(fd.Kind, part.Load(j)))))
	})
}

// addRows adds count rows of p, from row i, to partial results.
func addRows(g *build.Builder, p *build.Pull, fd *Folding, part *ir.Buf, i ir.Expr, count int64, from, n ir.Expr) {
	g.Iterate([]ir.Expr{n}, true, func(jx []ir.Expr) {
		j := g.Atom("j", ir.Add(from, jx[0]))
		acc := ir.ConvertTo(fd.Kind, part.Load(jx[0]))
		for r := int64(0); r < count; r++ {
			acc = stepAt(g, fd, bounded(g, fd, acc), p, []ir.Expr{ir.Add(i, ir.Integer(r)), j})
			if part.Elem != fd.Kind && part.Elem.Exact() {
				acc = ir.ConvertTo(fd.Kind, ir.ConvertTo(part.Elem, acc))
			}
		}
		g.Emit(part.Store(jx[0], ir.ConvertTo(part.Elem, acc)))
	})
}

// partKind is the kind of partial results: at least 32 bits where elements are
// computed in 32 bits or more, as storing them narrow would cost conversions.
func partKind(g *build.Builder, p *build.Pull, fd *Folding, k ir.Kind) ir.Kind {
	if !k.Exact() || k == ir.U8 || ir.Width(k) >= 4 {
		return k
	}
	stmts, x, _ := element(g, p, fd)
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

// element is the code for an element of p in column j, and the element.
func element(g *build.Builder, p *build.Pull, fd *Folding) (stmts []ir.Stmt, x ir.Expr, j *ir.Var) {
	st := g.Nest
	g.Nest = &build.NestState{Inside: true}
	stmts = g.Block(func() {
		i := g.LoopVar(ir.Integer(0), fd.N, nil)
		j = g.LoopVar(ir.Integer(0), p.Dims[1], nil)
		x = g.Index(p, []ir.Expr{i.Use(), j.Use()})
	})
	g.Nest = st
	return stmts, x, j
}

// branches reports whether statements have some, or x or they have places that are chosen by a
// comparison of j.
func branches(stmts []ir.Stmt, x ir.Expr, j *ir.Var) bool {
	found := false
	chosen := map[*ir.Var]bool{}
	look := func(x ir.Expr) {
		ir.WalkExpr(x, func(x ir.Expr) {
			if load, ok := x.(*ir.Load); ok {
				found = found || ir.MentionsAny(load.Index, chosen)
			}
		})
	}
	ir.Walk(stmts, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.If:
			found = true
		case *ir.Decl:
			if choice, ok := s.Init.(*ir.Select); ok && ir.Mentions(choice.Cond, j) {
				chosen[s.Var] = true
			}
		}
		for _, x := range ir.Exprs(s) {
			look(x)
		}
	})
	look(x)
	return found
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

// onePanel reports whether n is known to be the width of a single panel whose rows
// threads may share.
func onePanel(n ir.Expr) bool {
	c, ok := ir.IntOf(n)
	return ok && c <= fewPanel
}
