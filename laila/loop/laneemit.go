package loop

import (
	"maps"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// fits chooses how many lanes a group has, and makes the arrays of a group. It
// is not ok where they would take too much room.
func (lg *laner) fits(trips int64, known bool) bool {
	bytes := int64(0)
	for b, n := range lg.private {
		if lg.rows[b] {
			bytes += n * int64(ir.Width(rowKind(b.Elem)))
		}
	}
	for _, d := range lg.domains {
		for _, v := range d.order {
			bytes += int64(ir.Width(v.Kind))
		}
		bytes += 4
	}
	lg.count = laneCount
	if lg.few {
		lg.count = fewLanes
	}
	for lg.count > 8 && (lg.count*bytes > laneBytes || known && lg.count > trips) {
		lg.count /= 2
	}
	if lg.count*bytes > 4*laneBytes {
		return false
	}
	if known {
		lg.count = evenLanes(lg.count, trips)
	}
	for b, n := range lg.private {
		w := &ir.Buf{Name: b.Name, Elem: b.Elem, Stack: n}
		if lg.rows[b] {
			w.Elem, w.Stack = rowKind(b.Elem), n*lg.count
		}
		lg.wide[b] = w
		if r, ok := lg.l.Bufs[b]; ok {
			lg.l.Bufs[w] = r
		}
		if s, ok := lg.l.BufSpans[b]; ok {
			lg.l.BufSpans[w] = s
		}
	}
	for _, d := range lg.domains {
		room := lg.count
		d.size = ir.Integer(lg.count)
		if d.outer != nil {
			room += 8
			d.size = nil
		}
		if d.list != nil {
			d.list.Stack = room
			lg.l.Bufs[d.list] = facts.Between(0, lg.count-1)
		}
		for _, v := range d.order {
			w := d.wide[v]
			w.Stack = room
			if r, ok := lg.l.Ranges[v]; ok {
				lg.l.Bufs[w] = r.Union(facts.Interval{})
			}
		}
	}
	return true
}

// evenLanes returns the number of lanes, most or less, that leaves few of the iterations,
// which run one after the other and take about eight times as long.
func evenLanes(most, trips int64) int64 {
	best := most
	for count := most; count >= max(most/2, 8); count -= 8 {
		if 8*(trips%best-trips%count) > trips/16 {
			best = count
		}
	}
	return best
}

// rowKind is the kind in which the rows of an array of kind k are kept: numbers
// of few bits are computed with in 32.
func rowKind(k ir.Kind) ir.Kind {
	if k == ir.I8 || k == ir.I16 {
		return ir.I32
	}
	return k
}

// nests returns the nest over groups and the one over the iterations that are
// left.
func (lg *laner) nests(top *laneDomain, items []laneItem, space []ir.Dim) []ir.Stmt {
	l, n := lg.l, lg.n
	d := space[len(space)-1]
	count := ir.Integer(lg.count)
	var out []ir.Stmt
	out = append(out, n.Pre...)
	var groups, mid ir.Expr
	if trips, ok := ir.Trips(d); !l.CPU() {
		groups = ir.OpQuo.Of(ir.Add(ir.Sub(d.Hi, d.Lo), ir.Integer(lg.count-1)), count)
		if ok {
			groups = ir.Integer((trips + lg.count - 1) / lg.count)
		}
	} else if ok {
		groups = ir.Integer(trips / lg.count)
		mid = ir.Add(d.Lo, ir.Integer(trips/lg.count*lg.count))
	} else {
		v, w := l.NewVar("groups", ir.I64), l.NewVar("mid", ir.I64)
		l.Ranges[v] = facts.Between(0, facts.MaxExtent)
		l.Ranges[w] = facts.Between(0, facts.MaxExtent)
		out = append(out, v.Decl(ir.OpMax.Of(ir.OpQuo.Of(ir.Sub(d.Hi, d.Lo), count), ir.Integer(0))), w.Decl(ir.Add(d.Lo, ir.Mul(v.Use(), count))))
		groups, mid = v.Use(), w.Use()
	}
	g, base := l.NewVar("g", ir.I64), l.NewVar("base", ir.I64)
	l.Ranges[g] = facts.Between(0, max(l.RangeOf(groups).Hi-1, 0))
	if r, ok := l.Ranges[d.Var]; ok {
		l.Ranges[base] = r
	}
	lg.base, lg.group = base.Use(), g
	lg.copies = l.NewCloner()
	lg.copies.Load = func(x *ir.Load) ir.Expr { return lg.place(x.Buf, x.Index, nil, nil) }
	lg.copies.Store = func(s *ir.Store) *ir.Store {
		if w := lg.wide[s.Buf]; w != nil {
			return w.Store(s.Index, s.X)
		}
		return s
	}
	body := lg.rowDecls()
	body = append(body, base.Decl(ir.Add(d.Lo, ir.Mul(g.Use(), count))))
	body = append(body, lg.emit(top, items)...)
	if !l.CPU() {
		return lg.oneNest(body, groups, space)
	}
	grouped, rest := *n, *n
	grouped.Pre, grouped.Post, rest.Pre, rest.Post = nil, nil, nil, nil
	grouped.Body, grouped.Each = body, 0
	around := append([]ir.Dim{}, space[:len(space)-1]...)
	dims := append(around[:len(around):len(around)], ir.Dim{Var: g, Lo: ir.Integer(0), Hi: groups})
	left := append(around[:len(around):len(around)], ir.Dim{Var: d.Var, Lo: mid, Hi: d.Hi})
	if n.Kind == ir.SegRed {
		grouped.Red, rest.Red = dims, left
	} else {
		grouped.Dims, rest.Dims = dims, left
	}
	out = append(out, &grouped)
	if !ir.Same(mid, d.Hi) {
		out = append(out, &rest)
	}
	return append(out, n.Post...)
}

// oneNest returns the nest over groups, of which the last runs its iterations
// one after the other where there are too few: a kernel costs a launch.
func (lg *laner) oneNest(body []ir.Stmt, groups ir.Expr, space []ir.Dim) []ir.Stmt {
	n, last := lg.n, len(space)-1
	d := space[last]
	if trips, ok := ir.Trips(d); !ok || trips%lg.count != 0 {
		at := len(body)
		for i, s := range body {
			if decl, ok := s.(*ir.Decl); ok && ir.IsUse(lg.base, decl.Var) {
				at = i + 1
				break
			}
		}
		rest := &ir.For{Var: d.Var, Lo: lg.base, Hi: d.Hi, Body: n.Body}
		whole := ir.OpLe.Of(ir.Add(lg.base, ir.Integer(lg.count)), d.Hi)
		body = append(body[:at:at], &ir.If{Cond: whole, Then: body[at:], Else: []ir.Stmt{rest}})
	}
	one := *n
	one.Body, one.Each = body, 0
	dims := append(append([]ir.Dim{}, space[:last]...), ir.Dim{Var: lg.group, Lo: ir.Integer(0), Hi: groups})
	if n.Kind == ir.SegRed {
		one.Red = dims
	} else {
		one.Dims = dims
	}
	return []ir.Stmt{&one}
}

// rowDecls declares the arrays of a group.
func (lg *laner) rowDecls() []ir.Stmt {
	var out []ir.Stmt
	decl := func(b *ir.Buf) {
		n := ir.Integer(b.Stack)
		out = append(out, &ir.DeclBuf{Buf: b, Count: n, Shape: []ir.Expr{n}, At: lg.n.At})
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
func (lg *laner) emit(d *laneDomain, items []laneItem) []ir.Stmt {
	var out []ir.Stmt
	for _, it := range items {
		switch it := it.(type) {
		case *laneStraight:
			c := lg.begin(d)
			c.block(it.stmts, nil)
			out = append(out, c.nest())
		case *laneUniform:
			out = append(out, lg.copies.Stmt(it.s))
		case *laneLoop:
			lo, hi := lg.copies.Expr(it.s.Lo), lg.copies.Expr(it.s.Hi)
			v := lg.copies.Fresh(it.s.Var)
			out = append(out, &ir.For{Var: v, Lo: lo, Hi: hi, Body: lg.emit(d, it.items)})
		case *laneWhile:
			out = append(out, lg.emitWhile(d, it))
		case *laneBranch:
			out = append(out, &ir.If{Cond: lg.copies.Expr(it.s.Cond), Then: lg.emit(d, it.then), Else: lg.emit(d, it.els)})
		case *laneSplit:
			out = append(out, lg.split(d, it)...)
		case *laneTerm:
			p := lg.position(d)
			x := ir.ConvertTo(it.term.Kind, d.wide[it.term].Load(p.Use()))
			body := []ir.Stmt{it.acc.Assign(it.op.Of(it.acc.Use(), x))}
			if it.flag != nil {
				t := lg.l.NewVar("t", it.acc.Kind)
				body = []ir.Stmt{t.Decl(nil), &ir.Checked{Var: t, Op: it.op, X: it.acc.Use(), Y: x, Flag: it.flag}, it.acc.Assign(t.Use())}
			}
			out = append(out, &ir.For{Var: p, Lo: ir.Integer(0), Hi: d.size, Body: body})
		}
	}
	return out
}

// position makes the variable of a loop over the lanes of d.
func (lg *laner) position(d *laneDomain) *ir.Var {
	p := lg.l.NewVar("p", ir.I64)
	lg.l.Ranges[p] = facts.Between(0, lg.count+7)
	if d.outer == nil {
		lg.l.Ranges[p] = facts.Between(0, lg.count-1)
	}
	return p
}

// place is the element of an array at an index that has been translated; lane
// is the lane of rows. Where a mask says which lanes get there, other lanes
// stay within the array.
func (lg *laner) place(b *ir.Buf, index, lane, mask ir.Expr) ir.Expr {
	if mask != nil {
		n := lg.lengthOf(b)
		if r := lg.l.RangeOf(index); r.Lo < 0 || r.Hi >= n {
			index = ir.OpMax.Of(ir.OpMin.Of(index, ir.Integer(n-1)), ir.Integer(0))
		}
	}
	w := lg.wide[b]
	switch {
	case w == nil:
		return b.Load(index)
	case !lg.rows[b]:
		return w.Load(index)
	}
	return ir.ConvertTo(b.Elem, w.Load(ir.Add(ir.Mul(index, ir.Integer(lg.count)), lane)))
}

// laneCode is straight code for the lanes of a domain. Variables have one value
// each; env says which, at the current place.
type laneCode struct {
	lg    *laner
	d     *laneDomain
	p     *ir.Var
	env   map[*ir.Var]ir.Expr
	out   []ir.Stmt
	set   map[*ir.Var]bool
	order []*ir.Var // the variables of set
	flags []*ir.Var
}

func (lg *laner) begin(d *laneDomain) *laneCode {
	return &laneCode{lg: lg, d: d, p: lg.position(d), env: map[*ir.Var]ir.Expr{}, set: map[*ir.Var]bool{}}
}

// nest returns the loop over the lanes. What other loops use is stored.
func (c *laneCode) nest() ir.Stmt {
	c.finish()
	return &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: c.p, Lo: ir.Integer(0), Hi: c.d.size}}, Body: c.out, Flags: c.flags, At: c.lg.n.At}
}

