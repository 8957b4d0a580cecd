package clgen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/formulas"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// kernelText writes the body of one kernel.
type kernelText struct {
	b      strings.Builder
	depth  int
	names  map[string]int // stems taken
	vars   map[*ir.Var]string
	bufs   map[*ir.Buf]string
	said   string
	axis   int                 // the number of the space's first axis among the parameters
	sums   map[*ir.Var]*ir.Var // by accumulator, what is raised where a join overflows
	trap   *ir.Var             // raised by faults, else nil
	narrow bool                // doubles are floats
	vector bool                // elementary functions are those that compilers make vector code of
	staged map[ir.Expr]string  // expressions that have passed through local memory
	watch  bool                // results that are infinite are noted
	place  int64               // of the answer for that
	unseen map[*ir.Var]bool    // what may be infinite, and its users look at
	lanes  map[*ir.Buf]bool    // arrays whose elements may be
	facts  *facts.Base
	low    map[*ir.Var]string // places as ints
}

func newKernelText() *kernelText {
	return &kernelText{names: map[string]int{}, vars: map[*ir.Var]string{}, bufs: map[*ir.Buf]string{}, lanes: map[*ir.Buf]bool{}}
}

func (t *kernelText) line(format string, args ...any) {
	t.b.WriteString(strings.Repeat("  ", t.depth))
	fmt.Fprintf(&t.b, format, args...)
	t.b.WriteByte('\n')
}

// open and close write a line that begins or ends a block.
func (t *kernelText) open(format string, args ...any) {
	t.line(strings.TrimPrefix(format+" {", " "), args...)
	t.depth++
}

func (t *kernelText) close() {
	t.depth--
	t.line("}")
}

// reserved are words that are no names in OpenCL C, or that our text uses.
var reserved = wordSet(`auto break case char const continue default do double else enum extern float for goto if inline int
	long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while kernel
	global local constant private bool half uchar ushort uint ulong size_t event_t sampler_t pipe answers item items total
	from to at first count before wide over trapped`)

// fresh returns a name that nothing else has. Names end in an underscore where
// they could be a function's.
func (t *kernelText) fresh(stem string) string {
	stem = strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, stem)
	if stem == "" || stem[0] >= '0' && stem[0] <= '9' {
		stem = "v" + stem
	}
	if reserved[stem] || builtins[stem] || reserved[strings.TrimRight(stem, "0123456789")] && stem[len(stem)-1] <= '9' {
		stem += "_"
	}
	t.names[stem]++
	if n := t.names[stem]; n > 1 {
		return t.fresh(fmt.Sprintf("%s_%d", stem, n))
	}
	return stem
}

// builtins are OpenCL's functions that a name of a program might be.
var builtins = wordSet(`abs acos acosh all any asin asinh atan atan2 atanh barrier bitselect cbrt ceil
	clamp clz copysign cos cosh cross degrees distance dot erf erfc exp exp2 exp10 fabs fast_length fdim floor fma
	fmax fmin fmod fract frexp hadd hypot ilogb isequal isfinite isinf isnan isnormal ldexp length lgamma log log10
	log2 logb mad mad24 max min mix modf mul24 mul_hi nan nextafter normalize popcount pow pown powr prefetch radians
	remainder remquo rhadd rint rotate rsqrt round select shuffle sign signbit sin sincos sinh sinpi smoothstep sqrt
	step sub_sat add_sat tan tanh tgamma trunc upsample vload2 vstore2 main NAN INFINITY`)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

func (t *kernelText) v(v *ir.Var) string {
	name, ok := t.vars[v]
	if !ok {
		panic("internal error: variable " + v.Name + " is used before it is declared in a kernel")
	}
	return name
}

// declare names a variable; one that is declared again keeps its name.
func (t *kernelText) declare(v *ir.Var) string {
	if t.vars[v] == "" {
		t.vars[v] = t.fresh(v.Name)
	}
	return t.vars[v]
}

var cltypes = map[ir.Kind]string{
	ir.U8: "uchar", ir.I8: "char", ir.I16: "short", ir.I32: "int", ir.I64: "long", ir.F64: "double",
	ir.C8: "uchar", ir.C32: "uint", ir.C64: "tl_c64",
}

