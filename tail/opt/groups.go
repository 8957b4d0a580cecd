package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// fewGroups is the number of masks up to which the comparisons, which are vector code, are quicker than groups.
const fewGroups = 16

// grouped returns what e, in a function, selects or counts by a mask of the elements of a vector from outside that
// are equal to a scalar, by groups of equal elements, which are made in front; nil where e is nothing of the kind.
// Masks may have other conditions, too.
//
//	power(fn s => … compress(each(fn v => eqi(v,x),k),y) …,n,t)
//
// becomes
//
//	let f = indexof(k,k) in let o = gradeup(f) in let t1 = itemtable(k) in
//	let b,c = where the elements of o begin that are places of the elements equal to each of k, and how many there are in
//	power(fn s => … let p = itemplace(t1,k,x) in index(y,take(index(c,p),drop(index(b,p),o))) …,n,t)
//
// Groups have their places in order. Of items of ragged vectors masks are groups, too.
func (h *hoister) grouped(e *tail.Apply) tail.Expr {
	switch e.Op {
	case tail.OpWhere:
		return h.positions(e, e.Args[0])
	case tail.OpCompress:
		return h.selected(e, e.Args[0], e.Args[1])
	case tail.OpReduce:
		if zero, ok := tail.ConstInt(e.Args[1]); ok && zero == 0 && tail.IsOpLam(e.Args[0].(*tail.Lam), tail.OpAddI) {
			return h.added(e)
		}
	case tail.OpReduce1:
		f := e.Args[0].(*tail.Lam)
		for _, op := range []tail.Op{tail.OpMaxI, tail.OpMinI} {
			if tail.IsOpLam(f, op) {
				return h.extreme(e, op)
			}
		}
	}
	return nil
}

// added is grouped for the sum of a mask, or of integers that a mask leaves.
func (h *hoister) added(e *tail.Apply) tail.Expr {
	x := h.named(e.Args[2])
	if m := asNumbers(x); m != nil {
		if w := h.positions(e, m); w != nil {
			return mustApply(e.Where, tail.OpTally, w)
		}
		return nil
	}
	y, _ := h.left(x)
	if y == nil {
		return nil
	}
	return e.WithArgs([]tail.Expr{e.Args[0], e.Args[1], y})
}

// extreme is grouped for the least or the greatest of integers that a mask leaves, the others being 0.
//
//	reduce1(maxi,zipWith(muli,y,m))
//
// becomes
//
//	let z = m/y in if lti(tally(z),tally(y)) then maxi(0,reduce(maxi,0,z)) else reduce1(maxi,z)
func (h *hoister) extreme(e *tail.Apply, op tail.Op) tail.Expr {
	z, y := h.left(h.named(e.Args[1]))
	if z == nil {
		return nil
	}
	zero := func() tail.Expr { return tail.NewInt(e.Where, 0) }
	v := h.variable("z", z.Type())
	ref := func() tail.Expr { return &tail.Ref{At: e.At, Var: v} }
	some := mustApply(e.Where, tail.OpLtI, mustApply(e.Where, tail.OpTally, ref()), mustApply(e.Where, tail.OpTally, tail.Copy(y)))
	then := mustApply(e.Where, op, zero(), mustApply(e.Where, tail.OpReduce, tail.Copy(e.Args[0]), zero(), ref()))
	other := e.WithArgs([]tail.Expr{e.Args[0], ref()})
	return &tail.Let{At: e.At, Var: v, Bind: z, Body: &tail.If{At: e.At, Cond: some, Then: then, Else: other, Ty: e.Ty}}
}

// left is what a mask selects of y, integers of which e is the product with the mask; nil for others.
func (h *hoister) left(e tail.Expr) (selected, y tail.Expr) {
	terms, ok := e.(*tail.Apply)
	if !ok || terms.Op != tail.OpZipWith || !tail.IsOpLam(terms.Args[0].(*tail.Lam), tail.OpMulI) {
		return nil, nil
	}
	for i := 1; i <= 2; i++ {
		m := asNumbers(h.named(terms.Args[i]))
		if m == nil {
			continue
		}
		y = terms.Args[3-i]
		if selected = h.selected(terms, m, tail.Copy(y)); selected != nil {
			return selected, y
		}
	}
	return nil, nil
}

// asNumbers is the mask that e has as numbers; nil for others.
func asNumbers(e tail.Expr) tail.Expr {
	b2i := eachOf(e, func(f *tail.Lam) bool { return tail.IsOpLam(f, tail.OpB2I) })
	if b2i == nil {
		return nil
	}
	return b2i.Args[1]
}

