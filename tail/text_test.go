package tail_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/tailtest"
)

func TestTextRoundTrip(t *testing.T) {
	for _, src := range tailtest.Texts {
		p, err := tail.ParseText(src)
		require.NoError(t, err, src)
		tailtest.RoundTrip(t, p)
	}
}

func TestTextShape(t *testing.T) {
	e, err := tail.ParseExpr(tailtest.Figure31)
	require.NoError(t, err)
	assert.Equal(t, `let v0:<int>15 = [9,8,6,8,7,4,4,3,2,2,1,2,4,5,6] in
let v3:<int>16 = consV(0,v0) in
reduce(
  addd,
  0.0,
  each(
    fn v11:[double]0 => maxd(i2d(¯50),v11),
    each(
      fn v10:[double]0 => mind(i2d(50),v10),
      each(
        fn v9:[double]0 => muld(i2d(50),v9),
        zipWith(
          divd,
          each(i2d,dropV(1,zipWith(subi,v3,rotateV(¯1,v3)))),
          each(fn v2:[double]0 => addd(0.01,v2),each(i2d,v0)))))))`, tail.ExprString(e))
}

func TestTextErrors(t *testing.T) {
	for src, want := range map[string]string{
		`addi(1`:                      `"," is missing`,
		`addi(1,2.0)`:                 "argument 2 has elements of type double, not int",
		`x`:                           `"x" is not defined`,
		`let x:int = 1.0 in x`:        "x has type [int]0, its value [double]0",
		`zipWith(addi,[1,3],[1,2,3])`: "shapes 2 and 3 differ on axis 1",
		`'abc`:                        "a text is not closed",
		``:                            "an expression is missing",
		`(1 : double)`:                "cannot have type",
		`[1,2.0]`:                     "an item of a vector",
		`let v:<int>1* = [0] in v`:    "a variable is missing behind ×",
	} {
		_, err := tail.ParseText(src)
		if assert.Error(t, err, src) {
			assert.Contains(t, err.Error(), want, src)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, src := range tailtest.Texts {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := tail.ParseText(src)
		if err == nil {
			tailtest.RoundTrip(t, p)
		}
	})
}

func TestCheckTexts(t *testing.T) {
	for _, src := range tailtest.Texts {
		p, err := tail.ParseText(src)
		require.NoError(t, err)
		assert.NoError(t, tail.Check(p), src)
	}
}
