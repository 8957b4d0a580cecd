package shape

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// endsChecked returns the indices q of an update along an axis of n items as an array whose
// elements cannot fault and need not be stored, where they are a sum a×i + b of their
// place: with the first and the last one all of them are in range, and no step on the way
// to one overflows. All are computed and looked at only where one of these two is out of
// range. It is nil for others.
//
//	m[k×⍳n÷k]←0      if 1 ≤ k, k×n÷k ≤ ≢m: for i = 0 … n÷k: m[k×i+1] = 0
func endsChecked(g *build.Builder, e *tail.Apply, q *build.Pull, n ir.Expr, axis int) *build.Pull {
	if q.Buf != nil || q.Elems != nil || q.Rank() != 1 || q.Elem != ir.I64 || q.At == nil && q.Flat == nil || !g.On("knowledge") {
		return nil
	}
	step, from, ok := affineElement(g, q)
	if !ok {
		return nil
	}
	count := q.Dims[0]
	bad := g.Mutable("bad", ir.U8, ir.Boolean(false))
	g.Guarded(func() {
		g.Emit(&ir.If{Cond: g.Compare(ir.OpGt, count, ir.Integer(0)), Then: g.Block(func() {
			for _, i := range []ir.Expr{ir.Integer(0), ir.Sub(count, ir.Integer(1))} {
				x := g.Atom("i", g.Index(q, []ir.Expr{i}))
				g.Emit(bad.Assign(ir.Or(bad.Use(), ir.Or(ir.OpLt.Of(x, ir.Integer(1)), ir.OpGt.Of(x, n)))))
			}
		})})
	})
	g.Emit(&ir.If{Cond: bad.Use(), Then: g.Block(func() {
		all := *q
		checkAll(g, e, g.Materialise(&all), n, axis)
	})})
	a, b := g.Atom("step", step.Expr()), g.Atom("from", from.Expr())
	return &build.Pull{Elem: ir.I64, Dims: q.Dims, Rng: facts.Between(1, max(g.RangeOf(n).Hi, 1)), Cost: 2,
		At: func(ix []ir.Expr) ir.Expr { return ir.Add(ir.Mul(ix[0], a), b) }}
}

// placedRun returns x[i+⍳n] of a stored vector x, for an n that is computed, as part of its
// storage, where nothing says
// that the places are in range but the first and the last one do; nil for others.
func placedRun(g *build.Builder, e *tail.Apply, p *build.Pull, ss []build.Selector) *build.Pull {
	if len(ss) != 1 || ss[0].Arr == nil || ss[0].Proved || p.Rank() != 1 || p.Buf == nil || ss[0].Arr.Rank() != 1 || isConst(ss[0].Arr.Dims[0]) {
		return nil
	}
	ix := endsChecked(g, e, ss[0].Arr, p.Dims[0], 0)
	if ix == nil {
		return nil
	}
	step, from, ok := affineElement(g, ix)
	if c, known := step.Constant(); !ok || !known || c != 1 {
		ss[0].Arr, ss[0].Proved = ix, true
		return nil
	}
	base := g.Atom("base", ir.Sub(from.Expr(), ir.Integer(1)))
	at := func(i ir.Expr) ir.Expr { return g.IndexFlat(p, ir.Add(base, i)) }
	return &build.Pull{Elem: p.Elem, Dims: ix.Dims, Rng: p.Rng, Span: p.Span, Cost: p.Cost, Srcs: []*build.Pull{p}, Flat: at, Cut: p.CutAt(base)}
}

// affineElement returns a and b where element i of q is a×i + b, and so is everything that
// is computed for it.
func affineElement(g *build.Builder, q *build.Pull) (a, b affine.Poly, ok bool) {
	outer := g.Nest
	g.Nest = &build.NestState{Inside: true}
	var v *ir.Var
	var x ir.Expr
	stmts := g.Block(func() {
		v = g.LoopVar(ir.Integer(0), q.Dims[0], nil)
		x = g.Index(q, []ir.Expr{v.Use()})
	})
	g.Nest = outer
	defs := map[*ir.Var]ir.Expr{}
	for _, s := range stmts {
		switch s := s.(type) {
		case *ir.Decl:
			defs[s.Var] = s.Init
		case *ir.Checked:
			defs[s.Var] = s.Op.Of(s.X, s.Y)
		case *ir.Comment:
		default:
			return a, b, false
		}
	}
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok || u.Var.Kind != ir.I64 {
			return affine.Unknown
		}
		if d, ok := defs[u.Var]; ok {
			if d == nil {
				return affine.Unknown
			}
			return r.Read(d)
		}
		return affine.Of(u.Var)
	}}
	linear := func(x ir.Expr) (a, b affine.Poly, ok bool) {
		p := r.Read(x)
		a, b = p.Split(v)
		return a, b, p.Known() && a.Known() && b.Known() && !a.Mentions(v)
	}
	for w, d := range defs {
		if _, _, ok := linear(w.Use()); !ok || d == nil {
			return a, b, false
		}
	}
	return linear(x)
}

func isConst(x ir.Expr) bool {
	_, ok := ir.IntOf(x)
	return ok
}
