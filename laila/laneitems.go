package laila

import "strings"

// laneItem is a part of a body, as a group of lanes runs it.
type laneItem interface{ laneItem() }

type (
	// laneStraight is straight code: one loop over the lanes.
	laneStraight struct{ stmts []Stmt }
	// laneUniform is a statement that is the same for all lanes.
	laneUniform struct{ s Stmt }
	// laneLoop is a loop over a range that is the same for all lanes.
	laneLoop struct {
		s     *For
		items []laneItem
	}
	// laneBranch is a branch that all lanes take together.
	laneBranch struct {
		s         *If
		then, els []laneItem
	}
	// laneSplit is a costly branch: all lanes run dense, a side without effects,
	// as a selection; lanes that do not take it run the others brought together.
	laneSplit struct {
		cond  Expr // whether a lane takes dense
		dense []Stmt
		sides []*laneSide
	}
	// laneChunk is what is no vector code: each lane runs it by itself.
	laneChunk struct{ s Stmt }
	// laneTerm adds the terms of the lanes to an accumulator, in order.
	laneTerm struct {
		acc  *Var
		op   BinOp
		term *Var
		flag *Var // notes overflow, or nil
	}
)

// laneSide is a side of a branch that is run by the lanes that take it.
type laneSide struct {
	cond  Expr
	stmts []Stmt
	items []laneItem
	dom   *laneDomain
}

func (*laneStraight) laneItem() {}
func (*laneUniform) laneItem()  {}
func (*laneLoop) laneItem()     {}
func (*laneBranch) laneItem()   {}
func (*laneSplit) laneItem()    {}
func (*laneChunk) laneItem()    {}
func (*laneTerm) laneItem()     {}

// laneDomain is a set of lanes that run the same code: all of them, or those
// that take one side of a branch.
type laneDomain struct {
	outer *laneDomain
	list  *Buf                  // which lanes these are; nil for all
	size  Expr                  // how many there are, rounded up to 8
	count *Var                  // how many there are; nil for all
	in    map[*Var]map[int]bool // in which loops a variable is used
	wide  map[*Var]*Buf         // a row for each variable that is used in several
	order []*Var                // the variables of wide
	local map[*Var]bool         // declared by these lanes only
}

func (lg *laner) newDomain() *laneDomain {
	d := &laneDomain{in: map[*Var]map[int]bool{}, wide: map[*Var]*Buf{}, local: map[*Var]bool{}}
	lg.domains = append(lg.domains, d)
	return d
}

// use notes that a loop over the lanes of d uses v.
func (lg *laner) use(d *laneDomain, unit int, v *Var) {
	v = lg.root(v)
	if !lg.varies[v] || v == lg.lane && d.outer == nil {
		return
	}
	if d.in[v] == nil {
		d.in[v] = map[int]bool{}
	}
	d.in[v][unit] = true
	if d.wide[v] == nil && (len(d.in[v]) > 1 || d.outer != nil && !d.local[v]) {
		d.wide[v] = &Buf{Name: v.Name, Elem: v.Kind}
		d.order = append(d.order, v)
	}
}

// useAll notes the variables of statements.
func (lg *laner) useAll(d *laneDomain, unit int, block []Stmt) {
	for _, s := range block {
		switch s := s.(type) {
		case *Decl:
			if lg.root(s.Var) != s.Var {
				continue
			}
			d.local[s.Var] = true
			lg.use(d, unit, s.Var)
		case *Assign:
			lg.use(d, unit, s.Var)
		case *Checked:
			lg.use(d, unit, s.Var)
		case *For:
			d.local[s.Var] = true
			lg.use(d, unit, s.Var)
		}
		for _, x := range Exprs(s) {
			lg.useExpr(d, unit, x)
		}
		for _, inner := range Blocks(s) {
			lg.useAll(d, unit, *inner)
		}
	}
}

func (lg *laner) useExpr(d *laneDomain, unit int, x Expr) {
	if x == nil {
		return
	}
	if u, ok := x.(*Use); ok {
		lg.use(d, unit, u.Var)
	}
	for _, y := range Operands(x) {
		lg.useExpr(d, unit, y)
	}
}

func (lg *laner) unit() int {
	lg.units++
	return lg.units
}

