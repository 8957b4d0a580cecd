package infer

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// f⌸ where f only counts the elements of a group and reduces what is computed from each
// of them, by functions for which the order does not matter, but for the last digit of
// sums. No group is made: every element goes to the results of its key at once.
//
//	k{⍺,(+/⍵×⍵)÷≢⍵}⌸v
//
// becomes
//
//	u←∪k ⋄ p←u⍳k
//	n←(≢u)⍴0 ⋄ n[p]+←1
//	s←(≢u)⍴0 ⋄ s[p]+←v×v
//	{u[⍵],s[⍵]÷n[⍵]}⍤0⊢⍳≢u

// maxFoldCalls is how many calls deep a group is followed.
const maxFoldCalls = 8

// keyFolds is what f does with a group.
type keyFolds struct {
	params []*tail.Var             // the key, and the group where masks selects none, else the arguments of f
	masks  *maskedGroup            // what selects the group, for f¨
	length tail.Size               // how many keys there are, where groups are of positions among them
	terms  map[*tail.Var]tail.Expr // the variables that are computed from the group, element by element
	bound  map[*tail.Var]bool      // those that exist within f
	lets   map[*tail.Var]tail.Expr // what some of them are, which always has a value, for f¨
	made   map[*tail.Var]tail.Expr // what all of them are
	g      *infer
	by     *tail.Apply // what makes the elements that f¨ has as arguments
	folds  []*keyFold
	sums   int // that may overflow
	failed bool
}

// keyFold is a reduction of the terms of a group.
type keyFold struct {
	op    tail.Op
	start int64     // for integers, where zero is nil
	zero  tail.Expr // what the reduction begins with
	term  tail.Expr // an array; nil for the number of elements
	value *tail.Var // in f
	from  *tail.Apply
	all   tail.Expr // of all keys
}

// foldOps are the functions for which the order of the elements does not matter, with
// the integers they begin with.
var foldOps = map[tail.Op]int64{
	tail.OpAddI: 0, tail.OpAddD: 0, tail.OpMaxI: math.MinInt64, tail.OpMinI: math.MaxInt64, tail.OpMaxD: 0, tail.OpMinD: 0, tail.OpAndB: 0, tail.OpOrB: 0,
}

// foldsOf returns what f does with the group of a key, and its body with variables in
// place of that; nil where it does anything else with the group, and where folds and
// what follows might fault in another order. Groups of positions are such among length.
func (g *infer) foldsOf(f function, keys, values *tail.Array, length tail.Size, s site) (*keyFolds, tail.Expr) {
	types := []tail.Type{tail.Ranked(keys.Elem, keys.Dims()-1), tail.Ranked(values.Elem, 1)}
	var l *tail.Lam
	if !g.succeeds(func() {
		l = g.lambda(s.fn, types, func(a []tail.Expr) tail.Expr { return g.dyadic(f, a[0], a[1], s) })
	}) {
		return nil, nil
	}
	k := newKeyFolds(l, nil, length)
	return k, k.of(l.Body, s)
}

// newKeyFolds begins to look for what l does with groups.
func newKeyFolds(l *tail.Lam, m *maskedGroup, length tail.Size) *keyFolds {
	k := &keyFolds{params: l.Params, masks: m, length: length, terms: map[*tail.Var]tail.Expr{}, bound: map[*tail.Var]bool{}, lets: map[*tail.Var]tail.Expr{}, made: map[*tail.Var]tail.Expr{}}
	for i, p := range l.Params {
		k.bound[p] = i == 0 || m != nil
	}
	k.binds(l.Body)
	return k
}

// of returns the body of f with variables for the folds in it; nil as foldsOf says.
func (k *keyFolds) of(body tail.Expr, s site) tail.Expr {
	body = k.expr(body, maxFoldCalls)
	if k.failed || k.sums > 1 {
		return nil
	}
	if k.sums == 1 {
		one := map[*tail.Var]tail.Expr{}
		for _, x := range k.folds {
			if x.term == nil && !k.mayBeEmpty() {
				one[x.value] = lit(s.fn, array.ScalarInt(1))
			}
		}
		if !analysis.Total(tail.Subst(body, one)) {
			return nil
		}
	}
	return body
}

// binds notes the variables that e binds.
func (k *keyFolds) binds(e tail.Expr) {
	tail.Walk(e, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Let:
			k.bound[e.Var] = true
			k.made[e.Var] = e.Bind
			if k.masks != nil && analysis.Total(e.Bind) {
				k.lets[e.Var] = e.Bind
			}
		case *tail.Lam:
			for _, p := range e.Params {
				k.bound[p] = true
			}
		}
		return true
	})
}

