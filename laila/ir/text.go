package ir

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// String returns the loop program as text for people; there is no parser for
// it. A nest is written with its kind and its dimensions, the statements of a
// reduction stand after "pre", "red" and "post".
func (p *Program) String() string {
	w := newTextWriter()
	for _, c := range p.Consts {
		w.line("const %s: %s = %s", w.buf(c.Buf), c.Buf.Elem, constText(c))
	}
	for _, f := range p.Funcs {
		if f != p.Main {
			w.function(f)
		}
	}
	w.function(p.Main)
	return w.b.String()
}

// String returns the name of a kind in text.
func (k Kind) String() string {
	names := [...]string{U8: "u8", I8: "i8", I16: "i16", I32: "i32", I64: "i64", F64: "f64", C32: "c32", C64: "c64", C8: "c8"}
	if k == NoKind || int(k) >= len(names) {
		panic("internal error: kind is unset")
	}
	return names[k]
}

// String returns the name of a kind of nest in text.
func (k NestKind) String() string {
	names := [...]string{SegMap: "segmap", SegRed: "segred", SegScan: "segscan", Scatter: "scatter"}
	if k == NoNest || int(k) >= len(names) {
		panic("internal error: kind of nest is unset")
	}
	return names[k]
}

// maxConstText is the number of elements of a constant that the text shows.
const maxConstText = 32

func constText(c *Const) string {
	var items []string
	for _, v := range c.Ints {
		items = append(items, fmt.Sprint(v))
	}
	for _, v := range c.Floats {
		items = append(items, fmt.Sprint(v))
	}
	if n := len(items); n > maxConstText {
		items = append(items[:maxConstText], fmt.Sprintf("… %d elements", n))
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// textWriter writes a program; names are unique in it.
type textWriter struct {
	b     strings.Builder
	depth int
	vars  map[*Var]string
	bufs  map[*Buf]string
	taken map[string]bool
	last  map[string]int // how many names were made of a stem
}

func newTextWriter() *textWriter {
	return &textWriter{vars: map[*Var]string{}, bufs: map[*Buf]string{}, taken: map[string]bool{}, last: map[string]int{}}
}

func (w *textWriter) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.depth))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *textWriter) fresh(stem string) string {
	name := stem
	for w.taken[name] {
		w.last[stem]++
		name = fmt.Sprintf("%s_%d", stem, w.last[stem]+1)
	}
	w.taken[name] = true
	return name
}

func (w *textWriter) v(v *Var) string {
	if w.vars[v] == "" {
		w.vars[v] = w.fresh(v.Name)
	}
	return w.vars[v]
}

func (w *textWriter) buf(b *Buf) string {
	if w.bufs[b] == "" {
		w.bufs[b] = w.fresh(b.Name)
	}
	return w.bufs[b]
}

func (w *textWriter) function(f *Func) {
	rec := ""
	if f.Recursive {
		rec = "rec "
	}
	w.line("fun %s%s(%s) → (%s)", rec, f.Name, w.arrays(f.Params), w.arrays(f.Results))
	w.block(f.Body)
}

// arrays returns arrays with their kinds and extents.
func (w *textWriter) arrays(as []Array) string {
	var parts []string
	for _, a := range as {
		if a.Buf == nil {
			parts = append(parts, fmt.Sprintf("%s: %s", w.v(a.Scalar), a.Scalar.Kind))
		} else {
			name := w.buf(a.Buf)
			if a.At != nil {
				name += " from " + w.expr(a.At)
			}
			parts = append(parts, fmt.Sprintf("%s: %s[%s]", name, a.Buf.Elem, w.exprs(a.Dims)))
		}
	}
	return strings.Join(parts, ", ")
}

func (w *textWriter) exprs(xs []Expr) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = w.expr(x)
	}
	return strings.Join(parts, ", ")
}

func (w *textWriter) block(list []Stmt) {
	w.depth++
	for _, s := range list {
		w.stmt(s)
	}
	w.depth--
}

