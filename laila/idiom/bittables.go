package idiom

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// A function of the bits of a number is linear where its value for the
// exclusive or of two numbers is the exclusive or of its values: exclusive ors,
// shifts, bits, and products of bits and numbers that do not depend on it are.
// The bits of an index are those of a block of indices and those of the place
// in the block, so that such a function of the index is the exclusive or of two
// numbers, one computed once for each block and one looked up.
//
//	segmap i = 0 … n
//	  var v: i32 = i32(i) + 1
//	  y[i] = f64(f(v))
//
// becomes
//
//	for p = 0 … 64: t[p] = f(p)
//	segmap u = 1 quo 64 … (n quo 64) + 1
//	  var off: i64 = (u × 64) - 1
//	  var h: i32 = f(64 × u)
//	  segmap i = 0 max off … n min (off + 64): y[i] = f64(h ^ t[i - off])
//
// Requires: a nest over one axis of many indices; a function that costs more
// than that. Preserves: the values, and the order of the iterations.
const (
	// tableLanes is the number of indices of a block; tableTrips is how many
	// there must be, tableCost how many operations the function must have.
	tableLanes = 64
	tableTrips = 1 << 12
	tableCost  = 24
	// tableRoots and tableSize bound the tables, and the entries of one.
	tableRoots = 8
	tableSize  = 64
)

// linearRoot is a linear function in the body of a nest: an expression in
// a statement, and the loops around it.
type linearRoot struct {
	x     ir.Expr
	path  []ir.Stmt // the loops, from outside, and the statement
	slice []ir.Stmt // what it needs; nil at the end of the innermost block
	size  int64
	at    ir.Expr // the place among the values of an index
}

// TableBits replaces nests that tabled knows better statements for.
func TableBits(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	return ir.RewriteOuterNests(block, func(n *ir.Nest) []ir.Stmt { return tabled(l, n) })
}

// tabled returns the statements that do the work of n with tables, nil where
// there is nothing to be looked up.
func tabled(l *pass.Context, n *ir.Nest) []ir.Stmt {
	space := ir.SpaceOf(n)
	if len(space) != 1 || !ir.CanCopy(n.Body) {
		return nil
	}
	d := space[0]
	lo, ok := ir.IntOf(d.Lo)
	hi, ok2 := ir.IntOf(d.Hi)
	if !ok || !ok2 || lo < 0 || hi-lo < tableTrips || hi > facts.MaxExtent {
		return nil
	}
	b := bitLinearOf(l, n.Body, d.Var)
	if b == nil {
		return nil
	}
	roots := b.roots()
	if len(roots) == 0 {
		return nil
	}
	var before, head []ir.Stmt
	u, off := l.NewVar("u", ir.I64), l.NewVar("off", ir.I64)
	values := map[ir.Expr]ir.Expr{}
	for _, r := range roots {
		kind := r.x.Kind()
		if e := l.RangeOf(r.x); e.Lo >= 0 && b.of(r.x)&isNatural != 0 {
			kind = facts.Narrowest(allBits(e))
		}
		table := &ir.Buf{Name: "table", Elem: kind, Stack: r.size * tableLanes}
		p := l.NewVar("p", ir.I64)
		l.Ranges[p] = facts.Between(0, tableLanes-1)
		before = append(before, &ir.DeclBuf{Buf: table, Count: ir.Integer(table.Stack), Shape: []ir.Expr{ir.Integer(table.Stack)}, At: n.At})
		before = append(before, &ir.For{Var: p, Lo: ir.Integer(0), Hi: ir.Integer(tableLanes), Body: b.copyOf(r, p.Use(), func(x, at ir.Expr) ir.Stmt {
			return table.Store(ir.Add(ir.Mul(at, ir.Integer(tableLanes)), p.Use()), ir.ConvertTo(kind, x))
		})})
		place := ir.Add(ir.Mul(r.at, ir.Integer(tableLanes)), ir.OpSub.Of(d.Var.Use(), off.Use()))
		block := ir.Mul(u.Use(), ir.Integer(tableLanes))
		if len(r.path) == 1 {
			h := l.NewVar("h", kind)
			head = append(head, h.Decl(&ir.Int{Val: 0, K: kind}))
			head = append(head, b.copyOf(r, block, func(x, _ ir.Expr) ir.Stmt { return h.Assign(ir.ConvertTo(kind, x)) })...)
			values[r.x] = ir.ConvertTo(r.x.Kind(), ir.OpXor.Of(h.Use(), table.Load(place)))
			continue
		}
		h := &ir.Buf{Name: "h", Elem: kind, Stack: r.size}
		head = append(head, &ir.DeclBuf{Buf: h, Count: ir.Integer(r.size), Shape: []ir.Expr{ir.Integer(r.size)}, At: n.At})
		head = append(head, b.copyOf(r, block, func(x, at ir.Expr) ir.Stmt { return h.Store(at, ir.ConvertTo(kind, x)) })...)
		values[r.x] = ir.ConvertTo(r.x.Kind(), ir.OpXor.Of(h.Load(r.at), table.Load(place)))
	}
	for _, r := range roots {
		replaceIn(r.path[len(r.path)-1], r.x, values[r.x])
	}
	from, to := l.NewVar("from", ir.I64), l.NewVar("to", ir.I64)
	first, last := (lo+b.c)/tableLanes, (hi-1+b.c)/tableLanes
	l.Ranges[u] = facts.Between(first, last)
	l.Ranges[off] = facts.Between(first*tableLanes-b.c, hi)
	l.Ranges[from], l.Ranges[to] = facts.Between(lo, hi), facts.Between(lo, hi)
	inner, outer := *n, *n
	inner.Pre, inner.Post = nil, nil
	dims := []ir.Dim{{Var: d.Var, Lo: from.Use(), Hi: to.Use()}}
	blocks := []ir.Dim{{Var: u, Lo: ir.Integer(first), Hi: ir.Integer(last + 1)}}
	if n.Kind == ir.SegRed {
		inner.Red, outer.Red = dims, blocks
	} else {
		inner.Dims, outer.Dims = dims, blocks
	}
	outer.Each = 0
	outer.Body = []ir.Stmt{
		off.Decl(ir.OpSub.Of(ir.Mul(u.Use(), ir.Integer(tableLanes)), ir.Integer(b.c))),
		from.Decl(ir.OpMax.Of(off.Use(), ir.Integer(lo))),
		to.Decl(ir.OpMin.Of(ir.Add(off.Use(), ir.Integer(tableLanes)), ir.Integer(hi))),
	}
	outer.Body = append(outer.Body, head...)
	outer.Body = append(outer.Body, &inner)
	l.Blocked[&outer] = true
	return append(before, &outer)
}

// replaceIn puts y in the place of the expression x of s.
func replaceIn(s ir.Stmt, x, y ir.Expr) {
	var swap func(e ir.Expr) ir.Expr
	swap = func(e ir.Expr) ir.Expr {
		if e == x {
			return y
		}
		return ir.MapOperands(e, swap)
	}
	switch s := s.(type) {
	case *ir.Decl:
		s.Init = swap(s.Init)
	case *ir.Assign:
		s.X = swap(s.X)
	case *ir.Store:
		s.X = swap(s.X)
	case *ir.If:
		s.Cond = swap(s.Cond)
	}
}
