package shape

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/tail"
)

// selectors prepares the indices of an index or update. Scalars are checked at
// once.
func selectors(g *build.Builder, e *tail.Apply, p *build.Pull, args []*build.Value) []build.Selector {
	ss := make([]build.Selector, len(args))
	for a := len(args) - 1; a >= 0; a-- {
		v := args[a]
		switch {
		case v.Tup != nil:
			ss[a] = build.Selector{All: true}
		case v.X != nil:
			x := g.Atom("i", v.X)
			checkIndex(g, e, x, p.Dims[a], a)
			ss[a] = build.Selector{X: ir.Sub(x, ir.Integer(1)), Proved: true}
		default:
			g.Pullable(v.Arr)
			ss[a] = build.Selector{Arr: v.Arr, Proved: indexProved(g, v.Arr, p.Dims[a])}
		}
	}
	return ss
}

// indexProved reports whether the range of the indices is known to fit.
func indexProved(g *build.Builder, ix *build.Pull, n ir.Expr) bool {
	if ix.Rng.Lo >= 1 && ix.Rng.Hi <= g.RangeOf(n).Lo {
		return true
	}
	inside := func(x ir.Expr) bool {
		return x.Kind() == ir.I64 && g.RangeOf(x).Lo >= 1 && g.Decide(g.LinearOf(ir.Sub(x, ir.Add(n, ir.Integer(1))))) == build.Yes
	}
	if ix.Elems != nil && g.On("neighbours") {
		for _, x := range ix.Elems {
			if !inside(x) {
				return false
			}
		}
		return true
	}
	proved := false
	st := g.Nest
	g.Nest = &build.NestState{Inside: true}
	if ix.Cost <= 8 && ix.Rank() == 1 && (ix.Flat != nil || ix.At != nil) {
		g.Block(func() {
			i := g.LoopVar(ir.Integer(0), ix.Dims[0], nil).Use()
			proved = inside(g.Index(ix, []ir.Expr{i}))
		})
	}
	g.Nest = st
	return proved
}

// checkIndex checks 1 ≤ x ≤ n, as far as it is not known, and returns x.
func checkIndex(g *build.Builder, e *tail.Apply, x, n ir.Expr, axis int) ir.Expr {
	var low, high ir.Expr = ir.Boolean(false), ir.Boolean(false)
	switch x.(type) {
	case *ir.Use, *ir.Binary, *ir.Int:
		below, above := g.Decide(g.LinearOf(ir.Sub(x, ir.Integer(1)))), g.Decide(g.LinearOf(ir.Sub(x, ir.Add(n, ir.Integer(1)))))
		x = g.Atom("i", x)
		if below != build.No {
			low = g.Compare(ir.OpLt, x, ir.Integer(1))
		}
		if above != build.Yes {
			high = g.Compare(ir.OpGt, x, n)
		}
	default:
		x = g.Atom("i", x)
		low, high = g.Compare(ir.OpLt, x, ir.Integer(1)), g.Compare(ir.OpGt, x, n)
	}
	bad := ir.Or(low, high)
	g.FailNow(bad, tail.FaultIndex, build.SiteOf(e), func() []ir.FailArg {
		return []ir.FailArg{{X: x}, {X: n}, {X: ir.Integer(int64(axis + 1))}}
	})
	if u, ok := x.(*ir.Use); ok && !ir.IsInt(bad, 0) {
		g.Learn(u.Var, ir.Integer(1), ir.Add(n, ir.Integer(1)))
	}
	return x
}

// pos returns the position, from 0, that s selects for the part ix of an
// index.
func pos(g *build.Builder, e *tail.Apply, s build.Selector, ix []ir.Expr, n ir.Expr, axis int) ir.Expr {
	switch {
	case s.All:
		return ix[0]
	case s.Arr == nil:
		return s.X
	}
	x := g.Index(s.Arr, ix)
	if !s.Proved {
		x = checkIndex(g, e, x, n, axis)
	}
	return ir.Sub(x, ir.Integer(1))
}

