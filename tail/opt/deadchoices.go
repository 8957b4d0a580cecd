package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
)

// dropChoices drops the arrays of what a condition gives that nothing uses, and those that another
// one is in each branch:
//
//	let v:((int, <int>9), <int>9) = if c then ((0,b),b) else let b1 = f(b) in ((1,b1),b1) in
//	g(#0(#0(v)),#1(#0(v)))
//
// becomes
//
//	let v:(int, <int>9) = if c then (0,b) else let b1 = f(b) in (1,b1) in g(#0(v),#1(v))
//
// An array that is given twice could not be changed where it is stored.
func dropChoices(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		d := &choiceDropper{optimiser: o, all: map[*tail.Var]*choice{}}
		d.find(e)
		if len(d.all) == 0 {
			return e
		}
		d.uses(e)
		for v, c := range d.all {
			if !d.decide(c) {
				delete(d.all, v)
			}
		}
		return d.expr(e)
	})
}

type choiceDropper struct {
	*optimiser
	all map[*tail.Var]*choice
}

// choice is a condition that gives a tuple, whose arrays are counted from the left.
type choice struct {
	ty       *tail.TupleType
	branches [][]tail.Expr // the arrays that each branch gives
	used     []bool        // which arrays are used
	place    []int         // where each one is in what is left, -1 for nowhere
	now      *tail.Var
	result   tail.Type
}

// find finds the conditions whose branches are tuples of arrays.
func (d *choiceDropper) find(e tail.Expr) {
	tail.Walk(e, func(e tail.Expr) bool {
		let, ok := e.(*tail.Let)
		if !ok {
			return true
		}
		branch, isBranch := let.Bind.(*tail.If)
		ty, isTuple := let.Var.Type.(*tail.TupleType)
		if !isBranch || !isTuple {
			return true
		}
		c, fits := &choice{ty: ty, used: make([]bool, len(arraysOf(ty, nil)))}, true
		eachTail(branch, func(e tail.Expr) {
			arrays, ok := arraysIn(e, nil)
			fits = fits && ok && len(arrays) == len(c.used)
			c.branches = append(c.branches, arrays)
		})
		if fits {
			d.all[let.Var] = c
		}
		return true
	})
}

// arraysIn appends the arrays of a tuple that is written, or named.
func arraysIn(e tail.Expr, all []tail.Expr) (arrays []tail.Expr, ok bool) {
	t, isTuple := e.Type().(*tail.TupleType)
	if !isTuple {
		return append(all, e), true
	}
	made, written := e.(*tail.Tuple)
	if !written && !isNamed(e) {
		return nil, false
	}
	for i := range t.Elems {
		var x tail.Expr = &tail.Proj{At: tail.At{Where: e.Span()}, X: e, I: i}
		if written {
			x = made.Elems[i]
		}
		if all, ok = arraysIn(x, all); !ok {
			return nil, false
		}
	}
	return all, true
}

// uses notes which arrays of the conditions e uses.
func (d *choiceDropper) uses(e tail.Expr) {
	if c, from, ty := d.part(e); c != nil {
		for i := range countArrays(ty) {
			c.used[from+i] = true
		}
		return
	}
	tail.Children(e, d.uses)
}

// part is the condition that e is a part of, if any, the first array of the part, and its type.
func (d *choiceDropper) part(e tail.Expr) (c *choice, from int, ty tail.Type) {
	switch x := e.(type) {
	case *tail.Ref:
		if c := d.all[x.Var]; c != nil {
			return c, 0, c.ty
		}
	case *tail.Proj:
		c, from, ty := d.part(x.X)
		if c == nil {
			return nil, 0, nil
		}
		elems := ty.(*tail.TupleType).Elems
		for _, before := range elems[:x.I] {
			from += countArrays(before)
		}
		return c, from, elems[x.I]
	}
	return nil, 0, nil
}

