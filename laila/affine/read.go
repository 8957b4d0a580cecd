package affine

import "github.com/tailor-lang/tailor/laila/ir"

// Reader makes sums of integer expressions: numbers, sums, differences, negations and
// products are multiplied out.
type Reader struct {
	// Leaf returns the sum that anything else is, with r for what is inside of it.
	Leaf func(r *Reader, x ir.Expr) Poly
	// Linear leaves products to Leaf, other than those with a number.
	Linear bool
	// Factor, where it is set and ok, returns what the second factor of a product is,
	// in place of what it would be read as.
	Factor func(x ir.Expr) (Poly, bool)

	depth int
}

// maxDepth is how deep expressions are read, which callers may extend by what variables
// are; linearDepth is for those of which only sums are read.
const (
	maxDepth    = 24
	linearDepth = 400
)

// Read returns the sum that x is, Unknown where it is none.
func (r *Reader) Read(x ir.Expr) Poly {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth && !r.Linear || r.depth > linearDepth {
		return Unknown
	}
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
			if n, ok := ir.IntOf(x.Y); ok {
				return r.Read(x.X).Scaled(n)
			}
			if n, ok := ir.IntOf(x.X); ok {
				return r.Read(x.Y).Scaled(n)
			}
			if r.Linear {
				break
			}
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
