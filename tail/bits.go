package tail

import "github.com/tailor-lang/tailor/array"

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
	o.bodies(func(e Expr) Expr {
		b := &bits2{optimiser: o, defs: map[*Var]Expr{}}
		Walk(e, func(e Expr) bool {
			if let, ok := e.(*Let); ok {
				b.defs[let.Var] = let.Bind
			}
			return true
		})
		return Map(e, func(e Expr) Expr {
			a, ok := e.(*Apply)
			if !ok {
				return e
			}
			switch a.Op {
			case OpDecode:
				if next := b.decode(a); next != nil {
					return next
				}
			case OpEncode:
				return b.encode(a)
			}
			return e
		})
	})
}

type bits2 struct {
	*optimiser
	defs map[*Var]Expr
}

// look returns what a variable is bound to, or e itself.
func (b *bits2) look(e Expr) Expr {
	for range 4 {
		r, ok := e.(*Ref)
		if !ok || b.defs[r.Var] == nil {
			break
		}
		e = b.defs[r.Var]
	}
	return e
}

// twos reports whether e is a vector of k twos, or the scalar 2 (k is 0).
func (b *bits2) twos(e Expr) (k int, ok bool) {
	e = b.look(e)
	ty := TypeOf(e)
	if v, ok := constants(ty); ok && ty.Dims() <= 1 {
		return ty.Dims() * len(v), allTwos(v)
	}
	switch e := e.(type) {
	case *Lit:
		return e.Value.Len(), e.Value.Rank() == 1 && e.Value.Elem == array.Int && allTwos(e.Value.Ints)
	case *Apply:
		if e.Op != OpReshape || rankOf(e) != 1 {
			return 0, false
		}
		n, ok := ty.Extent(0).IsConst()
		_, all := b.twos(e.Args[1])
		return int(n), ok && all && !TypeOf(e.Args[1]).extent0().Equal(ConstSize(0))
	}
	return 0, false
}

