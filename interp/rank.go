package interp

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// ranked is f⍤k.
type ranked struct {
	f     Function
	ranks [3]int // of a monadic call's argument, and of the left and the right one
}

func deriveRank(_ *Interp, left, right any) (Function, error) {
	if g, ok := right.(Function); ok {
		f, ok := left.(Function)
		if !ok {
			return nil, prim.Errorf(diag.WrongOperand, "⍤ needs a function as its left operand")
		}
		return &atop{f, g}, nil
	}
	f, ok := left.(Function)
	k := right.(*V)
	if k.Rank() > 1 {
		return nil, prim.Errorf(diag.WrongRank, "the operand of ⍤ has rank %d", k.Rank())
	}
	n, err := prim.Ints(k)
	if err != nil {
		return nil, err
	}
	if !ok { // an array as the left operand
		f = &constant{left.(*V)}
	}
	r := &ranked{f: f}
	switch len(n) {
	case 1:
		r.ranks = [3]int{int(n[0]), int(n[0]), int(n[0])}
	case 2:
		r.ranks = [3]int{int(n[1]), int(n[0]), int(n[1])}
	case 3:
		r.ranks = [3]int{int(n[0]), int(n[1]), int(n[2])}
	default:
		return nil, prim.Errorf(diag.WrongLength, "%d ranks", len(n))
	}
	return r, nil
}

// cellRank returns the rank of cells of an array that k asks for.
func cellRank(k, rank int) int {
	if k < 0 {
		return max(rank+k, 0)
	}
	return min(k, rank)
}

func (r *ranked) Call(in *Interp, x, y *V) (*V, error) {
	if x == nil {
		return r.monadic(in, y)
	}
	kx, ky := cellRank(r.ranks[1], x.Rank()), cellRank(r.ranks[2], y.Rank())
	fx, cx := x.Shape[:x.Rank()-kx], x.Shape[x.Rank()-kx:]
	fy, cy := y.Shape[:y.Rank()-ky], y.Shape[y.Rank()-ky:]
	frame, sx, sy := fx, 1, 1
	switch {
	case len(fx) == 0:
		frame, sx = fy, 0
	case len(fy) == 0:
		sy = 0
	case len(fx) != len(fy):
		return nil, prim.Errorf(diag.RanksDiffer, "frames of shapes %s and %s have different ranks", array.ShapeText(fx), array.ShapeText(fy))
	default:
		for i := range fx {
			if fx[i] != fy[i] {
				return nil, prim.Errorf(diag.ShapesDiffer, "shapes %s and %s differ on axis %d", array.ShapeText(fx), array.ShapeText(fy), i+1)
			}
		}
	}
	nx, ny := value.Count(cx), value.Count(cy)
	if len(frame) == 0 {
		return r.f.Call(in, x, y)
	}
	return r.assemble(frame, func(i int) (*V, error) {
		return r.f.Call(in, x.Part(i*sx*nx, (i*sx+1)*nx, cx), y.Part(i*sy*ny, (i*sy+1)*ny, cy))
	}, func() (*V, error) {
		px, err := r.protoCell(x, cx)
		if err != nil {
			return nil, err
		}
		py, err := r.protoCell(y, cy)
		if err != nil {
			return nil, err
		}
		return r.f.Call(in, px, py)
	})
}

// protoCell returns the cell of the given shape to which the operand is applied where
// an array has no cells.
func protoCell(y *V, shape []int) (*V, error) { return prim.Filled(shape, y.Prototype()) }

// protoCell does so, too. No element is in the domain of every scalar function but 1.
func (r *ranked) protoCell(y *V, shape []int) (*V, error) {
	if p, ok := r.f.(*primitive); ok && y.Kind != value.Mixed && (prim.IsUnary(p.glyph) || scalarGlyph(r.f) != "") {
		return prim.Filled(shape, value.Int64(1))
	}
	return protoCell(y, shape)
}

func (r *ranked) monadic(in *Interp, y *V) (*V, error) {
	k := cellRank(r.ranks[0], y.Rank())
	frame, cell := y.Shape[:y.Rank()-k], y.Shape[y.Rank()-k:]
	if len(frame) == 0 {
		return r.f.Call(in, nil, y)
	}
	n := value.Count(cell)
	return r.assemble(frame, func(i int) (*V, error) {
		return r.f.Call(in, nil, y.Part(i*n, (i+1)*n, cell))
	}, func() (*V, error) {
		proto, err := r.protoCell(y, cell)
		if err != nil {
			return nil, err
		}
		return r.f.Call(in, nil, proto)
	})
}

