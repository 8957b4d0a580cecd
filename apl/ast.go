package apl

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Class is the syntactic class of a name or of an expression.
type Class uint8

// The classes. The zero value is "unset".
const (
	NoClass Class = iota
	ArrayClass
	FunctionClass
	MonadicOperator
	DyadicOperator
)

// Node is any node of the tree.
type Node interface {
	Span() diag.Span
	node()
}

// Expr is an expression of array class.
type Expr interface {
	Node
	expr()
}

// Func is an expression of function class.
type Func interface {
	Node
	function()
}

// Operator is an expression of operator class.
type Operator interface {
	Node
	operator()
}

// At is the span that every node embeds.
type At struct{ Where diag.Span }

func (a At) Span() diag.Span { return a.Where }
func (At) node()             {}

// Program is a source file: its statements in order.
type Program struct {
	At
	Source *diag.Source
	Body   []Stmt
	Levels []*Level
	names  map[string]Class
	made   bool // see With

	dynamic, errs diag.List
}

// Stmt is a statement of a program or a dfn.
type Stmt interface {
	Node
	stmt()
}

type (
	// ExprStmt is an expression statement. At the top level its value is
	// displayed unless Silent; in a dfn it is the result. Silent is set when the
	// outermost node is an assignment.
	ExprStmt struct {
		At
		X      Expr
		Silent bool
		Note   *Annotation // the ⍝: comment behind an assignment, or nil
	}
	// Guard is `cond: result`; Result is nil for `cond:`, which is an error
	// that the parser reports.
	Guard struct {
		At
		Cond, Result Expr
		Silent       bool
	}
	// ErrorGuard is `numbers:: result`: the result where one of these errors
	// happens in the statements behind it.
	ErrorGuard struct {
		At
		Numbers, Result Expr
		Silent          bool
	}
	// DefaultLeft is `⍺←value`: evaluated only when the dfn is called monadically.
	DefaultLeft struct {
		At
		Value Expr // an array; a function default (`⍺←⊢`) is in Func
		Func  Func
	}
	// FuncDef is `name←function`: a dfn, a primitive, a derived function or a train.
	FuncDef struct {
		At
		Name *Name
		F    Func
		Note *Annotation
	}
	// OperatorDef is `name←{… ⍺⍺ …}`, or a name given to a primitive operator.
	OperatorDef struct {
		At
		Name *Name
		Op   Operator
		Note *Annotation
	}
)

// Display is a function or an operator as a statement of its own: it is displayed.
// One of the fields is set.
type Display struct {
	At
	F  Func
	Op Operator
}

// Unread stands for a statement with an error that the parser reported. Names
// are those that it may have assigned.
type Unread struct {
	At
	Names []string
}

func (*Unread) stmt()      {}
func (*Display) stmt()     {}
func (*ExprStmt) stmt()    {}
func (*Guard) stmt()       {}
func (*ErrorGuard) stmt()  {}
func (*DefaultLeft) stmt() {}
func (*FuncDef) stmt()     {}
func (*OperatorDef) stmt() {}

// Level is a comment ⍝: <block> behind a statement: the level of a device's hierarchy, thread,
// block or grid, that computes its reductions.
type Level struct {
	At
	Name string
	Of   diag.Span // the statement
}

// Annotation is the text of a ⍝: comment, unparsed.
type Annotation struct {
	At
	Text string // without the ⍝:
}

// Name is an identifier, or one of ⍺ ⍵ ⍺⍺ ⍵⍵ ∇ ∇∇, or a system name (⎕IO).
type Name struct {
	At
	Ident string
}

// Array expressions.
type (
	// Literal is a number, a string, or a strand of numbers: one constant array.
	// 'a' is a scalar, 'ab' a vector, 5 a scalar, 1 2 3 a vector, ” and ⍬ empty.
	Literal struct {
		At
		Value *array.Array
	}
	// Var is a use of a name of array class, ⍺ and ⍵ and system variables included.
	Var struct {
		At
		Ident string
	}
	// Strand is `a b c` with at least one item that is not a literal number.
	// In parentheses left of ← it is the target of a strand assignment.
	Strand struct {
		At
		Items []Expr
	}
	// Paren keeps a parenthesised array expression.
	Paren struct {
		At
		X Expr
	}
	// Member is `X.Name`, a name in the namespace that X refers to, or `X.(…)`, an
	// expression there, of which Name is the text with its parentheses.
	Member struct {
		At
		X    Expr
		Name string
	}
	// Monadic is `F Y`; Dyadic is `X F Y`.
	Monadic struct {
		At
		F Func
		Y Expr
	}
	Dyadic struct {
		At
		X Expr
		F Func
		Y Expr
	}
	// Index is `X[i;j;…]`; a nil item is an elided axis. Brackets spans the brackets.
	Index struct {
		At
		X        Expr
		Items    []Expr
		Brackets diag.Span
	}
	// Assign is an assignment used as an expression: its value is Y.
	// Target says what is assigned; F is the function of a modified
	// assignment (`x+←1`), else nil.
	Assign struct {
		At
		Target Target
		F      Func
		Y      Expr
	}
)

