package opt

import "github.com/tailor-lang/tailor/tail"

// whole takes the items of an array, one behind the other, for the array itself: so they
// lie in it.
//
//	let z:([int]1, <int>n) = items(f,n) in
//	let s:<int>n = dropV(¯1,consV(0,scan(addi,#1(z)))) in
//	… segments(fn i:[int]0 => take[1](index(#1(z),i),drop[1](index(s,i),#0(z))),#1(z)) …
//
// becomes
//
//	… #0(z) …
//
// and the same for the elements of segments, with the lengths that they were made from.
// Of a partition, whose items end where the next one begins, what stands before the first
// item is dropped:
//
//	let l:[int]1 = zipWith(subi,drop(1,snoc(b,tally(v))),b) in
//	… segments(fn i:[int]0 => take[1](index(l,i),drop[1](index(b,i),v)),l) …
//
// becomes
//
//	… drop(index(snoc(b,tally(v)),1),v) …
//
// Where branches give items one behind the other, so does what they are branches of, and
// its starts are known:
//
//	let z = if c then (w,[0],[tally(w)])
//	  else let l:<int>2 = [tally(x),tally(y)] in
//	    (cat(x,y),dropV(¯1,consV(0,scan(addi,l))),l) in
//	… drop(¯1,cons(0,scan(addi,#2(z)))) … segments(… #0(z) …,#2(z)) …
//
// becomes
//
//	… #1(z) … #0(z) …
//
// Where each row is items one behind the other, the items of all rows are, too: neither
// where they begin in their rows nor how many elements the rows have need be stored:
//
//	let z = items(fn i:[int]0 => let l = … in (w,dropV(¯1,consV(0,scan(addi,l))),l),n) in
//	… zipWith(addi,#0(#1(z)),replicate(#1(#1(z)),drop(¯1,cons(0,scan(addi,#1(#0(z))))))) …
//
// becomes
//
//	… drop(¯1,cons(0,scan(addi,#0(#2(z))))) …
//
// Requires: nothing. Preserves: types, effects. Leaves lets of places that nothing uses;
// run deadcode after.
func whole(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		w := &wholes{defs: definitions(e)}
		return tail.Map(e, func(e tail.Expr) tail.Expr {
			s, ok := e.(*tail.Apply)
			if !ok {
				return e
			}
			var x tail.Expr
			switch s.Op {
			case tail.OpSegments:
				x = w.joined(s)
			case tail.OpDrop:
				x = w.starts(s)
			case tail.OpZipWith:
				x = w.startsOfAll(s)
			}
			if x != nil && tail.Subtype(x.Type(), s.Ty) {
				return x
			}
			return e
		})
	})
}

// wholes knows what the variables of a body are bound to.
type wholes struct{ defs map[*tail.Var]tail.Expr }

// named returns the variable, or the component of one, that e is another name of, or e.
func (w *wholes) named(e tail.Expr) tail.Expr {
	for {
		r, ok := e.(*tail.Ref)
		if !ok {
			return e
		}
		switch d := w.defs[r.Var].(type) {
		case *tail.Ref, *tail.Proj:
			e = d
		default:
			return e
		}
	}
}

// made returns the application of op that e is or names, nil where it is none.
func (w *wholes) made(e tail.Expr, op tail.Op) *tail.Apply {
	if a, ok := w.bound(e).(*tail.Apply); ok && a.Op == op {
		return a
	}
	return nil
}

// bound returns what e is, or is the name of; nil where it is the name of a parameter.
func (w *wholes) bound(e tail.Expr) tail.Expr {
	e = w.named(e)
	if r, ok := e.(*tail.Ref); ok {
		return w.defs[r.Var]
	}
	return e
}

// same reports whether two expressions name one value.
func (w *wholes) same(x, y tail.Expr) bool {
	x, y = w.named(x), w.named(y)
	if a, ok := x.(*tail.Proj); ok {
		b, ok := y.(*tail.Proj)
		return ok && a.I == b.I && w.same(a.X, b.X)
	}
	a, ok := x.(*tail.Ref)
	return ok && tail.IsRef(y, a.Var)
}

