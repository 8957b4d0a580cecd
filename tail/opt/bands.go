package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// bands computes a large matrix that is an inner product a band of rows at a time, where
// row i of what is read of it depends on no other rows than its row i, so that a band
// stays in the caches and the matrix is not stored:
//
//	cells[1](fn r:<double>4000 => takeV(5,gradeup(r)),zipWith(subd,outer(addd,u,w),chain(fmad,0.0,q,p)))
//
// becomes
//
//	reshape([3000,5],cells[0](
//	  fn b:[int]0 => cells[1](fn r:<double>4000 => takeV(5,gradeup(r)),zipWith(subd,
//	    outer(addd,index(reshape([50,60],u),b,all()),w),
//	    chain(fmad,0.0,index(reshape([50,60,8],q),b,all(),all()),p))),
//	  iotaV(50)))
//
// and rows that fill no band follow behind. One op at most may fault, and does so for the
// same row first.
//
// Requires: simplify, cse. Preserves: values, and the first fault. Leaves lets that nothing
// uses; run deadcode after.
func bands(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		uses := map[*tail.Var]int{}
		tail.Walk(e, func(e tail.Expr) bool {
			if r, ok := e.(*tail.Ref); ok {
				uses[r.Var]++
			}
			return true
		})
		f := &bandFinder{optimiser: o, uses: uses, near: map[*tail.Var]tail.Expr{}, moved: map[*tail.Var]bool{}}
		return f.expr(e)
	})
}

// Sizes of bands: the elements of a product from which on it is made in bands, the fewest
// bands, rows of a band at least and at most, and the elements of the products of a band.
const (
	bandedSize   = 1 << 18
	fewestBands  = 8
	lowestBand   = 48
	highestBand  = 128
	bandElements = 1 << 20
)

// bandFinder looks for what is made in bands.
type bandFinder struct {
	*optimiser
	uses map[*tail.Var]int
	near map[*tail.Var]tail.Expr // what lets bind in the same function

	moved map[*tail.Var]bool // variables whose only use has what they were bound to instead
}

func (f *bandFinder) expr(e tail.Expr) tail.Expr {
	switch e := e.(type) {
	case *tail.Lam:
		inner := &bandFinder{optimiser: f.optimiser, uses: f.uses, near: map[*tail.Var]tail.Expr{}, moved: f.moved}
		return tail.MapChildren(e, inner.expr)
	case *tail.Let:
		frames, last := unlet(e, nil)
		for i := range frames {
			frames[i].bind = f.expr(frames[i].bind)
			f.near[frames[i].v] = frames[i].bind
		}
		last = f.expr(last)
		for i := len(frames) - 1; i >= 0; i-- {
			if !f.moved[frames[i].v] {
				last = &tail.Let{At: frames[i].at, Var: frames[i].v, Bind: frames[i].bind, Body: last}
			}
		}
		return last
	case *tail.Apply:
		if whole := f.whole(e); whole != nil {
			return whole
		}
	}
	return tail.MapChildren(e, f.expr)
}

