package flow

import "github.com/tailor-lang/tailor/laila/ir"

// Frame is a block of statements, with where it stands.
type Frame struct {
	Parent *Frame
	Of     ir.Stmt  // the statement that it is in
	At     int      // the position in parent of that statement
	Loops  []ir.Dim // what runs it again and again
	Open   bool     // it runs nobody knows how often
	Rare   bool     // it runs where a nest has noted a fault
	Body   bool     // it is the body of a nest
}

// OfFlags reports whether x says that some of these flags are set.
func OfFlags(x ir.Expr, flags map[*ir.Var]bool) bool {
	switch x := x.(type) {
	case *ir.Use:
		return flags[x.Var]
	case *ir.Binary:
		return x.Op == ir.OpOr && OfFlags(x.X, flags) && OfFlags(x.Y, flags)
	}
	return false
}

// Within returns the position in outer of the statement that a position in f
// is in; it is not ok where f is not inside of outer.
func (f *Frame) Within(outer *Frame, at int) (int, bool) {
	for f != outer {
		if f == nil {
			return 0, false
		}
		f, at = f.Parent, f.At
	}
	return at, true
}

// Spot is where a statement stands.
type Spot struct {
	Frame *Frame
	At    int
	Stmt  ir.Stmt
}

// Sites says where a buffer is used.
type Sites struct {
	Decl   *ir.DeclBuf
	Home   *Frame
	Reads  []Spot // statements that load elements
	Stores []Spot
	Other  []Spot // other writes
	Whole  []Spot // other reads
}

// Survey says where the variables and buffers of a function are used.
type Survey struct {
	Assigned map[*ir.Var]bool     // by more than their declarations
	Defs     map[*ir.Var]*ir.Decl // variables that have one value where they are declared
	Home     map[*ir.Var]*Frame   // where they are declared
	sites    map[*ir.Buf]*Sites
	flags    map[*ir.Var]bool // in which nests note faults
	Order    []*ir.Buf        // buffers of elements that are stored, in the order of the first store
}

// SurveyOf returns where the variables and buffers of f are used.
func SurveyOf(f *ir.Func) *Survey {
	s := &Survey{Assigned: map[*ir.Var]bool{}, Defs: map[*ir.Var]*ir.Decl{}, Home: map[*ir.Var]*Frame{}, sites: map[*ir.Buf]*Sites{}, flags: map[*ir.Var]bool{}}
	top := &Frame{}
	s.block(f.Body, top)
	for _, a := range append(append([]ir.Array{}, f.Params...), f.Results...) {
		if a.Buf != nil {
			s.Of(a.Buf).Other = append(s.Of(a.Buf).Other, Spot{Frame: top, At: -1})
			s.Of(a.Buf).Whole = append(s.Of(a.Buf).Whole, Spot{Frame: top, At: -1})
		}
	}
	return s
}

// Of returns where a buffer is used.
func (s *Survey) Of(b *ir.Buf) *Sites {
	u, ok := s.sites[b]
	if !ok {
		u = &Sites{}
		s.sites[b] = u
	}
	return u
}

func (s *Survey) block(block []ir.Stmt, f *Frame) {
	for i, x := range block {
		s.stmt(x, Spot{f, i, x})
	}
}

