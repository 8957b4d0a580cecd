package ir

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// Kind is a machine type. Of kind C64 there are only uses, loads, selections
// and applications of Math.
type Kind uint8

// The kinds. The zero value is "unset".
const (
	NoKind Kind = iota
	U8          // bool: one byte, 0 or 1
	I8
	I16
	I32
	I64
	F64
	C32 // char: a code point, unsigned
	C64 // a complex number: two doubles
	C8  // a code point below 256, as it is stored
)

// Exact reports whether k holds integers, of which ranges are known.
func (k Kind) Exact() bool { return k != F64 && k != C64 }

// Program is a loop program.
type Program struct {
	Source *diag.Source
	PP     int
	CT     float64 // ⎕CT where it is neither 0 nor the default; else 0
	Funcs  []*Func // callees before callers, unless recursive
	Main   *Func   // no parameters, no results
	Entry  *Func   // among Funcs: a function that is called from outside, or nil
	Consts []*Const
	Device *Device // of a program with launches, else nil
}

// Functions lists the functions, Main last.
func (p *Program) Functions() []*Func {
	all := p.Funcs
	if len(all) == 0 || all[len(all)-1] != p.Main {
		all = append(append([]*Func{}, all...), p.Main)
	}
	return all
}

// Const is a constant array, stored once, read-only.
type Const struct {
	Buf    *Buf
	Ints   []int64   // for the integer, bool and char kinds
	Floats []float64 // for F64; for C64 the real and the imaginary part of each
}

// Tolerance returns ⎕CT where it is not 0.
func (p *Program) Tolerance() float64 {
	if p.CT == 0 {
		return num.Tolerance
	}
	return p.CT
}

// Func is a function. Array parameters are borrowed, unless they are Owned: the
// callee neither frees nor writes them. Array results are fresh buffers that the caller owns.
type Func struct {
	Name      string
	Params    []Array // a scalar is an Array whose Buf is nil
	Results   []Array // Buf, Dims and Scalar are locals of Body, assigned before Return
	Body      []Stmt
	Recursive bool
	At        diag.Span // where it is defined; it may be nowhere
}

// Array is an array in storage, row-major from offset 0, or a scalar in a
// variable. As a parameter or a result, Dims are variables (*Use).
type Array struct {
	Elem   Kind
	Scalar *Var // for a scalar, else nil
	Buf    *Buf // for an array, else nil
	Dims   []Expr
	At     Expr // for an argument of a Call, or of a Runtime, that begins there in Buf, else nil
}

// Var is a mutable scalar local.
type Var struct {
	Name string // a readable stem; backends make it unique
	Kind Kind
	// ID tells in which order the lowering made variables; 0 where it did not.
	ID int
}

// Buf is a mutable local that refers to storage for elements of a kind.
type Buf struct {
	Name string
	Elem Kind
	// Const reports that the storage is a Const of the program.
	Const bool
	// Stack, when positive, is the fixed number of elements of a buffer that
	// lives in the stack frame; it is not freed.
	Stack int64
	// Owned reports that the buffer is a parameter that another one may hand over
	// to the callee.
	Owned bool
}

// Expr is a scalar expression.
type Expr interface {
	Kind() Kind
	expr()
}

type (
	// Int is an integer, bool or char constant; Float a double.
	Int struct {
		Val int64
		K   Kind
	}
	Float struct{ Val float64 }
	// Use is the value of a variable.
	Use struct{ Var *Var }
	// Load is Buf[Index].
	Load struct {
		Buf   *Buf
		Index Expr
	}
	// Unary and Binary are machine operations.
	Unary struct {
		Op UnOp
		X  Expr
	}
	Binary struct {
		Op   BinOp
		X, Y Expr // of one kind, the result's, but comparisons give U8
	}
	// Select is Cond ? Then : Else; both are evaluated.
	Select struct{ Cond, Then, Else Expr }
	// Convert changes the kind: integers wrap or extend, F64 to an integer
	// truncates and is in range.
	Convert struct {
		To Kind
		X  Expr
	}
	// Math applies a function of the run-time's math header by name, without
	// effects: exp, log, tl_floor …
	Math struct {
		Fn   string
		K    Kind
		Args []Expr
	}
)

// UnOp and BinOp are machine operations.
type (
	UnOp  uint8
	BinOp uint8
)

const (
	NoUnOp UnOp = iota
	OpNeg       // integers wrap
	OpNot       // of U8
	OpAbs
	OpSqrt
	OpBitNot
)