// cltype returns OpenCL's type for a kind.
func cltype(k ir.Kind) string {
	if cltypes[k] == "" {
		panic("internal error: kind is unset")
	}
	return cltypes[k]
}

// zeroText writes the value of a variable that has no other.
func zeroText(k ir.Kind) string {
	if k == ir.C64 {
		return "TL_Z(0, 0)"
	}
	return "0"
}

func intText(v int64) string {
	switch {
	case v == math.MinInt64:
		return "LONG_MIN"
	case v > math.MaxInt32 || v < -math.MaxInt32:
		return strconv.FormatInt(v, 10) + "L"
	}
	return strconv.FormatInt(v, 10)
}

var infix = map[ir.BinOp]string{
	ir.OpDiv: "/", ir.OpAnd: "&", ir.OpOr: "|", ir.OpXor: "^", ir.OpLt: "<", ir.OpLe: "<=", ir.OpGt: ">",
	ir.OpGe: ">=", ir.OpEq: "==", ir.OpNe: "!=", ir.OpAdd: "+", ir.OpSub: "-", ir.OpMul: "*",
	ir.OpShl: "<<", ir.OpShr: ">>",
}

// expr writes an expression.
func (t *kernelText) expr(x ir.Expr) string {
	if s := t.staged[x]; s != "" {
		return s
	}
	switch x := x.(type) {
	case *ir.Int:
		return intText(x.Val)
	case *ir.Float:
		return formulas.Double(x.Val)
	case *ir.Use:
		return t.v(x.Var)
	case *ir.Load:
		return fmt.Sprintf("%s[%s]", t.buf(x.Buf), t.expr(x.Index))
	case *ir.Unary:
		return t.unary(x)
	case *ir.Binary:
		return t.binary(x)
	case *ir.Select:
		k := cltype(x.Kind())
		return fmt.Sprintf("%s ? (%s)%s : (%s)%s", t.operand(x.Cond), k, t.operand(x.Then), k, t.operand(x.Else))
	case *ir.Convert:
		if x.To == x.X.Kind() {
			return t.expr(x.X)
		}
		if place, ok := x.X.(*ir.Use); ok && x.To == ir.I32 && t.low[place.Var] != "" {
			return t.low[place.Var]
		}
		if t.narrow {
			if s, ok := t.exactly(x); ok {
				return s
			}
		}
		return fmt.Sprintf("(%s)%s", cltype(x.To), t.operandOf(x, x.X))
	case *ir.Math:
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			if args[i] = t.expr(a); !ir.Carries(x) {
				args[i] = t.number(a)
			}
		}
		if t.narrow && (x.Fn == "tl_toi" || x.Fn == "tl_d2i") {
			args[0] = "tl_within(" + args[0] + ", &wide)"
		}
		name := x.Fn
		if t.vector && (name == "exp" || name == "log") {
			name = "tl_" + name
		}
		return fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	}
	panic(fmt.Sprintf("internal error: loop expression %T", x))
}

// operand writes an expression in parentheses, unless it needs none.
func (t *kernelText) operand(x ir.Expr) string {
	s := t.expr(x)
	switch x := x.(type) {
	case *ir.Use, *ir.Load, *ir.Math:
		return s
	case *ir.Int:
		if x.Val >= 0 {
			return s
		}
	case *ir.Float:
		if x.Val >= 0 && !math.Signbit(x.Val) {
			return s
		}
	}
	if strings.HasPrefix(s, "tl_") && strings.HasSuffix(s, ")") && strings.Count(s, "(") == 1 {
		return s
	}
	return "(" + s + ")"
}

func (t *kernelText) buf(b *ir.Buf) string {
	name, ok := t.bufs[b]
	if !ok {
		panic("internal error: buffer " + b.Name + " is used before it is declared in a kernel")
	}
	return name
}

// narrow converts the result of arithmetic, which C does on ints or longs, to
// its kind.
func narrow(s string, k ir.Kind) string {
	if k == ir.I64 || k == ir.F64 {
		return s
	}
	return fmt.Sprintf("(%s)(%s)", cltype(k), s)
}

