package arith

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Tables bounds the elements of arrays of integers that loops update one by one,
// as those that a program of dynamic programming or of shortest paths fills by
// indices:
//
//	alloc d: i64[n×n]
//	segmap i = 0 … n×n: d[i] = 1 + x[i] rem 1000
//	for k = 0 … 400: for i = 0 … 400: for j = 0 … 400
//	  t, overflow bad = d[i,k] + d[k,j]
//	  d[i,j] = d[i,j] min t
//
// There are two arguments. What is stored lies between bounds that the elements
// are in before it, as 1 … 1000 here. Or it is an element plus a little, and so
// many stores can happen: c × stores bounds what the elements gain in all. Where
// the number of stores is not known, sums with the least numbers leave 64 bits
// after years. Operations that cannot overflow within the bounds
// are not tested any more, and the array is stored in as few bytes as they need.
//
// Requires: ranges of variables; faults that end the program. Preserves: values,
// and other faults.
func Tables(l *pass.Context, f *ir.Func) {
	t := &tables{l: l, decls: map[*ir.Buf]bool{}, shown: map[*ir.Buf]bool{}, other: map[*ir.Buf]bool{}, stores: map[*ir.Buf][]*tableStore{},
		sets: map[*ir.Var][]ir.Expr{}, unknown: map[*ir.Var]bool{}}
	for _, p := range append(append([]ir.Array{}, f.Params...), f.Results...) {
		if p.Buf != nil {
			t.other[p.Buf] = true
		}
		if p.Scalar != nil {
			t.unknown[p.Scalar] = true
		}
	}
	ir.Walk(f.Body, t.variables)
	t.scan(f.Body, 1)
	found := false
	for _, b := range t.order {
		if !t.other[b] && t.decls[b] {
			found = t.bound(b) || found
		}
	}
	if found {
		t.apply(f)
	}
}

const (
	maxStores  = 1 << 40 // the number of stores that is counted
	countBound = 1 << 62 // of elements whose stores are not counted, on either side
	countStep  = 128     // the most that these gain by one store
)

// tableStore is a store, and how often it happens at most, 0 where that is
// not known.
type tableStore struct {
	x     ir.Expr
	times int64
}

// tables is the state of the pass.
type tables struct {
	l       *pass.Context
	decls   map[*ir.Buf]bool
	shown   map[*ir.Buf]bool // arrays that keep their kind
	other   map[*ir.Buf]bool // arrays that are used otherwise than by elements
	stores  map[*ir.Buf][]*tableStore
	order   []*ir.Buf // the arrays that are stored to
	sets    map[*ir.Var][]ir.Expr
	unknown map[*ir.Var]bool // variables that are set otherwise, too
	bounded []*ir.Buf

	of   *ir.Buf // the array whose elements are looked at
	memo map[*ir.Var]*gain
}

// variables notes the variables that a statement sets. That is done for all
// statements before anything is counted: what a loop carries is set behind the
// loops in it.
func (t *tables) variables(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Decl:
		if s.Init != nil {
			t.sets[s.Var] = append(t.sets[s.Var], s.Init)
		}
	case *ir.Assign:
		t.sets[s.Var] = append(t.sets[s.Var], s.X)
	case *ir.Checked:
		t.sets[s.Var] = append(t.sets[s.Var], s.Op.Of(s.X, s.Y))
		t.unknown[s.Flag] = true
	case *ir.Nest:
		for _, a := range s.Accs {
			t.unknown[a.Var], t.unknown[a.Left], t.unknown[a.Right] = true, true, true
		}
	default:
		t.results(s)
	}
}

// scan notes the arrays that a block, which runs so often at most, declares and
// stores to.
func (t *tables) scan(block []ir.Stmt, times int64) {
	for _, s := range block {
		inner := times
		switch s := s.(type) {
		case *ir.DeclBuf:
			t.decls[s.Buf] = true
			if s.Zero {
				t.stored(s.Buf, ir.Integer(0), times)
			}
		case *ir.Free:
		case *ir.Store:
			t.stored(s.Buf, s.X, times)
		case *ir.For:
			inner = t.trips(times, s.Lo, s.Hi)
		case *ir.Nest:
			for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
				inner = t.trips(inner, d.Lo, d.Hi)
			}
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.If, *ir.Comment, *ir.Fail, *ir.BreakIf, *ir.Return:
		case *ir.Loop:
			inner = 0
		case *ir.Runtime: // reads its arguments
			for _, a := range s.Args {
				if a.Array != nil {
					t.shown[a.Array.Buf] = true
				}
			}
			for _, a := range s.Results {
				t.other[a.Buf] = true
			}
		default:
			ir.Buffers(s, func(b *ir.Buf) { t.other[b] = true })
			inner = 0
		}
		for _, b := range ir.Blocks(s) {
			t.scan(*b, inner)
		}
	}
}