// uniform reports whether a statement is the same for all lanes.
func (lg *laner) uniform(s Stmt) bool {
	switch s := s.(type) {
	case *Decl:
		return !lg.varies[s.Var]
	case *Assign:
		return !lg.varies[s.Var] && !lg.accs[s.Var] && !lg.flags[s.Var]
	case *Checked:
		return !lg.varies[s.Var] && !lg.sum[s]
	case *Store:
		return lg.private[s.Buf] > 0 && !lg.rows[s.Buf]
	case *If:
		return !lg.differs(s.Cond) && lg.allUniform(s.Then) && lg.allUniform(s.Else)
	case *For:
		return !lg.differs(s.Lo) && !lg.differs(s.Hi) && lg.allUniform(s.Body)
	}
	return false
}

func (lg *laner) allUniform(block []Stmt) bool {
	for _, s := range block {
		if !lg.uniform(s) {
			return false
		}
	}
	return true
}

// items takes a body apart. What is the same for all lanes and declared moves
// over straight code before it, which does not use it.
func (lg *laner) items(d *laneDomain, block []Stmt) ([]laneItem, bool) {
	var out []laneItem
	var straight *laneStraight
	unit := 0
	flush := func() {
		if straight != nil {
			out = append(out, straight)
		}
		straight = nil
	}
	plain := func(s Stmt) {
		if straight == nil {
			straight, unit = &laneStraight{}, lg.unit()
		}
		straight.stmts = append(straight.stmts, s)
		lg.useAll(d, unit, []Stmt{s})
	}
	total := func(it *laneTerm, x Expr) {
		v := lg.l.newVar("term", x.Kind())
		if v.Kind.exact() {
			lg.l.ranges[v] = lg.l.rangeOf(x)
		}
		lg.varies[v] = true
		plain(&Decl{v, x})
		flush()
		it.term = v
		out = append(out, it)
		lg.use(d, lg.unit(), v)
	}
	for k, s := range block {
		if decl, ok := s.(*Decl); ok && decl.Init == nil && k+1 < len(block) && surely(block[k+1 : k+2])[decl.Var] {
			lg.unset[decl.Var] = true
		}
		if lg.uniform(s) {
			if _, ok := s.(*Decl); !ok {
				flush()
			}
			out = append(out, &laneUniform{s})
			continue
		}
		switch s := s.(type) {
		case *Decl:
			if lg.root(s.Var) == s.Var {
				plain(s)
			}
		case *Assign:
			if x, ok := lg.term(s); ok {
				total(&laneTerm{acc: s.Var, op: x.Op}, x.Y)
			} else if c := lg.sums[s]; c != nil {
				total(&laneTerm{acc: s.Var, op: c.Op, flag: c.Flag}, c.Y)
			} else {
				plain(s)
			}
		case *Checked:
			if !lg.sum[s] {
				plain(s)
			}
		case *Store:
			if lg.private[s.Buf] == 0 && !lg.differs(s.Index) {
				return nil, false
			}
			plain(s)
		case *If:
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
		case *For:
			flush()
			if lg.differs(s.Lo) || lg.differs(s.Hi) {
				lg.useAll(d, lg.unit(), []Stmt{s})
				lg.serial += bodyWeight([]Stmt{s})
				out = append(out, &laneChunk{s})
				continue
			}
			inner, ok := lg.items(d, s.Body)
			if !ok {
				return nil, false
			}
			out = append(out, &laneLoop{s, inner})
		default:
			return nil, false
		}
	}
	flush()
	return out, true
}

