package arith

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Tabulate computes an elementary function of constants and one integer of a small range
// once for each integer, where loops would compute it much more often:
//
//	for step = 0 … 500
//	  for i = 0 … step: a[i] = tl_powd(1.01, f64(step - i)) × …
//
// becomes
//
//	stack table: f64[500]
//	segmap p = 0 … 500: table[p] = tl_powd(1.01, f64(p))
//	for step = 0 … 500
//	  for i = 0 … step: a[i] = table[step - i] × …
//
// All elements of the table are numbers, also those that the loops do not need: nothing
// overflows that did not before.
//
// Requires: ranges of loop variables; variables with one definition do not change.
// Preserves: every bit.
func Tabulate(l *pass.Context, f *ir.Func) {
	t := &tabulation{l: l, at: l.NewVar("p", ir.I64)}
	t.defs, _ = flow.DefinedOnce(f)
	t.block(f.Body, 1)
	var before []ir.Stmt
	replaced := map[ir.Expr]ir.Expr{}
	for _, x := range t.order {
		if n := x.hi - x.lo + 1; x.count < tabulatedUses*n {
			continue
		}
		before = append(before, t.fill(x)...)
		for call, at := range x.calls {
			replaced[call] = x.table.Load(ir.Sub(ir.ConvertTo(ir.I64, at), ir.Integer(x.lo)))
		}
	}
	if len(before) == 0 {
		return
	}
	ir.Walk(f.Body, func(s ir.Stmt) {
		ir.MapExprs(s, func(x ir.Expr) ir.Expr {
			if y, ok := replaced[x]; ok {
				return y
			}
			return x
		})
	})
	f.Body = append(before, f.Body...)
}

const (
	// longestTable is the length of the longest table, tabulatedUses how often each
	// element is used on average at least, and unknownTrips how often a loop runs of which
	// nothing is known.
	longestTable  = 2048
	tabulatedUses = 8
	unknownTrips  = 16
	mostTables    = 8
)

// tabulated are the functions that cost more than a look-up, for numbers known here.
var tabulated = map[string]func(x []float64) float64{
	"tl_powd": func(x []float64) float64 { return math.Pow(x[0], x[1]) },
	"exp":     func(x []float64) float64 { return math.Exp(x[0]) },
	"log":     func(x []float64) float64 { return math.Log(x[0]) },
	"sin":     func(x []float64) float64 { return math.Sin(x[0]) },
	"cos":     func(x []float64) float64 { return math.Cos(x[0]) },
	"tan":     func(x []float64) float64 { return math.Tan(x[0]) },
	"tl_pid":  func(x []float64) float64 { return math.Pi * x[0] },
}

// functionTable is a function of an integer from lo to hi.
type functionTable struct {
	value  ir.Expr // of the variable of the tabulation
	lo, hi int64
	count  int64               // how often it is computed
	calls  map[ir.Expr]ir.Expr // the integers of its calls
	table  *ir.Buf
}

type tabulation struct {
	l     *pass.Context
	at    *ir.Var // the integer
	defs  map[*ir.Var]ir.Expr
	order []*functionTable
}

// block looks for calls in statements that run so many times.
func (t *tabulation) block(block []ir.Stmt, times int64) {
	for _, s := range block {
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if m, ok := x.(*ir.Math); ok && times > 1 {
					t.call(m, times)
				}
			})
		}
		inner := times
		switch s := s.(type) {
		case *ir.For:
			inner = t.times(times, []ir.Dim{{Var: s.Var, Lo: s.Lo, Hi: s.Hi}})
		case *ir.Nest:
			inner = t.times(t.times(times, s.Dims), s.Red)
		case *ir.Loop:
			inner = min(times*unknownTrips, mostTimes)
		}
		for _, b := range ir.Blocks(s) {
			t.block(*b, inner)
		}
	}
}

// mostTimes bounds the products of numbers of iterations.
const mostTimes = 1 << 40

func (t *tabulation) times(n int64, dims []ir.Dim) int64 {
	for _, d := range dims {
		trips, known := ir.Trips(d)
		if _, ranged := t.l.Ranges[d.Var]; !ranged {
			if lo, hi := t.l.RangeOf(d.Lo).Lo, t.l.RangeOf(d.Hi).Hi; lo >= -mostTimes && hi <= mostTimes && lo < hi {
				t.l.Ranges[d.Var] = facts.Between(lo, hi-1)
			}
		}
		if !known {
			trips = unknownTrips
			if r := t.l.RangeOf(ir.Sub(d.Hi, d.Lo)); r.Hi < mostTimes>>10 {
				trips = r.Hi / 2
			}
		}
		n = min(n*max(trips, 1), mostTimes)
	}
	return n
}

