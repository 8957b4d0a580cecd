package timetiles

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Loops whose steps are stencils pass over whole arrays, which no cache holds,
// in every step. timeTiles runs some steps on tiles of rows that a cache holds
// before it goes on to the next tile:
//
//	for step = 0 … k
//	  segmap i = 0 … 1: …; segmap i = 1 … n-1: t[i] = f(s[i-1], s[i], s[i+1]); …
//	  swap s, t
//
// becomes
//
//	for chunk = 0 … 1 + (k-1) ÷ T
//	  for phase = 0 … 2
//	    segmap tile = 0 … tiles
//	      alias x = s; alias y = t
//	      for q = 0 … steps of the chunk
//	        segmap i = max(0, from) … min(1, to): …; segmap i = max(1, from) … min(n-1, to): …
//	        swap x, y
//	  if the chunk had an odd number of steps: swap s, t
//
// In the first phase a tile loses rows at both ends with each step, those that
// need rows of its neighbours; in the second phase these are computed, around
// the seams between tiles, where they become more with each step. Nothing is
// computed twice and no array is added. Tiles of a phase are independent, so
// threads wait for each other twice a chunk and not after every nest.
//
// With the nests of a step numbered j, rows by how far they are from a seam,
// and D = q×period + lag[j], the first phase runs (q, j) on rows whose distance
// is at least D, the second one on the others. Of two accesses to one row, one
// of them a store, the later one is in a nest whose D is greater by at least
// as much as the rows are apart at which the two nests run: lags and period are
// the least for which this holds. So the earlier one runs in the same tile
// before it, or in the first phase when the later one is in the second; tiles
// have at least as many rows as two seams take.
//
// Arrays may be rings, on which the last row is next to the first one: then the
// first row is a seam, too.
//
// Requires: a loop whose body has nothing but segmaps over rows, then exchanges
// of arrays; rows of arrays that it writes to at known places from the row that
// is computed. Preserves: what is computed for each element, and from what.
func TimeTiles(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		if f, ok := s.(*ir.For); ok {
			t := &timeTiling{l: l, loop: f, fixed: map[*ir.Var]int64{}, element: map[*ir.Var]*ir.Load{}, width: map[*ir.Buf]int64{}, written: map[*ir.Buf]bool{}, bytes: map[*ir.Buf]int64{}}
			if t.read() && t.place() && t.order() && t.size() {
				out = append(out, t.emit()...)
				continue
			}
		}
		for _, inner := range ir.SequentialBlocks(s) {
			*inner = TimeTiles(l, *inner)
		}
		out = append(out, s)
	}
	return out
}

// timeTiling is a loop over steps that may run in tiles.
type timeTiling struct {
	l     *pass.Context
	loop  *ir.For
	first []ir.Stmt // comments and constants before the nests
	nests []*tiledNest
	swaps []*ir.Swap
	fixed map[*ir.Var]int64 // constants of the body
	// Elements that a step reads before its nests, which read them themselves.
	element map[*ir.Var]*ir.Load

	width   map[*ir.Buf]int64 // elements of a row, of arrays that are written to
	written map[*ir.Buf]bool
	bytes   map[*ir.Buf]int64 // of a row, of all arrays
	rows    int64
	ring    bool
	period  int64
	turns   int64 // steps after which all arrays have their names again
	count   int64 // of tiles
	steps   int64 // of a chunk
}

// tiledNest is a nest of the body. It runs on row lo+shift … hi+shift of the
// space that all nests share.
type tiledNest struct {
	said   []ir.Stmt // comments before it
	nest   *ir.Nest
	lo, hi int64 // of its outermost dimension
	shift  int64
	lag    int64
	touch  []rowAccess
	reads  []rowAccess // of arrays that the loop does not write to
}

// rowAccess is a store or a load of the rows rows of an array, counted from the
// row that a nest computes.
type rowAccess struct {
	buf   *ir.Buf
	store bool
	index affine.Poly
	span  map[*ir.Var]facts.Interval // of the variables in index
	rows  facts.Interval
}

// Tiles hold tileBytes of all arrays together, about half of a second-level
// cache; those of vectors, whose seams are short, half of a first-level one.
// Arrays that such a cache holds anyway are not cut.
const (
	tileBytes       = 256 << 10
	vectorTileBytes = 24 << 10
	longestChunk    = 16
	// Steps that touch arrays at more places are left alone: all pairs of them
	// are looked at.
	mostAccesses = 800
)

