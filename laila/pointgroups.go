package laila

import "github.com/tailor-lang/tailor/tail"

// pointGroups writes the loops of a pointwisePower: those over groups of
// elements, over steps, and over the lanes of a group.
type pointGroups struct {
	*pointwisePower
	n     Expr      // the number of steps
	first []*value  // the state that the steps begin with
	reads []*pull   // arrays from outside
	body  tail.Expr // a step of an element
	out   []*Buf    // the state that the steps end with

	size               int64 // the lanes of a group
	flat               bool  // elements go by their place in the ravel
	space              []Expr
	now, before, fixed []*Buf // the rows of a group, one of each array, two of a complex one
	leaf               []int  // of which array of the state a row is
	done, round        *Var   // how many steps, and runs of steps, there have been
}

func newPointGroups(w *pointwisePower, n Expr, first []*value, reads []*pull, body tail.Expr, out []*Buf) *pointGroups {
	p := &pointGroups{pointwisePower: w, n: n, first: first, reads: reads, body: body, out: out, size: 1, flat: true}
	if w.g.vectors() {
		p.size = groupSize
	}
	for _, v := range first {
		p.flat = p.flat && v.arr.flat != nil
	}
	for _, r := range reads {
		p.flat = p.flat && r.flat != nil
	}
	p.space = first[0].arr.dims
	if p.flat {
		p.space = []Expr{w.g.count(first[0].arr)}
	}
	return p
}

// run writes the nest over all groups.
func (p *pointGroups) run() {
	g := p.g
	last := len(p.space) - 1
	length := p.space[last]
	blocks := g.atom("n", quo(add(length, integer(p.size-1)), integer(p.size)))
	g.segmap(replaced(p.space, last, blocks), func(ix []Expr) {
		base := g.atom("base", mul(ix[last], integer(p.size)))
		p.now, p.before, p.fixed, p.leaf = nil, nil, nil, nil // index sets may be written in pieces
		for i, v := range p.first {
			now, before := p.rows("x", v.arr.elem), p.rows("was", v.arr.elem)
			for range now {
				p.leaf = append(p.leaf, i)
			}
			p.now, p.before = append(p.now, now...), append(p.before, before...)
		}
		for _, r := range p.reads {
			p.fixed = append(p.fixed, p.rows("c", r.elem)...)
		}
		versions, test := p.versions()
		p.lanes(integer(p.size), func(l Expr) {
			p.fill(l, replaced(ix, last, g.atom("at", g.smaller(add(base, l), sub(length, integer(1))))))
		})
		p.done, p.round = g.mutable("done", I64, integer(0)), g.mutable("round", I64, integer(0))
		fast := p.loop(versions[0])
		if len(versions) > 1 {
			fast = p.lookingLoop(versions[0], versions[1])
		}
		if test == nil {
			g.emit(fast)
		} else {
			wild := p.anyBit(func(l Expr) Expr { return &Convert{I64, &Unary{Not, test(l)}} })
			g.emit(&If{Cond: &Binary{Eq, wild, integer(0)}, Then: []Stmt{fast}, Else: []Stmt{p.loop(versions[2])}})
		}
		p.lanes(g.atom("w", g.smaller(integer(p.size), sub(length, base))), func(l Expr) {
			ix := replaced(ix, last, g.atom("at", add(base, l)))
			rows := p.now
			for i, v := range p.first {
				g.emit(&Store{p.out[i], g.ravelIndex(p.space, ix), convert(p.out[i].Elem, p.lane(&rows, v.arr.elem, l))})
			}
		})
	})
}

// versions returns a step; behind it, where it is small, another copy; and
// where these have selections one without. Selections want a test of the elements of
// a lane that must hold for all when the first step begins.
func (p *pointGroups) versions() (steps [][]Stmt, test func(l Expr) Expr) {
	steps = [][]Stmt{p.step()}
	body := laneBlock(steps[0])
	if p.size == 1 || body == nil || blockSize(body, lookingSize) >= lookingSize {
		return steps, nil
	}
	steps = append(steps, p.step(), p.step())
	if p.g.on("narrow") {
		p.count(steps)
	}
	if !isPlain(laneBlock(steps[0])) {
		return steps[:1], nil
	}
	if p.g.on("selections") {
		test = p.g.selections(laneBlock(steps[0]), p.now, p.fixed)
	}
	if test == nil {
		return steps[:2], nil
	}
	p.g.selections(laneBlock(steps[1]), p.now, p.fixed)
	return steps, test
}

