package affine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/ir"
)

var (
	i, n = &ir.Var{Name: "i", Kind: ir.I64, ID: 1}, &ir.Var{Name: "n", Kind: ir.I64, ID: 2}
)

// TestPoly multiplies out, divides and substitutes.
func TestPoly(t *testing.T) {
	x, y := Of(i), Of(n)
	square := x.Plus(y).Times(x.Plus(y))
	require.Equal(t, "i×i+2×i×n+n×n", square.String())
	require.Equal(t, int64(2), square.Coef(i, n))
	require.True(t, square.Minus(square).IsZero())
	quotient, rest := square.Add(-3).DivMod(x.Plus(y))
	require.Equal(t, "i+n", quotient.String())
	require.Equal(t, "-3", rest.String())
	quotient, rest = Const(19).DivMod(Const(10))
	require.Equal(t, "2 -1", quotient.String()+" "+rest.String())
	a, rest := square.Split(i)
	require.Equal(t, "i+2×n", a.String())
	require.Equal(t, "n×n", rest.String())
	require.Equal(t, "4×n×n", square.Substitute(i, y).String())
	require.Equal(t, "12×n", x.Times(y).Times(y).Replace([]*ir.Var{i, n}, Const(12)).String())
	require.Equal(t, int64(49), square.At(map[*ir.Var]int64{i: 3, n: 4}))
	high := square.Times(square).Times(square).Times(square)
	require.True(t, high.Known())
	require.False(t, high.Times(x).Known())
	require.False(t, x.Scaled(1<<61).Plus(x.Scaled(1<<61)).Plus(Unknown).Known())
	require.False(t, x.Scaled(1<<40).Scaled(1<<40).Known())
	require.False(t, Unknown.Equal(Unknown))
	require.False(t, Unknown.Substitute(i, x.Add(1)).Known())
	want := ir.Add(ir.Add(ir.Mul(i.Use(), ir.Integer(2)), n.Use()), ir.Integer(-4))
	require.True(t, ir.Same(want, x.Scaled(2).Plus(y).Add(-4).Expr()))
}
