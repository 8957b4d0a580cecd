package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Reductions in the order of num.Ordered. In chunks a work-item has whole blocks, whose
// lanes are vector code; in groups it has one lane of a block. Their sums are partial
// results, which the second kernel joins in order.

// accNames declares a variable for each accumulator, with its neutral element.
func (t *kernelText) accNames(accs []ir.Acc, name string) []string {
	names := make([]string, len(accs))
	for i, a := range accs {
		names[i] = t.fresh(name)
		t.line("%s %s = %s;", cltype(a.Var.Kind), names[i], t.expr(a.Neutral))
	}
	return names
}

// joinAll joins partial results to others.
func (t *kernelText) joinAll(accs []ir.Acc, to, from []string) {
	for i, a := range accs {
		t.open("")
		t.line("%s = %s;", to[i], t.joined(a, from[i], to[i]))
		t.close()
	}
}

// orderedBlock writes the terms from … to-1 of a block, and returns the names of
// their sums; few says whether there are too few terms for lanes.
func (t *kernelText) orderedBlock(accs []ir.Acc, v *ir.Var, body []ir.Stmt, from, to, few string) []string {
	lanes := make([]string, len(accs))
	lane := t.fresh("lane")
	for i, a := range accs {
		lanes[i] = t.fresh("lanes")
		t.line("%s %s[%d];", cltype(a.Var.Kind), lanes[i], num.Lanes)
		t.line("for (int %s = 0; %s < %d; %s++) %s[%s] = %s;", lane, lane, num.Lanes, lane, lanes[i], lane, t.expr(a.Neutral))
	}
	point := func(at, lane string) {
		t.line("const long %s = %s;", t.declare(v), at)
		for i, a := range accs {
			t.line("%s %s = %s[%s];", cltype(a.Var.Kind), t.v(a.Var), lanes[i], lane)
		}
		t.block(body)
		for i, a := range accs {
			t.line("%s[%s] = %s;", lanes[i], lane, t.v(a.Var))
		}
		t.close()
	}
	if straight(body) {
		at := t.fresh("start")
		t.line("long %s = %s;", at, from)
		t.open("for (; !(%s) && %s + %d <= %s; %s += %d)", few, at, num.Lanes, to, at, num.Lanes)
		if t.vector {
			t.line("#pragma clang loop unroll(disable)")
		} else {
			t.line("#pragma unroll")
		}
		t.open("for (int %s = 0; %s < %d; %s++)", lane, lane, num.Lanes, lane)
		point(at+" + "+lane, lane)
		t.close()
		if t.vector {
			t.open("for (int %s = 0; %s + %s < %s; %s++)", lane, at, lane, to, lane)
		} else { // constant places stay in registers
			t.line("#pragma unroll")
			t.open("for (int %s = 0; %s < %d; %s++) if (%s + %s < %s)", lane, lane, num.Lanes, lane, at, lane, to)
		}
		point(at+" + "+lane, few+" ? 0 : "+lane)
	} else {
		at := t.fresh("start")
		t.open("for (long %s = %s; %s < %s; %s++)", at, from, at, to, at)
		t.line("const int %s = (%s - %s) & %d;", lane, at, from, num.Lanes-1)
		point(at, few+" ? 0 : "+lane)
	}
	sums := t.accNames(accs, "sum")
	t.open("for (int %s = 0; %s < %d; %s++)", lane, lane, num.Lanes, lane)
	from1 := make([]string, len(accs))
	for i := range accs {
		from1[i] = fmt.Sprintf("%s[%s]", lanes[i], lane)
	}
	t.joinAll(accs, sums, from1)
	t.close()
	return sums
}

// orderedNest writes the loops of such a reduction at a point.
func (t *kernelText) orderedNest(n *ir.Nest) {
	var accs []ir.Acc
	for _, a := range n.Accs {
		if a.Ordered() {
			accs = append(accs, a)
		}
	}
	d := n.Red[0]
	lo, hi := t.fresh("lo"), t.fresh("hi")
	t.line("const long %s = %s, %s = %s;", lo, t.expr(d.Lo), hi, t.expr(d.Hi))
	few := fewText(n, hi+" - "+lo)
	super, end, from, to := t.fresh("super"), t.fresh("end"), t.fresh("from"), t.fresh("to")
	t.open("for (long %s = %s; %s < %s; %s += %d)", super, lo, super, hi, super, num.SuperBlock)
	t.line("const long %s = min(%s + %d, %s);", end, super, num.SuperBlock, hi)
	sums := t.accNames(accs, "sum")
	t.open("for (long %s = %s; %s < %s; %s += %d)", from, super, from, end, from, num.Block)
	t.line("const long %s = min(%s + %d, %s);", to, from, num.Block, end)
	t.joinAll(accs, sums, t.orderedBlock(accs, d.Var, n.Body, from, to, few))
	t.close()
	all := make([]string, len(accs))
	for i, a := range accs {
		all[i] = t.v(a.Var)
	}
	t.joinAll(accs, all, sums)
	t.close()
}

// fewText is OpenCL C for whether a chain has too few terms for lanes.
func fewText(n *ir.Nest, count string) string {
	if !n.Chains() {
		return "0"
	}
	return fmt.Sprintf("%s <= %d", count, num.Lanes)
}
