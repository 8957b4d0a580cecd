package laila

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the program as readable text.
func (p *Program) String() string {
	w := &printer{names: map[any]string{}, taken: map[string]int{}}
	for _, c := range p.Consts {
		n := len(c.Ints) + len(c.Floats)
		w.line("const %s : %v[%d]%s", w.buf(c.Buf), c.Buf.Elem, n, values(c))
	}
	for _, f := range p.Funcs {
		w.function(f)
	}
	w.function(p.Main)
	return w.b.String()
}

// values shows the elements of a short constant.
func values(c *Const) string {
	if len(c.Ints)+len(c.Floats) > 16 {
		return ""
	}
	s := " ="
	for _, x := range c.Ints {
		s += " " + strconv.FormatInt(x, 10)
	}
	for _, x := range c.Floats {
		s += " " + strconv.FormatFloat(x, 'g', -1, 64)
	}
	return s
}

func (k Kind) String() string {
	return [...]string{"unset", "u8", "i8", "i16", "i32", "i64", "f64", "c32"}[k]
}

func (k NestKind) String() string {
	return [...]string{"unset", "segmap", "segred", "segscan", "scatter"}[k]
}

var binNames = [...]string{Add: "+", Sub: "-", Mul: "*", Div: "/", Quo: "quo", Rem: "rem", Min: "min", Max: "max",
	And: "&", Or: "|", Xor: "^", Shl: "<<", Shr: ">>", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", Eq: "==", Ne: "!="}

func (o BinOp) String() string { return binNames[o] }

func (o UnOp) String() string {
	return [...]string{"unset", "-", "!", "abs ", "sqrt ", "~"}[o]
}

type printer struct {
	b     strings.Builder
	depth int
	names map[any]string
	taken map[string]int
}

func (w *printer) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.depth))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *printer) name(of any, stem string) string {
	if n, ok := w.names[of]; ok {
		return n
	}
	w.taken[stem]++
	n := stem
	if k := w.taken[stem]; k > 1 {
		n = stem + strconv.Itoa(k)
	}
	w.names[of] = n
	return n
}

func (w *printer) v(v *Var) string   { return w.name(v, v.Name) }
func (w *printer) buf(b *Buf) string { return w.name(b, b.Name) }

func (w *printer) exprs(xs []Expr) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = w.expr(x)
	}
	return strings.Join(parts, ", ")
}

func (w *printer) expr(x Expr) string {
	switch x := x.(type) {
	case nil:
		return "_"
	case *Int:
		return strconv.FormatInt(x.Val, 10)
	case *Float:
		s := strconv.FormatFloat(x.Val, 'g', -1, 64)
		if !strings.ContainsAny(s, ".eIN") {
			s += ".0"
		}
		return s
	case *Use:
		return w.v(x.Var)
	case *Load:
		return w.buf(x.Buf) + "[" + w.expr(x.Index) + "]"
	case *Unary:
		return x.Op.String() + w.operand(x.X)
	case *Binary:
		return w.operand(x.X) + " " + x.Op.String() + " " + w.operand(x.Y)
	case *Select:
		return w.operand(x.Cond) + " ? " + w.operand(x.Then) + " : " + w.operand(x.Else)
	case *Convert:
		return x.To.String() + "(" + w.expr(x.X) + ")"
	case *Math:
		return x.Fn + "(" + w.exprs(x.Args) + ")"
	}
	return fmt.Sprintf("?%T", x)
}

func (w *printer) operand(x Expr) string {
	switch x.(type) {
	case *Binary, *Select, *Unary:
		return "(" + w.expr(x) + ")"
	}
	return w.expr(x)
}

func (w *printer) array(a Array) string {
	if a.Scalar != nil {
		return w.v(a.Scalar) + " : " + a.Elem.String()
	}
	return fmt.Sprintf("%s : %v[%s]", w.buf(a.Buf), a.Elem, w.exprs(a.Dims))
}

func (w *printer) arrays(as []Array) string {
	parts := make([]string, len(as))
	for i, a := range as {
		parts[i] = w.array(a)
	}
	return strings.Join(parts, ", ")
}

func (w *printer) function(f *Func) {
	kind := "func"
	if f.Recursive {
		kind = "recursive func"
	}
	w.line("%s %s(%s) → (%s) {", kind, f.Name, w.arrays(f.Params), w.arrays(f.Results))
	w.block(f.Body)
	w.line("}")
}

func (w *printer) block(b []Stmt) {
	w.depth++
	for _, s := range b {
		w.stmt(s)
	}
	w.depth--
}

func (w *printer) dims(ds []Dim) string {
	parts := make([]string, len(ds))
	for i, d := range ds {
		parts[i] = fmt.Sprintf("%s = %s … %s", w.v(d.Var), w.expr(d.Lo), w.expr(d.Hi))
	}
	return strings.Join(parts, ", ")
}

