package memory_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/lowertest"
	"github.com/tailor-lang/tailor/laila/memory"
	"github.com/tailor-lang/tailor/laila/pass"
)

// TestCircuits says which arrays are computed where a nest copies them to, by the stores that
// are left, and which are not: an element that the copy overwrites is used later.
func TestCircuits(t *testing.T) {
	const window = "  alloc a: f64[6] shaped [2, 3]\n"
	cases := []struct{ name, before, body, want string }{
		{"a row", "", `  alloc a: f64[n]
  segmap i = 0 … n
    a[i] = s[(4 * n) + i] + 1.0
  segmap j = 0 … n
    s[(3 * n) + j] = a[j]
`, "s[(3 * n) + i] = s[(4 * n) + i] + 1.0"},
		{"a row of itself", "", `  alloc a: f64[n]
  segmap i = 0 … n
    a[i] = s[(3 * n) + i] + 1.0
  segmap j = 0 … n
    s[(3 * n) + j] = a[j]
`, "s[(3 * n) + i] = s[(3 * n) + i] + 1.0"},
		{"another iteration reads it", "", `  alloc a: f64[n]
  segmap i = 0 … n
    a[i] = s[((3 * n) + i) + 1] + 1.0
  segmap j = 0 … n
    s[(3 * n) + j] = a[j]
`, ""},
		{"the next one reads what is there yet", "", `  alloc a: f64[n]
  for i = 0 … n
    a[i] = s[((3 * n) + i) + 1] + 1.0
  segmap j = 0 … n
    s[(3 * n) + j] = a[j]
`, "s[(3 * n) + i] = s[((3 * n) + i) + 1] + 1.0"},
		{"the next one reads what the last one made", "", `  alloc a: f64[n]
  for i = 0 … n
    a[i] = s[((3 * n) + i) - 1] + 1.0
  segmap j = 0 … n
    s[(3 * n) + j] = a[j]
`, ""},
		{"a column", "", `  alloc a: f64[9]
  segmap i = 0 … 9
    a[i] = s[i * n] + 1.0
  segmap j = 0 … 9
    s[(j * n) + 5] = a[j]
`, "s[(i * n) + 5] = s[i * n] + 1.0"},
		{"a window", "", window + `  segmap i = 0 … 2; j = 0 … 3
    a[(i * 3) + j] = s[((i + 4) * n) + j] + 1.0
  segmap k = 0 … 2; l = 0 … 3
    s[((k + 1) * n) + (l + 2)] = a[(k * 3) + l]
`, "s[((i + 1) * n) + (j + 2)] = s[((i + 4) * n) + j] + 1.0"},
		{"a window that is read", "", window + `  segmap i = 0 … 2; j = 0 … 3
    a[(i * 3) + j] = s[i * n] + 1.0
  segmap m = 0 … 3
    a[m] = a[m] + a[m + 3]
  segmap k = 0 … 2; l = 0 … 3
    s[((k + 1) * n) + (l + 2)] = a[(k * 3) + l]
`, ""},
		{"a row where it is, in a loop that reads it", "", `  alloc a: f64[n]
  segmap i = 0 … n
    a[i] = s[(3 * n) + i]
  for k = 0 … 5
    segmap m = 0 … n
      a[m] = a[m] * s[k * n]
  segmap j = 0 … n
    s[(3 * n) + j] = a[j]
`, ""},
		{"a row where it is, in a loop that reads others", "", `  alloc a: f64[n]
  segmap i = 0 … n
    a[i] = s[(3 * n) + i]
  for k = 0 … 3
    segmap m = 0 … n
      a[m] = a[m] * s[k * n]
  segmap j = 0 … n
    s[(3 * n) + j] = a[j]
`, "s[(3 * n) + m] = s[(3 * n) + m] * s[k * n]"},
		{"elements of which a number is copied that changes", "  var q: i64 = 1\n", `  alloc a: f64[n]
  for k = 0 … 3
    q = q + 1
    segmap i = 0 … n
      a[i] = 2.0
    copy s[0] = b[0], q elements
  segmap j = 0 … n
    s[(3 * n) + j] = a[j]
`, ""},
		{"a place that changes", "  var q: i64 = 1\n", `  alloc a: f64[n]
  segmap i = 0 … n
    a[i] = 2.0
  q = q + 1
  segmap j = 0 … n
    s[(q * n) + j] = a[j]
`, ""},
		{"a part", "", `  alloc a: f64[n]
  segmap i = 0 … n
    a[i] = 2.0
  segmap j = 0 … n - 1
    s[n + j] = a[j]
`, ""},
		{"an array that is made afterwards", "", `  alloc a: f64[n]
  segmap i = 0 … n
    a[i] = 2.0
  alloc r: f64[n + 3]
  r[0] = s[0]
  segmap j = 0 … n
    r[j + 1] = a[j]
  segmap k = 0 … n
    s[k] = r[k + 1]
  free r
`, "r[i + 1] = 2.0"},
		{"an array that is cleared afterwards", "", `  alloc a: f64[n]
  segmap i = 0 … n
    a[i] = 2.0
  alloc r: f64[n + 3]
  segmap l = 0 … n + 3
    r[l] = 0.0
  segmap j = 0 … n
    r[j + 1] = a[j]
  segmap k = 0 … n
    s[k] = r[k + 2]
  free r
`, ""},
		{"rows that are turned", "", `  alloc a: f64[n * n]
  segmap i = 0 … n; j = 0 … n
    a[(i * n) + j] = 2.0
  segmap k = 0 … n; l = 0 … n
    var r: i64 = k min 3
    var at: i64 = (l < (n - r)) ? (l + r) : (l + (r - n))
    s[(k * n) + l] = a[(k * n) + at]
`, "s[(i * n) + at] = 2.0"},
		{"rows that are turned and read", "", `  alloc a: f64[n * n]
  segmap i = 0 … n; j = 0 … n
    a[(i * n) + j] = s[(i * n) + j] + 1.0
  segmap k = 0 … n; l = 0 … n
    var r: i64 = k min 3
    var at: i64 = (l < (n - r)) ? (l + r) : (l + (r - n))
    s[(k * n) + l] = a[(k * n) + at]
`, ""},
		{"rows that are turned and used twice", "", `  alloc a: f64[n * n]
  segmap i = 0 … n; j = 0 … n
    a[(i * n) + j] = 2.0
  b[0] = a[3]
  segmap k = 0 … n; l = 0 … n
    var r: i64 = k min 3
    var at: i64 = (l < (n - r)) ? (l + r) : (l + (r - n))
    s[(k * n) + l] = a[(k * n) + at]
`, ""},
		{"rows that are turned by numbers of places", "", `  alloc a: f64[n * n]
  segmap i = 0 … n; j = 0 … n
    a[(i * n) + j] = 2.0
  segmap k = 0 … n; l = 0 … n
    var r: i64 = l min 3
    var at: i64 = (l < (n - r)) ? (l + r) : (l + (r - n))
    s[(k * n) + l] = a[(k * n) + at]
`, ""},
		{"rows that are turned and moved", "", `  alloc a: f64[n * n]
  segmap i = 0 … n; j = 0 … n
    a[(i * n) + j] = 2.0
  segmap k = 0 … n; l = 0 … n
    var r: i64 = k min 3
    var at: i64 = (l < (n - r)) ? (l + r) : (l + (r - n))
    s[(k * n) + l] = a[(l * n) + at]
`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := ir.Parse("fun f(n: i64) → ()\n" + c.before + "  alloc b: f64[n]\n  alloc s: f64[n * n]\n" + c.body + "  free a\n  () = run-time print(s: f64[n * n])\n  free s\n  free b\nfun main() → ()\n")
			require.NoError(t, err)
			l := pass.NewContext(p, pass.CPU)
			l.Ranges[p.Funcs[0].Params[0].Scalar] = facts.Between(10, 1000)
			memory.Circuits(l, p.Funcs[0])
			require.NoError(t, ir.Check(p))
			text := p.String()
			if c.want == "" {
				require.Contains(t, text, "alloc a:", text)
				return
			}
			require.NotContains(t, text, "alloc a:", text)
			require.Contains(t, text, c.want, text)
		})
	}
}

