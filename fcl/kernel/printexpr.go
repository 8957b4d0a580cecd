package kernel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/fcl/types"
)

// element returns the text of an element of an array.
func element(a *Array, index Expr) string {
	if a.Space == Scratch {
		return fmt.Sprintf("%s[%s * get_global_size(0) + get_global_id(0)]", a.Name, operand(index, 8))
	}
	return fmt.Sprintf("%s[%s]", a.Name, Text1(index))
}

// strengths of C's operators, from weak to strong.
var strengths = map[string]int{
	"||": 1, "&&": 2, "bitOr": 3, "bitXor": 4, "bitAnd": 5, "==": 5, "!=": 5,
	"<": 6, "<=": 6, ">": 6, ">=": 6, "+": 7, "-": 7, "*": 8, "/": 8, "%": 8,
}

var symbols = map[string]string{"bitOr": "|", "bitXor": "^", "bitAnd": "&"}

// Text1 returns the C text of an expression.
func Text1(e Expr) string {
	text, _ := printed(e)
	return text
}

// operand returns an expression in parentheses, where it binds weaker than that.
func operand(e Expr, least int) string {
	text, strength := printed(e)
	if strength < least {
		return "(" + text + ")"
	}
	return text
}

const strongest = 10

func printed(e Expr) (string, int) {
	switch e := e.(type) {
	case *Const:
		return literal(e), strongest
	case *Var:
		return e.Name, strongest
	case *Load:
		text := element(e.Array, e.Index)
		if e.Array.Elem == types.Bool {
			return text + " != 0", 5
		}
		return text, strongest
	case *Cond:
		return operand(e.C, 1) + " ? " + operand(e.A, 1) + " : " + operand(e.B, 0), 0
	case *Op:
		return e.print()
	}
	panic(fmt.Sprintf("kernel: expression %T", e))
}

func literal(c *Const) string {
	v := c.Value
	switch {
	case v.Type == types.Bool:
		return strconv.FormatBool(v.I != 0)
	case v.Type.IsFloat():
		return float(v.F, v.Type)
	case v.Type == types.I64 && v.I == math.MinInt64:
		return "LONG_MIN"
	case v.I < 0:
		return fmt.Sprintf("(%d)", v.I)
	case v.I > math.MaxInt32:
		return fmt.Sprintf("%dL", v.I)
	}
	return strconv.FormatInt(v.I, 10)
}

func float(f float64, t types.Scalar) string {
	suffix, bits := "", 64
	if t == types.F32 {
		suffix, bits = "f", 32
	}
	switch {
	case math.IsNaN(f):
		return "(" + CType(t) + ")NAN"
	case math.IsInf(f, 0):
		return fmt.Sprintf("(%s)(%cINFINITY)", CType(t), map[bool]rune{true: '-', false: '+'}[f < 0])
	}
	text := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if f < 0 || math.Signbit(f) {
		return "(" + text + suffix + ")"
	}
	return text + suffix
}

// print returns the text of an operator, and how strong it binds.
func (e *Op) print() (string, int) {
	if t := types.ScalarNamed(e.Name); t != types.NoScalar {
		return e.convert(t)
	}
	switch e.Name {
	case "check", "size", "fit", "same":
		return e.call("fcl_"+e.Name, true), strongest
	case "/", "%":
		if e.Site > 0 {
			return e.call("fcl_"+map[string]string{"/": "div", "%": "mod"}[e.Name]+"_"+CType(e.Of), true), strongest
		}
	case "not":
		return "!" + operand(e.Args[0], 9), 9
	case "neg":
		return e.negative()
	case "abs":
		if e.Of.IsFloat() {
			return e.call("fabs", false), strongest
		}
		return "(" + CType(e.Of) + ")" + e.call("abs", false), 9
	case "min", "max":
		if e.Of.IsFloat() {
			return e.call("fcl_"+e.Name+"_"+CType(e.Of), false), strongest
		}
		of := CType(e.Of)
		if e.ofInts() {
			of = "int"
		}
		return fmt.Sprintf("%s((%s)%s, (%s)%s)", e.Name, of, operand(e.Args[0], 9), of, operand(e.Args[1], 9)), strongest
	case "<<", ">>":
		return e.shift()
	case "bits":
		return e.call("as_long", false), strongest
	case "sqrt", "exp", "log", "sin", "cos", "pow", "floor":
		return e.call(e.Name, false), strongest
	}
	return e.infix()
}

