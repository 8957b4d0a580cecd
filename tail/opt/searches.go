package opt

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

const (
	// fewCompared is the length of the longest known vector in which single elements are
	// looked for one by one, fewFound the number of elements that are, and fewConstant
	// the length of a vector of constants, of which the loops make a table.
	fewCompared = 32
	fewFound    = 8
	fewConstant = 256
)

// searched is what a function looks for: a scalar, or all elements of an array, in an
// array.
type searched struct {
	table, items tail.Expr
	answer       answer
}

// answer is what a search says of the place that it finds.
type answer uint8

const (
	itself  answer = iota
	before         // one less
	whether        // whether there is one
	whetherNot
)

// searchIn returns the search that e is; nil where it is none.
//
//	indexof(k,x)
//	indexof(each(fn v => eqi(v,x),k),tt)
//	reduce(addi,0,each(b2i,scan(andb,each(fn v => neqi(v,x),k))))
//	member(x,k)
//	member(tt,each(fn v => eqi(v,x),k))
//	reduce(orb,ff,each(fn v => eqi(v,x),k))
//	reduce(andb,tt,each(fn v => neqi(v,x),k))
func searchIn(e *tail.Apply) *searched {
	s := elementsIn(e)
	if s == nil {
		return nil
	}
	ty := tail.TypeOf(s.table)
	if ty.Elem != array.Int && ty.Elem != array.Char || ty.Dims() == 0 {
		return nil
	}
	if n, known := elementCount(ty); known && n <= fewCompared {
		return nil
	}
	return s
}

func elementsIn(e *tail.Apply) *searched {
	switch e.Op {
	case tail.OpIndexOf:
		if m := equalities(e.Args[0], e.Args[1], false); m != nil {
			return m
		}
		return &searched{e.Args[0], e.Args[1], itself}
	case tail.OpMember:
		if m := equalities(e.Args[1], e.Args[0], false); m != nil {
			m.answer = whether
			return m
		}
		return &searched{e.Args[1], e.Args[0], whether}
	case tail.OpReduce, tail.OpReduce1:
		return reduced(e)
	}
	return nil
}

// equalities is the search for an equal element, or with others for a different one of all,
// where e says of each element of an array whether it is equal to a scalar and x is 1; nil
// where they are something else.
func equalities(e, x tail.Expr, others bool) *searched {
	if one, ok := tail.ConstInt(x); !ok || one != 1 {
		return nil
	}
	each := eachOf(e, func(f *tail.Lam) bool { op, ok := tail.EtaReduced(f); return ok && op == tail.OpB2I })
	if each != nil {
		e = each.Args[1]
	}
	var found *searched
	eachOf(e, func(f *tail.Lam) bool {
		eq, ok := f.Body.(*tail.Apply)
		if !ok || others && eq.Op != tail.OpNeqI && eq.Op != tail.OpNeqC || !others && eq.Op != tail.OpEqI && eq.Op != tail.OpEqC {
			return false
		}
		v, x := eq.Args[0], eq.Args[1]
		if tail.Mentions(x, f.Params[0]) {
			v, x = x, v
		}
		if tail.Mentions(v, f.Params[0]) && !tail.Mentions(x, f.Params[0]) {
			found = &searched{mapped(f.Params[0], v, e.(*tail.Apply)), x, itself}
		}
		return found != nil
	})
	return found
}

// mapped is what of computes from each element v of what each maps.
func mapped(v *tail.Var, of tail.Expr, each *tail.Apply) tail.Expr {
	if tail.IsRef(of, v) {
		return tail.Copy(each.Args[1])
	}
	f := tail.Copy(&tail.Lam{At: tail.At{Where: each.Where}, Params: []*tail.Var{v}, Body: of})
	return mustApply(each.Where, tail.OpEach, f, tail.Copy(each.Args[1]))
}

// eachOf returns e where it is an each of a function that suits, else nil.
func eachOf(e tail.Expr, suits func(f *tail.Lam) bool) *tail.Apply {
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpEach {
		return nil
	}
	if f, ok := a.Args[0].(*tail.Lam); !ok || !suits(f) {
		return nil
	}
	return a
}