// results notes the variables that a statement sets that is no scalar code.
func (t *tables) results(s ir.Stmt) {
	all := func(as []ir.Array) {
		for _, a := range as {
			t.unknown[a.Scalar] = true
			for _, d := range a.Dims {
				ir.EachUse(d, func(v *ir.Var) { t.unknown[v] = true })
			}
		}
	}
	switch s := s.(type) {
	case *ir.Filter:
		t.unknown[s.Var], t.unknown[s.Count] = true, true
	case *ir.Call:
		all(s.Results)
	case *ir.Runtime:
		all(s.Results)
	case *ir.Micro:
		t.unknown[s.Acc], t.unknown[s.X], t.unknown[s.Y] = true, true, true
	}
}

func (t *tables) stored(b *ir.Buf, x ir.Expr, times int64) {
	if b.Elem != ir.I64 || b.Stack > 0 {
		return
	}
	if t.stores[b] == nil {
		t.order = append(t.order, b)
	}
	t.stores[b] = append(t.stores[b], &tableStore{x, times})
}

// trips returns how often the body of a loop runs.
func (t *tables) trips(times int64, lo, hi ir.Expr) int64 {
	from, to := t.static(lo, 0), t.static(hi, 0)
	n, ok := facts.SubInt(to.Hi, from.Lo)
	if !ok || n > maxStores {
		return 0
	}
	n = max(n, 0)
	if n > 0 && times > maxStores/n {
		return 0
	}
	return times * n
}

// static bounds x by what its variables are set to, as far as that is known
// before the arrays are looked at.
func (t *tables) static(x ir.Expr, depth int) facts.Interval {
	r := t.l.RangeOf(x)
	var s facts.Interval
	switch x := x.(type) {
	case *ir.Use:
		xs := t.sets[x.Var]
		if len(xs) != 1 || t.unknown[x.Var] || depth > 8 {
			return r
		}
		s = t.static(xs[0], depth+1)
	case *ir.Binary:
		if x.Op >= ir.OpLt || x.Kind() != ir.I64 {
			return r
		}
		var exact bool
		if s, exact = facts.Arith(x.Op, t.static(x.X, depth+1), t.static(x.Y, depth+1)); !exact {
			return r
		}
	default:
		return r
	}
	return facts.Between(max(r.Lo, s.Lo), min(r.Hi, s.Hi))
}

// gain bounds a number: it is between the least of lo and the least element
// plus less, and the greatest of hi and the greatest element plus more. Without
// alone there are no lo and hi, without element no less and more.
type gain struct {
	alone, element bool
	r              facts.Interval // lo … hi
	d              facts.Interval // less … more
}

func (a *gain) union(b *gain) *gain {
	c := *a
	if b.alone {
		if c.alone {
			c.r = c.r.Union(b.r)
		} else {
			c.alone, c.r = true, b.r
		}
	}
	if b.element {
		if c.element {
			c.d = c.d.Union(b.d)
		} else {
			c.element, c.d = true, b.d
		}
	}
	return &c
}

// shifted returns a plus, or minus, what is in r; nil where that has no bounds.
func (a *gain) shifted(op ir.BinOp, r facts.Interval) *gain {
	c, ok := *a, true
	if c.alone {
		c.r, ok = facts.Arith(op, c.r, r)
	}
	if c.element && ok {
		c.d, ok = facts.Arith(op, c.d, r)
	}
	if !ok {
		return nil
	}
	return &c
}

// gain bounds x, of which the array's elements are a part; nil where it
// cannot.
func (t *tables) gain(x ir.Expr) *gain {
	if !x.Kind().Exact() {
		return nil
	}
	if !t.touches(x) {
		r := t.l.RangeOf(x)
		if !r.Within(-countBound, countBound) {
			return nil
		}
		return &gain{alone: true, r: r}
	}
	switch x := x.(type) {
	case *ir.Load:
		if x.Buf == t.of {
			return &gain{element: true}
		}
		// An element of another array, at a place that depends on one of this.
		if r := t.l.RangeOf(x); r.Within(-countBound, countBound) {
			return &gain{alone: true, r: r}
		}
	case *ir.Use:
		return t.variable(x.Var)
	case *ir.Convert:
		if x.To == ir.I64 {
			return t.gain(x.X)
		}
	case *ir.Select:
		return t.either(x.Then, x.Else)
	case *ir.Binary:
		return t.operation(x)
	}
	return nil
}

