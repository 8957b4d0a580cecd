package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// framed is an argument of cells: its frame and its cells.
type framed struct {
	p     *pull // nil for a scalar
	x     ir.Expr
	frame []ir.Expr
	cell  []ir.Expr
	rows  bool // each cell is stored by itself, not all of them before
}

// Cells are stored one by one where they are long enough for the loops over them, and
// short enough to stay in the caches, and all of them together are not.
const (
	cellLeast = 64
	cellMost  = 1 << 15
	cellsMany = 1 << 17
	// cellCost is what an element may cost: more is shared among threads.
	cellCost = 40
)

// oneByOne decides whether the cells of an argument that costs more than a load are
// computed where the function is applied to them.
func (g *gen) oneByOne(a *framed) bool {
	n, ok := ir.IntOf(ir.Product(a.cell))
	all, known := ir.IntOf(ir.Product(a.p.dims))
	a.rows = ok && len(a.frame) > 0 && len(a.cell) > 0 && n >= cellLeast && n <= cellMost && !(known && all < cellsMany) &&
		a.p.cost <= cellCost && a.p.buf == nil && (a.p.at != nil || a.p.flat != nil) && !a.p.shared && g.Vectors() && g.On("delay")
	return a.rows
}

func (g *gen) framed(v *value, k int) framed {
	if v.x != nil {
		return framed{x: g.atom("x", v.x)}
	}
	n := v.arr.rank() - k
	return framed{p: v.arr, frame: v.arr.dims[:n:n], cell: v.arr.dims[n:]}
}

// at returns the cell at an index of the frame; a single cell is extended.
func (a framed) at(g *gen, ix []ir.Expr) *value {
	switch {
	case a.p == nil:
		return scalar1(a.x)
	case len(a.frame) == 0:
		return array1(a.p)
	case len(a.cell) == 0:
		return scalar1(g.atom("x", g.index(a.p, ix)))
	}
	return array1(view(a.p, a.cell, func(jx []ir.Expr) ir.Expr {
		return g.index(a.p, append(ix[:len(ix):len(ix)], jx...))
	}))
}

// blank returns a cell of fill elements; what has no frame is its own cell.
func (a framed) blank(g *gen) *value {
	switch {
	case a.p == nil:
		return scalar1(a.x)
	case len(a.frame) == 0:
		return array1(a.p)
	case len(a.cell) == 0:
		return scalar1(ir.Fill(a.p.elem))
	}
	return array1(g.constantPull(ir.Fill(a.p.elem), a.cell))
}

// cells lowers cells and cells2: the function's body is lowered for one cell,
// whose index in the frame is known when the loops are emitted. Where that
// gives elements one by one, the result stays delayed.
func (g *gen) cells(e *tail.Apply, args []*value) *value {
	f := tail.LamOf(e.Args[0])
	var as []framed
	for i, v := range args[1:] {
		if v.arr != nil {
			g.total(v.arr)
		}
		a := g.framed(v, e.Ks[i])
		if a.p != nil && a.p.cost > 4 && !g.oneByOne(&a) {
			g.reread(a.p)
		}
		as = append(as, a)
	}
	frame := as[0].frame
	if len(as) == 2 {
		frame = g.jointFrame(e, as)
	}
	apply := func(ix []ir.Expr) *value {
		for i, p := range f.Params {
			v := as[i].at(g, ix)
			if as[i].rows {
				g.materialise(v.arr)
			}
			g.env.set(p, v)
		}
		return g.expr(f.Body)
	}
	if len(frame) == 0 {
		return apply(nil)
	}
	blank := func() *value {
		for i, p := range f.Params {
			g.env.set(p, as[i].blank(g))
		}
		return g.expr(f.Body)
	}
	c := &cellLoop{gen: g, e: e, f: f, frame: frame, apply: apply, blank: blank}
	for _, a := range as {
		if a.p != nil {
			c.srcs = append(c.srcs, a.p)
		}
	}
	return c.lower()
}

func (g *gen) jointFrame(e *tail.Apply, as []framed) []ir.Expr {
	x, y := as[0], as[1]
	if len(x.frame) == 0 {
		return y.frame
	}
	for a := range y.frame {
		axis := int64(a + 1)
		g.failIf(g.Compare(ir.OpNe, x.frame[a], y.frame[a]), tail.FaultShapes, siteOf(e), func() []ir.FailArg {
			return []ir.FailArg{shapeArg(x.frame), shapeArg(y.frame), {X: ir.Integer(axis)}}
		})
	}
	return x.frame
}

// smallCell is the most elements of results that are computed in a nest over the frame,
// whose points are lanes of vector code; the loops over larger ones are such code
// themselves.
const smallCell = 16

// cellLoop applies a function to the cells of a frame.
type cellLoop struct {
	*gen
	e     *tail.Apply
	f     *tail.Lam
	frame []ir.Expr
	apply func(ix []ir.Expr) *value
	blank func() *value // applies the function to cells of fill elements
	srcs  []*pull
	// What a trial found: the extents of one result, and whether they are the
	// same for all; whether elements can be had one by one.
	cell      []ir.Expr
	fixed     bool
	pointwise bool
	cost      int
	rng       facts.Interval // of the elements of all results
}

