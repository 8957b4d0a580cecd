package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// sizer finds how many items vectors have, without their elements, as far as that
// needs no more work than one pass over arrays that are there already.
type sizer struct {
	at     diag.Span
	frames []letFrame // of the body
	place  map[*tail.Var]int
	needed map[*tail.Var]bool
}

// of is the number of items of a body, with the lets that it needs; nil where that
// depends on elements that are not there. Faults of the elements are no part of it.
func (z *sizer) of(body tail.Expr) tail.Expr {
	frames, last := unlet(body, nil)
	z.frames, z.place, z.needed = frames, map[*tail.Var]int{}, map[*tail.Var]bool{}
	for i, f := range frames {
		z.place[f.v] = i
	}
	e := z.size(last)
	if e == nil {
		return nil
	}
	for i := len(frames) - 1; i >= 0; i-- {
		f := frames[i]
		if !z.needed[f.v] {
			continue
		}
		bind := z.bound(f.bind)
		if bind == nil {
			return nil
		}
		e = &tail.Let{At: f.at, Var: f.v, Bind: bind, Body: e}
	}
	return e
}

// bound is what a variable of the body is bound to, where that is a scalar or a view,
// else nil.
func (z *sizer) bound(e tail.Expr) tail.Expr {
	t, ok := e.Type().(*tail.Array)
	switch {
	case !ok:
		return nil
	case tail.IsRank(t, 0):
		return z.scalar(e)
	case z.view(e):
		return e
	}
	return nil
}

// use notes that a variable is needed.
func (z *sizer) use(v *tail.Var) {
	if _, ok := z.place[v]; ok {
		z.needed[v] = true
	}
}

// size is how many items a vector has.
func (z *sizer) size(e tail.Expr) tail.Expr {
	t, ok := e.Type().(*tail.Array)
	if !ok || !tail.IsRank(t, 1) {
		return nil
	}
	if n, ok := t.Extent(0).IsConst(); ok && n >= 0 {
		return tail.NewInt(z.at, n)
	}
	switch e := e.(type) {
	case *tail.Ref:
		if i, ok := z.place[e.Var]; ok {
			return z.size(z.frames[i].bind)
		}
		return mustApply(z.at, tail.OpTally, e)
	case *tail.If:
		cond := z.scalar(e.Cond)
		if cond == nil {
			return nil
		}
		yes, no := z.branch(e.Then), z.branch(e.Else)
		if yes == nil || no == nil {
			return nil
		}
		return &tail.If{At: e.At, Cond: cond, Then: yes, Else: no, Ty: tail.Scalar(array.Int)}
	case *tail.Apply:
		return z.sizeOfApply(e)
	}
	return nil
}

// branch is size of a branch, which has no lets of its own.
func (z *sizer) branch(e tail.Expr) tail.Expr {
	if _, ok := e.(*tail.Let); ok {
		return nil
	}
	return z.size(e)
}

func (z *sizer) sizeOfApply(e *tail.Apply) tail.Expr {
	switch e.Op {
	case tail.OpIota:
		return z.scalar(e.Args[0])
	case tail.OpEach:
		return z.size(e.Args[1])
	case tail.OpScan:
		return z.size(e.Args[1])
	case tail.OpReverse, tail.OpGradeUp, tail.OpGradeDown, tail.OpUpdate, tail.OpMember:
		return z.size(e.Args[0])
	case tail.OpRotate, tail.OpIndexOf, tail.OpIntervalIndex:
		return z.size(e.Args[1])
	case tail.OpZipWith:
		return z.longer(e)
	case tail.OpIndex:
		if len(e.Args) == 2 && tail.IsRank(tail.TypeOf(e.Args[0]), 1) {
			return z.size(e.Args[1])
		}
	case tail.OpTake:
		n := z.count(e)
		if n == nil || e.Within() {
			return n
		}
		return mustApply(z.at, tail.OpAbsI, n)
	case tail.OpDrop:
		n, of := z.count(e), z.size(e.Args[1])
		if n != nil && of != nil && e.Within() {
			return mustApply(z.at, tail.OpSubI, of, n)
		}
		if n != nil && of != nil {
			return z.atLeast0(mustApply(z.at, tail.OpSubI, of, mustApply(z.at, tail.OpAbsI, n)))
		}
	case tail.OpCat:
		x, y := z.size(e.Args[0]), z.size(e.Args[1])
		if x != nil && y != nil {
			return mustApply(z.at, tail.OpAddI, x, y)
		}
	case tail.OpCons, tail.OpSnoc:
		x := e.Args[0]
		if e.Op == tail.OpCons {
			x = e.Args[1]
		}
		if n := z.size(x); n != nil {
			return mustApply(z.at, tail.OpAddI, n, tail.NewInt(z.at, 1))
		}
	case tail.OpReshape:
		if v, ok := e.Args[0].(*tail.Vec); ok && len(v.Elems) == 1 {
			return z.scalar(v.Elems[0])
		}
	case tail.OpWhere, tail.OpCompress:
		return z.ones(e)
	}
	return nil
}

