package build

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// radix is what is known of the left argument of encode or decode.
type radix struct {
	base int64 // all radices are this constant; 0 when not known
}

func (g *Builder) radixOf(p *Pull) radix {
	r := radix{}
	if p.Elem == ir.F64 || p.Elem == ir.C64 || p.Rank() != 1 {
		return r
	}
	if p.Rng.Lo == p.Rng.Hi {
		r.base = p.Rng.Lo
	}
	return r
}

// log2 returns the exponent of a power of two from 2 on.
func (r radix) log2() (int64, bool) {
	if r.base >= 2 && r.base&(r.base-1) == 0 {
		return int64(bits.TrailingZeros64(uint64(r.base))), true
	}
	return 0, false
}

// scalarOrElement reads v at the index ix.
func (g *Builder) scalarOrElement(v *Value, ix []ir.Expr) ir.Expr {
	if v.X != nil {
		return v.X
	}
	return g.Index(v.Arr, ix)
}

// Encode gives digits along a new first axis.
func (g *Builder) Encode(e *tail.Apply, args []*Value) *Value {
	k := KindOf(tail.TypeOf(e).Elem)
	y := args[1]
	if y.Arr != nil {
		g.Total(y.Arr)
		g.Reread(y.Arr)
	} else {
		y = Scalar1(g.Atom("y", y.X))
	}
	if args[0].X != nil { // one radix
		x := g.Atom("x", args[0].X)
		digit := func(v ir.Expr) ir.Expr { d, _ := g.digit(k, x, v); return d }
		if y.X != nil {
			return Scalar1(g.Atom("d", digit(y.X)))
		}
		q := View(y.Arr, y.Arr.Dims, func(ix []ir.Expr) ir.Expr { return digit(g.Index(y.Arr, ix)) })
		q.Elem, q.Rng, q.Cost = k, digitRange(k, g.RangeOf(x), y.Arr.Rng), q.Cost+3
		return Array1(q)
	}
	x := g.Total(args[0].Arr)
	var ydims []ir.Expr
	if y.Arr != nil {
		ydims = y.Arr.Dims
	}
	n := x.Dims[0]
	rng := facts.RangeOfKind(k)
	if y.Arr != nil {
		rng = digitRange(k, x.Rng, y.Arr.Rng)
	} else if y.X.Kind().Exact() {
		rng = digitRange(k, x.Rng, g.RangeOf(y.X))
	}
	q := &Pull{Elem: k, Dims: append(append([]ir.Expr{}, x.Dims...), ydims...), Rng: rng, Cost: 4, Srcs: []*Pull{x}}
	if y.Arr != nil {
		q.Srcs = append(q.Srcs, y.Arr)
	}
	r := g.radixOf(x)
	if shift, ok := r.log2(); ok && k == ir.I64 {
		q.Rng = facts.Between(0, r.base-1)
		q.At = func(ix []ir.Expr) ir.Expr {
			v := ir.ConvertTo(ir.I64, g.scalarOrElement(y, ix[1:]))
			by := g.Smaller(ir.Mul(ir.Sub(ir.Sub(n, ir.Integer(1)), ix[0]), ir.Integer(shift)), ir.Integer(63))
			if !ir.IsInt(by, 0) {
				v = ir.OpShr.Of(v, by)
			}
			return ir.OpAnd.Of(v, ir.Integer(r.base-1))
		}
		return Array1(q)
	}
	g.Reread(x)
	q.Fill = func(dst *ir.Buf) { g.encodeAll(x, y, ydims, k, dst) }
	if y.X != nil && x.Rank() == 1 {
		q.Backward = true
		q.Drive = func(body func(x ir.Expr)) {
			radix := func(j ir.Expr) ir.Expr { return g.Index(x, []ir.Expr{j}) }
			g.digits(k, n, y.X, x.Rng, radix, func(_, d ir.Expr) { body(d) })
		}
	}
	return Array1(q)
}

// digitRange bounds the digits of integers in y to bases in x: a base of 0 gives what
// is left.
func digitRange(k ir.Kind, x, y facts.Interval) facts.Interval {
	switch {
	case k != ir.I64 || x.Lo < 0 || x.Lo == 0 && y.Lo < 0:
		return facts.RangeOfKind(k)
	case y.Lo < 0:
		return facts.Between(0, x.Hi-1)
	case x.Lo == 0:
		return facts.Between(0, y.Hi)
	}
	return facts.Between(0, min(x.Hi-1, y.Hi))
}

