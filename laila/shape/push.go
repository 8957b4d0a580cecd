package shape

import (
	"math"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/reduce"
	"github.com/tailor-lang/tailor/tail"
)

// Compress keeps the items whose mask is 1. How many they are is counted
// first; the items are then written in one pass.
func Compress(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	mask := g.Array(args[0])
	p, a := extendedItem(g, e, mask, args[1])
	replicateFits(g, e, mask, p, a)
	g.Total(p)
	if p.Cost > 4 {
		g.Reread(p)
	}
	if mask.Cost > 6 && !g.Light(mask, 2) || mask.Flat == nil && mask.At == nil || mask.Faults {
		g.Materialise(mask)
	}
	n := countOnes(g, mask)
	return build.Array1(kept(g, mask, p, a, n))
}

// extendedItem returns the right argument of a replication: a scalar is
// extended to the length of the left argument.
func extendedItem(g *build.Builder, e *tail.Apply, counts *build.Pull, v *build.Value) (*build.Pull, int) {
	if v.X == nil {
		return v.Arr, e.Axis
	}
	return g.ConstantPull(g.Atom("x", v.X), []ir.Expr{counts.Dims[0]}), 0
}

// replicateFits checks that there is a count for every item.
func replicateFits(g *build.Builder, e *tail.Apply, counts, p *build.Pull, a int) {
	if x, y := tail.TypeOf(e.Args[0]), tail.TypeOf(e.Args[1]); y.Dims() > 0 && x.Dims() > 0 && x.Extent(0).Equal(y.Extent(a)) {
		return
	}
	if ir.IsInt(counts.Dims[0], 1) {
		return
	}
	g.FailIf(g.Compare(ir.OpNe, counts.Dims[0], p.Dims[a]), tail.FaultReplicate, build.SiteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: counts.Dims[0]}, build.ShapeArg(p.Dims), {X: ir.Integer(int64(a + 1))}}
	})
}

// countOnes returns how many elements of a mask are 1, which is counted once.
func countOnes(g *build.Builder, mask *build.Pull) ir.Expr {
	return g.Ones(mask, func() ir.Expr {
		return plainSum(g, &build.Pull{Elem: ir.I64, Dims: mask.Dims, Rng: facts.Between(0, 1), Srcs: []*build.Pull{mask},
			At: func(ix []ir.Expr) ir.Expr { return ir.ConvertTo(ir.I64, g.Index(mask, ix)) }})
	})
}

// plainSum is the sum of integers that stays small.
func plainSum(g *build.Builder, p *build.Pull) ir.Expr {
	fd := &reduce.Folding{N: p.Dims[0], Kind: ir.I64, Rng: p.Rng, Op: tail.OpAddI, Zero: ir.Integer(0)}
	fd.F = addLam()
	g.Live.Count[fd.F.Params[0]], g.Live.Count[fd.F.Params[1]] = 1, 1
	if g.Nest != nil {
		return g.Extent(g.Atom("n", reduce.Fold(g, fd, func(i ir.Expr) ir.Expr { return g.Index(p, []ir.Expr{i}) })))
	}
	return g.Extent(reduce.Segred(g, fd, p))
}

// addLam is the sum of two integers as a function.
func addLam() *tail.Lam {
	ty := tail.Scalar(2)
	x, y := &tail.Var{Name: "x", Type: ty}, &tail.Var{Name: "y", Type: ty}
	return &tail.Lam{Params: []*tail.Var{x, y},
		Body: &tail.Apply{Op: tail.OpAddI, Args: []tail.Expr{&tail.Ref{Var: x}, &tail.Ref{Var: y}}, Ty: ty}}
}