// expr returns e with variables for the folds in it.
func (k *keyFolds) expr(e tail.Expr, depth int) tail.Expr {
	sub := func(e tail.Expr) tail.Expr { return k.expr(e, depth) }
	switch e := e.(type) {
	case *tail.Ref:
		k.failed = k.failed || k.isTerm(e) || k.masks.isMask(k, e)
	case *tail.Let:
		if k.isTerm(e.Bind) {
			k.terms[e.Var] = e.Bind
			return sub(e.Body)
		}
		if k.masks.isMask(k, e.Bind) {
			return sub(e.Body)
		}
	case *tail.Apply:
		of := k.masks.selection(k, e)
		if x := k.fold(of); x != nil {
			return x
		}
		return tail.MapChildren(of, sub)
	case *tail.Call:
		if !e.Fn.Recursive && depth > 0 {
			return k.expr(k.inlined(e), depth-1)
		}
	}
	return tail.MapChildren(e, sub)
}

// inlined returns the body of a function that is called, its arguments named.
func (k *keyFolds) inlined(e *tail.Call) tail.Expr {
	vars := map[*tail.Var]tail.Expr{}
	var names []*tail.Var
	for i, p := range e.Fn.Params {
		if r, ok := e.Args[i].(*tail.Ref); ok {
			vars[p] = r
			names = append(names, nil)
			continue
		}
		v := &tail.Var{Name: p.Name, Type: e.Args[i].Type()}
		vars[p] = &tail.Ref{At: e.At, Var: v}
		names = append(names, v)
	}
	body := tail.CopyWith(e.Fn.Body, vars, nil)
	for i, v := range names {
		if v != nil {
			body = &tail.Let{At: e.At, Var: v, Bind: e.Args[i], Body: body}
		}
	}
	k.binds(body)
	return body
}

// inlinedAll returns e with the bodies of functions that it calls in their places, so many calls deep.
func (k *keyFolds) inlinedAll(e tail.Expr, depth int) tail.Expr {
	if c, ok := e.(*tail.Call); ok && !c.Fn.Recursive && depth > 0 {
		return k.inlinedAll(k.inlined(c), depth-1)
	}
	return tail.MapChildren(e, func(e tail.Expr) tail.Expr { return k.inlinedAll(e, depth) })
}

// isTerm reports whether e is the group, or computed from its elements one by one,
// without faults, and from nothing else that exists within f.
func (k *keyFolds) isTerm(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Ref:
		return k.isGroup(e) || k.terms[e.Var] != nil
	case *tail.Apply:
		switch {
		case k.isGroup(e) || k.masks.selects(k, e):
			return true
		case e.Op == tail.OpIndex:
			return k.looksUp(e)
		}
		if e.Op != tail.OpEach && e.Op != tail.OpZipWith {
			return false
		}
		l, ok := e.Args[0].(*tail.Lam)
		if !ok || !analysis.Total(l.Body) {
			return false
		}
		for _, v := range tail.FreeVars(l) {
			if k.bound[v] {
				return false
			}
		}
		for _, x := range e.Args[1:] {
			if !k.isTerm(x) {
				return false
			}
		}
		return true
	}
	return false
}

// isGroup reports whether e is the group, for f¨ its positions.
func (k *keyFolds) isGroup(e tail.Expr) bool {
	if k.masks == nil {
		return tail.IsRef(e, k.params[1])
	}
	if r, ok := e.(*tail.Ref); ok && k.terms[r.Var] != nil {
		e = k.terms[r.Var]
	}
	a, ok := e.(*tail.Apply)
	return ok && a.Op == tail.OpWhere && k.masks.isMask(k, a.Args[0])
}

// looksUp reports whether e is the elements of a vector at the positions of the group: the
// vector has one for each key.
func (k *keyFolds) looksUp(e *tail.Apply) bool {
	x, ok := e.Args[0].(*tail.Ref)
	if !ok || k.bound[x.Var] || len(e.Args) != 2 || !k.isGroup(e.Args[1]) || tail.RankOf(x) != 1 {
		return false
	}
	n := tail.TypeOf(x).Extent(0)
	return k.length.Known() && n.Known() && n.Equal(k.length)
}

// fold returns the variable for e where it is the tally or a reduction of terms; else nil.
func (k *keyFolds) fold(e *tail.Apply) tail.Expr {
	last := len(e.Args) - 1
	if last < 0 || !k.isTerm(e.Args[last]) {
		return nil
	}
	x := &keyFold{op: tail.OpAddI, from: e}
	switch e.Op {
	case tail.OpTally:
	case tail.OpReduce, tail.OpReduce1:
		l, ok := e.Args[0].(*tail.Lam)
		if !ok || tail.TypeOf(e.Args[last]).Dims() != 1 {
			return nil
		}
		if x.op, ok = tail.EtaReduced(l); !ok {
			return nil
		}
		if x.start, ok = foldOps[x.op]; !ok || e.Op == tail.OpReduce1 && (x.op != tail.OpMaxI && x.op != tail.OpMinI || k.mayBeEmpty()) {
			return nil
		}
		if e.Op == tail.OpReduce {
			if x.zero, ok = e.Args[1].(*tail.Lit); !ok {
				return nil
			}
		}
		x.term = e.Args[last]
		if x.op == tail.OpAddI && !analysis.Total(e) {
			k.sums++
		}
	default:
		return nil
	}
	x.value = &tail.Var{Name: "fold", Type: tail.Ranked(tail.TypeOf(e).Elem, 0)}
	k.folds = append(k.folds, x)
	return &tail.Ref{At: e.At, Var: x.value}
}

