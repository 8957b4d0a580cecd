package eval

import (
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

// maxLength bounds the arrays that are stored.
const maxLength = 1 << 31

// store is an array in a memory, while it is written.
type store struct {
	m       *machine
	at      diag.Span
	memory  Memory
	elems   []Value
	writers []place
}

func (m *machine) allocate(n int64, memory Memory, at diag.Span) *store {
	if n < 0 || n > maxLength {
		fault(diag.TooLarge, at, "an array of %d elements", n)
	}
	return &store{m, at, memory, make([]Value, n), make([]place, n)}
}

// write stores an element, on behalf of the place where the machine is.
func (s *store) write(i int64, v Value) {
	if i < 0 || i >= int64(len(s.elems)) {
		fault(diag.IndexOutside, s.at, "element %d is written, and the array has %s", i, elements(int64(len(s.elems))))
	}
	if s.elems[i] != nil && s.writers[i] != s.m.place {
		fault(diag.WrongDomain, s.at, "race: element %d is written by %s and by %s", i, s.writers[i], s.m.place)
	}
	s.elems[i], s.writers[i] = v, s.m.place
	s.m.count.Written[s.memory] += size(v)
}

func (p place) String() string {
	return "work-item " + Int(p[1]).String() + " of group " + Int(p[2]).String()
}

// pull returns the array when all has been written.
func (s *store) pull() *Pull {
	for i, v := range s.elems {
		if v == nil {
			fault(diag.WrongDomain, s.at, "element %d of %d is never written", i, len(s.elems))
		}
	}
	return &Pull{int64(len(s.elems)), func(i int64) Value {
		v := s.elems[i]
		s.m.count.Read[s.memory] += size(v)
		return v
	}, s.elems}
}

// force computes a push array into the memory of a level.
func (m *machine) force(p *Push, l types.Level, at diag.Span) *Pull {
	s := m.allocate(p.N, memoryOf(l), at)
	s.at = p.At
	p.Run(s.write)
	switch s.memory {
	case Global:
		m.count.Kernels++
	case Local:
		if !l.Warp {
			m.count.Barriers++
		}
	}
	return s.pull()
}

// loop returns the push array that seqfor makes. from, where it is set, computes the
// elements before the first iteration.
func (m *machine) loop(n, iterations int64, from *Push, f Value, at diag.Span) *Push {
	return &Push{n, types.Thread, at, func(write func(int64, Value)) {
		s, read := m.cells(n, from, at)
		step := f.(Func)(read).(Func)
		for i := range iterations {
			pair := step(Int(i)).(Tuple)
			s.write(pair[0].(Scalar).I, pair[1])
		}
		done := s.pull()
		for i := range n {
			write(i, done.At(i))
		}
	}}
}

// cells is the array of a loop, and the function that reads it. from, where it is set, computes
// the elements before the first iteration.
func (m *machine) cells(n int64, from *Push, at diag.Span) (*store, Func) {
	s := m.allocate(n, Private, at)
	if from != nil {
		from.Run(s.write)
	}
	return s, func(k Value) Value {
		i := k.(Scalar).I
		switch {
		case i < 0 || i >= n:
			fault(diag.IndexOutside, at, "element %d is read, and the array has %s", i, elements(n))
		case s.elems[i] == nil:
			fault(diag.WrongDomain, at, "element %d is read before it is written", i)
		}
		m.count.Read[Private] += size(s.elems[i])
		return s.elems[i]
	}
}

// states returns the push array that seqmap makes: the elements that a loop gives, whose array
// is from at first.
func (m *machine) states(from *Push, count int64, f Value, at diag.Span) *Push {
	return &Push{count, types.Thread, at, func(write func(int64, Value)) {
		s, read := m.cells(from.N, from, at)
		step := f.(Func)(read).(Func)
		for i := range count {
			v := step(Int(i)).(Tuple)
			s.write(v[0].(Scalar).I, v[1])
			write(i, v[2])
		}
	}}
}

func elements(n int64) string { return diag.Count(int(n), "element", "elements") }

// iterate runs the step of power and while: as long as more says so, on an array that is
// stored at level l and does not grow.
func (m *machine) iterate(l types.Level, at diag.Span, from Value, more func(i int64, arr *Pull) bool, step func(i int64, arr *Pull) Value) Program {
	return Program(func() Value {
		arr := m.force(from.(Program)().(*Push), l, at)
		most := arr.N
		for i := int64(0); more(i, arr); i++ {
			p := step(i, arr).(Program)().(*Push)
			if p.N > most {
				fault(diag.WrongLength, at, "a step makes %s of an array that began with %d", elements(p.N), most)
			}
			arr = m.force(p, l, at)
		}
		return arr
	})
}

// assemble returns the push array that programs make together at level l. f tells where an
// element goes; each program makes each elements, or any number where that is negative.
func (m *machine) assemble(l types.Level, n, each int64, f Value, programs *Pull, parallel bool, at diag.Span) *Push {
	return &Push{n, l, at, func(write func(int64, Value)) {
		here := m.place
		defer func() { m.place = here }()
		for i := range programs.N {
			if parallel {
				m.place = here.within(l, i)
			}
			p := programs.At(i).(Program)().(*Push)
			if each >= 0 && p.N != each {
				e := diag.Errorf(diag.WrongLength, at, "program %d makes %s, not %d", i, elements(p.N), each)
				e.Fix = scalar.LengthsHelp
				panic(e)
			}
			p.Run(func(j int64, v Value) {
				k := f.(Func)(Tuple{Int(i), Int(j)}).(Scalar).I
				if k < 0 || k >= n {
					fault(diag.IndexOutside, at, "element %d of program %d goes to place %d, and there are %d", j, i, k, n)
				}
				write(k, v)
			})
		}
	}}
}
