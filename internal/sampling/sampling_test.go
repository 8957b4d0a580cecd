package sampling

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSample(t *testing.T) {
	t.Setenv(Variable, "")
	var texts []string
	for i := range 4000 {
		texts = append(texts, fmt.Sprint("case ", i))
	}
	kept := Of(texts, 8)
	require.InDelta(t, 500, len(kept), 100)
	require.Equal(t, kept, Of(texts, 8), "the same sample again")
	require.Len(t, Of(texts[:3], 1<<60), 1, "never nothing")
	require.Len(t, Of(nil, 8), 0)
	t.Setenv(Variable, "all")
	require.Len(t, Of(texts, 8), len(texts))
}
