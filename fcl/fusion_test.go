package fcl

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/internal/diag"
)

// fusions are programs and the kernels that they launch: loops of one structure that read a
// common array are computed in tandem, unless one needs what the other writes.
var fusions = []struct {
	name, main string
	launches   int
}{
	{"two maps", "fun main arr = do<grid> { a <- force (push (map (fn x => x + 1) arr)); b <- force (push (map (fn x => x * 2) arr)); return<grid> (a, b) }", 1},
	{"a result of two arrays", "fun main arr = (push<grid> (map (fn x => x + 1) arr), push<grid> (reverse arr), push<grid> (iota (length arr)))", 2},
	{"one needs the other", "fun main arr = do<grid> { a <- force (push (map (fn x => x + 1) arr)); b <- force (push (zipWith (+) arr (reverse a))); return<grid> (a, b) }", 2},
	{"a third one between, which needs the first", "fun main arr = do<grid> { a <- force (push (map (fn x => x + 1) arr)); b <- force (push (reverse a)); c <- force (push (map (fn x => x - 1) arr)); return<grid> (b, c) }", 2},
	{"other lengths", "fun main arr = do<grid> { a <- force (push (map (fn x => x + 1) arr)); b <- force (push (drop 1 arr)); return<grid> (a, b) }", 2},
	{"nothing in common", "fun main arr = do<grid> { a <- force (push (iota (length arr))); b <- force (push (map (fn x => x - 1) arr)); return<grid> (a, b) }", 2},
	{"two reductions", "fun main arr = do<grid> { s <- reduce (+) 0 arr; q <- reduce (+) 0 (map (fn x => x * x) arr); return<grid> (s, q) }", 3},
	{"groups", "fun main arr = let parts f = splitUp 4 arr |> map (fn c => do<block> { s <- stored<block> (map f c); return<block> (push<block> (reverse s)) }) |> concatTo<block> (length arr) 4 in (parts (fn x => x + 1), parts (fn x => x * 3))", 1},
	{"a length that the host reads", "fun main arr = do<grid> { a <- force (push (map (fn x => x + 1) arr)); let n = index a 0 % 3 + 1; b <- force (push (map (fn x => x * n) arr)); return<grid> (a, b) }", 2},
	{"steps of a loop", "fun main arr = do<grid> { a <- power<grid> 3 (fn x => return (push (map (fn e => e + 1) x))) (return (push arr)); b <- force (push (map (fn x => x * 2) arr)); return<grid> (a, b) }", 3},
}

// TestFusion counts launches, and holds the results against the evaluator's.
func TestFusion(t *testing.T) {
	for _, f := range fusions {
		t.Run(f.name, func(t *testing.T) {
			p, err := Load(diag.NewSource("a", f.main))
			if err != nil {
				require.FailNow(t, err.(*diag.Error).Render())
			}
			plan, err := p.Kernels(arguments(t, 9), small)
			require.NoError(t, err)
			launches := 0
			kernel.Walk(plan.Host, func(s kernel.Stmt) {
				if _, ok := s.(*kernel.Launch); ok {
					launches++
				}
			})
			assert.Equal(t, f.launches, launches, kernel.HostText(plan.Host))
			if many() == 0 && f.name != "two reductions" {
				return
			}
			for _, n := range []int{0, 1, 9, 33} {
				compare(t, queue(t), p, arguments(t, n), small, f.main)
			}
		})
	}
}
