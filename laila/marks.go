package laila

import "github.com/tailor-lang/tailor/tail"

const (
	// marksRange is how many values there may be from the least to the greatest of
	// the elements that are looked for.
	marksRange = 1 << 26
	// marksCost is the largest cost of an element of what is searched: it is
	// computed again where a strip has any that is looked for.
	marksCost = 24
	// marksStrip is the length of a strip.
	marksStrip = 256
)

// marked lowers x∊y for integers where y is a table that has not been stored, as
// an outer product: a byte for each value from the least to the greatest of x
// says whether y has it, and no element of y is stored.
//
//	x∊x∘.×x
//
// becomes
//
//	for i … ; for each strip of j …
//	  any = 0
//	  for j in the strip: any |= lo ≤ x[i]×x[j] ≤ hi
//	  if any
//	    for j in the strip: if lo ≤ x[i]×x[j] ≤ hi: mark[x[i]×x[j] - lo] = 1
//	r[k] = mark[x[k] - lo]
//
// Where the values of x are too far apart, the table is stored and searched. It is
// nil for others: tables that can fault, or whose elements are costly.
func (g *gen) marked(e *tail.Apply, args []*value) *value {
	x, y := args[0].arr, args[1].arr
	if x == nil || y == nil || g.nest != nil || !g.opts.Tile || !g.on("marks") {
		return nil
	}
	for y.of != nil && y.buf == nil {
		y = y.of
	}
	if x.elem != I64 || y.elem != I64 || y.rank() < 2 || y.buf != nil || y.at == nil && y.flat == nil || y.faults || y.cost > marksCost || y.elems != nil {
		return nil
	}
	g.force()
	x = g.materialise(x)
	g.pullable(y)
	n := g.count(x)
	lo, hi := g.mutable("lo", I64, integer(marksRange)), g.mutable("hi", I64, integer(-marksRange))
	g.sequence(n, func(i Expr) {
		v := g.atom("x", g.indexFlat(x, i))
		g.emit(&Assign{lo, &Binary{Min, &Use{lo}, v}}, &Assign{hi, &Binary{Max, &Use{hi}, v}})
	})
	first, last := g.let("lo", &Use{lo}), g.let("hi", &Use{hi})
	r := g.alloc("r", U8, x.dims)
	far := or(&Binary{Lt, first, integer(-marksRange)}, &Binary{Gt, last, integer(marksRange)})
	search := g.block(func() {
		v := g.searchedIn(e, args)
		g.writeAll(v.arr, r, integer(0))
	})
	mark := g.block(func() {
		size := g.let("size", &Binary{Max, add(sub(last, first), integer(1)), integer(0)})
		g.ranges[size.(*Use).Var] = interval{0, 2*marksRange + 1}
		marks := g.alloc("mark", U8, []Expr{size})
		g.sequence(size, func(i Expr) { g.emit(&Store{marks, i, boolean(false)}) })
		g.markAll(y, nil, first, last, marks)
		g.segmap([]Expr{n}, func(ix []Expr) {
			g.emit(&Store{r, ix[0], &Load{marks, sub(g.indexFlat(x, ix[0]), first)}})
		})
	})
	g.emit(&If{far, search, mark})
	q := g.stored(U8, r, x.dims)
	q.rng = interval{0, 1}
	return array1(q)
}

// markAll marks the elements of y at indices that begin with ix.
func (g *gen) markAll(y *pull, ix []Expr, lo, hi Expr, marks *Buf) {
	n := y.dims[len(ix)]
	if len(ix) < y.rank()-1 {
		g.sequence(n, func(i Expr) { g.markAll(y, append(ix[:len(ix):len(ix)], i), lo, hi, marks) })
		return
	}
	wanted := func(v Expr) Expr { return and(&Binary{Le, lo, v}, &Binary{Le, v, hi}) }
	g.sequence(quo(add(n, integer(marksStrip-1)), integer(marksStrip)), func(s Expr) {
		from := g.atom("from", mul(s, integer(marksStrip)))
		count := g.atom("count", g.smaller(sub(n, from), integer(marksStrip)))
		any := g.mutable("any", U8, boolean(false))
		element := func(j Expr) Expr {
			return g.atom("y", g.index(y, append(ix[:len(ix):len(ix)], add(from, j))))
		}
		g.sequence(count, func(j Expr) { g.emit(&Assign{any, or(&Use{any}, wanted(element(j)))}) })
		g.emit(&If{Cond: &Use{any}, Then: g.block(func() {
			g.sequence(count, func(j Expr) {
				v := element(j)
				g.emit(&If{Cond: wanted(v), Then: g.block(func() { g.emit(&Store{marks, sub(v, lo), boolean(true)}) })})
			})
		})})
	})
}
