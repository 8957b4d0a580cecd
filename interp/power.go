package interp

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// repeated is f⍣n, until is f⍣g.
type (
	repeated struct {
		f Function
		n int
	}
	until struct{ f, g Function }
)

func derivePower(_ *Interp, left, right any) (Function, error) {
	f, ok := left.(Function)
	if !ok {
		return nil, prim.Errorf(diag.WrongOperand, "⍣ needs a function as its left operand")
	}
	if g, ok := right.(Function); ok {
		return &until{f, g}, nil
	}
	n, err := prim.Whole(right.(*V))
	if err != nil {
		return nil, err
	}
	return &repeated{f, n}, nil
}

func (p *repeated) Call(in *Interp, x, y *V) (*V, error) {
	f := p.f
	if p.n < 0 {
		var err error
		if f, err = inverse(in, f, x != nil); err != nil {
			return nil, err
		}
	}
	shown := in.env.Progress.Begin(0, max(p.n, -p.n))
	defer shown.End()
	for i := 0; i < max(p.n, -p.n); i++ {
		shown.At(i)
		v, err := value1(f.Call(in, x, y))
		if err != nil {
			return nil, err
		}
		y = v
	}
	return y, nil
}

func (u *until) Call(in *Interp, x, y *V) (*V, error) {
	for {
		next, err := value1(u.f.Call(in, x, y))
		if err != nil {
			return nil, err
		}
		done, err := value1(u.g.Call(in, next, y))
		if err != nil {
			return nil, err
		}
		if done.Len() != 1 {
			return nil, prim.Errorf(diag.WrongLength, "a condition of %d elements", done.Len())
		}
		b, err := prim.Truths(done)
		if err != nil {
			return nil, err
		}
		if y = next; b[0] == 1 {
			return y, nil
		}
	}
}

// native is a function written here.
type native func(in *Interp, x, y *V) (*V, error)

func (f native) Call(in *Interp, x, y *V) (*V, error) { return f(in, x, y) }

// callOf returns a primitive as a function.
func callOf(glyph string) Function { return primitives[glyph] }

// withoutInverse is the error of a function that has no inverse.
func withoutInverse() error {
	return prim.Errorf(diag.WrongDomain, "the function has no inverse")
}

// inverse returns the function that undoes f, with a left argument or without.
func inverse(in *Interp, f Function, dyadic bool) (Function, error) {
	switch f := f.(type) {
	case *primitive:
		return inversePrimitive(f.glyph, dyadic)
	case *atop:
		return inverseChain(in, f.g, f.h, false, dyadic)
	case *beside:
		if !dyadic {
			return inverseChain(in, f.f, f.g, false, false)
		}
		return inverseBeside(in, f)
	case *over:
		if !dyadic {
			return inverseChain(in, f.f, f.g, false, false)
		}
	case *bindLeft:
		g, err := inverse(in, f.g, true)
		if err != nil {
			return nil, err
		}
		return &bindLeft{f.a, g}, nil
	case *bindRight:
		return inverseRight(in, f)
	case *repeated:
		return &repeated{f.f, -f.n}, nil
	case *each:
		g, err := inverse(in, f.f, dyadic)
		if err != nil {
			return nil, err
		}
		return &each{g}, nil
	case *ranked:
		g, err := inverse(in, f.f, dyadic)
		if err != nil {
			return nil, err
		}
		return &ranked{g, f.ranks}, nil
	case *fork:
		return inverseFork(in, f)
	case *commute:
		return inverseCommute(f, dyadic)
	case *scan:
		return inverseScan(f)
	case *closure:
		return inverseDfn(f)
	case *system:
		if f.name == "⎕UCS" && !dyadic {
			return f, nil
		}
	}
	return nil, withoutInverse()
}

// inverseChain undoes f of g.
func inverseChain(in *Interp, f, g Function, _, dyadic bool) (Function, error) {
	fi, err := inverse(in, f, false)
	if err != nil {
		return nil, err
	}
	gi, err := inverse(in, g, dyadic)
	if err != nil {
		return nil, err
	}
	return native(func(in *Interp, x, y *V) (*V, error) {
		r, err := value1(fi.Call(in, nil, y))
		if err != nil {
			return nil, err
		}
		return gi.Call(in, x, r)
	}), nil
}

// inverseBeside undoes x f g y.
func inverseBeside(in *Interp, b *beside) (Function, error) {
	fi, err := inverse(in, b.f, true)
	if err != nil {
		return nil, err
	}
	gi, err := inverse(in, b.g, false)
	if err != nil {
		return nil, err
	}
	return native(func(in *Interp, x, y *V) (*V, error) {
		r, err := value1(fi.Call(in, x, y))
		if err != nil {
			return nil, err
		}
		return gi.Call(in, nil, r)
	}), nil
}

