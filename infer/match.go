package infer

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// matching finds what the variables of an annotation stand for, from values of
// the types that it gives.
type matching struct {
	g     *infer
	sig   *signature
	elems map[string]array.Elem
	sizes map[string]tail.Size
	where map[string]func(site) tail.Expr // computes a size when the program runs
}

func (g *infer) newMatching(sig *signature) *matching {
	return &matching{g: g, sig: sig, elems: map[string]array.Elem{}, sizes: map[string]tail.Size{},
		where: map[string]func(site) tail.Expr{}}
}

// unknown is a size that is compared when the program runs: where Known, it is
// a lower bound of the value's own size instead.
type demand struct {
	axis  int
	size  tail.Size // as the annotation has it
	least bool      // the axis is at least this long
}

// misfit says why a value is not of the annotated type, or is empty.
type misfit string

// array matches an array type; the demands are what must be checked when the
// program runs.
func (m *matching) array(want, got *tail.Array, e tail.Expr) ([]demand, misfit) {
	if bad := m.elem(want, got); bad != "" {
		return nil, bad
	}
	if !want.Rank.Known() {
		return nil, ""
	}
	if _, _, bad := m.size(want.Rank, got.Rank, nil); bad {
		return nil, misfit("has " + rankWords(got))
	}
	var demands []demand
	for i, x := range want.Extents {
		if !x.Known() {
			continue
		}
		check, least, bad := m.size(x, got.Extent(i), m.extentOf(e, i))
		if bad {
			return nil, misfit("has shape " + shapeWords(got))
		}
		if check {
			size := x
			if least {
				size = tail.ConstSize(x.Const)
			}
			demands = append(demands, demand{i, size, least})
		}
	}
	if len(want.Values) == 1 {
		if _, _, bad := m.size(want.Values[0], got.Value(0), nil); bad {
			return nil, misfit("is " + plainSize(got.Value(0)))
		}
	}
	return demands, ""
}

// elem binds or compares an element type. Truth values count as integers, and
// integers as doubles.
func (m *matching) elem(want, got *tail.Array) misfit {
	elem := want.Elem
	if v := want.ElemVar; v != "" {
		bound, ok := m.elems[v]
		switch {
		case v == "_":
			return ""
		case !ok:
			if elemRange(v)[0] == array.Int && (!got.Elem.Numeric() || got.Elem == array.Complex) {
				return misfit(fmt.Sprintf("has elements of type %v, not real numbers", got.Elem))
			}
			m.elems[v] = got.Elem
			if elemRange(v)[0] == array.Int && got.Elem == array.Bool {
				m.elems[v] = array.Int
			}
			return ""
		}
		if join, ok := joinElem(bound, got.Elem); ok && join == got.Elem && elemRange(v)[0] == array.Int {
			m.elems[v] = got.Elem
			return ""
		}
		elem = bound
	}
	if _, ok := joinElem(elem, got.Elem); !ok {
		return misfit(fmt.Sprintf("has elements of type %v", got.Elem))
	}
	return ""
}

// size binds a variable of p or compares p with s. check reports that the
// program must compare them when it runs; least, that only s ≥ p.Const is
// asked.
func (m *matching) size(p, s tail.Size, where func(site) tail.Expr) (check, least, bad bool) {
	var open *tail.Term
	rest := p
	for i, t := range p.Terms {
		if _, ok := m.sizes[t.Var]; ok {
			continue
		}
		if open != nil {
			return false, false, false
		}
		open = &p.Terms[i]
	}
	if open == nil {
		want := rest.Subst(m.sizes)
		switch {
		case want.Equal(s):
			return false, false, false
		case neverEqual(want, s):
			return false, false, true
		}
		return true, false, false
	}
	others := p.Minus(tail.VarSize(open.Var).Times(open.Coef))
	value := s.Minus(others.Subst(m.sizes))
	if open.Coef != 1 {
		m.sizes[open.Var] = quotient(value, open.Coef)
		return false, false, false
	}
	m.sizes[open.Var] = value
	if where != nil {
		m.where[open.Var] = func(at site) tail.Expr {
			if n, ok := others.IsConst(); ok && n == 0 {
				return where(at)
			}
			less := m.expr(others, at)
			if less == nil {
				return nil
			}
			return m.g.op(tail.OpSubI, at, where(at), less)
		}
	}
	n, constant := value.IsConst()
	if constant && n < 0 || value.Known() && natural(value.Times(-1)) && value.Const < 0 {
		return false, false, true
	}
	return !natural(value) && len(others.Terms) == 0 && others.Const > 0, true, false
}

