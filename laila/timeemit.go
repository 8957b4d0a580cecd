package laila

// emit writes the loop over chunks of steps.
func (t *timeTiling) emit() []Stmt {
	l := t.l
	chunk, now := l.newVar("chunk", I64), l.newVar("steps", I64)
	phase, tile := l.newVar("phase", I64), l.newVar("tile", I64)
	var before []Stmt
	var flags []*Var
	if l.on("quotients") {
		if t.exact = t.quotients(); t.exact != nil {
			before, flags = []Stmt{t.exact.before()}, []*Var{t.exact.small}
			if t.exact.steps == nil {
				before = append(before, t.exact.look()...)
			} else {
				before = append(before, t.exact.steps.before()...)
			}
		}
	}
	chunks := add(quo(sub(t.loop.Hi, integer(1)), integer(t.steps)), integer(1)) // at least one, which may have no steps
	left := sub(t.loop.Hi, mul(&Use{chunk}, integer(t.steps)))
	body := []Stmt{&Decl{now, &Binary{Min, integer(t.steps), left}}}
	if t.exact != nil && t.exact.steps != nil {
		body = append(body, t.exact.steps.chunk(chunk, now, left, t.exact.look())...)
	}
	body = append(body,
		&For{Var: phase, Lo: integer(0), Hi: integer(2), Body: append(t.flag(),
			&Nest{Kind: SegMap, Dims: []Dim{{tile, integer(0), integer(t.count)}}, Body: t.tile(phase, tile, now), Flags: flags, Even: true, At: t.nests[0].nest.At},
		)},
	)
	if len(t.swaps) > 0 {
		var swaps []Stmt
		for _, s := range t.swaps {
			swaps = append(swaps, s)
		}
		if t.turns == 2 {
			odd := &Binary{Ne, &Binary{And, &Use{now}, integer(1)}, integer(0)}
			body = append(body, &If{Cond: odd, Then: swaps})
		} else {
			body = append(body, &For{Var: l.newVar("q", I64), Lo: integer(0), Hi: &Use{now}, Body: swaps})
		}
	}
	return append(append(t.first, before...), &For{Var: chunk, Lo: integer(0), Hi: chunks, Body: body})
}

// flag declares what the flag is before a phase: threads have their own inside.
func (t *timeTiling) flag() []Stmt {
	if t.exact == nil {
		return nil
	}
	return []Stmt{&Decl{t.exact.was, &Use{t.exact.small}}}
}