// selected is what a mask selects of y by groups, or nil.
func (h *hoister) selected(e *tail.Apply, mask, y tail.Expr) tail.Expr {
	ty := tail.TypeOf(y)
	if e.Axis != 0 || !ty.Rank.Known() || ty.Dims() == 0 || !tail.TypeOf(mask).Extent(0).Equal(ty.Extent(0)) {
		return nil
	}
	w := h.positions(e, mask)
	if w == nil {
		return nil
	}
	if made := h.named(y); h.isMap(made) {
		if _, named := h.before(e, fewGroups, tail.Copy(made)); named != nil {
			y = named[0]
		}
	}
	return cellsAt(e, y, w)
}

// cellsAt is the major cells of y at some places.
func cellsAt(e *tail.Apply, y, places tail.Expr) tail.Expr {
	args := []tail.Expr{y, places}
	for range tail.TypeOf(y).Dims() - 1 {
		args = append(args, mustApply(e.Where, tail.OpAll))
	}
	return mustApply(e.Where, tail.OpIndex, args...)
}

// positions is where a mask is 1, by groups, or nil.
func (h *hoister) positions(e *tail.Apply, mask tail.Expr) tail.Expr {
	mask = h.named(mask)
	m, ok := mask.(*tail.Apply)
	if !ok || !tail.IsRank(tail.TypeOf(mask), 1) {
		return nil
	}
	if m.Op == tail.OpZipWith && tail.IsOpLam(m.Args[0].(*tail.Lam), tail.OpAndB) {
		for i := 1; i <= 2; i++ {
			other := m.Args[3-i]
			if !tail.TypeOf(m.Args[i]).Extent(0).Equal(tail.TypeOf(other).Extent(0)) {
				return nil
			}
			w := h.positions(e, m.Args[i])
			if w == nil {
				continue
			}
			v := h.variable("w", w.Type())
			ref := func() tail.Expr { return &tail.Ref{At: e.At, Var: v} }
			both := mustApply(e.Where, tail.OpCompress, cellsAt(e, tail.Copy(other), ref()), ref())
			return &tail.Let{At: e.At, Var: v, Bind: w, Body: both}
		}
		return nil
	}
	if s := equalities(m, tail.NewInt(e.Where, 1), false); s != nil {
		return h.groupOf(e, s)
	}
	return h.groupOfItem(e, m)
}

// groupOf is the places of elements of a vector that are equal to a scalar.
func (h *hoister) groupOf(e *tail.Apply, s *searched) tail.Expr {
	ty := tail.TypeOf(s.table)
	if n, known := ty.Extent(0).IsConst(); ty.Elem != array.Int && ty.Elem != array.Char || known && n <= fewCompared {
		return nil
	}
	if !h.changes(s.items, s.table) {
		return nil
	}
	before, k := h.before(e, fewGroups, s.table)
	if before == nil {
		return nil
	}
	t := before("t", mustApply(e.Where, tail.OpItemTable, k...))
	firsts := before("f", mustApply(e.Where, tail.OpIndexOf, tail.Copy(k[0]), tail.Copy(k[0])))
	return h.group(e, before, firsts, mustApply(e.Where, tail.OpItemPlace, t, tail.Copy(k[0]), tail.Copy(s.items)))
}

// changes reports whether x is another one in functions for which others are the same.
func (h *hoister) changes(x tail.Expr, others ...tail.Expr) bool {
	return h.levelsOf(x).top() > h.levelsOf(others...).top()
}

// groupOfItem is the places of items of a ragged vector that match a vector, as m asks of each; nil where it is
// another mask.
//
//	each(fn j => match(take(index(l,j),drop(index(b,j),v)),x),iota(n))
func (h *hoister) groupOfItem(e, m *tail.Apply) tail.Expr {
	if m.Op != tail.OpEach {
		return nil
	}
	f, _ := m.Args[0].(*tail.Lam)
	iota, _ := m.Args[1].(*tail.Apply)
	if f == nil || iota == nil || iota.Op != tail.OpIota {
		return nil
	}
	match, ok := f.Body.(*tail.Apply)
	if !ok || match.Op != tail.OpMatch {
		return nil
	}
	for i, x := range match.Args {
		parts := itemParts(match.Args[1-i], f.Params[0])
		ty := tail.TypeOf(x)
		if parts == nil || tail.Mentions(x, f.Params[0]) || !tail.IsRank(ty, 1) || ty.Elem != tail.TypeOf(parts[0]).Elem || ty.Elem != array.Int && ty.Elem != array.Char {
			continue
		}
		if n := tail.TypeOf(m).Extent(0); !n.Equal(tail.TypeOf(parts[1]).Extent(0)) || !n.Equal(tail.TypeOf(parts[2]).Extent(0)) {
			continue
		}
		if !h.changes(x, parts...) {
			return nil
		}
		before, named := h.before(e, fewGroups, parts...)
		if before == nil {
			return nil
		}
		t := before("t", mustApply(e.Where, tail.OpRaggedTable, named...))
		firsts := before("f", mustApply(e.Where, tail.OpFirstItem, copiesOf(named)...))
		args := append(append([]tail.Expr{t}, copiesOf(named)...), tail.Copy(x))
		return h.group(e, before, firsts, mustApply(e.Where, tail.OpRaggedPlace, args...))
	}
	return nil
}

