package laila

import "github.com/tailor-lang/tailor/laila/ir"

// frame is a block of statements, with where it stands.
type frame struct {
	parent *frame
	of     ir.Stmt  // the statement that it is in
	at     int      // the position in parent of that statement
	loops  []ir.Dim // what runs it again and again
	open   bool     // it runs nobody knows how often
	body   bool     // it is the body of a nest
}

// within returns the position in outer of the statement that a position in f
// is in; it is not ok where f is not inside of outer.
func (f *frame) within(outer *frame, at int) (int, bool) {
	for f != outer {
		if f == nil {
			return 0, false
		}
		f, at = f.parent, f.at
	}
	return at, true
}

// spot is where a statement stands.
type spot struct {
	frame *frame
	at    int
	stmt  ir.Stmt
}

// bufSites says where a buffer is used.
type bufSites struct {
	decl   *ir.DeclBuf
	home   *frame
	reads  []spot // statements that load elements
	stores []spot
	other  []spot // other writes
	whole  []spot // other reads
}

// survey says where the variables and buffers of a function are used.
type survey struct {
	assigned map[*ir.Var]bool     // by more than their declarations
	defs     map[*ir.Var]*ir.Decl // variables that have one value where they are declared
	home     map[*ir.Var]*frame   // where they are declared
	sites    map[*ir.Buf]*bufSites
	order    []*ir.Buf // buffers of elements that are stored, in the order of the first store
}

func surveyed(f *ir.Func) *survey {
	s := &survey{assigned: map[*ir.Var]bool{}, defs: map[*ir.Var]*ir.Decl{}, home: map[*ir.Var]*frame{}, sites: map[*ir.Buf]*bufSites{}}
	top := &frame{}
	s.block(f.Body, top)
	for _, a := range append(append([]ir.Array{}, f.Params...), f.Results...) {
		if a.Buf != nil {
			s.of(a.Buf).other = append(s.of(a.Buf).other, spot{frame: top, at: -1})
			s.of(a.Buf).whole = append(s.of(a.Buf).whole, spot{frame: top, at: -1})
		}
	}
	return s
}

func (s *survey) of(b *ir.Buf) *bufSites {
	u, ok := s.sites[b]
	if !ok {
		u = &bufSites{}
		s.sites[b] = u
	}
	return u
}

func (s *survey) block(block []ir.Stmt, f *frame) {
	for i, x := range block {
		s.stmt(x, spot{f, i, x})
	}
}

func (s *survey) stmt(x ir.Stmt, at spot) {
	for _, e := range ir.Exprs(x) {
		s.expr(e, at)
	}
	inside := func(dims ...ir.Dim) *frame { return &frame{parent: at.frame, of: x, at: at.at, loops: dims} }
	switch x := x.(type) {
	case *ir.Decl:
		s.names(x.Var, at.frame)
		s.defs[x.Var] = x
	case *ir.Assign:
		s.assigned[x.Var] = true
	case *ir.Checked:
		s.assigned[x.Var], s.assigned[x.Flag] = true, true
	case *ir.DeclBuf:
		u := s.of(x.Buf)
		u.decl, u.home = x, at.frame
	case *ir.Free, *ir.Comment:
	case *ir.Store:
		u := s.of(x.Buf)
		if len(u.stores) == 0 {
			s.order = append(s.order, x.Buf)
		}
		u.stores = append(u.stores, at)
	case *ir.For:
		s.block(x.Body, inside(ir.Dim{Var: x.Var, Lo: x.Lo, Hi: x.Hi}))
	case *ir.Nest:
		s.block(x.Pre, inside(x.Dims...))
		f := inside(append(append([]ir.Dim{}, x.Dims...), x.Red...)...)
		f.body = true
		s.block(x.Body, f)
		s.block(x.Post, inside(x.Dims...))
	case *ir.Filter:
		s.assigned[x.Count] = true
		s.block(x.MaskPre, inside(ir.Dim{Var: x.Var, Lo: x.Lo, Hi: x.Hi}))
		s.block(x.XPre, inside(ir.Dim{Var: x.Var, Lo: x.Lo, Hi: x.Hi}))
		s.of(x.Dst).other = append(s.of(x.Dst).other, at)
	case *ir.Loop:
		f := inside()
		f.open = true
		s.block(x.Body, f)
	case *ir.If:
		s.block(x.Then, inside())
		s.block(x.Else, inside())
	case *ir.Call:
		s.arrays(x.Args, at, false)
		s.arrays(x.Results, at, true)
	case *ir.Runtime:
		for _, a := range x.Args {
			if a.Array != nil {
				s.arrays([]ir.Array{*a.Array}, at, false)
			}
		}
		s.arrays(x.Results, at, true)
	default:
		ir.EachBuffer(x, func(b *ir.Buf) { s.of(b).other = append(s.of(b).other, at) })
	}
}

// names notes where v is declared.
func (s *survey) names(v *ir.Var, f *frame) {
	if s.home[v] != nil {
		s.assigned[v] = true
	}
	s.home[v] = f
}

// arrays notes uses of whole arrays.
func (s *survey) arrays(as []ir.Array, at spot, written bool) {
	for _, a := range as {
		if written {
			for _, v := range variables(a) {
				s.names(v, at.frame)
			}
		}
		switch {
		case a.Buf == nil:
		case written:
			s.of(a.Buf).other = append(s.of(a.Buf).other, at)
		default:
			s.of(a.Buf).whole = append(s.of(a.Buf).whole, at)
		}
	}
}

func (s *survey) expr(x ir.Expr, at spot) {
	if l, ok := x.(*ir.Load); ok {
		u := s.of(l.Buf)
		if n := len(u.reads); n == 0 || u.reads[n-1].stmt != at.stmt {
			u.reads = append(u.reads, at)
		}
	}
	for _, y := range ir.Operands(x) {
		s.expr(y, at)
	}
}

// variables returns the variables of an array's extents, or of a scalar.
func variables(a ir.Array) []*ir.Var {
	if a.Scalar != nil {
		return []*ir.Var{a.Scalar}
	}
	var vs []*ir.Var
	for _, d := range a.Dims {
		if u, ok := d.(*ir.Use); ok {
			vs = append(vs, u.Var)
		}
	}
	return vs
}

// value returns what v was declared with, nil where it may have other values.
func (s *survey) value(v *ir.Var) ir.Expr {
	if d := s.defs[v]; d != nil && !s.assigned[v] {
		return d.Init
	}
	return nil
}

// writtenFrom reports whether b is written in the block of f from a position
// on.
func (s *survey) writtenFrom(b *ir.Buf, f *frame, from int) bool {
	u := s.of(b)
	for _, list := range [][]spot{u.stores, u.other} {
		for _, w := range list {
			if at, ok := w.frame.within(f, w.at); ok && at >= from {
				return true
			}
		}
	}
	return false
}

// canonical returns x with variables that are only names of others replaced.
func (s *survey) canonical(x ir.Expr) ir.Expr {
	return ir.MapExpr(x, func(y ir.Expr) ir.Expr {
		for range 16 {
			u, ok := y.(*ir.Use)
			if !ok {
				return y
			}
			switch init := s.value(u.Var).(type) {
			case *ir.Int:
				y = init
			case *ir.Use:
				if s.assigned[init.Var] {
					return y
				}
				y = init
			default:
				return y
			}
		}
		return y
	})
}
