package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Crossings runs a nest in blocks where its innermost loop reads an array across the
// rows, and another axis would read it along them: a transposition is the plainest
// example. Each line of the cache that is read then serves a whole block, also where
// the rows are a power of two apart and share the places of the cache.
//
//	segmap i = 0 … n; j = 0 … m
//	  y[(i × m) + j] = x[(j × n) + i]
//
// becomes
//
//	segmap u = 0 … (n + 31) quo 32; v = 0 … m quo 8
//	  segmap i = 32 × u … (32 × u) + 32 min n; j = 8 × v … (8 × v) + 8
//	    y[(i × m) + j] = x[(j × n) + i]
//	segmap i = 0 … n; j = m - (m rem 8) … m: as before
//
// Requires: bodies of nests in few statements without loops and faults. Preserves: the
// values.
func Crossings(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	return ir.RewriteNests(block, func(n *ir.Nest) []ir.Stmt {
		t := crossing{l: l, n: n}
		if !t.suits() || !t.crosses() {
			return []ir.Stmt{n}
		}
		return t.blocks()
	})
}

const (
	// lineBytes is what a cache fetches at once, strideBytes the least distance of
	// elements at which each is in a line that no other one of a block is in.
	lineBytes   = 64
	strideBytes = 4 * lineBytes
	// planeBytes is the greatest distance: each row of a block is in a page of its own
	// where there are planes between them, and blocks gain nothing.
	planeBytes = 64 << 10
	// lineRows is how many rows a block reads: lines that stay in a cache of 8 ways
	// if they share their place in it. rowElements is how many elements of each.
	lineRows    = 8
	rowElements = 32
	// fewRows is the extent below which the rows that are read stay in the cache.
	fewRows = 48
	// blockedBody is the most statements of a body.
	blockedBody = 48
)

// crossing is a nest whose innermost axis reads across the rows of an array.
type crossing struct {
	l     *pass.Context
	n     *ir.Nest
	along int // the axis along the rows that are read
	r     affine.Reader
}

// suits reports whether the nest may run in blocks, and has no loops in it.
func (t *crossing) suits() bool { return inBlocks(t.n) && ir.IsLoopless(t.n.Body) }

// inBlocks reports whether the points of a nest may run in any order, and are many along
// the last axis.
func inBlocks(n *ir.Nest) bool {
	return n.Kind == ir.SegMap && len(n.Dims) > 1 && len(n.Red)+len(n.Pre)+len(n.Post)+len(n.Flags) == 0 &&
		len(n.Body) <= blockedBody && many(n.Dims[len(n.Dims)-1])
}

// placesIn reads places as polynomials of the variables that a body does not declare.
func placesIn(body []ir.Stmt) affine.Reader {
	inits := flow.Definitions(body)
	return affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok || u.Var.Kind != ir.I64 {
			return affine.Unknown
		}
		if init, ok := inits[u.Var]; ok {
			return r.Read(init)
		}
		return affine.Of(u.Var)
	}}
}

// many reports whether an axis may be long.
func many(d ir.Dim) bool {
	trips, known := ir.Trips(d)
	return !known || trips >= fewRows
}

// crosses looks for a load across the rows of an array, and notes the axis along them.
func (t *crossing) crosses() bool {
	t.r = placesIn(t.n.Body)
	found := false
	ir.Walk(t.n.Body, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			if x == nil {
				continue
			}
			ir.WalkExpr(x, func(x ir.Expr) {
				if ld, ok := x.(*ir.Load); ok && !found && ld.Buf.Stack == 0 {
					found = t.across(ld)
				}
			})
		}
	})
	return found
}

// across reports whether a load is far from the next one of the innermost axis, and
// beside the next one of another axis, which it notes.
func (t *crossing) across(ld *ir.Load) bool {
	dims := t.n.Dims
	last := len(dims) - 1
	at := t.r.Read(ld.Index)
	if !at.Known() {
		return false
	}
	size := int64(ir.Width(ld.Buf.Elem))
	step, _ := at.Split(dims[last].Var)
	if k, ok := step.Constant(); !step.IsLinear() || ok && (max(k, -k)*size < strideBytes || max(k, -k)*size > planeBytes) {
		return false
	}
	for a := last - 1; a >= 0; a-- {
		beside, _ := at.Split(dims[a].Var)
		if k, ok := beside.Constant(); ok && (k == 1 || k == -1) && many(dims[a]) {
			t.along = a
			return true
		}
	}
	return false
}

// blocks writes the nest over blocks of the two axes, and one for the rows that are
// left over.
func (t *crossing) blocks() []ir.Stmt {
	last := len(t.n.Dims) - 1
	along, rows := t.n.Dims[t.along], t.n.Dims[last]
	trips, known := ir.Trips(rows)
	whole := ir.Quo(ir.Sub(rows.Hi, rows.Lo), ir.Integer(lineRows))
	inner, outer := *t.n, *t.n
	outer.Dims, outer.Even = slices.Clone(t.n.Dims), true
	from := over(t.l, &outer.Dims[t.along], ir.Quo(ir.Add(ir.Sub(along.Hi, along.Lo), ir.Integer(rowElements-1)), ir.Integer(rowElements)), rowElements)
	first := over(t.l, &outer.Dims[last], whole, lineRows)
	to, row := t.l.NewVar("to", ir.I64), t.l.NewVar("row", ir.I64)
	t.l.Ranges[to], t.l.Ranges[row] = facts.Between(0, facts.MaxExtent), facts.Between(0, lineRows-1)
	inner.Dims = []ir.Dim{{Var: along.Var, Lo: from.Var.Use(), Hi: to.Use()}, {Var: row, Lo: ir.Integer(0), Hi: ir.Integer(lineRows)}}
	inner.Body = append([]ir.Stmt{rows.Var.Decl(ir.Add(first.Var.Use(), row.Use()))}, t.n.Body...)
	end := ir.Add(from.Var.Use(), ir.Integer(rowElements))
	if n, known := ir.Trips(along); !known || n%rowElements > 0 {
		end = ir.OpMin.Of(end, along.Hi)
	}
	outer.Body = []ir.Stmt{from, to.Decl(end), first, &inner}
	if known && trips%lineRows == 0 {
		return []ir.Stmt{&outer}
	}
	rest := *t.n
	rest.Dims = slices.Clone(t.n.Dims)
	rest.Dims[last].Lo = ir.Add(rows.Lo, ir.Mul(whole, ir.Integer(lineRows)))
	return []ir.Stmt{&outer, t.l.NewCloner().Stmt(&rest)}
}

// over makes an axis one over blocks of a width, and returns the declaration of where
// a block begins.
func over(l *pass.Context, d *ir.Dim, blocks ir.Expr, width int64) *ir.Decl {
	u, from := l.NewVar("u", ir.I64), l.NewVar("from", ir.I64)
	if r, ok := l.Ranges[d.Var]; ok {
		l.Ranges[from] = r
		l.Ranges[u] = facts.Between(0, max(r.Hi-r.Lo, 0)/width)
	}
	lo := d.Lo
	*d = ir.Dim{Var: u, Lo: ir.Integer(0), Hi: blocks}
	return from.Decl(ir.Add(ir.Mul(u.Use(), ir.Integer(width)), lo))
}
