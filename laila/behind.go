package laila

// behind runs a reduction of what a sequential loop makes right behind that
// loop, block by block, while the block is in the first cache:
//
//	for i = 0 … n - 1: acc = acc + f(i); a[i + 1] = acc
//	segred { red j = 0 … n: m = m max a[j] }
//
// becomes
//
//	var done = 0
//	for b = 0 … ((n - 1) + 2047) quo 2048
//	  for i = b×2048 … (b×2048 + 2048) min (n - 1): acc = acc + f(i); a[i + 1] = acc
//	  segred { red j = done … to: m = m max a[j] }
//	  done = to
//	segred { red j = done … n: m = m max a[j] }
//
// where to is the end of what is there.
//
// Only reductions whose terms may be joined in any order without a difference
// follow, so that results stay the same to the last bit.
func (l *lowerer) behind(f *Func) {
	b := &follower{l: l, fuser: &fuser{l: l, sums: map[Stmt]*summary{}}}
	f.Body = b.block(f.Body)
}

// isRunning reports whether each iteration i of a loop combines a value with
// what one variable has and stores that as element i+1 of an array, and does
// nothing else: such scans have a parallel form.
func isRunning(loop *For) bool {
	steps, stores := 0, 0
	for _, s := range loop.Body {
		switch s := s.(type) {
		case *Decl, *Comment:
		case *Assign:
			x, ok := s.X.(*Binary)
			if !ok || x.Op >= Lt || x.Op == Sub || !isOperand(x, s.Var) {
				return false
			}
			steps++
		case *Store:
			at, ok := s.Index.(*Binary)
			if !ok || at.Op != Add || !isInt(at.Y, 1) || !same(at.X, &Use{loop.Var}) {
				return false
			}
			stores++
		default:
			return false
		}
	}
	return steps == 1 && stores == 1 && isInt(loop.Lo, 0)
}

// isOperand reports whether v is an operand of x.
func isOperand(x *Binary, v *Var) bool {
	return same(x.X, &Use{v}) || same(x.Y, &Use{v})
}

type follower struct {
	l *lowerer
	*fuser
}

// behindBlock is the number of iterations of the loop that a nest follows.
const behindBlock = 2048

func (b *follower) block(block []Stmt) []Stmt {
	for q := 0; q < len(block); q++ {
		n, ok := block[q].(*Nest)
		if !ok || !follows(n) {
			continue
		}
		for p := q - 1; p >= 0 && p >= q-fuseWindow; p-- {
			loop, ok := block[p].(*For)
			if !ok {
				continue
			}
			if isRunning(loop) { // threads share it, so C is written for the two at once
				break
			}
			if c, ok := b.behind(block, p, q, loop, n); ok {
				out := append(append([]Stmt{}, block[:p]...), block[p+1:q]...)
				out = append(out, b.joined(loop, n, c)...)
				at := len(out) - 1
				block, q = append(out, block[q+1:]...), at
			}
			break
		}
	}
	for _, s := range block {
		for _, inner := range sequentialBlocks(s) {
			*inner = b.block(*inner)
		}
	}
	return block
}

// follows reports whether n is a reduction to scalars of straight code that
// costs little, whose order does not matter.
func follows(n *Nest) bool {
	if wholeReduction(n) == nil || !isInt(n.Red[0].Lo, 0) || len(n.Flags) > 0 || !cloneable(n) || blockWeight(n.Body) > stripWork {
		return false
	}
	for _, a := range n.Accs {
		x, ok := a.Combine.(*Binary)
		if !a.Exact && !(ok && (x.Op == Min || x.Op == Max)) {
			return false
		}
	}
	for _, s := range n.Body {
		if _, ok := s.(*Store); ok {
			return false
		}
	}
	return true
}

// behind reports whether n, at position q, can follow the loop at position p,
// and how far the stores of an iteration are ahead of its index.
func (b *follower) behind(block []Stmt, p, q int, loop *For, n *Nest) (int64, bool) {
	made, c, ok := storesAhead(loop)
	if !ok || !isInt(loop.Lo, 0) {
		return 0, false
	}
	sl, sn := b.of(loop), b.of(n)
	if !sn.loads[made] || !readsInOrder(n, made) || sn.guard || sl.guard {
		return 0, false
	}
	for x := range sl.stores {
		if x != made && sn.loads[x] {
			return 0, false
		}
	}
	if meet(sl.writes, sn.reads) || meet(sn.writes, sl.reads) || meet(sl.writes, sn.writes) {
		return 0, false
	}
	for _, x := range block[p+1 : q] {
		t := b.of(x)
		if t.barrier || sl.clashes(t) {
			return 0, false
		}
	}
	return c, true
}

// storesAhead returns the buffer that each iteration of a loop stores one
// element of, and how far that is ahead of the loop's index.
func storesAhead(loop *For) (*Buf, int64, bool) {
	var made *Store
	for _, s := range loop.Body {
		switch s := s.(type) {
		case *Decl, *Assign, *Comment:
		case *Store:
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
	if s, ok := x.(*Binary); ok && s.Op == Add {
		k, known := intOf(s.Y)
		if !known || k < 0 {
			return nil, 0, false
		}
		x, c = s.X, k
	}
	return made.Buf, c, isUse(x, loop.Var)
}

// readsInOrder reports whether n reads b at its index only.
func readsInOrder(n *Nest, b *Buf) bool {
	alias := map[*Var]*Var{}
	ok := true
	for _, s := range n.Body {
		aliases(s, alias)
		for _, x := range Exprs(s) {
			if x == nil {
				continue
			}
			mapExpr(x, func(y Expr) Expr {
				if l, load := y.(*Load); load && l.Buf == b {
					ok = ok && isAlias(l.Index, n.Red[0].Var, alias)
				}
				return y
			})
		}
	}
	return ok
}

// joined returns the statements that run loop with n behind it.
func (b *follower) joined(loop *For, n *Nest, c int64) []Stmt {
	counter := func(name string) *Var {
		v := b.l.newVar(name, I64)
		b.l.ranges[v] = interval{0, maxExtent}
		return v
	}
	done, i, from, end, to := counter("done"), counter("b"), counter("from"), counter("end"), counter("to")
	hi := n.Red[0].Hi
	inner := &Nest{Kind: SegRed, Accs: n.Accs, Body: n.Body, At: n.At, Red: n.Red}
	rest := b.l.clone(inner, &Use{done}, hi)
	inner.Red = []Dim{{n.Red[0].Var, &Use{done}, &Use{to}}}
	blocks := &For{Var: i, Lo: integer(0), Hi: quo(add(loop.Hi, integer(behindBlock-1)), integer(behindBlock)), Body: []Stmt{
		&Decl{from, mul(&Use{i}, integer(behindBlock))},
		&Decl{end, &Binary{Min, add(&Use{from}, integer(behindBlock)), loop.Hi}},
		&For{Var: loop.Var, Lo: &Use{from}, Hi: &Use{end}, Body: loop.Body},
		&Decl{to, &Binary{Min, add(&Use{end}, integer(c)), hi}},
		inner,
		&Assign{done, &Use{to}},
	}}
	out := append([]Stmt{&Decl{done, integer(0)}}, n.Pre...)
	return append(append(out, blocks, rest), n.Post...)
}
