package cgen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// The entry of a program is called from outside as
//
//	int32_t EXPORT(int64_t *words)
//
// The first words are the arguments, in order: for an array a pointer to its elements
// and its extents, for a scalar its value, of which a double is the bits, and a complex
// number two. Those behind them become the results alike. Their arrays are the caller's,
// which frees them by tailor_free. The function returns 0, or 1 where there was a fault
// or a double that overflowed; the results then mean nothing.

// Words returns the number of words that an argument or a result takes.
func Words(a ir.Array) int {
	switch {
	case a.Buf != nil:
		return 1 + len(a.Dims)
	case a.Elem == ir.C64:
		return 2
	}
	return 1
}

// wordsOf returns the number of words that arrays take.
func wordsOf(all []ir.Array) int {
	n := 0
	for _, a := range all {
		n += Words(a)
	}
	return n
}

// export returns the function by which the entry is called.
func (e *emitter) export() string {
	f, name := e.prog.Entry, e.opt.Export
	args, dims := e.incoming(f)
	var b strings.Builder
	fmt.Fprintf(&b, "\n__attribute__((visibility(\"default\"))) int32_t %s(int64_t *words);\n", name)
	fmt.Fprintf(&b, "int32_t %s(int64_t *words) {\n  const int64_t *in = words;\n  int64_t *out = words + %d;\n", name, wordsOf(f.Params))
	if e.prog.CT != 0 {
		fmt.Fprintf(&b, "  tl_ct = %s;\n", strconv.FormatFloat(e.prog.CT, 'g', -1, 64))
	}
	b.WriteString("  (void)in;\n  (void)out;\n  tl_enter();\n  if (_setjmp(tl_entered) != 0) return tl_leave(1);\n")
	if e.prog.Device != nil {
		fmt.Fprintf(&b, "  tl_cl_use(&%s);\n", e.deviceProgram())
	}
	fields := fieldNames(f)
	call := fmt.Sprintf("%s(%s)", e.funcs[f], strings.Join(args, ", "))
	switch len(fields) {
	case 0:
		fmt.Fprintf(&b, "  %s;\n", call)
	case 1:
		fmt.Fprintf(&b, "  %s result = %s;\n", e.newBody(f).resultText(), call)
		fields[0] = "result"
	default:
		fmt.Fprintf(&b, "  %s_result result = %s;\n", e.funcs[f], call)
		for i := range fields {
			fields[i] = "result." + fields[i]
		}
	}
	e.outgoing(&b, f, fields, dims)
	b.WriteString("  return tl_leave(tl_left());\n}\n")
	return b.String()
}

// incoming returns the C arguments of f, and the texts of the variables of their
// extents.
func (e *emitter) incoming(f *ir.Func) (args []string, dims map[*ir.Var]string) {
	dims = map[*ir.Var]string{}
	at := 0
	for _, p := range f.Params {
		word := func(k int) string { return fmt.Sprintf("in[%d]", at+k) }
		switch {
		case p.Buf != nil:
			args = append(args, fmt.Sprintf("(%s *)in[%d]", ctype(p.Buf.Elem), at))
			for j, d := range p.Dims {
				if u, ok := d.(*ir.Use); ok && dims[u.Var] == "" {
					dims[u.Var] = word(1 + j)
					args = append(args, word(1+j))
				}
			}
		case p.Elem == ir.C64:
			args = append(args, fmt.Sprintf("TL_Z(tl_word_double(%s), tl_word_double(%s))", word(0), word(1)))
		case p.Elem == ir.F64:
			args = append(args, fmt.Sprintf("tl_word_double(%s)", word(0)))
		default:
			args = append(args, fmt.Sprintf("(%s)%s", ctype(p.Elem), word(0)))
		}
		at += Words(p)
	}
	if e.deep[f] {
		args = append(args, "0")
	}
	return args, dims
}

// outgoing writes the results of f, of which the fields are the pieces.
func (e *emitter) outgoing(b *strings.Builder, f *ir.Func, fields []string, dims map[*ir.Var]string) {
	at := 0
	put := func(format string, args ...any) {
		fmt.Fprintf(b, "  out[%d] = %s;\n", at, fmt.Sprintf(format, args...))
		at++
	}
	next := func() string {
		text := fields[0]
		fields = fields[1:]
		return text
	}
	for _, r := range f.Results {
		switch {
		case r.Buf != nil:
			put("(int64_t)%s", next())
			for _, d := range r.Dims {
				u, ok := d.(*ir.Use)
				if !ok {
					put("%s", e.newBody(f).expr(d))
					continue
				}
				if dims[u.Var] == "" {
					dims[u.Var] = next()
				}
				put("%s", dims[u.Var])
			}
		case r.Elem == ir.C64:
			z := next()
			put("tl_double_word(tl_rez(%s))", z)
			put("tl_double_word(tl_imz(%s))", z)
		case r.Elem == ir.F64:
			put("tl_double_word(%s)", next())
		default:
			put("(int64_t)%s", next())
		}
	}
}
