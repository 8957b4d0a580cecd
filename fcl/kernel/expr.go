package kernel

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
)

// Expr is a scalar expression: *Const, *Var, *Op, *Cond or *Load.
type Expr interface {
	Type() types.Scalar
	// key is a text that equal expressions share.
	key() string
}

type (
	// Const is a constant.
	Const struct{ Value scalar.Scalar }
	// Var is a variable. Def is its value where it is known and does not change; Lo and Hi
	// are bounds of an int.
	Var struct {
		Name    string
		ID      int
		Of      types.Scalar
		Def     Expr
		Lo, Hi  Expr
		Host    bool // the host computes it
		Foreign bool // another compiler declares it
		Mutable bool
		small   int8 // 1 where it is an int of C, -1 where not
	}
	// Op applies an operator of FCL, or one of the checks. Site numbers the place of a
	// check, for faults.
	Op struct {
		Name string
		Of   types.Scalar
		Args []Expr
		Site int
		text string
		sign int8 // 1 where it was proved that it is not negative, -1 where not
	}
	// Cond is C ? A : B.
	Cond struct {
		C, A, B Expr
		text    string
	}
	// Load reads an element.
	Load struct {
		Array *Array
		Index Expr
	}
)

func (e *Const) Type() types.Scalar { return e.Value.Type }
func (e *Var) Type() types.Scalar   { return e.Of }
func (e *Op) Type() types.Scalar    { return e.Of }
func (e *Cond) Type() types.Scalar  { return e.A.Type() }
func (e *Load) Type() types.Scalar  { return e.Array.Elem }

func (e *Const) key() string { return e.Value.String() + ":" + e.Value.Type.String() }
func (e *Var) key() string   { return e.Name }
func (e *Load) key() string  { return e.Array.Name + "[" + e.Index.key() + "]" }

func (e *Op) key() string {
	if e.text == "" {
		parts := make([]string, len(e.Args))
		for i, a := range e.Args {
			parts[i] = a.key()
		}
		e.text = e.Name + ":" + e.Of.String() + "(" + strings.Join(parts, ",") + ")"
	}
	return e.text
}

func (e *Cond) key() string {
	if e.text == "" {
		e.text = "(" + e.C.key() + "?" + e.A.key() + ":" + e.B.key() + ")"
	}
	return e.text
}

// Same reports whether two expressions are equal by their form.
func Same(a, b Expr) bool { return a == b || a.key() == b.key() }

// Space is a memory.
type Space uint8

// The memories. The zero value is unset.
const (
	NoSpace Space = iota
	Private
	Local
	SubLocal // of local memory, a piece for each sub-group
	Scratch  // of global memory, a piece for each work-item
	Global
)

// Array is an array of scalars. Len is its length; for Local, SubLocal and Scratch arrays it is
// what the host can compute. Object is what may overlap with other arrays of the same.
type Array struct {
	Name   string
	Elem   types.Scalar
	Space  Space
	Len    Expr
	Room   int // the site of the fault where there is no memory for it, or 0
	Object *Object
	After  *Array // the other one of a pair, which comes first in memory
	// Swapped reports whether a Swap names the array.
	Swapped bool
}

// Object is a piece of memory that arrays use, one after the other or in turn.
type Object struct{ Name string }

// Int returns a constant.
func Int(i int64) *Const { return &Const{scalar.Int(i)} }

// value returns the int that an expression is.
func value(e Expr) (int64, bool) {
	c, ok := e.(*Const)
	if !ok || c.Value.Type != types.Int {
		return 0, false
	}
	return c.Value.I, true
}

// IsConst reports whether an expression is the given int.
func IsConst(e Expr, i int64) bool {
	v, ok := value(e)
	return ok && v == i
}

// Apply returns an operator of scalars applied to its operands, simplified.
func Apply(name string, args ...Expr) Expr {
	t := resultType(name, args[0].Type())
	if folded := fold(name, args); folded != nil {
		return folded
	}
	if t.IsInt() || t == types.Bool {
		if e := simplify(name, t, args); e != nil {
			return e
		}
	}
	if to := types.ScalarNamed(name); to != types.NoScalar && to == args[0].Type() {
		return args[0]
	}
	return &Op{Name: name, Of: t, Args: args}
}

// resultType returns the type of what an operator gives.
func resultType(name string, operand types.Scalar) types.Scalar {
	switch name {
	case "<", "<=", ">", ">=", "==", "!=", "&&", "||", "not":
		return types.Bool
	}
	if t := types.ScalarNamed(name); t != types.NoScalar {
		return t
	}
	return operand
}

// fold computes an operator of constants, nil where an operand is none.
func fold(name string, args []Expr) Expr {
	values := make([]scalar.Scalar, len(args))
	for i, a := range args {
		c, ok := a.(*Const)
		if !ok {
			return nil
		}
		values[i] = c.Value
	}
	switch name {
	case "exp", "log", "sin", "cos", "pow": // the device computes them
		return nil
	}
	v, err := scalar.Arithmetic(name, values...)
	if err != nil {
		return nil
	}
	return &Const{v}
}