// inverseFork undoes (A f g) and (g f A).
func inverseFork(in *Interp, t *fork) (Function, error) {
	if a, ok := t.f.(*V); ok {
		return inverseChain(in, &bindLeft{a, t.g}, t.h, false, false)
	}
	if c, ok := t.h.(*constant); ok {
		if f, ok := t.f.(Function); ok {
			return inverseChain(in, &bindRight{t.g, c.a}, f, false, false)
		}
	}
	return nil, withoutInverse()
}

// inverseCommute undoes x f⍨ y, which is y f x, and f⍨ y.
func inverseCommute(c *commute, dyadic bool) (Function, error) {
	p, ok := c.f.(*primitive)
	if !ok {
		return nil, withoutInverse()
	}
	if !dyadic {
		switch p.glyph {
		case "+":
			return native(func(in *Interp, _, y *V) (*V, error) { return prim.Scalar(&in.state, "÷", y, value.Int64(2)) }), nil
		case "×":
			return native(func(in *Interp, _, y *V) (*V, error) { return prim.Scalar(&in.state, "*", y, value.Number(0.5)) }), nil
		}
		return nil, withoutInverse()
	}
	return native(func(in *Interp, x, y *V) (*V, error) {
		f, err := inverseRight(in, &bindRight{p, x})
		if err != nil {
			return nil, err
		}
		return f.Call(in, nil, y)
	}), nil
}

// inverseRight undoes y f a.
func inverseRight(in *Interp, b *bindRight) (Function, error) {
	p, ok := b.f.(*primitive)
	if !ok {
		if c, ok := b.f.(*commute); ok {
			return inverse(in, &bindLeft{b.a, c.f}, false)
		}
		return nil, withoutInverse()
	}
	by := func(glyph string, swap bool) (Function, error) {
		return native(func(in *Interp, _, y *V) (*V, error) {
			if swap {
				return prim.Dyadic(&in.state, glyph, b.a, y)
			}
			return prim.Dyadic(&in.state, glyph, y, b.a)
		}), nil
	}
	switch p.glyph {
	case "+":
		return by("-", false)
	case "-":
		return by("+", false)
	case "×":
		return by("÷", false)
	case "÷":
		return by("×", false)
	case "*":
		return native(func(in *Interp, _, y *V) (*V, error) {
			e, err := prim.Monadic(&in.state, "÷", b.a)
			if err != nil {
				return nil, err
			}
			return prim.Scalar(&in.state, "*", y, e)
		}), nil
	case "⍟":
		return native(func(in *Interp, _, y *V) (*V, error) {
			e, err := prim.Monadic(&in.state, "÷", y)
			if err != nil {
				return nil, err
			}
			return prim.Scalar(&in.state, "*", b.a, e)
		}), nil
	}
	return nil, withoutInverse()
}

// inverseScan undoes +\ and its like.
func inverseScan(s *scan) (Function, error) {
	undo := map[string]string{"+": "-", "×": "÷", "≠": "≠", "=": "=", "-": "-"}[scalarGlyph(s.f)]
	if undo == "" {
		return nil, withoutInverse()
	}
	return native(func(in *Interp, _, y *V) (*V, error) {
		if y.Rank() == 0 || y.Len() == 0 {
			return y, nil
		}
		axis, err := axisOf(in, s.axis, s.first, y)
		if err != nil {
			return nil, err
		}
		start, shape := make([]int, y.Rank()), append([]int{}, y.Shape...)
		start[axis] = 0
		shape[axis] = 1
		head := prim.Window(y, start, shape)
		shape2 := append([]int{}, y.Shape...)
		shape2[axis]--
		before := prim.Window(y, start, shape2)
		next := make([]int, y.Rank())
		next[axis] = 1
		after := prim.Window(y, next, shape2)
		steps, err := prim.Scalar(&in.state, undo, after, before)
		if err != nil {
			return nil, err
		}
		if scalarGlyph(s.f) == "-" { // every second step has the other sign
			if steps, err = alternate(in, steps, axis); err != nil {
				return nil, err
			}
		}
		return prim.Catenate(head, steps, axis)
	}), nil
}

// alternate negates the first, third … slice along an axis.
func alternate(in *Interp, y *V, axis int) (*V, error) {
	shape := make([]int64, y.Shape[axis])
	for i := range shape {
		shape[i] = int64(2*(i%2) - 1)
	}
	return prim.DyadicAxis(&in.state, "×", value.Integer(axis+in.state.Origin), value.Integers(shape), y)
}
