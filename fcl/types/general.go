package types

// Substitution gives the variables of a scheme what a use says, and where Outer is set
// those of the schemes around it.
type Substitution struct {
	Use   *Use
	Outer *Substitution
}

// Concrete returns a type with the variables replaced; nil replaces none.
func (s *Substitution) Concrete(t Type) Type {
	if s == nil {
		return t
	}
	return s.Type(t)
}

// ConcreteUse returns a use with the variables in its types and levels replaced; nil
// replaces none.
func (s *Substitution) ConcreteUse(u *Use) *Use {
	if s == nil {
		return u
	}
	made := *u
	made.Levels, made.Types = nil, nil
	for _, l := range u.Levels {
		made.Levels = append(made.Levels, s.Level(l))
	}
	for _, t := range u.Types {
		made.Types = append(made.Types, s.Type(t))
	}
	return &made
}

// Arity returns how many arguments a function of a type takes one after the other.
func Arity(t Type) int {
	n := 0
	for f, ok := Find(t).(*Fun); ok; f, ok = Find(f.To).(*Fun) {
		n++
	}
	return n
}

// Type returns a type with the variables replaced.
func (s Substitution) Type(t Type) Type {
	switch t := Find(t).(type) {
	case *Var:
		for i, v := range s.Use.Scheme.Vars {
			if v == t {
				return s.outside(s.Use.Types[i])
			}
		}
		return s.outside(t)
	case *Tuple:
		items := make([]Type, len(t.Items))
		for i, u := range t.Items {
			items[i] = s.Type(u)
		}
		return &Tuple{items}
	case *Fun:
		return &Fun{s.Type(t.From), s.Type(t.To)}
	case *Pull:
		return &Pull{s.Type(t.Elem)}
	case *Push:
		return &Push{s.Type(t.Elem), s.Level(t.Level)}
	case *Program:
		return &Program{s.Level(t.Level), s.Type(t.Of)}
	default:
		return t
	}
}

func (s Substitution) outside(t Type) Type {
	if s.Outer == nil {
		return t
	}
	return s.Outer.Type(t)
}

// Level returns a level with the variables replaced.
func (s Substitution) Level(l Level) Level {
	l = FindLevel(l)
	if l.Var == nil {
		return l
	}
	for i, v := range s.Use.Scheme.Levels {
		if v == l.Var {
			found := FindLevel(s.Use.Levels[i])
			found.Plus += l.Plus
			l = FindLevel(found)
			break
		}
	}
	if s.Outer == nil {
		return l
	}
	return s.Outer.Level(l)
}

// generalise returns the scheme of a type whose variables deeper than depth are bound by
// it; levels are those that the function names.
func (in *inferrer) generalise(t Type, depth int, levels []*LevelVar) *Scheme {
	for _, l := range in.levelVars {
		if l.Ref == nil && l.low && l.depth > depth {
			l.low, l.Ref = false, &Thread
		}
	}
	s := &Scheme{Levels: levels, Type: t}
	s.collect(t, depth)
	n := newNamer()
	n.words = false
	for _, v := range s.Vars {
		v.Name = n.variable(v)
	}
	for _, v := range s.Levels {
		if v.Name == "" {
			v.Name = n.level(Level{Var: v})
		}
	}
	for _, v := range s.Vars {
		v.Rigid = true
	}
	for _, v := range s.Levels {
		v.Rigid = true
	}
	return s
}

// collect adds the variables of a type that are deeper than depth.
func (s *Scheme) collect(t Type, depth int) {
	switch t := Find(t).(type) {
	case *Var:
		if !t.Rigid && t.depth > depth {
			for _, v := range s.Vars {
				if v == t {
					return
				}
			}
			s.Vars = append(s.Vars, t)
		}
	case *Tuple:
		for _, item := range t.Items {
			s.collect(item, depth)
		}
	case *Fun:
		s.collect(t.From, depth)
		s.collect(t.To, depth)
	case *Pull:
		s.collect(t.Elem, depth)
	case *Push:
		s.collectLevel(t.Level, depth)
		s.collect(t.Elem, depth)
	case *Program:
		s.collectLevel(t.Level, depth)
		s.collect(t.Of, depth)
	}
}

func (s *Scheme) collectLevel(l Level, depth int) {
	if l = FindLevel(l); l.Var == nil || l.Var.Rigid || l.Var.depth <= depth {
		return
	}
	for _, v := range s.Levels {
		if v == l.Var {
			return
		}
	}
	s.Levels = append(s.Levels, l.Var)
}

// settle gives what nothing determines a type and a level: int where that is possible,
// then double, bool, unit; and thread.
func (in *inferrer) settle() {
	for _, v := range in.vars {
		if v.Ref != nil || v.Rigid {
			continue
		}
		switch {
		case v.Kind&kindI64 != 0:
			v.Ref = Int
		case v.Kind&kindF64 != 0:
			v.Ref = Double
		case v.Kind&kindGround != 0:
			v.Ref = &Tuple{}
		default:
			v.Ref = smallest(v.Kind)
		}
	}
	for _, l := range in.levelVars {
		if l.Ref == nil && !l.Rigid {
			l.Ref = &Thread
		}
	}
}

// smallest returns the first scalar type of a kind.
func smallest(k Kind) Scalar {
	for s := Bool; s <= F64; s++ {
		if k&s.kind() != 0 {
			return s
		}
	}
	return Int
}

// Instantiate gives the variables of a scheme types that fit arguments, which are given
// in order, and the rest of them defaults. It returns the use, and the number of the first
// argument that does not fit, or -1.
func Instantiate(g *Global, args []Type) (*Use, int) {
	in := &inferrer{depth: 1}
	use := &Use{Global: g, Scheme: g.Scheme}
	for range g.Scheme.Levels {
		use.Levels = append(use.Levels, in.freshLevel())
	}
	for _, v := range g.Scheme.Vars {
		use.Types = append(use.Types, in.fresh(v.Kind))
	}
	t := Substitution{use, nil}.Type(g.Scheme.Type)
	for i, a := range args {
		f, ok := Find(t).(*Fun)
		if !ok || (&unifier{}).unify(a, f.From) != fits {
			return use, i
		}
		t = f.To
	}
	levels(t, func(l Level) { unifyLevels(l, Grid) })
	in.settle()
	return use, -1
}

// With returns a use of a function whose type variables are the given types, in the order of its
// signature, and which makes what the grid makes where it leaves that open.
func With(g *Global, vars []Type) *Use {
	in := &inferrer{depth: 1}
	use := &Use{Global: g, Scheme: g.Scheme, Types: vars}
	for range g.Scheme.Levels {
		use.Levels = append(use.Levels, in.freshLevel())
	}
	t := Find(Substitution{use, nil}.Type(g.Scheme.Type))
	for f, ok := t.(*Fun); ok; f, ok = t.(*Fun) {
		t = Find(f.To)
	}
	levels(t, func(l Level) { unifyLevels(l, Grid) })
	in.settle()
	return use
}

// levels calls a function for the levels of programs and push arrays in what main gives.
func levels(t Type, visit func(l Level)) {
	switch t := Find(t).(type) {
	case *Program:
		visit(t.Level)
		levels(t.Of, visit)
	case *Push:
		visit(t.Level)
	case *Tuple:
		for _, item := range t.Items {
			levels(item, visit)
		}
	}
}

// Below returns a level in a type that is known, and is not grid.
func Below(t Type) (Level, bool) {
	found, ok := Grid, false
	levels(t, func(l Level) {
		if l = FindLevel(l); l.Var == nil && l != Grid {
			found, ok = l, true
		}
	})
	return found, ok
}
