package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// HoistAllocs is hoist of a function.
func HoistAllocs(l *pass.Context, f *ir.Func) { f.Body = hoist(f.Body, l.Fixed, nil) }

// hoist moves the allocation of buffers whose size does not change out of
// sequential loops. fixed has the buffers that change places only with others
// of their size. What a branch allocates moves, too, if it is no larger than an array
// that there is before the loop, whose counts are around: a loop whose steps do not come
// to the branch needs no more than twice the memory then.
func hoist(block []ir.Stmt, fixed map[*ir.Buf]bool, around []ir.Expr) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = hoist(*inner, fixed, around)
		}
		var body *[]ir.Stmt
		switch s := s.(type) {
		case *ir.DeclBuf:
			if s.Count != nil {
				around = append(slices.Clip(around), s.Count)
			}
		case *ir.For:
			body = &s.Body
		case *ir.Loop:
			body = &s.Body
		}
		if body == nil {
			out = append(out, s)
			continue
		}
		h := &hoisting{fixed: fixed, around: around, gone: map[*ir.Buf]bool{}, decls: map[*ir.Var]ir.Expr{}, assigned: map[*ir.Var]bool{}, barred: map[*ir.Buf]bool{}, declared: map[*ir.Var]bool{}}
		if f, ok := s.(*ir.For); ok {
			h.declared[f.Var] = true
		}
		var moved []ir.Stmt
		*body, moved = h.run(*body)
		for _, m := range moved {
			if d, ok := m.(*ir.DeclBuf); ok {
				out = append(out, d)
			}
		}
		out = append(out, s)
		for _, m := range moved {
			if f, ok := m.(*ir.Free); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// hoisting finds what can leave one loop.
type hoisting struct {
	fixed    map[*ir.Buf]bool
	around   []ir.Expr
	gone     map[*ir.Buf]bool
	decls    map[*ir.Var]ir.Expr // variables of the body itself, with their values
	declared map[*ir.Var]bool    // all variables that the loop declares
	assigned map[*ir.Var]bool
	barred   map[*ir.Buf]bool
}

func (h *hoisting) run(body []ir.Stmt) (rest, moved []ir.Stmt) {
	h.scan(body)
	moved = h.from(body, false, nil)
	if len(h.gone) == 0 {
		return body, nil
	}
	return h.without(body), moved
}

// from adds what leaves the loop of a block of it: its body, or a branch in it.
func (h *hoisting) from(block []ir.Stmt, branch bool, moved []ir.Stmt) []ir.Stmt {
	freed := map[*ir.Buf]bool{}
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			if s.Init != nil {
				h.decls[s.Var] = s.Init
			}
		case *ir.Free:
			freed[s.Buf] = true
		}
	}
	for _, s := range block {
		if x, ok := s.(*ir.If); ok {
			moved = h.from(x.Else, true, h.from(x.Then, true, moved))
		}
		d, ok := s.(*ir.DeclBuf)
		if !ok || d.Buf.Stack > 0 || d.Zero || d.Count == nil || !freed[d.Buf] || h.barred[d.Buf] {
			continue
		}
		n, ok := h.invariant(d.Count, 0)
		if !ok || branch && !h.isAround(n) {
			continue
		}
		h.gone[d.Buf] = true
		moved = append(moved, &ir.DeclBuf{Buf: d.Buf, Count: n, Shape: []ir.Expr{n}, At: d.At}, &ir.Free{Buf: d.Buf})
	}
	return moved
}

// isAround reports whether an array before the loop has n elements.
func (h *hoisting) isAround(n ir.Expr) bool {
	leaf := func(_ *affine.Reader, x ir.Expr) affine.Poly {
		if u, ok := x.(*ir.Use); ok {
			return affine.Of(u.Var)
		}
		return affine.Unknown
	}
	read := func(x ir.Expr) affine.Poly { return (&affine.Reader{Linear: true, Leaf: leaf}).Read(x) }
	size := read(n)
	return slices.ContainsFunc(h.around, func(x ir.Expr) bool { return size.Minus(read(x)).IsZero() })
}

// without is a block without what leaves the loop.
func (h *hoisting) without(block []ir.Stmt) []ir.Stmt {
	block = ir.WithoutBufs(block, h.gone)
	for _, s := range block {
		if x, ok := s.(*ir.If); ok {
			x.Then, x.Else = h.without(x.Then), h.without(x.Else)
		}
	}
	return block
}

// scan notes what the loop declares, assigns and gives away.
func (h *hoisting) scan(body []ir.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Decl:
			h.declared[s.Var] = true
		case *ir.Assign:
			h.assigned[s.Var] = true
		case *ir.Checked:
			h.assigned[s.Var], h.assigned[s.Flag] = true, true
		case *ir.Move:
			h.barred[s.Dst], h.barred[s.Src] = true, true
		case *ir.Swap:
			if !h.fixed[s.A] || !h.fixed[s.B] {
				h.barred[s.A], h.barred[s.B] = true, true
			}
		case *ir.For:
			h.declared[s.Var] = true
		case *ir.Filter:
			h.declared[s.Var] = true
			h.assigned[s.Count] = true
		case *ir.Nest:
			for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
				h.declared[d.Var] = true
			}
		case *ir.Call:
			h.results(s.Results)
		case *ir.Runtime:
			h.results(s.Results)
		}
		for _, inner := range ir.Blocks(s) {
			h.scan(*inner)
		}
	}
}

func (h *hoisting) results(as []ir.Array) {
	for _, a := range as {
		if a.Scalar != nil {
			h.declared[a.Scalar] = true
		}
		for _, d := range a.Dims {
			if u, ok := d.(*ir.Use); ok {
				h.declared[u.Var] = true
			}
		}
	}
}

// invariant returns x in terms of variables from outside the loop.
func (h *hoisting) invariant(x ir.Expr, depth int) (ir.Expr, bool) {
	if depth > 16 {
		return nil, false
	}
	switch x := x.(type) {
	case *ir.Int:
		return x, true
	case *ir.Use:
		if h.assigned[x.Var] {
			return nil, false
		}
		if init, ok := h.decls[x.Var]; ok {
			return h.invariant(init, depth+1)
		}
		return x, !h.declared[x.Var]
	case *ir.Unary:
		y, ok := h.invariant(x.X, depth+1)
		return x.Op.Of(y), ok
	case *ir.Binary:
		y, ok := h.invariant(x.X, depth+1)
		z, ok2 := h.invariant(x.Y, depth+1)
		return x.Op.Of(y, z), ok && ok2
	}
	return nil, false
}
