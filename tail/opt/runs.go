package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// runs finds the lengths of the runs of ones of a mask, as programs compute
// them from the positions where runs begin and end, and asks for their number,
// their sum and the greatest of them without positions: as many runs end as
// begin, and each after its beginning, so the difference is the lengths, in
// order, and the subtraction does not fault.
//
//	let v:[int]1 = zipWith(subi,where(zipWith(lti,snoc(each(b2i,m),0),cons(0,each(b2i,m)))),
//	                            where(zipWith(gti,each(b2i,m),drop(¯1,cons(0,each(b2i,m)))))) in
//	reduce1(maxi,v)
//
// becomes
//
//	longest(m)
//
// tally(v) becomes the number of beginnings, and reduce(addi,0,v) that of ones.
// Beginnings and ends are recognised by what they compare: the mask at two
// places that follow each other, beyond whose ends it is 0. Where anything else
// uses the lengths, they stay.
//
// Requires: nothing. Preserves: types, faults. Leaves lets of positions that
// nothing uses; run deadcode after.
func runs(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		r := &runFinder{bits2: &bits2{optimiser: o, defs: map[*tail.Var]tail.Expr{}}, found: map[*tail.Var]*runLengths{}}
		tail.Walk(e, func(e tail.Expr) bool {
			if let, ok := e.(*tail.Let); ok {
				r.defs[let.Var] = let.Bind
			}
			return true
		})
		uses, kept := map[*tail.Var]int{}, map[*tail.Var]int{}
		tail.Walk(e, func(x tail.Expr) bool {
			switch x := x.(type) {
			case *tail.Let:
				if l := r.lengths(x.Bind); l != nil {
					r.found[x.Var] = l
				}
			case *tail.Ref:
				uses[x.Var]++
			case *tail.Apply:
				if v := r.usedBy(x); v != nil {
					kept[v]++
				}
			}
			return true
		})
		for v := range r.found {
			if uses[v] != kept[v] {
				delete(r.found, v)
			}
		}
		return r.without(e)
	})
}

// runLengths are the lengths of the runs of mask, each with more added.
type runLengths struct {
	mask, begins tail.Expr
	more         int64
}

type runFinder struct {
	*bits2
	found map[*tail.Var]*runLengths
	depth int // of what is being looked at
}

// maxShifts is how many ops one on the other are looked through.
const maxShifts = 12

// usedBy returns the variable of lengths that e asks one number of.
func (r *runFinder) usedBy(e *tail.Apply) *tail.Var {
	v := lastVar(e)
	if v == nil || r.found[v] == nil {
		return nil
	}
	switch e.Op {
	case tail.OpTally:
		return v
	case tail.OpReduce1:
		if tail.IsOpLam(e.Args[0].(*tail.Lam), tail.OpMaxI) {
			return v
		}
	case tail.OpReduce:
		if zero, ok := tail.ConstInt(e.Args[1]); ok && zero == 0 && tail.IsOpLam(e.Args[0].(*tail.Lam), tail.OpAddI) {
			return v
		}
	}
	return nil
}

func lastVar(e *tail.Apply) *tail.Var {
	if len(e.Args) == 0 {
		return nil
	}
	if ref, ok := e.Args[len(e.Args)-1].(*tail.Ref); ok {
		return ref.Var
	}
	return nil
}

// without returns e with what is asked of lengths, and without their lets.
func (r *runFinder) without(e tail.Expr) tail.Expr {
	if len(r.found) == 0 {
		return e
	}
	return tail.Map(e, func(e tail.Expr) tail.Expr {
		switch e := e.(type) {
		case *tail.Let:
			if (r.lengths(e.Bind) != nil || r.edges(e.Bind) != nil) && !tail.Mentions(e.Body, e.Var) {
				return e.Body
			}
		case *tail.Apply:
			if v := r.usedBy(e); v != nil {
				if x := r.asked(e, r.found[v]); x != nil {
					return x
				}
			}
		}
		return e
	})
}

