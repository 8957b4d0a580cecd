package opt

import "github.com/tailor-lang/tailor/tail"

// extentOf is the variable of the vector that gives a vector its extent: the one that ops
// which keep the extent begin with. It is nil where e is no variable and keeps none. defs
// are what lets bind.
//
//	let w:[int]1 = each(f,zipWith(muli,v,v)) in … tally(w) …
//
// The extent of w is that of v, so that extents of several such vectors are one.
func extentOf(defs map[*tail.Var]tail.Expr, e tail.Expr) *tail.Var {
	switch e := e.(type) {
	case *tail.Ref:
		if d, ok := defs[e.Var].(*tail.Apply); ok {
			if v := extentOf(defs, d); v != nil {
				return v
			}
		}
		return e.Var
	case *tail.Apply:
		if t, ok := e.Ty.(*tail.Array); !ok || !tail.IsRank(t, 1) {
			return nil
		}
		switch e.Op {
		case tail.OpReverse, tail.OpGradeUp, tail.OpGradeDown, tail.OpUpdate, tail.OpMember:
			return extentOfVector(defs, e.Args[0])
		case tail.OpEach, tail.OpScan, tail.OpRotate, tail.OpIndexOf:
			return extentOfVector(defs, e.Args[1])
		case tail.OpIndex:
			if len(e.Args) == 2 {
				return extentOfVector(defs, e.Args[1])
			}
		case tail.OpZipWith:
			if v := extentOfVector(defs, e.Args[1]); v != nil && v == extentOfVector(defs, e.Args[2]) {
				return v
			}
		}
	}
	return nil
}

// extentOfVector is extentOf of an argument, nil where that is no vector.
func extentOfVector(defs map[*tail.Var]tail.Expr, e tail.Expr) *tail.Var {
	if t, ok := e.Type().(*tail.Array); !ok || !tail.IsRank(t, 1) {
		return nil
	}
	return extentOf(defs, e)
}
