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
	tt, ok := t.Type().(*tail.Array)
	if !ok || tt.Dims() != 1 || tt.Elem != array.Int && tt.Elem != array.Char || g.examiner != nil || g.blamed != nil || !comparesAndSelects(f) {
		return nil
	}
	if n, known := tt.Extent(0).IsConst(); known && n <= fewMasks {
		return nil
	}
	var l *tail.Lam
	if !g.succeeds(func() {
		l = g.lambda(s.fn, []tail.Type{tail.Scalar(tt.Elem)}, func(a []tail.Expr) tail.Expr { return g.monadic(f, a[0], s) })
	}) || isTuple(l.Body) || !cells(tail.RankOf(l.Body)) {
		return nil
	}
	m := &maskedGroup{named: map[*tail.Var]bool{}, values: map[*tail.Apply]tail.Expr{}, made: map[*tail.Apply]*tail.Apply{}}
	k := &keyFolds{params: l.Params, masks: m, length: tail.AnySize}
	distinct := false
	made := t
	if r, ok := t.(*tail.Ref); ok && g.known[r.Var] != nil {
		made = g.known[r.Var].e
	}
	if made, ok := made.(*tail.Apply); ok {
		distinct = made.Op == tail.OpUnique || made.Op == tail.OpIota
		if made.Op == tail.OpUnique {
			m.unique = made.Args[0]
		}
	}
	body := k.of(l.Body, s)
	if body == nil || len(k.folds) == 0 {
		return nil
	}
	t = g.name(t)
	for _, e := range m.order {
		m.values[e] = g.name(m.values[e])
	}
	keys := g.name(m.keys)
	prim := func(glyph string, x, y tail.Expr) tail.Expr {
		return g.name(g.primitiveDyadic(&primitive{glyph: glyph, at: s.fn}, x, y, s))
	}
	defer func(origin int) { g.origin = origin }(g.origin)
	g.origin = 1
	n := g.name(g.op(tail.OpTally, s, t))
	ids := prim("⍳", t, keys)
	values := g.name(g.op(tail.OpIota, s, g.op(tail.OpTally, s, keys)))
	groups := prim("+", n, g.intLit(s, 1))
	for _, x := range k.folds {
		x.all = g.name(g.foldAll(k, x, ids, values, groups, s))
	}
	first := tail.Expr(nil)
	if !distinct {
		first = prim("⍳", t, t)
	}
	return g.ofKeys(k, body, n, s, func(i tail.Expr) (key, group tail.Expr) {
		if group = i; first != nil {
			group = prim("⌷", i, first)
		}
		return prim("⌷", i, t), group
	})
}
