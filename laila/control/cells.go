package control

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
)

// framed is an argument of cells: its frame and its cells.
type framed struct {
	p     *build.Pull // nil for a scalar
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
	// cellsAbreast is the least number of cells whose steps are vector code.
	cellsAbreast = 32
	// cellCost is what an element may cost: more is shared among threads.
	cellCost = 40
)

// oneByOne decides whether the cells of an argument that costs more than a load are
// computed where the function is applied to them.
func oneByOne(g *build.Builder, a *framed) bool {
	n, ok := ir.IntOf(ir.Product(a.cell))
	all, known := ir.IntOf(ir.Product(a.p.Dims))
	a.rows = ok && len(a.frame) > 0 && len(a.cell) > 0 && (n <= smallCell || n >= cellLeast && n <= cellMost) && !(known && all < cellsMany) &&
		a.p.Cost <= cellCost && a.p.Buf == nil && (a.p.At != nil || a.p.Flat != nil) && !a.p.Shared && g.Vectors() && g.On("delay")
	return a.rows
}

// readsOnce reports whether f's result, or an element of it, needs an element of each of
// its arguments once at most: f is made of scalar functions, reductions and reversals, and
// mentions each argument once. In a loop it indexes it, by what changes from step to step.
func readsOnce(f *tail.Lam) (once, steps bool) {
	r := &readers{cells: map[*tail.Var]bool{}}
	for _, p := range f.Params {
		r.cells[p] = true
	}
	once = r.once(f.Body)
	return once, r.steps
}

// readers are the variables that are arguments, or these reversed, and whether nothing has
// mentioned them yet; loop is the function of the loop around, or nil, and steps whether
// the elements are used one after the other.
type readers struct {
	cells map[*tail.Var]bool
	loop  *tail.Lam
	steps bool
}

func (r *readers) mentions(e tail.Expr) bool {
	return slices.ContainsFunc(tail.FreeVars(e), func(v *tail.Var) bool { _, ok := r.cells[v]; return ok })
}

func (r *readers) first(v *tail.Var) bool {
	first, cell := r.cells[v]
	r.cells[v] = false
	return first || !cell
}

// once reports whether e reads every element of a cell once at most.
func (r *readers) once(e tail.Expr) bool {
	if !r.mentions(e) {
		return true
	}
	switch e := e.(type) {
	case *tail.Ref:
		return r.loop == nil && r.first(e.Var)
	case *tail.Let:
		if !r.once(e.Bind) {
			return false
		}
		if t, ok := e.Bind.Type().(*tail.Array); r.mentions(e.Bind) && !(ok && t.Dims() == 0) {
			r.cells[e.Var] = true
		}
		return r.once(e.Body)
	case *tail.Proj, *tail.Tuple, *tail.Vec:
		ok := true
		tail.Children(e, func(x tail.Expr) { ok = ok && r.once(x) })
		return ok
	case *tail.Apply:
		return r.apply(e)
	}
	return false
}

func (r *readers) all(list []tail.Expr) bool {
	return !slices.ContainsFunc(list, func(e tail.Expr) bool { return !r.once(e) })
}

func (r *readers) apply(e *tail.Apply) bool {
	switch e.Op {
	case tail.OpEach, tail.OpZipWith, tail.OpReduce, tail.OpReduce1:
		return r.all(e.Args[1:])
	case tail.OpReverse, tail.OpTransp, tail.OpRavel:
		r.steps = true
		return r.all(e.Args)
	case tail.OpPower:
		f := tail.LamOf(e.Args[0])
		if r.loop != nil || f == nil || !r.all(e.Args[1:]) {
			return false
		}
		r.loop, r.steps = f, true
		ok := r.once(f.Body)
		r.loop = nil
		return ok
	case tail.OpIndex:
		x, ok := e.Args[0].(*tail.Ref)
		return ok && r.loop != nil && len(e.Args) == 2 && r.changes(e.Args[1]) && r.first(x.Var)
	}
	return e.Op.Row().Scalar && r.all(e.Args)
}

