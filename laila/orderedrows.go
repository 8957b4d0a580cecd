package laila

import "github.com/tailor-lang/tailor/internal/num"

// laneColumns is how many columns of a matrix are summed at a time, and laneGroup how
// many rows of one lane are added while it is in registers.
const (
	laneColumns = 64
	laneGroup   = 4
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
type orderedRows struct {
	g     *gen
	p     *pull
	a     int
	fd    *folding
	dst   *Buf
	lanes *Buf
	from  Expr // of the panel's columns
	width Expr
	ix    []Expr // of the axes around, without the reduced and the last one
}

func (g *gen) orderedRows(p *pull, a int, fd *folding, dst *Buf) {
	if !g.vectors() { // a work-group a column
		g.orderedColumns(p, a, fd, dst)
		return
	}
	last := p.rank() - 1
	panels := g.atom("panels", quo(add(p.dims[last], integer(laneColumns-1)), integer(laneColumns)))
	around := append(without(p.dims[:last], a), panels)
	outer := g.untested
	g.untested = append(outer[:len(outer):len(outer)], fd.f.Body, fd.chain)
	defer func() { g.untested = outer }()
	g.segmap(around, func(ix []Expr) {
		r := &orderedRows{g: g, p: p, a: a, fd: fd, dst: dst, ix: ix[:len(ix)-1]}
		r.from = g.atom("from", mul(ix[len(ix)-1], integer(laneColumns)))
		r.width = g.atom("n", g.smaller(sub(p.dims[last], r.from), integer(laneColumns)))
		r.panel()
	})
}

// orderedColumns is orderedRows, each element of the result by itself.
func (g *gen) orderedColumns(p *pull, a int, fd *folding, dst *Buf) {
	dims := without(p.dims, a)
	g.segmap(dims, func(ix []Expr) {
		x := g.foldForward(fd, func(out *Var) {
			g.segredSteps(fd, fd.n, out, func(acc, i Expr) Expr { return g.stepAt(fd, acc, p, inserted(ix, a, i)) })
		})
		g.emit(&Store{dst, g.ravelIndex(dims, ix), convert(dst.Elem, x)})
	})
}

// buf declares n partial results.
func (r *orderedRows) buf(name string, n int64) *Buf {
	b := &Buf{Name: name, Elem: r.fd.kind, Stack: n}
	r.g.emit(&DeclBuf{Buf: b, Count: integer(n), Shape: []Expr{integer(n)}, At: r.g.src})
	return b
}

// each runs body for n places, in any order.
func (r *orderedRows) each(n Expr, body func(j Expr)) {
	g := r.g
	v := g.loopVar(integer(0), n, nil)
	g.emit(&For{Var: v, Lo: integer(0), Hi: n, Independent: true, Body: g.block(func() { body(&Use{v}) })})
}

// steps runs body for lo … hi-1, in order.
func (g *gen) steps(lo, hi Expr, body func(i Expr)) {
	v := g.loopVar(lo, hi, nil)
	g.emit(&For{Var: v, Lo: lo, Hi: hi, Body: g.block(func() { body(&Use{v}) })})
}

// clear makes partial results neutral.
func (r *orderedRows) clear(b *Buf, n Expr) {
	r.each(n, func(j Expr) { r.g.emit(&Store{b, j, r.fd.zero}) })
}

// join adds partial results of the panel's columns to others.
func (r *orderedRows) join(to, from *Buf, at Expr) {
	r.each(r.width, func(j Expr) {
		r.g.emit(&Store{to, j, r.g.step(r.fd, &Load{to, j}, &Load{from, add(at, j)})})
	})
}

func (r *orderedRows) panel() {
	g, n := r.g, r.fd.n
	sum := r.buf("sum", laneColumns)
	r.lanes = r.buf("lanes", laneColumns*num.Lanes)
	r.clear(sum, r.width)
	if g.rangeOf(n).hi <= num.SuperBlock {
		r.blocks(sum, integer(0), n)
	} else {
		super := r.buf("super", laneColumns)
		g.cutInto(n, num.SuperBlock, func(from, to Expr) {
			r.clear(super, r.width)
			r.blocks(super, from, to)
			r.join(sum, super, integer(0))
		})
	}
	r.each(r.width, func(j Expr) {
		at := g.atom("at", g.ravelIndex(without(r.p.dims, r.a), append(r.ix[:len(r.ix):len(r.ix)], add(r.from, j))))
		x := Expr(&Load{sum, j})
		if r.fd.neutral != nil {
			x = choose(&Binary{Eq, n, integer(0)}, r.fd.neutral, x)
		}
		g.emit(&Store{r.dst, at, convert(r.dst.Elem, g.number(g.atom("x", x), r.fd.site()))})
	})
}

// cutInto cuts 0 … n-1 into parts of size numbers.
func (g *gen) cutInto(n Expr, size int64, body func(from, to Expr)) {
	g.steps(integer(0), quo(add(n, integer(size-1)), integer(size)), func(k Expr) {
		from := g.atom("from", mul(k, integer(size)))
		body(from, g.atom("to", g.smaller(add(from, integer(size)), n)))
	})
}

// blocks adds the rows from … to-1, block by block.
func (r *orderedRows) blocks(sum *Buf, from, to Expr) {
	g := r.g
	g.cutInto(sub(to, from), num.Block, func(lo, hi Expr) {
		at, n := g.atom("at", add(from, lo)), g.atom("n", sub(hi, lo))
		r.clear(r.lanes, integer(laneColumns*num.Lanes))
		const group = num.Lanes * laneGroup
		whole := g.atom("whole", mul(quo(n, integer(group)), integer(group)))
		g.steps(integer(0), quo(n, integer(group)), func(k Expr) {
			g.steps(integer(0), integer(num.Lanes), func(l Expr) {
				r.rows(l, add(at, add(mul(k, integer(group)), l)), laneGroup)
			})
		})
		g.steps(whole, n, func(i Expr) {
			lane := Expr(&Binary{And, i, integer(num.Lanes - 1)})
			if r.fd.chain != nil { // few terms have one lane
				lane = choose(g.compare(Le, r.fd.n, integer(num.Lanes)), integer(0), lane)
			}
			r.rows(lane, add(at, i), 1)
		})
		g.steps(integer(1), integer(num.Lanes), func(l Expr) { r.join(r.lanes, r.lanes, mul(l, integer(laneColumns))) })
		r.join(sum, r.lanes, integer(0))
	})
}

// rows adds count rows, from row i on and a number of lanes apart, to lane l.
func (r *orderedRows) rows(l, i Expr, count int64) {
	g := r.g
	at, i := g.atom("lane", mul(l, integer(laneColumns))), g.atom("i", i)
	g.iterate([]Expr{r.width}, true, func(jx []Expr) {
		j := g.atom("j", add(r.from, jx[0]))
		place := g.atom("at", add(at, jx[0]))
		acc := Expr(&Load{r.lanes, place})
		for k := range count {
			ix := append(inserted(r.ix, r.a, add(i, integer(k*num.Lanes))), j)
			acc = g.keep(g.stepAt(r.fd, acc, r.p, ix))
		}
		g.emit(&Store{r.lanes, place, acc})
	})
}

// streamed reduces terms that come one after the other, in the order of num.Ordered:
// drive calls add for each.
func (g *gen) streamed(fd *folding, acc *Var, drive func(add func(x Expr))) {
	lanes := &Buf{Name: "lanes", Elem: fd.kind, Stack: num.Lanes}
	g.emit(&DeclBuf{Buf: lanes, Count: integer(num.Lanes), Shape: []Expr{integer(num.Lanes)}, At: g.src})
	count, super, part := g.mutable("count", I64, integer(0)), g.mutable("super", fd.kind, fd.zero), g.mutable("part", fd.kind, fd.zero)
	g.ranges[count] = interval{0, maxExtent}
	clear := func() {
		g.steps(integer(0), integer(num.Lanes), func(l Expr) { g.emit(&Store{lanes, l, fd.zero}) })
	}
	join := func() {
		g.emit(&Assign{part, &Load{lanes, integer(0)}})
		g.steps(integer(1), integer(num.Lanes), func(l Expr) {
			g.emit(&Assign{part, g.step(fd, &Use{part}, &Load{lanes, l})})
		})
		g.emit(&Assign{super, g.step(fd, &Use{super}, &Use{part})})
	}
	whole := func(size int64, then func()) {
		g.emit(&If{Cond: &Binary{Eq, &Binary{And, &Use{count}, integer(size - 1)}, integer(0)}, Then: g.block(then)})
	}
	clear()
	drive(func(x Expr) {
		l := g.let("lane", &Binary{And, &Use{count}, integer(num.Lanes - 1)})
		g.emit(&Store{lanes, l, g.step(fd, &Load{lanes, l}, x)}, &Assign{count, add(&Use{count}, integer(1))})
		whole(num.Block, func() {
			join()
			clear()
			whole(num.SuperBlock, func() {
				g.emit(&Assign{acc, g.step(fd, &Use{acc}, &Use{super})}, &Assign{super, fd.zero})
			})
		})
	})
	join()
	g.emit(&Assign{acc, g.step(fd, &Use{acc}, &Use{super})})
}
