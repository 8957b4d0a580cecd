package library_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestDisplayOfBytes says that characters in bytes are displayed as they are stored, also
// those of which items are parts.
func TestDisplayOfBytes(t *testing.T) {
	for _, source := range []string{"(?99⍴2)/99⍴'abc'", "∪(t≠'b')⊆t←(?99⍴2)/99⍴'abc'"} {
		require.NotRegexp(t, `alloc \w+: c32`, lowertest.Optimised(t, source).String(), source)
	}
}
