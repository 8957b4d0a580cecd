package laila

import (
	"fmt"
	"math"
	"slices"
)

// Quotients by constants in time tiles look at all elements that are stored, as
// few operations as a step of a stencil has. stepBounds carries bounds of the
// elements from step to step instead, before a chunk of steps runs: where they
// show that no element comes near 0 in it, nothing is looked at.
//
//	least, most = bounds of s
//	while sure < steps that are left
//	  least, most = bounds of what a step makes of elements between least and most
//	  if elements may be small or large: break
//	  sure = sure + 1
//	if sure ≥ steps of the chunk: the chunk without looks
//	else: the chunk with looks
//
// As rounding is monotone, the operations of the step on the bounds, rounded as
// those are, bound its results. Bounds only widen, so they hold for what is left of
// older steps, too. When they get too wide they are taken again from the elements,
// after 1, 2, 4, … chunks where this did not help.
//
// Where nothing is large, twice an element does not overflow, and a sum with a
// product by 2, 4, … is one operation, with the same digits:
//
//	a - (2 × s[i])   →   fma(-2, s[i], a)
//
// Requires: sums, differences, products and quotients of elements, constants and
// variables. Preserves: every bit.
type stepBounds struct {
	q     *quotients
	sets  map[*Buf]*elements // of arrays that the step writes to, one for arrays that are exchanged, and of others
	order []*elements
	nests map[*tiledNest]*Nest // without looks
	value map[*Var]Expr        // of the nests as they were
	own   map[*Var]bool        // variables of the loop
	known map[string]ends
	step  []Stmt // bounds after a step
	good  []Expr // what is to hold
	count int    // of spans

	sure, next, wait, looked, free *Var
}

// elements is the bounds of the elements of some arrays.
type elements struct {
	lo, hi    *Var
	first     []*Buf // whose elements a step takes over, or reads
	from, end int64
	seen      bool // dividends are made of them
	written   bool
}

// ends is the least and the greatest value of an expression.
type ends struct{ lo, hi Expr }

// largest is what bounds must not exceed.
const largest = 0x1p500

// mostSpans is how many expressions of a step are bounded.
const mostSpans = 400

// stepBounds is nil where the step does something else.
func (q *quotients) stepBounds() *stepBounds {
	l := q.t.l
	b := &stepBounds{q: q, sets: map[*Buf]*elements{}, nests: map[*tiledNest]*Nest{}, value: map[*Var]Expr{}, own: map[*Var]bool{}, known: map[string]ends{}}
	assigned(q.t.loop.Body, b.own)
	for _, n := range q.t.nests {
		Walk(n.nest.Body, func(s Stmt) {
			if d, ok := s.(*Decl); ok {
				b.value[d.Var] = d.Init
			}
		})
	}
	for _, n := range q.t.nests {
		for _, a := range n.touch {
			if q.seen[a.buf] && !b.include(a.buf) {
				return nil
			}
		}
	}
	b.readFirst()
	if !b.bound() {
		return nil
	}
	for n, c := range q.nests {
		c = newCloner(l).nest(c)
		b.scale(c.Body)
		b.nests[n] = c
	}
	b.sure, b.next, b.wait = l.newVar("sure", I64), l.newVar("next", I64), l.newVar("wait", I64)
	b.looked, b.free = l.newVar("looked", U8), l.newVar("known", U8)
	return b
}

// include adds an array, and those that it is made of.
func (b *stepBounds) include(buf *Buf) bool {
	if b.sets[buf] != nil {
		return true
	}
	t := b.q.t
	if buf.Elem != F64 {
		return !t.written[buf]
	}
	s := &elements{written: t.written[buf], lo: t.l.newVar("least", F64), hi: t.l.newVar("most", F64)}
	b.order = append(b.order, s)
	if !s.written {
		s.first = []*Buf{buf}
		b.sets[buf] = s
		return b.extent(s)
	}
	if !b.q.covered(buf) {
		return false
	}
	for c := range t.written {
		if b.q.orbit(c, buf) {
			b.sets[c] = s
			s.seen = s.seen || b.q.seen[c]
		}
	}
	s.end = t.rows * t.width[buf]
	ok := true
	for _, n := range t.nests {
		Walk(n.nest.Body, func(st Stmt) {
			if st, is := st.(*Store); is && b.sets[st.Buf] == s {
				ok = ok && b.parts(st.X)
			}
		})
	}
	return ok
}

// parts adds the arrays that x is made of.
func (b *stepBounds) parts(x Expr) bool {
	ok := true
	switch x := x.(type) {
	case *Load:
		return b.include(x.Buf)
	case *Use:
		if init := b.value[x.Var]; init != nil {
			return b.parts(init)
		}
	case *Convert:
		return x.X.Kind().exact()
	case *Select:
		return b.parts(x.Then) && b.parts(x.Else)
	}
	for _, y := range Operands(x) {
		ok = ok && b.parts(y)
	}
	return ok
}

