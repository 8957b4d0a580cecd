package laila

// narrowSums makes sums of narrow numbers accumulate in few bits, over blocks
// that are short enough for that:
//
//	segred { red i = 0 … n: s = s + i64(a[i] == c) }
//
// becomes
//
//	segred { red b = 0 … (n+32639) quo 32640:
//	  var p: i16 = 0
//	  segred { red i = b×32640 … n min (b+1)×32640: p = p + i16(a[i] == c) }
//	  s = s + i64(p) }
//
// as vectors hold four times as many integers of 16 bits as of 64. Nests that
// work on wide numbers stay as they are: there the narrow sum would cost
// conversions.
//
// Preserves: the order of faults. Needs ranges of variables and buffers.
func (l *lowerer) narrowSums(block []Stmt) []Stmt {
	return eachNest(block, func(n *Nest) []Stmt { return []Stmt{l.narrowed(n)} })
}

// fewTerms is the largest number of terms whose sum stays as it is.
const fewTerms = 64

// narrowSum is an accumulator that is to have a narrow part.
type narrowSum struct {
	assign *Assign
	term   Expr
	part   *Var
}

// narrowed returns n with narrow sums, or n itself.
func (l *lowerer) narrowed(n *Nest) *Nest {
	if n.Kind != SegRed || len(n.Dims) != 0 || len(n.Red) != 1 || n.Ordered() {
		return n
	}
	if d := n.Red[0]; l.rangeOf(d.Hi).hi-max(l.rangeOf(d.Lo).lo, 0) <= fewTerms {
		return n
	}
	bits := &bitsUsed{varying: varyingIn(n)}
	if !bits.block(n.Body) || bits.width > 4 {
		return n
	}
	kind, most := I16, int64(1)<<15-1
	if bits.width > 2 || bits.width == 0 {
		kind, most = I32, 1<<31-1
	}
	sums, size := l.sumsOf(n, kind, most)
	if len(sums) == 0 {
		return n
	}
	tally := kind == I16 && bits.width == 1 && l.tallies(n, sums)
	if tally {
		size = TallyBlock
	}
	return l.inBlocks(n, sums, kind, size, tally)
}

// sumsOf returns the sums of n that fit in kind over blocks of some size, and
// that size.
func (l *lowerer) sumsOf(n *Nest, kind Kind, most int64) ([]*narrowSum, int64) {
	const least = 256
	accs := map[*Var]bool{}
	for _, a := range n.Accs {
		if b, ok := a.Combine.(*Binary); ok && b.Op == Add && a.Var.Kind == I64 {
			accs[a.Var] = true
		}
	}
	var sums []*narrowSum
	size := most
	for _, s := range n.Body {
		a, ok := s.(*Assign)
		if !ok || !accs[a.Var] {
			continue
		}
		term, ok := addend(a)
		if !ok {
			delete(accs, a.Var)
			continue
		}
		r := l.rangeOf(term)
		limit := max(-r.lo, r.hi, 1)
		if r.lo < -most || r.hi > most || most/limit < least || most/limit < 64 {
			continue
		}
		size = min(size, most/limit)
		sums = append(sums, &narrowSum{assign: a, term: term})
	}
	if reads := accReads(n, sums); len(reads) > 0 {
		return nil, 0
	}
	if size > 64 {
		size = size / 64 * 64
	}
	return sums, min(size, 1<<20)
}

// addend returns x, for v = v + x.
func addend(a *Assign) (Expr, bool) {
	b, ok := a.X.(*Binary)
	if !ok || b.Op != Add {
		return nil, false
	}
	if u, ok := b.X.(*Use); ok && u.Var == a.Var {
		return b.Y, true
	}
	if u, ok := b.Y.(*Use); ok && u.Var == a.Var {
		return b.X, true
	}
	return nil, false
}

// accReads returns the accumulators that are read or assigned elsewhere in the
// body than in their sum.
func accReads(n *Nest, sums []*narrowSum) []*Var {
	var bad []*Var
	for _, s := range sums {
		t := newTouched()
		for _, u := range n.Body {
			if u != Stmt(s.assign) {
				t.stmt(u)
			}
		}
		t.expr(s.term)
		if t.reads[s.assign.Var] || t.writes[s.assign.Var] {
			bad = append(bad, s.assign.Var)
		}
	}
	return bad
}

