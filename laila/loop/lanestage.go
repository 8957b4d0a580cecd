package loop

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Lanes whose iterations each read their own few places of an array from outside, again
// and again, copy these first, so that lanes find them side by side:
//
//	for k = 0 … 12: for j = 0 … 12: f(a[(i × 12) + j])
//
// becomes
//
//	stack t: u8[12]
//	for u = 0 … 12: t[u] = a[(i × 12) + u]
//	for k = 0 … 12: for j = 0 … 12: f(t[j])
//
// where i is the iteration.
const (
	stageRows  = 64 // the most places that are copied
	stageReads = 3  // how often each is read, at least
)

// laneStage is a range of places of an array beside a base.
type laneStage struct {
	buf    *ir.Buf
	step   int64       // from the places of an iteration to those of the next
	base   affine.Poly // where those of iteration 0 are, from outside of the nest
	places facts.Interval
	reads  int64
	row    *ir.Buf
}

// stager finds what lanes copy.
type stager struct {
	lg       *laner
	declared map[*ir.Var]bool
	loops    map[*ir.Var]facts.Interval // variables of loops whose bounds are known
	stages   []*laneStage
}

// staged returns a body that copies first what it reads often.
func (lg *laner) staged(body []ir.Stmt) []ir.Stmt {
	if !lg.l.CPU() {
		return body
	}
	s := &stager{lg: lg, declared: map[*ir.Var]bool{}, loops: map[*ir.Var]facts.Interval{}}
	stored := map[*ir.Buf]bool{}
	ir.Walk(body, func(t ir.Stmt) {
		switch t := t.(type) {
		case *ir.Decl:
			s.declared[t.Var] = true
		case *ir.Assign:
			s.declared[t.Var] = true
		case *ir.Checked:
			s.declared[t.Var] = true
		case *ir.For:
			s.declared[t.Var] = true
		case *ir.Store:
			stored[t.Buf] = true
		}
	})
	s.block(body, 1)
	var copies []ir.Stmt
	for _, st := range s.stages {
		n := st.places.Hi - st.places.Lo + 1
		if n <= stageRows && st.reads >= stageReads*n && !stored[st.buf] {
			copies = append(copies, s.copies(st, n))
		}
	}
	if len(copies) == 0 {
		return body
	}
	c := lg.l.NewCloner()
	c.Twin = func(v *ir.Var) *ir.Var { return v }
	c.Load = func(x *ir.Load) ir.Expr {
		if st, at := s.find(x); st != nil && st.row != nil {
			if r := s.bounds(at); r.Within(st.places.Lo, st.places.Hi) {
				return st.row.Load(at.Add(-st.places.Lo).Expr())
			}
		}
		return x
	}
	return append(copies, c.List(body)...)
}

// copies makes the row of a stage, and the loop that fills it.
func (s *stager) copies(st *laneStage, n int64) ir.Stmt {
	lg := s.lg
	st.row = &ir.Buf{Name: "row", Elem: st.buf.Elem}
	lg.l.Like(st.buf, st.row)
	lg.private[st.row] = n
	lg.order = append(lg.order, st.row)
	from := st.base.Plus(affine.Of(lg.lane).Scaled(st.step)).Add(st.places.Lo)
	loop := lg.each(n, func(u ir.Expr) ir.Stmt { return st.row.Store(u, st.buf.Load(ir.Add(from.Expr(), u))) }).(*ir.For)
	lg.copied[loop.Var] = true
	return loop
}

// block notes what a block reads each of so many times that it runs, in any case.
func (s *stager) block(block []ir.Stmt, times int64) {
	for _, t := range block {
		for _, x := range ir.Exprs(t) {
			s.reads(x, times)
		}
		if f, ok := t.(*ir.For); ok {
			lo, ok := ir.IntOf(f.Lo)
			hi, ok2 := ir.IntOf(f.Hi)
			if ok && ok2 && lo < hi && hi-lo <= 1<<20 && times <= 1<<20 {
				s.loops[f.Var] = facts.Between(lo, hi-1)
				s.block(f.Body, times*(hi-lo))
			}
		}
	}
}

// reads notes the places that x reads, whatever it chooses between.
func (s *stager) reads(x ir.Expr, times int64) {
	switch x := x.(type) {
	case nil:
		return
	case *ir.Select:
		s.reads(x.Cond, times)
		return
	case *ir.Load:
		st, at := s.find(x)
		if st == nil {
			break
		}
		r := s.bounds(at)
		if st.reads > 0 {
			r = r.Union(st.places)
		}
		st.places, st.reads = r, st.reads+times
	}
	for _, y := range ir.Operands(x) {
		s.reads(y, times)
	}
}

// find returns the stage that x would be read from, and which of its places it is; nil
// where the places of iterations are not as far from each other.
func (s *stager) find(x *ir.Load) (*laneStage, affine.Poly) {
	if s.lg.private[x.Buf] > 0 {
		return nil, affine.Unknown
	}
	r := &affine.Reader{Linear: true, Leaf: func(_ *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok || s.declared[u.Var] && s.loops[u.Var] == (facts.Interval{}) {
			return affine.Unknown
		}
		return affine.Of(u.Var)
	}}
	index := r.Read(x.Index)
	step := index.Coef(s.lg.lane)
	if !index.Known() || step < 2 {
		return nil, affine.Unknown
	}
	var base, at affine.Poly
	for _, t := range index.Terms() {
		p := affine.Product(t.K, t.Vars...)
		switch {
		case len(t.Vars) == 1 && t.Vars[0] == s.lg.lane:
		case len(t.Vars) == 0 || s.declared[t.Vars[0]]:
			at = at.Plus(p)
		default:
			base = base.Plus(p)
		}
	}
	for _, st := range s.stages {
		if st.buf == x.Buf && st.step == step && st.base.Equal(base) {
			return st, at
		}
	}
	st := &laneStage{buf: x.Buf, step: step, base: base}
	s.stages = append(s.stages, st)
	return st, at
}

// bounds are the least and the greatest value of a sum over the variables of loops.
func (s *stager) bounds(p affine.Poly) facts.Interval {
	return facts.BoundsOf(p, func(v *ir.Var) facts.Interval { return s.loops[v] })
}
