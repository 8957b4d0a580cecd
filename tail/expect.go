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
	sizes := Extents(x)
	for i := range sizes {
		v := want.Value(i)
		if n, ok := v.IsConst(); sizes[i].Known() || ok && n < 0 {
			continue
		}
		if Natural(v) {
			sizes[i] = v
		}
	}
	return withValues(Shaped(x.Elem, sizes...), x.Values)
}