func (w *printer) nest(s *Nest) {
	head := s.Kind.String() + "(" + w.dims(s.Dims) + ")"
	for _, a := range s.Accs {
		head += fmt.Sprintf(" acc %s: %s", w.v(a.Var), w.expr(a.Combine))
	}
	w.line("%s {", head)
	w.block(s.Pre)
	if len(s.Red) > 0 {
		w.depth++
		w.line("red (%s) {", w.dims(s.Red))
		w.block(s.Body)
		w.line("}")
		w.depth--
	} else {
		w.block(s.Body)
	}
	w.block(s.Post)
	w.line("}")
}

func (w *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		w.line("let %s : %v = %s", w.v(s.Var), s.Var.Kind, w.expr(s.Init))
	case *Assign:
		w.line("%s = %s", w.v(s.Var), w.expr(s.X))
	case *Checked:
		w.line("%s, %s |= %s %v %s", w.v(s.Var), w.v(s.Flag), w.operand(s.X), s.Op, w.operand(s.Y))
	case *DeclBuf:
		where := "alloc"
		if s.Buf.Stack > 0 {
			where = "stack"
		}
		w.line("%s %s : %v[%s]", where, w.buf(s.Buf), s.Buf.Elem, w.expr(s.Count))
	case *Free:
		w.line("free %s", w.buf(s.Buf))
	case *Move:
		w.line("move %s ← %s", w.buf(s.Dst), w.buf(s.Src))
	case *Swap:
		w.line("swap %s, %s", w.buf(s.A), w.buf(s.B))
	case *Copy:
		w.line("copy %s[%s] ← %s[%s], %s", w.buf(s.Dst), w.expr(s.DstIndex), w.buf(s.Src), w.expr(s.SrcIndex), w.expr(s.Count))
	case *Store:
		w.line("%s[%s] = %s", w.buf(s.Buf), w.expr(s.Index), w.expr(s.X))
	case *For:
		w.line("for %s {", w.dims([]Dim{{s.Var, s.Lo, s.Hi}}))
		w.block(s.Body)
		w.line("}")
	case *Nest:
		w.nest(s)
	case *Loop:
		w.line("loop {")
		w.block(s.Body)
		w.line("}")
	case *BreakIf:
		w.line("break if %s", w.expr(s.Cond))
	case *If:
		w.branch(s)
	case *Fail:
		w.fail(s)
	case *Call:
		w.line("(%s) = %s(%s)", w.arrays(s.Results), s.Fn.Name, w.arrays(s.Args))
	case *Runtime:
		w.runtime(s)
	case *Comment:
		w.line("⍝ %s", strings.TrimSpace(s.Text))
	case *Return:
		w.line("return")
	default:
		w.line("?%T", s)
	}
}

func (w *printer) branch(s *If) {
	w.line("if %s {", w.expr(s.Cond))
	w.block(s.Then)
	if len(s.Else) > 0 {
		w.line("} else {")
		w.block(s.Else)
	}
	w.line("}")
}

func (w *printer) fail(s *Fail) {
	parts := make([]string, len(s.Args))
	for i, a := range s.Args {
		if a.IsShape {
			parts[i] = "[" + w.exprs(a.Shape) + "]"
		} else if a.X != nil {
			parts[i] = w.expr(a.X)
		} else {
			parts[i] = strconv.Quote(a.Text)
		}
	}
	w.line("fail %q (%s)", s.Fault.Row().Template, strings.Join(parts, "; "))
}

func (w *printer) runtime(s *Runtime) {
	parts := make([]string, len(s.Args))
	for i, a := range s.Args {
		switch {
		case a.Array != nil:
			parts[i] = w.array(*a.Array)
		case a.X != nil:
			parts[i] = w.expr(a.X)
		default:
			parts[i] = strconv.Quote(a.Text)
		}
	}
	results := ""
	if len(s.Results) > 0 {
		results = "(" + w.arrays(s.Results) + ") = "
	}
	w.line("%sruntime %s(%s)", results, s.Fn, strings.Join(parts, ", "))
}

// writeKey writes x as text that tells different expressions apart.
func writeKey(b *strings.Builder, x Expr) {
	switch x := x.(type) {
	case *Int:
		b.WriteString(strconv.FormatInt(x.Val, 10))
	case *Use:
		fmt.Fprintf(b, "%p", x.Var)
	case *Binary:
		b.WriteByte('(')
		writeKey(b, x.X)
		b.WriteString(x.Op.String())
		writeKey(b, x.Y)
		b.WriteByte(')')
	default:
		fmt.Fprintf(b, "<%p>", x)
	}
}

// Stats counts what a program consists of, for tests.
type Stats struct {
	Nests  int // parallel nests
	Loops  int // sequential loops
	Allocs int // heap allocations in the text
}

// Stats counts nests, loops and allocations.
func (p *Program) Stats() Stats {
	var st Stats
	var walk func(b []Stmt)
	walk = func(b []Stmt) {
		for _, s := range b {
			switch s := s.(type) {
			case *Nest:
				st.Nests++
			case *For, *Loop:
				st.Loops++
			case *DeclBuf:
				if s.Buf.Stack == 0 && s.Count != nil {
					st.Allocs++
				}
			}
			for _, inner := range blocksOf(s) {
				walk(*inner)
			}
		}
	}
	for _, f := range p.Funcs {
		walk(f.Body)
	}
	walk(p.Main.Body)
	return st
}
