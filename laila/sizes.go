package laila

import "strings"

// Extents that are computed by the same expression are one variable, so that
// arrays of one shape are seen to have one.

// sized is an extent that was computed in a block: a variable whose value is x.
type sized struct{ x, v Expr }

// size returns a variable of the value of x, an extent; make declares it where
// no block around has one. Note tells apart what else is known of it.
func (g *gen) size(x Expr, note string, make func() Expr) Expr {
	var b strings.Builder
	b.WriteString(note)
	b.WriteByte(' ')
	writeKey(&b, x)
	key := b.String()
	for blk := g.blk; blk != nil; blk = blk.parent {
		if s, ok := blk.sizes[key]; ok && same(s.x, x) {
			return s.v
		}
	}
	v := make()
	if g.blk.sizes == nil {
		g.blk.sizes = map[string]sized{}
	}
	g.blk.sizes[key] = sized{x, v}
	return v
}

// size1 is size of an expression that is bound as it is.
func (g *gen) size1(x Expr) Expr {
	switch x.(type) {
	case *Int, *Use:
		return x
	}
	return g.size(x, "", func() Expr { return g.let("n", x) })
}

// forgetSizes forgets the extents that are computed from v, which is assigned.
func (g *gen) forgetSizes(v *Var) {
	for blk := g.blk; blk != nil; blk = blk.parent {
		for key, s := range blk.sizes {
			if mentions(s.x, v) {
				delete(blk.sizes, key)
			}
		}
	}
}

// mentions reports whether x has a use of v.
func mentions(x Expr, v *Var) bool {
	if u, ok := x.(*Use); ok {
		return u.Var == v
	}
	for _, y := range Operands(x) {
		if mentions(y, v) {
			return true
		}
	}
	return false
}
