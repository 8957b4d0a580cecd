package laila

import "maps"

// fits chooses how many lanes a group has, and makes the arrays of a group. It
// is not ok where they would take too much room.
func (lg *laner) fits(trips int64, known bool) bool {
	bytes := int64(0)
	for b, n := range lg.private {
		if lg.rows[b] {
			bytes += n * int64(width(rowKind(b.Elem)))
		}
	}
	for _, d := range lg.domains {
		for _, v := range d.order {
			bytes += int64(width(v.Kind))
		}
		bytes += 4
	}
	lg.count = laneCount
	for lg.count > 8 && (lg.count*bytes > laneBytes || known && lg.count > trips) {
		lg.count /= 2
	}
	if lg.count*bytes > 4*laneBytes {
		return false
	}
	for b, n := range lg.private {
		w := &Buf{Name: b.Name, Elem: b.Elem, Stack: n}
		if lg.rows[b] {
			w.Elem, w.Stack = rowKind(b.Elem), n*lg.count
		}
		lg.wide[b] = w
		if r, ok := lg.l.bufs[b]; ok {
			lg.l.bufs[w] = r
		}
		if s, ok := lg.l.bufSpans[b]; ok {
			lg.l.bufSpans[w] = s
		}
	}
	for _, d := range lg.domains {
		room := lg.count
		d.size = integer(lg.count)
		if d.outer != nil {
			room += 8
			d.size = nil
		}
		if d.list != nil {
			d.list.Stack = room
			lg.l.bufs[d.list] = interval{0, lg.count - 1}
		}
		for _, v := range d.order {
			w := d.wide[v]
			w.Stack = room
			if r, ok := lg.l.ranges[v]; ok {
				lg.l.bufs[w] = r.union(interval{})
			}
		}
	}
	return true
}

// rowKind is the kind in which the rows of an array of kind k are kept: numbers
// of few bits are computed with in 32.
func rowKind(k Kind) Kind {
	if k == I8 || k == I16 {
		return I32
	}
	return k
}

// nests returns the nest over groups and the one over the iterations that are
// left.
func (lg *laner) nests(top *laneDomain, items []laneItem, space []Dim) []Stmt {
	l, n := lg.l, lg.n
	d := space[len(space)-1]
	count := integer(lg.count)
	var out []Stmt
	out = append(out, n.Pre...)
	var groups, mid Expr
	if trips, ok := laneTrips(d); !l.opts.Tile {
		groups = &Binary{Quo, add(sub(d.Hi, d.Lo), integer(lg.count-1)), count}
		if ok {
			groups = integer((trips + lg.count - 1) / lg.count)
		}
	} else if ok {
		groups = integer(trips / lg.count)
		mid = add(d.Lo, integer(trips/lg.count*lg.count))
	} else {
		v, w := l.newVar("groups", I64), l.newVar("mid", I64)
		l.ranges[v] = interval{0, maxExtent}
		l.ranges[w] = interval{0, maxExtent}
		out = append(out, &Decl{v, &Binary{Max, &Binary{Quo, sub(d.Hi, d.Lo), count}, integer(0)}}, &Decl{w, add(d.Lo, mul(&Use{v}, count))})
		groups, mid = &Use{v}, &Use{w}
	}
	g, base := l.newVar("g", I64), l.newVar("base", I64)
	l.ranges[g] = interval{0, max(l.rangeOf(groups).hi-1, 0)}
	if r, ok := l.ranges[d.Var]; ok {
		l.ranges[base] = r
	}
	lg.base, lg.group = &Use{base}, g
	lg.copies = newCloner(l)
	lg.copies.load = func(x *Load) Expr { return lg.place(x.Buf, x.Index, nil, nil) }
	lg.copies.store = func(s *Store) *Store {
		if w := lg.wide[s.Buf]; w != nil {
			return &Store{w, s.Index, s.X}
		}
		return s
	}
	body := lg.rowDecls()
	body = append(body, &Decl{base, add(d.Lo, mul(&Use{g}, count))})
	body = append(body, lg.emit(top, items)...)
	if !l.opts.Tile {
		return lg.oneNest(body, groups, space)
	}
	grouped, rest := *n, *n
	grouped.Pre, grouped.Post, rest.Pre, rest.Post = nil, nil, nil, nil
	grouped.Body, grouped.Each = body, 0
	around := append([]Dim{}, space[:len(space)-1]...)
	dims := append(around[:len(around):len(around)], Dim{g, integer(0), groups})
	left := append(around[:len(around):len(around)], Dim{d.Var, mid, d.Hi})
	if n.Kind == SegRed {
		grouped.Red, rest.Red = dims, left
	} else {
		grouped.Dims, rest.Dims = dims, left
	}
	out = append(out, &grouped)
	if !same(mid, d.Hi) {
		out = append(out, &rest)
	}
	return append(out, n.Post...)
}

