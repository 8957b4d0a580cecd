package reduce

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
)

// smallRow is the longest known row whose columns are reduced one by one.
const smallRow = 16

// far reports whether elements of p that are neighbours along an axis come
// from memory that is apart: a load whose index has the axis's index with a
// factor. Elements that are costly to look at count as near.
func far(g *build.Builder, p *build.Pull, axis int) bool {
	return slices.Contains(stridesOf(g, p, axis), more)
}

// rereads reports whether elements of p that are neighbours along an axis are computed from
// the same elements of an array, which are others along the last axis.
func rereads(g *build.Builder, p *build.Pull, axis int) bool {
	last := stridesOf(g, p, p.Rank()-1)
	for i, s := range stridesOf(g, p, axis) {
		if s == still && last[i] != still {
			return true
		}
	}
	return false
}

// stridesOf returns the stride along an axis of each load that computes an element of p, and
// none where elements are costly to look at.
func stridesOf(g *build.Builder, p *build.Pull, axis int) []stride {
	if p.At == nil && p.Flat == nil || p.Cost > 200 {
		return nil
	}
	s := &strides{of: map[*ir.Var]stride{}, factors: g.Factors}
	st := g.Nest
	g.Nest = &build.NestState{Inside: true}
	var x ir.Expr
	stmts := g.Block(func() {
		ix := make([]ir.Expr, p.Rank())
		for a := range ix {
			v := g.LoopVar(ir.Integer(0), p.Dims[a], nil)
			ix[a] = v.Use()
			if a == axis {
				s.of[v] = one
			}
		}
		x = g.Index(p, ix)
	})
	g.Nest = st
	s.block(stmts)
	s.loads(x)
	return s.found
}

// stride is by how much an index grows with a variable.
type stride uint8

const (
	still stride = iota
	one
	more
)

// strides finds by how much the indices of loads grow.
type strides struct {
	of      map[*ir.Var]stride
	factors map[*ir.Var]bool
	found   []stride
}

func (s *strides) block(stmts []ir.Stmt) {
	for _, t := range stmts {
		for _, x := range ir.Exprs(t) {
			s.loads(x)
		}
		switch t := t.(type) {
		case *ir.Decl:
			s.of[t.Var] = s.grows(t.Init)
		case *ir.Assign:
			s.of[t.Var] = max(s.of[t.Var], s.grows(t.X))
		}
		for _, inner := range ir.Blocks(t) {
			s.block(*inner)
		}
	}
}

func (s *strides) loads(x ir.Expr) {
	if l, ok := x.(*ir.Load); ok {
		s.found = append(s.found, s.grows(l.Index))
	}
	for _, y := range ir.Operands(x) {
		s.loads(y)
	}
}

// grows returns the stride of x; more where it is not a sum.
func (s *strides) grows(x ir.Expr) stride {
	switch x := x.(type) {
	case nil:
		return still
	case *ir.Use:
		return s.of[x.Var]
	case *ir.Convert:
		return s.grows(x.X)
	case *ir.Binary:
		a, b := s.grows(x.X), s.grows(x.Y)
		switch {
		case a == still && b == still:
			return still
		case x.Op == ir.OpAdd && (a == still || b == still):
			return max(a, b)
		case x.Op == ir.OpSub && b == still, x.Op == ir.OpMul && s.factor(x.Y):
			return a
		}
		return more
	}
	for _, y := range ir.Operands(x) {
		if s.grows(y) != still {
			return more
		}
	}
	return still
}

// factor reports whether x is the factor, 0 or 1, of an argument that may be
// extended.
func (s *strides) factor(x ir.Expr) bool {
	u, ok := x.(*ir.Use)
	return ok && s.factors[u.Var]
}

// exchanged is p with its last two axes exchanged.
func exchanged(p *build.Pull, index func(ix []ir.Expr) ir.Expr) *build.Pull {
	swap := func(xs []ir.Expr) []ir.Expr {
		n := len(xs)
		return append(xs[:n-2:n-2], xs[n-1], xs[n-2])
	}
	return build.View(p, swap(p.Dims), func(ix []ir.Expr) ir.Expr { return index(swap(ix)) })
}
