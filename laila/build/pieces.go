package build

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// together emits the pieces of a map whose index set is split as one nest where
// they are as long as each other and read the same elements, which are then
// read once:
//
//	segmap i = 0 … n: y[i] = a[i] + b[i]
//	segmap j = n … 2×n: y[j] = a[j-n] - b[j-n]
//
// becomes
//
//	segmap i = 0 … n: var j = i + n; var t = a[i] + b[i]; var u = a[j-n] - b[j-n]; y[i] = t; y[j] = u
//
// The iterations of a map do not depend on each other, so those of all pieces
// may run in any order. What is stored is stored last, as the C compiler cannot
// know that no store changes what the other pieces read.
//
// It reports whether it did; where it did not, nothing but definitions has been
// emitted.
func (it *Iteration) together() bool {
	g := it.G
	if it.Open != nil || g.Nest.Find != nil || !g.On("pieces") || !it.isSplit() {
		return false
	}
	t := &pieces{it: it, env: map[*ir.Var]ir.Expr{}}
	if !t.cut() {
		return false
	}
	inside := g.Nest.Inside
	g.Nest.Inside = true
	bodies := t.bodies()
	g.Nest.Inside = inside
	if bodies == nil || !t.overlap(bodies) {
		return false
	}
	g.split = true
	stmts := t.joined(bodies)
	if it.Nest {
		g.Emit(&ir.Nest{Kind: ir.SegMap, Dims: t.dims, Body: stmts, At: g.Src})
		return true
	}
	for a := len(t.dims) - 1; a >= 0; a-- {
		stmts = []ir.Stmt{&ir.For{Var: t.dims[a].Var, Lo: t.dims[a].Lo, Hi: t.dims[a].Hi, Body: stmts}}
	}
	g.Emit(stmts...)
	return true
}

func (it *Iteration) isSplit() bool {
	for _, cuts := range it.cuts {
		if len(cuts) > 0 {
			return true
		}
	}
	return false
}

// maxTogether is the largest number of pieces of a space that become one nest.
const maxTogether = 8

// pieces are those of a space, on their way to one nest.
type pieces struct {
	it   *Iteration
	dims []ir.Dim    // the loops over the first piece
	ix   [][]ir.Expr // of each axis, the indices of its segments
	head []ir.Stmt   // definitions of the indices of segments that are not the first
	env  map[*ir.Var]ir.Expr
}

// cut cuts the axes; it reports whether the segments of each are as long as each
// other, and there are several pieces.
func (t *pieces) cut() bool {
	g := t.it.G
	count := 1
	for a, n := range t.it.Dims {
		segments := g.Pieces(n, t.it.cuts[a])
		count *= len(segments)
		if len(segments) == 0 || count > maxTogether {
			return false
		}
		first := segments[0]
		length := g.Normal(g.LinearOf(ir.Sub(first.Hi, first.Lo)))
		v := g.LoopVar(first.Lo, first.Hi, &first.Facts)
		if n, ok := length.Constant(); ok && n == 1 {
			t.env[v] = first.Lo
			t.head = append(t.head, v.Decl(first.Lo))
		} else {
			t.dims = append(t.dims, ir.Dim{Var: v, Lo: first.Lo, Hi: first.Hi})
		}
		ix := []ir.Expr{v.Use()}
		for _, s := range segments[1:] {
			if d, ok := g.Normal(g.LinearOf(ir.Sub(s.Hi, s.Lo))).Minus(length).Constant(); !ok || d != 0 {
				return false
			}
			w := g.LoopVar(s.Lo, s.Hi, &s.Facts)
			at := ir.Add(v.Use(), ir.Sub(s.Lo, first.Lo))
			t.head = append(t.head, w.Decl(at))
			t.env[w] = at
			ix = append(ix, w.Use())
		}
		t.ix = append(t.ix, ix)
	}
	return count > 1 && len(t.dims) > 0
}

// bodies returns the statements of each piece; nil where they are more than
// definitions and stores, or read what is stored.
func (t *pieces) bodies() [][]ir.Stmt {
	var bodies [][]ir.Stmt
	var each func(all []ir.Expr)
	each = func(all []ir.Expr) {
		if a := len(all); a < len(t.ix) {
			for _, x := range t.ix[a] {
				each(append(all[:a:a], x))
			}
			return
		}
		bodies = append(bodies, t.it.G.Block(func() { t.it.Body(all) }))
	}
	each(nil)
	stored := map[*ir.Buf]bool{}
	for _, body := range bodies {
		for _, s := range body {
			switch s := s.(type) {
			case *ir.Decl, *ir.Comment:
			case *ir.Store:
				stored[s.Buf] = true
			default:
				return nil
			}
		}
	}
	for _, body := range bodies {
		for _, l := range elementsOf(body) {
			if stored[l.Buf] {
				return nil
			}
		}
	}
	return bodies
}

// ElementsOf returns the elements that statements read.
func elementsOf(body []ir.Stmt) []*ir.Load {
	var loads []*ir.Load
	for _, s := range body {
		for _, x := range ir.Exprs(s) {
			if x == nil {
				continue
			}
			ir.MapExpr(x, func(y ir.Expr) ir.Expr {
				if l, ok := y.(*ir.Load); ok {
					loads = append(loads, l)
				}
				return y
			})
		}
	}
	return loads
}

// overlap reports whether each piece but the first reads an element that one
// before it reads.
func (t *pieces) overlap(bodies [][]ir.Stmt) bool {
	read := map[*ir.Buf][]affine.Poly{}
	for i, body := range bodies {
		for _, s := range body {
			if d, ok := s.(*ir.Decl); ok && d.Init != nil && d.Var.Kind == ir.I64 {
				t.env[d.Var] = d.Init
			}
		}
		shares := i == 0
		mine := map[*ir.Buf][]affine.Poly{}
		for _, l := range elementsOf(body) {
			at := t.sum(l.Index)
			shares = shares || slices.ContainsFunc(read[l.Buf], at.Equal)
			mine[l.Buf] = append(mine[l.Buf], at)
		}
		if !shares {
			return false
		}
		for b, at := range mine {
			read[b] = append(read[b], at...)
		}
	}
	return true
}

// joined returns the statements of all pieces, stores last.
func (t *pieces) joined(bodies [][]ir.Stmt) []ir.Stmt {
	g := t.it.G
	stmts := t.head
	var stores []ir.Stmt
	for _, body := range bodies {
		for _, s := range body {
			st, ok := s.(*ir.Store)
			if !ok {
				stmts = append(stmts, s)
				continue
			}
			v := g.NewVar("t", st.X.Kind())
			if st.X.Kind().Exact() {
				g.Ranges[v] = g.RangeOf(st.X)
			}
			stmts = append(stmts, v.Decl(st.X))
			stores = append(stores, st.Buf.Store(st.Index, v.Use()))
		}
	}
	return append(stmts, stores...)
}

// sum returns an index in terms of the variables of loops.
func (t *pieces) sum(x ir.Expr) affine.Poly {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok {
			return affine.Unknown
		}
		if y := t.env[u.Var]; y != nil {
			return r.Read(y)
		}
		return affine.Of(u.Var)
	}}
	return r.Read(x)
}
