package laila

import (
	"maps"

	"github.com/tailor-lang/tailor/tail"
)

// A test of an index that stops the program at once keeps the loops around it
// from being vector code, and from being shared among threads. Such a nest
// notes in a flag that an index was out of range, and goes on with one that is
// not; where the flag was raised the nest is run again, in order and with the
// tests, which finds the first fault:
//
//	segred { red i = 0 … n
//	  if (x[i] < 1) | (m < x[i]) fail
//	  s = s + a[x[i] - 1] }
//
// becomes
//
//	var wrong = m < 1
//	segred { red i = 0 … (wrong ? 0 : n)
//	  wrong = wrong | (x[i] < 1) | (m < x[i])
//	  s = s + a[((x[i] max 1) min m) - 1] }
//	if wrong
//	  for i = 0 … n
//	    if (x[i] < 1) | (m < x[i]) fail
//	    s = s + a[x[i] - 1]
//
// An array without elements has no index to go on with: then all is done in
// order. Other faults of the nest, which are noted in flags, come first where
// they were noted first.
//
// Requires: no iteration reads what another one writes. Preserves: the order
// of faults, as the nest runs in order whenever there is one.

// testedTrips is how many iterations a nest that is treated has at least.
const testedTrips = 64

// indexTests treats the nests of a block that have nothing but tests of
// indices in the way of being shared.
func (l *lowerer) indexTests(block []Stmt) []Stmt { return replaceNests(block, l.flagged) }

// indexTest returns the index, and the extent that it is tested against, where
// a branch is such a test.
func indexTest(s *If) (x *Use, n Expr, ok bool) {
	if len(s.Then) != 1 || len(s.Else) != 0 {
		return nil, nil, false
	}
	f, ok := s.Then[0].(*Fail)
	if !ok || f.Fault != tail.FaultIndex || len(f.Args) != 3 || f.Args[0].X == nil || f.Args[1].X == nil {
		return nil, nil, false
	}
	x, ok = f.Args[0].X.(*Use)
	return x, f.Args[1].X, ok
}

// flagger treats one nest.
type flagger struct {
	l        *lowerer
	declared map[*Var]bool
	private  map[*Buf]bool
	stored   map[*Buf]bool
	loaded   map[*Buf]bool
	tested   map[*Var]bool // indices that are tested
	empty    []Expr        // extents that may be 0
	tests    int
}

func (l *lowerer) flagged(n *Nest) []Stmt {
	space := spaceOf(n)
	if space == nil || !copies(n.Pre) || !copies(n.Body) || !copies(n.Post) {
		return nil
	}
	most := int64(1)
	for _, d := range space {
		trips, known := laneTrips(d)
		if !known {
			most = testedTrips
			break
		}
		most *= max(trips, 0)
	}
	f := &flagger{l: l, declared: map[*Var]bool{}, private: map[*Buf]bool{}, stored: map[*Buf]bool{}, loaded: map[*Buf]bool{}, tested: map[*Var]bool{}}
	for _, d := range space {
		f.declared[d.Var] = true
	}
	f.declare(n.Body)
	if most < testedTrips || !f.survey(n.Body) || f.tests == 0 || f.rereads() || f.scatters(n.Body) || f.stale(n.Body, map[*Var]bool{}, map[*Var]bool{}) {
		return nil
	}
	return f.nests(n, space)
}

// declare notes what a block declares.
func (f *flagger) declare(block []Stmt) {
	for _, s := range block {
		switch s := s.(type) {
		case *Decl:
			f.declared[s.Var] = true
		case *DeclBuf:
			f.private[s.Buf] = true
		case *For:
			f.declared[s.Var] = true
		case *Nest:
			for _, d := range append(append([]Dim{}, s.Dims...), s.Red...) {
				f.declared[d.Var] = true
			}
		}
		for _, inner := range Blocks(s) {
			f.declare(*inner)
		}
	}
}

