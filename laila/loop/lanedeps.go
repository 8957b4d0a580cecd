package loop

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// owns reports whether a body sets nothing from outside but flags and
// accumulators, each in its own way, and reads no array from outside that it
// writes.
func (lg *laner) owns(block []ir.Stmt) bool {
	stored, loaded := map[*ir.Buf]bool{}, map[*ir.Buf]bool{}
	ok := true
	var visit func(block []ir.Stmt)
	visit = func(block []ir.Stmt) {
		for _, s := range block {
			own := false
			if s, isAssign := s.(*ir.Assign); isAssign {
				_, isFlag := lg.noted(s)
				_, isSum := lg.term(s)
				own = isFlag || isSum || lg.sums[s] != nil
				ok = ok && (lg.declared[s.Var] || own)
			}
			if c, isChecked := s.(*ir.Checked); isChecked {
				own = lg.sum[c]
			}
			for _, x := range ir.Exprs(s) {
				if x != nil {
					ir.EachLoad(x, func(b *ir.Buf) { loaded[b] = true })
					ok = ok && (own || !lg.reads(x))
				}
			}
			switch s := s.(type) {
			case *ir.Checked:
				ok = ok && lg.declared[s.Var]
			case *ir.Store:
				if lg.private[s.Buf] == 0 {
					stored[s.Buf] = true
				}
			}
			for _, inner := range ir.Blocks(s) {
				visit(*inner)
			}
		}
	}
	visit(block)
	for b := range stored {
		ok = ok && !loaded[b]
	}
	return ok
}

// noted returns what an assignment ORs into a flag.
func (lg *laner) noted(s *ir.Assign) (ir.Expr, bool) {
	x, ok := s.X.(*ir.Binary)
	if !lg.flags[s.Var] || !ok || x.Op != ir.OpOr || !ir.IsUse(x.X, s.Var) || lg.reads(x.Y) {
		return nil, false
	}
	return x.Y, true
}

// term returns the operation and the term with which an assignment updates an
// accumulator.
func (lg *laner) term(s *ir.Assign) (*ir.Binary, bool) {
	x, ok := s.X.(*ir.Binary)
	if !lg.accs[s.Var] || !ok || !ir.IsUse(x.X, s.Var) || lg.reads(x.Y) {
		return nil, false
	}
	return x, true
}

// checkedSums finds the terms that are added to accumulators with a test of
// overflow:
//
//	t, overflow bad = acc + x
//	acc = t
func (lg *laner) checkedSums(body []ir.Stmt) {
	for k := 0; k+1 < len(body); k++ {
		c, ok := body[k].(*ir.Checked)
		if !ok {
			continue
		}
		u, isVar := c.X.(*ir.Use)
		a, ok := body[k+1].(*ir.Assign)
		if ok && isVar && lg.accs[u.Var] && a.Var == u.Var && ir.IsUse(a.X, c.Var) && lg.flags[c.Flag] && !lg.reads(c.Y) && !flow.ReadsVar(body[k+2:], c.Var) {
			lg.sums[a], lg.sum[c] = c, true
		}
	}
}

// reads reports whether x mentions a flag or an accumulator.
func (lg *laner) reads(x ir.Expr) bool {
	if u, ok := x.(*ir.Use); ok && (lg.flags[u.Var] || lg.accs[u.Var]) {
		return true
	}
	for _, y := range ir.Operands(x) {
		if y != nil && lg.reads(y) {
			return true
		}
	}
	return false
}

// vary notes what differs from lane to lane; it reports whether that is more
// than before. Where under is true, whether the block runs at all does.
func (lg *laner) vary(block []ir.Stmt, under bool) bool {
	changed := false
	mark := func(v *ir.Var, on bool) {
		if on && !lg.varies[v] && !lg.flags[v] && !lg.accs[v] {
			lg.varies[v], changed = true, true
		}
	}
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			mark(s.Var, under || s.Init != nil && lg.differs(s.Init))
		case *ir.Assign:
			mark(s.Var, under || lg.differs(s.X))
		case *ir.Checked:
			mark(s.Var, under || lg.differs(s.X) || lg.differs(s.Y))
		case *ir.Store:
			if lg.private[s.Buf] > 0 && !lg.rows[s.Buf] && (under || lg.differs(s.X) || lg.differs(s.Index)) {
				lg.rows[s.Buf], changed = true, true
			}
		case *ir.If:
			// A selection sets what it sets for each lane, also where all agree.
			c := under || lg.differs(s.Cond) || !lg.uniform(s) && lg.light(s)
			changed = lg.vary(s.Then, c) || changed
			changed = lg.vary(s.Else, c) || changed
		case *ir.For:
			c := under || lg.differs(s.Lo) || lg.differs(s.Hi)
			mark(s.Var, c)
			changed = lg.vary(s.Body, c) || changed
		case *ir.Loop:
			changed = lg.vary(s.Body, true) || changed
		}
	}
	return changed
}

// differs reports whether x differs from lane to lane.
func (lg *laner) differs(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Use:
		return lg.varies[x.Var]
	case *ir.Load:
		if lg.rows[x.Buf] {
			return true
		}
	}
	for _, y := range ir.Operands(x) {
		if y != nil && lg.differs(y) {
			return true
		}
	}
	return false
}

