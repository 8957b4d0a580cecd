package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// maxBits is the largest number of digits in base 2 whose value is always an
// integer.
const maxBits = 62

// bitwise makes the value of combined digits in base 2 into a bitwise
// operation on integers: for a vector B of k twos, 2⊥(B⊤x)≠B⊤y is the
// exclusive or of x and y, as far as their low k bits go. Digits of negative
// integers are those of two's complement, so a mask of k ones gives exactly
// them.
//
// Requires: types that know that B is all twos (params, simplify). Preserves:
// types.
//
//	decode(2,zipWith(fn (a:int, b:int) => b2i(neqi(a,b)),encode(B,x),encode(B,y)))
//
// becomes
//
//	biti_and(1073741823,biti_xor(x,y))
//
// A mask before digits are taken goes: B⊤ gives the low digits anyway.
func bitwise(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		b := &bits2{optimiser: o, defs: map[*tail.Var]tail.Expr{}}
		tail.Walk(e, func(e tail.Expr) bool {
			if let, ok := e.(*tail.Let); ok {
				b.defs[let.Var] = let.Bind
			}
			return true
		})
		return tail.Map(e, func(e tail.Expr) tail.Expr {
			a, ok := e.(*tail.Apply)
			if !ok {
				return e
			}
			switch a.Op {
			case tail.OpDecode:
				if next := b.decode(a); next != nil {
					return next
				}
			case tail.OpEncode:
				return b.encode(a)
			}
			return e
		})
	})
}

type bits2 struct {
	*optimiser
	defs map[*tail.Var]tail.Expr
}

// look returns what a variable is bound to, or e itself.
func (b *bits2) look(e tail.Expr) tail.Expr {
	for range 4 {
		r, ok := e.(*tail.Ref)
		if !ok || b.defs[r.Var] == nil {
			break
		}
		e = b.defs[r.Var]
	}
	return e
}

// twos reports whether e is a vector of k twos, or the scalar 2 (k is 0).
func (b *bits2) twos(e tail.Expr) (k int, ok bool) {
	e = b.look(e)
	ty := tail.TypeOf(e)
	if v, ok := tail.Constants(ty); ok && ty.Dims() <= 1 {
		return ty.Dims() * len(v), allTwos(v)
	}
	switch e := e.(type) {
	case *tail.Lit:
		return e.Value.Len(), e.Value.Rank() == 1 && e.Value.Elem == array.Int && allTwos(e.Value.Ints)
	case *tail.Apply:
		if e.Op != tail.OpReshape || tail.RankOf(e) != 1 {
			return 0, false
		}
		n, ok := ty.Extent(0).IsConst()
		_, all := b.twos(e.Args[1])
		return int(n), ok && all && !leadingExtent(tail.TypeOf(e.Args[1])).Equal(tail.ConstSize(0))
	}
	return 0, false
}

// leadingExtent returns the extent of a vector, 1 for a scalar.
func leadingExtent(t *tail.Array) tail.Size {
	if tail.IsRank(t, 0) {
		return tail.ConstSize(1)
	}
	return t.Extent(0)
}

func allTwos(v []int64) bool {
	for _, n := range v {
		if n != 2 {
			return false
		}
	}
	return len(v) > 0
}

// decode returns what an application of decode becomes, or nil.
func (b *bits2) decode(e *tail.Apply) tail.Expr {
	if base, ok := b.twos(e.Args[0]); !ok || tail.TypeOf(e).Elem != array.Int || base > maxBits || !b.effects.Total(e.Args[0]) {
		return nil
	}
	zip, ok := b.look(e.Args[1]).(*tail.Apply)
	if ok && zip.Op == tail.OpReduce {
		return b.reduced(e, zip)
	}
	coerced := false
	if ok && zip.Op == tail.OpEach {
		if f, isLam := zip.Args[0].(*tail.Lam); isLam && tail.IsOpLam(f, tail.OpB2I) {
			zip, ok = b.look(zip.Args[1]).(*tail.Apply)
			coerced = true
		}
	}
	if !ok || zip.Op != tail.OpZipWith {
		return nil
	}
	op, invert, ok := digitOp(zip.Args[0].(*tail.Lam), coerced)
	x, k := b.encoded(zip.Args[1])
	y, l := b.encoded(zip.Args[2])
	if !ok || x == nil || y == nil || k != l || !b.fitsBase(e.Args[0], k) || !b.movable(e, zip) {
		return nil
	}
	if !analysis.SameExtents(tail.Extents(tail.TypeOf(x)), tail.Extents(tail.TypeOf(y))) {
		return nil
	}
	return b.combined(e, op, invert, int64(1)<<k-1, x, y)
}