func (c *laneCode) finish() {
	for _, v := range c.order {
		if w := c.d.wide[v]; w != nil {
			c.out = append(c.out, w.Store(c.p.Use(), ir.ConvertTo(w.Elem, c.use(v))))
		}
	}
}

// let gives v a value.
func (c *laneCode) let(v *ir.Var, x ir.Expr) {
	if !c.set[v] {
		c.set[v] = true
		c.order = append(c.order, v)
	}
	c.env[v] = c.atom(v.Name, x)
}

// atom returns x as a variable or a constant.
func (c *laneCode) atom(name string, x ir.Expr) ir.Expr {
	switch x.(type) {
	case *ir.Use, *ir.Int, *ir.Float:
		return x
	}
	w := c.lg.l.NewVar(name, x.Kind())
	if x.Kind().Exact() {
		c.lg.l.Ranges[w] = c.lg.l.RangeOf(x)
	}
	c.out = append(c.out, w.Decl(x))
	return w.Use()
}

// use returns the value of v.
func (c *laneCode) use(v *ir.Var) ir.Expr {
	v = c.lg.root(v)
	if x, ok := c.env[v]; ok {
		return x
	}
	var x ir.Expr
	switch w := c.d.wide[v]; {
	case w != nil:
		x = ir.ConvertTo(v.Kind, w.Load(c.p.Use()))
	case v == c.lg.lane:
		x = ir.Add(c.lg.base, c.p.Use())
	case c.lg.varies[v]:
		return ir.Zero(v.Kind) // not set yet
	default:
		if y, ok := c.lg.copies.Vars[v]; ok {
			return y
		}
		return v.Use()
	}
	w := c.lg.l.Twin(v)
	if r, ok := c.lg.l.Ranges[w]; ok && c.lg.declared[v] && c.lg.inits[v] == nil { // some lanes may not have set it
		c.lg.l.Ranges[w] = r.Union(facts.Interval{})
	}
	c.out = append(c.out, w.Decl(x))
	c.env[v] = w.Use()
	return c.env[v]
}

