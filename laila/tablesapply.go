package laila

import "slices"

// ranger bounds expressions by what variables are set to, where these depend on
// the elements of an array of which bounds are supposed.
type ranger struct {
	t    *tables
	memo map[*Var]interval
}

func (e *ranger) of(x Expr) interval {
	switch y := x.(type) {
	case *Use:
		if e.t.depends(y.Var) {
			return e.variable(y.Var)
		}
	case *Binary:
		if y.Op >= Lt || y.Kind() != I64 {
			break
		}
		r, exact := arith(y.Op, e.of(y.X), e.of(y.Y))
		if !exact {
			return anyInt
		}
		return r
	case *Select:
		return e.of(y.Then).union(e.of(y.Else))
	case *Convert:
		if y.To == I64 && y.X.Kind().exact() {
			return e.of(y.X)
		}
	case *Load:
		return e.t.l.rangeOf(x)
	}
	if e.t.touches(x) {
		return rangeOfKind(x.Kind())
	}
	return e.t.l.rangeOf(x)
}

func (e *ranger) variable(v *Var) interval {
	if r, ok := e.memo[v]; ok {
		return r
	}
	e.memo[v] = rangeOfKind(v.Kind)
	if e.t.unknown[v] {
		return e.memo[v]
	}
	var all interval
	for i, x := range e.t.sets[v] {
		r := e.of(x)
		if i == 0 {
			all = r
		} else {
			all = all.union(r)
		}
	}
	e.memo[v] = all
	return all
}

// apply leaves out the tests that the bounds decide, and stores the arrays in
// as few bytes as they allow.
func (t *tables) apply(f *Func) {
	kinds := map[*Buf]Kind{}
	flags := map[*Var]bool{}
	for _, b := range t.bounded {
		t.of, t.memo = b, map[*Var]*gain{}
		e := &ranger{t: t, memo: map[*Var]interval{}}
		t.untested(f.Body, e, flags)
		if k := narrowest(t.l.bufs[b]); t.l.on("narrow") && k != I64 && !t.shown[b] {
			if k == I8 {
				k = I16
			}
			kinds[b] = k
		}
	}
	t.stored32(f.Body, kinds)
	f.Body = t.declared(f.Body)
	if len(flags) > 0 {
		(&counting{flags: flags}).unset(f.Body)
	}
}

// untested leaves out tests for overflow of what depends on the array.
func (t *tables) untested(block []Stmt, e *ranger, flags map[*Var]bool) {
	for i, s := range block {
		for _, inner := range Blocks(s) {
			t.untested(*inner, e, flags)
		}
		switch s := s.(type) {
		case *Decl:
			if s.Init != nil {
				t.note(s.Var, e)
			}
		case *Checked:
			if !t.touches(s.X) && !t.touches(s.Y) {
				continue
			}
			r, exact := arith(s.Op, e.of(s.X), e.of(s.Y))
			if !exact || r == anyInt {
				continue
			}
			block[i] = &Assign{s.Var, &Binary{s.Op, s.X, s.Y}}
			flags[s.Flag] = true
			t.note(s.Var, e)
		}
	}
}

// declared declares variables where they are set, for those that a sum without
// a test sets behind their declaration.
func (t *tables) declared(block []Stmt) []Stmt {
	var out []Stmt
	open := map[*Var]int{}
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = t.declared(*inner)
		}
		switch s := s.(type) {
		case *Decl:
			if s.Init == nil && len(t.sets[s.Var]) == 1 && !t.unknown[s.Var] {
				open[s.Var] = len(out)
			}
		case *Assign:
			if i, ok := open[s.Var]; ok {
				delete(open, s.Var)
				if d, ok := out[i].(*Decl); ok && d.Var == s.Var {
					out[i] = nil
					out = append(out, &Decl{s.Var, s.X})
					continue
				}
			}
		}
		out = append(out, s)
	}
	return slices.DeleteFunc(out, func(s Stmt) bool { return s == nil })
}

// note makes the bounds of a variable known.
func (t *tables) note(v *Var, e *ranger) {
	if !v.Kind.exact() || !t.depends(v) {
		return
	}
	r := e.variable(v)
	old := t.l.rangeOf(&Use{v})
	if r.within(old.lo, old.hi) {
		t.l.ranges[v] = r
	}
}

// stored32 changes the kinds of arrays.
func (t *tables) stored32(block []Stmt, kinds map[*Buf]Kind) {
	if len(kinds) == 0 {
		return
	}
	for b, k := range kinds {
		b.Elem = k
	}
	Walk(block, func(s Stmt) {
		mapExprs(s, func(x Expr) Expr {
			if ld, ok := x.(*Load); ok && kinds[ld.Buf] != NoKind {
				return &Convert{I64, ld}
			}
			return x
		})
		if st, ok := s.(*Store); ok && kinds[st.Buf] != NoKind {
			st.X = convert(kinds[st.Buf], st.X)
		}
	})
}