const (
	NoBinOp BinOp = iota
	OpAdd
	OpSub
	OpMul
	OpDiv // F64 only
	OpQuo // integers, truncating; the divisor is positive
	OpRem // integers, sign of the dividend; the divisor is positive
	OpMin
	OpMax
	OpAnd // bits
	OpOr
	OpXor
	OpShl
	OpShr // arithmetic
	OpLt
	OpLe
	OpGt
	OpGe
	OpEq
	OpNe
)

// Stmt is a statement.
type Stmt interface{ stmt() }

type (
	// Decl declares a variable; Init may be nil.
	Decl struct {
		Var  *Var
		Init Expr
	}
	Assign struct {
		Var *Var
		X   Expr
	}
	// Checked declares nothing: it assigns X op Y (OpAdd, OpSub, OpMul of I64) to
	// Var and ORs into Flag (U8) whether it overflowed.
	Checked struct {
		Var  *Var
		Op   BinOp
		X, Y Expr
		Flag *Var
	}
	// DeclBuf declares a buffer and allocates Count elements (or the buffer's
	// Stack elements, on the stack); nil Count leaves it null. Shape is for the message when memory
	// is short. Zero asks for zeroed storage.
	DeclBuf struct {
		Buf   *Buf
		Count Expr
		Shape []Expr
		Zero  bool
		At    diag.Span
	}
	// Free releases storage; a null buffer is fine.
	Free struct{ Buf *Buf }
	// Move makes Dst refer to Src's storage and Src null; what Dst referred
	// to before must have been freed or moved.
	Move struct{ Dst, Src *Buf }
	// Swap exchanges two buffers' storage.
	Swap struct{ A, B *Buf }
	// Alias declares Dst as another name of Src's storage, which does not own
	// it; Src is not mentioned while Dst is.
	Alias struct{ Dst, Src *Buf }
	// Copy copies Count elements, between buffers of one kind.
	Copy struct {
		Dst      *Buf
		DstIndex Expr
		Src      *Buf
		SrcIndex Expr
		Count    Expr
	}
	// Store is Buf[Index] = X.
	Store struct {
		Buf      *Buf
		Index, X Expr
	}
	// For runs Body with Var = Lo … Hi-1, in order. Var is declared by it.
	// Where it is Independent, no iteration reads or writes what another one
	// writes. Where it goes over the Terms of inner products, its body is a loop over
	// a row of these, whose one store changes an element, which is all that it reads of
	// that array and whose index nothing else has; a loop before stores what they begin with.
	For struct {
		Var         *Var
		Lo, Hi      Expr
		Body        []Stmt
		Independent bool
		Terms       bool
		At          diag.Span // of what the loop is for, where that is known
	}
	// Nest is a parallel nest. For each point of Dims (independent of each
	// other): Pre; then, if Red is not empty, for each point of Red in order:
	// Body; then Post. Without Red: Body. In a segred, Accs are the variables,
	// declared in Pre, that Body accumulates into, associatively; in a segscan
	// Body also stores the running values. In a segmap nothing is carried.
	Nest struct {
		Kind NestKind
		Dims []Dim
		Pre  []Stmt
		Red  []Dim
		Accs []Acc
		Body []Stmt
		Post []Stmt
		// Flags are U8 variables declared outside, that Body ORs into.
		Flags []*Var
		// Each is about how many iterations of loops inside a point stands for,
		// 0 where that is for the loops to tell.
		Each int64
		// Tally says that Body adds truth values, computed from bytes, to
		// accumulators of a segred, each in one assignment v = v + x, that Red is
		// one axis of at most TallyBlock places, and that Body does nothing else.
		Tally bool
		// Lookup, when positive, says that Body is one store y[j] = t[i64(x[j])] of bytes
		// over one axis from 0 on, and how many elements the table t has.
		Lookup int64
		// Even says that the points take about as long as each other, where that
		// cannot be seen from the loops inside.
		Even bool
		// Split, when positive, is the number of a map that this nest is a piece of: pieces of
		// one map store different elements.
		Split int64
		At    diag.Span
	}
	// Loop runs Body until a BreakIf in it (not in a nested loop) breaks.
	Loop    struct{ Body []Stmt }
	BreakIf struct{ Cond Expr }
	If      struct {
		Cond       Expr
		Then, Else []Stmt
	}
	// Fail stops the program with a fault.
	Fail struct {
		Fault tail.Fault
		Args  []FailArg
		At    diag.Span
		Blame tail.Blame
	}
	// Call calls a function of the program and declares Results.
	Call struct {
		Fn      *Func
		Args    []Array // a scalar argument is in Scalar
		Results []Array
		At      diag.Span
	}
	// Runtime calls a function of the run-time by name; it declares Results,
	// whose extents it sets. Which names there are is in runtime.go.
	Runtime struct {
		Fn      string
		Args    []RuntimeArg
		Results []Array
		PP      int // the print precision, where it is not the program's
		At      diag.Span
		Code    diag.Code // of stop: the code of the error, 0 for that of ⎕SIGNAL
	}
	// Comment says which source line the following statements compute.
	Comment struct {
		Text string
		At   diag.Span
	}
	// Filter stores, for Var = Lo … Hi-1 in order, X at Dst[Count] and adds 1 to
	// Count where Mask is 1. MaskPre and XPre declare variables for Mask and X;
	// masks may be computed for more than one index before the first X, and X where
	// the mask is 0. Count does not exceed Room, and Dst[Count] may be written to
	// while it is less.
	Filter struct {
		Var           *Var
		Lo, Hi        Expr
		MaskPre, XPre []Stmt
		Mask, X       Expr
		Dst           *Buf
		Count         *Var
		Room          Expr
	}
	// Micro updates a tile of an inner product in registers: for k in 0 …
	// Count-1, r in 0 … MicroRows-1, j in 0 … w-1, in this order of k,
	//
	//	C[CAt+(r×Stride)+j] = Step
	//
	// where Acc is that element, X is A[AAt+(k×MicroRows)+r], and Y is
	// B[BAt+(k×w)+j]; w is the width of a panel for the kind that all have,
	// the run-time's tl_panel. Decls declare variables for Step. Where Fresh is 1
	// the elements of C begin with the constant Zero, and are not read; both may
	// be nil.
	Micro struct {
		C, A, B                      *Buf
		CAt, Stride, AAt, BAt, Count Expr
		Acc, X, Y                    *Var
		Decls                        []*Decl
		Step                         Expr
		Fresh, Zero                  Expr
	}
	// Return leaves the function; its results have been assigned.
	Return struct{}
)

