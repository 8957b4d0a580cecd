package opt

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

const (
	// fewCompared is the length of the longest known vector in which single elements are
	// looked for one by one, and fewFound the number of elements that are.
	fewCompared = 16
	fewFound    = 8
)

// searched is what a function looks for: a scalar, or all elements of an array, in a
// vector.
type searched struct {
	table, items tail.Expr
	member       bool // whether it is there, not where
}

// searchIn returns the search that e is; nil where it is none.
//
//	indexof(k,x)    member(x,k)    reduce(orb,ff,each(fn v => eqi(v,x),k))
func searchIn(e *tail.Apply) *searched {
	var s *searched
	switch e.Op {
	case tail.OpIndexOf:
		s = &searched{e.Args[0], e.Args[1], false}
	case tail.OpMember:
		s = &searched{e.Args[1], e.Args[0], true}
	case tail.OpReduce:
		s = anyEqual(e)
	}
	if s == nil || !tail.IsRank(tail.TypeOf(s.table), 1) {
		return nil
	}
	if elem := tail.TypeOf(s.table).Elem; elem != array.Int && elem != array.Char {
		return nil
	}
	if n, known := tail.TypeOf(s.table).Extent(0).IsConst(); known && n <= fewCompared {
		return nil
	}
	return s
}

// anyEqual is the search that e is where it asks whether a scalar is equal to an element of
// a vector.
func anyEqual(e *tail.Apply) *searched {
	f, isLam := e.Args[0].(*tail.Lam)
	each, isEach := e.Args[2].(*tail.Apply)
	if zero, ok := tail.ConstInt(e.Args[1]); !ok || zero != 0 || !isLam || !tail.IsOpLam(f, tail.OpOrB) || !isEach || each.Op != tail.OpEach {
		return nil
	}
	g, isLam := each.Args[0].(*tail.Lam)
	if !isLam {
		return nil
	}
	eq, ok := g.Body.(*tail.Apply)
	if !ok || eq.Op != tail.OpEqI && eq.Op != tail.OpEqC {
		return nil
	}
	v, x := eq.Args[0], eq.Args[1]
	if tail.IsRef(x, g.Params[0]) {
		v, x = x, v
	}
	if !tail.IsRef(v, g.Params[0]) || tail.Mentions(x, g.Params[0]) {
		return nil
	}
	return &searched{each.Args[1], x, true}
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
		return nil
	}
	table, in := h.table(e, tail.OpItemTable, s.table)
	if table == nil {
		return nil
	}
	place := func(x tail.Expr) tail.Expr {
		p := mustApply(e.Where, tail.OpItemPlace, table, tail.Copy(in[0]), x)
		if s.member {
			p = mustApply(e.Where, tail.OpLteI, p, mustApply(e.Where, tail.OpTally, tail.Copy(in[0])))
		}
		return p
	}
	ty := tail.TypeOf(s.items)
	if tail.IsRank(ty, 0) {
		return place(s.items)
	}
	v := h.variable("v", tail.Scalar(ty.Elem))
	f := &tail.Lam{At: e.At, Params: []*tail.Var{v}, Body: place(&tail.Ref{At: e.At, Var: v})}
	return mustApply(e.Where, tail.OpEach, f, s.items)
}

// table returns the table that op makes of vectors, in front of the functions around e that
// these do not depend on, and names of the vectors; nil where there are no such functions,
// where they are applied a few times, and where more has to move than views.
func (h *hoister) table(e *tail.Apply, op tail.Op, of ...tail.Expr) (table tail.Expr, named []tail.Expr) {
	var all levels
	for _, x := range of {
		for _, v := range tail.FreeVars(x) {
			all |= h.vars[v]
		}
		if !h.isView(x) {
			return nil, nil
		}
	}
	top := all.top()
	if top >= h.depth || h.appliedFrom(top) < fewFound {
		return nil, nil
	}
	before := func(name string, x tail.Expr) tail.Expr {
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
	return before("t", mustApply(e.Where, op, named...)), named
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

// appliedFrom is the least known number of times that the functions inside of that at a
// depth are applied; fewFound where it is not known to be less.
func (h *hoister) appliedFrom(depth int) int64 {
	times := int64(1)
	for _, n := range h.times[depth:] {
		if times *= n; times >= fewFound {
			return fewFound
		}
	}
	return times
}

// timesOf is how often a function is applied that e applies, fewFound where it is not known
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
		return fewFound
	}
	return min(max(n, 1), fewFound)
}
