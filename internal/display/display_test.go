package display

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/tailor-lang/tailor/array"
)

func ints(shape []int, v ...int64) *array.Array {
	a := array.New(array.Int, shape...)
	for i := range a.Ints {
		a.Ints[i] = v[i%len(v)]
	}
	return a
}

func doubles(shape []int, v ...float64) *array.Array {
	a := array.New(array.Double, shape...)
	for i := range a.Doubles {
		a.Doubles[i] = v[i%len(v)]
	}
	return a
}

func chars(shape []int, s string) *array.Array {
	a := array.New(array.Char, shape...)
	r := []rune(s)
	for i := range a.Chars {
		a.Chars[i] = r[i%len(r)]
	}
	return a
}

func iota(n int) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(i + 1)
	}
	return v
}

// The first cases are the examples of Dyalog's documentation, "Display of
// Arrays"; the rest follow from its rules.
var displays = []struct {
	name string
	a    *array.Array
	pp   int
	want string
}{
	{"0.1 1.0 1.12", doubles([]int{3}, 0.1, 1.0, 1.12), 10, "0.1 1 1.12\n"},
	{"÷3 2 6", doubles([]int{3}, 1.0/3, 0.5, 1.0/6), 10, "0.3333333333 0.5 0.1666666667\n"},
	{"⎕PP←3", doubles([]int{6}, 123, 1234, 12345, 0.12345, 0.00012345, 0.00000012345), 3,
		"123 1.23E3 1.23E4 0.123 0.000123 1.23E¯7\n"},
	{"2 4⍴'HANDFIST'", chars([]int{2, 4}, "HANDFIST"), 10, "HAND\nFIST\n"},
	{"1 2 3∘.×6 2 5", ints([]int{3, 3}, 6, 2, 5, 12, 4, 10, 18, 6, 15), 10, " 6 2  5\n12 4 10\n18 6 15\n"},
	{"2 3⍴2 4 6.1 8 10.24 12", doubles([]int{2, 3}, 2, 4, 6.1, 8, 10.24, 12), 10, "2  4     6.1\n8 10.24 12  \n"},
	{"scaled column", doubles([]int{2, 1}, 4, -0.000000003), 10, " 4E0 \n¯3E¯9\n"},
	{"1200000002341", doubles(nil, 1200000002341), 10, "1.200000002E12\n"},

	{"scaled mantissae", doubles([]int{3, 1}, 1e10, 1.25e12, -3), 10, " 1.00E10\n 1.25E12\n¯3.00E0 \n"},
	{"2*40", ints(nil, 1<<40), 10, "1.099511628E12\n"},
	{"+/⍳1000000", ints(nil, 500000500000), 10, "5.000005E11\n"},
	{"smallest int", ints(nil, math.MinInt64), 10, "¯9.223372037E18\n"},
	{"smallest int in full", ints(nil, math.MinInt64), 19, "¯9223372036854775808\n"},
	{"2*40 in full", ints(nil, 1<<40), 17, "1099511627776\n"},
	{"32 bits", ints([]int{2}, math.MaxInt32, math.MinInt32), 3, "2147483647 ¯2147483648\n"},
	{"beyond 32 bits", ints([]int{2}, math.MaxInt32+1, 1234), 3, "2.15E9 1.23E3\n"},
	{"a wide column", ints([]int{2, 2}, 1<<40, 1, 3, 4), 10, "1.099511628E12 1\n3.000000000E0  4\n"},
	{"halves to even", ints([]int{3}, 123456789050, 123456789150, 99999999995), 10, "1.23456789E11 1.234567892E11 1E11\n"},
	{"ten digits", doubles([]int{2}, 9999999999, 1e10), 10, "9999999999 1E10\n"},
	{"rounds up", doubles([]int{2}, 9999999999.5, 0.99999999999), 10, "1E10 1\n"},
	{"small", doubles([]int{2}, 1e-6, 1e-7), 10, "0.000001 1E¯7\n"},
	{"zeros", doubles([]int{2}, 0, math.Copysign(0, -1)), 10, "0 0\n"},
	{"specials", doubles([]int{3}, math.Inf(1), math.Inf(-1), math.NaN()), 10, "∞ ¯∞ NaN\n"},
	{"specials in a column", doubles([]int{4, 1}, math.Inf(1), math.Inf(-1), math.NaN(), 1.5), 10,
		"  ∞  \n ¯∞  \nNaN  \n  1.5\n"},
	{"extremes", doubles([]int{2}, 5e-324, math.MaxFloat64), 10, "4.940656458E¯324 1.797693135E308\n"},
	{"one digit", doubles([]int{3}, 0.16, 9.6, 4), 1, "0.2 1E1 4\n"},
	{"⍬", ints([]int{0}, 1), 10, "\n"},
	{"''", chars([]int{0}, " "), 10, "\n"},
	{"0 3⍴0", ints([]int{0, 3}, 1), 10, ""},
	{"3 0⍴0", ints([]int{3, 0}, 1), 10, "\n\n\n"},
	{"2 0 3⍴0", ints([]int{2, 0, 3}, 1), 10, ""},
	{"2 2 0⍴0", ints([]int{2, 2, 0}, 1), 10, "\n\n\n\n\n"},
	{"2 2 2⍴⍳8", ints([]int{2, 2, 2}, iota(8)...), 10, "1 2\n3 4\n   \n5 6\n7 8\n"},
	{"2 1 1 2", ints([]int{2, 1, 1, 2}, 1, -2), 10, "1 ¯2\n    \n    \n1 ¯2\n"},
	{"booleans", array.VectorBool([]byte{1, 0, 1}), 10, "1 0 1\n"},
	{"⍪÷⍳5", doubles([]int{5, 1}, 1, 0.5, 1.0/3, 0.25, 0.2), 10,
		"1           \n0.5         \n0.3333333333\n0.25        \n0.2         \n"},
	{"⍳40", ints([]int{40}, iota(40)...), 10,
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30\n" +
			"      31 32 33 34 35 36 37 38 39 40\n"},
	{"wide matrix", ints([]int{2, 18}, 1000), 10,
		strings.Repeat(strings.Repeat("1000 ", 15)+"1000"+"\n", 2) +
			strings.Repeat("      1000 1000\n", 2)},
	{"wide text", chars([]int{90}, "x"), 10, strings.Repeat("x", 80) + "\n      " + strings.Repeat("x", 10) + "\n"},
	{"lines in text", chars([]int{3}, "a\nb"), 10, "a\nb\n"},
	{"3J4", &array.Array{Elem: array.Complex, Shape: []int{3}, Complexes: []complex128{3 + 4i, -1 - 0.5i, 2}}, 10,
		"3J4 ¯1J¯0.5 2\n"},
}

