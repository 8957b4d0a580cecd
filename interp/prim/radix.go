package prim

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/value"
)

// decode is dyadic ⊥.
func decode(c *Context, x, y *V) (*V, error) {
	nx, ny := 1, 1
	var outerX, outerY []int
	if x.Rank() > 0 {
		nx, outerX = x.Shape[x.Rank()-1], x.Shape[:x.Rank()-1]
	}
	if y.Rank() > 0 {
		ny, outerY = y.Shape[0], y.Shape[1:]
	}
	if nx != ny && nx != 1 && ny != 1 {
		return nil, fault(diag.WrongLength, "shapes %s and %s do not fit", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
	}
	n := nx
	if nx == 1 {
		n = ny
	}
	if n > 0 && (x.Kind == value.Char || y.Kind == value.Char) {
		return nil, fault(diag.Characters, "digits of characters")
	}
	rows, columns := value.Count(outerX), value.Count(outerY)
	shape := join(outerX, outerY)
	if err := sized(shape); err != nil {
		return nil, err
	}
	if len(shape) > 0 && value.Count(shape) == 0 {
		return value.Empty(shape, value.Int64(0)), nil
	}
	if x.Kind <= value.Int && y.Kind <= value.Int && n > 0 {
		if out := decodeInts(x.AsInts(), y.AsInts(), rows, nx, ny, n, columns); out != nil {
			return &V{Kind: value.Int, Shape: shape, Ints: out}, nil
		}
	}
	items := make([]*V, 0, rows*columns)
	for i := 0; i < rows; i++ {
		for j := 0; j < columns; j++ {
			sum := value.Int64(0)
			for k := 0; k < n; k++ {
				radix := value.Int64(0)
				if k > 0 {
					radix = x.Item(i*nx + k%nx)
				}
				d, err := decodeStep(c, sum, radix, y.Item(k%ny*columns+j))
				if err != nil {
					return nil, err
				}
				sum = d
			}
			items = append(items, sum)
		}
	}
	return value.FromItems(shape, items), nil
}

// decodeInts is decode of integers; nil if a number leaves 64 bits.
func decodeInts(x, y []int64, rows, nx, ny, n, columns int) []int64 {
	out := make([]int64, rows*columns)
	for i := range out {
		sum := int64(0)
		for k := 0; k < n; k++ {
			p, ok1 := int64(0), true
			if k > 0 {
				p, ok1 = num.Mul(sum, x[i/columns*nx+k%nx])
			}
			var ok2 bool
			if sum, ok2 = num.Add(p, y[k%ny*columns+i%columns]); !ok1 || !ok2 {
				return nil
			}
		}
		out[i] = sum
	}
	return out
}

// decodeStep returns digit+radix×sum.
func decodeStep(c *Context, sum, radix, digit *V) (*V, error) {
	p, err := Scalar(c, "×", sum, radix)
	if err != nil {
		return nil, err
	}
	return Scalar(c, "+", p, digit)
}

// encode is dyadic ⊤.
func encode(c *Context, x, y *V) (*V, error) {
	n := 1
	outer := []int{}
	if x.Rank() > 0 {
		n, outer = x.Shape[0], x.Shape[1:]
	}
	columns := value.Count(outer)
	shape := join(x.Shape, y.Shape)
	if err := sized(shape); err != nil {
		return nil, err
	}
	if value.Count(shape) == 0 && x.Kind != value.Mixed && y.Kind != value.Mixed { // characters have no digits to give
		return value.Empty(shape, value.Int64(0)), nil
	}
	if x.Kind >= value.Char && x.Len() > 0 || y.Kind >= value.Char && y.Len() > 0 {
		return nil, fault(diag.WrongDomain, "numbers are needed")
	}
	if value.Count(shape) == 0 {
		return value.Empty(shape, value.Int64(0)), nil
	}
	m := y.Len()
	if x.Kind <= value.Int && y.Kind <= value.Int {
		return encodeInts(x.AsInts(), y.AsInts(), n, columns, shape), nil
	}
	items := make([]*V, n*columns*m)
	for j := 0; j < columns; j++ {
		for k := 0; k < m; k++ {
			rest := y.Item(k)
			for i := n - 1; i >= 0; i-- {
				radix, place := x.Item(i*columns+j), (i*columns+j)*m+k
				digit, err := Scalar(c, "|", radix, rest)
				if err == nil && i > 0 {
					rest, err = encodeRest(c, radix, rest, digit)
				}
				if err != nil {
					return nil, err
				}
				items[place] = digit
			}
		}
	}
	return value.FromItems(shape, items), nil
}

// encodeInts is encode of integers.
func encodeInts(x, y []int64, n, columns int, shape []int) *V {
	m := len(y)
	out := make([]int64, n*columns*m)
	for j := 0; j < columns; j++ {
		for k, rest := range y {
			for i := n - 1; i >= 0; i-- {
				radix := x[i*columns+j]
				digit := num.ResidueInt(radix, rest)
				out[(i*columns+j)*m+k] = digit
				if radix == 0 {
					rest = 0
					continue
				}
				if high, ok := num.Sub(rest, digit); ok {
					rest = high / radix
				} else { // the difference leaves 64 bits, the quotient does not
					rest = rest/radix - 1
				}
			}
		}
	}
	return &V{Kind: value.Int, Shape: shape, Ints: out}
}

// encodeRest returns what is left of a number after its last digit.
func encodeRest(c *Context, radix, rest, digit *V) (*V, error) {
	if zero := value.Int64(0); Match(&Context{}, radix, zero) {
		return zero, nil
	}
	next, err := Scalar(c, "-", rest, digit)
	if err != nil {
		return nil, err
	}
	if next.Kind == value.Int && radix.Kind <= value.Int {
		return value.Int64(next.Ints[0] / radix.Int(0)), nil
	}
	return Scalar(c, "÷", next, radix)
}

// solve is dyadic ⌹.
func solve(c *Context, x, y *V) (*V, error) {
	if y.Rank() > 2 || x.Rank() > 2 {
		return nil, fault(diag.ArgumentRank, "arrays of rank %d and %d", x.Rank(), y.Rank())
	}
	a, b := asMatrix(y), asMatrix(x)
	rows, columns, nb := a.Shape[0], a.Shape[1], b.Shape[1]
	if b.Shape[0] != rows || rows < columns {
		return nil, fault(diag.WrongLength, "shapes %s and %s do not fit", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
	}
	var shape []int
	if y.Rank() == 2 {
		shape = append(shape, columns)
	}
	if x.Rank() == 2 {
		shape = append(shape, nb)
	}
	if shape == nil {
		shape = []int{}
	}
	return solved(b, nb, a, shape)
}

func solved(b *V, nb int, a *V, shape []int) (*V, error) {
	if !a.Kind.Numeric() || !b.Kind.Numeric() {
		return nil, fault(diag.WrongDomain, "numbers are needed")
	}
	if a.Kind == value.Complex || b.Kind == value.Complex {
		r, ok := num.SolveZ(b.AsComplexes(), nb, a.AsComplexes(), a.Shape[0], a.Shape[1])
		if !ok {
			return nil, fault(diag.Singular, "the matrix is singular")
		}
		return (&V{Kind: value.Complex, Shape: shape, Complexes: r}).Reals(), nil
	}
	r, ok := num.Solve(b.AsDoubles(), nb, a.AsDoubles(), a.Shape[0], a.Shape[1])
	if !ok {
		return nil, fault(diag.Singular, "the matrix is singular")
	}
	return &V{Kind: value.Double, Shape: shape, Doubles: r}, nil
}

func asMatrix(a *V) *V {
	switch a.Rank() {
	case 0:
		return a.WithShape([]int{1, 1})
	case 1:
		return a.WithShape([]int{a.Shape[0], 1})
	}
	return a
}

// inverse is monadic ⌹.
func inverse(_ *Context, y *V) (*V, error) {
	if y.Rank() > 2 {
		return nil, fault(diag.ArgumentRank, "an array of rank %d", y.Rank())
	}
	if !y.Kind.Numeric() {
		return nil, fault(diag.WrongDomain, "numbers are needed")
	}
	a := asMatrix(y)
	rows, columns := a.Shape[0], a.Shape[1]
	if rows < columns {
		return nil, fault(diag.NotJoined, "shape %s has more columns than rows", array.ShapeText(y.Shape))
	}
	shape := y.Shape
	if y.Rank() == 2 {
		shape = []int{columns, rows}
	}
	if a.Kind == value.Complex {
		r, ok := num.InverseZ(a.AsComplexes(), rows, columns)
		if !ok {
			return nil, fault(diag.Singular, "the matrix is singular")
		}
		return (&V{Kind: value.Complex, Shape: shape, Complexes: r}).Reals(), nil
	}
	r, ok := num.Inverse(a.AsDoubles(), rows, columns)
	if !ok {
		return nil, fault(diag.Singular, "the matrix is singular")
	}
	return &V{Kind: value.Double, Shape: shape, Doubles: r}, nil
}
