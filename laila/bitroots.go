package laila

import "math/bits"

// roots returns the linear functions that something uses which is not one, and
// that are worth a table.
func (b *bitLinear) roots() []*linearRoot {
	var found []*linearRoot
	var visit func(block []Stmt, path []Stmt)
	visit = func(block []Stmt, path []Stmt) {
		for _, s := range block {
			here := append(path[:len(path):len(path)], s)
			add := func(x Expr) {
				if r := b.root(x, here); r != nil {
					found = append(found, r)
				}
			}
			switch s := s.(type) {
			case *Decl:
				if s.Init != nil && b.vars[s.Var] == 0 {
					b.parts(s.Init, add)
				}
			case *Assign:
				if b.vars[s.Var] == 0 {
					b.parts(s.X, add)
				}
			case *Store:
				if b.bufs[s.Buf] == 0 {
					b.parts(s.X, add)
				}
			case *If:
				b.parts(s.Cond, add)
			case *For:
				if isNumber(s.Lo) && isNumber(s.Hi) {
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
func (b *bitLinear) parts(x Expr, add func(x Expr)) {
	if b.of(x) != 0 && !isNumber(x) {
		add(x)
		return
	}
	for _, y := range Operands(x) {
		b.parts(y, add)
	}
}

// root returns x, an expression of the last statement of path, as a function;
// nil where it is cheap, or needs what iterations of the loops around it leave
// to each other.
func (b *bitLinear) root(x Expr, path []Stmt) *linearRoot {
	r := &linearRoot{x: x, path: path, size: 1, at: integer(0)}
	for _, s := range path[:len(path)-1] {
		f := s.(*For)
		lo, _ := intOf(f.Lo)
		hi, _ := intOf(f.Hi)
		if hi <= lo || hi-lo > tableSize || r.size*(hi-lo) > tableSize {
			return nil
		}
		r.size *= hi - lo
		r.at = add(mul(r.at, integer(hi-lo)), sub(&Use{f.Var}, integer(lo)))
	}
	need := newUses()
	need.expr(x, nil, nil)
	cost := size(x, tableCost)
	slice, ok := b.slice(b.body, path, need, &cost)
	if !ok || cost < tableCost {
		return nil
	}
	r.slice = slice
	return r
}

// slice returns the statements of block that are needed for an expression of
// the last statement of path, in whose place stands the nil at the end.
func (b *bitLinear) slice(block, path []Stmt, need *uses, cost *int) ([]Stmt, bool) {
	at := 0
	for block[at] != path[0] {
		at++
	}
	out := []Stmt{nil}
	if f, ok := path[0].(*For); ok && len(path) > 1 {
		inner, ok := b.slice(f.Body, path[1:], need, cost)
		carried := map[*Var]bool{}
		assigned(f.Body, carried)
		for v := range carried {
			if need.vars[v] && !declaresVar(inner, v) {
				return nil, false
			}
		}
		stored := map[*Buf]bool{}
		storesOf(f.Body, stored)
		for buf := range stored {
			if need.bufs[buf] && !declares(inner, buf) {
				return nil, false
			}
		}
		if !ok {
			return nil, false
		}
		out[0] = &For{Var: f.Var, Lo: f.Lo, Hi: f.Hi, Body: inner}
	}
	for i := at - 1; i >= 0; i-- {
		s := block[i]
		if !defines(s, need) {
			continue
		}
		if d, ok := s.(*Decl); ok && d.Var == b.source {
			continue
		}
		need.block([]Stmt{s})
		*cost += blockSize([]Stmt{s}, tableCost)
		out = append([]Stmt{s}, out...)
	}
	return out, true
}

// defines reports whether s sets anything that is needed.
func defines(s Stmt, need *uses) bool {
	switch s := s.(type) {
	case *Decl:
		return need.vars[s.Var]
	case *Assign:
		return need.vars[s.Var]
	case *Checked:
		return need.vars[s.Var]
	case *DeclBuf:
		return need.bufs[s.Buf]
	case *Store:
		return need.bufs[s.Buf]
	case *Copy:
		return need.bufs[s.Dst]
	}
	for _, inner := range Blocks(s) {
		for _, t := range *inner {
			if defines(t, need) {
				return true
			}
		}
	}
	return false
}

// declaresVar reports whether v is declared in block or in a block in it.
func declaresVar(block []Stmt, v *Var) bool {
	for _, s := range block {
		if d, ok := s.(*Decl); ok && d.Var == v {
			return true
		}
		if s == nil {
			continue
		}
		for _, inner := range Blocks(s) {
			if declaresVar(*inner, v) {
				return true
			}
		}
	}
	return false
}

func storesOf(block []Stmt, stored map[*Buf]bool) {
	for _, s := range block {
		switch s := s.(type) {
		case *Store:
			stored[s.Buf] = true
		case *Copy:
			stored[s.Dst] = true
		}
		for _, inner := range Blocks(s) {
			storesOf(*inner, stored)
		}
	}
}

// copyOf returns statements that compute r for the index x, with result in the
// place of its statement.
func (b *bitLinear) copyOf(r *linearRoot, x Expr, result func(x, at Expr) Stmt) []Stmt {
	c := newCloner(b.l)
	c.vars[b.source] = convert(b.source.Kind, x)
	var fill func(block []Stmt) []Stmt
	fill = func(block []Stmt) []Stmt {
		out := append([]Stmt{}, block...)
		last := len(out) - 1
		if f, ok := out[last].(*For); ok && f != nil {
			out[last] = &For{Var: f.Var, Lo: f.Lo, Hi: f.Hi, Body: fill(f.Body)}
		} else {
			out[last] = result(r.x, r.at)
		}
		return out
	}
	out := c.list(fill(r.slice))
	b.l.widen(out)
	return out
}

// widen lets the variables of a copy take all values that a linear function
// may have for a part of an index, and puts its arrays on the stack.
func (l *lowerer) widen(block []Stmt) {
	for _, s := range block {
		switch s := s.(type) {
		case *Decl:
			if r, ok := l.ranges[s.Var]; ok && r.lo >= 0 {
				l.ranges[s.Var] = allBits(r)
			}
		case *DeclBuf:
			if n, ok := constantCount(s.Count); ok && s.Buf.Stack == 0 {
				s.Buf.Stack = n
			}
		}
		for _, inner := range Blocks(s) {
			l.widen(*inner)
		}
	}
}

// allBits is the range of the numbers with as many bits as those of r. What a
// linear function has for parts of an index is in it: each part is the
// exclusive or of two indices, and its value that of two values.
func allBits(r interval) interval {
	if r.lo < 0 {
		return anyInt
	}
	return interval{0, int64(uint64(1)<<bits.Len64(uint64(r.hi)) - 1)}
}
