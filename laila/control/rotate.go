package control

import (
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/ir"
)

// rotations returns the exchanges after which the leaves that become what
// another leaf was have it, and which leaves these are: two generations of a
// recurrence change places, and nothing is copied.
func rotations(g *build.Builder, state []*leaf, next []*build.Value) (swaps []ir.Stmt, moved map[int]bool) {
	moved = map[int]bool{}
	holds := map[*ir.Buf]*ir.Buf{} // a buffer variable, and whose storage it refers to
	for _, s := range state {
		if s.buf != nil {
			holds[s.buf] = s.buf
		}
	}
	for i, s := range state {
		p := next[i].Arr
		if s.buf == nil || p.Buf == nil || p.Buf == s.buf || usedTwice(next, p.Buf) || !g.On("rotate") {
			continue
		}
		for _, t := range state {
			if t.buf != p.Buf || t.elem != s.elem || t.buf.Elem != s.buf.Elem || (t.vars == nil) != (s.vars == nil) ||
				s.vars == nil && !ir.SameShape(s.dims, t.dims) {
				continue
			}
			moved[i] = true
			if s.vars == nil {
				g.Fixed[s.buf], g.Fixed[t.buf] = true, true
			}
			for _, v := range state {
				if v.buf != nil && v != s && holds[v.buf] == p.Buf {
					swaps = append(swaps, &ir.Swap{A: s.buf, B: v.buf})
					holds[s.buf], holds[v.buf] = holds[v.buf], holds[s.buf]
					break
				}
			}
		}
	}
	return swaps, moved
}
