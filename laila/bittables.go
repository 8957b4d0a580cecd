package laila

// A function of the bits of a number is linear where its value for the
// exclusive or of two numbers is the exclusive or of its values: exclusive ors,
// shifts, bits, and products of bits and numbers that do not depend on it are.
// The bits of an index are those of a block of indices and those of the place
// in the block, so that such a function of the index is the exclusive or of two
// numbers, one computed once for each block and one looked up.
//
//	segmap i = 0 … n
//	  var v: i32 = i32(i) + 1
//	  y[i] = f64(f(v))
//
// becomes
//
//	for p = 0 … 64: t[p] = f(p)
//	segmap u = 1 quo 64 … (n quo 64) + 1
//	  var off: i64 = (u × 64) - 1
//	  var h: i32 = f(64 × u)
//	  segmap i = 0 max off … n min (off + 64): y[i] = f64(h ^ t[i - off])
//
// Requires: a nest over one axis of many indices; a function that costs more
// than that. Preserves: the values, and the order of the iterations.
const (
	// tableLanes is the number of indices of a block; tableTrips is how many
	// there must be, tableCost how many operations the function must have.
	tableLanes = 64
	tableTrips = 1 << 12
	tableCost  = 24
	// tableRoots and tableSize bound the tables, and the entries of one.
	tableRoots = 8
	tableSize  = 64
)

// linearRoot is a linear function in the body of a nest: an expression in
// a statement, and the loops around it.
type linearRoot struct {
	x     Expr
	path  []Stmt // the loops, from outside, and the statement
	slice []Stmt // what it needs; nil at the end of the innermost block
	size  int64
	at    Expr // the place among the values of an index
}

// tabled returns the statements that do the work of n with tables, nil where
// there is nothing to be looked up.
func (l *lowerer) tabled(n *Nest) []Stmt {
	space := spaceOf(n)
	if len(space) != 1 || !copies(n.Body) {
		return nil
	}
	d := space[0]
	lo, ok := intOf(d.Lo)
	hi, ok2 := intOf(d.Hi)
	if !ok || !ok2 || lo < 0 || hi-lo < tableTrips || hi > maxExtent {
		return nil
	}
	b := l.bitLinear(n.Body, d.Var)
	if b == nil {
		return nil
	}
	roots := b.roots()
	if len(roots) == 0 {
		return nil
	}
	var before, head []Stmt
	u, off := l.newVar("u", I64), l.newVar("off", I64)
	values := map[Expr]Expr{}
	for _, r := range roots {
		kind := r.x.Kind()
		if e := l.rangeOf(r.x); e.lo >= 0 && b.of(r.x)&isNatural != 0 {
			kind = narrowest(allBits(e))
		}
		table := &Buf{Name: "table", Elem: kind, Stack: r.size * tableLanes}
		p := l.newVar("p", I64)
		l.ranges[p] = interval{0, tableLanes - 1}
		before = append(before, &DeclBuf{Buf: table, Count: integer(table.Stack), Shape: []Expr{integer(table.Stack)}, At: n.At})
		before = append(before, &For{Var: p, Lo: integer(0), Hi: integer(tableLanes), Body: b.copyOf(r, &Use{p}, func(x, at Expr) Stmt {
			return &Store{table, add(mul(at, integer(tableLanes)), &Use{p}), convert(kind, x)}
		})})
		place := add(mul(r.at, integer(tableLanes)), &Binary{Sub, &Use{d.Var}, &Use{off}})
		block := mul(&Use{u}, integer(tableLanes))
		if len(r.path) == 1 {
			h := l.newVar("h", kind)
			head = append(head, &Decl{h, &Int{0, kind}})
			head = append(head, b.copyOf(r, block, func(x, _ Expr) Stmt { return &Assign{h, convert(kind, x)} })...)
			values[r.x] = convert(r.x.Kind(), &Binary{Xor, &Use{h}, &Load{table, place}})
			continue
		}
		h := &Buf{Name: "h", Elem: kind, Stack: r.size}
		head = append(head, &DeclBuf{Buf: h, Count: integer(r.size), Shape: []Expr{integer(r.size)}, At: n.At})
		head = append(head, b.copyOf(r, block, func(x, at Expr) Stmt { return &Store{h, at, convert(kind, x)} })...)
		values[r.x] = convert(r.x.Kind(), &Binary{Xor, &Load{h, r.at}, &Load{table, place}})
	}
	for _, r := range roots {
		replaceIn(r.path[len(r.path)-1], r.x, values[r.x])
	}
	from, to := l.newVar("from", I64), l.newVar("to", I64)
	first, last := (lo+b.c)/tableLanes, (hi-1+b.c)/tableLanes
	l.ranges[u] = interval{first, last}
	l.ranges[off] = interval{first*tableLanes - b.c, hi}
	l.ranges[from], l.ranges[to] = interval{lo, hi}, interval{lo, hi}
	inner, outer := *n, *n
	inner.Pre, inner.Post = nil, nil
	dims := []Dim{{d.Var, &Use{from}, &Use{to}}}
	blocks := []Dim{{u, integer(first), integer(last + 1)}}
	if n.Kind == SegRed {
		inner.Red, outer.Red = dims, blocks
	} else {
		inner.Dims, outer.Dims = dims, blocks
	}
	outer.Each = 0
	outer.Body = []Stmt{
		&Decl{off, &Binary{Sub, mul(&Use{u}, integer(tableLanes)), integer(b.c)}},
		&Decl{from, &Binary{Max, &Use{off}, integer(lo)}},
		&Decl{to, &Binary{Min, add(&Use{off}, integer(tableLanes)), integer(hi)}},
	}
	outer.Body = append(outer.Body, head...)
	outer.Body = append(outer.Body, &inner)
	if l.blocked == nil {
		l.blocked = map[*Nest]bool{}
	}
	l.blocked[&outer] = true
	return append(before, &outer)
}

// replaceIn puts y in the place of the expression x of s.
func replaceIn(s Stmt, x, y Expr) {
	var swap func(e Expr) Expr
	swap = func(e Expr) Expr {
		if e == x {
			return y
		}
		return mapOperands(e, swap)
	}
	switch s := s.(type) {
	case *Decl:
		s.Init = swap(s.Init)
	case *Assign:
		s.X = swap(s.X)
	case *Store:
		s.X = swap(s.X)
	case *If:
		s.Cond = swap(s.Cond)
	}
}
