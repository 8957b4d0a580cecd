package flow

import "github.com/tailor-lang/tailor/laila/ir"

// Update is a loop each of whose iterations stores an element of one array, at any place, or none,
//
//	for i = lo … hi: pre; if cond: a[at] = x
//
// or joins a value to it, in 32 bits where the caller knows that it has no more, or computes it anew from what it was:
//
//	for i = lo … hi: pre; if cond: a[at] = a[at] ∘ x
//	for i = lo … hi: pre; if cond: a[at] = f(a[at])
//
// Nothing else of an iteration depends on elements of the array.
type Update struct {
	Buf     *ir.Buf
	Joins   bool
	Ordered bool     // iterations that have one place follow each other, as what is stored depends on that
	Op      ir.BinOp // that joins values, in any order
	X       ir.Expr  // what is stored, or joined
	// Point sets At, which is negative where the iteration stores nothing, and Value, where it joins one.
	Point     []ir.Stmt
	At, Value *ir.Var
	inits     map[*ir.Var]ir.Expr // of what the body declares
}

// UpdateOf returns the update that a loop is; it is not ok where it is something else.
func UpdateOf(f *ir.For) (*Update, bool) {
	u := &Update{At: &ir.Var{Name: "at", Kind: ir.I64}, inits: map[*ir.Var]ir.Expr{}}
	store, conditional := u.store(f.Body)
	if store == nil {
		return nil, false
	}
	u.Buf, u.X = store.Buf, store.X
	u.inits[u.At] = store.Index
	index, fixed := u.expanded(store.Index)
	if !fixed {
		return nil, false
	}
	if x, fixed := u.expanded(store.X); !fixed {
		u.Joins = u.join(index, store.X)
		u.Ordered = !u.Joins
		if u.Ordered && !u.own(index, x) {
			return nil, false
		}
	}
	ok := true
	sets := []ir.Stmt{u.At.Assign(store.Index)}
	if u.Joins {
		sets = append(sets, u.Value.Assign(ir.ConvertTo(ir.I32, u.X)))
		u.Point = append(u.Point, u.Value.Decl(&ir.Int{K: ir.I32}))
	}
	u.Point = append(u.Point, u.At.Decl(ir.Integer(-1)))
	if !conditional {
		u.Point = nil
		sets[0] = u.At.Decl(store.Index)
		if u.Joins {
			sets[1] = u.Value.Decl(ir.ConvertTo(ir.I32, u.X))
		}
	}
	u.Point = append(u.Point, u.point(f.Body, sets, &ok)...)
	return u, ok
}

// store returns the store that ends a body, or a test at its end, and whether there is a test; nil where
// there is more than declarations before it.
func (u *Update) store(body []ir.Stmt) (store *ir.Store, conditional bool) {
	for i, s := range body {
		switch s := s.(type) {
		case *ir.Comment:
		case *ir.Decl:
			if s.Init == nil {
				return nil, false
			}
			u.inits[s.Var] = s.Init
		case *ir.Store:
			if !onlyComments(body[i+1:]) {
				return nil, false
			}
			return s, false
		case *ir.If:
			if len(s.Else) > 0 || !onlyComments(body[i+1:]) {
				return nil, false
			}
			store, _ = u.store(s.Then)
			return store, true
		default:
			return nil, false
		}
	}
	return nil, false
}

func onlyComments(list []ir.Stmt) bool {
	for _, s := range list {
		if _, ok := s.(*ir.Comment); !ok {
			return false
		}
	}
	return true
}

// expanded returns an expression with what the variables in it are computed from, and whether that is
// independent of the array.
func (u *Update) expanded(x ir.Expr) (ir.Expr, bool) {
	const most = 1000 // nodes
	fixed, n := true, 0
	var of func(x ir.Expr) ir.Expr
	of = func(x ir.Expr) ir.Expr {
		if n++; n > most {
			fixed = false
			return x
		}
		switch y := x.(type) {
		case *ir.Use:
			if init := u.inits[y.Var]; init != nil {
				return of(init)
			}
		case *ir.Load:
			fixed = fixed && y.Buf != u.Buf
		}
		return ir.MapOperands(x, of)
	}
	return of(x), fixed
}