// branch takes apart a branch that is no selection.
func (lg *laner) branch(d *laneDomain, s *If) (laneItem, bool) {
	if !lg.differs(s.Cond) {
		then, ok := lg.items(d, s.Then)
		els, ok2 := lg.items(d, s.Else)
		return &laneBranch{s, then, els}, ok && ok2
	}
	if !lg.gathers(s.Then) || !lg.gathers(s.Else) {
		lg.useAll(d, lg.unit(), []Stmt{s})
		lg.serial += bodyWeight([]Stmt{s})
		return &laneChunk{s}, true
	}
	lg.splits++
	cond := lg.definition(s.Cond)
	it := &laneSplit{cond: cond}
	sides := [][]Stmt{s.Then, s.Else}
	conds := []Expr{cond, not(cond)}
	first := 0
	if bodyWeight(s.Else) < bodyWeight(s.Then) {
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
		inner.list = &Buf{Name: "lanes", Elem: I32}
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
func (lg *laner) definition(x Expr) Expr {
	u, ok := x.(*Use)
	if !ok || lg.sets[u.Var] != 1 || lg.inits[u.Var] == nil {
		return x
	}
	b, ok := lg.inits[u.Var].(*Binary)
	if !ok || b.Op < Lt {
		return x
	}
	for _, y := range []Expr{b.X, b.Y} {
		if n, ok := y.(*Unary); ok && (n.Op == Abs || n.Op == Neg) {
			y = n.X
		}
		switch y := y.(type) {
		case *Int, *Float:
		case *Use:
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
func (lg *laner) gathers(block []Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *Decl, *Assign, *Checked:
		case *If:
			if !lg.gathers(s.Then) || !lg.gathers(s.Else) {
				return false
			}
		default:
			return false
		}
		for _, x := range Exprs(s) {
			if x != nil && lg.readsRows(x) {
				return false
			}
		}
	}
	return true
}

func (lg *laner) readsRows(x Expr) bool {
	found := false
	loadsOf(x, func(b *Buf) { found = found || lg.rows[b] })
	return found
}

// light reports whether a branch becomes a selection: both sides are cheap, and
// can be run by lanes that do not take them.
func (lg *laner) light(s *If) bool {
	return lg.total(s.Then) && lg.total(s.Else) && bodyWeight(s.Then)+bodyWeight(s.Else) <= laneWeight
}

// total reports whether a block can be run by lanes that do not take it.
func (lg *laner) total(block []Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *Decl, *Assign, *Checked:
		case *If:
			if !lg.light(s) {
				return false
			}
		default:
			return false
		}
		for _, x := range Exprs(s) {
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
	fmaFn: true, twiceFn: true, "exp": true, "log": true, "sin": true, "cos": true, "floor": true, "ceil": true, "pow": true, "tl_powd": true, "tl_signd": true, "tl_floord": true, "tl_ceild": true,
	"tl_floorx": true, "tl_ceilx": true, "tl_bad_lnd": true, "tl_bad_lnd_complex": true, "tl_bad_sqrtd": true, "tl_bad_recd": true, "tl_bad_powd_complex": true, "tl_bad_powd_zero": true,
	"tl_ltd": true, "tl_lted": true, "tl_gtd": true, "tl_gted": true, "tl_eqd": true, "tl_neqd": true, "tl_bad_toi": true, "tl_infinite": true,
}

// defined reports whether x has a value whatever its variables are.
func (lg *laner) defined(x Expr) bool {
	switch x := x.(type) {
	case *Load:
		if n := lg.lengthOf(x.Buf); n == 0 {
			return false
		}
	case *Convert:
		if x.X.Kind() == F64 && x.To != F64 {
			return false
		}
	case *Binary:
		if x.Op == Quo || x.Op == Rem {
			if n, ok := intOf(x.Y); !ok || n <= 0 {
				return false
			}
		}
		if x.Op == Shl || x.Op == Shr {
			if _, ok := intOf(x.Y); !ok {
				return false
			}
		}
	case *Math:
		if !totalMath[x.Fn] {
			return false
		}
	}
	for _, y := range Operands(x) {
		if y != nil && !lg.defined(y) {
			return false
		}
	}
	return true
}

// lengthOf returns the length of an array, 0 where it is not known.
func (lg *laner) lengthOf(b *Buf) int64 {
	if n := lg.private[b]; n > 0 {
		return n
	}
	if b.Stack > 0 {
		return b.Stack
	}
	for _, c := range lg.l.out.Consts {
		if c.Buf == b {
			return int64(max(len(c.Ints), len(c.Floats)))
		}
	}
	return 0
}

// bodyWeight is about what a block costs, in simple operations.
func bodyWeight(block []Stmt) int {
	n := 0
	for _, s := range block {
		for _, x := range Exprs(s) {
			if x != nil {
				n += exprWeight(x)
			}
		}
		for _, inner := range Blocks(s) {
			n += bodyWeight(*inner)
		}
	}
	return n
}

func exprWeight(x Expr) int {
	n := 0
	switch x := x.(type) {
	case *Load, *Unary, *Select, *Convert:
		n = 1
	case *Binary:
		n = 1
		if x.Op == Div || x.Op == Quo || x.Op == Rem {
			n = 6
		}
	case *Math:
		n = 12
		if fused(x) {
			n = 2
		} else if x.Fn == "tl_powd" || x.Fn == "pow" {
			n = 30
		} else if strings.HasPrefix(x.Fn, "tl_") {
			n = 3
		}
	}
	for _, y := range Operands(x) {
		if y != nil {
			n += exprWeight(y)
		}
	}
	return n
}
