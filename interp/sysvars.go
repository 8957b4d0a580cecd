package interp

import (
	"os/user"
	"time"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// systemVariable returns the value of a system name that is an array.
func (in *Interp) systemVariable(name string) (*V, error) {
	switch name {
	case "⎕IO":
		return value.Integer(in.state.Origin), nil
	case "⎕CT":
		return value.Number(in.state.Tolerance), nil
	case "⎕PP":
		return value.Integer(in.state.Precision), nil
	case "⎕PW":
		return value.Integer(in.state.Width), nil
	case "⎕ML":
		return value.Integer(in.state.Migration), nil
	case "⎕DIV":
		return value.Truth(in.state.Division), nil
	case "⎕PATH":
		return value.Text(in.state.Path), nil
	case "⎕STACK":
		return in.stack(), nil
	case "⎕RL":
		return value.Vector(value.Int64(in.state.Random.State()), value.Integer(1)), nil
	case "⎕A":
		return value.Text("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), nil
	case "⎕D":
		return value.Text("0123456789"), nil
	case "⎕TS":
		return timestamp(time.Now()), nil
	case "⎕AI":
		return in.account(), nil
	case "⎕NNUMS":
		return value.Integers(in.tieNumbers()), nil
	case "⎕NNAMES":
		return in.tieNames(), nil
	case "⎕NULL":
		return value.Reference(value.TheNull), nil
	case "⎕ARG":
		return value.Texts(in.args), nil
	case "⎕OFF":
		return nil, errOff
	}
	if v := in.errorVariable(name); v != nil {
		return v, nil
	}
	if v := in.constantName(name); v != nil {
		return v, nil
	}
	return nil, prim.Errorf(diag.SystemName, "system name %s is not supported", name)
}

func timestamp(t time.Time) *V {
	return value.Sizes([]int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond() / 1e6})
}

// account is ⎕AI.
func (in *Interp) account() *V {
	ms := int(time.Since(in.started).Milliseconds())
	id := 0
	if u, err := user.Current(); err == nil {
		for _, r := range u.Uid {
			id = id*10 + int(r-'0')
		}
	}
	return value.Sizes([]int{id, ms, ms, 0})
}

// errorVariable returns what ⎕EN ⎕DM and their like say of the last error, or nil.
func (in *Interp) errorVariable(name string) *V {
	number := 0
	if in.last != nil {
		number = in.last.number
	}
	switch name {
	case "⎕EN":
		return value.Integer(number)
	case "⎕DMX":
		return in.diagnostics()
	case "⎕SI", "⎕XSI", "⎕LC":
		return in.callers(name)
	case "⎕TRAP":
		return in.eventsNow()
	case "⎕RSI", "⎕NSI":
		return in.callerSpaces(name)
	case "⎕DM":
		if in.last == nil {
			return value.Texts([]string{"", "", ""})
		}
		return value.Texts(in.last.lines())
	}
	return nil
}

// setSystem assigns a system variable. In a dfn the old value comes back when it
// returns.
func (in *Interp) setSystem(f *Frame, name string, y *V) error {
	if name == "⎕TRAP" {
		return in.setEvents(y)
	}
	new := in.state
	if err := in.change(&new, name, y); err != nil {
		return err
	}
	if c := f.call(); c != nil && name != "⎕RL" {
		known := false
		for _, s := range c.saved {
			known = known || s.name == name
		}
		if !known {
			c.saved = append(c.saved, savedVariable{name, in.state})
		}
	}
	in.state = new
	return nil
}

// change gives a system variable a value.
func (in *Interp) change(s *prim.Context, name string, y *V) error {
	switch name {
	case "⎕RL":
		return in.seed(y)
	case "⎕PATH":
		return setPath(s, y)
	}
	if y.Len() != 1 || y.Kind > value.Double {
		code := diag.WrongDomain
		if y.Len() != 1 {
			code = diag.WrongLength
			if y.Rank() > 1 {
				code = diag.WrongRank
			}
		}
		return prim.Errorf(code, "%s cannot be an array of shape %s", name, array.ShapeText(y.Shape))
	}
	k := y.Double(0)
	whole := k == float64(int(k))
	switch {
	case name == "⎕IO" && (k == 0 || k == 1):
		s.Origin = int(k)
	case name == "⎕CT" && k >= 0 && k <= 1e-9*(1+1e-6):
		s.Tolerance = k
	case name == "⎕PP" && whole && k >= 1 && k <= display.MaxPrecision:
		s.Precision = int(k)
	case name == "⎕PW" && whole && k >= 30 && k <= 32767:
		s.Width = int(k)
	case name == "⎕ML" && whole && k >= 0 && k <= 3:
		s.Migration = int(k)
	case name == "⎕FR" && k == 645:
	case name == "⎕FR" && k == 1287:
		return prim.Errorf(diag.SystemName, "decimal numbers (⎕FR←1287)")
	case name == "⎕DIV" && (k == 0 || k == 1):
		s.Division = k == 1
	default:
		return prim.Errorf(diag.WrongDomain, "%s cannot be %s", name, prim.Plain(y, 10))
	}
	return nil
}

// seed is ⎕RL←.
func (in *Interp) seed(y *V) error {
	if y.Len() == 0 || y.Kind == value.Mixed && y.Items[0].Len() == 0 {
		in.state.Random.Seed(time.Now().UnixNano())
		return nil
	}
	n, err := prim.Ints(y.Item(0))
	if err != nil {
		return err
	}
	in.state.Random.Seed(n[0])
	return nil
}

// restore gives system variables the values that they had before a dfn assigned
// them.
func (in *Interp) restore(f *Frame) {
	for _, v := range f.saved {
		switch v.name {
		case "⎕IO":
			in.state.Origin = v.state.Origin
		case "⎕CT":
			in.state.Tolerance = v.state.Tolerance
		case "⎕PP":
			in.state.Precision = v.state.Precision
		case "⎕PW":
			in.state.Width = v.state.Width
		case "⎕DIV":
			in.state.Division = v.state.Division
		case "⎕ML":
			in.state.Migration = v.state.Migration
		case "⎕PATH":
			in.state.Path = v.state.Path
		}
	}
	f.saved = nil
}
