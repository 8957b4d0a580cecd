package affine_test

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// blocks has the sizes of the blocked programs of thesis 003, chapter 6.
type blocks struct {
	n, b, p, i Poly
	a          Assumptions
}

// needlemanWunsch: n = p×b + 1, i < p.
func needlemanWunsch() blocks {
	n, b, p, i := newVar("n"), newVar("b"), newVar("p"), newVar("i")
	x := blocks{n: use(n), b: use(b), p: use(p), i: use(i)}
	x.a = Assumptions{}.WhereEqual(n, x.p.Times(x.b).Add(1)).
		Where(x.p.Add(-2), x.b.Add(-2), x.i, x.p.Minus(x.i).Add(-1))
	return x
}

// upper returns what is written, and both that are read, of an antidiagonal.
func (x blocks) upper() (w, r1, r2 LMAD) {
	n, b, i, one := x.n, x.b, x.i, Const(1)
	far := n.Times(b).Minus(b)
	w = symbolic(n.Plus(i.Times(b)).Add(1), i.Add(1), far, b, n, b, one)
	r1 = symbolic(i.Times(b), i.Add(1), far, b.Add(1), n)
	r2 = symbolic(i.Times(b).Add(1), i.Add(1), far, b, one)
	return w, r1, r2
}

// lower returns the same of the half below, where i stands for s: 1 ≤ s < p.
func (x blocks) lower() (w, r1, r2 LMAD) {
	n, b, s, one := x.n, x.b, x.i, Const(1)
	far := n.Times(b).Minus(b)
	at := n.Add(1).Plus(s.Times(b).Times(n)).Plus(x.p.Add(-1).Times(b))
	w = symbolic(at, x.p.Minus(s), far, b, n, b, one)
	r1 = symbolic(at.Minus(n).Add(-1), x.p.Minus(s), far, b.Add(1), n)
	r2 = symbolic(at.Minus(n), x.p.Minus(s), far, b, one)
	return w, r1, r2
}

// TestPaperPrograms proves what Needleman-Wunsch and LU decomposition need (section
// 3.6.3, and the digest of chapter 6).
func TestPaperPrograms(t *testing.T) {
	prove := func(what string, ask func() Answer) {
		t.Helper()
		start := time.Now()
		got := ask()
		took := time.Since(start)
		require.Equal(t, Yes, got.Is, "%s: %v", what, got)
		t.Logf("%-42s %s", what, took.Round(time.Microsecond))
		require.Less(t, took, 2*time.Second)
	}
	x := needlemanWunsch()
	n, b := x.n, x.b
	far := n.Times(b).Minus(b)
	for _, f := range []Poly{ // what the paper asks Z3
		n.Minus(b.Scaled(2)), far.Minus(b.Scaled(2)), far.Minus(b.Add(-1).Times(n)).Minus(b), n.Minus(b), far.Minus(b), far.Minus(b.Add(-1).Times(n)),
	} {
		require.True(t, x.a.Positive(f), "%s", f)
	}
	w, r1, r2 := x.upper()
	prove("NW, upper half, written and left column", func() Answer { return w.Disjoint(x.a, r1) })
	prove("NW, upper half, written and upper row", func() Answer { return w.Disjoint(x.a, r2) })
	prove("NW, upper half, written once", func() Answer { return w.Injective(x.a) })
	s := x
	s.a = s.a.Where(x.i.Add(-1))
	w, r1, r2 = s.lower()
	prove("NW, lower half, written and left column", func() Answer { return w.Disjoint(s.a, r1) })
	prove("NW, lower half, written and upper row", func() Answer { return w.Disjoint(s.a, r2) })
	prove("NW, within the matrix", func() Answer { return w.Within(s.a, n.Times(n)) })

	lu, p, k, b2 := newVar("n"), newVar("p"), newVar("k"), newVar("b")
	n, b = use(lu), use(b2)
	one := Const(1)
	at := use(k)
	a := Assumptions{}.WhereEqual(lu, use(p).Times(b)).Where(b.Add(-1), at, use(p).Minus(at).Add(-2))
	m, bn := use(p).Minus(at).Add(-1), b.Times(n)
	inner := symbolic(at.Add(1).Times(bn).Plus(at.Add(1).Times(b)), m, bn, m, b, b, n, b, one)
	row := symbolic(at.Times(bn).Plus(at.Add(1).Times(b)), m, b, b, n, b, one)
	column := symbolic(at.Add(1).Times(bn).Plus(at.Times(b)), m, bn, b, n, b, one)
	corner := symbolic(at.Times(bn).Plus(at.Times(b)), b, n, b, one)
	prove("LU, interior and row of blocks", func() Answer { return inner.Disjoint(a, row) })
	prove("LU, interior and column of blocks", func() Answer { return inner.Disjoint(a, column) })
	prove("LU, interior and corner", func() Answer { return inner.Disjoint(a, corner) })
	prove("LU, interior written once", func() Answer { return inner.Injective(a) })
	prove("LU, within the matrix", func() Answer { return inner.Within(a, n.Times(n)) })
}

