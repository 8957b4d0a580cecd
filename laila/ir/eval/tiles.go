package eval

import "github.com/tailor-lang/tailor/laila/ir"

// part compiles an array that is read: its storage, from the place where it begins.
func (c *Code) part(a ir.Array) func(fr *Frame) *Storage {
	at := c.Buf(a.Buf)
	if a.At == nil {
		return func(fr *Frame) *Storage { return fr.Bufs[at] }
	}
	from := c.Int(a.At)
	return func(fr *Frame) *Storage {
		s, n := fr.Bufs[at], from(fr)
		if s == nil || n == 0 {
			return s
		}
		fr.M.ToHost(s)
		view := *s
		view.Count, view.Host, view.Device, view.OnDevice = s.Count-n, s.Host[n*SizeOf(s.Elem):], nil, false
		return &view
	}
}

// filter compiles the storing of elements where a mask is 1.
func (c *Code) filter(s *ir.Filter) Op {
	one := &ir.Int{Val: 1, K: ir.I64}
	return c.loop([]ir.Dim{{Var: s.Var, Lo: s.Lo, Hi: s.Hi}}, c.Block(append(append([]ir.Stmt{}, s.MaskPre...), &ir.If{
		Cond: s.Mask,
		Then: append(append([]ir.Stmt{}, s.XPre...),
			&ir.Store{Buf: s.Dst, Index: &ir.Use{Var: s.Count}, X: s.X},
			&ir.Assign{Var: s.Count, X: &ir.Binary{Op: ir.OpAdd, X: &ir.Use{Var: s.Count}, Y: one}}),
	})))
}

// panel is how many elements the panels of inner products are wide (tl_panel of the C
// run-time, which depends on the machine): two vectors of 32 bytes.
func panel(size int64) int64 { return 64 / size }

// micro compiles the update of a tile of an inner product.
func (c *Code) micro(s *ir.Micro) Op {
	into, stride, from, with, terms := c.Int(s.CAt), c.Int(s.Stride), c.Int(s.AAt), c.Int(s.BAt), c.Int(s.Count)
	fresh := c.index(s.Fresh)
	k, r, j := local("k"), local("r"), local("j")
	base := [3]*ir.Var{local("c"), local("a"), local("b")}
	step := local("stride")
	sum := func(x, y ir.Expr) ir.Expr { return &ir.Binary{Op: ir.OpAdd, X: x, Y: y} }
	product := func(x *ir.Var, y ir.Expr) ir.Expr { return &ir.Binary{Op: ir.OpMul, X: &ir.Use{Var: x}, Y: y} }
	width := panel(SizeOf(s.C.Elem))
	place := sum(sum(&ir.Use{Var: base[0]}, product(r, &ir.Use{Var: step})), &ir.Use{Var: j})
	body := []ir.Stmt{
		&ir.Decl{Var: s.X, Init: &ir.Load{Buf: s.A, Index: sum(sum(&ir.Use{Var: base[1]}, product(k, &ir.Int{Val: ir.MicroRows, K: ir.I64})), &ir.Use{Var: r})}},
		&ir.Decl{Var: s.Y, Init: &ir.Load{Buf: s.B, Index: sum(sum(&ir.Use{Var: base[2]}, product(k, &ir.Int{Val: width, K: ir.I64})), &ir.Use{Var: j})}},
		&ir.Decl{Var: s.Acc, Init: &ir.Load{Buf: s.C, Index: place}},
	}
	for _, d := range s.Decls {
		body = append(body, d)
	}
	body = append(body, &ir.Store{Buf: s.C, Index: place, X: s.Step})
	number := func(n int64) ir.Expr { return &ir.Int{Val: n, K: ir.I64} }
	rows, columns := ir.Dim{Var: r, Lo: number(0), Hi: number(ir.MicroRows)}, ir.Dim{Var: j, Lo: number(0), Hi: number(width)}
	count := local("n")
	run := c.loop([]ir.Dim{{Var: k, Lo: number(0), Hi: &ir.Use{Var: count}}, rows, columns}, c.Block(body))
	clear := func(*Frame) Next { return GoOn }
	if s.Zero != nil {
		clear = c.loop([]ir.Dim{rows, columns}, c.Block([]ir.Stmt{&ir.Store{Buf: s.C, Index: place, X: s.Zero}}))
	}
	slots := []int{c.Slot(base[0]), c.Slot(base[1]), c.Slot(base[2]), c.Slot(step), c.Slot(count)}
	return func(fr *Frame) Next {
		for i, x := range []IntCode{into, from, with, stride, terms} {
			fr.Ints[slots[i]] = x(fr)
		}
		if fresh(fr) != 0 {
			clear(fr)
		}
		return run(fr)
	}
}

func local(name string) *ir.Var { return &ir.Var{Name: name, Kind: ir.I64} }
