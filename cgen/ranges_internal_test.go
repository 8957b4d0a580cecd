package cgen

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestHasFactor says of which divisors quotients are the high bits of one product.
func TestHasFactor(t *testing.T) {
	for d, has := range map[uint64]bool{2: true, 3: true, 5: true, 7: false, 10: true, 19: false, 64: true, 100: true, 641: true, 1000: true, 65537: true, 1000003: false, 2147483647: false} {
		assert.Equal(t, has, hasFactor(d), d)
	}
	// The factors are right where the rounding is worst: one below a multiple of the divisor.
	for d := uint64(2); d < 5000; d++ {
		for shift := range 32 {
			power := uint64(1) << (32 + shift)
			factor := (power + d - 1) / d
			if factor >= 1<<32 || factor*d-power > 1<<shift {
				continue
			}
			for _, n := range []uint64{1<<32 - 1, (1<<32)/d*d - 1, d - 1, d, 1<<31 - 1} {
				hi := n * factor >> (32 + shift)
				assert.Equal(t, n/d, hi, "%d/%d", n, d)
			}
		}
	}
}
