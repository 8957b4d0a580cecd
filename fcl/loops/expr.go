package loops

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/ir"
)

// How strong expressions bind, from weak to strong.
const (
	weakest = iota
	either
	both
	comparing
	shifting
	adding
	multiplying
	unary
	applying
	atom
)

// infix are the operators that FCL writes between their operands, with how strong they bind.
var infix = map[ir.BinOp]struct {
	text   string
	strong int
}{
	ir.OpAdd: {"+", adding}, ir.OpSub: {"-", adding}, ir.OpMul: {"*", multiplying}, ir.OpDiv: {"/", multiplying}, ir.OpQuo: {"/", multiplying},
	ir.OpRem: {"%", multiplying}, ir.OpShl: {"<<", shifting}, ir.OpShr: {">>", shifting}, ir.OpLt: {"<", comparing}, ir.OpLe: {"<=", comparing},
	ir.OpGt: {">", comparing}, ir.OpGe: {">=", comparing}, ir.OpEq: {"==", comparing}, ir.OpNe: {"!=", comparing},
}

// named are those that it writes before them, and truths those of truth values.
var (
	named  = map[ir.BinOp]string{ir.OpMin: "min", ir.OpMax: "max", ir.OpAnd: "bitAnd", ir.OpOr: "bitOr", ir.OpXor: "bitXor"}
	truths = map[ir.BinOp]string{ir.OpAnd: "&&", ir.OpMul: "&&", ir.OpMin: "&&", ir.OpOr: "||", ir.OpMax: "||", ir.OpAdd: "||", ir.OpXor: "!=", ir.OpSub: "!="}
)

// ScalarOf is the type of FCL of what has a kind: truth values are bool, characters i32.
func ScalarOf(k ir.Kind) types.Scalar {
	switch k {
	case ir.U8:
		return types.Bool
	case ir.I8:
		return types.I8
	case ir.I16:
		return types.I16
	case ir.I32, ir.C32, ir.C8:
		return types.I32
	case ir.I64:
		return types.Int
	case ir.F64:
		return types.Double
	}
	panic("internal error: a kind that is no scalar of FCL")
}

// TypeOf is the type of FCL of what has a kind: a complex number is a pair.
func TypeOf(k ir.Kind) types.Type {
	if k == ir.C64 {
		return &types.Tuple{Items: []types.Type{types.Double, types.Double}}
	}
	return ScalarOf(k)
}

// zero is the number that a variable of a kind has before anything is assigned.
func zero(k ir.Kind) string {
	switch k {
	case ir.U8:
		return "false"
	case ir.I64:
		return "0"
	case ir.F64:
		return "0.0"
	case ir.C64:
		return "(0.0, 0.0)"
	}
	return fmt.Sprintf("%s 0", ScalarOf(k))
}

// Joiner writes an operation on a kind as a function.
func Joiner(op ir.BinOp, k ir.Kind) string {
	if s := truths[op]; s != "" && k == ir.U8 {
		return "(" + s + ")"
	}
	if s := infix[op].text; s != "" {
		return "(" + s + ")"
	}
	return named[op]
}

// expr writes an expression.
func (w *writer) expr(x ir.Expr) string { return w.at(x, weakest) }

// exprs writes some.
func (w *writer) exprs(list []ir.Expr) []string {
	all := make([]string, len(list))
	for i, x := range list {
		all[i] = w.expr(x)
	}
	return all
}

// operand writes one as an argument.
func (w *writer) operand(x ir.Expr) string { return w.at(x, atom) }

// at writes an expression, in parentheses where it binds weaker than least.
func (w *writer) at(x ir.Expr, least int) string {
	if name := w.names[x]; name != "" {
		return name
	}
	text, strong := w.parts(x)
	if strong < least && !enclosed(text) {
		return group(text)
	}
	return text
}

