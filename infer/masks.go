package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// conjunct is one of the conditions that a mask has of each element: that its key is what f computes from its
// arguments, or a truth value that is the same for all arguments.
//
//	(a=⍺)∧(b=1+⍵)∧v>3       a and ⍺; b and 1+⍵; v>3
type conjunct struct {
	keys tail.Expr // a vector from outside, or the truth values
	of   tail.Expr // the scalar; nil where keys are truth values; the vector of vectors where keys are such
}

// maxDefinitions is how many variables are followed to their definitions, one within the other.
const maxDefinitions = 20

// candidates returns the masks of the body of f, each kind once, in the order of their use.
func (k *keyFolds) candidates(body tail.Expr) [][]conjunct {
	var all [][]conjunct
	var visit func(e tail.Expr) bool
	visit = func(e tail.Expr) bool {
		if let, ok := e.(*tail.Let); ok {
			if list := k.conjuncts(let.Bind); depends(list) {
				k.masks.named[let.Var] = list
				tail.Walk(let.Body, visit)
				return false
			}
		}
		list := k.conjuncts(e)
		if !depends(list) {
			return true
		}
		if !slices.ContainsFunc(all, func(x []conjunct) bool { return sameConjuncts(x, list) }) {
			all = append(all, list)
		}
		return false
	}
	tail.Walk(body, visit)
	return all
}

// depends reports whether a mask is another one for other arguments of f.
func depends(list []conjunct) bool {
	return slices.ContainsFunc(list, func(c conjunct) bool { return c.of != nil })
}

// conjuncts returns the conditions that e, a vector of truth values, consists of; nil where it is no such mask.
func (k *keyFolds) conjuncts(e tail.Expr) []conjunct {
	t, ok := e.Type().(*tail.Array)
	if !ok || t.Dims() != 1 || t.Elem != array.Bool {
		return nil
	}
	if r, ok := e.(*tail.Ref); ok && k.masks.named[r.Var] != nil {
		return k.masks.named[r.Var]
	}
	if a, ok := e.(*tail.Apply); ok && (a.Op == tail.OpEach || a.Op == tail.OpZipWith) {
		l := a.Args[0].(*tail.Lam)
		c := k.compared(a, l)
		if c == nil {
			c = k.matched(a, l)
		}
		if c != nil {
			return []conjunct{*c}
		}
		if op, _ := tail.EtaReduced(l); op == tail.OpAndB && a.Op == tail.OpZipWith && tail.TypeOf(a.Args[1]).Extent(0).Equal(tail.TypeOf(a.Args[2]).Extent(0)) {
			x, y := k.conjuncts(a.Args[1]), k.conjuncts(a.Args[2])
			if len(x) > 0 && len(y) > 0 {
				return append(slices.Clone(x), y...)
			}
			return nil
		}
	}
	if e = k.defined(e); k.outside(e) {
		return []conjunct{{keys: e}}
	}
	return nil
}

// compared returns the condition that a, l of the elements of a vector, is; nil where l does not compare them with
// what f computes from its arguments.
func (k *keyFolds) compared(a *tail.Apply, l *tail.Lam) *conjunct {
	eq, ok := l.Body.(*tail.Apply)
	if !ok || a.Op != tail.OpEach || eq.Op != tail.OpEqI && eq.Op != tail.OpEqC {
		return nil
	}
	x, y := eq.Args[0], eq.Args[1]
	if !slices.Contains(tail.FreeVars(x), l.Params[0]) {
		x, y = y, x
	}
	keys, of := k.defined(a.Args[1]), k.defined(y)
	free := tail.FreeVars(of)
	argument := func(v *tail.Var) bool { return slices.Contains(k.params, v) }
	inner := func(v *tail.Var) bool { return k.bound[v] && !argument(v) }
	if !k.outside(keys) || slices.Contains(free, l.Params[0]) || !slices.ContainsFunc(free, argument) || slices.ContainsFunc(free, inner) || !analysis.Total(of) {
		return nil
	}
	if !tail.IsRef(x, l.Params[0]) { // of other elements than integers
		own := &tail.Lam{At: l.At, Params: l.Params, Body: x}
		each, bad := tail.NewApply(a.Where, tail.OpEach, 0, nil, own, keys)
		if keys = each; bad != nil || !k.outside(keys) {
			return nil
		}
	}
	return &conjunct{keys, of}
}

