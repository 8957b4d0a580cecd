package loop

import (
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// laneItem is a part of a body, as a group of lanes runs it.
type laneItem interface{ laneItem() }

type (
	// laneStraight is straight code: one loop over the lanes.
	laneStraight struct{ stmts []ir.Stmt }
	// laneUniform is a statement that is the same for all lanes.
	laneUniform struct{ s ir.Stmt }
	// laneLoop is a loop over a range that is the same for all lanes.
	laneLoop struct {
		s     *ir.For
		items []laneItem
	}
	// laneBranch is a branch that all lanes take together.
	laneBranch struct {
		s         *ir.If
		then, els []laneItem
	}
	// laneSplit is a costly branch: all lanes run dense, a side without effects,
	// as a selection; lanes that do not take it run the others brought together.
	laneSplit struct {
		cond  ir.Expr // whether a lane takes dense
		dense []ir.Stmt
		sides []*laneSide
	}
	// laneTerm adds the terms of the lanes to an accumulator, in order.
	laneTerm struct {
		acc  *ir.Var
		op   ir.BinOp
		term *ir.Var
		flag *ir.Var // notes overflow, or nil
	}
)

// laneSide is a side of a branch that is run by the lanes that take it.
type laneSide struct {
	cond  ir.Expr
	stmts []ir.Stmt
	items []laneItem
	dom   *laneDomain
}

func (*laneStraight) laneItem() {}
func (*laneUniform) laneItem()  {}
func (*laneLoop) laneItem()     {}
func (*laneBranch) laneItem()   {}
func (*laneSplit) laneItem()    {}
func (*laneTerm) laneItem()     {}

// laneDomain is a set of lanes that run the same code: all of them, or those
// that take one side of a branch.
type laneDomain struct {
	outer *laneDomain
	list  *ir.Buf                  // which lanes these are; nil for all
	size  ir.Expr                  // how many there are, rounded up to 8
	count *ir.Var                  // how many there are; nil for all
	in    map[*ir.Var]map[int]bool // in which loops a variable is used
	wide  map[*ir.Var]*ir.Buf      // a row for each variable that is used in several
	order []*ir.Var                // the variables of wide
	local map[*ir.Var]bool         // declared by these lanes only
}

func (lg *laner) newDomain() *laneDomain {
	d := &laneDomain{in: map[*ir.Var]map[int]bool{}, wide: map[*ir.Var]*ir.Buf{}, local: map[*ir.Var]bool{}}
	lg.domains = append(lg.domains, d)
	return d
}

// use notes that a loop over the lanes of d uses v.
func (lg *laner) use(d *laneDomain, unit int, v *ir.Var) {
	v = lg.root(v)
	if !lg.varies[v] || v == lg.lane && d.outer == nil {
		return
	}
	if d.in[v] == nil {
		d.in[v] = map[int]bool{}
	}
	d.in[v][unit] = true
	if d.wide[v] == nil && (len(d.in[v]) > 1 || d.outer != nil && !d.local[v]) {
		d.wide[v] = &ir.Buf{Name: v.Name, Elem: lg.rowOf(v)}
		d.order = append(d.order, v)
	}
}

// rowOf is the kind in which a row has the values of v.
func (lg *laner) rowOf(v *ir.Var) ir.Kind {
	if r, ok := lg.l.Ranges[v]; ok && v.Kind == ir.I64 && facts.Fits(ir.I32, r.Union(facts.Interval{})) {
		return ir.I32
	}
	return v.Kind
}

// useAll notes the variables of statements.
func (lg *laner) useAll(d *laneDomain, unit int, block []ir.Stmt) {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			if lg.root(s.Var) != s.Var {
				continue
			}
			d.local[s.Var] = true
			lg.use(d, unit, s.Var)
		case *ir.Assign:
			lg.use(d, unit, s.Var)
		case *ir.Checked:
			lg.use(d, unit, s.Var)
		case *ir.For:
			d.local[s.Var] = true
			lg.use(d, unit, s.Var)
		}
		for _, x := range ir.Exprs(s) {
			lg.useExpr(d, unit, x)
		}
		for _, inner := range ir.Blocks(s) {
			lg.useAll(d, unit, *inner)
		}
	}
}

