package infer

import (
	"maps"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// f¨t where masks k=⍵, of one k, select groups: those of the elements of t, as of keys for f⌸. They may be
// empty, and elements of k may be in none. What folds groups goes through k once:
//
//	{(+/(k=⍵)/v)÷1⌈+/k=⍵}¨t
//
// becomes
//
//	p←t⍳k ⋄ q←t⍳t
//	n←(1+≢t)⍴0 ⋄ n[p]+←1
//	s←(1+≢t)⍴0 ⋄ s[p]+←v
//	{s[q[⍵]]÷1⌈n[q[⍵]]}¨⍳≢t
//
// Where f does other things with groups, they are parts of what is selected from, in the order of p.

// fewMasks is the number of elements of t up to which comparisons, which are vector code, are
// quicker.
const fewMasks = 16

// maskedGroup is what selects the group of an element of t.
type maskedGroup struct {
	mask       []conjunct                  // of which there may be copies
	unique     tail.Expr                   // y of t, which is ∪y
	named      map[*tail.Var][]conjunct    // variables that are masks
	selections []*maskSelection            // m/v
	made       map[*tail.Apply]*tail.Apply // the folds of selections that stand for other folds
}

// maskSelection is what a mask selects from a vector.
type maskSelection struct {
	e    *tail.Apply
	from tail.Expr
	part *tail.Var // that stands for it, where groups are parts
}

// of returns a selection; nil where e is none that was found.
func (m *maskedGroup) of(e *tail.Apply) *maskSelection {
	i := slices.IndexFunc(m.selections, func(x *maskSelection) bool { return x.e == e })
	if i < 0 {
		return nil
	}
	return m.selections[i]
}

// mayBeEmpty reports whether a group may have no elements.
func (k *keyFolds) mayBeEmpty() bool {
	m := k.masks
	return m != nil && (m.unique == nil || len(m.mask) > 1 || !sameExpr(m.unique, m.mask[0].keys) || !tail.IsRef(m.mask[0].of, k.params[0]))
}

// isMask reports whether e is one of the masks that select groups.
func (m *maskedGroup) isMask(k *keyFolds, e tail.Expr) bool {
	return m != nil && sameConjuncts(m.mask, k.conjuncts(e))
}

// outside reports whether e is the same for all keys, and may be computed before.
func (k *keyFolds) outside(e tail.Expr) bool {
	for _, v := range tail.FreeVars(e) {
		if k.bound[v] {
			return false
		}
	}
	return analysis.Total(e)
}

// selects reports whether e is the elements of a vector that a mask selects.
func (m *maskedGroup) selects(k *keyFolds, e *tail.Apply) bool {
	if m == nil || e.Op != tail.OpCompress || !m.isMask(k, e.Args[0]) || !k.outside(e.Args[1]) || tail.RankOf(e.Args[1]) != 1 {
		return false
	}
	if !tail.TypeOf(e.Args[1]).Extent(0).Equal(tail.TypeOf(e.Args[0]).Extent(0)) {
		return false
	}
	if m.of(e) == nil {
		m.selections = append(m.selections, &maskSelection{e: e, from: e.Args[1]})
	}
	return true
}

// comparesAndSelects reports whether a dfn has glyphs that f¨ by groups needs.
func comparesAndSelects(f function) bool {
	c, ok := f.(*closure)
	if !ok {
		return false
	}
	text := c.node.Span().Text()
	return strings.ContainsAny(text, "=≡∊") && strings.ContainsAny(text, "/⌿⍸+")
}

// numbered is f¨t as apply¨numbers, where apply is given the number of an element of t, which is the only one of
// vectors, or of all.
type numbered struct {
	vectors []tail.Expr
	numbers tail.Expr
	apply   change
	makers  []func(i tail.Expr) map[*tail.Var]tail.Expr
}

// groupMaker makes n groups, and returns what stands for the folds or the parts of one; ids says in which each of
// the elements is.
type groupMaker func(k *keyFolds, ids, n tail.Expr, s site) func(group tail.Expr) map[*tail.Var]tail.Expr

// byGroups is f¨t, where l is f of an element of t, with groups of the elements of t; nil where masks are used
// for anything else than selecting them, or t has few elements.
func (g *infer) byGroups(f function, t tail.Expr, l func() *tail.Lam, s site) *numbered {
	if n, known := countOf(tail.TypeOf(t)).IsConst(); tail.TypeOf(t).Dims() != 1 || known && n <= fewMasks {
		return nil
	}
	return g.byGroupsOf(f, []*tail.Array{tail.TypeOf(t)}, g.madeBy(t), l, func() []tail.Expr { return []tail.Expr{g.name(t)} }, s)
}

// eachByGroups2 is x f¨y of vectors of one length, or of one and a scalar, as byGroups does f¨t; nil where that is
// nil.
func (g *infer) eachByGroups2(f function, x, y tail.Expr, apply combine, s site) tail.Expr {
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	var by *numbered
	switch {
	case !comparesAndSelects(f):
		return nil
	case tx.Dims() == 0:
		x, y = g.names2(x, y)
		l := func() *tail.Lam { return g.ofElement(ty, func(a tail.Expr) tail.Expr { return apply(x, a) }, s) }
		by = g.byGroups(f, y, l, s)
	case ty.Dims() == 0:
		x, y = g.names2(x, y)
		l := func() *tail.Lam { return g.ofElement(tx, func(a tail.Expr) tail.Expr { return apply(a, y) }, s) }
		by = g.byGroups(f, x, l, s)
	case tx.Dims() == 1 && ty.Dims() == 1 && tx.Extent(0).Known() && tx.Extent(0).Equal(ty.Extent(0)):
		if n, known := tx.Extent(0).IsConst(); known && n <= fewMasks {
			return nil
		}
		by = g.byGroupsOf(f, []*tail.Array{tx, ty}, nil, func() *tail.Lam {
			types := []tail.Type{tail.Scalar(tx.Elem), tail.Scalar(ty.Elem)}
			return g.lambda(s.fn, types, func(a []tail.Expr) tail.Expr { return apply(a[0], a[1]) })
		}, func() []tail.Expr {
			x, y = g.names2(x, y)
			return []tail.Expr{x, y}
		}, s)
	}
	if by == nil {
		return nil
	}
	return g.each(by.numbers, s, by.apply)
}

// ofElement is the function of an element of an array of a type that f applies.
func (g *infer) ofElement(t *tail.Array, f change, s site) *tail.Lam {
	return g.lambda(s.fn, []tail.Type{tail.Scalar(t.Elem)}, func(a []tail.Expr) tail.Expr { return f(a[0]) })
}

// outerByGroups is x∘.f y of vectors as byGroups does f¨ of all pairs, where l is f of two elements; nil where that
// is nil.
func (g *infer) outerByGroups(f function, l *tail.Lam, x, y tail.Expr, s site) tail.Expr {
	tx, ty := tail.TypeOf(x), tail.TypeOf(y)
	if tx.Dims() != 1 || ty.Dims() != 1 {
		return nil
	}
	n, rows := tx.Extent(0).IsConst()
	m, columns := ty.Extent(0).IsConst()
	if rows && columns && n*m <= fewMasks {
		return nil
	}
	var shape tail.Expr
	by := g.byGroupsOf(f, []*tail.Array{tx, ty}, nil, func() *tail.Lam { return l }, func() []tail.Expr {
		x, y = g.names2(x, y)
		n, m := g.name(g.op(tail.OpTally, s, x)), g.name(g.op(tail.OpTally, s, y))
		shape = g.vector(s.fn, []tail.Expr{n, m}, array.Int)
		pairs := g.items(g.name(g.fromPrelude(g.preludeClosure("pairsof"), n, m, s)))
		return []tail.Expr{g.name(g.op(tail.OpIndex, s, x, pairs[0])), g.name(g.op(tail.OpIndex, s, y, pairs[1]))}
	}, s)
	if by == nil {
		return nil
	}
	return g.op(tail.OpReshape, s, shape, g.each(by.numbers, s, by.apply))
}

// byGroupsOf is byGroups of an f of one or more arguments of some types, the elements of vectors. What makes the only
// one may be known.
func (g *infer) byGroupsOf(f function, types []*tail.Array, numbers *tail.Apply, l func() *tail.Lam, vectors func() []tail.Expr, s site) *numbered {
	compares := func(t *tail.Array) bool { return t.Elem == array.Int || t.Elem == array.Char }
	if !slices.ContainsFunc(types, compares) || g.examiner != nil || g.blamed != nil || !comparesAndSelects(f) {
		return nil
	}
	of := l()
	var found []*tail.Var // that stand for folds and parts of other masks
	newGroups := func(mask []conjunct) *keyFolds {
		m := &maskedGroup{mask: mask, named: map[*tail.Var][]conjunct{}, made: map[*tail.Apply]*tail.Apply{}}
		k := newKeyFolds(of, m, tail.AnySize)
		k.g, k.by = g, numbers
		for _, v := range found {
			k.bound[v] = true
		}
		return k
	}
	var by *numbered
	whole := newGroups(nil)
	of = &tail.Lam{At: of.At, Params: of.Params, Body: whole.inlinedAll(of.Body, maxFoldCalls)}
	whole = newGroups(nil)
	for _, mask := range whole.candidates(of.Body) {
		k, body, make := g.foldedOrParted(of.Body, func() *keyFolds {
			k := newGroups(mask)
			k.masks.named = whole.masks.named
			return k
		}, s)
		if body == nil {
			continue
		}
		if by == nil {
			by = &numbered{vectors: vectors()}
			by.numbers = g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, by.vectors[0])))
		}
		found = append(found, k.values()...)
		by.makers = append(by.makers, g.groupsOf(k, by.vectors, make, s))
		of = &tail.Lam{At: of.At, Params: of.Params, Body: body}
	}
	if by == nil {
		return nil
	}
	by.apply = func(i tail.Expr) tail.Expr {
		defer func(origin int) { g.origin = origin }(g.origin)
		g.origin = 1
		i = g.name(i)
		all := map[*tail.Var]tail.Expr{}
		for j, p := range of.Params {
			all[p] = g.name(g.op(tail.OpIndex, s, by.vectors[j], i))
		}
		for _, made := range by.makers {
			maps.Copy(all, made(i))
		}
		return tail.CopyWith(of.Body, all, nil)
	}
	return by
}

