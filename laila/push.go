package laila

import (
	"math"

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
	return g.constantPull(g.atom("x", v.x), []Expr{counts.dims[0]}), 0
}

// replicateFits checks that there is a count for every item.
func (g *gen) replicateFits(e *tail.Apply, counts, p *pull, a int) {
	if x, y := tail.TypeOf(e.Args[0]), tail.TypeOf(e.Args[1]); y.Dims() > 0 && x.Dims() > 0 && x.Extent(0).Equal(y.Extent(a)) {
		return
	}
	if isInt(counts.dims[0], 1) {
		return
	}
	g.failIf(g.compare(Ne, counts.dims[0], p.dims[a]), tail.FaultReplicate, siteOf(e), func() []FailArg {
		return []FailArg{{X: counts.dims[0]}, shapeArg(p.dims), {X: integer(int64(a + 1))}}
	})
}

func (g *gen) countOnes(mask *pull) Expr {
	fd := &folding{n: mask.dims[0], kind: I64, rng: interval{0, 1}, op: tail.OpAddI, zero: integer(0)}
	fd.f = addLam()
	ones := &pull{elem: I64, dims: mask.dims, rng: interval{0, 1}, srcs: []*pull{mask},
		at: func(ix []Expr) Expr { return convert(I64, g.index(mask, ix)) }}
	g.live.uses[fd.f.Params[0]], g.live.uses[fd.f.Params[1]] = 1, 1
	if g.nest != nil {
		return g.extent(g.fold(fd, func(i Expr) Expr { return g.index(ones, []Expr{i}) }))
	}
	return g.extent(g.segred(fd, ones))
}

// addLam is the sum of two integers as a function.
func addLam() *tail.Lam {
	ty := tail.Scalar(2)
	x, y := &tail.Var{Name: "x", Type: ty}, &tail.Var{Name: "y", Type: ty}
	return &tail.Lam{Params: []*tail.Var{x, y},
		Body: &tail.Apply{Op: tail.OpAddI, Args: []tail.Expr{&tail.Ref{Var: x}, &tail.Ref{Var: y}}, Ty: ty}}
}

// kept is the array of the items whose mask is 1; n is how many they are.
func (g *gen) kept(mask, p *pull, a int, n Expr) *pull {
	dims := replaced(p.dims, a, n)
	if p.rank() > 1 {
		where := g.stored(I64, nil, []Expr{n})
		w := &pull{elem: I64, dims: []Expr{n}, rng: interval{0, maxExtent}, srcs: []*pull{mask},
			drive: func(body func(x Expr)) {
				g.sequence(p.dims[a], func(i Expr) {
					m := g.index(mask, []Expr{g.maskIndex(mask, i)})
					g.emit(&If{Cond: m, Then: g.block(func() { body(i) })})
				})
			}}
		*where = *w
		g.materialise(where)
		return view(p, dims, func(ix []Expr) Expr {
			j := g.let("j", g.index(where, []Expr{ix[a]}))
			g.ranges[j.(*Use).Var] = interval{0, maxExtent}
			return g.index(p, replaced(ix, a, j))
		})
	}
	keep := &filter{mask: mask, n: p.dims[0], value: func(i Expr) Expr { return g.index(p, []Expr{i}) }}
	if isInt(mask.dims[0], 1) {
		keep = nil
	}
	return &pull{elem: p.elem, dims: dims, rng: p.rng, span: p.span, cost: p.cost + mask.cost + 1, srcs: []*pull{mask, p}, filter: keep,
		drive: func(body func(x Expr)) {
			g.sequence(p.dims[0], func(i Expr) {
				m := g.index(mask, []Expr{g.maskIndex(mask, i)})
				g.emit(&If{Cond: m, Then: g.block(func() { body(g.index(p, []Expr{i})) })})
			})
		}}
}

