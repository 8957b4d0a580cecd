package tail

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
)

// interval bounds the elements of an integer or bool array.
type interval struct {
	low, high int64
	known     bool
}

// rangeDepth bounds how far rangeOf looks into an expression.
const rangeDepth = 8

// maxExtent bounds every extent and count of an array that fits into memory.
const maxExtent = 1 << 46

func between(low, high int64) interval { return interval{low, high, true} }

// rangeOf returns bounds of the elements of e, an integer or bool array, that
// hold whenever it has a value.
func rangeOf(e Expr, depth int) interval { return (&ranger{}).of(e, depth) }

// ranger bounds integers, those of variables by what is known of these.
type ranger struct {
	defs  map[*Var]Expr       // what variables are bound to
	known map[*Var][]interval // the arrays that variables consist of
}

// of returns bounds of the elements of e, an integer or bool array.
func (r *ranger) of(e Expr, depth int) interval {
	ty, ok := e.Type().(*Array)
	if !ok || depth == 0 {
		return interval{}
	}
	if ty.Elem == array.Bool {
		return between(0, 1)
	}
	if ty.Elem != array.Int {
		return interval{}
	}
	if v, ok := constants(ty); ok && len(v) > 0 {
		return spanOf(v)
	}
	switch e := e.(type) {
	case *Lit:
		if len(e.Value.Ints) > 0 && len(e.Value.Ints) < 1<<12 {
			return spanOf(e.Value.Ints)
		}
	case *Ref:
		if all, ok := r.known[e.Var]; ok {
			return all[0]
		}
		if d := r.defs[e.Var]; d != nil {
			return r.of(d, depth-1)
		}
	case *Proj:
		return r.component(e, depth-1)[0]
	case *Let:
		r.bind(e)
		return r.of(e.Body, depth-1)
	case *If:
		return hull(r.of(e.Then, depth-1), r.of(e.Else, depth-1))
	case *Vec:
		return r.all(e.Elems, depth-1)
	case *Apply:
		return r.apply(e, depth-1)
	}
	return interval{}
}

// bind notes what is known of the variable of let, where that is asked for.
func (r *ranger) bind(let *Let) {
	if r.known != nil {
		r.known[let.Var] = r.arrays(let.Bind, boundedDepth)
	}
}

// arrays returns bounds of the arrays that e consists of.
func (r *ranger) arrays(e Expr, depth int) []interval {
	if _, ok := e.Type().(*TupleType); !ok {
		return []interval{r.of(e, depth)}
	}
	if depth > 0 {
		switch e := e.(type) {
		case *Ref:
			if all, ok := r.known[e.Var]; ok {
				return all
			}
		case *Tuple:
			var all []interval
			for _, x := range e.Elems {
				all = append(all, r.arrays(x, depth-1)...)
			}
			return all
		case *Proj:
			return r.component(e, depth-1)
		case *Let:
			r.bind(e)
			return r.arrays(e.Body, depth-1)
		case *If:
			all := slices.Clone(r.arrays(e.Then, depth-1))
			for i, x := range r.arrays(e.Else, depth-1) {
				all[i] = hull(all[i], x)
			}
			return all
		}
	}
	return make([]interval, countArrays(e.Type()))
}

// component returns bounds of the arrays of a component of a tuple.
func (r *ranger) component(e *Proj, depth int) []interval {
	from := 0
	for _, before := range e.X.Type().(*TupleType).Elems[:e.I] {
		from += countArrays(before)
	}
	return r.arrays(e.X, depth)[from : from+countArrays(e.Type())]
}

// countArrays returns the number of arrays that a value of a type consists of.
func countArrays(t Type) int {
	tuple, ok := t.(*TupleType)
	if !ok {
		return 1
	}
	n := 0
	for _, e := range tuple.Elems {
		n += countArrays(e)
	}
	return n
}

// Range is bounds of the integers of an array.
type Range struct {
	Low, High int64
	Known     bool
}

// Rounds of the induction over the steps of a loop: in the first ones bounds become
// wider, in those after them they are given up.
const (
	wideningRounds = 2
	stateRounds    = 6
)

// StateRanges bounds the arrays of integers in a loop's state by induction: first bounds
// those that the loop begins with, f is the function of a step.
func StateRanges(f *Lam, first []Range) []Range {
	state := make([]interval, len(first))
	for i, x := range first {
		state[i] = interval{x.Low, x.High, x.Known}
	}
	for round := range stateRounds {
		r := &ranger{known: map[*Var][]interval{f.Params[0]: slices.Clone(state)}}
		next, stable := r.arrays(f.Body, boundedDepth), true
		for i, x := range state {
			both := hull(x, next[i])
			if !x.known || both == x {
				continue
			}
			both.known = both.known && round < wideningRounds
			state[i], stable = both, false
		}
		if stable {
			for i, x := range state {
				first[i] = Range{x.low, x.high, x.known}
			}
			return first
		}
	}
	return make([]Range, len(first))
}

func spanOf(v []int64) interval {
	r := between(v[0], v[0])
	for _, n := range v {
		r.low, r.high = min(r.low, n), max(r.high, n)
	}
	return r
}

