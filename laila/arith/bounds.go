package arith

import (
	"math"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Bounds bounds the integers of a function by all that they are set to: variables,
// those that a loop adds to among them, and the elements of arrays, also of such
// that change hands and grow. Tests for overflow that the bounds decide are left out,
// and arrays are stored in as few bytes as their elements need:
//
//	alloc lengths: i64[1000]
//	var used: i64 = 0
//	for i = 0 … 1000
//	  var n: i64 = x[i] rem 30      ⍝ 0 … 29
//	  lengths[i] = n
//	  used = used + n               ⍝ 0 … 29000
//
// stores the lengths in 16 bits. What is known of a variable only improves, from
// what holds before: each round bounds what is set by the bounds of the round before.
//
// Requires: ranges of variables; faults that end the program. Preserves: values, other
// faults, and the kinds of parameters, of results, and of what the run-time reads.
func Bounds(l *pass.Context, f *ir.Func) {
	b := newBounds(l)
	for _, p := range append(append([]ir.Array{}, f.Params...), f.Results...) {
		b.foreign(p)
	}
	b.scan(f.Body, nil)
	b.steps = b.growing()
	for round := 0; round < boundRounds && b.improve(); round++ {
	}
	flags := map[*ir.Var]bool{}
	b.count(f.Body)
	b.untested(f.Body, flags)
	if l.On("narrow") {
		storeAs(f.Body, b.kinds())
	}
	if len(flags) > 0 {
		f.Body = declared(f.Body, func(v *ir.Var) bool { return len(b.sets[v]) == 1 && !b.unknown[v] })
		unsetFlags(f.Body, flags)
	}
}

const (
	boundRounds = 6
	// The fewest elements of an array whose kind is changed, where their number is known.
	leastNarrowed = 1 << 10
)

// bounds is the state of the pass.
type bounds struct {
	l       *pass.Context
	sets    map[*ir.Var][]varSet
	order   []*ir.Var
	at      map[*ir.Var]int  // how many loops are around a variable's declaration
	unknown map[*ir.Var]bool // variables that are set otherwise, too
	uses    map[*ir.Var]int
	class   map[*ir.Buf]*array // the array that a buffer is a name of
	arrays  []*array
	here    []dims // the loops around the statement that is looked at
	fors    map[*ir.Var]*ir.For
	steps   []*steps
}

// varSet sets a variable, in loops, to x; where x is nil it adds up to hi.
type varSet struct {
	x     ir.Expr
	hi    ir.Expr
	loops []dims
	part  bool // only a part of the accumulator of a nest begins with x
}

// dims are loops, one in the other; none are a loop of any number of iterations.
type dims []ir.Dim

// array is all buffers that have the same storage at some time.
type array struct {
	bufs   []*ir.Buf
	stored []stored
	swaps  [][]dims // the loops around statements that swap it
	depth  int      // how many loops are around its declaration
	known  bool     // all that is stored is in stored
	kept   bool     // has to keep its kind
	least  ir.Kind
	in     facts.Interval
	into   *array // what it became part of
}

// stored is an element that is stored in loops.
type stored struct {
	x     ir.Expr
	loops []dims
}

func newBounds(l *pass.Context) *bounds {
	b := &bounds{l: l, sets: map[*ir.Var][]varSet{}, at: map[*ir.Var]int{}, unknown: map[*ir.Var]bool{}, class: map[*ir.Buf]*array{}, fors: map[*ir.Var]*ir.For{}}
	for _, c := range l.Out.Consts {
		if len(c.Ints) == 0 || !whole(c.Buf.Elem) {
			continue
		}
		a := b.of(c.Buf)
		a.kept = true
		for _, x := range c.Ints {
			a.stored = append(a.stored, stored{x: ir.Integer(x)})
		}
	}
	return b
}

// whole reports whether a kind is one of integers that are bounded here: a byte of a
// truth value may hold other numbers.
func whole(k ir.Kind) bool { return k == ir.I8 || k == ir.I16 || k == ir.I32 || k == ir.I64 }

// of returns the array that a buffer is a name of.
func (b *bounds) of(buf *ir.Buf) *array {
	a := b.class[buf]
	if a == nil {
		a = &array{bufs: []*ir.Buf{buf}, known: whole(buf.Elem), least: ir.I16, depth: math.MaxInt, kept: buf.Elem != ir.I64, in: facts.RangeOfKind(buf.Elem)}
		b.class[buf] = a
		b.arrays = append(b.arrays, a)
	}
	for a.into != nil {
		a = a.into
	}
	return a
}

// join makes two buffers names of one array.
func (b *bounds) join(x, y *ir.Buf) {
	p, q := b.of(x), b.of(y)
	if p == q {
		return
	}
	p.bufs, p.stored = append(p.bufs, q.bufs...), append(p.stored, q.stored...)
	p.swaps, p.depth = append(p.swaps, q.swaps...), min(p.depth, q.depth)
	p.known, p.kept, p.least = p.known && q.known, p.kept || q.kept, ir.Wider(p.least, q.least)
	q.into = p
}

// foreign notes an array, or a scalar, that others set, too.
func (b *bounds) foreign(a ir.Array) {
	if a.Buf != nil {
		c := b.of(a.Buf)
		c.known, c.kept = false, true
	}
	if a.Scalar != nil {
		b.unknown[a.Scalar] = true
	}
	for _, d := range a.Dims {
		ir.EachUse(d, func(v *ir.Var) { b.unknown[v] = true })
	}
}

func (b *bounds) set(v *ir.Var, s varSet) {
	if !whole(v.Kind) {
		return
	}
	if b.sets[v] == nil {
		b.order = append(b.order, v)
	}
	b.sets[v] = append(b.sets[v], s)
}

// scan notes what a block, within loops, sets and stores.
func (b *bounds) scan(block []ir.Stmt, loops []dims) {
	for _, s := range block {
		inner := loops
		b.here = loops
		switch s := s.(type) {
		case *ir.Decl:
			if at, ok := b.at[s.Var]; !ok || len(loops) < at {
				b.at[s.Var] = len(loops)
			}
			if s.Init != nil {
				b.set(s.Var, varSet{x: s.Init})
			}
		case *ir.Assign:
			b.set(s.Var, varSet{x: s.X, loops: loops})
		case *ir.Checked:
			b.set(s.Var, varSet{x: s.Op.Of(s.X, s.Y), loops: loops})
			b.unknown[s.Flag] = true
		case *ir.For:
			d := ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}
			b.index(d)
			b.fors[s.Var] = s
			inner = within(loops, dims{d})
		case *ir.Loop:
			inner = append(loops[:len(loops):len(loops)], nil)
		case *ir.Nest:
			for _, d := range append(append(dims{}, s.Dims...), s.Red...) {
				b.index(d)
			}
			for _, a := range s.Accs {
				b.unknown[a.Left], b.unknown[a.Right] = true, true
				if c, ok := a.Combine.(*ir.Binary); !ok || c.Op != ir.OpAdd || a.Neutral == nil || !ir.IsInt(a.Neutral, 0) {
					b.unknown[a.Var] = true
				}
				b.set(a.Var, varSet{x: ir.Integer(0), part: true})
			}
			b.buffers(s)
			b.scan(s.Pre, within(loops, s.Dims))
			b.scan(s.Body, within(within(loops, s.Dims), s.Red))
			b.scan(s.Post, within(loops, s.Dims))
			continue
		case *ir.Filter:
			b.index(ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi})
			b.set(s.Count, varSet{hi: ir.Sub(s.Hi, s.Lo), loops: loops})
			b.store(s.Dst, s.X)
		case *ir.Micro:
			b.unknown[s.Acc], b.unknown[s.X], b.unknown[s.Y] = true, true, true
		}
		b.buffers(s)
		for _, in := range ir.Blocks(s) {
			b.scan(*in, inner)
		}
	}
}