// parts writes an expression, and says how strong it binds.
func (w *writer) parts(x ir.Expr) (text string, strong int) {
	switch x := x.(type) {
	case *ir.Int:
		return integer(x.Val, x.K, true)
	case *ir.Float:
		return float(x.Val)
	case *ir.Use:
		return w.v(x.Var), atom
	case *ir.Load:
		return "index " + w.buf(x.Buf) + " " + w.operand(x.Index), applying
	case *ir.Unary:
		return w.unary(x)
	case *ir.Binary:
		return w.binary(x)
	case *ir.Select:
		return conditional(w.expr(x.Cond), w.expr(x.Then), w.expr(x.Else)), weakest
	case *ir.Convert:
		if ScalarOf(x.To) == ScalarOf(x.X.Kind()) {
			return w.parts(x.X)
		}
		return ScalarOf(x.To).String() + " " + w.operand(x.X), applying
	case *ir.Math:
		return w.math(x)
	}
	panic(fmt.Sprintf("internal error: expression %T", x))
}

// integer writes a whole number; one that is no int has its type before it, where typed asks for that.
func integer(v int64, k ir.Kind, typed bool) (string, int) {
	if k == ir.U8 {
		return fmt.Sprint(v != 0), atom
	}
	text, strong := fmt.Sprint(v), atom
	switch {
	case v == math.MinInt64:
		text, strong = "-9223372036854775807 - 1", adding
	case v < 0:
		strong = unary
	}
	if !typed || k == ir.I64 {
		return text, strong
	}
	return ScalarOf(k).String() + " " + operand(parenthesised(text, strong, atom)), applying
}

// parenthesised writes a text in parentheses where it binds weaker than least.
func parenthesised(text string, strong, least int) string {
	if strong < least {
		return "(" + text + ")"
	}
	return text
}

func float(v float64) (string, int) {
	switch {
	case math.IsNaN(v):
		return "0.0 / 0.0", multiplying
	case math.IsInf(v, 0):
		return map[bool]string{true: "1.0 / 0.0", false: "-1.0 / 0.0"}[v > 0], multiplying
	}
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if math.Signbit(v) {
		return text, unary
	}
	return text, atom
}

func (w *writer) unary(x *ir.Unary) (string, int) {
	switch x.Op {
	case ir.OpNeg:
		return "-" + w.at(x.X, applying), unary
	case ir.OpNot:
		return "!" + w.at(x.X, applying), unary
	case ir.OpBitNot:
		return "-1 - " + w.at(x.X, multiplying), adding
	}
	return map[ir.UnOp]string{ir.OpAbs: "abs", ir.OpSqrt: "sqrt"}[x.Op] + " " + w.operand(x.X), applying
}

func (w *writer) binary(x *ir.Binary) (string, int) {
	k := x.X.Kind()
	if op := truths[x.Op]; op != "" && k == ir.U8 {
		strong := map[string]int{"&&": both, "||": either, "!=": comparing}[op]
		least := strong
		if strong == comparing {
			least++
		}
		return between(w.at(x.X, least), op, w.at(x.Y, strong+1)), strong
	}
	op := infix[x.Op]
	if k == ir.U8 && x.Op != ir.OpEq && x.Op != ir.OpNe {
		return between("int "+w.operand(x.X), op.text, "int "+w.operand(x.Y)), op.strong
	}
	if op.text == "" {
		left, right := w.sides(x, atom, atom)
		return named[x.Op] + " " + left + " " + right, applying
	}
	least := op.strong
	if op.strong == comparing {
		least++
	}
	left, right := w.sides(x, least, op.strong+1)
	return between(left, op.text, right), op.strong
}

// between writes an operator between its operands.
func between(left, op, right string) string {
	if line := left + " " + op + " " + right; short(line) {
		return line
	}
	return left + "\n" + op + " " + right
}

// sides writes two operands; a number beside something else has the type of that.
func (w *writer) sides(x *ir.Binary, first, second int) (left, right string) {
	a, constA := x.X.(*ir.Int)
	b, constB := x.Y.(*ir.Int)
	left, right = w.at(x.X, first), w.at(x.Y, second)
	if constA && !constB {
		left = weak(a, first)
	}
	if constB && !constA {
		right = weak(b, second)
	}
	return left, right
}

func weak(x *ir.Int, least int) string {
	text, strong := integer(x.Val, x.K, false)
	return parenthesised(text, strong, least)
}