// dims returns the extents of the selection.
func selectionDims(ss []build.Selector, p *build.Pull) []ir.Expr {
	var dims []ir.Expr
	for a, s := range ss {
		switch {
		case s.All:
			dims = append(dims, p.Dims[a])
		case s.Arr != nil:
			dims = append(dims, s.Arr.Dims...)
		}
	}
	return dims
}

// source returns the index into p for an index of the selection.
func source(g *build.Builder, e *tail.Apply, ss []build.Selector, p *build.Pull, ix []ir.Expr) []ir.Expr {
	from := make([]ir.Expr, len(ss))
	starts := make([]int, len(ss))
	n := 0
	for a, s := range ss {
		starts[a] = n
		n += s.Rank()
	}
	for a := len(ss) - 1; a >= 0; a-- {
		from[a] = pos(g, e, ss[a], ix[starts[a]:starts[a]+ss[a].Rank()], p.Dims[a], a)
	}
	return from
}

// Gather is x[i;j;…].
func Gather(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p := args[0].Arr
	if len(args) == 2 {
		if q := g.SortedBy(p, args[1].Arr); q != nil {
			return build.Array1(q)
		}
	}
	g.Total(p)
	ss := selectors(g, e, p, args[1:])
	if q := placedRun(g, e, p, ss); q != nil {
		return build.Array1(q)
	}
	checkRows(g, e, p, ss)
	dims := selectionDims(ss, p)
	if len(dims) == 0 {
		return build.Scalar1(ranged(g, g.Atom("x", g.Index(p, source(g, e, ss, p, nil))), p.Rng))
	}
	bulk := false
	q := &build.Pull{Elem: p.Elem, Dims: dims, Rng: p.Rng, Cost: 1, Srcs: []*build.Pull{p}}
	for _, s := range ss {
		if s.Arr != nil {
			bulk = true
			q.Srcs = append(q.Srcs, s.Arr)
			q.Cost += s.Arr.Cost
			q.Faults = q.Faults || s.Arr.Faults || !s.Proved
		}
	}
	switch {
	case bulk && isTable(g, p, ss):
		p = g.Gatherable(p)
		q.Srcs[0] = p
	case bulk && !smallPieces(g, p):
		g.Reread(p)
	}
	if bulk {
		q.Cost += p.Cost
	} else {
		q.Cost = p.Cost
	}
	q.Selection = &build.Selection{P: p, Ss: ss}
	q.At = func(ix []ir.Expr) ir.Expr { return g.Index(p, source(g, e, ss, p, ix)) }
	if lead, ok := leadingScalars(ss); ok && p.Flat != nil {
		base := g.Atom("base", ir.Mul(g.RavelIndex(p.Dims[:len(lead)], lead), ir.Product(p.Dims[len(lead):])))
		q.Flat = func(i ir.Expr) ir.Expr { return g.IndexFlat(p, ir.Add(base, i)) }
	}
	return build.Array1(q)
}

// fewElements is how many elements of a row are read as they come.
const fewElements = 4

// checkRows checks the indices of whole rows before these are read, and stores those that
// come from several arrays or cost something: for an element of m[p,q;] there is the row to
// look up, and no more.
func checkRows(g *build.Builder, e *tail.Apply, p *build.Pull, ss []build.Selector) {
	at, whole := -1, ir.Expr(ir.Integer(1))
	for a, s := range ss {
		switch {
		case s.All:
			whole = ir.Mul(whole, p.Dims[a])
		case s.Arr != nil && at >= 0:
			return
		case s.Arr != nil:
			at = a
		}
	}
	if n, known := ir.IntOf(whole); at < 0 || g.Nest != nil || known && n < fewElements {
		return
	}
	s := &ss[at]
	if !s.Proved {
		if c := endsChecked(g, e, s.Arr, p.Dims[at], at); c != nil {
			s.Arr, s.Proved = c, true
			return
		}
	}
	if s.Arr.Faults || s.Arr.Pieces > 0 || s.Arr.Cost > fewElements {
		g.Materialise(s.Arr)
	}
	if !s.Proved {
		g.Reread(s.Arr)
		checkAll(g, e, s.Arr, p.Dims[at], at)
		s.Proved = true
	}
}