// matched returns the condition that a, l of the elements of a vector, is that item j of a vector of vectors matches
// item i of another one; nil for others. The numbers of all items are the vector and the arguments of f.
//
//	x≡¨⊂i⊃y       x and y
func (k *keyFolds) matched(a *tail.Apply, l *tail.Lam) *conjunct {
	body := l.Body
	for let, ok := body.(*tail.Let); ok; let, ok = body.(*tail.Let) {
		body = let.Body
	}
	match, ok := body.(*tail.Apply)
	if !ok || a.Op != tail.OpEach || match.Op != tail.OpMatch || len(k.params) != 1 {
		return nil
	}
	x, y := k.madeItem(match.Args[0]), k.madeItem(match.Args[1])
	if x == nil || y == nil {
		return nil
	}
	if !tail.IsRef(x.i, l.Params[0]) {
		x, y = y, x
	}
	elem := func(x *madeItem) array.Elem { return tail.TypeOf(x.of.Elems[0]).Elem }
	exact := elem(x) == elem(y) && (elem(x) == array.Char || elem(x) == array.Int)
	if !exact || !tail.IsRef(x.i, l.Params[0]) || !tail.IsRef(y.i, k.params[0]) || !k.outside(x.of) || !k.outside(y.of) {
		return nil
	}
	if !numbersAll(k.madeBy(a.Args[1]), x) || !numbersAll(k.by, y) {
		return nil
	}
	return &conjunct{x.of, y.of}
}

// madeItem returns the item of a vector of vectors that e is; nil for others.
func (k *keyFolds) madeItem(e tail.Expr) *madeItem {
	if a := k.madeBy(e); a != nil {
		return k.g.itemsMade[a]
	}
	return nil
}

// madeBy is madeBy for variables of f, too.
func (k *keyFolds) madeBy(e tail.Expr) *tail.Apply {
	if r, ok := e.(*tail.Ref); ok && k.made[r.Var] != nil {
		e = k.made[r.Var]
	}
	return k.g.madeBy(e)
}

// numbersAll reports whether numbers are certain to be those of all items, in order, of the vector that x is of.
func numbersAll(numbers *tail.Apply, x *madeItem) bool {
	if numbers == nil || numbers.Op != tail.OpIota {
		return false
	}
	n := tail.TypeOf(numbers).Extent(0)
	if n.Known() && n.Equal(tail.TypeOf(x.of.Elems[1]).Extent(0)) {
		return true
	}
	count, ok := numbers.Args[0].(*tail.Apply)
	return ok && count.Op == tail.OpTally && sameExpr(count.Args[0], x.of.Elems[1])
}

// defined returns e with the definitions of variables of f in their places, where they always have a value.
func (k *keyFolds) defined(e tail.Expr) tail.Expr {
	for range maxDefinitions {
		known := map[*tail.Var]tail.Expr{}
		for _, v := range tail.FreeVars(e) {
			if x := k.lets[v]; x != nil {
				known[v] = x
			}
		}
		if len(known) == 0 {
			return e
		}
		e = tail.CopyWith(e, known, nil)
	}
	return e
}

// sameConjuncts reports whether masks have the same conditions.
func sameConjuncts(x, y []conjunct) bool {
	within := func(x, y []conjunct) bool {
		return !slices.ContainsFunc(x, func(a conjunct) bool {
			return !slices.ContainsFunc(y, func(b conjunct) bool {
				return (a.of == nil) == (b.of == nil) && (a.of == nil || sameExpr(a.of, b.of)) && sameExpr(a.keys, b.keys)
			})
		})
	}
	return within(x, y) && within(y, x)
}

// sameExpr reports whether two expressions are written alike: variables, literals, ops and their functions.
func sameExpr(x, y tail.Expr) bool { return alike(x, y, map[*tail.Var]*tail.Var{}) }

// alike is sameExpr where variables of x stand for some of y.
func alike(x, y tail.Expr, names map[*tail.Var]*tail.Var) bool {
	switch x := x.(type) {
	case *tail.Ref:
		if v := names[x.Var]; v != nil {
			return tail.IsRef(y, v)
		}
		return tail.IsRef(y, x.Var)
	case *tail.Lit:
		z, ok := y.(*tail.Lit)
		n, whole := tail.ConstInt(x)
		m, same := tail.ConstInt(y)
		return ok && x.Value == z.Value || whole && same && n == m && tail.Equal(x.Ty, y.Type())
	case *tail.Lam:
		z, ok := y.(*tail.Lam)
		if !ok || len(x.Params) != len(z.Params) {
			return false
		}
		for i, p := range x.Params {
			if !tail.Equal(p.Type, z.Params[i].Type) {
				return false
			}
			names[p] = z.Params[i]
		}
		return alike(x.Body, z.Body, names)
	case *tail.Proj:
		z, ok := y.(*tail.Proj)
		return ok && x.I == z.I && alike(x.X, z.X, names)
	case *tail.Tuple:
		z, ok := y.(*tail.Tuple)
		return ok && slices.EqualFunc(x.Elems, z.Elems, func(a, b tail.Expr) bool { return alike(a, b, names) })
	case *tail.Apply:
		z, ok := y.(*tail.Apply)
		if !ok || x.Op != z.Op || x.Axis != z.Axis || len(x.Ks)+len(z.Ks) > 0 || len(x.Args) != len(z.Args) {
			return false
		}
		for i := range x.Args {
			if !alike(x.Args[i], z.Args[i], names) {
				return false
			}
		}
		return true
	}
	return false
}
