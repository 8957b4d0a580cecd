package timetiles

import (
	"github.com/tailor-lang/tailor/laila/arith"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A division takes as long as several products, and keeps all lanes of a vector
// waiting. In time tiles, x÷d for a constant d is two operations:
//
//	fma(x, h, x×l)    where h+l is 1÷d in two doubles, both with d's sign
//
// The sum before it is rounded is so near to x÷d that only few x, which can be
// found from d, could be rounded to another double; divisors for which one of
// them is are divided by as before. What is left is that x×l must not lose
// digits to underflow: x must be zero or not too small. An x that is made by sums and
// products of elements is, when the elements are: so all elements that are
// stored are looked at, once for all their uses, and when one is too small, a flag
// makes all later steps divide.
//
//	segmap i: t[i] = (s[i-1] + s[i+1]) / 3
//
// becomes
//
//	if small
//	  segmap i: t[i] = (s[i-1] + s[i+1]) / 3
//	else
//	  segmap i: v = tl_quotient(s[i-1] + s[i+1], h, l); t[i] = v; small = small | tl_small(v)
//
// Zeros, infinities and what is no number give what the division gives.
//
// Requires: straight nests. Preserves: every bit.
type quotients struct {
	arith.Dividends
	t     *timeTiling
	nests map[*tiledNest]*ir.Nest // with quotients in place of divisions
	seen  map[*ir.Buf]bool        // arrays whose elements are looked at
	small *ir.Var                 // the flag
	was   *ir.Var                 // what it was before a phase
	count int
}

// quotients finds the divisions of a loop's nests that need not be divisions;
// nil where there are none.
func (t *timeTiling) quotients() *quotients {
	q := &quotients{Dividends: arith.Dividends{Value: map[*ir.Var]ir.Expr{}, Stored: t.written}, t: t, nests: map[*tiledNest]*ir.Nest{}, seen: map[*ir.Buf]bool{}, small: t.l.NewVar("small", ir.U8), was: t.l.NewVar("was", ir.U8)}
	for _, n := range t.nests {
		c := t.l.NewCloner().Nest(n.nest)
		q.nests[n] = c
		if !q.block(c.Body) {
			return nil
		}
	}
	if q.count == 0 {
		return nil
	}
	for range t.swaps {
		for _, s := range t.swaps {
			if q.seen[s.A] || q.seen[s.B] {
				q.seen[s.A], q.seen[s.B] = true, true
			}
		}
	}
	for b := range q.seen {
		if !q.covered(b) {
			return nil
		}
	}
	for _, c := range q.nests {
		c.Body = q.stores(c.Body)
		c.Flags = []*ir.Var{q.small}
	}
	return q
}

// block replaces divisions in straight code and loops.
func (q *quotients) block(block []ir.Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.For:
			if !q.block(s.Body) {
				return false
			}
		case *ir.Decl:
			ir.MapScalars(s, q.replace)
			q.Value[s.Var] = s.Init
		case *ir.Store, *ir.Comment:
			ir.MapScalars(s, q.replace)
		default:
			return false
		}
	}
	return true
}

// replace returns what stands for a division.
func (q *quotients) replace(x ir.Expr) ir.Expr {
	div, d, ok := arith.ByConstant(x)
	if !ok {
		return x
	}
	loads := map[*ir.Buf]bool{}
	least, ok := q.Least(div.X, loads)
	if !ok || least < arith.SmallestDividend {
		return x
	}
	h, l, ok := arith.Reciprocal(d)
	if !ok {
		return x
	}
	for b := range loads {
		q.seen[b] = true
	}
	q.count++
	return &ir.Math{Fn: "tl_quotient", K: ir.F64, Args: []ir.Expr{div.X, &ir.Float{Val: h}, &ir.Float{Val: l}}}
}

