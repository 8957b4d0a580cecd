package tail

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNestText: types of nested arrays are what their text says.
func TestNestText(t *testing.T) {
	for _, text := range []string{
		"[i<5 → <int>(i+1)]",
		"[i<n → <char>m]",
		"[i<n → [char]1]",
		"[i<_ → (<char>3, int)]",
		"[i<n → [j<i+1 → <int>(i+2×j)]]",
		"[i<n,j<m → <int>(i+j+k)]",
		"[i<n,j<2 → (<char>4, int)[j]]",
		"[i<3 → [2,i]double]",
		"⊂<int>3",
		"⊂[i<2 → <int>i]",
		"[i<2 → ⊂<int>i]",
		"[j<i → <int>j]",
		"[j<i → [k<j → <int>(i+j+k)]]",
		"[i<2 → ([j<i → <int>j], char)]",
		"[i<0 → <int>0]",
		"([i<2 → <int>2], <char>3)",
	} {
		ty, err := ParseType(text)
		require.NoError(t, err, text)
		assert.Equal(t, text, ty.String())
		again, err := ParseType(ty.String())
		require.NoError(t, err, text)
		assert.True(t, Equal(ty, again), text)
	}
	for text, want := range map[string]string{
		"[a<n → <int>(2×a)]": "[i<n → <int>(2×i)]",
		"[i<3 → int]":        "<int>3",
		"[i<3,j<n → char]":   "[3,n]char",
		"[i<n -> <int>i]":    "[i<n → <int>i]",
	} {
		ty, err := ParseType(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, ty.String())
	}
	for _, text := range []string{"[i<5 → ]", "[i<5 <int>3]", "[i<n,j<2 → (<int>1, char)[i]]", "[i<n,j<2 → <int>3[j]]", "[<5 → <int>3]"} {
		_, err := ParseType(text)
		assert.Error(t, err, text)
	}
}

// TestNestSubtypes: what says more is a subtype, strands of such items are, too.
func TestNestSubtypes(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		is, back bool
		join     string // "" where there is none
	}{
		{"[i<5 → <int>(i+1)]", "[i<5 → <int>_]", true, false, "[i<5 → [int]1]"},
		{"[i<5 → <int>3]", "[i<n → <int>3]", false, false, "[i<_ → <int>3]"},
		{"[i<5 → <int>3]", "[i<_ → <int>3]", true, false, "[i<_ → <int>3]"},
		{"[i<5 → <int>3]", "[j<5 → <int>3]", true, true, "[i<5 → <int>3]"},
		{"[i<5 → <int>i]", "[j<5 → <int>(2×j)]", false, false, "[i<5 → [int]1]"},
		{"[i<5 → <int>i]", "[i<5 → <double>i]", false, false, ""},
		{"[i<2,j<3 → <int>i]", "[i<2 → <int>i]", false, false, ""},
		{"(<int>1, <int>2, <int>3)", "[i<3 → <int>(i+1)]", true, false, ""},
		{"(<int>1, <int>2, <int>3)", "[i<_ → [int]1]", true, false, ""},
		{"(<int>1, <int>2, <int>4)", "[i<3 → <int>(i+1)]", false, false, ""},
		{"(<int>1, <int>2)", "[i<3 → <int>(i+1)]", false, false, ""},
		{"[i<2 → (<char>3, int)]", "[i<2 → (<char>_, int)]", true, false, "[i<2 → ([char]1, int)]"},
		{"[i<1 → <int>1]", "[i<1 → <int>(i+1)]", true, true, "[i<1 → [int]1]"},
		{"[i<n → [j<i → <int>(i+j)]]", "[k<n → [i<k → <int>(k+i)]]", true, true, "[i<n → [j<i → <int>(i+j)]]"},
		{"[i<n → [j<i → <int>i]]", "[i<n → [j<i → <int>j]]", false, false, "[i<n → [j<i → [int]1]]"},
		{"[i<n → (<int>i, <int>i)]", "[i<n → [j<2 → <int>i]]", true, false, ""},
		{"[i<n → (<int>i, <int>i)]", "[i<n → [j<2 → <int>j]]", false, false, ""},
		{"⊂<int>3", "⊂[int]1", true, false, "⊂[int]1"},
	} {
		a, err := ParseType(c.a)
		require.NoError(t, err, c.a)
		b, err := ParseType(c.b)
		require.NoError(t, err, c.b)
		assert.Equal(t, c.is, Subtype(a, b), "%s ⊆ %s", c.a, c.b)
		assert.Equal(t, c.back, Subtype(b, a), "%s ⊆ %s", c.b, c.a)
		join, ok := Join(a, b)
		if assert.Equal(t, c.join != "", ok, "%s and %s", c.a, c.b) && ok {
			assert.Equal(t, c.join, join.String(), "%s and %s", c.a, c.b)
			assert.True(t, Subtype(a, join) && Subtype(b, join), "%s and %s", c.a, c.b)
		}
	}
}

