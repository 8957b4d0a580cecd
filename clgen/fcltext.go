package clgen

import (
	"github.com/tailor-lang/tailor/fcl/loops"
	"github.com/tailor-lang/tailor/laila/ir"
)

// FCLText returns the kernels as FCL, with the functions of FCL's library that they use.
func (p *Plan) FCLText() string {
	var texts []loops.Text
	for _, k := range p.list {
		texts = append(texts, k.described().Written(p.Program.Tolerance()))
	}
	return loops.Program(texts, p.runtime.Text)
}

// Described says what is known of the kernels, by the statements that launch them; nil of statements that
// a kernel before them computes.
func (p *Plan) Described() map[ir.Stmt]*loops.Kernel {
	all := map[ir.Stmt]*loops.Kernel{}
	for s, k := range p.statements {
		all[s] = nil
		if k.shape != doneShape {
			all[s] = k.described()
		}
	}
	return all
}

// described says what is known of a kernel.
func (k *kernel) described() *loops.Kernel {
	d := &loops.Kernel{Name: k.name, At: k.at, Steps: []string{k.name}, Statements: k.statements, Dims: k.dims, Body: k.body, Vars: k.vars, Flags: k.flags, Outs: k.outs,
		Function: k.function, Scan: k.scan, Update: k.update, Most: k.most, Across: k.across, Tiled: k.tiled}
	for _, b := range k.bufs {
		if k.read[b] {
			d.Read = append(d.Read, b)
		}
		if k.written[b] {
			d.Writes = append(d.Writes, b)
		}
	}
	for _, m := range k.more {
		d.More = append(d.More, loops.Kernel{Dims: m.dims, Body: m.body})
	}
	if k.shape == reduceShape {
		d.Fold = k.nest
	}
	if p := k.product; p != nil {
		d.Product = &loops.Product{Decls: p.decls, Zero: p.zero, Terms: p.k, Row: p.j, Store: p.store, Left: p.left, Right: p.right, Width: p.columns()}
	}
	if k.rows != nil {
		d.Rows, d.Folds, d.Columns = k.rows.body, k.rows.nests, k.acrossRows()
	}
	if k.library != nil {
		d.Steps = nil
		for _, s := range k.library.Steps {
			d.Steps = append(d.Steps, s.Name)
		}
	}
	return d
}
