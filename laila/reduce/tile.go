package reduce

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// The extents of a tile of an inner product: bandRows rows of the result
// share a panel of panelColumns columns of the right argument while it is in
// the cache; inside, tile rows take tile terms at a time, so that an
// accumulator is read and written once, and an element of the right argument
// read once, for tile×tile terms.
const (
	bandRows     = 64
	panelColumns = 256
	tile         = 4
	// Rows of the result that are this short, of sums this short, are not
	// computed in tiles: what reads them joins their loops.
	smallTerms, smallRows = 32, 64
)

// tiled reports whether an inner product x f.h y is big enough for tiles: its
// matrices are stored, the result has many rows, and it does not matter which
// element faults first. The order of the terms of an element does not change.
func tiled(g *build.Builder, x, y *build.Pull, h *tail.Lam, fd *Folding) bool {
	switch tail.OpOf(h) {
	case tail.OpAddI, tail.OpSubI, tail.OpMulI: // overflow is their only fault, as of the sum
	default:
		if g.CanFault(h) {
			return false
		}
	}

	if !g.On("tiles") || g.Nest != nil || fd.Zero == nil || fd.neutral != nil || x.Rank() != 2 || y.Rank() != 2 || x.Faults || y.Faults {
		return false
	}
	terms, short := ir.IntOf(fd.N)
	columns, few := ir.IntOf(y.Dims[1])
	if short && few && terms <= smallTerms && columns <= smallRows {
		return false // a row of the result stays in registers
	}
	for _, d := range []ir.Expr{x.Dims[0], fd.N, y.Dims[1]} {
		if c, ok := ir.IntOf(d); ok && c < 2*tile {
			return false
		}
	}
	c, ok := ir.IntOf(x.Dims[0])
	return !ok || c >= bandRows
}

// innerTiles computes an inner product in tiles:
//
//	for each band of rows of the result, in parallel
//	  for each panel of columns
//	    the panel's part of the band ← the neutral element
//	    for rows i, i+1, i+2, i+3; for terms k, k+1, k+2, k+3
//	      for columns j of the panel
//	        z[i;j] ← (((z[i;j] f x[i;k] h y[k;j]) f x[i;k+1] h y[k+1;j]) …
//
// and what is left over at the edges, one row or one term at a time.
func innerTiles(g *build.Builder, x, y *build.Pull, h *tail.Lam, fd *Folding, dst *ir.Buf) {
	t := &tiles{g: g, x: x, y: y, h: h, fd: fd, dst: dst}
	rows, columns := x.Dims[0], y.Dims[1]
	bands := g.Atom("bands", ir.Quo(ir.Add(rows, ir.Integer(bandRows-1)), ir.Integer(bandRows)))
	panels := g.Atom("panels", ir.Quo(ir.Add(columns, ir.Integer(panelColumns-1)), ir.Integer(panelColumns)))
	g.Segmap([]ir.Expr{bands}, func(ix []ir.Expr) {
		lo := g.Atom("lo", ir.Mul(ix[0], ir.Integer(bandRows)))
		hi := g.Atom("hi", g.Smaller(ir.Add(lo, ir.Integer(bandRows)), rows))
		t.steps(ir.Integer(0), panels, 1, func(p ir.Expr) {
			t.from = g.Atom("from", ir.Mul(p, ir.Integer(panelColumns)))
			t.to = g.Atom("to", g.Smaller(ir.Add(t.from, ir.Integer(panelColumns)), columns))
			t.steps(lo, hi, 1, t.clear)
			t.steps(lo, hi, tile, func(i ir.Expr) { t.band(i, tile) })
			rest := g.Atom("rest", ir.Sub(hi, ir.Rem(ir.Sub(hi, lo), ir.Integer(tile))))
			t.steps(rest, hi, 1, func(i ir.Expr) { t.band(i, 1) })
		})
	})
}

// tiles is an inner product that is computed in tiles.
type tiles struct {
	g        *build.Builder
	x, y     *build.Pull
	h        *tail.Lam
	fd       *Folding
	dst      *ir.Buf
	from, to ir.Expr // columns of the panel
}

// steps runs body for lo, lo+by, … as long as by whole steps are left.
func (t *tiles) steps(lo, hi ir.Expr, by int64, body func(i ir.Expr)) {
	g := t.g
	if by == 1 {
		v := g.LoopVar(lo, hi, nil)
		g.Emit(&ir.For{Var: v, Lo: lo, Hi: hi, Body: g.Block(func() { body(v.Use()) })})
		return
	}
	n := g.Atom("n", ir.Quo(ir.Sub(hi, lo), ir.Integer(by)))
	v := g.LoopVar(ir.Integer(0), n, nil)
	g.Emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: n, Body: g.Block(func() {
		body(g.Atom("i", ir.Add(lo, ir.Mul(v.Use(), ir.Integer(by)))))
	})})
}

