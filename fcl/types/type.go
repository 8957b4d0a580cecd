package types

import (
	"fmt"
	"strings"
)

// Kind is the set of what a type may be.
type Kind uint16

// The parts of kinds. Those of scalars are in the order of Scalar.
const (
	kindBool Kind = 1 << iota
	kindI8
	kindI16
	kindI32
	kindI64
	kindF32
	kindF64
	kindTuple
	kindGround
	kindFun
)

// Kinds with names.
const (
	INT    = kindI8 | kindI16 | kindI32 | kindI64
	FLOAT  = kindF32 | kindF64
	NUM    = INT | FLOAT
	SCALAR = NUM | kindBool
	BT     = SCALAR | kindTuple
	GT     = BT | kindGround
	TYP    = GT | kindFun
)

var kindNames = []struct {
	name string
	kind Kind
	doc  string
}{
	{"TYP", TYP, "any type"},
	{"GT", GT, "any type but functions"},
	{"BT", BT, "scalars and tuples of scalars"},
	{"SCALAR", SCALAR, "numbers and bool"},
	{"NUM", NUM, "numbers"},
	{"INT", INT, "whole numbers"},
	{"FLOAT", FLOAT, "float and double"},
}

// KindNamed returns the kind of a name.
func KindNamed(name string) (Kind, bool) {
	for _, k := range kindNames {
		if k.name == name {
			return k.kind, true
		}
	}
	return 0, false
}

