package laila

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// compress keeps the items whose mask is 1. How many they are is counted
// first; the items are then written in one pass.
func (g *gen) compress(e *tail.Apply, args []*value) *value {
	mask := g.array(args[0])
	p, a := g.extendedItem(e, mask, args[1])
	g.replicateFits(e, mask, p, a)
	g.total(p)
	if p.cost > 4 {
		g.reread(p)
	}
	if mask.cost > 6 && !g.light(mask, 2) || mask.flat == nil && mask.at == nil || mask.faults {
		g.materialise(mask)
	}
	n := g.countOnes(mask)
	return array1(g.kept(mask, p, a, n))
}

// extendedItem returns the right argument of a replication: a scalar is
// extended to the length of the left argument.
func (g *gen) extendedItem(e *tail.Apply, counts *pull, v *value) (*pull, int) {
	if v.x == nil {
		return v.arr, e.Axis
	}
	return g.constantPull(g.atom("x", v.x), []ir.Expr{counts.dims[0]}), 0
}

// replicateFits checks that there is a count for every item.
func (g *gen) replicateFits(e *tail.Apply, counts, p *pull, a int) {
	if x, y := tail.TypeOf(e.Args[0]), tail.TypeOf(e.Args[1]); y.Dims() > 0 && x.Dims() > 0 && x.Extent(0).Equal(y.Extent(a)) {
		return
	}
	if ir.IsInt(counts.dims[0], 1) {
		return
	}
	g.failIf(g.Compare(ir.OpNe, counts.dims[0], p.dims[a]), tail.FaultReplicate, siteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: counts.dims[0]}, shapeArg(p.dims), {X: ir.Integer(int64(a + 1))}}
	})
}

func (g *gen) countOnes(mask *pull) ir.Expr {
	return g.plainSum(&pull{elem: ir.I64, dims: mask.dims, rng: facts.Between(0, 1), srcs: []*pull{mask},
		at: func(ix []ir.Expr) ir.Expr { return ir.ConvertTo(ir.I64, g.index(mask, ix)) }})
}

// plainSum is the sum of integers that stays small.
func (g *gen) plainSum(p *pull) ir.Expr {
	fd := &folding{n: p.dims[0], kind: ir.I64, rng: p.rng, op: tail.OpAddI, zero: ir.Integer(0)}
	fd.f = addLam()
	g.live.Count[fd.f.Params[0]], g.live.Count[fd.f.Params[1]] = 1, 1
	if g.nest != nil {
		return g.extent(g.fold(fd, func(i ir.Expr) ir.Expr { return g.index(p, []ir.Expr{i}) }))
	}
	return g.extent(g.segred(fd, p))
}

// addLam is the sum of two integers as a function.
func addLam() *tail.Lam {
	ty := tail.Scalar(2)
	x, y := &tail.Var{Name: "x", Type: ty}, &tail.Var{Name: "y", Type: ty}
	return &tail.Lam{Params: []*tail.Var{x, y},
		Body: &tail.Apply{Op: tail.OpAddI, Args: []tail.Expr{&tail.Ref{Var: x}, &tail.Ref{Var: y}}, Ty: ty}}
}

