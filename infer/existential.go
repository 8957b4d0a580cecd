package infer

import (
	"strings"

	"github.com/tailor-lang/tailor/tail"
)

// settle replaces the sizes that only the result of an annotation mentions: they
// stand for whatever size the result has where they occur first. Where that is
// not known nothing is claimed there, and what is compared with it is made
// unknown, too.
func (s *signature) settle(got, want tail.Type) (tail.Type, tail.Type) {
	if len(s.free) == 0 {
		return got, want
	}
	return s.settled(got, want, map[string]tail.Size{})
}

func (s *signature) settled(got, want tail.Type, bound map[string]tail.Size) (tail.Type, tail.Type) {
	switch w := want.(type) {
	case *tail.TupleType:
		t, ok := got.(*tail.TupleType)
		if !ok || len(t.Elems) != len(w.Elems) {
			return got, want
		}
		x, y := &tail.TupleType{Shape: t.Shape, Proto: t.Proto}, &tail.TupleType{Shape: w.Shape, Proto: w.Proto}
		for i, e := range w.Elems {
			a, b := s.settled(t.Elems[i], e, bound)
			x.Elems, y.Elems = append(x.Elems, a), append(y.Elems, b)
		}
		return x, y
	case *tail.NestType:
		t, ok := asNest(got).(*tail.NestType)
		if !ok || len(t.Counts) != len(w.Counts) || t.ByColumn != w.ByColumn {
			return got, want
		}
		x, y := &tail.NestType{ByColumn: t.ByColumn}, &tail.NestType{ByColumn: w.ByColumn}
		for i, n := range w.Counts {
			has, claim := s.settledSize(t.Counts[i], n, bound)
			x.Counts, y.Counts = append(x.Counts, has), append(y.Counts, claim)
		}
		x.Item, y.Item = s.settled(t.Item, w.Item, bound)
		return x, y
	case *tail.Array:
		a, ok := got.(*tail.Array)
		if !ok || !a.Rank.Equal(w.Rank) {
			return got, want
		}
		x, y := *a, *w
		x.Extents, y.Extents, y.Values = nil, nil, nil
		for i, size := range w.Extents {
			has, claim := s.settledSize(a.Extent(i), size, bound)
			x.Extents, y.Extents = append(x.Extents, has), append(y.Extents, claim)
		}
		if len(w.Extents) == 0 {
			x.Extents = a.Extents
		}
		for i, size := range w.Values {
			_, claim := s.settledSize(a.Value(i), size, bound)
			y.Values = append(y.Values, claim)
		}
		return &x, &y
	}
	return got, want
}

// settledSize returns a size and what is claimed of it.
func (s *signature) settledSize(got, x tail.Size, bound map[string]tail.Size) (has, claim tail.Size) {
	for _, t := range x.Terms {
		if !contains(s.free, strings.TrimRight(t.Var, "'")) {
			continue
		}
		if value, ok := bound[t.Var]; ok {
			if !value.Known() {
				return tail.AnySize, x
			}
			continue
		}
		if bound[t.Var] = tail.AnySize; t.Coef == 1 && x.Equal(tail.VarSize(t.Var)) && !got.Known() {
			return got, tail.AnySize // whatever it is
		}
		if t.Coef != 1 || !got.Known() {
			return tail.AnySize, x
		}
		value := got.Minus(x.Minus(tail.VarSize(t.Var)).Subst(bound))
		if n, constant := value.IsConst(); constant && n < 0 {
			return got, x
		}
		if !natural(value) {
			return tail.AnySize, x // the rest may be negative
		}
		bound[t.Var] = value
		return got, got
	}
	return got, x.Subst(bound)
}

// settleAt gives the sizes that only the result mentions values for one call.
func (m *matching) settleAt(w, got *tail.Array, e tail.Expr) {
	for i, x := range w.Extents {
		for _, t := range x.Terms {
			if _, ok := m.sizes[t.Var]; !ok && contains(m.sig.free, t.Var) {
				m.size(x, got.Extent(i), m.extentOf(e, i))
			}
		}
	}
}