// foldedOrParted returns the body of f with variables for the folds of groups, or else for groups, and what makes
// them; a nil body where groups are used for anything else.
func (g *infer) foldedOrParted(body tail.Expr, groups func() *keyFolds, s site) (*keyFolds, tail.Expr, groupMaker) {
	k := groups()
	if folded := k.of(body, s); folded != nil && len(k.folds) > 0 {
		return k, folded, g.foldedGroups
	}
	k = groups()
	return k, k.parts(body), g.partedGroups
}

// values are the variables that stand for folds and parts.
func (k *keyFolds) values() []*tail.Var {
	var all []*tail.Var
	for _, x := range k.folds {
		all = append(all, x.value)
	}
	for _, x := range k.masks.selections {
		if x.part != nil {
			all = append(all, x.part)
		}
	}
	return all
}

// groupsOf makes the groups that a mask selects for each of the elements of vectors, and returns what stands for the
// folds or the parts of that with a number.
func (g *infer) groupsOf(k *keyFolds, vectors []tail.Expr, make groupMaker, s site) func(i tail.Expr) map[*tail.Var]tail.Expr {
	defer func(origin int) { g.origin = origin }(g.origin)
	g.origin = 1
	if made := g.madeBy(vectors[0]); made != nil && made.Op == tail.OpUnique {
		k.masks.unique = made.Args[0]
	}
	for _, x := range k.masks.selections {
		if x.from != nil {
			x.from = g.name(x.from)
		}
	}
	n := g.name(g.op(tail.OpTally, s, vectors[0]))
	next := g.name(g.op(tail.OpAddI, s, n, g.intLit(s, 1)))
	var ids, t tail.Expr
	for _, c := range k.masks.mask {
		if c.of == nil {
			continue
		}
		mine, keys := g.name(c.keys), g.name(c.of)
		if isTuple(c.keys) {
			mine, keys = g.firstPlaces(keys, keys, s), g.firstPlaces(keys, mine, s)
		} else {
			mine, keys = g.name(k.keyOf(g, c.of, vectors, s)), mine
		}
		if t == nil {
			ids, t = g.firstPlaces(mine, keys, s), mine
			continue
		}
		both := g.byPrelude("paired", next, ids, g.firstPlaces(mine, keys, s), s)
		t = g.byPrelude("paired", next, g.firstPlaces(t, t, s), g.firstPlaces(mine, mine, s), s)
		ids = g.firstPlaces(t, both, s)
	}
	for _, c := range k.masks.mask {
		if c.of == nil {
			ids = g.byPrelude("idswhere", next, ids, c.keys, s)
		}
	}
	vars := make(k, ids, next, s)
	first := tail.Expr(nil) // of the elements like each
	if made := g.madeBy(t); made == nil || made.Op != tail.OpUnique && made.Op != tail.OpIota {
		first = g.firstPlaces(t, t, s)
	}
	return func(i tail.Expr) map[*tail.Var]tail.Expr {
		if first != nil {
			i = g.name(g.op(tail.OpIndex, s, first, i))
		}
		return vars(i)
	}
}

