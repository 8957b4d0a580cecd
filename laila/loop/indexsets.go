package loop

import (
	"maps"
	"math"
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// IndexSets splits the innermost loops that choose by a comparison of their index with
// something that stays: where that is a constant of the whole nest the index set was
// split when the nest was made, but rows that are rotated by amounts of their own have
// a place of their own each.
//
//	segmap i = 0 … n; j = 0 … m
//	  var k = shift[i]
//	  if j < k
//	    y[(i × m) + j] = x[(i × m) + (j + m - k)]
//	  else
//	    y[(i × m) + j] = x[(i × m) + (j - k)]
//
// becomes
//
//	segmap i = 0 … n
//	  var k = shift[i]
//	  var mid = (k max 0) min m
//	  segmap j = 0 … mid: y[(i × m) + j] = x[(i × m) + (j + m - k)]
//	  segmap j = mid … m: y[(i × m) + j] = x[(i × m) + (j - k)]
//
// A variable that is one of two numbers, by such a comparison, and reaches the place of
// an element is a branch as well: loads from places that are chosen one by one are
// gathered, those of its two sides are not.
//
// A branch that does not depend on the index at all is taken outside of the loop.
//
// Requires: loops whose bodies have no loops. Preserves: the order of the iterations.
func IndexSets(l *pass.Context, f *ir.Func) { f.Body = indexSets(l, f.Body) }

const (
	// indexSetTrips is the least number of iterations of a loop that is split, where
	// it is known, and half of the least bound of it, indexSetBody the most statements of its body, indexSetLeaves the
	// most loops that it becomes.
	indexSetTrips  = 16
	indexSetBody   = 64
	indexSetLeaves = 4
)

func indexSets(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = indexSets(l, *inner)
		}
		switch s := s.(type) {
		case *ir.For:
			d := ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}
			out = append(out, splitSet(l, s, d, s.Body, func(d ir.Dim, body []ir.Stmt) ir.Stmt {
				return &ir.For{Var: d.Var, Lo: d.Lo, Hi: d.Hi, Body: body, Independent: s.Independent}
			})...)
		case *ir.Nest:
			out = append(out, splitNest(l, s)...)
		default:
			out = append(out, s)
		}
	}
	return out
}

// splitNest splits the innermost axis of a segmap.
func splitNest(l *pass.Context, n *ir.Nest) []ir.Stmt {
	last := len(n.Dims) - 1
	if n.Kind != ir.SegMap || last < 0 || len(n.Red)+len(n.Pre)+len(n.Post) > 0 {
		return []ir.Stmt{n}
	}
	inner := splitSet(l, n, n.Dims[last], n.Body, func(d ir.Dim, body []ir.Stmt) ir.Stmt {
		in := *n
		in.Dims, in.Body = []ir.Dim{d}, body
		return &in
	})
	if last == 0 || len(inner) == 1 && inner[0] == ir.Stmt(n) {
		return inner
	}
	outer := *n
	outer.Dims, outer.Body, outer.Even = n.Dims[:last:last], inner, true
	return []ir.Stmt{&outer}
}

// indexSet is a loop that is split.
type indexSet struct {
	l      *facts.Base
	v      *ir.Var
	make   func(d ir.Dim, body []ir.Stmt) ir.Stmt
	set    map[*ir.Var]bool    // variables that the body assigns to
	inits  map[*ir.Var]ir.Expr // what it declares them to be
	inside map[*ir.Var]bool    // what it declares
	stored map[*ir.Buf]bool    // arrays that it writes to
	places map[*ir.Var]bool    // variables that places in arrays are computed from
	out    map[*ir.Var]bool    // variables that have been moved out of the loop
	leaves int
	loads  bool // something that reads memory was moved out
}

