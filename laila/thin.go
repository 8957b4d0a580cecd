package laila

import "github.com/tailor-lang/tailor/laila/ir"

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
	if p := x.turned; p != nil && p == other && x.buf == nil && p.buf == nil && !p.cheap() && !p.faults && g.nest == nil && g.CPU() && g.On("thin") {
		g.materialise(p)
		x.cost = p.cost
	}
}

// isFlat reports whether x is a matrix of few columns, transposed.
func (g *gen) isFlat(x *pull) bool {
	rows, ok := ir.IntOf(x.dims[0])
	return ok && rows >= 2 && rows <= thinRows && x.buf == nil && x.turned != nil && g.On("thin")
}

// isThin reports whether x f.h y is small, though it reduces an axis that is
// long, or of a length that only the run knows: the normal equations of a
// regression, or a matrix of covariances.
func (g *gen) isThin(x, y *pull, fd *folding, q *pull) bool {
	if !g.CPU() || !g.On("thin") || g.nest != nil || fd.zero == nil || fd.neutral != nil || fd.kind != ir.F64 || q.faults || x.rank() != 2 || y.rank() != 2 {
		return false
	}
	rows, ok := ir.IntOf(x.dims[0])
	columns, ok2 := ir.IntOf(y.dims[1])
	n, known := ir.IntOf(fd.n)
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
func (g *gen) thin(x, y *pull, fd *folding, dst *ir.Buf, extend func(acc ir.Expr, ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr) {
	rows, _ := ir.IntOf(x.dims[0])
	columns := y.dims[1]
	band := min(thinBand, (rows+1)/2)
	loop := func(lo, hi ir.Expr, independent bool, body func(i ir.Expr)) {
		v := g.loopVar(lo, hi, nil)
		g.emit(&ir.For{Var: v, Lo: lo, Hi: hi, Independent: independent, Body: g.block(func() { body(v.Use()) })})
	}
	g.segmap([]ir.Expr{ir.Integer((rows + band - 1) / band)}, func(ix []ir.Expr) {
		lo := g.atom("lo", ir.Mul(ix[0], ir.Integer(band)))
		hi := g.atom("hi", g.Smaller(ir.Add(lo, ir.Integer(band)), ir.Integer(rows)))
		loop(lo, hi, false, func(i ir.Expr) {
			loop(ir.Integer(0), columns, true, func(j ir.Expr) {
				g.emit(dst.Store(ir.Add(ir.Mul(i, columns), j), ir.ConvertTo(dst.Elem, fd.zero)))
			})
		})
		loop(ir.Integer(0), g.atom("strips", ir.Quo(ir.Add(fd.n, ir.Integer(thinTerms-1)), ir.Integer(thinTerms))), false, func(s ir.Expr) {
			from := g.atom("from", ir.Mul(s, ir.Integer(thinTerms)))
			to := g.atom("to", g.Smaller(ir.Add(from, ir.Integer(thinTerms)), fd.n))
			loop(lo, hi, false, func(i ir.Expr) {
				row := g.atom("row", ir.Mul(i, columns))
				n, _ := ir.IntOf(columns)
				t := &ir.Buf{Name: "row", Elem: fd.kind, Stack: n}
				g.emit(&ir.DeclBuf{Buf: t, Count: columns, At: g.src})
				loop(ir.Integer(0), columns, true, func(j ir.Expr) { g.emit(t.Store(j, ir.ConvertTo(fd.kind, dst.Load(ir.Add(row, j))))) })
				loop(from, to, false, func(k ir.Expr) {
					loop(ir.Integer(0), columns, true, func(j ir.Expr) { g.emit(t.Store(j, extend(t.Load(j), []ir.Expr{i}, k, []ir.Expr{j}))) })
				})
				loop(ir.Integer(0), columns, true, func(j ir.Expr) { g.emit(dst.Store(ir.Add(row, j), ir.ConvertTo(dst.Elem, t.Load(j)))) })
			})
		})
	})
}
