package arith

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// tallies reports whether a nest does nothing but add up truth values that are
// computed from bytes, so that a byte a lane is enough for the sums of a block:
//
//	segred { red i = from … to: p = p + i16(a[i] == c) }
//
// is then a tally, which backends may write as
//
//	u8 lane[32] = 0
//	for i = from, from+32 … to, l = 0 … 32: lane[l] = lane[l] + (a[i + l] == c)
//	p = p + the sum of lane
//
// Requires: sums are all the sums of n. Preserves: sums of integers, which have
// no order.
func tallies(l *pass.Context, n *ir.Nest, sums []*narrowSum) bool {
	if !l.On("tallies") || len(sums) != len(n.Accs) || len(n.Flags) > 0 {
		return false
	}
	for _, s := range sums {
		if r := l.RangeOf(s.term); r.Lo < 0 || r.Hi > 1 {
			return false
		}
	}
	v := varyingIn(n)
	places := map[*ir.Var]bool{n.Red[0].Var: true}
	for _, s := range n.Body {
		switch s := s.(type) {
		case *ir.Comment:
		case *ir.Decl:
			if s.Init == nil {
				return false
			}
			if v.isPlace(s.Init, places) {
				places[s.Var] = true
			} else if ir.Width(s.Var.Kind) > 1 || !v.ofBytes(s.Init, places) {
				return false
			}
		case *ir.Assign:
			if x, ok := addend(s); !ok || !v.ofBytes(unconverted(x), places) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// varying are the variables that differ between the iterations of a nest.
type varying map[*ir.Var]bool

func varyingIn(n *ir.Nest) varying {
	v := varying{}
	for _, d := range n.Red {
		v[d.Var] = true
	}
	for _, s := range n.Body {
		switch s := s.(type) {
		case *ir.Decl:
			v[s.Var] = true
		case *ir.Assign:
			v[s.Var] = true
		case *ir.Checked:
			v[s.Var] = true
		}
	}
	return v
}

// fixed reports whether x is the same in all iterations; arrays that a nest
// reads may be written by it.
func (v varying) fixed(x ir.Expr) bool {
	switch x := x.(type) {
	case nil:
		return true
	case *ir.Use:
		return !v[x.Var]
	}
	for _, y := range ir.Operands(x) {
		if !v.fixed(y) {
			return false
		}
	}
	return true
}

// isPlace reports whether x is one of the given places, or so many after or
// before one.
func (v varying) isPlace(x ir.Expr, places map[*ir.Var]bool) bool {
	switch x := x.(type) {
	case *ir.Use:
		return places[x.Var]
	case *ir.Binary:
		switch x.Op {
		case ir.OpAdd:
			return v.isPlace(x.X, places) && v.fixed(x.Y) || v.fixed(x.X) && v.isPlace(x.Y, places)
		case ir.OpSub:
			return v.isPlace(x.X, places) && v.fixed(x.Y)
		}
	}
	return false
}

// ofBytes reports whether x is computed in bytes from bytes that iterations
// find one after the other, and from what is the same for all.
func (v varying) ofBytes(x ir.Expr, places map[*ir.Var]bool) bool {
	if v.fixed(x) {
		return ir.Width(x.Kind()) == 1 || isConstant(x)
	}
	switch x := x.(type) {
	case *ir.Load:
		return ir.Width(x.Buf.Elem) == 1 && v.isPlace(x.Index, places)
	case *ir.Use:
		return ir.Width(x.Var.Kind) == 1
	case *ir.Convert:
		return ir.Width(x.To) == 1 && v.ofBytes(x.X, places)
	case *ir.Unary:
		return (x.Op == ir.OpNot || x.Op == ir.OpNeg || x.Op == ir.OpBitNot) && v.ofBytes(x.X, places)
	case *ir.Binary:
		switch x.Op {
		case ir.OpMul, ir.OpDiv, ir.OpQuo, ir.OpRem, ir.OpShl, ir.OpShr:
			return false
		}
		return v.ofBytes(x.X, places) && v.ofBytes(x.Y, places)
	case *ir.Select:
		return v.ofBytes(x.Cond, places) && v.ofBytes(x.Then, places) && v.ofBytes(x.Else, places)
	}
	return false
}

func isConstant(x ir.Expr) bool {
	_, ok := x.(*ir.Int)
	return ok
}

// unconverted returns x before conversions to wider integers.
func unconverted(x ir.Expr) ir.Expr {
	for {
		c, ok := x.(*ir.Convert)
		if !ok || ir.Width(c.To) < ir.Width(c.X.Kind()) {
			return x
		}
		x = c.X
	}
}
