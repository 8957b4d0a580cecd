package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// itemsAgain computes items where they are read, so that none is stored.
//
//	let l:<int>n = each(fn i:[int]0 => index(v,i),iotaV(n)) in
//	let e:[int]1 = segments(fn i:[int]0 => iota(index(v,i)),l) in
//	let s:<int>n = dropV(¯1,consV(0,scan(addi,l))) in
//	… each(fn j:[int]0 => reduce(addi,0,take[1](index(l,j),drop[1](index(s,j),e))),iotaV(n)) …
//
// becomes
//
//	… each(fn j:[int]0 => reduce(addi,0,iota(index(v,j))),iotaV(n)) …
//
// The least and the greatest of all elements are those of the items' least and greatest
// ones. Items whose elements cost little are computed for each of several reads; others,
// and those that a loop may read again and again, are stored as they were.
//
// Requires: that what items are computed from cannot fault. Preserves: types, effects.
// Leaves lets of places that nothing uses; run deadcode after.
func itemsAgain(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		d := &delays{wholes: wholes{defs: definitions(e)}, optimiser: o, reads: map[*tail.Var]*itemReads{}}
		d.find(e, 0)
		if !d.decide() {
			return e
		}
		return d.expr(e)
	})
}

// definitions are what the lets of e bind.
func definitions(e tail.Expr) map[*tail.Var]tail.Expr {
	defs := map[*tail.Var]tail.Expr{}
	tail.Walk(e, func(e tail.Expr) bool {
		if let, ok := e.(*tail.Let); ok {
			defs[let.Var] = let.Bind
		}
		return true
	})
	return defs
}

const (
	// maxItemWork is the work for an element of an item that may be read several times,
	// and maxItemsWork that of all reads; maxLoopWork is the work where a loop reads it.
	maxItemWork  = 8
	maxItemsWork = 32
	maxLoopWork  = 2
)

// itemReads is how the elements of segments are read.
type itemReads struct {
	made  *tail.Apply
	depth int       // of functions around the let
	refs  int       // all uses
	items int       // those as the items
	least int       // and for the least or the greatest element
	again bool      // a read is in a loop of a loop
	body  tail.Expr // the item, once others that are computed again are in it
}

type delays struct {
	*optimiser
	wholes
	reads map[*tail.Var]*itemReads // by the variable of the elements; those to store are taken out
}

// find looks for segments and for what reads them; depth is of functions.
func (d *delays) find(e tail.Expr, depth int) {
	tail.Walk(e, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Let:
			if s, ok := e.Bind.(*tail.Apply); ok && s.Op == tail.OpSegments {
				d.reads[e.Var] = &itemReads{made: s, depth: depth}
			}
		case *tail.Ref:
			if r := d.reads[e.Var]; r != nil {
				r.refs++
			}
		case *tail.Lam:
			d.find(e.Body, depth+1)
			return false
		case *tail.Apply:
			if r, _ := d.item(e); r != nil {
				r.items++
				r.again = r.again || depth > r.depth+1
			} else if r := d.extreme(e); r != nil {
				r.least++
			}
		}
		return true
	})
}

// item is what e reads one item of, and the number of the item.
func (d *delays) item(e *tail.Apply) (*itemReads, tail.Expr) {
	if e.Op != tail.OpTake || !e.Within() {
		return nil, nil
	}
	drop := d.wholes.made(e.Args[1], tail.OpDrop)
	if drop == nil || !drop.Within() {
		return nil, nil
	}
	all, ok := drop.Args[1].(*tail.Ref)
	if !ok || d.reads[all.Var] == nil {
		return nil, nil
	}
	length, start := d.wholes.made(e.Args[0], tail.OpIndex), d.wholes.made(drop.Args[0], tail.OpIndex)
	if length == nil || start == nil || len(length.Args) != 2 || len(start.Args) != 2 {
		return nil, nil
	}
	i, lengths := length.Args[1], d.reads[all.Var].made.Args[1]
	if !isAtom(i) || !d.sameNumber(i, start.Args[1]) || !d.same(length.Args[0], lengths) || !d.runningSums(start.Args[0], length.Args[0]) {
		return nil, nil
	}
	return d.reads[all.Var], i
}

