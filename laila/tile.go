package laila

import "github.com/tailor-lang/tailor/tail"

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
func (g *gen) tiled(x, y *pull, h *tail.Lam, fd *folding) bool {
	switch opOf(h) {
	case tail.OpAddI, tail.OpSubI, tail.OpMulI: // overflow is their only fault, as of the sum
	default:
		if g.canFault(h) {
			return false
		}
	}

	if !g.opts.Tile || !g.on("tiles") || g.nest != nil || fd.zero == nil || fd.neutral != nil || x.rank() != 2 || y.rank() != 2 || x.faults || y.faults {
		return false
	}
	terms, short := intOf(fd.n)
	columns, few := intOf(y.dims[1])
	if short && few && terms <= smallTerms && columns <= smallRows {
		return false // a row of the result stays in registers
	}
	for _, d := range []Expr{x.dims[0], fd.n, y.dims[1]} {
		if c, ok := intOf(d); ok && c < 2*tile {
			return false
		}
	}
	c, ok := intOf(x.dims[0])
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
func (g *gen) innerTiles(x, y *pull, h *tail.Lam, fd *folding, dst *Buf) {
	t := &tiles{g: g, x: x, y: y, h: h, fd: fd, dst: dst}
	rows, columns := x.dims[0], y.dims[1]
	bands := g.atom("bands", quo(add(rows, integer(bandRows-1)), integer(bandRows)))
	panels := g.atom("panels", quo(add(columns, integer(panelColumns-1)), integer(panelColumns)))
	g.segmap([]Expr{bands}, func(ix []Expr) {
		lo := g.atom("lo", mul(ix[0], integer(bandRows)))
		hi := g.atom("hi", g.smaller(add(lo, integer(bandRows)), rows))
		t.steps(integer(0), panels, 1, func(p Expr) {
			t.from = g.atom("from", mul(p, integer(panelColumns)))
			t.to = g.atom("to", g.smaller(add(t.from, integer(panelColumns)), columns))
			t.steps(lo, hi, 1, t.clear)
			t.steps(lo, hi, tile, func(i Expr) { t.band(i, tile) })
			rest := g.atom("rest", sub(hi, rem(sub(hi, lo), integer(tile))))
			t.steps(rest, hi, 1, func(i Expr) { t.band(i, 1) })
		})
	})
}

// tiles is an inner product that is computed in tiles.
type tiles struct {
	g        *gen
	x, y     *pull
	h        *tail.Lam
	fd       *folding
	dst      *Buf
	from, to Expr // columns of the panel
}

// steps runs body for lo, lo+by, … as long as by whole steps are left.
func (t *tiles) steps(lo, hi Expr, by int64, body func(i Expr)) {
	g := t.g
	if by == 1 {
		v := g.loopVar(lo, hi, nil)
		g.emit(&For{Var: v, Lo: lo, Hi: hi, Body: g.block(func() { body(&Use{v}) })})
		return
	}
	n := g.atom("n", quo(sub(hi, lo), integer(by)))
	v := g.loopVar(integer(0), n, nil)
	g.emit(&For{Var: v, Lo: integer(0), Hi: n, Body: g.block(func() {
		body(g.atom("i", add(lo, mul(&Use{v}, integer(by)))))
	})})
}

// columns runs body for the columns of the panel, which are independent.
func (t *tiles) columns(body func(j Expr)) {
	v := t.g.loopVar(t.from, t.to, nil)
	t.g.emit(&For{Var: v, Lo: t.from, Hi: t.to, Independent: true, Body: t.g.block(func() { body(&Use{v}) })})
}

// row returns where row i of the result starts.
func (t *tiles) row(i Expr) Expr { return t.g.atom("row", mul(i, t.y.dims[1])) }

// clear stores the neutral element in a row of the panel.
func (t *tiles) clear(i Expr) {
	row := t.row(i)
	t.columns(func(j Expr) {
		t.g.emit(&Store{t.dst, add(row, j), convert(t.dst.Elem, t.fd.zero)})
	})
}

// band adds all terms to the panel's part of n rows from i.
func (t *tiles) band(i Expr, n int64) {
	g := t.g
	rows := make([]Expr, n)
	for r := range rows {
		rows[r] = t.row(add(i, integer(int64(r))))
	}
	t.steps(integer(0), t.fd.n, tile, func(k Expr) { t.tile(i, rows, k, tile) })
	rest := g.atom("rest", sub(t.fd.n, rem(t.fd.n, integer(tile))))
	t.steps(rest, t.fd.n, 1, func(k Expr) { t.tile(i, rows, k, 1) })
}

// tile adds n terms from k to the panel's part of rows from i.
func (t *tiles) tile(i Expr, rows []Expr, k Expr, n int64) {
	g := t.g
	a := make([][]Expr, len(rows))
	for r := range rows {
		for c := int64(0); c < n; c++ {
			a[r] = append(a[r], t.held("a", g.index(t.x, []Expr{add(i, integer(int64(r))), add(k, integer(c))})))
		}
	}
	t.columns(func(j Expr) {
		var b []Expr
		for c := int64(0); c < n; c++ {
			b = append(b, t.held("b", g.index(t.y, []Expr{add(k, integer(c)), j})))
		}
		for r, row := range rows {
			at := g.atom("at", add(row, j))
			var acc Expr = &Load{t.dst, at}
			if !t.narrow() {
				acc = convert(t.fd.kind, acc)
			}
			for c := range b {
				acc = t.step(acc, pair{a[r][c], b[c]})
			}
			g.emit(&Store{t.dst, at, convert(t.dst.Elem, acc)})
		}
	})
}

// held binds an element; an integer stays as narrow as it is stored.
func (t *tiles) held(name string, x Expr) Expr {
	if c, ok := x.(*Convert); ok && c.To == I64 && c.X.Kind().exact() {
		return &Convert{I64, t.g.atom(name, c.X)}
	}
	return t.g.atom(name, x)
}

// narrow reports whether terms are smallest or greatest in the kind that the
// result is stored in.
func (t *tiles) narrow() bool {
	minmax := t.fd.op == tail.OpMinI || t.fd.op == tail.OpMaxI
	k := rangeOfKind(t.dst.Elem)
	return minmax && t.fd.rng.within(k.lo, k.hi)
}

// step adds a term to an accumulator.
func (t *tiles) step(acc Expr, p pair) Expr {
	if t.narrow() {
		x := t.g.lam(t.h, p.a, p.b)
		op := Min
		if t.fd.op == tail.OpMaxI {
			op = Max
		}
		return t.g.atom("acc", &Binary{op, acc, t.g.atom("x", convert(t.dst.Elem, x))})
	}
	return t.g.atom("acc", t.g.addTerm(t.fd, t.h, t.g.bounded(t.fd, acc), p))
}

// rowMajor stores what is not read along its rows.
func (g *gen) rowMajor(p *pull) *pull {
	if p.buf == nil && p.flat == nil {
		g.materialise(p)
	}
	return p
}