// TestCopies counts the copies of arrays, statements and nests, that programs have after all
// passes.
func TestCopies(t *testing.T) {
	cases := []struct {
		source string
		copies int
	}{
		{"f←{m←⍵ ⋄ _←{m[⍵+1;]-←0.5×m[⍵;] ⋄ 0}¨⍳8 ⋄ m}\nf 9 9⍴÷⍳81", 0},
		{"f←{v←⍵ ⋄ _←{v[1+⍳19]-←0.5×v[⍳19] ⋄ 0}¨⍳8 ⋄ v}\nf÷⍳20", 1}, // the next one reads it
		{"x←÷⍳20\n(+\\x),⌽×\\x", 1},
		{"m←4 5⍴÷⍳20\n(+\\m)⍪-\\m", 0},
		{"lu←{1≥≢⍵:⍵ ⋄ u←1↑⍵ ⋄ l←(1↓⍵[;1])÷⍵[1;1] ⋄ u⍪l,∇(1 1↓⍵)-l∘.×1↓,u}\nlu 6 6⍴(6⍴1)∘.+⍳36", 1},
		{"f←{⍺=0:⍵ ⋄ m←⍵ ⋄ m[⍺;]←+\\m[⍺+1;] ⋄ (⍺-1)∇m}\n5 f 6 7⍴÷⍳42", 0},
		{read(t, "nw"), 1},   // of blocks without their borders
		{read(t, "lud"), 12}, // of blocks, which loops work on, of parts of their rows and columns, and of the matrix, which is used later
		{"s←?9⍴5\nt←?9⍴5\nw←10 10⍴0\nw[1;]←w[;1]←-¯1+⍳10\nf←{⍺>17:⍵ ⋄ m←⍵ ⋄ i←1+(0⌈⍺-9)+⍳9⌊⍺⌊18-⍺ ⋄ j←⍺+3-i ⋄ d←(10×i-1)+j ⋄ v←,m ⋄ v[d]←(v[d-11]+¯1*s[i-1]≠t[j-1])⌈¯1+v[d-1]⌈v[d-10] ⋄ (⍺+1)∇10 10⍴v}\n1 f w", 0},
		{"x←10⍴1.5\n({(2∘×@3 5)⍵}⍣9)x", 0},
	}
	for _, c := range cases {
		p := lowertest.Optimised(t, c.source)
		require.Equal(t, c.copies, copies(p), "%s\n%s", c.source, p)
	}
}

// read returns a program of bench/003.
func read(t *testing.T, name string) string {
	text, err := os.ReadFile("../../bench/003/" + name + ".apl")
	require.NoError(t, err)
	return string(text)
}

// copies counts statements that copy arrays, and nests that do nothing else.
func copies(p *ir.Program) int {
	count := 0
	for _, f := range append(p.Funcs[:len(p.Funcs):len(p.Funcs)], p.Main) {
		ir.Walk(f.Body, func(s ir.Stmt) {
			switch s := s.(type) {
			case *ir.Copy:
				count++
			case *ir.Nest:
				if store, ok := s.Body[len(s.Body)-1].(*ir.Store); ok && len(s.Body) == 1 {
					if load, ok := store.X.(*ir.Load); ok && !load.Buf.Const {
						count++
					}
				}
			}
		})
	}
	return count
}
