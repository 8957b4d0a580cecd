package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// A truth vector that is made of bytes costs little: vector code computes
// dozens of elements at a time, while memory that nobody has touched is cleared
// by the system before it is written.

// storedTruth is what it costs to store a truth value in memory that is
// touched for the first time, in operations of vector code on eight bytes an
// element.
const storedTruth = 2.5

// light reports whether computing the elements of a truth vector at each of
// several reads costs less than storing them.
func (g *gen) light(p *pull, reads int) bool {
	if p.elem != ir.U8 || p.rank() != 1 || p.buf != nil || p.faults || p.cost > 40 || p.at == nil && p.flat == nil || !g.on("recompute") {
		return false
	}
	w := math.Inf(1)
	g.block(func() {
		if segments, weight, ok := g.straightPieces(p); ok && len(segments) > 0 {
			w = weight
		}
	})
	return w*float64(reads-1) <= storedTruth
}

// lightWeight is what computing x costs, but for indices.
func lightWeight(x ir.Expr) float64 {
	w, bytes := 1.0, ir.Width(x.Kind())
	operands := ir.Operands(x)
	switch x := x.(type) {
	case *ir.Int, *ir.Float, *ir.Use:
		return 0
	case *ir.Load:
		operands = nil
		if !plainSum(x.Index, 0) {
			return math.Inf(1)
		}
	case *ir.Binary:
		switch {
		case x.Op == ir.OpDiv || x.Op == ir.OpQuo || x.Op == ir.OpRem:
			w = 8
		case x.Op >= ir.OpLt:
			bytes = ir.Width(x.X.Kind())
		case bytes == 8 && plainSum(x, 0): // of a position
			return 0
		}
	case *ir.Convert:
		bytes = max(bytes, ir.Width(x.X.Kind()))
	case *ir.Math:
		w, bytes = 8, 8
		if fused(x) {
			w = 1
		}
	}
	w *= float64(bytes) / 8
	for _, y := range operands {
		w += lightWeight(y)
	}
	return w
}

// blockWeight is what straight code costs, infinitely much for other code.
func blockWeight(block []ir.Stmt) float64 {
	w := 0.0
	for _, s := range block {
		switch s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store, *ir.Comment:
		default:
			return math.Inf(1)
		}
		for _, x := range ir.Exprs(s) {
			if x != nil {
				w += 1 + lightWeight(x)
			}
		}
	}
	return w
}
