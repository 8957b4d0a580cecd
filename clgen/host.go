package clgen

import "github.com/tailor-lang/tailor/laila"

// Host returns the program with launches in place of what became kernels, for
// package cgen to write as C. The plan's own program stays as it is.
func (p *Plan) Host() *laila.Program {
	q := *p.Program
	t := p.Thresholds
	q.Device = &laila.Device{
		Source: p.Source, Options: p.buildOptions(), Narrow: p.Narrow, Answers: p.answers, Groups: p.Schedule == Groups, Sorts: len(p.sorts) > 0, Searches: p.searches,
		Limits: []int64{t.HostWork, t.GroupSize, t.MaxGroups, t.PerItem, t.ItemsAUnit, t.ChunkWork,
			t.SegmentItems, t.SegmentLength, t.SegmentGroups, t.SortLength},
	}
	// Calls refer to functions, so these keep their identity while the host's
	// statements are looked at: the copies are made first.
	copies := map[*laila.Func]*laila.Func{}
	for _, f := range p.functions() {
		c := *f
		copies[f] = &c
	}
	r := &rewriter{kernels: p.statements, copies: copies}
	q.Funcs = nil
	for _, f := range p.functions() {
		copies[f].Body = r.block(f.Body)
		if f != p.Program.Main {
			q.Funcs = append(q.Funcs, copies[f])
		}
	}
	q.Main = copies[p.Program.Main]
	q.Funcs = append(q.Funcs, q.Main)
	return &q
}

// functions lists the program's functions, main last.
func (p *Plan) functions() []*laila.Func {
	all := p.Program.Funcs
	if len(all) == 0 || all[len(all)-1] != p.Program.Main {
		all = append(append([]*laila.Func{}, all...), p.Program.Main)
	}
	return all
}

// rewriter copies statements.
type rewriter struct {
	kernels map[laila.Stmt]*kernel
	copies  map[*laila.Func]*laila.Func
}

func (r *rewriter) block(list []laila.Stmt) []laila.Stmt {
	if list == nil {
		return nil
	}
	out := make([]laila.Stmt, 0, len(list))
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

func (r *rewriter) stmt(s laila.Stmt) laila.Stmt {
	switch s := s.(type) {
	case *laila.For:
		c := *s
		c.Body = r.block(s.Body)
		return &c
	case *laila.Loop:
		return &laila.Loop{Body: r.block(s.Body)}
	case *laila.If:
		return &laila.If{Cond: s.Cond, Then: r.block(s.Then), Else: r.block(s.Else)}
	case *laila.Nest:
		c := *s
		c.Pre, c.Body, c.Post = r.block(s.Pre), r.block(s.Body), r.block(s.Post)
		return &c
	case *laila.Call:
		c := *s
		c.Fn = r.copies[s.Fn]
		return &c
	}
	return s
}

// launch returns the launch of a kernel that was made of s.
func (k *kernel) launch(s laila.Stmt) *laila.Launch {
	l := &laila.Kernel{
		Name: k.name, Bufs: k.bufs, Vars: k.vars, Flags: k.flags, Outs: k.outs,
		Answers: k.base, Weight: k.weight, Redo: k.redo, Wide: k.wide, Tile: k.tile,
		Shape: map[shape]laila.KernelShape{mapShape: laila.MapKernel, reduceShape: laila.ReduceKernel, scanShape: laila.ScanKernel, taskShape: laila.TaskKernel}[k.shape],
	}
	for _, p := range k.pieces() {
		l.Pieces = append(l.Pieces, p.dims)
	}
	l.Within = k.within()
	l.Segments = k.rows != nil
	if k.product != nil {
		l.Tile = k.product.side * k.product.block
	}
	for _, b := range k.bufs {
		var a laila.Access
		if k.read[b] {
			a |= laila.Reads
		}
		if k.written[b] {
			a |= laila.Writes
		}
		l.Access = append(l.Access, a)
	}
	l.Parts, l.Ordered = k.parts(), k.ordered()
	plain := k.statements
	if plain == nil {
		plain = []laila.Stmt{s}
	}
	return &laila.Launch{Kernel: l, Plain: plain}
}

// parts returns the kinds of partial results.
func (k *kernel) parts() []laila.Kind {
	var kinds []laila.Kind
	switch k.shape {
	case reduceShape:
		for _, a := range k.nest.Accs {
			kinds = append(kinds, a.Var.Kind)
		}
	case mapShape:
		if k.rows != nil && k.rows.divisible() {
			for _, a := range k.rows.nests[0].Accs {
				kinds = append(kinds, a.Var.Kind)
			}
		}
	case scanShape:
		kinds = append(kinds, k.scan.acc.Kind)
	}
	return kinds
}
