package cost

import (
	"math"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// LightWeight is what computing x costs in vector code, in operations on eight bytes,
// but for indices.
func LightWeight(x ir.Expr) float64 {
	w, bytes := 1.0, ir.Width(x.Kind())
	operands := ir.Operands(x)
	switch x := x.(type) {
	case *ir.Int, *ir.Float, *ir.Use:
		return 0
	case *ir.Load:
		operands = nil
		if !ir.IsPlainSum(x.Index, 0) {
			return math.Inf(1)
		}
	case *ir.Binary:
		switch {
		case x.Op == ir.OpDiv || x.Op == ir.OpQuo || x.Op == ir.OpRem:
			w = 8
		case x.Op >= ir.OpLt:
			bytes = ir.Width(x.X.Kind())
		case bytes == 8 && ir.IsPlainSum(x, 0): // of a position
			return 0
		}
	case *ir.Convert:
		bytes = max(bytes, ir.Width(x.X.Kind()))
	case *ir.Math:
		w, bytes = 8, 8
		if ir.IsFused(x) {
			w = 1
		}
	}
	w *= float64(bytes) / 8
	for _, y := range operands {
		w += LightWeight(y)
	}
	return w
}

// IsCostly reports whether x reads memory or is costly.
func IsCostly(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Load:
		return true
	case *ir.Math:
		return !ir.IsFused(x) || slices.ContainsFunc(x.Args, IsCostly)
	case *ir.Unary:
		return IsCostly(x.X)
	case *ir.Binary:
		return x.Op == ir.OpQuo || x.Op == ir.OpRem || IsCostly(x.X) || IsCostly(x.Y)
	case *ir.Select:
		return IsCostly(x.Cond) || IsCostly(x.Then) || IsCostly(x.Else)
	case *ir.Convert:
		return IsCostly(x.X)
	}
	return false
}

// BodyWeight is about what a block costs, in simple operations.
func BodyWeight(block []ir.Stmt) int {
	n := 0
	for _, s := range block {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				n += exprWeight(x)
			}
		}
		for _, inner := range ir.Blocks(s) {
			n += BodyWeight(*inner)
		}
	}
	return n
}

func exprWeight(x ir.Expr) int {
	n := 0
	switch x := x.(type) {
	case *ir.Load, *ir.Unary, *ir.Select, *ir.Convert:
		n = 1
	case *ir.Binary:
		n = 1
		if x.Op == ir.OpDiv || x.Op == ir.OpQuo || x.Op == ir.OpRem {
			n = 6
		}
	case *ir.Math:
		n = 12
		if ir.IsFused(x) {
			n = 2
		} else if x.Fn == "tl_powd" || x.Fn == "pow" {
			n = 30
		} else if strings.HasPrefix(x.Fn, "tl_") {
			n = 3
		}
	}
	for _, y := range ir.Operands(x) {
		if y != nil {
			n += exprWeight(y)
		}
	}
	return n
}
