package infer

import (
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
	keys       tail.Expr                   // k, of which there may be copies
	unique     tail.Expr                   // y of t, which is ∪y
	named      map[*tail.Var]bool          // variables that are masks
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
	if m.of(e) == nil {
		m.selections = append(m.selections, &maskSelection{e: e, from: e.Args[1]})
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

// numbered is f¨t as apply¨numbers, where apply is given the number of an element of t.
type numbered struct {
	t, numbers tail.Expr
	apply      change
}

// byGroups is f¨t, where l is f of an element of t, with groups of the elements of t; nil where masks are used
// for anything else than selecting them, or t has few elements.
func (g *infer) byGroups(f function, t tail.Expr, l func() *tail.Lam, s site) *numbered {
	tt, ok := t.Type().(*tail.Array)
	if !ok || tt.Dims() != 1 || tt.Elem != array.Int && tt.Elem != array.Char || g.examiner != nil || g.blamed != nil || !comparesAndSelects(f) {
		return nil
	}
	if n, known := tt.Extent(0).IsConst(); known && n <= fewMasks {
		return nil
	}
	of := l()
	masked := func() *keyFolds {
		m := &maskedGroup{named: map[*tail.Var]bool{}, made: map[*tail.Apply]*tail.Apply{}}
		if made := g.madeBy(t); made != nil && made.Op == tail.OpUnique {
			m.unique = made.Args[0]
		}
		return newKeyFolds(of, m, tail.AnySize)
	}
	k := masked()
	body := k.of(of.Body, s)
	make := g.foldedGroups
	if body == nil || len(k.folds) == 0 {
		k = masked()
		if body = k.parts(of.Body); body == nil {
			return nil
		}
		make = g.partedGroups
	}
	defer func(origin int) { g.origin = origin }(g.origin)
	g.origin = 1
	t = g.name(t)
	n := g.name(g.op(tail.OpTally, s, t))
	for _, x := range k.masks.selections {
		if x.from != nil {
			x.from = g.name(x.from)
		}
	}
	ids := g.firstPlaces(t, g.name(k.masks.keys), s)
	vars := make(k, ids, g.name(g.op(tail.OpAddI, s, n, g.intLit(s, 1))), s)
	first := tail.Expr(nil) // of the elements like each
	if made := g.madeBy(t); made == nil || made.Op != tail.OpUnique && made.Op != tail.OpIota {
		first = g.firstPlaces(t, t, s)
	}
	return &numbered{t, g.name(g.op(tail.OpIota, s, n)), func(i tail.Expr) tail.Expr {
		i = g.name(i)
		group := i
		if first != nil {
			group = g.name(g.op(tail.OpIndex, s, first, i))
		}
		all := vars(group)
		all[k.params[0]] = g.name(g.op(tail.OpIndex, s, t, i))
		return tail.CopyWith(body, all, nil)
	}}
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
			m.named[let.Var] = true
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