// survey notes the tests of a block, and what it reads and writes. It is not
// ok where something else stops the program, or it is not certain that an
// index in range can stand for one that is not.
func (f *flagger) survey(block []Stmt) bool {
	for _, s := range block {
		for _, x := range Exprs(s) {
			if x != nil {
				loadsOf(x, func(b *Buf) { f.loaded[b] = true })
			}
		}
		switch s := s.(type) {
		case *Fail:
			return false
		case *Store:
			f.stored[s.Buf] = true
		case *Copy:
			f.stored[s.Dst], f.loaded[s.Src] = true, true
		case *If:
			if x, n, ok := indexTest(s); ok {
				if f.l.rangeOf(x).lo > 1 || loads(n) {
					return false
				}
				if f.l.rangeOf(n).lo < 1 {
					if f.inside(n) {
						return false
					}
					f.empty = append(f.empty, n)
				}
				f.tested[x.Var] = true
				f.tests++
				continue
			}
		}
		for _, inner := range Blocks(s) {
			if !f.survey(*inner) {
				return false
			}
		}
	}
	return true
}

// inside reports whether x mentions what the nest declares.
func (f *flagger) inside(x Expr) bool {
	if u, ok := x.(*Use); ok && f.declared[u.Var] {
		return true
	}
	for _, y := range Operands(x) {
		if y != nil && f.inside(y) {
			return true
		}
	}
	return false
}

// rereads reports whether the nest reads an array that it writes, so that it
// cannot be run again.
func (f *flagger) rereads() bool {
	for b := range f.stored {
		if f.loaded[b] && !f.private[b] {
			return true
		}
	}
	return false
}

// scatters reports whether a place that a block writes to depends on an index
// that is tested.
func (f *flagger) scatters(block []Stmt) bool {
	depends := map[*Var]bool{}
	for v := range f.tested {
		depends[v] = true
	}
	on := func(x Expr) bool { return x != nil && mentionsAny(x, depends) }
	for again := true; again; {
		again = false
		mark := func(v *Var, x Expr) {
			if on(x) && !depends[v] {
				depends[v], again = true, true
			}
		}
		var visit func(block []Stmt)
		visit = func(block []Stmt) {
			for _, s := range block {
				switch s := s.(type) {
				case *Decl:
					mark(s.Var, s.Init)
				case *Assign:
					mark(s.Var, s.X)
				case *Checked:
					mark(s.Var, s.X)
					mark(s.Var, s.Y)
				}
				for _, inner := range Blocks(s) {
					visit(*inner)
				}
			}
		}
		visit(block)
	}
	found := false
	var visit func(block []Stmt)
	visit = func(block []Stmt) {
		for _, s := range block {
			switch s := s.(type) {
			case *Store:
				found = found || on(s.Index)
			case *Copy:
				found = found || on(s.DstIndex) || on(s.SrcIndex) || on(s.Count)
			case *DeclBuf:
				found = found || on(s.Count)
			case *For:
				found = found || on(s.Lo) || on(s.Hi)
			case *Nest:
				for _, d := range append(append([]Dim{}, s.Dims...), s.Red...) {
					found = found || on(d.Lo) || on(d.Hi)
				}
			case *BreakIf:
				found = found || on(s.Cond)
			case *Loop:
				found = true // it might not end
			}
			for _, inner := range Blocks(s) {
				visit(*inner)
			}
		}
	}
	visit(block)
	return found
}

// stale reports whether a place that a block reads from depends on the value
// that an index had before it was tested.
func (f *flagger) stale(block []Stmt, clean, dirty map[*Var]bool) bool {
	clean, dirty = maps.Clone(clean), maps.Clone(dirty)
	taints := func(x Expr) bool {
		if x == nil {
			return false
		}
		found := false
		eachUse(x, func(v *Var) { found = found || dirty[v] || f.tested[v] && !clean[v] })
		return found
	}
	for _, s := range block {
		if b, ok := s.(*If); ok {
			if x, _, ok := indexTest(b); ok {
				clean[x.Var] = true
				delete(dirty, x.Var)
				continue
			}
		}
		for _, x := range Exprs(s) {
			if x != nil && f.readsAt(x, taints) {
				return true
			}
		}
		switch s := s.(type) {
		case *Decl:
			if taints(s.Init) {
				dirty[s.Var] = true
			}
		case *Assign:
			if taints(s.X) {
				dirty[s.Var] = true
			}
		case *Checked:
			if taints(s.X) || taints(s.Y) {
				dirty[s.Var] = true
			}
		}
		for _, inner := range Blocks(s) {
			if f.stale(*inner, clean, dirty) {
				return true
			}
		}
	}
	return false
}

// readsAt reports whether x reads from a place for which is holds.
func (f *flagger) readsAt(x Expr, is func(Expr) bool) bool {
	if ld, ok := x.(*Load); ok && is(ld.Index) {
		return true
	}
	for _, y := range Operands(x) {
		if y != nil && f.readsAt(y, is) {
			return true
		}
	}
	return false
}

