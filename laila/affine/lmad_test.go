package affine_test

import (
	"math/rand"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

var made int

func newVar(name string) *ir.Var {
	made++
	return &ir.Var{Name: name, Kind: ir.I64, ID: made}
}

func use(v *ir.Var) Poly { return Of(v) }

func consts(xs ...int64) []Poly {
	var list []Poly
	for _, x := range xs {
		list = append(list, Const(x))
	}
	return list
}

// lmad is offset + {(count:stride), …} of numbers.
func lmad(offset int64, dims ...int64) LMAD {
	l := LMAD{Offset: Const(offset)}
	for i := 0; i < len(dims); i += 2 {
		l.Dims = append(l.Dims, Dim{Const(dims[i]), Const(dims[i+1])})
	}
	return l
}

// symbolic is offset + {(count:stride), …}.
func symbolic(offset Poly, dims ...Poly) LMAD {
	l := LMAD{Offset: offset}
	for i := 0; i < len(dims); i += 2 {
		l.Dims = append(l.Dims, Dim{dims[i], dims[i+1]})
	}
	return l
}

// addresses lists the set of l for values of its variables, in the order of indices.
func addresses(l LMAD, value map[*ir.Var]int64) []int64 {
	list := []int64{l.Offset.At(value)}
	for _, d := range l.Dims {
		var next []int64
		for _, at := range list {
			for i := range max(d.Count.At(value), 0) {
				next = append(next, at+i*d.Stride.At(value))
			}
		}
		list = next
	}
	return list
}

func set(l LMAD) []int64 {
	list := addresses(l, nil)
	slices.Sort(list)
	return slices.Compact(list)
}

// TestLMAD has the examples of thesis 003, sections 3.1 to 3.5.
func TestLMAD(t *testing.T) {
	none := Assumptions{}
	text := func(want string, l LMAD) {
		t.Helper()
		require.Equal(t, want, l.String())
	}
	require.Equal(t, []int64{2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15}, set(lmad(2, 3, 5, 4, 1)))
	require.Len(t, set(lmad(0, 6, 9, 3, 8)), 18)
	text("14+{(4:1)}", lmad(10, 4, 4, 4, 1).Fix(Const(1)))
	text("0+{(10:1),(20:10)}", lmad(0, 20, 10, 10, 1).Transpose())
	text("0+{(2:12),(3:4),(4:1)}", RowMajor(consts(2, 3, 4)...))
	text("0+{(2:1),(3:2),(4:6)}", ColumnMajor(consts(2, 3, 4)...))
	text("23+{(2:20),(4:2)}", RowMajor(consts(20, 10)...).Slice(Triplet{Const(2), Const(2), Const(2)}, Triplet{Const(3), Const(4), Const(2)}))
	text("17+{(3:10),(2:4)}", lmad(3, 100, 2).SliceLMAD(lmad(7, 3, 5, 2, 2)))
	text("0+{(4:1),(2:12),(3:4)}", RowMajor(consts(2, 3, 4)...).Permute(2, 0, 1))
	text("9+{(10:-1)}", lmad(0, 10, 1).Reverse(0))
	text("0+{(3:0),(10:1)}", lmad(0, 10, 1).Broadcast(Const(3)))
	text("0+{(8:1),(3:1)}", lmad(0, 10, 1).Window(0, Const(3)))
	diagonal, ok := RowMajor(consts(3, 5)...).Diagonal(none, 0, 1)
	require.True(t, ok)
	text("0+{(3:6)}", diagonal)
	at, parts := lmad(0, 10, 1).Rotate(0, Const(3))
	require.Equal(t, "0 7", at[0].String()+" "+at[1].String())
	text("3+{(7:1)}", parts[0])
	text("0+{(3:1)}", parts[1])
	l, ok := lmad(10, 20, 10, 10, 1).Reshape(none, consts(50, 4)...)
	require.True(t, ok)
	text("10+{(50:4),(4:1)}", l)
	l, ok = lmad(16, 4, -1, 8, 4).Normalise(none)
	require.True(t, ok)
	text("13+{(8:4),(4:1)}", l)
	l, ok = lmad(5, 20, 10, 10, 1).Join(none, 0)
	require.True(t, ok)
	text("5+{(200:1)}", l)
	l, ok = l.Split(none, 0, Const(10))
	require.True(t, ok)
	text("5+{(20:10),(10:1)}", l)
	i := newVar("i")
	l, ok = symbolic(use(i).Scaled(9).Add(9)).Expand(i, Const(0), Const(10))
	require.True(t, ok)
	text("9+{(10:9)}", l)
	_, ok = symbolic(use(i).Times(use(i))).Expand(i, Const(0), Const(10))
	require.False(t, ok)
	_, ok = symbolic(Const(0), use(i), Const(1)).Expand(i, Const(0), Const(10))
	require.False(t, ok)
	lo, hi, ok := lmad(16, 4, -1, 8, 4).Hull(none)
	require.True(t, ok)
	require.Equal(t, "13 44", lo.String()+" "+hi.String())
}

// TestIndexFn composes index functions where one LMAD does not do (section 3.4.1).
func TestIndexFn(t *testing.T) {
	none := Assumptions{}
	f := IndexFn{lmad(0, 4, 4, 4, 1)}.View(LMAD.Transpose).Reshape(none, Const(16))
	require.Len(t, f, 2)
	for x, want := range []int64{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15} {
		require.Equal(t, want, eval(f.At([]ir.Expr{ir.Integer(int64(x))}), nil))
	}
	i, j, n := newVar("i"), newVar("j"), newVar("n")
	l, ok := FromIndex(use(i).Times(use(n)).Plus(use(j)).Add(3), []*ir.Var{i, j}, []Poly{use(n), use(n)})
	require.True(t, ok)
	require.Equal(t, "3+{(n:n),(n:1)}", l.String())
	_, ok = FromIndex(use(i).Times(use(j)), []*ir.Var{i, j}, []Poly{use(n), use(n)})
	require.False(t, ok)
}

// eval computes an expression of integers.
func eval(x ir.Expr, value map[*ir.Var]int64) int64 {
	switch x := x.(type) {
	case *ir.Int:
		return x.Val
	case *ir.Use:
		return value[x.Var]
	case *ir.Binary:
		a, b := eval(x.X, value), eval(x.Y, value)
		truth := func(t bool) int64 {
			if t {
				return 1
			}
			return 0
		}
		switch x.Op {
		case ir.OpAdd:
			return a + b
		case ir.OpSub:
			return a - b
		case ir.OpMul:
			return a * b
		case ir.OpQuo:
			return a / b
		case ir.OpRem:
			return a % b
		case ir.OpGe:
			return truth(a >= b)
		case ir.OpLe:
			return truth(a <= b)
		case ir.OpLt:
			return truth(a < b)
		case ir.OpGt:
			return truth(a > b)
		case ir.OpAnd:
			return a & b
		case ir.OpOr:
			return a | b
		}
	}
	panic("unexpected expression")
}

// TestReshape compares reshaped LMADs with their elements in row-major order.
func TestReshape(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	done := 0
	for range 5000 {
		l := LMAD{Offset: Const(int64(rng.Intn(9)))}
		stride, count := int64(1), int64(1)
		for range 1 + rng.Intn(3) {
			n := int64(1 + rng.Intn(6))
			l.Dims = append([]Dim{{Const(n), Const(stride)}}, l.Dims...)
			if stride *= n; rng.Intn(3) == 0 {
				stride += int64(rng.Intn(3))
			}
			count *= n
		}
		var counts []Poly
		for left := count; left > 1 || len(counts) == 0; {
			d := int64(1 + rng.Intn(int(left)))
			for left%d != 0 {
				d--
			}
			if left /= d; d > 1 || rng.Intn(4) == 0 {
				counts = append(counts, Const(d))
			}
			if left == 1 {
				break
			}
		}
		if len(counts) == 0 {
			counts = consts(count)
		}
		if r, ok := l.Reshape(Assumptions{}, counts...); ok {
			require.Equal(t, addresses(l, nil), addresses(r, nil), "%s to %s", l, r)
			done++
		}
	}
	require.Greater(t, done, 2000)
}

// TestDisjoint has the ten pairs of the non-overlap test.
func TestDisjoint(t *testing.T) {
	for _, c := range []struct {
		l, m LMAD
		want Verdict
	}{
		{lmad(0, 3, 10, 5, 1), lmad(5, 3, 10, 5, 1), Yes},
		{lmad(0, 5, 2), lmad(1, 5, 2), Yes},
		{lmad(0, 4, 1), lmad(4, 4, 1), Yes},
		{lmad(0, 5, 1), lmad(4, 4, 1), No},
		{lmad(17, 3, 4), lmad(7, 5, 5), No},
		{lmad(0, 2, 10, 11, 1), lmad(21, 3, 1), Yes},
		{lmad(0, 2, 10, 11, 1), lmad(20, 3, 1), No},
		{lmad(0, 4, 10, 3, 1), lmad(3, 4, 10, 7, 1), Yes},
		{lmad(0, 10, 11), lmad(9, 10, 9), Yes},
		{lmad(0, 6, 9, 3, 8), lmad(1, 6, 9), Yes},
	} {
		require.Equal(t, c.want, c.l.Disjoint(Assumptions{}, c.m).Is, "%s and %s", c.l, c.m)
		require.Equal(t, c.want, c.m.Disjoint(Assumptions{}, c.l).Is, "%s and %s", c.m, c.l)
	}
}

func meet(a, b []int64) bool {
	in := map[int64]bool{}
	for _, x := range a {
		in[x] = true
	}
	return slices.ContainsFunc(b, func(x int64) bool { return in[x] })
}

// pairs is how many random cases tests have.
func pairs() int {
	if os.Getenv("TAILOR_TEST") == "all" {
		return 1000000
	}
	return 30000
}

func randomLMAD(rng *rand.Rand, top int) LMAD {
	l := LMAD{Offset: Const(int64(rng.Intn(40)))}
	for range rng.Intn(top + 1) {
		l.Dims = append(l.Dims, Dim{Const(int64(1 + rng.Intn(6))), Const(int64(rng.Intn(25) - 6))})
	}
	return l
}

// TestDisjointRandom compares Disjoint and Injective with the sets, listed.
func TestDisjointRandom(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	disjoint, missed, overlap, unseen := 0, 0, 0, 0
	var took time.Duration
	for range pairs() {
		l, m := randomLMAD(rng, 3), randomLMAD(rng, 3)
		start := time.Now()
		got := l.Disjoint(Assumptions{}, m)
		took += time.Since(start)
		if meet(addresses(l, nil), addresses(m, nil)) {
			overlap++
			require.NotEqual(t, Yes, got.Is, "%s and %s", l, m)
			if got.Is != No {
				unseen++
			}
			continue
		}
		disjoint++
		require.NotEqual(t, No, got.Is, "%s and %s", l, m)
		if got.Is != Yes {
			missed++
		}
	}
	t.Logf("%d pairs: %d disjoint, %d (%.3f%%) missed; %d meet, %d not seen to; %s a pair",
		disjoint+overlap, disjoint, missed, 100*float64(missed)/float64(disjoint), overlap, unseen, took/time.Duration(disjoint+overlap))
	require.LessOrEqual(t, missed*20, disjoint)
	for range pairs() / 4 {
		l := randomLMAD(rng, 3)
		want := Yes
		if list := addresses(l, nil); len(list) != len(set(l)) {
			want = No
		}
		require.Equal(t, want, l.Injective(Assumptions{}).Is, "%s", l)
	}
}
