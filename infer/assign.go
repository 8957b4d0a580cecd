package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/structured"
	"github.com/tailor-lang/tailor/tail"
)

// assign infers an assignment and returns its value.
func (g *infer) assign(x *apl.Assign) tail.Expr {
	t, ok := x.Target.(*apl.NameTarget)
	if ok && t.Ident == structured.Shown {
		return g.shown(x.Y)
	}
	y := g.eval(x.Y)
	if x.F != nil {
		return g.modify(x, y)
	}
	e := g.assignTo(x.Target, y, x.Span(), x.Y.Span())
	if ok {
		if b := g.scope.names[t.Ident]; b != nil && b.v != nil {
			b.v.Bound = &tail.Bound{Name: t.Ident, Value: x.Y.Span()}
		}
	}
	return e
}

// assignTo assigns e, which stands at right, and returns it.
func (g *infer) assignTo(t apl.Target, e tail.Expr, at, right diag.Span) tail.Expr {
	switch t := t.(type) {
	case *apl.NameTarget:
		switch {
		case t.Ident == "⎕":
			return g.print(e, e.Span())
		case t.Ident == "⍞":
			g.arr(e, e.Span())
			return g.op(tail.OpPrintBare, site{fn: at, right: e.Span()}, e)
		case isSystem(t.Ident):
			return g.setSystem(t.Ident, e, t.Span())
		case t.Ident == "⍺" && g.scope.names["⍺"] != nil:
			g.failFix(diag.NotCompiled, t.Span(), "⍺←default is a statement of its own", "⍺← inside an expression where the dfn has a left argument")
		}
		return g.bindVar(t.Ident, e)
	case *apl.MemberTarget:
		g.fail(diag.Namespaces, t.Span(), "namespaces: %s", t.Span().Text())
	case *apl.StrandTarget:
		return g.assignStrand(t, e)
	case *apl.IndexTarget:
		return g.assignIndex(t, e, nil, right)
	case *apl.SelectTarget:
		return g.assignSelected(t, e, nil, right)
	}
	panic("internal error: unknown target")
}

// assignStrand is (a b c)←e.
func (g *infer) assignStrand(t *apl.StrandTarget, e tail.Expr) tail.Expr {
	e = g.name(e)
	items := g.valuesFor(t, e)
	for i, item := range slices.Backward(items) {
		g.assignTo(t.Items[i], item, t.Items[i].Span(), item.Span())
	}
	return e
}

// valuesFor returns the values that the names of a strand get from e.
func (g *infer) valuesFor(t *apl.StrandTarget, e tail.Expr) []tail.Expr {
	n := len(t.Items)
	if isStored(e) {
		return g.namedItems(e, n, site{fn: t.Span(), right: t.Span()})
	}
	if !isTuple(e) {
		return g.spread(g.extendedTo(e, n, t.Span()), n, t.Span())
	}
	items := g.items(e)
	if len(items) == 1 {
		items = slices.Repeat(items, n)
	}
	if rankOf(e) > 1 {
		g.fail(diag.ArgumentRank, t.Span(), "an array of rank %d for %d names", rankOf(e), n)
	}
	if len(items) != n {
		g.fail(diag.NamesDiffer, t.Span(), "%d names for %d values", n, len(items))
	}
	return items
}

// extendedTo is an array of which n names are given the elements: one element goes
// to all of them.
func (g *infer) extendedTo(e tail.Expr, n int, at diag.Span) tail.Expr {
	t := g.arr(e, at)
	s := site{fn: at, left: at, right: e.Span()}
	switch {
	case isSingleton(t):
		return g.name(g.firstOf(e, s))
	case t.Dims() == 1 && oneForAllKnown(t):
		return g.opAxis(tail.OpStretch, s, 0, g.intLit(s, n), e)
	}
	return e
}

// spread returns the n elements of a vector, or a scalar n times.
func (g *infer) spread(e tail.Expr, n int, at diag.Span) []tail.Expr {
	ty := tail.TypeOf(e)
	items := make([]tail.Expr, n)
	s := site{fn: at, left: at, right: e.Span()}
	switch ty.Dims() {
	case 0:
		for i := range items {
			items[i] = e
		}
		return items
	case 1:
	default:
		g.fail(diag.ArgumentRank, at, "an array of rank %d cannot be taken apart into its elements here", ty.Dims())
	}
	if k, ok := ty.Extent(0).IsConst(); ok && int(k) != n {
		g.fail(diag.NamesDiffer, at, "%d names for %d values", n, k)
	} else if !ok {
		e = g.name(g.fromPrelude(g.preludeClosure("asnames"), g.intLit(s, n), e, s))
	}
	for i := range items {
		items[i] = g.op(tail.OpIndex, s, e, g.intLit(s, i+1))
	}
	return items
}

// modify is x F←y: x becomes x F y, and the value is y.
func (g *infer) modify(x *apl.Assign, y tail.Expr) tail.Expr {
	y = g.name(y)
	g.modifyBy(g.function(x.F), x, x.Target, y)
	return y
}

