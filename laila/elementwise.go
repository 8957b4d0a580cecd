package laila

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

func init() {
	arrayOps = map[tail.Op]func(g *gen, e *tail.Apply, args []*value) *value{
		tail.OpIota: (*gen).iota, tail.OpEach: (*gen).each, tail.OpZipWith: (*gen).zipWith, tail.OpOuter: (*gen).outer,
		tail.OpReduce: (*gen).reduce, tail.OpReduce1: (*gen).reduce, tail.OpReduceWin: (*gen).reduceWindows, tail.OpScan: (*gen).scan,
		tail.OpInner: (*gen).inner, tail.OpInner1: (*gen).inner, tail.OpChain: (*gen).inner,
		tail.OpCells: (*gen).cells, tail.OpCells2: (*gen).cells, tail.OpPower: (*gen).power, tail.OpWhile: (*gen).while,
		tail.OpShape: (*gen).shape, tail.OpTally: (*gen).tally, tail.OpCount: (*gen).countOf,
		tail.OpReshape: (*gen).reshape, tail.OpRavel: (*gen).ravel, tail.OpReverse: (*gen).reverse,
		tail.OpRotate: (*gen).rotate, tail.OpRotateM: (*gen).rotateM, tail.OpTransp: (*gen).transp, tail.OpTransp2: (*gen).transp2,
		tail.OpExpect: (*gen).expect, tail.OpTake: (*gen).take, tail.OpDrop: (*gen).drop, tail.OpFirst: (*gen).first, tail.OpOnly: (*gen).only, tail.OpStretch: (*gen).stretch,
		tail.OpCat: (*gen).cat, tail.OpCons: (*gen).cons, tail.OpSnoc: (*gen).snoc, tail.OpLaminate: (*gen).laminate,
		tail.OpCompress: (*gen).compress, tail.OpReplicate: (*gen).replicate, tail.OpExpand: (*gen).expand, tail.OpWhere: (*gen).where, tail.OpLongest: (*gen).longest,
		tail.OpIndex: (*gen).gather, tail.OpUpdate: (*gen).update,
		tail.OpEncode: (*gen).encode, tail.OpDecode: (*gen).decode,
		tail.OpMember: (*gen).library, tail.OpIndexOf: (*gen).library, tail.OpIntervalIndex: (*gen).library,
		tail.OpUnique: (*gen).library, tail.OpFirstCell: (*gen).library, tail.OpFirstItem: (*gen).library, tail.OpWithout: (*gen).library, tail.OpGradeUp: (*gen).library, tail.OpGradeDown: (*gen).library,
		tail.OpMatch: (*gen).library, tail.OpFind: (*gen).library, tail.OpMatInv: (*gen).library, tail.OpMatDiv: (*gen).library,
		tail.OpDeal: (*gen).library, tail.OpFormat: (*gen).library, tail.OpFormatBy: (*gen).library, tail.OpPicture: (*gen).picture,
		tail.OpPrint: (*gen).print, tail.OpPrintBare: (*gen).print,
		tail.OpReadText: (*gen).library, tail.OpWriteText: (*gen).library, tail.OpStop: (*gen).library, tail.OpReadCSV: (*gen).library,
		tail.OpReadNpy: (*gen).library, tail.OpCSVText: (*gen).library, tail.OpWriteNpy: (*gen).library, tail.OpArgText: (*gen).library, tail.OpArgCount: (*gen).library,
		tail.OpReceive: (*gen).library, tail.OpSend: (*gen).library,
		tail.OpParseNumber: (*gen).library, tail.OpTimeStamp: (*gen).library, tail.OpClock: (*gen).library, tail.OpSeed: (*gen).library, tail.OpGenerator: (*gen).library,
		tail.OpAll: func(*gen, *tail.Apply, []*value) *value { return &value{tup: []*value{}} },
	}
}

