package interp

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// A dfn of one expression, made of scalar functions, constants and variables, gives
// for an array what it gives for each of its elements: f¨ applies it once, to the
// whole. Where something may differ (a fault, a variable that is no number, integers
// of which only some go on as doubles) the elements are taken one by one.

// lift applies a function to whole arrays in place of each element; nil if it cannot
// be known that this is the same.
func (in *Interp) lift(fn Function, shape []int, x, y *V) *V {
	c, ok := fn.(*closure)
	if !ok || c.op != nil || c.note != nil || len(c.body) != 1 || y.Kind == value.Mixed || y.Kind == value.Char || x != nil && (x.Kind == value.Mixed || x.Kind == value.Char) {
		return nil
	}
	s, ok := c.body[0].(*apl.ExprStmt)
	if !ok || s.Silent {
		return nil
	}
	d, ok := c.node.(*apl.Dfn)
	if !ok {
		return nil
	}
	scalar, known := in.lifts[d]
	if !known {
		scalar = liftable(s.X)
		in.lifts[d] = scalar
	}
	if !scalar {
		return nil
	}
	f := &Frame{parent: c.frame, alpha: x, omega: y, self: c}
	r := in.whole(f, s.X)
	if r == nil || !slices.Equal(r.Shape, shape) {
		return nil
	}
	return r
}

// liftable reports whether an expression is made of scalar functions.
func liftable(x apl.Expr) bool {
	switch x := x.(type) {
	case *apl.Literal:
		return x.Value.Rank() == 0
	case *apl.Var:
		return !systemName(x.Ident)
	case *apl.Paren:
		return liftable(x.X)
	case *apl.Monadic:
		p, ok := x.F.(*apl.Prim)
		return ok && p.Glyph != "?" && prim.IsUnary(p.Glyph) && liftable(x.Y)
	case *apl.Dyadic:
		p, ok := x.F.(*apl.Prim)
		return ok && prim.IsScalar(p.Glyph) && liftable(x.X) && liftable(x.Y)
	}
	return false
}

// whole evaluates a liftable expression; nil where elements have to be taken one by
// one.
func (in *Interp) whole(f *Frame, x apl.Expr) *V {
	switch x := x.(type) {
	case *apl.Literal:
		return in.literal(x)
	case *apl.Paren:
		return in.whole(f, x.X)
	case *apl.Var:
		switch x.Ident {
		case "⍵":
			value.Shared(f.omega)
			return f.omega
		case "⍺":
			return f.alpha
		}
		v, _ := f.lookup(x.Ident)
		if a, ok := v.(*V); ok && a.SimpleScalar() && a.Kind.Numeric() {
			return a
		}
	case *apl.Monadic:
		if y := in.whole(f, x.Y); y != nil {
			return in.wholeCall(x.F.(*apl.Prim).Glyph, nil, y)
		}
	case *apl.Dyadic:
		y := in.whole(f, x.Y)
		if y == nil {
			return nil
		}
		if l := in.whole(f, x.X); l != nil {
			return in.wholeCall(x.F.(*apl.Prim).Glyph, l, y)
		}
	}
	return nil
}

func (in *Interp) wholeCall(glyph string, x, y *V) *V {
	r, err := primitives[glyph].Call(in, x, y)
	if err != nil || !r.Kind.Numeric() || r.Kind == value.Complex {
		return nil
	}
	whole := y.Kind <= value.Int && (x == nil || x.Kind <= value.Int)
	if r.Kind == value.Double && whole && glyph != "÷" && glyph != "○" && glyph != "⍟" {
		return nil // some integers went on as doubles, others would not
	}
	return r
}
