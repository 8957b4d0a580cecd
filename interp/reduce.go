package interp

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// reduction is f/ or f⌿, with an axis or without.
type reduction struct {
	f     Function
	first bool
	axis  *V
	plain bool // sums of doubles go from the first term to the last
}

// axisOf returns the axis, counted from 0, of an array that has one.
func axisOf(in *Interp, axis *V, first bool, y *V) (int, error) {
	switch {
	case axis != nil:
		return prim.Axis(&in.state, axis, y.Rank())
	case first:
		return 0, nil
	}
	return y.Rank() - 1, nil
}

func (r *reduction) Call(in *Interp, x, y *V) (*V, error) {
	if x != nil {
		return r.windows(in, x, y)
	}
	axis, err := axisOf(in, r.axis, r.first, y)
	if err != nil {
		return nil, err
	}
	if y.Rank() == 0 {
		return y, nil
	}
	return r.along(in, y, axis)
}

// along reduces y along an axis.
func (r *reduction) along(in *Interp, y *V, axis int) (*V, error) {
	before, n, behind := value.Count(y.Shape[:axis]), y.Shape[axis], value.Count(y.Shape[axis+1:])
	shape := append(append([]int{}, y.Shape[:axis]...), y.Shape[axis+1:]...)
	switch {
	case before*behind == 0 && n > 0:
		return value.Empty(shape, y.Prototype()), nil
	case n == 0:
		e, err := r.identity(in, y)
		if err != nil {
			return nil, err
		}
		if before*behind == 0 {
			return value.Empty(shape, y.Prototype()), nil
		}
		return prim.Filled(shape, e)
	case n == 1:
		return y.WithShape(shape), nil
	}
	if g := scalarGlyph(r.f); g != "" {
		if sums := (g == "+" || g == "×") && y.Kind >= value.Double; !sums || !r.plain {
			if v := prim.Reduce(&in.state, g, y, before, n, behind, shape); v != nil {
				return v, nil
			}
		}
		if y.Kind != value.Mixed {
			return r.slices(in, g, y, before, n, behind, shape)
		}
	}
	if v, err := r.joined(y, axis); v != nil || err != nil {
		return v, err
	}
	return collect(shape, before*behind, func(i int) (*V, error) {
		at := (i/behind)*n*behind + i%behind
		sum := y.Item(at + (n-1)*behind)
		for k := n - 2; k >= 0; k-- {
			var err error
			if sum, err = value1(r.f.Call(in, y.Item(at+k*behind), sum)); err != nil {
				return nil, err
			}
		}
		return sum, nil
	})
}

// joined is ,/ of a vector in linear time; nil if that is not what it is.
func (r *reduction) joined(y *V, axis int) (*V, error) {
	p, ok := r.f.(*primitive)
	if !ok || p.glyph != "," || y.Rank() != 1 || y.Kind != value.Mixed || y.Ref != nil {
		return nil, nil
	}
	n := 0
	for _, x := range y.Items {
		if x.Rank() > 1 {
			return nil, nil
		}
		n += x.Len()
	}
	return value.Enclose(value.Joined([]int{n}, y.Items...)), nil
}

