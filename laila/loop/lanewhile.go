package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A loop that a test ends is left by some lanes before others. Each lane has a number that
// says whether it is still in the loop; a step computes all lanes, and selects for those
// that have left it what they had:
//
//	loop                   var on = 1
//	  break if x > limit   loop
//	  x = x × y              break if on is 0 in all lanes
//	                         for each lane
//	                           if on
//	                             if x > limit: on = 0
//	                             if on: x = x × y

// whileOn returns a loop of numbers that a test ends as one that runs while a variable,
// which is declared before it, is not 0: its body is a BreakIf, and a branch. Lanes that a
// mask leaves out, where it is not nil, do not enter it.
func (lg *laner) whileOn(s *ir.Loop, mask ir.Expr) ([]ir.Stmt, bool) {
	w := &whileLoop{on: lg.l.NewVar("on", ir.I32)}
	first, steps := ir.ConvertTo(ir.I32, ir.Integer(1)), s.Body
	if v, rest := lg.goesOn(s); v != nil {
		w.was, first, steps = v, ir.ConvertTo(ir.I32, v.Use()), rest
	}
	if mask != nil {
		first = ir.Choose(mask, first, ir.Zero(ir.I32))
	}
	body, ok := w.block(steps)
	if !ok {
		return nil, false
	}
	lg.l.Ranges[w.on] = facts.Between(0, 1)
	return []ir.Stmt{w.on.Decl(first), &ir.Loop{Body: []ir.Stmt{&ir.BreakIf{Cond: ir.Not(w.runs())}, &ir.If{Cond: w.runs(), Then: body}}}}, true
}

// masked returns a block as the lanes that a mask has run it, without branches around loops.
func (lg *laner) masked(block []ir.Stmt, mask ir.Expr) ([]ir.Stmt, bool) {
	var out []ir.Stmt
	for _, s := range block {
		some, ok := lg.underMask(s, mask)
		if !ok {
			return nil, false
		}
		out = append(out, some...)
	}
	return out, true
}

// maskedBranch returns a branch that has a loop as both its sides under masks; mask is nil
// where all lanes come to it.
func (lg *laner) maskedBranch(s *ir.If, mask ir.Expr) ([]ir.Stmt, bool) {
	then, els := lg.l.NewVar("c", ir.U8), lg.l.NewVar("c", ir.U8)
	cond, other := s.Cond, ir.Not(s.Cond)
	if mask != nil {
		cond, other = ir.And(mask, cond), ir.And(mask, other)
	}
	one, ok := lg.masked(s.Then, then.Use())
	two, ok2 := lg.masked(s.Else, els.Use())
	return append(append([]ir.Stmt{then.Decl(cond), els.Decl(other)}, one...), two...), ok && ok2
}

// underMask is masked for one statement. All lanes compute what it declares.
func (lg *laner) underMask(s ir.Stmt, mask ir.Expr) ([]ir.Stmt, bool) {
	if branch, ok := s.(*ir.If); ok && ir.Has[*ir.Loop]([]ir.Stmt{s}) {
		return lg.maskedBranch(branch, mask)
	}
	switch s := s.(type) {
	case *ir.Comment:
		return nil, true
	case *ir.Loop:
		return lg.whileOn(s, mask)
	case *ir.Decl:
		ok := s.Init == nil || !ir.LoadsMemory(s.Init) && lg.defined(s.Init)
		return []ir.Stmt{s}, ok
	case *ir.Assign, *ir.Checked, *ir.If:
		some, ok := lg.normal([]ir.Stmt{s})
		return []ir.Stmt{&ir.If{Cond: mask, Then: some}}, ok
	}
	return nil, false
}

// goesOn returns the number that says before each step of a loop whether there is one, which
// only the loop reads, and the step.
func (lg *laner) goesOn(s *ir.Loop) (*ir.Var, []ir.Stmt) {
	body := slices.DeleteFunc(slices.Clone(s.Body), func(s ir.Stmt) bool { _, ok := s.(*ir.Comment); return ok })
	if len(body) < 3 {
		return nil, nil
	}
	more, isDecl := body[0].(*ir.Decl)
	set, isSet := body[1].(*ir.Assign)
	leave, isLeave := body[2].(*ir.BreakIf)
	if !isDecl || !isSet || !isLeave || set.Var != more.Var || !ir.Same(leave.Cond, ir.Not(more.Var.Use())) || flow.ReadsVar(body[3:], more.Var) {
		return nil, nil
	}
	on, ok := set.X.(*ir.Use)
	if !ok || on.Var.Kind != ir.U8 || readsOf(lg.n.Body, on.Var) != readsOf(s.Body, on.Var) {
		return nil, nil
	}
	return on.Var, body[3:]
}