func (t *kernelText) unary(x *ir.Unary) string {
	s, k := t.operand(x.X), x.Kind()
	switch x.Op {
	case ir.OpNeg:
		return narrow("-"+s, k)
	case ir.OpNot:
		return "!" + s
	case ir.OpAbs:
		if k == ir.F64 {
			return "fabs(" + t.expr(x.X) + ")"
		}
		return narrow("tl_absi("+t.expr(x.X)+")", k)
	case ir.OpSqrt:
		return "sqrt(" + t.expr(x.X) + ")"
	case ir.OpBitNot:
		return narrow("~"+s, k)
	}
	panic("internal error: unary operation is unset")
}

// wide writes an expression as a long.
func (t *kernelText) wide(x ir.Expr) string {
	if _, literal := x.(*ir.Int); x.Kind() == ir.I64 && !literal {
		return t.expr(x)
	}
	return "(long)" + t.operand(x)
}

func (t *kernelText) binary(x *ir.Binary) string {
	k := x.X.Kind()
	switch x.Op {
	case ir.OpMin, ir.OpMax:
		name := map[ir.BinOp]string{ir.OpMin: "min", ir.OpMax: "max"}[x.Op]
		if k == ir.F64 {
			return fmt.Sprintf("tl_%sd(%s, %s)", name, t.number(x.X), t.number(x.Y))
		}
		return narrow(fmt.Sprintf("tl_%si(%s, %s)", name, t.expr(x.X), t.expr(x.Y)), k)
	case ir.OpQuo, ir.OpRem:
		if c, ok := x.Y.(*ir.Int); ok && c.Val > 0 {
			op := map[ir.BinOp]string{ir.OpQuo: "/", ir.OpRem: "%"}[x.Op]
			return narrow(fmt.Sprintf("%s %s %d", t.operand(x.X), op, c.Val), k)
		}
		name := map[ir.BinOp]string{ir.OpQuo: "tl_quo", ir.OpRem: "tl_rem"}[x.Op]
		return narrow(fmt.Sprintf("%s(%s, %s)", name, t.expr(x.X), t.expr(x.Y)), k)
	case ir.OpShl, ir.OpShr:
		if k == ir.I32 && x.Op == ir.OpShr {
			return fmt.Sprintf("%s >> (int)%s", t.operand(x.X), t.operand(x.Y))
		}
		return narrow(fmt.Sprintf("(%s) %s (int)%s", t.wide(x.X), infix[x.Op], t.operand(x.Y)), k)
	}
	l, r := t.operandOf(x, x.X), t.operandOf(x, x.Y)
	_, literal := x.X.(*ir.Int)
	_, literal2 := x.Y.(*ir.Int)
	if k == ir.I64 && literal && literal2 {
		l = "(long)" + l
	}
	if k == ir.I32 && t.vector && (x.Op == ir.OpAdd || x.Op == ir.OpSub || x.Op == ir.OpMul) {
		// What was 64 bits wide may be computed modulo 2*32.
		return fmt.Sprintf("(int)((uint)%s %s (uint)%s)", l, infix[x.Op], r)
	}
	s := fmt.Sprintf("%s %s %s", l, infix[x.Op], r)
	if x.Op >= ir.OpLt || x.Op == ir.OpAnd || x.Op == ir.OpOr || x.Op == ir.OpXor {
		return s
	}
	return narrow(s, k)
}

// Statements.

func (t *kernelText) block(list []ir.Stmt) {
	for i, s := range list {
		t.stmt(s)
		if trap := t.trapped(s); trap != "" && i+1 < len(list) {
			t.open("if (!%s)", trap)
			t.block(list[i+1:])
			t.close()
			return
		}
	}
}