// oneNest returns the nest over groups, of which the last runs its iterations
// one after the other where there are too few: a kernel costs a launch.
func (lg *laner) oneNest(body []Stmt, groups Expr, space []Dim) []Stmt {
	n, last := lg.n, len(space)-1
	d := space[last]
	if trips, ok := laneTrips(d); !ok || trips%lg.count != 0 {
		at := len(body)
		for i, s := range body {
			if decl, ok := s.(*Decl); ok && isUse(lg.base, decl.Var) {
				at = i + 1
				break
			}
		}
		rest := &For{Var: d.Var, Lo: lg.base, Hi: d.Hi, Body: n.Body}
		whole := &Binary{Le, add(lg.base, integer(lg.count)), d.Hi}
		body = append(body[:at:at], &If{whole, body[at:], []Stmt{rest}})
	}
	one := *n
	one.Body, one.Each = body, 0
	dims := append(append([]Dim{}, space[:last]...), Dim{lg.group, integer(0), groups})
	if n.Kind == SegRed {
		one.Red = dims
	} else {
		one.Dims = dims
	}
	return []Stmt{&one}
}

// rowDecls declares the arrays of a group.
func (lg *laner) rowDecls() []Stmt {
	var out []Stmt
	decl := func(b *Buf) {
		n := integer(b.Stack)
		out = append(out, &DeclBuf{Buf: b, Count: n, Shape: []Expr{n}, At: lg.n.At})
	}
	for _, b := range lg.order {
		decl(lg.wide[b])
	}
	for _, d := range lg.domains {
		if d.list != nil {
			decl(d.list)
		}
		for _, v := range d.order {
			decl(d.wide[v])
		}
	}
	return out
}

// emit returns the statements that items come to for the lanes of d.
func (lg *laner) emit(d *laneDomain, items []laneItem) []Stmt {
	var out []Stmt
	for _, it := range items {
		switch it := it.(type) {
		case *laneStraight:
			c := lg.begin(d)
			c.block(it.stmts, nil)
			out = append(out, c.nest())
		case *laneUniform:
			out = append(out, lg.copies.stmt(it.s))
		case *laneLoop:
			lo, hi := lg.copies.expr(it.s.Lo), lg.copies.expr(it.s.Hi)
			v := lg.copies.fresh(it.s.Var)
			out = append(out, &For{Var: v, Lo: lo, Hi: hi, Body: lg.emit(d, it.items)})
		case *laneBranch:
			out = append(out, &If{lg.copies.expr(it.s.Cond), lg.emit(d, it.then), lg.emit(d, it.els)})
		case *laneSplit:
			out = append(out, lg.split(d, it)...)
		case *laneChunk:
			out = append(out, lg.chunk(d, it.s))
		case *laneTerm:
			p := lg.position(d)
			x := &Load{d.wide[it.term], &Use{p}}
			body := []Stmt{&Assign{it.acc, &Binary{it.op, &Use{it.acc}, x}}}
			if it.flag != nil {
				t := lg.l.newVar("t", it.acc.Kind)
				body = []Stmt{&Decl{t, nil}, &Checked{t, it.op, &Use{it.acc}, x, it.flag}, &Assign{it.acc, &Use{t}}}
			}
			out = append(out, &For{Var: p, Lo: integer(0), Hi: d.size, Body: body})
		}
	}
	return out
}

// position makes the variable of a loop over the lanes of d.
func (lg *laner) position(d *laneDomain) *Var {
	p := lg.l.newVar("p", I64)
	lg.l.ranges[p] = interval{0, lg.count + 7}
	if d.outer == nil {
		lg.l.ranges[p] = interval{0, lg.count - 1}
	}
	return p
}