// joined returns the array whose items s puts one behind the other, from the first place
// of the first item on; nil where they are something else.
func (w *wholes) joined(s *tail.Apply) tail.Expr {
	f := s.Args[0].(*tail.Lam)
	body := f.Body
	for let, ok := body.(*tail.Let); ok; let, ok = body.(*tail.Let) {
		body = let.Body
	}
	take := w.made(body, tail.OpTake)
	if take == nil || !take.Within() {
		return nil
	}
	drop := w.made(take.Args[1], tail.OpDrop)
	if drop == nil || !drop.Within() {
		return nil
	}
	lengths, starts := w.indexed(take.Args[0], f.Params[0]), w.indexed(drop.Args[0], f.Params[0])
	if lengths == nil || starts == nil || !w.same(lengths, s.Args[1]) {
		return nil
	}
	elements := drop.Args[1]
	switch {
	case w.runningSums(starts, lengths) && w.lengthsOf(elements, lengths):
		return tail.Copy(elements)
	case w.untilNext(lengths, starts, elements):
		length := mustApply(s.Where, tail.OpTally, tail.Copy(elements))
		first := mustApply(s.Where, tail.OpIndex, mustApply(s.Where, tail.OpSnoc, tail.Copy(starts), length), tail.NewInt(s.Where, 1))
		return mustApply(s.Where, tail.OpDrop, first, tail.Copy(elements))
	}
	return nil
}

// indexed returns the array of which e is element i, nil where it is something else, or
// where e's array is made for each i.
func (w *wholes) indexed(e tail.Expr, i *tail.Var) tail.Expr {
	x := w.made(e, tail.OpIndex)
	if x == nil || len(x.Args) != 2 || !tail.IsRef(w.named(x.Args[1]), i) || tail.Mentions(x.Args[0], i) {
		return nil
	}
	return x.Args[0]
}

// runningSums reports whether starts are the sums of the lengths before each.
func (w *wholes) runningSums(starts, lengths tail.Expr) bool {
	if of := w.summed(starts); of != nil {
		return w.same(of, lengths)
	}
	if l, ok := w.bound(lengths).(*tail.Vec); ok && len(l.Elems) == 1 {
		s, ok := w.bound(starts).(*tail.Lit)
		return ok && s.Value.Len() == 1 && s.Value.Int(0) == 0
	}
	return w.inBranches(w.runningSums, starts, lengths)
}

// summed returns the lengths whose sums before each e is, nil where it is something else.
func (w *wholes) summed(e tail.Expr) tail.Expr {
	drop := w.made(e, tail.OpDrop)
	if drop == nil {
		return nil
	}
	cons := w.made(drop.Args[1], tail.OpCons)
	if k, ok := tail.ConstInt(drop.Args[0]); !ok || k != -1 || cons == nil {
		return nil
	}
	scan := w.made(cons.Args[1], tail.OpScan)
	if k, ok := tail.ConstInt(cons.Args[0]); !ok || k != 0 || scan == nil || !tail.IsOpLam(scan.Args[0].(*tail.Lam), tail.OpAddI) {
		return nil
	}
	return scan.Args[1]
}

// starts returns what branches give as the sums of lengths, which e adds up again; nil
// where they give none.
func (w *wholes) starts(e *tail.Apply) tail.Expr {
	l, ok := w.named(w.summed(e)).(*tail.Proj)
	if !ok {
		return nil
	}
	for i := range l.X.Type().(*tail.TupleType).Elems {
		if s := (&tail.Proj{At: e.At, X: tail.Copy(l.X), I: i}); i != l.I && w.inBranches(w.runningSums, s, l) {
			return s
		}
	}
	return nil
}

// inBranches reports whether x and y are components of one value, and that what holds
// says is so of those that each branch gives.
func (w *wholes) inBranches(holds func(x, y tail.Expr) bool, x, y tail.Expr) bool {
	a, ok := w.named(x).(*tail.Proj)
	b, also := w.named(y).(*tail.Proj)
	if !ok || !also || !w.same(a.X, b.X) {
		return false
	}
	choice, ok := w.bound(a.X).(*tail.If)
	return ok && everyBranch(choice, func(e tail.Expr) bool {
		t, ok := e.(*tail.Tuple)
		return ok && holds(t.Elems[a.I], t.Elems[b.I])
	})
}