// expr translates x for the lanes that mask has.
func (c *laneCode) expr(x, mask ir.Expr) ir.Expr {
	switch x := x.(type) {
	case *ir.Use:
		return c.use(x.Var)
	case *ir.Load:
		return c.lg.place(x.Buf, c.expr(x.Index, mask), c.p.Use(), mask)
	case *ir.Binary:
		if _, constant := ir.IntOf(x.Y); (x.Op == ir.OpQuo || x.Op == ir.OpRem) && !constant && c.lg.dividesDoubles(x) {
			return c.lg.quotient(x.Op, c.expr(x.X, mask), c.expr(x.Y, mask))
		}
		if k, ok := wideKinds[x.X.Kind()]; ok && wideOps[x.Op] {
			y := x.Op.Of(c.lg.widened(k, c.expr(x.X, mask)), c.lg.widened(k, c.expr(x.Y, mask)))
			if x.Op >= ir.OpLt {
				return y
			}
			return ir.ConvertTo(x.Kind(), y)
		}
	case *ir.Convert:
		return c.lg.widened(x.To, c.expr(x.X, mask))
	}
	return ir.FoldIndex(ir.MapOperands(x, func(y ir.Expr) ir.Expr { return c.expr(y, mask) }))
}

// wideKinds are the kinds in which lanes compute with numbers of few bits, wideOps the
// operations: vector code of numbers of several widths takes them apart and together.
var (
	wideKinds = map[ir.Kind]ir.Kind{ir.I8: ir.I32, ir.I16: ir.I32, ir.C8: ir.C32}
	wideOps   = map[ir.BinOp]bool{ir.OpAdd: true, ir.OpSub: true, ir.OpMul: true, ir.OpMin: true, ir.OpMax: true, ir.OpLt: true, ir.OpLe: true, ir.OpGt: true, ir.OpGe: true, ir.OpEq: true, ir.OpNe: true}
)

