package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// print displays its argument and returns it.
func (g *gen) print(e *tail.Apply, args []*value) *value {
	g.force()
	v := args[0]
	var a ir.Array
	if v.x != nil {
		a = g.argument(&value{x: g.atom("x", v.x)})
		v = &value{x: a.Scalar.Use()}
		if r := g.RangeOf(args[0].x); args[0].x.Kind().Exact() {
			g.Ranges[a.Scalar] = r
		}
	} else {
		p := g.materialise(v.arr)
		if p.buf.Elem == ir.C8 {
			p = g.canonical(p)
		}
		a = ir.Array{Elem: p.buf.Elem, Buf: p.buf, Dims: p.dims}
	}
	g.emit(&ir.Runtime{Fn: e.Op.String(), Args: []ir.RuntimeArg{{Array: &a}}, PP: e.Precision(), At: e.Where})
	return v
}

// picture displays a nested array.
func (g *gen) picture(e *tail.Apply, args []*value) *value {
	g.force()
	s := &ir.Runtime{Fn: e.Op.String(), PP: e.Precision(), At: e.Where}
	for _, v := range args {
		a := g.argument(v)
		s.Args = append(s.Args, ir.RuntimeArg{Array: &a})
	}
	t := tail.TypeOf(e)
	a := g.declared("r", t)
	s.Results = []ir.Array{a}
	v := g.received(a, t)
	g.emit(s)
	return v
}

// exactness is the operand that chooses between tolerant and exact comparison.
func (g *gen) exactness() ir.RuntimeArg {
	if g.in.Exact {
		return ir.RuntimeArg{X: ir.Integer(1)}
	}
	return ir.RuntimeArg{X: ir.Integer(0)}
}

// library calls a function of the run-time library.
func (g *gen) library(e *tail.Apply, args []*value) *value {
	if e.Op == tail.OpMember && g.On("member") {
		if v := g.memberOf(args); v != nil {
			return v
		}
	}
	if e.Op == tail.OpMember {
		if v := g.scalarMember(e, args); v != nil {
			return v
		}
		if v := g.marked(e, args); v != nil {
			return v
		}
	}
	if (e.Op == tail.OpMember || e.Op == tail.OpIndexOf) && g.On("member") {
		if v := g.lookedUp(e.Op, args); v != nil {
			return v
		}
	}
	if e.Op == tail.OpIndexOf && g.On("member") {
		if x, ok := g.positionOf(args); ok {
			return scalar1(x)
		}
	}
	if e.Op == tail.OpMatch && args[0].x != nil && args[1].x != nil && args[0].x.Kind() == args[1].x.Kind() && args[0].x.Kind() != ir.C64 {
		return scalar1(g.equals(e, args[0].x, args[1].x))
	}
	if g.orders(e) {
		return g.order(e, args)
	}
	if e.Op == tail.OpFind && g.On("patterns") {
		if v := g.findShort(e, args); v != nil {
			return v
		}
	}
	if e.Op == tail.OpMatch && g.On("first") {
		if x := g.matches(args); x != nil {
			return scalar1(x)
		}
	}
	g.force()
	switch e.Op {
	case tail.OpDeal:
		x, y := g.atom("x", args[0].x), g.atom("y", args[1].x)
		args = []*value{{x: x}, {x: y}}
		g.dealFits(e, x, y)
	case tail.OpMatInv, tail.OpMatDiv:
		return g.matrix(e, args)
	case tail.OpArgText:
		args = []*value{{x: g.atom("n", args[0].x)}}
		g.argumentThere(e, args[0].x)
	}
	return g.searchedIn(e, args)
}

// searchedIn calls the function of the run-time library that has the op's name.
func (g *gen) searchedIn(e *tail.Apply, args []*value) *value {
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
			s.Args = append(s.Args, ir.RuntimeArg{X: v.x})
		case 'v', 'm':
			v = &value{arr: g.array(v)}
			fallthrough
		default:
			a := g.searched(e.Op, v)
			s.Args = append(s.Args, ir.RuntimeArg{Array: &a})
		}
	}
	if len(f.Args) > len(args) {
		s.Args = append(s.Args, g.exactness())
	}
	t := tail.TypeOf(e)
	a := g.declared("r", t)
	if a.Buf != nil {
		g.slimResult(e, s, a.Buf)
	}
	s.Results = []ir.Array{a}
	v := g.received(a, t)
	g.emit(s)
	g.known(e, args, v)
	return v
}