// kept is the array of the items whose mask is 1; n is how many they are.
func kept(g *build.Builder, mask, p *build.Pull, a int, n ir.Expr) *build.Pull {
	dims := build.Replaced(p.Dims, a, n)
	if p.Rank() > 1 {
		where := g.Stored(ir.I64, nil, []ir.Expr{n})
		w := &build.Pull{Elem: ir.I64, Dims: []ir.Expr{n}, Rng: facts.Between(0, max(g.RangeOf(p.Dims[a]).Hi-1, 0)), Srcs: []*build.Pull{mask},
			Drive: func(body func(x ir.Expr)) {
				g.Sequence(p.Dims[a], func(i ir.Expr) {
					m := g.Index(mask, []ir.Expr{maskIndex(mask, i)})
					g.Emit(&ir.If{Cond: m, Then: g.Block(func() { body(i) })})
				})
			}}
		*where = *w
		g.Materialise(where)
		return build.View(p, dims, func(ix []ir.Expr) ir.Expr {
			j := g.Let("j", g.Index(where, []ir.Expr{ix[a]}))
			g.Ranges[j.(*ir.Use).Var] = facts.Between(0, facts.MaxExtent)
			return g.Index(p, build.Replaced(ix, a, j))
		})
	}
	keep := &build.Filter{Mask: mask, N: p.Dims[0], Value: func(i ir.Expr) ir.Expr { return g.Index(p, []ir.Expr{i}) }}
	if ir.IsInt(mask.Dims[0], 1) {
		keep = nil
	}
	return &build.Pull{Elem: p.Elem, Dims: dims, Rng: p.Rng, Span: p.Span, Cost: p.Cost + mask.Cost + 1, Srcs: []*build.Pull{mask, p}, Filter: keep,
		Drive: func(body func(x ir.Expr)) {
			g.Sequence(p.Dims[0], func(i ir.Expr) {
				m := g.Index(mask, []ir.Expr{maskIndex(mask, i)})
				g.Emit(&ir.If{Cond: m, Then: g.Block(func() { body(g.Index(p, []ir.Expr{i})) })})
			})
		}}
}

// maskIndex extends a mask of one element.
func maskIndex(mask *build.Pull, i ir.Expr) ir.Expr {
	if ir.IsInt(mask.Dims[0], 1) {
		return ir.Integer(0)
	}
	return i
}

// Where gives the positions of the ones.
func Where(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	mask := g.Array(args[0])
	if mask.Cost > 6 && !g.Light(mask, 2) || mask.Flat == nil && mask.At == nil || mask.Faults {
		g.Materialise(mask)
	}
	n := countOnes(g, mask)
	return build.Array1(&build.Pull{Elem: ir.I64, Dims: []ir.Expr{n}, Rng: facts.Between(1, max(g.RangeOf(mask.Dims[0]).Hi, 1)), Cost: mask.Cost + 1, Srcs: []*build.Pull{mask},
		Filter: &build.Filter{Mask: mask, N: mask.Dims[0], Value: func(i ir.Expr) ir.Expr { return ir.Add(i, ir.Integer(1)) }},
		Drive: func(body func(x ir.Expr)) {
			g.Sequence(mask.Dims[0], func(i ir.Expr) {
				g.Emit(&ir.If{Cond: g.Index(mask, []ir.Expr{i}), Then: g.Block(func() { body(ir.Add(i, ir.Integer(1))) })})
			})
		}})
}

// Replicate repeats items; negative counts give fill elements.
func Replicate(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	counts := g.Array(args[0])
	p, a := extendedItem(g, e, counts, args[1])
	if counts.Dims[0] != nil && args[1].X == nil && args[0].X != nil {
		c := g.Atom("k", args[0].X)
		counts = g.ConstantPull(c, []ir.Expr{p.Dims[a]})
	} else if ir.IsInt(counts.Dims[0], 1) && !ir.IsInt(p.Dims[a], 1) {
		g.Pullable(counts)
		c := g.Atom("k", g.Index(counts, []ir.Expr{ir.Integer(0)}))
		counts = g.ConstantPull(c, []ir.Expr{p.Dims[a]})
	} else {
		replicateFits(g, e, counts, p, a)
	}
	g.Reread(counts)
	g.Total(p)
	g.Reread(p)
	if p.Rank() == 1 && counts.Rng.Within(0, 1) && counts.Elem == ir.I64 && !ir.IsInt(counts.Dims[0], 1) {
		mask := build.View(counts, counts.Dims, func(ix []ir.Expr) ir.Expr {
			return g.Compare(ir.OpNe, g.Index(counts, ix), ir.Integer(0))
		})
		mask.Elem = ir.U8
		return build.Array1(kept(g, mask, p, a, countOnes(g, mask)))
	}
	n := TotalCount(g, e, counts, p.Dims, a)
	if p.Rank() == 1 {
		return build.Array1(runs(g, counts, p, n))
	}
	source := sources(g, counts, p.Dims[a], n)
	return build.Array1(selected(g, p, a, source, n, counts.Rng.Lo < 0))
}

