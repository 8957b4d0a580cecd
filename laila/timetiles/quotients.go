package timetiles

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A division takes as long as several products, and keeps all lanes of a vector
// waiting. In time tiles, x÷d for a constant d is two operations:
//
//	fma(x, h, x×l)    where h+l is 1÷d in two doubles, both with d's sign
//
// The sum before it is rounded is so near to x÷d that only few x, which can be
// found from d, could be rounded to another double; divisors for which one of
// them is are divided by as before. What is left is that x×l must not lose
// digits to underflow: x must be zero or not too small. An x that is made by sums and
// products of elements is, when the elements are: so all elements that are
// stored are looked at, once for all their uses, and when one is too small, a flag
// makes all later steps divide.
//
//	segmap i: t[i] = (s[i-1] + s[i+1]) / 3
//
// becomes
//
//	if small
//	  segmap i: t[i] = (s[i-1] + s[i+1]) / 3
//	else
//	  segmap i: v = tl_quotient(s[i-1] + s[i+1], h, l); t[i] = v; small = small | tl_small(v)
//
// Zeros, infinities and what is no number give what the division gives.
//
// Requires: straight nests. Preserves: every bit.
type Quotients struct {
	t     *timeTiling
	nests map[*tiledNest]*ir.Nest // with quotients in place of divisions
	Value map[*ir.Var]ir.Expr     // what variables of the nests are
	seen  map[*ir.Buf]bool        // arrays whose elements are looked at
	small *ir.Var                 // the flag
	was   *ir.Var                 // what it was before a phase
	steps *stepBounds             // nil where all chunks look
	count int
}

const (
	// smallest is the exponent from which elements are not small: tl_small has
	// it, too. Dividends must stay above the other one.
	smallest = -500
	// SmallestDividend is the exponent of the smallest dividend.
	SmallestDividend = -800
	// Divisors are between 2*-this and 2*this.
	divisorExponents = 60
)

// quotients finds the divisions of a loop's nests that need not be divisions;
// nil where there are none.
func (t *timeTiling) quotients() *Quotients {
	q := &Quotients{t: t, nests: map[*tiledNest]*ir.Nest{}, Value: map[*ir.Var]ir.Expr{}, seen: map[*ir.Buf]bool{}, small: t.l.NewVar("small", ir.U8), was: t.l.NewVar("was", ir.U8)}
	for _, n := range t.nests {
		c := t.l.NewCloner().Nest(n.nest)
		q.nests[n] = c
		if !q.block(c.Body) {
			return nil
		}
	}
	if q.count == 0 {
		return nil
	}
	for range t.swaps {
		for _, s := range t.swaps {
			if q.seen[s.A] || q.seen[s.B] {
				q.seen[s.A], q.seen[s.B] = true, true
			}
		}
	}
	for b := range q.seen {
		if !q.covered(b) {
			return nil
		}
	}
	if t.l.On("stepbounds") {
		q.steps = q.stepBounds()
	}
	for _, c := range q.nests {
		c.Body = q.stores(c.Body)
		c.Flags = []*ir.Var{q.small}
	}
	return q
}

// block replaces divisions in straight code and loops.
func (q *Quotients) block(block []ir.Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.For:
			if !q.block(s.Body) {
				return false
			}
		case *ir.Decl:
			ir.MapScalars(s, q.replace)
			q.Value[s.Var] = s.Init
		case *ir.Store, *ir.Comment:
			ir.MapScalars(s, q.replace)
		default:
			return false
		}
	}
	return true
}

// ByConstant takes a division by a constant apart.
func ByConstant(x ir.Expr) (div *ir.Binary, d float64, ok bool) {
	div, ok = x.(*ir.Binary)
	if !ok || div.Op != ir.OpDiv {
		return nil, 0, false
	}
	y, ok := div.Y.(*ir.Float)
	if !ok {
		return nil, 0, false
	}
	return div, y.Val, true
}

// replace returns what stands for a division.
func (q *Quotients) replace(x ir.Expr) ir.Expr {
	div, d, ok := ByConstant(x)
	if !ok {
		return x
	}
	loads := map[*ir.Buf]bool{}
	least, ok := q.Least(div.X, loads)
	if !ok || least < SmallestDividend {
		return x
	}
	h, l, ok := Reciprocal(d)
	if !ok {
		return x
	}
	for b := range loads {
		q.seen[b] = true
	}
	q.count++
	return &ir.Math{Fn: "tl_quotient", K: ir.F64, Args: []ir.Expr{div.X, &ir.Float{Val: h}, &ir.Float{Val: l}}}
}

