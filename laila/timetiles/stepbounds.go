package timetiles

import (
	"fmt"
	"math"
	"slices"

	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// quotients by constants in time tiles look at all elements that are stored, as
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
	sets  map[*ir.Buf]*elements // of arrays that the step writes to, one for arrays that are exchanged, and of others
	order []*elements
	nests map[*tiledNest]*ir.Nest // without looks
	value map[*ir.Var]ir.Expr     // of the nests as they were
	own   map[*ir.Var]bool        // variables of the loop
	known map[string]ends
	step  []ir.Stmt // bounds after a step
	good  []ir.Expr // what is to hold
	count int       // of spans

	sure, next, wait, looked, free *ir.Var
}

// elements is the bounds of the elements of some arrays.
type elements struct {
	lo, hi    *ir.Var
	first     []*ir.Buf // whose elements a step takes over, or reads
	from, end int64
	seen      bool // dividends are made of them
	written   bool
}

// ends is the least and the greatest value of an expression.
type ends struct{ lo, hi ir.Expr }

// largest is what bounds must not exceed.
const largest = 0x1p500

// mostSpans is how many expressions of a step are bounded.
const mostSpans = 400

// stepBounds is nil where the step does something else.
func (q *quotients) stepBounds() *stepBounds {
	l := q.t.l
	b := &stepBounds{q: q, sets: map[*ir.Buf]*elements{}, nests: map[*tiledNest]*ir.Nest{}, value: map[*ir.Var]ir.Expr{}, own: map[*ir.Var]bool{}, known: map[string]ends{}}
	flow.NoteAssigned(q.t.loop.Body, b.own)
	for _, n := range q.t.nests {
		ir.Walk(n.nest.Body, func(s ir.Stmt) {
			if d, ok := s.(*ir.Decl); ok {
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
		c = l.NewCloner().Nest(c)
		b.scale(c.Body)
		b.nests[n] = c
	}
	b.sure, b.next, b.wait = l.NewVar("sure", ir.I64), l.NewVar("next", ir.I64), l.NewVar("wait", ir.I64)
	b.looked, b.free = l.NewVar("looked", ir.U8), l.NewVar("known", ir.U8)
	return b
}

// include adds an array, and those that it is made of.
func (b *stepBounds) include(buf *ir.Buf) bool {
	if b.sets[buf] != nil {
		return true
	}
	t := b.q.t
	if buf.Elem != ir.F64 {
		return !t.written[buf]
	}
	s := &elements{written: t.written[buf], lo: t.l.NewVar("least", ir.F64), hi: t.l.NewVar("most", ir.F64)}
	b.order = append(b.order, s)
	if !s.written {
		s.first = []*ir.Buf{buf}
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
		ir.Walk(n.nest.Body, func(st ir.Stmt) {
			if st, is := st.(*ir.Store); is && b.sets[st.Buf] == s {
				ok = ok && b.parts(st.X)
			}
		})
	}
	return ok
}

// parts adds the arrays that x is made of.
func (b *stepBounds) parts(x ir.Expr) bool {
	ok := true
	switch x := x.(type) {
	case *ir.Load:
		return b.include(x.Buf)
	case *ir.Use:
		if init := b.value[x.Var]; init != nil {
			return b.parts(init)
		}
	case *ir.Convert:
		return x.X.Kind().Exact()
	case *ir.Select:
		return b.parts(x.Then) && b.parts(x.Else)
	}
	for _, y := range ir.Operands(x) {
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
			r, ok := spanOf(a.index, a.span)
			if !ok || r.Lo < 0 {
				return false
			}
			s.from, s.end = min(s.from, r.Lo), max(s.end, r.Hi+1)
		}
	}
	return s.from < s.end
}

// readFirst notes which arrays are read in a step before it writes to them.
func (b *stepBounds) readFirst() {
	fresh := map[*ir.Buf]bool{}
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
	written := map[*ir.Buf]bool{} // in this step, and not yet in the bounds
	wider := map[*elements][]ends{}
	var order []*elements
	merge := func() {
		for _, s := range order {
			for _, x := range wider[s] {
				b.step = append(b.step, s.lo.Assign(ir.OpMin.Of(s.lo.Use(), x.lo)), s.hi.Assign(ir.OpMax.Of(s.hi.Use(), x.hi)))
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
		ir.Walk(n.nest.Body, func(st ir.Stmt) {
			store, is := st.(*ir.Store)
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
		b.finite(ends{s.lo.Use(), s.hi.Use()})
		if s.seen {
			b.require(ir.OpOr.Of(ir.OpGe.Of(s.lo.Use(), &ir.Float{Val: 0x1p-500}), ir.OpLe.Of(s.hi.Use(), &ir.Float{Val: -0x1p-500})))
		}
	}
	return true
}

func (b *stepBounds) require(x ir.Expr) {
	v := b.q.t.l.NewVar("fine", ir.U8)
	b.step = append(b.step, v.Decl(x))
	b.good = append(b.good, v.Use())
}

// finite requires bounds that are numbers, and not large.
func (b *stepBounds) finite(x ends) {
	b.require(ir.OpAnd.Of(ir.OpGe.Of(x.lo, &ir.Float{Val: -largest}), ir.OpLe.Of(x.hi, &ir.Float{Val: largest})))
}

// named declares the bounds of an operation, once.
func (b *stepBounds) named(key string, make func() (lo, hi ir.Expr, ok bool)) (ends, bool) {
	if x, ok := b.known[key]; ok {
		return x, true
	}
	lo, hi, ok := make()
	if b.count++; !ok || b.count > mostSpans {
		return ends{}, false
	}
	u, v := b.q.t.l.NewVar("lo", ir.F64), b.q.t.l.NewVar("hi", ir.F64)
	b.step = append(b.step, u.Decl(lo), v.Decl(hi))
	x := ends{u.Use(), v.Use()}
	b.known[key] = x
	return x, true
}

// of returns the bounds of x. What is no number, or infinite, on the way is so in
// the bounds of the result, or required not to be.
func (b *stepBounds) of(x ir.Expr) (ends, bool) {
	switch x := x.(type) {
	case *ir.Float:
		return ends{x, x}, !math.IsNaN(x.Val) && math.Abs(x.Val) <= largest
	case *ir.Load:
		if s := b.sets[x.Buf]; s != nil {
			return b.named(fmt.Sprintf("load %p", s), func() (ir.Expr, ir.Expr, bool) { return s.lo.Use(), s.hi.Use(), true })
		}
	case *ir.Use:
		if init, ok := b.value[x.Var]; ok {
			if init == nil || b.own[x.Var] {
				return ends{}, false
			}
			return b.of(init)
		}
		if x.Var.Kind == ir.F64 && !b.own[x.Var] && b.q.t.element[x.Var] == nil {
			s := ends{x, x}
			b.finite(s)
			return s, true
		}
	case *ir.Convert:
		lo, hi, ok := kindBounds(x.X.Kind())
		return ends{&ir.Float{Val: lo}, &ir.Float{Val: hi}}, ok && x.To == ir.F64
	case *ir.Unary:
		if x.Op == ir.OpNeg {
			y, ok := b.of(x.X)
			if !ok {
				return y, false
			}
			return b.named("neg "+key(y), func() (ir.Expr, ir.Expr, bool) { return ir.OpNeg.Of(y.hi), ir.OpNeg.Of(y.lo), true })
		}
	case *ir.Select:
		y, yes := b.of(x.Then)
		z, no := b.of(x.Else)
		if !yes || !no {
			return ends{}, false
		}
		b.finite(y)
		b.finite(z)
		return b.named("either "+key(y)+key(z), func() (ir.Expr, ir.Expr, bool) { return ir.OpMin.Of(y.lo, z.lo), ir.OpMax.Of(y.hi, z.hi), true })
	case *ir.Binary:
		return b.binary(x)
	}
	return ends{}, false
}

func (b *stepBounds) binary(x *ir.Binary) (ends, bool) {
	if x.Kind() != ir.F64 {
		return ends{}, false
	}
	y, yes := b.of(x.X)
	z, no := b.of(x.Y)
	if !yes || !no {
		return ends{}, false
	}
	return b.named(fmt.Sprint(x.Op, key(y), key(z)), func() (lo, hi ir.Expr, ok bool) {
		switch x.Op {
		case ir.OpAdd:
			return ir.OpAdd.Of(y.lo, z.lo), ir.OpAdd.Of(y.hi, z.hi), true
		case ir.OpSub:
			return ir.OpSub.Of(y.lo, z.hi), ir.OpSub.Of(y.hi, z.lo), true
		case ir.OpMul:
			if f, ok := x.X.(*ir.Float); ok {
				lo, hi := ordered(ir.OpMul, z, f)
				return lo, hi, f.Val != 0
			}
			if f, ok := x.Y.(*ir.Float); ok {
				lo, hi := ordered(ir.OpMul, y, f)
				return lo, hi, f.Val != 0
			}
		case ir.OpDiv:
			if f, ok := x.Y.(*ir.Float); ok {
				lo, hi := ordered(ir.OpDiv, y, f)
				return lo, hi, f.Val != 0
			}
		case ir.OpMin, ir.OpMax:
			b.finite(y)
			b.finite(z)
			return x.Op.Of(y.lo, z.lo), x.Op.Of(y.hi, z.hi), true
		}
		return nil, nil, false
	})
}

// ordered are the bounds of an operation with a constant.
func ordered(op ir.BinOp, x ends, f *ir.Float) (lo, hi ir.Expr) {
	lo, hi = op.Of(x.lo, f), op.Of(x.hi, f)
	if f.Val < 0 {
		return hi, lo
	}
	return lo, hi
}

// key tells spans apart.
func key(x ends) string {
	if f, ok := x.lo.(*ir.Float); ok {
		return fmt.Sprintf("[%x]", math.Float64bits(f.Val)) + constantHigh(x.hi)
	}
	return fmt.Sprintf("[%p]", x.lo.(*ir.Use).Var)
}

func constantHigh(x ir.Expr) string { return fmt.Sprintf("%x ", math.Float64bits(x.(*ir.Float).Val)) }

// kindBounds are those of the integers of a kind, as doubles.
func kindBounds(k ir.Kind) (lo, hi float64, ok bool) {
	switch k {
	case ir.U8:
		return 0, 1, true
	case ir.I8, ir.I16, ir.I32, ir.I64:
		n := float64(8*ir.Width(k) - 1)
		return -math.Exp2(n), math.Exp2(n), true
	}
	return 0, 0, false
}

// scale makes one operation of sums with exact products.
func (b *stepBounds) scale(block []ir.Stmt) {
	value := map[*ir.Var]ir.Expr{}
	ir.Walk(block, func(s ir.Stmt) {
		if d, ok := s.(*ir.Decl); ok {
			value[d.Var] = d.Init
		}
		ir.MapScalars(s, func(x ir.Expr) ir.Expr {
			sum, ok := x.(*ir.Binary)
			if !ok || sum.Op != ir.OpAdd && sum.Op != ir.OpSub {
				return x
			}
			if c, y, ok := b.scaled(sum.Y, value); ok {
				if sum.Op == ir.OpSub {
					c = -c
				}
				return &ir.Math{Fn: ir.FmaFn, K: ir.F64, Args: []ir.Expr{&ir.Float{Val: c}, y, sum.X}}
			}
			if c, y, ok := b.scaled(sum.X, value); ok {
				z := sum.Y
				if sum.Op == ir.OpSub {
					z = ir.OpNeg.Of(z)
				}
				return &ir.Math{Fn: ir.FmaFn, K: ir.F64, Args: []ir.Expr{&ir.Float{Val: c}, y, z}}
			}
			return x
		})
	})
}

// scaled takes a product of an element and 2, 4, … apart.
func (b *stepBounds) scaled(x ir.Expr, value map[*ir.Var]ir.Expr) (c float64, y ir.Expr, ok bool) {
	if u, ok := x.(*ir.Use); ok {
		x = value[u.Var]
	}
	p, ok := x.(*ir.Binary)
	if !ok || p.Kind() != ir.F64 {
		return 0, nil, false
	}
	switch f, isFloat := p.X.(*ir.Float); {
	case p.Op == ir.OpMul && isFloat:
		c, y = f.Val, p.Y
	case p.Op == ir.OpMul:
		f, isFloat := p.Y.(*ir.Float)
		if !isFloat {
			return 0, nil, false
		}
		c, y = f.Val, p.X
	case p.Op == ir.OpAdd:
		u, isUse := p.X.(*ir.Use)
		v, isToo := p.Y.(*ir.Use)
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
	if u, ok := e.(*ir.Use); ok {
		e = value[u.Var]
	}
	load, ok := e.(*ir.Load)
	return c, y, ok && b.sets[load.Buf] != nil
}
