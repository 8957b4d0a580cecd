package clgen

import (
	"fmt"
	"math"
	"strings"

	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/formulas"
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
	if p.runtime.Text != "" {
		used = append(used, strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(p.runtime.Text))...)
		text += "-- Grades and searches.\n\n" + p.runtime.Text
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
	w := &fclText{of: map[any]string{}, taken: map[string]bool{}}
	for _, buf := range k.bufs {
		if k.read[buf] {
			params = append(params, w.buf(buf))
		}
	}
	for _, v := range k.vars {
		params = append(params, w.v(v))
	}
	for i := range k.axes() {
		params = append(params, fmt.Sprintf("n%d", i))
	}
	fmt.Fprintf(&b, "fun %s %s =\n  %s", k.name, strings.Join(params, " "), k.fcl.name)
	for i, a := range k.fcl.args {
		fmt.Fprintf(&b, "%s%s", map[bool]string{true: " ", false: "\n    "}[i == 0], a.text(w))
	}
	b.WriteString("\n")
	if k.fcl.then != nil {
		if then := k.fcl.then(w); then != "" {
			b.WriteString("-- and then, of each element:\n--   " + strings.ReplaceAll(strings.TrimSpace(then), "\n", "\n--   ") + "\n")
		}
	}
	return b.String()
}

// fclUse is a kernel as a use of a function of FCL's library: its arguments as text, and
// what the loops do with what it gives, or nil.
type fclUse struct {
	name string
	args []argument
	then func(w *fclText) string
}

// fclText writes code of the loops as FCL; variables, arrays, and loads that are arguments have
// names of their own.
type fclText struct {
	of    map[any]string
	taken map[string]bool
}

func (w *fclText) v(v *ir.Var) string   { return w.named(v, v.Name) }
func (w *fclText) buf(b *ir.Buf) string { return w.named(b, b.Name) }
func (w *fclText) named(of any, name string) string {
	if w.of[of] == "" {
		stem := name
		for n := 2; w.taken[name] || types.BuiltinSchemes()[name] != nil || lib.Doc(name) != ""; n++ {
			name = fmt.Sprint(stem, n)
		}
		w.of[of], w.taken[name] = name, true
	}
	return w.of[of]
}

// stores says for people what statements store.
func (w *fclText) stores(list []ir.Stmt) (text string) {
	ir.Walk(list, func(st ir.Stmt) {
		switch st := st.(type) {
		case *ir.Decl:
			if st.Init != nil {
				text += fmt.Sprintf("let %s = %s\n", w.v(st.Var), w.expr(st.Init))
			}
		case *ir.Store:
			text += fmt.Sprintf("%s[%s] is %s\n", w.buf(st.Buf), w.expr(st.Index), w.expr(st.X))
		}
	})
	return text
}

// fclInfix are the operators that FCL writes between their operands; fclNamed before them.
var (
	fclInfix = map[ir.BinOp]string{ir.OpAdd: "+", ir.OpSub: "-", ir.OpMul: "*", ir.OpDiv: "/", ir.OpQuo: "/", ir.OpRem: "%",
		ir.OpLt: "<", ir.OpLe: "<=", ir.OpGt: ">", ir.OpGe: ">=", ir.OpEq: "==", ir.OpNe: "!="}
	fclTruth = map[ir.BinOp]string{ir.OpAnd: "&&", ir.OpOr: "||", ir.OpXor: "!="}
	fclNamed = map[ir.BinOp]string{ir.OpMin: "min", ir.OpMax: "max", ir.OpAnd: "bitAnd", ir.OpOr: "bitOr", ir.OpXor: "bitXor"}
)

// fclJoiner writes an operation on a kind as a function; and, or of truth values are operators.
func fclJoiner(op ir.BinOp, k ir.Kind) string {
	if s := fclTruth[op]; s != "" && k == ir.U8 {
		return "(" + s + ")"
	}
	if s := fclInfix[op]; s != "" {
		return "(" + s + ")"
	}
	return fclNamed[op]
}

