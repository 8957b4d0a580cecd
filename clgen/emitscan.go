package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/ir"
)

// scanText writes the three kernels of a running scan or a selection.
func (pl *planner) scanText(t *kernelText, k *kernel) {
	partial := fmt.Sprintf("__global %s *restrict partial0", cltype(k.scan.acc.Kind))
	groups := pl.plan.Schedule == Groups
	size := pl.plan.GroupSize
	attribute := "__attribute__((reqd_work_group_size(1, 1, 1))) "
	if groups {
		attribute = fmt.Sprintf("__attribute__((reqd_work_group_size(%d, 1, 1))) ", size)
	}
	t.head(k, k.name+"_totals", attribute, partial, answersParam)
	t.flags(k)
	t.shadow(k.scan.acc, t.expr(k.scan.neutral))
	if groups {
		t.part("group", "get_group_id(0)", "get_num_groups(0)")
		v := t.declare(k.dims[0].Var)
		t.open("for (long %s = first0 + from + get_local_id(0); %s < first0 + to; %s += %d)", v, v, v, size)
	} else {
		t.part("item", "get_global_id(0)", "get_global_size(0)")
		v := t.declare(k.dims[0].Var)
		t.open("for (long %s = first0 + from; %s < first0 + to; %s++)", v, v, v)
	}
	t.block(k.scan.pre)
	acc := t.v(k.scan.acc)
	t.combine(k.scan.combine, acc, t.expr(k.scan.elem), acc)
	t.close()
	if groups {
		t.tree([]ir.Acc{k.scan.combine}, size)
		t.line("if (me == 0) partial0[group] = tree0[0];")
	} else {
		t.line("partial0[item] = %s;", acc)
	}
	if k.scan.flag != nil {
		t.raise(k) // the loop itself raises the other flags
	}
	t.close()

	t.b.WriteString(pl.carryText(k, partial))

	m := pl.newText()
	m.sums = k.scan.sums()
	m.line("")
	m.line("/* The parts of %s, each from its total on. */", k.name)
	m.head(k, k.name, attribute, partial, answersParam)
	m.flags(k)
	if groups {
		pl.scanGroups(m, k)
	} else {
		pl.scanChunk(m, k)
	}
	m.raise(k)
	m.close()
	t.b.WriteString(m.b.String())
}

// part declares the bounds of a part of the loop.
func (t *kernelText) part(name, id, of string) {
	t.line("const long total = count0, %s = %s, parts = %s;", name, id, of)
	t.line("const long from = total * %s / parts, to = total * (%s + 1) / parts;", name, name)
}

// shadow declares a variable anew where a parameter has its name.
func (t *kernelText) shadow(v *ir.Var, init string) {
	delete(t.vars, v)
	t.line("%s %s = %s;", cltype(v.Kind), t.declare(v), init)
}

// carryText writes the kernel that turns the parts' totals into what is before
// each of them.
func (pl *planner) carryText(k *kernel, partial string) string {
	j := pl.newText()
	j.sums = k.scan.sums()
	join := *k
	join.bufs, join.dims = nil, nil
	j.line("")
	j.line("/* What is before each part of %s. */", k.name)
	j.head(&join, k.name+"_carry", "__attribute__((reqd_work_group_size(1, 1, 1))) ", partial, "const long parts", answersParam)
	j.results(k)
	if k.scan.flag != nil {
		j.flags(k)
	}
	acc := j.v(k.scan.acc)
	j.open("for (long part = 0; part < parts; part++)")
	j.line("const %s total = partial0[part];", cltype(k.scan.acc.Kind))
	j.line("partial0[part] = %s;", acc)
	j.combine(k.scan.combine, acc, "total", acc)
	j.close()
	j.answer(k)
	if k.scan.flag != nil {
		j.raise(k)
	}
	j.close()
	return j.b.String()
}

// scanChunk writes the loop itself, from a part's total on.
func (pl *planner) scanChunk(t *kernelText, k *kernel) {
	t.part("item", "get_global_id(0)", "get_global_size(0)")
	t.shadow(k.scan.acc, "partial0[item]")
	v := t.declare(k.dims[0].Var)
	t.open("for (long %s = first0 + from; %s < first0 + to; %s++)", v, v, v)
	t.block(k.body)
	t.close()
}

// scanGroups writes a loop over tiles of a work-group: each work-item has one
// element of a tile, and the tile is scanned in local memory.
func (pl *planner) scanGroups(t *kernelText, k *kernel) {
	s, size := k.scan, pl.plan.GroupSize
	kind := cltype(s.acc.Kind)
	t.part("group", "get_group_id(0)", "get_num_groups(0)")
	t.line("const int me = get_local_id(0);")
	t.line("__local %s tile[%d];", kind, size)
	t.line("%s before0 = partial0[group];", kind)
	t.open("for (long start = from; start < to; start += %d)", size)
	v := t.declare(k.dims[0].Var)
	t.line("const long %s = first0 + start + me;", v)
	t.line("const int inside = start + me < to;")
	t.line("%s mine = %s;", kind, t.expr(s.neutral))
	t.open("if (inside)")
	t.block(s.pre)
	t.line("mine = %s;", t.expr(s.elem))
	t.close()
	t.line("tile[me] = mine;")
	t.line("barrier(CLK_LOCAL_MEM_FENCE);")
	t.open("for (int step_ = 1; step_ < %d; step_ *= 2)", size)
	t.line("const %s other = me >= step_ ? tile[me - step_] : (%s)%s;", kind, kind, t.expr(s.neutral))
	t.line("barrier(CLK_LOCAL_MEM_FENCE);")
	t.combine(s.combine, "other", "tile[me]", "tile[me]")
	t.line("barrier(CLK_LOCAL_MEM_FENCE);")
	t.close()
	t.open("if (inside)")
	t.block(s.pre)
	if s.keep != nil {
		t.shadow(s.acc, "before0 + tile[me] - mine")
		t.open("if (mine)")
		t.block(s.post)
		t.close()
	} else {
		t.shadow(s.acc, t.expr(s.neutral))
		acc := t.v(s.acc)
		t.combine(s.combine, "before0", "tile[me]", acc)
		t.block(s.post)
	}
	t.close()
	t.open("")
	t.combine(s.combine, "before0", fmt.Sprintf("tile[%d]", size-1), "before0")
	t.close()
	t.line("barrier(CLK_LOCAL_MEM_FENCE);")
	t.close()
}
