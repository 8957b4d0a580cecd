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
// and sums over the nest take their terms in the order of the iterations.
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
func (l *lowerer) lanes(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		n, ok := s.(*Nest)
		if !ok {
			for _, inner := range blocksOf(s) {
				*inner = l.lanes(*inner)
			}
			out = append(out, s)
			continue
		}
		if grouped := l.grouped(n); grouped != nil {
			out = append(out, grouped...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

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
	steps    map[*Var]int // how far indices are apart
	units    int
	serial   int // what chunks cost
	splits   int // how many costly branches there are
}

// grouped returns the statements that do the work of n in groups, or nil where
// n stays as it is.
func (l *lowerer) grouped(n *Nest) []Stmt {
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
		for _, inner := range blocksOf(s) {
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
			for _, inner := range blocksOf(s) {
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
		for _, x := range exprsOf(s) {
			if x != nil && n <= limit {
				n += size(x, limit)
			}
		}
		for _, inner := range blocksOf(s) {
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
		for _, inner := range blocksOf(s) {
			if !lg.survey(*inner, false) {
				return false
			}
		}
	}
	return true
}

// owns reports whether a body sets nothing from outside but flags and
// accumulators, each in its own way, and reads no array from outside that it
// writes.
func (lg *laner) owns(block []Stmt) bool {
	stored, loaded := map[*Buf]bool{}, map[*Buf]bool{}
	ok := true
	var visit func(block []Stmt)
	visit = func(block []Stmt) {
		for _, s := range block {
			own := false
			if s, isAssign := s.(*Assign); isAssign {
				_, isFlag := lg.noted(s)
				_, isSum := lg.term(s)
				own = isFlag || isSum || lg.sums[s] != nil
				ok = ok && (lg.declared[s.Var] || own)
			}
			if c, isChecked := s.(*Checked); isChecked {
				own = lg.sum[c]
			}
			for _, x := range exprsOf(s) {
				if x != nil {
					loadsOf(x, func(b *Buf) { loaded[b] = true })
					ok = ok && (own || !lg.reads(x))
				}
			}
			switch s := s.(type) {
			case *Checked:
				ok = ok && lg.declared[s.Var]
			case *Store:
				if lg.private[s.Buf] == 0 {
					stored[s.Buf] = true
				}
			}
			for _, inner := range blocksOf(s) {
				visit(*inner)
			}
		}
	}
	visit(block)
	for b := range stored {
		ok = ok && !loaded[b]
	}
	return ok
}

// noted returns what an assignment ORs into a flag.
func (lg *laner) noted(s *Assign) (Expr, bool) {
	x, ok := s.X.(*Binary)
	if !lg.flags[s.Var] || !ok || x.Op != Or || !isUse(x.X, s.Var) || lg.reads(x.Y) {
		return nil, false
	}
	return x.Y, true
}

// term returns the operation and the term with which an assignment updates an
// accumulator.
func (lg *laner) term(s *Assign) (*Binary, bool) {
	x, ok := s.X.(*Binary)
	if !lg.accs[s.Var] || !ok || !isUse(x.X, s.Var) || lg.reads(x.Y) {
		return nil, false
	}
	return x, true
}

// checkedSums finds the terms that are added to accumulators with a test of
// overflow:
//
//	t, overflow bad = acc + x
//	acc = t
func (lg *laner) checkedSums(body []Stmt) {
	for k := 0; k+1 < len(body); k++ {
		c, ok := body[k].(*Checked)
		if !ok {
			continue
		}
		u, isVar := c.X.(*Use)
		a, ok := body[k+1].(*Assign)
		if ok && isVar && lg.accs[u.Var] && a.Var == u.Var && isUse(a.X, c.Var) && lg.flags[c.Flag] && !lg.reads(c.Y) && !readsVar(body[k+2:], c.Var) {
			lg.sums[a], lg.sum[c] = c, true
		}
	}
}

// readsVar reports whether a block uses v.
func readsVar(block []Stmt, v *Var) bool {
	used := newUses()
	used.block(block)
	return used.vars[v]
}

// reads reports whether x mentions a flag or an accumulator.
func (lg *laner) reads(x Expr) bool {
	if u, ok := x.(*Use); ok && (lg.flags[u.Var] || lg.accs[u.Var]) {
		return true
	}
	for _, y := range operandsOf(x) {
		if y != nil && lg.reads(y) {
			return true
		}
	}
	return false
}

// vary notes what differs from lane to lane; it reports whether that is more
// than before. Where under is true, whether the block runs at all does.
func (lg *laner) vary(block []Stmt, under bool) bool {
	changed := false
	mark := func(v *Var, on bool) {
		if on && !lg.varies[v] && !lg.flags[v] && !lg.accs[v] {
			lg.varies[v], changed = true, true
		}
	}
	for _, s := range block {
		switch s := s.(type) {
		case *Decl:
			mark(s.Var, under || s.Init != nil && lg.differs(s.Init))
		case *Assign:
			mark(s.Var, under || lg.differs(s.X))
		case *Checked:
			mark(s.Var, under || lg.differs(s.X) || lg.differs(s.Y))
		case *Store:
			if lg.private[s.Buf] > 0 && !lg.rows[s.Buf] && (under || lg.differs(s.X) || lg.differs(s.Index)) {
				lg.rows[s.Buf], changed = true, true
			}
		case *If:
			c := under || lg.differs(s.Cond)
			changed = lg.vary(s.Then, c) || changed
			changed = lg.vary(s.Else, c) || changed
		case *For:
			c := under || lg.differs(s.Lo) || lg.differs(s.Hi)
			mark(s.Var, c)
			changed = lg.vary(s.Body, c) || changed
		}
	}
	return changed
}

// differs reports whether x differs from lane to lane.
func (lg *laner) differs(x Expr) bool {
	switch x := x.(type) {
	case *Use:
		return lg.varies[x.Var]
	case *Load:
		if lg.rows[x.Buf] {
			return true
		}
	}
	for _, y := range operandsOf(x) {
		if y != nil && lg.differs(y) {
			return true
		}
	}
	return false
}

// laneSteps is the most steps of a loop that groups of lanes run together, if
// it reads arrays from outside: longer ones are vector code by themselves.
const laneSteps = 16

// strided reports whether a body has long loops, or loops that read or write
// arrays from outside at places that are not neighbours for neighbouring
// lanes.
func (lg *laner) strided(block []Stmt, inside bool) bool {
	for _, s := range block {
		if inside {
			for _, x := range exprsOf(s) {
				if x != nil && lg.jumps(x) {
					return true
				}
			}
			if st, ok := s.(*Store); ok && lg.private[st.Buf] == 0 && lg.stepOf(st.Index) > 1 {
				return true
			}
		}
		in := inside
		if f, ok := s.(*For); ok {
			n, known := laneTrips(Dim{f.Var, f.Lo, f.Hi})
			if !known || n > 4*laneSteps || n > laneSteps && lg.readsOutside(f.Body) {
				return true
			}
			in = true
		}
		for _, inner := range blocksOf(s) {
			if lg.strided(*inner, in) {
				return true
			}
		}
	}
	return false
}

// readsOutside reports whether a block reads arrays from outside.
func (lg *laner) readsOutside(block []Stmt) bool {
	found := false
	for _, s := range block {
		for _, x := range exprsOf(s) {
			if x != nil {
				loadsOf(x, func(b *Buf) { found = found || lg.private[b] == 0 })
			}
		}
		for _, inner := range blocksOf(s) {
			found = found || lg.readsOutside(*inner)
		}
	}
	return found
}

// jumps reports whether x reads an array from outside in steps.
func (lg *laner) jumps(x Expr) bool {
	if ld, ok := x.(*Load); ok && lg.private[ld.Buf] == 0 && lg.stepOf(ld.Index) > 1 {
		return true
	}
	for _, y := range operandsOf(x) {
		if y != nil && lg.jumps(y) {
			return true
		}
	}
	return false
}

// stepOf is how far an index of one lane is from that of the lane before: 0
// for the same place, or where that depends on data, 2 for more than 1.
func (lg *laner) stepOf(x Expr) int {
	switch x := x.(type) {
	case *Use:
		if x.Var == lg.lane {
			return 1
		}
		if lg.varies[x.Var] && lg.sets[x.Var] == 1 && lg.inits[x.Var] != nil {
			step, known := lg.steps[x.Var]
			if !known {
				step = lg.stepOf(lg.inits[x.Var])
				lg.steps[x.Var] = step
			}
			return step
		}
	case *Convert:
		return lg.stepOf(x.X)
	case *Binary:
		a, b := lg.stepOf(x.X), lg.stepOf(x.Y)
		switch x.Op {
		case Add, Sub:
			return min(a+b, 2)
		case Mul:
			if a+b > 0 {
				return 2
			}
		}
	}
	return 0
}