func (w *textWriter) stmt(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		if s.Init == nil {
			w.line("var %s: %s", w.v(s.Var), s.Var.Kind)
		} else {
			w.line("var %s: %s = %s", w.v(s.Var), s.Var.Kind, w.expr(s.Init))
		}
	case *Assign:
		w.line("%s = %s", w.v(s.Var), w.expr(s.X))
	case *Checked:
		w.line("%s, overflow %s = %s", w.v(s.Var), w.v(s.Flag), w.expr(s.Op.Of(s.X, s.Y)))
	case *DeclBuf:
		w.declBuf(s)
	case *Free:
		w.line("free %s", w.buf(s.Buf))
	case *Move:
		w.line("move %s = %s", w.buf(s.Dst), w.buf(s.Src))
	case *Swap:
		w.line("swap %s, %s", w.buf(s.A), w.buf(s.B))
	case *Alias:
		w.line("alias %s = %s", w.buf(s.Dst), w.buf(s.Src))
	case *Copy:
		w.line("copy %s[%s] = %s[%s], %s elements", w.buf(s.Dst), w.expr(s.DstIndex), w.buf(s.Src), w.expr(s.SrcIndex), w.expr(s.Count))
	case *Store:
		w.line("%s[%s] = %s", w.buf(s.Buf), w.expr(s.Index), w.expr(s.X))
	case *Filter:
		w.line("filter %s", w.dims([]Dim{{s.Var, s.Lo, s.Hi}}))
		w.block(s.MaskPre)
		w.line("where %s", w.expr(s.Mask))
		w.block(s.XPre)
		w.line("%s[%s++] = %s", w.buf(s.Dst), w.v(s.Count), w.expr(s.X))
	case *Micro:
		w.line("tile %s[%s by %s]: for %s rows of %s[%s] and %s[%s]: %s", w.buf(s.C), w.expr(s.CAt), w.expr(s.Stride), w.expr(s.Count),
			w.buf(s.A), w.expr(s.AAt), w.buf(s.B), w.expr(s.BAt), w.microStep(s))
	case *For:
		w.line("for %s", w.dims([]Dim{{s.Var, s.Lo, s.Hi}}))
		w.block(s.Body)
	case *Nest:
		w.nest(s)
	case *Loop:
		w.line("loop")
		w.block(s.Body)
	case *BreakIf:
		w.line("break if %s", w.expr(s.Cond))
	case *If:
		w.line("if %s", w.expr(s.Cond))
		w.block(s.Then)
		if len(s.Else) > 0 {
			w.line("else")
			w.block(s.Else)
		}
	case *Fail:
		w.line("fail %s: %s%s", s.Fault.Row().Kind, s.Fault.Row().Template, atText(s.At))
	case *Call:
		w.line("(%s) = %s(%s)", w.arrays(s.Results), s.Fn.Name, w.arrays(s.Args))
	case *Runtime:
		digits := ""
		if s.PP > 0 {
			digits = fmt.Sprintf("[%d]", s.PP)
		}
		w.line("(%s) = run-time %s%s(%s)", w.arrays(s.Results), s.Fn, digits, w.runtimeArgs(s.Args))
	case *Comment:
		w.line("⍝ %s", s.Text)
	case *Launch:
		w.line("launch %s, or", s.Kernel.Name)
		w.block(s.Plain)
	case *Return:
		w.line("return")
	default:
		panic(fmt.Sprintf("internal error: loop statement %T", s))
	}
}

func atText(s diag.Span) string {
	if !s.Valid() {
		return ""
	}
	return "  ⍝ " + s.String()
}

func (w *textWriter) declBuf(s *DeclBuf) {
	zero := ""
	if s.Zero {
		zero = " zeroed"
	}
	switch {
	case s.Buf.Stack > 0:
		w.line("stack %s: %s[%d]%s", w.buf(s.Buf), s.Buf.Elem, s.Buf.Stack, zero)
	case s.Count == nil:
		w.line("null %s: %s", w.buf(s.Buf), s.Buf.Elem)
	default:
		w.line("alloc %s: %s[%s]%s", w.buf(s.Buf), s.Buf.Elem, w.expr(s.Count), zero)
	}
}

