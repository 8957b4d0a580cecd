package elements

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// Axis is an index that stands for all places of an axis.
type Axis struct{ N tail.Size }

// Element is an element of the array of, or that scalar, where ix is empty.
type Element struct {
	Of    tail.Expr
	scope *scope
	Ix    []*Axis
}

// scope has what the parameters of functions, and variables in them, stand for.
type scope struct {
	v     *tail.Var
	is    *Element // of a parameter of rank r, the cell whose indices are to follow
	outer *scope
}

func (s *scope) find(v *tail.Var) *Element {
	for ; s != nil; s = s.outer {
		if s.v == v {
			return s.is
		}
	}
	return nil
}

// with returns the body of f where its parameters stand for given cells.
func (e *Element) with(f *tail.Lam, ix []*Axis, cells ...*Element) *Element {
	s := e.scope
	for i, p := range f.Params {
		s = &scope{p, cells[i], s}
	}
	return &Element{f.Body, s, ix}
}

// At is the element at an index of the array of, which mentions no parameters.
func At(of tail.Expr, ix ...*Axis) *Element { return &Element{Of: of, Ix: ix} }

func (e *Element) Part(of tail.Expr, ix ...*Axis) *Element { return &Element{of, e.scope, ix} }

// Settled follows variables, transpositions, and reshapes that repeat a vector
// as rows, to the array that has the element.
func (e *Element) Settled() *Element {
	for range 64 {
		switch of := e.Of.(type) {
		case *tail.Let:
			e = &Element{of.Body, &scope{of.Var, e.Part(of.Bind), e.scope}, e.Ix}
			continue
		case *tail.Ref:
			if is := e.scope.find(of.Var); is != nil {
				e = &Element{is.Of, is.scope, append(is.Ix[:len(is.Ix):len(is.Ix)], e.Ix...)}
				continue
			}
		case *tail.Apply:
			if of.Op == tail.OpTransp {
				ix := slices.Clone(e.Ix)
				slices.Reverse(ix)
				e = e.Part(of.Args[0], ix...)
				continue
			}
			if of.Op == tail.OpReshape && len(e.Ix) > 1 {
				t, last := tail.TypeOf(of.Args[1]), len(e.Ix)-1
				if t.Dims() == 1 && t.Extent(0).Known() && t.Extent(0).Equal(tail.TypeOf(of).Extent(last)) {
					e = e.Part(of.Args[1], e.Ix[last])
					continue
				}
			}
		}
		break
	}
	return e
}

// Opened follows functions of elements and of cells, too, as far as what gives
// the element is a scalar function, a reduction or not known.
func (e *Element) Opened() *Element {
	for range 64 {
		e = e.Settled()
		of, ok := e.Of.(*tail.Apply)
		if !ok || of.Op.Row().Scalar {
			return e
		}
		switch of.Op {
		case tail.OpEach:
			e = e.with(tail.LamOf(of.Args[0]), nil, e.Part(of.Args[1], e.Ix...))
		case tail.OpZipWith:
			if !sameExtents(tail.TypeOf(of.Args[1]), tail.TypeOf(of.Args[2]), len(e.Ix)) {
				return e
			}
			e = e.with(tail.LamOf(of.Args[0]), nil, e.Part(of.Args[1], e.Ix...), e.Part(of.Args[2], e.Ix...))
		case tail.OpOuter:
			n := tail.TypeOf(of.Args[1]).Dims()
			e = e.with(tail.LamOf(of.Args[0]), nil, e.Part(of.Args[1], e.Ix[:n]...), e.Part(of.Args[2], e.Ix[n:]...))
		case tail.OpCells, tail.OpCells2:
			frame := 0
			var framed *tail.Array
			var cells []*Element
			for i, x := range of.Args[1:] {
				t := tail.TypeOf(x)
				n := max(t.Dims()-of.Ks[i], 0)
				if n > 0 && framed != nil && (n != frame || !sameExtents(t, framed, n)) {
					return e
				}
				if n > 0 {
					frame, framed = n, t
				}
				cells = append(cells, e.Part(x, e.Ix[:n:n]...))
			}
			e = e.with(tail.LamOf(of.Args[0]), e.Ix[frame:], cells...)
		default:
			return e
		}
	}
	return e
}

// sameExtents reports whether the first n extents of two types are known to be
// equal.
func sameExtents(x, y *tail.Array, n int) bool {
	if x.Dims() < n || y.Dims() < n {
		return false
	}
	for a := range n {
		if s := x.Extent(a); !s.Known() || !s.Equal(y.Extent(a)) {
			return false
		}
	}
	return true
}

// ScalarOf returns the operands of the scalar function op that gives e, nil
// where it is another one.
func (e *Element) ScalarOf(op tail.Op) []*Element {
	of, ok := e.Of.(*tail.Apply)
	if !ok || of.Op != op || len(e.Ix) > 0 {
		return nil
	}
	out := make([]*Element, len(of.Args))
	for i, x := range of.Args {
		out[i] = e.Part(x)
	}
	return out
}

// Reduced returns the terms of the reduction by op that gives e, along an axis
// for which k stands; nil where it is nothing of the kind.
func (e *Element) Reduced(op tail.Op, k *Axis) *Element {
	of, ok := e.Of.(*tail.Apply)
	if !ok {
		return nil
	}
	switch of.Op {
	case tail.OpReduce:
		if tail.OpOf(tail.LamOf(of.Args[0])) != op {
			return nil
		}
		k.N = tail.TypeOf(of.Args[2]).Extent(of.Axis)
		return e.Part(of.Args[2], slices.Insert(slices.Clone(e.Ix), of.Axis, k)...)
	case tail.OpInner:
		x, y := of.Args[3], of.Args[4]
		tx, ty := tail.TypeOf(x), tail.TypeOf(y)
		if tail.OpOf(tail.LamOf(of.Args[0])) != op || tx.Dims() == 0 || ty.Dims() == 0 {
			return nil
		}
		n := tx.Dims() - 1
		k.N = tx.Extent(n)
		if !k.N.Known() || !k.N.Equal(ty.Extent(0)) {
			return nil
		}
		return e.with(tail.LamOf(of.Args[1]), nil, e.Part(x, append(e.Ix[:n:n], k)...), e.Part(y, append([]*Axis{k}, e.Ix[n:]...)...))
	}
	return nil
}

// Equal reports whether two elements are the same one.
func (e *Element) Equal(f *Element) bool {
	e, f = e.Settled(), f.Settled()
	if !slices.Equal(e.Ix, f.Ix) {
		return false
	}
	x, ok := e.Of.(*tail.Ref)
	y, ok2 := f.Of.(*tail.Ref)
	return ok && ok2 && x.Var == y.Var || e.Of == f.Of && e.scope == f.scope
}

// Free reports whether the array of an element mentions none of the variables
// that its scope has.
func (e *Element) Free() bool {
	free := true
	tail.Walk(e.Of, func(x tail.Expr) bool {
		if r, ok := x.(*tail.Ref); ok && e.scope.find(r.Var) != nil {
			free = false
		}
		return free
	})
	return free
}

// Has reports whether e is an element of a matrix and a is one of its axes.
func (e *Element) Has(a *Axis) bool { return len(e.Ix) == 2 && (e.Ix[0] == a || e.Ix[1] == a) }