// isPlain reports whether a block only defines variables and stores elements.
func isPlain(block []Stmt) bool {
	for _, s := range block {
		switch s.(type) {
		case *Decl, *Store, *Comment:
		default:
			return false
		}
	}
	return true
}

// row declares an array with an element for each lane.
func (p *pointGroups) row(name string, k Kind) *Buf {
	b := &Buf{Name: name, Elem: k, Stack: p.size}
	p.g.emit(&DeclBuf{Buf: b, Count: integer(p.size), Shape: []Expr{integer(p.size)}, At: p.g.src})
	p.g.own(b)
	return b
}

// lanes writes a loop over the first lanes.
func (p *pointGroups) lanes(hi Expr, each func(l Expr)) {
	v := p.g.loopVar(integer(0), hi, nil)
	p.g.emit(&For{Var: v, Lo: integer(0), Hi: hi, Body: p.g.block(func() { each(&Use{v}) }), Independent: true})
}

// fill sets the lane l of the rows to the elements at ix.
func (p *pointGroups) fill(l Expr, ix []Expr) {
	read := func(a *pull) Expr {
		if p.flat {
			return p.g.indexFlat(a, ix[0])
		}
		return p.g.index(a, ix)
	}
	now, fixed := p.now, p.fixed
	for _, v := range p.first {
		x := read(v.arr)
		if f, ok := x.(*Float); ok && now[0].Elem == I64 { // what steps count
			x = integer(int64(f.Val))
		}
		p.store(&now, l, x)
	}
	for _, r := range p.reads {
		p.store(&fixed, l, read(r))
	}
}

// rows declares the rows of an array.
func (p *pointGroups) rows(name string, k Kind) []*Buf {
	if k == C64 && p.g.on("parts") {
		return []*Buf{p.row(name, F64), p.row(name, F64)}
	}
	return []*Buf{p.row(name, k)}
}

// lane returns the lane l of an array of kind k, whose rows are the first of
// rows, and leaves the others.
func (p *pointGroups) lane(rows *[]*Buf, k Kind, l Expr) Expr {
	all := *rows
	if k == C64 && all[0].Elem == F64 {
		*rows = all[2:]
		return &Math{"tl_z", C64, []Expr{&Load{all[0], l}, &Load{all[1], l}}}
	}
	*rows = all[1:]
	return &Load{all[0], l}
}

// store sets the lane l of the array whose rows are the first of rows, and
// leaves the others.
func (p *pointGroups) store(rows *[]*Buf, l, x Expr) {
	all := *rows
	if x.Kind() == C64 && all[0].Elem == F64 {
		re, im := whole(p.g.atom("z", x))
		p.g.emit(&Store{all[0], l, re}, &Store{all[1], l, im})
		*rows = all[2:]
		return
	}
	p.g.emit(&Store{all[0], l, convert(all[0].Elem, x)})
	*rows = all[1:]
}

// anyBit returns the or of integers, one of each lane.
func (p *pointGroups) anyBit(x func(l Expr) Expr) Expr {
	v := p.g.loopVar(integer(0), integer(p.size), nil)
	any, nest := p.orOver(v)
	nest.Body = p.g.block(func() { p.g.emit(&Assign{any, &Binary{Or, &Use{any}, x(&Use{v})}}) })
	p.g.emit(nest)
	return &Use{any}
}

// orOver declares a variable for the or of integers, and returns a nest over
// the lanes v whose body is still to be made.
func (p *pointGroups) orOver(v *Var) (any *Var, nest *Nest) {
	g := p.g
	any, left, right := g.mutable("any", I64, integer(0)), g.newVar("x", I64), g.newVar("y", I64)
	acc := Acc{Var: any, Left: left, Right: right, Combine: &Binary{Or, &Use{left}, &Use{right}}, Neutral: integer(0), Exact: true}
	return any, &Nest{Kind: SegRed, Red: []Dim{{v, integer(0), integer(p.size)}}, Accs: []Acc{acc}, At: g.src}
}

// different returns an integer that is 0 where nothing tells now and before
// apart.
func (p *pointGroups) different() Expr {
	return p.anyBit(func(l Expr) Expr {
		var x Expr
		for i, b := range p.now {
			y := differing(&Load{b, l}, &Load{p.before[i], l})
			if x != nil {
				y = &Binary{Or, x, y}
			}
			x = y
		}
		return x
	})
}