// extent finds the elements of an array that is only read.
func (b *stepBounds) extent(s *elements) bool {
	s.from, s.end = math.MaxInt64, 0
	for _, n := range b.q.t.nests {
		for _, a := range n.reads {
			if a.buf != s.first[0] {
				continue
			}
			r, ok := a.index.interval(a.span)
			if !ok || a.index.coef == nil || r.lo < 0 {
				return false
			}
			s.from, s.end = min(s.from, r.lo), max(s.end, r.hi+1)
		}
	}
	return s.from < s.end
}

// readFirst notes which arrays are read in a step before it writes to them.
func (b *stepBounds) readFirst() {
	fresh := map[*Buf]bool{}
	for _, n := range b.q.t.nests {
		for _, a := range n.touch {
			if s := b.sets[a.buf]; s != nil && s.written && !a.store && !fresh[a.buf] && !slices.Contains(s.first, a.buf) {
				s.first = append(s.first, a.buf)
			}
		}
		for _, a := range n.touch {
			fresh[a.buf] = fresh[a.buf] || a.store
		}
	}
}

// bound writes the statements that widen the bounds to those after one step.
func (b *stepBounds) bound() bool {
	written := map[*Buf]bool{} // in this step, and not yet in the bounds
	wider := map[*elements][]ends{}
	var order []*elements
	merge := func() {
		for _, s := range order {
			for _, x := range wider[s] {
				b.step = append(b.step, &Assign{s.lo, &Binary{Min, &Use{s.lo}, x.lo}}, &Assign{s.hi, &Binary{Max, &Use{s.hi}, x.hi}})
			}
		}
		clear(written)
		clear(wider)
		clear(b.known)
		order = nil
	}
	for _, n := range b.q.t.nests {
		for _, a := range n.touch {
			if !a.store && written[a.buf] {
				merge()
			}
		}
		ok := true
		Walk(n.nest.Body, func(st Stmt) {
			store, is := st.(*Store)
			if !is || !ok || b.sets[store.Buf] == nil {
				return
			}
			var x ends
			if x, ok = b.of(store.X); !ok {
				return
			}
			s := b.sets[store.Buf]
			written[store.Buf] = true
			for _, y := range wider[s] {
				if y == x {
					return
				}
			}
			if wider[s] == nil {
				order = append(order, s)
			}
			wider[s] = append(wider[s], x)
			b.finite(x)
		})
		if !ok {
			return false
		}
	}
	merge()
	for _, s := range b.order {
		b.finite(ends{&Use{s.lo}, &Use{s.hi}})
		if s.seen {
			b.require(&Binary{Or, &Binary{Ge, &Use{s.lo}, &Float{0x1p-500}}, &Binary{Le, &Use{s.hi}, &Float{-0x1p-500}}})
		}
	}
	return true
}

func (b *stepBounds) require(x Expr) {
	v := b.q.t.l.newVar("fine", U8)
	b.step = append(b.step, &Decl{v, x})
	b.good = append(b.good, &Use{v})
}

// finite requires bounds that are numbers, and not large.
func (b *stepBounds) finite(x ends) {
	b.require(&Binary{And, &Binary{Ge, x.lo, &Float{-largest}}, &Binary{Le, x.hi, &Float{largest}}})
}

// named declares the bounds of an operation, once.
func (b *stepBounds) named(key string, make func() (lo, hi Expr, ok bool)) (ends, bool) {
	if x, ok := b.known[key]; ok {
		return x, true
	}
	lo, hi, ok := make()
	if b.count++; !ok || b.count > mostSpans {
		return ends{}, false
	}
	u, v := b.q.t.l.newVar("lo", F64), b.q.t.l.newVar("hi", F64)
	b.step = append(b.step, &Decl{u, lo}, &Decl{v, hi})
	x := ends{&Use{u}, &Use{v}}
	b.known[key] = x
	return x, true
}

// of returns the bounds of x. What is no number, or infinite, on the way is so in
// the bounds of the result, or required not to be.
func (b *stepBounds) of(x Expr) (ends, bool) {
	switch x := x.(type) {
	case *Float:
		return ends{x, x}, !math.IsNaN(x.Val) && math.Abs(x.Val) <= largest
	case *Load:
		if s := b.sets[x.Buf]; s != nil {
			return b.named(fmt.Sprintf("load %p", s), func() (Expr, Expr, bool) { return &Use{s.lo}, &Use{s.hi}, true })
		}
	case *Use:
		if init, ok := b.value[x.Var]; ok {
			if init == nil || b.own[x.Var] {
				return ends{}, false
			}
			return b.of(init)
		}
		if x.Var.Kind == F64 && !b.own[x.Var] && b.q.t.element[x.Var] == nil {
			s := ends{x, x}
			b.finite(s)
			return s, true
		}
	case *Convert:
		lo, hi, ok := kindBounds(x.X.Kind())
		return ends{&Float{lo}, &Float{hi}}, ok && x.To == F64
	case *Unary:
		if x.Op == Neg {
			y, ok := b.of(x.X)
			if !ok {
				return y, false
			}
			return b.named("neg "+key(y), func() (Expr, Expr, bool) { return &Unary{Neg, y.hi}, &Unary{Neg, y.lo}, true })
		}
	case *Select:
		y, yes := b.of(x.Then)
		z, no := b.of(x.Else)
		if !yes || !no {
			return ends{}, false
		}
		b.finite(y)
		b.finite(z)
		return b.named("either "+key(y)+key(z), func() (Expr, Expr, bool) { return &Binary{Min, y.lo, z.lo}, &Binary{Max, y.hi, z.hi}, true })
	case *Binary:
		return b.binary(x)
	}
	return ends{}, false
}

