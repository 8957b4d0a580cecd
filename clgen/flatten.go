package clgen

import "github.com/tailor-lang/tailor/laila/ir"

// A map whose points are loops that write elements of their own,
//
//	segmap i = 0 … n
//	  for j = 0 … 1: b[i×m+j] = …
//	  for j = 1 … m: b[i×m+j] = …
//
// becomes on a GPU pieces of two axes, so that a work-item has an element:
//
//	segmap i = 0 … n; j = 0 … 1: b[i×m+j] = …
//	segmap i = 0 … n; j = 1 … m: b[i×m+j] = …

// maxFlat bounds the pieces that a map becomes, and maxAxes their axes, of
// which a launch has all.
const (
	maxFlat = 16
	maxAxes = 40
)

// flattened returns a kernel whose pieces have the loops of their bodies as
// axes, where all of a piece's body is such loops.
func (pl *planner) flattened(k *kernel, statements []ir.Stmt) *kernel {
	if pl.plan.Schedule != Groups || k.shape != mapShape || k.trap != nil {
		return k
	}
	var all []*kernel
	changed, axes := false, 0
	for _, p := range k.pieces() {
		list := p.loops()
		if list == nil {
			list = []*kernel{p}
		} else {
			changed = true
		}
		all = append(all, list...)
	}
	for _, p := range all {
		axes += len(p.dims)
	}
	if !changed || len(all) > maxFlat || axes > maxAxes {
		return k
	}
	f := *k
	f.dims, f.body, f.more, f.statements = all[0].dims, all[0].body, all[1:], statements
	f.weight = 0
	for _, p := range all {
		f.weight = max(f.weight, p.weight)
	}
	return &f
}

// loops returns the pieces that the loops of a body make, nil where it has
// something else or the order of the loops matters.
func (k *kernel) loops() []*kernel {
	var list []*kernel
	inside := map[*ir.Var]bool{}
	for _, d := range k.dims {
		inside[d.Var] = true
	}
	for _, s := range k.body {
		f, ok := s.(*ir.For)
		if _, comment := s.(*ir.Comment); comment {
			continue
		}
		if !ok || !(f.Independent || independent(f)) || outer(f.Lo, inside) || outer(f.Hi, inside) {
			return nil
		}
		dims := append(append([]ir.Dim{}, k.dims...), ir.Dim{Var: f.Var, Lo: f.Lo, Hi: f.Hi})
		u := usesOf(f.Body, dimVars(dims)...)
		p := newKernel(mapShape, u, k.at)
		p.dims, p.body, p.weight = dims, f.Body, weigh(f.Body)
		list = append(list, p)
	}
	for i, p := range list {
		for _, q := range list[:i] {
			if !beside(q, p, list, len(k.dims)) {
				return nil
			}
		}
	}
	return list
}

// independent reports whether the steps of a loop touch elements of their own:
// what they write is not read, and each index differs from step to step.
func independent(f *ir.For) bool {
	u := usesOf(f.Body, f.Var)
	for b := range u.written {
		if u.read[b] && !u.local[b] {
			return false
		}
	}
	ok := true
	ir.Walk(f.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Store:
			if u.local[s.Buf] {
				return
			}
			by, linear := coefficient(s.Index, f.Var)
			ok = ok && linear && by != 0 && by < farFactor && by > -farFactor
			ir.WalkExpr(s.Index, func(x ir.Expr) {
				switch x := x.(type) {
				case *ir.Use:
					ok = ok && (x.Var == f.Var || !u.inside[x.Var])
				case *ir.Load, *ir.Math, *ir.Select:
					ok = false
				}
			})
		case *ir.Copy:
			ok = ok && u.local[s.Dst]
		}
	})
	return ok
}

// outer reports whether x depends on one of the variables, or on memory.
func outer(x ir.Expr, vars map[*ir.Var]bool) bool {
	return ir.MentionsAny(x, vars) || !ir.IsLoadFree(x)
}