// digit returns the last digit of v in base x, and what is left.
func (g *Builder) digit(k ir.Kind, x, v ir.Expr) (digit, rest ir.Expr) {
	x, v = g.Atom("x", ir.ConvertTo(k, x)), g.Atom("v", ir.ConvertTo(k, v))
	if k == ir.C64 {
		d := g.Atom("d", &ir.Math{Fn: "tl_resz", K: ir.C64, Args: []ir.Expr{x, v}})
		zero := &ir.Math{Fn: "tl_bad_recz", K: ir.U8, Args: []ir.Expr{x}}
		rest := &ir.Math{Fn: "tl_divz", K: ir.C64, Args: []ir.Expr{&ir.Math{Fn: "tl_subz", K: ir.C64, Args: []ir.Expr{v, d}}, x}}
		return d, &ir.Select{Cond: zero, Then: ir.Fill(ir.C64), Else: rest}
	}
	if k == ir.F64 {
		residueFn := "tl_resd"
		if g.In.Exact {
			residueFn = "tl_resx"
		}
		d := g.Atom("d", &ir.Math{Fn: residueFn, K: ir.F64, Args: []ir.Expr{x, v}})
		zero := ir.OpEq.Of(x, &ir.Float{Val: 0})
		return d, &ir.Select{Cond: zero, Then: &ir.Float{Val: 0}, Else: ir.OpDiv.Of(ir.OpSub.Of(v, d), x)}
	}
	if k == ir.U8 {
		x, v = ir.ConvertTo(ir.I64, x), ir.ConvertTo(ir.I64, v)
	}
	d := g.Atom("d", g.residue(x, v))
	if r := g.RangeOf(x); r.Lo > 0 {
		return ir.ConvertTo(k, d), ir.ConvertTo(k, g.quotientBelow(v, d, x))
	}
	m := g.Atom("m", &ir.Select{Cond: ir.OpEq.Of(x, ir.Integer(0)), Then: ir.Integer(1), Else: x})
	above := ir.OpSub.Of(ir.OpQuo.Of(ir.OpSub.Of(v, ir.Integer(1)), m), ir.Integer(1))
	below := &ir.Select{Cond: ir.OpEq.Of(m, ir.Integer(-1)), Then: ir.OpNeg.Of(v), Else: ir.OpQuo.Of(v, m)}
	down := &ir.Select{Cond: ir.OpGt.Of(v, ir.Integer(0)), Then: above, Else: below}
	q := &ir.Select{Cond: ir.OpLt.Of(x, ir.Integer(0)), Then: down, Else: quotientOfAny(v, m)}
	return ir.ConvertTo(k, d), ir.ConvertTo(k, &ir.Select{Cond: ir.OpEq.Of(x, ir.Integer(0)), Then: ir.Integer(0), Else: q})
}

// quotientBelow returns ⌊v÷x for a positive x, where d is v modulo x. Where v
// may be so small that v-d overflows it is computed from v alone.
func (g *Builder) quotientBelow(v, d, x ir.Expr) ir.Expr {
	switch lo := g.RangeOf(v).Lo; {
	case lo >= 0:
		return g.NarrowQuo(v, x)
	case lo > math.MinInt64/2:
		return ir.Quo(ir.OpSub.Of(v, d), x)
	}
	return quotientOfAny(v, x)
}

// quotientOfAny returns ⌊v÷x for a positive x and any v.
func quotientOfAny(v, x ir.Expr) ir.Expr {
	return &ir.Select{Cond: ir.OpLt.Of(v, ir.Integer(0)), Then: complement(ir.Quo(complement(v), x)), Else: ir.Quo(v, x)}
}

// complement returns ¯1-x, which never overflows.
func complement(x ir.Expr) ir.Expr { return ir.OpSub.Of(ir.Integer(-1), x) }

