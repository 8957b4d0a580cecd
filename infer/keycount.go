package infer

import "github.com/tailor-lang/tailor/tail"

// f⌸ where f asks of the positions, or of the values, of a key only how many
// there are, as in {⍺,≢⍵}⌸y and {≢⍵}⌸y: the keys are counted, and nothing is
// sorted. Each f gets a vector of as many fill elements.

// countsOnly reports whether f uses of the group of a key, which has the type of
// a part of values, no more than its tally.
func (g *infer) countsOnly(f function, keys, values tail.Expr, s site) bool {
	k, ok := keys.Type().(*tail.Array)
	v, simple := values.Type().(*tail.Array)
	if !ok || !simple || k.Dims() == 0 || v.Dims() != 1 {
		return false
	}
	types := []tail.Type{tail.Ranked(k.Elem, k.Dims()-1), tail.Ranked(v.Elem, 1)}
	var l *tail.Lam
	if !g.succeeds(func() {
		l = g.lambda(s.fn, types, func(a []tail.Expr) tail.Expr { return g.dyadic(f, a[0], a[1], s) })
	}) {
		return false
	}
	return onlyTallied(l.Body, l.Params[1], maxTallied)
}

// maxTallied is how many calls deep a group is followed.
const maxTallied = 8

// onlyTallied reports whether the tally of v is all that e uses of it.
func onlyTallied(e tail.Expr, v *tail.Var, depth int) bool {
	if depth == 0 || e == nil {
		return false
	}
	only := true
	tail.Walk(e, func(x tail.Expr) bool {
		switch x := x.(type) {
		case *tail.Ref:
			only = only && x.Var != v
		case *tail.Apply:
			return !(x.Op == tail.OpTally && tail.IsRef(x.Args[0], v))
		case *tail.Let:
			if tail.IsRef(x.Bind, v) {
				only = only && onlyTallied(x.Body, x.Var, depth-1) && onlyTallied(x.Body, v, depth-1)
				return false
			}
		case *tail.Call:
			for i, a := range x.Args {
				switch {
				case tail.IsRef(a, v) && !x.Fn.Recursive:
					only = only && onlyTallied(x.Fn.Body, x.Fn.Params[i], depth-1)
				default:
					only = only && onlyTallied(a, v, depth-1)
				}
			}
			return false
		}
		return only
	})
	return only
}
