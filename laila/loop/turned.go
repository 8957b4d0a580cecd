package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Turned computes the elements of a transposed array in the order in which what they are
// computed from lies in memory, a tile at a time, and transposes the tile: the loop over
// the rows of what is read would be no vector code, and the loop along them writes
// elements that are far apart.
//
//	segmap i = 0 … n; j = 0 … m
//	  y[(i × m) + j] = x[(j × k) + i] + x[(j × k) + (i + 1)]
//
// becomes
//
//	segmap u = 0 … n quo 64; v = 0 … (m + 7) quo 8
//	  var a = u × 64; b = v × 8; to = (b + 8) min m
//	  stack t: f64[512]
//	  segmap j = b … to; p = 0 … 64
//	    var i = a + p
//	    t[((j - b) × 64) + p] = x[(j × k) + i] + x[(j × k) + (i + 1)]
//	  segmap p = 0 … 64; j = b … to: y[((a + p) × m) + j] = t[((j - b) × 64) + p]
//	segmap i = 64 × (n quo 64) … n; j = 0 … m: as before
//
// Requires: bodies of nests that store one element, and note no faults. Preserves: the
// values.
func Turned(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	return ir.RewriteOuterNests(block, func(n *ir.Nest) []ir.Stmt {
		t := turning{l: l, n: n}
		if l.Blocked[n] || !t.suits() || !t.turns() {
			return nil
		}
		return t.tiles()
	})
}

const (
	// turnedTile is the width of a tile along the rows that are read: some vectors of
	// narrow numbers.
	turnedTile = 64
	// turnedReads is how many elements are read across the rows at least.
	turnedReads = 3
)

// turning is a nest that stores across what it reads.
type turning struct {
	l     *pass.Context
	n     *ir.Nest
	store *ir.Store
	at    affine.Poly // where it stores
	along int         // the axis along the rows that are read
	r     affine.Reader
}

func (t *turning) suits() bool {
	n := t.n
	if !inBlocks(n) {
		return false
	}
	last := len(n.Body) - 1
	ok := true // but for elements of 8 bytes: Crossings does as well
	ir.Walk(n.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Decl, *ir.Assign, *ir.For, *ir.Comment:
		case *ir.Nest:
			ok = ok && len(s.Flags) == 0
		case *ir.Store:
			ok = ok && s == n.Body[last] && ir.Width(s.Buf.Elem) < 8
			t.store = s
		default:
			ok = false
		}
	})
	return ok && t.store != nil
}

// turns reports whether the innermost loop writes elements beside each other, and reads
// several that are far apart, and lie along another axis.
func (t *turning) turns() bool {
	t.r = placesIn(t.n.Body)
	dims := t.n.Dims
	last := dims[len(dims)-1]
	t.at = t.r.Read(t.store.Index)
	if beside, ok := t.step(t.at, last.Var); !ok || beside != 1 {
		return false
	}
	for k := len(dims) - 2; k >= 0; k-- {
		if d := dims[k]; many(d) && t.crosses(d.Var, last.Var) {
			t.along = k
			return true
		}
	}
	return false
}

// step returns how far elements are apart along an axis, where that is a number.
func (t *turning) step(at affine.Poly, v *ir.Var) (int64, bool) {
	if !at.Known() {
		return 0, false
	}
	step, rest := at.Split(v)
	k, ok := step.Constant()
	return k, ok && !rest.Mentions(v)
}

// crosses reports whether the body reads along a, and across the axis b, at several
// places, and reads little along b.
func (t *turning) crosses(a, b *ir.Var) bool {
	across, beside := 0, 0
	var weigh func(block []ir.Stmt, times int)
	weigh = func(block []ir.Stmt, times int) {
		for _, s := range block {
			for _, x := range ir.Exprs(s) {
				ir.WalkExpr(x, func(x ir.Expr) {
					ld, ok := x.(*ir.Load)
					if !ok || ld.Buf.Stack > 0 || ld.Buf.Const {
						return
					}
					at := t.r.Read(ld.Index)
					far, ok := t.step(at, b)
					switch along, isAlong := t.step(at, a); {
					case ok && far == 0:
					case isAlong && along == 1 && (!ok && at.Known() || max(far, -far)*int64(ir.Width(ld.Buf.Elem)) >= strideBytes):
						across += times
					default:
						beside += times
					}
				})
			}
			inner := times
			switch s.(type) {
			case *ir.For, *ir.Nest:
				inner *= 4
			}
			for _, b := range ir.Blocks(s) {
				weigh(*b, inner)
			}
		}
	}
	weigh(t.n.Body, 1)
	return across >= turnedReads && across > 2*beside
}

