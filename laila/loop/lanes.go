package loop

import (
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// A nest whose body has short loops, small arrays or branches is no vector
// code: a C compiler looks at innermost loops only. Its iterations are
// independent, so a group of them may run each statement before the next one.
// What was a number becomes a row with a number for each lane of the group,
// what was a small array becomes as many rows, and every statement becomes a
// loop over the lanes:
//
//	segmap i = 0 … n
//	  stack t: f64[3]
//	  for k = 0 … 3: t[k] = f(x[i], c[k])
//	  y[i] = t[0] + (t[1] × t[2])
//
// becomes
//
//	segmap g = 0 … n quo 64
//	  stack t: f64[3 × 64]
//	  for k = 0 … 3
//	    segmap p = 0 … 64: t[(k × 64) + p] = f(x[(g × 64) + p], c[k])
//	  segmap p = 0 … 64: y[(g × 64) + p] = t[p] + (t[64 + p] × t[128 + p])
//	segmap i = 64 × n quo 64 … n: as before
//
// Branches become selections. Where a branch is costly the lanes that take it
// are brought together first (lanesplit.go), so that it costs what its lanes
// cost. Each lane does the operations that its iteration did, in their order,
// and sums over the nest take their terms in the order of the iterations; those whose
// order matters are taken apart before (orderedterms.go).
//
// A kernel (CPUKernels) stays one nest, whose last group runs its iterations
// one after the other where there are too few:
//
//	segmap g = 0 … (n + 63) quo 64
//	  if (g × 64) + 64 ≤ n: as above
//	  else for i = g × 64 … n: as before
//
// Requires: no iteration reads what another one writes; faults are noted in
// flags, as they are in all nests. Preserves: the values and flags, bit by bit.
const (
	// laneCount is the most lanes of a group, laneBytes how much room the rows
	// of a group may take: they are to stay in the first cache. fewLanes read rows.
	laneCount = 64
	fewLanes  = 8
	laneBytes = 40 << 10
	// laneUnroll bounds the size of a loop that is written out.
	laneUnroll = 640
	// laneWeight is what both branches of a selection may cost.
	laneWeight = 40
	// laneLimit is the most statements of a body.
	laneLimit = 400
)

// Lanes puts the iterations of nests in groups.
func Lanes(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	return ir.RewriteOuterNests(block, func(n *ir.Nest) []ir.Stmt { return grouped(l, n) })
}

// laner puts the iterations of one nest in groups.
type laner struct {
	l        *pass.Context
	n        *ir.Nest
	lane     *ir.Var                    // the variable of the axis that is cut into groups
	sums     map[*ir.Assign]*ir.Checked // terms that are added with a test of overflow
	sum      map[*ir.Checked]bool       // the operations of sums
	flags    map[*ir.Var]bool
	accs     map[*ir.Var]bool
	declared map[*ir.Var]bool    // what the body declares
	sets     map[*ir.Var]int     // how often a variable is set
	inits    map[*ir.Var]ir.Expr // the values of variables when they are declared
	private  map[*ir.Buf]int64   // the arrays of an iteration, and their lengths
	order    []*ir.Buf           // the arrays of private
	varies   map[*ir.Var]bool    // variables that differ from lane to lane
	rows     map[*ir.Buf]bool    // arrays that do
	wide     map[*ir.Buf]*ir.Buf // the arrays of a group
	unset    map[*ir.Var]bool    // variables that are assigned before they are used
	domains  []*laneDomain
	copies   *ir.Cloner // of what is the same for all lanes
	count    int64
	base     ir.Expr          // the iteration of lane 0
	group    *ir.Var          // the number of the group
	steps    map[*ir.Var]int  // how far indices are apart
	orders   map[*ir.Var]bool // the variables of loops that are sums of doubles
	copied   map[*ir.Var]bool // the variables of loops that copy what lanes read
	units    int
	splits   int  // how many costly branches there are
	few      bool // lanes read rows
}

// grouped returns the statements that do the work of n in groups, or nil where
// n stays as it is.
func grouped(l *pass.Context, n *ir.Nest) []ir.Stmt {
	if l.Blocked[n] {
		n.Body = Lanes(l, n.Body)
		return []ir.Stmt{n}
	}
	if n.Ordered() && ir.SpaceOf(n) != nil {
		return orderedTerms(l, n)
	}
	space := ir.SpaceOf(n)
	if space == nil || n.Kind == ir.SegMap && len(n.Flags) > 64 || len(n.Red) > 1 {
		return nil
	}
	d := space[len(space)-1]
	trips, known := ir.Trips(d)
	if known && trips < 32 || ir.IsLoopless(n.Body) && !branches(n.Body) || slowMath(n.Body) {
		return nil
	}
	lg := &laner{l: l, n: n, lane: d.Var, flags: map[*ir.Var]bool{}, accs: map[*ir.Var]bool{}, declared: map[*ir.Var]bool{}, sets: map[*ir.Var]int{},
		inits: map[*ir.Var]ir.Expr{}, private: map[*ir.Buf]int64{}, varies: map[*ir.Var]bool{d.Var: true}, rows: map[*ir.Buf]bool{}, wide: map[*ir.Buf]*ir.Buf{}, unset: map[*ir.Var]bool{}, steps: map[*ir.Var]int{},
		sums: map[*ir.Assign]*ir.Checked{}, sum: map[*ir.Checked]bool{}, orders: map[*ir.Var]bool{}, copied: map[*ir.Var]bool{}}
	for _, f := range n.Flags {
		lg.flags[f] = true
	}
	for _, a := range n.Accs {
		lg.accs[a.Var] = true
	}
	body, ok := lg.normal(n.Body)
	if !ok {
		return nil
	}
	body = lg.unrolled(lg.staged(body))
	lg.checkedSums(body)
	if len(lg.sums) > 0 && !l.CPU() { // kernels join them another way
		return nil
	}
	if !lg.survey(body, true) || !lg.owns(body) {
		return nil
	}
	for lg.vary(body, false) {
	}
	if lg.strided(body, false, false, false) {
		return nil
	}
	top := lg.newDomain()
	items, ok := lg.items(top, body)
	if !ok || ir.IsLoopless(n.Body) && lg.splits == 0 {
		return nil
	}
	if !lg.fits(trips, known) {
		return nil
	}
	return lg.nests(top, items, space)
}

// root returns the variable that v is another name of.
func (lg *laner) root(v *ir.Var) *ir.Var {
	for lg.sets[v] == 1 {
		u, ok := lg.inits[v].(*ir.Use)
		if !ok || u.Var.Kind != v.Kind || u.Var != lg.lane && (lg.sets[u.Var] != 1 || !lg.varies[u.Var]) {
			break
		}
		v = u.Var
	}
	return v
}

// branches reports whether a block has a branch.
func branches(block []ir.Stmt) bool {
	for _, s := range block {
		if _, ok := s.(*ir.If); ok {
			return true
		}
	}
	return false
}

// slowMath reports whether a block has functions that are no vector code.
func slowMath(block []ir.Stmt) bool {
	t := flow.NewSummary()
	for _, s := range block {
		t.Stmt(s)
	}
	return t.Slow
}

// normal returns a body made of declarations, assignments, stores, branches
// and loops over ranges. It is not ok where there is more to it.
func (lg *laner) normal(block []ir.Stmt) ([]ir.Stmt, bool) {
	var out []ir.Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Comment, *ir.Free:
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store:
			out = append(out, s)
		case *ir.DeclBuf:
			n, ok := ir.IntOf(s.Count)
			if !ok || n < 1 || n > 1024 || s.Buf.Const || lg.private[s.Buf] > 0 || s.Buf.Elem == ir.C64 {
				return nil, false
			}
			lg.private[s.Buf] = n
			lg.order = append(lg.order, s.Buf)
			if s.Zero {
				out = append(out, lg.each(n, func(i ir.Expr) ir.Stmt { return s.Buf.Store(i, ir.Zero(s.Buf.Elem)) }))
			}
		case *ir.Copy:
			n, ok := ir.IntOf(s.Count)
			if !ok || n > 1024 || s.Src == s.Dst || s.Src.Elem != s.Dst.Elem {
				return nil, false
			}
			from, to := s.SrcIndex, s.DstIndex
			if from == nil {
				from = ir.Integer(0)
			}
			if to == nil {
				to = ir.Integer(0)
			}
			out = append(out, lg.each(n, func(i ir.Expr) ir.Stmt { return s.Dst.Store(ir.Add(to, i), s.Src.Load(ir.Add(from, i))) }))
		case *ir.Swap:
			n := lg.private[s.A]
			if n == 0 || n != lg.private[s.B] || s.A.Elem != s.B.Elem {
				return nil, false
			}
			out = append(out, lg.exchange(s, n))
		case *ir.If:
			if ir.Has[*ir.Loop]([]ir.Stmt{s}) {
				flat, ok := lg.maskedBranch(s, nil)
				if !ok {
					return nil, false
				}
				out = append(out, flat...)
				continue
			}
			then, ok := lg.normal(s.Then)
			els, ok2 := lg.normal(s.Else)
			if !ok || !ok2 {
				return nil, false
			}
			out = append(out, &ir.If{Cond: s.Cond, Then: then, Else: els})
		case *ir.For:
			body, ok := lg.normal(s.Body)
			if !ok {
				return nil, false
			}
			out = append(out, &ir.For{Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: body})
		case *ir.Loop:
			loop, ok := lg.whileOn(s, nil)
			if !ok {
				return nil, false
			}
			out = append(out, loop...)
		case *ir.Nest:
			inner, ok := lg.plainNest(s)
			if !ok {
				return nil, false
			}
			out = append(out, inner...)
		default:
			return nil, false
		}
	}
	return out, true
}

