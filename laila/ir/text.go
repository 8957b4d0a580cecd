package ir

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// String returns the loop program as text for people: as Text, but without the
// elements of long constants, and with the places of faults in the source.
func (p *Program) String() string { return newTextWriter().program(p) }

// Text returns the loop program in the text form that Parse reads. It has
// everything but the places in the source, and who is to blame for a fault.
//
// A statement is a line, and the lines of its blocks are indented by two more
// spaces. Every name stands for one variable, buffer or function of the program.
// Literals of other kinds than i64 and f64 end in their kind, those of f64 have a
// point or an exponent; so do calls of functions of other kinds than f64, behind
// the name. A nest is written with its kind, its dimensions and its attributes;
// the statements of a reduction stand after "pre", "red" and "post".
func (p *Program) Text() string {
	w := newTextWriter()
	w.whole = true
	return w.program(p)
}

func (w *textWriter) program(p *Program) string {
	if p.PP != defaultDigits {
		w.line("digits %d", p.PP)
	}
	if p.CT != 0 {
		w.line("tolerance %s", floatText(p.CT))
	}
	for _, c := range p.Consts {
		w.line("const %s: %s = %s", w.buf(c.Buf), c.Buf.Elem, w.constText(c))
	}
	for _, f := range p.Funcs {
		if f != p.Main {
			w.function(f, f == p.Entry)
		}
	}
	w.function(p.Main, false)
	return w.b.String()
}

// defaultDigits is the print precision that the text does not mention.
const defaultDigits = 10

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

// maxConstText is the number of elements of a constant that String shows.
const maxConstText = 32

