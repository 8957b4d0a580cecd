package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// call writes the call of a function of the program.
func (b *body) call(s *ir.Call) {
	args := b.arguments(s)
	if s.Fn.Recursive {
		if b.active != "0" {
			b.line("if (tl_too_deep(%s)) %s;", b.active, b.faultText(tail.FaultRecursion, s.At, tail.Blame{}, nil))
		}
		args = append(args, b.active+" + 1")
	} else if b.deep[s.Fn] {
		args = append(args, b.active)
	}
	call := fmt.Sprintf("%s(%s)", b.funcs[s.Fn], strings.Join(args, ", "))
	fields := fieldNames(s.Fn)
	switch len(fields) {
	case 0:
		b.line("%s;", call)
	case 1:
		b.receive(s.Results, s.Fn.Results, func(int) string { return call })
	default:
		t := b.names.fresh("result")
		b.line("%s_result %s = %s;", b.funcs[s.Fn], t, call)
		b.receive(s.Results, s.Fn.Results, func(i int) string { return t + "." + fields[i] })
	}
}

// deepFuncs returns the functions that call recursive ones, perhaps through
// others: they are told how many calls of those are active.
func deepFuncs(funcs []*ir.Func) map[*ir.Func]bool {
	callers := map[*ir.Func][]*ir.Func{}
	deep := map[*ir.Func]bool{}
	var mark func(f *ir.Func)
	mark = func(f *ir.Func) {
		if deep[f] {
			return
		}
		deep[f] = true
		for _, c := range callers[f] {
			mark(c)
		}
	}
	for _, f := range funcs {
		walk(f.Body, func(s ir.Stmt) {
			if c, ok := s.(*ir.Call); ok {
				callers[c.Fn] = append(callers[c.Fn], f)
			}
		})
	}
	for _, f := range funcs {
		if f.Recursive {
			mark(f)
		}
	}
	return deep
}

// arguments returns the C arguments: one for every piece of the parameters.
func (b *body) arguments(s *ir.Call) []string {
	var args []string
	seen := map[*ir.Var]bool{}
	for i, p := range s.Fn.Params {
		a := s.Args[i]
		if p.Buf == nil {
			args = append(args, b.varName(a.Scalar))
			seen[p.Scalar] = true
			continue
		}
		cast := ""
		if p.Buf.Owned { // constants, and parameters that are not, stay with the caller
			cast = fmt.Sprintf("(%s *)", ctype(p.Buf.Elem))
		}
		if a.At != nil && cast != "" {
			args = append(args, fmt.Sprintf("%s(%s)", cast, b.offset(a.Buf, a.At)))
		} else {
			args = append(args, cast+b.offset(a.Buf, a.At))
		}
		for j, d := range p.Dims {
			if u, ok := d.(*ir.Use); ok && !seen[u.Var] {
				seen[u.Var] = true
				args = append(args, b.expr(a.Dims[j]))
			}
		}
	}
	return args
}

// receive declares the results of a call from the values of the callee's
// pieces.
func (b *body) receive(results, formal []ir.Array, value func(int) string) {
	n := 0
	next := func() string { n++; return value(n - 1) }
	given := map[*ir.Var]string{}
	for i, f := range formal {
		r := results[i]
		if f.Buf == nil {
			given[f.Scalar] = next()
			b.receiveVar(r.Scalar, given[f.Scalar])
			continue
		}
		b.receiveBuf(r.Buf, next())
		for j, d := range f.Dims {
			text := ""
			if u, ok := d.(*ir.Use); !ok {
				text = b.expr(d)
			} else if text, ok = given[u.Var]; !ok {
				text = next()
				given[u.Var] = text
			}
			if u, ok := r.Dims[j].(*ir.Use); ok {
				b.receiveVar(u.Var, text)
			}
		}
	}
}

// receiveVar gives a variable that a call declares its value.
func (b *body) receiveVar(v *ir.Var, value string) {
	switch {
	case !b.survey.read[v]:
		if strings.HasSuffix(value, ")") { // the call itself
			b.line("(void)%s;", value)
		}
	case b.hoistedVars[v]:
		b.line("%s = %s;", b.varName(v), value)
	case b.vars[v] != "":
		return
	default:
		b.line("%s %s = %s;", ctype(v.Kind), b.declareVar(v), value)
	}
}

func (b *body) receiveBuf(s *ir.Buf, value string) {
	if b.hoistedBufs[s] {
		b.line("%s = %s;", b.bufName(s), value)
		return
	}
	b.line("%s *%s = %s;", ctype(s.Elem), b.declareBuf(s), value)
}

// fail writes the end of the program with a fault.
func (b *body) fail(s *ir.Fail) {
	row := s.Fault.Row()
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = b.failArg(a, row.Args[i])
	}
	b.faulty(b.faultText(s.Fault, s.At, s.Blame, args))
}

func (b *body) failArg(a ir.FailArg, kind tail.ArgKind) string {
	switch kind {
	case tail.ArgShape:
		extents := make([]string, len(a.Shape))
		for i, x := range a.Shape {
			extents[i] = b.expr(x)
		}
		return fmt.Sprintf("tl_arg_shape(%s)", shapeText(extents))
	case tail.ArgInt:
		return fmt.Sprintf("tl_arg_int(%s)", b.expr(a.X))
	case tail.ArgDouble:
		return fmt.Sprintf("tl_arg_double(%s)", b.expr(a.X))
	case tail.ArgText:
		return fmt.Sprintf("tl_arg_string(%s)", stringLiteral(a.Text))
	}
	panic("internal error: kind of a fault's operand is unset")
}

// faultText returns the call that reports a fault.
func (b *body) faultText(f tail.Fault, at diag.Span, blame tail.Blame, args []string) string {
	for i := range args {
		if by := blame.Shift(f, i); by != 0 {
			inner := strings.TrimSuffix(strings.TrimPrefix(args[i], "tl_arg_int("), ")")
			args[i] = fmt.Sprintf("tl_arg_int((%s) - %d)", inner, by)
		}
	}
	d := tail.NewFault(f, at, blame, "")
	operands := "0, NULL"
	if len(args) > 0 {
		operands = fmt.Sprintf("%d, (const tl_arg[]){%s}", len(args), strings.Join(args, ", "))
	}
	return fmt.Sprintf("tl_fault(1, %s, %s, %s, %s, %s)", stringLiteral(d.Headline()),
		stringLiteral(blame.Template(f)), stringLiteral(d.Code.String()), b.place(d.Details()), operands)
}

// place returns the name of the constant that holds the excerpt of the source
// below a message.
func (e *emitter) place(details string) string {
	if details == "" {
		return `""`
	}
	if e.places[details] == "" {
		name := e.global("line")
		e.places[details] = name
		fmt.Fprintf(&e.head, "static const char %s[] = %s;\n", name, stringLiteral(details))
	}
	return e.places[details]
}
