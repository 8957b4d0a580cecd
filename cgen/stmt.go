package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

func (b *body) stmts(list []ir.Stmt) {
	for len(list) > 0 {
		if n := b.carried(list); n > 0 {
			list = list[n:]
			continue
		}
		b.stmt(list[0])
		list = list[1:]
	}
}

// carried writes what gives an array more storage, where list begins with that, and
// returns how many statements it is, else 0:
//
//	alloc y[more]; copy y[to] = x[from], count elements; swap x, y; free y
//
// The run-time moves the pages of large blocks instead of what is in them.
func (b *body) carried(list []ir.Stmt) int {
	if len(list) < 4 {
		return 0
	}
	made, ok := list[0].(*ir.DeclBuf)
	copied, ok2 := list[1].(*ir.Copy)
	swapped, ok3 := list[2].(*ir.Swap)
	freed, ok4 := list[3].(*ir.Free)
	if !ok || !ok2 || !ok3 || !ok4 || b.opt.Profile || made.Buf.Stack > 0 {
		return 0
	}
	y, x := made.Buf, copied.Src
	if copied.Dst != y || freed.Buf != y || swapped.A != x || swapped.B != y || b.idle(x) || b.shared(x) || b.shared(y) {
		return 0
	}
	b.stmt(made)
	size := fmt.Sprintf(" * (int64_t)sizeof(%s)", ctype(y.Elem))
	bytes := func(n ir.Expr) string {
		if n == nil || ir.IsInt(n, 0) {
			return "0"
		}
		return b.render(n, false).in(precUnary) + size
	}
	b.line("tl_carry(%s, %s, %s, %s, %s);", b.bufName(y), bytes(copied.DstIndex), b.bufName(x), bytes(copied.SrcIndex), bytes(copied.Count))
	b.line("%s = %s;", b.bufName(x), b.bufName(y))
	return 4
}

// block writes statements one level deeper.
func (b *body) block(list []ir.Stmt) {
	b.depth++
	b.stmts(list)
	b.settleBlock(list)
	b.depth--
}

// stmt writes a statement, and before it what makes the arrays in it valid.
func (b *body) stmt(s ir.Stmt) {
	after := b.prepare(s)
	if b.opt.Profile {
		b.inLine(s)
	} else {
		b.plain(s)
	}
	after()
}

// plain writes a statement.
func (b *body) plain(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Decl:
		b.decl(s)
	case *ir.Assign:
		b.assign(s)
	case *ir.Checked:
		b.checked(s)
	case *ir.DeclBuf:
		b.declBuf(s)
	case *ir.Free:
		if s.Buf.Stack <= 0 {
			free := "tl_free"
			if b.shared(s.Buf) {
				free = "tl_cl_free"
			}
			b.line("%s(%s);", free, b.bufName(s.Buf))
		}
	case *ir.Move:
		b.line("%s = %s;", b.bufName(s.Dst), b.bufName(s.Src))
		b.line("%s = NULL;", b.bufName(s.Src))
	case *ir.Swap:
		b.swap(s)
	case *ir.Alias:
		src := b.bufName(s.Src)
		b.line("%s *%s = %s;", ctype(s.Dst.Elem), b.declareBuf(s.Dst), src)
	case *ir.Copy:
		b.copy(s)
	case *ir.Store:
		if b.idle(s.Buf) {
			return
		}
		if b.shared(s.Buf) && b.device.started == 0 {
			b.storeShared(s)
			return
		}
		index, x := b.expr(s.Index), b.expr(s.X)
		if m, ok := s.X.(*ir.Math); ok && m.Fn == "tl_z" {
			b.line("tl_put_parts(&%s[%s], %s, %s);", b.bufName(s.Buf), index, b.expr(m.Args[0]), b.expr(m.Args[1]))
			return
		}
		if s.Buf.Elem == ir.C64 {
			b.line("tl_putz(&%s[%s], %s);", b.bufName(s.Buf), index, x)
			return
		}
		b.line("%s[%s] = %s;", b.bufName(s.Buf), index, x)
	case *ir.Filter:
		b.filter(s)
	case *ir.Micro:
		b.micro(s)
	case *ir.For:
		b.sequential(s)
	case *ir.Nest:
		b.nest(s)
	case *ir.Loop:
		b.line("for (;;) {")
		b.loops++
		b.block(s.Body)
		b.loops--
		if b.opt.Tested != nil && !b.inNest && !b.threaded[b.fn] && computesDoubles(s.Body) {
			b.line("  tl_watch();")
		}
		b.line("}")
	case *ir.BreakIf:
		b.line("if (%s) break;", b.expr(s.Cond))
	case *ir.If:
		b.ifElse(s)
	case *ir.Fail:
		b.fail(s)
	case *ir.Call:
		b.call(s)
	case *ir.Runtime:
		b.runtime(s)
	case *ir.Launch:
		b.launch(s)
	case *ir.Comment:
		if text := strings.TrimSpace(commentText(s.Text)); text != b.said {
			b.said = text
			b.line("/* %s */", text)
		}
		if b.opt.Profile {
			b.beginLine(s)
		}
		if line := b.lineOf(s.At); b.opt.Progress && line > 0 {
			b.reached = line
		}
	case *ir.Return:
		b.leave(false)
	default:
		panic(fmt.Sprintf("internal error: loop statement %T", s))
	}
}