// MicroRows is how many rows of the result a Micro updates.
const MicroRows = 6

// Sums of truth values over blocks of TallyBlock iterations fit in as many
// bytes side by side as TallyLanes: each byte takes 255 of them.
const (
	TallyLanes = 32
	TallyBlock = 255 * TallyLanes
)

// NestKind is the kind of a parallel nest.
type NestKind uint8

const (
	NoNest NestKind = iota
	SegMap
	SegRed
	SegScan
	Scatter
)

// Dim is one dimension of an iteration space: Var = Lo … Hi-1.
type Dim struct {
	Var    *Var
	Lo, Hi Expr
}

// Acc is an accumulator of a segred or segscan: Combine, an expression over
// Left and Right, joins two partial results; Neutral is its neutral element,
// nil when there is none. Exact reports that the order does not matter.
type Acc struct {
	Var         *Var
	Left, Right *Var
	Combine     Expr
	Neutral     Expr
	Exact       bool
}

// FailArg is an operand of a fault's template: a shape, or a number.
type FailArg struct {
	IsShape bool
	Shape   []Expr
	X       Expr
	Text    string
}

// RuntimeArg is an argument of a run-time function: an array, a scalar or a
// constant text.
type RuntimeArg struct {
	Array *Array
	X     Expr
	Text  string
}

func (*Int) expr()     {}
func (*Float) expr()   {}
func (*Use) expr()     {}
func (*Load) expr()    {}
func (*Unary) expr()   {}
func (*Binary) expr()  {}
func (*Select) expr()  {}
func (*Convert) expr() {}
func (*Math) expr()    {}

func (e *Int) Kind() Kind   { return e.K }
func (e *Float) Kind() Kind { return F64 }
func (e *Use) Kind() Kind   { return e.Var.Kind }
func (e *Load) Kind() Kind  { return e.Buf.Elem }
func (e *Unary) Kind() Kind { return e.X.Kind() }
func (e *Binary) Kind() Kind {
	if e.Op >= OpLt {
		return U8
	}
	return e.X.Kind()
}
func (e *Select) Kind() Kind  { return e.Then.Kind() }
func (e *Convert) Kind() Kind { return e.To }
func (e *Math) Kind() Kind    { return e.K }

func (*Decl) stmt()    {}
func (*Assign) stmt()  {}
func (*Checked) stmt() {}
func (*DeclBuf) stmt() {}
func (*Free) stmt()    {}
func (*Move) stmt()    {}
func (*Swap) stmt()    {}
func (*Alias) stmt()   {}
func (*Copy) stmt()    {}
func (*Store) stmt()   {}
func (*For) stmt()     {}
func (*Nest) stmt()    {}
func (*Loop) stmt()    {}
func (*BreakIf) stmt() {}
func (*If) stmt()      {}
func (*Fail) stmt()    {}
func (*Call) stmt()    {}
func (*Runtime) stmt() {}
func (*Comment) stmt() {}
func (*Filter) stmt()  {}
func (*Micro) stmt()   {}
func (*Return) stmt()  {}
