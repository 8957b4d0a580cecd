package infer

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// variants is the number of values that are tried for arguments of one size.
const variants = 6

// sample returns an array of a type whose extents are constant.
func (g *infer) sample(t *tail.Array, variant int) *array.Array {
	shape := make([]int, t.Dims())
	for i := range shape {
		n, _ := t.Extent(i).IsConst()
		shape[i] = int(n)
	}
	a := array.New(t.Elem, shape...)
	for i := range a.Len() {
		setSample(a, i, g.sampleNumber(t, i, variant))
	}
	return a
}

// sampleNumber returns element i of the ravel: a claimed value, a constant of the
// program, or one of a few patterns.
func (g *infer) sampleNumber(t *tail.Array, i, variant int) int64 {
	if n, ok := t.Value(i).IsConst(); ok && i < len(t.Values) {
		return n
	}
	patterns := []func(i int64) int64{
		func(i int64) int64 { return i + 1 },
		func(int64) int64 { return 2 },
		func(i int64) int64 { return -i - 1 },
		func(int64) int64 { return 0 },
		func(i int64) int64 { return 5 - 3*i },
		func(i int64) int64 { return 1 - i%2 },
		func(i int64) int64 { return 3 + 7*i },
		func(int64) int64 { return 1 },
	}
	if t.Dims() == 0 && variant >= 4 && len(g.examiner.constants) > 0 {
		return g.examiner.constants[variant%len(g.examiner.constants)]
	}
	return patterns[variant%len(patterns)](int64(i))
}

func setSample(a *array.Array, i int, n int64) {
	switch a.Elem {
	case array.Bool:
		a.Bools[i] = byte(n & 1)
	case array.Int:
		a.Ints[i] = n
	case array.Double:
		a.Doubles[i] = float64(n) + 0.5
	case array.Char:
		a.Chars[i] = rune('a' + (n%26+26)%26)
	case array.Complex:
		a.Complexes[i] = complex(float64(n), 1)
	}
}

// wholeNumber finds the numbers in the text of a function.
var wholeNumber = regexp.MustCompile(`[0-9]+`)

// maxConstants is the number of numbers that are tried because the function
// mentions them or a number beside them.
const maxConstants = 9

// constantsOf returns small whole numbers near those that a function mentions,
// which are sizes and values to try.
func constantsOf(f function, op *userOperator) []int64 {
	text := ""
	if c, ok := f.(*closure); ok {
		text = c.node.Span().Text()
	} else if op != nil {
		text = op.dop.Span().Text()
	}
	var all []int64
	for _, word := range wholeNumber.FindAllString(text, -1) {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil || n >= maxTrialSize {
			continue
		}
		for _, k := range []int64{n, n + 1, n - 1} {
			if k >= 0 && !slices.Contains(samples, k) && !slices.Contains(all, k) && len(all) < maxConstants {
				all = append(all, k)
			}
		}
	}
	return all
}
