package syntax

import (
	"fmt"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Program is the tree of a source.
type Program struct {
	Source *diag.Source
	Sigs   []*Sig
	Funs   []*Fun
	Order  []Decl // as written
}

// Decl is a *Sig or a *Fun.
type Decl interface{ decl() }

// Sig is the signature that a program gives a function.
type Sig struct {
	Name   string
	At     diag.Span // of the name
	Levels []string
	Vars   []TypeVar
	Type   Type
	Scheme diag.Span // of what follows the colon
}

// TypeVar is a type variable that a signature binds; Kind is "" where none is written.
type TypeVar struct {
	Name string // with its quote
	Kind string
	At   diag.Span
}

// Fun is a function. One without parameters is a constant.
type Fun struct {
	Name   string
	At     diag.Span
	Levels []string
	Params []Pattern
	Body   Expr
}

func (*Sig) decl() {}
func (*Fun) decl() {}

// Level is a level as written: Plus and a base, which is Z, thread, warp, block, grid,
// or a variable.
type Level struct {
	Plus int
	Base string
	At   diag.Span
}

// Type is a type as written.
type Type interface {
	Span() diag.Span
	typ()
}

type (
	// NamedType is a scalar type, or a variable with its quote.
	NamedType struct {
		Name string
		At   diag.Span
	}
	// TupleType is a tuple; of no types, unit.
	TupleType struct {
		Items []Type
		At    diag.Span
	}
	// FunType is the type of functions.
	FunType struct {
		From, To Type
	}
	// ArrayType is a pull array, a push array where it has a level, or an array of Rank axes
	// where that is 2 or more.
	ArrayType struct {
		Elem  Type
		Level *Level
		Rank  int
		At    diag.Span
	}
	// ProgramType is Program<l> t.
	ProgramType struct {
		Level Level
		Of    Type
		At    diag.Span
	}
)

func (t *NamedType) Span() diag.Span   { return t.At }
func (t *TupleType) Span() diag.Span   { return t.At }
func (t *FunType) Span() diag.Span     { return t.From.Span().Join(t.To.Span()) }
func (t *ArrayType) Span() diag.Span   { return t.At }
func (t *ProgramType) Span() diag.Span { return t.At }

func (*NamedType) typ()   {}
func (*TupleType) typ()   {}
func (*FunType) typ()     {}
func (*ArrayType) typ()   {}
func (*ProgramType) typ() {}

// Pattern is what parameters and bindings bind: a name ("_" binds nothing), or a tuple.
type Pattern struct {
	Name  string
	Items []Pattern
	Tuple bool
	At    diag.Span
}

// Expr is an expression.
type Expr interface {
	Span() diag.Span
	expr()
}

type (
	// Number is a literal; Float reports whether it has a point or an exponent.
	Number struct {
		Text  string
		Float bool
		At    diag.Span
	}
	// Bool is true or false.
	Bool struct {
		Value bool
		At    diag.Span
	}
	// Name is a use of a variable, function or operator, perhaps with level arguments.
	Name struct {
		Name   string
		Levels []Level
		At     diag.Span
	}
	// Param is a parameter of the compilation, #BlockSize.
	Param struct {
		Name string
		At   diag.Span
	}
	// Tuple has no items (unit), or two or more.
	Tuple struct {
		Items []Expr
		At    diag.Span
	}
	// Fn is fn x => e.
	Fn struct {
		Param Pattern
		Body  Expr
		At    diag.Span
	}
	// Apply is an application.
	Apply struct {
		Fn, Arg Expr
		At      diag.Span
	}
	// Binary is an operator between its operands; |> among them.
	Binary struct {
		Op          string
		Left, Right Expr
		At          diag.Span
	}
	// Unary is - or ! before its operand.
	Unary struct {
		Op string
		X  Expr
		At diag.Span
	}
	// If is a conditional.
	If struct {
		Cond, Then, Else Expr
		At               diag.Span
	}
	// Let binds, and continues with Body.
	Let struct {
		Binding
		Body Expr
		At   diag.Span
	}
	// Do is a sequence of steps; Level is nil where it is left out.
	Do struct {
		Level *Level
		Steps []Step
		Last  Expr
		At    diag.Span
	}
)

// Binding is pattern = value; one with Params defines a function, one with Levels
// abstracts from levels as well.
type Binding struct {
	Pattern Pattern
	Levels  []string
	Params  []Pattern
	Value   Expr
}

// Step of a do is a let, or Pattern <- Value.
type Step struct {
	Binding
	Let bool
}

func (e *Number) Span() diag.Span { return e.At }
func (e *Bool) Span() diag.Span   { return e.At }
func (e *Name) Span() diag.Span   { return e.At }
func (e *Param) Span() diag.Span  { return e.At }
func (e *Tuple) Span() diag.Span  { return e.At }
func (e *Fn) Span() diag.Span     { return e.At }
func (e *Apply) Span() diag.Span  { return e.At }
func (e *Binary) Span() diag.Span { return e.At }
func (e *Unary) Span() diag.Span  { return e.At }
func (e *If) Span() diag.Span     { return e.At }
func (e *Let) Span() diag.Span    { return e.At }
func (e *Do) Span() diag.Span     { return e.At }

func (*Number) expr() {}
func (*Bool) expr()   {}
func (*Name) expr()   {}
func (*Param) expr()  {}
func (*Tuple) expr()  {}
func (*Fn) expr()     {}
func (*Apply) expr()  {}
func (*Binary) expr() {}
func (*Unary) expr()  {}
func (*If) expr()     {}
func (*Let) expr()    {}
func (*Do) expr()     {}

// place returns where the span of an expression is kept.
func place(e Expr) *diag.Span {
	switch e := e.(type) {
	case *Number:
		return &e.At
	case *Bool:
		return &e.At
	case *Name:
		return &e.At
	case *Param:
		return &e.At
	case *Tuple:
		return &e.At
	case *Fn:
		return &e.At
	case *Apply:
		return &e.At
	case *Binary:
		return &e.At
	case *Unary:
		return &e.At
	case *If:
		return &e.At
	case *Let:
		return &e.At
	case *Do:
		return &e.At
	}
	panic(fmt.Sprintf("syntax: expression %T", e))
}
