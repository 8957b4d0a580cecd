package place

import (
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// fuseWindow is how many statements before a nest are looked at for one to
// join it with; fuseLimit is the largest number of statements of a joined body.
const (
	fuseWindow = 48
	fuseLimit  = 160
)

// Fuser joins nests over one iteration space.
type Fuser struct {
	L    *pass.Context
	Sums map[ir.Stmt]*flow.Summary
	// flags are the variables that nests note faults in.
	flags map[*ir.Var]bool
	// defs are the values of variables that are set once.
	defs map[*ir.Var]ir.Expr
}

// FuseNests joins nests over one iteration space that follow each other and
// use the same arrays:
//
//	segmap i = 0 … n: a[i] = f(x[i])
//	segmap j = 0 … n: b[j] = g(a[j], y[j])
//	segred { red k = 0 … n: s = s + b[k] }
//
// becomes
//
//	segred { red i = 0 … n: a[i] = f(x[i]); b[i] = g(a[i], y[i]); s = s + b[i] }
//
// where every array that one of two nests writes is used by both at places
// that belong to one iteration alone. Statements between that the second nest
// needs move up; tests of flags keep their places. Arrays that nothing else
// reads then become variables (contract.go).
//
// A reduction of a ravel, whose order does not matter, runs over the axes of the nest that
// makes the array (reshape.go). A reduction behind a map whose index set is split joins its pieces
// (piecewise.go).
//
// Requires: frees at the end of their block. Preserves: the order of faults,
// and the order in which a sum's terms are added.
func FuseNests(l *pass.Context, f *ir.Func) {
	fz := &Fuser{L: l, Sums: map[ir.Stmt]*flow.Summary{}, flags: map[*ir.Var]bool{}}
	fz.noteFlags(f.Body)
	fz.defs, _ = flow.DefinedOnce(f)
	f.Body = fz.block(f.Body)
}

func (f *Fuser) noteFlags(block []ir.Stmt) {
	for _, s := range block {
		if n, ok := s.(*ir.Nest); ok {
			for _, v := range n.Flags {
				f.flags[v] = true
			}
		}
		for _, inner := range ir.Blocks(s) {
			f.noteFlags(*inner)
		}
	}
}

func (f *Fuser) block(block []ir.Stmt) []ir.Stmt {
	joined := map[*ir.Nest]bool{}
	for j := 0; j < len(block); j++ {
		for again := true; again; {
			b, isNest := block[j].(*ir.Nest)
			again = false
			if !isNest || ir.SpaceOf(b) == nil {
				break
			}
			for i := j - 1; i >= 0 && i >= j-fuseWindow; i-- {
				a, ok := block[i].(*ir.Nest)
				if !ok {
					continue
				}
				x, y, ok := f.alike(a, b)
				if !ok {
					continue
				}
				if next, at, ok := f.join(block, i, j, x, y); ok {
					delete(joined, a)
					delete(joined, b)
					block, j, again = next, at, true
					joined[block[j].(*ir.Nest)] = true
					break
				}
			}
		}
	}
	for j := 0; j < len(block); j++ {
		if next, at, ok := f.onPieces(block, j); ok {
			block, j = next, at
		}
	}
	for _, s := range block {
		if n, ok := s.(*ir.Nest); ok && joined[n] {
			block = f.contract(block, n)
			n.Body = f.shareValues(n.Body)
		}
	}
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = f.block(*inner)
		}
	}
	return block
}

// join joins the nests block[i] and block[j], which are a and b over one space; it
// returns the new block and where the joined nest is in it.
func (f *Fuser) join(block []ir.Stmt, i, j int, a, b *ir.Nest) ([]ir.Stmt, int, bool) {
	if !f.worthwhile(a, b) || !f.independent(a, b) {
		return nil, 0, false
	}
	moved, rest, ok := f.between(a, b, block[i+1:j])
	if !ok {
		return nil, 0, false
	}
	n := merged(a, b)
	next := append([]ir.Stmt{}, block[:i]...)
	next = append(next, moved...)
	at := len(next)
	next = append(append(next, n), rest...)
	return append(next, block[j+1:]...), at, true
}

