package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/memory"
)

// TestDescribe writes the blocks of a program and the places that it uses: views, a part
// of a vector, rows that are exchanged, and elements that are looked up.
func TestDescribe(t *testing.T) {
	p, err := ir.Parse(`fun main() → ()
  var n: i64 = 30
  alloc a: f64[n * 20] shaped [n, 20]
  for k = 2 … n
    segmap i = 0 … 20
      a[(k * 20) + i] = a[((k - 2) * 20) + (19 - i)] + a[i * 20]
  alloc s: i64[40]
  alloc t: i64[40]
  segmap j = 0 … 40
    s[j] = j
    t[j] = s[39 - j]
  loop
    segmap j_2 = 0 … 20
      t[2 * j_2] = s[t[j_2] rem 40]
    swap s, t
    break if s[0] > 9
  copy s[5] = t[0], 30 elements
  () = run-time print(s: i64[40])
  free t
  free s
  free a
`)
	require.NoError(t, err)
	require.Equal(t, `fun main
  block 1 a: f64[600] on the heap, as its elements are used more than once
    loads 19+{(28:20),(20:-1)}
    loads 0+{(20:20)}
    stores 40+{(28:20),(20:1)}
  block 2 s: i64[40] on the heap, as the run-time library needs it for print
    stores 0+{(40:1)}
    loads 39+{(40:-1)}
    loads _, computed places
    exchanged with 3 t
    loads 0+{}
    stores 5+{(30:1)}
    passed whole
  block 3 t: i64[40] on the heap, as a loop keeps it from step to step
    stores 0+{(40:1)}
    loads 0+{(20:1)}
    stores 0+{(20:2)}
    exchanged with 2 s
    loads 0+{(30:1)}
`, memory.Describe(p))
}