// longer is the size of an application to two vectors, of which one may have one
// element.
func (z *sizer) longer(e *tail.Apply) tail.Expr {
	x, y := e.Args[1], e.Args[2]
	if !tail.IsRank(tail.TypeOf(x), 1) || !tail.IsRank(tail.TypeOf(y), 1) {
		return nil
	}
	n, m := z.size(x), z.size(y)
	if n == nil || m == nil {
		return nil
	}
	if tail.TypeOf(x).Extent(0).Equal(tail.TypeOf(y).Extent(0)) || sameScalar(n, m) {
		return n
	}
	if !isAtom(n) {
		return nil
	}
	return &tail.If{At: tail.At{Where: z.at}, Cond: mustApply(z.at, tail.OpEqI, n, tail.NewInt(z.at, 1)), Then: m, Else: n, Ty: tail.Scalar(array.Int)}
}

// sameScalar reports whether two expressions of one variable are the same.
func sameScalar(x, y tail.Expr) bool {
	switch x := x.(type) {
	case *tail.Ref:
		y, ok := y.(*tail.Ref)
		return ok && x.Var == y.Var
	case *tail.Apply:
		y, ok := y.(*tail.Apply)
		if !ok || x.Op != y.Op || len(x.Args) != len(y.Args) {
			return false
		}
		for i := range x.Args {
			if !sameScalar(x.Args[i], y.Args[i]) {
				return false
			}
		}
		return true
	case *tail.Lit:
		n, ok := tail.ConstInt(x)
		m, also := tail.ConstInt(y)
		return ok && also && n == m
	}
	return false
}

// count is the count of a take or a drop of a vector, which is one number.
func (z *sizer) count(e *tail.Apply) tail.Expr {
	if !tail.IsRank(tail.TypeOf(e.Args[1]), 1) {
		return nil
	}
	switch n := e.Args[0].(type) {
	case *tail.Vec:
		if len(n.Elems) == 1 {
			return z.scalar(n.Elems[0])
		}
	default:
		if tail.IsRank(tail.TypeOf(n), 0) {
			return z.scalar(n)
		}
	}
	return nil
}

func (z *sizer) atLeast0(n tail.Expr) tail.Expr {
	return mustApply(z.at, tail.OpMaxI, n, tail.NewInt(z.at, 0))
}

// ones is how many ones the mask of a where or a compress has, of as many elements as
// are selected.
func (z *sizer) ones(e *tail.Apply) tail.Expr {
	mask := e.Args[0]
	if !tail.IsRank(tail.TypeOf(mask), 1) || !z.simple(mask) {
		return nil
	}
	if e.Op == tail.OpCompress {
		n, m := z.size(mask), z.size(e.Args[1])
		if n == nil || m == nil || !sameScalar(n, m) && !tail.TypeOf(mask).Extent(0).Equal(tail.TypeOf(e.Args[1]).Extent(0)) {
			return nil
		}
	}
	bits := mustApply(z.at, tail.OpEach, tail.NewOpLam(z.at, tail.OpB2I), mask)
	return mustApply(z.at, tail.OpReduce, tail.NewOpLam(z.at, tail.OpAddI), tail.NewInt(z.at, 0), bits)
}