// ranged returns x, of which r is known now, as a variable of that range.
func ranged(g *build.Builder, x ir.Expr, r facts.Interval) ir.Expr {
	u, ok := x.(*ir.Use)
	if !ok || u.Kind() != ir.I64 {
		return x
	}
	known := g.RangeOf(x)
	if lo, hi := max(known.Lo, r.Lo), min(known.Hi, r.Hi); lo <= hi && hi < known.Hi {
		x = g.Let("x", x)
		g.Ranges[x.(*ir.Use).Var] = facts.Between(lo, hi)
	}
	return x
}

// tableMost is the largest number of elements of a vector that is stored as a table;
// tableUses is how many elements for each of them are looked up at least.
const (
	tableMost = 1 << 12
	tableUses = 8
)

// isTable reports whether p is a short vector, of integers of few bits, in which many more
// elements are looked up at places that are no run.
func isTable(g *build.Builder, p *build.Pull, ss []build.Selector) bool {
	if len(ss) != 1 || p.Rank() != 1 || p.Elem != ir.I64 || p.Elems != nil || g.Nest != nil {
		return false
	}
	n, known := ir.IntOf(p.Dims[0])
	uses, many := ir.IntOf(ir.Product(ss[0].Arr.Dims))
	if !known || !many || n > tableMost || uses < n*tableUses {
		return false
	}
	if ss[0].Arr.Rank() != 1 || ss[0].Arr.Buf != nil || ss[0].Arr.At == nil && ss[0].Arr.Flat == nil {
		return true
	}
	_, _, run := affineElement(g, ss[0].Arr)
	return !run
}

// smallPieces stores p where it is a short array of several pieces: at computed places
// nobody could predict which one an element is in.
func smallPieces(g *build.Builder, p *build.Pull) bool {
	n, known := ir.IntOf(ir.Product(p.Dims))
	if p.Pieces == 0 || !known || n > 1024 || p.Faults {
		return false
	}
	g.Materialise(p)
	return true
}

// leadingScalars returns the positions on the leading axes when all other axes
// are taken whole.
func leadingScalars(ss []build.Selector) ([]ir.Expr, bool) {
	var lead []ir.Expr
	for a, s := range ss {
		switch {
		case s.Arr != nil || s.X != nil && len(lead) < a:
			return nil, false
		case s.X != nil:
			lead = append(lead, s.X)
		}
	}
	return lead, true
}