// modifyBy is modify for one target of x, which f changes.
func (g *infer) modifyBy(f function, x *apl.Assign, target apl.Target, y tail.Expr) {
	switch t := target.(type) {
	case *apl.NameTarget:
		s := site{fn: x.F.Span(), left: t.Span(), right: x.Y.Span()}
		switch {
		case t.Ident == "⎕" || t.Ident == "⍞" || t.Ident == "⎕RL":
			g.fail(diag.NotCompiled, t.Span(), "modified assignment of %s", t.Ident)
		case isSystem(t.Ident):
			old := g.systemVariable(&apl.Var{At: t.At, Ident: t.Ident})
			g.setSystem(t.Ident, g.dyadic(f, old, y, s), t.Span())
		default:
			g.rebind(t.Ident, t.Span(), g.dyadic(f, g.local(t.Ident, t.Span()), y, s))
		}
	case *apl.IndexTarget:
		g.assignIndex(t, y, &modifier{f, x}, x.Y.Span())
	case *apl.SelectTarget:
		g.assignSelected(t, y, &modifier{f, x}, x.Y.Span())
	case *apl.StrandTarget:
		for i, item := range slices.Backward(g.valuesFor(t, y)) {
			g.modifyBy(f, x, t.Items[i], g.name(item))
		}
	default:
		g.fail(diag.NotCompiled, t.Span(), "modified assignment of this target")
	}
}

// modifier is the function of a modified assignment.
type modifier struct {
	f function
	x *apl.Assign
}

// local returns the variable of a name that is assigned to in part. It belongs
// to the dfn, or to an enclosing one that calls it directly: not in a loop, on
// a condition, or through an operator that applies it many times.
func (g *infer) local(name string, at diag.Span) tail.Expr {
	s, b := g.find(name, at)
	if b.v == nil {
		g.fail(diag.WrongClass, at, "%s is not an array", name)
	}
	if s != g.scope && s.block != g.blockID {
		g.failFix(diag.OuterAssignment, at, "copy it first: "+name+"←"+name, "assignment into %s, which belongs to an outer scope", name)
	}
	return g.use(g.scope, s, name, at)
}

// assignIndex is x[i;j]←e.
func (g *infer) assignIndex(t *apl.IndexTarget, e tail.Expr, m *modifier, right diag.Span) tail.Expr {
	e = g.name(e)
	var items []tail.Expr
	if inner, ok := onlyRows(t.Items); ok {
		r, item := g.rowsExpr(inner)
		if r != nil {
			s := site{fn: t.Span(), left: t.Span(), right: right}
			x := g.local(t.Ident, t.Span())
			g.replace(t.Ident, x, g.chosenRows(r, x, s), e, m, s)
			return e
		}
		items = []tail.Expr{item}
	} else {
		items = g.indices(t.Items)
	}
	if slices.ContainsFunc(append(items, e, g.local(t.Ident, t.Span())), isEither) {
		g.refuseEither(site{fn: t.Span()})
	}
	if x := g.local(t.Ident, t.Span()); m == nil && rankOf(x) == 0 && wholeScalar(items) && rankOf(e) == 0 {
		g.rebind(t.Ident, t.Span(), e)
		return e
	} else if len(items) == 1 && items[0] != nil && g.someReach(items[0], x) {
		g.rebind(t.Ident, t.Span(), g.withReached(x, items[0], e, m, site{fn: t.Span(), left: t.Span(), right: right}))
		return e
	} else if isTuple(x) || isTuple(e) || g.otherKind(x, e) != nil {
		s := site{fn: t.Span(), left: t.Span(), right: right}
		if g.assignItems(t.Ident, x, items, e, m, s) {
			return e
		}
	}
	if len(items) == 1 && items[0] != nil && isTuple(items[0]) {
		s := site{fn: t.Span(), left: t.Span(), right: right}
		x := g.local(t.Ident, t.Span())
		g.replace(t.Ident, x, g.chosenTuple(items[0], x, s), e, m, s)
		return e
	}
	repeated := m != nil && g.oneByOne(items)
	for i := len(items) - 1; i >= 0; i-- {
		if items[i] != nil && m != nil {
			items[i] = g.name(items[i])
		}
	}
	x := g.local(t.Ident, t.Span())
	s := site{fn: t.Span(), left: t.Span(), right: right}
	items = allAxes(x, items)
	defer g.applying(s)()
	if repeated {
		g.rebind(t.Ident, t.Span(), g.modifyIndex(m, x, items, e, s))
		return e
	}
	value := e
	if m != nil {
		value = g.elementwise(m, g.index(x, items, s), e, s)
	}
	g.rebind(t.Ident, t.Span(), g.update(x, items, value, s))
	return e
}

