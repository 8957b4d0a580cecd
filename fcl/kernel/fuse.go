package kernel

import "slices"

// Fuse lets push arrays of one structure be computed in tandem: two loops over the same
// number of work-items or groups become one, where they read a common array and neither
// reads or writes what the other writes. These are launches of the host, and loops over the
// work-items of a group. It returns the statements of the host and the kernels that are left.
//
//	kernel1: each item i < n: a[i] = x[i] + 1      kernel1: each item i < n:
//	kernel2: each item j < n: b[j] = x[j] * 2                 a[i] = x[i] + 1
//	launch kernel1; launch kernel2                            j = i; b[j] = x[j] * 2
//	                                               launch kernel1
//
// What stands between the two and the second one needs (lengths, allocations) comes before
// the first. Loops do not move past statements that they depend on, or that are no loops,
// declarations or allocations. Of two loops that may both note a fault each keeps its own, so
// that the first fault in the program is noted.
//
// Requires: bodies without barriers; run before Place.
func Fuse(host []Stmt, kernels []*Kernel) ([]Stmt, []*Kernel) {
	host = fuseList(host)
	left := map[*Kernel]bool{}
	Walk(host, func(s Stmt) {
		if l, ok := s.(*Launch); ok {
			left[l.Kernel] = true
		}
	})
	kernels = slices.DeleteFunc(kernels, func(k *Kernel) bool { return !left[k] })
	for _, k := range kernels {
		k.Body = fuseList(k.Body)
	}
	return host, kernels
}

// fuseList fuses loops of a list, and of the lists in it.
func fuseList(list []Stmt) []Stmt {
	for _, s := range list {
		for _, inner := range bodies(s) {
			*inner = fuseList(*inner)
		}
	}
	for second := 1; second < len(list); second++ {
		if first := partner(list, second); first >= 0 {
			list = fused(list, first, second)
			second = first
		}
	}
	return list
}

// loopOf returns the loop that a statement is or launches, or nil.
func loopOf(s Stmt) *Each {
	switch s := s.(type) {
	case *Each:
		if s.By == Items && known(s.Body) {
			return s
		}
	case *Launch:
		if e, ok := s.Kernel.Body[0].(*Each); ok && len(s.Kernel.Body) == 1 && known(e.Body) {
			return e
		}
	}
	return nil
}

// known reports whether all statements say what they read and write.
func known(list []Stmt) bool {
	all := true
	Walk(list, func(s Stmt) {
		switch s.(type) {
		case *Decl, *Assign, *Store, *Alloc, *For, *Each, *If, *Loop, *Break, *Swap:
		default:
			all = false
		}
	})
	return all
}

// reach is how many statements before a loop are looked at.
const reach = 64

// partner returns the first statement that the loop at a place of a list can be fused with,
// or -1.
func partner(list []Stmt, second int) int {
	loop := loopOf(list[second])
	if loop == nil {
		return -1
	}
	found := -1
	for i := second - 1; i >= max(0, second-reach); i-- {
		switch s := list[i].(type) {
		case *Decl, *Alloc:
			if blocks(s, loop) {
				return found
			}
		case *Launch, *Each:
			other := loopOf(s)
			if other == nil || conflict(other, loop) {
				return found
			}
			if tandem(s, list[second]) && needs(list, i, second) != nil {
				found = i
			}
			if _, ok := s.(*Each); ok { // arrays of blocks would live longer
				return found
			}
		default:
			return found
		}
	}
	return found
}

// blocks reports whether a loop cannot move before a declaration: it computes with an array
// that the loop writes. Allocations and other declarations come along if the loop needs them.
func blocks(s Stmt, loop *Each) bool {
	reads, _ := arrays(s)
	_, writes := arrays(loop)
	return meet(reads, writes)
}

// tandem reports whether the loops of two statements have one structure and read a common
// array.
func tandem(s, t Stmt) bool {
	if a, ok := s.(*Launch); ok {
		b, ok := t.(*Launch)
		if !ok || a.Kernel.Groups != b.Kernel.Groups || a.Kernel.Group != b.Kernel.Group {
			return false
		}
	} else if _, ok := t.(*Each); !ok {
		return false
	}
	a, b := loopOf(s), loopOf(t)
	if a.By != b.By || !sameValue(a.N, b.N) {
		return false
	}
	if mayFault(a) && mayFault(b) || assigns(a) || assigns(b) {
		return false
	}
	x, _ := arrays(a)
	y, _ := arrays(b)
	return slices.ContainsFunc(x, func(r *Array) bool { return slices.Contains(y, r) })
}