func (lg *laner) useExpr(d *laneDomain, unit int, x ir.Expr) {
	if x == nil {
		return
	}
	if u, ok := x.(*ir.Use); ok {
		lg.use(d, unit, u.Var)
	}
	for _, y := range ir.Operands(x) {
		lg.useExpr(d, unit, y)
	}
}

func (lg *laner) unit() int {
	lg.units++
	return lg.units
}

// uniform reports whether a statement is the same for all lanes.
func (lg *laner) uniform(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Decl:
		return !lg.varies[s.Var]
	case *ir.Assign:
		return !lg.varies[s.Var] && !lg.accs[s.Var] && !lg.flags[s.Var]
	case *ir.Checked:
		return !lg.varies[s.Var] && !lg.sum[s]
	case *ir.Store:
		return lg.private[s.Buf] > 0 && !lg.rows[s.Buf]
	case *ir.If:
		return !lg.differs(s.Cond) && lg.allUniform(s.Then) && lg.allUniform(s.Else)
	case *ir.For:
		return !lg.differs(s.Lo) && !lg.differs(s.Hi) && lg.allUniform(s.Body)
	}
	return false
}

func (lg *laner) allUniform(block []ir.Stmt) bool {
	for _, s := range block {
		if !lg.uniform(s) {
			return false
		}
	}
	return true
}

// items takes a body apart. What is the same for all lanes and declared moves
// over straight code before it, which does not use it.
func (lg *laner) items(d *laneDomain, block []ir.Stmt) ([]laneItem, bool) {
	var out []laneItem
	var straight *laneStraight
	unit := 0
	flush := func() {
		if straight != nil {
			out = append(out, straight)
		}
		straight = nil
	}
	plain := func(s ir.Stmt) {
		if straight == nil {
			straight, unit = &laneStraight{}, lg.unit()
		}
		straight.stmts = append(straight.stmts, s)
		lg.useAll(d, unit, []ir.Stmt{s})
	}
	total := func(it *laneTerm, x ir.Expr) {
		v := lg.l.NewVar("term", x.Kind())
		if v.Kind.Exact() {
			lg.l.Ranges[v] = lg.l.RangeOf(x)
		}
		lg.varies[v] = true
		plain(v.Decl(x))
		flush()
		it.term = v
		out = append(out, it)
		lg.use(d, lg.unit(), v)
	}
	for k, s := range block {
		if decl, ok := s.(*ir.Decl); ok && decl.Init == nil && k+1 < len(block) && flow.SurelyAssigned(block[k+1 : k+2])[decl.Var] {
			lg.unset[decl.Var] = true
		}
		if lg.uniform(s) {
			if _, ok := s.(*ir.Decl); !ok {
				flush()
			}
			out = append(out, &laneUniform{s})
			continue
		}
		switch s := s.(type) {
		case *ir.Decl:
			if lg.root(s.Var) == s.Var {
				plain(s)
			}
		case *ir.Assign:
			if x, ok := lg.term(s); ok {
				total(&laneTerm{acc: s.Var, op: x.Op}, x.Y)
			} else if c := lg.sums[s]; c != nil {
				total(&laneTerm{acc: s.Var, op: c.Op, flag: c.Flag}, c.Y)
			} else {
				plain(s)
			}
		case *ir.Checked:
			if !lg.sum[s] {
				plain(s)
			}
		case *ir.Store:
			if lg.private[s.Buf] == 0 && !lg.differs(s.Index) {
				return nil, false
			}
			plain(s)
		case *ir.If:
			if lg.light(s) {
				plain(s)
				continue
			}
			flush()
			item, ok := lg.branch(d, s)
			if !ok {
				return nil, false
			}
			out = append(out, item)
		case *ir.For:
			flush()
			if lg.differs(s.Lo) || lg.differs(s.Hi) {
				return nil, false
			}
			inner, ok := lg.items(d, s.Body)
			if !ok {
				return nil, false
			}
			out = append(out, &laneLoop{s, inner})
		case *ir.Loop:
			flush()
			item, ok := lg.whileItem(d, s)
			if !ok {
				return nil, false
			}
			out = append(out, item)
		default:
			return nil, false
		}
	}
	flush()
	return out, true
}

