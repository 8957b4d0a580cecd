package clgen

import (
	"fmt"
	"math"
	"strings"

	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/laila/ir"
)

// FCLText returns the kernels that are functions of FCL's library as FCL, with these functions.
func (p *Plan) FCLText() string {
	text := ""
	var used []string
	for _, k := range p.list {
		if k.fcl != nil {
			used = append(used, k.fcl.name)
			text += k.fclText() + "\n"
		}
	}
	if len(used) == 0 {
		return "-- no kernel of this program is a function of FCL's library\n"
	}
	return text + "-- The functions of the library.\n\n" + lib.Excerpt(used)
}

// fclText writes a kernel as a function of what it reads.
func (k *kernel) fclText() string {
	var b strings.Builder
	if k.at.Valid() {
		line, _ := k.at.Src.Position(k.at.Start)
		fmt.Fprintf(&b, "-- line %d: %s\n", line, strings.TrimSpace(k.at.Src.Line(line)))
	}
	for _, s := range k.library.Steps {
		fmt.Fprintf(&b, "-- kernel %s\n", s.Name)
	}
	var params []string
	for _, buf := range k.bufs {
		if k.read[buf] {
			params = append(params, buf.Name)
		}
	}
	for _, v := range k.vars {
		params = append(params, v.Name)
	}
	for i := range k.axes() {
		params = append(params, fmt.Sprintf("n%d", i))
	}
	fmt.Fprintf(&b, "fun %s %s =\n  %s %s\n", k.name, strings.Join(params, " "), k.fcl.name, strings.Join(k.fcl.args, "\n    "))
	if k.fcl.then != "" {
		b.WriteString("-- and then, of each element:\n--   " + strings.ReplaceAll(strings.TrimSpace(k.fcl.then), "\n", "\n--   ") + "\n")
	}
	return b.String()
}

// fclUse is a kernel as a use of a function of FCL's library: its arguments as text, and
// what the loops do with what it gives.
type fclUse struct {
	name string
	args []string
	then string
}

// fclInfix are the operators that FCL writes between their operands; fclNamed before them.
var (
	fclInfix = map[ir.BinOp]string{ir.OpAdd: "+", ir.OpSub: "-", ir.OpMul: "*", ir.OpDiv: "/", ir.OpQuo: "/", ir.OpRem: "%",
		ir.OpLt: "<", ir.OpLe: "<=", ir.OpGt: ">", ir.OpGe: ">=", ir.OpEq: "==", ir.OpNe: "!="}
	fclNamed = map[ir.BinOp]string{ir.OpMin: "min", ir.OpMax: "max", ir.OpAnd: "bitAnd", ir.OpOr: "bitOr", ir.OpXor: "bitXor"}
)

// fclJoiner writes an operation as a function.
func fclJoiner(op ir.BinOp) string {
	if s := fclInfix[op]; s != "" {
		return "(" + s + ")"
	}
	return fclNamed[op]
}

// fclExpr writes an expression of the loops as FCL.
func fclExpr(x ir.Expr) string {
	switch x := x.(type) {
	case *ir.Int:
		if x.Val == math.MinInt64 {
			return "-9223372036854775807 - 1"
		}
		return fmt.Sprint(x.Val)
	case *ir.Float:
		return strings.ReplaceAll(doubleText(x.Val), "INFINITY", "1.0 / 0.0")
	case *ir.Use:
		return x.Var.Name
	case *ir.Load:
		return fmt.Sprintf("index %s %s", x.Buf.Name, fclOperand(x.Index))
	case *ir.Binary:
		if s := fclInfix[x.Op]; s != "" {
			return fclOperand(x.X) + " " + s + " " + fclOperand(x.Y)
		}
		return fmt.Sprintf("%s %s %s", fclNamed[x.Op], fclOperand(x.X), fclOperand(x.Y))
	case *ir.Select:
		return fmt.Sprintf("if %s then %s else %s", fclExpr(x.Cond), fclExpr(x.Then), fclExpr(x.Else))
	case *ir.Convert:
		return fmt.Sprintf("%s %s", scalarOf(x.To), fclOperand(x.X))
	case *ir.Math:
		parts := []string{x.Fn}
		for _, a := range x.Args {
			parts = append(parts, fclOperand(a))
		}
		return strings.Join(parts, " ")
	case *ir.Unary:
		return map[ir.UnOp]string{ir.OpNeg: "neg", ir.OpNot: "not", ir.OpAbs: "abs", ir.OpSqrt: "sqrt", ir.OpBitNot: "bitNot"}[x.Op] + " " + fclOperand(x.X)
	}
	return "…"
}

func fclOperand(x ir.Expr) string {
	switch x := x.(type) {
	case *ir.Use:
		return fclExpr(x)
	case *ir.Int:
		if x.Val >= 0 {
			return fclExpr(x)
		}
	}
	return "(" + fclExpr(x) + ")"
}

// fclPoint writes what statements compute at a point, of which x is the text, as a function of its
// place.
func fclPoint(d ir.Dim, pre []ir.Stmt, x string) string {
	text := fmt.Sprintf("fn %s => ", d.Var.Name)
	if lo, ok := d.Lo.(*ir.Int); !ok || lo.Val != 0 {
		text += fmt.Sprintf("let %s = %s + %s in ", d.Var.Name, fclOperand(d.Lo), d.Var.Name)
	}
	for _, s := range pre {
		switch s := s.(type) {
		case *ir.Decl:
			if s.Init != nil {
				text += fmt.Sprintf("let %s = %s in ", s.Var.Name, fclExpr(s.Init))
			}
		case *ir.Assign:
			text += fmt.Sprintf("let %s = %s in ", s.Var.Name, fclExpr(s.X))
		case *ir.Checked:
			text += fmt.Sprintf("let %s = %s %s %s in ", s.Var.Name, fclOperand(s.X), fclInfix[s.Op], fclOperand(s.Y))
		case *ir.Comment:
		default:
			text += "… "
		}
	}
	return text + x
}
