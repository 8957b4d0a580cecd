package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/memory"
	"github.com/tailor-lang/tailor/laila/pass"
)

// TestReuse says which arrays are put into the storage of others.
func TestReuse(t *testing.T) {
	const old = `  alloc x: f64[n]
  segmap i = 0 … n
    x[i] = 1.0
`
	cases := []struct {
		name, body string
		blocks     int
	}{
		{"the old one is not used any more", old + `  () = run-time print(x: f64[n])
  free x
  alloc y: f64[n]
  segmap j = 0 … n
    y[j] = 2.0
  () = run-time print(y: f64[n])
  free y
`, 1},
		{"an element is used where one is stored", old + `  alloc y: f64[n]
  segmap j = 0 … n
    y[j] = x[j] + 2.0
  free x
  () = run-time print(y: f64[n])
  free y
`, 1},
		{"the new one is freed first", old + `  alloc y: f64[n]
  segmap j = 0 … n
    y[j] = x[j] + 2.0
  () = run-time print(y: f64[n])
  free y
  free x
`, 1},
		{"another element is used", old + `  alloc y: f64[n]
  segmap j = 0 … n
    y[j] = x[(n - 1) - j]
  free x
  () = run-time print(y: f64[n])
  free y
`, 2},
		{"it is used later", old + `  alloc y: f64[n]
  segmap j = 0 … n
    y[j] = x[j] + 2.0
  () = run-time print(x: f64[n])
  () = run-time print(y: f64[n])
  free x
  free y
`, 2},
		{"it is used in the next step", old + `  alloc y: f64[n]
  for k = 0 … 3
    segmap j = 0 … n
      y[j] = x[j] + 2.0
  free x
  () = run-time print(y: f64[n])
  free y
`, 2},
		{"another number of elements", old + `  free x
  alloc y: f64[n + 1]
  segmap j = 0 … n + 1
    y[j] = 2.0
  free y
`, 2},
		{"a loop may end in between", `  loop
    alloc x: f64[n]
    segmap i = 0 … n
      x[i] = 1.0
    free x
    alloc y: f64[n]
    break if n > 7
    segmap j = 0 … n
      y[j] = 2.0
    free y
`, 2},
		{"in every step of a loop", `  for k = 0 … 9
    alloc x: f64[n]
    segmap i = 0 … n
      x[i] = 1.0
    alloc y: f64[n]
    segmap j = 0 … n
      y[j] = x[j] + 2.0
    free x
    () = run-time print(y: f64[n])
    free y
`, 1},
		{"storage that changes hands", `  alloc x: f64[n]
  alloc z: f64[n]
  swap x, z
  free x
  free z
  alloc y: f64[n]
  segmap j = 0 … n
    y[j] = 2.0
  free y
`, 3},
		{"a number of elements that changes", `  var m: i64 = n
  alloc x: f64[m]
  segmap i = 0 … m
    x[i] = 1.0
  free x
  m = n * 2
  alloc y: f64[m]
  segmap j = 0 … m
    y[j] = 2.0
  () = run-time print(y: f64[m])
  free y
`, 2},
		{"storage of zeros", old + `  free x
  alloc y: f64[n] zeroed
  () = run-time print(y: f64[n])
  free y
`, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := ir.Parse("fun f(n: i64) → ()\n" + c.body + "fun main() → ()\n")
			require.NoError(t, err)
			memory.Reuse(pass.NewContext(p, pass.CPU), p.Funcs[0])
			require.NoError(t, ir.Check(p))
			text := p.String()
			require.Equal(t, c.blocks, strings.Count(text, "alloc "), text)
			require.Equal(t, c.blocks, strings.Count(memory.Describe(p), "  block "), text)
			if c.blocks == 1 {
				require.Equal(t, 1, strings.Count(text, "free "), text)
			}
		})
	}
}
