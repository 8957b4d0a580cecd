package infer

import (
	"fmt"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Annotations claim types of nested arrays, [i<n → T]:
//
//	rows←{↓⍵} ⍝: [n,m]κ → [i<n → <κ>m]
//	sums←{+/¨⍵} ⍝: [i<n → [κ]1] → <κ>n

// ofItems begins the names of what is claimed of items.
const ofItems = "items: "

// partsOfNest returns the names of what a type of nested arrays claims.
func partsOfNest(t *tail.NestType, prefix string) []string {
	var parts []string
	for i, n := range t.Counts {
		if n.Known() {
			parts = append(parts, prefix+countName(i, len(t.Counts)))
		}
	}
	return append(parts, partsOf(t.Item, prefix+ofItems)...)
}

func countName(i, n int) string {
	if n == 1 {
		return "number of items"
	}
	return extentName(i, n)
}

// compareNest is compare of a type of nested arrays.
func compareNest(got tail.Type, want *tail.NestType, prefix string) []Claim {
	if w, ok := want.Item.(*tail.Array); ok && w.Values != nil {
		got = asNest(got)
	}
	t, ok := Nested(got).(*tail.NestType)
	if !ok || len(t.Counts) != len(want.Counts) || t.ByColumn != want.ByColumn {
		return refuteAll(want, prefix, "the result is "+describeType(got))
	}
	var all []Claim
	for i, n := range want.Counts {
		if n.Known() {
			v, reason := compareSizes(t.Counts[i], n)
			all = append(all, Claim{Part: prefix + countName(i, len(t.Counts)), Verdict: v, Reason: reason})
		}
	}
	x, y := tail.ItemsOf(t, want)
	return append(all, compare(x, y, prefix+ofItems)...)
}

// placedValues is what is known of a simple vector as a nest, as claims of the values of its
// elements have it: ⍳n is [i<n → S(int,i+1)]. It is nil for other claims.
func (g *infer) placedValues(e tail.Expr, want *tail.NestType) tail.Type {
	item, ok := want.Item.(*tail.Array)
	got, simple := e.Type().(*tail.Array)
	if !ok || !simple || item.Values == nil || got.Dims() != 1 || len(want.Counts) != 1 {
		return nil
	}
	z := tail.Scalar(got.Elem)
	if times, plus, ok := g.affineOf(e); ok {
		z.Values = []tail.Size{tail.Position(0).Times(times).Plus(tail.ConstSize(plus))}
	}
	return &tail.NestType{Counts: []tail.Size{got.Extent(0)}, Item: z}
}

// asNest is a type as that of a nest, a simple array as one of scalars.
func asNest(t tail.Type) tail.Type {
	a, ok := t.(*tail.Array)
	if !ok || a.Dims() == 0 {
		return Nested(t)
	}
	z := &tail.NestType{Item: tail.Scalar(a.Elem)}
	for i := range a.Dims() {
		z.Counts = append(z.Counts, a.Extent(i))
	}
	return z
}

// affineOf reports whether the elements of a vector are times×i+plus at the position i.
func (g *infer) affineOf(e tail.Expr) (times, plus int64, ok bool) {
	switch e := e.(type) {
	case *tail.Ref:
		if g.known[e.Var] != nil {
			return g.affineOf(g.known[e.Var].e)
		}
	case *tail.Apply:
		if e.Op == tail.OpIota {
			return 1, 1, true
		}
		if l, each := firstLam(e); each {
			times, plus, ok = g.affineOf(e.Args[1])
			v := l.Params[0]
			a, b, linear := linearIn(l.Body, v)
			return a * times, a*plus + b, ok && linear
		}
	}
	return 0, 0, false
}

// firstLam is the function of an application of each.
func firstLam(e *tail.Apply) (*tail.Lam, bool) {
	if e.Op != tail.OpEach {
		return nil, false
	}
	l, ok := e.Args[0].(*tail.Lam)
	return l, ok && len(l.Params) == 1
}

// linearIn reports whether a scalar is a×v+b for a variable v.
func linearIn(e tail.Expr, v *tail.Var) (a, b int64, ok bool) {
	switch e := e.(type) {
	case *tail.Lit:
		if e.Value.Rank() == 0 && e.Value.Elem == array.Int {
			return 0, e.Value.Int(0), true
		}
	case *tail.Ref:
		return 1, 0, e.Var == v
	case *tail.Apply:
		if len(e.Args) != 2 {
			return 0, 0, false
		}
		a1, b1, ok1 := linearIn(e.Args[0], v)
		a2, b2, ok2 := linearIn(e.Args[1], v)
		if !ok1 || !ok2 {
			return 0, 0, false
		}
		switch {
		case e.Op == tail.OpAddI:
			return a1 + a2, b1 + b2, true
		case e.Op == tail.OpSubI:
			return a1 - a2, b1 - b2, true
		case e.Op == tail.OpMulI && a1 == 0:
			return a2 * b1, b2 * b1, true
		case e.Op == tail.OpMulI && a2 == 0:
			return a1 * b2, b1 * b2, true
		}
	}
	return 0, 0, false
}

// nest matches a type of nested arrays.
func (m *matching) nest(want *tail.NestType, got tail.Type) misfit {
	t, ok := Nested(got).(*tail.NestType)
	if !ok || len(t.Counts) != len(want.Counts) || t.ByColumn != want.ByColumn {
		return misfit("is " + describeType(got))
	}
	for i, n := range want.Counts {
		if !n.Known() {
			continue
		}
		if _, _, bad := m.size(n, t.Counts[i], nil); bad {
			return misfit(fmt.Sprintf("has %s items", plainSize(t.Counts[i])))
		}
	}
	x, y := tail.ItemsOf(t, want)
	return m.item(y, x)
}

// item matches the type of an item, in which positions stand for themselves.
func (m *matching) item(want, got tail.Type) misfit {
	switch want := want.(type) {
	case *tail.NestType:
		return m.nest(want, got)
	case *tail.TupleType:
		t, ok := got.(*tail.TupleType)
		if !ok || len(t.Elems) != len(want.Elems) {
			return misfit("has items that are " + describeType(got))
		}
		for i := range want.Elems {
			if bad := m.item(want.Elems[i], t.Elems[i]); bad != "" {
				return bad
			}
		}
	case *tail.Array:
		a, ok := got.(*tail.Array)
		if !ok {
			return misfit("has items that are " + describeType(got))
		}
		if _, bad := m.array(want, a, nil); bad != "" {
			return "has an item that " + bad
		}
	}
	return ""
}

// nestedArgument makes a nested argument what the annotation says, as far as that is known
// before the program runs.
func (g *infer) nestedArgument(m *matching, c *closure, want *tail.NestType, e tail.Expr, what string, at diag.Span, s site) tail.Expr {
	if bad := m.nest(want, e.Type()); bad != "" {
		g.wrongArgument(m, c, what, string(bad), at, tail.Spell(want))
	}
	return e
}

// storedParam is a type of an argument, where nested arrays are stored as elements and
// lengths, or by columns. The error is that of a nested array that is stored in no way.
func (g *infer) storedParam(t tail.Type, sig *signature) (tail.Type, *diag.Error) {
	nest, ok := t.(*tail.NestType)
	if !ok {
		return t, nil
	}
	stored := storedAs(nest)
	if stored == nil {
		return nil, diag.Errorf(diag.NotCompiled, sig.note.Span(), "nested arguments of the type %s", tail.Spell(t))
	}
	return stored, nil
}

// storedAs is how a nested array is stored; nil for those that are in no way.
func storedAs(t *tail.NestType) tail.Type {
	if len(t.Counts) != 1 || t.ByColumn {
		return nil
	}
	n := t.Counts[0]
	if !n.Known() {
		n = tail.VarSize("#900") // one for all columns
	}
	return columnAs(t.Item, n)
}

// columnAs is how n items of a type are stored.
func columnAs(item tail.Type, n tail.Size) tail.Type {
	switch item := item.(type) {
	case *tail.Array:
		r, ok := item.Rank.IsConst()
		if !ok || item.ElemVar != "" {
			return nil
		}
		if r == 0 {
			return tail.Shaped(item.Elem, n)
		}
		numbers := tail.Shaped(array.Int, n)
		z := &tail.TupleType{Elems: []tail.Type{tail.Shaped(item.Elem, tail.AnySize), numbers, numbers}, Shape: raggedShape}
		if r == 1 {
			z.Item = item
			return z
		}
		z.Elems, z.Shape = append(z.Elems, tail.Shaped(array.Int, n, tail.ConstSize(r))), []int{ofArrays}
		return z
	case *tail.TupleType:
		z := &tail.TupleType{Shape: columnsShape(item)}
		for _, e := range item.Elems {
			column := columnAs(e, n)
			if column == nil {
				return nil
			}
			z.Elems = append(z.Elems, column)
		}
		return z
	case *tail.NestType:
		if stored := storedAs(item); stored != nil {
			return columnAs(stored, n)
		}
	}
	return nil
}
