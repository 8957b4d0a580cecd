package library_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestMarks says which tables are searched without being stored: those of integers
// that cannot fault, of rank 2 or more.
func TestMarks(t *testing.T) {
	const data = "n←⍎'100' ⋄ R←1↓⍳100\n"
	cases := []struct {
		source string
		marked bool
	}{
		{"(~R∊R∘.×R)/R", true},
		{"(~R∊,R∘.×R)/R", true},
		{"+/R∊⍉R∘.+R", true},
		{"+/(R÷2)∊R∘.×R", false},   // doubles
		{"+/R∊R∘.×⌊1E15×n", false}, // it can fault
		{"+/R∊R+1", false},         // a vector
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, data+c.source).String()
		require.Equal(t, c.marked, strings.Contains(out, "mark["), "%s\n%s", c.source, out)
		require.NotContains(t, lowertest.Optimised(t, data+c.source, "marks").String(), "mark[")
	}
}
