package library

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/search"
	"github.com/tailor-lang/tailor/tail"
)

// Print displays its argument and returns it.
func Print(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	g.Force()
	v := args[0]
	var a ir.Array
	if v.X != nil {
		a = g.Argument(&build.Value{X: g.Atom("x", v.X)})
		v = &build.Value{X: a.Scalar.Use()}
		if r := g.RangeOf(args[0].X); args[0].X.Kind().Exact() {
			g.Ranges[a.Scalar] = r
		}
	} else {
		p := g.Materialise(v.Arr)
		if p.Buf.Elem == ir.C8 && !g.CPU() {
			p = g.Canonical(p)
		}
		a = ir.Array{Elem: p.Buf.Elem, Buf: p.Buf, Dims: p.Dims}
	}
	g.Emit(&ir.Runtime{Fn: e.Op.String(), Args: []ir.RuntimeArg{{Array: &a}}, PP: e.Precision(), At: e.Where})
	return v
}

// Picture displays a nested array.
func Picture(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	g.Force()
	s := &ir.Runtime{Fn: e.Op.String(), PP: e.Precision(), At: e.Where}
	for _, v := range args {
		a := argument(g, e.Op, v)
		s.Args = append(s.Args, ir.RuntimeArg{Array: &a})
	}
	t := tail.TypeOf(e)
	a := g.Declared("r", t)
	s.Results = []ir.Array{a}
	v := g.Received(a, t)
	g.Emit(s)
	return v
}

// exactness is the operand that chooses between tolerant and exact comparison.
func exactness(g *build.Builder) ir.RuntimeArg {
	if g.In.Exact {
		return ir.RuntimeArg{X: ir.Integer(1)}
	}
	return ir.RuntimeArg{X: ir.Integer(0)}
}

// Library calls a function of the run-time library.
func Library(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	if e.Op == tail.OpMember && g.On("member") {
		if v := memberOf(g, args); v != nil {
			return v
		}
	}
	if e.Op == tail.OpMember {
		if v := search.ScalarMember(g, e, args); v != nil {
			return v
		}
		if v := marked(g, e, args); v != nil {
			return v
		}
	}
	if (e.Op == tail.OpMember || e.Op == tail.OpIndexOf) && g.On("member") {
		if v := search.LookedUp(g, e.Op, args); v != nil {
			return v
		}
	}
	if g.On("ranged") {
		if v := search.Ranged(g, e.Op, args); v != nil {
			return v
		}
	}
	if e.Op == tail.OpIndexOf && g.On("member") {
		if x, ok := search.PositionOf(g, args); ok {
			return build.Scalar1(x)
		}
	}
	if e.Op == tail.OpMatch && args[0].X != nil && args[1].X != nil && args[0].X.Kind() == args[1].X.Kind() && args[0].X.Kind() != ir.C64 {
		return build.Scalar1(search.EqualTo(g, e, args[0].X, args[1].X))
	}
	if search.OrdersVector(g, e) {
		return search.Order(g, e, args)
	}
	if e.Op == tail.OpIntervalIndex && g.On("halves") {
		if v := search.IntervalIndex(g, args); v != nil {
			return v
		}
	}
	if e.Op == tail.OpFind && g.On("patterns") {
		if v := search.FindShort(g, e, args); v != nil {
			return v
		}
	}
	if e.Op == tail.OpFormat && args[0].X != nil {
		if v, ok := formatted(g, args[0].X); ok {
			return v
		}
	}
	if e.Op == tail.OpParseNumber {
		if v, ok := parsedDigit(g, args[0].Arr); ok {
			return v
		}
	}
	if e.Op == tail.OpMatch && g.On("first") {
		if x := search.Matches(g, args); x != nil {
			return build.Scalar1(x)
		}
	}
	g.Force()
	switch e.Op {
	case tail.OpDeal:
		x, y := g.Atom("x", args[0].X), g.Atom("y", args[1].X)
		args = []*build.Value{{X: x}, {X: y}}
		dealFits(g, e, x, y)
	case tail.OpMatInv, tail.OpMatDiv:
		return matrix(g, e, args)
	case tail.OpArgText:
		args = []*build.Value{{X: g.Atom("n", args[0].X)}}
		argumentThere(g, e, args[0].X)
	}
	return searchedIn(g, e, args)
}

