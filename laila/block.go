package laila

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/place"
	"github.com/tailor-lang/tailor/tail"
)

// The extents of the blocks of an inner product: a block of blockTerms terms
// by blockRows rows of the left argument stays in the second-level cache,
// MicroRows rows of the result by two vectors of columns in registers.
const (
	blockRows  = 96
	blockTerms = 256
	// maxPanel is the greatest width of a panel in bytes: two vectors.
	maxPanel = 128
)

// microStep is the step of an inner product x f.h y in one kind, for vector
// code: acc f a h b, by declarations and an expression.
type microStep struct {
	kind      ir.Kind
	acc, a, b *ir.Var
	decls     []*ir.Decl
	x         ir.Expr
}

// microStep returns the step for results stored in kind k, or nil where it has
// no vector code.
func (g *gen) microStep(x, y *pull, h *tail.Lam, fd *folding, k ir.Kind) *microStep {
	m := &microStep{kind: k, acc: g.NewVar("c", k), a: g.NewVar("a", k), b: g.NewVar("b", k)}
	switch k {
	case ir.F64, ir.U8, ir.I8, ir.I16, ir.I32, ir.I64:
	default:
		return nil
	}
	if !g.On("blocks") {
		return nil
	}
	minmax := fd.op == tail.OpMinI || fd.op == tail.OpMaxI
	if k.Exact() && k != ir.U8 {
		kr := facts.RangeOfKind(k)
		r, ok := fd.accRange(g)
		if minmax {
			r, ok = fd.rng, true
		}
		if !ok || fd.kind != ir.I64 || !r.Within(kr.Lo, kr.Hi) || !x.rng.Within(kr.Lo, kr.Hi) || !y.rng.Within(kr.Lo, kr.Hi) {
			return nil
		}
		g.Ranges[m.acc] = r
	}
	ea, pa := g.microOperand(m.a, x)
	eb, pb := g.microOperand(m.b, y)
	st := g.nest
	g.nest = &nestState{inside: true}
	stmts := g.block(func() {
		if chained(h) {
			m.x = g.addTerm(fd, h, m.acc.Use(), pair{ea, eb})
			return
		}
		term := g.lam(h, ea, eb)
		switch {
		case k.Exact() && k != ir.U8 && minmax:
			op := ir.OpMin
			if fd.op == tail.OpMaxI {
				op = ir.OpMax
			}
			m.x = op.Of(m.acc.Use(), ir.ConvertTo(k, term))
		case k.Exact() && k != ir.U8:
			m.x = ir.ConvertTo(k, g.step(fd, &ir.Convert{To: ir.I64, X: m.acc.Use()}, term))
		default:
			m.x = g.step(fd, m.acc.Use(), term)
		}
	})
	g.nest = st
	r := &place.Rewriter{Load: func(l *ir.Load) ir.Expr { return l }}
	fix := func(x ir.Expr) ir.Expr { return unpacked(unpacked(r.Expr(x), pa, m.a), pb, m.b) }
	for _, s := range stmts {
		d, ok := s.(*ir.Decl)
		if !ok || d.Init == nil {
			return nil
		}
		if d.Var.Kind == ir.I64 && k.Exact() && k != ir.I64 {
			return nil
		}
		d = d.Var.Decl(fix(d.Init))
		if !vectorCode(d.Init, k) {
			return nil
		}
		m.decls = append(m.decls, d)
	}
	if m.x = fix(m.x); !vectorCode(m.x, k) {
		return nil
	}
	return m
}

// microOperand returns an element of p as an expression over v; where v has
// another kind, over a variable that is to be replaced by v.
func (g *gen) microOperand(v *ir.Var, p *pull) (ir.Expr, *ir.Var) {
	switch {
	case v.Kind == p.elem:
		if v.Kind.Exact() {
			g.Ranges[v] = p.rng
		} else if p.span != nil {
			g.Spans[v] = *p.span
		}
		return v.Use(), nil
	case v.Kind.Exact() && p.elem == ir.I64:
		g.Ranges[v] = p.rng
		return &ir.Convert{To: ir.I64, X: v.Use()}, nil
	}
	w := g.NewVar("p", p.elem)
	if p.elem.Exact() {
		g.Ranges[w] = p.rng
	}
	return w.Use(), w
}

