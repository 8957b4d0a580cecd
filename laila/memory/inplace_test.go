package memory_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/memory"
	"github.com/tailor-lang/tailor/laila/pass"
)

// TestInPlace runs random loops over two arrays before and after their next values are stored
// over the old ones; the points of nests run in any order.
func TestInPlace(t *testing.T) {
	var gone [3]int // how many of the two arrays for next values
	for seed := range uint64(4000) {
		g := &generator{r: rand.New(rand.NewPCG(seed, 2))}
		text := g.steps()
		p, err := ir.Parse(text)
		require.NoError(t, err, text)
		want := run(p, seed)
		memory.InPlace(pass.NewContext(p, pass.CPU), p.Main)
		require.NoError(t, ir.Check(p), "%s\n%s", text, p)
		require.Equal(t, want, run(p, seed+1), "seed %d\n%s\n%s", seed, text, p)
		gone[5-strings.Count(p.String(), "alloc ")]++
	}
	require.Greater(t, gone[0], 500)
	require.Greater(t, gone[1], 500)
	require.Greater(t, gone[2], 300)
}

// length is the number of elements of the arrays of steps.
const length = 8

// steps makes a loop whose state is the arrays x0 and x1, which y0 and y1 are next.
func (g *generator) steps() string {
	g.line(0, "fun main() → ()")
	for k := range 2 {
		g.line(1, "alloc x%d: i64[%d]", k, length)
		g.line(1, "segmap a%d = 0 … %d", k, length)
		g.line(2, "x%d[a%d] = (a%d * a%d) + %d", k, k, k, k, 3+k)
		g.line(1, "alloc y%d: i64[%d]", k, length)
	}
	g.line(1, "alloc w: i64[1]")
	g.line(1, "w[0] = 0")
	g.line(1, "for step = 0 … 4")
	switch g.r.IntN(3) {
	case 0: // one nest
		v := g.v()
		g.head(v)
		first := g.r.IntN(2)
		g.next(first, v, g.turned(v))
		g.next(1-first, v, g.turned(v))
	case 1:
		for k := range 2 {
			v := g.v()
			g.head(v)
			g.next(k, v, g.turned(v))
		}
	default: // in pieces
		for k := range 2 {
			v, at := g.v(), 1+g.r.IntN(length-1)
			g.line(2, "segmap %s = 0 … %d", v, at)
			g.next(k, v, v)
			v = g.v()
			g.line(2, "segmap %s = %d … %d", v, at, length)
			g.next(k, v, v)
		}
	}
	if g.r.IntN(4) == 0 {
		g.line(2, "w[0] = x%d[%d]", g.r.IntN(2), g.r.IntN(length))
	}
	g.line(2, "swap x0, y0")
	g.line(2, "swap x1, y1")
	for k := range 2 {
		g.line(1, "() = run-time print(x%d: i64[%d])", k, length)
		g.line(1, "free x%d", k)
		g.line(1, "free y%d", k)
	}
	g.line(1, "() = run-time print(w: i64[1])")
	g.line(1, "free w")
	return g.b.String()
}

func (g *generator) head(v string) {
	if g.r.IntN(2) == 0 {
		g.line(2, "segmap %s = 0 … %d", v, length)
	} else {
		g.line(2, "for %s = 0 … %d", v, length)
	}
}

// turned is the place of an element in the order of the points, or from the end on.
func (g *generator) turned(v string) string {
	if g.r.IntN(5) == 0 {
		return fmt.Sprintf("(%d - %s)", length-1, v)
	}
	return v
}

// next stores the next element of x0 or x1 at a place.
func (g *generator) next(k int, v, at string) {
	from := func() string {
		switch g.r.IntN(12) {
		case 0:
			return fmt.Sprint(g.r.IntN(length))
		case 1:
			return fmt.Sprintf("((%s + 1) min %d)", v, length-1)
		case 2:
			return v
		}
		return at
	}
	g.line(3, "y%d[%s] = (2 * x%d[%s]) - x%d[%s]", k, at, k, from(), 1-k, from())
}
