package tail

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// sizer finds how many items vectors have, without their elements, as far as that
// needs no more work than one pass over arrays that are there already.
type sizer struct {
	at     diag.Span
	frames []letFrame // of the body
	place  map[*Var]int
	needed map[*Var]bool
}

// of is the number of items of a body, with the lets that it needs; nil where that
// depends on elements that are not there. Faults of the elements are no part of it.
func (z *sizer) of(body Expr) Expr {
	frames, last := unlet(body, nil)
	z.frames, z.place, z.needed = frames, map[*Var]int{}, map[*Var]bool{}
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
		e = &Let{At: f.at, Var: f.v, Bind: bind, Body: e}
	}
	return e
}

// bound is what a variable of the body is bound to, where that is a scalar or a view,
// else nil.
func (z *sizer) bound(e Expr) Expr {
	t, ok := e.Type().(*Array)
	switch {
	case !ok:
		return nil
	case isRank(t, 0):
		return z.scalar(e)
	case z.view(e):
		return e
	}
	return nil
}

// use notes that a variable is needed.
func (z *sizer) use(v *Var) {
	if _, ok := z.place[v]; ok {
		z.needed[v] = true
	}
}

func mustSize(at diag.Span, op Op, args ...Expr) *Apply {
	e, bad := NewApply(at, op, 0, nil, args...)
	if bad != nil {
		panic("internal error: lengths: " + bad.Message())
	}
	return e
}

// size is how many items a vector has.
func (z *sizer) size(e Expr) Expr {
	t, ok := e.Type().(*Array)
	if !ok || !isRank(t, 1) {
		return nil
	}
	if n, ok := t.Extent(0).IsConst(); ok && n >= 0 {
		return NewInt(z.at, n)
	}
	switch e := e.(type) {
	case *Ref:
		if i, ok := z.place[e.Var]; ok {
			return z.size(z.frames[i].bind)
		}
		return mustSize(z.at, OpTally, e)
	case *If:
		cond := z.scalar(e.Cond)
		if cond == nil {
			return nil
		}
		yes, no := z.branch(e.Then), z.branch(e.Else)
		if yes == nil || no == nil {
			return nil
		}
		return &If{At: e.At, Cond: cond, Then: yes, Else: no, Ty: Scalar(array.Int)}
	case *Apply:
		return z.sizeOfApply(e)
	}
	return nil
}

// branch is size of a branch, which has no lets of its own.
func (z *sizer) branch(e Expr) Expr {
	if _, ok := e.(*Let); ok {
		return nil
	}
	return z.size(e)
}

func (z *sizer) sizeOfApply(e *Apply) Expr {
	switch e.Op {
	case OpIota:
		return z.scalar(e.Args[0])
	case OpEach:
		return z.size(e.Args[1])
	case OpScan:
		return z.size(e.Args[1])
	case OpReverse, OpGradeUp, OpGradeDown, OpUpdate, OpMember:
		return z.size(e.Args[0])
	case OpRotate, OpIndexOf, OpIntervalIndex:
		return z.size(e.Args[1])
	case OpZipWith:
		return z.longer(e)
	case OpIndex:
		if len(e.Args) == 2 && isRank(TypeOf(e.Args[0]), 1) {
			return z.size(e.Args[1])
		}
	case OpTake:
		n := z.count(e)
		if n == nil || e.Within() {
			return n
		}
		return mustSize(z.at, OpAbsI, n)
	case OpDrop:
		n, of := z.count(e), z.size(e.Args[1])
		if n != nil && of != nil && e.Within() {
			return mustSize(z.at, OpSubI, of, n)
		}
		if n != nil && of != nil {
			return z.atLeast0(mustSize(z.at, OpSubI, of, mustSize(z.at, OpAbsI, n)))
		}
	case OpCat:
		x, y := z.size(e.Args[0]), z.size(e.Args[1])
		if x != nil && y != nil {
			return mustSize(z.at, OpAddI, x, y)
		}
	case OpCons, OpSnoc:
		x := e.Args[0]
		if e.Op == OpCons {
			x = e.Args[1]
		}
		if n := z.size(x); n != nil {
			return mustSize(z.at, OpAddI, n, NewInt(z.at, 1))
		}
	case OpReshape:
		if v, ok := e.Args[0].(*Vec); ok && len(v.Elems) == 1 {
			return z.scalar(v.Elems[0])
		}
	case OpWhere, OpCompress:
		return z.ones(e)
	}
	return nil
}

// longer is the size of an application to two vectors, of which one may have one
// element.
func (z *sizer) longer(e *Apply) Expr {
	x, y := e.Args[1], e.Args[2]
	if !isRank(TypeOf(x), 1) || !isRank(TypeOf(y), 1) {
		return nil
	}
	n, m := z.size(x), z.size(y)
	if n == nil || m == nil {
		return nil
	}
	if TypeOf(x).Extent(0).Equal(TypeOf(y).Extent(0)) || sameScalar(n, m) {
		return n
	}
	if !isAtom(n) {
		return nil
	}
	return &If{At: At{z.at}, Cond: mustSize(z.at, OpEqI, n, NewInt(z.at, 1)), Then: m, Else: n, Ty: Scalar(array.Int)}
}

// sameScalar reports whether two expressions of one variable are the same.
func sameScalar(x, y Expr) bool {
	switch x := x.(type) {
	case *Ref:
		y, ok := y.(*Ref)
		return ok && x.Var == y.Var
	case *Apply:
		y, ok := y.(*Apply)
		if !ok || x.Op != y.Op || len(x.Args) != len(y.Args) {
			return false
		}
		for i := range x.Args {
			if !sameScalar(x.Args[i], y.Args[i]) {
				return false
			}
		}
		return true
	case *Lit:
		n, ok := constInt(x)
		m, also := constInt(y)
		return ok && also && n == m
	}
	return false
}

