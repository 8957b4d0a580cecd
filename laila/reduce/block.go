package reduce

import (
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/place"
	"github.com/tailor-lang/tailor/tail"
)

// The extents of the blocks of an inner product: a block of blockTerms terms
// by BlockRows rows of the left argument stays in the second-level cache,
// MicroRows rows of the result by two vectors of columns in registers.
const (
	BlockRows  = 96
	blockTerms = 256
	// MaxPanel is the greatest width of a panel in bytes: two vectors.
	MaxPanel = 128
	// leastExtent and leastRows bound the extents of products that are computed in
	// blocks, and the rows of their results.
	leastExtent, leastRows = 8, 64
	// Rows of the result that are this short, of sums this short, are not
	// computed in blocks: what reads them joins their loops.
	smallTerms, smallRows = 32, 64
)

// isLarge reports whether an inner product x f.h y is big enough for blocks: its
// matrices are stored, the result has many rows, and it does not matter which
// element faults first. The order of the terms of an element does not change.
func isLarge(g *build.Builder, x, y *build.Pull, h *tail.Lam, fd *Folding) bool {
	switch tail.OpOf(h) {
	case tail.OpAddI, tail.OpSubI, tail.OpMulI: // overflow is their only fault, as of the sum
	default:
		if g.CanFault(h) {
			return false
		}
	}

	if !g.On("blocks") || g.Nest != nil || fd.Zero == nil || fd.neutral != nil || x.Rank() != 2 || y.Rank() != 2 || x.Faults || y.Faults {
		return false
	}
	terms, short := ir.IntOf(fd.N)
	columns, few := ir.IntOf(y.Dims[1])
	if short && few && terms <= smallTerms && columns <= smallRows {
		return false // a row of the result stays in registers
	}
	for _, d := range []ir.Expr{x.Dims[0], fd.N, y.Dims[1]} {
		if c, ok := ir.IntOf(d); ok && c < leastExtent {
			return false
		}
	}
	c, ok := ir.IntOf(x.Dims[0])
	return !ok || c >= leastRows
}

// MicroStep is the step of an inner product x f.h y in one kind, for vector
// code: acc f a h b, by declarations and an expression.
type MicroStep struct {
	Kind      ir.Kind
	Acc, A, B *ir.Var
	decls     []*ir.Decl
	X         ir.Expr
}

// newMicroStep returns the step for results stored in kind k, or nil where it has
// no vector code.
func newMicroStep(g *build.Builder, x, y *build.Pull, h *tail.Lam, fd *Folding, k ir.Kind) *MicroStep {
	m := &MicroStep{Kind: k, Acc: g.NewVar("c", k), A: g.NewVar("a", k), B: g.NewVar("b", k)}
	switch k {
	case ir.F64, ir.U8, ir.I8, ir.I16, ir.I32, ir.I64:
	default:
		return nil
	}
	minmax := fd.Op == tail.OpMinI || fd.Op == tail.OpMaxI
	if k.Exact() && k != ir.U8 {
		kr := facts.RangeOfKind(k)
		r, ok := fd.accRange(g)
		if minmax {
			r, ok = fd.Rng, true
		}
		if !ok || fd.Kind != ir.I64 || !r.Within(kr.Lo, kr.Hi) || !x.Rng.Within(kr.Lo, kr.Hi) || !y.Rng.Within(kr.Lo, kr.Hi) {
			return nil
		}
		g.Ranges[m.Acc] = r
	}
	ea, pa := microOperand(g, m.A, x)
	eb, pb := microOperand(g, m.B, y)
	st := g.Nest
	g.Nest = &build.NestState{Inside: true}
	stmts := g.Block(func() {
		if chained(h) {
			m.X = addTerm(g, fd, h, m.Acc.Use(), pair{ea, eb})
			return
		}
		term := g.Lam(h, ea, eb)
		switch {
		case k.Exact() && k != ir.U8 && minmax:
			op := ir.OpMin
			if fd.Op == tail.OpMaxI {
				op = ir.OpMax
			}
			m.X = op.Of(m.Acc.Use(), ir.ConvertTo(k, term))
		case k.Exact() && k != ir.U8:
			m.X = ir.ConvertTo(k, step(g, fd, &ir.Convert{To: ir.I64, X: m.Acc.Use()}, term))
		default:
			m.X = step(g, fd, m.Acc.Use(), term)
		}
	})
	g.Nest = st
	r := &place.Rewriter{Load: func(l *ir.Load) ir.Expr { return l }}
	fix := func(x ir.Expr) ir.Expr { return unpacked(unpacked(r.Expr(x), pa, m.A), pb, m.B) }
	for _, s := range stmts {
		d, ok := s.(*ir.Decl)
		if !ok || d.Init == nil {
			return nil
		}
		if d.Var.Kind == ir.I64 && k.Exact() && k != ir.I64 {
			return nil
		}
		d = d.Var.Decl(fix(d.Init))
		if !VectorCode(d.Init, k) {
			return nil
		}
		m.decls = append(m.decls, d)
	}
	if m.X = fix(m.X); !VectorCode(m.X, k) {
		return nil
	}
	return m
}

