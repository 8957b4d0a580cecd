package search

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/elements"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// nearest finds the place of the least of the distances of points from few
// others, where only these places are asked for:
//
//	{⍵⍳⌊/⍵}⍤1⊢points+.{(⍺-⍵)*2}⍉centres
//
// becomes
//
//	near = run-time nearest(points, centres)    places, 0 where it cannot tell
//	segmap i = 0 … n
//	  if near[i] = 0: near[i] = the place by exact distances
//
// The library's function compares approximate distances and leaves out points
// where the bound of its error does not show that the exact ones, compared
// tolerantly, have their least at that place (cgen/rt/nearest.c). It reads each
// point once, and its arithmetic is fused, which exact distances must not be.
//
// Distances are sums of squares of differences, or their roots, however they are
// written; what gives them is found by following an element through the
// functions that make it (elements.go). The place is that of indexof, of the
// first of a grade, or of the number of leading elements that differ from the
// least.
//
// Requires: distances and least distances that nothing else reads; extents of
// points and centres that are known to fit. Preserves: places; nothing here can
// fault.
const (
	nearestPoints  = 256 // the fewest points, where their number is known
	nearestCentres = 3
	nearestRow     = 256 // the most distances that are kept in the stack frame
	nearestAxes    = 256 // the most axes that the library takes
)

// distance is a matrix of distances.
type distance struct {
	x, c    *elements.Element // a number of a point, and of a centre
	i, k, d *elements.Axis
	root    bool
}

// distanceOf returns the distances that e gives for point i and centre k; nil
// where it gives something else.
func distanceOf(e *elements.Element, i, k *elements.Axis) *distance {
	t := &distance{i: i, k: k, d: &elements.Axis{}}
	e = e.Opened()
	if r := e.ScalarOf(tail.OpSqrtD); r != nil {
		t.root = true
		e = r[0].Opened()
	}
	e = e.Reduced(tail.OpAddD, t.d)
	if e == nil {
		return nil
	}
	v := e.Opened().ScalarOf(tail.OpMulD)
	if v == nil || !v[0].Equal(v[1]) {
		return nil
	}
	w := v[0].Opened().ScalarOf(tail.OpSubD)
	if w == nil {
		return nil
	}
	t.x, t.c = w[0].Settled(), w[1].Settled()
	if t.c.Has(i) {
		t.x, t.c = t.c, t.x
	}
	if !t.x.Has(i) || !t.x.Has(t.d) || !t.c.Has(k) || !t.c.Has(t.d) || !plainMatrix(t.x) || !plainMatrix(t.c) || !t.worth() {
		return nil
	}
	return t
}

// plainMatrix reports whether e is of a matrix of doubles that can be had where its
// scope is not known.
func plainMatrix(e *elements.Element) bool {
	t, ok := e.Of.Type().(*tail.Array)
	return ok && t.Dims() == 2 && build.KindOf(t.Elem) == ir.F64 && e.Free()
}

// worth reports whether there is something to gain, as far as it is known.
func (t *distance) worth() bool {
	at := func(e *elements.Element, a *elements.Axis) tail.Size {
		if e.Ix[0] == a {
			return tail.TypeOf(e.Of).Extent(0)
		}
		return tail.TypeOf(e.Of).Extent(1)
	}
	t.i.N, t.k.N = at(t.x, t.i), at(t.c, t.k)
	n, ok := t.i.N.IsConst()
	k, ok2 := t.k.N.IsConst()
	d, ok3 := t.d.N.IsConst()
	return at(t.x, t.d).Equal(t.d.N) && at(t.c, t.d).Equal(t.d.N) && !(ok && n < nearestPoints) &&
		!(ok2 && (k < nearestCentres || k > 1<<16)) && !(ok3 && (d < 2 || d > nearestAxes))
}

