package tail

// Reductions and scans take elements in APL's order, from the last to the first.
// Where sums and products of doubles and of complex numbers are primitive, + and ×,
// they are taken from the first to the last, as Dyalog takes them: a reduction by a
// primitive is an OpReduce or OpInner. One by a function that a user has defined, or
// derived from others, is as defined.

// AsDefined reports whether e, a reduction or a scan, is from the last element to
// the first also where its function is a sum or a product.
func (e *Apply) AsDefined() bool {
	switch e.Op {
	case OpReduce1, OpInner1:
		return true
	case OpScan, OpReduceWin:
		return len(e.Ks) > 0 && e.Ks[0] == 1
	}
	return false
}

// Within reports whether e, a take or a drop of so many leading items, has no negative
// count and none that is greater than the number of items: whoever made it knows. It
// is the same array as without this knowledge.
func (e *Apply) Within() bool {
	return (e.Op == OpTake || e.Op == OpDrop) && len(e.Ks) > 0 && e.Ks[0] == 1
}

// Inexact reports whether the results of o are rounded, so that it is associative
// only nearly.
func (o Op) Inexact() bool {
	switch o {
	case OpAddD, OpSubD, OpMulD, OpAddZ, OpSubZ, OpMulZ:
		return true
	}
	return false
}

// Ordered returns o, of which e is a reduction or a scan, and NoOp where it must be
// applied as it is written.
func (e *Apply) Ordered(o Op) Op {
	if o.Inexact() && e.AsDefined() {
		return NoOp
	}
	return o
}

// Forward reports whether reductions by o go from the first element to the last.
func (o Op) Forward() bool { return o.Inexact() && o.Row().Assoc }

// Accumulates reports whether each result of a scan by o follows from the one before:
// o is associative, if only nearly.
func (o Op) Accumulates() bool {
	return o != NoOp && (o.Row().Assoc || o == OpGcdI || o == OpLcmI)
}

// CanOverflow reports whether results of o may be too large for a double.
func (o Op) CanOverflow() bool {
	for _, f := range o.Row().Faults {
		if f == FaultFloat {
			return true
		}
	}
	return false
}

// InLanes reports whether long reductions by o are in the order of num.Ordered.
func (o Op) InLanes() bool { return o == OpAddD || o == OpMulD || o == OpAddZ }

// Movers says which arguments of an op, first … last, have the elements that it
// moves; last is -1 for the last argument.
var Movers = map[Op]struct{ First, Last int }{
	OpReverse: {0, 0}, OpTransp: {0, 0}, OpRavel: {0, 0}, OpFirst: {0, 0}, OpOnly: {0, 0}, OpIndex: {0, 0},
	OpRotate: {1, 1}, OpRotateM: {1, 1}, OpTransp2: {1, 1}, OpDrop: {1, 1}, OpTake: {1, 1}, OpReshape: {1, 1}, OpStretch: {1, 1},
	OpCompress: {1, 1}, OpReplicate: {1, 1}, OpExpand: {1, 1},
	OpCat: {0, 1}, OpCons: {0, 1}, OpSnoc: {0, 1}, OpLaminate: {0, 1},
}
