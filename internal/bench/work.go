package bench

import (
	"math"
	"os"
	"strconv"

	"github.com/tailor-lang/tailor/internal/programs"
)

// amount is the work of a program whose sizes are s: 1e9 bytes or operations.
type amount struct {
	unit string
	of   func(s []float64) float64
}

// The units.
const (
	gigabytes = "GB"
	gigaflops = "Gflop"
)

// amounts count what the source asks for: bytes that must be moved where the
// program does little else, or arithmetic on elements, an elementary function
// as one operation and an integer operation like one of doubles. Mandelbrot,
// where most points stop early, has none.
var amounts = map[string]amount{
	"align":        {gigaflops, func(s []float64) float64 { return 5 * s[0] * s[0] }},
	"blackscholes": {gigaflops, func(s []float64) float64 { return 60 * s[0] }},
	"easter":       {gigaflops, func(s []float64) float64 { return 45 * s[0] }},
	"fft":          {gigaflops, func(s []float64) float64 { return 5 * s[0] * math.Exp2(s[0]) }},
	"hotspot":      {gigaflops, func(s []float64) float64 { return 10 * s[0] * s[0] * s[1] }},
	"kmeans":       {gigaflops, func(s []float64) float64 { return 16 * 8 * 3 * s[0] * s[1] }},
	"life":         {gigabytes, func(s []float64) float64 { return 2 * s[0] * s[0] * s[1] }},
	"lu":           {gigaflops, func(s []float64) float64 { return 2 * s[0] * s[0] * s[0] / 3 }},
	"matmul":       {gigaflops, func(s []float64) float64 { return 2 * s[0] * s[0] * s[0] }},
	"matmuldot":    {gigaflops, func(s []float64) float64 { return 2 * s[0] * s[0] * s[0] }},
	"minplus":      {gigaflops, func(s []float64) float64 { return 2 * s[0] * s[0] * s[0] }},
	"montecarlo":   {gigaflops, func(s []float64) float64 { return 45 * s[0] }},
	"nbody":        {gigaflops, func(s []float64) float64 { return 20 * s[0] * s[0] * s[1] }},
	"prefix":       {gigabytes, func(s []float64) float64 { return 8 * s[0] }},
	"pricer":       {gigaflops, func(s []float64) float64 { return 15 * 50 * s[0] }},
	"primes":       {gigaflops, func(s []float64) float64 { return 3 * s[0] * s[0] }},
	"signal":       {gigaflops, func(s []float64) float64 { return 7 * s[0] }},
	"sobolpi":      {gigaflops, func(s []float64) float64 { return 2 * 30 * 3 * s[0] }},
	"sort":         {gigabytes, func(s []float64) float64 { return 16 * s[0] }},
	"sums":         {gigaflops, func(s []float64) float64 { return 15 * s[0] }},
}

// work returns how much a program does, and in what unit.
func work(p *programs.Program) (float64, string) {
	if p.Name == "wordcount" && len(p.Sizes) > 0 {
		if info, err := os.Stat(p.Sizes[0]); err == nil {
			return float64(info.Size()) / 1e9, gigabytes
		}
	}
	a, ok := amounts[p.Name]
	if !ok {
		return 0, ""
	}
	var sizes []float64
	for _, s := range p.Sizes {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return 0, ""
		}
		sizes = append(sizes, x)
	}
	return a.of(sizes) / 1e9, a.unit
}
