package arith_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestWholes says which divisions by constants are products.
func TestWholes(t *testing.T) {
	cases := []struct {
		source string
		ratio  bool
	}{
		{"+/(1009|⍳1000)÷1009", true},
		{"x←?1000⍴9\n+/(x-5)÷¯7", true},
		{"x←?1000⍴9\n+/(0.1+0.5×x×x)÷7", true},
		{"+/(1009|⍳1000)÷8", false}, // exact as it is
		{"x←?1000⍴0\n+/x÷7", true},
		{"x←?1000⍴9\n+/7÷x", false},
		{"x←?1000⍴9\n+/x÷7E100", false},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Equal(t, c.ratio, strings.Contains(out, "tl_ratio("), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, c.source, "wholes").String(), "tl_ratio(")
	}
}