// laneSteps is the most steps of a loop that groups of lanes run together, if
// it reads arrays from outside: longer ones are vector code by themselves.
const laneSteps = 16

// rowSteps is the most steps of a recurrence whose lanes read arrays from outside at
// places that are not neighbours, each a row; few lanes do so for more, as many rows as
// processors fetch ahead.
const rowSteps = 1024

// strided reports whether a body has long loops that are vector code by themselves, or
// loops that read (loads) or write (stores) arrays from outside at places that are not
// neighbours for neighbouring lanes. Those that a long recurrence reads want few lanes.
func (lg *laner) strided(block []ir.Stmt, loads, stores, long bool) bool {
	for _, s := range block {
		if loads || long {
			for _, x := range ir.Exprs(s) {
				if x != nil && lg.jumps(x) {
					if loads {
						return true
					}
					lg.few = true
				}
			}
		}
		if st, ok := s.(*ir.Store); ok && stores && lg.private[st.Buf] == 0 && lg.stepOf(st.Index) > 1 {
			return true
		}
		in, out, deep := loads, stores, long
		if f, ok := s.(*ir.For); ok && lg.copied[f.Var] {
			continue
		} else if ok {
			n, known := ir.Trips(ir.Dim{Var: f.Var, Lo: f.Lo, Hi: f.Hi})
			switch {
			case !lg.orders[f.Var] && recurs(f) && !lg.differs(f.Lo) && !lg.differs(f.Hi):
				out, deep = true, long || lg.l.RangeOf(f.Hi).Hi-lg.l.RangeOf(f.Lo).Lo > rowSteps
			case !known || n > 4*laneSteps || n > laneSteps && lg.readsOutside(f.Body):
				return true
			default:
				in, out = true, true
			}
		}
		for _, inner := range ir.Blocks(s) {
			if lg.strided(*inner, in, out, deep) {
				return true
			}
		}
	}
	return false
}

// recurs reports whether a loop computes numbers from those of the step before, other
// than sums, products, minima and maxima: such a loop is no vector code by itself.
func recurs(f *ir.For) bool {
	declared, reads, sums := map[*ir.Var]bool{}, map[*ir.Var]int{}, map[*ir.Var]int{}
	var set []*ir.Var
	ir.Walk(f.Body, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				ir.EachUse(x, func(v *ir.Var) { reads[v]++ })
			}
		}
		switch s := s.(type) {
		case *ir.Decl:
			declared[s.Var] = true
		case *ir.Assign:
			set = append(set, s.Var)
			if addsTo(s.Var, s.X) {
				sums[s.Var]++
			}
		}
	})
	for _, v := range set {
		if !declared[v] && reads[v] > sums[v] {
			return true
		}
	}
	return false
}

// addsTo reports whether x joins v and a term.
func addsTo(v *ir.Var, x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Binary:
		return joins[x.Op] && (ir.IsUse(x.X, v) || ir.IsUse(x.Y, v))
	case *ir.Math:
		return x.Fn == ir.FmaFn && ir.IsUse(x.Args[2], v)
	}
	return false
}

// joins are the operations that C compilers make vector code of where they join the
// terms of a loop.
var joins = map[ir.BinOp]bool{ir.OpAdd: true, ir.OpMul: true, ir.OpMin: true, ir.OpMax: true, ir.OpAnd: true, ir.OpOr: true, ir.OpXor: true}

// readsOutside reports whether a block reads arrays from outside.
func (lg *laner) readsOutside(block []ir.Stmt) bool {
	found := false
	for _, s := range block {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				ir.EachLoad(x, func(b *ir.Buf) { found = found || lg.private[b] == 0 })
			}
		}
		for _, inner := range ir.Blocks(s) {
			found = found || lg.readsOutside(*inner)
		}
	}
	return found
}

// jumps reports whether x reads an array from outside in steps.
func (lg *laner) jumps(x ir.Expr) bool {
	if ld, ok := x.(*ir.Load); ok && lg.private[ld.Buf] == 0 && lg.stepOf(ld.Index) > 1 {
		return true
	}
	for _, y := range ir.Operands(x) {
		if y != nil && lg.jumps(y) {
			return true
		}
	}
	return false
}

// stepOf is how far an index of one lane is from that of the lane before: 0
// for the same place, or where that depends on data, 2 for more than 1.
func (lg *laner) stepOf(x ir.Expr) int {
	switch x := x.(type) {
	case *ir.Use:
		if x.Var == lg.lane {
			return 1
		}
		if lg.varies[x.Var] && lg.sets[x.Var] == 1 && lg.inits[x.Var] != nil {
			step, known := lg.steps[x.Var]
			if !known {
				step = lg.stepOf(lg.inits[x.Var])
				lg.steps[x.Var] = step
			}
			return step
		}
	case *ir.Convert:
		return lg.stepOf(x.X)
	case *ir.Binary:
		a, b := lg.stepOf(x.X), lg.stepOf(x.Y)
		switch x.Op {
		case ir.OpAdd, ir.OpSub:
			return min(a+b, 2)
		case ir.OpMul:
			if a+b > 0 {
				return 2
			}
		}
	}
	return 0
}
