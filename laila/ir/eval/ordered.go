package eval

import (
	"math"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
)

// orderedAcc is an accumulator of a reduction in the order of num.Ordered, on the host:
// what value gives is the accumulator's, and the sums are its lanes, those of the
// block's and the super-block's, and of all.
type orderedAcc[T num.Number] struct {
	value      func(fr *Frame) *T
	product    bool
	zero       T
	lanes      [num.Lanes]T
	super, all T
}

// term puts lane l in place of the accumulator, or takes it back.
func (a *orderedAcc[T]) begin(fr *Frame, l int64) { *a.value(fr) = a.lanes[l] }
func (a *orderedAcc[T]) end(fr *Frame, l int64)   { a.lanes[l] = *a.value(fr) }

func (a *orderedAcc[T]) start(fr *Frame) {
	a.all, a.super = *a.value(fr), a.zero
	a.clear()
}

func (a *orderedAcc[T]) clear() {
	for l := range a.lanes {
		a.lanes[l] = a.zero
	}
}

// join ends a block, and a super-block where it is the last one of it.
func (a *orderedAcc[T]) join(fr *Frame, last bool) {
	sum := a.lanes[0]
	for _, x := range a.lanes[1:] {
		sum = a.joined(sum, x)
	}
	a.clear()
	if a.super = a.joined(a.super, sum); last {
		a.all, a.super = a.joined(a.all, a.super), a.zero
	}
	*a.value(fr) = a.all
	switch v := any(a.all).(type) {
	case float64:
		fr.M.note(v)
	case complex128:
		fr.M.note(real(v))
		fr.M.note(imag(v))
	}
}

func (a *orderedAcc[T]) joined(x, y T) T {
	if a.product {
		return x * y
	}
	return x + y
}

// orderedPart is an orderedAcc of either kind.
type orderedPart interface {
	start(fr *Frame)
	begin(fr *Frame, l int64)
	end(fr *Frame, l int64)
	join(fr *Frame, last bool)
}

// orderedPart returns a new orderedAcc for a.
func (c *Code) orderedPart(a ir.Acc) func() orderedPart {
	at := c.Slot(a.Var)
	if a.Var.Kind == ir.C64 {
		return func() orderedPart {
			zero := complex(math.Copysign(0, -1), math.Copysign(0, -1))
			return &orderedAcc[complex128]{value: func(fr *Frame) *complex128 { return &fr.Complexes[at] }, zero: zero}
		}
	}
	b, ok := a.Combine.(*ir.Binary)
	product := ok && b.Op == ir.OpMul
	return func() orderedPart {
		p := &orderedAcc[float64]{value: func(fr *Frame) *float64 { return &fr.Doubles[at] }, zero: math.Copysign(0, -1), product: product}
		if product {
			p.zero = 1
		}
		return p
	}
}

// orderedLoop is the loop of such a reduction.
func (c *Code) orderedLoop(n *ir.Nest) Op {
	d := n.Red[0]
	lo, hi, at, body := c.Int(d.Lo), c.Int(d.Hi), c.Slot(d.Var), c.Block(n.Body)
	plain := c.loop(n.Red, body)
	var make1 []func() orderedPart
	for _, a := range n.Accs {
		if a.Ordered() {
			make1 = append(make1, c.orderedPart(a))
		}
	}
	return func(fr *Frame) Next {
		from, end := lo(fr), hi(fr)
		if end-from <= num.Lanes {
			return plain(fr)
		}
		accs := make([]orderedPart, len(make1))
		for i, f := range make1 {
			accs[i] = f()
			accs[i].start(fr)
		}
		for i := from; i < end; i++ {
			k := i - from
			for _, a := range accs {
				a.begin(fr, k%num.Lanes)
			}
			fr.Ints[at] = i
			if n := body.Run(fr); n != GoOn {
				return n
			}
			for _, a := range accs {
				a.end(fr, k%num.Lanes)
			}
			if last := i == end-1; last || (k+1)%num.Block == 0 {
				for _, a := range accs {
					a.join(fr, last || (k+1)%num.SuperBlock == 0)
				}
			}
		}
		return GoOn
	}
}
