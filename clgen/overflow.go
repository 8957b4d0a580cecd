package clgen

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
)

// Doubles that overflow. Where there is a program that tests for them (Options.Tested), the
// one that is planned does not: its kernels note a result that is infinite in one place of the
// answers, which the host looks at before the program writes anything and at the end, and the
// other program runs in its place.
//
//	double d = tl_noted(x * y, &over);
//	a[i] = tl_noted(d + z, &over);
//	…
//	if (over | tl_overflowed()) answers[8] = 1;
//
// Sums, differences and products of infinities are infinite or no numbers, so that only the last
// of several operations is looked at; tl_flagged does not look at it where the processor has a flag.

const (
	overDeclared = "long over = 0 * tl_overflowed(); /* a result is infinite */"
	overBreak    = "if (over |= tl_overflowed()) break;"
)

// number writes x where an infinity would be lost behind it, or leaves the point.
func (t *kernelText) number(x ir.Expr) string {
	s := t.expr(x)
	if !t.watch || !t.mayOverflow(x) {
		return s
	}
	if x.Kind() == ir.C64 {
		return "tl_notedz(" + s + ", &over)"
	}
	return t.note(s, t.flagged(x))
}

// note writes a double that is looked at, unless the processor notes what makes it infinite.
func (t *kernelText) note(s string, flagged bool) string {
	if flagged {
		return "tl_flagged(" + s + ", &over)"
	}
	return "tl_noted(" + s + ", &over)"
}

// flagged reports whether all that may make x infinite are operations that raise a processor's
// flag of overflow, not functions that a driver has, nor what x uses.
func (t *kernelText) flagged(x ir.Expr) bool {
	f, function := x.(*ir.Math)
	_, use := x.(*ir.Use)
	opaque := use || function && f.Fn != ir.FmaFn || slices.ContainsFunc(ir.Operands(x), func(y ir.Expr) bool { return !t.flagged(y) })
	return !opaque || !t.mayOverflow(x)
}

// mayOverflow reports whether the value of x may be infinite, and nothing has noted that.
func (t *kernelText) mayOverflow(x ir.Expr) bool {
	if k := x.Kind(); k != ir.F64 && k != ir.C64 || t.staged[x] != "" || t.bounded(x) {
		return false
	}
	switch x := x.(type) {
	case *ir.Binary:
		return x.Op != ir.OpMin && x.Op != ir.OpMax
	case *ir.Unary:
		return t.mayOverflow(x.X)
	case *ir.Select:
		return t.mayOverflow(x.Then) || t.mayOverflow(x.Else)
	case *ir.Math:
		return !x.Bounded()
	case *ir.Use:
		return t.unseen[x.Var]
	}
	return false
}

// bounded reports whether a number is known to be finite.
func (t *kernelText) bounded(x ir.Expr) bool {
	if x.Kind() != ir.F64 {
		return false
	}
	most := math.MaxFloat64
	if t.narrow {
		most = math.MaxFloat32
	}
	s, ok := t.facts.SpanOf(x)
	return ok && s.Lo >= -most && s.Hi <= most
}

// operandOf writes an operand of x: what may overflow is noted where x does not carry it on.
func (t *kernelText) operandOf(x, operand ir.Expr) string {
	b, ok := x.(*ir.Binary)
	if !t.watch || !t.mayOverflow(operand) || ir.Carries(x) || ok && b.Op == ir.OpDiv && operand == b.X {
		return t.operand(operand)
	}
	return t.number(operand)
}

// accumulators finds those that carry an infinity: who uses one looks at it.
func (pl *planner) accumulators() {
	pl.unseen = map[*ir.Var]bool{}
	note := func(accs ...ir.Acc) {
		for _, a := range accs {
			if a.Combine != nil && ir.Carries(a.Combine) {
				pl.unseen[a.Var] = true
			}
		}
	}
	for _, k := range pl.plan.list {
		if k.scan != nil {
			note(k.scan.Acc)
		}
		if k.nest != nil {
			note(k.nest.Accs...)
		}
		for _, p := range append([]*kernel{k}, k.more...) {
			ir.Walk(p.allStmts(), func(s ir.Stmt) {
				if n, ok := s.(*ir.Nest); ok {
					note(n.Accs...)
				}
			})
		}
	}
}

// noted declares what a kernel notes of its numbers.
func (t *kernelText) noted() {
	if t.narrow {
		t.line(wideDeclared)
	}
	if t.watch {
		t.line(overDeclared)
	}
}

// assigned writes what a variable is set to: a sum carries an infinity from step to step.
func (t *kernelText) assigned(v *ir.Var, x ir.Expr) string {
	on := false
	ir.CarriedOn(x, func(w *ir.Var) { on = on || w == v })
	if t.unseen[v] && on {
		return t.expr(x)
	}
	return t.number(x)
}

// raiseOver writes that a result is infinite.
func (t *kernelText) raiseOver() {
	if t.watch {
		t.line("if (over | tl_overflowed()) answers[%d] = 1;", t.place)
	}
}

// Overflowed reports whether kernels have noted a double since it was last asked for.
func (m *machine) Overflowed() bool {
	if !m.unlooked || m.answers == nil {
		return false
	}
	m.unlooked = false
	var raised [1]byte
	eval.Must(m.queue.Read(m.answers, 8*m.Plan.answers, raised[:], "the kernels' results"))
	m.transfer(&m.stats.Read, 1, "read", "overflow")
	return raised[0] != 0
}

// Watches reports whether kernels note doubles that overflow, and the host looks for them.
func (pl *planner) Watches() bool { return pl.plan.Tested != nil }