func (c *cellLoop) lower() *value {
	t := tail.TypeOf(c.e)
	k := kindOf(t.Elem)
	impure := c.impure(c.f)
	if t.Dims() == len(c.frame) && !impure {
		q := &pull{elem: k, dims: c.frame, rng: facts.RangeOfKind(k), cost: 100, faults: c.canFault(c.f), srcs: c.srcs}
		q.at = func(ix []ir.Expr) ir.Expr { return c.apply(ix).x }
		return array1(q)
	}
	c.trial(t)
	dims := append(append([]ir.Expr{}, c.frame...), c.cell...)
	if impure || !c.fixed {
		return c.collect(k)
	}
	rng := c.rng
	if c.pointwise {
		n := len(c.frame)
		q := &pull{elem: k, dims: dims, rng: rng, cost: c.cost, srcs: c.srcs}
		q.at = func(ix []ir.Expr) ir.Expr { return c.index(c.apply(ix[:n:n]).arr, ix[n:]) }
		clean := false
		if q.rng, clean = c.sampled(q); clean || !c.canFault(c.f) {
			return array1(q)
		}
		rng = q.rng
	}
	q := &pull{elem: k, dims: dims, rng: rng, cost: 1000, faults: c.canFault(c.f), srcs: c.srcs}
	q.fill = func(dst *ir.Buf) {
		size := c.atom("n", ir.Product(c.cell))
		over := c.over
		if n, ok := ir.IntOf(size); ok && n <= smallCell {
			over = func(body func(ix []ir.Expr)) { c.segmap(c.frame, body) }
		}
		over(func(ix []ir.Expr) { c.put(c.apply(ix), dst, ir.Mul(c.ravelIndex(c.frame, ix), size)) })
	}
	return array1(q)
}

// trial lowers the function for one cell and throws the code away.
func (c *cellLoop) trial(t *tail.Array) {
	g := c.gen
	mark := g.Created
	var r *value
	c.rng = facts.RangeOfKind(kindOf(t.Elem))
	stmts := g.block(func() {
		c.sample(func(ix []ir.Expr) {
			r = c.apply(ix)
			if r.arr != nil {
				if r.arr.elem == ir.I64 {
					c.rng = r.arr.rng
				}
				c.cell = r.arr.dims
				c.pointwise = r.arr.at != nil || r.arr.flat != nil && r.arr.buf == nil
				c.cost = r.arr.cost + 1
			}
		})
	})
	for _, s := range stmts {
		switch s.(type) {
		case *ir.Decl, *ir.Comment:
		default:
			c.pointwise = false
		}
	}
	c.pointwise = c.pointwise && len(stmts) <= 4 && c.cost <= 40
	c.fixed = true
	cell := append([]ir.Expr{}, c.cell...)
	for a, d := range cell {
		if n, ok := t.Extent(len(c.frame) + a).IsConst(); ok {
			cell[a] = ir.Integer(n)
			continue
		}
		c.fixed = c.fixed && g.outlives(d, mark)
	}
	c.cell = cell
}

// outlives reports whether x is sure to mean the same after code was thrown away
// that was made since there were so many variables: it mentions none made since,
// and no arrays.
func (g *gen) outlives(x ir.Expr, mark int) bool {
	switch x := x.(type) {
	case *ir.Use:
		return x.Var.ID <= mark
	case *ir.Load:
		return false
	}
	for _, y := range ir.Operands(x) {
		if y != nil && !g.outlives(y, mark) {
			return false
		}
	}
	return true
}

// sample runs body with the index of some cell.
func (c *cellLoop) sample(body func(ix []ir.Expr)) {
	ix := make([]ir.Expr, len(c.frame))
	for a, n := range c.frame {
		ix[a] = c.loopVar(ir.Integer(0), n, nil).Use()
	}
	body(ix)
}

// over emits sequential loops over the frame, whose bodies are ordinary
// statements.
func (c *cellLoop) over(body func(ix []ir.Expr)) {
	g := c.gen
	var level func(a int, ix []ir.Expr)
	level = func(a int, ix []ir.Expr) {
		if a == len(c.frame) {
			body(ix)
			return
		}
		v := g.loopVar(ir.Integer(0), c.frame[a], nil)
		stmts := g.block(func() { level(a+1, append(ix[:len(ix):len(ix)], v.Use())) })
		g.emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: c.frame[a], Body: stmts})
	}
	level(0, nil)
}

// put writes a cell's result to dst from position base on.
func (c *cellLoop) put(v *value, dst *ir.Buf, base ir.Expr) {
	g := c.gen
	base = g.atom("base", base)
	if v.x != nil {
		g.emit(dst.Store(base, ir.ConvertTo(dst.Elem, v.x)))
		return
	}
	p := v.arr
	if p.elems != nil && len(p.elems) <= smallCell {
		for i, x := range p.elems {
			g.emit(dst.Store(ir.Add(base, ir.Integer(int64(i))), ir.ConvertTo(dst.Elem, x)))
		}
		return
	}
	if p.buf == nil && (p.at != nil || p.flat != nil) {
		g.writeAll(p, dst, base)
		return
	}
	g.materialise(p)
	if p.buf.Elem == dst.Elem {
		g.emit(&ir.Copy{Dst: dst, DstIndex: base, Src: p.buf, SrcIndex: ir.Integer(0), Count: g.count(p)})
		return
	}
	g.writeAll(p, dst, base)
}
