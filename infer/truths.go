package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// truths reports whether the elements of e certainly are 0 or 1, whatever its
// element type: APL's truth values are numbers.
func truths(e tail.Expr) bool { return truthsIn(e, map[*tail.Func]bool{}) }

func truthsIn(e tail.Expr, seen map[*tail.Func]bool) bool {
	a, ok := e.Type().(*tail.Array)
	switch {
	case !ok:
		return false
	case a.Elem == array.Bool || zeroOrOne(a):
		return true
	case a.Elem != array.Int:
		return false
	}
	switch e := e.(type) {
	case *tail.Let:
		return truthsIn(e.Body, seen)
	case *tail.If:
		return truthsIn(e.Then, seen) && truthsIn(e.Else, seen)
	case *tail.Call:
		if seen[e.Fn] {
			return true
		}
		seen[e.Fn] = true
		return e.Fn.Body != nil && e.Fn.Name != stubName && truthsIn(e.Fn.Body, seen)
	case *tail.Lam:
		return truthsIn(e.Body, seen)
	case *tail.Lit:
		for _, n := range e.Value.Ints {
			if n != 0 && n != 1 {
				return false
			}
		}
		return true
	case *tail.Apply:
		switch e.Op {
		case tail.OpB2I:
			return true
		case tail.OpEach, tail.OpZipWith:
			l, ok := e.Args[0].(*tail.Lam)
			return ok && truthsIn(l.Body, seen)
		}
	}
	return false
}

// zeroOrOne reports whether all elements are known to be 0 or 1.
func zeroOrOne(t *tail.Array) bool {
	if t.Elem != array.Int || len(t.Values) == 0 {
		return false
	}
	for _, v := range t.Values {
		if n, ok := v.IsConst(); !ok || n != 0 && n != 1 {
			return false
		}
	}
	return true
}
