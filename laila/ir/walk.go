package ir

// What every pass and every backend has to know of statements and expressions to
// go through them.

// Walk calls visit for every statement of a block, outermost first.
func Walk(block []Stmt, visit func(Stmt)) {
	for _, s := range block {
		visit(s)
		for _, inner := range Blocks(s) {
			Walk(*inner, visit)
		}
	}
}

// Has reports whether a block has a statement of a type, at any depth.
func Has[S Stmt](block []Stmt) bool {
	found := false
	Walk(block, func(s Stmt) {
		_, ok := s.(S)
		found = found || ok
	})
	return found
}

// WalkExpr calls visit for x and every expression in it; x may be nil.
func WalkExpr(x Expr, visit func(Expr)) {
	if x == nil {
		return
	}
	visit(x)
	for _, y := range Operands(x) {
		WalkExpr(y, visit)
	}
}

// Blocks returns the blocks in a statement.
func Blocks(s Stmt) []*[]Stmt {
	switch s := s.(type) {
	case *For:
		return []*[]Stmt{&s.Body}
	case *Nest:
		return []*[]Stmt{&s.Pre, &s.Body, &s.Post}
	case *Filter:
		return []*[]Stmt{&s.MaskPre, &s.XPre}
	case *Loop:
		return []*[]Stmt{&s.Body}
	case *If:
		return []*[]Stmt{&s.Then, &s.Else}
	}
	return nil
}

// Exprs returns the expressions that s itself evaluates.
func Exprs(s Stmt) []Expr {
	switch s := s.(type) {
	case *Decl:
		return []Expr{s.Init}
	case *Assign:
		return []Expr{s.X}
	case *Checked:
		return []Expr{s.X, s.Y}
	case *DeclBuf:
		if s.Buf.Stack > 0 {
			return nil // the shape is for the message when memory runs out
		}
		return append([]Expr{s.Count}, s.Shape...)
	case *Copy:
		return []Expr{s.DstIndex, s.SrcIndex, s.Count}
	case *Store:
		return []Expr{s.Index, s.X}
	case *For:
		return []Expr{s.Lo, s.Hi}
	case *Nest:
		var xs []Expr
		for _, d := range append(append([]Dim{}, s.Dims...), s.Red...) {
			xs = append(xs, d.Lo, d.Hi)
		}
		return xs
	case *Filter:
		return []Expr{s.Lo, s.Hi, s.Room, s.Mask, s.X, s.Count.Use()}
	case *Micro:
		xs := []Expr{s.CAt, s.Stride, s.AAt, s.BAt, s.Count}
		if s.Fresh != nil {
			xs = append(xs, s.Fresh)
		}
		return xs
	case *BreakIf:
		return []Expr{s.Cond}
	case *If:
		return []Expr{s.Cond}
	case *Fail:
		var xs []Expr
		for _, a := range s.Args {
			xs = append(append(xs, a.Shape...), a.X)
		}
		return xs
	case *Call:
		var xs []Expr
		for _, a := range s.Args {
			if xs = append(xs, a.Dims...); a.At != nil {
				xs = append(xs, a.At)
			}
		}
		return xs
	case *Runtime:
		var xs []Expr
		for _, a := range s.Args {
			xs = append(xs, a.X)
			if a.Array != nil {
				if xs = append(xs, a.Array.Dims...); a.Array.At != nil {
					xs = append(xs, a.Array.At)
				}
			}
		}
		return xs
	}
	return nil
}

// Operands returns the operands of x.
func Operands(x Expr) []Expr {
	switch x := x.(type) {
	case *Load:
		return []Expr{x.Index}
	case *Unary:
		return []Expr{x.X}
	case *Binary:
		return []Expr{x.X, x.Y}
	case *Select:
		return []Expr{x.Cond, x.Then, x.Else}
	case *Convert:
		return []Expr{x.X}
	case *Math:
		return x.Args
	}
	return nil
}

// Buffers visits the buffers that s itself mentions outside of its expressions.
func Buffers(s Stmt, visit func(*Buf)) {
	array := func(a Array) {
		if a.Buf != nil {
			visit(a.Buf)
		}
	}
	switch s := s.(type) {
	case *DeclBuf:
		visit(s.Buf)
	case *Free:
		visit(s.Buf)
	case *Move:
		visit(s.Dst)
		visit(s.Src)
	case *Swap:
		visit(s.A)
		visit(s.B)
	case *Alias:
		visit(s.Dst)
		visit(s.Src)
	case *Copy:
		visit(s.Dst)
		visit(s.Src)
	case *Store:
		visit(s.Buf)
	case *Filter:
		visit(s.Dst)
	case *Micro:
		visit(s.C)
		visit(s.A)
		visit(s.B)
	case *Call:
		for _, a := range append(append([]Array{}, s.Args...), s.Results...) {
			array(a)
		}
	case *Runtime:
		for _, a := range s.Args {
			if a.Array != nil {
				array(*a.Array)
			}
		}
		for _, a := range s.Results {
			array(a)
		}
	}
}

// EachBuffer visits the buffers that s itself mentions.
func EachBuffer(s Stmt, visit func(*Buf)) {
	for _, x := range Exprs(s) {
		EachLoad(x, visit)
	}
	Buffers(s, visit)
}

// EachLoad visits the buffers that x loads from, one for each load.
func EachLoad(x Expr, visit func(*Buf)) {
	if l, ok := x.(*Load); ok {
		visit(l.Buf)
	}
	for _, y := range Operands(x) {
		EachLoad(y, visit)
	}
}

// SequentialBlocks returns the blocks of s that run in order, outside of nests.
func SequentialBlocks(s Stmt) []*[]Stmt {
	switch s.(type) {
	case *If, *For, *Loop:
		return Blocks(s)
	}
	return nil
}

// RewriteNests returns a block with every nest replaced, the inner ones first.
func RewriteNests(block []Stmt, replace func(*Nest) []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = RewriteNests(*inner, replace)
		}
		if n, ok := s.(*Nest); ok {
			out = append(out, replace(n)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// RewriteOuterNests returns a block with the outermost nests in it replaced, those
// for which replace does not return nil.
func RewriteOuterNests(block []Stmt, replace func(*Nest) []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		n, ok := s.(*Nest)
		if !ok {
			for _, inner := range Blocks(s) {
				*inner = RewriteOuterNests(*inner, replace)
			}
			out = append(out, s)
		} else if instead := replace(n); instead != nil {
			out = append(out, instead...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// InOrder returns a block with its nests as loops.
func InOrder(block []Stmt) []Stmt {
	return RewriteNests(block, func(n *Nest) []Stmt {
		body := n.Body
		around := func(dims []Dim) {
			for i := len(dims) - 1; i >= 0; i-- {
				body = []Stmt{&For{Var: dims[i].Var, Lo: dims[i].Lo, Hi: dims[i].Hi, Body: body}}
			}
		}
		around(n.Red)
		body = append(append(append([]Stmt{}, n.Pre...), body...), n.Post...)
		around(n.Dims)
		return body
	})
}
