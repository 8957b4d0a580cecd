package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// dropResults drops the components of what a function gives that its callers do not use,
// and those that another component gives: in a vector of vectors that a function puts
// together call by call, an item begins where the sum of the lengths before ends.
//
//	fun rec f (w:<int>n) : ([int]1, [int]1, [int]1) =
//	  if eqi(0,tally(w)) then (int[0]{},int[0]{},int[0]{})
//	  else let r:([int]1, [int]1, [int]1) = f(drop(1,w)) in
//	    let n:[int]0 = tally(w) in
//	    (cat(w,#0(r)),cons(0,each(fn v:[int]0 => addi(v,n),#1(r))),cons(n,#2(r)))
//
// where the lengths are used only, becomes
//
//	fun rec f (w:<int>n) : [int]1 =
//	  if eqi(0,tally(w)) then int[0]{} else let r:[int]1 = f(drop(1,w)) in cons(tally(w),r)
func dropResults(o *optimiser) {
	for _, f := range o.p.Funcs {
		t, ok := f.Result.(*tail.TupleType)
		if !ok || f == o.p.Entry || o.kept(f) {
			continue
		}
		d := &resultDropper{optimiser: o, f: f, ty: t, sums: map[int]int{}, live: make([]bool, len(t.Elems)), fits: true, passed: map[*tail.Call]bool{}}
		d.findSums()
		d.findLive()
		if d.fits && slices.Contains(d.live, true) && slices.Contains(d.live, false) {
			d.drop()
		}
	}
}

type resultDropper struct {
	*optimiser
	f    *tail.Func
	ty   *tail.TupleType
	sums map[int]int // by component that of whose elements it is the sums of those before
	live []bool      // which components are used
	fits bool        // whether only components are used
	// passed are calls whose results the function gives as they are.
	passed map[*tail.Call]bool
}

// findLive finds the components that are used.
func (d *resultDropper) findLive() {
	for _, g := range d.p.Funcs {
		if g != d.f {
			d.uses(g.Body)
		}
	}
	d.uses(d.p.Main)
	for before := []bool(nil); d.fits && !slices.Equal(before, d.live); {
		before = slices.Clone(d.live)
		body := d.some(d.f.Body)
		eachTail(body, func(e tail.Expr) {
			if c, ok := e.(*tail.Call); ok {
				d.passed[c] = true
			}
		})
		d.uses(body)
	}
}

// some is the body of the function with what is live of its results. Sums that are not are
// dropped, as they do not overflow.
func (d *resultDropper) some(body tail.Expr) tail.Expr {
	sums := map[*tail.Var]bool{}
	body = mapTail(body, d.result(), func(e tail.Expr) tail.Expr {
		t, ok := e.(*tail.Tuple)
		if !ok {
			d.fits = d.fits && isCallOf(e, d.f)
			return e
		}
		kept := &tail.Tuple{At: t.At}
		for i, x := range t.Elems {
			r, named := x.(*tail.Ref)
			if _, isSum := d.sums[i]; d.live[i] {
				kept.Elems = append(kept.Elems, x)
			} else if isSum && named {
				sums[r.Var] = true
			}
		}
		if len(kept.Elems) == 1 {
			return kept.Elems[0]
		}
		return kept
	})
	return (&dead{optimiser: d.optimiser, used: map[*tail.Var]bool{}, idle: sums}).expr(body)
}

// result is the type of what is live of the results.
func (d *resultDropper) result() tail.Type {
	t := &tail.TupleType{}
	for i, elem := range d.ty.Elems {
		if d.live[i] {
			t.Elems = append(t.Elems, elem)
		}
	}
	if len(t.Elems) == 1 {
		return t.Elems[0]
	}
	return t
}

