package laila

// Bounds of thin products: of rows and columns of the result, and how many terms
// are added to a row while it is in registers.
const (
	thinRows, thinColumns = 32, 32
	thinTerms             = 256
	thinBand              = 8
)

// upright stores the matrix p that x is the transpose of, and not its transpose,
// where the other operand of a product is p as well.
func (g *gen) upright(x, other *pull) {
	if p := x.turned; p != nil && p == other && x.buf == nil && p.buf == nil && !p.cheap() && !p.faults && g.nest == nil && g.opts.Tile && g.on("thin") {
		g.materialise(p)
		x.cost = p.cost
	}
}

// isFlat reports whether x is a matrix of few columns, transposed.
func (g *gen) isFlat(x *pull) bool {
	rows, ok := intOf(x.dims[0])
	return ok && rows >= 2 && rows <= thinRows && x.buf == nil && x.turned != nil && g.on("thin")
}

// isThin reports whether x f.h y is small, though it reduces an axis that is
// long, or of a length that only the run knows: the normal equations of a
// regression, or a matrix of covariances.
func (g *gen) isThin(x, y *pull, fd *folding, q *pull) bool {
	if !g.opts.Tile || !g.on("thin") || g.nest != nil || fd.zero == nil || fd.neutral != nil || fd.kind != F64 || q.faults || x.rank() != 2 || y.rank() != 2 {
		return false
	}
	rows, ok := intOf(x.dims[0])
	columns, ok2 := intOf(y.dims[1])
	n, known := intOf(fd.n)
	return ok && ok2 && rows >= 2 && rows <= thinRows && columns >= 2 && columns <= thinColumns && !(known && n < 2*thinTerms)
}

// thin computes a small inner product in few passes over the long axis, where
// one for each row of the result would read memory as often:
//
//	for each band of rows of the result, in parallel
//	  z[rows of the band;] ← the neutral element
//	  for every thinTerms terms
//	    for rows i of the band
//	      t ← z[i;]                              in registers
//	      for terms k: t[j] ← t[j] f x[i;k] h y[k;j]
//	      z[i;] ← t
//
// Requires: terms that cannot fault; an associative f. Preserves: the order of
// the terms of an element.
func (g *gen) thin(x, y *pull, fd *folding, dst *Buf, extend func(acc Expr, ix []Expr, i Expr, jx []Expr) Expr) {
	rows, _ := intOf(x.dims[0])
	columns := y.dims[1]
	band := min(thinBand, (rows+1)/2)
	loop := func(lo, hi Expr, independent bool, body func(i Expr)) {
		v := g.loopVar(lo, hi, nil)
		g.emit(&For{Var: v, Lo: lo, Hi: hi, Independent: independent, Body: g.block(func() { body(&Use{v}) })})
	}
	g.segmap([]Expr{integer((rows + band - 1) / band)}, func(ix []Expr) {
		lo := g.atom("lo", mul(ix[0], integer(band)))
		hi := g.atom("hi", g.smaller(add(lo, integer(band)), integer(rows)))
		loop(lo, hi, false, func(i Expr) {
			loop(integer(0), columns, true, func(j Expr) {
				g.emit(&Store{dst, add(mul(i, columns), j), convert(dst.Elem, fd.zero)})
			})
		})
		loop(integer(0), g.atom("strips", quo(add(fd.n, integer(thinTerms-1)), integer(thinTerms))), false, func(s Expr) {
			from := g.atom("from", mul(s, integer(thinTerms)))
			to := g.atom("to", g.smaller(add(from, integer(thinTerms)), fd.n))
			loop(lo, hi, false, func(i Expr) {
				row := g.atom("row", mul(i, columns))
				n, _ := intOf(columns)
				t := &Buf{Name: "row", Elem: fd.kind, Stack: n}
				g.emit(&DeclBuf{Buf: t, Count: columns, At: g.src})
				loop(integer(0), columns, true, func(j Expr) { g.emit(&Store{t, j, convert(fd.kind, &Load{dst, add(row, j)})}) })
				loop(from, to, false, func(k Expr) {
					loop(integer(0), columns, true, func(j Expr) { g.emit(&Store{t, j, extend(&Load{t, j}, []Expr{i}, k, []Expr{j})}) })
				})
				loop(integer(0), columns, true, func(j Expr) { g.emit(&Store{dst, add(row, j), convert(dst.Elem, &Load{t, j})}) })
			})
		})
	})
}
