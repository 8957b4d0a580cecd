package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// maxExtentSteps is how many applications are looked at for an extent.
const maxExtentSteps = 32

// extents looks for what gives vectors their extents; left is how many applications it
// still looks at.
type extents struct {
	defs map[*tail.Var]tail.Expr
	left int
}

// named is a vector that has a name: a variable, or component part-1 of one, or component
// part%maxParts-1 of component part/maxParts-1; or, where part is ofOnes, what a mask keeps.
type named struct {
	v    *tail.Var
	part int
}

const (
	ofOnes   = -1
	maxParts = 64
)

func (x *extents) of(e tail.Expr) named {
	switch e := e.(type) {
	case *tail.Ref:
		if x.left > 0 {
			var v named
			switch d := x.defs[e.Var].(type) {
			case *tail.Apply, *tail.Proj, *tail.Ref:
				v = x.of(d)
			}
			if v.v != nil {
				return v
			}
		}
		return named{v: e.Var}
	case *tail.Proj:
		if v := x.ofState(e); v.v != nil {
			return v
		}
		if v := x.ofItems(e); v.v != nil {
			return v
		}
		part := e.I + 1
		if inner, ok := e.X.(*tail.Proj); ok && e.I < maxParts {
			e, part = inner, part+maxParts*(inner.I+1)
		}
		if r, ok := e.X.(*tail.Ref); ok {
			return named{r.Var, part}
		}
	case *tail.Apply:
		x.left--
		if t, ok := e.Ty.(*tail.Array); !ok || !tail.IsRank(t, 1) || x.left < 0 {
			return named{}
		}
		switch e.Op {
		case tail.OpReverse, tail.OpGradeUp, tail.OpGradeDown, tail.OpUpdate, tail.OpMember:
			return x.ofVector(e.Args[0])
		case tail.OpEach, tail.OpScan, tail.OpRotate, tail.OpIndexOf:
			return x.ofVector(e.Args[1])
		case tail.OpFirstItem:
			return x.ofVector(e.Args[2])
		case tail.OpIndex:
			if len(e.Args) == 2 {
				return x.ofVector(e.Args[1])
			}
		case tail.OpIota:
			if n := applied(x.defs, e.Args[0], tail.OpTally); n != nil {
				return x.ofVector(n.Args[0])
			}
		case tail.OpReshape:
			if shape, ok := e.Args[0].(*tail.Vec); ok && len(shape.Elems) == 1 {
				if n := applied(x.defs, shape.Elems[0], tail.OpTally); n != nil {
					return x.ofVector(n.Args[0])
				}
			}
		case tail.OpDrop:
			return x.ofRest(e)
		case tail.OpWhere:
			return x.kept(e.Args[0])
		case tail.OpCompress:
			if v := x.ofVector(e.Args[0]); v.v != nil && v == x.ofVector(e.Args[1]) {
				return x.kept(e.Args[0])
			}
		case tail.OpZipWith:
			if v := x.ofVector(e.Args[1]); v.v != nil && v == x.ofVector(e.Args[2]) {
				return v
			}
		}
	}
	return named{}
}

// kept is the extent of what a vector of truth values keeps.
func (x *extents) kept(mask tail.Expr) named {
	r, ok := mask.(*tail.Ref)
	for ; ok; r, ok = x.defs[r.Var].(*tail.Ref) {
		mask = r
	}
	if r, ok = mask.(*tail.Ref); !ok || tail.TypeOf(r).Elem != array.Bool || !tail.IsRank(tail.TypeOf(r), 1) {
		return named{}
	}
	return named{r.Var, ofOnes}
}

// ofState is the extent of a component of the state of a loop, of which no step changes it.
func (x *extents) ofState(e *tail.Proj) named {
	x.left--
	loop := applied(x.defs, e.X, tail.OpPower)
	if loop == nil || x.left < 0 {
		return named{}
	}
	step := loop.Args[0].(*tail.Lam)
	_, body := unlet(step.Body, nil)
	next, ok := body.(*tail.Tuple)
	first, also := loop.Args[2].(*tail.Tuple)
	if !ok || !also {
		return named{}
	}
	if v := x.ofVector(next.Elems[e.I]); v != (named{step.Params[0], e.I + 1}) {
		return named{}
	}
	return x.ofVector(first.Elems[e.I])
}