// kept is the array of the items whose mask is 1; n is how many they are.
func (g *gen) kept(mask, p *pull, a int, n ir.Expr) *pull {
	dims := replaced(p.dims, a, n)
	if p.rank() > 1 {
		where := g.stored(ir.I64, nil, []ir.Expr{n})
		w := &pull{elem: ir.I64, dims: []ir.Expr{n}, rng: facts.Between(0, max(g.RangeOf(p.dims[a]).Hi-1, 0)), srcs: []*pull{mask},
			drive: func(body func(x ir.Expr)) {
				g.sequence(p.dims[a], func(i ir.Expr) {
					m := g.index(mask, []ir.Expr{g.maskIndex(mask, i)})
					g.emit(&ir.If{Cond: m, Then: g.block(func() { body(i) })})
				})
			}}
		*where = *w
		g.materialise(where)
		return view(p, dims, func(ix []ir.Expr) ir.Expr {
			j := g.let("j", g.index(where, []ir.Expr{ix[a]}))
			g.Ranges[j.(*ir.Use).Var] = facts.Between(0, facts.MaxExtent)
			return g.index(p, replaced(ix, a, j))
		})
	}
	keep := &filter{mask: mask, n: p.dims[0], value: func(i ir.Expr) ir.Expr { return g.index(p, []ir.Expr{i}) }}
	if ir.IsInt(mask.dims[0], 1) {
		keep = nil
	}
	return &pull{elem: p.elem, dims: dims, rng: p.rng, span: p.span, cost: p.cost + mask.cost + 1, srcs: []*pull{mask, p}, filter: keep,
		drive: func(body func(x ir.Expr)) {
			g.sequence(p.dims[0], func(i ir.Expr) {
				m := g.index(mask, []ir.Expr{g.maskIndex(mask, i)})
				g.emit(&ir.If{Cond: m, Then: g.block(func() { body(g.index(p, []ir.Expr{i})) })})
			})
		}}
}

// maskIndex extends a mask of one element.
func (g *gen) maskIndex(mask *pull, i ir.Expr) ir.Expr {
	if ir.IsInt(mask.dims[0], 1) {
		return ir.Integer(0)
	}
	return i
}

// where gives the positions of the ones.
func (g *gen) where(e *tail.Apply, args []*value) *value {
	mask := g.array(args[0])
	if mask.cost > 6 && !g.light(mask, 2) || mask.flat == nil && mask.at == nil || mask.faults {
		g.materialise(mask)
	}
	n := g.countOnes(mask)
	return array1(&pull{elem: ir.I64, dims: []ir.Expr{n}, rng: facts.Between(1, max(g.RangeOf(mask.dims[0]).Hi, 1)), cost: mask.cost + 1, srcs: []*pull{mask},
		filter: &filter{mask: mask, n: mask.dims[0], value: func(i ir.Expr) ir.Expr { return ir.Add(i, ir.Integer(1)) }},
		drive: func(body func(x ir.Expr)) {
			g.sequence(mask.dims[0], func(i ir.Expr) {
				g.emit(&ir.If{Cond: g.index(mask, []ir.Expr{i}), Then: g.block(func() { body(ir.Add(i, ir.Integer(1))) })})
			})
		}})
}

// replicate repeats items; negative counts give fill elements.
func (g *gen) replicate(e *tail.Apply, args []*value) *value {
	counts := g.array(args[0])
	p, a := g.extendedItem(e, counts, args[1])
	if counts.dims[0] != nil && args[1].x == nil && args[0].x != nil {
		c := g.atom("k", args[0].x)
		counts = g.constantPull(c, []ir.Expr{p.dims[a]})
	} else if ir.IsInt(counts.dims[0], 1) && !ir.IsInt(p.dims[a], 1) {
		g.pullable(counts)
		c := g.atom("k", g.index(counts, []ir.Expr{ir.Integer(0)}))
		counts = g.constantPull(c, []ir.Expr{p.dims[a]})
	} else {
		g.replicateFits(e, counts, p, a)
	}
	g.reread(counts)
	g.total(p)
	g.reread(p)
	n := g.totalCount(e, counts, p, a)
	if p.rank() == 1 {
		return array1(g.runs(counts, p, n))
	}
	source := g.sources(counts, p.dims[a], n)
	return array1(g.selected(p, a, source, n, counts.rng.Lo < 0))
}

