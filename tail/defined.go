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

// ordered returns o, of which e is a reduction or a scan, and NoOp where it must be
// applied as it is written.
func (e *Apply) ordered(o Op) Op {
	if o.Inexact() && e.AsDefined() {
		return NoOp
	}
	return o
}

// forward reports whether reductions by o go from the first element to the last.
func (o Op) forward() bool { return o.Inexact() && o.Row().Assoc }
