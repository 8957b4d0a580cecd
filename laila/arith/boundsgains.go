package arith

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// The bounds of variables and arrays: see bounds.go.

// improve bounds all variables and arrays by what they are set to; it reports whether
// that says more than before.
func (b *bounds) improve() bool {
	better := false
	for _, v := range b.order {
		if b.unknown[v] {
			continue
		}
		old := b.l.RangeOf(v.Use())
		if r, ok := meet(old, b.variable(v)); ok && r != old {
			b.l.Ranges[v] = r
			better = true
		}
	}
	for _, a := range b.arrays {
		if a.into == nil && a.known && len(a.stored) > 0 {
			better = b.narrowed(a, b.contents(a)) || better
		}
	}
	for _, s := range b.steps {
		better = b.grow(s) || better
	}
	return better
}

// narrowed notes the range of an array's elements; it reports whether that says more than before.
func (b *bounds) narrowed(a *array, r facts.Interval) bool {
	r, ok := meet(a.in, r)
	if !ok || r == a.in {
		return false
	}
	a.in = r
	for _, buf := range a.bufs {
		if m, ok := meet(b.l.RangeOf(buf.Load(ir.Integer(0))), r); ok {
			b.l.Bufs[buf] = m
		}
	}
	return true
}

func meet(r, s facts.Interval) (facts.Interval, bool) {
	m := facts.Between(max(r.Lo, s.Lo), min(r.Hi, s.Hi))
	return m, m.Lo <= m.Hi
}

// contents bounds the elements of an array.
func (b *bounds) contents(a *array) facts.Interval {
	var all facts.Interval
	first := true
	for _, s := range a.stored {
		if ld, ok := s.x.(*ir.Load); ok && b.of(ld.Buf) == a {
			continue
		}
		r := b.l.RangeOf(s.x)
		if first {
			all, first = r, false
		} else {
			all = all.Union(r)
		}
	}
	if first {
		return facts.AnyInt
	}
	return all
}

// variable bounds a variable: what it is set to, and what is added to that.
func (b *bounds) variable(v *ir.Var) facts.Interval {
	var all, more facts.Interval
	first := true
	for _, s := range b.sets[v] {
		d, adds := b.added(s, v, 0)
		if !adds {
			r := b.l.RangeOf(facts.Others(v, s.x))
			if first {
				all, first = r, false
			} else {
				all = all.Union(r)
			}
			continue
		}
		gained, known := b.gain(v, s.loops, d)
		sum, exact := facts.Arith(ir.OpAdd, more, gained)
		if !known || !exact {
			return facts.AnyInt
		}
		more = sum
	}
	if first {
		return facts.AnyInt
	}
	sum, exact := facts.Arith(ir.OpAdd, all, more)
	if kind := facts.RangeOfKind(v.Kind); !exact || !sum.Within(kind.Lo, kind.Hi) {
		return kind // it may wrap
	}
	return sum
}

// gain bounds what is added to a variable in loops, d in each iteration; it is not known where
// nobody knows how many there are.
func (b *bounds) gain(v *ir.Var, loops []dims, d facts.Interval) (total facts.Interval, known bool) {
	lo, hi := min(d.Lo, 0), max(d.Hi, 0)
	for _, l := range loops[min(b.at[v], len(loops)):] {
		if lo == 0 && hi == 0 {
			break
		}
		if l == nil {
			return facts.AnyInt, false
		}
		for _, x := range l {
			n, ok := facts.SubInt(b.l.RangeOf(x.Hi).Hi, b.l.RangeOf(x.Lo).Lo)
			if !ok {
				return facts.AnyInt, false
			}
			least, ok1 := facts.MulInt(lo, max(n, 0))
			most, ok2 := facts.MulInt(hi, max(n, 0))
			if !ok1 || !ok2 {
				return facts.AnyInt, false
			}
			lo, hi = least, most
		}
	}
	return facts.Between(lo, hi), true
}

// added bounds what a statement adds to a variable; it reports false where it sets it.
func (b *bounds) added(s varSet, v *ir.Var, depth int) (facts.Interval, bool) {
	if s.x == nil {
		return facts.Between(0, max(b.l.RangeOf(s.hi).Hi, 0)), true
	}
	return b.beyond(s.x, v, depth)
}

// beyond bounds x - v, where x is v and something.
func (b *bounds) beyond(x ir.Expr, v *ir.Var, depth int) (facts.Interval, bool) {
	if depth > 8 {
		return facts.Interval{}, false
	}
	switch x := x.(type) {
	case *ir.Use:
		if x.Var == v {
			return facts.Interval{}, true
		}
		if !b.unknown[x.Var] && b.at[x.Var] >= b.at[v] {
			return b.carried(x.Var, v, depth)
		}
	case *ir.Binary:
		if x.Kind() != v.Kind || x.Op != ir.OpAdd && x.Op != ir.OpSub {
			break
		}
		if d, ok := b.beyond(x.X, v, depth+1); ok {
			return facts.Arith(x.Op, d, b.l.RangeOf(x.Y))
		}
		if x.Op == ir.OpAdd {
			if d, ok := b.beyond(x.Y, v, depth+1); ok {
				return facts.Arith(ir.OpAdd, d, b.l.RangeOf(x.X))
			}
		}
	}
	return facts.Interval{}, false
}

// carried bounds u - v for a variable u that begins with v and something, and to which
// more is added.
func (b *bounds) carried(u, v *ir.Var, depth int) (facts.Interval, bool) {
	var all facts.Interval
	found := false
	for _, s := range b.sets[u] {
		if s.part {
			continue
		}
		d, more := facts.Interval{}, false
		if len(b.sets[u]) > 1 {
			d, more = b.added(s, u, depth+1)
		}
		ok := more
		switch {
		case more:
			d, ok = b.gain(u, s.loops, d)
		case !found && s.x != nil:
			d, ok = b.beyond(s.x, v, depth+1)
			found = true
		}
		if !ok {
			return all, false
		}
		if all, ok = facts.Arith(ir.OpAdd, all, d); !ok {
			return all, false
		}
	}
	return all, found
}