// reduced is the value of digits that a reduction of those of several integers
// gives, or nil: the reduction of the integers by the operation on their bits.
//
//	decode(2,reduce(fn (a:int, b:int) => b2i(neqi(a,b)),0,encode(B,x)))
//
// becomes
//
//	biti_and(1073741823,reduce(biti_xor,0,x))
func (b *bits2) reduced(e, r *tail.Apply) tail.Expr {
	f, isLam := r.Args[0].(*tail.Lam)
	x, k := b.encoded(r.Args[2])
	zero, known := tail.ConstInt(r.Args[1])
	if !isLam || x == nil || !known || zero != 0 || r.Axis == 0 || r.Axis != tail.RankOf(x) || !b.fitsBase(e.Args[0], k) {
		return nil
	}
	op, invert, ok := digitOp(f, false)
	enc := b.look(r.Args[2]).(*tail.Apply)
	stands := e.Args[1] == tail.Expr(r) && r.Args[2] == tail.Expr(enc)
	if !ok || invert || op == tail.OpBitAnd || !stands && !isAtom(x) || !b.effects.Total(enc.Args[0]) || !b.effects.Total(r.Args[1]) {
		return nil
	}
	all, bad := tail.NewApply(e.Where, tail.OpReduce, r.Axis-1, nil, tail.NewOpLam(e.Where, op), tail.NewInt(e.Where, 0), x)
	if bad != nil {
		return nil
	}
	all.Blame = r.Blame
	mask := func(v tail.Expr) tail.Expr { return b.build(e, tail.OpBitAnd, tail.NewInt(e.Where, int64(1)<<k-1), v) }
	if tail.RankOf(all) == 0 {
		return mask(all)
	}
	v := b.variable("a", tail.Scalar(array.Int))
	return b.build(e, tail.OpEach, &tail.Lam{At: e.At, Params: []*tail.Var{v}, Body: mask(&tail.Ref{Var: v})}, all)
}

// encode returns the application of encode e without a mask that does not
// take digits away.
func (b *bits2) encode(e *tail.Apply) tail.Expr {
	x, k := b.encoded(e)
	mask, ok := x.(*tail.Apply)
	if !ok || mask.Op != tail.OpBitAnd || k < 1 || k > maxBits {
		return e
	}
	if n, known := tail.ConstInt(mask.Args[0]); known && n == 1<<k-1 && b.effects.Total(mask.Args[0]) {
		return e.WithArgs([]tail.Expr{e.Args[0], mask.Args[1]})
	}
	return e
}

// movable reports whether x and y may be used in the place of e though they
// were encoded further up: they are variables or constants, or stand in e.
func (b *bits2) movable(e, zip *tail.Apply) bool {
	for _, a := range zip.Args[1:] {
		enc := b.look(a).(*tail.Apply)
		_, named := a.(*tail.Ref)
		if inner := b.look(e.Args[1]) != e.Args[1]; (named || inner || !sameNode(e, zip)) && !isAtom(enc.Args[1]) {
			return false
		}
		if !b.effects.Total(enc.Args[0]) {
			return false
		}
	}
	return true
}

// sameNode reports whether zip stands in e itself, not behind a variable.
func sameNode(e, zip *tail.Apply) bool {
	if e.Args[1] == tail.Expr(zip) {
		return true
	}
	each, ok := e.Args[1].(*tail.Apply)
	return ok && each.Op == tail.OpEach && each.Args[1] == tail.Expr(zip)
}

