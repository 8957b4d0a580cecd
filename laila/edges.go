package laila

// edges counts the runs of ones of a mask in the loop that looks for the longest
// of them: a run begins where the mask is 1 and no run goes on. The loop moves up
// to where the beginnings are counted, out of what asks whether there are any; it
// has no effect and no fault.
//
//	segred { red i = 0 … mid: n = n + (0 < m(i)) }
//	segred { red i = mid … d: n = n + (m(i-1) < m(i)) }
//	…
//	if n == 0 … else
//	  var run = 0; var most = 0
//	  for i = 0 … d: run = m(i) ? run + 1 : 0; most = most max run
//
// becomes
//
//	var run = 0; var most = 0
//	for i = 0 … d: n = n + (m(i) & run == 0); run = m(i) ? run + 1 : 0; most = most max run
//	…
//	if n == 0 …
//
// Requires: nothing. Preserves: what the program does.
func edges(block []Stmt) []Stmt {
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = edges(*inner)
		}
	}
	for i := 0; i+1 < len(block); i++ {
		e := edgesAt(block[i], block[i+1])
		if e == nil {
			continue
		}
		if moved := e.longestIn(block[i+2:]); moved != nil {
			next := append(append([]Stmt{}, block[:i]...), moved...)
			block = append(next, block[i+2:]...)
		}
	}
	return block
}

// edgesOf are two reductions that count where runs of ones begin.
type edgesOf struct {
	count  *Var
	hi     Expr
	at     *Var // index of the second reduction
	before Expr // the mask at at - 1
	here   Expr // the mask at at
	reads  *summary
}

// edgeCount is a reduction that counts where a test holds.
type edgeCount struct {
	count  *Var
	index  *Var
	lo, hi Expr
	test   Expr
}

// edgeCountOf recognises such a reduction; nil where s is something else.
func edgeCountOf(s Stmt) *edgeCount {
	n, ok := s.(*Nest)
	if !ok || wholeReduction(n) == nil || len(n.Accs) != 1 || len(n.Pre) != 1 || len(n.Post) != 1 || len(n.Body) == 0 || len(n.Flags) > 0 {
		return nil
	}
	pre, ok1 := n.Pre[0].(*Decl)
	post, ok2 := n.Post[0].(*Assign)
	step, ok3 := n.Body[len(n.Body)-1].(*Assign)
	if !ok1 || !ok2 || !ok3 || pre.Var.Kind != I64 || step.Var != pre.Var || !same(post.X, &Use{pre.Var}) || !same(pre.Init, &Use{post.Var}) {
		return nil
	}
	sum, ok := step.X.(*Binary)
	if !ok || sum.Op != Add || !same(sum.X, &Use{pre.Var}) {
		return nil
	}
	test, ok := sum.Y.(*Convert)
	if !ok || test.X.Kind() != U8 {
		return nil
	}
	x := inlined(n.Body[:len(n.Body)-1], test.X)
	if x == nil {
		return nil
	}
	return &edgeCount{post.Var, n.Red[0].Var, n.Red[0].Lo, n.Red[0].Hi, x}
}

// inlined returns x without the variables that decls declare; nil where these
// are more than declarations.
func inlined(decls []Stmt, x Expr) Expr {
	values := map[*Var]Expr{}
	put := func(x Expr) Expr {
		return mapExpr(x, func(x Expr) Expr {
			if u, ok := x.(*Use); ok && values[u.Var] != nil {
				return values[u.Var]
			}
			return x
		})
	}
	if len(decls) > maxMaskDecls {
		return nil
	}
	for _, s := range decls {
		d, ok := s.(*Decl)
		if !ok || d.Init == nil {
			return nil
		}
		values[d.Var] = put(d.Init)
		n := 0
		WalkExpr(values[d.Var], func(Expr) { n++ })
		if n > maxMaskNodes {
			return nil
		}
	}
	return put(x)
}

// maxMaskDecls and maxMaskNodes bound what is looked at of the body of a loop.
const maxMaskDecls, maxMaskNodes = 16, 200

// lessTruth returns x and y where a test says that x is 0 and y is 1.
func lessTruth(e Expr) (x, y Expr) {
	b, ok := e.(*Binary)
	if !ok {
		return nil, nil
	}
	switch b.Op {
	case Lt:
		return truthIn(b.X), truthIn(b.Y)
	case Gt:
		return truthIn(b.Y), truthIn(b.X)
	case And:
		if n, ok := b.X.(*Unary); ok && n.Op == Not {
			return n.X, b.Y
		}
		if n, ok := b.Y.(*Unary); ok && n.Op == Not {
			return n.X, b.X
		}
	}
	return nil, nil
}

// truthIn returns the truth value that x converts.
func truthIn(x Expr) Expr {
	if c, ok := x.(*Convert); ok && c.X.Kind() == U8 {
		return c.X
	}
	return x
}

