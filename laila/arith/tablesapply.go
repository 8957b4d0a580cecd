package arith

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// ranger bounds expressions by what variables are set to, where these depend on
// the elements of an array of which bounds are supposed.
type ranger struct {
	t    *tables
	memo map[*ir.Var]facts.Interval
}

func (e *ranger) of(x ir.Expr) facts.Interval {
	switch y := x.(type) {
	case *ir.Use:
		if e.t.depends(y.Var) {
			return e.variable(y.Var)
		}
	case *ir.Binary:
		if y.Op >= ir.OpLt || y.Kind() != ir.I64 {
			break
		}
		r, exact := facts.Arith(y.Op, e.of(y.X), e.of(y.Y))
		if !exact {
			return facts.AnyInt
		}
		return r
	case *ir.Select:
		return e.of(y.Then).Union(e.of(y.Else))
	case *ir.Convert:
		if y.To == ir.I64 && y.X.Kind().Exact() {
			return e.of(y.X)
		}
	case *ir.Load:
		return e.t.l.RangeOf(x)
	}
	if e.t.touches(x) {
		return facts.RangeOfKind(x.Kind())
	}
	return e.t.l.RangeOf(x)
}

func (e *ranger) variable(v *ir.Var) facts.Interval {
	if r, ok := e.memo[v]; ok {
		return r
	}
	e.memo[v] = facts.RangeOfKind(v.Kind)
	if e.t.unknown[v] {
		return e.memo[v]
	}
	var all facts.Interval
	for i, x := range e.t.sets[v] {
		r := e.of(x)
		if i == 0 {
			all = r
		} else {
			all = all.Union(r)
		}
	}
	e.memo[v] = all
	return all
}

// apply leaves out the tests that the bounds decide, and stores the arrays in
// as few bytes as they allow.
func (t *tables) apply(f *ir.Func) {
	kinds := map[*ir.Buf]ir.Kind{}
	flags := map[*ir.Var]bool{}
	for _, b := range t.bounded {
		t.of, t.memo = b, map[*ir.Var]*gain{}
		e := &ranger{t: t, memo: map[*ir.Var]facts.Interval{}}
		t.untested(f.Body, e, flags)
		if k := facts.Narrowest(t.l.Bufs[b]); t.l.On("narrow") && k != ir.I64 && !t.shown[b] {
			if k == ir.I8 {
				k = ir.I16
			}
			kinds[b] = k
		}
	}
	storeAs(f.Body, kinds)
	f.Body = declared(f.Body, func(v *ir.Var) bool { return len(t.sets[v]) == 1 && !t.unknown[v] })
	if len(flags) > 0 {
		unsetFlags(f.Body, flags)
	}
}

// untested leaves out tests for overflow of what depends on the array.
func (t *tables) untested(block []ir.Stmt, e *ranger, flags map[*ir.Var]bool) {
	for i, s := range block {
		for _, inner := range ir.Blocks(s) {
			t.untested(*inner, e, flags)
		}
		switch s := s.(type) {
		case *ir.Decl:
			if s.Init != nil {
				t.note(s.Var, e)
			}
		case *ir.Checked:
			if !t.touches(s.X) && !t.touches(s.Y) {
				continue
			}
			r, exact := facts.Arith(s.Op, e.of(s.X), e.of(s.Y))
			if !exact || r == facts.AnyInt {
				continue
			}
			block[i] = s.Var.Assign(s.Op.Of(s.X, s.Y))
			flags[s.Flag] = true
			t.note(s.Var, e)
		}
	}
}

// declared declares variables where they are set, for those that are set once, by a sum
// without a test behind their declaration.
func declared(block []ir.Stmt, once func(*ir.Var) bool) []ir.Stmt {
	var out []ir.Stmt
	open := map[*ir.Var]int{}
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = declared(*inner, once)
		}
		switch s := s.(type) {
		case *ir.Decl:
			if s.Init == nil && once(s.Var) {
				open[s.Var] = len(out)
			}
		case *ir.Assign:
			if i, ok := open[s.Var]; ok {
				delete(open, s.Var)
				if d, ok := out[i].(*ir.Decl); ok && d.Var == s.Var {
					out[i] = nil
					out = append(out, s.Var.Decl(s.X))
					continue
				}
			}
		}
		out = append(out, s)
	}
	return slices.DeleteFunc(out, func(s ir.Stmt) bool { return s == nil })
}

// note makes the bounds of a variable known.
func (t *tables) note(v *ir.Var, e *ranger) {
	if !v.Kind.Exact() || !t.depends(v) {
		return
	}
	r := e.variable(v)
	old := t.l.RangeOf(v.Use())
	if r.Within(old.Lo, old.Hi) {
		t.l.Ranges[v] = r
	}
}

// storeAs changes the kinds of arrays.
func storeAs(block []ir.Stmt, kinds map[*ir.Buf]ir.Kind) {
	if len(kinds) == 0 {
		return
	}
	for b, k := range kinds {
		b.Elem = k
	}
	ir.Walk(block, func(s ir.Stmt) {
		ir.MapExprs(s, func(x ir.Expr) ir.Expr {
			if ld, ok := x.(*ir.Load); ok && kinds[ld.Buf] != ir.NoKind {
				return &ir.Convert{To: ir.I64, X: ld}
			}
			return x
		})
		switch s := s.(type) {
		case *ir.Store:
			if k := kinds[s.Buf]; k != ir.NoKind {
				s.X = ir.ConvertTo(k, s.X)
			}
		case *ir.Filter:
			if k := kinds[s.Dst]; k != ir.NoKind {
				s.X = ir.ConvertTo(k, s.X)
			}
		}
	})
}

// unsetFlags takes flags that nothing sets any more to be 0.
func unsetFlags(block []ir.Stmt, flags map[*ir.Var]bool) {
	ir.Walk(block, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Checked:
			delete(flags, s.Flag)
		case *ir.Assign:
			delete(flags, s.Var)
		case *ir.Decl:
			if s.Init == nil || !ir.IsInt(s.Init, 0) {
				delete(flags, s.Var)
			}
		}
	})
	ir.Walk(block, func(s ir.Stmt) {
		ir.MapExprs(s, func(x ir.Expr) ir.Expr {
			if u, ok := x.(*ir.Use); ok && flags[u.Var] {
				return ir.Boolean(false)
			}
			return x
		})
		if n, ok := s.(*ir.Nest); ok {
			n.Flags = slices.DeleteFunc(slices.Clone(n.Flags), func(v *ir.Var) bool { return flags[v] })
		}
	})
}
