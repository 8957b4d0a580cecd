package build

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Value is what an expression lowers to: a scalar, an array of rank one or
// more, or a tuple.
type Value struct {
	X   ir.Expr
	Arr *Pull
	Tup []*Value
}

// Kind is that of a scalar, or of the elements of an array.
func (v *Value) Kind() ir.Kind {
	if v.Arr != nil {
		return v.Arr.Elem
	}
	return v.X.Kind()
}

// Pull is a hybrid pull array (thesis 001, section 3.4) of rank one or more.
// Its elements come from at (an index an axis: shaped), from flat (an index
// into the ravel), from fill (which drives the writes of all elements into a
// buffer: push), or from drive (which passes the elements of a vector on in
// order). At least one is there; a stored array has buf, and flat loads.
//
// Elements are expressions of the kind of the TAIL element type; storage may
// be narrower.
type Pull struct {
	Elem ir.Kind
	Dims []ir.Expr // constants and variables
	At   func(ix []ir.Expr) ir.Expr
	Flat func(i ir.Expr) ir.Expr
	Fill func(dst *ir.Buf)
	// Drive calls body for each element of a vector in order, in one
	// sequential loop. It is for arrays whose length is cheaper to know
	// afterwards.
	Drive func(body func(x ir.Expr))
	// Steps is Drive with the places of the elements, for arrays whose elements come
	// from those before, as running sums do.
	Steps func(body func(i, x ir.Expr))
	// Backward says that Drive passes the elements from the last to the first.
	Backward bool
	Buf      *ir.Buf
	Elems    []ir.Expr // the elements of a short vector, constants and variables
	// narrow is the kind that storage needs; elem unless the range is known.
	Rng  facts.Interval
	Span *facts.Span // of doubles, where it is known
	// Sums, where it is not nil, bounds the sums of the first elements of a vector.
	Sums   *facts.Interval
	Cost   int  // scalar operations an element, loads included
	Faults bool // evaluating an element can fault
	ranked bool // in the order of g.rank
	Shared bool // read at the same index more than once: remember elements
	Srcs   []*Pull
	Pieces int // of an axis that reading an element chooses from
	// Pointwise says that an element depends on the elements of srcs at the
	// same index only; selection is set for an array that a gather made.
	Pointwise bool
	Selection *Selection
	Src       diag.Span // of the application that gave it
	Order     *Ordering // for the grade of a vector, the call that made it
	// extend, for the terms of a chain, adds one to the result of those before;
	// at and flat are nil then.
	Extend func(acc ir.Expr, ix []ir.Expr) ir.Expr
	// zip, for a function applied to corresponding elements of two arrays, is
	// that function; the arrays are srcs.
	Zip    *tail.Lam
	Filter *Filter                    // when it keeps some of other elements
	Onehot *OneHot                    // when it compares a vector with ⍳n
	Pairs  []*Pull                    // when it compares all pairs of two vectors, of integers or characters, these
	iota   bool                       // when it is ⍳n
	Of     *Pull                      // when it is another array in another shape
	Turned *Pull                      // when it is another array, transposed
	Unique *Pull                      // when it is the unique elements of another array, that
	Before *Pull                      // when it is 0 and running sums, these without the last
	Parts  []*Pull                    // when it is a vector of several after each other
	joined func(ix []ir.Expr) ir.Expr // and reads them, where each can be read
	Pair   []*Pull                    // when it is a vector of two after each other that can be read
	Cut    *cut                       // when it is part of a stored array, one element after the other
	// Groups, where it is not nil, is a number d: elements are 1 … d, stored or not.
	Groups ir.Expr
}

// cut is where part of a stored array begins.
type cut struct {
	Buf *ir.Buf
	At  ir.Expr
}

// Rank returns the number of axes.
func (p *Pull) Rank() int { return len(p.Dims) }