// whole returns e made in bands, nil where that is no use.
func (f *bandFinder) whole(e *tail.Apply) tail.Expr {
	ty, ok := e.Ty.(*tail.Array)
	if !ok || !ty.Rank.Known() || ty.Dims() == 0 {
		return nil
	}
	n, ok := ty.Extent(0).IsConst()
	size, known := elementsOf(ty)
	if !ok || !known || n < fewestBands*lowestBand {
		return nil
	}
	b := &banding{bandFinder: f, rows: int(n)}
	if b.remade(e, nil, false) == nil || b.product < bandedSize || size > b.product/2 || b.faulty > 1 {
		return nil
	}
	height := b.height()
	count := int(n) / height
	rest := int(n) - count*height
	at := e.At
	i := f.variable("b", tail.Scalar(array.Int))
	body := b.made(e, func(l tail.Expr) tail.Expr {
		shape := []int64{int64(count), int64(height)}
		index := []tail.Expr{nil, &tail.Ref{At: at, Var: i}}
		for _, d := range tail.Extents(tail.TypeOf(l))[1:] {
			m, _ := d.IsConst()
			shape = append(shape, m)
		}
		for range shape[1:] {
			index = append(index, mustApply(at.Where, tail.OpAll))
		}
		index[0] = mustApply(at.Where, tail.OpReshape, tail.NewLit(at.Where, array.VectorInt(shape)), l)
		return mustApply(at.Where, tail.OpIndex, index...)
	})
	cells, bad := tail.NewApply(at.Where, tail.OpCells, 0, []int{0}, &tail.Lam{At: at, Params: []*tail.Var{i}, Body: body},
		mustApply(at.Where, tail.OpIota, tail.NewInt(at.Where, int64(count))))
	if bad != nil {
		return nil
	}
	shape := []int64{int64(count * height)}
	for _, d := range tail.Extents(ty)[1:] {
		m, _ := d.IsConst()
		shape = append(shape, m)
	}
	whole := tail.Expr(mustApply(at.Where, tail.OpReshape, tail.NewLit(at.Where, array.VectorInt(shape)), cells))
	if rest > 0 {
		last := b.made(e, func(l tail.Expr) tail.Expr {
			return mustApply(at.Where, tail.OpDrop, tail.NewInt(at.Where, int64(count*height)), l)
		})
		first := f.variable("bands", whole.Type())
		b.lets = append(b.lets, letFrame{v: first, bind: whole, at: at}) // before the rest
		whole = mustApply(at.Where, tail.OpCat, &tail.Ref{At: at, Var: first}, last)
	}
	for i := len(b.lets) - 1; i >= 0; i-- {
		whole = &tail.Let{At: at, Var: b.lets[i].v, Bind: b.lets[i].bind, Body: whole}
	}
	return whole
}

// elementsOf is the number of elements of an array of known shape.
func elementsOf(ty *tail.Array) (int, bool) {
	size := int64(1)
	for _, d := range tail.Extents(ty) {
		n, ok := d.IsConst()
		if !ok {
			return 0, false
		}
		size *= n
	}
	return int(size), true
}

// banding is what is known of an expression that may be made in bands.
type banding struct {
	*bandFinder
	rows    int
	product int // elements of the products
	faulty  int // ops that may fault
	lets    []letFrame
	outside map[tail.Expr]*tail.Var // what they bind
}

// height returns the number of rows of a band: one that leaves no rows, if there is one.
func (b *banding) height() int {
	most := min(highestBand, b.rows/fewestBands, max(lowestBand, bandElements/(b.product/b.rows)))
	for h := most; h >= lowestBand; h-- {
		if b.rows%h == 0 {
			return h
		}
	}
	return most
}

// made returns e of the rows that leaf selects.
func (b *banding) made(e tail.Expr, leaf func(tail.Expr) tail.Expr) tail.Expr {
	return tail.Copy(b.remade(e, leaf, true))
}

// remade returns e, or with make what it becomes in terms of what leaf gives for its parts,
// nil where row i of it depends on more than row i of the parts that have as many rows.
func (b *banding) remade(e tail.Expr, leaf func(tail.Expr) tail.Expr, make bool) tail.Expr {
	ty, ok := e.Type().(*tail.Array)
	if !ok || !ty.Rank.Known() || ty.Dims() == 0 {
		return nil
	}
	if n, ok := ty.Extent(0).IsConst(); !ok || int(n) != b.rows {
		return nil
	}
	if r, ok := e.(*tail.Ref); ok && b.uses[r.Var] == 1 {
		if bind := b.near[r.Var]; bind != nil && b.hasProduct(bind) && b.effects.Total(bind) {
			b.moved[r.Var] = b.moved[r.Var] || make
			return b.remade(bind, leaf, make)
		}
	}
	a, ok := e.(*tail.Apply)
	apart := []bool(nil)
	if ok {
		apart = b.apart(a)
	}
	if apart == nil {
		return b.part(e, leaf, make)
	}
	if !make {
		if a.Op == tail.OpChain {
			size, known := elementsOf(ty)
			if !known {
				return nil
			}
			b.product = max(b.product, size)
		}
		b.faulty += b.faults(a)
	}
	next := *a
	next.Args = append([]tail.Expr{}, a.Args...)
	for i, x := range a.Args {
		if lam, ok := x.(*tail.Lam); ok {
			if !make {
				b.faulty += b.faultsWithin(lam)
			}
			continue
		}
		if apart[i] {
			next.Args[i] = b.remade(x, leaf, make)
		} else {
			next.Args[i] = b.fixed(x, make)
		}
		if next.Args[i] == nil {
			return nil
		}
	}
	if !make {
		return e
	}
	made, bad := tail.NewApply(a.Where, a.Op, a.Axis, a.Ks, next.Args...)
	if bad != nil {
		panic("internal error: bands: " + bad.Message())
	}
	made.Blame, made.Size = a.Blame, a.Size
	return made
}