// assemble makes an array of the results for the cells of a frame.
func (r *ranked) assemble(frame []int, call func(i int) (*V, error), proto func() (*V, error)) (*V, error) {
	n := value.Count(frame)
	if n == 0 {
		v, err := value1(proto())
		if err != nil {
			return nil, err
		}
		return value.Filled(append(append([]int{}, frame...), v.Shape...), v.Prototype()), nil
	}
	cells := make([]*V, n)
	none := 0
	for i := range cells {
		v, err := call(i)
		if err != nil {
			return nil, err
		}
		if v == nil {
			none++
		}
		cells[i] = v
	}
	if none == n {
		return nil, nil
	}
	if none > 0 {
		return nil, prim.Errorf(diag.NoValue, "the function returned no value")
	}
	return prim.Assemble(frame, cells)
}

// keyed is f⌸.
type keyed struct{ f Function }

func (k *keyed) Call(in *Interp, x, y *V) (*V, error) {
	keys, values := x, y
	if x == nil {
		keys = y
		if y.Rank() == 0 {
			keys = y.Ravel()
		}
		at := make([]int, keys.Tally())
		for i := range at {
			at[i] = i + in.state.Origin
		}
		values = value.Sizes(at)
	} else if x.Rank() == 0 {
		keys = x.Ravel()
	}
	if values.Rank() == 0 {
		values = values.Ravel()
	}
	if keys.Tally() != values.Tally() {
		return nil, prim.Errorf(diag.WrongLength, "there are other numbers of keys and of values")
	}
	groups := prim.Groups(&in.state, keys)
	r := &ranked{f: k.f}
	cell := values.Shape[1:]
	n := value.Count(cell)
	pick := func(group []int) *V {
		at := make([]int, 0, len(group)*n)
		for _, i := range group {
			for j := 0; j < n; j++ {
				at = append(at, i*n+j)
			}
		}
		return values.Gather(append([]int{len(group)}, cell...), at)
	}
	return r.assemble([]int{len(groups)}, func(i int) (*V, error) {
		return k.f.Call(in, keys.Major(groups[i][0]), pick(groups[i]))
	}, func() (*V, error) {
		key, err := protoCell(keys, keys.Shape[1:])
		if err != nil {
			return nil, err
		}
		return k.f.Call(in, key, pick(nil))
	})
}

// stencil is f⌺.
type stencil struct {
	f          Function
	size, step []int
}

func deriveStencil(_ *Interp, left, right any) (Function, error) {
	f, ok := left.(Function)
	a, ok2 := right.(*V)
	if !ok || !ok2 {
		return nil, prim.Errorf(diag.WrongOperand, "⌺ needs a function and an array as its operands")
	}
	n, err := prim.Ints(a)
	if err != nil {
		return nil, err
	}
	s := &stencil{f: f}
	columns := len(n)
	if a.Rank() == 2 {
		columns = a.Shape[1]
	} else if a.Rank() > 2 {
		return nil, prim.Errorf(diag.WrongRank, "the operand of ⌺ has rank %d", a.Rank())
	}
	for i, v := range n {
		if i < columns {
			s.size = append(s.size, int(v))
		} else {
			s.step = append(s.step, int(v))
		}
	}
	for len(s.step) < len(s.size) {
		s.step = append(s.step, 1)
	}
	for i := range s.size {
		if s.size[i] < 1 || s.step[i] < 1 {
			return nil, prim.Errorf(diag.WrongDomain, "a window of %d at steps of %d", s.size[i], s.step[i])
		}
	}
	return s, nil
}

func (s *stencil) Call(in *Interp, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⌺ takes one argument")
	}
	k := len(s.size)
	if k > y.Rank() {
		return nil, prim.Errorf(diag.WrongRank, "windows of %d axes of an array of shape %s", k, array.ShapeText(y.Shape))
	}
	frame := make([]int, k)
	for i := range frame {
		before := (s.size[i] - 1) / 2
		frame[i] = max(0, 1+floorDiv(y.Shape[i]+2*before-s.size[i], s.step[i]))
	}
	shape := append(append([]int{}, s.size...), y.Shape[k:]...)
	r := &ranked{f: s.f}
	return r.assemble(frame, func(i int) (*V, error) {
		start, pad := make([]int, y.Rank()), make([]int64, k)
		for a := k - 1; a >= 0; a-- {
			at := i % frame[a] * s.step[a]
			i /= frame[a]
			start[a] = at - (s.size[a]-1)/2
			end := start[a] + s.size[a]
			pad[a] = int64(max(0, -start[a]) - max(0, end-y.Shape[a]))
		}
		return s.f.Call(in, value.Integers(pad), prim.Window(y, start, shape))
	}, func() (*V, error) {
		cell, err := protoCell(y, shape)
		if err != nil {
			return nil, err
		}
		return s.f.Call(in, value.Integers(make([]int64, k)), cell)
	})
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}