// tile runs the steps of a chunk on the rows of a tile, or around a seam. They
// are the rows
//
//	from + up×D … to + down×D, where D = q×period + lag
//
// and on a ring the first seam has the last rows, too.
func (t *timeTiling) tile(phase, tile, now *Var) []Stmt {
	l := t.l
	size := t.rows / t.count
	first := &Binary{Eq, &Use{phase}, integer(0)}
	top, bottom := &Binary{Eq, &Use{tile}, integer(0)}, &Binary{Eq, &Use{tile}, integer(t.count - 1)}
	from, to, up, down := l.newVar("first", I64), l.newVar("end", I64), l.newVar("up", I64), l.newVar("down", I64)
	slope := func(x Expr, edge Expr) Expr {
		if t.ring {
			return x
		}
		return &Select{edge, integer(0), x}
	}
	var out []Stmt
	bufs := map[*Buf]*Buf{}
	alias := func(b *Buf) {
		if bufs[b] == nil {
			c := &Buf{Name: b.Name, Elem: b.Elem}
			bufs[b] = c
			if r, ok := l.bufs[b]; ok {
				l.bufs[c] = r
			}
			if r, ok := l.bufSpans[b]; ok {
				l.bufSpans[c] = r
			}
			out = append(out, &Alias{c, b})
		}
	}
	var swaps []Stmt
	for _, s := range t.swaps {
		alias(s.A)
		alias(s.B)
		swaps = append(swaps, &Swap{bufs[s.A], bufs[s.B]})
	}
	start := mul(&Use{tile}, integer(size))
	out = append(out,
		&Decl{from, start},
		&Decl{to, &Select{first, &Select{bottom, integer(t.rows), add(&Use{from}, integer(size))}, &Use{from}}},
		&Decl{up, slope(&Select{first, integer(1), integer(-1)}, top)},
		&Decl{down, &Select{first, slope(integer(-1), bottom), slope(integer(1), top)}},
	)
	q := l.newVar("q", I64)
	var step []Stmt
	rename := newCloner(l)
	rename.bufs = bufs
	for v, x := range t.element {
		rename.vars[v] = rename.expr(x)
	}
	var own *Var // the tile's part of the flag
	if t.exact != nil {
		own = l.newVar("own", U8)
		out = append(out, &Decl{own, &Use{t.exact.was}})
		rename.vars[t.exact.small] = &Use{own}
	}
	for i := 0; i < len(t.nests); {
		j := i + 1
		for j < len(t.nests) && t.nests[j].lag == t.nests[i].lag {
			j++
		}
		away := l.newVar("away", I64)
		lo, hi := l.newVar("lo", I64), l.newVar("hi", I64)
		step = append(step,
			&Decl{away, add(mul(&Use{q}, integer(t.period)), integer(t.nests[i].lag))},
			&Decl{lo, add(&Use{from}, mul(&Use{up}, &Use{away}))},
			&Decl{hi, add(&Use{to}, mul(&Use{down}, &Use{away}))},
		)
		group := func(nestOf func(n *tiledNest) *Nest) (list []Stmt) {
			for _, n := range t.nests[i:j] {
				source := nestOf(n)
				nest := rename.nest(source)
				if t.usual(n, source) {
					t.align(nest)
				}
				list = append(append(list, n.said...), t.part(n, nest, lo, hi)...)
			}
			return list
		}
		plain := group(func(n *tiledNest) *Nest { return n.nest })
		if t.exact == nil {
			step = append(step, plain...)
		} else {
			step = append(step, t.exact.choose(own, plain, group)...)
		}
		i = j
	}
	out = append(out, &For{Var: q, Lo: integer(0), Hi: &Use{now}, Body: append(step, swaps...)})
	if t.exact != nil {
		small := t.exact.small
		out = append(out, &Assign{small, &Binary{Or, &Use{small}, &Use{own}}})
	}
	return out
}

// choose runs the nests of a group without looks where bounds are known, else with
// divisions where an element is small, else with looks.
func (q *quotients) choose(own *Var, divided []Stmt, group func(func(*tiledNest) *Nest) []Stmt) []Stmt {
	looking := &If{Cond: &Use{own}, Then: divided, Else: group(func(n *tiledNest) *Nest { return q.nests[n] })}
	if q.steps == nil {
		return []Stmt{looking}
	}
	return []Stmt{&If{Cond: &Use{q.steps.free}, Then: group(func(n *tiledNest) *Nest { return q.steps.nests[n] }), Else: []Stmt{looking}}}
}

// usual reports whether a nest that stands for n is the one that runs where
// elements are neither small nor large.
func (t *timeTiling) usual(n *tiledNest, nest *Nest) bool {
	switch {
	case t.exact == nil:
		return true
	case t.exact.steps == nil:
		return nest == t.exact.nests[n]
	}
	return nest == t.exact.steps.nests[n]
}

// part runs a nest on the rows from lo to hi, as far as they are among its own.
func (t *timeTiling) part(n *tiledNest, nest *Nest, lo, hi *Var) []Stmt {
	if !t.ring {
		return t.piece(n, nest, &Use{lo}, &Use{hi})
	}
	around := t.l.newVar("around", I64)
	last := &Binary{Eq, &Use{around}, integer(1)}
	parts := &Select{&Binary{Lt, &Use{lo}, integer(0)}, integer(2), integer(1)}
	below := add(&Use{lo}, &Select{last, integer(t.rows), integer(0)})
	above := &Select{last, integer(t.rows), &Use{hi}}
	return []Stmt{&For{Var: around, Lo: integer(0), Hi: parts, Body: t.piece(n, nest, below, above)}}
}

func (t *timeTiling) piece(n *tiledNest, nest *Nest, lo, hi Expr) []Stmt {
	from, to := t.l.newVar("from", I64), t.l.newVar("to", I64)
	nest.Dims[0].Lo, nest.Dims[0].Hi = &Use{from}, &Use{to}
	return []Stmt{
		&Decl{from, &Binary{Max, integer(n.lo), sub(lo, integer(n.shift))}},
		&Decl{to, &Binary{Min, integer(n.hi), sub(hi, integer(n.shift))}},
		nest,
	}
}