// branch takes apart a branch that is no selection.
func (lg *laner) branch(d *laneDomain, s *ir.If) (laneItem, bool) {
	if !lg.differs(s.Cond) {
		then, ok := lg.items(d, s.Then)
		els, ok2 := lg.items(d, s.Else)
		return &laneBranch{s, then, els}, ok && ok2
	}
	if !lg.gathers(s.Then) || !lg.gathers(s.Else) {
		return nil, false
	}
	lg.splits++
	cond := lg.definition(s.Cond)
	it := &laneSplit{cond: cond}
	sides := [][]ir.Stmt{s.Then, s.Else}
	conds := []ir.Expr{cond, ir.Not(cond)}
	first := 0
	if cost.BodyWeight(s.Else) < cost.BodyWeight(s.Then) {
		first = 1
	}
	if lg.total(sides[first]) {
		it.cond, it.dense = conds[first], sides[first]
		unit := lg.unit()
		lg.useExpr(d, unit, it.cond)
		lg.useAll(d, unit, it.dense)
		sides, conds = sides[1-first:2-first], conds[1-first:2-first]
	}
	for k, side := range sides {
		if len(side) == 0 {
			continue
		}
		lg.useExpr(d, lg.unit(), conds[k])
		inner := lg.newDomain()
		inner.outer = d
		inner.list = &ir.Buf{Name: "lanes", Elem: ir.I32}
		items, ok := lg.items(inner, side)
		if !ok {
			return nil, false
		}
		unit := lg.unit()
		for _, v := range inner.order {
			if !inner.local[v] {
				lg.use(d, unit, v)
			}
		}
		it.sides = append(it.sides, &laneSide{conds[k], side, items, inner})
	}
	return it, true
}

// definition returns what the variable that x is was declared as, where that
// is a comparison of variables that are set once.
func (lg *laner) definition(x ir.Expr) ir.Expr {
	u, ok := x.(*ir.Use)
	if !ok || lg.sets[u.Var] != 1 || lg.inits[u.Var] == nil {
		return x
	}
	b, ok := lg.inits[u.Var].(*ir.Binary)
	if !ok || b.Op < ir.OpLt {
		return x
	}
	for _, y := range []ir.Expr{b.X, b.Y} {
		if n, ok := y.(*ir.Unary); ok && (n.Op == ir.OpAbs || n.Op == ir.OpNeg) {
			y = n.X
		}
		switch y := y.(type) {
		case *ir.Int, *ir.Float:
		case *ir.Use:
			if lg.sets[y.Var] != 1 && lg.declared[y.Var] {
				return x
			}
		default:
			return x
		}
	}
	return b
}

// gathers reports whether a block can be run by lanes that are brought
// together: it has neither loops nor arrays of the lanes.
func (lg *laner) gathers(block []ir.Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Checked:
		case *ir.If:
			if !lg.gathers(s.Then) || !lg.gathers(s.Else) {
				return false
			}
		default:
			return false
		}
		for _, x := range ir.Exprs(s) {
			if x != nil && lg.readsRows(x) {
				return false
			}
		}
	}
	return true
}

func (lg *laner) readsRows(x ir.Expr) bool {
	found := false
	ir.EachLoad(x, func(b *ir.Buf) { found = found || lg.rows[b] })
	return found
}

// light reports whether a branch becomes a selection: both sides are cheap, and
// can be run by lanes that do not take them.
func (lg *laner) light(s *ir.If) bool {
	return lg.total(s.Then) && lg.total(s.Else) && cost.BodyWeight(s.Then)+cost.BodyWeight(s.Else) <= laneWeight
}

