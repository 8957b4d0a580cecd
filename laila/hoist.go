package laila

// hoist moves the allocation of buffers whose size does not change out of
// sequential loops. fixed has the buffers that change places only with others
// of their size.
func hoist(block []Stmt, fixed map[*Buf]bool) []Stmt {
	var out []Stmt
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = hoist(*inner, fixed)
		}
		var body *[]Stmt
		switch s := s.(type) {
		case *For:
			body = &s.Body
		case *Loop:
			body = &s.Body
		}
		if body == nil {
			out = append(out, s)
			continue
		}
		h := &hoisting{fixed: fixed, decls: map[*Var]Expr{}, assigned: map[*Var]bool{}, barred: map[*Buf]bool{}, declared: map[*Var]bool{}}
		if f, ok := s.(*For); ok {
			h.declared[f.Var] = true
		}
		var moved []Stmt
		*body, moved = h.run(*body)
		for _, m := range moved {
			if d, ok := m.(*DeclBuf); ok {
				out = append(out, d)
			}
		}
		out = append(out, s)
		for _, m := range moved {
			if f, ok := m.(*Free); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// hoisting finds what can leave one loop.
type hoisting struct {
	fixed    map[*Buf]bool
	decls    map[*Var]Expr // variables of the body itself, with their values
	declared map[*Var]bool // all variables that the loop declares
	assigned map[*Var]bool
	barred   map[*Buf]bool
}

func (h *hoisting) run(body []Stmt) (rest, moved []Stmt) {
	freed := map[*Buf]bool{}
	for _, s := range body {
		switch s := s.(type) {
		case *Decl:
			if s.Init != nil {
				h.decls[s.Var] = s.Init
			}
		case *Free:
			freed[s.Buf] = true
		}
	}
	h.scan(body)
	gone := map[*Buf]bool{}
	for _, s := range body {
		d, ok := s.(*DeclBuf)
		if !ok || d.Buf.Stack > 0 || d.Zero || d.Count == nil || !freed[d.Buf] || h.barred[d.Buf] {
			continue
		}
		n, ok := h.invariant(d.Count, 0)
		if !ok {
			continue
		}
		gone[d.Buf] = true
		moved = append(moved, &DeclBuf{Buf: d.Buf, Count: n, Shape: []Expr{n}, At: d.At}, &Free{d.Buf})
	}
	if len(gone) == 0 {
		return body, nil
	}
	for _, s := range body {
		switch s := s.(type) {
		case *DeclBuf:
			if gone[s.Buf] {
				continue
			}
		case *Free:
			if gone[s.Buf] {
				continue
			}
		}
		rest = append(rest, s)
	}
	return rest, moved
}

// scan notes what the loop declares, assigns and gives away.
func (h *hoisting) scan(body []Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *Decl:
			h.declared[s.Var] = true
		case *Assign:
			h.assigned[s.Var] = true
		case *Checked:
			h.assigned[s.Var], h.assigned[s.Flag] = true, true
		case *Move:
			h.barred[s.Dst], h.barred[s.Src] = true, true
		case *Swap:
			if !h.fixed[s.A] || !h.fixed[s.B] {
				h.barred[s.A], h.barred[s.B] = true, true
			}
		case *For:
			h.declared[s.Var] = true
		case *Filter:
			h.declared[s.Var] = true
			h.assigned[s.Count] = true
		case *Nest:
			for _, d := range append(append([]Dim{}, s.Dims...), s.Red...) {
				h.declared[d.Var] = true
			}
		case *Call:
			h.results(s.Results)
		case *Runtime:
			h.results(s.Results)
		}
		for _, inner := range Blocks(s) {
			h.scan(*inner)
		}
	}
}

func (h *hoisting) results(as []Array) {
	for _, a := range as {
		if a.Scalar != nil {
			h.declared[a.Scalar] = true
		}
		for _, d := range a.Dims {
			if u, ok := d.(*Use); ok {
				h.declared[u.Var] = true
			}
		}
	}
}

// invariant returns x in terms of variables from outside the loop.
func (h *hoisting) invariant(x Expr, depth int) (Expr, bool) {
	if depth > 16 {
		return nil, false
	}
	switch x := x.(type) {
	case *Int:
		return x, true
	case *Use:
		if h.assigned[x.Var] {
			return nil, false
		}
		if init, ok := h.decls[x.Var]; ok {
			return h.invariant(init, depth+1)
		}
		return x, !h.declared[x.Var]
	case *Unary:
		y, ok := h.invariant(x.X, depth+1)
		return &Unary{x.Op, y}, ok
	case *Binary:
		y, ok := h.invariant(x.X, depth+1)
		z, ok2 := h.invariant(x.Y, depth+1)
		return &Binary{x.Op, y, z}, ok && ok2
	}
	return nil, false
}