// uses notes which components of calls e uses.
func (d *resultDropper) uses(e tail.Expr) {
	calls := map[*tail.Var]bool{}
	var look func(e tail.Expr)
	look = func(e tail.Expr) {
		switch e := e.(type) {
		case *tail.Let:
			if isCallOf(e.Bind, d.f) {
				calls[e.Var] = true
				tail.Children(e.Bind, look)
				look(e.Body)
				return
			}
		case *tail.Apply:
			if e.Op != tail.OpTally {
				break
			}
			if p, ok := e.Args[0].(*tail.Proj); ok && d.isComponent(p, calls) {
				d.counted(p.I)
				return
			}
		case *tail.Proj:
			if d.isComponent(e, calls) {
				d.live[e.I] = true
				return
			}
		case *tail.Ref:
			d.fits = d.fits && !calls[e.Var]
		case *tail.Call:
			d.fits = d.fits && (e.Fn != d.f || d.passed[e])
		}
		tail.Children(e, look)
	}
	look(e)
}

// counted notes that the length of a component is used, which one whose elements it sums has,
// too.
func (d *resultDropper) counted(i int) {
	if k, ok := d.sums[i]; ok && !d.live[i] {
		i = k
	}
	d.live[i] = true
}

// isComponent reports whether p is a component of what a call gives that is bound to a variable.
func (d *resultDropper) isComponent(p *tail.Proj, calls map[*tail.Var]bool) bool {
	r, ok := p.X.(*tail.Ref)
	return ok && calls[r.Var]
}

// drop drops the components that are not live.
func (d *resultDropper) drop() {
	result := d.result()
	d.f.Body, d.f.Result = d.some(d.f.Body), result
	d.bodies(func(e tail.Expr) tail.Expr {
		return (&resultUses{resultDropper: d, result: result, now: map[*tail.Var]*tail.Var{}}).expr(e)
	})
}

// resultUses replaces calls, and the components of what they give.
type resultUses struct {
	*resultDropper
	result tail.Type
	now    map[*tail.Var]*tail.Var // by variable of a call's results that of what is left of them
}

func (u *resultUses) expr(e tail.Expr) tail.Expr {
	switch x := e.(type) {
	case *tail.Let:
		if !isCallOf(x.Bind, u.f) {
			break
		}
		v := u.variable(x.Var.Name, u.result)
		u.now[x.Var] = v
		return &tail.Let{At: x.At, Var: v, Bind: u.expr(x.Bind), Body: u.expr(x.Body)}
	case *tail.Call:
		if x.Fn == u.f {
			c := *tail.MapChildren(x, u.expr).(*tail.Call)
			c.Ty = u.result
			return &c
		}
	case *tail.Apply:
		if x.Op != tail.OpTally {
			break
		}
		if p, ok := x.Args[0].(*tail.Proj); ok && u.of(p) != nil {
			if k, sums := u.sums[p.I]; sums && !u.live[p.I] {
				return mustApply(x.Where, tail.OpTally, u.component(u.of(p), k))
			}
		}
	case *tail.Proj:
		if from := u.of(x); from != nil {
			return u.component(from, x.I)
		}
	}
	return tail.MapChildren(e, u.expr)
}

// of is what is left of the results of a call, of which p is a component; nil for others.
func (u *resultUses) of(p *tail.Proj) tail.Expr {
	if r, ok := p.X.(*tail.Ref); ok && u.now[r.Var] != nil {
		return &tail.Ref{At: r.At, Var: u.now[r.Var]}
	}
	return nil
}

// component is component i of what e is left of.
func (u *resultUses) component(e tail.Expr, i int) tail.Expr {
	if len(remaining(u.live, not(u.live))) == 1 {
		return e
	}
	return &tail.Proj{At: tail.At{Where: e.Span()}, X: e, I: len(remaining(u.live[:i], not(u.live[:i])))}
}

