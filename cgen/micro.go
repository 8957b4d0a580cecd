package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/formulas"
	"github.com/tailor-lang/tailor/laila/ir"
)

// micro writes a call of the function that updates a tile in registers.
func (b *body) micro(s *ir.Micro) {
	name := b.kernel(s)
	rest := b.expr(s.Count)
	if s.Fresh != nil {
		rest += ", " + b.expr(s.Fresh)
	}
	b.line("%s(%s, %s, %s, %s, %s);", name, b.offset(s.C, s.CAt), b.expr(s.Stride), b.offset(s.A, s.AAt), b.offset(s.B, s.BAt), rest)
}

// kernel returns the name of the function for s, which is written once.
func (e *emitter) kernel(s *ir.Micro) string {
	k := &kernel{elem: ctype(s.C.Elem), kind: s.C.Elem, vars: map[*ir.Var]string{}}
	text := k.text(s)
	if name, ok := e.kernels[text]; ok {
		return name
	}
	name := e.global("tile")
	if e.kernels == nil {
		e.kernels = map[string]string{}
	}
	e.kernels[text] = name
	fmt.Fprintf(&e.head, "\n/* A tile of an inner product: %d rows by two vectors. */\nstatic void %s%s\n", ir.MicroRows, name, text)
	return name
}

// kernel writes the function of one Micro, in vectors of GNU C, which become
// what the machine has.
type kernel struct {
	b     strings.Builder
	elem  string
	kind  ir.Kind
	vars  map[*ir.Var]string
	temps int
}

func (k *kernel) line(depth int, format string, args ...any) {
	k.b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&k.b, format, args...)
	k.b.WriteByte('\n')
}

// text returns the parameters and the body of the function.
func (k *kernel) text(s *ir.Micro) string {
	fresh := ""
	if s.Fresh != nil {
		fresh = ", int fresh"
	}
	k.line(0, "(%s *restrict c, int64_t stride, const %s *restrict a, const %s *restrict b, int64_t n%s) {", k.elem, k.elem, k.elem, fresh)
	k.line(1, "typedef %s vec __attribute__((vector_size(TL_VECTOR)));", k.elem)
	k.line(1, "typedef %s mem __attribute__((vector_size(TL_VECTOR), aligned(sizeof(%s)), may_alias));", k.elem, k.elem)
	k.line(1, "enum { LANES = TL_VECTOR / sizeof(%s) };", k.elem)
	tile := func(write func(c, place string)) {
		for r := 0; r < ir.MicroRows; r++ {
			for h := 0; h < 2; h++ {
				write(fmt.Sprintf("c%d%d", r, h), fmt.Sprintf("*(mem *)(c + %d * stride + %d * LANES)", r, h))
			}
		}
	}
	if s.Fresh == nil {
		tile(func(c, place string) { k.line(1, "vec %s = %s;", c, place) })
	} else {
		tile(func(c, _ string) { k.line(1, "vec %s = %s;", c, k.expr(s.Zero)) })
		k.line(1, "if (!fresh) {")
		tile(func(c, place string) { k.line(2, "%s = %s;", c, place) })
		k.line(1, "}")
	}
	k.line(1, "TL_UNROLL")
	k.line(1, "for (int64_t k = 0; k < n; k++, a += %d, b += 2 * LANES) {", ir.MicroRows)
	k.line(2, "const vec b0 = *(const mem *)b, b1 = *(const mem *)(b + LANES);")
	zero := "+"
	if k.kind == ir.F64 {
		zero = "-" // x-0 is x, x+0 is not for -0
	}
	for r := 0; r < ir.MicroRows; r++ {
		k.line(2, "{")
		k.line(3, "const vec x = a[%d] %s (vec){0};", r, zero)
		for h := 0; h < 2; h++ {
			k.line(3, "{")
			k.vars[s.Acc], k.vars[s.X], k.vars[s.Y] = fmt.Sprintf("c%d%d", r, h), "x", fmt.Sprintf("b%d", h)
			k.temps = 0
			for _, d := range s.Decls {
				x := k.expr(d.Init)
				k.vars[d.Var] = k.temp(x)
			}
			x := k.expr(s.Step)
			k.line(4, "c%d%d = %s;", r, h, x)
			k.line(3, "}")
		}
		k.line(2, "}")
	}
	k.line(1, "}")
	tile(func(c, place string) { k.line(1, "%s = %s;", place, c) })
	k.b.WriteString("}\n")
	return k.b.String()
}

// temp declares a vector with the value x.
func (k *kernel) temp(x string) string {
	k.temps++
	name := fmt.Sprintf("t%d", k.temps)
	k.line(4, "const vec %s = %s;", name, x)
	return name
}

// lanes declares a vector that is computed lane by lane: compilers know the
// instructions for these loops, and C has no conditional of vectors.
func (k *kernel) lanes(format string, args ...string) string {
	k.temps++
	name := fmt.Sprintf("t%d", k.temps)
	k.line(4, "vec %s;", name)
	operands := make([]any, len(args))
	for i, a := range args {
		operands[i] = k.temp(a) + "[l]"
	}
	k.line(4, "for (int l = 0; l < LANES; l++) %s[l] = %s;", name, fmt.Sprintf(format, operands...))
	return name
}

// expr returns the text of a vector.
func (k *kernel) expr(x ir.Expr) string {
	switch x := x.(type) {
	case *ir.Int:
		return fmt.Sprintf("((%s)%s + (vec){0})", k.elem, intLiteral(x.Val))
	case *ir.Float:
		return fmt.Sprintf("(%s - (vec){0})", formulas.Double(x.Val))
	case *ir.Use:
		return k.vars[x.Var]
	case *ir.Unary:
		y := k.expr(x.X)
		switch x.Op {
		case ir.OpNeg:
			return "(-" + y + ")"
		case ir.OpNot:
			return fmt.Sprintf("(%s ^ ((%s)1 + (vec){0}))", y, k.elem)
		case ir.OpSqrt:
			return k.lanes("sqrt(%s)", y)
		case ir.OpAbs:
			if k.kind == ir.F64 {
				return k.lanes("fabs(%s)", y)
			}
			return k.lanes("%[1]s < 0 ? -%[1]s : %[1]s", y)
		}
	case *ir.Binary:
		return k.binary(x)
	case *ir.Math:
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			args[i] = k.expr(a)
		}
		return fmt.Sprintf("%sv(%s)", x.Fn, strings.Join(args, ", ")) // the only one is a fused multiply-add
	}
	panic(fmt.Sprintf("internal error: %T in a tile", x))
}

func (k *kernel) binary(x *ir.Binary) string {
	l, r := k.expr(x.X), k.expr(x.Y)
	switch x.Op {
	case ir.OpMin:
		return k.lanes("%[1]s < %[2]s ? %[1]s : %[2]s", l, r)
	case ir.OpMax:
		return k.lanes("%[1]s > %[2]s ? %[1]s : %[2]s", l, r)
	}
	op := operators[x.Op]
	if op.prec == precCompare { // of bytes that are 0 or 1
		return fmt.Sprintf("((vec)(%s %s %s) & ((%s)1 + (vec){0}))", l, op.infix, r, k.elem)
	}
	return "(" + l + " " + op.infix + " " + r + ")"
}