// exchange returns a loop that exchanges the n elements of two arrays.
func (lg *laner) exchange(s *ir.Swap, n int64) ir.Stmt {
	x := lg.l.NewVar("x", s.A.Elem)
	if r, ok := lg.l.Bufs[s.A]; ok {
		lg.l.Ranges[x] = r
	}
	loop := lg.each(n, func(i ir.Expr) ir.Stmt { return x.Decl(s.A.Load(i)) }).(*ir.For)
	i := loop.Var.Use()
	loop.Body = append(loop.Body, s.A.Store(i, s.B.Load(i)), s.B.Store(i, x.Use()))
	return loop
}

// each returns a loop over n places.
func (lg *laner) each(n int64, body func(i ir.Expr) ir.Stmt) ir.Stmt {
	i := lg.l.NewVar("i", ir.I64)
	lg.l.Ranges[i] = facts.Between(0, max(n-1, 0))
	return &ir.For{Var: i, Lo: ir.Integer(0), Hi: ir.Integer(n), Body: []ir.Stmt{body(i.Use())}}
}

// plainNest returns a nest inside of another one as loops.
func (lg *laner) plainNest(n *ir.Nest) ([]ir.Stmt, bool) {
	if n.Kind != ir.SegMap && n.Kind != ir.SegRed && n.Kind != ir.SegScan {
		return nil, false
	}
	if n.Ordered() {
		loops, ok := lg.normal(Ordered(lg.l.Base, n, Places))
		ir.Walk(loops, func(s ir.Stmt) {
			if f, is := s.(*ir.For); is {
				lg.orders[f.Var] = true
			}
		})
		return loops, ok
	}
	pre, ok := lg.normal(n.Pre)
	body, ok2 := lg.normal(n.Body)
	post, ok3 := lg.normal(n.Post)
	if !ok || !ok2 || !ok3 {
		return nil, false
	}
	around := func(dims []ir.Dim, body []ir.Stmt) []ir.Stmt {
		for i := len(dims) - 1; i >= 0; i-- {
			body = []ir.Stmt{&ir.For{Var: dims[i].Var, Lo: dims[i].Lo, Hi: dims[i].Hi, Body: body}}
		}
		return body
	}
	inner := append(append(append([]ir.Stmt{}, pre...), around(n.Red, body)...), post...)
	return around(n.Dims, inner), true
}

