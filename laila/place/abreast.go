package place

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Abreast joins loops over one range that update tables, of which each waits for the element of the step before:
// side by side they wait at the same time, and what both need is read and computed once.
//
//	for i = 0 … n: p = k[i]; s[p] = s[p] + x[i]
//	for j = 0 … n: q = k[j]; c[q] = c[q] + 1
//
// becomes
//
//	for i = 0 … n: p = k[i]; s[p] = s[p] + x[i]; c[p] = c[p] + 1
//
// Neither loop may read what the other one writes, or stop the program. What the second one needs of the statements
// between moves up, as in fuse.
//
// Requires: frees at the end of their block. Preserves: the order of faults, and that of the steps of each loop.
func Abreast(l *pass.Context, f *ir.Func) {
	fz := &Fuser{L: l, Sums: map[ir.Stmt]*flow.Summary{}, flags: map[*ir.Var]bool{}}
	fz.noteFlags(f.Body)
	f.Body = fz.abreast(f.Body)
}

func (f *Fuser) abreast(block []ir.Stmt) []ir.Stmt {
	for j := 0; j < len(block); j++ {
		for i := j - 1; i >= 0 && i >= j-fuseWindow; i-- {
			if next, at, ok := f.besides(block, i, j); ok {
				block, j = next, at
				break
			}
		}
	}
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = f.abreast(*inner)
		}
	}
	return block
}

// besides joins the loops block[i] and block[j]; it returns the new block, and where the joined one is in it.
func (f *Fuser) besides(block []ir.Stmt, i, j int) ([]ir.Stmt, int, bool) {
	a, b := f.tableLoop(block[i]), f.tableLoop(block[j])
	if a == nil || b == nil || !ir.Same(a.Lo, b.Lo) || !ir.Same(a.Hi, b.Hi) {
		return nil, 0, false
	}
	sa, sb := f.Of(a), f.Of(b)
	if sa.Clashes(sb) || !flow.Meet(sa.Loads, sb.Loads) || sa.Size+sb.Size > fuseLimit {
		return nil, 0, false
	}
	moved, rest, ok := f.between(a, b, block[i+1:j])
	if !ok {
		return nil, 0, false
	}
	n := *a
	n.Body = append(append([]ir.Stmt{}, a.Body...), b.Var.Decl(a.Var.Use()))
	n.Body = f.shared(append(n.Body, b.Body...))
	next := append(append([]ir.Stmt{}, block[:i]...), moved...)
	at := len(next)
	next = append(append(next, &n), rest...)
	return append(next, block[j+1:]...), at, true
}

// tableLoop returns s as a loop of few simple steps in order that reads elements of an array which it stores into;
// nil where it is something else.
func (f *Fuser) tableLoop(s ir.Stmt) *ir.For {
	n, ok := s.(*ir.For)
	if !ok || n.Independent || n.Terms {
		return nil
	}
	t := f.Of(n)
	if t.Barrier || t.Guard || !flow.Meet(t.Loads, t.Stores) {
		return nil
	}
	for _, s := range n.Body {
		if f.Of(s).Loops {
			return nil
		}
	}
	return n
}