// worthwhile reports whether two nests use a common array, and joining them
// does not take vector code from one of them.
func (f *Fuser) worthwhile(a, b *ir.Nest) bool {
	sa, sb := f.Of(a), f.Of(b)
	switch {
	case len(a.Accs)+len(b.Accs) > maxAccs, sa.Size+sb.Size > fuseLimit:
		return false
	case !f.L.CPU() && (isProduct(a) || isProduct(b)): // kernels of their own
		return false
	case sa.Barrier || sb.Barrier || sa.Guard && !f.guardsValues(a.Body) || sb.Guard:
		return false
	case sa.Loops != sb.Loops && !f.readsRows(b, a), sa.Slow != sb.Slow, f.tested(a) != f.tested(b) && len(a.Accs)+len(b.Accs) > 0:
		return false
	}
	for v := range sa.Declares {
		if sb.Declares[v] {
			return false
		}
	}
	for x := range sa.Stores {
		if sb.Loads[x] {
			return true
		}
	}
	copies := isCopy(a) || isCopy(b)
	for x := range sa.Loads {
		if sb.Stores[x] || sb.Loads[x] && !copies {
			return true
		}
	}
	return false
}

// guardsValues reports whether the faults of a block are those of values, of which a nest noted
// that there are some: a later nest may run beside the iterations before.
func (f *Fuser) guardsValues(block []ir.Stmt) bool {
	for _, s := range block {
		if !f.Of(s).Guard || f.testsFlag(s) {
			continue
		}
		inner := ir.Blocks(s)
		if len(inner) == 0 {
			return false
		}
		for _, b := range inner {
			if !f.guardsValues(*b) {
				return false
			}
		}
	}
	return true
}

// fewOperations is the most that is done with elements of a row, in simple operations, beside
// the row.
const fewOperations = 24

// readsRows reports whether a nest without loops does little with elements of rows that
// another one makes by loops: scalar code saves storing the rows.
func (f *Fuser) readsRows(b, a *ir.Nest) bool {
	if !f.L.CPU() || f.Of(b).Loops || len(ir.SpaceOf(a)) != 1 || !ir.IsStraight(b.Body) || cost.BodyWeight(b.Body) > fewOperations {
		return false
	}
	var p *places
	for x := range f.Of(b).Loads {
		if !f.Of(a).Stores[x] {
			continue
		}
		if p == nil {
			p = f.places(a, b)
		}
		if n, ok := p.rowOf(p.at[x]); ok && !p.odd[x] && n >= 2 {
			return true
		}
	}
	return false
}

// isCopy reports whether a nest copies elements and does nothing else: it may turn out
// that they can stay where they are.
func isCopy(n *ir.Nest) bool {
	if n.Kind != ir.SegMap || len(n.Body) != 1 {
		return false
	}
	st, ok := n.Body[0].(*ir.Store)
	if !ok {
		return false
	}
	_, ok = st.X.(*ir.Load)
	return ok
}

// tested reports whether a nest looks for overflow in every iteration: for CPUs sums do
// so only where the magnitudes of their terms ask for it.
func (f *Fuser) tested(n *ir.Nest) bool {
	if !f.Of(n).Checked {
		return false
	}
	_, only := flow.CheckedSums(n)
	return !only || !f.L.On("sumtests")
}

// isProduct reports whether the points of a nest are rows of an inner product:
// loops over terms around loops over a row.
func isProduct(n *ir.Nest) bool {
	for _, s := range n.Body {
		if f, ok := s.(*ir.For); ok {
			for _, inner := range f.Body {
				if _, ok := inner.(*ir.For); ok {
					return true
				}
			}
		}
	}
	return false
}

// independent reports whether no iteration of b needs, or destroys, what
// another iteration of a makes or needs.
func (f *Fuser) independent(a, b *ir.Nest) bool {
	sa, sb := f.Of(a), f.Of(b)
	for v := range sa.Writes {
		if (sb.Reads[v] || sb.Writes[v]) && !f.flags[v] {
			return false
		}
	}
	for v := range sb.Writes {
		if sa.Reads[v] && !f.flags[v] {
			return false
		}
	}
	var p *places
	for x := range sa.Buffers() {
		if !sb.Loads[x] && !sb.Stores[x] || !sa.Stores[x] && !sb.Stores[x] {
			continue
		}
		if p == nil {
			p = f.places(a, b)
		}
		if !p.aligned(x) {
			return false
		}
	}
	return true
}

