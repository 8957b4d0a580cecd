package eval

import "github.com/tailor-lang/tailor/fcl/scalar"

// Scalar is a scalar value.
type Scalar = scalar.Scalar

// Int, Double and Bool return scalars.
var (
	Int    = scalar.Int
	Double = scalar.Double
	Bool   = scalar.Bool
)