// splitSet returns what a loop becomes, the loop itself where it is not split.
func splitSet(l *pass.Context, loop ir.Stmt, d ir.Dim, body []ir.Stmt, make func(ir.Dim, []ir.Stmt) ir.Stmt) []ir.Stmt {
	same := []ir.Stmt{loop}
	trips, known := ir.Trips(d)
	if !ir.IsLoopless(body) || ir.BlockSize(body, 32*indexSetBody) > 32*indexSetBody {
		return same
	}
	s := newIndexSet(l.Base, d.Var, body)
	s.make = make
	clamps := slices.ContainsFunc(body, s.clampsPlaces)
	if !branches(body) && !clamps && !slices.ContainsFunc(body, s.choosesPlace) {
		return same
	}
	if most, short := l.Trips[d.Var]; known && trips < indexSetTrips || short && most < 2*indexSetTrips {
		return same
	}
	if clamps {
		body = s.clamps(body)
		s = newIndexSet(l.Base, d.Var, body)
		s.make = make
	}
	split := s.split(nil, body, d.Lo, d.Hi)
	if s.leaves == 1 {
		return same
	}
	if s.loads && !known {
		split = []ir.Stmt{&ir.If{Cond: ir.OpLt.Of(d.Lo, d.Hi), Then: split}}
	}
	return split
}

// newIndexSet notes what the body of a loop over v declares, assigns and stores.
func newIndexSet(l *facts.Base, v *ir.Var, body []ir.Stmt) *indexSet {
	s := &indexSet{l: l, v: v, set: map[*ir.Var]bool{}, inits: map[*ir.Var]ir.Expr{}, inside: map[*ir.Var]bool{}, stored: map[*ir.Buf]bool{}, places: map[*ir.Var]bool{}, out: map[*ir.Var]bool{}, leaves: 1}
	flow.NoteAssigned(body, s.set)
	ir.Walk(body, func(x ir.Stmt) {
		switch x := x.(type) {
		case *ir.Decl:
			s.inside[x.Var] = true
			s.inits[x.Var] = x.Init
		case *ir.Store:
			s.stored[x.Buf] = true
		}
	})
	s.notePlaces(body)
	return s
}

// notePlaces notes the variables that places in arrays are computed from.
func (s *indexSet) notePlaces(body []ir.Stmt) {
	var note func(v *ir.Var)
	note = func(v *ir.Var) {
		if !s.places[v] {
			s.places[v] = true
			if x := s.inits[v]; x != nil {
				ir.EachUse(x, note)
			}
		}
	}
	ir.Walk(body, func(x ir.Stmt) {
		if x, ok := x.(*ir.Store); ok {
			ir.EachUse(x.Index, note)
		}
		for _, x := range ir.Exprs(x) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if x, ok := x.(*ir.Load); ok {
					ir.EachUse(x.Index, note)
				}
			})
		}
	})
}

// choosesPlace reports whether a statement declares a variable that is one of two
// numbers, by a comparison with the index, and that reaches a place.
func (s *indexSet) choosesPlace(x ir.Stmt) bool {
	d, choice, ok := s.choice(x)
	if !ok || !s.places[d.Var] {
		return false
	}
	_, ok = s.threshold(choice.Cond)
	return ok
}

// choice returns the variable that a statement declares to be one of two numbers.
func (s *indexSet) choice(x ir.Stmt) (*ir.Decl, *ir.Select, bool) {
	d, ok := x.(*ir.Decl)
	if !ok || s.set[d.Var] {
		return nil, nil, false
	}
	choice, ok := d.Init.(*ir.Select)
	return d, choice, ok
}

// asBranch returns the branch that a statement is: what is done on both sides.
func (s *indexSet) asBranch(x ir.Stmt) (*ir.If, bool) {
	if s.choosesPlace(x) {
		d, choice, _ := s.choice(x)
		return &ir.If{Cond: choice.Cond, Then: []ir.Stmt{d.Var.Decl(choice.Then)}, Else: []ir.Stmt{d.Var.Decl(choice.Else)}}, true
	}
	b, ok := x.(*ir.If)
	return b, ok
}

