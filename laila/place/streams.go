package place

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Streams runs scans of one length, each of which may read those before, and a
// reduction of what they make a strip at a time, where nothing else reads them: no more
// than a strip of each is ever stored.
//
//	a[0] = s
//	for i = 0 … n - 1: s = s + x[i + 1]; a[i + 1] = s
//	b[0] = t
//	for i = 0 … n - 1: t = t min a[i]; b[i + 1] = t
//	segred { red j = 0 … n: m = m max a[j] - b[j] }
//
// becomes, where element e of an array is at e - from + 1 of its strip,
//
//	a[1] = s
//	b[1] = t
//	for k = 0 … (n + 1023) quo 1024
//	  var from = k × 1024; to = from + 1024 min n
//	  for i = (from - 1) max 0 … to - 1: s = s + x[i + 1]; a[i - from + 2] = s
//	  for i = (from - 1) max 0 … to - 1: t = t min a[i - from + 1]; b[i - from + 2] = t
//	  segred { red j = from … to: m = m max a[j - from + 1] - b[j - from + 1] }
//	  a[0] = a[1024]
//	  b[0] = b[1024]
//
// Memory that nobody has touched yet is cleared by the system, which takes longer than
// the scans. The order of the terms must not matter to the reduction.
//
// Requires: a known length, frees at the end of their block. Preserves: the values.
func Streams(l *pass.Context, f *ir.Func) {
	if f.Recursive {
		return // strips take room in the stack frame
	}
	s := &streamer{l: l, Fuser: &Fuser{L: l, Sums: map[ir.Stmt]*flow.Summary{}}}
	f.Body = s.block(f.Body)
}

const (
	// streamStrip is how many elements of an array are stored at a time, streamLeast
	// the least length for which that pays, streamScans the most scans of a stream.
	streamStrip = 1024
	streamLeast = 1 << 15
	streamScans = 4
)

type streamer struct {
	l *pass.Context
	*Fuser
}

// stream is scans with a reduction behind them.
type stream struct {
	length int64
	scans  []int // where the loops stand in the block
	made   map[*ir.Buf]bool
	of     map[int]*ir.Buf
	from   *ir.Var
}

func (s *streamer) block(block []ir.Stmt) []ir.Stmt {
	for q := 0; q < len(block); q++ {
		n, ok := block[q].(*ir.Nest)
		if !ok || !follows(n) {
			continue
		}
		if st := s.streamAt(block, q, n); st != nil {
			block = s.streamed(block, q, n, st)
			q -= len(st.scans)
		}
	}
	for _, x := range block {
		for _, inner := range ir.SequentialBlocks(x) {
			*inner = s.block(*inner)
		}
	}
	return block
}

// streamAt returns the scans before position q that only they and the reduction n there
// read, nil where there are none.
func (s *streamer) streamAt(block []ir.Stmt, q int, n *ir.Nest) *stream {
	length, known := ir.Trips(n.Red[0])
	if !known || length < streamLeast {
		return nil
	}
	st := &stream{length: length, made: map[*ir.Buf]bool{}, of: map[int]*ir.Buf{}}
	for p := max(q-fuseWindow, 0); p < q; p++ {
		loop, ok := block[p].(*ir.For)
		if !ok {
			continue
		}
		if made, c, ok := storesAhead(loop); ok && c == 1 && ir.IsInt(loop.Lo, 0) && ir.IsInt(loop.Hi, length-1) && !st.made[made] {
			st.scans = append(st.scans, p)
			st.of[p], st.made[made] = made, true
		}
	}
	for again := true; again; {
		again = false
		for k, p := range st.scans {
			if s.closed(block, q, st, st.of[p]) && s.movable(block, p, q, st) {
				continue
			}
			delete(st.made, st.of[p])
			delete(st.of, p)
			st.scans = append(st.scans[:k:k], st.scans[k+1:]...)
			again = true
			break
		}
	}
	if len(st.scans) == 0 || len(st.scans) > streamScans || !s.aligned(n.Body, n.Red[0].Var, st, 0, 0) {
		return nil
	}
	for _, p := range st.scans {
		loop := block[p].(*ir.For)
		if !s.aligned(loop.Body, loop.Var, st, 0, 1) {
			return nil
		}
	}
	return st
}

