package idiom

import (
	"math/bits"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// roots returns the linear functions that something uses which is not one, and
// that are worth a table.
func (b *bitLinear) roots() []*linearRoot {
	var found []*linearRoot
	var visit func(block []ir.Stmt, path []ir.Stmt)
	visit = func(block []ir.Stmt, path []ir.Stmt) {
		for _, s := range block {
			here := append(path[:len(path):len(path)], s)
			add := func(x ir.Expr) {
				if r := b.root(x, here); r != nil {
					found = append(found, r)
				}
			}
			switch s := s.(type) {
			case *ir.Decl:
				if s.Init != nil && b.vars[s.Var] == 0 {
					b.parts(s.Init, add)
				}
			case *ir.Assign:
				if b.vars[s.Var] == 0 {
					b.parts(s.X, add)
				}
			case *ir.Store:
				if b.bufs[s.Buf] == 0 {
					b.parts(s.X, add)
				}
			case *ir.If:
				b.parts(s.Cond, add)
			case *ir.For:
				if ir.IsNumber(s.Lo) && ir.IsNumber(s.Hi) {
					visit(s.Body, here)
				}
			}
		}
	}
	visit(b.body, nil)
	if len(found) > tableRoots {
		return nil
	}
	return found
}

// parts finds the largest expressions in x that are linear.
func (b *bitLinear) parts(x ir.Expr, add func(x ir.Expr)) {
	if b.of(x) != 0 && !ir.IsNumber(x) {
		add(x)
		return
	}
	for _, y := range ir.Operands(x) {
		b.parts(y, add)
	}
}

// root returns x, an expression of the last statement of path, as a function;
// nil where it is cheap, or needs what iterations of the loops around it leave
// to each other.
func (b *bitLinear) root(x ir.Expr, path []ir.Stmt) *linearRoot {
	r := &linearRoot{x: x, path: path, size: 1, at: ir.Integer(0)}
	for _, s := range path[:len(path)-1] {
		f := s.(*ir.For)
		lo, _ := ir.IntOf(f.Lo)
		hi, _ := ir.IntOf(f.Hi)
		if hi <= lo || hi-lo > tableSize || r.size*(hi-lo) > tableSize {
			return nil
		}
		r.size *= hi - lo
		r.at = ir.Add(ir.Mul(r.at, ir.Integer(hi-lo)), ir.Sub(f.Var.Use(), ir.Integer(lo)))
	}
	need := flow.NewUses()
	need.Expr(x, nil, nil)
	cost := ir.Size(x, tableCost)
	slice, ok := b.slice(b.body, path, need, &cost)
	if !ok || cost < tableCost {
		return nil
	}
	r.slice = slice
	return r
}

// slice returns the statements of block that are needed for an expression of
// the last statement of path, in whose place stands the nil at the end.
func (b *bitLinear) slice(block, path []ir.Stmt, need *flow.Uses, cost *int) ([]ir.Stmt, bool) {
	at := 0
	for block[at] != path[0] {
		at++
	}
	out := []ir.Stmt{nil}
	if f, ok := path[0].(*ir.For); ok && len(path) > 1 {
		inner, ok := b.slice(f.Body, path[1:], need, cost)
		carried := map[*ir.Var]bool{}
		flow.NoteAssigned(f.Body, carried)
		for v := range carried {
			if need.Vars[v] && !ir.DeclaresVar(inner, v) {
				return nil, false
			}
		}
		stored := map[*ir.Buf]bool{}
		storesOf(f.Body, stored)
		for buf := range stored {
			if need.Bufs[buf] && !ir.DeclaresBuf(inner, buf) {
				return nil, false
			}
		}
		if !ok {
			return nil, false
		}
		out[0] = &ir.For{Var: f.Var, Lo: f.Lo, Hi: f.Hi, Body: inner}
	}
	for i := at - 1; i >= 0; i-- {
		s := block[i]
		if !defines(s, need) {
			continue
		}
		if d, ok := s.(*ir.Decl); ok && d.Var == b.source {
			continue
		}
		need.Block([]ir.Stmt{s})
		*cost += ir.BlockSize([]ir.Stmt{s}, tableCost)
		out = append([]ir.Stmt{s}, out...)
	}
	return out, true
}

// defines reports whether s sets anything that is needed.
func defines(s ir.Stmt, need *flow.Uses) bool {
	switch s := s.(type) {
	case *ir.Decl:
		return need.Vars[s.Var]
	case *ir.Assign:
		return need.Vars[s.Var]
	case *ir.Checked:
		return need.Vars[s.Var]
	case *ir.DeclBuf:
		return need.Bufs[s.Buf]
	case *ir.Store:
		return need.Bufs[s.Buf]
	case *ir.Copy:
		return need.Bufs[s.Dst]
	}
	for _, inner := range ir.Blocks(s) {
		for _, t := range *inner {
			if defines(t, need) {
				return true
			}
		}
	}
	return false
}

func storesOf(block []ir.Stmt, stored map[*ir.Buf]bool) {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Store:
			stored[s.Buf] = true
		case *ir.Copy:
			stored[s.Dst] = true
		}
		for _, inner := range ir.Blocks(s) {
			storesOf(*inner, stored)
		}
	}
}

// copyOf returns statements that compute r for the index x, with result in the
// place of its statement.
func (b *bitLinear) copyOf(r *linearRoot, x ir.Expr, result func(x, at ir.Expr) ir.Stmt) []ir.Stmt {
	c := b.l.NewCloner()
	c.Vars[b.source] = ir.ConvertTo(b.source.Kind, x)
	var fill func(block []ir.Stmt) []ir.Stmt
	fill = func(block []ir.Stmt) []ir.Stmt {
		out := append([]ir.Stmt{}, block...)
		last := len(out) - 1
		if f, ok := out[last].(*ir.For); ok && f != nil {
			out[last] = &ir.For{Var: f.Var, Lo: f.Lo, Hi: f.Hi, Body: fill(f.Body)}
		} else {
			out[last] = result(r.x, r.at)
		}
		return out
	}
	out := c.List(fill(r.slice))
	widen(b.l, out)
	return out
}

// widen lets the variables of a copy take all values that a linear function
// may have for a part of an index, and puts its arrays on the stack.
func widen(l *pass.Context, block []ir.Stmt) {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			if r, ok := l.Ranges[s.Var]; ok && r.Lo >= 0 {
				l.Ranges[s.Var] = allBits(r)
			}
		case *ir.DeclBuf:
			if n, ok := ir.IntOf(s.Count); ok && s.Buf.Stack == 0 {
				s.Buf.Stack = n
			}
		}
		for _, inner := range ir.Blocks(s) {
			widen(l, *inner)
		}
	}
}

// allBits is the range of the numbers with as many bits as those of r. What a
// linear function has for parts of an index is in it: each part is the
// exclusive or of two indices, and its value that of two values.
func allBits(r facts.Interval) facts.Interval {
	if r.Lo < 0 {
		return facts.AnyInt
	}
	return facts.Between(0, int64(uint64(1)<<bits.Len64(uint64(r.Hi))-1))
}