func (b *stepBounds) binary(x *Binary) (ends, bool) {
	if x.Kind() != F64 {
		return ends{}, false
	}
	y, yes := b.of(x.X)
	z, no := b.of(x.Y)
	if !yes || !no {
		return ends{}, false
	}
	return b.named(fmt.Sprint(x.Op, key(y), key(z)), func() (lo, hi Expr, ok bool) {
		switch x.Op {
		case Add:
			return &Binary{Add, y.lo, z.lo}, &Binary{Add, y.hi, z.hi}, true
		case Sub:
			return &Binary{Sub, y.lo, z.hi}, &Binary{Sub, y.hi, z.lo}, true
		case Mul:
			if f, ok := x.X.(*Float); ok {
				lo, hi := ordered(Mul, z, f)
				return lo, hi, f.Val != 0
			}
			if f, ok := x.Y.(*Float); ok {
				lo, hi := ordered(Mul, y, f)
				return lo, hi, f.Val != 0
			}
		case Div:
			if f, ok := x.Y.(*Float); ok {
				lo, hi := ordered(Div, y, f)
				return lo, hi, f.Val != 0
			}
		case Min, Max:
			b.finite(y)
			b.finite(z)
			return &Binary{x.Op, y.lo, z.lo}, &Binary{x.Op, y.hi, z.hi}, true
		}
		return nil, nil, false
	})
}

// ordered are the bounds of an operation with a constant.
func ordered(op BinOp, x ends, f *Float) (lo, hi Expr) {
	lo, hi = &Binary{op, x.lo, f}, &Binary{op, x.hi, f}
	if f.Val < 0 {
		return hi, lo
	}
	return lo, hi
}

// key tells spans apart.
func key(x ends) string {
	if f, ok := x.lo.(*Float); ok {
		return fmt.Sprintf("[%x]", math.Float64bits(f.Val)) + constantHigh(x.hi)
	}
	return fmt.Sprintf("[%p]", x.lo.(*Use).Var)
}

func constantHigh(x Expr) string { return fmt.Sprintf("%x ", math.Float64bits(x.(*Float).Val)) }

// kindBounds are those of the integers of a kind, as doubles.
func kindBounds(k Kind) (lo, hi float64, ok bool) {
	switch k {
	case U8:
		return 0, 1, true
	case I8, I16, I32, I64:
		n := float64(8*width(k) - 1)
		return -math.Exp2(n), math.Exp2(n), true
	}
	return 0, 0, false
}

// scale makes one operation of sums with exact products.
func (b *stepBounds) scale(block []Stmt) {
	value := map[*Var]Expr{}
	Walk(block, func(s Stmt) {
		if d, ok := s.(*Decl); ok {
			value[d.Var] = d.Init
		}
		mapScalars(s, func(x Expr) Expr {
			sum, ok := x.(*Binary)
			if !ok || sum.Op != Add && sum.Op != Sub {
				return x
			}
			if c, y, ok := b.scaled(sum.Y, value); ok {
				if sum.Op == Sub {
					c = -c
				}
				return &Math{fmaFn, F64, []Expr{&Float{c}, y, sum.X}}
			}
			if c, y, ok := b.scaled(sum.X, value); ok {
				z := sum.Y
				if sum.Op == Sub {
					z = &Unary{Neg, z}
				}
				return &Math{fmaFn, F64, []Expr{&Float{c}, y, z}}
			}
			return x
		})
	})
}

// scaled takes a product of an element and 2, 4, … apart.
func (b *stepBounds) scaled(x Expr, value map[*Var]Expr) (c float64, y Expr, ok bool) {
	if u, ok := x.(*Use); ok {
		x = value[u.Var]
	}
	p, ok := x.(*Binary)
	if !ok || p.Kind() != F64 {
		return 0, nil, false
	}
	switch f, isFloat := p.X.(*Float); {
	case p.Op == Mul && isFloat:
		c, y = f.Val, p.Y
	case p.Op == Mul:
		f, isFloat := p.Y.(*Float)
		if !isFloat {
			return 0, nil, false
		}
		c, y = f.Val, p.X
	case p.Op == Add:
		u, isUse := p.X.(*Use)
		v, isToo := p.Y.(*Use)
		if !isUse || !isToo || u.Var != v.Var {
			return 0, nil, false
		}
		c, y = 2, p.X
	default:
		return 0, nil, false
	}
	if fraction, _ := math.Frexp(math.Abs(c)); fraction != 0.5 || math.Abs(c) < 2 || math.Abs(c) > 0x1p60 {
		return 0, nil, false
	}
	e := y
	if u, ok := e.(*Use); ok {
		e = value[u.Var]
	}
	load, ok := e.(*Load)
	return c, y, ok && b.sets[load.Buf] != nil
}
