package interp

import (
	"os"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/convert"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// services are the functions that ⌶ makes of numbers. Those of a session, of the
// operating system and of threads are refused.
var services map[int]*variant

func init() {
	services = map[int]*variant{
		8:     {call: invertedIndex},
		85:    {call: executeExplicit},
		180:   {call: func(in *Interp, _ options.Set, x, y *V) (*V, error) { return canonical(in, in.frame(), x, y) }},
		181:   {call: func(_ *Interp, _ options.Set, _, y *V) (*V, error) { return value.Integer(typeCode(y)), nil }},
		219:   {call: compression},
		220:   {call: serialised},
		739:   {call: temporary},
		819:   {call: caseConversion},
		900:   {call: calledMonadically},
		1200:  {call: outside(convert.FormatDates), names: "Language Dictionary"},
		1500:  {call: hashed},
		50100: {call: lineCount},
		2007:  {call: disableTriggers},
		7162:  {call: func(in *Interp, _ options.Set, x, y *V) (*V, error) { return convert.NameOfJSON(x, y) }},
	}
}

// deriveIBeam is A⌶.
func deriveIBeam(_ *Interp, left, _ any) (Function, error) {
	a, ok := left.(*V)
	if !ok {
		return nil, prim.Errorf(diag.WrongOperand, "⌶ needs a number as its operand")
	}
	n, err := prim.Whole(a)
	if err != nil {
		return nil, err
	}
	s := services[n]
	if s == nil {
		return nil, prim.Errorf(diag.OperatorForm, "the operator %d⌶", n)
	}
	return &configured{row: s}, nil
}

// frame returns the frame that runs.
func (in *Interp) frame() *Frame {
	if in.current != nil {
		return in.current
	}
	return in.global
}

// executeExplicit is 85⌶: ⍎, whose value is not shy. With 1 to the left a value that
// is shy is none.
func executeExplicit(in *Interp, _ options.Set, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "85⌶ needs a left argument")
	}
	strict, err := prim.Whole(x)
	if err != nil || strict != 0 && strict != 1 {
		return nil, prim.Errorf(diag.WrongDomain, "the left argument of 85⌶ is 0 or 1")
	}
	s, err := prim.TextOf(y, "the argument of 85⌶")
	if err != nil {
		return nil, err
	}
	v, err := in.execute(in.frame(), s)
	if err != nil {
		return nil, err
	}
	if v == nil || in.shy && strict == 1 {
		return nil, signalled(85, "", "")
	}
	in.shy = false
	return v, nil
}

// calledMonadically is 900⌶: whether the tradfn that runs was called with one argument.
func calledMonadically(in *Interp, _ options.Set, _, _ *V) (*V, error) {
	for f := in.current; f != nil; f = f.caller {
		if f.trad != nil && f.trad.valence > 0 {
			return value.Truth(f.trad.valence == 1), nil
		}
	}
	return value.Truth(false), nil
}

// lineCount is 50100⌶: the first items of ⎕LC.
func lineCount(in *Interp, _ options.Set, _, y *V) (*V, error) {
	n, err := prim.Whole(y)
	if err != nil || n < 0 {
		return nil, prim.Errorf(diag.WrongDomain, "50100⌶ takes a number of calls")
	}
	all := in.callers("⎕LC").AsInts()
	return value.Integers(all[:min(n, len(all))]), nil
}

// caseConversion is 819⌶: to lower case, or with 1 to the left to upper case.
func caseConversion(in *Interp, _ options.Set, x, y *V) (*V, error) {
	to := -1
	if x != nil {
		k, err := prim.Whole(x)
		if err != nil {
			return nil, err
		}
		if k != 0 && k != 1 {
			return nil, prim.Errorf(diag.WrongDomain, "819⌶ takes 0 or 1")
		}
		if k == 1 {
			to = 1
		}
	}
	return letterCase(in, nil, value.Integer(to), y)
}

// hashed is 1500⌶: no array is hashed, as all searches are.
func hashed(_ *Interp, _ options.Set, x, y *V) (*V, error) {
	if x == nil {
		return y, nil
	}
	k, err := prim.Whole(x)
	switch {
	case err != nil || k != 1 && k != 2:
		return nil, prim.Errorf(diag.WrongDomain, "the left argument of 1500⌶ is 1 or 2")
	case k == 1:
		return value.Integer(0), nil
	}
	return y, nil
}

// temporary is 739⌶: the directory for temporary files.
func temporary(_ *Interp, _ options.Set, _, _ *V) (*V, error) {
	return value.Text(strings.TrimSuffix(os.TempDir(), "/")), nil
}

// invertedIndex is 8⌶: ⍳ of the rows of tables whose columns are items.
func invertedIndex(in *Interp, _ options.Set, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.Unreadable, "8⌶ takes two arguments")
	}
	if x.Rank() != 1 || y.Rank() != 1 || x.Len() != y.Len() || x.Len() == 0 {
		return nil, prim.Errorf(diag.WrongLength, "8⌶ of tables with %d and %d columns", x.Len(), y.Len())
	}
	rows := func(t *V) (*V, error) {
		n := t.Item(0).Tally()
		items := make([]*V, n)
		for i := range items {
			row := make([]*V, t.Len())
			for j := range row {
				c := t.Item(j)
				if c.Tally() != n {
					return nil, prim.Errorf(diag.WrongLength, "the columns of a table have %d and %d items", n, c.Tally())
				}
				row[j] = c.Major(i)
			}
			items[i] = value.Vector(row...)
		}
		if n == 0 {
			return value.Zilde(), nil
		}
		return value.FromItems([]int{n}, items), nil
	}
	a, err := rows(x)
	if err != nil {
		return nil, err
	}
	b, err := rows(y)
	if err != nil {
		return nil, err
	}
	return prim.Dyadic(&in.state, "⍳", a, b)
}