// quotient returns s÷k where it is whole.
func quotient(s tail.Size, k int64) tail.Size {
	if s.Any || k == 0 || s.Const%k != 0 {
		return tail.AnySize
	}
	r := tail.ConstSize(s.Const / k)
	for _, t := range s.Terms {
		if t.Coef%k != 0 {
			return tail.AnySize
		}
		r = r.Plus(tail.VarSize(t.Var).Times(t.Coef / k))
	}
	return r
}

// neverEqual reports whether two sizes differ for all natural values of their
// variables.
func neverEqual(a, b tail.Size) bool {
	d := a.Minus(b)
	if d.Any {
		return false
	}
	return natural(d) && d.Const > 0 || natural(d.Times(-1)) && d.Const < 0
}

// expr computes a size when the program runs; nil where that is not possible.
func (m *matching) expr(s tail.Size, at site) tail.Expr {
	g := m.g
	var sum tail.Expr
	if s.Const != 0 || len(s.Terms) == 0 {
		sum = g.intLit(at, int(s.Const))
	}
	for _, t := range s.Terms {
		var v tail.Expr
		if known, ok := m.sizes[t.Var].IsConst(); ok {
			v = g.intLit(at, int(known))
		} else if where := m.where[t.Var]; where != nil {
			v = where(at)
		}
		if v == nil {
			return nil
		}
		if t.Coef != 1 {
			v = g.op(tail.OpMulI, at, g.intLit(at, int(t.Coef)), v)
		}
		if sum == nil {
			sum = v
			continue
		}
		sum = g.op(tail.OpAddI, at, sum, v)
	}
	return sum
}

// extentOf computes the extent of an axis.
func (m *matching) extentOf(e tail.Expr, axis int) func(site) tail.Expr {
	if e == nil {
		return nil
	}
	return func(at site) tail.Expr {
		return m.g.op(tail.OpIndex, at, m.g.op(tail.OpShape, at, e), m.g.intLit(at, axis+1))
	}
}

// instance returns a type with what the variables stand for; sizes that are not
// known are left out.
func (m *matching) instance(t tail.Type) tail.Type {
	c := choice{elems: m.elems, ranks: m.sizes}
	return c.instance(t, nil)
}

func rankWords(t *tail.Array) string {
	n, _ := t.Rank.IsConst()
	if n == 0 {
		return "rank 0 (a scalar)"
	}
	return fmt.Sprintf("rank %d (shape %s)", n, shapeWords(t))
}

// shapeWords writes the shape of a type as far as it is known.
func shapeWords(t *tail.Array) string {
	n, _ := t.Rank.IsConst()
	if n == 0 {
		return "scalar"
	}
	text := ""
	for i := range int(n) {
		if i > 0 {
			text += " "
		}
		if x := t.Extent(i); x.Known() {
			text += plainSize(x)
		} else {
			text += "?"
		}
	}
	return text
}

// narrowedNothing returns the type of an array that is known to have no elements as that of
// one with the numbers of another type: no number is one of any kind.
func narrowedNothing(t, as *tail.Array) *tail.Array {
	if !isEmpty(t) || !t.Elem.Numeric() || !as.Elem.Numeric() || t.Elem <= as.Elem {
		return t
	}
	narrowed := *t
	narrowed.Elem = as.Elem
	return &narrowed
}

// examineValue judges the annotation of a binding, whose variables stand for
// whatever they match.
func (g *infer) examineValue(name string, sig *signature, got tail.Type) {
	r := g.examiner.report(name, sig.note)
	m := g.newMatching(sig)
	if w, ok := sig.result.(*tail.Array); ok {
		if a, ok := got.(*tail.Array); ok {
			a = narrowedNothing(a, w)
			got = a
			if _, bad := m.array(w, a, nil); bad != "" {
				r.whole(sig.result, Refuted, "the value "+string(bad))
				e := diag.Errorf(diag.FalseAnnotation, sig.note.Span(), "the annotation of %s does not hold", name)
				e.Notes = []diag.Note{{Message: "the value " + string(bad)}}
				r.refute(e)
				return
			}
		}
	}
	if w, ok := sig.result.(*tail.NestType); ok {
		m.nest(w, got) // what does not fit is found below
	}
	for _, claim := range compare(got, m.instance(sig.result), "") {
		claim.Reason = strings.Replace(claim.Reason, "the result", "the value", 1)
		r.merge(claim)
		if claim.Verdict == Refuted {
			e := diag.Errorf(diag.FalseAnnotation, sig.note.Span(), "the annotation of %s does not hold", name)
			e.Notes = []diag.Note{{Message: claim.Part + ": " + claim.Reason}}
			r.refute(e)
		}
	}
}
