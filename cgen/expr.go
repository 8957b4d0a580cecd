package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/formulas"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Precedences of C operators, as far as text without parentheses goes; mixed
// bit operations, shifts and comparisons always get them.
const (
	precSelect = iota
	precCompare
	precBits
	precAdd
	precMul
	precUnary
	precAtom
)

// text is a piece of C with the precedence of its outermost operator.
type text struct {
	s    string
	prec int
	// plain reports an integer literal, which has type int in C.
	plain bool
}

// in returns t for a place that needs at least the given precedence.
func (t text) in(prec int) string {
	if t.prec < prec {
		return "(" + t.s + ")"
	}
	return t.s
}

func atom(format string, args ...any) text {
	return text{s: fmt.Sprintf(format, args...), prec: precAtom}
}

// expr returns the C text of x. Declarations that must precede the statement
// are written to the body.
func (b *body) expr(x ir.Expr) string { return b.render(x, false).s }

// render returns the text of x. In a branch, loads move to declarations before
// the statement.
func (b *body) render(x ir.Expr, branch bool) text {
	switch x := x.(type) {
	case *ir.Int:
		return intText(x)
	case *ir.Float:
		s := formulas.Double(x.Val)
		if s[0] == '-' {
			return text{s: s, prec: precUnary}
		}
		return text{s: s, prec: precAtom}
	case *ir.Use:
		return text{s: b.varName(x.Var), prec: precAtom}
	case *ir.Load:
		return b.load(x, branch)
	case *ir.Unary:
		return b.unary(x, branch)
	case *ir.Binary:
		return b.binary(x, branch)
	case *ir.Select:
		return b.choose(x, branch)
	case *ir.Convert:
		return b.convert(x, branch)
	case *ir.Math:
		if l, ok := partLoad(x); ok {
			element := b.render(l, branch).s
			return text{s: "((const double *)&" + element + ")" + partIndex(x.Fn), prec: precAtom}
		}
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			args[i] = b.render(a, branch).s
		}
		return atom("%s(%s)", x.Fn, strings.Join(args, ", "))
	}
	panic(fmt.Sprintf("internal error: loop expression %T", x))
}

// partLoad returns the load whose real or imaginary part x is. Compilers make
// vector code of loads of doubles, but not of parts of complex numbers.
func partLoad(x *ir.Math) (*ir.Load, bool) {
	if x.Fn != "tl_rez" && x.Fn != "tl_imz" {
		return nil, false
	}
	l, ok := x.Args[0].(*ir.Load)
	return l, ok
}

func partIndex(fn string) string {
	if fn == "tl_imz" {
		return "[1]"
	}
	return "[0]"
}

func intText(x *ir.Int) text {
	s := intLiteral(x.Val)
	if s[0] == '-' {
		return text{s: s, prec: precUnary, plain: true}
	}
	return text{s: s, prec: precAtom, plain: !strings.HasPrefix(s, "INT64")}
}

// wide returns t as text of the C type of k even where it is a plain literal.
func wide(t text, k ir.Kind) text {
	if t.plain && k == ir.I64 {
		return text{s: "(int64_t)" + t.in(precUnary), prec: precUnary}
	}
	return t
}

func (b *body) load(x *ir.Load, branch bool) text {
	t := atom("%s[%s]", b.bufName(x.Buf), b.render(x.Index, branch).s)
	if !branch {
		return t
	}
	name := b.names.fresh("item")
	b.line("const %s %s = %s;", ctype(x.Buf.Elem), name, t.s)
	return text{s: name, prec: precAtom}
}

func (b *body) unary(x *ir.Unary, branch bool) text {
	t := b.render(x.X, branch)
	k := x.Kind()
	switch x.Op {
	case ir.OpNeg:
		s := "-" + wide(t, k).in(precAtom)
		return narrow(text{s: s, prec: precUnary}, k)
	case ir.OpNot:
		return text{s: "(!" + t.in(precAtom) + ")", prec: precAtom}
	case ir.OpAbs:
		switch k {
		case ir.F64:
			return atom("fabs(%s)", t.s)
		case ir.I64:
			return atom("tl_absi(%s)", t.s)
		}
		return narrow(atom("abs(%s)", t.s), k)
	case ir.OpSqrt:
		return atom("sqrt(%s)", t.s)
	case ir.OpBitNot:
		return narrow(text{s: "~" + wide(t, k).in(precAtom), prec: precUnary}, k)
	}
	panic("internal error: unary operation is unset")
}

// narrow wraps a result that C computes as int to a narrower kind.
func narrow(t text, k ir.Kind) text {
	switch k {
	case ir.U8, ir.I8, ir.I16, ir.C8:
		return text{s: "(" + ctype(k) + ")" + t.in(precUnary), prec: precUnary}
	}
	return t
}

// operator is the spelling of a binary operation: an infix operator, or a
// function of two arguments where Infix is empty.
type operator struct {
	infix string
	prec  int
	// closed reports that the operation stays within the kind, so that the
	// result needs no narrowing.
	closed bool
}