// extent0 returns the extent of a vector, 1 for a scalar.
func (t *Array) extent0() Size {
	if isRank(t, 0) {
		return ConstSize(1)
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
func (b *bits2) decode(e *Apply) Expr {
	if base, ok := b.twos(e.Args[0]); !ok || TypeOf(e).Elem != array.Int || base > maxBits || !b.effects.Total(e.Args[0]) {
		return nil
	}
	zip, ok := b.look(e.Args[1]).(*Apply)
	if ok && zip.Op == OpReduce {
		return b.reduced(e, zip)
	}
	coerced := false
	if ok && zip.Op == OpEach {
		if f, isLam := zip.Args[0].(*Lam); isLam && isOpLam(f, OpB2I) {
			zip, ok = b.look(zip.Args[1]).(*Apply)
			coerced = true
		}
	}
	if !ok || zip.Op != OpZipWith {
		return nil
	}
	op, invert, ok := digitOp(zip.Args[0].(*Lam), coerced)
	x, k := b.encoded(zip.Args[1])
	y, l := b.encoded(zip.Args[2])
	if !ok || x == nil || y == nil || k != l || !b.fitsBase(e.Args[0], k) || !b.movable(e, zip) {
		return nil
	}
	if !sameExtents(extents(TypeOf(x)), extents(TypeOf(y))) {
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
func (b *bits2) reduced(e, r *Apply) Expr {
	f, isLam := r.Args[0].(*Lam)
	x, k := b.encoded(r.Args[2])
	zero, known := constInt(r.Args[1])
	if !isLam || x == nil || !known || zero != 0 || r.Axis == 0 || r.Axis != rankOf(x) || !b.fitsBase(e.Args[0], k) {
		return nil
	}
	op, invert, ok := digitOp(f, false)
	enc := b.look(r.Args[2]).(*Apply)
	stands := e.Args[1] == Expr(r) && r.Args[2] == Expr(enc)
	if !ok || invert || op == OpBitAnd || !stands && !isAtom(x) || !b.effects.Total(enc.Args[0]) || !b.effects.Total(r.Args[1]) {
		return nil
	}
	all, bad := NewApply(e.Where, OpReduce, r.Axis-1, nil, NewOpLam(e.Where, op), NewInt(e.Where, 0), x)
	if bad != nil {
		return nil
	}
	all.Blame = r.Blame
	mask := func(v Expr) Expr { return b.build(e, OpBitAnd, NewInt(e.Where, int64(1)<<k-1), v) }
	if rankOf(all) == 0 {
		return mask(all)
	}
	v := b.variable("a", Scalar(array.Int))
	return b.build(e, OpEach, &Lam{At: e.At, Params: []*Var{v}, Body: mask(&Ref{Var: v})}, all)
}

// encode returns the application of encode e without a mask that does not
// take digits away.
func (b *bits2) encode(e *Apply) Expr {
	x, k := b.encoded(e)
	mask, ok := x.(*Apply)
	if !ok || mask.Op != OpBitAnd || k < 1 || k > maxBits {
		return e
	}
	if n, known := constInt(mask.Args[0]); known && n == 1<<k-1 && b.effects.Total(mask.Args[0]) {
		return e.WithArgs([]Expr{e.Args[0], mask.Args[1]})
	}
	return e
}

// movable reports whether x and y may be used in the place of e though they
// were encoded further up: they are variables or constants, or stand in e.
func (b *bits2) movable(e, zip *Apply) bool {
	for _, a := range zip.Args[1:] {
		enc := b.look(a).(*Apply)
		_, named := a.(*Ref)
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
func sameNode(e, zip *Apply) bool {
	if e.Args[1] == Expr(zip) {
		return true
	}
	each, ok := e.Args[1].(*Apply)
	return ok && each.Op == OpEach && each.Args[1] == Expr(zip)
}

// fitsBase reports whether the base of decode is 2 or k twos.
func (b *bits2) fitsBase(base Expr, k int) bool {
	n, _ := b.twos(base)
	return k > 0 && k <= maxBits && (rankOf(base) == 0 || n == k || n == 1)
}

// encoded returns x and k when e is encode(B,x) for k twos.
func (b *bits2) encoded(e Expr) (x Expr, k int) {
	a, ok := b.look(e).(*Apply)
	if !ok || a.Op != OpEncode || TypeOf(a).Elem != array.Int || rankOf(a.Args[0]) != 1 {
		return nil, 0
	}
	k, ok = b.twos(a.Args[0])
	if !ok {
		return nil, 0
	}
	return a.Args[1], k
}

// isOpLam reports whether f applies the scalar op to its parameters.
func isOpLam(f *Lam, op Op) bool {
	found, ok := etaReduced(f)
	return ok && found == op
}

// digitOps has what an op on the digits 0 and 1 is on integers; invert is for
// the complement of it.
var digitOps = map[Op]struct {
	op     Op
	invert bool
}{
	OpNeqI: {OpBitXor, false}, OpEqI: {OpBitXor, true}, OpXorB: {OpBitXor, false}, OpEqB: {OpBitXor, true},
	OpGcdI: {OpBitOr, false}, OpMaxI: {OpBitOr, false}, OpOrB: {OpBitOr, false},
	OpLcmI: {OpBitAnd, false}, OpMulI: {OpBitAnd, false}, OpMinI: {OpBitAnd, false}, OpAndB: {OpBitAnd, false},
	OpNandB: {OpBitAnd, true}, OpNorB: {OpBitOr, true},
}

// digitOp returns the bitwise op of a function of two digits. The function may
// coerce its arguments to bool, and, unless coerced, its result to int.
func digitOp(f *Lam, coerced bool) (op Op, invert, ok bool) {
	body, ok := f.Body.(*Apply)
	if ok && body.Op == OpB2I && !coerced {
		body, ok = body.Args[0].(*Apply)
	}
	if !ok || len(body.Args) != 2 {
		return NoOp, false, false
	}
	for i, a := range body.Args {
		if c, isApply := a.(*Apply); isApply && c.Op == OpI2B {
			a = c.Args[0]
		}
		if r, isRef := a.(*Ref); !isRef || r.Var != f.Params[i] {
			return NoOp, false, false
		}
	}
	found, ok := digitOps[body.Op]
	return found.op, found.invert, ok
}

// combined returns the masked bitwise operation on scalars or arrays.
func (b *bits2) combined(e *Apply, op Op, invert bool, mask int64, x, y Expr) Expr {
	scalar := func(x, y Expr) Expr {
		r := b.build(e, op, x, y)
		if invert {
			r = b.build(e, OpBitXor, NewInt(e.Where, mask), r)
		}
		return b.build(e, OpBitAnd, NewInt(e.Where, mask), r)
	}
	if rankOf(x) == 0 {
		return scalar(x, y)
	}
	v, w := b.variable("a", Scalar(array.Int)), b.variable("b", Scalar(array.Int))
	f := &Lam{At: e.At, Params: []*Var{v, w}, Body: scalar(&Ref{Var: v}, &Ref{Var: w})}
	return b.build(e, OpZipWith, f, x, y)
}

// build applies an op in the place of e.
func (b *bits2) build(e *Apply, op Op, args ...Expr) Expr {
	a, bad := NewApply(e.Where, op, 0, nil, args...)
	if bad != nil {
		panic("internal error: bits: " + bad.Message())
	}
	a.Blame = e.Blame
	return a
}