// leastPlaces are the places of the least in the rows of a matrix.
type leastPlaces struct {
	rows   *elements.Element // an element of the matrix, at i and k
	i, k   *elements.Axis
	least  *tail.Var // the variable that has the least ones, or nil
	base   int64     // of the places
	graded bool      // equality is exact
	differ bool      // elements are compared by ≠
}

// leastPlacesOf returns the places that e gives, nil where it is something else.
// defs has what variables outside stand for.
func leastPlacesOf(e *tail.Apply, defs map[*tail.Var]tail.Expr) *leastPlaces {
	t, ok := e.Ty.(*tail.Array)
	if !ok || t.Dims() != 1 {
		return nil
	}
	p := &leastPlaces{i: &elements.Axis{}, k: &elements.Axis{}}
	switch e.Op {
	case tail.OpCells:
		if tail.TypeOf(e.Args[1]).Dims() != 2 || e.Ks[0] != 1 {
			return nil
		}
		return p.ofCells((elements.At(e, p.i)).Opened())
	case tail.OpEach: // 1+
		f := tail.LamOf(e.Args[0])
		v, ok := f.Body.(*tail.Apply)
		from, ok2 := e.Args[1].(*tail.Apply)
		if !ok || !ok2 || v.Op != tail.OpAddI || from.Op != tail.OpReduce {
			return nil
		}
		for j, x := range v.Args {
			if one, ok := v.Args[1-j].(*tail.Lit); ok && build.RefersTo(x, f.Params[0]) && one.Value.Rank() == 0 && ir.IsInt(build.Constant(one.Value, 0), 1) {
				if p := leastPlacesOf(from, defs); p != nil {
					p.base = 1
					return p
				}
			}
		}
	case tail.OpReduce:
		m, op := leadingOf(e)
		if m == nil || op != tail.OpAndB || tail.TypeOf(m).Dims() != 2 {
			return nil
		}
		v := (elements.At(m, p.i, p.k)).Opened().ScalarOf(tail.OpNeqD)
		if v == nil {
			return nil
		}
		p.differ = true
		for j, least := range v {
			p.rows = v[1-j].Settled()
			if p.leastIs(least, defs) {
				return p
			}
		}
	}
	return nil
}

// ofCells finds places that are looked for in one row.
func (p *leastPlaces) ofCells(e *elements.Element) *leastPlaces {
	of, ok := e.Of.(*tail.Apply)
	if !ok || len(e.Ix) > 0 {
		return nil
	}
	p.base = 1
	switch of.Op {
	case tail.OpIndexOf:
		t, ok := of.Args[0].Type().(*tail.Array)
		if !ok || t.Dims() != 1 || build.KindOf(t.Elem) != ir.F64 || tail.TypeOf(of.Args[1]).Dims() != 0 {
			return nil
		}
		p.rows = e.Part(of.Args[0], p.k).Settled()
		if p.leastIs(e.Part(of.Args[1]), nil) {
			return p
		}
	case tail.OpFirst:
		grade, ok := of.Args[0].(*tail.Apply)
		if !ok || grade.Op != tail.OpGradeUp {
			return nil
		}
		if t := tail.TypeOf(grade.Args[0]); t.Dims() == 1 && build.KindOf(t.Elem) == ir.F64 {
			p.rows, p.graded = e.Part(grade.Args[0], p.k).Settled(), true
			return p
		}
	}
	return nil
}

// leastIs reports whether least is the least of a row.
func (p *leastPlaces) leastIs(least *elements.Element, defs map[*tail.Var]tail.Expr) bool {
	least = least.Opened()
	if r, ok := least.Of.(*tail.Ref); ok && defs[r.Var] != nil {
		p.least = r.Var
		least = elements.At(defs[r.Var], least.Ix...).Opened()
	}
	k := &elements.Axis{}
	row := least.Reduced(tail.OpMinD, k)
	if row == nil {
		return false
	}
	row = row.Settled()
	for j, a := range row.Ix {
		if a == k {
			row.Ix = append([]*elements.Axis{}, row.Ix...)
			row.Ix[j] = p.k
		}
	}
	return row.Equal(p.rows)
}

