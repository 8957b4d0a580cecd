package tail

import "github.com/tailor-lang/tailor/array"

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
	o.bodies(func(e Expr) Expr {
		r := &runFinder{bits2: &bits2{optimiser: o, defs: map[*Var]Expr{}}, found: map[*Var]*runLengths{}}
		Walk(e, func(e Expr) bool {
			if let, ok := e.(*Let); ok {
				r.defs[let.Var] = let.Bind
			}
			return true
		})
		uses, kept := map[*Var]int{}, map[*Var]int{}
		Walk(e, func(x Expr) bool {
			switch x := x.(type) {
			case *Let:
				if l := r.lengths(x.Bind); l != nil {
					r.found[x.Var] = l
				}
			case *Ref:
				uses[x.Var]++
			case *Apply:
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
	mask, begins Expr
	more         int64
}

type runFinder struct {
	*bits2
	found map[*Var]*runLengths
	depth int // of what is being looked at
}

// maxShifts is how many ops one on the other are looked through.
const maxShifts = 12

// usedBy returns the variable of lengths that e asks one number of.
func (r *runFinder) usedBy(e *Apply) *Var {
	v := lastVar(e)
	if v == nil || r.found[v] == nil {
		return nil
	}
	switch e.Op {
	case OpTally:
		return v
	case OpReduce1:
		if isOpLam(e.Args[0].(*Lam), OpMaxI) {
			return v
		}
	case OpReduce:
		if zero, ok := constInt(e.Args[1]); ok && zero == 0 && isOpLam(e.Args[0].(*Lam), OpAddI) {
			return v
		}
	}
	return nil
}

func lastVar(e *Apply) *Var {
	if len(e.Args) == 0 {
		return nil
	}
	if ref, ok := e.Args[len(e.Args)-1].(*Ref); ok {
		return ref.Var
	}
	return nil
}

// without returns e with what is asked of lengths, and without their lets.
func (r *runFinder) without(e Expr) Expr {
	if len(r.found) == 0 {
		return e
	}
	return Map(e, func(e Expr) Expr {
		switch e := e.(type) {
		case *Let:
			if (r.lengths(e.Bind) != nil || r.edges(e.Bind) != nil) && !Mentions(e.Body, e.Var) {
				return e.Body
			}
		case *Apply:
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
func (r *runFinder) asked(e *Apply, l *runLengths) Expr {
	sum := func(mask Expr) Expr {
		return r.build(e, OpReduce, NewOpLam(e.Where, OpAddI), NewInt(e.Where, 0), r.build(e, OpEach, NewOpLam(e.Where, OpB2I), mask))
	}
	switch e.Op {
	case OpTally:
		return sum(l.begins)
	case OpReduce:
		if l.more == 0 {
			return sum(l.mask)
		}
		return r.build(e, OpAddI, sum(l.mask), r.build(e, OpMulI, NewInt(e.Where, l.more), sum(l.begins)))
	}
	x := r.build(e, OpLongest, l.mask)
	if l.more != 0 {
		x = r.build(e, OpAddI, x, NewInt(e.Where, l.more))
	}
	return x
}

// lengths returns the runs whose lengths e is; nil where it is nothing of the
// kind.
func (r *runFinder) lengths(e Expr) *runLengths {
	zip, ok := e.(*Apply)
	if ok && zip.Op == OpEach {
		return r.longer(zip)
	}
	if !ok || zip.Op != OpZipWith || !isOpLam(zip.Args[0].(*Lam), OpSubI) {
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
	return &runLengths{mask: &Ref{At: zip.At, Var: begins.mask}, begins: begins.test, more: begins.after - ends.after}
}

// longer returns the lengths that e adds a constant to.
func (r *runFinder) longer(e *Apply) *runLengths {
	if r.depth >= maxShifts {
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	f := e.Args[0].(*Lam)
	sum, ok := f.Body.(*Apply)
	if !ok || sum.Op != OpAddI && sum.Op != OpSubI {
		return nil
	}
	x, y := sum.Args[0], sum.Args[1]
	if sum.Op == OpAddI && !isParam(x, f) {
		x, y = y, x
	}
	n, known := constInt(y)
	if _, isLit := y.(*Lit); !known || !isLit || !isParam(x, f) || n < -1<<20 || n > 1<<20 {
		return nil
	}
	l := r.lengths(r.look(e.Args[1]))
	if l == nil {
		return nil
	}
	if sum.Op == OpSubI {
		n = -n
	}
	return &runLengths{mask: l.mask, begins: l.begins, more: l.more + n}
}

func isParam(e Expr, f *Lam) bool {
	ref, ok := e.(*Ref)
	return ok && ref.Var == f.Params[0]
}

// edges are the positions in which a mask differs from the place before.
type edges struct {
	mask          *Var
	before, after int64 // the places of the mask that a test compares, less that of the test
	longer        int64 // how many tests there are, less the places of the mask
	rising        bool  // the later one is 1
	test          Expr
}

// edges returns the edges whose positions e is; nil where it is something else.
func (r *runFinder) edges(e Expr) *edges {
	where, ok := r.look(e).(*Apply)
	if !ok || where.Op != OpWhere {
		return nil
	}
	zip, ok := r.look(where.Args[0]).(*Apply)
	if !ok || zip.Op != OpZipWith {
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
func (r *runFinder) compared(zip *Apply) (low, high *shifted) {
	op, _ := etaReduced(zip.Args[0].(*Lam))
	x, y := zip.Args[1], zip.Args[2]
	switch op {
	case OpLtI:
		return r.shifted(x), r.shifted(y)
	case OpGtI:
		return r.shifted(y), r.shifted(x)
	case OpAndB:
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
func (r *runFinder) negated(e Expr) Expr {
	if a, ok := r.look(e).(*Apply); ok && a.Op == OpEach && isOpLam(a.Args[0].(*Lam), OpNotB) {
		return a.Args[1]
	}
	return nil
}

// shifted is a vector whose element i is that of a mask at i + by, 0 beyond its
// ends; it has so many elements more than the mask. Where it is short, one has
// been dropped that an empty mask does not have.
type shifted struct {
	mask       *Var
	by, longer int64
	short      bool
}

func (r *runFinder) shifted(e Expr) *shifted {
	if r.depth >= maxShifts {
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	if ref, ok := e.(*Ref); ok && TypeOf(ref).Elem == array.Bool && TypeOf(ref).Dims() == 1 && !r.isShift(ref) {
		return &shifted{mask: ref.Var}
	}
	a, ok := r.look(e).(*Apply)
	if !ok {
		return nil
	}
	switch a.Op {
	case OpEach:
		if f := a.Args[0].(*Lam); isOpLam(f, OpB2I) || isOpLam(f, OpI2B) {
			return r.shifted(a.Args[1])
		}
	case OpCons:
		if s := r.shifted(a.Args[1]); s != nil && isZeroLit(a.Args[0]) && s.by <= 0 {
			return &shifted{s.mask, s.by - 1, s.longer + 1, s.short}
		}
	case OpSnoc:
		if s := r.shifted(a.Args[0]); s != nil && isZeroLit(a.Args[1]) && s.longer+s.by >= 0 {
			return &shifted{s.mask, s.by, s.longer + 1, s.short}
		}
	case OpDrop:
		n, known := constInt(a.Args[0])
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
func (r *runFinder) isShift(ref *Ref) bool {
	a, ok := r.look(ref).(*Apply)
	return ok && (a.Op == OpCons || a.Op == OpSnoc || a.Op == OpDrop)
}

func isZeroLit(e Expr) bool {
	l, ok := e.(*Lit)
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