// runs is the vector of the elements of p, each as often as counts says, and as many
// fill elements where the count is negative.
func (g *gen) runs(counts, p *pull, n ir.Expr) *pull {
	q := &pull{elem: p.elem, dims: []ir.Expr{n}, rng: p.rng, span: p.span, cost: p.cost + counts.cost + 1, srcs: []*pull{counts, p}}
	fill := counts.rng.Lo < 0
	if fill {
		q.rng = q.rng.Union(rangeOfFill(p.elem))
		q.span = facts.JoinSpans(q.span, &facts.Span{})
	}
	each := func(body func(x, count ir.Expr)) {
		g.sequence(p.dims[0], func(i ir.Expr) {
			k := g.atom("k", g.index(counts, []ir.Expr{i}))
			x := g.atom("x", g.index(p, []ir.Expr{i}))
			if fill {
				x = g.atom("x", ir.Choose(g.Compare(ir.OpLt, k, ir.Integer(0)), ir.Fill(p.elem), x))
			}
			body(x, g.atom("k", g.absolute(k)))
		})
	}
	q.drive = func(body func(x ir.Expr)) {
		each(func(x, count ir.Expr) { g.sequence(count, func(ir.Expr) { body(x) }) })
	}
	q.fill = func(dst *ir.Buf) {
		at := g.mutable("at", ir.I64, ir.Integer(0))
		g.Ranges[at] = facts.Between(0, facts.MaxExtent)
		each(func(x, count ir.Expr) {
			v := g.loopVar(ir.Integer(0), count, nil)
			g.emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: count, Independent: true, Body: g.block(func() {
				g.emit(dst.Store(ir.Add(at.Use(), v.Use()), ir.ConvertTo(dst.Elem, x)))
			})}, at.Assign(ir.Add(at.Use(), count)))
		})
	}
	return q
}

// totalCount is the sum of the magnitudes of counts.
func (g *gen) totalCount(e *tail.Apply, counts, p *pull, a int) ir.Expr {
	if most := max(counts.rng.Hi, -counts.rng.Lo); most < 1<<31 && counts.rng.Lo > -1<<31 {
		if all, ok := facts.MulInt(most, g.RangeOf(counts.dims[0]).Hi); ok && all <= facts.MaxExtent {
			return g.plainSum(&pull{elem: ir.I64, dims: counts.dims, rng: facts.Between(0, most), srcs: []*pull{counts},
				at: func(ix []ir.Expr) ir.Expr { return g.absolute(g.atom("k", ir.ConvertTo(ir.I64, g.index(counts, ix)))) }})
		}
	}
	total := g.mutable("total", ir.I64, ir.Integer(0))
	bad := g.mutable("bad", ir.U8, ir.Boolean(false))
	flag := bad.Use()
	g.sequence(counts.dims[0], func(i ir.Expr) {
		g.emit(&ir.Checked{Var: total, Op: ir.OpAdd, X: total.Use(), Y: g.absolute(g.atom("k", g.index(counts, []ir.Expr{i}))), Flag: bad})
	})
	n := g.let("n", total.Use())
	g.failIf(flag, tail.FaultTooLarge, siteOf(e), func() []ir.FailArg {
		return []ir.FailArg{shapeArg(replaced(p.dims, a, ir.Integer(math.MaxInt64)))}
	})
	g.failIf(ir.OpGt.Of(n, ir.Integer(facts.MaxExtent)), tail.FaultMemory, siteOf(e), func() []ir.FailArg {
		return []ir.FailArg{shapeArg(replaced(p.dims, a, n))}
	})
	return g.extent(n)
}

// sources is the vector that says which item, from 0, each item of the result
// comes from; -1 stands for a fill element.
func (g *gen) sources(counts *pull, items, n ir.Expr) *pull {
	s := &pull{elem: ir.I64, dims: []ir.Expr{n}, rng: facts.Between(min(max(counts.rng.Lo, -1), 0), max(g.RangeOf(items).Hi-1, 0)), srcs: []*pull{counts},
		drive: func(body func(x ir.Expr)) {
			g.sequence(items, func(i ir.Expr) {
				k := g.atom("k", g.index(counts, []ir.Expr{i}))
				from := i
				if counts.rng.Lo < 0 {
					from = g.atom("from", ir.Choose(g.Compare(ir.OpLt, k, ir.Integer(0)), ir.Integer(-1), i))
				}
				g.sequence(g.atom("k", g.absolute(k)), func(ir.Expr) { body(from) })
			})
		}}
	return g.materialise(s)
}