// loop returns a loop over all steps, a circle of them at a time.
func (p *pointGroups) loop(steps []Stmt) *Loop {
	return &Loop{p.g.block(func() {
		p.g.emit(&BreakIf{&Binary{Ge, &Use{p.done}, p.n}})
		p.keep()
		p.advance(circle, steps)
		p.turn()
	})}
}

// lookingLoop is a loop that looks in each eighth step whether it changes
// anything. Only some of the circles are compared with what was before.
func (p *pointGroups) lookingLoop(steps, look []Stmt) *Loop {
	g := p.g
	return &Loop{g.block(func() {
		g.emit(&BreakIf{&Binary{Ge, &Use{p.done}, p.n}})
		circles := &Binary{Eq, &Binary{And, &Use{p.round}, integer(15)}, integer(15)}
		turns := g.let("turns", circles)
		g.emit(&If{Cond: turns, Then: g.block(p.keep)})
		p.advance(circle-1, steps)
		g.emit(&BreakIf{&Binary{Ge, &Use{p.done}, p.n}})
		any := p.looking(look)
		g.emit(&Assign{p.done, &Binary{Add, &Use{p.done}, integer(1)}}, &Assign{p.round, &Binary{Add, &Use{p.round}, integer(1)}})
		g.emit(&BreakIf{&Binary{Eq, any, integer(0)}})
		g.emit(&If{Cond: turns, Then: g.block(p.turn)})
	})}
}

// keep copies the rows.
func (p *pointGroups) keep() {
	p.lanes(integer(p.size), func(l Expr) {
		for i, b := range p.now {
			p.g.emit(&Store{p.before[i], l, &Load{b, l}})
		}
	})
}

// advance runs up to some steps.
func (p *pointGroups) advance(most int64, steps []Stmt) {
	g := p.g
	count := g.let("steps", &Binary{Min, integer(most), &Binary{Sub, p.n, &Use{p.done}}})
	g.emit(&For{Var: g.newVar("step", I64), Lo: integer(0), Hi: count, Body: steps})
	g.emit(&Assign{p.done, &Binary{Add, &Use{p.done}, count}})
}

// turn leaves out whole circles where the rows are what they were a circle
// before.
func (p *pointGroups) turn() {
	same := &Binary{Eq, p.different(), integer(0)}
	left := &Binary{Rem, &Binary{Sub, p.n, &Use{p.done}}, integer(circle)}
	p.g.emit(&If{Cond: same, Then: []Stmt{&Assign{p.done, &Binary{Sub, p.n, left}}}})
}

// looking writes a step, and returns an integer that is 0 where it changes
// nothing.
func (p *pointGroups) looking(step []Stmt) Expr {
	loop := step[0].(*For)
	any, nest := p.orOver(loop.Var)
	for _, s := range loop.Body {
		st, ok := s.(*Store)
		if !ok {
			nest.Body = append(nest.Body, s)
			continue
		}
		next := p.g.newVar("next", st.Buf.Elem)
		nest.Body = append(nest.Body, &Decl{next, st.X},
			&Assign{any, &Binary{Or, &Use{any}, differing(&Use{next}, &Load{st.Buf, st.Index})}},
			&Store{st.Buf, st.Index, &Use{next}})
	}
	p.g.emit(nest)
	return &Use{any}
}

// step returns the loop over the lanes that replaces the elements of the state
// by the next ones.
func (p *pointGroups) step() []Stmt {
	g := p.g
	return g.block(func() {
		p.lanes(integer(p.size), func(l Expr) {
			now, fixed := p.now, p.fixed
			for _, v := range p.state {
				g.env.set(v, scalar1(g.let("x", p.lane(&now, kindOf(tail.TypeOf(&tail.Ref{Var: v}).Elem), l))))
			}
			for _, v := range p.invars {
				g.env.set(v, scalar1(g.let("c", p.lane(&fixed, kindOf(tail.TypeOf(&tail.Ref{Var: v}).Elem), l))))
			}
			now = p.now
			next := leaves(g.expr(p.body))
			for i := range next {
				if now[0].Elem == F64 && next[i].x.Kind() == C64 {
					next[i].x = g.atom("z", next[i].x) // before the first row is written
				}
			}
			for _, v := range next {
				p.store(&now, l, v.x)
			}
			if g.on("parts") {
				g.blk.stmts = g.inParts(g.blk.stmts)
			}
		})
	})
}

// laneBlock returns the statements of a step, nil where it is more than a loop
// over the lanes.
func laneBlock(step []Stmt) []Stmt {
	if len(step) != 1 {
		return nil
	}
	return step[0].(*For).Body
}