// iota is 1 2 … n.
func (g *gen) iota(e *tail.Apply, args []*value) *value {
	n := g.atom("n", args[0].x)
	g.failIf(g.Compare(ir.OpLt, n, ir.Integer(0)), tail.FaultNegative, siteOf(e), func() []ir.FailArg { return []ir.FailArg{{X: n}} })
	g.failIf(g.Compare(ir.OpGt, n, ir.Integer(facts.MaxExtent)), tail.FaultMemory, siteOf(e), func() []ir.FailArg {
		return []ir.FailArg{shapeArg([]ir.Expr{n})}
	})
	n = g.extent(n)
	hi := g.RangeOf(n).Hi
	at := func(i ir.Expr) ir.Expr { return ir.Add(i, ir.Integer(1)) }
	return array1(&pull{elem: ir.I64, dims: []ir.Expr{n}, rng: facts.Between(1, max(hi, 1)), iota: true, flat: at,
		at: func(ix []ir.Expr) ir.Expr { return at(ix[0]) }})
}

// extent notes that x, an atom, is an extent: between 0 and maxExtent.
func (g *gen) extent(x ir.Expr) ir.Expr {
	u, ok := x.(*ir.Use)
	if !ok {
		return x
	}
	r := g.RangeOf(x)
	if r.Within(0, facts.MaxExtent) {
		return x
	}
	return g.size(x, "extent", func() ir.Expr {
		v := g.let("n", x).(*ir.Use)
		if limit, ok := g.Limits[u.Var]; ok {
			g.Limits[v.Var] = limit
		}
		g.Ranges[v.Var] = facts.Between(max(r.Lo, 0), min(r.Hi, facts.MaxExtent))
		return v
	})
}

// body estimates what applying f costs.
func (g *gen) lamCost(f *tail.Lam) int {
	n, loops := 0, false
	var walk func(e tail.Expr)
	walk = func(e tail.Expr) {
		switch e := e.(type) {
		case *tail.Apply:
			n++
			if !e.Op.Row().Scalar {
				loops = true
			}
			for _, a := range e.Args {
				walk(a)
			}
			if _, ok := mathOps[e.Op]; ok || complexOps[e.Op].tests != nil {
				n += 5
			}
		case *tail.Let:
			walk(e.Bind)
			walk(e.Body)
		case *tail.If:
			n++
			walk(e.Cond)
			walk(e.Then)
			walk(e.Else)
		case *tail.Call:
			loops = true
		case *tail.Lam:
			walk(e.Body)
		case *tail.Vec:
			loops = true
		}
	}
	walk(f.Body)
	if loops {
		n += 100
	}
	return n
}

// each applies a function to every element.
func (g *gen) each(e *tail.Apply, args []*value) *value {
	f := tail.LamOf(e.Args[0])
	if args[1].x != nil {
		return scalar1(g.lam(f, args[1].x))
	}
	p := args[1].arr
	if v := g.unrolled(e, f, p); v != nil {
		return v
	}
	if v := g.drawn(e, f, p); v != nil {
		return v
	}
	if g.impure(f) {
		g.pullable(p) // elements are read in order, each once
	}
	g.readable(p)
	r := g.mapped(p.dims, kindOf(tail.TypeOf(e).Elem), f, p)
	if b, ok := f.Body.(*tail.Apply); ok && b.Op == tail.OpB2I {
		if x, ok := b.Args[0].(*tail.Ref); ok && x.Var == f.Params[0] {
			r.onehot, r.pairs = p.onehot, p.pairs
		}
	}
	return g.finish(e, f, r)
}

// unrollElems is the longest vector of known elements whose functions are
// computed an element at a time, in variables.
const unrollElems = 8

// unrolled applies a function to short vectors of known elements.
func (g *gen) unrolled(e *tail.Apply, f *tail.Lam, ps ...*pull) *value {
	cost := g.lamCost(f)
	for _, p := range ps {
		if n := len(p.elems); p.elems == nil || n > unrollElems || n != len(ps[0].elems) || n*cost > 64 {
			return nil
		}
	}
	if g.impure(f) {
		return nil
	}
	xs := make([]ir.Expr, len(ps[0].elems))
	for i := range xs {
		args := make([]ir.Expr, len(ps))
		for j, p := range ps {
			args[j] = p.elems[i]
		}
		xs[i] = g.atom("e", g.lam(f, args...))
	}
	return array1(g.elemsPull(kindOf(tail.TypeOf(e).Elem), xs))
}