// changes reports whether an index that mentions no cell depends on the step of the loop.
func (r *readers) changes(e tail.Expr) bool {
	outside := tail.FreeVars(r.loop)
	return !r.mentions(e) && slices.ContainsFunc(tail.FreeVars(e), func(v *tail.Var) bool { return !slices.Contains(outside, v) })
}

func newFramed(g *build.Builder, v *build.Value, k int) framed {
	if v.X != nil {
		return framed{x: g.Atom("x", v.X)}
	}
	n := v.Arr.Rank() - k
	return framed{p: v.Arr, frame: v.Arr.Dims[:n:n], cell: v.Arr.Dims[n:]}
}

// at returns the cell at an index of the frame; a single cell is extended.
func (a framed) at(g *build.Builder, ix []ir.Expr) *build.Value {
	switch {
	case a.p == nil:
		return build.Scalar1(a.x)
	case len(a.frame) == 0:
		return build.Array1(a.p)
	case len(a.cell) == 0:
		return build.Scalar1(g.Atom("x", g.Index(a.p, ix)))
	}
	return build.Array1(build.View(a.p, a.cell, func(jx []ir.Expr) ir.Expr {
		return g.Index(a.p, append(ix[:len(ix):len(ix)], jx...))
	}))
}

// blank returns a cell of fill elements; what has no frame is its own cell.
func (a framed) blank(g *build.Builder) *build.Value {
	switch {
	case a.p == nil:
		return build.Scalar1(a.x)
	case len(a.frame) == 0:
		return build.Array1(a.p)
	case len(a.cell) == 0:
		return build.Scalar1(ir.Fill(a.p.Elem))
	}
	return build.Array1(g.ConstantPull(ir.Fill(a.p.Elem), a.cell))
}

// Cells lowers cells and cells2: the function's body is lowered for one cell,
// whose index in the frame is known when the loops are emitted. Where that
// gives elements one by one, the result stays delayed.
func Cells(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	f := tail.LamOf(e.Args[0])
	once, steps := readsOnce(f)
	var as []framed
	for i, v := range args[1:] {
		if v.Arr != nil {
			g.Total(v.Arr)
		}
		a := newFramed(g, v, e.Ks[i])
		here := once && len(a.frame) > 0 && !(steps && g.RangeOf(ir.Product(a.frame)).Hi < cellsAbreast)
		if a.p != nil && a.p.Cost > 4 && !here && !oneByOne(g, &a) {
			g.Reread(a.p)
		}
		as = append(as, a)
	}
	frame := as[0].frame
	if len(as) == 2 {
		frame = jointFrame(g, e, as)
	}
	apply := func(ix []ir.Expr) *build.Value {
		for i, p := range f.Params {
			v := as[i].at(g, ix)
			if as[i].rows {
				g.Materialise(v.Arr)
			}
			g.Env.Set(p, v)
		}
		return g.Expr(f.Body)
	}
	if len(frame) == 0 {
		return apply(nil)
	}
	blank := func() *build.Value {
		for i, p := range f.Params {
			g.Env.Set(p, as[i].blank(g))
		}
		return g.Expr(f.Body)
	}
	c := &cellLoop{Builder: g, e: e, f: f, frame: frame, apply: apply, blank: blank}
	for _, a := range as {
		if a.p != nil {
			c.srcs = append(c.srcs, a.p)
		}
	}
	return c.lower()
}