// narrowSearches are the ops whose run-time functions take elements in any
// kind that holds them.
var narrowSearches = map[tail.Op]bool{tail.OpIndexOf: true, tail.OpMember: true, tail.OpUnique: true, tail.OpWithout: true, tail.OpFirstCell: true, tail.OpFirstItem: true}

// searched returns v as an argument of op: where it is an array that is looked
// up or in, in the kind that it is stored in.
func (g *gen) searched(op tail.Op, v *value) ir.Array {
	if v.arr == nil || !narrowSearches[op] || !g.CPU() {
		return g.argument(v)
	}
	p := g.materialise(v.arr)
	return ir.Array{Elem: p.elem, Buf: p.buf, Dims: p.dims}
}

// slimResult makes the result of a search as narrow as its operands show that
// it is.
func (g *gen) slimResult(e *tail.Apply, s *ir.Runtime, result *ir.Buf) {
	if !narrowSearches[e.Op] || !g.CPU() {
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
func (g *gen) known(e *tail.Apply, args []*value, v *value) {
	if v.arr == nil {
		return
	}
	like := func(x *value) {
		if x.arr != nil && x.arr.rank() == v.arr.rank() {
			v.arr.dims = x.arr.dims
		}
	}
	switch e.Op {
	case tail.OpMember:
		like(args[0])
	case tail.OpIndexOf, tail.OpIntervalIndex, tail.OpFind:
		like(args[1])
	case tail.OpGradeUp, tail.OpGradeDown, tail.OpFirstCell:
		v.arr.dims = []ir.Expr{args[0].arr.dims[0]}
	case tail.OpFirstItem:
		like(args[2])
	}
	n := int64(facts.MaxExtent)
	switch e.Op {
	case tail.OpGradeUp, tail.OpGradeDown, tail.OpFirstCell, tail.OpFirstItem:
		n = max(g.RangeOf(args[len(args)-1].arr.dims[0]).Hi, 1)
		v.arr.rng = facts.Between(1, n)
		g.Bufs[v.arr.buf] = v.arr.rng
	case tail.OpIndexOf:
		v.arr.rng = facts.Between(1, min(max(g.RangeOf(args[0].arr.dims[0]).Hi, 0)+1, n))
		g.Bufs[v.arr.buf] = v.arr.rng
	case tail.OpIntervalIndex:
		v.arr.rng = facts.Between(0, n)
		g.Bufs[v.arr.buf] = v.arr.rng
	}
}

func (g *gen) dealFits(e *tail.Apply, x, y ir.Expr) {
	bad := ir.Or(g.Compare(ir.OpLt, x, ir.Integer(0)), ir.Or(g.Compare(ir.OpLt, y, ir.Integer(0)), g.Compare(ir.OpGt, x, y)))
	g.failIf(bad, tail.FaultOutOfDomain, siteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: ir.ConvertTo(ir.F64, x)}} })
}

func (g *gen) argumentThere(e *tail.Apply, n ir.Expr) {
	v := g.NewVar("argc", ir.I64)
	g.emit(&ir.Runtime{Fn: "argcount", Results: []ir.Array{{Elem: ir.I64, Scalar: v}}, At: e.Where})
	bad := ir.Or(g.Compare(ir.OpLt, n, ir.Integer(1)), ir.OpGt.Of(n, v.Use()))
	g.failIf(bad, tail.FaultIndex, siteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: n}, {X: v.Use()}, {X: ir.Integer(1)}}
	})
}

// matrix lowers ⌹.
func (g *gen) matrix(e *tail.Apply, args []*value) *value {
	s := &ir.Runtime{Fn: e.Op.String(), At: e.Where}
	for _, v := range args {
		a := g.argument(v)
		s.Args = append(s.Args, ir.RuntimeArg{Array: &a})
	}
	if e.Op == tail.OpMatDiv && args[0].arr != nil {
		b, m := args[0].arr, args[1].arr
		g.failIf(g.Compare(ir.OpNe, b.dims[0], m.dims[0]), tail.FaultShapes, siteOf(e), func() []ir.FailArg {
			return []ir.FailArg{shapeArg(b.dims), shapeArg(m.dims), {X: ir.Integer(1)}}
		})
	}
	t := tail.TypeOf(e)
	a, ok := g.declared("r", t), g.NewVar("ok", ir.U8)
	s.Results = []ir.Array{{Elem: ir.U8, Scalar: ok}, a}
	v := g.received(a, t)
	g.emit(s)
	g.failIf(ir.Not(ok.Use()), tail.FaultSingular, siteOf(e), nil)
	g.numbers(v, siteOf(e))
	return v
}
