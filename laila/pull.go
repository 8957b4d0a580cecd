package laila

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// value is what an expression lowers to: a scalar, an array of rank one or
// more, or a tuple.
type value struct {
	x   ir.Expr
	arr *pull
	tup []*value
}

// kind is that of a scalar, or of the elements of an array.
func (v *value) kind() ir.Kind {
	if v.arr != nil {
		return v.arr.elem
	}
	return v.x.Kind()
}

// pull is a hybrid pull array (thesis 001, section 3.4) of rank one or more.
// Its elements come from at (an index an axis: shaped), from flat (an index
// into the ravel), from fill (which drives the writes of all elements into a
// buffer: push), or from drive (which passes the elements of a vector on in
// order). At least one is there; a stored array has buf, and flat loads.
//
// Elements are expressions of the kind of the TAIL element type; storage may
// be narrower.
type pull struct {
	elem ir.Kind
	dims []ir.Expr // constants and variables
	at   func(ix []ir.Expr) ir.Expr
	flat func(i ir.Expr) ir.Expr
	fill func(dst *ir.Buf)
	// drive calls body for each element of a vector in order, in one
	// sequential loop. It is for arrays whose length is cheaper to know
	// afterwards.
	drive func(body func(x ir.Expr))
	buf   *ir.Buf
	elems []ir.Expr // the elements of a short vector, constants and variables
	// narrow is the kind that storage needs; elem unless the range is known.
	rng    facts.Interval
	span   *facts.Span // of doubles, where it is known
	cost   int         // scalar operations an element, loads included
	faults bool        // evaluating an element can fault
	ranked bool        // in the order of g.rank
	shared bool        // read at the same index more than once: remember elements
	srcs   []*pull
	pieces int // of an axis that reading an element chooses from
	// pointwise says that an element depends on the elements of srcs at the
	// same index only; selection is set for an array that a gather made.
	pointwise bool
	selection *selection
	src       diag.Span // of the application that gave it
	order     *ordering // for the grade of a vector, the call that made it
	// extend, for the terms of a chain, adds one to the result of those before;
	// at and flat are nil then.
	extend func(acc ir.Expr, ix []ir.Expr) ir.Expr
	// zip, for a function applied to corresponding elements of two arrays, is
	// that function; the arrays are srcs.
	zip    *tail.Lam
	filter *filter     // when it keeps some of other elements
	onehot *oneHot     // when it compares a vector with ⍳n
	pairs  []*pull     // when it compares all pairs of two vectors, of integers or characters, these
	iota   bool        // when it is ⍳n
	of     *pull       // when it is another array in another shape
	turned *pull       // when it is another array, transposed
	parts  []*pull     // when it is a vector of several after each other
	bits   *bitVectors // when the elements are binary digits of integers
	cut    *cut        // when it is part of a stored array, one element after the other
}

// cut is where part of a stored array begins.
type cut struct {
	buf *ir.Buf
	at  ir.Expr
}

// rank returns the number of axes.
func (p *pull) rank() int { return len(p.dims) }

// stored returns an array in a row-major buffer.
func (g *gen) stored(elem ir.Kind, buf *ir.Buf, dims []ir.Expr) *pull {
	p := &pull{}
	g.become(p, elem, buf, dims)
	return p
}

// become makes p the stored array in buf.
func (g *gen) become(p *pull, elem ir.Kind, buf *ir.Buf, dims []ir.Expr) {
	r := facts.RangeOfKind(elem)
	if s, ok := g.Bufs[buf]; ok {
		r = s
	}
	var sp *facts.Span
	if s, ok := g.BufSpans[buf]; ok {
		sp = &s
	}
	*p = pull{elem: elem, dims: dims, buf: buf, cost: 1, rng: r, span: sp,
		flat: func(i ir.Expr) ir.Expr { return ir.ConvertTo(elem, buf.Load(i)) }}
}

// index returns the element at an index an axis, as a tree of moderate size.
// p is made pullable before loops over it start.
func (g *gen) index(p *pull, ix []ir.Expr) ir.Expr {
	if p.elems != nil {
		if n, ok := ir.IntOf(ix[0]); ok && len(ix) == 1 && n >= 0 && n < int64(len(p.elems)) {
			return p.elems[n]
		}
	}
	if p.shared {
		return g.remembered(p, ix)
	}
	return g.element(p, ix)
}

func (g *gen) element(p *pull, ix []ir.Expr) ir.Expr {
	if p.at != nil {
		return p.at(ix)
	}
	if p.flat == nil {
		g.materialise(p)
	}
	return p.flat(g.ravelIndex(p.dims, ix))
}

// indexFlat returns the element at an index into the ravel.
func (g *gen) indexFlat(p *pull, i ir.Expr) ir.Expr {
	if p.elems != nil {
		if n, ok := ir.IntOf(i); ok && n >= 0 && n < int64(len(p.elems)) {
			return p.elems[n]
		}
	}
	switch {
	case p.flat != nil && p.shared:
		return g.rememberedFlat(p, i)
	case p.flat != nil:
		return p.flat(i)
	case p.at != nil && p.rank() == 1:
		return g.index(p, []ir.Expr{i})
	case p.at != nil:
		return g.index(p, g.unravelIndex(p.dims, i))
	}
	g.materialise(p)
	return p.flat(i)
}

// remembered returns the element of a shared array from the nearest block that
// computed it already.
func (g *gen) remembered(p *pull, ix []ir.Expr) ir.Expr {
	key := cacheKey{p, ir.IndexKey(ix)}
	return g.recall(key, func() ir.Expr { return g.element(p, ix) })
}