// widened converts x, of few bits where more stand for it.
func (lg *laner) widened(to ir.Kind, x ir.Expr) ir.Expr {
	if n, ok := x.(*ir.Convert); ok && n.X.Kind() == wideKinds[n.To] && facts.Fits(n.To, lg.l.RangeOf(n.X)) {
		x = n.X
	}
	return ir.ConvertTo(to, x)
}

func (c *laneCode) block(block []ir.Stmt, mask ir.Expr) {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			switch {
			case c.lg.root(s.Var) != s.Var:
			case s.Init != nil:
				c.let(s.Var, c.expr(s.Init, mask))
			case !c.lg.unset[s.Var]:
				c.let(s.Var, ir.Zero(s.Var.Kind))
			}
		case *ir.Assign:
			if x, ok := c.lg.noted(s); ok {
				c.raise(s.Var, c.expr(x, mask), mask)
				continue
			}
			c.let(s.Var, c.expr(s.X, mask))
		case *ir.Checked:
			c.checked(s, mask)
		case *ir.Store:
			c.store(s, mask)
		case *ir.If:
			cond := c.atom("c", c.expr(s.Cond, mask))
			c.ifElse(cond, s.Then, s.Else, mask, nil)
		}
	}
}

// raise ORs x into a flag, for the lanes that mask has.
func (c *laneCode) raise(flag *ir.Var, x, mask ir.Expr) {
	if mask != nil {
		x = ir.And(mask, x)
	}
	c.out = append(c.out, flag.Assign(ir.OpOr.Of(flag.Use(), x)))
	for _, f := range c.flags {
		if f == flag {
			return
		}
	}
	c.flags = append(c.flags, flag)
}