// expr writes an expression of the loops.
func (w *fclText) expr(x ir.Expr) string {
	switch x := x.(type) {
	case *ir.Int:
		if x.K == ir.U8 {
			return fmt.Sprint(x.Val != 0)
		}
		if x.Val == math.MinInt64 {
			return "-9223372036854775807 - 1"
		}
		return fmt.Sprint(x.Val)
	case *ir.Float:
		return strings.ReplaceAll(formulas.Double(x.Val), "INFINITY", "1.0 / 0.0")
	case *ir.Use:
		return w.v(x.Var)
	case *ir.Load:
		if name := w.of[x]; name != "" {
			return name
		}
		return fmt.Sprintf("index %s %s", w.buf(x.Buf), w.operand(x.Index))
	case *ir.Binary:
		f := fclJoiner(x.Op, x.X.Kind())
		if s := strings.Trim(f, "()"); s != f {
			return w.operand(x.X) + " " + s + " " + w.operand(x.Y)
		}
		return fmt.Sprintf("%s %s %s", f, w.operand(x.X), w.operand(x.Y))
	case *ir.Select:
		return fmt.Sprintf("if %s then %s else %s", w.expr(x.Cond), w.expr(x.Then), w.expr(x.Else))
	case *ir.Convert:
		to := map[bool]types.Scalar{true: types.Bool, false: scalarOf(x.To)}[x.To == ir.U8]
		return fmt.Sprintf("%s %s", to, w.operand(x.X))
	case *ir.Math:
		parts := []string{x.Fn}
		for _, a := range x.Args {
			parts = append(parts, w.operand(a))
		}
		return strings.Join(parts, " ")
	case *ir.Unary:
		return map[ir.UnOp]string{ir.OpNeg: "neg", ir.OpNot: "not", ir.OpAbs: "abs", ir.OpSqrt: "sqrt", ir.OpBitNot: "bitNot"}[x.Op] + " " + w.operand(x.X)
	}
	return "…"
}

// names gives expressions names, as one pattern.
func (w *fclText) names(list []ir.Expr, name string) string {
	var items []string
	for _, x := range list {
		items = append(items, w.named(x, name))
	}
	return fclTuple(items)
}

// tuple writes expressions as one value.
func (w *fclText) tuple(list []ir.Expr) string {
	if len(list) == 1 {
		return w.operand(list[0])
	}
	var items []string
	for _, x := range list {
		items = append(items, w.expr(x))
	}
	return fclTuple(items)
}

func (w *fclText) operand(x ir.Expr) string {
	switch x := x.(type) {
	case *ir.Use:
		return w.expr(x)
	case *ir.Int:
		if x.Val >= 0 {
			return w.expr(x)
		}
	case *ir.Float:
		if x.Val >= 0 && !math.IsInf(x.Val, 0) {
			return w.expr(x)
		}
	}
	return "(" + w.expr(x) + ")"
}

// point writes what statements compute at a point, of which x is the text, as a function of its
// place.
func (w *fclText) point(d ir.Dim, pre []ir.Stmt, x string) string {
	text := fmt.Sprintf("fn %s => ", w.v(d.Var))
	if lo, ok := d.Lo.(*ir.Int); !ok || lo.Val != 0 {
		text += fmt.Sprintf("let %s = %s + %s in ", w.v(d.Var), w.operand(d.Lo), w.v(d.Var))
	}
	for _, s := range pre {
		switch s := s.(type) {
		case *ir.Decl:
			if s.Init != nil {
				text += fmt.Sprintf("let %s = %s in ", w.v(s.Var), w.expr(s.Init))
			}
		case *ir.Assign:
			text += fmt.Sprintf("let %s = %s in ", w.v(s.Var), w.expr(s.X))
		case *ir.Checked:
			text += fmt.Sprintf("let %s = %s %s %s in ", w.v(s.Var), w.operand(s.X), fclInfix[s.Op], w.operand(s.Y))
		case *ir.Comment:
		default:
			text = strings.TrimSuffix(text, "… ") + "… "
		}
	}
	return text + x
}