// total reports whether a block can be run by lanes that do not take it.
func (lg *laner) total(block []ir.Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Checked:
		case *ir.If:
			if !lg.light(s) {
				return false
			}
		default:
			return false
		}
		for _, x := range ir.Exprs(s) {
			if x != nil && !lg.defined(x) {
				return false
			}
		}
	}
	return true
}

// totalMath are functions that every argument has a result of, and that are
// vector code.
var totalMath = map[string]bool{
	ir.FmaFn: true, ir.TwiceFn: true, "exp": true, "log": true, "sin": true, "cos": true, "floor": true, "ceil": true, "pow": true, "tl_powd": true, "tl_signd": true, "tl_floord": true, "tl_ceild": true,
	"tl_floorx": true, "tl_ceilx": true, "tl_bad_lnd": true, "tl_bad_lnd_complex": true, "tl_bad_sqrtd": true, "tl_bad_recd": true, "tl_bad_powd_complex": true, "tl_bad_powd_zero": true,
	"tl_ltd": true, "tl_lted": true, "tl_gtd": true, "tl_gted": true, "tl_eqd": true, "tl_neqd": true, "tl_bad_toi": true, "tl_infinite": true, "tl_resn": true,
}

// defined reports whether x has a value whatever its variables are.
func (lg *laner) defined(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Load:
		if n := lg.lengthOf(x.Buf); n == 0 {
			return false
		}
	case *ir.Convert:
		if x.X.Kind() == ir.F64 && x.To != ir.F64 {
			return false
		}
	case *ir.Binary:
		if x.Op == ir.OpQuo || x.Op == ir.OpRem {
			if n, ok := ir.IntOf(x.Y); ok && n <= 0 || !ok && !lg.dividesDoubles(x) {
				return false
			}
		}
		if x.Op == ir.OpShl || x.Op == ir.OpShr {
			if _, ok := ir.IntOf(x.Y); !ok {
				return false
			}
		}
	case *ir.Math:
		if !totalMath[x.Fn] {
			return false
		}
	}
	for _, y := range ir.Operands(x) {
		if y != nil && !lg.defined(y) {
			return false
		}
	}
	return true
}

// dividesDoubles reports whether a quotient or a remainder by a variable is one of 32 bits,
// which vector code finds by dividing doubles: their quotients are never rounded up to the
// next integer.
func (lg *laner) dividesDoubles(x *ir.Binary) bool {
	by := lg.l.RangeOf(x.Y)
	return lg.l.CPU() && by.Lo > 0 && facts.Fits(ir.I32, by) && facts.Fits(ir.I32, lg.l.RangeOf(x.X))
}

// quotient is a quotient or a remainder that dividesDoubles allows; lanes that do not need
// it may divide by 0.
func (lg *laner) quotient(op ir.BinOp, x, y ir.Expr) ir.Expr {
	a, b := ir.ConvertTo(ir.I32, x), ir.ConvertTo(ir.I32, y)
	q := &ir.Math{Fn: "tl_quov", K: ir.I32, Args: []ir.Expr{a, b}}
	if op == ir.OpRem {
		q.Fn = "tl_remv"
		if lg.l.RangeOf(x).Within(0, 1<<22-1) && lg.l.RangeOf(y).Hi < 1<<22 {
			q.Fn, q.Args = "tl_resn", []ir.Expr{b, a}
		}
	}
	return ir.ConvertTo(x.Kind(), q)
}

// lengthOf returns the length of an array, 0 where it is not known.
func (lg *laner) lengthOf(b *ir.Buf) int64 {
	if n := lg.private[b]; n > 0 {
		return n
	}
	if b.Stack > 0 {
		return b.Stack
	}
	for _, c := range lg.l.Out.Consts {
		if c.Buf == b {
			return int64(max(len(c.Ints), len(c.Floats)))
		}
	}
	return 0
}
