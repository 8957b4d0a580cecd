package flow

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/ir"
)

func mainOf(t *testing.T, text string) *ir.Func {
	t.Helper()
	p, err := ir.Parse(text)
	require.NoError(t, err)
	require.NoError(t, ir.Check(p))
	return p.Main
}

// names returns the names of variables in their order.
func names[T any](vars map[*ir.Var]T) []string {
	var list []string
	for v := range maps.Keys(vars) {
		list = append(list, v.Name)
	}
	slices.Sort(list)
	return list
}

const counting = `fun main() → ()
  var bad: u8 = 0u8
  var n: i64 = 5
  var sum: i64 = 0
  var unread: i64 = n
  for i = 0 … n
    var twice: i64 = i * 2
    sum, overflow bad = sum + twice
  if bad
    fail DOMAIN ERROR: integer overflow
  () = run-time print(sum: i64)
`

// TestDefinedOnce says that the result of an addition with a test of overflow is
// set again where it is declared before, and its flag, too.
func TestDefinedOnce(t *testing.T) {
	defs, changed := DefinedOnce(mainOf(t, counting))
	require.Equal(t, []string{"n", "twice", "unread"}, names(defs))
	require.Equal(t, []string{"bad", "sum"}, names(changed))
}

// TestDropDead drops what nobody reads, and nothing else.
func TestDropDead(t *testing.T) {
	f := mainOf(t, counting)
	before := len(f.Body)
	DropDead(f, nil)
	require.Len(t, f.Body, before-1)
	_, changed := DefinedOnce(f)
	require.Equal(t, []string{"bad", "sum"}, names(changed))
}

// TestClashes says which statements cannot change places.
func TestClashes(t *testing.T) {
	f := mainOf(t, `fun main() → ()
  stack a: i64[2]
  stack b: i64[2]
  var x: i64 = 1
  a[0] = x
  b[0] = a[1]
  x = 2
  b[1] = 7
  () = run-time print(a: i64[2])
  () = run-time print(b: i64[2])
`)
	clash := func(i, j int) bool { return SummaryOf(f.Body[i]).Clashes(SummaryOf(f.Body[j])) }
	require.True(t, clash(3, 4))  // a is written and read
	require.True(t, clash(3, 5))  // x is read and written
	require.False(t, clash(4, 5)) // neither
	require.True(t, clash(4, 6))  // both write b
	require.False(t, clash(5, 6))
}

// TestScanOf says which loops are scans: each iteration stores an element of its own, and nothing
// else uses the accumulator before it is joined.
func TestScanOf(t *testing.T) {
	for _, c := range []struct {
		body  string
		found string // the accumulator, or ""
		kept  bool
	}{
		{"acc = acc + a[i]\n    b[i + 1] = acc", "acc", false},
		{"var x: i64 = a[i]\n    acc = x max acc\n    b[n + i] = acc", "acc", false},
		{"var t: i64\n    t, overflow bad = acc + a[i]\n    acc = t\n    b[i] = acc", "acc", false},
		{"bad = bad | (3 < a[i])\n    if 3 < a[i]\n      b[acc] = i\n      acc = acc + 1", "acc", true},
		{"acc = acc + a[i]\n    b[a[i]] = acc", "", false},                          // places may be the same
		{"var t: i64 = 0 - i\n    acc = acc + a[i]\n    b[i + t] = acc", "", false}, // and are here
		{"acc = acc + a[i]\n    a[i] = acc", "", false},
		{"var x: i64 = acc\n    acc = acc + a[i]\n    b[i] = x", "", false},
		{"acc = acc + acc\n    b[i] = acc", "", false},
		{"acc = acc - a[i]\n    b[i] = acc", "", false},
		{"if 3 < a[i]\n      b[i - acc] = i\n      acc = acc + 1", "", false},
	} {
		f := mainOf(t, "fun main() → ()\n  stack a: i64[9]\n  stack b: i64[99]\n  var n: i64 = 3\n  var acc: i64 = 0\n  var bad: u8 = 0u8\n  for i = 0 … 9\n    "+c.body+"\n")
		s, ok := ScanOf(f.Body[len(f.Body)-1].(*ir.For), false)
		require.Equal(t, c.found != "", ok, c.body)
		if ok {
			require.Equal(t, c.found, s.Acc.Var.Name, c.body)
			require.Equal(t, c.kept, s.Keep != nil, c.body)
		}
	}
	f := mainOf(t, "fun main() → ()\n  stack b: f64[9]\n  var acc: f64 = 0.5\n  for i = 0 … 9\n    acc = tl_fma(f64(i), 0.1, acc)\n    b[i] = acc\n")
	for _, anyOrder := range []bool{false, true} { // a sum of doubles depends on its order
		_, ok := ScanOf(f.Body[2].(*ir.For), anyOrder)
		require.Equal(t, anyOrder, ok)
	}
}