func (g *gen) rememberedFlat(p *pull, i ir.Expr) ir.Expr {
	key := cacheKey{p, "flat " + ir.IndexKey([]ir.Expr{i})}
	return g.recall(key, func() ir.Expr { return p.flat(i) })
}

func (g *gen) recall(key cacheKey, compute func() ir.Expr) ir.Expr {
	if g.peeking {
		return compute()
	}
	for b := g.blk; b != nil; b = b.parent {
		if x, ok := b.cache[key]; ok {
			return x
		}
	}
	x := g.slim("s", compute())
	if g.blk.cache == nil {
		g.blk.cache = map[cacheKey]ir.Expr{}
	}
	g.blk.cache[key] = x
	return x
}

// ravelIndex returns the row-major position of an index.
func (g *gen) ravelIndex(dims, ix []ir.Expr) ir.Expr {
	if len(ix) == 0 {
		return ir.Integer(0)
	}
	x := ix[0]
	for a := 1; a < len(ix); a++ {
		x = ir.Add(ir.Mul(x, dims[a]), ix[a])
	}
	return x
}

// unravelIndex returns the index of a row-major position, by division.
func (g *gen) unravelIndex(dims []ir.Expr, i ir.Expr) []ir.Expr {
	ix := make([]ir.Expr, len(dims))
	for a := len(dims) - 1; a > 0; a-- {
		i = g.atom("i", i)
		ix[a] = g.atom("i", ir.Rem(i, g.Larger(dims[a], ir.Integer(1))))
		i = ir.Quo(i, g.Larger(dims[a], ir.Integer(1)))
	}
	ix[0] = i
	return ix
}

// count returns the number of elements.
func (g *gen) count(p *pull) ir.Expr { return g.atom("n", ir.Product(p.dims)) }

// cheap reports whether reading an element again costs no more than a load.
func (p *pull) cheap() bool {
	return (p.at != nil || p.flat != nil) && !p.faults && p.cost <= 1
}

// pullable makes sure that elements of p can be read at any index.
func (g *gen) pullable(p *pull) *pull {
	if p.at == nil && p.flat == nil {
		g.materialise(p)
	}
	return p
}

// reread prepares p for being read n times an element (n an estimate): it is
// stored unless recomputing is as cheap.
func (g *gen) reread(p *pull) *pull {
	if !p.cheap() {
		g.materialise(p)
	}
	return p
}

// total prepares p for consumers that may not read every element: if elements
// can fault they are computed now.
func (g *gen) total(p *pull) *pull {
	if p.faults {
		g.materialise(p)
	}
	return g.pullable(p)
}

// view returns an array that reads p at another index.
func view(p *pull, dims []ir.Expr, at func(ix []ir.Expr) ir.Expr) *pull {
	return &pull{elem: p.elem, dims: dims, at: at, rng: p.rng, span: p.span, cost: p.cost, faults: p.faults, pieces: p.pieces, srcs: []*pull{p}}
}

// constantPull returns an array whose elements are all x.
func (g *gen) constantPull(x ir.Expr, dims []ir.Expr) *pull {
	return &pull{elem: x.Kind(), dims: dims, rng: g.RangeOf(x), span: g.SpanPointer(x),
		at:   func([]ir.Expr) ir.Expr { return x },
		flat: func(ir.Expr) ir.Expr { return x }}
}

// elementsOf returns the elements of a vector whose length is known to be n.
func (g *gen) elementsOf(p *pull, n int) []ir.Expr {
	if p.elems != nil {
		return p.elems
	}
	g.pullable(p)
	xs := make([]ir.Expr, n)
	for i := range xs {
		xs[i] = g.atom("e", g.index(p, []ir.Expr{ir.Integer(int64(i))}))
	}
	return xs
}

// elemsPull returns the vector of given elements; reading at a varying index
// stores them.
func (g *gen) elemsPull(k ir.Kind, xs []ir.Expr) *pull {
	r := facts.Between(0, 0)
	for i, x := range xs {
		if i == 0 {
			r = g.RangeOf(x)
		} else {
			r = r.Union(g.RangeOf(x))
		}
	}
	p := &pull{elem: k, dims: []ir.Expr{ir.Integer(int64(len(xs)))}, elems: xs, rng: r, cost: 1}
	if len(xs) == 1 {
		p.flat = func(ir.Expr) ir.Expr { return xs[0] }
	}
	p.fill = func(dst *ir.Buf) {
		for i, x := range xs {
			g.emit(dst.Store(ir.Integer(int64(i)), ir.ConvertTo(dst.Elem, x)))
		}
	}
	return p
}

// lengthOf returns the length of the vector e when its type or its value has
// it.
func lengthOf(e tail.Expr, p *pull) (int, bool) {
	if n, ok := ir.IntOf(p.dims[0]); ok {
		return int(n), true
	}
	if t, ok := e.Type().(*tail.Array); ok {
		if n, ok := t.Extent(0).IsConst(); ok {
			return int(n), true
		}
	}
	return 0, false
}

// reads reports whether evaluating an element of p reads buf.
func (p *pull) reads(buf *ir.Buf, seen map[*pull]bool) bool {
	if p.buf == buf {
		return true
	}
	if seen[p] {
		return false
	}
	seen[p] = true
	for _, s := range p.srcs {
		if s.reads(buf, seen) {
			return true
		}
	}
	return false
}