// read takes the body of the loop apart.
func (t *timeTiling) read() bool {
	f := t.loop
	if lo, ok := ir.IntOf(f.Lo); !ok || lo != 0 || flow.ReadsVar(f.Body, f.Var) {
		return false
	}
	switch f.Hi.(type) {
	case *ir.Int, *ir.Use:
	default:
		return false
	}
	var said []ir.Stmt
	for _, s := range f.Body {
		switch s := s.(type) {
		case *ir.Comment:
			if said = append(said, s); len(t.nests) == 0 {
				t.first, said = append(t.first, s), nil
			}
		case *ir.Decl:
			if s.Init == nil || len(t.nests) > 0 {
				return false
			}
			if l, ok := s.Init.(*ir.Load); ok {
				t.element[s.Var] = l
				continue
			}
			if f, ok := t.linear(s.Init, nil); ok {
				t.fixed[s.Var] = f.Coef()
			}
			used := flow.NewUses()
			used.Block([]ir.Stmt{s})
			for v := range t.element {
				if used.Vars[v] {
					return false
				}
			}
			if len(used.Bufs) > 0 {
				return false
			}
			t.first = append(t.first, s)
		case *ir.Nest:
			if len(t.swaps) > 0 || !t.nest(s) {
				return false
			}
			t.nests[len(t.nests)-1].said, said = said, nil
		case *ir.Swap:
			t.swaps = append(t.swaps, s)
		default:
			return false
		}
	}
	changed := map[*ir.Var]bool{}
	flow.NoteAssigned(f.Body, changed)
	for v := range changed {
		if _, ok := t.fixed[v]; ok || ir.IsUse(f.Hi, v) {
			return false
		}
	}
	for _, l := range t.element {
		if t.written[l.Buf] {
			return false
		}
	}
	accesses := 0
	for _, n := range t.nests {
		accesses += len(n.touch)
	}
	return len(t.nests) > 0 && accesses <= mostAccesses
}

// nest notes what a nest of the body does.
func (t *timeTiling) nest(s *ir.Nest) bool {
	if s.Kind != ir.SegMap || len(s.Dims) == 0 || len(s.Red)+len(s.Pre)+len(s.Post)+len(s.Flags)+len(s.Accs) > 0 {
		return false
	}
	n := &tiledNest{nest: s}
	r := &rowReader{t: t, n: n, span: map[*ir.Var]facts.Interval{}, own: map[*ir.Var]affine.Poly{}, declared: map[*ir.Var]bool{}}
	r.changed = map[*ir.Var]bool{}
	flow.NoteAssigned(s.Body, r.changed)
	for i, d := range s.Dims {
		if !r.loop(d) {
			return false
		}
		if i == 0 {
			n.lo, n.hi = r.span[d.Var].Lo, r.span[d.Var].Hi+1
		}
	}
	if n.hi <= n.lo {
		return false
	}
	t.nests = append(t.nests, n)
	return r.block(s.Body)
}

// order finds lags and period from the accesses that depend on each other.
func (t *timeTiling) order() bool {
	moved := map[*ir.Buf]*ir.Buf{} // where storage is after a step
	at := func(b *ir.Buf) *ir.Buf {
		if c, ok := moved[b]; ok {
			return c
		}
		return b
	}
	names := map[*ir.Buf]*ir.Buf{} // whose storage a name has
	holds := func(b *ir.Buf) *ir.Buf {
		if c, ok := names[b]; ok {
			return c
		}
		return b
	}
	for _, s := range t.swaps {
		names[s.A], names[s.B] = holds(s.B), holds(s.A)
	}
	for name, storage := range names {
		moved[storage] = name
	}
	same := func(b *ir.Buf) *ir.Buf { return b }
	for j, n := range t.nests {
		for _, m := range t.nests[:j] {
			if apart, ok := apart(m, n, same); ok {
				n.lag = max(n.lag, m.lag+apart)
			}
		}
	}
	later := same
	for d := int64(1); t.turns == 0; d++ {
		if d > 6 {
			return false
		}
		before := later
		later = func(b *ir.Buf) *ir.Buf { return at(before(b)) }
		for _, m := range t.nests {
			for _, n := range t.nests {
				if apart, ok := apart(m, n, later); ok {
					t.period = max(t.period, (m.lag+apart-n.lag+d-1)/d)
				}
			}
		}
		t.turns = d
		for b := range moved {
			if later(b) != b {
				t.turns = 0
			}
		}
	}
	return t.period > 0
}

// apart returns how far apart the rows are at most at which m, and later n,
// touch the same row, one of them to store; an array b has the name later(b)
// when n runs. It is not ok where they do not.
func apart(m, n *tiledNest, later func(*ir.Buf) *ir.Buf) (rows int64, ok bool) {
	for _, a := range m.touch {
		for _, b := range n.touch {
			if (a.store || b.store) && later(a.buf) == b.buf {
				rows, ok = max(rows, a.rows.Hi-b.rows.Lo, b.rows.Hi-a.rows.Lo), true
			}
		}
	}
	return rows, ok
}

// size chooses how many tiles there are, and how many steps a chunk has.
func (t *timeTiling) size() bool {
	row, widest, lag := int64(0), int64(0), int64(0)
	for b, n := range t.bytes {
		row += n
		widest = max(widest, t.width[b])
	}
	for _, n := range t.nests {
		lag = max(lag, n.lag)
	}
	if t.period > 64 || lag > 64 || row <= 0 || row > 1<<40 {
		return false
	}
	budget := int64(tileBytes)
	if widest == 1 {
		budget = vectorTileBytes
	}
	tile := max(budget/row, 8*t.period+2*lag)
	t.count = t.rows / tile
	if t.count < 3 {
		return false
	}
	t.steps = min(longestChunk, 1+((t.rows/t.count)/2-lag)/t.period)
	if k, ok := ir.IntOf(t.loop.Hi); ok {
		t.steps = min(t.steps, k)
	}
	return t.steps > 1
}