// Stored returns an array in a row-major buffer.
func (g *Builder) Stored(elem ir.Kind, buf *ir.Buf, dims []ir.Expr) *Pull {
	p := &Pull{}
	g.become(p, elem, buf, dims)
	return p
}

// become makes p the stored array in buf.
func (g *Builder) become(p *Pull, elem ir.Kind, buf *ir.Buf, dims []ir.Expr) {
	r := facts.RangeOfKind(elem)
	if s, ok := g.Bufs[buf]; ok {
		r = s
	}
	var sp *facts.Span
	if s, ok := g.BufSpans[buf]; ok {
		sp = &s
	}
	*p = Pull{Elem: elem, Dims: dims, Buf: buf, Cost: 1, Rng: r, Span: sp, Groups: p.Groups,
		Flat: func(i ir.Expr) ir.Expr { return ir.ConvertTo(elem, buf.Load(i)) }}
	if d := p.Groups; d != nil {
		p.Flat = func(i ir.Expr) ir.Expr { return g.inGroups(ir.ConvertTo(elem, buf.Load(i)), d) }
	}
}

// IsInGroups notes that the elements of p are 1 … d, also when it is stored.
func (g *Builder) IsInGroups(p *Pull, d ir.Expr) {
	p.Groups = d
	if at := p.At; at != nil {
		p.At = func(ix []ir.Expr) ir.Expr { return g.inGroups(at(ix), d) }
	}
	if flat := p.Flat; flat != nil {
		p.Flat = func(i ir.Expr) ir.Expr { return g.inGroups(flat(i), d) }
	}
}

// inGroups binds x, which is one of 1 … d.
func (g *Builder) inGroups(x, d ir.Expr) ir.Expr {
	if use, ok := g.Atom("p", x).(*ir.Use); ok {
		g.Learn(use.Var, ir.Integer(1), ir.Add(d, ir.Integer(1)))
		return use
	}
	return x
}

// Index returns the element at an index an axis, as a tree of moderate size.
// p is made pullable before loops over it start.
func (g *Builder) Index(p *Pull, ix []ir.Expr) ir.Expr {
	if p.Elems != nil {
		if n, ok := ir.IntOf(ix[0]); ok && len(ix) == 1 && n >= 0 && n < int64(len(p.Elems)) {
			return p.Elems[n]
		}
	}
	if p.Shared {
		return g.remembered(p, ix)
	}
	return g.element(p, ix)
}

func (g *Builder) element(p *Pull, ix []ir.Expr) ir.Expr {
	if g.Pullable(p); p.At != nil {
		return p.At(ix)
	}
	return p.Flat(g.RavelIndex(p.Dims, ix))
}

// IndexFlat returns the element at an index into the ravel.
func (g *Builder) IndexFlat(p *Pull, i ir.Expr) ir.Expr {
	if p.Elems != nil {
		if n, ok := ir.IntOf(i); ok && n >= 0 && n < int64(len(p.Elems)) {
			return p.Elems[n]
		}
	}
	g.Pullable(p)
	switch {
	case p.Flat != nil && p.Shared:
		return g.rememberedFlat(p, i)
	case p.Flat != nil:
		return p.Flat(i)
	case p.Rank() == 1:
		return g.Index(p, []ir.Expr{i})
	}
	return g.Index(p, g.unravelIndex(p.Dims, i))
}

// remembered returns the element of a shared array from the nearest block that
// computed it already.
func (g *Builder) remembered(p *Pull, ix []ir.Expr) ir.Expr {
	key := cacheKey{p, ir.IndexKey(ix)}
	return g.recall(key, func() ir.Expr { return g.element(p, ix) })
}

func (g *Builder) rememberedFlat(p *Pull, i ir.Expr) ir.Expr {
	key := cacheKey{p, "flat " + ir.IndexKey([]ir.Expr{i})}
	return g.recall(key, func() ir.Expr { return p.Flat(i) })
}

