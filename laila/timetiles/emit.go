package timetiles

import "github.com/tailor-lang/tailor/laila/ir"

// emit writes the loop over chunks of steps.
func (t *timeTiling) emit() []ir.Stmt {
	l := t.l
	chunk, now := l.NewVar("chunk", ir.I64), l.NewVar("steps", ir.I64)
	phase, tile := l.NewVar("phase", ir.I64), l.NewVar("tile", ir.I64)
	chunks := ir.Add(ir.Quo(ir.Sub(t.loop.Hi, ir.Integer(1)), ir.Integer(t.steps)), ir.Integer(1)) // at least one, which may have no steps
	left := ir.Sub(t.loop.Hi, ir.Mul(chunk.Use(), ir.Integer(t.steps)))
	body := []ir.Stmt{
		now.Decl(ir.OpMin.Of(ir.Integer(t.steps), left)),
		&ir.For{Var: phase, Lo: ir.Integer(0), Hi: ir.Integer(2), Body: []ir.Stmt{
			&ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: tile, Lo: ir.Integer(0), Hi: ir.Integer(t.count)}}, Body: t.tile(phase, tile, now), Even: true, At: t.nests[0].nest.At},
		}},
	}
	if len(t.swaps) > 0 {
		var swaps []ir.Stmt
		for _, s := range t.swaps {
			swaps = append(swaps, s)
		}
		if t.turns == 2 {
			odd := ir.OpNe.Of(ir.OpAnd.Of(now.Use(), ir.Integer(1)), ir.Integer(0))
			body = append(body, &ir.If{Cond: odd, Then: swaps})
		} else {
			body = append(body, &ir.For{Var: l.NewVar("q", ir.I64), Lo: ir.Integer(0), Hi: now.Use(), Body: swaps})
		}
	}
	return append(t.first, &ir.For{Var: chunk, Lo: ir.Integer(0), Hi: chunks, Body: body})
}

// tile runs the steps of a chunk on the rows of a tile, or around a seam. They
// are the rows
//
//	from + up×D … to + down×D, where D = q×period + lag
//
// and on a ring the first seam has the last rows, too.
func (t *timeTiling) tile(phase, tile, now *ir.Var) []ir.Stmt {
	l := t.l
	size := t.rows / t.count
	first := ir.OpEq.Of(phase.Use(), ir.Integer(0))
	top, bottom := ir.OpEq.Of(tile.Use(), ir.Integer(0)), ir.OpEq.Of(tile.Use(), ir.Integer(t.count-1))
	from, to, up, down := l.NewVar("first", ir.I64), l.NewVar("end", ir.I64), l.NewVar("up", ir.I64), l.NewVar("down", ir.I64)
	slope := func(x ir.Expr, edge ir.Expr) ir.Expr {
		if t.ring {
			return x
		}
		return &ir.Select{Cond: edge, Then: ir.Integer(0), Else: x}
	}
	var out []ir.Stmt
	bufs := map[*ir.Buf]*ir.Buf{}
	alias := func(b *ir.Buf) {
		if bufs[b] == nil {
			c := &ir.Buf{Name: b.Name, Elem: b.Elem}
			bufs[b] = c
			if r, ok := l.Bufs[b]; ok {
				l.Bufs[c] = r
			}
			if r, ok := l.BufSpans[b]; ok {
				l.BufSpans[c] = r
			}
			out = append(out, &ir.Alias{Dst: c, Src: b})
		}
	}
	var swaps []ir.Stmt
	for _, s := range t.swaps {
		alias(s.A)
		alias(s.B)
		swaps = append(swaps, &ir.Swap{A: bufs[s.A], B: bufs[s.B]})
	}
	start := ir.Mul(tile.Use(), ir.Integer(size))
	out = append(out,
		from.Decl(start),
		to.Decl(&ir.Select{Cond: first, Then: &ir.Select{Cond: bottom, Then: ir.Integer(t.rows), Else: ir.Add(from.Use(), ir.Integer(size))}, Else: from.Use()}),
		up.Decl(slope(&ir.Select{Cond: first, Then: ir.Integer(1), Else: ir.Integer(-1)}, top)),
		down.Decl(&ir.Select{Cond: first, Then: slope(ir.Integer(-1), bottom), Else: slope(ir.Integer(1), top)}),
	)
	q := l.NewVar("q", ir.I64)
	var step []ir.Stmt
	rename := l.NewCloner()
	rename.Bufs = bufs
	for v, x := range t.element {
		rename.Vars[v] = rename.Expr(x)
	}
	for i := 0; i < len(t.nests); {
		j := i + 1
		for j < len(t.nests) && t.nests[j].lag == t.nests[i].lag {
			j++
		}
		away := l.NewVar("away", ir.I64)
		lo, hi := l.NewVar("lo", ir.I64), l.NewVar("hi", ir.I64)
		step = append(step,
			away.Decl(ir.Add(ir.Mul(q.Use(), ir.Integer(t.period)), ir.Integer(t.nests[i].lag))),
			lo.Decl(ir.Add(from.Use(), ir.Mul(up.Use(), away.Use()))),
			hi.Decl(ir.Add(to.Use(), ir.Mul(down.Use(), away.Use()))),
		)
		for _, n := range t.nests[i:j] {
			step = append(append(step, n.said...), t.part(n, rename.Nest(n.nest), lo, hi)...)
		}
		i = j
	}
	return append(out, &ir.For{Var: q, Lo: ir.Integer(0), Hi: now.Use(), Body: append(step, swaps...)})
}

// part runs a nest on the rows from lo to hi, as far as they are among its own.
func (t *timeTiling) part(n *tiledNest, nest *ir.Nest, lo, hi *ir.Var) []ir.Stmt {
	if !t.ring {
		return t.piece(n, nest, lo.Use(), hi.Use())
	}
	around := t.l.NewVar("around", ir.I64)
	last := ir.OpEq.Of(around.Use(), ir.Integer(1))
	parts := &ir.Select{Cond: ir.OpLt.Of(lo.Use(), ir.Integer(0)), Then: ir.Integer(2), Else: ir.Integer(1)}
	below := ir.Add(lo.Use(), &ir.Select{Cond: last, Then: ir.Integer(t.rows), Else: ir.Integer(0)})
	above := &ir.Select{Cond: last, Then: ir.Integer(t.rows), Else: hi.Use()}
	return []ir.Stmt{&ir.For{Var: around, Lo: ir.Integer(0), Hi: parts, Body: t.piece(n, nest, below, above)}}
}

func (t *timeTiling) piece(n *tiledNest, nest *ir.Nest, lo, hi ir.Expr) []ir.Stmt {
	from, to := t.l.NewVar("from", ir.I64), t.l.NewVar("to", ir.I64)
	nest.Dims[0].Lo, nest.Dims[0].Hi = from.Use(), to.Use()
	return []ir.Stmt{
		from.Decl(ir.OpMax.Of(ir.Integer(n.lo), ir.Sub(lo, ir.Integer(n.shift)))),
		to.Decl(ir.OpMin.Of(ir.Integer(n.hi), ir.Sub(hi, ir.Integer(n.shift)))),
		nest,
	}
}