// TestAntidiagonal: the increment of an antidiagonal in place (listing 6.2).
func TestAntidiagonal(t *testing.T) {
	i := newVar("i")
	l := symbolic(use(i).Scaled(9).Add(9))
	require.Equal(t, Yes, Independent(Assumptions{}, i, Const(0), Const(10), l, l).Is)
	n := newVar("n")
	l = symbolic(use(i).Times(use(n).Add(-1)).Plus(use(n)).Add(-1))
	require.Equal(t, Yes, Independent(Assumptions{}.Where(use(n).Add(-2)), i, Const(0), use(n), l, l).Is)
	row := symbolic(use(i).Times(use(n)), use(n), Const(1))
	require.Equal(t, Yes, Independent(Assumptions{}, i, Const(0), use(n), row, row).Is)
	next := symbolic(use(i).Add(1).Times(use(n)), use(n), Const(1))
	require.NotEqual(t, Yes, Independent(Assumptions{}, i, Const(0), use(n), row, next).Is)
}

// TestSets: what is accessed in a loop, and anything, which meets all but nothing.
func TestSets(t *testing.T) {
	i, n := newVar("i"), newVar("n")
	a := Assumptions{}.Where(use(n).Add(-1))
	even := Set{Of: []LMAD{symbolic(use(i).Scaled(2))}}.Expand(i, Const(0), use(n))
	odd := Set{Of: []LMAD{symbolic(use(i).Scaled(2).Add(1))}}.Expand(i, Const(0), use(n))
	require.Equal(t, Yes, even.Disjoint(a, odd).Is)
	all := Set{Of: []LMAD{symbolic(use(i).Times(use(i)))}}.Expand(i, Const(0), use(n))
	require.True(t, all.All && all.Union(even).All)
	require.Equal(t, Open, even.Disjoint(a, all).Is)
	require.Equal(t, Yes, all.Disjoint(a, Set{}).Is)
	require.Equal(t, Yes, even.Of[0].Subset(a, symbolic(Const(0), use(n).Scaled(2), Const(1))).Is)
	require.Equal(t, Yes, even.Of[0].Subset(a, symbolic(Const(0), use(n).Add(1), Const(2))).Is)
	require.NotEqual(t, Yes, even.Of[0].Subset(a, odd.Of[0]).Is)
}

