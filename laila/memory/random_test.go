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

// TestRandom runs random functions before and after the passes over storage; the points of
// nests run in any order.
func TestRandom(t *testing.T) {
	circuits, reused := 0, 0
	for seed := range uint64(3000) {
		g := &generator{r: rand.New(rand.NewPCG(seed, 1))}
		text := g.function()
		p, err := ir.Parse(text)
		require.NoError(t, err, text)
		want := run(p, seed)
		l := pass.NewContext(p, pass.CPU)
		for _, f := range []func(){func() { memory.Circuits(l, p.Main) }, func() { memory.Reuse(l, p.Main) }} {
			before := strings.Count(p.String(), "alloc ")
			f()
			if strings.Count(p.String(), "alloc ") < before {
				circuits++
			}
			require.NoError(t, ir.Check(p), "%s\n%s", text, p)
			require.Equal(t, want, run(p, seed+1), "seed %d\n%s\n%s", seed, text, p)
		}
		if strings.Count(p.String(), "alloc ") == 1 {
			reused++
		}
	}
	require.Greater(t, circuits, 500)
	require.Greater(t, reused, 100)
}

// size is the number of elements of the array that functions print.
const size = 60

// generator makes functions that compute an array a, copy it to a part of s, and use other
// parts of s before, in between and afterwards.
type generator struct {
	r    *rand.Rand
	b    strings.Builder
	vars int
}

func (g *generator) line(depth int, format string, args ...any) {
	fmt.Fprintf(&g.b, strings.Repeat("  ", depth)+format+"\n", args...)
}

func (g *generator) v() string {
	g.vars++
	return fmt.Sprintf("v_%d", g.vars)
}

// place is an index of s that n points of v have, linear.
func (g *generator) place(v string, n int) string {
	by := 1 + g.r.IntN(3)
	if g.r.IntN(2) == 0 {
		by = 1
	}
	far := by * (n - 1)
	at := g.r.IntN(size - far)
	if g.r.IntN(4) == 0 {
		return fmt.Sprintf("(%s * %d) + %d", v, -by, at+far)
	}
	return fmt.Sprintf("(%s * %d) + %d", v, by, at)
}

func (g *generator) function() string {
	n := 3 + g.r.IntN(6)
	g.line(0, "fun main() → ()")
	g.line(1, "alloc s: i64[%d]", size)
	g.line(1, "segmap z = 0 … %d", size)
	g.line(2, "s[z] = (z * z) + 3")
	g.line(1, "alloc a: i64[%d]", n)
	g.make("a", n)
	for range g.r.IntN(3) {
		g.between("a", n)
	}
	if g.r.IntN(3) == 0 { // a catenation
		k := g.r.IntN(4)
		g.line(1, "alloc r: i64[%d]", n+k+1)
		g.store("r", "", n+k+1, g.r.IntN(2) == 0 && k > 5)
		v := g.v()
		g.line(1, "segmap %s = 0 … %d", v, n)
		g.line(2, "r[%s + %d] = a[%s]", v, k, v)
		g.copyOut("r", n+k+1)
		g.line(1, "free r")
	} else {
		g.copyOut("a", n)
	}
	g.line(1, "free a")
	g.between("", n)
	if g.r.IntN(2) == 0 {
		g.line(1, "alloc b: i64[%d]", n)
		g.make("b", n)
		g.copyOut("b", n)
		g.line(1, "free b")
	}
	g.line(1, "() = run-time print(s: i64[%d])", size)
	g.line(1, "free s")
	return g.b.String()
}

// make stores all elements of an array.
func (g *generator) make(a string, n int) {
	v := g.v()
	switch g.r.IntN(4) {
	case 0:
		g.line(1, "for %s = 0 … %d", v, n)
	case 1:
		if n%2 == 0 && n > 2 { // in rows
			w := g.v()
			g.line(1, "segmap %s = 0 … %d; %s = 0 … 2", v, n/2, w)
			g.line(2, "%s[(%s * 2) + %s] = s[(%s * %d) + (%s + %d)] + 1", a, v, w, v, 1+g.r.IntN(9), w, g.r.IntN(10))
			return
		}
		fallthrough
	default:
		g.line(1, "segmap %s = 0 … %d", v, n)
	}
	g.line(2, "%s[%s] = s[%s] + %d", a, v, g.place(v, n), g.r.IntN(9))
}

// store stores something in all n elements.
func (g *generator) store(r, a string, n int, zero bool) {
	v := g.v()
	g.line(1, "segmap %s = 0 … %d", v, n)
	if zero {
		g.line(2, "%s[%s] = 0", r, v)
	} else {
		g.line(2, "%s[%s] = %s + 5", r, v, v)
	}
}

