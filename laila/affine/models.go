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

// Limits of models: their number, the tries to find them, and the steps of a proof that
// they are looked for after.
const (
	modelSteps = 8
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
	if m.of == nil && s.steps > s.first-modelSteps {
		return false // it may be a short proof
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
				lo, hi := s.rangeOf(v)
				rng := &dice{uint64(v.ID)}
				for i := range y {
					y[i] = rng.pick(lo, hi)
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
	var vars []*ir.Var
	for _, q := range s.a.least {
		for _, v := range q.Vars() {
			if m.of[v] == nil {
				m.of[v] = &values{}
				vars = append(vars, v)
			}
		}
	}
	rng := &dice{}
	value := map[*ir.Var]int64{}
	los, his := make([]int64, len(vars)), make([]int64, len(vars))
	for i, v := range vars {
		los[i], his[i] = s.rangeOf(v)
	}
	for range modelTries {
		for i, v := range vars {
			value[v] = rng.pick(los[i], his[i])
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

// dice are numbers that look like chance and are the same in each run.
type dice struct{ state uint64 }

func (d *dice) roll(n int) int {
	d.state = d.state*6364136223846793005 + 1442695040888963407
	return int(d.state >> 33 % uint64(n))
}

// pick chooses a value from lo to hi.
func (d *dice) pick(lo, hi int64) int64 {
	x := distances[d.roll(len(distances))]
	switch {
	case lo > -farAway:
		return min(lo+x, hi)
	case hi < farAway:
		return hi - x
	case lo == math.MinInt64 && d.roll(2) == 0:
		return -x
	default:
		return x
	}
}