// fitsBase reports whether the base of decode is 2 or k twos.
func (b *bits2) fitsBase(base tail.Expr, k int) bool {
	n, _ := b.twos(base)
	return k > 0 && k <= maxBits && (tail.RankOf(base) == 0 || n == k || n == 1)
}

// encoded returns x and k when e is encode(B,x) for k twos.
func (b *bits2) encoded(e tail.Expr) (x tail.Expr, k int) {
	a, ok := b.look(e).(*tail.Apply)
	if !ok || a.Op != tail.OpEncode || tail.TypeOf(a).Elem != array.Int || tail.RankOf(a.Args[0]) != 1 {
		return nil, 0
	}
	k, ok = b.twos(a.Args[0])
	if !ok {
		return nil, 0
	}
	return a.Args[1], k
}

// digitOps has what an op on the digits 0 and 1 is on integers; invert is for
// the complement of it.
var digitOps = map[tail.Op]struct {
	op     tail.Op
	invert bool
}{
	tail.OpNeqI: {tail.OpBitXor, false}, tail.OpEqI: {tail.OpBitXor, true}, tail.OpXorB: {tail.OpBitXor, false}, tail.OpEqB: {tail.OpBitXor, true},
	tail.OpGcdI: {tail.OpBitOr, false}, tail.OpMaxI: {tail.OpBitOr, false}, tail.OpOrB: {tail.OpBitOr, false},
	tail.OpLcmI: {tail.OpBitAnd, false}, tail.OpMulI: {tail.OpBitAnd, false}, tail.OpMinI: {tail.OpBitAnd, false}, tail.OpAndB: {tail.OpBitAnd, false},
	tail.OpNandB: {tail.OpBitAnd, true}, tail.OpNorB: {tail.OpBitOr, true},
}

// digitOp returns the bitwise op of a function of two digits. The function may
// coerce its arguments to bool, and, unless coerced, its result to int.
func digitOp(f *tail.Lam, coerced bool) (op tail.Op, invert, ok bool) {
	body, ok := f.Body.(*tail.Apply)
	if ok && body.Op == tail.OpB2I && !coerced {
		body, ok = body.Args[0].(*tail.Apply)
	}
	if !ok || len(body.Args) != 2 {
		return tail.NoOp, false, false
	}
	for i, a := range body.Args {
		if c, isApply := a.(*tail.Apply); isApply && c.Op == tail.OpI2B {
			a = c.Args[0]
		}
		if r, isRef := a.(*tail.Ref); !isRef || r.Var != f.Params[i] {
			return tail.NoOp, false, false
		}
	}
	found, ok := digitOps[body.Op]
	return found.op, found.invert, ok
}

// combined returns the masked bitwise operation on scalars or arrays.
func (b *bits2) combined(e *tail.Apply, op tail.Op, invert bool, mask int64, x, y tail.Expr) tail.Expr {
	scalar := func(x, y tail.Expr) tail.Expr {
		r := b.build(e, op, x, y)
		if invert {
			r = b.build(e, tail.OpBitXor, tail.NewInt(e.Where, mask), r)
		}
		return b.build(e, tail.OpBitAnd, tail.NewInt(e.Where, mask), r)
	}
	if tail.RankOf(x) == 0 {
		return scalar(x, y)
	}
	v, w := b.variable("a", tail.Scalar(array.Int)), b.variable("b", tail.Scalar(array.Int))
	f := &tail.Lam{At: e.At, Params: []*tail.Var{v, w}, Body: scalar(&tail.Ref{Var: v}, &tail.Ref{Var: w})}
	return b.build(e, tail.OpZipWith, f, x, y)
}

// build applies an op in the place of e.
func (b *bits2) build(e *tail.Apply, op tail.Op, args ...tail.Expr) tail.Expr {
	a, bad := tail.NewApply(e.Where, op, 0, nil, args...)
	if bad != nil {
		panic("internal error: bits: " + bad.Message())
	}
	a.Blame = e.Blame
	return a
}
