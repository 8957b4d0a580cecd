package flow

import "github.com/tailor-lang/tailor/laila/ir"

// Scan is a loop that carries one accumulator and stores its values,
//
//	for i = lo … hi: pre; acc = acc ∘ elem; post
//
// or one that stores the elements that a condition keeps,
//
//	for i = lo … hi: pre; if keep: (post; acc = acc + 1)
//
// Parts of it can run side by side from what acc is before each: nothing else uses acc before
// it is joined, nothing that is stored is loaded, and each iteration stores elements of its own.
type Scan struct {
	Acc       ir.Acc
	Op        ir.BinOp
	Pre, Post []ir.Stmt
	Elem      ir.Expr // joined to the accumulator
	Keep      ir.Expr // of a selection, else nil
	Flag      *ir.Var // raised where the sum overflows, else nil
}

// ScanOf returns the scan that a loop is; it is not ok where it is something else. Sums and products
// of doubles are scans only where they may have any order (--relaxed).
func ScanOf(f *ir.For, anyOrder bool) (*Scan, bool) {
	body := SummaryOf(f)
	if body.Barrier || body.Guard {
		return nil, false
	}
	if s := selection(f.Body, body); s != nil {
		return s, s.apart(f, body)
	}
	for i, st := range f.Body {
		if a, ok := st.(*ir.Assign); ok && !body.Declares[a.Var] {
			if s := running(f.Body, i, a, anyOrder); s != nil && s.apart(f, body) {
				return s, true
			}
		}
	}
	return nil, false
}

// running takes a body apart at an assignment of a joined value.
func running(body []ir.Stmt, at int, a *ir.Assign, anyOrder bool) *Scan {
	s := &Scan{Pre: body[:at], Post: body[at+1:]}
	if b, ok := a.X.(*ir.Binary); ok {
		s.join(b.Op, a.Var, b.X, b.Y)
	} else if c, ok := lastOf(s.Pre).(*ir.Checked); ok && c.Op == ir.OpAdd && ir.IsUse(a.X, c.Var) {
		s.join(c.Op, a.Var, c.X, c.Y)
		s.Flag, s.Pre, s.Post = c.Flag, s.Pre[:len(s.Pre)-1], append([]ir.Stmt{c.Var.Assign(a.Var.Use())}, s.Post...)
	} else if m, ok := a.X.(*ir.Math); ok && m.Fn == ir.FmaFn {
		s.join(ir.OpAdd, a.Var, ir.OpMul.Of(m.Args[0], m.Args[1]), m.Args[2])
	}
	s.Acc.Exact = s.Acc.Exact || anyOrder
	if s.Elem == nil || s.Acc.Neutral == nil || s.Acc.Ordered() || ir.Mentions(s.Elem, a.Var) {
		return nil
	}
	return s
}

func lastOf(block []ir.Stmt) ir.Stmt {
	if len(block) == 0 {
		return nil
	}
	return block[len(block)-1]
}

// join sets the accumulator, which is one of two operands, and the element.
func (s *Scan) join(op ir.BinOp, acc *ir.Var, x, y ir.Expr) {
	switch {
	case ir.IsUse(x, acc):
		s.Elem = y
	case ir.IsUse(y, acc):
		s.Elem = x
	}
	l, r := &ir.Var{Name: "x", Kind: acc.Kind}, &ir.Var{Name: "y", Kind: acc.Kind}
	s.Op = op
	s.Acc = ir.Acc{Var: acc, Left: l, Right: r, Combine: op.Of(l.Use(), r.Use()), Neutral: ir.Neutral(op, acc.Kind), Exact: acc.Kind != ir.F64}
}

// selection takes a body apart that ends with a test which ends by counting.
func selection(body []ir.Stmt, u *Summary) *Scan {
	test, ok := lastOf(body).(*ir.If)
	if !ok || len(test.Else) > 0 {
		return nil
	}
	a, ok := lastOf(test.Then).(*ir.Assign)
	if !ok || u.Declares[a.Var] || a.Var.Kind != ir.I64 || ir.Mentions(test.Cond, a.Var) {
		return nil
	}
	b, ok := a.X.(*ir.Binary)
	if !ok || b.Op != ir.OpAdd || !ir.IsUse(b.X, a.Var) || !ir.IsInt(b.Y, 1) {
		return nil
	}
	s := &Scan{Pre: body[:len(body)-1], Post: test.Then[:len(test.Then)-1], Keep: test.Cond}
	s.join(ir.OpAdd, a.Var, a.Var.Use(), ir.ConvertTo(ir.I64, test.Cond))
	return s
}

// apart reports whether parts of the loop can run side by side.
func (s *Scan) apart(f *ir.For, body *Summary) bool {
	acc, pre, post := s.Acc.Var, NewSummary(), NewSummary()
	for _, st := range s.Pre {
		pre.Stmt(st)
	}
	for _, st := range s.Post {
		post.Stmt(st)
	}
	if pre.Reads[acc] || pre.Writes[acc] || post.Writes[acc] || len(pre.Stores) > 0 || ir.Mentions(f.Lo, acc) || ir.Mentions(f.Hi, acc) {
		return false
	}
	own := f.Var
	if s.Keep != nil {
		own = acc
	}
	local, ok := map[*ir.Buf]bool{}, true
	ir.Walk(s.Post, func(st ir.Stmt) {
		switch st := st.(type) {
		case *ir.DeclBuf:
			local[st.Buf] = true
		case *ir.Store:
			ok = ok && (local[st.Buf] || !body.Loads[st.Buf] && Advances(st.Index, own, body.Writes))
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.If, *ir.Free, *ir.Comment:
		default:
			ok = false
		}
	})
	return ok
}

// Advances reports whether an index is v plus or minus what does not change: no variable that is
// set, v among them, and no load. So no two values of v have the same.
func Advances(x ir.Expr, v *ir.Var, set map[*ir.Var]bool) bool {
	if ir.IsUse(x, v) {
		return true
	}
	b, ok := x.(*ir.Binary)
	if !ok || b.Op != ir.OpAdd && b.Op != ir.OpSub {
		return false
	}
	fixed := func(x ir.Expr) bool { return !ir.MentionsAny(x, set) && ir.IsLoadFree(x) }
	return Advances(b.X, v, set) && fixed(b.Y) || b.Op == ir.OpAdd && fixed(b.X) && Advances(b.Y, v, set)
}