// encodeAll computes the digits of each element from the last.
func (g *Builder) encodeAll(x *Pull, y *Value, ydims []ir.Expr, k ir.Kind, dst *ir.Buf) {
	n := x.Dims[0]
	dims := append(append([]ir.Expr{}, x.Dims...), ydims...)
	g.SegmapOrOnce(dims[1:], func(ix []ir.Expr) {
		g.digits(k, n, g.scalarOrElement(y, ix[x.Rank()-1:]), x.Rng, func(j ir.Expr) ir.Expr {
			return g.Index(x, append([]ir.Expr{j}, ix[:x.Rank()-1]...))
		}, func(j, d ir.Expr) {
			g.Emit(dst.Store(g.RavelIndex(dims, append([]ir.Expr{j}, ix...)), ir.ConvertTo(dst.Elem, d)))
		})
	})
}

// Digits computes the last n digits of an integer to a base, from the last to the
// first.
func (g *Builder) Digits(base, y, n ir.Expr, store func(j, d ir.Expr)) {
	g.digits(ir.I64, n, y, g.RangeOf(base), func(ir.Expr) ir.Expr { return base }, store)
}

// digits computes the last n digits of y, of kind k, to bases that radix gives, which
// have a range.
func (g *Builder) digits(k ir.Kind, n, y ir.Expr, bases facts.Interval, radix func(j ir.Expr) ir.Expr, store func(j, d ir.Expr)) {
	y = ir.ConvertTo(k, y)
	left := g.Mutable("left", k, y)
	if k == ir.I64 && bases.Lo >= 0 { // what is left is nearer to 0, or ¯1
		g.Ranges[left] = g.RangeOf(y).Union(facts.Between(min(0, max(-1, g.RangeOf(y).Lo)), 0))
	}
	g.Sequence(n, func(i ir.Expr) {
		j := g.Atom("j", ir.Sub(ir.Sub(n, ir.Integer(1)), i))
		d, rest := g.digit(k, radix(j), left.Use())
		rest = g.Atom("rest", rest)
		store(j, d)
		g.Emit(left.Assign(rest))
	})
}

// Decode evaluates digits by Horner's rule.
func (g *Builder) Decode(e *tail.Apply, args []*Value) *Value {
	k := KindOf(tail.TypeOf(e).Elem)
	var x, y *Pull
	nx, ny := ir.Integer(1), ir.Integer(1)
	var rows, cols []ir.Expr
	if y = args[1].Arr; y != nil {
		ny, cols = y.Dims[0], y.Dims[1:]
	}
	if x = args[0].Arr; x != nil {
		nx, rows = x.Dims[x.Rank()-1], x.Dims[:x.Rank()-1]
		if ir.IsInt(nx, 1) && x.Elems != nil {
			args[0] = Scalar1(x.Elems[0])
			x = nil
		}
	}
	n := g.decodeLength(e, args, nx, ny)
	q := &Pull{Elem: k, Dims: append(append([]ir.Expr{}, rows...), cols...), Rng: facts.RangeOfKind(k), Cost: 64, Faults: k == ir.I64}
	if r, ok := g.hornerRange(args, n); ok && k == ir.I64 {
		q.Rng, q.Faults = r, false
	}
	for i := range args {
		if p := args[i].Arr; p != nil {
			g.Total(p)
			g.Reread(p)
			q.Srcs = append(q.Srcs, p)
		} else {
			args[i] = Scalar1(g.Atom("x", args[i].X))
		}
	}
	r := len(rows)
	value := func(ix []ir.Expr) ir.Expr { return g.horner(e, k, args, ix[:r:r], ix[r:], n, nx, ny) }
	if len(q.Dims) == 0 {
		return Scalar1(value(nil))
	}
	q.At = value
	return Array1(q)
}

