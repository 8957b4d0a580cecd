package interp

import (
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// nameClass is ⎕NC of a name, of the rows of a matrix or the items of a vector.
func nameClass(_ *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.Syntax, "⎕NC takes one argument")
	}
	switch {
	case y.Kind == value.Mixed:
		return collect(y.Shape, y.Len(), func(i int) (*V, error) { return classNumber(f, y.Item(i)) })
	case y.Rank() == 2:
		return collect(y.Shape[:1], y.Shape[0], func(i int) (*V, error) { return classNumber(f, y.Major(i)) })
	}
	return classNumber(f, y)
}

func classNumber(f *Frame, n *V) (*V, error) {
	name, err := text(n, "a name")
	if err != nil {
		return nil, err
	}
	v, _ := f.lookup(strings.TrimSpace(name))
	switch v.(type) {
	case *V:
		return value.Integer(2), nil
	case Function:
		return value.Integer(3), nil
	case Operator:
		return value.Integer(4), nil
	}
	return value.Integer(0), nil
}

// delay is ⎕DL.
func delay(in *Interp, _ *Frame, x, y *V) (*V, error) {
	if x != nil || y.Len() != 1 || y.Kind > value.Double {
		return nil, prim.Errorf(diag.Domain, "⎕DL needs a number of seconds")
	}
	start := time.Now()
	in.out.Flush()
	time.Sleep(time.Duration(y.Double(0) * float64(time.Second)))
	in.hide = true
	return value.Number(time.Since(start).Seconds()), nil
}
