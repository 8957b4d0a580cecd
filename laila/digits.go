package laila

import (
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/tail"
)

// bitVectors are the binary digits of integers along the first axis: value
// gives the integer, of n bits, for the other axes. Comparisons and logic of
// such digits are machine operations on the integers.
type bitVectors struct {
	n     int64
	value func(jx []Expr) Expr
}

// radix is what is known of the left argument of encode or decode.
type radix struct {
	p    *pull
	base int64 // all radices are this constant; 0 when not known
}

func (g *gen) radixOf(p *pull) radix {
	r := radix{p: p}
	if p.elem == F64 || p.elem == C64 || p.rank() != 1 {
		return r
	}
	if p.rng.lo == p.rng.hi {
		r.base = p.rng.lo
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
func (g *gen) scalarOrElement(v *value, ix []Expr) Expr {
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
		digit := func(v Expr) Expr { d, _ := g.digit(k, x, v); return d }
		if y.x != nil {
			return scalar1(g.atom("d", digit(y.x)))
		}
		q := view(y.arr, y.arr.dims, func(ix []Expr) Expr { return digit(g.index(y.arr, ix)) })
		q.elem, q.rng, q.cost = k, rangeOfKind(k), q.cost+3
		return array1(q)
	}
	x := g.total(args[0].arr)
	var ydims []Expr
	if y.arr != nil {
		ydims = y.arr.dims
	}
	n := x.dims[0]
	q := &pull{elem: k, dims: append(append([]Expr{}, x.dims...), ydims...), rng: rangeOfKind(k), cost: 4, srcs: []*pull{x}}
	if y.arr != nil {
		q.srcs = append(q.srcs, y.arr)
	}
	r := g.radixOf(x)
	if shift, ok := r.log2(); ok && k == I64 {
		q.rng = interval{0, r.base - 1}
		q.at = func(ix []Expr) Expr {
			v := convert(I64, g.scalarOrElement(y, ix[1:]))
			by := g.smaller(mul(sub(sub(n, integer(1)), ix[0]), integer(shift)), integer(63))
			if !isInt(by, 0) {
				v = &Binary{Shr, v, by}
			}
			return &Binary{And, v, integer(r.base - 1)}
		}
		if c, ok := intOf(n); ok && shift == 1 && c > 0 && c < 63 {
			q.bits = &bitVectors{c, func(jx []Expr) Expr {
				return g.masked(convert(I64, g.scalarOrElement(y, jx)), c)
			}}
		}
		return array1(q)
	}
	g.reread(x)
	q.fill = func(dst *Buf) { g.encodeAll(x, y, ydims, k, dst) }
	return array1(q)
}

// masked returns the n low bits of x.
func (g *gen) masked(x Expr, n int64) Expr {
	if r := g.rangeOf(x); r.within(0, 1<<uint(n)-1) {
		return x
	}
	return &Binary{And, x, integer(1<<uint(n) - 1)}
}

// digit returns the last digit of v in base x, and what is left.
func (g *gen) digit(k Kind, x, v Expr) (digit, rest Expr) {
	x, v = g.atom("x", convert(k, x)), g.atom("v", convert(k, v))
	if k == C64 {
		d := g.atom("d", &Math{"tl_resz", C64, []Expr{x, v}})
		zero := &Math{"tl_bad_recz", U8, []Expr{x}}
		rest := &Math{"tl_divz", C64, []Expr{&Math{"tl_subz", C64, []Expr{v, d}}, x}}
		return d, &Select{zero, fillOf(C64), rest}
	}
	if k == F64 {
		residueFn := "tl_resd"
		if g.in.Exact {
			residueFn = "tl_resx"
		}
		d := g.atom("d", &Math{residueFn, F64, []Expr{x, v}})
		zero := &Binary{Eq, x, &Float{0}}
		return d, &Select{zero, &Float{0}, &Binary{Div, &Binary{Sub, v, d}, x}}
	}
	if k == U8 {
		x, v = convert(I64, x), convert(I64, v)
	}
	d := g.atom("d", g.residue(x, v))
	if r := g.rangeOf(x); r.lo > 0 {
		return convert(k, d), convert(k, g.quotientBelow(v, d, x))
	}
	m := g.atom("m", &Select{&Binary{Eq, x, integer(0)}, integer(1), x})
	above := &Binary{Sub, &Binary{Quo, &Binary{Sub, v, integer(1)}, m}, integer(1)}
	below := &Select{&Binary{Eq, m, integer(-1)}, &Unary{Neg, v}, &Binary{Quo, v, m}}
	down := &Select{&Binary{Gt, v, integer(0)}, above, below}
	q := &Select{&Binary{Lt, x, integer(0)}, down, quotientOfAny(v, m)}
	return convert(k, d), convert(k, &Select{&Binary{Eq, x, integer(0)}, integer(0), q})
}

// quotientBelow returns ⌊v÷x for a positive x, where d is v modulo x. Where v
// may be so small that v-d overflows it is computed from v alone.
func (g *gen) quotientBelow(v, d, x Expr) Expr {
	if g.rangeOf(v).lo > math.MinInt64/2 {
		return quo(&Binary{Sub, v, d}, x)
	}
	return quotientOfAny(v, x)
}

// quotientOfAny returns ⌊v÷x for a positive x and any v.
func quotientOfAny(v, x Expr) Expr {
	return &Select{&Binary{Lt, v, integer(0)}, complement(quo(complement(v), x)), quo(v, x)}
}

// complement returns ¯1-x, which never overflows.
func complement(x Expr) Expr { return &Binary{Sub, integer(-1), x} }

// encodeAll computes the digits of each element from the last.
func (g *gen) encodeAll(x *pull, y *value, ydims []Expr, k Kind, dst *Buf) {
	n := x.dims[0]
	dims := append(append([]Expr{}, x.dims...), ydims...)
	g.segmapOrOnce(dims[1:], func(ix []Expr) {
		left := g.mutable("left", k, convert(k, g.scalarOrElement(y, ix[x.rank()-1:])))
		g.sequence(n, func(i Expr) {
			j := g.atom("j", sub(sub(n, integer(1)), i))
			d, rest := g.digit(k, g.index(x, append([]Expr{j}, ix[:x.rank()-1]...)), &Use{left})
			rest = g.atom("rest", rest)
			g.emit(&Store{dst, g.ravelIndex(dims, append([]Expr{j}, ix...)), convert(dst.Elem, d)}, &Assign{left, rest})
		})
	})
}

// decode evaluates digits by Horner's rule.
func (g *gen) decode(e *tail.Apply, args []*value) *value {
	k := kindOf(tail.TypeOf(e).Elem)
	var x, y *pull
	nx, ny := integer(1), integer(1)
	var rows, cols []Expr
	if y = args[1].arr; y != nil {
		ny, cols = y.dims[0], y.dims[1:]
	}
	if x = args[0].arr; x != nil {
		nx, rows = x.dims[x.rank()-1], x.dims[:x.rank()-1]
		if isInt(nx, 1) && x.elems != nil {
			args[0] = scalar1(x.elems[0])
			x = nil
		}
	}
	if v := g.decodeBits(args[0], y, rows, cols); v != nil {
		return v
	}
	n := g.decodeLength(e, args, nx, ny)
	q := &pull{elem: k, dims: append(append([]Expr{}, rows...), cols...), rng: rangeOfKind(k), cost: 64, faults: k == I64}
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
	value := func(ix []Expr) Expr { return g.horner(e, k, args, ix[:r:r], ix[r:], n, nx, ny) }
	if len(q.dims) == 0 {
		return scalar1(value(nil))
	}
	q.at = value
	return array1(q)
}

// decodeLength returns the number of digits; axes of one item are extended.
func (g *gen) decodeLength(e *tail.Apply, args []*value, nx, ny Expr) Expr {
	one := func(x Expr) Expr { return g.compare(Eq, x, integer(1)) }
	bad := and(g.compare(Ne, nx, ny), and(not(one(nx)), not(one(ny))))
	dims := func(v *value) []Expr {
		if v.arr == nil {
			return nil
		}
		return v.arr.dims
	}
	g.failIf(bad, tail.FaultDecode, siteOf(e), func() []FailArg {
		return []FailArg{shapeArg(dims(args[0])), shapeArg(dims(args[1]))}
	})
	switch {
	case same(nx, ny), isInt(nx, 1):
		return ny
	case isInt(ny, 1):
		return nx
	}
	empty := or(g.compare(Eq, nx, integer(0)), g.compare(Eq, ny, integer(0)))
	return g.atom("n", choose(empty, integer(0), g.larger(nx, ny)))
}

func (g *gen) horner(e *tail.Apply, k Kind, args []*value, ix, jx []Expr, n, nx, ny Expr) Expr {
	radixAt := func(i Expr) Expr {
		if args[0].x != nil {
			return convert(k, args[0].x)
		}
		return convert(k, g.index(args[0].arr, append(ix[:len(ix):len(ix)], g.smaller(i, sub(nx, integer(1))))))
	}
	digitAt := func(i Expr) Expr {
		if args[1].x != nil {
			return convert(k, args[1].x)
		}
		return convert(k, g.index(args[1].arr, append([]Expr{g.smaller(i, sub(ny, integer(1)))}, jx...)))
	}
	z := g.mutable("z", k, fillOf(k))
	if r, ok := g.hornerRange(args, n); ok && k != C64 {
		g.ranges[z] = r
	}
	body := func(i Expr) {
		if k == C64 {
			x := &Math{"tl_mulz", C64, []Expr{&Use{z}, radixAt(i)}}
			g.emit(&Assign{z, g.number(&Math{"tl_addz", C64, []Expr{x, digitAt(i)}}, siteOf(e))})
			return
		}
		if k == F64 {
			x := &Binary{Add, &Binary{Mul, &Use{z}, radixAt(i)}, digitAt(i)}
			g.emit(&Assign{z, g.number(x, siteOf(e))})
			return
		}
		if k == U8 {
			k64 := func(x Expr) Expr { return convert(I64, x) }
			t := &Binary{Add, &Binary{Mul, k64(&Use{z}), k64(radixAt(i))}, k64(digitAt(i))}
			g.emit(&Assign{z, convert(U8, t)})
			return
		}
		var t Expr = &Use{z}
		if !isInt(i, 0) {
			t = g.checked(Mul, t, radixAt(i), siteOf(e))
		}
		t = g.checked(Add, t, digitAt(i), siteOf(e))
		g.emit(&Assign{z, t})
	}
	g.sequence(n, body)
	v := g.newVar("z", k)
	if r, ok := g.ranges[z]; ok {
		g.ranges[v] = r
	}
	g.emit(&Decl{v, &Use{z}})
	return &Use{v}
}

// hornerRange bounds the partial values when radix and digits are small.
func (g *gen) hornerRange(args []*value, n Expr) (interval, bool) {
	c, ok := intOf(n)
	rng := func(v *value) interval {
		if v.x != nil {
			return g.rangeOf(v.x)
		}
		return v.arr.rng
	}
	x, y := rng(args[0]), rng(args[1])
	if !ok || x.lo < 0 || y.lo < 0 || c > 64 {
		return interval{}, false
	}
	z := int64(0)
	for i := int64(0); i < c; i++ {
		if z, ok = mulInt(z, x.hi); !ok {
			return interval{}, false
		}
		if z, ok = addInt(z, y.hi); !ok {
			return interval{}, false
		}
	}
	return interval{0, z}, z < 1<<62
}

// decodeBits is decode of binary digits that come from integers.
func (g *gen) decodeBits(x *value, y *pull, rows, cols []Expr) *value {
	if y == nil || y.bits == nil || len(rows) > 0 {
		return nil
	}
	two := x.x != nil && isInt(x.x, 2) || x.arr != nil && g.radixOf(x.arr).base == 2
	if !two {
		return nil
	}
	b := y.bits
	if len(cols) == 0 {
		return scalar1(g.atom("bits", b.value(nil)))
	}
	q := view(y, cols, func(jx []Expr) Expr { return b.value(jx) })
	q.elem, q.rng, q.cost = I64, interval{0, 1<<uint(b.n) - 1}, 3
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
	var op BinOp
	switch opOf(f) {
	case tail.OpNeqI, tail.OpXorB:
		op = Xor
	case tail.OpMulI, tail.OpMinI, tail.OpLcmI, tail.OpAndB:
		op = And
	case tail.OpMaxI, tail.OpGcdI, tail.OpOrB:
		op = Or
	default:
		return nil
	}
	b := ps[1].bits
	return &bitVectors{a.n, func(jx []Expr) Expr {
		y := b.value(jx)
		return g.keep(&Binary{op, a.value(jx), y})
	}}
}