func (s *Survey) stmt(x ir.Stmt, at Spot) {
	for _, e := range ir.Exprs(x) {
		s.expr(e, at)
	}
	inside := func(dims ...ir.Dim) *Frame { return &Frame{Parent: at.Frame, Of: x, At: at.At, Loops: dims} }
	switch x := x.(type) {
	case *ir.Decl:
		s.Names(x.Var, at.Frame)
		s.Defs[x.Var] = x
	case *ir.Assign:
		s.Assigned[x.Var] = true
	case *ir.Checked:
		s.Assigned[x.Var], s.Assigned[x.Flag] = true, true
	case *ir.DeclBuf:
		u := s.Of(x.Buf)
		u.Decl, u.Home = x, at.Frame
	case *ir.Free, *ir.Comment:
	case *ir.Store:
		u := s.Of(x.Buf)
		if len(u.Stores) == 0 {
			s.Order = append(s.Order, x.Buf)
		}
		u.Stores = append(u.Stores, at)
	case *ir.For:
		s.block(x.Body, inside(ir.Dim{Var: x.Var, Lo: x.Lo, Hi: x.Hi}))
	case *ir.Nest:
		for _, v := range x.Flags {
			s.flags[v] = true
		}
		s.block(x.Pre, inside(x.Dims...))
		f := inside(append(append([]ir.Dim{}, x.Dims...), x.Red...)...)
		f.Body = true
		s.block(x.Body, f)
		s.block(x.Post, inside(x.Dims...))
	case *ir.Filter:
		s.Assigned[x.Count] = true
		s.block(x.MaskPre, inside(ir.Dim{Var: x.Var, Lo: x.Lo, Hi: x.Hi}))
		s.block(x.XPre, inside(ir.Dim{Var: x.Var, Lo: x.Lo, Hi: x.Hi}))
		s.Of(x.Dst).Other = append(s.Of(x.Dst).Other, at)
	case *ir.Loop:
		f := inside()
		f.Open = true
		s.block(x.Body, f)
	case *ir.If:
		then := inside()
		then.Rare = OfFlags(x.Cond, s.flags)
		s.block(x.Then, then)
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
		ir.EachBuffer(x, func(b *ir.Buf) { s.Of(b).Other = append(s.Of(b).Other, at) })
	}
}

// Names notes where v is declared.
func (s *Survey) Names(v *ir.Var, f *Frame) {
	if s.Home[v] != nil {
		s.Assigned[v] = true
	}
	s.Home[v] = f
}

// arrays notes uses of whole arrays.
func (s *Survey) arrays(as []ir.Array, at Spot, written bool) {
	for _, a := range as {
		if written {
			for _, v := range Variables(a) {
				s.Names(v, at.Frame)
			}
		}
		switch {
		case a.Buf == nil:
		case written:
			s.Of(a.Buf).Other = append(s.Of(a.Buf).Other, at)
		default:
			s.Of(a.Buf).Whole = append(s.Of(a.Buf).Whole, at)
		}
	}
}

func (s *Survey) expr(x ir.Expr, at Spot) {
	if l, ok := x.(*ir.Load); ok {
		u := s.Of(l.Buf)
		if n := len(u.Reads); n == 0 || u.Reads[n-1].Stmt != at.Stmt {
			u.Reads = append(u.Reads, at)
		}
	}
	for _, y := range ir.Operands(x) {
		s.expr(y, at)
	}
}

// Variables returns the variables of an array's extents, or of a scalar.
func Variables(a ir.Array) []*ir.Var {
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

// Value returns what v was declared with, nil where it may have other values.
func (s *Survey) Value(v *ir.Var) ir.Expr {
	if d := s.Defs[v]; d != nil && !s.Assigned[v] {
		return d.Init
	}
	return nil
}

// WrittenFrom reports whether b is written in the block of f from a position
// on.
func (s *Survey) WrittenFrom(b *ir.Buf, f *Frame, from int) bool {
	u := s.Of(b)
	for _, list := range [][]Spot{u.Stores, u.Other} {
		for _, w := range list {
			if at, ok := w.Frame.Within(f, w.At); ok && at >= from {
				return true
			}
		}
	}
	return false
}

// Canonical returns x with variables that are only names of others replaced.
func (s *Survey) Canonical(x ir.Expr) ir.Expr {
	return ir.MapExpr(x, func(y ir.Expr) ir.Expr {
		for range 16 {
			u, ok := y.(*ir.Use)
			if !ok {
				return y
			}
			switch init := s.Value(u.Var).(type) {
			case *ir.Int:
				y = init
			case *ir.Use:
				if s.Assigned[init.Var] {
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