// TestDepends: what is not known is a test, which says yes where it is so.
func TestDepends(t *testing.T) {
	n, d := newVar("n"), newVar("d")
	a := Assumptions{}.Where(use(n).Add(-1))
	got := symbolic(Const(0), use(n), Const(1)).Disjoint(a, symbolic(use(d), use(n), Const(1)))
	require.Equal(t, Depends, got.Is)
	test := got.Test.Expr()
	for _, c := range [][3]int64{{4, 4, 1}, {4, 3, 0}, {4, -4, 1}, {4, -3, 0}, {4, 0, 0}} {
		require.Equal(t, c[2], eval(test, map[*ir.Var]int64{n: c[0], d: c[1]}), "%v", c)
	}
	m := newVar("m")
	require.Equal(t, Depends, RowMajor(use(n), use(m)).Aligned(a, RowMajor(use(m), use(n))).Is)
	require.Equal(t, Yes, RowMajor(use(n), use(m)).Aligned(a.WhereEqual(m, use(n)), RowMajor(use(m), use(n))).Is)
	require.Equal(t, No, RowMajor(use(n)).Aligned(a, RowMajor(use(n).Add(1))).Is)
	require.Equal(t, No, a.Sign(use(n).Scaled(-1)).Is)
}

// TestSymbolicRandom checks proofs with variables for all small values of them: what is
// said of sets, and of signs, holds, and tests tell the truth.
func TestSymbolicRandom(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	vars := []*ir.Var{newVar("x"), newVar("y"), newVar("z")}
	poly := func(size int) Poly {
		p := Const(int64(rng.Intn(5) - 1))
		for range rng.Intn(size) {
			q := Const(int64(rng.Intn(5) - 2))
			for range 1 + rng.Intn(2) {
				q = q.Times(use(vars[rng.Intn(3)]))
			}
			p = p.Plus(q)
		}
		return p
	}
	random := func() LMAD {
		l := LMAD{Offset: poly(3)}
		for range rng.Intn(3) {
			l.Dims = append(l.Dims, Dim{poly(2).Add(1), poly(3)})
		}
		return l
	}
	seen := map[Verdict]int{}
	var took time.Duration
	for range pairs() / 10 {
		facts := []Poly{use(vars[0]).Add(-1), use(vars[1]).Add(-int64(rng.Intn(3)))}
		if rng.Intn(2) == 0 {
			facts = append(facts, use(vars[2]), use(vars[1]).Minus(use(vars[2])).Add(-1))
		} else {
			facts = append(facts, poly(3))
		}
		a := Assumptions{}.Where(facts...)
		l, m := random(), random()
		if rng.Intn(2) == 0 {
			m.Dims = l.Dims
		}
		start := time.Now()
		got, once, sub, sign := l.Disjoint(a, m), l.Injective(a), l.Subset(a, m), a.Sign(l.Offset)
		took += time.Since(start)
		seen[got.Is]++
		value := map[*ir.Var]int64{}
		check := func() {
			x, y := addresses(l, value), addresses(m, value)
			holds := func(what string, g Answer, truth bool) {
				switch {
				case g.Is == Yes, g.Is == Depends && eval(g.Test.Expr(), value) == 1:
					require.True(t, truth, "%s of %s and %s at %v where %v: %s", what, l, m, value, facts, g.Is)
				case g.Is == No:
					require.False(t, truth, "%s of %s and %s at %v where %v", what, l, m, value, facts)
				}
			}
			in := map[int64]bool{}
			for _, at := range x {
				in[at] = true
			}
			holds("disjoint", got, !meet(x, y))
			holds("injective", once, len(in) == len(x))
			for _, at := range y {
				delete(in, at)
			}
			holds("subset", sub, len(in) == 0)
			holds("sign", sign, l.Offset.At(value) >= 0)
		}
		for x := range int64(4) {
			for y := range int64(4) {
				for z := int64(-1); z < 4; z++ {
					value[vars[0]], value[vars[1]], value[vars[2]] = x, y, z
					ok := true
					for _, f := range facts {
						ok = ok && f.At(value) >= 0
					}
					if ok {
						check()
					}
				}
			}
		}
	}
	t.Logf("%d yes, %d no, %d tests, %d open; %s a case", seen[Yes], seen[No], seen[Depends], seen[Open], took/time.Duration(pairs()/10))
	require.Greater(t, seen[Yes], pairs()/200)
}
