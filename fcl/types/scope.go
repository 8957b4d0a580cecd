package types

import (
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Scope has the functions of a program. Names that are not among them are looked for in
// the scope outside, at last among the built-in operators.
type Scope struct {
	Outer   *Scope
	Globals map[string]*Global
	Order   []*Global
}

// Global is a function of a program.
type Global struct {
	Fun    *syntax.Fun
	Sig    *syntax.Sig // or nil
	Scope  *Scope
	Scheme *Scheme // once it has been inferred
	busy   bool
}

// Info is what inference found out about the expressions of the functions that it saw.
type Info struct {
	Types map[syntax.Expr]Type
	Uses  map[*syntax.Name]*Use
	Lets  map[*syntax.Binding]*Scheme // of bindings that are generalised
}

// Use says what a name stands for: a Global, a Builtin, or neither for what a pattern
// binds. Levels and Types are what the variables of its scheme stand for.
type Use struct {
	Global  *Global
	Builtin string
	Scheme  *Scheme
	Levels  []Level
	Types   []Type
}

// Within returns which use of the library the code of a global is part of: the one that the code around is
// part of, or, of a function of the library, that at a span.
func (u *Use) Within(around, at diag.Span) diag.Span {
	if around.Valid() || u.Global.Scope.Outer != nil {
		return around
	}
	return at
}

// NewInfo returns an Info of nothing.
func NewInfo() *Info {
	return &Info{map[syntax.Expr]Type{}, map[*syntax.Name]*Use{}, map[*syntax.Binding]*Scheme{}}
}

// NewScope returns the scope of a program; each function has one definition, and each
// signature a function.
func NewScope(outer *Scope, p *syntax.Program) (*Scope, error) {
	s := &Scope{Outer: outer, Globals: map[string]*Global{}}
	for _, f := range p.Funs {
		if before := s.Globals[f.Name]; before != nil {
			e := diag.Errorf(diag.FaultyAssignment, f.At, "%q is defined twice", f.Name)
			e.Notes = []diag.Note{{Span: before.Fun.At, Message: "the first definition"}}
			return nil, e
		}
		g := &Global{Fun: f, Scope: s}
		s.Globals[f.Name] = g
		s.Order = append(s.Order, g)
	}
	for _, sig := range p.Sigs {
		g := s.Globals[sig.Name]
		switch {
		case g == nil:
			return nil, diag.Errorf(diag.UnknownName, sig.At, "there is no function %q for this signature", sig.Name)
		case g.Sig != nil:
			e := diag.Errorf(diag.FaultyAnnotation, sig.At, "%q has two signatures", sig.Name)
			e.Notes = []diag.Note{{Span: g.Sig.At, Message: "the first signature"}}
			return nil, e
		}
		g.Sig = sig
	}
	return s, nil
}

// find returns the function of a name.
func (s *Scope) find(name string) *Global {
	for ; s != nil; s = s.Outer {
		if g := s.Globals[name]; g != nil {
			return g
		}
	}
	return nil
}

// converter makes types of the types that signatures write.
type converter struct {
	vars     map[string]*Var
	levels   map[string]*LevelVar
	order    []*Var
	implicit bool // variables need not be bound
	fault    *diag.Error
}

// signature returns the scheme of a signature; its variables are rigid.
func signature(s *syntax.Sig) (*Scheme, *diag.Error) {
	c := &converter{vars: map[string]*Var{}, levels: map[string]*LevelVar{}, implicit: len(s.Levels)+len(s.Vars) == 0}
	scheme := &Scheme{}
	for _, name := range s.Levels {
		l := &LevelVar{Name: name, Rigid: true}
		c.levels[name] = l
		scheme.Levels = append(scheme.Levels, l)
	}
	for _, v := range s.Vars {
		if c.vars[v.Name] != nil {
			return nil, diag.Errorf(diag.FaultyAnnotation, v.At, "the forall binds %s twice", v.Name)
		}
		made := c.variable(v.Name)
		if v.Kind == "" {
			continue
		}
		k, ok := KindNamed(v.Kind)
		if !ok {
			return nil, diag.Errorf(diag.UnknownType, v.At, "there is no kind %q; the kinds are TYP, GT, BT, SCALAR, NUM, INT and FLOAT", v.Kind)
		}
		made.Kind, made.fixed = k, true
	}
	scheme.Type = c.convert(s.Type)
	scheme.Vars = c.order
	return scheme, c.fault
}

func (c *converter) variable(name string) *Var {
	v := &Var{Name: name, Kind: TYP, Rigid: true}
	c.vars[name] = v
	c.order = append(c.order, v)
	return v
}

func (c *converter) fail(code diag.Code, at diag.Span, format string, args ...any) {
	if c.fault == nil {
		c.fault = diag.Errorf(code, at, format, args...)
	}
}

func (c *converter) convert(t syntax.Type) Type {
	switch t := t.(type) {
	case *syntax.NamedType:
		return c.named(t)
	case *syntax.TupleType:
		tuple := &Tuple{}
		for _, item := range t.Items {
			tuple.Items = append(tuple.Items, c.convert(item))
		}
		return tuple
	case *syntax.FunType:
		return &Fun{c.convert(t.From), c.convert(t.To)}
	case *syntax.ArrayType:
		elem := c.convert(t.Elem)
		if t.Rank > 1 {
			return axes(t.Rank, elem)
		}
		if t.Level == nil {
			c.restrict(elem, GT, t.Elem.Span(), "elements of a pull array")
			return &Pull{elem}
		}
		c.restrict(elem, BT, t.Elem.Span(), "elements of a push array")
		return &Push{elem, c.level(*t.Level)}
	case *syntax.ProgramType:
		return &Program{c.level(t.Level), c.convert(t.Of)}
	}
	panic("types: a type that is not known")
}

func (c *converter) restrict(t Type, k Kind, at diag.Span, what string) {
	if u := (&unifier{}); !u.restrict(t, k) {
		c.fail(diag.WrongType, at, "%s are %s, not %s", what, k.doc(), Text(t))
	}
}

func (c *converter) named(t *syntax.NamedType) Type {
	if t.Name[0] != '\'' {
		if s := ScalarNamed(t.Name); s != NoScalar {
			return s
		}
		if t.Name == "unit" {
			return &Tuple{}
		}
		c.fail(diag.UnknownType, t.At, "there is no type %q; the scalar types are bool, i8, i16, i32, int, float and double", t.Name)
		return Int
	}
	if v := c.vars[t.Name]; v != nil {
		return v
	}
	if !c.implicit {
		c.fail(diag.UnknownType, t.At, "the forall does not bind %s", t.Name)
	}
	return c.variable(t.Name)
}

func (c *converter) level(l syntax.Level) Level {
	made, ok := levelNamed(l, func(name string) *LevelVar { return c.levels[name] })
	if !ok {
		c.fail(diag.UnknownType, l.At, "there is no level %q; the levels are thread, warp, block, grid, and those that a forall binds", l.Base)
	}
	return made
}

// levelNamed returns a level that is written; variable finds those of names.
func levelNamed(l syntax.Level, variable func(string) *LevelVar) (Level, bool) {
	made := Level{}
	switch l.Base {
	case "Z", "thread":
	case "warp":
		made = Warp
	case "block":
		made = Block
	case "grid":
		made = Grid
	default:
		v := variable(l.Base)
		if v == nil {
			return made, false
		}
		made = Level{Var: v}
	}
	made.Plus += l.Plus
	if made.Plus > 0 {
		made.Warp = false
	}
	return made, true
}