func (k Kind) String() string {
	for _, row := range kindNames {
		if row.kind == k {
			return row.name
		}
	}
	var parts []string
	for s := Bool; s <= F64; s++ {
		if k&s.kind() != 0 {
			parts = append(parts, s.String())
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// doc returns what a kind means, for messages.
func (k Kind) doc() string {
	for _, row := range kindNames {
		if row.kind == k {
			return row.doc
		}
	}
	return k.String()
}

// Type is *Var, Scalar, *Tuple, *Fun, *Pull, *Push or *Program.
type Type interface{ typ() }

// Scalar is a scalar type. The zero value is unset.
type Scalar uint8

// The scalar types. Int is I64, Double is F64.
const (
	NoScalar Scalar = iota
	Bool
	I8
	I16
	I32
	I64
	F32
	F64
	Int    = I64
	Double = F64
)

var scalarNames = [...]string{Bool: "bool", I8: "i8", I16: "i16", I32: "i32", I64: "int", F32: "float", F64: "double"}

// Scalars returns the scalar type of a name, NoScalar where there is none.
func ScalarNamed(name string) Scalar {
	switch name {
	case "i64":
		return I64
	case "f32":
		return F32
	case "f64":
		return F64
	}
	for s := Bool; s <= F64; s++ {
		if scalarNames[s] == name {
			return s
		}
	}
	return NoScalar
}

func (s Scalar) String() string {
	if s == NoScalar {
		panic("types: scalar is unset")
	}
	return scalarNames[s]
}

// IsFloat reports whether s is float or double.
func (s Scalar) IsFloat() bool { return s == F32 || s == F64 }

// IsInt reports whether s is a type of whole numbers.
func (s Scalar) IsInt() bool { return s >= I8 && s <= I64 }

// Size returns the bytes of a scalar in an array.
func (s Scalar) Size() int {
	return [...]int{Bool: 1, I8: 1, I16: 2, I32: 4, I64: 8, F32: 4, F64: 8}[s]
}

// Bits returns the width of a type of whole numbers.
func (s Scalar) Bits() uint { return uint(s.Size()) * 8 }

func (s Scalar) kind() Kind { return kindBool << (s - Bool) }

type (
	// Var is a type variable. One that is bound has Ref; one that is Rigid stands for
	// any type of its kind.
	Var struct {
		Name  string // of a rigid one, with its quote
		Kind  Kind
		Ref   Type
		Rigid bool
		fixed bool // the kind is written in a signature
		depth int  // of the let that made it
	}
	// Tuple is a tuple; of no items, unit.
	Tuple struct{ Items []Type }
	// Fun is a type of functions.
	Fun struct{ From, To Type }
	// Pull is a pull array.
	Pull struct{ Elem Type }
	// Push is a push array.
	Push struct {
		Elem  Type
		Level Level
	}
	// Program is a program at a level.
	Program struct {
		Level Level
		Of    Type
	}
)

func (*Var) typ()     {}
func (Scalar) typ()   {}
func (*Tuple) typ()   {}
func (*Fun) typ()     {}
func (*Pull) typ()    {}
func (*Push) typ()    {}
func (*Program) typ() {}

// Level is Plus levels above a variable or, where Var is nil, above thread or warp.
type Level struct {
	Var  *LevelVar
	Warp bool // with Var nil and Plus 0
	Plus int
}

// LevelVar is a level variable.
type LevelVar struct {
	Name  string
	Ref   *Level
	Rigid bool
	low   bool // it is thread or warp
	depth int
}

// The levels with names.
var (
	Thread = Level{}
	Warp   = Level{Warp: true}
	Block  = Level{Plus: 1}
	Grid   = Level{Plus: 2}
)

// axes returns the type of arrays of several axes, ['a]2: a pair of the extents, and of the
// function from the places on each axis to the elements.
func axes(rank int, elem Type) Type {
	extents, place := &Tuple{}, &Tuple{}
	for range rank {
		extents.Items, place.Items = append(extents.Items, Int), append(place.Items, Int)
	}
	return &Tuple{[]Type{extents, &Fun{place, elem}}}
}

// Axes takes the type of an array of several axes apart; the rank of others is 0.
func Axes(of Type) (rank int, elem Type) {
	t, ok := Find(of).(*Tuple)
	if !ok || len(t.Items) != 2 {
		return 0, nil
	}
	f, ok := Find(t.Items[1]).(*Fun)
	if !ok {
		return 0, nil
	}
	for _, item := range []Type{t.Items[0], f.From} {
		places, ok := Find(item).(*Tuple)
		if !ok || rank > 0 && len(places.Items) != rank {
			return 0, nil
		}
		rank = len(places.Items)
		for _, p := range places.Items {
			if Find(p) != Int {
				return 0, nil
			}
		}
	}
	if rank < 2 {
		return 0, nil
	}
	return rank, f.To
}

// Find returns a type without the variables at its head that are bound.
func Find(t Type) Type {
	for {
		v, ok := t.(*Var)
		if !ok || v.Ref == nil {
			return t
		}
		t = v.Ref
	}
}

// FindLevel returns a level without variables that are bound.
func FindLevel(l Level) Level {
	for l.Var != nil && l.Var.Ref != nil {
		r := *l.Var.Ref
		r.Plus += l.Plus
		l = r
	}
	if l.Plus > 0 {
		l.Warp = false
	}
	return l
}

// Scheme is a type with the variables that uses instantiate.
type Scheme struct {
	Levels []*LevelVar
	Vars   []*Var
	Type   Type
}

// namer gives variables names for one message.
type namer struct {
	words  bool // the types of literals are words
	vars   map[*Var]string
	levels map[*LevelVar]string
}

func newNamer() *namer { return &namer{true, map[*Var]string{}, map[*LevelVar]string{}} }

func (n *namer) variable(v *Var) string {
	if v.Rigid {
		return v.Name
	}
	if word := map[Kind]string{NUM: "number", INT: "integer", FLOAT: "double"}[v.Kind]; n.words && word != "" {
		return word
	}
	name, ok := n.vars[v]
	if !ok {
		k := len(n.vars)
		name = "'" + string(rune('a'+k%26))
		if k >= 26 {
			name += fmt.Sprint(k / 26)
		}
		n.vars[v] = name
	}
	return name
}

func (n *namer) level(l Level) string {
	l = FindLevel(l)
	if l.Var == nil {
		switch l.Plus {
		case 0:
			if l.Warp {
				return "warp"
			}
			return "thread"
		case 1:
			return "block"
		case 2:
			return "grid"
		}
		return fmt.Sprintf("%d+grid", l.Plus-2)
	}
	name := l.Var.Name
	if !l.Var.Rigid {
		var ok bool
		if name, ok = n.levels[l.Var]; !ok {
			name = [...]string{"l", "m", "n"}[len(n.levels)%3]
			if k := len(n.levels) / 3; k > 0 {
				name += fmt.Sprint(k)
			}
			n.levels[l.Var] = name
		}
	}
	if l.Plus > 0 {
		return fmt.Sprintf("%d+%s", l.Plus, name)
	}
	return name
}

func (n *namer) text(t Type) string {
	switch t := Find(t).(type) {
	case *Var:
		return n.variable(t)
	case Scalar:
		return t.String()
	case *Tuple:
		if rank, elem := Axes(t); rank > 0 {
			return fmt.Sprintf("[%s]%d", n.text(elem), rank)
		}
		items := make([]string, len(t.Items))
		for i, u := range t.Items {
			items[i] = n.text(u)
		}
		return "(" + strings.Join(items, ", ") + ")"
	case *Fun:
		from := n.text(t.From)
		if _, ok := Find(t.From).(*Fun); ok {
			from = "(" + from + ")"
		}
		return from + " -> " + n.text(t.To)
	case *Pull:
		return "[" + n.text(t.Elem) + "]"
	case *Push:
		return "[" + n.text(t.Elem) + "]<" + n.level(t.Level) + ">"
	case *Program:
		of := n.text(t.Of)
		if _, ok := Find(t.Of).(*Fun); ok {
			of = "(" + of + ")"
		}
		return "Program<" + n.level(t.Level) + "> " + of
	}
	panic(fmt.Sprintf("types: type %T", t))
}

// Text returns a type as text.
func Text(t Type) string { return newNamer().text(t) }

// LevelText returns a level as text.
func LevelText(l Level) string { return newNamer().level(l) }

// String returns the scheme in the syntax of signatures. Kinds other than GT are shown.
func (s *Scheme) String() string {
	n := newNamer()
	var b strings.Builder
	if len(s.Levels)+len(s.Vars) > 0 {
		b.WriteString("forall")
	}
	if len(s.Levels) > 0 {
		names := make([]string, len(s.Levels))
		for i, l := range s.Levels {
			names[i] = n.level(Level{Var: l})
		}
		fmt.Fprintf(&b, " <%s>", strings.Join(names, " "))
	}
	for _, v := range s.Vars {
		b.WriteString(" " + n.variable(v))
		if v.Kind != GT {
			b.WriteString(" : " + v.Kind.String())
		}
	}
	if b.Len() > 0 {
		b.WriteString(". ")
	}
	b.WriteString(n.text(s.Type))
	return b.String()
}