// byPrelude is n f y z by a definition of the prelude, named.
func (g *infer) byPrelude(name string, n, y, z tail.Expr, s site) tail.Expr {
	return g.name(g.fromPrelude(g.preludeClosure(name), n, &tail.Tuple{Elems: []tail.Expr{y, z}}, s))
}

// keyOf is what f computes from each of its arguments, the elements of vectors.
func (k *keyFolds) keyOf(g *infer, of tail.Expr, vectors []tail.Expr, s site) tail.Expr {
	free := tail.FreeVars(of)
	var types []tail.Type
	var used []tail.Expr
	var params []*tail.Var
	for i, p := range k.params {
		if tail.IsRef(of, p) {
			return vectors[i]
		}
		if slices.Contains(free, p) {
			types, used, params = append(types, p.Type), append(used, vectors[i]), append(params, p)
		}
	}
	l := g.lambda(s.fn, types, func(args []tail.Expr) tail.Expr {
		vars := map[*tail.Var]tail.Expr{}
		for i, p := range params {
			vars[p] = args[i]
		}
		return tail.CopyWith(of, vars, nil)
	})
	if len(used) == 1 {
		return g.op(tail.OpEach, s, l, used[0])
	}
	return g.op(tail.OpZipWith, s, l, used[0], used[1])
}

