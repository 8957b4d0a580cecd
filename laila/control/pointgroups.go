package control

import (
	"math"

	"github.com/tailor-lang/tailor/laila/arith"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// pointGroups writes the loops of a pointwisePower: those over groups of
// elements, over steps, and over the lanes of a group.
type pointGroups struct {
	*pointwisePower
	n       ir.Expr          // the number of steps
	initial *build.Value     // the state that the steps begin with, with its counters
	first   []*build.Value   // the arrays of it
	ranges  []facts.Interval // of their elements in all steps
	reads   []*build.Pull    // arrays from outside
	body    tail.Expr        // a step of an element
	out     []*ir.Buf        // the state that the steps end with

	size               int64 // the lanes of a group
	flat               bool  // elements go by their place in the ravel
	space              []ir.Expr
	now, before, fixed []*ir.Buf // the rows of a group, one of each array, two of a complex one
	leaf               []int     // of which array of the state a row is
	done, round        *ir.Var   // how many steps, and runs of steps, there have been
	number             *ir.Var   // of the step, where there are counters
}

func newPointGroups(w *pointwisePower, n ir.Expr, start *build.Value, first []*build.Value, ranges []facts.Interval, reads []*build.Pull, body tail.Expr, out []*ir.Buf) *pointGroups {
	p := &pointGroups{pointwisePower: w, n: n, initial: start, first: first, ranges: ranges, reads: reads, body: body, out: out, size: 1, flat: true}
	if w.g.Vectors() {
		p.size = w.groupOf(body)
	}
	for _, v := range first {
		p.flat = p.flat && v.Arr.Flat != nil
	}
	for _, r := range reads {
		p.flat = p.flat && r.Flat != nil
	}
	p.space = first[0].Arr.Dims
	if p.flat {
		p.space = []ir.Expr{w.g.Count(first[0].Arr)}
	}
	return p
}

// run writes the nest over all groups.
func (p *pointGroups) run() {
	g := p.g
	last := len(p.space) - 1
	length := p.space[last]
	blocks := g.Atom("n", ir.Quo(ir.Add(length, ir.Integer(p.size-1)), ir.Integer(p.size)))
	g.Segmap(build.Replaced(p.space, last, blocks), func(ix []ir.Expr) {
		base := g.Atom("base", ir.Mul(ix[last], ir.Integer(p.size)))
		p.now, p.before, p.fixed, p.leaf = nil, nil, nil, nil // index sets may be written in pieces
		for i := range p.first {
			now, before := p.stateRows("x", i), p.stateRows("was", i)
			for range now {
				p.leaf = append(p.leaf, i)
			}
			p.now, p.before = append(p.now, now...), append(p.before, before...)
		}
		for _, r := range p.reads {
			rows := p.rows("c", r.Elem)
			if r.Elem.Exact() {
				g.Bufs[rows[0]] = r.Rng
			}
			p.fixed = append(p.fixed, rows...)
		}
		var versions [][]ir.Stmt
		var test func(l ir.Expr) ir.Expr
		if p.numbered() {
			versions = [][]ir.Stmt{p.step()}
		} else {
			versions, test = p.versions()
		}
		p.lanes(ir.Integer(p.size), func(l ir.Expr) {
			p.fill(l, build.Replaced(ix, last, g.Atom("at", g.Smaller(ir.Add(base, l), ir.Sub(length, ir.Integer(1))))))
		})
		p.steps(versions, test)
		p.lanes(g.Atom("w", g.Smaller(ir.Integer(p.size), ir.Sub(length, base))), func(l ir.Expr) {
			ix := build.Replaced(ix, last, g.Atom("at", ir.Add(base, l)))
			rows := p.now
			for i, v := range p.first {
				g.Emit(p.out[i].Store(g.RavelIndex(p.space, ix), ir.ConvertTo(p.out[i].Elem, p.lane(&rows, v.Arr.Elem, l))))
			}
		})
	})
}

// steps writes the loop over all steps.
func (p *pointGroups) steps(versions [][]ir.Stmt, test func(l ir.Expr) ir.Expr) {
	g := p.g
	if p.number != nil {
		g.Emit(&ir.For{Var: p.number, Lo: ir.Integer(0), Hi: p.n, Body: versions[0]})
		return
	}
	p.done, p.round = g.Mutable("done", ir.I64, ir.Integer(0)), g.Mutable("round", ir.I64, ir.Integer(0))
	fast := p.loop(versions[0])
	if len(versions) > 1 {
		fast = p.lookingLoop(versions[0], versions[1])
	}
	if test == nil {
		g.Emit(fast)
		return
	}
	wild := p.anyBit(func(l ir.Expr) ir.Expr { return &ir.Convert{To: ir.I64, X: ir.OpNot.Of(test(l))} })
	g.Emit(&ir.If{Cond: ir.OpEq.Of(wild, ir.Integer(0)), Then: []ir.Stmt{fast}, Else: []ir.Stmt{p.loop(versions[2])}})
}

// numbered gives the steps numbers, where there are counters, and reports whether it did.
func (p *pointGroups) numbered() bool {
	if len(p.counter) == 0 {
		return false
	}
	p.number = stepNumber(p.g, p.n)
	for i, v := range p.counter {
		p.g.Env.Set(v, build.Scalar1(ir.Add(ir.Mul(p.number.Use(), ir.Integer(p.counts[i])), p.initial.Tup[i].X)))
	}
	return true
}

// versions returns a step; behind it, where it is small, another copy; and
// where these have selections one without. Selections want a test of the elements of
// a lane that must hold for all when the first step begins.
func (p *pointGroups) versions() (steps [][]ir.Stmt, test func(l ir.Expr) ir.Expr) {
	steps = [][]ir.Stmt{p.step()}
	body := laneBlock(steps[0])
	if p.size == 1 || body == nil || ir.BlockSize(body, lookingSize) >= lookingSize {
		return steps, nil
	}
	steps = append(steps, p.step(), p.step())
	if p.g.On("narrow") {
		p.count(steps)
	}
	if !isPlain(laneBlock(steps[0])) {
		return steps[:1], nil
	}
	if p.g.On("selections") {
		test = arith.Selections(p.g.Lowering.Context, laneBlock(steps[0]), p.now, p.fixed)
	}
	if test == nil {
		return steps[:2], nil
	}
	arith.Selections(p.g.Lowering.Context, laneBlock(steps[1]), p.now, p.fixed)
	return steps, test
}

// isPlain reports whether a block only defines variables and stores elements.
func isPlain(block []ir.Stmt) bool {
	for _, s := range block {
		switch s.(type) {
		case *ir.Decl, *ir.Store, *ir.Comment:
		default:
			return false
		}
	}
	return true
}

// row declares an array with an element for each lane.
func (p *pointGroups) row(name string, k ir.Kind) *ir.Buf {
	b := &ir.Buf{Name: name, Elem: k, Stack: p.size}
	p.g.Emit(&ir.DeclBuf{Buf: b, Count: ir.Integer(p.size), Shape: []ir.Expr{ir.Integer(p.size)}, At: p.g.Src})
	p.g.Own(b)
	return b
}

// lanes writes a loop over the first lanes.
func (p *pointGroups) lanes(hi ir.Expr, each func(l ir.Expr)) {
	p.g.Loop(ir.Integer(0), hi, true, each)
}

// fill sets the lane l of the rows to the elements at ix.
func (p *pointGroups) fill(l ir.Expr, ix []ir.Expr) {
	read := func(a *build.Pull) ir.Expr {
		if p.flat {
			return p.g.IndexFlat(a, ix[0])
		}
		return p.g.Index(a, ix)
	}
	now, fixed := p.now, p.fixed
	for _, v := range p.first {
		x := read(v.Arr)
		if f, ok := x.(*ir.Float); ok && now[0].Elem == ir.I64 { // what steps count
			x = ir.Integer(int64(f.Val))
		}
		p.store(&now, l, x)
	}
	for _, r := range p.reads {
		p.store(&fixed, l, read(r))
	}
}

// rows declares the rows of an array.
func (p *pointGroups) rows(name string, k ir.Kind) []*ir.Buf {
	if k == ir.C64 && p.g.On("parts") {
		return []*ir.Buf{p.row(name, ir.F64), p.row(name, ir.F64)}
	}
	return []*ir.Buf{p.row(name, k)}
}

// stateRows declares the rows of array i of the state, integers in 32 bits where they stay
// within these.
func (p *pointGroups) stateRows(name string, i int) []*ir.Buf {
	k, r := p.first[i].Arr.Elem, p.ranges[i]
	if k == ir.I64 && p.g.On("narrow") && r.Within(math.MinInt32, math.MaxInt32) {
		k = ir.I32
	}
	rows := p.rows(name, k)
	if k.Exact() {
		p.g.Bufs[rows[0]] = r
	}
	return rows
}

// lane returns the lane l of an array of kind k, whose rows are the first of
// rows, and leaves the others.
func (p *pointGroups) lane(rows *[]*ir.Buf, k ir.Kind, l ir.Expr) ir.Expr {
	all := *rows
	if k == ir.C64 && all[0].Elem == ir.F64 {
		*rows = all[2:]
		return &ir.Math{Fn: "tl_z", K: ir.C64, Args: []ir.Expr{all[0].Load(l), all[1].Load(l)}}
	}
	*rows = all[1:]
	if k == ir.I64 && all[0].Elem == ir.I32 {
		return ir.ConvertTo(k, all[0].Load(l))
	}
	return all[0].Load(l)
}

// store sets the lane l of the array whose rows are the first of rows, and
// leaves the others.
func (p *pointGroups) store(rows *[]*ir.Buf, l, x ir.Expr) {
	all := *rows
	if x.Kind() == ir.C64 && all[0].Elem == ir.F64 {
		re, im := arith.Whole(p.g.Atom("z", x))
		p.g.Emit(all[0].Store(l, re), all[1].Store(l, im))
		*rows = all[2:]
		return
	}
	p.g.Emit(all[0].Store(l, ir.ConvertTo(all[0].Elem, x)))
	*rows = all[1:]
}

// anyBit returns the or of integers, one of each lane.
func (p *pointGroups) anyBit(x func(l ir.Expr) ir.Expr) ir.Expr {
	v := p.g.LoopVar(ir.Integer(0), ir.Integer(p.size), nil)
	any, nest := p.orOver(v)
	nest.Body = p.g.Block(func() { p.g.Emit(any.Assign(ir.OpOr.Of(any.Use(), x(v.Use())))) })
	p.g.Emit(nest)
	return any.Use()
}

// orOver declares a variable for the or of integers, and returns a nest over
// the lanes v whose body is still to be made.
func (p *pointGroups) orOver(v *ir.Var) (any *ir.Var, nest *ir.Nest) {
	g := p.g
	any, left, right := g.Mutable("any", ir.I64, ir.Integer(0)), g.NewVar("x", ir.I64), g.NewVar("y", ir.I64)
	acc := ir.Acc{Var: any, Left: left, Right: right, Combine: ir.OpOr.Of(left.Use(), right.Use()), Neutral: ir.Integer(0), Exact: true}
	return any, &ir.Nest{Kind: ir.SegRed, Red: []ir.Dim{{Var: v, Lo: ir.Integer(0), Hi: ir.Integer(p.size)}}, Accs: []ir.Acc{acc}, At: g.Src}
}

// different returns an integer that is 0 where nothing tells now and before
// apart.
func (p *pointGroups) different() ir.Expr {
	return p.anyBit(func(l ir.Expr) ir.Expr {
		var x ir.Expr
		for i, b := range p.now {
			y := differing(b.Load(l), p.before[i].Load(l))
			if x != nil {
				y = ir.OpOr.Of(x, y)
			}
			x = y
		}
		return x
	})
}

// loop returns a loop over all steps, a circle of them at a time.
func (p *pointGroups) loop(steps []ir.Stmt) *ir.Loop {
	return &ir.Loop{Body: p.g.Block(func() {
		p.g.Emit(&ir.BreakIf{Cond: ir.OpGe.Of(p.done.Use(), p.n)})
		p.keep()
		p.advance(circle, steps)
		p.turn()
	})}
}

// lookingLoop is a loop that looks in each eighth step whether it changes
// anything. Only some of the circles are compared with what was before.
func (p *pointGroups) lookingLoop(steps, look []ir.Stmt) *ir.Loop {
	g := p.g
	return &ir.Loop{Body: g.Block(func() {
		g.Emit(&ir.BreakIf{Cond: ir.OpGe.Of(p.done.Use(), p.n)})
		circles := ir.OpEq.Of(ir.OpAnd.Of(p.round.Use(), ir.Integer(15)), ir.Integer(15))
		turns := g.Let("turns", circles)
		g.Emit(&ir.If{Cond: turns, Then: g.Block(p.keep)})
		p.advance(circle-1, steps)
		g.Emit(&ir.BreakIf{Cond: ir.OpGe.Of(p.done.Use(), p.n)})
		any := p.looking(look)
		g.Emit(p.done.Assign(ir.OpAdd.Of(p.done.Use(), ir.Integer(1))), p.round.Assign(ir.OpAdd.Of(p.round.Use(), ir.Integer(1))))
		g.Emit(&ir.BreakIf{Cond: ir.OpEq.Of(any, ir.Integer(0))})
		g.Emit(&ir.If{Cond: turns, Then: g.Block(p.turn)})
	})}
}

// keep copies the rows.
func (p *pointGroups) keep() {
	p.lanes(ir.Integer(p.size), func(l ir.Expr) {
		for i, b := range p.now {
			p.g.Emit(p.before[i].Store(l, b.Load(l)))
		}
	})
}

// advance runs up to some steps.
func (p *pointGroups) advance(most int64, steps []ir.Stmt) {
	g := p.g
	count := g.Let("steps", ir.OpMin.Of(ir.Integer(most), ir.OpSub.Of(p.n, p.done.Use())))
	g.Emit(&ir.For{Var: g.NewVar("step", ir.I64), Lo: ir.Integer(0), Hi: count, Body: steps})
	g.Emit(p.done.Assign(ir.OpAdd.Of(p.done.Use(), count)))
}

// turn leaves out whole circles where the rows are what they were a circle
// before.
func (p *pointGroups) turn() {
	same := ir.OpEq.Of(p.different(), ir.Integer(0))
	left := ir.OpRem.Of(ir.OpSub.Of(p.n, p.done.Use()), ir.Integer(circle))
	p.g.Emit(&ir.If{Cond: same, Then: []ir.Stmt{p.done.Assign(ir.OpSub.Of(p.n, left))}})
}

// looking writes a step, and returns an integer that is 0 where it changes
// nothing.
func (p *pointGroups) looking(step []ir.Stmt) ir.Expr {
	loop := step[0].(*ir.For)
	any, nest := p.orOver(loop.Var)
	for _, s := range loop.Body {
		st, ok := s.(*ir.Store)
		if !ok {
			nest.Body = append(nest.Body, s)
			continue
		}
		next := p.g.NewVar("next", st.Buf.Elem)
		nest.Body = append(nest.Body, next.Decl(st.X),
			any.Assign(ir.OpOr.Of(any.Use(), differing(next.Use(), st.Buf.Load(st.Index)))),
			st.Buf.Store(st.Index, next.Use()))
	}
	p.g.Emit(nest)
	return any.Use()
}

// step returns the loop over the lanes that replaces the elements of the state
// by the next ones.
func (p *pointGroups) step() []ir.Stmt {
	g := p.g
	return g.Block(func() {
		p.lanes(ir.Integer(p.size), func(l ir.Expr) {
			now, fixed := p.now, p.fixed
			for _, v := range p.state {
				g.Env.Set(v, build.Scalar1(g.Let("x", p.lane(&now, build.KindOf(tail.TypeOf(&tail.Ref{Var: v}).Elem), l))))
			}
			for _, v := range p.invars {
				g.Env.Set(v, build.Scalar1(g.Let("c", p.lane(&fixed, build.KindOf(tail.TypeOf(&tail.Ref{Var: v}).Elem), l))))
			}
			now = p.now
			next := leaves(g.Expr(p.body))
			for i := range next {
				if now[0].Elem == ir.F64 && next[i].X.Kind() == ir.C64 {
					next[i].X = g.Atom("z", next[i].X) // before the first row is written
				}
			}
			for _, v := range next {
				p.store(&now, l, v.X)
			}
			if g.On("parts") {
				g.Blk.Stmts = arith.InParts(g.Lowering.Context, g.Blk.Stmts)
			}
		})
	})
}

// laneBlock returns the statements of a step, nil where it is more than a loop
// over the lanes.
func laneBlock(step []ir.Stmt) []ir.Stmt {
	if len(step) != 1 {
		return nil
	}
	return step[0].(*ir.For).Body
}