// searchedIn calls the function of the run-time library that has the op's name.
func searchedIn(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	s := &ir.Runtime{Fn: e.Op.String(), PP: e.Precision(), At: e.Where, Code: e.Blame.Code}
	var f ir.RuntimeFunc
	for _, f = range ir.RuntimeFuncs {
		if f.Name == s.Fn {
			break
		}
	}
	for i, v := range args {
		switch f.Args[i] {
		case 'i', 'd', 'b':
			s.Args = append(s.Args, ir.RuntimeArg{X: v.X})
		case 'v', 'm':
			v = &build.Value{Arr: g.Array(v)}
			fallthrough
		default:
			a := argument(g, e.Op, v)
			s.Args = append(s.Args, ir.RuntimeArg{Array: &a})
		}
	}
	if len(f.Args) > len(args) {
		s.Args = append(s.Args, exactness(g))
	}
	t := tail.TypeOf(e)
	a := g.Declared("r", t)
	if e.Op == tail.OpUnique {
		if d, ok := a.Dims[0].(*ir.Use); ok {
			g.Ranges[d.Var] = facts.Between(0, max(g.RangeOf(args[0].Arr.Dims[0]).Hi, 0))
		}
	}
	if e.Op == tail.OpFormat {
		boundDisplay(g, e, args[0], a.Dims)
	}
	if a.Buf != nil {
		slimResult(g, e, s, a.Buf)
	}
	s.Results = []ir.Array{a}
	v := g.Received(a, t)
	g.Emit(s)
	known(g, e, args, v)
	switch e.Op {
	case tail.OpUnique:
		v.Arr.Unique = args[0].Arr
	case tail.OpIndexOf:
		search.NoneMissing(g, args, v.Arr)
	}
	return v
}

// boundDisplay notes how long the display of a number or a vector of numbers may be.
func boundDisplay(g *build.Builder, e *tail.Apply, v *build.Value, dims []ir.Expr) {
	d, ok := dims[0].(*ir.Use)
	elem := tail.TypeOf(e.Args[0]).Elem
	if !ok || len(dims) != 1 || elem == array.Char {
		return
	}
	count := int64(1)
	if v.Arr != nil {
		count = max(g.RangeOf(v.Arr.Dims[0]).Hi, 0)
	}
	if count < 1<<40 {
		g.Ranges[d.Var] = facts.Between(0, count*widestNumber(elem, e.Precision()))
	}
}

// widestNumber is a bound of the characters that a number takes in a vector: a blank, digits,
// of which integers have up to 19, and for each part of a complex number signs, a point,
// zeros in front or an exponent, and J.
func widestNumber(elem array.Elem, precision int) int64 {
	widest := int64(max(precision, 19) + 12)
	if elem == array.Complex {
		widest *= 2
	}
	return widest
}

// narrowArgs are the ops whose run-time functions take elements in any
// kind that holds them.
var narrowArgs = map[tail.Op]bool{tail.OpPicture: true, tail.OpIndexOf: true, tail.OpMember: true, tail.OpUnique: true, tail.OpWithout: true, tail.OpFirstCell: true, tail.OpFirstItem: true, tail.OpParseNumber: true}

// argument returns v as an argument of op, in the kind that it is stored in where the op takes
// any.
func argument(g *build.Builder, op tail.Op, v *build.Value) ir.Array {
	if v.Arr == nil || !narrowArgs[op] || !g.CPU() {
		return g.Argument(v)
	}
	if a, ok := g.PartOf(v.Arr); ok {
		return a
	}
	p := g.Materialise(v.Arr)
	return ir.Array{Elem: p.Elem, Buf: p.Buf, Dims: p.Dims}
}

// slimResult makes the result of a search as narrow as its operands show that
// it is.
func slimResult(g *build.Builder, e *tail.Apply, s *ir.Runtime, result *ir.Buf) {
	if !narrowArgs[e.Op] || !g.CPU() {
		return
	}
	switch first := s.Args[0].Array; e.Op {
	case tail.OpUnique, tail.OpWithout:
		result.Elem = first.Buf.Elem
		if r, ok := g.Bufs[first.Buf]; ok {
			g.Bufs[result] = r
		}
	case tail.OpIndexOf:
		if n := g.RangeOf(first.Dims[0]).Hi; n < math.MaxInt32 && g.On("narrow") {
			result.Elem = ir.I32
			g.Bufs[result] = facts.Between(1, n+1)
		}
	case tail.OpFirstItem:
		if n := g.RangeOf(s.Args[2].Array.Dims[0]).Hi; n < math.MaxInt32 && g.On("narrow") {
			result.Elem = ir.I32
			g.Bufs[result] = facts.Between(1, max(n, 1))
		}
	}
}

