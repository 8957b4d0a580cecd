package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// axis is an index that stands for all places of an axis.
type axis struct{ n tail.Size }

// element is an element of the array of, or that scalar, where ix is empty.
type element struct {
	of    tail.Expr
	scope *scope
	ix    []*axis
}

// scope has what the parameters of functions, and variables in them, stand for.
type scope struct {
	v     *tail.Var
	is    *element // of a parameter of rank r, the cell whose indices are to follow
	outer *scope
}

func (s *scope) find(v *tail.Var) *element {
	for ; s != nil; s = s.outer {
		if s.v == v {
			return s.is
		}
	}
	return nil
}

// with returns the body of f where its parameters stand for given cells.
func (e *element) with(f *tail.Lam, ix []*axis, cells ...*element) *element {
	s := e.scope
	for i, p := range f.Params {
		s = &scope{p, cells[i], s}
	}
	return &element{f.Body, s, ix}
}

func (e *element) part(of tail.Expr, ix ...*axis) *element { return &element{of, e.scope, ix} }

// settled follows variables, transpositions, and reshapes that repeat a vector
// as rows, to the array that has the element.
func (e *element) settled() *element {
	for range 64 {
		switch of := e.of.(type) {
		case *tail.Let:
			e = &element{of.Body, &scope{of.Var, e.part(of.Bind), e.scope}, e.ix}
			continue
		case *tail.Ref:
			if is := e.scope.find(of.Var); is != nil {
				e = &element{is.of, is.scope, append(is.ix[:len(is.ix):len(is.ix)], e.ix...)}
				continue
			}
		case *tail.Apply:
			if of.Op == tail.OpTransp {
				ix := slices.Clone(e.ix)
				slices.Reverse(ix)
				e = e.part(of.Args[0], ix...)
				continue
			}
			if of.Op == tail.OpReshape && len(e.ix) > 1 {
				t, last := tail.TypeOf(of.Args[1]), len(e.ix)-1
				if t.Dims() == 1 && t.Extent(0).Known() && t.Extent(0).Equal(tail.TypeOf(of).Extent(last)) {
					e = e.part(of.Args[1], e.ix[last])
					continue
				}
			}
		}
		break
	}
	return e
}

// opened follows functions of elements and of cells, too, as far as what gives
// the element is a scalar function, a reduction or not known.
func (e *element) opened() *element {
	for range 64 {
		e = e.settled()
		of, ok := e.of.(*tail.Apply)
		if !ok || of.Op.Row().Scalar {
			return e
		}
		switch of.Op {
		case tail.OpEach:
			e = e.with(lamOf(of.Args[0]), nil, e.part(of.Args[1], e.ix...))
		case tail.OpZipWith:
			if !sameExtents(tail.TypeOf(of.Args[1]), tail.TypeOf(of.Args[2]), len(e.ix)) {
				return e
			}
			e = e.with(lamOf(of.Args[0]), nil, e.part(of.Args[1], e.ix...), e.part(of.Args[2], e.ix...))
		case tail.OpOuter:
			n := tail.TypeOf(of.Args[1]).Dims()
			e = e.with(lamOf(of.Args[0]), nil, e.part(of.Args[1], e.ix[:n]...), e.part(of.Args[2], e.ix[n:]...))
		case tail.OpCells, tail.OpCells2:
			frame := 0
			var framed *tail.Array
			var cells []*element
			for i, x := range of.Args[1:] {
				t := tail.TypeOf(x)
				n := max(t.Dims()-of.Ks[i], 0)
				if n > 0 && framed != nil && (n != frame || !sameExtents(t, framed, n)) {
					return e
				}
				if n > 0 {
					frame, framed = n, t
				}
				cells = append(cells, e.part(x, e.ix[:n:n]...))
			}
			e = e.with(lamOf(of.Args[0]), e.ix[frame:], cells...)
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

// scalarOf returns the operands of the scalar function op that gives e, nil
// where it is another one.
func (e *element) scalarOf(op tail.Op) []*element {
	of, ok := e.of.(*tail.Apply)
	if !ok || of.Op != op || len(e.ix) > 0 {
		return nil
	}
	out := make([]*element, len(of.Args))
	for i, x := range of.Args {
		out[i] = e.part(x)
	}
	return out
}

// reduced returns the terms of the reduction by op that gives e, along an axis
// for which k stands; nil where it is nothing of the kind.
func (e *element) reduced(op tail.Op, k *axis) *element {
	of, ok := e.of.(*tail.Apply)
	if !ok {
		return nil
	}
	switch of.Op {
	case tail.OpReduce:
		if opOf(lamOf(of.Args[0])) != op {
			return nil
		}
		k.n = tail.TypeOf(of.Args[2]).Extent(of.Axis)
		return e.part(of.Args[2], slices.Insert(slices.Clone(e.ix), of.Axis, k)...)
	case tail.OpInner:
		x, y := of.Args[3], of.Args[4]
		tx, ty := tail.TypeOf(x), tail.TypeOf(y)
		if opOf(lamOf(of.Args[0])) != op || tx.Dims() == 0 || ty.Dims() == 0 {
			return nil
		}
		n := tx.Dims() - 1
		k.n = tx.Extent(n)
		if !k.n.Known() || !k.n.Equal(ty.Extent(0)) {
			return nil
		}
		return e.with(lamOf(of.Args[1]), nil, e.part(x, append(e.ix[:n:n], k)...), e.part(y, append([]*axis{k}, e.ix[n:]...)...))
	}
	return nil
}

// equal reports whether two elements are the same one.
func (e *element) equal(f *element) bool {
	e, f = e.settled(), f.settled()
	if !slices.Equal(e.ix, f.ix) {
		return false
	}
	x, ok := e.of.(*tail.Ref)
	y, ok2 := f.of.(*tail.Ref)
	return ok && ok2 && x.Var == y.Var || e.of == f.of && e.scope == f.scope
}

// free reports whether the array of an element mentions none of the variables
// that its scope has.
func (e *element) free() bool {
	free := true
	tail.Walk(e.of, func(x tail.Expr) bool {
		if r, ok := x.(*tail.Ref); ok && e.scope.find(r.Var) != nil {
			free = false
		}
		return free
	})
	return free
}
