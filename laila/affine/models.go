package affine

import (
	"math"

	"github.com/tailor-lang/tailor/laila/ir"
)

// models are values of variables for which assumptions hold. What is negative for one
// of them is not proved to be not negative: they save most proofs that would fail.
type models struct {
	n  int // 0 where none were found
	of map[*ir.Var]*values
}

type values [modelCount]int64

// Limits of models: their number, and the tries to find them.
const (
	modelCount = 8
	modelTries = 100
)

// distances are from the bound of a variable to its value.
var distances = [...]int64{0, 0, 1, 1, 2, 3, 5, 9, 40, 1000}

// refutes reports whether p < 0 in a model of the assumptions.
func (s *proof) refutes(p Poly) bool {
	m := s.a.models
	if m == nil {
		return false
	}
	if m.of == nil {
		s.find(m)
	}
	if m.n == 0 {
		return false
	}
	var sum values
	for _, t := range p.terms {
		var x values
		for i := range x {
			x[i] = t.K
		}
		for _, v := range t.Vars {
			y := m.of[v]
			if y == nil { // nothing but its range is known
				y = &values{}
				for i := range y {
					y[i] = s.pick(&dice{uint64(v.ID*modelCount + i)}, v)
				}
				m.of[v] = y
			}
			for i := range x {
				x[i] *= y[i]
			}
		}
		for i := range sum {
			sum[i] += x[i]
		}
	}
	for _, x := range sum[:m.n] {
		if x < 0 {
			return true
		}
	}
	return false
}

// find looks for models.
func (s *proof) find(m *models) {
	m.of = map[*ir.Var]*values{}
	for _, q := range s.a.least {
		for _, v := range q.Vars() {
			m.of[v] = &values{}
		}
	}
	rng := &dice{}
	value := map[*ir.Var]int64{}
	vars := s.variables()
	for range modelTries {
		for _, v := range vars {
			value[v] = s.pick(rng, v)
		}
		ok := true
		for _, q := range s.a.least {
			ok = ok && q.At(value) >= 0
		}
		if !ok {
			continue
		}
		for v, x := range m.of {
			x[m.n] = value[v]
		}
		if m.n++; m.n == modelCount {
			return
		}
	}
}

// variables returns those of the assumptions, in a fixed order.
func (s *proof) variables() []*ir.Var {
	sum := Poly{}
	for _, q := range s.a.least {
		for _, v := range q.Vars() {
			if !sum.Mentions(v) {
				sum = sum.Plus(Of(v))
			}
		}
	}
	return sum.Vars()
}

// pick chooses a value in the range of v.
func (s *proof) pick(rng *dice, v *ir.Var) int64 {
	d := distances[rng.roll(len(distances))]
	switch lo, hi := s.rangeOf(v); {
	case lo > -farAway:
		return min(lo+d, hi)
	case hi < farAway:
		return hi - d
	case lo == math.MinInt64 && rng.roll(2) == 0:
		return -d
	default:
		return d
	}
}

// dice are numbers that look like chance and are the same in each run.
type dice struct{ state uint64 }

func (d *dice) roll(n int) int {
	d.state = d.state*6364136223846793005 + 1442695040888963407
	return int(d.state >> 33 % uint64(n))
}
