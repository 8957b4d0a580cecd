package analysis_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Sums of what a condition takes and what its opposite takes.
func TestBlends(t *testing.T) {
	for opposite, high := range map[string]int64{
		"each(b2i,each(notb,m))":                     7,
		"each(fn z:[int]0 => subi(1,z),each(b2i,m))": 7,
		"each(b2i,m)":                                14,
	} {
		p, err := tail.ParseText(`
fun f (w:<int>n,m:<bool>n) : <int>n =
  let x:<int>n = each(fn v:[int]0 => resi(8,v),w) in
  zipWith(addi,zipWith(muli,each(b2i,m),x),zipWith(muli,x,` + opposite + `))
main = ()
`)
		require.NoError(t, err)
		let := p.Funcs[0].Body.(*tail.Let)
		known := analysis.NewRanger(map[*tail.Var]tail.Expr{let.Var: let.Bind})
		require.Equal(t, analysis.Range{Low: 0, High: high, Known: true}, known.Of(let.Body, analysis.BoundedDepth), opposite)
	}
}