// maskIndex extends a mask of one element.
func (g *gen) maskIndex(mask *pull, i Expr) Expr {
	if isInt(mask.dims[0], 1) {
		return integer(0)
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
	return array1(&pull{elem: I64, dims: []Expr{n}, rng: interval{1, max(g.rangeOf(mask.dims[0]).hi, 1)}, cost: mask.cost + 1, srcs: []*pull{mask},
		filter: &filter{mask: mask, n: mask.dims[0], value: func(i Expr) Expr { return add(i, integer(1)) }},
		drive: func(body func(x Expr)) {
			g.sequence(mask.dims[0], func(i Expr) {
				g.emit(&If{Cond: g.index(mask, []Expr{i}), Then: g.block(func() { body(add(i, integer(1))) })})
			})
		}})
}

// replicate repeats items; negative counts give fill elements.
func (g *gen) replicate(e *tail.Apply, args []*value) *value {
	counts := g.array(args[0])
	p, a := g.extendedItem(e, counts, args[1])
	if counts.dims[0] != nil && args[1].x == nil && args[0].x != nil {
		c := g.atom("k", args[0].x)
		counts = g.constantPull(c, []Expr{p.dims[a]})
	} else if isInt(counts.dims[0], 1) && !isInt(p.dims[a], 1) {
		g.pullable(counts)
		c := g.atom("k", g.index(counts, []Expr{integer(0)}))
		counts = g.constantPull(c, []Expr{p.dims[a]})
	} else {
		g.replicateFits(e, counts, p, a)
	}
	g.reread(counts)
	g.total(p)
	g.reread(p)
	n := g.totalCount(e, counts, p, a)
	source := g.sources(counts, p.dims[a], n)
	return array1(g.selected(p, a, source, n, counts.rng.lo < 0))
}

// totalCount is the sum of the magnitudes of counts.
func (g *gen) totalCount(e *tail.Apply, counts, p *pull, a int) Expr {
	total := g.mutable("total", I64, integer(0))
	bad := g.mutable("bad", U8, boolean(false))
	flag := &Use{bad}
	g.sequence(counts.dims[0], func(i Expr) {
		g.emit(&Checked{total, Add, &Use{total}, g.absolute(g.atom("k", g.index(counts, []Expr{i}))), bad})
	})
	n := g.let("n", &Use{total})
	g.failIf(flag, tail.FaultTooLarge, siteOf(e), func() []FailArg {
		return []FailArg{shapeArg(replaced(p.dims, a, integer(math.MaxInt64)))}
	})
	g.failIf(&Binary{Gt, n, integer(maxExtent)}, tail.FaultMemory, siteOf(e), func() []FailArg {
		return []FailArg{shapeArg(replaced(p.dims, a, n))}
	})
	return g.extent(n)
}

// sources is the vector that says which item, from 0, each item of the result
// comes from; -1 stands for a fill element.
func (g *gen) sources(counts *pull, items, n Expr) *pull {
	s := &pull{elem: I64, dims: []Expr{n}, rng: interval{-1, maxExtent}, srcs: []*pull{counts},
		drive: func(body func(x Expr)) {
			g.sequence(items, func(i Expr) {
				k := g.atom("k", g.index(counts, []Expr{i}))
				from := i
				if counts.rng.lo < 0 {
					from = g.atom("from", choose(g.compare(Lt, k, integer(0)), integer(-1), i))
				}
				g.sequence(g.atom("k", g.absolute(k)), func(Expr) { body(from) })
			})
		}}
	return g.materialise(s)
}

// selected takes item source[i] of p along axis a; -1 is a fill element.
func (g *gen) selected(p *pull, a int, source *pull, n Expr, fill bool) *pull {
	q := view(p, replaced(p.dims, a, n), nil)
	q.srcs = []*pull{p, source}
	if fill {
		q.rng = q.rng.union(rangeOfFill(p.elem))
		q.span = joinSpans(q.span, &span{})
	}
	q.at = func(ix []Expr) Expr {
		j := g.let("j", g.index(source, []Expr{ix[a]}))
		read := func() Expr { return g.index(p, replaced(ix, a, j)) }
		if !fill {
			g.ranges[j.(*Use).Var] = interval{0, maxExtent}
			return read()
		}
		return g.ifElse(&Binary{Lt, j, integer(0)}, func() Expr { return fillOf(p.elem) }, read)
	}
	return q
}

// expand uses the items in turn where counts are positive, fill elements
// elsewhere.
func (g *gen) expand(e *tail.Apply, args []*value) *value {
	counts := g.array(args[0])
	g.reread(counts)
	positive := &pull{elem: I64, dims: counts.dims, rng: interval{0, 1}, cost: counts.cost + 1, srcs: []*pull{counts},
		at: func(ix []Expr) Expr { return convert(I64, g.compare(Gt, g.index(counts, ix), integer(0))) }}
	used := g.countOnes(&pull{elem: U8, dims: counts.dims, rng: interval{0, 1}, cost: 1, srcs: []*pull{positive},
		at: func(ix []Expr) Expr { return convert(U8, g.index(positive, ix)) }})
	var p *pull
	a := e.Axis
	extended := args[1].x != nil
	if extended {
		p, a = g.constantPull(g.atom("x", args[1].x), []Expr{used}), 0
	} else {
		p = args[1].arr
		g.failIf(and(g.compare(Ne, used, p.dims[a]), g.compare(Ne, p.dims[a], integer(1))), tail.FaultExpand, siteOf(e), func() []FailArg {
			return []FailArg{{X: used}, shapeArg(p.dims), {X: integer(int64(a + 1))}}
		})
		extended = isInt(p.dims[a], 1)
	}
	g.total(p)
	g.reread(p)
	// The magnitude of a count is how many items of the result it makes; 0 makes one.
	made := &pull{elem: I64, dims: counts.dims, rng: interval{-maxExtent, maxExtent}, cost: 1, srcs: []*pull{counts},
		at: func(ix []Expr) Expr {
			k := g.atom("k", convert(I64, g.index(counts, ix)))
			return choose(g.compare(Eq, k, integer(0)), integer(-1), k)
		}}
	n := g.totalCount(e, made, p, a)
	one := g.atom("one", g.compare(Eq, p.dims[a], integer(1)))
	s := &pull{elem: I64, dims: []Expr{n}, rng: interval{-1, maxExtent}, srcs: []*pull{made},
		drive: func(body func(x Expr)) {
			next := g.mutable("next", I64, integer(0))
			g.sequence(counts.dims[0], func(i Expr) {
				k := g.atom("k", g.index(made, []Expr{i}))
				from := g.let("from", &Select{&Binary{Lt, k, integer(0)}, integer(-1), &Select{one, integer(0), &Use{next}}})
				g.sequence(g.atom("k", g.absolute(k)), func(Expr) { body(from) })
				g.emit(&Assign{next, add(&Use{next}, convert(I64, &Binary{Gt, k, integer(0)}))})
			})
		}}
	return array1(g.selected(p, a, g.materialise(s), n, true))
}
