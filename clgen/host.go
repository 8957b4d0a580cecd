package clgen

import "github.com/tailor-lang/tailor/laila/ir"

// Host returns the program with launches in place of what became kernels, for
// package cgen to write as C. The plan's own program stays as it is.
func (p *Plan) Host() *ir.Program {
	q := *p.Program
	t := p.Thresholds
	q.Device = &ir.Device{
		Source: p.Source, Options: p.buildOptions(), Narrow: p.Narrow, Answers: p.answers, Groups: p.Schedule == Groups, Computes: p.runtime.Computes, Functions: p.runtime.Host(),
		Limits: []int64{t.HostWork, t.GroupSize, t.MaxGroups, t.PerItem, t.ItemsAUnit, t.ChunkWork, t.SortLength},
	}
	// Calls refer to functions, so these keep their identity while the host's
	// statements are looked at: the copies are made first.
	copies := map[*ir.Func]*ir.Func{}
	for _, f := range p.Program.Functions() {
		c := *f
		copies[f] = &c
	}
	r := &rewriter{kernels: p.statements, copies: copies}
	q.Funcs = nil
	for _, f := range p.Program.Functions() {
		copies[f].Body = r.block(f.Body)
		if f != p.Program.Main {
			q.Funcs = append(q.Funcs, copies[f])
		}
	}
	q.Main = copies[p.Program.Main]
	q.Entry = copies[p.Program.Entry]
	q.Funcs = append(q.Funcs, q.Main)
	return &q
}

// rewriter copies statements.
type rewriter struct {
	kernels map[ir.Stmt]*kernel
	copies  map[*ir.Func]*ir.Func
}

func (r *rewriter) block(list []ir.Stmt) []ir.Stmt {
	if list == nil {
		return nil
	}
	out := make([]ir.Stmt, 0, len(list))
	for _, s := range list {
		k := r.kernels[s]
		switch {
		case k == nil:
			out = append(out, r.stmt(s))
		case k.shape != doneShape:
			out = append(out, k.launch(s))
		}
	}
	return out
}

func (r *rewriter) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.For:
		c := *s
		c.Body = r.block(s.Body)
		return &c
	case *ir.Loop:
		return &ir.Loop{Body: r.block(s.Body)}
	case *ir.If:
		return &ir.If{Cond: s.Cond, Then: r.block(s.Then), Else: r.block(s.Else)}
	case *ir.Nest:
		c := *s
		c.Pre, c.Body, c.Post = r.block(s.Pre), r.block(s.Body), r.block(s.Post)
		return &c
	case *ir.Call:
		c := *s
		c.Fn = r.copies[s.Fn]
		return &c
	}
	return s
}

// launch returns the launch of a kernel that was made of s.
func (k *kernel) launch(s ir.Stmt) *ir.Launch {
	l := &ir.Kernel{
		Name: k.name, Bufs: k.bufs, Vars: k.vars, Flags: k.flags, Outs: k.outs,
		Answers: k.base, Weight: k.weight, Redo: k.redo, Wide: k.wide, Notes: k.notes,
		Shape: map[shape]ir.KernelShape{mapShape: ir.MapKernel, reduceShape: ir.ReduceKernel, scanShape: ir.ScanKernel, taskShape: ir.TaskKernel, updateShape: ir.UpdateKernel}[k.shape],
	}
	for _, p := range k.pieces() {
		l.Pieces = append(l.Pieces, p.dims)
	}
	l.Within, l.Library = k.within(), k.library
	for _, b := range k.bufs {
		var a ir.Access
		if k.read[b] {
			a |= ir.Reads
		}
		if k.written[b] {
			a |= ir.Writes
		}
		l.Access = append(l.Access, a)
	}
	plain := k.statements
	if plain == nil {
		plain = []ir.Stmt{s}
	}
	return &ir.Launch{Kernel: l, Plain: plain}
}