// TestFitNest: items that differ by sizes are one type.
func TestFitNest(t *testing.T) {
	for _, c := range []struct {
		shape []int
		items []string
		want  string // "" where they differ by more
	}{
		{[]int{5}, []string{"SV(int,1)", "<int>2", "<int>3", "<int>4", "<int>5"}, "[i<5 → <int>(i+1)]"},
		{[]int{4}, []string{"<char>2", "<char>2", "<char>2", "<char>3"}, "[i<4 → [char]1]"},
		{[]int{2}, []string{"<char>2", "<char>4"}, "[i<2 → <char>(2×i+2)]"},
		{[]int{3}, []string{"(<char>3, S(int,1))", "(<char>3, S(int,7))", "(<char>3, int)"}, "[i<3 → (<char>3, int)]"},
		{[]int{3}, []string{"[i<1 → <int>i]", "[i<2 → <int>(i+1)]", "[i<3 → <int>(i+2)]"}, "[i<3 → [j<i+1 → <int>(i+j)]]"},
		{[]int{4}, []string{"[i<1 → <int>1]", "[i<2 → <int>(i+1)]", "[i<3 → <int>(i+1)]", "[i<4 → <int>(i+1)]"}, "[i<4 → [j<i+1 → <int>(j+1)]]"},
		{[]int{3}, []string{"[i<2 → <int>1]", "[i<2 → <int>4]", "[i<2 → <int>5]"}, "[i<3 → [j<2 → [int]1]]"},
		{[]int{3, 3}, []string{"<int>0", "<int>1", "<int>2", "<int>2", "<int>3", "<int>4", "<int>4", "<int>5", "<int>6"}, "[i<3,j<3 → <int>(2×i+j)]"},
		{[]int{}, []string{"<int>2"}, "⊂<int>2"},
		{[]int{2}, []string{"<int>2", "<char>2"}, ""},
		{[]int{2}, []string{"(int, char)", "(int, char, char)"}, ""},
		{[]int{2}, []string{"<int>n", "<int>n"}, "[i<2 → <int>n]"},
	} {
		var items []Type
		for _, text := range c.items {
			ty, err := ParseType(text)
			require.NoError(t, err, text)
			items = append(items, ty)
		}
		got := FitNest(c.shape, items)
		if c.want == "" {
			assert.Nil(t, got, "%v", c.items)
			continue
		}
		require.NotNil(t, got, "%v", c.items)
		assert.Equal(t, c.want, got.String())
		if len(c.shape) == 1 {
			assert.True(t, Subtype(&TupleType{Elems: items}, got), "%v", c.items)
			for k, item := range items {
				assert.True(t, Subtype(item, got.At(ConstSize(int64(k)))), "%v, %d", c.items, k)
			}
		}
	}
}

// TestShown: what is shown of types leaves values out, and functions of two positions.
func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"[i<2 → <int>(2×i+2)]":                   "[i<2 → [int]1]",
		"[i<3 → <int>(2×i+2)]":                   "[i<3 → <int>(2×i+2)]",
		"[i<3 → [j<2 → <int>(i+j)]]":             "[i<3 → [j<2 → [int]1]]",
		"[i<2 → [j<i+1 → <int>(j+1)]]":           "[i<2 → [j<_ → <int>(j+1)]]",
		"(S(int,4), SV(char,3), [i<2 → <int>i])": "(int, <char>1, [i<2 → [int]1])",
	} {
		ty, err := ParseType(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, Spell(Shown(ty)))
	}
}