// operation bounds what an operation on the array's elements gives.
func (t *tables) operation(x *ir.Binary) *gain {
	switch {
	case x.Op >= ir.OpLt:
		return &gain{alone: true, r: facts.Between(0, 1)}
	case x.Kind() != ir.I64:
	case x.Op == ir.OpMin || x.Op == ir.OpMax:
		return t.either(x.X, x.Y)
	case x.Op == ir.OpAdd || x.Op == ir.OpSub:
		a, b := t.gain(x.X), t.gain(x.Y)
		switch {
		case a == nil || b == nil:
		case !b.element:
			return a.shifted(x.Op, b.r)
		case !a.element && x.Op == ir.OpAdd:
			return b.shifted(ir.OpAdd, a.r)
		}
	case x.Op == ir.OpRem:
		if r := t.l.RangeOf(x.Y); !t.touches(x.Y) && r.Within(1, countBound) {
			return &gain{alone: true, r: facts.Between(1-r.Hi, r.Hi-1)}
		}
	}
	return nil
}

func (t *tables) either(x, y ir.Expr) *gain {
	a, b := t.gain(x), t.gain(y)
	if a == nil || b == nil {
		return nil
	}
	return a.union(b)
}

// touches reports whether x depends on an element of the array.
func (t *tables) touches(x ir.Expr) bool {
	found := false
	ir.WalkExpr(x, func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Load:
			found = found || x.Buf == t.of
		case *ir.Use:
			found = found || t.depends(x.Var)
		}
	})
	return found
}

// depends reports whether a variable depends on an element of the array.
func (t *tables) depends(v *ir.Var) bool {
	if g, ok := t.memo[v]; ok {
		return g == nil || g.element // in doubt it does
	}
	xs := t.sets[v]
	if len(xs) == 0 || t.unknown[v] || !v.Kind.Exact() {
		return false
	}
	t.memo[v] = nil
	depends := false
	for _, x := range xs {
		depends = depends || t.touches(x)
	}
	if !depends {
		t.memo[v] = &gain{}
		return false
	}
	t.memo[v] = nil
	var all *gain
	for i, x := range xs {
		g := t.gain(x)
		switch {
		case g == nil:
			return true
		case i == 0:
			all = g
		default:
			all = all.union(g)
		}
	}
	t.memo[v] = all
	if !all.element {
		all = &gain{alone: true, element: true, r: all.r}
		t.memo[v] = all
	}
	return true
}

func (t *tables) variable(v *ir.Var) *gain {
	t.depends(v)
	return t.memo[v]
}

// bound finds bounds of the elements of b.
func (t *tables) bound(b *ir.Buf) bool {
	t.of, t.memo = b, map[*ir.Var]*gain{}
	var all *gain
	stores, most, counted, updates := int64(0), facts.Interval{}, true, false
	for _, s := range t.stores[b] {
		g := t.gain(s.x)
		if g == nil {
			return t.closed(b)
		}
		if g.element {
			updates = true
			most = most.Union(g.d)
			counted = counted && s.times > 0
			stores += s.times
		}
		if all == nil {
			all = g
		} else {
			all = all.union(g)
		}
	}
	if !updates {
		return false
	}
	if !all.alone || t.closed(b) {
		return all.alone
	}
	r := all.r
	if counted {
		less, ok := facts.MulInt(most.Lo, stores)
		more, ok2 := facts.MulInt(most.Hi, stores)
		lo, ok3 := facts.AddInt(r.Lo, less)
		hi, ok4 := facts.AddInt(r.Hi, more)
		if !ok || !ok2 || !ok3 || !ok4 {
			return false
		}
		r = facts.Between(lo, hi)
	} else {
		if !most.Within(-countStep, countStep) {
			return false
		}
		if most.Lo < 0 {
			r.Lo = -countBound
		}
		if most.Hi > 0 {
			r.Hi = countBound
		}
	}
	return t.set(b, r)
}

// set notes the bounds of the elements of b where they say something.
func (t *tables) set(b *ir.Buf, r facts.Interval) bool {
	if !r.Within(-countBound, countBound) {
		return false
	}
	t.l.Bufs[b] = r
	t.bounded = append(t.bounded, b)
	return true
}

// closed looks for bounds that what is stored stays in where the elements do.
func (t *tables) closed(b *ir.Buf) bool {
	t.of, t.memo = b, map[*ir.Var]*gain{}
	var r facts.Interval
	first := true
	for _, s := range t.stores[b] {
		if !t.touches(s.x) {
			if x := t.l.RangeOf(s.x); first {
				r, first = x, false
			} else {
				r = r.Union(x)
			}
		}
	}
	if first || !r.Within(-countBound, countBound) {
		return false
	}
	before, had := t.l.Bufs[b]
	restore := func() {
		delete(t.l.Bufs, b)
		if had {
			t.l.Bufs[b] = before
		}
	}
	for range 3 {
		t.l.Bufs[b] = r
		e := &ranger{t: t, memo: map[*ir.Var]facts.Interval{}}
		next := r
		for _, s := range t.stores[b] {
			if t.touches(s.x) {
				next = next.Union(e.of(s.x))
			}
		}
		if next == r {
			restore()
			return t.set(b, r)
		}
		if !next.Within(-countBound, countBound) {
			break
		}
		r = next
	}
	restore()
	return false
}
