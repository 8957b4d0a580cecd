package laila

// frame is a block of statements, with where it stands.
type frame struct {
	parent *frame
	of     Stmt  // the statement that it is in
	at     int   // the position in parent of that statement
	loops  []Dim // what runs it again and again
	open   bool  // it runs nobody knows how often
	body   bool  // it is the body of a nest
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
	stmt  Stmt
}

// bufSites says where a buffer is used.
type bufSites struct {
	decl   *DeclBuf
	home   *frame
	reads  []spot // statements that load elements
	stores []spot
	other  []spot // other writes
	whole  []spot // other reads
}

// survey says where the variables and buffers of a function are used.
type survey struct {
	assigned map[*Var]bool   // by more than their declarations
	defs     map[*Var]*Decl  // variables that have one value where they are declared
	home     map[*Var]*frame // where they are declared
	sites    map[*Buf]*bufSites
	order    []*Buf // buffers of elements that are stored, in the order of the first store
}

func surveyed(f *Func) *survey {
	s := &survey{assigned: map[*Var]bool{}, defs: map[*Var]*Decl{}, home: map[*Var]*frame{}, sites: map[*Buf]*bufSites{}}
	top := &frame{}
	s.block(f.Body, top)
	for _, a := range append(append([]Array{}, f.Params...), f.Results...) {
		if a.Buf != nil {
			s.of(a.Buf).other = append(s.of(a.Buf).other, spot{frame: top, at: -1})
			s.of(a.Buf).whole = append(s.of(a.Buf).whole, spot{frame: top, at: -1})
		}
	}
	return s
}

func (s *survey) of(b *Buf) *bufSites {
	u, ok := s.sites[b]
	if !ok {
		u = &bufSites{}
		s.sites[b] = u
	}
	return u
}

func (s *survey) block(block []Stmt, f *frame) {
	for i, x := range block {
		s.stmt(x, spot{f, i, x})
	}
}

func (s *survey) stmt(x Stmt, at spot) {
	for _, e := range Exprs(x) {
		s.expr(e, at)
	}
	inside := func(dims ...Dim) *frame { return &frame{parent: at.frame, of: x, at: at.at, loops: dims} }
	switch x := x.(type) {
	case *Decl:
		s.names(x.Var, at.frame)
		s.defs[x.Var] = x
	case *Assign:
		s.assigned[x.Var] = true
	case *Checked:
		s.assigned[x.Var], s.assigned[x.Flag] = true, true
	case *DeclBuf:
		u := s.of(x.Buf)
		u.decl, u.home = x, at.frame
	case *Free, *Comment:
	case *Store:
		u := s.of(x.Buf)
		if len(u.stores) == 0 {
			s.order = append(s.order, x.Buf)
		}
		u.stores = append(u.stores, at)
	case *For:
		s.block(x.Body, inside(Dim{x.Var, x.Lo, x.Hi}))
	case *Nest:
		s.block(x.Pre, inside(x.Dims...))
		f := inside(append(append([]Dim{}, x.Dims...), x.Red...)...)
		f.body = true
		s.block(x.Body, f)
		s.block(x.Post, inside(x.Dims...))
	case *Filter:
		s.assigned[x.Count] = true
		s.block(x.MaskPre, inside(Dim{x.Var, x.Lo, x.Hi}))
		s.block(x.XPre, inside(Dim{x.Var, x.Lo, x.Hi}))
		s.of(x.Dst).other = append(s.of(x.Dst).other, at)
	case *Loop:
		f := inside()
		f.open = true
		s.block(x.Body, f)
	case *If:
		s.block(x.Then, inside())
		s.block(x.Else, inside())
	case *Call:
		s.arrays(x.Args, at, false)
		s.arrays(x.Results, at, true)
	case *Runtime:
		for _, a := range x.Args {
			if a.Array != nil {
				s.arrays([]Array{*a.Array}, at, false)
			}
		}
		s.arrays(x.Results, at, true)
	default:
		bufsOf(x, func(b *Buf) { s.of(b).other = append(s.of(b).other, at) })
	}
}

// names notes where v is declared.
func (s *survey) names(v *Var, f *frame) {
	if s.home[v] != nil {
		s.assigned[v] = true
	}
	s.home[v] = f
}

// arrays notes uses of whole arrays.
func (s *survey) arrays(as []Array, at spot, written bool) {
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

func (s *survey) expr(x Expr, at spot) {
	if l, ok := x.(*Load); ok {
		u := s.of(l.Buf)
		if n := len(u.reads); n == 0 || u.reads[n-1].stmt != at.stmt {
			u.reads = append(u.reads, at)
		}
	}
	for _, y := range Operands(x) {
		s.expr(y, at)
	}
}

// variables returns the variables of an array's extents, or of a scalar.
func variables(a Array) []*Var {
	if a.Scalar != nil {
		return []*Var{a.Scalar}
	}
	var vs []*Var
	for _, d := range a.Dims {
		if u, ok := d.(*Use); ok {
			vs = append(vs, u.Var)
		}
	}
	return vs
}

// value returns what v was declared with, nil where it may have other values.
func (s *survey) value(v *Var) Expr {
	if d := s.defs[v]; d != nil && !s.assigned[v] {
		return d.Init
	}
	return nil
}

// writtenFrom reports whether b is written in the block of f from a position
// on.
func (s *survey) writtenFrom(b *Buf, f *frame, from int) bool {
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
func (s *survey) canonical(x Expr) Expr {
	return mapExpr(x, func(y Expr) Expr {
		for range 16 {
			u, ok := y.(*Use)
			if !ok {
				return y
			}
			switch init := s.value(u.Var).(type) {
			case *Int:
				y = init
			case *Use:
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