// split returns the loops over lo … hi of what is before and after, which chooses.
func (s *indexSet) split(before, after []ir.Stmt, lo, hi ir.Expr) []ir.Stmt {
	for i, x := range after {
		b, ok := s.asBranch(x)
		if !ok || s.leaves >= indexSetLeaves {
			continue
		}
		head := append(before[:len(before):len(before)], after[:i]...)
		rest := after[i+1:]
		with := func(branch []ir.Stmt) []ir.Stmt { return append(branch[:len(branch):len(branch)], rest...) }
		if c, ok := s.threshold(b.Cond); ok {
			low, high := b.Then, b.Else
			if !c.below {
				low, high = high, low
			}
			switch at := s.l.RangeOf(c.limit); {
			case at.Hi <= s.l.RangeOf(lo).Lo:
				return s.split(head, with(high), lo, hi)
			case s.l.RangeOf(hi).Hi <= at.Lo:
				return s.split(head, with(low), lo, hi)
			}
			s.leaves++
			out, head := s.moved(head, c.limit)
			var mid ir.Expr = ir.OpMin.Of(ir.OpMax.Of(c.limit, lo), hi)
			if r := s.l.RangeOf(mid); r.Lo == r.Hi {
				mid = ir.Integer(r.Lo)
			} else {
				v := s.l.NewVar("mid", ir.I64)
				if r, ok := s.l.Ranges[s.v]; ok {
					s.l.Ranges[v] = facts.Between(r.Lo, r.Hi+1)
				}
				out = append(out, v.Decl(mid))
				mid = v.Use()
			}
			out = append(out, s.side(head, with(low), lo, mid)...)
			return append(out, s.side(head, with(high), mid, hi)...)
		}
		if s.stays(b.Cond) {
			s.leaves++
			out, head := s.moved(head, b.Cond)
			return append(out, &ir.If{Cond: b.Cond, Then: s.side(head, with(b.Then), lo, hi), Else: s.side(head, with(b.Else), lo, hi)})
		}
	}
	body := append(before[:len(before):len(before)], after...)
	c := s.l.NewCloner()
	v := s.l.Twin(s.v)
	c.Vars[s.v] = v.Use()
	return []ir.Stmt{s.make(ir.Dim{Var: v, Lo: lo, Hi: hi}, c.List(body))}
}

// side is split for one of two sides: what is moved out on it is not on the other one.
func (s *indexSet) side(before, after []ir.Stmt, lo, hi ir.Expr) []ir.Stmt {
	out := maps.Clone(s.out)
	defer func() { s.out = out }()
	return s.split(before, after, lo, hi)
}

// limit is where the outcome of a comparison changes.
type limit struct {
	limit ir.Expr
	below bool // it holds below
}

// threshold reads a comparison of the index with something that stays.
func (s *indexSet) threshold(cond ir.Expr) (limit, bool) {
	cond = s.meaning(cond)
	if n, ok := cond.(*ir.Unary); ok && n.Op == ir.OpNot {
		c, ok := s.threshold(n.X)
		c.below = !c.below
		return c, ok
	}
	b, ok := cond.(*ir.Binary)
	if !ok || b.X.Kind() != ir.I64 && b.X.Kind() != ir.I32 {
		return limit{}, false
	}
	op, x, y := b.Op, s.wide(b.X), s.wide(b.Y)
	if c, ok := s.offset(y); ok {
		return s.compared(mirrored[op], x, c)
	}
	if c, ok := s.offset(x); ok {
		return s.compared(op, y, c)
	}
	return limit{}, false
}

// mirrored are the comparisons with the operands exchanged.
var mirrored = map[ir.BinOp]ir.BinOp{ir.OpLt: ir.OpGt, ir.OpGt: ir.OpLt, ir.OpLe: ir.OpGe, ir.OpGe: ir.OpLe}

