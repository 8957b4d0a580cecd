package loops

import (
	"fmt"
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// slot is something that statements change: a name, what it is before, and for an array its kind.
type slot struct {
	name, before string
	array        bool
}

func names(slots []slot) string {
	list := make([]string, len(slots))
	for i, s := range slots {
		list[i] = s.name
	}
	return tuple(list)
}

// changes lists what statements change of what is declared outside of them.
func (w *writer) changes(list ...ir.Stmt) (slots []slot) {
	inside := map[any]bool{}
	add := func(of any, s slot) {
		if !inside[of] {
			inside[of] = true
			slots = append(slots, s)
		}
	}
	variable := func(v *ir.Var) {
		if v != nil && !w.flags[v] {
			add(v, slot{w.v(v), zero(v.Kind), false})
		}
	}
	ir.Walk(list, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Decl:
			inside[s.Var] = true
		case *ir.DeclBuf:
			inside[s.Buf] = true
		case *ir.Assign:
			variable(s.Var)
		case *ir.Checked:
			variable(s.Var)
			variable(s.Flag)
		case *ir.Fail:
			if w.fault != "" {
				add(w, slot{w.fault, "false", false})
			}
		case *ir.Copy:
			add(s.Dst, slot{w.buf(s.Dst), "", true})
		case *ir.Store:
			if to := w.sinks[s]; to == nil {
				add(s.Buf, slot{w.buf(s.Buf), "", true})
			} else if to.kept {
				slots = append(slots, to.slots()...)
			}
		}
	})
	return slots
}

// block writes statements, and then what tail writes.
func (w *writer) block(list []ir.Stmt, tail func() string) string {
	if len(list) == 0 {
		return tail()
	}
	rest := func() string { return w.block(list[1:], tail) }
	switch s := list[0].(type) {
	case *ir.Comment, *ir.Free:
		return rest()
	case *ir.Fail:
		if w.fault != "" {
			return let(w.fault, "true", rest())
		}
		return rest()
	case *ir.Decl:
		x := zero(s.Var.Kind)
		if of, ok := s.Init.(*ir.Use); ok && w.fixed(s.Var) && w.fixed(of.Var) {
			w.names[s.Var] = w.v(of.Var)
			return rest()
		}
		if s.Init != nil {
			x = w.expr(s.Init)
		}
		return let(w.v(s.Var), x, rest())
	case *ir.Assign:
		if w.flags[s.Var] {
			return rest()
		}
		return let(w.v(s.Var), w.expr(s.X), rest())
	case *ir.Checked:
		return w.checked(s, rest)
	case *ir.DeclBuf:
		n := s.Count
		if s.Buf.Stack > 0 {
			n = ir.Integer(s.Buf.Stack)
		}
		return let(w.buf(s.Buf), fmt.Sprintf("replicate %s %s", w.operand(n), operand(zero(s.Buf.Elem))), rest())
	case *ir.Store:
		return w.store(s, list[1:], rest)
	case *ir.Copy:
		return let(w.buf(s.Dst), call("copied", w.buf(s.Dst), w.operand(s.DstIndex), w.buf(s.Src), w.operand(s.SrcIndex), w.operand(s.Count)), rest())
	case *ir.If:
		return w.conditional(s, rest)
	case *ir.For:
		return w.loop(s, rest)
	case *ir.Loop:
		return w.until(s, rest)
	case *ir.Nest:
		return w.block(append(unfolded(s), list[1:]...), tail)
	}
	panic(fmt.Sprintf("internal error: a kernel has a %T", list[0]))
}

// unfolded is a nest as loops.
func unfolded(n *ir.Nest) []ir.Stmt {
	body := looped(n.Red, n.Body)
	return looped(n.Dims, slices.Concat(n.Pre, body, n.Post))
}

// looped is a block in loops over axes.
func looped(dims []ir.Dim, body []ir.Stmt) []ir.Stmt {
	for _, d := range slices.Backward(dims) {
		body = []ir.Stmt{&ir.For{Var: d.Var, Lo: d.Lo, Hi: d.Hi, Body: body}}
	}
	return body
}

// checked writes an operation and, where its flag is not only noted, whether it overflows.
func (w *writer) checked(s *ir.Checked, rest func() string) string {
	x := w.at(s.X, infix[s.Op].strong) + " " + infix[s.Op].text + " " + w.at(s.Y, infix[s.Op].strong+1)
	if w.flags[s.Flag] {
		return let(w.v(s.Var), x, rest())
	}
	over := map[ir.BinOp]string{ir.OpAdd: "sumOverflows", ir.OpSub: "differenceOverflows", ir.OpMul: "productOverflows"}[s.Op]
	return let(w.v(s.Flag), fmt.Sprintf("%s || %s %s %s", w.v(s.Flag), over, w.operand(s.X), w.operand(s.Y)), let(w.v(s.Var), x, rest()))
}