// plain returns an integer without the conversions to more bits around it, and where cut is true
// without those to fewer bits that leave as many as the array has.
func (u *Update) plain(x ir.Expr, cut bool) ir.Expr {
	for {
		switch y := x.(type) {
		case *ir.Use:
			if init := u.inits[y.Var]; init != nil {
				x = init
				continue
			}
		case *ir.Convert:
			if from := y.X.Kind(); from.Exact() && y.To.Exact() && (ir.Width(from) <= ir.Width(y.To) || cut && ir.Width(y.To) >= ir.Width(u.Buf.Elem)) {
				x = y.X
				continue
			}
		}
		return x
	}
}

// join takes a joined value apart: the element at an index, and another operand.
func (u *Update) join(index, x ir.Expr) bool {
	b, ok := u.plain(x, true).(*ir.Binary)
	if !ok || b.Kind() != ir.I16 && b.Kind() != ir.I32 && b.Kind() != ir.I64 {
		return false
	}
	op, other := b.Op, b.Y
	if !u.element(index, b.X) {
		other = b.X
		if b.Op == ir.OpSub || !u.element(index, b.Y) {
			return false
		}
	}
	switch b.Op {
	case ir.OpSub:
		op, other = ir.OpAdd, ir.OpNeg.Of(other)
	case ir.OpMin, ir.OpMax: // of numbers that are not cut
		if other = u.plain(other, false); ir.Width(other.Kind()) > 4 {
			return false
		}
	case ir.OpAdd, ir.OpAnd, ir.OpOr, ir.OpXor:
	default:
		return false
	}
	if _, fixed := u.expanded(other); !fixed || u.Buf.Elem != ir.I16 && u.Buf.Elem != ir.I32 && u.Buf.Elem != ir.I64 {
		return false
	}
	u.Op, u.X, u.Value = op, other, &ir.Var{Name: "x", Kind: ir.I32}
	return true
}

// own reports whether an expanded expression depends on no element but that at an index.
func (u *Update) own(index, x ir.Expr) bool {
	own := true
	ir.WalkExpr(x, func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Load:
			own = own && (x.Buf != u.Buf || ir.Alike(x.Index, index))
		case *ir.Use:
			own = own && u.inits[x.Var] == nil // else there was too much to expand
		}
	})
	return own
}

// element reports whether an expression is the element at an index, which is expanded.
func (u *Update) element(index, x ir.Expr) bool {
	l, ok := u.plain(x, false).(*ir.Load)
	if !ok || l.Buf != u.Buf {
		return false
	}
	at, fixed := u.expanded(l.Index)
	return fixed && ir.Alike(at, index)
}

// point returns a body with other statements in place of its store, and without what depends on
// the array; ok becomes false where a test does.
func (u *Update) point(body, sets []ir.Stmt, ok *bool) (list []ir.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Decl:
			if _, fixed := u.expanded(s.Init); fixed {
				list = append(list, s)
			}
		case *ir.Store:
			list = append(list, sets...)
		case *ir.If:
			_, fixed := u.expanded(s.Cond)
			*ok = *ok && fixed
			list = append(list, &ir.If{Cond: s.Cond, Then: u.point(s.Then, sets, ok)})
		}
	}
	return list
}

// AnyOrder reports whether the iterations of a loop over v that stores elements may run in any order: they
// store one value, or each has a place of its own.
func (u *Update) AnyOrder(v *ir.Var) bool {
	x, _ := u.expanded(u.X)
	at, _ := u.expanded(u.At.Use())
	return !u.Joins && (ir.IsLoadFree(x) && !ir.Mentions(x, v) || Advances(at, v, map[*ir.Var]bool{v: true}))
}
