package interp

import (
	"slices"
	"time"
)

// sampled is the number of calls whose time is taken to find out what is worth to be
// compiled, and to choose between interpretation and a compiled function.
const sampled = 16

// meter measures calls of a function, of which the last ones are samples.
type meter struct {
	total time.Duration
	n     int
	rates [sampled]float64 // nanoseconds for an element, or a call
}

// add notes a call that began at a time and had so many elements.
func (m *meter) add(start time.Time, elements int) {
	spent := time.Since(start)
	m.total += spent
	m.rates[m.n%sampled] = float64(spent) / float64(max(elements, 1))
	m.n++
}

// rate returns the median of the samples: a few calls may have taken long because the
// machine did something else.
func (m *meter) rate() float64 {
	rates := m.rates
	all := rates[:min(m.n, sampled)]
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// trial decides whether the compiled form of a function, which gets faster while
// compilers run, is faster than its interpretation.
type trial struct {
	level int // of the compiled form that is measured
	spent meter
	slow  bool
}

// begins reports whether the compiled form is to be called.
func (t *trial) begins(f Compiled) bool {
	if n := f.Level(); n != t.level {
		*t = trial{level: n}
	}
	return !t.slow
}

// ends notes a call of the compiled form; after so many of them it is compared with
// interpretation.
func (t *trial) ends(start time.Time, elements, calls int, plain *meter) {
	t.spent.add(start, elements)
	t.slow = t.spent.n == calls && t.spent.rate() > plain.rate()
}
