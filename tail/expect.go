package tail

import "github.com/tailor-lang/tailor/array"

// Expected says what the second argument of expect asks of an extent: nothing,
// at least n, or exactly n.
func Expected(want int64) (n int64, least, any bool) {
	switch {
	case want == -1:
		return 0, false, true
	case want < -1:
		return -1 - want, true, false
	}
	return want, false, false
}

func typeExpect(t *typing) Type {
	x, want := t.array(0), t.vector(1, array.Int)
	t.vector(2, array.Char)
	if x.Dims() == 0 {
		return x
	}
	sizes := extents(x)
	for i := range sizes {
		v := want.Value(i)
		if n, ok := v.IsConst(); sizes[i].Known() || ok && n < 0 {
			continue
		}
		if natural(v) {
			sizes[i] = v
		}
	}
	return withValues(Shaped(x.Elem, sizes...), x.Values)
}

// expect compares a shape, or the value of a scalar, with what was claimed.
func expect(s *site, a []*array.Array) *array.Array {
	x, text := a[0], string(a[2].Chars)
	if len(x.Shape) == 0 {
		if n, _, any := Expected(a[1].Int(0)); !any && n != x.Int(0) {
			raise(s.Apply, FaultClaimValue, text, x.Int(0))
		}
		return x
	}
	for i, have := range x.Shape {
		n, least, any := Expected(a[1].Int(i))
		if !any && (int64(have) < n || !least && int64(have) != n) {
			raise(s.Apply, FaultClaim, text, x.Shape)
		}
	}
	return x
}