// unpacked replaces conversions of w to doubles by v.
func unpacked(x ir.Expr, w, v *ir.Var) ir.Expr {
	if w == nil {
		return x
	}
	switch x := x.(type) {
	case *ir.Convert:
		inner := x.X
		for {
			c, ok := inner.(*ir.Convert)
			if !ok {
				break
			}
			inner = c.X
		}
		if u, ok := inner.(*ir.Use); ok && u.Var == w && x.To == v.Kind {
			return v.Use()
		}
		return &ir.Convert{To: x.To, X: unpacked(x.X, w, v)}
	case *ir.Unary:
		return x.Op.Of(unpacked(x.X, w, v))
	case *ir.Math:
		args := make([]ir.Expr, len(x.Args))
		for i, y := range x.Args {
			args[i] = unpacked(y, w, v)
		}
		return &ir.Math{Fn: x.Fn, K: x.K, Args: args}
	case *ir.Binary:
		return x.Op.Of(unpacked(x.X, w, v), unpacked(x.Y, w, v))
	}
	return x
}

// vectorCode reports whether x has vector code with all values of kind k.
func vectorCode(x ir.Expr, k ir.Kind) bool {
	if x.Kind() != k {
		return false
	}
	switch x := x.(type) {
	case *ir.Int, *ir.Float, *ir.Use:
		return true
	case *ir.Unary:
		ok := x.Op == ir.OpNeg && k != ir.U8 || x.Op == ir.OpAbs && k != ir.U8 || x.Op == ir.OpSqrt && k == ir.F64 || x.Op == ir.OpNot && k == ir.U8
		return ok && vectorCode(x.X, k)
	case *ir.Math:
		return x.Fn == ir.FmaFn && vectorCode(x.Args[0], k) && vectorCode(x.Args[1], k) && vectorCode(x.Args[2], k)
	case *ir.Binary:
		ok := false
		switch x.Op {
		case ir.OpAdd, ir.OpSub:
			ok = k != ir.U8
		case ir.OpMul:
			ok = k != ir.U8 && k != ir.I8
		case ir.OpMin, ir.OpMax:
			ok = true
		case ir.OpDiv:
			ok = k == ir.F64
		case ir.OpAnd, ir.OpOr, ir.OpXor:
			ok = k != ir.F64
		case ir.OpLt, ir.OpLe, ir.OpGt, ir.OpGe, ir.OpEq, ir.OpNe:
			ok = k == ir.U8
		}
		return ok && vectorCode(x.X, k) && vectorCode(x.Y, k)
	}
	return false
}

// blocks is an inner product that is computed in packed blocks.
type blocks struct {
	*microStep
	g             *gen
	x, y          *pull
	rows, columns ir.Expr
	terms         ir.Expr
	dst           *ir.Buf
	zero          ir.Expr
	width         ir.Expr // of a panel
	a, b          *ir.Buf // packed
	// The result is a part of dst: where it starts, and how far its rows are
	// apart there.
	origin, stride ir.Expr
	// fresh says that elements of the result begin with zero, nil where none do.
	fresh ir.Expr
	// sum is the reduction whose terms are in the order of num.Ordered; nil where
	// they are from the first to the last.
	sum *folding
}

// depth is how many terms are packed at a time.
func (t *blocks) depth() int64 {
	if t.sum != nil {
		return num.Block
	}
	return blockTerms
}

// height is how many rows of the left argument are packed at a time.
func (t *blocks) height() int64 {
	if t.sum != nil {
		return orderedHeight
	}
	return blockRows
}