// microOperand returns an element of p as an expression over v; where v has
// another kind, over a variable that is to be replaced by v.
func microOperand(g *build.Builder, v *ir.Var, p *build.Pull) (ir.Expr, *ir.Var) {
	switch {
	case v.Kind == p.Elem:
		if v.Kind.Exact() {
			g.Ranges[v] = p.Rng
		} else if p.Span != nil {
			g.Spans[v] = *p.Span
		}
		return v.Use(), nil
	case v.Kind.Exact() && p.Elem == ir.I64:
		g.Ranges[v] = p.Rng
		return &ir.Convert{To: ir.I64, X: v.Use()}, nil
	}
	w := g.NewVar("p", p.Elem)
	if p.Elem.Exact() {
		g.Ranges[w] = p.Rng
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

// VectorCode reports whether x has vector code with all values of kind k.
func VectorCode(x ir.Expr, k ir.Kind) bool {
	if x.Kind() != k {
		return false
	}
	switch x := x.(type) {
	case *ir.Int, *ir.Float, *ir.Use:
		return true
	case *ir.Unary:
		ok := x.Op == ir.OpNeg && k != ir.U8 || x.Op == ir.OpAbs && k != ir.U8 || x.Op == ir.OpSqrt && k == ir.F64 || x.Op == ir.OpNot && k == ir.U8
		return ok && VectorCode(x.X, k)
	case *ir.Math:
		return x.Fn == ir.FmaFn && VectorCode(x.Args[0], k) && VectorCode(x.Args[1], k) && VectorCode(x.Args[2], k)
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
		return ok && VectorCode(x.X, k) && VectorCode(x.Y, k)
	}
	return false
}

// Blocks is an inner product that is computed in packed blocks.
type Blocks struct {
	*MicroStep
	G             *build.Builder
	X, Y          *build.Pull
	Rows, Columns ir.Expr
	Terms         ir.Expr
	Dst           *ir.Buf
	zero          ir.Expr
	Width         ir.Expr // of a panel
	a, B          *ir.Buf // packed
	// The result is a part of dst: where it starts, and how far its rows are
	// apart there.
	Origin, Stride ir.Expr
	// fresh says that elements of the result begin with zero, nil where none do.
	fresh ir.Expr
	// sum is the reduction whose terms are in the order of num.Ordered; nil where
	// they are from the first to the last.
	sum *Folding
}

// depth is how many terms are packed at a time.
func (t *Blocks) depth() int64 {
	if t.sum != nil {
		return num.Block
	}
	return blockTerms
}

// height is how many rows of the left argument are packed at a time.
func (t *Blocks) height() int64 {
	if t.sum != nil {
		return orderedHeight
	}
	return BlockRows
}

// innerBlocks computes an inner product in blocks:
//
//	for each block of blockTerms terms, at least one
//	  pack the terms' rows of y as panels of two vectors of columns
//	  for each band of BlockRows rows, in parallel
//	    pack the band of x as groups of MicroRows rows
//	    for each panel and group, in registers: z ← z f x h y, term by term, of
//	      the first block from the neutral element
//
// so that the terms of an element are added in order, from the first to the last or
// that of orderedTile.
func innerBlocks(g *build.Builder, m *MicroStep, x, y *build.Pull, fd *Folding, dst *ir.Buf) {
	t := &Blocks{MicroStep: m, G: g, X: x, Y: y, Rows: x.Dims[0], Columns: y.Dims[1], Terms: fd.N, Dst: dst, zero: ir.ConvertTo(dst.Elem, fd.Zero), Origin: ir.Integer(0), Stride: y.Dims[1]}
	if fd.ordered() {
		t.sum = fd
	}
	w := g.NewVar("width", ir.I64)
	g.Ranges[w] = facts.Between(2, MaxPanel)
	g.Emit(w.Decl(&ir.Math{Fn: "tl_panel", K: ir.I64, Args: []ir.Expr{ir.Integer(int64(ir.Width(m.Kind)))}}))
	t.Width = w.Use()
	panels := t.Count("panels", t.Columns, t.Width)
	bands := t.Count("bands", t.Rows, ir.Integer(t.height()))
	size := ir.Integer(t.depth())
	t.B = g.Heap("packed", m.Kind, []ir.Expr{panels, t.Width, g.Atom("depth", g.Smaller(t.Terms, size))})
	depth := g.Atom("blocks", g.Larger(t.Count("blocks", t.Terms, size), ir.Integer(1)))
	v := g.LoopVar(ir.Integer(0), depth, nil)
	g.Emit(&ir.For{Var: v, Lo: ir.Integer(0), Hi: depth, Body: g.Block(func() {
		from := g.Atom("from", ir.Mul(v.Use(), size))
		n := g.Atom("terms", g.Smaller(ir.Sub(t.Terms, from), size))
		t.fresh = g.Atom("fresh", g.Compare(ir.OpEq, v.Use(), ir.Integer(0)))
		g.Segmap([]ir.Expr{panels}, func(ix []ir.Expr) { t.PackPanel(ix[0], from, n) })
		g.Segmap([]ir.Expr{bands}, func(ix []ir.Expr) { t.Band(ix[0], panels, from, n) })
	})})
}

// Count is n÷by, rounded up.
func (t *Blocks) Count(name string, n, by ir.Expr) ir.Expr {
	return t.G.Atom(name, ir.Quo(ir.Sub(ir.Add(n, by), ir.Integer(1)), by))
}

// PackPanel packs n rows of y from row from on, the columns of panel p.
func (t *Blocks) PackPanel(p, from, n ir.Expr) {
	g := t.G
	first := g.Atom("first", ir.Mul(p, t.Width))
	have := g.Atom("have", g.Smaller(ir.Sub(t.Columns, first), t.Width))
	base := g.Atom("base", ir.Mul(ir.Mul(p, t.Width), n))
	t.eachTerm(n, false, func(k, term ir.Expr) {
		at := g.Atom("at", ir.Add(base, ir.Mul(k, t.Width)))
		row := g.Atom("row", ir.Add(from, term))
		t.G.Loop(ir.Integer(0), have, true, func(j ir.Expr) {
			g.Emit(t.B.Store(ir.Add(at, j), ir.ConvertTo(t.Kind, g.Index(t.Y, []ir.Expr{row, ir.Add(first, j)}))))
		})
		t.G.Loop(have, t.Width, true, func(j ir.Expr) { g.Emit(t.B.Store(ir.Add(at, j), ir.Zero(t.Kind))) })
	})
}

// Band updates the rows of a band by n terms from term from on.
func (t *Blocks) Band(band, panels, from, n ir.Expr) {
	g := t.G
	height := ir.Integer(t.height())
	lo := g.Atom("lo", ir.Mul(band, height))
	hi := g.Atom("hi", g.Smaller(ir.Add(lo, height), t.Rows))
	t.a = g.Heap("band", t.Kind, []ir.Expr{height, n})
	groups := t.Count("groups", ir.Sub(hi, lo), ir.Integer(ir.MicroRows))
	t.G.Loop(ir.Integer(0), groups, false, func(q ir.Expr) {
		base := g.Atom("base", ir.Mul(ir.Mul(q, ir.Integer(ir.MicroRows)), n))
		t.G.Loop(ir.Integer(0), ir.Integer(ir.MicroRows), false, func(r ir.Expr) {
			row := g.Atom("row", ir.Add(lo, ir.Add(ir.Mul(q, ir.Integer(ir.MicroRows)), r)))
			at := g.Atom("at", ir.Add(base, r))
			there := g.Block(func() {
				t.eachTerm(n, true, func(k, term ir.Expr) {
					g.Emit(t.a.Store(ir.Add(at, ir.Mul(k, ir.Integer(ir.MicroRows))), ir.ConvertTo(t.Kind, g.Index(t.X, []ir.Expr{row, ir.Add(from, term)}))))
				})
			})
			padding := g.Block(func() {
				t.G.Loop(ir.Integer(0), n, true, func(k ir.Expr) {
					g.Emit(t.a.Store(ir.Add(at, ir.Mul(k, ir.Integer(ir.MicroRows))), ir.Zero(t.Kind)))
				})
			})
			g.Emit(&ir.If{Cond: ir.OpLt.Of(row, hi), Then: there, Else: padding})
		})
	})
	t.G.Loop(ir.Integer(0), panels, false, func(p ir.Expr) {
		first := g.Atom("first", ir.Mul(p, t.Width))
		t.G.Loop(ir.Integer(0), groups, false, func(q ir.Expr) {
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
func (t *Blocks) tile(lo, hi, first, p, q, n ir.Expr) {
	g := t.G
	row := g.Atom("row", ir.Add(lo, ir.Mul(q, ir.Integer(ir.MicroRows))))
	a := g.Atom("a", ir.Mul(ir.Mul(q, ir.Integer(ir.MicroRows)), n))
	b := g.Atom("b", ir.Mul(ir.Mul(p, t.Width), n))
	micro := func(c *ir.Buf, at, stride ir.Expr) {
		g.Emit(&ir.Micro{C: c, A: t.a, B: t.B, CAt: at, Stride: stride, AAt: a, BAt: b, Count: n,
			Acc: t.Acc, X: t.MicroStep.A, Y: t.MicroStep.B, Decls: t.decls, Step: t.MicroStep.X, Fresh: t.fresh, Zero: t.zero})
	}
	whole := ir.OpAnd.Of(ir.OpLe.Of(ir.Add(row, ir.Integer(ir.MicroRows)), hi), ir.OpLe.Of(ir.Add(first, t.Width), t.Columns))
	inner := g.Block(func() {
		micro(t.Dst, g.Atom("at", t.place(row, first)), t.Stride)
	})
	edge := g.Block(func() {
		size := int64(ir.MicroRows * MaxPanel / ir.Width(t.Kind))
		tile := &ir.Buf{Name: "tile", Elem: t.Kind, Stack: size}
		g.Emit(&ir.DeclBuf{Buf: tile, Count: ir.Integer(size), Shape: []ir.Expr{ir.Integer(size)}, Zero: true, At: g.Src})
		rows := g.Atom("rows", g.Smaller(ir.Sub(hi, row), ir.Integer(ir.MicroRows)))
		have := g.Atom("have", g.Smaller(ir.Sub(t.Columns, first), t.Width))
		each := func(body func(in, out ir.Expr)) {
			t.G.Loop(ir.Integer(0), rows, false, func(r ir.Expr) {
				in := g.Atom("in", ir.Mul(r, t.Width))
				out := g.Atom("out", t.place(ir.Add(row, r), first))
				t.G.Loop(ir.Integer(0), have, true, func(j ir.Expr) { body(ir.Add(in, j), ir.Add(out, j)) })
			})
		}
		load := g.Block(func() {
			each(func(in, out ir.Expr) { g.Emit(tile.Store(in, t.Dst.Load(out))) })
		})
		if t.fresh != nil {
			load = []ir.Stmt{&ir.If{Cond: ir.Not(t.fresh), Then: load}}
		}
		g.Emit(load...)
		micro(tile, ir.Integer(0), t.Width)
		each(func(in, out ir.Expr) { g.Emit(t.Dst.Store(out, tile.Load(in))) })
	})
	g.Emit(&ir.If{Cond: whole, Then: inner, Else: edge})
}

// place is where an element of the result is in dst.
func (t *Blocks) place(row, column ir.Expr) ir.Expr {
	return ir.Add(t.Origin, ir.Add(ir.Mul(row, t.Stride), column))
}

// slender reports whether y has too few columns for panels, for certain.
func slender(y *build.Pull) bool {
	c, ok := ir.IntOf(y.Dims[1])
	return ok && c < 16
}
