package place

import (
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Strips makes elements that a filter keeps a strip at a time, where one nest
// reads them in order, so that no more than a strip of them is ever stored:
//
//	alloc a: i32[m]
//	filter i = 0 … n where mask(i): a[c++] = i
//	segred { red j = 0 … m: s = s max f(a[j], b[j]) }
//
// becomes
//
//	stack a: i32[2048]
//	loop
//	  break if k >= m
//	  if from >= c
//	    from = 0; c = 0
//	    loop until c > 0
//	      filter i = at … (at + 2048) min n where mask(i): a[c++] = i
//	      at = (at + 2048) min n
//	  w = (m - k) min (c - from)
//	  segred { red i = 0 … w: var j = k + i; s = s max f(a[from + i], b[j]) }
//	  from = from + w; k = k + w
//
// Where the nest is in a branch the filter moves there, and is repeated in
// other branches that read the array in other ways, as a loop over arguments
// that are extended does.
//
// Requires: frees at the end of their block. Preserves: faults, and the order
// in which elements are read; filters have neither faults nor effects.
func Strips(l *pass.Context, f *ir.Func) {
	if f.Recursive {
		return // strips take room in the stack frame
	}
	if !hasFilter(f.Body) {
		return
	}
	s := &stripper{l: l, sums: &Fuser{L: l, Sums: map[ir.Stmt]*flow.Summary{}}, Survey: flow.SurveyOf(f)}
	f.Body = s.block(f.Body)
}

const (
	stripLength = 2048
	// stripWork is what the body of a nest costs at most that reads strips:
	// costly ones are better shared between threads.
	stripWork = 24
)

type stripper struct {
	l    *pass.Context
	sums *Fuser
	*flow.Survey
}

// of returns what x reads and writes.
func (s *stripper) of(x ir.Stmt) *flow.Summary { return s.sums.Of(x) }

func hasFilter(block []ir.Stmt) bool {
	for _, s := range block {
		if _, ok := s.(*ir.Filter); ok {
			return true
		}
		for _, inner := range ir.Blocks(s) {
			if hasFilter(*inner) {
				return true
			}
		}
	}
	return false
}

// kept is a buffer that filters fill, one after the other.
type kept struct {
	buf     *ir.Buf
	decl    *ir.DeclBuf
	zero    *ir.Decl // of the count
	filters []*ir.Filter
	at      int // the last of these statements in the block
}

func (s *stripper) block(block []ir.Stmt) []ir.Stmt {
	for again := true; again; {
		again = false
		for q := 0; q < len(block) && !again; q++ {
			switch x := block[q].(type) {
			case *ir.Nest:
				if ks := s.readBy(block, q, x); len(ks) > 0 {
					block, again = s.streamed(block, q, x, ks), true
				}
			case *ir.If:
				for _, k := range s.keptBefore(block, q) {
					if s.moves(block, q, k) && s.worth(x, k) {
						block, again = s.sunk(block, x, k), true
						break
					}
				}
			}
		}
	}
	for _, x := range block {
		for _, inner := range ir.SequentialBlocks(x) {
			*inner = s.block(*inner)
		}
	}
	return block
}

// keptBefore returns the buffers that are filled by filters of the block
// before position q, and by nothing else, and whose only reader is the
// statement there.
func (s *stripper) keptBefore(block []ir.Stmt, q int) []*kept {
	var out []*kept
	for b := range s.of(block[q]).Loads {
		if k := s.keptIn(block, b, q); k != nil {
			out = append(out, k)
		}
	}
	// In the order of the block.
	for i := range out {
		for j := i; j > 0 && out[j].at < out[j-1].at; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func (s *stripper) keptIn(block []ir.Stmt, b *ir.Buf, q int) *kept {
	k := &kept{buf: b}
	for i, x := range block {
		switch x := x.(type) {
		case *ir.Free:
			continue
		case *ir.DeclBuf:
			if x.Buf == b {
				k.decl = x
				continue
			}
		case *ir.Filter:
			if x.Dst == b && i < q && !s.of(x).Loads[b] {
				k.filters, k.at = append(k.filters, x), i
				continue
			}
		}
		t := s.of(x)
		if t.Stores[b] || t.Loads[b] != (i == q) {
			return nil
		}
	}
	if k.decl == nil || len(k.filters) == 0 || k.decl.Zero || b.Stack > 0 {
		return nil
	}
	return s.counted(block, k)
}

// counted finds the declaration of the count of k, which nobody else uses.
func (s *stripper) counted(block []ir.Stmt, k *kept) *kept {
	c := k.filters[0].Count
	for _, x := range block {
		d, ok := x.(*ir.Decl)
		if ok && d.Var == c {
			k.zero = d
			continue
		}
		if f, ok := x.(*ir.Filter); ok && f.Dst == k.buf {
			if f.Count != c || !straight(f.MaskPre) || !straight(f.XPre) {
				return nil
			}
			continue
		}
		if t := s.of(x); t.Reads[c] || t.Writes[c] {
			return nil
		}
	}
	if k.zero == nil || !ir.IsInt(k.zero.Init, 0) {
		return nil
	}
	return k
}

func straight(block []ir.Stmt) bool {
	for _, s := range block {
		if d, ok := s.(*ir.Decl); !ok || d.Init == nil {
			return false
		}
	}
	return true
}

// moves reports whether the filters of k can move to position q: nothing in
// between, nor the statement there, changes what they read.
func (s *stripper) moves(block []ir.Stmt, q int, k *kept) bool {
	for _, f := range k.filters {
		t, after := s.of(f), false
		for _, x := range block[:q+1] {
			if x == ir.Stmt(f) {
				after = true
				continue
			}
			if !after {
				continue
			}
			u := s.of(x)
			if u.Barrier || flow.Meet(u.Stores, t.Loads) {
				return false
			}
			for v := range u.Writes {
				if t.Reads[v] && v != f.Count && !t.Declares[v] {
					return false
				}
			}
		}
	}
	return true
}

// readBy returns the buffers that the nest at position q reads in order.
func (s *stripper) readBy(block []ir.Stmt, q int, n *ir.Nest) []*kept {
	var out []*kept
	for _, k := range s.keptBefore(block, q) {
		if s.inOrder(n, k.buf) && s.moves(block, q, k) {
			out = append(out, k)
		}
	}
	return out
}

// ir.InOrder reports whether n is a nest over one axis from 0 that reads b at its
// index only.
func (s *stripper) inOrder(n *ir.Nest, b *ir.Buf) bool {
	space := ir.SpaceOf(n)
	if len(space) != 1 || n.Ordered() || !ir.IsInt(space[0].Lo, 0) || cost.BlockWeight(n.Body) > stripWork {
		return false
	}
	for _, x := range n.Body {
		for _, e := range ir.Exprs(x) {
			ok := true
			ir.MapExpr(e, func(y ir.Expr) ir.Expr {
				if l, load := y.(*ir.Load); load && l.Buf == b && !ir.IsUse(s.Canonical(l.Index), space[0].Var) {
					ok = false
				}
				return y
			})
			if !ok {
				return false
			}
		}
	}
	return true
}

// worth reports whether a branch of x has a nest that reads k in order, and
// all that reads k can be made to read another array.
func (s *stripper) worth(x *ir.If, k *kept) bool {
	found := false
	if !s.plainReads([]ir.Stmt{x}, k.buf) {
		return false
	}
	var look func(block []ir.Stmt)
	look = func(block []ir.Stmt) {
		for i, y := range block {
			switch y := y.(type) {
			case *ir.Nest:
				readers := 0
				for _, z := range block {
					if s.of(z).Loads[k.buf] {
						readers++
					}
				}
				if s.of(block[i]).Loads[k.buf] && readers == 1 && s.inOrder(y, k.buf) {
					found = true
				}
			case *ir.If:
				look(y.Then)
				look(y.Else)
			}
		}
	}
	look(x.Then)
	look(x.Else)
	return found
}

// plainReads reports whether what mentions b are loads in statements that a
// rewriter changes, and no statement leaves the function.
func (s *stripper) plainReads(block []ir.Stmt, b *ir.Buf) bool {
	for _, x := range block {
		mentioned := false
		ir.EachBuffer(x, func(c *ir.Buf) { mentioned = mentioned || c == b })
		switch x.(type) {
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store, *ir.For, *ir.Nest, *ir.Loop, *ir.BreakIf, *ir.If:
		case *ir.Return:
			return false
		default:
			if mentioned {
				return false
			}
		}
		for _, inner := range ir.Blocks(x) {
			if !s.plainReads(*inner, b) {
				return false
			}
		}
	}
	return true
}