// ofItems is the extent of the numbers that op items makes, one for each item, and of the
// lengths of items.
func (x *extents) ofItems(e *tail.Proj) named {
	x.left--
	items, path := itemsOf(x.defs, e)
	if items == nil || x.left < 0 {
		return named{}
	}
	item := items.Args[0].(*tail.Lam).Body.Type()
	n := applied(x.defs, items.Args[1], tail.OpTally)
	if n == nil || !hasRank(item, path, 0) && !(path[0] == 1 && hasRank(item, path[1:], 1)) {
		return named{}
	}
	return x.ofVector(n.Args[0])
}

// ofRest is the extent of a vector with an element more at one end and one less at
// another.
func (x *extents) ofRest(e *tail.Apply) named {
	if k, ok := tail.ConstInt(e.Args[0]); !ok || k != 1 && k != -1 {
		return named{}
	}
	if c := applied(x.defs, e.Args[1], tail.OpCons); c != nil {
		return x.ofVector(c.Args[1])
	}
	if c := applied(x.defs, e.Args[1], tail.OpSnoc); c != nil {
		return x.ofVector(c.Args[0])
	}
	return named{}
}

// applied is the application of op that e is, or the variable e is bound to; nil for
// others.
func applied(defs map[*tail.Var]tail.Expr, e tail.Expr, op tail.Op) *tail.Apply {
	if r, ok := e.(*tail.Ref); ok {
		e = defs[r.Var]
	}
	if a, ok := e.(*tail.Apply); ok && a.Op == op {
		return a
	}
	return nil
}

// extentOfVector is the vector that gives a vector its extent: the one that ops which keep
// the extent begin with. It is none where e is no vector, or where it has no name and keeps
// no extent. defs are what lets bind.
//
//	let w:[int]1 = each(f,zipWith(muli,v,v)) in … tally(w) …
//
// The extent of w is that of v, so that extents of several such vectors are one.
func extentOfVector(defs map[*tail.Var]tail.Expr, e tail.Expr) named {
	return (&extents{defs: defs, left: maxExtentSteps}).ofVector(e)
}

func (x *extents) ofVector(e tail.Expr) named {
	if t, ok := e.Type().(*tail.Array); !ok || !tail.IsRank(t, 1) {
		return named{}
	}
	return x.of(e)
}

// sameExtent reports whether two vectors have equally many elements, as one made from the
// other does.
func sameExtent(defs map[*tail.Var]tail.Expr, x, y tail.Expr) bool {
	v := extentOfVector(defs, x)
	return v.v != nil && v == extentOfVector(defs, y)
}

// sameLengths reports whether components j and k of what e gives are vectors of one length.
func sameLengths(defs map[*tail.Var]tail.Expr, e tail.Expr, j, k int) bool {
	_, e = unlet(e, nil)
	switch e := e.(type) {
	case *tail.If:
		return sameLengths(defs, e.Then, j, k) && sameLengths(defs, e.Else, j, k)
	case *tail.Tuple:
		x, y := e.Elems[j], e.Elems[k]
		a, ok := x.Type().(*tail.Array)
		b, also := y.Type().(*tail.Array)
		if !ok || !also || !tail.IsRank(a, 1) || !tail.IsRank(b, 1) {
			return false
		}
		n := a.Extent(0)
		return n.Known() && n.Equal(b.Extent(0)) || sameExtent(defs, x, y)
	}
	return false
}

// numbering knows which variables are the numbers of the elements of vectors.
type numbering struct {
	defs map[*tail.Var]tail.Expr
	of   map[*tail.Var]tail.Expr // by variable a vector with as many elements
	// counts is by other variables how many elements there are.
	counts map[*tail.Var]int64
}