// selected takes item source[i] of p along axis a; -1 is a fill element.
func (g *gen) selected(p *pull, a int, source *pull, n ir.Expr, fill bool) *pull {
	q := view(p, replaced(p.dims, a, n), nil)
	q.srcs = []*pull{p, source}
	if fill {
		q.rng = q.rng.Union(rangeOfFill(p.elem))
		q.span = facts.JoinSpans(q.span, &facts.Span{})
	}
	q.at = func(ix []ir.Expr) ir.Expr {
		j := g.let("j", g.index(source, []ir.Expr{ix[a]}))
		read := func() ir.Expr { return g.index(p, replaced(ix, a, j)) }
		if !fill {
			g.Ranges[j.(*ir.Use).Var] = facts.Between(0, facts.MaxExtent)
			return read()
		}
		return g.ifElse(ir.OpLt.Of(j, ir.Integer(0)), func() ir.Expr { return ir.Fill(p.elem) }, read)
	}
	return q
}

// expand uses the items in turn where counts are positive, fill elements
// elsewhere.
func (g *gen) expand(e *tail.Apply, args []*value) *value {
	counts := g.array(args[0])
	g.reread(counts)
	positive := &pull{elem: ir.I64, dims: counts.dims, rng: facts.Between(0, 1), cost: counts.cost + 1, srcs: []*pull{counts},
		at: func(ix []ir.Expr) ir.Expr {
			return ir.ConvertTo(ir.I64, g.Compare(ir.OpGt, g.index(counts, ix), ir.Integer(0)))
		}}
	used := g.countOnes(&pull{elem: ir.U8, dims: counts.dims, rng: facts.Between(0, 1), cost: 1, srcs: []*pull{positive},
		at: func(ix []ir.Expr) ir.Expr { return ir.ConvertTo(ir.U8, g.index(positive, ix)) }})
	var p *pull
	a := e.Axis
	if args[1].x != nil {
		p, a = g.constantPull(g.atom("x", args[1].x), []ir.Expr{used}), 0
	} else {
		p = args[1].arr
		g.failIf(ir.And(g.Compare(ir.OpNe, used, p.dims[a]), g.Compare(ir.OpNe, p.dims[a], ir.Integer(1))), tail.FaultExpand, siteOf(e), func() []ir.FailArg {
			return []ir.FailArg{{X: used}, shapeArg(p.dims), {X: ir.Integer(int64(a + 1))}}
		})
	}
	g.total(p)
	g.reread(p)
	// The magnitude of a count is how many items of the result it makes; 0 makes one.
	made := &pull{elem: ir.I64, dims: counts.dims, rng: facts.Between(-facts.MaxExtent, facts.MaxExtent), cost: 1, srcs: []*pull{counts},
		at: func(ix []ir.Expr) ir.Expr {
			k := g.atom("k", ir.ConvertTo(ir.I64, g.index(counts, ix)))
			return ir.Choose(g.Compare(ir.OpEq, k, ir.Integer(0)), ir.Integer(-1), k)
		}}
	n := g.totalCount(e, made, p, a)
	one := g.atom("one", g.Compare(ir.OpEq, p.dims[a], ir.Integer(1)))
	s := &pull{elem: ir.I64, dims: []ir.Expr{n}, rng: facts.Between(-1, facts.MaxExtent), srcs: []*pull{made},
		drive: func(body func(x ir.Expr)) {
			next := g.mutable("next", ir.I64, ir.Integer(0))
			g.sequence(counts.dims[0], func(i ir.Expr) {
				k := g.atom("k", g.index(made, []ir.Expr{i}))
				from := g.let("from", &ir.Select{Cond: ir.OpLt.Of(k, ir.Integer(0)), Then: ir.Integer(-1), Else: &ir.Select{Cond: one, Then: ir.Integer(0), Else: next.Use()}})
				g.sequence(g.atom("k", g.absolute(k)), func(ir.Expr) { body(from) })
				g.emit(next.Assign(ir.Add(next.Use(), ir.ConvertTo(ir.I64, ir.OpGt.Of(k, ir.Integer(0))))))
			})
		}}
	return array1(g.selected(p, a, g.materialise(s), n, true))
}
