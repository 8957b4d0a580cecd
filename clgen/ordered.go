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
		t.combine(a, to[i], from[i], to[i])
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

// orderedGroups writes the lanes of a work-group, which has several blocks at a time.
func (t *kernelText) orderedGroups(n *ir.Nest, first, count, each string, size int64, tree int, done func(block string)) {
	accs := n.Accs
	t.line("const int lane_ = me %% %d, few_ = %s;", num.Lanes, fewText(n, count))
	t.open("for (long blocks_ = %s; blocks_ * %d < %s; blocks_ += %s)", first, num.Block, count, each)
	t.line("const long block_ = blocks_ + me / %d;", num.Lanes)
	t.line("const long to_ = min((block_ + 1) * %d, %s);", num.Block, count)
	for _, a := range accs {
		t.line("%s = %s;", t.v(a.Var), t.expr(a.Neutral))
	}
	t.line("const long from_ = few_ ? lane_ * to_ : block_ * %d + lane_;", num.Block)
	t.open("for (long point_ = from_; point_ < to_; point_ += few_ ? 1 : %d)", num.Lanes)
	t.indices(n.Red, "point_")
	t.block(n.Body)
	t.close()
	for i, a := range accs {
		t.line("tree%d[me] = %s;", tree+i, t.v(a.Var))
	}
	t.line("barrier(CLK_LOCAL_MEM_FENCE);")
	t.open("if (lane_ == 0)")
	for i, a := range accs {
		t.line("%s = tree%d[me];", t.v(a.Var), tree+i)
		t.open("for (int l = 1; l < %d; l++)", num.Lanes)
		t.combine(a, t.v(a.Var), fmt.Sprintf("tree%d[me + l]", tree+i), t.v(a.Var))
		t.close()
		t.line("tree%d[me] = %s;", tree+i, t.v(a.Var))
	}
	t.close()
	done("block_")
	t.line("barrier(CLK_LOCAL_MEM_FENCE);")
	t.close()
}

// orderedRow writes a reduction that the work-items of a group share; the results are
// in the first elements of the trees.
func (t *kernelText) orderedRow(k *kernel, n *ir.Nest, tree int, size int64) {
	accs, many := n.Accs, int(size/num.Lanes)
	axis := t.axis
	t.axis = len(k.dims)
	supers, alls := t.accNames(accs, "super"), t.accNames(accs, "all")
	count := t.sizeText(0, 1)
	t.open("")
	t.orderedGroups(n, "0", count, fmt.Sprint(many), size, tree, func(string) {
		t.line("barrier(CLK_LOCAL_MEM_FENCE);")
		t.open("if (me == 0)")
		t.open("for (long b = blocks_; b < blocks_ + %d && b * %d < %s; b++)", many, num.Block, count)
		from := make([]string, len(accs))
		for i := range accs {
			from[i] = fmt.Sprintf("tree%d[(b - blocks_) * %d]", tree+i, num.Lanes)
		}
		t.joinAll(accs, supers, from)
		t.open("if ((b + 1) %% %d == 0)", num.SuperBlock/num.Block)
		t.joinAll(accs, alls, supers)
		for i, a := range accs {
			t.line("%s = %s;", supers[i], t.expr(a.Neutral))
		}
		t.close()
		t.close()
		t.close()
	})
	t.joinAll(accs, alls, supers)
	for i := range accs {
		t.line("if (me == 0) tree%d[0] = %s;", tree+i, alls[i])
	}
	t.close()
	t.axis = axis
}
