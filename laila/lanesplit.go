package laila

import "sort"

// split runs a costly branch for the lanes of d:
//
//	if q[p] ≤ k: t[p] = f(q[p]) else t[p] = g(q[p])
//
// becomes, where f is the cheaper one and can be computed of everything,
//
//	segmap p = 0 … 64: t[p] = f(q[p])
//	n = 0
//	for p = 0 … 64: lanes[n] = p; n = n + (q[p] > k)
//	m = n, rounded up to 8; the lanes from n on are the first one once more
//	segmap p = 0 … m: q'[p] = q[lanes[p]]
//	segmap p = 0 … m: t'[p] = g(q'[p])
//	for p = 0 … n: t[lanes[p]] = t'[p]
func (lg *laner) split(d *laneDomain, it *laneSplit) []Stmt {
	var out []Stmt
	if it.dense != nil {
		elsewhere := map[*Var]bool{}
		if len(it.sides) == 1 {
			elsewhere = surely(it.sides[0].stmts)
		}
		c := lg.begin(d)
		cond := c.atom("c", c.expr(it.cond, nil))
		c.ifElse(cond, it.dense, nil, nil, elsewhere)
		out = append(out, c.nest())
	}
	// All lists are made before a side changes what the conditions depend on.
	counts := make([]*Var, len(it.sides))
	for k, s := range it.sides {
		var stmts []Stmt
		stmts, counts[k] = lg.lanesOf(d, s)
		out = append(out, stmts...)
	}
	for k, s := range it.sides {
		out = append(out, &If{&Binary{Gt, &Use{counts[k]}, integer(0)}, lg.side(d, s, counts[k]), nil})
	}
	return out
}

// lanesOf lists the lanes that take a side, and counts them.
func (lg *laner) lanesOf(d *laneDomain, s *laneSide) ([]Stmt, *Var) {
	n := lg.l.newVar("n", I64)
	lg.l.ranges[n] = interval{0, lg.count}
	c := lg.begin(d)
	lg.l.ranges[c.p] = interval{0, lg.count - 1}
	cond := c.expr(s.cond, nil)
	if d.outer == nil && lg.l.opts.Tile {
		return []Stmt{&Decl{n, integer(0)}, &Filter{Var: c.p, Lo: integer(0), Hi: d.size, MaskPre: c.out, Mask: cond,
			X: convert(I32, &Use{c.p}), Dst: s.dom.list, Count: n}}, n
	}
	body := append(c.out, &Store{s.dom.list, &Use{n}, convert(I32, &Use{c.p})}, &Assign{n, add(&Use{n}, convert(I64, cond))})
	hi := d.size
	if d.outer != nil { // the lanes that repeat the first one are left out
		hi = &Use{d.count}
	}
	return []Stmt{&Decl{n, integer(0)}, &For{Var: c.p, Lo: integer(0), Hi: hi, Body: body}}, n
}

// side runs a side for the n lanes of its list.
func (lg *laner) side(d *laneDomain, s *laneSide, n *Var) []Stmt {
	l, inner := lg.l, s.dom
	m := l.newVar("m", I64)
	l.ranges[m] = interval{0, lg.count + 7}
	inner.size, inner.count = &Use{m}, n
	q := l.newVar("p", I64)
	l.ranges[q] = interval{0, lg.count + 7}
	out := []Stmt{
		&Decl{m, &Binary{And, add(&Use{n}, integer(7)), integer(-8)}},
		&For{Var: q, Lo: &Use{n}, Hi: &Use{m}, Body: []Stmt{&Store{inner.list, &Use{q}, &Load{inner.list, integer(0)}}}},
	}
	read := newUses()
	read.block(s.stmts)
	for _, v := range lg.ordered(read.vars) {
		read.vars[lg.root(v)] = true
	}
	sure := surely(s.stmts)
	var gather, scatter []Stmt
	p := l.newVar("p", I64)
	l.ranges[p] = interval{0, lg.count + 7}
	at := convert(I64, &Load{inner.list, &Use{p}})
	changed := map[*Var]bool{}
	for _, v := range assignedIn(s.stmts) {
		changed[v] = true
	}
	for _, v := range inner.order {
		if inner.local[v] {
			continue
		}
		w := inner.wide[v]
		if read.vars[v] || !sure[v] {
			var x Expr
			if from := d.wide[v]; from != nil {
				x = &Load{from, at}
			} else { // the lane itself
				x = add(lg.base, at)
			}
			gather = append(gather, &Store{w, &Use{p}, x})
		}
		if changed[v] && d.wide[v] != nil {
			scatter = append(scatter, &Store{d.wide[v], at, &Load{w, &Use{p}}})
		}
	}
	if len(gather) > 0 {
		out = append(out, &Nest{Kind: SegMap, Dims: []Dim{{p, integer(0), &Use{m}}}, Body: gather, At: lg.n.At})
	}
	out = append(out, lg.emit(inner, s.items)...)
	if len(scatter) > 0 {
		out = append(out, &For{Var: p, Lo: integer(0), Hi: &Use{n}, Body: scatter})
	}
	return out
}

// chunk runs a statement for one lane after the other.
func (lg *laner) chunk(d *laneDomain, s Stmt) Stmt {
	c := lg.begin(d)
	copies := newCloner(lg.l)
	for v, x := range lg.copies.vars {
		copies.vars[v] = x
	}
	inside := newUses()
	inside.block([]Stmt{s})
	changed := assignedIn([]Stmt{s})
	local := func(v *Var) {
		if _, ok := copies.vars[v]; ok || !lg.varies[v] {
			return
		}
		var x Expr
		if !lg.unset[v] {
			x = c.use(v)
		}
		w := lg.l.twin(v)
		c.out = append(c.out, &Decl{w, x})
		copies.vars[v] = &Use{w}
	}
	for _, v := range lg.ordered(inside.vars) {
		if r := lg.root(v); d.wide[r] != nil || r == lg.lane {
			local(v)
		}
	}
	for _, v := range changed {
		if d.wide[v] != nil {
			local(v)
		}
	}
	copies.load = func(x *Load) Expr { return lg.place(x.Buf, x.Index, &Use{c.p}, nil) }
	copies.store = func(t *Store) *Store {
		w := lg.wide[t.Buf]
		if w == nil {
			return t
		}
		if !lg.rows[t.Buf] {
			return &Store{w, t.Index, t.X}
		}
		return &Store{w, add(mul(t.Index, integer(lg.count)), &Use{c.p}), convert(w.Elem, t.X)}
	}
	c.out = append(c.out, copies.stmt(s))
	for _, v := range changed {
		if w := d.wide[v]; w != nil {
			c.out = append(c.out, &Store{w, &Use{c.p}, copies.vars[v]})
		}
	}
	hi := d.size
	if d.outer != nil {
		hi = &Use{d.count}
	}
	return &For{Var: c.p, Lo: integer(0), Hi: hi, Body: c.out}
}

// ordered returns variables in the order in which they were made.
func (lg *laner) ordered(vars map[*Var]bool) []*Var {
	var out []*Var
	for v := range vars {
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return lg.l.seq[out[i]] < lg.l.seq[out[j]] })
	return out
}