// runs is the vector of the elements of p, each as often as counts says, and as many
// fill elements where the count is negative.
func runs(g *build.Builder, counts, p *build.Pull, n ir.Expr) *build.Pull {
	q := &build.Pull{Elem: p.Elem, Dims: []ir.Expr{n}, Rng: p.Rng, Span: p.Span, Cost: p.Cost + counts.Cost + 1, Srcs: []*build.Pull{counts, p}}
	fill := counts.Rng.Lo < 0
	if fill {
		q.Rng = q.Rng.Union(rangeOfFill(p.Elem))
		q.Span = facts.JoinSpans(q.Span, &facts.Span{})
	}
	each := func(body func(x, count ir.Expr)) {
		g.Sequence(p.Dims[0], func(i ir.Expr) {
			k := g.Atom("k", g.Index(counts, []ir.Expr{i}))
			x := g.Atom("x", g.Index(p, []ir.Expr{i}))
			if fill {
				x = g.Atom("x", ir.Choose(g.Compare(ir.OpLt, k, ir.Integer(0)), ir.Fill(p.Elem), x))
			}
			body(x, g.Atom("k", g.Absolute(k)))
		})
	}
	q.Drive = func(body func(x ir.Expr)) {
		each(func(x, count ir.Expr) { g.Sequence(count, func(ir.Expr) { body(x) }) })
	}
	q.Fill = func(dst *ir.Buf) {
		at := g.Mutable("at", ir.I64, ir.Integer(0))
		g.Ranges[at] = facts.Between(0, facts.MaxExtent)
		each(func(x, count ir.Expr) {
			g.Loop(ir.Integer(0), count, true, func(i ir.Expr) { g.Emit(dst.Store(ir.Add(at.Use(), i), ir.ConvertTo(dst.Elem, x))) })
			g.Emit(at.Assign(ir.Add(at.Use(), count)))
		})
	}
	return q
}

// TotalCount is the sum of the magnitudes of counts, the extent of an axis of an array
// that had these extents before.
func TotalCount(g *build.Builder, e *tail.Apply, counts *build.Pull, dims []ir.Expr, a int) ir.Expr {
	if most := max(counts.Rng.Hi, -counts.Rng.Lo); most < 1<<31 && counts.Rng.Lo > -1<<31 {
		if all, ok := facts.MulInt(most, g.RangeOf(counts.Dims[0]).Hi); ok && all <= facts.MaxExtent {
			return plainSum(g, &build.Pull{Elem: ir.I64, Dims: counts.Dims, Rng: facts.Between(0, most), Srcs: []*build.Pull{counts},
				At: func(ix []ir.Expr) ir.Expr { return g.Absolute(g.Atom("k", ir.ConvertTo(ir.I64, g.Index(counts, ix)))) }})
		}
	}
	total := g.Mutable("total", ir.I64, ir.Integer(0))
	bad := g.Mutable("bad", ir.U8, ir.Boolean(false))
	flag := bad.Use()
	g.Sequence(counts.Dims[0], func(i ir.Expr) {
		g.Emit(&ir.Checked{Var: total, Op: ir.OpAdd, X: total.Use(), Y: g.Absolute(g.Atom("k", g.Index(counts, []ir.Expr{i}))), Flag: bad})
	})
	n := g.Let("n", total.Use())
	g.FailIf(flag, tail.FaultTooLarge, build.SiteOf(e), func() []ir.FailArg {
		return []ir.FailArg{build.ShapeArg(build.Replaced(dims, a, ir.Integer(math.MaxInt64)))}
	})
	g.FailIf(ir.OpGt.Of(n, ir.Integer(facts.MaxExtent)), tail.FaultMemory, build.SiteOf(e), func() []ir.FailArg {
		return []ir.FailArg{build.ShapeArg(build.Replaced(dims, a, n))}
	})
	return g.Extent(n)
}

// sources is the vector that says which item, from 0, each item of the result
// comes from; -1 stands for a fill element.
func sources(g *build.Builder, counts *build.Pull, items, n ir.Expr) *build.Pull {
	s := &build.Pull{Elem: ir.I64, Dims: []ir.Expr{n}, Rng: facts.Between(min(max(counts.Rng.Lo, -1), 0), max(g.RangeOf(items).Hi-1, 0)), Srcs: []*build.Pull{counts},
		Drive: func(body func(x ir.Expr)) {
			g.Sequence(items, func(i ir.Expr) {
				k := g.Atom("k", g.Index(counts, []ir.Expr{i}))
				from := i
				if counts.Rng.Lo < 0 {
					from = g.Atom("from", ir.Choose(g.Compare(ir.OpLt, k, ir.Integer(0)), ir.Integer(-1), i))
				}
				g.Sequence(g.Atom("k", g.Absolute(k)), func(ir.Expr) { body(from) })
			})
		}}
	return g.Materialise(s)
}