// apart says of the arguments of e which are read row by row, nil where e is no op that
// does so.
func (b *banding) apart(e *tail.Apply) []bool {
	dims := func(i int) int { return tail.TypeOf(e.Args[i]).Dims() }
	switch e.Op {
	case tail.OpEach:
		return []bool{false, true}
	case tail.OpZipWith:
		return []bool{false, true, true}
	case tail.OpOuter:
		if dims(1) > 0 {
			return []bool{false, true, false}
		}
	case tail.OpChain:
		if dims(2) == 2 {
			return []bool{false, false, true, false}
		}
	case tail.OpReduce:
		if dims(2) > 1 && e.Axis == dims(2)-1 {
			return []bool{false, false, true}
		}
	case tail.OpScan:
		if dims(1) > 1 && e.Axis == dims(1)-1 {
			return []bool{false, true}
		}
	case tail.OpCells:
		if dims(1) > e.Ks[0] {
			return []bool{false, true}
		}
	case tail.OpCells2:
		if x, y := dims(1) > e.Ks[0], dims(2) > e.Ks[1]; x || y {
			return []bool{false, x, y}
		}
	}
	return nil
}

// hasProduct reports whether e computes an inner product.
func (b *banding) hasProduct(e tail.Expr) bool {
	found := false
	tail.Walk(e, func(e tail.Expr) bool {
		a, ok := e.(*tail.Apply)
		found = found || ok && a.Op == tail.OpChain
		return !found
	})
	return found
}

// faults is 1 where the op of e may fault, or has an effect.
func (b *banding) faults(e *tail.Apply) int {
	if b.effects.Own(e) != 0 {
		return 1
	}
	return 0
}

// faultsWithin counts the ops of a function that may fault; what else it has counts, too.
func (b *banding) faultsWithin(f *tail.Lam) int {
	count := 0
	tail.Walk(f.Body, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Apply:
			count += b.faults(e)
		case *tail.Call:
			if !b.effects.Total(e) {
				count += 2
			}
		}
		return true
	})
	return count
}

// part returns the rows of a part that is there as a whole.
func (b *banding) part(e tail.Expr, leaf func(tail.Expr) tail.Expr, make bool) tail.Expr {
	if _, known := elementsOf(tail.TypeOf(e)); !known {
		return nil
	}
	whole := b.fixed(e, make)
	if whole == nil || !make {
		return whole
	}
	return leaf(whole)
}

// fixed returns what is the same for all bands, bound outside of them.
func (b *banding) fixed(e tail.Expr, make bool) tail.Expr {
	switch e.(type) {
	case *tail.Ref, *tail.Lit:
		return e
	}
	if !make {
		if !b.effects.Total(e) {
			return nil
		}
		return e
	}
	v := b.outside[e]
	if v == nil {
		v = b.variable("part", e.Type())
		if b.outside == nil {
			b.outside = map[tail.Expr]*tail.Var{}
		}
		b.outside[e] = v
		b.lets = append(b.lets, letFrame{v: v, bind: b.bandFinder.expr(e), at: tail.At{Where: e.Span()}})
	}
	return &tail.Ref{At: tail.At{Where: e.Span()}, Var: v}
}