// place is the element of an array at an index that has been translated; lane
// is the lane of rows. Where a mask says which lanes get there, other lanes
// stay within the array.
func (lg *laner) place(b *Buf, index, lane, mask Expr) Expr {
	if mask != nil {
		n := lg.lengthOf(b)
		if r := lg.l.rangeOf(index); r.lo < 0 || r.hi >= n {
			index = &Binary{Max, &Binary{Min, index, integer(n - 1)}, integer(0)}
		}
	}
	w := lg.wide[b]
	switch {
	case w == nil:
		return &Load{b, index}
	case !lg.rows[b]:
		return &Load{w, index}
	}
	return convert(b.Elem, &Load{w, add(mul(index, integer(lg.count)), lane)})
}

// laneCode is straight code for the lanes of a domain. Variables have one value
// each; env says which, at the current place.
type laneCode struct {
	lg    *laner
	d     *laneDomain
	p     *Var
	env   map[*Var]Expr
	out   []Stmt
	set   map[*Var]bool
	order []*Var // the variables of set
	flags []*Var
}

func (lg *laner) begin(d *laneDomain) *laneCode {
	return &laneCode{lg: lg, d: d, p: lg.position(d), env: map[*Var]Expr{}, set: map[*Var]bool{}}
}

// nest returns the loop over the lanes. What other loops use is stored.
func (c *laneCode) nest() Stmt {
	c.finish()
	return &Nest{Kind: SegMap, Dims: []Dim{{c.p, integer(0), c.d.size}}, Body: c.out, Flags: c.flags, At: c.lg.n.At}
}

func (c *laneCode) finish() {
	for _, v := range c.order {
		if w := c.d.wide[v]; w != nil {
			c.out = append(c.out, &Store{w, &Use{c.p}, c.use(v)})
		}
	}
}

// let gives v a value.
func (c *laneCode) let(v *Var, x Expr) {
	if !c.set[v] {
		c.set[v] = true
		c.order = append(c.order, v)
	}
	c.env[v] = c.atom(v.Name, x)
}

// atom returns x as a variable or a constant.
func (c *laneCode) atom(name string, x Expr) Expr {
	switch x.(type) {
	case *Use, *Int, *Float:
		return x
	}
	w := c.lg.l.newVar(name, x.Kind())
	if x.Kind().exact() {
		c.lg.l.ranges[w] = c.lg.l.rangeOf(x)
	}
	c.out = append(c.out, &Decl{w, x})
	return &Use{w}
}

// use returns the value of v.
func (c *laneCode) use(v *Var) Expr {
	v = c.lg.root(v)
	if x, ok := c.env[v]; ok {
		return x
	}
	var x Expr
	switch w := c.d.wide[v]; {
	case w != nil:
		x = &Load{w, &Use{c.p}}
	case v == c.lg.lane:
		x = add(c.lg.base, &Use{c.p})
	case c.lg.varies[v]:
		return zeroOf(v.Kind) // not set yet
	default:
		if y, ok := c.lg.copies.vars[v]; ok {
			return y
		}
		return &Use{v}
	}
	w := c.lg.l.twin(v)
	if r, ok := c.lg.l.ranges[w]; ok && c.lg.declared[v] && c.lg.inits[v] == nil { // some lanes may not have set it
		c.lg.l.ranges[w] = r.union(interval{})
	}
	c.out = append(c.out, &Decl{w, x})
	c.env[v] = &Use{w}
	return c.env[v]
}

// expr translates x for the lanes that mask has.
func (c *laneCode) expr(x, mask Expr) Expr {
	switch x := x.(type) {
	case *Use:
		return c.use(x.Var)
	case *Load:
		return c.lg.place(x.Buf, c.expr(x.Index, mask), &Use{c.p}, mask)
	case *Convert:
		y := c.expr(x.X, mask)
		if n, ok := y.(*Convert); ok && n.To == x.X.Kind() {
			if ld, ok := n.X.(*Load); ok && rangeFits(n.To, c.lg.l.rangeOf(ld)) {
				return convert(x.To, ld) // a row is kept in more bits
			}
		}
		return convert(x.To, y)
	}
	return foldIndex(mapOperands(x, func(y Expr) Expr { return c.expr(y, mask) }))
}

func (c *laneCode) block(block []Stmt, mask Expr) {
	for _, s := range block {
		switch s := s.(type) {
		case *Decl:
			switch {
			case c.lg.root(s.Var) != s.Var:
			case s.Init != nil:
				c.let(s.Var, c.expr(s.Init, mask))
			case !c.lg.unset[s.Var]:
				c.let(s.Var, zeroOf(s.Var.Kind))
			}
		case *Assign:
			if x, ok := c.lg.noted(s); ok {
				c.raise(s.Var, c.expr(x, mask), mask)
				continue
			}
			c.let(s.Var, c.expr(s.X, mask))
		case *Checked:
			c.checked(s, mask)
		case *Store:
			c.store(s, mask)
		case *If:
			cond := c.atom("c", c.expr(s.Cond, mask))
			c.ifElse(cond, s.Then, s.Else, mask, nil)
		}
	}
}

