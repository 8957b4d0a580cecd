package build

import "github.com/tailor-lang/tailor/tail"

// On a device an array in between costs a launch and passes through memory that
// all work-items share, while arithmetic is cheap. An array that only the next
// one reads, at a few places around each element, is computed again there:
//
//	rows←(¯1⌽w)+w+1⌽w
//	sum←(¯1⊖rows)+rows+1⊖rows

// stencil reports whether the array bound by e is best computed again at each
// of its uses, on a device.
func (g *Builder) stencil(e *tail.Let, p *Pull, uses int) bool {
	if g.CPU() || p.Faults || p.Cost > 10 || uses > 4 || p.At == nil && p.Flat == nil || g.Live.Deep[e.Var] {
		return false
	}
	next := e.Body
	if let, ok := next.(*tail.Let); ok {
		next = let.Bind
	}
	seen, ok := moved(next, e.Var)
	return ok && seen == uses
}

// moved counts the uses of v in an array whose elements are computed each from
// one element a use; it reports false where v has other uses.
func moved(x tail.Expr, v *tail.Var) (uses int, ok bool) {
	if r, is := x.(*tail.Ref); is && r.Var == v {
		return 1, true
	}
	if !mentionsVar(x, v) {
		return 0, true
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
	default:
		return 0, false
	}
	for i, arg := range a.Args {
		switch {
		case i >= from:
			n, ok := moved(arg, v)
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
