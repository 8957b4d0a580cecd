package eval

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// expect compares a shape, or the value of a scalar, with what was claimed.
func expect(s *site, a []*array.Array) *array.Array {
	x, text := a[0], string(a[2].Chars)
	if len(x.Shape) == 0 {
		if n, _, any := tail.Expected(a[1].Int(0)); !any && n != x.Int(0) {
			raise(s.Apply, tail.FaultClaimValue, text, x.Int(0))
		}
		return x
	}
	for i, have := range x.Shape {
		n, least, any := tail.Expected(a[1].Int(i))
		if !any && (int64(have) < n || !least && int64(have) != n) {
			raise(s.Apply, tail.FaultClaim, text, x.Shape)
		}
	}
	return x
}