// columns runs body for the columns of the panel, which are independent.
func (t *tiles) columns(body func(j ir.Expr)) {
	v := t.g.LoopVar(t.from, t.to, nil)
	t.g.Emit(&ir.For{Var: v, Lo: t.from, Hi: t.to, Independent: true, Body: t.g.Block(func() { body(v.Use()) })})
}

// row returns where row i of the result starts.
func (t *tiles) row(i ir.Expr) ir.Expr { return t.g.Atom("row", ir.Mul(i, t.y.Dims[1])) }

// clear stores the neutral element in a row of the panel.
func (t *tiles) clear(i ir.Expr) {
	row := t.row(i)
	t.columns(func(j ir.Expr) {
		t.g.Emit(t.dst.Store(ir.Add(row, j), ir.ConvertTo(t.dst.Elem, t.fd.Zero)))
	})
}

// band adds all terms to the panel's part of n rows from i.
func (t *tiles) band(i ir.Expr, n int64) {
	g := t.g
	rows := make([]ir.Expr, n)
	for r := range rows {
		rows[r] = t.row(ir.Add(i, ir.Integer(int64(r))))
	}
	t.steps(ir.Integer(0), t.fd.N, tile, func(k ir.Expr) { t.tile(i, rows, k, tile) })
	rest := g.Atom("rest", ir.Sub(t.fd.N, ir.Rem(t.fd.N, ir.Integer(tile))))
	t.steps(rest, t.fd.N, 1, func(k ir.Expr) { t.tile(i, rows, k, 1) })
}

// tile adds n terms from k to the panel's part of rows from i.
func (t *tiles) tile(i ir.Expr, rows []ir.Expr, k ir.Expr, n int64) {
	g := t.g
	a := make([][]ir.Expr, len(rows))
	for r := range rows {
		for c := int64(0); c < n; c++ {
			a[r] = append(a[r], t.held("a", g.Index(t.x, []ir.Expr{ir.Add(i, ir.Integer(int64(r))), ir.Add(k, ir.Integer(c))})))
		}
	}
	t.columns(func(j ir.Expr) {
		var b []ir.Expr
		for c := int64(0); c < n; c++ {
			b = append(b, t.held("b", g.Index(t.y, []ir.Expr{ir.Add(k, ir.Integer(c)), j})))
		}
		for r, row := range rows {
			at := g.Atom("at", ir.Add(row, j))
			var acc ir.Expr = t.dst.Load(at)
			if !t.narrow() {
				acc = ir.ConvertTo(t.fd.Kind, acc)
			}
			for c := range b {
				acc = t.step(acc, pair{a[r][c], b[c]})
			}
			g.Emit(t.dst.Store(at, ir.ConvertTo(t.dst.Elem, acc)))
		}
	})
}

// held binds an element; an integer stays as narrow as it is stored.
func (t *tiles) held(name string, x ir.Expr) ir.Expr {
	if c, ok := x.(*ir.Convert); ok && c.To == ir.I64 && c.X.Kind().Exact() {
		return &ir.Convert{To: ir.I64, X: t.g.Atom(name, c.X)}
	}
	return t.g.Atom(name, x)
}

// narrow reports whether terms are smallest or greatest in the kind that the
// result is stored in.
func (t *tiles) narrow() bool {
	minmax := t.fd.Op == tail.OpMinI || t.fd.Op == tail.OpMaxI
	k := facts.RangeOfKind(t.dst.Elem)
	return minmax && t.fd.Rng.Within(k.Lo, k.Hi)
}

// step adds a term to an accumulator.
func (t *tiles) step(acc ir.Expr, p pair) ir.Expr {
	if t.narrow() {
		x := t.g.Lam(t.h, p.a, p.b)
		op := ir.OpMin
		if t.fd.Op == tail.OpMaxI {
			op = ir.OpMax
		}
		return t.g.Atom("acc", op.Of(acc, t.g.Atom("x", ir.ConvertTo(t.dst.Elem, x))))
	}
	return t.g.Atom("acc", addTerm(t.g, t.fd, t.h, bounded(t.g, t.fd, acc), p))
}

// rowMajor stores what is not read along its rows.
func rowMajor(g *build.Builder, p *build.Pull) *build.Pull {
	if p.Buf == nil && p.Flat == nil {
		g.Materialise(p)
	}
	return p
}