// within adds dimensions of a nest, if there are any.
func within(loops []dims, d dims) []dims {
	if len(d) == 0 {
		return loops
	}
	return append(loops[:len(loops):len(loops)], d)
}

// index notes the values of the variable of a loop.
func (b *bounds) index(d ir.Dim) {
	b.at[d.Var] = math.MaxInt
	b.set(d.Var, varSet{x: d.Lo})
	b.set(d.Var, varSet{x: ir.Sub(d.Hi, ir.Integer(1))})
}

// buffers notes what a statement does with arrays.
func (b *bounds) buffers(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.DeclBuf:
		a := b.of(s.Buf)
		a.depth = min(a.depth, len(b.here))
		if n, ok := ir.IntOf(s.Count); s.Count != nil && ok && n > 0 && n < leastNarrowed {
			a.kept = true
		}
		if s.Zero {
			a.stored = append(a.stored, stored{ir.Integer(0), b.here})
		}
	case *ir.Store:
		b.store(s.Buf, s.X)
	case *ir.Swap:
		b.join(s.A, s.B)
		a := b.of(s.A)
		a.swaps = append(a.swaps, b.here)
	case *ir.Move:
		b.join(s.Dst, s.Src)
	case *ir.Alias:
		b.join(s.Dst, s.Src)
	case *ir.Copy:
		b.join(s.Dst, s.Src)
	case *ir.Runtime: // reads its arguments
		if b.search(s) {
			return
		}
		for _, r := range s.Results {
			b.foreign(r)
		}
		for _, a := range s.Args {
			if a.Array != nil && a.Array.Buf != nil {
				b.of(a.Array.Buf).kept = true
			}
		}
	case *ir.Call:
		for _, r := range s.Results {
			b.foreign(r)
		}
		for _, a := range s.Args {
			if a.Buf != nil {
				c := b.of(a.Buf)
				c.known, c.kept = false, true
			}
		}
	case *ir.Free, *ir.Filter:
	default:
		ir.Buffers(s, func(buf *ir.Buf) {
			a := b.of(buf)
			a.known, a.kept = false, true
		})
	}
}