func (g *Builder) recall(key cacheKey, compute func() ir.Expr) ir.Expr {
	if g.peeking {
		return compute()
	}
	for b := g.Blk; b != nil; b = b.parent {
		if x, ok := b.cache[key]; ok {
			return x
		}
	}
	x := g.Slim("s", compute())
	if g.Blk.cache == nil {
		g.Blk.cache = map[cacheKey]ir.Expr{}
	}
	g.Blk.cache[key] = x
	return x
}

// RavelIndex returns the row-major position of an index.
func (g *Builder) RavelIndex(dims, ix []ir.Expr) ir.Expr {
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
func (g *Builder) unravelIndex(dims []ir.Expr, i ir.Expr) []ir.Expr {
	ix := make([]ir.Expr, len(dims))
	for a := len(dims) - 1; a > 0; a-- {
		i = g.Atom("i", i)
		ix[a] = g.Atom("i", ir.Rem(i, g.Larger(dims[a], ir.Integer(1))))
		i = ir.Quo(i, g.Larger(dims[a], ir.Integer(1)))
	}
	ix[0] = i
	return ix
}

// Count returns the number of elements.
func (g *Builder) Count(p *Pull) ir.Expr { return g.Elements(p.Dims) }

// Cheap reports whether reading an element again costs no more than a load.
func (p *Pull) Cheap() bool {
	return (p.At != nil || p.Flat != nil) && !p.Faults && p.Cost <= 1
}

// Pullable makes sure that elements of p can be read at any index.
func (g *Builder) Pullable(p *Pull) *Pull {
	if p.At != nil || p.Flat != nil {
		return p
	}
	if p.joined == nil {
		return g.Materialise(p)
	}
	p.Cost = 0
	for _, part := range p.Parts {
		p.Cost = max(p.Cost, g.Pullable(part).Cost)
	}
	p.At, p.Fill = p.joined, nil
	return p
}

// Join makes p the vector of parts after each other. It is read by at, where each part is
// one that can be read; otherwise, and where at is nil, the parts are computed where the
// vector is stored.
func (g *Builder) Join(p *Pull, parts []*Pull, at func(ix []ir.Expr) ir.Expr) {
	p.Parts, p.joined = parts, at
	p.Fill = func(dst *ir.Buf) { g.FillAt(p, dst, ir.Integer(0)) }
}

// Joins reports whether p is a vector of parts that can be read one by one.
func (p *Pull) Joins() bool { return p.joined != nil }

// Push makes p an array that passes its elements and their places on in order.
func (p *Pull) Push(steps func(body func(i, x ir.Expr))) {
	p.Steps = steps
	p.Drive = func(body func(x ir.Expr)) { steps(func(_, x ir.Expr) { body(x) }) }
}

// pushes reports whether p passes elements on with their places, and cannot be read
// otherwise.
func (p *Pull) pushes() bool { return p.Steps != nil && p.At == nil && p.Flat == nil }

// Reread prepares p for being read n times an element (n an estimate): it is
// stored unless recomputing is as cheap.
func (g *Builder) Reread(p *Pull) *Pull {
	if !p.Cheap() {
		g.Materialise(p)
	}
	return p
}

// Total prepares p for consumers that may not read every element: if elements
// can fault they are computed now.
func (g *Builder) Total(p *Pull) *Pull {
	if p.Faults {
		g.Materialise(p)
	}
	return g.Pullable(p)
}

// View returns an array that reads p at another index.
func View(p *Pull, dims []ir.Expr, at func(ix []ir.Expr) ir.Expr) *Pull {
	return &Pull{Elem: p.Elem, Dims: dims, At: at, Rng: p.Rng, Span: p.Span, Cost: p.Cost, Faults: p.Faults, Pieces: p.Pieces, Srcs: []*Pull{p}}
}

// ConstantPull returns an array whose elements are all x.
func (g *Builder) ConstantPull(x ir.Expr, dims []ir.Expr) *Pull {
	return &Pull{Elem: x.Kind(), Dims: dims, Rng: g.RangeOf(x), Span: g.SpanPointer(x),
		At:   func([]ir.Expr) ir.Expr { return x },
		Flat: func(ir.Expr) ir.Expr { return x }}
}

// ElementsOf returns the elements of a vector whose length is known to be n.
func (g *Builder) ElementsOf(p *Pull, n int) []ir.Expr {
	if p.Elems != nil {
		return p.Elems
	}
	g.Pullable(p)
	xs := make([]ir.Expr, n)
	for i := range xs {
		xs[i] = g.Atom("e", g.Index(p, []ir.Expr{ir.Integer(int64(i))}))
	}
	return xs
}

// ElemsPull returns the vector of given elements; reading at a varying index
// stores them.
func (g *Builder) ElemsPull(k ir.Kind, xs []ir.Expr) *Pull {
	r := facts.Between(0, 0)
	for i, x := range xs {
		if i == 0 {
			r = g.RangeOf(x)
		} else {
			r = r.Union(g.RangeOf(x))
		}
	}
	p := &Pull{Elem: k, Dims: []ir.Expr{ir.Integer(int64(len(xs)))}, Elems: xs, Rng: r, Cost: 1}
	if len(xs) == 1 {
		p.Flat = func(ir.Expr) ir.Expr { return xs[0] }
	}
	p.Fill = func(dst *ir.Buf) {
		for i, x := range xs {
			g.Emit(dst.Store(ir.Integer(int64(i)), ir.ConvertTo(dst.Elem, x)))
		}
	}
	return p
}

// LengthOf returns the length of the vector e when its type or its value has
// it.
func LengthOf(e tail.Expr, p *Pull) (int, bool) {
	if n, ok := ir.IntOf(p.Dims[0]); ok {
		return int(n), true
	}
	if t, ok := e.Type().(*tail.Array); ok {
		if n, ok := t.Extent(0).IsConst(); ok {
			return int(n), true
		}
	}
	return 0, false
}

// Reads reports whether evaluating an element of p reads buf.
func (p *Pull) Reads(buf *ir.Buf, seen map[*Pull]bool) bool {
	if p.Buf == buf {
		return true
	}
	if seen[p] {
		return false
	}
	seen[p] = true
	for _, s := range p.Srcs {
		if s.Reads(buf, seen) {
			return true
		}
	}
	return false
}

// Replaced returns xs with element i replaced.
func Replaced(xs []ir.Expr, i int, x ir.Expr) []ir.Expr {
	ys := append([]ir.Expr{}, xs...)
	ys[i] = x
	return ys
}

// Inserted returns xs with x inserted at place i.
func Inserted(xs []ir.Expr, i int, x ir.Expr) []ir.Expr {
	return append(append(append([]ir.Expr{}, xs[:i]...), x), xs[i:]...)
}

// Without returns xs without the one at place i.
func Without(xs []ir.Expr, i int) []ir.Expr {
	return append(append([]ir.Expr{}, xs[:i]...), xs[i+1:]...)
}

// Array returns v as an array of rank one or more: a scalar becomes a vector
// of one element.
func (g *Builder) Array(v *Value) *Pull {
	if v.Arr != nil {
		return v.Arr
	}
	return g.ElemsPull(v.X.Kind(), []ir.Expr{g.Atom("x", v.X)})
}

// Reads reports whether an array in a value reads a buffer.
func Reads(v *Value, buf *ir.Buf) bool {
	if v.Arr != nil && v.Arr.Reads(buf, map[*Pull]bool{}) {
		return true
	}
	for _, t := range v.Tup {
		if Reads(t, buf) {
			return true
		}
	}
	return false
}

// CutAt is where part of p begins, or nil where that is not in storage.
func (p *Pull) CutAt(place ir.Expr) *cut {
	switch {
	case p.Cut != nil:
		return &cut{p.Cut.Buf, ir.Add(p.Cut.At, place)}
	case p.Buf != nil:
		return &cut{p.Buf, place}
	}
	return nil
}
