package reduce_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestCounts says which counts of equal pairs are one pass over what is counted:
// +/t∘.=x and +⌿x∘.=t, where t is ⍳n or a vector of more than a few integers or
// characters, or of an unknown number.
func TestCounts(t *testing.T) {
	const data = "n←⍎'100' ⋄ x←7|⍳500 ⋄ m←⌊n\n"
	counting := regexp.MustCompile(`\w+\[at\w*\] = acc\w* \+ 1`)
	cases := []struct {
		source string
		once   bool
	}{
		{"+⌿x∘.=⍳m", true},
		{"+/(⍳m)∘.=x", true},
		{"+⌿x∘.=⍳40", true},
		{"+/(∪x)∘.=x", true},
		{"+⌿x∘.=∪x", true},
		{"+⌿(∪x)∘.=x", true},
		{"+/(∪t)∘.=t←500⍴'mississippi'", true},
		{"+⌿x∘.=⍳5", false},       // few groups
		{"+/3 1 4∘.=x", false},    // few elements
		{"+/(∪x)∘.=x÷2", false},   // doubles
		{"⌈/(∪x)∘.=x", false},     // not a sum
		{"+/(∪x)∘.<x", false},     // not equality
		{"+/,(2 2⍴x)∘.=x", false}, // not of vectors
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, data+c.source).String()
		require.Equal(t, c.once, counting.MatchString(out), "%s\n%s", c.source, out)
		require.False(t, counting.MatchString(lowertest.Optimised(t, data+c.source, "groups").String()))
	}
}