// edgesAt recognises the reductions; nil where a and b are something else.
func edgesAt(a, b Stmt) *edgesOf {
	first, rest := edgeCountOf(a), edgeCountOf(b)
	if first == nil || rest == nil || first.count != rest.count || !isInt(first.lo, 0) || !same(first.hi, rest.lo) {
		return nil
	}
	before, here := lessTruth(rest.test)
	if before == nil || here == nil {
		return nil
	}
	start := first.test
	if none, one := lessTruth(start); none != nil && isInt(none, 0) {
		start = one
	}
	moved := mapExpr(start, func(x Expr) Expr {
		if u, ok := x.(*Use); ok && u.Var == first.index {
			return &Use{rest.index}
		}
		return x
	})
	if !alike(moved, here) {
		return nil
	}
	e := &edgesOf{count: rest.count, hi: rest.hi, at: rest.index, before: before, here: here}
	return e
}

// longestIn takes the loop that looks for the longest run out of what follows
// the reductions, and returns it with the count of runs; nil where there is none.
func (e *edgesOf) longestIn(rest []Stmt) []Stmt {
	passed := &summary{reads: map[*Var]bool{}, writes: map[*Var]bool{}, loads: map[*Buf]bool{}, stores: map[*Buf]bool{}, declares: map[*Var]bool{}}
	for _, s := range rest {
		if branch, ok := s.(*If); ok {
			for _, list := range []*[]Stmt{&branch.Then, &branch.Else} {
				k := 0
				for k < len(*list) && isComment((*list)[k]) {
					k++
				}
				if len(*list) < k+3 {
					continue
				}
				if moved := e.loop((*list)[k : k+3]); moved != nil && !e.written(passed, moved[2]) {
					*list = append(append([]Stmt{}, (*list)[:k]...), (*list)[k+3:]...)
					return moved
				}
			}
		}
		passed.stmt(s)
	}
	return nil
}

func isComment(s Stmt) bool {
	_, ok := s.(*Comment)
	return ok
}

// written reports whether statements that passed sums up write what the loop
// reads.
func (e *edgesOf) written(passed *summary, loop Stmt) bool {
	t := &summary{reads: map[*Var]bool{}, writes: map[*Var]bool{}, loads: map[*Buf]bool{}, stores: map[*Buf]bool{}, declares: map[*Var]bool{}}
	t.stmt(loop)
	reads := map[*Var]bool{}
	for v := range t.reads {
		reads[v] = !t.declares[v] && v != e.count
	}
	for v := range passed.writes {
		if reads[v] {
			return true
		}
	}
	for v := range passed.declares {
		if reads[v] {
			return true
		}
	}
	return meetBufs(passed.stores, t.loads)
}

// loop returns the loop of list with the count of runs, where it looks for the
// longest run of the same mask.
func (e *edgesOf) loop(list []Stmt) []Stmt {
	run, ok1 := list[0].(*Decl)
	most, ok2 := list[1].(*Decl)
	f, ok3 := list[2].(*For)
	if !ok1 || !ok2 || !ok3 || run.Init == nil || most.Init == nil || !isInt(run.Init, 0) || !isInt(most.Init, 0) || len(f.Body) < 2 {
		return nil
	}
	n := len(f.Body)
	count, ok1 := f.Body[n-2].(*Assign)
	keep, ok2 := f.Body[n-1].(*Assign)
	if !ok1 || !ok2 || count.Var != run.Var || keep.Var != most.Var || !isInt(f.Lo, 0) || !same(f.Hi, e.hi) {
		return nil
	}
	next, ok := count.X.(*Select)
	if !ok || !same(next.Else, integer(0)) || !same(next.Then, &Binary{Add, &Use{run.Var}, integer(1)}) || !same(keep.X, &Binary{Max, &Use{most.Var}, &Use{run.Var}}) {
		return nil
	}
	mask := inlined(f.Body[:n-2], next.Cond)
	if mask == nil {
		return nil
	}
	at := func(i Expr) Expr {
		return mapExpr(mask, func(x Expr) Expr {
			if u, ok := x.(*Use); ok && u.Var == f.Var {
				return i
			}
			return x
		})
	}
	if !alike(at(&Use{e.at}), e.here) || !alike(at(sub(&Use{e.at}, integer(1))), e.before) {
		return nil
	}
	begins := &Binary{And, next.Cond, &Binary{Eq, &Use{run.Var}, integer(0)}}
	body := append([]Stmt{}, f.Body[:n-2]...)
	body = append(body, &Assign{e.count, &Binary{Add, &Use{e.count}, &Convert{I64, begins}}}, count, keep)
	loop := *f
	loop.Body = body
	return []Stmt{run, most, &loop}
}