func TestFormat(t *testing.T) {
	for _, d := range displays {
		if got := Format(d.a, d.pp); got != d.want {
			t.Errorf("%s: got\n%q, want\n%q", d.name, got, d.want)
		}
		var b bytes.Buffer
		if err := Write(&b, d.a, d.pp); err != nil || b.String() != d.want {
			t.Errorf("%s: Write gives %q, %v", d.name, b.String(), err)
		}
	}
}

func TestFormatArray(t *testing.T) {
	cases := []struct {
		a     *array.Array
		shape []int
		want  string
	}{
		{ints(nil, -5), []int{2}, "¯5"},
		{ints([]int{100}, 1000), []int{499}, strings.Repeat("1000 ", 99) + "1000"},
		{ints([]int{0}, 1), []int{0}, ""},
		{ints([]int{2, 2}, 1, 10, 100, 1), []int{2, 6}, "  1 10100  1"},
		{doubles([]int{1, 2, 2}, 1, 10, 100, 1.5), []int{1, 2, 8}, "  1 10  100  1.5"},
		{ints([]int{0, 3}, 1), []int{0, 0}, ""},
		{chars([]int{2, 2}, "abcd"), []int{2, 2}, "abcd"},
		{chars(nil, "a"), []int{}, "a"},
	}
	for _, c := range cases {
		got := FormatArray(c.a, 10)
		if string(got.Chars) != c.want || len(got.Shape) != len(c.shape) || array.Count(got.Shape) != len(got.Chars) {
			t.Errorf("⍕%v: got %q of shape %v", c.a, string(got.Chars), got.Shape)
			continue
		}
		for i := range c.shape {
			if got.Shape[i] != c.shape[i] {
				t.Errorf("⍕%v: shape %v, want %v", c.a, got.Shape, c.shape)
			}
		}
	}
}

func TestFormatBy(t *testing.T) {
	a := &array.Array{Elem: array.Double, Shape: []int{2, 2}, Doubles: []float64{3.14159, -2, 100, 0.05}}
	for _, c := range []struct {
		by    []int64
		want  string
		shape []int
	}{
		{[]int64{7, 2}, "   3.14  ¯2.00 100.00   0.05", []int{2, 14}},
		{[]int64{2}, "   3.14 ¯2.00 100.00  0.05", []int{2, 13}},
		{[]int64{4, 1, 0, 3}, " 3.1 ¯2.000****  0.050", []int{2, 11}},
		{[]int64{0, -3}, " 3.14E0 ¯2.00E0  1.00E2  5.00E¯2", []int{2, 16}},
	} {
		z := FormatBy(c.by, a)
		if got := string(z.Chars); got != c.want || z.Shape[1] != c.shape[1] {
			t.Errorf("%v⍕: %q, shape %v", c.by, got, z.Shape)
		}
	}
	if FormatBy([]int64{1, 2, 3}, a) != nil {
		t.Error("three numbers for two columns")
	}
}
