package loop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/loop"
	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestSubsets says which terms of a sum have code of their own, which does not look where they are.
func TestSubsets(t *testing.T) {
	cases := []struct{ source, subsets string }{
		{"+/|x-0,¯1↓x", "1…299"},
		{"+/x×(1↓x),0", "0…298"},
		{"+/|(0,¯1↓x)-(1↓x),0", "1…298"},
		{"+/(x-¯1⌽x)*2", "1…299"},
		{"+/x×100⌽x", "0…199 200…299"},
		{"+/x×40⌽x", "0…259"}, // the rest is too short
		{"+/x×2<⍳300", "2…299"},
		{"+/x×0.5<x", ""},     // not the index
		{"+/x×(⍳300)=50", ""}, // it changes at two places
		{"+/64↑x-0,¯1↓x", ""}, // too few
	}
	for _, c := range cases {
		p := lowertest.Optimised(t, "x←?300⍴0\n"+c.source)
		var found []string
		ir.Walk(p.Main.Body, func(s ir.Stmt) {
			n, ok := s.(*ir.Nest)
			if !ok || !n.Ordered() {
				return
			}
			for _, s := range loop.Subsets(facts.NewBase(), n) {
				lo, _ := ir.IntOf(s.Lo)
				hi, _ := ir.IntOf(s.Hi)
				found = append(found, fmt.Sprint(lo, "…", hi-1))
			}
		})
		require.Equal(t, c.subsets, strings.Join(found, " "), c.source)
	}
}