// sameValue reports whether two ints are equal: by their form, or by a proof.
func sameValue(a, b Expr) bool {
	steps := maxSteps
	return sameForm(a, b, &steps) || Least(a, b) && Least(b, a)
}

// sameForm compares expressions whose variables stand for their definitions.
func sameForm(a, b Expr, steps *int) bool {
	if Same(a, b) {
		return true
	}
	if *steps--; *steps < 0 {
		return false
	}
	x, y := definition(a), definition(b)
	if x != a || y != b {
		return sameForm(x, y, steps)
	}
	o, isOp := a.(*Op)
	p, both := b.(*Op)
	if !isOp || !both || o.Name != p.Name || o.Of != p.Of || len(o.Args) != len(p.Args) {
		return false
	}
	for i := range o.Args {
		if !sameForm(o.Args[i], p.Args[i], steps) {
			return false
		}
	}
	return true
}

// definition returns what a variable is computed from, and other expressions as they are.
func definition(e Expr) Expr {
	v, ok := e.(*Var)
	if !ok || v.Def == nil || v.Mutable {
		return e
	}
	reads := false
	within(v.Def, func(e Expr) {
		_, load := e.(*Load)
		reads = reads || load
	})
	if reads { // when it was read matters
		return e
	}
	return v.Def
}

// conflict reports whether one loop writes what the other one reads or writes.
func conflict(a, b *Each) bool {
	reads, writes := arrays(a)
	others, written := arrays(b)
	return meet(writes, others) || meet(writes, written) || meet(reads, written)
}

// meet reports whether arrays of two lists are in the same memory.
func meet(a, b []*Array) bool {
	return slices.ContainsFunc(a, func(x *Array) bool {
		return slices.ContainsFunc(b, func(y *Array) bool { return x == y || x.Object == y.Object || x.Swapped && y.Swapped })
	})
}

func mayFault(e *Each) bool {
	found := false
	Walk([]Stmt{e}, func(s Stmt) {
		found = found || slices.ContainsFunc(exprs(s), checks)
	})
	return found
}

// assigns reports whether a loop assigns to variables of its surroundings.
func assigns(e *Each) bool {
	inside, outside := map[*Var]bool{}, false
	Walk(e.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Decl:
			inside[s.Var] = true
		case *Assign:
			outside = outside || !inside[s.Var]
		}
	})
	return outside
}

// needs returns the places of the statements between two loops that have to come before the
// first of them where the second moves there; nil where one of these has to stay.
func needs(list []Stmt, first, second int) []int {
	uses := used(list[second])
	moved := []int{}
	for i := second - 1; i > first; i-- {
		switch s := list[i].(type) {
		case *Decl:
			if !uses[s.Var] {
				continue
			}
			if reads, _ := arrays(s); len(reads) > 0 || s.Var.Mutable || s.Init != nil && checks(s.Init) {
				return nil
			}
			note(uses, exprs(s))
		case *Alloc:
			note(uses, []Expr{s.Array.Len})
		default:
			continue
		}
		moved = append(moved, i)
	}
	slices.Reverse(moved)
	return moved
}

// used returns the variables that a loop, or the launch of one, uses.
func used(s Stmt) map[*Var]bool {
	all := map[*Var]bool{}
	if l, ok := s.(*Launch); ok {
		note(all, []Expr{l.Kernel.N})
		s = loopOf(l)
	}
	Walk([]Stmt{s}, func(s Stmt) {
		note(all, exprs(s))
		if a, ok := s.(*Alloc); ok {
			note(all, []Expr{a.Array.Len})
		}
	})
	reads, writes := arrays(s)
	for _, a := range append(reads, writes...) {
		note(all, []Expr{a.Len})
	}
	return all
}

// note adds the variables of expressions, and those that these are defined by: an expression
// that a proof gave may be written with them.
func note(all map[*Var]bool, exprs []Expr) {
	for _, e := range exprs {
		if e == nil {
			continue
		}
		within(e, func(e Expr) {
			if v, ok := e.(*Var); ok && !all[v] {
				all[v] = true
				note(all, []Expr{v.Def, v.Lo, v.Hi})
			}
		})
	}
}

// fused returns a list in which the loop at a place has become part of that at another one.
func fused(list []Stmt, first, second int) []Stmt {
	moved := needs(list, first, second)
	made := slices.Clone(list[:first])
	for _, i := range moved {
		made = append(made, list[i])
	}
	a, b := loopOf(list[first]), loopOf(list[second])
	a.Body = append(append(a.Body, &Decl{Var: b.Var, Init: a.Var}), b.Body...)
	for i := first; i < len(list); i++ {
		if i != second && !slices.Contains(moved, i) {
			made = append(made, list[i])
		}
	}
	return made
}
