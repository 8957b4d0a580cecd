package loop

import (
	"sort"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

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
func (lg *laner) split(d *laneDomain, it *laneSplit) []ir.Stmt {
	var out []ir.Stmt
	if it.dense != nil {
		elsewhere := map[*ir.Var]bool{}
		if len(it.sides) == 1 {
			elsewhere = flow.SurelyAssigned(it.sides[0].stmts)
		}
		c := lg.begin(d)
		cond := c.atom("c", c.expr(it.cond, nil))
		c.ifElse(cond, it.dense, nil, nil, elsewhere)
		out = append(out, c.nest())
	}
	// All lists are made before a side changes what the conditions depend on.
	counts := make([]*ir.Var, len(it.sides))
	for k, s := range it.sides {
		var stmts []ir.Stmt
		stmts, counts[k] = lg.lanesOf(d, s)
		out = append(out, stmts...)
	}
	for k, s := range it.sides {
		out = append(out, &ir.If{Cond: ir.OpGt.Of(counts[k].Use(), ir.Integer(0)), Then: lg.side(d, s, counts[k])})
	}
	return out
}

// lanesOf lists the lanes that take a side, and counts them.
func (lg *laner) lanesOf(d *laneDomain, s *laneSide) ([]ir.Stmt, *ir.Var) {
	n := lg.l.NewVar("n", ir.I64)
	lg.l.Ranges[n] = facts.Between(0, lg.count)
	c := lg.begin(d)
	lg.l.Ranges[c.p] = facts.Between(0, lg.count-1)
	cond := c.expr(s.cond, nil)
	if d.outer == nil && lg.l.CPU() {
		return []ir.Stmt{n.Decl(ir.Integer(0)), &ir.Filter{Var: c.p, Lo: ir.Integer(0), Hi: d.size, MaskPre: c.out, Mask: cond,
			X: ir.ConvertTo(ir.I32, c.p.Use()), Dst: s.dom.list, Count: n, Room: d.size}}, n
	}
	body := append(c.out, s.dom.list.Store(n.Use(), ir.ConvertTo(ir.I32, c.p.Use())), n.Assign(ir.Add(n.Use(), ir.ConvertTo(ir.I64, cond))))
	hi := d.size
	if d.outer != nil { // the lanes that repeat the first one are left out
		hi = d.count.Use()
	}
	return []ir.Stmt{n.Decl(ir.Integer(0)), &ir.For{Var: c.p, Lo: ir.Integer(0), Hi: hi, Body: body}}, n
}

// side runs a side for the n lanes of its list.
func (lg *laner) side(d *laneDomain, s *laneSide, n *ir.Var) []ir.Stmt {
	l, inner := lg.l, s.dom
	m := l.NewVar("m", ir.I64)
	l.Ranges[m] = facts.Between(0, lg.count+7)
	inner.size, inner.count = m.Use(), n
	q := l.NewVar("p", ir.I64)
	l.Ranges[q] = facts.Between(0, lg.count+7)
	out := []ir.Stmt{
		m.Decl(ir.OpAnd.Of(ir.Add(n.Use(), ir.Integer(7)), ir.Integer(-8))),
		&ir.For{Var: q, Lo: n.Use(), Hi: m.Use(), Body: []ir.Stmt{inner.list.Store(q.Use(), inner.list.Load(ir.Integer(0)))}},
	}
	read := flow.NewUses()
	read.Block(s.stmts)
	for _, v := range lg.ordered(read.Vars) {
		read.Vars[lg.root(v)] = true
	}
	sure := flow.SurelyAssigned(s.stmts)
	var gather, scatter []ir.Stmt
	p := l.NewVar("p", ir.I64)
	l.Ranges[p] = facts.Between(0, lg.count+7)
	at := ir.ConvertTo(ir.I64, inner.list.Load(p.Use()))
	changed := map[*ir.Var]bool{}
	for _, v := range flow.AssignedIn(s.stmts) {
		changed[v] = true
	}
	for _, v := range inner.order {
		if inner.local[v] {
			continue
		}
		w := inner.wide[v]
		if read.Vars[v] || !sure[v] {
			var x ir.Expr
			if from := d.wide[v]; from != nil {
				x = from.Load(at)
			} else { // the lane itself
				x = ir.Add(lg.base, at)
			}
			gather = append(gather, w.Store(p.Use(), ir.ConvertTo(w.Elem, x)))
		}
		if changed[v] && d.wide[v] != nil {
			scatter = append(scatter, d.wide[v].Store(at, w.Load(p.Use())))
		}
	}
	if len(gather) > 0 {
		out = append(out, &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: p, Lo: ir.Integer(0), Hi: m.Use()}}, Body: gather, At: lg.n.At})
	}
	out = append(out, lg.emit(inner, s.items)...)
	if len(scatter) > 0 {
		out = append(out, &ir.For{Var: p, Lo: ir.Integer(0), Hi: n.Use(), Body: scatter})
	}
	return out
}

// ordered returns variables in the order in which they were made.
func (lg *laner) ordered(vars map[*ir.Var]bool) []*ir.Var {
	var out []*ir.Var
	for v := range vars {
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}
