package reduce

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Bounds of thin products: of rows and columns of the result, and how many terms
// are added to a row while it is in registers.
const (
	thinRows, thinColumns = 32, 32
	thinTerms             = 256
	thinBand              = 8
)

// upright stores the matrix p that x is the transpose of, and not its transpose,
// where the other operand of a product is p as well.
func upright(g *build.Builder, x, other *build.Pull) {
	if p := x.Turned; p != nil && p == other && x.Buf == nil && p.Buf == nil && !p.Cheap() && !p.Faults && g.Nest == nil && g.CPU() && g.On("thin") {
		g.Materialise(p)
		x.Cost = p.Cost
	}
}

// isFlat reports whether x is a matrix of few columns, transposed.
func isFlat(g *build.Builder, x *build.Pull) bool {
	rows, ok := ir.IntOf(x.Dims[0])
	return ok && rows >= 2 && rows <= thinRows && x.Buf == nil && x.Turned != nil && g.On("thin")
}

// isThin reports whether x f.h y is small, though it reduces an axis that is
// long, or of a length that only the run knows: the normal equations of a
// regression, or a matrix of covariances.
func isThin(g *build.Builder, x, y *build.Pull, fd *Folding, q *build.Pull) bool {
	if !g.CPU() || !g.On("thin") || g.Nest != nil || fd.Zero == nil || fd.neutral != nil || fd.Kind != ir.F64 || q.Faults || x.Rank() != 2 || y.Rank() != 2 {
		return false
	}
	rows, ok := ir.IntOf(x.Dims[0])
	columns, ok2 := ir.IntOf(y.Dims[1])
	n, known := ir.IntOf(fd.N)
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
func thin(g *build.Builder, x, y *build.Pull, fd *Folding, dst *ir.Buf, extend func(acc ir.Expr, ix []ir.Expr, i ir.Expr, jx []ir.Expr) ir.Expr) {
	rows, _ := ir.IntOf(x.Dims[0])
	columns := y.Dims[1]
	band := min(thinBand, (rows+1)/2)
	g.Segmap([]ir.Expr{ir.Integer((rows + band - 1) / band)}, func(ix []ir.Expr) {
		lo := g.Atom("lo", ir.Mul(ix[0], ir.Integer(band)))
		hi := g.Atom("hi", g.Smaller(ir.Add(lo, ir.Integer(band)), ir.Integer(rows)))
		g.Loop(lo, hi, false, func(i ir.Expr) {
			g.Loop(ir.Integer(0), columns, true, func(j ir.Expr) {
				g.Emit(dst.Store(ir.Add(ir.Mul(i, columns), j), ir.ConvertTo(dst.Elem, fd.Zero)))
			})
		})
		g.Loop(ir.Integer(0), g.Atom("strips", ir.Quo(ir.Add(fd.N, ir.Integer(thinTerms-1)), ir.Integer(thinTerms))), false, func(s ir.Expr) {
			from := g.Atom("from", ir.Mul(s, ir.Integer(thinTerms)))
			to := g.Atom("to", g.Smaller(ir.Add(from, ir.Integer(thinTerms)), fd.N))
			g.Loop(lo, hi, false, func(i ir.Expr) {
				row := g.Atom("row", ir.Mul(i, columns))
				n, _ := ir.IntOf(columns)
				t := &ir.Buf{Name: "row", Elem: fd.Kind, Stack: n}
				g.Emit(&ir.DeclBuf{Buf: t, Count: columns, At: g.Src})
				g.Loop(ir.Integer(0), columns, true, func(j ir.Expr) { g.Emit(t.Store(j, ir.ConvertTo(fd.Kind, dst.Load(ir.Add(row, j))))) })
				g.Loop(from, to, false, func(k ir.Expr) {
					g.Loop(ir.Integer(0), columns, true, func(j ir.Expr) { g.Emit(t.Store(j, extend(t.Load(j), []ir.Expr{i}, k, []ir.Expr{j}))) })
				})
				g.Loop(ir.Integer(0), columns, true, func(j ir.Expr) { g.Emit(dst.Store(ir.Add(row, j), ir.ConvertTo(dst.Elem, t.Load(j)))) })
			})
		})
	})
}
