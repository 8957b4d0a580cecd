package place

import (
	"math"

	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// The costs of storing an array and of computing it again, in simple
// operations of vector code on eight bytes an element.

// pays reports whether computing elements of m where they are read costs less
// than storing them.
func (r *remaker) pays(m *remade) bool {
	slice := r.weight(m.store.X)
	for _, d := range m.slice {
		slice += r.weight(d.Init)
	}
	saved := r.storing(m)
	bytes := float64(ir.Width(m.buf.Elem)) / 8
	if m.nest.Kind == ir.SegMap && len(m.nest.Flags) == 0 && r.storesOnly(m) {
		saved += slice // the nest goes
	}
	extra := 0.0
	seen := map[*flow.Frame]map[string]bool{}
	for _, p := range m.Reads {
		if _, inside := p.Frame.Within(m.body, p.At); inside {
			continue
		}
		times := r.times(m, p.Frame)
		for _, x := range ir.Exprs(p.Stmt) {
			ir.MapExpr(x, func(y ir.Expr) ir.Expr {
				l, ok := y.(*ir.Load)
				if !ok || l.Buf != m.buf {
					return y
				}
				index := r.Canonical(l.Index)
				key := ir.IndexKey([]ir.Expr{index})
				if seen[p.Frame] == nil {
					seen[p.Frame] = map[string]bool{}
				}
				if !seen[p.Frame][key] || !r.constant(index) {
					extra += times * slice
					saved += times * bytes
				}
				seen[p.Frame][key] = true
				return y
			})
		}
	}
	return extra < saved
}

// storing is what it costs to store an element. What is stored once, at the top
// of the program, is taken for large: where it is not, it does not matter.
func (r *remaker) storing(m *remade) float64 {
	looped := !r.main
	for f := m.Home; f != nil; f = f.Parent {
		looped = looped || f.Open || len(f.Loops) > 0
	}
	bytes := float64(ir.Width(m.buf.Elem)) / 8
	switch n := float64(r.RangeOf(m.Decl.Count).Hi) * bytes * 8; {
	case !looped:
		return 32 * bytes
	case n <= 1<<15:
		return bytes
	case n <= 1<<20:
		return 3 * bytes
	}
	return 5 * bytes // the memory is used again
}

// storesOnly reports whether the nest of m does nothing but store its elements.
func (r *remaker) storesOnly(m *remade) bool {
	for _, s := range m.nest.Body {
		switch s := s.(type) {
		case *ir.Decl, *ir.Comment:
		case *ir.Store:
			if s != m.store {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// times returns how often a frame runs for each element of m.
func (r *remaker) times(m *remade, f *flow.Frame) float64 {
	n := float64(r.RangeOf(m.Decl.Count).Hi)
	_, known := ir.IntOf(m.Decl.Count)
	product, whole := 1.0, 0
	for ; f != m.Home; f = f.Parent {
		switch {
		case f.Rare && r.Relaxed && m.buf.Elem == ir.F64: // which decide something, so that they have one value
			return math.Inf(1)
		case f.Rare:
			return 0
		}
		if f.Open {
			return math.Inf(1)
		}
		for _, d := range f.Loops {
			if ir.IsInt(d.Lo, 0) && ir.Same(d.Hi, m.Decl.Count) {
				whole++
				continue
			}
			lo, hi := r.RangeOf(d.Lo), r.RangeOf(d.Hi)
			product *= max(float64(hi.Hi)-max(float64(lo.Lo), 0), 0)
		}
	}
	switch {
	case whole > 0 && known:
		return product * math.Pow(n, float64(whole-1))
	case whole == 1 && product < 1<<20:
		return product
	case whole > 0:
		return math.Inf(1)
	case known:
		return product / max(n, 1)
	case product <= 256: // of what may be very long
		return 1.0 / 256
	}
	return math.Inf(1)
}

// weight is what computing x costs.
func (r *remaker) weight(x ir.Expr) float64 {
	w := 1.0
	switch x := x.(type) {
	case *ir.Int, *ir.Float, *ir.Use:
		return 0
	case *ir.Load:
		if _, ok := r.Canonical(x.Index).(*ir.Use); !ok {
			w = 2
		}
	case *ir.Binary:
		switch _, constant := x.Y.(*ir.Int); {
		case x.Op == ir.OpDiv:
			w = 4
		case (x.Op == ir.OpQuo || x.Op == ir.OpRem) && constant:
			w = 6
		case x.Op == ir.OpQuo || x.Op == ir.OpRem:
			w = 16
		}
	case *ir.Unary:
		if x.Op == ir.OpSqrt {
			w = 6
		}
	case *ir.Math:
		w = 8
		if ir.IsFused(x) {
			w = 1
		}
	}
	w *= float64(ir.Width(x.Kind())) / 8
	for _, y := range ir.Operands(x) {
		w += r.weight(y)
	}
	return w
}