// Least returns the exponent of the smallest value other than zero that x can
// have where the elements of arrays are not small, and adds these arrays to
// loads: sums and differences are multiples of the last digit of one operand.
func (q *Quotients) Least(x ir.Expr, loads map[*ir.Buf]bool) (exponent int, ok bool) {
	switch x := x.(type) {
	case *ir.Float:
		if x.Val == 0 {
			return 1024, true
		}
		return math.Ilogb(x.Val), !math.IsInf(x.Val, 0) && !math.IsNaN(x.Val) && math.Abs(x.Val) >= 0x1p-500
	case *ir.Use:
		init, ok := q.Value[x.Var]
		if !ok || init == nil {
			return 0, false
		}
		return q.Least(init, loads)
	case *ir.Load:
		if q.t == nil {
			return 0, false
		}
		loads[x.Buf] = true
		return smallest, x.Buf.Elem == ir.F64 && q.t.written[x.Buf]
	case *ir.Unary:
		if x.Op == ir.OpNeg || x.Op == ir.OpAbs {
			return q.Least(x.X, loads)
		}
	case *ir.Convert:
		return 0, x.To == ir.F64 && x.X.Kind().Exact() && (q.t == nil || ir.IsLoadFree(x.X))
	case *ir.Math:
		if x.Fn == "tl_quotient" || x.Fn == "tl_ratio" {
			e, ok := q.Least(x.Args[0], loads)
			return e + math.Ilogb(x.Args[1].(*ir.Float).Val), ok && e > -900
		}
	case *ir.Binary:
		a, aok := q.Least(x.X, loads)
		b, bok := q.Least(x.Y, loads)
		if !aok || !bok {
			return 0, false
		}
		switch x.Op {
		case ir.OpAdd, ir.OpSub:
			return min(a, b) - 52, min(a, b) > -900
		case ir.OpMul:
			return max(a+b, -1100), a+b > -900
		case ir.OpMin, ir.OpMax:
			return min(a, b), true
		}
	}
	return 0, false
}

// Reciprocal returns 1÷d as the sum of two doubles, towards zero. It is ok where
// fma(x, h, x×l) is x÷d, rounded, for all x of moderate size.
//
// With x and d scaled to integers X and D of 53 bits, the sum differs from x÷d by
// less than 2*¯105, so that a number M÷2*54, half way between two doubles below
// 1, or M÷2*53 above, can only be between them where X×2*54 or X×2*53 differs
// from M×D by less than 4, or 2. For each such difference there are a few M.
func Reciprocal(d float64) (h, l float64, ok bool) {
	fraction, exponent := math.Frexp(math.Abs(d))
	if !(fraction > 0.5 && fraction < 1) || exponent > divisorExponents || exponent < -divisorExponents {
		return 0, 0, false
	}
	whole := new(big.Float).SetPrec(400)
	whole.Quo(big.NewFloat(1).SetPrec(400), new(big.Float).SetPrec(400).SetFloat64(d))
	h, _ = new(big.Float).SetPrec(53).SetMode(big.ToZero).Set(whole).Float64()
	rest := new(big.Float).SetPrec(400).Sub(whole, new(big.Float).SetPrec(400).SetFloat64(h))
	l, _ = new(big.Float).SetPrec(53).SetMode(big.ToNearestEven).Set(rest).Float64()
	if l == 0 || (l > 0) != (h > 0) {
		return 0, 0, false
	}
	one := math.Ldexp(fraction, 1) // d between 1 and 2
	hs, ls := math.Ldexp(math.Abs(h), exponent-1), math.Ldexp(math.Abs(l), exponent-1)
	same := func(x float64) bool { return math.FMA(x, hs, x*ls) == x/one }
	digits := uint64(math.Ldexp(fraction, 53))
	for _, k := range []uint{54, 53} {
		for c := int64(-4); c <= 4; c++ {
			for _, x := range halfway(digits, k, c) {
				if !same(math.Ldexp(float64(x), -52)) {
					return 0, 0, false
				}
			}
		}
	}
	return h, l, true
}

// halfway returns the X between 2*52 and 2*53 for which X×2*k - M×digits is c
// for some M between 2*53 and 2*54.
func halfway(digits uint64, k uint, c int64) []uint64 {
	zeros := uint(bits.TrailingZeros64(digits))
	if c == 0 || uint(bits.TrailingZeros64(uint64(c))) < zeros {
		return nil
	}
	odd := digits >> zeros
	inverse := odd // of an odd number modulo 2*64: each step doubles the digits that are right
	for range 6 {
		inverse *= 2 - odd*inverse
	}
	period := uint64(1) << (k - zeros)
	m := (uint64(-(c >> zeros)) * inverse) & (period - 1)
	var found []uint64
	for m += (1<<53 - min(m, 1<<53) + period - 1) / period * period; m < 1<<54; m += period {
		hi, lo := bits.Mul64(m, digits)
		sum, carry := bits.Add64(lo, uint64(c), 0)
		hi += carry + uint64(c>>63)
		x := hi<<(64-k) | sum>>k
		if x >= 1<<52 && x < 1<<53 {
			found = append(found, x)
		}
	}
	return found
}

