package memory

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// HoistAllocs is hoist of a function.
func HoistAllocs(l *pass.Context, f *ir.Func) { f.Body = hoist(f.Body, l.Fixed) }

// hoist moves the allocation of buffers whose size does not change out of
// sequential loops. fixed has the buffers that change places only with others
// of their size.
func hoist(block []ir.Stmt, fixed map[*ir.Buf]bool) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = hoist(*inner, fixed)
		}
		var body *[]ir.Stmt
		switch s := s.(type) {
		case *ir.For:
			body = &s.Body
		case *ir.Loop:
			body = &s.Body
		}
		if body == nil {
			out = append(out, s)
			continue
		}
		h := &hoisting{fixed: fixed, decls: map[*ir.Var]ir.Expr{}, assigned: map[*ir.Var]bool{}, barred: map[*ir.Buf]bool{}, declared: map[*ir.Var]bool{}}
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
	decls    map[*ir.Var]ir.Expr // variables of the body itself, with their values
	declared map[*ir.Var]bool    // all variables that the loop declares
	assigned map[*ir.Var]bool
	barred   map[*ir.Buf]bool
}

func (h *hoisting) run(body []ir.Stmt) (rest, moved []ir.Stmt) {
	freed := map[*ir.Buf]bool{}
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Decl:
			if s.Init != nil {
				h.decls[s.Var] = s.Init
			}
		case *ir.Free:
			freed[s.Buf] = true
		}
	}
	h.scan(body)
	gone := map[*ir.Buf]bool{}
	for _, s := range body {
		d, ok := s.(*ir.DeclBuf)
		if !ok || d.Buf.Stack > 0 || d.Zero || d.Count == nil || !freed[d.Buf] || h.barred[d.Buf] {
			continue
		}
		n, ok := h.invariant(d.Count, 0)
		if !ok {
			continue
		}
		gone[d.Buf] = true
		moved = append(moved, &ir.DeclBuf{Buf: d.Buf, Count: n, Shape: []ir.Expr{n}, At: d.At}, &ir.Free{Buf: d.Buf})
	}
	if len(gone) == 0 {
		return body, nil
	}
	return ir.WithoutBufs(body, gone), moved
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
