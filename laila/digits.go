package laila

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// bitVectors are the binary digits of integers along the first axis: value
// gives the integer, of n bits, for the other axes. Comparisons and logic of
// such digits are machine operations on the integers.
type bitVectors struct {
	n     int64
	value func(jx []ir.Expr) ir.Expr
}

// radix is what is known of the left argument of encode or decode.
type radix struct {
	p    *pull
	base int64 // all radices are this constant; 0 when not known
}

func (g *gen) radixOf(p *pull) radix {
	r := radix{p: p}
	if p.elem == ir.F64 || p.elem == ir.C64 || p.rank() != 1 {
		return r
	}
	if p.rng.Lo == p.rng.Hi {
		r.base = p.rng.Lo
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
func (g *gen) scalarOrElement(v *value, ix []ir.Expr) ir.Expr {
	if v.x != nil {
		return v.x
	}
	return g.index(v.arr, ix)
}

// encode gives digits along a new first axis.
func (g *gen) encode(e *tail.Apply, args []*value) *value {
	k := kindOf(tail.TypeOf(e).Elem)
	y := args[1]
	if y.arr != nil {
		g.total(y.arr)
		g.reread(y.arr)
	} else {
		y = scalar1(g.atom("y", y.x))
	}
	if args[0].x != nil { // one radix
		x := g.atom("x", args[0].x)
		digit := func(v ir.Expr) ir.Expr { d, _ := g.digit(k, x, v); return d }
		if y.x != nil {
			return scalar1(g.atom("d", digit(y.x)))
		}
		q := view(y.arr, y.arr.dims, func(ix []ir.Expr) ir.Expr { return digit(g.index(y.arr, ix)) })
		q.elem, q.rng, q.cost = k, facts.RangeOfKind(k), q.cost+3
		return array1(q)
	}
	x := g.total(args[0].arr)
	var ydims []ir.Expr
	if y.arr != nil {
		ydims = y.arr.dims
	}
	n := x.dims[0]
	q := &pull{elem: k, dims: append(append([]ir.Expr{}, x.dims...), ydims...), rng: facts.RangeOfKind(k), cost: 4, srcs: []*pull{x}}
	if y.arr != nil {
		q.srcs = append(q.srcs, y.arr)
	}
	r := g.radixOf(x)
	if shift, ok := r.log2(); ok && k == ir.I64 {
		q.rng = facts.Between(0, r.base-1)
		q.at = func(ix []ir.Expr) ir.Expr {
			v := ir.ConvertTo(ir.I64, g.scalarOrElement(y, ix[1:]))
			by := g.Smaller(ir.Mul(ir.Sub(ir.Sub(n, ir.Integer(1)), ix[0]), ir.Integer(shift)), ir.Integer(63))
			if !ir.IsInt(by, 0) {
				v = ir.OpShr.Of(v, by)
			}
			return ir.OpAnd.Of(v, ir.Integer(r.base-1))
		}
		if c, ok := ir.IntOf(n); ok && shift == 1 && c > 0 && c < 63 {
			q.bits = &bitVectors{c, func(jx []ir.Expr) ir.Expr {
				return g.masked(ir.ConvertTo(ir.I64, g.scalarOrElement(y, jx)), c)
			}}
		}
		return array1(q)
	}
	g.reread(x)
	q.fill = func(dst *ir.Buf) { g.encodeAll(x, y, ydims, k, dst) }
	return array1(q)
}

// masked returns the n low bits of x.
func (g *gen) masked(x ir.Expr, n int64) ir.Expr {
	if r := g.RangeOf(x); r.Within(0, 1<<uint(n)-1) {
		return x
	}
	return ir.OpAnd.Of(x, ir.Integer(1<<uint(n)-1))
}

// digit returns the last digit of v in base x, and what is left.
func (g *gen) digit(k ir.Kind, x, v ir.Expr) (digit, rest ir.Expr) {
	x, v = g.atom("x", ir.ConvertTo(k, x)), g.atom("v", ir.ConvertTo(k, v))
	if k == ir.C64 {
		d := g.atom("d", &ir.Math{Fn: "tl_resz", K: ir.C64, Args: []ir.Expr{x, v}})
		zero := &ir.Math{Fn: "tl_bad_recz", K: ir.U8, Args: []ir.Expr{x}}
		rest := &ir.Math{Fn: "tl_divz", K: ir.C64, Args: []ir.Expr{&ir.Math{Fn: "tl_subz", K: ir.C64, Args: []ir.Expr{v, d}}, x}}
		return d, &ir.Select{Cond: zero, Then: ir.Fill(ir.C64), Else: rest}
	}
	if k == ir.F64 {
		residueFn := "tl_resd"
		if g.in.Exact {
			residueFn = "tl_resx"
		}
		d := g.atom("d", &ir.Math{Fn: residueFn, K: ir.F64, Args: []ir.Expr{x, v}})
		zero := ir.OpEq.Of(x, &ir.Float{Val: 0})
		return d, &ir.Select{Cond: zero, Then: &ir.Float{Val: 0}, Else: ir.OpDiv.Of(ir.OpSub.Of(v, d), x)}
	}
	if k == ir.U8 {
		x, v = ir.ConvertTo(ir.I64, x), ir.ConvertTo(ir.I64, v)
	}
	d := g.atom("d", g.residue(x, v))
	if r := g.RangeOf(x); r.Lo > 0 {
		return ir.ConvertTo(k, d), ir.ConvertTo(k, g.quotientBelow(v, d, x))
	}
	m := g.atom("m", &ir.Select{Cond: ir.OpEq.Of(x, ir.Integer(0)), Then: ir.Integer(1), Else: x})
	above := ir.OpSub.Of(ir.OpQuo.Of(ir.OpSub.Of(v, ir.Integer(1)), m), ir.Integer(1))
	below := &ir.Select{Cond: ir.OpEq.Of(m, ir.Integer(-1)), Then: ir.OpNeg.Of(v), Else: ir.OpQuo.Of(v, m)}
	down := &ir.Select{Cond: ir.OpGt.Of(v, ir.Integer(0)), Then: above, Else: below}
	q := &ir.Select{Cond: ir.OpLt.Of(x, ir.Integer(0)), Then: down, Else: quotientOfAny(v, m)}
	return ir.ConvertTo(k, d), ir.ConvertTo(k, &ir.Select{Cond: ir.OpEq.Of(x, ir.Integer(0)), Then: ir.Integer(0), Else: q})
}

// quotientBelow returns ⌊v÷x for a positive x, where d is v modulo x. Where v
// may be so small that v-d overflows it is computed from v alone.
func (g *gen) quotientBelow(v, d, x ir.Expr) ir.Expr {
	if g.RangeOf(v).Lo > math.MinInt64/2 {
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
func (g *gen) encodeAll(x *pull, y *value, ydims []ir.Expr, k ir.Kind, dst *ir.Buf) {
	n := x.dims[0]
	dims := append(append([]ir.Expr{}, x.dims...), ydims...)
	g.segmapOrOnce(dims[1:], func(ix []ir.Expr) {
		left := g.mutable("left", k, ir.ConvertTo(k, g.scalarOrElement(y, ix[x.rank()-1:])))
		g.sequence(n, func(i ir.Expr) {
			j := g.atom("j", ir.Sub(ir.Sub(n, ir.Integer(1)), i))
			d, rest := g.digit(k, g.index(x, append([]ir.Expr{j}, ix[:x.rank()-1]...)), left.Use())
			rest = g.atom("rest", rest)
			g.emit(dst.Store(g.ravelIndex(dims, append([]ir.Expr{j}, ix...)), ir.ConvertTo(dst.Elem, d)), left.Assign(rest))
		})
	})
}

// decode evaluates digits by Horner's rule.
func (g *gen) decode(e *tail.Apply, args []*value) *value {
	k := kindOf(tail.TypeOf(e).Elem)
	var x, y *pull
	nx, ny := ir.Integer(1), ir.Integer(1)
	var rows, cols []ir.Expr
	if y = args[1].arr; y != nil {
		ny, cols = y.dims[0], y.dims[1:]
	}
	if x = args[0].arr; x != nil {
		nx, rows = x.dims[x.rank()-1], x.dims[:x.rank()-1]
		if ir.IsInt(nx, 1) && x.elems != nil {
			args[0] = scalar1(x.elems[0])
			x = nil
		}
	}
	if v := g.decodeBits(args[0], y, rows, cols); v != nil {
		return v
	}
	n := g.decodeLength(e, args, nx, ny)
	q := &pull{elem: k, dims: append(append([]ir.Expr{}, rows...), cols...), rng: facts.RangeOfKind(k), cost: 64, faults: k == ir.I64}
	for i := range args {
		if p := args[i].arr; p != nil {
			g.total(p)
			g.reread(p)
			q.srcs = append(q.srcs, p)
		} else {
			args[i] = scalar1(g.atom("x", args[i].x))
		}
	}
	r := len(rows)
	value := func(ix []ir.Expr) ir.Expr { return g.horner(e, k, args, ix[:r:r], ix[r:], n, nx, ny) }
	if len(q.dims) == 0 {
		return scalar1(value(nil))
	}
	q.at = value
	return array1(q)
}

// decodeLength returns the number of digits; axes of one item are extended.
func (g *gen) decodeLength(e *tail.Apply, args []*value, nx, ny ir.Expr) ir.Expr {
	one := func(x ir.Expr) ir.Expr { return g.Compare(ir.OpEq, x, ir.Integer(1)) }
	bad := ir.And(g.Compare(ir.OpNe, nx, ny), ir.And(ir.Not(one(nx)), ir.Not(one(ny))))
	dims := func(v *value) []ir.Expr {
		if v.arr == nil {
			return nil
		}
		return v.arr.dims
	}
	g.failIf(bad, tail.FaultDecode, siteOf(e), func() []ir.FailArg {
		return []ir.FailArg{shapeArg(dims(args[0])), shapeArg(dims(args[1]))}
	})
	switch {
	case ir.Same(nx, ny), ir.IsInt(nx, 1):
		return ny
	case ir.IsInt(ny, 1):
		return nx
	}
	empty := ir.Or(g.Compare(ir.OpEq, nx, ir.Integer(0)), g.Compare(ir.OpEq, ny, ir.Integer(0)))
	return g.atom("n", ir.Choose(empty, ir.Integer(0), g.Larger(nx, ny)))
}

func (g *gen) horner(e *tail.Apply, k ir.Kind, args []*value, ix, jx []ir.Expr, n, nx, ny ir.Expr) ir.Expr {
	radixAt := func(i ir.Expr) ir.Expr {
		if args[0].x != nil {
			return ir.ConvertTo(k, args[0].x)
		}
		return ir.ConvertTo(k, g.index(args[0].arr, append(ix[:len(ix):len(ix)], g.Smaller(i, ir.Sub(nx, ir.Integer(1))))))
	}
	digitAt := func(i ir.Expr) ir.Expr {
		if args[1].x != nil {
			return ir.ConvertTo(k, args[1].x)
		}
		return ir.ConvertTo(k, g.index(args[1].arr, append([]ir.Expr{g.Smaller(i, ir.Sub(ny, ir.Integer(1)))}, jx...)))
	}
	z := g.mutable("z", k, ir.Fill(k))
	if r, ok := g.hornerRange(args, n); ok && k != ir.C64 {
		g.Ranges[z] = r
	}
	body := func(i ir.Expr) {
		if k == ir.C64 {
			x := &ir.Math{Fn: "tl_mulz", K: ir.C64, Args: []ir.Expr{z.Use(), radixAt(i)}}
			g.emit(z.Assign(g.number(&ir.Math{Fn: "tl_addz", K: ir.C64, Args: []ir.Expr{x, digitAt(i)}}, siteOf(e))))
			return
		}
		if k == ir.F64 {
			x := ir.OpAdd.Of(ir.OpMul.Of(z.Use(), radixAt(i)), digitAt(i))
			g.emit(z.Assign(g.number(x, siteOf(e))))
			return
		}
		if k == ir.U8 {
			k64 := func(x ir.Expr) ir.Expr { return ir.ConvertTo(ir.I64, x) }
			t := ir.OpAdd.Of(ir.OpMul.Of(k64(z.Use()), k64(radixAt(i))), k64(digitAt(i)))
			g.emit(z.Assign(ir.ConvertTo(ir.U8, t)))
			return
		}
		var t ir.Expr = z.Use()
		if !ir.IsInt(i, 0) {
			t = g.checked(ir.OpMul, t, radixAt(i), siteOf(e))
		}
		t = g.checked(ir.OpAdd, t, digitAt(i), siteOf(e))
		g.emit(z.Assign(t))
	}
	g.sequence(n, body)
	v := g.NewVar("z", k)
	if r, ok := g.Ranges[z]; ok {
		g.Ranges[v] = r
	}
	g.emit(v.Decl(z.Use()))
	return v.Use()
}

// hornerRange bounds the partial values when radix and digits are small.
func (g *gen) hornerRange(args []*value, n ir.Expr) (facts.Interval, bool) {
	c, ok := ir.IntOf(n)
	rng := func(v *value) facts.Interval {
		if v.x != nil {
			return g.RangeOf(v.x)
		}
		return v.arr.rng
	}
	x, y := rng(args[0]), rng(args[1])
	if !ok || x.Lo < 0 || y.Lo < 0 || c > 64 {
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

// decodeBits is decode of binary digits that come from integers.
func (g *gen) decodeBits(x *value, y *pull, rows, cols []ir.Expr) *value {
	if y == nil || y.bits == nil || len(rows) > 0 {
		return nil
	}
	two := x.x != nil && ir.IsInt(x.x, 2) || x.arr != nil && g.radixOf(x.arr).base == 2
	if !two {
		return nil
	}
	b := y.bits
	if len(cols) == 0 {
		return scalar1(g.atom("bits", b.value(nil)))
	}
	q := view(y, cols, func(jx []ir.Expr) ir.Expr { return b.value(jx) })
	q.elem, q.rng, q.cost = ir.I64, facts.Between(0, 1<<uint(b.n)-1), 3
	return array1(q)
}

// combineBits gives the bits of a function of digits of integers.
func (g *gen) combineBits(f *tail.Lam, ps []*pull) *bitVectors {
	for _, p := range ps {
		if p.bits == nil || p.bits.n != ps[0].bits.n || p.rank() != ps[0].rank() {
			return nil
		}
	}
	a := ps[0].bits
	if len(ps) == 1 {
		if e, ok := f.Body.(*tail.Apply); ok {
			if _, ok := e.Args[0].(*tail.Ref); ok && (e.Op == tail.OpB2I || e.Op == tail.OpI2B) {
				return a
			}
		}
		return nil
	}
	var op ir.BinOp
	switch tail.OpOf(f) {
	case tail.OpNeqI, tail.OpXorB:
		op = ir.OpXor
	case tail.OpMulI, tail.OpMinI, tail.OpLcmI, tail.OpAndB:
		op = ir.OpAnd
	case tail.OpMaxI, tail.OpGcdI, tail.OpOrB:
		op = ir.OpOr
	default:
		return nil
	}
	b := ps[1].bits
	return &bitVectors{a.n, func(jx []ir.Expr) ir.Expr {
		y := b.value(jx)
		return g.keep(op.Of(a.value(jx), y))
	}}
}
