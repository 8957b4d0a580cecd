package session

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Nested arrays with types come as values, with the text that sessions without values show.
func TestStrandsAsValues(t *testing.T) {
	for program, shape := range map[string][]int{
		"1 2 'abc'":                         {3},
		"3 2⍴'ann' 31 'bob' 25 'eve' 47":    {3, 2},
		"2 2⍴'ab' (1 2) 3 (2 2⍴⍳4)":         {2, 2},
		"2 2⍴'a' 1":                         {2, 2},
		"⊂1 2 3":                            {},
		"(1 2)(3 (4 'abc'))":                {2},
		"m←2 2⍴'ab' 'c' 'de' 'f' ⋄ m":       {2, 2},
		"((' '≠'a b')⊆'a b') 5":             {2},
		"1 2 2⍴'ab' 'c' 'd' 'e'":            {1, 2, 2},
		"2 0⍴⊂1 2":                          {2, 0},
		"⎕PP←3 ⋄ (÷3)'a'":                   {2},
		"x←1 2 ⋄ ⎕←x 'b'":                   {2},
		"(60⍴'long ')(60⍴'line ')(⍳20)(⍳9)": {4},
	} {
		var values []Shown
		s := New(io.Discard)
		s.Values = func(v Shown) { values = append(values, v) }
		require.NoError(t, s.Execute(t.Context(), program), program)
		require.Len(t, values, 1, program)
		if assert.NotNil(t, values[0].Value, program) {
			assert.Equal(t, shape, append([]int{}, values[0].Value.Shape...), program)
		}
		var out bytes.Buffer
		require.NoError(t, New(&out).Execute(t.Context(), program), program)
		assert.True(t, strings.HasPrefix(out.String(), strings.TrimSuffix(values[0].Text, "\n")), "%s\n%s%s", program, values[0].Text, out.String())
		assert.Contains(t, out.String(), values[0].Note, program)
	}
}

// Of a strand with many elements only the beginning is shown, as a text.
func TestLargeStrand(t *testing.T) {
	var values []Shown
	s := New(io.Discard)
	s.Rows = 40
	s.Values = func(v Shown) { values = append(values, v) }
	require.NoError(t, s.Execute(t.Context(), "(⍳30000)(⍳4)"))
	require.Len(t, values, 1)
	assert.Nil(t, values[0].Value)
	assert.Contains(t, values[0].Note, "30004 elements, not all shown")
	assert.Less(t, len(values[0].Text), 1000)
}