// store writes what is stored: where it is a result of the kernel, what that is at the point.
func (w *writer) store(s *ir.Store, behind []ir.Stmt, rest func() string) string {
	to := w.sinks[s]
	at, x := w.expr(s.Index), w.expr(s.X)
	switch {
	case to == nil:
		return let(w.buf(s.Buf), call("changed", w.buf(s.Buf), operand(at), operand(x)), rest())
	case to.kept:
		return let(to.keep, "true", let(to.at, at, let(to.x, x, rest())))
	case !w.more && !to.read && w.settled(behind):
		to.at, to.x = at, x
		return rest()
	}
	if !to.plain {
		return let(to.at, at, let(to.x, x, rest()))
	}
	return let(to.x, x, rest())
}

// settled reports whether statements bind no names.
func (w *writer) settled(list []ir.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Comment, *ir.Free, *ir.Fail:
		case *ir.Store:
			if w.sinks[s] == nil || w.sinks[s].kept {
				return false
			}
		case *ir.Assign:
			if !w.flags[s.Var] {
				return false
			}
		default:
			if len(w.changes(s)) > 0 {
				return false
			}
		}
	}
	return true
}

func (w *writer) conditional(s *ir.If, rest func() string) string {
	scalars, arrays := []slot{}, []slot{}
	for _, one := range w.changes(s) {
		if one.array {
			arrays = append(arrays, one)
		} else {
			scalars = append(scalars, one)
		}
	}
	switch {
	case len(arrays) > 0:
		return w.choosing(s, scalars, arrays, rest)
	case len(scalars) == 0:
		return rest()
	}
	same := names(scalars)
	return let(same, w.branches(s, same), rest())
}

// branches writes a conditional that gives what names are after it.
func (w *writer) branches(s *ir.If, same string) string {
	tail := func() string { return same }
	return conditional(w.expr(s.Cond), w.block(s.Then, tail), w.block(s.Else, tail))
}

// choosing writes a conditional that changes arrays, element by element.
func (w *writer) choosing(s *ir.If, scalars, arrays []slot, rest func() string) string {
	made := make([]string, len(arrays))
	for i := range arrays {
		made[i] = w.name(arrays[i].name)
	}
	text := rest()
	for i, a := range arrays {
		text = let(a.name, made[i], text)
	}
	if len(scalars) > 0 {
		same := names(scalars)
		text = let(same, w.branches(s, same), text)
	}
	for i, a := range slices.Backward(arrays) {
		branch := func(list []ir.Stmt) string {
			return function(w.block(list, func() string { return a.name }), "()")
		}
		text = let(made[i], call("chosen", w.operand(s.Cond), "(length "+a.name+")", branch(s.Then), branch(s.Else)), text)
	}
	return text
}

// breaks reports whether a block has a break of the loop around it.
func breaks(list []ir.Stmt) bool {
	return slices.ContainsFunc(list, func(s ir.Stmt) bool {
		switch s := s.(type) {
		case *ir.BreakIf:
			return true
		case *ir.If:
			return breaks(s.Then) || breaks(s.Else)
		}
		return false
	})
}

// loop writes a loop over numbers.
func (w *writer) loop(s *ir.For, rest func() string) string {
	slots := w.changes(s)
	if len(slots) == 0 {
		return rest()
	}
	same := names(slots)
	count, from := w.span(ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi})
	body := w.block(s.Body, func() string { return same })
	if from != "" {
		body = let(w.v(s.Var), from+" + "+w.v(s.Var), body)
	}
	return let(same, call("loop", count, function(body, w.v(s.Var), same), operand(same)), rest())
}

// until writes a loop with breaks: one that it begins with is the condition, others set a variable.
func (w *writer) until(s *ir.Loop, rest func() string) string {
	slots := w.changes(s)
	if len(slots) == 0 {
		return rest()
	}
	same, body := names(slots), s.Body
	var first *ir.BreakIf
	if b, ok := body[0].(*ir.BreakIf); ok {
		first, body = b, body[1:]
	}
	if !breaks(body) {
		step := w.block(body, func() string { return same })
		return let(same, call("until", function(w.expr(first.Cond), same), function(step, same), operand(same)), rest())
	}
	done := &ir.Var{Name: "done", Kind: ir.U8}
	step := w.block(exits(body, done), func() string { return "(" + w.v(done) + ", " + same + ")" })
	step = let(w.v(done), "false", step)
	cond, state := w.v(done), "("+w.v(done)+", _)"
	if first != nil {
		cond, state = cond+" || "+w.at(first.Cond, both), "("+w.v(done)+", "+same+")"
	}
	return let("(_, "+same+")", call("until", function(cond, state), function(step, "(_, "+same+")"), "(false, "+same+")"), rest())
}

// exits is the body of a loop with a variable for its breaks, behind which nothing is done.
func exits(list []ir.Stmt, done *ir.Var) []ir.Stmt {
	for i, s := range list {
		var left ir.Stmt
		switch s := s.(type) {
		case *ir.BreakIf:
			left = done.Assign(s.Cond)
		case *ir.If:
			if !breaks([]ir.Stmt{s}) {
				continue
			}
			left = &ir.If{Cond: s.Cond, Then: exits(s.Then, done), Else: exits(s.Else, done)}
		default:
			continue
		}
		made := append(slices.Clone(list[:i]), left)
		if i+1 < len(list) {
			made = append(made, &ir.If{Cond: ir.Not(done.Use()), Then: exits(list[i+1:], done)})
		}
		return made
	}
	return list
}
