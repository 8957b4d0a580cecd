package analysis

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// CallRanges are the bounds of the integers that a function is called with, and of those
// that it gives: of the arrays that its parameters, and its result, consist of.
type CallRanges struct{ Params, Results []Range }

// RangesOfCalls bounds the arguments and the results of the functions of p that are
// called, by induction over the calls.
//
//	fun rec down (w:int) : [int]1 = if eqi(w,0) then int[0]{} else cons(w,down(subi(w,1)))
//	down(7)                       w is from 0 to 7, and so are the elements of the result
func RangesOfCalls(p *tail.Program) map[*tail.Func]*CallRanges {
	c := &callRanger{called: map[*tail.Func]*CallRanges{}, near: compared(p.Main)}
	for _, f := range p.Funcs {
		c.near = append(c.near, compared(f.Body)...)
	}
	c.near = distinct(c.near)
	if p.Entry != nil {
		c.called[p.Entry] = unknownCall(p.Entry)
	}
	for c.changed = true; c.changed; c.round++ {
		c.changed = false
		c.body(nil, nil, p.Main)
		for _, f := range p.Funcs {
			if r := c.called[f]; r != nil {
				all := c.body(f.Params, r.Params, f.Body)
				c.join(r.Results, all)
			}
		}
	}
	return c.called
}

type callRanger struct {
	*Ranger
	called  map[*tail.Func]*CallRanges
	near    []int64 // numbers at which ranges may end
	round   int
	changed bool
}

// unknownCall is a call of which nothing is known.
func unknownCall(f *tail.Func) *CallRanges {
	n := 0
	for _, p := range f.Params {
		n += countArrays(p.Type)
	}
	return &CallRanges{make([]Range, n), make([]Range, countArrays(f.Result))}
}

// body visits the calls in the body of a function, and returns what it gives.
func (c *callRanger) body(params []*tail.Var, all []Range, e tail.Expr) []Range {
	c.Ranger = &Ranger{known: map[*tail.Var][]Range{}, calls: c.called}
	for _, p := range params {
		n := countArrays(p.Type)
		c.known[p], all = slices.Clone(all[:n]), all[n:]
	}
	c.visit(e)
	return c.arrays(e, BoundedDepth)
}

// visit notes the ranges that calls in e have.
func (c *callRanger) visit(e tail.Expr) {
	switch e := e.(type) {
	case *tail.Let:
		c.visit(e.Bind)
		c.bind(e)
		c.visit(e.Body)
	case *tail.If:
		c.visit(e.Cond)
		c.supposing(e.Cond, true, func() { c.visit(e.Then) })
		c.supposing(e.Cond, false, func() { c.visit(e.Else) })
	case *tail.Apply:
		var functions []*tail.Lam
		tail.Children(e, func(x tail.Expr) {
			if f, ok := x.(*tail.Lam); ok {
				functions = append(functions, f)
			} else {
				c.visit(x)
			}
		})
		for _, f := range functions {
			c.params(e, f)
			c.visit(f.Body)
		}
	case *tail.Call:
		tail.Children(e, c.visit)
		var all []Range
		for _, a := range e.Args {
			all = append(all, c.arrays(a, BoundedDepth)...)
		}
		if c.called[e.Fn] == nil { // so far it gives nothing but fill elements
			c.called[e.Fn], c.changed = &CallRanges{slices.Clone(all), slices.Repeat([]Range{between(0, 0)}, countArrays(e.Fn.Result))}, true
		}
		c.join(c.called[e.Fn].Params, all)
	default:
		tail.Children(e, c.visit)
	}
}

// params notes what f, a function that e applies, is applied to.
func (c *callRanger) params(e *tail.Apply, f *tail.Lam) {
	for i, p := range f.Params {
		all := make([]Range, countArrays(p.Type))
		switch {
		case (e.Op == tail.OpEach || e.Op == tail.OpZipWith) && len(all) == 1:
			all[0] = c.Of(e.Args[i+1], BoundedDepth)
		case e.Op == tail.OpPower:
			all = c.stateRanges(f, c.arrays(e.Args[2], BoundedDepth), nil, stepsOf(e))
		case e.Op == tail.OpWhile:
			all = c.stateRanges(tail.LamOf(e.Args[1]), c.arrays(e.Args[2], BoundedDepth), nil, 0)
		}
		c.known[p] = all
	}
}

// join makes sure that ranges hold others.
func (c *callRanger) join(all, more []Range) {
	for i, x := range all {
		if y := widened(x, more[i], c.round, c.near); y != x {
			all[i], c.changed = y, true
		}
	}
}

// Rounds of an induction: in the first ones bounds become wider, in those after them
// they become the next of the numbers near those that the program compares with, then of
// limits of types, and at last they are given up.
const (
	wideningRounds = 2
	nearRounds     = 5
	lastRound      = 10
)

// mostCompared is how many numbers an induction tries.
const mostCompared = 64