// itemParts returns the elements, the offsets and the lengths of a ragged vector of which e is item i; nil for others.
func itemParts(e tail.Expr, i *tail.Var) []tail.Expr {
	indexed := func(e tail.Expr) tail.Expr {
		a, ok := e.(*tail.Apply)
		if !ok || a.Op != tail.OpIndex || !tail.IsRef(a.Args[1], i) || tail.Mentions(a.Args[0], i) {
			return nil
		}
		return a.Args[0]
	}
	take, ok := e.(*tail.Apply)
	if !ok || take.Op != tail.OpTake {
		return nil
	}
	drop, ok := take.Args[1].(*tail.Apply)
	if !ok || drop.Op != tail.OpDrop || tail.Mentions(drop.Args[1], i) {
		return nil
	}
	lengths, from := indexed(take.Args[0]), indexed(drop.Args[0])
	if lengths == nil || from == nil || !tail.IsRank(tail.TypeOf(drop.Args[1]), 1) {
		return nil
	}
	return []tail.Expr{drop.Args[1], from, lengths}
}

// copiesOf are copies of expressions.
func copiesOf(list []tail.Expr) []tail.Expr {
	all := make([]tail.Expr, len(list))
	for i, x := range list {
		all[i] = tail.Copy(x)
	}
	return all
}

// group is the group with a first place, one more than there are where it is empty; firsts has the first place of the
// group of each element.
func (h *hoister) group(e *tail.Apply, before func(string, tail.Expr) tail.Expr, firsts, place tail.Expr) tail.Expr {
	op := func(op tail.Op, args ...tail.Expr) tail.Expr { return mustApply(e.Where, op, args...) }
	number := func(n int64) tail.Expr { return tail.NewInt(e.Where, n) }
	order := before("o", op(tail.OpGradeUp, firsts))
	sorted := before("s", op(tail.OpIndex, tail.Copy(firsts), tail.Copy(order)))
	n := func() tail.Expr { return op(tail.OpTally, tail.Copy(sorted)) }
	begins := func(x tail.Expr) tail.Expr { return op(tail.OpIndexOf, x, op(tail.OpIota, n())) }
	number1 := func() *tail.Var { return h.variable("v", tail.Scalar(array.Int)) }
	u, v, w := number1(), number1(), number1()
	ref := func(v *tail.Var) tail.Expr { return &tail.Ref{At: e.At, Var: v} }
	less := &tail.Lam{At: e.At, Params: []*tail.Var{u}, Body: op(tail.OpSubI, ref(u), number(1))}
	starts := before("b", op(tail.OpEach, less, begins(tail.Copy(sorted))))
	size := &tail.Lam{At: e.At, Params: []*tail.Var{v, w}, Body: op(tail.OpSubI, n(), op(tail.OpAddI, ref(v), op(tail.OpSubI, ref(w), number(1))))}
	counts := before("c", op(tail.OpSnoc, op(tail.OpZipWith, size, tail.Copy(starts), begins(op(tail.OpReverse, tail.Copy(sorted)))), number(0)))
	p := h.variable("p", tail.Scalar(array.Int))
	at := func(x tail.Expr) tail.Expr { return op(tail.OpIndex, x, &tail.Ref{At: e.At, Var: p}) }
	within := func(op tail.Op, n, x tail.Expr) tail.Expr {
		part, bad := tail.NewApply(e.Where, op, 0, []int{1}, n, x)
		if bad != nil {
			panic("internal error: " + bad.Message())
		}
		return part
	}
	group := within(tail.OpTake, at(counts), within(tail.OpDrop, at(op(tail.OpSnoc, starts, n())), tail.Copy(order)))
	return &tail.Let{At: e.At, Var: p, Bind: place, Body: group}
}