// covered reports whether all elements of an array that the loop reads are
// looked at: before the loop those that a step takes over, and in a step all,
// each of which one store of one nest sets.
func (q *Quotients) covered(b *ir.Buf) bool {
	type box struct{ row, column facts.Interval }
	var boxes []box
	w := q.t.width[b]
	if b.Elem != ir.F64 || w <= 0 {
		return false
	}
	area, rows := int64(0), int64(0)
	for _, n := range q.t.nests {
		for _, a := range n.touch {
			if !a.store || !q.orbit(a.buf, b) {
				continue
			}
			row := n.nest.Dims[0].Var
			if a.index.Coef(row) != w {
				return false
			}
			x := box{facts.Between(n.lo, n.hi-1), facts.Between(0, 0)}
			_, rest := a.index.Split(row)
			if vars := rest.Vars(); len(vars) > 1 || len(vars) == 1 && rest.Coef(vars[0]) != 1 {
				return false
			}
			r, ok := spanOf(rest, a.span)
			if !ok || r.Lo < 0 || r.Hi >= w || r.Hi < r.Lo {
				return false
			}
			x.column = r
			for _, y := range boxes {
				if x.row.Lo <= y.row.Hi && y.row.Lo <= x.row.Hi && x.column.Lo <= y.column.Hi && y.column.Lo <= x.column.Hi {
					return false
				}
			}
			boxes = append(boxes, x)
			area += (x.row.Hi - x.row.Lo + 1) * (x.column.Hi - x.column.Lo + 1)
			rows = max(rows, n.hi)
		}
	}
	for _, n := range q.t.nests {
		for _, a := range n.touch {
			if r, ok := spanOf(a.index, a.span); q.orbit(a.buf, b) && (!ok || r.Hi >= area) {
				return false
			}
		}
	}
	return area > 0 && area == rows*w && rows == q.t.rows
}

// orbit reports whether an array may have the storage of another.
func (q *Quotients) orbit(a, b *ir.Buf) bool {
	if a == b {
		return true
	}
	reached := map[*ir.Buf]bool{a: true}
	for range q.t.swaps {
		for _, s := range q.t.swaps {
			if reached[s.A] || reached[s.B] {
				reached[s.A], reached[s.B] = true, true
			}
		}
	}
	return reached[b]
}

// stores looks at what is stored.
func (q *Quotients) stores(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Store:
			if q.seen[s.Buf] {
				v := q.t.l.NewVar("v", ir.F64)
				out = append(out, v.Decl(s.X), s.Buf.Store(s.Index, v.Use()),
					q.small.Assign(ir.OpOr.Of(q.small.Use(), &ir.Math{Fn: "tl_small", K: ir.U8, Args: []ir.Expr{v.Use()}})))
				continue
			}
			out = append(out, s)
		case *ir.For:
			out = append(out, &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: s.Var, Lo: s.Lo, Hi: s.Hi}}, Body: q.stores(s.Body), Flags: []*ir.Var{q.small}})
		default:
			out = append(out, s)
		}
	}
	return out
}

// before declares the flag.
func (q *Quotients) before() ir.Stmt {
	return q.small.Decl(&ir.Math{Fn: "tl_no_fma", K: ir.U8})
}

// look looks at the elements that a step takes over.
func (q *Quotients) look() []ir.Stmt {
	l := q.t.l
	var out []ir.Stmt
	done, fresh := map[*ir.Buf]bool{}, map[*ir.Buf]bool{}
	for _, n := range q.t.nests {
		for _, a := range n.touch {
			if a.store || fresh[a.buf] || done[a.buf] || !q.seen[a.buf] {
				continue
			}
			done[a.buf] = true
			k := l.NewVar("k", ir.I64)
			out = append(out, &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: k, Lo: ir.Integer(0), Hi: ir.Integer(q.t.rows * q.t.width[a.buf])}}, Flags: []*ir.Var{q.small}, At: n.nest.At,
				Body: []ir.Stmt{q.small.Assign(ir.OpOr.Of(q.small.Use(), &ir.Math{Fn: "tl_small", K: ir.U8, Args: []ir.Expr{a.buf.Load(k.Use())}}))}})
		}
		for _, a := range n.touch {
			if a.store {
				fresh[a.buf] = true
			}
		}
	}
	return out
}
