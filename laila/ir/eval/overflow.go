package eval

import (
	"errors"
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Doubles that overflow, where there is another program that tests for them (Hooks.Watches):
// the machine and the device note them, and before anything is written, and at the end, the
// run ends with ErrOverflow. The other program then runs with the same Output.

// ErrOverflow is the end of a run where a double has overflowed.
var ErrOverflow = errors.New("internal error: a double overflowed")

// Output is how much runs have written, of which another run does not write again what the
// one before has.
type Output struct{ bytes, files int }

// watches reports whether doubles that overflow are noted.
func (p *Program) watches() bool { return p.hooks != nil && p.hooks.Watches() }

// finite compiles x, whose result is looked at where it may overflow.
func (c *Code) finite(x ir.Expr, d DoubleCode) DoubleCode {
	if f, ok := x.(*ir.Math); ok && f.Bounded() || !c.program.watches() {
		return d
	}
	return func(fr *Frame) float64 {
		v := d(fr)
		fr.M.note(v)
		return v
	}
}

func (c *Code) finiteZ(x *ir.Math, z ComplexCode) ComplexCode {
	if x.Bounded() || !c.program.watches() {
		return z
	}
	return func(fr *Frame) complex128 {
		v := z(fr)
		fr.M.note(real(v))
		fr.M.note(imag(v))
		return v
	}
}

// note notes a number that is infinite or none.
func (m *Machine) note(v float64) {
	if !(math.Abs(v) <= math.MaxFloat64) {
		m.over = true
	}
}

// look ends the run where a double has overflowed.
func (m *Machine) look() {
	if !m.watches() {
		return
	}
	if m.Far != nil && m.Far.Overflowed() || m.over {
		m.over = false
		panic(stop{ErrOverflow})
	}
}

// expectFinite looks at an array that is displayed, which may be constant.
func (m *Machine) expectFinite(a *array.Array) {
	if !m.watches() {
		return
	}
	for _, v := range a.Doubles {
		m.note(v)
	}
	for _, v := range a.Complexes {
		m.note(real(v))
		m.note(imag(v))
	}
	m.look()
}

// lookAt looks in the steps 16, 32, 64, … of a loop, which may not end otherwise.
func (m *Machine) lookAt(step int64) {
	if step >= 16 && step&(step-1) == 0 {
		m.look()
	}
}

// ended returns the end of a run, of which r was recovered: overflow comes before faults.
func (m *Machine) ended(r any) (end any) {
	if s, ok := r.(stop); r == nil || ok && isFault(s.err) {
		defer func() {
			if over := recover(); over != nil {
				end = over
			}
		}()
		m.look()
	}
	return r
}

func isFault(err error) bool {
	var fault *diag.Error
	return err == nil || errors.As(err, &fault)
}

// Write writes output.
func (m *Machine) Write(p []byte) (int, error) {
	m.look()
	drop := min(len(p), m.skip.bytes)
	m.skip.bytes -= drop
	n, err := m.World.Stdout.Write(p[drop:])
	m.written.bytes += drop + n
	return drop + n, err
}

// writesFile begins the writing of a file, and reports whether it has been written.
func (m *Machine) writesFile() bool {
	m.look()
	again := m.written.files < m.skip.files
	m.written.files++
	return again
}