// scalar is a scalar that is computed from scalars, from elements of views and from
// sizes; nil for others.
func (z *sizer) scalar(e tail.Expr) tail.Expr {
	switch e := e.(type) {
	case *tail.Lit:
		return e
	case *tail.Ref:
		z.use(e.Var)
		return e
	case *tail.Apply:
		switch {
		case e.Op.Row().Scalar && !e.Op.Row().Impure:
			args := make([]tail.Expr, len(e.Args))
			for i, x := range e.Args {
				if args[i] = z.scalar(x); args[i] == nil {
					return nil
				}
			}
			return e.WithArgs(args)
		case e.Op == tail.OpTally || e.Op == tail.OpCount:
			return z.size(e.Args[0])
		case e.Op == tail.OpIndex && z.view(e.Args[0]):
			args := []tail.Expr{e.Args[0]}
			for _, x := range e.Args[1:] {
				if x = z.scalar(x); x == nil {
					return nil
				}
				args = append(args, x)
			}
			return e.WithArgs(args)
		case e.Op == tail.OpFirst && z.view(e.Args[0]):
			return e
		case (e.Op == tail.OpReduce || e.Op == tail.OpReduce1) && z.simple(e.Args[len(e.Args)-1]) && isScalarOp(e.Args[0]):
			return e
		}
	}
	return nil
}

func isScalarOp(e tail.Expr) bool {
	f, ok := e.(*tail.Lam)
	return ok && tail.OpOf(f) != tail.NoOp
}

// view reports whether an array is there before the body, or is a part of one that is.
func (z *sizer) view(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Lit:
		return true
	case *tail.Ref:
		if i, ok := z.place[e.Var]; ok {
			if !z.view(z.frames[i].bind) {
				return false
			}
			z.use(e.Var)
		}
		return true
	case *tail.Apply:
		switch e.Op {
		case tail.OpTake, tail.OpDrop:
			return z.view(e.Args[1]) && z.unchanged(e.Args[0])
		case tail.OpReverse:
			return z.view(e.Args[0])
		case tail.OpIndex:
			for _, x := range e.Args[1:] {
				if !tail.IsUnit(x.Type()) && (!tail.IsRank(x.Type().(*tail.Array), 0) || !z.unchanged(x)) {
					return false
				}
			}
			return z.view(e.Args[0])
		}
	}
	return false
}

// unchanged reports whether a scalar is computed from what is there as it stands.
func (z *sizer) unchanged(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Lit:
		return true
	case *tail.Ref:
		z.use(e.Var)
		return tail.IsRank(tail.TypeOf(e), 0)
	case *tail.Apply:
		if e.Op == tail.OpIndex {
			for _, x := range e.Args[1:] {
				if !z.unchanged(x) {
					return false
				}
			}
			return z.view(e.Args[0])
		}
		if !e.Op.Row().Scalar || e.Op.Row().Impure {
			return false
		}
		for _, x := range e.Args {
			if !z.unchanged(x) {
				return false
			}
		}
		return true
	}
	return false
}

// simple reports whether a vector is computed by scalar functions from views, numbers
// and scalars, element by element.
func (z *sizer) simple(e tail.Expr) bool {
	if a, ok := e.(*tail.Apply); ok {
		switch a.Op {
		case tail.OpEach, tail.OpZipWith:
			if !z.simpleFunction(a.Args[0]) {
				return false
			}
			for _, x := range a.Args[1:] {
				if !z.simple(x) {
					return false
				}
			}
			return true
		case tail.OpIota:
			return z.unchanged(a.Args[0])
		}
	}
	if r, ok := e.(*tail.Ref); ok {
		if i, ok := z.place[r.Var]; ok && !z.view(z.frames[i].bind) {
			return false
		}
	}
	return z.view(e)
}

// simpleFunction reports whether a function is made of scalar operations.
func (z *sizer) simpleFunction(e tail.Expr) bool {
	f, ok := e.(*tail.Lam)
	if !ok {
		return false
	}
	own := map[*tail.Var]bool{}
	for _, p := range f.Params {
		own[p] = true
	}
	simple := true
	tail.Walk(f.Body, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Lit:
		case *tail.Ref:
			simple = simple && tail.IsRank(tail.TypeOf(e), 0)
			if !own[e.Var] {
				z.use(e.Var)
			}
		case *tail.Apply:
			simple = simple && e.Op.Row().Scalar && !e.Op.Row().Impure
		default:
			simple = false
		}
		return simple
	})
	return simple
}
