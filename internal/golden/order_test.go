package golden

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/conform"
)

// orderCases are the places, in testdata/expr/order.txt, of what is run:
// kernels compile slowly.
var orderCases = []int{27, 50}

// TestOpenCLOrder compares sums of doubles of kernels with what is expected, digit by
// digit.
func TestOpenCLOrder(t *testing.T) {
	t.Parallel()
	cases, err := conform.Expressions("testdata/expr/order.txt")
	require.NoError(t, err)
	for _, s := range []clgen.Schedule{clgen.Chunks, clgen.Groups} {
		d, err := NewDevice(OnDevice(s))
		if err != nil {
			t.Skip(err)
		}
		for _, i := range orderCases {
			c := cases[i]
			o, _ := d.Run(Program{Name: fmt.Sprintf("order.txt:%d", c.Line), Source: c.Source})
			require.Equal(t, c.Output, o.Stdout, "%v: %s", s, c.Source)
		}
		d.Queue.Close()
	}
}
