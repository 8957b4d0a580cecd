package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// holding says how faults leave a loop that threads share: the step that meets one
// notes it and goes on with the next step, and the program stops behind the loop, with
// the fault of the first step that has one:
//
//	tl_held held = {.at = INT64_MAX};
//	#pragma omp parallel for …
//	for (int64_t i = 0; i < n; i++) {
//	  if (TL_PAST(held, i)) continue;
//	  … if (wrong) { tl_hold(&held, i, …); goto next; } …
//	  next:;
//	}
//	if (held.at < INT64_MAX) tl_raise(&held);
type holding struct {
	held, at, next string // C names: of the tl_held, of the step, of the label
}

// mayFail reports whether statements stop the program with a fault of their own.
func mayFail(list []ir.Stmt) bool {
	found := false
	walk(list, func(s ir.Stmt) {
		if _, ok := s.(*ir.Fail); ok {
			found = true
		}
	})
	return found
}

// hold declares what holds the faults of a shared loop over inner, nil where it
// has none.
func (b *body) hold(inner []ir.Stmt) *holding {
	if b.opt.Target != OpenMP || !mayFail(inner) {
		return nil
	}
	h := &holding{held: b.names.fresh("held"), next: b.names.fresh("next")}
	b.line("tl_held %s = {.at = INT64_MAX};", h.held)
	return h
}

// begin begins a step of the loop over v.
func (h *holding) begin(b *body, v *ir.Var) {
	if h != nil {
		h.at = b.varName(v)
		b.line("if (TL_PAST(%s, %s)) continue;", h.held, h.at)
		b.holding = h
	}
}

// end ends a step.
func (h *holding) end(b *body) {
	if h != nil {
		b.line("%s:;", h.next)
		b.holding = nil
	}
}

// raise stops the program where a step met a fault.
func (h *holding) raise(b *body) {
	if h != nil {
		b.line("if (%s.at < INT64_MAX) tl_raise(&%s);", h.held, h.held)
	}
}

// faulty writes the call that reports a fault.
func (b *body) faulty(call string) {
	if h := b.holding; h != nil {
		b.line("%s;", strings.Replace(call, "tl_fault(", fmt.Sprintf("tl_hold(&%s, %s, ", h.held, h.at), 1))
		b.line("goto %s;", h.next)
		return
	}
	b.line("%s;", call)
}