func hull(a, b interval) interval {
	return interval{min(a.low, b.low), max(a.high, b.high), a.known && b.known}
}

// all returns bounds of the elements of all of some arrays.
func (r *ranger) all(es []Expr, depth int) interval {
	x := r.of(es[0], depth)
	for _, e := range es[1:] {
		x = hull(x, r.of(e, depth))
	}
	return x
}

func (r *ranger) apply(e *Apply, depth int) interval {
	arg := func(i int) interval { return r.of(e.Args[i], depth) }
	switch e.Op {
	case OpB2I:
		return between(0, 1)
	case OpSignI, OpSignD:
		return between(-1, 1)
	case OpC2I:
		return between(0, 0x10ffff)
	case OpTally, OpCount, OpShape:
		return between(0, maxExtent)
	case OpGradeUp, OpGradeDown, OpWhere, OpFirstCell, OpFirstItem, OpLongest:
		return between(1, maxExtent)
	case OpSegments:
		return r.of(e.Args[0].(*Lam).Body, depth)
	case OpEach, OpZipWith:
		f := e.Args[0].(*Lam)
		if r.known != nil {
			for i, p := range f.Params {
				r.known[p] = []interval{arg(i + 1)}
			}
		}
		return r.of(f.Body, depth)
	case OpReduce, OpReduce1, OpReduceWin, OpScan:
		return r.folded(e, depth)
	case OpEncode:
		if base := baseOf(e.Args[0]); base >= 2 {
			return between(0, base-1)
		}
	case OpIota:
		if n := arg(0); n.known {
			return between(1, max(1, n.high))
		}
	case OpAddI, OpSubI, OpMulI, OpNegI, OpAbsI, OpMinI, OpMaxI:
		return arithmetic(e, arg)
	case OpResI:
		if m := arg(0); m.known && m.low > 0 {
			return between(0, m.high-1)
		}
	case OpBitAnd:
		if m := arg(0); m.known && m.low >= 0 {
			return between(0, m.high)
		}
		if m := arg(1); m.known && m.low >= 0 {
			return between(0, m.high)
		}
	case OpReverse, OpTransp, OpRavel, OpPrint, OpIndex:
		return arg(0)
	case OpRotate, OpRotateM, OpTransp2, OpCompress, OpDrop:
		return arg(len(e.Args) - 1)
	case OpUpdate:
		return hull(arg(0), arg(len(e.Args)-1))
	case OpCat, OpCons, OpSnoc, OpLaminate:
		return hull(arg(0), arg(1))
	}
	if m, ok := movers[e.Op]; ok { // fill elements are 0
		return hull(r.all(e.Args[m.first:m.last+1], depth), between(0, 0))
	}
	return interval{}
}

// folded bounds what a reduction or a scan makes: tests and the least or greatest of
// elements.
func (r *ranger) folded(e *Apply, depth int) interval {
	f := e.Args[0].(*Lam)
	args := e.Args[1:]
	if e.Op == OpReduceWin {
		args = e.Args[len(e.Args)-1:]
	}
	if testLam(f, OpB2I) != nil {
		return hull(r.all(args, depth), between(0, 1))
	}
	if a, ok := f.Body.(*Apply); ok && (a.Op == OpMinI || a.Op == OpMaxI) && onlyParams(f, a) {
		return r.all(args, depth)
	}
	return interval{}
}

// arithmetic bounds the exact result of an arithmetic op.
func arithmetic(e *Apply, arg func(int) interval) interval {
	a := arg(0)
	b := a
	if len(e.Args) > 1 {
		b = arg(1)
	}
	if !a.known || !b.known {
		return interval{}
	}
	switch e.Op {
	case OpNegI, OpAbsI:
		if a.low == math.MinInt64 {
			return interval{}
		}
		if e.Op == OpNegI {
			return between(-a.high, -a.low)
		}
		return between(max(0, a.low, -a.high), max(a.high, -a.low))
	case OpMinI:
		return between(min(a.low, b.low), min(a.high, b.high))
	case OpMaxI:
		return between(max(a.low, b.low), max(a.high, b.high))
	}
	corners := []Size{
		ScalarValue(e.Op, []Size{ConstSize(a.low), ConstSize(b.low)}),
		ScalarValue(e.Op, []Size{ConstSize(a.low), ConstSize(b.high)}),
		ScalarValue(e.Op, []Size{ConstSize(a.high), ConstSize(b.low)}),
		ScalarValue(e.Op, []Size{ConstSize(a.high), ConstSize(b.high)}),
	}
	v := make([]int64, len(corners))
	for i, c := range corners {
		n, ok := c.IsConst()
		if !ok {
			return interval{}
		}
		v[i] = n
	}
	return spanOf(v)
}

// noOverflow reports whether the integer op e certainly does not overflow. A
// value that mentions a size variable may be any natural number, so it proves
// nothing by itself.
func noOverflow(e *Apply) bool {
	return arithmetic(e, func(i int) interval { return rangeOf(e.Args[i], rangeDepth) }).known
}