// unrolled writes out short loops that carry numbers from step to step, but those that divide:
// to keep the numbers of the lanes in memory costs little beside that, and the steps of
// several lanes overlap where they do not become vector code.
func (lg *laner) unrolled(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *ir.If:
			out = append(out, &ir.If{Cond: s.Cond, Then: lg.unrolled(s.Then), Else: lg.unrolled(s.Else)})
			continue
		case *ir.For:
			f := &ir.For{Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: lg.unrolled(s.Body)}
			lo, ok := ir.IntOf(f.Lo)
			hi, ok2 := ir.IntOf(f.Hi)
			if !ok || !ok2 || hi-lo > cost.UnrollTerms || !ir.IsLoopless(f.Body) || !carriesScalars(f.Body) || divides(f.Body) || int64(ir.BlockSize(f.Body, laneUnroll))*(hi-lo) > laneUnroll {
				out = append(out, f)
				continue
			}
			for k := lo; k < hi; k++ {
				c := lg.l.NewCloner()
				c.Vars[f.Var] = ir.Integer(k)
				out = append(out, c.List(f.Body)...)
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// carriesScalars reports whether a block assigns to a variable that it does not
// declare.
func carriesScalars(block []ir.Stmt) bool {
	declared, set := map[*ir.Var]bool{}, map[*ir.Var]bool{}
	var visit func(block []ir.Stmt)
	visit = func(block []ir.Stmt) {
		for _, s := range block {
			switch s := s.(type) {
			case *ir.Decl:
				declared[s.Var] = true
			case *ir.Assign:
				set[s.Var] = true
			case *ir.Checked:
				set[s.Var] = true
			}
			for _, inner := range ir.Blocks(s) {
				visit(*inner)
			}
		}
	}
	visit(block)
	for v := range set {
		if !declared[v] {
			return true
		}
	}
	return false
}

// survey notes what a body declares and sets. It is not ok where a sum over
// the nest is added to in a loop or a branch, or a flag is used otherwise than
// as one.
func (lg *laner) survey(block []ir.Stmt, top bool) bool {
	if len(block) > laneLimit {
		return false
	}
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			lg.declared[s.Var] = true
			lg.sets[s.Var]++
			lg.inits[s.Var] = s.Init
			if s.Var.Kind == ir.C64 {
				return false
			}
		case *ir.Assign:
			lg.sets[s.Var]++
			if lg.accs[s.Var] && !top {
				return false
			}
		case *ir.Checked:
			lg.sets[s.Var]++
			if !lg.flags[s.Flag] || lg.accs[s.Var] {
				return false
			}
		case *ir.For:
			lg.declared[s.Var] = true
			lg.sets[s.Var]++
		}
		for _, inner := range ir.Blocks(s) {
			if !lg.survey(*inner, false) {
				return false
			}
		}
	}
	return true
}