// Updated is x with a selection replaced. The old array is written in place
// where it is dead, else it is copied first.
func Updated(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value {
	p, v := args[0].Arr, args[len(args)-1]
	if p.Buf != nil { // indices and new elements that are p itself may become copies, but p must not
		q := *p
		p = &q
	}
	ss := selectors(g, e, p, args[1:len(args)-1])
	dims := selectionDims(ss, p)
	if v.Arr != nil {
		updateFits(g, e, dims, v.Arr)
	}
	// The new elements and the indices must not read what is being written.
	overwrites := overwrites(g, e, p, v)
	hazard := func(q *build.Pull) bool { return q != nil && overwrites && q.Reads(p.Buf, map[*build.Pull]bool{}) }
	if v.Arr != nil && (v.Arr.Faults || hazard(v.Arr) && !samePlaces(g, v.Arr, p, ss) || v.Arr.At == nil && v.Arr.Flat == nil) {
		g.Materialise(detached(g, v.Arr, p))
	}
	for i := range ss {
		if q := ss[i].Arr; q != nil && !ss[i].Proved && !hazard(q) && g.Nest == nil {
			if c := endsChecked(g, e, q, p.Dims[i], i); c != nil {
				ss[i].Arr, ss[i].Proved = c, true
			}
		}
		if q := ss[i].Arr; q != nil && (q.Faults || hazard(q) || q.Cost > 8) {
			g.Materialise(detached(g, q, p))
		}
		if q := ss[i].Arr; q != nil && !ss[i].Proved {
			g.Reread(q)
			checkAll(g, e, q, p.Dims[i], i)
			ss[i].Proved = true
		}
	}
	if q := replaced(g, p, v, ss, !overwrites); q != nil {
		return build.Array1(q)
	}
	x := v.X
	if x != nil {
		x = g.Atom("x", x)
	}
	q := writable(g, p, v, overwrites)
	buf := q.Buf
	write := func(ix []ir.Expr) {
		y := x
		if v.Arr != nil {
			y = g.Index(v.Arr, ix)
		}
		at := g.RavelIndex(q.Dims, source(g, e, ss, q, ix))
		g.Emit(buf.Store(at, ir.ConvertTo(buf.Elem, y)))
	}
	scatter := false
	for _, s := range ss {
		scatter = scatter || s.Arr != nil
	}
	switch {
	case len(dims) == 0:
		write(nil)
	case scatter && !injective(g, ss): // a repeated index keeps the last value
		inOrder(g, dims, write)
	default:
		g.Segmap(dims, write)
	}
	return build.Array1(q)
}

// samePlaces reports whether v reads p only at the very places that its
// elements are stored to, each of them once, so that v can be computed while
// p is being written.
func samePlaces(g *build.Builder, v, p *build.Pull, ss []build.Selector) bool {
	if v.Selection != nil && v.Selection.P.Buf == p.Buf {
		return sameSelectors(v.Selection.Ss, ss) && injective(g, ss)
	}
	if !v.Pointwise {
		return !v.Reads(p.Buf, map[*build.Pull]bool{})
	}
	for _, q := range v.Srcs {
		if !samePlaces(g, q, p, ss) {
			return false
		}
	}
	return true
}

func sameSelectors(x, y []build.Selector) bool {
	if len(x) != len(y) {
		return false
	}
	for a := range x {
		switch {
		case x[a].All && y[a].All:
		case x[a].Arr != nil && x[a].Arr == y[a].Arr:
		case x[a].X != nil && y[a].X != nil && ir.Same(x[a].X, y[a].X):
		default:
			return false
		}
	}
	return true
}

// injective reports whether no index is repeated.
func injective(g *build.Builder, ss []build.Selector) bool {
	for _, s := range ss {
		if s.Arr == nil {
			continue
		}
		if s.Arr.Rank() != 1 || s.Arr.Cost > 8 || s.Arr.Buf != nil {
			return false
		}
		ok := false
		g.Block(func() {
			v := g.LoopVar(ir.Integer(0), s.Arr.Dims[0], nil)
			x := g.Index(s.Arr, []ir.Expr{v.Use()})
			ok = g.Injective(x, v)
		})
		if !ok {
			return false
		}
	}
	return true
}

// detached returns q; when q is the very array that is written, a copy.
func detached(g *build.Builder, q, p *build.Pull) *build.Pull {
	if q.Buf != nil && q.Buf == p.Buf {
		c := g.Copied(q)
		*q = *c
	}
	return q
}

// ir.InOrder runs body for every index of a space in row-major order.
func inOrder(g *build.Builder, dims []ir.Expr, body func(ix []ir.Expr)) {
	if g.Nest == nil {
		g.Guarded(func() { inOrder(g, dims, body) })
		return
	}
	inside := g.Nest.Inside
	g.Nest.Inside = true
	g.Iterate(dims, false, body)
	g.Nest.Inside = inside
}

// checkAll checks indices before anything is written.
func checkAll(g *build.Builder, e *tail.Apply, q *build.Pull, n ir.Expr, axis int) {
	inOrder(g, q.Dims, func(ix []ir.Expr) {
		checkIndex(g, e, g.Index(q, ix), n, axis)
	})
}

// updateFits checks that new elements have the selection's shape; axes of one
// item do not count.
func updateFits(g *build.Builder, e *tail.Apply, dims []ir.Expr, v *build.Pull) {
	if len(dims) == v.Rank() {
		for a := range dims {
			if ir.Same(dims[a], v.Dims[a]) {
				continue
			}
			g.FailIf(g.Compare(ir.OpNe, dims[a], v.Dims[a]), tail.FaultUpdate, build.SiteOf(e), func() []ir.FailArg {
				return []ir.FailArg{build.ShapeArg(dims), build.ShapeArg(v.Dims)}
			})
		}
		return
	}
	g.Refuse(e.Where, "an indexed assignment of another rank than the selection")
}

// overwrites reports whether the update e, by v, may write to the storage of p: it
// holds the range of the new elements, and nothing reads it any more.
func overwrites(g *build.Builder, e *tail.Apply, p *build.Pull, v *build.Value) bool {
	fits := p.Buf != nil && (p.Elem != ir.I64 && p.Buf.Elem == p.Elem || p.Elem.Exact() && facts.Fits(p.Buf.Elem, p.Rng.Union(rangeOfValue(g, v))))
	return fits && dead(g, e, p)
}

// rangeOfValue bounds a scalar of integers, or the elements of an array.
func rangeOfValue(g *build.Builder, v *build.Value) facts.Interval {
	if v.Arr != nil {
		return v.Arr.Rng
	}
	return g.RangeOf(v.X)
}

// writable returns p in a buffer that may be written: p's own where e overwrites it,
// else a copy. v is the new elements, whose range the storage must hold.
func writable(g *build.Builder, p *build.Pull, v *build.Value, overwrites bool) *build.Pull {
	r := p.Rng.Union(rangeOfValue(g, v))
	delete(g.BufSpans, p.Buf)
	if overwrites {
		if p.Elem.Exact() {
			g.Bufs[p.Buf] = r
		}
		return g.Stored(p.Elem, p.Buf, p.Dims)
	}
	q := &build.Pull{Elem: p.Elem, Dims: p.Dims, At: p.At, Flat: p.Flat, Fill: p.Fill, Drive: p.Drive, Backward: p.Backward, Elems: p.Elems,
		Rng: r, Faults: p.Faults, Cost: p.Cost, Srcs: []*build.Pull{p}}
	k := g.StoreKind(q)
	buf := g.Heap("u", k, p.Dims)
	if k.Exact() {
		g.Bufs[buf] = r
	}
	if p.Buf != nil && p.Buf.Elem == k {
		g.Emit(&ir.Copy{Dst: buf, DstIndex: ir.Integer(0), Src: p.Buf, SrcIndex: ir.Integer(0), Count: g.Count(p)})
	} else {
		g.FillBuf(q, buf)
	}
	return g.Stored(p.Elem, buf, p.Dims)
}

// dead reports whether the update e may overwrite p: the buffer belongs to the
// function at hand, nothing mentions p's variable later, and no delayed array
// that is still needed reads it.
func dead(g *build.Builder, e *tail.Apply, p *build.Pull) bool { return DeadFrom(g, e, e.Args[0], p) }

// DeadFrom is dead for the array that an argument of e, or a part of one, gives.
func DeadFrom(g *build.Builder, e *tail.Apply, arg tail.Expr, p *build.Pull) bool {
	if p.Buf.Const {
		return false
	}
	if owned, _ := g.Owns(p.Buf); !owned && !g.State[p.Buf] {
		return false
	}
	switch x := arg.(type) {
	case *tail.Ref:
		if !g.Live.Last[x] {
			return false
		}
	case *tail.Proj:
		if r, ok := live.ComponentOf(x); !ok || g.Env.Get(r.V) == nil { // else its later uses are found below
			return false
		}
	case *tail.Apply, *tail.Call, *tail.If, *tail.Let:
	default:
		return false
	}
	return g.LetGo(p.Buf, p.Rank(), g.Live.Times[e])
}