// call returns a call of a function; one that notes faults gets the place.
func (e *Op) call(name string, notes bool) string {
	var args []string
	for _, a := range e.Args {
		args = append(args, operand(a, 0))
	}
	if notes {
		args = append(args, "fault", strconv.Itoa(e.Site))
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func (e *Op) convert(t types.Scalar) (string, int) {
	from := e.Args[0].Type()
	switch {
	case t == types.Bool:
		return operand(e.Args[0], 6) + " != 0", 5
	case from.IsFloat() && !t.IsFloat():
		return e.call("convert_"+CType(t)+"_sat", false), strongest
	case t == types.I32 && from == types.Int:
		if sum, ok := e.Args[0].(*Op); ok && sum.Name == "+" {
			return "(int)(" + lowSum(sum) + ")", 9
		}
	}
	return "(" + CType(t) + ")" + operand(e.Args[0], 9), 9
}

// lowSum returns the low half of a sum as that of the low halves of its terms: where they are numbers of a
// loop's iterations, compilers count with ints in vectors.
func lowSum(e Expr) string {
	if sum, ok := e.(*Op); ok && sum.Name == "+" && sum.Site == 0 {
		return lowSum(sum.Args[0]) + " + " + lowSum(sum.Args[1])
	}
	return "(uint)" + operand(e, 9)
}

func (e *Op) negative() (string, int) {
	if e.Of.IsFloat() {
		return "-" + operand(e.Args[0], 10), 9
	}
	return fmt.Sprintf("(%s)(0 - (%s)%s)", CType(e.Of), unsigned(e.Of), operand(e.Args[0], 9)), 9
}

func (e *Op) shift() (string, int) {
	count := fmt.Sprintf("(%s & %d)", operand(e.Args[1], 7), e.Of.Bits()-1)
	if c, ok := e.Args[1].(*Const); ok {
		count = strconv.FormatUint(uint64(c.Value.I)&uint64(e.Of.Bits()-1), 10)
	}
	if e.Name == ">>" {
		return operand(e.Args[0], 8) + " >> " + count, 6
	}
	return fmt.Sprintf("(%s)((%s)%s << %s)", CType(e.Of), unsigned(e.Of), operand(e.Args[0], 9), count), 9
}

// infix returns an operator between its operands. Whole numbers that are no sizes or
// indices may wrap, and are computed without sign, as C asks for.
func (e *Op) infix() (string, int) {
	strength := strengths[e.Name]
	symbol := e.Name
	if s := symbols[e.Name]; s != "" {
		symbol = s
	}
	left, right := operand(e.Args[0], strength), operand(e.Args[1], strength+1)
	if strength <= 5 {
		left, right = operand(e.Args[0], 7), operand(e.Args[1], 7)
		if e.Name == "&&" || e.Name == "||" {
			left, right = operand(e.Args[0], strength), operand(e.Args[1], strength+1)
		}
	}
	wraps := e.Name == "+" || e.Name == "-" || e.Name == "*"
	if !wraps || !e.Of.IsInt() || isIndex(e) {
		if e.Of == types.Int && e.ofInts() && e.widens() {
			left = "(long)" + operand(e.Args[0], 9)
		}
		text := left + " " + symbol + " " + right
		if e.Of.IsInt() && e.Of < types.I32 {
			return fmt.Sprintf("(%s)(%s)", CType(e.Of), text), 9
		}
		return text, strength
	}
	wide := unsigned(e.Of)
	if e.Of < types.I32 {
		wide = "uint"
	}
	return fmt.Sprintf("(%s)((%s)%s %s %s)", CType(e.Of), wide, operand(e.Args[0], 9), symbol, right), 9
}