// known improves what is known of a library function's result.
func known(g *build.Builder, e *tail.Apply, args []*build.Value, v *build.Value) {
	if v.Arr == nil {
		return
	}
	like := func(x *build.Value) {
		if x.Arr != nil && x.Arr.Rank() == v.Arr.Rank() {
			v.Arr.Dims = x.Arr.Dims
		}
	}
	switch e.Op {
	case tail.OpMember:
		like(args[0])
	case tail.OpIndexOf, tail.OpIntervalIndex, tail.OpFind:
		like(args[1])
	case tail.OpGradeUp, tail.OpGradeDown, tail.OpFirstCell:
		v.Arr.Dims = []ir.Expr{args[0].Arr.Dims[0]}
	case tail.OpFirstItem:
		like(args[2])
	}
	n := int64(facts.MaxExtent)
	switch e.Op {
	case tail.OpFormat:
		if tail.TypeOf(e.Args[0]).Elem != array.Char { // of numbers the high minus is the greatest character
			v.Arr.Rng = facts.Between(0, '¯')
			g.Bufs[v.Arr.Buf] = v.Arr.Rng
		}
	case tail.OpGradeUp, tail.OpGradeDown, tail.OpFirstCell, tail.OpFirstItem:
		n = max(g.RangeOf(args[len(args)-1].Arr.Dims[0]).Hi, 1)
		v.Arr.Rng = facts.Between(1, n)
		g.Bufs[v.Arr.Buf] = v.Arr.Rng
	case tail.OpIndexOf:
		v.Arr.Rng = facts.Between(1, min(max(g.RangeOf(args[0].Arr.Dims[0]).Hi, 0)+1, n))
		g.Bufs[v.Arr.Buf] = v.Arr.Rng
	case tail.OpIntervalIndex:
		v.Arr.Rng = facts.Between(0, n)
		g.Bufs[v.Arr.Buf] = v.Arr.Rng
	}
}

func dealFits(g *build.Builder, e *tail.Apply, x, y ir.Expr) {
	bad := ir.Or(g.Compare(ir.OpLt, x, ir.Integer(0)), ir.Or(g.Compare(ir.OpLt, y, ir.Integer(0)), g.Compare(ir.OpGt, x, y)))
	g.FailIf(bad, tail.FaultOutOfDomain, build.SiteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: ir.ConvertTo(ir.F64, x)}} })
}

func argumentThere(g *build.Builder, e *tail.Apply, n ir.Expr) {
	v := g.NewVar("argc", ir.I64)
	g.Emit(&ir.Runtime{Fn: "argcount", Results: []ir.Array{{Elem: ir.I64, Scalar: v}}, At: e.Where})
	bad := ir.Or(g.Compare(ir.OpLt, n, ir.Integer(1)), ir.OpGt.Of(n, v.Use()))
	g.FailIf(bad, tail.FaultIndex, build.SiteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: n}, {X: v.Use()}, {X: ir.Integer(1)}}
	})
}

// matrix lowers ⌹.
func matrix(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	s := &ir.Runtime{Fn: e.Op.String(), At: e.Where}
	for _, v := range args {
		a := g.Argument(v)
		s.Args = append(s.Args, ir.RuntimeArg{Array: &a})
	}
	if e.Op == tail.OpMatDiv && args[0].Arr != nil {
		b, m := args[0].Arr, args[1].Arr
		g.FailIf(g.Compare(ir.OpNe, b.Dims[0], m.Dims[0]), tail.FaultShapes, build.SiteOf(e), func() []ir.FailArg {
			return []ir.FailArg{build.ShapeArg(b.Dims), build.ShapeArg(m.Dims), {X: ir.Integer(1)}}
		})
	}
	t := tail.TypeOf(e)
	a, ok := g.Declared("r", t), g.NewVar("ok", ir.U8)
	s.Results = []ir.Array{{Elem: ir.U8, Scalar: ok}, a}
	v := g.Received(a, t)
	g.Emit(s)
	g.FailIf(ir.Not(ok.Use()), tail.FaultSingular, build.SiteOf(e), nil)
	g.Numbers(v, build.SiteOf(e))
	return v
}