// tiles writes the nest over tiles, and one for the columns that are left over.
func (t *turning) tiles() []ir.Stmt {
	n, l := t.n, t.l
	last := len(n.Dims) - 1
	a, b := n.Dims[t.along], n.Dims[last]
	rows := min(max(lineBytes/int64(ir.Width(t.store.Buf.Elem)), lineRows), rowElements)
	whole := ir.Quo(ir.Sub(a.Hi, a.Lo), ir.Integer(turnedTile))
	tile := &ir.Buf{Name: "tile", Elem: t.store.Buf.Elem, Stack: turnedTile * rows}

	outer := *n
	outer.Dims, outer.Even = slices.Clone(n.Dims), true
	first := over(l, &outer.Dims[t.along], whole, turnedTile)
	from := over(l, &outer.Dims[last], ir.Quo(ir.Add(ir.Sub(b.Hi, b.Lo), ir.Integer(rows-1)), ir.Integer(rows)), rows)
	to := l.NewVar("to", ir.I64)
	l.Ranges[to] = facts.Between(0, facts.MaxExtent)

	place := func(p, j ir.Expr) ir.Expr {
		return ir.Add(ir.Mul(ir.Sub(j, from.Var.Use()), ir.Integer(turnedTile)), p)
	}
	p := l.NewVar("p", ir.I64)
	l.Ranges[p] = facts.Between(0, turnedTile-1)
	inner := *n
	inner.Dims = []ir.Dim{{Var: b.Var, Lo: from.Var.Use(), Hi: to.Use()}, {Var: p, Lo: ir.Integer(0), Hi: ir.Integer(turnedTile)}}
	inner.Body = append([]ir.Stmt{a.Var.Decl(ir.Add(first.Var.Use(), p.Use()))}, n.Body[:len(n.Body)-1]...)
	inner.Body = append(inner.Body, tile.Store(place(p.Use(), b.Var.Use()), t.store.X))

	q, i, j := l.NewVar("q", ir.I64), l.NewVar("i", ir.I64), l.NewVar("j", ir.I64)
	l.Ranges[q], l.Ranges[i], l.Ranges[j] = l.Ranges[p], l.RangeOf(a.Var.Use()), l.RangeOf(b.Var.Use())
	at := t.at.Substitute(a.Var, affine.Of(i)).Substitute(b.Var, affine.Of(j)).Expr()
	turned := &ir.Nest{Kind: ir.SegMap, At: n.At,
		Dims: []ir.Dim{{Var: q, Lo: ir.Integer(0), Hi: ir.Integer(turnedTile)}, {Var: j, Lo: from.Var.Use(), Hi: to.Use()}},
		Body: []ir.Stmt{i.Decl(ir.Add(first.Var.Use(), q.Use())), t.store.Buf.Store(at, tile.Load(place(q.Use(), j.Use())))}}

	rest := *n
	rest.Dims = slices.Clone(n.Dims)
	rest.Dims[t.along].Lo = ir.Add(a.Lo, ir.Mul(whole, ir.Integer(turnedTile)))
	left := l.NewCloner().Stmt(&rest)

	outer.Body = []ir.Stmt{first, from, to.Decl(ir.OpMin.Of(ir.Add(from.Var.Use(), ir.Integer(rows)), b.Hi)),
		&ir.DeclBuf{Buf: tile, Count: ir.Integer(tile.Stack), Shape: []ir.Expr{ir.Integer(tile.Stack)}, At: n.At}, &inner, turned}
	l.Blocked[&outer] = true
	if trips, known := ir.Trips(a); known && trips%turnedTile == 0 {
		return []ir.Stmt{&outer}
	}
	return []ir.Stmt{&outer, left}
}
