package analysis_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Recursion down to 0, with results that are made of the argument, and one that grows
// without end.
func TestRangesOfCalls(t *testing.T) {
	p, err := tail.ParseText(`
fun rec down (w:[int]0) : [int]1 =
  if eqi(w,0)
  then int[0]{}
  else let half:[int]1 = down(subi(w,1)) in
    cat(half,cons(w,half))
fun rec up (w:[int]0) : [int]0 = if gti(w,1000) then w else up(addi(w,w))
fun rec grown (w:[int]0) : [int]0 = if eqi(resi(7,w),3) then w else grown(addi(muli(3,w),1))
main =
  let v:[int]1 = print(down(22)) in
  let x:[int]0 = print(up(1)) in
  let y:[int]0 = print(grown(5)) in
  ()
`)
	require.NoError(t, err)
	known := analysis.RangesOfCalls(p)
	of := func(low, high int64) analysis.Range { return analysis.Range{Low: low, High: high, Known: true} }
	require.Equal(t, []analysis.Range{of(0, 22)}, known[p.Funcs[0]].Params)
	require.Equal(t, []analysis.Range{of(0, 22)}, known[p.Funcs[0]].Results)
	require.Equal(t, []analysis.Range{of(1, 32767)}, known[p.Funcs[1]].Params)
	require.False(t, known[p.Funcs[2]].Params[0].Known)
}