// sameNumber reports whether two scalars are one.
func (d *delays) sameNumber(x, y tail.Expr) bool {
	m, ok := tail.ConstInt(x)
	n, also := tail.ConstInt(y)
	return ok && also && m == n || d.same(x, y)
}

// extreme is what e finds the least or the greatest element of.
func (d *delays) extreme(e *tail.Apply) *itemReads {
	if e.Op != tail.OpReduce && e.Op != tail.OpReduce1 {
		return nil
	}
	all, ok := e.Args[len(e.Args)-1].(*tail.Ref)
	f, isLam := e.Args[0].(*tail.Lam)
	if !ok || !isLam || d.reads[all.Var] == nil {
		return nil
	}
	for _, op := range []tail.Op{tail.OpMinI, tail.OpMaxI, tail.OpMinD, tail.OpMaxD} {
		if tail.IsOpLam(f, op) {
			return d.reads[all.Var]
		}
	}
	return nil
}

// decide takes out what is stored. It reports whether something is left.
func (d *delays) decide() bool {
	for v, r := range d.reads {
		if !d.worth(r) || !d.certain(r.made) {
			delete(d.reads, v)
		}
	}
	return len(d.reads) > 0
}

// worth reports whether items are worth to be computed for each of their reads.
func (d *delays) worth(r *itemReads) bool {
	uses := r.items + r.least
	if uses == 0 || uses < r.refs {
		return false
	}
	work, light := itemWork(r.made.Args[0].(*tail.Lam).Body)
	switch {
	case r.again:
		return light && work <= maxLoopWork
	case uses == 1:
		return true
	}
	return light && work <= maxItemWork && uses*work <= maxItemsWork
}

// itemWork is about how many operations an element of an item takes; it is not light
// where an element needs others, but for running sums and the like.
func itemWork(e tail.Expr) (work int, light bool) {
	light = true
	tail.Walk(e, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Apply:
			work++
			switch e.Op {
			case tail.OpDivD, tail.OpRecD, tail.OpResI, tail.OpResD, tail.OpSqrtD:
				work += 4
			case tail.OpScan:
				f := e.Args[0].(*tail.Lam)
				light = light && (tail.IsOpLam(f, tail.OpAddI) || tail.IsOpLam(f, tail.OpMinI) || tail.IsOpLam(f, tail.OpMaxI))
				return light
			case tail.OpEach, tail.OpZipWith, tail.OpTake, tail.OpDrop, tail.OpIota, tail.OpIndex, tail.OpReverse, tail.OpTally,
				tail.OpCons, tail.OpSnoc, tail.OpReshape, tail.OpI2D, tail.OpB2I, tail.OpB2D:
				if e.Op == tail.OpEach || e.Op == tail.OpZipWith || e.Op == tail.OpTake || e.Op == tail.OpDrop || e.Op == tail.OpTally {
					work--
				}
			default:
				t, isArray := e.Type().(*tail.Array)
				light = light && isArray && t.Dims() == 0 && !takesFunction(e)
			}
		case *tail.Call, *tail.If, *tail.Tuple:
			light = false
		}
		return light
	})
	return work, light
}

// takesFunction reports whether an argument of e is a function.
func takesFunction(e *tail.Apply) bool {
	for _, x := range e.Args {
		if _, ok := x.(*tail.Lam); ok {
			return true
		}
	}
	return false
}

// certain reports whether the items of s cannot fault.
func (d *delays) certain(s *tail.Apply) bool {
	known := *d.effects
	known.Ranges = analysis.NewRanger(d.defs)
	known.Ranges.Note(s)
	return known.Total(s.Args[0])
}

