package laila

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// The extents of the blocks of an inner product: a block of blockTerms terms
// by blockRows rows of the left argument stays in the second-level cache,
// MicroRows rows of the result by two vectors of columns in registers.
const (
	blockRows  = 96
	blockTerms = 256
	// MicroRows is how many rows of the result a Micro updates.
	MicroRows = 6
	// maxPanel is the greatest width of a panel in bytes: two vectors.
	maxPanel = 128
)

// microStep is the step of an inner product x f.h y in one kind, for vector
// code: acc f a h b, by declarations and an expression.
type microStep struct {
	kind      Kind
	acc, a, b *Var
	decls     []*Decl
	x         Expr
}

// microStep returns the step for results stored in kind k, or nil where it has
// no vector code.
func (g *gen) microStep(x, y *pull, h *tail.Lam, fd *folding, k Kind) *microStep {
	m := &microStep{kind: k, acc: g.newVar("c", k), a: g.newVar("a", k), b: g.newVar("b", k)}
	switch k {
	case F64, U8, I8, I16, I32, I64:
	default:
		return nil
	}
	if !g.on("blocks") {
		return nil
	}
	minmax := fd.op == tail.OpMinI || fd.op == tail.OpMaxI
	if k.exact() && k != U8 {
		kr := rangeOfKind(k)
		r, ok := fd.accRange(g)
		if minmax {
			r, ok = fd.rng, true
		}
		if !ok || fd.kind != I64 || !r.within(kr.lo, kr.hi) || !x.rng.within(kr.lo, kr.hi) || !y.rng.within(kr.lo, kr.hi) {
			return nil
		}
		g.ranges[m.acc] = r
	}
	ea, pa := g.microOperand(m.a, x)
	eb, pb := g.microOperand(m.b, y)
	st := g.nest
	g.nest = &nestState{inside: true}
	stmts := g.block(func() {
		if chained(h) {
			m.x = g.addTerm(fd, h, &Use{m.acc}, pair{ea, eb})
			return
		}
		term := g.lam(h, ea, eb)
		switch {
		case k.exact() && k != U8 && minmax:
			op := Min
			if fd.op == tail.OpMaxI {
				op = Max
			}
			m.x = &Binary{op, &Use{m.acc}, convert(k, term)}
		case k.exact() && k != U8:
			m.x = convert(k, g.step(fd, &Convert{I64, &Use{m.acc}}, term))
		default:
			m.x = g.step(fd, &Use{m.acc}, term)
		}
	})
	g.nest = st
	r := &rewriter{load: func(l *Load) Expr { return l }}
	fix := func(x Expr) Expr { return unpacked(unpacked(r.expr(x), pa, m.a), pb, m.b) }
	for _, s := range stmts {
		d, ok := s.(*Decl)
		if !ok || d.Init == nil {
			return nil
		}
		if d.Var.Kind == I64 && k.exact() && k != I64 {
			return nil
		}
		d = &Decl{d.Var, fix(d.Init)}
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
func (g *gen) microOperand(v *Var, p *pull) (Expr, *Var) {
	switch {
	case v.Kind == p.elem:
		if v.Kind.exact() {
			g.ranges[v] = p.rng
		} else if p.span != nil {
			g.spans[v] = *p.span
		}
		return &Use{v}, nil
	case v.Kind.exact() && p.elem == I64:
		g.ranges[v] = p.rng
		return &Convert{I64, &Use{v}}, nil
	}
	w := g.newVar("p", p.elem)
	if p.elem.exact() {
		g.ranges[w] = p.rng
	}
	return &Use{w}, w
}

// unpacked replaces conversions of w to doubles by v.
func unpacked(x Expr, w, v *Var) Expr {
	if w == nil {
		return x
	}
	switch x := x.(type) {
	case *Convert:
		inner := x.X
		for {
			c, ok := inner.(*Convert)
			if !ok {
				break
			}
			inner = c.X
		}
		if u, ok := inner.(*Use); ok && u.Var == w && x.To == v.Kind {
			return &Use{v}
		}
		return &Convert{x.To, unpacked(x.X, w, v)}
	case *Unary:
		return &Unary{x.Op, unpacked(x.X, w, v)}
	case *Math:
		args := make([]Expr, len(x.Args))
		for i, y := range x.Args {
			args[i] = unpacked(y, w, v)
		}
		return &Math{x.Fn, x.K, args}
	case *Binary:
		return &Binary{x.Op, unpacked(x.X, w, v), unpacked(x.Y, w, v)}
	}
	return x
}

// vectorCode reports whether x has vector code with all values of kind k.
func vectorCode(x Expr, k Kind) bool {
	if x.Kind() != k {
		return false
	}
	switch x := x.(type) {
	case *Int, *Float, *Use:
		return true
	case *Unary:
		ok := x.Op == Neg && k != U8 || x.Op == Abs && k != U8 || x.Op == Sqrt && k == F64 || x.Op == Not && k == U8
		return ok && vectorCode(x.X, k)
	case *Math:
		return x.Fn == fmaFn && vectorCode(x.Args[0], k) && vectorCode(x.Args[1], k) && vectorCode(x.Args[2], k)
	case *Binary:
		ok := false
		switch x.Op {
		case Add, Sub:
			ok = k != U8
		case Mul:
			ok = k != U8 && k != I8
		case Min, Max:
			ok = true
		case Div:
			ok = k == F64
		case And, Or, Xor:
			ok = k != F64
		case Lt, Le, Gt, Ge, Eq, Ne:
			ok = k == U8
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
	rows, columns Expr
	terms         Expr
	dst           *Buf
	zero          Expr
	width         Expr // of a panel
	a, b          *Buf // packed
	// The result is a part of dst: where it starts, and how far its rows are
	// apart there.
	origin, stride Expr
	// fresh says that elements of the result begin with zero, nil where none do.
	fresh Expr
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
func (g *gen) innerBlocks(m *microStep, x, y *pull, fd *folding, dst *Buf) {
	t := &blocks{microStep: m, g: g, x: x, y: y, rows: x.dims[0], columns: y.dims[1], terms: fd.n, dst: dst, zero: convert(dst.Elem, fd.zero), origin: integer(0), stride: y.dims[1]}
	if fd.ordered() {
		t.sum = fd
	}
	w := g.newVar("width", I64)
	g.ranges[w] = interval{2, maxPanel}
	g.emit(&Decl{w, &Math{"tl_panel", I64, []Expr{integer(int64(width(m.kind)))}}})
	t.width = &Use{w}
	panels := t.count("panels", t.columns, t.width)
	bands := t.count("bands", t.rows, integer(t.height()))
	size := integer(t.depth())
	t.b = g.heap("packed", m.kind, []Expr{panels, t.width, g.atom("depth", g.smaller(t.terms, size))})
	depth := g.atom("blocks", g.larger(t.count("blocks", t.terms, size), integer(1)))
	v := g.loopVar(integer(0), depth, nil)
	g.emit(&For{Var: v, Lo: integer(0), Hi: depth, Body: g.block(func() {
		from := g.atom("from", mul(&Use{v}, size))
		n := g.atom("terms", g.smaller(sub(t.terms, from), size))
		t.fresh = g.atom("fresh", g.compare(Eq, &Use{v}, integer(0)))
		g.segmap([]Expr{panels}, func(ix []Expr) { t.packPanel(ix[0], from, n) })
		g.segmap([]Expr{bands}, func(ix []Expr) { t.band(ix[0], panels, from, n) })
	})})
}

// count is n÷by, rounded up.
func (t *blocks) count(name string, n, by Expr) Expr {
	return t.g.atom(name, quo(sub(add(n, by), integer(1)), by))
}

// loop emits a sequential loop.
func (t *blocks) loop(lo, hi Expr, independent bool, body func(i Expr)) {
	g := t.g
	v := g.loopVar(lo, hi, nil)
	g.emit(&For{Var: v, Lo: lo, Hi: hi, Independent: independent, Body: g.block(func() { body(&Use{v}) })})
}

// packPanel packs n rows of y from row from on, the columns of panel p.
func (t *blocks) packPanel(p, from, n Expr) {
	g := t.g
	first := g.atom("first", mul(p, t.width))
	have := g.atom("have", g.smaller(sub(t.columns, first), t.width))
	base := g.atom("base", mul(mul(p, t.width), n))
	t.eachTerm(n, false, func(k, term Expr) {
		at := g.atom("at", add(base, mul(k, t.width)))
		row := g.atom("row", add(from, term))
		t.loop(integer(0), have, true, func(j Expr) {
			g.emit(&Store{t.b, add(at, j), convert(t.kind, g.index(t.y, []Expr{row, add(first, j)}))})
		})
		t.loop(have, t.width, true, func(j Expr) { g.emit(&Store{t.b, add(at, j), zeroOf(t.kind)}) })
	})
}

// band updates the rows of a band by n terms from term from on.
func (t *blocks) band(band, panels, from, n Expr) {
	g := t.g
	height := integer(t.height())
	lo := g.atom("lo", mul(band, height))
	hi := g.atom("hi", g.smaller(add(lo, height), t.rows))
	t.a = g.heap("band", t.kind, []Expr{height, n})
	groups := t.count("groups", sub(hi, lo), integer(MicroRows))
	t.loop(integer(0), groups, false, func(q Expr) {
		base := g.atom("base", mul(mul(q, integer(MicroRows)), n))
		t.loop(integer(0), integer(MicroRows), false, func(r Expr) {
			row := g.atom("row", add(lo, add(mul(q, integer(MicroRows)), r)))
			at := g.atom("at", add(base, r))
			there := g.block(func() {
				t.eachTerm(n, true, func(k, term Expr) {
					g.emit(&Store{t.a, add(at, mul(k, integer(MicroRows))), convert(t.kind, g.index(t.x, []Expr{row, add(from, term)}))})
				})
			})
			padding := g.block(func() {
				t.loop(integer(0), n, true, func(k Expr) {
					g.emit(&Store{t.a, add(at, mul(k, integer(MicroRows))), zeroOf(t.kind)})
				})
			})
			g.emit(&If{&Binary{Lt, row, hi}, there, padding})
		})
	})
	t.loop(integer(0), panels, false, func(p Expr) {
		first := g.atom("first", mul(p, t.width))
		t.loop(integer(0), groups, false, func(q Expr) {
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
func (t *blocks) tile(lo, hi, first, p, q, n Expr) {
	g := t.g
	row := g.atom("row", add(lo, mul(q, integer(MicroRows))))
	a := g.atom("a", mul(mul(q, integer(MicroRows)), n))
	b := g.atom("b", mul(mul(p, t.width), n))
	micro := func(c *Buf, at, stride Expr) {
		g.emit(&Micro{C: c, A: t.a, B: t.b, CAt: at, Stride: stride, AAt: a, BAt: b, Count: n,
			Acc: t.acc, X: t.microStep.a, Y: t.microStep.b, Decls: t.decls, Step: t.microStep.x, Fresh: t.fresh, Zero: t.zero})
	}
	whole := &Binary{And, &Binary{Le, add(row, integer(MicroRows)), hi}, &Binary{Le, add(first, t.width), t.columns}}
	inner := g.block(func() {
		micro(t.dst, g.atom("at", t.place(row, first)), t.stride)
	})
	edge := g.block(func() {
		size := int64(MicroRows * maxPanel / width(t.kind))
		tile := &Buf{Name: "tile", Elem: t.kind, Stack: size}
		g.emit(&DeclBuf{Buf: tile, Count: integer(size), Shape: []Expr{integer(size)}, Zero: true, At: g.src})
		rows := g.atom("rows", g.smaller(sub(hi, row), integer(MicroRows)))
		have := g.atom("have", g.smaller(sub(t.columns, first), t.width))
		each := func(body func(in, out Expr)) {
			t.loop(integer(0), rows, false, func(r Expr) {
				in := g.atom("in", mul(r, t.width))
				out := g.atom("out", t.place(add(row, r), first))
				t.loop(integer(0), have, true, func(j Expr) { body(add(in, j), add(out, j)) })
			})
		}
		load := g.block(func() {
			each(func(in, out Expr) { g.emit(&Store{tile, in, &Load{t.dst, out}}) })
		})
		if t.fresh != nil {
			load = []Stmt{&If{Cond: not(t.fresh), Then: load}}
		}
		g.emit(load...)
		micro(tile, integer(0), t.width)
		each(func(in, out Expr) { g.emit(&Store{t.dst, out, &Load{tile, in}}) })
	})
	g.emit(&If{whole, inner, edge})
}

// place is where an element of the result is in dst.
func (t *blocks) place(row, column Expr) Expr {
	return add(t.origin, add(mul(row, t.stride), column))
}

// slender reports whether y has too few columns for panels, for certain.
func (g *gen) slender(y *pull) bool {
	c, ok := intOf(y.dims[1])
	return ok && c < 16
}