// covered reports whether all elements of an array that the loop reads are
// looked at: before the loop those that a step takes over, and in a step all,
// each of which one store of one nest sets.
func (q *quotients) covered(b *ir.Buf) bool {
	type box struct{ row, column facts.Interval }
	var boxes []box
	w := q.t.width[b]
	if b.Elem != ir.F64 || w <= 0 {
		return false
	}
	area, rows := int64(0), int64(0)
	for _, n := range q.t.nests {
		for _, a := range n.touch {
			if !a.store || !q.orbit(a.buf, b) {
				continue
			}
			row := n.nest.Dims[0].Var
			if a.index.Coef(row) != w {
				return false
			}
			x := box{facts.Between(n.lo, n.hi-1), facts.Between(0, 0)}
			_, rest := a.index.Split(row)
			if vars := rest.Vars(); len(vars) > 1 || len(vars) == 1 && rest.Coef(vars[0]) != 1 {
				return false
			}
			r, ok := spanOf(rest, a.span)
			if !ok || r.Lo < 0 || r.Hi >= w || r.Hi < r.Lo {
				return false
			}
			x.column = r
			for _, y := range boxes {
				if x.row.Lo <= y.row.Hi && y.row.Lo <= x.row.Hi && x.column.Lo <= y.column.Hi && y.column.Lo <= x.column.Hi {
					return false
				}
			}
			boxes = append(boxes, x)
			area += (x.row.Hi - x.row.Lo + 1) * (x.column.Hi - x.column.Lo + 1)
			rows = max(rows, n.hi)
		}
	}
	for _, n := range q.t.nests {
		for _, a := range n.touch {
			if r, ok := spanOf(a.index, a.span); q.orbit(a.buf, b) && (!ok || r.Hi >= area) {
				return false
			}
		}
	}
	return area > 0 && area == rows*w && rows == q.t.rows
}

// orbit reports whether an array may have the storage of another.
func (q *quotients) orbit(a, b *ir.Buf) bool {
	if a == b {
		return true
	}
	reached := map[*ir.Buf]bool{a: true}
	for range q.t.swaps {
		for _, s := range q.t.swaps {
			if reached[s.A] || reached[s.B] {
				reached[s.A], reached[s.B] = true, true
			}
		}
	}
	return reached[b]
}

// stores looks at what is stored.
func (q *quotients) stores(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Store:
			if q.seen[s.Buf] {
				v := q.t.l.NewVar("v", ir.F64)
				out = append(out, v.Decl(s.X), s.Buf.Store(s.Index, v.Use()),
					q.small.Assign(ir.OpOr.Of(q.small.Use(), &ir.Math{Fn: "tl_small", K: ir.U8, Args: []ir.Expr{v.Use()}})))
				continue
			}
			out = append(out, s)
		case *ir.For:
			out = append(out, &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: s.Var, Lo: s.Lo, Hi: s.Hi}}, Body: q.stores(s.Body), Flags: []*ir.Var{q.small}})
		default:
			out = append(out, s)
		}
	}
	return out
}

// before declares the flag.
func (q *quotients) before() ir.Stmt {
	return q.small.Decl(&ir.Math{Fn: "tl_no_fma", K: ir.U8})
}

// look looks at the elements that a step takes over.
func (q *quotients) look() []ir.Stmt {
	l := q.t.l
	var out []ir.Stmt
	done, fresh := map[*ir.Buf]bool{}, map[*ir.Buf]bool{}
	for _, n := range q.t.nests {
		for _, a := range n.touch {
			if a.store || fresh[a.buf] || done[a.buf] || !q.seen[a.buf] {
				continue
			}
			done[a.buf] = true
			k := l.NewVar("k", ir.I64)
			out = append(out, &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: k, Lo: ir.Integer(0), Hi: ir.Integer(q.t.rows * q.t.width[a.buf])}}, Flags: []*ir.Var{q.small}, At: n.nest.At,
				Body: []ir.Stmt{q.small.Assign(ir.OpOr.Of(q.small.Use(), &ir.Math{Fn: "tl_small", K: ir.U8, Args: []ir.Expr{a.buf.Load(k.Use())}}))}})
		}
		for _, a := range n.touch {
			if a.store {
				fresh[a.buf] = true
			}
		}
	}
	return out
}