// closed reports whether only the scans, the reduction at position q, and statements
// that use its first element touch an array, which the block declares and frees.
func (s *streamer) closed(block []ir.Stmt, q int, st *stream, b *ir.Buf) bool {
	declared, freed, first := false, false, false
	for k, x := range block {
		switch x := x.(type) {
		case *ir.DeclBuf:
			if x.Buf == b {
				declared = b.Stack == 0 && !b.Const && ir.IsInt(x.Count, st.length) && !x.Zero
			}
			continue
		case *ir.Free:
			freed = freed || x.Buf == b
			continue
		case *ir.Store:
			if x.Buf == b && ir.IsInt(x.Index, 0) {
				first = true
			}
		}
		if t := s.Of(x); (t.Loads[b] || t.Stores[b]) && k != q && st.of[k] == nil && !firstOnly(x, b) {
			return false
		}
	}
	return declared && freed && first
}

// firstOnly reports whether a statement is a declaration or a store that uses no element
// of b but the first one.
func firstOnly(x ir.Stmt, b *ir.Buf) bool {
	switch x := x.(type) {
	case *ir.Decl:
	case *ir.Store:
		if x.Buf == b && !ir.IsInt(x.Index, 0) {
			return false
		}
	default:
		return false
	}
	ok := true
	for _, e := range ir.Exprs(x) {
		if e == nil {
			continue
		}
		ir.WalkExpr(e, func(e ir.Expr) {
			if ld, isLoad := e.(*ir.Load); isLoad && ld.Buf == b {
				ok = ok && ir.IsInt(ld.Index, 0)
			}
		})
	}
	return ok
}

// movable reports whether the scan at position p may run at position q: nothing between
// needs more of what it makes than the first element, or changes what it reads.
func (s *streamer) movable(block []ir.Stmt, p, q int, st *stream) bool {
	sl := s.Of(block[p])
	if sl.Guard || sl.Barrier || sl.Checked {
		return false
	}
	for k := p + 1; k <= q; k++ {
		if st.of[k] != nil {
			continue
		}
		t := s.Of(block[k])
		if t.Barrier || flow.Meet(sl.Writes, t.Reads) || flow.Meet(sl.Writes, t.Writes) || flow.Meet(sl.Reads, t.Writes) {
			return false
		}
		if k == q {
			return !flow.Meet(t.Stores, sl.Loads)
		}
		for b := range t.Stores {
			if sl.Stores[b] || sl.Loads[b] && !st.made[b] {
				return false
			}
		}
		for b := range t.Loads {
			if sl.Stores[b] && !firstOnly(block[k], b) {
				return false
			}
		}
	}
	return true
}

// aligned reports whether a body uses the arrays of a stream at its index and between lo
// and hi more.
func (s *streamer) aligned(body []ir.Stmt, v *ir.Var, st *stream, lo, hi int64) bool {
	ok := true
	defs := flow.Definitions(body)
	check := func(b *ir.Buf, index ir.Expr) {
		if st.made[b] {
			c, is := offsetOf(index, v, defs)
			ok = ok && is && c >= lo && c <= hi
		}
	}
	ir.Walk(body, func(x ir.Stmt) {
		if w, isStore := x.(*ir.Store); isStore {
			check(w.Buf, w.Index)
		}
		for _, e := range ir.Exprs(x) {
			if e == nil {
				continue
			}
			ir.WalkExpr(e, func(e ir.Expr) {
				if ld, isLoad := e.(*ir.Load); isLoad {
					check(ld.Buf, ld.Index)
				}
			})
		}
	})
	return ok
}

// offsetOf returns c where x is v and c.
func offsetOf(x ir.Expr, v *ir.Var, defs map[*ir.Var]ir.Expr) (int64, bool) {
	r := affine.Reader{Linear: true, Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		switch {
		case !ok || u.Var.Kind != ir.I64:
			return affine.Unknown
		case u.Var != v && defs[u.Var] != nil:
			return r.Read(defs[u.Var])
		}
		return affine.Of(u.Var)
	}}
	step, rest := r.Read(x).Split(v)
	k, ok := step.Constant()
	c, ok2 := rest.Constant()
	return c, ok && ok2 && k == 1
}

