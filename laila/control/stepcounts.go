package control

import (
	"math"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// What elements of the state count in the steps of a ⍣ is bounded: they begin
// with whole numbers within a known range, and each of the n steps adds or
// subtracts an integer whose range is known.
//
//	count: f64[16]
//	count[l] = count[l] + f64(in)    n times, from 0
//
// becomes
//
//	count: i64[16]
//	count[l] = count[l] + i64(in)
//
// and is stored in as few bytes as a number between 0 and n needs. Other uses
// of the number in a step convert it. Sums of integers need no test of overflow.
//
// Requires: versions of one step, each a loop over the lanes. Preserves: the
// values: whole numbers of doubles are below 2*31, and none is ¯0.
func (p *pointGroups) count(versions [][]ir.Stmt) {
	for i, row := range p.now {
		if row.Elem == ir.I32 {
			continue
		}
		c, r, ok := p.counted(i, laneBlock(versions[0]))
		for _, step := range versions[1:] {
			d, _, ok2 := p.counted(i, laneBlock(step))
			ok = ok && ok2 && c.op == d.op
		}
		if !ok {
			continue
		}
		for _, step := range versions {
			f := step[0].(*ir.For)
			c, _, _ := p.counted(i, f.Body)
			f.Body = c.rewrite(f.Body)
		}
		row.Elem, p.before[i].Elem = ir.I64, ir.I64
		if kr := (facts.Between(math.MinInt32, math.MaxInt32)); r.Within(kr.Lo, kr.Hi) {
			out := p.out[p.leaf[i]]
			out.Elem = facts.Narrowest(r)
			p.g.Bufs[out] = r
		}
	}
}

// countedSum is the sum of the element of row and an integer that a step stores.
type countedSum struct {
	row     *ir.Buf
	op      ir.BinOp // ir.OpAdd or ir.OpSub
	x       ir.Expr
	checked *ir.Checked // where overflow is tested
}

// counted returns the sum that block, a step, stores in row i, and between
// which numbers the elements stay.
func (p *pointGroups) counted(i int, block []ir.Stmt) (countedSum, facts.Interval, bool) {
	row, most := p.now[i], p.g.RangeOf(p.n)
	start, ok := p.start(p.first[p.leaf[i]].Arr)
	if !ok || most.Lo < 0 || most.Hi > math.MaxInt32 {
		return countedSum{}, facts.AnyInt, false
	}
	c, ok := countIn(row, block)
	if !ok {
		return countedSum{}, facts.AnyInt, false
	}
	added := p.g.RangeOf(c.x)
	if c.op == ir.OpSub {
		added = facts.Between(-added.Hi, -added.Lo)
	}
	lo, ok1 := facts.MulInt(min(added.Lo, 0), most.Hi)
	hi, ok2 := facts.MulInt(max(added.Hi, 0), most.Hi)
	r, exact := facts.Arith(ir.OpAdd, start, facts.Between(lo, hi))
	if row.Elem == ir.F64 && !r.Within(math.MinInt32, math.MaxInt32) {
		return c, r, false
	}
	return c, r, ok1 && ok2 && exact && added.Lo > math.MinInt32 && added.Hi < math.MaxInt32
}

// countIn finds the sum that block stores in row.
func countIn(row *ir.Buf, block []ir.Stmt) (c countedSum, ok bool) {
	defs, tested := flow.Definitions(block), map[*ir.Var]*ir.Checked{}
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Checked:
			if tested[s.Var] != nil {
				return countedSum{}, false
			}
			tested[s.Var] = s
		case *ir.Assign:
			delete(tested, s.Var)
		}
	}
	for _, s := range block {
		st, isStore := s.(*ir.Store)
		if !isStore || st.Buf != row {
			continue
		}
		c = countedSum{row: row}
		x, y := ir.Expr(nil), ir.Expr(nil)
		if sum, ok := st.X.(*ir.Binary); ok {
			c.op, x, y = sum.Op, sum.X, sum.Y
		} else if u, ok := st.X.(*ir.Use); ok && tested[u.Var] != nil {
			c.checked = tested[u.Var]
			c.op, x, y = c.checked.Op, c.checked.X, c.checked.Y
		}
		if c.op == ir.OpAdd && isElement(row, y, defs) {
			x, y = y, x
		}
		if c.op != ir.OpAdd && c.op != ir.OpSub || !isElement(row, x, defs) {
			return c, false
		}
		if u, ok := y.(*ir.Use); ok && defs[u.Var] != nil && row.Elem == ir.F64 {
			y = defs[u.Var]
		}
		if row.Elem == ir.F64 {
			y = wholeOf(y)
		}
		c.x = y
		return c, y != nil && y.Kind().Exact() && (row.Elem == ir.F64 || row.Elem == ir.I64)
	}
	return c, false
}