// readable makes sure that elements can be had one at a time, in order or at
// any index.
func (g *gen) readable(p *pull) {
	if p.drive == nil {
		g.pullable(p)
	}
}

// mapped returns the array of f applied to elements of the arrays ps.
func (g *gen) mapped(dims []ir.Expr, k ir.Kind, f *tail.Lam, ps ...*pull) *pull {
	r := &pull{elem: k, dims: dims, srcs: ps, cost: g.lamCost(f), faults: g.canFault(f), pointwise: true}
	flat, at := true, true
	for _, p := range ps {
		r.cost += p.cost
		r.pieces = max(r.pieces, p.pieces)
		r.faults = r.faults || p.faults
		flat = flat && p.flat != nil
		at = at && (p.at != nil || p.flat != nil)
	}
	apply := func(read func(p *pull) ir.Expr) ir.Expr {
		xs := make([]ir.Expr, len(ps))
		for i := len(ps) - 1; i >= 0; i-- {
			xs[i] = read(ps[i])
		}
		return g.lam(f, xs...)
	}
	if len(ps) == 2 {
		r.zip = f
	}
	if at {
		r.at = func(ix []ir.Expr) ir.Expr { return apply(func(p *pull) ir.Expr { return g.index(p, ix) }) }
	}
	if flat {
		r.flat = func(i ir.Expr) ir.Expr { return apply(func(p *pull) ir.Expr { return g.indexFlat(p, i) }) }
	}
	if len(ps) == 1 && ps[0].drive != nil {
		p := ps[0]
		r.drive = func(body func(x ir.Expr)) { g.pushed(p, func(x ir.Expr) { body(g.lam(f, x)) }) }
	}
	clean := false
	r.rng, clean = g.sampled(r)
	r.faults = r.faults && !clean
	if known, ok := rootRange(f); ok && k == ir.I64 {
		r.rng = known
	}
	r.bits = g.combineBits(f, ps)
	return r
}

// pushed runs body with the elements of an array that was a push array, and
// may have been stored since.
func (g *gen) pushed(p *pull, body func(x ir.Expr)) {
	if p.drive != nil {
		p.drive(body)
		return
	}
	g.sequence(g.count(p), func(i ir.Expr) { body(g.indexFlat(p, i)) })
}

// sampled bounds the elements of an array by looking at the expression of one
// of them; the bounds of doubles are noted in p. It is clean where computing an
// element is known not to fault.
func (g *gen) sampled(p *pull) (r facts.Interval, clean bool) {
	if p.elem != ir.I64 && p.elem != ir.F64 && p.elem != ir.C32 || p.at == nil && p.flat == nil || p.cost > 40 {
		return facts.RangeOfKind(p.elem), false
	}
	return g.sampledAlways(p)
}

// sampledAlways is sampled whatever an element costs.
func (g *gen) sampledAlways(p *pull) (r facts.Interval, clean bool) {
	r = facts.RangeOfKind(p.elem)
	st := g.nest
	g.nest = &nestState{inside: true}
	stmts := g.block(func() {
		ix := make([]ir.Expr, p.rank())
		for a := range ix {
			ix[a] = g.loopVar(ir.Integer(0), p.dims[a], nil).Use()
		}
		x := g.index(p, ix)
		if p.elem == ir.F64 {
			p.span = g.SpanPointer(x)
			return
		}
		r = g.RangeOf(x)
	})
	clean = len(g.nest.flags) == 0 && plain(stmts)
	g.nest = st
	return r, clean
}