// count is the count of a take or a drop of a vector, which is one number.
func (z *sizer) count(e *Apply) Expr {
	if !isRank(TypeOf(e.Args[1]), 1) {
		return nil
	}
	switch n := e.Args[0].(type) {
	case *Vec:
		if len(n.Elems) == 1 {
			return z.scalar(n.Elems[0])
		}
	default:
		if isRank(TypeOf(n), 0) {
			return z.scalar(n)
		}
	}
	return nil
}

func (z *sizer) atLeast0(n Expr) Expr { return mustSize(z.at, OpMaxI, n, NewInt(z.at, 0)) }

// ones is how many ones the mask of a where or a compress has, of as many elements as
// are selected.
func (z *sizer) ones(e *Apply) Expr {
	mask := e.Args[0]
	if !isRank(TypeOf(mask), 1) || !z.simple(mask) {
		return nil
	}
	if e.Op == OpCompress {
		n, m := z.size(mask), z.size(e.Args[1])
		if n == nil || m == nil || !sameScalar(n, m) && !TypeOf(mask).Extent(0).Equal(TypeOf(e.Args[1]).Extent(0)) {
			return nil
		}
	}
	bits := mustSize(z.at, OpEach, NewOpLam(z.at, OpB2I), mask)
	return mustSize(z.at, OpReduce, NewOpLam(z.at, OpAddI), NewInt(z.at, 0), bits)
}

// scalar is a scalar that is computed from scalars, from elements of views and from
// sizes; nil for others.
func (z *sizer) scalar(e Expr) Expr {
	switch e := e.(type) {
	case *Lit:
		return e
	case *Ref:
		z.use(e.Var)
		return e
	case *Apply:
		switch {
		case e.Op.Row().Scalar && !e.Op.Row().Impure:
			args := make([]Expr, len(e.Args))
			for i, x := range e.Args {
				if args[i] = z.scalar(x); args[i] == nil {
					return nil
				}
			}
			return e.WithArgs(args)
		case e.Op == OpTally || e.Op == OpCount:
			return z.size(e.Args[0])
		case e.Op == OpIndex && z.view(e.Args[0]):
			args := []Expr{e.Args[0]}
			for _, x := range e.Args[1:] {
				if x = z.scalar(x); x == nil {
					return nil
				}
				args = append(args, x)
			}
			return e.WithArgs(args)
		case e.Op == OpFirst && z.view(e.Args[0]):
			return e
		case (e.Op == OpReduce || e.Op == OpReduce1) && z.simple(e.Args[len(e.Args)-1]) && isScalarOp(e.Args[0]):
			return e
		}
	}
	return nil
}

func isScalarOp(e Expr) bool {
	f, ok := e.(*Lam)
	return ok && OpOf(f) != NoOp
}

// view reports whether an array is there before the body, or is a part of one that is.
func (z *sizer) view(e Expr) bool {
	switch e := e.(type) {
	case *Lit:
		return true
	case *Ref:
		if i, ok := z.place[e.Var]; ok {
			if !z.view(z.frames[i].bind) {
				return false
			}
			z.use(e.Var)
		}
		return true
	case *Apply:
		switch e.Op {
		case OpTake, OpDrop:
			return z.view(e.Args[1]) && z.unchanged(e.Args[0])
		case OpReverse:
			return z.view(e.Args[0])
		case OpIndex:
			for _, x := range e.Args[1:] {
				if !isUnit(x.Type()) && (!isRank(x.Type().(*Array), 0) || !z.unchanged(x)) {
					return false
				}
			}
			return z.view(e.Args[0])
		}
	}
	return false
}

// unchanged reports whether a scalar is computed from what is there as it stands.
func (z *sizer) unchanged(e Expr) bool {
	switch e := e.(type) {
	case *Lit:
		return true
	case *Ref:
		z.use(e.Var)
		return isRank(TypeOf(e), 0)
	case *Apply:
		if e.Op == OpIndex {
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
func (z *sizer) simple(e Expr) bool {
	if a, ok := e.(*Apply); ok {
		switch a.Op {
		case OpEach, OpZipWith:
			if !z.simpleFunction(a.Args[0]) {
				return false
			}
			for _, x := range a.Args[1:] {
				if !z.simple(x) {
					return false
				}
			}
			return true
		case OpIota:
			return z.unchanged(a.Args[0])
		}
	}
	if r, ok := e.(*Ref); ok {
		if i, ok := z.place[r.Var]; ok && !z.view(z.frames[i].bind) {
			return false
		}
	}
	return z.view(e)
}

// simpleFunction reports whether a function is made of scalar operations.
func (z *sizer) simpleFunction(e Expr) bool {
	f, ok := e.(*Lam)
	if !ok {
		return false
	}
	own := map[*Var]bool{}
	for _, p := range f.Params {
		own[p] = true
	}
	simple := true
	Walk(f.Body, func(e Expr) bool {
		switch e := e.(type) {
		case *Lit:
		case *Ref:
			simple = simple && isRank(TypeOf(e), 0)
			if !own[e.Var] {
				z.use(e.Var)
			}
		case *Apply:
			simple = simple && e.Op.Row().Scalar && !e.Op.Row().Impure
		default:
			simple = false
		}
		return simple
	})
	return simple
}