// reduced is the search that a reduction of comparisons with a scalar is, or nil.
func reduced(e *tail.Apply) *searched {
	f, ok := e.Args[0].(*tail.Lam)
	last := e.Args[len(e.Args)-1]
	if !ok || !tail.IsRank(tail.TypeOf(last), 1) {
		return nil
	}
	yes := tail.Expr(tail.NewInt(e.Where, 1))
	is := func(op tail.Op, neutral int64) bool {
		k, ok := tail.ConstInt(e.Args[1])
		return tail.IsOpLam(f, op) && (e.Op == tail.OpReduce1 || ok && k == neutral)
	}
	var s *searched
	switch {
	case is(tail.OpOrB, 0):
		if s = equalities(last, yes, false); s != nil {
			s.answer = whether
		}
	case is(tail.OpAndB, 1):
		if s = equalities(last, yes, true); s != nil {
			s.answer = whetherNot
		}
	case e.Op == tail.OpReduce && is(tail.OpAddI, 0):
		truths := eachOf(last, func(f *tail.Lam) bool { op, ok := tail.EtaReduced(f); return ok && op == tail.OpB2I })
		if truths == nil {
			return nil
		}
		scan, ok := truths.Args[1].(*tail.Apply)
		if !ok || scan.Op != tail.OpScan || !tail.IsOpLam(scan.Args[0].(*tail.Lam), tail.OpAndB) {
			return nil
		}
		if s = equalities(scan.Args[1], yes, true); s != nil {
			s.answer = before
		}
	}
	return s
}

// tabled returns the search e, in a function, for what is looked for in a vector from
// outside of it: by a table of the vector, which is made there; nil where e is nothing of
// the kind, or where it is known that few elements are looked for. Items of ragged vectors
// are looked for in the same way.
//
//	each(fn x => … indexof(k,x) …,t)
//
// becomes
//
//	let t1 = itemtable(k) in each(fn x => … itemplace(t1,k,x) …,t)
func (h *hoister) tabled(e *tail.Apply) tail.Expr {
	if e.Op == tail.OpRaggedPlace {
		if n, ok := tail.TypeOf(e.Args[0]).Extent(0).IsConst(); !ok || n != 0 {
			return nil
		}
		table, in := h.table(e, tail.OpRaggedTable, e.Args[1:4]...)
		if table == nil {
			return nil
		}
		return e.WithArgs([]tail.Expr{table, in[0], in[1], in[2], e.Args[4]})
	}
	s := searchIn(e)
	if s == nil {
		if x := h.grouped(e); x != nil {
			return x
		}
		return h.foundBefore(e)
	}
	if h.constant(s.table) {
		return nil
	}
	ty := tail.TypeOf(s.items)
	if !tail.IsRank(ty, 0) {
		return h.tabledAll(e, s)
	}
	table, in := h.table(e, tail.OpItemTable, raveled(s.table))
	if table == nil {
		return nil
	}
	return s.place(e, table, in[0], s.items)
}

// place is the answer for x by the table of k.
func (s *searched) place(e *tail.Apply, table, k, x tail.Expr) tail.Expr {
	p := mustApply(e.Where, tail.OpItemPlace, table, tail.Copy(k), x)
	n := func() tail.Expr { return mustApply(e.Where, tail.OpTally, tail.Copy(k)) }
	switch s.answer {
	case before:
		return mustApply(e.Where, tail.OpSubI, p, tail.NewInt(e.Where, 1))
	case whether:
		return mustApply(e.Where, tail.OpLteI, p, n())
	case whetherNot:
		return mustApply(e.Where, tail.OpGtI, p, n())
	}
	return p
}

