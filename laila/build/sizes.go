package build

import (
	"strings"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Extents that are computed by the same expression are one variable, so that
// arrays of one shape are seen to have one.

// sized is an extent that was computed in a block: a variable whose value is x.
type sized struct{ x, v ir.Expr }

// Size returns a variable of the value of x, an extent; make declares it where
// no block around has one. Note tells apart what else is known of it.
func (g *Builder) Size(x ir.Expr, note string, make func() ir.Expr) ir.Expr {
	var b strings.Builder
	b.WriteString(note)
	b.WriteByte(' ')
	ir.WriteKey(&b, x)
	key := b.String()
	for blk := g.Blk; blk != nil; blk = blk.parent {
		if s, ok := blk.sizes[key]; ok && ir.Same(s.x, x) {
			return s.v
		}
	}
	v := make()
	if g.Blk.sizes == nil {
		g.Blk.sizes = map[string]sized{}
	}
	g.Blk.sizes[key] = sized{x, v}
	return v
}

// Size1 is size of an expression that is bound as it is.
func (g *Builder) Size1(x ir.Expr) ir.Expr {
	switch x.(type) {
	case *ir.Int, *ir.Use:
		return x
	}
	return g.Size(x, "", func() ir.Expr { return g.Let("n", x) })
}

// Elements is the number of elements of an array of the given extents.
func (g *Builder) Elements(dims []ir.Expr) ir.Expr {
	n := g.Size1(ir.Product(dims))
	if u, ok := n.(*ir.Use); ok && len(dims) > 1 {
		r := g.RangeOf(n)
		g.Ranges[u.Var] = facts.Between(max(r.Lo, 0), min(r.Hi, facts.MaxExtent))
	}
	return n
}

// Spelt returns an extent and a constant as the extent that this one was computed from
// and a constant.
func (g *Builder) Spelt(x ir.Expr) ir.Expr {
	b, ok := x.(*ir.Binary)
	if !ok || b.Op != ir.OpAdd && b.Op != ir.OpSub {
		return x
	}
	if _, ok := ir.IntOf(b.Y); !ok {
		return x
	}
	for blk := g.Blk; blk != nil; blk = blk.parent {
		for _, s := range blk.sizes {
			of, ok := s.x.(*ir.Binary)
			if !ok || !ir.Same(s.v, b.X) || of.Op != ir.OpAdd && of.Op != ir.OpSub {
				continue
			}
			if _, ok := ir.IntOf(of.Y); ok {
				if b.Op == ir.OpAdd {
					return ir.Add(of, b.Y)
				}
				return ir.Sub(of, b.Y)
			}
		}
	}
	return x
}

// forgetSizes forgets the extents that are computed from v, which is assigned.
func (g *Builder) forgetSizes(v *ir.Var) {
	for blk := g.Blk; blk != nil; blk = blk.parent {
		for key, s := range blk.sizes {
			if ir.Mentions(s.x, v) {
				delete(blk.sizes, key)
			}
		}
	}
}
