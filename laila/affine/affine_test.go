package affine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/ir"
)

var (
	i, n  = &ir.Var{Name: "i", Kind: ir.I64}, &ir.Var{Name: "n", Kind: ir.I64}
	seq   = map[*ir.Var]int{i: 1, n: 2}
	order = func(v *ir.Var) int { return seq[v] }
)

func sum(ki, kn, c int64) Sum {
	f := Sum{Coef: map[*ir.Var]int64{}, Const: c}
	if ki != 0 {
		f.Coef[i] = ki
	}
	if kn != 0 {
		f.Coef[n] = kn
	}
	return f
}

// TestSum adds, scales and substitutes; terms that vanish are gone.
func TestSum(t *testing.T) {
	require.Equal(t, sum(0, 5, 7), sum(2, 1, 1).Plus(sum(1, -2, -3), -2))
	require.Equal(t, sum(1, -1, 3), sum(2, 0, 1).Difference(sum(1, 1, -2)))
	require.Equal(t, sum(6, 0, 5), sum(2, 0, 1).Scaled(3, 2))
	require.Equal(t, sum(0, 3, 5), sum(2, 1, 1).Substitute(sum(0, 1, 2), i))
	d, ok := sum(2, 1, 4).Minus(sum(2, 1, 1))
	require.True(t, ok)
	require.Equal(t, int64(3), d)
	_, ok = sum(2, 1, 4).Minus(sum(2, 0, 1))
	require.False(t, ok)
	c, ok := sum(0, 0, 9).Constant()
	require.True(t, ok && c == 9)
	_, ok = sum(1, 0, 9).Constant()
	require.False(t, ok)
	want := ir.Sub(ir.Add(ir.Mul(i.Use(), ir.Integer(2)), n.Use()), ir.Integer(4))
	require.True(t, ir.Same(want, sum(2, 1, -4).Expr(order)))
}

// TestPoly multiplies sums out, as far as that goes.
func TestPoly(t *testing.T) {
	p := Poly{} // i + n
	p.Add(seq, 1, []*ir.Var{i})
	p.Add(seq, 1, []*ir.Var{n})
	square, ok := Times(seq, p, p)
	require.True(t, ok)
	require.Len(t, square, 3)
	require.Equal(t, Monomial{2, []*ir.Var{i, n}}, square[monomialKey(seq, []*ir.Var{i, n})])
	fourth, ok := Times(seq, square, square)
	require.True(t, ok)
	require.Len(t, fourth, 5)
	_, ok = Times(seq, fourth, p)
	require.False(t, ok)
	none := square.Minus(seq, square, true)
	c, ok := none.Constant()
	require.True(t, ok)
	require.Zero(t, c)
	twice := square.Minus(seq, square, false)
	require.Equal(t, int64(4), twice[monomialKey(seq, []*ir.Var{i, n})].K)
}
