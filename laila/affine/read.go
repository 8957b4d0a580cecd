package affine

import "github.com/tailor-lang/tailor/laila/ir"

// Reader makes sums of integer expressions: numbers, sums, differences, negations and
// products are multiplied out.
type Reader struct {
	// Leaf returns the sum that anything else is, with r for what is inside of it.
	Leaf func(r *Reader, x ir.Expr) Poly
	// Factor, where it is set and ok, returns what the second factor of a product is,
	// in place of what it would be read as.
	Factor func(x ir.Expr) (Poly, bool)

	depth int
}

// maxDepth is how deep expressions are read.
const maxDepth = 24

// Read returns the sum that x is, Unknown where it is none.
func (r *Reader) Read(x ir.Expr) Poly {
	if r.depth++; r.depth > maxDepth {
		r.depth--
		return Unknown
	}
	defer func() { r.depth-- }()
	switch x := x.(type) {
	case *ir.Int:
		return Const(x.Val)
	case *ir.Unary:
		if x.Op == ir.OpNeg && x.Kind() == ir.I64 {
			return r.Read(x.X).Scaled(-1)
		}
	case *ir.Binary:
		if x.Kind() != ir.I64 {
			break
		}
		switch x.Op {
		case ir.OpAdd:
			return r.Read(x.X).Plus(r.Read(x.Y))
		case ir.OpSub:
			return r.Read(x.X).Minus(r.Read(x.Y))
		case ir.OpMul:
			return r.Read(x.X).Times(r.factor(x.Y))
		}
	}
	return r.Leaf(r, x)
}

func (r *Reader) factor(x ir.Expr) Poly {
	if r.Factor != nil {
		if p, ok := r.Factor(x); ok {
			return p
		}
	}
	return r.Read(x)
}