func (b *body) decl(s *ir.Decl) {
	if !b.survey.read[s.Var] {
		return
	}
	init := "0"
	if s.Init != nil {
		init = b.expr(s.Init)
		b.noteRange(s.Var, b.rangeOf(s.Init))
	}
	if b.hoistedVars[s.Var] {
		b.line("%s = %s;", b.varName(s.Var), init)
		return
	}
	typ := ctype(s.Var.Kind)
	if b.survey.flags[s.Var] {
		typ = "int64_t" // as wide as what is tested, mostly: vector code keeps one width
	}
	b.line("%s %s = %s;", typ, b.declareVar(s.Var), init)
}

// assign writes an assignment, as a compound one where the variable is the
// left operand.
func (b *body) assign(s *ir.Assign) {
	if !b.survey.read[s.Var] {
		return
	}
	if u, ok := s.X.(*ir.Use); ok && u.Var == s.Var {
		return
	}
	name := b.varName(s.Var)
	if x, ok := s.X.(*ir.Binary); ok && x.Op < ir.OpLt {
		op, known := operators[x.Op]
		if left, ok := x.X.(*ir.Use); ok && known && left.Var == s.Var && (op.closed || s.Var.Kind >= ir.I32) {
			b.line("%s %s= %s;", name, op.infix, b.expr(x.Y))
			return
		}
	}
	b.line("%s = %s;", name, b.expr(s.X))
}

// checked writes integer arithmetic that reports its overflow by functions of the run-time,
// which vectorise. For products outside of vector code the compiler's builtin is cheaper: it
// asks the processor.
func (b *body) checked(s *ir.Checked) {
	if !b.survey.read[s.Var] && !b.survey.read[s.Flag] {
		return
	}
	op, ok := map[ir.BinOp]string{ir.OpAdd: "add", ir.OpSub: "sub", ir.OpMul: "mul"}[s.Op]
	if !ok {
		panic("internal error: only sums, differences and products are checked")
	}
	x, y := b.once(s.X), b.once(s.Y)
	tested, used := b.survey.read[s.Flag], b.survey.read[s.Var]
	switch {
	case tested && used && op == "mul" && !b.vector && !b.inNest:
		b.line("%s |= __builtin_mul_overflow(%s, %s, &%s);", b.varName(s.Flag), x, y, b.varName(s.Var))
		return
	case tested && op == "mul" && x == y:
		b.line("%s |= tl_bad_squarei(%s);", b.varName(s.Flag), x)
	case tested:
		b.line("%s |= tl_bad_%si(%s, %s);", b.varName(s.Flag), op, x, y)
	}
	if used {
		b.line("%s = tl_%si(%s, %s);", b.varName(s.Var), op, x, y)
	}
}

// once returns text for x that may be repeated: a name or a literal.
func (b *body) once(x ir.Expr) string {
	switch x.(type) {
	case *ir.Use, *ir.Int, *ir.Float:
		return b.expr(x)
	}
	s := b.expr(x)
	name := b.names.fresh("part")
	b.line("const %s %s = %s;", ctype(x.Kind()), name, s)
	return name
}

func (b *body) declBuf(s *ir.DeclBuf) {
	elem := ctype(s.Buf.Elem)
	if s.Buf.Stack > 0 {
		if !b.idle(s.Buf) {
			b.stackBuf(s, elem)
		}
		return
	}
	hoisted := b.hoistedBufs[s.Buf]
	if s.Count == nil {
		if !hoisted {
			b.line("%s *%s = NULL;", elem, b.declareBuf(s.Buf))
		}
		return
	}
	count := ""
	if s.Zero || !countsShape(s) {
		count = b.once(s.Count)
	}
	shape := make([]string, len(s.Shape))
	for i, x := range s.Shape {
		shape[i] = b.expr(x)
	}
	name, left := b.declareBuf(s.Buf), ""
	if !hoisted {
		left = elem + " *"
	}
	safe := count
	if countsShape(s) {
		safe = fmt.Sprintf("tl_try_count(%s)", shapeText(shape))
	}
	b.line("%s%s = tl_try_alloc(%s, sizeof(%s));", left, name, safe, elem)
	b.line("if (!%s) %s;", name, b.faultText(tail.FaultMemory, s.At, tail.Blame{}, []string{"tl_arg_shape(" + shapeText(shape) + ")"}))
	switch {
	case b.shared(s.Buf):
		if count == "" {
			count = safe
		}
		b.newOnDevice(s, count, shape)
	case s.Zero:
		b.line("memset(%s, 0, (size_t)%s * sizeof(%s));", name, count, elem)
	}
}

// idle reports whether s is on the stack and nothing reads it.
func (b *body) idle(s *ir.Buf) bool { return s.Stack > 0 && !b.survey.bufs[s] }