// decodeLength returns the number of digits; axes of one item are extended.
func (g *Builder) decodeLength(e *tail.Apply, args []*Value, nx, ny ir.Expr) ir.Expr {
	one := func(x ir.Expr) ir.Expr { return g.Compare(ir.OpEq, x, ir.Integer(1)) }
	bad := ir.And(g.Compare(ir.OpNe, nx, ny), ir.And(ir.Not(one(nx)), ir.Not(one(ny))))
	dims := func(v *Value) []ir.Expr {
		if v.Arr == nil {
			return nil
		}
		return v.Arr.Dims
	}
	g.FailIf(bad, tail.FaultDecode, SiteOf(e), func() []ir.FailArg {
		return []ir.FailArg{ShapeArg(dims(args[0])), ShapeArg(dims(args[1]))}
	})
	switch {
	case ir.Same(nx, ny), ir.IsInt(nx, 1):
		return ny
	case ir.IsInt(ny, 1):
		return nx
	}
	empty := ir.Or(g.Compare(ir.OpEq, nx, ir.Integer(0)), g.Compare(ir.OpEq, ny, ir.Integer(0)))
	return g.Atom("n", ir.Choose(empty, ir.Integer(0), g.Larger(nx, ny)))
}

func (g *Builder) horner(e *tail.Apply, k ir.Kind, args []*Value, ix, jx []ir.Expr, n, nx, ny ir.Expr) ir.Expr {
	radixAt := func(i ir.Expr) ir.Expr {
		if args[0].X != nil {
			return ir.ConvertTo(k, args[0].X)
		}
		return ir.ConvertTo(k, g.Index(args[0].Arr, append(ix[:len(ix):len(ix)], g.Smaller(i, ir.Sub(nx, ir.Integer(1))))))
	}
	digitAt := func(i ir.Expr) ir.Expr {
		if args[1].X != nil {
			return ir.ConvertTo(k, args[1].X)
		}
		return ir.ConvertTo(k, g.Index(args[1].Arr, append([]ir.Expr{g.Smaller(i, ir.Sub(ny, ir.Integer(1)))}, jx...)))
	}
	z := g.Mutable("z", k, ir.Fill(k))
	if r, ok := g.hornerRange(args, n); ok && k != ir.C64 {
		g.Ranges[z] = r
	}
	body := func(i ir.Expr) {
		if k == ir.C64 {
			x := &ir.Math{Fn: "tl_mulz", K: ir.C64, Args: []ir.Expr{z.Use(), radixAt(i)}}
			g.Emit(z.Assign(g.Number(&ir.Math{Fn: "tl_addz", K: ir.C64, Args: []ir.Expr{x, digitAt(i)}}, SiteOf(e))))
			return
		}
		if k == ir.F64 {
			x := ir.OpAdd.Of(ir.OpMul.Of(z.Use(), radixAt(i)), digitAt(i))
			g.Emit(z.Assign(g.Number(x, SiteOf(e))))
			return
		}
		if k == ir.U8 {
			k64 := func(x ir.Expr) ir.Expr { return ir.ConvertTo(ir.I64, x) }
			t := ir.OpAdd.Of(ir.OpMul.Of(k64(z.Use()), k64(radixAt(i))), k64(digitAt(i)))
			g.Emit(z.Assign(ir.ConvertTo(ir.U8, t)))
			return
		}
		var t ir.Expr = z.Use()
		if !ir.IsInt(i, 0) {
			t = g.Checked(ir.OpMul, t, radixAt(i), SiteOf(e))
		}
		t = g.Checked(ir.OpAdd, t, digitAt(i), SiteOf(e))
		g.Emit(z.Assign(t))
	}
	g.Sequence(n, body)
	v := g.NewVar("z", k)
	if r, ok := g.Ranges[z]; ok {
		g.Ranges[v] = r
	}
	g.Emit(v.Decl(z.Use()))
	return v.Use()
}

// hornerRange bounds the partial values when radix and digits are small, and few.
func (g *Builder) hornerRange(args []*Value, n ir.Expr) (facts.Interval, bool) {
	c, ok := g.RangeOf(n).Hi, true
	rng := func(v *Value) facts.Interval {
		if v.X != nil {
			return g.RangeOf(v.X)
		}
		return v.Arr.Rng
	}
	x, y := rng(args[0]), rng(args[1])
	if x.Lo < 0 || y.Lo < 0 || c > 64 {
		return facts.Interval{}, false
	}
	z := int64(0)
	for i := int64(0); i < c; i++ {
		if z, ok = facts.MulInt(z, x.Hi); !ok {
			return facts.Interval{}, false
		}
		if z, ok = facts.AddInt(z, y.Hi); !ok {
			return facts.Interval{}, false
		}
	}
	return facts.Between(0, z), z < 1<<62
}