// wholeOf returns the integer that a double is made of, nil where there is none.
func wholeOf(x ir.Expr) ir.Expr {
	switch x := x.(type) {
	case *ir.Convert:
		if x.X.Kind().Exact() {
			return x.X
		}
	case *ir.Float:
		if x.Val == math.Trunc(x.Val) && math.Abs(x.Val) < math.MaxInt32 {
			return ir.Integer(int64(x.Val))
		}
	}
	return nil
}

// isElement reports whether x is the element of row that a step begins with.
func isElement(row *ir.Buf, x ir.Expr, defs map[*ir.Var]ir.Expr) bool {
	if u, ok := x.(*ir.Use); ok {
		x = defs[u.Var]
	}
	l, ok := x.(*ir.Load)
	return ok && l.Buf == row
}

// rewrite returns a step in which the sum is one of integers.
func (c *countedSum) rewrite(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			if c.checked != nil && s.Var == c.checked.Var && s.Init == nil {
				continue
			}
			if l, ok := s.Init.(*ir.Load); ok && l.Buf == c.row && c.row.Elem == ir.F64 {
				s.Init = &ir.Convert{To: ir.F64, X: l}
			}
		case *ir.Checked:
			if s == c.checked {
				out = append(out, s.Var.Decl(s.Op.Of(s.X, s.Y)))
				continue
			}
		case *ir.Store:
			if s.Buf == c.row && c.checked == nil {
				s.X = c.op.Of(c.row.Load(s.Index), ir.ConvertTo(ir.I64, c.x))
			}
		}
		out = append(out, s)
	}
	return out
}

// start returns the range of the whole numbers that the elements of a are.
func (p *pointGroups) start(a *build.Pull) (facts.Interval, bool) {
	if a.Elem == ir.I64 {
		return a.Rng, true
	}
	if a.Elem != ir.F64 || a.Flat == nil {
		return facts.AnyInt, false
	}
	var first, any ir.Expr
	p.g.Block(func() { first, any = a.Flat(ir.Integer(0)), a.Flat(p.g.NewVar("i", ir.I64).Use()) })
	x, ok := first.(*ir.Float)
	y, ok2 := any.(*ir.Float)
	if !ok || !ok2 || x.Val != y.Val || x.Val != math.Trunc(x.Val) || math.Abs(x.Val) > math.MaxInt32 || x.Val == 0 && math.Signbit(x.Val) {
		return facts.AnyInt, false
	}
	return facts.Between(int64(x.Val), int64(x.Val)), true
}

// widened returns the stored array in buf, whose storage may be of integers
// where the elements are doubles.
func widened(g *build.Builder, elem ir.Kind, buf *ir.Buf, dims []ir.Expr) *build.Pull {
	if elem != ir.F64 || buf.Elem == ir.F64 {
		return g.Stored(elem, buf, dims)
	}
	r := g.Bufs[buf]
	return &build.Pull{Elem: elem, Dims: dims, Cost: 1, Rng: facts.RangeOfKind(elem), Span: &facts.Span{Lo: float64(r.Lo), Hi: float64(r.Hi)},
		Flat: func(i ir.Expr) ir.Expr { return ir.ConvertTo(elem, buf.Load(i)) }}
}