// madeBy returns the op that gives e, or that its variable is bound to; nil for others.
func (g *infer) madeBy(e tail.Expr) *tail.Apply {
	if r, ok := e.(*tail.Ref); ok && g.known[r.Var] != nil {
		e = g.known[r.Var].e
	}
	a, _ := e.(*tail.Apply)
	return a
}

// firstPlaces is x⍳y, named.
func (g *infer) firstPlaces(x, y tail.Expr, s site) tail.Expr {
	return g.name(g.primitiveDyadic(&primitive{glyph: "⍳", at: s.fn}, x, y, s))
}

// foldedGroups folds n groups, and returns what stands for the folds of one.
func (g *infer) foldedGroups(k *keyFolds, ids, n tail.Expr, s site) func(group tail.Expr) map[*tail.Var]tail.Expr {
	positions := g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, ids)))
	g.foldGroups(k, ids, positions, n, s)
	return func(group tail.Expr) map[*tail.Var]tail.Expr { return g.foldsOfGroup(k, group, s) }
}

// partedGroups brings what is selected from into the order of n groups, and returns what stands for the parts of
// one.
func (g *infer) partedGroups(k *keyFolds, ids, n tail.Expr, s site) func(group tail.Expr) map[*tail.Var]tail.Expr {
	parts := g.items(g.name(g.fromPrelude(g.preludeClosure("parted"), n, ids, s)))
	all := make([]tail.Expr, len(k.masks.selections))
	for i, x := range k.masks.selections {
		all[i] = parts[0] // where x is the positions
		if x.from != nil {
			all[i] = g.name(g.op(tail.OpIndex, s, x.from, parts[0]))
		}
	}
	return func(group tail.Expr) map[*tail.Var]tail.Expr {
		vars := map[*tail.Var]tail.Expr{}
		for i, x := range k.masks.selections {
			vars[x.part] = g.name(g.partOf([]tail.Expr{all[i], parts[1], parts[2]}, group, s))
		}
		return vars
	}
}

// parts returns the body of f with variables for what masks select; nil where there is nothing, or where masks
// are used for anything else.
func (k *keyFolds) parts(body tail.Expr) tail.Expr {
	m := k.masks
	part := func(e *tail.Apply) tail.Expr {
		x := m.of(e)
		if x.part == nil {
			x.part = &tail.Var{Name: "part", Type: e.Ty}
		}
		return &tail.Ref{At: tail.At{Where: e.Where}, Var: x.part}
	}
	var expr func(e tail.Expr) tail.Expr
	expr = func(e tail.Expr) tail.Expr {
		if let, ok := e.(*tail.Let); ok && m.isMask(k, let.Bind) {
			return expr(let.Body)
		}
		if a, ok := e.(*tail.Apply); ok {
			a = m.selection(k, a)
			if a.Op == tail.OpWhere && m.isMask(k, a.Args[0]) && m.of(a) == nil {
				m.selections = append(m.selections, &maskSelection{e: a})
			}
			if m.of(a) != nil || m.selects(k, a) {
				return part(a)
			}
			e = a
		}
		k.failed = k.failed || m.isMask(k, e)
		return tail.MapChildren(e, expr)
	}
	if body = expr(body); k.failed || len(m.selections) == 0 {
		return nil
	}
	return body
}