var operators = map[ir.BinOp]operator{
	ir.OpAdd: {"+", precAdd, false},
	ir.OpSub: {"-", precAdd, false},
	ir.OpMul: {"*", precMul, false},
	ir.OpDiv: {"/", precMul, false},
	ir.OpQuo: {"/", precMul, true},
	ir.OpRem: {"%", precMul, true},
	ir.OpAnd: {"&", precBits, true},
	ir.OpOr:  {"|", precBits, true},
	ir.OpXor: {"^", precBits, true},
	ir.OpLt:  {"<", precCompare, true},
	ir.OpLe:  {"<=", precCompare, true},
	ir.OpGt:  {">", precCompare, true},
	ir.OpGe:  {">=", precCompare, true},
	ir.OpEq:  {"==", precCompare, true},
	ir.OpNe:  {"!=", precCompare, true},
}

func (b *body) binary(x *ir.Binary, branch bool) text {
	if t, ok := b.oneOf(x, branch); ok {
		return t
	}
	l, r, k := b.render(x.X, branch), b.render(x.Y, branch), x.X.Kind()
	if l.plain && r.plain {
		l = wide(l, k)
	}
	switch x.Op {
	case ir.OpMin, ir.OpMax:
		return b.extremum(x.Op, b.bound(x.X, l), b.bound(x.Y, r), k)
	case ir.OpShl:
		if k == ir.I64 {
			return text{s: fmt.Sprintf("(int64_t)((uint64_t)%s << %s)", l.in(precUnary), r.in(precAtom)), prec: precUnary}
		}
		return text{s: fmt.Sprintf("(%s)((uint32_t)%s << %s)", ctype(k), l.in(precUnary), r.in(precAtom)), prec: precUnary}
	case ir.OpShr:
		return text{s: wide(l, k).in(precAtom) + " >> " + r.in(precAtom), prec: precSelect}
	}
	if x.Op == ir.OpRem {
		if t, ok := b.remainder(x, l, r); ok {
			return t
		}
	}
	if t, ok := b.unsigned(x, l, r); ok {
		return t
	}
	op, ok := operators[x.Op]
	if !ok {
		panic("internal error: binary operation is unset")
	}
	t := text{prec: op.prec}
	switch {
	case op.prec == precCompare && l.s == r.s: // compilers warn of x == x
		t.s = l.in(precAdd) + " " + op.infix + " " + r.in(precAdd) + " + 0"
	case op.prec == precCompare:
		t.s = l.in(precAdd) + " " + op.infix + " " + r.in(precAdd)
	case op.prec == precBits:
		t.s = bitOperand(x.X, x.Op, l) + " " + op.infix + " " + bitOperand(x.Y, x.Op, r)
	default:
		t.s = l.in(op.prec) + " " + op.infix + " " + r.in(op.prec+1)
	}
	if op.closed {
		return t
	}
	return narrow(t, k)
}

// bitOperand returns an operand of a bit operation, with parentheses unless it is a
// chain of the same operation.
func bitOperand(x ir.Expr, op ir.BinOp, t text) string {
	if y, ok := x.(*ir.Binary); ok && y.Op == op && t.prec == precBits {
		return t.s
	}
	return t.in(precUnary)
}

// extremum picks by comparison: fmin and fmax do not vectorise in reductions.
func (b *body) extremum(op ir.BinOp, l, r text, k ir.Kind) text {
	name := map[ir.BinOp]string{ir.OpMin: "min", ir.OpMax: "max"}[op]
	switch k {
	case ir.F64:
		return atom("tl_%sd(%s, %s)", name, l.s, r.s)
	case ir.I64:
		return atom("tl_%si(%s, %s)", name, l.s, r.s)
	}
	return narrow(atom("tl_%sn(%s, %s)", name, l.s, r.s), k)
}

func (b *body) choose(x *ir.Select, branch bool) text {
	c := b.render(x.Cond, branch)
	l, r := b.render(x.Then, true), b.render(x.Else, true)
	if l.plain && r.plain {
		l = wide(l, x.Kind())
	}
	if _, named := x.Cond.(*ir.Use); (named || b.blends) && b.vector && !divides(x.Then) && !divides(x.Else) {
		switch x.Kind() {
		case ir.F64:
			return atom("tl_blendd(%s, %s, %s)", c.s, l.s, r.s)
		case ir.I64:
			return atom("tl_blendi(%s, %s, %s)", c.s, l.s, r.s)
		}
	}
	if c.prec == precBits { // clang warns of a & b ? x : y
		c.s, c.prec = "("+c.s+")", precAtom
	}
	return text{s: c.in(precCompare) + " ? " + l.in(precCompare) + " : " + r.in(precCompare), prec: precSelect}
}

// divides reports whether x has a quotient of integers, which traps where the branch of a
// choice that has it would not be taken.
func divides(x ir.Expr) (found bool) {
	ir.WalkExpr(x, func(x ir.Expr) {
		b, ok := x.(*ir.Binary)
		found = found || ok && (b.Op == ir.OpQuo || b.Op == ir.OpRem)
	})
	return found
}

func (b *body) convert(x *ir.Convert, branch bool) text {
	t := b.render(x.X, branch)
	if x.To == x.X.Kind() {
		return t
	}
	if lit, ok := x.X.(*ir.Int); ok && x.To == ir.F64 {
		return text{s: formulas.Double(float64(lit.Val)), prec: precUnary}
	}
	if _, stored := x.X.(*ir.Load); x.To == ir.F64 && x.X.Kind() == ir.U8 && b.vector && !stored {
		return atom("tl_mask(%s)", t.s)
	}
	if x.To == ir.F64 && x.X.Kind() == ir.I64 && b.vector {
		return atom("tl_i2d(%s)", t.s)
	}
	return text{s: "(" + ctype(x.To) + ")" + t.in(precUnary), prec: precUnary}
}
