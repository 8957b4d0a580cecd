package infer

import (
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// f¨t where f only folds what masks k=⍵ select, of one k: as f⌸, with the groups of the
// elements of t. They may be empty, and elements of k may be in none.
//
//	{(+/(k=⍵)/v)÷1⌈+/k=⍵}¨t
//
// becomes
//
//	p←t⍳k ⋄ q←t⍳t
//	n←(1+≢t)⍴0 ⋄ n[p]+←1
//	s←(1+≢t)⍴0 ⋄ s[p]+←v
//	{s[q[⍵]]÷1⌈n[q[⍵]]}⍤0⊢⍳≢t

// fewMasks is the number of elements of t up to which comparisons, which are vector code, are
// quicker.
const fewMasks = 16

// maskedGroup is what selects the group of an element of t.
type maskedGroup struct {
	keys   tail.Expr                   // k, of which there may be copies
	named  map[*tail.Var]bool          // variables that are masks
	values map[*tail.Apply]tail.Expr   // what is selected from, by the selections of values
	order  []*tail.Apply               // these, as they were found
	unique tail.Expr                   // y of t, which is ∪y
	made   map[*tail.Apply]*tail.Apply // the folds of selections that stand for other folds
}

// mayBeEmpty reports whether a group may have no elements.
func (k *keyFolds) mayBeEmpty() bool {
	m := k.masks
	return m != nil && (m.unique == nil || !sameExpr(m.unique, m.keys))
}

// isMask reports whether e is k=⍵.
func (m *maskedGroup) isMask(k *keyFolds, e tail.Expr) bool {
	if m == nil {
		return false
	}
	if r, ok := e.(*tail.Ref); ok {
		return m.named[r.Var]
	}
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpEach || tail.RankOf(a) != 1 {
		return false
	}
	l, ok := a.Args[0].(*tail.Lam)
	if !ok {
		return false
	}
	eq, ok := l.Body.(*tail.Apply)
	if !ok || eq.Op != tail.OpEqI && eq.Op != tail.OpEqC {
		return false
	}
	x, y := eq.Args[0], eq.Args[1]
	if !(tail.IsRef(x, l.Params[0]) && tail.IsRef(y, k.params[0])) && !(tail.IsRef(y, l.Params[0]) && tail.IsRef(x, k.params[0])) || !k.outside(a.Args[1]) {
		return false
	}
	if m.keys == nil {
		m.keys = a.Args[1]
	}
	return sameExpr(m.keys, a.Args[1])
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
	if !tail.TypeOf(e.Args[1]).Extent(0).Equal(tail.TypeOf(m.keys).Extent(0)) {
		return false
	}
	if m.values[e] == nil {
		m.values[e] = e.Args[1]
		m.order = append(m.order, e)
	}
	return true
}

// selection returns the fold of a selection that is e; where there is none, e:
//
//	+/k=⍵            the tally of ⍸k=⍵
//	+/v×k=⍵          +/(k=⍵)/v
func (m *maskedGroup) selection(k *keyFolds, e *tail.Apply) *tail.Apply {
	if m == nil || e.Op != tail.OpReduce || tail.RankOf(e) != 0 {
		return e
	}
	if made := m.made[e]; made != nil {
		return made
	}
	l, ok := e.Args[0].(*tail.Lam)
	if !ok {
		return e
	}
	op, _ := tail.EtaReduced(l)
	terms, ok := e.Args[2].(*tail.Apply)
	if !ok || op != tail.OpAddI && op != tail.OpAddD || !isZero(e.Args[1]) {
		return e
	}
	at := func(op tail.Op, args ...tail.Expr) *tail.Apply {
		a, bad := tail.NewApply(e.Where, op, 0, nil, args...)
		if bad != nil {
			return nil
		}
		return a
	}
	if mask := m.numbers(k, terms); mask != nil && op == tail.OpAddI {
		m.made[e] = at(tail.OpTally, at(tail.OpWhere, mask))
		return m.made[e]
	}
	times, ok := terms.Args[0].(*tail.Lam)
	if !ok || terms.Op != tail.OpZipWith {
		return e
	}
	if by, _ := tail.EtaReduced(times); by != tail.OpMulI && by != tail.OpMulD {
		return e
	}
	for i := 1; i <= 2; i++ {
		if mask := m.numbers(k, terms.Args[i]); mask != nil && k.outside(terms.Args[3-i]) {
			if selected := at(tail.OpCompress, mask, terms.Args[3-i]); selected != nil {
				m.made[e] = e.WithArgs([]tail.Expr{e.Args[0], e.Args[1], selected})
				return m.made[e]
			}
		}
	}
	return e
}

// numbers returns the mask that e has as numbers; nil for others.
func (m *maskedGroup) numbers(k *keyFolds, e tail.Expr) tail.Expr {
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpEach {
		return nil
	}
	l, ok := a.Args[0].(*tail.Lam)
	if !ok {
		return nil
	}
	if op, _ := tail.EtaReduced(l); op != tail.OpB2I && op != tail.OpB2D || !m.isMask(k, a.Args[1]) {
		return nil
	}
	return a.Args[1]
}

// sameExpr reports whether two expressions are written alike: variables, literals and ops without functions.
func sameExpr(x, y tail.Expr) bool {
	switch x := x.(type) {
	case *tail.Ref:
		return tail.IsRef(y, x.Var)
	case *tail.Lit:
		n, whole := tail.ConstInt(x)
		m, same := tail.ConstInt(y)
		return whole && same && n == m
	case *tail.Apply:
		z, ok := y.(*tail.Apply)
		if !ok || x.Op != z.Op || x.Axis != z.Axis || len(x.Ks)+len(z.Ks) > 0 || len(x.Args) != len(z.Args) {
			return false
		}
		for i := range x.Args {
			if !sameExpr(x.Args[i], z.Args[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// comparesAndSelects reports whether a dfn has glyphs that f¨ by groups needs.
func comparesAndSelects(f function) bool {
	c, ok := f.(*closure)
	if !ok {
		return false
	}
	text := c.node.Span().Text()
	return strings.Contains(text, "=") && strings.ContainsAny(text, "/⌿⍸+")
}

// maskFolded is ↑f¨t, for a vector t, where f only folds what masks select; nil where it does not, or
// gives another rank than that of cells.
func (g *infer) maskFolded(f function, t tail.Expr, cells func(rank int) bool, s site) tail.Expr {
	k, l := g.maskedBy(f, t, s)
	if k == nil || isTuple(l.Body) || !cells(tail.RankOf(l.Body)) {
		return nil
	}
	body := k.of(l.Body, s)
	if body == nil || len(k.folds) == 0 {
		return nil
	}
	t = g.name(t)
	for _, e := range k.masks.order {
		k.masks.values[e] = g.name(k.masks.values[e])
	}
	keys := g.name(k.masks.keys)
	defer func(origin int) { g.origin = origin }(g.origin)
	g.origin = 1
	n := g.name(g.op(tail.OpTally, s, t))
	ids := g.firstPlaces(t, keys, s)
	values := g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, keys)))
	groups := g.name(g.op(tail.OpAddI, s, n, g.intLit(s, 1)))
	for _, x := range k.folds {
		x.all = g.name(g.foldAll(k, x, ids, values, groups, s))
	}
	return g.ofKeys(k, body, n, s, g.elementsOfMasks(k, t, s))
}

// maskedBy returns f, a function of the elements of a vector t, and its groups by masks; nil where
// it has none, or t has few elements.
func (g *infer) maskedBy(f function, t tail.Expr, s site) (*keyFolds, *tail.Lam) {
	tt, ok := t.Type().(*tail.Array)
	if !ok || tt.Dims() != 1 || tt.Elem != array.Int && tt.Elem != array.Char || g.examiner != nil || g.blamed != nil || !comparesAndSelects(f) {
		return nil, nil
	}
	if n, known := tt.Extent(0).IsConst(); known && n <= fewMasks {
		return nil, nil
	}
	var l *tail.Lam
	if !g.succeeds(func() {
		l = g.lambda(s.fn, []tail.Type{tail.Scalar(tt.Elem)}, func(a []tail.Expr) tail.Expr { return g.monadic(f, a[0], s) })
	}) {
		return nil, nil
	}
	m := &maskedGroup{named: map[*tail.Var]bool{}, values: map[*tail.Apply]tail.Expr{}, made: map[*tail.Apply]*tail.Apply{}}
	if made := g.madeBy(t); made != nil && made.Op == tail.OpUnique {
		m.unique = made.Args[0]
	}
	return &keyFolds{params: l.Params, masks: m, length: tail.AnySize}, l
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

// elementsOfMasks returns what gives the element of t with a number, and the number of its group, which is that of
// the first element like it.
func (g *infer) elementsOfMasks(k *keyFolds, t tail.Expr, s site) func(i tail.Expr) (element, group tail.Expr) {
	first := tail.Expr(nil)
	if made := g.madeBy(t); made == nil || made.Op != tail.OpUnique && made.Op != tail.OpIota {
		first = g.firstPlaces(t, t, s)
	}
	return func(i tail.Expr) (element, group tail.Expr) {
		if group = i; first != nil {
			group = g.name(g.op(tail.OpIndex, s, first, i))
		}
		return g.name(g.op(tail.OpIndex, s, t, i)), group
	}
}

// numbered is f¨t as apply¨numbers, where apply is given the number of an element of t.
type numbered struct {
	t, numbers tail.Expr
	apply      change
}

// maskGrouped is f¨t where f does other things than folds with what masks select: a group is part of what is
// selected from, in the order of groups. It is nil where masks are used for anything else.
func (g *infer) maskGrouped(f function, t tail.Expr, s site) *numbered {
	k, l := g.maskedBy(f, t, s)
	if k == nil {
		return nil
	}
	k.terms, k.bound = map[*tail.Var]tail.Expr{}, map[*tail.Var]bool{k.params[0]: true}
	k.binds(l.Body)
	group := &tail.Var{Name: "group", Type: tail.Ranked(array.Int, 1)}
	chosen := 0
	var expr func(e tail.Expr) tail.Expr
	expr = func(e tail.Expr) tail.Expr {
		at := tail.At{Where: e.Span()}
		switch e := e.(type) {
		case *tail.Let:
			if k.masks.isMask(k, e.Bind) {
				k.masks.named[e.Var] = true
				return expr(e.Body)
			}
		case *tail.Apply:
			e = k.masks.selection(k, e)
			switch {
			case e.Op == tail.OpWhere && k.masks.isMask(k, e.Args[0]):
				chosen++
				return &tail.Ref{At: at, Var: group}
			case k.masks.selects(k, e):
				chosen++
				v := &tail.Var{Name: "part", Type: e.Ty}
				k.terms[v] = e
				return &tail.Ref{At: at, Var: v}
			}
			if k.masks.isMask(k, e) {
				k.failed = true
			}
			return tail.MapChildren(e, expr)
		case *tail.Ref:
			k.failed = k.failed || k.masks.isMask(k, e)
		}
		return tail.MapChildren(e, expr)
	}
	body := expr(l.Body)
	if k.failed || chosen == 0 {
		return nil
	}
	defer func(origin int) { g.origin = origin }(g.origin)
	g.origin = 1
	t = g.name(t)
	parts := g.items(g.name(g.fromPrelude(g.preludeClosure("groupsof"), t, g.name(k.masks.keys), s)))
	inOrder := map[tail.Expr]tail.Expr{}
	for _, e := range k.masks.order {
		from := k.masks.values[e]
		inOrder[from] = g.name(g.op(tail.OpIndex, s, g.name(from), parts[0]))
	}
	of := g.elementsOfMasks(k, t, s)
	apply := func(i tail.Expr) tail.Expr {
		element, number := of(g.name(i))
		part := func(x tail.Expr) tail.Expr {
			return g.name(g.partOf([]tail.Expr{x, parts[1], parts[2]}, number, s))
		}
		vars := map[*tail.Var]tail.Expr{k.params[0]: element}
		if tail.Mentions(body, group) {
			vars[group] = part(parts[0])
		}
		for v, e := range k.terms {
			vars[v] = part(inOrder[k.masks.values[e.(*tail.Apply)]])
		}
		return tail.CopyWith(body, vars, nil)
	}
	return &numbered{t, g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, t))), apply}
}