// asked returns what e asks of the lengths l.
func (r *runFinder) asked(e *tail.Apply, l *runLengths) tail.Expr {
	sum := func(mask tail.Expr) tail.Expr {
		return r.build(e, tail.OpReduce, tail.NewOpLam(e.Where, tail.OpAddI), tail.NewInt(e.Where, 0), r.build(e, tail.OpEach, tail.NewOpLam(e.Where, tail.OpB2I), mask))
	}
	switch e.Op {
	case tail.OpTally:
		return sum(l.begins)
	case tail.OpReduce:
		if l.more == 0 {
			return sum(l.mask)
		}
		return r.build(e, tail.OpAddI, sum(l.mask), r.build(e, tail.OpMulI, tail.NewInt(e.Where, l.more), sum(l.begins)))
	}
	x := r.build(e, tail.OpLongest, l.mask)
	if l.more != 0 {
		x = r.build(e, tail.OpAddI, x, tail.NewInt(e.Where, l.more))
	}
	return x
}

// lengths returns the runs whose lengths e is; nil where it is nothing of the
// kind.
func (r *runFinder) lengths(e tail.Expr) *runLengths {
	zip, ok := e.(*tail.Apply)
	if ok && zip.Op == tail.OpEach {
		return r.longer(zip)
	}
	if !ok || zip.Op != tail.OpZipWith || !tail.IsOpLam(zip.Args[0].(*tail.Lam), tail.OpSubI) {
		return nil
	}
	ends, begins := r.edges(zip.Args[1]), r.edges(zip.Args[2])
	if ends == nil || begins == nil || ends.mask != begins.mask || begins.after != begins.before+1 || ends.before != ends.after-1 {
		return nil
	}
	if ends.rising || !begins.rising {
		return nil
	}
	if begins.after > 0 || begins.longer+begins.after < 0 || ends.after > 1 || ends.longer+ends.after < 1 {
		return nil // some of them are not looked at
	}
	return &runLengths{mask: &tail.Ref{At: zip.At, Var: begins.mask}, begins: begins.test, more: begins.after - ends.after}
}