// innerBlocks computes an inner product in blocks:
//
//	for each block of blockTerms terms, at least one
//	  pack the terms' rows of y as panels of two vectors of columns
//	  for each band of blockRows rows, in parallel
//	    pack the band of x as groups of MicroRows rows
//	    for each panel and group, in registers: z ← z f x h y, term by term, of
//	      the first block from the neutral element
//
// so that the terms of an element are added in order, from the first to the last or
// that of orderedTile.
func (g *gen) innerBlocks(m *microStep, x, y *pull, fd *folding, dst *ir.Buf) {
	t := &blocks{microStep: m, g: g, x: x, y: y, rows: x.dims[0], columns: y.dims[1], terms: fd.n, dst: dst, zero: ir.ConvertTo(dst.Elem, fd.zero), origin: ir.Integer(0), stride: y.dims[1]}
	if fd.ordered() {
		t.sum = fd
	}
	w := g.NewVar("width", ir.I64)
	g.Ranges[w] = facts.Between(2, maxPanel)
	g.emit(w.Decl(&ir.Math{Fn: "tl_panel", K: ir.I64, Args: []ir.Expr{ir.Integer(int64(ir.Width(m.kind)))}}))
	t.width = w.Use()
	panels := t.count("panels", t.columns, t.width)
	bands := t.count("bands", t.rows, ir.Integer(t.height()))
	size := ir.Integer(t.depth())
	t.b = g.heap("packed", m.kind, []ir.Expr{panels, t.width, g.atom("depth", g.Smaller(t.terms, size))})
	depth := g.atom("blocks", g.Larger(t.count("blocks", t.terms, size), ir.Integer(1)))
	v := g.loopVar(ir.Integer(0), depth, nil)
	g.emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: depth, Body: g.block(func() {
		from := g.atom("from", ir.Mul(v.Use(), size))
		n := g.atom("terms", g.Smaller(ir.Sub(t.terms, from), size))
		t.fresh = g.atom("fresh", g.Compare(ir.OpEq, v.Use(), ir.Integer(0)))
		g.segmap([]ir.Expr{panels}, func(ix []ir.Expr) { t.packPanel(ix[0], from, n) })
		g.segmap([]ir.Expr{bands}, func(ix []ir.Expr) { t.band(ix[0], panels, from, n) })
	})})
}

// count is n÷by, rounded up.
func (t *blocks) count(name string, n, by ir.Expr) ir.Expr {
	return t.g.atom(name, ir.Quo(ir.Sub(ir.Add(n, by), ir.Integer(1)), by))
}

// loop emits a sequential loop.
func (t *blocks) loop(lo, hi ir.Expr, independent bool, body func(i ir.Expr)) {
	g := t.g
	v := g.loopVar(lo, hi, nil)
	g.emit(&ir.For{Var: v, Lo: lo, Hi: hi, Independent: independent, Body: g.block(func() { body(v.Use()) })})
}

// packPanel packs n rows of y from row from on, the columns of panel p.
func (t *blocks) packPanel(p, from, n ir.Expr) {
	g := t.g
	first := g.atom("first", ir.Mul(p, t.width))
	have := g.atom("have", g.Smaller(ir.Sub(t.columns, first), t.width))
	base := g.atom("base", ir.Mul(ir.Mul(p, t.width), n))
	t.eachTerm(n, false, func(k, term ir.Expr) {
		at := g.atom("at", ir.Add(base, ir.Mul(k, t.width)))
		row := g.atom("row", ir.Add(from, term))
		t.loop(ir.Integer(0), have, true, func(j ir.Expr) {
			g.emit(t.b.Store(ir.Add(at, j), ir.ConvertTo(t.kind, g.index(t.y, []ir.Expr{row, ir.Add(first, j)}))))
		})
		t.loop(have, t.width, true, func(j ir.Expr) { g.emit(t.b.Store(ir.Add(at, j), ir.Zero(t.kind))) })
	})
}

// band updates the rows of a band by n terms from term from on.
func (t *blocks) band(band, panels, from, n ir.Expr) {
	g := t.g
	height := ir.Integer(t.height())
	lo := g.atom("lo", ir.Mul(band, height))
	hi := g.atom("hi", g.Smaller(ir.Add(lo, height), t.rows))
	t.a = g.heap("band", t.kind, []ir.Expr{height, n})
	groups := t.count("groups", ir.Sub(hi, lo), ir.Integer(ir.MicroRows))
	t.loop(ir.Integer(0), groups, false, func(q ir.Expr) {
		base := g.atom("base", ir.Mul(ir.Mul(q, ir.Integer(ir.MicroRows)), n))
		t.loop(ir.Integer(0), ir.Integer(ir.MicroRows), false, func(r ir.Expr) {
			row := g.atom("row", ir.Add(lo, ir.Add(ir.Mul(q, ir.Integer(ir.MicroRows)), r)))
			at := g.atom("at", ir.Add(base, r))
			there := g.block(func() {
				t.eachTerm(n, true, func(k, term ir.Expr) {
					g.emit(t.a.Store(ir.Add(at, ir.Mul(k, ir.Integer(ir.MicroRows))), ir.ConvertTo(t.kind, g.index(t.x, []ir.Expr{row, ir.Add(from, term)}))))
				})
			})
			padding := g.block(func() {
				t.loop(ir.Integer(0), n, true, func(k ir.Expr) {
					g.emit(t.a.Store(ir.Add(at, ir.Mul(k, ir.Integer(ir.MicroRows))), ir.Zero(t.kind)))
				})
			})
			g.emit(&ir.If{Cond: ir.OpLt.Of(row, hi), Then: there, Else: padding})
		})
	})
	t.loop(ir.Integer(0), panels, false, func(p ir.Expr) {
		first := g.atom("first", ir.Mul(p, t.width))
		t.loop(ir.Integer(0), groups, false, func(q ir.Expr) {
			if t.sum != nil {
				t.orderedTile(lo, hi, first, p, q, n)
				return
			}
			t.tile(lo, hi, first, p, q, n)
		})
	})
}