// between divides the statements between a and b, both nests or both loops, into those that b
// needs, which move up to a, and the others. For loops nests move, too.
func (f *Fuser) between(a, b ir.Stmt, list []ir.Stmt) (moved, rest []ir.Stmt, ok bool) {
	up := []*flow.Summary{f.Of(b)}
	goes := make([]bool, len(list))
	guarded := false
	for k := len(list) - 1; k >= 0; k-- {
		s := f.Of(list[k])
		if s.Barrier {
			return nil, nil, false
		}
		clash := false
		for _, u := range up {
			clash = clash || s.Clashes(u)
		}
		if clash {
			if !f.movesUp(list[k], b) {
				return nil, nil, false
			}
			up = append(up, s)
			goes[k] = true
			continue
		}
		guarded = guarded || s.Guard && !f.testsFlag(list[k])
	}
	if guarded && !f.within(a, b) {
		return nil, nil, false
	}
	for _, u := range up[1:] {
		if f.Of(a).Clashes(u) {
			return nil, nil, false
		}
	}
	for k, s := range list {
		if goes[k] {
			moved = append(moved, s)
		} else {
			rest = append(rest, s)
		}
	}
	return moved, rest, true
}

// movesUp reports whether s is such that it may move to another place before b, which needs it.
func (f *Fuser) movesUp(s, b ir.Stmt) bool {
	switch s.(type) {
	case *ir.Decl, *ir.DeclBuf:
		return true
	case *ir.Nest:
		_, isLoop := b.(*ir.For)
		return isLoop && !f.Of(s).Guard
	}
	return false
}

// testsFlag reports whether s stops the program where a nest noted a fault of
// values. Other tests may be about extents, without which what follows reads
// out of bounds.
func (f *Fuser) testsFlag(s ir.Stmt) bool {
	branch, ok := s.(*ir.If)
	return ok && flow.OfFlags(branch.Cond, f.flags)
}

// within reports whether all that b reads are arrays that a uses, each at the
// same place.
func (f *Fuser) within(first, second ir.Stmt) bool {
	a, ok := first.(*ir.Nest)
	b, both := second.(*ir.Nest)
	if !ok || !both {
		return false
	}
	sa, sb := f.Of(a), f.Of(b)
	var p *places
	for x := range sb.Loads {
		if !sa.Loads[x] && !sa.Stores[x] {
			return false
		}
		if p == nil {
			p = f.places(a, b)
		}
		if !p.aligned(x) {
			return false
		}
	}
	return true
}

// merged returns one nest that does the work of both.
func merged(a, b *ir.Nest) *ir.Nest {
	n := joined(asReduction(a), asReduction(b))
	if a.Kind == ir.SegMap && b.Kind == ir.SegMap {
		n = &ir.Nest{Kind: ir.SegMap, Dims: n.Red, Body: n.Body, Flags: n.Flags, At: a.At}
	}
	return n
}

// asReduction returns a map as a reduction without accumulators.
func asReduction(n *ir.Nest) *ir.Nest {
	if n.Kind == ir.SegRed {
		return n
	}
	return &ir.Nest{Kind: ir.SegRed, Red: n.Dims, Body: n.Body, Flags: n.Flags, At: n.At}
}

// Of returns the summary of s, which is computed once.
func (f *Fuser) Of(s ir.Stmt) *flow.Summary {
	t, ok := f.Sums[s]
	if !ok {
		t = flow.SummaryOf(s)
		f.Sums[s] = t
	}
	return t
}

// maxAccs is the largest number of accumulators of one nest.
const maxAccs = 8

// joined returns one nest that does the work of both.
func joined(a, b *ir.Nest) *ir.Nest {
	n := *a
	cat := func(x, y []ir.Stmt) []ir.Stmt { return append(append([]ir.Stmt{}, x...), y...) }
	n.Pre, n.Post = cat(a.Pre, b.Pre), cat(a.Post, b.Post)
	n.Body = cat(a.Body, nil)
	for k, d := range b.Red {
		n.Body = append(n.Body, d.Var.Decl(a.Red[k].Var.Use()))
	}
	n.Body = append(n.Body, b.Body...)
	n.Split = 0
	n.Accs = append(append([]ir.Acc{}, a.Accs...), b.Accs...)
	n.Flags = append([]*ir.Var{}, a.Flags...)
	for _, f := range b.Flags {
		known := false
		for _, g := range n.Flags {
			known = known || f == g
		}
		if !known {
			n.Flags = append(n.Flags, f)
		}
	}
	return &n
}
