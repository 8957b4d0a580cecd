package clgen

import (
	"github.com/tailor-lang/tailor/fcl/compile"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A map over a matrix that reads along columns while it writes along rows,
//
//	segmap i = 0 … n; j = 0 … m
//	  b[i×m+j] = a[j×n+i]
//
// goes through the space in tiles: on CPUs by mapTiles of FCL's library, which
// keeps what both sides touch in the cache, on GPUs by mapAcross, where
// neighbours read neighbours, and hand them over in local memory.

// farStride is the stride, in elements, from which neighbouring points read
// from other lines of memory.
const farStride = 16

// coefficient returns how far an index moves with v; as if it were far where only the run
// knows that.
func coefficient(x ir.Expr, v *ir.Var) (c int64, ok bool) {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		switch y := x.(type) {
		case *ir.Use:
			return affine.Of(y.Var)
		case *ir.Convert:
			return r.Read(y.X)
		}
		if ir.Mentions(x, v) {
			return affine.Unknown
		}
		return affine.Of(&ir.Var{Name: "other", Kind: ir.I64})
	}}
	by, _ := r.Read(x).Split(v)
	if c, ok = by.Constant(); ok {
		return c, true
	}
	return 1 << 20, by.Known() && !by.Mentions(v)
}

// columns lists the loads of a map that go down columns as the last axis moves
// on, and along rows with the first.
func (k *kernel) columns() (list []ir.Expr) {
	if k.shape != mapShape || len(k.dims) != 2 || len(k.more) > 0 {
		return nil
	}
	allExprs(k.body, func(x ir.Expr) {
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
	return list
}

// maxTiles bounds the loads that pass through local memory.
const maxTiles = 4

// findTiles notes that a kernel goes through its space in tiles, and on a GPU which loads pass
// through local memory.
func (pl *planner) findTiles(k *kernel) {
	list := k.columns()
	if pl.plan.Schedule == Chunks {
		k.tiled = len(list) > 0
		return
	}
	if len(list) == 0 || len(list) > maxTiles || k.trap != nil {
		return
	}
	outside := map[ir.Expr]bool{} // of blocks
	for _, s := range k.body {
		exprs(s, func(x ir.Expr) { outside[x] = true })
	}
	u := usesOf(k.body)
	for _, x := range list {
		l := x.(*ir.Load)
		if !outside[l] || k.written[l.Buf] || u.local[l.Buf] || outer(l.Index, u.inside) {
			return
		}
	}
	k.tiled, k.across = true, list
}

// tileSteps is the kernel of a map in tiles.
var tileSteps = []libraryStep{{"", ""}}

// tilesText writes a map that goes through its space in tiles.
func (pl *planner) tilesText(t *kernelText, k *kernel) {
	read := kindsOf(k.across)
	name, place, vars := "mapTiles", &types.Tuple{Items: []types.Type{types.Int, types.Int}}, []types.Type(nil)
	if len(read) > 0 {
		name, vars = "mapAcross", []types.Type{read.elem()}
		place.Items = append(place.Items, read.elem())
	}
	pl.library(t, k, name, append(vars, place), tileSteps, func(u *libraryUse, f compile.Value) {
		point := func(args []string) {
			for i, d := range k.dims {
				t.line("const long %s = first%d + %s;", t.declare(d.Var), i, args[i])
			}
		}
		n := 2
		var args []compile.Value
		if len(read) > 0 {
			n = 3
			args = append(args, compile.Curried(2, func(args []compile.Value) compile.Value {
				return u.values(read.scalars(), false, func(args, results []string) {
					point(args)
					read.assign(t, results, func(i int) string { return t.expr(k.across[i]) })
				}, args...)
			}))
		}
		element := compile.Curried(n, func(args []compile.Value) compile.Value { return compile.Tuple(args) })
		u.take(f, append(args, element, u.size(0, 1), u.size(1, 2)), false, func(args []string) {
			point(args)
			t.staged = map[ir.Expr]string{}
			t.stage(read, k.across, args[2:])
			t.block(k.body)
			t.staged = nil
		})
	})
}

// stage declares values of expressions, which are theirs from then on; it returns the scalars that are left.
func (t *kernelText) stage(ks kinds, list []ir.Expr, scalars []string) []string {
	for i, x := range ks.values(scalars) {
		t.staged[list[i]] = t.fresh("x")
		t.line("const %s %s = %s;", cltype(ks[i]), t.staged[list[i]], x)
	}
	return scalars[len(ks.scalars()):]
}