// streamed returns the block with the scans and the reduction at position q as one loop
// over strips.
func (s *streamer) streamed(block []ir.Stmt, q int, n *ir.Nest, st *stream) []ir.Stmt {
	counter := func(name string) *ir.Var {
		v := s.l.NewVar(name, ir.I64)
		s.l.Ranges[v] = facts.Between(0, st.length)
		return v
	}
	k, to := counter("k"), counter("to")
	st.from = counter("from")
	strip := ir.Integer(streamStrip)
	body := []ir.Stmt{
		st.from.Decl(ir.Mul(k.Use(), strip)),
		to.Decl(ir.OpMin.Of(ir.Add(st.from.Use(), strip), ir.Integer(st.length))),
	}
	var ends []ir.Stmt
	for _, p := range st.scans {
		loop := block[p].(*ir.For)
		body = append(body, &ir.For{Var: loop.Var, Lo: ir.OpMax.Of(ir.Sub(st.from.Use(), ir.Integer(1)), ir.Integer(0)), Hi: ir.Sub(to.Use(), ir.Integer(1)),
			Body: st.placed(loop.Body, loop.Var)})
		b := st.of[p]
		ends = append(ends, b.Store(ir.Integer(0), b.Load(strip)))
	}
	body = append(append(body, &ir.Nest{Kind: ir.SegRed, Accs: n.Accs, At: n.At, Body: st.placed(n.Body, n.Red[0].Var),
		Red: []ir.Dim{{Var: n.Red[0].Var, Lo: st.from.Use(), Hi: to.Use()}}}), ends...)
	strips := &ir.For{Var: k, Lo: ir.Integer(0), Hi: ir.Integer((st.length + streamStrip - 1) / streamStrip), Body: body}
	var out []ir.Stmt
	for i, x := range block {
		switch {
		case i == q:
			out = append(append(append(out, n.Pre...), strips), n.Post...)
		case st.of[i] != nil:
		default:
			if x = st.around(x); x != nil {
				out = append(out, x)
			}
		}
	}
	return out
}

// placed rewrites the places of a body over v.
func (st *stream) placed(body []ir.Stmt, v *ir.Var) []ir.Stmt {
	defs := flow.Definitions(body)
	at := func(index ir.Expr) ir.Expr {
		c, _ := offsetOf(index, v, defs)
		return ir.Add(ir.Sub(v.Use(), st.from.Use()), ir.Integer(c+1))
	}
	r := &Rewriter{Load: func(l *ir.Load) ir.Expr {
		if st.made[l.Buf] {
			return l.Buf.Load(at(l.Index))
		}
		return l
	}, Store: func(s *ir.Store) ir.Stmt {
		if st.made[s.Buf] {
			return s.Buf.Store(at(s.Index), s.X)
		}
		return s
	}}
	return r.block(body)
}

// around rewrites a statement beside the scans: arrays become strips, which are not
// freed, and their first elements have the second place.
func (st *stream) around(x ir.Stmt) ir.Stmt {
	switch x := x.(type) {
	case *ir.DeclBuf:
		if st.made[x.Buf] {
			x.Buf.Stack = streamStrip + 1
			return &ir.DeclBuf{Buf: x.Buf, Count: ir.Integer(x.Buf.Stack), Shape: []ir.Expr{ir.Integer(x.Buf.Stack)}, At: x.At}
		}
	case *ir.Free:
		if st.made[x.Buf] {
			return nil
		}
	case *ir.Decl, *ir.Store:
		r := &Rewriter{Load: func(l *ir.Load) ir.Expr {
			if st.made[l.Buf] {
				return l.Buf.Load(ir.Integer(1))
			}
			return l
		}, Store: func(s *ir.Store) ir.Stmt {
			if st.made[s.Buf] {
				return s.Buf.Store(ir.Integer(1), s.X)
			}
			return s
		}}
		return r.Stmt(x)
	}
	return x
}

// follows reports whether n is a reduction to scalars of straight code that
// costs little, whose order does not matter.
func follows(n *ir.Nest) bool {
	if ir.WholeReduction(n) == nil || !ir.IsInt(n.Red[0].Lo, 0) || len(n.Flags) > 0 || !cloneable(n) || cost.BlockWeight(n.Body) > stripWork {
		return false
	}
	for _, a := range n.Accs {
		x, ok := a.Combine.(*ir.Binary)
		if !a.Exact && !(ok && (x.Op == ir.OpMin || x.Op == ir.OpMax)) {
			return false
		}
	}
	for _, s := range n.Body {
		if _, ok := s.(*ir.Store); ok {
			return false
		}
	}
	return true
}

// storesAhead returns the buffer that each iteration of a loop stores one
// element of, and how far that is ahead of the loop's index.
func storesAhead(loop *ir.For) (*ir.Buf, int64, bool) {
	var made *ir.Store
	for _, s := range loop.Body {
		switch s := s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Comment:
		case *ir.Store:
			if made != nil {
				return nil, 0, false
			}
			made = s
		default:
			return nil, 0, false
		}
	}
	if made == nil {
		return nil, 0, false
	}
	x := made.Index
	c := int64(0)
	if s, ok := x.(*ir.Binary); ok && s.Op == ir.OpAdd {
		k, known := ir.IntOf(s.Y)
		if !known || k < 0 {
			return nil, 0, false
		}
		x, c = s.X, k
	}
	return made.Buf, c, ir.IsUse(x, loop.Var)
}