// countArrays is the number of arrays of a value.
func countArrays(ty tail.Type) int {
	if t, ok := ty.(*tail.TupleType); ok {
		return len(arraysOf(t, nil))
	}
	return 1
}

// decide finds what is left of a condition, and reports whether that is less.
func (d *choiceDropper) decide(c *choice) bool {
	types := arraysOf(c.ty, nil)
	left := &tail.TupleType{}
	var kept []int
	for i := range types {
		place := -1
		switch j := slices.IndexFunc(kept, func(j int) bool { return c.same(i, j) && tail.Equal(types[i], types[j]) }); {
		case j >= 0:
			place = j
		case c.used[i] || !d.dropped(c, i):
			place, kept = len(kept), append(kept, i)
			left.Elems = append(left.Elems, types[i])
		}
		c.place = append(c.place, place)
	}
	if len(kept) == 0 || len(kept) == len(types) {
		return false
	}
	c.result = left
	if len(kept) == 1 {
		c.result = left.Elems[0]
	}
	c.now = d.variable("t", c.result)
	return true
}

// same reports whether every branch gives one named array as arrays i and j.
func (c *choice) same(i, j int) bool {
	return !slices.ContainsFunc(c.branches, func(arrays []tail.Expr) bool { return !sameNamed(arrays[i], arrays[j]) })
}

// sameNamed reports whether two expressions are the same variable, or the same component of one.
func sameNamed(a, b tail.Expr) bool {
	switch a := a.(type) {
	case *tail.Ref:
		b, ok := b.(*tail.Ref)
		return ok && a.Var == b.Var
	case *tail.Proj:
		b, ok := b.(*tail.Proj)
		return ok && a.I == b.I && sameNamed(a.X, b.X)
	}
	return false
}

// dropped reports whether no branch needs to compute array i.
func (d *choiceDropper) dropped(c *choice, i int) bool {
	return !slices.ContainsFunc(c.branches, func(arrays []tail.Expr) bool { return !d.effects.Dropped(arrays[i]) })
}

// expr replaces the conditions, and their parts.
func (d *choiceDropper) expr(e tail.Expr) tail.Expr {
	if let, ok := e.(*tail.Let); ok {
		frames, last := unlet(let, nil)
		for i, f := range frames {
			frames[i].bind = d.expr(f.bind)
			if c := d.all[f.v]; c != nil {
				frames[i].v, frames[i].bind = c.now, mapTail(frames[i].bind, c.result, c.left)
			}
		}
		return rebuilt(frames, d.expr(last))
	}
	if c, from, ty := d.part(e); c != nil {
		return c.value(e, &from, ty)
	}
	return tail.MapChildren(e, d.expr)
}

// left is what is left of what a branch gives.
func (c *choice) left(e tail.Expr) tail.Expr {
	arrays, _ := arraysIn(e, nil)
	all := &tail.Tuple{At: tail.At{Where: e.Span()}}
	for i, x := range arrays {
		if c.place[i] == len(all.Elems) {
			all.Elems = append(all.Elems, x)
		}
	}
	if len(all.Elems) == 1 {
		return all.Elems[0]
	}
	return all
}

// value is the part of a condition from an array on, as e is one.
func (c *choice) value(e tail.Expr, from *int, ty tail.Type) tail.Expr {
	at := tail.At{Where: e.Span()}
	if t, ok := ty.(*tail.TupleType); ok {
		all := &tail.Tuple{At: at, Shape: t.Shape, Proto: t.Proto, Item: t.Item}
		for _, elem := range t.Elems {
			all.Elems = append(all.Elems, c.value(e, from, elem))
		}
		return all
	}
	i := c.place[*from]
	*from++
	var x tail.Expr = &tail.Ref{At: at, Var: c.now}
	if _, several := c.result.(*tail.TupleType); several {
		x = &tail.Proj{At: at, X: x, I: i}
	}
	return x
}
