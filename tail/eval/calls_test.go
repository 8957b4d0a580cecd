package eval

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A fault lists the calls that led to it, the innermost first, where that is asked for.
func TestCallsOfFaults(t *testing.T) {
	text := "fun f_1 (w:double) : double = divd(1.0,w)\nfun rec g_2 (w:int) : double = if lti(w,1) then f_1(0.0) else addd(1.0,g_2(subi(w,1)))\nmain = g_2(3)\n"
	p, err := tail.ParseSource(diag.NewSource("t.tail", text))
	require.NoError(t, err)
	notes := func(calls bool) string {
		_, err := Values(p, &Env{Calls: calls})
		fault, ok := err.(*diag.Error)
		require.True(t, ok, "%v", err)
		var all []string
		for _, n := range fault.Notes {
			all = append(all, n.Message)
		}
		return strings.Join(all, ", ")
	}
	require.Equal(t, "in this call of f, in 4 calls of g from here", notes(true))
	require.Empty(t, notes(false))
}