// countsShape reports whether the number of elements is computed from the
// shape when storage is allocated, because the product might overflow.
func countsShape(s *ir.DeclBuf) bool { return len(s.Shape) > 1 && !allConstant(s.Shape) }

func allConstant(xs []ir.Expr) bool {
	for _, x := range xs {
		if _, ok := x.(*ir.Int); !ok {
			return false
		}
	}
	return true
}

// shapeText returns the two C arguments "rank, extents" for a shape.
func shapeText(extents []string) string {
	if len(extents) == 0 {
		return "0, NULL"
	}
	return fmt.Sprintf("%d, (const int64_t[]){%s}", len(extents), strings.Join(extents, ", "))
}

// stackBuf declares storage in the frame; a buffer that changes places with
// another is a pointer to it.
func (b *body) stackBuf(s *ir.DeclBuf, elem string) {
	zero := ""
	// Few elements are set in any case: compilers do not see that the loops
	// over their parts cover them, and warn.
	if s.Zero || s.Buf.Stack < 16 {
		zero = " = {0}"
	}
	if !b.survey.moved[s.Buf] && !b.hoistedBufs[s.Buf] {
		b.line("%s %s[%d]%s;", elem, b.declareBuf(s.Buf), s.Buf.Stack, zero)
	} else {
		store := b.names.fresh(s.Buf.Name + "_store")
		b.line("%s %s[%d]%s;", elem, store, s.Buf.Stack, zero)
		b.line("%s *%s = %s;", elem, b.declareBuf(s.Buf), store)
	}
	if b.shared(s.Buf) {
		b.newOnDevice(s, fmt.Sprint(s.Buf.Stack), nil)
	}
}

func (b *body) swap(s *ir.Swap) {
	x, y, t := b.bufName(s.A), b.bufName(s.B), b.names.fresh("other")
	b.line("%s *%s = %s;", ctype(s.A.Elem), t, x)
	b.line("%s = %s;", x, y)
	b.line("%s = %s;", y, t)
}

func (b *body) copy(s *ir.Copy) {
	if b.idle(s.Dst) {
		return
	}
	if b.shared(s.Dst) && b.device.started == 0 {
		b.copyShared(s)
		return
	}
	fn := "memcpy"
	if s.Dst == s.Src {
		fn = "memmove"
	}
	dst, src := b.offset(s.Dst, s.DstIndex), b.offset(s.Src, s.SrcIndex)
	if b.consts[s.Src] != "" {
		src = "tl_unknown(" + src + ")"
	}
	count := b.render(s.Count, false)
	b.line("%s(%s, %s, (size_t)%s * sizeof(%s));", fn, dst, src, count.in(precUnary), ctype(s.Dst.Elem))
}

// offset returns a pointer to an element.
func (b *body) offset(s *ir.Buf, index ir.Expr) string {
	if i, ok := index.(*ir.Int); index == nil || ok && i.Val == 0 {
		return b.bufName(s)
	}
	return b.bufName(s) + " + " + b.render(index, false).in(precAdd)
}

// forLoop opens a loop over a range. The end is computed once where the body
// might change it. A pragma stands right before the loop.
func (b *body) forLoop(d ir.Dim, inner []ir.Stmt, pragma string) {
	lo, hi := b.expr(d.Lo), b.render(d.Hi, false)
	end := hi.in(precAdd)
	if b.unstable(d.Hi, inner) {
		end = b.names.fresh("end")
		b.line("const %s %s = %s;", ctype(d.Var.Kind), end, hi.s)
	}
	v := b.declareVar(d.Var)
	b.noteRange(d.Var, b.indexRange(d))
	if pragma != "" && b.countsNarrow(d, inner) {
		b.narrowLoop(d, v, end, pragma, b.survey.read[d.Var])
		return
	}
	if pragma != "" {
		b.line("%s", pragma)
	}
	b.line("for (%s %s = %s; %s < %s; %s++) {", ctype(d.Var.Kind), v, lo, v, end, v)
	b.noteLoop(d)
}

// unstable reports whether x could change while the statements run, or is
// costly enough to compute once.
func (b *body) unstable(x ir.Expr, stmts []ir.Stmt) bool {
	used, unstable := map[*ir.Var]bool{}, false
	ir.WalkExpr(x, func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Use:
			used[x.Var] = true
		case *ir.Load, *ir.Math, *ir.Select:
			unstable = true
		}
	})
	walk(stmts, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			unstable = unstable || used[s.Var]
		case *ir.Checked:
			unstable = unstable || used[s.Var]
		}
	})
	return unstable
}

// ifElse writes a test; one that is decided is not written.
func (b *body) ifElse(s *ir.If) {
	if c, ok := s.Cond.(*ir.Int); ok {
		if c.Val != 0 {
			b.stmts(s.Then)
		} else {
			b.stmts(s.Else)
		}
		return
	}
	b.line("if (%s) {", b.expr(s.Cond))
	b.block(s.Then)
	if len(s.Else) > 0 {
		b.line("} else {")
		b.block(s.Else)
	}
	b.line("}")
}