// eachUse visits the variables of x.
func eachUse(x Expr, visit func(*Var)) {
	if u, ok := x.(*Use); ok {
		visit(u.Var)
	}
	for _, y := range Operands(x) {
		if y != nil {
			eachUse(y, visit)
		}
	}
}

func mentionsAny(x Expr, vars map[*Var]bool) bool {
	if u, ok := x.(*Use); ok && vars[u.Var] {
		return true
	}
	for _, y := range Operands(x) {
		if y != nil && mentionsAny(y, vars) {
			return true
		}
	}
	return false
}

// nests returns the nest with flags, and the loops in its place where a flag
// was raised.
func (f *flagger) nests(n *Nest, space []Dim) []Stmt {
	l := f.l
	wrong := l.newVar("wrong", U8)
	l.ranges[wrong] = interval{0, 1}
	var none Expr = boolean(false)
	for i, x := range f.empty {
		seen := false
		for _, y := range f.empty[:i] {
			seen = seen || same(x, y)
		}
		if !seen {
			none = or(none, &Binary{Lt, x, integer(1)})
		}
	}
	fast := newCloner(l)
	fast.branch = func(s *If) ([]Stmt, bool) {
		x, m, ok := indexTest(s)
		if !ok {
			return nil, false
		}
		cond, at, limit := fast.expr(s.Cond), fast.expr(x), fast.expr(m)
		v := l.newVar(x.Var.Name, I64)
		l.ranges[v] = interval{1, max(l.rangeOf(limit).hi, 1)}
		fast.vars[x.Var] = &Use{v}
		return []Stmt{
			&Assign{wrong, &Binary{Or, &Use{wrong}, cond}},
			&Decl{v, &Binary{Max, &Binary{Min, at, limit}, integer(1)}},
		}, true
	}
	quick := *n
	quick.Pre, quick.Post = nil, nil
	quick.Dims, quick.Red = fast.dims(n.Dims), fast.dims(n.Red)
	quick.Flags = append(append([]*Var{}, n.Flags...), wrong)
	quick.Body = fast.block(n.Body)
	out := append([]Stmt{}, n.Pre...)
	if !isInt(none, 0) {
		dims := quick.Red
		if len(dims) == 0 {
			dims = quick.Dims
		}
		end := l.newVar("end", I64)
		l.ranges[end] = l.rangeOf(dims[0].Hi).union(l.rangeOf(dims[0].Lo))
		out = append(out, &Decl{wrong, none}, &Decl{end, choose(&Use{wrong}, dims[0].Lo, dims[0].Hi)})
		dims[0].Hi = &Use{end}
	} else {
		out = append(out, &Decl{wrong, boolean(false)})
	}
	slow := newCloner(l)
	var body, before, again []Stmt
	var raised Expr = boolean(false)
	for _, v := range n.Flags {
		was := l.newVar("was", U8)
		before = append(before, &Decl{was, &Use{v}})
		again = append(again, &Assign{v, &Use{was}})
		raised = or(raised, &Use{v})
	}
	slow.branch = func(s *If) ([]Stmt, bool) {
		x, m, ok := indexTest(s)
		if !ok || len(n.Flags) == 0 {
			return nil, false
		}
		cond, at, limit := slow.expr(s.Cond), slow.expr(x), slow.expr(m)
		first := not(raised)
		if l.rangeOf(limit).lo < 1 {
			first = or(first, &Binary{Lt, limit, integer(1)})
		}
		fail := slow.block(s.Then)
		v := l.newVar(x.Var.Name, I64)
		slow.vars[x.Var] = &Use{v}
		return []Stmt{&If{and(cond, first), fail, nil}, &Decl{v, &Binary{Max, &Binary{Min, at, limit}, integer(1)}}}, true
	}
	dims := slow.dims(space)
	body = inOrder(slow.block(n.Body))
	for i := len(dims) - 1; i >= 0; i-- {
		body = []Stmt{&For{Var: dims[i].Var, Lo: dims[i].Lo, Hi: dims[i].Hi, Body: body}}
	}
	out = append(append(out, before...), &quick, &If{&Use{wrong}, append(again, body...), nil})
	return append(out, n.Post...)
}

// inOrder returns a block with its nests as loops.
func inOrder(block []Stmt) []Stmt {
	return eachNest(block, func(n *Nest) []Stmt {
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
