package arith

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

const (
	countBound = 1 << 62 // of what counters start from, on either side
	countStep  = 128     // the most that is added to one at once
)

// Counters leaves out the tests for overflow of variables that can only be
// bounded, be what another one of them is, or be a little more or less than that:
//
//	loop { …; k, overflow bad = k + 1; … }   becomes   loop { …; k = k + 1; … }
//
// A sum leaves 64 bits after 2*55 such steps, which take a year.
func Counters(l *pass.Context, f *ir.Func) {
	c := &counting{sets: map[*ir.Var][]ir.Expr{}, other: map[*ir.Var]bool{}, dropped: map[*ir.Var]bool{}, flags: map[*ir.Var]bool{}}
	ir.Walk(f.Body, c.stmt)
	if len(c.checked) == 0 {
		return
	}
	users := map[*ir.Var][]*ir.Var{}
	var gone []*ir.Var // variables that turned out to be no counters
	drop := func(v *ir.Var) {
		if c.sets[v] != nil && !c.dropped[v] {
			c.dropped[v] = true
			gone = append(gone, v)
		}
	}
	for v, xs := range c.sets {
		for _, x := range xs {
			ir.WalkExpr(x, func(y ir.Expr) {
				if u, ok := y.(*ir.Use); ok {
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
	sets    map[*ir.Var][]ir.Expr
	other   map[*ir.Var]bool // variables that are set otherwise, too
	dropped map[*ir.Var]bool // those in sets that are no counters
	checked []*ir.Checked
	flags   map[*ir.Var]bool // flags of sums that are not tested any more
}

func (c *counting) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Decl:
		if s.Var.Kind == ir.I64 && s.Init != nil {
			c.sets[s.Var] = append(c.sets[s.Var], s.Init)
		}
	case *ir.Assign:
		if s.Var.Kind == ir.I64 {
			c.sets[s.Var] = append(c.sets[s.Var], s.X)
		}
	case *ir.Checked:
		c.sets[s.Var] = append(c.sets[s.Var], s.Op.Of(s.X, s.Y))
		c.checked = append(c.checked, s)
	case *ir.Filter:
		c.other[s.Count] = true
	case *ir.Nest:
		for _, a := range s.Accs { // which start from neutral elements, too
			c.other[a.Var] = true
		}
	}
}

// counts reports whether all of xs are bounded, or counters and little else.
func (c *counting) counts(xs []ir.Expr) bool {
	for _, x := range xs {
		if !c.bounded(x) && !c.counter(x) && !c.step(x) {
			return false
		}
	}
	return true
}

func (c *counting) bounded(x ir.Expr) bool {
	if u, ok := x.(*ir.Use); ok && c.sets[u.Var] != nil {
		return false // the range of a sum holds only where it has not overflowed
	}
	n, ok := ir.IntOf(x)
	if !ok {
		conv, ok := x.(*ir.Convert)
		if !ok || !conv.X.Kind().Exact() || conv.X.Kind() == ir.I64 {
			return false
		}
		r := facts.RangeOfKind(conv.X.Kind())
		return r.Lo > -countBound && r.Hi < countBound
	}
	return n > -countBound && n < countBound
}

// counter reports whether x is a counter.
func (c *counting) counter(x ir.Expr) bool {
	u, ok := x.(*ir.Use)
	return ok && u.Var.Kind == ir.I64 && c.sets[u.Var] != nil && !c.other[u.Var] && !c.dropped[u.Var]
}

// step reports whether x is a counter and a small number.
func (c *counting) step(x ir.Expr) bool {
	b, ok := x.(*ir.Binary)
	if !ok || b.Op != ir.OpAdd && b.Op != ir.OpSub {
		return false
	}
	small := func(x ir.Expr) bool {
		if n, ok := ir.IntOf(x); ok {
			return math.Abs(float64(n)) <= countStep
		}
		conv, ok := x.(*ir.Convert) // of a truth value, or of another number of a byte
		return ok && conv.X.Kind().Exact() && facts.RangeOfKind(conv.X.Kind()).Within(-countStep, countStep)
	}
	return c.counter(b.X) && small(b.Y) || b.Op == ir.OpAdd && small(b.X) && c.counter(b.Y)
}

// block takes the tests out of a block.
func (c *counting) block(block []ir.Stmt) []ir.Stmt {
	for i, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = c.block(*inner)
		}
		if s, ok := s.(*ir.Checked); ok {
			if sum := (s.Op.Of(s.X, s.Y)); c.step(sum) {
				block[i] = s.Var.Assign(sum)
				c.flags[s.Flag] = true
			}
		}
	}
	return block
}

// unset takes flags that nothing sets any more to be 0.
func (c *counting) unset(block []ir.Stmt) {
	ir.Walk(block, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Checked:
			delete(c.flags, s.Flag)
		case *ir.Assign:
			delete(c.flags, s.Var)
		case *ir.Decl:
			if s.Init == nil || !ir.IsInt(s.Init, 0) {
				delete(c.flags, s.Var)
			}
		}
	})
	ir.Walk(block, func(s ir.Stmt) {
		ir.MapExprs(s, func(x ir.Expr) ir.Expr {
			if u, ok := x.(*ir.Use); ok && c.flags[u.Var] {
				return ir.Boolean(false)
			}
			return x
		})
		if n, ok := s.(*ir.Nest); ok {
			n.Flags = slices.DeleteFunc(slices.Clone(n.Flags), func(v *ir.Var) bool { return c.flags[v] })
		}
	})
}