// plain reports whether statements only declare variables, which cannot fault.
func plain(stmts []ir.Stmt) bool {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Comment:
		case *ir.If:
			if !plain(s.Then) || !plain(s.Else) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// finish evaluates at once what has effects.
func (g *gen) finish(e *tail.Apply, f *tail.Lam, p *pull) *value {
	if g.impure(f) {
		g.force()
		g.ordered(p)
	}
	return array1(p)
}

// ordered makes p a stored array, its elements computed one after the other.
func (g *gen) ordered(p *pull) {
	buf := g.alloc("a", g.storeKind(p), p.dims)
	g.bounds(buf, p)
	read := p
	n := g.count(p)
	g.stepwise(func() {
		g.sequence(n, func(i ir.Expr) { g.emit(buf.Store(i, ir.ConvertTo(buf.Elem, g.indexFlat(read, i)))) })
	})
	g.blk.undo = append(g.blk.undo, undo{p, *p})
	g.become(p, p.elem, buf, p.dims)
}

// zipWith applies a function to corresponding elements.
func (g *gen) zipWith(e *tail.Apply, args []*value) *value {
	f := tail.LamOf(e.Args[0])
	if args[1].x != nil {
		return scalar1(g.lam(f, args[1].x, args[2].x))
	}
	a, b := g.extended(args[1].arr, args[2].arr, e)
	if v := g.unrolled(e, f, a, b); v != nil {
		return v
	}
	g.pullable(a)
	g.pullable(b)
	dims := make([]ir.Expr, len(a.dims))
	for i := range dims { // prefer constants
		dims[i] = a.dims[i]
		if _, ok := ir.IntOf(b.dims[i]); ok {
			dims[i] = b.dims[i]
		}
	}
	return g.finish(e, f, g.mapped(dims, kindOf(tail.TypeOf(e).Elem), f, a, b))
}

func shapeArg(dims []ir.Expr) ir.FailArg {
	return ir.FailArg{IsShape: true, Shape: append([]ir.Expr{}, dims...)}
}

// provedEqual reports whether the types of the last two arguments of e have
// the same extent on an axis.
func provedEqual(e *tail.Apply, axis int) bool {
	n := len(e.Args)
	x, y := tail.TypeOf(e.Args[n-2]), tail.TypeOf(e.Args[n-1])
	return x.Extent(axis).Equal(y.Extent(axis))
}

// outer applies a function to all pairs.
func (g *gen) outer(e *tail.Apply, args []*value) *value {
	f := tail.LamOf(e.Args[0])
	a, b := args[1], args[2]
	if a.x != nil && b.x != nil {
		return scalar1(g.lam(f, a.x, b.x))
	}
	hot := oneHotOf(f, a, b)
	read := func(v *value) (dims []ir.Expr, cost int, srcs []*pull, get func(ix []ir.Expr) ir.Expr) {
		if v.x != nil {
			x := g.atom("x", v.x)
			return nil, 0, nil, func([]ir.Expr) ir.Expr { return x }
		}
		p := g.reread(v.arr)
		return p.dims, p.cost, []*pull{p}, func(ix []ir.Expr) ir.Expr { return g.index(p, ix) }
	}
	db, cb, sb, getB := read(b)
	da, ca, sa, getA := read(a)
	p := &pull{elem: kindOf(tail.TypeOf(e).Elem), dims: append(append([]ir.Expr{}, da...), db...),
		cost: ca + cb + g.lamCost(f), faults: g.canFault(f), srcs: append(sa, sb...)}
	p.onehot = hot
	if op := tail.OpOf(f); (op == tail.OpEqI || op == tail.OpEqC) && len(da) == 1 && len(db) == 1 {
		p.pairs = []*pull{a.arr, b.arr}
	}
	p.at = func(ix []ir.Expr) ir.Expr {
		y := getB(ix[len(da):])
		return g.lam(f, getA(ix[:len(da)]), y)
	}
	clean := false
	p.rng, clean = g.sampled(p)
	p.faults = p.faults && !clean
	return g.finish(e, f, p)
}
