package infer

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// noted infers an expression statement with its annotation.
func (g *infer) noted(s *apl.ExprStmt) tail.Expr {
	g.note = s.Note
	e := g.eval(s.X)
	g.note = nil
	if s.Note == nil {
		return e
	}
	want, bad := parseNote(s.Note)
	if bad != nil {
		panic(unwound{err: bad})
	}
	sig := &signature{note: s.Note, result: want}
	sig.variables()
	name := assignedName(s.X)
	if g.examiner != nil {
		g.examineValue(name, sig, e.Type())
	}
	return g.hold(g.newMatching(sig), want, name, e, site{fn: s.X.Span()}, s)
}

// assignedName returns the name that a statement assigns.
func assignedName(x apl.Expr) string {
	if a, ok := x.(*apl.Assign); ok {
		if t, ok := a.Target.(*apl.NameTarget); ok {
			return t.Ident
		}
		return a.Target.Span().Text()
	}
	return "the value"
}

// hold makes a binding hold what its annotation says. The variable is bound
// again to the checked value.
func (g *infer) hold(m *matching, want tail.Type, name string, e tail.Expr, at site, s *apl.ExprStmt) tail.Expr {
	w, ok := want.(*tail.Array)
	got, simple := e.Type().(*tail.Array)
	if !ok || !simple || g.options.Trust {
		return e
	}
	e = g.name(e)
	demands, bad := m.array(w, got, e)
	if bad != "" {
		if g.examiner != nil {
			return e
		}
		g.misfit(s.Note, at.fn, fmt.Sprintf("%s %s", name, bad))
	}
	held := g.demanding(m, demands, e, fmt.Sprintf("%s is %s by its annotation", name, noteText(s.Note)), at)
	if held == e {
		return e
	}
	if a, ok := s.X.(*apl.Assign); ok {
		if t, ok := a.Target.(*apl.NameTarget); ok && g.scope.names[t.Ident] != nil {
			return g.bindVar(t.Ident, held)
		}
	}
	return g.name(held)
}

// misfit reports a value that certainly is not what an annotation says.
func (g *infer) misfit(n *apl.Annotation, at diag.Span, what string) {
	e := diag.Errorf(diag.AnnotationDiffers, at, "%s, but its annotation says %s", what, noteText(n))
	e.Notes = []diag.Note{{Span: n.Span(), Message: "the annotation"}}
	panic(unwound{err: e})
}

// demanding checks extents of e when the program runs.
func (g *infer) demanding(m *matching, demands []demand, e tail.Expr, text string, s site) tail.Expr {
	t := tail.TypeOf(e)
	if len(demands) == 0 || t.Dims() == 0 {
		return e
	}
	wants := make([]tail.Expr, t.Dims())
	for i := range wants {
		wants[i] = g.intLit(s, -1)
	}
	for _, d := range demands {
		if d.least {
			wants[d.axis] = g.intLit(s, int(-1-d.size.Const))
			continue
		}
		if want := m.expr(d.size, s); want != nil {
			wants[d.axis] = want
		}
	}
	return g.expecting(e, wants, text, s)
}

// expecting applies the check, unless it asks nothing.
func (g *infer) expecting(e tail.Expr, wants []tail.Expr, text string, s site) tail.Expr {
	asks := false
	for _, w := range wants {
		n, ok := integer(w)
		asks = asks || !ok || n != -1
	}
	if !asks {
		return e
	}
	return g.op(tail.OpExpect, s, e, g.vector(s.fn, wants, array.Int), lit(s.fn, array.VectorChar([]rune(text))))
}

// signatureOf returns the annotation of a closure, or nil.
func signatureOf(c *closure) *signature {
	if c.sig == nil && c.operator != nil {
		return c.operator.sig
	}
	return c.sig
}