// longer returns the lengths that e adds a constant to.
func (r *runFinder) longer(e *tail.Apply) *runLengths {
	if r.depth >= maxShifts {
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	f := e.Args[0].(*tail.Lam)
	sum, ok := f.Body.(*tail.Apply)
	if !ok || sum.Op != tail.OpAddI && sum.Op != tail.OpSubI {
		return nil
	}
	x, y := sum.Args[0], sum.Args[1]
	if sum.Op == tail.OpAddI && !isParam(x, f) {
		x, y = y, x
	}
	n, known := tail.ConstInt(y)
	if _, isLit := y.(*tail.Lit); !known || !isLit || !isParam(x, f) || n < -1<<20 || n > 1<<20 {
		return nil
	}
	l := r.lengths(r.look(e.Args[1]))
	if l == nil {
		return nil
	}
	if sum.Op == tail.OpSubI {
		n = -n
	}
	return &runLengths{mask: l.mask, begins: l.begins, more: l.more + n}
}

func isParam(e tail.Expr, f *tail.Lam) bool {
	ref, ok := e.(*tail.Ref)
	return ok && ref.Var == f.Params[0]
}

// edges are the positions in which a mask differs from the place before.
type edges struct {
	mask          *tail.Var
	before, after int64 // the places of the mask that a test compares, less that of the test
	longer        int64 // how many tests there are, less the places of the mask
	rising        bool  // the later one is 1
	test          tail.Expr
}

// edges returns the edges whose positions e is; nil where it is something else.
func (r *runFinder) edges(e tail.Expr) *edges {
	where, ok := r.look(e).(*tail.Apply)
	if !ok || where.Op != tail.OpWhere {
		return nil
	}
	zip, ok := r.look(where.Args[0]).(*tail.Apply)
	if !ok || zip.Op != tail.OpZipWith {
		return nil
	}
	low, high := r.compared(zip)
	if low == nil || high == nil || low.mask != high.mask || low.longer != high.longer {
		return nil
	}
	if (low.short || high.short) && low.longer != 0 { // of an empty mask one has no element or a 0, the other one too
		return nil
	}
	d := &edges{mask: low.mask, longer: low.longer, test: where.Args[0]}
	d.before, d.after, d.rising = low.by, high.by, true
	if low.by > high.by {
		d.before, d.after, d.rising = high.by, low.by, false
	}
	if d.after != d.before+1 {
		return nil
	}
	return d
}

// compared returns the vectors whose elements are 0 and 1 where the test zip
// is 1.
func (r *runFinder) compared(zip *tail.Apply) (low, high *shifted) {
	op, _ := tail.EtaReduced(zip.Args[0].(*tail.Lam))
	x, y := zip.Args[1], zip.Args[2]
	switch op {
	case tail.OpLtI:
		return r.shifted(x), r.shifted(y)
	case tail.OpGtI:
		return r.shifted(y), r.shifted(x)
	case tail.OpAndB:
		if not := r.negated(x); not != nil {
			return r.shifted(not), r.shifted(y)
		}
		if not := r.negated(y); not != nil {
			return r.shifted(not), r.shifted(x)
		}
	}
	return nil, nil
}

// negated returns x for ~x.
func (r *runFinder) negated(e tail.Expr) tail.Expr {
	if a, ok := r.look(e).(*tail.Apply); ok && a.Op == tail.OpEach && tail.IsOpLam(a.Args[0].(*tail.Lam), tail.OpNotB) {
		return a.Args[1]
	}
	return nil
}

// shifted is a vector whose element i is that of a mask at i + by, 0 beyond its
// ends; it has so many elements more than the mask. Where it is short, one has
// been dropped that an empty mask does not have.
type shifted struct {
	mask       *tail.Var
	by, longer int64
	short      bool
}

func (r *runFinder) shifted(e tail.Expr) *shifted {
	if r.depth >= maxShifts {
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	if ref, ok := e.(*tail.Ref); ok && tail.TypeOf(ref).Elem == array.Bool && tail.TypeOf(ref).Dims() == 1 && !r.isShift(ref) {
		return &shifted{mask: ref.Var}
	}
	a, ok := r.look(e).(*tail.Apply)
	if !ok {
		return nil
	}
	switch a.Op {
	case tail.OpEach:
		if f := a.Args[0].(*tail.Lam); tail.IsOpLam(f, tail.OpB2I) || tail.IsOpLam(f, tail.OpI2B) {
			return r.shifted(a.Args[1])
		}
	case tail.OpCons:
		if s := r.shifted(a.Args[1]); s != nil && isZeroLit(a.Args[0]) && s.by <= 0 {
			return &shifted{s.mask, s.by - 1, s.longer + 1, s.short}
		}
	case tail.OpSnoc:
		if s := r.shifted(a.Args[0]); s != nil && isZeroLit(a.Args[1]) && s.longer+s.by >= 0 {
			return &shifted{s.mask, s.by, s.longer + 1, s.short}
		}
	case tail.OpDrop:
		n, known := tail.ConstInt(a.Args[0])
		s := r.shifted(a.Args[1])
		if !known || s == nil || s.short || s.longer < 0 {
			return nil
		}
		switch n {
		case 1:
			return &shifted{s.mask, s.by + 1, s.longer - 1, s.longer == 0}
		case -1:
			return &shifted{s.mask, s.by, s.longer - 1, s.longer == 0}
		}
	}
	return nil
}

// isShift reports whether a variable names a mask that is another one shifted.
func (r *runFinder) isShift(ref *tail.Ref) bool {
	a, ok := r.look(ref).(*tail.Apply)
	return ok && (a.Op == tail.OpCons || a.Op == tail.OpSnoc || a.Op == tail.OpDrop)
}

func isZeroLit(e tail.Expr) bool {
	l, ok := e.(*tail.Lit)
	if !ok || l.Value.Rank() != 0 {
		return false
	}
	switch l.Value.Elem {
	case array.Bool:
		return l.Value.Bools[0] == 0
	case array.Int:
		return l.Value.Ints[0] == 0
	}
	return false
}
