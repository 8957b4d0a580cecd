package eval

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// What the lines of a program cost, where Env.Meter counts it: a line begins with a let
// and with a call of a function.

// metered makes the steps of a chain of lets begin their lines.
func (s *scope) metered(chain []*tail.Let, steps []letStep) {
	m := s.m.env.Meter
	if m == nil {
		return
	}
	for i, l := range chain {
		line := m.Line(l.Where)
		if line == 0 {
			continue
		}
		if run := steps[i].code; run != nil {
			steps[i].code = func(fr *frame) value {
				m.Begin(line)
				return run(fr)
			}
			continue
		}
		run := steps[i].tuple
		steps[i].tuple = func(fr *frame, dst []value) {
			m.Begin(line)
			run(fr, dst)
		}
	}
}

// meteredChain makes a chain of lets end with the line that it began on.
func (s *scope) meteredChain(run code) code {
	m := s.m.env.Meter
	if m == nil {
		return run
	}
	return func(fr *frame) value {
		line := m.Now()
		v := run(fr)
		m.Back(line)
		return v
	}
}

// meteredTuple is meteredChain for a tuple.
func (s *scope) meteredTuple(run tupleCode) tupleCode {
	m := s.m.env.Meter
	if m == nil {
		return run
	}
	return func(fr *frame, dst []value) {
		line := m.Now()
		run(fr, dst)
		m.Back(line)
	}
}

// meteredCall makes a function begin its line, and end with the caller's.
func (s *scope) meteredCall(at diag.Span, run code) code {
	m := s.m.env.Meter
	if m == nil {
		return run
	}
	line := m.Line(at)
	return s.meteredChain(func(fr *frame) value {
		m.Enter(line)
		return run(fr)
	})
}

// meteredTupleCall is meteredCall for a tuple.
func (s *scope) meteredTupleCall(at diag.Span, run tupleCode) tupleCode {
	m := s.m.env.Meter
	if m == nil {
		return run
	}
	line := m.Line(at)
	return s.meteredTuple(func(fr *frame, dst []value) {
		m.Enter(line)
		run(fr, dst)
	})
}
