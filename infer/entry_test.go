package infer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
	"github.com/tailor-lang/tailor/tail/opt"
)

// TestEntry calls functions from outside, before and after optimisation: with a
// constant, with a captured vector, recursively, and with an argument that is not used.
func TestEntry(t *testing.T) {
	long := array.New(array.Int, 20)
	for i := range long.Ints {
		long.Ints[i] = int64(i * i)
	}
	known := []infer.Known{{Name: "k", Value: array.ScalarInt(3)}, {Name: "long", Value: long}}
	names := map[string]apl.Class{"k": apl.ArrayClass, "long": apl.ArrayClass}
	for _, c := range []struct {
		source string
		args   []*array.Array
		want   *array.Array
	}{
		{"f←{k×⍵}", []*array.Array{array.VectorInt([]int64{1, 2})}, array.VectorInt([]int64{3, 6})},
		{"f←{⍺+long[⍵]}", []*array.Array{array.ScalarInt(1), array.ScalarInt(5)}, array.ScalarInt(17)},
		{"f←{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2}", []*array.Array{array.ScalarInt(20)}, array.ScalarInt(6765)},
		{"f←{⍵=0:⍺ ⋄ (⍺+k)∇⍵-1}", []*array.Array{array.ScalarInt(0), array.ScalarInt(1000)}, array.ScalarInt(3000)},
		{"f←{⍺×0.5}", []*array.Array{array.ScalarInt(7), array.VectorInt(nil)}, array.ScalarDouble(3.5)},
	} {
		for _, optimised := range []bool{false, true} {
			tree, err := apl.ParseWith(diag.NewSource("entry.apl", c.source), names)
			require.NoError(t, err)
			types := make([]tail.Type, len(c.args))
			for i, a := range c.args {
				types[i] = tail.Ranked(a.Elem, a.Rank())
			}
			p, captured, err := infer.Entry(tree, known, types, infer.Options{})
			require.NoError(t, err, c.source)
			if optimised {
				require.NoError(t, opt.Run(p, opt.Options{Verify: true}), c.source)
			}
			all := c.args
			for _, name := range captured {
				require.Equal(t, "long", name)
				all = append(all[:len(all):len(all)], long)
			}
			require.Len(t, p.Entry.Params, len(all), c.source)
			prepared := eval.Prepare(p, &eval.Env{})
			for range 2 {
				got, err := prepared.Call(all)
				require.NoError(t, err, c.source)
				require.Equal(t, []*array.Array{c.want}, got, c.source)
			}
		}
	}
}