// foundBefore is tabled for an element of an array of doubles or of complex numbers, all of
// which are looked for in front.
//
//	power(fn s => … indexof(k,index(v,i)) …,n,t)
//
// becomes
//
//	let p = indexof(k,v) in power(fn s => … index(p,i) …,n,t)
func (h *hoister) foundBefore(e *tail.Apply) tail.Expr {
	if e.Op != tail.OpIndexOf && e.Op != tail.OpMember {
		return nil
	}
	items, table := searchOperands(e)
	ty := tail.TypeOf(e.Args[table])
	if ty.Elem != array.Double && ty.Elem != array.Complex || !tail.IsRank(tail.TypeOf(e.Args[items]), 0) {
		return nil
	}
	x := h.named(e.Args[items])
	i2d, ok := x.(*tail.Apply)
	if ok = ok && i2d.Op == tail.OpI2D; ok {
		x = h.named(i2d.Args[0])
	}
	index, isIndex := x.(*tail.Apply)
	if !isIndex || index.Op != tail.OpIndex {
		return nil
	}
	v := index.Args[0]
	if ok {
		v = mustApply(e.Where, tail.OpEach, tail.NewOpLam(e.Where, tail.OpI2D), v)
	}
	all, _ := h.front(e, func(named []tail.Expr) tail.Expr {
		args := []tail.Expr{named[0], named[0]}
		args[items] = named[1]
		return mustApply(e.Where, e.Op, args...)
	}, e.Args[table], v)
	if all == nil {
		return nil
	}
	args := []tail.Expr{all}
	for _, i := range index.Args[1:] {
		args = append(args, tail.Copy(i))
	}
	found, bad := tail.NewApply(index.Where, tail.OpIndex, index.Axis, index.Ks, args...)
	if bad != nil {
		return nil
	}
	found.Blame = index.Blame
	return found
}

// named is what e is bound to, or e.
func (h *hoister) named(e tail.Expr) tail.Expr {
	if r, ok := e.(*tail.Ref); ok && h.defs[r.Var] != nil {
		return h.defs[r.Var]
	}
	return e
}

// tabledAll is tabled for all elements of an array. Where there are at least as many of them
// as in the table, the run-time is as fast.
//
//	let x = … in if ltei(tally(k),tally(x)) then indexof(k,x) else each(fn v => itemplace(t1,k,v),x)
func (h *hoister) tabledAll(e *tail.Apply, s *searched) tail.Expr {
	m, knownItems := elementCount(tail.TypeOf(s.items))
	n, knownTable := elementCount(tail.TypeOf(s.table))
	if r, ok := s.items.(*tail.Ref); knownItems && knownTable && m >= n || ok && h.many[r.Var] {
		return nil
	}
	table, in := h.table(e, tail.OpItemTable, raveled(s.table))
	if table == nil {
		return nil
	}
	x := h.variable("x", s.items.Type())
	v := h.variable("v", tail.Scalar(tail.TypeOf(s.items).Elem))
	all := func() tail.Expr { return &tail.Ref{At: e.At, Var: x} }
	f := &tail.Lam{At: e.At, Params: []*tail.Var{v}, Body: s.place(e, table, in[0], &tail.Ref{At: e.At, Var: v})}
	var found tail.Expr = mustApply(e.Where, tail.OpEach, f, all())
	if !knownItems {
		many := mustApply(e.Where, tail.OpLteI, mustApply(e.Where, tail.OpTally, tail.Copy(in[0])), mustApply(e.Where, tail.OpCount, all()))
		args := []tail.Expr{s.table, all()}
		if e.Op == tail.OpMember {
			args = []tail.Expr{all(), s.table}
		}
		found = &tail.If{At: e.At, Cond: many, Then: e.WithArgs(args), Else: found, Ty: e.Ty}
	}
	return &tail.Let{At: e.At, Var: x, Bind: s.items, Body: found}
}

// manyIn is the array of which a condition asks whether it has at least as many elements as
// something else, as tabledAll does; nil for other conditions.
func manyIn(e tail.Expr) *tail.Var {
	least, ok := e.(*tail.Apply)
	if !ok || least.Op != tail.OpLteI {
		return nil
	}
	count, ok := least.Args[1].(*tail.Apply)
	if !ok || count.Op != tail.OpCount && count.Op != tail.OpTally {
		return nil
	}
	if r, ok := count.Args[0].(*tail.Ref); ok {
		return r.Var
	}
	return nil
}

// elementCount is the number of elements of an array, if constant; of very many it is a bound.
func elementCount(ty *tail.Array) (int64, bool) {
	count := int64(1)
	for _, x := range tail.Extents(ty) {
		n, ok := x.IsConst()
		if !ok {
			return 0, false
		}
		if count *= n; count > math.MaxInt32 {
			count = math.MaxInt32
		}
	}
	return count, true
}

// raveled is the vector of the elements of e.
func raveled(e tail.Expr) tail.Expr {
	if tail.IsRank(tail.TypeOf(e), 1) {
		return e
	}
	return mustApply(e.Span(), tail.OpRavel, e)
}