// wholeScalar reports whether an index is ⊂⍬, that of the item of a scalar.
func wholeScalar(items []tail.Expr) bool {
	if len(items) != 1 || items[0] == nil || !isEnclosed(items[0]) {
		return false
	}
	t, ok := items[0].Type().(*tail.TupleType).Elems[0].(*tail.Array)
	return ok && t.Dims() == 1 && t.Extent(0).Equal(tail.ConstSize(0))
}

// update returns x with a selection replaced. Element types are joined.
func (g *infer) update(x tail.Expr, items []tail.Expr, value tail.Expr, s site) tail.Expr {
	tx := g.arr(x, s.left)
	if len(items) != tx.Dims() {
		g.faultOf([]tail.Expr{x, value}, tail.FaultIndexRank, s, tail.ConstSize(int64(len(items))), extents(tx))
	}
	value = g.name(value)
	tv := g.arr(value, s.right)
	if tv.Dims() > 0 && isSingleton(tv) {
		value = g.op(tail.OpFirst, s, value)
	}
	args := g.indexArgs(items, s)
	value = g.fitted(value, x, args, s)
	x, value = g.same(x, value, s)
	return g.op(tail.OpUpdate, s, append(append([]tail.Expr{x}, args...), value)...)
}

// assignSelected is (selection of x)←e: the selection is made of the positions
// of x's elements, and then says which to replace.
func (g *infer) assignSelected(t *apl.SelectTarget, e tail.Expr, m *modifier, right diag.Span) tail.Expr {
	e = g.name(e)
	v := selected(t.X)
	if v == nil {
		g.failFix(diag.NotCompiled, t.Span(), "assign by index: x[i]←…", "this selective assignment")
	}
	s := site{fn: t.Span(), left: t.Span(), right: right}
	x := g.local(v.Ident, v.Span())
	steps := stepsOf(t.X)
	if nested := g.nestedBy(x, e); nested != nil {
		g.rebind(v.Ident, s.left, g.replaced(nested, steps, e, m, s))
		return e
	}
	g.arr(x, v.Span())
	if reach(steps[len(steps)-1]) == toItem && (m != nil || rankOf(e) > 0 || isTuple(e)) {
		g.rebind(v.Ident, s.left, g.replaced(x, steps, e, m, s))
		return e
	}
	g.replace(v.Ident, x, g.selection(t.X, g.positionsIn(x, s)), e, m, s)
	return e
}

// replace assigns to the elements of the variable x, of the given name, at
// positions of its ravel.
func (g *infer) replace(name string, x, chosen, e tail.Expr, m *modifier, s site) {
	g.rebind(name, s.left, g.withReplaced(x, chosen, e, m, s))
}

// withReplaced is the array x with the elements at positions of its ravel replaced
// by those of e, or by what a modifier makes of both.
func (g *infer) withReplaced(x, chosen, e tail.Expr, m *modifier, s site) tail.Expr {
	repeated := m != nil && !g.distinct(chosen, 0)
	chosen = g.name(chosen)
	flat := g.name(g.ravel(x, s))
	switch {
	case repeated:
		flat = g.modified(m, flat, chosen, e, s)
	default:
		value := e
		if m != nil {
			value = g.name(g.elementwise(m, g.op(tail.OpIndex, s, flat, chosen), e, s))
		}
		if tv := g.arr(value, s.right); tv.Dims() > 0 && isSingleton(tv) {
			value = g.op(tail.OpFirst, s, value)
		}
		value = g.fitted(value, flat, []tail.Expr{chosen}, s)
		flat, value = g.same(flat, value, s)
		flat = g.op(tail.OpUpdate, s, flat, chosen, value)
	}
	if tail.TypeOf(x).Dims() != 1 {
		flat = g.op(tail.OpReshape, s, g.shapeOf(x, s), flat)
	}
	return flat
}

// selected returns the variable that a selection selects from, nil where the
// selection is of another form than a chain of functions.
func selected(x apl.Expr) *apl.Var {
	switch x := x.(type) {
	case *apl.Var:
		return x
	case *apl.Paren:
		return selected(x.X)
	case *apl.Monadic:
		return selected(x.Y)
	case *apl.Dyadic:
		return selected(x.Y)
	case *apl.Index:
		return selected(x.X)
	}
	return nil
}

// reselect returns a selection with the variable that it selects from
// replaced by another.
func reselect(x apl.Expr, name string) apl.Expr {
	switch x := x.(type) {
	case *apl.Var:
		return &apl.Var{At: x.At, Ident: name}
	case *apl.Paren:
		return reselect(x.X, name)
	case *apl.Monadic:
		return &apl.Monadic{At: x.At, F: x.F, Y: reselect(x.Y, name)}
	case *apl.Dyadic:
		return &apl.Dyadic{At: x.At, X: x.X, F: x.F, Y: reselect(x.Y, name)}
	case *apl.Index:
		return &apl.Index{At: x.At, X: reselect(x.X, name), Items: x.Items, Brackets: x.Brackets}
	}
	panic("internal error: unknown selection")
}