// simplify applies laws of whole numbers and truth values; nil where none holds.
func simplify(name string, t types.Scalar, args []Expr) Expr {
	if len(args) != 2 {
		return nil
	}
	a, b := args[0], args[1]
	operand := a.Type()
	if operand.IsFloat() {
		return nil
	}
	zero, one := constant(t, 0), constant(t, 1)
	switch name {
	case "+":
		if Same(a, zero) {
			return b
		}
		if Same(b, zero) {
			return a
		}
	case "-":
		if Same(b, zero) {
			return a
		}
		if Same(a, b) {
			return zero
		}
	case "*":
		if Same(a, one) {
			return b
		}
		if Same(b, one) {
			return a
		}
		if Same(a, zero) || Same(b, zero) {
			return zero
		}
	case "/":
		if Same(b, one) {
			return a
		}
	case "min", "max", "bitAnd", "bitOr":
		if Same(a, b) {
			return a
		}
	case "&&", "||":
		return logic(name, a, b)
	case "==", "<=", ">=":
		if Same(a, b) {
			return Truth(true)
		}
	case "!=", "<", ">":
		if Same(a, b) {
			return Truth(false)
		}
	}
	if operand == types.Int {
		return byRange(name, a, b)
	}
	return nil
}

func constant(t types.Scalar, i int64) Expr { return &Const{scalar.Number(t, i, float64(i))} }

// Truth returns a truth value.
func Truth(b bool) Expr { return &Const{scalar.Bool(b)} }

func logic(name string, a, b Expr) Expr {
	neutral := Truth(name == "&&")
	switch {
	case Same(a, neutral):
		return b
	case Same(b, neutral):
		return a
	}
	if _, ok := a.(*Const); ok {
		return a
	}
	return nil
}

// byRange simplifies what the ranges of ints decide.
func byRange(name string, a, b Expr) Expr {
	switch name {
	case "+", "-", "*":
		return tidy(name, a, b)
	case "min", "max":
		if Least(a, b) {
			return pick(name == "min", a, b)
		}
		if Least(b, a) {
			return pick(name == "min", b, a)
		}
	case "==", "!=":
		if Less(a, b) || Less(b, a) {
			return Truth(name == "!=")
		}
	case "<":
		return decide(a, b)
	case ">":
		return decide(b, a)
	case "<=":
		return negated(decide(b, a))
	case ">=":
		return negated(decide(a, b))
	case "/", "%":
		return quotient(name, a, b)
	}
	return nil
}

func pick(first bool, a, b Expr) Expr {
	if first {
		return a
	}
	return b
}

// decide returns whether a < b where that is known.
func decide(a, b Expr) Expr {
	switch {
	case Less(a, b):
		return Truth(true)
	case Least(b, a):
		return Truth(false)
	}
	return nil
}

func negated(e Expr) Expr {
	if e == nil {
		return nil
	}
	return Apply("not", e)
}

// Choose returns a conditional expression.
func Choose(c, a, b Expr) Expr {
	if v, ok := c.(*Const); ok {
		return pick(v.Value.I != 0, a, b)
	}
	if Same(a, b) {
		return a
	}
	return &Cond{C: c, A: a, B: b}
}

// opposites are the comparisons that hold where others do not.
var opposites = map[string]string{"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}

// Opposite returns a condition that holds where another does not.
func Opposite(c Expr) Expr {
	if op, ok := c.(*Op); ok && len(op.Args) == 2 && opposites[op.Name] != "" && op.Args[0].Type().IsInt() {
		return Apply(opposites[op.Name], op.Args...)
	}
	return Apply("not", c)
}

// Check returns an index that is in an array of n elements, where the given conditions hold:
// where that is not proved it notes a fault, and is 0.
func Check(i, n Expr, site int, given ...Expr) Expr {
	if inside(i, n, given) {
		return i
	}
	return &Op{Name: "check", Of: types.Int, Args: []Expr{i, n}, Site: site}
}

// Size returns a length: where it is not known that it is not negative it is checked.
func Size(n Expr, site int) Expr {
	if Least(Int(0), n) {
		return n
	}
	return &Op{Name: "size", Of: types.Int, Args: []Expr{n}, Site: site}
}

// Fit returns a length that is at most that of the memory.
func Fit(n, most Expr, site int) Expr {
	if Least(n, most) {
		return n
	}
	return &Op{Name: "fit", Of: types.Int, Args: []Expr{n, most}, Site: site}
}

// Equal returns a length that must be another.
func Equal(n, want Expr, site int) Expr {
	if Least(n, want) && Least(want, n) {
		return want
	}
	return &Op{Name: "same", Of: types.Int, Args: []Expr{n, want}, Site: site}
}

// Divide returns / or % of whole numbers.
func Divide(name string, a, b Expr, site int) Expr {
	if c, ok := b.(*Const); ok && c.Value.I != 0 && c.Value.I != -1 {
		return Apply(name, a, b)
	}
	if b.Type() == types.Int && Less(Int(0), b) {
		return Apply(name, a, b)
	}
	return &Op{Name: name, Of: a.Type(), Args: []Expr{a, b}, Site: site}
}

// Children returns the operands of an expression.
func Children(e Expr) []Expr {
	switch e := e.(type) {
	case *Op:
		return e.Args
	case *Cond:
		return []Expr{e.C, e.A, e.B}
	case *Load:
		return []Expr{e.Index}
	case *Const, *Var:
		return nil
	}
	panic(fmt.Sprintf("kernel: expression %T", e))
}

// Atomic reports whether an expression is cheap enough to be written twice.
func Atomic(e Expr) bool {
	switch e.(type) {
	case *Const, *Var:
		return true
	}
	return false
}