// selected takes item source[i] of p along axis a; -1 is a fill element.
func selected(g *build.Builder, p *build.Pull, a int, source *build.Pull, n ir.Expr, fill bool) *build.Pull {
	q := build.View(p, build.Replaced(p.Dims, a, n), nil)
	q.Srcs = []*build.Pull{p, source}
	if fill {
		q.Rng = q.Rng.Union(rangeOfFill(p.Elem))
		q.Span = facts.JoinSpans(q.Span, &facts.Span{})
	}
	q.At = func(ix []ir.Expr) ir.Expr {
		j := g.Let("j", g.Index(source, []ir.Expr{ix[a]}))
		read := func() ir.Expr { return g.Index(p, build.Replaced(ix, a, j)) }
		if !fill {
			g.Ranges[j.(*ir.Use).Var] = facts.Between(0, facts.MaxExtent)
			return read()
		}
		return g.IfElse(ir.OpLt.Of(j, ir.Integer(0)), func() ir.Expr { return ir.Fill(p.Elem) }, read)
	}
	return q
}

// Expand uses the items in turn where counts are positive, fill elements
// elsewhere.
func Expand(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	counts := g.Array(args[0])
	g.Reread(counts)
	positive := &build.Pull{Elem: ir.I64, Dims: counts.Dims, Rng: facts.Between(0, 1), Cost: counts.Cost + 1, Srcs: []*build.Pull{counts},
		At: func(ix []ir.Expr) ir.Expr {
			return ir.ConvertTo(ir.I64, g.Compare(ir.OpGt, g.Index(counts, ix), ir.Integer(0)))
		}}
	used := countOnes(g, &build.Pull{Elem: ir.U8, Dims: counts.Dims, Rng: facts.Between(0, 1), Cost: 1, Srcs: []*build.Pull{positive},
		At: func(ix []ir.Expr) ir.Expr { return ir.ConvertTo(ir.U8, g.Index(positive, ix)) }})
	var p *build.Pull
	a := e.Axis
	if args[1].X != nil {
		p, a = g.ConstantPull(g.Atom("x", args[1].X), []ir.Expr{used}), 0
	} else {
		p = args[1].Arr
		g.FailIf(ir.And(g.Compare(ir.OpNe, used, p.Dims[a]), g.Compare(ir.OpNe, p.Dims[a], ir.Integer(1))), tail.FaultExpand, build.SiteOf(e), func() []ir.FailArg {
			return []ir.FailArg{{X: used}, build.ShapeArg(p.Dims), {X: ir.Integer(int64(a + 1))}}
		})
	}
	g.Total(p)
	g.Reread(p)
	// The magnitude of a count is how many items of the result it makes; 0 makes one.
	made := &build.Pull{Elem: ir.I64, Dims: counts.Dims, Rng: facts.Between(-facts.MaxExtent, facts.MaxExtent), Cost: 1, Srcs: []*build.Pull{counts},
		At: func(ix []ir.Expr) ir.Expr {
			k := g.Atom("k", ir.ConvertTo(ir.I64, g.Index(counts, ix)))
			return ir.Choose(g.Compare(ir.OpEq, k, ir.Integer(0)), ir.Integer(-1), k)
		}}
	n := TotalCount(g, e, made, p.Dims, a)
	one := g.Atom("one", g.Compare(ir.OpEq, p.Dims[a], ir.Integer(1)))
	s := &build.Pull{Elem: ir.I64, Dims: []ir.Expr{n}, Rng: facts.Between(-1, facts.MaxExtent), Srcs: []*build.Pull{made},
		Drive: func(body func(x ir.Expr)) {
			next := g.Mutable("next", ir.I64, ir.Integer(0))
			g.Sequence(counts.Dims[0], func(i ir.Expr) {
				k := g.Atom("k", g.Index(made, []ir.Expr{i}))
				from := g.Let("from", &ir.Select{Cond: ir.OpLt.Of(k, ir.Integer(0)), Then: ir.Integer(-1), Else: &ir.Select{Cond: one, Then: ir.Integer(0), Else: next.Use()}})
				g.Sequence(g.Atom("k", g.Absolute(k)), func(ir.Expr) { body(from) })
				g.Emit(next.Assign(ir.Add(next.Use(), ir.ConvertTo(ir.I64, ir.OpGt.Of(k, ir.Integer(0))))))
			})
		}}
	return build.Array1(selected(g, p, a, g.Materialise(s), n, true))
}