func (w *textWriter) dims(ds []Dim) string {
	parts := make([]string, len(ds))
	for i, d := range ds {
		parts[i] = fmt.Sprintf("%s = %s … %s", w.v(d.Var), w.expr(d.Lo), w.expr(d.Hi))
	}
	return strings.Join(parts, "; ")
}

func (w *textWriter) nest(n *Nest) {
	w.line("%s %s", n.Kind, w.dims(n.Dims))
	if len(n.Red) == 0 && len(n.Pre) == 0 && len(n.Post) == 0 {
		w.block(n.Body)
		return
	}
	w.depth++
	w.line("pre")
	w.block(n.Pre)
	w.line("red %s", w.dims(n.Red))
	w.block(n.Body)
	for _, a := range n.Accs {
		w.line("join %s: %s %s → %s", w.v(a.Var), w.v(a.Left), w.v(a.Right), w.expr(a.Combine))
	}
	if len(n.Post) > 0 {
		w.line("post")
		w.block(n.Post)
	}
	w.depth--
}

func (w *textWriter) runtimeArgs(args []RuntimeArg) string {
	parts := make([]string, len(args))
	for i, a := range args {
		switch {
		case a.Array != nil:
			parts[i] = w.arrays([]Array{*a.Array})
		case a.X != nil:
			parts[i] = w.expr(a.X)
		default:
			parts[i] = fmt.Sprintf("%q", a.Text)
		}
	}
	return strings.Join(parts, ", ")
}

var unaryNames = [...]string{OpNeg: "-", OpNot: "!", OpAbs: "abs ", OpSqrt: "sqrt ", OpBitNot: "~"}

var binaryNames = [...]string{
	OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpQuo: "quo", OpRem: "rem", OpMin: "min", OpMax: "max",
	OpAnd: "&", OpOr: "|", OpXor: "^", OpShl: "<<", OpShr: ">>",
	OpLt: "<", OpLe: "<=", OpGt: ">", OpGe: ">=", OpEq: "==", OpNe: "!=",
}

func (w *textWriter) expr(x Expr) string {
	switch x := x.(type) {
	case nil:
		return "0"
	case *Int:
		return fmt.Sprint(x.Val)
	case *Float:
		return fmt.Sprintf("%g", x.Val)
	case *Use:
		return w.v(x.Var)
	case *Load:
		return fmt.Sprintf("%s[%s]", w.buf(x.Buf), w.expr(x.Index))
	case *Unary:
		return unaryNames[x.Op] + w.operand(x.X)
	case *Binary:
		return fmt.Sprintf("%s %s %s", w.operand(x.X), binaryNames[x.Op], w.operand(x.Y))
	case *Select:
		return fmt.Sprintf("%s ? %s : %s", w.operand(x.Cond), w.operand(x.Then), w.operand(x.Else))
	case *Convert:
		return fmt.Sprintf("%s(%s)", x.To, w.expr(x.X))
	case *Math:
		return fmt.Sprintf("%s(%s)", x.Fn, w.exprs(x.Args))
	}
	panic(fmt.Sprintf("internal error: loop expression %T", x))
}

func (w *textWriter) operand(x Expr) string {
	switch x.(type) {
	case *Binary, *Select:
		return "(" + w.expr(x) + ")"
	}
	return w.expr(x)
}

func (w *textWriter) microStep(s *Micro) string {
	text := ""
	for _, d := range s.Decls {
		text += fmt.Sprintf("%s = %s; ", w.v(d.Var), w.expr(d.Init))
	}
	text += fmt.Sprintf("%s = %s", w.v(s.Acc), w.expr(s.Step))
	if s.Fresh != nil {
		text += fmt.Sprintf(", from %s where %s", w.expr(s.Zero), w.expr(s.Fresh))
	}
	return text
}