// honoured calls an annotated function: arguments must be what the annotation
// says, and so must the result, which is checked unless that is proved.
func (g *infer) honoured(c *closure, sig *signature, x, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	if x != nil {
		x = g.name(x)
	}
	m := g.newMatching(sig)
	if c.operator != nil {
		g.fitOperands(m, c, sig, x, y, s)
	}
	if x != nil {
		x = g.argument1(m, c, sig.params[0], x, "the left argument", s.left, s)
	}
	what := "the argument"
	if x != nil {
		what = "the right argument"
	}
	y = g.argument1(m, c, sig.params[len(sig.params)-1], y, what, s.right, s)
	e := g.apply(c, x, y, s)
	if mentionsEither(e.Type()) { // whether it is what the annotation says
		g.refuseEither(s)
	}
	return g.resulting(m, c, e, s)
}

// argument1 makes an argument what the annotation says.
func (g *infer) argument1(m *matching, c *closure, want tail.Type, e tail.Expr, what string, at diag.Span, s site) tail.Expr {
	if !at.Valid() {
		at = s.fn
	}
	if mentionsEither(e.Type()) {
		g.refuseEither(s)
	}
	if t, ok := want.(*tail.TupleType); ok {
		return g.argumentItems(m, c, t, e, what, at, s)
	}
	if t, ok := want.(*tail.NestType); ok {
		return g.nestedArgument(m, c, t, e, what, at, s)
	}
	w, ok := want.(*tail.Array)
	if !ok {
		return e
	}
	got, simple := e.Type().(*tail.Array)
	if !simple {
		if w.ElemVar == "" || w.Rank.Known() && !strings.HasPrefix(w.Rank.String(), "_") {
			g.wrongArgument(m, c, what, "is "+describeType(e.Type()), at, plainType(w))
		}
		return e
	}
	demands, bad := m.array(w, got, e)
	if bad != "" {
		g.wrongArgument(m, c, what, string(bad), at, plainType(w))
	}
	if elem := m.elems[w.ElemVar]; w.ElemVar == "" || elem != array.NoElem {
		if w.ElemVar == "" {
			elem = w.Elem
		}
		if elem != got.Elem {
			if err := g.try(func() { e = g.name(g.coerce(e, elem)) }); err != nil {
				g.wrongArgument(m, c, what, fmt.Sprintf("has elements of type %v", got.Elem), at, plainType(w))
			}
		}
	}
	if g.options.Trust {
		return e
	}
	text := fmt.Sprintf("%s of %s is %v by the annotation", what, c.label(), plainType(w))
	return g.name(g.demanding(m, demands, e, text, s))
}

// wrongArgument reports an argument that is not what the annotation says.
func (g *infer) wrongArgument(m *matching, c *closure, what, bad string, at diag.Span, says string) {
	err := diag.Errorf(diag.AnnotationDiffers, at, "%s of %s %s, but the annotation says %s", what, c.label(), bad, says)
	err.Notes = []diag.Note{{Span: m.sig.note.Span(), Message: "the annotation"}}
	panic(unwound{err: err})
}

// argumentItems makes the items of a strand what the annotation says. A strand
// of scalars is a vector.
func (g *infer) argumentItems(m *matching, c *closure, want *tail.TupleType, e tail.Expr, what string, at diag.Span, s site) tail.Expr {
	t, ok := strandOf(e.Type(), want)
	if !ok || len(t.Elems) != len(want.Elems) {
		g.wrongArgument(m, c, what, "is "+describeType(e.Type()), at, fmt.Sprintf("a strand of %d", len(want.Elems)))
	}
	if !isTuple(e) {
		for i, w := range want.Elems {
			a, isArray := w.(*tail.Array)
			if !isArray {
				continue
			}
			if _, bad := m.array(a, t.Elems[i].(*tail.Array), nil); bad != "" {
				g.wrongArgument(m, c, fmt.Sprintf("item %d of %s", i+1, what), string(bad), at, plainType(a))
			}
		}
		return e
	}
	items := append([]tail.Expr{}, g.items(e)...)
	for i, w := range want.Elems {
		items[i] = g.argument1(m, c, w, items[i], fmt.Sprintf("item %d of %s", i+1, what), at, s)
	}
	return &tail.Tuple{At: tail.At{Where: e.Span()}, Elems: items}
}