// between uses s, and a where it is there.
func (g *generator) between(a string, n int) {
	v := g.v()
	k := 2 + g.r.IntN(4)
	switch g.r.IntN(5) {
	case 0: // s alone
		p := g.place(v, k)
		g.line(1, "segmap %s = 0 … %d", v, k)
		g.line(2, "s[%s] = s[%s] + 2", p, p)
	case 1:
		if a != "" {
			g.line(1, "segmap %s = 0 … %d", v, n)
			g.line(2, "%s[%s] = %s[%s] + s[%s]", a, v, a, v, g.place(v, n))
		}
	case 2:
		if a != "" { // in steps
			w := g.v()
			g.line(1, "for %s = 0 … %d", w, k)
			g.line(2, "segmap %s = 0 … %d", v, n)
			g.line(3, "%s[%s] = %s[%s] + s[(%s * %d) + %d]", a, v, a, v, w, g.r.IntN(9), g.r.IntN(20))
		}
	case 3:
		if a != "" {
			g.line(1, "for %s = 1 … %d", v, n)
			g.line(2, "%s[%s] = %s[%s - 1] + s[%s]", a, v, a, v, g.place(v, n))
		}
	case 4:
		g.line(1, "s[%d] = s[%d] + 1", g.r.IntN(size), g.r.IntN(size))
	}
}

// copyOut copies an array to a part of s.
func (g *generator) copyOut(a string, n int) {
	v := g.v()
	if n%2 == 0 && g.r.IntN(3) == 0 {
		w := g.v()
		row := 2 + g.r.IntN(6)
		g.line(1, "segmap %s = 0 … %d; %s = 0 … 2", v, n/2, w)
		g.line(2, "s[(%s * %d) + (%s + %d)] = %s[(%s * 2) + %s]", v, row, w, g.r.IntN(10), a, v, w)
		return
	}
	if g.r.IntN(4) == 0 {
		g.line(1, "copy s[%d] = %s[0], %d elements", g.r.IntN(size-n), a, n)
		return
	}
	g.line(1, "segmap %s = 0 … %d", v, n)
	g.line(2, "s[%s] = %s[%s]", g.place(v, n), a, v)
}

// machine runs functions over integers.
type machine struct {
	r       *rand.Rand
	vars    map[*ir.Var]int64
	bufs    map[*ir.Buf][]int64
	printed []int64
}

// run returns what a program prints.
func run(p *ir.Program, seed uint64) []int64 {
	m := &machine{r: rand.New(rand.NewPCG(seed, 2)), vars: map[*ir.Var]int64{}, bufs: map[*ir.Buf][]int64{}}
	m.block(p.Main.Body)
	return m.printed
}

func (m *machine) block(block []ir.Stmt) {
	for _, s := range block {
		m.stmt(s)
	}
}

func (m *machine) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Decl:
		if s.Init != nil {
			m.vars[s.Var] = m.eval(s.Init)
		}
	case *ir.Assign:
		m.vars[s.Var] = m.eval(s.X)
	case *ir.DeclBuf:
		b := make([]int64, m.eval(s.Count))
		for i := range b {
			b[i] = m.r.Int64() // nobody may look at it
		}
		m.bufs[s.Buf] = b
	case *ir.Free:
		delete(m.bufs, s.Buf)
	case *ir.Store:
		x := m.eval(s.X)
		m.bufs[s.Buf][m.eval(s.Index)] = x
	case *ir.Copy:
		to, from, n := m.eval(s.DstIndex), m.eval(s.SrcIndex), m.eval(s.Count)
		copy(m.bufs[s.Dst][to:to+n], m.bufs[s.Src][from:from+n])
	case *ir.For:
		for i := m.eval(s.Lo); i < m.eval(s.Hi); i++ {
			m.vars[s.Var] = i
			m.block(s.Body)
		}
	case *ir.Nest:
		m.nest(s, s.Dims)
	case *ir.Runtime:
		m.printed = append(m.printed, m.bufs[s.Args[0].Array.Buf]...)
	case *ir.Swap:
		m.bufs[s.A], m.bufs[s.B] = m.bufs[s.B], m.bufs[s.A]
	default:
		panic(fmt.Sprintf("no such statement: %T", s))
	}
}

// nest runs the points of a nest in any order.
func (m *machine) nest(n *ir.Nest, dims []ir.Dim) {
	if len(dims) == 0 {
		m.block(n.Body)
		return
	}
	lo, hi := m.eval(dims[0].Lo), m.eval(dims[0].Hi)
	for _, i := range m.r.Perm(int(hi - lo)) {
		m.vars[dims[0].Var] = lo + int64(i)
		m.nest(n, dims[1:])
	}
}

func (m *machine) eval(x ir.Expr) int64 {
	switch x := x.(type) {
	case *ir.Int:
		return x.Val
	case *ir.Use:
		return m.vars[x.Var]
	case *ir.Load:
		return m.bufs[x.Buf][m.eval(x.Index)]
	case *ir.Binary:
		a, b := m.eval(x.X), m.eval(x.Y)
		switch x.Op {
		case ir.OpAdd:
			return a + b
		case ir.OpSub:
			return a - b
		case ir.OpMul:
			return a * b
		case ir.OpMin:
			return min(a, b)
		}
	}
	panic(fmt.Sprintf("no such expression: %T", x))
}