func (t *kernelText) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Decl:
		init := zeroText(s.Var.Kind)
		if s.Init != nil {
			init = t.number(s.Init)
		}
		t.line("%s %s = %s;", cltype(s.Var.Kind), t.declare(s.Var), init)
	case *ir.Assign:
		t.line("%s = %s;", t.v(s.Var), t.assigned(s.Var, s.X))
	case *ir.Checked:
		t.checked(s)
	case *ir.DeclBuf:
		t.bufs[s.Buf] = t.fresh(s.Buf.Name)
		zero := ""
		if s.Zero {
			zero = " = {0}"
		}
		t.line("%s %s[%d]%s;", cltype(s.Buf.Elem), t.bufs[s.Buf], privateSize(s), zero)
	case *ir.Free:
	case *ir.Copy:
		t.copy(s)
	case *ir.Store:
		x := t.number(s.X)
		if t.lanes[s.Buf] && t.flagged(s.X) {
			x = t.expr(s.X)
		}
		t.line("%s[%s] = %s;", t.buf(s.Buf), t.expr(s.Index), x)
	case *ir.For:
		t.unroll(s)
		t.loop(ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi})
		t.block(s.Body)
		if trap := t.trapped(s); trap != "" {
			t.line("if (%s) break;", trap)
		}
		t.close()
	case *ir.Nest:
		t.nest(s)
	case *ir.Loop:
		t.open("for (;;)")
		t.block(s.Body)
		if trap := t.trapped(s); trap != "" {
			t.line("if (%s) break;", trap)
		}
		if t.watch { // the loop may not end
			t.line(overBreak)
		}
		t.close()
	case *ir.BreakIf:
		t.line("if (%s) break;", t.expr(s.Cond))
	case *ir.If:
		t.open("if (%s)", t.expr(s.Cond))
		t.block(s.Then)
		t.close()
		if len(s.Else) > 0 {
			t.open("else")
			t.block(s.Else)
			t.close()
		}
	case *ir.Comment:
		t.comment(s.Text)
	case *ir.Fail:
		t.fail(s)
	default:
		panic(fmt.Sprintf("internal error: loop statement %T in a kernel", s))
	}
}

func (t *kernelText) comment(text string) {
	text = strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, "*/", "* /"), "\n", " "))
	if text != t.said {
		t.said = text
		t.line("/* %s */", text)
	}
}

func (t *kernelText) checked(s *ir.Checked) {
	name := map[ir.BinOp]string{ir.OpAdd: "addi", ir.OpSub: "subi", ir.OpMul: "muli"}[s.Op]
	if name == "" {
		panic("internal error: only sums, differences and products are checked")
	}
	x, y := t.fresh("x"), t.fresh("y")
	t.line("const long %s = %s, %s = %s;", x, t.expr(s.X), y, t.expr(s.Y))
	t.line("%s |= tl_bad_%s(%s, %s);", t.v(s.Flag), name, x, y)
	t.line("%s = tl_%s(%s, %s);", t.v(s.Var), name, x, y)
}

func (t *kernelText) copy(s *ir.Copy) {
	index := func(x ir.Expr) string {
		if x == nil {
			return "0"
		}
		return t.operand(x)
	}
	i := t.fresh("i")
	t.open("for (long %s = 0; %s < %s; %s++)", i, i, t.operand(s.Count), i)
	t.line("%s[%s + %s] = %s[%s + %s];", t.buf(s.Dst), index(s.DstIndex), i, t.buf(s.Src), index(s.SrcIndex), i)
	t.close()
}

// loop opens a loop, behind what is said of it to the compiler; its end is computed once.
func (t *kernelText) loop(d ir.Dim, hints ...string) {
	lo, hi := t.expr(d.Lo), t.expr(d.Hi)
	if _, ok := d.Hi.(*ir.Int); !ok {
		end := t.fresh("end")
		t.line("const long %s = %s;", end, hi)
		hi = end
	}
	v := t.declare(d.Var)
	for _, h := range hints {
		t.line("%s", h)
	}
	t.open("for (long %s = %s; %s < %s; %s++)", v, lo, v, hi, v)
}

// nest writes a nest inside a kernel as loops.
func (t *kernelText) nest(n *ir.Nest) {
	t.open("")
	for i, d := range n.Dims {
		if i == len(n.Dims)-1 {
			t.loop(d, t.widened(n)...)
		} else {
			t.loop(d)
		}
	}
	if n.Ordered() {
		t.block(t.ordered(n))
	} else {
		t.block(n.Pre)
		for _, d := range n.Red {
			t.loop(d)
		}
		t.block(n.Body)
		for range n.Red {
			t.close()
		}
		t.block(n.Post)
	}
	for range n.Dims {
		t.close()
	}
	t.close()
}
