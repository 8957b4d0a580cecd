package laila

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
// A kernel (Options.Lanes) stays one nest, whose last group runs its iterations
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
	// of a group may take: they are to stay in the first cache.
	laneCount = 64
	laneBytes = 40 << 10
	// laneUnroll bounds the size of a loop that is written out.
	laneUnroll = 640
	// laneWeight is what both branches of a selection may cost.
	laneWeight = 40
	// laneLimit is the most statements of a body.
	laneLimit = 400
)

// lanes puts the iterations of nests in groups.
func (l *lowerer) lanes(block []Stmt) []Stmt { return replaceNests(block, l.grouped) }

// laner puts the iterations of one nest in groups.
type laner struct {
	l        *lowerer
	n        *Nest
	lane     *Var                 // the variable of the axis that is cut into groups
	sums     map[*Assign]*Checked // terms that are added with a test of overflow
	sum      map[*Checked]bool    // the operations of sums
	flags    map[*Var]bool
	accs     map[*Var]bool
	declared map[*Var]bool  // what the body declares
	sets     map[*Var]int   // how often a variable is set
	inits    map[*Var]Expr  // the values of variables when they are declared
	private  map[*Buf]int64 // the arrays of an iteration, and their lengths
	order    []*Buf         // the arrays of private
	varies   map[*Var]bool  // variables that differ from lane to lane
	rows     map[*Buf]bool  // arrays that do
	wide     map[*Buf]*Buf  // the arrays of a group
	unset    map[*Var]bool  // variables that are assigned before they are used
	domains  []*laneDomain
	copies   *cloner // of what is the same for all lanes
	count    int64
	base     Expr         // the iteration of lane 0
	group    *Var         // the number of the group
	steps    map[*Var]int // how far indices are apart
	units    int
	serial   int // what chunks cost
	splits   int // how many costly branches there are
}

// grouped returns the statements that do the work of n in groups, or nil where
// n stays as it is.
func (l *lowerer) grouped(n *Nest) []Stmt {
	if l.blocked[n] {
		n.Body = l.lanes(n.Body)
		return []Stmt{n}
	}
	if n.Ordered() && spaceOf(n) != nil {
		return l.orderedTerms(n)
	}
	space := spaceOf(n)
	if space == nil || n.Kind == SegMap && len(n.Flags) > 64 {
		return nil
	}
	d := space[len(space)-1]
	trips, known := laneTrips(d)
	if known && trips < 32 || isStraightBody(n.Body) && !branches(n.Body) || slowMath(n.Body) {
		return nil
	}
	lg := &laner{l: l, n: n, lane: d.Var, flags: map[*Var]bool{}, accs: map[*Var]bool{}, declared: map[*Var]bool{}, sets: map[*Var]int{},
		inits: map[*Var]Expr{}, private: map[*Buf]int64{}, varies: map[*Var]bool{d.Var: true}, rows: map[*Buf]bool{}, wide: map[*Buf]*Buf{}, unset: map[*Var]bool{}, steps: map[*Var]int{},
		sums: map[*Assign]*Checked{}, sum: map[*Checked]bool{}}
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
	body = lg.unrolled(body)
	lg.checkedSums(body)
	if len(lg.sums) > 0 && !l.opts.Tile { // kernels join them another way
		return nil
	}
	if !lg.survey(body, true) || !lg.owns(body) {
		return nil
	}
	for lg.vary(body, false) {
	}
	if lg.strided(body, false) {
		return nil
	}
	top := lg.newDomain()
	items, ok := lg.items(top, body)
	if !ok || 2*lg.serial > bodyWeight(body) || isStraightBody(n.Body) && lg.splits == 0 {
		return nil
	}
	if !lg.fits(trips, known) {
		return nil
	}
	return lg.nests(top, items, space)
}

// root returns the variable that v is another name of.
func (lg *laner) root(v *Var) *Var {
	for lg.sets[v] == 1 {
		u, ok := lg.inits[v].(*Use)
		if !ok || u.Var.Kind != v.Kind || u.Var != lg.lane && (lg.sets[u.Var] != 1 || !lg.varies[u.Var]) {
			break
		}
		v = u.Var
	}
	return v
}

func laneTrips(d Dim) (int64, bool) {
	lo, ok := intOf(d.Lo)
	hi, ok2 := intOf(d.Hi)
	return hi - lo, ok && ok2
}

// isStraightBody reports whether a body has no loops.
func isStraightBody(block []Stmt) bool {
	for _, s := range block {
		switch s.(type) {
		case *Decl, *Assign, *Checked, *Store, *Comment, *If:
		default:
			return false
		}
		for _, inner := range Blocks(s) {
			if !isStraightBody(*inner) {
				return false
			}
		}
	}
	return true
}

// branches reports whether a block has a branch.
func branches(block []Stmt) bool {
	for _, s := range block {
		if _, ok := s.(*If); ok {
			return true
		}
	}
	return false
}

// slowMath reports whether a block has functions that are no vector code.
func slowMath(block []Stmt) bool {
	t := &summary{reads: map[*Var]bool{}, writes: map[*Var]bool{}, loads: map[*Buf]bool{}, stores: map[*Buf]bool{}, declares: map[*Var]bool{}}
	for _, s := range block {
		t.stmt(s)
	}
	return t.slow
}

