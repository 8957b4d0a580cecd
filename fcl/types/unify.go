package types

// Clash says why two types do not unify.
type clash uint8

const (
	fits clash = iota
	differ
	levelsDiffer
	infinite
	wrongKind
)

// unifier binds variables so that types become equal. It notes the kind that was asked
// for when one does not fit.
type unifier struct {
	kind   Kind
	unkind Type
}

func (u *unifier) unify(a, b Type) clash {
	a, b = Find(a), Find(b)
	if a == b {
		return fits
	}
	if v, ok := a.(*Var); ok && !v.Rigid {
		return u.bind(v, b)
	}
	if v, ok := b.(*Var); ok && !v.Rigid {
		return u.bind(v, a)
	}
	switch a := a.(type) {
	case *Tuple:
		if b, ok := b.(*Tuple); ok && len(a.Items) == len(b.Items) {
			return u.unifyAll(a.Items, b.Items)
		}
	case *Fun:
		if b, ok := b.(*Fun); ok {
			return u.unifyAll([]Type{a.From, a.To}, []Type{b.From, b.To})
		}
	case *Pull:
		if b, ok := b.(*Pull); ok {
			return u.unify(a.Elem, b.Elem)
		}
	case *Push:
		if b, ok := b.(*Push); ok {
			return u.atLevels(a.Level, b.Level, a.Elem, b.Elem)
		}
	case *Program:
		if b, ok := b.(*Program); ok {
			return u.atLevels(a.Level, b.Level, a.Of, b.Of)
		}
	}
	return differ
}

func (u *unifier) unifyAll(as, bs []Type) clash {
	for i, a := range as {
		if c := u.unify(a, bs[i]); c != fits {
			return c
		}
	}
	return fits
}

func (u *unifier) atLevels(l, m Level, a, b Type) clash {
	if c := u.unify(a, b); c != fits {
		return c
	}
	if !unifyLevels(l, m) {
		return levelsDiffer
	}
	return fits
}

// bind gives a variable that is not rigid its type.
func (u *unifier) bind(v *Var, t Type) clash {
	if occurs(v, t) {
		return infinite
	}
	if !u.restrict(t, v.Kind) {
		return wrongKind
	}
	v.Ref = t
	return fits
}

// restrict makes a type be of a kind, and reports whether it can.
func (u *unifier) restrict(t Type, k Kind) bool {
	ok := true
	switch t := Find(t).(type) {
	case *Var:
		both := t.Kind & k
		if ok = both != 0 && (both == t.Kind || !t.fixed); ok {
			t.Kind = both
		}
	case Scalar:
		ok = t.kind()&k != 0
	case *Tuple:
		if len(t.Items) == 0 {
			ok = k&kindGround != 0
			break
		}
		if ok = k&kindTuple != 0; !ok {
			break
		}
		for _, item := range t.Items {
			if !u.restrict(item, k) {
				return false
			}
		}
	case *Fun:
		ok = k&kindFun != 0
	default:
		ok = k&kindGround != 0
	}
	if !ok {
		u.kind, u.unkind = k, t
	}
	return ok
}

// occurs reports whether a variable is part of a type. It brings the variables of the
// type to the depth of v.
func occurs(v *Var, t Type) bool {
	switch t := Find(t).(type) {
	case *Var:
		t.depth = min(t.depth, v.depth)
		return t == v
	case *Tuple:
		for _, item := range t.Items {
			if occurs(v, item) {
				return true
			}
		}
	case *Fun:
		return occurs(v, t.From) || occurs(v, t.To)
	case *Pull:
		return occurs(v, t.Elem)
	case *Push:
		lift(t.Level, v.depth)
		return occurs(v, t.Elem)
	case *Program:
		lift(t.Level, v.depth)
		return occurs(v, t.Of)
	}
	return false
}

// lift brings the variable of a level to a depth.
func lift(l Level, depth int) {
	if l = FindLevel(l); l.Var != nil {
		l.Var.depth = min(l.Var.depth, depth)
	}
}

// unifyLevels makes levels equal.
func unifyLevels(a, b Level) bool {
	a, b = FindLevel(a), FindLevel(b)
	if a.Plus > b.Plus {
		a, b = b, a
	}
	if a == b {
		return true
	}
	difference := Level{Var: b.Var, Plus: b.Plus - a.Plus, Warp: b.Warp}
	switch {
	case a.Var == nil && b.Var == nil:
		return a.Plus == b.Plus && a.Warp == b.Warp
	case a.Var == nil: // b.Plus ≥ a.Plus: equal only where b's variable is thread
		return a.Plus == b.Plus && below(b, a)
	case difference.Plus == 0 && difference.Var == nil && a.Plus > 0:
		return below(a, b)
	case b.Var != nil && difference.Plus == 0:
		return unifyVars(a.Var, b.Var)
	}
	return bindLevel(a.Var, difference)
}

// below makes v+k, which a level without variable equals, with k its Plus, be thread or warp.
func below(l, constant Level) bool {
	v := l.Var
	switch {
	case v.Rigid:
		return false
	case l.Plus == 0:
		return bindLevel(v, Level{Warp: constant.Warp})
	}
	v.low = true
	return true
}

func unifyVars(v, w *LevelVar) bool {
	if v.Rigid {
		v, w = w, v
	}
	if v.Rigid || v.low && w.Rigid {
		return false
	}
	w.low = w.low || v.low
	w.depth = min(w.depth, v.depth)
	v.Ref = &Level{Var: w}
	return true
}

func bindLevel(v *LevelVar, l Level) bool {
	if v.Rigid || l.Var == v || v.low && (l.Plus > 0 || l.Var != nil) {
		return false
	}
	lift(l, v.depth)
	v.Ref = &l
	return true
}
