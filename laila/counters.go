package laila

import (
	"math"
	"slices"
)

const (
	countBound = 1 << 62 // of what counters start from, on either side
	countStep  = 16      // the most that is added to one at once
)

// counters leaves out the tests for overflow of variables that can only be
// bounded, be what another one of them is, or be a little more or less than that:
//
//	loop { …; k, overflow bad = k + 1; … }   becomes   loop { …; k = k + 1; … }
//
// A sum leaves 64 bits after 2*58 such steps, which take years.
func (l *lowerer) counters(f *Func) {
	c := &counting{l: l, sets: map[*Var][]Expr{}, other: map[*Var]bool{}, dropped: map[*Var]bool{}, flags: map[*Var]bool{}}
	Walk(f.Body, c.stmt)
	if len(c.checked) == 0 {
		return
	}
	users := map[*Var][]*Var{}
	var gone []*Var // variables that turned out to be no counters
	drop := func(v *Var) {
		if c.sets[v] != nil && !c.dropped[v] {
			c.dropped[v] = true
			gone = append(gone, v)
		}
	}
	for v, xs := range c.sets {
		for _, x := range xs {
			WalkExpr(x, func(y Expr) {
				if u, ok := y.(*Use); ok {
					users[u.Var] = append(users[u.Var], v)
				}
			})
		}
		if c.other[v] || !c.counts(xs) {
			drop(v)
		}
	}
	for len(gone) > 0 {
		v := gone[len(gone)-1]
		gone = gone[:len(gone)-1]
		for _, u := range users[v] {
			drop(u)
		}
	}
	f.Body = c.block(f.Body)
	if len(c.flags) > 0 {
		c.unset(f.Body)
	}
}

// counting says what integer variables are set to.
type counting struct {
	l       *lowerer
	sets    map[*Var][]Expr
	other   map[*Var]bool // variables that are set otherwise, too
	dropped map[*Var]bool // those in sets that are no counters
	checked []*Checked
	flags   map[*Var]bool // flags of sums that are not tested any more
}

func (c *counting) stmt(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		if s.Var.Kind == I64 && s.Init != nil {
			c.sets[s.Var] = append(c.sets[s.Var], s.Init)
		}
	case *Assign:
		if s.Var.Kind == I64 {
			c.sets[s.Var] = append(c.sets[s.Var], s.X)
		}
	case *Checked:
		c.sets[s.Var] = append(c.sets[s.Var], &Binary{s.Op, s.X, s.Y})
		c.checked = append(c.checked, s)
	case *Filter:
		c.other[s.Count] = true
	case *Nest:
		for _, a := range s.Accs { // which start from neutral elements, too
			c.other[a.Var] = true
		}
	}
}

// counts reports whether all of xs are bounded, or counters and little else.
func (c *counting) counts(xs []Expr) bool {
	for _, x := range xs {
		if !c.bounded(x) && !c.counter(x) && !c.step(x) {
			return false
		}
	}
	return true
}

func (c *counting) bounded(x Expr) bool {
	if u, ok := x.(*Use); ok && c.sets[u.Var] != nil {
		return false // the range of a sum holds only where it has not overflowed
	}
	n, ok := intOf(x)
	if !ok {
		conv, ok := x.(*Convert)
		if !ok || !conv.X.Kind().exact() || conv.X.Kind() == I64 {
			return false
		}
		r := rangeOfKind(conv.X.Kind())
		return r.lo > -countBound && r.hi < countBound
	}
	return n > -countBound && n < countBound
}

// counter reports whether x is a counter.
func (c *counting) counter(x Expr) bool {
	u, ok := x.(*Use)
	return ok && u.Var.Kind == I64 && c.sets[u.Var] != nil && !c.other[u.Var] && !c.dropped[u.Var]
}

// step reports whether x is a counter and a small constant.
func (c *counting) step(x Expr) bool {
	b, ok := x.(*Binary)
	if !ok || b.Op != Add && b.Op != Sub {
		return false
	}
	small := func(x Expr) bool {
		n, ok := intOf(x)
		return ok && math.Abs(float64(n)) <= countStep
	}
	return c.counter(b.X) && small(b.Y) || b.Op == Add && small(b.X) && c.counter(b.Y)
}

// block takes the tests out of a block.
func (c *counting) block(block []Stmt) []Stmt {
	for i, s := range block {
		for _, inner := range Blocks(s) {
			*inner = c.block(*inner)
		}
		if s, ok := s.(*Checked); ok {
			if sum := (&Binary{s.Op, s.X, s.Y}); c.step(sum) {
				block[i] = &Assign{s.Var, sum}
				c.flags[s.Flag] = true
			}
		}
	}
	return block
}

// unset takes flags that nothing sets any more to be 0.
func (c *counting) unset(block []Stmt) {
	Walk(block, func(s Stmt) {
		switch s := s.(type) {
		case *Checked:
			delete(c.flags, s.Flag)
		case *Assign:
			delete(c.flags, s.Var)
		case *Decl:
			if s.Init == nil || !isInt(s.Init, 0) {
				delete(c.flags, s.Var)
			}
		}
	})
	Walk(block, func(s Stmt) {
		mapExprs(s, func(x Expr) Expr {
			if u, ok := x.(*Use); ok && c.flags[u.Var] {
				return boolean(false)
			}
			return x
		})
		if n, ok := s.(*Nest); ok {
			n.Flags = slices.DeleteFunc(slices.Clone(n.Flags), func(v *Var) bool { return c.flags[v] })
		}
	})
}
