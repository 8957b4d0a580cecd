package golden

import (
	"math"
	"strconv"
	"strings"
)

// tolerance is the relative difference that two routes may print a double
// with: sums may be associated differently, and elementary functions differ in
// the last places.
const tolerance = 1e-8

// Agree reports whether two outcomes are the same. Integers, characters,
// messages and exit statuses must be equal; numbers with a point or an
// exponent may differ by the tolerance.
func Agree(a, b Outcome) bool {
	if a.Status != b.Status || !sameText(a.Stderr, b.Stderr) {
		return false
	}
	return sameText(a.Stdout, b.Stdout)
}

func sameText(a, b string) bool {
	if a == b {
		return true
	}
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && !close(x[i], y[i]) {
			return false
		}
	}
	return true
}

// close reports whether two words are numbers within the tolerance, one of
// them at least a double's. Complex numbers are compared part by part; a part
// that is lost beside the other may be missing.
func close(a, b string) bool {
	x, im, okx := strings.Cut(a, "J")
	y, im2, oky := strings.Cut(b, "J")
	switch {
	case okx && oky:
		return (x == y || closeReals(x, y)) && (im == im2 || closeReals(im, im2))
	case okx:
		return (x == y || closeReals(x, y)) && closeReals(im, "0")
	case oky:
		return (x == y || closeReals(x, y)) && closeReals(im2, "0")
	}
	return closeReals(a, b)
}

func closeReals(a, b string) bool {
	if !strings.ContainsAny(a+b, ".E") {
		return false
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(a, "¯", "-"), 64)
	if err != nil {
		return false
	}
	y, err := strconv.ParseFloat(strings.ReplaceAll(b, "¯", "-"), 64)
	if err != nil {
		return false
	}
	return math.Abs(x-y) <= tolerance*math.Max(math.Abs(x), math.Abs(y)) || math.Max(math.Abs(x), math.Abs(y)) < 1e-12
}