// slices reduces a simple array by a scalar function, a whole slice at a time.
func (r *reduction) slices(in *Interp, glyph string, y *V, before, n, behind int, shape []int) (*V, error) {
	slice := func(k int) *V {
		at := make([]int, 0, before*behind)
		for i := 0; i < before; i++ {
			for j := 0; j < behind; j++ {
				at = append(at, (i*n+k)*behind+j)
			}
		}
		return y.Gather(shape, at)
	}
	if glyph == "+" || glyph == "×" { // from left to right
		sum := slice(0)
		for k := 1; k < n; k++ {
			var err error
			if sum, err = prim.Scalar(&in.state, glyph, sum, slice(k)); err != nil {
				return nil, err
			}
		}
		return sum, nil
	}
	sum := slice(n - 1)
	for k := n - 2; k >= 0; k-- {
		var err error
		if sum, err = prim.Scalar(&in.state, glyph, slice(k), sum); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// identity returns the identity element of the function for items like those of y.
func (r *reduction) identity(in *Interp, y *V) (*V, error) {
	proto := y.Prototype()
	if e := identityOf(r.f); e != nil {
		if proto.SimpleScalar() {
			return e, nil
		}
		return fillLike(proto, e), nil
	}
	if p, ok := r.f.(*primitive); ok {
		switch p.glyph {
		case ",", "⍪":
			if proto.Rank() == 0 {
				return value.Filled([]int{0}, proto), nil
			}
			shape := append([]int{}, proto.Shape...)
			k := 0
			if p.glyph == "," {
				k = len(shape) - 1
			}
			shape[k] = 0
			return value.Filled(shape, proto.Prototype()), nil
		case "/", "⌿", "\\", "⍀", "⌽", "⊖", "⊤", "∪":
			if e := structuralIdentity(p.glyph, proto); e != nil {
				return e, nil
			}
		}
	}
	return nil, prim.Errorf(diag.EmptyReduction, "reduction of an empty axis: the function has no identity element")
}

// structuralIdentity is the identity element of a function that is none of numbers.
func structuralIdentity(glyph string, proto *V) *V {
	switch glyph {
	case "/", "⌿", "\\", "⍀":
		return fillLike(proto, value.Int64(1))
	case "⌽", "⊖", "⊤":
		return fillLike(proto, value.Int64(0))
	case "∪":
		return value.Filled([]int{0}, proto)
	}
	return nil
}

// identityOf returns the identity element of a scalar function, or nil.
func identityOf(f Function) *V {
	if p, ok := f.(*primitive); ok {
		return prim.Identity(p.glyph)
	}
	return nil
}

// fillLike returns an array of the structure of a with e everywhere.
func fillLike(a, e *V) *V {
	if a.SimpleScalar() {
		return e
	}
	if a.Kind != value.Mixed || a.Len() == 0 {
		return value.Filled(a.Shape, e)
	}
	items := make([]*V, len(a.Items))
	for i, x := range a.Items {
		items[i] = fillLike(x, e)
	}
	return value.FromItems(a.Shape, items)
}

// windows is x f/y: the reductions of all runs of x elements.
func (r *reduction) windows(in *Interp, x, y *V) (*V, error) {
	if x.Rank() > 1 {
		return nil, prim.Errorf(diag.ArgumentRank, "a window of rank %d", x.Rank())
	}
	w, err := prim.Whole(x)
	if err != nil {
		return nil, err
	}
	axis, err := axisOf(in, r.axis, r.first, y)
	if err != nil {
		return nil, err
	}
	if y.Rank() == 0 {
		return nil, prim.Errorf(diag.ArgumentRank, "windows of a scalar")
	}
	size, back := w, false
	if w < 0 {
		size, back = -w, true
	}
	n := y.Shape[axis]
	if size < 0 || size > n+1 { // the least integer has no magnitude
		return nil, prim.Errorf(diag.LongWindow, "windows of %d on an axis of %d", w, n)
	}
	count := n + 1 - size
	shape := append([]int{}, y.Shape...)
	shape[axis] = count
	if size == 0 {
		e, err := r.identity(in, y)
		if err != nil {
			return nil, err
		}
		return prim.Filled(shape, e)
	}
	before, behind := value.Count(y.Shape[:axis]), value.Count(y.Shape[axis+1:])
	if before*count*behind == 0 {
		return value.Empty(shape, y.Prototype()), nil
	}
	slice := func(k int) *V {
		at := make([]int, 0, before*count*behind)
		for i := 0; i < before; i++ {
			for j := k * behind; j < (k+count)*behind; j++ {
				at = append(at, i*n*behind+j)
			}
		}
		return y.Gather(shape, at)
	}
	if v := prim.ReduceWindows(scalarGlyph(r.f), y, before, n, behind, w, shape); v != nil {
		return v, nil
	}
	ea := &each{r.f}
	last, step := size-1, -1
	if g := scalarGlyph(r.f); g == "+" || g == "×" { // from left to right, as without windows
		back = !back
	}
	if back {
		last, step = 0, 1
	}
	sum := slice(last)
	for k := last + step; k >= 0 && k < size; k += step {
		if sum, err = value1(ea.Call(in, slice(k), sum)); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// scan is f\ or f⍀.
type scan struct {
	f     Function
	first bool
	axis  *V
}

func (s *scan) Call(in *Interp, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "a scan takes one argument")
	}
	axis, err := axisOf(in, s.axis, s.first, y)
	if err != nil {
		return nil, err
	}
	if y.Rank() == 0 || y.Len() == 0 {
		return y, nil
	}
	before, n, behind := value.Count(y.Shape[:axis]), y.Shape[axis], value.Count(y.Shape[axis+1:])
	g := scalarGlyph(s.f)
	if c, ok := s.f.(*closure); ok && y.Kind <= value.Int {
		g = c.only() // of integers, the order of an associative function does not matter
	}
	if g != "" {
		if v := prim.Scan(&in.state, g, y, before, n, behind); v != nil {
			return v, nil
		}
	}
	return collect(y.Shape, y.Len(), func(i int) (*V, error) {
		base := i/(n*behind)*(n*behind) + i%behind
		k := i / behind % n
		sum := y.Item(base + k*behind)
		for j := k - 1; j >= 0; j-- {
			var err error
			if sum, err = value1(s.f.Call(in, y.Item(base+j*behind), sum)); err != nil {
				return nil, err
			}
		}
		return sum, nil
	})
}
