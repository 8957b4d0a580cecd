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
	DropDead(f)
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