// Lets binds the variable of a let.
func Lets(g *build.Builder, let *tail.Let) {
	if !Elsewhere(g, let) {
		g.Bind(let, g.Expr(let.Bind))
	}
}

// Elsewhere reports whether the variable of a let is for places that are found
// another way, and finds them.
func Elsewhere(g *build.Builder, let *tail.Let) bool {
	if g.Unread[let.Var] {
		return true
	}
	if e, p, t := soughtIn(g, let); e != nil {
		if g.Nest == nil {
			g.Found[e] = nearest(g, t, p)
			g.Unread[let.Var] = true
			if p.least != nil {
				g.Unread[p.least] = true
			}
			return true
		}
		delete(g.Found, e)
		delete(g.Unread, p.least)
	}
	return false
}

// soughtIn returns the expression of places in the rows of a matrix of
// distances that a let binds, where nothing else reads it.
func soughtIn(g *build.Builder, let *tail.Let) (*tail.Apply, *leastPlaces, *distance) {
	ty, ok := let.Var.Type.(*tail.Array)
	if !ok || ty.Dims() != 2 || build.KindOf(ty.Elem) != ir.F64 || !g.On("nearest") {
		return nil, nil, nil
	}
	i, k := &elements.Axis{}, &elements.Axis{}
	if distanceOf(elements.At(let.Bind, i, k), i, k) == nil {
		return nil, nil, nil
	}
	var found *tail.Apply
	var p *leastPlaces
	defs := map[*tail.Var]tail.Expr{}
	tail.Walk(let.Body, func(x tail.Expr) bool {
		switch x := x.(type) {
		case *tail.Let:
			defs[x.Var] = x.Bind
		case *tail.Apply:
			q := leastPlacesOf(x, defs)
			if q == nil || found != nil {
				break
			}
			if r, ok := q.rows.Of.(*tail.Ref); ok && r.Var == let.Var && q.rows.Ix[0] == q.i {
				found, p = x, q
			}
		}
		return found == nil
	})
	if found == nil {
		return nil, nil, nil
	}
	if p.least != nil && (g.Live.Count[p.least] != 1 || leftOver(g, defs[p.least])) || leftOver(g, found) || leftOver(g, let.Bind) {
		return nil, nil, nil
	}
	if n := usesIn(found, let.Var); p.least == nil && g.Live.Count[let.Var] != n || p.least != nil && g.Live.Count[let.Var] != n+usesIn(defs[p.least], let.Var) {
		return nil, nil, nil
	}
	return found, p, distanceOf(elements.At(let.Bind, p.i, p.k), p.i, p.k)
}

// Sought lowers places that are asked for where the distances are computed;
// nil where e is nothing of the kind.
func Sought(g *build.Builder, e *tail.Apply) *build.Value {
	if v := g.Found[e]; v != nil {
		return v
	}
	if g.Nest != nil || !g.On("nearest") {
		return nil
	}
	p := leastPlacesOf(e, nil)
	if p == nil {
		return nil
	}
	t := distanceOf(p.rows, p.i, p.k)
	if t == nil || leftOver(g, e) {
		return nil
	}
	return nearest(g, t, p)
}

// leftOver reports whether there is a variable in e that nothing mentions: it
// stands for an effect, or for a fault.
func leftOver(g *build.Builder, e tail.Expr) bool {
	found := false
	tail.Walk(e, func(x tail.Expr) bool {
		if let, ok := x.(*tail.Let); ok && g.Live.Count[let.Var] == 0 {
			found = true
		}
		return !found
	})
	return found
}

// usesIn counts the uses of v in e.
func usesIn(e tail.Expr, v *tail.Var) int {
	n := 0
	tail.Walk(e, func(x tail.Expr) bool {
		if r, ok := x.(*tail.Ref); ok && r.Var == v {
			n++
		}
		return true
	})
	return n
}