func (*Literal) expr() {}
func (*Var) expr()     {}
func (*Strand) expr()  {}
func (*Paren) expr()   {}
func (*Member) expr()  {}
func (*Monadic) expr() {}
func (*Dyadic) expr()  {}
func (*Index) expr()   {}
func (*Assign) expr()  {}

// Target is what stands left of an assignment arrow.
type Target interface {
	Node
	target()
}

type (
	// NameTarget is `x←`; ⎕ and ⍞ (output) are names "⎕" and "⍞"; ⎕IO etc. too.
	NameTarget struct {
		At
		Ident string
	}
	// IndexTarget is `x[i;j]←`.
	IndexTarget struct {
		At
		Ident string
		Items []Expr
	}
	// MemberTarget is `X.Name←`; Name is `(a b)` in `X.(a b)←`, whose names are Names.
	MemberTarget struct {
		At
		X     Expr
		Name  string
		Items []Expr // the index of what is assigned, nil for all of it
		Names *StrandTarget
	}
	// StrandTarget is `(a b c)←`.
	StrandTarget struct {
		At
		Items []Target
	}
	// SelectTarget is a selective assignment `(2↑x)←`: the expression as written.
	SelectTarget struct {
		At
		X Expr
	}
)

func (*NameTarget) target()   {}
func (*MemberTarget) target() {}
func (*IndexTarget) target()  {}
func (*StrandTarget) target() {}
func (*SelectTarget) target() {}

// Functions.
type (
	// Prim is a primitive function, by its canonical glyph (look-alikes are
	// mapped): + ⍴ / (as replicate) … System functions (⎕NGET) too.
	Prim struct {
		At
		Glyph string
	}
	// FuncName is a use of a name of function class; ∇ (self), ⍺⍺ and ⍵⍵ as functions too.
	FuncName struct {
		At
		Ident string
	}
	// Dfn is `{…}` without ⍺⍺ or ⍵⍵.
	Dfn struct {
		At
		Body []Stmt
		Note *Annotation // the ⍝: comment behind {, or nil
		// Dyadic reports that the body mentions ⍺; Recursive that it mentions ∇.
		Dyadic, Recursive bool
		names             *Names // see FreeNames
		made              bool   // see NewDfn
	}
	// Derived is an operator applied to its operands: `+/`, `f⍤1`, `∘.×`, `+.×`.
	// Right is nil for monadic operators. `∘.f` has the operator "∘." with Left = f.
	Derived struct {
		At
		Op          Operator
		Left, Right Operand
	}
	// Fork is `f g h`; F may be an array (Operand). Atop is `f g`.
	Fork struct {
		At
		F    Operand
		G, H Func
	}
	Atop struct {
		At
		F, G Func
	}
	// Axis is `F[k]`, as in +/[1] (around the derived function) or ⌽[1].
	Axis struct {
		At
		F    Func
		Axis Expr
	}
	// FuncAssign is `name←F` inside an expression: the function F, which gets the
	// name. ⎕ and ⍞ display it.
	FuncAssign struct {
		At
		Name *Name
		F    Func
	}
	// ParenFunc keeps a parenthesised function expression.
	ParenFunc struct {
		At
		F Func
	}
)

func (*Prim) function()       {}
func (*FuncName) function()   {}
func (*Dfn) function()        {}
func (*Derived) function()    {}
func (*Fork) function()       {}
func (*Atop) function()       {}
func (*Axis) function()       {}
func (*FuncAssign) function() {}
func (*ParenFunc) function()  {}

// Operand is an operand of an operator: exactly one of the fields is set.
// Whether an undetermined operand such as ⍺⍺ is an array or a function is
// decided by how the operator uses it.
type Operand struct {
	Func  Func
	Array Expr
}

// Operators.
type (
	// PrimOp is a primitive operator by its canonical glyph: / ⌿ \ ⍀ ¨ ⍨ ⍣ . ∘ ⍤ ⍥ @ ⍠ ⌸ ⌺ & ⌶ and "∘." for outer product.
	PrimOp struct {
		At
		Glyph string
	}
	// OpName is a use of a name of operator class; ∇∇ too.
	OpName struct {
		At
		Ident string
	}
	// Dop is `{…}` that mentions ⍺⍺ (and ⍵⍵ when Dyadic operator).
	Dop struct {
		At
		Body           []Stmt
		Note           *Annotation
		DyadicOperator bool // mentions ⍵⍵
		// Dyadic reports that the body mentions ⍺; Recursive that it mentions ∇.
		Dyadic, Recursive bool
		// LeftIsArray and RightIsArray report that ⍺⍺ and ⍵⍵ are used as arrays.
		LeftIsArray, RightIsArray bool
		// reread parses the body for operands of other classes; see Reading.
		reread func(left, right Class) (*Dop, error)
		names  *Names // see FreeNames
	}
)

func (*PrimOp) operator() {}
func (*OpName) operator() {}
func (*Dop) operator()    {}
