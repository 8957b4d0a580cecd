package reduce

import (
	"slices"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// laneColumns is how many columns of a matrix are summed at a time, and laneGroup how
// many rows of one lane are added while it is in registers. Where matrices are computed from
// the same elements, laneMatrices of them are summed together, while these are in the cache.
const (
	laneColumns  = 64
	laneGroup    = 8
	laneMatrices = 8
)

// orderedRows is reduceRows in the order of num.Ordered: a panel of columns at a time,
// for which there is a row of partial results for each lane.
//
//	for each panel of columns, in parallel
//	  sum ← 0
//	  for each block of rows
//	    lanes ← 0
//	    for each row i: lanes[i mod 16;j] ← lanes[i mod 16;j] f x[i;j]
//	    sum[j] ← sum[j] f (f⌿lanes)[j]
//	  z[j] ← sum[j]
//
// Every line is a loop over the matrices that are summed together, in which sum and lanes are
// rows of their own.
type orderedRows struct {
	g        *build.Builder
	p        *build.Pull
	a        int
	fd       *Folding
	dst      *ir.Buf
	lanes    *ir.Buf
	from     ir.Expr // of the panel's columns
	width    ir.Expr
	ix       []ir.Expr // of the axes around, without the reduced and the last one
	together int64     // the most matrices at a time
	matrices ir.Expr   // how many these are
}

func inOrderedRows(g *build.Builder, p *build.Pull, a int, fd *Folding, dst *ir.Buf) {
	if !g.Vectors() { // a work-group a column
		orderedColumns(g, p, a, fd, dst)
		return
	}
	last := p.Rank() - 1
	panels := g.Atom("panels", ir.Quo(ir.Add(p.Dims[last], ir.Integer(laneColumns-1)), ir.Integer(laneColumns)))
	around, together := append(build.Without(p.Dims[:last], a), panels), int64(1)
	if a > 0 && a == last-1 && rereads(g, p, a-1) {
		if n, known := ir.IntOf(p.Dims[a-1]); !known || n >= leastRows {
			together = laneMatrices
			around[a-1] = g.Atom("groups", ir.Quo(ir.Add(p.Dims[a-1], ir.Integer(together-1)), ir.Integer(together)))
		}
	}
	outer := g.Untested
	g.Untested = append(outer[:len(outer):len(outer)], fd.F.Body, fd.chain)
	defer func() { g.Untested = outer }()
	g.Segmap(around, func(ix []ir.Expr) {
		r := &orderedRows{g: g, p: p, a: a, fd: fd, dst: dst, ix: slices.Clone(ix[:len(ix)-1]), together: together, matrices: ir.Integer(1)}
		if together > 1 {
			r.ix[a-1] = g.Atom("matrix", ir.Mul(ix[a-1], ir.Integer(together)))
			r.matrices = g.Atom("matrices", g.Smaller(ir.Sub(p.Dims[a-1], r.ix[a-1]), ir.Integer(together)))
		}
		r.from = g.Atom("from", ir.Mul(ix[len(ix)-1], ir.Integer(laneColumns)))
		r.width = g.Atom("n", g.Smaller(ir.Sub(p.Dims[last], r.from), ir.Integer(laneColumns)))
		r.panel()
	})
}

// orderedColumns is orderedRows, each element of the result by itself.
func orderedColumns(g *build.Builder, p *build.Pull, a int, fd *Folding, dst *ir.Buf) {
	dims := build.Without(p.Dims, a)
	g.Segmap(dims, func(ix []ir.Expr) {
		x := foldForward(g, fd, func(out *ir.Var) {
			segredSteps(g, fd, fd.N, out, func(acc, i ir.Expr) ir.Expr { return stepAt(g, fd, acc, p, build.Inserted(ix, a, i)) })
		})
		g.Emit(dst.Store(g.RavelIndex(dims, ix), ir.ConvertTo(dst.Elem, x)))
	})
}

// buf declares n partial results of each matrix.
func (r *orderedRows) buf(name string, n int64) *ir.Buf {
	n *= r.together
	b := &ir.Buf{Name: name, Elem: r.fd.Kind, Stack: n}
	r.g.Emit(&ir.DeclBuf{Buf: b, Count: ir.Integer(n), Shape: []ir.Expr{ir.Integer(n)}, At: r.g.Src})
	return b
}

// each runs body for n places of each matrix q, in any order.
func (r *orderedRows) each(n ir.Expr, body func(q, j ir.Expr)) {
	of := func(q ir.Expr) { r.g.Loop(ir.Integer(0), n, true, func(j ir.Expr) { body(q, j) }) }
	if r.together == 1 {
		of(ir.Integer(0))
	} else {
		r.g.Loop(ir.Integer(0), r.matrices, true, of)
	}
}

// part is a partial result of matrix q.
func (r *orderedRows) part(b *ir.Buf, q, j ir.Expr) ir.Expr {
	return ir.Add(ir.Mul(q, ir.Integer(b.Stack/r.together)), j)
}

// clear makes partial results neutral.
func (r *orderedRows) clear(b *ir.Buf, n ir.Expr) {
	r.each(n, func(q, j ir.Expr) { r.g.Emit(b.Store(r.part(b, q, j), r.fd.Zero)) })
}

// join adds partial results of the panel's columns to others.
func (r *orderedRows) join(to, from *ir.Buf, at ir.Expr) {
	r.each(r.width, func(q, j ir.Expr) {
		place := r.g.Atom("at", r.part(to, q, j))
		r.g.Emit(to.Store(place, step(r.g, r.fd, to.Load(place), from.Load(r.part(from, q, ir.Add(at, j))))))
	})
}

// of is the indices of the axes around for matrix q.
func (r *orderedRows) of(q ir.Expr) []ir.Expr {
	ix := slices.Clone(r.ix)
	if r.together > 1 {
		ix[r.a-1] = ir.Add(ix[r.a-1], q)
	}
	return ix
}

func (r *orderedRows) panel() {
	g, n := r.g, r.fd.N
	sum := r.buf("sum", laneColumns)
	r.lanes = r.buf("lanes", laneColumns*num.Lanes)
	r.clear(sum, r.width)
	if g.RangeOf(n).Hi <= num.SuperBlock {
		r.blocks(sum, ir.Integer(0), n)
	} else {
		super := r.buf("super", laneColumns)
		cutInto(g, n, num.SuperBlock, func(from, to ir.Expr) {
			r.clear(super, r.width)
			r.blocks(super, from, to)
			r.join(sum, super, ir.Integer(0))
		})
	}
	r.each(r.width, func(q, j ir.Expr) {
		at := g.Atom("at", g.RavelIndex(build.Without(r.p.Dims, r.a), append(r.of(q), ir.Add(r.from, j))))
		x := ir.Expr(sum.Load(r.part(sum, q, j)))
		if r.fd.neutral != nil {
			x = ir.Choose(ir.OpEq.Of(n, ir.Integer(0)), r.fd.neutral, x)
		}
		g.Emit(r.dst.Store(at, ir.ConvertTo(r.dst.Elem, g.Number(g.Atom("x", x), r.fd.site()))))
	})
}

// cutInto cuts 0 … n-1 into parts of size numbers.
func cutInto(g *build.Builder, n ir.Expr, size int64, body func(from, to ir.Expr)) {
	g.Loop(ir.Integer(0), ir.Quo(ir.Add(n, ir.Integer(size-1)), ir.Integer(size)), false, func(k ir.Expr) {
		from := g.Atom("from", ir.Mul(k, ir.Integer(size)))
		body(from, g.Atom("to", g.Smaller(ir.Add(from, ir.Integer(size)), n)))
	})
}

// blocks adds the rows from … to-1, block by block.
func (r *orderedRows) blocks(sum *ir.Buf, from, to ir.Expr) {
	g := r.g
	cutInto(g, ir.Sub(to, from), num.Block, func(lo, hi ir.Expr) {
		at, n := g.Atom("at", ir.Add(from, lo)), g.Atom("n", ir.Sub(hi, lo))
		r.clear(r.lanes, ir.Integer(laneColumns*num.Lanes))
		const group = num.Lanes * laneGroup
		whole := g.Atom("whole", ir.Mul(ir.Quo(n, ir.Integer(group)), ir.Integer(group)))
		g.Loop(ir.Integer(0), ir.Quo(n, ir.Integer(group)), false, func(k ir.Expr) {
			g.Loop(ir.Integer(0), ir.Integer(num.Lanes), false, func(l ir.Expr) {
				r.rows(l, ir.Add(at, ir.Add(ir.Mul(k, ir.Integer(group)), l)), laneGroup)
			})
		})
		g.Loop(whole, n, false, func(i ir.Expr) {
			lane := ir.Expr(ir.OpAnd.Of(i, ir.Integer(num.Lanes-1)))
			if r.fd.chain != nil { // few terms have one lane
				lane = ir.Choose(g.Compare(ir.OpLe, r.fd.N, ir.Integer(num.Lanes)), ir.Integer(0), lane)
			}
			r.rows(lane, ir.Add(at, i), 1)
		})
		g.Loop(ir.Integer(1), ir.Integer(num.Lanes), false, func(l ir.Expr) { r.join(r.lanes, r.lanes, ir.Mul(l, ir.Integer(laneColumns))) })
		r.join(sum, r.lanes, ir.Integer(0))
	})
}

// rows adds count rows, from row i on and a number of lanes apart, to lane l.
func (r *orderedRows) rows(l, i ir.Expr, count int64) {
	g := r.g
	at, i := g.Atom("lane", ir.Mul(l, ir.Integer(laneColumns))), g.Atom("i", i)
	r.each(r.width, func(q, j ir.Expr) {
		place := g.Atom("at", r.part(r.lanes, q, ir.Add(at, j)))
		j = g.Atom("j", ir.Add(r.from, j))
		acc := ir.Expr(r.lanes.Load(place))
		for k := range count {
			ix := append(build.Inserted(r.of(q), r.a, ir.Add(i, ir.Integer(k*num.Lanes))), j)
			acc = g.Keep(stepAt(g, r.fd, acc, r.p, ix))
		}
		g.Emit(r.lanes.Store(place, acc))
	})
}

// streamed reduces terms that come one after the other, in the order of num.Ordered:
// drive calls add for each.
func streamed(g *build.Builder, fd *Folding, acc *ir.Var, drive func(add func(x ir.Expr))) {
	lanes := &ir.Buf{Name: "lanes", Elem: fd.Kind, Stack: num.Lanes}
	g.Emit(&ir.DeclBuf{Buf: lanes, Count: ir.Integer(num.Lanes), Shape: []ir.Expr{ir.Integer(num.Lanes)}, At: g.Src})
	count, super, part := g.Mutable("count", ir.I64, ir.Integer(0)), g.Mutable("super", fd.Kind, fd.Zero), g.Mutable("part", fd.Kind, fd.Zero)
	g.Ranges[count] = facts.Between(0, facts.MaxExtent)
	clear := func() {
		g.Loop(ir.Integer(0), ir.Integer(num.Lanes), false, func(l ir.Expr) { g.Emit(lanes.Store(l, fd.Zero)) })
	}
	join := func() {
		g.Emit(part.Assign(lanes.Load(ir.Integer(0))))
		g.Loop(ir.Integer(1), ir.Integer(num.Lanes), false, func(l ir.Expr) {
			g.Emit(part.Assign(step(g, fd, part.Use(), lanes.Load(l))))
		})
		g.Emit(super.Assign(step(g, fd, super.Use(), part.Use())))
	}
	whole := func(size int64, then func()) {
		g.Emit(&ir.If{Cond: ir.OpEq.Of(ir.OpAnd.Of(count.Use(), ir.Integer(size-1)), ir.Integer(0)), Then: g.Block(then)})
	}
	clear()
	drive(func(x ir.Expr) {
		l := g.Let("lane", ir.OpAnd.Of(count.Use(), ir.Integer(num.Lanes-1)))
		g.Emit(lanes.Store(l, step(g, fd, lanes.Load(l), x)), count.Assign(ir.Add(count.Use(), ir.Integer(1))))
		whole(num.Block, func() {
			join()
			clear()
			whole(num.SuperBlock, func() {
				g.Emit(acc.Assign(step(g, fd, acc.Use(), super.Use())), super.Assign(fd.Zero))
			})
		})
	})
	join()
	g.Emit(acc.Assign(step(g, fd, acc.Use(), super.Use())))
}