// everyBranch reports whether what holds says is so of all that e may give.
func everyBranch(e tail.Expr, holds func(tail.Expr) bool) bool {
	switch e := e.(type) {
	case *tail.Let:
		return everyBranch(e.Body, holds)
	case *tail.If:
		return everyBranch(e.Then, holds) && everyBranch(e.Else, holds)
	}
	return holds(e)
}

// lengthsOf reports whether elements are those of items, all of them, whose lengths are
// known to be lengths.
func (w *wholes) lengthsOf(elements, lengths tail.Expr) bool {
	if s := w.made(elements, tail.OpSegments); s != nil {
		return w.same(s.Args[1], lengths)
	}
	if l, ok := w.bound(lengths).(*tail.Vec); ok {
		return w.tallies(elements, l.Elems)
	}
	if w.inBranches(w.lengthsOf, elements, lengths) {
		return true
	}
	e, ok := w.named(elements).(*tail.Proj)
	l, also := w.named(lengths).(*tail.Proj)
	if !ok || !also || e.I != 0 || l.I != 1 || !w.same(e.X, l.X) && !w.alike(e.X, l.X) {
		return false
	}
	item, ok := w.item(e.X).(*tail.Array)
	return ok && tail.IsRank(item, 1)
}

// tallies reports whether elements are vectors one behind the other of these lengths.
func (w *wholes) tallies(elements tail.Expr, lengths []tail.Expr) bool {
	first := elements
	if len(lengths) > 1 {
		cat := w.made(elements, tail.OpCat)
		if cat == nil || !w.tallies(cat.Args[1], lengths[1:]) {
			return false
		}
		first = cat.Args[0]
	}
	tally := w.made(lengths[0], tail.OpTally)
	ty, ok := first.Type().(*tail.Array)
	return tally != nil && ok && tail.IsRank(ty, 1) && w.same(tally.Args[0], first)
}

// alike reports whether x and y are components of the same items, of equally many elements
// in each.
func (w *wholes) alike(x, y tail.Expr) bool {
	a, ok := w.named(x).(*tail.Proj)
	b, also := w.named(y).(*tail.Proj)
	if !ok || !also || !w.same(a.X, b.X) {
		return false
	}
	items := w.made(a.X, tail.OpItems)
	return items != nil && sameLengths(w.defs, items.Args[0].(*tail.Lam).Body, a.I, b.I)
}

// item is the type of an item, or of a component of one, of which e is what the op of this
// name has gathered; nil where e is something else.
func (w *wholes) item(e tail.Expr) tail.Type {
	if items := w.made(e, tail.OpItems); items != nil {
		return items.Args[0].(*tail.Lam).Body.Type()
	}
	if p, ok := w.named(e).(*tail.Proj); ok {
		if t, ok := w.item(p.X).(*tail.TupleType); ok {
			return t.Elems[p.I]
		}
	}
	return nil
}

// untilNext reports whether lengths are such that an item of elements ends where the next
// one begins, and the last one at the end.
func (w *wholes) untilNext(lengths, starts, elements tail.Expr) bool {
	zip := w.made(lengths, tail.OpZipWith)
	if zip == nil || !tail.IsOpLam(zip.Args[0].(*tail.Lam), tail.OpSubI) || !w.same(zip.Args[2], starts) {
		return false
	}
	drop := w.made(zip.Args[1], tail.OpDrop)
	if drop == nil {
		return false
	}
	snoc := w.made(drop.Args[1], tail.OpSnoc)
	if k, ok := tail.ConstInt(drop.Args[0]); !ok || k != 1 || snoc == nil || !w.same(snoc.Args[0], starts) {
		return false
	}
	tally := w.made(snoc.Args[1], tail.OpTally)
	if tally == nil {
		return false
	}
	v := extentOfVector(w.defs, elements)
	return w.same(tally.Args[0], elements) || v.v != nil && v == extentOfVector(w.defs, tally.Args[0])
}
