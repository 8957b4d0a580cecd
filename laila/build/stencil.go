package build

import "github.com/tailor-lang/tailor/tail"

// On a device an array in between costs a launch and passes through memory that
// all work-items share, while arithmetic is cheap. An array that only the next
// one reads, at a few places around each element, is computed again there:
//
//	rows←(¯1⌽w)+w+1⌽w
//	sum←(¯1⊖rows)+rows+1⊖rows
//
// On a CPU that pays for what few operations make, and two uses read at its own places.

// stencil reports whether the array bound by e is best computed again at each
// of its uses.
func (g *Builder) stencil(e *tail.Let, p *Pull, uses int) bool {
	if p.Cost > 10 || g.CPU() && (p.Cost > 6 || uses > 2) || p.Faults || uses > 4 || p.At == nil && p.Flat == nil || g.Live.Deep[e.Var] {
		return false
	}
	next := e.Body
	if let, ok := next.(*tail.Let); ok {
		next = let.Bind
	}
	seen, ok := moved(next, e.Var, !g.CPU())
	return ok && seen == uses
}

// moved counts the uses of v in an array whose elements are computed each from
// one element a use; it reports false where v has other uses.
func moved(x tail.Expr, v *tail.Var, shifts bool) (uses int, ok bool) {
	if r, is := x.(*tail.Ref); is && r.Var == v {
		return 1, true
	}
	if !mentionsVar(x, v) {
		return 0, true
	}
	if t, is := x.(*tail.Tuple); is {
		for _, e := range t.Elems {
			n, ok := moved(e, v, shifts)
			if !ok {
				return 0, false
			}
			uses += n
		}
		return uses, true
	}
	a, is := x.(*tail.Apply)
	if !is {
		return 0, false
	}
	from := len(a.Args) - 1
	switch a.Op {
	case tail.OpEach, tail.OpZipWith:
		from = 1
	case tail.OpReverse, tail.OpRotate, tail.OpTransp, tail.OpTake, tail.OpDrop:
		if !shifts {
			return 0, false
		}
	default:
		return 0, false
	}
	for i, arg := range a.Args {
		switch {
		case i >= from:
			n, ok := moved(arg, v, shifts)
			if !ok {
				return 0, false
			}
			uses += n
		case mentionsVar(arg, v):
			return 0, false
		}
	}
	return uses, true
}

func mentionsVar(x tail.Expr, v *tail.Var) bool {
	found := false
	tail.Walk(x, func(x tail.Expr) bool {
		if r, ok := x.(*tail.Ref); ok && r.Var == v {
			found = true
		}
		return !found
	})
	return found
}