// compared reads that the index and c stand in relation to y.
func (s *indexSet) compared(op ir.BinOp, y, c ir.Expr) (limit, bool) {
	if _, ok := mirrored[op]; !ok || !s.stays(y) {
		return limit{}, false
	}
	if op == ir.OpLe || op == ir.OpGt {
		c = ir.Sub(c, ir.Integer(1))
	}
	if !ir.IsInt(c, 0) && !s.l.RangeOf(y).Within(-1<<62, 1<<62) {
		return limit{}, false
	}
	return limit{ir.Sub(y, c), op == ir.OpLt || op == ir.OpLe}, true
}

// wide returns an integer of 32 bits as one of 64, made of those of 64 that it is made of where it is
// what they come to.
func (s *indexSet) wide(x ir.Expr) ir.Expr {
	fits := func(y ir.Expr) bool { return s.l.RangeOf(y).Within(math.MinInt32, math.MaxInt32) }
	switch y := s.meaning(x).(type) {
	case *ir.Convert:
		if y.X.Kind() == ir.I64 && fits(y.X) {
			return y.X
		}
	case *ir.Binary:
		if y.Kind() == ir.I32 && (y.Op == ir.OpAdd || y.Op == ir.OpSub) {
			if z := y.Op.Of(s.wide(y.X), s.wide(y.Y)); fits(z) {
				return z
			}
		}
	}
	return ir.ConvertTo(ir.I64, x)
}

// linear reads x as a sum of variables, with what those that are set once are declared to be.
func (s *indexSet) linear(x ir.Expr) affine.Poly {
	r := affine.Reader{Linear: true, Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		switch {
		case !ok || u.Var.Kind != ir.I64:
			return affine.Unknown
		case s.inits[u.Var] != nil && !s.set[u.Var]:
			return r.Read(s.inits[u.Var])
		}
		return affine.Of(u.Var)
	}}
	return r.Read(x)
}

// offset returns c, which stays, where x is the index and c.
func (s *indexSet) offset(x ir.Expr) (ir.Expr, bool) {
	step, rest := s.linear(x).Split(s.v)
	if k, ok := step.Constant(); !ok || k != 1 {
		return nil, false
	}
	c := rest.Expr()
	return c, s.stays(c) && s.l.RangeOf(c).Within(-1<<40, 1<<40)
}

// meaning returns what a variable was declared to be, and anything else itself.
func (s *indexSet) meaning(x ir.Expr) ir.Expr {
	for range indexSetBody {
		u, ok := x.(*ir.Use)
		if !ok || s.inits[u.Var] == nil || s.set[u.Var] {
			break
		}
		x = s.inits[u.Var]
	}
	return x
}

// stays reports whether x is the same in all iterations.
func (s *indexSet) stays(x ir.Expr) bool {
	ok := true
	ir.WalkExpr(x, func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Use:
			switch {
			case x.Var == s.v || s.set[x.Var]:
				ok = false
			case s.inside[x.Var] && !s.out[x.Var]:
				ok = ok && s.inits[x.Var] != nil && s.stays(s.inits[x.Var])
			}
		case *ir.Load:
			ok = ok && !s.stored[x.Buf]
		}
	})
	return ok
}

// moved takes the declarations that x, which stays, needs from the statements before.
func (s *indexSet) moved(block []ir.Stmt, x ir.Expr) (out, left []ir.Stmt) {
	needs := map[*ir.Var]bool{}
	var need func(x ir.Expr)
	need = func(x ir.Expr) {
		s.loads = s.loads || ir.LoadsMemory(x)
		ir.EachUse(x, func(v *ir.Var) {
			if s.inside[v] && !s.out[v] && !needs[v] {
				needs[v] = true
				need(s.inits[v])
			}
		})
	}
	need(x)
	for _, st := range block {
		if d, ok := st.(*ir.Decl); ok && needs[d.Var] {
			out = append(out, d)
			s.out[d.Var] = true
		} else {
			left = append(left, st)
		}
	}
	return out, left
}