// tile updates a tile of MicroRows rows by a panel; at the edges through a
// tile on the stack.
func (t *blocks) tile(lo, hi, first, p, q, n ir.Expr) {
	g := t.g
	row := g.atom("row", ir.Add(lo, ir.Mul(q, ir.Integer(ir.MicroRows))))
	a := g.atom("a", ir.Mul(ir.Mul(q, ir.Integer(ir.MicroRows)), n))
	b := g.atom("b", ir.Mul(ir.Mul(p, t.width), n))
	micro := func(c *ir.Buf, at, stride ir.Expr) {
		g.emit(&ir.Micro{C: c, A: t.a, B: t.b, CAt: at, Stride: stride, AAt: a, BAt: b, Count: n,
			Acc: t.acc, X: t.microStep.a, Y: t.microStep.b, Decls: t.decls, Step: t.microStep.x, Fresh: t.fresh, Zero: t.zero})
	}
	whole := ir.OpAnd.Of(ir.OpLe.Of(ir.Add(row, ir.Integer(ir.MicroRows)), hi), ir.OpLe.Of(ir.Add(first, t.width), t.columns))
	inner := g.block(func() {
		micro(t.dst, g.atom("at", t.place(row, first)), t.stride)
	})
	edge := g.block(func() {
		size := int64(ir.MicroRows * maxPanel / ir.Width(t.kind))
		tile := &ir.Buf{Name: "tile", Elem: t.kind, Stack: size}
		g.emit(&ir.DeclBuf{Buf: tile, Count: ir.Integer(size), Shape: []ir.Expr{ir.Integer(size)}, Zero: true, At: g.src})
		rows := g.atom("rows", g.Smaller(ir.Sub(hi, row), ir.Integer(ir.MicroRows)))
		have := g.atom("have", g.Smaller(ir.Sub(t.columns, first), t.width))
		each := func(body func(in, out ir.Expr)) {
			t.loop(ir.Integer(0), rows, false, func(r ir.Expr) {
				in := g.atom("in", ir.Mul(r, t.width))
				out := g.atom("out", t.place(ir.Add(row, r), first))
				t.loop(ir.Integer(0), have, true, func(j ir.Expr) { body(ir.Add(in, j), ir.Add(out, j)) })
			})
		}
		load := g.block(func() {
			each(func(in, out ir.Expr) { g.emit(tile.Store(in, t.dst.Load(out))) })
		})
		if t.fresh != nil {
			load = []ir.Stmt{&ir.If{Cond: ir.Not(t.fresh), Then: load}}
		}
		g.emit(load...)
		micro(tile, ir.Integer(0), t.width)
		each(func(in, out ir.Expr) { g.emit(t.dst.Store(out, tile.Load(in))) })
	})
	g.emit(&ir.If{Cond: whole, Then: inner, Else: edge})
}

// place is where an element of the result is in dst.
func (t *blocks) place(row, column ir.Expr) ir.Expr {
	return ir.Add(t.origin, ir.Add(ir.Mul(row, t.stride), column))
}

// slender reports whether y has too few columns for panels, for certain.
func (g *gen) slender(y *pull) bool {
	c, ok := ir.IntOf(y.dims[1])
	return ok && c < 16
}
