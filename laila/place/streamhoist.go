package place

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// hoist moves reductions out of branches for arrays that have elements, to where streams
// are that make what they read:
//
//	if n == 0
//	  print(-Inf)
//	else
//	  fail if n == 0
//	  segred { red i = 0 … n: m = m max a[i] }
//	  print(m)
//
// becomes
//
//	segred { red i = 0 … n: m = m max a[i] }
//	if n == 0: print(-Inf) else: fail if n == 0; print(m)
//
// They read no arrays but those that steps of the block make, and have no iterations where
// the branch would not have been taken.
func (s *streamer) hoist(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for k, x := range block {
		if b, ok := x.(*ir.If); ok && s.emptyFor(b) != nil {
			if made := s.madeBefore(block[:k]); len(made) > 0 {
				moved, rest := s.hoisted(b.Else, made, s.value(s.emptyFor(b)))
				if len(moved) > 0 {
					out = append(out, moved...)
					x = &ir.If{Cond: b.Cond, Then: b.Then, Else: rest}
				}
			}
		}
		out = append(out, x)
	}
	return out
}

// emptyFor returns the extent that is 0 where b takes a branch without loops, nil where
// there is none.
func (s *streamer) emptyFor(b *ir.If) ir.Expr {
	cond := b.Cond
	if u, ok := cond.(*ir.Use); ok && s.defs[u.Var] != nil {
		cond = s.defs[u.Var]
	}
	c, ok := cond.(*ir.Binary)
	if !ok || c.Op != ir.OpEq || !ir.IsInt(c.Y, 0) || len(b.Else) == 0 {
		return nil
	}
	t := flow.NewSummary()
	for _, x := range b.Then {
		t.Stmt(x)
	}
	if t.Loops {
		return nil
	}
	return c.X
}

// value returns x as a sum of variables that are not computed from others.
func (s *streamer) value(x ir.Expr) affine.Poly {
	r := affine.Reader{Linear: true, Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		switch {
		case !ok || u.Var.Kind != ir.I64:
			return affine.Unknown
		case s.defs[u.Var] != nil && ir.IsLoadFree(s.defs[u.Var]):
			if p := r.Read(s.defs[u.Var]); p.Known() {
				return p
			}
		}
		return affine.Of(u.Var)
	}}
	return r.Read(x)
}

// madeBefore returns the arrays that loops of a block make, one element after the other.
func (s *streamer) madeBefore(block []ir.Stmt) map[*ir.Buf]bool {
	st := s.of(block)
	made := map[*ir.Buf]bool{}
	for k := range block {
		if p := st.stepAt(k); p != nil {
			for _, w := range p.writes {
				made[w.buf] = true
			}
		}
	}
	return made
}

// hoisted returns the reductions of a branch that read only arrays of made, with the
// declarations that they need, and the other statements. They have no iterations where n is 0.
func (s *streamer) hoisted(branch []ir.Stmt, made map[*ir.Buf]bool, n affine.Poly) (moved, rest []ir.Stmt) {
	h := &hoisting{streamer: s, branch: branch, inside: flow.NewSummary(), decls: map[*ir.Var]*ir.Decl{}, takes: map[ir.Stmt]*step{}, need: map[ir.Stmt]bool{}}
	st := s.of(branch)
	st.made = made
	for k, x := range branch {
		h.inside.Stmt(x)
		if d, ok := x.(*ir.Decl); ok && d.Init != nil && ir.IsLoadFree(d.Init) {
			h.decls[d.Var] = d
		}
		p := st.stepAt(k)
		if p != nil && p.nest != nil && len(p.writes) == 0 && len(p.reads) > 0 && len(p.flags()) == 0 && st.safe(p) && s.within(p, n) {
			h.takes[x] = p
		}
	}
	for h.drop() {
	}
	if len(h.takes) == 0 {
		return nil, branch
	}
	for _, x := range branch {
		if p := h.takes[x]; p != nil || h.need[x] {
			if p != nil && !ir.IsNumber(p.lo) {
				p.nest.Red[0].Lo = ir.OpMax.Of(p.lo, ir.Integer(0))
			}
			moved = append(moved, x)
		} else {
			rest = append(rest, x)
		}
	}
	return moved, rest
}

// within reports whether a reduction has at most n iterations, from 0 or a later place on.
func (s *streamer) within(p *step, n affine.Poly) bool {
	rest, known := s.value(p.hi).Minus(n).Constant()
	lo, ok := ir.IntOf(p.lo)
	return known && rest <= 0 && (!ok || lo >= 0)
}

// hoisting is a branch of which reductions move out, and the declarations that they need.
type hoisting struct {
	*streamer
	branch []ir.Stmt
	inside *flow.Summary
	decls  map[*ir.Var]*ir.Decl
	takes  map[ir.Stmt]*step
	need   map[ir.Stmt]bool
}

// drop drops a reduction that needs more of the branch, and reports whether there was one.
func (h *hoisting) drop() bool {
	clear(h.need)
	for x, p := range h.takes {
		for v := range p.summary.Reads {
			fine := p.summary.Declares[v]
			if !fine && p.accumulates(v) != ir.NoBinOp {
				fine = h.alone(v)
			} else if !fine {
				fine = h.outer(v)
			}
			if !fine {
				delete(h.takes, x)
				return true
			}
		}
	}
	return false
}

// outer reports whether a variable is set outside of the branch, or declared in it as
// something that is known outside.
func (h *hoisting) outer(v *ir.Var) bool {
	if !h.inside.Writes[v] {
		return true
	}
	d := h.decls[v]
	if d == nil || h.defs[v] == nil {
		return false
	}
	fine := true
	ir.EachUse(d.Init, func(w *ir.Var) { fine = fine && h.outer(w) })
	h.need[d] = true
	return fine
}

// alone reports whether the branch declares v as a constant, and only reductions that move
// add to it.
func (h *hoisting) alone(v *ir.Var) bool {
	d := h.decls[v]
	if d == nil {
		return false
	}
	fine := true
	ir.EachUse(d.Init, func(*ir.Var) { fine = false })
	for _, x := range h.branch {
		if h.Of(x).Writes[v] && x != ir.Stmt(d) && h.takes[x] == nil {
			fine = false
		}
	}
	h.need[d] = true
	return fine
}
