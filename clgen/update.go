package clgen

import (
	"math"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/fcl/compile"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/loops"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A loop that updates an array at any places, as z[x]←y and z[x]+←y do, and counts,
//
//	for i = 0 … n: z[x[i]] = y[i]
//
// becomes a use of FCL's totals: of lasts, where the last of the elements that are stored at a
// place stays, and of the totals of what joins an element; or of byPlace, where the order matters, as with
// sums of doubles. One work-item runs the loop, NAME_alone, where
// there is little to do for the length of the array, and on CPUs where the order matters: their few
// work-items would do more to find it out.

// update returns the kernel of an update, nil for other loops.
func (pl *planner) update(f *ir.For) *kernel {
	if !isPure(f.Body) || ir.Has[*ir.Nest](f.Body) {
		return nil
	}
	u, ok := flow.UpdateOf(f)
	if !ok {
		return nil
	}
	dims := []ir.Dim{{Var: f.Var, Lo: f.Lo, Hi: f.Hi}}
	if u.AnyOrder(f.Var) {
		k := mapOver(dims, f.Body, f.At, false)
		if k != nil {
			k.read[u.Buf] = true // elements stay that no point stores
		}
		return k
	}
	most := int64(math.MaxInt32)
	if u.Joins && u.Buf.Elem == ir.I64 {
		r := pl.plan.Facts.RangeOf(u.X)
		u.Joins = r.Within(-math.MaxInt32, math.MaxInt32-1) // no neutral element of max or min
		u.Ordered = !u.Joins
		if u.Joins && u.Op == ir.OpAdd {
			most /= max(-r.Lo, r.Hi, 1)
		}
	}
	if !u.Joins && pl.plan.Schedule == Chunks {
		return nil
	}
	uses := usesOf(f.Body, f.Var)
	k := newKernel(updateShape, uses, spanOf([]ir.Stmt{f}))
	k.dims, k.body, k.update, k.most, k.weight = dims, f.Body, u, most, weigh(f.Body)
	return k.setFlags(uses, nil)
}

// updateSteps are the kernels of an update.
var updateSteps = []libraryStep{
	{"_clear", "What %s adds up in."}, {"_local", "The parts of %s, each in local memory first."}, {"_global", "The parts of %s, for long arrays."}, {"", ""},
}

// placeSteps are those where iterations go by places.
var placeSteps = []libraryStep{
	{"_count", "How many places of each part of the array the parts of %s have."}, {"_totals", "The totals of these."},
	{"_carry", "What is before them."}, {"_begins", "Where the iterations of each part begin."},
	{"_move", "The iterations of %s by parts of the array."}, {"", ""},
}

// updateText writes an update.
func (pl *planner) updateText(t *kernelText, k *kernel) {
	u, name, steps, results := k.update, "lastsOr", updateSteps, []ir.Expr{k.update.At.Use()}
	if pl.plan.Schedule == Chunks {
		steps = slices.Delete(slices.Clone(steps), 2, 3)
	}
	switch {
	case u.Joins:
		name, results = "totalsOr", append(results, u.Value.Use())
	case u.Ordered:
		name, steps = "byPlaceOr", placeSteps
	}
	pl.library(t, k, name, nil, steps, func(use *libraryUse, f compile.Value) {
		size, n := fclkernel.Expr(use.length(u.Buf)), use.size(0, 1)
		made := size
		if u.Ordered {
			made = n
		}
		args := []compile.Value{use.Elsewhere(k.name+"_alone", made, fclkernel.Int(1), 1), fclkernel.Int(k.most)}
		item := compile.Func(func(i compile.Value) compile.Value { return use.point(k, i, results) })
		if !u.Joins {
			use.take(f, append(args, size, n, item), false, func(args []string) {
				t.point(k, args[0])
				t.block(k.body)
			})
			return
		}
		neutral := ir.Neutral(u.Op, ir.I32)
		op := compile.Curried(2, func(args []compile.Value) compile.Value {
			return fclkernel.Apply(strings.Trim(loops.Joiner(u.Op, ir.I32), "()"), args[0].(fclkernel.Expr), args[1].(fclkernel.Expr))
		})
		old, more := ir.ConvertTo(ir.I64, u.Buf.Load(u.At.Use())), ir.ConvertTo(ir.I64, u.Value.Use())
		store := u.Buf.Store(u.At.Use(), ir.ConvertTo(u.Buf.Elem, u.Op.Of(old, more)))
		use.take(f, append(args, op, use.named(kinds{ir.I32}, neutral), size, n, item), true, func(args []string) {
			t.open("if (%s != %s)", args[1], t.expr(neutral))
			t.shadow(u.At, args[0])
			t.shadow(u.Value, args[1])
			t.stmt(store)
			t.close()
		})
	})
	t.line("")
	t.line("/* The loop itself. */")
	t.head(k, k.name+"_alone", groupAttribute(1), answersParam)
	t.flags(k)
	v := t.declare(k.dims[0].Var)
	t.open("for (long %[1]s = first0; %[1]s < first0 + count0; %[1]s++)", v)
	t.block(k.body)
	t.close()
	t.raise(k)
	t.close()
}

// point is code that computes results of an update at a place.
func (u *libraryUse) point(k *kernel, at compile.Value, of []ir.Expr) compile.Value {
	var ks kinds
	for _, x := range of {
		ks = append(ks, x.Kind())
	}
	return u.values(ks.scalars(), true, func(args, results []string) {
		u.t.point(k, args[0])
		u.t.block(k.update.Point)
		ks.assign(u.t, results, func(i int) string { return u.t.expr(of[i]) })
	}, at)
}

// length is the number of elements of an array.
func (u *libraryUse) length(b *ir.Buf) *fclkernel.Var {
	v := u.Number("length", 0, 1<<38)
	u.places[v] = len(u.k.axes()) + 2 + len(u.lengths)
	u.lengths = append(u.lengths, slices.Index(u.k.bufs, b))
	return v
}
