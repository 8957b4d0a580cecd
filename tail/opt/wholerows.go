package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// startsOfAll returns where the items of all rows begin, of which e adds up where they begin
// in their rows and where the rows do; nil where items do not fill the rows.
func (w *wholes) startsOfAll(e *tail.Apply) tail.Expr {
	bases := w.made(e.Args[2], tail.OpReplicate)
	if bases == nil || !tail.IsOpLam(e.Args[0].(*tail.Lam), tail.OpAddI) {
		return nil
	}
	starts, counts, sums := w.component(e.Args[1], 0), w.component(bases.Args[0], 1), w.summed(bases.Args[1])
	if starts == nil || counts == nil || sums == nil {
		return nil
	}
	sizes, items := w.component(sums, 1), w.made(starts.X, tail.OpItems)
	if sizes == nil || items == nil || !w.same(starts.X, sizes.X) || !w.same(starts.X, counts.X) || counts.I != starts.I && !w.alike(counts, starts) {
		return nil
	}
	body := items.Args[0].(*tail.Lam).Body
	row := body.Type().(*tail.TupleType)
	for k := range row.Elems {
		if k == starts.I || k == sizes.I || !everyBranch(body, func(e tail.Expr) bool {
			t, ok := e.(*tail.Tuple)
			return ok && w.runningSums(t.Elems[starts.I], t.Elems[k]) && w.fill(t.Elems[sizes.I], t.Elems[k])
		}) {
			continue
		}
		var x tail.Expr = &tail.Proj{At: e.At, X: &tail.Proj{At: e.At, X: tail.Copy(starts.X), I: k}, I: 0}
		x = mustApply(e.Where, tail.OpScan, tail.NewOpLam(e.Where, tail.OpAddI), x)
		return mustApply(e.Where, tail.OpDrop, tail.NewInt(e.Where, -1), mustApply(e.Where, tail.OpCons, tail.NewInt(e.Where, 0), x))
	}
	return nil
}

// component returns the component of items, or of what else has a name, of which e is the
// elements, part 0, or the lengths, part 1; nil where it is something else.
func (w *wholes) component(e tail.Expr, part int) *tail.Proj {
	p, ok := w.named(e).(*tail.Proj)
	if !ok || p.I != part {
		return nil
	}
	of, _ := w.named(p.X).(*tail.Proj)
	return of
}

// fill reports whether elements are as many as items of these lengths have together.
func (w *wholes) fill(elements, lengths tail.Expr) bool {
	return w.lengthsOf(elements, lengths) || w.cut(elements, lengths)
}

// cut reports whether elements are those of y from the first of the places b on, which a mask
// of y has, and lengths are from each of them to the next one, or the end:
//
//	let b:[int]1 = each(fn p:[int]0 => addi(¯1,p),where(m)) in
//	(drop(index(snoc(b,tally(y)),1),y),zipWith(subi,drop(1,snoc(b,tally(y))),b))
func (w *wholes) cut(elements, lengths tail.Expr) bool {
	rest, steps := w.made(elements, tail.OpDrop), w.made(lengths, tail.OpZipWith)
	if rest == nil || steps == nil || tail.RankOf(rest.Args[0]) != 0 {
		return false
	}
	y, places := rest.Args[1], steps.Args[2]
	first, mask := w.made(rest.Args[0], tail.OpIndex), w.placed(places)
	if first == nil || len(first.Args) != 2 || mask == nil || !w.untilNext(lengths, places, y) {
		return false
	}
	snoc := w.made(first.Args[0], tail.OpSnoc)
	if k, ok := tail.ConstInt(first.Args[1]); !ok || k != 1 || snoc == nil || !w.same(snoc.Args[0], places) {
		return false
	}
	tally := w.made(snoc.Args[1], tail.OpTally)
	n := tail.TypeOf(mask).Extent(0)
	return tally != nil && w.same(tally.Args[0], y) && n.Known() && n.Equal(tail.TypeOf(y).Extent(0))
}

// placed returns the mask that has its ones at these places, counted from 0; nil where they
// are something else.
func (w *wholes) placed(places tail.Expr) tail.Expr {
	each := w.made(places, tail.OpEach)
	if each == nil {
		return nil
	}
	f, where := each.Args[0].(*tail.Lam), w.made(each.Args[1], tail.OpWhere)
	minus, ok := f.Body.(*tail.Apply)
	if where == nil || !ok || minus.Op != tail.OpAddI || !tail.IsRef(minus.Args[1], f.Params[0]) || tail.TypeOf(where.Args[0]).Elem != array.Bool {
		return nil
	}
	if k, ok := tail.ConstInt(minus.Args[0]); !ok || k != -1 || tail.RankOf(where.Args[0]) != 1 {
		return nil
	}
	return where.Args[0]
}