// call notes a call of a function of one integer.
func (t *tabulation) call(m *ir.Math, times int64) {
	r := &integerFunction{t: t}
	if tabulated[m.Fn] == nil {
		return
	}
	value, ok := r.read(m, 8)
	if !ok || r.integer == nil {
		return
	}
	e := t.l.RangeOf(r.integer)
	if e.Lo < -longestTable*2 || e.Hi > longestTable*2 {
		return
	}
	var x *functionTable
	if k := slices.IndexFunc(t.order, func(x *functionTable) bool { return ir.Alike(x.value, value) }); k >= 0 {
		x = t.order[k]
	}
	lo, hi := e.Lo, e.Hi
	if x != nil {
		lo, hi = min(lo, x.lo), max(hi, x.hi)
	}
	if hi-lo >= longestTable || x == nil && len(t.order) == mostTables {
		return
	}
	for i := lo; i <= hi; i++ {
		if y := evaluated(value, float64(i)); math.IsNaN(y) || math.IsInf(y, 0) || y != 0 && math.Abs(y) < 1e-290 {
			return
		}
	}
	if x == nil {
		x = &functionTable{value: value, calls: map[ir.Expr]ir.Expr{}}
		t.order = append(t.order, x)
	}
	x.lo, x.hi, x.calls[m] = lo, hi, r.integer
	x.count = min(x.count+times, mostTimes)
}

// fill makes the table of a function.
func (t *tabulation) fill(x *functionTable) []ir.Stmt {
	n := x.hi - x.lo + 1
	x.table = &ir.Buf{Name: "table", Elem: ir.F64, Stack: n}
	p, at := t.l.NewVar("p", ir.I64), t.l.NewVar("x", ir.I64)
	t.l.Ranges[p], t.l.Ranges[at] = facts.Between(0, n-1), facts.Between(x.lo, x.hi)
	return []ir.Stmt{
		&ir.DeclBuf{Buf: x.table, Count: ir.Integer(n), Shape: []ir.Expr{ir.Integer(n)}},
		&ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: p, Lo: ir.Integer(0), Hi: ir.Integer(n)}}, Body: []ir.Stmt{
			at.Decl(ir.Add(p.Use(), ir.Integer(x.lo))),
			x.table.Store(p.Use(), ir.MapExpr(x.value, func(x ir.Expr) ir.Expr {
				if ir.IsUse(x, t.at) {
					return at.Use()
				}
				return x
			})),
		}},
	}
}

// integerFunction is an expression as a function of the one integer in it.
type integerFunction struct {
	t       *tabulation
	integer ir.Expr
	named   int // variables whose definitions are read, since when memory may have changed
}

// read returns x with the variable in the place of the integer; it is not ok where x
// depends on anything else.
func (r *integerFunction) read(x ir.Expr, depth int) (ir.Expr, bool) {
	if depth == 0 {
		return nil, false
	}
	switch x := x.(type) {
	case *ir.Float:
		return x, true
	case *ir.Use:
		if init := r.t.defs[x.Var]; init != nil && x.Var.Kind == ir.F64 {
			r.named++
			defer func() { r.named-- }()
			return r.read(init, depth-1)
		}
	case *ir.Convert:
		if k := x.X.Kind(); x.To != ir.F64 || !k.Exact() || k == ir.U8 || k == ir.C32 || k == ir.C8 || r.integer != nil && !ir.Same(r.integer, x.X) || r.named > 0 && !ir.IsLoadFree(x.X) {
			return nil, false
		}
		r.integer = x.X
		return ir.ConvertTo(ir.F64, r.t.at.Use()), true
	case *ir.Binary:
		a, ok := r.read(x.X, depth-1)
		b, ok2 := r.read(x.Y, depth-1)
		if ok && ok2 && (x.Op == ir.OpAdd || x.Op == ir.OpSub || x.Op == ir.OpMul || x.Op == ir.OpDiv) {
			return &ir.Binary{Op: x.Op, X: a, Y: b}, true
		}
	case *ir.Unary:
		if a, ok := r.read(x.X, depth-1); ok && x.Op == ir.OpNeg {
			return x.Op.Of(a), true
		}
	case *ir.Math:
		if tabulated[x.Fn] == nil {
			return nil, false
		}
		y := &ir.Math{Fn: x.Fn, K: x.K}
		for _, a := range x.Args {
			z, ok := r.read(a, depth-1)
			if !ok {
				return nil, false
			}
			y.Args = append(y.Args, z)
		}
		return y, true
	}
	return nil, false
}

// evaluated is such a function of v.
func evaluated(x ir.Expr, v float64) float64 {
	of := func(x ir.Expr) float64 { return evaluated(x, v) }
	switch x := x.(type) {
	case *ir.Float:
		return x.Val
	case *ir.Convert:
		return v
	case *ir.Unary:
		return -of(x.X)
	case *ir.Binary:
		a, b := of(x.X), of(x.Y)
		switch x.Op {
		case ir.OpAdd:
			return a + b
		case ir.OpSub:
			return a - b
		case ir.OpMul:
			return a * b
		}
		return a / b
	case *ir.Math:
		args := make([]float64, len(x.Args))
		for i, a := range x.Args {
			args[i] = of(a)
		}
		return tabulated[x.Fn](args)
	}
	return math.NaN()
}