func (d *delays) expr(e tail.Expr) tail.Expr {
	return tail.Map(e, func(e tail.Expr) tail.Expr {
		switch e := e.(type) {
		case *tail.Let:
			if d.reads[e.Var] != nil || d.begins(e.Bind) {
				return e.Body
			}
		case *tail.Apply:
			if r, i := d.item(e); r != nil {
				return d.itemRead(r, i)
			}
			if r := d.extreme(e); r != nil {
				return d.extremeOf(e, r)
			}
		}
		return e
	})
}

// begins reports whether e is where an item begins of those that are not stored.
func (d *delays) begins(e tail.Expr) bool {
	rest, ok := e.(*tail.Apply)
	if !ok || rest.Op != tail.OpDrop || !rest.Within() {
		return false
	}
	all, ok := rest.Args[1].(*tail.Ref)
	return ok && d.reads[all.Var] != nil
}

// itemOf is the item with a number. Items of others that it is computed from are computed,
// too.
func (d *delays) itemOf(r *itemReads, i tail.Expr) tail.Expr {
	f := r.made.Args[0].(*tail.Lam)
	if r.body == nil {
		r.body = d.expr(f.Body)
	}
	return tail.CopyWith(r.body, map[*tail.Var]tail.Expr{f.Params[0]: i}, nil)
}

// itemRead is the item with a number that stands in the program, which may be none.
//
//	let j:[int]0 = index(iota(tally(l)),i) in item j
func (d *delays) itemRead(r *itemReads, i tail.Expr) tail.Expr {
	lengths := r.made.Args[1]
	if _, known := tail.ConstInt(i); known || d.effects.Sure(mustApply(r.made.Where, tail.OpIndex, lengths, i)) {
		return d.itemOf(r, i)
	}
	at := tail.At{Where: r.made.Where}
	numbers := mustApply(at.Where, tail.OpIota, mustApply(at.Where, tail.OpTally, tail.Copy(lengths)))
	v := d.variable("i", tail.Scalar(array.Int))
	return &tail.Let{At: at, Var: v, Bind: mustApply(at.Where, tail.OpIndex, numbers, tail.Copy(i)), Body: d.itemOf(r, &tail.Ref{At: at, Var: v})}
}

// extremeOf is the least or the greatest of those of the items that have elements.
//
//	reduce1(mini,e)   becomes   reduce1(mini,each(fn i:[int]0 => reduce1(mini,item i),where(each(fn n:[int]0 => lti(0,n),l))))
func (d *delays) extremeOf(e *tail.Apply, r *itemReads) tail.Expr {
	at := tail.At{Where: e.Where}
	scalar := func(name string, body func(x tail.Expr) tail.Expr) *tail.Lam {
		v := &tail.Var{Name: name, Type: tail.Scalar(array.Int)}
		return &tail.Lam{At: at, Params: []*tail.Var{v}, Body: body(&tail.Ref{At: at, Var: v})}
	}
	some := scalar("n", func(n tail.Expr) tail.Expr {
		return mustApply(e.Where, tail.OpLtI, tail.NewInt(e.Where, 0), n)
	})
	numbers := mustApply(e.Where, tail.OpWhere, mustApply(e.Where, tail.OpEach, some, tail.Copy(d.expr(r.made.Args[1]))))
	of := func(x tail.Expr) *tail.Apply {
		args := []tail.Expr{tail.Copy(e.Args[0])}
		for _, a := range e.Args[1 : len(e.Args)-1] {
			args = append(args, tail.Copy(a))
		}
		z := mustApply(e.Where, e.Op, append(args, x)...)
		z.Blame = e.Blame
		return z
	}
	each := scalar("i", func(i tail.Expr) tail.Expr { return of(d.itemOf(r, i)) })
	return of(mustApply(e.Where, tail.OpEach, each, numbers))
}
