package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A map over a matrix that reads along columns while it writes along rows,
//
//	segmap i = 0 … n; j = 0 … m
//	  b[i×m+j] = a[j×n+i]
//
// goes through the space in tiles. On CPUs the tiles keep what both sides touch
// in the cache. On GPUs a work-group has a tile: its items read the elements
// for a transposed one, so that neighbours read neighbours, and hand them over
// in local memory, whose rows are padded by an element against conflicts of
// banks.

// chunkTile is the side of a tile on CPUs.
const chunkTile = 32

// farStride is the stride, in elements, from which neighbouring points read
// from other lines of memory.
const farStride = 16

// farFactor stands for factors of an index that are not constant.
const farFactor = 1 << 20

// coefficient returns how far an index moves with v; farFactor where only the run
// knows that.
func coefficient(x ir.Expr, v *ir.Var) (c int64, ok bool) {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		switch y := x.(type) {
		case *ir.Use:
			return affine.Of(y.Var)
		case *ir.Convert:
			return r.Read(y.X)
		}
		if mentions(x, v) {
			return affine.Unknown
		}
		return affine.Of(&ir.Var{Name: "other", Kind: ir.I64})
	}}
	by, _ := r.Read(x).Split(v)
	if c, ok = by.Constant(); ok {
		return c, true
	}
	return farFactor, by.Known() && !by.Mentions(v)
}

// columns lists the loads of a map that go down columns as the last axis moves
// on, and along rows with the first.
func (k *kernel) columns() []*ir.Load {
	if k.shape != mapShape || len(k.dims) != 2 || len(k.more) > 0 {
		return nil
	}
	var list []*ir.Load
	ir.Walk(k.body, func(s ir.Stmt) {
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
				l, ok := x.(*ir.Load)
				if !ok {
					return
				}
				down, ok1 := coefficient(l.Index, k.dims[1].Var)
				along, ok2 := coefficient(l.Index, k.dims[0].Var)
				if ok1 && ok2 && along == 1 && (down >= farStride || down <= -farStride) {
					list = append(list, l)
				}
			})
		})
	})
	return list
}

// maxTiles bounds the tiles of a work-group.
const maxTiles = 4

// tileLoads sets the loads that pass through local memory, and the side of the
// tiles, where a kernel has some under the schedule for GPUs.
func (pl *planner) tileLoads(k *kernel) {
	side := int64(1)
	for side*side < pl.plan.GroupSize {
		side *= 2
	}
	if pl.plan.Schedule != Groups || side*side != pl.plan.GroupSize || side < 4 || k.trap != nil {
		return
	}
	list := k.columns()
	if len(list) == 0 || len(list) > maxTiles {
		return
	}
	straight := map[*ir.Load]bool{}
	for _, s := range k.body {
		switch s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Store, *ir.Checked:
			stmtExprs(s, func(x ir.Expr) {
				ir.WalkExpr(x, func(x ir.Expr) {
					if l, ok := x.(*ir.Load); ok {
						straight[l] = true
					}
				})
			})
		}
	}
	u := usesOf(k.body)
	for _, l := range list {
		known := straight[l] && !k.written[l.Buf] && !u.local[l.Buf]
		ir.WalkExpr(l.Index, func(x ir.Expr) {
			switch x := x.(type) {
			case *ir.Use:
				known = known && !u.inside[x.Var]
			case *ir.Load, *ir.Math:
				known = false
			}
		})
		if !known {
			return
		}
	}
	k.tile, k.tiled = side, list
}

// tiledText writes the map of a work-group's tile.
func (t *kernelText) tiledText(k *kernel) {
	side, i, j := k.tile, t.declare(k.dims[0].Var), t.declare(k.dims[1].Var)
	t.line("const int li = get_local_id(0) / %d, lj = get_local_id(0) %% %d;", side, side)
	t.line("const long across = (count1 + %d) / %d;", side-1, side)
	t.line("const long top = get_group_id(0) / across * %d, left = get_group_id(0) %% across * %d;", side, side)
	for n, l := range k.tiled {
		t.line("__local %s tile%d[%d];", cltype(l.Buf.Elem), n, side*(side+1))
	}
	t.open("if (top + lj < count0 && left + li < count1)")
	t.line("const long %s = first0 + top + lj, %s = first1 + left + li;", i, j)
	for n, l := range k.tiled {
		t.line("tile%d[lj * %d + li] = %s;", n, side+1, t.expr(l))
	}
	t.close()
	t.line("barrier(CLK_LOCAL_MEM_FENCE);")
	t.open("if (top + li < count0 && left + lj < count1)")
	t.line("const long %s = first0 + top + li, %s = first1 + left + lj;", i, j)
	t.tiles = map[*ir.Load]string{}
	for n, l := range k.tiled {
		t.tiles[l] = fmt.Sprintf("tile%d[li * %d + lj]", n, side+1)
	}
	t.block(k.body)
	t.tiles = nil
	t.close()
}

// chunkTiles writes loops over the tiles of a work-item's rows.
func (t *kernelText) chunkTiles(k *kernel) {
	i, j := t.declare(k.dims[0].Var), t.declare(k.dims[1].Var)
	t.line("const long total = count0, item = get_global_id(0), items = get_global_size(0);")
	t.line("const long from = first0 + total * item / items, to = first0 + total * (item + 1) / items, end = first1 + count1;")
	t.open("for (long top = from; top < to; top += %d)", chunkTile)
	t.open("for (long left = first1; left < end; left += %d)", chunkTile)
	t.line("const long bottom = top + %d < to ? top + %d : to, right = left + %d < end ? left + %d : end;", chunkTile, chunkTile, chunkTile, chunkTile)
	t.open("for (long %s = top; %s < bottom; %s++)", i, i, i)
	t.open("for (long %s = left; %s < right; %s++)", j, j, j)
	t.block(k.body)
	for range 4 {
		t.close()
	}
}