// raise ORs x into a flag, for the lanes that mask has.
func (c *laneCode) raise(flag *Var, x, mask Expr) {
	if mask != nil {
		x = and(mask, x)
	}
	c.out = append(c.out, &Assign{flag, &Binary{Or, &Use{flag}, x}})
	for _, f := range c.flags {
		if f == flag {
			return
		}
	}
	c.flags = append(c.flags, flag)
}

func (c *laneCode) checked(s *Checked, mask Expr) {
	x, y := c.expr(s.X, mask), c.expr(s.Y, mask)
	w, f := c.lg.l.twin(s.Var), c.lg.l.newVar("over", U8)
	c.out = append(c.out, &Decl{w, nil}, &Decl{f, boolean(false)}, &Checked{w, s.Op, x, y, f})
	c.raise(s.Flag, &Use{f}, mask)
	c.let(s.Var, &Use{w})
}

func (c *laneCode) store(s *Store, mask Expr) {
	index, x := c.expr(s.Index, mask), c.expr(s.X, mask)
	w := c.lg.wide[s.Buf]
	switch {
	case w == nil:
		c.out = append(c.out, &Store{s.Buf, index, x})
		return
	case w.Elem != s.Buf.Elem:
		if y, ok := x.(*Convert); ok && y.X.Kind() != F64 && rangeFits(y.To, c.lg.l.rangeOf(y.X)) {
			x = y.X
		}
		x = convert(w.Elem, x)
	}
	c.out = append(c.out, &Store{w, add(mul(index, integer(c.lg.count)), &Use{c.p}), x})
}

// ifElse runs both sides, each for its lanes, and selects what they set. What
// else sets in any case is not selected.
func (c *laneCode) ifElse(cond Expr, then, els []Stmt, mask Expr, elsewhere map[*Var]bool) {
	both := func(x Expr) Expr {
		if mask == nil {
			return x
		}
		return c.atom("c", and(mask, x))
	}
	saved := c.env
	side := func(block []Stmt, mask Expr) map[*Var]Expr {
		c.env = maps.Clone(saved)
		c.block(block, mask)
		env := c.env
		c.env = maps.Clone(saved)
		return env
	}
	one := side(then, both(cond))
	other := saved
	if len(els) > 0 {
		other = side(els, both(c.atom("c", not(cond))))
	}
	c.env = maps.Clone(saved)
	for _, v := range assignedIn(append(append([]Stmt{}, then...), els...)) {
		x, ok := one[v]
		if !ok {
			x = c.use(v)
		}
		y, ok := other[v]
		if elsewhere[v] {
			y = x
		} else if !ok {
			y = c.use(v)
		}
		c.let(v, choose(cond, x, y))
	}
}

// assignedIn returns the variables that a block assigns and does not declare.
func assignedIn(block []Stmt) []*Var {
	declared, seen := map[*Var]bool{}, map[*Var]bool{}
	var order []*Var
	var visit func(block []Stmt)
	visit = func(block []Stmt) {
		for _, s := range block {
			var v *Var
			switch s := s.(type) {
			case *Decl:
				declared[s.Var] = true
			case *Assign:
				v = s.Var
				if x, ok := s.X.(*Binary); ok && x.Op == Or && v.Kind == U8 && isUse(x.X, v) {
					v = nil // a flag
				}
			case *Checked:
				v = s.Var
			}
			if v != nil && !seen[v] && !declared[v] {
				seen[v] = true
				order = append(order, v)
			}
			for _, inner := range Blocks(s) {
				visit(*inner)
			}
		}
	}
	visit(block)
	return order
}

// surely returns the variables that a block assigns whatever happens.
func surely(block []Stmt) map[*Var]bool {
	set := map[*Var]bool{}
	for _, s := range block {
		switch s := s.(type) {
		case *Assign:
			set[s.Var] = true
		case *Checked:
			set[s.Var] = true
		case *If:
			then, els := surely(s.Then), surely(s.Else)
			for v := range then {
				if els[v] {
					set[v] = true
				}
			}
		}
	}
	return set
}
