// Package tail is the typed array intermediate language of thesis 001,
// chapter 3, with what full APL adds.
//
// # Semantics
//
// Evaluation is strict. The bound expression of a let is evaluated before its
// body; the arguments of an application and the elements of a vector or tuple
// are evaluated from right to left, as APL does, so the rightmost fault is the
// one that is reported. An expression that can fault, or that has an effect
// (op rows marked Impure), must not be dropped, duplicated or moved over
// another such expression; all others may.
//
// Indices and axes are counted from 0 inside TAIL (Apply.Axis); index values
// that programs compute with (iota, index, gradeup …) are in origin 1, unless
// the op's row says otherwise: infer subtracts and adds where ⎕IO is 0.
// Integers are 64 bits; an operation that overflows faults unless
// Program.Wrap. Doubles are IEEE 754; an operation whose result is infinite, or
// no number, faults. Arrays are values:
// update returns a new array (backends write in place where the old one is
// dead).
//
// Reductions and scans take elements in APL's order: reduce(f,n,x) of x1…xk is
// x1 f (x2 f (… xk)); the neutral element n is the result of an empty axis
// only. Sums and products of doubles that are primitive are another matter, see
// Apply.AsDefined.
package tail

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
)

// Program is a whole program after specialisation.
type Program struct {
	Source *diag.Source
	Funcs  []*Func // in call order: a function stands before its callers, unless recursive
	Main   Expr    // of type Unit
	Wrap   bool    // integer arithmetic wraps instead of faulting
	PP     int     // ⎕PP, the print precision; 0 is the default, 10
	Exact  bool    // ⎕CT is 0: ops that compare elements (match, member …) do so exactly
	// Sticky says that doubles that overflow are not seen at once: ops that can do
	// no more than overflow are moved, dropped and computed too often like others,
	// and what runs the program finds out afterwards, and runs one without it.
	Sticky bool
	CT     float64 // ⎕CT where it is neither 0 nor the default, 1E¯14; else 0
	// Entry is a function that is called from outside the program, by Prepared or as
	// C, or nil. It is among Funcs, nothing in the program calls it, and its
	// parameters stay as they are.
	Entry *Func
}

// Tolerance returns the comparison tolerance of the tolerant ops. Ops that
// compare elements have none where the program is Exact.
func (p *Program) Tolerance() float64 {
	if p.CT == 0 {
		return num.Tolerance
	}
	return p.CT
}

// Func is a dfn specialised for one tuple of argument types. Captured
// variables are parameters like any other; operands are substituted.
type Func struct {
	Name   string // unique in the program: the user's name and a number
	Params []*Var
	Result Type
	Body   Expr
	Where  diag.Span
	// Recursive reports that the function can call itself, perhaps through others.
	Recursive bool
}

// Var is a variable. Variables are compared by identity and are bound once.
type Var struct {
	Name string // for people; the text form adds a number where names clash
	Type Type
	// Size is where the value got its size, and Bound the user's assignment, for
	// messages; either may be nil.
	Size  *Origin
	Bound *Bound
}

// Expr is a TAIL expression.
type Expr interface {
	Type() Type
	Span() diag.Span
	expr()
}

// At is the source span that expressions carry for faults and messages.
type At struct{ Where diag.Span }

func (a At) Span() diag.Span { return a.Where }

type (
	// Lit is a constant array.
	Lit struct {
		At
		Value *array.Array
		Ty    *Array
	}
	// Ref is a use of a variable.
	Ref struct {
		At
		Var *Var
	}
	// Vec is the vector of scalars [e1,…,en]; all of one element type.
	Vec struct {
		At
		Elems []Expr
		Ty    *Array
	}
	// Let binds a variable. A variable that nothing mentions stands for
	// evaluation for effect, or for a fault.
	Let struct {
		At
		Var  *Var
		Bind Expr
		Body Expr
	}
	// Apply applies an op. Function arguments are *Lam. Axis is for the ops
	// whose row says so; Ks for those that say so.
	Apply struct {
		At
		Op   Op
		Args []Expr
		Axis int
		Ks   []int
		Ty   Type
		// Blame is what messages about a fault mention; Size is where the result
		// got its size.
		Blame
		Size *Origin
	}
	// Lam is a function; it occurs only as an argument of an Apply. It may
	// mention variables bound outside.
	Lam struct {
		At
		Params []*Var
		Body   Expr
	}
	// Call calls a function of the program.
	Call struct {
		At
		Fn   *Func
		Args []Expr
		Ty   Type
		Size *Origin // where the result got its size
	}
	// If evaluates Then or Else; Cond is a scalar of type bool.
	If struct {
		At
		Cond, Then, Else Expr
		Ty               Type
	}
	// Tuple makes a tuple; the empty one is the value of a program.
	Tuple struct {
		At
		Elems []Expr
		Shape []int // see TupleType
		Proto Type  // see TupleType
		Item  *Array
	}
	// Proj selects component I of a tuple, counted from 0.
	Proj struct {
		At
		X Expr
		I int
	}
)

func (*Lit) expr()   {}
func (*Ref) expr()   {}
func (*Vec) expr()   {}
func (*Let) expr()   {}
func (*Apply) expr() {}
func (*Lam) expr()   {}
func (*Call) expr()  {}
func (*If) expr()    {}
func (*Tuple) expr() {}
func (*Proj) expr()  {}

func (e *Lit) Type() Type   { return e.Ty }
func (e *Ref) Type() Type   { return e.Var.Type }
func (e *Vec) Type() Type   { return e.Ty }
func (e *Let) Type() Type   { return e.Body.Type() }
func (e *Apply) Type() Type { return e.Ty }
func (e *Call) Type() Type  { return e.Ty }
func (e *If) Type() Type    { return e.Ty }

// Precision returns the print precision that an application of print, printbare
// or format has of its own, 0 where it is that of the program.
func (e *Apply) Precision() int {
	switch e.Op {
	case OpPrint, OpPrintBare, OpFormat, OpPicture:
		if len(e.Ks) == 1 {
			return e.Ks[0]
		}
	}
	return 0
}

func (e *Lam) Type() Type {
	t := &FuncType{Result: e.Body.Type()}
	for _, p := range e.Params {
		t.Params = append(t.Params, p.Type)
	}
	return t
}

func (e *Tuple) Type() Type {
	t := &TupleType{Shape: e.Shape, Proto: e.Proto, Item: e.Item}
	for _, x := range e.Elems {
		t.Elems = append(t.Elems, x.Type())
	}
	return t
}

func (e *Proj) Type() Type { return e.X.Type().(*TupleType).Elems[e.I] }

// TypeOf returns the array type of e, which must have one.
func TypeOf(e Expr) *Array { return e.Type().(*Array) }

// ConstInt returns the value of a scalar, if the type knows it.
func ConstInt(e Expr) (int64, bool) {
	ty, ok := e.Type().(*Array)
	if !ok || !IsRank(ty, 0) {
		return 0, false
	}
	return ty.Value(0).IsConst()
}