func jointFrame(g *build.Builder, e *tail.Apply, as []framed) []ir.Expr {
	x, y := as[0], as[1]
	if len(x.frame) == 0 {
		return y.frame
	}
	for a := range y.frame {
		axis := int64(a + 1)
		g.FailIf(g.Compare(ir.OpNe, x.frame[a], y.frame[a]), tail.FaultShapes, build.SiteOf(e), func() []ir.FailArg {
			return []ir.FailArg{build.ShapeArg(x.frame), build.ShapeArg(y.frame), {X: ir.Integer(axis)}}
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
	*build.Builder
	e     *tail.Apply
	f     *tail.Lam
	frame []ir.Expr
	apply func(ix []ir.Expr) *build.Value
	blank func() *build.Value // applies the function to cells of fill elements
	srcs  []*build.Pull
	// What a trial found: the extents of one result, and whether they are the
	// same for all; whether elements can be had one by one.
	cell      []ir.Expr
	fixed     bool
	pointwise bool
	cost      int
	rng       facts.Interval // of the elements of all results
}

func (c *cellLoop) lower() *build.Value {
	t := tail.TypeOf(c.e)
	k := build.KindOf(t.Elem)
	impure := c.Impure(c.f)
	if t.Dims() == len(c.frame) && !impure {
		q := &build.Pull{Elem: k, Dims: c.frame, Rng: facts.RangeOfKind(k), Cost: 100, Faults: c.CanFault(c.f), Srcs: c.srcs}
		q.At = func(ix []ir.Expr) ir.Expr { return c.apply(ix).X }
		return build.Array1(q)
	}
	c.trial(t)
	dims := append(append([]ir.Expr{}, c.frame...), c.cell...)
	if impure || !c.fixed {
		return c.collect(k)
	}
	rng := c.rng
	if c.pointwise {
		n := len(c.frame)
		q := &build.Pull{Elem: k, Dims: dims, Rng: rng, Cost: c.cost, Srcs: c.srcs}
		q.At = func(ix []ir.Expr) ir.Expr { return c.Index(c.apply(ix[:n:n]).Arr, ix[n:]) }
		clean := false
		if q.Rng, clean = c.Sampled(q); clean || !c.CanFault(c.f) {
			return build.Array1(q)
		}
		rng = q.Rng
	}
	q := &build.Pull{Elem: k, Dims: dims, Rng: rng, Cost: 1000, Faults: c.CanFault(c.f), Srcs: c.srcs}
	q.Fill = func(dst *ir.Buf) {
		size := c.Elements(c.cell)
		over := c.apart
		if n, ok := ir.IntOf(size); ok && n <= smallCell {
			over = func(body func(ix []ir.Expr)) { c.Segmap(c.frame, body) }
		}
		over(func(ix []ir.Expr) { c.put(c.apply(ix), dst, ir.Mul(c.RavelIndex(c.frame, ix), size)) })
	}
	return build.Array1(q)
}

// trial lowers the function for one cell and throws the code away.
func (c *cellLoop) trial(t *tail.Array) {
	g := c.Builder
	mark := g.Created
	var r *build.Value
	c.rng = facts.RangeOfKind(build.KindOf(t.Elem))
	stmts := g.Block(func() {
		c.sample(func(ix []ir.Expr) {
			r = c.apply(ix)
			if r.Arr != nil {
				if r.Arr.Elem == ir.I64 {
					c.rng = r.Arr.Rng
				}
				c.cell = r.Arr.Dims
				c.pointwise = r.Arr.At != nil || r.Arr.Flat != nil && r.Arr.Buf == nil
				c.cost = r.Arr.Cost + 1
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
		ok := false
		cell[a], ok = before(d, stmts, mark)
		c.fixed = c.fixed && ok
	}
	c.cell = cell
}

// before returns x in terms of variables that were made before code, when there were
// so many, where what it is in the code shows that.
func before(x ir.Expr, code []ir.Stmt, mark int) (ir.Expr, bool) {
	inits, assigned := map[*ir.Var]ir.Expr{}, map[*ir.Var]bool{}
	flow.NoteAssigned(code, assigned)
	for _, s := range code {
		if d, ok := s.(*ir.Decl); ok && !assigned[d.Var] {
			inits[d.Var] = d.Init
		}
	}
	left, total := maxBefore, true
	var inner func(ir.Expr) ir.Expr
	inner = func(x ir.Expr) ir.Expr {
		switch x := x.(type) {
		case *ir.Use:
			if init := inits[x.Var]; init != nil && left > 0 {
				left--
				return ir.MapExpr(init, inner)
			}
		case *ir.Binary: // whose divisor may be 0 where the code is not reached
			_, constant := ir.IntOf(x.Y)
			total = total && (constant || x.Op != ir.OpQuo && x.Op != ir.OpRem)
		}
		return x
	}
	y := ir.MapExpr(x, inner)
	return y, total && outlives(y, mark)
}

// maxBefore is how many variables before replaces.
const maxBefore = 16

// outlives reports whether x is sure to mean the same after code was thrown away
// that was made since there were so many variables: it mentions none made since,
// and no arrays.
func outlives(x ir.Expr, mark int) bool {
	switch x := x.(type) {
	case *ir.Use:
		return x.Var.ID <= mark
	case *ir.Load:
		return false
	}
	for _, y := range ir.Operands(x) {
		if y != nil && !outlives(y, mark) {
			return false
		}
	}
	return true
}

// sample runs body with the index of some cell.
func (c *cellLoop) sample(body func(ix []ir.Expr)) {
	ix := make([]ir.Expr, len(c.frame))
	for a, n := range c.frame {
		ix[a] = c.LoopVar(ir.Integer(0), n, nil).Use()
	}
	body(ix)
}

// apart emits loops over the frame, whose bodies are ordinary statements and carry
// nothing: a nest, unless few cells leave threads idle, which then share the loops within
// them.
func (c *cellLoop) apart(body func(ix []ir.Expr)) {
	g := c.Builder
	if g.Nest != nil || !c.many() {
		c.over(body)
		return
	}
	dims, ix := make([]ir.Dim, len(c.frame)), make([]ir.Expr, len(c.frame))
	for a, n := range c.frame {
		dims[a] = ir.Dim{Var: g.LoopVar(ir.Integer(0), n, nil), Lo: ir.Integer(0), Hi: n}
		ix[a] = dims[a].Var.Use()
	}
	g.Emit(&ir.Nest{Kind: ir.SegMap, Dims: dims, Body: g.Block(func() { body(ix) })})
}

// over emits loops in order over the frame, whose bodies are ordinary statements.
func (c *cellLoop) over(body func(ix []ir.Expr)) {
	g := c.Builder
	var level func(a int, ix []ir.Expr)
	level = func(a int, ix []ir.Expr) {
		if a == len(c.frame) {
			body(ix)
			return
		}
		v := g.LoopVar(ir.Integer(0), c.frame[a], nil)
		stmts := g.Block(func() { level(a+1, append(ix[:len(ix):len(ix)], v.Use())) })
		g.Emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: c.frame[a], Body: stmts})
	}
	level(0, nil)
}

// The fewest cells, where their number is known, that threads take whole, and that the
// work-items of a GPU do; the largest cell that these take, whatever its number.
const (
	manyCells   = 8
	manyItems   = 1024
	cellOfItems = 256
)

// many reports whether there are cells enough for all threads or work-items.
func (c *cellLoop) many() bool {
	n, known := ir.IntOf(ir.Product(c.frame))
	if c.Target == pass.GPUKernels {
		size, ok := ir.IntOf(ir.Product(c.cell))
		return known && n >= manyItems || ok && size <= cellOfItems
	}
	return !known || n >= manyCells
}

// put writes a cell's result to dst from position base on.
func (c *cellLoop) put(v *build.Value, dst *ir.Buf, base ir.Expr) { put(c.Builder, v, dst, base) }

// put writes the elements of a value to dst from position base on.
func put(g *build.Builder, v *build.Value, dst *ir.Buf, base ir.Expr) {
	if v.X != nil {
		g.Emit(dst.Store(g.Atom("base", base), ir.ConvertTo(dst.Elem, v.X)))
		return
	}
	g.FillAt(v.Arr, dst, base)
}