// normal returns a body made of declarations, assignments, stores, branches
// and loops over ranges. It is not ok where there is more to it.
func (lg *laner) normal(block []Stmt) ([]Stmt, bool) {
	var out []Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *Comment, *Free:
		case *Decl, *Assign, *Checked, *Store:
			out = append(out, s)
		case *DeclBuf:
			n, ok := constantCount(s.Count)
			if !ok || n < 1 || n > 1024 || s.Zero || s.Buf.Const || lg.private[s.Buf] > 0 || s.Buf.Elem == C64 {
				return nil, false
			}
			lg.private[s.Buf] = n
			lg.order = append(lg.order, s.Buf)
		case *Copy:
			n, ok := intOf(s.Count)
			if !ok || n > 1024 || s.Src == s.Dst || s.Src.Elem != s.Dst.Elem {
				return nil, false
			}
			i := lg.l.newVar("i", I64)
			lg.l.ranges[i] = interval{0, max(n-1, 0)}
			from, to := s.SrcIndex, s.DstIndex
			if from == nil {
				from = integer(0)
			}
			if to == nil {
				to = integer(0)
			}
			out = append(out, &For{Var: i, Lo: integer(0), Hi: integer(n), Body: []Stmt{
				&Store{s.Dst, add(to, &Use{i}), &Load{s.Src, add(from, &Use{i})}}}})
		case *If:
			then, ok := lg.normal(s.Then)
			els, ok2 := lg.normal(s.Else)
			if !ok || !ok2 {
				return nil, false
			}
			out = append(out, &If{s.Cond, then, els})
		case *For:
			body, ok := lg.normal(s.Body)
			if !ok {
				return nil, false
			}
			out = append(out, &For{Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: body})
		case *Nest:
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

// plainNest returns a nest inside of another one as loops.
func (lg *laner) plainNest(n *Nest) ([]Stmt, bool) {
	if n.Kind != SegMap && n.Kind != SegRed && n.Kind != SegScan {
		return nil, false
	}
	if n.Ordered() {
		return lg.normal(lg.l.orderedLoops(n))
	}
	pre, ok := lg.normal(n.Pre)
	body, ok2 := lg.normal(n.Body)
	post, ok3 := lg.normal(n.Post)
	if !ok || !ok2 || !ok3 {
		return nil, false
	}
	around := func(dims []Dim, body []Stmt) []Stmt {
		for i := len(dims) - 1; i >= 0; i-- {
			body = []Stmt{&For{Var: dims[i].Var, Lo: dims[i].Lo, Hi: dims[i].Hi, Body: body}}
		}
		return body
	}
	inner := append(append(append([]Stmt{}, pre...), around(n.Red, body)...), post...)
	return around(n.Dims, inner), true
}

// unrolled writes out short loops that carry numbers from step to step.
func (lg *laner) unrolled(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *If:
			out = append(out, &If{s.Cond, lg.unrolled(s.Then), lg.unrolled(s.Else)})
			continue
		case *For:
			f := &For{Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: lg.unrolled(s.Body)}
			lo, ok := intOf(f.Lo)
			hi, ok2 := intOf(f.Hi)
			if !ok || !ok2 || hi-lo > unrollTerms || !isStraightBody(f.Body) || !carriesScalars(f.Body) || int64(blockSize(f.Body, laneUnroll))*(hi-lo) > laneUnroll {
				out = append(out, f)
				continue
			}
			for k := lo; k < hi; k++ {
				c := newCloner(lg.l)
				c.vars[f.Var] = integer(k)
				out = append(out, c.list(f.Body)...)
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// carriesScalars reports whether a block assigns to a variable that it does not
// declare.
func carriesScalars(block []Stmt) bool {
	declared, set := map[*Var]bool{}, map[*Var]bool{}
	var visit func(block []Stmt)
	visit = func(block []Stmt) {
		for _, s := range block {
			switch s := s.(type) {
			case *Decl:
				declared[s.Var] = true
			case *Assign:
				set[s.Var] = true
			case *Checked:
				set[s.Var] = true
			}
			for _, inner := range Blocks(s) {
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

// blockSize counts the operations of a block, up to about limit.
func blockSize(block []Stmt, limit int) int {
	n := 0
	for _, s := range block {
		n++
		for _, x := range Exprs(s) {
			if x != nil && n <= limit {
				n += size(x, limit)
			}
		}
		for _, inner := range Blocks(s) {
			n += blockSize(*inner, limit)
		}
	}
	return n
}

// survey notes what a body declares and sets. It is not ok where a sum over
// the nest is added to in a loop or a branch, or a flag is used otherwise than
// as one.
func (lg *laner) survey(block []Stmt, top bool) bool {
	if len(block) > laneLimit {
		return false
	}
	for _, s := range block {
		switch s := s.(type) {
		case *Decl:
			lg.declared[s.Var] = true
			lg.sets[s.Var]++
			lg.inits[s.Var] = s.Init
			if s.Var.Kind == C64 {
				return false
			}
		case *Assign:
			lg.sets[s.Var]++
			if lg.accs[s.Var] && !top {
				return false
			}
		case *Checked:
			lg.sets[s.Var]++
			if !lg.flags[s.Flag] || lg.accs[s.Var] {
				return false
			}
		case *For:
			lg.declared[s.Var] = true
			lg.sets[s.Var]++
		}
		for _, inner := range Blocks(s) {
			if !lg.survey(*inner, false) {
				return false
			}
		}
	}
	return true
}