// compared are the numbers at which a range may end that tests in e keep from growing.
func compared(e tail.Expr) []int64 {
	var near []int64
	tail.Walk(e, func(x tail.Expr) bool {
		if a, ok := x.(*tail.Apply); ok {
			if _, compares := Comparisons[a.Op]; compares {
				for _, y := range a.Args {
					if n, ok := tail.ConstInt(y); ok && n > math.MinInt64 && n < math.MaxInt64 {
						near = append(near, n-1, n, n+1)
					}
				}
			}
		}
		return true
	})
	return distinct(near)
}

// distinct are different numbers, if they are not too many.
func distinct(all []int64) []int64 {
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > mostCompared {
		return nil
	}
	return all
}

// widened is the range x where it holds y, else a wider one that does, which ends at one
// of the numbers near, or of the limits of types.
func widened(x, y Range, round int, near []int64) Range {
	both := hull(x, y)
	switch {
	case !x.Known || both == x:
		return x
	case !both.Known || round >= lastRound:
		return Range{}
	case round < wideningRounds:
		return both
	case round >= nearRounds:
		near = nil
	}
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	for _, n := range slices.Concat(near, limits) {
		if n <= both.Low {
			low = max(low, n)
		}
		if n >= both.High {
			high = min(high, n)
		}
	}
	if both.Low < x.Low {
		both.Low = low
	}
	if both.High > x.High {
		both.High = high
	}
	if both.Low == math.MinInt64 || both.High == math.MaxInt64 {
		return Range{}
	}
	return both
}

// limits are the ends of ranges that are often good enough.
var limits = []int64{0, math.MinInt8, math.MinInt16, math.MinInt32, math.MaxInt8, math.MaxInt16, math.MaxInt32}

// supposing runs do with what is known where a condition is true, or where it is not:
// what integers in variables are compared with bounds them.
func (r *Ranger) supposing(cond tail.Expr, truth bool, do func()) {
	a, ok := cond.(*tail.Apply)
	if !ok || r.known == nil {
		do()
		return
	}
	if a.Op == tail.OpNotB {
		r.supposing(a.Args[0], !truth, do)
		return
	}
	if a.Op == tail.OpAndB && truth || a.Op == tail.OpOrB && !truth {
		r.supposing(a.Args[0], truth, func() { r.supposing(a.Args[1], truth, do) })
		return
	}
	op, compares := Comparisons[a.Op]
	if !compares {
		do()
		return
	}
	if !truth {
		op = op.Opposite()
	}
	r.bounding(a.Args[0], a.Args[1], op, func() { r.bounding(a.Args[1], a.Args[0], op.Turned(), do) })
}

// bounding runs do with what is known of x where it compares with y as op says.
func (r *Ranger) bounding(x, y tail.Expr, op Comparison, do func()) {
	v, ok := x.(*tail.Ref)
	if t := tail.TypeOf(x); ok && t != nil && t.Dims() == 0 && t.Elem == array.Int {
		was, noted := r.known[v.Var]
		now := r.Of(x, RangeDepth)
		if !now.Known {
			now = between(math.MinInt64, math.MaxInt64)
		}
		if now, ok := op.bound(now, r.Of(y, RangeDepth)); ok {
			r.known[v.Var] = []Range{now}
			defer func() {
				if r.known[v.Var] = was; !noted {
					delete(r.known, v.Var)
				}
			}()
		}
	}
	do()
}

// Comparison says which of less, equal and greater hold.
type Comparison struct{ Less, Equal, Greater bool }

// Comparisons are those of integers.
var Comparisons = map[tail.Op]Comparison{
	tail.OpLtI: {Less: true}, tail.OpLteI: {Less: true, Equal: true}, tail.OpEqI: {Equal: true},
	tail.OpGtI: {Greater: true}, tail.OpGteI: {Equal: true, Greater: true}, tail.OpNeqI: {Less: true, Greater: true},
}

// Opposite holds where c does not.
func (c Comparison) Opposite() Comparison { return Comparison{!c.Less, !c.Equal, !c.Greater} }

// Turned is c with its operands exchanged.
func (c Comparison) Turned() Comparison { return Comparison{c.Greater, c.Equal, c.Less} }

// bound returns what x is where it compares so with y; it is not ok where nothing more is
// known, or nothing is left.
func (c Comparison) bound(x, y Range) (Range, bool) {
	if !y.Known {
		return x, false
	}
	was := x
	one := int64(1)
	if c.Equal {
		one = 0
	}
	if !c.Greater && y.High > math.MinInt64 {
		x.High = min(x.High, y.High-one)
	}
	if !c.Less && y.Low < math.MaxInt64 {
		x.Low = max(x.Low, y.Low+one)
	}
	if c.Less && c.Greater && !c.Equal && y.Low == y.High {
		if x.Low == y.Low {
			x.Low++
		}
		if x.High == y.Low {
			x.High--
		}
	}
	return x, x != was && x.Low <= x.High
}