// readsOf is how often a block reads v.
func readsOf(block []ir.Stmt, v *ir.Var) int {
	n := 0
	ir.Walk(block, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				ir.EachUse(x, func(u *ir.Var) {
					if u == v {
						n++
					}
				})
			}
		}
	})
	return n
}

// whileLoop is a loop that is written with a number, on, that is not 0 until it is left: 32
// bits, as C compilers make no vector code of selections between bytes beside wider numbers.
type whileLoop struct{ on, was *ir.Var }

func (w *whileLoop) runs() ir.Expr { return ir.OpNe.Of(w.on.Use(), ir.Zero(ir.I32)) }

// sets is the assignment of a truth value to on.
func (w *whileLoop) sets(x ir.Expr) ir.Stmt { return w.on.Assign(ir.ConvertTo(ir.I32, x)) }

// block returns a block in which on is cleared where the loop is left, and of which the
// rest is not run then.
func (w *whileLoop) block(block []ir.Stmt) ([]ir.Stmt, bool) {
	var out []ir.Stmt
	for i, s := range block {
		leaves := false
		switch s := s.(type) {
		case *ir.Comment:
			continue
		case *ir.Decl, *ir.Checked:
			out = append(out, s)
		case *ir.Assign:
			if s.Var == w.was {
				out = append(out, w.sets(s.X))
			} else {
				out = append(out, s)
			}
		case *ir.BreakIf:
			out, leaves = append(out, w.on.Assign(ir.Choose(s.Cond, ir.Zero(ir.I32), w.on.Use()))), true
		case *ir.If:
			then, ok := w.block(s.Then)
			els, ok2 := w.block(s.Else)
			if !ok || !ok2 {
				return nil, false
			}
			out, leaves = append(out, &ir.If{Cond: s.Cond, Then: then, Else: els}), ir.Has[*ir.BreakIf](s.Then) || ir.Has[*ir.BreakIf](s.Else)
		default:
			return nil, false
		}
		for _, x := range ir.Exprs(s) {
			if x != nil && ir.LoadsMemory(x) {
				return nil, false
			}
		}
		if !leaves || i+1 == len(block) {
			continue
		}
		rest, ok := w.block(block[i+1:])
		if len(rest) > 0 {
			out = append(out, &ir.If{Cond: w.runs(), Then: rest})
		}
		return out, ok
	}
	return out, true
}

// laneWhile is a loop that runs while on is not 0 in one of the lanes.
type laneWhile struct {
	on   *ir.Var
	step laneItem
}

func (*laneWhile) laneItem() {}

// whileItem takes a loop apart that whileOn has made.
func (lg *laner) whileItem(d *laneDomain, s *ir.Loop) (laneItem, bool) {
	step := s.Body[1].(*ir.If)
	if !lg.total(step.Then) || !lg.pays(step.Then) {
		return nil, false
	}
	it := &laneWhile{step.Cond.(*ir.Binary).X.(*ir.Use).Var, &laneStraight{[]ir.Stmt{step}}}
	lg.use(d, lg.unit(), it.on)
	lg.useAll(d, lg.unit(), []ir.Stmt{step})
	return it, true
}

// pays reports whether lanes take the steps of a loop faster than its iterations do one after
// the other, though all wait for the last: operations on doubles take several cycles each,
// which lanes share. Steps of integers have to be vector code, which quotients of 64 bits by
// constants are not, and to do without branches, of which a processor takes one side only.
func (lg *laner) pays(step []ir.Stmt) bool {
	doubles, scalar, branches := false, false, 0
	ir.Walk(step, func(s ir.Stmt) {
		if _, ok := s.(*ir.If); ok {
			branches++
		}
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, func(x ir.Expr) {
				doubles = doubles || x.Kind() == ir.F64
				if q, ok := x.(*ir.Binary); ok && (q.Op == ir.OpQuo || q.Op == ir.OpRem) {
					by, known := ir.IntOf(q.Y)
					doubles = doubles || !known
					scalar = scalar || known && by&(by-1) != 0 && !facts.Fits(ir.I32, lg.l.RangeOf(q.X))
				}
			})
		}
	})
	return doubles || !scalar && branches <= 1
}

// emitWhile returns the loop for the lanes of d.
func (lg *laner) emitWhile(d *laneDomain, it *laneWhile) ir.Stmt {
	some, p := lg.l.NewVar("some", ir.I32), lg.position(d)
	body := []ir.Stmt{some.Decl(ir.Zero(ir.I32)),
		&ir.For{Var: p, Lo: ir.Integer(0), Hi: d.size, Body: []ir.Stmt{some.Assign(ir.OpOr.Of(some.Use(), d.wide[it.on].Load(p.Use())))}},
		&ir.BreakIf{Cond: ir.OpEq.Of(some.Use(), ir.Zero(ir.I32))}}
	return &ir.Loop{Body: append(body, lg.emit(d, []laneItem{it.step})...)}
}
