package flow

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/ir"
)

// TestUpdateOf tells loops that store or join elements at any places from others.
func TestUpdateOf(t *testing.T) {
	cases := []struct {
		name, body string
		ok, joins  bool
		ordered    bool
		anyOrder   bool
	}{
		{"stores", "a[x[i]] = i32(i)", true, false, false, false},
		{"stores one value", "a[x[i]] = 7i32", true, false, false, true},
		{"stores elements of its own", "a[i] = i32(x[i])", true, false, false, true},
		{"adds", "var k: i64 = x[i]\n    var old: i64 = i64(a[k - 1])\n    var new: i64 = old + i\n    a[x[i] - 1] = i32(new)", true, true, false, false},
		{"subtracts", "a[x[i]] = a[x[i]] - 3i32", true, true, false, false},
		{"adds where a test holds", "var k: i64 = x[i]\n    if k < 9\n      a[k] = a[k] + 1i32", true, true, false, false},
		{"subtracts from another value", "a[x[i]] = 3i32 - a[x[i]]", true, false, true, false},
		{"adds another type", "a[x[i]] = i32(f64(a[x[i]]) * 0.5)", true, false, true, false},
		{"adds to elements of its own", "a[i] = a[i] * 3i32", true, false, true, true},
		{"reads another place", "a[x[i]] = a[i] + 1i32", false, false, false, false},
		{"computes a place from the array", "a[i64(a[i])] = 1i32", false, false, false, false},
		{"tests the array", "if a[i] < 3i32\n      a[x[i]] = 1i32", false, false, false, false},
		{"multiplies", "a[x[i]] = a[x[i]] * 3i32", true, false, true, false},
		{"adds the array to itself", "a[x[i]] = a[x[i]] + a[x[i]]", true, false, true, false},
		{"cuts what it adds to", "a[x[i]] = i32(i16(a[x[i]]) + 1i16)", true, false, true, false},
		{"stores twice", "a[x[i]] = 1i32\n    a[i] = 2i32", false, false, false, false},
	}
	for _, c := range cases {
		f := mainOf(t, "fun main() → ()\n  alloc a: i32[10]\n  alloc x: i64[10]\n  for i = 0 … 10\n    "+c.body+"\n  free a\n  free x\n")
		u, ok := UpdateOf(f.Body[2].(*ir.For))
		require.Equal(t, c.ok, ok, c.name)
		if ok {
			require.Equal(t, c.joins, u.Joins, c.name)
			require.Equal(t, c.ordered, u.Ordered, c.name)
			require.Equal(t, c.anyOrder, u.AnyOrder(f.Body[2].(*ir.For).Var), c.name)
		}
	}
}