// label returns what messages call a function.
func (c *closure) label() string {
	if c.name == "" {
		return "the function"
	}
	return c.name
}

// resulting gives the result of a call what the annotation says of it.
func (g *infer) resulting(m *matching, c *closure, e tail.Expr, s site) tail.Expr {
	w, ok := m.sig.result.(*tail.Array)
	got, simple := e.Type().(*tail.Array)
	if !ok || !simple || !w.Rank.Known() || g.options.Trust {
		return e
	}
	if len(m.sig.free) > 0 {
		e = g.name(e)
		m.settleAt(w, got, e)
	}
	want, _ := m.instance(w).(*tail.Array)
	proved := (g.examiner != nil || g.options.Proved[m.sig.note]) && c.operator == nil
	if !proved || got.Elem == array.Complex { // as ⍵*0.5 is of known numbers
		e = g.fitting(c, e, want, m.sig.note, s)
		got = tail.TypeOf(e)
	}
	if !got.Rank.Equal(want.Rank) {
		return e
	}
	wants, open := make([]tail.Expr, got.Dims()), false
	refined := make([]tail.Size, got.Dims())
	for i := range wants {
		wants[i] = g.intLit(s, -1)
		size := want.Extent(i)
		if refined[i] = got.Extent(i); !refined[i].Known() {
			refined[i] = size
		}
		if w.Extent(i).Known() && (!got.Extent(i).Known() || !size.Equal(got.Extent(i))) {
			open = true
			if !proved {
				if x := m.expr(w.Extent(i), s); x != nil {
					wants[i] = x
				}
			}
		}
	}
	if proved && open {
		if call, ok := e.(*tail.Call); ok {
			ty := tail.Shaped(got.Elem, refined...)
			ty.Values = got.Values
			call.Ty = ty
		}
		return e
	}
	if len(w.Values) == 1 && got.Dims() == 0 && !want.Value(0).Equal(got.Value(0)) && !proved {
		if x := m.expr(w.Values[0], s); x != nil {
			wants, open = []tail.Expr{x}, true
		}
	}
	if !open || proved {
		return e
	}
	text := fmt.Sprintf("the result of %s is %v by the annotation", c.label(), plainType(w))
	return g.expecting(g.name(e), wants, text, s)
}

// fitting reports a result of another rank or element type than the annotation
// says; it is called where that is not proved for all calls. Where the elements
// decide, it makes them what is claimed, which is tested when the program runs.
func (g *infer) fitting(c *closure, e tail.Expr, want *tail.Array, n *apl.Annotation, s site) tail.Expr {
	got := tail.TypeOf(e)
	if _, constant := want.Rank.IsConst(); constant && !got.Rank.Equal(want.Rank) {
		g.misfit(n, s.fn, fmt.Sprintf("the result of %s has %s", c.label(), rankWords(got)))
	}
	if want.ElemVar != "" || c.operator != nil || want.Elem == array.Bool && truths(e) {
		return e
	}
	if join, ok := joinElem(got.Elem, want.Elem); ok && join == want.Elem {
		return e
	}
	if narrows(got.Elem, want.Elem) {
		var narrow tail.Expr
		if g.try(func() { narrow = g.coerce(g.name(e), want.Elem) }) == nil {
			return narrow
		}
	}
	g.misfit(n, s.fn, fmt.Sprintf("the result of %s has elements of type %v", c.label(), got.Elem))
	return nil
}

// plainType writes a type of an annotation; a variable that stands for
// anything is an underscore.
func plainType(t *tail.Array) string { return anyElem.ReplaceAllString(noScalar(t), "$1_") }