// search notes what is known of a search of the run-time, which reads integers of any
// kind, and stores places, from 1, in 32 bits, too. It reports false for other functions.
func (b *bounds) search(s *ir.Runtime) bool {
	extent := func(i int) ir.Expr {
		if a := s.Args[i].Array; a.Buf != nil && len(a.Dims) == 1 {
			return a.Dims[0]
		}
		return nil
	}
	var count, most ir.Expr // of places, and the greatest place
	switch s.Fn {
	case "firstitem":
		count = extent(2)
		most = count
		b.of(s.Args[0].Array.Buf).kept = true
	case "indexof":
		if count, most = extent(1), extent(0); most != nil {
			most = ir.Add(most, ir.Integer(1))
		}
	case "order":
		count = extent(0)
		most = count
	case "unique":
		count = extent(0)
	default:
		return false
	}
	if count == nil || len(s.Results) != 1 || len(s.Results[0].Dims) != 1 {
		return false
	}
	r := s.Results[0]
	if n, ok := r.Dims[0].(*ir.Use); ok {
		b.set(n.Var, varSet{x: count})
		b.set(n.Var, varSet{x: ir.Integer(0)})
	}
	if s.Fn == "unique" {
		b.join(s.Args[0].Array.Buf, r.Buf)
		return true
	}
	if most == nil {
		return false
	}
	a := b.of(r.Buf)
	a.least = ir.I32
	a.stored = append(a.stored, stored{ir.Integer(1), b.here}, stored{most, b.here})
	return true
}

func (b *bounds) store(buf *ir.Buf, x ir.Expr) {
	a := b.of(buf)
	a.stored = append(a.stored, stored{x, b.here})
}

// count counts the uses of variables.
func (b *bounds) count(block []ir.Stmt) {
	b.uses = map[*ir.Var]int{}
	ir.Walk(block, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			ir.EachUse(x, func(v *ir.Var) { b.uses[v]++ })
		}
	})
}

// untested leaves out tests for overflow of what cannot overflow.
func (b *bounds) untested(block []ir.Stmt, flags map[*ir.Var]bool) {
	for i, s := range block {
		for _, inner := range ir.Blocks(s) {
			b.untested(*inner, flags)
		}
		c, ok := s.(*ir.Checked)
		if !ok {
			continue
		}
		if _, exact := facts.Arith(c.Op, b.l.RangeOf(c.X), b.l.RangeOf(c.Y)); !exact {
			continue
		}
		flags[c.Flag] = true
		block[i] = c.Var.Assign(c.Op.Of(c.X, c.Y))
		if i+1 == len(block) || b.uses[c.Var] != 1 {
			continue
		}
		if next, ok := block[i+1].(*ir.Assign); ok && ir.IsUse(next.X, c.Var) { // v = v + x, as loops add
			next.X = c.Op.Of(c.X, c.Y)
		}
	}
}

// kinds returns the kinds in which buffers are to be stored.
func (b *bounds) kinds() map[*ir.Buf]ir.Kind {
	kinds := map[*ir.Buf]ir.Kind{}
	for _, a := range b.arrays {
		if a.into != nil || !a.known || a.kept || len(a.stored) == 0 {
			continue
		}
		if k := ir.Wider(a.least, facts.Narrowest(a.in)); k != ir.I64 {
			for _, buf := range a.bufs {
				kinds[buf] = k
			}
		}
	}
	return kinds
}
