package formulas

import (
	"fmt"
	"math"
	"strings"
)

// Double returns the shortest decimal literal that reads back as v, in both languages.
func Double(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NAN"
	case math.IsInf(v, 1):
		return "INFINITY"
	case math.IsInf(v, -1):
		return "-INFINITY"
	case v == 0 && math.Signbit(v):
		return "-0.0"
	}
	s := fmt.Sprint(v)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