// numbersIn is the numbering of the functions and main of a program: parameters of
// functions that are applied to 1 2 … n of so many as a vector has.
func numbersIn(p *tail.Program) *numbering {
	n := &numbering{defs: map[*tail.Var]tail.Expr{}, of: map[*tail.Var]tail.Expr{}, counts: map[*tail.Var]int64{}}
	bodies := []tail.Expr{p.Main}
	for _, f := range p.Funcs {
		bodies = append(bodies, f.Body)
	}
	for _, body := range bodies {
		tail.Walk(body, func(e tail.Expr) bool {
			if let, ok := e.(*tail.Let); ok {
				n.defs[let.Var] = let.Bind
			}
			return true
		})
	}
	for _, body := range bodies {
		tail.Walk(body, func(e tail.Expr) bool {
			a, ok := e.(*tail.Apply)
			switch {
			case !ok:
			case a.Op == tail.OpSegments:
				n.of[a.Args[0].(*tail.Lam).Params[0]] = a.Args[1]
			case a.Op == tail.OpItems:
				if count := applied(n.defs, a.Args[1], tail.OpTally); count != nil {
					n.of[a.Args[0].(*tail.Lam).Params[0]] = count.Args[0]
				} else if k, ok := tail.ConstInt(a.Args[1]); ok {
					n.counts[a.Args[0].(*tail.Lam).Params[0]] = k
				}
			case (a.Op == tail.OpEach || a.Op == tail.OpCells && tail.IsRank(tail.TypeOf(a.Args[1]), 1)) && applied(n.defs, a.Args[1], tail.OpIota) != nil:
				n.of[a.Args[0].(*tail.Lam).Params[0]] = a.Args[1]
			}
			return true
		})
	}
	return n
}

// isOrder reports whether e is the places of all elements of a vector as long as x, in some
// order.
func (n *numbering) isOrder(e, x tail.Expr) bool {
	for _, op := range []tail.Op{tail.OpGradeUp, tail.OpGradeDown} {
		if a := applied(n.defs, e, op); a != nil && sameExtent(n.defs, a.Args[0], x) {
			return true
		}
	}
	return false
}

// areLengths reports whether e is how long the items are of which op items puts the elements
// behind each other: their sum is how many elements there are.
func (n *numbering) areLengths(e tail.Expr) bool {
	items, path := itemsOf(n.defs, e)
	return items != nil && path[0] == 1 && hasRank(items.Args[0].(*tail.Lam).Body.Type(), path[1:], 1)
}

// itemsOf is the application of op items of which e is a component, and the projections
// that lead to it, the last one first.
func itemsOf(defs map[*tail.Var]tail.Expr, e tail.Expr) (*tail.Apply, []int) {
	var path []int
	for {
		switch x := e.(type) {
		case *tail.Ref:
			e = defs[x.Var]
			continue
		case *tail.Proj:
			path, e = append(path, x.I), x.X
			continue
		case *tail.Apply:
			if x.Op == tail.OpItems && len(path) > 0 {
				return x, path
			}
		}
		return nil, nil
	}
}

// hasRank reports whether the component of a type that projections lead to, the last one
// first, is an array of a rank.
func hasRank(t tail.Type, path []int, rank int64) bool {
	for ; len(path) > 0; path = path[:len(path)-1] {
		tuple, ok := t.(*tail.TupleType)
		if !ok {
			return false
		}
		t = tuple.Elems[path[len(path)-1]]
	}
	a, ok := t.(*tail.Array)
	return ok && tail.IsRank(a, rank)
}

// within reports whether e is an element of a vector, or a major cell, that is certainly there,
// or all elements in some order.
func (n *numbering) within(e *tail.Apply) bool {
	if e.Op != tail.OpIndex || !allElided(e.Args[2:]) {
		return false
	}
	if len(e.Args) == 2 && n.isOrder(e.Args[1], e.Args[0]) {
		return true
	}
	i, ok := e.Args[1].(*tail.Ref)
	if ok && n.of[i.Var] == nil {
		count, known := n.counts[i.Var]
		size, also := tail.TypeOf(e.Args[0]).Extent(0).IsConst()
		return known && also && size == count
	}
	if !ok {
		return false
	}
	of, x := n.of[i.Var], e.Args[0]
	if size := tail.TypeOf(of).Extent(0); size.Known() && size.Equal(tail.TypeOf(x).Extent(0)) {
		return true
	}
	v := extentOfVector(n.defs, of)
	return v.v != nil && v == extentOfVector(n.defs, x)
}
