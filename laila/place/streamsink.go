package place

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// sink moves the steps that make arrays which only one branch reads into that branch, where
// they may be one stream with a step of it:
//
//	alloc a: i64[n]
//	for i = 0 … n: s = s + x[i]; a[i] = s
//	if n == m
//	  segred { red i = 0 … m: b = b & (a[i] == y[i]) }
//
// becomes
//
//	if n == m
//	  alloc a: i64[n]
//	  for i = 0 … n: s = s + x[i]; a[i] = s
//	  segred { red i = 0 … m: b = b & (a[i] == y[i]) }
//	  free a
func (s *streamer) sink(block []ir.Stmt) []ir.Stmt {
	for q := 0; q < len(block); q++ {
		x, ok := block[q].(*ir.If)
		if !ok || s.of(block).stepAt(q) != nil {
			continue
		}
		for _, branch := range []*[]ir.Stmt{&x.Then, &x.Else} {
			if moved := s.sunk(block, q, *branch); len(moved) > 0 {
				var inner, frees []ir.Stmt
				var rest []ir.Stmt
				for _, y := range block {
					f, isFree := y.(*ir.Free)
					switch {
					case !moved[y]:
						rest = append(rest, y)
					case isFree:
						frees = append(frees, f)
					default:
						inner = append(inner, y)
					}
				}
				*branch = append(append(inner, *branch...), frees...)
				delete(s.Sums, ir.Stmt(x))
				block = rest
				q = slices.Index(block, ir.Stmt(x))
			}
		}
	}
	return block
}

// sunk returns the statements before position q that move into a branch of the statement
// there.
func (s *streamer) sunk(block []ir.Stmt, q int, branch []ir.Stmt) map[ir.Stmt]bool {
	in, st := s.of(branch), s.of(block)
	wanted := map[*ir.Buf]bool{}
	for k := range branch {
		if p := in.stepAt(k); p != nil {
			for _, r := range p.reads {
				wanted[r.buf] = true
			}
		}
	}
	moved := map[ir.Stmt]bool{}
	steps := map[*step]bool{}
	for again := true; again && len(wanted) > 0; {
		again = false
		for k := q - 1; k >= max(q-streamWindow, 0); k-- {
			p := st.stepAt(k)
			if p == nil || moved[block[k]] || p.filter != nil || !slices.ContainsFunc(p.writes, func(w access) bool { return wanted[w.buf] }) {
				continue
			}
			steps[p] = true
			for _, x := range p.stmts {
				moved[x] = true
			}
			for _, r := range p.reads {
				wanted[r.buf], again = true, true
			}
		}
	}
	for !s.only(block, q, branch, steps, moved) {
	}
	if len(steps) == 0 {
		return nil
	}
	for _, x := range block {
		switch x := x.(type) {
		case *ir.DeclBuf:
			moved[x] = moved[x] || s.makes(steps, x.Buf)
		case *ir.Free:
			moved[x] = moved[x] || s.makes(steps, x.Buf)
		}
	}
	return moved
}

func (s *streamer) makes(steps map[*step]bool, b *ir.Buf) bool {
	for p := range steps {
		if slices.ContainsFunc(p.writes, func(w access) bool { return w.buf == b }) {
			return true
		}
	}
	return false
}

// only drops a step that others than the branch and the steps that move need, or that does
// not come behind what is between, and reports whether there was none.
func (s *streamer) only(block []ir.Stmt, q int, branch []ir.Stmt, steps map[*step]bool, moved map[ir.Stmt]bool) bool {
	inside := map[ir.Stmt]bool{}
	for _, x := range branch {
		inside[x] = true
	}
	for p := range steps {
		if s.stays(block, q, inside, p, moved) {
			delete(steps, p)
			for _, x := range p.stmts {
				delete(moved, x)
			}
			return false
		}
	}
	return true
}

// stays reports whether a step cannot move into the branch of the statement at position q
// that has the statements inside.
func (s *streamer) stays(block []ir.Stmt, q int, inside map[ir.Stmt]bool, p *step, moved map[ir.Stmt]bool) bool {
	declared, freed := map[*ir.Buf]bool{}, map[*ir.Buf]bool{}
	for k, x := range block {
		switch x := x.(type) {
		case *ir.DeclBuf:
			declared[x.Buf] = x.Buf.Stack == 0 && !x.Zero
			if s.stores(p, x.Buf) {
				continue
			}
		case *ir.Free:
			freed[x.Buf] = true
			if s.stores(p, x.Buf) {
				continue
			}
		}
		if moved[x] {
			continue
		}
		t := s.Of(x)
		if k == q {
			t = s.beside(x.(*ir.If), inside)
		}
		uses := func(b *ir.Buf) bool { return t.Loads[b] || t.Stores[b] }
		for _, w := range p.writes {
			if uses(w.buf) {
				return true
			}
		}
		for v := range p.summary.Writes {
			if t.Reads[v] || t.Writes[v] && !s.declares(x, v) {
				return true
			}
		}
		if k < p.at || k >= q {
			continue
		}
		for b := range t.Stores {
			if p.summary.Loads[b] {
				return true
			}
		}
		for v := range t.Writes {
			if p.summary.Reads[v] {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.writes, func(w access) bool { return !declared[w.buf] || !freed[w.buf] })
}

// beside returns what a branch reads and writes outside of the statements inside.
func (s *streamer) beside(x *ir.If, inside map[ir.Stmt]bool) *flow.Summary {
	t := flow.NewSummary()
	t.Stmt(&ir.If{Cond: x.Cond})
	for _, branch := range [][]ir.Stmt{x.Then, x.Else} {
		for _, y := range branch {
			if !inside[y] {
				t.Stmt(y)
			}
		}
	}
	return t
}

// declares reports whether x is the declaration of v.
func (s *streamer) declares(x ir.Stmt, v *ir.Var) bool {
	d, ok := x.(*ir.Decl)
	return ok && d.Var == v
}