// constant reports whether e is a short array of constants.
func (h *hoister) constant(e tail.Expr) bool {
	if r, ok := e.(*tail.Ref); ok {
		e = h.defs[r.Var]
	}
	l, ok := e.(*tail.Lit)
	return ok && l.Value.Len() <= fewConstant
}

// table returns the table that op makes of vectors, in front of the functions around e that
// these do not depend on, and names of the vectors; nil where there are no such functions,
// where they are applied a few times, and where more has to move than before moves.
func (h *hoister) table(e *tail.Apply, op tail.Op, of ...tail.Expr) (table tail.Expr, named []tail.Expr) {
	return h.front(e, func(named []tail.Expr) tail.Expr { return mustApply(e.Where, op, named...) }, of...)
}

// front is table for what made makes of arrays.
func (h *hoister) front(e *tail.Apply, made func(named []tail.Expr) tail.Expr, of ...tail.Expr) (table tail.Expr, named []tail.Expr) {
	before, named := h.before(e, fewFound, of...)
	if before == nil {
		return nil, nil
	}
	return before("t", made(named)), named
}

// before returns what puts lets in front of the functions around e that arrays do not depend on, and names of the
// arrays; nil where there are no such functions, where it is known that they are applied less than some number of
// times, and where more has to move than views, and arrays with a function of each element.
func (h *hoister) before(e *tail.Apply, times int64, of ...tail.Expr) (before func(string, tail.Expr) tail.Expr, named []tail.Expr) {
	for _, x := range of {
		if !h.isView(x) && !h.isMap(x) {
			return nil, nil
		}
	}
	all := h.levelsOf(of...)
	top := all.top()
	if top >= h.depth || h.appliedFrom(top) < times {
		return nil, nil
	}
	before = func(name string, x tail.Expr) tail.Expr {
		v := h.variable(name, x.Type())
		h.vars[v] = all
		h.moved[top] = append(h.moved[top], letFrame{e.At, v, x})
		return &tail.Ref{At: e.At, Var: v}
	}
	for _, x := range of {
		if _, ok := x.(*tail.Ref); !ok {
			x = before("h", x)
		}
		named = append(named, x)
	}
	return before, named
}

// levelsOf is the functions that expressions depend on.
func (h *hoister) levelsOf(list ...tail.Expr) levels {
	var all levels
	for _, x := range list {
		for _, v := range tail.FreeVars(x) {
			all |= h.vars[v]
		}
	}
	return all
}

// isView reports whether e is total and computes no elements of arrays.
func (h *hoister) isView(e tail.Expr) bool {
	view := h.effects.Total(e)
	tail.Walk(e, func(x tail.Expr) bool {
		switch x := x.(type) {
		case *tail.Apply:
			view = view && !computes(x)
		case *tail.Call, *tail.If, *tail.Let:
			view = false
		}
		return view
	})
	return view
}

// isMap reports whether e is total and a function of each element of views.
func (h *hoister) isMap(e tail.Expr) bool {
	a, ok := e.(*tail.Apply)
	return ok && (a.Op == tail.OpEach || a.Op == tail.OpZipWith) && h.bounded.Total(a) && !slices.ContainsFunc(a.Args[1:], func(x tail.Expr) bool { return !h.isView(x) })
}

// appliedFrom is the least known number of times that the functions inside of that at a
// depth are applied; fewGroups where it is not known to be less.
func (h *hoister) appliedFrom(depth int) int64 {
	times := int64(1)
	for _, n := range h.times[depth:] {
		if times *= n; times >= fewGroups {
			return fewGroups
		}
	}
	return times
}

// timesOf is how often a function is applied that e applies, fewGroups where it is not known
// to be less.
func timesOf(e *tail.Apply) int64 {
	var n int64
	known := false
	switch e.Op {
	case tail.OpEach:
		if ty := tail.TypeOf(e.Args[1]); tail.IsRank(ty, 1) {
			n, known = ty.Extent(0).IsConst()
		}
	case tail.OpItems, tail.OpPower:
		n, known = tail.ConstInt(e.Args[1])
	}
	if !known {
		return fewGroups
	}
	return min(max(n, 1), fewGroups)
}
