package kernel

import "slices"

// sweeper marks what statements are for, from their effects back: faults, elements of
// arrays that are read or that come from outside, launches.
type sweeper struct {
	vars    map[*Var]bool
	arrays  map[*Object]bool // that something reads
	made    map[*Object]bool // by the statements: what nothing reads of them need not be written
	changed bool
}

// Sweep removes what neither effects nor the results need: declarations, assignments,
// elements of arrays that nothing reads, and loops that are empty then.
//
//	int r = 0; for (i = 0; i < n; i++) r = r + x[i];     nothing, where a is an array of the
//	a[0] = r;                                            kernel that nothing reads
func Sweep(list []Stmt, results ...Expr) []Stmt {
	w := &sweeper{vars: map[*Var]bool{}, arrays: map[*Object]bool{}, made: map[*Object]bool{}}
	Walk(list, func(s Stmt) {
		if a, ok := s.(*Alloc); ok && a.Array.Space != Global {
			w.made[a.Array.Object] = true
		}
	})
	for _, e := range results {
		w.expr(e)
	}
	for w.changed = true; w.changed; {
		w.changed = false
		w.list(list)
	}
	return w.filter(list)
}

func (w *sweeper) expr(e Expr) {
	within(e, func(e Expr) {
		switch e := e.(type) {
		case *Var:
			w.changed = w.changed || !w.vars[e]
			w.vars[e] = true
		case *Load:
			w.array(e.Array)
		}
	})
}

func (w *sweeper) array(a *Array) {
	w.changed = w.changed || !w.arrays[a.Object]
	w.arrays[a.Object] = true
}

// list marks what the statements that are needed use, and reports whether there are any.
func (w *sweeper) list(list []Stmt) bool {
	found := false
	for i := len(list) - 1; i >= 0; i-- {
		inner := false
		for _, b := range bodies(list[i]) {
			inner = w.list(*b) || inner
		}
		if !inner && !w.needs(list[i]) {
			continue
		}
		found = true
		for _, e := range exprs(list[i]) {
			w.expr(e)
		}
		w.memory(list[i])
	}
	return found
}

// memory marks what a statement uses beside its expressions.
func (w *sweeper) memory(s Stmt) {
	switch s := s.(type) {
	case *Launch:
		for _, v := range s.Kernel.Scalars {
			w.expr(v)
		}
		for _, e := range s.Kernel.hostExprs() {
			w.expr(e)
		}
	case *Alloc:
		w.expr(s.Array.Len)
	case *Store: // of what is made here: for the fault that it may note
		w.array(s.Array)
	case *Exchange:
		w.array(s.Array)
	case *Swap:
		w.array(s.A)
		w.array(s.B)
	}
}

// needs reports whether a statement itself is needed.
func (w *sweeper) needs(s Stmt) bool {
	for _, e := range exprs(s) {
		if checks(e) {
			return true
		}
	}
	switch s := s.(type) {
	case *Decl:
		return w.vars[s.Var]
	case *Assign:
		return w.vars[s.Var]
	case *Store:
		return !w.made[s.Array.Object] || w.arrays[s.Array.Object]
	case *Exchange:
		return !w.made[s.Array.Object] || w.arrays[s.Array.Object] || w.vars[s.Old]
	case *Alloc:
		return !w.made[s.Array.Object] || w.arrays[s.Array.Object]
	case *Foreign:
		return !s.Pure || slices.ContainsFunc(s.Results, func(v *Var) bool { return w.vars[v] })
	case *For, *Each, *If:
		return false
	}
	return true
}

func (w *sweeper) filter(list []Stmt) []Stmt {
	var kept []Stmt
	for _, s := range list {
		inner := false
		for _, b := range bodies(s) {
			*b = w.filter(*b)
			inner = inner || len(*b) > 0
		}
		if inner || w.needs(s) {
			kept = append(kept, s)
		}
	}
	return kept
}
