package interp

import (
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// spaceState are the system variables that each namespace has for itself. A new one has those of
// the one that it is made in.
type spaceState struct {
	origin, precision, migration int
	tolerance                    float64
	division                     bool
}

func ownOf(c *prim.Context) spaceState {
	return spaceState{c.Origin, c.Precision, c.Migration, c.Tolerance, c.Division}
}

// moveTo makes the system variables of a namespace those that hold, and returns the namespace whose
// they were. It does nothing where there is only one.
func (in *Interp) moveTo(n *value.Namespace) *value.Namespace {
	from := in.here
	if !in.apart || n == from {
		return from
	}
	in.spaceOf(from, in.root).system = ownOf(&in.state)
	s := in.spaceOf(n, in.root).system
	in.state.Origin, in.state.Precision, in.state.Migration = s.origin, s.precision, s.migration
	in.state.Tolerance, in.state.Division = s.tolerance, s.division
	in.here = n
	return from
}

// moveFor is moveTo for what belongs to a frame.
func (in *Interp) moveFor(f *Frame) *value.Namespace {
	if !in.apart {
		return in.here
	}
	return in.moveTo(in.this(f))
}

// elsewhere reports whether a function of a frame may have other system variables than what runs.
func (in *Interp) elsewhere(f *Frame) bool { return in.apart && in.this(f) != in.here }