func (w *textWriter) constText(c *Const) string {
	var items []string
	for _, v := range c.Ints {
		items = append(items, strconv.FormatInt(v, 10))
	}
	for _, v := range c.Floats {
		items = append(items, floatText(v))
	}
	if n := len(items); n > maxConstText && !w.whole {
		items = append(items[:maxConstText], fmt.Sprintf("… %d elements", n))
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// floatText returns a double as text that differs from that of an integer.
func floatText(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+")
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// textWriter writes a program; names are unique in it.
type textWriter struct {
	b     strings.Builder
	depth int
	whole bool // the text is to be read again
	vars  map[*Var]string
	bufs  map[*Buf]string
	funcs map[*Func]string
	taken map[string]bool
	last  map[string]int // how many names were made of a stem
}

func newTextWriter() *textWriter {
	return &textWriter{vars: map[*Var]string{}, bufs: map[*Buf]string{}, funcs: map[*Func]string{}, taken: maps.Clone(reserved), last: map[string]int{}}
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

func (w *textWriter) function(f *Func, entry bool) {
	words := "fun "
	if entry {
		words = "entry " + words
	}
	if f.Recursive {
		words += "rec "
	}
	w.line("%s%s(%s) → (%s)", words, w.fn(f), w.params(f.Params), w.arrays(f.Results))
	w.block(f.Body)
}

func (w *textWriter) fn(f *Func) string {
	if w.funcs[f] == "" {
		w.funcs[f] = w.fresh(f.Name)
	}
	return w.funcs[f]
}

// params returns the parameters of a function.
func (w *textWriter) params(as []Array) string {
	parts := make([]string, len(as))
	for i, a := range as {
		if parts[i] = w.array(a); a.Buf != nil && a.Buf.Owned {
			parts[i] = "owned " + parts[i]
		}
	}
	return strings.Join(parts, ", ")
}

// arrays returns arrays with their kinds and extents.
func (w *textWriter) arrays(as []Array) string {
	parts := make([]string, len(as))
	for i, a := range as {
		parts[i] = w.array(a)
	}
	return strings.Join(parts, ", ")
}

func (w *textWriter) array(a Array) string {
	if a.Buf == nil {
		return fmt.Sprintf("%s: %s", w.v(a.Scalar), a.Scalar.Kind)
	}
	name := w.buf(a.Buf)
	if a.At != nil {
		name += " from " + w.expr(a.At)
	}
	return fmt.Sprintf("%s: %s[%s]", name, a.Buf.Elem, w.exprs(a.Dims))
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
		w.line("keep %s[%s < %s] = %s", w.buf(s.Dst), w.v(s.Count), w.expr(s.Room), w.expr(s.X))
	case *Micro:
		w.micro(s)
	case *For:
		what := ""
		if s.Independent {
			what += "; independent"
		}
		if s.Terms {
			what += "; terms"
		}
		w.line("for %s%s", w.dims([]Dim{{s.Var, s.Lo, s.Hi}}), what)
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
		w.line("fail %s%s%s", faultText(s.Fault), w.failArgs(s.Args), w.at(s.At))
	case *Call:
		w.line("(%s) = %s(%s)", w.arrays(s.Results), w.fn(s.Fn), w.arrays(s.Args))
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

// at returns a place in the source as a comment.
func (w *textWriter) at(s diag.Span) string {
	if w.whole || !s.Valid() {
		return ""
	}
	return "  ⍝ " + s.String()
}

// faultText returns the kind and the template of a fault.
func faultText(f tail.Fault) string { return f.Row().Code.Kind().String() + ": " + f.Row().Template }

// failArgs returns the operands of a fault: shapes in brackets, numbers, and texts.
func (w *textWriter) failArgs(args []FailArg) string {
	var parts []string
	for _, a := range args {
		switch {
		case a.IsShape:
			parts = append(parts, "["+w.exprs(a.Shape)+"]")
		case a.X != nil:
			parts = append(parts, w.expr(a.X))
		default:
			parts = append(parts, strconv.Quote(a.Text))
		}
	}
	if parts == nil {
		return ""
	}
	return " where " + strings.Join(parts, ", ")
}

func (w *textWriter) declBuf(s *DeclBuf) {
	zero, shape := "", ""
	if s.Zero {
		zero = " zeroed"
	}
	if s.Count != nil && !(len(s.Shape) == 1 && Same(s.Shape[0], s.Count)) {
		shape = " shaped [" + w.exprs(s.Shape) + "]"
	}
	switch {
	case s.Buf.Stack > 0:
		w.line("stack %s: %s[%d]%s", w.buf(s.Buf), s.Buf.Elem, s.Buf.Stack, zero)
	case s.Count == nil:
		w.line("null %s: %s", w.buf(s.Buf), s.Buf.Elem)
	default:
		w.line("alloc %s: %s[%s]%s%s", w.buf(s.Buf), s.Buf.Elem, w.expr(s.Count), zero, shape)
	}
}

func (w *textWriter) dims(ds []Dim) string {
	parts := make([]string, len(ds))
	for i, d := range ds {
		parts[i] = fmt.Sprintf("%s = %s … %s", w.named(d.Var, I64), w.expr(d.Lo), w.expr(d.Hi))
	}
	return strings.Join(parts, "; ")
}

// named returns the name of a variable, with its kind where that is not k.
func (w *textWriter) named(v *Var, k Kind) string {
	if v.Kind != k {
		return w.v(v) + ": " + v.Kind.String()
	}
	return w.v(v)
}

// spaced returns a word with dimensions behind it, if there are any.
func (w *textWriter) spaced(word string, ds []Dim) string {
	if len(ds) > 0 {
		word += " " + w.dims(ds)
	}
	return word
}

func (w *textWriter) nest(n *Nest) {
	w.line("%s%s", w.spaced(n.Kind.String(), n.Dims), w.attributes(n))
	if len(n.Red) == 0 && len(n.Pre) == 0 && len(n.Post) == 0 && len(n.Accs) == 0 {
		w.block(n.Body)
		return
	}
	w.depth++
	w.line("pre")
	w.block(n.Pre)
	w.line("%s", w.spaced("red", n.Red))
	w.block(n.Body)
	for _, a := range n.Accs {
		w.line("join %s", w.acc(a))
	}
	if len(n.Post) > 0 {
		w.line("post")
		w.block(n.Post)
	}
	w.depth--
}

// attributes returns a nest's flags, and what else is known of its points.
func (w *textWriter) attributes(n *Nest) string {
	text := ""
	if len(n.Flags) > 0 {
		names := make([]string, len(n.Flags))
		for i, f := range n.Flags {
			names[i] = w.v(f)
		}
		text = "; flags " + strings.Join(names, ", ")
	}
	if n.Each != 0 {
		text += fmt.Sprintf("; each %d", n.Each)
	}
	if n.Tally {
		text += "; tally"
	}
	if n.Lookup != 0 {
		text += fmt.Sprintf("; lookup %d", n.Lookup)
	}
	if n.Even {
		text += "; even"
	}
	if n.Split != 0 {
		text += fmt.Sprintf("; split %d", n.Split)
	}
	return text
}

// acc returns how partial results of an accumulator are joined.
func (w *textWriter) acc(a Acc) string {
	k := a.Var.Kind
	text := fmt.Sprintf("%s: %s %s → %s", w.v(a.Var), w.named(a.Left, k), w.named(a.Right, k), w.expr(a.Combine))
	if a.Neutral != nil {
		text += " neutral " + w.expr(a.Neutral)
	}
	if a.Exact {
		text += " exact"
	}
	return text
}

func (w *textWriter) runtimeArgs(args []RuntimeArg) string {
	parts := make([]string, len(args))
	for i, a := range args {
		switch {
		case a.Array != nil:
			parts[i] = w.array(*a.Array)
		case a.X != nil:
			parts[i] = w.expr(a.X)
		default:
			parts[i] = strconv.Quote(a.Text)
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
		if x.K == I64 {
			return strconv.FormatInt(x.Val, 10)
		}
		return strconv.FormatInt(x.Val, 10) + x.K.String()
	case *Float:
		return floatText(x.Val)
	case *Use:
		return w.v(x.Var)
	case *Load:
		return fmt.Sprintf("%s[%s]", w.buf(x.Buf), w.expr(x.Index))
	case *Unary:
		return unaryNames[x.Op] + w.unaryOperand(x)
	case *Binary:
		return fmt.Sprintf("%s %s %s", w.operand(x.X), binaryNames[x.Op], w.operand(x.Y))
	case *Select:
		return fmt.Sprintf("%s ? %s : %s", w.operand(x.Cond), w.operand(x.Then), w.operand(x.Else))
	case *Convert:
		return fmt.Sprintf("%s(%s)", x.To, w.expr(x.X))
	case *Math:
		if x.K == F64 {
			return fmt.Sprintf("%s(%s)", x.Fn, w.exprs(x.Args))
		}
		return fmt.Sprintf("%s:%s(%s)", x.Fn, x.K, w.exprs(x.Args))
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

// unaryOperand tells the opposite of a literal from a negative literal.
func (w *textWriter) unaryOperand(u *Unary) string {
	switch u.X.(type) {
	case *Int, *Float:
		if u.Op == OpNeg {
			return "(" + w.expr(u.X) + ")"
		}
	}
	return w.operand(u.X)
}

// micro writes the update of a tile in registers.
func (w *textWriter) micro(s *Micro) {
	fresh := ""
	if s.Fresh != nil {
		fresh = fmt.Sprintf("; %s where %s", w.expr(s.Zero), w.expr(s.Fresh))
	}
	w.line("tile %s: %s[%s; %s] with %s: %s[%s], %s: %s[%s], %s terms%s", w.v(s.Acc), w.buf(s.C), w.expr(s.CAt), w.expr(s.Stride),
		w.v(s.X), w.buf(s.A), w.expr(s.AAt), w.v(s.Y), w.buf(s.B), w.expr(s.BAt), w.expr(s.Count), fresh)
	w.depth++
	for _, d := range s.Decls {
		w.stmt(d)
	}
	w.line("%s = %s", w.v(s.Acc), w.expr(s.Step))
	w.depth--
}