// element returns the element of the term e whose element of the group is x, a variable.
func (k *keyFolds) element(g *infer, e, x tail.Expr) tail.Expr {
	switch e := e.(type) {
	case *tail.Ref:
		if k.isGroup(e) {
			return x
		}
		return k.element(g, k.terms[e.Var], x)
	case *tail.Apply:
		switch e.Op {
		case tail.OpWhere:
			return x
		case tail.OpCompress:
			return g.op(tail.OpIndex, site{fn: e.Where}, k.masks.of(e).from, x)
		case tail.OpIndex:
			return g.op(tail.OpIndex, site{fn: e.Where}, e.Args[0], x)
		}
		l := e.Args[0].(*tail.Lam)
		vars := map[*tail.Var]tail.Expr{}
		for i, p := range l.Params {
			vars[p] = g.name(k.element(g, e.Args[i+1], x))
		}
		return tail.CopyWith(l.Body, vars, nil)
	}
	panic("internal error: a term that is none")
}

// keyFolded is f⌸ where f only folds groups; nil where it does not. The values are the
// positions where there are none. Where claims are examined it is nil, too: that groups
// exist is easier to prove than that places in tables do.
func (g *infer) keyFolded(f function, keys, values tail.Expr, s site) tail.Expr {
	kt, ok := keys.Type().(*tail.Array)
	vt := tail.Ranked(array.Int, 1)
	if ok && values != nil {
		vt, ok = values.Type().(*tail.Array)
	}
	if !ok || kt.Dims() == 0 || vt.Dims() != 1 || g.examiner != nil {
		return nil
	}
	length := tail.AnySize
	if values == nil {
		length = kt.Extent(0)
	}
	k, body := g.foldsOf(f, kt, vt, length, s)
	if body == nil {
		return nil
	}
	prim := func(glyph string, x, y tail.Expr) tail.Expr {
		p := &primitive{glyph: glyph, at: s.fn}
		if x == nil {
			return g.name(g.primitiveMonadic(p, y, s))
		}
		return g.name(g.primitiveDyadic(p, x, y, s))
	}
	keys = g.name(keys)
	if values != nil {
		values = g.name(g.fromPrelude(g.preludeClosure("likekeys"), keys, values, s))
	} else {
		values = prim("⍳", nil, prim("≢", nil, keys))
	}
	defer func(origin int) { g.origin = origin }(g.origin)
	g.origin = 1
	exact := kt.Dims() == 1 && (kt.Elem == array.Int || kt.Elem == array.Char || kt.Elem == array.Bool)
	among := keys
	if !exact { // the first position of each key
		among = prim("⍳", keys, keys)
	}
	unique := prim("∪", nil, among)
	n := prim("≢", nil, unique)
	ids := prim("⍳", unique, among)
	g.foldGroups(k, ids, values, n, s)
	of := &changing{func(i tail.Expr) tail.Expr {
		i = g.name(i)
		key := prim("⌷", i, unique)
		if !exact {
			key = prim("⌷", key, keys)
		}
		vars := g.foldsOfGroup(k, i, s)
		vars[k.params[0]] = key
		return tail.CopyWith(body, vars, nil)
	}}
	return g.fromPrelude(g.preludeClosure("ofeach", operand{fn: of, at: s.fn}), nil, n, s)
}

// foldGroups folds n groups: ids says in which each of the values is.
func (g *infer) foldGroups(k *keyFolds, ids, values, n tail.Expr, s site) {
	for _, x := range k.folds {
		x.all = g.name(g.foldAll(k, x, ids, values, n, s))
	}
}

// foldsOfGroup returns what stands for the folds of a group.
func (g *infer) foldsOfGroup(k *keyFolds, group tail.Expr, s site) map[*tail.Var]tail.Expr {
	vars := map[*tail.Var]tail.Expr{}
	for _, x := range k.folds {
		vars[x.value] = g.name(g.op(tail.OpIndex, s, x.all, group))
	}
	return vars
}

// foldAll returns a fold of the groups of all n keys.
func (g *infer) foldAll(k *keyFolds, x *keyFold, ids, values, n tail.Expr, s site) tail.Expr {
	if x.zero == nil {
		x.zero = lit(s.fn, array.ScalarInt(x.start))
	}
	start := g.name(g.primitiveDyadic(&primitive{glyph: "⍴", at: s.fn}, n, x.zero, s))
	step := &made{func(acc, v tail.Expr) tail.Expr {
		e := tail.Expr(g.intLit(s, 1))
		if x.term != nil {
			e = k.element(g, x.term, g.name(v))
		}
		step := g.op(x.op, s, acc, e).(*tail.Apply)
		step.Where, step.Blame = x.from.Where, x.from.Blame
		return step
	}}
	at := &tail.Tuple{At: tail.At{Where: s.fn}, Elems: []tail.Expr{ids, values}}
	return g.fromPrelude(g.preludeClosure("modify", operand{fn: step, at: s.fn}), start, at, s)
}