// inBlocks returns n over blocks of size iterations, with narrow parts.
func (l *lowerer) inBlocks(n *Nest, sums []*narrowSum, kind Kind, size int64, tally bool) *Nest {
	of := map[Stmt]*narrowSum{}
	var decls, adds []Stmt
	inner := &Nest{Kind: SegRed, Flags: n.Flags, At: n.At, Tally: tally}
	narrow := map[*Var]bool{}
	for _, s := range sums {
		s.part = l.newVar("part", kind)
		of[s.assign] = s
		narrow[s.assign.Var] = true
		decls = append(decls, &Decl{s.part, &Int{0, kind}})
		adds = append(adds, &Assign{s.assign.Var, &Binary{Add, &Use{s.assign.Var}, &Convert{I64, &Use{s.part}}}})
		x, y := l.newVar("x", kind), l.newVar("y", kind)
		inner.Accs = append(inner.Accs, Acc{Var: s.part, Left: x, Right: y, Combine: &Binary{Add, &Use{x}, &Use{y}}, Neutral: &Int{0, kind}, Exact: true})
	}
	for _, a := range n.Accs {
		if !narrow[a.Var] {
			inner.Accs = append(inner.Accs, a)
		}
	}
	for _, s := range n.Body {
		if sum, ok := of[s]; ok {
			s = &Assign{sum.part, &Binary{Add, &Use{sum.part}, convert(kind, sum.term)}}
		}
		inner.Body = append(inner.Body, s)
	}
	d := n.Red[0]
	out := *n
	lo, okl := intOf(d.Lo)
	hi, okh := intOf(d.Hi)
	if okl && okh && hi-lo <= size { // one block
		inner.Red = n.Red
		out.Red = nil
		out.Pre = append(append(append([]Stmt{}, n.Pre...), decls...), inner)
		out.Pre = append(append(out.Pre, adds...), n.Post...)
		out.Accs, out.Body, out.Post = nil, nil, nil
		return &out
	}
	b, from, to := l.newVar("b", I64), l.newVar("from", I64), l.newVar("to", I64)
	l.ranges[b] = interval{0, maxExtent}
	l.ranges[from], l.ranges[to] = interval{0, maxExtent}, interval{0, maxExtent}
	inner.Red = []Dim{{d.Var, &Use{from}, &Use{to}}}
	count := quo(add(sub(d.Hi, d.Lo), integer(size-1)), integer(size))
	out.Red, out.Each = []Dim{{b, integer(0), count}}, size
	out.Body = append([]Stmt{
		&Decl{from, add(d.Lo, mul(&Use{b}, integer(size)))},
		&Decl{to, &Binary{Min, add(&Use{from}, integer(size)), d.Hi}},
	}, decls...)
	out.Body = append(append(out.Body, inner), adds...)
	return &out
}

// bitsUsed finds the widest elements, in bytes, that statements compute with,
// and whether they are doubles. Where varying is not nil, what does not depend
// on its variables is left out: it is computed once.
type bitsUsed struct {
	width   int
	doubles bool
	varying varying
}

// block reports false where there is more than scalar code without branches.
func (w *bitsUsed) block(block []Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *Decl, *Assign, *Comment:
		case *Store:
			w.width = max(w.width, width(s.Buf.Elem))
		default:
			return false
		}
		for _, x := range Exprs(s) {
			w.expr(x, false)
		}
	}
	return true
}

func (w *bitsUsed) expr(x Expr, index bool) {
	if w.varying != nil && x != nil && w.varying.fixed(x) {
		if _, ok := x.(*Int); !ok {
			w.width = max(w.width, 1)
		}
		return
	}
	switch x := x.(type) {
	case nil:
		return
	case *Load:
		w.width = max(w.width, width(x.Buf.Elem))
		w.doubles = w.doubles || x.Buf.Elem == F64
		return
	case *Float, *Math:
		w.width = max(w.width, 4)
		if x.Kind() == F64 || x.Kind() == C64 {
			w.width = 8
		}
		w.doubles = w.doubles || x.Kind() == F64
	case *Convert:
		switch {
		case x.To == F64 || x.X.Kind() == F64:
			w.width = 8
		case x.To == I32 && x.X.Kind() == I64:
			w.width = max(w.width, 4)
		}
	case *Binary:
		if x.Op == Quo || x.Op == Rem {
			w.width = max(w.width, min(width(x.X.Kind()), 8))
		}
	case *Use:
		if x.Var.Kind == F64 {
			w.width, w.doubles = 8, true
		}
	}
	for _, y := range Operands(x) {
		w.expr(y, index)
	}
}