// findSums finds the components that are the sums of the elements of others before each.
func (d *resultDropper) findSums() {
	s := &resultSums{f: d.f, defs: map[*tail.Var]tail.Expr{}}
	tail.Walk(d.f.Body, func(e tail.Expr) bool {
		if let, ok := e.(*tail.Let); ok {
			s.defs[let.Var] = let.Bind
		}
		return true
	})
	for j := range d.ty.Elems {
		for k := range d.ty.Elems {
			if _, also := d.sums[k]; j != k && !also && isIntVector(d.ty.Elems[j]) && isIntVector(d.ty.Elems[k]) && s.always(d.f.Body, j, k) {
				d.sums[j] = k
				break
			}
		}
	}
}

func isIntVector(t tail.Type) bool {
	a, ok := t.(*tail.Array)
	return ok && a.Elem == array.Int && tail.IsRank(a, 1)
}

// resultSums finds sums in the results of a function.
type resultSums struct {
	f    *tail.Func
	defs map[*tail.Var]tail.Expr
}

// always reports whether component j of all results is the sums of the elements of
// component k before each.
func (s *resultSums) always(body tail.Expr, j, k int) bool {
	all, some := true, false
	eachTail(body, func(e tail.Expr) {
		t, ok := e.(*tail.Tuple)
		some = some || ok
		all = all && (ok && s.are(t.Elems[j], t.Elems[k], j, k) || isCallOf(e, s.f))
	})
	return all && some
}

// are reports whether x is the sums of the elements of y, as the results of a call are: both
// are empty, or x is 0 and sums that are greater by n, and y is n and what the call gave.
// Sums of lengths of vectors that there are do not overflow.
func (s *resultSums) are(x, y tail.Expr, j, k int) bool {
	n, none := tail.TypeOf(x).Extent(0).IsConst()
	if m, both := tail.TypeOf(y).Extent(0).IsConst(); none && both && n == 0 && m == 0 {
		return true
	}
	zero, sums := s.cut(x)
	first, rest := s.cut(y)
	if zero == nil || first == nil {
		return false
	}
	each, ok := s.named(sums).(*tail.Apply)
	if c, known := tail.ConstInt(zero); !known || c != 0 || !ok || each.Op != tail.OpEach {
		return false
	}
	f := each.Args[0].(*tail.Lam)
	add, ok := f.Body.(*tail.Apply)
	if !ok || add.Op != tail.OpAddI || !s.isComponent(each.Args[1], j) || !s.isComponent(rest, k) {
		return false
	}
	for i, a := range add.Args {
		other := add.Args[1-i]
		length, ok := s.named(other).(*tail.Apply)
		if ok && tail.IsRef(a, f.Params[0]) && length.Op == tail.OpTally && s.text(other) == s.text(first) {
			return true
		}
	}
	return false
}

func (s *resultSums) text(e tail.Expr) string {
	return (&stateClasses{defs: s.defs}).text(e, maxEqualDepth)
}

// named is what the variable e is bound to, or e.
func (s *resultSums) named(e tail.Expr) tail.Expr {
	if r, ok := e.(*tail.Ref); ok && s.defs[r.Var] != nil {
		return s.defs[r.Var]
	}
	return e
}

// isComponent reports whether e is component i of what a call of the function gave.
func (s *resultSums) isComponent(e tail.Expr, i int) bool {
	p, ok := s.named(e).(*tail.Proj)
	return ok && p.I == i && isCallOf(s.named(p.X), s.f)
}

// cut is the first element of a vector and the others, nil where these are not apart.
func (s *resultSums) cut(e tail.Expr) (first, rest tail.Expr) {
	a, ok := s.named(e).(*tail.Apply)
	switch {
	case !ok:
	case a.Op == tail.OpCons:
		return a.Args[0], a.Args[1]
	case a.Op == tail.OpCat:
		switch one := s.named(a.Args[0]).(type) {
		case *tail.Vec:
			if len(one.Elems) == 1 {
				return one.Elems[0], a.Args[1]
			}
		case *tail.Lit:
			if one.Value.Rank() == 1 && one.Value.Len() == 1 {
				return tail.NewLit(one.Where, elementOf(one.Value, 0)), a.Args[1]
			}
		}
	}
	return nil, nil
}