func (c *laneCode) checked(s *ir.Checked, mask ir.Expr) {
	x, y := c.expr(s.X, mask), c.expr(s.Y, mask)
	w, f := c.lg.l.Twin(s.Var), c.lg.l.NewVar("over", ir.U8)
	c.out = append(c.out, w.Decl(nil), f.Decl(ir.Boolean(false)), &ir.Checked{Var: w, Op: s.Op, X: x, Y: y, Flag: f})
	c.raise(s.Flag, f.Use(), mask)
	c.let(s.Var, w.Use())
}

func (c *laneCode) store(s *ir.Store, mask ir.Expr) {
	index, x := c.expr(s.Index, mask), c.expr(s.X, mask)
	w := c.lg.wide[s.Buf]
	switch {
	case w == nil:
		c.out = append(c.out, s.Buf.Store(index, x))
		return
	case w.Elem != s.Buf.Elem:
		if y, ok := x.(*ir.Convert); ok && y.X.Kind() != ir.F64 && facts.Fits(y.To, c.lg.l.RangeOf(y.X)) {
			x = y.X
		}
		x = ir.ConvertTo(w.Elem, x)
	}
	c.out = append(c.out, w.Store(ir.Add(ir.Mul(index, ir.Integer(c.lg.count)), c.p.Use()), x))
}

// ifElse runs both sides, each for its lanes, and selects what they set. What
// else sets in any case is not selected.
func (c *laneCode) ifElse(cond ir.Expr, then, els []ir.Stmt, mask ir.Expr, elsewhere map[*ir.Var]bool) {
	both := func(x ir.Expr) ir.Expr {
		if mask == nil {
			return x
		}
		return c.atom("c", ir.And(mask, x))
	}
	saved := c.env
	side := func(block []ir.Stmt, mask ir.Expr) map[*ir.Var]ir.Expr {
		c.env = maps.Clone(saved)
		c.block(block, mask)
		env := c.env
		c.env = maps.Clone(saved)
		return env
	}
	one := side(then, both(cond))
	other := saved
	if len(els) > 0 {
		other = side(els, both(c.atom("c", ir.Not(cond))))
	}
	c.env = maps.Clone(saved)
	for _, v := range flow.AssignedIn(append(append([]ir.Stmt{}, then...), els...)) {
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
		c.let(v, ir.Choose(cond, x, y))
	}
}
